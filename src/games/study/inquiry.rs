//! A question of the user to the engine about a position: whether there is a mate, the value, or the threat. Pure: no
//! I/O.

use shogibar_engine::session::{EngineState, MateOutcome, Snapshot};
use shogibar_shogi::score::{Value, percent};
use shogibar_shogi::{Color, History, Move, Unsearchable};
use std::sync::Arc;

/// The minimum search time of an accepted value, in milliseconds.
const MIN_SEARCH_TIME_MS: u64 = 2_000;

/// The kind of a question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InquiryKind {
    /// Whether the side to move has a mate.
    Mate,
    /// The value of the position.
    Value,
    /// The line of one side if the other side passes. The position of the question is after the pass.
    Threat,
}

/// A question about a position, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// The kind of question.
    pub kind: InquiryKind,
    /// The position, with the moves that led to it.
    pub history: Arc<History>,
    /// The answer; `None` while the engine searches.
    pub answer: Option<InquiryAnswer>,
    /// Whether the built-in search answers, because the engine cannot.
    pub is_built_in: bool,
}

/// The answer to a question about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InquiryAnswer {
    /// The result of a search for a mate.
    Mate(MateOutcome),
    /// Black's win rate in whole percent.
    Rate(u8),
    /// The line of a threat, and Black's win rate after the pass, in whole percent.
    Threat(Vec<Move>, u8),
    /// The side to move is in check, and cannot pass.
    InCheck,
    /// The position is never sent to an engine.
    Unsearchable(Unsearchable),
    /// There is no engine, or it has failed.
    Failed,
}

impl Inquiry {
    /// Creates a question about a position. If the position is never sent to an engine, the question has its answer.
    pub fn new(kind: InquiryKind, history: Arc<History>) -> Self {
        let searchable = match kind {
            InquiryKind::Mate => history.now().searchable_for_mate(),
            InquiryKind::Value | InquiryKind::Threat => history.now().searchable(),
        };
        let answer = searchable.err().map(InquiryAnswer::Unsearchable);
        Self {
            kind,
            history,
            answer,
            is_built_in: false,
        }
    }

    /// Creates the question about the threat in a position.
    pub fn threat(history: &History) -> Self {
        let now = history.now();
        let passed = History::new(now.with_side_to_move(now.side_to_move().flip()));
        let inquiry = Self::new(InquiryKind::Threat, Arc::new(passed));
        let in_check = now.in_check().then_some(InquiryAnswer::InCheck);
        Self {
            answer: in_check.or(inquiry.answer),
            ..inquiry
        }
    }

    /// Takes the answer from a snapshot of the engine. Returns whether the awaited answer has arrived.
    pub fn update(&mut self, snapshot: &Snapshot) -> bool {
        if self.answer.is_none() && !self.is_built_in {
            self.answer = self.read(snapshot);
            return self.answer.is_some();
        }
        false
    }

    /// Switches to the built-in search if the engine has no mate search. Returns the position to search; `None` if the
    /// question does not switch.
    pub fn ask_built_in(&mut self) -> Option<Arc<History>> {
        let cannot = matches!(
            self.answer,
            Some(InquiryAnswer::Failed | InquiryAnswer::Mate(MateOutcome::NotImplemented))
        );
        if self.kind != InquiryKind::Mate || self.is_built_in || !cannot {
            return None;
        }
        (self.answer, self.is_built_in) = (None, true);
        Some(Arc::clone(&self.history))
    }

    /// Sets the answer of the built-in search, unless it is about another position.
    pub fn set_built_in_answer(&mut self, history: &History, outcome: MateOutcome) {
        if self.is_built_in && self.answer.is_none() && *self.history == *history {
            self.answer = Some(InquiryAnswer::Mate(outcome));
        }
    }

    /// Returns the win rate of a side in whole percent; `None` without an answer about the value.
    pub fn rate_of(&self, side: Color) -> Option<u8> {
        match self.answer {
            Some(InquiryAnswer::Rate(black)) => Some(if side == Color::Black { black } else { 100 - black }),
            _ => None,
        }
    }

    /// Returns the answer in a snapshot; `None` while the engine searches.
    fn read(&self, snapshot: &Snapshot) -> Option<InquiryAnswer> {
        if matches!(
            snapshot.state,
            EngineState::Failed(_) | EngineState::Restarting(_)
        ) {
            return Some(InquiryAnswer::Failed);
        }
        if self.kind == InquiryKind::Mate {
            let mate = snapshot
                .mate
                .as_ref()
                .filter(|mate| mate.history == self.history)?;
            return Some(InquiryAnswer::Mate(mate.result.clone()));
        }
        let is_over = snapshot
            .result
            .as_ref()
            .is_some_and(|result| result.history == self.history);
        let info = snapshot
            .search_info
            .as_ref()
            .filter(|info| info.history == self.history);
        let best = info.and_then(|info| Some((info, info.best()?)));
        let Some((info, best)) = best else {
            return is_over.then_some(InquiryAnswer::Failed);
        };
        let is_enough = is_over
            || !matches!(best.value, Value::Cp(_))
            || info.stats.time.is_some_and(|ms| ms >= MIN_SEARCH_TIME_MS);
        let (black, _) = percent(snapshot.model.win_rate(best.value), best.value.winner().is_some());
        is_enough.then(|| match self.kind {
            InquiryKind::Threat => InquiryAnswer::Threat(best.pv.clone(), black),
            InquiryKind::Value | InquiryKind::Mate => InquiryAnswer::Rate(black),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
    use shogibar_engine::session::{MateSearch, SearchResult};

    fn position(usi: &str) -> Arc<History> {
        Arc::new(History::from_usi(usi).unwrap())
    }

    fn searched(history: &Arc<History>, value: Value, time: u64) -> Snapshot {
        let candidate = Candidate {
            rank: 1,
            value,
            bound: None,
            depth: None,
            pv: Vec::new(),
        };
        let stats = SearchStats {
            time: Some(time),
            ..SearchStats::default()
        };
        let info = SearchInfo {
            history: Arc::clone(history),
            candidates: vec![candidate],
            stats,
        };
        Snapshot {
            search_info: Some(info),
            state: EngineState::Thinking,
            ..Snapshot::default()
        }
    }

    #[test]
    fn value_is_taken_after_a_while() {
        let here = position("startpos moves 7g7f");
        let check = |snapshot: &Snapshot, expect: Option<InquiryAnswer>| {
            let mut inquiry = Inquiry::new(InquiryKind::Value, Arc::clone(&here));
            assert_eq!(inquiry.update(snapshot), expect.is_some());
            assert_eq!(inquiry.answer, expect);
        };
        check(&searched(&here, Value::Cp(0), 1_999), None);
        check(
            &searched(&here, Value::Cp(0), 2_000),
            Some(InquiryAnswer::Rate(50)),
        );
        check(
            &searched(&here, Value::Won(Color::White), 1),
            Some(InquiryAnswer::Rate(0)),
        );
        check(&searched(&position("startpos"), Value::Cp(0), 9_000), None);
        let over = SearchResult {
            history: Arc::clone(&here),
            best_move: None.into(),
        };
        check(
            &Snapshot {
                result: Some(over.clone()),
                ..searched(&here, Value::Cp(0), 1)
            },
            Some(InquiryAnswer::Rate(50)),
        );
        check(
            &Snapshot {
                result: Some(over),
                ..Snapshot::default()
            },
            Some(InquiryAnswer::Failed),
        );
    }

    #[test]
    fn a_threat_is_the_line_after_a_pass() {
        let here = position("startpos moves 7g7f");
        let mut inquiry = Inquiry::threat(&here);
        assert_eq!(
            (inquiry.kind, inquiry.answer.clone()),
            (InquiryKind::Threat, None)
        );
        assert_eq!(
            inquiry.history.now().side_to_move(),
            Color::Black,
            "White would be to move"
        );
        let mut snapshot = searched(&inquiry.history, Value::Cp(0), 2_000);
        let line = vec![Move::from_usi("8h2b+").unwrap()];
        snapshot.search_info.as_mut().unwrap().candidates[0]
            .pv
            .clone_from(&line);
        assert!(inquiry.update(&snapshot));
        assert_eq!(inquiry.answer, Some(InquiryAnswer::Threat(line, 50)));
        let check = position("sfen 4k4/9/9/9/9/9/9/4R4/4K4 w - 1");
        assert_eq!(Inquiry::threat(&check).answer, Some(InquiryAnswer::InCheck));
    }

    #[test]
    fn mate_is_of_the_position_asked_about() {
        let (here, there) = (position("startpos"), position("startpos moves 7g7f"));
        let mut inquiry = Inquiry::new(InquiryKind::Mate, Arc::clone(&here));
        let found = |history: Arc<History>| Snapshot {
            mate: Some(MateSearch {
                history,
                result: MateOutcome::NoMate,
            }),
            ..Snapshot::default()
        };
        assert!(!inquiry.update(&found(there)));
        assert!(inquiry.update(&found(here)) && !inquiry.update(&Snapshot::default()));
        assert_eq!(inquiry.answer, Some(InquiryAnswer::Mate(MateOutcome::NoMate)));
        assert_eq!(inquiry.rate_of(Color::Black), None);
    }

    #[test]
    fn the_built_in_search_answers_for_an_engine_that_cannot() {
        let here = position("startpos");
        let mut inquiry = Inquiry::new(InquiryKind::Mate, Arc::clone(&here));
        assert_eq!(inquiry.ask_built_in(), None, "the engine has not answered");
        let mate = Some(MateSearch {
            history: Arc::clone(&here),
            result: MateOutcome::NotImplemented,
        });
        assert!(inquiry.update(&Snapshot {
            mate,
            ..Snapshot::default()
        }));
        assert_eq!(inquiry.ask_built_in().as_deref(), Some(&*here));
        assert_eq!(
            (inquiry.answer.clone(), inquiry.ask_built_in()),
            (None, None),
            "once"
        );
        inquiry.set_built_in_answer(&position("startpos moves 7g7f"), MateOutcome::NoMate);
        assert_eq!(inquiry.answer, None, "of another position");
        inquiry.set_built_in_answer(&here, MateOutcome::NoMate);
        assert_eq!(inquiry.answer, Some(InquiryAnswer::Mate(MateOutcome::NoMate)));
        // Only the engine can give a value.
        let mut value = Inquiry {
            answer: Some(InquiryAnswer::Failed),
            ..Inquiry::new(InquiryKind::Value, here)
        };
        assert_eq!(value.ask_built_in(), None);
    }

    #[test]
    fn a_question_about_an_unsearchable_position_is_answered_at_once() {
        // The attacker of a mating problem needs no king.
        let problem = position("sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
        let answer = |kind, history| Inquiry::new(kind, history).answer;
        assert_eq!(answer(InquiryKind::Mate, Arc::clone(&problem)), None);
        let unsearchable = |side| Some(InquiryAnswer::Unsearchable(Unsearchable::Kings(side)));
        assert_eq!(answer(InquiryKind::Value, problem), unsearchable(Color::Black));
        let without_any = position("sfen 9/9/4P4/9/9/9/9/9/9 b G 1");
        assert_eq!(answer(InquiryKind::Mate, without_any), unsearchable(Color::White));
    }
}
