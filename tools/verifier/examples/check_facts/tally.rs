//! Counts verdicts by the kind of a fact, or of a fault.

use shogibar_facts::Fact;
use shogibar_facts_verifier::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Default)]
struct KindTally {
    verified_count: usize,
    /// The descriptions of the false facts.
    failures: Vec<String>,
    undecided_facts: Vec<String>,
}

/// The verdicts by kind.
#[derive(Default)]
pub(crate) struct Tally {
    kinds: BTreeMap<String, KindTally>,
}

pub(crate) fn kind_name(fact: &Fact) -> String {
    let text = format!("{:?}", fact.kind);
    text.split([' ', '{', '(']).next().unwrap_or_default().to_owned()
}

pub(crate) fn describe(fact: &Fact) -> String {
    let line: Vec<String> = fact.line.iter().map(ToString::to_string).collect();
    format!(
        "{:?} of {:?} {:?}, lead {}: {}",
        fact.kind,
        fact.side,
        fact.at,
        fact.lead,
        line.join(" ")
    )
}

impl Tally {
    /// Adds the verdict of a fact under a name. `label` names the game and the move.
    pub(crate) fn add(&mut self, name: &str, fact: &Fact, verdict: &Verdict, label: &str) {
        let describe = |why: &str| format!("{why}\n    {}\n    {label}", describe(fact));
        let tally = self.kinds.entry(name.to_owned()).or_default();
        match verdict {
            Verdict::Verified => tally.verified_count += 1,
            Verdict::False(why) => tally.failures.push(describe(why)),
            Verdict::Undecided(why) => tally.undecided_facts.push(describe(why)),
        }
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.kinds.values().all(|tally| tally.failures.is_empty())
    }

    /// Returns a table, and the first `shown` facts of each kind that were not verified.
    pub(crate) fn report(&self, shown: usize) -> String {
        let mut text = format!(
            "{:22} {:>8} {:>8} {:>9}\n",
            "kind", "verified", "false", "undecided"
        );
        for (
            name,
            KindTally {
                verified_count: verified,
                failures: failed,
                undecided_facts: undecided,
            },
        ) in &self.kinds
        {
            let (failed, undecided) = (failed.len(), undecided.len());
            let _infallible = writeln!(text, "{name:22} {verified:8} {failed:8} {undecided:9}");
        }
        for (name, tally) in &self.kinds {
            for (word, texts) in [("false", &tally.failures), ("undecided", &tally.undecided_facts)] {
                for each in texts.iter().take(shown) {
                    let _infallible = write!(text, "\n{name} {word}: {each}");
                }
            }
        }
        text
    }
}
