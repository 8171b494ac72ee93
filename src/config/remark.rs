//! Messages about the settings, engines and themes.

use crate::{NameError, SettingWarning, engines_text, warning_text};
use shogibar_base::visible::visible;
use shogibar_base::{CauseText, Lang, messages};
use std::path::PathBuf;

messages! {
    /// A message about settings, engines or themes.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Remark in lang {
        SettingsUnreadable(why: CauseText) =>
            "設定を読めません（{why}）。今の設定のまま続けます。",
            "The settings cannot be read ({why}). The current ones stay in use.", why = why.text(lang);
        /// The settings file was not TOML; holds the cause and the path of the backup.
        SettingsBackedUp(why: String, backup: PathBuf) => { warning_text::backup_made(why, backup, lang) };
        /// An entry of the settings was not understood.
        SettingLost(finding: SettingWarning) => { warning_text::finding(finding, lang) };
        SettingsUnwritten(why: CauseText) =>
            "設定を保存できません（{why}）。変更は終了するまでの間だけ有効です。",
            "The settings cannot be saved ({why}). Changes last until the program ends.", why = why.text(lang);
        NotWatched(why: CauseText) =>
            "ファイルの変更を見張れません（{why}）。変更は次の起動で反映されます。",
            "Files cannot be watched ({why}). Changes to them take effect at the next start.",
            why = why.text(lang);
        NoTheme(name: String) =>
            "「{name}」というテーマがないため、既定のテーマを使います。",
            "There is no theme '{name}', so the default one is used.";
        /// The file of the current theme was removed. Holds the name of the theme, whose colours stay until the program
        /// ends.
        ThemeGone(name: String) =>
            "テーマ「{name}」のファイルがなくなりました。終了するまでは今の配色のまま続けます。",
            "The file of the theme '{name}' is gone. Its colours stay until the program ends.";
        /// The file of a theme cannot be used; holds its name and the cause.
        ThemeUnreadable(name: String, why: String) =>
            "{name}: {why}", "{name}: {why}", why = warning_text::no_theme(why, lang);
        /// An entry of a theme was not understood.
        ThemeLost(name: String, finding: SettingWarning) =>
            "{name}: {finding}", "{name}: {finding}", finding = warning_text::finding(finding, lang);
        /// A theme was copied; holds the name and path of the copy.
        ThemeCopied(name: String, path: PathBuf) =>
            "「{name}」を作りました。テキストエディターで編集してください: {path}",
            "'{name}' was created. Edit it with any text editor: {path}", path = path.display();
        /// A theme was imported; holds its name and path.
        ThemeImported(name: String, path: PathBuf) =>
            "「{name}」として読み込みました: {path}", "Imported as '{name}': {path}", path = path.display();
        /// A theme was exported to this file.
        ThemeExported(path: PathBuf) => "書き出しました: {path}", "Exported to {path}", path = path.display();
        /// A theme was not copied, imported or exported; holds the cause.
        ThemeNotDone(why: CauseText) =>
            "テーマを扱えませんでした（{why}）。", "The theme could not be processed ({why}).", why = why.text(lang);
        /// There is no folder for themes: the user has no home folder.
        NoFolder =>
            "ホームフォルダーがないため、テーマを保存できません。", "There is no home folder to save a theme in.";
        /// The file dialog cannot be opened; theme files can be put into this folder.
        NoDialog(folder: PathBuf) =>
            "ファイルを選ぶ画面を開けません。テーマのファイルは {folder} にあります。ここに置くと一覧に出ます。",
            "No file dialog can be opened. Themes are files in {folder}; files that you put there are listed here.",
            folder = folder.display();
        EnginesUnreadable(why: CauseText) =>
            "エンジンの設定を読めません（{why}）。", "The engine settings cannot be read ({why}).", why = why.text(lang);
        /// The engines file was not TOML; holds the cause and the path of the backup.
        EnginesBackedUp(why: String, backup: PathBuf) => { warning_text::engines_backup_made(why, backup, lang) };
        /// The profiles were not saved; holds the cause.
        EnginesNotChanged(why: CauseText) =>
            "エンジンの設定を保存できません（{why}）。", "The engine settings cannot be saved ({why}).", why = why.text(lang);
        /// An engine cannot have this name.
        EngineName(error: NameError) => { engines_text::name_error(error, lang) };
        /// The search for engines failed; holds the cause.
        EngineSearchFailed(why: CauseText) =>
            "エンジンを探せません（{why}）。", "The search for engines failed ({why}).", why = why.text(lang);
        /// The file dialog for engines cannot be opened.
        NoEngineDialog => { engines_text::no_dialog(lang).to_owned() };
    }
}

impl Remark {
    /// Returns whether the message reports a problem.
    pub const fn is_error(&self) -> bool {
        !matches!(
            self,
            Self::ThemeCopied(..) | Self::ThemeImported(..) | Self::ThemeExported(_)
        )
    }

    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        visible(&self.sentence(lang)).into_owned()
    }
}
