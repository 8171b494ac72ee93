//! Positions that the user puts right.

use super::board::{Board, SQUARES, Start, piece};
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
    /// Takes a position as the user says it is. The moves before it stay where they lead to it, else the game begins there.
    /// `squares` is the last reading: where it shows what was read before on a square that is put right, that counts as misread
    /// from now on.
    ///
    /// Returns `false`, and changes nothing, where the game has not these moves, or its later moves cannot be played after it.
    pub fn correct(&mut self, correction: &BoardCorrection, squares: &[Probabilities]) -> bool {
        let Some(game) = &mut self.game else { return false };
        let Some(read) = game.board_after(correction.moves.len()) else { return false };
        if !game.correct(&correction.moves, &correction.position, self.looks) {
            return false;
        }
        let corrected = Board::from_position(&correction.position);
        if let Some(evidence) = Evidence::new(squares, None, self.is_turned) {
            let put_right = (0..SQUARES).filter(|place| read.class(*place) != corrected.class(*place));
            for place in put_right.filter(|place| game.board.class(*place) == corrected.class(*place)) {
                self.misreadings.insert(place, corrected.class(place), evidence.best(place));
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
            moves.iter().all(|mv| history.play(*mv).is_ok()) && *history.now() == *position
        });
        let mut later = History::new(position.clone());
        if !after.iter().all(|step| later.play(step.mv).is_ok()) {
            return false;
        }
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
