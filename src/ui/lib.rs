//! The user interface draws values that other modules compute. Only `fonts` reads files: the system's fonts. Nothing
//! here uses a process or a socket.

pub mod access;
pub mod address;
pub mod board;
mod canvas;
mod copied;
pub mod correction;
pub mod desk;
pub mod dialog;
pub mod display_list;
pub mod engines;
mod focus_keys;
pub mod folder;
pub mod font_sample;
pub mod fonts;
mod frame_pacer;
pub mod game_list;
mod glide;
pub mod graph;
mod key_capture;
mod obs_page_painter;
pub mod overlay;
pub mod page_tabs;
pub mod palette;
pub mod players;
pub mod png;
pub mod programme;
pub mod raster;
pub mod report;
pub mod settings;
pub mod shortcut;
pub mod snapshot;
pub mod study;
mod svg;
mod text_runs;
pub mod theme;
mod waker;
pub mod win_rate_curve_picture;

pub use focus_keys::FocusKeys;
pub use frame_pacer::FramePacer;
pub use obs_page_painter::{ObsPagePainter, obs_page_style};
pub use theme::PaintTheme;
pub use waker::ViewportWaker;
