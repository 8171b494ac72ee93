//! Bytes to text: what is no text, and which encoding the rest is in.

use super::error::{FoundContent, ReadError};
use super::format::Encoding;
use super::scan::lines;
use super::{MAX_BYTES, TextPlace};
use encoding_rs::{EUC_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// How much of a file decides what it is.
const PREFIX: usize = 64 << 10;

/// Where an encoding is declared, it is within so many bytes.
const DECLARED_WITHIN: usize = 512;

/// The first bytes of files that are no text.
const SIGNATURES: [(&[u8], FoundContent); 17] = [
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

pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) encoding: Encoding,
    has_errors: bool,
}

impl Decoded<'_> {
    /// How many characters could not be decoded, and where the first of them stands.
    pub(super) fn broken(&self) -> Option<(usize, TextPlace)> {
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
        return Err(ReadError::Other(FoundContent::Binary));
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

/// Whether bytes are taken for a text in this encoding.
pub(super) fn is_taken_for(encoding: Encoding, bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.is_ascii() || encoding == Encoding::Utf8,
        Err(error) => likeliest(bytes, error.valid_up_to()) == encoding,
    }
}

/// The encoding that a text which is no UTF-8 is most likely in: the declared one where the bytes can be that,
/// else the one in which there are words of a record, else what leaves the fewest signs of a wrong guess.
fn likeliest(bytes: &[u8], valid: usize) -> Encoding {
    let declared = declared(bytes);
    // Shift_JIS and EUC-JP hold ASCII, and by chance some UTF-8: the last line of it counts, too.
    let before = bytes.get(..valid).unwrap_or(bytes);
    let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let end = valid.saturating_add(PREFIX).min(bytes.len());
    let window = bytes.get(line..end).unwrap_or(bytes);
    let candidates = [(Encoding::Utf8, UTF_8), (Encoding::ShiftJis, SHIFT_JIS), (Encoding::EucJp, EUC_JP)];
    let guesses = candidates.map(|(encoding, codec)| {
        let (text, has_errors) = codec.decode_without_bom_handling(window);
        let is_declared = declared == Some(encoding);
        EncodingGuess {
            encoding,
            is_declared,
            // A text may be cut in a character.
            fits: !has_errors || end < bytes.len() && text.matches(char::REPLACEMENT_CHARACTER).count() == 1,
            words: words_of_records(&text),
            signs: signs_of_wrong(&text, is_declared),
        }
    });
    let believed = guesses.iter().find(|guess| guess.is_declared && guess.fits);
    let has_words = |guess: &&EncodingGuess| {
        guesses.iter().all(|other| other.encoding == guess.encoding || other.words * 4 < guess.words)
    };
    let chosen =
        believed.or_else(|| guesses.iter().find(has_words)).or_else(|| guesses.iter().min_by_key(|guess| guess.signs));
    chosen.map_or(Encoding::ShiftJis, |guess| guess.encoding)
}

/// An encoding that a text may be in.
struct EncodingGuess {
    encoding: Encoding,
    /// Whether the text says so itself.
    is_declared: bool,
    /// Whether every character can be decoded.
    fits: bool,
    words: usize,
    signs: usize,
}

/// The encoding that the first lines of a text declare: `#KIF version=2.0 encoding=Shift_JIS`.
fn declared(bytes: &[u8]) -> Option<Encoding> {
    const KEY: &[u8] = b"encoding=";
    let head = bytes.get(..DECLARED_WITHIN).unwrap_or(bytes);
    let lines = head.split(|byte| matches!(byte, b'\n' | b'\r')).take(3);
    let mut values = lines.filter(|line| line.starts_with(b"#") || line.starts_with(b"'")).filter_map(|line| {
        let at = line.windows(KEY.len()).position(|part| part.eq_ignore_ascii_case(KEY))?;
        line.get(at + KEY.len()..)?.split(u8::is_ascii_whitespace).next()
    });
    let name = values.next()?.to_ascii_lowercase();
    match name.as_slice() {
        b"shift_jis" | b"shift-jis" | b"sjis" | b"cp932" | b"ms932" | b"windows-31j" => Some(Encoding::ShiftJis),
        b"utf-8" | b"utf8" => Some(Encoding::Utf8),
        b"euc-jp" | b"euc_jp" | b"eucjp" => Some(Encoding::EucJp),
        _ => None,
    }
}

/// Pairs of characters that stand in most records, and that a wrong guess finds by a rare chance only.
const PAIRS: [(char, char); 14] = [
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

/// How many of them there are, and squares: `７六`.
fn words_of_records(text: &str) -> usize {
    let is_square = |one, two| matches!(one, '１'..='９') && "一二三四五六七八九".contains(two);
    let pairs = text.chars().zip(text.chars().skip(1)).filter(|(one, _)| !one.is_ascii());
    pairs.filter(|(one, two)| PAIRS.contains(&(*one, *two)) || is_square(*one, *two)).count()
}

/// EUC-JP read as `Shift_JIS` is full of half-width katakana, which records hardly ever use where they do not
/// declare their encoding; everything else leaves characters that cannot be decoded.
fn signs_of_wrong(text: &str, is_declared: bool) -> usize {
    let sign = |c| match c {
        char::REPLACEMENT_CHARACTER => 8,
        '\u{ff61}'..='\u{ff9f}' if !is_declared => 1,
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
            assert_eq!(decoded.broken(), Some((1, TextPlace { line: 3, column: 8 })), "{encoding}");
        }
    }

    #[test]
    fn half_width_katakana_are_no_euc_jp() {
        let kana = format!("*{}\r\n", "ｶﾞﾝﾊﾞﾚｱｲｳｴｵ".repeat(40));
        let check = |text: &str| check(&SHIFT_JIS.encode(text).0, Encoding::ShiftJis, text);
        check(&format!("#KIF version=2.0 encoding=Shift_JIS\r\n{TEXT}{kana}"));
        check(&format!("{TEXT}{kana}"));
        check(&format!("手合割：平手\n▲７六歩 △３四歩\n{kana}"));
        check(&format!("# KIF version=2.0 encoding=shift_jis\n{kana}1 76FU\n"));
        check(&format!("'CSA encoding=SHIFT_JIS\nV3.0\nPI\n+\n'{kana}"));
    }

    #[test]
    fn a_declared_encoding_is_believed_where_the_bytes_can_be_it() {
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
    fn a_damaged_character_leaves_the_declared_encoding() {
        let text = format!("#KIF version=2.0 encoding=Shift_JIS\r\n{TEXT}*{}\r\n", "ｱｲｳｴｵ".repeat(80));
        let mut bytes = SHIFT_JIS.encode(&text).0.into_owned();
        bytes.extend(b"*\x81\x00\r\n");
        let decoded = decode(&bytes).expect("text");
        assert_eq!((decoded.encoding, decoded.broken().map(|(count, _)| count)), (Encoding::ShiftJis, Some(1)));
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
