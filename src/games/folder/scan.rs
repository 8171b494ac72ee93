//! Lists the games below a folder, and the files that they are written to.

use super::base::holds_comments;
use super::{CSV, FolderError, PAGE, table};
use crate::analysis::{AnalysisScope, StateFile};
use crate::files::{self, ReadProblem};
use crate::kifu::{self, Record, Target};
use crate::text::{Lang, Message, folder as text, record as record_text, system};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The largest table that is replaced, in bytes.
const MAX_TABLE_BYTES: usize = 512 << 20;

/// A game below the folder that is to be analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderGame {
    /// The path of the game's file below the folder, with `/`.
    pub file: String,
    /// The file of the game.
    pub input: PathBuf,
    /// The number of the game in its file, from 1, and the number of games in that file.
    pub number_and_count: [usize; 2],
    /// The output file of the game.
    pub output: PathBuf,
    /// The format of the output file.
    pub target: Target,
    /// The number of positions to search, unless some are known.
    pub positions: usize,
    /// Whether an earlier run has written the game, and nothing remains to be done as far as is known.
    pub is_written: bool,
}

/// The result of reading all records below a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderScan {
    /// The games, by path and number in the file.
    pub games: Vec<FolderGame>,
    /// Losses and unreadable files, as sentences with the file.
    pub problems: Vec<String>,
    /// Other remarks of the readers, as sentences with the file.
    pub remarks: Vec<String>,
}

/// A record file below the folder.
struct FoundFile {
    input: PathBuf,
    relative_path: PathBuf,
    target: Target,
    /// Whether `target` is the format of the file itself.
    keeps_format: bool,
    /// The number of positions of each game.
    games: Vec<usize>,
}

/// Lists the games below a folder, for outputs at equal paths below `output`. Slow: it reads every file.
///
/// Files that are not records and do not have the name of one are left out. Links to folders are not followed: they are
/// a problem, as are files that cannot be read.
///
/// # Errors
/// If the two folders are the same, or if `output` cannot be used for the results.
pub fn scan(input: &Path, output: &Path, scope: AnalysisScope, lang: Lang) -> Result<FolderScan, FolderError> {
    check_output(input, output, lang)?;
    let mut scan = FolderScan::default();
    let walked = files::walk(input);
    scan.problems.extend(walked.errors.iter().map(|error| system::file_error(error, lang)));
    scan.problems.extend(walked.links.iter().map(|link| text::link_not_followed(&link.display().to_string(), lang)));
    let below = below(input, output);
    let mut found = Vec::new();
    for path in walked.files {
        let Ok(relative) = path.strip_prefix(input).map(Path::to_owned) else { continue };
        if below.as_ref().is_none_or(|below| !relative.starts_with(below)) {
            found.extend(read(path, relative, scope, lang, &mut scan));
        }
    }
    scan.games = games(found, output);
    Ok(scan)
}

/// Returns the path of the output folder below the input folder; `None` if it is elsewhere.
fn below(input: &Path, output: &Path) -> Option<PathBuf> {
    let (input, output) = (input.canonicalize().ok()?, output.canonicalize().ok()?);
    output.strip_prefix(input).ok().map(Path::to_owned)
}

fn check_output(input: &Path, output: &Path, lang: Lang) -> Result<(), FolderError> {
    let refuse = |sentence: String| Err(FolderError(sentence));
    let name = output.display().to_string();
    if !input.is_dir() {
        return refuse(text::not_a_folder(&input.display().to_string(), lang));
    }
    if output.exists() && !output.is_dir() || output == Path::new("-") {
        return refuse(text::needs_folder(&input.display().to_string(), lang));
    }
    if files::is_same(input, output) {
        return refuse(text::same_folder(&name, lang));
    }
    files::make_folder(output).map_err(|error| FolderError(system::write_error(&error, lang)))?;
    for (name, is_ours) in [(PAGE, table::is_page as fn(&[u8]) -> bool), (CSV, table::is_csv)] {
        let path = output.join(name);
        if path.is_file() {
            let existing =
                files::read(&path, MAX_TABLE_BYTES).map_err(|error| FolderError(system::file_error(&error, lang)))?;
            if !existing.is_empty() && !is_ours(&existing) {
                return refuse(text::not_a_table(&path.display().to_string(), lang));
            }
        }
    }
    Ok(())
}

/// Reads a file. Returns `None` if it has no game, and reports the reason unless the file is not a record at all.
fn read(
    input: PathBuf,
    relative: PathBuf,
    scope: AnalysisScope,
    lang: Lang,
    scan: &mut FolderScan,
) -> Option<FoundFile> {
    let has_extension = kifu::has_record_extension(&input);
    let unreadable = |why| Message::RecordUnreadable(input.display().to_string(), why).text(lang);
    let bytes = match files::read(&input, kifu::MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if !has_extension && matches!(error.problem(), ReadProblem::TooLarge(_)) => return None,
        Err(error) => {
            scan.problems.push(unreadable((&error).into()));
            return None;
        }
    };
    let mut games = Vec::new();
    let mut sample = None;
    let read = kifu::read_each(&bytes, &input, &mut |record| {
        games.push(positions(&record, scope));
        sample.get_or_insert(record);
    });
    let summary = match read {
        Ok(summary) => summary,
        Err(error) => {
            scan.problems.extend(has_extension.then(|| unreadable((&error).into())));
            return None;
        }
    };
    for warning in &summary.warnings {
        let sentence = format!("{}:{}", input.display(), record_text::warning(warning, lang));
        if warning.problem.is_loss() { &mut scan.problems } else { &mut scan.remarks }.push(sentence);
    }
    let keeps_format = holds_comments(&sample?, summary.target);
    let target = if keeps_format { summary.target } else { Target::Kifu };
    Some(FoundFile { input, relative_path: relative, target, keeps_format, games })
}

/// Returns the number of positions to search, estimated without the rules of the game.
fn positions(record: &Record, scope: AnalysisScope) -> usize {
    let AnalysisScope { variations, from, to, .. } = scope;
    let last = record.len().min(to.into());
    let main = (last + 1).saturating_sub(from.into());
    let others = record.all().filter(|node| record.node(*node).mv().is_some()).count().saturating_sub(record.len());
    if variations { main + others } else { main }
}

/// Returns the games of the files with their outputs. No two games have the same output.
fn games(found: Vec<FoundFile>, output: &Path) -> Vec<FolderGame> {
    // Some systems do not distinguish upper and lower case.
    let key = |path: &Path| path.to_string_lossy().to_lowercase();
    let mut taken = HashSet::new();
    let first = |file: &FoundFile| {
        let mut name = file.relative_path.clone().into_os_string();
        if !file.keeps_format {
            name.push(".");
            name.push(file.target.extension());
        }
        PathBuf::from(name)
    };
    // The names of whole files come before those of further games.
    let firsts: Vec<PathBuf> = found.iter().map(|file| free(&first(file), 1, &mut taken, key)).collect();
    let mut games = Vec::new();
    for (file, first) in found.into_iter().zip(firsts) {
        let count = file.games.len();
        for (number, positions) in (1..).zip(file.games) {
            let name = if number == 1 { first.clone() } else { free(&first, number, &mut taken, key) };
            let output = output.join(name);
            games.push(FolderGame {
                file: slashes(&file.relative_path),
                input: file.input.clone(),
                number_and_count: [number, count],
                target: file.target,
                positions,
                is_written: output.is_file() && !StateFile::path(&output).exists(),
                output,
            });
        }
    }
    games
}

/// Returns the first name that is not taken: `game.csa`, or from a number on `game-2.csa`, `game-3.csa` ….
fn free(path: &Path, from: usize, taken: &mut HashSet<String>, key: impl Fn(&Path) -> String) -> PathBuf {
    let mut number = from;
    loop {
        let name = files::numbered(path, number);
        if taken.insert(key(&name)) {
            return name;
        }
        number += 1;
    }
}

/// Returns a relative path with `/`, on every system.
pub(super) fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}
