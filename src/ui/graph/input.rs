//! The interactive graph: pointer, wheel, keys, tooltip and screen reader name.

use super::axes::GraphLayout;
use super::draw::draw_all;
use super::scale::GraphScale;
use super::{GraphAction, GraphView, GraphZoom, tooltip};
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use crate::dialog::is_any_open;
use eframe::egui;
use egui::accesskit::{Action, Role};
use egui::{
    CursorIcon, Event, EventFilter, Key, Modifiers, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui,
    WidgetInfo,
};
use shogibar_base::Lang;
use shogibar_games::graph_text::GraphWord;

/// The number of plies by which Page Up and Page Down move.
const PAGE_PLIES: usize = 10;
/// The factor of a zoom step by keys or menu.
const ZOOM_STEP_FACTOR: f32 = 1.5;
/// The distance from the current ply at which the pointer grabs it, in points.
const GRAB_DISTANCE: f32 = 7.0;

/// The object that the pointer moves while its button is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum GraphDrag {
    /// No object.
    #[default]
    Nothing,
    /// The mark of the current ply.
    Current,
    /// The range of plies in view.
    Range,
}

/// The state of the interactive graph between frames.
#[derive(Debug, Default)]
pub struct GraphInput {
    pub(super) zoom: GraphZoom,
    /// The object that the pointer moves.
    drag: GraphDrag,
    /// The current ply of the last frame; `None` before the first one.
    current_ply: Option<usize>,
    /// The current plies at the last two presses of the button, the older first.
    pressed_plies: [usize; 2],
}

impl GraphInput {
    /// Shows the graph in a rectangle and returns the user's action. The zoom of this input replaces that of the view.
    pub fn show(
        &mut self,
        ui: &Ui,
        rect: Rect,
        view: &GraphView<'_>,
        theme: &PaintTheme,
        lang: Lang,
    ) -> Option<GraphAction> {
        let id = ui.scope_id().with("graph");
        let response = ui.interact(rect, id, Sense::click_and_drag());
        response.widget_info(|| {
            let mut info = WidgetInfo::slider(true, view.current_ply as f64, GraphWord::Graph.text(lang));
            info.current_text_value = Some(tooltip::sentence(view, view.current_ply, lang));
            info
        });
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_role(Role::Slider);
            node.set_min_numeric_value(0.0);
            node.set_max_numeric_value(view.plies as f64);
            node.set_numeric_value_step(1.0);
            node.add_action(Action::Increment);
            node.add_action(Action::Decrement);
        });
        let layout = GraphLayout::new(view, rect);
        if self.current_ply.replace(view.current_ply) != Some(view.current_ply) {
            self.zoom
                .bring_into_view(view.drawn_plies(), view.current_ply.min(view.drawn_plies()));
        }
        let mut wanted = self
            .handle_pointer(ui, &response, view, layout.plot)
            .or_else(|| self.handle_keys(ui, &response, view));
        let requested = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
        if requested(Action::Increment) {
            wanted = Some(view.current_ply.saturating_add(1));
        } else if requested(Action::Decrement) {
            wanted = view.current_ply.checked_sub(1);
        }
        self.handle_wheel(ui, &response, view, layout.plot);
        let view = &GraphView {
            zoom: self.zoom,
            ..*view
        };
        let scale = GraphScale::new(view, layout.plot);
        self.paint(ui, &response, view, &scale, &layout, theme, lang);
        let wanted = wanted
            .map(|ply| ply.min(view.plies))
            .filter(|ply| *ply != view.current_ply);
        wanted.map(GraphAction::Go)
    }

    /// Returns whether all plies are in view.
    pub const fn shows_all(&self) -> bool {
        self.zoom.is_all()
    }

    /// Zooms one step in if `is_in`, otherwise out, about the current ply of a game of this length.
    pub fn zoom_step(&mut self, plies: usize, is_in: bool) {
        let (first, last) = self.zoom.range(plies).into_inner();
        let current = self
            .current_ply
            .map_or_else(|| first.midpoint(last), |current| current as f32);
        let factor = if is_in {
            ZOOM_STEP_FACTOR
        } else {
            ZOOM_STEP_FACTOR.recip()
        };
        self.zoom
            .zoom(plies, current.clamp(first, last.max(first)), factor);
    }

    /// Shows all plies.
    pub fn show_all(&mut self) {
        self.zoom = GraphZoom::default();
    }

    /// Handles presses, clicks and drags. Returns the ply to go to; `None` if the current ply does not change.
    fn handle_pointer(
        &mut self,
        ui: &Ui,
        response: &Response,
        view: &GraphView<'_>,
        plot: Rect,
    ) -> Option<usize> {
        let scale = GraphScale::new(
            &GraphView {
                zoom: self.zoom,
                ..*view
            },
            plot,
        );
        // Presses are counted first, because the last press of a double click may arrive in the same frame.
        for _ in 0..press_count(ui).min(self.pressed_plies.len()) {
            self.pressed_plies = [self.pressed_plies[1], view.current_ply];
        }
        if response.double_clicked() {
            self.show_all();
            self.drag = GraphDrag::Nothing;
            // The first click of the double click changed the current ply, so it is set back.
            return Some(self.pressed_plies[0]);
        }
        let holds =
            |at: Pos2| self.zoom.is_all() || (at.x - scale.x(view.current_ply)).abs() <= GRAB_DISTANCE;
        let icon = match (self.drag, response.hover_pos()) {
            (GraphDrag::Range, _) => CursorIcon::Grabbing,
            (GraphDrag::Nothing, Some(at)) if !holds(at) => CursorIcon::Grab,
            _ => CursorIcon::Crosshair,
        };
        response.clone().on_hover_cursor(icon);
        let is_primary = ui.input(|input| input.pointer.primary_down() || input.pointer.primary_released());
        let is_down = response.is_pointer_button_down_on();
        let at = match response.interact_pointer_pos() {
            Some(at) if is_primary && (is_down || response.clicked()) => at,
            _ => {
                self.drag = GraphDrag::Nothing;
                return None;
            }
        };
        if self.drag == GraphDrag::Nothing {
            self.drag = if holds(at) {
                GraphDrag::Current
            } else {
                GraphDrag::Range
            };
        }
        if self.drag == GraphDrag::Range && !response.clicked() {
            let by = if response.dragged() {
                response.drag_delta().x
            } else {
                0.0
            };
            self.zoom.pan(view.drawn_plies(), -by / scale.ply_width());
            return None;
        }
        Some(scale.ply(at.x))
    }

    /// Zooms by Ctrl and the wheel or by a pinch. A sideways wheel moves the range of plies in view.
    fn handle_wheel(&mut self, ui: &Ui, response: &Response, view: &GraphView<'_>, plot: Rect) {
        if !response.contains_pointer() {
            return;
        }
        let (factor, sideways, at) = ui.input(|input| {
            (
                input.zoom_delta(),
                input.smooth_scroll_delta().x,
                input.pointer.hover_pos(),
            )
        });
        let scale = GraphScale::new(
            &GraphView {
                zoom: self.zoom,
                ..*view
            },
            plot,
        );
        if (factor - 1.0).abs() > f32::EPSILON {
            self.zoom.zoom(
                view.drawn_plies(),
                scale.fractional_ply(at.map_or_else(|| plot.center().x, |at| at.x)),
                factor,
            );
        } else if sideways != 0.0 && !self.zoom.is_all() {
            self.zoom.pan(view.drawn_plies(), -sideways / scale.ply_width());
            ui.input_mut(|input| input.smooth_scroll_delta.x = 0.0);
        }
    }

    /// Handles the keys of the focused graph. Returns the ply to go to; `None` if the current ply does not change.
    fn handle_keys(&mut self, ui: &Ui, response: &Response, view: &GraphView<'_>) -> Option<usize> {
        if !response.has_focus() {
            return None;
        }
        let filter = EventFilter {
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        for _ in 0..pressed(Key::Plus) + pressed(Key::Equals) {
            self.zoom_step(view.drawn_plies(), true);
        }
        for _ in 0..pressed(Key::Minus) {
            self.zoom_step(view.drawn_plies(), false);
        }
        if pressed(Key::Num0) > 0 {
            self.show_all();
        }
        let back = pressed(Key::ArrowLeft) + PAGE_PLIES * pressed(Key::PageUp);
        let forth = pressed(Key::ArrowRight) + PAGE_PLIES * pressed(Key::PageDown);
        if pressed(Key::Home) > 0 {
            return Some(0);
        }
        if pressed(Key::End) > 0 {
            return Some(view.plies);
        }
        let wanted = view.current_ply.saturating_add(forth).saturating_sub(back);
        (wanted != view.current_ply).then_some(wanted)
    }

    /// Paints the graph, the outline of the focus, and the tooltip.
    fn paint(
        &self,
        ui: &Ui,
        response: &Response,
        view: &GraphView<'_>,
        scale: &GraphScale,
        layout: &GraphLayout,
        theme: &PaintTheme,
        lang: Lang,
    ) {
        // The response is read before the fonts are borrowed, because the context allows one access at a time.
        let (has_focus, rect) = (response.has_focus(), response.rect);
        // Behind a dialog the graph shows no tooltip.
        let has_tooltip = self.drag != GraphDrag::Range && !is_any_open(ui.ctx());
        let pointer = if has_tooltip { response.hover_pos() } else { None };
        let shapes = ui.fonts_mut(|fonts| {
            let mut canvas = ShapeCanvas::new(fonts);
            draw_all(&mut canvas, view, theme, lang, rect);
            if has_focus {
                let stroke = Stroke::new(1.5, theme.accent);
                canvas
                    .shapes
                    .push(egui::epaint::RectShape::stroke(rect, 3, stroke, egui::StrokeKind::Inside).into());
            }
            let whole = layout.plot_and_times();
            if let Some(at) = pointer.filter(|at| whole.expand(6.0).contains(*at)) {
                tooltip::draw(&mut canvas, view, theme, scale, whole, scale.ply(at.x), lang);
            }
            canvas.shapes
        });
        ui.painter().extend(shapes);
    }
}

/// Returns how often the primary button was pressed since the last frame.
fn press_count(ui: &Ui) -> usize {
    let is_press = |event: &&Event| {
        matches!(
            event,
            Event::PointerButton {
                button: PointerButton::Primary,
                pressed: true,
                ..
            }
        )
    };
    ui.input(|input| input.events.iter().filter(is_press).count())
}
