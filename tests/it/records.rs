//! Records: the project's own small ones as a person reads them, and the corpus of real ones.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it counted"
)]

use crate::support::shared;
use proptest::prelude::*;
use shogibar::kifu::{self, Millis, Outcome, ReadError, Record, Warning};
use shogibar::shogi::Color;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension != "expected"));
    files.sort();
    files
}

/// What was read, one thing a line, as the `.expected` beside each fixture has it.
fn dump(read: &Result<(Record, Vec<Warning>), ReadError>) -> String {
    let (record, warnings) = match read {
        Ok(read) => read,
        Err(error) => return format!("error: {error}\n"),
    };
    let mut out = String::new();
    for (key, value) in record.headers() {
        writeln!(out, "header: {key} = {value}").unwrap();
    }
    if record.is_handicap() {
        writeln!(out, "handicap").unwrap();
    }
    writeln!(out, "position: {}", record.history(usize::MAX).usi()).unwrap();
    for (ply, node) in (1..).zip(record.nodes()).filter(|(_, node)| node.time != kifu::Time::default()) {
        let seconds =
            |millis: Option<Millis>| millis.map_or_else(|| "-".to_owned(), |millis| format!("{}ms", millis.0));
        writeln!(out, "time of {ply}: {} of {}", seconds(node.time.spent), seconds(node.time.total)).unwrap();
    }
    if let Some(end) = record.end() {
        let outcome = match end.outcome {
            Outcome::Win(Color::Black) => "black wins",
            Outcome::Win(Color::White) => "white wins",
            Outcome::Draw => "draw",
            Outcome::Open => "open",
        };
        writeln!(out, "end: {:?}, {outcome}: {}", end.reason, end.words).unwrap();
    }
    for warning in warnings {
        writeln!(out, "warning: {warning}").unwrap();
    }
    out
}

#[test]
fn small_records_are_read_as_a_person_reads_them() {
    let mut wrong = Vec::new();
    for path in fixtures() {
        let found = dump(&kifu::read(&fs::read(&path).unwrap()));
        let expected = path.with_added_extension("expected");
        if std::env::var_os("SHOGIBAR_BLESS").is_some() {
            fs::write(&expected, &found).unwrap();
        } else if found != fs::read_to_string(&expected).unwrap_or_default() {
            wrong.push(format!("{}\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "read otherwise than expected:\n{}", wrong.join("\n"));
}

/// Records that are read otherwise than the other readers agree, and why.
const OTHERWISE: &[(&str, &str)] = &[
    ("shogiops/embedded-bod/kif.test.ts-006.bod", "its hand stands on an indented line, which they pass over"),
    ("mog-core-scala/embedded-kif/KifGameIOSpec.scala-003.kifu", "they run on into its variations"),
];

/// The board, side and hands of an SFEN.
fn three_fields(sfen: &str) -> &str {
    sfen.rsplit_once(' ').map_or(sfen, |(fields, _)| fields)
}

#[test]
fn the_corpus_reads_as_its_readers_agree() {
    let Some(folder) = shared("corpus") else { return };
    let expected = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let (mut read, mut wrong) = (0, Vec::new());
    for line in expected.lines() {
        let expected: serde_json::Value = serde_json::from_str(line).unwrap();
        let path = expected["path"].as_str().unwrap();
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("kif" | "kifu" | "csa" | "bod")) {
            continue;
        }
        if OTHERWISE.iter().any(|(name, _)| path.ends_with(name)) {
            continue;
        }
        read += 1;
        if let Err(difference) = compare(&fs::read(folder.join(path)).unwrap(), &expected) {
            wrong.push(format!("{path}: {difference}"));
        }
    }
    println!("{} of {read} records of the corpus read as expected", read - wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn compare(bytes: &[u8], expected: &serde_json::Value) -> Result<(), String> {
    let (record, _) = kifu::read(bytes).map_err(|error| error.to_string())?;
    let differ = |what: &str, found: &str, expected: &str| {
        if found == expected { Ok(()) } else { Err(format!("{what}\n  found    {found}\n  expected {expected}")) }
    };
    differ("start", three_fields(&record.start().sfen()), expected["start"].as_str().unwrap_or_default())?;
    let moves: Vec<_> = record.nodes().iter().map(|node| node.mv.to_string()).collect();
    let expected_moves: Vec<_> =
        expected["moves"].as_array().into_iter().flatten().filter_map(|mv| mv.as_str()).collect();
    differ("moves", &moves.join(" "), &expected_moves.join(" "))?;
    match expected["final"].as_str() {
        Some(last) => differ("final", three_fields(&record.history(usize::MAX).now().sfen()), last),
        None => differ("end", &format!("{:?}", record.end().map(|end| end.reason)), "Some(IllegalMove)"),
    }
}

/// Every file of the corpus, agreed on or not, and of every format: read or refused, never a panic.
#[test]
fn the_rest_of_the_corpus_is_survived() {
    let Some(folder) = shared("corpus") else { return };
    let manifest = fs::read_to_string(folder.join("manifest.tsv")).unwrap();
    let verbose = std::env::var_os("SHOGIBAR_SHOW").is_some();
    for row in manifest.lines().skip(1) {
        let columns: Vec<_> = row.split('\t').collect();
        let (path, format, class) = (columns[0], columns[5], columns[10]);
        let read = kifu::read(&fs::read(folder.join(path)).unwrap());
        if verbose && matches!(format, "kif" | "csa" | "bod") {
            println!("== {path} [{class}]\n{}", dump(&read));
        }
    }
}

proptest! {
    /// Files that were damaged: bytes changed, lost, doubled, the rest cut off.
    #[test]
    fn damage_never_panics(seed in any::<prop::sample::Index>(), wounds in prop::collection::vec(wound(), 0..8)) {
        let files = fixtures();
        let mut bytes = fs::read(&files[seed.index(files.len())]).unwrap();
        for wound in wounds {
            inflict(&mut bytes, &wound);
        }
        let _read_or_refused = dump(&kifu::read(&bytes));
    }

    #[test]
    fn rubbish_never_panics(text in "(?s).{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _read_or_refused = dump(&kifu::read(text.as_bytes()));
        let _read_or_refused = dump(&kifu::read(&bytes));
    }
}

#[derive(Clone, Debug)]
enum Wound {
    Byte(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Lose(prop::sample::Index, usize),
    Insert(prop::sample::Index, &'static str),
}

/// What a reader looks out for, to be put where it is not looked for.
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
];

fn wound() -> impl Strategy<Value = Wound> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Wound::Byte(at, byte)),
        place().prop_map(Wound::Cut),
        (place(), 1..40_usize).prop_map(|(at, length)| Wound::Lose(at, length)),
        (place(), prop::sample::select(WORDS)).prop_map(|(at, words)| Wound::Insert(at, words)),
    ]
}

fn inflict(bytes: &mut Vec<u8>, wound: &Wound) {
    let end = bytes.len();
    match wound {
        _ if bytes.is_empty() => {}
        Wound::Byte(at, byte) => bytes[at.index(end)] = *byte,
        Wound::Cut(at) => bytes.truncate(at.index(end)),
        Wound::Lose(at, length) => drop(bytes.drain(at.index(end)..(at.index(end) + length).min(end))),
        Wound::Insert(at, words) => drop(bytes.splice(at.index(end)..at.index(end), words.bytes())),
    }
}

/// Files made to be expensive are read in time linear in their size.
#[test]
fn large_files_are_read_in_bounded_time() {
    let moves = |line: &str| format!("手合割：平手\n手数----\n{}", line.repeat(200_000));
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
    ] {
        let (record, warnings) = kifu::read(text.as_bytes()).unwrap();
        assert!(u16::try_from(record.len()).is_ok(), "{} moves", record.len());
        assert!(warnings.len() <= 210, "{} warnings", warnings.len());
    }
}

#[test]
fn a_file_over_the_limit_is_refused() {
    let error = kifu::read(&vec![b' '; kifu::MAX_BYTES + 1]).unwrap_err();
    assert_eq!(error, ReadError::TooLarge(kifu::MAX_BYTES + 1));
}
