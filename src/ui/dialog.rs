//! Dialogs over a page or in a separate small window: the state after a frame, and whether one covers the page.

use eframe::egui;
use egui::{Context, Order};

/// The state of a dialog after a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogStatus<T> {
    /// The dialog is still open.
    Open,
    /// The user has closed the dialog without a choice.
    Closed,
    /// The user has completed the dialog with this value.
    Done(T),
}

impl<T> DialogStatus<T> {
    /// Converts the value of a completed dialog.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> DialogStatus<U> {
        match self {
            Self::Open => DialogStatus::Open,
            Self::Closed => DialogStatus::Closed,
            Self::Done(value) => DialogStatus::Done(change(value)),
        }
    }
}

pub(crate) fn is_any_open(ctx: &Context) -> bool {
    ctx.memory(|memory| {
        memory
            .areas()
            .visible_layer_ids()
            .iter()
            .any(|layer| layer.order == Order::Middle)
    })
}
