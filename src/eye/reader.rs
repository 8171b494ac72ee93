//! Reads a board in a picture.

use crate::find::{FoundGrid, do_overlap, find_all_grids, find_first_grids, find_grids};
use crate::grid::{Grid, PICTURE_SIDE, column_and_row};
use crate::hands::{SeenHands, read_hands};
use crate::joint::{JointReading, KING_CLASS, WEIGHTS, is_legal};
use crate::light::BoardLight;
use crate::network::{EMPTY, HIDDEN, KIND_COUNT, Network, Probabilities, likeliest, opposite_class, softmax};
use crate::picture::Picture;
use crate::piece_sets::PieceSets;
use crate::templates::{SquarePicture, Templates};
use std::sync::Arc;

/// The least number of visible squares of a board.
const MIN_VISIBLE_SQUARES: usize = 41;
/// The number of pieces of a board with a game. A problem has at least two pieces, and a game 40. Some may be misread.
const PLAUSIBLE_PIECE_COUNTS: std::ops::RangeInclusive<usize> = 2..=44;
/// The least mean probability of the likeliest class, over the visible squares of a board.
const MIN_CLASS_PROBABILITY: f32 = 0.5;
/// The least mean probability of the likeliest of three: empty, Black's or White's piece.
const MIN_SIDE_PROBABILITY: f32 = 0.8;
/// The least mean probability of the likeliest class, over the pieces of a board.
const MIN_PIECE_PROBABILITY: f32 = 0.7;
/// The least probability of the likeliest class of a square that is read only once. Other squares are read
/// [again](read_again). Whether the square is sure enough for a board is decided in `track/evidence.rs`.
const MIN_READ_ONCE_PROBABILITY: f32 = 0.99;
/// The confidence at which a board is likelier right than wrong, and needs no further search.
const LIKELY_CONFIDENCE: f32 = 0.5;
/// The factor of the confidence of a board that no game or problem has.
const IMPOSSIBLE_BOARD_FACTOR: f32 = 0.1;
/// The maximum number of pieces of a side without a king, in a problem.
const MAX_PROBLEM_PIECES: usize = 12;
/// The least lead of the best position of the grid in [`plausibility`], in pieces.
const MIN_GRID_LEAD: i32 = 3;
/// The offset of the repeated readings of a doubtful square, across and down, in squares.
const REREAD_OFFSET: f32 = 0.04;

/// The squares of a board, each read by the network alone.
#[derive(Clone, Debug, Default)]
pub struct SeparateReading {
    /// The picture of each square, from the top left, row by row.
    pub pictures: Vec<SquarePicture>,
    /// The network's probability of each class for each square.
    pub squares: Vec<Probabilities>,
}

/// A board that was read in a picture.
#[derive(Clone, Debug)]
pub struct BoardReading {
    /// The lines of the board in the picture.
    pub grid: Grid,
    /// The squares before they were read as a whole.
    pub separate: SeparateReading,
    /// The known piece set to which the pieces belong; `None` for an unknown one.
    pub piece_set: Option<Arc<Templates>>,
    /// The probability of each class for each square, from the top left, row by row.
    pub squares: Vec<Probabilities>,
    /// The class of each square on the likeliest legal board.
    pub classes: Vec<usize>,
    /// The probability that the reading is right, 0 to 1.
    pub confidence: f32,
}

impl BoardReading {
    /// Reads the pieces in hand beside the board in the same picture.
    pub fn read_hands(&self, picture: &Picture, network: &Network) -> SeenHands {
        read_hands(picture, network, &self.grid, &self.classes)
    }

    /// Returns whether this is a board: with a game, or bare and without adjoining squares of the same size.
    pub fn is_board(&self) -> bool {
        is_board(&self.squares)
            || self.classes.iter().all(|class| *class == EMPTY)
                && self.confidence >= IMPOSSIBLE_BOARD_FACTOR / 2.0
    }

    /// Returns the board part of an SFEN, with `?` for hidden squares. The side at the bottom of the picture is Black.
    pub fn sfen(&self) -> String {
        sfen(self.classes.iter().copied())
    }
}

/// Returns whether these squares may be a board. Enough squares are visible, and the occupied squares and the sides of
/// pieces are clear.
fn may_be_board(squares: &[Probabilities]) -> bool {
    let seen: Vec<&Probabilities> = squares
        .iter()
        .filter(|square| likeliest(square).0 != HIDDEN)
        .collect();
    let mean =
        |of: fn(&Probabilities) -> f32| seen.iter().map(|square| of(square)).sum::<f32>() / seen.len() as f32;
    seen.len() >= MIN_VISIBLE_SQUARES
        && mean(side_probability) >= MIN_SIDE_PROBABILITY
        && mean(|square| likeliest(square).1) >= MIN_CLASS_PROBABILITY
}

/// Returns whether these squares are a board with a game: the number and the classes of pieces are plausible.
/// Unknown piece sets pass; digits and letters of a table do not.
pub fn is_board(squares: &[Probabilities]) -> bool {
    let likely = squares
        .iter()
        .map(likeliest)
        .filter(|(class, _)| !matches!(*class, EMPTY | HIDDEN));
    let pieces: Vec<f32> = likely.map(|(_, chance)| chance).collect();
    may_be_board(squares)
        && PLAUSIBLE_PIECE_COUNTS.contains(&pieces.len())
        && pieces.iter().sum::<f32>() / pieces.len() as f32 >= MIN_PIECE_PROBABILITY
}

/// Returns the probability of the likeliest of three: empty, Black's or White's piece.
fn side_probability(square: &Probabilities) -> f32 {
    let sum = |from: usize, to: usize| square.get(from..to).unwrap_or_default().iter().sum::<f32>();
    let half = EMPTY + 1 + KIND_COUNT;
    sum(EMPTY, EMPTY + 1)
        .max(sum(EMPTY + 1, half))
        .max(sum(half, HIDDEN))
}

/// The letters of the kinds in SFEN, in the order of the classes.
const SFEN_LETTERS: [&str; 14] = [
    "P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R",
];

/// Returns the board part of an SFEN for the classes of 81 squares.
pub fn sfen(classes: impl Iterator<Item = usize>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    let write_empty = |text: &mut String, empty: &mut usize| {
        if *empty > 0 {
            text.push_str(&empty.to_string());
            *empty = 0;
        }
    };
    for (index, class) in classes.enumerate() {
        if index > 0 && index % 9 == 0 {
            write_empty(&mut text, &mut empty);
            text.push('/');
        }
        if class == EMPTY {
            empty += 1;
            continue;
        }
        write_empty(&mut text, &mut empty);
        match SFEN_LETTERS.get((class - 1) % SFEN_LETTERS.len()) {
            Some(_) if class >= HIDDEN => text.push('?'),
            Some(letters) if class > SFEN_LETTERS.len() => text.push_str(&letters.to_lowercase()),
            Some(letters) => text.push_str(letters),
            None => {}
        }
    }
    write_empty(&mut text, &mut empty);
    text
}

/// Reads the boards of a picture. Those with a game come first, then bare boards, then other grids. Of these the one
/// with the greatest confidence times area is first: a small board precedes the main one only where that is hardly read
/// or not found. Where no board is likely, squares of two colours are tried, then weaker lines: a table beside a board
/// may have stronger ones. `sets` are the known piece sets.
pub fn read_boards(picture: &Picture, network: &Network, sets: &PieceSets) -> Vec<BoardReading> {
    let read = |found: FoundGrid| read_found(picture, network, sets, &found);
    let (grids, are_all) = find_first_grids(picture);
    let mut boards: Vec<BoardReading> = grids.into_iter().map(read).collect();
    if !is_any_likely(&boards) {
        let of_edges = find_grids(&picture.edges()).into_iter().map(read).collect();
        add_surer_boards(&mut boards, of_edges);
    }
    if !are_all && !is_any_likely(&boards) {
        let all = find_all_grids(picture).into_iter().map(read).collect();
        add_surer_boards(&mut boards, all);
    }
    without_overlaps(boards)
}

/// Returns whether a board of some readings is likelier right than wrong.
fn is_any_likely(boards: &[BoardReading]) -> bool {
    boards
        .iter()
        .any(|board| board.is_board() && board.confidence >= LIKELY_CONFIDENCE)
}

fn add_surer_boards(boards: &mut Vec<BoardReading>, further: Vec<BoardReading>) {
    let best = boards
        .iter()
        .filter(|board| board.is_board())
        .map(|board| board.confidence)
        .reduce(f32::max);
    boards.extend(
        further
            .into_iter()
            .filter(|board| is_board(&board.squares) && best.is_none_or(|best| board.confidence > best)),
    );
}

/// Returns the surest of overlapping boards, in the order of [`read_boards`]. Its confidence is shared with the others
/// that were read differently.
fn without_overlaps(mut boards: Vec<BoardReading>) -> Vec<BoardReading> {
    let kind = |board: &BoardReading| (is_board(&board.squares), board.is_board());
    boards.sort_by(|one, other| {
        kind(other)
            .cmp(&kind(one))
            .then(other.confidence.total_cmp(&one.confidence))
    });
    let mut best: Vec<BoardReading> = Vec::new();
    for board in boards {
        let Some(better) = best
            .iter_mut()
            .find(|better| do_overlap(&better.grid, &board.grid))
        else {
            best.push(board);
            continue;
        };
        if better.classes != board.classes && board.confidence > 0.0 && kind(&board) == kind(better) {
            better.confidence *= better.confidence / (better.confidence + board.confidence);
        }
    }
    let rank = |board: &BoardReading| {
        let (width, height) = board.grid.square_size();
        (
            kind(board),
            board.confidence >= IMPOSSIBLE_BOARD_FACTOR,
            board.confidence * width * height,
        )
    };
    best.sort_by(|one, other| {
        let (one, other) = (rank(one), rank(other));
        (other.0, other.1)
            .cmp(&(one.0, one.1))
            .then(other.2.total_cmp(&one.2))
    });
    best
}

/// Reads a found board. Where further squares adjoin, the grid position of the greatest [`plausibility`] is taken. The
/// confidence is 0 unless that position is legal with its kings and leads. A position leads where the next best one is
/// not legal with its kings, or has clearly fewer pieces or more hidden squares.
fn read_found(picture: &Picture, network: &Network, sets: &PieceSets, found: &FoundGrid) -> BoardReading {
    let mut read: Vec<BoardReading> = std::iter::once(&found.grid)
        .chain(&found.shifted_grids)
        .map(|grid| read_grid(picture, network, sets, grid))
        .collect();
    read.sort_by_key(|board| std::cmp::Reverse(plausibility(&board.classes)));
    let next = read.get(1).map(|next| plausibility(&next.classes));
    let mut board = read.swap_remove(0);
    let (is_whole, balance) = plausibility(&board.classes);
    let apart = match next {
        None => (found.margin / 0.04).clamp(0.0, 1.0),
        Some((is_next_whole, next)) => f32::from(u8::from(
            is_whole && (!is_next_whole || balance >= next + MIN_GRID_LEAD),
        )),
    };
    let seen = ((found.evidence - 0.5) / 0.3).clamp(0.0, 1.0);
    board.confidence *= seen * apart;
    board
}

/// Returns whether the classes are legal with the visible kings of a game or a problem, and the number of pieces minus
/// the number of hidden squares.
/// Objects beside a board, such as buttons, are read as hidden squares and a few pieces.
fn plausibility(classes: &[usize]) -> (bool, i32) {
    let visible: Vec<usize> = classes
        .iter()
        .map(|class| if *class == HIDDEN { EMPTY } else { *class })
        .collect();
    (
        has_kings(&visible) && is_legal(classes),
        classes
            .iter()
            .map(|class| match *class {
                EMPTY => 0,
                HIDDEN => -1,
                _ => 1,
            })
            .sum(),
    )
}

/// Reads the squares of a grid separately, and doubtful ones several times.
pub fn read_separately(picture: &Picture, network: &Network, grid: &Grid) -> SeparateReading {
    let pictures = square_pictures(picture, grid);
    let mut squares = network.classify(pictures.as_flattened());
    if may_be_board(&squares) {
        for (index, square) in squares.iter_mut().enumerate() {
            read_again(picture, network, grid, index, square);
        }
    }
    SeparateReading { pictures, squares }
}

/// Reads the board of a grid. The confidence does not depend on the lines.
fn read_grid(picture: &Picture, network: &Network, sets: &PieceSets, grid: &Grid) -> BoardReading {
    let separate = read_separately(picture, network, grid);
    let light = BoardLight::new(picture, grid, &separate.squares);
    let piece_set = sets.find(&separate.pictures, &separate.squares);
    let JointReading {
        squares,
        classes,
        confidence,
    } = WEIGHTS.read(
        &separate.pictures,
        &separate.squares,
        &light,
        piece_set.as_deref(),
    );
    let is_possible = has_kings(&classes) && is_legal(&classes) && is_board(&squares);
    let confidence = if is_possible {
        confidence
    } else {
        confidence * IMPOSSIBLE_BOARD_FACTOR
    };
    BoardReading {
        grid: *grid,
        separate,
        piece_set,
        squares,
        classes,
        confidence,
    }
}

/// Returns whether a game or a problem has these kings. A problem may lack the king of the side at the bottom, which
/// then has few pieces. A king may be hidden.
fn has_kings(classes: &[usize]) -> bool {
    let has = |king: usize| classes.iter().any(|class| *class == king || *class == HIDDEN);
    let lower = (EMPTY + 1)..=(EMPTY + KIND_COUNT);
    has(opposite_class(KING_CLASS))
        && (has(KING_CLASS)
            || classes.iter().filter(|class| lower.contains(class)).count() <= MAX_PROBLEM_PIECES)
}

/// Reads a doubtful square four more times, at small offsets. The probabilities become the geometric mean of all
/// readings, because an accidental misreading occurs at one offset only.
pub fn read_again(
    picture: &Picture,
    network: &Network,
    grid: &Grid,
    index: usize,
    square: &mut Probabilities,
) {
    const OFFSETS: [(f32, f32); 4] = [
        (-REREAD_OFFSET, -REREAD_OFFSET),
        (REREAD_OFFSET, -REREAD_OFFSET),
        (-REREAD_OFFSET, REREAD_OFFSET),
        (REREAD_OFFSET, REREAD_OFFSET),
    ];
    const MIN_PROBABILITY: f32 = 1e-6;
    if likeliest(square).1 >= MIN_READ_ONCE_PROBABILITY {
        return;
    }
    let (column, row) = column_and_row(index);
    let mut values = [0.0; OFFSETS.len() * PICTURE_SIDE * PICTURE_SIDE];
    for ((across, down), sample) in OFFSETS
        .into_iter()
        .zip(values.chunks_exact_mut(PICTURE_SIDE * PICTURE_SIDE))
    {
        grid.read_square(picture, column + across, row + down, sample);
    }
    let mut logs = square.map(|probability| probability.max(MIN_PROBABILITY).ln());
    for sample in network.classify(&values) {
        logs.iter_mut()
            .zip(sample)
            .for_each(|(sum, probability)| *sum += probability.max(MIN_PROBABILITY).ln());
    }
    *square = softmax(logs.map(|sum| sum / (OFFSETS.len() + 1) as f32));
}

/// Reads each square of a known grid once. Returns the probabilities.
pub fn read_squares(picture: &Picture, network: &Network, grid: &Grid) -> Vec<Probabilities> {
    network.classify(square_pictures(picture, grid).as_flattened())
}

fn square_pictures(picture: &Picture, grid: &Grid) -> Vec<SquarePicture> {
    (0..81)
        .map(|index| square_picture(picture, grid, index))
        .collect()
}

/// Returns the picture of a square, by its index from the top left, row by row.
pub fn square_picture(picture: &Picture, grid: &Grid, index: usize) -> SquarePicture {
    let (column, row) = column_and_row(index);
    let mut values = [0.0; PICTURE_SIDE * PICTURE_SIDE];
    grid.read_square(picture, column, row, &mut values);
    values
}

/// Returns the pieces of a square with a probability of at least 0.01, the likeliest first. Names are the letters of an
/// SFEN, `.` for none and `?` for a hidden square.
pub fn likely_pieces(square: &Probabilities) -> Vec<(&'static str, f32)> {
    const WHITE_LETTERS: [&str; 14] = [
        "p", "l", "n", "s", "g", "b", "r", "k", "+p", "+l", "+n", "+s", "+b", "+r",
    ];
    let names = ["."]
        .into_iter()
        .chain(SFEN_LETTERS)
        .chain(WHITE_LETTERS)
        .chain(["?"]);
    let mut likely: Vec<(&str, f32)> = names
        .zip(square.iter().copied())
        .filter(|(_, chance)| *chance >= 0.01)
        .collect();
    likely.sort_by(|left, right| right.1.total_cmp(&left.1));
    likely
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_pieces_have_a_king() {
        let (upper_king, gold) = (opposite_class(KING_CLASS), 5);
        let board = |pieces: usize, kings: &[usize]| -> bool {
            let others = 81 - pieces - kings.len();
            has_kings(&[vec![gold; pieces], kings.to_vec(), vec![EMPTY; others]].concat())
        };
        assert!(board(MAX_PROBLEM_PIECES, &[upper_king]) && board(18, &[upper_king, KING_CLASS]));
        assert!(board(18, &[upper_king, HIDDEN]), "behind something");
        assert!(!board(18, &[upper_king]) && !board(3, &[KING_CLASS]) && !board(0, &[]));
    }

    #[test]
    fn a_board_without_pieces_has_no_game() {
        let squares = |pieces: usize| -> Vec<Probabilities> {
            let class = |index: usize| if index < pieces { 1 } else { EMPTY };
            let sure = |class: usize| std::array::from_fn(|other| f32::from(u8::from(other == class)));
            (0..81).map(|index| sure(class(index))).collect()
        };
        assert_eq!(
            [0, 1, 2, 40, 44, 45, 81].map(|pieces| is_board(&squares(pieces))),
            [false, false, true, true, true, false, false]
        );
    }

    #[test]
    fn a_row_of_buttons_is_no_row_of_the_board() {
        let row = |pieces: &[(usize, usize)], other: usize| -> Vec<usize> {
            (0..9)
                .map(|column| {
                    pieces
                        .iter()
                        .find(|(at, _)| *at == column)
                        .map_or(other, |(_, class)| *class)
                })
                .collect()
        };
        let kings = [
            row(&[(4, opposite_class(KING_CLASS))], EMPTY),
            row(&[(4, KING_CLASS)], EMPTY),
        ]
        .concat();
        let upper_row = row(&[(7, 9)], EMPTY);
        let buttons = row(&[(1, 9), (3, 2)], HIDDEN);
        let board = [upper_row, kings.clone(), vec![EMPTY; 54]].concat();
        let shifted = [kings, vec![EMPTY; 54], buttons].concat();
        let (board, shifted) = (plausibility(&board), plausibility(&shifted));
        assert!(
            board.0 && shifted.0 && board.1 >= shifted.1 + MIN_GRID_LEAD,
            "{board:?} {shifted:?}"
        );
    }

    #[test]
    fn a_bare_board_needs_confidence() {
        let grid = Grid::new([(0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0)]).expect("a square");
        let empty = std::array::from_fn(|class| if class == EMPTY { 1.0 } else { 0.0 });
        let board = |confidence: f32| BoardReading {
            grid,
            separate: SeparateReading::default(),
            piece_set: None,
            squares: vec![empty; 81],
            classes: vec![EMPTY; 81],
            confidence,
        };
        assert_eq!(
            [0.0, 0.03, 0.1].map(|confidence| board(confidence).is_board()),
            [false, false, true]
        );
    }

    #[test]
    fn a_large_board_comes_before_a_small_one_that_is_surer() {
        let empty = std::array::from_fn(|class| if class == EMPTY { 1.0 } else { 0.0 });
        // Confidence, left edge and width of each board.
        let order = |boards: &[(f32, f32, f32)]| {
            let board = |(confidence, left, width): &(f32, f32, f32)| BoardReading {
                grid: Grid::new([
                    (*left, 0.0),
                    (left + width, 0.0),
                    (left + width, *width),
                    (*left, *width),
                ])
                .expect("a square"),
                separate: SeparateReading::default(),
                piece_set: None,
                squares: vec![empty; 81],
                classes: vec![EMPTY; 81],
                confidence: *confidence,
            };
            let sorted = without_overlaps(boards.iter().map(board).collect());
            sorted.iter().map(|board| board.confidence).collect::<Vec<_>>()
        };
        assert_eq!(
            order(&[(0.97, 0.0, 180.0), (0.5, 200.0, 400.0), (0.06, 600.0, 900.0)]),
            [0.5, 0.97, 0.06]
        );
        assert_eq!(
            order(&[(0.04, 600.0, 900.0), (0.06, 200.0, 180.0)]),
            [0.06, 0.04],
            "the first is no board"
        );
        assert_eq!(
            order(&[(0.86, 0.0, 200.0), (0.99, 0.0, 185.0)]),
            [0.99],
            "the same board, and read alike"
        );
    }
}
