//! What an engine is set to before it is used: only options it has, only values it takes.

use super::Settings;
use crate::usi::{OptionKind, OptionSpec};

/// Names under which engines offer the number of candidates, threads and the table's size.
const MULTIPV: &[&str] = &["MultiPV", "USI_MultiPV"];
const THREADS: &[&str] = &["Threads", "Thread"];
const HASH: &[&str] = &["USI_Hash", "Hash"];

/// The `setoption` lines for an engine that has these options.
pub(super) fn to_send(options: &[OptionSpec], engine: &str, settings: &Settings) -> Vec<String> {
    let numbers = [(MULTIPV, settings.multipv), (THREADS, settings.threads), (HASH, settings.hash_mb)];
    let numbers = numbers.iter().flat_map(|(names, value)| names.iter().map(move |name| (*name, value.to_string())));
    let presets = settings.presets.options_for(engine).map(|(name, value)| (name, value.to_owned()));
    let wanted = numbers.chain(presets);
    wanted
        .filter_map(|(name, value)| {
            let option = options.iter().find(|option| option.name == name)?;
            option.set(&nearest(option, value)).ok()
        })
        .collect()
}

/// The scale an engine declares itself, as those of the dlshogi family do.
pub(super) fn declared_k(options: &[OptionSpec]) -> Option<f64> {
    let option = options.iter().find(|option| option.name == "Eval_Coef")?;
    match &option.kind {
        OptionKind::Spin { default, .. } => default.and_then(|k| i32::try_from(k).ok()).map(f64::from),
        OptionKind::String { default } => default.as_deref()?.parse().ok(),
        _ => None,
    }
}

/// A number within the limits of an option; any other value as it is.
fn nearest(option: &OptionSpec, value: String) -> String {
    match (&option.kind, value.parse::<i64>()) {
        (OptionKind::Spin { min, max, .. }, Ok(number)) => {
            number.min(max.unwrap_or(i64::MAX)).max(min.unwrap_or(i64::MIN)).to_string()
        }
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Presets;

    fn check(engine: &str, options: &[&str], expect: &[&str]) {
        let settings = Settings { multipv: 3, threads: 2, presets: Presets::built_in(), ..Settings::default() };
        let options: Vec<_> = options.iter().filter_map(|line| OptionSpec::parse(line)).collect();
        assert_eq!(to_send(&options, engine, &settings), expect, "{engine}");
    }

    #[test]
    fn an_engine_is_sent_what_it_has() {
        check(
            "Fairy-Stockfish 11.1",
            &[
                "name Threads type spin default 1 min 1 max 512",
                "name Hash type spin default 16 min 1 max 131072",
                "name MultiPV type spin default 1 min 1 max 500",
                "name Contempt type spin default 24 min -100 max 100",
                "name UCI_Variant type combo default shogi var chess var shogi",
            ],
            &[
                "setoption name MultiPV value 3",
                "setoption name Threads value 2",
                "setoption name Hash value 256",
                "setoption name Contempt value 0",
                "setoption name UCI_Variant value shogi",
            ],
        );
        check("nobody's engine", &[], &[]);
    }

    #[test]
    fn a_number_is_kept_within_its_limits() {
        check(
            "small",
            &["name USI_Hash type spin default 16 min 1 max 64", "name MultiPV type spin default 1 min 1 max 1"],
            &["setoption name MultiPV value 1", "setoption name USI_Hash value 64"],
        );
    }

    #[test]
    fn a_value_that_the_engine_does_not_take_is_not_sent() {
        check("YaneuraOu", &["name BookFile type combo default standard_book.db var standard_book.db"], &[]);
        check("chess", &["name MultiPV type check default false"], &[]);
    }

    #[test]
    fn an_engine_declares_its_scale() {
        let option = OptionSpec::parse("name Eval_Coef type spin default 285 min 1 max 10000");
        assert_eq!(declared_k(option.as_slice()), Some(285.0));
        assert_eq!(declared_k(&[]), None);
    }
}
