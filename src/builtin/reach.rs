//! The squares that the pieces of a side attack, as bitboards.

use super::kinds::slider_number;
use rsshogi::board::Position;
use rsshogi::types::{Bitboard, Color, PieceType};

const BOARD_SQUARES: u128 = (1 << 81) - 1;

/// The squares of rank 1.
const FIRST_RANK: u128 = BOARD_SQUARES / 0x1FF;
/// The squares of rank 9.
const LAST_RANK: u128 = FIRST_RANK << 8;

/// The maximum number of sliding pieces of a side: lances, bishops and rooks.
const MAX_SLIDERS: usize = 8;

/// The squares that the pieces of one side other than the king attack.
#[derive(Default)]
pub(super) struct Reach {
    /// The squares attacked by any piece.
    pub(super) attacked_once: Bitboard,
    /// The squares attacked by two pieces or more.
    pub(super) attacked_twice: Bitboard,
    /// The squares attacked by a piece that does not slide.
    pub(super) step_attacks: Bitboard,
    pub(super) pawn_attacks: Bitboard,
    pub(super) lance_attacks: Bitboard,
    pub(super) knight_attacks: Bitboard,
    /// The squares attacked by silvers.
    pub(super) silver_attacks: Bitboard,
    /// The squares attacked by golds and by small pieces that are promoted.
    pub(super) gold_attacks: Bitboard,
    /// The squares attacked by bishops and rooks that are not promoted.
    pub(super) major_attacks: Bitboard,
    /// The squares attacked by bishops and horses.
    pub(super) diagonal_attacks: Bitboard,
    /// The squares attacked by rooks and dragons.
    pub(super) straight_attacks: Bitboard,
    /// The kind of each sliding piece, and the number of squares that it can safely move to.
    sliders: [(u8, u8); MAX_SLIDERS],
    slider_count: usize,
}

impl Reach {
    pub(super) fn from_stepping_pieces(position: &Position, us: Color) -> Self {
        let boards = position.bitboards();
        let of = |kind| boards.pieces_for(kind, us).packed_bits();
        let golds = (boards.golds() & boards.color_pieces(us)).packed_bits();
        let (pawns, knights, silvers) = (of(PieceType::PAWN), of(PieceType::KNIGHT), of(PieceType::SILVER));
        let mut all = AttackCounts::default();
        let pawn_attacks = all.add([ahead(us, pawns)]);
        let jump = ahead(us, ahead(us, knights));
        let knight_attacks = all.add([jump << 9, jump >> 9]);
        let (front, back) = (ahead(us, silvers), ahead(us.flip(), silvers));
        let silver_attacks = all.add([front, front << 9, front >> 9, back << 9, back >> 9]);
        let front = ahead(us, golds);
        let gold_attacks = all.add([
            front,
            front << 9,
            front >> 9,
            golds << 9,
            golds >> 9,
            ahead(us.flip(), golds),
        ]);
        let attacked_once = Bitboard::from_packed_bits(all.attacked_once);
        Self {
            attacked_once,
            attacked_twice: Bitboard::from_packed_bits(all.attacked_twice),
            step_attacks: attacked_once,
            pawn_attacks,
            knight_attacks,
            silver_attacks,
            gold_attacks,
            ..Self::default()
        }
    }

    /// Adds the reach of a sliding piece. The piece cannot safely move to the squares `blocked`.
    pub(super) fn add_slider(&mut self, kind: PieceType, reach: Bitboard, blocked: Bitboard) {
        self.attacked_twice |= self.attacked_once & reach;
        self.attacked_once |= reach;
        match kind {
            PieceType::LANCE => self.lance_attacks |= reach,
            PieceType::BISHOP | PieceType::HORSE => self.diagonal_attacks |= reach,
            _ => self.straight_attacks |= reach,
        }
        if matches!(kind, PieceType::BISHOP | PieceType::ROOK) {
            self.major_attacks |= reach;
        }
        if let Some(slider) = self.sliders.get_mut(self.slider_count) {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a number of squares is at most 81"
            )]
            let (kind, squares) = (slider_number(kind) as u8, reach.and_not(blocked).count() as u8);
            *slider = (kind, squares);
            self.slider_count += 1;
        }
    }

    /// Returns, for each sliding piece, its kind and the number of squares that it can safely move to.
    pub(super) fn sliders(&self) -> impl Iterator<Item = (usize, usize)> {
        self.sliders
            .iter()
            .take(self.slider_count)
            .map(|&(kind, squares)| (kind.into(), squares.into()))
    }
}

/// The squares that are attacked at least once, and those that are attacked at least twice.
#[derive(Default)]
struct AttackCounts {
    attacked_once: u128,
    attacked_twice: u128,
}

impl AttackCounts {
    /// Counts the squares that each of `steps` attacks, and returns all of them.
    fn add<const N: usize>(&mut self, steps: [u128; N]) -> Bitboard {
        let mut squares = 0;
        for step in steps {
            self.attacked_twice |= self.attacked_once & step;
            self.attacked_once |= step;
            squares |= step;
        }
        Bitboard::from_packed_bits(squares)
    }
}

/// Returns the squares one step ahead of `squares`, as `us` sees them. The bit of a square is file * 9 + rank. So a
/// step along the file is a shift by 1, and a step to the next file by 9.
pub(super) const fn ahead(us: Color, squares: u128) -> u128 {
    match us {
        Color::BLACK => up(squares),
        Color::WHITE => down(squares),
    }
}

/// Returns the squares one rank nearer to rank 1.
const fn up(squares: u128) -> u128 {
    (squares & !FIRST_RANK) >> 1
}

/// Returns the squares one rank nearer to rank 9.
const fn down(squares: u128) -> u128 {
    (squares & !LAST_RANK) << 1
}

/// The squares at most two king moves away from each square, without the square itself.
#[expect(
    clippy::indexing_slicing,
    reason = "a constant: an index out of bounds would not compile"
)]
pub(super) static TWO_STEP_SQUARES: [Bitboard; 81] = {
    let mut all = [Bitboard::from_packed_bits(0); 81];
    let mut square = 0;
    while square < 81 {
        let mut near = 1 << square;
        let mut steps = 0;
        while steps < 2 {
            near |= up(near) | down(near);
            near |= (near << 9 | near >> 9) & BOARD_SQUARES;
            steps += 1;
        }
        all[square] = Bitboard::from_packed_bits(near & !(1 << square));
        square += 1;
    }
    all
};
