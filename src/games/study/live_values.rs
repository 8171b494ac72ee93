//! The values that engines have shown for the positions of a game.

use super::EvaluationSeries;
use shogibar_shogi::score::{Value, WinRateModel};

/// The values that engines have shown for the positions of a game, including values that the record lacks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveValues {
    /// The version, which differs after every change of the values while the revision of the record stays.
    pub version: u64,
    /// The values of each engine along the current line.
    pub line: Vec<EvaluationSeries>,
    /// The values of each engine along the main line; empty while the main line is the current line.
    pub main_line: Vec<EvaluationSeries>,
    /// The values along the current line by background searches, by ply from the start. These values do not assess
    /// moves.
    pub filled_values: Vec<Option<(Value, WinRateModel)>>,
}

impl EvaluationSeries {
    /// Removes the values of positions for which one of `others` has a value. Returns whether a value remains.
    pub fn mask(&mut self, others: &[&Self]) -> bool {
        for (ply, value) in self.values.iter_mut().enumerate() {
            if others
                .iter()
                .any(|other| other.values.get(ply).is_some_and(Option::is_some))
            {
                *value = None;
            }
        }
        self.values.iter().any(Option::is_some)
    }

    /// Returns the value at a ply of the line, and the scale of the evaluator; `None` without a value.
    pub fn value(&self, ply: usize) -> Option<(Value, WinRateModel)> {
        Some(((*self.values.get(ply)?)?, self.model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Evaluator;

    #[test]
    fn masked_values_are_unique() {
        let series = |name: &str, values: &[Option<i32>]| EvaluationSeries {
            evaluator: Evaluator::Engine(name.to_owned()),
            is_judge: false,
            values: values.iter().map(|value| value.map(Value::Cp)).collect(),
            model: WinRateModel::default(),
        };
        let mut live = series("live", &[Some(1), Some(2), None, Some(4)]);
        assert!(live.mask(&[&series("a", &[Some(9)]), &series("b", &[None, None, Some(9)])]));
        assert_eq!(live, series("live", &[None, Some(2), None, Some(4)]));
        assert_eq!(live.value(1), Some((Value::Cp(2), WinRateModel::default())));
        assert_eq!([live.value(0), live.value(9)], [None, None]);
        assert!(!live.mask(&[&series("a", &[Some(9); 4])]));
    }
}
