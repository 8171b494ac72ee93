//! Encoding of text.

use super::Encoding;
use encoding_rs::SHIFT_JIS;
use std::collections::BTreeMap;

/// The replacements for characters that `Shift_JIS` does not have. They cover side marks and variant kanji in names.
/// They also cover the Windows extensions of the standard (① 髙 ㈱), which some readers do not accept.
const NEAREST: [(char, &str); 56] = [
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

/// The characters that the encoder would silently change: a yen sign, an overline, a minus sign.
const SILENTLY_CHANGED: [char; 3] = ['¥', '‾', '\u{2212}'];

/// The replacement for a character without a similar one.
const FALLBACK: &str = "〓";

/// The replaced characters, each with its replacement and count.
pub(super) type Replaced = BTreeMap<char, (&'static str, usize)>;

/// Encodes a text. Returns the bytes and the characters that the encoding does not have.
pub(super) fn encode(text: String, encoding: Encoding) -> (Vec<u8>, Replaced) {
    match encoding {
        Encoding::ShiftJis => shift_jis(&text),
        Encoding::Utf8 | Encoding::EucJp | Encoding::Utf16 => (text.into_bytes(), Replaced::new()),
    }
}

/// Returns a text with the characters outside `Shift_JIS` replaced.
pub(super) fn nearest_in_shift_jis(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    text.chars().for_each(|c| match nearest(c) {
        Some(nearest) => result.push_str(nearest),
        None => result.push(c),
    });
    result
}

/// Returns the replacement for a character that `Shift_JIS` does not have; `None` for one that it has.
fn nearest(c: char) -> Option<&'static str> {
    let mut buffer = [0; 4];
    let (bytes, _, has_errors) = SHIFT_JIS.encode(c.encode_utf8(&mut buffer));
    let is_encodable = !has_errors && is_standard(&bytes) && !SILENTLY_CHANGED.contains(&c);
    (!is_encodable).then(|| NEAREST.iter().find(|(from, _)| *from == c).map_or(FALLBACK, |(_, to)| *to))
}

fn shift_jis(text: &str) -> (Vec<u8>, Replaced) {
    let mut replaced = Replaced::new();
    let (bytes, _, has_errors) = SHIFT_JIS.encode(text);
    if !has_errors && is_standard(&bytes) && !text.contains(SILENTLY_CHANGED) {
        return (bytes.into_owned(), replaced);
    }
    for c in text.chars() {
        if let Some(nearest) = nearest(c) {
            replaced.entry(c).or_insert((nearest, 0)).1 += 1;
        }
    }
    (SHIFT_JIS.encode(&nearest_in_shift_jis(text)).0.into_owned(), replaced)
}

/// Returns whether a text has no characters of the rows that Windows added to JIS X 0208.
fn is_standard(bytes: &[u8]) -> bool {
    let mut rest = bytes.iter();
    while let Some(lead) = rest.next() {
        match lead {
            0x81..=0x84 | 0x88..=0x9f | 0xe0..=0xea => drop(rest.next()),
            0x85..=0x87 | 0xeb..=0xff => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_characters_outside_shift_jis() {
        let check = |text: &str, expect: &str, replaced: &[(char, &str, usize)]| {
            let (bytes, found) = encode(text.to_owned(), Encoding::ShiftJis);
            assert_eq!(SHIFT_JIS.decode(&bytes).0, expect);
            let found: Vec<_> = found.into_iter().map(|(c, (to, count))| (c, to, count)).collect();
            assert_eq!(found, replaced);
        };
        check("▲７六歩(77) 高橋ｱ～", "▲７六歩(77) 高橋ｱ～", &[]);
        check("髙橋①", "高橋(1)", &[('①', "(1)", 1), ('髙', "高", 1)]);
        check(
            "☗☖☗﨑😀한",
            "▲△▲崎〓〓",
            &[('☖', "△", 1), ('☗', "▲", 2), ('한', "〓", 1), ('﨑', "崎", 1), ('😀', "〓", 1)],
        );
        assert_eq!(encode("☗".to_owned(), Encoding::Utf8), ("☗".as_bytes().to_vec(), Replaced::new()));
    }

    #[test]
    fn replacements_are_encodable() {
        for (from, to) in NEAREST {
            let mut buffer = [0; 4];
            let (bytes, _, has_errors) = SHIFT_JIS.encode(from.encode_utf8(&mut buffer));
            assert!(has_errors || !is_standard(&bytes) || SILENTLY_CHANGED.contains(&from), "{from} needs no other");
            let (bytes, _, has_errors) = SHIFT_JIS.encode(to);
            assert!(!has_errors && is_standard(&bytes), "{from} → {to}");
        }
    }
}
