//! A replayed line of moves: its positions, its captures, and its quiet end.

use crate::board::AttackBoard;
use crate::fact::Gain;
use crate::material::{
    MIN_THREAT_GAIN, balance, best_capture, capture_gain, capture_value, is_quiet, move_gain, piece_value,
};
use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// The maximum number of plies of a line that are replayed.
const MAX_PLIES: usize = 16;

/// The maximum number of captures that are appended to a line whose side to move gains by captures at its end.
const MAX_APPENDED_CAPTURES: usize = 6;

/// The minimum gain with which any piece counts as won, in tenths of a pawn. A more valuable piece needs half of its
/// value.
const MIN_WON_PIECE_GAIN: i32 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capture {
    /// The number of moves of the line before the capture.
    pub(crate) ply: usize,
    pub(crate) side: Color,
    pub(crate) kind: PieceKind,
    pub(crate) square: Square,
    /// The square of the captured piece after the first move of the line; `None` if the piece was dropped later.
    pub(crate) origin: Option<Square>,
    /// The square of the capturing piece after the first move of the line; `None` if the piece was dropped later.
    pub(crate) capturer_origin: Option<Square>,
    pub(crate) capturing_piece: PieceKind,
}

/// A line from a position, and its captures.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedLine {
    positions: Vec<Position>,
    moves: Vec<Move>,
    captures: Vec<Capture>,
    /// The number of moves without the appended captures.
    moves_without_appended: usize,
    /// The gain of the side to move by captures in each position, in tenths of a pawn.
    capture_gains: Vec<i32>,
    /// For each square, where its piece was after the first move; `None` without such a piece.
    origins: [Option<Square>; 81],
}

impl ReplayedLine {
    /// Replays the legal moves at the front of `moves`. Appends captures while the side to move gains two pawns or
    /// more.
    pub(crate) fn new(start: &Position, moves: &[Move]) -> Self {
        let mut line = Self {
            positions: vec![start.without_history()],
            moves: Vec::new(),
            captures: Vec::new(),
            moves_without_appended: 0,
            capture_gains: vec![capture_gain(start)],
            origins: std::array::from_fn(|_| None),
        };
        for mv in moves.iter().take(MAX_PLIES) {
            if !line.play(*mv) {
                break;
            }
        }
        line.moves_without_appended = line.moves.len();
        for _ in 0..MAX_APPENDED_CAPTURES {
            if line.moves.is_empty() {
                break;
            }
            let Some((mv, gain)) = best_capture(line.end()) else {
                break;
            };
            if gain < MIN_THREAT_GAIN || !line.play(mv) {
                break;
            }
        }
        line
    }

    /// Plays a move. Returns whether it is legal.
    fn play(&mut self, mv: Move) -> bool {
        let mut next = self.end().clone();
        let Some(with) = moved_kind(&next, mv) else {
            return false;
        };
        let side = next.side_to_move();
        let captured_piece = next.piece_on(mv.to());
        if next.play(mv).is_err() {
            return false;
        }
        let capturer = mv.from().and_then(|from| self.origin(from));
        let (ply, square) = (self.moves.len(), mv.to());
        if let Some(piece) = captured_piece {
            let origin = if ply == 0 {
                Some(square)
            } else {
                self.origin(square)
            };
            let capturer = if ply == 0 { Some(square) } else { capturer };
            self.captures.push(Capture {
                ply,
                side,
                kind: piece.kind,
                square,
                origin,
                capturer_origin: capturer,
                capturing_piece: with,
            });
        }
        if ply == 0 {
            for (slot, square) in self.origins.iter_mut().zip(Square::all()) {
                *slot = next.piece_on(square).map(|_| square);
            }
        } else {
            mv.from().into_iter().for_each(|from| self.set_origin(from, None));
            self.set_origin(square, capturer);
        }
        self.capture_gains.push(capture_gain(&next));
        self.moves.push(mv);
        self.positions.push(next);
        true
    }

    /// Returns where the piece on a square was after the first move.
    fn origin(&self, square: Square) -> Option<Square> {
        self.origins.get(square.index()).copied().flatten()
    }

    fn set_origin(&mut self, square: Square, origin: Option<Square>) {
        if let Some(slot) = self.origins.get_mut(square.index()) {
            *slot = origin;
        }
    }

    fn end(&self) -> &Position {
        // The list contains the start from the beginning.
        self.positions.last().unwrap_or_else(|| self.start())
    }

    #[expect(clippy::indexing_slicing, reason = "a line always has its first position")]
    pub(crate) fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// Returns the position after this number of moves.
    pub(crate) fn position(&self, plies: usize) -> Option<&Position> {
        self.positions.get(plies)
    }

    /// Returns the side that moves first.
    pub(crate) fn side(&self) -> Color {
        self.start().side_to_move()
    }

    pub(crate) fn first(&self) -> Option<Move> {
        self.moves.first().copied()
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the number of moves without the appended captures.
    pub(crate) const fn len_without_appended(&self) -> usize {
        self.moves_without_appended
    }

    pub(crate) fn gain(&self, side: Color, plies: usize) -> Gain {
        let at = |plies: usize| {
            self.position(plies)
                .map_or(0, |position| balance(position, side).0)
        };
        Gain(at(plies) - at(0))
    }

    /// Returns the first number of moves, 2 at least, after which the position is quiet; `None` without such a
    /// position.
    pub(crate) fn first_quiet_ply(&self) -> Option<usize> {
        self.positions
            .iter()
            .enumerate()
            .skip(2)
            .find(|(_, position)| is_quiet(position))
            .map(|(plies, _)| plies)
    }

    /// Returns the gain of a side to the end of the line, with the captures that follow there, in tenths of a pawn.
    pub(crate) fn settled_gain(&self, side: Color) -> i32 {
        let plies = self.moves.len();
        self.gain(side, plies).0 + self.capture_gain_after(side, plies)
            - self.capture_gain_after(side.flip(), plies)
    }

    /// Returns the gain of a side by captures after this number of moves, in tenths of a pawn. The gain is 0 if the
    /// side is not to move.
    fn capture_gain_after(&self, side: Color, plies: usize) -> i32 {
        let is_to_move = self
            .position(plies)
            .is_some_and(|position| position.side_to_move() == side);
        if is_to_move {
            self.capture_gains.get(plies).copied().unwrap_or(0)
        } else {
            0
        }
    }

    /// Returns the loss of a side by its moves within this number of moves, in tenths of a pawn. Each move is compared
    /// with a pass, by the captures that follow. Answers to a check are not counted.
    pub(crate) fn loss_against_passes(&self, side: Color, plies: usize) -> i32 {
        let loss = |ply: usize| -> Option<i32> {
            let (position, mv) = (self.position(ply)?, *self.moves.get(ply)?);
            if position.side_to_move() != side || position.in_check() {
                return None;
            }
            let passed = capture_gain(&position.with_side_to_move(side.flip()));
            Some((self.capture_gains.get(ply + 1)? - move_gain(position, mv) - passed).max(0))
        };
        (0..plies).filter_map(loss).sum()
    }

    /// Returns the captures within this number of moves.
    pub(crate) fn captures(&self, plies: usize) -> impl Iterator<Item = &Capture> {
        self.captures
            .iter()
            .take_while(move |capture| capture.ply < plies)
    }

    /// Returns the piece that a side wins for good, with the fewest moves of the line that win it; `None` without one.
    /// `offset` is the gain of the side before the line began, in tenths of a pawn.
    pub(crate) fn won_piece(&self, side: Color, offset: i32) -> Option<WonPiece> {
        let win = (1..self.positions.len()).find_map(|plies| self.won_piece_after(side, plies, offset))?;
        let needed = win.min_gain - offset.min(0);
        let lasts = |plies: usize| self.gain(side, plies).0 + self.capture_gain_after(side, plies) >= needed;
        let is_forced = win.gain.0 - self.loss_against_passes(side.flip(), win.plies) >= needed;
        let holds =
            is_forced && self.settled_gain(side) >= needed && (win.plies..self.positions.len()).all(lasts);
        holds.then_some(win)
    }

    /// Returns the piece that a side wins within this number of moves. `offset` is the gain of the side before the line
    /// began, in tenths of a pawn.
    fn won_piece_after(&self, side: Color, plies: usize, offset: i32) -> Option<WonPiece> {
        let mut won: Vec<Capture> = self
            .captures(plies)
            .filter(|capture| capture.side == side)
            .copied()
            .collect();
        let mut by_captures: i32 = won.iter().map(|capture| capture_value(capture.kind)).sum();
        // A piece that was dropped or promoted within the line is not won. Appended captures are too uncertain.
        won.retain(|capture| self.is_original_piece(capture) && capture.ply < self.moves_without_appended);
        let mut max_lost = 0;
        for lost in self.captures(plies).filter(|capture| capture.side != side) {
            by_captures -= capture_value(lost.kind);
            // A piece of the same kind was won back.
            match won
                .iter()
                .position(|capture| capture.kind.unpromoted() == lost.kind.unpromoted())
            {
                Some(same) => drop(won.remove(same)),
                None => max_lost = max_lost.max(capture_value(lost.kind)),
            }
        }
        let best = won
            .into_iter()
            .max_by_key(|capture| (piece_value(capture.kind), std::cmp::Reverse(capture.ply)))?;
        // A larger piece for several smaller ones is an exchange.
        if max_lost > capture_value(best.kind) {
            return None;
        }
        let min_gain = (piece_value(best.kind) / 2).max(MIN_WON_PIECE_GAIN);
        let position = self.position(plies)?;
        // The moves after a check are not known.
        let is_checked = position.in_check() && position.side_to_move() == side;
        let (gain, rest) = (
            self.gain(side, plies),
            self.capture_gain_after(side.flip(), plies),
        );
        let is_enough = gain.0.min(by_captures) - rest + offset.min(0) >= min_gain;
        let is_won = best.kind != PieceKind::Pawn && !is_checked && is_enough;
        is_won.then_some(WonPiece {
            capture: best,
            plies,
            gain,
            min_gain,
        })
    }

    /// Returns whether a captured piece was on the board after the first move, promoted or not as at its capture.
    fn is_original_piece(&self, capture: &Capture) -> bool {
        let ply = usize::from(capture.ply > 0);
        let stood = capture
            .origin
            .and_then(|origin| self.position(ply)?.piece_on(origin));
        stood.is_some_and(|piece| piece.kind == capture.kind)
    }

    /// Returns the number of moves before a side captures a piece of a kind on a square; `None` if it does not.
    pub(crate) fn capture_ply(&self, side: Color, kind: PieceKind, square: Square) -> Option<usize> {
        let mut captures = self.captures.iter();
        let found =
            captures.find(|capture| (capture.side, capture.kind, capture.square) == (side, kind, square))?;
        Some(found.ply)
    }

    pub(crate) fn promotes(&self, side: Color, kind: PieceKind) -> bool {
        let promotes = |(position, mv): (&Position, &Move)| {
            let is_promotion = matches!(mv, Move::Board { promote: true, .. });
            is_promotion && position.side_to_move() == side && moved_kind(position, *mv) == Some(kind)
        };
        self.positions.iter().zip(&self.moves).any(promotes)
    }

    pub(crate) fn board_after_first(&self) -> Option<AttackBoard> {
        self.position(1).map(AttackBoard::new)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct WonPiece {
    pub(crate) capture: Capture,
    /// The number of moves of the line after which the piece is won.
    pub(crate) plies: usize,
    /// The gain of the side by these moves.
    pub(crate) gain: Gain,
    /// The minimum gain with which the piece counts as won, in tenths of a pawn.
    pub(crate) min_gain: i32,
}

pub(crate) fn moved_kind(position: &Position, mv: Move) -> Option<PieceKind> {
    match mv {
        Move::Board { from, .. } => position.piece_on(from).map(|piece| piece.kind),
        Move::Drop { kind, .. } => Some(kind),
    }
}

#[cfg(test)]
impl ReplayedLine {
    pub(crate) fn from_usi(sfen: &str, moves: &str) -> Self {
        let moves: Vec<Move> = moves
            .split_whitespace()
            .map(|mv| Move::from_usi(mv).unwrap())
            .collect();
        Self::new(&Position::from_sfen(sfen).unwrap(), &moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shogibar_shogi::any;

    #[test]
    fn counts_an_exchange_as_nothing_won() {
        let line = ReplayedLine::from_usi("4k4/9/4p4/4s4/9/4S4/9/4R4/4K4 b - 1", "5f5e 5d5e 5h5e");
        assert_eq!(line.settled_gain(Color::Black), 0);
        assert!(line.won_piece(Color::Black, 0).is_none());
    }

    #[test]
    fn finds_the_piece_that_is_won() {
        let line = ReplayedLine::from_usi("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1", "5e5d 5a4b");
        let win = line.won_piece(Color::Black, 0).unwrap();
        assert_eq!(
            (win.capture.kind, win.plies, win.gain),
            (PieceKind::Silver, 1, Gain(50))
        );
        assert!(line.won_piece(Color::White, 0).is_none());
        assert!(
            line.won_piece(Color::Black, -50).is_none(),
            "the silver takes back"
        );
    }

    #[test]
    fn a_piece_is_won_within_the_line_that_was_given_and_for_no_larger_one() {
        let open = "4k4/9/9/4s4/9/4P4/9/9/4K4 b - 1";
        assert_eq!(
            ReplayedLine::from_usi(open, "5f5e 5a5b 5e5d")
                .won_piece(Color::Black, 0)
                .map(|win| win.capture.ply),
            Some(2)
        );
        assert!(
            ReplayedLine::from_usi(open, "5f5e 5a5b")
                .won_piece(Color::Black, 0)
                .is_none(),
            "the capture was appended"
        );
        let three_for_one = "9/3k5/3gs3l/9/3RL3L/9/9/9/4K4 b - 1";
        let line = ReplayedLine::from_usi(three_for_one, "6e6c+ 6b6c 1e1c+ 6c7b 5e5c+ 7b8b");
        assert!(line.gain(Color::Black, 6).0 > 0);
        assert!(
            line.won_piece_after(Color::Black, 6, 0).is_none(),
            "a gold, a silver and a lance for a rook"
        );
    }

    #[test]
    fn captures_on_to_a_quiet_position() {
        let line = ReplayedLine::from_usi("4k4/9/9/4s4/9/4P4/9/9/4K4 b - 1", "5f5e");
        assert_eq!(line.moves().len(), 1, "the silver may go");
        let line = self::ReplayedLine::from_usi("4k4/9/9/4s4/9/4P4/9/9/4K4 b - 1", "5f5e 5a5b");
        assert_eq!(line.moves().len(), 3, "the pawn takes the silver");
        assert_eq!(line.settled_gain(Color::Black), 50);
    }

    #[test]
    fn follows_pieces_to_their_origins() {
        let line = ReplayedLine::from_usi(
            "4k4/9/9/4s4/4P4/9/9/9/R3K4 b - 1",
            "9i9h 5d4e 9h4h 5a5b 4h4e 5b5a",
        );
        let capture = line.captures(9).next().unwrap();
        let square = |usi: &str| Square::from_usi(usi.as_bytes());
        assert_eq!(
            (capture.ply, capture.origin, capture.capturer_origin),
            (4, square("5d"), square("9h"))
        );
    }

    proptest! {
        #[test]
        fn replays_only_legal_moves(sfen in any::sfen(0.2), choices in proptest::collection::vec(0..500_usize, 8)) {
            let Ok(position) = Position::from_sfen(&sfen) else { return Ok(()) };
            let (mut now, mut moves) = (position.clone(), Vec::new());
            for choice in choices {
                let legal = now.legal_moves();
                let Some(mv) = legal.get(choice % legal.len().max(1)) else { break };
                moves.push(*mv);
                prop_assert!(now.play(*mv).is_ok());
            }
            let line = ReplayedLine::new(&position, &moves);
            prop_assert!(line.moves().starts_with(&moves));
            for side in [Color::Black, Color::White] {
                let captured = |capture: &Capture| u32::from(capture.side == side);
                let count: u32 = line.captures(99).map(captured).sum();
                prop_assert!(count <= 16);
            }
        }
    }
}
