//! Lists the games below a folder, and the files to which they are written.

use super::base::holds_comments;
use super::{CSV_TABLE_NAME, FolderError, HTML_TABLE_NAME, table};
use crate::analysis::{AnalysisScope, StateFile};
use crate::folder_text as text;
use shogibar_base::file_error::ReadProblem;
use shogibar_base::{Lang, file_error_text};
use shogibar_kifu::{Record, Target, UnreadableRecord, record_text};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The maximum size of a table that is replaced, in bytes.
const MAX_TABLE_BYTES: usize = 512 << 20;

/// A game below the folder that is to be analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderGame {
    /// The path of the game's file relative to the folder, with `/`.
    pub file: String,
    /// The path of the game's file.
    pub input: PathBuf,
    /// The number of the game in its file, from 1, and the number of games in that file.
    pub number_and_count: [usize; 2],
    /// The output file of the game.
    pub output: PathBuf,
    /// The format of the output file.
    pub target: Target,
    /// The number of positions to search, without regard to known results.
    pub positions: usize,
    /// Whether an earlier run has written the game, and has left no state file.
    pub is_written: bool,
}

/// The result of reading all records below a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderScan {
    /// The games, by path and number in the file.
    pub games: Vec<FolderGame>,
    /// Lost content and unreadable files, as sentences with the file.
    pub problems: Vec<String>,
    /// Warnings about the records without a loss, as sentences with the file.
    pub warnings: Vec<String>,
}

/// A record file below the folder.
struct FoundFile {
    input: PathBuf,
    relative_path: PathBuf,
    target: Target,
    /// Whether `target` is the format of the file itself.
    keeps_format: bool,
    /// The number of positions of each game.
    position_counts: Vec<usize>,
}

/// Lists the games below a folder. The outputs have the same relative paths below `output`. Slow: reads every file.
///
/// Files that neither are records nor have the extension of a record are left out. A link to a folder is not followed,
/// and counts as a problem, as an unreadable file does.
///
/// # Errors
/// Fails if the two folders are the same, or if `output` cannot be used for the results.
pub fn scan(
    input: &Path,
    output: &Path,
    scope: AnalysisScope,
    lang: Lang,
) -> Result<FolderScan, FolderError> {
    check_output(input, output, lang)?;
    let mut scan = FolderScan::default();
    let walked = shogibar_files::walk(input);
    scan.problems.extend(
        walked
            .errors
            .iter()
            .map(|error| file_error_text::file_error(error, lang)),
    );
    scan.problems.extend(
        walked
            .links
            .iter()
            .map(|link| text::link_not_followed(&link.display().to_string(), lang)),
    );
    let excluded = output_below_input(input, output);
    let mut found = Vec::new();
    for path in walked.files {
        let Ok(relative) = path.strip_prefix(input).map(Path::to_owned) else {
            continue;
        };
        if excluded
            .as_ref()
            .is_none_or(|excluded| !relative.starts_with(excluded))
        {
            found.extend(read_file(path, relative, scope, lang, &mut scan));
        }
    }
    scan.games = assign_outputs(found, output);
    Ok(scan)
}

/// Returns the path of the output folder relative to the input folder; `None` if it is not below the input folder.
fn output_below_input(input: &Path, output: &Path) -> Option<PathBuf> {
    let (input, output) = (input.canonicalize().ok()?, output.canonicalize().ok()?);
    output.strip_prefix(input).ok().map(Path::to_owned)
}

/// Checks the input and output folders, and creates the output folder.
///
/// # Errors
/// Fails if a folder cannot be used, or a table there is not of this program.
fn check_output(input: &Path, output: &Path, lang: Lang) -> Result<(), FolderError> {
    let refuse = |sentence: String| Err(FolderError(sentence));
    let name = output.display().to_string();
    if !input.is_dir() {
        return refuse(text::not_a_folder(&input.display().to_string(), lang));
    }
    if output.exists() && !output.is_dir() || output == Path::new("-") {
        return refuse(text::needs_folder(&input.display().to_string(), lang));
    }
    if shogibar_files::is_same_file(input, output) {
        return refuse(text::same_folder(&name, lang));
    }
    shogibar_files::make_folder(output)
        .map_err(|error| FolderError(file_error_text::write_error(&error, lang)))?;
    for (name, is_ours) in [
        (HTML_TABLE_NAME, table::is_page as fn(&[u8]) -> bool),
        (CSV_TABLE_NAME, table::is_csv),
    ] {
        let path = output.join(name);
        if path.is_file() {
            let existing = shogibar_files::read(&path, MAX_TABLE_BYTES)
                .map_err(|error| FolderError(file_error_text::file_error(&error, lang)))?;
            if !existing.is_empty() && !is_ours(&existing) {
                return refuse(text::not_a_table(&path.display().to_string(), lang));
            }
        }
    }
    Ok(())
}

/// Reads a file, and adds its warnings to the scan. Returns `None` if the file has no game. A file that has the
/// extension of a record and cannot be read is a problem.
fn read_file(
    input: PathBuf,
    relative: PathBuf,
    scope: AnalysisScope,
    lang: Lang,
    scan: &mut FolderScan,
) -> Option<FoundFile> {
    let has_extension = shogibar_kifu::has_record_extension(&input);
    let unreadable = |why| UnreadableRecord::about(&why, &input.display().to_string(), lang);
    let bytes = match shogibar_files::read(&input, shogibar_kifu::MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if !has_extension && matches!(error.problem(), ReadProblem::TooLarge(_)) => return None,
        Err(error) => {
            scan.problems.push(unreadable((&error).into()));
            return None;
        }
    };
    let mut position_counts = Vec::new();
    let mut sample = None;
    let read = shogibar_kifu::read_each(&bytes, &input, &mut |record| {
        position_counts.push(count_positions(&record, scope));
        sample.get_or_insert(record);
    });
    let summary = match read {
        Ok(summary) => summary,
        Err(error) => {
            scan.problems
                .extend(has_extension.then(|| unreadable((&error).into())));
            return None;
        }
    };
    for warning in &summary.warnings {
        let sentence = format!("{}:{}", input.display(), record_text::warning(warning, lang));
        if warning.problem.is_loss() {
            &mut scan.problems
        } else {
            &mut scan.warnings
        }
        .push(sentence);
    }
    let keeps_format = holds_comments(&sample?, summary.target);
    let target = if keeps_format {
        summary.target
    } else {
        Target::Kifu
    };
    Some(FoundFile {
        input,
        relative_path: relative,
        target,
        keeps_format,
        position_counts,
    })
}

/// Returns the number of positions to search, without regard to positions that need or allow no search.
fn count_positions(record: &Record, scope: AnalysisScope) -> usize {
    let AnalysisScope {
        variations, from, to, ..
    } = scope;
    let last = record.len().min(to.into());
    let main = (last + 1).saturating_sub(from.into());
    let others = record
        .all()
        .filter(|node| record.node(*node).mv().is_some())
        .count()
        .saturating_sub(record.len());
    if variations { main + others } else { main }
}

/// Returns the games of the files with their output files. Each game has a different output file.
fn assign_outputs(found: Vec<FoundFile>, output: &Path) -> Vec<FolderGame> {
    // Names that differ only in case are the same, because some systems do not distinguish the case.
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
    // The first games of all files get their names before further games do.
    let firsts: Vec<PathBuf> = found
        .iter()
        .map(|file| take_free_name(&first(file), 1, &mut taken, key))
        .collect();
    let mut games = Vec::new();
    for (file, first) in found.into_iter().zip(firsts) {
        let count = file.position_counts.len();
        for (number, positions) in (1..).zip(file.position_counts) {
            let name = if number == 1 {
                first.clone()
            } else {
                take_free_name(&first, number, &mut taken, key)
            };
            let output = output.join(name);
            games.push(FolderGame {
                file: with_slashes(&file.relative_path),
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

/// Returns the first name that is not taken, and takes it. The names are `game.csa`, `game-2.csa`, `game-3.csa` …, from
/// the number `from`.
fn take_free_name(
    path: &Path,
    from: usize,
    taken: &mut HashSet<String>,
    key: impl Fn(&Path) -> String,
) -> PathBuf {
    let mut number = from;
    loop {
        let name = shogibar_files::numbered_path(path, number);
        if taken.insert(key(&name)) {
            return name;
        }
        number += 1;
    }
}

/// Returns a relative path with `/` between its parts, on every system.
pub(super) fn with_slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    parts.join("/")
}
