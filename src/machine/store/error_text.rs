//! The texts of the store's read and write errors.

use super::{ConfigReadError, ConfigWriteError, StoreError};
use shogibar_base::file_error::{FileError, WriteError};
use shogibar_base::{CauseText, file_error_text};

impl ConfigReadError {
    /// Returns the error with the path.
    pub const fn file(&self) -> &FileError {
        &self.0
    }
}

impl ConfigWriteError {
    /// Returns the error with the path.
    pub const fn file(&self) -> &WriteError {
        &self.0
    }
}

impl From<&ConfigReadError> for CauseText {
    fn from(why: &ConfigReadError) -> Self {
        why.file().into()
    }
}

impl From<&ConfigWriteError> for CauseText {
    fn from(why: &ConfigWriteError) -> Self {
        why.file().into()
    }
}

impl From<&StoreError> for CauseText {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::Unreadable(why) => why.into(),
            StoreError::Unwritable(why) => why.into(),
            StoreError::Busy(path) => Self::new(|lang| file_error_text::busy(path, lang)),
        }
    }
}
