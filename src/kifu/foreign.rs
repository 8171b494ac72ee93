//! Texts that are no game: they are refused by name.

use super::error::{FoundContent, ReadError};
use super::{board_word, usi};
use shogibar_shogi::Move;
use std::path::Path;

/// The number of lines in which the signs are searched.
const MAX_LINES: usize = 200;

/// The beginnings of the tables that `shogibar analyze` writes for a folder.
const SUMMARY_HEADS: [&str; 2] = [
    "ファイル,局,日付,棋戦,先手,後手,結果,手数",
    "File,Game,Date,Event,Black,White,Result,Moves",
];

/// The option names of engines that a file of settings has.
const OPTION_NAMES: [&str; 14] = [
    "usi_hash",
    "usi_ponder",
    "threads",
    "multipv",
    "evaldir",
    "eval_dir",
    "bookfile",
    "book_file",
    "bookdir",
    "fv_scale",
    "networkdelay",
    "minimumthinkingtime",
    "usi_ownbook",
    "ownbook",
];

/// Returns whether a text is an opening book, or ends with one. Its lines would be read as positions with moves, a game that
/// nobody played, so this is asked before a text is read.
pub(super) fn is_opening_book(text: &str) -> bool {
    let head = text.lines().take(MAX_LINES).position(is_book_head);
    let lines = text.lines().skip(head.unwrap_or(0)).map(str::trim);
    let mut has_move = false;
    for line in lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(MAX_LINES)
    {
        let is_move = is_book_move(line);
        if !is_move && !is_position(line) {
            return false;
        }
        has_move |= is_move;
    }
    has_move || head.is_some()
}

/// Returns whether a line is the first one of an opening book: its format and a version.
fn is_book_head(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim_end();
    let version = line.strip_prefix("#YANEURAOU-DB");
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || ". ".contains(c)))
}

/// Returns what a text is in which no game was found; `None` where nothing shows it.
pub(super) fn content(text: &str) -> Option<FoundContent> {
    let first = text
        .lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches('\u{feff}');
    if SUMMARY_HEADS.iter().any(|head| first.starts_with(head)) {
        return Some(FoundContent::Summary);
    }
    let (mut lines, mut options, mut settings) = (0, 0, 0);
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(MAX_LINES)
    {
        lines += 1;
        options += usize::from(is_option(line));
        settings += usize::from(is_setting(line));
    }
    match () {
        () if options > 1 && options * 2 > lines => Some(FoundContent::EngineOptions),
        () if settings > 1 && (settings + options) * 2 > lines => Some(FoundContent::Settings),
        () => None,
    }
}

/// The number of entries of a binary book whose order is checked.
const CHECKED_ENTRIES: usize = 16;

/// Returns what binary data is, by its first bytes.
pub(super) fn binary_content(bytes: &[u8]) -> Option<FoundContent> {
    // The version of an NNUE file, and the names of its layers right after its hash.
    let is_net = bytes.starts_with(&[0x16, 0x2f, 0xf3, 0x7a])
        || bytes
            .get(..100)
            .is_some_and(|head| memchr::memmem::find(head, b"Features=").is_some());
    // Apery's book is sorted by the 64-bit keys of its positions, the first field of 16 bytes.
    let keys: Vec<u64> = bytes
        .as_chunks::<16>()
        .0
        .iter()
        .take(CHECKED_ENTRIES)
        .filter_map(|entry| Some(u64::from_le_bytes(*entry.first_chunk()?)))
        .collect();
    let is_book = keys.len() == CHECKED_ENTRIES && keys.is_sorted() && keys.first() < keys.last();
    match () {
        () if is_net => Some(FoundContent::Net),
        () if is_book => Some(FoundContent::OpeningBook),
        () => None,
    }
}

/// Returns the error of a binary file, which names the books of `ShogiGUI` by their extension.
pub(super) fn named_content(error: ReadError, name: &Path) -> ReadError {
    let is_book = name
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("sbk"));
    match error {
        ReadError::Other(FoundContent::Binary) if is_book => ReadError::Other(FoundContent::OpeningBook),
        error => error,
    }
}

/// Returns whether a line is a move of an opening book: the move, the answer, a value, a depth, a count.
fn is_book_move(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let is_move =
        |word: Option<&str>| word.is_some_and(|word| Move::from_usi(word).is_some() || is_none(word));
    let has_moves = is_move(words.next()) && is_move(words.next());
    has_moves && words.next().is_some_and(is_number) && words.all(is_number)
}

/// Returns whether a word states that a book has no answer.
fn is_none(word: &str) -> bool {
    matches!(word, "none" | "None" | "resign" | "None2")
}

/// Returns whether a word is a number, or stands for a missing one.
fn is_number(word: &str) -> bool {
    word == "none" || word.parse::<f64>().is_ok()
}

/// Returns whether a line is a position without moves.
fn is_position(line: &str) -> bool {
    let line = line.strip_prefix("sfen ").unwrap_or(line);
    line.split_ascii_whitespace()
        .next()
        .is_some_and(board_word::is_board)
        && usi::is_position(line)
}

fn is_option(line: &str) -> bool {
    line.starts_with("option name ") && line.contains(" type ")
}

/// Returns whether a line sets an option of an engine.
fn is_setting(line: &str) -> bool {
    let line = line
        .strip_prefix("setoption name ")
        .unwrap_or(line)
        .trim_start_matches(['"', '\'']);
    let end = line
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(line.len());
    let (name, value) = line.split_at_checked(end).unwrap_or((line, ""));
    !value.is_empty() && OPTION_NAMES.contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_game_is_named() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let check = |text: &str, expected| assert_eq!(content(text), expected, "{text}");
        assert!(is_opening_book("#YANEURAOU-DB2016 1.00\n"));
        assert!(is_opening_book(&format!(
            "sfen {start}\n7g7f 3c3d 40 12 3\n2g2f none 0 0 1\n"
        )));
        assert!(is_opening_book(&format!(
            "What is this?\n#YANEURAOU-DB2016 1.00\nsfen {start}\n7g7f 3c3d 40 12 3\n"
        )));
        assert!(!is_opening_book("#YANEURAOU-DB2016 1.00\n1 ７六歩(77)\n"));
        assert!(!is_opening_book(&format!("sfen {start}\n")));
        assert!(!is_opening_book("7g7f 3c3d 2g2f\n"));
        check(
            "option name USI_Hash type spin default 256\noption name X type check\n",
            Some(FoundContent::EngineOptions),
        );
        check("Threads = 4\nUSI_Hash = 256\n", Some(FoundContent::Settings));
        check(
            "setoption name Threads value 4\nsetoption name USI_Hash value 256\n",
            Some(FoundContent::Settings),
        );
        check(&format!("sfen {start}\n"), None);
        check("7g7f 3c3d 2g2f\n", None);
        check("usi\noption name X type check\nposition startpos\n", None);
        assert_eq!(
            binary_content(&[0x16, 0x2f, 0xf3, 0x7a, 0]),
            Some(FoundContent::Net)
        );
        let book: Vec<u8> = (0..20_u64)
            .flat_map(|entry| [(entry / 2) << 60, 7].map(u64::to_le_bytes).concat())
            .collect();
        assert_eq!(binary_content(&book), Some(FoundContent::OpeningBook));
        let other: Vec<u8> = book.iter().rev().copied().collect();
        assert_eq!(binary_content(&other), None);
    }
}
