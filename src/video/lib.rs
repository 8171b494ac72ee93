//! A game as a video: the board page of each position, with the bar, the last move and the card of a turning point.
//!
//! [`GameVideo`] has the scenes of a record with their times. [`save`] draws them and writes the file: MP4 by ffmpeg if
//! the machine has it, or else an animated PNG. Both take long, and are called on a thread of their own.

mod encoder;
mod ffmpeg;
mod scene;
mod timing;
pub mod video_text;

pub use encoder::{SavedVideo, VideoError, save};
pub use ffmpeg::find_ffmpeg;
pub use scene::{GameVideo, VideoOptions, VideoScene};
