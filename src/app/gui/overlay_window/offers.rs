//! The offers in place of the candidates. They are the first steps on an untouched bar, or a question about a board on
//! the screen. The question comes if the screen does not show the whole position. And the button of the menu below the
//! pointer.

use crate::config::Command;
use crate::text::source::{BoardDoubt, board_doubt};
use crate::text::{Lang, StartOffer};
use crate::ui::access::name;
use crate::ui::overlay::OverlayStyle;
use eframe::egui;
use egui::{Align, Button, Layout, Rect, RichText, TextStyle, Ui, UiBuilder, Vec2, pos2, vec2};

/// The gaps between the offers, in points.
const GAPS: Vec2 = vec2(10.0, 6.0);
/// The margins inside an offer, in points.
const PADDING: Vec2 = vec2(10.0, 6.0);

/// The size of the menu's button, in points.
const BUTTON: Vec2 = vec2(26.0, 18.0);
/// The position of the menu's button along the upper edge, as a fraction of the width. It lies between the middle and
/// the name on the right.
const ALONG: f32 = 0.645;
/// The minimum size of a bar that has the button, in points.
const MIN_BAR_SIZE: Vec2 = vec2(560.0, 64.0);

/// Decides whether a bar offers the first steps: only until the user has used the bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StartOffers {
    is_over: bool,
}

/// Which buttons the bar offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarOffers {
    /// The first steps.
    Start,
    /// To enter the data that the board on the screen does not show.
    Correction(BoardDoubt),
}

/// The button that the user has pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    Command(Command),
    Menu,
}

impl StartOffers {
    /// Ends the offers: the user has acted, or there is a game.
    pub(super) const fn end(&mut self) {
        self.is_over = true;
    }

    /// Whether there are offers to show.
    pub(super) const fn are_shown(self) -> bool {
        !self.is_over
    }
}

/// Returns an area of the bar for widgets. They cover the bar's background, which receives the clicks beside them.
fn on_bar(ui: &Ui, rect: Rect, salt: &str) -> Ui {
    Ui::new(ui.ctx().clone(), ui.scope_id().with(salt), UiBuilder::new().layer_id(ui.layer_id()).max_rect(rect))
}

/// Returns the words before the offers, and the offers.
fn words(offered: BarOffers, lang: Lang) -> (&'static str, Vec<(&'static str, Offer)>) {
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
        BarOffers::Correction(doubt) => {
            (board_doubt(doubt, lang), vec![of(StartOffer::Correct, Offer::Command(Command::CorrectBoard))])
        }
    }
}

/// Shows the offers in a rectangle. Returns the chosen one.
pub(super) fn show(ui: &Ui, rect: Rect, offered: BarOffers, style: &OverlayStyle) -> Option<Offer> {
    let (text, offers) = words(offered, style.lang);
    let mut ui = on_bar(ui, rect, "offers");
    ui.spacing_mut().item_spacing = GAPS;
    ui.spacing_mut().button_padding = PADDING;
    let font = TextStyle::Button.resolve(ui.style());
    let color = style.theme.text;
    let width = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), color).size().x;
    let text_width = if text.is_empty() { 0.0 } else { width(text) + GAPS.x };
    let widths = text_width + offers.iter().map(|(text, _)| width(text) + 2.0 * PADDING.x + GAPS.x).sum::<f32>();
    ui.add_space((rect.height() / 2.0 - PADDING.y * 2.0 - font.size / 2.0).max(0.0));
    let layout = Layout::left_to_right(Align::Center).with_main_wrap(true);
    let row = ui.with_layout(layout, |ui| {
        ui.add_space(((rect.width() - widths) / 2.0).max(0.0));
        if !text.is_empty() {
            ui.label(RichText::new(text).color(color));
        }
        let shown = offers.into_iter().filter_map(|(text, choice)| {
            ui.add(Button::new(RichText::new(text).color(color))).clicked().then_some(choice)
        });
        // All offers are shown; one at most is clicked.
        shown.last()
    });
    row.inner
}

/// Shows the button of the menu while the pointer is on the bar. Returns whether it was clicked.
pub(super) fn menu_button(ui: &Ui, bar: Rect, lang: Lang) -> bool {
    if !ui.input(|input| input.pointer.hover_pos().is_some_and(|at| bar.contains(at))) {
        return false;
    }
    // On a smaller bar the button would cover the contents, so it is left out. A right click opens the menu there.
    if bar.height() < MIN_BAR_SIZE.y || bar.width() < MIN_BAR_SIZE.x {
        return false;
    }
    let at = pos2(bar.left() + bar.width() * ALONG, bar.top() + 4.0);
    let mut ui = on_bar(ui, Rect::from_min_size(at, BUTTON), "menu button");
    let button = ui.add(Button::new("⋯").min_size(BUTTON));
    name(&button, StartOffer::Menu.text(lang));
    button.clicked()
}
