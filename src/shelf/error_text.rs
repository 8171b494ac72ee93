//! The sentences about problems of an update.

use crate::update::ShelfProblem;
use shogibar_base::{Lang, file_error_text};
use shogibar_kifu::UnreadableRecord;

impl ShelfProblem {
    /// Returns the sentence about the problem for the user.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::File(error) => file_error_text::file_error(error, lang),
            Self::NoRecord(path, error) => {
                UnreadableRecord::about(&error.into(), &path.display().to_string(), lang)
            }
        }
    }
}
