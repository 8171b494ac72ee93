//! One small run of each tool. Piece sets are below `SHOGIBAR_SHARED` or `../shared`, games in `examples`.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a test fails by panicking, and its helpers do I/O"
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository, seen from this crate.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// The folder of the example games.
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Creates a folder with one of the piece sets in `sets`: reading all of them takes seconds. `None` where the test is
/// skipped.
fn new_folder_with_a_set(name: &str) -> Option<PathBuf> {
    let shared =
        std::env::var_os("SHOGIBAR_SHARED").map_or_else(|| Path::new(ROOT).join("../shared"), PathBuf::from);
    let source = Some(shared.join("vision/lishogi_kanji_light")).filter(|folder| folder.is_dir());
    let source = found_or_skipped(source, "shared", "the folder of piece sets")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _not_there_yet = std::fs::remove_dir_all(&folder);
    let target = folder.join("sets/lishogi_kanji_light");
    std::fs::create_dir_all(&target).expect("a folder");
    for entry in std::fs::read_dir(source).expect("a folder") {
        let entry = entry.expect("a file");
        std::fs::copy(entry.path(), target.join(entry.file_name())).expect("a file is copied");
    }
    Some(folder)
}

/// Returns the path of ffmpeg; `None` where the test is skipped.
fn ffmpeg() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let files = std::env::split_paths(&path)
        .map(|folder| folder.join(format!("ffmpeg{}", std::env::consts::EXE_SUFFIX)));
    found_or_skipped(files.into_iter().find(|file| file.is_file()), "ffmpeg", "ffmpeg")
}

/// Prints that the test is skipped where `found` is `None`.
///
/// # Panics
/// Where `found` is `None` and `SHOGIBAR_REQUIRE` names `need`.
fn found_or_skipped<T>(found: Option<T>, need: &str, what: &str) -> Option<T> {
    let required = std::env::var("SHOGIBAR_REQUIRE").unwrap_or_default();
    let is_required = required.split([',', ' ']).any(|name| name == need);
    assert!(
        found.is_some() || !is_required,
        "SHOGIBAR_REQUIRE names {need}, but {what} is not here"
    );
    if found.is_none() {
        // Written directly, because the test runner captures the output of a passing test.
        let _unreported = writeln!(std::io::stderr(), "skipped: {what} is not here ({need})");
    }
    found
}

fn run(tool: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(tool)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the tool starts");
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    out
}

#[test]
fn trains_and_measures_a_small_network() {
    let Some(folder) = new_folder_with_a_set("train") else {
        return;
    };
    let sets = ["--vision", "sets", "--drawn-sets", "2"];
    let small = ["--boards", "4", "--report", "4", "--mixed", "96"];
    let out = run(
        env!("CARGO_BIN_EXE_eye-train"),
        &[&sets, &small[..], &["--out", "first.bin"]].concat(),
        &folder,
    );
    assert!(
        out.contains("4 boards, loss ") && !out.contains("NaN"),
        "no step: {out}"
    );
    let weights = |name: &str| std::fs::read(folder.join(name)).expect("weights are written");
    let first = weights("first.bin");
    // The second run continues from the state; the third one starts another training with the weights.
    let more = [
        "--boards",
        "8",
        "--report",
        "4",
        "--mixed",
        "96",
        "--out",
        "first.bin",
    ];
    let out = run(
        env!("CARGO_BIN_EXE_eye-train"),
        &[&sets, &more[..]].concat(),
        &folder,
    );
    assert!(
        out.contains("\n8 boards, loss ") && !out.contains("\n4 boards"),
        "it begins anew: {out}"
    );
    assert_ne!(first, weights("first.bin"), "nothing is learnt");
    let more = ["--from", "first.bin", "--out", "second.bin"];
    let out = run(
        env!("CARGO_BIN_EXE_eye-train"),
        &[&sets, &small[..], &more].concat(),
        &folder,
    );
    assert!(
        out.contains("4 boards, loss "),
        "it has begun where another training is: {out}"
    );
    let measured = [
        "--weights",
        "second.bin",
        "--boards",
        "2",
        "--without",
        "1",
        "--games",
        GAMES,
    ];
    let out = run(
        env!("CARGO_BIN_EXE_eye-measure"),
        &[&sets, &measured[..]].concat(),
        &folder,
    );
    assert!(
        out.contains("found 100.0 %"),
        "the grids are found by lines alone: {out}"
    );
    assert!(
        out.contains("of 1 pictures without a board 0 have one"),
        "the last line is missing: {out}"
    );
    let _gone_already = std::fs::remove_dir_all(folder);
}

#[test]
fn counts_the_pieces_of_each_row() {
    let out = run(env!("CARGO_BIN_EXE_eye-frequencies"), &[GAMES], Path::new(ROOT));
    let numbers = |line: &str| -> Vec<u32> {
        let numbers = line.trim_start_matches('[').trim_end_matches("],").split(", ");
        numbers.map(|number| number.parse().expect("a number")).collect()
    };
    let rows: Vec<Vec<u32>> = out.lines().map(numbers).collect();
    assert!(
        rows.len() == 15 && rows.iter().all(|row| row.len() == 9),
        "nothing and 14 kinds on nine rows: {out}"
    );
    // A side has one king, on one of 81 squares.
    let kings: u32 = rows[8].iter().sum();
    assert!(kings.abs_diff(10_000 / 9) < 9, "the kings are {kings}: {out}");
}

#[test]
fn follows_a_drawn_film() {
    let Some(_ffmpeg) = ffmpeg() else { return };
    let Some(folder) = new_folder_with_a_set("film") else {
        return;
    };
    std::fs::create_dir(folder.join("games")).expect("a folder");
    // The seventh film is small.
    for file in 1..=7 {
        let game = format!("position startpos moves {file}g{file}f 5a5b\n");
        std::fs::write(folder.join(format!("games/{file}.usi")), game).expect("a game is written");
    }
    let films = [
        "--games", "games", "--moves", "2", "--films", "7", "--first", "6", "--save", ".",
    ];
    let sets = ["--vision", "sets", "--drawn-sets", "2"];
    let out = run(
        env!("CARGO_BIN_EXE_eye-film"),
        &[&sets, &films[..]].concat(),
        &folder,
    );
    assert!(
        out.contains("6\tCRF 20, 480p\t2\t2\t0\t"),
        "the moves are not found: {out}"
    );
    let _gone_already = std::fs::remove_dir_all(folder);
}
