//! From whose centipawns which win rates are made.

use super::engine_result;
use crate::config::{Presets, Profiles};
use crate::kifu::evaluation::Evaluation;
use crate::score::Model;
use std::collections::BTreeMap;

/// The scales of those who evaluate, by what they are called in a record.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineScales {
    /// Those the user has set, by the profile.
    profiles: BTreeMap<String, f64>,
    /// Those that were in use, by the [signature](super::signature).
    used: BTreeMap<String, f64>,
    presets: Presets,
}

impl Default for EngineScales {
    /// Those of the engines this program knows.
    fn default() -> Self {
        Self { profiles: BTreeMap::new(), used: BTreeMap::new(), presets: Presets::built_in() }
    }
}

impl EngineScales {
    /// With those of the user's engines.
    pub fn from_profiles(profiles: &Profiles) -> Self {
        let set = profiles.iter().filter_map(|profile| Some((profile.name().to_owned(), profile.k?)));
        Self { profiles: set.collect(), ..Self::default() }
    }

    /// Takes in what an engine of this [signature](super::signature) was run with.
    pub fn learn(&mut self, signature: &str, k: f64) {
        self.used.insert(signature.to_owned(), k);
    }

    /// The scale of who has said something: as the user has set it, else as it was in use, else as it is known of the
    /// engine.
    pub fn model(&self, said: &Evaluation) -> Model {
        let engine = said.engine.as_deref().unwrap_or_default();
        let called = engine_result::engine(engine).unwrap_or(engine);
        let is_its = |profile: &str| called == profile || called.ends_with(&format!(" ({profile})"));
        let set = self.profiles.iter().find(|(profile, _)| is_its(profile)).map(|(_, k)| k);
        let k = set.or_else(|| self.used.get(engine));
        k.map_or_else(|| self.presets.model_of(engine), |k| Model::new(*k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu::evaluation::{Dialect, Source};

    #[test]
    fn who_is_weighed_how() {
        let (profiles, _) = Profiles::read(
            "[[engine]]\nname = \"Hao\"\nprogram = \"/x\"\nk = 300\n[[engine]]\nname = \"plain\"\nprogram = \"/x\"\n",
        )
        .unwrap();
        let mut scales = EngineScales::from_profiles(&profiles);
        scales.learn("Lion [nodes 5]", 800.0);
        scales.learn("YaneuraOu (Hao) [nodes 5]", 800.0);
        let check = |engine: &str, expect: f64| {
            let engine = (!engine.is_empty()).then(|| engine.to_owned());
            let said = Evaluation { engine, ..Evaluation::new(Dialect::ShogiHome, Source::Analysis) };
            assert_eq!(scales.model(&said), Model::new(expect), "{said:?}");
        };
        check("", Model::DEFAULT_K);
        check("YaneuraOu (Hao) [nodes 9]", 300.0);
        check("YaneuraOu (Hao) [nodes 5]", 300.0);
        check("Hao [nodes 9]", 300.0);
        check("Lion [nodes 5]", 800.0);
        let known =
            Presets::built_in().engines.into_iter().find(|preset| Model::new(preset.k) != Model::default()).unwrap();
        check(&format!("{} 1.0 (plain) [nodes 5]", known.names[0]), known.k);
    }
}
