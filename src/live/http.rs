//! A record at a web address that is fetched again and again.
//!
//! [`core`] decides when to send requests and what an answer means; `client` sends them. Limits of both: 20 s for an
//! answer, 4 MB of content, 64 kB of headers, five redirects.

pub(crate) mod client;
pub mod core;
pub mod reply;
pub(crate) mod shell;

use crate::reader::QUIET;
use crate::retry::TOO_MANY_REQUESTS_PAUSE;
use std::time::Duration;

/// The largest content, after decompression, in bytes.
pub const MAX_CONTENT: usize = 4 << 20;

/// The minimum times between requests, and other times of politeness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpPacing {
    /// The minimum interval for an unknown host.
    pub unknown: Duration,
    /// The minimum interval if the record is CSA.
    pub csa: Duration,
    /// The minimum interval for a server on this machine.
    pub loopback: Duration,
    /// The interval of requests if another source signals news; `None` for the minimum interval.
    pub unrung: Option<Duration>,
    /// The longest pause after errors. It is the minimum interval if that is longer.
    pub max_backoff: Duration,
    /// The minimum pause after the answer that there were too many requests.
    pub too_many: Duration,
    /// The longest pause that a server can ask for.
    pub max_retry_after: Duration,
    /// The time without any change after which the source ends.
    pub unchanged: Duration,
    /// The longest time for an answer.
    pub timeout: Duration,
    /// The time without a change after which a doubtful text is taken.
    pub quiet: Duration,
}

impl Default for HttpPacing {
    fn default() -> Self {
        Self {
            unknown: Duration::from_mins(1),
            csa: Duration::from_secs(10),
            loopback: Duration::from_secs(1),
            unrung: None,
            max_backoff: Duration::from_mins(5),
            too_many: TOO_MANY_REQUESTS_PAUSE,
            max_retry_after: Duration::from_hours(1),
            unchanged: Duration::from_hours(1),
            timeout: Duration::from_secs(20),
            quiet: QUIET,
        }
    }
}

impl HttpPacing {
    /// Returns this pacing with all times divided by a factor, except the timeout. Only for tests.
    #[must_use]
    pub fn divided(self, by: u32) -> Self {
        let divide = |time: Duration| time.checked_div(by).unwrap_or(time);
        Self {
            unknown: divide(self.unknown),
            csa: divide(self.csa),
            loopback: divide(self.loopback),
            unrung: self.unrung.map(divide),
            max_backoff: divide(self.max_backoff),
            too_many: divide(self.too_many),
            max_retry_after: divide(self.max_retry_after),
            unchanged: divide(self.unchanged),
            quiet: divide(self.quiet),
            timeout: self.timeout,
        }
    }
}
