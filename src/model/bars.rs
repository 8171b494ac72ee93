//! A bar: the engines that evaluate the position of a game, and what is shown of them. No side effects.

mod snapshot;

use super::game::Game;
use super::ids::GameId;
use crate::bar::{BarNotice, BarView, EngineReport, FollowMode, position_hash};
use crate::observer::SearchInfo;
use crate::session::{EngineState, SearchTarget, Snapshot};
use crate::shogi::Color;
use crate::study::InquiryKind;
use crate::text::Lang;
use crate::text::visible::short;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use snapshot::BarSnapshot;

/// A bar. It shows one game.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug, Default)]
pub struct Bar {
    /// The game that it shows.
    game: GameId,
    /// The positions that its engines were to search since it shows this game, and those before, as hashes.
    targets: BTreeSet<u64>,
    earlier_targets: BTreeSet<u64>,
    engines: Vec<EngineReport>,
    follow: FollowMode,
    /// Whether the user has paused the engines.
    paused: bool,
    /// Whether the evaluation is hidden.
    hidden: bool,
    /// Whether the engines pause while it is hidden.
    pauses_hidden: bool,
    /// Whether it is covered while the user guesses a move.
    is_covered: bool,
    /// Whether an analysis is running: the engines would share the processors with it.
    yields: bool,
}

impl Bar {
    /// Creates a bar that shows a game, without engines.
    pub(super) fn showing(game: GameId) -> Self {
        Self { game, ..Self::default() }
    }

    /// Shows a game. What its engines say of the game before is no value of this one.
    pub(super) fn show(&mut self, game: GameId) {
        if self.game != game {
            self.game = game;
            self.earlier_targets.append(&mut self.targets);
        }
    }

    /// Notes what its engines are to search from now on, a position of the game that it shows.
    pub(super) fn note_target(&mut self, target: &SearchTarget) {
        self.targets.extend(target.position.as_deref().map(position_hash));
    }

    /// The game that it shows.
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// The engines' reports, in the user's order.
    pub fn engines(&self) -> &[EngineReport] {
        &self.engines
    }

    /// Adds an engine.
    pub fn add_engine(&mut self, engine: EngineReport) {
        self.engines.push(engine);
    }

    /// Replaces an engine, counted from 0.
    pub fn replace_engine(&mut self, index: usize, engine: EngineReport) {
        if let Some(before) = self.engines.get_mut(index) {
            *before = engine;
        }
    }

    /// Renames an engine, counted from 0.
    pub fn rename(&mut self, index: usize, name: &str) {
        if let Some(engine) = self.engines.get_mut(index) {
            name.clone_into(&mut engine.name);
        }
    }

    /// Marks an engine, counted from 0, whose K was fitted to another net.
    pub fn set_other_net(&mut self, index: usize) {
        if let Some(engine) = self.engines.get_mut(index) {
            engine.has_other_net = true;
        }
    }

    /// Removes an engine, counted from 0.
    pub fn remove_engine(&mut self, index: usize) {
        if index < self.engines.len() {
            self.engines.remove(index);
            self.follow = FollowMode::One(0);
        }
    }

    /// The engine that the bar follows, counted from 0; the first if it follows their mean.
    pub const fn lead(&self) -> usize {
        self.follow.lead()
    }

    /// Which engine the bar follows.
    pub const fn followed(&self) -> FollowMode {
        self.follow
    }

    /// Sets which engine the bar follows. An engine that does not run is ignored.
    pub fn follow(&mut self, follow: FollowMode) {
        if follow.lead() < self.engines.len() {
            self.follow = follow;
        }
    }

    /// Follows the next engine, and after the last their mean.
    pub fn follow_next(&mut self) {
        self.follow = self.follow.next(self.engines.len());
    }

    /// Pauses or resumes the engines.
    pub const fn pause(&mut self) {
        self.paused = !self.paused;
    }

    /// Pauses the engines while an analysis runs.
    pub const fn set_analysis_running(&mut self, is_running: bool) {
        self.yields = is_running;
    }

    /// Whether the user has paused the engines.
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Whether the engines are paused, for any reason.
    pub const fn is_paused_now(&self) -> bool {
        self.paused || self.hidden && self.pauses_hidden || self.yields
    }

    /// Whether the evaluation is hidden.
    pub const fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Covers the evaluation while the user guesses a move, or no longer. The engines go on.
    pub const fn cover(&mut self, covers: bool) {
        self.is_covered = covers;
    }

    /// Sets whether the engines pause while the evaluation is hidden.
    pub const fn pause_hidden(&mut self, pauses: bool) {
        self.pauses_hidden = pauses;
    }

    /// Hides or shows the evaluation.
    pub const fn hide(&mut self) {
        self.hidden = !self.hidden;
    }

    /// Dismisses the notices about the engines' rejected options.
    pub fn dismiss_rejections(&mut self) {
        for engine in &mut self.engines {
            engine.rejections_dismissed |= !engine.snapshot.rejected_options.is_empty();
        }
    }

    /// Updates the snapshot of an engine, counted from 0.
    pub fn update_engine(&mut self, engine: usize, snapshot: Snapshot) {
        if let Some(report) = self.engines.get_mut(engine) {
            report.snapshot = snapshot;
        }
    }

    /// Whether any engine has reported an evaluation yet.
    pub fn has_evaluation(&self) -> bool {
        self.engines.iter().any(|report| report.snapshot.search_info.is_some())
    }

    /// Whether an engine has failed.
    pub fn has_failed(&self) -> bool {
        self.engines.iter().any(|report| matches!(report.snapshot.state, EngineState::Failed(_)))
    }

    /// What the engines are to search.
    pub fn search_target(&self, game: &Game) -> SearchTarget {
        // The user has asked, so a paused engine answers.
        if let Some(inquiry) = game.inquiry().filter(|inquiry| inquiry.answer.is_none()) {
            let position = Some(Arc::clone(&inquiry.history));
            return SearchTarget { position, mate: inquiry.kind == InquiryKind::Mate, ..SearchTarget::default() };
        }
        let position = game.search_position().cloned();
        SearchTarget { position, paused: self.is_paused_now(), ..SearchTarget::default() }
    }

    /// Whether nothing more will be reported: no position is searched, or every engine has finished or failed.
    pub fn is_search_done(&self, game: &Game) -> bool {
        let finished = |report: &EngineReport| {
            let answered = report.snapshot.result.as_ref().is_some_and(|answer| answer.history == *game.history());
            let failed = matches!(report.snapshot.state, EngineState::Failed(_) | EngineState::Unsearchable(_));
            answered || failed
        };
        self.engines.iter().all(finished) || game.search_position().is_none()
    }

    /// The contents of the bar.
    pub fn view(&self, game: &Game, notice: Option<&BarNotice>, lang: Lang) -> BarView {
        self.snapshot(game).view(notice, lang)
    }

    /// What the bar shows at this moment, without the words. It is a copy: the contents are made of it on any thread.
    pub fn snapshot(&self, game: &Game) -> BarSnapshot {
        let lead = self.engines.get(self.lead()).map_or("", |lead| lead.name.as_str());
        let (shown, of_record) = game.shares(lead);
        let (engines, follow, own) = match self.recorded_report(game) {
            Some(recorded) => (vec![recorded], FollowMode::One(0), &*of_record),
            None => (self.reports(game).into_owned(), self.follow, if lead.is_empty() { &*of_record } else { &*shown }),
        };
        let ply = game.history().moves().len();
        // Shares of different engines do not tell what a move cost.
        let before = ply.checked_sub(1).and_then(|before| own.get(before).copied().flatten());
        let graph: Vec<_> = shown.iter().zip(&*of_record).map(|(shown, recorded)| shown.or(*recorded)).collect();
        let filled = game.filled_shares(&graph);
        let document = game.document();
        BarSnapshot {
            game: self.game(),
            players: [Color::Black, Color::White]
                .map(|color| document.record().player(color).map(|name| short(name).into_owned())),
            is_handicap: document.record().is_handicap(),
            history: Arc::clone(game.history()),
            last_words: Lang::ALL.map(|lang| game.last_word_in(lang).into_owned()),
            ending: game.ending(),
            pause: document.pause().cloned(),
            clocks: game.clocks(),
            live: game.live_mark().filter(|_| self.is_connected()),
            graph,
            filled,
            before,
            engines,
            follow,
            is_paused: self.paused,
            is_hidden: self.hidden || self.is_covered,
        }
    }

    /// The report of the engine that the bar shows where there is room for one.
    pub(super) fn lead_report(&self, game: &Game) -> Option<EngineReport> {
        self.recorded_report(game).or_else(|| self.reports(game).get(self.lead()).cloned())
    }

    /// Whether an engine is not that of a relay that has ended.
    fn is_connected(&self) -> bool {
        self.engines.iter().any(|report| !matches!(report.snapshot.state, EngineState::Disconnected))
    }

    /// The engines' reports, with what they have shown for the position before, until they have searched as deep again.
    fn reports(&self, game: &Game) -> Cow<'_, [EngineReport]> {
        let mut reports = Cow::Borrowed(self.engines.as_slice());
        if game.search_position().is_none() && game.ending().is_none() {
            // Its record is not there yet. What the engines have shown is of the game before.
            reports.to_mut().iter_mut().for_each(|report| report.snapshot.search_info = None);
            return reports;
        }
        for (index, report) in self.engines.iter().enumerate() {
            let kept = deeper_value(report, game);
            if (kept.is_some() || !self.may_stay(report, game))
                && let Some(report) = reports.to_mut().get_mut(index)
            {
                report.snapshot.search_info = kept;
            }
        }
        reports
    }

    /// Whether an engine's values may be shown: those of the position on view, or those of another position of the
    /// same game for as long as a search of this one is to replace them.
    fn may_stay(&self, report: &EngineReport, game: &Game) -> bool {
        let Some(info) = &report.snapshot.search_info else { return true };
        let is_foreign = |hash: u64| self.earlier_targets.contains(&hash) && !self.targets.contains(&hash);
        let will_be_replaced = || {
            let ends = matches!(
                report.snapshot.state,
                EngineState::Paused | EngineState::Unsearchable(_) | EngineState::Failed(_)
            );
            !ends && !self.is_paused_now() && game.history().now().searchable().is_ok()
        };
        info.history == *game.history()
            || will_be_replaced() && !is_foreign(position_hash(&info.history)) && game.has_position(&info.history)
    }

    /// The record's evaluation, shown while the engines are paused. `None` if they are not, or if an engine has
    /// searched this position before.
    fn recorded_report(&self, game: &Game) -> Option<EngineReport> {
        let has_searched = |report: &EngineReport| {
            let shown = report.snapshot.search_info.as_ref();
            shown.is_some_and(|shown| shown.history == *game.history()) || game.kept(&report.name).is_some()
        };
        if !self.is_paused_now() || self.engines.iter().any(has_searched) {
            return None;
        }
        game.record_snapshot().map(EngineReport::from)
    }
}

/// What an engine has shown for the position before, if it has not searched it as deep since.
fn deeper_value(report: &EngineReport, game: &Game) -> Option<SearchInfo> {
    let shown = report.snapshot.search_info.as_ref().filter(|shown| shown.history == *game.history());
    game.kept(&report.name).filter(|kept| shown.is_none_or(|shown| kept.stats.depth > shown.stats.depth))
}
