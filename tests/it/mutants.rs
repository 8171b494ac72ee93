//! Damaged records of the corpus, converted to another format and back: no move is lost without a warning.
//!
//! `SHOGIBAR_MUTANTS=20000 cargo test --test it mutants` sets the number of records. `SHOGIBAR_MUTANTS_SEED` selects
//! others.

#![expect(clippy::print_stdout, reason = "it prints counts")]

use crate::support::{Random, shared};
use encoding_rs::{EUC_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use shogibar_kifu::{Encoding, Format, Loss, ReadGames, Record, Target};
use std::fs;
use std::path::{Path, PathBuf};

/// The default number of damaged records.
const DEFAULT_COUNT: u64 = 400;

/// The formats that hold the moves of the main line.
const TARGETS: [Target; 10] = [
    Target::Kif,
    Target::Kifu,
    Target::Ki2,
    Target::Ki2u,
    Target::Csa,
    Target::CsaSjis,
    Target::Csa3,
    Target::Jkf,
    Target::Psn,
    Target::Usi,
];

#[test]
fn damaged_records_lose_no_move_without_a_warning() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let count = number("SHOGIBAR_MUTANTS").unwrap_or(DEFAULT_COUNT);
    let mut random = Random(number("SHOGIBAR_MUTANTS_SEED").unwrap_or(1));
    let records = records();
    let (mut read, mut wrong) = (0_u64, Vec::new());
    for mutant in 0..count {
        let (path, bytes) = random.pick(&records);
        let bytes = damage(bytes, &records, &mut random);
        let targets = [*random.pick(&TARGETS), *random.pick(&TARGETS)];
        let Ok(reading) = shogibar_kifu::read_named(&bytes, path) else {
            continue;
        };
        read += 1;
        let checked = check_reading(&bytes, &reading).and_then(|()| {
            let games = reading.games.iter().take(3);
            games
                .flat_map(|game| targets.map(|target| (game, target)))
                .try_for_each(|(game, target)| check_conversion(game, target, reading.target))
        });
        if let Err(what) = checked {
            wrong.push(format!("mutant {mutant} of {}: {what}", path.display()));
            if let Some(folder) = std::env::var_os("SHOGIBAR_MUTANTS_KEPT") {
                fs::write(Path::new(&folder).join(format!("{mutant}.txt")), &bytes).unwrap();
            }
        }
    }
    println!(
        "{count} damaged records, {read} read, {} with a loss that was not told",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        read * 2 > count,
        "only {read} of {count} are read at all: the damage is too great to tell anything"
    );
}

/// Returns the paths and bytes of the fixtures, and of the corpus if it is available.
fn records() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension != "expected"));
    if let Some(corpus) = shared("corpus") {
        let manifest = fs::read_to_string(corpus.join("manifest.tsv")).unwrap();
        paths.extend(
            manifest
                .lines()
                .skip(1)
                .filter_map(|row| Some(corpus.join(row.split('\t').next()?))),
        );
    }
    paths.sort();
    let read = |path: PathBuf| fs::read(&path).map(|bytes| (path, bytes)).unwrap();
    // Larger files take longer and reveal no further errors.
    paths
        .into_iter()
        .map(read)
        .filter(|(_, bytes)| (1..100_000).contains(&bytes.len()))
        .collect()
}

impl Random {
    fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }

    fn part<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let from = self.below(bytes.len());
        let length = self.below(200);
        &bytes[from..(from + length).min(bytes.len())]
    }
}

/// Returns the record with one to three damages: bit flips, splices, truncations, other encodings, lines doubled,
/// removed, exchanged or joined.
fn damage(bytes: &[u8], records: &[(PathBuf, Vec<u8>)], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(9) {
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(..at)),
            4 => {
                let (_, other) = random.pick(records);
                let part = random.part(other).to_vec();
                let end = (at + random.below(100)).min(bytes.len());
                bytes.splice(at..end, part);
            }
            5 => {
                let part = random.part(&bytes).to_vec();
                bytes.splice(at..at, part);
            }
            6 => bytes = reencode(&bytes, random),
            _ => change_lines(&mut bytes, random),
        }
    }
    bytes
}

fn reencode(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let (text, ..) = match std::str::from_utf8(bytes) {
        Ok(_) => UTF_8.decode(bytes),
        Err(_) => SHIFT_JIS.decode(bytes),
    };
    let utf16 = |first: [u8; 2], unit: fn(u16) -> [u8; 2]| {
        first
            .into_iter()
            .chain(text.encode_utf16().flat_map(unit))
            .collect()
    };
    match random.below(6) {
        0 => SHIFT_JIS.encode(&text).0.into_owned(),
        1 => EUC_JP.encode(&text).0.into_owned(),
        2 => utf16([0xff, 0xfe], u16::to_le_bytes),
        3 => utf16([0xfe, 0xff], u16::to_be_bytes),
        4 => format!("\u{feff}{text}").into_bytes(),
        _ => text.into_owned().into_bytes(),
    }
}

fn change_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let (at, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        _ => lines[at].retain(|byte| !matches!(byte, b'\r' | b'\n')),
    }
    *bytes = lines.concat();
}

/// Checks that a record read without warnings has a node for every move line. The node is a move, or an end that keeps
/// its text.
fn check_reading(bytes: &[u8], reading: &ReadGames) -> Result<(), String> {
    if !reading.warnings.is_empty() {
        return Ok(());
    }
    let codec = match reading.encoding {
        Encoding::Utf8 => UTF_8,
        Encoding::ShiftJis => SHIFT_JIS,
        Encoding::EucJp => EUC_JP,
        Encoding::Utf16 if bytes.starts_with(b"\xff\xfe") => UTF_16LE,
        Encoding::Utf16 => UTF_16BE,
    };
    let (text, ..) = codec.decode(bytes);
    let lines = text.split(['\n', '\r']);
    let expected = match reading.format {
        Format::Kif | Format::Ki2 => lines.map(count_moves).sum(),
        Format::Csa => lines.filter(|line| is_move_of_csa(line)).count(),
        Format::Usi
        | Format::Jkf
        | Format::Usen
        | Format::Epd
        | Format::Psn
        | Format::UsiLog
        | Format::Prose => {
            return Ok(());
        }
    };
    let is_one = |game: &Record, id| {
        game.node(id).mv().is_some() || game.node(id).end().is_some_and(shogibar_kifu::End::is_cut)
    };
    let found: usize = reading
        .games
        .iter()
        .map(|game| game.all().filter(|id| is_one(game, *id)).count())
        .sum();
    if found < expected {
        Err(format!(
            "{expected} moves stand in the text, {found} were read without a warning"
        ))
    } else {
        Ok(())
    }
}

/// Counts the moves in a line of KIF or KI2. Only text that cannot be anything else is counted.
fn count_moves(line: &str) -> usize {
    let line = after_lost_line_end(line.trim());
    let is_square = |text: &str| {
        let mut chars = text.chars();
        chars.next().is_some_and(|c| "１２３４５６７８９".contains(c))
            && chars.next().is_some_and(|c| "一二三四五六七八九".contains(c))
            && chars.next().is_some_and(|c| "歩香桂銀金角飛玉と馬龍".contains(c))
    };
    if line.starts_with(['▲', '△']) {
        return line.split(['▲', '△']).filter(|text| is_square(text)).count();
    }
    let words = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = words.len() < line.len() && words.starts_with(' ');
    usize::from(is_numbered && is_square(words.trim_start()))
}

/// Returns the text after a variation heading, the heading of the moves, a summary or a header. The text may contain
/// moves.
fn after_lost_line_end(line: &str) -> &str {
    if let Some(number) = line.strip_prefix("変化：") {
        return number
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start_matches('手')
            .trim_start();
    }
    if line.starts_with("手数--") {
        return line
            .trim_start_matches(|c: char| "手数指消費時間-".contains(c))
            .trim_start();
    }
    let headers = [
        "まで",
        "先手：",
        "後手：",
        "上手：",
        "下手：",
        "手合割：",
        "開始日時：",
        "終了日時：",
        "棋戦：",
    ];
    if !headers.iter().any(|header| line.starts_with(header)) || line.contains('#') {
        return line;
    }
    // A name may contain a mark and a single move. Several moves up to the end of the line are no name.
    let marked = line.find(['▲', '△']).map_or("", |at| &line[at..]);
    let is_move = |text: &str| text.trim().chars().count() == 3;
    if marked
        .split(['▲', '△'])
        .skip(1)
        .filter(|text| is_move(text))
        .count()
        > 1
        && marked.split(['▲', '△']).skip(1).all(is_move)
    {
        return marked;
    }
    let numbered = line.match_indices(' ').map(|(at, _)| line[at..].trim_start());
    let is_numbered = |text: &&str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('(');
    numbered
        .filter(is_numbered)
        .find(|text| text.split_once(' ').is_some())
        .unwrap_or(line)
}

fn is_move_of_csa(line: &str) -> bool {
    let line = line.trim_end();
    let is_letter = |byte: &u8| byte.is_ascii_uppercase();
    let pieces = [
        "FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY",
    ];
    matches!(line.as_bytes(), [b'+' | b'-', squares @ .., one, two]
        if squares.len() == 4 && squares.iter().all(u8::is_ascii_digit) && is_letter(one) && is_letter(two))
        && line.get(5..).is_some_and(|piece| pieces.contains(&piece))
}

/// Checks that a game keeps its moves when it is converted to another format and back.
fn check_conversion(game: &Record, target: Target, own: Target) -> Result<(), String> {
    let converted_game = convert(game, target)?;
    let own = if matches!(own, Target::Sfen | Target::Bod) {
        Target::Kifu
    } else {
        own
    };
    convert(&converted_game, own).map(drop)
}

fn convert(game: &Record, target: Target) -> Result<Record, String> {
    let written = shogibar_kifu::write(game, target);
    let mut again = shogibar_kifu::read(&written.bytes).map_err(|error| format!("{target:?}: {error}"))?;
    if again.games.len() != 1 {
        return Err(format!("{target:?}: it became {} games", again.games.len()));
    }
    let again = again.games.remove(0);
    let main_line = |game: &Record| game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>();
    let tree = |game: &Record| {
        game.all()
            .filter_map(|id| Some((game.node(id).ply(), game.node(id).mv()?)))
            .collect::<Vec<_>>()
    };
    let fields = |game: &Record| {
        game.start()
            .sfen()
            .rsplit_once(' ')
            .map(|(fields, _)| fields.to_owned())
    };
    let loses_variations = written
        .losses
        .iter()
        .any(|loss| matches!(loss, Loss::Variations(_)));
    if main_line(&again) != main_line(game) {
        return Err(format!("{target:?}: {} moves became {}", game.len(), again.len()));
    }
    if fields(&again) != fields(game) {
        return Err(format!(
            "{target:?}: it starts from {:?} instead of {:?}",
            fields(&again),
            fields(game)
        ));
    }
    if !loses_variations && tree(&again) != tree(game) {
        return Err(format!("{target:?}: the moves of the variations are others"));
    }
    Ok(again)
}
