//! The part of the evaluation that is a sum over the pieces: what a piece on its square is worth beside each of the
//! two kings. The sum is kept up to date move by move instead of being computed for each position.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::weights::{
    ATTACK_UNITS, BY_RANK, ByKind, DISTANCES, KING_BY_FILE, NEAR_ENEMY_KING, NEAR_OWN_KING, ON_BOARD,
    REACH_NEAR_ENEMY_KING, REACH_NEAR_OWN_KING,
};
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, Move32, Piece, PieceType, Square};
use std::sync::LazyLock;

/// The value of a piece beside one king.
#[derive(Clone, Copy, Debug, Default)]
struct PieceWorth {
    /// Material, placement and mobility, in quarters of a centipawn.
    score: i16,
    /// The attack units on the squares around the king.
    units: i16,
}

/// The number of values for one king square: one for each kind of piece and square.
const VALUES_BY_KING: usize = PieceType::COUNT * 81;

/// The values of all pieces, by king square, piece type and square, all as seen by the king's owner.
#[derive(Debug)]
pub(super) struct KingTables {
    /// The values of the king's own pieces.
    own: Vec<PieceWorth>,
    /// The values of the opponent's pieces.
    enemy: Vec<PieceWorth>,
    /// The value of the king's own square, in quarters of a centipawn.
    king: [i32; 81],
}

static TABLES: LazyLock<KingTables> = LazyLock::new(KingTables::new);

impl KingTables {
    /// Returns the tables, which are built at the first call.
    pub(super) fn get() -> &'static Self {
        &TABLES
    }

    fn new() -> Self {
        let mut tables = Self {
            own: vec![PieceWorth::default(); 81 * VALUES_BY_KING],
            enemy: vec![PieceWorth::default(); 81 * VALUES_BY_KING],
            king: [0; 81],
        };
        for king in Square::iter() {
            tables.king[king.to_index()] = 4 * king_place(king);
            for kind in PieceType::iter().filter(|kind| !matches!(*kind, PieceType::KING | PieceType::NONE)) {
                for square in Square::iter() {
                    let at = index(king, kind, square);
                    tables.own[at] = beside_own_king(king, kind, square);
                    tables.enemy[at] = beside_enemy_king(king, kind, square);
                }
            }
        }
        tables
    }

    /// Returns the value of the king's own square, as seen by its owner, in quarters of a centipawn.
    pub(super) fn king(&self, king: Square) -> i32 {
        self.king[king.to_index()]
    }
}

/// Returns the value of the king's own place, as seen by its owner.
const fn king_place(king: Square) -> i32 {
    let (file, rank) = (king.to_index() / 9, king.to_index() % 9);
    BY_RANK[PieceType::KING.to_index()][rank] + if rank >= 7 { KING_BY_FILE[file] } else { 0 }
}

/// Returns the value of a Black piece beside the Black king.
fn beside_own_king(king: Square, piece: PieceType, square: Square) -> PieceWorth {
    let reach = step_reach(piece, square, Color::BLACK);
    let at = piece.to_index();
    let placed = ON_BOARD[at] + BY_RANK[at][square.to_index() % 9] + near(&NEAR_OWN_KING, piece, square, king);
    PieceWorth {
        score: narrow(4 * placed + weigh(reach, king, &REACH_NEAR_OWN_KING)),
        units: narrow(ATTACK_UNITS[at] * (reach & KING_ATTACKS[king]).count().cast_signed()),
    }
}

/// Returns the value of a White piece beside the Black king, as seen by White.
fn beside_enemy_king(king: Square, piece: PieceType, square: Square) -> PieceWorth {
    let reach = step_reach(piece, square, Color::WHITE);
    PieceWorth {
        score: narrow(4 * near(&NEAR_ENEMY_KING, piece, square, king) + weigh(reach, king, &REACH_NEAR_ENEMY_KING)),
        units: narrow(ATTACK_UNITS[piece.to_index()] * (reach & KING_ATTACKS[king]).count().cast_signed()),
    }
}

fn near(values: &ByKind<[i32; 4]>, piece: PieceType, square: Square, king: Square) -> i32 {
    values[piece.to_index()][distance(square, king).min(3)]
}

/// Returns the sum of the weights of the squares in `reach`, by their distance from the king.
fn weigh(reach: Bitboard, king: Square, weights: &[i32; DISTANCES]) -> i32 {
    reach.iter().map(|square| weights[distance(square, king).min(DISTANCES - 1)]).sum()
}

/// Returns the squares that a piece attacks whatever else is on the board; none for a sliding piece.
fn step_reach(kind: PieceType, square: Square, us: Color) -> Bitboard {
    match kind {
        PieceType::PAWN => PAWN_ATTACKS[square][us.to_index()],
        PieceType::KNIGHT => KNIGHT_ATTACKS[square][us.to_index()],
        PieceType::SILVER => SILVER_ATTACKS[square][us.to_index()],
        PieceType::LANCE | PieceType::BISHOP | PieceType::ROOK | PieceType::HORSE | PieceType::DRAGON => {
            Bitboard::EMPTY
        }
        _ => GOLD_ATTACKS[square][us.to_index()],
    }
}

/// Returns the square as Black would see it in the place of `us`.
pub(super) const fn seen_by(us: Color, square: Square) -> Square {
    match us {
        Color::BLACK => square,
        Color::WHITE => square.flip(),
    }
}

/// Returns the distance in king moves.
pub(super) const fn distance(a: Square, b: Square) -> usize {
    let files = (a.to_index() / 9).abs_diff(b.to_index() / 9);
    let ranks = (a.to_index() % 9).abs_diff(b.to_index() % 9);
    if files > ranks { files } else { ranks }
}

const fn index(king: Square, piece: PieceType, square: Square) -> usize {
    king.to_index() * VALUES_BY_KING + piece.to_index() * 81 + square.to_index()
}

fn narrow(value: i32) -> i16 {
    i16::try_from(value).unwrap_or(if value < 0 { i16::MIN } else { i16::MAX })
}

/// The sums over all pieces of a position but the kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PieceSums {
    /// Material, placement and mobility in quarters of a centipawn, Black's minus White's.
    pub(super) score: i32,
    /// The attack units of each side around the opponent's king, without those of sliding pieces.
    pub(super) attack: [i32; 2],
    /// The attack units of each side around the own king, without those of sliding pieces.
    pub(super) defence: [i32; 2],
}

impl PieceSums {
    /// Sums up all pieces of a position.
    pub(super) fn new(tables: &KingTables, position: &Position) -> Self {
        let kings = kings(position);
        let mut sums = Self::default();
        for square in &position.pieces() {
            let piece = position.piece_on(square);
            if piece.piece_type() != PieceType::KING {
                sums.add(tables, kings, piece, square, 1);
            }
        }
        sums
    }

    /// Returns the sums after `mv`, a move in `position` that does not move the king.
    pub(super) fn after(mut self, tables: &KingTables, position: &Position, mv: Move32) -> Self {
        let kings = kings(position);
        let to = mv.to_sq();
        if !mv.is_drop() {
            let from = mv.from_sq();
            self.add(tables, kings, position.piece_on(from), from, -1);
            let taken = position.piece_on(to);
            if !taken.is_empty() {
                self.add(tables, kings, taken, to, -1);
            }
        }
        self.add(tables, kings, mv.piece_after_move(), to, 1);
        self
    }

    fn add(&mut self, tables: &KingTables, kings: [Square; 2], piece: Piece, square: Square, sign: i32) {
        let (us, kind) = (piece.color(), piece.piece_type());
        let [own_king, enemy_king] = if us == Color::BLACK { kings } else { [kings[1], kings[0]] };
        let own = tables.own[index(seen_by(us, own_king), kind, seen_by(us, square))];
        let enemy = tables.enemy[index(seen_by(us.flip(), enemy_king), kind, seen_by(us.flip(), square))];
        let side = if us == Color::BLACK { sign } else { -sign };
        self.score += side * (i32::from(own.score) + i32::from(enemy.score));
        self.attack[us.to_index()] += sign * i32::from(enemy.units);
        self.defence[us.to_index()] += sign * i32::from(own.units);
    }
}

fn kings(position: &Position) -> [Square; 2] {
    [position.king_square(Color::BLACK), position.king_square(Color::WHITE)]
}
