//! The rows of the command palette: commands, layouts, presets, themes, settings, games, engines and recent files.

use crate::app::preferences::SharedPreferences;
use eframe::egui;
use egui::Context;
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_base::visible::visible_file_name;
use shogibar_config::find::Findable;
use shogibar_config::settings_text::{self, SettingGroup, SettingItem};
use shogibar_config::{
    Command, CommandContext, Layout, OverlayPreset, Settings, Shortcut, StudyKeys, Submenu, command_findable,
    command_text,
};
use shogibar_games::phrase;
use shogibar_machine::store::ThemeEntry;
use shogibar_model::AppModel;
use shogibar_model::action::AppAction;
use shogibar_model::ids::GameId;
use shogibar_ui::palette::{PaletteChoice, PaletteRow};
use shogibar_ui::shortcut;
use shogibar_ui::study_text::StudyPhrase;
use std::sync::{Arc, Mutex};

/// The names of all engines, shared by all windows.
pub(super) type EngineNames = Arc<Mutex<Vec<String>>>;

/// The settings from which the rows of a palette are made.
#[derive(Clone, Debug)]
pub(super) struct PaletteSettings {
    lang: Lang,
    themes: Vec<ThemeEntry>,
    keys: StudyKeys,
}

impl PaletteSettings {
    pub(super) fn new(preferences: &SharedPreferences) -> Self {
        let preferences = lock(preferences);
        let (themes, keys) = (
            preferences.themes().to_vec(),
            preferences.settings().study_keys.clone(),
        );
        Self {
            lang: preferences.lang(),
            themes,
            keys,
        }
    }
}

/// The data from which the rows of a palette are made.
pub(super) struct PaletteSource<'s> {
    pub(super) settings: PaletteSettings,
    pub(super) model: &'s AppModel,
    /// The names of all engines.
    pub(super) engines: &'s [String],
    /// The window of the palette. The keys of this window are shown, and the commands of this window come first.
    pub(super) context: CommandContext,
}

impl PaletteSource<'_> {
    /// Returns the rows. `is_possible` returns whether a command can be run now.
    pub(super) fn rows(&self, ctx: &Context, is_possible: impl Fn(Command) -> bool) -> Vec<PaletteRow> {
        let mut rows = Vec::new();
        let has_keys = |command: &Command, context| !command.default_keys(context).is_empty();
        let in_context = Command::all_in(self.context).filter(|command| *command != Command::Palette);
        let others = Command::ALL.iter().copied().filter(|command| {
            !has_keys(command, self.context)
                && [CommandContext::Bar, CommandContext::Study]
                    .into_iter()
                    .any(|context| has_keys(command, context))
        });
        rows.extend(
            in_context
                .chain(others)
                .map(|command| self.command_row(ctx, command, is_possible(command))),
        );
        self.add_appearance(&mut rows);
        self.add_settings(&mut rows);
        self.add_games(&mut rows);
        rows
    }

    /// Creates the row of a command. `is_possible` is whether the command can be run now.
    fn command_row(&self, ctx: &Context, command: Command, is_possible: bool) -> PaletteRow {
        let lang = self.settings.lang;
        let keys: Vec<_> = if self.context == CommandContext::Study {
            self.settings.keys.keys_of(command).clone()
        } else {
            command
                .default_keys(self.context)
                .iter()
                .filter_map(|keys| Shortcut::parse(keys))
                .collect()
        };
        let keys: Vec<_> = keys.iter().map(|keys| shortcut::button_text(ctx, keys)).collect();
        PaletteRow {
            choice: PaletteChoice::Command(command),
            text: command_text(command, lang).to_owned(),
            search_texts: command_findable(command),
            keys: keys.join("　"),
            is_possible,
        }
    }

    /// Adds layouts, presets and themes.
    fn add_appearance(&self, rows: &mut Vec<PaletteRow>) {
        let lang = self.settings.lang;
        for layout in Layout::ALL.iter().copied() {
            let names = [Lang::Ja, Lang::En].map(|lang| settings_text::layout(layout, lang));
            let names = names.into_iter().chain([layout.name()]);
            let words = if layout == Layout::Full {
                "レイアウト layout フル 全部"
            } else {
                "レイアウト layout"
            };
            let text = (Submenu::Layout.text(lang), settings_text::layout(layout, lang));
            rows.push(row(PaletteChoice::Layout(layout), text, names, words));
        }
        for preset in OverlayPreset::ALL.iter().copied() {
            let names = [("プリセット", Lang::Ja), ("preset", Lang::En)];
            let names = names.map(|(word, lang)| format!("{word} {}", settings_text::preset(preset, lang)));
            let group = SettingGroup::Parts.text(lang);
            let choice = PaletteChoice::Preset(preset);
            let names = names.iter().map(String::as_str);
            rows.push(row(
                choice,
                (group, settings_text::preset(preset, lang)),
                names,
                "表示 項目 display",
            ));
        }
        for entry in &self.settings.themes {
            let texts = [Lang::Ja, Lang::En].map(|lang| match entry.file {
                Some(_) => entry.name.as_str(),
                None => settings_text::theme(&entry.name, lang),
            });
            let choice = PaletteChoice::Theme(entry.name.clone());
            let text = lang.pick(texts[0], texts[1]);
            let names = texts.into_iter().chain([entry.name.as_str()]);
            rows.push(row(
                choice,
                (Submenu::Theme.text(lang), text),
                names,
                "テーマ 配色 theme",
            ));
        }
    }

    fn add_settings(&self, rows: &mut Vec<PaletteRow>) {
        let lang = self.settings.lang;
        for section in SettingGroup::ALL {
            rows.extend(section.items().into_iter().map(|item| PaletteRow {
                choice: PaletteChoice::Setting(item),
                text: format!("{}: {}", section.text(lang), item.label(lang)),
                search_texts: item.findable(section),
                keys: String::new(),
                is_possible: true,
            }));
        }
    }

    /// Adds games, engines and recent files.
    fn add_games(&self, rows: &mut Vec<PaletteRow>) {
        let (lang, model) = (self.settings.lang, self.model);
        for (game, title) in model.titles_with_players() {
            let names = [title.as_str()];
            rows.push(row(
                PaletteChoice::Game(game),
                (Submenu::Games.text(lang), &title),
                names,
                "対局 タブ game",
            ));
        }
        for engine in self.engines {
            let text = phrase::engine_name(engine, lang);
            let names = [engine.as_str(), text.as_str()];
            let choice = PaletteChoice::Engine(engine.clone());
            rows.push(row(
                choice,
                (Submenu::Engine.text(lang), &text),
                names,
                "エンジン engine",
            ));
        }
        for path in model.recent_files() {
            let Some(name) = visible_file_name(path) else {
                continue;
            };
            let group = StudyPhrase::Recent.text(lang);
            rows.push(row(
                PaletteChoice::File(path.clone()),
                (group, &name),
                [name.as_str()],
                "最近 recent file",
            ));
        }
    }
}

/// Creates a row. The search finds it by `names` and `words`.
fn row<'n>(
    choice: PaletteChoice,
    (group, text): (&str, &str),
    names: impl IntoIterator<Item = &'n str>,
    words: &str,
) -> PaletteRow {
    let findable = Findable::new(names, words);
    PaletteRow {
        choice,
        text: format!("{group}: {text}"),
        search_texts: findable,
        keys: String::new(),
        is_possible: true,
    }
}

/// Applies a choice that only changes the settings. Returns any other choice, which the window carries out.
pub(super) fn apply(choice: PaletteChoice, preferences: &SharedPreferences) -> Option<WindowChoice> {
    let change = |change: &mut dyn FnMut(&mut Settings)| lock(preferences).change(change);
    match choice {
        PaletteChoice::Layout(layout) => change(&mut |settings| settings.overlay.layout = layout),
        PaletteChoice::Preset(preset) => change(&mut |settings| settings.parts = preset.parts()),
        PaletteChoice::Theme(theme) => change(&mut |settings| settings.overlay.theme.clone_from(&theme)),
        PaletteChoice::Command(command) => return Some(WindowChoice::Command(command)),
        PaletteChoice::Setting(item) => return Some(WindowChoice::Setting(item)),
        PaletteChoice::Game(game) => return Some(WindowChoice::Game(game)),
        PaletteChoice::Engine(engine) => return Some(WindowChoice::Action(AppAction::ReplaceEngine(engine))),
        PaletteChoice::File(path) => return Some(WindowChoice::Action(AppAction::OpenFile(path))),
    }
    None
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum WindowChoice {
    Command(Command),
    Setting(SettingItem),
    Game(GameId),
    Action(AppAction),
}
