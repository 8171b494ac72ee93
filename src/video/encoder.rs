//! Drawing of the scenes, and the file of a video.

use crate::ffmpeg::{FRAMES_PER_SECOND, Ffmpeg};
use crate::scene::{GameVideo, VideoScene};
use shogibar_base::file_error::{FileError, WriteError};
use shogibar_files::{PartFile, read, write_whole};
use shogibar_ui::fonts::FontChoice;
use shogibar_ui::png::{AnimatedPng, EncodeError};
use shogibar_ui::snapshot::{PictureSize, RgbaPicture, SizeError, SnapshotRenderer};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The width and the height of an MP4 video, in pixels.
const VIDEO_SIZE: [u32; 2] = [1280, 720];
/// The width and the height of an animated PNG in points, and its pixels per point.
const ANIMATION_SIZE: (u32, u32, f32) = (1280, 720, 0.75);
/// The largest video, in bytes: more than that of a day.
const MAX_FILE_BYTES: usize = 1 << 30;
/// The time in which the bar moves to the share of a new position.
const MOTION: Duration = Duration::from_millis(200);

/// A video file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedVideo {
    /// The path. Without ffmpeg, it ends in `.png`.
    pub path: PathBuf,
    /// Whether the file is an animated PNG because there is no ffmpeg.
    pub lacks_ffmpeg: bool,
}

/// The reason why a video was not written.
#[derive(Debug, Error)]
pub enum VideoError {
    /// The caller has cancelled it.
    #[error("the video was cancelled")]
    Cancelled,
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] WriteError),
    /// The video of ffmpeg cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),
    /// ffmpeg cannot be started, or has failed. Holds what it says.
    #[error("ffmpeg: {0}")]
    Ffmpeg(String),
    /// ffmpeg has ended, and says nothing of a failure. It has written no video.
    #[error("ffmpeg has written no video")]
    NoVideo,
    /// The game has more moves than a video shows. Holds the limit.
    #[error("a video has at most {0} moves")]
    TooLong(usize),
    /// Without ffmpeg, the video would be this file, which exists.
    #[error("{0} exists")]
    Exists(PathBuf),
    /// A picture cannot be drawn. This does not happen, because the sizes are constants.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The name ends in neither `.mp4` nor `.png`.
    #[error("{0} has to end in .mp4 or .png")]
    Name(String),
}

/// Writes a video: MP4 by `ffmpeg`, or an animated PNG if the name ends in `.png` or there is no ffmpeg. `progress` is
/// called for each picture with the number of scenes drawn and the number of all, and cancels by [`ControlFlow::Break`].
/// An existing file is replaced once the new one is whole, except a PNG file in place of an MP4 file.
///
/// # Errors
/// Fails if the file cannot be written, ffmpeg fails, or `progress` cancels. An existing file is then unchanged.
pub fn save(
    video: &GameVideo,
    path: &Path,
    ffmpeg: Option<&Path>,
    progress: &mut dyn FnMut([usize; 2]) -> ControlFlow<()>,
) -> Result<SavedVideo, VideoError> {
    let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase());
    match (extension.as_deref(), ffmpeg) {
        (Some("mp4"), Some(ffmpeg)) => save_mp4(video, path, ffmpeg, progress)?,
        (Some("mp4"), None) => {
            // The user was not asked about a file of this name.
            let path = path.with_extension("png");
            if path.exists() {
                return Err(VideoError::Exists(path));
            }
            save_animation(video, &path, progress)?;
            return Ok(SavedVideo {
                path,
                lacks_ffmpeg: true,
            });
        }
        (Some("png"), _) => save_animation(video, path, progress)?,
        _ => return Err(VideoError::Name(path.display().to_string())),
    }
    Ok(SavedVideo {
        path: path.to_owned(),
        lacks_ffmpeg: false,
    })
}

/// Writes an MP4 file. Each scene begins with the motion of the bar.
fn save_mp4(
    video: &GameVideo,
    path: &Path,
    ffmpeg: &Path,
    progress: &mut dyn FnMut([usize; 2]) -> ControlFlow<()>,
) -> Result<(), VideoError> {
    let part = PartFile::create_beside(path)?;
    let [width, height] = VIDEO_SIZE;
    let mut painter = Painter::new(video, PictureSize::new(width, height, 1.0)?);
    let size = VIDEO_SIZE.map(|side| usize::try_from(side).unwrap_or_default());
    let mut ffmpeg = Ffmpeg::start(ffmpeg, &absolute(part.path()), size)
        .map_err(|error| VideoError::Ffmpeg(error.to_string()))?;
    let all = video.scenes.len();
    let (mut share, mut owed) = (None, 0.0);
    for (nth, scene) in video.scenes.iter().enumerate() {
        // Parts of a picture are carried over, so that a long video keeps its time.
        owed += scene.time.as_secs_f64() * f64::from(FRAMES_PER_SECOND);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most some thousands"
        )]
        let count = owed as usize;
        owed -= count as f64;
        let (from, to) = (share.unwrap_or_else(|| scene.share()), scene.share());
        let mut image = None;
        for picture in 0..count {
            go_on(progress([nth, all]))?;
            let part = picture as f32 / (MOTION.as_secs_f32() * FRAMES_PER_SECOND as f32);
            let is_moving = part < 1.0 && from.to_bits() != to.to_bits();
            let drawn = if is_moving {
                painter.draw(scene, to + (from - to) * (1.0 - part).powi(3))
            } else {
                image.take().unwrap_or_else(|| painter.draw(scene, to))
            };
            if ffmpeg.add(drawn.as_raw()).is_err() {
                let failed = ffmpeg.finish();
                return Err(failed.map_or_else(VideoError::Ffmpeg, |()| VideoError::NoVideo));
            }
            if !is_moving {
                image = Some(drawn);
            }
        }
        share = Some(to);
    }
    go_on(progress([all, all]))?;
    ffmpeg.finish().map_err(VideoError::Ffmpeg)?;
    go_on(progress([all, all]))?;
    // The new file has the rights of the user's other files, which the temporary one has not.
    let file = read(part.path(), MAX_FILE_BYTES)?;
    if file.get(4..8) != Some(b"ftyp") {
        return Err(VideoError::NoVideo);
    }
    Ok(write_whole(path, &file)?)
}

/// Writes an animated PNG file, with a picture for each scene.
fn save_animation(
    video: &GameVideo,
    path: &Path,
    progress: &mut dyn FnMut([usize; 2]) -> ControlFlow<()>,
) -> Result<(), VideoError> {
    let (width, height, scale) = ANIMATION_SIZE;
    let mut painter = Painter::new(video, PictureSize::new(width, height, scale)?);
    let all = video.scenes.len();
    let Some((first, others)) = video.scenes.split_first() else {
        return Ok(());
    };
    // A folder that cannot be written to is noticed before the work.
    let _part = PartFile::create_beside(path)?;
    let mut file = Vec::new();
    let image = painter.draw(first, first.share());
    let mut animation = AnimatedPng::begin(&mut file, all, image, first.time)?;
    for (nth, scene) in (1..).zip(others) {
        go_on(progress([nth, all]))?;
        animation.add(painter.draw(scene, scene.share()), scene.time)?;
    }
    animation.finish()?;
    go_on(progress([all, all]))?;
    Ok(write_whole(path, &file)?)
}

/// Returns the absolute path: ffmpeg reads the beginning of a relative one such as `12:30.mp4` as a protocol.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn go_on(flow: ControlFlow<()>) -> Result<(), VideoError> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(VideoError::Cancelled),
    }
}

/// Draws scenes.
struct Painter<'a> {
    renderer: SnapshotRenderer,
    video: &'a GameVideo,
    size: PictureSize,
}

impl<'a> Painter<'a> {
    fn new(video: &'a GameVideo, size: PictureSize) -> Self {
        Self {
            renderer: SnapshotRenderer::with_fonts(&FontChoice::default()),
            video,
            size,
        }
    }

    fn draw(&mut self, scene: &VideoScene, share: f32) -> RgbaPicture {
        self.renderer
            .draw_board_page(&scene.content, share, &self.video.style, self.size)
    }
}

#[cfg(test)]
mod tests;
