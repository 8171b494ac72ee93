//! The engines of the bars: which run, and which are being started.

use super::{AppEffect, AppModel, BarEntry, BarId, MAX_ENGINES_PER_BAR, SearchTarget};
use crate::Message;
use crate::bars::{Bar, BarEngine, EngineInfo};
use crate::ids::{EngineId, GameId};
use crate::jobs::{Job, JobKey};
use crate::workspace::WorkspaceBar;
use shogibar_base::CauseText;
use shogibar_games::EngineMessage;
use shogibar_games::bar::FollowMode;
use shogibar_games::engine_game_text::EngineGamePhrase;
use shogibar_games::study::{Inquiry, InquiryAnswer};
use std::time::Duration;

/// The number and the priority of the engines that share the processors. `discovery::default_session` makes threads
/// of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineShare {
    /// The number of engines that run at once.
    pub engines: usize,
    /// Whether the engine runs at a low priority: in the background, or beside a playing engine behind a relay.
    pub is_low_priority: bool,
    /// The purpose of the engine.
    pub purpose: EnginePurpose,
}

/// The purpose for which an engine is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnginePurpose {
    /// The engine searches the position that its bar shows.
    Study,
    /// The engine searches each position only briefly: one candidate, one thread, a small table.
    Brief,
    /// The engine plays a game: one candidate.
    Game,
}

impl EngineShare {
    /// The share of an engine that searches positions briefly, in the background.
    pub const BRIEF: Self = Self {
        engines: 1,
        is_low_priority: true,
        purpose: EnginePurpose::Brief,
    };

    /// The share of an engine that plays a game against the user.
    pub const PLAYER: Self = Self {
        engines: 1,
        is_low_priority: false,
        purpose: EnginePurpose::Game,
    };

    /// Creates the share of one of `engines` engines that run at once.
    pub const fn for_engines(engines: usize) -> Self {
        Self {
            engines,
            is_low_priority: false,
            purpose: EnginePurpose::Study,
        }
    }
}

/// The slot for an engine that is being started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EngineSlot {
    Replace(EngineId),
    Add,
}

#[derive(Debug)]
struct StartingEngine {
    id: EngineId,
    name: String,
    slot: EngineSlot,
}

/// The choice of engines for a bar, beside the running ones.
#[derive(Debug, Default)]
pub(super) struct EngineChoice {
    /// Whether the user has chosen the engines. Otherwise the next run starts the default engine.
    is_chosen: bool,
    starting_engines: Vec<StartingEngine>,
    /// The names of the engines that a relay has replaced. They are stored for the next run.
    displaced_names: Vec<String>,
    /// The identities of built-in engines that replace others, each with the name of the replaced engine.
    stand_ins: Vec<(EngineId, String)>,
    /// The engine to follow once it runs, as in the last run.
    restored_follow: Option<FollowMode>,
}

impl EngineChoice {
    /// Records a built-in engine that replaces another one. `name` is that of the replaced engine, and is stored for
    /// the next run.
    pub(super) fn add_stand_in(&mut self, id: EngineId, name: String) {
        self.stand_ins.push((id, name));
    }

    /// Returns the name of the engine that a built-in engine replaces; `None` if it replaces none.
    pub(super) fn stand_in(&self, id: EngineId) -> Option<&str> {
        self.stand_ins
            .iter()
            .find(|(known, _)| *known == id)
            .map(|(_, name)| name.as_str())
    }

    pub(super) const fn is_starting(&self) -> bool {
        !self.starting_engines.is_empty()
    }

    /// Drops the engines that are being added, because the user wants another one.
    fn forget_added(&mut self) {
        self.starting_engines
            .retain(|starting| starting.slot != EngineSlot::Add);
        self.restored_follow = None;
    }
}

impl BarEntry {
    /// Removes all engines, including those that are being started, because a relay replaces them.
    pub(super) fn displace_engines(&mut self) {
        self.choice.displaced_names = self.chosen_names();
        self.bar.clear_engines();
        self.choice.starting_engines.clear();
        self.choice.restored_follow = None;
    }

    /// Returns the names of the engines to store for the next run; empty for the default engine.
    pub(super) fn chosen_names(&self) -> Vec<String> {
        if self.bar.has_only_relays() {
            return self.choice.displaced_names.clone();
        }
        if !self.choice.is_chosen {
            return Vec::new();
        }
        let stand_ins = &self.choice.stand_ins;
        let chosen = |id: EngineId| {
            stand_ins
                .iter()
                .find(|(known, _)| *known == id)
                .map(|(_, name)| name.clone())
        };
        let name = |engine: &BarEngine| chosen(engine.id).unwrap_or_else(|| engine.info.name.clone());
        let mut names: Vec<_> = self
            .bar
            .managed_engines()
            .map(|engine| (engine.id, name(engine)))
            .collect();
        for starting in &self.choice.starting_engines {
            let replaced = names
                .iter_mut()
                .find(|(id, _)| starting.slot == EngineSlot::Replace(*id));
            match replaced {
                Some((_, name)) => *name = chosen(starting.id).unwrap_or_else(|| starting.name.clone()),
                None => names.push((starting.id, starting.name.clone())),
            }
        }
        names.into_iter().map(|(_, name)| name).collect()
    }
}

impl AppModel {
    /// Adds a running engine to a bar. Returns the engine's identity and search target.
    pub fn add_engine(&mut self, bar: BarId, info: EngineInfo) -> (EngineId, SearchTarget) {
        let id = EngineId(self.next_id());
        let Some(entry) = self.entry_mut(bar) else {
            return (id, SearchTarget::default());
        };
        entry.bar.add_engine(BarEngine::new(id, info));
        (id, entry.target.clone())
    }

    /// Returns the names of a bar's running engines. The engine that the bar follows comes first.
    pub fn engine_names(&self, bar: BarId) -> Vec<&str> {
        let lender = self.lender(bar);
        let Some(entry) = self.bars.iter().find(|entry| entry.id == lender) else {
            return Vec::new();
        };
        let mut names: Vec<_> = entry
            .bar
            .engines()
            .iter()
            .map(|engine| engine.info.name.as_str())
            .collect();
        let lead = entry.bar.lead_index().min(names.len());
        if let Some(names) = names.get_mut(..=lead) {
            names.rotate_right(1);
        }
        names
    }

    /// Returns the name of an engine of a bar that this program has started, or is starting: that of the followed
    /// engine, or else the first. Empty, as for the default engine, if all engines of the bar run behind relays. `None`
    /// if there is no engine.
    pub(super) fn managed_engine_name(&self, bar: BarId) -> Option<String> {
        let entry = self.bars.iter().find(|entry| entry.id == bar)?;
        let mut managed = entry
            .bar
            .lead_engine()
            .into_iter()
            .filter(|lead| lead.is_managed())
            .chain(entry.bar.managed_engines());
        let name = managed.next().map(|engine| engine.info.name.clone());
        // The engines of a bar that was just added may still be starting.
        let name = name.or_else(|| {
            entry
                .choice
                .starting_engines
                .first()
                .map(|starting| starting.name.clone())
        });
        name.or_else(|| entry.bar.has_only_relays().then(String::new))
    }

    /// Returns the parameters of the running engines of all bars.
    pub fn engine_infos(&self) -> impl Iterator<Item = &EngineInfo> {
        self.bars
            .iter()
            .flat_map(|entry| entry.bar.engines())
            .map(|engine| &engine.info)
    }

    /// Returns whether the engines use fewer threads than `processors` at present, or all rest. An analysis uses all
    /// processors.
    pub fn leaves_processors_free(&self, processors: usize) -> bool {
        let threads = self
            .engine_infos()
            .filter_map(|info| usize::try_from(info.threads).ok())
            .sum::<usize>();
        let rests =
            |(_, bar): (BarId, &Bar)| bar.is_paused_now() || bar.is_search_done(self.game(bar.game()));
        !self.is_analysing() && (threads < processors || self.bars().all(rests))
    }

    /// Sets which engine a bar follows.
    pub fn follow(&mut self, bar: BarId, follow: FollowMode) {
        if let Some(entry) = self.entry_mut(bar) {
            entry.bar.follow(follow);
        }
    }

    /// Returns the longest search of a position by an engine without a limit of its own. `None`: there is no longest
    /// search.
    pub const fn time_limit(&self) -> Option<Duration> {
        self.settings.position_limit
    }

    /// Returns whether an engine is being started.
    pub fn is_starting_engine(&self) -> bool {
        self.bars
            .iter()
            .any(|entry| !entry.choice.starting_engines.is_empty())
    }

    /// Replaces the engine that the bar follows. An engine that already runs is restarted instead.
    pub(super) fn change_engine(&mut self, bar: BarId, name: String) {
        if self
            .relays_of(bar)
            .any(|(engine, is_ended)| !is_ended && engine.info.name == name)
        {
            self.notices.set_result(&Message::EngineIsRelayed, bar, false);
            return;
        }
        let Some(entry) = self.entry_mut(bar) else { return };
        entry.choice.is_chosen = true;
        // The engine that the user chose to follow is replaced, even if the bar follows another one after its failure.
        let chosen = entry.bar.engines().get(entry.bar.followed().lead_index());
        let replaced = entry.bar.engine_named(&name).or(chosen);
        let slot = replaced.map_or(EngineSlot::Add, |replaced| EngineSlot::Replace(replaced.id));
        entry.choice.forget_added();
        self.start(bar, name, slot);
    }

    /// Adds a second engine, or removes the named one if two run.
    ///
    /// If [`MAX_ENGINES_PER_BAR`] engines run, the new one replaces the one that the bar does not follow.
    pub(super) fn toggle_second_engine(&mut self, bar: BarId, name: String) {
        // A bar with the values of another bar lists the engines of that bar.
        let lender = self.lender(bar);
        let bar = if self.bar(lender).engine_named(&name).is_some() {
            lender
        } else {
            bar
        };
        let Some(entry) = self.entry_mut(bar) else { return };
        entry.choice.is_chosen = true;
        let count = entry.bar.engines().len();
        if let Some(id) = entry.bar.engine_named(&name).map(|engine| engine.id) {
            let removed = (count > 1).then(|| entry.bar.remove_engine(id)).flatten();
            self.effects.extend(
                removed
                    .filter(BarEngine::is_managed)
                    .map(|engine| AppEffect::EndEngine(engine.id)),
            );
            return;
        }
        entry.choice.forget_added();
        let lead = entry.bar.lead_index();
        let other = entry
            .bar
            .engines()
            .iter()
            .enumerate()
            .rfind(|(index, _)| *index != lead);
        let slot = match other {
            Some((_, engine)) if count >= MAX_ENGINES_PER_BAR => EngineSlot::Replace(engine.id),
            _ => EngineSlot::Add,
        };
        self.start(bar, name, slot);
    }

    /// Sets whether the user has chosen a bar's engines, so that they are stored for the next run.
    pub(super) fn set_chosen(&mut self, bar: BarId, is_chosen: bool) {
        if let Some(entry) = self.entry_mut(bar) {
            entry.choice.is_chosen = is_chosen;
        }
    }

    /// Marks the engines of the first bar as chosen if they are those of the last run.
    pub(super) fn restore_choice(&mut self, bar: BarId, names: &[String]) {
        if let Some(entry) = self.entry_mut(bar) {
            entry.choice.is_chosen = !names.is_empty()
                && entry
                    .bar
                    .engines()
                    .iter()
                    .map(|engine| &engine.info.name)
                    .eq(names);
        }
    }

    /// Starts the engines of a further bar as in the last run, or the default engine if none was chosen.
    pub(super) fn restore_engines(&mut self, bar: BarId, stored: &WorkspaceBar) {
        // An empty name starts the default engine.
        if stored.engines.is_empty() && !(stored.shares && self.offer_sharing(bar, &[String::new()])) {
            self.start(bar, String::new(), EngineSlot::Add);
        }
        for engine in &stored.engines {
            self.start_another(bar, engine.clone());
        }
        if let Some(entry) = self.entry_mut(bar) {
            entry.choice.restored_follow = Some(stored.follow.map_or(FollowMode::Mean, FollowMode::One));
        }
    }

    /// Returns the number of engines of all bars that run or are being started.
    pub fn engine_count(&self) -> usize {
        let starting = self.bars.iter().flat_map(|entry| &entry.choice.starting_engines);
        self.engine_infos().count()
            + starting
                .filter(|starting| starting.slot == EngineSlot::Add)
                .count()
    }

    /// Starts one more engine for a bar. The engines of the bar count as the choice of the user.
    pub(super) fn start_another(&mut self, bar: BarId, name: String) {
        self.set_chosen(bar, true);
        self.start(bar, name, EngineSlot::Add);
    }

    /// Starts an engine for a bar. Returns the engine's identity. An empty name starts the default engine.
    pub(super) fn start(&mut self, bar: BarId, name: String, slot: EngineSlot) -> EngineId {
        let id = EngineId(self.next_id());
        let count = self.engine_count() + usize::from(slot == EngineSlot::Add);
        let Some(entry) = self.entry_mut(bar) else {
            return id;
        };
        // Of two requests to replace the same engine, the newer one counts.
        entry
            .choice
            .starting_engines
            .retain(|starting| starting.slot != slot || slot == EngineSlot::Add);
        entry.choice.starting_engines.push(StartingEngine {
            id,
            name: name.clone(),
            slot,
        });
        entry.shares_engines = false;
        entry.offered_engines.clear();
        let has_relay = entry.bar.engines().iter().any(|engine| !engine.is_managed());
        let share = EngineShare {
            is_low_priority: has_relay,
            ..EngineShare::for_engines(count)
        };
        self.effects.push(AppEffect::StartEngine { id, name, share });
        id
    }

    /// Adds an engine that was started to its bar, or reports why it could not be started. An engine that is no longer
    /// needed is ended.
    pub(super) fn on_engine_started(&mut self, id: EngineId, result: Result<EngineInfo, CauseText>) {
        if self.is_fill_engine(id) {
            return self.on_fill_started(&result);
        }
        if self.is_player(id) {
            return self.on_player_started(result);
        }
        let is_it = |starting: &StartingEngine| starting.id == id;
        let entry = self
            .bars
            .iter_mut()
            .find(|entry| entry.choice.starting_engines.iter().any(is_it));
        let found = entry.and_then(|entry| {
            let index = entry.choice.starting_engines.iter().position(is_it)?;
            Some((entry.choice.starting_engines.remove(index), entry))
        });
        let Some((StartingEngine { name, slot, .. }, entry)) = found else {
            // Another engine was requested in the meantime, or the bar is closed.
            if result.is_ok() {
                self.effects.push(AppEffect::EndEngine(id));
            }
            return;
        };
        let info = match result {
            Ok(info) => info,
            Err(why) => {
                let bar = entry.id;
                return self
                    .notices
                    .set_result(&EngineMessage::NotStarted(name, why).into(), bar, true);
            }
        };
        let replaced = match slot {
            EngineSlot::Replace(replaced) => entry.bar.engine(replaced).map(|engine| engine.id),
            EngineSlot::Add => None,
        };
        if let Some(replaced) = replaced {
            // The engine may have other options now, so its earlier values are no longer valid.
            self.games
                .iter_mut()
                .for_each(|(_, game)| game.forget_values(&info.name));
            let old = entry.bar.replace_engine(replaced, BarEngine::new(id, info));
            self.effects.extend(
                old.filter(BarEngine::is_managed)
                    .map(|old| AppEffect::EndEngine(old.id)),
            );
        } else if entry.bar.engines().len() < MAX_ENGINES_PER_BAR {
            entry.bar.add_engine(BarEngine::new(id, info));
            entry.borrows_values = false;
            if let Some(follow) = entry.choice.restored_follow {
                entry.bar.follow(follow);
            }
        } else {
            return self.effects.push(AppEffect::EndEngine(id));
        }
        self.effects.push(AppEffect::SetTarget(id, entry.target.clone()));
    }

    /// Marks an engine whose K was fitted to another net.
    pub(super) fn on_net_differs(&mut self, id: EngineId) {
        for engine in self.bars.iter_mut().filter_map(|entry| entry.bar.engine_mut(id)) {
            engine.report.has_other_net = true;
        }
    }

    /// Gives another name to the running engines of this name.
    pub(super) fn rename_engine(&mut self, old: &str, new: &str) {
        self.bars
            .iter_mut()
            .for_each(|entry| entry.bar.rename_engines(old, new));
    }

    /// Sends a question about a position to the engine that a bar follows, or cancels the question.
    pub(super) fn ask(&mut self, bar: BarId, inquiry: Option<Inquiry>) {
        let lender = self.lender(bar);
        let Some(entry) = self.entry_mut(lender) else {
            return;
        };
        // No question is sent to an engine behind a relay, because it plays a game.
        let has_engine = entry.bar.lead_engine().is_some_and(BarEngine::is_managed);
        let failed = (!has_engine).then_some(InquiryAnswer::Failed);
        let game = entry.bar.game();
        if inquiry.is_some() && self.hides_values(game) {
            return self.show_refusal(game, EngineGamePhrase::NotDuringGame);
        }
        if let Some(game) = self.game_mut(game) {
            game.inquiry = inquiry.map(|inquiry| Inquiry {
                answer: inquiry.answer.or(failed),
                ..inquiry
            });
        }
        self.effects.push(AppEffect::Cancel(JobKey::Mate(game)));
        self.solve_mate(game);
    }

    /// Sends the question of a game to the built-in search for a mate, if no engine can answer it.
    pub(super) fn solve_mate(&mut self, id: GameId) {
        let inquiry = self.game_mut(id).and_then(|game| game.inquiry.as_mut());
        if let Some(history) = inquiry.and_then(Inquiry::ask_built_in) {
            self.effects.push(AppEffect::Run(Job::Mate(id, history)));
        }
    }

    /// Presses a button option of the running engines of this name.
    pub(super) fn press_button(&mut self, engine: &str, button: &str) {
        let running = self.bars.iter().flat_map(|entry| entry.bar.engines());
        let pressed = running.filter(|running| running.info.name == engine);
        self.effects
            .extend(pressed.map(|pressed| AppEffect::PressButton(pressed.id, button.to_owned())));
    }
}
