//! Bytes to text: what is no text, and which encoding the rest is in.

use super::error::{Found, ReadError};
use super::format::Encoding;
use super::scan::lines;
use super::{MAX_BYTES, Place};
use encoding_rs::{EUC_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// How much of a file decides what it is.
const PREFIX: usize = 64 << 10;

/// The first bytes of files that are no text.
const SIGNATURES: [(&[u8], Found); 17] = [
    (b"\x89PNG", Found::Picture),
    (b"\xff\xd8\xff", Found::Picture),
    (b"GIF8", Found::Picture),
    (b"RIFF", Found::Picture),
    (b"\x7fELF", Found::Program),
    (b"MZ\x90", Found::Program),
    (b"MZ\x78", Found::Program),
    (b"\xfe\xed\xfa", Found::Program),
    (b"\xcf\xfa\xed\xfe", Found::Program),
    (b"\xca\xfe\xba\xbe", Found::Program),
    (b"PK\x03\x04", Found::Archive),
    (b"\x1f\x8b", Found::Archive),
    (b"7z\xbc\xaf", Found::Archive),
    (b"\xfd7zXZ", Found::Archive),
    (b"\x28\xb5\x2f\xfd", Found::Archive),
    (b"%PDF", Found::Pdf),
    (b"#!", Found::Script),
];

pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) encoding: Encoding,
    has_errors: bool,
}

impl Decoded<'_> {
    /// How many characters could not be decoded, and where the first of them stands.
    pub(super) fn broken(&self) -> Option<(usize, Place)> {
        const BROKEN: char = char::REPLACEMENT_CHARACTER;
        if !self.has_errors {
            return None;
        }
        let mut broken = lines(&self.text).filter(|line| line.text.contains(BROKEN));
        let first = broken.next()?;
        let place = first.spot(first.text.find(BROKEN).and_then(|at| first.text.get(at..)).unwrap_or_default()).place();
        Some((self.text.matches(BROKEN).count(), place))
    }
}

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooLarge(bytes.len()));
    }
    // Some programs set a file's space aside before they fill it.
    let used = bytes.iter().rposition(|byte| !matches!(byte, 0 | 0x1a)).map_or(0, |last| last + 1);
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let bytes = bytes.get(..used).filter(|_| !is_wide).unwrap_or(bytes);
    let prefix = bytes.get(..PREFIX).unwrap_or(bytes);
    if let Some((_, found)) = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
        return Err(ReadError::Other(*found));
    }
    if !is_wide && is_binary(prefix) {
        return Err(ReadError::Other(Found::Binary));
    }
    // A byte order mark decides, then valid UTF-8.
    let utf8 = std::str::from_utf8(bytes);
    let encoding = match utf8 {
        _ if is_wide => Encoding::Utf16,
        Ok(_) => Encoding::Utf8,
        Err(error) => likeliest(bytes, error.valid_up_to()),
    };
    let (text, has_errors) = match encoding {
        Encoding::Utf8 if let Ok(text) = utf8 => (text.strip_prefix('\u{feff}').unwrap_or(text).into(), false),
        Encoding::Utf8 => UTF_8.decode_with_bom_removal(bytes),
        Encoding::ShiftJis => SHIFT_JIS.decode_without_bom_handling(bytes),
        Encoding::EucJp => EUC_JP.decode_without_bom_handling(bytes),
        Encoding::Utf16 if bytes.starts_with(b"\xff\xfe") => UTF_16LE.decode_with_bom_removal(bytes),
        Encoding::Utf16 => UTF_16BE.decode_with_bom_removal(bytes),
    };
    if text.chars().all(|c| c.is_whitespace() || c.is_control()) {
        return Err(ReadError::Empty);
    }
    Ok(Decoded { text, encoding, has_errors })
}

/// What leaves the fewest signs of a wrong guess, from the line on where a text stops being UTF-8.
fn likeliest(bytes: &[u8], valid: usize) -> Encoding {
    let (valid, rest) = bytes.split_at_checked(valid).unwrap_or((bytes, &[]));
    // Shift_JIS and EUC-JP hold ASCII, and by chance some UTF-8: the last line of it counts, too.
    let line = valid.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let window = bytes.get(line..(valid.len() + rest.len().min(PREFIX))).unwrap_or(bytes);
    let candidates = [(Encoding::Utf8, UTF_8), (Encoding::ShiftJis, SHIFT_JIS), (Encoding::EucJp, EUC_JP)];
    let signs =
        candidates.map(|(encoding, codec)| (signs_of_wrong(&codec.decode_without_bom_handling(window).0), encoding));
    signs.into_iter().min_by_key(|(signs, _)| *signs).map_or(Encoding::ShiftJis, |(_, encoding)| encoding)
}

/// EUC-JP read as `Shift_JIS` is full of half-width katakana, which records hardly ever use;
/// everything else leaves characters that cannot be decoded.
fn signs_of_wrong(text: &str) -> usize {
    let sign = |c| match c {
        char::REPLACEMENT_CHARACTER => 8,
        '\u{ff61}'..='\u{ff9f}' => 1,
        _ => 0,
    };
    text.chars().map(sign).sum()
}

fn is_binary(prefix: &[u8]) -> bool {
    let is_control = |byte: u8| byte < b'\t' || (0x0e..=0x19).contains(&byte) || (0x1c..=0x1f).contains(&byte);
    // Counted in bytes, many at a time.
    let controls = |some: &[u8]| usize::from(some.iter().map(|byte| u8::from(is_control(*byte))).sum::<u8>());
    prefix.chunks(255).map(controls).sum::<usize>() * 16 > prefix.len()
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
    fn encodings_are_told_apart_by_content() {
        check(TEXT.as_bytes(), Encoding::Utf8, TEXT);
        check(format!("\u{feff}{TEXT}").as_bytes(), Encoding::Utf8, TEXT);
        check(&SHIFT_JIS.encode(TEXT).0, Encoding::ShiftJis, TEXT);
        check(&EUC_JP.encode(TEXT).0, Encoding::EucJp, TEXT);
        let utf16: Vec<u16> = TEXT.encode_utf16().collect();
        let little: Vec<u8> = [0xfeff].iter().chain(&utf16).flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = [0xfeff].iter().chain(&utf16).flat_map(|unit| unit.to_be_bytes()).collect();
        check(&little, Encoding::Utf16, TEXT);
        check(&big, Encoding::Utf16, TEXT);
    }

    #[test]
    fn a_text_cut_in_a_character_keeps_its_encoding() {
        for (encoding, bytes) in [
            (Encoding::Utf8, TEXT.as_bytes().to_vec()),
            (Encoding::ShiftJis, SHIFT_JIS.encode(TEXT).0.into_owned()),
            (Encoding::EucJp, EUC_JP.encode(TEXT).0.into_owned()),
        ] {
            let cut = bytes.iter().rposition(|byte| *byte >= 0x80).expect("a character");
            let decoded = decode(&bytes[..cut]).expect("text");
            assert_eq!(decoded.encoding, encoding);
            assert_eq!(decoded.broken(), Some((1, Place { line: 3, column: 8 })), "{encoding}");
        }
    }

    #[test]
    fn one_late_character_tells_the_encoding() {
        let moves = "+7776FU\nT1\n-3334FU\nT1\n".repeat(10_000);
        let text = format!("{moves}'*良い手\n");
        check(&SHIFT_JIS.encode(&text).0, Encoding::ShiftJis, &text);
        check(&EUC_JP.encode(&text).0, Encoding::EucJp, &text);
    }

    #[test]
    fn what_is_no_text_is_named() {
        let check = |bytes: &[u8], expected: &str| {
            let error = decode(bytes).map(|decoded| decoded.text.into_owned()).expect_err("no text");
            assert_eq!(error.to_string(), expected);
        };
        check(b"", "this is no game record: it is empty");
        check(b" \r\n\x1a", "this is no game record: it is empty");
        check(b"\xef\xbb\xbf", "this is no game record: it is empty");
        check(b"\x89PNG\r\n\x1a\n\0\0", "this is no game record but a picture");
        check(b"\x7fELF\x02\x01\x01\0\0", "this is no game record but a program (an engine?)");
        check(&[0, 1, 2, 3, 250, 251], "this is no game record but binary data");
    }
}
