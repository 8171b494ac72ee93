//! The thread that reads the feed.

use super::feed::{FeedCore, FeedEffect, FeedEvent, MAX_FEED_LINE_BYTES};
use crate::game::SourceProblem;
use crate::http::client::WebClient;
use crate::output::SourceOutput;
use crate::retry::RetryPauses;
use crate::web_url::WebUrl;
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError};

/// Reads the feed, and opens it again after a failure, until the source is dropped.
pub(crate) fn run(
    url: &WebUrl,
    pauses: RetryPauses,
    client: &WebClient,
    stop: &Receiver<()>,
    output: &SourceOutput,
) {
    let start = output.start_time();
    let (mut core, effects) = FeedCore::start(pauses, start.elapsed());
    let mut queue: VecDeque<FeedEffect> = effects.into();
    loop {
        while let Some(effect) = queue.pop_front() {
            match effect {
                FeedEffect::Report(event) => output.report(event),
                FeedEffect::Open => {
                    let problem = read(url, client, output, &mut core);
                    queue.extend(core.step(start.elapsed(), FeedEvent::Closed(problem)));
                }
            }
            if output.is_stopped() {
                return;
            }
        }
        let wait = core
            .deadline()
            .unwrap_or_default()
            .saturating_sub(start.elapsed());
        match stop.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => queue.extend(core.step(start.elapsed(), FeedEvent::Deadline)),
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Reads until the feed ends. Returns the reason of its end.
fn read(url: &WebUrl, client: &WebClient, output: &SourceOutput, core: &mut FeedCore) -> SourceProblem {
    let start = output.start_time();
    let response = match client.open(url, None, Some("application/x-ndjson, text/event-stream"), true) {
        Ok(response) => response,
        Err(problem) => return problem,
    };
    match response.status().as_u16() {
        200 => {}
        429 => return SourceProblem::TooManyRequests,
        404 => return SourceProblem::NotFound,
        status => return SourceProblem::Status(status),
    }
    let limit = u64::try_from(MAX_FEED_LINE_BYTES).unwrap_or(u64::MAX);
    let mut reader = BufReader::new(response.into_body().into_with_config().limit(u64::MAX).reader());
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return SourceProblem::Closed,
            Ok(_) if line.len() >= MAX_FEED_LINE_BYTES => return SourceProblem::LineTooLong,
            Ok(_) => {}
        }
        for effect in core.step(start.elapsed(), FeedEvent::Line(line)) {
            if let FeedEffect::Report(event) = effect {
                output.report(event);
            }
        }
        if output.is_stopped() {
            return SourceProblem::Closed;
        }
    }
}
