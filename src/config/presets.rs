//! The engines this program knows, from `config/engines.toml`.

use crate::score::Model;
use serde::Deserialize;
use std::collections::BTreeMap;

const BUILT_IN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/config/engines.toml"));

/// What is known of engines.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Presets {
    /// Options sent to every engine that has them.
    #[serde(default)]
    pub common: BTreeMap<String, String>,
    /// The engines, best first.
    #[serde(default, rename = "engine")]
    pub engines: Vec<Preset>,
}

/// What is known of one engine.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// File names it goes by, without `.exe`.
    pub programs: Vec<String>,
    /// How its `id name` begins.
    pub names: Vec<String>,
    /// The scale from its centipawns to win rates.
    pub k: f64,
    /// Options it needs.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

impl Presets {
    /// Those that come with the program.
    pub fn built_in() -> Self {
        // A test reads the file; should it ever be broken, an engine without presets still runs.
        toml::from_str(BUILT_IN).unwrap_or_default()
    }

    /// The preset of an engine that calls itself `name`.
    pub fn find(&self, name: &str) -> Option<&Preset> {
        self.engines.iter().find(|preset| preset.names.iter().any(|start| name.starts_with(start.as_str())))
    }

    /// The names of programs that are engines, best first.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().flat_map(|preset| &preset.programs).map(String::as_str)
    }

    /// Whether a program of this name, without `.exe`, is an engine: one of the names, or one and what
    /// builds add to it, as in `YaneuraOu-by-gcc` and `Suisho5`. Case does not count.
    pub fn knows_program(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.programs().any(|known| {
            let rest = name.strip_prefix(&known.to_lowercase());
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        })
    }

    /// The scale of an engine that calls itself `name`: the usual one where it is not known.
    pub fn model_of(&self, name: &str) -> Model {
        self.find(name).map_or_else(Model::default, |preset| Model::new(preset.k))
    }

    /// The options for an engine that calls itself `name`, in the order they are to be sent.
    pub fn options_for(&self, name: &str) -> impl Iterator<Item = (&str, &str)> {
        let own = self.find(name).into_iter().flat_map(|preset| &preset.options);
        self.common.iter().chain(own).map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_whole() {
        let presets: Presets = toml::from_str(BUILT_IN).unwrap();
        assert!(presets.engines.len() > 3, "{presets:?}");
        assert!(presets.engines.iter().all(|preset| preset.k >= 1.0), "{presets:?}");
    }

    #[test]
    fn an_engine_gets_its_own_options_after_the_common_ones() {
        let presets = Presets::built_in();
        let options: Vec<_> = presets.options_for("Fairy-Stockfish 11.1 LB 64").collect();
        assert!(options.contains(&("UCI_Variant", "shogi")), "{options:?}");
        assert!(options.contains(&("USI_OwnBook", "false")), "{options:?}");
        assert_eq!(presets.options_for("nobody's engine").count(), presets.common.len(), "only the common ones");
    }
}
