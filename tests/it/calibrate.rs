//! `shogibar calibrate`: which games count, the fields of the JSON, and the figures of the shared records.

use crate::support::{Random, WorkFolder, shared};
use shogibar_base::Lang;
use shogibar_games::calibration::{RecordSource, collect};
use shogibar_shogi::score::{WinRateCurve, loss};
use std::fmt::Write as _;
use std::fs;
#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Output};

fn folder(name: &str) -> WorkFolder {
    WorkFolder::new(&format!("calibrate-{name}"))
}

/// Runs `calibrate`, and returns the exit code, the output and the messages.
fn calibrate(folder: &WorkFolder, arguments: &[&str]) -> (i32, String, String) {
    folder.run(&[&["calibrate"], arguments].concat())
}

/// Returns a game of two engines. Both see the win rate of Black at K = 300.
fn game(random: &mut Random, number: usize) -> String {
    let mut moves = Vec::new();
    for file in (1..=9).rev() {
        moves.extend([format!("+{file}7{file}6FU"), format!("-{file}3{file}4FU")]);
    }
    for _ in 0..6 {
        moves.extend(["+2838HI", "-8272HI", "+3828HI", "-7282HI"].map(str::to_owned));
    }
    let mut text = format!("V2.2\nN+Lion\nN-Zebra\n$EVENT:{number}\nPI\n+\n");
    let black_wins = random.below(2) == 0;
    let mut odds = 0.0;
    // Each game begins with different moves, so that no two games are the same.
    moves.insert(
        0,
        ["+3948GI", "+4948KI", "+6978KI", "+7968GI"][number % 4].to_owned(),
    );
    moves.insert(
        1,
        ["-3142GI", "-4132KI", "-6152KI", "-7162GI"][number / 4 % 4].to_owned(),
    );
    moves.truncate(24 + number / 16);
    for mv in &moves {
        let noise = random.below(2001) as f64 / 1000.0 - 1.0;
        odds += if black_wins { 0.1 } else { -0.1 } + 0.5 * noise;
        writeln!(text, "{mv}\nT1\n'** {:.0}", 300.0 * odds).unwrap();
    }
    let mover_wins = black_wins == (moves.len() % 2 == 0);
    text + if mover_wins { "%KACHI\n" } else { "%TORYO\n" }
}

fn objects(out: &str) -> Vec<serde_json::Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn writes_an_object_for_each_engine_and_for_all() {
    let folder = folder("json");
    let mut random = Random(7);
    for number in 0..60 {
        let name = if number < 40 {
            format!("in/{number}.csa")
        } else {
            format!("test/{number}.csa")
        };
        folder.write(&name, &game(&mut random, number));
    }
    let (code, out, err) = calibrate(&folder, &["in", "--test", "test", "--json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let found = objects(&out);
    let engines: Vec<_> = found
        .iter()
        .map(|object| object["engine"].as_str().unwrap())
        .collect();
    assert_eq!(engines, ["Lion", "Zebra", "*"]);
    for object in &found {
        assert_eq!(
            (object["games"].as_u64(), object["test_games"].as_u64()),
            (Some(40), Some(20))
        );
        let number = |field: &str| {
            object[field]
                .as_f64()
                .unwrap_or_else(|| panic!("{field}: {object}"))
        };
        assert!(
            number("k_low") <= number("k") && number("k") <= number("k_high"),
            "{object}"
        );
        for field in [
            "positions",
            "bonus",
            "loss",
            "loss_600",
            "ece",
            "test_positions",
            "test_loss",
        ] {
            assert!(number(field).is_finite(), "{field}: {object}");
        }
        for constant in ["285", "600", "750", "1200", "1428.57"] {
            assert!(number(&format!("test_loss_{constant}")) > 0.0, "{object}");
        }
    }
    let (_, table, _) = calibrate(&folder, &["in"]);
    assert!(
        table.starts_with("Engine") && table.contains("\nLion ") && table.contains("\nAll together "),
        "{table}"
    );
    let (code, out, _) = calibrate(&folder, &["in", "--name", "zebra", "--json"]);
    assert_eq!((code, objects(&out)[0]["engine"].as_str()), (0, Some("Zebra")));
    let (code, _, err) = calibrate(&folder, &["in", "--name", "tiger"]);
    assert_eq!(
        (
            code,
            err.contains("no engine is called 'tiger'; available: Lion, Zebra")
        ),
        (2, true),
        "{err}"
    );
}

#[test]
fn saves_the_scale_in_a_profile() {
    let folder = folder("save");
    let mut random = Random(3);
    (0..30).for_each(|number| _ = folder.write(&format!("in/{number}.csa"), &game(&mut random, number)));
    folder.write(
        "config/engines.toml",
        "# mine\n[[engine]]\nname = \"lion\"\nprogram = \"/x\"\n",
    );
    let (code, _, err) = calibrate(&folder, &["in", "--save", "lion"]);
    assert_eq!(
        (
            code,
            err.contains("use --name to choose the engine to save: Lion, Zebra")
        ),
        (2, true),
        "{err}"
    );
    let (code, _, err) = calibrate(&folder, &["in", "--name", "Lion", "--save", "lion"]);
    assert_eq!((code, err.starts_with("the K of lion is ")), (0, true), "{err}");
    let stored = fs::read_to_string(folder.0.join("config/engines.toml")).unwrap();
    assert!(
        stored.starts_with("# mine\n") && stored.contains("\nk = "),
        "{stored}"
    );
    let (code, ..) = calibrate(&folder, &["in", "--name", "Lion", "--save", "nobody"]);
    assert_eq!(code, 2);
}

/// Returns a game with other player names. Another event makes it a different game.
fn renamed(game: &str, names: [&str; 2]) -> String {
    let [black, white] = names;
    game.replace("N+Lion", &format!("N+{black}"))
        .replace("N-Zebra", &format!("N-{white}"))
}

#[test]
fn games_of_the_named_engine_test_it() {
    let folder = folder("named-test");
    let mut random = Random(11);
    for number in 0..60 {
        let text = game(&mut random, number);
        if number < 40 {
            folder.write(&format!("in/{number}.csa"), &text);
            continue;
        }
        // A longer name that contains the other one must not make that name ambiguous.
        folder.write(&format!("test/{number}.csa"), &text);
        folder.write(
            &format!("test/{number}-long.csa"),
            &renamed(&text, ["Lion 2", "Lion 3"]),
        );
    }
    let tested = |arguments: &[&str]| {
        let (code, out, err) = calibrate(&folder, &[arguments, &["--test", "test", "--json"]].concat());
        (code, objects(&out)[0]["test_games"].as_u64(), err)
    };
    assert_eq!(tested(&["in", "--name", "Lion"]), (0, Some(20), String::new()));
    assert_eq!(
        tested(&["in", "--name", "lio"]).1,
        Some(20),
        "the name is that of the engine which is fitted"
    );
    let (code, _, err) = calibrate(&folder, &["in", "--name", "Lion", "--test", "in"]);
    assert!(
        err.contains("of --test, also in IN") && err.contains("Lion: not tested"),
        "{err}"
    );
    assert_eq!(code, 0);
}

/// A game may test the named engine if only another engine has evaluated it in the games of the fit.
#[test]
fn a_game_of_another_engine_in_the_fit_tests_the_named_one() {
    let folder = folder("other-fit");
    let mut random = Random(12);
    for number in 0..50 {
        let text = game(&mut random, number);
        let only = |side: char| {
            let mut mover = '-';
            let keep = |line: &&str| {
                mover = line
                    .chars()
                    .next()
                    .filter(|sign| "+-".contains(*sign))
                    .unwrap_or(mover);
                !line.starts_with("'**") || mover == side
            };
            text.lines()
                .filter(keep)
                .flat_map(|line| [line, "\n"])
                .collect::<String>()
        };
        if number < 30 {
            folder.write(&format!("in/{number}.csa"), &text);
        } else {
            folder.write(&format!("in/{number}.csa"), &only('-'));
            folder.write(&format!("test/{number}.csa"), &only('+'));
        }
    }
    let (_, out, err) = calibrate(&folder, &["in", "--name", "Lion", "--test", "test", "--json"]);
    assert_eq!(objects(&out)[0]["test_games"].as_u64(), Some(20), "{err}");
}

#[cfg(feature = "gui")]
#[test]
fn draws_the_curve() {
    let folder = folder("picture");
    let mut random = Random(3);
    (0..30).for_each(|number| _ = folder.write(&format!("in/{number}.csa"), &game(&mut random, number)));
    for (name, begin) in [("a.svg", &b"<svg xmlns="[..]), ("a.png", b"\x89PNG")] {
        assert_eq!(
            calibrate(&folder, &["in", "--name", "Lion", "--picture", name]).0,
            0
        );
        assert!(
            fs::read(folder.0.join(name)).unwrap().starts_with(begin),
            "{name}"
        );
    }
    let svg = fs::read_to_string(folder.0.join("a.svg")).unwrap();
    assert!(
        svg.ends_with("</svg>\n") && !svg.contains("var(") && svg.contains("60 games")
            || svg.contains("30 games")
    );
    assert!(!svg.contains("class="), "there is no style sheet");
    // Without a fitted K, there is no curve to draw.
    for number in 0..4 {
        folder.write(&format!("few/{number}.csa"), &game(&mut Random(9), 1));
    }
    let (code, _, err) = calibrate(&folder, &["few", "--name", "Lion", "--picture", "few.png"]);
    assert!(
        code == 2 && err.contains("no picture is written") && !folder.0.join("few.png").exists(),
        "{code} {err}"
    );
    let text = folder.write("b.png", "mine");
    let (code, _, err) = calibrate(&folder, &["in", "--picture", "all.png"]);
    assert!(
        code == 2 && err.contains("choose the engine to draw"),
        "{code} {err}"
    );
    let (code, _, err) = calibrate(&folder, &["in", "--name", "Lion", "--picture", "b.png"]);
    assert_eq!(
        (code, err.contains("not a picture of that kind")),
        (2, true),
        "{err}"
    );
    assert_eq!(fs::read_to_string(text).unwrap(), "mine");
    assert_eq!(calibrate(&folder, &["in", "--picture", "b.gif"]).0, 2);
}

#[test]
fn each_kind_of_game_that_does_not_count_is_named() {
    let folder = folder("wrong");
    let good = game(&mut Random(1), 1);
    let end = |mark: &str| good.replace("%TORYO", mark).replace("%KACHI", mark);
    let check = |text: &str, expect: &str| {
        let path = folder.write("a.csa", text);
        let (code, out, err) = calibrate(&folder, &["a.csa"]);
        assert!(err.contains(expect), "{expect}: {err}");
        assert_eq!((code, out.as_str()), (2, ""), "{expect}: {err}");
        fs::remove_file(path).unwrap();
    };
    check(&end("%CHUDAN"), "not counted: 1 without a result");
    check(&end("%TIME_UP"), "not counted: 1 ended on time");
    check(&end("%ILLEGAL_MOVE"), "not counted: 1 ended by a foul");
    let without = good
        .lines()
        .filter(|line| !line.starts_with("'**"))
        .collect::<Vec<_>>()
        .join("\n");
    check(&without, "not counted: 1 without evaluations");
    let mates = good.lines().map(|line| {
        if line.starts_with("'**") {
            "'** 30000"
        } else {
            line
        }
    });
    check(
        &mates.collect::<Vec<_>>().join("\n"),
        "not counted: 1 with nothing but mate scores",
    );
    let mut sign = 1;
    let movers = good.lines().map(|line| {
        sign = if line.starts_with("'**") { -sign } else { sign };
        if line.starts_with("'**") {
            format!("'** {}", 500 * sign)
        } else {
            line.to_owned()
        }
    });
    check(
        &movers.collect::<Vec<_>>().join("\n"),
        "change sign with every move",
    );
    let (code, _, err) = calibrate(&folder, &["absent.csa"]);
    assert_eq!((code, err.contains("absent.csa")), (2, true), "{err}");
    folder.write("twice/a.csa", &good);
    folder.write("twice/b.csa", &good);
    let (code, _, err) = calibrate(&folder, &["twice"]);
    assert!(err.contains("not counted: 1 occurring twice"), "{err}");
    assert!(err.contains("Lion: K needs 20 games, not 1"), "{err}");
    assert_eq!(code, 1);
}

#[test]
fn the_bar_in_the_terminal_keeps_games_of_the_user() {
    let folder = folder("terminal");
    let record = folder.write("a.csa", &game(&mut Random(5), 3));
    let show = || {
        let arguments = [
            "--text",
            "--engine",
            "builtin",
            "--hash",
            "1",
            "--ply",
            "22",
            "--movetime",
            "100",
        ];
        let (code, _, err) = folder.run(&[&arguments[..], &[record.to_str().unwrap()]].concat());
        assert_eq!(code, 0, "{err}");
        fs::read_to_string(folder.0.join("config/calibration.jsonl")).unwrap_or_default()
    };
    folder.write("config/settings.toml", "keep_results = false\n");
    assert_eq!(show(), "");
    folder.write("config/settings.toml", "");
    let games = objects(&show());
    assert_eq!(
        games
            .iter()
            .map(|game| game["engine"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["builtin"]
    );
    assert_eq!(games[0]["values"].as_array().map(Vec::len), Some(1));
}

/// The script with which the scales of known engines are fitted.
#[cfg(unix)]
#[test]
fn the_script_for_the_presets_runs() {
    let folder = folder("presets");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calibrate/presets");
    let run = |games: &str, engines: &str| {
        let mut command = Command::new("/bin/sh");
        command
            .arg(&script)
            .args(["out", games, "20"])
            .current_dir(&folder.0)
            .env("LANG", "C");
        command
            .env("SHOGIBAR", env!("CARGO_BIN_EXE_shogibar"))
            .env("ENGINES", engines);
        let Output {
            status,
            stdout,
            stderr,
        } = command
            .env("SHOGIBAR_CONFIG", folder.0.join("config"))
            .output()
            .unwrap();
        let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(status.success(), "{out}{err}");
        (out, err)
    };
    let (out, err) = run("4", "builtin /nowhere/engine");
    assert!(
        out.contains("Shogibar") && out.contains("plies 100 to 400:"),
        "{out}{err}"
    );
    assert!(
        err.contains("the games of /nowhere/engine were not finished"),
        "{err}"
    );
    let count = |part: &str| fs::read_dir(folder.0.join("out").join(part)).unwrap().count();
    assert_eq!((count("fit"), count("test")), (2, 2));
    // The second run continues where the first one ended.
    run("6", "builtin");
    assert_eq!((count("fit"), count("test")), (3, 3));
}

/// The losses of common constants on the public games with results, as computed by an independent script.
#[test]
fn the_constants_have_their_known_losses_on_the_shared_records() {
    let Some(corpus) = shared("corpus") else { return };
    let pool = collect(vec![RecordSource::Path(corpus)], &(20..=u16::MAX), Lang::En)
        .unwrap()
        .pool;
    let games = pool.all_games();
    let check = |k: f64, expect: f64| {
        let found = loss(&games, WinRateCurve::from_k(k));
        assert!(
            (found - expect).abs() < 0.02,
            "K = {k}: {found:.4} on {} games, not {expect}",
            games.len()
        );
    };
    check(285.0, 0.433);
    check(600.0, 0.416);
    check(750.0, 0.427);
    check(1428.57, 0.480);
}
