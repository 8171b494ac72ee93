//! The program around the model: the threads that carry out its effects, the user's preferences, and the windows.

pub mod effects;
#[cfg(feature = "gui")]
pub mod engine_manager;
#[cfg(feature = "gui")]
pub mod gui;
pub mod preferences;
#[cfg(feature = "gui")]
pub mod system_fonts;
#[cfg(test)]
mod test_folder;
#[cfg(feature = "gui")]
pub mod updates;
#[cfg(feature = "gui")]
pub mod user_fits;
pub mod viewer;
