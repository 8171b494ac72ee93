//! `shogibar video` from a shell.

use crate::support;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const GAME: &str =
    "手数----指手---------消費時間--\n1 ７六歩(77)\n**評価値=90\n2 ３四歩(33)\n**評価値=50\n3 投了\n";

/// The folder of one test. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("video-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("settings")).unwrap();
        fs::write(path.join("game.kifu"), GAME).unwrap();
        Self(path)
    }

    /// Runs `shogibar video game.kifu` with more arguments, and a path of programs. Returns the exit code and standard
    /// error.
    fn run(&self, arguments: &[&str], path: &str) -> (Option<i32>, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_shogibar"))
            .args(["video", "game.kifu", "--pace", "1s", "--lang", "en"])
            .args(arguments)
            .current_dir(&self.0)
            .env("SHOGIBAR_CONFIG", self.0.join("settings"))
            .env("PATH", path)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn without_ffmpeg_the_video_is_an_animated_picture() {
    let folder = Folder::new("animated");
    let (code, error) = folder.run(&["-o", "game.mp4"], "");
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(
        error,
        "There is no ffmpeg, so an animated PNG was saved: game.png\n"
    );
    let bytes = fs::read(folder.0.join("game.png")).unwrap();
    assert!(shogibar_ui::png::is_png(&bytes));
    assert!(!folder.0.join("game.mp4").exists(), "the name is that of a PNG");
    // The user did not name this file, so it is not replaced.
    let (code, error) = folder.run(&["-o", "game.mp4"], "");
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("game.png already exists"), "{error}");
    assert_eq!(folder.run(&["-o", "game.png"], "").0, Some(0), "named, it is");
}

#[test]
fn other_files_are_not_replaced() {
    let folder = Folder::new("other");
    fs::write(folder.0.join("notes.mp4"), "the user's notes").unwrap();
    fs::write(folder.0.join("notes.png"), "the user's notes").unwrap();
    for name in ["notes.mp4", "notes.png"] {
        let (code, error) = folder.run(&["-o", name], "");
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains("is neither a video nor a PNG image"), "{error}");
        assert_eq!(
            fs::read_to_string(folder.0.join(name)).unwrap(),
            "the user's notes"
        );
    }
    let (code, error) = folder.run(&["-o", "game.gif"], "");
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("game.gif has to end in .mp4 or .png"), "{error}");
}

/// A machine without ffmpeg skips this test.
#[test]
fn ffmpeg_writes_the_video() {
    let path = std::env::var("PATH").unwrap_or_default();
    let found = support::found_or_skipped(shogibar_video::find_ffmpeg(), "ffmpeg", "ffmpeg");
    if found.is_none() {
        return;
    }
    let folder = Folder::new("ffmpeg");
    let (code, error) = folder.run(&["-o", "game.mp4"], &path);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let bytes = fs::read(folder.0.join("game.mp4")).unwrap();
    assert_eq!(&bytes[4..8], b"ftyp", "an MP4 file");
    // It replaces its own file.
    assert_eq!(folder.run(&["-o", "game.mp4"], &path).0, Some(0));
    let left: Vec<_> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 3, "no temporary file is left: {left:?}");
}
