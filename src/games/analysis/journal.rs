//! The journal of an analysis: the results so far, as lines of text that survive the end of the program. A line of JSON
//! is added as soon as the result of a position is known.
//!
//! A line identifies its position by the moves that lead there (a [`PositionKey`]), and the engine and limit by the
//! [`signature`](super::signature). So a result applies to every record that has the position, and to no other. Changed
//! comments, or another record with this file name, do no harm. Unreadable lines are ignored, such as a line that was
//! cut off when the program ended.

use super::{EngineResult, PositionKey};
use serde::{Deserialize, Serialize};
use shogibar_kifu::Millis;
use shogibar_kifu::evaluation::{Dialect, Evaluation, MAX_PV_MOVES, Source};
use shogibar_shogi::score::{Bound, Value, WinRateModel};
use shogibar_shogi::{Color, Move};
use std::collections::HashMap;

/// The known results by position. A position may have results of several engines.
pub type KnownResults = HashMap<PositionKey, Vec<EngineResult>>;

/// The maximum size of a journal file, in bytes: about 300 000 positions.
pub const MAX_BYTES: usize = 256 << 20;

/// A line of the journal: the result of a position.
#[derive(Serialize, Deserialize)]
struct JournalEntry {
    /// The key of the position, as 16 hexadecimal digits.
    position: String,
    /// The signature of the engine.
    engine: String,
    /// The scale of the engine. As a string it is read as exactly the number that was written.
    k: String,
    lines: Vec<JournalLine>,
}

/// One line (pv) of a result, with its value.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct JournalLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// The side that wins; `None` for a value in centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<JournalSide>,
    /// The plies to a mate; 0 if their number is unknown, `None` for a value that is no mate.
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

/// Returns the line for the result of a position, including the line end.
pub fn write(key: PositionKey, result: &EngineResult) -> String {
    let entry = JournalEntry {
        position: format!("{:016x}", key.0),
        engine: result.engine.clone(),
        k: result.model.k().to_string(),
        lines: result
            .evaluations
            .iter()
            .map(JournalLine::from_evaluation)
            .collect(),
    };
    // Strings and integers always serialise to JSON.
    serde_json::to_string(&entry).map_or_else(|_cannot_be| String::new(), |line| line + "\n")
}

/// Returns whether a file is not a journal, by its first bytes. An empty or cut off journal is not foreign.
pub fn is_foreign(bytes: &[u8]) -> bool {
    let begin = br#"{"position":""#;
    !bytes.iter().zip(begin).all(|(found, expected)| found == expected)
}

/// Reads a journal. The last line counts if a signature has several lines for a position. Unreadable lines are ignored.
pub fn read(bytes: &[u8]) -> KnownResults {
    let mut known = KnownResults::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some((key, result)) = serde_json::from_slice::<JournalEntry>(line)
            .ok()
            .and_then(JournalEntry::into_result)
        else {
            continue;
        };
        let results = known.entry(key).or_default();
        results.retain(|other| other.engine != result.engine);
        results.push(result);
    }
    known
}

/// Returns the lines of a journal except the results with these [signatures](super::signature). Drops unreadable lines.
pub fn remove_results(bytes: &[u8], signatures: &[&str]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines
        .filter(|line| {
            let entry = serde_json::from_slice::<JournalEntry>(line);
            entry.is_ok_and(|entry| !signatures.contains(&entry.engine.as_str()))
        })
        .flatten()
        .copied()
        .collect()
}

impl JournalEntry {
    /// Returns the result; `None` if the entry is invalid.
    fn into_result(self) -> Option<(PositionKey, EngineResult)> {
        if self.position.len() != 16 {
            return None;
        }
        let key = u64::from_str_radix(&self.position, 16).ok()?;
        let evaluations: Vec<_> = self
            .lines
            .into_iter()
            .map(|line| line.to_evaluation(&self.engine))
            .collect();
        let k = self
            .k
            .parse()
            .ok()
            .filter(|k: &f64| k.is_finite() && !evaluations.is_empty())?;
        Some((
            PositionKey(key),
            EngineResult {
                engine: self.engine,
                model: WinRateModel::new(k),
                evaluations,
            },
        ))
    }
}

impl JournalLine {
    fn from_evaluation(evaluation: &Evaluation) -> Self {
        let (cp, mate) = match evaluation.value {
            Some(Value::Cp(cp)) => (Some(cp), None),
            Some(Value::Mate { plies, .. }) => (None, Some(plies.unwrap_or(0))),
            Some(Value::Won(_)) | None => (None, None),
        };
        let winner = evaluation
            .value
            .and_then(Value::winner)
            .map(|winner| match winner {
                Color::Black => JournalSide::Black,
                Color::White => JournalSide::White,
            });
        let bound = evaluation.bound.map(|bound| match bound {
            Bound::Lower => JournalBound::Lower,
            Bound::Upper => JournalBound::Upper,
        });
        let Evaluation {
            rank,
            depth,
            seldepth,
            nodes,
            ..
        } = *evaluation;
        let pv: Vec<_> = evaluation.pv.iter().map(Move::to_string).collect();
        let time = evaluation.time.map(|Millis(time)| time);
        Self {
            rank,
            cp,
            winner,
            mate,
            bound,
            depth,
            seldepth,
            nodes,
            time,
            pv: pv.join(" "),
        }
    }

    fn to_evaluation(&self, engine: &str) -> Evaluation {
        let winner = self.winner.map(|winner| match winner {
            JournalSide::Black => Color::Black,
            JournalSide::White => Color::White,
        });
        let value = match (winner, self.mate) {
            (Some(winner), Some(plies)) => Some(Value::Mate {
                winner,
                plies: Some(plies).filter(|plies| *plies > 0),
            }),
            (Some(winner), None) => Some(Value::Won(winner)),
            (None, _) => self.cp.and_then(Value::from_cp),
        };
        let bound = self.bound.map(|bound| match bound {
            JournalBound::Lower => Bound::Lower,
            JournalBound::Upper => Bound::Upper,
        });
        let Self {
            rank,
            depth,
            seldepth,
            nodes,
            ..
        } = *self;
        let pv = self
            .pv
            .split(' ')
            .map_while(Move::from_usi)
            .take(MAX_PV_MOVES)
            .collect();
        let engine = Some(engine.to_owned());
        let time = self.time.map(Millis);
        let plain = Evaluation::new(Dialect::ShogiHome, Source::Analysis);
        Evaluation {
            value,
            bound,
            depth,
            seldepth,
            nodes,
            time,
            rank,
            engine,
            pv,
            ..plain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn any_value() -> impl Strategy<Value = Option<Value>> {
        let side = any::<bool>().prop_map(|black| if black { Color::Black } else { Color::White });
        let mate = (side.clone(), proptest::option::of(1_u32..))
            .prop_map(|(winner, plies)| Value::Mate { winner, plies });
        proptest::option::of(prop_oneof![
            any::<i32>().prop_filter_map("no value", Value::from_cp),
            side.prop_map(Value::Won),
            mate
        ])
    }

    prop_compose! {
        fn any_result()(
            engine in "\\PC{1,20}",
            lines in vec((any_value(), any::<(Option<u16>, Option<u32>, Option<u64>, Option<bool>)>(), any::<bool>()), 1..4),
            k in 1.0..100_000.0_f64,
        ) -> EngineResult {
            let evaluations = lines.into_iter().map(|(value, (rank, depth, nodes, lower), has_pv)| Evaluation {
                value, rank, depth, seldepth: depth, nodes, time: nodes.map(Millis),
                bound: lower.map(|lower| if lower { Bound::Lower } else { Bound::Upper }),
                engine: Some(engine.clone()),
                pv: ["7g7f", "3c3d", "P*5e", "8h2b+"].iter().filter_map(|mv| if has_pv { Move::from_usi(mv) } else { None }).collect(),
                ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
            });
            EngineResult { evaluations: evaluations.collect(), engine, model: WinRateModel::new(k) }
        }
    }

    proptest! {
        #[test]
        fn written_lines_are_read_back(key in any::<u64>(), result in any_result(), cut in 0..200_usize) {
            let line = write(PositionKey(key), &result);
            let known = read(line.as_bytes());
            prop_assert_eq!(known.get(&PositionKey(key)), Some(&vec![result]));
            // A line cut off when the program was killed is ignored, and does not affect complete lines.
            let half = line.as_bytes().get(..cut.min(line.len() - 2)).unwrap();
            prop_assert_eq!(read(&[half, b"\n", line.as_bytes(), half].concat()), known);
        }

        #[test]
        fn invalid_input_is_ignored(bytes in vec(any::<u8>(), 0..300), words in "[{}\\[\\]\":,0-9a-fpositonegklv\n ]{0,200}") {
            read(&bytes);
            read(words.as_bytes());
            let odd = format!("{{\"position\":\"{:016x}\",\"engine\":\"\",\"k\":\"1e999\",\"lines\":[{{}}]}}\n{words}", 5);
            prop_assert!(read(odd.as_bytes()).is_empty());
        }
    }

    #[test]
    fn last_result_of_an_engine_counts() {
        let result = |cp| {
            let evaluation = Evaluation {
                value: Some(Value::Cp(cp)),
                engine: Some("A".to_owned()),
                ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
            };
            EngineResult {
                engine: "A".to_owned(),
                model: WinRateModel::default(),
                evaluations: vec![evaluation],
            }
        };
        let other = EngineResult {
            engine: "B".to_owned(),
            ..result(3)
        };
        let text = [
            write(PositionKey(1), &result(1)),
            write(PositionKey(1), &other),
            write(PositionKey(1), &result(2)),
            write(PositionKey(2), &result(4)),
        ];
        let known = read(text.concat().as_bytes());
        assert_eq!(known.len(), 2);
        let values: Vec<_> = known[&PositionKey(1)]
            .iter()
            .map(|result| result.evaluations[0].value)
            .collect();
        assert_eq!(values, [Some(Value::Cp(3)), Some(Value::Cp(2))]);
        let text = text.concat();
        assert_eq!(
            remove_results(text.as_bytes(), &["A"]),
            write(PositionKey(1), &other).into_bytes()
        );
        assert_eq!(remove_results(text.as_bytes(), &["A", "B"]), b"");
        assert_eq!(remove_results(text.as_bytes(), &["C"]), text.as_bytes());
    }
}
