//! Known engines, and the options that they need.

use serde::{Deserialize, Deserializer};
use shogibar_shogi::score::WinRateModel;
use std::collections::BTreeMap;

/// The known engines and their options.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Presets {
    /// The options sent to every engine that has them.
    #[serde(default)]
    pub common: BTreeMap<String, String>,
    /// The presets of engines, the best engine first.
    #[serde(default, rename = "engine")]
    pub engines: Vec<Preset>,
}

/// A known engine: the names by which it is recognised, its scale, and the options that it needs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The names of the engine's program files, without `.exe`.
    pub programs: Vec<String>,
    /// The possible beginnings of the engine's `id name`.
    pub names: Vec<String>,
    /// The scale from the engine's centipawns to win rates.
    #[serde(rename = "k", deserialize_with = "deserialize_model")]
    pub model: WinRateModel,
    /// The options that the engine needs.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

fn deserialize_model<'d, D: Deserializer<'d>>(deserializer: D) -> Result<WinRateModel, D::Error> {
    f64::deserialize(deserializer).map(WinRateModel::new)
}

impl Presets {
    /// Returns the preset of an engine whose `id name` is `name`; `None` for an unknown engine.
    pub fn find(&self, name: &str) -> Option<&Preset> {
        self.engines
            .iter()
            .find(|preset| preset.names.iter().any(|start| name.starts_with(start.as_str())))
    }

    /// Returns the program names of known engines, best first.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.engines
            .iter()
            .flat_map(|preset| &preset.programs)
            .map(String::as_str)
    }

    /// Returns whether a program of this name, without `.exe`, is a known engine. Builds may append to a name, as in
    /// `YaneuraOu-by-gcc` and `Suisho5`. Case is ignored.
    pub fn knows_program(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.programs().any(|known| {
            let rest = name.strip_prefix(&known.to_lowercase());
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        })
    }

    /// Returns the win-rate model of an engine whose `id name` is `name`. Unknown engines get the default model.
    pub fn model_of(&self, name: &str) -> WinRateModel {
        self.find(name)
            .map_or_else(WinRateModel::default, |preset| preset.model)
    }

    /// Returns the options for an engine whose `id name` is `name`, in the order they are to be sent.
    pub fn options_for(&self, name: &str) -> impl Iterator<Item = (&str, &str)> {
        let engine_options = self.find(name).into_iter().flat_map(|preset| &preset.options);
        self.common
            .iter()
            .chain(engine_options)
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
