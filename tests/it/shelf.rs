//! `shogibar shelf`: which games had a position.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of a test, with records. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shelf-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("records")).unwrap();
        let folder = Self(path);
        folder.write(
            "a.kif",
            "開始日時：2001/02/03\n先手：山田\n1 ７六歩(77)\n2 ３四歩(33)\n*#評価値=-30\n3 ２六歩(27)\n4 投了\n",
        );
        folder.write(
            "b.csa",
            "N+Sato\n$START_TIME:2021/02/03\nPI\n+\n+2726FU\n-3334FU\n+7776FU\n%TORYO\n",
        );
        folder.write("notes.txt", "no record");
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join("records").join(name), text).unwrap();
    }

    fn index(&self) -> PathBuf {
        self.0.join("an.index")
    }

    /// Runs `shogibar shelf` on the records. Returns the lines of its output, the text on standard error, and the exit
    /// code. The path of the records is left out.
    fn shelf(&self, words: &[&str]) -> (Vec<String>, String, i32) {
        let records = self.0.join("records");
        let output = Command::new(env!("CARGO_BIN_EXE_shogibar"))
            .args(["shelf", "--lang", "en", "--index"])
            .arg(self.index())
            .arg(&records)
            .args(words)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| {
            String::from_utf8(bytes)
                .unwrap()
                .replace(&format!("{}/", records.display()), "")
        };
        let lines = text(output.stdout).lines().map(str::to_owned).collect();
        (lines, text(output.stderr), output.status.code().unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn lists_the_games_that_had_a_position() {
    let folder = Folder::new("lists");
    let (lines, problems, code) = folder.shelf(&[]);
    assert_eq!((lines.len(), problems.as_str(), code), (1, "", 0));
    assert!(
        lines[0].starts_with("files: 2, games: 2, positions: 8\t"),
        "{lines:?}"
    );
    // Both games reach this position, with the moves in a different order.
    let position = ["--sfen", "startpos moves 7g7f 3c3d 2g2f"];
    let (lines, ..) = folder.shelf(&position);
    assert_eq!(
        lines,
        [
            "b.csa\t1\t3\tthe end\tBlack won\t-",
            "a.kif\t1\t3\tthe end\tBlack won\t-"
        ],
        "the newest first"
    );
    let after = [
        "--sfen",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
    ];
    assert_eq!(folder.shelf(&after).0, ["a.kif\t1\t1\tP-3d\tBlack won\t-"]);
    let (lines, ..) = folder.shelf(&["--sfen", "startpos", "--moves"]);
    assert_eq!(lines, ["P-2f\t1\t1\t0\t0\t-", "P-7f\t1\t1\t0\t0\t-"]);
    let (lines, ..) = folder.shelf(&[after[0], after[1], "--moves"]);
    assert_eq!(lines, ["P-3d\t1\t1\t0\t0\t−30"]);
    assert_eq!(
        folder
            .shelf(&[position[0], position[1], "--player", "sato"])
            .0
            .len(),
        1
    );
    assert_eq!(
        folder
            .shelf(&[position[0], position[1], "--since", "2010"])
            .0
            .len(),
        1
    );
    assert_eq!(
        folder.shelf(&[position[0], position[1], "--limit", "1"]).0.len(),
        1
    );
    assert_eq!(
        folder.shelf(&["--sfen", "4k4/9/9/9/9/9/9/9/4K4 b - 1"]),
        (Vec::new(), String::new(), 0)
    );
    let (lines, ..) = folder.shelf(&[after[0], after[1], "--json"]);
    let hit: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(
        (&hit["next"], &hit["word"], &hit["result"]),
        (&"3c3d".into(), &"P-3d".into(), &"black".into())
    );
    assert_eq!(
        (&hit["black"], &hit["date"], &hit["cp"]),
        (&"山田".into(), &"2001-02-03".into(), &serde_json::Value::Null)
    );
}

#[test]
fn follows_the_folder_and_trusts_no_damaged_index() {
    let folder = Folder::new("follows");
    let count = || folder.shelf(&["--sfen", "startpos"]).0.len();
    assert_eq!(count(), 2);
    let mut bytes = fs::read(folder.index()).unwrap();
    let at = bytes.len() - 5;
    bytes[at] ^= 1;
    fs::write(folder.index(), bytes).unwrap();
    let (lines, printed, code) = folder.shelf(&["--sfen", "startpos"]);
    assert_eq!((lines.len(), code), (2, 1), "{printed}");
    assert!(printed.contains("an.index.broken-1"), "{printed}");
    folder.write("c.kif", "1 ７六歩(77)\n");
    assert_eq!(count(), 3);
    fs::remove_file(folder.0.join("records/a.kif")).unwrap();
    assert_eq!(count(), 2);
    fs::write(folder.index(), "shogibar shelf 1, of an older version").unwrap();
    let (lines, printed, code) = folder.shelf(&["--sfen", "startpos"]);
    assert_eq!(
        (lines.len(), code, printed.contains("an.index.broken-2")),
        (2, 1, true),
        "{printed}"
    );
    let (lines, printed, code) = folder.shelf(&["--sfen", "nothing"]);
    assert_eq!(
        (lines.len(), code, printed.contains("'nothing' is not a position")),
        (0, 2, true),
        "{printed}"
    );
    let (_, printed, code) = folder.shelf(&["--sfen", "startpos", "--since", "yesterday"]);
    assert_eq!(
        (code, printed.contains("'yesterday' is not a date")),
        (2, true),
        "{printed}"
    );
}

#[test]
fn a_file_that_is_no_index_stays_where_it_is() {
    let folder = Folder::new("foreign");
    for foreign in [
        "1 ７六歩(77)\n",
        "s",
        "shogibar",
        "shogibar 0.2.0 a log",
        "SHOGIBAR SHELF 2",
    ] {
        fs::write(folder.index(), foreign).unwrap();
        for words in [&[][..], &["--sfen", "startpos"]] {
            let (lines, printed, code) = folder.shelf(words);
            assert_eq!((lines.len(), code), (0, 2), "{foreign}: {printed}");
            assert!(
                printed.contains("an.index: this program has not written it"),
                "{foreign}: {printed}"
            );
            assert_eq!(fs::read_to_string(folder.index()).unwrap(), foreign);
        }
        let names: Vec<_> = fs::read_dir(&folder.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names.len(), 2, "nothing was written beside it: {names:?}");
    }
    fs::write(folder.index(), "").unwrap();
    assert_eq!(
        folder.shelf(&["--sfen", "startpos"]).0.len(),
        2,
        "an empty file becomes an index"
    );
}
