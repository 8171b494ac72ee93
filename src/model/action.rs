//! The actions of the user.

use super::ids::GameId;
use crate::analysis::AnalysisOptions;
use crate::bar::FollowMode;
use crate::live::LiveAddress;
use crate::shogi::Position;
use crate::study::{Inquiry, UnsavedAnswer};
use crate::text::{Lang, Message};
use std::path::PathBuf;
use std::time::Duration;

/// An action of the user, or of the program in the user's name. It is done on a bar: on its game and its engines.
#[derive(Clone, Debug, PartialEq)]
pub enum AppAction {
    /// Go forward by so many moves; back where negative.
    Step(i32),
    /// Go to the start of the game.
    First,
    /// Go to the end of the game.
    Last,
    /// Pause or resume the engines.
    Pause,
    /// Follow the next engine, or their mean after the last.
    Follow,
    /// Follow one of the engines, or their mean.
    FollowEngine(FollowMode),
    /// Open a record from a file, in place of the bar's game. An address becomes a game of its own.
    Open(PathBuf),
    /// Open files and other addresses, each as a game of its own. The first is shown.
    OpenAll(Vec<LiveAddress>),
    /// Select another game of the file, or of the list that a source has, by its index.
    SelectGame(usize),
    /// Show another game on the bar.
    Show(GameId),
    /// Show another game on the study page: on the bar that has it, or else on the page's bar.
    ShowPage(GameId),
    /// Show the next game on the study page, or the one so many places after it; before it where negative.
    NextGame(i32),
    /// Study this bar's game: the page shows it from now on.
    Study,
    /// Add an empty game, and show it.
    AddGame,
    /// Close a game.
    CloseGame(GameId),
    /// Add a bar. It shows a game that no bar shows, if there is one.
    AddBar,
    /// Close the bar. The last one stays.
    CloseBar,
    /// Start an empty game from the even start position.
    New,
    /// Open a record, a position or an address from the clipboard.
    Paste(String),
    /// Read a board off the screen, or stop that.
    ReadScreen,
    /// Follow replays and variations on the screen too, or the game alone.
    FollowScreen,
    /// Read the board on the screen with the other side at the bottom.
    SwapScreen,
    /// Save the record to its file.
    Save,
    /// Save the record to another file, from a file dialog. An existing file is replaced: the dialog has asked.
    SaveAs(PathBuf),
    /// Save the record to a path that the user typed. An existing file is replaced only if the user confirms it.
    SaveChecked(PathBuf),
    /// Answer the question of a game about unsaved changes.
    Answer(GameId, UnsavedAnswer),
    /// Recover all recoverable records, each as a game of its own, or discard them.
    Recover(bool),
    /// Start an analysis of the whole game.
    Analyse(Box<AnalysisOptions>),
    /// Pause or resume the analysis.
    PauseAnalysis,
    /// End the analysis.
    EndAnalysis,
    /// Start a game from this position.
    Start(Box<Position>),
    /// End the program.
    Quit,
    /// Hide the evaluation, or show it again.
    Hide,
    /// Hide the evaluations of all bars, or show them all again.
    HideAll,
    /// Show a notice at once, for some seconds.
    Remark(Message),
    /// Show notices one after another, each for some seconds.
    Mention(Vec<Message>),
    /// Dismiss the notice that is shown for some seconds: its time is over, or the user has seen it.
    Dismiss,
    /// Mark the current notices as seen.
    Seen,
    /// Dismiss a transient notice on the study page, as its time is over.
    DismissTransient,
    /// Report whether the study page is open.
    StudyOpen(bool),
    /// Sets whether the engines pause while the evaluation is hidden.
    PauseHidden(bool),
    /// Sets the longest search of a position by engines without a limit of their own.
    LimitPositions(Option<Duration>),
    /// Sets whether a record or position that is copied anywhere becomes a game.
    WatchClipboard(bool),
    /// Whether the user guesses a move of the page's game, so that no bar may give it away.
    Guess(bool),
    /// Shows the boards of all games in a window.
    Desk,
    /// Has the engines of the bars search the live games that no bar shows, too, or no longer.
    ShareEngines(bool),
    /// Change the language of the screen.
    SetLanguage(Lang),
    /// Add a second engine, or remove the named one if two run.
    ToggleSecondEngine(String),
    /// Replace the engine that the bar follows, by name. A running engine is restarted.
    Engine(String),
    /// Rename a running engine: the old name and the new one.
    Rename(String, String),
    /// Start with the default engine the next time: the user has chosen it.
    ForgetEngines,
    /// Ask the engine about a position beside the game, or give the question up.
    Ask(Option<Inquiry>),
    /// Press a button option of an engine: the engine's name and the option's.
    Press(String, String),
}

impl AppAction {
    /// Whether the user has acted, so that earlier notices count as seen.
    pub const fn is_user_action(&self) -> bool {
        !matches!(
            self,
            Self::Remark(_)
                | Self::Mention(_)
                | Self::Dismiss
                | Self::DismissTransient
                | Self::SetLanguage(_)
                | Self::PauseHidden(_)
                | Self::LimitPositions(_)
                | Self::StudyOpen(_)
                | Self::WatchClipboard(_)
                | Self::ShareEngines(_)
                | Self::Guess(_)
                | Self::Study
        )
    }
}
