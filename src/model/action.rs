//! The actions of the user.

use super::game::OpenPlace;
use super::ids::GameId;
use crate::analysis::AnalysisOptions;
use crate::bar::FollowMode;
use crate::config::ModelCommand;
use crate::engine_game::EngineGameSettings;
use crate::live::{BoardCorrection, LiveAddress};
use crate::shogi::Position;
use crate::study::{DocumentEdit, Inquiry, UnsavedAnswer};
use crate::text::Message;
use std::path::PathBuf;

/// An action of the user, or of the program in the user's name. It is done on a bar: on its game and its engines.
#[derive(Clone, Debug, PartialEq)]
pub enum AppAction {
    /// Run a command, this number of times at once.
    Run(ModelCommand, i32),
    /// Play against an engine from the position on view, in a tab of its own.
    BeginEngineGame(Box<EngineGameSettings>),
    /// Act in the game against an engine.
    EngineGame(EngineGameAction),
    /// Edit the record of the bar's game, or go to another position of it.
    Edit(DocumentEdit),
    /// Go forward by so many moves; back where negative.
    Step(i32),
    /// Follow one of the engines, or their mean.
    FollowEngine(FollowMode),
    /// Open a record from a file, in place of the bar's game. An address becomes a game of its own.
    OpenFile(PathBuf),
    /// Open files and other addresses, each as a game of its own. The first is shown.
    OpenAddresses(Vec<LiveAddress>),
    /// Open a game of a file at a place, in the tab of that file or one of its own.
    OpenGame(PathBuf, Box<OpenPlace>),
    /// Select another game of the file, or of the list that a source has, by its index.
    SelectGame(usize),
    /// Show another game on the bar.
    Show(GameId),
    /// Show another game on the study page: on the bar that has it, or else on the page's bar.
    ShowPage(GameId),
    /// Study this bar's game: the page shows it from now on.
    StudyBar,
    /// Close a game.
    Close(GameId),
    /// Open a record, a position or an address from the clipboard.
    PasteText(String),
    /// Save the record to its file.
    SaveFile,
    /// Save the record to another file, from a file dialog. An existing file is replaced: the dialog has asked.
    SaveTo(PathBuf),
    /// Save the record to a path that the user typed. An existing file is replaced only if the user confirms it.
    SaveChecked(PathBuf),
    /// Answer the question of a game about unsaved changes.
    Answer(GameId, UnsavedAnswer),
    /// Recover all recoverable records, each as a game of its own, or discard them.
    Recover(bool),
    /// Start an analysis of the whole game.
    StartAnalysis(Box<AnalysisOptions>),
    /// Pause or resume the analysis.
    PauseAnalysis,
    /// End the analysis.
    EndAnalysis,
    /// Start a game from this position.
    StartGame(Box<Position>),
    /// Take a position that is read off the screen as the user says it is.
    CorrectBoard(Box<BoardCorrection>),
    /// Note the position that the user sets up on the study page, once it is changed; `None` where that is over.
    EditPosition(Option<Box<Position>>),
    /// End the program.
    RequestQuit,
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
    /// Whether the user guesses a move of the page's game, so that no bar may give it away.
    Guess(bool),
    /// Add a second engine, or remove the named one if two run.
    ToggleSecondEngine(String),
    /// Replace the engine that the bar follows, by name. A running engine is restarted.
    ReplaceEngine(String),
    /// Rename a running engine: the old name and the new one.
    Rename(String, String),
    /// Start with the default engine the next time: the user has chosen it.
    ForgetEngines,
    /// Ask the engine about a position beside the game, or give the question up.
    Ask(Option<Inquiry>),
    /// Press a button option of an engine: the engine's name and the option's.
    Press(String, String),
}

/// What a user does in a game against an engine, beside moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineGameAction {
    /// Resign.
    Resign,
    /// Take the last move back.
    TakeBack,
    /// Interrupt the game.
    Interrupt,
    /// Go on after an interruption, or start the engine again.
    Resume,
    /// Declare a win by entering king.
    Declare,
    /// End the game: its record is one like any other from now on.
    Close,
}

impl AppAction {
    /// Runs a command once.
    pub const fn run(command: ModelCommand) -> Self {
        Self::Run(command, 1)
    }

    /// Whether the user has acted, so that earlier notices count as seen.
    pub const fn is_user_action(&self) -> bool {
        !matches!(
            self,
            Self::Remark(_)
                | Self::Mention(_)
                | Self::Dismiss
                | Self::DismissTransient
                | Self::StudyOpen(_)
                | Self::Guess(_)
                | Self::Edit(_)
                | Self::EditPosition(_)
                | Self::StudyBar
        )
    }
}
