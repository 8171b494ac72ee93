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
    pub(super) fn new(position: Position) -> Self {
        let setup = Setup::of(&position);
        let (turn, number) = (position.side_to_move(), position.move_number());
        Self { setup, turn, number, position: OnceLock::from(Box::new(position)) }
    }

    pub(super) fn position(&self) -> &Position {
        self.position.get_or_init(|| Box::new(self.build()))
    }

    /// The position, put together anew: for one look at each of many games.
    pub(super) fn build(&self) -> Position {
        self.setup.build(self.turn, self.number)
    }

    /// Gives the memory of the position back.
    pub(super) fn forget(&mut self) {
        // A number of 0 cannot be put together again.
        if self.number > 0 {
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
            let mut start = Start::new(position.clone());
            start.forget();
            assert_eq!(*start.position(), position, "{sfen}");
        }
    }
}
