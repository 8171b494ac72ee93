//! What comes of a frame of a dialog, wherever it is shown: over a page or in a small window of its own.

/// What came of a frame of a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogEnd<T> {
    /// It stays open.
    Stays,
    /// The user has closed it, or has gone elsewhere.
    Closed,
    /// The user has done what it is for.
    Done(T),
}

impl<T> DialogEnd<T> {
    /// Returns the same with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> DialogEnd<U> {
        match self {
            Self::Stays => DialogEnd::Stays,
            Self::Closed => DialogEnd::Closed,
            Self::Done(value) => DialogEnd::Done(change(value)),
        }
    }
}
