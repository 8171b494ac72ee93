//! Positions that the user puts right.

use super::board::{SQUARES, Start, piece};
use super::game::{LineStep, SeenGame};
use super::{Evidence, Tracker};
use crate::network::Probabilities;
use shogibar_core::shogi::{History, Move, Piece, Position, Setup};

/// What the user says of a position that was read: its pieces, the hands and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardCorrection {
    /// The moves from the start of the game to the position, as they were read.
    pub moves: Vec<Move>,
    /// The position as it is. Black is at the bottom of the board.
    pub position: Position,
}

impl Tracker {
    /// Takes a position as the user says it is. The moves before and after it stay where they can be played with it; else
    /// the game begins there. `squares` is the last reading: what it shows otherwise counts as misread from now on.
    ///
    /// Returns `false`, and changes nothing, where the game has not these moves.
    pub fn correct(&mut self, correction: &BoardCorrection, squares: &[Probabilities]) -> bool {
        let Some(game) = &mut self.game else { return false };
        let before = game.board;
        if !game.correct(&correction.moves, &correction.position, self.looks) {
            return false;
        }
        if let Some(evidence) = Evidence::new(squares, None, self.is_turned) {
            for place in (0..SQUARES).filter(|place| before.class(*place) != game.board.class(*place)) {
                self.misreadings.insert(place, game.board.class(place), evidence.best(place));
            }
        }
        self.forget_looks();
        true
    }
}

impl SeenGame {
    /// Replaces the position after the first moves of the line to the current node.
    fn correct(&mut self, moves: &[Move], position: &Position, look: u64) -> bool {
        let line: Vec<_> = self.line_to_current();
        let Some((before, after)) = line.split_at_checked(moves.len()) else { return false };
        if !before.iter().map(|step| step.mv).eq(moves.iter().copied()) {
            return false;
        }
        let start = start_before(position, before).filter(|start| {
            let mut history = History::new(start.clone());
            let is_played = moves.iter().all(|mv| history.play(*mv).is_ok());
            is_played && *history.now() == *position && after.iter().all(|step| history.play(step.mv).is_ok())
        });
        let (start, kept) = match &start {
            Some(start) => (start, line.as_slice()),
            None => (position, after),
        };
        self.begin_anew(Start::from_position(start), kept, look);
        true
    }
}

/// Returns the position before moves that led to a position; `None` where they cannot have.
fn start_before(position: &Position, line: &[LineStep]) -> Option<Position> {
    let mut setup = Setup::from_position(position);
    for step in line.iter().rev() {
        let to = step.mv.to();
        let moved = setup.piece_on(to).filter(|piece| piece.color == step.mover)?;
        let captured = piece(step.before);
        setup.put(to, captured);
        match step.mv {
            Move::Drop { kind, .. } => setup.add_to_hand(step.mover, kind, 1).ok()?,
            Move::Board { from, promote, .. } => {
                let kind = if promote { moved.kind.unpromoted() } else { moved.kind };
                setup.put(from, Some(Piece { kind, ..moved }));
            }
        }
        if let Some(captured) = captured
            && !setup.take(step.mover, captured.kind.unpromoted())
        {
            return None;
        }
    }
    let number = position.move_number().saturating_sub(u16::try_from(line.len()).ok()?);
    let side = line.first().map_or_else(|| position.side_to_move(), |first| first.mover);
    Some(setup.build(side, number))
}
