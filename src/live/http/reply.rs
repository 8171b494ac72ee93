//! Requests and answers as values.

use crate::web_url::WebUrl;
use std::time::Duration;

/// A GET request for a web address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// The address to fetch.
    pub url: WebUrl,
    /// The `ETag` of the content that is known; `None` without one.
    pub etag: Option<String>,
    /// Whether the host may be this machine or one of a private network.
    pub may_be_local: bool,
    /// The number of redirects and links before this request. The minimum interval counts from requests with 0.
    pub hops: u32,
}

/// The answer of a web server to an [`HttpRequest`]. A header that the answer lacks is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpReply {
    /// The HTTP status code.
    pub status: u16,
    /// The value of the header `Location`.
    pub location: Option<String>,
    /// The value of the header `ETag`.
    pub etag: Option<String>,
    /// The value of the header `Retry-After`.
    pub retry_after: Option<String>,
    /// The value of the header `Date`.
    pub date: Option<String>,
    /// The content, decompressed.
    pub body: Vec<u8>,
    /// Whether the answer is certainly whole: it declares its length or is chunked.
    pub is_whole: bool,
    /// Whether the host is this machine or one of a private network.
    pub is_local: bool,
    /// Whether the host is this machine.
    pub is_loopback: bool,
}

impl HttpReply {
    /// Returns the pause that the server requests: seconds, or a date compared with the server's clock. `None` without
    /// such a request.
    pub fn pause(&self) -> Option<Duration> {
        let text = self.retry_after.as_deref()?.trim();
        if let Ok(seconds) = text.parse::<u64>() {
            return Some(Duration::from_secs(seconds));
        }
        let until = unix_seconds(text)?;
        let now = unix_seconds(self.date.as_deref()?)?;
        Some(Duration::from_secs(until.saturating_sub(now)))
    }
}

/// Reads a date of HTTP, `Sun, 06 Nov 1994 08:49:37 GMT`, as seconds since 1970.
fn unix_seconds(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut words = text.split_once(',')?.1.split_whitespace();
    let (day, month, year, time) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let day: u64 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let month = u64::try_from(MONTHS.iter().position(|name| *name == month)?).ok()?;
    let year: u64 = year.parse().ok().filter(|year| (1970..=9999).contains(year))?;
    let mut parts = time
        .split(':')
        .map(|part| part.parse::<u64>().ok().filter(|part| *part < 61));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    // The year begins in March here, so that the leap day is its last.
    let (year, month) = if month < 2 {
        (year - 1, month + 10)
    } else {
        (year, month - 2)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1;
    Some((days.checked_sub(719_468)? * 24 + hour) * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_pauses() {
        let pause = |retry_after: &str| {
            let date = Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned());
            HttpReply {
                retry_after: Some(retry_after.to_owned()),
                date,
                ..HttpReply::default()
            }
            .pause()
        };
        assert_eq!(pause("120"), Some(Duration::from_mins(2)));
        assert_eq!(
            pause("Sun, 06 Nov 1994 08:50:00 GMT"),
            Some(Duration::from_secs(23))
        );
        assert_eq!(pause("Sat, 05 Nov 1994 08:50:00 GMT"), Some(Duration::ZERO));
        assert_eq!(pause("soon"), None);
        assert_eq!(pause("-1"), None);
        assert_eq!(unix_seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(unix_seconds("Tue, 29 Feb 2000 12:00:00 GMT"), Some(951_825_600));
        assert_eq!(unix_seconds("Sun, 22 Nov 2026 00:00:00 GMT"), Some(1_795_305_600));
    }
}
