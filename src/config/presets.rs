//! The known engines, from `config/presets.toml`.

use shogibar_engine::options::Presets;

/// The text of the file with the built-in presets.
const BUILT_IN_PRESETS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/presets.toml"));

/// Returns the engines with built-in presets.
pub fn built_in_presets() -> Presets {
    // A test reads the file. If it were broken, engines would still run without presets.
    toml::from_str(BUILT_IN_PRESETS).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_shogi::score::WinRateModel;

    #[test]
    fn the_built_in_file_is_valid() {
        let presets: Presets = toml::from_str(BUILT_IN_PRESETS).unwrap();
        assert!(presets.engines.len() > 3, "{presets:?}");
        assert!(
            presets
                .engines
                .iter()
                .all(|preset| WinRateModel::from_k(preset.model.k()).is_some()),
            "{presets:?}"
        );
    }

    #[test]
    fn engine_options_follow_the_common_ones() {
        let presets = built_in_presets();
        let options: Vec<_> = presets.options_for("Fairy-Stockfish 11.1 LB 64").collect();
        assert!(options.contains(&("UCI_Variant", "shogi")), "{options:?}");
        assert!(options.contains(&("USI_OwnBook", "false")), "{options:?}");
        assert_eq!(
            presets.options_for("nobody's engine").count(),
            presets.common.len(),
            "only the common ones"
        );
    }
}
