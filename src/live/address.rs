//! The address that a user enters to watch a game. A password is never shown.

use crate::screen::ScreenArea;
use crate::web_url::{MAX_URL_BYTES, WebUrl, percent_decode, split_host_port};
use shogibar_base::percent;
use std::fmt;
use std::path::{Path, PathBuf};

/// The usual port of a CSA server.
pub const CSA_PORT: u16 = 4081;

/// The longest address that is parsed, in bytes.
const MAX_ADDRESS_BYTES: usize = 8192;

/// The pages of lishogi whose names look like the id of a game.
const LISHOGI_PAGES: [&str; 8] = [
    "analysis", "features", "insights", "practice", "settings", "streamer", "timeline", "training",
];

const LISHOGI_HOST: &str = "lishogi.org";

/// The source of a live game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveAddress {
    /// A file that another program writes, or a folder of such files.
    ///
    /// The program follows only a folder as a source. It opens a file as a record, and watches it for changes.
    Path(PathBuf),
    /// A record that grows, or a page that names records.
    Web(WebUrl),
    /// An address or another text that contains its game, so that there is nothing to follow.
    SelfContained(String),
    /// The connection of an observer to a CSA server.
    Csa(CsaAddress),
    /// A game on lishogi, by its id of eight characters.
    Lishogi(String),
    /// The game that lishogi shows on its front page.
    LishogiTv,
    /// The clipboard. The window watches it.
    Clipboard,
    /// A board on the screen, in an area or anywhere.
    Screen(Option<ScreenArea>),
    /// Standard input. The command line reads it.
    Stdin,
}

/// A CSA server, and the game to observe on it.
#[derive(Clone, PartialEq, Eq)]
pub struct CsaAddress {
    /// The user's name on the server.
    pub name: String,
    password: String,
    /// The host; an IPv6 address is in brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The id of the game; `None` for a choice of the games in progress.
    pub game: Option<String>,
    /// The web address of the game's file, which has the players' evaluations; `None` if it is unknown.
    pub file: Option<WebUrl>,
}

/// The reason why an address cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// The text is empty.
    Empty,
    /// The text is longer than any address.
    TooLong,
    /// The text begins with an unknown scheme, such as `ftp://`.
    Scheme,
    /// The area of the screen is not an area, or too small for a board.
    Screen,
    /// The address of a page or record has no valid host.
    Web,
    /// The address of a CSA server has no valid host or port.
    CsaHost,
    /// The address of a CSA server has no name, or one that the server's protocol cannot send.
    CsaName,
    /// The password holds characters that the server's protocol cannot send.
    CsaPassword,
    /// The id of the game is invalid.
    CsaGame,
    /// The address of the game's file is invalid.
    CsaFile,
}

impl LiveAddress {
    /// Returns the address with the user and password of another one, where both are on one web server.
    #[must_use]
    pub fn with_login_of(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Web(url), Self::Web(other)) => Self::Web(url.with_login_of(other)),
            (address, _) => address,
        }
    }

    /// Parses what a user entered: an address, a text with a game, or a text with one address. Another text is a path.
    ///
    /// # Errors
    /// Fails for an empty or too long text, an invalid address of a known kind, and an unknown scheme.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(AddressError::Empty);
        }
        if text.len() > MAX_ADDRESS_BYTES {
            return Self::from_words(text).ok_or(AddressError::TooLong);
        }
        if text == "-" {
            return Ok(Self::Stdin);
        }
        if text.eq_ignore_ascii_case("clipboard:") {
            return Ok(Self::Clipboard);
        }
        if let Some((scheme, area)) = text.split_once(':')
            && scheme.eq_ignore_ascii_case("screen")
        {
            match area.trim() {
                "" => return Ok(Self::Screen(None)),
                area if area.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                    || area.split(',').count() == 4 =>
                {
                    return ScreenArea::parse(area)
                        .map(|area| Self::Screen(Some(area)))
                        .ok_or(AddressError::Screen);
                }
                _ => {}
            }
        }
        let from_words = || Self::from_words(text).unwrap_or_else(|| Self::Path(PathBuf::from(text)));
        let Some((scheme, rest)) = text.split_once("://") else {
            return Ok(from_words());
        };
        // An address with a login is not stored as it is, so that its password is never shown.
        if !authority(rest).contains('@') && contains_game(text) {
            return Ok(Self::SelfContained(text.to_owned()));
        }
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => Self::from_web_text(text),
            "csa" => CsaAddress::parse(rest).map(Self::Csa),
            scheme
                if scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) =>
            {
                Err(AddressError::Scheme)
            }
            // An address without its scheme, with another address in it.
            _ if begins_with_host(text) => Self::from_web_text(&format!("https://{text}")),
            _ => Ok(from_words()),
        }
    }

    /// Parses a text that is no address: it contains a game, or one address in a sentence. Returns `None` for another
    /// text, and for the path of a file.
    fn from_words(text: &str) -> Option<Self> {
        let path = Path::new(text);
        let addresses = shogibar_kifu::addresses(text);
        // A text with a login is not stored, so that its password is never shown.
        let has_login = addresses
            .iter()
            .filter_map(|found| found.split_once("://"))
            .any(|(_, rest)| authority(rest).contains('@'));
        if has_login || path.is_absolute() || shogibar_kifu::has_record_extension(path) {
            return None;
        }
        if shogibar_kifu::read(text.as_bytes()).is_ok() && !path.exists() {
            return Some(Self::SelfContained(text.to_owned()));
        }
        let [address] = addresses.as_slice() else {
            return None;
        };
        Self::parse(address)
            .ok()
            .filter(|found| !matches!(found, Self::Path(_)))
    }

    /// Parses the address of a page or record on the web. Words may follow it.
    fn from_web_text(text: &str) -> Result<Self, AddressError> {
        let path_at = text
            .split_once("://")
            .map_or(0, |(scheme, rest)| scheme.len() + 3 + authority(rest).len());
        let words_at = text
            .get(path_at..)
            .and_then(|path| path.find(char::is_whitespace));
        let text = words_at.and_then(|at| text.get(..path_at + at)).unwrap_or(text);
        let error = if text.len() > MAX_URL_BYTES {
            AddressError::TooLong
        } else {
            AddressError::Web
        };
        let url = WebUrl::parse(text).ok_or(error)?;
        Ok(Self::from_lishogi_url(&url).unwrap_or(Self::Web(url)))
    }

    /// Parses an argument of a command line. An argument that is no other address is an unchanged path.
    ///
    /// # Errors
    /// Fails as [`parse`](Self::parse) does.
    pub fn from_argument(argument: &Path) -> Result<Self, AddressError> {
        match argument.to_str().map(Self::parse) {
            Some(Ok(Self::Path(_))) | None => Ok(Self::Path(argument.to_owned())),
            Some(address) => address,
        }
    }

    /// Returns the address with its password, as [`parse`](Self::parse) reads it. The text is only for another start of
    /// the program by the same user, and is never shown or stored.
    pub fn with_password(&self) -> String {
        match self {
            Self::Csa(address) => address.with_password(),
            Self::Web(url) => url.with_password(),
            _ => self.to_string(),
        }
    }

    /// Returns the game or the TV of an address on lishogi; `None` for other hosts and pages. An id of twelve
    /// characters ends with four that only the player has; these are dropped.
    fn from_lishogi_url(url: &WebUrl) -> Option<Self> {
        if url.host() != LISHOGI_HOST {
            return None;
        }
        let mut parts = url.path().split('/').filter(|part| !part.is_empty());
        let (first, second, third) = (parts.next()?, parts.next(), parts.next());
        if first == "tv" {
            return Some(Self::LishogiTv);
        }
        let is_section = LISHOGI_PAGES.contains(&first);
        let is_id = !is_section
            && matches!(first.len(), 8 | 12)
            && first.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_game = matches!(second, None | Some("sente" | "gote")) && third.is_none();
        (is_id && is_game).then(|| Self::Lishogi(first.chars().take(8).collect()))
    }
}

impl fmt::Display for LiveAddress {
    /// Writes the address without its password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Web(url) => url.fmt(f),
            Self::SelfContained(address) => f.write_str(address),
            Self::Csa(address) => address.fmt(f),
            Self::Lishogi(id) => write!(f, "https://{LISHOGI_HOST}/{id}"),
            Self::LishogiTv => write!(f, "https://{LISHOGI_HOST}/tv"),
            Self::Clipboard => f.write_str("clipboard:"),
            Self::Screen(None) => f.write_str("screen:"),
            Self::Screen(Some(area)) => write!(f, "screen:{area}"),
            Self::Stdin => f.write_str("-"),
        }
    }
}

/// Returns the login, host and port of an address, from the text after its `://`.
fn authority(rest: &str) -> &str {
    rest.split(['/', '\\', '?', '#']).next().unwrap_or_default()
}

fn begins_with_host(text: &str) -> bool {
    split_host_port(authority(text)).is_some_and(|(host, _)| host.trim_matches('.').contains('.'))
}

fn contains_game(address: &str) -> bool {
    shogibar_kifu::read(address.as_bytes()).is_ok_and(|read| read.container.is_address())
}

impl CsaAddress {
    /// Parses the text after `csa://`: `NAME[:PASSWORD]@HOST[:PORT][/GAME][?file=URL]`.
    fn parse(text: &str) -> Result<Self, AddressError> {
        // A password may contain an `@`, the id of a game cannot, so the last `@` ends the login.
        let end = text.rfind('@').map_or(0, |at| at + 1);
        let (login, rest) = text.split_at_checked(end).ok_or(AddressError::CsaHost)?;
        let (rest, query) = rest
            .split_once('?')
            .map_or((rest, None), |(rest, query)| (rest, Some(query)));
        let (login, rest, query) = if login.contains("?file=") {
            // The `@` belongs to the address of the file.
            let (before, query) = text.split_once('?').ok_or(AddressError::CsaFile)?;
            let (login, rest) = before.rsplit_once('@').ok_or(AddressError::CsaName)?;
            (login, rest, Some(query))
        } else {
            (login.strip_suffix('@').ok_or(AddressError::CsaName)?, rest, query)
        };
        let (server, game) = rest
            .split_once('/')
            .map_or((rest, ""), |(server, game)| (server, game));
        let (name, password) = login.split_once(':').unwrap_or((login, ""));
        let name = percent_decode(name)
            .filter(|name| is_word(name, 64))
            .ok_or(AddressError::CsaName)?;
        let password =
            percent_decode(password).filter(|password| password.is_empty() || is_word(password, 256));
        let password = password.ok_or(AddressError::CsaPassword)?;
        let (host, port) = split_host_port(server).ok_or(AddressError::CsaHost)?;
        let game = percent_decode(game).ok_or(AddressError::CsaGame)?;
        if !game.is_empty() && !is_word(&game, 256) {
            return Err(AddressError::CsaGame);
        }
        let file = match query {
            None => None,
            Some(query) => {
                let file = query.strip_prefix("file=").ok_or(AddressError::CsaFile)?;
                let file = WebUrl::parse(file).or_else(|| WebUrl::parse(&percent_decode(file)?));
                Some(file.ok_or(AddressError::CsaFile)?)
            }
        };
        let game = Some(game).filter(|game| !game.is_empty());
        Ok(Self {
            name,
            password,
            host,
            port: port.unwrap_or(CSA_PORT),
            game,
            file,
        })
    }

    /// Returns the password. An empty one is sent as the word `shogibar`, because the protocol has no empty words.
    pub(crate) fn password(&self) -> &str {
        if self.password.is_empty() {
            "shogibar"
        } else {
            &self.password
        }
    }

    fn with_password(&self) -> String {
        let shown = self.to_string();
        let login = format!(":{}@", percent::encode(&self.password, "-._~"));
        if self.password.is_empty() {
            shown
        } else {
            shown.replacen('@', &login, 1)
        }
    }

    /// Returns whether another address has the same name on the same server. Only one connection may log in with a
    /// name.
    pub fn is_same_login(&self, other: &Self) -> bool {
        (&self.name, &self.host, self.port) == (&other.name, &other.host, other.port)
    }

    /// Returns the address with the name for a further connection: `NAME-2` for 1, `NAME-3` for 2.
    #[must_use]
    pub(crate) fn for_connection(self, number: u32) -> Self {
        let name = if number == 0 {
            self.name
        } else {
            format!("{}-{}", self.name, number.saturating_add(1))
        };
        Self { name, ..self }
    }

    /// Returns the address of a game on the same server.
    #[must_use]
    pub fn with_game(&self, game: &str) -> Self {
        Self {
            game: Some(game.to_owned()),
            ..self.clone()
        }
    }
}

pub(crate) fn is_word(text: &str, max_bytes: usize) -> bool {
    (1..=max_bytes).contains(&text.len()) && text.chars().all(|c| c.is_ascii_graphic())
}

impl fmt::Display for CsaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "csa://{}@{}", percent::encode(&self.name, "-._~"), self.host)?;
        if self.port != CSA_PORT {
            write!(f, ":{}", self.port)?;
        }
        if let Some(game) = &self.game {
            write!(f, "/{}", percent::encode(game, "-._~+"))?;
        }
        if let Some(file) = &self.file {
            write!(f, "?file={file}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for CsaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CsaAddress({self})")
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "no address",
            Self::TooLong => "the address is too long",
            Self::Scheme => "an address of this kind is not known",
            Self::Web => "the web address is invalid",
            Self::CsaHost => "the host or port of the CSA server is invalid",
            Self::CsaName => "the name for the CSA server is missing or invalid",
            Self::CsaPassword => "the password for the CSA server is invalid",
            Self::CsaGame => "the id of the game is invalid",
            Self::CsaFile => "the address of the game's file is invalid",
            Self::Screen => "the area of the screen is invalid",
        })
    }
}

impl std::error::Error for AddressError {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the address of a text as it is displayed, or the error.
    fn shown(text: &str) -> String {
        LiveAddress::parse(text).map_or_else(|error| format!("{error:?}"), |address| address.to_string())
    }

    #[test]
    fn parses_every_kind() {
        assert_eq!(LiveAddress::parse("-"), Ok(LiveAddress::Stdin));
        assert_eq!(LiveAddress::parse("clipboard:"), Ok(LiveAddress::Clipboard));
        assert_eq!(LiveAddress::parse("Screen: "), Ok(LiveAddress::Screen(None)));
        assert_eq!(shown("screen:-5,10,300,330"), "screen:-5,10,300,330");
        assert_eq!(shown("screen:1,2,3,4"), "Screen");
        assert_eq!(shown("screen:LEFT,TOP,WIDTH,HEIGHT"), "Screen");
        assert_eq!(shown("screen:shot.kif"), "screen:shot.kif", "a path");
        assert_eq!(
            LiveAddress::parse(r"C:\games\a.kif"),
            Ok(LiveAddress::Path(r"C:\games\a.kif".into()))
        );
        assert_eq!(
            LiveAddress::parse("棋譜/a.kif"),
            Ok(LiveAddress::Path("棋譜/a.kif".into()))
        );
        assert_eq!(
            LiveAddress::parse("https://lishogi.org/abcdEFGH"),
            Ok(LiveAddress::Lishogi("abcdEFGH".into()))
        );
        assert_eq!(
            LiveAddress::parse("https://lishogi.org/abcdEFGHijkl"),
            Ok(LiveAddress::Lishogi("abcdEFGH".into()))
        );
        assert_eq!(
            LiveAddress::parse("https://lishogi.org/abcdEFGH/gote#3"),
            Ok(LiveAddress::Lishogi("abcdEFGH".into()))
        );
        assert_eq!(
            LiveAddress::parse("https://lishogi.org/tv"),
            Ok(LiveAddress::LishogiTv)
        );
        assert!(matches!(
            LiveAddress::parse("https://lishogi.org/training"),
            Ok(LiveAddress::Web(_))
        ));
        for held in [
            "piyoshogi://?num=0&sfen=position startpos moves 7g7f",
            "https://www.kento-shogi.com/?moves=7g7f.3c3d#1",
            "https://www.kento-shogi.com/?moves=7g7f.3c3d&by=a@b",
            "other://board?sfen=position startpos moves 7g7f",
        ] {
            assert_eq!(
                LiveAddress::parse(held),
                Ok(LiveAddress::SelfContained(held.into()))
            );
        }
        for words in [
            "▲７六歩△３四歩▲２六歩",
            "これ見て→ https://www.kento-shogi.com/?moves=7g7f.3c3d#1 どう？",
            "https://www.kento-shogi.com/?moves=7g7f.3c3d 見て",
            "手合割：平手 先手：甲 後手：乙 1 ７六歩(77) 2 ３四歩(33)",
            &format!("{}▲７六歩△３四歩", "あ".repeat(MAX_ADDRESS_BYTES)),
        ] {
            assert_eq!(
                LiveAddress::parse(words),
                Ok(LiveAddress::SelfContained(words.into()))
            );
        }
        for words in [
            "見て https://lishogi.org/abcdEFGH 熱戦だよ",
            "https://lishogi.org/abcdEFGH 熱戦だよ",
            "（https://lishogi.org/abcdEFGH）",
        ] {
            assert_eq!(
                LiveAddress::parse(words),
                Ok(LiveAddress::Lishogi("abcdEFGH".into()))
            );
        }
        for path in [
            "7g7f 3c3d.kif",
            "/7g7f 3c3d",
            "hello world",
            "a https://a.b/1 https://a.b/2",
            "▲７六歩△３四歩 csa://me:x@host",
        ] {
            assert_eq!(LiveAddress::parse(path), Ok(LiveAddress::Path(path.into())));
        }
        assert_eq!(shown("piyoshogi://?num=0"), "Scheme");
        assert_eq!(shown("ftp://a/b"), "Scheme");
        assert_eq!(shown("file:///etc/passwd"), "Scheme");
        assert_eq!(shown(" "), "Empty");
        assert_eq!(shown("http://"), "Web");
        assert_eq!(
            shown(&format!("http://a.b/{}", "x".repeat(MAX_URL_BYTES))),
            "TooLong"
        );
        assert_eq!(
            shown("https://me:x@a.b/?moves=7g7f.3c3d"),
            "https://me@a.b/?moves=7g7f.3c3d",
            "no password is shown"
        );
    }

    /// `convert` sends addresses without a game to the form. Its sentence names the schemes.
    #[test]
    fn takes_every_address_that_is_no_record() {
        for text in [
            "https://example.org/live/1.kif",
            "HTTPS://EXAMPLE.ORG/?id=1#game=2",
            "http://127.0.0.1:8080/a?b=c&d=https://e.f/g",
            "https://web.archive.org/web/2020/https://example.org/1.kif",
            "https://xn--nlyv07a.example/竜王戦/1.html",
            "www.example.org/?u=https://a.b/c",
            "example.org/https://a.b/c.kif",
            "http://nas/x",
            "https://[2001:db8::1]:8443/x",
            "csa://me@example.org",
        ] {
            let error = shogibar_kifu::read(text.as_bytes()).unwrap_err();
            assert_eq!(
                error,
                shogibar_kifu::ReadError::Other(shogibar_kifu::FoundContent::Address),
                "{text}"
            );
            let address = LiveAddress::parse(text);
            assert!(
                matches!(address, Ok(LiveAddress::Web(_) | LiveAddress::Csa(_))),
                "{text}: {address:?}"
            );
        }
    }

    #[test]
    fn parses_addresses_of_csa_servers() {
        assert_eq!(shown("csa://me@host"), "csa://me@host");
        assert_eq!(
            shown("csa://me:pass@host:4082/wdoor+f-300-10F+a+b+2024"),
            "csa://me@host:4082/wdoor+f-300-10F+a+b+2024"
        );
        assert_eq!(shown("csa://me:p@ss@[::1]:4081/x"), "csa://me@[::1]/x");
        assert_eq!(
            shown("csa://me:pass@host/g?file=http://a.b/x@y.csa"),
            "csa://me@host/g?file=http://a.b/x@y.csa"
        );
        assert_eq!(shown("csa://host"), "CsaName");
        assert_eq!(shown("csa://:x@host"), "CsaName");
        assert_eq!(shown("csa://me:a%20b@host"), "CsaPassword");
        assert_eq!(shown("csa://me%0aLOGOUT@host"), "CsaName");
        assert_eq!(shown("csa://me@host:x"), "CsaHost");
        assert_eq!(shown("csa://me@host/a b"), "CsaGame");
        assert_eq!(shown("csa://me@host/g?file=ftp://x"), "CsaFile");
        let LiveAddress::Csa(address) = LiveAddress::parse("csa://me:p%40%3Ass@h").unwrap() else {
            panic!("no server")
        };
        assert_eq!(address.password(), "p@:ss");
        assert!(!format!("{address} {address:?}").contains("p@"));
        for text in [
            "csa://me:p%40%3Ass@h/g",
            "http://me:pass@a.b/x?y",
            "csa://me@h",
            "https://lishogi.org/abcdEFGH",
        ] {
            let address = LiveAddress::parse(text).unwrap();
            assert_eq!(
                LiveAddress::parse(&address.with_password()),
                Ok(address),
                "{text}"
            );
        }
        assert_eq!(
            LiveAddress::from_argument(" a.kif ".as_ref()),
            Ok(LiveAddress::Path(" a.kif ".into()))
        );
    }

    proptest! {
        #[test]
        fn a_password_is_never_shown(
            scheme in "https?|csa", before in "[ -~é&&[^@/?#\\\\]]{0,6}", after in "[ -~é]{0,6}", link in "[ -~]{0,9}",
        ) {
            let Ok(address) = LiveAddress::parse(&format!("{scheme}://me:{before}hunter2{after}@a.b/x{link}")) else {
                return Ok(());
            };
            let has_login = match &address {
                LiveAddress::Web(url) => url.login().is_some(),
                address => matches!(address, LiveAddress::Csa(_)),
            };
            let shown = format!("{address} {address:?}");
            prop_assert!(!has_login || !shown.contains("hunter2"));
            prop_assert_eq!(LiveAddress::parse(&address.with_password()), Ok(address));
        }

        #[test]
        fn a_displayed_address_is_parsed_to_the_same_address(
            text in "(csa://[a-z]{1,3}(:[ -~]{0,6})?@)?[ -~]{0,30}|https?://[ -~]{0,40}|(https?:)?[/\\\\]{2}[A-Zé.:@%\\[]{1,8}/\\PC{0,8}|\\PC{0,30}",
        ) {
            if let Ok(address) = LiveAddress::parse(&text) {
                let shown = address.to_string();
                let again = LiveAddress::parse(&shown).map(|address| address.to_string());
                if !matches!(address, LiveAddress::Path(_)) {
                    prop_assert_eq!(again, Ok(shown));
                }
            }
            let base = WebUrl::parse("http://example.org/games/page.html?x=1").unwrap();
            if let Some(url) = base.join(&text) {
                let shown = url.request_target();
                prop_assert_eq!(WebUrl::parse(&shown).map(|url| url.request_target()), Some(shown));
            }
        }
    }
}
