//! `shogibar serve`: the OBS pages, without a window.

use super::failure::{self, ErrorLines};
use super::show::{self, OpenedProgram, ServedPages};
use super::text::{report_log_problems, with_details};
use super::usage::whole;
use super::{CliOutcome, Streams};
use crate::app::effects::pages::{ObsPagesAddress, ObsPagesSettings, RunningObsPages};
use crate::app::viewer::Viewer;
use crate::cli::command_error::CommandError;
use crate::cli::usage_text::ExpectedValue;
use shogibar_base::Lang;
use shogibar_config::settings_text::SettingItem;
use shogibar_config::{ModelCommand, ObsPort, Settings};
use shogibar_live::LiveAddress;
use shogibar_live::source_text::SourceRemark;
use shogibar_machine::store::Store;
use shogibar_model::action::AppAction;
use shogibar_model::game::Game;
use shogibar_model::ids::GameId;
use shogibar_model::pages::control::ControlCommand;
use shogibar_model::workspace::{self, Workspace};
use shogibar_model::{AppEvent, AppModel, pages_text as text};
use shogibar_programme::Delay;
use shogibar_serve::AccessToken;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// The minimum time between two updates of the OBS pages.
const MIN_PAGE_UPDATE_INTERVAL: Duration = Duration::from_millis(20);

/// The maximum number of bars, each with an engine, unless the user sets another.
const DEFAULT_MAX_BARS: usize = 4;

/// The arguments of `shogibar serve`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "The first line of the output is the address of the pages. It stays the same, so that it can be \
    saved in OBS. Each game is shown at its last position; a file that another program writes is followed. Up to four games have \
    an engine each. More games share the engines in turn: new positions are searched first, and no game waits long."
)]
pub(super) struct Arguments {
    /// Game records, folders (their newest record is followed), addresses (`https://…`, `csa://NAME@SERVER/GAME`), or
    /// `-` for standard input [default: the start position]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The port, or 0 for any free one [default: that of the settings, or 5963]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0, Some(65535)))]
    port: Option<u16>,
    /// The engine for the games: a profile's name, a program's name, a path, or `builtin` [default: the first profile]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<OsString>,
    /// Start this many engines, 1 to 16, which all games share in turn [default: one for each game, up to 4]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, Some(16)))]
    share: Option<usize>,
    /// Serve other devices on the same network, too; anyone who knows the address can see the evaluations
    #[arg(long)]
    lan: bool,
    /// Show only numbers: no move, no position, no words about them
    #[arg(long)]
    numbers_only: bool,
    /// Hold every page back: by moves (5), by seconds or minutes (30s, 15m), or until the game is over (end)
    #[arg(long, value_name = "DELAY", value_parser = parse_delay)]
    delay: Option<Delay>,
    /// Print a second address, to which programs on this computer send commands: lock, unlock, switch, hide, show, …
    #[arg(long)]
    control: bool,
    #[command(flatten)]
    log: super::LogArgument,
}

impl Arguments {
    /// Returns the workspace with which this command begins.
    fn workspace(&self) -> Workspace {
        let delay = self.delay.map(|delay| delay.to_string()).unwrap_or_default();
        let file = |file: &PathBuf| match LiveAddress::from_argument(file) {
            // The workspace has the addresses as they were given, so they must be given in the same way.
            Ok(LiveAddress::Path(path)) => {
                format!("{} ({})", path.display(), workspace::absolute(&path).display())
            }
            Ok(address) => address.to_string(),
            Err(_) => String::new(),
        };
        let mut command: Vec<_> = self.files.iter().map(file).collect();
        command.push(format!("--numbers-only={} --delay={delay}", self.numbers_only));
        Workspace {
            numbers_only: self.numbers_only,
            delay,
            command,
            ..Workspace::default()
        }
    }
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let (lang, store) = (streams.lang, super::store());
    let mut warn = |error: anyhow::Error| writeln!(streams.err, "{}", failure::sentence(&error, lang));
    let (settings, unstored) = settings_with_token(store.as_ref())?;
    unstored.map_or(Ok(()), &mut warn)?;
    let token =
        AccessToken::parse(&settings.obs.token).ok_or(CommandError::Broken("the pages have no token"))?;
    let control_token = if arguments.control {
        AccessToken::parse(&settings.obs.control_token)
    } else {
        None
    };
    let port = arguments.port.unwrap_or(settings.obs.port.0);
    let address = ObsPagesAddress {
        port,
        token,
        is_open: arguments.lan,
        control_token,
    };
    let (overlay, parts, program_font) = (
        settings.overlay.clone(),
        settings.parts.clone(),
        settings.general.font.clone(),
    );
    let pages_settings = ObsPagesSettings {
        overlay,
        program_font,
        parts,
        lang,
        second_names: settings.second_names.clone(),
        store: store.clone(),
    };
    let mut look = pages_settings.clone();
    let pages = RunningObsPages::start(&address, pages_settings).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => CommandError::PortTaken(port),
        _ => CommandError::NoServer(error),
    })?;
    if port > 0
        && settings.obs.port != ObsPort(port)
        && let Some(store) = store
    {
        let stored = store.change_settings(|known| known.obs.port = ObsPort(port));
        stored.map_or_else(|error| warn(error.into()), |_stored| Ok(()))?;
    }
    let bars = arguments
        .files
        .len()
        .clamp(1, arguments.share.unwrap_or(DEFAULT_MAX_BARS));
    let program = show::Arguments::for_pages(
        &arguments.files,
        &arguments.engines,
        ServedPages {
            bars,
            port,
            workspace: arguments.workspace(),
        },
        arguments.log.clone(),
    );
    let OpenedProgram {
        mut viewer,
        reports,
        outside,
        ..
    } = program.open(None, streams)?;
    let log = viewer.take_log();
    // Addresses have bars already. Games without a bar are searched in turn.
    let model = viewer.model();
    let unseen = model
        .games()
        .filter(|(game, _)| !model.bars().any(|(_, bar)| bar.game() == *game))
        .count();
    for _ in 0..unseen.min(bars.saturating_sub(model.bars().count())) {
        viewer.act_on_study(AppAction::run(ModelCommand::AddBar));
    }
    writeln!(streams.out, "{}", pages.url())?;
    if let Some(url) = pages.lan_url() {
        writeln!(streams.out, "{}", text::lan_address(url, lang))?;
        writeln!(streams.err, "{}", SettingItem::ObsPagesOpen.explanation(lang))?;
    }
    if let Some(url) = pages.control_url() {
        writeln!(streams.out, "{}", text::control_address(&url, lang))?;
    }
    streams.out.flush()?;
    viewer.set_obs_pages(Some(pages));
    let (events, mut shown, mut problems) =
        (outside.wake_events(), BTreeMap::new(), ProblemReports::default());
    while !viewer.is_over() {
        viewer.update();
        change_look(&mut viewer, &mut look);
        show_last_positions(&mut viewer, &mut shown);
        reports.write(streams)?;
        if let Some(lines) = no_service_reason(viewer.model()) {
            viewer.set_obs_pages(None);
            viewer.end_engines();
            report_log_problems(&log, lang, streams)?;
            anyhow::bail!(ErrorLines(lines));
        }
        for sentence in problems.update(viewer.model(), lang) {
            writeln!(streams.err, "{sentence}")?;
        }
        report_log_problems(&log, lang, streams)?;
        wait(&events);
    }
    viewer.set_obs_pages(None);
    // The end of the engines may write the last lines of the log, which may fail. So the log is checked afterwards.
    viewer.end_engines();
    report_log_problems(&log, lang, streams)?;
    Ok(CliOutcome::Done)
}

/// Applies the layouts and themes that the control address has requested.
fn change_look(viewer: &mut Viewer, look: &mut ObsPagesSettings) {
    let commands = viewer.control_log().take_style_commands();
    for command in &commands {
        match command {
            ControlCommand::Layout(layout) => look.overlay.layout = *layout,
            ControlCommand::Theme(theme) => look.overlay.theme.clone_from(theme),
            _ => {}
        }
    }
    if !commands.is_empty()
        && let Some(pages) = viewer.pages().running()
    {
        pages.set_settings(look.clone());
    }
}

fn parse_delay(text: &str) -> Result<Delay, ExpectedValue> {
    text.parse().map_err(|_no_delay| ExpectedValue::Delay)
}

/// Returns the settings with the tokens of the pages and of the control address. A new token is stored, so that the address stays the same. The second value is
/// the reason if the token could not be stored; the token then applies to this run.
fn settings_with_token(store: Option<&Store>) -> anyhow::Result<(Settings, Option<anyhow::Error>)> {
    let has_token = |settings: &Settings| {
        [&settings.obs.token, &settings.obs.control_token]
            .into_iter()
            .all(|token| AccessToken::parse(token).is_some())
    };
    let (mut settings, read_error) = match store.map(Store::settings).transpose() {
        Ok(stored) => (stored.unwrap_or_default().value, None),
        Err(error) => (Settings::default(), Some(error.into())),
    };
    if has_token(&settings) {
        return Ok((settings, None));
    }
    for token in [&mut settings.obs.token, &mut settings.obs.control_token] {
        if AccessToken::parse(token).is_none() {
            *token = AccessToken::random()
                .map_err(|error| CommandError::NoToken(error.to_string()))?
                .to_string();
        }
    }
    let (token, control_token) = (settings.obs.token.clone(), settings.obs.control_token.clone());
    let (Some(store), None) = (store, &read_error) else {
        return Ok((settings, read_error));
    };
    // If another program has stored a token in the meantime, that token is used.
    let stored = store.change_settings(|known| {
        for (known, new) in [
            (&mut known.obs.token, token),
            (&mut known.obs.control_token, control_token),
        ] {
            if AccessToken::parse(known).is_none() {
                *known = new;
            }
        }
    });
    Ok(match stored {
        Ok(stored) => (stored.value, None),
        Err(error) => (settings, Some(error.into())),
    })
}

/// Shows each newly opened record at its last position. The record is followed from there while it grows.
fn show_last_positions(viewer: &mut Viewer, shown: &mut BTreeMap<GameId, u64>) {
    let opened = |(id, game): (GameId, &Game)| (id, game.document().first_revision());
    let opened: Vec<_> = viewer.model().games().map(opened).collect();
    for (game, revision) in opened {
        if shown.insert(game, revision) != Some(revision) {
            viewer.handle(AppEvent::ShowNewest(game));
        }
    }
}

/// The problems of games and engines that were already reported.
#[derive(Debug, Default)]
struct ProblemReports {
    /// The present failures of games and engines, each with its details.
    failures: BTreeSet<Vec<String>>,
    sources: BTreeMap<GameId, SourceRemark>,
    /// The number of engine sets, and of the games that share them.
    shared_counts: Option<(usize, usize)>,
}

impl ProblemReports {
    /// Returns the new problems, and the number of games that share engines if it has changed, as sentences.
    fn update(&mut self, model: &AppModel, lang: Lang) -> Vec<String> {
        let failures = failures(model);
        let new = failures.iter().filter(|lines| !self.failures.contains(*lines));
        let mut sentences: Vec<String> = new.flatten().cloned().collect();
        self.failures = failures;
        for (id, game) in model.games() {
            let Some(source) = game.source() else { continue };
            let is_bad = source.is_lost() || !source.is_running();
            let remark = source.remark();
            if is_bad && self.sources.get(&id) != Some(&remark) {
                sentences.push(format!("{}: {}", source.address(), remark.text(lang)));
            }
            self.sources.insert(id, remark);
        }
        // Shared engines are not checked while games are still arriving.
        let awaits_games = model.games().any(|(_, game)| game.awaits_source());
        let shared = if awaits_games {
            None
        } else {
            model.shared_engines()
        };
        if shared != self.shared_counts
            && let Some((sets, games)) = shared
        {
            sentences.push(text::shared_engines(sets, games, lang));
        }
        self.shared_counts = shared.or(self.shared_counts);
        sentences
    }
}

/// Returns the sentences of all failures, each with its details.
fn failures(model: &AppModel) -> BTreeSet<Vec<String>> {
    let games = model.games().filter_map(|(id, _)| model.game_problem(id));
    let of_games = games.map(|notice| with_details(&notice));
    let views = model.bars().map(|(id, _)| model.private_view(id));
    let of_bars = views.flat_map(|view| view.failures().into_iter().map(with_details).collect::<Vec<_>>());
    of_games.chain(of_bars).collect()
}

/// Returns the failures if nothing can be served: no game can be read, or no engine has ever worked. Else returns
/// `None`.
fn no_service_reason(model: &AppModel) -> Option<Vec<String>> {
    let has_no_game = model.games().all(|(id, _)| model.game_problem(id).is_some());
    let has_no_engine = model
        .bars()
        .all(|(_, bar)| bar.has_failed() && !bar.has_evaluation());
    let is_over = has_no_game || has_no_engine && !model.is_starting_engine();
    is_over.then(|| failures(model).into_iter().flatten().collect())
}

/// Waits for an event, and for at least [`MIN_PAGE_UPDATE_INTERVAL`]. A further event, such as an interruption, ends
/// the wait.
fn wait(events: &Receiver<()>) {
    #[expect(
        clippy::disallowed_methods,
        reason = "the clock for the pace of a program without a window"
    )]
    let start = Instant::now();
    // The sender lives as long as the program, so the channel does not close.
    let _woken = events.recv();
    let _woken_again = events.recv_timeout(MIN_PAGE_UPDATE_INTERVAL.saturating_sub(start.elapsed()));
}
