//! What has been found so far, as lines of text that outlive the program: one of JSON for each position, added
//! as soon as it is known.
//!
//! A line is bound to its position by the moves that lead there (a [`Key`]) and to the engine and limit by
//! the [`signature`](super::signature). So what was found goes with whatever record has that position, and
//! with none that has not: a comment changed meanwhile, or another record under the same name, does no harm.
//! What cannot be read, as a line that was cut off by the end of the program, counts for nothing.

use super::{EngineResult, PositionKey};
use crate::kifu::Millis;
use crate::kifu::evaluation::{Dialect, Evaluation, MAX_PV, Source};
use crate::score::{Bound, Value};
use crate::shogi::{Color, Move};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What was found of positions, possibly by several engines.
pub type KnownResults = HashMap<PositionKey, Vec<EngineResult>>;

/// The file of an analysis is at most so large, in bytes: some 300 000 positions.
pub const MAX_BYTES: usize = 256 << 20;

#[derive(Serialize, Deserialize)]
struct JournalEntry {
    position: String,
    engine: String,
    /// In words, which are read as exactly what was written.
    k: String,
    lines: Vec<JournalLine>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct JournalLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Who has won.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<JournalSide>,
    /// Whether by a mate, and in how many plies; 0 where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<JournalBound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seldepth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pv: String,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JournalSide {
    Black,
    White,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JournalBound {
    Lower,
    Upper,
}

/// The line for what was found of a position, with its end.
pub fn write(key: PositionKey, judgement: &EngineResult) -> String {
    let entry = JournalEntry {
        position: format!("{:016x}", key.0),
        engine: judgement.engine.clone(),
        k: judgement.k.to_string(),
        lines: judgement.evaluations.iter().map(JournalLine::from_evaluation).collect(),
    };
    // These are texts and whole numbers, for all of which JSON has words.
    serde_json::to_string(&entry).map_or_else(|_cannot_be| String::new(), |line| line + "\n")
}

/// Whether a file begins as no journal does, be it cut off.
pub fn is_foreign(bytes: &[u8]) -> bool {
    let begin = br#"{"position":""#;
    !bytes.iter().zip(begin).all(|(found, expected)| found == expected)
}

/// What a journal holds. Of several lines on a position by the same engine the last one counts.
pub fn read(bytes: &[u8]) -> KnownResults {
    let mut known = KnownResults::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some((key, judgement)) =
            serde_json::from_slice::<JournalEntry>(line).ok().and_then(JournalEntry::judgement)
        else {
            continue;
        };
        let of_position = known.entry(key).or_default();
        of_position.retain(|other| other.engine != judgement.engine);
        of_position.push(judgement);
    }
    known
}

/// The lines of a journal that are not by engines of these [signatures](super::signature).
pub fn without(bytes: &[u8], signatures: &[&str]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let is_another = |line: &&[u8]| {
        let entry = serde_json::from_slice::<JournalEntry>(line);
        entry.is_ok_and(|entry| !signatures.contains(&entry.engine.as_str()))
    };
    lines.filter(is_another).flatten().copied().collect()
}

impl JournalEntry {
    fn judgement(self) -> Option<(PositionKey, EngineResult)> {
        let key = u64::from_str_radix(&self.position, 16).ok().filter(|_| self.position.len() == 16)?;
        let evaluations: Vec<_> = self.lines.into_iter().map(|line| line.evaluation(&self.engine)).collect();
        let k = self.k.parse().ok().filter(|k: &f64| k.is_finite() && !evaluations.is_empty())?;
        Some((PositionKey(key), EngineResult { engine: self.engine, k, evaluations }))
    }
}

impl JournalLine {
    fn from_evaluation(said: &Evaluation) -> Self {
        let (cp, mate) = match said.value {
            Some(Value::Cp(cp)) => (Some(cp), None),
            Some(Value::Mate { plies, .. }) => (None, Some(plies.unwrap_or(0))),
            Some(Value::Won(_)) | None => (None, None),
        };
        let winner = said.value.and_then(Value::winner).map(|winner| match winner {
            Color::Black => JournalSide::Black,
            Color::White => JournalSide::White,
        });
        let bound = said.bound.map(|bound| match bound {
            Bound::Lower => JournalBound::Lower,
            Bound::Upper => JournalBound::Upper,
        });
        let Evaluation { rank, depth, seldepth, nodes, .. } = *said;
        let pv: Vec<_> = said.pv.iter().map(Move::to_string).collect();
        let time = said.time.map(|Millis(time)| time);
        Self { rank, cp, winner, mate, bound, depth, seldepth, nodes, time, pv: pv.join(" ") }
    }

    fn evaluation(&self, engine: &str) -> Evaluation {
        let winner = self.winner.map(|winner| match winner {
            JournalSide::Black => Color::Black,
            JournalSide::White => Color::White,
        });
        let value = match (winner, self.mate) {
            (Some(winner), Some(plies)) => Some(Value::Mate { winner, plies: Some(plies).filter(|plies| *plies > 0) }),
            (Some(winner), None) => Some(Value::Won(winner)),
            (None, _) => self.cp.map(Value::from_cp),
        };
        let bound = self.bound.map(|bound| match bound {
            JournalBound::Lower => Bound::Lower,
            JournalBound::Upper => Bound::Upper,
        });
        let Self { rank, depth, seldepth, nodes, .. } = *self;
        let pv = self.pv.split(' ').map_while(Move::from_usi).take(MAX_PV).collect();
        let engine = Some(engine.to_owned());
        let time = self.time.map(Millis);
        let plain = Evaluation::new(Dialect::ShogiHome, Source::Analysis);
        Evaluation { value, bound, depth, seldepth, nodes, time, rank, engine, pv, ..plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Option<Value>> {
        let side = any::<bool>().prop_map(|black| if black { Color::Black } else { Color::White });
        let mate =
            (side.clone(), proptest::option::of(1_u32..)).prop_map(|(winner, plies)| Value::Mate { winner, plies });
        proptest::option::of(prop_oneof![any::<i32>().prop_map(Value::from_cp), side.prop_map(Value::Won), mate])
    }

    prop_compose! {
        fn judgement()(
            engine in "\\PC{1,20}",
            lines in vec((value(), any::<(Option<u16>, Option<u32>, Option<u64>, Option<bool>)>(), any::<bool>()), 1..4),
            k in 1.0..100_000.0_f64,
        ) -> EngineResult {
            let evaluations = lines.into_iter().map(|(value, (rank, depth, nodes, lower), has_pv)| Evaluation {
                value, rank, depth, seldepth: depth, nodes, time: nodes.map(Millis),
                bound: lower.map(|lower| if lower { Bound::Lower } else { Bound::Upper }),
                engine: Some(engine.clone()),
                pv: ["7g7f", "3c3d", "P*5e", "8h2b+"].iter().filter(|_| has_pv).filter_map(|mv| Move::from_usi(mv)).collect(),
                ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
            });
            EngineResult { evaluations: evaluations.collect(), engine, k }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(key in any::<u64>(), judgement in judgement(), cut in 0..200_usize) {
            let line = write(PositionKey(key), &judgement);
            let known = read(line.as_bytes());
            prop_assert_eq!(known.get(&PositionKey(key)), Some(&vec![judgement]));
            // Half a line, as of a program that was killed, is none, and spoils none that is whole.
            let half = line.as_bytes().get(..cut.min(line.len() - 2)).unwrap();
            prop_assert_eq!(read(&[half, b"\n", line.as_bytes(), half].concat()), known);
        }

        #[test]
        fn rubbish_is_borne(bytes in vec(any::<u8>(), 0..300), words in "[{}\\[\\]\":,0-9a-fpositonegklv\n ]{0,200}") {
            read(&bytes);
            read(words.as_bytes());
            let odd = format!("{{\"position\":\"{:016x}\",\"engine\":\"\",\"k\":\"1e999\",\"lines\":[{{}}]}}\n{words}", 5);
            prop_assert!(read(odd.as_bytes()).is_empty());
        }
    }

    #[test]
    fn the_last_word_counts() {
        let said = |cp| {
            let evaluation = Evaluation {
                value: Some(Value::Cp(cp)),
                engine: Some("A".to_owned()),
                ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
            };
            EngineResult { engine: "A".to_owned(), k: 600.0, evaluations: vec![evaluation] }
        };
        let other = EngineResult { engine: "B".to_owned(), ..said(3) };
        let text = [
            write(PositionKey(1), &said(1)),
            write(PositionKey(1), &other),
            write(PositionKey(1), &said(2)),
            write(PositionKey(2), &said(4)),
        ];
        let known = read(text.concat().as_bytes());
        assert_eq!(known.len(), 2);
        let values: Vec<_> = known[&PositionKey(1)].iter().map(|judgement| judgement.evaluations[0].value).collect();
        assert_eq!(values, [Some(Value::Cp(3)), Some(Value::Cp(2))]);
        let text = text.concat();
        assert_eq!(without(text.as_bytes(), &["A"]), write(PositionKey(1), &other).into_bytes());
        assert_eq!(without(text.as_bytes(), &["A", "B"]), b"");
        assert_eq!(without(text.as_bytes(), &["C"]), text.as_bytes());
    }
}
