//! The scales from centipawns to win rates, by engine.

use super::signatures;
use shogibar_config::Profiles;
use shogibar_engine::options::Presets;
use shogibar_kifu::evaluation::Evaluation;
use shogibar_shogi::score::WinRateModel;
use std::collections::BTreeMap;

/// The scales of evaluators, by their names in a record.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineScales {
    /// The scales that the user has set, by the name of the profile.
    profiles: BTreeMap<String, WinRateModel>,
    /// The scales that engines have used during this run, by [signature](super::signature).
    used_models: BTreeMap<String, WinRateModel>,
    presets: Presets,
}

impl Default for EngineScales {
    /// Returns the scales of the built-in presets.
    fn default() -> Self {
        Self {
            profiles: BTreeMap::new(),
            used_models: BTreeMap::new(),
            presets: shogibar_config::built_in_presets(),
        }
    }
}

impl EngineScales {
    /// Creates the scales of the profiles and the built-in presets.
    pub fn from_profiles(profiles: &Profiles) -> Self {
        let set = profiles
            .iter()
            .filter_map(|profile| Some((profile.name().to_owned(), profile.model?)));
        Self {
            profiles: set.collect(),
            ..Self::default()
        }
    }

    /// Records the scale that an engine with this [signature](super::signature) has used.
    pub fn learn(&mut self, signature: &str, model: WinRateModel) {
        self.used_models.insert(signature.to_owned(), model);
    }

    /// Returns the scale of an evaluation. The user's setting for the engine takes precedence, then the scale that the
    /// engine has used, then the preset of the engine.
    pub fn model(&self, evaluation: &Evaluation) -> WinRateModel {
        let engine = evaluation.engine.as_deref().unwrap_or_default();
        let name = signatures::signed_engine(engine).unwrap_or(engine);
        let set = self
            .profiles
            .iter()
            .find(|(profile, _)| name == profile.as_str() || name.ends_with(&format!(" ({profile})")))
            .map(|(_, model)| model);
        let known = set.or_else(|| self.used_models.get(engine)).copied();
        known.unwrap_or_else(|| self.presets.model_of(engine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_kifu::evaluation::{Dialect, Source};

    #[test]
    fn user_scale_comes_before_used_scale_and_preset() {
        let (profiles, _) = Profiles::read(
            "[[engine]]\nname = \"Hao\"\nprogram = \"/x\"\nk = 300\n[[engine]]\nname = \"plain\"\nprogram = \"/x\"\n",
        )
        .unwrap();
        let mut scales = EngineScales::from_profiles(&profiles);
        scales.learn("Lion [nodes 5]", WinRateModel::new(800.0));
        scales.learn("YaneuraOu (Hao) [nodes 5]", WinRateModel::new(800.0));
        let check = |engine: &str, expect: f64| {
            let engine = (!engine.is_empty()).then(|| engine.to_owned());
            let evaluation = Evaluation {
                engine,
                ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
            };
            assert_eq!(
                scales.model(&evaluation),
                WinRateModel::new(expect),
                "{evaluation:?}"
            );
        };
        check("", WinRateModel::DEFAULT_K);
        check("YaneuraOu (Hao) [nodes 9]", 300.0);
        check("YaneuraOu (Hao) [nodes 5]", 300.0);
        check("Hao [nodes 9]", 300.0);
        check("Lion [nodes 5]", 800.0);
        let known = shogibar_config::built_in_presets()
            .engines
            .into_iter()
            .find(|preset| preset.model != WinRateModel::default())
            .unwrap();
        check(
            &format!("{} 1.0 (plain) [nodes 5]", known.names[0]),
            known.model.k(),
        );
    }
}
