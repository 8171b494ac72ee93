//! The likeliest board that a game can have.

use crate::network::{CLASSES, EMPTY, HIDDEN, KINDS, Probabilities, likeliest, turned};

// Kinds in the order of the classes: eight that have not promoted, then six that have.
const PAWN: usize = 0;
const LANCE: usize = 1;
const KNIGHT: usize = 2;
const KING: usize = 7;
/// The class of the king of the side at the bottom.
pub(crate) const KING_CLASS: usize = EMPTY + 1 + KING;
/// How many pieces of each kind there are, both sides together, promoted or not.
pub(crate) const COUNTS: [usize; 8] = [18, 4, 4, 4, 4, 2, 2, 2];
/// A class less likely than this is not considered.
const LEAST: f32 = 1e-5;
/// How likely a king is at least that of the other side, as a share of its chance: some sets have both upright.
const OTHER_KING: f32 = 0.05;
/// The most squares that are read otherwise than each would be alone.
const MOST_CHANGES: usize = 20;

/// Returns the class of each square: the likeliest ones that no rule forbids. No side has two kings, there are no more
/// pieces of a kind than in a game, no two pawns of a side on a file, no piece without a move for ever. Where no such board is
/// near, each square has its own likeliest class.
pub fn legal_classes(squares: &[Probabilities]) -> Vec<usize> {
    let alone: Vec<usize> = squares.iter().map(|square| likeliest(square).0).collect();
    let mut classes = alone.clone();
    let mut count = violations(&classes);
    for _ in 0..MOST_CHANGES {
        if count == 0 {
            return classes;
        }
        let mut best: Option<(f32, usize, usize, usize)> = None;
        for (place, square) in squares.iter().enumerate() {
            let Some(own) = classes.get(place).copied().filter(|own| *own != EMPTY && *own != HIDDEN) else { continue };
            let read = |class: usize| square.get(class).copied().unwrap_or_default();
            let is_king = |class: usize| piece(class).is_some_and(|(_, kind)| kind == KING);
            let other = |class: usize| if is_king(class) { read(turned(class)) * OTHER_KING } else { 0.0 };
            let chance = |class: usize| read(class).max(other(class)).max(f32::MIN_POSITIVE);
            for class in (0..CLASSES - 1).filter(|class| *class != own && chance(*class) >= LEAST) {
                // Of two upright kings the upper one is White's.
                let rows = if own == KING_CLASS { place / 9 } else { 8_usize.saturating_sub(place / 9) };
                let swap = if is_king(own) && class == turned(own) { 0.001 * rows as f32 } else { 0.0 };
                let cost = (chance(own) / chance(class)).ln() + swap;
                if best.is_some_and(|(least, ..)| cost >= least) {
                    continue;
                }
                let mut changed = classes.clone();
                if let Some(square) = changed.get_mut(place) {
                    *square = class;
                }
                let left = violations(&changed);
                if left < count {
                    best = Some((cost, place, class, left));
                }
            }
        }
        let Some((_, place, class, left)) = best else { return alone };
        if let Some(square) = classes.get_mut(place) {
            *square = class;
        }
        count = left;
    }
    alone
}

/// Returns the side, 0 for the one at the bottom, and the kind of a class; `None` for what is no piece.
fn piece(class: usize) -> Option<(usize, usize)> {
    let index = class.checked_sub(EMPTY + 1).filter(|_| class < HIDDEN)?;
    Some((index / KINDS, index % KINDS))
}

/// Returns the kind before its promotion: 0 pawn to 7 king.
pub(crate) const fn base(kind: usize) -> usize {
    match kind {
        8..=11 => kind - 8,
        12 | 13 => kind - 7,
        _ => kind,
    }
}

/// Whether a game can have a board of these classes.
pub(crate) fn is_legal(classes: &[usize]) -> bool {
    violations(classes) == 0
}

/// Returns how many pieces are too many, or where they cannot be.
#[expect(clippy::indexing_slicing, reason = "kinds, sides and files are below their numbers")]
fn violations(classes: &[usize]) -> usize {
    let mut counts = [0_usize; 8];
    let mut kings = [0_usize; 2];
    let mut pawns = [[0_usize; 9]; 2];
    let mut wrong = 0;
    for (place, class) in classes.iter().enumerate() {
        let Some((side, kind)) = piece(*class) else { continue };
        counts[base(kind)] += 1;
        // The number of rows before the last one of the side.
        let rows_left = if side == 0 { place / 9 } else { 8_usize.saturating_sub(place / 9) };
        match kind {
            KING => kings[side] += 1,
            PAWN => {
                pawns[side][place % 9] += 1;
                wrong += usize::from(rows_left == 0);
            }
            LANCE => wrong += usize::from(rows_left == 0),
            KNIGHT => wrong += usize::from(rows_left < 2),
            _ => {}
        }
    }
    let over = |count: usize, most: usize| count.saturating_sub(most);
    let too_many: usize = counts.iter().zip(COUNTS).map(|(count, most)| over(*count, most)).sum();
    let kings: usize = kings.iter().map(|count| over(*count, 1)).sum();
    let pawns: usize = pawns.iter().flatten().map(|count| over(*count, 1)).sum();
    wrong + too_many + kings + pawns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::sfen;
    use crate::track::{class, place};
    use shogibar_core::shogi::{Position, Square};

    /// The start, each square surely its piece.
    fn start() -> Vec<Probabilities> {
        let position = Position::startpos();
        let mut squares = vec![[0.001; CLASSES]; 81];
        for square in Square::all() {
            squares[place(square)][class(position.piece_on(square))] = 0.97;
        }
        squares
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

    #[test]
    fn reads_what_each_square_shows_where_a_game_can_have_it() {
        assert_eq!(sfen(legal_classes(&start()).into_iter()), START);
    }

    #[test]
    fn a_third_rook_is_the_next_likely_piece() {
        let mut squares = start();
        // The right silver of White looks like a dragon, next to that like a silver; the left gold of Black like a king.
        (squares[6][28], squares[6][18]) = (0.8, 0.15);
        (squares[75][8], squares[75][5]) = (0.6, 0.3);
        assert_eq!(sfen(legal_classes(&squares).into_iter()), START);
    }

    #[test]
    fn a_knight_without_a_move_and_a_second_pawn_on_a_file_are_other_pieces() {
        let mut squares = start();
        // Black's right knight has gone to the second row, and one pawn is seen a second time behind itself.
        (squares[79], squares[10]) = ([0.0; CLASSES], [0.0; CLASSES]);
        squares[79][0] = 1.0;
        (squares[10][3], squares[10][11]) = (0.7, 0.3);
        (squares[66][1], squares[66][0]) = (0.5, 0.4);
        let read = legal_classes(&squares);
        assert_eq!((read[10], read[66]), (11, EMPTY));
        assert_eq!(violations(&read), 0);
    }

    #[test]
    fn a_second_king_of_a_side_is_that_of_the_other() {
        let mut squares = start();
        // White's king is upright.
        (squares[4][8], squares[4][22], squares[4][EMPTY]) = (0.97, 0.0001, 0.01);
        squares[76][8] = 0.98;
        assert_eq!(sfen(legal_classes(&squares).into_iter()), START);
    }

    #[test]
    fn what_cannot_be_a_board_stays_as_it_looks() {
        let mut pawn = [0.0; CLASSES];
        pawn[1] = 1.0;
        assert_eq!(legal_classes(&[pawn; 81]), vec![1; 81]);
        assert_eq!(legal_classes(&[]), Vec::<usize>::new());
    }
}
