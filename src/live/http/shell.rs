//! The thread that sends requests and waits for answers, and a single fetch.

use super::MAX_CONTENT_BYTES;
use super::client::WebClient;
use super::core::{self, HttpCore, HttpEffect, HttpEvent, HttpOptions};
use super::reply::HttpRequest;
use crate::game::SourceProblem;
use crate::output::SourceOutput;
use crate::web_url::WebUrl;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Follows an address until the source is dropped or ends. A message of `refresh_requests` requests a fetch.
pub(crate) fn run(
    url: WebUrl,
    options: HttpOptions,
    client: &WebClient,
    refresh_requests: &Receiver<()>,
    output: &SourceOutput,
) {
    let start = output.start_time();
    let (mut core, effects) = HttpCore::start(url, options, start.elapsed());
    let mut queue: VecDeque<HttpEffect> = effects.into();
    loop {
        while let Some(effect) = queue.pop_front() {
            match effect {
                HttpEffect::Report(event) => output.report(event),
                HttpEffect::Fetch(request) => {
                    let event = client
                        .fetch(&request, MAX_CONTENT_BYTES)
                        .map_or_else(HttpEvent::Failed, HttpEvent::Reply);
                    queue.extend(core.step(start.elapsed(), event));
                }
            }
            if output.is_stopped() {
                return;
            }
        }
        let Some(deadline) = core.deadline() else { return };
        let event = match wait(refresh_requests, deadline, start) {
            Ok(()) => HttpEvent::RefreshRequested,
            Err(RecvTimeoutError::Timeout) => HttpEvent::Deadline,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        queue.extend(core.step(start.elapsed(), event));
    }
}

fn wait(refresh_requests: &Receiver<()>, deadline: Duration, start: Instant) -> Result<(), RecvTimeoutError> {
    refresh_requests.recv_timeout(deadline.saturating_sub(start.elapsed()))
}

/// Fetches an address once, and blocks for `timeout` at most. Redirects are followed as those of a record.
///
/// # Errors
/// Fails if there is no answer of at most `max_bytes` with the status 200.
pub fn fetch_once(
    url: WebUrl,
    user_agent: &str,
    timeout: Duration,
    max_bytes: usize,
) -> Result<Vec<u8>, SourceProblem> {
    #[expect(clippy::disallowed_methods, reason = "the shell's clock")]
    let start = Instant::now();
    let mut request = HttpRequest {
        url,
        etag: None,
        may_be_local: true,
        hops: 0,
    };
    loop {
        let remaining = timeout
            .checked_sub(start.elapsed())
            .ok_or(SourceProblem::Timeout)?;
        let reply = WebClient::new(user_agent, Some(remaining)).fetch(&request, max_bytes)?;
        match reply.status {
            200 if reply.body.len() > max_bytes => return Err(SourceProblem::TooLarge),
            200 => return Ok(reply.body),
            301 | 302 | 303 | 307 | 308 => {
                let to = core::redirect_target(&request, reply.location.as_deref())?;
                request = core::next_request(&request, to, reply.is_local)?;
            }
            status => return Err(SourceProblem::Status(status)),
        }
    }
}
