//! The libraries of other programs read the records that the program writes, with the same result.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it reads files and prints counts"
)]

mod author;

use crate::support::{node_with_peers, shared};
use author::{Author, Shape};
use shogibar_kifu::{Record, Target};
use shogibar_shogi::Position;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The number of records written in each format.
const RECORDS: usize = 500;
/// The maximum number of real records among the samples; the others are generated.
const REAL: usize = 300;

pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) record: Record,
}

pub(crate) static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let mut samples = real();
    let made_up = (0_u32..).map(|seed| {
        let shape = Shape {
            moves: 1 + seed as usize % 100,
            fork_in: 25,
            variation: 20,
            depth: 3,
        };
        Sample {
            name: format!("made-{seed}"),
            record: Author::new(seed.into()).record(shape),
        }
    });
    let count = RECORDS - samples.len();
    samples.extend(made_up.filter(|sample| !sample.record.is_empty()).take(count));
    samples
});

/// Returns records of the corpus that are read without warnings.
fn real() -> Vec<Sample> {
    let Some(folder) = shared("corpus") else {
        return Vec::new();
    };
    let manifest = fs::read_to_string(folder.join("manifest.tsv")).unwrap();
    let paths = manifest
        .lines()
        .skip(1)
        .map(|row| row.split('\t').next().unwrap());
    let sample = |path: &str| {
        let reading = shogibar_kifu::read(&fs::read(folder.join(path)).unwrap()).ok()?;
        let is_sure = reading.warnings.is_empty();
        let record = reading
            .games
            .into_iter()
            .next()
            .filter(|record| is_sure && !record.is_empty())?;
        let name = path.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        Some(Sample { name, record })
    };
    let all: Vec<_> = paths.filter_map(sample).collect();
    // Spread over the manifest, which is ordered by project.
    let step = all.len().div_ceil(REAL).max(1);
    all.into_iter().step_by(step).collect()
}

/// The result of a reader. For a format that holds a single position, there are no moves.
#[derive(Debug, PartialEq, Eq)]
struct Read {
    start: String,
    moves: Vec<String>,
}

/// Returns the correct result for the file of a record.
fn expected(record: &Record, target: Target) -> Read {
    if matches!(target, Target::Bod | Target::Sfen) {
        return Read {
            start: three_fields(&last_sfen(record)),
            moves: Vec::new(),
        };
    }
    Read {
        start: three_fields(&record.start().sfen()),
        moves: record.moves().map(|mv| mv.to_string()).collect(),
    }
}

fn last_sfen(record: &Record) -> String {
    record.history(usize::MAX).now().sfen()
}

/// Returns board, side and hands in our normal form. Not every format has the move number.
fn three_fields(sfen: &str) -> String {
    let sfen = Position::from_sfen(sfen).map_or_else(|_| sfen.to_owned(), |position| position.sfen());
    sfen.rsplit_once(' ')
        .map_or_else(|| sfen.clone(), |(fields, _)| fields.to_owned())
}

/// Reads with rsshogi. Returns `None` for a format without a reader.
fn by_rsshogi(bytes: &[u8], target: Target) -> Option<Result<Read, String>> {
    use rsshogi::records;
    let text = || String::from_utf8_lossy(bytes).trim().to_owned();
    let text_of = |error: &dyn std::fmt::Display| error.to_string();
    let record = match target {
        Target::Kif | Target::Kifu | Target::Bod => {
            records::parse_kif_bytes(bytes).map_err(|error| text_of(&error))
        }
        Target::Ki2 | Target::Ki2u => records::parse_ki2_bytes(bytes).map_err(|error| text_of(&error)),
        Target::Csa | Target::CsaSjis | Target::Csa3 => {
            records::parse_csa_bytes(bytes).map_err(|error| text_of(&error))
        }
        Target::Jkf => records::parse_jkf_bytes(bytes).map_err(|error| text_of(&error)),
        Target::Usi => records::parse_usi_position(&text()).map_err(|error| text_of(&error)),
        Target::Sfen => {
            records::parse_usi_position(&format!("position sfen {}", text())).map_err(|error| text_of(&error))
        }
        Target::Psn => return None,
    };
    Some(record.map(|record| Read {
        start: three_fields(record.init_position_sfen()),
        moves: record.main_moves().map(|entry| entry.mv().to_usi()).collect(),
    }))
}

/// A known defect of rsshogi 1.7.3: lines because of which it refuses a file, and their replacements. The rest of the
/// file still has to be read correctly.
struct Defect {
    name: &'static str,
    targets: &'static [Target],
    mend: fn(Cow<'_, str>) -> Option<Cow<'_, str>>,
}

const KIF_AND_KI2: &[Target] = &[Target::Kif, Target::Kifu, Target::Ki2, Target::Ki2u];
const ALL_KAKINOKI: &[Target] = &[Target::Kif, Target::Kifu, Target::Ki2, Target::Ki2u, Target::Bod];

const DEFECTS: &[Defect] = &[
    Defect {
        name: "bookmarks",
        targets: KIF_AND_KI2,
        mend: |line| (!line.starts_with('&')).then_some(line),
    },
    Defect {
        name: "remarks",
        targets: KIF_AND_KI2,
        mend: |line| (!line.starts_with('#') || line.starts_with("#KIF")).then_some(line),
    },
    Defect {
        name: "手数 as a header",
        targets: ALL_KAKINOKI,
        mend: |line| (!line.starts_with("手数：") && !line.starts_with("手数＝")).then_some(line),
    },
    Defect {
        name: "turn in a handicap",
        targets: ALL_KAKINOKI,
        mend: |line| {
            Some(if line == "上手番" {
                "後手番".into()
            } else {
                line
            })
        },
    },
];

/// Returns a file without the lines that rsshogi cannot read, and the names of the defects found.
fn without_defects(bytes: &[u8], target: Target) -> (Vec<u8>, Vec<&'static str>) {
    let encoding = if target == target.in_utf8() {
        encoding_rs::UTF_8
    } else {
        encoding_rs::SHIFT_JIS
    };
    let mut text = encoding.decode(bytes).0.into_owned();
    let mut names = Vec::new();
    for defect in DEFECTS.iter().filter(|defect| defect.targets.contains(&target)) {
        let lines = text.lines().filter_map(|line| (defect.mend)(line.into()));
        let remaining: String = lines.flat_map(|line| [line, "\n".into()]).collect();
        if remaining != text {
            names.push(defect.name);
            text = remaining;
        }
    }
    (encoding.encode(&text).0.into_owned(), names)
}

#[test]
fn rsshogi_reads_written_records() {
    let mut differences = Vec::new();
    for target in Target::ALL {
        let (mut alike, mut mended_files) = (0, BTreeMap::<_, usize>::new());
        for Sample { name, record } in SAMPLES.iter() {
            let (bytes, defects) = without_defects(&shogibar_kifu::write(record, target).bytes, target);
            let Some(read) = by_rsshogi(&bytes, target) else {
                continue;
            };
            for name in defects {
                *mended_files.entry(name).or_default() += 1;
            }
            if read.as_ref() == Ok(&expected(record, target)) {
                alike += 1;
            } else {
                differences.push(format!(
                    "{name} {}: {}",
                    target.name(),
                    difference(read, record, target)
                ));
            }
        }
        println!(
            "{:4} rsshogi {alike} of {} alike, mended {mended_files:?}",
            target.name(),
            SAMPLES.len()
        );
    }
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
}

fn difference(read: Result<Read, String>, record: &Record, target: Target) -> String {
    let expected = expected(record, target);
    match read {
        Err(error) => format!("refused: {error}"),
        Ok(read) if read.start != expected.start => {
            format!("start\n  expected {}\n  read     {}", expected.start, read.start)
        }
        Ok(read) => {
            let same = read
                .moves
                .iter()
                .zip(&expected.moves)
                .take_while(|(ours, theirs)| ours == theirs)
                .count();
            let around = |moves: &[String]| {
                moves
                    .iter()
                    .skip(same)
                    .take(4)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let (ours, theirs) = (around(&expected.moves), around(&read.moves));
            format!("moves from {}\n  expected {ours}\n  read     {theirs}", same + 1)
        }
    }
}

#[test]
fn npm_libraries_read_written_records() {
    let Some(node) = node_with_peers() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let _not_there_yet = fs::remove_dir_all(&folder);
    write_all(&folder);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/read.mjs");
    let output = Command::new(node).arg(script).arg(&folder).output().unwrap();
    println!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success(),
        "read otherwise than written; the files are in {}",
        folder.display()
    );
}

/// Writes every sample in every format, with its expected contents, for `tests/peers/read.mjs`.
fn write_all(folder: &Path) {
    let folder_of = |target: Target| -> PathBuf { folder.join(target.name()) };
    for target in Target::ALL {
        fs::create_dir_all(folder_of(target)).unwrap();
    }
    let mut lines = String::new();
    for Sample { name, record } in SAMPLES.iter() {
        for target in Target::ALL {
            let path = folder_of(target).join(format!("{name}.{}", target.extension()));
            fs::write(path, shogibar_kifu::write(record, target).bytes).unwrap();
        }
        let expected = serde_json::json!({
            "name": name,
            "start": record.start().sfen(),
            "moves": record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(),
            "final": last_sfen(record),
            "tree": paths(record),
        });
        lines += &expected.to_string();
        lines.push('\n');
    }
    fs::write(folder.join("expected.jsonl"), lines).unwrap();
}

/// Returns, for each move of the tree, the moves from the start up to it.
fn paths(record: &Record) -> Vec<String> {
    let mut line: Vec<String> = Vec::new();
    let mut paths = Vec::new();
    for node in record.all().map(|id| record.node(id)) {
        let Some(mv) = node.mv() else { continue };
        line.truncate(usize::from(node.ply()) - 1);
        line.push(mv.to_string());
        paths.push(line.join(" "));
    }
    paths
}
