//! Why something was not read or written, in the user's language.

use super::{StoreError, Unreadable, Unwritable};
use crate::files::{FileError, WriteError};
use crate::text::{Cause, failure};

impl Unreadable {
    /// Which file, and why.
    pub(crate) const fn file(&self) -> &FileError {
        &self.0
    }
}

impl Unwritable {
    /// Which file, and why.
    pub(crate) const fn file(&self) -> &WriteError {
        &self.0
    }
}

impl From<&Unreadable> for Cause {
    fn from(why: &Unreadable) -> Self {
        why.file().into()
    }
}

impl From<&Unwritable> for Cause {
    fn from(why: &Unwritable) -> Self {
        why.file().into()
    }
}

impl From<&StoreError> for Cause {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::Unreadable(why) => why.into(),
            StoreError::Unwritable(why) => why.into(),
            StoreError::Busy(path) => Self::new(|lang| failure::busy(path, lang)),
        }
    }
}
