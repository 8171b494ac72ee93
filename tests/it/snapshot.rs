//! `shogibar snapshot` from a shell.

use eframe::egui::IconData;
use eframe::icon_data;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

const ANALYSED: &str = "手数----指手---------消費時間--\n1 ７六歩(77)\n**評価値=900\n2 ３四歩(33)\n3 投了\n";

/// The folder of one test, with a settings folder. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("snapshot-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("settings/themes")).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_shogibar"))
            .arg("snapshot")
            .args(arguments)
            .current_dir(&self.0)
            .env("SHOGIBAR_CONFIG", self.0.join("settings"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that fails early does not read its input.
        let _may_be_closed = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// Runs the program, checks the exit code, and returns standard error.
    fn stderr_of(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments, "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        error
    }

    fn picture(&self, name: &str) -> IconData {
        decode(&fs::read(self.0.join(name)).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

fn decode(bytes: &[u8]) -> IconData {
    icon_data::from_png_bytes(bytes).expect("it is a PNG")
}

fn pixel(picture: &IconData, x: usize, y: usize) -> [u8; 4] {
    let width = usize::try_from(picture.width).unwrap();
    picture.rgba[(y * width + x) * 4..][..4].try_into().unwrap()
}

#[test]
fn draws_a_record() {
    let folder = Folder::new("plain");
    let arguments = [EXAMPLE, "-o", "a.png", "--ply", "116"];
    let printed = folder.stderr_of(&arguments, 0);
    assert!(
        printed.contains("--engine builtin") && printed.lines().count() == 1,
        "it has no evaluation: {printed}"
    );
    let picture = folder.picture("a.png");
    assert_eq!((picture.width, picture.height), (838, 300));
    assert_eq!(pixel(&picture, 0, 0), [0; 4], "the corners are round");
    assert_eq!(
        pixel(&picture, 419, 2),
        [0x14, 0x16, 0x1C, 0xEB],
        "and the background lets something through"
    );
    folder.stderr_of(
        &[
            EXAMPLE, "-o", "b.png", "--size", "480x110", "--scale", "1.5", "--ply", "10",
        ],
        0,
    );
    let picture = folder.picture("b.png");
    assert_eq!((picture.width, picture.height), (720, 165));
    // The size of the letters comes from the command line, not from the settings of the window.
    folder.write("settings/settings.toml", "[overlay]\nletters = 150\n");
    let [small, same, large] =
        [&[][..], &["--letters", "100"], &["--letters", "130%"]].map(|more: &[&str]| {
            folder.stderr_of(&[&[EXAMPLE, "-o", "c.png"], more].concat(), 0);
            folder.picture("c.png").rgba
        });
    assert!(
        small == same && small != large,
        "only the last one has larger letters"
    );
    for letters in ["69", "151", "large"] {
        assert!(
            folder
                .stderr_of(&[EXAMPLE, "-o", "c.png", "--letters", letters], 2)
                .contains("70"),
            "{letters}"
        );
    }
    // An existing image is replaced, and the same input gives the same bytes.
    let before = fs::read(folder.0.join("a.png")).unwrap();
    folder.stderr_of(&arguments, 0);
    assert_eq!(fs::read(folder.0.join("a.png")).unwrap(), before);
    let piped = folder.run(&["-", "-o", "-"], "");
    assert_eq!(
        (piped.status.code(), piped.stdout.len()),
        (Some(2), 0),
        "nothing is no record"
    );
}

#[test]
fn every_layout_has_its_default_size() {
    let folder = Folder::new("layouts");
    let check = |layout: &str, size| {
        folder.stderr_of(&[EXAMPLE, "-o", "l.png", "--layout", layout], 0);
        let picture = folder.picture("l.png");
        assert_eq!((picture.width, picture.height), size, "{layout}");
    };
    check("full", (838, 300));
    check("bar", (960, 92));
    check("candidates", (560, 188));
    check("vertical", (140, 677));
    check("compact", (280, 93));
    folder.stderr_of(
        &[EXAMPLE, "-o", "l.png", "--layout", "vertical", "--size", "48x160"],
        0,
    );
    assert_eq!(
        (folder.picture("l.png").width, folder.picture("l.png").height),
        (48, 160)
    );
}

#[test]
fn shows_the_evaluation_of_the_record() {
    let folder = Folder::new("record");
    let png = |arguments: &[&str]| {
        let output = folder.run(&[&["-", "-o", "-", "--lang", "en"], arguments].concat(), ANALYSED);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        decode(&output.stdout)
    };
    // The two points lie at seven tenths and nine tenths of the length of a bar at 82 %. They are near the upper edge,
    // because a share has a gradient.
    let side = |[red, _, blue, alpha]: [u8; 4]| match (red, blue) {
        _ if alpha < 0xFF => "panel",
        (0x40..0x60, 0x90..) => "black",
        (0xE0.., 0xB0..) => "white",
        (..0x10, ..0x10) => "tray",
        _ => "other",
    };
    let bar = |picture: &IconData| [540, 645].map(|x| side(pixel(picture, x, 82)));
    assert_eq!(bar(&png(&["--ply", "1"])), ["black", "white"]);
    // Without an evaluation, the tray is empty. At the end of the game, it has the winner's colour.
    let empty = png(&["--ply", "2"]);
    assert_eq!(
        [180, 660].map(|x| side(pixel(&empty, x, 82))),
        ["tray"; 2],
        "beside the sentence"
    );
    assert_eq!(bar(&png(&[])), ["white"; 2], "who resigns loses");
    let searched = png(&["--ply", "0", "--engine", "builtin", "--movetime", "200"]);
    assert_eq!(
        side(pixel(&searched, 200, 82)),
        "black",
        "the engine's value fills the bar"
    );
}

#[test]
fn finds_themes_of_the_user_and_of_the_program() {
    let folder = Folder::new("themes");
    folder.write("game.kif", ANALYSED);
    let background = |theme: &str, code| {
        let printed = folder.stderr_of(
            &[
                "game.kif", "-o", "t.png", "--theme", theme, "--lang", "en", "--ply", "1",
            ],
            code,
        );
        (pixel(&folder.picture("t.png"), 540, 3), printed)
    };
    assert_eq!(background("chroma", 0), ([0, 0xFF, 0, 0xFF], String::new()));
    folder.write(
        "settings/themes/sakura.toml",
        "base = 'paper'\npanel = '#FFC0CB'\n",
    );
    let (color, printed) = background("sakura", 0);
    assert_eq!(color, [0xFF, 0xC0, 0xCB, 0xFF]);
    assert!(
        printed.contains("quiet: its contrast with panel is 3.9 : 1"),
        "{printed}"
    );
    folder.write("settings/themes/paper.toml", "panel = '#FFEEDD'\n");
    assert_eq!(
        background("paper", 0).0,
        [0xFF, 0xEE, 0xDD, 0xFF],
        "the user's comes first"
    );
    folder.write("mine.toml", "panel = '#112233'\ntext = 'black'\n");
    let (color, printed) = background("mine.toml", 1);
    assert_eq!(color, [0x11, 0x22, 0x33, 0xFF], "what is not broken is used");
    assert!(
        printed.contains("mine.toml: text: it should be a colour"),
        "{printed}"
    );
    folder.write("settings/themes/broken.toml", "panel = ");
    let broken = folder.stderr_of(&[EXAMPLE, "-o", "t.png", "--theme", "broken", "--lang", "en"], 2);
    assert!(
        broken.contains("broken.toml: it cannot be read as a theme"),
        "{broken}"
    );
    let none = folder.stderr_of(&[EXAMPLE, "-o", "t.png", "--theme", "urushi"], 2);
    assert!(
        none.contains("'urushi'") && none.contains("ink paper broadcast contrast chroma"),
        "{none}"
    );
}

#[test]
fn undrawable_sizes_are_reported() {
    let folder = Folder::new("refusals");
    let check = |arguments: &[&str], expect: &str| {
        let printed = folder.stderr_of(&[&[EXAMPLE, "--lang", "en"], arguments].concat(), 2);
        assert!(
            printed.contains(expect) && printed.trim_end().lines().count() == 1,
            "{arguments:?}: {printed}"
        );
        assert!(!folder.0.join("x.png").exists(), "{arguments:?} writes nothing");
    };
    check(
        &["-o", "x.png", "--size", "100x20"],
        "the smallest picture is 160x24",
    );
    check(
        &["-o", "x.png", "--size", "8000x8000", "--scale", "2"],
        "the largest picture has 8192x8192 pixels",
    );
    check(
        &["-o", "x.png", "--scale", "NaN"],
        "the scale NaN is out of range",
    );
    check(&["-o", "x.png", "--ply", "999"], "--ply 999: the record has");
    check(&["-o", "none/x.png"], "cannot write none/x.png");
    check(
        &["-o", "x.png", "--ply", "116", "--engine", "/no/such/engine"],
        "/no/such/engine",
    );
    folder.write("game.kif", ANALYSED);
    check(
        &["-o", "game.kif"],
        "game.kif already exists and is not a PNG image",
    );
    assert_eq!(fs::read_to_string(folder.0.join("game.kif")).unwrap(), ANALYSED);
    check(
        &["-o", "x.jpg"],
        "x.jpg: the image is a PNG, so its name must end in .png",
    );
    let prose = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let printed = folder.stderr_of(&[prose, "-o", "x.png", "--lang", "en"], 2);
    assert!(printed.contains("cannot be read as a game record"), "{printed}");
    folder.stderr_of(&[EXAMPLE, "-o", "x.png", "--layout", "diagonal"], 2);
    folder.stderr_of(&[EXAMPLE, "-o", "x.png", "--size", "big"], 2);
    folder.stderr_of(&[EXAMPLE], 2);
}

#[test]
fn draws_a_picture_of_the_largest_size() {
    let folder = Folder::new("large");
    folder.stderr_of(
        &[
            EXAMPLE,
            "-o",
            "x.png",
            "--size",
            "8192x3000",
            "--theme",
            "contrast",
        ],
        0,
    );
    assert_eq!(folder.picture("x.png").width, 8192);
}
