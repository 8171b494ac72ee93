//! The reason why a file cannot be indexed, as a sentence.

use crate::update::ShelfProblem;
use shogibar_text::{Lang, Message, system};

impl ShelfProblem {
    /// Returns the sentence of the problem.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::File(error) => system::file_error(error, lang),
            Self::NoRecord(path, error) => {
                Message::RecordUnreadable(path.display().to_string(), error.into()).text(lang)
            }
        }
    }
}
