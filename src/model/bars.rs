//! A bar: the engines that evaluate the position of a game, and their displayed values. No side effects.

mod engine;

use super::game::Game;
use super::ids::{EngineId, GameId};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_builtin::Control;
use shogibar_engine::observer::{Candidate, SearchInfo};
use shogibar_engine::session::{EngineState, SearchTarget, Snapshot};
use shogibar_games::bar::{BarInput, EngineReport, FollowMode, is_settled, position_hash};
use shogibar_games::move_facts::{FactCause, MAX_REFRAIN_PLIES, MoveFacts};
use shogibar_games::reasons::{ShownLine, ShownMove};
use shogibar_games::study::InquiryKind;
use shogibar_shogi::{Color, Move};
use std::collections::BTreeSet;
use std::sync::Arc;

pub use engine::{BarEngine, EngineInfo};

/// An evaluation bar with its engines. It shows one game.
#[expect(clippy::struct_excessive_bools, reason = "each flag is an independent fact")]
#[derive(Debug, Default)]
pub struct Bar {
    game: GameId,
    /// The hashes of the positions that the engines had to search since the bar shows this game.
    targets: BTreeSet<u64>,
    /// The hashes of the positions that the engines had to search for games that the bar showed before.
    earlier_targets: BTreeSet<u64>,
    engines: Vec<BarEngine>,
    follow: FollowMode,
    /// Whether the user has paused the engines.
    is_paused: bool,
    /// Whether the evaluation is hidden.
    is_hidden: bool,
    /// Whether the engines pause while the bar is hidden.
    pauses_hidden: bool,
    /// Whether the evaluation is covered while the user guesses a move.
    is_covered: bool,
    /// Whether an analysis is running. The engines then pause, because it uses all processors.
    is_analysis_running: bool,
    /// Whether nobody can see the bar. The engines then pause.
    is_unseen: bool,
    last_reason: Option<(Box<ShownMove>, Arc<MoveFacts>)>,
    /// What was told of the moves of the game, by the moves up to each.
    told_causes: Vec<(Vec<Move>, FactCause)>,
    /// Whether the user plays the bar's game against an engine, without visible values.
    is_playing: bool,
}

impl Bar {
    /// Creates a bar that shows a game, without engines.
    pub(super) fn showing(game: GameId) -> Self {
        Self {
            game,
            ..Self::default()
        }
    }

    /// Shows a game. The engines' values of the former game do not apply to it.
    pub(super) fn show(&mut self, game: GameId) {
        if self.game != game {
            self.game = game;
            self.earlier_targets.append(&mut self.targets);
        }
    }

    /// Records a search target of the engines: a position of the game that the bar shows.
    pub(super) fn record_target(&mut self, target: &SearchTarget) {
        self.targets.extend(target.position.as_deref().map(position_hash));
    }

    /// Returns the game that the bar shows.
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// Returns the engines, in the user's order.
    pub fn engines(&self) -> &[BarEngine] {
        &self.engines
    }

    /// Returns the engines that this program has started.
    pub fn managed_engines(&self) -> impl Iterator<Item = &BarEngine> {
        self.engines.iter().filter(|engine| engine.is_managed())
    }

    /// Returns whether there are engines, and all run behind relays.
    pub fn has_only_relays(&self) -> bool {
        !self.engines.is_empty() && self.engines.iter().all(|engine| !engine.is_managed())
    }

    /// Returns the engine of this identity.
    pub fn engine(&self, id: EngineId) -> Option<&BarEngine> {
        self.engines.iter().find(|engine| engine.id == id)
    }

    /// Returns the engine of this identity, for changes.
    pub fn engine_mut(&mut self, id: EngineId) -> Option<&mut BarEngine> {
        self.engines.iter_mut().find(|engine| engine.id == id)
    }

    /// Returns the engine that was started under this name.
    pub fn engine_named(&self, name: &str) -> Option<&BarEngine> {
        self.engines.iter().find(|engine| engine.info.name == name)
    }

    /// Returns the engine that the bar follows; the first if it follows the mean of the engines.
    pub fn lead_engine(&self) -> Option<&BarEngine> {
        self.engines.get(self.lead_index())
    }

    /// Adds an engine.
    pub fn add_engine(&mut self, engine: impl Into<BarEngine>) {
        self.engines.push(engine.into());
    }

    /// Replaces an engine. Returns the former one.
    pub fn replace_engine(&mut self, id: EngineId, engine: BarEngine) -> Option<BarEngine> {
        self.engine_mut(id)
            .map(|before| std::mem::replace(before, engine))
    }

    /// Gives another name to the engines of this name.
    pub fn rename_engines(&mut self, old: &str, new: &str) {
        for engine in self.engines.iter_mut().filter(|engine| engine.info.name == old) {
            new.clone_into(&mut engine.info.name);
            new.clone_into(&mut engine.report.name);
        }
    }

    /// Removes an engine, and returns it. The bar then follows the first of the others.
    pub fn remove_engine(&mut self, id: EngineId) -> Option<BarEngine> {
        let index = self.engines.iter().position(|engine| engine.id == id)?;
        self.follow = FollowMode::One(0);
        Some(self.engines.remove(index))
    }

    /// Removes all engines.
    pub fn clear_engines(&mut self) {
        self.engines.clear();
        self.follow = FollowMode::One(0);
    }

    /// Returns the index of the engine that the bar follows; 0 if it follows the mean of the engines. An engine without
    /// values that has failed is skipped.
    pub fn lead_index(&self) -> usize {
        self.follow.lead_index_among(self.engine_reports())
    }

    /// Returns what the user wants the bar to follow: an engine, or the mean of the engines.
    pub const fn followed(&self) -> FollowMode {
        self.follow
    }

    /// Returns what the bar follows at present: an engine, or the mean of the engines. An engine that has failed may be
    /// skipped.
    fn followed_now(&self) -> FollowMode {
        match self.follow {
            FollowMode::One(_) => FollowMode::One(self.lead_index()),
            FollowMode::Mean => FollowMode::Mean,
        }
    }

    /// Sets what the bar follows. An engine that does not run is ignored.
    pub fn follow(&mut self, follow: FollowMode) {
        if follow.lead_index() < self.engines.len() {
            self.follow = follow;
        }
    }

    /// Follows the next engine; after the last one, the mean of the engines.
    pub fn follow_next(&mut self) {
        self.follow = self.follow.next(self.engines.len());
    }

    /// Pauses or resumes the engines.
    pub const fn toggle_pause(&mut self) {
        self.is_paused = !self.is_paused;
    }

    /// Sets whether an analysis is running. The engines pause meanwhile.
    pub const fn set_analysis_running(&mut self, is_running: bool) {
        self.is_analysis_running = is_running;
    }

    /// Sets whether nobody can see the bar. The engines pause meanwhile.
    pub const fn set_unseen(&mut self, is_unseen: bool) {
        self.is_unseen = is_unseen;
    }

    /// Sets whether the user plays the bar's game against an engine without visible values. The evaluation is covered
    /// and the engines pause meanwhile.
    pub const fn set_playing(&mut self, is_playing: bool) {
        self.is_playing = is_playing;
    }

    /// Returns whether the user has paused the engines.
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Returns whether the engines are paused, for any reason.
    pub const fn is_paused_now(&self) -> bool {
        self.is_paused
            || self.is_hidden && self.pauses_hidden
            || self.is_analysis_running
            || self.is_unseen
            || self.is_playing
    }

    /// Returns whether the evaluation is hidden.
    pub const fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// Returns whether the evaluation is hidden or covered, for any reason.
    pub(super) const fn is_hidden_now(&self) -> bool {
        self.is_hidden || self.is_covered || self.is_playing
    }

    /// Sets whether the evaluation is covered, while the user guesses a move. The engines continue.
    pub const fn set_covered(&mut self, covers: bool) {
        self.is_covered = covers;
    }

    /// Sets whether the engines pause while the evaluation is hidden.
    pub const fn set_pauses_hidden(&mut self, pauses: bool) {
        self.pauses_hidden = pauses;
    }

    /// Sets whether the evaluation is hidden.
    pub const fn set_hidden(&mut self, hidden: bool) {
        self.is_hidden = hidden;
    }

    /// Hides or shows the evaluation.
    pub const fn toggle_hidden(&mut self) {
        self.is_hidden = !self.is_hidden;
    }

    /// Dismisses the notices about options that the engines rejected.
    pub fn dismiss_rejections(&mut self) {
        for BarEngine { report, .. } in &mut self.engines {
            report.has_dismissed_rejections |= !report.snapshot.rejected_options.is_empty();
        }
    }

    /// Updates the snapshot of an engine.
    pub fn update_engine(&mut self, id: EngineId, snapshot: Snapshot) {
        if let Some(engine) = self.engine_mut(id) {
            engine.report.snapshot = snapshot;
        }
    }

    fn engine_reports(&self) -> impl Iterator<Item = &EngineReport> + Clone {
        self.engines.iter().map(|engine| &engine.report)
    }

    /// Returns whether any engine has reported an evaluation yet.
    pub fn has_evaluation(&self) -> bool {
        self.engine_reports()
            .any(|report| report.snapshot.search_info.is_some())
    }

    /// Returns whether an engine has failed.
    pub fn has_failed(&self) -> bool {
        self.engine_reports()
            .any(|report| matches!(report.snapshot.state, EngineState::Failed(_)))
    }

    /// Returns the search target of the engines: the position of the user's open question, or else that of the game.
    pub fn search_target(&self, game: &Game) -> SearchTarget {
        // Even a paused engine answers a question of the user.
        if let Some(inquiry) = game
            .inquiry()
            .filter(|inquiry| inquiry.answer.is_none() && !inquiry.is_built_in)
        {
            let position = Some(Arc::clone(&inquiry.history));
            return SearchTarget {
                position,
                is_mate_search: inquiry.kind == InquiryKind::Mate,
                ..SearchTarget::default()
            };
        }
        let position = game.search_position().cloned();
        SearchTarget {
            position,
            is_paused: self.is_paused_now(),
            ..SearchTarget::default()
        }
    }

    /// Returns whether no more reports will follow: no position is searched, or every engine has finished or failed.
    pub fn is_search_done(&self, game: &Game) -> bool {
        let finished = |report: &EngineReport| {
            let answered = report
                .snapshot
                .result
                .as_ref()
                .is_some_and(|answer| answer.history == *game.history());
            let failed = matches!(
                report.snapshot.state,
                EngineState::Failed(_) | EngineState::Unsearchable(_)
            );
            answered || failed
        };
        self.engine_reports().all(finished) || game.search_position().is_none()
    }

    /// Returns the present content of the bar, without texts.
    pub fn input(&self, game: &Game) -> BarInput {
        let lead = self.lead_engine().map_or("", |lead| lead.report.name.as_str());
        let (shown, of_record) = game.shares(lead);
        let recorded = self.recorded_report(game);
        let (engines, follow, shares) = match recorded.clone() {
            Some(recorded) => (vec![recorded], FollowMode::One(0), &*of_record),
            None => (
                self.reports(game),
                self.followed_now(),
                if lead.is_empty() { &*of_record } else { &*shown },
            ),
        };
        let ply = game.history().moves().len();
        let graph: Vec<_> = shown
            .iter()
            .zip(&*of_record)
            .map(|(shown, recorded)| shown.or(*recorded))
            .collect();
        let filled = game.filled_shares(&graph);
        let document = game.document();
        let shown_engine = engines
            .get(self.lead_index())
            .map_or("", |report| report.name.as_str());
        let last_reason = self.last_reason_of(game, shown_engine);
        let last_loss = game.last_loss(lead);
        BarInput {
            game: self.game().0,
            players: [Color::Black, Color::White].map(|color| {
                document
                    .record()
                    .player(color)
                    .map(|name| short(name).into_owned())
            }),
            event: document
                .record()
                .header("棋戦")
                .map(|event| short(event).into_owned())
                .unwrap_or_default(),
            is_handicap: document.record().is_handicap(),
            history: Arc::clone(game.history()),
            last_words: Lang::ALL.map(|lang| game.last_word_in(lang).into_owned()),
            ending: game.ending(),
            pause: document.pause().cloned(),
            clocks: game.clocks(),
            live_mark: if self.is_connected() {
                game.live_mark()
            } else {
                None
            },
            doubt: game.doubt(),
            graph,
            filled_shares: filled,
            last_loss,
            // It is read beside a loss alone, and finding it costs a pass over the game.
            better_move: last_loss.and_then(|_| game.choice_before(lead)),
            only_move: game.only_move(lead, recorded.as_ref().map(|recorded| &recorded.snapshot)),
            stored_share: game
                .search_position()
                .and_then(|_| shares.get(ply).copied().flatten()),
            engines,
            facts: if game.doubt().is_some() {
                Vec::new()
            } else {
                game.facts().to_vec()
            },
            last_reason,
            follow,
            is_paused: self.is_paused,
            is_hidden: self.is_hidden_now(),
            is_left: false,
        }
    }

    /// Returns the depth of the followed engine on the current position, and whether it is enough for a meaningful
    /// line. The depth is in plies, 0 if unknown. `None` if the engine has not searched the position.
    pub(super) fn lead_progress(&self, game: &Game) -> Option<(u32, bool)> {
        let snapshot = &self.lead_engine()?.report.snapshot;
        let info = snapshot
            .search_info
            .as_ref()
            .filter(|info| info.history == *game.history())?;
        Some((info.stats.depth.unwrap_or_default(), is_settled(snapshot)))
    }

    /// Returns the last move of a game, with the lines before and after it by the followed engine or the record. `None`
    /// before the search of the current position is deep enough for a meaningful line.
    pub(super) fn shown_move(&self, game: &Game) -> Option<ShownMove> {
        let recorded = self.recorded_report(game);
        let report = recorded
            .as_ref()
            .or_else(|| self.lead_engine().map(|engine| &engine.report))?;
        let snapshot = &report.snapshot;
        let after = snapshot
            .search_info
            .as_ref()
            .filter(|info| info.history == *game.history() && is_settled(snapshot))?;
        let line = |best: &Candidate| ShownLine {
            value: best.value,
            line: best.pv.clone(),
        };
        // The evaluations of a record have no engine's name.
        let before = match report.name.as_str() {
            "" => game.record_snapshot_before()?.search_info?.best().map(line),
            name => game.best_before(name).map(line),
        }?;
        Some(ShownMove {
            history: Arc::clone(game.history()),
            is_handicap: game.document().record().is_handicap(),
            best_lines: [before, line(after.best()?)],
            model: snapshot.model,
            engine: report.name.clone(),
        })
    }

    /// Stores the proved facts about a last move. A cause that was told shortly before in the game is not told again.
    pub(super) fn set_last_reason(&mut self, shown: Box<ShownMove>, mut reason: MoveFacts) {
        let moves = shown.history.moves();
        self.told_causes
            .retain(|(told, _)| told.len() < moves.len() && moves.starts_with(told));
        let is_repeated = self.told_causes.iter().any(|(told, cause)| {
            told.len() + MAX_REFRAIN_PLIES >= moves.len() && Some(*cause) == reason.cause
        });
        self.told_causes
            .extend(reason.cause.map(|cause| (moves.to_vec(), cause)));
        if is_repeated {
            reason.sentences.clone_from(&reason.repeated_texts);
            reason.short_texts.clone_from(&reason.repeated_texts);
        }
        self.last_reason = Some((shown, Arc::new(reason)));
    }

    fn last_reason_of(&self, game: &Game, engine: &str) -> Option<Arc<MoveFacts>> {
        let (shown, reason) = self.last_reason.as_ref()?;
        (shown.history == *game.history() && shown.engine == engine).then(|| Arc::clone(reason))
    }

    /// Finds and stores the proved facts about the last move, if its loss is large. Slow.
    pub fn find_last_reason(&mut self, game: &Game, control: &Control) {
        if let Some(shown) = self.shown_move(game).filter(ShownMove::has_large_loss) {
            let reason = shown.proved_facts(control);
            self.set_last_reason(Box::new(shown), reason);
        }
    }

    /// Returns the report of the engine that the bar shows where there is room for only one, or that of the record's
    /// evaluation. `None` if there is neither.
    pub(super) fn lead_report(&self, game: &Game) -> Option<EngineReport> {
        self.recorded_report(game)
            .or_else(|| self.reports(game).get(self.lead_index()).cloned())
    }

    /// Returns whether any engine is connected. The engine of an ended relay is not.
    fn is_connected(&self) -> bool {
        self.engine_reports()
            .any(|report| !matches!(report.snapshot.state, EngineState::Disconnected))
    }

    /// Returns the reports of the engines. An earlier result for the position is shown until the present search is
    /// equally deep.
    fn reports(&self, game: &Game) -> Vec<EngineReport> {
        let mut reports: Vec<_> = self.engine_reports().cloned().collect();
        if game.search_position().is_none() && game.ending().is_none() {
            // The record has not arrived yet. The engines' values are those of the former game.
            for report in &mut reports {
                report.snapshot.search_info = None;
            }
            return reports;
        }
        for report in &mut reports {
            let deeper = deeper_value(report, game);
            if deeper.is_some() || !self.may_show_values(report, game) {
                report.snapshot.search_info = deeper;
            }
        }
        reports
    }

    /// Returns whether the values of an engine may be shown: they are of the current position, or of another position
    /// of this game and about to be replaced. Also `true` without values.
    fn may_show_values(&self, report: &EngineReport, game: &Game) -> bool {
        let Some(info) = &report.snapshot.search_info else {
            return true;
        };
        if info.history == *game.history() {
            return true;
        }
        let ends = matches!(
            report.snapshot.state,
            EngineState::Paused | EngineState::Unsearchable(_) | EngineState::Failed(_)
        );
        if ends || self.is_paused_now() || game.history().now().searchable().is_err() {
            return false;
        }
        let hash = position_hash(&info.history);
        let is_foreign = self.earlier_targets.contains(&hash) && !self.targets.contains(&hash);
        !is_foreign && game.has_position(&info.history)
    }

    /// Returns the record's evaluation, shown while the engines are paused. `None` if they are not paused, or if an
    /// engine has searched this position before.
    fn recorded_report(&self, game: &Game) -> Option<EngineReport> {
        if !self.is_paused_now() {
            return None;
        }
        let has_searched = self.engine_reports().any(|report| {
            let shown = report.snapshot.search_info.as_ref();
            shown.is_some_and(|shown| shown.history == *game.history()) || game.values(&report.name).is_some()
        });
        if has_searched {
            return None;
        }
        game.record_snapshot().map(EngineReport::from)
    }
}

/// Returns the stored result of an engine for the current position, if it is deeper than the present one.
fn deeper_value(report: &EngineReport, game: &Game) -> Option<SearchInfo> {
    let shown = report
        .snapshot
        .search_info
        .as_ref()
        .filter(|shown| shown.history == *game.history());
    game.values(&report.name)
        .filter(|deeper| shown.is_none_or(|shown| deeper.stats.depth > shown.stats.depth))
}
