//! Game records: their text, told apart by content, and what they say.
//!
//! A reader never fails on what is foreign inside a record: it gives the record as far as it goes,
//! and warnings with line and column for all it did not understand. It fails only when there is
//! nothing to use, and then says what was found instead.
//!
//! Bounds: a file has at most [`MAX_BYTES`]; a game ends at its 65 535th move; at most 200 warnings
//! are kept. Time and memory are linear in the size of the file.

mod csa;
mod decode;
mod detect;
mod end;
mod error;
mod game;
mod handicap;
mod kif;
mod record;
mod scan;
mod time;
mod warning;

pub use end::{End, Outcome, Reason};
pub use error::{Encoding, Format, Found, ReadError};
pub use record::{Node, Record};
pub use time::{Millis, Time};
pub use warning::{Problem, Warning};

use warning::{Place, Warnings};

/// The size of the largest record that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// Reads a record: KIF or CSA, in UTF-8, `Shift_JIS`, EUC-JP, or UTF-16 with a byte order mark, all
/// told apart by content.
///
/// # Errors
/// Only when there is no record at all, with what was found instead.
///
/// # Examples
/// ```
/// let (record, warnings) = shogibar::kifu::read("1 ７六歩(77)\n2 投了\n".as_bytes()).unwrap();
/// assert_eq!(record.history(1).usi(), "startpos moves 7g7f");
/// assert_eq!(record.end().unwrap().words, "投了");
/// assert!(warnings.is_empty());
/// ```
pub fn read(bytes: &[u8]) -> Result<(Record, Vec<Warning>), ReadError> {
    let decoded = decode::decode(bytes)?;
    let mut warnings = Warnings::default();
    if let Some((broken, place)) = decoded.broken() {
        warnings.add_at(place, Problem::Undecodable(broken, decoded.encoding));
    }
    let record = match detect::format(&decoded.text)? {
        Format::Kif => kif::read(&decoded.text, &mut warnings),
        Format::Csa => csa::read(&decoded.text, &mut warnings),
        other @ (Format::Ki2 | Format::Jkf | Format::Usi | Format::Psn) => return Err(ReadError::NotReadYet(other)),
    };
    // A text may have a line or two of a record by accident, and say nothing in them.
    let record = record.ok_or(ReadError::Other(Found::Text))?;
    Ok((record, warnings.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_of_a_game_is_no_record() {
        let check = |text: &str| {
            let error = read(text.as_bytes()).map(|(record, _)| record.start().sfen());
            assert_eq!(error, Err(ReadError::Other(Found::Text)), "{text}");
        };
        check("V2\nsome other thing\n");
        check("V2.2\n-\n");
        check("| name | value |\n|------|-------|\n| a    | b     |\n");
        check(&"| abc | def | ghi |\n".repeat(9));
        check("+-----+\n| box |\n+-----+\nNote: a remark\n");
    }

    #[test]
    fn what_says_little_of_a_game_is_a_record() {
        let check = |text: &str| assert!(read(text.as_bytes()).is_ok(), "{text}");
        check("PI\n");
        check("V2.2\nN+a\n");
        check("V2.2\n%CHUDAN\n");
        check("先手：a\n");
        check("手合割：平手\n");
        check("手数----指手---------消費時間--\n");
        check("後手の持駒：なし\n");
        check(&"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(9));
        check(&"| 飛 ・ 獅 ・ ・|\n".repeat(5));
    }
}
