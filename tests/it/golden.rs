//! Files and texts as version 0.1 wrote them: later versions have to read them with the same meaning.
//!
//! `SHOGIBAR_BLESS=1` writes the fixtures again. Use it for intended changes only, such as a changed help text.

use crate::support;
use shogibar_config::{Profiles, SettingProblem, SettingWarning, Settings, Theme};
use shogibar_games::analysis::journal;
use shogibar_kifu::Record;
use shogibar_kifu::evaluation::Evaluation;
use shogibar_shogi::score::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/golden")
        .join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Checks that the fixture has this text. Writes the fixture first where `SHOGIBAR_BLESS` is set.
fn check(name: &str, found: &str) {
    if std::env::var_os("SHOGIBAR_BLESS").is_some() {
        std::fs::write(fixture(name), found).unwrap();
    }
    check_equal(&text(name), found, name);
}

/// Checks that both texts are equal, and reports the first line that differs.
fn check_equal(expected: &str, found: &str, name: &str) {
    for (number, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(expected, found, "{name}, line {}", number + 1);
    }
    assert_eq!(expected.len(), found.len(), "{name}");
}

fn program(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
    command
        .args(arguments)
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .env("COLUMNS", "100");
    command.output().unwrap().stdout
}

#[test]
fn reads_settings_engines_and_themes() {
    let (settings, warnings) = Settings::read(&text("home/settings.toml")).unwrap();
    assert_eq!(warnings, []);
    // The additions of later versions are not in the file yet.
    let (again, _) = Settings::read(&settings.write().unwrap()).unwrap();
    assert_eq!(again, settings);
    check(
        "home/settings.toml",
        &settings.write_into(&text("home/settings.toml")).unwrap(),
    );
    let (profiles, warnings) = Profiles::read(&text("home/engines.toml")).unwrap();
    assert_eq!(warnings, []);
    check("home/engines.toml", &profiles.write().unwrap());
    let (theme, warnings) = Theme::read(&text("home/themes/桜.toml")).unwrap();
    // The theme was made for a bar without a tray.
    let is_weak = |warning: &SettingWarning| matches!(warning.problem, SettingProblem::LowContrast { .. });
    assert!(warnings.iter().all(is_weak), "{warnings:?}");
    check("theme.toml", &theme.write());
    assert_eq!(Theme::read(&text("theme.toml")).unwrap().0, theme);
}

/// Returns an evaluation in one line: position in the record, engine, rank, value, depth, nodes, moves.
fn line(key_text: &str, evaluation: &Evaluation) -> String {
    let value = match evaluation.value {
        Some(Value::Cp(cp)) => cp.to_string(),
        other => format!("{other:?}"),
    };
    let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let pv: Vec<_> = evaluation.pv.iter().map(ToString::to_string).collect();
    let engine = evaluation.engine.as_deref().unwrap_or("-");
    let (rank, depth) = (
        number(evaluation.rank.map(u64::from)),
        number(evaluation.depth.map(u64::from)),
    );
    format!(
        "{key_text}\t{engine}\t{rank}\t{value}\t{depth}\t{}\t{}\n",
        number(evaluation.nodes),
        pv.join(" ")
    )
}

fn game() -> Record {
    shogibar_kifu::read(text("game/game.kifu").as_bytes())
        .unwrap()
        .games
        .remove(0)
}

#[test]
fn reads_evaluations_in_comments() {
    let record = game();
    let mut walk = record.walk();
    let mut found = String::new();
    for node in record.all() {
        for evaluation in walk.evaluations(node) {
            found += &line(&record.node(node).ply().to_string(), &evaluation);
        }
    }
    check("game/evaluations.tsv", &found);
}

#[test]
fn reads_and_writes_an_analysis_journal() {
    let file = std::fs::read(fixture("game/.game.kifu.analysis")).unwrap();
    let known = journal::read(&file);
    let mut found: Vec<_> = known.iter().collect();
    found.sort_by_key(|(key, _)| key.0);
    let mut lines = String::new();
    for (key, results) in found {
        for result in results {
            let key_text = format!("{:016x}\t{}\t{}", key.0, result.engine, result.model.k());
            result
                .evaluations
                .iter()
                .for_each(|evaluation| lines += &line(&key_text, evaluation));
        }
    }
    check("game/journal.tsv", &lines);
    let again: Vec<_> = known
        .iter()
        .flat_map(|(key, all)| all.iter().map(|one| journal::write(*key, one)))
        .collect();
    let mut again = again.concat().lines().map(str::to_owned).collect::<Vec<_>>();
    let mut before: Vec<_> = String::from_utf8(file)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    again.sort();
    before.sort();
    assert_eq!(again, before, "it is written as it was");
}

#[test]
fn accepts_a_home_folder_of_version_0_1() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("golden-home-{}", std::process::id()));
    let copied = [
        "settings.toml",
        "engines.toml",
        "themes/桜.toml",
        "recent.txt",
        "unsaved/4711.kifu",
    ];
    for name in copied {
        std::fs::create_dir_all(home.join(name).parent().unwrap()).unwrap();
        std::fs::copy(fixture("home").join(name), home.join(name)).unwrap();
    }
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_shogibar"));
    let output = doctor
        .args(["engines", "--lang", "en"])
        .env("SHOGIBAR_CONFIG", &home)
        .output()
        .unwrap();
    let (out, error) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert!(out.contains("水匠 5") && out.contains("遠く"), "{out}{error}");
    assert_eq!(error, "", "nothing is wrong with it");
    for name in copied {
        assert_eq!(
            std::fs::read(home.join(name)).unwrap(),
            std::fs::read(fixture("home").join(name)).unwrap(),
            "{name}"
        );
    }
    std::fs::remove_dir_all(home).unwrap();
}

#[test]
fn help_of_every_subcommand() {
    let subcommands: &[&[&str]] = &[
        &[],
        &["analyze"],
        &["convert"],
        &["notate"],
        &["snapshot"],
        &["engine"],
        &["replay"],
        &["explain"],
        &["engines"],
        &["engines", "options"],
        &["engines", "add"],
        &["engines", "remove"],
        &["engines", "rename"],
        &["engines", "duplicate"],
        &["engines", "default"],
        &["engines", "set"],
        &["doctor"],
    ];
    let mut found = String::new();
    for lang in ["en", "ja"] {
        for subcommand in subcommands {
            let help = program(&[subcommand, &["--help", "--lang", lang][..]].concat());
            write!(
                found,
                "== {} --lang {lang}\n{}",
                subcommand.join(" "),
                String::from_utf8(help).unwrap()
            )
            .unwrap();
        }
    }
    check("help.txt", &found);
}

/// Checks the output of `explain` for logs of real engines: lines, length and hash (FNV-1a).
#[test]
fn explains_logs_as_before() {
    let Some(folder) = support::shared("transcripts") else {
        return;
    };
    let mut logs: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    logs.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    logs.sort();
    let mut found = String::new();
    for log in logs {
        let output = program(&["explain", log.to_str().unwrap(), "--lang", "en"]);
        let sum = output.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let name = log.file_name().unwrap().to_string_lossy();
        writeln!(
            found,
            "{name}\t{}\t{}\t{sum:016x}",
            output.split(|byte| *byte == b'\n').count() - 1,
            output.len()
        )
        .unwrap();
    }
    check("explained.tsv", &found);
}
