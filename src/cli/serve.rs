//! `shogibar serve`: the pages for OBS and for a second screen, without a window.

use super::show::{self, OpenedProgram};
use super::usage::whole;
use super::{CliOutcome, Streams};
use crate::app::action::AppAction;
use crate::app::effects::pages::{PagesAddress, PagesLook, RunningPages};
use crate::app::ids::{BarId, GameId};
use crate::app::viewer::Viewer;
use crate::config::{PagePort, Settings};
use crate::store::Store;
use crate::text::failure::CommandError;
use crate::text::pages as text;
use shogibar_serve::PageToken;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// The shortest time between two updates.
const MIN_INTERVAL: Duration = Duration::from_millis(20);

/// What `shogibar serve` was given.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "The first line of the output is the address of the pages. It stays the same, so that it can be \
    saved in OBS. Each game has a bar with an engine of its own, at its last position; a file that another program writes \
    is followed."
)]
pub(super) struct Arguments {
    /// Game records, folders whose newest one is followed, addresses (`https://…`, `csa://NAME@SERVER/GAME`), or `-` for
    /// standard input; the start position without one
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The port; 0 for any free one [default: the one that is set, or 5963]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0, Some(65535)))]
    port: Option<u16>,
    /// An engine for each game: a profile's name, a program's name, a path, or `builtin` [default: the first profile]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<OsString>,
    /// Serve other devices in the same network too: who knows the address sees the evaluations
    #[arg(long)]
    lan: bool,
    #[command(flatten)]
    log: super::LogArgument,
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let (lang, store) = (streams.lang, super::store());
    let (stored, settings) = settings(store.as_ref(), arguments.port)?;
    let token = PageToken::parse(&settings.pages.token).ok_or(CommandError::Broken("the pages have no token"))?;
    let port = arguments.port.unwrap_or(settings.pages.port.0);
    let address = PagesAddress { port, token, is_open: arguments.lan };
    let look =
        PagesLook { overlay: settings.overlay.clone(), parts: settings.parts.clone(), lang, store: store.clone() };
    let pages = RunningPages::start(&address, look).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => CommandError::PortTaken(port),
        _ => CommandError::NoServer(error),
    })?;
    if let Some(store) = store.filter(|_| settings != stored) {
        store.change_settings(|known| known.apply_changes(&stored, &settings))?;
    }
    let program = show::Arguments::for_pages(&arguments.files, &arguments.engines, arguments.log.clone());
    let OpenedProgram { mut viewer, log, reports, outside, .. } = program.open(None, streams)?;
    // Each game has a bar, so that each is searched. Addresses have theirs already.
    let model = viewer.model();
    let is_shown = |game: GameId| model.bars().any(|(_, bar)| bar.game() == game);
    for _ in 0..model.games().filter(|(game, _)| !is_shown(*game)).count() {
        viewer.act_on_page(AppAction::AddBar);
    }
    writeln!(streams.out, "{}", pages.url())?;
    if let Some(url) = pages.lan_url() {
        writeln!(streams.out, "{}", text::lan_address(url, lang))?;
        writeln!(streams.err, "{}", text::lan_warning(lang))?;
    }
    streams.out.flush()?;
    viewer.set_pages(Some(pages));
    let (events, mut shown) = (outside.wake_events(), BTreeMap::new());
    while !viewer.is_over() {
        viewer.update();
        go_to_last(&mut viewer, &mut shown);
        reports.write(streams)?;
        for problem in log.problems() {
            writeln!(streams.err, "{}", problem.text(lang))?;
        }
        wait(&events);
    }
    viewer.set_pages(None);
    viewer.end_engines();
    Ok(CliOutcome::Done)
}

/// Returns the settings as they are stored, and with a token and this port. The latter are stored too, so that the address
/// stays the same.
fn settings(store: Option<&Store>, port: Option<u16>) -> anyhow::Result<(Settings, Settings)> {
    let stored = store.map(Store::settings).transpose()?.unwrap_or_default().value;
    let mut settings = stored.clone();
    if PageToken::parse(&settings.pages.token).is_none() {
        let token = PageToken::random().map_err(|error| CommandError::NoToken(error.to_string()))?;
        settings.pages.token = token.to_string();
    }
    if let Some(port) = port.filter(|port| *port > 0) {
        settings.pages.port = PagePort(port);
    }
    Ok((stored, settings))
}

/// Shows each record that was opened since at its last position. From there, a growing one is followed.
fn go_to_last(viewer: &mut Viewer, shown: &mut BTreeMap<BarId, u64>) {
    let model = viewer.model();
    let opened = |(id, game): (BarId, _)| (id, model.game(game).document().first_revision());
    let opened: Vec<_> = model.bars().map(|(id, bar)| opened((id, bar.game()))).collect();
    for (bar, revision) in opened {
        if shown.insert(bar, revision) != Some(revision) {
            viewer.act(bar, AppAction::Last);
        }
    }
}

/// Waits for something new, but not less than the shortest time. An interruption ends the wait.
fn wait(events: &Receiver<()>) {
    #[expect(clippy::disallowed_methods, reason = "the pace of a program without a window")]
    let start = Instant::now();
    // The sender lives as long as the program, so the channel does not close.
    let _woken = events.recv();
    let _woken_again = events.recv_timeout(MIN_INTERVAL.saturating_sub(start.elapsed()));
}
