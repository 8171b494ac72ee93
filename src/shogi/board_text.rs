//! Texts of the board: squares, hands, pieces and commands.

use crate::{Digits, Piece, PieceKind, Square, square_in_kanji};
use shogibar_base::visible::visible;
use shogibar_base::{Lang, phrases, say, sentences};

phrases! {
    /// A short text of the board.
    pub enum BoardWord {
        Board => "将棋盤", "Board";
        Promote => "成", "Promote";
        Stay => "不成", "Keep";
        Box => "駒箱", "Piece box";
        ToMove => "手番", "to move";
    }
}

/// Returns the name of a piece: 成銀, `promoted silver`.
pub const fn piece(kind: PieceKind, lang: Lang) -> &'static str {
    lang.pick(kind.kanji(), english_piece_name(kind))
}

const fn english_piece_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Gold => "gold",
        PieceKind::King => "king",
        PieceKind::ProPawn => "promoted pawn",
        PieceKind::ProLance => "promoted lance",
        PieceKind::ProKnight => "promoted knight",
        PieceKind::ProSilver => "promoted silver",
        PieceKind::Horse => "horse",
        PieceKind::Dragon => "dragon",
    }
}

/// Returns the names of the ranks beside a board, as the moves of this language write them.
pub const fn ranks(lang: Lang) -> [&'static str; 9] {
    match lang {
        Lang::Ja => ["一", "二", "三", "四", "五", "六", "七", "八", "九"],
        Lang::En => ["a", "b", "c", "d", "e", "f", "g", "h", "i"],
    }
}

/// Returns the name of a square on the screen: `7六`, `7f`.
pub fn square_name(square: Square, lang: Lang) -> String {
    match lang {
        Lang::Ja => square_in_kanji(square, Digits::Half),
        Lang::En => square.to_string(),
    }
}

/// Describes a square and the piece on it: `7六　先手の歩`, `7f, Black's pawn`. `side` is the name of the piece's owner.
pub fn square(square: Square, piece_on_it: Option<Piece>, side: &str, lang: Lang) -> String {
    let square = square_name(square, lang);
    let Some(on_square) = piece_on_it else {
        return square;
    };
    let name = piece(on_square.kind, lang);
    say!(lang: "{square}　{side}の{name}", "{square}, {side}'s {name}")
}

sentences! {
    /// Describes pieces in a hand: `先手の持ち駒　歩 2枚`, `Black's hand: pawn, 2`.
    pub fn in_hand(side: &str, kind: PieceKind, count: u8; lang) =>
        "{side}の持ち駒　{name} {count}枚", "{side}'s hand: {name}, {count}", name = piece(kind, lang);
}

/// Describes pieces in the box: `駒箱　歩 2枚`, `Piece box: pawn, 2`.
pub fn in_box(kind: PieceKind, count: u8, lang: Lang) -> String {
    let (word, name) = (BoardWord::Box.text(lang), piece(kind, lang));
    match lang {
        Lang::Ja => format!("{word}　{name} {count}枚"),
        Lang::En => format!("{word}: {name}, {count}"),
    }
}

/// Describes a side by its title, name and clock, and whether it is to move: `先手　佐藤　残り 0:58:03　手番`. Empty parts are
/// left out.
pub fn side(parts: [&str; 3], to_move: bool, lang: Lang) -> String {
    let to_move = if to_move { BoardWord::ToMove.text(lang) } else { "" };
    let parts: Vec<&str> = parts
        .into_iter()
        .chain([to_move])
        .filter(|part| !part.is_empty())
        .collect();
    visible(&parts.join(lang.pick("　", ", "))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    #[test]
    fn squares_and_hands_are_described() {
        let seven_six = Square::new(7, 6).unwrap();
        let pawn = Some(Piece {
            color: Color::Black,
            kind: PieceKind::Pawn,
        });
        assert_eq!(square(seven_six, pawn, "先手", Lang::Ja), "7六　先手の歩");
        assert_eq!(square(seven_six, pawn, "Black", Lang::En), "7f, Black's pawn");
        assert_eq!(square(seven_six, None, "", Lang::En), "7f");
        assert_eq!(
            in_hand("後手", PieceKind::Rook, 2, Lang::Ja),
            "後手の持ち駒　飛 2枚"
        );
        assert_eq!(
            side(["先手", "", "0:58:03"], true, Lang::Ja),
            "先手　0:58:03　手番"
        );
    }
}
