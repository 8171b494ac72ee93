//! The start of a KIF game: the name of a handicap, a diagram, hands, and the side to move.

use super::super::warning::{RecordProblem, Warnings};
use super::super::{TextPlace, handicap, scan::Line};
use super::diagram::{self, Diagram};
use super::side;
use crate::shogi::{Color, Position, Setup, Square};

/// Returns the position named by a value of 手合割.
pub(super) fn named(value: &str) -> Option<Position> {
    handicap::position(bare(value))
}

/// Returns a value without trailing blanks, which one program writes, or a remark.
fn bare(value: &str) -> &str {
    value.split(['#', '　', ' ']).next().unwrap_or_default()
}

/// Returns the text after `手数＝` in the line below a diagram.
pub(super) fn number(text: &str) -> Option<&str> {
    text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数="))
}

/// Returns whether a line describes the position, as [`KifStart::line`] reads it.
pub(super) fn is_described_by(text: &str) -> bool {
    let is_of_a_side =
        |(_, rest): (Color, &str)| rest == "番" || rest.starts_with("の持駒") || rest.starts_with("の持ち駒");
    diagram::is_frame(text)
        || diagram::is_file_ruler(text)
        || number(text).is_some()
        || side(text).is_some_and(is_of_a_side)
}

#[derive(Debug, Default)]
pub(super) struct KifStart {
    handicap: Option<(String, TextPlace)>,
    diagram: Diagram,
    turn: Option<Color>,
    speaks_of_handicap: bool,
}

impl KifStart {
    /// Reads a line if it describes the position. Returns whether it does.
    pub(super) fn line(&mut self, line: Line<'_>, text: &str, warnings: &mut Warnings) -> bool {
        if diagram::is_frame(text) || diagram::is_file_ruler(text) {
            self.diagram.rank(line, text, warnings);
        } else if let Some(rest) = number(text) {
            self.diagram.last_move(rest);
        } else if let Some((color, rest)) = side(text) {
            return self.of_a_side(color, rest, line, text, warnings);
        } else {
            return false;
        }
        true
    }

    fn of_a_side(&mut self, color: Color, rest: &str, line: Line<'_>, text: &str, warnings: &mut Warnings) -> bool {
        if rest == "番" {
            self.turn = Some(color);
        } else if let Some(pieces) = rest.strip_prefix("の持駒").or_else(|| rest.strip_prefix("の持ち駒")) {
            let pieces = pieces.trim_start().strip_prefix(['：', ':']).unwrap_or(pieces);
            self.diagram.hand(color, pieces, line, warnings);
        } else {
            return false;
        }
        self.speaks_of_handicap |= text.starts_with(['上', '下']);
        true
    }

    /// Reads a header. Only some concern the position.
    pub(super) fn header(&mut self, key: &str, value: &str, place: TextPlace) {
        if key == "手合割" {
            self.handicap = Some((bare(value).to_owned(), place));
        } else if key == "手番" {
            self.turn = side(value).map(|(color, _)| color);
        }
    }

    /// Returns whether a position was described.
    pub(super) const fn is_described(&self) -> bool {
        self.diagram.is_described() || self.turn.is_some()
    }

    pub(super) const fn speaks_of_handicap(&self) -> bool {
        self.speaks_of_handicap
    }

    /// Returns the target square of the move before the diagram, which an initial 同 refers to.
    pub(super) const fn last_target(&self) -> Option<Square> {
        self.diagram.last_target
    }

    pub(super) fn position(&self, warnings: &mut Warnings) -> Position {
        let named = self.handicap.as_ref().and_then(|(name, _)| handicap::position(name));
        let number = self.diagram.number.unwrap_or(1);
        if self.diagram.is_foreign(warnings) {
            return named.unwrap_or_else(Position::startpos);
        }
        let Some(setup) = self.diagram.setup(named.as_ref()) else {
            if let Some((name, place)) = self.handicap.as_ref().filter(|(name, _)| named.is_none() && !name.is_empty())
            {
                warnings.add_at(*place, RecordProblem::UnknownHandicap(name.clone()));
            }
            let start = named.unwrap_or_else(Position::startpos);
            return match self.turn {
                Some(turn) => Setup::from_position(&start).build(turn, number),
                None => start,
            };
        };
        // If a diagram repeats the position of a named handicap, White moves first as in that handicap.
        let as_named = named.filter(|named| setup.build(named.side_to_move(), 1) == *named);
        let turn = self.turn.or_else(|| as_named.map(|named| named.side_to_move()));
        setup.build(turn.unwrap_or(Color::Black), number)
    }
}

#[cfg(test)]
mod tests {
    use crate::kifu::tests::check_start as check;

    const EMPTY: &str = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";

    #[test]
    fn white_moves_first_in_a_handicap() {
        check("手合割：平手　　\n", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0);
        check("手合割：二枚落ち#remark\n", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 0);
        check("手合割:左五枚落ち\n", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 0);
        check("手合割：五枚損\n", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 1);
    }

    #[test]
    fn reads_diagrams_in_common_forms() {
        let board = |rank: &str| format!("{rank}\n{}", EMPTY.repeat(8));
        check(&board("|v香 ・ ・ ・v王 ・ ・ ・ と|一"), "l3k3+P/9/9/9/9/9/9/9/9 b - 1", 0);
        check(&board("| v香 v杏 ･ * . v玉 全 圭 竜|一"), "l+l3k+S+N+R/9/9/9/9/9/9/9/9 b - 1", 0);
        check(&board("|   v飛               v角   |一"), "1r5b1/9/9/9/9/9/9/9/9 b - 1", 0);
        let hands = format!("上手の持駒：飛二 角　歩十八\n{}下手の持駒\n上手番\n", EMPTY.repeat(9));
        check(&hands, "9/9/9/9/9/9/9/9/9 w 2rb18p 1", 0);
        let numbered = format!("先手の持駒：歩12銀\n{}手数＝13  △３四飛  まで\n後手番\n", EMPTY.repeat(9));
        check(&numbered, "9/9/9/9/9/9/9/9/9 w S12P 14", 0);
        check(&format!("先手の持駒：歩二十角龍\n{}", EMPTY.repeat(9)), "9/9/9/9/9/9/9/9/9 b B 1", 2);
        let usual = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        check(&format!("{}後手番\n", EMPTY.repeat(8)), usual, 1);
        check(&board("|v香 ・|一"), "l8/9/9/9/9/9/9/9/9 b - 1", 1);
    }
}
