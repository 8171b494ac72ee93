//! Whose every line is: which search an engine's output belongs to, and which position that search
//! was given.

use crate::score::{Bound, Value};
use crate::shogi::History;
use crate::usi::{Command, Reply, Score};
use std::collections::VecDeque;
use std::sync::Arc;

/// What was asked of an engine and not answered yet.
///
/// An engine answers its searches in the order it was given them, each with one `bestmove` or
/// `checkmate`; so whatever it prints belongs to the oldest search that has no answer. Lines printed
/// after a new `position` still belong to the old search, whose side to move is the other one.
#[derive(Clone, Debug, Default)]
pub struct SearchTracker {
    position: Option<Arc<History>>,
    unanswered: VecDeque<(SearchId, Option<Arc<History>>)>,
    /// The search whose results are still of use: the newest, until something else is asked.
    wanted: Option<SearchId>,
    started: u64,
}

/// Tells one search of a [`Ledger`] from all others, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchId(u64);

/// A search that an engine was asked for.
#[derive(Clone, Debug)]
pub struct TrackedSearch {
    /// Which.
    pub id: SearchId,
    /// The position it was given; `None` where that could not be read or led through an illegal
    /// move, so that nobody can say what the engine makes of it.
    pub history: Option<Arc<History>>,
    /// Whether its results are still of use: nothing newer was asked since.
    pub wanted: bool,
}

impl TrackedSearch {
    /// A score of this search in Black's view, with its bound; `None` where the position is unknown,
    /// and with it the side to move. This is the one place where scores are turned.
    pub fn judge(&self, score: Score) -> Option<(Value, Option<Bound>)> {
        let side = self.history.as_ref()?.now().side_to_move();
        Some((score.raw.for_black(side), score.bound.map(|bound| bound.for_black(side))))
    }
}

impl SearchTracker {
    /// Takes note of a line sent to the engine.
    pub fn sent(&mut self, line: &str) {
        match Command::parse(line) {
            Command::Position(text) => self.set_position(History::from_usi(text).ok().map(Arc::new)),
            Command::Go(_) => self.start(),
            Command::NewGame | Command::Quit => self.wanted = None,
            Command::Usi => self.restarted(),
            Command::IsReady
            | Command::SetOption(_)
            | Command::Stop
            | Command::PonderHit(_)
            | Command::GameOver(_)
            | Command::Other(_) => {}
        }
    }

    /// Takes note of a `position` that was sent, for whoever has the history it was made of.
    pub fn sent_position(&mut self, history: Arc<History>) {
        self.set_position(Some(history));
    }

    /// Takes note that another process answers from now on: all that was asked is void. A `usi`
    /// that is sent means the same, for an engine is asked for its name only when it has started.
    pub fn restarted(&mut self) {
        self.position = None;
        self.wanted = None;
        self.unanswered.clear();
    }

    /// Takes note of a line of the engine's output and says which search it belongs to; `None` for
    /// what belongs to none.
    pub fn received(&mut self, reply: &Reply) -> Option<TrackedSearch> {
        match reply {
            Reply::Info(_) => self.current(),
            Reply::BestMove { .. } | Reply::Checkmate(_) => {
                let search = self.current();
                let _answered = self.unanswered.pop_front();
                search
            }
            Reply::IdName(_) | Reply::IdAuthor(_) | Reply::Option(_) | Reply::UsiOk | Reply::ReadyOk | Reply::Other => {
                None
            }
        }
    }

    /// The search the engine is at: the oldest without an answer.
    pub fn current(&self) -> Option<TrackedSearch> {
        let (id, history) = self.unanswered.front()?;
        Some(TrackedSearch { id: *id, history: history.clone(), wanted: self.wanted == Some(*id) })
    }

    /// How many searches have no answer yet.
    pub fn unanswered(&self) -> usize {
        self.unanswered.len()
    }

    fn set_position(&mut self, position: Option<Arc<History>>) {
        self.position = position;
        self.wanted = None;
    }

    fn start(&mut self) {
        let id = SearchId(self.started);
        self.started += 1;
        self.unanswered.push_back((id, self.position.clone()));
        self.wanted = Some(id);
    }
}
