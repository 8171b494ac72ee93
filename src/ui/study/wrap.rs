//! Breaking a sentence into lines without breaking a move.

use eframe::egui;
use egui::{Color32, FontId, Painter};

/// The characters before which a Japanese move ends.
const CHARS_AFTER_MOVE: &str = "でがはなにをのとか以。、（）() ";
/// The characters that precede a piece's name in a move. They are needed because a tokin is also written と.
const CHARS_BEFORE_PIECE: &str = "一二三四五六七八九同　";
/// The characters that must not begin a line.
const CHARS_NOT_AT_LINE_START: &str = "。、）)」";

/// Returns a text with line breaks. Its lines have at most this width, and no move or word is broken.
pub(super) fn wrapped(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    let wide = |text: &str| {
        painter
            .layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER)
            .size()
            .x
    };
    let (mut lines, mut line) = (String::new(), String::new());
    for atom in atoms(text) {
        let longer = format!("{line}{atom}");
        if line.is_empty() || wide(longer.trim_end()) <= width {
            line = longer;
        } else {
            lines.push_str(line.trim_end());
            lines.push('\n');
            atom.trim_start().clone_into(&mut line);
        }
    }
    lines + &line
}

/// Splits a text into parts that must not be broken: moves, words of letters and digits, and single characters. Each
/// part includes the punctuation after it.
fn atoms(text: &str) -> Vec<&str> {
    let mut atoms = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // Whether a character belongs to the same part as the character before it.
        let is_part: fn(char, char) -> bool = match first {
            '▲' | '△' | '☗' | '☖' => |before, c| {
                !CHARS_AFTER_MOVE.contains(c) || (c == 'と' && CHARS_BEFORE_PIECE.contains(before))
            },
            c if c.is_ascii() && !c.is_whitespace() => |_, c| c.is_ascii() && !c.is_whitespace(),
            _ => |_, _| false,
        };
        let pairs = rest.char_indices().zip(rest.char_indices().skip(1));
        let at = pairs
            .into_iter()
            .find(|((_, before), (_, c))| !is_part(*before, *c) && !CHARS_NOT_AT_LINE_START.contains(*c))
            .map_or(rest.len(), |(_, (at, _))| at);
        let (atom, after) = rest.split_at(at);
        atoms.push(atom);
        rest = after;
    }
    atoms
}

#[cfg(test)]
mod tests {
    use super::atoms;

    #[test]
    fn moves_and_words_are_whole() {
        let check = |text: &str, expect: &[&str]| assert_eq!(atoms(text), expect, "{text}");
        check(
            "銀は、△8二龍で取る。",
            &["銀", "は、", "△8二龍", "で", "取", "る。"],
        );
        check(
            "▲同　銀直以下7手詰。",
            &["▲同　銀直", "以", "下", "7", "手", "詰。"],
        );
        check(
            "Rx5e wins it. B-4d",
            &["Rx5e", " ", "wins", " ", "it.", " ", "B-4d"],
        );
        check("▲5三とで△同　と。", &["▲5三と", "で", "△同　と。"]);
        check("△8二飛と", &["△8二飛", "と"]);
        check("", &[]);
    }
}
