//! The page of settings: all that is set but for the engines, in groups, each of which can be put back.
//!
//! What is changed on it is given back as [`SettingsAction`]s; whoever shows the page does it, at once, so that
//! the bar itself shows what it looks like.

mod color;
mod font;
mod keys;
mod rows;
mod themes;

use crate::config::{
    self, General, Ground, HotKeyScope, Keys, Language, Overlay, OverlayPart, OverlayParts, Pieces, Settings, Window,
};
use crate::store::ThemeEntry;
use crate::text::settings::{self, SettingGroup, SettingItem, SettingsPhrase};
use crate::text::{Lang, Remark};
use crate::ui::PaintTheme;
use crate::ui::access::{KeyboardFocus, name};
use crate::ui::fonts::TextWeight;
use color::ColorField;
use eframe::egui;
use egui::{
    Align, Align2, Area, Button, Frame, Grid, Id, Key, Label, Layout, Margin, Order, Panel, Popup, RichText,
    ScrollArea, TextEdit, Ui, vec2,
};
use font::FontField;
use keys::KeyFields;

/// The width of a column of check boxes, in points.
const COLUMN: f32 = 180.0;
/// The room for the scroll bar, in points.
const SCROLL: f32 = 12.0;
/// The width of the button that clears the search, in points.
const CLEAR: f32 = 22.0;
/// The greatest height of what is said below the page, in points.
const STRIP: f32 = 96.0;

/// What the page shows.
#[derive(Clone, Copy, Debug)]
pub struct SettingsView<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The themes there are.
    pub themes: &'a [ThemeEntry],
    /// The names of the fonts of this machine; `None` while they are looked for.
    pub fonts: Option<&'a [String]>,
    /// How far keys reach that are to work everywhere.
    pub reach: HotKeyScope,
    /// Whether one works that brings clicks back.
    pub has_way_back: bool,
    /// What is wrong with the settings.
    pub trouble: &'a [Remark],
    /// What became of what the user asked for last.
    pub done: Option<&'a Remark>,
    /// What was answered when newer versions were asked for: the sentence, empty where nobody has been asked.
    pub newest: &'a str,
    /// Where it is recorded what engines are told and say; empty for a user without a home.
    pub log: &'a str,
}

/// What is asked for on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingsAction {
    /// Let these be the settings.
    Change(Box<Settings>),
    /// Make a theme of the user's own out of the one of this name.
    CopyTheme(String),
    /// Have the user choose a file of a theme, and take it in.
    ImportTheme,
    /// Have the user say where the theme of this name is to be written.
    ExportTheme(String),
    /// Close the window.
    Close,
}

/// What the page keeps from frame to frame.
#[derive(Debug, Default)]
pub struct SettingsPage {
    search: String,
    font: FontField,
    color: ColorField,
    keys: KeyFields,
    /// The group to be brought into view.
    wanted: Option<SettingGroup>,
    /// What has the keyboard.
    focus: KeyboardFocus,
}

/// One frame of the page.
struct SettingsFrame<'a> {
    view: &'a SettingsView<'a>,
    theme: &'a PaintTheme,
    lang: Lang,
    /// The settings as they are to be.
    settings: Settings,
    actions: Vec<SettingsAction>,
}

impl SettingsPage {
    /// Whether keys are being pressed that are to be a hot key: those that are one must not do their work now.
    pub const fn is_listening(&self) -> bool {
        self.keys.is_listening()
    }

    /// Has a group be in view.
    pub const fn select_group(&mut self, group: SettingGroup) {
        self.wanted = Some(group);
    }

    /// Shows the page in all of `ui`.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        view: &SettingsView<'_>,
        theme: &PaintTheme,
        lang: Lang,
    ) -> Vec<SettingsAction> {
        let mut sheet = SettingsFrame { view, theme, lang, settings: view.settings.clone(), actions: Vec::new() };
        // What is open closes first.
        let is_open = Popup::is_any_open(ui.ctx());
        let margin = Margin::same(16);
        let side = Frame::NONE.inner_margin(margin).fill(theme.rail);
        Panel::left("settings").exact_size(200.0).resizable(false).frame(side).show(ui, |ui| self.contents(ui, &sheet));
        sheet.remarks(ui);
        Frame::NONE.inner_margin(margin).show(ui, |ui| {
            ScrollArea::vertical().id_salt("settings").auto_shrink(false).show(ui, |ui| {
                // The scroll bar lies over what is below it.
                ui.set_width(ui.available_width() - SCROLL);
                let mut is_any = false;
                for group in SettingGroup::ALL {
                    is_any |= self.group(ui, group, &mut sheet);
                }
                if !is_any {
                    ui.label(RichText::new(SettingsPhrase::NothingFound.text(lang)).color(theme.quiet));
                }
                // What is said lies over the lower edge.
                ui.add_space(STRIP);
                self.focus.bring_into_view(ui);
            });
        });
        // Where keys are chosen it is taken already.
        if !is_open && ui.input(|input| input.key_pressed(Key::Escape)) {
            if self.search.is_empty() {
                sheet.actions.push(SettingsAction::Close);
            } else {
                self.search.clear();
            }
        }
        let SettingsFrame { settings, mut actions, .. } = sheet;
        if settings != *view.settings {
            actions.push(SettingsAction::Change(Box::new(settings)));
        }
        actions
    }

    /// The field to look for a setting in, and the groups, each of which brings itself into view.
    fn contents(&mut self, ui: &mut Ui, sheet: &SettingsFrame<'_>) {
        let search = SettingsPhrase::Search.text(sheet.lang);
        let clear = SettingsPhrase::ClearSearch.text(sheet.lang);
        ui.horizontal(|ui| {
            // It stays the same field while it gets shorter.
            let room = if self.search.is_empty() { 0.0 } else { CLEAR + ui.spacing().item_spacing.x };
            let width = ui.available_width() - room;
            let field = TextEdit::singleline(&mut self.search).id_salt("search").hint_text(search).desired_width(width);
            name(&ui.add(field), search);
            if !self.search.is_empty() {
                let button = ui.add(Button::new("×").min_size(vec2(CLEAR, 0.0)));
                name(&button, clear);
                if button.clicked() {
                    self.search.clear();
                }
            }
        });
        ui.add_space(10.0);
        ui.with_layout(Layout::top_down_justified(Align::LEFT), |ui| {
            for group in SettingGroup::ALL {
                let button = Button::selectable(false, group.text(sheet.lang)).min_size(vec2(0.0, 28.0));
                let is_wanted = ui.add_enabled(self.found(group).next().is_some(), button).clicked();
                self.wanted = is_wanted.then_some(group).or(self.wanted);
            }
        });
    }

    /// The settings of a group that are looked for.
    fn found(&self, group: SettingGroup) -> impl Iterator<Item = SettingItem> {
        group.items().into_iter().filter(move |item| item.is_found(group, &self.search))
    }

    /// A group, as far as it is looked for; whether anything of it is.
    fn group(&mut self, ui: &mut Ui, group: SettingGroup, sheet: &mut SettingsFrame<'_>) -> bool {
        let items: Vec<_> = self.found(group).collect();
        if items.is_empty() {
            return false;
        }
        let heading = ui.horizontal(|ui| sheet.heading(ui, group)).response;
        if self.wanted == Some(group) {
            heading.scroll_to_me(Some(Align::TOP));
            self.wanted = None;
        }
        ui.add_space(6.0);
        if group == SettingGroup::Parts {
            sheet.parts(ui, &items);
        } else {
            for item in items {
                self.item(ui, item, sheet);
                ui.add_space(10.0);
            }
            if group == SettingGroup::Keys {
                sheet.below(ui, settings::hot_key_scope(sheet.view.reach, sheet.lang));
            }
        }
        ui.add_space(8.0);
        ui.separator();
        ui.add_space(8.0);
        true
    }

    fn item(&mut self, ui: &mut Ui, item: SettingItem, sheet: &mut SettingsFrame<'_>) {
        let lang = sheet.lang;
        match item {
            SettingItem::Language => {
                sheet.choice(ui, item, Language::ALL, settings::language, |s| &mut s.general.language)
            }
            SettingItem::Pieces => sheet.choice(ui, item, Pieces::ALL, settings::pieces, |s| &mut s.general.pieces),
            SettingItem::Updates => {
                sheet.switch(ui, item, |s| &mut s.general.updates);
                // The answer comes later, into a place that is kept for it.
                sheet.below(ui, if sheet.view.newest.is_empty() { "　" } else { sheet.view.newest });
            }
            SettingItem::Log => {
                sheet.switch(ui, item, |s| &mut s.general.log);
                if !sheet.view.log.is_empty() {
                    sheet.below(ui, sheet.view.log);
                }
            }
            SettingItem::Layout => {
                sheet.choice(ui, item, config::Layout::ALL, settings::layout, |s| &mut s.overlay.layout)
            }
            SettingItem::Ground => sheet.choice(ui, item, Ground::ALL, settings::ground, |s| &mut s.window.ground),
            SettingItem::Font => sheet.row(ui, item, |ui, sheet| self.font.show(ui, sheet)),
            SettingItem::Theme => sheet.row(ui, item, themes::show),
            SettingItem::KeyColor => sheet.row(ui, item, |ui, sheet| self.color.show(ui, sheet)),
            SettingItem::HideKey | SettingItem::ClickThroughKey => {
                sheet.row(ui, item, |ui, sheet| self.keys.show(ui, item, sheet))
            }
            SettingItem::Swapped => sheet.switch(ui, item, |s| &mut s.overlay.swapped),
            SettingItem::Motion => sheet.switch(ui, item, |s| &mut s.overlay.motion),
            SettingItem::AlwaysOnTop => sheet.switch(ui, item, |s| &mut s.window.always_on_top),
            SettingItem::ClickThrough => {
                sheet.switch(ui, item, |s| &mut s.window.click_through);
                let key = if sheet.view.has_way_back { &sheet.settings.keys.click_through } else { "" };
                let way_back = settings::way_back(key, lang);
                sheet.below(ui, &way_back);
            }
            // They stand in columns.
            SettingItem::Part(_) => {}
        }
    }
}

impl SettingsFrame<'_> {
    /// What is wrong, and what became of what was asked for: below all else, so that nothing on the page moves.
    fn remarks(&self, ui: &Ui) {
        let remarks: Vec<_> = self.view.trouble.iter().chain(self.view.done).collect();
        if remarks.is_empty() {
            return;
        }
        let margin = Margin::symmetric(16, 8);
        let strip = Frame::NONE.inner_margin(margin).fill(self.theme.rail);
        let page = ui.available_rect_before_wrap();
        let area = Area::new(Id::unique("settings remarks")).order(Order::Middle).pivot(Align2::LEFT_BOTTOM);
        area.fixed_pos(page.left_bottom()).constrain(false).show(ui.ctx(), |ui| {
            strip.show(ui, |ui| {
                ui.set_width(page.width() - margin.sum().x);
                let height = STRIP - margin.sum().y;
                let area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
                area.show(ui, |ui| remarks.iter().for_each(|remark| self.remark(ui, remark)));
            });
        });
    }

    fn remark(&self, ui: &mut Ui, remark: &Remark) {
        let color = if remark.is_trouble() { self.theme.accent } else { self.theme.text };
        ui.horizontal_wrapped(|ui| {
            ui.add(Label::new(RichText::new(remark.text(self.lang)).color(color)).wrap());
            if let Remark::ThemeCopied(_, path) | Remark::ThemeImported(_, path) = remark
                && ui.button(SettingsPhrase::CopyPath.text(self.lang)).clicked()
            {
                ui.copy_text(path.display().to_string());
            }
        });
    }

    /// The name of a group, and the button to put it back.
    fn heading(&mut self, ui: &mut Ui, group: SettingGroup) {
        let title = group.text(self.lang);
        ui.label(RichText::new(title).font(TextWeight::Bold.at(17.0)).color(self.theme.text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut usual = self.settings.clone();
            reset_group(&mut usual, group);
            let reset = SettingsPhrase::Reset.text(self.lang);
            let button = ui.add_enabled(usual != self.settings, Button::new(reset));
            name(&button, &format!("{title}: {reset}"));
            if button.clicked() {
                self.settings = usual;
            }
        });
    }

    /// The parts of the bar, each a check box.
    fn parts(&mut self, ui: &mut Ui, items: &[SettingItem]) {
        let columns = (1..=3).rev().find(|columns| COLUMN * *columns as f32 <= ui.available_width()).unwrap_or(1);
        Grid::new("parts").num_columns(columns).min_col_width(COLUMN).spacing([0.0, 8.0]).show(ui, |ui| {
            let parts =
                items.iter().filter_map(|item| if let SettingItem::Part(part) = item { Some(*part) } else { None });
            for (place, part) in parts.enumerate() {
                self.part(ui, part);
                if (place + 1) % columns == 0 {
                    ui.end_row();
                }
            }
        });
    }

    fn part(&mut self, ui: &mut Ui, part: OverlayPart) {
        let mut is_shown = self.settings.parts.shows(part);
        if ui.checkbox(&mut is_shown, SettingItem::Part(part).label(self.lang)).changed() {
            self.settings.parts.show(part, is_shown);
        }
    }
}

/// Puts a group back to what is usual.
fn reset_group(settings: &mut Settings, group: SettingGroup) {
    match group {
        SettingGroup::General => settings.general = General::default(),
        SettingGroup::Overlay => settings.overlay = Overlay::default(),
        SettingGroup::Parts => settings.parts = OverlayParts::default(),
        SettingGroup::Window => settings.window = Window::default(),
        SettingGroup::Keys => settings.keys = Keys::default(),
    }
}

#[cfg(test)]
mod tests;
