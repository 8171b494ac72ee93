//! What is searched, and when that is enough.

use super::{Core, Phase};
use crate::config::Limit;
use crate::session::{EngineState, PvUpdate, SearchTarget};
use crate::shogi::{History, Move};
use crate::usi::{BestMove, Info, Reply};
use std::sync::Arc;
use std::time::Duration;

/// How long an engine may be silent when it is asked whether it is ready between two searches.
const FENCED_WITHIN: Duration = Duration::from_secs(10);
/// How long an engine that ended a search unasked may be silent in the next. gpsusi hangs in it for good
/// once it has announced a mate; so it is told to stop, and one that does not answer is started again.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);
/// How long after its `bestmove` an engine may go on printing what it had still to say. One that
/// prints values later than this is searching, and so is one that had said nothing before it.
const TRAILS: Duration = Duration::from_millis(500);

/// How long it may be silent where that is the beginning of a new game: it may be wiping a table of gigabytes.
const NEW_GAME_WITHIN: Duration = Duration::from_mins(1);
/// By how much a search may exceed the limit in nodes that the engine was told of before it is taken for one
/// that takes no notice: some look at their count only now and then.
const NODES_OVER: u64 = 1_000_000;

/// Whether an engine can be told of a limit. gpsusi aborts on `go nodes` and `go depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoLimitSupport {
    Untried,
    /// It has answered a search whose limit it was told.
    Taken,
    /// It ended in the first of such searches.
    Refused,
}

/// Who ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopMode {
    /// We do, by `stop`.
    AtOurWord,
    /// The engine, which was told of the limit.
    AtItsLimit,
}

/// What was searched last, kept after the search ends, so that a position is not searched again when
/// the engine stops by itself.
#[derive(Debug)]
pub(super) struct LastSearch {
    pub(super) history: Arc<History>,
    /// When it is enough.
    limit: Limit,
    /// Whether it was stopped because something else was wanted: then it is not done.
    broken_off: bool,
    /// Whether the engine was fenced before it, so that its answer is its own.
    fenced: bool,
    /// Who ends it.
    ends: StopMode,
    /// Whether the engine has said anything of it before the answer.
    heard: bool,
    /// When it is to end, where it has first to show that it runs.
    full_time: Option<Duration>,
    /// When it ended, where nobody had told it to.
    ended_by_itself: Option<Duration>,
    /// What it ended with.
    pub(super) best: Option<Move>,
}

impl Core {
    pub(super) fn set_target(&mut self, wish: SearchTarget) {
        self.wish = wish;
        let limit = self.target_limit();
        // The same position and limit again is the same wish, and is then told apart without a look at it.
        if let (Some(searched), Some(position)) = (&self.searched, &mut self.wish.position)
            && searched.limit == limit
            && searched.history == *position
        {
            *position = Arc::clone(&searched.history);
        }
        match self.phase {
            Phase::Idle => {
                // Whether it is paused is seen, too.
                self.changed();
                self.search_if_wanted();
            }
            Phase::Searching if !self.is_searching_the_wish() => self.break_off(),
            // Before it is ready, or while it stops: what is wanted then is taken up in due course.
            Phase::Handshaking
            | Phase::Readying
            | Phase::Fencing
            | Phase::Searching
            | Phase::Stopping
            | Phase::Backoff
            | Phase::Quitting
            | Phase::Exited => {}
        }
    }

    pub(super) fn on_search_reply(&mut self, reply: &Reply) {
        let Some(mut search) = self.ledger.received(reply) else { return };
        match reply {
            Reply::Info(info) => {
                // The ledger knows what was asked; what is wanted by now only we know.
                let is_broken_off = self.searched.as_ref().is_none_or(|searched| searched.broken_off);
                search.wanted &= !is_broken_off && self.is_searching_the_wish();
                let offer = self.screen.update(&search, info);
                if offer != PvUpdate::Refused {
                    self.changed();
                }
                if offer == PvUpdate::Accepted {
                    self.outdated = false;
                }
                if let Some(searched) = &mut self.searched {
                    searched.heard = true;
                    if let Some(end) = searched.full_time.take().filter(|_| self.phase == Phase::Searching) {
                        self.deadline = Some(end);
                    }
                }
                if self.phase == Phase::Searching && self.is_enough(info) {
                    self.stop();
                }
            }
            Reply::BestMove { .. } | Reply::Checkmate(_) => self.answered(reply),
            _ => {}
        }
    }

    fn answered(&mut self, reply: &Reply) {
        if let Some(searched) = &mut self.searched {
            let is_told = searched.ends == StopMode::AtItsLimit;
            let by_itself = self.phase == Phase::Searching && !is_told;
            if is_told {
                self.told = GoLimitSupport::Taken;
            }
            self.answers += u64::from(self.settings.new_game_each && !searched.broken_off);
            searched.best = match reply {
                Reply::BestMove { best: BestMove::Move(mv), .. } => Some(*mv),
                _ => None,
            };
            searched.ended_by_itself = by_itself.then_some(self.now);
        }
        self.searched.take_if(|searched| searched.broken_off);
        self.enter(Phase::Idle, None);
        self.search_if_wanted();
    }

    /// What an engine says when nothing is asked of it. A `bestmove` here is one too many: it, or the
    /// one before it, answered nothing, and the next could be taken for the answer to another search. A
    /// value here could next time stand under another position.
    pub(super) fn on_idle_reply(&mut self, reply: &Reply) {
        let is_answer = matches!(reply, Reply::BestMove { .. } | Reply::Checkmate(_));
        let doubtful = |searched: &mut LastSearch| searched.ended_by_itself.is_some() && !searched.fenced;
        if is_answer {
            self.process.has_leftovers = true;
            // Which of the two it was meant to have cannot be known.
            if self.searched.take_if(doubtful).is_some() {
                self.changed();
            }
            self.search_if_wanted();
        } else if matches!(reply, Reply::Info(info) if info.score.is_some()) {
            self.process.has_leftovers = true;
            self.notice_that_it_goes_on();
        }
    }

    /// An engine that goes on printing values has not ended its search: what was taken for its end was
    /// left over from the one before. It is stopped, and the position searched once more.
    fn notice_that_it_goes_on(&mut self) {
        let Some(searched) = &mut self.searched else { return };
        let goes_on = searched.ended_by_itself.is_some_and(|at| !searched.heard || self.now >= at + TRAILS);
        if !goes_on || searched.fenced {
            return;
        }
        searched.broken_off = true;
        let history = Arc::clone(&searched.history);
        self.ledger.sent_position(history);
        self.ledger.sent("go infinite");
        self.stop();
    }

    pub(super) fn on_fence_reply(&mut self, reply: &Reply) {
        self.deadline = Some(self.now + self.fenced_within());
        if matches!(reply, Reply::ReadyOk) {
            if self.settings.new_game_each {
                self.send("usinewgame");
            }
            self.enter(Phase::Idle, None);
            if let Some(wish) = self.next_to_search() {
                self.search(wish, true);
            }
        }
    }

    pub(super) fn search_if_wanted(&mut self) {
        let Some(wish) = self.next_to_search() else { return };
        if self.needs_fence() {
            self.send("isready");
            self.enter(Phase::Fencing, Some(self.fenced_within()));
        } else {
            self.search(wish, false);
        }
    }

    /// What is to be searched next, if it can be.
    fn next_to_search(&mut self) -> Option<Arc<History>> {
        if self.trouble.take().is_some() {
            self.changed();
        }
        let wish = Arc::clone(self.wish.search().filter(|_| !self.is_searching_the_wish())?);
        if let Err(reason) = wish.now().searchable() {
            self.trouble = Some(EngineState::Unsearchable(reason));
            self.searched = None;
            self.changed();
            return None;
        }
        Some(wish)
    }

    /// Whether something may still come that could be taken for the answer to another search: from an
    /// engine that has said a `bestmove` too many, and from one that answered unasked without a word
    /// on the position, since that may have been the same. And a new game begins with one: `YaneuraOu` clears
    /// its table at `isready` and at nothing else.
    fn needs_fence(&self) -> bool {
        if self.settings.new_game_each && self.process.has_searched {
            return true;
        }
        let unasked = |searched: &LastSearch| searched.ended_by_itself.is_some() && !searched.heard && !searched.fenced;
        self.process.has_leftovers || self.searched.as_ref().is_some_and(unasked)
    }

    fn search(&mut self, wish: Arc<History>, fenced: bool) {
        self.send(&format!("position {}", wish.usi()));
        // Limits are ours to watch: some engines abort on `movetime` and `nodes`, others take no
        // notice of them, and all obey `stop`. But where our `stop` ends a search, it is chance how far
        // that got.
        let limit = self.target_limit();
        let can_be_told = self.settings.new_game_each && self.told != GoLimitSupport::Refused;
        let (ends, go) = match limit {
            Limit::Nodes(_) | Limit::Depth(_) if can_be_told => (StopMode::AtItsLimit, format!("go {limit}")),
            _ => (StopMode::AtOurWord, "go infinite".to_owned()),
        };
        self.send(&go);
        self.process.has_searched = true;
        self.ledger.sent_position(Arc::clone(&wish));
        self.ledger.sent(&go);
        let within = match limit {
            Limit::Time(time) => time,
            Limit::Infinite | Limit::Nodes(_) | Limit::Depth(_) => self.settings.time_limit,
        };
        let is_doubted = self.searched.as_ref().is_some_and(|searched| searched.ended_by_itself.is_some());
        let at_first = if is_doubted { within.min(SIGN_OF_LIFE) } else { within };
        self.searched = Some(LastSearch {
            history: wish,
            limit,
            broken_off: false,
            fenced,
            ends,
            heard: false,
            full_time: (at_first < within).then(|| self.now + within),
            ended_by_itself: None,
            best: None,
        });
        self.enter(Phase::Searching, Some(at_first));
    }

    /// When the position that is wanted has been searched enough.
    fn target_limit(&self) -> Limit {
        self.wish.limit.unwrap_or(self.settings.limit)
    }

    /// How long it may be silent at a fence: as long as after `stop`, where that is long.
    pub(super) fn fenced_within(&self) -> Duration {
        let within = if self.settings.new_game_each { NEW_GAME_WITHIN } else { FENCED_WITHIN };
        within.max(self.settings.stopped_within)
    }

    /// Whether the engine was told of the limit of what it searches.
    fn is_told(&self) -> bool {
        self.searched.as_ref().is_some_and(|searched| searched.ends == StopMode::AtItsLimit)
    }

    /// Takes note of the end of a process in the first search whose limit it was told.
    pub(super) fn note_refusal(&mut self) {
        let is_told = self.is_told();
        if is_told && self.told == GoLimitSupport::Untried && matches!(self.phase, Phase::Searching | Phase::Stopping) {
            self.told = GoLimitSupport::Refused;
        }
    }

    /// Whether a line of the search under way says that its limit is reached. A depth is done when the
    /// last of the candidates has it, or when the next has begun. One that the engine was told of has to be
    /// exceeded clearly.
    fn is_enough(&self, info: &Info) -> bool {
        let told = self.is_told();
        let limit = self.searched.as_ref().map_or(self.settings.limit, |searched| searched.limit);
        match limit {
            Limit::Infinite | Limit::Time(_) => false,
            Limit::Nodes(most) if told => {
                info.nodes.is_some_and(|nodes| nodes > most.saturating_mul(2).saturating_add(NODES_OVER))
            }
            Limit::Nodes(most) => info.nodes.is_some_and(|nodes| nodes >= most),
            Limit::Depth(most) if told => info.depth.is_some_and(|depth| depth > most),
            Limit::Depth(most) => info.depth.is_some_and(|depth| {
                let exact = info.score.is_some_and(|score| score.bound.is_none());
                depth > most || (depth == most && exact && info.rank() >= self.settings.multipv)
            }),
        }
    }

    /// Whether the search under way, or the last one, is of the position that is wanted.
    fn is_searching_the_wish(&self) -> bool {
        match (&self.searched, self.wish.search()) {
            (Some(searched), Some(wish)) => {
                Arc::ptr_eq(&searched.history, wish) && searched.limit == self.target_limit()
            }
            _ => false,
        }
    }

    /// The time of a search is up. One that has not shown that it runs is not done by that.
    pub(super) fn time_is_up(&mut self) {
        if let Some(searched) = self.searched.as_mut().filter(|searched| searched.full_time.is_some()) {
            searched.broken_off = true;
        }
        self.stop();
    }

    /// Stops a search that is not done by that.
    pub(super) fn break_off(&mut self) {
        if let Some(searched) = &mut self.searched {
            searched.broken_off = true;
        }
        self.stop();
    }

    pub(super) fn stop(&mut self) {
        self.send("stop");
        self.enter(Phase::Stopping, Some(self.settings.stopped_within));
    }
}
