//! The application around the bar: the user's actions, and the windows.

pub mod analysis_controller;
pub mod command_action;
pub mod effects;
#[cfg(feature = "gui")]
pub mod engine_manager;
#[cfg(feature = "gui")]
pub mod gui;
pub mod model;
pub mod preferences;
pub mod record_file;
pub mod state;
#[cfg(feature = "gui")]
pub mod system_fonts;
#[cfg(test)]
mod test_folder;
#[cfg(feature = "gui")]
pub mod updates;
pub mod viewer;
