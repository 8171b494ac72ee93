//! Encoding of text.

use super::Encoding;
use encoding_rs::SHIFT_JIS;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The replacements for characters that `Shift_JIS` does not have: side marks, variant kanji in names, and signs. The
/// Windows extensions of the standard (① 髙 ㈱) are replaced as well, because some readers do not accept them.
const REPLACEMENTS: [(char, &str); 56] = [
    ('☗', "▲"),
    ('☖', "△"),
    ('⛊', "▲"),
    ('⛉', "△"),
    ('﨑', "崎"),
    ('髙', "高"),
    ('德', "徳"),
    ('濵', "浜"),
    ('瀨', "瀬"),
    ('栁', "柳"),
    ('\u{fa12}', "晴"),
    ('\u{fa19}', "神"),
    ('\u{fa1a}', "祥"),
    ('\u{fa1b}', "福"),
    ('𠮷', "吉"),
    ('𠮟', "叱"),
    ('吞', "呑"),
    ('頰', "頬"),
    ('剝', "剥"),
    ('塡', "填"),
    ('蟬', "蝉"),
    ('繫', "繋"),
    ('鷗', "鴎"),
    ('摑', "掴"),
    ('①', "(1)"),
    ('②', "(2)"),
    ('③', "(3)"),
    ('④', "(4)"),
    ('⑤', "(5)"),
    ('⑥', "(6)"),
    ('⑦', "(7)"),
    ('⑧', "(8)"),
    ('⑨', "(9)"),
    ('⑩', "(10)"),
    ('Ⅰ', "I"),
    ('Ⅱ', "II"),
    ('Ⅲ', "III"),
    ('Ⅳ', "IV"),
    ('Ⅴ', "V"),
    ('№', "No."),
    ('㈱', "(株)"),
    ('‒', "-"),
    ('–', "-"),
    ('—', "―"),
    ('•', "・"),
    ('\u{a0}', " "),
    ('⭐', "★"),
    ('✓', "レ"),
    ('¥', "￥"),
    ('〜', "～"),
    ('‖', "∥"),
    ('¢', "￠"),
    ('£', "￡"),
    ('¬', "￢"),
    ('\u{2212}', "－"),
    ('‾', "￣"),
];

/// The characters that `encoding_rs` would change without reporting it: a yen sign, an overline, a minus sign.
const SILENTLY_CHANGED_CHARACTERS: [char; 3] = ['¥', '‾', '\u{2212}'];

/// The replacement for a character without a similar one.
const FALLBACK_REPLACEMENT: &str = "〓";

/// The user-defined characters (外字) of Windows, 188 for each first byte from 0xf0 to 0xf9.
const USER_DEFINED_CHARACTERS: RangeInclusive<char> = '\u{e000}'..='\u{e757}';

/// The extension characters of a `Shift_JIS` file: those that Windows added to JIS X 0208. They may be written again,
/// since the readers of that file know them. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct ExtensionCharacters(Option<Arc<BTreeSet<char>>>);

impl ExtensionCharacters {
    /// Returns the extension characters of a text in `Shift_JIS`.
    pub(super) fn from_shift_jis(bytes: &[u8]) -> Self {
        let extension: BTreeSet<char> = extension_codes(bytes)
            .filter_map(|pair| SHIFT_JIS.decode_without_bom_handling(&pair).0.chars().next())
            .filter(|c| *c != char::REPLACEMENT_CHARACTER)
            .collect();
        Self((!extension.is_empty()).then(|| Arc::new(extension)))
    }

    pub(super) fn from_text(text: &str) -> Self {
        Self::from_shift_jis(&SHIFT_JIS.encode(text).0)
    }

    /// Returns the characters, in the order of their code points.
    pub(super) fn to_text(&self) -> String {
        self.0.iter().flat_map(|extension| extension.iter()).collect()
    }

    fn contains(&self, c: char) -> bool {
        self.0.as_ref().is_some_and(|extension| extension.contains(&c))
    }

    pub(super) fn contains_all(&self, other: &Self) -> bool {
        other
            .0
            .iter()
            .flat_map(|other| other.iter())
            .all(|c| self.contains(*c))
    }

    pub(super) fn add(&mut self, other: &Self) {
        if let Some(other) = &other.0 {
            Arc::make_mut(self.0.get_or_insert_default()).extend(other.iter());
        }
    }
}

pub(super) type ReplacedCharacters = BTreeMap<char, (&'static str, usize)>;

/// Encodes a text. Returns the bytes, and the characters that were replaced because the encoding does not have them.
/// The characters of `extension` are not replaced. Only `Shift_JIS` and UTF-8 are written: the text becomes UTF-8 for
/// every other encoding.
pub(super) fn encode(
    text: String,
    encoding: Encoding,
    extension: &ExtensionCharacters,
) -> (Vec<u8>, ReplacedCharacters) {
    match encoding {
        Encoding::ShiftJis => encode_shift_jis(&text, extension),
        Encoding::Utf8 | Encoding::EucJp | Encoding::Utf16 => (text.into_bytes(), ReplacedCharacters::new()),
    }
}

/// Returns a text with the characters outside `Shift_JIS` replaced, except `extension`.
pub(super) fn nearest_in_shift_jis(text: &str, extension: &ExtensionCharacters) -> String {
    let mut result = String::with_capacity(text.len());
    text.chars().for_each(|c| match replacement(c, extension) {
        Some(nearest) => result.push_str(nearest),
        None => result.push(c),
    });
    result
}

/// Returns the replacement for a character that `Shift_JIS` does not have; `None` for one that it has.
fn replacement(c: char, extension: &ExtensionCharacters) -> Option<&'static str> {
    if c.is_ascii() {
        return None;
    }
    let mut buffer = [0; 4];
    let (bytes, _, has_errors) = SHIFT_JIS.encode(c.encode_utf8(&mut buffer));
    let is_encodable = !has_errors && is_standard(&bytes) && !SILENTLY_CHANGED_CHARACTERS.contains(&c);
    let is_written = is_encodable || extension.contains(c);
    (!is_written).then(|| {
        REPLACEMENTS
            .iter()
            .find(|(from, _)| *from == c)
            .map_or(FALLBACK_REPLACEMENT, |(_, to)| *to)
    })
}

/// Encodes a text in `Shift_JIS`, with replacements for characters that this encoding does not have.
fn encode_shift_jis(text: &str, extension: &ExtensionCharacters) -> (Vec<u8>, ReplacedCharacters) {
    let mut replaced = ReplacedCharacters::new();
    let (bytes, _, has_errors) = SHIFT_JIS.encode(text);
    if !has_errors && is_standard(&bytes) && !text.contains(SILENTLY_CHANGED_CHARACTERS) {
        return (bytes.into_owned(), replaced);
    }
    for c in text.chars() {
        if let Some(nearest) = replacement(c, extension) {
            replaced.entry(c).or_insert((nearest, 0)).1 += 1;
        }
    }
    (encode_windows(&nearest_in_shift_jis(text, extension)), replaced)
}

/// Encodes a text in the Windows variant of `Shift_JIS`, including user-defined characters.
fn encode_windows(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for part in text.split_inclusive(|c| USER_DEFINED_CHARACTERS.contains(&c)) {
        let last = part
            .char_indices()
            .next_back()
            .filter(|(_, c)| USER_DEFINED_CHARACTERS.contains(c));
        let plain = last.and_then(|(at, _)| part.get(..at)).unwrap_or(part);
        bytes.extend_from_slice(&SHIFT_JIS.encode(plain).0);
        let index = last.map(|(_, c)| u32::from(c) - u32::from(*USER_DEFINED_CHARACTERS.start()));
        let pair = index.map(|index| {
            [
                0xf0 + index / 188,
                index % 188 + if index % 188 < 0x3f { 0x40 } else { 0x41 },
            ]
        });
        bytes.extend(
            pair.into_iter()
                .flatten()
                .filter_map(|byte| u8::try_from(byte).ok()),
        );
    }
    bytes
}

/// Returns whether a `Shift_JIS` text has no extension characters.
fn is_standard(bytes: &[u8]) -> bool {
    extension_codes(bytes).next().is_none()
}

/// Returns the codes of the extension characters in a `Shift_JIS` text.
fn extension_codes(bytes: &[u8]) -> impl Iterator<Item = [u8; 2]> {
    let mut rest = bytes.iter();
    std::iter::from_fn(move || {
        while let Some(lead) = rest.next() {
            match lead {
                0x81..=0x84 | 0x88..=0x9f | 0xe0..=0xea => drop(rest.next()),
                0x85..=0x87 | 0xeb..=0xff => return Some([*lead, rest.next().copied().unwrap_or_default()]),
                _ => {}
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_characters_outside_shift_jis() {
        let check = |text: &str, expect: &str, replaced: &[(char, &str, usize)]| {
            let (bytes, found) = encode(
                text.to_owned(),
                Encoding::ShiftJis,
                &ExtensionCharacters::default(),
            );
            assert_eq!(SHIFT_JIS.decode(&bytes).0, expect);
            let found: Vec<_> = found.into_iter().map(|(c, (to, count))| (c, to, count)).collect();
            assert_eq!(found, replaced);
        };
        check("▲７六歩(77) 高橋ｱ～", "▲７六歩(77) 高橋ｱ～", &[]);
        check("髙橋①", "高橋(1)", &[('①', "(1)", 1), ('髙', "高", 1)]);
        check(
            "☗☖☗﨑😀한",
            "▲△▲崎〓〓",
            &[
                ('☖', "△", 1),
                ('☗', "▲", 2),
                ('한', "〓", 1),
                ('﨑', "崎", 1),
                ('😀', "〓", 1),
            ],
        );
        let utf8 = encode("☗".to_owned(), Encoding::Utf8, &ExtensionCharacters::default());
        assert_eq!(utf8, ("☗".as_bytes().to_vec(), ReplacedCharacters::new()));
    }

    #[test]
    fn a_file_s_own_characters_are_written_again() {
        let user_defined = [b"\xf0\x40".as_slice(), b"\xf0\x7e", b"\xf0\x80", b"\xf9\xfc"].concat();
        let (names, ..) = SHIFT_JIS.encode("▲髙橋﨑①㈱ⅲ纊～");
        let bytes = [&names, user_defined.as_slice(), &SHIFT_JIS.encode("高(1)").0].concat();
        let extension = ExtensionCharacters::from_shift_jis(&bytes);
        let text = SHIFT_JIS.decode(&bytes).0.into_owned();
        assert_eq!(
            encode(text, Encoding::ShiftJis, &extension),
            (bytes, ReplacedCharacters::new())
        );
        // A character that the file did not have is not written.
        let (bytes, replaced) = encode("髙②".to_owned(), Encoding::ShiftJis, &extension);
        assert_eq!(
            (SHIFT_JIS.decode(&bytes).0.as_ref(), replaced.len()),
            ("髙(2)", 1)
        );
        // Characters with several codes, of NEC and IBM, get the usual code.
        let twice = b"\xed\x40\xee\xef\x87\x90";
        let extension = ExtensionCharacters::from_shift_jis(twice);
        let text = SHIFT_JIS.decode(twice).0.into_owned();
        let (bytes, replaced) = encode(text.clone(), Encoding::ShiftJis, &extension);
        assert_eq!(
            (SHIFT_JIS.decode(&bytes).0.as_ref(), replaced.len()),
            (text.as_str(), 0)
        );
    }

    #[test]
    fn replacements_are_encodable() {
        for (from, to) in REPLACEMENTS {
            let mut buffer = [0; 4];
            let (bytes, _, has_errors) = SHIFT_JIS.encode(from.encode_utf8(&mut buffer));
            assert!(
                has_errors || !is_standard(&bytes) || SILENTLY_CHANGED_CHARACTERS.contains(&from),
                "{from} needs no other"
            );
            let (bytes, _, has_errors) = SHIFT_JIS.encode(to);
            assert!(!has_errors && is_standard(&bytes), "{from} → {to}");
        }
    }
}
