//! `shogibar convert`: records from any format to any.

use super::{Outcome, Streams, failure, one_of};
use crate::files::{self, Problem};
use crate::kifu::{self, Loss, ReadError, Reading, Record, Target, Warning};
use crate::text::convert::{self, Refusal};
use crate::text::failure::CommandError;
use crate::text::{Lang, Message, record as text};
use anyhow::anyhow;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What `shogibar convert` was given.
#[derive(Debug, clap::Args)]
#[command(after_help = "Formats: kif (Shift_JIS), kifu (UTF-8), ki2, ki2u, csa (V2.2), csa3, jkf, bod, psn, \
    usi (a position line), sfen (the last position). The format and encoding of IN are told by its content. \
    A terminal is shown UTF-8. Of a folder every record is converted, beside it or below OUT in the same shape. What a format cannot hold \
    is said on standard error; the exit code is then 1.")]
pub(super) struct Arguments {
    /// A record, a folder of records, or `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write [default: standard output; of a folder, beside each record]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// The format to write [default: what the name of OUT says]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Target::ALL.map(Target::name), Target::from_name))]
    to: Option<Target>,
    /// Refuse to replace characters that the encoding does not have
    #[arg(long)]
    strict: bool,
}

/// Ends of names that promise a record.
const EXTENSIONS: [&str; 13] =
    ["kif", "kifu", "ki2", "ki2u", "csa", "jkf", "bod", "psn", "usi", "sfen", "usen", "epd", "json"];

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<Outcome> {
    let target = arguments.target()?;
    // A terminal takes no Shift_JIS.
    let target = if arguments.prints() && streams.out.is_terminal() { target.in_utf8() } else { target };
    let mut job = Job { target, strict: arguments.strict, lang: streams.lang, streams, has_lost: false };
    let output = arguments.output.as_deref();
    if arguments.input.is_dir() {
        job.folder(&arguments.input, output)?;
    } else {
        job.file(&arguments.input, output.filter(|path| *path != Path::new("-")))?;
    }
    Ok(if job.has_lost { Outcome::Findings } else { Outcome::Done })
}

impl Arguments {
    /// Whether it goes to standard output.
    fn prints(&self) -> bool {
        !self.input.is_dir() && self.output.as_deref().is_none_or(|path| path == Path::new("-"))
    }

    fn target(&self) -> anyhow::Result<Target> {
        let extension = self.output.as_deref().and_then(Path::extension).and_then(|extension| extension.to_str());
        let by_name = || Target::from_name(&extension?.to_ascii_lowercase());
        self.to.or_else(by_name).ok_or_else(|| CommandError::NoFormat.into())
    }
}

struct Job<'a, 's> {
    target: Target,
    strict: bool,
    lang: Lang,
    streams: &'a mut Streams<'s>,
    /// Whether anything was lost, or could not be read.
    has_lost: bool,
}

/// A file that has been read, and what it becomes: nothing is written before all of it is known.
struct Converted {
    /// Its games in the other format.
    games: Vec<Vec<u8>>,
    /// Whether something of the file is not in them.
    has_lost: bool,
}

impl Job<'_, '_> {
    /// Converts one file.
    fn file(&mut self, input: &Path, output: Option<&Path>) -> anyhow::Result<()> {
        let bytes = self.read(input)?;
        let reading = kifu::read(&bytes).map_err(|error| self.refuse(input, &error))?;
        let Some(output) = output else {
            self.warn(input, &reading.warnings)?;
            return self.print(input, &reading);
        };
        let converted = self.convert(input, &reading)?;
        let first = if output.is_dir() { output.join(named(input, self.target)) } else { output.to_owned() };
        let paths: Vec<_> = (1..=converted.games.len()).map(|number| numbered(&first, number)).collect();
        for (number, path) in paths.iter().enumerate() {
            if files::is_same(input, path) && (converted.has_lost || converted.games.len() > 1) {
                return Err(self.no(&Refusal::WouldLose(path.display().to_string())));
            }
            check_replaceable(path, self.lang)?;
            if number > 0 && path.exists() && !is_there(path, converted.games.get(number)) {
                return Err(self.no(&Refusal::ThereAlready(path.display().to_string())));
            }
        }
        for (path, bytes) in paths.iter().zip(&converted.games) {
            files::write_whole(path, bytes)?;
        }
        Ok(())
    }

    fn read(&mut self, input: &Path) -> anyhow::Result<Vec<u8>> {
        if input == Path::new("-") {
            return Ok(files::read_from(self.streams.input, kifu::MAX_BYTES).map_err(CommandError::Input)?);
        }
        files::read(input, kifu::MAX_BYTES)
            .map_err(|error| anyhow!(Message::RecordUnreadable(self.name(input), (&error).into()).text(self.lang)))
    }

    /// What a sentence calls a file.
    fn name(&self, input: &Path) -> String {
        if input == Path::new("-") {
            convert::standard_input(self.lang).to_owned()
        } else {
            input.display().to_string()
        }
    }

    /// Why a file is no record, in the user's language.
    fn refuse(&self, input: &Path, error: &ReadError) -> anyhow::Error {
        anyhow!(Message::RecordUnreadable(self.name(input), error.into()).text(self.lang))
    }

    fn no(&self, refusal: &Refusal) -> anyhow::Error {
        anyhow!(refusal.text(self.lang))
    }

    /// Every game of a file in the other format, with all there is to say of it said.
    fn convert(&mut self, input: &Path, reading: &Reading) -> anyhow::Result<Converted> {
        let before = std::mem::take(&mut self.has_lost);
        self.warn(input, &reading.warnings)?;
        let games: anyhow::Result<Vec<_>> = reading.games.iter().map(|record| self.write(input, record)).collect();
        let keeps_no_moves = matches!(self.target, Target::Sfen | Target::Bod);
        let has_lost = self.has_lost || keeps_no_moves && reading.games.iter().any(|record| !record.is_empty());
        self.has_lost |= before;
        Ok(Converted { games: games?, has_lost })
    }

    fn warn(&mut self, input: &Path, warnings: &[Warning]) -> anyhow::Result<()> {
        for warning in warnings {
            self.has_lost |= warning.problem.is_a_loss();
            writeln!(self.streams.err, "{}:{}", input.display(), text::warning(warning, self.lang))?;
        }
        Ok(())
    }

    /// Says what a format could not hold. Such a loss has no place in the file; it stands at its head.
    fn lose(&mut self, input: &Path, losses: &[Loss]) -> anyhow::Result<()> {
        for loss in losses {
            self.has_lost = true;
            let said = text::loss(loss, self.target, self.lang);
            writeln!(self.streams.err, "{}:1:1: {said}", input.display())?;
        }
        Ok(())
    }

    /// Writes a game, or refuses where the user wants nothing replaced.
    fn write(&mut self, input: &Path, record: &Record) -> anyhow::Result<Vec<u8>> {
        let written = kifu::write(record, self.target);
        let character = written.losses.iter().find(|loss| matches!(loss, Loss::Character { .. }));
        if let Some(loss) = character.filter(|_| self.strict) {
            return Err(self.no(&Refusal::Character(input.display().to_string(), loss.clone(), self.target)));
        }
        self.lose(input, &written.losses)?;
        Ok(written.bytes)
    }

    fn print(&mut self, input: &Path, reading: &Reading) -> anyhow::Result<()> {
        let is_a_line_a_game = matches!(self.target, Target::Usi | Target::Sfen);
        let most = if is_a_line_a_game { reading.games.len() } else { 1 };
        for record in reading.games.iter().take(most) {
            let bytes = self.write(input, record)?;
            self.streams.out.record(&bytes, self.target)?;
        }
        match reading.games.len() - most {
            0 => Ok(()),
            more => self.lose(input, &[Loss::Games(more)]),
        }
    }

    /// Converts every record below a folder.
    fn folder(&mut self, input: &Path, output: Option<&Path>) -> anyhow::Result<()> {
        if output.is_some_and(|output| output == Path::new("-") || output.exists() && !output.is_dir()) {
            return Err(self.no(&Refusal::NeedsFolder(input.display().to_string())));
        }
        let (mut found, errors) = files::walk(input);
        // What an earlier run wrote below the folder is no part of it.
        if let Some(output) = output.filter(|output| !files::is_same(input, output)) {
            found.retain(|path| !path.starts_with(output));
        }
        let mut failures: Vec<anyhow::Error> = errors.into_iter().map(Into::into).collect();
        let mut taken = found.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let mut done = 0_usize;
        for path in &found {
            match self.one_of_many(path, input, output, &mut taken) {
                Ok(true) => done += 1,
                Ok(false) => {}
                Err(error) => failures.push(error),
            }
        }
        for error in &failures {
            self.has_lost = true;
            writeln!(self.streams.err, "{}", failure::sentence(error, self.lang))?;
        }
        writeln!(self.streams.err, "{}", convert::summary(done, failures.len(), self.lang))?;
        Ok(())
    }

    /// Converts a file of a folder; `false` where it is no record and does not look like one. `taken` are
    /// the files to be converted, and those written so far: none of them is written over.
    fn one_of_many(
        &mut self,
        path: &Path,
        input: &Path,
        output: Option<&Path>,
        taken: &mut BTreeSet<PathBuf>,
    ) -> anyhow::Result<bool> {
        let promises =
            path.extension().is_some_and(|end| EXTENSIONS.iter().any(|known| end.eq_ignore_ascii_case(known)));
        let reading = match files::read(path, kifu::MAX_BYTES) {
            Err(error) if !promises && matches!(error.problem(), Problem::TooLarge(_)) => return Ok(false),
            bytes => kifu::read(&bytes?),
        };
        let reading = match reading {
            Err(_) if !promises => return Ok(false),
            reading => reading.map_err(|error| self.refuse(path, &error))?,
        };
        let converted = self.convert(path, &reading)?;
        let folder = match (output, path.parent()) {
            (Some(output), Some(parent)) => output.join(parent.strip_prefix(input)?),
            (_, parent) => parent.unwrap_or(input).to_owned(),
        };
        files::make_folder(&folder)?;
        let folder = folder.canonicalize()?;
        for (number, bytes) in (1..).zip(&converted.games) {
            // Two records that differ only in the end of their names keep the whole name.
            let names = [named(path, self.target), whole_name(path, self.target)];
            let paths = names.map(|name| numbered(&folder.join(name), number));
            if paths.iter().any(|path| is_there(path, Some(bytes))) {
                continue;
            }
            let is_itself = paths.first().is_some_and(|plain| files::is_same(path, plain));
            if is_itself && converted.games.len() == 1 {
                if converted.has_lost {
                    return Err(self.no(&Refusal::WouldLose(path.display().to_string())));
                }
                files::write_whole(path, bytes)?;
                continue;
            }
            let free = paths.iter().find(|path| !taken.contains(*path) && (output.is_some() || !path.exists()));
            let Some(free) = free else {
                let [plain, _] = &paths;
                return Err(self.no(&Refusal::ThereAlready(plain.display().to_string())));
            };
            check_replaceable(free, self.lang)?;
            files::write_whole(free, bytes)?;
            taken.insert(free.clone());
        }
        Ok(true)
    }
}

/// Only what can be read whole as a record, or is empty, is replaced.
pub(super) fn check_replaceable(path: &Path, lang: Lang) -> anyhow::Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    match kifu::read(&files::read(path, kifu::MAX_BYTES)?) {
        Ok(_) | Err(ReadError::Empty) => Ok(()),
        Err(_) => Err(anyhow!(Refusal::NotARecord(path.display().to_string()).text(lang))),
    }
}

fn is_there(path: &Path, bytes: Option<&Vec<u8>>) -> bool {
    path.exists() && files::read(path, kifu::MAX_BYTES).ok().as_ref() == bytes
}

/// The name of a converted file: `game.jkf`.
fn named(path: &Path, target: Target) -> OsString {
    let stem = path.file_stem().filter(|stem| *stem != "-").unwrap_or_else(|| "record".as_ref());
    with_end(stem, target)
}

/// `game.csa.jkf`
fn whole_name(path: &Path, target: Target) -> OsString {
    with_end(path.file_name().unwrap_or_default(), target)
}

fn with_end(name: &OsStr, target: Target) -> OsString {
    let mut name = name.to_owned();
    name.push(".");
    name.push(target.extension());
    name
}

/// `game.jkf`, `game-2.jkf`, `game-3.jkf`
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
