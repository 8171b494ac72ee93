//! The writer of position diagrams, and the names of the sides.

use shogibar_shogi::{Color, PieceKind, Position, Square};
use std::fmt::Write as _;

pub(super) const fn side_name(color: Color, is_handicap: bool) -> &'static str {
    match (color, is_handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

/// Writes a position, including the side to move.
pub(super) fn write_diagram(out: &mut String, position: &Position, is_handicap: bool) {
    write_hand(out, position, Color::White, is_handicap);
    out.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n");
    out.push_str("+---------------------------+\n");
    for rank in 1..=9 {
        out.push('|');
        for file in (1..=9).rev() {
            match Square::new(file, rank).and_then(|square| position.piece_on(square)) {
                None => out.push_str(" ・"),
                Some(piece) => {
                    out.push(if piece.color == Color::White { 'v' } else { ' ' });
                    out.push_str(one_kanji(piece.kind));
                }
            }
        }
        let _infallible = writeln!(out, "|{}", kanji_number(rank));
    }
    out.push_str("+---------------------------+\n");
    write_hand(out, position, Color::Black, is_handicap);
    let _infallible = writeln!(out, "{}番", side_name(position.side_to_move(), is_handicap));
}

fn write_hand(out: &mut String, position: &Position, color: Color, is_handicap: bool) {
    let _infallible = write!(out, "{}の持駒：", side_name(color, is_handicap));
    let hand = position.hand(color);
    if hand.is_empty() {
        out.push_str("なし");
    }
    for kind in PieceKind::IN_HAND {
        match hand.count(kind) {
            0 => {}
            count => {
                let count = if count == 1 {
                    String::new()
                } else {
                    kanji_number(count)
                };
                let _infallible = write!(out, "{}{count}　", kind.kanji());
            }
        }
    }
    out.push('\n');
}

/// Returns the name of a piece in one character.
const fn one_kanji(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::ProSilver => "全",
        PieceKind::ProKnight => "圭",
        PieceKind::ProLance => "杏",
        other => other.kanji(),
    }
}

/// Returns a number below 100 in kanji.
fn kanji_number(number: u8) -> String {
    let digit = |digit: u8| {
        "一二三四五六七八九"
            .chars()
            .nth(usize::from(digit).wrapping_sub(1))
    };
    let (tens, ones) = (number / 10, number % 10);
    let ten_count = if tens > 1 { digit(tens) } else { None };
    let ten = (tens > 0).then_some('十');
    ten_count.into_iter().chain(ten).chain(digit(ones)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_in_kanji() {
        let check = |value, expect: &str| assert_eq!(kanji_number(value), expect);
        check(2, "二");
        check(10, "十");
        check(18, "十八");
        check(20, "二十");
        check(45, "四十五");
    }
}
