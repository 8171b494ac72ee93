//! The digits, squares and piece names that several styles share.

use super::{Digits, Notation, Style};
use crate::{PieceKind, Square};

const FULL_WIDTH_DIGITS: [&str; 9] = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];
const HALF_WIDTH_DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const KANJI_DIGITS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// The characters of いろは譜 for the squares, rank by rank from the top, each from file 9 to file 1.
const IROHA_SQUARES: [&str; 81] = [
    "谷", "柳", "万", "一", "ゆ", "ま", "つ", "ぬ", "い", //
    "川", "桜", "花", "三", "め", "け", "ね", "る", "ろ", //
    "海", "松", "鳥", "五", "み", "ふ", "な", "を", "は", //
    "里", "楓", "風", "六", "し", "こ", "ら", "わ", "に", //
    "村", "雨", "月", "七", "ひ", "え", "む", "か", "ほ", //
    "森", "露", "春", "八", "も", "て", "う", "よ", "へ", //
    "竹", "霜", "夏", "十", "せ", "あ", "の", "た", "と", //
    "草", "雪", "秋", "百", "す", "さ", "く", "れ", "ち", //
    "石", "山", "冬", "千", "京", "き", "や", "そ", "り", //
];

/// Returns the text of the digit `n`, 1–9, in a table; empty for other numbers.
fn digit(table: &[&'static str; 9], n: u8) -> &'static str {
    table
        .get(usize::from(n).wrapping_sub(1))
        .copied()
        .unwrap_or_default()
}

/// Returns the half-width text of the digit `n`, 1–9; empty for other numbers.
pub(super) fn half_width_digit(n: u8) -> &'static str {
    digit(&HALF_WIDTH_DIGITS, n)
}

pub(super) fn push_half_width(out: &mut String, square: Square) {
    out.push_str(half_width_digit(square.file()));
    out.push_str(half_width_digit(square.rank()));
}

/// Appends a square in the notation's Japanese style.
pub(super) fn push_square(notation: Notation, out: &mut String, square: Square) {
    let arabic = match notation.digits {
        Digits::Full => &FULL_WIDTH_DIGITS,
        Digits::Half => &HALF_WIDTH_DIGITS,
    };
    let rank = match notation.style {
        Style::Iroha => return out.push_str(iroha(square)),
        Style::JapaneseArabic => arabic,
        _ => &KANJI_DIGITS,
    };
    out.push_str(digit(arabic, square.file()));
    out.push_str(digit(rank, square.rank()));
}

fn iroha(square: Square) -> &'static str {
    let index = (square.rank() - 1) * 9 + 9 - square.file();
    IROHA_SQUARES.get(usize::from(index)).copied().unwrap_or_default()
}

/// Returns the square of a character of いろは譜; `None` for other characters.
pub(super) fn iroha_square(c: char) -> Option<Square> {
    Square::all().find(|square| iroha(*square).chars().eq([c]))
}

/// Returns the digit 1–9 of a half-width, full-width or Chinese numeral; `None` for other characters.
pub const fn numeral(c: char) -> Option<u8> {
    Some(match c {
        '1' | '１' | '一' => 1,
        '2' | '２' | '二' => 2,
        '3' | '３' | '三' => 3,
        '4' | '４' | '四' => 4,
        '5' | '５' | '五' => 5,
        '6' | '６' | '六' => 6,
        '7' | '７' | '七' => 7,
        '8' | '８' | '八' => 8,
        '9' | '９' | '九' => 9,
        _ => return None,
    })
}

/// Returns a square in the official notation, such as `１八`, or `1八` in half-width digits.
pub fn square_in_kanji(square: Square, digits: Digits) -> String {
    let mut text = String::new();
    push_square(
        Notation {
            digits,
            ..Notation::default()
        },
        &mut text,
        square,
    );
    text
}

pub(super) const fn piece_name(notation: Notation, kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::ProLance if notation.short_promoted => "杏",
        PieceKind::ProKnight if notation.short_promoted => "圭",
        PieceKind::ProSilver if notation.short_promoted => "全",
        PieceKind::King if notation.upper_king => "王",
        PieceKind::Dragon if notation.simple_dragon => "竜",
        _ => kind.kanji(),
    }
}
