//! The values of pieces, and the gains by captures.

use crate::board::Board;
use shogibar_shogi::{Color, Move, PieceKind, Square};

/// A function that returns the value of a kind of piece, promoted or not, in tenths of a pawn. A piece in hand has the
/// same value as on the board.
pub type PieceValue = fn(PieceKind) -> i32;

/// Returns the value of a kind of piece as `docs/analysis.md` prints it, in tenths of a pawn.
pub const fn printed_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Pawn => 10,
        PieceKind::Lance => 30,
        PieceKind::Knight => 40,
        PieceKind::Silver => 50,
        PieceKind::Gold | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => 60,
        PieceKind::ProPawn => 70,
        PieceKind::Bishop => 80,
        PieceKind::Rook | PieceKind::Horse => 100,
        PieceKind::Dragon => 120,
    }
}

/// The maximum number of captures in a row that [`quiet_gain`] searches.
const MAX_CAPTURES: u32 = 12;

/// The maximum number of boards that [`quiet_gain`] searches.
const MAX_BOARDS: u32 = 20_000;

/// Returns the balance of `side`, in the unit of `value`: half of the difference between the material of both sides,
/// hands included. So a pawn that changes hands is 10 with [`printed_value`].
pub(crate) fn material(board: &Board, side: Color, value: PieceValue) -> i32 {
    let signed = |owner: Color, worth: i32| if owner == side { worth } else { -worth };
    let on_board: i32 = board
        .pieces()
        .filter(|(_, piece)| piece.kind != PieceKind::King)
        .map(|(_, piece)| signed(piece.color, value(piece.kind)))
        .sum();
    let hand = |owner| -> i32 {
        PieceKind::IN_HAND
            .into_iter()
            .map(|kind| value(kind) * i32::from(board.count(owner, kind)))
            .sum()
    };
    (on_board + hand(side) - hand(side.flip())) / 2
}

/// Returns the gain of the side to move by a capture on a square and all captures there that follow, in the unit of
/// `value`. 0 without a gain.
pub(crate) fn exchange_gain(board: &Board, square: Square, value: PieceValue) -> i32 {
    let side = board.side();
    let before = material(board, side, value);
    let gains = board.captures(Some(square)).into_iter().map(|mv| {
        let next = board.after(mv);
        material(&next, side, value) - before - exchange_gain(&next, square, value)
    });
    gains.max().unwrap_or(0).max(0)
}

/// Returns the most that the side to move gains by captures on one square, in the unit of `value`. 0 without a gain.
pub(crate) fn best_exchange_gain(board: &Board, value: PieceValue) -> i32 {
    let targets = board.pieces().filter(|(_, piece)| piece.color != board.side());
    targets
        .map(|(square, _)| exchange_gain(board, square, value))
        .max()
        .unwrap_or(0)
}

/// Returns captures by both sides that gain most by [`quiet_gain`].
pub(crate) fn quiet_captures(board: &Board, value: PieceValue) -> Vec<Move> {
    let mut board = *board;
    let mut captures = Vec::new();
    loop {
        let (side, gain) = (board.side(), quiet_gain(&board, value));
        let gained = |mv: &Move| {
            let next = board.after(*mv);
            material(&next, side, value) - material(&board, side, value) - quiet_gain(&next, value)
        };
        let best = board
            .captures(None)
            .into_iter()
            .find(|mv| gain > 0 && gained(mv) == gain);
        let Some(mv) = best else { return captures };
        captures.push(mv);
        board = board.after(mv);
    }
}

/// Returns the gain of the side to move by captures anywhere, in the unit of `value`. Either side may stop at any time,
/// so the gain is at least 0.
pub(crate) fn quiet_gain(board: &Board, value: PieceValue) -> i32 {
    let side = board.side();
    let now = material(board, side, value);
    let mut search = QuietSearch {
        value,
        remaining_boards: MAX_BOARDS,
    };
    search.best(board, MAX_CAPTURES, [now, i32::MAX]) - now
}

/// A search that plays captures only.
#[derive(Debug)]
struct QuietSearch {
    value: PieceValue,
    /// The number of boards that may still be searched.
    remaining_boards: u32,
}

impl QuietSearch {
    /// Returns the best balance for the side to move within the window `[low, high]`, in the unit of `value`.
    fn best(&mut self, board: &Board, remaining_captures: u32, [low, high]: [i32; 2]) -> i32 {
        let mut best = material(board, board.side(), self.value).max(low);
        if remaining_captures == 0 || best >= high || self.remaining_boards == 0 {
            return best;
        }
        let mut moves = board.captures(None);
        let worth = |square| board.piece_on(square).map_or(0, |piece| (self.value)(piece.kind));
        moves.sort_by_key(|mv| std::cmp::Reverse(worth(mv.to())));
        for mv in moves {
            self.remaining_boards = self.remaining_boards.saturating_sub(1);
            let reply = self.best(&board.after(mv), remaining_captures - 1, [-high, -best]);
            best = best.max(-reply);
            if best >= high {
                break;
            }
        }
        best
    }
}
