//! One small run of each script of `benches`. The tools in `tools` have tests of their own.

use crate::support::{WorkFolder, found_or_skipped, program};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PROGRAM: &str = env!("CARGO_BIN_EXE_shogibar");
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

fn run(program: &Path, arguments: &[&str], folder: &Path) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(status.success() && err.is_empty(), "{arguments:?}: {out}{err}");
    out
}

/// Returns whether Python is installed. It is not needed to build the program.
fn has_python() -> bool {
    found_or_skipped(program("python3"), "python", "python3").is_some()
}

/// Runs a script of `benches`, in which a warning is an error.
#[cfg(unix)]
fn script(name: &str, arguments: &[&str], folder: &Path) -> String {
    let path = format!("{ROOT}/benches/{name}");
    run(
        Path::new("python3"),
        &[&["-W", "error", &path], arguments].concat(),
        folder,
    )
}

#[cfg(unix)]
#[test]
fn counts_the_lines_of_each_crate() {
    let is_checkout = Path::new(ROOT).join(".git").exists();
    if !has_python()
        || found_or_skipped(program("git").filter(|_| is_checkout), "git", "a checkout of git").is_none()
    {
        return;
    }
    let out = script("lines.py", &[], Path::new(ROOT));
    let count = |crate_name: &str| {
        let row = out
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("{crate_name} ")));
        row.and_then(|row| row.split_whitespace().nth(1)?.parse::<usize>().ok())
    };
    assert!(
        count("src/kifu") > Some(10_000) && count("src/files") > Some(100) && count("tests") == Some(0),
        "{out}"
    );
}

#[cfg(unix)]
#[test]
fn engines_judge_positions_of_games() {
    if !has_python() {
        return;
    }
    let folder = WorkFolder::new("judge");
    let positions = script("judge.py", &["choose", PROGRAM, GAMES, "2"], &folder.0);
    assert_eq!(
        positions
            .lines()
            .filter(|line| line.starts_with("selfplay.kif\t"))
            .count(),
        2,
        "two positions: {positions}"
    );
    folder.write("places", &positions);
    let engine = format!("{PROGRAM} engine");
    let judged = script(
        "judge.py",
        &["judge", PROGRAM, GAMES, "places", &engine, "500"],
        &folder.0,
    );
    assert_eq!(judged.lines().count(), 2, "two values: {judged}");
    folder.write("judged", &judged);
    let compared = script("judge.py", &["compare", "judged", "judged"], &folder.0);
    assert!(
        compared.contains("2 positions that both have a value for"),
        "the positions are compared: {compared}"
    );
}

#[cfg(unix)]
#[test]
fn recomputes_an_analysis_from_its_comments() {
    if !has_python() {
        return;
    }
    let folder = WorkFolder::new("recompute");
    // One game has a mate at its end. The other one has no evaluations, because no position is legal for an engine.
    folder.write(
        "games/mate.csa",
        "V2.2\nP+53FU59OU00KI\nP-51OU\n+\n+0052KI\n%TSUMI\n",
    );
    folder.write("games/none.csa", "V2.2\nP+59OU\nP-51OU\nP+52KI\n-\n%CHUDAN\n");
    let game = std::fs::read(Path::new(GAMES).join("selfplay.kif")).unwrap();
    std::fs::write(folder.0.join("games/selfplay.kif"), game).unwrap();
    let arguments = [
        "analyze", "games", "-o", "out", "--engine", "builtin", "--nodes", "300", "--deepen", "0", "--json",
    ];
    let analysed = Command::new(PROGRAM)
        .args(arguments)
        .current_dir(&folder.0)
        .env("SHOGIBAR_CONFIG", folder.0.join("config"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    folder.write("objects", &String::from_utf8(analysed.stdout).unwrap());
    let out = script("recompute.py", &["out", "objects"], &folder.0);
    assert!(
        out.starts_with("3 games with ") && out.ends_with(" moves: 0 differences\n"),
        "{out}"
    );
}

#[cfg(unix)]
#[test]
fn counts_the_mates_that_are_found() {
    if !has_python() {
        return;
    }
    let folder = WorkFolder::new("mates");
    // The problem is a mate in three plies.
    folder.write("games/problem.csa", "V2.2\nP-21OU\nP+13RY14KI59OU00HI\n+\n");
    let out = script(
        "mates.py",
        &["games", PROGRAM, "--count", "1", "--milliseconds", "500"],
        &folder.0,
    );
    assert!(
        out.starts_with("1 positions: 1 of 3 plies, 0 of 5 plies"),
        "a mate is found: {out}"
    );
    assert!(
        out.contains("go mate 1 of 1, go movetime 1 of 1"),
        "it is found again: {out}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn measures_nodes_per_second() {
    if !has_python() {
        return;
    }
    let folder = WorkFolder::new("nodes");
    let out = script(
        "nodes.py",
        &[PROGRAM, "--rounds", "1", "--nodes", "2000"],
        &folder.0,
    );
    assert!(
        out.contains("thousand nodes a second; the first has 1.00 x"),
        "the speed is printed: {out}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn measures_floods() {
    if !has_python() {
        return;
    }
    let folder = WorkFolder::new("flood");
    let out = script("flood.py", &[PROGRAM, "--seconds", "1", "--no-marks"], &folder.0);
    for kind in ["csa: ", "file: ", "http: ", "list: "] {
        assert!(out.contains(kind), "{kind}: {out}");
    }
}

/// The rest of the script needs npm and Chromium.
#[cfg(unix)]
#[test]
fn draws_the_position_after_moves_for_unseen_sets() {
    if !has_python() {
        return;
    }
    let code = "import sys; sys.path.insert(0, 'benches'); import unseen_sets as sets
board = sets.board_after('7g7f 3c3d 8h2b+ 3a2b B*4e'.split())
print('/'.join(''.join(row) for row in board))
print(sets.cells('l+R7/9'))";
    let out = run(
        Path::new("python3"),
        &["-W", "error", "-c", code],
        Path::new(ROOT),
    );
    let board = "lnsgkg.nl/.r.....s./pppppp.pp/......p../.....B.../..P....../PP.PPPPPP/.......R./LNSGKGSNL";
    assert!(out.starts_with(board), "the bishop is taken and dropped: {out}");
    assert!(
        out.contains("['l', '+R', '.', '.',"),
        "a promoted piece is one square: {out}"
    );
}

#[cfg(unix)]
#[test]
fn finds_the_letters_that_a_font_lacks() {
    if !has_python() {
        return;
    }
    // The test writes a WOFF font whose table has one letter.
    let code = "import sys; sys.path.insert(0, 'benches'); import piece_fonts as fonts, struct, zlib
cmap = struct.pack('>HHHHI', 0, 1, 3, 10, 12) + struct.pack('>HHIII3I', 12, 0, 28, 0, 1, ord('歩'), ord('歩'), 7)
packed = zlib.compress(cmap)
woff = b'wOFF\\0\\1\\0\\0' + bytes(4) + struct.pack('>H', 1) + bytes(30)
woff += struct.pack('>4s4I', b'cmap', 64, len(packed), len(cmap), 0) + packed
print(''.join(fonts.missing_letters(fonts.sfnt_from_woff(woff))))";
    let out = run(
        Path::new("python3"),
        &["-W", "error", "-c", code],
        Path::new(ROOT),
    );
    assert_eq!(out.trim(), "香桂銀金角飛王玉と杏圭全仝今馬龍竜成将車行兵");
}

#[cfg(unix)]
#[test]
fn scripts_compile_without_warnings() {
    if !has_python() {
        return;
    }
    let code = "import pathlib
for path in sorted(pathlib.Path('benches').rglob('*.py')):
    compile(path.read_text(), str(path), 'exec')
    print(path)";
    let out = run(
        Path::new("python3"),
        &["-W", "error", "-c", code],
        Path::new(ROOT),
    );
    assert!(out.lines().count() >= 4, "the scripts are found: {out}");
}
