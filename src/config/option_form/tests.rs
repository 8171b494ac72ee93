use super::*;

const OPTIONS: &[&str] = &[
    "name Threads type spin default 4 min 1 max 8",
    "name USI_Hash type spin default 1024 min 1 max 4096",
    "name USI_Ponder type check default false",
    "name BookFile type combo default standard_book.db var no_book var standard_book.db var user_book1.db",
    "name EvalDir type filename default eval",
    "name Skill Level type spin default 20 min -20 max 20",
    "name Debug Log File type string default ",
    "name Clear Hash type button",
];

fn options() -> Vec<OptionSpec> {
    OPTIONS
        .iter()
        .map(|line| OptionSpec::parse(line).unwrap())
        .collect()
}

fn profile(options: &[(&str, &str)]) -> Profile {
    let mut profile = Profile::new("a", ["program".to_owned()]);
    profile.options = options
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    profile
}

fn form(profile: &Profile) -> OptionForm {
    let default = OptionDefaults::new(
        &crate::built_in_presets(),
        "YaneuraOu",
        [(EngineNumber::Threads, 2), (EngineNumber::Hash, 256)],
    );
    OptionForm::new(&options(), profile, &default)
}

fn index(form: &OptionForm, name: &str) -> usize {
    form.rows()
        .iter()
        .position(|row| row.option().name == name)
        .unwrap()
}

/// Checks the row of an option: value, default, and whether it is changed.
fn check(form: &OptionForm, name: &str, value: &str, default: Option<&str>, changed: bool) {
    let row = &form.rows()[index(form, name)];
    assert_eq!(
        (row.value(), row.default(), row.is_changed()),
        (value, default, changed),
        "{name}"
    );
}

#[test]
fn rows_show_the_values_the_engine_will_have() {
    let form = form(&profile(&[("Skill_Level", "3"), ("Threads", "99")]));
    check(&form, "Threads", "8", Some("4"), true);
    check(&form, "USI_Hash", "256", Some("1024"), false);
    check(&form, "USI_Ponder", "false", Some("false"), false);
    check(&form, "BookFile", "no_book", Some("standard_book.db"), false);
    check(&form, "Skill Level", "3", Some("20"), true);
    check(&form, "Debug Log File", "", Some(""), false);
    check(&form, "Clear Hash", "", None, false);
    assert_eq!(
        form.rows()[index(&form, "USI_Hash")].number(),
        Some(EngineNumber::Hash)
    );
}

#[test]
fn only_changed_options_are_stored() {
    let mut profile = profile(&[("Skill_Level", "3"), ("EvalDir", "評価関数"), ("Gone", "1")]);
    let mut form = form(&profile);
    form.set(index(&form, "Threads"), "6");
    form.set(index(&form, "Skill Level"), "+20");
    form.set(index(&form, "BookFile"), "standard_book.db");
    form.set(index(&form, "Debug Log File"), "ログ 1.txt");
    form.store(&mut profile);
    assert_eq!((profile.threads, profile.hash_mb), (Some(6), None));
    let stored: Vec<_> = profile
        .options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let expect = [
        ("BookFile", "standard_book.db"),
        ("Debug Log File", "ログ 1.txt"),
        ("EvalDir", "評価関数"),
        ("Gone", "1"),
    ];
    assert_eq!(stored, expect);
}

#[test]
fn unedited_options_stay_as_they_are_stored() {
    // One value is the default, one exceeds the engine's limit, one is stored under another name.
    let mut profile = profile(&[("Skill_Level", "3"), ("usi_ponder", "false")]);
    (profile.threads, profile.hash_mb) = (Some(2), Some(100_000));
    let before = profile.clone();
    let mut form = form(&profile);
    form.store(&mut profile);
    assert_eq!(profile, before);
    form.set(index(&form, "EvalDir"), "x");
    form.store(&mut profile);
    assert_eq!((profile.threads, profile.hash_mb), (Some(2), Some(100_000)));
    assert_eq!(
        profile.options.keys().collect::<Vec<_>>(),
        ["EvalDir", "Skill_Level", "usi_ponder"]
    );
}

#[test]
fn an_invalid_value_is_reported_and_not_stored() {
    let mut profile = profile(&[("Skill Level", "3")]);
    let mut form = form(&profile);
    for value in ["", "21", "many", "1e3", "99999999999999999999"] {
        form.set(index(&form, "Skill Level"), value);
        form.set(index(&form, "Threads"), value);
        assert!(
            form.rows()[index(&form, "Skill Level")].problem().is_some(),
            "{value}"
        );
        form.store(&mut profile);
        assert_eq!(
            (profile.options["Skill Level"].as_str(), profile.threads),
            ("3", None),
            "{value}"
        );
    }
    for value in ["a\nquit", "a\n", "a\r", "a\0"] {
        form.set(index(&form, "EvalDir"), value);
        assert!(
            form.rows()[index(&form, "EvalDir")].problem().is_some(),
            "{value:?}"
        );
        form.store(&mut profile);
        assert_eq!(profile.options.get("EvalDir"), None, "{value:?}");
    }
}

#[test]
fn rows_can_be_reset_one_by_one_or_all_at_once() {
    let mut profile = profile(&[("Skill Level", "3"), ("EvalDir", "x"), ("Gone", "1")]);
    let mut form = form(&profile);
    form.reset(index(&form, "Skill Level"));
    check(&form, "Skill Level", "20", Some("20"), false);
    check(&form, "EvalDir", "x", Some("eval"), true);
    profile.threads = Some(4);
    form.reset_all();
    form.store(&mut profile);
    assert_eq!(profile.options.keys().collect::<Vec<_>>(), ["Gone"]);
    assert_eq!((form.rejected_options().len(), profile.threads), (1, Some(4)));
}

#[test]
fn a_button_is_never_stored() {
    let mut profile = profile(&[]);
    let mut form = form(&profile);
    form.set(index(&form, "Clear Hash"), "x");
    form.store(&mut profile);
    assert_eq!(profile.options.len(), 0);
}

#[test]
fn search_matches_names_values_and_choices() {
    let form = form(&profile(&[]));
    let check = |search: &str, expect: &[&str]| {
        let names: Vec<_> = form
            .matching_rows(search)
            .map(|index| form.rows()[index].option().name.as_str())
            .collect();
        assert_eq!(names, expect, "{search}");
    };
    check("hash", &["USI_Hash", "Clear Hash"]);
    check("usi_", &["USI_Hash", "USI_Ponder"]);
    check("skill_level", &["Skill Level"]);
    check("FILE  log", &["Debug Log File"]);
    check("no_book", &["BookFile"]);
    check("eval", &["EvalDir"]);
    check("nothing", &[]);
    assert_eq!(form.matching_rows(" ").count(), OPTIONS.len());
}
