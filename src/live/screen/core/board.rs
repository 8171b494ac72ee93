//! A board on the screen whose place is known.

use super::super::ScreenArea;
use super::super::capture::{OwnWindow, ScreenPicture};
use shogibar_eye::change::{SquareThumbnail, square_thumbnails};
use shogibar_eye::grid::Grid;
use shogibar_eye::joint::WEIGHTS;
use shogibar_eye::light::BoardLight;
use shogibar_eye::network::{HIDDEN, Network, Probabilities, hide, likeliest};
use shogibar_eye::reader::{read_again, square_picture};
use shogibar_eye::templates::{SquarePicture, Templates};
use shogibar_eye::track::Hands;

/// A lost board is there again where this share of its pieces looks as before.
const LEAST_KNOWN: f32 = 0.75;
/// A grid is where a board was if its corners are within this share of a square.
const SAME_PLACE: f32 = 0.2;
/// A square that has moved for so many looks in a row does not count as moving any more: a clock, a blinking light.
const RESTLESS: u8 = 12;
/// While at most so many squares move, moves of the others are read: a pointer goes over the board.
pub(super) const MOST_MOVING: usize = 4;
/// A board shows the game where at most so many squares are others.
pub(super) const MOST_OTHERS: usize = 8;

/// A board whose place is known.
#[derive(Clone, Debug)]
pub(super) struct WatchedBoard {
    /// Its lines in pixels of the screen.
    pub(super) grid: Grid,
    /// How the squares looked at the last look, and for how many looks each has moved.
    pub(super) last: Vec<SquareThumbnail>,
    pub(super) moving: Vec<u8>,
    /// How they looked when they were read, and what was read.
    pub(super) read: Vec<SquareThumbnail>,
    pub(super) squares: Vec<Probabilities>,
    /// Those that this program's own windows have covered since they were read.
    pub(super) covered: Vec<usize>,
    /// Their pictures then, and whether nothing has been learnt from them.
    pub(super) pictures: Vec<SquarePicture>,
    pub(super) is_new: bool,
    /// The pieces in hand that were seen when the board was found, until its game is known.
    pub(super) hands: Option<Hands>,
    /// How its pieces looked when it last showed the game.
    pub(super) pieces: Vec<(usize, SquareThumbnail)>,
}

/// What is known of a board before it is looked at: the classes that the game has on its squares, none without a game, and what its
/// pieces look like.
pub(super) struct Known<'a> {
    pub(super) expected: &'a [usize],
    pub(super) templates: &'a Templates,
}

impl Known<'_> {
    /// Weighs what was read of a square. One that shows the game is no proposed move and not covered.
    pub(super) fn weigh(
        &self,
        light: &BoardLight,
        place: usize,
        pictures: &mut [SquarePicture],
        squares: &mut [Probabilities],
    ) {
        let Some((picture, mut square)) = pictures.get(place).zip(squares.get(place).copied()) else { return };
        self.templates.weigh(picture, &mut square);
        let shows_game = self.expected.get(place) == Some(&likeliest(&square).0);
        if !shows_game
            && WEIGHTS.weigh_square(light, pictures, squares, place, &mut square)
            && let Some(picture) = pictures.get_mut(place)
        {
            // Nothing is to be learnt from it.
            picture.fill(0.0);
        }
        if let Some(read) = squares.get_mut(place) {
            *read = square;
        }
    }
}

impl WatchedBoard {
    /// Looks at the squares that are not covered, and reads those that have changed once they are still, if few others move. Returns
    /// which move.
    pub(super) fn update(
        &mut self,
        seen: &ScreenPicture,
        grid: &Grid,
        covered: &[usize],
        network: &Network,
        known: &Known<'_>,
    ) -> Vec<usize> {
        let thumbnails = square_thumbnails(&seen.picture, grid);
        hide(&mut self.squares, covered);
        let mut moving_places = Vec::new();
        for (place, ((now, last), moving)) in thumbnails.iter().zip(&self.last).zip(&mut self.moving).enumerate() {
            *moving = if now.differs(last) && !covered.contains(&place) { moving.saturating_add(1) } else { 0 };
            if (1..=RESTLESS).contains(moving) {
                moving_places.push(place);
            }
        }
        if moving_places.len() <= MOST_MOVING {
            let is_at_rest = |place: &usize| !moving_places.contains(place) && !covered.contains(place);
            let at_rest = thumbnails.iter().zip(&self.read).enumerate().filter(|(place, _)| is_at_rest(place));
            let others: Vec<usize> = at_rest
                .filter(|(place, (now, read))| now.differs(read) || self.covered.contains(place))
                .map(|(place, _)| place)
                .collect();
            self.is_new |= !others.is_empty();
            for place in &others {
                self.read_square(seen, grid, *place, network);
            }
            if !others.is_empty() {
                self.weigh(seen, grid, &others, known);
            }
            for place in &others {
                if let Some((read, now)) = self.read.get_mut(*place).zip(thumbnails.get(*place)) {
                    *read = *now;
                }
            }
            self.covered.retain(|place| moving_places.contains(place));
        }
        self.covered.retain(|place| !covered.contains(place));
        self.covered.extend_from_slice(covered);
        self.last = thumbnails;
        moving_places
    }

    /// Weighs squares that were read by the light of the whole picture, which may have changed.
    fn weigh(&mut self, seen: &ScreenPicture, grid: &Grid, places: &[usize], known: &Known<'_>) {
        let light = BoardLight::new(&seen.picture, grid, &self.squares);
        for place in places {
            known.weigh(&light, *place, &mut self.pictures, &mut self.squares);
        }
    }

    /// Reads a square as the network sees it.
    fn read_square(&mut self, seen: &ScreenPicture, grid: &Grid, place: usize, network: &Network) {
        let picture = square_picture(&seen.picture, grid, place);
        let read = network.classify(picture.as_slice()).pop();
        let targets = self.squares.get_mut(place).zip(self.pictures.get_mut(place));
        let Some((mut probabilities, (square, known))) = read.zip(targets) else { return };
        // Where another piece stands, one may have been captured or dropped.
        self.hands = self.hands.filter(|_| likeliest(&probabilities).0 == likeliest(square).0);
        read_again(&seen.picture, network, grid, place, &mut probabilities);
        (*square, *known) = (probabilities, picture);
    }

    /// Returns whether most of its squares that are seen show these classes: its window may have moved by whole squares.
    pub(super) fn shows(&self, expected: &[usize]) -> bool {
        let read = self.squares.iter().map(|square| likeliest(square).0).zip(expected);
        read.filter(|(class, expected)| *class != HIDDEN && class != *expected).count() <= MOST_OTHERS
    }

    /// Returns whether a grid lies where the board is.
    pub(super) fn is_at(&self, grid: &Grid) -> bool {
        distance(&self.grid, grid) < SAME_PLACE * grid.square_size().0
    }

    /// Returns whether most of its pieces look as they did when it last showed the game.
    #[expect(clippy::cast_precision_loss, reason = "at most 81")]
    pub(super) fn looks_as_before(&self, thumbnails: &[SquareThumbnail]) -> bool {
        let is_as_before = |(place, before): &&(usize, SquareThumbnail)| {
            thumbnails.get(*place).is_some_and(|now| !now.differs(before))
        };
        let known = self.pieces.iter().filter(is_as_before).count();
        known > 0 && known as f32 >= LEAST_KNOWN * self.pieces.len() as f32
    }
}

/// Returns a grid moved by some pixels.
#[expect(clippy::cast_precision_loss, reason = "pixels of a screen")]
pub(super) fn moved(grid: &Grid, (x, y): (i32, i32)) -> Option<Grid> {
    Grid::new(grid.corners().map(|(left, top)| (left + x as f32, top + y as f32)))
}

/// Returns the squares of which this program's own windows cover a part, by their numbers. The grid is in pixels of the picture.
#[expect(clippy::cast_precision_loss, reason = "pixels of a screen and at most 81")]
pub(super) fn covered_places(seen: &ScreenPicture, grid: &Grid) -> Vec<usize> {
    // A window's edge may lie on the line.
    const BORDER: f32 = 0.1;
    let is_covered = |place: &usize| {
        let (column, row) = ((place % 9) as f32, (place / 9) as f32);
        let (left, top) = grid.pixel(column + BORDER, row + BORDER);
        let (right, bottom) = grid.pixel(column + 1.0 - BORDER, row + 1.0 - BORDER);
        let is_under = |OwnWindow { area, .. }: &OwnWindow| {
            let (x, y) = ((area.left - seen.left) as f32, (area.top - seen.top) as f32);
            left < x + area.width as f32 && right > x && top < y + area.height as f32 && bottom > y
        };
        seen.covered.iter().any(is_under)
    };
    if seen.covered.is_empty() { Vec::new() } else { (0..81).filter(is_covered).collect() }
}

/// Returns how far the corners of two grids are from each other at most, in pixels.
pub(super) fn distance(one: &Grid, other: &Grid) -> f32 {
    let pairs = one.corners().iter().zip(other.corners());
    pairs.map(|(a, b)| (a.0 - b.0).abs().max((a.1 - b.1).abs())).fold(0.0, f32::max)
}

/// Returns the area of a board on the screen, with an edge in squares around it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a screen")]
pub(super) fn area_of(grid: &Grid, edge: f32) -> ScreenArea {
    let places = [grid.pixel(-edge, -edge), grid.pixel(9.0 + edge, -edge)];
    let places = places.into_iter().chain([grid.pixel(9.0 + edge, 9.0 + edge), grid.pixel(-edge, 9.0 + edge)]);
    let (mut from, mut to) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
    for (x, y) in places {
        (from, to) = ((from.0.min(x), from.1.min(y)), (to.0.max(x), to.1.max(y)));
    }
    let (left, top) = (from.0.floor(), from.1.floor());
    let size = |from: f32, to: f32| (to - from).ceil() as u32;
    ScreenArea { left: left as i32, top: top as i32, width: size(left, to.0), height: size(top, to.1) }
}
