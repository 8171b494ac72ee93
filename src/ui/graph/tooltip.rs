//! The texts of the graph about a ply: the tooltip at the pointer, and the sentence for a screen reader.

use super::draw::{curve_color, live_color};
use super::scale::{GraphScale, point_at};
use super::{GraphSeries, GraphView, marks};
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use crate::fonts::TextWeight;
use eframe::egui;
use egui::{Align2, Color32, Rect, Shape, Stroke, pos2};
use shogibar_base::Lang;
use shogibar_base::visible::visible;
use shogibar_games::analysis::MoveMark;
use shogibar_games::graph_text::{self as words, GraphWord};
use shogibar_shogi::score::{Value, WinRateModel, percent};

/// The curve that a value in the tooltip is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueSource {
    /// The curve with this index.
    Series(usize),
    /// The live curve with this index.
    Live(usize),
    /// The game beside the variation.
    Game,
}

fn describe_ply(view: &GraphView<'_>, ply: usize, lang: Lang) -> (String, Vec<(ValueSource, String)>) {
    let gap = lang.pick("　", " · ");
    let mut head = words::ply_label(ply, lang);
    let before = ply.checked_sub(1);
    if let Some(mv) = before.and_then(|index| view.moves.get(index)) {
        head.extend([gap, mv]);
    }
    if let Some(seconds) = before.and_then(|index| view.move_times.get(index).copied().flatten()) {
        head.extend([gap, &words::time(seconds)]);
    }
    let line = |name: &str, (value, model): (Value, WinRateModel)| {
        let (black, _) = percent(model.win_rate(value), value.winner().is_some());
        let name: String = visible(name).chars().take(24).collect();
        let name = if name.is_empty() { name } else { name + gap };
        let [title, _] = view.titles;
        format!(
            "{name}{title} {black}%{gap}{}",
            words::value(value, view.titles, lang)
        )
    };
    let mut values = Vec::new();
    let text_of = |series: &GraphSeries<'_>| series.value(ply).map(|value| line(series.name, value));
    for (index, series) in view.series.iter().enumerate() {
        values.extend(text_of(series).map(|text| (ValueSource::Series(index), text)));
    }
    for (index, series) in view.live_series.iter().enumerate() {
        values.extend(text_of(series).map(|text| (ValueSource::Live(index), text)));
    }
    let game = view
        .game
        .filter(|game| ply > game.branch_ply)
        .and_then(|game| *game.values.get(ply)?);
    values.extend(game.map(|value| (ValueSource::Game, line(GraphWord::MainLine.text(lang), value))));
    (head, values)
}

pub(super) fn sentence(view: &GraphView<'_>, ply: usize, lang: Lang) -> String {
    let (head, values) = describe_ply(view, ply, lang);
    let mark = worst_mark(view, ply).map(|kind| kind.label().text(lang).to_owned());
    let parts: Vec<String> = std::iter::once(head)
        .chain(mark)
        .chain(shown_reason(view, ply).map(str::to_owned))
        .chain(values.into_iter().map(|(_, text)| text))
        .collect();
    parts.join(lang.pick("　", ", "))
}

/// Returns the reason why the move to a ply was bad; `None` if it is unknown or evaluations are hidden.
fn shown_reason<'a>(view: &GraphView<'a>, ply: usize) -> Option<&'a str> {
    let reason = view
        .reasons
        .get(ply.checked_sub(1)?)
        .filter(|reason| !reason.is_empty() && !view.is_hidden)?;
    Some(reason)
}

/// Returns the worst mark of the move to a ply; `None` if the move has no mark.
fn worst_mark(view: &GraphView<'_>, ply: usize) -> Option<MoveMark> {
    view.marks
        .iter()
        .filter(|mark| mark.ply == ply)
        .map(|mark| mark.kind)
        .max()
}

/// Draws a line through the ply across the rectangle `whole`, and a box with the description of the ply.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    whole: Rect,
    ply: usize,
    lang: Lang,
) {
    let x = canvas.snap_to_pixels(scale.x(ply));
    canvas.fill(
        Rect::from_min_max(pos2(x, whole.top()), pos2(x, whole.bottom())),
        theme.quiet,
    );
    if let Some(at) = point_at(view, scale, ply) {
        canvas.shapes.push(Shape::circle_filled(at, 3.5, theme.quiet));
    }
    let (head, values) = describe_ply(view, ply, lang);
    let mut lines: Vec<(String, Color32, TextWeight)> = vec![(head, theme.text, TextWeight::Bold)];
    lines.extend(worst_mark(view, ply).map(|kind| {
        (
            kind.label().text(lang).to_owned(),
            marks::mark_color(kind, theme),
            TextWeight::Bold,
        )
    }));
    lines.extend(shown_reason(view, ply).map(|text| (text.to_owned(), theme.text, TextWeight::Regular)));
    let is_alone = view.series.len() + view.live_series.len() < 2;
    lines.extend(values.into_iter().map(|(source, text)| {
        let color = match source {
            ValueSource::Game => theme.quiet,
            _ if is_alone => theme.text,
            ValueSource::Series(index) => curve_color(theme, index),
            ValueSource::Live(index) => live_color(theme, index, view.series.len()),
        };
        (text, color, TextWeight::Regular)
    }));
    let galleys: Vec<_> = lines
        .into_iter()
        .map(|(text, color, weight)| canvas.fonts.layout_no_wrap(text, weight.at(12.5), color))
        .collect();
    let width = galleys.iter().map(|galley| galley.size().x).fold(0.0, f32::max);
    let height = galleys.iter().map(|galley| galley.size().y).sum::<f32>();
    let size = egui::vec2(width + 18.0, height + 12.0);
    let is_right = x + 12.0 + size.x <= scale.rect.right();
    let (at, align) = if is_right {
        (x + 12.0, Align2::LEFT_TOP)
    } else {
        (x - 12.0, Align2::RIGHT_TOP)
    };
    let mut room = align.anchor_size(pos2(at, scale.rect.top() + 6.0), size);
    room = room.translate(egui::vec2((scale.rect.left() - room.left()).max(0.0), 0.0));
    canvas.rounded_rect(
        room.translate(egui::vec2(0.0, 2.0)),
        6.0,
        theme.piece_ink.gamma_multiply(0.2),
    );
    canvas.rounded_rect(room, 6.0, theme.panel.to_opaque());
    let edge = egui::epaint::RectShape::stroke(
        room,
        6,
        Stroke::new(1.0, theme.separator),
        egui::StrokeKind::Inside,
    );
    canvas.shapes.push(edge.into());
    let mut top = room.top() + 6.0;
    for galley in galleys {
        let below = top + galley.size().y;
        canvas
            .shapes
            .push(Shape::galley(pos2(room.left() + 9.0, top), galley, theme.text));
        top = below;
    }
}
