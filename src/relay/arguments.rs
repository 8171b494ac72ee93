//! The command line of the relay.

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// The name of the program. A copy or link named `shogibar-usi-NAME` runs the engine NAME.
pub(super) const PROGRAM_NAME: &str = "shogibar-usi";

/// The relay between a shogi GUI and its engine: registered in the GUI in place of the engine, it starts the real one
/// and passes on every byte. The evaluation bar shows what passes.
#[derive(Clone, Debug, Parser)]
#[command(name = PROGRAM_NAME)]
pub(super) struct Arguments {
    /// The engine: a profile's name, a program's name, a path, or `builtin` [default: the NAME of `shogibar-usi-NAME`,
    /// or the relay's engine in the settings]
    #[arg(long, value_name = "ENGINE")]
    pub(super) engine: Option<OsString>,
    /// Show nothing on the bar
    #[arg(long)]
    pub(super) no_window: bool,
    /// Further arguments for the engine
    #[arg(last = true, value_name = "ARG")]
    pub(super) engine_args: Vec<OsString>,
}

/// Returns the parser of the command line, for a version of the program. Man pages and completions are made from it.
pub fn command(version: &'static str) -> clap::Command {
    Arguments::command().version(version)
}

/// Parses the command line. Without `--engine`, the name of this program's file selects the engine.
///
/// # Errors
/// Fails with the exit code, if help or a usage error was printed.
pub(super) fn parse(version: &'static str) -> Result<Arguments, ExitCode> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let matches = command(version).try_get_matches_from(&words);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => {
            let engine = arguments
                .engine
                .or_else(|| engine_from_program_name(words.first()?));
            Ok(Arguments { engine, ..arguments })
        }
        Err(error) => {
            // Ignored: standard output may be closed.
            let _best_effort = error.print();
            Err(ExitCode::from(if error.use_stderr() { 2 } else { 0 }))
        }
    }
}

/// Returns the engine's name from the file name by which the relay was started, `shogibar-usi-NAME`; `None` for another
/// file name.
fn engine_from_program_name(program: &OsString) -> Option<OsString> {
    // No profile has a name that is not UTF-8.
    let name = Path::new(program).file_name()?.to_string_lossy();
    let suffix = std::env::consts::EXE_SUFFIX;
    let is_suffixed = name.to_lowercase().ends_with(suffix);
    let name = name.get(..name.len() - if is_suffixed { suffix.len() } else { 0 })?;
    let engine = name.strip_prefix(PROGRAM_NAME)?.strip_prefix('-')?;
    (!engine.is_empty()).then(|| engine.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_or_link_is_named_after_its_engine() {
        let check = |program: &str, expect: Option<&str>| {
            assert_eq!(
                engine_from_program_name(&program.into()).as_deref(),
                expect.map(std::ffi::OsStr::new),
                "{program}"
            );
        };
        check("/usr/bin/shogibar-usi", None);
        check("shogibar-usi-", None);
        check("/opt/a b/shogibar-usi-水匠5", Some("水匠5"));
        check("shogibar-usi-my engine", Some("my engine"));
        check(
            &format!("shogibar-usi-gpsusi{}", std::env::consts::EXE_SUFFIX),
            Some("gpsusi"),
        );
        #[cfg(unix)]
        check("shogibar-usi-gpsusi.exe", Some("gpsusi.exe"));
        check("something-else", None);
    }

    #[test]
    fn arguments_after_two_dashes_belong_to_the_engine() {
        let words = ["shogibar-usi", "--engine", "a", "--", "--engine", "b", "-x"];
        let arguments = Arguments::try_parse_from(words).unwrap();
        assert_eq!(arguments.engine.as_deref(), Some("a".as_ref()));
        assert_eq!(arguments.engine_args, ["--engine", "b", "-x"]);
        assert!(Arguments::try_parse_from(["shogibar-usi", "b"]).is_err());
    }
}
