use super::*;
use crate::ShellSyntax;
use proptest::prelude::*;
use shogibar_engine::options::{EngineNumber, Limit};
use shogibar_engine::usi::option::check_one_line;
use shogibar_shogi::score::WinRateModel;

const FILE: &str = r#"default = "水匠 5"
future = "kept"

[[engine]]
name = "水匠 5"
program = "/opt/Suisho 5/YaneuraOu"
arguments = ["-x", "a b"]
folder = "/opt/Suisho 5"
k = 285.0
multipv = 5
threads = 4
hash_mb = 1024
limit = "nodes 1000000"
colour = "kept"

[engine.environment]
OMP_NUM_THREADS = "4"

[engine.options]
EvalDir = "評価関数"
"Skill Level" = "20"

[[engine]]
name = "remote"
program = "ssh"
arguments = ["host", "./engine"]
"#;

/// Returns the warnings about a file, as `key: problem`.
fn warning_texts(text: &str) -> Vec<String> {
    let (_, warnings) = Profiles::read(text).unwrap();
    warnings
        .iter()
        .map(|warning| format!("{}: {:?}", warning.key, warning.problem))
        .collect()
}

fn names(profiles: &Profiles) -> Vec<&str> {
    profiles.iter().map(Profile::name).collect()
}

/// Returns three profiles: `a`, `b` and `c`.
fn three_profiles() -> Profiles {
    let mut profiles = Profiles::default();
    for name in ["a", "b", "c"] {
        profiles.add(Profile::new(name, ["program".to_owned()])).unwrap();
    }
    profiles
}

#[test]
fn a_file_round_trips() {
    let (profiles, warnings) = Profiles::read(FILE).unwrap();
    assert_eq!(warnings, []);
    let suisho = profiles.default_profile().unwrap();
    assert_eq!(suisho.name(), "水匠 5");
    assert_eq!(
        suisho.command(ShellSyntax::Posix),
        "'/opt/Suisho 5/YaneuraOu' -x 'a b'"
    );
    assert_eq!(
        (suisho.model, suisho.limit),
        (WinRateModel::from_k(285.0), Some(Limit::Nodes(1_000_000)))
    );
    assert_eq!(suisho.options["EvalDir"], "評価関数");
    assert_eq!(suisho.environment["OMP_NUM_THREADS"], "4");
    let remote = profiles.get("remote").unwrap();
    assert_eq!(remote.command(ShellSyntax::Windows), "ssh host ./engine");
    assert_eq!(profiles.write().unwrap(), FILE);
}

#[test]
fn an_invalid_field_does_not_affect_the_others() {
    let (whole, _) = Profiles::read(FILE).unwrap();
    let check = |from: &str, to: &str, expect: &str, mend: fn(&mut Profile, &Profile)| {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        assert_eq!(warning_texts(&text), [expect], "{to}");
        let (mut profiles, _) = Profiles::read(&text).unwrap();
        let good = whole.iter().next().unwrap();
        mend(&mut profiles.engines[0], good);
        profiles.default.clone_from(&whole.default);
        assert_eq!(profiles, whole, "{to}");
    };
    check(
        "default = \"水匠 5\"",
        "default = 5.5",
        "default: NoSuchEngine(\"5.5\")",
        |_, _| (),
    );
    check(
        "default = \"水匠 5\"",
        "default = [1]",
        "default: Wanted(Text)",
        |_, _| (),
    );
    check(
        "\"-x\"",
        "{}",
        "engine[1].arguments: Wanted(Texts)",
        |broken, good| {
            assert!(broken.arguments.is_empty());
            broken.arguments.clone_from(&good.arguments);
        },
    );
    check(
        "k = 285.0",
        "k = \"much\"",
        "engine[1].k: Wanted(Number(1.0, 100000.0))",
        |broken, good| {
            broken.model = good.model;
        },
    );
    check(
        "k = 285.0",
        "k = nan",
        "engine[1].k: Wanted(Number(1.0, 100000.0))",
        |broken, good| {
            broken.model = good.model;
        },
    );
    check(
        "multipv = 5",
        "multipv = 0",
        "engine[1].multipv: Wanted(Whole(1, 16777216))",
        |broken, good| {
            broken.multipv = good.multipv;
        },
    );
    check(
        "threads = 4",
        "threads = -4",
        "engine[1].threads: Wanted(Whole(1, 16777216))",
        |broken, good| {
            broken.threads = good.threads;
        },
    );
    check(
        "hash_mb = 1024",
        "hash_mb = 1e9",
        "engine[1].hash_mb: Wanted(Whole(1, 16777216))",
        |broken, good| {
            broken.hash_mb = good.hash_mb;
        },
    );
    check(
        "nodes 1000000",
        "forever",
        "engine[1].limit: Wanted(Limit)",
        |broken, good| broken.limit = good.limit,
    );
    check(
        "folder = \"/opt/Suisho 5\"",
        "folder = []",
        "engine[1].folder: Wanted(Text)",
        |broken, good| {
            broken.folder.clone_from(&good.folder);
        },
    );
    check(
        "\"20\"",
        "[20]",
        "engine[1].options.\"Skill Level\": Wanted(Text)",
        |broken, good| {
            assert!(broken.options.contains_key("EvalDir"), "only one is broken");
            broken.options.clone_from(&good.options);
        },
    );
    check(
        "OMP_NUM_THREADS",
        "\"OMP=\"",
        "engine[1].environment: NoVariable",
        |broken, good| {
            broken.environment.clone_from(&good.environment);
        },
    );
    check(
        "program = \"/opt/Suisho 5/YaneuraOu\"\n",
        "",
        "engine[1].program: NoProgram",
        |broken, good| {
            broken.program.clone_from(&good.program);
        },
    );
}

#[test]
fn unusual_files_are_read_and_can_be_changed() {
    let check = |text: &str, expect: &[&str], engines: &[&str]| {
        assert_eq!(warning_texts(text), expect, "{text}");
        let mut profiles = Profiles::read(text).unwrap().0;
        assert_eq!(names(&profiles), engines, "{text}");
        assert_eq!(
            profiles.write_into(text).unwrap().trim_end(),
            text.trim_end(),
            "nothing was changed"
        );
        profiles.add(Profile::new("z", ["z".to_owned()])).unwrap();
        let (again, _) = Profiles::read(&profiles.write_into(text).unwrap()).unwrap();
        assert_eq!(again, profiles, "{text}");
    };
    check("", &[], &[]);
    check("engine = 3", &["engine: Wanted(Tables)"], &[]);
    check(
        "engine = [3, {name = 'a', program = 'p'}]",
        &["engine[1]: Wanted(Table)"],
        &["a"],
    );
    check("[engine]\nname = 'a'\nprogram = 'p'", &[], &["a"]);
    check(
        "[[engine]]\nprogram = 'p'",
        &["engine[1].name: Renamed(\"engine\")"],
        &["engine"],
    );
    check(
        "[[engine]]\nname = 'builtin'\nprogram = 'p'",
        &["engine[1].name: Renamed(\"builtin 2\")"],
        &["builtin 2"],
    );
    let twice = "[[engine]]\nname = 'a'\nprogram = 'p'\n".repeat(3);
    check(
        &twice,
        &[
            "engine[2].name: Renamed(\"a 2\")",
            "engine[3].name: Renamed(\"a 3\")",
        ],
        &["a", "a 2", "a 3"],
    );
    check("[[engine]]\nname = \"a\\nb\"\nprogram = 'p'", &[], &["a b"]);
    check(
        "[[engine]]\nname = 'a'\nprogram = 'p'\noptions = {Threads = 4, USI_OwnBook = true}",
        &[],
        &["a"],
    );
    for text in ["= 3", "\u{0}", "[[engine]", "a = 1\na = 2", "評価"] {
        assert!(Profiles::read(text).is_err(), "{text}");
    }
}

#[test]
fn the_user_s_formatting_is_kept() {
    let a = "# fast\n[[engine]]\nname = 'a' # mine\nprogram = 'p'\nk = 'much' # ?\n\n[engine.options]\nThreads = '4' # of 8\n";
    let b = "\n# slow\n[[engine]]\nname = 'b'\nprogram = 'q'\ncolour = 'kept'\n";
    let file = format!("default = 'b' # for now\n\n{a}{b}");
    let check = |change: fn(&mut Profiles), expect: &str| {
        let (mut profiles, _) = Profiles::read(&file).unwrap();
        change(&mut profiles);
        let text = profiles.write_into(&file).unwrap();
        assert_eq!(text, expect);
        assert_eq!(Profiles::read(&text).unwrap().0, profiles);
    };
    check(|_| {}, &file);
    check(
        |profiles| profiles.set_default("a").unwrap(),
        &file.replace("'b' # for", "\"a\" # for"),
    );
    check(
        |profiles| profiles.get_mut("a").unwrap().model = WinRateModel::from_k(600.0),
        &file.replace("'much'", "600.0"),
    );
    check(
        |profiles| profiles.get_mut("b").unwrap().threads = Some(2),
        &format!("{file}threads = 2\n"),
    );
    check(
        |profiles| {
            _ = profiles
                .get_mut("a")
                .unwrap()
                .options
                .insert("Threads".to_owned(), "6".to_owned());
        },
        &file.replace("'4'", "\"6\""),
    );
    check(
        |profiles| profiles.rename("a", "A").unwrap(),
        &file.replace("'a'", "\"A\""),
    );
    check(
        |profiles| _ = profiles.remove("a").unwrap(),
        &format!("default = 'b' # for now\n{b}"),
    );
    check(
        |profiles| profiles.add(Profile::new("c", ["r".to_owned()])).unwrap(),
        &format!("{file}\n[[engine]]\nname = \"c\"\nprogram = \"r\"\n"),
    );
}

#[test]
fn names_stay_unique_and_allowed() {
    let mut profiles = three_profiles();
    assert_eq!(
        profiles.add(Profile::new("a", [])),
        Err(NameError::Taken("a".to_owned()))
    );
    assert_eq!(profiles.add(Profile::new("builtin", [])), Err(NameError::BuiltIn));
    assert_eq!(profiles.add(Profile::new(" \n", [])), Err(NameError::Empty));
    assert_eq!(profiles.rename("a", "b"), Err(NameError::Taken("b".to_owned())));
    assert_eq!(profiles.rename("x", "y"), Err(NameError::Unknown("x".to_owned())));
    assert_eq!(profiles.rename("a", "a"), Ok(()));
    assert_eq!(profiles.duplicate("a").as_deref(), Ok("a 2"));
    assert_eq!(profiles.duplicate("a 2").as_deref(), Ok("a 3"));
    assert_eq!(profiles.duplicate("a").as_deref(), Ok("a 4"));
    assert_eq!(names(&profiles), ["a", "a 4", "a 2", "a 3", "b", "c"]);
}

#[test]
fn the_default_follows_renames_and_removals() {
    let default = |profiles: &Profiles| {
        profiles
            .default_profile()
            .map(|profile| profile.name().to_owned())
    };
    let mut profiles = three_profiles();
    assert_eq!(default(&Profiles::default()), None);
    assert_eq!(default(&profiles).as_deref(), Some("a"));
    profiles.set_default("b").unwrap();
    profiles.rename("b", "B").unwrap();
    assert_eq!(default(&profiles).as_deref(), Some("B"));
    profiles.remove("B").unwrap();
    assert_eq!(default(&profiles).as_deref(), Some("a"));
    profiles.set_default(BUILT_IN_NAME).unwrap();
    assert_eq!(default(&profiles), None);
    assert!(profiles.set_default("nobody").is_err());
}

#[test]
fn a_number_is_found_under_the_engine_s_option_name() {
    let mut profile = Profile::new("a", []);
    profile.options.insert("USI_Hash".to_owned(), "64".to_owned());
    assert_eq!(profile.number(EngineNumber::Hash), Some(64));
    profile.set_number(EngineNumber::Hash, Some(128));
    assert_eq!(
        (profile.number(EngineNumber::Hash), profile.options.len()),
        (Some(128), 0)
    );
    profile.set_number(EngineNumber::Hash, None);
    assert_eq!(profile.number(EngineNumber::Hash), None);
}

#[test]
fn changes_of_two_programs_are_merged() {
    let (before, _) = Profiles::read(FILE).unwrap();
    let before = before.get("水匠 5").unwrap();
    let (mut current, mut after) = (before.clone(), before.clone());
    current.model = None;
    current.threads = Some(8);
    current.options.insert("Contempt".to_owned(), "3".to_owned());
    current.environment.clear();
    after.threads = Some(2);
    after.options.remove("EvalDir");
    after.options.insert("Skill Level".to_owned(), "5".to_owned());
    current.apply_changes(before, &after);
    assert_eq!(
        (current.model, current.threads, current.environment.len()),
        (None, Some(2), 0)
    );
    let options: Vec<_> = current
        .options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(options, [("Contempt", "3"), ("Skill Level", "5")]);
}

fn any_profile() -> impl Strategy<Value = Profile> {
    let word = r#"[a-z .\\"'=#\[\]日本\n]{0,8}"#;
    let texts = || prop::collection::btree_map(word, word, 0..3);
    let numbers = (
        prop::option::of(1.0..1e5_f64),
        prop::option::of(1..99_u32),
        prop::option::of(1..u64::MAX),
    );
    (
        (word, word, prop::collection::vec(word, 0..3)),
        (texts(), texts()),
        numbers,
    )
        .prop_map(
            |((name, program, arguments), (environment, options), (k, threads, nodes))| Profile {
                program: format!("p{program}"),
                arguments,
                environment: environment
                    .into_iter()
                    .filter(|(name, _)| !name.is_empty() && !name.contains('='))
                    .collect(),
                // An option is one line.
                options: options
                    .into_iter()
                    .filter(|(name, value)| check_one_line(name, value).is_ok())
                    .collect(),
                model: k.and_then(WinRateModel::from_k),
                threads,
                limit: nodes.map(Limit::Nodes),
                ..Profile::new(&name, [])
            },
        )
}

proptest! {
    #[test]
    fn profiles_round_trip(engines in prop::collection::vec(any_profile(), 0..4), chosen in 0..4_usize) {
        let mut profiles = Profiles::default();
        for mut engine in engines {
            engine.name = profiles.free_name(&engine.name);
            profiles.add(engine).unwrap();
        }
        if let Some(name) = profiles.iter().nth(chosen).map(|profile| profile.name().to_owned()) {
            profiles.set_default(&name).unwrap();
        }
        prop_assert_eq!(Profiles::read(&profiles.write().unwrap()), Ok((profiles, Vec::new())));
    }

    #[test]
    fn applying_changes_gives_the_new_profile(before in any_profile(), mut after in any_profile()) {
        after.name.clone_from(&before.name);
        let mut current = before.clone();
        current.apply_changes(&before, &after);
        prop_assert_eq!(current, after);
    }

    #[test]
    fn any_toml_file_can_be_read(text in r#"(name|engine|k|default|[\[\]={}"', \n.1]){0,30}"#) {
        if let Ok((profiles, _)) = Profiles::read(&text) {
            prop_assert_eq!(Profiles::read(&profiles.write().unwrap()).unwrap().0, profiles);
        }
    }
}

#[test]
fn the_built_in_engine_has_settings_of_its_own() {
    let mut profiles = Profiles::default();
    assert!(
        !profiles.write().unwrap().contains("builtin"),
        "without settings it is not in the file"
    );
    profiles
        .get_mut(BUILT_IN_NAME)
        .unwrap()
        .set_number(EngineNumber::Threads, Some(3));
    let text = profiles.write().unwrap();
    let (again, warnings) = Profiles::read(&text).unwrap();
    assert_eq!(
        (
            again.get(BUILT_IN_NAME).unwrap().threads,
            again.iter().count(),
            warnings.len()
        ),
        (Some(3), 0, 0)
    );
    assert_eq!(again, profiles);
    // The built-in engine stays inside this program, even if the file names another program.
    let (foreign, _) = Profiles::read("[builtin]\nname = \"x\"\nprogram = \"/bin/sh\"\nthreads = 2").unwrap();
    let built_in = foreign.get(BUILT_IN_NAME).unwrap();
    assert_eq!(
        (built_in.name(), built_in.program.as_str(), built_in.threads),
        (BUILT_IN_NAME, BUILT_IN_NAME, Some(2))
    );
    assert!(profiles.duplicate(BUILT_IN_NAME).is_err() && profiles.remove(BUILT_IN_NAME).is_err());
}
