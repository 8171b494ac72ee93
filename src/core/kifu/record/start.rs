//! Where a record starts.

use crate::shogi::{Color, Position, Setup};
use std::sync::OnceLock;

/// The start of a record. A position takes 19 KB, what tells repetitions included; of the many games of a
/// file each keeps a few bytes, until its position is asked for.
#[derive(Clone, Debug)]
pub(super) struct RecordStart {
    /// `None` where it is that of an even game, as it mostly is.
    described: Option<Box<Described>>,
    position: OnceLock<Box<Position>>,
}

/// A start by its board, hands, side to move and number.
#[derive(Clone, Debug)]
struct Described {
    setup: Setup,
    turn: Color,
    number: u16,
}

impl RecordStart {
    pub(super) fn new(position: &Position) -> Self {
        let (setup, turn, number) = (Setup::from_position(position), position.side_to_move(), position.move_number());
        let is_usual = turn == Color::Black && number == 1 && setup.is_usual();
        let described = (!is_usual).then(|| Box::new(Described { setup, turn, number }));
        let start = Self { described, position: OnceLock::new() };
        if start.can_be_put_together() {
            return start;
        }
        Self { position: OnceLock::from(Box::new(position.clone())), ..start }
    }

    /// Whether it is all there without its position: a number of 0 is not.
    fn can_be_put_together(&self) -> bool {
        self.described.as_ref().is_none_or(|described| described.number > 0)
    }

    pub(super) fn position(&self) -> &Position {
        self.position.get_or_init(|| Box::new(self.build()))
    }

    /// Whether board and hands are those of an even game.
    pub(super) fn is_usual(&self) -> bool {
        self.described.as_ref().is_none_or(|described| described.setup.is_usual())
    }

    /// The position, put together anew: for one look at each of many games.
    pub(super) fn build(&self) -> Position {
        match self.described.as_deref() {
            None => Position::startpos(),
            Some(Described { setup, turn, number }) => setup.build(*turn, *number),
        }
    }

    /// Gives the memory of the position back.
    pub(super) fn drop_position(&mut self) {
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
            let mut start = RecordStart::new(&position);
            start.drop_position();
            assert_eq!(*start.position(), position, "{sfen}");
        }
    }
}
