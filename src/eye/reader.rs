//! A board read off a picture.

use crate::find::{FoundGrid, find_grids};
use crate::grid::{Grid, SIDE};
use crate::hands::{SeenHands, read_hands};
use crate::joint::{JointReading, KING_CLASS, WEIGHTS, is_legal};
use crate::light::BoardLight;
use crate::network::{EMPTY, HIDDEN, KINDS, Network, Probabilities, likeliest, softmax, turned};
use crate::picture::Picture;
use crate::piece_sets::PieceSets;
use crate::templates::SquarePicture;

/// With fewer squares that can be seen, a grid is no board.
const LEAST_SEEN: usize = 41;
/// With fewer or more pieces, a board has no game: a problem has a king and one more, a game 40, and some may be misread.
const PIECES: std::ops::RangeInclusive<usize> = 2..=44;
/// With less mean probability of the class of what can be seen, a grid is no board.
const LEAST_SURE: f32 = 0.5;
/// The same for nothing, a piece of one side, or one of the other.
const LEAST_SURE_SIDE: f32 = 0.8;

/// The same for the mean probability of what its pieces are.
const LEAST_SURE_PIECES: f32 = 0.7;

/// A board is about as likely as the likeliest one of its picture where it has this share of its confidence.
const ABOUT_AS_LIKELY: f32 = 0.8;
/// A square whose likeliest class is less likely than this is in doubt.
const CERTAIN: f32 = 0.99;
/// What is left of the confidence of a board that no game has.
const IMPOSSIBLE: f32 = 0.1;
/// Of two places for a board, that with so many more pieces is clearly the better one.
const CLEARLY_MORE: usize = 3;
/// How far beside itself a square in doubt is read, in squares.
const OFFSET: f32 = 0.04;

/// What was read in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardReading {
    /// Where the board lies.
    pub grid: Grid,
    /// The probability of each class for each square, from the top left, row by row.
    pub squares: Vec<Probabilities>,
    /// The class of each square: the likeliest ones that a game can have.
    pub classes: Vec<usize>,
    /// How likely everything is right, 0 to 1.
    pub confidence: f32,
}

impl BoardReading {
    /// Reads the pieces in hand beside the board, in the picture that it was read off.
    pub fn hands(&self, picture: &Picture, network: &Network) -> SeenHands {
        read_hands(picture, network, &self.grid, &self.classes)
    }

    /// Returns whether this is a board at all: with a game on it, or bare, where nothing of its size lies beside it.
    pub fn is_board(&self) -> bool {
        let is_bare = || self.classes.iter().all(|class| *class == EMPTY) && self.confidence >= IMPOSSIBLE / 2.0;
        is_board(&self.squares) || is_bare()
    }

    /// Returns the board part of an SFEN, `?` for hidden squares, as the picture has it: the side at the bottom is Black.
    pub fn sfen(&self) -> String {
        sfen(self.classes.iter().copied())
    }
}

/// Returns whether these may be the squares of a board: some are seen, and of most it is sure whether a piece stands there, whose
/// it is, and less surely which.
#[expect(clippy::cast_precision_loss, reason = "at most 81")]
fn may_be_board(squares: &[Probabilities]) -> bool {
    let seen: Vec<&Probabilities> = squares.iter().filter(|square| likeliest(square).0 != HIDDEN).collect();
    let mean = |of: fn(&Probabilities) -> f32| seen.iter().map(|square| of(square)).sum::<f32>() / seen.len() as f32;
    seen.len() >= LEAST_SEEN && mean(side_chance) >= LEAST_SURE_SIDE && mean(|square| likeliest(square).1) >= LEAST_SURE
}

/// Returns whether these are the squares of a board with a game on it: there are some pieces, and what they are is not mere guessing.
/// Pieces that the network has never seen are pieces all the same; digits and letters of a table are not.
#[expect(clippy::cast_precision_loss, reason = "at most 81")]
pub fn is_board(squares: &[Probabilities]) -> bool {
    let likely = squares.iter().map(likeliest).filter(|(class, _)| !matches!(*class, EMPTY | HIDDEN));
    let pieces: Vec<f32> = likely.map(|(_, chance)| chance).collect();
    let is_sure = || pieces.iter().sum::<f32>() / pieces.len() as f32 >= LEAST_SURE_PIECES;
    may_be_board(squares) && PIECES.contains(&pieces.len()) && is_sure()
}

/// Returns the probability of the likeliest of nothing, a piece of the first side and one of the other.
fn side_chance(square: &Probabilities) -> f32 {
    let sum = |from: usize, to: usize| square.get(from..to).unwrap_or_default().iter().sum::<f32>();
    let half = EMPTY + 1 + KINDS;
    sum(EMPTY, EMPTY + 1).max(sum(EMPTY + 1, half)).max(sum(half, HIDDEN))
}

/// The letters of the kinds, in the order of the classes.
const LETTERS: [&str; 14] = ["P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R"];

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
    for (place, class) in classes.enumerate() {
        if place > 0 && place % 9 == 0 {
            write_empty(&mut text, &mut empty);
            text.push('/');
        }
        if class == EMPTY {
            empty += 1;
            continue;
        }
        write_empty(&mut text, &mut empty);
        match LETTERS.get((class - 1) % LETTERS.len()) {
            Some(_) if class >= HIDDEN => text.push('?'),
            Some(letters) if class > LETTERS.len() => text.push_str(&letters.to_lowercase()),
            Some(letters) => text.push_str(letters),
            None => {}
        }
    }
    write_empty(&mut text, &mut empty);
    text
}

/// Reads the boards of a picture, the likeliest first; of those that are about as likely, the largest. Where no board has lines, the
/// squares of one with pieces may differ in colour. `sets` are the piece sets that are known.
pub fn read_boards(picture: &Picture, network: &Network, sets: &PieceSets) -> Vec<BoardReading> {
    let read = |grids: Vec<FoundGrid>| grids.into_iter().map(|found| read_found(picture, network, sets, &found));
    let mut boards: Vec<BoardReading> = read(find_grids(picture)).collect();
    if !boards.iter().any(BoardReading::is_board) {
        boards.extend(read(find_grids(&picture.edges())).filter(|board| is_board(&board.squares)));
    }
    sort_boards(&mut boards);
    boards
}

fn sort_boards(boards: &mut [BoardReading]) {
    boards.sort_by(|left, right| right.confidence.total_cmp(&left.confidence));
    let least = boards.first().map_or(0.0, |best| best.confidence * ABOUT_AS_LIKELY);
    let likely = boards.partition_point(|board| board.confidence >= least && least > 0.0);
    let width = |board: &BoardReading| board.grid.square_size().0;
    if let Some(likely) = boards.get_mut(..likely) {
        likely.sort_by(|left, right| width(right).total_cmp(&width(left)));
    }
}

/// Reads a board that was found. Where further squares of the same size lie beside it, the one of its places with the most pieces that
/// a game can have is the board; nothing is sure unless that one alone has both kings, or all others have fewer pieces.
fn read_found(picture: &Picture, network: &Network, sets: &PieceSets, found: &FoundGrid) -> BoardReading {
    let mut read: Vec<BoardReading> = std::iter::once(&found.grid)
        .chain(&found.windows)
        .map(|grid| read_grid(picture, network, sets, grid))
        .collect();
    read.sort_by_key(|board| std::cmp::Reverse(plausibility(&board.classes)));
    let next = read.get(1).map(|next| plausibility(&next.classes));
    let mut board = read.swap_remove(0);
    let (is_whole, pieces) = plausibility(&board.classes);
    let apart = match next {
        None => (found.margin / 0.04).clamp(0.0, 1.0),
        Some((is_next_whole, next)) => {
            f32::from(u8::from(is_whole && (!is_next_whole || pieces >= next + CLEARLY_MORE)))
        }
    };
    let seen = ((found.evidence - 0.5) / 0.3).clamp(0.0, 1.0);
    board.confidence *= seen * apart;
    board
}

/// Returns whether a game can have these classes, with both kings, and the number of pieces.
fn plausibility(classes: &[usize]) -> (bool, usize) {
    let kings = [KING_CLASS, turned(KING_CLASS)].iter().all(|king| classes.contains(king));
    (kings && is_legal(classes), classes.iter().filter(|class| !matches!(**class, EMPTY | HIDDEN)).count())
}

/// Reads the squares of a grid, each alone, those in doubt several times. Returns their pictures, too.
pub fn read_alone(picture: &Picture, network: &Network, grid: &Grid) -> (Vec<SquarePicture>, Vec<Probabilities>) {
    let pictures: Vec<SquarePicture> = (0..81).map(|place| square_picture(picture, grid, place)).collect();
    let mut squares = network.classify(pictures.as_flattened());
    if may_be_board(&squares) {
        for (place, square) in squares.iter_mut().enumerate() {
            read_again(picture, network, grid, place, square);
        }
    }
    (pictures, squares)
}

/// Reads the board of a grid. The confidence is that of the squares alone.
fn read_grid(picture: &Picture, network: &Network, sets: &PieceSets, grid: &Grid) -> BoardReading {
    let (pictures, squares) = read_alone(picture, network, grid);
    let light = BoardLight::new(picture, grid, &squares);
    let set = sets.find(&pictures, &squares);
    let JointReading { squares, classes, confidence } = WEIGHTS.read(&pictures, &squares, &light, set.as_deref());
    // No game and no problem has such a board: it was misread, or is none. A king may be hidden.
    let has_king = classes.iter().any(|class| *class == turned(KING_CLASS) || *class == HIDDEN);
    let is_possible = has_king && is_legal(&classes) && is_board(&squares);
    let confidence = if is_possible { confidence } else { confidence * IMPOSSIBLE };
    BoardReading { grid: *grid, squares, classes, confidence }
}

/// Reads a square that is in doubt four more times, a little beside. Its probabilities become the geometric mean: what is
/// read by chance is read in one place only.
pub fn read_again(picture: &Picture, network: &Network, grid: &Grid, place: usize, square: &mut Probabilities) {
    const OFFSETS: [(f32, f32); 4] = [(-OFFSET, -OFFSET), (OFFSET, -OFFSET), (-OFFSET, OFFSET), (OFFSET, OFFSET)];
    const LEAST: f32 = 1e-6;
    if likeliest(square).1 >= CERTAIN {
        return;
    }
    let mut values = [0.0; OFFSETS.len() * SIDE * SIDE];
    for ((across, down), sample) in OFFSETS.into_iter().zip(values.chunks_exact_mut(SIDE * SIDE)) {
        grid.read_square(picture, (place % 9) as f32 + across, (place / 9) as f32 + down, sample);
    }
    let mut logs = square.map(|probability| probability.max(LEAST).ln());
    for sample in network.classify(&values) {
        logs.iter_mut().zip(sample).for_each(|(sum, probability)| *sum += probability.max(LEAST).ln());
    }
    *square = softmax(logs.map(|sum| sum / (OFFSETS.len() + 1) as f32));
}

/// Reads the squares of a board whose place is known.
pub fn read_squares(picture: &Picture, network: &Network, grid: &Grid) -> Vec<Probabilities> {
    let mut values = vec![0.0; 81 * SIDE * SIDE];
    for (place, square) in values.chunks_exact_mut(SIDE * SIDE).enumerate() {
        take_square(picture, grid, place, square);
    }
    network.classify(&values)
}

/// Takes the picture of one square, by its number from the top left, row by row.
pub fn square_picture(picture: &Picture, grid: &Grid, place: usize) -> SquarePicture {
    let mut values = [0.0; SIDE * SIDE];
    take_square(picture, grid, place, &mut values);
    values
}

#[expect(clippy::cast_precision_loss, reason = "below nine")]
fn take_square(picture: &Picture, grid: &Grid, place: usize, values: &mut [f32]) {
    grid.read_square(picture, (place % 9) as f32, (place / 9) as f32, values);
}

/// Returns the pieces of a square that have at least a hundredth, the likeliest first: the letters of an SFEN, `.` for
/// none and `?` for what cannot be seen.
pub fn likely_pieces(square: &Probabilities) -> Vec<(&'static str, f32)> {
    const WHITE: [&str; 14] = ["p", "l", "n", "s", "g", "b", "r", "k", "+p", "+l", "+n", "+s", "+b", "+r"];
    let names = ["."].into_iter().chain(LETTERS).chain(WHITE).chain(["?"]);
    let mut likely: Vec<(&str, f32)> =
        names.zip(square.iter().copied()).filter(|(_, chance)| *chance >= 0.01).collect();
    likely.sort_by(|left, right| right.1.total_cmp(&left.1));
    likely
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_without_pieces_has_no_game() {
        let squares = |pieces: usize| -> Vec<Probabilities> {
            let class = |place: usize| if place < pieces { 1 } else { EMPTY };
            let sure = |class: usize| std::array::from_fn(|other| f32::from(u8::from(other == class)));
            (0..81).map(|place| sure(class(place))).collect()
        };
        assert_eq!(
            [0, 1, 2, 40, 44, 45, 81].map(|pieces| is_board(&squares(pieces))),
            [false, false, true, true, true, false, false]
        );
    }

    #[test]
    fn a_bare_board_is_one_where_it_is_sure() {
        let grid = Grid::new([(0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0)]).expect("a square");
        let empty = std::array::from_fn(|class| if class == EMPTY { 1.0 } else { 0.0 });
        let board =
            |confidence: f32| BoardReading { grid, squares: vec![empty; 81], classes: vec![EMPTY; 81], confidence };
        assert_eq!([0.0, 0.03, 0.1].map(|confidence| board(confidence).is_board()), [false, false, true]);
    }

    #[test]
    fn the_largest_of_the_likely_boards_comes_first() {
        let order = |boards: &[(f32, f32)]| {
            let board = |(confidence, width): &(f32, f32)| BoardReading {
                grid: Grid::new([(0.0, 0.0), (*width, 0.0), (*width, *width), (0.0, *width)]).expect("a square"),
                squares: Vec::new(),
                classes: Vec::new(),
                confidence: *confidence,
            };
            let mut boards: Vec<BoardReading> = boards.iter().map(board).collect();
            sort_boards(&mut boards);
            boards.iter().map(|board| board.confidence).collect::<Vec<_>>()
        };
        assert_eq!(order(&[(0.97, 180.0), (0.9, 500.0), (0.5, 900.0)]), [0.9, 0.97, 0.5]);
        assert_eq!(order(&[(0.0, 180.0), (0.0, 500.0)]), [0.0, 0.0], "found first, first");
    }
}
