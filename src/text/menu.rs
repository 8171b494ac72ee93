//! Texts of menu entries.

use super::Lang;

/// An entry of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuEntry {
    /// One move back.
    Back,
    /// One move forward.
    Forward,
    /// Ten moves back.
    TenBack,
    /// Ten moves forward.
    TenForward,
    /// To the start of the game.
    First,
    /// To the end of the game.
    Last,
    /// Pauses or resumes the engines.
    Pause,
    /// Makes the bar follow the next engine; after the last, the mean of all.
    Follow,
    /// Hides or shows the evaluation.
    Hide,
    /// Switches click-through of the bar.
    ClickThrough,
    /// Switches to the next layout of the bar.
    Layout,
    /// Copies the bar as a picture.
    CopyPicture,
    /// Saves the bar as a picture.
    SavePicture,
    /// Opens a record.
    Open,
    /// Opens the study page.
    Study,
    /// Edits the players and the handicap.
    Players,
    /// Opens the settings.
    Settings,
    /// Opens the engines page.
    Engines,
    /// Opens the manual.
    Manual,
    /// Closes the window.
    Quit,
}

impl MenuEntry {
    /// Returns the text in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Back => lang.pick("1手戻る", "Back"),
            Self::Forward => lang.pick("1手進む", "Forward"),
            Self::TenBack => lang.pick("10手戻る", "10 back"),
            Self::TenForward => lang.pick("10手進む", "10 forward"),
            Self::First => lang.pick("最初へ", "Start"),
            Self::Last => lang.pick("最後へ", "End"),
            Self::Pause => lang.pick("一時停止", "Pause"),
            Self::Follow => lang.pick("エンジン切替", "Switch engine"),
            Self::Hide => lang.pick("評価を隠す", "Hide"),
            Self::ClickThrough => lang.pick("クリック透過", "Click-through"),
            Self::Layout => lang.pick("レイアウト切替", "Next layout"),
            Self::CopyPicture => lang.pick("画像をコピー", "Copy picture"),
            Self::SavePicture => lang.pick("画像を保存…", "Save picture…"),
            Self::Open => lang.pick("棋譜を開く…", "Open…"),
            Self::Study => lang.pick("検討…", "Study…"),
            Self::Players => lang.pick("対局者・手合割…", "Players…"),
            Self::Settings => lang.pick("設定…", "Settings…"),
            Self::Engines => lang.pick("エンジン設定…", "Engines…"),
            Self::Manual => lang.pick("使い方…", "Manual…"),
            Self::Quit => lang.pick("終了", "Quit"),
        }
    }

    /// Returns the key of the same command.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Back => "←",
            Self::Forward => "→",
            Self::TenBack => "PgUp",
            Self::TenForward => "PgDn",
            Self::First => "Home",
            Self::Last => "End",
            Self::Pause => "Space",
            Self::Follow => "E",
            Self::Hide => "H",
            Self::ClickThrough => "T",
            Self::Layout => "L",
            Self::CopyPicture => "C",
            Self::SavePicture => "P",
            Self::Open => "O",
            Self::Study => "B",
            Self::Players => "K",
            Self::Settings => "S",
            Self::Engines => "N",
            Self::Manual => "F1",
            Self::Quit => "Q",
        }
    }
}
