//! The state of an engine at one moment.

use crate::observer::SearchInfo;
use crate::options::RejectedOption;
use crate::process::{ExitReason, StartError};
use crate::usi::BestMove;
use shogibar_shogi::score::WinRateModel;
use shogibar_shogi::{History, Move, Unsearchable};
use std::sync::Arc;
use std::time::Duration;

/// The state of an engine at one moment. Every value in a snapshot belongs to the position that is stored with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The name from the engine's `id name`; empty before that.
    pub engine: String,
    /// The current activity of the engine.
    pub state: EngineState,
    /// The time for which an answer of the engine has been awaited, in seconds; 0 when no answer is awaited.
    ///
    /// For `usi` and `isready`, the time counts from the start of the process. While the engine is
    /// [silent](EngineState::Silent), the time counts from the last output.
    pub waited_seconds: u64,
    /// The scale from centipawns to win rates for this engine.
    pub model: WinRateModel,
    /// The user's options that were not sent because they do not fit; empty before `usiok`.
    pub rejected_options: Vec<RejectedOption>,
    /// The number of candidates requested.
    pub multipv: usize,
    /// The result of the last search; `None` during a search and before the first.
    pub result: Option<SearchResult>,
    /// The result of the last search if that was a mate search; `None` during a search.
    pub mate: Option<MateSearch>,
    /// Whether the engine ended when it was sent a limit. Its searches are then stopped by `stop`.
    pub refuses_limits: bool,
    /// The latest search output and its position; `None` before the first value.
    pub search_info: Option<SearchInfo>,
    /// Whether `search_info` comes from a process that has ended. The output is still valid, but is not updated.
    pub is_from_old_process: bool,
}

/// The position and the result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateSearch {
    /// The searched position, with the moves that led to it.
    pub history: Arc<History>,
    /// The result of the search.
    pub result: MateOutcome,
}

/// The result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateOutcome {
    /// A mate, with its moves, all legal.
    Mate(Vec<Move>),
    /// There is no mate, or the engine found none.
    NoMate,
    /// The search ended without a proof: at the time limit, by a stop, or with moves that do not mate.
    Timeout,
    /// The engine has no mate search.
    NotImplemented,
}

/// The answer that ended a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The searched position, with the moves that led to it.
    pub history: Arc<History>,
    /// The answer of the engine. Its move may have no value, such as a book move, and may be illegal.
    pub best_move: BestMove,
}

impl SearchResult {
    /// Returns the best move; `None` if the engine has sent no legal move.
    pub fn legal_best_move(&self) -> Option<Move> {
        let BestMove::Move(mv) = self.best_move else {
            return None;
        };
        self.history.now().is_legal(mv).then_some(mv)
    }
}

/// The current activity of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EngineState {
    /// The process was started and has not sent `usiok`.
    #[default]
    Starting,
    /// The engine is loading and has not sent `readyok`.
    Preparing,
    /// The engine has nothing to search, or has finished.
    Idle,
    /// The engine is searching.
    Thinking,
    /// The engine searches the position after this move, which the opponent is expected to make. Only the engine of a
    /// relay has this state.
    Pondering(Move),
    /// The connection to the relay of the engine has ended.
    Disconnected,
    /// A shogi GUI leads the engine, and has requested no search.
    Waiting,
    /// The engine is ready and paused.
    Paused,
    /// The engine does not answer: it may hang, or its connection is interrupted. The session keeps waiting.
    Silent,
    /// The position was not sent, because engines crash on such positions.
    Unsearchable(Unsearchable),
    /// The process has ended. The engine waits for a restart, or has been restarted and is getting ready.
    Restarting(Restart),
    /// The process has ended for good, until the user retries.
    Failed(EngineFailure),
}

/// A failure, with the engine's last output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFailure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// The last lines of output, oldest first.
    pub last_lines: Vec<String>,
    /// The number of restarts before the engine was given up.
    pub restart_count: u32,
}

/// A restart of the engine after a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// The failure of the previous process.
    pub failure: EngineFailure,
    /// The number of this restart, from 1.
    pub number: u32,
    /// The pause before the restart; `None` once the process has been started.
    pub pause: Option<Duration>,
}

/// The kind of an engine failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The process could not be started.
    NotStarted(StartError),
    /// The process ended before `usiok`, or closed its output (`None`).
    EndedAtOnce(Option<ExitReason>),
    /// The engine did not send `usiok` within this number of seconds.
    NoUsiOk(u64),
    /// The output is not USI.
    NotUsi,
    /// An engine that was ready did not answer a further `isready` within this number of seconds.
    NoReadyOk(u64),
    /// The engine does not answer `stop`.
    NoStop,
    /// The engine does not read its input.
    NotReading,
    /// The process ended while it was in use, or closed its output (`None`).
    Crashed(Option<ExitReason>),
}

impl FailureKind {
    /// Returns whether the program has never been an engine: it cannot be started, or does not speak USI.
    pub const fn is_unusable(&self) -> bool {
        matches!(
            self,
            Self::NotStarted(_) | Self::EndedAtOnce(_) | Self::NoUsiOk(_) | Self::NotUsi
        )
    }
}
