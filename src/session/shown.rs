//! What is shown of what an engine prints: which line replaces which.

use super::{Search, SearchId};
use crate::score::{Bound, Value};
use crate::shogi::{History, Move, Position};
use crate::usi::Info;
use std::sync::Arc;

/// The most lines kept: no position has more legal moves than this, so no engine has more to say.
const MAX_RANK: u32 = 593;

/// The search that is shown, line by line. It keeps showing the last search of which it accepted a
/// line until it accepts one of another.
#[derive(Clone, Debug, Default)]
pub struct Screen {
    showing: Option<Showing>,
}

#[derive(Clone, Debug)]
struct Showing {
    search: SearchId,
    history: Arc<History>,
    /// By rank, each rank once.
    lines: Vec<Line>,
    figures: Figures,
}

#[derive(Clone, Debug)]
struct Line {
    candidate: Candidate,
    /// Whether the PV is known to be legal throughout, and not only in its first move.
    checked: bool,
}

/// What became of a line that was offered to a [`Screen`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Nothing of it is shown.
    Refused,
    /// It changes nodes, speed or time, but no evaluation.
    Figures,
    /// Its evaluation is shown now.
    Accepted,
}

/// What is shown of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The position it was given.
    pub history: Arc<History>,
    /// The lines, by rank; never empty. The one that drives the bar is [`Shown::best`].
    pub candidates: Vec<Candidate>,
    /// How far the search is.
    pub figures: Figures,
}

/// One line of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its rank, from 1.
    pub rank: u32,
    /// Its value, in Black's view.
    pub value: Value,
    /// Which way the true value may still go, in Black's view; `None` for an exact one.
    pub bound: Option<Bound>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// The moves the engine expects, all legal one after the other from the position searched.
    pub pv: Vec<Move>,
}

/// How far a search is; what the engine does not say is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Plies searched by the line of the first rank.
    pub depth: Option<u32>,
    /// Plies searched along its longest line.
    pub seldepth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched per second.
    pub nps: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
}

impl Screen {
    /// Offers a line of `search`, as the [`Ledger`](super::Ledger) credits it. What is refused:
    /// - all of a search that is not wanted any more, or whose position is unknown;
    /// - a bound, where there is an exact value of the same search and rank;
    /// - a line shallower than the one of the same search and rank.
    pub fn offer(&mut self, search: &Search, info: &Info) -> Offer {
        let Some(history) = search.history.as_ref().filter(|_| search.wanted) else { return Offer::Refused };
        let judged = info.score.filter(|_| info.rank() <= MAX_RANK).and_then(|score| search.judge(score));
        let Some((value, bound)) = judged else {
            let same_search = self.showing.as_mut().filter(|showing| showing.search == search.id);
            let changed = same_search.is_some_and(|showing| showing.figures.follow(info));
            return if changed { Offer::Figures } else { Offer::Refused };
        };
        let showing = match &mut self.showing {
            Some(showing) if showing.search == search.id => showing,
            other => other.insert(Showing::new(search.id, Arc::clone(history))),
        };
        let changed = showing.figures.follow(info);
        match (showing.offer(info, value, bound), changed) {
            (true, _) => Offer::Accepted,
            (false, true) => Offer::Figures,
            (false, false) => Offer::Refused,
        }
    }

    /// What is shown; `None` before the first line was accepted.
    ///
    /// The moves of a PV behind the first are played out here and not when the line arrives, since
    /// engines print far more lines than are ever looked at.
    pub fn shown(&mut self) -> Option<Shown> {
        let showing = self.showing.as_mut()?;
        for line in showing.lines.iter_mut().filter(|line| !line.checked) {
            line.candidate.pv.truncate(legal_prefix(showing.history.now(), &line.candidate.pv));
            line.checked = true;
        }
        Some(Shown {
            history: Arc::clone(&showing.history),
            candidates: showing.lines.iter().map(|line| line.candidate.clone()).collect(),
            figures: showing.figures,
        })
    }
}

impl Showing {
    const fn new(search: SearchId, history: Arc<History>) -> Self {
        let figures = Figures { depth: None, seldepth: None, nodes: None, nps: None, time: None, hashfull: None };
        Self { search, history, lines: Vec::new(), figures }
    }

    /// Takes the line in where it says more than the one of its rank.
    fn offer(&mut self, info: &Info, value: Value, bound: Option<Bound>) -> bool {
        let place = self.lines.binary_search_by_key(&info.rank(), |line| line.candidate.rank);
        let held = place.ok().and_then(|at| self.lines.get(at));
        if held.is_some_and(|held| !held.candidate.gives_way_to(info.depth, bound)) {
            return false;
        }
        let (pv, checked) = self.pv(info, held);
        let depth = info.depth.or_else(|| held.and_then(|held| held.candidate.depth));
        let line = Line { candidate: Candidate { rank: info.rank(), value, bound, depth, pv }, checked };
        if line.candidate.rank == 1 {
            self.figures.depth = line.candidate.depth;
            self.figures.seldepth = info.seldepth.or(self.figures.seldepth);
        }
        match place {
            Ok(at) => self.lines.splice(at..=at, [line]).for_each(drop),
            Err(at) => self.lines.insert(at, line),
        }
        true
    }

    /// The PV to be shown, and whether it is known to be legal throughout: that of the line, unless
    /// it does not even begin with a legal move.
    fn pv(&self, info: &Info, held: Option<&Line>) -> (Vec<Move>, bool) {
        let has_pv = info.pv.first().is_some_and(|mv| self.history.now().is_legal(*mv));
        match held {
            _ if has_pv => (info.pv.clone(), false),
            Some(held) => (held.candidate.pv.clone(), held.checked),
            None => (Vec::new(), true),
        }
    }
}

impl Candidate {
    /// Whether a line of the same search and rank replaces this one. A line that does not say its
    /// depth is not taken for a shallower one.
    fn gives_way_to(&self, depth: Option<u32>, bound: Option<Bound>) -> bool {
        let shallower = depth.zip(self.depth).is_some_and(|(new, held)| new < held);
        let only_a_bound = bound.is_some() && self.bound.is_none();
        !shallower && !only_a_bound
    }
}

impl Shown {
    /// The line that drives the bar: that of rank 1.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|candidate| candidate.rank == 1)
    }
}

impl Figures {
    /// Takes over what a line says beside its evaluation, and tells whether anything changed.
    fn follow(&mut self, info: &Info) -> bool {
        let before = *self;
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nps.or(self.nps);
        self.time = info.time.or(self.time);
        self.hashfull = info.hashfull.or(self.hashfull);
        *self != before
    }
}

/// How many moves of `pv` can be played one after the other from `position`.
pub fn legal_prefix(position: &Position, pv: &[Move]) -> usize {
    let mut position = position.clone();
    pv.iter().take_while(|mv| position.play(**mv).is_ok()).count()
}

#[cfg(test)]
mod tests;
