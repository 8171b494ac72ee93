//! The evaluation bar, drawn from one [`BarView`] in one rectangle.
//!
//! [`draw`] does all drawing: it lays out text and returns shapes, for windows, OBS pages and picture files.
//! [`Overlay`] adds motion and screen reader names, which a picture file does not have.

mod board_page;
mod canvas;
mod chips;
mod columns;
mod context_line;
mod ends;
mod held_values;
mod layout;
mod list;
mod remaining_space;
mod rows;
mod shares;
mod strip;
mod style;
mod texts;
mod turning_card;

use super::frame_pacer::FramePacer;
use super::glide::Glide;
use crate::PartWord;
pub use board_page::{BoardPage, BoardPageForm, draw as draw_board_page};
use canvas::OverlayCanvas;
pub use canvas::{NamedPart, OverlayPicture, PlacedText};
use eframe::egui;
use egui::accesskit::Role;
use egui::epaint::text::FontsView;
use egui::{Rect, Response, Sense, Ui, Vec2, WidgetInfo};
use held_values::{HeldValues, LingeringParts, SentenceTime};
pub use layout::{comfortable_size, comfortable_size_of, minimum_size};
pub(crate) use shares::{MIN_FULL_POINT_LEAD, NOTCHES, SEAM_POINT_DISTANCE, STALE_SHARE_STRENGTH};
use shogibar_base::Lang;
use shogibar_config::{OverlayPart, OverlayPreset};
use shogibar_games::bar::{BarView, TurningCard};
use shogibar_shogi::Color;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
pub use style::{CardPlace, OverlayRows, OverlayStyle};
pub use turning_card::rects_beside as card_rects_beside;

/// The time in which the share moves to a new value of a shallow search, in seconds.
const SHALLOW_MOTION_SECONDS: f64 = 0.9;
/// The time in which the share moves to a new value of a deeper search, in seconds.
const MOTION_SECONDS: f64 = 0.2;

/// The time for which a turning point's card is shown, in seconds.
const CARD_SECONDS: f64 = shogibar_programme::CARD_TIME.as_secs_f64();
/// The time between two steps of the line on the card, in seconds.
const CARD_STEP_SECONDS: f64 = 0.2;

/// Black's share while no share is known, and in a draw.
const MIDDLE_SHARE: f32 = 0.5;

/// The bar between frames: the state of its animations.
#[derive(Debug)]
pub struct Overlay {
    held_values: HeldValues,
    lingering_parts: LingeringParts,
    /// The time for which the sentence of the position is shown on a stream.
    sentence_time: SentenceTime,
    /// Black's share in motion.
    share: Glide,
    /// Whether the last frame had a value. Without one, the share is set without motion.
    had_value: bool,
    pacer: FramePacer,
    /// The rectangle of the rows that the last frame left free; `None` if it left no rows free.
    free_rows: Option<Rect>,
    /// The rectangles of the texts of the last frame, and of the triangle of the side to move.
    text_rects: Vec<Rect>,
    /// The number of the turning point's card that is shown, and the time since which it is; `None` without a card.
    card_since: Option<(u64, f64)>,
    /// The card that the last frame has left to the window or the page.
    card_beside: Option<Arc<TurningCard>>,
}

impl Default for Overlay {
    fn default() -> Self {
        Self::new(FramePacer::Gpu)
    }
}

impl Overlay {
    /// Creates the bar before its first view.
    pub fn new(pacer: FramePacer) -> Self {
        let share = Glide::at_rest(MIDDLE_SHARE);
        Self {
            free_rows: None,
            text_rects: Vec::new(),
            held_values: HeldValues::default(),
            lingering_parts: LingeringParts::default(),
            sentence_time: SentenceTime::default(),
            share,
            had_value: false,
            pacer,
            card_since: None,
            card_beside: None,
        }
    }

    /// Returns the rectangle of the rows that the last frame left free; `None` if it left no rows free.
    pub const fn free_rows(&self) -> Option<Rect> {
        self.free_rows
    }

    /// Returns the rectangles of the texts of the last frame, and of the triangle of the side to move.
    pub fn text_rects(&self) -> &[Rect] {
        &self.text_rects
    }

    /// Returns the number of the card that the last frame has left to the window or the page; `None` without one.
    pub fn card_beside(&self) -> Option<u64> {
        self.card_beside.as_ref().map(|card| card.number)
    }

    /// Draws the card that the last frame has left to the window or the page over all of `ui`.
    pub fn show_card_beside(&self, ui: &Ui, style: &OverlayStyle) {
        let Some(card) = &self.card_beside else { return };
        let (rect, now) = (ui.max_rect(), ui.input(|input| input.time));
        let card_time = self.card_time(style, now);
        let picture = ui.fonts_mut(|fonts| draw_card(fonts, card, card_time, style, rect));
        for named in picture.named_parts {
            add_accessible_part(ui, &named, style.lang);
        }
        ui.painter().extend(picture.shapes);
    }

    /// Returns the remaining part of the time of the card, from 1 to 0; 1 without motion.
    fn card_time(&self, style: &OverlayStyle, now: f64) -> f32 {
        if !style.has_motion {
            return 1.0;
        }
        let since = self.card_since.map_or(now, |(_, since)| since);
        #[expect(clippy::cast_possible_truncation, reason = "a part from 0 to 1")]
        let remaining = (1.0 - (now - since) / CARD_SECONDS).clamp(0.0, 1.0) as f32;
        remaining
    }

    /// Notes the card of a view, and requests the frames of its line.
    fn update_card(&mut self, ui: &Ui, view: &BarView, style: &OverlayStyle, now: f64) {
        let number = view.turning_card.as_ref().map(|card| card.number);
        if self.card_since.map(|(number, _)| number) != number {
            self.card_since = number.map(|number| (number, now));
        }
        if number.is_some() && style.has_motion && self.card_time(style, now) > 0.0 {
            let step = Duration::from_secs_f64(CARD_STEP_SECONDS);
            ui.ctx()
                .request_repaint_after(step.max(self.pacer.min_frame_time()));
        }
    }

    /// Draws the view over all of `ui` and returns the response of the background, which senses clicks and drags.
    /// Requests another frame only if the picture will change without a new view: while the share moves visibly, and
    /// when held values or a sentence end.
    pub fn show(&mut self, ui: &Ui, view: &BarView, style: &OverlayStyle) -> Response {
        let now = ui.input(|input| input.time);
        // An exact picture does not show held values. They are updated nevertheless, for later frames.
        let (held, changes_in) = self.held_values.view(view, now);
        let mut shown = if style.is_exact { Cow::Borrowed(view) } else { held };
        let lingers_for = if style.is_exact {
            None
        } else {
            self.lingering_parts.add_to(&mut shown, now)
        };
        for seconds in [changes_in, lingers_for].into_iter().flatten() {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(seconds));
        }
        if style.parts.is_within(OverlayPreset::Stream) && !shown.reason.sentence.is_empty() {
            let seconds = self.sentence_time.remaining_seconds(&shown, now);
            if seconds > 0.0 {
                ui.ctx().request_repaint_after(Duration::from_secs_f64(seconds));
            } else {
                let reason = &mut shown.to_mut().reason;
                (reason.sentence, reason.short_sentence) = Default::default();
            }
        }
        let had_value = std::mem::replace(
            &mut self.had_value,
            shown.share.is_some() || shown.decided_win.is_some(),
        );
        if style.has_motion && !style.is_exact && had_value {
            let pixels = (ui.max_rect().size().max_elem() * ui.pixels_per_point()).max(1.0);
            // The first values of a search change often, so the share moves slowly.
            let duration = if shown.is_shallow {
                SHALLOW_MOTION_SECONDS
            } else {
                MOTION_SECONDS
            };
            self.share.set_target(
                final_share(&shown),
                self.pacer.min_motion_pixels() / pixels,
                duration,
                now,
            );
        } else {
            self.share = Glide::at_rest(final_share(&shown));
        }
        if !self.share.is_at_rest(now) {
            let until = Duration::from_secs_f64(self.share.seconds_to_next_step(now));
            ui.ctx()
                .request_repaint_after(self.pacer.min_frame_time().max(until));
            shown
                .to_mut()
                .show_moving_share(self.share.value_at(now), style.lang);
        }
        let rect = ui.max_rect();
        let visible = style.visible_view(&shown);
        self.update_card(ui, &visible, style, now);
        let (share, card_time) = (self.share.value_at(now), self.card_time(style, now));
        let picture = ui.fonts_mut(|fonts| draw_visible(fonts, &visible, (share, card_time), style, rect));
        self.free_rows = picture.free_rows;
        self.card_beside = visible.turning_card.filter(|_| !picture.has_card);
        let triangles = picture
            .named_parts
            .iter()
            .filter(|named| named.part == PartWord::ToMove)
            .map(|named| named.rect);
        self.text_rects = picture
            .texts
            .iter()
            .map(|text| text.ink)
            .chain(triangles)
            .collect();
        let background = ui.interact(rect, ui.scope_id().with("bar"), Sense::click_and_drag());
        background.widget_info(|| WidgetInfo::labeled(Role::Pane, true, PartWord::Bar.text(style.lang)));
        for named in picture.named_parts {
            add_accessible_part(ui, &named, style.lang);
        }
        ui.painter().extend(picture.shapes);
        let remarks = remarks(view);
        if remarks.is_empty() {
            background
        } else {
            background.on_hover_text_at_pointer(remarks)
        }
    }
}

/// Returns the remarks about the engines' win rates, a line for each engine.
fn remarks(view: &BarView) -> String {
    let engines = view.engines.iter().filter(|engine| !engine.remark.is_empty());
    engines
        .map(|engine| format!("{}: {}", engine.name, engine.remark))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Draws the view into `rect` with `share` as Black's share.
pub fn draw(
    fonts: &mut FontsView<'_>,
    view: &BarView,
    share: f32,
    style: &OverlayStyle,
    rect: Rect,
) -> OverlayPicture {
    draw_visible(fonts, &style.visible_view(view), (share, 1.0), style, rect)
}

/// Draws a view that has only the visible parts. `card_time` is the remaining part of the time of its card, from 1 to 0.
fn draw_visible(
    fonts: &mut FontsView<'_>,
    view: &BarView,
    (share, card_time): (f32, f32),
    style: &OverlayStyle,
    rect: Rect,
) -> OverlayPicture {
    let mut canvas = OverlayCanvas::new(fonts, style);
    canvas.card_time = card_time;
    layout::draw(&mut canvas, view, share, rect);
    canvas.picture
}

/// Draws the card of a turning point beside the bar into `rect`. `card_time` is the remaining part of its time, from 1
/// to 0.
pub fn draw_card(
    fonts: &mut FontsView<'_>,
    card: &TurningCard,
    card_time: f32,
    style: &OverlayStyle,
    rect: Rect,
) -> OverlayPicture {
    let mut canvas = OverlayCanvas::new(fonts, style);
    canvas.card_time = card_time;
    turning_card::draw_panel(&mut canvas, card, rect);
    canvas.picture
}

/// Returns the size of a view's card beside a bar in a window of this size, in points; `None` without a card.
pub fn card_size_beside(view: &BarView, style: &OverlayStyle, window: Vec2) -> Option<Vec2> {
    let is_shown = style.shows(OverlayPart::TurningCard) && style.shows_numbers();
    let card = view.turning_card.as_ref().filter(|_| is_shown)?;
    Some(turning_card::size_beside(
        window,
        card,
        f32::from(style.min_font_size),
    ))
}

/// Returns Black's share at the end of the motion, from 0 to 1.
pub fn final_share(view: &BarView) -> f32 {
    match &view.decided_win {
        Some(decided) => match decided.winner {
            Some(Color::Black) => 1.0,
            Some(Color::White) => 0.0,
            None => MIDDLE_SHARE,
        },
        None => view
            .share
            .filter(|share| share.is_finite())
            .unwrap_or(MIDDLE_SHARE)
            .clamp(0.0, 1.0),
    }
}

/// Adds the label and the text of a part for screen readers.
fn add_accessible_part(ui: &Ui, named: &NamedPart, lang: Lang) {
    let NamedPart {
        part,
        engine,
        value,
        rect,
    } = named;
    let id = ui.scope_id().with((part, engine));
    ui.interact(*rect, id, Sense::hover()).widget_info(|| {
        let label = engine.map_or_else(
            || part.text(lang).into_owned(),
            |engine| part.for_engine(engine, lang),
        );
        let mut info = WidgetInfo::labeled(Role::Paragraph, true, label);
        info.current_text_value = Some(value.clone());
        info
    });
}
