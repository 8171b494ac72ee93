//! A position and its rules.

mod illegal;
mod searchable;

pub use illegal::IllegalMove;
pub use searchable::Unsearchable;

use super::{Color, Hand, Move, Piece, PieceKind, SfenError, Square, sfen};
use rsshogi::board::{self, PositionState};
use rsshogi::movegen::{self, Move32Sink};
use rsshogi::types::{self as rules, EnteringKingRule, Move32, RepetitionState};
use std::fmt;
use std::sync::LazyLock;

/// A position: board, hands, side to move, move number, and the previous positions that
/// repetition needs.
///
/// Kings may be missing (a mating problem, a sketch). [`Position::searchable`] returns whether an engine can search
/// the position.
#[derive(Clone)]
pub struct Position(board::Position);

/// The data that [`Position::undo`] needs to undo a move; [`Position::play_with_undo`] returns it.
#[derive(Clone, Debug)]
pub struct Undo(UndoKind);

/// The way in which a move is undone.
#[derive(Clone, Debug)]
enum UndoKind {
    /// The rules crate undoes the move.
    Move(Move32),
    /// The position before the move is restored.
    Restore(Box<Position>),
}

/// The result of a fourfold repetition, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// 千日手
    Draw,
    /// The side to move was in check throughout: the opponent loses.
    Win,
    /// The side to move has given check throughout, and loses.
    Loss,
}

impl Repetition {
    /// Returns the winner when `mover` is to move; `None` for a draw.
    pub const fn winner(self, mover: Color) -> Option<Color> {
        match self {
            Self::Draw => None,
            Self::Win => Some(mover),
            Self::Loss => Some(mover.flip()),
        }
    }
}

impl Position {
    /// Returns the starting position of an even game (平手).
    pub fn startpos() -> Self {
        // Built only once, because every game that is read needs it.
        static STARTPOS: LazyLock<Position> =
            LazyLock::new(|| Position::from_rules(board::hirate_position()));
        STARTPOS.clone()
    }

    /// Parses an SFEN: the board, `b` or `w`, the hands, and an optional move number.
    ///
    /// # Errors
    /// Fails if a field is invalid. A chess FEN has a separate error.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        sfen::parse(text).map(|state| Self::from_state(&state))
    }

    /// Returns the SFEN with its move number, hands in the order R B G S N L P.
    pub fn sfen(&self) -> String {
        sfen::write(self)
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        self.0.turn()
    }

    /// Returns the number of the next move, as SFEN counts: 1 at the start of a game.
    pub fn move_number(&self) -> u16 {
        self.0.game_ply()
    }

    /// Returns the piece on a square; `None` for an empty square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let piece = self.0.piece_on(square.to_rules());
        PieceKind::from_rules(piece.piece_type()).map(|kind| Piece {
            color: piece.color(),
            kind,
        })
    }

    /// Returns the hand of a side.
    pub fn hand(&self, color: Color) -> Hand {
        Hand::from_rules(self.0.hand(color))
    }

    /// Returns the square of a side's king; `None` where it has none.
    pub fn king(&self, color: Color) -> Option<Square> {
        Square::from_rules(self.0.king_square(color))
    }

    /// Returns whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.0.is_in_check()
    }

    /// Returns whether the side to move is in check and has no legal move (詰み).
    pub fn is_mate(&self) -> bool {
        self.in_check() && self.0.is_mated()
    }

    /// Returns all legal moves, promotions and non-promotions alike.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut found = MoveCollector(Vec::with_capacity(128));
        movegen::generate_legal_all_move32_into(&self.0, &mut found);
        found
            .0
            .into_iter()
            .filter_map(from_move32)
            .filter(|mv| self.can_be_taken(mv.to()))
            .collect()
    }

    /// Returns whether a move is legal for the side to move.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.resolve(mv)
            .is_some_and(|resolved| self.0.is_legal_move32(resolved))
            && self.can_be_taken(mv.to())
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Fails with the reason why the move is illegal; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.play_with_undo(mv).map(drop)
    }

    /// Plays a move, and returns the data with which [`undo`](Self::undo) undoes it.
    ///
    /// # Errors
    /// Fails with the reason why the move is illegal; the position is then unchanged.
    pub fn play_with_undo(&mut self, mv: Move) -> Result<Undo, IllegalMove> {
        // A legal move leaves no king in check, so only a position without moves needs this test.
        if self.0.plies_from_null() == 0 && self.opponent_in_check() {
            let before = self.clone();
            let played = self.play_despite_opponent_in_check(mv);
            return if played {
                Ok(Undo(UndoKind::Restore(Box::new(before))))
            } else {
                Err(self.why_illegal(mv))
            };
        }
        if let Some(resolved) = self.resolve(mv)
            && self.can_be_taken(mv.to())
            && self.0.try_apply_move32(resolved).is_ok()
        {
            return Ok(Undo(UndoKind::Move(resolved)));
        }
        Err(self.why_illegal(mv))
    }

    /// Plays a move as [`play_with_undo`](Self::play_with_undo) does, and drops the positions before the move, because
    /// the rules crate's search for repetitions takes longer with every move.
    ///
    /// # Errors
    /// Fails with the reason why the move is illegal; the position is then unchanged.
    pub fn play_without_history(&mut self, mv: Move) -> Result<Undo, IllegalMove> {
        let mut next = self.without_history();
        next.play(mv)?;
        Ok(Undo(UndoKind::Restore(Box::new(std::mem::replace(self, next)))))
    }

    /// Undoes the last move. `undo` must come from that move on this position.
    pub fn undo(&mut self, undo: Undo) {
        match undo.0 {
            UndoKind::Move(mv) => {
                let _not_the_last_one = self.0.undo_move32(mv);
            }
            UndoKind::Restore(before) => *self = *before,
        }
    }

    /// Plays a move where the side not to move is in check, as it may be in a sketch. The rules crate updates checks
    /// from move to move and assumes that such a position never occurs. So a gold stands in for the king in check while
    /// the move is made, and the state is rebuilt. Returns false, and changes nothing, if the move is illegal.
    fn play_despite_opponent_in_check(&mut self, mv: Move) -> bool {
        if !self.is_legal(mv) {
            return false;
        }
        let them = self.side_to_move().flip();
        let kings = self.0.bitboards().pieces_for(rules::PieceType::KING, them);
        let replace_kings = |position: &Self, kind| {
            let mut state = position.state();
            kings
                .iter()
                .for_each(|king| state.board.set(king, rules::Piece::from_parts(them, kind)));
            Self::from_state(&state)
        };
        let mut disguised = replace_kings(self, rules::PieceType::GOLD);
        let played = disguised
            .resolve(mv)
            .is_some_and(|mv| disguised.0.try_apply_move32(mv).is_ok());
        if played {
            *self = replace_kings(&disguised, rules::PieceType::KING);
        }
        played
    }

    /// Returns the squares of the mover's pieces of `kind` that can reach `to`, regardless of pins
    /// and checks. Move notation has to distinguish these candidates.
    pub fn origins(&self, kind: PieceKind, to: Square) -> impl Iterator<Item = Square> {
        let to = to.to_rules();
        let us = self.0.turn();
        let attackers = self.0.attackers_to_color(us, to, self.0.bitboards().occupied());
        let pieces = self.0.bitboards().pieces_for(kind.to_rules(), us);
        attackers.and(pieces).iter().filter_map(Square::from_rules)
    }

    /// Returns the result of a fourfold repetition; `None` before the fourth occurrence of the position. Only moves
    /// that were played on this [`Position`] count.
    pub fn repetition(&self) -> Option<Repetition> {
        match self.0.repetition_state() {
            RepetitionState::Draw => Some(Repetition::Draw),
            RepetitionState::Win => Some(Repetition::Win),
            RepetitionState::Lose => Some(Repetition::Loss),
            RepetitionState::None | RepetitionState::Superior | RepetitionState::Inferior => None,
        }
    }

    /// Returns this position without the previous ones, which make a copy expensive in a long game.
    #[must_use]
    pub fn without_history(&self) -> Self {
        Self::from_state(&self.state())
    }

    /// Returns this position with `side` to move, without the previous positions.
    #[must_use]
    pub fn with_side_to_move(&self, side: Color) -> Self {
        super::Setup::from_position(self).build(side, self.move_number())
    }

    /// Returns whether the side not to move is in check, which is impossible in a game.
    fn opponent_in_check(&self) -> bool {
        let king = self.0.king_square(self.side_to_move().flip());
        self.0.is_attacked_by(king, self.side_to_move())
    }

    /// Returns whether the piece on a square may go to the mover's hand; true for an empty square. A king may not, nor
    /// more of a kind than a set has. The rules crate would allow both.
    fn can_be_taken(&self, square: Square) -> bool {
        let Some(Piece { kind, .. }) = self.piece_on(square) else {
            return true;
        };
        kind != PieceKind::King
            && self.hand(self.side_to_move()).count(kind.unpromoted()) < kind.count_in_set()
    }

    /// Returns the rules crate's move, which holds the moved piece; `None` where there is no such piece.
    fn resolve(&self, mv: Move) -> Option<Move32> {
        let bare = match mv {
            Move::Board {
                from,
                to,
                promote: false,
            } => rules::Move::normal(from.to_rules(), to.to_rules()),
            Move::Board {
                from,
                to,
                promote: true,
            } => rules::Move::promotion(from.to_rules(), to.to_rules()),
            Move::Drop { kind, to } => rules::Move::drop(kind.to_rules(), to.to_rules()),
        };
        let mv = self.0.move32_from_move(bare);
        mv.has_piece_info().then_some(mv)
    }

    /// Returns whether the side to move may declare a win with its king in the promotion zone (入玉宣言,
    /// 27-point rule).
    pub fn can_declare_win(&self) -> bool {
        let mut position = self.0.clone();
        position.set_entering_king_rule(EnteringKingRule::Point27);
        position.evaluate_declaration().can_declare
    }

    /// Creates a position without previous positions.
    pub(super) fn from_state(state: &PositionState) -> Self {
        Self::from_rules(board::position_from_position_state(state))
    }

    /// Returns the board, the hands, the side to move and the move number.
    pub(super) fn state(&self) -> PositionState {
        board::generate_position_state(&self.0)
    }

    /// Creates a position from that of the rules crate, whose stack of moves has to be initialized once.
    fn from_rules(mut position: board::Position) -> Self {
        position.init_stack();
        Self(position)
    }

    /// Returns the rules crate's position, for the search of the built-in engine.
    pub const fn rules(&self) -> &board::Position {
        &self.0
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.sfen())
    }
}

impl PartialEq for Position {
    /// Two positions are equal when board, hands, side to move and move number are.
    fn eq(&self, other: &Self) -> bool {
        self.state() == other.state()
    }
}

impl Eq for Position {}

/// Collects moves without the rules crate's limit of 600, which a board full of dragons exceeds.
struct MoveCollector(Vec<Move32>);

impl Move32Sink for MoveCollector {
    fn push_move32(&mut self, mv: Move32) {
        self.0.push(mv);
    }

    fn retain_unordered<F: FnMut(Move32) -> bool>(&mut self, mut f: F) {
        self.0.retain(|mv| f(*mv));
    }
}

/// Returns the rules crate's move as a [`Move`]; `None` for its special values.
pub fn from_move32(mv: Move32) -> Option<Move> {
    let to = Square::from_rules(mv.to_sq())?;
    match mv.dropped_piece() {
        Some(kind) => Some(Move::Drop {
            kind: PieceKind::from_rules(kind)?,
            to,
        }),
        None => Some(Move::Board {
            from: Square::from_rules(mv.from_sq())?,
            to,
            promote: mv.is_promotion(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use proptest::prelude::*;

    fn check(sfen: &str, holds: impl Fn(&Position) -> bool) {
        assert!(holds(&Position::from_sfen(sfen).expect(sfen)), "{sfen}");
    }

    #[test]
    fn recognizes_mates() {
        check("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1", Position::is_mate);
        check("4k4/4G4/9/9/9/9/9/9/4K4 w - 1", |position| {
            !position.is_mate() && position.in_check()
        });
        check("9/9/9/9/9/9/9/9/9 w - 1", |position| {
            !position.is_mate() && position.legal_moves().is_empty()
        });
    }

    #[test]
    fn rejects_unsearchable_positions() {
        let check = |sfen: &str, expect| {
            assert_eq!(
                Position::from_sfen(sfen).expect(sfen).searchable(),
                expect,
                "{sfen}"
            );
        };
        check("4k4/9/9/9/9/9/9/9/4K4 b - 1", Ok(()));
        check(
            "4k4/9/9/9/9/9/9/9/9 b - 1",
            Err(Unsearchable::Kings(Color::Black)),
        );
        check(
            "4kk3/9/9/9/9/9/9/9/4K4 b - 1",
            Err(Unsearchable::Kings(Color::White)),
        );
        check(
            "4k4/4G4/9/9/9/9/9/9/4K4 b - 1",
            Err(Unsearchable::OpponentInCheck),
        );
        check(
            "4k4/9/9/+R8/9/9/9/9/4K4 b Rr 1",
            Err(Unsearchable::TooMany(PieceKind::Rook)),
        );
        check("4k4/8P/9/9/9/9/9/8P/4K4 b - 1", Err(Unsearchable::TwoPawns(1)));
        let dead = Square::new(1, 8).expect("on the board");
        check("4k4/9/9/9/9/9/9/8n/4K4 b - 1", Err(Unsearchable::DeadPiece(dead)));
    }

    #[test]
    fn finds_more_than_600_legal_moves() {
        let sfen = format!(
            "{}/9/9 b 2R2B4G4S4N4L9P 1",
            ["1+R1+R1+R1+R1", "9", "+B1+B1+B1+B1+B", "9"].repeat(2)[..7].join("/")
        );
        check(&sfen, |position| position.legal_moves().len() > 600);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.div_ceil(2)))]
        #[test]
        fn plays_exactly_the_legal_moves(position in any::position(0.3)) {
            let _total = (position.searchable(), position.is_mate());
            let legal = position.legal_moves();
            for mv in legal.iter().copied() {
                prop_assert!(position.is_legal(mv), "{mv}");
                let mut next = position.clone();
                prop_assert_eq!(next.play(mv), Ok(()), "{}", mv);
                prop_assert_eq!(next.move_number(), position.move_number() + 1);
                let mut back = position.clone();
                let undo = back.play_with_undo(mv);
                prop_assert_eq!(&back, &next);
                if let Ok(undo) = undo {
                    back.undo(undo);
                }
                prop_assert_eq!(&back, &position);
                prop_assert_eq!(back.in_check(), position.in_check());
            }
            for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
                for mv in [Move::Board { from, to, promote: false }, Move::Board { from, to, promote: true }] {
                    prop_assert_eq!(position.is_legal(mv), legal.contains(&mv), "{}", mv);
                }
            }
        }

        #[test]
        fn keeps_the_state_consistent_after_each_move(position in any::position(0.15), choices in proptest::collection::vec(0..1000_usize, 8)) {
            let kings = |color| position.pieces_of(color).filter(|(_, kind)| *kind == PieceKind::King).count();
            prop_assume!(kings(Color::Black) < 2 && kings(Color::White) < 2);
            let mut position = position.clone();
            for choice in choices {
                let legal = position.legal_moves();
                let Some(mv) = legal.get(choice % legal.len().max(1)) else { break };
                if position.play(*mv).is_err() {
                    break;
                }
                let anew = Position::from_state(&position.state());
                prop_assert_eq!(position.legal_moves(), anew.legal_moves());
                prop_assert_eq!(position.in_check(), anew.in_check());
            }
        }
    }
}
