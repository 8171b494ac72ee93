//! Finds the facts of analysed records and has the verifier check each.
//!
//! usage: check-facts FOLDER [SHOWN] [--list] [--plant] [--nodes=N]
//!
//! FOLDER: records in any format with evaluations in their comments. Prints for each kind of fact how many were
//! verified, were false and stayed undecided. Then prints the first SHOWN (default 5) of each kind that were not
//! verified. The exit code is 1 if a fact was false.
//!
//! --list: prints every fact first, with its verdict.
//!
//! --plant: plants faults into each fact that was verified, and checks those, too. Each should be false. Prints how
//! many were not, by fault, and the first SHOWN. The exit code does not depend on them.
//!
//! --nodes: the nodes of one search by the verifier (default 300000); with fewer more facts stay undecided.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

#[path = "check_facts/finder.rs"]
mod finder;
#[path = "check_facts/planted.rs"]
mod planted;
#[path = "check_facts/read.rs"]
mod read;
#[path = "check_facts/tally.rs"]
mod tally;

use read::AnalysedGame;
use shogibar_facts::Fact;
use shogibar_facts_verifier::{Case, Verdict, VerifierConfig};
use std::process::ExitCode;
use tally::Tally;

/// The maximum number of nodes of a search by the verifier, unless an option sets it.
const DEFAULT_SEARCH_NODES: u64 = 300_000;

fn main() -> Result<ExitCode, String> {
    let (flags, arguments): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let folder = arguments
        .first()
        .ok_or("usage: check-facts FOLDER [SHOWN] [--list] [--plant]")?;
    let shown = arguments
        .get(1)
        .map_or(Ok(5), |text| text.parse())
        .map_err(|error| format!("SHOWN: {error}"))?;
    let lists = flags.iter().any(|flag| flag == "--list");
    let plants = flags.iter().any(|flag| flag == "--plant");
    let mut tally = Tally::default();
    let mut caught_faults = Tally::default();
    for (name, analysed) in read::games(folder.as_ref())? {
        eprintln!("{name}: {} moves", analysed.game.moves().len());
        for (ply, facts) in finder::facts(&analysed).into_iter().enumerate() {
            let label = format!("{name}, ply {ply}: {}", read::sfen(&analysed, ply));
            let verdicts = verify(&analysed, ply, &facts);
            for (fact, verdict) in facts.iter().zip(&verdicts) {
                tally.add(&tally::kind_name(fact), fact, verdict, &label);
                if lists {
                    println!("{verdict:?} {} {label}", tally::describe(fact));
                }
            }
            if plants {
                let verified = facts
                    .iter()
                    .zip(&verdicts)
                    .filter(|(_, verdict)| **verdict == Verdict::Verified);
                for planted in verified.flat_map(|(fact, _)| planted::faults(fact)) {
                    let verdict = verify(&analysed, ply, std::slice::from_ref(&planted.fact))
                        .pop()
                        .map(caught);
                    caught_faults.add(
                        planted.fault,
                        &planted.fact,
                        &verdict.unwrap_or(Verdict::Verified),
                        &label,
                    );
                }
            }
        }
    }
    println!("{}", tally.report(shown));
    if plants {
        println!(
            "Planted faults: \"verified\" are those that were caught.\n{}",
            caught_faults.report(shown)
        );
    }
    Ok(if tally.is_clean() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn verify(analysed: &AnalysedGame, ply: usize, facts: &[Fact]) -> Vec<Verdict> {
    let nodes = std::env::args().find_map(|argument| argument.strip_prefix("--nodes=")?.parse().ok());
    let config = VerifierConfig {
        nodes: nodes.unwrap_or(DEFAULT_SEARCH_NODES),
        ..VerifierConfig::default()
    };
    Case {
        game: &analysed.game,
        ply,
        facts,
    }
    .verify(config)
}

/// Returns the verdict on a planted fault: verified if the fault was caught.
fn caught(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::False(_) => Verdict::Verified,
        Verdict::Verified => Verdict::False("the fault was not caught".to_owned()),
        Verdict::Undecided(why) => Verdict::Undecided(why),
    }
}
