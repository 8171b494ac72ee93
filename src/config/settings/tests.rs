//! Every setting round-trips, and an invalid one affects only itself.

use super::super::warning::{SettingProblem, SettingValueType};
use super::super::{Command, Shortcut};
use super::*;
use proptest::prelude::*;
use toml::Value;

fn non_default() -> Settings {
    let mut settings = Settings {
        general: GeneralSettings {
            language: Language::En,
            font: Some("Noto Serif CJK JP".to_owned()),
            pieces: PieceCharacters::Two,
            video_pace: VideoPace::Times,
            window_colors: WindowColors::Night,
            board_colors: BoardColors::Plain,
            shows_arrows: false,
            watches_clipboard: true,
            shares_engines: true,
            position_limit: PositionLimit::ThreeMinutes,
            fills_graph: false,
            has_shown_fairness_notice: true,
            checks_updates: true,
            logs_usi: true,
            keeps_results: false,
        },
        overlay: OverlaySettings {
            layout: Layout::Vertical,
            theme: "桜".to_owned(),
            black: Rgba::parse("#3E7D4F"),
            white: Rgba::parse("#FFFFFF"),
            is_swapped: true,
            has_motion: false,
            font: Some("Mincho".to_owned()),
            digits: DigitFont::Serif,
            text_size: Percent(120),
            opacity: Percent(50),
            pauses_hidden: true,
        },
        window: OverlayWindowSettings {
            background: Background::Chroma,
            key_color: Rgba([0xFF, 0, 0xFF, 0xFF]),
            always_on_top: false,
            click_through: true,
        },
        relay: RelaySettings {
            engine: Some("水匠5".to_owned()),
            starts_window: true,
            shares_bar: true,
        },
        obs: ObsSettings {
            is_on: true,
            port: ObsPort(8080),
            token: "0123".to_owned(),
            serves_network: true,
            allows_control: true,
            control_token: "4567".to_owned(),
        },
        main_window: MainWindowSettings {
            zoom: Percent(150),
            is_open: true,
            hides_bars: true,
            is_flipped: true,
            shows_tree: true,
            is_maximized: true,
            size: Some(WindowSize::new([1320, 840])),
            positions: ScreenPositions::default(),
        },
        shelf: ShelfSettings {
            folders: vec!["/games".to_owned(), "D:\\棋譜".to_owned()],
        },
        keys: HotKeySettings {
            hide: "F9".to_owned(),
            click_through: String::new(),
            lock: "F7".to_owned(),
            switch: String::new(),
        },
        ..Settings::default()
    };
    for part in OverlayPart::ALL {
        settings.parts.set_shown(*part, false);
    }
    for layout in Layout::ALL {
        settings.sizes.store(*layout, 1, Some([700, 70]));
        settings.sizes.store(*layout, 2, Some([1400, 140]));
    }
    for (screen, x) in [("HDMI-1", -1920), ("eDP-1", 40)] {
        settings.positions.store(ScreenPosition {
            screen: screen.to_owned(),
            x,
            y: -3,
        });
    }
    for (command, keys) in [(Command::Flip, "F5"), (Command::Hide, "Alt+Shift+H")] {
        settings
            .study_keys
            .choose(command, vec![Shortcut::parse(keys).unwrap()]);
    }
    settings.study_keys.choose(Command::Engines, Vec::new());
    settings
}

/// Returns the text of the settings file.
fn written(settings: &Settings) -> String {
    settings.write().unwrap()
}

/// Returns every setting of a file, with its path: the keys of the tables, and its own key.
fn settings_of(table: &Table) -> Vec<(Vec<String>, Value)> {
    let inner = |(key, value): (&String, &Value)| match value {
        Value::Table(table) => settings_of(table)
            .into_iter()
            .map(|(path, value)| ([vec![key.clone()], path].concat(), value))
            .collect(),
        value => vec![(vec![key.clone()], value.clone())],
    };
    table.iter().flat_map(inner).collect()
}

/// Returns the file with a setting replaced.
fn with_setting(table: &Table, path: &[String], value: Value) -> String {
    let mut table = table.clone();
    let (last, groups) = path.split_last().unwrap();
    let group = groups
        .iter()
        .fold(&mut table, |table, key| table[key].as_table_mut().unwrap());
    group.insert(last.clone(), value);
    toml::to_string(&table).unwrap()
}

#[test]
fn every_setting_round_trips() {
    for settings in [Settings::default(), non_default()] {
        assert_eq!(Settings::read(&written(&settings)), Ok((settings, Vec::new())));
    }
    assert_eq!(
        Settings::read(""),
        Ok((Settings::default(), Vec::new())),
        "no warning"
    );
    let (default, non_default): (Table, Table) = (
        toml::from_str(&written(&Settings::default())).unwrap(),
        toml::from_str(&written(&non_default())).unwrap(),
    );
    let same: Vec<_> = settings_of(&default)
        .into_iter()
        .filter(|field| settings_of(&non_default).contains(field))
        .collect();
    assert_eq!(same, [], "all are tried with two values");
}

#[test]
fn an_invalid_setting_does_not_affect_the_others() {
    let default: Table = toml::from_str(&written(&Settings::default())).unwrap();
    let non_default_file: Table = toml::from_str(&written(&non_default())).unwrap();
    let positions = settings_of(&non_default_file)
        .iter()
        .filter(|(path, _)| path[0] == "place")
        .count();
    assert_eq!(
        (settings_of(&non_default_file).len(), positions),
        (15 + 21 + 11 + 3 + 4 + 4 + 6 + 10 + 3 + 7 + 1 + 1, 1)
    );
    for (path, value) in settings_of(&non_default_file) {
        let broken = [
            Value::Integer(-7),
            Value::Float(f64::NAN),
            Value::Array(vec![Value::Integer(7)]),
        ];
        for wrong in broken {
            let (found, warnings) =
                Settings::read(&with_setting(&non_default_file, &path, wrong.clone())).unwrap();
            let key = path.join(".");
            assert!(
                warnings.len() == 1 && warnings[0].key.starts_with(&key),
                "{key} = {wrong}: {warnings:?}"
            );
            // The invalid setting has its default; all others are unchanged.
            let mut expect = non_default_file.clone();
            let (last, groups) = path.split_last().unwrap();
            let group = groups
                .iter()
                .fold(&mut expect, |table, key| table[key].as_table_mut().unwrap());
            group.remove(last);
            let (expect, _) = Settings::read(&toml::to_string(&expect).unwrap()).unwrap();
            assert_eq!(found, expect, "{key} = {wrong} instead of {value}");
        }
    }
    for group in ["overlay", "parts", "window", "keys", "sizes", "study"] {
        let mut file = default.clone();
        file.insert(group.to_owned(), Value::Boolean(true));
        let (found, warnings) = Settings::read(&toml::to_string(&file).unwrap()).unwrap();
        assert_eq!((found, warnings.len()), (Settings::default(), 1), "{group}");
    }
}

#[test]
fn warnings_state_the_expected_value() {
    let check = |line: &str, key: &str, wanted| {
        let (_, warnings) = Settings::read(line).unwrap();
        assert_eq!(
            warnings,
            [SettingWarning {
                key: key.to_owned(),
                problem: SettingProblem::Wanted(wanted)
            }],
            "{line}"
        );
    };
    check(
        "language = 'fr'",
        "language",
        SettingValueType::OneOf(&["system", "ja", "en"]),
    );
    check(
        "[overlay]\nlayout = 'diagonal'",
        "overlay.layout",
        SettingValueType::OneOf(Layout::NAMES),
    );
    check(
        "[overlay]\ntheme = \"a\\nb\"",
        "overlay.theme",
        SettingValueType::Line,
    );
    check(
        "[window]\nkey_color = 'green'",
        "window.key_color",
        SettingValueType::Color,
    );
    check("[parts]\nticks = 'no'", "parts.ticks", SettingValueType::Bool);
    for size in ["1080", "1080x", "23x100", "100x16385", "100x100x100", "-100x100"] {
        check(
            &format!("[sizes]\nfull = '{size}'"),
            "sizes.full",
            SettingValueType::Size,
        );
    }
    check("place = 5", "place", SettingValueType::Tables);
    check("place = [5]", "place[1]", SettingValueType::Table);
    check(
        "[[place]]\nscreen = 'a'\nx = 1\ny = 'b'",
        "place[1].y",
        SettingValueType::Number(-100_000.0, 100_000.0),
    );
    let farthest = "[[place]]\nscreen = 'a'\nx = -2147483648\ny = 2";
    check(
        farthest,
        "place[1].x",
        SettingValueType::Number(-100_000.0, 100_000.0),
    );
    assert!(Settings::read("language = ").is_err(), "this is no TOML");
}

#[test]
fn unknown_entries_are_kept() {
    let file = "board = 'wood'\n[window]\nshadow = 3\n[overlay.tilt]\ndegrees = 2\n[study]\nflip = true\n";
    let (mut settings, warnings) = Settings::read(file).unwrap();
    assert_eq!(warnings, []);
    settings.window.always_on_top = false;
    let again: Table = toml::from_str(&written(&settings)).unwrap();
    assert_eq!(again["board"].as_str(), Some("wood"));
    assert_eq!(again["window"]["shadow"].as_integer(), Some(3));
    assert_eq!(again["window"]["always_on_top"].as_bool(), Some(false));
    assert_eq!(again["overlay"]["tilt"]["degrees"].as_integer(), Some(2));
    assert_eq!(again["study"]["flip"].as_bool(), Some(true));
}

fn screen_position(screen: &str, x: i32) -> ScreenPosition {
    ScreenPosition {
        screen: screen.to_owned(),
        x,
        y: 2,
    }
}

#[test]
fn the_user_s_formatting_is_kept() {
    let file = "# mine\n\nlanguage = 'en' # really\nboard = 'wood'\n\n# of streams\n[window]\nalways_on_top = 'perhaps'\n\
                key_color = '#0000FF'\n\n[[place]]\nscreen = 'a' # the left one\nx = 1\ny = 2\n";
    let check = |change: fn(&mut Settings), expect: &str| {
        let (mut settings, _) = Settings::read(file).unwrap();
        change(&mut settings);
        let text = settings.write_into(file).unwrap();
        assert_eq!(text, expect);
        assert_eq!(Settings::read(&text).unwrap().0, settings);
    };
    check(|_| {}, file);
    check(
        |settings| settings.general.language = Language::Ja,
        &file.replace("'en'", "\"ja\""),
    );
    check(|settings| settings.general.font = None, file);
    check(
        |settings| settings.window.always_on_top = false,
        &file.replace("'perhaps'", "false"),
    );
    check(
        |settings| settings.parts.set_shown(OverlayPart::Ticks, false),
        &format!("{file}\n[parts]\nticks = false\n"),
    );
    check(
        |settings| settings.positions.store(screen_position("a", 7)),
        &file.replace("x = 1", "x = 7"),
    );
    let new = "\n[[place]]\nscreen = \"b\"\nx = 5\ny = 2\n";
    check(
        |settings| settings.positions.store(screen_position("b", 5)),
        &file.replace("\n[[place]]", &format!("{new}\n[[place]]")),
    );
}

#[test]
fn positions_are_stored_by_screen() {
    let position = |screen: &str, x| ScreenPosition {
        screen: screen.to_owned(),
        x,
        y: 0,
    };
    let mut positions = ScreenPositions::default();
    assert_eq!((positions.last(), positions.on_screen("a")), (None, None));
    for (screen, x) in [("a", 1), ("b", 2), ("a", 3)] {
        positions.store(position(screen, x));
    }
    assert_eq!(
        (positions.last(), positions.on_screen("b")),
        (Some(&position("a", 3)), Some(&position("b", 2)))
    );
    positions.store(ScreenPosition {
        screen: "c\n".to_owned(),
        x: i32::MIN,
        y: i32::MAX,
    });
    let bounded = ScreenPosition {
        screen: "c".to_owned(),
        x: -100_000,
        y: 100_000,
    };
    assert_eq!(positions.last(), Some(&bounded));
    for number in 0..40 {
        positions.store(position(&number.to_string(), number));
    }
    assert_eq!(
        (
            positions.on_screen("a"),
            positions.last().map(|position| position.x)
        ),
        (None, Some(39)),
        "the number of screens is bounded"
    );
}

#[test]
fn sizes_are_stored_by_layout() {
    let mut sizes = OverlaySizes::default();
    sizes.store(Layout::Bar, 1, Some([1920, 24]));
    sizes.store(Layout::Bar, 2, Some([1, 70_000]));
    let all = |sizes: &OverlaySizes| [1, 2, 3].map(|engines| sizes.get(Layout::Bar, engines));
    assert_eq!(
        all(&sizes),
        [Some([1920, 24]), Some([24, 16_384]), Some([24, 16_384])]
    );
    assert_eq!(sizes.get(Layout::Full, 1), None);
    sizes.store(Layout::Bar, 2, None);
    assert_eq!(all(&sizes), [Some([1920, 24]), None, None]);
    let settings = Settings {
        sizes,
        ..Settings::default()
    };
    assert_eq!(settings.write_into("").unwrap(), "[sizes]\nbar = \"1920x24\"\n");
}

#[test]
fn only_changes_are_applied() {
    let check = |change: fn(&mut Settings)| {
        let before = Settings {
            keys: HotKeySettings {
                hide: "F8".to_owned(),
                ..HotKeySettings::default()
            },
            ..Settings::default()
        };
        let mut after = before.clone();
        change(&mut after);
        let mut current = non_default();
        let mut expect = current.clone();
        change(&mut expect);
        current.apply_changes(&before, &after);
        assert_eq!(current, expect);
        // Applied to the same start, the result is `after`.
        let mut current = before.clone();
        current.apply_changes(&before, &after);
        assert_eq!(current, after);
    };
    check(|_| {});
    check(|settings| settings.general.font = Some("Gothic".to_owned()));
    check(|settings| settings.overlay.theme = "paper".to_owned());
    check(|settings| settings.parts.set_shown(OverlayPart::Ticks, false));
    check(|settings| settings.sizes.store(Layout::Compact, 1, Some([300, 50])));
    check(|settings| {
        settings
            .study_keys
            .choose(Command::Save, vec![Shortcut::parse("F2").unwrap()]);
    });
    check(|settings| (settings.window.click_through, settings.keys.hide) = (true, String::new()));
    check(|settings| {
        let position = |screen: &str| ScreenPosition {
            screen: screen.to_owned(),
            x: 7,
            y: 7,
        };
        settings.positions.store(position("new"));
        settings.positions.store(position("eDP-1"));
    });
    let (mut current, after) = (Settings::default(), non_default());
    current.apply_changes(&Settings::default(), &after);
    assert_eq!(current, after, "every setting is applied");
}

/// Returns a strategy for values of the file: of the expected type and range, or not.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Float),
        "\\PC{0,8}".prop_map(Value::String),
        prop::sample::select(vec!["ja", "full", "chroma", "#FF00FF", "ink", "F5", "Ctrl+T"])
            .prop_map(|word| Value::String(word.into())),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let keys = prop::sample::select(vec![
            "overlay", "window", "place", "x", "theme", "ground", "names", "screen", "full-2", "keys",
            "flip", "hide",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(keys.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|table| Value::Table(table.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_file_round_trips(
        table in prop::collection::btree_map(
            prop::sample::select(vec!["language", "font", "overlay", "parts", "window", "keys", "sizes", "study", "place", "other"]),
            any_value(),
            0..6,
        )
    ) {
        let table: Table = table.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let (settings, _) = Settings::read(&toml::to_string(&table).unwrap()).unwrap();
        let text = written(&settings);
        let (again, warnings) = Settings::read(&text).unwrap();
        prop_assert_eq!(warnings, []);
        // NaN is not equal to itself, so the texts are compared.
        prop_assert_eq!(written(&again), text);
    }

    #[test]
    fn settings_can_be_written_into_any_file(
        table in prop::collection::btree_map(
            prop::sample::select(vec!["language", "font", "overlay", "parts", "window", "keys", "sizes", "study", "place", "other"]),
            any_value(),
            0..6,
        )
    ) {
        let table: Table = table.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let text = toml::to_string(&table).unwrap();
        let (before, _) = Settings::read(&text).unwrap();
        prop_assert_eq!(&before.write_into(&text).unwrap(), &text, "nothing was changed");
        let mut settings = before.clone();
        settings.apply_changes(&Settings::default(), &non_default());
        let again = Settings::read(&settings.write_into(&text).unwrap()).unwrap().0;
        prop_assert_eq!(written(&again), written(&settings));
    }
}

#[test]
fn colors_of_the_sides_are_opaque_or_absent() {
    let check = |text: &str, expect: Option<&str>, warnings: usize| {
        let (settings, found) = Settings::read(&format!("[overlay]\nblack = \"{text}\"\n")).unwrap();
        assert_eq!(
            (settings.overlay.black, found.len()),
            (expect.and_then(Rgba::parse), warnings),
            "{text}"
        );
        let again = Settings::read(&settings.write().unwrap()).unwrap().0;
        assert_eq!(again.overlay.black, settings.overlay.black);
    };
    check("", None, 0);
    check("#3E7D4F", Some("#3E7D4F"), 0);
    check("#3E7D4F80", None, 1);
    check("green", None, 1);
}
