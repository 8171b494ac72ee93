//! The context line, the lowest one of a layout: the event, the opening with the castles, and the credit or the engines.
//! Its room depends on the style and the window, so that nothing else moves when a text of the line becomes known.

use super::canvas::OverlayCanvas;
use super::remaining_space::RemainingSpace;
use super::{ends, texts};
use crate::PartWord;
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Color32, CornerRadius, Rect, Vec2, vec2};
use shogibar_config::OverlayPart;
use shogibar_games::bar::{BarView, EngineSignal, EngineView};
use shogibar_games::phrase;
use shogibar_games::reasons_text::ReasonPhrase;
use shogibar_shogi::Color;
use std::borrow::Cow;

/// The gap between two parts of the line, in ems.
const PART_GAP: f32 = 1.2;
/// The gap between the opening and the castles, and between two engines, in ems.
const WIDE_GAP: f32 = 0.9;
/// The gap between a piece and its castle, and other gaps between words, in ems.
const NARROW_GAP: f32 = 0.3;
/// The margin between the text and the edge of the panel, as a fraction of the line's height.
const EDGE_MARGIN_FRACTION: f32 = 0.08;
/// The width and the height of a piece, in ems.
const PIECE_SIZE: Vec2 = vec2(0.72, 0.82);

/// The contents at the right end of the line, unless the credit is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// The figures and the name of the only engine. Each of several engines has its figures elsewhere.
    Figures,
    /// The names of the engines, and the win rates of those that the bar does not follow alone.
    Engines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineOrder {
    /// The event is at the left end, the opening in the middle.
    EventFirst,
    /// The opening is at the left end, after another text of the line.
    EventLast,
}

/// Returns whether the style has a part that stands in the line.
pub(super) fn is_wanted(canvas: &OverlayCanvas<'_, '_>, view: &BarView) -> bool {
    let style = canvas.style;
    let shows_formation = style.shows(OverlayPart::Formations) && style.shows(OverlayPart::Words);
    let parts = [OverlayPart::Names, OverlayPart::Engine, OverlayPart::Figures];
    shows_formation || parts.into_iter().any(|part| style.shows(part)) || !view.credit.is_empty()
}

/// Draws a thin line at the upper edge of `bounds`, and the context line below it. `size` is in points at scale 1.
pub(super) fn draw_below_hairline(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: LineEnd,
    size: f32,
    bounds: Rect,
) {
    draw_hairline(canvas, bounds);
    // The line is at the edge of the panel.
    let bounds = bounds.with_max_y(bounds.bottom() - EDGE_MARGIN_FRACTION * bounds.height());
    draw(canvas, view, (end, LineOrder::EventFirst), size, bounds);
}

/// Draws a thin line at the upper edge of `bounds`.
fn draw_hairline(canvas: &mut OverlayCanvas<'_, '_>, bounds: Rect) {
    let line = bounds.with_max_y(bounds.top() + canvas.scale.max(1.0));
    canvas.fill(line, CornerRadius::ZERO, canvas.theme().separator);
}

/// Draws the context line. Without room for all, parts are left out in this order: figures, event, castles, opening.
/// `size` is in points at scale 1.
pub(super) fn draw(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    (end, order): (LineEnd, LineOrder),
    size: f32,
    bounds: Rect,
) {
    let size = size.max(canvas.min_font_size() / canvas.scale);
    let contents = LineContent::choices(canvas, view, end);
    let fitting = contents
        .iter()
        .find(|content| content.width(canvas, size) <= bounds.width());
    // The last one is the shortest.
    if let Some(content) = fitting.or_else(|| contents.last()) {
        content.draw(canvas, order, size, bounds);
    }
}

/// Draws the event, the opening, the castles, and an engine or the credit on `count` lines below each other, centred.
pub(super) fn draw_stacked(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    count: usize,
    size: f32,
    bounds: Rect,
) {
    draw_hairline(canvas, bounds);
    let size = size.max(canvas.min_font_size() / canvas.scale);
    let [opening, castles] = formation(canvas, view);
    let end = match view.credit.as_str() {
        "" => engines(canvas, view, EngineDetail::OthersOnly),
        credit => LineText::plain(credit, canvas.theme().quiet),
    };
    let height = bounds.height() / count.max(1) as f32;
    let mut room = RemainingSpace(bounds);
    let parts = [
        PartWord::Event,
        PartWord::Formation,
        PartWord::Castles,
        PartWord::Engine,
    ];
    for (text, part) in [event(canvas, view), opening, castles, end]
        .iter()
        .zip(parts)
        .take(count)
    {
        let row = room.cut_top(height);
        let width = text.width(canvas, size).min(row.width());
        text.draw(
            canvas,
            part,
            size,
            Rect::from_center_size(row.center(), vec2(width, row.height())),
        );
    }
}

/// The texts of the line. An absent one is empty.
#[derive(Clone, Debug)]
struct LineContent<'a> {
    event: LineText<'a>,
    formation: LineText<'a>,
    end: LineText<'a>,
}

impl<'a> LineContent<'a> {
    /// Returns the possible contents, in the order of preference.
    fn choices(canvas: &OverlayCanvas<'_, '_>, view: &'a BarView, end: LineEnd) -> Vec<Self> {
        let event = event(canvas, view);
        let [opening, castles] = formation(canvas, view);
        let whole = LineText::joined(&opening, &castles);
        let ends = line_ends(canvas, view, end);
        let is_required = !view.credit.is_empty() || end == LineEnd::Engines && view.engines.len() > 1;
        let last = if is_required {
            ends.last().cloned().unwrap_or_default()
        } else {
            LineText::default()
        };
        let brief = if opening.is_empty() { castles } else { opening };
        let mut all: Vec<_> = ends
            .into_iter()
            .chain([last.clone()])
            .map(|end| (&event, &whole, end))
            .collect();
        let nothing = LineText::default();
        all.extend([&whole, &brief, &nothing].map(|formation| (&nothing, formation, last.clone())));
        all.into_iter()
            .map(|(event, formation, end)| Self {
                event: event.clone(),
                formation: formation.clone(),
                end,
            })
            .collect()
    }

    /// Returns the width with the gaps, in points of the screen.
    fn width(&self, canvas: &mut OverlayCanvas<'_, '_>, size: f32) -> f32 {
        let gap = PART_GAP * size * canvas.scale;
        let widths = [&self.event, &self.formation, &self.end].map(|text| text.width(canvas, size));
        let parts = widths.into_iter().filter(|width| *width > 0.0);
        parts.reduce(|sum, width| sum + gap + width).unwrap_or_default()
    }

    /// Draws the texts. The end is narrowed if it is alone and too long.
    fn draw(&self, canvas: &mut OverlayCanvas<'_, '_>, order: LineOrder, size: f32, bounds: Rect) {
        let gap = PART_GAP * size * canvas.scale;
        let [event, formation, end] =
            [&self.event, &self.formation, &self.end].map(|text| text.width(canvas, size));
        let gap_after = |width: f32| if width > 0.0 { gap } else { 0.0 };
        let mut room = RemainingSpace(bounds);
        let at_end = room.cut_right(end);
        room.cut_right(gap_after(end));
        let at_event = match order {
            LineOrder::EventFirst => room.cut_left(event),
            LineOrder::EventLast => room.cut_right(event),
        };
        let left = match order {
            LineOrder::EventFirst => {
                room.cut_left(gap_after(event));
                let max_left = (room.0.right() - formation).max(room.0.left());
                (bounds.center().x - formation / 2.0).clamp(room.0.left(), max_left)
            }
            LineOrder::EventLast => room.0.left(),
        };
        let at_formation = room.0.with_min_x(left).with_max_x(left + formation);
        self.event.draw(canvas, PartWord::Event, size, at_event);
        self.formation
            .draw(canvas, PartWord::Formation, size, at_formation);
        self.end.draw(canvas, PartWord::Engine, size, at_end);
    }
}

/// Returns the event; empty where the style hides names.
fn event<'a>(canvas: &OverlayCanvas<'_, '_>, view: &'a BarView) -> LineText<'a> {
    let is_shown = canvas.style.shows(OverlayPart::Names);
    LineText::plain(
        if is_shown { view.event.as_str() } else { "" },
        canvas.theme().quiet,
    )
}

/// Returns the opening, and the castles that are known, each after the piece of its side.
fn formation<'a>(canvas: &OverlayCanvas<'_, '_>, view: &'a BarView) -> [LineText<'a>; 2] {
    let (theme, formation) = (canvas.theme(), &view.reason.formation);
    let [mut opening, mut castles] = [LineText::default(), LineText::default()];
    opening.push(&*formation.opening, theme.text, true);
    for (side, castle) in [Color::Black, Color::White].into_iter().zip(&formation.castles) {
        if castle.is_empty() {
            continue;
        }
        if !castles.is_empty() {
            castles.push_gap(NARROW_GAP);
            castles.push(ReasonPhrase::Versus.text(canvas.style.lang), theme.quiet, false);
            castles.push_gap(NARROW_GAP);
        }
        castles.push_piece(side);
        castles.push(castle.as_str(), theme.text, false);
    }
    [opening, castles]
}

/// Returns the possible texts at the right end, the longest first.
fn line_ends<'a>(canvas: &OverlayCanvas<'_, '_>, view: &'a BarView, end: LineEnd) -> Vec<LineText<'a>> {
    let (quiet, credit) = (canvas.theme().quiet, view.credit.as_str());
    let is_one = view.engines.len() < 2;
    match end {
        LineEnd::Engines if !credit.is_empty() => vec![LineText::plain(credit, quiet)],
        LineEnd::Engines if is_one => vec![LineText::plain(view.lead().name.as_str(), quiet)],
        LineEnd::Engines => [EngineDetail::NamesAndMoves, EngineDetail::Names]
            .map(|detail| engines(canvas, view, detail))
            .into(),
        LineEnd::Figures => {
            let no_engine = EngineView::default();
            let engine = if is_one { view.lead() } else { &no_engine };
            let [depth, speed] = engine.stats.each_ref().map(String::as_str);
            let (name, shorter) = if credit.is_empty() {
                (engine.name.as_str(), depth)
            } else {
                (credit, credit)
            };
            let all: [&[&str]; 4] = [&[depth, speed, name], &[depth, name], &[shorter], &[name]];
            let signal = texts::signal_with_mark(engine.signal);
            all.map(|parts| LineText::plain(phrase::together(parts, canvas.style.lang), quiet).after(signal))
                .into()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EngineDetail {
    /// The names, and the best moves beside the win rates.
    NamesAndMoves,
    Names,
    /// Only engines with a win rate; of a mean, without the names.
    OthersOnly,
}

/// Returns the names of several engines. An engine that the bar does not follow alone has its win rate.
fn engines<'a>(canvas: &OverlayCanvas<'_, '_>, view: &'a BarView, detail: EngineDetail) -> LineText<'a> {
    let theme = canvas.theme();
    let is_mean = view.engines.iter().filter(|engine| engine.is_followed).count() > 1;
    let mut text = LineText::default();
    for (nth, engine) in view.engines.iter().enumerate() {
        let percent = if engine.is_followed && !is_mean {
            None
        } else {
            engine.percent
        };
        let (is_short, has_rate) = (detail == EngineDetail::OthersOnly, percent.is_some());
        let name = if is_short && (is_mean || !has_rate) {
            ""
        } else {
            engine.name.as_str()
        };
        if name.is_empty() && !has_rate {
            continue;
        }
        if !text.is_empty() {
            text.push_gap(WIDE_GAP);
        }
        text.push(phrase::number(nth), theme.quiet, false);
        text.push_gap(NARROW_GAP);
        text.push(name, theme.quiet, false);
        let Some(percent) = percent else { continue };
        let shade = ends::shade_if_stale(canvas, theme.text, engine.is_stale, ends::STALE_NUMBER_STRENGTH);
        if !name.is_empty() {
            text.push_gap(NARROW_GAP);
        }
        text.push_piece(Color::Black);
        text.push(format!("{percent}%"), shade, true);
        let best = engine
            .candidates
            .first()
            .map(|best| best.word.as_str())
            .unwrap_or_default();
        if detail == EngineDetail::NamesAndMoves && !best.is_empty() {
            text.push_gap(NARROW_GAP);
            text.push(best, shade, false);
        }
    }
    text
}

/// A text of the line: items one after another.
#[derive(Clone, Debug, Default)]
struct LineText<'a>(Vec<LineItem<'a>>);

#[derive(Clone, Debug)]
enum LineItem<'a> {
    Text {
        text: Cow<'a, str>,
        color: Color32,
        is_bold: bool,
    },
    /// The piece of a side.
    Piece(Color),
    Signal(EngineSignal),
    /// A gap, in ems.
    Gap(f32),
}

impl<'a> LineText<'a> {
    fn plain(text: impl Into<Cow<'a, str>>, color: Color32) -> Self {
        let mut plain = Self::default();
        plain.push(text, color, false);
        plain
    }

    fn joined(opening: &Self, castles: &Self) -> Self {
        let mut joined = opening.clone();
        if !opening.is_empty() && !castles.is_empty() {
            joined.push_gap(WIDE_GAP);
        }
        joined.0.extend(castles.0.iter().cloned());
        joined
    }

    fn after(mut self, signal: Option<EngineSignal>) -> Self {
        if let Some(signal) = signal {
            self.0.insert(0, LineItem::Signal(signal));
        }
        self
    }

    const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a text, unless it is empty.
    fn push(&mut self, text: impl Into<Cow<'a, str>>, color: Color32, is_bold: bool) {
        let text = text.into();
        if !text.is_empty() {
            self.0.push(LineItem::Text { text, color, is_bold });
        }
    }

    fn push_piece(&mut self, side: Color) {
        self.0.push(LineItem::Piece(side));
        self.push_gap(NARROW_GAP);
    }

    fn push_gap(&mut self, ems: f32) {
        self.0.push(LineItem::Gap(ems));
    }

    /// Returns the width in points of the screen.
    fn width(&self, canvas: &mut OverlayCanvas<'_, '_>, size: f32) -> f32 {
        self.0.iter().map(|item| item.width(canvas, size)).sum()
    }

    /// Draws the items from the left end of `bounds`. Without room for all, the longest are narrowed.
    fn draw(&self, canvas: &mut OverlayCanvas<'_, '_>, part: PartWord, size: f32, bounds: Rect) {
        let widths: Vec<_> = self.0.iter().map(|item| item.width(canvas, size)).collect();
        let max_width = max_item_width(&widths, bounds.width());
        let mut room = RemainingSpace(bounds);
        for (item, width) in self.0.iter().zip(widths) {
            item.draw(canvas, size, room.cut_left(width.min(max_width)));
        }
        let spoken = self.0.iter().map(LineItem::spoken).collect::<String>();
        canvas.add_named_part(part, spoken, bounds);
    }
}

/// Returns the width to which the longest items are narrowed so that all fit into `room`; infinite if they fit.
fn max_item_width(widths: &[f32], mut room: f32) -> f32 {
    let mut widths = widths.to_vec();
    widths.sort_by(f32::total_cmp);
    let mut count = widths.len();
    for width in widths {
        let share = room / count as f32;
        if width > share {
            return share;
        }
        room -= width;
        count -= 1;
    }
    f32::INFINITY
}

impl LineItem<'_> {
    /// Returns the text for screen readers.
    fn spoken(&self) -> &str {
        match self {
            Self::Text { text, .. } => text,
            Self::Piece(Color::Black) => "☗",
            Self::Piece(Color::White) => "☖",
            Self::Gap(_) => " ",
            // The signal has its own part.
            Self::Signal(_) => "",
        }
    }

    /// Returns the width in points of the screen.
    fn width(&self, canvas: &mut OverlayCanvas<'_, '_>, size: f32) -> f32 {
        match self {
            Self::Text { .. } => canvas.width(TextRuns::line(&[self.run()], size)) + 0.5,
            Self::Piece(_) => PIECE_SIZE.x * size * canvas.scale,
            Self::Signal(signal) => texts::signal_width(canvas, Some(*signal)),
            Self::Gap(ems) => ems * size * canvas.scale,
        }
    }

    fn draw(&self, canvas: &mut OverlayCanvas<'_, '_>, size: f32, bounds: Rect) {
        match self {
            Self::Text { .. } => {
                canvas.draw_squeezed(TextRuns::line(&[self.run()], size), size, bounds, Align::LEFT);
            }
            Self::Piece(color) => {
                let piece = Rect::from_center_size(bounds.center(), PIECE_SIZE * size * canvas.scale);
                canvas.draw_piece(piece, *color);
            }
            Self::Signal(signal) => texts::draw_signal(canvas, Some(*signal), bounds),
            Self::Gap(_) => {}
        }
    }

    /// Returns the run of a text; an empty one for other items.
    fn run(&self) -> TextRun<'_> {
        match self {
            Self::Text {
                text,
                color,
                is_bold: true,
            } => TextRun::bold(text, *color),
            Self::Text {
                text,
                color,
                is_bold: false,
            } => TextRun::regular(text, *color),
            Self::Piece(_) | Self::Signal(_) | Self::Gap(_) => TextRun::regular("", Color32::TRANSPARENT),
        }
    }
}
