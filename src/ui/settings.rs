//! The settings page: all settings except those of the engines, in groups that can be reset.
//!
//! Changes are returned as [`SettingsAction`]s. The caller applies them at once, so that their effect is visible.

mod color;
mod font;
mod keys;
mod obs;
mod pages;
mod rows;
mod themes;

use crate::access::{KeyboardFocus, set_accessible_label};
use crate::fonts::TextWeight;
use crate::{PaintTheme, copied};
use color::ColorField;
use eframe::egui;
use egui::{
    Align, Align2, Area, Button, ColorImage, Frame, Grid, Id, Key, Label, Layout, Margin, Order, Panel,
    Popup, RichText, ScrollArea, TextEdit, Ui, vec2,
};
use font::{FontField, FontSamples};
use keys::KeyFields;
use obs::ObsPicker;
pub use pages::ObsPagesStatus;
use shogibar_base::Lang;
use shogibar_config::settings_text::{self, SettingControl, SettingGroup, SettingItem, SettingsPhrase};
use shogibar_config::{
    GeneralSettings, HotKeyScope, HotKeySettings, MainWindowSettings, OverlayPart, OverlayParts,
    OverlayPreset, OverlaySettings, OverlayWindowSettings, RelaySettings, Remark, Settings,
};
use shogibar_machine::store::ThemeEntry;
use shogibar_shogi::Color;

/// The width of a column of check boxes, in points.
const PART_COLUMN_WIDTH: f32 = 180.0;
/// The width of the scroll bar, in points.
const SCROLL_BAR_WIDTH: f32 = 12.0;
/// The width of the button that clears the search, in points.
const CLEAR_BUTTON_WIDTH: f32 = 22.0;
/// The maximum height of the remarks below the page, in points.
const MAX_REMARKS_HEIGHT: f32 = 96.0;

/// What the settings page shows.
#[derive(Clone, Copy, Debug)]
pub struct SettingsView<'a> {
    /// The present settings.
    pub settings: &'a Settings,
    /// The available themes.
    pub themes: &'a [ThemeEntry],
    /// The names of the fonts installed on this machine; `None` while they are being listed.
    pub fonts: Option<&'a [String]>,
    /// The pictures of font names that were drawn since the last frame, by font name.
    pub font_samples: &'a [(String, ColorImage)],
    /// The scope of global hot keys.
    pub hot_key_scope: HotKeyScope,
    /// Whether a hot key that turns click-through off is registered.
    pub can_leave_click_through: bool,
    /// The problems of the settings.
    pub problems: &'a [Remark],
    /// The result of the user's last action; `None` before an action.
    pub last_result: Option<&'a Remark>,
    /// The result of the update check, as a sentence; empty if there was none.
    pub update_status: &'a str,
    /// The state of the OBS pages.
    pub pages: &'a ObsPagesStatus,
    /// The path of the engine log; empty for a user without a home directory.
    pub log_path: &'a str,
}

/// A user action on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingsAction {
    /// Replace the settings with these.
    Change(Box<Settings>),
    /// Create a user theme as a copy of the theme of this name.
    CopyTheme(String),
    /// Let the user choose a theme file, and import it.
    ImportTheme,
    /// Let the user choose a file to export the theme of this name to.
    ExportTheme(String),
    /// Draw the names of these fonts, each in this font. The number is the pixels per point of the screen. The request
    /// replaces earlier ones.
    SampleFonts(Vec<String>, f32),
    /// Show a page of this program in the browser.
    Browse(String),
    /// Close the window.
    Close,
}

/// What the page shows when it opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingTarget {
    /// The page opens at a group.
    Group(SettingGroup),
    /// The page shows one setting alone.
    Item(SettingItem),
}

/// The state of the page between frames.
#[derive(Debug, Default)]
pub struct SettingsPage {
    /// The text to search for.
    search: String,
    font: FontField,
    bar_font: FontField,
    samples: FontSamples,
    key_color: ColorField,
    black_color: ColorField,
    white_color: ColorField,
    keys: KeyFields,
    obs: ObsPicker,
    /// The group to scroll to in the next frame; `None` if the page does not scroll.
    scroll_target: Option<SettingGroup>,
    /// The focused widget.
    focus: KeyboardFocus,
}

/// What the parts of the settings page share in one frame.
struct SettingsFrame<'a> {
    view: &'a SettingsView<'a>,
    theme: &'a PaintTheme,
    lang: Lang,
    settings: Settings,
    actions: Vec<SettingsAction>,
}

impl SettingsPage {
    /// Returns whether the page records a hot key. Existing hot keys must not run meanwhile.
    pub const fn is_recording_keys(&self) -> bool {
        self.keys.is_recording()
    }

    /// Shows a group or setting in the next frame.
    pub fn show_target(&mut self, target: SettingTarget, lang: Lang) {
        self.search = match target {
            SettingTarget::Group(_) => String::new(),
            SettingTarget::Item(item) => item.label(lang).to_owned(),
        };
        self.scroll_target = if let SettingTarget::Group(group) = target {
            Some(group)
        } else {
            None
        };
    }

    /// Shows the page in all of `ui`. Returns the user's actions.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        view: &SettingsView<'_>,
        theme: &PaintTheme,
        lang: Lang,
    ) -> Vec<SettingsAction> {
        let mut frame = SettingsFrame {
            view,
            theme,
            lang,
            settings: view.settings.clone(),
            actions: Vec::new(),
        };
        self.samples.add(ui, view.font_samples);
        // Escape closes an open popup first.
        let is_popup_open = Popup::is_any_open(ui.ctx());
        let margin = Margin::same(16);
        let side = Frame::NONE.inner_margin(margin).fill(theme.rail);
        Panel::left("settings")
            .exact_size(200.0)
            .resizable(false)
            .frame(side)
            .show(ui, |ui| self.show_contents(ui, &frame));
        frame.show_remarks(ui);
        Frame::NONE.inner_margin(margin).show(ui, |ui| {
            ScrollArea::vertical()
                .id_salt("settings")
                .auto_shrink(false)
                .show(ui, |ui| {
                    // The scroll bar is drawn over the contents, so they leave room for it.
                    ui.set_width(ui.available_width() - SCROLL_BAR_WIDTH);
                    let mut is_any = false;
                    for group in SettingGroup::ALL {
                        is_any |= self.show_group(ui, group, &mut frame);
                    }
                    if !is_any {
                        ui.label(RichText::new(SettingsPhrase::NothingFound.text(lang)).color(theme.quiet));
                    }
                    // The remarks are drawn over the lower edge, so the contents leave room for them.
                    ui.add_space(MAX_REMARKS_HEIGHT);
                    self.focus.bring_into_view(ui);
                });
        });
        // A field that records keys removes Escape from the input.
        if !is_popup_open && ui.input(|input| input.key_pressed(Key::Escape)) {
            if self.search.is_empty() {
                frame.actions.push(SettingsAction::Close);
            } else {
                self.search.clear();
            }
        }
        let SettingsFrame {
            settings,
            mut actions,
            ..
        } = frame;
        if settings != *view.settings {
            actions.push(SettingsAction::Change(Box::new(settings)));
        }
        actions
    }

    /// Shows the search field and the list of groups. A click on a group scrolls to the group.
    fn show_contents(&mut self, ui: &mut Ui, frame: &SettingsFrame<'_>) {
        let search = SettingsPhrase::Search.text(frame.lang);
        let clear = SettingsPhrase::ClearSearch.text(frame.lang);
        ui.horizontal(|ui| {
            // With a fixed id, the field stays the same widget when its width changes.
            let room = if self.search.is_empty() {
                0.0
            } else {
                CLEAR_BUTTON_WIDTH + ui.spacing().item_spacing.x
            };
            let width = ui.available_width() - room;
            let field = TextEdit::singleline(&mut self.search)
                .id_salt("search")
                .hint_text(search)
                .desired_width(width);
            set_accessible_label(&ui.add(field), search);
            if !self.search.is_empty() {
                let button = ui.add(Button::new("×").min_size(vec2(CLEAR_BUTTON_WIDTH, 0.0)));
                set_accessible_label(&button, clear);
                if button.clicked() {
                    self.search.clear();
                }
            }
        });
        ui.add_space(10.0);
        ui.with_layout(Layout::top_down_justified(Align::LEFT), |ui| {
            for group in SettingGroup::ALL {
                let button = Button::selectable(false, group.text(frame.lang)).min_size(vec2(0.0, 28.0));
                let is_wanted = ui
                    .add_enabled(self.found_items(group).next().is_some(), button)
                    .clicked();
                self.scroll_target = is_wanted.then_some(group).or(self.scroll_target);
            }
        });
    }

    fn found_items(&self, group: SettingGroup) -> impl Iterator<Item = SettingItem> {
        group
            .items()
            .into_iter()
            .filter(move |item| item.is_found(group, &self.search))
    }

    /// Shows the settings of a group that match the search. Returns whether there are any.
    fn show_group(&mut self, ui: &mut Ui, group: SettingGroup, frame: &mut SettingsFrame<'_>) -> bool {
        let items: Vec<_> = self.found_items(group).collect();
        if items.is_empty() {
            return false;
        }
        let heading = ui.horizontal(|ui| frame.show_heading(ui, group)).response;
        if self.scroll_target == Some(group) {
            heading.scroll_to_me(Some(Align::TOP));
            self.scroll_target = None;
        }
        ui.add_space(6.0);
        if group == SettingGroup::Parts {
            frame.show_parts(ui, &items);
        } else {
            for item in items {
                self.show_item(ui, item, frame);
                ui.add_space(10.0);
            }
            if group == SettingGroup::Keys {
                frame.show_below(
                    ui,
                    settings_text::hot_key_scope(frame.view.hot_key_scope, frame.lang),
                );
            }
        }
        ui.add_space(8.0);
        ui.separator();
        ui.add_space(8.0);
        true
    }

    /// Shows the row of a setting with its widget.
    fn show_item(&mut self, ui: &mut Ui, item: SettingItem, frame: &mut SettingsFrame<'_>) {
        match item.control() {
            SettingControl::Switch(setting) => frame.show_switch(ui, item, setting),
            SettingControl::Choice(choice) => frame.show_choice(ui, item, choice),
            SettingControl::Percent(range, setting) => frame.show_slider(ui, item, range, setting),
            SettingControl::Own => self.show_own(ui, item, frame),
        }
        frame.show_state(ui, item);
    }

    fn show_own(&mut self, ui: &mut Ui, item: SettingItem, frame: &mut SettingsFrame<'_>) {
        match item {
            SettingItem::Font => frame.show_field(ui, item, |ui, frame| {
                self.font.show(
                    ui,
                    item,
                    frame,
                    |settings| &mut settings.general.font,
                    &mut self.samples,
                );
            }),
            SettingItem::BarFont => frame.show_field(ui, item, |ui, frame| {
                self.bar_font.show(
                    ui,
                    item,
                    frame,
                    |settings| &mut settings.overlay.font,
                    &mut self.samples,
                );
            }),
            SettingItem::Theme => frame.show_row(ui, item, themes::show),
            SettingItem::KeyColor => frame.show_field(ui, item, |ui, frame| self.key_color.show(ui, frame)),
            SettingItem::BlackColor => {
                frame.show_field(ui, item, |ui, frame| {
                    self.black_color.show_side(ui, Color::Black, frame);
                });
            }
            SettingItem::WhiteColor => {
                frame.show_field(ui, item, |ui, frame| {
                    self.white_color.show_side(ui, Color::White, frame);
                });
            }
            SettingItem::HideKey
            | SettingItem::ClickThroughKey
            | SettingItem::LockKey
            | SettingItem::SwitchKey => {
                frame.show_row(ui, item, |ui, frame| self.keys.show(ui, item, frame));
            }
            SettingItem::ObsStyle => frame.show_row(ui, item, |ui, frame| self.obs.show(ui, frame)),
            SettingItem::ObsPagesAddress => frame.show_row(ui, item, pages::show_address),
            SettingItem::ObsPagesPort => frame.show_row(ui, item, pages::show_port),
            SettingItem::Control => frame.show_row(ui, item, pages::show_control),
            // The parts and their presets are shown in columns. The other settings have a common control.
            _ => {}
        }
    }
}

impl SettingsFrame<'_> {
    /// Shows what belongs below the row of a setting: the result of the update check, the file of the log, the way back
    /// from click-through.
    fn show_state(&mut self, ui: &mut Ui, item: SettingItem) {
        let text = match item {
            // The result of the check comes later, so an empty line reserves its room.
            SettingItem::Updates
                if self.settings.general.checks_updates && self.view.update_status.is_empty() =>
            {
                "　"
            }
            SettingItem::Updates => self.view.update_status,
            SettingItem::Log => self.view.log_path,
            SettingItem::ClickThrough => {
                let key = if self.view.can_leave_click_through {
                    &*self.settings.keys.click_through
                } else {
                    ""
                };
                &settings_text::click_through_exit(key, self.lang)
            }
            _ => "",
        };
        if !text.is_empty() {
            self.show_below(ui, text);
        }
    }

    /// Shows the problems and the result of the last action over the lower edge, so that nothing on the page moves.
    fn show_remarks(&self, ui: &Ui) {
        let remarks: Vec<_> = self.view.problems.iter().chain(self.view.last_result).collect();
        if remarks.is_empty() {
            return;
        }
        let margin = Margin::symmetric(16, 8);
        let strip = Frame::NONE.inner_margin(margin).fill(self.theme.rail);
        let page = ui.available_rect_before_wrap();
        let area = Area::new(Id::unique("settings remarks"))
            .order(Order::Middle)
            .pivot(Align2::LEFT_BOTTOM);
        area.fixed_pos(page.left_bottom())
            .constrain(false)
            .show(ui.ctx(), |ui| {
                strip.show(ui, |ui| {
                    ui.set_width(page.width() - margin.sum().x);
                    let height = MAX_REMARKS_HEIGHT - margin.sum().y;
                    let area = ScrollArea::vertical()
                        .max_height(height)
                        .auto_shrink([false, true]);
                    area.show(ui, |ui| {
                        for remark in remarks {
                            self.show_remark(ui, remark);
                        }
                    });
                });
            });
    }

    /// Shows a remark. A remark about a new theme file has a button that copies the path.
    fn show_remark(&self, ui: &mut Ui, remark: &Remark) {
        let color = if remark.is_error() {
            self.theme.blunder
        } else {
            self.theme.text
        };
        ui.horizontal_wrapped(|ui| {
            ui.add(Label::new(RichText::new(remark.text(self.lang)).color(color)).wrap());
            if let Remark::ThemeCopied(_, path) | Remark::ThemeImported(_, path) = remark {
                let text = SettingsPhrase::CopyPath.text(self.lang);
                if ui.button(text).clicked() {
                    copied::copy(ui, text, path.display().to_string());
                }
                copied::show_mark(ui, text, self.theme.accent, self.lang);
            }
        });
    }

    /// Shows the name of a group and the button that resets the group.
    fn show_heading(&mut self, ui: &mut Ui, group: SettingGroup) {
        let title = group.text(self.lang);
        ui.label(
            RichText::new(title)
                .font(TextWeight::Bold.at(17.0))
                .color(self.theme.text),
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut defaults = self.settings.clone();
            reset_group(&mut defaults, group);
            let reset = SettingsPhrase::Reset.text(self.lang);
            let button = ui.add_enabled(defaults != self.settings, Button::new(reset));
            set_accessible_label(&button, &format!("{title}: {reset}"));
            if button.clicked() {
                self.settings = defaults;
            }
        });
    }

    /// Shows the parts of the bar among these settings, each as a check box, and the presets above them.
    fn show_parts(&mut self, ui: &mut Ui, items: &[SettingItem]) {
        if items.contains(&SettingItem::Preset) {
            self.show_row(ui, SettingItem::Preset, show_presets);
            ui.add_space(8.0);
        }
        let columns = (1..=3)
            .rev()
            .find(|columns| PART_COLUMN_WIDTH * *columns as f32 <= ui.available_width())
            .unwrap_or(1);
        Grid::new("parts")
            .num_columns(columns)
            .min_col_width(PART_COLUMN_WIDTH)
            .spacing([0.0, 8.0])
            .show(ui, |ui| {
                let parts = items.iter().filter_map(|item| {
                    if let SettingItem::Part(part) = item {
                        Some(*part)
                    } else {
                        None
                    }
                });
                for (index, part) in parts.enumerate() {
                    self.show_part(ui, part);
                    if (index + 1) % columns == 0 {
                        ui.end_row();
                    }
                }
            });
    }

    /// Shows the check box of a part.
    fn show_part(&mut self, ui: &mut Ui, part: OverlayPart) {
        let mut is_shown = self.settings.parts.shows(part);
        if ui
            .checkbox(&mut is_shown, SettingItem::Part(part).label(self.lang))
            .changed()
        {
            self.settings.parts.set_shown(part, is_shown);
        }
    }
}

fn show_presets(ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
    ui.horizontal(|ui| {
        for preset in OverlayPreset::ALL {
            let (parts, text) = (preset.parts(), settings_text::preset(*preset, frame.lang));
            let button = ui.add(Button::new(text).selected(frame.settings.parts == parts));
            set_accessible_label(
                &button,
                &format!("{}: {text}", SettingItem::Preset.label(frame.lang)),
            );
            if button.clicked() {
                frame.settings.parts = parts;
            }
        }
    });
}

/// Resets a group to the defaults. The engine of the relay, and the port and tokens of the OBS pages, stay.
fn reset_group(settings: &mut Settings, group: SettingGroup) {
    match group {
        SettingGroup::General => {
            settings.general = GeneralSettings::default();
            settings.main_window.zoom = MainWindowSettings::default().zoom;
        }
        SettingGroup::Overlay => settings.overlay = OverlaySettings::default(),
        SettingGroup::Parts => settings.parts = OverlayParts::default(),
        SettingGroup::Window => settings.window = OverlayWindowSettings::default(),
        SettingGroup::Relay => {
            settings.relay = RelaySettings {
                engine: settings.relay.engine.take(),
                ..RelaySettings::default()
            }
        }
        // Port and token stay, so that an address saved in OBS remains valid.
        SettingGroup::Obs => {
            let obs = &mut settings.obs;
            (obs.is_on, obs.serves_network, obs.allows_control) = (false, false, false);
        }
        SettingGroup::Keys => settings.keys = HotKeySettings::default(),
    }
}

#[cfg(test)]
mod tests;
