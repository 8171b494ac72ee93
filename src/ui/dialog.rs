//! Dialogs over a page or in a separate small window: the result of a frame, and whether one covers the page.

use eframe::egui;
use egui::{Context, Order};

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

/// Returns whether a dialog is open over the page of this window.
pub(crate) fn is_any_open(ctx: &Context) -> bool {
    ctx.memory(|memory| memory.areas().visible_layer_ids().iter().any(|layer| layer.order == Order::Middle))
}
