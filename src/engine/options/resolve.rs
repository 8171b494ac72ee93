//! Resolution of the options of an engine: only options that it has, only values that it accepts.

use super::engine_number::{plain_name, stem};
use super::{EngineNumber, Presets};
use crate::usi::option::OptionError;
use crate::usi::{OptionKind, OptionSpec};
use shogibar_shogi::score::WinRateModel;
use std::collections::BTreeMap;

/// The requested options of an engine.
#[derive(Clone, Copy, Debug)]
pub struct OptionRequest<'a> {
    /// The numbers that engines have under different option names. A number is clamped to the limits of the option.
    pub numbers: [(EngineNumber, u32); 3],
    /// The presets; the user's options override them.
    pub presets: &'a Presets,
    /// The option values that the user has set, by their names.
    pub options: &'a BTreeMap<String, String>,
}

/// The request, resolved against the options of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedOptions {
    /// The `setoption` lines, each option once.
    pub lines: Vec<String>,
    /// The user's options that are not sent.
    pub rejected_options: Vec<RejectedOption>,
}

/// An option of the user that does not fit the engine. The option stays in the profile, because it may fit another
/// version of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedOption {
    /// The name of the option, as it is stored.
    pub name: String,
    /// The value of the option, as it is stored.
    pub value: String,
    /// The reason why the option is not sent.
    pub reason: RejectReason,
}

/// The reason why a user's option is not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// The engine has no such option.
    Gone,
    /// The option is a button, which is pressed only by the user.
    Button,
    /// Another stored name is a better match for the option.
    Twice,
    /// The engine does not accept the value.
    Refused(OptionError),
}

/// Resolves a request against the options of an engine whose `id name` is `engine`.
pub fn resolve(options: &[OptionSpec], engine: &str, request: &OptionRequest<'_>) -> ResolvedOptions {
    let (mut chosen, rejected) = resolve_user_options(options, request.options);
    let mut lines = Vec::new();
    for (number, value) in request.numbers {
        for option in options.iter().filter(|option| number_of(option) == Some(number)) {
            lines.extend(option.setoption(&clamp(option, &value.to_string())));
        }
    }
    chosen.retain(|option, _| {
        options
            .get(*option)
            .is_some_and(|option| number_of(option).is_none())
    });
    for (name, value) in request.presets.options_for(engine) {
        if let Some(index) = options.iter().position(|option| option.name == name)
            && !chosen.contains_key(&index)
            && let Some(option) = options.get(index)
        {
            lines.extend(option.setoption(&clamp(option, value)));
        }
    }
    lines.extend(chosen.into_values());
    ResolvedOptions {
        lines,
        rejected_options: rejected,
    }
}

/// Returns the `setoption` lines of the user's options, by option index, and the rejected options.
fn resolve_user_options(
    options: &[OptionSpec],
    user_options: &BTreeMap<String, String>,
) -> (BTreeMap<usize, String>, Vec<RejectedOption>) {
    let (mut chosen, mut rejected) = (BTreeMap::new(), Vec::new());
    let mut named: Vec<_> = user_options
        .iter()
        .map(|(name, value)| (best_match(options, name), name, value))
        .collect();
    // The best match of an option comes first.
    named.sort_by_key(|(found, ..)| found.map(|(quality, _)| quality));
    for (found, name, value) in named {
        let line = match found.and_then(|(_, index)| Some((index, options.get(index)?))) {
            None => Err(RejectReason::Gone),
            Some((_, option)) if option.kind == OptionKind::Button => Err(RejectReason::Button),
            Some((index, _)) if chosen.contains_key(&index) => Err(RejectReason::Twice),
            Some((index, option)) => option
                .setoption(value)
                .map(|line| (index, line))
                .map_err(RejectReason::Refused),
        };
        match line {
            Ok((index, line)) => _ = chosen.insert(index, line),
            Err(why) => rejected.push(RejectedOption {
                name: name.clone(),
                value: value.clone(),
                reason: why,
            }),
        }
    }
    (chosen, rejected)
}

/// The quality of a match between a stored name and the name of an option, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameMatch {
    /// The names are equal.
    Same,
    /// The names are equal except for case, and underscores for spaces.
    Plain,
    /// The plain names are equal except for `USI_` and `UCI_`.
    Stem,
}

/// Returns the index of the option that a stored name means, and the quality of the match; `None` if no option matches.
fn best_match(options: &[OptionSpec], name: &str) -> Option<(NameMatch, usize)> {
    let (wanted, mut best) = (plain_name(name), None::<(NameMatch, usize)>);
    for (index, option) in options.iter().enumerate() {
        let plain = plain_name(&option.name);
        let quality = match () {
            () if option.name == name => NameMatch::Same,
            () if plain == wanted => NameMatch::Plain,
            () if stem(&plain) == stem(&wanted) => NameMatch::Stem,
            () => continue,
        };
        if best.is_none_or(|(before, _)| quality < before) {
            best = Some((quality, index));
        }
    }
    best
}

/// Returns the index of the option that a stored name means; `None` if no option matches.
pub fn option_index(options: &[OptionSpec], name: &str) -> Option<usize> {
    best_match(options, name).map(|(_, index)| index)
}

/// Returns the user's options that do not fit the engine.
pub fn rejected_options(
    options: &[OptionSpec],
    user_options: &BTreeMap<String, String>,
) -> Vec<RejectedOption> {
    resolve_user_options(options, user_options).1
}

/// Returns the name and the value that are stored for the option at `index`, under the best matching name. Returns
/// `None` if the user has not set the option.
pub fn stored_value<'a>(
    options: &[OptionSpec],
    index: usize,
    user_options: &'a BTreeMap<String, String>,
) -> Option<(&'a str, &'a str)> {
    let named = user_options
        .iter()
        .filter_map(|(name, value)| Some((best_match(options, name)?, name, value)));
    let here = named.filter(|((_, found), ..)| *found == index);
    here.min_by_key(|((quality, _), ..)| *quality)
        .map(|(_, name, value)| (name.as_str(), value.as_str()))
}

/// Returns the number that an option sets; `None` for other options, such as a `MultiPV` that is only a check box.
pub fn number_of(option: &OptionSpec) -> Option<EngineNumber> {
    if matches!(option.kind, OptionKind::Spin { .. }) {
        EngineNumber::from_option(&option.name)
    } else {
        None
    }
}

/// Clamps a number to the range of an option. Returns other values unchanged.
pub fn clamp(option: &OptionSpec, value: &str) -> String {
    match (&option.kind, value.parse::<i64>()) {
        (OptionKind::Spin { min, max, .. }, Ok(number)) => number
            .min(max.unwrap_or(i64::MAX))
            .max(min.unwrap_or(i64::MIN))
            .to_string(),
        _ => value.to_owned(),
    }
}

/// Returns the win-rate model of the engine `name`: the user's, else the declared one, else that of the
/// preset. `options` are the options that the engine declares, `user_options` the values that the user has set.
pub fn resolve_model(
    user_model: Option<WinRateModel>,
    name: &str,
    options: &[OptionSpec],
    user_options: &BTreeMap<String, String>,
    presets: &Presets,
) -> WinRateModel {
    user_model
        .or_else(|| declared_model(options, user_options))
        .unwrap_or_else(|| presets.model_of(name))
}

/// Returns the win-rate model that an engine declares in `Eval_Coef`, as the dlshogi family does: from the user's value
/// of this option, or else from its default. Returns `None` without a number.
fn declared_model(options: &[OptionSpec], user_options: &BTreeMap<String, String>) -> Option<WinRateModel> {
    let index = options.iter().position(|option| option.name == "Eval_Coef")?;
    let option = options.get(index)?;
    let set = stored_value(options, index, user_options)
        .map(|(_, value)| value)
        .filter(|value| option.setoption(value).is_ok());
    let default = match &option.kind {
        OptionKind::Spin { default, .. } => default.map(|k| k.to_string()),
        OptionKind::String { default } => default.clone(),
        _ => None,
    };
    set.map(str::to_owned)
        .or(default)?
        .trim()
        .parse()
        .ok()
        .map(WinRateModel::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAIRY_OPTIONS: &[&str] = &[
        "name Debug Log File type string default ",
        "name Threads type spin default 1 min 1 max 512",
        "name Hash type spin default 16 min 1 max 131072",
        "name Clear Hash type button",
        "name MultiPV type spin default 1 min 1 max 500",
        "name Contempt type spin default 24 min -100 max 100",
        "name Skill Level type spin default 20 min -20 max 20",
        "name UCI_Variant type combo default shogi var chess var shogi",
    ];

    fn built_in_presets() -> Presets {
        toml::from_str(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../config/presets.toml"
        )))
        .unwrap()
    }

    fn specs(lines: &[&str]) -> Vec<OptionSpec> {
        lines
            .iter()
            .map(|line| OptionSpec::parse(line).unwrap())
            .collect()
    }

    /// Resolves the user's options `wanted`, together with three numbers and the built-in presets.
    fn resolve_user(engine: &str, options: &[&str], wanted: &[(&str, &str)]) -> ResolvedOptions {
        let wanted = wanted
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let numbers = [
            (EngineNumber::MultiPv, 3),
            (EngineNumber::Threads, 2),
            (EngineNumber::Hash, 256),
        ];
        resolve(
            &specs(options),
            engine,
            &OptionRequest {
                numbers,
                presets: &built_in_presets(),
                options: &wanted,
            },
        )
    }

    fn check(engine: &str, options: &[&str], expect: &[&str]) {
        assert_eq!(resolve_user(engine, options, &[]).lines, expect, "{engine}");
    }

    #[test]
    fn an_engine_is_sent_only_options_it_has() {
        check(
            "Fairy-Stockfish 11.1",
            FAIRY_OPTIONS,
            &[
                "setoption name MultiPV value 3",
                "setoption name Threads value 2",
                "setoption name Hash value 256",
                "setoption name Contempt value 0",
                "setoption name UCI_Variant value shogi",
            ],
        );
        check(
            "gps",
            &["name Thread type spin default 1 min 1 max 2"],
            &["setoption name Thread value 2"],
        );
        check("nobody's engine", &[], &[]);
    }

    #[test]
    fn a_number_is_clamped_to_the_option_s_range() {
        check(
            "small",
            &[
                "name USI_Hash type spin default 16 min 1 max 64",
                "name MultiPV type spin default 1 min 1 max 1",
            ],
            &[
                "setoption name MultiPV value 1",
                "setoption name USI_Hash value 64",
            ],
        );
    }

    #[test]
    fn a_preset_that_the_engine_refuses_is_not_sent() {
        check(
            "YaneuraOu",
            &["name BookFile type combo default standard_book.db var standard_book.db"],
            &[],
        );
        check("chess", &["name MultiPV type check default false"], &[]);
    }

    /// Checks the lines for the user's options, without the numbers that are always sent.
    fn check_user_options(
        options: &[&str],
        wanted: &[(&str, &str)],
        lines: &[&str],
        rejected: &[(&str, &str)],
    ) {
        let resolved = resolve_user("engine", options, wanted);
        let mut sent: Vec<_> = resolved
            .lines
            .iter()
            .map(|line| line.trim_start_matches("setoption name "))
            .collect();
        sent.retain(|line| {
            !line.starts_with("MultiPV") && !line.starts_with("Threads") && !line.starts_with("Hash")
        });
        assert_eq!(sent, lines, "{wanted:?}");
        let why = |option: &RejectedOption| match &option.reason {
            RejectReason::Refused(error) => error.to_string(),
            other => format!("{other:?}"),
        };
        let found: Vec<_> = resolved
            .rejected_options
            .iter()
            .map(|option| (option.name.as_str(), why(option)))
            .collect();
        let rejected: Vec<_> = rejected
            .iter()
            .map(|(name, why)| (*name, (*why).to_owned()))
            .collect();
        assert_eq!(found, rejected, "{wanted:?}");
    }

    #[test]
    fn user_options_match_other_spellings_of_a_name() {
        check_user_options(
            FAIRY_OPTIONS,
            &[("Skill Level", "3")],
            &["Skill Level value 3"],
            &[],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("Skill_Level", "3")],
            &["Skill Level value 3"],
            &[],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("skill level", "+3")],
            &["Skill Level value 3"],
            &[],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("USI_Variant", "Shogi")],
            &["UCI_Variant value shogi"],
            &[],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("Skill Level", "3"), ("Skill_Level", "4")],
            &["Skill Level value 3"],
            &[("Skill_Level", "Twice")],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("Debug Log File", "")],
            &["Debug Log File value <empty>"],
            &[],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("Debug Log File", "<empty>")],
            &["Debug Log File value <empty>"],
            &[],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("Debug Log File", "記録/ログ 1.txt")],
            &["Debug Log File value 記録/ログ 1.txt"],
            &[],
        );
    }

    #[test]
    fn rejected_options_are_not_sent_and_are_returned() {
        check_user_options(FAIRY_OPTIONS, &[("EvalDir", "eval")], &[], &[("EvalDir", "Gone")]);
        check_user_options(
            FAIRY_OPTIONS,
            &[("Clear Hash", "")],
            &[],
            &[("Clear Hash", "Button")],
        );
        let outside = "option Skill Level goes from -20 to 20, 21 is outside";
        check_user_options(
            FAIRY_OPTIONS,
            &[("Skill Level", "21")],
            &[],
            &[("Skill Level", outside)],
        );
        let control = "option Debug Log File cannot hold a line break or control character";
        check_user_options(
            FAIRY_OPTIONS,
            &[("Debug Log File", "a\nquit")],
            &[],
            &[("Debug Log File", control)],
        );
        check_user_options(
            FAIRY_OPTIONS,
            &[("Threads", "many")],
            &[],
            &[("Threads", "option Threads is a whole number, not 'many'")],
        );
    }

    #[test]
    fn a_user_option_overrides_a_preset() {
        let book = &["name BookFile type combo default no_book var no_book var user_book1.db"];
        check_user_options(book, &[], &["BookFile value no_book"], &[]);
        check_user_options(
            book,
            &[("BookFile", "user_book1.db")],
            &["BookFile value user_book1.db"],
            &[],
        );
    }

    #[test]
    fn a_scale_is_read_from_eval_coef() {
        let check = |line: &str, wanted: &[(&str, &str)], expect: Option<f64>| {
            let wanted = wanted
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            assert_eq!(
                declared_model(&specs(&[line]), &wanted),
                expect.map(WinRateModel::new),
                "{line} {wanted:?}"
            );
        };
        let spin = "name Eval_Coef type spin default 285 min 1 max 10000";
        check(spin, &[], Some(285.0));
        check(spin, &[("Eval_Coef", "600")], Some(600.0));
        check(spin, &[("Eval_Coef", "0")], Some(285.0));
        check("name Eval_Coef type string default 756.0865", &[], Some(756.0865));
        check("name Threads type spin default 4 min 1 max 8", &[], None);
    }
}
