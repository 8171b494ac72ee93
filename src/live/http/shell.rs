//! The thread that asks and waits.

use super::client::WebClient;
use super::core::{HttpCore, HttpEffect, HttpEvent, HttpOptions};
use crate::output::SourceOutput;
use crate::web_url::WebUrl;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

/// Follows an address until the source is dropped or ends. A message is a bell.
pub(crate) fn run(url: WebUrl, options: HttpOptions, client: &WebClient, bells: &Receiver<()>, output: &SourceOutput) {
    let start = output.start_time();
    let (mut core, effects) = HttpCore::start(url, options, start.elapsed());
    let mut queue: VecDeque<HttpEffect> = effects.into();
    loop {
        while let Some(effect) = queue.pop_front() {
            match effect {
                HttpEffect::Report(event) => output.report(event),
                HttpEffect::Fetch(request) => {
                    let event = client.fetch(&request).map_or_else(HttpEvent::Failed, HttpEvent::Reply);
                    queue.extend(core.step(start.elapsed(), event));
                }
            }
            if output.is_stopped() {
                return;
            }
        }
        let Some(deadline) = core.deadline() else { return };
        let event = match wait(bells, deadline, start) {
            Ok(()) => HttpEvent::Bell,
            Err(RecvTimeoutError::Timeout) => HttpEvent::Deadline,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        queue.extend(core.step(start.elapsed(), event));
    }
}

fn wait(bells: &Receiver<()>, deadline: std::time::Duration, start: Instant) -> Result<(), RecvTimeoutError> {
    bells.recv_timeout(deadline.saturating_sub(start.elapsed()))
}
