//! `shogibar video`: a game as a video, without a window.

use super::snapshot::{load_theme, read_game};
use super::{CliOutcome, Streams, one_of};
use crate::cli::command_error::CommandError;
use anyhow::{anyhow, ensure};
use shogibar_builtin::Control;
use shogibar_config::{Rgba, Theme, VideoPace};
use shogibar_games::analysis::EngineScales;
use shogibar_model::Message;
use shogibar_programme::Credit;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_video::{GameVideo, VideoOptions, find_ffmpeg, save};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `shogibar video`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The evaluations and the marks are those in the record. An MP4 file needs ffmpeg.")]
pub(super) struct Arguments {
    /// A game record, or `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The video to write: FILE.mp4, or FILE.png for an animated picture. Without ffmpeg, it is FILE.png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How long each position is shown: one to three seconds, or in proportion to the players' times
    #[arg(long, value_name = "P", default_value = VideoPace::Two.name(), value_parser = one_of(VideoPace::NAMES, VideoPace::from_name))]
    pace: VideoPace,
    /// The theme: `ink`, `paper`, `broadcast`, `contrast`, `chroma`, or the name or file of your own
    #[arg(long, value_name = "T", default_value = Theme::<Rgba>::DEFAULT)]
    theme: String,
}

/// The length of the beginning of a file that shows its kind, in bytes.
const HEAD_BYTES: u64 = 12;

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let lang = streams.lang;
    let ffmpeg = find_ffmpeg();
    let path = &arguments.output;
    check_replaceable(path)?;
    let (theme, theme_outcome) = load_theme(&arguments.theme, lang, streams)?;
    let (record, record_outcome) = read_game(&arguments.input, lang, streams)?;
    let options = VideoOptions {
        pace: arguments.pace,
        credit: Credit::default(),
        is_hidden: false,
        scales: EngineScales::default(),
        style: OverlayStyle::new(theme, lang),
    };
    let video = GameVideo::new(Arc::new(record), &options, &Control::default());
    let saved = video
        .and_then(|video| {
            save(
                &video,
                path,
                ffmpeg.as_deref(),
                &mut |_| ControlFlow::Continue(()),
            )
        })
        .map_err(|error| anyhow!(Message::VideoNotSaved(error.cause()).text(lang)))?;
    if saved.lacks_ffmpeg {
        let notice = Message::AnimationSaved(saved.path.display().to_string());
        writeln!(streams.err, "{}", notice.text(lang))?;
    }
    Ok([theme_outcome, record_outcome]
        .into_iter()
        .find(|outcome| *outcome == CliOutcome::Problems)
        .unwrap_or(CliOutcome::Done))
}

/// Refuses to replace a file that is neither a video nor a PNG image.
fn check_replaceable(path: &Path) -> anyhow::Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let head = shogibar_files::read_head(path, HEAD_BYTES)?;
    let is_video = head.get(4..8) == Some(b"ftyp") || head.starts_with(b"\x89PNG");
    ensure!(
        head.is_empty() || is_video,
        CommandError::NotVideo(path.to_owned())
    );
    Ok(())
}
