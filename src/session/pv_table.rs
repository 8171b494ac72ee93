//! What is shown of what an engine prints: which line replaces which.

use super::{SearchId, TrackedSearch};
use crate::score::{Bound, Value};
use crate::shogi::{History, Move, Position};
use crate::usi::Info;
use std::sync::Arc;

/// The most lines kept: no position has more legal moves than this, so no engine has more to say.
const MAX_RANK: u32 = 593;

/// The search that is shown, line by line. It keeps showing the last search of which it accepted a
/// line until it accepts one of another.
#[derive(Clone, Debug, Default)]
pub struct PvTable {
    showing: Option<ShownSearch>,
}

#[derive(Clone, Debug)]
struct ShownSearch {
    search: SearchId,
    history: Arc<History>,
    /// The newest of each rank, by rank.
    lines: Vec<PvLine>,
    /// The same as they were when they last made one list: see [`Showing::is_list`].
    list: Vec<PvLine>,
    figures: SearchStats,
}

#[derive(Clone, Debug)]
struct PvLine {
    candidate: Candidate,
    /// Whether the PV is known to be legal throughout, and not only in its first move.
    checked: bool,
}

/// What became of a line that was offered to a [`Screen`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PvUpdate {
    /// Nothing of it is shown.
    Refused,
    /// It changes nodes, speed or time, but no evaluation.
    Figures,
    /// Its evaluation is shown now.
    Accepted,
}

/// What is shown of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The position it was given.
    pub history: Arc<History>,
    /// The lines, by rank; never empty. The one that drives the bar is [`Shown::best`], the newest of rank 1.
    /// The others are of one list of the engine's, without the move of the first, and ranked from 2 without a
    /// gap: while a new depth comes in line by line they stay as they were at the one before.
    pub candidates: Vec<Candidate>,
    /// How far the search is.
    pub figures: SearchStats,
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
pub struct SearchStats {
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

impl PvTable {
    /// Offers a line of `search`, as the [`Ledger`](super::Ledger) credits it. What is refused:
    /// - all of a search that is not wanted any more, or whose position is unknown;
    /// - a bound, where there is an exact value of the same search and rank;
    /// - a line shallower than the one of the same search and rank.
    pub fn update(&mut self, search: &TrackedSearch, info: &Info) -> PvUpdate {
        let Some(history) = search.history.as_ref().filter(|_| search.wanted) else { return PvUpdate::Refused };
        let judged = info.score.filter(|_| info.rank() <= MAX_RANK).and_then(|score| search.judge(score));
        let Some((value, bound)) = judged else {
            let same_search = self.showing.as_mut().filter(|showing| showing.search == search.id);
            let changed = same_search.is_some_and(|showing| showing.figures.follow(info));
            return if changed { PvUpdate::Figures } else { PvUpdate::Refused };
        };
        let showing = match &mut self.showing {
            Some(showing) if showing.search == search.id => showing,
            other => other.insert(ShownSearch::new(search.id, Arc::clone(history))),
        };
        let changed = showing.figures.follow(info);
        match (showing.update_line(info, value, bound), changed) {
            (true, _) => PvUpdate::Accepted,
            (false, true) => PvUpdate::Figures,
            (false, false) => PvUpdate::Refused,
        }
    }

    /// What is shown; `None` before the first line was accepted.
    ///
    /// The moves of a PV behind the first are played out here and not when the line arrives, since
    /// engines print far more lines than are ever looked at.
    pub fn shown(&mut self) -> Option<SearchInfo> {
        let showing = self.showing.as_mut()?;
        for line in showing.lines.iter_mut().chain(&mut showing.list).filter(|line| !line.checked) {
            line.candidate.pv.truncate(legal_prefix(showing.history.now(), &line.candidate.pv));
            line.checked = true;
        }
        Some(SearchInfo {
            history: Arc::clone(&showing.history),
            candidates: showing.candidates(),
            figures: showing.figures,
        })
    }
}

impl ShownSearch {
    const fn new(search: SearchId, history: Arc<History>) -> Self {
        let figures = SearchStats { depth: None, seldepth: None, nodes: None, nps: None, time: None, hashfull: None };
        Self { search, history, lines: Vec::new(), list: Vec::new(), figures }
    }

    /// The lines as they are shown.
    fn candidates(&self) -> Vec<Candidate> {
        let lead = self.lines.first().filter(|line| line.candidate.rank == 1);
        let Some(lead) = lead else { return self.lines.iter().map(|line| line.candidate.clone()).collect() };
        let others =
            self.list.iter().filter(|line| line.first_move().is_some() && line.first_move() != lead.first_move());
        let others = others.take(self.list.len().saturating_sub(1));
        let ranked = std::iter::once(lead).chain(others).zip(1..);
        ranked.map(|(line, rank)| Candidate { rank, ..line.candidate.clone() }).collect()
    }

    /// Whether the newest lines, of which the last came with this rank, make one list.
    ///
    /// Engines number the moves anew with every depth. Those that print each line when it is ready have one move
    /// twice meanwhile, and none of the move that was better; those of Stockfish's family print all lines each
    /// time, the ones they have not come to with the depth and value of the iteration before. So it is a list when
    /// each move is there once and all are of one depth. Others, `dlshogi` for one, give every line a depth of its
    /// own: they have said all when the last line has come.
    fn is_list(&self, rank: u32) -> bool {
        let is_new = |(at, line): (usize, &PvLine)| {
            let same = |other: &PvLine| other.first_move() == line.first_move();
            !self.lines.iter().take(at).any(same)
        };
        if !self.lines.iter().enumerate().all(is_new) {
            return false;
        }
        let depths = || self.lines.iter().map(|line| line.candidate.depth);
        let is_level = depths().zip(depths().skip(1)).all(|(one, next)| one == next);
        // Below the best the engine has come to some of these lines, and those that it has not are one behind.
        let one_behind = |deepest: Option<u32>| deepest.and_then(|deepest| deepest.checked_sub(1));
        let is_on_its_way = depths().skip(1).is_sorted_by(|one, next| one >= next)
            && depths().next_back().is_some_and(|last| last.is_some() && last == depths().nth(1).and_then(one_behind));
        let is_last = self.lines.last().is_some_and(|line| line.candidate.rank == rank);
        let has_grown = self.lines.len() > self.list.len();
        is_level || has_grown || (is_last && !is_on_its_way)
    }

    /// Takes the line in where it says more than the one of its rank.
    fn update_line(&mut self, info: &Info, value: Value, bound: Option<Bound>) -> bool {
        let place = self.lines.binary_search_by_key(&info.rank(), |line| line.candidate.rank);
        let held = place.ok().and_then(|at| self.lines.get(at));
        if held.is_some_and(|held| !held.candidate.gives_way_to(info.depth, bound)) {
            return false;
        }
        let (pv, checked) = self.pv(info, held);
        let depth = info.depth.or_else(|| held.and_then(|held| held.candidate.depth));
        let line = PvLine { candidate: Candidate { rank: info.rank(), value, bound, depth, pv }, checked };
        if line.candidate.rank == 1 {
            self.figures.depth = line.candidate.depth;
            self.figures.seldepth = info.seldepth.or(self.figures.seldepth);
        }
        match place {
            Ok(at) => self.lines.splice(at..=at, [line]).for_each(drop),
            Err(at) => self.lines.insert(at, line),
        }
        // One line is no list, and most engines are asked for no more.
        if self.lines.len() > 1 && self.is_list(info.rank()) {
            self.list.clone_from(&self.lines);
        }
        true
    }

    /// The PV to be shown, and whether it is known to be legal throughout: that of the line, unless
    /// it does not even begin with a legal move, or is only the beginning of one that is known. Where an
    /// engine finds its answer in its table, its line often ends there.
    fn pv(&self, info: &Info, held: Option<&PvLine>) -> (Vec<Move>, bool) {
        let has_pv = info.pv.first().is_some_and(|mv| self.history.now().is_legal(*mv));
        let goes_on =
            |line: &&PvLine| line.candidate.pv.len() > info.pv.len() && line.candidate.pv.starts_with(&info.pv);
        match held {
            _ if has_pv => {
                let known = held.into_iter().chain(&self.lines).chain(&self.list).find(goes_on);
                known.map_or_else(|| (info.pv.clone(), false), |line| (line.candidate.pv.clone(), line.checked))
            }
            Some(held) => (held.candidate.pv.clone(), held.checked),
            None => (Vec::new(), true),
        }
    }
}

impl PvLine {
    fn first_move(&self) -> Option<Move> {
        self.candidate.pv.first().copied()
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

impl SearchInfo {
    /// The line that drives the bar: that of rank 1.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|candidate| candidate.rank == 1)
    }
}

impl SearchStats {
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
