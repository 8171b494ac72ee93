//! `shogibar snapshot`: the overlay as an image, without a window.

use super::failure::ErrorLines;
use super::show::parse_ply;
use super::{CliOutcome, Streams, one_of};
use crate::cli::command_error::CommandError;
use crate::cli::usage_text::ExpectedValue;
use anyhow::{anyhow, bail, ensure};
use shogibar_base::Lang;
use shogibar_builtin::Control;
use shogibar_config::{Layout, Percent, Rgba, SettingProblem, TextSize, warning_text};
use shogibar_engine::option_text;
use shogibar_engine::options::Limit;
use shogibar_engine::session::{RestartPolicy, Session, SessionConfig};
use shogibar_games::analysis::EngineScales;
use shogibar_games::bar::{BarNotice, BarView, EngineReport};
use shogibar_games::convert_text;
use shogibar_kifu::{Record, UnreadableRecord, record_text};
use shogibar_machine::discovery::{self, FoundEngine};
use shogibar_machine::store::{ThemeEntry, ThemeReading};
use shogibar_model::bars::Bar;
use shogibar_model::game::Game;
use shogibar_model::{EngineId, Message};
use shogibar_ui::fonts::FontChoice;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::snapshot::{self, PictureSize, SnapshotRenderer};
use shogibar_ui::{PaintTheme, png};
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// The arguments of `shogibar snapshot`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The evaluation is the one in the record, unless an engine is named. If a file has several \
    games, the first is shown."
)]
pub(super) struct Arguments {
    /// A game record, or `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The image to write, a PNG; `-` is standard output
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
    /// Show the position after this many moves of the main line [default: its end]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_ply)]
    ply: Option<usize>,
    /// The layout
    #[arg(long, value_name = "L", default_value = Layout::Full.name(), value_parser = one_of(Layout::NAMES, Layout::from_name))]
    layout: Layout,
    /// The theme: `ink`, `paper`, `broadcast`, `contrast`, `chroma`, or the name or file of your own
    #[arg(long, value_name = "T", default_value = shogibar_config::Theme::<Rgba>::DEFAULT)]
    theme: String,
    /// The size in points, such as 1080x204 [default: that of the layout]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Pixels per point, 0.5 to 8; 2 is for a screen at 200 %
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_hyphen_values = true, value_parser = parse_scale)]
    scale: f32,
    /// The size of the letters in percent, 70 to 150
    #[arg(long, value_name = "P", default_value_t = 100, value_parser = parse_letters)]
    letters: u8,
    /// The engine to search with: a profile's name, a program's name, a path, or `builtin`
    #[arg(long, value_name = "ENGINE")]
    engine: Option<OsString>,
    #[command(flatten)]
    log: super::LogArgument,
    /// How long the engine may search, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, requires = "engine")]
    movetime: u64,
}

/// The maximum size of an existing image that is replaced, in bytes. Pictures of this program are smaller.
const MAX_IMAGE_BYTES: usize = 512 << 20;

fn parse_scale(text: &str) -> Result<f32, ExpectedValue> {
    // The range is checked with the resulting size.
    text.parse().ok().ok_or(ExpectedValue::Number(0.5, Some(8.0)))
}

fn parse_letters(text: &str) -> Result<u8, ExpectedValue> {
    let (min, max) = TextSize::RANGE.into_inner();
    let number = text
        .trim_end_matches('%')
        .trim()
        .parse()
        .ok()
        .filter(|percent| TextSize::RANGE.contains(percent));
    number.ok_or_else(|| ExpectedValue::Number(f64::from(min), Some(f64::from(max))))
}

fn parse_size(text: &str) -> Result<[u32; 2], ExpectedValue> {
    let sides = text.split_once(['x', 'X', '×']);
    let sides =
        sides.and_then(|(width, height)| Some([width.trim().parse().ok()?, height.trim().parse().ok()?]));
    sides.ok_or(ExpectedValue::Size)
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let lang = streams.lang;
    // A picture that cannot be drawn or written is reported before the engine is started.
    arguments.picture_size(&BarView::default())?;
    check_replaceable(&arguments.output)?;
    ensure!(
        arguments.output != Path::new("-") || !streams.out.is_terminal(),
        CommandError::PictureOnTerminal
    );
    let (theme, theme_outcome) = load_theme(&arguments.theme, lang, streams)?;
    let (mut game, record_outcome) = arguments.open(lang, streams)?;
    while !game.read_comments() {}
    while !game.update_insight(&EngineScales::default()) {}
    game.find_facts(&Control::default());
    let is_unevaluated =
        arguments.engine.is_none() && game.record_snapshot().is_none() && game.ending().is_none();
    let view = match &arguments.engine {
        Some(engine) => arguments.search_position(engine, &game, streams)?,
        None => view_from_record(&game, lang),
    };
    let style = OverlayStyle {
        layout: arguments.layout,
        text_size: Percent(arguments.letters),
        ..OverlayStyle::new(theme, lang)
    };
    let size = arguments.picture_size(&view)?;
    let image =
        png::encode(&SnapshotRenderer::with_fonts(&FontChoice::default()).draw_overlay(&view, &style, size))?;
    if arguments.output == Path::new("-") {
        streams.out.exact().write_all(&image)?;
    } else {
        shogibar_files::write_whole(&arguments.output, &image)?;
    }
    if is_unevaluated {
        let message = Message::RecordUnevaluated.text(lang);
        writeln!(
            streams.err,
            "{message}{}{}",
            lang.pick("", " "),
            convert_text::evaluate_by_engine(lang)
        )?;
    }
    let has_problems = [theme_outcome, record_outcome].contains(&CliOutcome::Problems);
    Ok(if has_problems {
        CliOutcome::Problems
    } else {
        CliOutcome::Done
    })
}

/// Returns a theme by its name or file: the user's theme, or a built-in one. The outcome is `Problems` if an entry of
/// the theme's file was not understood.
pub(super) fn load_theme(
    name: &str,
    lang: Lang,
    streams: &mut Streams<'_>,
) -> anyhow::Result<(PaintTheme, CliOutcome)> {
    let path = PathBuf::from(name);
    let (path, reading) = if path.extension().is_some_and(|end| end == "toml") {
        let reading = ThemeReading::from_file(&path)?;
        (path, reading)
    } else {
        let entry = ThemeEntry::find(super::store().as_ref(), name)?;
        let entry = entry.ok_or_else(|| {
            CommandError::NoTheme(
                name.to_owned(),
                shogibar_config::Theme::names().map(str::to_owned).collect(),
            )
        })?;
        (entry.file.unwrap_or_default(), entry.reading)
    };
    if let Some(why) = reading.toml_error {
        bail!("{}: {}", path.display(), warning_text::no_theme(&why, lang));
    }
    for finding in &reading.findings {
        writeln!(
            streams.err,
            "{}: {}",
            path.display(),
            warning_text::finding(finding, lang)
        )?;
    }
    let is_fine = reading
        .findings
        .iter()
        .all(|finding| matches!(finding.problem, SettingProblem::LowContrast { .. }));
    let outcome = if is_fine {
        CliOutcome::Done
    } else {
        CliOutcome::Problems
    };
    Ok((shogibar_ui::theme::from_config(reading.theme), outcome))
}

impl Arguments {
    fn picture_size(&self, view: &BarView) -> anyhow::Result<PictureSize> {
        let [width, height] = self
            .size
            .unwrap_or_else(|| snapshot::default_size(self.layout, view));
        Ok(PictureSize::new(width, height, self.scale)?)
    }

    /// Returns the game at the requested position. The outcome is `Problems` if content of the record was
    /// lost.
    fn open(&self, lang: Lang, streams: &mut Streams<'_>) -> anyhow::Result<(Game, CliOutcome)> {
        let (game, outcome) = read_game(&self.input, lang, streams)?;
        let ply = self.ply(&game)?;
        let mut shown = Game::new(lang);
        shown.open(game);
        shown.go_to(ply);
        Ok((shown, outcome))
    }

    /// Returns the requested number of moves; without one, [`usize::MAX`] for the end. Fails beyond the end.
    fn ply(&self, game: &Record) -> anyhow::Result<usize> {
        let Some(ply) = self.ply else {
            return Ok(usize::MAX);
        };
        ensure!(ply <= game.len(), CommandError::NoPly(ply, game.len()));
        Ok(ply)
    }

    /// Searches the position with an engine. Returns the bar after the search.
    fn search_position(
        &self,
        engine: &OsStr,
        game: &Game,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<BarView> {
        let profiles = super::profiles(super::store().as_ref(), streams.lang, streams)?.value;
        let engine = discovery::find(engine, &profiles).map_err(CommandError::NoExecutablePath)?;
        let (sender, wake_events) = sync_channel(1);
        let wake = move || {
            // A full channel means that an event is pending already.
            let _already_pending = sender.try_send(());
        };
        let settings = session_config(&engine, Duration::from_millis(self.movetime));
        let log = self.log.open();
        let session = Session::start_recorded(engine.program, settings, log.recorder(&engine.name), wake);
        let session = session.map_err(CommandError::NoThread)?;
        let (mut bar, lang) = (Bar::default(), streams.lang);
        session.set_target(bar.search_target(game));
        // Rejected options are reported on standard error, not in the picture.
        bar.add_engine(EngineReport {
            name: engine.name,
            has_dismissed_rejections: true,
            ..EngineReport::default()
        });
        let mut rejected = Vec::new();
        loop {
            if let Some(snapshot) = session.snapshot() {
                rejected.clone_from(&snapshot.rejected_options);
                bar.update_engine(EngineId::default(), snapshot);
            }
            let view = bar.input(game).view(None, lang);
            if let Some(notice) = view.failures().first() {
                let details = notice.details.iter().map(|line| format!("  {line}"));
                bail!(ErrorLines(
                    std::iter::once(notice.full().to_owned()).chain(details).collect()
                ));
            }
            if bar.is_search_done(game) {
                drop(session);
                for problem in log.take_problems() {
                    writeln!(streams.err, "{}", problem.text(lang))?;
                }
                for option in &rejected {
                    writeln!(streams.err, "{}", option_text::rejected_option(option, lang))?;
                }
                bar.find_last_reason(game, &Control::default());
                return Ok(bar.input(game).view(None, lang));
            }
            // The session lives as long as this loop, so the channel does not close.
            let _woken = wake_events.recv();
        }
    }
}

/// Returns the first game of a file, or of standard input for `-`. The outcome is `Problems` if content of the record was
/// lost.
pub(super) fn read_game(
    input: &Path,
    lang: Lang,
    streams: &mut Streams<'_>,
) -> anyhow::Result<(Record, CliOutcome)> {
    let is_input = input == Path::new("-");
    let name = if is_input {
        convert_text::standard_input(lang).to_owned()
    } else {
        input.display().to_string()
    };
    let unreadable = |why| anyhow!(UnreadableRecord::about(&why, &name, lang));
    let bytes = if is_input {
        shogibar_files::read_from(streams.input, shogibar_kifu::MAX_BYTES).map_err(CommandError::Input)?
    } else {
        shogibar_files::read_input(input, shogibar_kifu::MAX_BYTES)
            .map_err(|error| unreadable((&error).into()))?
    };
    let (game, warnings) =
        shogibar_kifu::read_first(&bytes, input).map_err(|error| unreadable((&error).into()))?;
    for warning in &warnings {
        writeln!(
            streams.err,
            "{}:{}",
            input.display(),
            record_text::warning(warning, lang)
        )?;
    }
    let has_lost = warnings.iter().any(|warning| warning.problem.is_loss());
    let outcome = if has_lost {
        CliOutcome::Problems
    } else {
        CliOutcome::Done
    };
    Ok((game, outcome))
}

fn session_config(engine: &FoundEngine, time_limit: Duration) -> SessionConfig {
    // A picture needs an evaluation at once, whatever limit the profile has.
    SessionConfig {
        restart_policy: RestartPolicy::never(),
        limit: Limit::Infinite,
        time_limit: Some(time_limit),
        ..engine.session(1)
    }
}

/// Returns the bar with the evaluation of the record in place of an engine.
fn view_from_record(game: &Game, lang: Lang) -> BarView {
    let mut bar = Bar::default();
    let snapshot = game.record_snapshot();
    let notice = snapshot
        .is_none()
        .then(|| BarNotice::new(Message::RecordUnevaluated.text(lang)));
    if let Some(snapshot) = snapshot {
        bar.add_engine(EngineReport::from(snapshot));
    }
    bar.find_last_reason(game, &Control::default());
    bar.input(game).view(notice.as_ref(), lang)
}

/// Refuses to replace a file that is no PNG image, and to write to a name with another extension.
fn check_replaceable(path: &Path) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return Ok(());
    }
    if path.is_file() {
        let existing = shogibar_files::read(path, MAX_IMAGE_BYTES)?;
        ensure!(
            existing.is_empty() || png::is_png(&existing),
            CommandError::NotPng(path.to_owned())
        );
    }
    let has_other_extension = path
        .extension()
        .is_some_and(|end| !end.eq_ignore_ascii_case("png"));
    ensure!(!has_other_extension, CommandError::NoPngName(path.to_owned()));
    Ok(())
}
