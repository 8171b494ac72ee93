//! What an engine is set to before it is used: only options it has, only values it takes.

use super::engine_number::{plain, stem};
use super::{EngineNumber, Presets};
use crate::usi::option::OptionError;
use crate::usi::{OptionKind, OptionSpec};
use std::collections::BTreeMap;

/// What an engine is to be set to.
#[derive(Clone, Copy, Debug)]
pub struct OptionRequest<'a> {
    /// What goes by another name in every engine; a number beyond an engine's limits is brought
    /// within them.
    pub numbers: [(EngineNumber, u32); 3],
    /// What is known of engines; it yields to the user's options.
    pub presets: &'a Presets,
    /// The user's options.
    pub options: &'a BTreeMap<String, String>,
}

/// What comes of wishes with an engine's own options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedOptions {
    /// The `setoption` lines, each option once.
    pub lines: Vec<String>,
    /// The user's options that are not sent.
    pub misfits: Vec<RejectedOption>,
}

/// An option of the user's that does not fit the engine. It stays where it is stored: with another
/// version of the engine it may fit again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedOption {
    /// Its name, as it is stored.
    pub name: String,
    /// Its value, as it is stored.
    pub value: String,
    /// Why it is not sent.
    pub why: RejectReason,
}

/// Why an option of the user's is not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// The engine has no such option.
    Gone,
    /// It is a button: that is pressed by hand, once.
    Button,
    /// Another of the user's options names the same option of the engine, and names it better.
    Twice,
    /// The engine does not take the value.
    Refused(OptionError),
}

/// Fits wishes to the options of an engine that calls itself `engine`.
pub fn fit(options: &[OptionSpec], engine: &str, wishes: &OptionRequest<'_>) -> ResolvedOptions {
    let (mut chosen, misfits) = choose(options, wishes.options);
    let mut lines = Vec::new();
    for (number, value) in wishes.numbers {
        for option in options.iter().filter(|option| is_number(option) == Some(number)) {
            lines.extend(option.set(&nearest(option, &value.to_string())));
        }
    }
    chosen.retain(|option, _| options.get(*option).is_some_and(|option| is_number(option).is_none()));
    for (name, value) in wishes.presets.options_for(engine) {
        if let Some(place) = options.iter().position(|option| option.name == name)
            && let Some(option) = options.get(place).filter(|_| !chosen.contains_key(&place))
        {
            lines.extend(option.set(&nearest(option, value)));
        }
    }
    lines.extend(chosen.into_values());
    ResolvedOptions { lines, misfits }
}

/// The lines for the user's options, by the place of the engine's, and those that do not fit.
fn choose(options: &[OptionSpec], wanted: &BTreeMap<String, String>) -> (BTreeMap<usize, String>, Vec<RejectedOption>) {
    let (mut chosen, mut misfits) = (BTreeMap::new(), Vec::new());
    let mut named: Vec<_> = wanted.iter().map(|(name, value)| (find(options, name), name, value)).collect();
    // Whoever names an option best has it.
    named.sort_by_key(|(found, ..)| found.map(|(likeness, _)| likeness));
    for (found, name, value) in named {
        let line = match found.and_then(|(_, place)| Some((place, options.get(place)?))) {
            None => Err(RejectReason::Gone),
            Some((_, option)) if option.kind == OptionKind::Button => Err(RejectReason::Button),
            Some((place, _)) if chosen.contains_key(&place) => Err(RejectReason::Twice),
            Some((place, option)) => option.set(value).map(|line| (place, line)).map_err(RejectReason::Refused),
        };
        match line {
            Ok((place, line)) => _ = chosen.insert(place, line),
            Err(why) => misfits.push(RejectedOption { name: name.clone(), value: value.clone(), why }),
        }
    }
    (chosen, misfits)
}

/// How well a name names an option, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameMatch {
    Same,
    /// But for case, and underscores for spaces.
    Plain,
    /// But for `USI_` and `UCI_`.
    Stem,
}

/// The option that a stored name means, by its place, and how well it is named.
fn find(options: &[OptionSpec], name: &str) -> Option<(NameMatch, usize)> {
    let (plain_name, mut best) = (plain(name), None::<(NameMatch, usize)>);
    for (place, option) in options.iter().enumerate() {
        let plain = plain(&option.name);
        let likeness = match () {
            () if option.name == name => NameMatch::Same,
            () if plain == plain_name => NameMatch::Plain,
            () if stem(&plain) == stem(&plain_name) => NameMatch::Stem,
            () => continue,
        };
        if best.is_none_or(|(before, _)| likeness < before) {
            best = Some((likeness, place));
        }
    }
    best
}

/// The place of the option that a stored name means.
pub(super) fn place_of(options: &[OptionSpec], name: &str) -> Option<usize> {
    find(options, name).map(|(_, place)| place)
}

/// The user's options that do not fit.
pub(super) fn misfits(options: &[OptionSpec], wanted: &BTreeMap<String, String>) -> Vec<RejectedOption> {
    choose(options, wanted).1
}

/// The value that is stored for an option, under whatever name.
pub(super) fn stored<'a>(
    options: &[OptionSpec],
    place: usize,
    wanted: &'a BTreeMap<String, String>,
) -> Option<(&'a str, &'a str)> {
    let named = wanted.iter().filter_map(|(name, value)| Some((find(options, name)?, name, value)));
    let here = named.filter(|((_, found), ..)| *found == place);
    here.min_by_key(|((likeness, _), ..)| *likeness).map(|(_, name, value)| (name.as_str(), value.as_str()))
}

/// What is set for every engine; a `MultiPV` that can only be on or off is not that.
pub(super) fn is_number(option: &OptionSpec) -> Option<EngineNumber> {
    EngineNumber::from_option(&option.name).filter(|_| matches!(option.kind, OptionKind::Spin { .. }))
}

/// A number within the limits of an option; any other value as it is.
pub(super) fn nearest(option: &OptionSpec, value: &str) -> String {
    match (&option.kind, value.parse::<i64>()) {
        (OptionKind::Spin { min, max, .. }, Ok(number)) => {
            number.min(max.unwrap_or(i64::MAX)).max(min.unwrap_or(i64::MIN)).to_string()
        }
        _ => value.to_owned(),
    }
}

/// The scale an engine declares itself, as those of the dlshogi family do: what it is set to, or else
/// its default.
pub fn declared_k(options: &[OptionSpec], wanted: &BTreeMap<String, String>) -> Option<f64> {
    let place = options.iter().position(|option| option.name == "Eval_Coef")?;
    let option = options.get(place)?;
    let set = stored(options, place, wanted).map(|(_, value)| value).filter(|value| option.set(value).is_ok());
    let default = match &option.kind {
        OptionKind::Spin { default, .. } => default.map(|k| k.to_string()),
        OptionKind::String { default } => default.clone(),
        _ => None,
    };
    set.map(str::to_owned).or(default)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAIRY: &[&str] = &[
        "name Debug Log File type string default ",
        "name Threads type spin default 1 min 1 max 512",
        "name Hash type spin default 16 min 1 max 131072",
        "name Clear Hash type button",
        "name MultiPV type spin default 1 min 1 max 500",
        "name Contempt type spin default 24 min -100 max 100",
        "name Skill Level type spin default 20 min -20 max 20",
        "name UCI_Variant type combo default shogi var chess var shogi",
    ];

    fn specs(lines: &[&str]) -> Vec<OptionSpec> {
        lines.iter().map(|line| OptionSpec::parse(line).unwrap()).collect()
    }

    fn fitted(engine: &str, options: &[&str], wanted: &[(&str, &str)]) -> ResolvedOptions {
        let wanted = wanted.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let numbers = [(EngineNumber::MultiPv, 3), (EngineNumber::Threads, 2), (EngineNumber::Hash, 256)];
        fit(&specs(options), engine, &OptionRequest { numbers, presets: &Presets::built_in(), options: &wanted })
    }

    fn check(engine: &str, options: &[&str], expect: &[&str]) {
        assert_eq!(fitted(engine, options, &[]).lines, expect, "{engine}");
    }

    #[test]
    fn an_engine_is_sent_what_it_has() {
        check(
            "Fairy-Stockfish 11.1",
            FAIRY,
            &[
                "setoption name MultiPV value 3",
                "setoption name Threads value 2",
                "setoption name Hash value 256",
                "setoption name Contempt value 0",
                "setoption name UCI_Variant value shogi",
            ],
        );
        check("gps", &["name Thread type spin default 1 min 1 max 2"], &["setoption name Thread value 2"]);
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
    fn a_preset_that_the_engine_does_not_take_is_not_sent() {
        check("YaneuraOu", &["name BookFile type combo default standard_book.db var standard_book.db"], &[]);
        check("chess", &["name MultiPV type check default false"], &[]);
    }

    /// What comes of the user's options besides what is always sent, which begins with `MultiPV`.
    fn check_user(options: &[&str], wanted: &[(&str, &str)], lines: &[&str], misfits: &[(&str, &str)]) {
        let fit = fitted("engine", options, wanted);
        let mut sent: Vec<_> = fit.lines.iter().map(|line| line.trim_start_matches("setoption name ")).collect();
        sent.retain(|line| !line.starts_with("MultiPV") && !line.starts_with("Threads") && !line.starts_with("Hash"));
        assert_eq!(sent, lines, "{wanted:?}");
        let why = |misfit: &RejectedOption| match &misfit.why {
            RejectReason::Refused(error) => error.to_string(),
            other => format!("{other:?}"),
        };
        let found: Vec<_> = fit.misfits.iter().map(|misfit| (misfit.name.as_str(), why(misfit))).collect();
        let misfits: Vec<_> = misfits.iter().map(|(name, why)| (*name, (*why).to_owned())).collect();
        assert_eq!(found, misfits, "{wanted:?}");
    }

    #[test]
    fn the_user_s_options_are_matched_as_engines_spell_them() {
        check_user(FAIRY, &[("Skill Level", "3")], &["Skill Level value 3"], &[]);
        check_user(FAIRY, &[("Skill_Level", "3")], &["Skill Level value 3"], &[]);
        check_user(FAIRY, &[("skill level", "+3")], &["Skill Level value 3"], &[]);
        check_user(FAIRY, &[("USI_Variant", "Shogi")], &["UCI_Variant value shogi"], &[]);
        check_user(
            FAIRY,
            &[("Skill Level", "3"), ("Skill_Level", "4")],
            &["Skill Level value 3"],
            &[("Skill_Level", "Twice")],
        );
        check_user(FAIRY, &[("Debug Log File", "")], &["Debug Log File value <empty>"], &[]);
        check_user(FAIRY, &[("Debug Log File", "<empty>")], &["Debug Log File value <empty>"], &[]);
        check_user(FAIRY, &[("Debug Log File", "記録/ログ 1.txt")], &["Debug Log File value 記録/ログ 1.txt"], &[]);
    }

    #[test]
    fn what_does_not_fit_is_not_sent_and_named() {
        check_user(FAIRY, &[("EvalDir", "eval")], &[], &[("EvalDir", "Gone")]);
        check_user(FAIRY, &[("Clear Hash", "")], &[], &[("Clear Hash", "Button")]);
        let outside = "option Skill Level goes from -20 to 20, 21 is outside";
        check_user(FAIRY, &[("Skill Level", "21")], &[], &[("Skill Level", outside)]);
        let control = "option Debug Log File cannot hold a line break or control character";
        check_user(FAIRY, &[("Debug Log File", "a\nquit")], &[], &[("Debug Log File", control)]);
        check_user(FAIRY, &[("Threads", "many")], &[], &[("Threads", "option Threads is a whole number, not 'many'")]);
    }

    #[test]
    fn the_user_s_option_comes_before_a_preset() {
        let book = &["name BookFile type combo default no_book var no_book var user_book1.db"];
        check_user(book, &[], &["BookFile value no_book"], &[]);
        check_user(book, &[("BookFile", "user_book1.db")], &["BookFile value user_book1.db"], &[]);
    }

    #[test]
    fn an_engine_declares_its_scale() {
        let check = |line: &str, wanted: &[(&str, &str)], expect| {
            let wanted = wanted.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            assert_eq!(declared_k(&specs(&[line]), &wanted), expect, "{line} {wanted:?}");
        };
        let spin = "name Eval_Coef type spin default 285 min 1 max 10000";
        check(spin, &[], Some(285.0));
        check(spin, &[("Eval_Coef", "600")], Some(600.0));
        check(spin, &[("Eval_Coef", "0")], Some(285.0));
        check("name Eval_Coef type string default 756.0865", &[], Some(756.0865));
        check("name Threads type spin default 4 min 1 max 8", &[], None);
    }
}
