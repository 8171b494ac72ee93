//! The result of a frame of a dialog, which is shown over a page or in a separate small window.

/// The result of a frame of a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogEnd<T> {
    /// The dialog stays open.
    Stays,
    /// The user has closed the dialog, or has gone elsewhere.
    Closed,
    /// The user has completed the dialog.
    Done(T),
}

impl<T> DialogEnd<T> {
    /// Returns the result with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> DialogEnd<U> {
        match self {
            Self::Stays => DialogEnd::Stays,
            Self::Closed => DialogEnd::Closed,
            Self::Done(value) => DialogEnd::Done(change(value)),
        }
    }
}
