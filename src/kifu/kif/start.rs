//! The start of a KIF game: the name of a handicap, a diagram, hands, and the side to move.

use super::super::builder::Builder;
use super::super::handicap;
use super::super::scan::{Line, TextSpot};
use super::super::start_choice::{self, ChosenStart};
use super::super::warning::{RecordProblem, TextPosition, Warnings, quote};
use super::diagram::{self, Diagram};
use super::side;
use shogibar_shogi::{Color, OtherGame, Position, Setup, Square};

/// Returns the text after `手数＝` in the line below a diagram; `None` for another line.
pub(super) fn last_move_text(text: &str) -> Option<&str> {
    text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数="))
}

/// Returns whether a line describes the position, as [`KifStart::read_line`] reads it.
pub(super) fn is_described_by(text: &str) -> bool {
    let is_of_a_side =
        |(_, rest): (Color, &str)| rest == "番" || rest.starts_with("の持駒") || rest.starts_with("の持ち駒");
    diagram::is_frame(text)
        || diagram::is_file_ruler(text)
        || last_move_text(text).is_some()
        || side(text).is_some_and(is_of_a_side)
}

/// The start of a game as far as it has been read.
#[derive(Debug, Default)]
pub(super) struct KifStart {
    /// The first name of a handicap that is not blank, with its line and column.
    handicap: Option<(String, TextPosition)>,
    diagram: Diagram,
    /// The side to move, with the words of the file; `None` if it is not stated.
    turn: Option<(Color, String)>,
    /// Whether a line calls a side 下手 or 上手.
    uses_handicap_names: bool,
}

impl KifStart {
    /// Reads a line if it describes the position. Returns whether the line does.
    pub(super) fn read_line(&mut self, line: Line<'_>, text: &str, warnings: &mut Warnings) -> bool {
        if diagram::is_frame(text) || diagram::is_file_ruler(text) {
            self.diagram.read_rank(line, text, warnings);
        } else if let Some(rest) = last_move_text(text) {
            self.diagram.read_last_move(rest, line, warnings);
        } else if let Some((color, rest)) = side(text) {
            return self.read_side_line(color, rest, line, text, warnings);
        } else {
            return false;
        }
        true
    }

    /// Reads a line that begins with a side: the side to move, or a hand. Returns whether it is such a line.
    fn read_side_line(
        &mut self,
        color: Color,
        rest: &str,
        line: Line<'_>,
        text: &str,
        warnings: &mut Warnings,
    ) -> bool {
        if rest == "番" {
            self.set_turn(color, text, line.spot(text), warnings);
        } else if let Some(pieces) = rest
            .strip_prefix("の持駒")
            .or_else(|| rest.strip_prefix("の持ち駒"))
        {
            let pieces = pieces.trim_start().strip_prefix(['：', ':']).unwrap_or(pieces);
            self.diagram.read_hand(color, pieces, line, warnings);
        } else {
            return false;
        }
        self.uses_handicap_names |= text.starts_with(['上', '下']);
        true
    }

    /// Sets the side to move, which `words` state. The first statement counts.
    fn set_turn(&mut self, color: Color, words: &str, spot: TextSpot<'_>, warnings: &mut Warnings) {
        let (turn, taken) = self.turn.get_or_insert_with(|| (color, quote(words)));
        if *turn != color {
            warnings.add(
                spot,
                RecordProblem::SecondStatement {
                    used: taken.clone(),
                    ignored: quote(words),
                },
            );
        }
    }

    pub(super) fn read_header(
        &mut self,
        key: &str,
        value: &str,
        spot: TextSpot<'_>,
        warnings: &mut Warnings,
    ) {
        // Blanks, which one program writes, or a remark may follow the name, so only its first word counts.
        let bare = value.split(['#', '　', ' ']).next().unwrap_or_default();
        if key == "手合割" && self.handicap.is_none() && !bare.is_empty() {
            self.handicap = Some((bare.to_owned(), spot.position()));
        } else if key == "手番"
            && let Some((color, _)) = side(value)
        {
            self.set_turn(color, &format!("{key}：{value}"), spot, warnings);
        }
    }

    pub(super) fn is_described(&self) -> bool {
        self.diagram.is_described() || self.turn.is_some()
    }

    /// Returns whether the diagram has another number of ranks than a board of shogi.
    pub(super) fn is_damaged(&self) -> bool {
        self.diagram.has_ranks() && !self.diagram.is_of_shogi() && self.diagram.is_described()
    }

    /// Reports a damaged diagram without moves, which is no game.
    pub(super) fn report_damage(&self, warnings: &mut Warnings) {
        self.diagram.report_damage(warnings);
    }

    /// Returns whether a line calls a side 下手 or 上手.
    pub(super) const fn uses_handicap_names(&self) -> bool {
        self.uses_handicap_names
    }

    /// Returns the target square of the move before the diagram, which an initial 同 refers to.
    pub(super) const fn last_target(&self) -> Option<Square> {
        self.diagram.last_target
    }

    /// Returns the name of an unknown handicap, with its line and column; `None` for a known one, or if there is a
    /// diagram.
    pub(super) fn unknown_handicap(&self) -> Option<(String, TextPosition)> {
        if self.diagram.has_ranks() {
            return None;
        }
        self.handicap
            .clone()
            .filter(|(name, _)| handicap::position(name).is_none())
    }

    /// Returns the game other than shogi that the name or the diagram shows, with its line and column. A shogi
    /// diagram takes precedence over the name.
    pub(super) fn other_game(&self) -> Option<(OtherGame, TextPosition)> {
        let named = self
            .handicap
            .as_ref()
            .and_then(|(name, text_position)| Some((handicap::other_game(name)?, *text_position)));
        match named {
            Some(named) if !self.diagram.is_of_shogi() => Some(named),
            _ => self.diagram.other_game(),
        }
    }

    /// Returns the start position. `read` reads the game from a start.
    pub(super) fn position(
        &self,
        warnings: &mut Warnings,
        mut read: impl FnMut(&Position, &mut Warnings) -> Option<Builder>,
    ) -> Position {
        let number = self.diagram.number.unwrap_or(1);
        let is_foreign = self.diagram.is_foreign(warnings);
        let with_turn = |start: &Position| match &self.turn {
            Some((turn, _)) if !is_foreign => Setup::from_position(start).build(*turn, number),
            _ => start.clone(),
        };
        let starts = self
            .handicap
            .as_ref()
            .map_or_else(Vec::new, |(name, _)| handicap::starts(name));
        let setup = if is_foreign {
            None
        } else {
            self.diagram.setup(starts.first())
        };
        let Some(setup) = setup else {
            let Some((name, text_position)) = &self.handicap else {
                return with_turn(&Position::startpos());
            };
            let chosen =
                start_choice::choose(name, starts, |start, warnings| read(&with_turn(start), warnings));
            let Some(ChosenStart { position, problem }) = chosen else {
                return with_turn(&Position::startpos());
            };
            if let Some(problem) = problem {
                warnings.add_at(*text_position, problem);
            }
            return with_turn(&position);
        };
        // If a diagram repeats the position of a named handicap, White moves first as in that handicap.
        let as_named = starts.iter().find(|named| Setup::from_position(named) == setup);
        if let Some((name, text_position)) = &self.handicap
            && !starts.is_empty()
            && as_named.is_none()
            && self.diagram.has_ranks()
            && self.diagram.number.is_none()
        {
            warnings.add_at(*text_position, RecordProblem::OtherStart(quote(name)));
        }
        let turn = self
            .turn
            .as_ref()
            .map(|(turn, _)| *turn)
            .or_else(|| as_named.map(Position::side_to_move));
        setup.build(turn.unwrap_or(Color::Black), number)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::check_start as check;

    const EMPTY: &str = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";

    #[test]
    fn white_moves_first_in_a_handicap() {
        check(
            "手合割：平手　　\n",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            0,
        );
        check(
            "手合割：二枚落ち#remark\n",
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            0,
        );
        check(
            "手合割:左五枚落ち\n",
            "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            0,
        );
        check(
            "手合割：五枚損\n",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            1,
        );
    }

    #[test]
    fn reads_diagrams_in_common_forms() {
        let board = |rank: &str| format!("{rank}\n{}", EMPTY.repeat(8));
        check(
            &board("|v香 ・ ・ ・v王 ・ ・ ・ と|一"),
            "l3k3+P/9/9/9/9/9/9/9/9 b - 1",
            0,
        );
        check(
            &board("| v香 v杏 ･ * . v玉 全 圭 竜|一"),
            "l+l3k+S+N+R/9/9/9/9/9/9/9/9 b - 1",
            0,
        );
        check(
            &board("|   v飛               v角   |一"),
            "1r5b1/9/9/9/9/9/9/9/9 b - 1",
            0,
        );
        let hands = format!(
            "上手の持駒：飛二 角　歩十八\n{}下手の持駒\n上手番\n",
            EMPTY.repeat(9)
        );
        check(&hands, "9/9/9/9/9/9/9/9/9 w 2rb18p 1", 0);
        let numbered = format!(
            "先手の持駒：歩12銀\n{}手数＝13  △３四飛  まで\n後手番\n",
            EMPTY.repeat(9)
        );
        check(&numbered, "9/9/9/9/9/9/9/9/9 w S12P 14", 0);
        check(
            &format!("先手の持駒：歩二十角龍\n{}", EMPTY.repeat(9)),
            "9/9/9/9/9/9/9/9/9 b B 1",
            2,
        );
        let usual = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        check(&format!("{}後手番\n▲７六歩\n", EMPTY.repeat(8)), usual, 1);
        let damaged = crate::read(format!("{}後手番\n", EMPTY.repeat(8)).as_bytes());
        assert!(damaged.is_err_and(|error| error.to_string().contains("not 8")));
        check(&board("|v香 ・|一"), "l8/9/9/9/9/9/9/9/9 b - 1", 1);
    }
}
