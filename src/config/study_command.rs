//! The commands of the study page and their default keys.

use super::choice::choice;

choice! {
    /// A command for the current record, invoked by a button, a menu or a key. The order is that of the key list.
    StudyCommand {
        /// To go one move back.
        Back = "back",
        /// To go one move forward.
        Forward = "forward",
        /// To go ten moves back.
        TenBack = "ten_back",
        /// To go ten moves forward.
        TenForward = "ten_forward",
        /// To go to the start.
        First = "first",
        /// To go to the end of the line.
        Last = "last",
        /// To go back to the previous branch point.
        BranchBack = "branch_back",
        /// To go forward to the next branch point.
        BranchForward = "branch_forward",
        /// To go to the previous variation.
        Above = "above",
        /// To go to the next variation.
        Below = "below",
        /// To start a new game from the even start position.
        New = "new",
        /// To open a file.
        Open = "open",
        /// To save the record to its file.
        Save = "save",
        /// To save the record to another file.
        SaveAs = "save_as",
        /// To paste a record from the clipboard.
        Paste = "paste",
        /// To copy the record.
        Copy = "copy",
        /// To copy the position.
        CopyPosition = "copy_position",
        /// To copy the board as a picture.
        CopyBoard = "copy_board",
        /// To copy a short summary of the game.
        CopySummary = "copy_summary",
        /// To save a report of the game.
        Report = "report",
        /// To undo a change.
        Undo = "undo",
        /// To redo a change.
        Redo = "redo",
        /// To delete the current move and all that follow.
        Delete = "delete",
        /// To move the current variation one place up.
        Promote = "promote",
        /// To make the current line the main line.
        MainLine = "main_line",
        /// To replace another move of the record by the current one.
        Replace = "replace",
        /// To edit the players' names and the handicap.
        Players = "players",
        /// To set up a position.
        SetUp = "set_up",
        /// To turn the board, so that White is at the bottom.
        Flip = "flip",
        /// To show the board alone, above other windows, or the whole page again.
        Small = "small",
        /// To pause or resume the engines.
        Pause = "pause",
        /// To analyse the game.
        Analyse = "analyse",
        /// To hide or show the evaluation.
        Hide = "hide",
        /// To show the engines.
        Engines = "engines",
        /// To show the settings.
        Settings = "settings",
        /// To show the list of keys.
        Keys = "keys",
        /// To show the manual.
        Manual = "manual",
    }
}

impl StudyCommand {
    /// Returns the default keys, written as [`Shortcut`](super::Shortcut)s. They are those of `ShogiHome` and
    /// `ShogiGUI`.
    pub const fn default_keys(self) -> &'static [&'static str] {
        match self {
            Self::Back => &["Up", "Left"],
            Self::Forward => &["Down", "Right"],
            Self::TenBack => &["PageUp"],
            Self::TenForward => &["PageDown"],
            Self::First => &["Home"],
            Self::Last => &["End"],
            Self::BranchBack => &["Ctrl+Up"],
            Self::BranchForward => &["Ctrl+Down"],
            Self::Above => &["Shift+Up"],
            Self::Below => &["Shift+Down"],
            Self::New => &["Ctrl+N"],
            Self::Open => &["Ctrl+O"],
            Self::Save => &["Ctrl+S"],
            Self::SaveAs => &["Ctrl+Shift+S"],
            Self::Paste => &["Ctrl+V"],
            Self::Copy => &["Ctrl+C"],
            Self::CopyPosition => &["Ctrl+B"],
            Self::CopyBoard => &["Ctrl+Shift+E"],
            Self::CopySummary => &["Ctrl+Shift+C"],
            Self::Report => &["Ctrl+Shift+R"],
            Self::Undo => &["Ctrl+Z"],
            Self::Redo => &["Ctrl+Y", "Ctrl+Shift+Z"],
            Self::Delete => &["Ctrl+D", "Delete"],
            Self::Promote => &["Ctrl+U"],
            Self::MainLine => &["Ctrl+Shift+U"],
            Self::Replace => &["Ctrl+Shift+D"],
            Self::Players => &["Ctrl+P"],
            Self::SetUp => &["Ctrl+E"],
            Self::Flip => &["Ctrl+T"],
            Self::Small => &["Ctrl+M"],
            Self::Pause => &["Ctrl+R", "Space"],
            Self::Analyse => &["Ctrl+A"],
            Self::Hide => &["H"],
            Self::Engines => &["N"],
            Self::Settings => &["Ctrl+Comma"],
            Self::Keys => &["F1", "Questionmark"],
            Self::Manual => &["Shift+F1"],
        }
    }
}
