//! Records: small fixtures with expected results, and the corpus of real ones.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test fails by panicking and prints counts"
)]

use crate::support::shared;
use proptest::prelude::*;
use shogibar_kifu::{Millis, Outcome, ReadError, ReadGames, Record, Step, Time};
use shogibar_shogi::Color;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension != "expected"));
    files.sort();
    files
}

/// Returns the result of a reader as text, one item a line, in the form of the `.expected` files.
fn dump(read: &Result<ReadGames, ReadError>) -> String {
    let reading = match read {
        Ok(reading) => reading,
        Err(error) => return format!("error: {error}\n"),
    };
    let mut out = format!("{} in {}\n", reading.format, reading.encoding);
    for (number, game) in (1..).zip(&reading.games) {
        if number > 1 {
            writeln!(out, "game {number}").unwrap();
        }
        dump_game(&mut out, game);
    }
    for warning in &reading.warnings {
        writeln!(out, "warning: {warning}").unwrap();
    }
    out
}

fn dump_game(out: &mut String, record: &Record) {
    for (key, value) in record.headers() {
        writeln!(out, "header: {key} = {value}").unwrap();
    }
    if record.is_handicap() {
        writeln!(out, "handicap").unwrap();
    }
    for id in record.all() {
        let node = record.node(id);
        let is_variation = record
            .parent(id)
            .is_some_and(|parent| record.first_child(parent) != Some(id));
        if is_variation {
            writeln!(out, "variation:").unwrap();
        }
        match node.step() {
            Step::Start => writeln!(out, "start: {}", record.start().sfen()).unwrap(),
            Step::Move(mv) => writeln!(out, "{} {mv}{}", node.ply(), time(node.time)).unwrap(),
            Step::End(end) => {
                let outcome = match end.outcome {
                    Outcome::Win(Color::Black) => "black wins",
                    Outcome::Win(Color::White) => "white wins",
                    Outcome::Draw => "draw",
                    Outcome::Open => "open",
                };
                let words = if end.words().is_empty() {
                    String::new()
                } else {
                    format!(": {}", end.words())
                };
                writeln!(out, "end: {:?}, {outcome}{words}{}", end.reason, time(node.time)).unwrap();
            }
        }
        for evaluation in record.walk().evaluations(id) {
            let pv: Vec<_> = evaluation.pv.iter().map(ToString::to_string).collect();
            writeln!(
                out,
                "    = {:?} {:?} depth {:?} pv {pv:?}",
                evaluation.dialect, evaluation.value, evaluation.depth
            )
            .unwrap();
        }
        let notes = node.notes();
        for (what, text) in [
            ("*", &notes.comment),
            ("#", &notes.remark),
            ("&", &notes.bookmark),
        ] {
            for line in text.iter().flat_map(|text| text.split('\n')) {
                writeln!(out, "    {what}{line}").unwrap();
            }
        }
    }
}

fn time(time: Time) -> String {
    let millis =
        |millis: Option<Millis>| millis.map_or_else(|| "-".to_owned(), |millis| format!("{}ms", millis.0));
    match time {
        Time {
            spent: None,
            total: None,
        } => String::new(),
        Time { spent, total: None } => format!(" {}", millis(spent)),
        Time { spent, total } => format!(" {} of {}", millis(spent), millis(total)),
    }
}

#[test]
fn reads_the_fixtures_as_expected() {
    let mut wrong = Vec::new();
    for path in fixtures() {
        let found = dump(&shogibar_kifu::read(&fs::read(&path).unwrap()));
        let expected = path.with_added_extension("expected");
        if std::env::var_os("SHOGIBAR_BLESS").is_some() {
            fs::write(&expected, &found).unwrap();
        } else if found != fs::read_to_string(&expected).unwrap_or_default() {
            wrong.push(format!("{}\n{found}", path.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "read otherwise than expected:\n{}",
        wrong.join("\n")
    );
}

/// Records that are read differently from the agreement of the other readers, with the reason.
const READ_DIFFERENTLY: &[(&str, &str)] = &[
    (
        "shogiops/embedded-bod/kif.test.ts-006.bod",
        "its hand stands on an indented line, which they pass over",
    ),
    (
        "mog-core-scala/embedded-kif/KifGameIOSpec.scala-003.kifu",
        "they run on into its variations",
    ),
    (
        "shogiops/embedded-bod/kif.test.ts-002.bod",
        "it is minishogi, and they take the usual position of shogi",
    ),
    (
        "shogiops/embedded-bod/kif.test.ts-004.bod",
        "it is minishogi, and they take the usual position of shogi",
    ),
    (
        "shogiops/embedded-bod/kif.test.ts-008.bod",
        "it is Chu shogi, and they take the usual position of shogi",
    ),
    (
        "shogiops/embedded-bod/kif.test.ts-009.bod",
        "it is Chu shogi, and they take the usual position of shogi",
    ),
];

/// Returns board, side and hands of an SFEN.
fn three_fields(sfen: &str) -> &str {
    sfen.rsplit_once(' ').map_or(sfen, |(fields, _)| fields)
}

#[test]
fn reads_the_corpus_as_other_readers_agree() {
    let Some(folder) = shared("corpus") else { return };
    let expected = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let (mut read, mut wrong) = (0, Vec::new());
    for line in expected.lines() {
        let expected: serde_json::Value = serde_json::from_str(line).unwrap();
        let path = expected["path"].as_str().unwrap();
        if READ_DIFFERENTLY.iter().any(|(name, _)| path.ends_with(name)) {
            continue;
        }
        read += 1;
        if let Err(difference) = compare(&fs::read(folder.join(path)).unwrap(), &expected) {
            wrong.push(format!("{path}: {difference}"));
        }
    }
    println!(
        "{} of {read} records of the corpus read as expected",
        read - wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn compare(bytes: &[u8], expected: &serde_json::Value) -> Result<(), String> {
    let reading = shogibar_kifu::read(bytes).map_err(|error| error.to_string())?;
    let record = &reading.games[0];
    let differ = |what: &str, found: &str, expected: &str| {
        if found == expected {
            Ok(())
        } else {
            Err(format!("{what}\n  found    {found}\n  expected {expected}"))
        }
    };
    differ(
        "start",
        three_fields(&record.start().sfen()),
        expected["start"].as_str().unwrap_or_default(),
    )?;
    let moves: Vec<_> = record.moves().map(|mv| mv.to_string()).collect();
    let expected_moves: Vec<_> = expected["moves"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|mv| mv.as_str())
        .collect();
    differ("moves", &moves.join(" "), &expected_moves.join(" "))?;
    let agreed = expected["tree_agree"].as_str().unwrap_or("disagree");
    if let Some(tree) = expected["tree_sha"].as_str().filter(|_| {
        // In such a line, the other readers play the illegal move, so their result is not comparable.
        !agreed.contains("vs") && agreed != "disagree" && expected.get("illegal_ply").is_none()
    }) {
        let (nodes, sha) = tree_sha(record);
        differ(
            "tree",
            &format!("{nodes} {sha}"),
            &format!("{} {tree}", expected["tree_nodes"]),
        )?;
    }
    match expected["final"].as_str() {
        Some(last) => differ(
            "final",
            three_fields(&record.history(usize::MAX).now().sfen()),
            last,
        ),
        None => differ(
            "end",
            &format!("{:?}", record.end().map(|end| end.reason)),
            "Some(IllegalMove)",
        ),
    }
}

/// Returns the number of moves of the tree, and the hash of their paths as in the corpus.
fn tree_sha(record: &Record) -> (usize, String) {
    let mut paths = std::collections::BTreeSet::new();
    let mut line: Vec<String> = Vec::new();
    for id in record.all() {
        let node = record.node(id);
        let Some(mv) = node.mv() else { continue };
        line.truncate(usize::from(node.ply()) - 1);
        line.push(mv.to_string());
        paths.insert(line.join(" "));
    }
    let joined = paths.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
    let sum = <sha2::Sha256 as sha2::Digest>::digest(joined.as_bytes());
    let first = sum
        .iter()
        .take(8)
        .fold(0_u64, |first, byte| first << 8 | u64::from(*byte));
    (paths.len(), format!("{first:016x}"))
}

#[path = "../../fuzz/fuzz_targets/record.rs"]
pub(crate) mod fuzzed;

/// Runs the checks of the fuzz targets on the fixtures and on what the targets have found.
#[test]
fn fixtures_pass_the_fuzz_checks() {
    let findings = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz")).unwrap();
    for path in findings.map(|entry| entry.unwrap().path()).chain(fixtures()) {
        let bytes = fs::read(&path).unwrap();
        for words in ["", "手数----\n", "V2.2\n", "{", "position ", "[Sente \"\"]\n"] {
            fuzzed::check(words, &bytes);
        }
    }
}

/// Every file of the corpus, of every format, is read or refused without a panic.
#[test]
fn no_file_of_the_corpus_panics() {
    let Some(folder) = shared("corpus") else { return };
    let manifest = fs::read_to_string(folder.join("manifest.tsv")).unwrap();
    let verbose = std::env::var_os("SHOGIBAR_SHOW").is_some();
    for row in manifest.lines().skip(1) {
        let columns: Vec<_> = row.split('\t').collect();
        let (path, format, class) = (columns[0], columns[5], columns[10]);
        let read = shogibar_kifu::read(&fs::read(folder.join(path)).unwrap());
        if verbose && format != "jkf" {
            println!("== {path} [{class}]\n{}", dump(&read));
        }
    }
}

proptest! {
    /// Damaged files: bytes changed, removed or inserted, or the rest cut off.
    #[test]
    fn damaged_files_never_panic(seed in any::<prop::sample::Index>(), damages in prop::collection::vec(damage(), 0..8)) {
        let files = fixtures();
        let mut bytes = fs::read(&files[seed.index(files.len())]).unwrap();
        for damage in damages {
            apply_damage(&mut bytes, &damage);
        }
        let _read_or_refused = dump(&shogibar_kifu::read(&bytes));
    }

    #[test]
    fn random_bytes_never_panic(text in "(?s).{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _read_or_refused = dump(&shogibar_kifu::read(text.as_bytes()));
        let _read_or_refused = dump(&shogibar_kifu::read(&bytes));
    }
}

/// The tokens of move lines, positions and streams, for random texts.
const ALPHABETS: [&str; 5] = [
    "position|startpos|sfen|moves| | |7g7f|3c3d|B*5e|8h2b+|resign|4k4/9/9/9/9/9/9/9/4K4| b| -| 1|\n|#|x|歩",
    "~|~0.|%7E|.|7ku|2jm|8rl|kbx|zzz|r|t|_|z|4k4_9_9_9_9_9_9_9_4K4.b.-|#|/|&|=|\n|歩",
    "4k4/9/9/9/9/9/9/9/4K4|[|]|[GGpp]|-| |b|w|0|1| bm | pv | id | ce | dm |G*5b|P-7f|;|\"|99999999999|\n|#|歩",
    "1.|2....|P7g-7f|P-3d|+B2b|B'5e|7g7f| |\n|(|)|{|}|\n{\n|\n}\n|$1|!|Resigns|Jishogi|1-0|*|--|Variation:2\n|Variation:9\n|~|;|#x\n|P3c-3d|Interrupt|入玉宣言により勝ち。|--Black Won--|[FEN \"4k4/9/9/9/9/9/9/9/4K4 1/T g\"]|[|]|1/1|\r|[Sente \"a\"]\n|[SFEN \"4k4/9|\"]|(0:01/0:02)|歩",
    "##[MONITOR2][a] |##[MONITOR2][b] |##[|< |> |BEGIN Game_Summary\n|Name+:x\n|To_Move:-\n|Total_Time:9\n|+7776FU|-3334FU|,T1|\n|\n|%TORYO|#RESIGN|#OUTE_SENNICHITE|PI\n|+\n|'* 5|REJECT:|/|歩",
];

proptest! {
    #[test]
    fn random_tokens_of_a_format_never_panic(
        alphabet in prop::sample::select(ALPHABETS.to_vec()),
        words in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
    ) {
        let alphabet: Vec<_> = alphabet.split('|').collect();
        let text: String = words.iter().map(|index| alphabet[index.index(alphabet.len())]).collect();
        let _read_or_refused = dump(&shogibar_kifu::read(text.as_bytes()));
    }
}

#[derive(Clone, Debug)]
enum Damage {
    Byte(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Lose(prop::sample::Index, usize),
    Insert(prop::sample::Index, &'static str),
}

/// Tokens that have a meaning for readers. They are inserted at random positions.
const WORDS: &[&str] = &[
    "手合割：",
    "変化：1手\n",
    "まで",
    "同　",
    "成",
    "(",
    "99",
    "\n",
    "v",
    "|",
    "+",
    "-",
    ",",
    "00AL",
    "P1",
    "T",
    "%",
    "　",
    "\r",
    "\0",
    "+--",
    "手数＝9 ",
    "投了",
    "/\n",
    "moves ",
    "7g7f ",
    "resign",
    "~0.",
    "6y2",
    "z",
    "{",
    "}",
    ")",
    "Variation:2\n",
    "1.P7g-7f ",
    "[SFEN \"",
    "; bm ",
    "##[MONITOR2][a] ",
    "BEGIN Game_Summary\n",
    "{",
    "}",
    "]",
    "\"",
    ",\"forks\":[[{",
    "\"special\":",
    "null",
    "\\u",
];

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        (index(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        index().prop_map(Damage::Cut),
        (index(), 1..40_usize).prop_map(|(at, length)| Damage::Lose(at, length)),
        (index(), prop::sample::select(WORDS)).prop_map(|(at, words)| Damage::Insert(at, words)),
    ]
}

fn apply_damage(bytes: &mut Vec<u8>, damage: &Damage) {
    let end = bytes.len();
    match damage {
        _ if bytes.is_empty() => {}
        Damage::Byte(at, byte) => bytes[at.index(end)] = *byte,
        Damage::Cut(at) => bytes.truncate(at.index(end)),
        Damage::Lose(at, length) => drop(bytes.drain(at.index(end)..(at.index(end) + length).min(end))),
        Damage::Insert(at, words) => drop(bytes.splice(at.index(end)..at.index(end), words.bytes())),
    }
}

/// The time for reading a file is linear in its size, even for files designed to be expensive.
#[test]
fn reads_large_files_in_linear_time() {
    let moves = |line: &str| format!("手合割：平手\n手数----\n{}", line.repeat(200_000));
    let psn = |words: &str| format!("[Sente \"a\"]\n1.P-7f {}", words.repeat(2_000_000 / words.len()));
    let shuffle = "1 ４八飛(28)\n2 ４二飛(82)\n3 ２八飛(48)\n4 ８二飛(42)\n";
    for text in [
        moves("   1 ７六歩(77)\n"),
        moves("*comment\n"),
        moves("変化：1手\n"),
        moves("?\n"),
        moves("((((((((((((((((((((((((((\n"),
        format!("手合割：平手\n手数----\n{}", shuffle.repeat(20_000)),
        format!("手合割：平手\n   1 {}", "成".repeat(2_000_000)),
        format!("V2.2\n{}", "P+00AL,".repeat(500_000)),
        format!("V2.2\nPI\n+\n{}", "/\nPI\n+\n".repeat(30_000)),
        (0..200_000).fold(String::new(), |text, id| {
            text + &format!("##[MONITOR2][{id}] +7776FU\n")
        }),
        format!("startpos moves {}", "4i5h 4a5b 5h4i 5b4a ".repeat(100_000)),
        "startpos\n".repeat(50_000),
        format!("~0.7ku.{}", "~0.6y2.~1.36e.".repeat(200_000)),
        format!("V2.2\n{}", "Max_Moves:1\n".repeat(200_000)),
        "4k4/9/9/9/9/9/9/9/4K4[-] w bm K5h;".to_owned() + &" id \"\";;".repeat(500_000),
        format!("4k4/9/9/9/9/9/9/9/4K4[-] w bm {}", "G*5b ".repeat(200_000)),
        psn("("),
        psn("(P-3d "),
        psn("P-7f ("),
        psn("P-7f (P-2f) "),
        psn(")"),
        psn("{"),
        psn("{}"),
        psn("[x \"]"),
        psn("\n{\n"),
        psn("Variation:1\n1.P2g-2f\n"),
        psn("\n\nVariation:2\n2.P3c-3d\nVariation:3\n3.P2g-2f\n"),
        psn("1.G4i-5h 2.G4a-5b 3.G5h-4i 4.G5b-4a "),
        format!("[Sente \"a\"]\n{}", "(1.P-7f (P-2f 1.P-8d ".repeat(10_000)),
        jkf(&format!(
            "{JKF_MOVE},\"forks\":[{}]}}",
            format!("[{JKF_MOVE}}}],").repeat(20_000)
        )),
        jkf(&"{\"forks\":[[".repeat(500_000)),
        jkf(&format!("{}{}", "[{\"a\":".repeat(500_000), "}]".repeat(500_000))),
        jkf(&"{\"time\":7},".repeat(200_000)),
        jkf(&"{\"special\":\"CHUDAN\"},".repeat(200_000)),
        format!("[{}]", "{\"header\":{},\"moves\":[]},".repeat(20_000)),
        format!(
            "[{}]",
            "{\"initial\":{\"preset\":\"x\"},\"moves\":[]},".repeat(100_000)
        ),
        format!(
            "[{}]",
            "{\"moves\":[{\"special\":\"TORYO\"},{\"move\":{}}]},".repeat(100_000)
        ),
    ] {
        let reading = shogibar_kifu::read(text.as_bytes()).unwrap();
        let record = &reading.games[0];
        assert!(u16::try_from(record.len()).is_ok(), "{} moves", record.len());
        assert!(
            reading.warnings.len() <= 210,
            "{} warnings",
            reading.warnings.len()
        );
    }
}

const JKF_MOVE: &str = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}"#;

fn jkf(moves: &str) -> String {
    format!("{{\"header\":{{}},\"initial\":{{\"preset\":\"HIRATE\"}},\"moves\":[{{}},{moves}]}}")
}

/// Variations nested 10,000 deep, with the keys of each entry in either order, complete and cut off.
#[test]
fn reads_deeply_nested_variations() {
    const CYCLE: [&str; 4] = ["2838", "8272", "3828", "7282"];
    const VARIATION: [&str; 2] = ["5958", "5152"];
    let entry = |mv: &str| {
        let at = |at: usize| format!("{{\"x\":{},\"y\":{}}}", &mv[at..=at], &mv[at + 1..at + 2]);
        format!("\"move\":{{\"from\":{},\"to\":{}}}", at(0), at(2))
    };
    for forks_first in [false, true] {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for ply in 0..10_000 {
            let (inside, variation) = (entry(CYCLE[ply % 4]), entry(VARIATION[ply % 2]));
            let (before, after) = if forks_first {
                (String::new(), format!(",{variation}"))
            } else {
                (format!("{variation},"), String::new())
            };
            write!(text, "{{{before}\"forks\":[[{{{inside}}},").unwrap();
            ends.push(format!("]]{after}}}"));
        }
        let whole = jkf(&format!(
            "{text}{{}}{}",
            ends.into_iter().rev().collect::<String>()
        ));
        let record = &shogibar_kifu::read(whole.as_bytes()).unwrap().games[0];
        assert_eq!((record.all().count(), record.len()), (20_001, 1));
        let again =
            shogibar_kifu::read(&shogibar_kifu::write(record, shogibar_kifu::Target::Jkf).bytes).unwrap();
        assert!(again.games[0] == *record);
        let broken = shogibar_kifu::read(jkf(&text).trim_end_matches("]}").as_bytes()).unwrap();
        assert_eq!(
            broken.games[0].all().count(),
            if forks_first { 10_001 } else { 20_001 }
        );
        assert_eq!(broken.warnings.len(), 1);
    }
}

#[test]
fn refuses_a_file_over_the_size_limit() {
    let error = shogibar_kifu::read(&vec![b' '; shogibar_kifu::MAX_BYTES + 1]).unwrap_err();
    assert_eq!(error, ReadError::TooLarge(shogibar_kifu::MAX_BYTES + 1));
}
