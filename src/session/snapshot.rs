//! What is known of an engine at one moment.

use super::SearchInfo;
use crate::config::RejectedOption;
use crate::score::Model;
use crate::shogi::{History, Move, Unsearchable};
use crate::text::{CauseText, ProgramExit};
use std::sync::Arc;
use std::time::Duration;

/// What is known of an engine at one moment. Every value in it belongs to the position that it
/// carries itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The name the engine gave itself; empty before that.
    pub engine: String,
    /// What it is doing.
    pub state: EngineState,
    /// For how many seconds it has owed an answer: to `usi` and `isready` since it was started, and
    /// since its last sign of life where it is [silent](State::Silent). 0 when it owes none.
    pub waited: u64,
    /// The scale that suits it.
    pub model: Model,
    /// What of the user's options was not sent to it, because it does not fit; empty before it introduced itself.
    pub misfits: Vec<RejectedOption>,
    /// How many candidates it was asked for.
    pub asked: usize,
    /// Its answer to the last search; `None` while it searches, and before the first.
    pub answer: Option<SearchResult>,
    /// Whether it ended when it was told of a limit, so that its searches are stopped by us instead.
    pub refuses_limits: bool,
    /// What it last said of a position, and which.
    pub shown: Option<SearchInfo>,
    /// Whether that was said by a process that is gone: it is true, and nobody is at it any more.
    pub outdated: bool,
}

/// How an engine ended a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The position it was given.
    pub history: Arc<History>,
    /// The move it would play, which may be all that it says: that of a book has no value.
    pub best: Option<Move>,
}

/// What an engine is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EngineState {
    /// It has been started and has not said `usiok`.
    #[default]
    Starting,
    /// It is loading what it needs and has not said `readyok`.
    Preparing,
    /// It has nothing to do, or has finished.
    Idle,
    /// It is searching.
    Thinking,
    /// It is ready, and is to rest.
    Paused,
    /// It does not answer: it may have hung, or the line to it is interrupted. It is waited for.
    Silent,
    /// It was not shown the position that is wanted, because engines crash on such.
    Unsearchable(Unsearchable),
    /// It is gone, and is about to be started again, or is getting ready again.
    Restarting(Restart),
    /// It is gone for good, until the user wants it to be tried again.
    Failed(EngineFailure),
}

/// What went wrong, with what it said last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFailure {
    /// What happened.
    pub kind: FailureKind,
    /// The last lines it wrote, oldest first.
    pub last_lines: Vec<String>,
    /// How often it was started again before it was given up.
    pub restarts: u32,
}

/// An engine that is started again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// What was wrong with the one before.
    pub failure: EngineFailure,
    /// Which restart it is, from 1.
    pub nth: u32,
    /// The pause it is in; `None` once it has been started.
    pub pause: Option<Duration>,
}

/// What can go wrong with an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// There is no such file.
    NotFound(String),
    /// The folder that it is to run in is not there.
    NoFolder(String),
    /// The file is no program that can run here.
    NotAProgram(String),
    /// The system did not start it: which file, and why.
    NotStarted(String, CauseText),
    /// It ended before it said `usiok`.
    EndedAtOnce(ProgramExit),
    /// It said nothing, or not `usiok`, in the seconds given.
    NoUsiOk(u64),
    /// What it prints is not USI.
    NotUsi,
    /// It was ready, was asked again, and said neither `readyok` nor anything else in the seconds given.
    NoReadyOk(u64),
    /// It does not answer `stop`.
    NoStop,
    /// It does not read what it is told.
    NotReading,
    /// It ended while it was in use.
    Crashed(ProgramExit),
}
