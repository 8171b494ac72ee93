//! Reads the games of files and folders on several threads.

use super::pool::GamePool;
use super::rated::{PlyRange, RatedRecord, UnratedReason, rate_record};
use crate::folder_text;
use shogibar_base::file_error::ReadProblem;
use shogibar_base::{Lang, file_error_text, threads};
use shogibar_kifu::{UnreadableRecord, has_record_extension};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A source of records for a calibration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordSource {
    /// A file, or a folder of files.
    Path(PathBuf),
    /// The name of a file, and its content.
    Bytes(String, Vec<u8>),
}

/// The games that were read for a calibration.
#[derive(Clone, Debug, Default)]
pub struct CollectedGames {
    /// The games that count, and the reasons why other games do not count.
    pub pool: GamePool,
    /// The number of games that were read.
    pub games: usize,
    /// The problems of reading, as sentences with the file.
    pub problems: Vec<String>,
}

type NamedFile = (PathBuf, bool);

#[derive(Default)]
struct FileGames {
    name: String,
    games: Vec<Result<RatedRecord, UnratedReason>>,
    problem: Option<String>,
}

/// Reads the games of record files, and of all record files below folders. Memory does not grow with the number of
/// files: each thread has one file at a time. Files in folders that neither are records nor have the extension of a
/// record are left out.
///
/// # Errors
/// Fails if the system cannot start a thread.
pub fn collect(sources: Vec<RecordSource>, plies: &PlyRange, lang: Lang) -> io::Result<CollectedGames> {
    let mut collected = CollectedGames::default();
    let (mut files, mut read): (Vec<NamedFile>, Vec<(usize, FileGames)>) = (Vec::new(), Vec::new());
    for source in sources {
        match source {
            RecordSource::Bytes(name, bytes) => {
                read.push((files.len(), read_games(name, &bytes, plies, lang)));
            }
            RecordSource::Path(path) if path.is_dir() => {
                let walked = shogibar_files::walk(&path);
                let links = walked
                    .links
                    .iter()
                    .map(|link| folder_text::link_not_followed(&link.display().to_string(), lang));
                collected.problems.extend(links);
                collected.problems.extend(
                    walked
                        .errors
                        .iter()
                        .map(|error| file_error_text::file_error(error, lang)),
                );
                files.extend(walked.files.into_iter().map(|file| (file, false)));
            }
            RecordSource::Path(path) => files.push((path, true)),
        }
    }
    read.extend(read_files(&files, plies, lang)?);
    // The order of the files decides which of two equal games counts, and not the order of the threads.
    read.sort_by_key(|(index, _)| *index);
    for (_, file) in read {
        let is_alone = file.games.len() == 1;
        for (number, game) in (1..).zip(file.games) {
            let label = if is_alone {
                file.name.clone()
            } else {
                format!("{} #{number}", file.name)
            };
            collected.games += 1;
            collected.pool.add(game, &label);
        }
        collected.problems.extend(file.problem);
    }
    Ok(collected)
}

/// Reads files on all processors. Returns the games of each file with the index of the file, in any order. Files that
/// are left out have no games here.
fn read_files(files: &[NamedFile], plies: &PlyRange, lang: Lang) -> io::Result<Vec<(usize, FileGames)>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut read = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { return read };
            read.extend(read_file(file, plies, lang).map(|games| (index, games)));
        }
    };
    let count = std::thread::available_parallelism()
        .map_or(1, std::num::NonZero::get)
        .min(files.len());
    std::thread::scope(|scope| {
        let threads: io::Result<Vec<_>> = (0..count)
            .map(|_| threads::spawn_in_scope(scope, "records", work))
            .collect();
        // The files of a thread that has panicked are left out: the panic itself is reported elsewhere.
        Ok(threads?
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .flatten()
            .collect())
    })
}

/// Reads a file. Returns `None` for a file that neither is named by the user, nor is a record, nor has the extension of
/// a record.
fn read_file((path, is_named): &NamedFile, plies: &PlyRange, lang: Lang) -> Option<FileGames> {
    let (name, is_record) = (
        path.display().to_string(),
        *is_named || has_record_extension(path),
    );
    match shogibar_files::read(path, shogibar_kifu::MAX_BYTES) {
        Ok(bytes) => {
            let read = read_games(name, &bytes, plies, lang);
            (is_record || read.problem.is_none()).then_some(read)
        }
        Err(error) if !is_record && matches!(error.problem(), ReadProblem::TooLarge(_)) => None,
        Err(error) => {
            let problem = UnreadableRecord::about(&(&error).into(), &name, lang);
            Some(FileGames {
                name,
                problem: Some(problem),
                ..FileGames::default()
            })
        }
    }
}

fn read_games(name: String, bytes: &[u8], plies: &PlyRange, lang: Lang) -> FileGames {
    let mut games = Vec::new();
    let read = shogibar_kifu::read_each(bytes, name.as_ref(), &mut |record| {
        games.push(rate_record(&record, plies));
    });
    let problem = read
        .err()
        .map(|error| UnreadableRecord::about(&(&error).into(), &name, lang));
    FileGames { name, games, problem }
}
