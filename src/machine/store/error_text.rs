//! The texts of the store's read and write errors.

use super::{ConfigUnreadable, ConfigUnwritable, StoreError};
use crate::files::{FileError, WriteError};
use crate::text::{CauseText, failure};

impl ConfigUnreadable {
    /// Returns the error with the path.
    pub const fn file(&self) -> &FileError {
        &self.0
    }
}

impl ConfigUnwritable {
    /// Returns the error with the path.
    pub const fn file(&self) -> &WriteError {
        &self.0
    }
}

impl From<&ConfigUnreadable> for CauseText {
    fn from(why: &ConfigUnreadable) -> Self {
        why.file().into()
    }
}

impl From<&ConfigUnwritable> for CauseText {
    fn from(why: &ConfigUnwritable) -> Self {
        why.file().into()
    }
}

impl From<&StoreError> for CauseText {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::Unreadable(why) => why.into(),
            StoreError::Unwritable(why) => why.into(),
            StoreError::Busy(path) => Self::new(|lang| failure::busy(path, lang)),
        }
    }
}
