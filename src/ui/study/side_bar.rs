//! The upright bar beside the board: a tray with both shares, and the win rates at its ends.

use super::StudyFrame;
use crate::fonts::TextWeight;
use crate::frame_pacer::FramePacer;
use crate::glide::Glide;
use crate::overlay::{MIN_FULL_POINT_LEAD, NOTCHES, SEAM_POINT_DISTANCE, STALE_SHARE_STRENGTH, final_share};
use crate::{PaintTheme, PartWord};
use eframe::egui;
use egui::epaint::{Mesh, RectShape};
use egui::{
    Align2, Color32, CornerRadius, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};
use shogibar_games::bar::BarView;
use shogibar_shogi::Color;
use std::time::Duration;

/// The height of a number, in points.
const NUMBER_HEIGHT: f32 = 26.0;
/// The length by which a number may extend beyond each side of the bar, in points.
const NUMBER_OVERHANG: f32 = 5.0;
/// The font size of the numbers, as a fraction of the bar's width.
const NUMBER_FONT_FRACTION: f32 = 0.58;
const WORD_FONT_FRACTION: f32 = 0.33;
/// The margin of the tray, in points.
const TRAY_MARGIN: f32 = 3.0;
/// The gap between the shares, in points.
const SHARE_GAP: f32 = 5.0;
/// The time in which the share moves to a new value, in seconds.
const MOTION_SECONDS: f64 = 0.2;

/// The evaluation bar beside the board, between frames.
#[derive(Debug)]
pub(super) struct SideBar {
    share: Glide,
    painter: FramePacer,
}

impl Default for SideBar {
    fn default() -> Self {
        Self {
            share: Glide::at_rest(0.5),
            painter: FramePacer::Gpu,
        }
    }
}

impl SideBar {
    pub(super) const fn set_painter(&mut self, painter: FramePacer) {
        self.painter = painter;
    }

    /// Draws the bar. If `is_elsewhere`, the bar is grey, because the board shows a pv. Requests another frame only
    /// while the share moves visibly.
    pub(super) fn show(&mut self, ui: &Ui, frame: &StudyFrame<'_>, rect: Rect, is_elsewhere: bool) {
        let (theme, now) = (frame.theme, ui.input(|input| input.time));
        let stale = is_elsewhere.then(|| BarView {
            is_stale: true,
            ..frame.view.bar.clone()
        });
        let view = stale.as_ref().unwrap_or(frame.view.bar);
        let target = final_share(view);
        if frame.view.has_motion {
            let pixels = (rect.height() * ui.pixels_per_point()).max(1.0);
            self.share.set_target(
                target,
                self.painter.min_motion_pixels() / pixels,
                MOTION_SECONDS,
                now,
            );
        } else {
            self.share = Glide::at_rest(target);
        }
        if !self.share.is_at_rest(now) {
            let until = Duration::from_secs_f64(self.share.seconds_to_next_step(now));
            ui.ctx()
                .request_repaint_after(self.painter.min_frame_time().max(until));
        }
        let ends = if frame.view.is_flipped {
            [Color::Black, Color::White]
        } else {
            [Color::White, Color::Black]
        };
        for (color, align) in ends.into_iter().zip([Align2::CENTER_TOP, Align2::CENTER_BOTTOM]) {
            draw_number(ui, theme, view, color, rect, align);
        }
        let tray = rect.shrink2(vec2(0.0, NUMBER_HEIGHT));
        if tray.height() > 2.0 * TRAY_MARGIN {
            SideTray::new(tray, theme).draw(ui, view, self.share.value_at(now), ends);
        }
        let text = |color| format!("{} {}", view.side(color).role, end_text(view, color));
        let value = format!("{} {}", text(Color::Black), text(Color::White));
        let bar = ui.interact(rect, ui.scope_id().with("bar"), Sense::hover());
        bar.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Paragraph, true, PartWord::Bar.text(frame.lang));
            info.current_text_value = Some(value.clone());
            info
        });
    }
}

/// Returns the text at a side's end: the result for the winner of a decided game, else the win rate in percent. A dash
/// if neither is known.
fn end_text(view: &BarView, color: Color) -> String {
    match (&view.decided_win, view.side(color).percent) {
        (Some(decided), _) if decided.winner == Some(color) => decided.label.clone(),
        (None, Some(percent)) => percent.to_string(),
        _ => "–".to_owned(),
    }
}

fn draw_number(ui: &Ui, theme: &PaintTheme, view: &BarView, color: Color, rect: Rect, align: Align2) {
    let text = end_text(view, color);
    let ink = if view.is_stale { theme.quiet } else { theme.text };
    let galley = |size: f32| {
        ui.painter()
            .layout_no_wrap(text.clone(), TextWeight::Bold.at(size), ink)
    };
    let (size, max_width) = (
        rect.width() * NUMBER_FONT_FRACTION,
        rect.width() + 2.0 * NUMBER_OVERHANG,
    );
    let whole = galley(size);
    // A word can be wider than a number; it is then written smaller.
    let fitted = if whole.size().x > max_width {
        galley((size * max_width / whole.size().x).max(8.0))
    } else {
        whole
    };
    let room = match align {
        Align2::CENTER_TOP => rect.with_max_y(rect.top() + NUMBER_HEIGHT - 5.0),
        _ => rect.with_min_y(rect.bottom() - NUMBER_HEIGHT + 5.0),
    };
    ui.painter()
        .galley(room.center() - fitted.size() / 2.0, fitted, ink);
}

/// The tray of the upright bar, with its shares.
struct SideTray<'a> {
    outside: Rect,
    inside: Rect,
    theme: &'a PaintTheme,
}

impl<'a> SideTray<'a> {
    fn new(outside: Rect, theme: &'a PaintTheme) -> Self {
        Self {
            outside,
            inside: outside.shrink(TRAY_MARGIN),
            theme,
        }
    }

    fn draw(&self, ui: &Ui, view: &BarView, share: f32, [above, below]: [Color; 2]) {
        let (theme, painter, inside) = (self.theme, ui.painter(), self.inside);
        painter.rect_filled(self.outside.expand(1.0), CornerRadius::same(9), theme.separator);
        painter.rect_filled(self.outside, CornerRadius::same(8), theme.tray);
        let strength = if view.is_stale { STALE_SHARE_STRENGTH } else { 1.0 };
        let winner = view.decided_win.as_ref().map(|decided| decided.winner);
        let below_share = match winner {
            Some(Some(winner)) => f32::from(u8::from(winner == below)),
            Some(None) => return,
            None if view.share.is_none() => return,
            None if below == Color::Black => share,
            None => 1.0 - share,
        };
        let seam = inside.bottom() - below_share * inside.height();
        // The gap points toward the side that is behind.
        let depth = SEAM_POINT_DISTANCE
            * inside.width()
            * ((0.5 - below_share) / MIN_FULL_POINT_LEAD).clamp(-1.0, 1.0);
        let at = |x: f32, y: f32| {
            pos2(
                egui::lerp(inside.x_range(), x),
                y.clamp(inside.top(), inside.bottom()),
            )
        };
        let line = [
            at(0.0, seam - depth),
            at(0.5, seam + depth),
            at(1.0, seam - depth),
        ];
        let (top, bottom) = (
            [at(0.0, inside.top()), at(1.0, inside.top())],
            [at(0.0, inside.bottom()), at(1.0, inside.bottom())],
        );
        self.fill_share(ui, above, strength, [top[0], top[1], line[2], line[1], line[0]]);
        self.fill_share(
            ui,
            below,
            strength,
            [bottom[0], bottom[1], line[2], line[1], line[0]],
        );
        for (share, length) in NOTCHES {
            let (y, length) = (egui::lerp(inside.y_range(), share), length * inside.width());
            let stroke = Stroke::new(1.0, theme.tray);
            painter.hline(inside.left()..=inside.left() + length, y, stroke);
            painter.hline(inside.right() - length..=inside.right(), y, stroke);
        }
        if below_share > 0.0 && below_share < 1.0 {
            painter.add(Shape::line(line.to_vec(), Stroke::new(SHARE_GAP, theme.tray)));
        }
        let border = Stroke::new(TRAY_MARGIN, theme.tray);
        painter.add(RectShape::stroke(
            inside,
            CornerRadius::same(6),
            border,
            StrokeKind::Outside,
        ));
        self.draw_word(
            ui,
            view,
            above,
            (1.0 - below_share) * inside.height() - depth.abs(),
            Align2::CENTER_TOP,
        );
        self.draw_word(
            ui,
            view,
            below,
            below_share * inside.height() - depth.abs(),
            Align2::CENTER_BOTTOM,
        );
    }

    /// Fills the share of a side with the side's gradient. `strength` is the opacity, 0 to 1. All of the polygon must
    /// be visible from its fourth point.
    fn fill_share(&self, ui: &Ui, color: Color, strength: f32, points: [Pos2; 5]) {
        let theme = self.theme;
        let (from, to) = match color {
            Color::Black => (theme.black, theme.black_low),
            Color::White => (theme.white, theme.white_low),
        };
        let mut mesh = Mesh::default();
        for point in points {
            let across = (point.x - self.inside.left()) / self.inside.width();
            mesh.colored_vertex(
                point,
                theme.tray.lerp_to_gamma(from.lerp_to_gamma(to, across), strength),
            );
        }
        // Triangles around the point of the seam.
        for [one, other] in [[0, 1], [1, 2], [4, 0]] {
            mesh.add_triangle(3, one, other);
        }
        ui.painter().add(Shape::mesh(mesh));
    }

    fn draw_word(&self, ui: &Ui, view: &BarView, color: Color, length: f32, align: Align2) {
        let (theme, size) = (self.theme, self.outside.width() * WORD_FONT_FRACTION);
        let ink: Color32 = if color == Color::Black {
            theme.on_black
        } else {
            theme.on_white
        };
        let galley =
            ui.painter()
                .layout_no_wrap(view.side(color).role.clone(), TextWeight::Bold.at(size), ink);
        if size < 9.0 || length < 2.2 * size || galley.size().x > self.inside.width() {
            return;
        }
        let at = if align == Align2::CENTER_TOP {
            self.inside.center_top()
        } else {
            self.inside.center_bottom()
        };
        let inward = if align == Align2::CENTER_TOP { 2.0 } else { -2.0 };
        let room = align.anchor_size(at + vec2(0.0, inward), galley.size());
        ui.painter().galley(room.min, galley, ink);
    }
}
