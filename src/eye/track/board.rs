//! Boards as classes of squares, and positions whose hands are known in part.

use crate::network::EMPTY;
use shogibar_shogi::{Color, Move, Piece, PieceKind, Position, Setup, Square, Unsearchable};

pub(super) const SQUARE_COUNT: usize = 81;
/// The least number of differing squares of a board that is far from the game.
pub(super) const MIN_FAR_DISTANCE: usize = 5;
/// The number of classes of a visible square.
pub(super) const VISIBLE_CLASS_COUNT: usize = 29;

/// Numbers of pieces in hand: for Black and White, each in the order of [`PieceKind::IN_HAND`].
pub type Hands = [[u8; 7]; 2];

/// The kinds in the order of the classes.
const KINDS: [PieceKind; 14] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::King,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::ProSilver,
    PieceKind::Horse,
    PieceKind::Dragon,
];

/// Returns the class of a piece, or of an empty square: the index in the network's probabilities.
pub fn class(piece: Option<Piece>) -> usize {
    let Some(Piece { color, kind }) = piece else {
        return EMPTY;
    };
    let index = KINDS.iter().position(|known| *known == kind).unwrap_or_default();
    1 + index + if color == Color::Black { 0 } else { KINDS.len() }
}

/// Returns the piece of a class; `None` for an empty or hidden square.
pub fn piece(class: usize) -> Option<Piece> {
    let index = class.checked_sub(1)?;
    let color = if index < KINDS.len() {
        Color::Black
    } else {
        Color::White
    };
    let kind = *KINDS.get(if color == Color::Black {
        index
    } else {
        index - KINDS.len()
    })?;
    Some(Piece { color, kind })
}

/// Returns the index of a square in a reading, 0–80: from the top left of the picture, row by row.
pub const fn square_index(square: Square) -> usize {
    (square.rank() as usize - 1) * 9 + 9 - square.file() as usize
}

/// A change of one square, as classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) square: usize,
    pub(super) class_before: usize,
    pub(super) class_after: usize,
}

/// The changes of a move: two squares, or one for a drop.
pub(super) type Changes = [Option<Change>; 2];

/// The classes of 81 visible squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardClasses([u8; SQUARE_COUNT]);

impl BoardClasses {
    pub(super) fn from_classes(classes: impl Fn(usize) -> usize) -> Self {
        Self(std::array::from_fn(|square| {
            u8::try_from(classes(square)).unwrap_or_default()
        }))
    }

    pub(super) fn from_position(position: &Position) -> Self {
        let mut board = Self([0; SQUARE_COUNT]);
        for square in Square::all() {
            board.put(square_index(square), class(position.piece_on(square)));
        }
        board
    }

    pub(super) fn class(&self, square: usize) -> usize {
        self.0.get(square).map_or(EMPTY, |class| usize::from(*class))
    }

    fn put(&mut self, square: usize, class: usize) {
        if let (Some(old), Ok(class)) = (self.0.get_mut(square), u8::try_from(class)) {
            *old = class;
        }
    }

    pub(super) fn changes(&self, mv: Move, mover: Color) -> Changes {
        let change = |square, after| {
            let square = square_index(square);
            Change {
                square,
                class_before: self.class(square),
                class_after: after,
            }
        };
        match mv {
            Move::Drop { kind, to } => [Some(change(to, class(Some(Piece { color: mover, kind })))), None],
            Move::Board { from, to, promote } => {
                let origin = change(from, EMPTY);
                let promoted = if promote {
                    piece(origin.class_before).and_then(|piece| piece.kind.promoted())
                } else {
                    None
                };
                let after = promoted.map_or(origin.class_before, |kind| {
                    class(Some(Piece { color: mover, kind }))
                });
                [Some(origin), Some(change(to, after))]
            }
        }
    }

    /// Applies the changes of a move.
    pub(super) fn apply(&mut self, changes: &Changes) {
        changes
            .iter()
            .flatten()
            .for_each(|change| self.put(change.square, change.class_after));
    }

    /// Returns the board with empty hands.
    fn setup(&self) -> Setup {
        let mut setup = Setup::empty();
        Square::all().for_each(|square| setup.put(square, piece(self.class(square_index(square)))));
        setup
    }

    pub(super) fn has_both_kings(&self) -> bool {
        [Color::Black, Color::White]
            .into_iter()
            .all(|color| self.king_count(color) > 0)
    }

    fn king_count(&self, color: Color) -> usize {
        let king = class(Some(Piece {
            color,
            kind: PieceKind::King,
        }));
        (0..SQUARE_COUNT)
            .filter(|square| self.class(*square) == king)
            .count()
    }

    pub(super) fn distance(&self, other: &Self) -> usize {
        self.0
            .iter()
            .zip(&other.0)
            .filter(|(left, right)| left != right)
            .count()
    }
}

/// A position in which the pieces of the `pool` may be in either hand. Both hands of `position` contain the pool. So
/// the position permits every drop that may be legal.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) position: Position,
    /// The numbers of pieces in an unknown hand, in the order of [`PieceKind::IN_HAND`].
    pub(super) pool: [u8; 7],
}

impl State {
    pub(super) fn other_side(&self) -> Self {
        let position = self
            .position
            .with_side_to_move(self.position.side_to_move().flip());
        Self {
            position,
            pool: self.pool,
        }
    }

    /// Returns the known hands, without the kinds whose number on `board` differs from the number in this position.
    pub(super) fn hands_for(&self, board: &BoardClasses) -> Hands {
        let (before, after) = (Setup::from_position(&self.position), board.setup());
        let on_board = |setup: &Setup, kind: PieceKind| {
            let pieces = Square::all().filter_map(|square| setup.piece_on(square));
            pieces.filter(|piece| piece.kind.unpromoted() == kind).count()
        };
        let is_unchanged = PieceKind::IN_HAND.map(|kind| on_board(&before, kind) == on_board(&after, kind));
        self.known_hands().map(|hand| {
            std::array::from_fn(|index| match hand.get(index) {
                Some(count) if is_unchanged.get(index) == Some(&true) => *count,
                _ => 0,
            })
        })
    }

    /// Returns the hands without the pieces of the pool.
    pub(super) fn known_hands(&self) -> Hands {
        [Color::Black, Color::White].map(|color| {
            let hand = self.position.hand(color);
            std::array::from_fn(|index| {
                let kind = PieceKind::IN_HAND.get(index).zip(self.pool.get(index));
                kind.map_or(0, |(kind, pool)| hand.count(*kind).saturating_sub(*pool))
            })
        })
    }

    /// Returns the state after a move, and whether a piece of the pool was dropped. `None` where the move is illegal.
    pub(super) fn play(&self, mv: Move) -> Option<(Self, bool)> {
        let mover = self.position.side_to_move();
        let mut next = Self {
            position: self.position.without_history(),
            pool: self.pool,
        };
        let dropped = match mv {
            Move::Drop { kind, .. } => PieceKind::IN_HAND.iter().position(|held| *held == kind),
            Move::Board { .. } => None,
        };
        next.position.play(mv).ok()?;
        let Some((kind, remaining)) =
            dropped.and_then(|index| PieceKind::IN_HAND.get(index).zip(next.pool.get_mut(index)))
        else {
            return Some((next, false));
        };
        if *remaining == 0 || self.position.hand(mover).count(*kind) > *remaining {
            return Some((next, false));
        }
        *remaining -= 1;
        let mut setup = Setup::from_position(&next.position);
        setup.remove_from_hand(mover.flip(), *kind);
        next.position = setup.build(mover.flip(), next.position.move_number());
        Some((next, true))
    }
}

/// The start of a game, with the known parts of the hands and of the side to move.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) board: BoardClasses,
    /// The board and the known hands.
    pub(super) setup: Setup,
    /// The numbers of pieces in an unknown hand, in the order of [`PieceKind::IN_HAND`].
    pub(super) pool: [u8; 7],
    /// The states for each side that may be to move, one or two.
    pub(super) states: Vec<State>,
}

impl Start {
    pub(super) fn from_position(position: &Position) -> Self {
        Self {
            board: BoardClasses::from_position(position),
            setup: Setup::from_position(position),
            pool: [0; 7],
            states: vec![State {
                position: position.without_history(),
                pool: [0; 7],
            }],
        }
    }

    /// Creates the start of a game from a board. `None` for too many pieces, two pawns on a file, and two kings of a
    /// side. `None` also for pieces without a move, and where both sides are in check. Hands that do not fit the board
    /// count as unknown.
    pub(super) fn from_board(board: &BoardClasses, hands: Option<Hands>) -> Option<Self> {
        let handicaps = shogibar_kifu::handicaps().filter_map(shogibar_kifu::handicap);
        if let Some(known) = handicaps
            .into_iter()
            .find(|known| BoardClasses::from_position(known) == *board)
        {
            return Some(Self::from_position(&known));
        }
        let mut setup = board.setup();
        let two_kings = [Color::Black, Color::White]
            .into_iter()
            .any(|color| board.king_count(color) > 1);
        let possible = |color| {
            let problems = setup.build(color, 1).problems();
            !problems.contains(&Unsearchable::OpponentInCheck)
                && problems
                    .iter()
                    .all(|problem| matches!(problem, Unsearchable::Kings(_)))
        };
        let sides: Vec<Color> = [Color::Black, Color::White]
            .into_iter()
            .filter(|color| possible(*color))
            .collect();
        if two_kings || sides.is_empty() {
            return None;
        }
        let missing = PieceKind::IN_HAND.map(|kind| setup.unused_count(kind));
        let hands = hands
            .filter(|[black, white]| {
                black
                    .iter()
                    .zip(white)
                    .zip(missing)
                    .all(|((black, white), missing)| *black <= missing && *white <= missing - black)
            })
            .unwrap_or_default();
        let mut pool = missing;
        for (color, hand) in [Color::Black, Color::White].into_iter().zip(hands) {
            for ((kind, remaining), count) in PieceKind::IN_HAND.into_iter().zip(&mut pool).zip(hand) {
                setup.add_to_hand(color, kind, count).ok()?;
                *remaining -= count;
            }
        }
        let mut twice = setup.clone();
        for color in [Color::Black, Color::White] {
            for (kind, count) in PieceKind::IN_HAND.into_iter().zip(pool) {
                twice.add_to_hand(color, kind, count).ok()?;
            }
        }
        let states = sides
            .into_iter()
            .map(|side| State {
                position: twice.build(side, 1),
                pool,
            })
            .collect();
        Some(Self {
            board: *board,
            setup,
            pool,
            states,
        })
    }
}
