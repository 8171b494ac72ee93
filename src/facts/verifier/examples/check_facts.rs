//! Finds the facts of analysed records and has the verifier check each.
//!
//! usage: check-facts FOLDER [SHOWN]
//!
//! FOLDER: records in any format with evaluations in their comments. Prints for each kind of fact how many were verified,
//! were false and stayed undecided, then the first SHOWN (default 5) of each kind that were not verified. The exit code is
//! 1 if a fact was false.
#![expect(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout, reason = "a tool of developers")]

#[path = "check_facts/finder.rs"]
mod finder;
#[path = "check_facts/read.rs"]
mod read;
#[path = "check_facts/tally.rs"]
mod tally;

use shogibar_facts_verifier::{Case, VerifierConfig};
use std::process::ExitCode;
use tally::Tally;

/// The nodes of a search by the verifier.
const NODES: u64 = 300_000;

fn main() -> Result<ExitCode, String> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: check-facts FOLDER [SHOWN]")?;
    let shown = arguments.next().map_or(Ok(5), |text| text.parse()).map_err(|error| format!("SHOWN: {error}"))?;
    let config = VerifierConfig { nodes: NODES, ..VerifierConfig::default() };
    let mut tally = Tally::default();
    for (name, analysed) in read::games(folder.as_ref())? {
        eprintln!("{name}: {} moves", analysed.game.moves().len());
        for (ply, facts) in finder::facts(&analysed).into_iter().enumerate() {
            let verdicts = Case { game: &analysed.game, ply, facts: &facts }.verify(config);
            for (fact, verdict) in facts.iter().zip(verdicts) {
                tally.add(fact, &verdict, &format!("{name}, ply {ply}: {}", read::sfen(&analysed, ply)));
            }
        }
    }
    println!("{}", tally.report(shown));
    Ok(if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
