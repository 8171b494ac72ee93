//! A record at a web address that is fetched again and again.
//!
//! [`core`] decides when to send requests and what an answer means; `client` sends them. Limits of both: 20 s for an
//! answer, 4 MB of content, 64 kB of headers, five redirects.

pub(crate) mod client;
pub mod core;
pub mod reply;
pub(crate) mod shell;

use crate::reader::QUIET_TIME;
use crate::retry::TOO_MANY_REQUESTS_PAUSE;
use std::time::Duration;

/// The maximum size of a content, after decompression, in bytes.
pub const MAX_CONTENT_BYTES: usize = 4 << 20;

/// The minimum intervals between web requests, and the timeouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpPacing {
    /// The minimum interval for an unknown host.
    pub default_interval: Duration,
    /// The minimum interval if the record is CSA.
    pub csa_interval: Duration,
    /// The minimum interval for a server on this machine.
    pub loopback_interval: Duration,
    /// The interval between requests if another source requests a refresh after each change; `None` for the minimum
    /// interval.
    pub interval_without_signal: Option<Duration>,
    /// The longest pause after errors; at least the minimum interval.
    pub max_backoff: Duration,
    /// The minimum pause after the answer that there were too many requests.
    pub too_many_requests_pause: Duration,
    /// The longest pause that a server can ask for.
    pub max_retry_after: Duration,
    /// The time without any change after which the source ends.
    pub unchanged_timeout: Duration,
    /// The longest time for an answer.
    pub request_timeout: Duration,
    /// The time without a change after which a doubtful text is accepted.
    pub quiet_time: Duration,
}

impl Default for HttpPacing {
    fn default() -> Self {
        Self {
            default_interval: Duration::from_mins(1),
            csa_interval: Duration::from_secs(10),
            loopback_interval: Duration::from_secs(1),
            interval_without_signal: None,
            max_backoff: Duration::from_mins(5),
            too_many_requests_pause: TOO_MANY_REQUESTS_PAUSE,
            max_retry_after: Duration::from_hours(1),
            unchanged_timeout: Duration::from_hours(1),
            request_timeout: Duration::from_secs(20),
            quiet_time: QUIET_TIME,
        }
    }
}

#[cfg(test)]
impl HttpPacing {
    /// Returns this pacing with all times divided by a factor, except the timeout of a request.
    #[must_use]
    pub(crate) fn divided(self, by: u32) -> Self {
        let divide = |time: Duration| time.checked_div(by).unwrap_or(time);
        Self {
            default_interval: divide(self.default_interval),
            csa_interval: divide(self.csa_interval),
            loopback_interval: divide(self.loopback_interval),
            interval_without_signal: self.interval_without_signal.map(divide),
            max_backoff: divide(self.max_backoff),
            too_many_requests_pause: divide(self.too_many_requests_pause),
            max_retry_after: divide(self.max_retry_after),
            unchanged_timeout: divide(self.unchanged_timeout),
            quiet_time: divide(self.quiet_time),
            request_timeout: self.request_timeout,
        }
    }
}
