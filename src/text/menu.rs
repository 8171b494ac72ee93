//! What the user can ask for, as menus name it.

use super::Lang;

/// An entry of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuEntry {
    /// One move back.
    Back,
    /// One move on.
    Forward,
    /// Ten moves back.
    TenBack,
    /// Ten moves on.
    TenForward,
    /// To the start of the game.
    First,
    /// To its end.
    Last,
    /// Have the engines rest, or go on.
    Pause,
    /// Have the bar follow the next engine, and after the last their mean.
    Follow,
    /// Hide what tells who is winning, or show it again.
    Hide,
    /// Let clicks go through the bar, or no longer.
    ClickThrough,
    /// The next arrangement of the bar.
    Layout,
    /// Copy the bar as a picture.
    CopyPicture,
    /// Write the bar to a file, as a picture.
    SavePicture,
    /// Choose a record, and open it.
    Open,
    /// The game, to be studied.
    Study,
    /// The players and the handicap of the game.
    Players,
    /// What can be set.
    Settings,
    /// The engines and how they are set up.
    Engines,
    /// How all this is used.
    Manual,
    /// Close the window.
    Quit,
}

impl MenuEntry {
    /// The words in a language.
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

    /// The key that does the same.
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
