//! Addresses of sites that hold a position or a game: read without asking the network.

use crate::shogi::{Move, PieceKind, Position, Square};

/// The keys of a position or a game, in the query or after `#`.
const POSITION_KEYS: [&str; 6] = ["sfen", "initpos", "position", "body", "usi", "pos"];

/// The most places in a path that are checked for a board.
const MOST_PARTS: usize = 20;

/// Returns the `position` line that an address says; `None` for a text that is no address or has none. The address of a USEN record or
/// a position in a path is read elsewhere.
pub(super) fn position_line(text: &str) -> Option<String> {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://")?;
    if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let (path, query) = rest.split_once(['?', '#']).unwrap_or((rest, ""));
    let fields = || query.split(['&', '?', '#', ';']).filter_map(|field| field.split_once('='));
    let value = |keys: &[&str]| fields().find(|(key, _)| keys.iter().any(|known| key.eq_ignore_ascii_case(known)));
    let start = value(&POSITION_KEYS).map(|(_, value)| blanks(&decoded_position(value)));
    let moves = value(&["moves"]).map(|(_, value)| decoded(value, '+')).unwrap_or_default();
    let start = start.filter(|start| !start.is_empty()).or_else(|| board_in_path(path));
    if start.is_none() && moves.is_empty() {
        return None;
    }
    let start = start.unwrap_or_else(|| "startpos".to_owned());
    let start = start.strip_prefix("position ").unwrap_or(&start).to_owned();
    let start =
        if start.starts_with("startpos") || start.starts_with("sfen ") { start } else { format!("sfen {start}") };
    let line = format!("position {start}");
    let moves = moves_from(&start, &moves);
    // Another word is no line of moves.
    if moves.split(' ').next().and_then(Move::from_usi).is_none() {
        return (start != "startpos").then_some(line);
    }
    Some(if line.contains(" moves ") { format!("{line} {moves}") } else { format!("{line} moves {moves}") })
}

/// Returns the moves of an address in USI, parted by blanks.
fn moves_from(start: &str, moves: &str) -> String {
    if let Some(words) = from_csa(start, moves) {
        return words;
    }
    moves.split(['.', ',', '_', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns moves like `+7776FU-3334FU` in USI; `None` for others. What cannot be played stays as it is.
fn from_csa(start: &str, moves: &str) -> Option<String> {
    let is_signed = moves.starts_with(['+', '-']) && moves.get(1..5)?.bytes().all(|byte| byte.is_ascii_digit());
    if !is_signed {
        return None;
    }
    let mut position = match start.strip_prefix("sfen ") {
        Some(sfen) => Position::from_sfen(sfen).unwrap_or_else(|_| Position::startpos()),
        None => Position::startpos(),
    };
    let words = moves.split(['+', '-', ',', '.']).filter(|word| !word.is_empty());
    let words = words.map(|word| {
        let read = csa_move(&position, word).filter(|mv| position.play(*mv).is_ok());
        read.map_or_else(|| word.to_owned(), |mv| mv.to_string())
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

fn csa_move(position: &Position, word: &str) -> Option<Move> {
    let digit = |at: usize| word.as_bytes().get(at).and_then(|byte| char::from(*byte).to_digit(10));
    let square = |at: usize| Square::new(u8::try_from(digit(at)?).ok()?, u8::try_from(digit(at + 1)?).ok()?);
    let (to, kind) = (square(2)?, PieceKind::from_csa(word.get(4..6)?)?);
    if word.starts_with("00") {
        return Some(Move::Drop { kind, to });
    }
    let from = square(0)?;
    let promote =
        position.piece_on(from).is_some_and(|piece| piece.kind != kind && piece.kind.promoted() == Some(kind));
    Some(Move::Board { from, to, promote })
}

/// Returns the position of a path like `/editor/BOARD_w_-_2`, where the path is percent-encoded.
fn board_in_path(path: &str) -> Option<String> {
    let path = path.contains('%').then(|| decoded(path, '+'))?;
    let mut parts = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..)).take(MOST_PARTS);
    let board = parts.find(|part| {
        let board = part.split(['_', ' ']).next().unwrap_or_default();
        Position::from_sfen(&format!("{board} b - 1")).is_ok()
    })?;
    Some(board.replace('_', " "))
}

/// Decodes a position: a plus sign is a promoted piece, or else a blank.
fn decoded_position(value: &str) -> String {
    let literal = decoded(value, '+');
    let is_whole = |text: &str| {
        let text = blanks(text);
        let text = text.strip_prefix("position ").unwrap_or(&text);
        let text = text.strip_prefix("sfen ").unwrap_or(text);
        let position = text.split(" moves").next().unwrap_or_default();
        Position::from_sfen(position).is_ok() && position.contains(' ')
    };
    let spaced = decoded(value, ' ');
    if !is_whole(&literal) && is_whole(&spaced) { spaced } else { literal }
}

/// Replaces the signs that stand for blanks.
fn blanks(text: &str) -> String {
    let text = text.trim();
    if text.contains(' ') || !text.contains(['.', '_']) {
        return text.to_owned();
    }
    text.replace(['.', '_'], " ")
}

/// Decodes `%2B` and the like; what is no code stays. A plus sign becomes `plus`.
fn decoded(text: &str, plus: char) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match after {
            [high, low, ..] if *first == b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                digit(*high).zip(digit(*low)).map(|(high, low)| high * 16 + low)
            }
            _ => None,
        };
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
        match code {
            Some(code) => bytes.push(code),
            None if *first == b'+' => bytes.push(if plus == '+' { b'+' } else { b' ' }),
            None => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
        check("https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B#3", "position startpos moves 7g7f 3c3d 8h2b+");
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
            &format!("https://example.org/share-board?body=position.sfen.{board}.w.-.2.moves.3c3d.2g2f&turn=1"),
            &format!("position sfen {board} w - 2 moves 3c3d 2g2f"),
        );
        check(&format!("https://example.org/sfen?sfen={board}%20w%20-%202"), &format!("position sfen {board} w - 2"));
        check(&format!("https://example.org/sfen?sfen={board}+w+-+2"), &format!("position sfen {board} w - 2"));
        check(
            &format!("https://www.kento-shogi.com/?initpos={encoded}+w+-+2&moves=3c3d"),
            &format!("position sfen {board} w - 2 moves 3c3d"),
        );
        check(
            &format!("https://lishogi.org/editor/{}_w_-_2", board.replace('/', "%2F")),
            &format!("position sfen {board} w - 2"),
        );
        check("https://example.org/x?moves=7g7f%203c3d", "position startpos moves 7g7f 3c3d");
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
        check("https://example.org/?sfen=4k4/4%2BP4/9/9/9/9/9/9/4K4+b+-+1", &format!("position sfen {board} b - 1"));
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
        assert_eq!(position_line("https://x/?moves=%2"), None, "half of a code is no move");
    }

    proptest! {
        #[test]
        fn any_address_returns(text in "(https?://)?[ -~]{0,60}(\\?[a-z]{0,8}=)?[ -~%+]{0,80}") {
            let _line = position_line(&text);
        }
    }
}
