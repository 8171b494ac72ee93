//! Decoding: detection of non-text files and of the text encoding. `detect_format` detects the format.

use super::error::{FoundContent, ReadError};
use super::format::Encoding;
use super::scan::lines;
use super::{MAX_BYTES, TextPosition, foreign};
use encoding_rs::{EUC_JP, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// The number of bytes inspected to detect the encoding or binary data.
pub(super) const PREFIX_BYTES: usize = 64 << 10;

/// The number of bytes at the start of a file in which an encoding declaration is searched.
const DECLARATION_BYTES: usize = 512;

/// The first bytes of files that are not text.
const FILE_SIGNATURES: [(&[u8], FoundContent); 17] = [
    (b"\x89PNG", FoundContent::Picture),
    (b"\xff\xd8\xff", FoundContent::Picture),
    (b"GIF8", FoundContent::Picture),
    (b"RIFF", FoundContent::Picture),
    (b"\x7fELF", FoundContent::Program),
    (b"MZ\x90", FoundContent::Program),
    (b"MZ\x78", FoundContent::Program),
    (b"\xfe\xed\xfa", FoundContent::Program),
    (b"\xcf\xfa\xed\xfe", FoundContent::Program),
    (b"\xca\xfe\xba\xbe", FoundContent::Program),
    (b"PK\x03\x04", FoundContent::Archive),
    (b"\x1f\x8b", FoundContent::Archive),
    (b"7z\xbc\xaf", FoundContent::Archive),
    (b"\xfd7zXZ", FoundContent::Archive),
    (b"\x28\xb5\x2f\xfd", FoundContent::Archive),
    (b"%PDF", FoundContent::Pdf),
    (b"#!", FoundContent::Script),
];

/// A decoded text.
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) encoding: Encoding,
    /// Whether a character could not be decoded.
    has_errors: bool,
}

impl Decoded<'_> {
    /// Returns the number of undecodable characters and the line and column of the first; `None` if there are none.
    pub(super) fn undecodable(&self) -> Option<(usize, TextPosition)> {
        const UNDECODABLE: char = char::REPLACEMENT_CHARACTER;
        if !self.has_errors {
            return None;
        }
        let mut broken = lines(&self.text).filter(|line| line.text.contains(UNDECODABLE));
        let first = broken.next()?;
        let position = first
            .spot(
                first
                    .text
                    .find(UNDECODABLE)
                    .and_then(|at| first.text.get(at..))
                    .unwrap_or_default(),
            )
            .position();
        Some((self.text.matches(UNDECODABLE).count(), position))
    }
}

/// Decodes a file.
///
/// # Errors
/// Fails if the file is empty, too large or not text.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooLarge(bytes.len()));
    }
    // Some programs reserve the space of a file before they fill it, so zeros at the end of a file are ignored. So are
    // the end-of-file characters of old systems.
    let used = bytes
        .iter()
        .rposition(|byte| !matches!(byte, 0 | 0x1a))
        .map_or(0, |last| last + 1);
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let bytes = if is_wide {
        bytes
    } else {
        bytes.get(..used).unwrap_or(bytes)
    };
    let prefix = bytes.get(..PREFIX_BYTES).unwrap_or(bytes);
    if let Some((_, found)) = FILE_SIGNATURES
        .iter()
        .find(|(signature, _)| bytes.starts_with(signature))
    {
        return Err(ReadError::Other(*found));
    }
    if !is_wide && is_binary(prefix) {
        return Err(ReadError::Other(
            foreign::binary_content(prefix).unwrap_or(FoundContent::Binary),
        ));
    }
    // A byte order mark takes precedence, then valid UTF-8.
    let utf8 = std::str::from_utf8(bytes);
    let encoding = match utf8 {
        _ if is_wide => Encoding::Utf16,
        Ok(_) => Encoding::Utf8,
        Err(error) => guess_encoding(bytes, error.valid_up_to()),
    };
    let (text, has_errors) = match utf8 {
        // Old mails are in ISO-2022-JP, a code of seven bits. A record from such a mail is written in UTF-8.
        Ok(_) if bytes.is_ascii() && memchr::memmem::find(bytes, b"\x1b$").is_some() => {
            let (text, _, has_errors) = ISO_2022_JP.decode(bytes);
            (text, has_errors)
        }
        Ok(text) if encoding == Encoding::Utf8 => {
            (text.strip_prefix('\u{feff}').unwrap_or(text).into(), false)
        }
        _ => decode_as(encoding, bytes),
    };
    if text.chars().all(|c| c.is_whitespace() || c.is_control()) {
        return Err(ReadError::Empty);
    }
    Ok(Decoded {
        text,
        encoding,
        has_errors,
    })
}

pub(super) fn decode_as(encoding: Encoding, bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match encoding {
        Encoding::Utf8 => UTF_8.decode_with_bom_removal(bytes),
        Encoding::ShiftJis => SHIFT_JIS.decode_without_bom_handling(bytes),
        Encoding::EucJp => EUC_JP.decode_without_bom_handling(bytes),
        Encoding::Utf16 if bytes.starts_with(b"\xff\xfe") => UTF_16LE.decode_with_bom_removal(bytes),
        Encoding::Utf16 => UTF_16BE.decode_with_bom_removal(bytes),
    }
}

/// Returns whether bytes would be detected as text in this encoding.
pub(super) fn is_taken_for(encoding: Encoding, bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.is_ascii() || encoding == Encoding::Utf8,
        Err(error) => guess_encoding(bytes, error.valid_up_to()) == encoding,
    }
}

/// Guesses the encoding of a text that is valid UTF-8 only up to `valid`. The declared encoding wins if the bytes are
/// valid in it. Otherwise the encoding with clearly the most pairs typical of records wins. If there is none, the
/// encoding with the fewest signs of a wrong guess wins.
pub(super) fn guess_encoding(bytes: &[u8], valid: usize) -> Encoding {
    let declared = declared_encoding(bytes);
    // ASCII is valid in Shift_JIS and EUC-JP, and some UTF-8 is valid by chance. So the last valid line is included.
    let before = bytes.get(..valid).unwrap_or(bytes);
    let line = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let end = valid.saturating_add(PREFIX_BYTES).min(bytes.len());
    let window = bytes.get(line..end).unwrap_or(bytes);
    let candidates = [
        (Encoding::Utf8, UTF_8),
        (Encoding::ShiftJis, SHIFT_JIS),
        (Encoding::EucJp, EUC_JP),
    ];
    let guesses = candidates.map(|(encoding, codec)| {
        let (text, has_errors) = codec.decode_without_bom_handling(window);
        let is_declared = declared == Some(encoding);
        EncodingCandidate {
            encoding,
            is_declared,
            // The window may end inside a character, so one undecodable character is allowed at a cut end.
            is_decodable: !has_errors
                || end < bytes.len() && text.matches(char::REPLACEMENT_CHARACTER).count() == 1,
            record_pairs: count_record_pairs(&text),
            wrong_guess_score: rate_wrong_guess(&text, is_declared),
        }
    });
    let trusted = guesses
        .iter()
        .find(|guess| guess.is_declared && guess.is_decodable);
    let has_most_pairs = |guess: &&EncodingCandidate| {
        guesses
            .iter()
            .all(|other| other.encoding == guess.encoding || other.record_pairs * 4 < guess.record_pairs)
    };
    let chosen = trusted
        .or_else(|| guesses.iter().find(has_most_pairs))
        .or_else(|| guesses.iter().min_by_key(|guess| guess.wrong_guess_score));
    chosen.map_or(Encoding::ShiftJis, |guess| guess.encoding)
}

struct EncodingCandidate {
    encoding: Encoding,
    is_declared: bool,
    /// Whether every character can be decoded, except one cut off at the end of the inspected bytes.
    is_decodable: bool,
    /// The number of pairs of characters that are typical of records.
    record_pairs: usize,
    /// The rating of the signs of a wrong guess ([`rate_wrong_guess`]); 0 for none.
    wrong_guess_score: usize,
}

/// Returns the encoding declared in one of the first three lines of a text: `#KIF version=2.0 encoding=Shift_JIS`.
/// `None` without a declaration, or for an unknown name.
fn declared_encoding(bytes: &[u8]) -> Option<Encoding> {
    const KEY: &[u8] = b"encoding=";
    let head = bytes.get(..DECLARATION_BYTES).unwrap_or(bytes);
    let lines = head.split(|byte| matches!(byte, b'\n' | b'\r')).take(3);
    let mut values = lines
        .filter(|line| line.starts_with(b"#") || line.starts_with(b"'"))
        .filter_map(|line| {
            let at = line
                .windows(KEY.len())
                .position(|part| part.eq_ignore_ascii_case(KEY))?;
            line.get(at + KEY.len()..)?.split(u8::is_ascii_whitespace).next()
        });
    let name = values.next()?.to_ascii_lowercase();
    match name.as_slice() {
        b"shift_jis" | b"shift-jis" | b"sjis" | b"cp932" | b"ms932" | b"windows-31j" => {
            Some(Encoding::ShiftJis)
        }
        b"utf-8" | b"utf8" => Some(Encoding::Utf8),
        b"euc-jp" | b"euc_jp" | b"eucjp" => Some(Encoding::EucJp),
        _ => None,
    }
}

/// Pairs of characters that most records contain. They are rare in a text decoded wrongly.
const RECORD_PAIRS: [(char, char); 14] = [
    ('手', '合'),
    ('平', '手'),
    ('先', '手'),
    ('後', '手'),
    ('下', '手'),
    ('上', '手'),
    ('手', '数'),
    ('消', '費'),
    ('日', '時'),
    ('棋', '戦'),
    ('変', '化'),
    ('投', '了'),
    ('中', '断'),
    ('持', '駒'),
];

/// Returns the number of [`RECORD_PAIRS`] and of squares like `７六` in a text.
fn count_record_pairs(text: &str) -> usize {
    let pairs = text
        .chars()
        .zip(text.chars().skip(1))
        .filter(|(one, _)| !one.is_ascii());
    pairs
        .filter(|(one, two)| {
            RECORD_PAIRS.contains(&(*one, *two))
                || matches!(one, '１'..='９') && "一二三四五六七八九".contains(*two)
        })
        .count()
}

/// Rates the signs of a wrong encoding; 0 for none. EUC-JP decoded as `Shift_JIS` is full of half-width katakana, which
/// records rarely use without declaring the encoding. Other wrong guesses leave undecodable characters.
fn rate_wrong_guess(text: &str, is_declared: bool) -> usize {
    text.chars()
        .map(|c| match c {
            char::REPLACEMENT_CHARACTER => 8,
            '\u{ff61}'..='\u{ff9f}' if !is_declared => 1,
            _ => 0,
        })
        .sum()
}

/// Returns whether more than 1/16 of the bytes are control characters that text does not have.
fn is_binary(prefix: &[u8]) -> bool {
    let is_control =
        |byte: u8| byte < b'\t' || (0x0e..=0x19).contains(&byte) || (0x1c..=0x1f).contains(&byte);
    // Counting in a byte lets the compiler vectorize the sum.
    prefix
        .chunks(255)
        .map(|some| usize::from(some.iter().map(|byte| u8::from(is_control(*byte))).sum::<u8>()))
        .sum::<usize>()
        * 16
        > prefix.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "手合割：平手\r\n先手：羽生\r\n   1 ７六歩(77)\r\n";

    fn check(bytes: &[u8], encoding: Encoding, text: &str) {
        let decoded = decode(bytes).expect("text");
        assert_eq!((decoded.encoding, &*decoded.text), (encoding, text));
    }

    #[test]
    fn detects_encodings_by_content() {
        check(TEXT.as_bytes(), Encoding::Utf8, TEXT);
        check(format!("\u{feff}{TEXT}").as_bytes(), Encoding::Utf8, TEXT);
        check(&SHIFT_JIS.encode(TEXT).0, Encoding::ShiftJis, TEXT);
        check(&EUC_JP.encode(TEXT).0, Encoding::EucJp, TEXT);
        let utf16: Vec<u16> = TEXT.encode_utf16().collect();
        let little: Vec<u8> = [0xfeff]
            .iter()
            .chain(&utf16)
            .flat_map(|unit| unit.to_le_bytes())
            .collect();
        let big: Vec<u8> = [0xfeff]
            .iter()
            .chain(&utf16)
            .flat_map(|unit| unit.to_be_bytes())
            .collect();
        check(&little, Encoding::Utf16, TEXT);
        check(&big, Encoding::Utf16, TEXT);
    }

    #[test]
    fn detects_the_encoding_of_a_text_cut_inside_a_character() {
        for (encoding, bytes) in [
            (Encoding::Utf8, TEXT.as_bytes().to_vec()),
            (Encoding::ShiftJis, SHIFT_JIS.encode(TEXT).0.into_owned()),
            (Encoding::EucJp, EUC_JP.encode(TEXT).0.into_owned()),
        ] {
            let cut = bytes.iter().rposition(|byte| *byte >= 0x80).expect("a character");
            let decoded = decode(&bytes[..cut]).expect("text");
            assert_eq!(decoded.encoding, encoding);
            assert_eq!(
                decoded.undecodable(),
                Some((1, TextPosition { line: 3, column: 8 })),
                "{encoding}"
            );
        }
    }

    #[test]
    fn does_not_take_half_width_katakana_for_euc_jp() {
        let kana = format!("*{}\r\n", "ｶﾞﾝﾊﾞﾚｱｲｳｴｵ".repeat(40));
        let check = |text: &str| check(&SHIFT_JIS.encode(text).0, Encoding::ShiftJis, text);
        check(&format!("#KIF version=2.0 encoding=Shift_JIS\r\n{TEXT}{kana}"));
        check(&format!("{TEXT}{kana}"));
        check(&format!("手合割：平手\n▲７六歩 △３四歩\n{kana}"));
        check(&format!("# KIF version=2.0 encoding=shift_jis\n{kana}1 76FU\n"));
        check(&format!("'CSA encoding=SHIFT_JIS\nV3.0\nPI\n+\n'{kana}"));
    }

    #[test]
    fn uses_a_declared_encoding_if_the_bytes_are_valid() {
        for declared in ["Shift_JIS", "UTF-8", "EUC-JP", "unknown"] {
            let text = format!("#KIF version=2.0 encoding={declared}\r\n{TEXT}");
            check(text.as_bytes(), Encoding::Utf8, &text);
            check(&SHIFT_JIS.encode(&text).0, Encoding::ShiftJis, &text);
            if declared != "Shift_JIS" {
                check(&EUC_JP.encode(&text).0, Encoding::EucJp, &text);
            }
        }
    }

    #[test]
    fn keeps_the_declared_encoding_despite_a_damaged_character() {
        let text = format!(
            "#KIF version=2.0 encoding=Shift_JIS\r\n{TEXT}*{}\r\n",
            "ｱｲｳｴｵ".repeat(80)
        );
        let mut bytes = SHIFT_JIS.encode(&text).0.into_owned();
        bytes.extend(b"*\x81\x00\r\n");
        let decoded = decode(&bytes).expect("text");
        assert_eq!(
            (decoded.encoding, decoded.undecodable().map(|(count, _)| count)),
            (Encoding::ShiftJis, Some(1))
        );
    }

    #[test]
    fn detects_the_encoding_by_one_late_character() {
        let moves = "+7776FU\nT1\n-3334FU\nT1\n".repeat(10_000);
        let text = format!("{moves}'*良い手\n");
        check(&SHIFT_JIS.encode(&text).0, Encoding::ShiftJis, &text);
        check(&EUC_JP.encode(&text).0, Encoding::EucJp, &text);
    }

    #[test]
    fn names_content_that_is_not_text() {
        let check = |bytes: &[u8], expected: &str| {
            let error = decode(bytes)
                .map(|decoded| decoded.text.into_owned())
                .expect_err("no text");
            assert_eq!(error.to_string(), expected);
        };
        check(b"", "this is no game record: it is empty");
        check(b" \r\n\x1a", "this is no game record: it is empty");
        check(b"\xef\xbb\xbf", "this is no game record: it is empty");
        check(b"\x89PNG\r\n\x1a\n\0\0", "this is no game record but a picture");
        check(
            b"\x7fELF\x02\x01\x01\0\0",
            "this is no game record but a program (an engine?)",
        );
        check(&[0, 1, 2, 3, 250, 251], "this is no game record but binary data");
    }
}
