//! `shogibar doctor`: information for a bug report.

mod relay;
mod see;

use super::output::OutputStream;
use super::{CliOutcome, Streams, engines};
use shogibar_base::count::counted;
use shogibar_machine::store::Store;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// The arguments of `shogibar doctor`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Try the relay: play a shogi GUI against an engine behind it, step by step
    #[arg(long)]
    relay: bool,
    /// The engine to try the relay with [default: the relay's engine in the settings, or the default one]
    #[arg(long, value_name = "ENGINE", requires = "relay")]
    engine: Option<OsString>,
    /// Read a board off the screen, list the doubtful squares with their probabilities, and write the picture of the
    /// board to a new PNG file
    #[arg(long, value_name = "OUTPUT", num_args = 0..=1, default_missing_value = "shogibar-see.png", conflicts_with = "relay")]
    see: Option<PathBuf>,
}

/// The environment variables that affect the program. No others are shown.
const SHOWN_ENVIRONMENT_VARIABLES: &[&str] = &[
    "LANG",
    "LC_ALL",
    "LC_MESSAGES",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "SHOGIBAR_WAYLAND",
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "SHOGIBAR_CONFIG",
    "APPIMAGE",
    "APPDIR",
    "TMPDIR",
    "LIBGL_ALWAYS_SOFTWARE",
    "WINIT_X11_SCALE_FACTOR",
];

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    if arguments.relay {
        let succeeds = relay::run(arguments.engine.as_ref(), streams.lang, &mut streams.out)?;
        return Ok(if succeeds {
            CliOutcome::Done
        } else {
            CliOutcome::Problems
        });
    }
    if let Some(file) = &arguments.see {
        let is_read = see::run(file, streams.lang, &mut streams.out)?;
        return Ok(if is_read {
            CliOutcome::Done
        } else {
            CliOutcome::Problems
        });
    }
    let out = &mut streams.out;
    writeln!(out, "shogibar {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "system: {} {}", env::consts::OS, env::consts::ARCH)?;
    writeln!(
        out,
        "window: {}",
        if cfg!(feature = "gui") {
            "yes"
        } else {
            "built without"
        }
    )?;
    #[cfg(feature = "gui")]
    for (what, how) in crate::app::gui::display_info() {
        writeln!(out, "{what}: {how}")?;
    }
    let threads = std::thread::available_parallelism().map_or_else(|e| e.to_string(), |n| n.to_string());
    writeln!(out, "processors: {threads}")?;
    let program = env::current_exe().map_or_else(|e| e.to_string(), |path| path.display().to_string());
    writeln!(out, "program: {program}")?;
    for name in SHOWN_ENVIRONMENT_VARIABLES {
        if let Some(value) = env::var_os(name) {
            writeln!(out, "{name}={}", value.display())?;
        }
    }
    let store = super::store();
    let configuration = store.as_ref().map_or_else(
        || "(no home)".to_owned(),
        |store| store.folder().display().to_string(),
    );
    writeln!(out, "configuration: {configuration}")?;
    super::report_settings_problems(store.as_ref(), streams.lang, out)?;
    if let Some(store) = &store {
        write_log_status(store, out)?;
    }
    writeln!(out, "engines:")?;
    engines::list(streams)?;
    Ok(CliOutcome::Done)
}

/// Writes the path of the traffic log, whether it is on, and the size of each file.
fn write_log_status(store: &Store, out: &mut OutputStream<'_>) -> io::Result<()> {
    let is_on = store.settings().unwrap_or_default().value.general.logs_usi;
    let log = store.log_file();
    writeln!(
        out,
        "log: {} ({})",
        log.display(),
        if is_on { "on" } else { "off" }
    )?;
    for (file, size) in Store::log_files(&log) {
        writeln!(
            out,
            "log file: {} ({})",
            file.display(),
            counted(&size, &["byte"])
        )?;
    }
    Ok(())
}
