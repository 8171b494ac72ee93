//! The plans of a move: a promotion, an initiative, an attack that does not go on, and an idle piece. They compare the
//! engine's line with the better move and its line after the played one.

mod attack;
mod idle;
mod initiative;
mod promotion;

pub(crate) use attack::attack_ends;
pub(crate) use idle::idle_piece;
pub(crate) use initiative::initiative;
pub(crate) use promotion::promotion_unstoppable;

use crate::fact::{Fact, FactKind, FactPosition};
use crate::line::ReplayedLine;
use shogibar_shogi::{Color, Move, Position};

pub(crate) struct ComparedLines<'a> {
    pub(crate) before: &'a Position,
    pub(crate) played: Move,
    /// The line after the played move, without it.
    pub(crate) punishing: &'a ReplayedLine,
    /// The line that begins with the better move.
    pub(crate) better: &'a ReplayedLine,
}

struct ShownMove<'a> {
    /// The engine's line that begins with the move.
    line: &'a ReplayedLine,
    first: Move,
    positions: MovePositions,
    /// The position at which the line begins.
    at: FactPosition,
    others: Vec<MovePositions>,
}

/// The positions before and after a move.
struct MovePositions {
    before: Position,
    after: Position,
}

impl ComparedLines<'_> {
    /// Returns the side of the played move.
    fn side(&self) -> Color {
        self.before.side_to_move()
    }

    /// Returns the better move with the played one, and the engine's reply to the played move with two replies to the
    /// better one: the engine's and, if it is legal, the same. A move without a known line is left out.
    fn shown_moves(&self) -> Vec<ShownMove<'_>> {
        let played = MovePositions::new(self.before, self.played);
        let better = ShownMove::new(self.better, FactPosition::Before, played.into_iter().collect());
        better.into_iter().chain(self.shown_reply()).collect()
    }

    fn shown_reply(&self) -> Option<ShownMove<'_>> {
        let (reply, after_better) = (self.punishing.first()?, self.better.position(1)?);
        let engine_reply = MovePositions::new(after_better, *self.better.moves().get(1)?)?;
        let others = [engine_reply]
            .into_iter()
            .chain(MovePositions::new(after_better, reply))
            .collect();
        ShownMove::new(self.punishing, FactPosition::After, others)
    }
}

impl<'a> ShownMove<'a> {
    fn new(line: &'a ReplayedLine, at: FactPosition, others: Vec<MovePositions>) -> Option<Self> {
        let first = line.first()?;
        Some(Self {
            line,
            first,
            positions: MovePositions::new(line.start(), first)?,
            at,
            others,
        })
    }

    fn fact(&self, kind: FactKind, plies: usize) -> Fact {
        let line = self.line.moves().iter().take(plies).copied().collect();
        Fact {
            kind,
            side: self.line.side(),
            at: self.at,
            lead: 0,
            line,
        }
    }
}

impl MovePositions {
    /// Plays a move; `None` if it is illegal.
    fn new(before: &Position, mv: Move) -> Option<Self> {
        let mut after = before.clone();
        after.play(mv).ok()?;
        Some(Self {
            before: before.clone(),
            after,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a test, from a position in SFEN: the played move with the engine's line after it, and the better
    /// line.
    pub(super) struct TestLines {
        before: Position,
        played: Move,
        punishing: ReplayedLine,
        better: ReplayedLine,
    }

    impl TestLines {
        pub(super) fn new(sfen: &str, played: &str, better: &str) -> Self {
            let line = |usi: &str| -> Vec<Move> {
                let moves = usi
                    .split_whitespace()
                    .map(|mv| Move::from_usi(mv).unwrap())
                    .collect::<Vec<_>>();
                let replayed = ReplayedLine::from_usi(sfen, usi);
                assert!(replayed.moves().starts_with(&moves), "legal moves: {usi}");
                moves
            };
            let (before, played, better) = (Position::from_sfen(sfen).unwrap(), line(played), line(better));
            let after = MovePositions::new(&before, played[0]).unwrap().after;
            let punishing = ReplayedLine::new(&after, &played[1..]);
            Self {
                played: played[0],
                punishing,
                better: ReplayedLine::new(&before, &better),
                before,
            }
        }

        pub(super) const fn compared(&self) -> ComparedLines<'_> {
            let Self {
                before,
                played,
                punishing,
                better,
            } = self;
            ComparedLines {
                before,
                played: *played,
                punishing,
                better,
            }
        }
    }

    #[test]
    fn shows_the_better_move_and_the_reply() {
        let lines = TestLines::new("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i4i 5a4a", "5i5h 5a5b");
        let compared = lines.compared();
        let shown = compared.shown_moves();
        let firsts: Vec<String> = shown
            .iter()
            .map(|shown| format!("{:?} {}", shown.at, shown.first))
            .collect();
        assert_eq!(firsts, ["Before 5i5h", "After 5a4a"]);
        assert_eq!(
            shown.iter().map(|shown| shown.others.len()).collect::<Vec<_>>(),
            [1, 2]
        );
        let silent = TestLines::new("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i4i 5a4a", "5i5h");
        assert_eq!(
            silent.compared().shown_moves().len(),
            1,
            "the reply to the better move is not known"
        );
    }
}
