//! Values that are held after a change of position: the shown values stay until the new search has meaningful ones.

use shogibar_games::bar::{BarView, EngineSignal, FormationView, OtherRate};
use std::borrow::Cow;

/// The maximum time for which held values replace shallow values of a new position, in seconds since the first value.
const MAX_SHALLOW_SECONDS: f64 = 0.5;
/// The maximum time for which held values replace values with fewer rows, in seconds since the change of position.
const MAX_INCOMPLETE_SECONDS: f64 = 2.0;
/// The time after which a held number and the bar turn grey, in seconds since the change of position. The rows of the
/// former position are grey at once.
const SECONDS_UNTIL_GREY: f64 = 0.8;

/// The time for which a sentence is shown on a stream, in seconds.
const SENTENCE_SECONDS: f64 = 20.0;

/// The time since which the sentence of a position is shown on a stream.
#[derive(Debug, Default)]
pub(super) struct SentenceTime {
    /// The position and its sentence; `None` before the first sentence.
    shown_sentence: Option<(u64, String)>,
    /// The time at which this sentence was first shown, in seconds.
    shown_since: f64,
}

impl SentenceTime {
    /// Returns the remaining time of a view's sentence, in seconds; 0 if the time is over.
    pub(super) fn remaining_seconds(&mut self, view: &BarView, now: f64) -> f64 {
        let sentence = &view.reason.sentence;
        if self
            .shown_sentence
            .as_ref()
            .is_none_or(|(position, shown)| *position != view.position || shown != sentence)
        {
            (self.shown_sentence, self.shown_since) = (Some((view.position, sentence.clone())), now);
        }
        (self.shown_since + SENTENCE_SECONDS - now).max(0.0)
    }
}

/// A part of a view that stays for a moment if a new view lacks it, because it is known only a little later.
#[derive(Debug)]
struct LingeringPart<T> {
    /// The part that was shown last; `None` if nothing can stay.
    shown: Option<T>,
    /// The time since which the part is missing, in seconds; `None` while it is there.
    missing_since: Option<f64>,
}

impl<T> Default for LingeringPart<T> {
    fn default() -> Self {
        Self {
            shown: None,
            missing_since: None,
        }
    }
}

impl<T: Clone + PartialEq> LingeringPart<T> {
    /// Updates the part with that of a new view. Returns the former part if it stays, with its remaining time in
    /// seconds.
    fn update(&mut self, part: Option<&T>, now: f64) -> Option<(T, f64)> {
        if part.is_some() {
            if self.shown.as_ref() != part {
                self.shown = part.cloned();
            }
            self.missing_since = None;
            return None;
        }
        let remaining = *self.missing_since.get_or_insert(now) + SECONDS_UNTIL_GREY - now;
        if remaining <= 0.0 {
            self.shown = None;
        }
        Some((self.shown.clone()?, remaining))
    }

    /// Lets nothing stay.
    fn clear(&mut self) {
        self.shown = None;
    }
}

/// The parts of a view that are known only a little after a change of position: the opening with the castles, and the
/// value of an engine that the bar does not follow.
#[derive(Debug, Default)]
pub(super) struct LingeringParts {
    /// The game of the last view; `None` before the first view.
    game: Option<u64>,
    formation: LingeringPart<FormationView>,
    other_rate: LingeringPart<OtherRate>,
}

impl LingeringParts {
    /// Adds the former parts that a view lacks. Returns the time until the view changes by itself, in seconds; `None`
    /// if it does not.
    pub(super) fn add_to(&mut self, view: &mut Cow<'_, BarView>, now: f64) -> Option<f64> {
        let is_other_game = self.game.replace(view.game) != Some(view.game);
        if is_other_game || view.is_hidden || view.is_numbers_only {
            self.formation.clear();
        }
        if is_other_game
            || self
                .other_rate
                .shown
                .is_some_and(|rate| !may_have_other_rate(view, rate))
        {
            self.other_rate.clear();
        }
        let known = Some(&view.reason.formation).filter(|formation| !formation.text.is_empty());
        let formation = self.formation.update(known, now);
        let other_rate = self.other_rate.update(view.other_rate.as_ref(), now);
        let remaining = [
            formation.as_ref().map(|(_, remaining)| *remaining),
            other_rate.map(|(_, remaining)| remaining),
        ];
        if let Some((formation, _)) = formation {
            view.to_mut().reason.formation = formation;
        }
        if let Some((other_rate, _)) = other_rate {
            view.to_mut().other_rate = Some(other_rate);
        }
        remaining.into_iter().flatten().reduce(f64::min)
    }
}

/// Returns whether the engine of a rate may soon have a value again beside those of the bar.
fn may_have_other_rate(view: &BarView, rate: OtherRate) -> bool {
    let has_values = view.share.is_some() && !view.is_stale && view.decided_win.is_none();
    let engine = view.engines.get(rate.engine);
    has_values
        && engine.is_some_and(|engine| !engine.is_followed && engine.signal == Some(EngineSignal::Live))
}

/// The values of the former position, which stay until the search of the new one has meaningful values.
#[derive(Debug, Default)]
pub(super) struct HeldValues {
    /// The last view that was shown with values of its own position; `None` if nothing can be held.
    shown_view: Option<BarView>,
    /// The game and the position of the last view; `None` before the first view.
    position: Option<(u64, u64)>,
    /// The time at which this position was first seen, in seconds.
    shown_since: f64,
    /// The time at which this position first had values, in seconds; `None` before.
    first_values_at: Option<f64>,
    /// The time at which the position changed away from that of the shown values, in seconds.
    changed_at: f64,
}

impl HeldValues {
    /// Returns the view to draw now, and the time until this view changes by itself, in seconds; `None` if it does not.
    pub(super) fn view<'v>(&mut self, view: &'v BarView, now: f64) -> (Cow<'v, BarView>, Option<f64>) {
        let position = Some((view.game, view.position));
        if self.position != position {
            if self
                .shown_view
                .as_ref()
                .is_none_or(|shown| Some((shown.game, shown.position)) == self.position)
            {
                self.changed_at = now;
            }
            (self.position, self.shown_since, self.first_values_at) = (position, now, None);
        }
        let age = now - self.shown_since;
        if !view.is_stale {
            self.first_values_at.get_or_insert(now);
        }
        // The time counts from the first values, because a restarted engine has them late.
        let shallow_until = match self.first_values_at {
            Some(begun) if view.is_shallow => Some(begun + MAX_SHALLOW_SECONDS),
            _ => None,
        };
        self.shown_view.take_if(|shown| shown.game != view.game);
        if view.is_hidden || view.share.is_none() || view.decided_win.is_some() && !view.is_stale {
            self.shown_view = None;
            return (Cow::Borrowed(view), None);
        }
        if let Some(before) = &self.shown_view
            && before.position != view.position
        {
            let has_fewer = view.lead().candidates.len() < before.lead().candidates.len();
            let is_incomplete =
                !view.is_stale && view.lead().is_incomplete && has_fewer && age < MAX_INCOMPLETE_SECONDS;
            // A user who steps through moves quickly does not see the first values of the positions between.
            if view.is_stale || shallow_until.is_some_and(|until| now < until) || is_incomplete {
                let mut held_view = with_values_of(view, before);
                let is_grey = now >= self.changed_at + SECONDS_UNTIL_GREY;
                held_view.is_stale = is_grey;
                if is_grey {
                    // The mark leaves with the seam.
                    held_view.other_rate = None;
                }
                held_view
                    .engines
                    .iter_mut()
                    .for_each(|engine| engine.is_stale = true);
                let changes = [
                    self.changed_at + SECONDS_UNTIL_GREY,
                    self.shown_since + MAX_INCOMPLETE_SECONDS,
                ];
                let next = changes
                    .into_iter()
                    .chain(shallow_until)
                    .filter(|time| *time > now)
                    .reduce(f64::min);
                return (Cow::Owned(held_view), next.map(|time| time - now));
            }
        }
        if view.is_stale {
            if age >= SECONDS_UNTIL_GREY {
                return (Cow::Borrowed(view), None);
            }
            let mut fresh = view.clone();
            fresh.is_stale = false;
            return (Cow::Owned(fresh), Some(SECONDS_UNTIL_GREY - age));
        }
        if self.shown_view.as_ref() != Some(view) {
            self.shown_view = Some(view.clone());
        }
        (Cow::Borrowed(view), None)
    }
}

/// Returns a view with the values of the former position, and without its evaluation in centipawns and in words.
fn with_values_of(view: &BarView, before: &BarView) -> BarView {
    let mut held_view = view.clone();
    (held_view.share, held_view.other_rate) = (before.share, before.other_rate);
    (held_view.black.percent, held_view.white.percent) = (before.black.percent, before.white.percent);
    (held_view.evaluation, held_view.advantage) = (String::new(), String::new());
    for (engine, before) in held_view.engines.iter_mut().zip(&before.engines) {
        engine.candidates.clone_from(&before.candidates);
        engine.percent = before.percent;
        engine.stats.clone_from(&before.stats);
        engine.evaluation.clear();
        engine.is_elsewhere = true;
    }
    held_view
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_games::bar::{CandidateView, EngineView};

    fn view(word: &str, percent: u8) -> BarView {
        let candidates = vec![CandidateView {
            word: word.to_owned(),
            ..CandidateView::default()
        }];
        let mut view = BarView {
            share: Some(f32::from(percent) / 100.0),
            ..BarView::default()
        };
        view.black.percent = Some(percent);
        view.position = word.bytes().map(u64::from).sum();
        view.engines = vec![EngineView {
            candidates,
            is_followed: true,
            ..EngineView::default()
        }];
        view
    }

    fn stale(word: &str, percent: u8) -> BarView {
        let mut view = view(word, percent);
        view.is_stale = true;
        view.engines[0].is_stale = true;
        view
    }

    fn shallow(word: &str, percent: u8) -> BarView {
        let mut view = view(word, percent);
        view.is_shallow = true;
        view
    }

    /// Returns the displayed percentage, whether it is grey, and the best move.
    fn shown_by(held: &mut HeldValues, view: &BarView, now: f64) -> (Option<u8>, bool, String) {
        let (shown, _) = held.view(view, now);
        (
            shown.black.percent,
            shown.is_stale,
            shown.engines[0].candidates[0].word.clone(),
        )
    }

    #[test]
    fn values_stay_until_a_deeper_search_has_values() {
        let mut held = HeldValues::default();
        assert_eq!(
            shown_by(&mut held, &view("a", 60), 0.0),
            (Some(60), false, "a".to_owned())
        );
        assert_eq!(
            shown_by(&mut held, &stale("b", 60), 1.0),
            (Some(60), false, "a".to_owned()),
            "not grey at once"
        );
        assert!(
            held.view(&stale("b", 60), 1.0).0.engines[0].is_stale,
            "the rows are"
        );
        assert_eq!(
            shown_by(&mut held, &shallow("b", 20), 1.1),
            (Some(60), false, "a".to_owned())
        );
        assert_eq!(
            shown_by(&mut held, &shallow("b", 30), 1.61),
            (Some(30), false, "b".to_owned()),
            "half a second of the search is enough"
        );
        assert_eq!(
            shown_by(&mut held, &view("c", 40), 2.0),
            (Some(40), false, "c".to_owned()),
            "deep enough"
        );
        assert_eq!(
            shown_by(&mut held, &shallow("c", 45), 2.1),
            (Some(45), false, "c".to_owned()),
            "of this position"
        );
    }

    #[test]
    fn a_restarted_engine_has_half_a_second() {
        let mut held = HeldValues::default();
        shown_by(&mut held, &view("a", 60), 0.0);
        shown_by(&mut held, &stale("b", 60), 1.0);
        assert_eq!(
            shown_by(&mut held, &shallow("b", 20), 9.0),
            (Some(60), true, "a".to_owned()),
            "eight seconds later"
        );
        assert_eq!(
            shown_by(&mut held, &view("b", 40), 9.2),
            (Some(40), false, "b".to_owned()),
            "deep enough"
        );
    }

    #[test]
    fn values_of_a_position_passed_quickly_are_never_shown() {
        let mut held = HeldValues::default();
        shown_by(&mut held, &view("a", 60), 0.0);
        shown_by(&mut held, &stale("b", 60), 1.0);
        let passed = shown_by(&mut held, &shallow("b", 20), 1.1);
        assert_eq!(passed, (Some(60), false, "a".to_owned()));
        // The model has the values of the position before, which were never on view.
        assert_eq!(shown_by(&mut held, &stale("c", 20), 1.2), passed);
        assert_eq!(shown_by(&mut held, &shallow("c", 30), 1.3), passed);
        assert_eq!(
            shown_by(&mut held, &stale("d", 30), 1.9),
            (Some(60), true, "a".to_owned()),
            "grey since they were left"
        );
        assert_eq!(
            shown_by(&mut held, &view("d", 70), 2.0),
            (Some(70), false, "d".to_owned())
        );
    }

    #[test]
    fn rows_stay_longer_until_there_are_as_many() {
        let mut held = HeldValues::default();
        let mut whole = view("a", 60);
        whole.engines[0].candidates.push(CandidateView::default());
        shown_by(&mut held, &whole, 0.0);
        shown_by(&mut held, &stale("b", 60), 1.0);
        let mut incomplete = view("b", 20);
        incomplete.engines[0].is_incomplete = true;
        assert_eq!(
            shown_by(&mut held, &incomplete, 1.6),
            (Some(60), false, "a".to_owned())
        );
        assert_eq!(
            shown_by(&mut held, &incomplete, 1.9),
            (Some(60), true, "a".to_owned()),
            "grey from 0.8 s on"
        );
        assert_eq!(
            shown_by(&mut held, &incomplete, 3.0),
            (Some(20), false, "b".to_owned()),
            "no longer than 2 s"
        );
        shown_by(&mut held, &whole, 4.0);
        shown_by(&mut held, &stale("b", 60), 5.0);
        whole.position = incomplete.position;
        (whole.engines[0].is_incomplete, whole.black.percent) = (true, Some(30));
        assert_eq!(
            shown_by(&mut held, &whole, 5.6),
            (Some(30), false, "a".to_owned()),
            "there are as many rows"
        );
    }

    #[test]
    fn a_sentence_is_hidden_after_a_time() {
        let mut time = SentenceTime::default();
        let mut view_with_reason = view("a", 60);
        view_with_reason.reason.sentence = "先手玉は詰めろ。".to_owned();
        assert!(
            time.remaining_seconds(&view_with_reason, 1.0) > 19.9
                && time.remaining_seconds(&view_with_reason, 20.0) > 0.9
        );
        assert!(time.remaining_seconds(&view_with_reason, 21.5) <= 0.0);
        view_with_reason.reason.sentence = "この一手。".to_owned();
        assert!(
            time.remaining_seconds(&view_with_reason, 22.0) > 19.9,
            "another one"
        );
        view_with_reason.position += 1;
        assert!(
            time.remaining_seconds(&view_with_reason, 41.9) > 19.9,
            "the same of another position"
        );
    }

    #[test]
    fn a_part_that_is_known_later_stays_for_a_moment() {
        let mut parts = LingeringParts::default();
        let shown = |parts: &mut LingeringParts, view: &BarView, now: f64| {
            let mut shown = Cow::Borrowed(view);
            let remaining = parts.add_to(&mut shown, now);
            (
                shown.reason.formation.text.clone(),
                shown.other_rate.map(|rate| rate.percent),
                remaining.is_some(),
            )
        };
        let mut known = view("a", 60);
        let formation = FormationView {
            text: "相掛かり".to_owned(),
            ..FormationView::default()
        };
        known.reason.formation = formation.clone();
        known.other_rate = Some(OtherRate {
            engine: 1,
            percent: 41,
        });
        known.engines.push(EngineView {
            signal: Some(EngineSignal::Live),
            ..EngineView::default()
        });
        let mut unknown = known.clone();
        (unknown.position, unknown.other_rate) = (known.position + 1, None);
        unknown.reason.formation = FormationView::default();
        let none = (String::new(), None, false);
        assert_eq!(
            shown(&mut parts, &known, 0.0),
            (formation.text.clone(), Some(41), false)
        );
        assert_eq!(
            shown(&mut parts, &unknown, 5.0),
            (formation.text.clone(), Some(41), true)
        );
        assert_eq!(shown(&mut parts, &unknown, 5.9), none, "gone");
        assert_eq!(shown(&mut parts, &unknown, 6.0), none);
        shown(&mut parts, &known, 7.0);
        assert_eq!(
            shown(
                &mut parts,
                &BarView {
                    game: 1,
                    ..unknown.clone()
                },
                7.1
            ),
            none,
            "another game"
        );
        shown(&mut parts, &known, 8.0);
        assert_eq!(
            shown(&mut parts, &unknown.hidden(shogibar_base::Lang::Ja), 8.1),
            none,
            "hidden"
        );
        shown(&mut parts, &known, 9.0);
        let mut failed = unknown.clone();
        failed.engines[1].signal = Some(EngineSignal::Lost);
        assert_eq!(
            shown(&mut parts, &failed, 9.1),
            (formation.text, None, true),
            "the engine is lost"
        );
        shown(&mut parts, &known, 10.0);
        unknown.is_numbers_only = true;
        assert_eq!(
            shown(&mut parts, &unknown, 10.1),
            (String::new(), Some(41), true),
            "no word of the position"
        );
    }

    #[test]
    fn values_of_another_game_are_not_held() {
        let mut held = HeldValues::default();
        shown_by(&mut held, &view("a", 60), 0.0);
        let other = BarView {
            game: 1,
            ..shallow("a", 20)
        };
        assert_eq!(
            shown_by(&mut held, &other, 0.1),
            (Some(20), false, "a".to_owned())
        );
        assert!(
            held.view(
                &BarView {
                    game: 2,
                    ..stale("a", 20)
                },
                5.0
            )
            .1
            .is_some(),
            "greyed later, by its own time"
        );
    }

    #[test]
    fn values_of_before_turn_grey() {
        let mut held = HeldValues::default();
        shown_by(&mut held, &view("a", 60), 0.0);
        assert!(!shown_by(&mut held, &stale("b", 60), 1.0).1);
        let (_, next) = held.view(&stale("b", 60), 1.5);
        assert!(
            next.is_some_and(|next| (next - 0.3).abs() < 1e-9),
            "a frame is asked for: {next:?}"
        );
        assert!(shown_by(&mut held, &stale("b", 60), 1.8).1);
    }
}
