//! The interactive graph: pointer, keys, tooltip and screen reader name.

use super::draw::{all, color};
use super::scale::{GraphScale, place};
use super::{GraphAction, GraphView};
use crate::analysis::MoveMark;
use crate::score::percent;
use crate::text::Lang;
use crate::text::graph::{self as words, GraphWord};
use crate::text::visible::visible;
use crate::ui::PaintTheme;
use crate::ui::canvas::ShapeCanvas;
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::accesskit::{Action, Role};
use egui::{
    Align2, Color32, CursorIcon, EventFilter, Key, Modifiers, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo,
    pos2,
};

/// The number of moves for Page Up and Page Down.
const PAGE: usize = 10;

/// Shows the graph in a rectangle and returns the user's action.
pub fn show(ui: &Ui, rect: Rect, view: &GraphView<'_>, theme: &PaintTheme, lang: Lang) -> Option<GraphAction> {
    let id = ui.scope_id().with("graph");
    let response = ui.interact(rect, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::Crosshair);
    response.widget_info(|| {
        let mut info = WidgetInfo::slider(true, view.current as f64, GraphWord::Graph.text(lang));
        info.current_text_value = Some(sentence(view, view.current, lang));
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
    let scale = GraphScale::new(view, super::axes::inside(view, rect));
    let mut wanted = pointer_ply(ui, &response, &scale).or_else(|| keys(ui, &response, view));
    let requested = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
    if requested(Action::Increment) {
        wanted = Some(view.current.saturating_add(1));
    } else if requested(Action::Decrement) {
        wanted = view.current.checked_sub(1);
    }
    let wanted = wanted.map(|ply| ply.min(view.plies)).filter(|ply| *ply != view.current);
    // Reads the response before borrowing the fonts, because the context allows one access at a time.
    let (has_focus, pointer) = (response.has_focus(), response.hover_pos());
    let shapes = ui.fonts_mut(|fonts| {
        let mut canvas = ShapeCanvas::new(fonts);
        all(&mut canvas, view, theme, lang, rect);
        if has_focus {
            let stroke = Stroke::new(1.5, theme.arrow);
            canvas.shapes.push(egui::epaint::RectShape::stroke(rect, 3, stroke, egui::StrokeKind::Inside).into());
        }
        if let Some(at) = pointer.filter(|at| scale.rect.expand(6.0).contains(*at)) {
            hover(&mut canvas, view, theme, &scale, (scale.ply(at.x), lang));
        }
        canvas.shapes
    });
    ui.painter().extend(shapes);
    wanted.map(GraphAction::Go)
}

fn pointer_ply(ui: &Ui, response: &Response, scale: &GraphScale) -> Option<usize> {
    let is_primary = ui.input(|input| input.pointer.primary_down() || input.pointer.primary_released());
    let is_pressed = response.is_pointer_button_down_on() || response.clicked();
    let at = response.interact_pointer_pos().filter(|_| is_primary && is_pressed)?;
    Some(scale.ply(at.x))
}

fn keys(ui: &Ui, response: &Response, view: &GraphView<'_>) -> Option<usize> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let back = pressed(Key::ArrowLeft) + PAGE * pressed(Key::PageUp);
    let forth = pressed(Key::ArrowRight) + PAGE * pressed(Key::PageDown);
    if pressed(Key::Home) > 0 {
        return Some(0);
    }
    if pressed(Key::End) > 0 {
        return Some(view.plies);
    }
    let wanted = view.current.saturating_add(forth).saturating_sub(back);
    (wanted != view.current).then_some(wanted)
}

/// Returns the description of a ply, and a line with the series index for each engine that has a value.
fn description(view: &GraphView<'_>, ply: usize, lang: Lang) -> (String, Vec<(usize, String)>) {
    let gap = lang.pick("　", " · ");
    let mut head = words::place(ply, lang);
    let before = ply.checked_sub(1);
    if let Some(mv) = before.and_then(|place| view.moves.get(place)) {
        head.extend([gap, mv]);
    }
    if let Some(seconds) = before.and_then(|place| view.times.get(place).copied().flatten()) {
        head.extend([gap, &words::time(seconds)]);
    }
    let mut values = Vec::new();
    for (place, series) in view.series.iter().enumerate() {
        let Some(value) = series.value(ply) else { continue };
        let (black, _) = percent(series.model.win_rate(value), value.winner().is_some());
        let name: String = visible(series.name).chars().take(24).collect();
        let name = if name.is_empty() { name } else { name + gap };
        let [title, _] = view.titles;
        values.push((place, format!("{name}{title} {black}%{gap}{}", words::value(value, view.titles, lang))));
    }
    (head, values)
}

/// Returns the description of a ply in one sentence.
fn sentence(view: &GraphView<'_>, ply: usize, lang: Lang) -> String {
    let (head, values) = description(view, ply, lang);
    let mark = mark(view, ply).map(|kind| kind.label().text(lang).to_owned());
    let parts: Vec<String> =
        std::iter::once(head).chain(mark).chain(values.into_iter().map(|(_, text)| text)).collect();
    parts.join(lang.pick("　", ", "))
}

fn mark(view: &GraphView<'_>, ply: usize) -> Option<MoveMark> {
    view.marks.iter().filter(|mark| mark.ply == ply).map(|mark| mark.kind).max()
}

/// Draws a line through the ply under the pointer, and a box with its description.
fn hover(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    (ply, lang): (usize, Lang),
) {
    let x = canvas.snap_to_pixels(scale.x(ply));
    canvas.fill(Rect::from_min_max(pos2(x, scale.rect.top()), pos2(x, scale.rect.bottom())), theme.quiet);
    if let Some(at) = place(view, scale, ply) {
        canvas.shapes.push(Shape::circle_filled(at, 3.5, theme.quiet));
    }
    let (head, values) = description(view, ply, lang);
    let mut lines: Vec<(String, Color32, TextWeight)> = vec![(head, theme.text, TextWeight::Bold)];
    lines.extend(
        mark(view, ply)
            .map(|kind| (kind.label().text(lang).to_owned(), super::marks::color(kind, theme), TextWeight::Bold)),
    );
    lines.extend(values.into_iter().map(|(place, text)| {
        let several = view.series.len() > 1;
        (text, if several { color(theme, place) } else { theme.text }, TextWeight::Regular)
    }));
    let galleys: Vec<_> = lines
        .into_iter()
        .map(|(text, color, weight)| canvas.fonts.layout_no_wrap(text, weight.at(12.5), color))
        .collect();
    let width = galleys.iter().map(|galley| galley.size().x).fold(0.0, f32::max);
    let height = galleys.iter().map(|galley| galley.size().y).sum::<f32>();
    let size = egui::vec2(width + 18.0, height + 12.0);
    let is_right = x + 12.0 + size.x <= scale.rect.right();
    let (at, align) = if is_right { (x + 12.0, Align2::LEFT_TOP) } else { (x - 12.0, Align2::RIGHT_TOP) };
    let mut room = align.anchor_size(pos2(at, scale.rect.top() + 6.0), size);
    room = room.translate(egui::vec2((scale.rect.left() - room.left()).max(0.0), 0.0));
    canvas.rounded_rect(room.translate(egui::vec2(0.0, 2.0)), 6.0, theme.piece_ink.gamma_multiply(0.2));
    canvas.rounded_rect(room, 6.0, theme.panel.to_opaque());
    let edge = egui::epaint::RectShape::stroke(room, 6, Stroke::new(1.0, theme.separator), egui::StrokeKind::Inside);
    canvas.shapes.push(edge.into());
    let mut top = room.top() + 6.0;
    for galley in galleys {
        let below = top + galley.size().y;
        canvas.shapes.push(Shape::galley(pos2(room.left() + 9.0, top), galley, theme.text));
        top = below;
    }
}
