//! A board on the screen with a known grid.

use super::super::ScreenArea;
use super::super::capture::{ProgramWindow, ScreenPicture};
use shogibar_eye::change::{SquareThumbnail, square_thumbnails};
use shogibar_eye::grid::{Grid, column_and_row};
use shogibar_eye::joint::WEIGHTS;
use shogibar_eye::light::BoardLight;
use shogibar_eye::network::{HIDDEN, Network, Probabilities, hide, likeliest};
use shogibar_eye::reader::{read_again, square_picture};
use shogibar_eye::templates::{SquarePicture, Templates};
use shogibar_eye::track::Hands;

/// The least share of a lost board's pieces that look as before when the board is back.
const MIN_UNCHANGED_PIECE_SHARE: f32 = 0.75;
/// The greatest distance of the corners of two grids at the same position, as a share of a square.
const MAX_SAME_GRID_DISTANCE: f32 = 0.2;
/// The number of readings in a row after which a moving square counts as still. A clock or a blinking light moves
/// without end.
const MAX_MOVING_READINGS: u8 = 12;
/// The maximum number of moving squares at which the other squares are read. A pointer may move over the board.
pub(super) const MAX_MOVING_SQUARES: usize = 4;
/// The maximum number of squares with other pieces on a board that shows the game.
pub(super) const MAX_WRONG_SQUARES: usize = 8;

/// A board with a known grid.
#[derive(Clone, Debug)]
pub(super) struct WatchedBoard {
    /// The grid, in pixels of the screen.
    pub(super) grid: Grid,
    pub(super) last_thumbnails: Vec<SquareThumbnail>,
    /// The number of readings in a row for which each square has moved.
    pub(super) moving_readings: Vec<u8>,
    /// The thumbnails at the time of the classification.
    pub(super) read_thumbnails: Vec<SquareThumbnail>,
    /// The classification: the probabilities of each square.
    pub(super) squares: Vec<Probabilities>,
    pub(super) network_squares: Vec<Probabilities>,
    /// The indices of the squares that this program's windows have covered since the classification.
    pub(super) covered_squares: Vec<usize>,
    /// The pictures at the time of the classification.
    pub(super) pictures: Vec<SquarePicture>,
    /// Whether no reading has learnt from the pictures since the last change.
    pub(super) has_new_pictures: bool,
    /// The classes of the game when pictures were last learnt; empty before.
    pub(super) learned_classes: Vec<usize>,
    /// The pieces in hand that were seen when the board was found; `None` once the game is known.
    pub(super) hands: Option<Hands>,
    /// The pieces of the last reading that showed the game.
    pub(super) pieces: Vec<SeenPiece>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SeenPiece {
    pub(super) index: usize,
    pub(super) thumbnail: SquareThumbnail,
}

/// The knowledge about a board before a reading.
pub(super) struct BoardKnowledge<'a> {
    /// The classes of the current position; empty without a game.
    pub(super) expected_classes: &'a [usize],
    /// The pictures of the board's pieces.
    pub(super) templates: &'a Templates,
}

impl BoardKnowledge<'_> {
    /// Corrects the classification of a square by the templates. A square that does not show the game is also corrected
    /// by its light. It may be covered, or show a proposed move.
    pub(super) fn correct_square(
        &self,
        light: &BoardLight,
        index: usize,
        pictures: &[SquarePicture],
        squares: &mut [Probabilities],
    ) {
        let Some((picture, mut square)) = pictures.get(index).zip(squares.get(index).copied()) else {
            return;
        };
        self.templates.apply(picture, &mut square);
        if self.expected_classes.get(index) != Some(&likeliest(&square).0) {
            WEIGHTS.apply_light_of_square(light, pictures, squares, index, &mut square);
        }
        if let Some(read) = squares.get_mut(index) {
            *read = square;
        }
    }
}

impl WatchedBoard {
    /// Compares the visible squares with the last reading. If few squares move, classifies the squares that have
    /// changed and are at rest. Returns the indices of the moving squares.
    pub(super) fn update(
        &mut self,
        seen: &ScreenPicture,
        grid: &Grid,
        covered: &[usize],
        network: &Network,
        known: &BoardKnowledge<'_>,
    ) -> Vec<usize> {
        let thumbnails = square_thumbnails(&seen.picture, grid);
        hide(&mut self.squares, covered);
        let mut moving_squares = Vec::new();
        for (index, ((now, last), moving)) in thumbnails
            .iter()
            .zip(&self.last_thumbnails)
            .zip(&mut self.moving_readings)
            .enumerate()
        {
            *moving = if now.differs(last) && !covered.contains(&index) {
                moving.saturating_add(1)
            } else {
                0
            };
            if (1..=MAX_MOVING_READINGS).contains(moving) {
                moving_squares.push(index);
            }
        }
        if moving_squares.len() <= MAX_MOVING_SQUARES {
            let at_rest = thumbnails
                .iter()
                .zip(&self.read_thumbnails)
                .enumerate()
                .filter(|(index, _)| !moving_squares.contains(index) && !covered.contains(index));
            let others: Vec<usize> = at_rest
                .filter(|(index, (now, read))| now.differs(read) || self.covered_squares.contains(index))
                .map(|(index, _)| index)
                .collect();
            self.has_new_pictures |= !others.is_empty();
            for index in &others {
                self.read_square(seen, grid, *index, network);
            }
            if !others.is_empty() {
                self.correct_squares(seen, grid, &others, known);
            }
            for index in &others {
                if let Some((read, now)) = self.read_thumbnails.get_mut(*index).zip(thumbnails.get(*index)) {
                    *read = *now;
                }
            }
            self.covered_squares
                .retain(|index| moving_squares.contains(index));
        }
        self.covered_squares.retain(|index| !covered.contains(index));
        self.covered_squares.extend_from_slice(covered);
        self.last_thumbnails = thumbnails;
        moving_squares
    }

    /// Corrects the classification of squares by the light of the whole picture, which may have changed.
    fn correct_squares(
        &mut self,
        seen: &ScreenPicture,
        grid: &Grid,
        indices: &[usize],
        known: &BoardKnowledge<'_>,
    ) {
        let light = BoardLight::new(&seen.picture, grid, &self.squares);
        for index in indices {
            known.correct_square(&light, *index, &self.pictures, &mut self.squares);
        }
    }

    fn read_square(&mut self, seen: &ScreenPicture, grid: &Grid, index: usize, network: &Network) {
        let picture = square_picture(&seen.picture, grid, index);
        let read = network.classify(picture.as_slice()).pop();
        let targets = self
            .squares
            .get_mut(index)
            .zip(self.network_squares.get_mut(index));
        let targets = targets.zip(self.pictures.get_mut(index));
        let Some((mut probabilities, ((square, alone), known))) = read.zip(targets) else {
            return;
        };
        // A changed piece may have been captured or dropped, so the hands are unknown until they are read again.
        if likeliest(&probabilities).0 != likeliest(square).0 {
            self.hands = None;
        }
        read_again(&seen.picture, network, grid, index, &mut probabilities);
        (*square, *alone, *known) = (probabilities, probabilities, picture);
    }

    /// Returns whether most visible squares show these classes. A window that moved by whole squares shows others.
    pub(super) fn shows(&self, expected: &[usize]) -> bool {
        let read = self
            .squares
            .iter()
            .map(|square| likeliest(square).0)
            .zip(expected);
        read.filter(|(class, expected)| *class != HIDDEN && class != *expected)
            .count()
            <= MAX_WRONG_SQUARES
    }

    pub(super) fn is_at(&self, grid: &Grid) -> bool {
        corner_distance(&self.grid, grid) < MAX_SAME_GRID_DISTANCE * grid.square_size().0
    }

    /// Returns whether most pieces look as in the last reading that showed the game.
    pub(super) fn has_pieces_as_before(&self, thumbnails: &[SquareThumbnail]) -> bool {
        let known = self
            .pieces
            .iter()
            .filter(|piece| {
                thumbnails
                    .get(piece.index)
                    .is_some_and(|now| !now.differs(&piece.thumbnail))
            })
            .count();
        known > 0 && known as f32 >= MIN_UNCHANGED_PIECE_SHARE * self.pieces.len() as f32
    }
}

/// Returns a grid moved by `x` and `y` pixels; `None` if the result is not a grid.
pub(super) fn moved_grid(grid: &Grid, x: i32, y: i32) -> Option<Grid> {
    Grid::new(
        grid.corners()
            .map(|(left, top)| (left + x as f32, top + y as f32)),
    )
}

/// Returns the indices of the squares that this program's windows cover in part. The grid is in pixels of the picture.
pub(super) fn covered_squares(seen: &ScreenPicture, grid: &Grid) -> Vec<usize> {
    // A window's edge may lie on a line of the board, so this border of a square does not count.
    const BORDER_SQUARES: f32 = 0.1;
    let is_covered = |index: &usize| {
        let (column, row) = column_and_row(*index);
        let (left, top) = grid.pixel(column + BORDER_SQUARES, row + BORDER_SQUARES);
        let (right, bottom) = grid.pixel(column + 1.0 - BORDER_SQUARES, row + 1.0 - BORDER_SQUARES);
        seen.program_windows.iter().any(|ProgramWindow { area, .. }| {
            let offset = |coordinate: i32, origin: i32| (i64::from(coordinate) - i64::from(origin)) as f32;
            let (x, y) = (offset(area.left, seen.left), offset(area.top, seen.top));
            left < x + area.width as f32 && right > x && top < y + area.height as f32 && bottom > y
        })
    };
    if seen.program_windows.is_empty() {
        Vec::new()
    } else {
        (0..81).filter(is_covered).collect()
    }
}

/// Returns the greatest distance of the corners of two grids, in pixels.
pub(super) fn corner_distance(one: &Grid, other: &Grid) -> f32 {
    let pairs = one.corners().iter().zip(other.corners());
    pairs
        .map(|(a, b)| (a.0 - b.0).abs().max((a.1 - b.1).abs()))
        .fold(0.0, f32::max)
}

/// Returns the area of a board on the screen, with a margin of `edge` squares around the board.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels of a screen"
)]
pub(super) fn area_of(grid: &Grid, edge: f32) -> ScreenArea {
    let corners = [grid.pixel(-edge, -edge), grid.pixel(9.0 + edge, -edge)];
    let corners = corners
        .into_iter()
        .chain([grid.pixel(9.0 + edge, 9.0 + edge), grid.pixel(-edge, 9.0 + edge)]);
    let (mut from, mut to) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
    for (x, y) in corners {
        (from, to) = ((from.0.min(x), from.1.min(y)), (to.0.max(x), to.1.max(y)));
    }
    let (left, top) = (from.0.floor(), from.1.floor());
    let size = |from: f32, to: f32| (to - from).ceil() as u32;
    ScreenArea {
        left: left as i32,
        top: top as i32,
        width: size(left, to.0),
        height: size(top, to.1),
    }
}
