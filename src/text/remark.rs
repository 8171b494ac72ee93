//! Messages about settings, engines and themes that change while the program runs.

use super::visible::visible;
use super::{CauseText, Lang, engines, setting};
use crate::config::{NameError, SettingWarning};
use std::path::PathBuf;

/// A message about settings, engines or themes.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The settings cannot be read; holds the cause. They are unchanged.
    SettingsUnreadable(CauseText),
    /// The settings file was not TOML; holds the cause and the path of the backup.
    SettingsAside(String, PathBuf),
    /// An entry of the settings was not understood.
    SettingLost(SettingWarning),
    /// The settings cannot be written; holds the cause. They apply until the program ends.
    SettingsUnwritten(CauseText),
    /// The files are not watched for changes; holds the cause.
    NotWatched(CauseText),
    /// There is no theme of this name.
    NoTheme(String),
    /// The file of the current theme was removed; holds its name. Its colours stay until the program ends.
    ThemeGone(String),
    /// The file of a theme cannot be used; holds its name and the cause.
    ThemeUnreadable(String, String),
    /// An entry of a theme was not understood.
    ThemeLost(String, SettingWarning),
    /// A theme was copied; holds the name and path of the copy.
    ThemeCopied(String, PathBuf),
    /// A theme was imported; holds its name and path.
    ThemeImported(String, PathBuf),
    /// A theme was exported to this file.
    ThemeExported(PathBuf),
    /// A theme was not copied, imported or exported; holds the cause.
    ThemeNotDone(CauseText),
    /// There is no folder for themes: the user has no home folder.
    NoFolder,
    /// The file dialog cannot be opened; theme files can be put into this folder.
    NoDialog(PathBuf),
    /// The profiles cannot be read; holds the cause.
    EnginesUnreadable(CauseText),
    /// The profiles were not saved; holds the cause.
    EnginesNotChanged(CauseText),
    /// An engine cannot have this name.
    EngineName(NameError),
    /// The search for engines failed; holds the cause.
    EnginesNotSought(CauseText),
    /// The file dialog for engines cannot be opened.
    NoEngineDialog,
}

impl Remark {
    /// Whether the message reports an error.
    pub const fn is_trouble(&self) -> bool {
        !matches!(self, Self::ThemeCopied(..) | Self::ThemeImported(..) | Self::ThemeExported(_))
    }

    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        let text = match lang {
            Lang::Ja => self.japanese(),
            Lang::En => self.english(),
        };
        visible(&text).into_owned()
    }

    fn japanese(&self) -> String {
        match self {
            Self::SettingsUnreadable(why) => {
                format!("設定を読めません（{why}）。今の設定のまま続けます。", why = why.text(Lang::Ja))
            }
            Self::SettingsAside(why, aside) => setting::set_aside(why, aside, Lang::Ja),
            Self::SettingLost(finding) => setting::finding(finding, Lang::Ja),
            Self::SettingsUnwritten(why) => {
                format!("設定を保存できません（{why}）。変更は終了するまでの間だけ有効です。", why = why.text(Lang::Ja))
            }
            Self::NotWatched(why) => format!(
                "ファイルの変更を見張れません（{why}）。変更は次の起動で反映されます。",
                why = why.text(Lang::Ja)
            ),
            Self::NoTheme(name) => format!("「{name}」というテーマがないため、既定のテーマを使います。"),
            Self::ThemeGone(name) => {
                format!("テーマ「{name}」のファイルがなくなりました。終了するまでは今の配色のまま続けます。")
            }
            Self::ThemeUnreadable(name, why) => format!("{name}: {}", setting::no_theme(why, Lang::Ja)),
            Self::ThemeLost(name, finding) => format!("{name}: {}", setting::finding(finding, Lang::Ja)),
            Self::ThemeCopied(name, path) => {
                format!("「{name}」を作りました。テキストエディターで編集してください: {}", path.display())
            }
            Self::ThemeImported(name, path) => format!("「{name}」として読み込みました: {}", path.display()),
            Self::ThemeExported(path) => format!("書き出しました: {}", path.display()),
            Self::ThemeNotDone(why) => format!("テーマを扱えませんでした（{why}）。", why = why.text(Lang::Ja)),
            Self::NoFolder => "ホームフォルダーがないため、テーマを保存できません。".to_owned(),
            Self::NoDialog(folder) => format!(
                "ファイルを選ぶ画面を開けません。テーマのファイルは {} にあります。ここに置くと一覧に出ます。",
                folder.display()
            ),
            Self::EnginesUnreadable(why) => format!("エンジンの設定を読めません（{why}）。", why = why.text(Lang::Ja)),
            Self::EnginesNotChanged(why) => {
                format!("エンジンの設定を保存できません（{why}）。", why = why.text(Lang::Ja))
            }
            Self::EngineName(error) => engines::name_error(error, Lang::Ja),
            Self::EnginesNotSought(why) => format!("エンジンを探せません（{why}）。", why = why.text(Lang::Ja)),
            Self::NoEngineDialog => engines::no_dialog(Lang::Ja).to_owned(),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::SettingsUnreadable(why) => {
                format!("The settings cannot be read ({why}). They stay as they are.", why = why.text(Lang::En))
            }
            Self::SettingsAside(why, aside) => setting::set_aside(why, aside, Lang::En),
            Self::SettingLost(finding) => setting::finding(finding, Lang::En),
            Self::SettingsUnwritten(why) => {
                format!(
                    "The settings cannot be saved ({why}). What is changed holds until the program ends.",
                    why = why.text(Lang::En)
                )
            }
            Self::NotWatched(why) => {
                format!(
                    "Files cannot be watched ({why}). What changes in them counts from the next start on.",
                    why = why.text(Lang::En)
                )
            }
            Self::NoTheme(name) => format!("There is no theme '{name}', so the usual one is used."),
            Self::ThemeGone(name) => {
                format!("The file of the theme '{name}' is gone. Its colours stay until the program ends.")
            }
            Self::ThemeUnreadable(name, why) => format!("{name}: {}", setting::no_theme(why, Lang::En)),
            Self::ThemeLost(name, finding) => format!("{name}: {}", setting::finding(finding, Lang::En)),
            Self::ThemeCopied(name, path) => {
                format!("'{name}' was made. Edit it with any text editor: {}", path.display())
            }
            Self::ThemeImported(name, path) => format!("It was taken in as '{name}': {}", path.display()),
            Self::ThemeExported(path) => format!("It was written to {}", path.display()),
            Self::ThemeNotDone(why) => format!("Nothing was done with the theme ({why}).", why = why.text(Lang::En)),
            Self::NoFolder => "There is no home folder to keep a theme in.".to_owned(),
            Self::NoDialog(folder) => format!(
                "No dialog for files can be opened. Themes are the files in {}: what is put there is listed here.",
                folder.display()
            ),
            Self::EnginesUnreadable(why) => format!("The engines cannot be read ({why}).", why = why.text(Lang::En)),
            Self::EnginesNotChanged(why) => format!("The engines cannot be saved ({why}).", why = why.text(Lang::En)),
            Self::EngineName(error) => engines::name_error(error, Lang::En),
            Self::EnginesNotSought(why) => format!("Engines cannot be looked for ({why}).", why = why.text(Lang::En)),
            Self::NoEngineDialog => engines::no_dialog(Lang::En).to_owned(),
        }
    }
}
