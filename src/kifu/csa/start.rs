//! The start of a CSA game: `PI`, `P1` to `P9`, `P+`, `P-`, and the side to move, `+` or `-`.

use super::super::scan::{Line, TextSpot};
use super::super::warning::{RecordProblem, Warnings, quote};
use super::{color, square};
use shogibar_shogi::{Color, OtherGame, Piece, PieceKind, Position, Setup, Square};

/// The start of a game as far as it has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct CsaStart {
    /// Board and hands; `None` before the first statement about them.
    setup: Option<Setup>,
    /// The side to move; `None` if it is not stated.
    pub(super) turn: Option<Color>,
    /// The statement that sets up each rank, from the first rank; `None` if no statement does.
    ranks: [Option<String>; 9],
    /// The number of squares of each rank that was read, in the order of the file.
    rank_widths: Vec<usize>,
}

/// Returns whether a line sets up the board, as opposed to other text with the same beginning.
pub(super) fn is_statement(text: &str) -> bool {
    let is_piece = |chunk: &str| {
        let (at, name) = chunk.split_at_checked(2).unwrap_or((chunk, ""));
        let at_hand = at == "00" && (name.eq_ignore_ascii_case("AL") || PieceKind::from_csa(name).is_some());
        at_hand || square(at).is_some() && PieceKind::from_csa(name).is_some()
    };
    match text.as_bytes() {
        [b'P', b'I'] => true,
        [b'P', b'I' | b'+' | b'-', ..] => text
            .get(2..)
            .is_some_and(|text| chunks(text, 4).next().is_some_and(is_piece)),
        [b'P', b'1'..=b'9', ..] => text.get(2..).is_some_and(is_rank),
        _ => false,
    }
}

/// Returns whether a text consists only of the cells of a rank.
fn is_rank(text: &str) -> bool {
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let is_cell = color(first).is_some() && rest.get(1..3).and_then(PieceKind::from_csa).is_some();
        let length = if is_cell { 3 } else { 1 };
        if !is_cell && !matches!(first, '*' | '.') {
            return false;
        }
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    !text.trim().is_empty()
}

impl CsaStart {
    pub(super) const fn is_described(&self) -> bool {
        self.setup.is_some()
    }

    /// Sets the side to move. The first statement counts.
    pub(super) fn set_turn(&mut self, sign: char, spot: TextSpot<'_>, warnings: &mut Warnings) {
        let turn = color(sign);
        if self.turn.or(turn) == turn {
            self.turn = turn;
        } else {
            let taken = if sign == '+' { "-" } else { "+" };
            warnings.add(
                spot,
                RecordProblem::SecondStatement {
                    used: taken.to_owned(),
                    ignored: sign.to_string(),
                },
            );
        }
    }

    /// Returns the game other than shogi whose board has the size of this one; `None` for a shogi board.
    pub(super) fn other_game(&self) -> Option<OtherGame> {
        OtherGame::on_board(self.rank_widths.iter().copied())
    }

    /// Reads a statement about pieces, without its `P`.
    pub(super) fn read_pieces(&mut self, line: Line<'_>, text: &str, warnings: &mut Warnings) {
        let Some((sign, rest)) = text.chars().next().zip(text.get(1..)) else {
            return warnings.add(line.spot(text), RecordProblem::UnknownLine("P".to_owned()));
        };
        match (sign, sign.to_digit(10)) {
            ('I', _) => self.read_standard_without(line, rest, warnings),
            ('+' | '-', _) => self.add(color(sign).unwrap_or(Color::Black), line, rest, warnings),
            (_, Some(rank @ 1..=9)) => self.read_rank(u8::try_from(rank).unwrap_or(9), line, rest, warnings),
            _ => warnings.add(line.spot(text), RecordProblem::UnknownLine(quote(line.text))),
        }
    }

    /// Reads `82HI22KA`: the standard start position without these pieces. An earlier board takes precedence.
    fn read_standard_without(&mut self, line: Line<'_>, text: &str, warnings: &mut Warnings) {
        let mut setup = Setup::from_position(&Position::startpos());
        for chunk in chunks(text, 4) {
            let (at, name) = chunk.split_at_checked(2).unwrap_or((chunk, ""));
            match square(at).zip(PieceKind::from_csa(name)) {
                Some((square, kind)) if setup.piece_on(square).is_some_and(|piece| piece.kind == kind) => {
                    setup.put(square, None);
                }
                _ => warnings.add(line.spot(chunk), RecordProblem::UnknownPiece(quote(chunk))),
            }
        }
        match self.ranks.iter().flatten().next() {
            None => self.setup = Some(setup),
            Some(_) if self.setup.as_ref() == Some(&setup) => {}
            Some(taken) => {
                let problem = RecordProblem::SecondStatement {
                    used: taken.clone(),
                    ignored: quote(line.text),
                };
                warnings.add(line.spot(text), problem);
            }
        }
        for rank in &mut self.ranks {
            rank.get_or_insert_with(|| quote(line.text));
        }
    }

    /// Reads a rank like `-KY-KE * +FU …`. Blanks may have been lost. The first statement for a rank counts.
    fn read_rank(&mut self, rank: u8, line: Line<'_>, text: &str, warnings: &mut Warnings) {
        let setup = self.setup.get_or_insert_with(Setup::empty);
        let Some(taken) = self.ranks.get_mut(usize::from(rank) - 1) else {
            return;
        };
        let (mut width, mut differs) = (0, false);
        let (mut file, mut rest) = (9_u8, text.trim_start());
        while let Some(sign) = rest.chars().next() {
            let cell = match rest.get(..3) {
                Some(cell) if sign != '*' => cell,
                _ => rest.get(..1).unwrap_or(rest),
            };
            let piece = color(sign)
                .zip(cell.get(1..).and_then(PieceKind::from_csa))
                .map(|(color, kind)| Piece { color, kind });
            if sign == '.' {
                // Some programs put a mark after the last cell to preserve its blank.
                rest = rest.get(1..).unwrap_or_default().trim_start();
                continue;
            }
            if piece.is_none() && sign != '*' {
                warnings.add(line.spot(rest), RecordProblem::UnknownPiece(quote(cell)));
            }
            width += 1;
            if let Some(square) = Square::new(file, rank) {
                match taken {
                    Some(_) => differs |= setup.piece_on(square) != piece,
                    None => setup.put(square, piece),
                }
            }
            file = file.checked_sub(1).unwrap_or(u8::MAX);
            rest = rest.get(cell.len()..).unwrap_or_default().trim_start();
        }
        if file != 0 {
            warnings.add(line.spot(text), RecordProblem::RankWidth);
        }
        match taken {
            Some(taken) if differs => {
                let problem = RecordProblem::SecondStatement {
                    used: taken.clone(),
                    ignored: quote(line.text),
                };
                warnings.add(line.spot(text), problem);
            }
            Some(_) => {}
            None => {
                *taken = Some(quote(line.text));
                self.rank_widths.push(width);
            }
        }
    }

    /// Reads `00FU33KI00AL`: single pieces of a side. Square 00 is the hand, AL all remaining pieces.
    fn add(&mut self, color: Color, line: Line<'_>, text: &str, warnings: &mut Warnings) {
        let setup = self.setup.get_or_insert_with(Setup::empty);
        for chunk in chunks(text, 4) {
            let (at, name) = chunk.split_at_checked(2).unwrap_or((chunk, ""));
            let done = match (at, PieceKind::from_csa(name), square(at)) {
                ("00", None, _) if name.eq_ignore_ascii_case("AL") => {
                    setup.add_remaining_to_hand(color);
                    true
                }
                ("00", Some(kind), _) => setup.add_to_hand(color, kind, 1).is_ok(),
                (_, Some(kind), Some(square)) => {
                    setup.put(square, Some(Piece { color, kind }));
                    true
                }
                _ => false,
            };
            if !done {
                warnings.add(line.spot(chunk), RecordProblem::UnknownPiece(quote(chunk)));
            }
        }
    }

    /// Returns the start position. `first` is the side of the first move, if there is one. A game without a position
    /// starts from the standard one. A file without position and moves has an empty board, as in other readers.
    pub(super) fn position(&self, first: Option<Color>) -> Position {
        let turn = self.turn.or(first).unwrap_or(Color::Black);
        let default_setup = || {
            if first.is_some() {
                Setup::from_position(&Position::startpos())
            } else {
                Setup::empty()
            }
        };
        self.setup.clone().unwrap_or_else(default_setup).build(turn, 1)
    }
}

/// Splits a text into pieces of `size` bytes. The remainder or non-ASCII text comes last.
fn chunks(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_end();
    std::iter::from_fn(move || {
        let (chunk, after) = rest.split_at_checked(size).unwrap_or((rest, ""));
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::check_start as check;

    #[test]
    fn reads_positions_in_every_csa_form() {
        let usual = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
        check("PI\n+\n", &format!("{usual} b - 1"), 0);
        check("+\n+7776FU\n", &format!("{usual} b - 1"), 1);
        check("N+a\n-\n", "9/9/9/9/9/9/9/9/9 w - 1", 0);
        check("-3334FU\n", &format!("{usual} w - 1"), 1);
        check("PI,-\n", &format!("{usual} w - 1"), 0);
        check(
            "PI82HI22KA\n-\n",
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            0,
        );
        check(
            "P-51OU\nP+52KI00FU00FU\nP-00AL\n+\n",
            "4k4/4G4/9/9/9/9/9/9/9 b 2P2r2b3g4s4n4l16p 1",
            0,
        );
        check(
            "P1-KY * * * -OU* * * +TO.\nP2 *\n",
            "l3k3+P/9/9/9/9/9/9/9/9 b - 1",
            1,
        );
        check("PI83HI\nP+00OUXX\nP+あ\n", &format!("{usual} b - 1"), 4);
    }
}
