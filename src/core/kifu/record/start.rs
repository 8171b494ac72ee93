//! Where a record starts.

use crate::shogi::{Color, Position, Setup};
use std::sync::OnceLock;

/// The start of a record. A position takes 19 KB, what tells repetitions included; of the many games of a
/// file each keeps a few bytes, until its position is asked for.
#[derive(Clone, Debug)]
pub(super) struct Start {
    setup: Setup,
    turn: Color,
    number: u16,
    position: OnceLock<Box<Position>>,
}

impl Start {
    pub(super) fn new(position: &Position) -> Self {
        let (turn, number) = (position.side_to_move(), position.move_number());
        let start = Self { setup: Setup::of(position), turn, number, position: OnceLock::new() };
        if start.can_be_put_together() {
            return start;
        }
        Self { position: OnceLock::from(Box::new(position.clone())), ..start }
    }

    /// Whether it is all there without its position: a number of 0 is not.
    const fn can_be_put_together(&self) -> bool {
        self.number > 0
    }

    pub(super) fn position(&self) -> &Position {
        self.position.get_or_init(|| Box::new(self.build()))
    }

    /// Whether board and hands are those of an even game.
    pub(super) fn is_usual(&self) -> bool {
        self.setup.is_usual()
    }

    /// The position, put together anew: for one look at each of many games.
    pub(super) fn build(&self) -> Position {
        self.setup.build(self.turn, self.number)
    }

    /// Gives the memory of the position back.
    pub(super) fn forget(&mut self) {
        if self.can_be_put_together() {
            self.position = OnceLock::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_the_same_after_it_was_forgotten() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "4k4/9/9/9/9/9/9/9/4K4 w 2Pr 0",
            "9/9/4k4/9/9/9/9/9/9 b - 9999",
        ] {
            let position = Position::from_sfen(sfen).expect(sfen);
            let mut start = Start::new(&position);
            start.forget();
            assert_eq!(*start.position(), position, "{sfen}");
        }
    }
}
