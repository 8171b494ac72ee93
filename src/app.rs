//! The program around the bar: what the user asks for, and the windows it is asked in.

pub mod analyst;
#[cfg(feature = "gui")]
pub mod gui;
pub mod papers;
pub mod preferences;
#[cfg(test)]
mod scratch;
pub mod state;
#[cfg(feature = "gui")]
pub mod typefaces;
#[cfg(feature = "gui")]
pub mod updates;
pub mod viewer;
#[cfg(feature = "gui")]
pub mod workshop;
