//! Corrections of positions by the user.

use super::board::{BoardClasses, SQUARE_COUNT, Start, piece};
use super::game::{LineStep, SeenGame};
use super::{Evidence, Tracker};
use crate::network::Probabilities;
use shogibar_shogi::{History, Move, Piece, Position, Setup};

/// A position as the user corrected it: its pieces, the hands and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardCorrection {
    /// The moves from the start of the game to the position, as they were read.
    pub moves: Vec<Move>,
    /// The corrected position. Black is at the bottom of the board.
    pub position: Position,
}

impl Tracker {
    /// Applies a correction by the user. The moves before the position remain where they lead to the corrected
    /// position. Otherwise the game begins at that position. `squares` is the last reading. Corrected squares that
    /// later moves have not changed are recorded as misread.
    ///
    /// Returns `false` and changes nothing where the game lacks these moves, or later moves become illegal.
    pub fn correct(&mut self, correction: &BoardCorrection, squares: &[Probabilities]) -> bool {
        let Some(game) = &mut self.game else { return false };
        let Some(read) = game.board_after(correction.moves.len()) else {
            return false;
        };
        if !game.correct(&correction.moves, &correction.position, self.reading_count) {
            return false;
        }
        let corrected = BoardClasses::from_position(&correction.position);
        if let Some(evidence) = Evidence::new(squares, None, self.is_rotated) {
            let corrected_squares =
                (0..SQUARE_COUNT).filter(|square| read.class(*square) != corrected.class(*square));
            for square in
                corrected_squares.filter(|square| game.board.class(*square) == corrected.class(*square))
            {
                self.misreadings
                    .insert(square, corrected.class(square), evidence.best_class(square));
            }
        }
        self.forget_readings();
        true
    }
}

impl SeenGame {
    /// Replaces the position after the first moves of the line to the current node. Returns whether the line begins
    /// with `moves` and is legal after the correction.
    fn correct(&mut self, moves: &[Move], position: &Position, reading: u64) -> bool {
        let line: Vec<_> = self.line_to_current();
        let Some((before, after)) = line.split_at_checked(moves.len()) else {
            return false;
        };
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
        let (start, line) = match &start {
            Some(start) => (start, line.as_slice()),
            None => (position, after),
        };
        self.restart(Start::from_position(start), line, reading);
        true
    }
}

/// Returns the position before the moves of a line that led to `position`. `None` where the moves do not lead there.
fn start_before(position: &Position, line: &[LineStep]) -> Option<Position> {
    let mut setup = Setup::from_position(position);
    for step in line.iter().rev() {
        let to = step.mv.to();
        let moved = setup.piece_on(to).filter(|piece| piece.color == step.mover)?;
        let captured = piece(step.class_before);
        setup.put(to, captured);
        match step.mv {
            Move::Drop { kind, .. } => setup.add_to_hand(step.mover, kind, 1).ok()?,
            Move::Board { from, promote, .. } => {
                let kind = if promote {
                    moved.kind.unpromoted()
                } else {
                    moved.kind
                };
                setup.put(from, Some(Piece { kind, ..moved }));
            }
        }
        if let Some(captured) = captured
            && !setup.remove_from_hand(step.mover, captured.kind.unpromoted())
        {
            return None;
        }
    }
    let number = position
        .move_number()
        .saturating_sub(u16::try_from(line.len()).ok()?);
    let side = line
        .first()
        .map_or_else(|| position.side_to_move(), |first| first.mover);
    Some(setup.build(side, number))
}
