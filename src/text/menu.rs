//! Texts of menu entries.

phrases! {
    /// An entry of a menu.
    pub enum MenuEntry {
        /// One move back.
        Back => "1手戻る", "Back";
        /// One move forward.
        Forward => "1手進む", "Forward";
        /// Ten moves back.
        TenBack => "10手戻る", "10 back";
        /// Ten moves forward.
        TenForward => "10手進む", "10 forward";
        /// To the start of the game.
        First => "最初へ", "Start";
        /// To the end of the game.
        Last => "最後へ", "End";
        /// Pauses or resumes the engines.
        Pause => "一時停止", "Pause";
        /// Makes the bar follow the next engine; after the last, the mean of all.
        Follow => "エンジン切替", "Switch engine";
        /// Hides or shows the evaluation.
        Hide => "評価を隠す", "Hide";
        /// Switches click-through of the bar.
        ClickThrough => "クリック透過", "Click-through";
        /// Switches to the next layout of the bar.
        Layout => "レイアウト切替", "Next layout";
        /// Copies the bar as a picture.
        CopyPicture => "画像をコピー", "Copy picture";
        /// Saves the bar as a picture.
        SavePicture => "画像を保存…", "Save picture…";
        /// Opens a record.
        Open => "棋譜を開く…", "Open…";
        /// Opens the study page.
        Study => "検討…", "Study…";
        /// Edits the players and the handicap.
        Players => "対局者・手合割…", "Players…";
        /// Opens the settings.
        Settings => "設定…", "Settings…";
        /// Opens the engines page.
        Engines => "エンジン設定…", "Engines…";
        /// Opens the manual.
        Manual => "使い方…", "Manual…";
        /// Closes the window.
        Quit => "終了", "Quit";
    }
}

impl MenuEntry {
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
