//! The actions of the user.

use super::game::OpenPosition;
use super::ids::GameId;
use crate::Message;
use crate::outputs::{OutputCommand, OutputId};
use shogibar_config::{ModelCommand, VideoPace};
use shogibar_games::analysis::{AnalysisOptions, Evaluator};
use shogibar_games::bar::FollowMode;
use shogibar_games::engine_game::EngineGameSettings;
use shogibar_games::study::{CardId, DocumentEdit, DrillCard, Inquiry, UnsavedAnswer};
use shogibar_live::{BoardCorrection, LiveAddress};
use shogibar_shelf::ShelfQuery;
use shogibar_shogi::Position;
use std::path::PathBuf;

/// An action of the user, or of the program for the user. Each is sent with a bar, and concerns the game and the
/// engines of that bar.
#[derive(Clone, Debug, PartialEq)]
pub enum AppAction {
    /// Run a command this number of times.
    Run(ModelCommand, i32),
    /// Play against an engine from the position on view, in a new tab.
    BeginEngineGame(Box<EngineGameSettings>),
    /// Act in the game against an engine.
    EngineGame(EngineGameAction),
    /// Edit the record of the bar's game, or go to another position of it.
    Edit(DocumentEdit),
    /// Let an evaluator judge the record.
    ChooseJudge(Evaluator),
    /// Go forward by this number of moves; back if it is negative.
    Step(i32),
    /// Follow one of the engines, or their mean.
    FollowEngine(FollowMode),
    /// Open a record from a file, in place of the bar's game. An address becomes a new game.
    OpenFile(PathBuf),
    /// Open files and other addresses, each as a new game. The first is shown.
    OpenAddresses(Vec<LiveAddress>),
    /// Open a game of a file at a position, in the tab of that file or in a new one.
    OpenGame(PathBuf, Box<OpenPosition>),
    /// Select another game by its index: in the file, or in the list of the source.
    SelectGame(usize),
    /// Show another game on the bar.
    Show(GameId),
    /// Carry out a command for an output.
    Output(OutputId, OutputCommand),
    /// Show only numbers of every game, or everything again.
    NumbersOnly(bool),
    /// Put a game on the pages of all games, while such a page is open.
    List(GameId),
    /// Show another game on the study page: on the bar that has it, or else on the page's bar.
    ShowInStudy(GameId),
    /// Show the game of this bar on the study page.
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
    /// Recover all recoverable records, each as a new game, if `true`; else discard them.
    Recover(bool),
    /// Start an analysis of the whole game.
    StartAnalysis(Box<AnalysisOptions>),
    /// Pause or resume the analysis.
    PauseAnalysis,
    /// End the analysis.
    EndAnalysis,
    /// Start a game from this position.
    StartGame(Box<Position>),
    /// Report what the study page shows of the shelf.
    ShowShelf(ShownShelf),
    /// Write a game as a video to this file. Another video that is being written is cancelled.
    MakeVideo(GameId, PathBuf, VideoPace),
    /// Cancel the video that is being written.
    CancelVideo,
    /// Act on the deck of mistakes.
    Drill(DrillAction),
    /// Apply the user's correction to a position that is read off the screen.
    CorrectBoard(Box<BoardCorrection>),
    /// Store the position that the user sets up on the study page. `None` ends the setup.
    EditPosition(Option<Box<Position>>),
    /// End the program.
    RequestQuit,
    /// Hide the evaluations of all bars, or show them all again.
    HideAll,
    /// Show a notice at once, for some seconds.
    ShowNotice(Message),
    /// Show notices one after another, each for some seconds, once the present one is gone.
    QueueNotices(Vec<Message>),
    /// End the notice of this number on its bar: its time is over, or the user has seen it.
    EndNotice(u64),
    /// Dismiss the notice that the requested record cannot be read.
    DismissUnreadable,
    /// Dismiss the transient notice on the study page, after some seconds. An error that waits behind it stays.
    DismissTransient,
    /// Report whether the study page is open.
    SetStudyOpen(bool),
    /// Report whether the user guesses a move of the study page's game. While the user guesses, no bar shows the
    /// evaluation.
    SetGuessing(bool),
    /// Add a second engine, or remove the named one if two run.
    ToggleSecondEngine(String),
    /// Replace the engine that the bar follows, by name. A running engine is restarted.
    ReplaceEngine(String),
    /// Start the engines that the user was asked about, beside those of other bars.
    StartOfferedEngines,
    /// Rename a running engine. Holds the old name and the new one.
    RenameEngine(String, String),
    /// Start with the default engine in the next run: the chosen engines are not stored.
    ForgetEngines,
    /// Ask the engine about a position beside the game. `None` drops the question.
    Ask(Option<Inquiry>),
    /// Press a button option of an engine. Holds the names of the engine and of the option.
    PressButton(String, String),
}

/// What the study page shows of the shelf.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShownShelf {
    /// The shelf is closed.
    #[default]
    Closed,
    /// The text of the user is no valid query.
    Invalid,
    /// The answer to a query.
    Query(Box<ShelfQuery>),
}

/// An action of the user on the deck of mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrillAction {
    /// Read the deck.
    Open,
    /// Add mistakes.
    Add(Vec<DrillCard>),
    /// Record the answer to a mistake of the deck.
    RecordAnswer {
        /// The id of the card.
        card: CardId,
        /// The day, in days since 1970.
        day: u32,
        /// Whether a good move was found.
        right: bool,
    },
    /// Add the mistakes of all records in a folder.
    Collect {
        /// The folder with the records.
        folder: PathBuf,
        /// A part of the player's name; empty for both players.
        player_name: String,
    },
}

/// An action of the user in a game against an engine, beside moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineGameAction {
    /// Resign.
    Resign,
    /// Take the last move back.
    TakeBack,
    /// Interrupt the game.
    Interrupt,
    /// Continue after an interruption, or restart the engine.
    Resume,
    /// Declare a win by entering king.
    Declare,
    /// End the game: from now on its record is an ordinary one.
    Close,
}

impl AppAction {
    /// Creates the action that runs a command once.
    pub const fn run(command: ModelCommand) -> Self {
        Self::Run(command, 1)
    }

    /// Returns whether the action dismisses earlier notices, because it shows that the user has seen them.
    pub const fn dismisses_notices(&self) -> bool {
        !matches!(
            self,
            Self::ShowNotice(_)
                | Self::QueueNotices(_)
                | Self::EndNotice(_)
                | Self::DismissTransient
                | Self::SetStudyOpen(_)
                | Self::SetGuessing(_)
                | Self::Edit(_)
                | Self::EditPosition(_)
                | Self::ChooseJudge(_)
                | Self::ShowShelf(_)
                | Self::Drill(_)
                | Self::StudyBar
                | Self::Output(..)
                | Self::NumbersOnly(_)
                | Self::List(_)
        )
    }
}
