//! One engine's column: its candidates and figures, and what is to be said of it instead.

use super::BarInput;
use super::compose::{evaluation, notation};
use super::follow::{EngineEval, Freshness};
use super::view::{BarNotice, CandidateView, EngineSignal, EngineView};
use crate::score::{Value, percent};
use crate::session::{Candidate, EngineFailure, EngineState, FailureKind, Restart, SearchInfo, SearchResult, Snapshot};
use crate::shogi::Color;
use crate::text::visible::visible;
use crate::text::{Label, Lang, Message, phrase};

/// The candidates that are shown.
const CANDIDATES: usize = 5;
/// The moves of a line that are put into words: more than any screen is wide.
const LINE: usize = 24;

/// What was heard of an engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineReport {
    /// What the user calls it; empty where it is no engine, but what a record says.
    pub name: String,
    /// Whether that is the name of a profile; else it goes by its own as soon as it has said it.
    pub is_profile: bool,
    /// What it said last.
    pub snapshot: Snapshot,
    /// Whether the user has been told what of the profile does not fit it.
    pub told: bool,
}

impl From<Snapshot> for EngineReport {
    fn from(snapshot: Snapshot) -> Self {
        Self { snapshot, ..Self::default() }
    }
}

/// What is shown of the `nth` engine, counted from 0.
pub(super) fn view(scene: &BarInput<'_>, nth: usize, heard: &EngineReport) -> EngineView {
    let column = EngineColumn { scene, name: &heard.name, snapshot: &heard.snapshot };
    let snapshot = &heard.snapshot;
    let figures = column.shown().map(|shown| shown.figures).unwrap_or_default();
    let mut view = EngineView {
        name: visible(if heard.is_profile || snapshot.engine.is_empty() { &heard.name } else { &snapshot.engine })
            .into_owned(),
        followed: scene.follow.has(nth),
        asked: snapshot.asked,
        figures: [
            phrase::depth_and_nodes(figures.depth, figures.seldepth, figures.nodes, scene.lang),
            phrase::speed(figures.nps),
        ],
        own_name: visible(&snapshot.engine).into_owned(),
        signal: (!heard.name.is_empty()).then(|| signal(&snapshot.state, scene.paused)),
        ..EngineView::default()
    };
    if scene.ending.is_none() {
        column.show_values(&mut view);
        column.show_answer(&mut view);
    }
    view.notice = column.notice(&view, heard.told);
    view
}

const fn signal(state: &EngineState, paused: bool) -> EngineSignal {
    match state {
        EngineState::Silent | EngineState::Restarting(_) | EngineState::Failed(_) => EngineSignal::Lost,
        EngineState::Paused => EngineSignal::Paused,
        _ if paused => EngineSignal::Paused,
        EngineState::Thinking => EngineSignal::Live,
        EngineState::Starting | EngineState::Preparing | EngineState::Idle | EngineState::Unsearchable(_) => {
            EngineSignal::Waiting
        }
    }
}

/// What a candidate is worth beside the best. One that the engine has not yet come to as deep down has the value of
/// the depth before; by ranking it behind the best it says that it is worth no more than that.
fn up_to(candidate: &Candidate, best: &Candidate, mover: Color) -> Value {
    match mover {
        _ if candidate.depth >= best.depth => candidate.value,
        Color::Black => candidate.value.min(best.value),
        Color::White => candidate.value.max(best.value),
    }
}

/// What an engine says in a scene.
struct EngineColumn<'a> {
    scene: &'a BarInput<'a>,
    /// What the user calls it.
    name: &'a str,
    snapshot: &'a Snapshot,
}

impl EngineColumn<'_> {
    /// What it says of the position on view.
    fn shown(&self) -> Option<&SearchInfo> {
        self.snapshot.shown.as_ref().filter(|shown| *shown.history == *self.scene.history)
    }

    fn show_values(&self, view: &mut EngineView) {
        let Some(opinion) = EngineEval::from_snapshot(self.snapshot, self.scene.history) else { return };
        let (black, _) = percent(opinion.win_rate(), opinion.value.winner().is_some());
        view.percent = Some(black);
        view.stale = opinion.age != Freshness::Now;
        // What is greyed is the number alone; moves of another position would be wrong here.
        let Some(shown) = self.shown() else { return };
        let decided = self.scene.decided(opinion.value);
        view.evaluation = decided.map_or_else(|| evaluation(opinion.value), |decided| decided.text);
        let Some(best) = shown.best() else { return };
        let candidates = shown.candidates.iter().take(CANDIDATES);
        for candidate in candidates.filter_map(|candidate| self.candidate(candidate, shown, best)) {
            // A record may name a move twice: the better is the newer.
            if view.candidates.iter().all(|better| better.word != candidate.word) {
                view.candidates.push(candidate);
            }
        }
        if view.candidates.first().is_some_and(|first| first.rank == 1) {
            view.candidates.iter_mut().zip(1..).for_each(|(candidate, rank)| candidate.rank = rank);
        }
    }

    /// What the engine answered of the position on view, once it has.
    fn answer(&self) -> Option<&SearchResult> {
        self.snapshot.answer.as_ref().filter(|answer| *answer.history == *self.scene.history)
    }

    /// Shows a move that came without a value, as that of a book does.
    fn show_answer(&self, view: &mut EngineView) {
        let best = self.answer().and_then(|answer| answer.best).filter(|_| view.candidates.is_empty());
        let BarInput { history, lang, .. } = *self.scene;
        let words = best.map(|best| notation(lang).words(history, &[best])).unwrap_or_default();
        let candidates = words.into_iter().zip(best);
        let candidates = candidates.map(|(word, best)| CandidateView {
            rank: 1,
            word,
            moves: vec![best],
            ..CandidateView::default()
        });
        view.candidates.extend(candidates);
    }

    /// The win rate of the side to move in whole percent.
    fn percent_of(&self, value: Value, shown: &SearchInfo) -> u8 {
        let (black, white) = percent(self.snapshot.model.win_rate(value), value.winner().is_some());
        match shown.history.now().side_to_move() {
            Color::Black => black,
            Color::White => white,
        }
    }

    fn candidate(&self, candidate: &Candidate, shown: &SearchInfo, best: &Candidate) -> Option<CandidateView> {
        let lang = self.scene.lang;
        let moves = candidate.pv.get(..candidate.pv.len().min(LINE))?;
        let words = notation(lang).words(&shown.history, moves);
        let moves = moves.get(..words.len()).unwrap_or_default().to_vec();
        let mut words = words.into_iter();
        let word = words.next()?;
        let value = up_to(candidate, best, shown.history.now().side_to_move());
        let [own, best] = [value, best.value].map(|value| self.percent_of(value, shown));
        let value = match value {
            Value::Mate { winner, plies } => {
                phrase::mate_value(winner == shown.history.now().side_to_move(), plies, lang)
            }
            Value::Cp(_) | Value::Won(_) => format!("{own}%"),
        };
        Some(CandidateView {
            rank: candidate.rank,
            word,
            value,
            loss: best.checked_sub(own).filter(|_| candidate.rank > 1),
            line: words.collect::<Vec<_>>().join(" "),
            moves,
        })
    }

    /// What is to be said instead of candidates. `told` is whether the user knows of the misfits.
    fn notice(&self, view: &EngineView, told: bool) -> Option<BarNotice> {
        let say = |message: &Message| message.text(self.scene.lang);
        let waited = self.snapshot.waited;
        if let Some(trouble) = engine_problem(self.name, &self.snapshot.state, waited, self.scene.lang) {
            return Some(trouble);
        }
        if let Some(first) = self.snapshot.misfits.first().filter(|_| !told) {
            return Some(BarNotice::new(say(&Message::EngineMisfits(self.snapshot.misfits.len(), first.clone()))));
        }
        if self.scene.ending.is_some() || !view.candidates.is_empty() {
            return None;
        }
        let text = match &self.snapshot.state {
            EngineState::Starting => say(&Message::EngineStarting(waited)),
            EngineState::Preparing => say(&Message::EnginePreparing(waited)),
            EngineState::Paused => say(&Message::EnginePaused),
            EngineState::Unsearchable(why) => {
                return Some(BarNotice::failure(say(&Message::PositionUnsearchable(*why)), Vec::new()));
            }
            // It says how it ends, if not by which move.
            _ if self.shown().and_then(SearchInfo::best).is_some_and(|best| best.value.winner().is_some()) => {
                return None;
            }
            EngineState::Idle if self.answer().is_some() => {
                // It is done, and what it said has no move in it.
                let spoke = view.percent.is_some() && !view.stale;
                return (!spoke).then(|| BarNotice::new(say(&Message::EngineGaveNoMove)));
            }
            _ => Label::Reading.text(self.scene.lang).to_owned(),
        };
        Some(BarNotice::new(text))
    }
}

/// What is to be said of an engine that is not as it should be; `waited` is how many seconds it has owed an
/// answer.
pub fn problem(state: &EngineState, waited: u64, lang: Lang) -> Option<BarNotice> {
    engine_problem("", state, waited, lang)
}

fn engine_problem(name: &str, state: &EngineState, waited: u64, lang: Lang) -> Option<BarNotice> {
    let failure_message = |failure: &EngineFailure| match failure.kind {
        FailureKind::NotUsi if !name.is_empty() => Message::ProgramNotUsi(name.to_owned()),
        _ => failure_message(failure),
    };
    match state {
        EngineState::Failed(failure) => {
            let mut message = failure_message(failure);
            if failure.restarts > 0 {
                message = Message::EngineGivenUp(Box::new(message), failure.restarts);
            }
            Some(BarNotice::failure(message.text(lang), last_lines(failure)))
        }
        EngineState::Restarting(Restart { failure, nth, pause }) => {
            let why = Box::new(failure_message(failure));
            let message = match pause {
                Some(pause) => Message::EngineStartsAgain(why, *pause, *nth),
                None => Message::EngineStartedAgain(why, waited),
            };
            // It is awaited, but what it said last may tell the user why it went.
            Some(BarNotice { details: last_lines(failure), ..BarNotice::new(message.text(lang)) })
        }
        EngineState::Silent => Some(BarNotice::new(Message::EngineSilent(waited).text(lang))),
        _ => None,
    }
}

/// The last lines that were heard, harmless to show.
fn last_lines(failure: &EngineFailure) -> Vec<String> {
    failure.last_lines.iter().map(|line| visible(line).into_owned()).collect()
}

/// Why an engine failed.
pub fn failure_message(failure: &EngineFailure) -> Message {
    match &failure.kind {
        FailureKind::NotFound(path) => Message::EngineNotFound(path.clone()),
        FailureKind::NoFolder(folder) => Message::EngineNoFolder(folder.clone()),
        FailureKind::NotAProgram(path) => Message::EngineNotAProgram(path.clone()),
        FailureKind::NotStarted(path, why) => Message::EngineNotStarted(path.clone(), why.clone()),
        FailureKind::EndedAtOnce(exit) => Message::EngineEndedAtOnce(*exit),
        FailureKind::NoUsiOk(seconds) => Message::EngineNoUsiOk(*seconds),
        FailureKind::NotUsi => Message::EngineNotUsi,
        FailureKind::NoReadyOk(seconds) => Message::EngineNoReadyOk(*seconds),
        FailureKind::NoStop => Message::EngineNoStop,
        FailureKind::NotReading => Message::EngineNotReading,
        FailureKind::Crashed(exit) => Message::EngineCrashed(*exit),
    }
}
