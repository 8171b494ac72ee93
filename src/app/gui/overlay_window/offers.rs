//! The offers in place of the candidates, and the button of the menu while the pointer is on the bar. An untouched bar
//! offers the first steps. If the screen does not show the whole position, the bar offers to correct it.

use eframe::egui;
use egui::{Align, Button, Layout, Rangef, Rect, RichText, TextStyle, Ui, UiBuilder, Vec2, pos2, vec2};
use shogibar_base::Lang;
use shogibar_config::Command;
use shogibar_shogi::BoardDoubt;
use shogibar_ui::access::set_accessible_label;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::window_text::StartOffer;

/// The gaps between the offers, in points.
const OFFER_GAPS: Vec2 = vec2(10.0, 6.0);
/// The margins inside an offer, in points.
const OFFER_PADDING: Vec2 = vec2(10.0, 6.0);

/// The size of the menu's button, in points.
const MENU_BUTTON_SIZE: Vec2 = vec2(26.0, 22.0);
/// The minimum distance of the menu's button to a text, in points.
const MIN_TEXT_DISTANCE: f32 = 6.0;
/// The usual position of the menu's button along the upper edge, as a fraction of the width. It lies between the middle
/// and the name on the right.
const MENU_BUTTON_X_SHARE: f32 = 0.645;
/// The minimum size of a bar that has the button, in points.
const MIN_BAR_SIZE: Vec2 = vec2(560.0, 64.0);

/// Decides whether a bar offers the first steps: only until the user has used the bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StartOffers {
    is_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarOffers {
    /// The first steps.
    Start,
    /// The button for entering the data that the board on the screen does not show.
    Correction(BoardDoubt),
}

/// A button that the bar offers, by its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// Runs the command.
    Command(Command),
    /// Opens the menu.
    Menu,
}

impl StartOffers {
    /// Ends the offers: the user has acted, or there is a game.
    pub(super) const fn end(&mut self) {
        self.is_over = true;
    }

    pub(super) const fn are_shown(self) -> bool {
        !self.is_over
    }
}

/// Returns an area of the bar for widgets. The bar's background receives the clicks beside the widgets. A widget that
/// is larger than the area is not cut.
fn bar_area(ui: &Ui, rect: Rect, salt: &str) -> Ui {
    let builder = UiBuilder::new().layer_id(ui.layer_id()).max_rect(rect);
    let mut area = Ui::new(ui.ctx().clone(), ui.scope_id().with(salt), builder);
    area.set_clip_rect(ui.clip_rect());
    area
}

fn offer_texts(offered: BarOffers, lang: Lang) -> (&'static str, Vec<(&'static str, Offer)>) {
    let of = |offer: StartOffer, choice| (offer.text(lang), choice);
    match offered {
        BarOffers::Start => (
            "",
            vec![
                of(StartOffer::Open, Offer::Command(Command::Open)),
                of(StartOffer::ReadScreen, Offer::Command(Command::ReadScreen)),
                of(StartOffer::Obs, Offer::Command(Command::Obs)),
                of(StartOffer::Menu, Offer::Menu),
            ],
        ),
        BarOffers::Correction(doubt) => (
            doubt.text(lang),
            vec![of(StartOffer::Correct, Offer::Command(Command::CorrectBoard))],
        ),
    }
}

/// Shows the offers in a rectangle. Returns the chosen one.
pub(super) fn show(ui: &Ui, rect: Rect, offered: BarOffers, style: &OverlayStyle) -> Option<Offer> {
    let (text, offers) = offer_texts(offered, style.lang);
    let mut ui = bar_area(ui, rect, "offers");
    ui.spacing_mut().item_spacing = OFFER_GAPS;
    ui.spacing_mut().button_padding = OFFER_PADDING;
    let font = TextStyle::Button.resolve(ui.style());
    let color = style.theme.text;
    let width = |text: &str| {
        ui.painter()
            .layout_no_wrap(text.to_owned(), font.clone(), color)
            .size()
            .x
    };
    let text_width = if text.is_empty() {
        0.0
    } else {
        width(text) + OFFER_GAPS.x
    };
    let widths = text_width
        + offers
            .iter()
            .map(|(text, _)| width(text) + 2.0 * OFFER_PADDING.x + OFFER_GAPS.x)
            .sum::<f32>();
    ui.add_space((rect.height() / 2.0 - OFFER_PADDING.y * 2.0 - font.size / 2.0).max(0.0));
    let layout = Layout::left_to_right(Align::Center).with_main_wrap(true);
    let row = ui.with_layout(layout, |ui| {
        ui.add_space(((rect.width() - widths) / 2.0).max(0.0));
        if !text.is_empty() {
            ui.label(RichText::new(text).color(color));
        }
        let shown = offers.into_iter().filter_map(|(text, choice)| {
            ui.add(Button::new(RichText::new(text).color(color)))
                .clicked()
                .then_some(choice)
        });
        // `last` shows all offers, of which at most one is clicked.
        shown.last()
    });
    row.inner
}

/// Shows the button of the menu while the pointer is on the bar, beside the bar's texts. Returns whether it was
/// clicked.
pub(super) fn show_menu_button(ui: &Ui, bar: Rect, texts: &[Rect], lang: Lang) -> bool {
    if !ui.input(|input| input.pointer.hover_pos().is_some_and(|at| bar.contains(at))) {
        return false;
    }
    // On a smaller bar the button would cover the contents, so it is left out. A right click opens the menu there.
    if bar.height() < MIN_BAR_SIZE.y || bar.width() < MIN_BAR_SIZE.x {
        return false;
    }
    let mut ui = bar_area(ui, button_rect(bar, texts), "menu button");
    let button = ui.add(Button::new("⋯").min_size(MENU_BUTTON_SIZE));
    set_accessible_label(&button, StartOffer::Menu.text(lang));
    button.clicked()
}

/// Returns the rectangle of the menu's button: as near to its usual position as the texts allow, or at its usual
/// position if they leave no room.
fn button_rect(bar: Rect, texts: &[Rect]) -> Rect {
    let (usual, top) = (bar.left() + bar.width() * MENU_BUTTON_X_SHARE, bar.top() + 4.0);
    let rows = Rangef::new(top, top + MENU_BUTTON_SIZE.y);
    let texts = texts.iter().filter(|text| text.y_range().intersects(rows));
    let taken: Vec<_> = texts
        .map(|text| text.x_range().expand(MIN_TEXT_DISTANCE))
        .collect();
    let is_free = |left: &f32| {
        let button = Rangef::new(*left, left + MENU_BUTTON_SIZE.x);
        button.min >= bar.left()
            && button.max <= bar.right()
            && !taken.iter().any(|text| text.intersects(button.shrink(0.5)))
    };
    let beside = taken
        .iter()
        .flat_map(|text| [text.min - MENU_BUTTON_SIZE.x, text.max]);
    let free = std::iter::once(usual).chain(beside).filter(is_free);
    let left = free
        .min_by(|one, other| (one - usual).abs().total_cmp(&(other - usual).abs()))
        .unwrap_or(usual);
    Rect::from_min_size(pos2(left, top), MENU_BUTTON_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_menu_s_button_touches_no_text() {
        let bar = Rect::from_min_size(pos2(0.0, 0.0), vec2(838.0, 277.0));
        let text =
            |left: f32, right: f32, top: f32| Rect::from_min_max(pos2(left, top), pos2(right, top + 16.0));
        let left = |texts: &[Rect]| button_rect(bar, texts).left().round();
        assert!((left(&[]) - 541.0).abs() < 1.0);
        // A text of another row is no matter.
        assert!((left(&[text(500.0, 800.0, 60.0)]) - 541.0).abs() < 1.0);
        let clock = text(560.0, 800.0, 12.0);
        assert!((left(&[text(380.0, 450.0, 12.0), clock]) - 528.0).abs() < 1.0);
        assert!(
            (left(&[text(380.0, 530.0, 12.0), clock]) - 348.0).abs() < 1.0,
            "there is no room between them"
        );
        assert!((left(&[text(0.0, 838.0, 12.0)]) - 541.0).abs() < 1.0);
    }
}
