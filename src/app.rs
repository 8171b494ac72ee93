//! The application around the bar: its pure core, the threads that carry out its effects, and the windows.

pub mod action;
pub mod bar;
pub mod command_action;
pub mod effects;
#[cfg(feature = "gui")]
pub mod engine_manager;
#[cfg(feature = "gui")]
pub mod folder_analysis;
pub mod game;
pub mod game_analysis;
#[cfg(feature = "gui")]
pub mod gui;
pub mod hand_over;
pub mod ids;
pub mod model;
pub mod notices;
pub mod observed_game;
#[cfg(feature = "gui")]
pub mod own_fits;
pub mod pages;
pub mod preferences;
pub mod recent;
pub mod record_file;
#[cfg(feature = "gui")]
pub mod system_fonts;
#[cfg(test)]
mod test_folder;
#[cfg(feature = "gui")]
pub mod updates;
pub mod viewer;
pub mod workspace;
