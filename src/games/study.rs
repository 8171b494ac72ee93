//! The study of a game record: the edited document, move texts, evaluations and mistakes, guesses and drill cards,
//! questions to the engine, and the variation tree. Pure: no I/O.

mod document;
mod drill;
mod evaluation_cache;
mod guess;
mod inquiry;
mod insight;
mod live_values;
mod mistake;
mod move_rows;
mod node_texts;
mod tree;

pub use document::{Document, DocumentEdit, MoveRefusal};
pub use drill::{CardId, DrillCard, DrillDeck, DrillLine, DrillOutcome, drill_cards};
pub use evaluation_cache::EvaluationCache;
pub use guess::{GuessSession, GuessState};
pub use inquiry::{Inquiry, InquiryAnswer, InquiryKind};
pub use insight::{EvaluationSeries, RecordInsight};
pub use live_values::LiveValues;
pub use mistake::{LineMates, Mistake};
pub use move_rows::{MoveRow, MoveRows, rows};
pub use node_texts::NodeTexts;
pub use tree::{TreeCell, VariationTree};

/// The user's answer to the question about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsavedAnswer {
    /// Save the changes first.
    Save,
    /// Discard the changes.
    Discard,
    /// Discard the changes of all games, because the program ends.
    DiscardAll,
    /// Cancel the action.
    Cancel,
}
