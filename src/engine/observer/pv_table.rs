//! The visible part of an engine's output, and which line replaces which.

use super::TrackedSearch;
use crate::usi::{Info, SearchId};
use shogibar_shogi::score::{Bound, Value};
use shogibar_shogi::{History, MAX_LEGAL_MOVES, Move, Position};
use std::sync::Arc;

/// The largest rank that is kept: the largest number of legal moves of a position.
const MAX_RANK: u32 = MAX_LEGAL_MOVES;

/// The lines of the search that is shown: the last search with an accepted line. The lines stay until a line of another
/// search is accepted.
#[derive(Clone, Debug, Default)]
pub struct PvTable {
    current_search: Option<ShownSearch>,
}

#[derive(Clone, Debug)]
struct ShownSearch {
    search: SearchId,
    history: Arc<History>,
    /// The newest line of each rank, sorted by rank.
    lines: Vec<PvLine>,
    /// The lines when they last formed one list, each move once; see [`ShownSearch::newest_list`].
    complete_list: Vec<PvLine>,
    stats: SearchStats,
}

/// A line of the shown search.
#[derive(Clone, Debug)]
struct PvLine {
    candidate: Candidate,
    /// Whether the whole PV is known to be legal, and not only its first move.
    is_pv_checked: bool,
    /// Whether the line has arrived since the last complete list.
    is_new: bool,
}

/// The result of [`PvTable::update`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PvUpdate {
    /// The line changes nothing.
    Ignored,
    /// The line changes nodes, speed, time or hash use, but no evaluation.
    Stats,
    /// The line is stored. A line of rank 1 is shown at once, the others once their list is complete.
    Accepted,
}

/// The visible output of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The searched position, with the moves that led to it.
    pub history: Arc<History>,
    /// The lines, by rank and each move once; never empty. The bar shows [`SearchInfo::best`], the newest of rank 1. The
    /// others belong to one list of the engine. Their ranks start at 2 without a gap. While the lines of a new depth
    /// arrive, the others keep the previous depth. Before the first line of rank 1, the newest lines.
    pub candidates: Vec<Candidate>,
    /// The progress of the search.
    pub stats: SearchStats,
}

/// One pv of a search, with its value and rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The rank of the line, from 1.
    pub rank: u32,
    /// The value, in Black's view.
    pub value: Value,
    /// The kind of bound, in Black's view; `None` for an exact value.
    pub bound: Option<Bound>,
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The expected moves, all legal in sequence from the position searched.
    pub pv: Vec<Move>,
}

/// The progress of a search; `None` for what the engine does not report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// The depth of the line of rank 1, in plies.
    pub depth: Option<u32>,
    /// The depth since which the line of rank 1 has begun with its present move, in plies.
    pub best_since: Option<u32>,
    /// The selective depth, in plies.
    pub seldepth: Option<u32>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// The speed, in positions per second.
    pub nps: Option<u64>,
    /// The time since the search began, in milliseconds.
    pub time: Option<u64>,
    /// The use of the hash table, in thousandths.
    pub hashfull: Option<u32>,
}

impl PvTable {
    /// Applies a line of `search`, as assigned by the [`SearchTracker`](super::SearchTracker). The table refuses:
    /// - all lines of a search that is no longer wanted, or whose position is unknown;
    /// - a bound, where there is an exact value of the same search and rank;
    /// - a line shallower than the one of the same search and rank.
    pub fn update(&mut self, search: &TrackedSearch, info: &Info) -> PvUpdate {
        let history = match &search.history {
            Some(history) if search.is_wanted => history,
            _ => return PvUpdate::Ignored,
        };
        let evaluation = match info.score {
            Some(score) if info.rank() <= MAX_RANK => search.score_for_black(score),
            _ => None,
        };
        let Some((value, bound)) = evaluation else {
            let same_search = self
                .current_search
                .as_mut()
                .filter(|current| current.belongs_to(search.id, history));
            let changed = same_search.is_some_and(|current| current.stats.merge(info));
            return if changed {
                PvUpdate::Stats
            } else {
                PvUpdate::Ignored
            };
        };
        let current = match &mut self.current_search {
            Some(current) if current.belongs_to(search.id, history) => current,
            other => other.insert(ShownSearch::new(search.id, Arc::clone(history))),
        };
        let changed = current.stats.merge(info);
        match (current.update_line(info, value, bound), changed) {
            (true, _) => PvUpdate::Accepted,
            (false, true) => PvUpdate::Stats,
            (false, false) => PvUpdate::Ignored,
        }
    }

    /// Returns whether a search has an evaluation: a line of rank 1.
    pub fn has_value(&self, search: SearchId) -> bool {
        let current = self
            .current_search
            .as_ref()
            .filter(|current| current.search == search);
        current.is_some_and(|current| current.lines.first().is_some_and(|line| line.candidate.rank == 1))
    }

    /// Returns the visible output; `None` before the first accepted line.
    ///
    /// The moves of a PV after the first are checked here and not when the line arrives.
    /// Engines print far more lines than are ever shown.
    pub fn shown(&mut self) -> Option<SearchInfo> {
        let current = self.current_search.as_mut()?;
        for line in current
            .lines
            .iter_mut()
            .chain(&mut current.complete_list)
            .filter(|line| !line.is_pv_checked)
        {
            line.candidate
                .pv
                .truncate(legal_prefix_len(current.history.now(), &line.candidate.pv));
            line.is_pv_checked = true;
        }
        Some(SearchInfo {
            history: Arc::clone(&current.history),
            candidates: current.candidates(),
            stats: current.stats,
        })
    }
}

impl ShownSearch {
    /// Returns whether a line of this search and position belongs to the shown search. A ponder search that begins a
    /// move earlier has two positions.
    fn belongs_to(&self, search: SearchId, history: &Arc<History>) -> bool {
        self.search == search && Arc::ptr_eq(&self.history, history)
    }

    const fn new(search: SearchId, history: Arc<History>) -> Self {
        let stats = SearchStats {
            depth: None,
            best_since: None,
            seldepth: None,
            nodes: None,
            nps: None,
            time: None,
            hashfull: None,
        };
        Self {
            search,
            history,
            lines: Vec::new(),
            complete_list: Vec::new(),
            stats,
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        let lead = self.lines.first().filter(|line| line.candidate.rank == 1);
        let Some(lead) = lead else {
            let lines = self.lines.iter().filter(|line| !is_repetition(line, &self.lines));
            return lines.map(|line| line.candidate.clone()).collect();
        };
        let others = self
            .complete_list
            .iter()
            .filter(|line| line.first_move().is_some() && line.first_move() != lead.first_move());
        let others = others.take(self.complete_list.len().saturating_sub(1));
        let ranked = std::iter::once(lead).chain(others).zip(1..);
        ranked
            .map(|(line, rank)| Candidate {
                rank,
                ..line.candidate.clone()
            })
            .collect()
    }

    /// Returns the newest lines, each move once, if they form one list; `rank` is that of the last line received.
    ///
    /// Engines number the moves anew with every depth. Engines that print each line when it is ready have one move
    /// twice meanwhile, and lack another move. Engines of Stockfish's family print all lines each time. Lines not yet
    /// reached keep the depth and value of the previous iteration. So the lines form a list when each move occurs once
    /// and all lines have one depth. Other engines, for example `dlshogi`, give every line a different depth: their
    /// list is complete when the last line has arrived. An engine may also report a move at two ranks: its list is
    /// complete when every line is new.
    fn newest_list(&self, rank: u32) -> Option<Vec<PvLine>> {
        let is_row = |line: &&PvLine| line.candidate.rank == 1 || line.first_move().is_some();
        let list: Vec<&PvLine> = self
            .lines
            .iter()
            .filter(is_row)
            .filter(|line| !is_repetition(line, &self.lines))
            .collect();
        let is_complete = if list.len() > self.complete_list.len() {
            true
        } else if list.len() < self.lines.iter().filter(is_row).count() {
            self.lines.iter().all(|line| line.is_new)
        } else {
            self.has_one_depth() || self.is_last_of_list(rank)
        };
        is_complete.then(|| {
            let is_missing =
                |known: &&PvLine| list.iter().all(|line| line.first_move() != known.first_move());
            let room = self.complete_list.len().saturating_sub(list.len());
            // Where a move occurs twice, the engine has said nothing else of another one of the previous list.
            let missing = self.complete_list.iter().filter(is_missing).take(room);
            list.iter().copied().chain(missing).cloned().collect()
        })
    }

    fn has_one_depth(&self) -> bool {
        let depths = || self.lines.iter().map(|line| line.candidate.depth);
        depths().zip(depths().skip(1)).all(|(one, next)| one == next)
    }

    /// Returns whether `rank` is the last rank, and the lines before it are as new.
    fn is_last_of_list(&self, rank: u32) -> bool {
        let depths = || self.lines.iter().map(|line| line.candidate.depth);
        // The engine has updated only the first of the lines below the best one; the rest are one depth behind.
        let is_incomplete = depths().skip(1).is_sorted_by(|one, next| one >= next)
            && depths().next_back().is_some_and(|last| {
                last.is_some()
                    && last
                        == depths()
                            .nth(1)
                            .flatten()
                            .and_then(|deepest| deepest.checked_sub(1))
            });
        self.lines.last().is_some_and(|line| line.candidate.rank == rank) && !is_incomplete
    }

    /// Applies the line unless the existing line of its rank is better. Returns whether the line was applied.
    fn update_line(&mut self, info: &Info, value: Value, bound: Option<Bound>) -> bool {
        let index = self
            .lines
            .binary_search_by_key(&info.rank(), |line| line.candidate.rank);
        let existing = index.ok().and_then(|at| self.lines.get(at));
        if existing.is_some_and(|existing| !existing.candidate.is_replaced_by(info.depth, bound)) {
            return false;
        }
        let (pv, is_pv_checked) = self.pv(info, existing);
        let depth = info
            .depth
            .or_else(|| existing.and_then(|existing| existing.candidate.depth));
        let candidate = Candidate {
            rank: info.rank(),
            value,
            bound,
            depth,
            pv,
        };
        let line = PvLine {
            candidate,
            is_pv_checked,
            is_new: true,
        };
        if line.candidate.rank == 1 {
            self.stats.depth = line.candidate.depth;
            if existing.is_none_or(|existing| existing.first_move() != line.first_move()) {
                self.stats.best_since = line.candidate.depth;
            }
            self.stats.seldepth = info.seldepth.or(self.stats.seldepth);
        }
        match index {
            Ok(at) => self.lines.splice(at..=at, [line]).for_each(drop),
            Err(at) => self.lines.insert(at, line),
        }
        // One line is not a list, and most engines are asked for only one.
        if self.lines.len() > 1
            && let Some(list) = self.newest_list(info.rank())
        {
            self.complete_list = list;
            self.lines.iter_mut().for_each(|line| line.is_new = false);
        }
        true
    }

    /// Returns the PV to show, and whether it is known to be legal throughout.
    ///
    /// A PV that does not begin with a legal move is replaced by the known PV of the rank. A PV that is only the
    /// beginning of a known PV is replaced by that one: an engine that finds the answer in its table often ends the PV
    /// there.
    fn pv(&self, info: &Info, existing: Option<&PvLine>) -> (Vec<Move>, bool) {
        let has_pv = info.pv.first().is_some_and(|mv| self.history.now().is_legal(*mv));
        match existing {
            _ if has_pv => {
                let known = existing
                    .into_iter()
                    .chain(&self.lines)
                    .chain(&self.complete_list)
                    .find(|line| {
                        line.candidate.pv.len() > info.pv.len() && line.candidate.pv.starts_with(&info.pv)
                    });
                known.map_or_else(
                    || (info.pv.clone(), false),
                    |line| (line.candidate.pv.clone(), line.is_pv_checked),
                )
            }
            Some(existing) => (existing.candidate.pv.clone(), existing.is_pv_checked),
            None => (Vec::new(), true),
        }
    }
}

/// Returns whether another line counts for the move of a line.
fn is_repetition(line: &PvLine, lines: &[PvLine]) -> bool {
    lines
        .iter()
        .any(|other| other.candidate.supersedes(&line.candidate))
}

impl PvLine {
    fn first_move(&self) -> Option<Move> {
        self.candidate.pv.first().copied()
    }
}

impl Candidate {
    /// Returns whether a later line of the same search and rank replaces this one. A line without a depth does not
    /// count as shallower.
    fn is_replaced_by(&self, depth: Option<u32>, bound: Option<Bound>) -> bool {
        let shallower = depth
            .zip(self.depth)
            .is_some_and(|(new, existing)| new < existing);
        let only_a_bound = bound.is_some() && self.bound.is_none();
        !shallower && !only_a_bound
    }

    /// Returns whether this is another line with the same first move that counts instead of `other`: it is deeper, or as
    /// deep and of a later rank.
    fn supersedes(&self, other: &Self) -> bool {
        let has_same_move = self.pv.first().is_some_and(|mv| other.pv.first() == Some(mv));
        has_same_move && (self.depth, self.rank) > (other.depth, other.rank)
    }
}

impl SearchInfo {
    /// Creates the output of a search from lines of any source, sorted by rank. Each move is kept once: the line of rank
    /// 1, or else the deepest one.
    pub fn new(history: Arc<History>, mut candidates: Vec<Candidate>, stats: SearchStats) -> Self {
        candidates.truncate(usize::try_from(MAX_RANK).unwrap_or(usize::MAX));
        let all = candidates.clone();
        let best = all.first().filter(|candidate| candidate.rank == 1);
        candidates.retain(|line| match best {
            Some(best) if best == line => true,
            Some(best) if best.pv.first() == line.pv.first() => false,
            _ => !all.iter().any(|other| other.supersedes(line)),
        });
        if best.is_some() {
            candidates
                .iter_mut()
                .zip(1..)
                .for_each(|(candidate, rank)| candidate.rank = rank);
        }
        Self {
            history,
            candidates,
            stats,
        }
    }

    /// Returns the line that the bar shows: that of rank 1.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|candidate| candidate.rank == 1)
    }
}

impl SearchStats {
    /// Merges nodes, speed, time and hash use of a line, and returns whether anything changed.
    fn merge(&mut self, info: &Info) -> bool {
        let before = *self;
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nps.or(self.nps);
        self.time = info.time.or(self.time);
        self.hashfull = info.hashfull.or(self.hashfull);
        *self != before
    }
}

/// Returns the number of moves of `pv` that are legal in sequence from `position`.
pub fn legal_prefix_len(position: &Position, pv: &[Move]) -> usize {
    let mut position = position.clone();
    pv.iter().take_while(|mv| position.play(**mv).is_ok()).count()
}

#[cfg(test)]
mod tests;
