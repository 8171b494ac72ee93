//! The view of one engine: its candidates and statistics, or a notice in their place.

use super::follow::{COMPLETE_PROGRESS, EngineEval, has_not_reached};
use super::freshness::Freshness;
use super::input::{Composition, EngineReport};
use super::screen_notation::{evaluation, notation};
use super::view::{BarNotice, CandidateView, EngineSignal, EngineView};
use crate::{EngineMessage, Label, phrase};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_config::engines_text::fitted_to_another_net;
use shogibar_engine::observer::{Candidate, SearchInfo};
use shogibar_engine::session::{EngineFailure, EngineState, FailureKind, Restart, SearchResult, Snapshot};
use shogibar_shogi::Color;
use shogibar_shogi::score::{Value, percent};

/// The maximum number of candidates of an engine on the bar.
pub const MAX_CANDIDATES: usize = 5;
/// The maximum number of moves of a pv in words, more than fit on any screen.
const MAX_PV_MOVES: usize = 24;

/// Returns the view of the `nth` engine, counted from 0.
pub(super) fn view(input: &Composition<'_>, nth: usize, report: &EngineReport) -> EngineView {
    let builder = EngineViewBuilder {
        input,
        name: &report.name,
        snapshot: &report.snapshot,
    };
    let snapshot = &report.snapshot;
    let figures = builder
        .current_info()
        .map(|shown| shown.stats)
        .unwrap_or_default();
    let has_ended = builder.has_ended();
    let mut view = EngineView {
        name: phrase::engine_name(
            if report.name.is_empty() {
                &snapshot.engine
            } else {
                &report.name
            },
            input.lang,
        ),
        is_followed: input.bar.follow.follows(nth),
        multipv: snapshot.multipv,
        stats: [
            phrase::depth_and_nodes(figures.depth, figures.seldepth, figures.nodes, input.lang),
            if has_ended {
                Label::SearchEnded.text(input.lang).to_owned()
            } else {
                phrase::speed(figures.nps, input.lang)
            },
        ],
        has_ended,
        reported_name: short(&snapshot.engine).into_owned(),
        signal: (!report.name.is_empty()).then(|| signal(&snapshot.state, input.bar.is_paused)),
        remark: if report.has_other_net {
            fitted_to_another_net(input.lang).to_owned()
        } else {
            String::new()
        },
        ..EngineView::default()
    };
    if input.bar.ending.is_none() {
        builder.show_values(&mut view);
        builder.show_result(&mut view);
    }
    view.notice = builder.notice(&view, report.has_dismissed_rejections);
    if input.is_part_unknown() {
        // Only a failure is shown: the other states do not matter before the position is known.
        view.notice.take_if(|notice| !notice.is_failure);
    }
    // While the rows of another position are shown, `status` has the engine's state. A failure stays a notice below the
    // rows.
    if view.is_elsewhere {
        view.status = view
            .notice
            .take_if(|notice| !notice.is_failure)
            .map(|notice| notice.text)
            .unwrap_or_default();
    }
    view
}

/// Returns the signal for the state of an engine. `paused` is whether the user has paused all engines.
const fn signal(state: &EngineState, paused: bool) -> EngineSignal {
    match state {
        EngineState::Silent | EngineState::Restarting(_) | EngineState::Failed(_) => EngineSignal::Lost,
        EngineState::Paused => EngineSignal::Paused,
        _ if paused => EngineSignal::Paused,
        EngineState::Thinking | EngineState::Pondering(_) => EngineSignal::Live,
        EngineState::Starting
        | EngineState::Preparing
        | EngineState::Idle
        | EngineState::Disconnected
        | EngineState::Waiting
        | EngineState::Unsearchable(_) => EngineSignal::Waiting,
    }
}

/// Returns the value of a candidate, bounded by the value of the best one. A candidate of a smaller depth still has the
/// value of an earlier iteration. By its rank its value cannot be better than the best.
fn bounded_value(candidate: &Candidate, best: &Candidate, mover: Color) -> Value {
    match mover {
        _ if candidate.depth >= best.depth => candidate.value,
        Color::Black => candidate.value.min(best.value),
        Color::White => candidate.value.max(best.value),
    }
}

struct EngineViewBuilder<'a> {
    input: &'a Composition<'a>,
    name: &'a str,
    snapshot: &'a Snapshot,
}

impl EngineViewBuilder<'_> {
    fn current_info(&self) -> Option<&SearchInfo> {
        self.snapshot
            .search_info
            .as_ref()
            .filter(|shown| *shown.history == *self.input.bar.history)
    }

    fn last_info(&self) -> Option<&SearchInfo> {
        self.snapshot.search_info.as_ref()
    }

    /// Sets the values and candidates of the view.
    fn show_values(&self, view: &mut EngineView) {
        let Some(eval) = EngineEval::from_snapshot(self.snapshot, &self.input.bar.history) else {
            return;
        };
        let (black, _) = percent(eval.win_rate(), eval.value.winner().is_some());
        view.percent = Some(black);
        view.is_stale = eval.age != Freshness::Now || self.input.is_part_unknown();
        if self.input.is_part_unknown() {
            return;
        }
        // The rows of another position stay in grey until the engine has searched this one.
        let Some(shown) = self.last_info() else { return };
        let is_current = self.current_info().is_some();
        view.is_incomplete = is_current
            && shown.candidates.len() < self.snapshot.multipv
            && has_not_reached(self.snapshot, COMPLETE_PROGRESS)
            && shown.candidates.len() < shown.history.now().legal_moves().len();
        if is_current {
            let decided = self.input.decided_win(eval.value);
            view.evaluation = decided.map_or_else(|| evaluation(eval.value), |decided| decided.text);
        }
        let Some(best) = shown.best() else { return };
        let candidates = shown
            .candidates
            .iter()
            .filter_map(|candidate| self.candidate(candidate, shown, best));
        view.candidates = candidates.take(MAX_CANDIDATES).collect();
        if view.candidates.first().is_some_and(|first| first.rank == 1) {
            view.candidates
                .iter_mut()
                .zip(1..)
                .for_each(|(candidate, rank)| candidate.rank = rank);
        }
        view.is_elsewhere = !is_current && !view.candidates.is_empty();
        if view.is_elsewhere {
            view.candidates
                .iter_mut()
                .for_each(|candidate| candidate.moves.clear());
        }
    }

    /// Returns whether the engine has ended its search of the current position, at a limit or by itself.
    fn has_ended(&self) -> bool {
        let is_engine = !self.name.is_empty() && self.input.bar.ending.is_none();
        is_engine && matches!(self.snapshot.state, EngineState::Idle) && self.result().is_some()
    }

    fn result(&self) -> Option<&SearchResult> {
        self.snapshot
            .result
            .as_ref()
            .filter(|answer| *answer.history == *self.input.bar.history)
    }

    /// Sets the best move of the engine's result as a candidate if the engine has sent no values, as for a book move.
    fn show_result(&self, view: &mut EngineView) {
        let has_values = self.current_info().is_some() && !view.candidates.is_empty();
        let best = if has_values {
            None
        } else {
            self.result().and_then(SearchResult::legal_best_move)
        };
        let (history, lang) = (&*self.input.bar.history, self.input.lang);
        let words = best
            .map(|best| notation(lang).notate_line(history, &[best]))
            .unwrap_or_default();
        let candidates = words.into_iter().zip(best);
        let candidates = candidates.map(|(word, best)| CandidateView {
            rank: 1,
            word,
            moves: vec![best],
            ..CandidateView::default()
        });
        if best.is_some() {
            // These replace the candidates of another position.
            view.candidates = candidates.collect();
            view.is_elsewhere = false;
        }
    }

    /// Returns the win rate of a value for the side to move, in whole percent.
    fn percent_of(&self, value: Value, shown: &SearchInfo) -> u8 {
        self.snapshot
            .model
            .percent_of(value, shown.history.now().side_to_move())
    }

    /// Returns the view of a candidate; `None` if its pv has no legal move.
    fn candidate(
        &self,
        candidate: &Candidate,
        shown: &SearchInfo,
        best: &Candidate,
    ) -> Option<CandidateView> {
        let lang = self.input.lang;
        let moves = candidate.pv.get(..candidate.pv.len().min(MAX_PV_MOVES))?;
        let words = notation(lang).notate_line(&shown.history, moves);
        let moves = moves.get(..words.len()).unwrap_or_default().to_vec();
        let mut words = words.into_iter();
        let word = words.next()?;
        let value = bounded_value(candidate, best, shown.history.now().side_to_move());
        let [percent, best] = [value, best.value].map(|value| self.percent_of(value, shown));
        let [mate, mate_note] = match value {
            Value::Mate { winner, plies } => [phrase::mate_value, phrase::mate_note]
                .map(|text| text(winner == shown.history.now().side_to_move(), plies, lang)),
            Value::Cp(_) | Value::Won(_) => Default::default(),
        };
        Some(CandidateView {
            rank: candidate.rank,
            word,
            percent: format!("{percent}%"),
            mate,
            mate_note,
            loss: if candidate.rank > 1 {
                best.checked_sub(percent)
            } else {
                None
            },
            line: words.collect::<Vec<_>>().join(" "),
            moves,
        })
    }

    /// Returns the notice in place of the candidates; `None` where there is none. `rejections_dismissed` is whether the
    /// user has dismissed the notice about rejected options.
    fn notice(&self, view: &EngineView, rejections_dismissed: bool) -> Option<BarNotice> {
        let sentence = |message: &EngineMessage| message.text(self.input.lang);
        let waited = self.snapshot.waited_seconds;
        if let Some(problem) = named_problem_notice(self.name, &self.snapshot.state, waited, self.input.lang)
        {
            return Some(problem);
        }
        if !rejections_dismissed && let Some(first) = self.snapshot.rejected_options.first() {
            let message = EngineMessage::OptionsRejected(self.snapshot.rejected_options.len(), first.clone());
            return Some(message.notice(self.input.lang));
        }
        let is_shown = self.current_info().is_some()
            || self
                .result()
                .is_some_and(|answer| answer.legal_best_move().is_some());
        if self.input.bar.ending.is_some() || is_shown && !view.candidates.is_empty() {
            return None;
        }
        let text = match &self.snapshot.state {
            EngineState::Starting => sentence(&EngineMessage::Starting(waited)),
            EngineState::Preparing => sentence(&EngineMessage::Preparing(waited)),
            EngineState::Paused => sentence(&EngineMessage::Paused),
            EngineState::Disconnected => sentence(&EngineMessage::RelayEnded),
            EngineState::Waiting => Label::Waiting.text(self.input.lang).to_owned(),
            EngineState::Pondering(expected) => {
                let (history, lang) = (&*self.input.bar.history, self.input.lang);
                let words = notation(lang).notate_line(history, &[*expected]);
                words.first().map_or_else(
                    || Label::Reading.text(lang).to_owned(),
                    |word| phrase::pondering(word, lang),
                )
            }
            EngineState::Unsearchable(_) if self.input.bar.history.now().searchable_for_mate().is_ok() => {
                sentence(&EngineMessage::MatingProblem)
            }
            EngineState::Unsearchable(why) => {
                return Some(BarNotice::failure(
                    sentence(&EngineMessage::Unsearchable(*why)),
                    Vec::new(),
                ));
            }
            // A win needs no notice about a missing move: the value shows it.
            _ if self
                .current_info()
                .and_then(SearchInfo::best)
                .is_some_and(|best| best.value.winner().is_some()) =>
            {
                return None;
            }
            EngineState::Idle if self.result().is_some() => {
                // The search has ended without a move.
                let has_value = view.percent.is_some() && !view.is_stale;
                return (!has_value).then(|| BarNotice::new(sentence(&EngineMessage::NoMove)));
            }
            _ => Label::Reading.text(self.input.lang).to_owned(),
        };
        Some(BarNotice::new(text))
    }
}

/// Returns the notice about an engine that has failed, is restarted or does not answer; `None` for other states.
/// `waited` is the number of seconds since the answer is due.
pub fn problem_notice(state: &EngineState, waited: u64, lang: Lang) -> Option<BarNotice> {
    named_problem_notice("", state, waited, lang)
}

/// Returns the notice of [`problem_notice`]. `name` is the user's name for the engine, which the text may state; may be
/// empty.
fn named_problem_notice(name: &str, state: &EngineState, waited: u64, lang: Lang) -> Option<BarNotice> {
    let failure_message = |failure: &EngineFailure| match failure.kind {
        FailureKind::NotUsi if !name.is_empty() => EngineMessage::NotUsi(name.to_owned()),
        _ => EngineMessage::Failed(failure.kind.clone()),
    };
    match state {
        EngineState::Failed(failure) => {
            let mut message = failure_message(failure);
            if failure.restart_count > 0 {
                message = EngineMessage::GivenUp(Box::new(message), failure.restart_count);
            }
            let notice = message.notice(lang);
            Some(BarNotice {
                details: last_lines(failure),
                is_failure: true,
                ..notice
            })
        }
        EngineState::Restarting(Restart {
            failure,
            number: nth,
            pause,
        }) => {
            let why = Box::new(failure_message(failure));
            let message = match pause {
                Some(pause) => EngineMessage::StartsAgain(why, *pause, *nth),
                None => EngineMessage::StartedAgain(why, waited),
            };
            // The notice of a restart is no failure, but has the engine's last lines. They may show why the engine
            // exited.
            Some(BarNotice {
                details: last_lines(failure),
                ..message.notice(lang)
            })
        }
        EngineState::Silent => Some(BarNotice::new(EngineMessage::Silent(waited).text(lang))),
        _ => None,
    }
}

/// Returns the engine's last lines, with control characters made visible.
fn last_lines(failure: &EngineFailure) -> Vec<String> {
    failure
        .last_lines
        .iter()
        .map(|line| short(line).into_owned())
        .collect()
}
