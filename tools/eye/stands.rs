//! Drawings of the pieces in hand beside a board.

use crate::canvas::{BoardLayout, Canvas, Rect};
use crate::materials::Materials;
use crate::piece_sets::{HIDDEN, KIND_COUNT, PieceSet};
use crate::random::Random;
use image::imageops;
use shogibar_eye::grid::Point;
use shogibar_eye::track::Hands;

/// The probability of a mark beside the hand of a player.
const MARK_PROBABILITY: f32 = 0.35;

/// A piece beside a board.
#[derive(Clone, Copy, Debug)]
pub struct StandPiece {
    /// The class: 1 to 7 or 15 to 21 for a piece, [`HIDDEN`] for a mark.
    pub class: u8,
    /// The middle, in pixels of the picture.
    pub middle: Point,
    /// The width and height, in squares of the board.
    pub side: f32,
}

/// Returns random numbers of pieces in hand.
pub fn random_hands(random: &mut Random) -> Hands {
    [0, 1].map(|_| [1, 1, 2, 2, 2, 2, 6].map(|most| random.below(most + 1) as u8))
}

/// Draws the pieces in hand like programs do: on both sides of the board, or above and below. A kind is drawn as
/// several pieces, or as one piece with a number. Returns the pieces and marks; `None` where there is no room.
pub fn draw_hands(
    random: &mut Random,
    canvas: &mut Canvas,
    materials: &Materials,
    set: &PieceSet,
    layout: BoardLayout,
    hands: &Hands,
) -> Option<Vec<StandPiece>> {
    let (width, height) = (layout.width(), layout.height());
    let BoardLayout {
        left,
        top,
        cell_x,
        cell_y,
    } = layout;
    let layouts = if random.chance(0.7) {
        [true, false]
    } else {
        [false, true]
    };
    let with_numbers = random.chance(0.6);
    let side = random.real(0.6, 1.05);
    let (cell_x, cell_y) = (cell_x * side, cell_y * side);
    let gap = random.real(0.25, 1.0) * cell_x;
    let narrow = 2 + random.below(2);
    let columns = |is_beside: bool| if is_beside { narrow } else { 9 };
    let scale = random.real(0.85, 1.0);
    let wood = random.wood();
    let opaque = random.real(0.0, 1.0);
    // Hands begin with the rook, the classes with the pawn.
    let items = hands.map(|hand| -> Vec<(usize, u8)> {
        let kinds = (0..hand.len()).rev().zip(hand);
        let shown = kinds.flat_map(|(kind, count)| {
            let (times, number) = if with_numbers {
                (count.min(1), count)
            } else {
                (count, 1)
            };
            (0..times).map(move |_| (kind, number))
        });
        shown.collect()
    });
    let (picture_width, picture_height) = (canvas.0.width() as f32, canvas.0.height() as f32);
    let has_room = |is_beside: &bool| {
        let columns = columns(*is_beside);
        let rows = items
            .iter()
            .map(|items| items.len().div_ceil(columns).max(2))
            .max()
            .unwrap_or(2);
        let (stand_width, stand_height) = (columns as f32 * cell_x, rows as f32 * cell_y);
        if *is_beside {
            let beside = gap + stand_width;
            left >= beside && left + width + beside <= picture_width && stand_height <= height
        } else {
            let above = gap + stand_height;
            top >= above && top + height + above <= picture_height && left + stand_width <= picture_width
        }
    };
    let is_beside = layouts.into_iter().find(has_room)?;
    let columns = columns(is_beside);
    let mut pieces = Vec::new();
    for (player, items) in items.into_iter().enumerate() {
        let rows = items.len().div_ceil(columns).max(2);
        let (stand_width, stand_height) = (columns as f32 * cell_x, rows as f32 * cell_y);
        let (x, y) = match (is_beside, player) {
            (true, 0) => (left + width + gap, top + height - stand_height),
            (true, _) => (left - gap - stand_width, top),
            (false, 0) => (left, top + height + gap),
            (false, _) => (left, top - gap - stand_height),
        };
        canvas.fill(
            Rect {
                left: x,
                top: y,
                right: x + stand_width,
                bottom: y + stand_height,
            },
            wood,
            opaque,
        );
        if is_beside && random.chance(MARK_PROBABILITY) {
            // At the end of the hand that is nearer to the middle of the board.
            let end = if player == 0 {
                y - 0.6 * cell_y
            } else {
                y + stand_height + 0.6 * cell_y
            };
            let middle = (x + random.real(0.3, 0.7) * stand_width, end);
            draw_mark(random, canvas, middle, (0.4 * cell_x, 0.4 * cell_y), player);
            pieces.push(StandPiece {
                class: HIDDEN,
                middle,
                side,
            });
        }
        for (index, (kind, number)) in items.into_iter().enumerate() {
            let at = (
                x + (index % columns) as f32 * cell_x,
                y + (index / columns) as f32 * cell_y,
            );
            canvas.draw_piece(
                &set.pieces[kind + player * KIND_COUNT],
                at,
                (cell_x, cell_y),
                scale,
            );
            let middle = (at.0 + cell_x / 2.0, at.1 + cell_y / 2.0);
            pieces.push(StandPiece {
                class: (1 + kind + player * KIND_COUNT) as u8,
                middle,
                side,
            });
            if number > 1
                && let Some(picture) = materials.draw_number(random, number)
            {
                let height = (cell_y * 0.4).max(4.0) as u32;
                let small = imageops::resize(&picture, height, height, imageops::FilterType::Triangle);
                canvas.draw_over(
                    &small,
                    (at.0 + cell_x * 0.65) as i64,
                    (at.1 + cell_y * 0.6) as i64,
                    1.0,
                );
            }
        }
    }
    Some(pieces)
}

/// Draws the mark of a player or of the side to move. The mark is a pentagon, a triangle or a disc of a piece's size.
fn draw_mark(random: &mut Random, canvas: &mut Canvas, (x, y): Point, (rx, ry): Point, player: usize) {
    const PENTAGON: [Point; 5] = [
        (0.0, -1.0),
        (0.65, -0.6),
        (0.85, 1.0),
        (-0.85, 1.0),
        (-0.65, -0.6),
    ];
    const TRIANGLE: [Point; 3] = [(0.0, -0.9), (0.95, 0.8), (-0.95, 0.8)];
    const DISC: usize = 2;
    let shape = *random.pick(&[0, 0, 0, 1, DISC]);
    let corners: &[Point] = if shape == 0 { &PENTAGON } else { &TRIANGLE };
    let turn = if player == 0 { 1.0 } else { -1.0 };
    let mut fill = |scale: f32, color: [u8; 3]| {
        if shape == DISC {
            canvas.fill_ellipse((x, y), (rx * scale, ry * scale), 0.05, color, 1.0);
        } else {
            let corner =
                |(across, down): &Point| (x + turn * across * rx * scale, y + turn * down * ry * scale);
            canvas.fill_shape(&corners.iter().map(corner).collect::<Vec<_>>(), color, 1.0);
        }
    };
    let dark = [random.below(90) as u8; 3];
    fill(1.0, dark);
    if random.chance(0.5) {
        fill(
            random.real(0.75, 0.93),
            if random.chance(0.6) {
                [255; 3]
            } else {
                random.color()
            },
        );
    }
}
