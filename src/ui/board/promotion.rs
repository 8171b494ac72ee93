//! The promotion choice: both faces of the piece, drawn over the target square.

use super::input::PromotionChoice;
use super::layout::BoardPlan;
use super::piece::{self, DrawnPiece};
use super::{BoardInput, BoardView};
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use eframe::egui;
use egui::accesskit::Role;
use egui::{Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use shogibar_base::Lang;
use shogibar_shogi::Piece;
use shogibar_shogi::board_text::BoardWord;

/// Returns the rectangles of the two options within the board. The promoted piece is on the left.
fn option_rects(plan: &BoardPlan, choice: PromotionChoice) -> [Rect; 2] {
    let cell = plan.cell * 1.12;
    let to = plan.square_rect(choice.to);
    let size = vec2(cell.x * 2.0, cell.y);
    let room = plan.board;
    let left = (to.center().x - cell.x).clamp(room.left(), (room.right() - size.x).max(room.left()));
    let top = (to.center().y - cell.y / 2.0).clamp(room.top(), (room.bottom() - size.y).max(room.top()));
    let first = Rect::from_min_size(pos2(left, top), cell);
    [first, first.translate(vec2(cell.x, 0.0))]
}

/// Handles clicks on the choice. Returns whether to promote; `None` without a click.
pub(super) fn handle_clicks(ui: &Ui, input: &BoardInput, plan: &BoardPlan, lang: Lang) -> Option<bool> {
    let choice = input.choice()?;
    let mut answer = None;
    for (rect, (word, promotes)) in option_rects(plan, choice)
        .into_iter()
        .zip([(BoardWord::Promote, true), (BoardWord::Stay, false)])
    {
        let response = ui.interact(rect, ui.scope_id().with(("promotion", promotes)), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(Role::Button, true, choice.promotes == promotes, word.text(lang))
        });
        if response.clicked() {
            answer = Some(promotes);
        }
    }
    answer
}

/// Draws the two faces of the piece over the target square, and dims the rest of the board.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &BoardView<'_>,
    theme: &PaintTheme,
    plan: &BoardPlan,
    choice: PromotionChoice,
) {
    let Some(moved) = view.position.piece_on(choice.from) else {
        return;
    };
    let rects = option_rects(plan, choice);
    let [first, second] = rects;
    let all = first.union(second);
    let radius = plan.cell.x * 0.1;
    canvas.fill(plan.grid, theme.piece_ink.gamma_multiply(0.28));
    canvas.rounded_rect(all.expand(plan.cell.x * 0.06), radius, theme.panel.to_opaque());
    for (rect, promotes) in rects.into_iter().zip([true, false]) {
        let is_chosen = choice.promotes == promotes;
        if is_chosen {
            canvas.rounded_rect(rect, radius, theme.arrow.gamma_multiply(0.3));
            let stroke = Stroke::new((plan.cell.x * 0.035).max(1.0), theme.arrow);
            let edge = egui::epaint::RectShape::stroke(rect, radius, stroke, StrokeKind::Inside);
            canvas.shapes.push(edge.into());
        }
        let kind = if promotes {
            moved.kind.promoted().unwrap_or(moved.kind)
        } else {
            moved.kind
        };
        piece::draw(
            canvas,
            theme,
            DrawnPiece::from_view(view, Piece { kind, ..moved }),
            rect.center(),
            plan.cell,
            1.0,
        );
    }
}
