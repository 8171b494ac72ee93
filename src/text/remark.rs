//! What became of settings, engines and themes that are read and written while the program runs.

use super::visible::visible;
use super::{CauseText, Lang, engines, setting};
use crate::config::{NameError, SettingWarning};
use std::path::PathBuf;

/// Something that happened to settings, engines or themes.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The settings cannot be read: why. They are as they were.
    SettingsUnreadable(CauseText),
    /// The file of settings was none: why, and where it was put.
    SettingsAside(String, PathBuf),
    /// A setting was not understood.
    SettingLost(SettingWarning),
    /// Settings cannot be written: why. They hold as long as the program runs.
    SettingsUnwritten(CauseText),
    /// Nobody looks whether files change: why.
    NotWatched(CauseText),
    /// There is no theme of this name.
    NoTheme(String),
    /// The file of the theme in use is gone: its name. Its colours stay while the program runs.
    ThemeGone(String),
    /// The file of a theme cannot be used: its name, and why.
    ThemeUnreadable(String, String),
    /// Something in a theme was not understood.
    ThemeLost(String, SettingWarning),
    /// A theme was copied: what the copy is called, and where it is.
    ThemeCopied(String, PathBuf),
    /// A theme was taken in: what it is called, and where it is.
    ThemeImported(String, PathBuf),
    /// A theme was written to this file.
    ThemeExported(PathBuf),
    /// A theme was not copied, taken in or written: why.
    ThemeNotDone(CauseText),
    /// There is no folder to keep a theme in: a user without a home.
    NoFolder,
    /// There is no dialog to choose a file in; files of themes can be put into this folder.
    NoDialog(PathBuf),
    /// The engines cannot be read: why.
    EnginesUnreadable(CauseText),
    /// The engines were not changed: why.
    EnginesNotChanged(CauseText),
    /// An engine cannot be called so.
    EngineName(NameError),
    /// Nobody looks for engines: why.
    EnginesNotSought(CauseText),
    /// There is no dialog to choose an engine in.
    NoEngineDialog,
}

impl Remark {
    /// Whether it is something that went wrong.
    pub const fn is_trouble(&self) -> bool {
        !matches!(self, Self::ThemeCopied(..) | Self::ThemeImported(..) | Self::ThemeExported(_))
    }

    /// The sentence in a language.
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
