//! Assigns each line of an engine's output to a search, and each search to its position.

use super::legal_prefix_len;
use crate::usi::tokens::Tokens;
use crate::usi::{Info, Reply, Score, SearchId, SearchQueue, UsiCommand};
use shogibar_shogi::History;
use shogibar_shogi::score::{Bound, Value};
use std::sync::Arc;

/// The searches that an engine has not answered yet, with their positions. Lines printed after a new `position` still
/// belong to the old search, whose side to move is the other one.
#[derive(Clone, Debug, Default)]
pub struct SearchTracker {
    /// The position of the last `position` command; `None` if it cannot be read.
    position: Option<Arc<History>>,
    searches: SearchQueue<SearchedPosition>,
    /// The search whose results are still needed: the newest, until another command replaces it.
    current_search: Option<SearchId>,
    /// Whether ponder searches begin a move earlier: the option `Stochastic_Ponder`.
    is_stochastic: bool,
    /// Whether lines are missing, so that an unknown search may be unanswered.
    has_gap: bool,
}

/// The position that the engine was asked to search.
#[derive(Clone, Debug, Default)]
struct SearchedPosition {
    /// The position. `None` where it could not be read or contains an illegal move: the engine's reading of it is
    /// unknown.
    history: Option<Arc<History>>,
    /// Whether the last move is only expected.
    is_ponder: bool,
    /// The position before the expected move, if the engine searches that position; else `None`.
    position_before: Option<Arc<History>>,
    /// Whether lines of both positions may arrive. This holds from the expected move until the first line of the
    /// position after it.
    is_mixed: bool,
}

/// A search that was requested from an engine.
#[derive(Clone, Debug)]
pub struct TrackedSearch {
    /// The identifier of the search.
    pub id: SearchId,
    /// The position searched. `None` where it is unknown.
    pub history: Option<Arc<History>>,
    /// Whether the results are still needed: no newer command replaces them.
    pub is_wanted: bool,
    /// Whether the engine ponders: the opponent has not made the expected move.
    pub is_ponder: bool,
}

impl TrackedSearch {
    /// Converts a score of this search to Black's view, with its bound. Returns `None` for a sentinel that is not a
    /// value, and without a known side to move. Scores are converted only here.
    pub fn score_for_black(&self, score: Score) -> Option<(Value, Option<Bound>)> {
        let side = self.history.as_ref()?.now().side_to_move();
        Some((
            score.raw.for_black(side)?,
            score.bound.map(|bound| bound.for_black(side)),
        ))
    }
}

impl SearchTracker {
    /// Records a line sent to the engine.
    pub fn on_sent(&mut self, line: &str) {
        match UsiCommand::parse(line) {
            UsiCommand::Position(text) => self.set_position(History::from_usi(text).ok().map(Arc::new)),
            UsiCommand::Go(limits) => self.start(Tokens::new(limits).any(|word| word == "ponder")),
            UsiCommand::NewGame | UsiCommand::Quit => self.current_search = None,
            // The process may be new, or the same one again: `readyok` ends its search.
            UsiCommand::Usi if self.searches.oldest().is_some() => self.on_gap(),
            UsiCommand::Usi => self.position = None,
            UsiCommand::SetOption(option) => {
                if let Some(value) = stochastic_ponder(option) {
                    self.is_stochastic = value;
                }
            }
            UsiCommand::PonderHit(_) => {
                if let Some(searched) = self.searches.newest_mut() {
                    searched.is_ponder = false;
                    searched.is_mixed = searched.position_before.is_some();
                }
            }
            UsiCommand::IsReady | UsiCommand::Stop | UsiCommand::GameOver(_) | UsiCommand::Other(_) => {}
        }
    }

    /// Records a `position` command, for a caller that has its history.
    pub fn on_position(&mut self, history: Arc<History>) {
        self.set_position(Some(history));
    }

    /// Drops pending searches after a restart: the new process does not answer them.
    pub fn reset(&mut self) {
        // The identifiers continue: a PV table distinguishes the searches of two processes by them.
        self.searches.clear();
        *self = Self {
            searches: std::mem::take(&mut self.searches),
            ..Self::default()
        };
    }

    /// Records that lines are missing, in either direction. The position is known again after the next `position`, and
    /// the searches after the next answer of the engine.
    pub fn on_gap(&mut self) {
        let is_stochastic = self.is_stochastic;
        self.reset();
        (self.is_stochastic, self.has_gap) = (is_stochastic, true);
    }

    /// Records a line of output and returns the search that it belongs to; `None` for a line outside
    /// any search.
    pub fn on_received(&mut self, reply: &Reply) -> Option<TrackedSearch> {
        if matches!(
            reply,
            Reply::BestMove { .. } | Reply::Checkmate(_) | Reply::ReadyOk
        ) {
            self.has_gap = false;
        }
        if let (Reply::Info(info), Some(searched)) = (reply, self.searches.oldest_mut()) {
            searched.on_info(info);
        }
        let (id, searched) = self.searches.on_received(reply)?;
        let mut search = self.tracked(id, &searched);
        if !matches!(reply, Reply::Info(_)) && !searched.is_ponder {
            // The engine answers for the position that was sent.
            search.history = searched.history;
        }
        Some(search)
    }

    /// Returns the search in progress: the oldest without an answer.
    pub fn current(&self) -> Option<TrackedSearch> {
        self.searches
            .oldest()
            .map(|(id, searched)| self.tracked(*id, searched))
    }

    /// Returns a search with the position that its next line belongs to.
    fn tracked(&self, id: SearchId, searched: &SearchedPosition) -> TrackedSearch {
        TrackedSearch {
            id,
            history: searched.now().cloned(),
            is_wanted: self.current_search == Some(id),
            is_ponder: searched.is_ponder,
        }
    }

    fn set_position(&mut self, position: Option<Arc<History>>) {
        self.position = position;
        self.current_search = None;
    }

    /// Records a search of the position that was sent last.
    fn start(&mut self, is_ponder: bool) {
        // After a gap, lines could be of an unknown search, so they are assigned to no position.
        let history = if self.has_gap { None } else { self.position.clone() };
        let before = match &history {
            Some(history) if is_ponder && self.is_stochastic => history.without_last(),
            _ => None,
        };
        let searched = SearchedPosition {
            history,
            is_ponder,
            position_before: before.map(Arc::new),
            ..SearchedPosition::default()
        };
        self.current_search = Some(self.searches.push(searched));
    }
}

impl SearchedPosition {
    /// Returns the position that the next line belongs to; `None` if it is unknown.
    fn now(&self) -> Option<&Arc<History>> {
        match &self.position_before {
            Some(_) if self.is_mixed => None,
            Some(before) => Some(before),
            None => self.history.as_ref(),
        }
    }

    /// Finds out whether the engine searches the position after the expected move. The sign is a PV that cannot be
    /// played a move earlier. A drop may be legal for both sides; then a later move of the PV decides. Depths do not
    /// decide: with several lines they decrease within a search.
    fn on_info(&mut self, info: &Info) {
        if let (true, Some(before), Some(history)) = (self.is_mixed, &self.position_before, &self.history)
            && legal_prefix_len(history.now(), &info.pv) > legal_prefix_len(before.now(), &info.pv)
        {
            (self.position_before, self.is_mixed) = (None, false);
        }
    }
}

/// Returns the value of `Stochastic_Ponder` in the text after `setoption`; `None` for another option.
fn stochastic_ponder(option: &str) -> Option<bool> {
    let mut words = Tokens::new(option);
    let is_it = words.next() == Some("name") && words.next()?.eq_ignore_ascii_case("Stochastic_Ponder");
    (is_it && words.next() == Some("value")).then(|| words.next() == Some("true"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::reply;

    /// Returns the position of each line of output as a move number: `?` if unknown, `-` outside a search.
    fn positions(lines: &[&str]) -> String {
        let mut tracker = SearchTracker::default();
        let mut found = Vec::new();
        for line in lines {
            if let Some(sent) = line.strip_prefix("> ") {
                tracker.on_sent(sent);
            } else if *line == "gap" {
                tracker.on_gap();
            } else {
                found.push(match tracker.on_received(&reply::parse(line)) {
                    None => "-".to_owned(),
                    Some(TrackedSearch { history: None, .. }) => "?".to_owned(),
                    Some(TrackedSearch {
                        history: Some(history),
                        is_ponder,
                        ..
                    }) => {
                        format!(
                            "{}{}",
                            history.now().move_number(),
                            if is_ponder { "p" } else { "" }
                        )
                    }
                });
            }
        }
        found.join(" ")
    }

    const GO: [&str; 2] = ["> position startpos moves 7g7f 3c3d", "> go btime 0 wtime 0"];
    const PONDER: [&str; 2] = ["> position startpos moves 7g7f 3c3d", "> go ponder"];

    #[test]
    fn a_ponder_search_is_of_the_expected_position() {
        let check = |lines: &[&[&str]], expect: &str| assert_eq!(positions(&lines.concat()), expect);
        check(
            &[
                &PONDER,
                &[
                    "info depth 1",
                    "> ponderhit btime 9",
                    "info depth 2",
                    "bestmove 2g2f",
                ],
            ],
            "3p 3 3",
        );
        check(
            &[
                &PONDER,
                &["info depth 1", "> stop", "info depth 2", "bestmove 2g2f"],
            ],
            "3p 3p 3p",
        );
    }

    #[test]
    fn a_stochastic_ponder_search_begins_a_move_earlier() {
        let check = |lines: &[&[&str]], expect: &str| assert_eq!(positions(&lines.concat()), expect);
        let on = ["> setoption name Stochastic_Ponder value true"];
        check(
            &[&on, &PONDER, &["info depth 7 pv 3c3d", "> stop", "bestmove 3c3d"]],
            "2p 2p",
        );
        // After the hit, lines of the earlier position may still be on their way. So the first lines are of no known
        // position.
        let hit = [
            "info depth 7 pv 3c3d",
            "> ponderhit",
            "info depth 8 pv 8c8d",
            "info depth 1",
            "info depth 1 pv 2g2f",
        ];
        check(
            &[&on, &PONDER, &hit, &["info depth 2 pv 2g2f", "bestmove 2g2f"]],
            "2p ? ? 3 3 3",
        );
        check(&[&on, &PONDER, &["> ponderhit", "bestmove 2g2f"]], "3");
        // Both sides can drop a gold. In the first two lines it is Black who drops it.
        let drops = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2G2g 1 moves G*5h";
        let hit = [
            "> go ponder",
            "info depth 7 multipv 1 pv G*4h",
            "> ponderhit",
            "info depth 6 multipv 2 pv G*4h G*4b",
            "info depth 1 pv G*4h",
            "info depth 2 pv G*4h 5h4h",
        ];
        let drops = format!("> {drops}");
        check(&[&on, &[&drops], &hit], "1p ? ? 2");
        check(&[&on, &GO, &["info depth 1 pv 2g2f", "bestmove 2g2f"]], "3 3");
        let off = ["> setoption name Stochastic_Ponder value false"];
        check(&[&on, &off, &PONDER, &["info depth 1 pv 2g2f"]], "3p");
    }

    #[test]
    fn after_a_gap_a_search_is_known_once_the_engine_has_answered() {
        let check = |lines: &[&[&str]], expect: &str| assert_eq!(positions(&lines.concat()), expect);
        check(
            &[
                &GO,
                &["gap", "info depth 1", "bestmove 2g2f"],
                &GO,
                &["info depth 1"],
            ],
            "- - 3",
        );
        check(
            &[
                &GO,
                &["gap"],
                &GO,
                &["info depth 1", "bestmove 2g2f"],
                &GO,
                &["info depth 2"],
            ],
            "? ? 3",
        );
        check(&[&GO, &["gap", "readyok"], &GO, &["info depth 1"]], "- 3");
    }
}
