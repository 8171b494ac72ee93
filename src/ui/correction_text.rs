//! Texts of the form in which the user corrects a position that was read off the screen.

use shogibar_base::{Lang, phrases, say};
use shogibar_shogi::PieceKind;
use shogibar_shogi::board_text::piece;

phrases! {
    /// A text of the form that corrects a board read off the screen.
    pub enum CorrectionPhrase {
        How =>
            "持ち駒はクリックで1枚増え、右クリックで減ります。盤の駒は動かせます（右クリックで成・向き）。",
            "Click a piece in hand to add one, right-click to remove one. Pieces on the board can be moved (right click: promote, turn).";
        Reset =>
            "ほかの局面を読み取ったので、入れた内容を戻しました。もう一度入れてください。",
            "Another position was read, so your entries were cleared. Enter them again.";
        ToMove => "手番", "To move";
        NoneLeft => "駒はすべてそろっています。", "No piece is missing.";
        AllToBlack => "すべて先手の持ち駒に", "All to Black";
        AllToWhite => "すべて後手の持ち駒に", "All to White";
        Use => "この局面にする", "Use this position";
    }
}

/// Returns the note about pieces that are neither on the board nor in a hand: `歩2 銀1 は、この対局にはない（駒落ち）`. Empty if none is
/// missing.
pub fn missing_pieces(missing: &[(PieceKind, u8)], lang: Lang) -> String {
    let names: Vec<String> = missing
        .iter()
        .map(|(kind, count)| {
            let name = piece(*kind, lang);
            say!(lang: "{name}{count}", "{name} {count}")
        })
        .collect();
    if names.is_empty() {
        return String::new();
    }
    let names = names.join(lang.pick(" ", ", "));
    say!(lang: "{names} は、この対局にはない（駒落ち）", "{names}: not in this game (handicap)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_are_left_are_listed() {
        let missing = [(PieceKind::Silver, 1), (PieceKind::Pawn, 2)];
        assert_eq!(
            missing_pieces(&missing, Lang::Ja),
            "銀1 歩2 は、この対局にはない（駒落ち）"
        );
        assert_eq!(
            missing_pieces(&missing, Lang::En),
            "silver 1, pawn 2: not in this game (handicap)"
        );
        assert_eq!(missing_pieces(&[], Lang::Ja), "");
    }
}
