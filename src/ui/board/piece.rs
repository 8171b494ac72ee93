//! Drawing of a piece: a wooden pentagon with one or two characters.

use super::BoardView;
use crate::PaintTheme;
use crate::canvas::{ShapeCanvas, point_in, round_font_size};
use crate::fonts;
use eframe::egui;
use egui::{Color32, Pos2, Rect, Stroke, Vec2};
use shogibar_config::PieceCharacters;
use shogibar_shogi::{Color, Piece, PieceKind};

/// The corners of a piece that points up, as fractions of the piece's width and height.
const PIECE_CORNERS: [(f32, f32); 5] = [(0.5, 0.0), (0.875, 0.2), (1.0, 1.0), (0.0, 1.0), (0.125, 0.2)];

/// Draws a piece centred at a point, for a square of this size. The opacity is from 0 to 1.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    theme: &PaintTheme,
    piece: DrawnPiece,
    at: Pos2,
    cell: Vec2,
    opacity: f32,
) {
    let size = Vec2::from(piece.kind.size()) * cell;
    let rect = Rect::from_center_size(at, size);
    let mirrored = |part: f32| if piece.is_upside_down { 1.0 - part } else { part };
    let points: Vec<Pos2> = PIECE_CORNERS
        .iter()
        .map(|(x, y)| point_in(rect, mirrored(*x), mirrored(*y)))
        .collect();
    let faint = |color: Color32| color.gamma_multiply(opacity);
    let edge = Stroke::new((cell.x * 0.02).clamp(0.6, 3.0), faint(theme.piece_edge));
    canvas.polygon(points, faint(theme.piece), edge);
    let ink = faint(if piece.kind.is_promoted() {
        theme.promoted
    } else {
        theme.piece_ink
    });
    draw_characters(canvas, piece, rect, ink);
}

/// A piece with the properties that decide its appearance.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnPiece {
    pub(super) kind: PieceKind,
    pub(super) color: Color,
    pub(super) is_upside_down: bool,
    pub(super) characters: PieceCharacters,
}

impl DrawnPiece {
    /// Creates a piece in the style of a board, as it is seen from the side at the bottom.
    pub(super) fn from_view(view: &BoardView<'_>, Piece { color, kind }: Piece) -> Self {
        Self {
            kind,
            color,
            is_upside_down: color != view.near_side(),
            characters: view.style.pieces,
        }
    }
}

fn draw_characters(canvas: &mut ShapeCanvas<'_, '_>, piece: DrawnPiece, rect: Rect, ink: Color32) {
    let y = |part: f32| if piece.is_upside_down { 1.0 - part } else { part };
    match (piece.characters, two_characters(piece.kind, piece.color)) {
        (PieceCharacters::Two, [first, second]) => {
            let size = round_font_size(rect.height() * 0.405);
            for (text, at) in [(first, 0.345), (second, 0.745)] {
                canvas.draw_text(
                    text,
                    point_in(rect, 0.5, y(at)),
                    fonts::piece_font(size),
                    ink,
                    piece.is_upside_down,
                );
            }
        }
        (PieceCharacters::One, _) => {
            let size = round_font_size((rect.width() * 0.78).min(rect.height() * 0.7));
            let at = point_in(rect, 0.5, y(0.555));
            canvas.draw_text(
                piece.kind.board_char(piece.color),
                at,
                fonts::piece_font(size),
                ink,
                piece.is_upside_down,
            );
        }
    }
}

const fn two_characters(kind: PieceKind, color: Color) -> [&'static str; 2] {
    match kind {
        PieceKind::Pawn => ["歩", "兵"],
        PieceKind::Lance => ["香", "車"],
        PieceKind::Knight => ["桂", "馬"],
        PieceKind::Silver => ["銀", "将"],
        PieceKind::Bishop => ["角", "行"],
        PieceKind::Rook => ["飛", "車"],
        PieceKind::Gold => ["金", "将"],
        PieceKind::King => [kind.board_char(color), "将"],
        PieceKind::ProPawn => ["と", "金"],
        PieceKind::ProLance => ["成", "香"],
        PieceKind::ProKnight => ["成", "桂"],
        PieceKind::ProSilver => ["成", "銀"],
        PieceKind::Horse => ["龍", "馬"],
        PieceKind::Dragon => ["龍", "王"],
    }
}

/// Returns all texts that may be on a piece: the single character, and each of the two characters.
#[cfg(test)]
pub(super) fn all_texts(kind: PieceKind, color: Color) -> [&'static str; 3] {
    let [first, second] = two_characters(kind, color);
    [kind.board_char(color), first, second]
}
