//! `shogibar analyze --report` from a shell.

use super::support;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ANALYSED: &str = "\
棋戦：<script>研究会</script>
先手：佐藤
後手：鈴木
手数----指手---------消費時間--
**評価値=30
1 ７六歩(77) (0:12/00:00:12)
**評価値=20
2 ３四歩(33) (0:05/00:00:05)
*よくある手
**評価値=20
**読み筋=▲2六歩△8四歩
3 ７五歩(76) (0:03/00:00:15)
**評価値=-900
4 ８四歩(83)
**評価値=-880
5 投了
";

/// A folder for one test. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, arguments: &[&str], code: i32) -> Output {
        let output = Command::new(env!("CARGO_BIN_EXE_shogibar"))
            .arg("analyze")
            .args(arguments)
            .current_dir(&self.0)
            .env("SHOGIBAR_CONFIG", support::no_settings())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        output
    }

    /// Runs a command that has to fail, and returns the only line on its standard error.
    fn refusal(&self, arguments: &[&str]) -> String {
        let stderr = String::from_utf8(self.run(&[arguments, &["--lang", "en"]].concat(), 2).stderr).unwrap();
        assert_eq!(stderr.trim_end().lines().count(), 1, "{arguments:?}: {stderr}");
        stderr
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn json_has_everything_that_the_report_knows() {
    let folder = Folder::new("json");
    folder.write("game.kifu", ANALYSED);
    let output = folder.run(&["game.kifu", "--no-search", "--json"], 0);
    let game: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&game["file"], &game["names"][0], &game["winner"]),
        (&"game.kifu".into(), &"佐藤".into(), &"white".into())
    );
    let moves = game["moves"].as_array().unwrap();
    let mistake = &moves[2];
    assert_eq!(
        (moves.len(), &mistake["move"], &mistake["mark"]),
        (4, &"7f7e".into(), &"mistake".into())
    );
    assert_eq!(
        (&mistake["decisive"], &mistake["best"], &mistake["facts"]),
        // In the game, the reply kept the gain from this move. No other fact is proved, so there is no other one.
        (
            &true.into(),
            &"2g2f".into(),
            &serde_json::json!([{"kind": "punished", "side": "white", "at": "after", "line": ["8c8d"]}])
        )
    );
    assert_eq!(
        (&mistake["sentence"], &moves[0]["facts"]),
        (&serde_json::Value::Null, &serde_json::json!([]))
    );
    assert!(
        ["easy", "medium", "hard"].contains(&mistake["ease"].as_str().unwrap()),
        "{mistake}"
    );
    let win = |at: usize| moves[at]["win"].as_f64().unwrap();
    let loss = mistake["loss"].as_f64().unwrap();
    assert!(((win(1) - win(2)) * 100.0 - loss).abs() < 0.02, "{loss}");
    for key in ["mean_loss", "agreement", "accuracy", "opening", "middle", "end"] {
        assert!(game["quality"]["black"].get(key).is_some(), "{key}");
    }
    assert_eq!(game["turning_points"][0]["ply"], 3);
    // The record goes to the path after `-o`. Standard output takes only one result, so this is refused.
    folder.run(&["game.kifu", "--no-search", "--json", "-o", "-"], 2);
    folder.run(&["game.kifu", "--no-search", "--json", "--report", "-"], 2);
}

#[test]
fn writes_a_report_from_comments() {
    let folder = Folder::new("page");
    folder.write("game.kifu", ANALYSED);
    let output = folder.run(
        &[
            "game.kifu",
            "--no-search",
            "--report",
            "game.html",
            "--lang",
            "ja",
        ],
        0,
    );
    assert!(output.stdout.is_empty(), "the record is not wanted");
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(
        printed.contains("  3手目 ▲7五歩（勝率 −32.6）　悪手　後手が優位に立つ")
            && !printed.contains("解析した局面"),
        "{printed}"
    );
    let page = folder.read("game.html");
    for text in [
        "佐藤",
        "4手まで、後手の勝ち（投了）",
        "よくある手",
        "▲2六歩",
        "0:12",
        "&lt;script&gt;研究会",
        "<svg class=\"diagram\"",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("評価値=") && !page.contains("<script"));
    // A colour of the style sheet that no theme has would draw nothing.
    for variable in page
        .split("var(--")
        .skip(1)
        .filter_map(|rest| rest.split([')', ',']).next())
    {
        assert!(page.contains(&format!("--{variable}:")), "{variable}");
    }
    assert_eq!(folder.read("game.kifu"), ANALYSED, "the record is as it was");
    // Another report, in English, replaces the file. Standard output gets the same text.
    folder.run(
        &[
            "game.kifu",
            "--no-search",
            "--report",
            "game.html",
            "--lang",
            "en",
        ],
        0,
    );
    let english = folder.read("game.html");
    assert!(
        english.contains("White wins (resigned) · 4 moves") && english.contains("P-2f"),
        "{english}"
    );
    let piped = folder.run(&["game.kifu", "--no-search", "--report", "-", "--lang", "en"], 0);
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), english);
}

#[test]
fn reports_an_analysis_without_repeating_it() {
    let folder = Folder::new("analysis");
    folder.write("game.kifu", "1 ７六歩(77)\n2 ３四歩(33)\n");
    let arguments = ["--engine", "builtin", "--nodes", "300", "--lang", "en"];
    let run = |rest: &[&str]| {
        let output = folder.run(&[rest, &arguments].concat(), 0);
        String::from_utf8(output.stderr).unwrap()
    };
    let stderr = run(&["game.kifu", "-o", "game.kifu", "--report", "first.html"]);
    assert!(stderr.contains("3 (3 now, 0 before)"), "{stderr}");
    let stderr = run(&["game.kifu", "--report", "again.html"]);
    assert!(stderr.contains("3 (0 now, 3 before)"), "{stderr}");
    assert_eq!(folder.read("first.html"), folder.read("again.html"));
    assert!(
        folder.read("first.html").contains("300 nodes"),
        "who says so is told"
    );
}

#[test]
fn refuses_outputs_that_cannot_be_written() {
    let folder = Folder::new("refusals");
    folder.write("game.kifu", ANALYSED);
    folder.write("mine.html", "<!DOCTYPE html>\n<p>mine\n");
    folder.write("mine.png", "no picture");
    let check = |arguments: &[&str], expect: &str| {
        let stderr = folder.refusal(&[&["game.kifu", "--no-search"], arguments].concat());
        assert!(stderr.contains(expect), "{arguments:?}: {stderr}");
    };
    check(
        &["--report", "mine.html"],
        "mine.html already exists and is not a report",
    );
    check(&["--report", "report.pdf"], "must end in .html or .png");
    check(
        &["--report", "none/report.html"],
        "cannot write none/report.html: there is no folder none",
    );
    check(
        &["--report", "-", "-o", "-"],
        "cannot be written to the same file",
    );
    let picture = if cfg!(feature = "gui") {
        "already exists"
    } else {
        "cannot draw pictures"
    };
    check(&["--report", "mine.png"], picture);
    assert_eq!(
        [folder.read("mine.html"), folder.read("mine.png")],
        ["<!DOCTYPE html>\n<p>mine\n", "no picture"]
    );
}

#[cfg(feature = "gui")]
#[test]
fn writes_a_report_as_a_picture() {
    use eframe::icon_data;
    let folder = Folder::new("picture");
    folder.write("game.kifu", ANALYSED);
    folder.run(&["game.kifu", "--no-search", "--report", "game.png"], 0);
    let file = fs::read(folder.0.join("game.png")).unwrap();
    let picture = icon_data::from_png_bytes(&file).unwrap();
    assert_eq!(picture.width, 1720);
    assert_eq!(picture.rgba[..4], [0xF4, 0xF1, 0xEA, 0xFF], "on paper");
    // The picture contains the colour of a board.
    assert!(
        picture
            .rgba
            .chunks(4)
            .any(|pixel| pixel == [0xE3, 0xB9, 0x6F, 0xFF])
    );
    // The same record gives the same picture.
    folder.run(&["game.kifu", "--no-search", "--report", "game.png"], 0);
    assert_eq!(fs::read(folder.0.join("game.png")).unwrap(), file);
}
