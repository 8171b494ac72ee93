//! The inputs and outputs of the model.

use super::{EngineId, EngineInfo, EngineShare};
use crate::Message;
use crate::action::AppAction;
use crate::game::{OpenPosition, StoredValues};
use crate::game_analysis::{AnalysisEffect, AnalysisEvent};
use crate::ids::{BarId, GameId, RelayId, SourceId};
use crate::jobs::{Job, JobKey, JobResult};
use crate::observed_game::ObservedGame;
use crate::open_request::OpenRequest;
use crate::outputs::PageClients;
use crate::pages::control::ControlCommand;
use crate::record_file::{FileEffect, FileEvent};
use crate::settings::ModelSettings;
use crate::workspace::Workspace;
use shogibar_base::CauseText;
use shogibar_config::Remark;
use shogibar_engine::process::ExitReason;
use shogibar_engine::session::{SearchTarget, Snapshot};
use shogibar_games::analysis::EngineScales;
use shogibar_games::calibration::UserGame;
use shogibar_games::study::DrillLine;
use shogibar_kifu::Warning;
use shogibar_live::{BoardCorrection, LiveAddress, LiveGame, ScreenFollowing, SourceEvent};
use std::path::PathBuf;
use std::sync::Arc;

/// An input of the [`AppModel`](super::AppModel).
#[derive(Debug)]
pub enum AppEvent {
    /// An action of the user, or of the program for the user, on a bar.
    Action(BarId, AppAction),
    /// The result of a [`FileEffect`] for a game.
    File(GameId, FileEvent),
    /// An engine was started, or could not be started.
    EngineStarted(EngineId, Result<EngineInfo, CauseText>),
    /// The K of an engine was fitted to another net than its present one.
    NetDiffers(EngineId),
    /// An engine's state has changed.
    Snapshot(EngineId, Box<Snapshot>),
    /// The result of an [`AnalysisEffect`] for a game.
    Analysis(GameId, AnalysisEvent),
    /// A relay has connected. Holds the user's name for its engine.
    RelayConnected(RelayId, String),
    /// The game of a relay has changed.
    RelayChanged(RelayId, Box<ObservedGame>),
    /// The connection to a relay has ended. Holds the failure of its engine, if there was one.
    RelayEnded(RelayId, Option<ExitReason>),
    /// An event of a source.
    Source(SourceId, SourceEvent),
    /// The addresses given at the start, for the study page's bar. The first opens at this position.
    OpenGiven(Vec<LiveAddress>, OpenPosition),
    /// A second start has handed over a request.
    HandedOver(OpenRequest),
    /// Other OBS pages are open than before.
    PageClients(PageClients),
    /// The window of the board page was opened, or closed.
    BoardWindow(bool),
    /// The scales of the user's engines have changed.
    ScalesChanged(EngineScales),
    /// A request to the control address. Holds the game that it names, if any.
    Control(ControlCommand, Option<GameId>),
    /// A request to show the newest position of a game. The game's file is read if it was not read yet.
    ShowNewest(GameId),
    /// The games and further bars of an earlier run are to be restored. The engines of the first bar run already; those
    /// of the others are started.
    Restore(Box<Workspace>),
    /// The program ends: the evaluations of all games that have a result are stored.
    ProgramEnding,
    /// A result of a job.
    JobResult(JobResult),
    /// A job could not be started.
    JobFailed(Job),
    /// The result of [`AppEffect::StoreDrillLines`]: the reason why lines cannot be stored.
    DrillLinesStored(Option<CauseText>),
    /// Whether the bars' windows are hidden, and no page shows them.
    BarsHidden(bool),
    /// The settings of the user have changed.
    Settings(ModelSettings),
    /// The problems of the settings have changed. Holds the problems that remain.
    SettingsProblems(Vec<Remark>),
    /// A tick: games that are searched in turn may change, and clocks run. Sent every
    /// [`TICK_INTERVAL`](super::TICK_INTERVAL) after [`AppEffect::SetTicking`].
    Tick,
    /// A request to read more of a long record. Sent after [`AppEffect::ReadMore`].
    ReadMore,
    /// A message for the user.
    Notice(Message),
}

/// An output of the [`AppModel`](super::AppModel), for the shell to carry out.
#[derive(Debug)]
pub enum AppEffect {
    /// Work with the file of a game.
    File(GameId, FileEffect),
    /// A game is closed: end the work with its file, and delete its autosave copy.
    CloseFile(GameId),
    /// Delete copies that the user does not want.
    DeleteCopies(Vec<PathBuf>),
    /// Store the list of recently opened files.
    StoreRecent(Vec<PathBuf>),
    /// Store the workspace for the next start.
    StoreWorkspace(Workspace),
    /// Store the values that were shown, by game.
    StoreValues(Vec<Arc<StoredValues>>),
    /// Report to a user at a terminal the warnings of a file, or why it cannot be read.
    ReportOpened(PathBuf, Result<Vec<Warning>, Message>),
    /// Start an engine. Answered by [`AppEvent::EngineStarted`].
    StartEngine {
        /// The identity of the new engine.
        id: EngineId,
        /// The name of the engine.
        name: String,
        /// The engine's share of the processors.
        share: EngineShare,
    },
    /// End an engine.
    EndEngine(EngineId),
    /// Start a job. Answered by [`AppEvent::JobResult`]s or [`AppEvent::JobFailed`], unless a newer job replaces it.
    Run(Job),
    /// End the job of a key, if there is one. Its results no longer count.
    Cancel(JobKey),
    /// Change the search target of an engine. A newer target replaces an older one.
    SetTarget(EngineId, SearchTarget),
    /// Press a button option of an engine.
    PressButton(EngineId, String),
    /// Carry out an effect of the analysis of a game.
    Analysis(GameId, AnalysisEffect),
    /// Append lines to the file of the deck of mistakes, with those that could not be stored before.
    StoreDrillLines(Vec<DrillLine>),
    /// Store the evaluations of a finished game by the user's engines.
    StoreResults(Vec<UserGame>),
    /// Follow an address. Answered by [`AppEvent::Source`]s. Holds the game to continue, if the source is a board on
    /// the screen that was followed before.
    StartSource(SourceId, LiveAddress, Option<LiveGame>),
    /// End a source.
    EndSource(SourceId),
    /// Change how a board on the screen is followed.
    SetScreen(SourceId, ScreenFollowing),
    /// Apply the user's correction to a position that a source reads off the screen.
    CorrectScreen(SourceId, Box<BoardCorrection>),
    /// Forget the piece sets of boards that were read off the screen.
    ForgetPieces,
    /// Open the window of the desk.
    OpenDesk,
    /// Open the window of the board page.
    OpenBoardPage,
    /// Open the panel of the outputs.
    OpenProgramme {
        /// Whether the user has asked for it. Otherwise another window keeps the focus.
        takes_focus: bool,
    },
    /// Send an [`AppEvent::Tick`] every [`TICK_INTERVAL`](super::TICK_INTERVAL) if `true`; otherwise stop the ticks.
    SetTicking(bool),
    /// Send an [`AppEvent::ReadMore`] before the next frame.
    ReadMore,
}
