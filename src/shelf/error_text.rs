//! The sentences about problems of an update.

use crate::update::ShelfProblem;
use shogibar_base::Lang;
use shogibar_text::{Message, system};

impl ShelfProblem {
    /// Returns the sentence about the problem for the user.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::File(error) => system::file_error(error, lang),
            Self::NoRecord(path, error) => {
                Message::RecordUnreadable(path.display().to_string(), error.into()).text(lang)
            }
        }
    }
}
