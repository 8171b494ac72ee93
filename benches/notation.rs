//! Move notation, compared with `shogi_official_kifu` in one run on the same moves. Measures the time to write the
//! notation of one legal move into a reused buffer. This includes our check of its legality.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]
#![expect(
    clippy::disallowed_methods,
    reason = "it measures time and reads its positions"
)]

use shogi_core::PartialPosition;
use shogi_usi_parser::FromUsi as _;
use shogibar_shogi::{Marks, Move, Notation, Position, Square};
use std::hint::black_box;
use std::time::Instant;

/// The number of rounds of each side. They alternate, so that other load on the machine affects both.
const ROUNDS: usize = 15;
/// Moves of the slow side in a round. Ours writes all moves, ten times.
const SAMPLE: usize = 300;

struct Case {
    ours: (Position, Move, Option<Square>),
    theirs: (PartialPosition, shogi_core::Move),
}

fn main() {
    let cases = cases();
    let notation = Notation {
        marks: Marks::Triangle,
        ..Notation::default()
    };
    let mut out = String::with_capacity(64);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let started = Instant::now();
        for case in std::iter::repeat_n(&cases, 10).flatten() {
            let (position, mv, prev) = &case.ours;
            out.clear();
            notation.write(&mut out, black_box(position), *mv, *prev).unwrap();
            black_box(&out);
        }
        ours.push(started.elapsed().as_secs_f64() / (10 * cases.len()) as f64 * 1e9);

        let sample = cases.iter().cycle().skip(round * SAMPLE).take(SAMPLE);
        let started = Instant::now();
        for case in sample {
            let (position, mv) = &case.theirs;
            out.clear();
            let written =
                shogi_official_kifu::display_single_move_write_kansuji(black_box(position), *mv, &mut out);
            black_box((written.unwrap(), &out));
        }
        theirs.push(started.elapsed().as_secs_f64() / SAMPLE as f64 * 1e9);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!("{} moves, median of {ROUNDS} rounds in turn", cases.len());
    println!("shogibar             {ours:>10.1} ns a move");
    println!("shogi_official_kifu  {theirs:>10.1} ns a move");
    println!("ratio                {:>10.0}", theirs / ours);
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Reads moves that both sides accept, mostly with a qualifier, from rows `sfen, previous move, move`.
fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/notation-vectors.tsv");
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .skip(1)
        .filter_map(case)
        .collect()
}

fn case(row: &str) -> Option<Case> {
    let mut fields = row.split('\t');
    let (sfen, prev, usi) = (fields.next()?, fields.next()?, fields.next()?);
    let position = Position::from_sfen(sfen).ok()?;
    let mv = Move::from_usi(usi)?;
    let theirs = (
        PartialPosition::from_usi(&format!("sfen {sfen}")).ok()?,
        shogi_core::Move::from_usi(usi).ok()?,
    );
    let mut written = String::new();
    shogi_official_kifu::display_single_move_write_kansuji(&theirs.0, theirs.1, &mut written).ok()??;
    Some(Case {
        ours: (position, mv, Move::from_usi(prev).map(Move::to)),
        theirs,
    })
}
