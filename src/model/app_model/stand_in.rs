//! The built-in engine in place of one that cannot be used.

use super::engines::EngineSlot;
use super::{AppModel, BarId, EngineId};
use crate::Message;
use crate::bars::BarEngine;
use shogibar_config::BUILT_IN_NAME;
use shogibar_engine::session::EngineState;
use shogibar_games::bar::{BarNotice, EngineReport, problem_notice};

/// The replacement of unusable engines by the built-in one.
#[derive(Debug, Default)]
pub(super) struct StandIn {
    /// Whether the built-in engine replaces others. Set only where the user can choose another engine.
    is_on: bool,
    /// The names of the engines that were replaced, each with the reason.
    problems: Vec<(String, BarNotice)>,
}

/// Returns whether an engine cannot be used at all, so that a restart would not help.
fn is_unusable(report: &EngineReport) -> bool {
    matches!(&report.snapshot.state, EngineState::Failed(failure) if failure.kind.is_unusable())
}

impl StandIn {
    pub(super) fn new(is_on: bool) -> Self {
        Self {
            is_on,
            ..Self::default()
        }
    }
}

impl AppModel {
    /// Starts the built-in engine in place of one that cannot be used, unless another engine of the bar works. Removes
    /// the problem of an engine that works again.
    pub(super) fn check_usable(&mut self, id: EngineId) {
        let Some((bar, name, state)) = self.engine_state(id) else {
            return;
        };
        if matches!(state, EngineState::Thinking | EngineState::Idle) {
            self.stand_in.problems.retain(|(known, _)| *known != name);
        } else if self.stand_in.is_on && self.are_engines_unusable(id) {
            let problem = problem_notice(&state, 0, self.settings.lang);
            self.stand_in.problems.retain(|(known, _)| *known != name);
            self.stand_in
                .problems
                .extend(problem.map(|problem| (name.clone(), problem)));
            self.notices
                .show(Message::BuiltInStandsIn(name.clone()), Some(bar));
            let new = self.start(bar, BUILT_IN_NAME.to_owned(), EngineSlot::Replace(id));
            if let Some(entry) = self.entry_mut(bar) {
                entry.choice.add_stand_in(new, name);
            }
        }
    }

    /// Returns the name of the engine that the built-in one replaces on a bar; `None` if it replaces none.
    pub fn stand_in_for(&self, bar: BarId) -> Option<&str> {
        let entry = self.bars.iter().find(|entry| entry.id == bar)?;
        entry
            .bar
            .engines()
            .iter()
            .find_map(|engine| entry.choice.stand_in(engine.id))
    }

    fn engine_state(&self, id: EngineId) -> Option<(BarId, String, EngineState)> {
        self.bars.iter().find_map(|entry| {
            let BarEngine { info, report, .. } = entry.bar.engine(id)?;
            Some((entry.id, info.name.clone(), report.snapshot.state.clone()))
        })
    }

    /// Returns whether an engine is neither the built-in one nor behind a relay, and all engines of its bar are
    /// unusable. `false` while another engine is being started.
    fn are_engines_unusable(&self, id: EngineId) -> bool {
        self.bars.iter().any(|entry| {
            entry
                .bar
                .engine(id)
                .is_some_and(|engine| engine.is_managed() && engine.info.name != BUILT_IN_NAME)
                && !entry.choice.is_starting()
                && entry
                    .bar
                    .engines()
                    .iter()
                    .all(|engine| is_unusable(&engine.report))
        })
    }

    /// Returns the names of unusable engines with the reasons: replaced engines, and those on the study page's bar. A
    /// problem that concerns no running engine has an empty name.
    pub fn engine_problems(&self) -> Vec<(String, BarNotice)> {
        let has_cause = |notice: &BarNotice| !notice.reason.is_empty();
        let running = self
            .bar(self.study_bar)
            .engines()
            .iter()
            .filter_map(|BarEngine { report, .. }| {
                let problem = problem_notice(
                    &report.snapshot.state,
                    report.snapshot.waited_seconds,
                    self.settings.lang,
                )?;
                has_cause(&problem).then(|| (report.name.clone(), problem))
            });
        let notice = self
            .notices_on(self.study_bar)
            .find(|notice| notice.is_about_engine());
        let notice = notice
            .map(|notice| notice.text(self.settings.lang))
            .filter(has_cause)
            .map(|notice| (String::new(), notice));
        self.stand_in
            .problems
            .iter()
            .cloned()
            .chain(running)
            .chain(notice)
            .collect()
    }
}
