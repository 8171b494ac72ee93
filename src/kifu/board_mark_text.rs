//! Descriptions of drawn marks, for screen readers.

use crate::board_mark::{BoardMark, MarkColor, MarkShape};
use shogibar_base::{Lang, say};
use shogibar_shogi::board_text::{BoardWord, square_name};

/// Describes a board with its marks: `将棋盤　青の矢印 7七から7六`, `Board, blue arrow from 7g to 7f`.
pub fn board(marks: &[BoardMark], lang: Lang) -> String {
    let parts = std::iter::once(BoardWord::Board.text(lang).to_owned());
    let parts: Vec<String> = parts
        .chain(marks.iter().map(|mark| describe(*mark, lang)))
        .collect();
    parts.join(lang.pick("　", ", "))
}

fn describe(mark: BoardMark, lang: Lang) -> String {
    let color = match mark.color {
        MarkColor::Blue => lang.pick("青", "blue"),
        MarkColor::Green => lang.pick("緑", "green"),
        MarkColor::Purple => lang.pick("紫", "purple"),
    };
    match mark.shape {
        MarkShape::Arrow { from, to } => {
            let (from, to) = (square_name(from, lang), square_name(to, lang));
            say!(lang: "{color}の矢印 {from}から{to}", "{color} arrow from {from} to {to}")
        }
        MarkShape::Circle(square) => {
            let square = square_name(square, lang);
            say!(lang: "{color}の円 {square}", "{color} circle on {square}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_names_its_marks() {
        let marks = crate::board_mark::read("#矢印=7g7f:1 5e:2 8h2b:3");
        assert_eq!(board(&[], Lang::Ja), "将棋盤");
        assert_eq!(
            board(&marks, Lang::Ja),
            "将棋盤　青の矢印 7七から7六　緑の円 5五　紫の矢印 8八から2二"
        );
        assert_eq!(
            board(&marks, Lang::En),
            "Board, blue arrow from 7g to 7f, green circle on 5e, purple arrow from 8h to 2b"
        );
    }
}
