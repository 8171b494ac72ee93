//! The command line: the parsed arguments, a module for each subcommand, and the parts that subcommands share.

mod analyze;
mod calibrate;
mod command_error;
mod convert;
mod doctor;
mod doctor_text;
mod engine;
mod engines;
mod explain;
mod failure;
mod keys;
mod lines;
mod notate;
mod notate_text;
mod open_reports;
mod output;
mod panics;
mod play_match;
mod replay;
mod see;
mod see_text;
mod serve;
mod shelf;
mod show;
#[cfg(feature = "gui")]
mod snapshot;
mod text;
mod usage;
mod usage_text;
#[cfg(feature = "gui")]
mod video;

use crate::cli::command_error::CommandError;
use crate::cli::usage_text::ExpectedValue;
use crate::platform;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory as _, Parser, ValueEnum as _};
use output::OutputStream;
use shogibar_base::Lang;
use shogibar_base::visible::{visible, without_passwords};
use shogibar_config::{Remark, warning_text};
use shogibar_games::convert_text;
use shogibar_kifu::UnreadableRecord;
use shogibar_live::{AddressError, LiveAddress};
use shogibar_machine::store::{ConfigReading, Store};
use shogibar_machine::traffic::TrafficLog;
use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The evaluation bar for shogi.
#[derive(Debug, Parser)]
#[command(
    name = "shogibar",
    bin_name = "shogibar",
    version,
    about,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true
)]
#[group(skip)]
struct Arguments {
    #[command(subcommand)]
    subcommand: Option<Subcommand>,
    #[command(flatten)]
    show: show::Arguments,
    /// The language [default: that of the settings, or the system's]
    #[arg(long, global = true, value_enum)]
    lang: Option<LangName>,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// Analyse whole games with one engine or several
    Analyze(Box<analyze::Arguments>),
    /// Fit the win-rate curve of each engine to games with results
    Calibrate(calibrate::Arguments),
    /// Play engine against engine, with records and score
    #[command(name = "match")]
    PlayMatch(Box<play_match::Arguments>),
    /// Convert game records between formats
    Convert(convert::Arguments),
    /// Write moves in words, or read them from words
    Notate(notate::Arguments),
    /// Save the overlay as an image, without a window
    #[cfg(feature = "gui")]
    Snapshot(snapshot::Arguments),
    /// Save a game as a video, without a window
    #[cfg(feature = "gui")]
    Video(video::Arguments),
    /// Run the built-in engine as a USI engine on standard input and output
    Engine(engine::Arguments),
    /// Play the engine's side of a recorded log, as a USI engine
    Replay(replay::Arguments),
    /// Write what the bar would have shown for a recorded log, as JSON, line by line
    Explain(explain::Arguments),
    /// List the engines of this machine, add and change them
    Engines(engines::Arguments),
    /// Read the board off a picture, as SFEN
    See(see::Arguments),
    /// Find which of your games reached a position, and how they continued
    Shelf(shelf::Arguments),
    /// Serve the pages for OBS and for a second screen, without a window
    Serve(serve::Arguments),
    /// Print what to paste into a bug report
    Doctor(doctor::Arguments),
}

/// The outcome of a subcommand that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CliOutcome {
    /// The command was carried out without problems: exit code 0.
    Done,
    /// The command was carried out with problems, such as lost content or a file that cannot be read: exit code 1.
    Problems,
}

/// The standard streams of the program, with which the subcommands read and write.
struct Streams<'a> {
    input: &'a mut dyn BufRead,
    out: OutputStream<'a>,
    err: OutputStream<'a>,
    /// The language of all output, including errors.
    lang: Lang,
}

/// Runs the command line and returns the exit code: 0 done, 1 done with problems, 2 failed. A failure is reported on
/// standard error. On Windows, a window that was started without a console shows it in a message box.
pub fn main() -> ExitCode {
    panics::install_hook();
    platform::catch_file_size_signal();
    let command = command();
    let is_command = |word: &OsString| {
        word.to_str()
            .is_some_and(|word| command.find_subcommand(word).is_some())
    };
    let words = usage::move_lang_option(std::env::args_os().collect(), is_command);
    let arguments = Arguments::try_parse_from(&words);
    // A program that joins the console ends with it, or by keys typed in it. So the window does not join it.
    let is_window = arguments
        .as_ref()
        .is_ok_and(|arguments| arguments.subcommand.is_none() && arguments.show.is_window());
    if !is_window {
        platform::join_console();
    }
    let named = match &arguments {
        Ok(arguments) => arguments.lang,
        Err(_) => usage::named_language(&words).and_then(|name| LangName::from_str(&name, true).ok()),
    };
    let lang = lang(named);
    let (mut input, mut out, mut err) = (io::stdin().lock(), io::BufWriter::new(io::stdout()), io::stderr());
    let out = OutputStream::out(&mut out, io::stdout().is_terminal());
    let err = OutputStream::err(&mut err, io::stderr().is_terminal());
    let mut streams = Streams {
        input: &mut input,
        out,
        err,
        lang,
    };
    let result = arguments.map_or_else(
        |error| handle_parse_error(&error, &words),
        |arguments| run(arguments, &mut streams),
    );
    match result.and_then(|outcome| Ok(streams.out.flush().map(|()| outcome)?)) {
        Ok(CliOutcome::Done) => ExitCode::SUCCESS,
        Ok(CliOutcome::Problems) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let lines = failure::lines(error, lang);
            if is_window && !platform::join_console() {
                platform::show_error_box(
                    &lines
                        .iter()
                        .map(|line| visible(&without_passwords(line)).into_owned())
                        .collect::<Vec<_>>()
                        .join("\n"),
                );
            }
            write_error(&lines, &mut streams.err);
            ExitCode::from(2)
        }
    }
}

/// Writes the lines of an error, the first after the name of the program.
fn write_error(lines: &[String], err: &mut OutputStream<'_>) {
    for (line, name) in lines
        .iter()
        .zip(std::iter::once("shogibar: ").chain(std::iter::repeat("")))
    {
        let _best_effort = writeln!(err, "{name}{line}");
    }
}

/// Handles a parse result without a command to run: prints the help or the version, or returns the usage error.
fn handle_parse_error(error: &clap::Error, words: &[OsString]) -> anyhow::Result<CliOutcome> {
    if !error.use_stderr() {
        error.print()?;
        return Ok(CliOutcome::Done);
    }
    let command = command();
    let subcommand = words
        .iter()
        .skip(1)
        .find_map(|word| command.find_subcommand(word.to_str()?))
        .map(clap::Command::get_name);
    let command_name = ["shogibar"]
        .into_iter()
        .chain(subcommand)
        .collect::<Vec<_>>()
        .join(" ");
    anyhow::bail!(failure::WrongUsage(usage::usage_error(error), command_name))
}

/// Returns the parser, for man pages and shell completions.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the subcommand, or shows the bar if there is none.
fn run(arguments: Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    match arguments.subcommand {
        Some(Subcommand::Analyze(arguments)) => analyze::run(&arguments, streams),
        Some(Subcommand::Calibrate(arguments)) => calibrate::run(&arguments, streams),
        Some(Subcommand::PlayMatch(arguments)) => play_match::run(&arguments, streams),
        Some(Subcommand::Convert(arguments)) => convert::run(&arguments, streams),
        Some(Subcommand::Notate(arguments)) => notate::run(&arguments, streams),
        Some(Subcommand::See(arguments)) => see::run(&arguments, streams),
        Some(Subcommand::Shelf(arguments)) => shelf::run(&arguments, streams),
        #[cfg(feature = "gui")]
        Some(Subcommand::Snapshot(arguments)) => snapshot::run(&arguments, streams),
        #[cfg(feature = "gui")]
        Some(Subcommand::Video(arguments)) => video::run(&arguments, streams),
        Some(Subcommand::Engine(arguments)) => engine::run(&arguments, streams),
        Some(Subcommand::Replay(arguments)) => replay::run(&arguments, streams),
        Some(Subcommand::Explain(arguments)) => explain::run(&arguments, streams),
        Some(Subcommand::Engines(arguments)) => engines::run(&arguments, streams),
        Some(Subcommand::Serve(arguments)) => serve::run(&arguments, streams),
        Some(Subcommand::Doctor(arguments)) => doctor::run(&arguments, streams),
        None => show::run(&arguments.show, arguments.lang, streams),
    }
}

/// Returns a parser that accepts only `names`, and converts a name with `from_name`. Help texts and completions list
/// the names.
fn one_of<T: Clone + Send + Sync + 'static>(
    names: impl Into<PossibleValuesParser>,
    from_name: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    // The inner parser has refused unknown names already.
    names
        .into()
        .try_map(move |name| from_name(&name).ok_or_else(|| ExpectedValue::OneOf(vec![name])))
}

/// Returns the addresses that the arguments name.
///
/// # Errors
/// Fails if an argument is no usable address.
fn addresses(arguments: &[PathBuf]) -> Result<Vec<LiveAddress>, AddressError> {
    arguments
        .iter()
        .map(|argument| LiveAddress::from_argument(argument))
        .collect()
}

/// Returns the message for a word that is neither a file nor a subcommand. Returns `None` for `-` and for an existing
/// file. Also returns `None` for a word with other characters than ASCII letters, digits, `_` and `-`: it looks like a
/// file name.
fn unknown_word_message(file: &Path, lang: Lang) -> Option<String> {
    let word = file.to_str().filter(|word| {
        *word != "-"
            && !file.exists()
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    })?;
    let sentence = match similar_subcommand(word) {
        Some(command) => command_error::no_such_file(word, &command, lang),
        None => CommandError::NoCommand(word.to_owned()).text(lang),
    };
    Some(sentence)
}

/// Returns the first subcommand with a name that is similar to `word`; `None` if there is none.
fn similar_subcommand(word: &str) -> Option<String> {
    let command = command();
    let mut names = command.get_subcommands().map(clap::Command::get_name);
    names.find(|name| is_similar(name, word)).map(str::to_owned)
}

/// Returns whether two ASCII words of three letters or more are equal except for at most two adjacent letters. These
/// may be missing, added, replaced or swapped. A word of at most two letters is similar to no other.
fn is_similar(one: &str, other: &str) -> bool {
    let same = |(a, b): &(char, char)| a == b;
    let (min_length, max_length) = (one.len().min(other.len()), one.len().max(other.len()));
    let from_start = one.chars().zip(other.chars()).take_while(same).count();
    let from_end = one
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take_while(same)
        .count()
        .min(min_length - from_start);
    from_start + from_end + 2 >= max_length && min_length > 2
}

/// Returns the language of all subcommands: that of the command line, or of the settings, or of the system. Settings
/// that cannot be read count as the defaults.
fn lang(named: Option<LangName>) -> Lang {
    named.map_or_else(
        || {
            let settings = store()
                .and_then(|store| store.settings().ok())
                .unwrap_or_default()
                .value;
            settings.general.language.on_system(system_lang())
        },
        LangName::lang,
    )
}

/// Returns the system's language, by default Japanese. On Windows, and on macOS outside a shell, no environment
/// variable names the language, so the locale is used.
fn system_lang() -> Lang {
    system_lang_of(|name| std::env::var_os(name), sys_locale::get_locale)
}

/// Returns the language of the first environment variable that names one, or else of the locale; Japanese without both.
fn system_lang_of(
    variable: impl Fn(&str) -> Option<OsString>,
    locale: impl FnOnce() -> Option<String>,
) -> Lang {
    let value = |name| variable(name).filter(|value| !value.is_empty());
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(value);
    let value = value.map(|value| value.to_string_lossy().into_owned());
    value
        .or_else(locale)
        .map_or_else(Lang::default, |locale| Lang::from_locale(&locale))
}

/// A language as it is named on the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum LangName {
    Ja,
    En,
}

impl LangName {
    const fn lang(self) -> Lang {
        match self {
            Self::Ja => Lang::Ja,
            Self::En => Lang::En,
        }
    }
}

/// Returns the user's configuration; `None` for a user without a home folder.
fn store() -> Option<Store> {
    Store::for_user()
}

/// The option that records the communication with the engines.
#[derive(Clone, Debug, Default, clap::Args)]
struct LogArgument {
    /// Record what the engines are sent and answer in FILE, for `replay` and `explain`; a second engine in FILE-2
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(parse_log_file))]
    log: Option<PathBuf>,
}

/// Parses the file of `--log`. Fails for `-`, as standard output is no log.
fn parse_log_file(path: PathBuf) -> Result<PathBuf, ExpectedValue> {
    if path.as_os_str() == "-" {
        Err(ExpectedValue::File)
    } else {
        Ok(path)
    }
}

impl LogArgument {
    /// Returns the log. Its file is that of the option, or else that of the settings, if the settings turn the log on.
    /// Without a file, nothing is recorded.
    fn open(&self) -> TrafficLog {
        let log = TrafficLog::new(env!("CARGO_PKG_VERSION"));
        let file_of_settings = || {
            let store = store()?;
            store
                .settings()
                .ok()?
                .value
                .general
                .logs_usi
                .then(|| store.log_file())
        };
        log.set_file(self.log.clone().or_else(file_of_settings).as_deref());
        log
    }
}

/// Writes the problems of the settings file to `out`. They do not stop the program.
fn report_settings_problems(store: Option<&Store>, lang: Lang, out: &mut OutputStream<'_>) -> io::Result<()> {
    let Some(store) = store else { return Ok(()) };
    let sentences = match store.settings() {
        Ok(ConfigReading {
            toml_error: Some(why),
            ..
        }) => vec![warning_text::not_toml(&why, lang)],
        Ok(reading) => reading
            .findings
            .iter()
            .map(|finding| warning_text::finding(finding, lang))
            .collect(),
        Err(error) => vec![Remark::SettingsUnreadable((&error).into()).text(lang)],
    };
    for sentence in sentences {
        writeln!(out, "{}: {sentence}", store.settings_file().display())?;
    }
    Ok(())
}

/// Returns the profiles; none if the engines file cannot be read. Problems of the file are reported on standard error
/// and do not stop the program.
fn profiles(store: Option<&Store>, lang: Lang, streams: &mut Streams<'_>) -> io::Result<ConfigReading> {
    let Some(store) = store else {
        return Ok(ConfigReading::default());
    };
    let reading = match store.profiles() {
        Ok(reading) => reading,
        Err(error) => {
            writeln!(streams.err, "{}", failure::sentence(&error.into(), lang))?;
            return Ok(ConfigReading::default());
        }
    };
    if let Some(why) = &reading.toml_error {
        writeln!(
            streams.err,
            "{}: {}",
            store.engines_file().display(),
            warning_text::not_toml(why, lang)
        )?;
    }
    for finding in &reading.findings {
        writeln!(
            streams.err,
            "{}: {}",
            store.engines_file().display(),
            warning_text::finding(finding, lang)
        )?;
    }
    Ok(reading)
}

/// Returns the bytes of a record file, or of standard input for `-`. An argument with `://` that names no file is an
/// address, whose text is returned.
fn read_record(input: &Path, lang: Lang, streams: &mut Streams<'_>) -> anyhow::Result<Vec<u8>> {
    if input == Path::new("-") {
        return Ok(shogibar_files::read_from(streams.input, shogibar_kifu::MAX_BYTES)
            .map_err(CommandError::Input)?);
    }
    // The address itself contains the record.
    if let Some(address) = input
        .to_str()
        .filter(|text| text.contains("://") && !input.exists())
    {
        return Ok(address.as_bytes().to_vec());
    }
    shogibar_files::read_input(input, shogibar_kifu::MAX_BYTES).map_err(|error| {
        let why = (&error).into();
        anyhow::anyhow!(UnreadableRecord::about(&why, &record_name(input, lang), lang))
    })
}

/// Returns the name of a record file, or of standard input for `-`, in messages.
fn record_name(input: &Path, lang: Lang) -> String {
    if input == Path::new("-") {
        convert_text::standard_input(lang).to_owned()
    } else {
        input.display().to_string()
    }
}

/// Returns whether an error means that the reader of the output has closed the pipe. The program then ends
/// successfully.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref()
            .is_some_and(|e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_command_is_suggested() {
        let check = |word: &str, expect: Option<&str>| {
            assert_eq!(similar_subcommand(word).as_deref(), expect, "{word}");
        };
        check("analze", Some("analyze"));
        check("anaylze", Some("analyze"));
        check("convertt", Some("convert"));
        check("docter", Some("doctor"));
        check("doctordoctor", None);
        check("game", None);
        check("do", None);
    }

    #[test]
    fn an_unknown_word_is_reported_unless_it_looks_like_a_file() {
        let check = |word: &str, expect: &str| {
            let message = unknown_word_message(Path::new(word), Lang::En).unwrap_or_default();
            assert!(
                message.contains(expect) && message.is_empty() == expect.is_empty(),
                "{word}: {message}"
            );
        };
        check("frobnicate", "`shogibar --help`");
        check("game1", "`shogibar --help`");
        check("analze", "did you mean `shogibar analyze`?");
        for file in ["src", "-", "game.kif", "games/one", "棋譜", "frob nicate"] {
            check(file, "");
        }
    }

    #[test]
    fn the_system_language_comes_from_the_environment_or_the_locale() {
        let check = |variables: &[(&str, &str)], locale: Option<&str>, expect| {
            let variable = |name: &str| Some(variables.iter().find(|(set, _)| *set == name)?.1.into());
            let found = system_lang_of(variable, || locale.map(str::to_owned));
            assert_eq!(found, expect, "{variables:?} {locale:?}");
        };
        check(&[], None, Lang::Ja);
        // Windows and macOS report a locale.
        check(&[], Some("ja-JP"), Lang::Ja);
        check(&[], Some("en-US"), Lang::En);
        check(&[], Some("jam-JM"), Lang::En);
        check(&[("LANG", "")], Some("en"), Lang::En);
        // A shell sets environment variables.
        check(&[("LANG", "ja_JP.UTF-8")], Some("en-US"), Lang::Ja);
        check(&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], None, Lang::En);
        check(&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "ja")], None, Lang::Ja);
    }
}
