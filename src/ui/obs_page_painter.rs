//! The bar on an OBS page: laid out as in a window, and sent as a [`DisplayList`].

use super::display_list::{DisplayList, ObsPageFonts};
use super::fonts::{self, FontChoice};
use super::overlay::{self, BoardPage, BoardPageForm, CardPlace, Overlay, OverlayStyle};
use crate::theme;
use eframe::egui;
use egui::{Context, Pos2, RawInput, Rect, Ui, UiBuilder, Vec2, ViewportId, vec2};
use shogibar_base::Lang;
use shogibar_config::{DigitFont, OverlayParts, Rgba, Settings, Theme};
use shogibar_games::bar::BarView;
use shogibar_model::pages::options::ObsPageOptions;
use shogibar_programme::BoardPageContent;
use std::time::Duration;

/// Returns the style of a bar on an OBS page. `find` returns the theme of this name, with the name as it is stored.
pub fn obs_page_style(
    options: &ObsPageOptions,
    overlay: &shogibar_config::OverlaySettings,
    parts: &OverlayParts,
    find: impl Fn(&str) -> Option<(String, Theme<Rgba>)>,
    lang: Lang,
) -> OverlayStyle {
    // On an OBS page, the area around the bar is transparent, as in the default settings.
    let mut settings = Settings::default();
    (settings.overlay, settings.parts) = (overlay.clone(), parts.clone());
    options.apply(&mut settings);
    let chosen = options.theme.as_deref().and_then(&find);
    // The side colours of the user's settings belong to the theme of the settings, not to another one.
    let has_user_colors = chosen.as_ref().is_none_or(|(name, _)| *name == overlay.theme);
    let theme = match chosen.or_else(|| find(&overlay.theme)) {
        Some((_, theme)) if has_user_colors => {
            theme::for_obs_page(theme.with_sides(overlay.black, overlay.white))
        }
        Some((_, theme)) => theme::for_obs_page(theme),
        None => theme::ink(),
    };
    let style = OverlayStyle::from_settings(&settings, theme, options.lang.unwrap_or(lang));
    OverlayStyle {
        min_font_size: options.min_font_size(),
        ..style
    }
}

/// Lays out bars for OBS pages.
#[derive(Debug)]
pub struct ObsPagePainter {
    ctx: Context,
    /// The typeface of the digits of win rates.
    digits: DigitFont,
}

impl ObsPagePainter {
    /// Creates a painter with the fonts of the windows.
    pub fn with_fonts(choice: &FontChoice) -> Self {
        let ctx = Context::default();
        fonts::install(&ctx, choice);
        Self {
            ctx,
            digits: choice.digits,
        }
    }

    /// Returns the picture of a bar of this size at `now`, in seconds, and the time until the picture changes by
    /// itself; `None` if it does not. The time must not go back between calls. `page` is the rectangle of the page,
    /// whose origin is the left upper corner of the bar: a turning point's card may be beside the bar.
    pub fn paint(
        &self,
        overlay: &mut Overlay,
        view: &BarView,
        style: &OverlayStyle,
        size: Vec2,
        page: Rect,
        now: f64,
    ) -> (DisplayList, Option<Duration>) {
        let bar = Rect::from_min_size(Pos2::ZERO, size);
        let card_size = overlay::card_size_beside(view, style, size);
        let card = card_size.and_then(|card| {
            let places = overlay::card_rects_beside(bar, card).map(|place| beside(bar, place, page));
            places.into_iter().find(|place| page.contains_rect(*place))
        });
        let place = if card.is_some() {
            CardPlace::Beside
        } else {
            CardPlace::InLine
        };
        let style = &OverlayStyle {
            card_place: place,
            ..style.clone()
        };
        self.paint_page(bar, now, |ui| {
            _ = overlay.show(ui, view, style);
            if let Some(card) = card
                && overlay.card_beside().is_some()
            {
                overlay.show_card_beside(&ui.new_child(UiBuilder::new().max_rect(card)), style);
            }
        })
    }

    /// Returns the picture of a board page of this size, as [`paint`](Self::paint) does that of a bar.
    pub fn paint_board(
        &self,
        board: &mut BoardPage,
        content: &BoardPageContent,
        (style, form): (&OverlayStyle, BoardPageForm),
        size: Vec2,
        now: f64,
    ) -> (DisplayList, Option<Duration>) {
        let page = Rect::from_min_size(Pos2::ZERO, size);
        self.paint_page(page, now, |ui| board.show(ui, content, style, form))
    }

    fn paint_page(&self, rect: Rect, now: f64, draw: impl FnMut(&mut Ui)) -> (DisplayList, Option<Duration>) {
        let input = RawInput {
            screen_rect: Some(rect),
            time: Some(now),
            // The glyph atlas has room for many large glyphs.
            max_texture_side: Some(8192),
            ..RawInput::default()
        };
        let mut output = self.ctx.run_ui(input, draw);
        // The page draws texts itself, so the textures of the glyphs are not needed.
        output.textures_delta.clear();
        let delay = output
            .viewport_output
            .get(&ViewportId::ROOT)
            .map(|viewport| viewport.repaint_delay);
        let list = DisplayList::from_shapes(
            output.shapes.iter().map(|clipped| &clipped.shape),
            ObsPageFonts::Same(self.digits),
        );
        (list, delay.filter(|delay| *delay < Duration::MAX))
    }

    /// Returns the visible texts that a window of this size would have.
    #[cfg(test)]
    pub(super) fn texts(&self, view: &BarView, style: &OverlayStyle, size: Vec2) -> Vec<String> {
        let (mut texts, rect) = (Vec::new(), Rect::from_min_size(Pos2::ZERO, size));
        let mut output = self.ctx.run_ui(
            RawInput {
                screen_rect: Some(rect),
                ..RawInput::default()
            },
            |ui| {
                let share = super::overlay::final_share(view);
                let picture = ui.fonts_mut(|fonts| super::overlay::draw(fonts, view, share, style, rect));
                texts = picture
                    .texts
                    .into_iter()
                    .filter(|text| !text.is_elided)
                    .map(|text| text.text)
                    .collect();
            },
        );
        output.textures_delta.clear();
        texts
    }
}

/// Moves a rectangle at the side of a bar up or down into the page. Another rectangle is returned unchanged.
fn beside(bar: Rect, place: Rect, page: Rect) -> Rect {
    if place.x_range().intersects(bar.x_range()) {
        return place;
    }
    let lowest = (page.bottom() - place.height()).max(page.top());
    place.translate(vec2(0.0, place.top().clamp(page.top(), lowest) - place.top()))
}

#[cfg(test)]
mod tests;
