//! Reading records, compared with the libraries of other programs on the same texts in the same run.
//!
//! The records are those of `../shared/corpus` (or `SHOGIBAR_SHARED`) with ten moves or more, read without warnings. A
//! large generated one is added. A reader counts for a record where its main line is right and, with variations, its
//! tree. Rounds of the Rust readers alternate. So other load on the machine affects all. tsshogi measures itself after
//! a warm-up.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark reads files and clocks, and prints"
)]

#[path = "../../tests/it/peers/author.rs"]
mod author;
mod peak;
mod readers;
mod tsshogi;

use author::{Author, Shape};
use readers::{Converter, Format, Outline, Reader, Rsshogi, Shogibar};
use shogibar_kifu::Target;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const ROUNDS: usize = 15;
/// The minimum time of a round of one reader on one record, in seconds.
const ROUND: f64 = 0.3e-3;
/// The limit of bytes in use while a file is read, for each of its bytes.
const MAX_BYTES_PER_FILE_BYTE: f64 = 40.0;

/// A record to read.
struct Sample {
    format: Format,
    text: String,
    outline: Outline,
}

fn main() {
    // A panic of a reader counts as a failure to read.
    std::panic::set_hook(Box::new(|_| {}));
    for format in Format::ALL {
        let real = corpus(format);
        if !real.is_empty() {
            race(&format!("{format}, {} real records", real.len()), &real);
        }
        let generated = [generated(format)];
        race(
            &format!("{format}, one of {:.1} MB", generated[0].text.len() as f64 / 1e6),
            &generated,
        );
    }
    println!(
        "\nMemory in use while a file is read, for each of its bytes (at most {MAX_BYTES_PER_FILE_BYTE})"
    );
    for format in Format::ALL {
        let text = generated(format).text;
        let bytes = peak::while_in(|| drop(black_box(shogibar_kifu::read(text.as_bytes()))));
        println!(
            "  {format}, {:.1} MB: {:.1}",
            text.len() as f64 / 1e6,
            bytes as f64 / text.len() as f64
        );
    }
    println!("The same for files of many games, handed on one by one as they are read; and all of them kept");
    for (name, game) in MANY {
        let text = game.repeat((1 << 21) / game.len());
        let ratio = |bytes: usize| bytes as f64 / text.len() as f64;
        let read = |bytes: &[u8]| {
            drop(black_box(shogibar_kifu::read_each(
                bytes,
                Path::new(""),
                &mut |game| drop(black_box(game)),
            )));
        };
        let each = peak::while_in(|| read(text.as_bytes()));
        let all = peak::while_in(|| drop(black_box(shogibar_kifu::read(text.as_bytes()))));
        println!(
            "  {name}, games of {} bytes: {:.1}; {:.1}",
            game.len(),
            ratio(each),
            ratio(all)
        );
    }
}

/// The smallest games.
const MANY: [(&str, &str); 4] = [
    (
        "KIF",
        "手合割：平手\n手数----\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n",
    ),
    ("CSA", "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\nT1\n%TORYO\n/\n"),
    ("USI", "startpos moves 7g7f\n"),
    ("EPD", "4k4/9/4P4/9/9/9/9/9/4K4[GG] w - - bm G*5b;\n"),
];

/// Returns a large generated record: a tree, or in CSA a long line.
fn generated(format: Format) -> Sample {
    let shape = match format {
        Format::Csa => Shape {
            moves: 60_000,
            fork_in: usize::MAX,
            variation: 1,
            depth: 0,
        },
        _ => Shape {
            moves: 300,
            fork_in: 6,
            variation: 100,
            depth: 2,
        },
    };
    let record = Author::new(1).record(shape);
    let target = match format {
        Format::Kif => Target::Kifu,
        Format::Ki2 => Target::Ki2u,
        Format::Csa => Target::Csa,
        Format::Jkf => Target::Jkf,
    };
    let text = String::from_utf8(shogibar_kifu::write(&record, target).bytes).expect("UTF-8");
    Sample {
        format,
        text,
        outline: readers::outline(&record),
    }
}

fn corpus(format: Format) -> Vec<Sample> {
    let root = std::env::var_os("SHOGIBAR_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        Into::into,
    );
    let folder = root.join("corpus");
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).unwrap_or_default();
    let rows = manifest.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[5] == format.name())
        .filter_map(|row| sample(format, &folder.join(row[0])))
        .collect()
}

fn sample(format: Format, path: &Path) -> Option<Sample> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        encoding_rs::SHIFT_JIS.decode(error.as_bytes()).0.into_owned() //
    });
    let reading = shogibar_kifu::read(text.as_bytes())
        .ok()
        .filter(|reading| reading.warnings.is_empty())?;
    let [record] = reading.games.as_slice() else {
        return None;
    };
    (record.len() >= 10).then(|| Sample {
        format,
        text,
        outline: readers::outline(record),
    })
}

/// The times of a reader for each sample, in seconds. `None` where its result is not right.
type Times = Vec<Option<f64>>;

fn race(what: &str, samples: &[Sample]) {
    let mut table: Vec<(&str, Times)> = vec![(Shogibar::NAME, Vec::new()), (Rsshogi::NAME, Vec::new())];
    table.push((Converter::NAME, Vec::new()));
    for sample in samples {
        let rounds: [Option<Box<dyn Fn() + '_>>; 3] = [
            entrant::<Shogibar>(sample),
            entrant::<Rsshogi>(sample),
            entrant::<Converter>(sample),
        ];
        for (times, (_, row)) in in_turn(&rounds).into_iter().zip(&mut table) {
            row.push(times);
        }
    }
    match tsshogi::times(samples) {
        Some(times) => table.push((tsshogi::NAME, times)),
        None => println!("skipped: node with the packages of tests/peers is not here; tsshogi does not run"),
    }
    print(what, samples, &table);
}

fn entrant<'s, R: Reader>(sample: &'s Sample) -> Option<Box<dyn Fn() + 's>> {
    let read = || {
        std::panic::catch_unwind(|| R::read(sample.format, &sample.text).map(|record| R::outline(&record)))
    };
    let is_right = read().is_ok_and(|outline| outline.as_ref() == Some(&sample.outline));
    is_right.then(|| -> Box<dyn Fn() + 's> {
        Box::new(|| drop(black_box(R::read(sample.format, black_box(&sample.text)))))
    })
}

/// Runs the readers in alternating rounds. Returns their median times in seconds.
fn in_turn(entrants: &[Option<Box<dyn Fn() + '_>>]) -> Times {
    let seconds = |work: &dyn Fn(), times: usize| {
        let start = Instant::now();
        (0..times).for_each(|_| work());
        start.elapsed().as_secs_f64() / times as f64
    };
    let often = |work: &dyn Fn()| {
        (0..20)
            .map(|power| 1 << power)
            .find(|times| seconds(work, *times) * *times as f64 > ROUND)
    };
    let times: Vec<_> = entrants
        .iter()
        .map(|entrant| entrant.as_ref().and_then(|work| often(work)))
        .collect();
    let mut found = vec![Vec::new(); entrants.len()];
    for _ in 0..ROUNDS {
        for ((entrant, times), found) in entrants.iter().zip(&times).zip(&mut found) {
            if let (Some(work), Some(times)) = (entrant, times) {
                found.push(seconds(work, *times));
            }
        }
    }
    found
        .into_iter()
        .map(|times| (!times.is_empty()).then(|| median(times)))
        .collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn print(what: &str, samples: &[Sample], table: &[(&str, Times)]) {
    let moves: Vec<f64> = samples
        .iter()
        .map(|sample| sample.outline.tree.len() as f64)
        .collect();
    println!("\n{what}, {} moves", moves.iter().sum::<f64>());
    println!("{:30} read right    ns a move   times ours", "");
    let [(_, ours), others @ ..] = table else { return };
    let ratios = |theirs: &Times| -> Vec<f64> {
        theirs
            .iter()
            .zip(ours)
            .filter_map(|(theirs, ours)| Some((*theirs)? / (*ours)?))
            .collect()
    };
    for (name, times) in table {
        let right: Vec<_> = times
            .iter()
            .zip(&moves)
            .filter_map(|(time, moves)| Some((*time)? / moves * 1e9))
            .collect();
        let count = right.len();
        let (time, ratio) = (median(right), median(ratios(times)));
        match count {
            0 => println!(
                "{name:30} {count:4} of {:4}            -            -",
                samples.len()
            ),
            _ => println!(
                "{name:30} {count:4} of {:4} {time:12.0} {ratio:12.1}",
                samples.len()
            ),
        }
    }
    let fastest = (0..samples.len()).map(|at| {
        others
            .iter()
            .filter_map(|(_, times)| times[at])
            .min_by(f64::total_cmp)
    });
    let mut ratios = ratios(&fastest.collect());
    ratios.sort_by(f64::total_cmp);
    if let (Some(min), Some(max)) = (ratios.first(), ratios.last()) {
        println!(
            "the fastest other one that reads it right {:.1} ({min:.1} to {max:.1})",
            median(ratios.clone())
        );
    }
}
