//! Web addresses: the parts that are needed to fetch a record and to follow a link. A password is never shown.

use crate::percent;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::fmt;

/// The longest address, in bytes.
pub const MAX_URL: usize = 4096;

/// The text before the number of a game within a page, in the fragment of its address.
const GAME: &str = "game=";

/// An `http` or `https` address. Its fragment is left out, except the number of a game within a page.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebUrl {
    is_https: bool,
    /// The user and the password, percent-decoded, as `user:password`.
    login: Option<String>,
    /// The host, in lower case. An IPv6 address is in brackets.
    host: String,
    /// The port; `None` for the default of the scheme.
    port: Option<u16>,
    /// The path and the query, beginning with `/`, in ASCII.
    path: String,
    /// The number of the game within the page, from 1.
    game: Option<usize>,
}

impl WebUrl {
    /// Parses an absolute address. Characters that an address cannot have are percent-encoded.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > MAX_URL || text.chars().any(char::is_control) {
            return None;
        }
        let (is_https, rest) = match (strip_scheme(text, "https://"), strip_scheme(text, "http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return None,
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end)?;
        let (login, place) = match authority.rsplit_once('@') {
            Some((login, place)) => (Some(percent_decode(login)?), place),
            None => (None, authority),
        };
        let (host, port) = split_host_port(place)?;
        let port = port.filter(|port| *port != if is_https { 443 } else { 80 });
        let game = path.split_once('#').and_then(|(_, fragment)| fragment.strip_prefix(GAME)?.parse().ok());
        let path = if path.starts_with('/') { clean_path(path) } else { clean_path(&format!("/{path}")) };
        Some(Self { is_https, login, host, port, path, game: game.filter(|game| *game > 0) })
    }

    /// Resolves a link in a page of this address. Returns `None` for links that are not web addresses.
    #[must_use]
    pub fn join(&self, link: &str) -> Option<Self> {
        let link = link.trim();
        if link.len() > MAX_URL || link.chars().any(char::is_control) {
            return None;
        }
        let first = link.find([':', '/', '?', '#']);
        if first.is_some_and(|at| link.get(at..).is_some_and(|rest| rest.starts_with(':'))) {
            return Self::parse(link);
        }
        if let Some(rest) = link.strip_prefix("//") {
            return Self::parse(&format!("{}://{rest}", self.scheme()));
        }
        let own = self.path.split('?').next().unwrap_or_default();
        let path = match link.chars().next() {
            None | Some('#') => self.path.clone(),
            Some('/') => link.to_owned(),
            Some('?') => format!("{own}{link}"),
            Some(_) => format!("{}{link}", own.rfind('/').and_then(|at| own.get(..=at)).unwrap_or("/")),
        };
        Some(Self { path: clean_path(&path), game: None, ..self.clone() })
    }

    /// Returns `http` or `https`.
    pub const fn scheme(&self) -> &'static str {
        if self.is_https { "https" } else { "http" }
    }

    /// Returns whether the scheme is `https`.
    pub const fn is_https(&self) -> bool {
        self.is_https
    }

    /// Returns whether the port is that of the scheme.
    pub const fn has_usual_port(&self) -> bool {
        self.port.is_none()
    }

    /// Returns the host, an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the path and the query.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the user and password, as `user:password`.
    pub fn login(&self) -> Option<&str> {
        self.login.as_deref()
    }

    /// Returns the address for a request, without user and password.
    pub fn request_target(&self) -> String {
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{}{port}{}", self.scheme(), self.host, self.path)
    }

    /// Returns the address with user and password, as [`parse`](Self::parse) reads it.
    pub(crate) fn with_password(&self) -> String {
        let login = self.login.as_ref().map(|login| format!("{}@", percent::encode(login, "-._~:")));
        self.request_target().replacen("://", &format!("://{}", login.unwrap_or_default()), 1) + &self.fragment()
    }

    /// Returns the address with another path and query.
    #[must_use]
    pub fn with_path(&self, path: &str) -> Self {
        Self { path: clean_path(path), game: None, ..self.clone() }
    }

    /// Returns the number of the game within its page, from 1; `None` for the last one.
    pub const fn game(&self) -> Option<usize> {
        self.game
    }

    /// Returns the address of one of the games of its page, from 1.
    #[must_use]
    pub fn with_game(&self, game: usize) -> Self {
        Self { game: Some(game), ..self.clone() }
    }

    /// Returns the fragment that names a game of the page, with its sign.
    fn fragment(&self) -> String {
        self.game.map(|game| format!("#{GAME}{game}")).unwrap_or_default()
    }

    /// Returns whether another address is on the same host and port, to which a password may go.
    pub fn is_same_server(&self, other: &Self) -> bool {
        self.host == other.host && self.port == other.port
    }

    /// Returns the address with the user and password of another one, where both are on one server.
    #[must_use]
    pub fn with_login_of(self, other: &Self) -> Self {
        if self.is_same_server(other) { Self { login: other.login.clone(), ..self } } else { self }
    }

    /// Returns the last part of the path, percent-decoded where that gives text.
    pub fn file_name(&self) -> String {
        let path = self.path.split('?').next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        percent_decode(name).unwrap_or_else(|| name.to_owned())
    }

    /// Returns whether the host is this machine by its name or number.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.trim_end_matches('.');
        host == "localhost" || host.ends_with(".localhost") || self.ip().is_some_and(is_loopback)
    }

    /// Returns whether the host is this machine or one of a private network, by its name or number.
    pub fn is_local(&self) -> bool {
        let host = self.host.trim_end_matches('.');
        self.is_loopback()
            || self.ip().is_some_and(is_local)
            || host.rsplit('.').next() == Some("local")
            || !host.contains(['.', ':'])
    }

    /// Returns the host as a number, if it is one. Short and octal forms have the meaning that the system gives them.
    fn ip(&self) -> Option<IpAddr> {
        if let Some(inside) = self.host.strip_prefix('[') {
            return inside.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
        }
        self.host.parse::<Ipv4Addr>().ok().map(IpAddr::V4)
    }
}

impl fmt::Display for WebUrl {
    /// Writes the address without its password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = self.request_target() + &self.fragment();
        match self.login.as_deref().and_then(|login| login.split(':').next()) {
            Some(user) => {
                let (scheme, rest) = target.split_once("://").unwrap_or(("", &target));
                write!(f, "{scheme}://{}@{rest}", percent::encode(user, ""))
            }
            None => f.write_str(&target),
        }
    }
}

impl fmt::Debug for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebUrl({self})")
    }
}

/// Returns whether a number is this machine.
pub fn is_loopback(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_unspecified(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unspecified(),
    }
}

/// Returns whether a number is this machine or one of a private network.
pub fn is_local(ip: IpAddr) -> bool {
    let is_private = match ip.to_canonical() {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            let is_shared = a == 100 && (64..128).contains(&b);
            ip.is_private() || ip.is_link_local() || ip.is_broadcast() || ip.is_multicast() || is_shared || a == 0
        }
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_multicast(),
    };
    is_private || is_loopback(ip)
}

fn strip_scheme<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// Splits `host`, `host:port`, `[v6]` or `[v6]:port`. The host becomes lower case.
pub fn split_host_port(text: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match text.strip_prefix('[') {
        Some(inside) => {
            let (ip, rest) = inside.split_once(']')?;
            let ip = ip.parse::<Ipv6Addr>().ok()?;
            let port = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) };
            (format!("[{ip}]"), port)
        }
        None => match text.split_once(':') {
            Some((host, port)) => (host.to_ascii_lowercase(), Some(port)),
            None => (text.to_ascii_lowercase(), None),
        },
    };
    let port = match port.filter(|port| !port.is_empty()) {
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(port.parse().ok().filter(|port| *port > 0)?)
        }
        Some(_) => return None,
        None => None,
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let is_host = host.starts_with('[') || (!host.is_empty() && host.len() <= 253 && host.bytes().all(is_name));
    // A number that only the system can read could hide a private address.
    let looks_numeric = host
        .rsplit('.')
        .find(|part| !part.is_empty())
        .is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x"));
    (is_host && (!looks_numeric || host.parse::<Ipv4Addr>().is_ok())).then_some((host, port))
}

/// Removes the fragment and dot segments, and encodes characters outside of ASCII.
fn clean_path(path: &str) -> String {
    let path = path.split('#').next().unwrap_or_default();
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let mut parts: Vec<&str> = Vec::new();
    let last = path.split('/').skip(1).count();
    for (number, part) in path.split('/').skip(1).enumerate() {
        match part {
            "." | ".." => {
                if part == ".." {
                    parts.pop();
                }
                if number + 1 == last {
                    parts.push("");
                }
            }
            _ => parts.push(part),
        }
    }
    let query = query.map(|query| format!("?{}", percent::encode(query, QUERY))).unwrap_or_default();
    format!("/{}{query}", percent::encode(&parts.join("/"), PATH))
}

/// The characters that are not encoded in a path, besides letters and digits.
const PATH: &str = "-._~!$&'()*+,;=:@/%[]|";
/// The characters that are not encoded in a query, besides letters and digits.
const QUERY: &str = "-._~!$&'()*+,;=:@/%[]|?";

/// Decodes percent codes. Returns `None` if the result is not UTF-8. A `%` without two digits is unchanged.
pub fn percent_decode(text: &str) -> Option<String> {
    String::from_utf8(percent::decode(text)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_joins_addresses() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(WebUrl::parse(text).map(|url| url.to_string()).as_deref(), expected, "{text}");
        };
        check("HTTP://Example.org", Some("http://example.org/"));
        check("https://example.org:443/a b/棋?q=1#top", Some("https://example.org/a%20b/%E6%A3%8B?q=1"));
        check("http://[::1]:8080/x", Some("http://[::1]:8080/x"));
        check("http://a:secret@b.c/", Some("http://a@b.c/"));
        check("http://b.c?q", Some("http://b.c/?q"));
        check("http://b.c/d#game=2", Some("http://b.c/d#game=2"));
        check("http://b.c/d#game=0", Some("http://b.c/d"));
        for wrong in ["ftp://a/", "file:///etc/passwd", "http://", "http:///x", "http://a b/", "http://a:99999/", "x"] {
            check(wrong, None);
        }
        // Numbers that are read differently from program to program.
        for odd in ["http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0x7f000001/", "http://[::1/"] {
            check(odd, None);
        }
        let base = WebUrl::parse("http://a.b/c/d.html?x=1").unwrap();
        let join = |link: &str| base.join(link).map(|url| url.to_string());
        assert_eq!(join("e.kif").as_deref(), Some("http://a.b/c/e.kif"));
        assert_eq!(join("../e.kif").as_deref(), Some("http://a.b/e.kif"));
        assert_eq!(join("./../../e.kif").as_deref(), Some("http://a.b/e.kif"));
        assert_eq!(join("/e.kif").as_deref(), Some("http://a.b/e.kif"));
        assert_eq!(join("//c.d/e").as_deref(), Some("http://c.d/e"));
        let game = WebUrl::parse("http://me:x@a.b/c#game=2").unwrap();
        assert_eq!((game.game(), game.request_target().as_str()), (Some(2), "http://a.b/c"));
        assert_eq!(WebUrl::parse(&game.with_password()).as_ref(), Some(&game));
        assert_eq!((game.with_path("/d").game(), game.join("e").unwrap().game()), (None, None));
        assert_eq!(join("?y").as_deref(), Some("http://a.b/c/d.html?y"));
        assert_eq!(join("javascript:alert(1)"), None);
        assert_eq!(join("file:///etc/passwd"), None);
    }

    #[test]
    fn knows_local_hosts() {
        let local = |host: &str| WebUrl::parse(&format!("http://{host}/")).is_some_and(|url| url.is_local());
        for host in [
            "localhost",
            "127.0.0.1",
            "127.9.9.9",
            "[::1]",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.0.1",
            "nas",
            "169.254.169.254",
            "[fe80::1]",
            "[fd00::1]",
            "[::ffff:127.0.0.1]",
            "0.0.0.0",
            "x.localhost",
            "100.64.0.1",
        ] {
            assert!(local(host), "{host}");
        }
        for host in ["example.org", "8.8.8.8", "[2001:4860:4860::8888]", "172.32.0.1"] {
            assert!(!local(host), "{host}");
        }
    }

    #[test]
    fn never_shows_a_password() {
        let url = WebUrl::parse("http://me:hun%40ter2@a.b/").unwrap();
        assert_eq!(url.login(), Some("me:hun@ter2"));
        assert!(!format!("{url} {url:?}").contains("ter2"));
    }
}
