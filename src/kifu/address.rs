//! Addresses of sites that hold a position or a game. They are read without network access.

use super::board_word;
use super::csa::moves::parse_move;
use super::format::Container;
use super::share::ShareSite;
use shogibar_base::percent;
use shogibar_shogi::{Move, Position};

/// The keys of a position or a game, in the query or after `#`.
const POSITION_KEYS: [&str; 6] = ["sfen", "initpos", "position", "body", "usi", "pos"];

/// The keys of a whole record, in the query or after `#`.
const RECORD_KEYS: [&str; 6] = ["kif", "kifu", "ki2", "csa", "record", "data"];

/// The maximum number of path segments that are checked for a board.
const MAX_PATH_SEGMENTS: usize = 100;

/// The maximum number of times that percent codes are decoded. Some addresses were encoded several times.
const MAX_DECODINGS: usize = 3;

/// The longest name of a host, in bytes.
const MAX_HOST_BYTES: usize = 253;

/// The parts of a URL, as they are written.
struct Address<'t> {
    scheme: &'t str,
    /// The host and the path.
    path: &'t str,
    /// The query and the fragment after `#`, without the first `?` or `#`.
    query: &'t str,
}

impl<'t> Address<'t> {
    /// Splits an address into its parts; `None` for other text. A web address may lack its scheme.
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim();
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => (scheme, rest),
            _ => ("https", text),
        };
        let has_scheme = rest.len() < text.len();
        if scheme.is_empty() || !has_scheme && !begins_with_host(rest) {
            return None;
        }
        // A position in an address may have blanks. Text that no position has after a blank is prose.
        let after = rest
            .split_once(char::is_whitespace)
            .map_or("", |(_, after)| after);
        if !after.is_ascii()
            || after.contains("://")
            || after.split_whitespace().any(|word| word.starts_with('#'))
        {
            return None;
        }
        let (path, query) = rest.split_once(['?', '#']).unwrap_or((rest, ""));
        Some(Self { scheme, path, query })
    }

    /// Returns the value of the first query field with one of these keys.
    fn value(&self, keys: &[&str]) -> Option<&'t str> {
        let mut fields = self
            .query
            .split(['&', '?', '#', ';'])
            .filter_map(|field| field.split_once('='));
        fields
            .find(|(key, _)| keys.iter().any(|known| key.eq_ignore_ascii_case(known)))
            .map(|(_, value)| value)
    }
}

/// Returns whether a text begins with a host and `/` or `?`, like `www.example.org/`.
fn begins_with_host(text: &str) -> bool {
    let Some(end) = text
        .bytes()
        .take(MAX_HOST_BYTES)
        .position(|byte| matches!(byte, b'/' | b'?'))
    else {
        return false;
    };
    let host = text.get(..end).unwrap_or_default();
    let is_name = host
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    let top = host.rsplit_once('.').map(|(_, top)| top).unwrap_or_default();
    is_name && top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns the site of an address; `None` for an unknown site or other text.
fn site(text: &str) -> Option<ShareSite> {
    let address = Address::parse(text)?;
    let host = address.path.split('/').next()?;
    let is_at = |name: &str| {
        host == name
            || host
                .strip_suffix(name)
                .is_some_and(|before| before.ends_with('.'))
    };
    match () {
        () if address.scheme.eq_ignore_ascii_case("piyoshogi") => Some(ShareSite::Piyo),
        () if is_at("kento-shogi.com") => Some(ShareSite::Kento),
        () if is_at("shogidb2.com") => Some(ShareSite::ShogiDb2),
        () if is_at("lishogi.org") => Some(ShareSite::Lishogi),
        () => None,
    }
}

/// Returns the container of a game in an address: the site, and the move at which the game is shown.
pub(super) fn container(text: &str) -> Container {
    Container::Address {
        site: site(text),
        ply: shown_ply(text),
    }
}

/// Returns the container of a text in whose lines addresses may stand: the first address of a known site, or else the
/// first one.
pub(super) fn container_of_lines(text: &str) -> Container {
    let addresses = text.lines().filter(|line| line.contains("://")).map(container);
    addresses
        .min_by_key(|found| matches!(found, Container::Address { site: None, .. }))
        .unwrap_or(Container::Record)
}

/// Returns the number of moves to the position that an address shows: `#3` at its end, or `turn=3`. `None` without
/// either.
fn shown_ply(text: &str) -> Option<u16> {
    let text = text.trim();
    let after = text.rsplit_once('#').and_then(|(_, ply)| ply.parse().ok());
    after.or_else(|| Address::parse(text)?.value(&["turn"])?.parse().ok())
}

pub(super) fn is_address(text: &str) -> bool {
    let text = text.trim();
    !text.contains(char::is_whitespace) && text.contains("://") && Address::parse(text).is_some()
}

/// Returns the `position` line of an address; `None` for a text that is no address or has no position. `usen` reads the
/// addresses of USEN records.
pub(super) fn position_line(text: &str) -> Option<String> {
    let address = Address::parse(text)?;
    let start = address
        .value(&POSITION_KEYS)
        .map(|value| blanks(&decoded_position(value)));
    let moves = address.value(&["moves"]).map(decoded).unwrap_or_default();
    let start = start
        .filter(|start| !start.is_empty())
        .or_else(|| position_in_path(address.path));
    if start.is_none() && moves.is_empty() {
        return None;
    }
    let start = start.unwrap_or_else(|| "startpos".to_owned());
    let start = start.strip_prefix("position ").unwrap_or(&start).to_owned();
    let start = if start.starts_with("startpos") || start.starts_with("sfen ") {
        start
    } else {
        format!("sfen {start}")
    };
    let line = format!("position {start}");
    let moves = usi_moves(&start, &moves);
    // The value of `moves` may be something other than moves.
    if moves.split(' ').next().and_then(Move::from_usi).is_none() {
        return (start != "startpos").then_some(line);
    }
    Some(if line.contains(" moves ") {
        format!("{line} {moves}")
    } else {
        format!("{line} moves {moves}")
    })
}

/// Returns the text of a whole record in the query of an address. `None` for a value of one line in ASCII, which is no
/// record.
pub(super) fn record_text(text: &str) -> Option<String> {
    let value = decoded(Address::parse(text)?.value(&RECORD_KEYS)?);
    (value.contains(['\n', '\r']) || !value.is_ascii()).then_some(value)
}

/// Returns the moves of an address in USI, separated by blanks. `start` is the start position in USI.
fn usi_moves(start: &str, moves: &str) -> String {
    if let Some(words) = usi_from_csa(start, moves) {
        return words;
    }
    moves
        .split(['.', ',', '_', ' '])
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns moves like `+7776FU-3334FU` in USI; `None` for others. A move that cannot be played is unchanged.
fn usi_from_csa(start: &str, moves: &str) -> Option<String> {
    let is_signed =
        moves.starts_with(['+', '-']) && moves.get(1..5)?.bytes().all(|byte| byte.is_ascii_digit());
    if !is_signed {
        return None;
    }
    let mut position = match start.strip_prefix("sfen ") {
        Some(sfen) => Position::from_sfen(sfen).unwrap_or_else(|_| Position::startpos()),
        None => Position::startpos(),
    };
    let mut words = Vec::new();
    let mut begin = 0;
    let ends = moves
        .match_indices(['+', '-', ',', '.'])
        .map(|(at, _)| at)
        .skip(1)
        .chain([moves.len()]);
    for end in ends {
        let word = moves
            .get(begin..end)
            .unwrap_or_default()
            .trim_start_matches([',', '.', ' '])
            .trim_end();
        begin = end;
        if word.is_empty() {
            continue;
        }
        let read = parse_move(word)
            .map(|read| read.on(&position))
            .filter(|mv| position.play(*mv).is_ok());
        words.push(read.map_or_else(|| word.to_owned(), |mv| mv.to_string()));
    }
    Some(words.join(" "))
}

/// Returns the position of a path like `/editor/BOARD_w_-_2` as SFEN; `None` for another path.
fn position_in_path(path: &str) -> Option<String> {
    let path = decoded(path);
    let mut parts = path
        .match_indices('/')
        .filter_map(|(at, _)| path.get(at + 1..))
        .take(MAX_PATH_SEGMENTS);
    let position = parts.find(|part| {
        let mut fields = part.split(['_', ' ']);
        let board = fields.next().unwrap_or_default();
        board_word::is_board(board)
            || board_word::has_even_ranks(board) && matches!(fields.next(), Some("b" | "w"))
    })?;
    Some(position.replace('_', " "))
}

/// Decodes a position. A plus sign belongs to a promoted piece, unless the position is valid only with blanks in place
/// of plus signs.
fn decoded_position(value: &str) -> String {
    let literal = decoded(value);
    let is_whole = |text: &str| {
        let text = blanks(text);
        let text = text.strip_prefix("position ").unwrap_or(&text);
        let text = text.strip_prefix("sfen ").unwrap_or(text);
        let position = text.split(" moves").next().unwrap_or_default();
        Position::from_sfen(position).is_ok() && position.contains(' ')
    };
    let spaced = decoded(&value.replace('+', " "));
    if value.contains("+moves+") {
        return spaced;
    }
    if !is_whole(&literal) && is_whole(&spaced) {
        spaced
    } else {
        literal
    }
}

/// Trims a text. Replaces the signs that represent blanks, `.` and `_`, if the text has no blank.
fn blanks(text: &str) -> String {
    let text = text.trim();
    if text.contains(' ') || !text.contains(['.', '_']) {
        return text.to_owned();
    }
    text.replace(['.', '_'], " ")
}

/// Decodes percent codes, including those that were encoded up to [`MAX_DECODINGS`] times. Other text is unchanged.
pub(super) fn decoded(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MAX_DECODINGS {
        let next = String::from_utf8_lossy(&percent::decode(&text)).into_owned();
        if next == text {
            break;
        }
        text = next;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(address: &str, expect: &str) {
        assert_eq!(position_line(address).as_deref(), Some(expect), "{address}");
    }

    #[test]
    fn games_are_in_the_address() {
        check(
            "https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B#3",
            "position startpos moves 7g7f 3c3d 8h2b+",
        );
        let board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL";
        let encoded = board.replace('/', "%2F");
        check(
            &format!("https://shogidb2.com/board?sfen={encoded}%20w%20-%202&moves=-3334FU%2B2726FU-8384FU"),
            &format!("position sfen {board} w - 2 moves 3c3d 2g2f 8c8d"),
        );
        check(
            &format!("piyoshogi://?num=0&sfen=position sfen {board} w - 2 moves 3c3d"),
            &format!("position sfen {board} w - 2 moves 3c3d"),
        );
        check(
            &format!(
                "https://example.org/share-board?body=position.sfen.{board}.w.-.2.moves.3c3d.2g2f&turn=1"
            ),
            &format!("position sfen {board} w - 2 moves 3c3d 2g2f"),
        );
        check(
            &format!("https://example.org/sfen?sfen={board}%20w%20-%202"),
            &format!("position sfen {board} w - 2"),
        );
        check(
            &format!("https://example.org/sfen?sfen={board}+w+-+2"),
            &format!("position sfen {board} w - 2"),
        );
        check(
            &format!("https://www.kento-shogi.com/?initpos={encoded}+w+-+2&moves=3c3d"),
            &format!("position sfen {board} w - 2 moves 3c3d"),
        );
        check(
            &format!("https://lishogi.org/editor/{}_w_-_2", board.replace('/', "%2F")),
            &format!("position sfen {board} w - 2"),
        );
        check(
            "https://example.org/x?moves=7g7f%203c3d",
            "position startpos moves 7g7f 3c3d",
        );
    }

    #[test]
    fn promoted_pieces_are_no_blanks() {
        let board = "4k4/4+P4/9/9/9/9/9/9/4K4";
        for address in [
            format!("https://example.org/?sfen={board} b - 1"),
            format!("https://example.org/?sfen={board}%20b%20-%201"),
        ] {
            check(&address, &format!("position sfen {board} b - 1"));
        }
        check(
            "https://example.org/?sfen=4k4/4%2BP4/9/9/9/9/9/9/4K4+b+-+1",
            &format!("position sfen {board} b - 1"),
        );
    }

    #[test]
    fn other_addresses_hold_nothing() {
        for text in [
            "https://example.org/game/123",
            "no address",
            "https://example.org/?q=shogi&lang=ja",
            "https://example.org/live?moves=all",
            "://?moves=7g7f",
            "",
        ] {
            assert_eq!(position_line(text), None, "{text}");
        }
        assert_eq!(
            position_line("https://x/?moves=%2"),
            None,
            "half of a code is no move"
        );
    }

    proptest! {
        #[test]
        fn any_address_returns(text in "(https?://)?[ -~]{0,60}(\\?[a-z]{0,8}=)?[ -~%+]{0,80}") {
            let _line = position_line(&text);
        }
    }
}
