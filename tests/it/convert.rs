//! `shogibar convert` from a shell.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder for one test. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("convert-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        String::from_utf8(bytes).unwrap()
    }

    /// Returns the relative paths of all files below, sorted.
    fn files(&self) -> Vec<String> {
        let mut folders = vec![self.0.clone()];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push(
                        path.strip_prefix(&self.0)
                            .unwrap()
                            .display()
                            .to_string()
                            .replace('\\', "/"),
                    );
                }
            }
        }
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

fn convert(folder: &Folder, arguments: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .arg("convert")
        .args(arguments)
        .current_dir(&folder.0)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _gone_already = child.stdin.take().unwrap().write_all(input);
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let error = String::from_utf8(stderr).unwrap();
    assert!(!error.contains("panicked"), "{error}");
    (status.code().unwrap(), stdout, error)
}

/// Runs in a folder, checks exit code and output, and returns standard error.
fn check(folder: &Folder, arguments: &[&str], input: &str, code: i32, output: &str) -> String {
    let (found, out, error) = convert(folder, arguments, input.as_bytes());
    assert_eq!(
        (found, String::from_utf8_lossy(&out).as_ref()),
        (code, output),
        "{arguments:?}: {error}"
    );
    error
}

const GAME: &str = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n";

#[test]
fn converts_standard_input_to_standard_output() {
    let folder = Folder::new("stdio");
    let usi = "position startpos moves 7g7f 3c3d\n";
    assert_eq!(check(&folder, &["-", "--to", "usi"], GAME, 0, usi), "");
    check(
        &folder,
        &["-", "--to", "csa"],
        GAME,
        0,
        "V2.2\nPI\n+\n+7776FU\n-3334FU\n",
    );
    check(
        &folder,
        &["-", "--to", "ki2u"],
        "7g7f 3c3d\n",
        0,
        "手合割：平手\n▲７六歩 △３四歩\n",
    );
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n";
    check(&folder, &["-", "--to", "sfen"], GAME, 0, sfen);
    // Shift_JIS input gives the same result.
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(GAME);
    let (code, out, error) = convert(&folder, &["-", "--to", "usi"], &bytes);
    assert_eq!((code, out.as_slice(), error.as_str()), (0, usi.as_bytes(), ""));
}

#[test]
fn warns_about_losses() {
    let folder = Folder::new("losses");
    let commented = GAME.replace("   2", "*comment\n   2") + "\n変化：2手\n   2 ８四歩(83)\n";
    let error = check(
        &folder,
        &["-", "--to", "usi"],
        &commented,
        1,
        "position startpos moves 7g7f 3c3d\n",
    );
    assert!(
        error.contains("-:1:1: ") && error.contains("comments: 1") && error.contains("variations: 1"),
        "{error}"
    );
    let odd = format!("{GAME}何か変な行\n");
    let error = check(
        &folder,
        &["-", "--to", "usi"],
        &odd,
        1,
        "position startpos moves 7g7f 3c3d\n",
    );
    assert!(error.contains("-:5:1: "), "{error}");
    let illegal = GAME.replace("３四歩(33)", "３四歩(34)");
    let error = check(
        &folder,
        &["-", "--to", "kifu"],
        &illegal,
        0,
        &("#KIF version=2.0 encoding=UTF-8\n".to_owned() + &illegal),
    );
    assert!(error.contains("-:4:6: "), "{error}");
}

#[test]
fn shift_jis_replaces_characters_with_a_warning() {
    let folder = Folder::new("shift_jis");
    let named = GAME.replace("手合割：平手", "手合割：平手\n先手：☗山﨑\n後手：山崎");
    let (code, out, error) = convert(&folder, &["-", "--to", "kif"], named.as_bytes());
    let text = encoding_rs::SHIFT_JIS.decode(&out).0.into_owned();
    assert!(text.contains("先手：▲山崎\n後手：山崎\n"), "{text}");
    assert_eq!(code, 1);
    assert!(error.contains('☗') && error.contains('﨑'), "{error}");
    let (code, out, error) = convert(&folder, &["-", "--to", "kif", "--strict"], named.as_bytes());
    assert_eq!((code, out), (2, Vec::new()), "{error}");
    assert!(error.contains("--to kifu"), "{error}");
    let (code, _, error) = convert(&folder, &["-", "--to", "kifu", "--strict"], named.as_bytes());
    assert_eq!((code, error.as_str()), (0, ""));
    // Characters that a file in that encoding contained are written back in that encoding.
    let own = format!(
        "#KIF version=2.0 encoding=Shift_JIS\n{}",
        GAME.replace("手合割：平手", "手合割：平手\n先手：髙﨑①")
    );
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(&own);
    for arguments in [&["-", "--to", "kif"][..], &["-", "--to", "kif", "--strict"]] {
        let (code, out, error) = convert(&folder, arguments, &bytes);
        assert_eq!((code, out.as_slice(), error.as_str()), (0, &*bytes, ""));
    }
    let (code, _, error) = convert(&folder, &["-", "--to", "kif", "--strict"], own.as_bytes());
    assert_eq!(code, 2, "{error}");
}

#[test]
fn converts_several_games_of_a_file() {
    let folder = Folder::new("games");
    let games = "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nV2.2\nPI\n+\n+2726FU\n";
    folder.write("two.csa", games);
    let error = check(
        &folder,
        &["two.csa", "--to", "usi"],
        "",
        1,
        "position startpos moves 7g7f\nposition startpos moves 2g2f\n",
    );
    assert!(error.contains("how a line ended: 1"), "{error}");
    let (code, _, error) = convert(&folder, &["two.csa", "--to", "csa"], b"");
    assert_eq!(code, 1);
    assert!(error.contains("further games, not written: 1"), "{error}");
    check(&folder, &["two.csa", "-o", "out.kifu"], "", 0, "");
    assert_eq!(folder.files(), ["out-2.kifu", "out.kifu", "two.csa"]);
    assert!(folder.read("out-2.kifu").contains("２六歩(27)"));
}

#[test]
fn converts_whole_folders() {
    let folder = Folder::new("folders");
    folder.write("in/a.kifu", GAME);
    folder.write("in/a.csa", "V2.2\nPI\n+\n+2726FU\n");
    folder.write("in/deep/er/b.ki2u", "▲７六歩 △３四歩\n");
    folder.write("in/README.md", "A text about shogi.\n");
    folder.write("in/broken.kif", "no record\n");
    let (code, out, error) = convert(&folder, &["in", "--to", "usi", "-o", "out"], b"");
    assert_eq!((code, out), (1, Vec::new()), "{error}");
    assert!(error.contains("broken.kif"), "{error}");
    let made: Vec<_> = folder
        .files()
        .into_iter()
        .filter(|name| name.starts_with("out"))
        .collect();
    assert_eq!(made, ["out/a.kifu.usi", "out/a.usi", "out/deep/er/b.usi"]);
    // An existing file with the same content is left alone. One with different content is kept.
    let beside = ["in/deep", "--to", "csa", "--beside"];
    let (code, _, error) = convert(&folder, &beside, b"");
    assert_eq!(code, 0, "{error}");
    assert_eq!(folder.read("in/deep/er/b.csa"), "V2.2\nPI\n+\n+7776FU\n-3334FU\n");
    let before = folder.files();
    let (code, _, error) = convert(&folder, &beside, b"");
    assert_eq!((code, folder.files()), (0, before), "{error}");
    assert!(
        error.contains("records converted: 1, already in this format: 1"),
        "{error}"
    );
    folder.write("in/deep/er/b.csa", "V2.2\nPI\n+\n+9796FU\n");
    let (code, _, error) = convert(&folder, &beside, b"");
    assert_eq!(code, 0, "{error}");
    assert!(folder.read("in/deep/er/b.csa").contains("+9796FU"));
    assert!(folder.read("in/deep/er/b.ki2u.csa").contains("+7776FU"));
}

#[test]
fn a_folder_is_not_rewritten_by_accident() {
    let folder = Folder::new("accident");
    let sjis = |text: &str| encoding_rs::SHIFT_JIS.encode(text).0.into_owned();
    folder.write("in/a.kif", sjis(GAME));
    folder.write("in/b.csa", "'CSA encoding=UTF-8\nV3.0\nPI\n+\n+2726FU\nT1.5\n");
    folder.write("in/c.csa", "V2.2\nPI\n+\n+7776FU\n'* mine\n");
    folder.write("in/d.kifu", GAME);
    let before = || {
        folder
            .files()
            .into_iter()
            .map(|name| (fs::read(folder.0.join(&name)).unwrap(), name))
            .collect::<Vec<_>>()
    };
    let known = before();
    // The place for the output has to be stated.
    let (code, _, error) = convert(&folder, &["in", "--to", "csa"], b"");
    assert_eq!((code, before() == known), (2, true), "{error}");
    assert!(error.contains("--beside") && error.contains("-o"), "{error}");
    // One version of a format does not replace another. A file in another encoding is not replaced either.
    let (code, _, error) = convert(&folder, &["in", "--to", "csa", "--beside"], b"");
    assert_eq!(code, 1, "{error}");
    assert!(
        error.starts_with("files to be written beside the records: at most 3\n"),
        "{error}"
    );
    assert!(
        error.contains("records converted: 2, already in this format: 1, files not converted: 1"),
        "{error}"
    );
    assert!(
        folder.read("in/b.csa").contains("V3.0") && error.contains("--force"),
        "{error}"
    );
    assert!(known.iter().all(|known| before().contains(known)));
    // With `--force`, a conversion without losses replaces its input.
    let (code, _, error) = convert(&folder, &["in", "--to", "csa", "--beside", "--force"], b"");
    assert_eq!(code, 1, "{error}");
    assert!(
        folder.read("in/b.csa").contains("V3.0"),
        "half a second would be lost: {error}"
    );
    let (code, _, error) = convert(&folder, &["in", "--to", "kifu", "-o", "out"], b"");
    assert_eq!(code, 1, "half a second is lost: {error}");
    let out: Vec<_> = folder
        .files()
        .into_iter()
        .filter(|name| name.starts_with("out"))
        .collect();
    // The records that were converted to CSA before are the same games.
    assert_eq!(
        out,
        ["out/a.kifu", "out/b.kifu", "out/c.kifu", "out/d.kifu"],
        "{error}"
    );
    folder.write("out/c.kifu", GAME);
    let (code, _, error) = convert(&folder, &["in", "--to", "kifu", "-o", "out"], b"");
    assert_eq!((code, folder.read("out/c.kifu").as_str()), (1, GAME), "{error}");
    let (_, _, error) = convert(&folder, &["in", "--to", "kifu", "-o", "out", "--force"], b"");
    assert!(folder.read("out/c.kifu").contains("* mine"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_below_a_folder_are_not_followed() {
    let folder = Folder::new("links");
    folder.write("elsewhere/a.kifu", GAME);
    folder.write("in/b.kifu", GAME);
    std::os::unix::fs::symlink(folder.0.join("elsewhere/a.kifu"), folder.0.join("in/a.kifu")).unwrap();
    std::os::unix::fs::symlink(folder.0.join("elsewhere"), folder.0.join("in/all")).unwrap();
    let (code, _, error) = convert(&folder, &["in", "--to", "usi", "--beside"], b"");
    assert_eq!((code, error.matches("in/a").count()), (0, 2), "{error}");
    let made: Vec<_> = folder
        .files()
        .into_iter()
        .filter(|name| {
            Path::new(name)
                .extension()
                .is_some_and(|extension| extension == "usi")
        })
        .collect();
    assert_eq!(made, ["in/b.usi"]);
    // Links in the output folder are not followed either, and a pipe there is not read.
    folder.write("other/mine.usi", "position startpos moves 2g2f\n");
    fs::create_dir_all(folder.0.join("out")).unwrap();
    std::os::unix::fs::symlink("../other/mine.usi", folder.0.join("out/b.usi")).unwrap();
    folder.write("in/sub/c.kifu", GAME);
    std::os::unix::fs::symlink("../other", folder.0.join("out/sub")).unwrap();
    folder.write("in/d.kifu", GAME);
    assert!(
        Command::new("mkfifo")
            .arg(folder.0.join("out/d.usi"))
            .status()
            .unwrap()
            .success()
    );
    let (code, _, error) = convert(&folder, &["in", "--to", "usi", "-o", "out", "--force"], b"");
    assert_eq!(
        (code, error.matches("nothing is written there").count()),
        (1, 3),
        "{error}"
    );
    assert_eq!(
        (
            folder.read("other/mine.usi").as_str(),
            folder.0.join("other/c.usi").exists()
        ),
        ("position startpos moves 2g2f\n", false)
    );
}

#[test]
fn overwrites_no_file_of_the_user() {
    let folder = Folder::new("overwrite");
    folder.write("diary.txt", "Dear diary\n");
    let input = folder.write("game.kifu", GAME.replace("   2", "*comment\n   2"));
    let input = input.display().to_string();
    let (code, _, error) = convert(&folder, &[&input, "--to", "kifu", "-o", "diary.txt"], b"");
    assert_eq!(code, 2, "{error}");
    assert_eq!(folder.read("diary.txt"), "Dear diary\n");
    let (code, _, error) = convert(&folder, &[&input, "--to", "usi", "-o", "game.kifu"], b"");
    assert_eq!(code, 2, "{error}");
    assert!(folder.read("game.kifu").contains("*comment"));
    for _ in 0..2 {
        let (code, _, error) = convert(&folder, &[&input, "-o", "game.kifu"], b"");
        assert_eq!(code, 0, "{error}");
        assert!(folder.read("game.kifu").contains("*comment"));
    }
    folder.write("other.kifu", GAME);
    let (code, _, error) = convert(&folder, &[&input, "-o", "other.kifu"], b"");
    assert_eq!((code, folder.read("other.kifu").as_str()), (2, GAME), "{error}");
    assert!(error.contains("--force"), "{error}");
    let (code, _, error) = convert(&folder, &[&input, "-o", "other.kifu", "--force"], b"");
    assert_eq!(code, 0, "{error}");
    assert!(folder.read("other.kifu").contains("*comment"));
    let (code, ..) = convert(
        &folder,
        &[&input, "-o", "diary.txt", "--to", "kifu", "--force"],
        b"",
    );
    assert_eq!(
        (code, folder.read("diary.txt").as_str()),
        (2, "Dear diary\n"),
        "no record is never replaced"
    );
    folder.write("empty.kifu", "");
    assert_eq!(convert(&folder, &[&input, "-o", "empty.kifu"], b"").0, 0);
}

#[test]
fn a_file_that_takes_its_own_place_keeps_its_encoding_and_version() {
    let folder = Folder::new("own-place");
    let check = |name: &str, bytes: &[u8]| {
        let path = folder.write(name, bytes);
        let (code, _, error) = convert(&folder, &[name, "-o", name], b"");
        assert_eq!((code, fs::read(path).unwrap().as_slice()), (0, bytes), "{error}");
    };
    check("a.csa", b"'CSA encoding=UTF-8\nV3.0\nPI\n+\n+2726FU\nT1.500\n");
    check(
        "b.csa",
        &encoding_rs::SHIFT_JIS.encode("V2.2\nN+羽生\nPI\n+\n+2726FU\n").0,
    );
    check(
        "c.kif",
        format!("#KIF version=2.0 encoding=UTF-8\n{GAME}").as_bytes(),
    );
    // The input is replaced only if the user names the file itself as the output.
    let path = folder.write("d.csa", "V2.2\nPI\n+\n+2726FU\n");
    for words in [
        ["d.csa", "--to", "csa3", "--beside", ""],
        ["d.csa", "--to", "csa3", "-o", "."],
    ] {
        let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let (code, _, error) = convert(&folder, &words, b"");
        assert_eq!(
            (code, fs::read(&path).unwrap().as_slice()),
            (2, &b"V2.2\nPI\n+\n+2726FU\n"[..]),
            "{error}"
        );
    }
}

#[test]
fn refuses_input_that_is_not_a_record() {
    let folder = Folder::new("none");
    for input in ["", "\0\0\0\0", "hello\n", "\u{feff}", "\r\r\r"] {
        let (code, out, error) = convert(&folder, &["-", "--to", "jkf"], input.as_bytes());
        assert_eq!((code, out), (2, Vec::new()), "{input:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let (code, _, error) = convert(&folder, &["none.kif", "--to", "jkf"], b"");
    assert_eq!((code, error.lines().count()), (2, 1), "{error}");
    let (code, _, error) = convert(&folder, &["-"], b"");
    assert_eq!(code, 2, "{error}");
    let (code, _, _) = convert(&folder, &["-", "--to", "doc"], b"");
    assert_eq!(code, 2);
}

#[test]
fn reads_ki2_moves_with_times() {
    let folder = Folder::new("times");
    let text = "手合割：平手\n▲７六歩(0:01) △３四歩(0:02)\n";
    assert_eq!(
        check(
            &folder,
            &["-", "--to", "usi"],
            text,
            1,
            "position startpos moves 7g7f 3c3d\n"
        )
        .lines()
        .count(),
        1
    );
    let (code, out, error) = convert(&folder, &["-", "--to", "kifu"], text.as_bytes());
    let out = String::from_utf8(out).unwrap();
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(
        out.contains("   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:02/00:00:02)\n"),
        "{out}"
    );
    let colon = "▲７六歩 △３四歩 : text\n";
    let error = check(
        &folder,
        &["-", "--to", "usi"],
        colon,
        1,
        "position startpos moves 7g7f 3c3d\n",
    );
    assert!(error.starts_with("-:1:11: "), "{error}");
}

#[test]
fn keeps_half_width_katakana_in_shift_jis() {
    let folder = Folder::new("kana");
    let comment = format!("*{}\n", "ｶﾅ".repeat(200));
    for (name, own) in [("a.kif", "kifu"), ("a.ki2", "ki2u")] {
        folder.write("in.kifu", format!("{GAME}{comment}"));
        let (code, _, error) = convert(&folder, &["in.kifu", "-o", name], b"");
        assert_eq!((code, error.as_str()), (0, ""));
        let (code, out, error) = convert(&folder, &[name, "--to", own], b"");
        let out = String::from_utf8(out).unwrap();
        assert_eq!((code, error.as_str()), (0, ""), "{name}");
        assert!(out.contains(&comment), "{name}: {out}");
    }
}

#[test]
fn headers_alone_are_a_record_with_a_record_s_extension() {
    let folder = Folder::new("headers");
    for name in ["a.kif", "a.kifu", "a.ki2", "a.KIF"] {
        folder.write(name, "対局者：A\n場所メモ：b\n");
        check(&folder, &[name, "--to", "usi"], "", 1, "position startpos\n");
        let (code, _, error) = convert(&folder, &[name, "-o", "out.kifu"], b"");
        assert_eq!((code, error.as_str()), (0, ""), "{name}");
        assert!(folder.read("out.kifu").contains("対局者：A\n場所メモ：b\n"));
    }
    folder.write("a.txt", "対局者：A\n");
    assert_eq!(convert(&folder, &["a.txt", "--to", "usi"], b"").0, 2);
    folder.write("b.kif", "対局者：A\nDear diary\n");
    assert_eq!(convert(&folder, &["b.kif", "--to", "usi"], b"").0, 2);
}

/// Output that is too large to be read again replaces no file. The text grows, because UTF-8 takes three bytes where
/// `Shift_JIS` takes two.
#[test]
fn does_not_write_output_too_large_to_read() {
    let folder = Folder::new("large");
    let mut large = encoding_rs::SHIFT_JIS.encode(GAME).0.into_owned();
    let (line, ..) = encoding_rs::SHIFT_JIS.encode("*良い形でした良い形でした良い形でした良い形でした\n");
    large.extend(line.repeat((45 << 20) / line.len()));
    folder.write("large.kif", large);
    for name in ["game.kifu", "new.kifu"] {
        folder.write("game.kifu", GAME);
        let (code, out, error) = convert(&folder, &["large.kif", "-o", name], b"");
        assert_eq!(
            (code, out.as_slice(), error.lines().count()),
            (2, [].as_slice(), 1),
            "{error}"
        );
        assert!(error.contains(name) && error.contains("64 MB"), "{error}");
        assert_eq!(folder.read("game.kifu"), GAME);
    }
    assert_eq!(folder.files(), ["game.kifu", "large.kif"]);
}

/// Each game is written as soon as it is read. So 40,000 games of 20 KB are never in memory together.
#[cfg(unix)]
#[test]
fn many_games_take_little_memory() {
    let folder = Folder::new("many");
    folder.write("many.usi", "startpos moves 7g7f\n".repeat(40_000));
    let run = format!(
        "ulimit -v 409600 && exec '{}' convert many.usi --to usi",
        env!("CARGO_BIN_EXE_shogibar")
    );
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new("sh")
        .args(["-c", &run])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    assert_eq!(
        String::from_utf8(stdout).unwrap(),
        "position startpos moves 7g7f\n".repeat(40_000)
    );
}

#[test]
fn writes_a_file_for_each_game() {
    let folder = Folder::new("files");
    let games = "# remark\nstartpos moves 7g7f\n\nstartpos moves 2g2f\nstartpos moves 5g5f\n# last\n";
    let input = folder.write("games.usi", games).display().to_string();
    folder.write("out-3.csa", "V2.2\nPI\n+\n+9796FU\n");
    let (code, _, error) = convert(&folder, &[&input, "-o", "out.csa"], b"");
    assert_eq!((code, error.lines().count()), (2, 1), "{error}");
    assert_eq!(
        folder.files(),
        ["games.usi", "out-3.csa"],
        "nothing is written before all is known"
    );
    folder.write("out-3.csa", "V2.2\nPI\n+\n+5756FU\n' last\n");
    let (code, _, error) = convert(&folder, &[&input, "-o", "out.csa"], b"");
    assert_eq!((code, error.as_str()), (0, ""));
    assert_eq!(folder.read("out.csa"), "V2.2\nPI\n+\n' remark\n+7776FU\n");
    assert_eq!(folder.read("out-2.csa"), "V2.2\nPI\n+\n+2726FU\n");
}
