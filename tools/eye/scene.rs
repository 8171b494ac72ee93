//! Random pictures of boards as they occur on screens: grounds, lines, pieces, surroundings and covers.

use crate::canvas::{BoardLayout, Canvas, Rect};
use crate::materials::Materials;
use crate::piece_sets::{EMPTY, HIDDEN, KIND_COUNT, PieceSet};
use crate::random::Random;
use crate::stands::{StandPiece, draw_hands, random_hands};
use image::{RgbImage, RgbaImage, imageops};
use shogibar_eye::grid::{Point, column_and_row};
use shogibar_eye::track::{Hands, class, square_index};
use shogibar_shogi::{Move, Position, Square};
use std::sync::Arc;

/// A drawn picture and its contents.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The drawn picture.
    pub picture: RgbImage,
    /// The outer corners of the grid in pixels: top left, top right, bottom right, bottom left.
    pub corners: [Point; 4],
    /// The class of each square, from the top left, row by row.
    pub squares: [u8; 81],
    /// The pieces in hand; `None` where none were planned or there was no room.
    pub in_hand: Option<Vec<StandPiece>>,
}

impl Scene {
    /// Maps the corners of the grid and the middles of the pieces in hand.
    pub fn move_points(&mut self, map: impl Fn(Point) -> Point) {
        let middles = self.in_hand.iter_mut().flatten().map(|piece| &mut piece.middle);
        for point in self.corners.iter_mut().chain(middles) {
            *point = map(*point);
        }
    }
}

/// The share of boards with faint pieces, among the plans that permit faint pieces.
const FAINT_PIECES_SHARE: f32 = 0.3;

/// What a scene shows, before it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The width of a square in pixels.
    pub cell: f32,
    /// The width and height of the picture in pixels; `None` for a picture that just contains the board.
    pub size: Option<(u32, u32)>,
    /// The class of each square, from the top left, row by row; `None` for random classes.
    pub squares: Option<&'a [u8; 81]>,
    /// The pieces in hand; `None` for random pieces or none.
    pub hands: Option<&'a Hands>,
    /// A piece between two squares; `None` without such a piece.
    pub moving_piece: Option<MovingPiece>,
    /// Whether highlighted squares and all covers, such as arrows and hands, are omitted.
    pub is_bare: bool,
    /// Whether some boards have faint pieces on empty squares, like proposed moves. Such squares count as empty.
    pub has_faint_pieces: bool,
}

/// A piece between two squares.
#[derive(Clone, Copy, Debug)]
pub struct MovingPiece {
    /// The class of a square with the piece.
    pub class: u8,
    /// The column of the piece's middle, in squares from the left edge of the board.
    pub column: f32,
    /// The row of the piece's middle, in squares from the upper edge of the board.
    pub row: f32,
}

impl Plan<'_> {
    /// Creates a plan of a board with random pieces and covers.
    pub const fn random(cell: f32, size: Option<(u32, u32)>) -> Self {
        Self {
            cell,
            size,
            squares: None,
            hands: None,
            moving_piece: None,
            is_bare: false,
            has_faint_pieces: false,
        }
    }
}

/// Draws a random scene.
pub fn draw(random: &mut Random, materials: &Materials, plan: Plan<'_>) -> Scene {
    // The height of a square as a multiple of the width. Some players stretch their windows.
    let aspect = match random.below(20) {
        0..=4 => 1.0,
        5 => random.real(0.74, 1.0),
        _ => random.real(1.0, 1.12),
    };
    let (cell_x, cell_y) = (plan.cell, plan.cell * aspect);
    let (board_x, board_y) = (cell_x * 9.0, cell_y * 9.0);
    let mut margin = [0, 1, 2, 3].map(|_| random.real(0.06, 0.9) * cell_x);
    if plan.hands.is_some() {
        let beside = if random.chance(0.7) {
            [4.2, 4.2, 0.5, 0.5]
        } else {
            [0.5, 0.5, 3.2, 3.2]
        };
        margin = beside.map(|squares| squares * cell_x);
    } else if random.chance(0.1) {
        // The picture is cut at the outer lines.
        margin = [0, 1, 2, 3].map(|_| random.real(-0.04, 0.06) * cell_x);
    }
    let frame = if random.chance(0.3) {
        random.real(0.06, 0.3)
    } else {
        random.real(0.2, 0.9)
    };
    let (size_x, size_y) = plan.size.unwrap_or_else(|| {
        (
            (board_x + margin[0] + margin[1]).ceil() as u32,
            (board_y + margin[2] + margin[3]).ceil() as u32,
        )
    });
    let room = (size_x as f32 - board_x, size_y as f32 - board_y);
    let (left, top) = if plan.size.is_some() {
        (random.real(0.03, 0.97) * room.0, random.real(0.03, 0.97) * room.1)
    } else {
        (margin[0], margin[2])
    };
    let mut canvas = Canvas::new(size_x, size_y, random.color());
    if plan.size.is_some() {
        // Programs write smaller beside the pieces in hand.
        let letters = if plan.hands.is_some() { 0.45 } else { 1.0 };
        draw_surroundings(random, &mut canvas, materials, letters * cell_x);
    } else if random.chance(0.5) {
        let wood = random.wood();
        let all = Rect {
            left: 0.0,
            top: 0.0,
            right: size_x as f32,
            bottom: size_y as f32,
        };
        canvas.fill(all, wood, 1.0);
    }
    let edge = frame * cell_x;
    let (right, bottom) = (left + board_x + edge, top + board_y + edge);
    let ground = Rect {
        left: left - edge,
        top: top - edge,
        right,
        bottom,
    };
    let light = draw_ground(random, &mut canvas, materials, ground);
    let set = Arc::clone(random.pick(&materials.sets));
    let layout = BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    };
    let mut in_hand = None;
    if let Some(hands) = plan.hands {
        in_hand = draw_hands(random, &mut canvas, materials, &set, layout, hands);
    } else if plan.size.is_some() && random.chance(0.7) {
        // These pieces may be of another set, because only the board of such a scene is learnt.
        let (hands, other) = (random_hands(random), Arc::clone(random.pick(&materials.sets)));
        draw_hands(random, &mut canvas, materials, &other, layout, &hands);
    }
    if edge > 0.25 * cell_x && random.chance(0.7) {
        draw_coordinates(random, &mut canvas, materials, layout);
    }
    draw_grid(random, &mut canvas, light, layout, plan.is_bare);
    let squares = plan.squares.copied().unwrap_or_else(|| random_squares(random));
    let mut same = random.clone();
    draw_pieces(
        random,
        &mut canvas,
        &set,
        light,
        &squares,
        plan.moving_piece,
        layout,
    );
    if plan.has_faint_pieces && random.chance(FAINT_PIECES_SHARE) {
        let faint = faint_pieces(random, &squares);
        let mut over = Canvas(canvas.0.clone());
        // With the clone of the random numbers, the faint pieces have the same size, bend and shadow.
        draw_pieces(&mut same, &mut over, &set, light, &faint, None, layout);
        let strength = random.real(0.15, 0.5);
        for (pixel, over) in canvas.0.pixels_mut().zip(over.0.pixels()) {
            for (value, over) in pixel.0.iter_mut().zip(over.0) {
                *value = (f32::from(*value) * (1.0 - strength) + f32::from(over) * strength) as u8;
            }
        }
    }
    let mut seen = squares;
    if !plan.is_bare {
        draw_covers(random, &mut canvas, materials, &mut seen, layout);
    }
    let corners = [
        (left, top),
        (left + board_x, top),
        (left + board_x, top + board_y),
        (left, top + board_y),
    ];
    Scene {
        picture: canvas.0,
        corners,
        squares: seen,
        in_hand,
    }
}

/// Returns squares with one or two random pieces, where `squares` are empty.
fn faint_pieces(random: &mut Random, squares: &[u8; 81]) -> [u8; 81] {
    let empty: Vec<usize> = (0..81).filter(|index| squares[*index] == EMPTY).collect();
    let mut faint = [EMPTY; 81];
    for _ in 0..=random.below(2) {
        if !empty.is_empty() {
            faint[*random.pick(&empty)] = 1 + random.below(2 * KIND_COUNT) as u8;
        }
    }
    faint
}

/// Returns squares of which a random share has pieces. All classes are equally frequent.
pub fn random_squares(random: &mut Random) -> [u8; 81] {
    let share = random.real(0.2, 0.9);
    [0; 81].map(|_: u8| {
        if random.chance(share) {
            1 + random.below(2 * KIND_COUNT) as u8
        } else {
            EMPTY
        }
    })
}

/// Returns the squares of a position after up to 159 random moves.
pub fn random_game_squares(random: &mut Random) -> [u8; 81] {
    let mut position = Position::startpos();
    for _ in 0..random.below(160) {
        let moves = position.legal_moves();
        let captures: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| position.piece_on(mv.to()).is_some())
            .collect();
        let some = if captures.is_empty() || random.chance(0.6) {
            &moves
        } else {
            &captures
        };
        if some.is_empty() || position.play(*random.pick(some)).is_err() {
            break;
        }
    }
    squares_of(&position)
}

/// Returns the classes of a position's squares.
pub fn squares_of(position: &Position) -> [u8; 81] {
    let mut squares = [EMPTY; 81];
    for square in Square::all() {
        squares[square_index(square)] = class(position.piece_on(square)) as u8;
    }
    squares
}

/// Fills the ground of a board. Returns the mean grey level of the ground, 0 to 255.
fn draw_ground(random: &mut Random, canvas: &mut Canvas, materials: &Materials, area: Rect) -> f32 {
    if !materials.grounds.is_empty() && random.chance(0.45) {
        let ground = random.pick(&materials.grounds);
        let (width, height) = (
            (area.right - area.left).ceil() as u32,
            (area.bottom - area.top).ceil() as u32,
        );
        let fitted = imageops::resize(
            ground,
            width.max(1),
            height.max(1),
            imageops::FilterType::Triangle,
        );
        let mut sum = 0.0;
        let gain = random.real(0.55, 1.1);
        for (x, y, pixel) in fitted.enumerate_pixels() {
            let color = pixel.0.map(|value| (f32::from(value) * gain).min(255.0) as u8);
            canvas.blend(
                area.left as i64 + i64::from(x),
                area.top as i64 + i64::from(y),
                color,
                1.0,
            );
            sum += grey(color);
        }
        return sum / (width * height).max(1) as f32;
    }
    let dark = random.chance(0.12);
    let mut color = random.wood();
    if dark {
        color = color.map(|value| value / 4);
    }
    if random.chance(0.08) {
        color = [255; 3];
    }
    canvas.fill(area, color, 1.0);
    if random.chance(0.7) {
        // Grain: soft stripes in one direction, slightly bent.
        let strength = random.real(0.02, 0.25);
        let upright = random.chance(0.6);
        let (period, bend) = (random.real(3.0, 40.0), random.real(0.0, 0.08));
        let phases = [0, 1, 2].map(|_| (random.real(0.3, 3.0), random.real(0.0, 6.3)));
        for y in area.top as i64..area.bottom as i64 {
            for x in area.left as i64..area.right as i64 {
                let (across, along) = if upright {
                    (x as f32, y as f32)
                } else {
                    (y as f32, x as f32)
                };
                let distance = across + bend * period * 6.0 * (along / 70.0).sin();
                let wave: f32 = phases
                    .iter()
                    .map(|(rate, phase)| (distance / period * rate * 6.3 + phase).sin())
                    .sum();
                let alpha = (wave / 3.0 * 0.5 + 0.5) * strength;
                canvas.blend(x, y, [40, 20, 0], alpha);
            }
        }
    }
    grey(color)
}

/// Returns the grey level of a colour, 0 to 255.
fn grey([red, green, blue]: [u8; 3]) -> f32 {
    0.3 * f32::from(red) + 0.59 * f32::from(green) + 0.11 * f32::from(blue)
}

/// Fills a picture with the surroundings of a board: panels, lines of letters, spots and stripes.
pub fn draw_surroundings(random: &mut Random, canvas: &mut Canvas, materials: &Materials, cell: f32) {
    let (width, height) = (canvas.0.width() as f32, canvas.0.height() as f32);
    let far = random.color();
    for y in 0..canvas.0.height() {
        let alpha = y as f32 / height;
        for x in 0..canvas.0.width() {
            canvas.blend(i64::from(x), i64::from(y), far, alpha);
        }
    }
    for _ in 0..random.below(14) {
        let (x, y) = (random.real(-0.1, 1.0) * width, random.real(-0.1, 1.0) * height);
        let (w, h) = (random.real(0.02, 0.5) * width, random.real(0.02, 0.5) * height);
        let (color, alpha) = (random.color(), random.real(0.3, 1.0));
        if random.chance(0.7) {
            canvas.fill(
                Rect {
                    left: x,
                    top: y,
                    right: x + w,
                    bottom: y + h,
                },
                color,
                alpha,
            );
            if random.chance(0.5) {
                let edge = random.color();
                for (from, to) in [
                    ((x, y), (x + w, y)),
                    ((x, y), (x, y + h)),
                    ((x + w, y), (x + w, y + h)),
                    ((x, y + h), (x + w, y + h)),
                ] {
                    canvas.draw_line(from, to, random.real(1.0, 3.0), edge, 1.0);
                }
            }
        } else {
            canvas.fill_ellipse((x, y), (w / 2.0, h / 2.0), random.real(0.0, 1.0), color, alpha);
        }
    }
    // A table of lines.
    if random.chance(0.3) {
        let (x, y, pitch) = (
            random.real(0.0, 0.8) * width,
            random.real(0.0, 0.8) * height,
            random.real(10.0, 50.0),
        );
        let (rows, length, color) = (
            3 + random.below(20),
            random.real(0.1, 0.4) * width,
            random.color(),
        );
        for row in 0..rows {
            canvas.draw_line(
                (x, y + row as f32 * pitch),
                (x + length, y + row as f32 * pitch),
                1.0,
                color,
                1.0,
            );
        }
    }
    for _ in 0..random.below(24) {
        let size = random.real(0.25, 1.2) * cell.clamp(14.0, 60.0);
        let start = (random.real(0.0, 0.95) * width, random.real(0.0, 0.97) * height);
        draw_letters(random, canvas, materials, start, size);
    }
}

/// Draws a row of up to 14 letters of a size in pixels.
fn draw_letters(random: &mut Random, canvas: &mut Canvas, materials: &Materials, (x, y): Point, size: f32) {
    if materials.letters.is_empty() {
        return;
    }
    for index in 0..=random.below(14) {
        let letter = random.pick(&materials.letters);
        let small = imageops::resize(
            letter,
            size.max(2.0) as u32,
            size.max(2.0) as u32,
            imageops::FilterType::Triangle,
        );
        canvas.draw_over(&small, (x + index as f32 * size) as i64, y as i64, 1.0);
    }
}

/// Draws letters beside the files and ranks, in place of coordinates.
fn draw_coordinates(random: &mut Random, canvas: &mut Canvas, materials: &Materials, layout: BoardLayout) {
    let BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    } = layout;
    if materials.letters.is_empty() {
        return;
    }
    let size = random.real(0.2, 0.35) * cell_x;
    let (right, below) = (random.chance(0.7), random.chance(0.3));
    for square in 0..9_u8 {
        let along_x = left + (f32::from(square) + 0.5) * cell_x - size / 2.0;
        let along_y = top + (f32::from(square) + 0.5) * cell_y - size / 2.0;
        let x = if right {
            left + 9.0 * cell_x + size * 0.2
        } else {
            left - size * 1.2
        };
        let y = if below {
            top + 9.0 * cell_y + size * 0.2
        } else {
            top - size * 1.2
        };
        for (x, y) in [(along_x, y), (x, along_y)] {
            let letter = random.pick(&materials.letters);
            let small = imageops::resize(
                letter,
                (size as u32).max(2),
                (size as u32).max(2),
                imageops::FilterType::Triangle,
            );
            canvas.draw_over(&small, x as i64, y as i64, 1.0);
        }
    }
}

/// Draws the lines and dots of a board, and sometimes tints every second square. Unless the board `is_bare`, draws
/// highlighted squares and discs below the lines. `light` is the grey level of the ground.
fn draw_grid(random: &mut Random, canvas: &mut Canvas, light: f32, layout: BoardLayout, is_bare: bool) {
    let BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    } = layout;
    let (right, bottom) = (layout.right(), layout.bottom());
    let line_color = if light < 90.0 {
        [0, 1, 2].map(|_| 150 + random.below(105) as u8)
    } else {
        let dark = random.real(0.0, light * 0.62);
        [dark, dark * random.real(0.6, 1.0), dark * random.real(0.3, 1.0)].map(|value| value as u8)
    };
    let thin = if random.chance(0.07) {
        random.real(0.05, 0.1) * cell_x
    } else {
        random.real(0.8, (cell_x * 0.05).clamp(1.2, 4.0))
    };
    let thick = thin * random.real(1.0, 2.5);
    // Some lines are hardly visible.
    let strength = match random.below(20) {
        0 => random.real(0.03, 0.1),
        1..=3 => random.real(0.1, 0.6),
        _ => random.real(0.6, 1.0),
    };
    let has_outer_lines = random.chance(0.92);
    if !is_bare {
        highlight_squares(random, canvas, layout);
        if random.chance(0.12) {
            draw_discs(random, canvas, layout);
        }
    }
    if random.chance(0.04) {
        let alpha = random.real(0.05, 0.25);
        for index in (0..81_u8).step_by(2) {
            let (x, y) = (
                left + f32::from(index % 9) * cell_x,
                top + f32::from(index / 9) * cell_y,
            );
            canvas.fill(
                Rect {
                    left: x,
                    top: y,
                    right: x + cell_x,
                    bottom: y + cell_y,
                },
                line_color,
                alpha,
            );
        }
    }
    for line in 0..10_u8 {
        let is_outer = line == 0 || line == 9;
        if is_outer && !has_outer_lines {
            continue;
        }
        let width = if is_outer { thick } else { thin };
        let (x, y) = (left + f32::from(line) * cell_x, top + f32::from(line) * cell_y);
        let half = width / 2.0;
        let vertical = Rect {
            left: x - half,
            top: top - half,
            right: x + half,
            bottom: bottom + half,
        };
        let horizontal = Rect {
            left: left - half,
            top: y - half,
            right: right + half,
            bottom: y + half,
        };
        canvas.fill(vertical, line_color, strength);
        canvas.fill(horizontal, line_color, strength);
    }
    if random.chance(0.75) {
        let radius = random.real(0.04, 0.09) * cell_x;
        for (column, row) in [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] {
            canvas.fill_ellipse(
                (left + column * cell_x, top + row * cell_y),
                (radius, radius),
                0.1,
                line_color,
                strength,
            );
        }
    }
}

/// Highlights up to three squares in colours.
fn highlight_squares(random: &mut Random, canvas: &mut Canvas, layout: BoardLayout) {
    let BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    } = layout;
    for _ in 0..random.below(4) {
        let (column, row) = (random.below(9) as f32, random.below(9) as f32);
        let square = Rect {
            left: left + column * cell_x,
            top: top + row * cell_y,
            right: left + (column + 1.0) * cell_x,
            bottom: top + (row + 1.0) * cell_y,
        };
        let (color, alpha) = (random.color(), random.real(0.15, 0.8));
        canvas.fill(square, color, alpha);
    }
}

/// Draws discs in some squares, as pages mark the destinations of a piece or the influence of both sides.
fn draw_discs(random: &mut Random, canvas: &mut Canvas, layout: BoardLayout) {
    let BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    } = layout;
    let colors = [random.color(), random.color()];
    let (share, max_radius, alpha) = (
        random.real(0.05, 0.9),
        random.real(0.08, 0.42),
        random.real(0.3, 1.0),
    );
    let min_radius = if random.chance(0.5) { max_radius } else { 0.05 };
    for index in 0..81 {
        let (column, row) = column_and_row(index);
        if random.chance(share) {
            let middle = (left + (column + 0.5) * cell_x, top + (row + 0.5) * cell_y);
            let radius = random.real(min_radius, max_radius) * cell_x.min(cell_y);
            canvas.fill_ellipse(middle, (radius, radius), 0.1, *random.pick(&colors), alpha);
        }
    }
}

/// Draws the pieces on the squares, and a moving piece. `light` is the grey level of the ground.
fn draw_pieces(
    random: &mut Random,
    canvas: &mut Canvas,
    set: &PieceSet,
    light: f32,
    squares: &[u8; 81],
    moving: Option<MovingPiece>,
    layout: BoardLayout,
) {
    let BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    } = layout;
    // Some pieces are larger than their squares.
    let scale = match random.below(10) {
        0 => random.real(0.62, 0.78),
        1 => random.real(1.0, 1.15),
        _ => random.real(0.78, 1.0),
    };
    // Letters without a piece are light on dark boards.
    let is_inverted = light < 110.0 && set.has_letters_only();
    let loose = if random.chance(0.35) {
        random.real(0.0, 0.07)
    } else {
        0.0
    };
    // The letters of some fonts are off centre, with different offsets for each side. Offsets are across and down, in
    // squares.
    let drifts = [0, 1].map(|_| {
        let mut drift = |most: f32| {
            if random.chance(0.12) {
                random.real(-most, most)
            } else {
                0.0
            }
        };
        [drift(0.12), drift(0.2)]
    });
    let bent = if random.chance(0.2) {
        random.real(0.0, 0.12)
    } else {
        0.0
    };
    let shadow = if random.chance(0.3) {
        random.real(0.1, 0.4)
    } else {
        0.0
    };
    let gain = if random.chance(0.3) {
        random.real(0.7, 1.1)
    } else {
        1.0
    };
    // On wide squares some players stretch the pieces as well.
    let ratio = (cell_x / 96.0).min(cell_y / 104.0) * scale;
    let across = if random.chance(0.5) {
        cell_x / 96.0 * scale
    } else {
        ratio
    };
    let narrow = if random.chance(0.4) {
        random.real(0.82, 1.0)
    } else {
        1.0
    };
    let (width, height) = ((96.0 * across * narrow) as u32, (104.0 * ratio) as u32);
    let warp = Warp::random(random);
    let small: Vec<RgbaImage> = set
        .pieces
        .iter()
        .map(|piece| {
            let mut small =
                imageops::resize(piece, width.max(3), height.max(3), imageops::FilterType::Triangle);
            if let Some(warp) = &warp {
                small = warp.apply(&small);
            }
            for pixel in small.pixels_mut() {
                for value in &mut pixel.0[..3] {
                    *value = if is_inverted { 255 - *value } else { *value };
                    *value = (f32::from(*value) * gain).min(255.0) as u8;
                }
            }
            small
        })
        .collect();
    let seed = random.below(1 << 30) as u64;
    let resting = squares.iter().enumerate().map(|(index, class)| {
        let (column, row) = column_and_row(index);
        MovingPiece {
            class: *class,
            column,
            row,
        }
    });
    let moving = moving.map(|piece| MovingPiece {
        column: piece.column - 0.5,
        row: piece.row - 0.5,
        ..piece
    });
    for MovingPiece { class, column, row } in resting.chain(moving) {
        let Some(kind) = usize::from(class)
            .checked_sub(1)
            .filter(|kind| *kind < 2 * KIND_COUNT)
        else {
            continue;
        };
        // The offset is the same in every picture of a film.
        let random = &mut Random::new(seed + (row * 9.0 + column) as u64);
        let (off_x, off_y) = (
            random.normal() * loose * cell_x * 0.6,
            random.normal() * loose * cell_y * 0.6,
        );
        let [across, down] = drifts[kind / KIND_COUNT];
        let x = left + (column + 0.5 + across) * cell_x - width as f32 / 2.0 + off_x;
        let y = top + (row + 0.5 + down) * cell_y - height as f32 / 2.0 + off_y;
        if shadow > 0.0 {
            let radius = (width as f32 * 0.48, height as f32 * 0.48);
            let middle = (x + width as f32 * 0.56, y + height as f32 * 0.56);
            canvas.fill_ellipse(middle, radius, 0.4, [0, 0, 0], shadow);
        }
        if bent > 0.0 {
            let rotated = rotate(&small[kind], random.normal() * bent);
            canvas.draw_over(&rotated, x.round() as i64, y.round() as i64, 1.0);
        } else {
            canvas.draw_over(&small[kind], x.round() as i64, y.round() as i64, 1.0);
        }
    }
}

/// A soft bend of all pieces of a board, so that letters differ like handwritings.
struct Warp {
    /// Two waves for x, then two for y.
    waves: [Wave; 4],
}

/// A sine wave.
#[derive(Clone, Copy)]
struct Wave {
    /// The amplitude as a share of the picture's width or height.
    amplitude: f32,
    /// The number of periods.
    count: f32,
    /// The phase in radians.
    phase: f32,
}

impl Wave {
    /// Returns the offset at a position along the wave, 0 to 1.
    fn offset(&self, along: f32) -> f32 {
        self.amplitude * (along * self.count * 6.3 + self.phase).sin()
    }
}

impl Warp {
    /// Creates a random bend; `None` in half of the cases.
    fn random(random: &mut Random) -> Option<Self> {
        let most = if random.chance(0.2) { 0.06 } else { 0.035 };
        let mut wave = || Wave {
            amplitude: random.real(-most, most),
            count: random.real(0.4, 1.6),
            phase: random.real(0.0, 6.3),
        };
        let waves = [wave(), wave(), wave(), wave()];
        random.chance(0.5).then_some(Self { waves })
    }

    fn apply(&self, picture: &RgbaImage) -> RgbaImage {
        let (width, height) = (picture.width() as f32, picture.height() as f32);
        RgbaImage::from_fn(picture.width(), picture.height(), |x, y| {
            let (along_x, along_y) = (x as f32 / width, y as f32 / height);
            let from_x = x as f32 + width * (self.waves[0].offset(along_y) + self.waves[1].offset(along_x));
            let from_y = y as f32 + height * (self.waves[2].offset(along_x) + self.waves[3].offset(along_y));
            imageops::interpolate_bilinear(picture, from_x, from_y).unwrap_or(image::Rgba([0; 4]))
        })
    }
}

/// Rotates a picture about the middle by an angle in radians, and crops the picture to the same size.
fn rotate(picture: &RgbaImage, angle: f32) -> RgbaImage {
    let (sin, cos) = angle.sin_cos();
    let (half_x, half_y) = (picture.width() as f32 / 2.0, picture.height() as f32 / 2.0);
    RgbaImage::from_fn(picture.width(), picture.height(), |x, y| {
        let (dx, dy) = (x as f32 + 0.5 - half_x, y as f32 + 0.5 - half_y);
        let (from_x, from_y) = (
            half_x + dx * cos - dy * sin - 0.5,
            half_y + dx * sin + dy * cos - 0.5,
        );
        imageops::interpolate_bilinear(picture, from_x, from_y).unwrap_or(image::Rgba([0; 4]))
    })
}

/// Draws an arrow between two points, with a round or a pointed head. `cell` is the width of a square.
fn draw_arrow(random: &mut Random, canvas: &mut Canvas, [from, to]: [Point; 2], cell: f32) {
    let (width, color, alpha) = (
        random.real(0.06, 0.3) * cell,
        random.color(),
        random.real(0.3, 0.75),
    );
    canvas.draw_line(from, to, width, color, alpha);
    let head = random.real(0.2, 0.45) * cell;
    if random.chance(0.3) {
        canvas.fill_ellipse(to, (head, head), 0.1, color, alpha);
        return;
    }
    let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
    let (x, y) = ((to.0 - from.0) / length * head, (to.1 - from.1) / length * head);
    let narrow = random.real(0.6, 1.2);
    let sides = [narrow, -narrow].map(|side| (to.0 - x - side * y, to.1 - y + side * x));
    canvas.fill_shape(&[(to.0 + x, to.1 + y), sides[0], sides[1]], color, alpha);
}

/// Fills an area with a texture, as pictures have: stripes, waves or blocks of any two colours.
fn draw_texture(random: &mut Random, canvas: &mut Canvas, area: Rect) {
    let colors = [random.color(), random.color()];
    let (across, down, period) = (
        random.real(0.0, 30.0),
        random.real(0.0, 30.0),
        random.real(20.0, 300.0),
    );
    let (block, is_noise) = (random.real(1.0, 9.0), random.chance(0.4));
    let mut y = area.top.max(0.0);
    while y < area.bottom.min(canvas.0.height() as f32) {
        let mut x = area.left.max(0.0);
        while x < area.right.min(canvas.0.width() as f32) {
            let share = if is_noise {
                random.real(0.0, 1.0)
            } else {
                (x * across + y * down) % period / period
            };
            let part = Rect {
                left: x,
                top: y,
                right: (x + block).min(area.right),
                bottom: (y + block).min(area.bottom),
            };
            canvas.fill(part, colors[0], 1.0);
            canvas.fill(part, colors[1], share);
            x += block;
        }
        y += block;
    }
}

/// Draws covers over a board: arrows, a cursor, and a hand or a caption. Squares below a hand or a caption become
/// hidden.
fn draw_covers(
    random: &mut Random,
    canvas: &mut Canvas,
    materials: &Materials,
    squares: &mut [u8; 81],
    layout: BoardLayout,
) {
    let BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    } = layout;
    let point = |random: &mut Random| {
        let (column, row) = (random.below(9) as f32 + 0.5, random.below(9) as f32 + 0.5);
        (left + column * cell_x, top + row * cell_y)
    };
    if random.chance(0.2) {
        for _ in 0..=random.below(3) {
            let ends = [point(random), point(random)];
            draw_arrow(random, canvas, ends, cell_x);
        }
    }
    if random.chance(0.15) {
        let (x, y) = point(random);
        let (x, y) = (
            x + random.real(-0.5, 0.5) * cell_x,
            y + random.real(-0.5, 0.5) * cell_y,
        );
        let size = random.real(0.2, 0.6) * cell_x.min(40.0);
        canvas.draw_line((x, y), (x + size * 0.6, y + size), size * 0.35, [0; 3], 1.0);
        canvas.draw_line((x, y), (x + size * 0.6, y + size), size * 0.2, [255; 3], 1.0);
    }
    if !random.chance(0.3) {
        return;
    }
    // Opaque covers are also drawn on an empty mask, which shows the hidden squares.
    let mut mask = Canvas::new(canvas.0.width(), canvas.0.height(), [0; 3]);
    let (right, bottom) = (layout.right(), layout.bottom());
    if random.chance(0.45) {
        let tip = point(random);
        let from = if random.chance(0.5) {
            (
                random.real(left, right),
                if random.chance(0.5) {
                    bottom + 3.0 * cell_y
                } else {
                    top - 3.0 * cell_y
                },
            )
        } else {
            (
                if random.chance(0.5) {
                    right + 3.0 * cell_x
                } else {
                    left - 3.0 * cell_x
                },
                random.real(top, bottom),
            )
        };
        let tone = random.real(0.5, 1.0);
        let skin = [235.0 * tone, 190.0 * tone, 160.0 * tone].map(|value| value as u8);
        let knuckle = (tip.0 + (from.0 - tip.0) * 0.25, tip.1 + (from.1 - tip.1) * 0.25);
        for (a, b, width) in [(tip, knuckle, 0.45), (knuckle, from, 1.3)] {
            let wide = width * cell_x * random.real(0.8, 1.4);
            let alpha = random.real(0.85, 1.0);
            canvas.draw_line(a, b, wide, skin, alpha);
            mask.draw_line(a, b, wide, [255; 3], 1.0);
        }
    } else {
        let (x, y) = (random.real(left, right), random.real(top, bottom));
        let (w, h) = (random.real(1.0, 6.0) * cell_x, random.real(0.6, 3.0) * cell_y);
        let color = random.color();
        let panel = Rect {
            left: x,
            top: y,
            right: x + w,
            bottom: y + h,
        };
        canvas.fill(panel, color, random.real(0.8, 1.0));
        if random.chance(0.6) {
            draw_texture(random, canvas, panel);
        }
        mask.fill(panel, [255; 3], 1.0);
        if random.chance(0.7) {
            let size = (h * 0.6).min(cell_x);
            draw_letters(random, canvas, materials, (x + size * 0.3, y + h * 0.2), size);
        }
    }
    for (index, class) in squares.iter_mut().enumerate() {
        let (column, row) = column_and_row(index);
        let (mut sum, mut count) = (0.0, 0.0);
        for down in 0..8_u8 {
            for across in 0..8_u8 {
                let x = left + (column + 0.14 + f32::from(across) * 0.103) * cell_x;
                let y = top + (row + 0.14 + f32::from(down) * 0.103) * cell_y;
                if let Some(pixel) = mask.0.get_pixel_checked(x.max(0.0) as u32, y.max(0.0) as u32) {
                    sum += f32::from(pixel[0]) / 255.0;
                    count += 1.0;
                }
            }
        }
        if count > 0.0 && sum / count > 0.4 {
            *class = HIDDEN;
        }
    }
}
