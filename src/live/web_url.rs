//! Web addresses, from which records are fetched and whose links are followed. A password is never shown.

use core::net::IpAddr;
use core::num::NonZero;
use shogibar_base::percent;
use std::fmt;
use url::{Host, Position, Url};

/// The longest address, in bytes.
pub const MAX_URL_BYTES: usize = 4096;

/// The text before the number of a game within a page, in the fragment of its address.
const GAME_FRAGMENT: &str = "game=";

/// An `http` or `https` address. Its fragment is left out, except the number of a game within a page.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebUrl(Url);

impl WebUrl {
    /// Parses an absolute address. Characters that an address cannot have are percent-encoded.
    pub fn parse(text: &str) -> Option<Self> {
        let text = trimmed(text)?;
        let (_, rest) = text
            .split_once("://")
            .filter(|(scheme, _)| ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()))?;
        let authority = rest.split(['/', '\\', '?', '#']).next()?;
        split_host_port(authority.rsplit('@').next()?)?;
        Url::parse(text).ok().and_then(Self::new)
    }

    /// Resolves a link in a page of this address. Returns `None` for links that are not web addresses.
    #[must_use]
    pub fn join(&self, link: &str) -> Option<Self> {
        let link = trimmed(link)?;
        // `parse` checks the host of a link that has one.
        if let [b'/' | b'\\', b'/' | b'\\', ..] = link.as_bytes() {
            return Self::parse(&format!("{}://{}", self.scheme(), link.get(2..)?));
        }
        if link.split(['/', '\\', '?', '#']).next()?.contains(':') {
            return Self::parse(link);
        }
        self.0.join(link).ok().and_then(Self::new)
    }

    /// Creates the address without its fragment, except the number of a game. `None` if the address is too long.
    fn new(mut url: Url) -> Option<Self> {
        let game: Option<NonZero<usize>> = url
            .fragment()
            .and_then(|text| text.strip_prefix(GAME_FRAGMENT)?.parse().ok());
        url.set_fragment(game.map(|game| format!("{GAME_FRAGMENT}{game}")).as_deref());
        Some(Self(url)).filter(|url| url.0.as_str().len() <= MAX_URL_BYTES)
    }

    /// Returns `http` or `https`.
    pub fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// Returns whether the scheme is `https`.
    pub fn is_https(&self) -> bool {
        self.scheme() == "https"
    }

    /// Returns whether the port is that of the scheme.
    pub fn has_usual_port(&self) -> bool {
        self.0.port().is_none()
    }

    /// Returns the host, in lower case. An IPv6 address is in brackets.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns the path.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Returns the bytes of `user:password`; `None` if the address has neither.
    pub fn login(&self) -> Option<Vec<u8>> {
        let (user, password) = (self.0.username(), self.0.password());
        let has_login = !user.is_empty() || password.is_some();
        has_login.then(|| percent::decode(&format!("{user}:{}", password.unwrap_or_default())))
    }

    /// Returns the address for a request, without user and password.
    pub fn request_target(&self) -> String {
        [
            &self.0[..Position::BeforeUsername],
            &self.0[Position::BeforeHost..Position::AfterQuery],
        ]
        .concat()
    }

    /// Returns the address with user and password, as [`parse`](Self::parse) reads it.
    pub(crate) fn with_password(&self) -> String {
        self.0.as_str().to_owned()
    }

    /// Returns the number of the game within its page, from 1; `None` if the address has none.
    pub fn game_number(&self) -> Option<usize> {
        self.0.fragment()?.strip_prefix(GAME_FRAGMENT)?.parse().ok()
    }

    /// Returns the address of the game with this number, from 1, within the page.
    #[must_use]
    pub fn with_game(&self, game: usize) -> Self {
        let mut url = self.0.clone();
        url.set_fragment(Some(&format!("{GAME_FRAGMENT}{game}")));
        Self(url)
    }

    /// Returns whether another address is on the same host and port, to which a password may go.
    pub fn is_same_server(&self, other: &Self) -> bool {
        (self.0.host(), self.0.port()) == (other.0.host(), other.0.port())
    }

    /// Returns the address with the user and password of another one, where both are on one server.
    #[must_use]
    pub fn with_login_of(mut self, other: &Self) -> Self {
        if self.is_same_server(other) {
            // Ignored: both calls fail only for an address without a host.
            let _user = self.0.set_username(other.0.username());
            let _password = self.0.set_password(other.0.password());
        }
        self
    }

    /// Returns the last part of the path, percent-decoded where that gives text.
    pub fn file_name(&self) -> String {
        let name = self.path().rsplit('/').next().unwrap_or_default();
        percent_decode(name).unwrap_or_else(|| name.to_owned())
    }

    /// Returns whether the host is this machine, by its name or IP address.
    pub fn is_loopback(&self) -> bool {
        let host = self.host().trim_end_matches('.');
        host == "localhost" || host.ends_with(".localhost") || self.ip().is_some_and(is_loopback)
    }

    /// Returns whether the host is this machine or one of a private network, by its name or IP address.
    pub fn is_local(&self) -> bool {
        let host = self.host().trim_end_matches('.');
        self.is_loopback()
            || self.ip().is_some_and(is_local)
            || host.rsplit('.').next() == Some("local")
            || !host.contains(['.', ':'])
    }

    /// Returns the host if it is an IP address; else `None`.
    fn ip(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Ipv4(ip) => Some(ip.into()),
            Host::Ipv6(ip) => Some(ip.into()),
            Host::Domain(_) => None,
        }
    }
}

impl fmt::Display for WebUrl {
    /// Writes the address without its password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.0.username().is_empty() { "" } else { "@" };
        write!(
            f,
            "{}{at}{}",
            &self.0[..Position::AfterUsername],
            &self.0[Position::BeforeHost..]
        )
    }
}

impl fmt::Debug for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebUrl({self})")
    }
}

/// Returns whether an IP address is this machine.
pub fn is_loopback(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_unspecified(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unspecified(),
    }
}

/// Returns whether an IP address is this machine or one of a private network.
pub fn is_local(ip: IpAddr) -> bool {
    let is_private = match ip.to_canonical() {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            let is_shared = a == 100 && (64..128).contains(&b);
            ip.is_private()
                || ip.is_link_local()
                || ip.is_broadcast()
                || ip.is_multicast()
                || is_shared
                || a == 0
        }
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_multicast(),
    };
    is_private || is_loopback(ip)
}

/// Returns a text without the space around it. Returns `None` if it is too long or has control characters.
fn trimmed(text: &str) -> Option<&str> {
    let text = text.trim();
    (text.len() <= MAX_URL_BYTES && !text.contains(char::is_control)).then_some(text)
}

/// Splits `host`, `host:port`, `[v6]` or `[v6]:port`. The host becomes lower case. `None` for an invalid host or port.
pub fn split_host_port(text: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = text
        .rsplit_once(':')
        .filter(|(_, port)| !port.ends_with(']'))
        .unwrap_or((text, ""));
    let port = if port.is_empty() {
        None
    } else {
        Some(port.parse::<NonZero<u16>>().ok()?.get())
    };
    if host.len() > 253
        || !host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._[:]".contains(&byte))
    {
        return None;
    }
    let parsed = Host::parse(host).ok()?;
    // Programs read unusual forms of an IP address differently: `010` is 8 or 10.
    let is_odd = matches!(parsed, Host::Ipv4(ip) if ip.to_string() != host);
    (!is_odd).then(|| (parsed.to_string(), port))
}

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
            assert_eq!(
                WebUrl::parse(text).map(|url| url.to_string()).as_deref(),
                expected,
                "{text}"
            );
        };
        check("HTTP://Example.org", Some("http://example.org/"));
        check(
            "https://example.org:443/a b/棋?q=1#top",
            Some("https://example.org/a%20b/%E6%A3%8B?q=1"),
        );
        check("http://[::1]:8080/x", Some("http://[::1]:8080/x"));
        check("http://a:secret@b.c/", Some("http://a@b.c/"));
        check("http://b.c?q", Some("http://b.c/?q"));
        check("http://b.c/d#game=2", Some("http://b.c/d#game=2"));
        check("http://b.c/d#game=0", Some("http://b.c/d"));
        for wrong in [
            "ftp://a/",
            "file:///etc/passwd",
            "http://",
            "http:///x",
            "http://a b/",
            "http://a:99999/",
            "x",
        ] {
            check(wrong, None);
        }
        // A host beyond ASCII is written as Punycode.
        for foreign in [
            "http://Aé.jp/",
            "http://將棋.jp/",
            "http://A%C3%A9/",
            "http://%61.b/",
            "http:x://Aé/",
        ] {
            check(foreign, None);
        }
        check("http://xn--p8j9a0d9c9a.jp/", Some("http://xn--p8j9a0d9c9a.jp/"));
        check("http://a.b\\@c.d/", Some("http://a.b/@c.d/"));
        check("http://:secret@b.c/", Some("http://b.c/"));
        // Programs read these IP addresses differently.
        for odd in [
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://0x7f000001/",
            "http://[::1/",
        ] {
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
        assert_eq!(
            (game.game_number(), game.request_target().as_str()),
            (Some(2), "http://a.b/c")
        );
        assert_eq!(WebUrl::parse(&game.with_password()).as_ref(), Some(&game));
        assert_eq!(
            (
                game.join("/d").unwrap().game_number(),
                game.join("e").unwrap().game_number()
            ),
            (None, None)
        );
        assert_eq!(join("?y").as_deref(), Some("http://a.b/c/d.html?y"));
        assert_eq!(join("javascript:alert(1)"), None);
        assert_eq!(join("file:///etc/passwd"), None);
        assert_eq!(join(r"f\g.kif").as_deref(), Some("http://a.b/c/f/g.kif"));
        assert_eq!(join(r"\/c.d/e").as_deref(), Some("http://c.d/e"));
        for foreign in [
            "//Aé/",
            r"\/Aé/",
            "https:Aé/",
            "\u{1}//Aé/",
            "http:\t//Aé/",
            &"a".repeat(MAX_URL_BYTES),
        ] {
            assert_eq!(join(foreign), None, "{foreign}");
        }
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
        assert_eq!(url.login().unwrap(), b"me:hun@ter2");
        assert!(!format!("{url} {url:?}").contains("ter2"));
        let other = WebUrl::parse("https://a.b/c").unwrap().with_login_of(&url);
        assert_eq!(
            (other.login(), other.to_string().as_str()),
            (url.login(), "https://me@a.b/c")
        );
    }
}
