//! `shogibar convert`: records from any format to any.

use super::{CliOutcome, Streams, failure, one_of};
use crate::cli::command_error::CommandError;
use anyhow::anyhow;
use shogibar_base::Lang;
use shogibar_base::file_error::ReadProblem;
use shogibar_games::convert_text::{self, ConvertRefusal};
use shogibar_games::folder_text::link_not_followed;
use shogibar_kifu::{Loss, ReadError, Record, Target, UnreadableRecord, Warning, record_text as text};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

/// The maximum length of the user's answer that is read, in bytes.
const MAX_ANSWER_BYTES: u64 = 100;

/// The arguments of `shogibar convert`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Formats: kif (Shift_JIS), kifu (UTF-8), ki2, ki2u, csa (V2.2), csa-sjis, csa3, jkf, bod, psn, \
    usi (a position line), sfen (the last position). The format and encoding of IN are recognised by its content. \
    A terminal gets UTF-8. In a folder every record is converted, to the same place below OUT or, with --beside, beside \
    it; records that are already in the format are left as they are. Links below a folder are not followed. What a format \
    cannot hold is reported on standard error; the exit code is then 1."
)]
pub(super) struct Arguments {
    /// A record, a folder of records, or `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write beside each record, with the extension of the format
    #[arg(long, conflicts_with = "output")]
    beside: bool,
    /// Replace existing records with other content
    #[arg(long)]
    force: bool,
    /// The format to write [default: that of the name of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Target::ALL.map(Target::name), Target::from_name))]
    to: Option<Target>,
    /// Refuse to replace characters that the encoding does not have
    #[arg(long)]
    strict: bool,
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let target = arguments.target()?;
    // Terminals do not show Shift_JIS.
    let target = if arguments.writes_to_stdout() && streams.out.is_terminal() {
        target.in_utf8()
    } else {
        target
    };
    let Arguments {
        strict,
        force,
        beside,
        ..
    } = *arguments;
    let mut job = ConvertJob {
        target,
        is_strict: strict,
        is_forced: force,
        lang: streams.lang,
        streams,
        has_lost: false,
    };
    let input = arguments.input.as_path();
    let output = arguments.output.as_deref();
    if input.is_dir() {
        job.convert_folder(input, output, beside)?;
    } else {
        let in_place = match output.is_some_and(|output| shogibar_files::is_same_file(input, output)) {
            false => InPlace::No,
            true if arguments.to.is_none() => InPlace::InItsFormat,
            true => InPlace::Yes,
        };
        let beside = beside.then(|| input.with_file_name(output_name(input, target)));
        let output = output
            .filter(|path| *path != Path::new("-"))
            .or(beside.as_deref());
        job.convert_file(input, output, in_place)?;
    }
    Ok(if job.has_lost {
        CliOutcome::Problems
    } else {
        CliOutcome::Done
    })
}

impl Arguments {
    /// Returns whether the output is standard output.
    fn writes_to_stdout(&self) -> bool {
        !self.input.is_dir()
            && !self.beside
            && self.output.as_deref().is_none_or(|path| path == Path::new("-"))
    }

    /// Returns the named format, or that of the extension of the output. Fails without both.
    fn target(&self) -> anyhow::Result<Target> {
        let extension = self
            .output
            .as_deref()
            .and_then(Path::extension)
            .and_then(|extension| extension.to_str());
        self.to
            .or_else(|| Target::from_name(&extension?.to_ascii_lowercase()))
            .ok_or_else(|| CommandError::NoFormat.into())
    }
}

/// The conversion of a file or a folder.
struct ConvertJob<'a, 's> {
    target: Target,
    is_strict: bool,
    is_forced: bool,
    lang: Lang,
    streams: &'a mut Streams<'s>,
    /// Whether content was lost, or a file could not be read.
    has_lost: bool,
}

#[derive(Debug, Default)]
struct FolderPlan {
    records: Vec<PathBuf>,
    /// The number of files to write: one for each game.
    file_count: usize,
    /// The number of records that are already in the target format.
    unchanged_count: usize,
    /// The files that are not overwritten.
    reserved_paths: BTreeSet<PathBuf>,
}

/// A file that was converted completely, before anything is written.
struct ConvertedFile {
    games: usize,
    /// The first game in the target format.
    first_game: Vec<u8>,
    has_lost: bool,
}

/// Whether the user has named the input as the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InPlace {
    No,
    /// The input is replaced by the output in the named format.
    Yes,
    /// No format was named: the input keeps its encoding and version.
    InItsFormat,
}

/// A function that receives each converted game and its number in the file, from 1.
type OnGame<'t> = &'t mut dyn FnMut(&mut ConvertJob<'_, '_>, usize, &[u8]) -> anyhow::Result<()>;

impl ConvertJob<'_, '_> {
    fn convert_file(&mut self, input: &Path, output: Option<&Path>, in_place: InPlace) -> anyhow::Result<()> {
        let bytes = super::read_record(input, self.lang, self.streams)?;
        if in_place == InPlace::InItsFormat
            && let Ok(reading) = shogibar_kifu::read_each(&bytes, input, &mut drop)
        {
            self.target = self.target.or_variant(reading.target);
        }
        let Some(output) = output else {
            return self.print(input, &bytes);
        };
        let first = if output.is_dir() {
            output.join(output_name(input, self.target))
        } else {
            output.to_owned()
        };
        let converted = self.convert(input, &bytes, usize::MAX, &mut |job, number, written| {
            let path = shogibar_files::numbered_path(&first, number);
            check_size(&path, written, job.lang)?;
            // Once all of the input is known to be in the output, the input may be replaced.
            if in_place != InPlace::No && shogibar_files::is_same_file(input, &path) {
                Ok(())
            } else {
                job.check_free(&path, written)
            }
        })?;
        let converted = converted.map_err(|error| self.unreadable_error(input, &error))?;
        for path in (1..=converted.games).map(|number| shogibar_files::numbered_path(&first, number)) {
            if shogibar_files::is_same_file(input, &path) && (converted.has_lost || converted.games > 1) {
                return Err(self.refusal_error(&ConvertRefusal::WouldLose(path.display().to_string())));
            }
            check_replaceable(&path, self.lang)?;
        }
        self.write_all(input, &bytes, &converted, &mut |_, number, written| {
            Ok(shogibar_files::write_whole(
                &shogibar_files::numbered_path(&first, number),
                written,
            )?)
        })
    }

    /// Refuses to replace a file with other content, unless the user has allowed it.
    fn check_free(&self, path: &Path, written: &[u8]) -> anyhow::Result<()> {
        let is_free = self.is_forced || !path.is_file() || is_empty(path) || has_content(path, written);
        if is_free {
            Ok(())
        } else {
            Err(self.refusal_error(&ConvertRefusal::FileExists(path.display().to_string())))
        }
    }

    fn record_name(&self, input: &Path) -> String {
        super::record_name(input, self.lang)
    }

    /// Returns the error of a file that is not a record.
    fn unreadable_error(&self, input: &Path, error: &ReadError) -> anyhow::Error {
        anyhow!(UnreadableRecord::about(
            &error.into(),
            &self.record_name(input),
            self.lang
        ))
    }

    fn refusal_error(&self, refusal: &ConvertRefusal) -> anyhow::Error {
        anyhow!(refusal.text(self.lang))
    }

    /// Converts at most `limit` games of a file, and passes each game on as soon as it is read. Reports all warnings
    /// and losses. The inner error means that the file is no record.
    fn convert(
        &mut self,
        input: &Path,
        bytes: &[u8],
        limit: usize,
        on_game: OnGame<'_>,
    ) -> anyhow::Result<Result<ConvertedFile, ReadError>> {
        let before = std::mem::take(&mut self.has_lost);
        let keeps_no_moves = matches!(self.target, Target::Sfen | Target::Bod);
        let (mut games, mut first, mut done, mut leaves_moves) = (0_usize, Vec::new(), Ok(()), false);
        let mut convert = |job: &mut Self, record: Record| {
            games += 1;
            if games > limit || done.is_err() {
                return;
            }
            leaves_moves |= keeps_no_moves && !record.is_empty();
            done = job.convert_game(input, &record).and_then(|written| {
                on_game(job, games, &written)?;
                if games == 1 {
                    first = written;
                }
                Ok(())
            });
        };
        // The last game is converted after the warnings are reported; usually it is the only one.
        let mut last: Option<Record> = None;
        let read = shogibar_kifu::read_each(bytes, input, &mut |record| {
            if let Some(before) = last.replace(record) {
                convert(self, before);
            }
        });
        let warnings = match read {
            Ok(contents) => {
                if contents.container.is_excerpt() {
                    let moves = last.as_ref().map_or(0, Record::len);
                    let found = text::found(contents.container, contents.games, moves, self.lang);
                    writeln!(self.streams.err, "{}: {found}", self.record_name(input))?;
                }
                contents.warnings
            }
            Err(error) => {
                self.has_lost = before;
                return Ok(Err(error));
            }
        };
        self.report_warnings(input, &warnings)?;
        if let Some(last) = last {
            convert(self, last);
        }
        done?;
        let has_lost = self.has_lost || leaves_moves;
        self.has_lost |= before;
        Ok(Ok(ConvertedFile {
            games,
            first_game: first,
            has_lost,
        }))
    }

    /// Passes the games of a converted file to `on_game`, which writes them. Only the first game is in memory: the file
    /// is read again for the others.
    fn write_all(
        &mut self,
        input: &Path,
        bytes: &[u8],
        converted: &ConvertedFile,
        on_game: OnGame<'_>,
    ) -> anyhow::Result<()> {
        if converted.games == 1 {
            return on_game(self, 1, &converted.first_game);
        }
        let (mut number, mut done) = (0_usize, Ok(()));
        let read = shogibar_kifu::read_each(bytes, input, &mut |record| {
            number += 1;
            if done.is_ok() {
                done = on_game(self, number, &shogibar_kifu::write(&record, self.target).bytes);
            }
        });
        read.map_err(|error| self.unreadable_error(input, &error))?;
        done
    }

    fn report_warnings(&mut self, input: &Path, warnings: &[Warning]) -> anyhow::Result<()> {
        for warning in warnings {
            self.has_lost |= warning.problem.is_loss();
            writeln!(
                self.streams.err,
                "{}:{}",
                input.display(),
                text::warning(warning, self.lang)
            )?;
        }
        Ok(())
    }

    /// Reports what the target format cannot hold. Losses belong to no line, so they are reported at 1:1.
    fn report_losses(&mut self, input: &Path, losses: &[Loss]) -> anyhow::Result<()> {
        for loss in losses {
            self.has_lost = true;
            let message = text::loss(loss, self.target, self.lang);
            writeln!(self.streams.err, "{}:1:1: {message}", input.display())?;
        }
        Ok(())
    }

    /// Converts a game, reports its losses, and returns the bytes of the new format. Fails if `--strict` is set and a
    /// character would be replaced.
    fn convert_game(&mut self, input: &Path, record: &Record) -> anyhow::Result<Vec<u8>> {
        let written = shogibar_kifu::write(record, self.target);
        let character = written
            .losses
            .iter()
            .find(|loss| matches!(loss, Loss::Character { .. }));
        if self.is_strict
            && let Some(loss) = character
        {
            return Err(self.refusal_error(&ConvertRefusal::Character(
                input.display().to_string(),
                loss.clone(),
                self.target,
            )));
        }
        self.report_losses(input, &written.losses)?;
        Ok(written.bytes)
    }

    /// Writes a record to standard output: all games in a format of one line per game, else the first game.
    fn print(&mut self, input: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        let is_one_line_per_game = matches!(self.target, Target::Usi | Target::Sfen);
        let limit = if is_one_line_per_game { usize::MAX } else { 1 };
        let converted = self.convert(input, bytes, limit, &mut |job, _, written| {
            job.streams.out.write_record(written, job.target)?;
            Ok(())
        })?;
        let converted = converted.map_err(|error| self.unreadable_error(input, &error))?;
        match converted.games.saturating_sub(limit) {
            0 => Ok(()),
            more => self.report_losses(input, &[Loss::Games(more)]),
        }
    }

    /// Converts every record below a folder.
    fn convert_folder(&mut self, input: &Path, output: Option<&Path>, beside: bool) -> anyhow::Result<()> {
        if output.is_none() && !beside {
            return Err(self.refusal_error(&ConvertRefusal::NeedsOutputFolder(input.display().to_string())));
        }
        if output.is_some_and(|output| output == Path::new("-") || output.exists() && !output.is_dir()) {
            return Err(self.refusal_error(&ConvertRefusal::NeedsFolder(input.display().to_string())));
        }
        let shogibar_files::WalkedFolder {
            files: mut found,
            mut links,
            errors,
        } = shogibar_files::walk(input);
        links.extend(found.extract_if(.., |path| path.is_symlink()));
        for link in &links {
            let sentence = link_not_followed(&link.display().to_string(), self.lang);
            writeln!(self.streams.err, "{sentence}")?;
        }
        // The output of an earlier run below the folder is not part of the input.
        if let Some(output) = output.filter(|output| !shogibar_files::is_same_file(input, output)) {
            found.retain(|path| !path.starts_with(output));
        }
        let mut failures: Vec<anyhow::Error> = errors.into_iter().map(Into::into).collect();
        let mut plan = FolderPlan {
            reserved_paths: found.iter().filter_map(|path| path.canonicalize().ok()).collect(),
            ..FolderPlan::default()
        };
        for path in found {
            if let Err(error) = self.add_to_plan(path, &mut plan) {
                failures.push(error);
            }
        }
        let mut done = 0_usize;
        if self.confirm_plan(&plan, output)? {
            for path in &plan.records {
                match self.convert_in_folder(path, input, output, &mut plan.reserved_paths) {
                    Ok(()) => done += 1,
                    Err(error) => failures.push(error),
                }
            }
        }
        for error in &failures {
            self.has_lost = true;
            writeln!(self.streams.err, "{}", failure::sentence(error, self.lang))?;
        }
        writeln!(
            self.streams.err,
            "{}",
            convert_text::summary(done, plan.unchanged_count, failures.len(), self.lang)
        )?;
        Ok(())
    }

    /// Adds a record in another format to the plan, and counts a record in the target format. A file that is not a
    /// record is a failure if it has the extension of a record.
    fn add_to_plan(&self, path: PathBuf, plan: &mut FolderPlan) -> anyhow::Result<()> {
        let has_record_extension = shogibar_kifu::has_record_extension(&path);
        let bytes = match shogibar_files::read(&path, shogibar_kifu::MAX_BYTES) {
            Err(error) if !has_record_extension && !matches!(error.problem(), ReadProblem::Io(_)) => {
                return Ok(());
            }
            bytes => bytes?,
        };
        match shogibar_kifu::read_each(&bytes, &path, &mut drop) {
            Err(_) if !has_record_extension => {}
            Err(error) => return Err(self.unreadable_error(&path, &error)),
            Ok(read) if (read.target, read.encoding) == (self.target, self.target.encoding()) => {
                plan.unchanged_count += 1;
            }
            Ok(read) => {
                plan.file_count += read.games;
                plan.records.push(path);
            }
        }
        Ok(())
    }

    /// Reports how many files will be written. On a terminal, asks the user whether to continue. Returns the answer;
    /// `true` without a question.
    fn confirm_plan(&mut self, plan: &FolderPlan, output: Option<&Path>) -> anyhow::Result<bool> {
        let target = output.map(|output| output.display().to_string());
        writeln!(
            self.streams.err,
            "{}",
            convert_text::plan(plan.file_count, target.as_deref(), self.lang)
        )?;
        if plan.file_count == 0 || !self.streams.err.is_terminal() || !std::io::stdin().is_terminal() {
            return Ok(true);
        }
        write!(self.streams.err, "{}", convert_text::confirm_writing(self.lang))?;
        self.streams.err.flush()?;
        let mut answer = String::new();
        self.streams.input.take(MAX_ANSWER_BYTES).read_line(&mut answer)?;
        Ok(matches!(
            answer.trim().to_ascii_lowercase().as_str(),
            "y" | "yes" | "はい"
        ))
    }

    /// Converts a record of a folder. `reserved` holds the input files and the files written so far, which are not
    /// overwritten.
    fn convert_in_folder(
        &mut self,
        path: &Path,
        input: &Path,
        output: Option<&Path>,
        reserved: &mut BTreeSet<PathBuf>,
    ) -> anyhow::Result<()> {
        let bytes = shogibar_files::read(path, shogibar_kifu::MAX_BYTES)?;
        let converted = self.convert(path, &bytes, usize::MAX, &mut |job, _, written| {
            check_size(
                &path.with_file_name(output_name(path, job.target)),
                written,
                job.lang,
            )
        })?;
        let converted = converted.map_err(|error| self.unreadable_error(path, &error))?;
        let folder = match (output, path.parent()) {
            (Some(output), Some(parent)) => output.join(parent.strip_prefix(input)?),
            (_, parent) => parent.unwrap_or(input).to_owned(),
        };
        // A link inside the output folder is refused, as it may lead out of the folder.
        let target = output.filter(|output| folder != *output);
        if let Some(link) = target.and_then(|target| {
            folder
                .ancestors()
                .take_while(|at| *at != target)
                .find(|at| at.is_symlink())
        }) {
            return Err(self.refusal_error(&ConvertRefusal::NotPlain(link.display().to_string())));
        }
        shogibar_files::make_folder(&folder)?;
        let folder = folder.canonicalize()?;
        self.write_all(path, &bytes, &converted, &mut |job, number, written| {
            // Two records that differ only in their extensions keep their full names.
            let names = [output_name(path, job.target), full_output_name(path, job.target)];
            let paths = names.map(|name| shogibar_files::numbered_path(&folder.join(name), number));
            if let Some(odd) = paths.iter().find(|path| is_special(path)) {
                return Err(job.refusal_error(&ConvertRefusal::NotPlain(odd.display().to_string())));
            }
            if paths.iter().any(|path| has_content(path, written)) {
                return Ok(());
            }
            let [plain, _] = &paths;
            let refuse = |refusal: fn(String) -> ConvertRefusal| {
                Err(job.refusal_error(&refusal(plain.display().to_string())))
            };
            if shogibar_files::is_same_file(path, plain) {
                return match converted {
                    _ if !job.is_forced => refuse(ConvertRefusal::FileExists),
                    ConvertedFile {
                        games: 1,
                        has_lost: false,
                        ..
                    } => Ok(shogibar_files::write_whole(path, written)?),
                    _ => refuse(ConvertRefusal::WouldLose),
                };
            }
            let Some(free) = paths.iter().find(|path| !reserved.contains(*path)) else {
                return refuse(ConvertRefusal::AlsoInput);
            };
            job.check_free(free, written)?;
            check_replaceable(free, job.lang)?;
            shogibar_files::write_whole(free, written)?;
            reserved.insert(free.clone());
            Ok(())
        })
    }
}

/// Refuses to write a file that is too large to be read back.
pub(super) fn check_size(path: &Path, written: &[u8], lang: Lang) -> anyhow::Result<()> {
    if written.len() <= shogibar_kifu::MAX_BYTES {
        return Ok(());
    }
    Err(anyhow!(
        ConvertRefusal::TooLarge(path.display().to_string(), shogibar_kifu::MAX_BYTES).text(lang)
    ))
}

/// Refuses to replace a file unless it is empty or can be read as a record.
pub(super) fn check_replaceable(path: &Path, lang: Lang) -> anyhow::Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    match shogibar_kifu::read_each(
        &shogibar_files::read(path, shogibar_kifu::MAX_BYTES)?,
        path,
        &mut drop,
    ) {
        Ok(_) | Err(ReadError::Empty) => Ok(()),
        Err(_) => Err(anyhow!(
            ConvertRefusal::NotARecord(path.display().to_string()).text(lang)
        )),
    }
}

/// Returns whether a path is neither a plain file nor a folder: a link, a pipe or a device.
fn is_special(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn is_empty(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.len() == 0)
}

/// Returns whether a file exists and holds exactly these bytes.
fn has_content(path: &Path, bytes: &[u8]) -> bool {
    path.exists()
        && shogibar_files::read(path, shogibar_kifu::MAX_BYTES).is_ok_and(|existing| existing == bytes)
}

/// Returns the name of a converted file: `game.jkf`.
fn output_name(path: &Path, target: Target) -> OsString {
    let stem = path
        .file_stem()
        .filter(|stem| *stem != "-")
        .unwrap_or_else(|| "record".as_ref());
    with_extension_of(stem, target)
}

/// Returns the name with both extensions: `game.csa.jkf`.
fn full_output_name(path: &Path, target: Target) -> OsString {
    with_extension_of(path.file_name().unwrap_or_default(), target)
}

fn with_extension_of(name: &OsStr, target: Target) -> OsString {
    let mut name = name.to_owned();
    name.push(".");
    name.push(target.extension());
    name
}
