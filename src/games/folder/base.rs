//! The record into which the results of a game are written: the game as read, with the results of an earlier run.

use super::FolderGame;
use crate::analysis::{self, EngineResult};
use crate::convert_text::ConvertRefusal;
use crate::folder_text as text;
use shogibar_base::{Lang, file_error_text};
use shogibar_files::FileStamp;
use shogibar_kifu::evaluation::{self, Dialect};
use shogibar_kifu::{Loss, NodeId, Record, Target};
use shogibar_shogi::score::WinRateModel;
use std::path::Path;

/// The record into which the results are written, and the former content of the output file.
#[derive(Debug)]
pub(super) struct BaseRecord {
    pub(super) record: Record,
    /// The former content of the output file; `None` if the file does not exist.
    pub(super) existing_content: Option<Vec<u8>>,
    /// The stamp of the output file when it was read; `None` if the file did not exist.
    stamp: Option<FileStamp>,
}

impl BaseRecord {
    /// Creates the record for the results from a game and its output file. An output file with additions of the user,
    /// such as comments, is used as the record. An output file of another game is refused.
    ///
    /// # Errors
    /// Fails with a sentence for the user, if the output file cannot be replaced without a loss.
    pub(super) fn new(
        record: Record,
        game: &FolderGame,
        dialect: Dialect,
        lang: Lang,
    ) -> Result<Self, String> {
        let path = &game.output;
        let folder = path.parent().map_or(Ok(()), shogibar_files::make_folder);
        folder.map_err(|error| file_error_text::write_error(&error, lang))?;
        let refused = |why: ConvertRefusal| why.text(lang);
        let name = || path.display().to_string();
        if shogibar_files::is_same_file(&game.input, path) {
            return Err(refused(ConvertRefusal::WouldLose(name())));
        }
        if path.symlink_metadata().is_err() {
            return Ok(Self {
                record,
                existing_content: None,
                stamp: None,
            });
        }
        let stamp = shogibar_files::stamp(path);
        let bytes = shogibar_files::read(path, shogibar_kifu::MAX_BYTES)
            .map_err(|error| file_error_text::file_error(&error, lang))?;
        let found = if bytes.is_empty() {
            Vec::new()
        } else {
            read_games(&bytes, path, || refused(not_a_record(path)))?
        };
        let record = match found.as_slice() {
            [] => record,
            [old] if has_headers_of(old, &record) && is_within(&record, old) => {
                // The results of an earlier run stay, whatever their limit.
                let signed = analysis::signed_engine;
                with_evaluations(&record, old.clone(), dialect, |existing, engine| {
                    existing.iter().any(|known| {
                        known == engine || signed(engine).is_some_and(|it| signed(known) == Some(it))
                    })
                })
            }
            [old] if is_within(old, &record) => with_evaluations(old, record, dialect, |existing, engine| {
                analysis::signed_engine(engine).is_none() || existing.iter().any(|known| known == engine)
            }),
            _ => return Err(refused(ConvertRefusal::FileExists(name()))),
        };
        Ok(Self {
            record,
            existing_content: Some(bytes),
            stamp,
        })
    }

    /// Returns whether the output file is unchanged since the game was begun.
    pub(super) fn is_current(&self, path: &Path) -> bool {
        shogibar_files::stamp(path) == self.stamp
    }
}

fn not_a_record(path: &Path) -> ConvertRefusal {
    ConvertRefusal::NotARecord(path.display().to_string())
}

/// Reads the games of a file. Returns the error `why()` if the file is not a record.
fn read_games(bytes: &[u8], path: &Path, why: impl Fn() -> String) -> Result<Vec<Record>, String> {
    shogibar_kifu::read_named(bytes, path)
        .map(|read| read.games)
        .map_err(|_no_record| why())
}

/// Returns whether a record has every header of another. The record may have more headers, because a format may have
/// added some.
fn has_headers_of(record: &Record, other: &Record) -> bool {
    other
        .headers()
        .iter()
        .all(|header| record.headers().contains(header))
}

/// Returns whether a record has the moves of another, and no variation or comment line that the other lacks.
/// Evaluations do not count.
pub fn is_within(record: &Record, other: &Record) -> bool {
    let moves = |record: &Record| record.history(record.len()).usi();
    let comment = |record: &Record, node| record.node(node).comment().unwrap_or_default().to_owned();
    let nodes = |record: &Record| {
        std::iter::once(NodeId::START)
            .chain(record.main_line())
            .collect::<Vec<_>>()
    };
    let move_count = |record: &Record| {
        record
            .all()
            .filter(|node| record.node(*node).mv().is_some())
            .count()
    };
    moves(record) == moves(other)
        && move_count(record) <= move_count(other)
        && nodes(record)
            .into_iter()
            .zip(nodes(other))
            .all(|(node, other_node)| {
                let other_comment = comment(other, other_node);
                let is_known =
                    |line: &str| line.is_empty() || other_comment.lines().any(|other| other == line);
                evaluation::replace(&comment(record, node), |_| true, "")
                    .lines()
                    .all(is_known)
            })
}

/// Returns a record with the evaluations of named engines in another version of the record. `is_known` takes the
/// engines at a position of the record, and an engine of the other version. It returns whether that engine is left out.
fn with_evaluations(
    other: &Record,
    mut record: Record,
    dialect: Dialect,
    is_known: impl Fn(&[String], &str) -> bool,
) -> Record {
    let nodes = |record: &Record| {
        std::iter::once(NodeId::START)
            .chain(record.main_line())
            .collect::<Vec<_>>()
    };
    let mut walk = other.walk();
    for (other_node, node) in nodes(other).into_iter().zip(nodes(&record)) {
        let mut results: Vec<EngineResult> = Vec::new();
        for evaluation in walk.evaluations(other_node) {
            let Some(engine) = evaluation.engine.clone() else {
                continue;
            };
            match results.iter_mut().find(|result| result.engine == engine) {
                Some(result) => result.evaluations.push(evaluation),
                None => {
                    results.push(EngineResult {
                        engine,
                        model: WinRateModel::default(),
                        evaluations: vec![evaluation],
                    });
                }
            }
        }
        let existing: Vec<_> = record
            .walk()
            .evaluations(node)
            .into_iter()
            .filter_map(|evaluation| evaluation.engine)
            .collect();
        results.retain(|result| !is_known(&existing, &result.engine));
        for result in &results {
            analysis::annotate(&mut record, node, result, dialect);
        }
    }
    record
}

/// Returns whether a format can hold comments, and so the evaluations, of a record.
pub fn holds_comments(record: &Record, target: Target) -> bool {
    let mut with_comment = record.clone();
    with_comment.node_mut(NodeId::START).notes_mut().comment = Some("評価値".to_owned());
    let lost = shogibar_kifu::write(&with_comment, target).losses;
    let keeps_no_moves = matches!(target, Target::Sfen | Target::Bod) && !record.is_empty();
    !keeps_no_moves && !lost.iter().any(|loss| matches!(loss, Loss::Comments(_)))
}

/// Returns the sentence about an output file that was changed while its game was analysed.
pub(super) fn changed_meanwhile(path: &Path, lang: Lang) -> String {
    text::changed_meanwhile(&path.display().to_string(), lang)
}
