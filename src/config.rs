//! What is set: the engines this program knows.

mod presets;

pub use presets::{Preset, Presets};
