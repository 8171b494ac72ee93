//! The appearance of the bar in OBS: a choice with a live preview, and the address to copy.

use super::{SettingsAction, SettingsFrame};
use crate::access::set_accessible_label;
use crate::overlay::{self, OverlayStyle};
use crate::{copied, obs_page_style, theme};
use eframe::egui;
use egui::emath::TSTransform;
use egui::{
    Button, ComboBox, CornerRadius, Mesh, Rect, RichText, Role, Sense, Stroke, StrokeKind, TextEdit, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_config::settings_text::{self, SettingItem};
use shogibar_config::{Layout, OverlayPreset, SecondNames};
use shogibar_games::bar::BarView;
use shogibar_model::pages::options::ObsPageOptions;
use shogibar_model::pages::sample;
use shogibar_model::pages_text::{self, ObsCorner, ObsSize, ObsWord};
use std::time::Duration;

/// The size of the OBS canvas in the preview, in the points of that canvas.
const CANVAS_SIZE: Vec2 = vec2(1920.0, 1080.0);
/// The width of the preview, in points.
const PREVIEW_WIDTH: f32 = 464.0;
/// The width of the preview of each layout, in points.
const TILE_WIDTH: f32 = 104.0;
/// The width of the field of a second name, in points.
const NAME_WIDTH: f32 = 160.0;
/// The width of a square of the check pattern behind the bar, in points.
const CHECK_SQUARE_WIDTH: f32 = 8.0;
/// The maximum time between the request of an address and its copy, in seconds.
const MAX_ADDRESS_WAIT_SECONDS: f64 = 5.0;
/// The time since the start of the sample game in the previews, in seconds. Some moves are played by then.
const SAMPLE_SECONDS: u64 = 50;

/// The user's choices, until the settings page is closed.
#[derive(Debug)]
pub(super) struct ObsPicker {
    /// The chosen appearance.
    options: ObsPageOptions,
    /// The fields of the second names of Black and White.
    names: [NameField; 2],
    /// The contents of the previews, with their language; `None` before the first frame.
    sample: Option<(Lang, BarView)>,
    /// The time at which the user requested the address, in seconds of the window's clock. The address is copied when
    /// it becomes known; `None` if none is requested.
    address_requested_at: Option<f64>,
}

/// A field for the second name of a player.
#[derive(Debug, Default)]
struct NameField {
    player: String,
    typed: String,
}

impl NameField {
    /// Draws the field. The name is stored once its entry is completed: a page may be on air.
    fn show(&mut self, ui: &mut Ui, player: &str, names: &mut SecondNames, lang: Lang) {
        let stored = names.get(player).unwrap_or_default();
        ui.label(player);
        let id = ui.make_persistent_id(("second name", player));
        let is_typing = ui.memory(|memory| memory.has_focus(id));
        if self.player != player || !is_typing && self.typed != stored {
            (self.player, self.typed) = (player.to_owned(), stored.to_owned());
        }
        let hint = pages_text::sample_players(Lang::En)[0];
        let field = ui.add(
            TextEdit::singleline(&mut self.typed)
                .id(id)
                .desired_width(NAME_WIDTH)
                .hint_text(hint),
        );
        set_accessible_label(&field, &format!("{}: {player}", ObsWord::SecondNames.text(lang)));
        if field.lost_focus() {
            names.set(player, &self.typed);
        }
        ui.add_space(6.0);
    }
}

impl Default for ObsPicker {
    fn default() -> Self {
        Self {
            options: ObsPageOptions::for_obs(),
            names: Default::default(),
            sample: None,
            address_requested_at: None,
        }
    }
}

impl ObsPicker {
    /// Shows the previews, the choices and the buttons.
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
        let lang = self.options.lang.unwrap_or(frame.lang);
        self.sample.take_if(|(known, _)| *known != lang);
        let sample = self
            .sample
            .get_or_insert_with(|| (lang, sample::sample(SAMPLE_SECONDS, lang)))
            .1
            .clone();
        let width = PREVIEW_WIDTH.min(ui.available_width());
        self.show_preview(ui, frame, &sample, width);
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            for layout in Layout::ALL.iter().copied() {
                self.show_tile(ui, frame, &sample, layout);
            }
        });
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| self.show_choices(ui, frame));
        if self.options.has_second_names {
            self.show_names(ui, frame);
        }
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| self.show_buttons(ui, frame));
    }

    /// Draws the bar as it will be on the canvas.
    fn show_preview(&self, ui: &mut Ui, frame: &SettingsFrame<'_>, sample: &BarView, width: f32) {
        let (rect, response) = ui.allocate_exact_size(CANVAS_SIZE * (width / CANVAS_SIZE.x), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, ObsWord::Preview.text(frame.lang)));
        draw_canvas(ui, frame, sample, &self.options, rect);
    }

    /// Draws the preview of a layout. A click chooses the layout.
    fn show_tile(&mut self, ui: &mut Ui, frame: &SettingsFrame<'_>, sample: &BarView, layout: Layout) {
        let is_chosen = self.options.layout == Some(layout);
        ui.vertical(|ui| {
            ui.set_width(TILE_WIDTH);
            let (rect, tile) =
                ui.allocate_exact_size(CANVAS_SIZE * (TILE_WIDTH / CANVAS_SIZE.x), Sense::click());
            let text = settings_text::layout(layout, frame.lang);
            let label = format!("{}: {text}", SettingItem::ObsStyle.label(frame.lang));
            tile.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, label.as_str()));
            let options = ObsPageOptions {
                layout: Some(layout),
                ..self.options.clone()
            };
            draw_canvas(ui, frame, sample, &options, rect);
            let color = if is_chosen || tile.has_focus() {
                frame.theme.accent
            } else {
                frame.theme.separator
            };
            let stroke = Stroke::new(if is_chosen { 2.5 } else { 1.0 }, color);
            ui.painter()
                .rect_stroke(rect, CornerRadius::same(4), stroke, StrokeKind::Outside);
            ui.label(RichText::new(text).size(12.5));
            if tile.clicked() {
                self.options.layout = Some(layout);
            }
        });
    }

    /// Draws the choices other than the layout.
    fn show_choices(&mut self, ui: &mut Ui, frame: &SettingsFrame<'_>) {
        let lang = frame.lang;
        let theme_text = |chosen: Option<&str>| match chosen {
            Some(chosen) => settings_text::theme(chosen, lang).to_owned(),
            None => ObsWord::AsSet.text(lang).to_owned(),
        };
        let themes = frame.view.themes.iter().map(|entry| Some(entry.name.clone()));
        let themes: Vec<_> = std::iter::once(None).chain(themes).collect();
        show_choice(
            ui,
            ObsWord::Theme.text(lang),
            &themes,
            &mut self.options.theme,
            |theme| theme_text(theme.as_deref()),
        );
        let presets = [Some(OverlayPreset::Stream), None].map(Some);
        let mut preset = Some(self.options.preset);
        show_choice(
            ui,
            ObsWord::Parts.text(lang),
            &presets,
            &mut preset,
            |preset| match preset.flatten() {
                Some(preset) => settings_text::preset(preset, lang).to_owned(),
                None => ObsWord::AsSet.text(lang).to_owned(),
            },
        );
        self.options.preset = preset.flatten();
        let scales: Vec<_> = ObsSize::ALL.iter().map(|size| size.scale()).collect();
        show_choice(
            ui,
            ObsWord::Size.text(lang),
            &scales,
            &mut self.options.scale,
            |scale| {
                let known = ObsSize::ALL.into_iter().find(|size| size.scale() == *scale);
                known.map_or_else(String::new, |size| size.text(lang).to_owned())
            },
        );
        let corners: Vec<_> = std::iter::once(None).chain(ObsCorner::ALL.map(Some)).collect();
        show_choice(
            ui,
            ObsWord::Corner.text(lang),
            &corners,
            &mut self.options.corner,
            |corner| {
                corner
                    .map_or(ObsWord::AsLaidOut.text(lang), |corner| corner.text(lang))
                    .to_owned()
            },
        );
        let langs = [None, Some(Lang::Ja), Some(Lang::En)];
        show_choice(
            ui,
            ObsWord::Language.text(lang),
            &langs,
            &mut self.options.lang,
            |chosen| {
                let word = match chosen {
                    None => ObsWord::AsSet,
                    Some(Lang::Ja) => ObsWord::Japanese,
                    Some(Lang::En) => ObsWord::English,
                };
                word.text(lang).to_owned()
            },
        );
        let names = [false, true];
        show_choice(
            ui,
            ObsWord::Names.text(lang),
            &names,
            &mut self.options.has_second_names,
            |second| {
                if *second {
                    ObsWord::SecondNames
                } else {
                    ObsWord::FirstNames
                }
                .text(lang)
                .to_owned()
            },
        );
        let sides = [None, Some(false), Some(true)];
        show_choice(
            ui,
            ObsWord::Side.text(lang),
            &sides,
            &mut self.options.is_swapped,
            |swapped| {
                let word = match swapped {
                    None => ObsWord::AsSet,
                    Some(false) => ObsWord::BlackLeft,
                    Some(true) => ObsWord::WhiteLeft,
                };
                word.text(lang).to_owned()
            },
        );
        ui.checkbox(
            &mut self.options.hides_when_lost,
            ObsWord::HidesWhenLost.text(lang),
        );
    }

    /// Draws a field for the second name of each player of the current game.
    fn show_names(&mut self, ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
        let lang = frame.lang;
        let players = &frame.view.pages.players;
        if players.iter().all(String::is_empty) {
            return frame.show_line(ui, Ok(ObsWord::NoPlayers.text(lang)));
        }
        ui.horizontal_wrapped(|ui| {
            for (player, field) in players
                .iter()
                .zip(&mut self.names)
                .filter(|(player, _)| !player.is_empty())
            {
                field.show(ui, player, &mut frame.settings.second_names, lang);
            }
        });
        frame.show_line(ui, Ok(ObsWord::SecondNamesHint.text(lang)));
    }

    /// Draws the buttons that copy and open the address. Copying switches the OBS pages on.
    fn show_buttons(&mut self, ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
        let (lang, url) = (frame.lang, frame.view.pages.url.as_str());
        let address = |more: &str| format!("{url}overlay?{}{more}", self.options.query());
        let text = RichText::new(ObsWord::Copy.text(lang)).color(frame.theme.card);
        let copy = ui.add(Button::new(text).fill(frame.theme.accent));
        let now = ui.input(|input| input.time);
        if copy.clicked() {
            frame.settings.obs.is_on = true;
            self.address_requested_at = Some(now);
        }
        let watch = ui.add_enabled(!url.is_empty(), Button::new(ObsWord::Watch.text(lang)));
        if watch.clicked() {
            frame.actions.push(SettingsAction::Browse(address("&test=1")));
        }
        // An address that becomes known late is not copied, because the clipboard may have other content by then.
        self.address_requested_at
            .take_if(|asked| now - *asked > MAX_ADDRESS_WAIT_SECONDS || !frame.view.pages.problem.is_empty());
        if self.address_requested_at.is_some() && !url.is_empty() {
            copied::copy(ui, ObsWord::Copy.text(lang), address(""));
            self.address_requested_at = None;
        }
        if self.address_requested_at.is_some() {
            // The server starts on another thread, so the address is checked again soon.
            ui.ctx().request_repaint_after(Duration::from_millis(50));
        }
        copied::show_mark(ui, ObsWord::Copy.text(lang), frame.theme.accent, lang);
    }
}

/// Shows a choice as a list that drops down.
fn show_choice<T: Clone + PartialEq>(
    ui: &mut Ui,
    label: &str,
    all: &[T],
    chosen: &mut T,
    text: impl Fn(&T) -> String,
) {
    ui.label(label);
    let list = ComboBox::from_id_salt(label).selected_text(text(chosen));
    let shown = list.show_ui(ui, |ui| {
        for one in all {
            ui.selectable_value(chosen, one.clone(), text(one));
        }
    });
    set_accessible_label(&shown.response, label);
    ui.add_space(6.0);
}

fn draw_canvas(ui: &Ui, frame: &SettingsFrame<'_>, sample: &BarView, options: &ObsPageOptions, rect: Rect) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    draw_check_pattern(&painter, rect);
    let options = ObsPageOptions {
        size: CANVAS_SIZE.into(),
        ..options.clone()
    };
    let style = page_style(frame, &options);
    let natural = overlay::comfortable_size_of(style.layout, sample);
    let [at, size] = options.geometry(style.layout, natural.into());
    let bar = Rect::from_min_size(pos2(at[0], at[1]), size.into());
    let sample = &*options.named_view(sample, &sample::second_names());
    let picture =
        ui.fonts_mut(|fonts| overlay::draw(fonts, sample, overlay::final_share(sample), &style, bar));
    let scale = rect.width() / CANVAS_SIZE.x;
    let transform = TSTransform::new(rect.min.to_vec2(), scale);
    for mut shape in picture.shapes {
        shape.transform(transform);
        painter.add(shape);
    }
}

/// Draws the check pattern, which stands for the picture behind the bar.
fn draw_check_pattern(painter: &egui::Painter, rect: Rect) {
    let [light, dark] = theme::CHECK_COLORS;
    let mut checks = Mesh::default();
    checks.add_colored_rect(rect, light);
    let (columns, rows) = (
        (rect.width() / CHECK_SQUARE_WIDTH).ceil(),
        (rect.height() / CHECK_SQUARE_WIDTH).ceil(),
    );
    let mut row = 0.0;
    while row < rows {
        let mut column = row % 2.0;
        while column < columns {
            let at = rect.min + vec2(column, row) * CHECK_SQUARE_WIDTH;
            checks.add_colored_rect(Rect::from_min_size(at, Vec2::splat(CHECK_SQUARE_WIDTH)), dark);
            column += 2.0;
        }
        row += 1.0;
    }
    painter.add(checks);
}

fn page_style(frame: &SettingsFrame<'_>, options: &ObsPageOptions) -> OverlayStyle {
    obs_page_style(
        options,
        &frame.settings.overlay,
        &frame.settings.parts,
        |name: &str| {
            let entry = frame.view.themes.iter().find(|entry| entry.name == name)?;
            Some((entry.name.clone(), entry.reading.theme))
        },
        frame.lang,
    )
}
