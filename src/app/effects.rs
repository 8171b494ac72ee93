//! The threads that carry out the effects of the model.

pub mod analysis;
pub mod drill;
pub mod files;
#[cfg(feature = "gui")]
pub mod folder;
pub mod jobs;
#[cfg(feature = "gui")]
pub mod local_socket;
pub mod pages;
pub mod pieces_file;
pub mod profiles;
pub mod sources;
pub mod ticks;

#[cfg(feature = "gui")]
pub(in crate::app) use sources::read_clipboard;
