//! What can be done with a record on the page for it, and the keys by which it usually is.

use super::choice::choice;

choice! {
    /// Something that can be done with the record on view, by a button, a menu or a key; in the order of the list of
    /// keys.
    StudyCommand {
        /// To go a move back.
        Back = "back",
        /// To go a move on.
        Forward = "forward",
        /// To go ten moves back.
        TenBack = "ten_back",
        /// To go ten moves on.
        TenForward = "ten_forward",
        /// To go to the start.
        First = "first",
        /// To go to the end of the line.
        Last = "last",
        /// To go back to where the game could have gone otherwise.
        BranchBack = "branch_back",
        /// To go on to where it could.
        BranchForward = "branch_forward",
        /// To go to the variation before.
        Above = "above",
        /// To go to the next variation.
        Below = "below",
        /// To begin a game from the even start.
        New = "new",
        /// To open a file.
        Open = "open",
        /// To write the record into its file.
        Save = "save",
        /// To write it into another.
        SaveAs = "save_as",
        /// To take in a record from the clipboard.
        Paste = "paste",
        /// To copy the record.
        Copy = "copy",
        /// To copy the position.
        CopyPosition = "copy_position",
        /// To copy the board as a picture.
        CopyBoard = "copy_board",
        /// To copy what the game came to, in a few lines.
        CopySummary = "copy_summary",
        /// To write a report of the game.
        Report = "report",
        /// To take a change back.
        Undo = "undo",
        /// To make it again.
        Redo = "redo",
        /// To delete the move on view and all that follows.
        Delete = "delete",
        /// To put the variation on view one place up.
        Promote = "promote",
        /// To make the line on view the main line.
        MainLine = "main_line",
        /// To put the move on view in the place of another that the record has there.
        Replace = "replace",
        /// To name the players, and to choose the handicap.
        Players = "players",
        /// To set up a position.
        SetUp = "set_up",
        /// To have White below.
        Flip = "flip",
        /// To have the board alone, above other windows, or the whole page again.
        Small = "small",
        /// To have the engines rest, or go on.
        Pause = "pause",
        /// To analyse the game.
        Analyse = "analyse",
        /// To hide what tells who is winning.
        Hide = "hide",
        /// To set up engines.
        Engines = "engines",
        /// To change settings.
        Settings = "settings",
        /// To see what keys there are.
        Keys = "keys",
        /// To read how all this is used.
        Manual = "manual",
    }
}

impl StudyCommand {
    /// Its keys, as [`Shortcut`](super::Shortcut)s are written: those that users of `ShogiHome` and `ShogiGUI` know.
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
