//! The command line: arguments as typed, and one file for each face of the program.

mod analyze;
mod convert;
mod doctor;
mod engine;
mod engines;
mod explain;
mod failure;
mod keys;
mod lines;
mod notate;
mod output;
mod panics;
mod replay;
mod show;
#[cfg(feature = "gui")]
mod snapshot;
mod text;
mod usage;

use crate::config::Presets;
use crate::files;
use crate::kifu;
use crate::platform;
use crate::session::{SessionConfig, TrafficLog};
use crate::store::{ConfigReading, Store};
use crate::text::failure::CommandError;
use crate::text::visible::visible;
use crate::text::{ExpectedValue, Lang, Message, Remark, convert as convert_text, phrase, setting};
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory as _, Parser, ValueEnum as _};
use output::OutputStream;
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
    face: Option<Subcommand>,
    #[command(flatten)]
    show: show::Arguments,
    /// The language [default: the one that is set, or the system's]
    #[arg(long, global = true, value_enum)]
    lang: Option<LangName>,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// A whole game analysed by one engine or several
    Analyze(Box<analyze::Arguments>),
    /// Game records from any format to any
    Convert(convert::Arguments),
    /// Say moves in words, or read them from words
    Notate(notate::Arguments),
    /// The overlay as an image, without a window
    #[cfg(feature = "gui")]
    Snapshot(snapshot::Arguments),
    /// The built-in engine, as a USI engine on standard input and output
    Engine(engine::Arguments),
    /// Play the engine's side of a recorded log, as a USI engine
    Replay(replay::Arguments),
    /// What the bar would have shown for a recorded log, as JSON, line by line
    Explain(explain::Arguments),
    /// The engines on this machine and those set up; to add and change them
    Engines(engines::Arguments),
    /// What to paste into a bug report
    Doctor(doctor::Arguments),
}

/// How a face ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CliOutcome {
    /// All done: exit code 0.
    Done,
    /// Done, with findings: exit code 1.
    Findings,
}

/// The streams of the program; a face reads and writes these and no others.
struct Streams<'a> {
    input: &'a mut dyn BufRead,
    out: OutputStream<'a>,
    err: OutputStream<'a>,
    /// The language that is spoken, in errors too.
    lang: Lang,
}

/// Runs the program as the command line asks and says how it ended: 0 done, 1 done with findings,
/// 2 failed with one sentence on standard error.
pub fn main() -> ExitCode {
    panics::install_hook();
    let command = command();
    let is_command = |word: &OsString| word.to_str().is_some_and(|word| command.find_subcommand(word).is_some());
    let words = usage::language_behind(std::env::args_os().collect(), is_command);
    let arguments = Arguments::try_parse_from(&words);
    // The window is not to end with the console it was started from, nor with what is typed there.
    let is_window = arguments.as_ref().is_ok_and(|arguments| arguments.face.is_none() && arguments.show.is_window());
    if !is_window {
        platform::join_console();
    }
    let named = || LangName::from_str(&usage::named_language(&words)?, true).ok();
    let lang = lang(arguments.as_ref().map_or_else(|_wrong| named(), |arguments| arguments.lang));
    let (mut input, mut out, mut err) = (io::stdin().lock(), io::BufWriter::new(io::stdout()), io::stderr());
    let out = OutputStream::out(&mut out, io::stdout().is_terminal());
    let err = OutputStream::err(&mut err, io::stderr().is_terminal());
    let mut streams = Streams { input: &mut input, out, err, lang };
    let result = arguments.map_or_else(|error| refuse(&error, &words), |arguments| run(arguments, &mut streams));
    match result.and_then(|outcome| Ok(streams.out.flush().map(|()| outcome)?)) {
        Ok(CliOutcome::Done) => ExitCode::SUCCESS,
        Ok(CliOutcome::Findings) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let lines = failure::lines(error, lang);
            if is_window && !platform::join_console() {
                platform::show_error_box(&lines.iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n"));
            }
            fail(&lines, &mut streams.err);
            ExitCode::from(2)
        }
    }
}

/// Says why the program fails.
fn fail(lines: &[String], err: &mut OutputStream<'_>) {
    for (line, name) in lines.iter().zip(std::iter::once("shogibar: ").chain(std::iter::repeat(""))) {
        let _nowhere_left_to_say_it = writeln!(err, "{name}{line}");
    }
}

/// Shows what the parser has to show where there is nothing to run: help, the version, or what is wrong.
fn refuse(error: &clap::Error, words: &[OsString]) -> anyhow::Result<CliOutcome> {
    if !error.use_stderr() {
        error.print()?;
        return Ok(CliOutcome::Done);
    }
    let command = command();
    let face =
        words.iter().skip(1).find_map(|word| command.find_subcommand(word.to_str()?)).map(clap::Command::get_name);
    let asked = ["shogibar"].into_iter().chain(face).collect::<Vec<_>>().join(" ");
    anyhow::bail!(failure::WrongUsage(usage::usage(error), asked))
}

/// The command line as it is parsed, for whoever describes it: man pages, completions of shells.
pub fn command() -> clap::Command {
    Arguments::command()
}

fn run(arguments: Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    match arguments.face {
        Some(Subcommand::Analyze(arguments)) => analyze::run(&arguments, streams),
        Some(Subcommand::Convert(arguments)) => convert::run(&arguments, streams),
        Some(Subcommand::Notate(arguments)) => notate::run(&arguments, streams),
        #[cfg(feature = "gui")]
        Some(Subcommand::Snapshot(arguments)) => snapshot::run(&arguments, streams),
        Some(Subcommand::Engine(arguments)) => engine::run(&arguments, streams),
        Some(Subcommand::Replay(arguments)) => replay::run(&arguments, streams),
        Some(Subcommand::Explain(arguments)) => explain::run(&arguments, streams),
        Some(Subcommand::Engines(arguments)) => engines::run(&arguments, streams),
        Some(Subcommand::Doctor(arguments)) => doctor::run(&arguments, streams),
        None => show::run(&arguments.show, arguments.lang, streams),
    }
}

/// One of these names, which help and shells tell.
fn one_of<T: Clone + Send + Sync + 'static>(
    names: impl Into<PossibleValuesParser>,
    of_name: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    // The names are known to the parser, which refuses others before.
    names.into().try_map(move |name| of_name(&name).ok_or_else(|| ExpectedValue::OneOf(vec![name])))
}

/// A word that names neither a file nor a face, and what is to be said of it. What looks like a file's name, with a dot, a
/// slash or letters beyond ASCII, is none.
fn unknown_word(file: &Path, lang: Lang) -> Option<String> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let word = file.to_str().filter(|word| *word != "-" && !file.exists() && word.chars().all(is_letter))?;
    let sentence = match meant(word) {
        Some(command) => phrase::no_such_file(word, &command, lang),
        None => CommandError::NoCommand(word.to_owned()).text(lang),
    };
    Some(sentence)
}

/// The face whose name is much the same.
fn meant(word: &str) -> Option<String> {
    let command = command();
    let mut names = command.get_subcommands().map(clap::Command::get_name);
    names.find(|name| is_near(name, word)).map(str::to_owned)
}

/// Whether two words are the same but for two letters in a row: one left out, one too many, another, or two that have
/// changed places.
fn is_near(one: &str, other: &str) -> bool {
    let same = |(a, b): &(char, char)| a == b;
    let (least, most) = (one.len().min(other.len()), one.len().max(other.len()));
    let from_start = one.chars().zip(other.chars()).take_while(same).count();
    let from_end = one.chars().rev().zip(other.chars().rev()).take_while(same).count().min(least - from_start);
    from_start + from_end + 2 >= most && least > 2
}

/// The language of every face: the one that is named on the command line, or else the one that is set, or else the
/// system's. What is wrong with the settings is said by the window, where they can be mended.
fn lang(named: Option<LangName>) -> Lang {
    named.map_or_else(
        || {
            let settings = store().and_then(|store| store.settings().ok()).unwrap_or_default().value;
            Lang::resolve(settings.general.language, system_lang())
        },
        LangName::lang,
    )
}

/// The language the system is set to, and Japanese where it says nothing. On Windows, and for what is not started in
/// a shell on macOS, no variable says it.
fn system_lang() -> Lang {
    system_lang_of(|name| std::env::var_os(name), sys_locale::get_locale)
}

fn system_lang_of(variable: impl Fn(&str) -> Option<OsString>, locale: impl FnOnce() -> Option<String>) -> Lang {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
    let set = set.map(|set| set.to_string_lossy().into_owned());
    set.or_else(locale).map_or_else(Lang::default, |locale| Lang::from_locale(&locale))
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

/// The user's configuration: in the folder that `SHOGIBAR_CONFIG` names, or else beside a portable program, or else
/// where the system has it; `None` for a user who has no home.
fn store() -> Option<Store> {
    let folder = std::env::var_os("SHOGIBAR_CONFIG").filter(|folder| !folder.is_empty());
    folder.map(|folder| Store::new(folder.into())).or_else(Store::for_user)
}

/// Where it is recorded what engines are told and say.
#[derive(Clone, Debug, Default, clap::Args)]
struct LogArgument {
    /// Record what the engines are told and say in FILE, as `replay` and `explain` read it; a second engine in FILE-2
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(log_file))]
    log: Option<PathBuf>,
}

fn log_file(path: PathBuf) -> Result<PathBuf, ExpectedValue> {
    if path.as_os_str() == "-" { Err(ExpectedValue::File) } else { Ok(path) }
}

impl LogArgument {
    /// The log: the one that is named, or else the one that is set.
    fn open(&self) -> TrafficLog {
        let log = TrafficLog::default();
        let set = || {
            let store = store()?;
            store.settings().ok()?.value.general.log.then(|| store.log_file())
        };
        log.set_file(self.log.clone().or_else(set).as_deref());
        log
    }
}

/// Says what is wrong with the file of settings, which keeps nothing from running.
fn report_settings_problems(store: Option<&Store>, lang: Lang, out: &mut OutputStream<'_>) -> io::Result<()> {
    let Some(store) = store else { return Ok(()) };
    let sentences = match store.settings() {
        Ok(ConfigReading { not_toml: Some(why), .. }) => vec![setting::not_toml(&why, lang)],
        Ok(reading) => reading.findings.iter().map(|finding| setting::finding(finding, lang)).collect(),
        Err(error) => vec![Remark::SettingsUnreadable((&error).into()).text(lang)],
    };
    for sentence in sentences {
        writeln!(out, "{}: {sentence}", store.settings_file().display())?;
    }
    Ok(())
}

/// The user's engines. What is wrong with their file is said on standard error, and does not keep anything
/// from running.
fn profiles(store: Option<&Store>, lang: Lang, streams: &mut Streams<'_>) -> io::Result<ConfigReading> {
    let Some(store) = store else { return Ok(ConfigReading::default()) };
    let reading = match store.profiles() {
        Ok(reading) => reading,
        Err(error) => {
            writeln!(streams.err, "{}", failure::sentence(&error.into(), lang))?;
            return Ok(ConfigReading::default());
        }
    };
    if let Some(why) = &reading.not_toml {
        writeln!(streams.err, "{}: {}", store.engines_file().display(), setting::not_toml(why, lang))?;
    }
    for finding in &reading.findings {
        writeln!(streams.err, "{}: {}", store.engines_file().display(), setting::finding(finding, lang))?;
    }
    Ok(reading)
}

/// How one of so many engines is run of which nothing is said: together they take half of the processors.
fn default_session(engines: usize) -> SessionConfig {
    let half = std::thread::available_parallelism().map_or(1, |n| n.get().div_euclid(2));
    let threads = u32::try_from(half.div_euclid(engines.max(1)).max(1)).unwrap_or(u32::MAX);
    SessionConfig { threads, presets: Presets::built_in(), ..SessionConfig::default() }
}

/// The bytes of a file with records, or of standard input for `-`.
fn read_record(input: &Path, lang: Lang, streams: &mut Streams<'_>) -> anyhow::Result<Vec<u8>> {
    if input == Path::new("-") {
        return Ok(files::read_from(streams.input, kifu::MAX_BYTES).map_err(CommandError::Input)?);
    }
    let unreadable = |why| anyhow::anyhow!(Message::RecordUnreadable(record_name(input, lang), why).text(lang));
    files::read(input, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))
}

/// What a sentence calls a file with records.
fn record_name(input: &Path, lang: Lang) -> String {
    if input == Path::new("-") { convert_text::standard_input(lang).to_owned() } else { input.display().to_string() }
}

/// Whoever read our output has gone away: no error, there is nobody left to tell.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref().is_some_and(|e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_mistyped_is_known() {
        let check = |word: &str, expect: Option<&str>| assert_eq!(meant(word).as_deref(), expect, "{word}");
        check("analze", Some("analyze"));
        check("anaylze", Some("analyze"));
        check("convertt", Some("convert"));
        check("docter", Some("doctor"));
        check("doctordoctor", None);
        check("game", None);
        check("do", None);
    }

    #[test]
    fn a_word_that_names_nothing_is_told_from_a_file() {
        let check = |word: &str, expect: &str| {
            let said = unknown_word(Path::new(word), Lang::En).unwrap_or_default();
            assert!(said.contains(expect) && said.is_empty() == expect.is_empty(), "{word}: {said}");
        };
        check("frobnicate", "`shogibar --help`");
        check("game1", "`shogibar --help`");
        check("analze", "did you mean `shogibar analyze`?");
        for file in ["src", "-", "game.kif", "games/one", "棋譜", "frob nicate"] {
            check(file, "");
        }
    }

    #[test]
    fn the_language_is_that_of_the_system() {
        let check = |variables: &[(&str, &str)], locale: Option<&str>, expect| {
            let variable = |name: &str| Some(variables.iter().find(|(set, _)| *set == name)?.1.into());
            let found = system_lang_of(variable, || locale.map(str::to_owned));
            assert_eq!(found, expect, "{variables:?} {locale:?}");
        };
        check(&[], None, Lang::Ja);
        // As Windows and macOS say it.
        check(&[], Some("ja-JP"), Lang::Ja);
        check(&[], Some("en-US"), Lang::En);
        check(&[], Some("jam-JM"), Lang::En);
        check(&[("LANG", "")], Some("en"), Lang::En);
        // As a shell does.
        check(&[("LANG", "ja_JP.UTF-8")], Some("en-US"), Lang::Ja);
        check(&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], None, Lang::En);
        check(&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "ja")], None, Lang::Ja);
    }
}
