//! The searches of a session: their start, limits, answers and end.

use super::mate::MateProgress;
use super::{Core, Phase};
use crate::observer::PvUpdate;
use crate::options::Limit;
use crate::session::timeouts::{
    FIRST_OUTPUT_TIMEOUT, LATE_OUTPUT_TIME, MATE_TIMEOUT, NEW_GAME_TIMEOUT, PLAIN_MATE_TIMEOUT,
    SILENT_SEARCH_TIMEOUT, SYNC_TIMEOUT,
};
use crate::session::{EngineState, MateSearch, SearchTarget};
use crate::usi::{BestMove, Info, Reply};
use shogibar_shogi::History;
use shogibar_shogi::score::UsiScore;
use std::sync::Arc;
use std::time::Duration;

/// The number of nodes beyond twice the limit of `go nodes` at which the session stops the search. Some
/// engines check their count only now and then.
const NODES_MARGIN: u64 = 1_000_000;

/// Whether an engine accepts a limit in `go`. gpsusi aborts on `go nodes` and `go depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoLimitSupport {
    /// No search with a limit has been sent.
    Untried,
    /// The engine has answered a search with a limit.
    Supported,
    /// The engine ended in the first search with a limit.
    Refused,
}

/// The way in which a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopMode {
    /// The session sends `stop`.
    SessionStops,
    /// The engine stops at the limit in `go`.
    EngineStops,
}

/// The latest search, in progress or ended. The data stays after the end, so that a position is not searched again when
/// the engine stops by itself.
#[derive(Debug)]
pub(super) struct LatestSearch {
    pub(super) history: Arc<History>,
    limit: Limit,
    /// Whether the search was stopped before it was complete.
    pub(super) was_aborted: bool,
    /// Whether `isready` preceded the search, so that the answer belongs to it.
    was_synchronized: bool,
    /// The way in which the search ends.
    stop_mode: StopMode,
    /// Whether the engine has printed any `info` for this search before the answer.
    has_output: bool,
    /// The deadlines of a search that has to print something early; `None` after the first output, and for other
    /// searches.
    first_output: Option<FirstOutputDeadlines>,
    /// The time at which the engine ended the search without `stop` or a limit.
    ended_by_itself_at: Option<Duration>,
    /// The `bestmove` of the search.
    pub(super) best_move: BestMove,
    /// The results of a search for a mate; `None` for any other search.
    pub(super) mate: Option<MateProgress>,
}

/// The deadlines of a search that has to print something before its full deadline, and has printed nothing yet.
#[derive(Clone, Debug)]
pub(super) struct FirstOutputDeadlines {
    /// The deadline from the first output on; `None` where the search has no limit.
    full_deadline: Option<Duration>,
    /// Whether the engine may hang, because the search before ended without `stop`.
    may_hang: bool,
}

impl Core {
    pub(super) fn mate_search(&self) -> Option<MateSearch> {
        let searched = self.finished_search()?;
        let result = searched.mate.as_ref()?.outcome()?.clone();
        Some(MateSearch {
            history: Arc::clone(&searched.history),
            result,
        })
    }

    /// Sets the target. Starts a search of the target's position, and aborts a search that the target replaces.
    pub(super) fn set_target(&mut self, target: SearchTarget) {
        let old = std::mem::replace(&mut self.target, target);
        if old.is_playing && self.target.position.is_none() && self.phase == Phase::Idle {
            // The position may occur again in the game, after a move was taken back. The latest search is forgotten, so
            // that the engine then thinks about it again.
            self.latest_search = None;
        }
        let before = old.time_limit;
        if before != self.target.time_limit {
            self.apply_time_limit(before);
        }
        let limit = self.target_limit();
        // Reusing the same `Arc` for an equal position makes the later comparison cheap.
        if let (Some(searched), Some(position)) = (&self.latest_search, &mut self.target.position)
            && searched.limit == limit
            && searched.history == *position
        {
            *position = Arc::clone(&searched.history);
        }
        match self.phase {
            Phase::Idle => {
                // The snapshot shows whether the engine is paused.
                self.bump_revision();
                self.search_if_wanted();
            }
            Phase::Searching if !self.latest_search_matches_target() => self.abort_search(),
            // Before the engine is ready, or while it stops, the target waits for the next `Idle`.
            Phase::Handshaking
            | Phase::Preparing
            | Phase::Synchronizing
            | Phase::Searching
            | Phase::Stopping
            | Phase::Backoff
            | Phase::Quitting
            | Phase::Exited => {}
        }
    }

    /// Handles output during a search.
    pub(super) fn on_search_reply(&mut self, reply: &Reply) {
        let Some(mut search) = self.tracker.on_received(reply) else {
            return;
        };
        match reply {
            Reply::Info(info) => {
                // The tracker only has the commands that were sent, and not the current target.
                let is_aborted = self
                    .latest_search
                    .as_ref()
                    .is_none_or(|searched| searched.was_aborted);
                let mut has_mate = false;
                let is_mate = self
                    .latest_search
                    .as_ref()
                    .is_some_and(|searched| searched.mate.is_some());
                // A value of a mate search is not a value of the position.
                search.is_wanted &= !is_aborted && !is_mate && self.latest_search_matches_target();
                let update = self.pv_table.update(&search, info);
                if update != PvUpdate::Ignored {
                    self.bump_revision();
                }
                if update == PvUpdate::Accepted {
                    self.is_from_old_process = false;
                }
                if let Some(searched) = &mut self.latest_search {
                    searched.has_output = true;
                    has_mate = searched
                        .mate
                        .as_mut()
                        .is_some_and(|mate| mate.record(info, &searched.history));
                    if let Some(first) = searched.first_output.take()
                        && self.phase == Phase::Searching
                    {
                        self.deadline = first.full_deadline;
                    }
                }
                if self.phase != Phase::Searching {
                    return;
                }
                if is_mate
                    && info
                        .score
                        .is_some_and(|score| matches!(score.raw, UsiScore::Cp(_)))
                {
                    // The engine searches for the best move, not for a mate.
                    let end = self.phase_since + PLAIN_MATE_TIMEOUT;
                    self.deadline = self.deadline.map(|deadline| deadline.min(end.max(self.now)));
                }
                if has_mate || self.is_limit_reached(info) {
                    self.stop();
                }
            }
            Reply::BestMove { .. } | Reply::Checkmate(_) => self.on_answer(reply),
            _ => {}
        }
    }

    /// Handles the answer that ends the latest search.
    fn on_answer(&mut self, reply: &Reply) {
        if let Some(searched) = &mut self.latest_search {
            let go_has_limit = searched.stop_mode == StopMode::EngineStops;
            let by_itself = self.phase == Phase::Searching && !go_has_limit;
            if go_has_limit {
                self.go_limit_support = GoLimitSupport::Supported;
            }
            self.completed_game_searches +=
                u64::from(self.config.new_game_per_search && !searched.was_aborted);
            searched.best_move = match reply {
                Reply::BestMove { best, .. } => *best,
                _ => BestMove::None,
            };
            if !searched.was_aborted
                && let Some(mate) = &mut searched.mate
            {
                mate.end(reply, &searched.history, self.phase == Phase::Stopping);
            }
            searched.ended_by_itself_at = by_itself.then_some(self.now);
        }
        self.latest_search.take_if(|searched| searched.was_aborted);
        self.enter(Phase::Idle, None);
        self.search_if_wanted();
    }

    /// Handles output while no search runs. A second `bestmove` means that one of the two answered no search. The next
    /// answer could then be assigned to a wrong search. A late value could be assigned to the next position. After
    /// either, the engine gets `isready` before every search.
    pub(super) fn on_idle_reply(&mut self, reply: &Reply) {
        let is_answer = matches!(reply, Reply::BestMove { .. } | Reply::Checkmate(_));
        let doubtful =
            |searched: &mut LatestSearch| searched.ended_by_itself_at.is_some() && !searched.was_synchronized;
        if is_answer {
            self.process.has_late_output = true;
            // Two answers have come, and it is unknown which of them belongs to the search.
            if self.latest_search.take_if(doubtful).is_some() {
                self.bump_revision();
            }
            self.search_if_wanted();
        } else if matches!(reply, Reply::Info(info) if info.score.is_some()) {
            self.process.has_late_output = true;
            self.stop_if_still_searching();
        }
    }

    /// Stops an engine that still prints values after a `bestmove`. That `bestmove` answered an earlier search. The
    /// position is searched again.
    fn stop_if_still_searching(&mut self) {
        let Some(searched) = &mut self.latest_search else {
            return;
        };
        let is_searching = searched
            .ended_by_itself_at
            .is_some_and(|at| !searched.has_output || self.now >= at + LATE_OUTPUT_TIME);
        if !is_searching || searched.was_synchronized {
            return;
        }
        searched.was_aborted = true;
        let history = Arc::clone(&searched.history);
        // The engine still searches, so the tracker records a search that was not sent.
        self.tracker.on_position(history);
        self.tracker.on_sent("go infinite");
        self.stop();
    }

    /// Handles output after an `isready` between two searches.
    pub(super) fn on_synchronizing_reply(&mut self, reply: &Reply) {
        self.deadline = Some(self.now + self.sync_timeout());
        if matches!(reply, Reply::ReadyOk) {
            if self.config.new_game_per_search {
                self.send("usinewgame");
            }
            self.enter(Phase::Idle, None);
            if let Some(target) = self.take_next_position() {
                self.search(target, true);
            }
        }
    }

    /// Starts the search of the target's position, or sends `isready` before it. Does nothing if the latest search is
    /// of this target.
    pub(super) fn search_if_wanted(&mut self) {
        let Some(target) = self.take_next_position() else {
            return;
        };
        if self.must_send_isready() {
            self.send("isready");
            self.enter(Phase::Synchronizing, Some(self.sync_timeout()));
        } else {
            self.search(target, false);
        }
    }

    /// Returns the target's position if it still has to be searched and can be. Updates the reported state for it.
    fn take_next_position(&mut self) -> Option<Arc<History>> {
        if self.reported_state.take().is_some() {
            self.bump_revision();
        }
        if self.latest_search_matches_target() {
            return None;
        }
        let target = Arc::clone(self.target.position_to_search()?);
        let position = target.now();
        let searchable = if self.target.is_mate_search {
            position.searchable_for_mate()
        } else {
            position.searchable()
        };
        if let Err(reason) = searchable {
            self.reported_state = Some(EngineState::Unsearchable(reason));
            self.latest_search = None;
            self.bump_revision();
            return None;
        }
        Some(target)
    }

    /// Returns whether `isready` must precede the next search. A new game begins with `isready`, except before the
    /// first search: `YaneuraOu` clears its table only then. In the same game, late output could be taken for the
    /// answer. This holds for an engine that has sent late output before, and after an unrequested answer without any
    /// `info`.
    fn must_send_isready(&self) -> bool {
        if self.config.new_game_per_search && self.process.has_searched {
            return true;
        }
        self.process.has_late_output
            || self.latest_search.as_ref().is_some_and(|searched| {
                searched.ended_by_itself_at.is_some() && !searched.has_output && !searched.was_synchronized
            })
    }

    /// Sends a position and the `go` for the target's limit. `was_synchronized` is whether `isready` preceded.
    fn search(&mut self, target: Arc<History>, was_synchronized: bool) {
        self.send(&format!("position {}", target.usi()));
        // The session enforces limits itself: some engines abort on `movetime` and `nodes`, others ignore them, and all
        // answer `stop`. But the depth and nodes of a search that `stop` ends depend on chance.
        let limit = self.target_limit();
        let wants_exact_limit = self.config.new_game_per_search || self.target.is_playing;
        let can_pass_limit = wants_exact_limit && self.go_limit_support != GoLimitSupport::Refused;
        let is_mate = self.target.is_mate_search;
        let (stop_mode, go) = match limit {
            _ if is_mate => (StopMode::SessionStops, "go mate infinite".to_owned()),
            Limit::Nodes(_) | Limit::Depth(_) if can_pass_limit => {
                (StopMode::EngineStops, format!("go {limit}"))
            }
            _ => (StopMode::SessionStops, "go infinite".to_owned()),
        };
        self.send(&go);
        self.process.has_searched = true;
        self.tracker.on_position(Arc::clone(&target));
        self.tracker.on_sent(&go);
        let timeout = match limit {
            _ if is_mate => Some(MATE_TIMEOUT),
            Limit::Time(time) => Some(
                self.default_time_limit()
                    .map_or(time, |max_time| max_time.min(time)),
            ),
            Limit::Infinite | Limit::Nodes(_) | Limit::Depth(_) => {
                self.config.time_limit.or_else(|| self.default_time_limit())
            }
        };
        let may_hang = self
            .latest_search
            .as_ref()
            .is_some_and(|searched| searched.ended_by_itself_at.is_some());
        let first_timeout = match timeout {
            // A mate search may print only its answer.
            _ if is_mate => timeout,
            _ if may_hang => {
                Some(timeout.map_or(FIRST_OUTPUT_TIMEOUT, |timeout| timeout.min(FIRST_OUTPUT_TIMEOUT)))
            }
            // An engine that was sent a limit ends by itself.
            _ if stop_mode == StopMode::EngineStops => timeout,
            _ => Some(timeout.unwrap_or(SILENT_SEARCH_TIMEOUT)),
        };
        let full_deadline = timeout.map(|timeout| self.now + timeout);
        let first_output = (first_timeout != timeout).then_some(FirstOutputDeadlines {
            full_deadline,
            may_hang,
        });
        self.latest_search = Some(LatestSearch {
            history: target,
            limit,
            was_aborted: false,
            was_synchronized,
            stop_mode,
            has_output: false,
            first_output,
            ended_by_itself_at: None,
            best_move: BestMove::None,
            mate: is_mate.then(MateProgress::default),
        });
        self.enter(Phase::Searching, first_timeout);
    }

    fn target_limit(&self) -> Limit {
        if self.target.is_mate_search {
            Limit::Infinite
        } else {
            self.target.limit.unwrap_or(self.config.limit)
        }
    }

    /// Applies another time limit of the target. The limit counts from the start of the search in progress. A search
    /// that has ended is repeated if the limit is longer than `before`, or gone.
    fn apply_time_limit(&mut self, before: Option<Duration>) {
        let now = self.target.time_limit;
        if self.config.has_user_limit || self.config.time_limit.is_some() || self.target.is_mate_search {
            return;
        }
        let is_longer = before.is_some_and(|before| now.is_none_or(|now| now > before));
        match (self.phase, &mut self.latest_search) {
            (Phase::Searching, Some(searched)) if !matches!(searched.limit, Limit::Time(_)) => {
                let end = now.map(|limit| self.phase_since + limit);
                match &mut searched.first_output {
                    Some(first) => first.full_deadline = end,
                    None => self.deadline = end,
                }
            }
            (Phase::Idle, Some(_)) if is_longer => self.latest_search = None,
            _ => {}
        }
    }

    /// Returns the time limit of the target in a game, or where neither the user nor the target has another limit.
    fn default_time_limit(&self) -> Option<Duration> {
        let is_limited =
            !self.target.is_playing && (self.config.has_user_limit || self.target.limit.is_some());
        if is_limited { None } else { self.target.time_limit }
    }

    /// Returns the longest silence after `isready` between two searches; at least the timeout for `stop`.
    pub(super) fn sync_timeout(&self) -> Duration {
        let timeout = if self.config.new_game_per_search {
            NEW_GAME_TIMEOUT
        } else {
            SYNC_TIMEOUT
        };
        timeout.max(self.config.stop_timeout)
    }

    /// Returns whether the latest search has a limit in `go`.
    fn go_has_limit(&self) -> bool {
        self.latest_search
            .as_ref()
            .is_some_and(|searched| searched.stop_mode == StopMode::EngineStops)
    }

    /// Records the end of a process during its first search with a limit in `go`.
    pub(super) fn detect_go_limit_refusal(&mut self) {
        let go_has_limit = self.go_has_limit();
        if go_has_limit
            && self.go_limit_support == GoLimitSupport::Untried
            && matches!(self.phase, Phase::Searching | Phase::Stopping)
        {
            self.go_limit_support = GoLimitSupport::Refused;
        }
    }

    /// Returns whether a line of the current search reaches the limit. A depth is complete when the
    /// last candidate has it, or when the next depth has begun. A limit in `go` has to be exceeded
    /// clearly.
    fn is_limit_reached(&self, info: &Info) -> bool {
        let go_has_limit = self.go_has_limit();
        let limit = self
            .latest_search
            .as_ref()
            .map_or(self.config.limit, |searched| searched.limit);
        match limit {
            Limit::Infinite | Limit::Time(_) => false,
            Limit::Nodes(max_nodes) if go_has_limit => info
                .nodes
                .is_some_and(|nodes| nodes > max_nodes.saturating_mul(2).saturating_add(NODES_MARGIN)),
            Limit::Nodes(max_nodes) => info.nodes.is_some_and(|nodes| nodes >= max_nodes),
            Limit::Depth(max_depth) if go_has_limit => info.depth.is_some_and(|depth| depth > max_depth),
            Limit::Depth(max_depth) => info.depth.is_some_and(|depth| {
                let exact = info.score.is_some_and(|score| score.bound.is_none());
                depth > max_depth || (depth == max_depth && exact && info.rank() >= self.config.multipv)
            }),
        }
    }

    fn latest_search_matches_target(&self) -> bool {
        match (&self.latest_search, self.target.position_to_search()) {
            (Some(searched), Some(target)) => {
                Arc::ptr_eq(&searched.history, target)
                    && searched.limit == self.target_limit()
                    && searched.mate.is_some() == self.target.is_mate_search
            }
            _ => false,
        }
    }

    /// Ends a search at its deadline. If an engine that may hang has printed nothing until then, the search is
    /// repeated.
    pub(super) fn on_time_up(&mut self) {
        if let Some(searched) = &mut self.latest_search {
            searched.was_aborted |= searched.first_output.as_ref().is_some_and(|first| first.may_hang);
        }
        self.stop();
    }

    /// Stops a search before it is complete.
    pub(super) fn abort_search(&mut self) {
        if let Some(searched) = &mut self.latest_search {
            searched.was_aborted = true;
        }
        self.stop();
    }

    /// Sends `stop`. The answer has to arrive within the timeout.
    pub(super) fn stop(&mut self) {
        self.send("stop");
        self.enter(Phase::Stopping, Some(self.config.stop_timeout));
    }
}
