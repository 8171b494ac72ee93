//! The rules that answer moments of a game: "when … then …". Pure.

use crate::task::ObsTask;
use serde::{Deserialize, Serialize};
use shogibar_base::Lang;
use shogibar_programme::{Moment, MomentKind};
use std::collections::BTreeMap;
use std::time::Duration;

/// The time between two answers of a rule, unless the user sets another one.
pub const DEFAULT_PAUSE_SECONDS: u32 = 20;
/// The maximum number of rules.
pub const MAX_RULES: usize = 50;
/// The maximum number of characters of a chapter's name and of a line.
const MAX_LINE_CHARS: usize = 100;

/// A rule of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObsRule {
    /// The moment that is answered.
    pub when: MomentKind,
    /// The answer.
    pub then: RuleAnswer,
    /// The scene of the answer; empty for an answer without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scene: String,
    /// The source of the answer; empty for an answer without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// How long a scene or source is shown, in seconds; 0 for good.
    #[serde(default)]
    pub seconds: u32,
    /// Whether the rule is on.
    #[serde(default)]
    pub is_on: bool,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleAnswer {
    /// Save the replay buffer.
    SaveReplay,
    /// Set a chapter in the recording.
    Chapter,
    /// Switch to a scene.
    Scene,
    /// Show a source.
    Source,
    /// Write a line to the file of moments.
    Line,
}

impl RuleAnswer {
    /// All answers, in the order of declaration.
    pub const ALL: [Self; 5] = [
        Self::SaveReplay,
        Self::Chapter,
        Self::Scene,
        Self::Source,
        Self::Line,
    ];
}

/// What is to be done about a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleEffect {
    /// Give OBS a task.
    Task(ObsTask),
    /// Write a line to the file of moments.
    Line(String),
}

/// Applies rules to moments.
#[derive(Debug, Default)]
pub struct RuleRunner {
    /// When each rule has last answered, by its index.
    last_answers: BTreeMap<usize, Duration>,
}

impl ObsRule {
    /// Creates a rule that is off.
    pub const fn new(when: MomentKind, then: RuleAnswer) -> Self {
        Self {
            when,
            then,
            scene: String::new(),
            source: String::new(),
            seconds: 0,
            is_on: false,
        }
    }

    /// Returns what the rule does about a moment; `None` for a rule that lacks its scene or source.
    fn effect(&self, moment: &Moment, lang: Lang) -> Option<RuleEffect> {
        let scene = || Some(self.scene.clone()).filter(|name| !name.is_empty());
        let line = || moment.line(lang).chars().take(MAX_LINE_CHARS).collect();
        Some(match self.then {
            RuleAnswer::SaveReplay => RuleEffect::Task(ObsTask::SaveReplay),
            RuleAnswer::Chapter => RuleEffect::Task(ObsTask::Chapter(line())),
            RuleAnswer::Scene => RuleEffect::Task(ObsTask::Scene {
                name: scene()?,
                seconds: self.seconds,
            }),
            RuleAnswer::Source => RuleEffect::Task(ObsTask::Source {
                scene: scene()?,
                name: Some(self.source.clone()).filter(|name| !name.is_empty())?,
                seconds: self.seconds,
            }),
            RuleAnswer::Line => RuleEffect::Line(line()),
        })
    }
}

impl RuleRunner {
    /// Returns what the rules do about a moment. Each rule answers at most once in `pause` seconds.
    pub fn answer(
        &mut self,
        rules: &[ObsRule],
        moment: &Moment,
        pause: u32,
        now: Duration,
        lang: Lang,
    ) -> Vec<RuleEffect> {
        let pause = Duration::from_secs(pause.into());
        let mut effects = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let is_too_soon = self
                .last_answers
                .get(&index)
                .is_some_and(|last| now.saturating_sub(*last) < pause);
            if !rule.is_on || moment.kind != rule.when || is_too_soon {
                continue;
            }
            if let Some(effect) = rule.effect(moment, lang) {
                self.last_answers.insert(index, now);
                effects.push(effect);
            }
        }
        effects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turning_point() -> Moment {
        Moment {
            ply: Some(82),
            last_move: ["△9五銀", "S-9e"].map(str::to_owned),
            loss: Some(11),
            ..Moment::new(MomentKind::TurningPoint)
        }
    }

    fn rule(then: RuleAnswer) -> ObsRule {
        ObsRule {
            is_on: true,
            ..ObsRule::new(MomentKind::TurningPoint, then)
        }
    }

    #[test]
    fn a_rule_answers_its_moment_at_most_once_in_a_pause() {
        let off = ObsRule::new(MomentKind::TurningPoint, RuleAnswer::SaveReplay);
        let other = ObsRule {
            when: MomentKind::GameOver,
            ..rule(RuleAnswer::SaveReplay)
        };
        let rules = [off, other, rule(RuleAnswer::Chapter), rule(RuleAnswer::Line)];
        let mut runner = RuleRunner::default();
        let mut answers = |seconds| {
            runner.answer(
                &rules,
                &turning_point(),
                20,
                Duration::from_secs(seconds),
                Lang::Ja,
            )
        };
        let line = "82手目 △9五銀 −11% 勝敗を分けた手".to_owned();
        let expect = [
            RuleEffect::Task(ObsTask::Chapter(line.clone())),
            RuleEffect::Line(line),
        ];
        assert_eq!(answers(5), expect);
        assert_eq!(answers(24), []);
        assert_eq!(answers(25), expect);
    }

    #[test]
    fn a_rule_without_its_scene_does_nothing() {
        let rules = [
            rule(RuleAnswer::Scene),
            ObsRule {
                scene: "対局".to_owned(),
                ..rule(RuleAnswer::Source)
            },
        ];
        let found = RuleRunner::default().answer(&rules, &turning_point(), 0, Duration::ZERO, Lang::En);
        assert_eq!(found, []);
    }
}
