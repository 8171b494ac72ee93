//! An evaluation of a comment before its pv is parsed.

use super::Evaluation;

/// An evaluation whose pv has not been parsed yet.
#[derive(Debug)]
pub(super) struct EvaluationBlock<'a> {
    /// The evaluation without its pv.
    pub(super) evaluation: Evaluation,
    /// The text of the pv; `None` if there is none.
    pub(super) pv_text: Option<&'a str>,
    /// The indices of the evaluation's lines in the comment, from 0, in order.
    pub(super) line_indices: Vec<usize>,
}

/// An evaluation in a single line, with the text of its pv.
pub(super) type SingleLine<'a> = (Evaluation, Option<&'a str>);
