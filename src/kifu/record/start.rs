//! The start position of a record.

use shogibar_shogi::{Color, Position, Setup};
use std::sync::OnceLock;

/// The start position of a record, in compact form. A position takes 19 KB with its repetition data. A start takes a
/// few bytes until its position is requested, because a file may have many games.
#[derive(Clone, Debug)]
pub(super) struct RecordStart {
    /// The description; `None` for the standard start position, the most common case.
    description: Option<Box<StartDescription>>,
    /// The position, once it has been requested.
    position: OnceLock<Box<Position>>,
}

/// A start position as board, hands, side to move and move number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StartDescription {
    setup: Setup,
    side_to_move: Color,
    number: u16,
}

impl RecordStart {
    pub(super) fn new(position: &Position) -> Self {
        let (setup, side_to_move, number) = (
            Setup::from_position(position),
            position.side_to_move(),
            position.move_number(),
        );
        let is_usual = side_to_move == Color::Black && number == 1 && setup.is_startpos();
        let description = (!is_usual).then(|| {
            Box::new(StartDescription {
                setup,
                side_to_move,
                number,
            })
        });
        let start = Self {
            description,
            position: OnceLock::new(),
        };
        if start.can_rebuild() {
            return start;
        }
        Self {
            position: OnceLock::from(Box::new(position.clone())),
            ..start
        }
    }

    /// Returns whether the position can be rebuilt from the description. A position with move number 0 cannot.
    fn can_rebuild(&self) -> bool {
        self.description
            .as_ref()
            .is_none_or(|description| description.number > 0)
    }

    /// Returns the position, which the first call builds.
    pub(super) fn position(&self) -> &Position {
        self.position.get_or_init(|| Box::new(self.build()))
    }

    /// Returns whether another start is the same, without building either.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.description == other.description
    }

    /// Returns whether board and hands are those of an even game.
    pub(super) fn is_standard(&self) -> bool {
        self.description
            .as_ref()
            .is_none_or(|description| description.setup.is_startpos())
    }

    /// Builds the position without caching it, for callers that inspect each of many games once.
    pub(super) fn build(&self) -> Position {
        match self.description.as_deref() {
            None => Position::startpos(),
            Some(StartDescription {
                setup,
                side_to_move,
                number,
            }) => setup.build(*side_to_move, *number),
        }
    }

    /// Releases the memory of the position, if the position can be rebuilt.
    pub(super) fn drop_position(&mut self) {
        if self.can_rebuild() {
            self.position = OnceLock::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rebuilds_a_start_after_dropping_its_position() {
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
