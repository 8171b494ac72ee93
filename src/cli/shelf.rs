//! `shogibar shelf`: finds the games of the user's records that had a position.

use super::output::shown_path;
use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use serde::Serialize;
use shogibar_base::Lang;
use shogibar_games::bar::notation;
use shogibar_games::{Label, folder_text, graph_text};
use shogibar_kifu::Outcome;
use shogibar_shelf::shelf_text::{self as text, ResultPhrase};
use shogibar_shelf::{
    DayError, FilterWords, GameFilter, NextMove, Shelf, ShelfError, ShelfHit, ShelfKey, ShelfQuery,
    ShelfUpdate, UpdateControl,
};
use shogibar_shogi::score::Value;
use shogibar_shogi::{History, Move, Position, side_name};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The number of files after which the progress is reported.
const FILES_PER_PROGRESS: usize = 5_000;

/// The arguments of `shogibar shelf`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads what is new or has changed in the folders into an index, and keeps it. Without --sfen it prints what the index holds. \
    With --sfen it writes one line per game that reached the position, the newest first: its file, its number in the file, the moves before the \
    position, the next move, the result, and the value in the record. With --moves it writes one line per next move: the move, how often it was \
    played, wins of Black, wins of White, draws, and the value after it in the newest game that has one. Values are from Black's view."
)]
pub(super) struct Arguments {
    /// Folders of game records, including the folders in them [default: those of the shelf in the window]
    folders: Vec<PathBuf>,
    /// The position: an SFEN, or a `position` line of USI; by any order of moves
    #[arg(long)]
    sfen: Option<String>,
    /// List the next moves in the position, the most frequent first, instead of the games
    #[arg(long, requires = "sfen")]
    moves: bool,
    /// Only games of a player whose name contains NAME
    #[arg(long, value_name = "NAME", requires = "sfen")]
    player: Option<String>,
    /// Only games with an opening whose name contains NAME
    #[arg(long, value_name = "NAME", requires = "sfen")]
    opening: Option<String>,
    /// Only games from this day on: 2026, 2026-11 or 2026-11-27
    #[arg(long, value_name = "DAY", requires = "sfen")]
    since: Option<String>,
    /// Only games up to this day
    #[arg(long, value_name = "DAY", requires = "sfen")]
    until: Option<String>,
    /// List at most this many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Write each line as JSON
    #[arg(long)]
    json: bool,
    /// The index file [default: one for these folders, in the settings folder]
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let question = arguments.position_and_query()?;
    let (folders, index) = arguments.folders_and_index()?;
    let (mut shelf, updated) = update_index(Shelf::update, &index, &folders, streams)?;
    let mut outcome = report(&updated, streams)?;
    let Some((position, query)) = question else {
        arguments.write_counts(&shelf, &index, streams)?;
        return Ok(outcome);
    };
    let answer = match shelf.ask(&query) {
        // Only the query reads the positions of the index, and finds that they are damaged.
        Err(ShelfError::Damaged(_)) => {
            drop(shelf);
            let (mut anew, updated) = update_index(Shelf::replace_damaged, &index, &folders, streams)?;
            outcome = report(&updated, streams)?;
            anew.ask(&query)
        }
        answer => answer,
    };
    let answer = answer.map_err(shelf_error)?;
    let formatter = PositionFormatter {
        position: &position,
        lang: streams.lang,
    };
    if arguments.moves {
        for next in &answer.moves {
            if arguments.json {
                streams.out.write_json_line(&formatter.json_move(next))?;
            } else {
                streams.out.write_rows(&formatter.move_row(next))?;
            }
        }
        return Ok(outcome);
    }
    for hit in &answer.hits {
        if arguments.json {
            streams.out.write_json_line(&formatter.json_hit(hit))?;
        } else {
            streams.out.write_rows(&formatter.hit_row(hit))?;
        }
    }
    Ok(outcome)
}

/// A function that brings an index up to date.
type UpdateFn = fn(&Path, &[PathBuf], &mut UpdateControl<'_>) -> Result<(Shelf, ShelfUpdate), ShelfError>;

/// Brings an index up to date, and returns it with the changes. Reports the progress on standard error.
fn update_index(
    update: UpdateFn,
    index: &Path,
    folders: &[PathBuf],
    streams: &mut Streams<'_>,
) -> anyhow::Result<(Shelf, ShelfUpdate)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let lang = streams.lang;
    let mut progress = |read: usize, count: usize| {
        if read.is_multiple_of(FILES_PER_PROGRESS) {
            let _best_effort = writeln!(streams.err, "{}", text::progress(read, count, lang));
        }
    };
    let mut control = UpdateControl {
        is_cancelled: &AtomicBool::new(false),
        progress: &mut progress,
        threads,
    };
    update(index, folders, &mut control).map_err(shelf_error)
}

/// Returns the error of the shelf as an error of the command, with a sentence for the user.
fn shelf_error(error: ShelfError) -> anyhow::Error {
    match error {
        ShelfError::File(error) => error.into(),
        ShelfError::Busy => CommandError::ShelfBusy.into(),
        ShelfError::Damaged(error) => error.into(),
    }
}

impl Arguments {
    /// Returns the position to search for, and the query. Returns `None` without a position.
    fn position_and_query(&self) -> anyhow::Result<Option<(Position, ShelfQuery)>> {
        let [player, opening, since, until] = [&self.player, &self.opening, &self.since, &self.until]
            .map(|word| word.as_deref().unwrap_or_default());
        let filter = GameFilter::read(FilterWords {
            player,
            opening,
            first_day: since,
            last_day: until,
        })
        .map_err(|DayError(word)| CommandError::NoDay(word))?;
        let Some(text) = &self.sfen else { return Ok(None) };
        let position = parse_position(text).ok_or_else(|| CommandError::NoPosition(text.clone()))?;
        let query = ShelfQuery {
            key: ShelfKey::from_position(&position),
            filter,
            limit: self.limit,
        };
        Ok(Some((position, query)))
    }

    /// Returns the folders, and the file of their index. Creates the folder of the index.
    fn folders_and_index(&self) -> anyhow::Result<(Vec<PathBuf>, PathBuf)> {
        let uses_settings = self.folders.is_empty();
        let folders = if uses_settings {
            let settings = super::store()
                .map(|store| store.settings())
                .transpose()?
                .unwrap_or_default()
                .value;
            settings.shelf.folders.into_iter().map(PathBuf::from).collect()
        } else {
            self.folders.clone()
        };
        let folders: Vec<_> = folders
            .iter()
            .map(|folder| shogibar_files::canonical(folder))
            .collect();
        if folders.is_empty() {
            return Err(CommandError::NoShelfFolder.into());
        }
        if let Some(index) = &self.index {
            Shelf::refuse_foreign_file(index).map_err(shelf_error)?;
            return Ok((folders, index.clone()));
        }
        let store = super::store().ok_or(CommandError::NoFolder)?;
        shogibar_files::make_folder(store.folder())?;
        let index = if uses_settings {
            store.window_shelf_file()
        } else {
            store.shelf_file(&folders)
        };
        Ok((folders, index))
    }

    /// Writes how much the index holds.
    fn write_counts(&self, opened: &Shelf, index: &Path, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        let (counts, index) = (opened.counts(), shown_path(index));
        if self.json {
            let shogibar_shelf::ShelfCounts {
                files,
                games,
                positions,
                bytes,
            } = counts;
            streams.out.write_json_line(&ShelfLine {
                index,
                files,
                games,
                positions,
                bytes,
            })?;
        } else {
            let holds = text::holds(counts.files, counts.games, counts.positions, streams.lang);
            streams
                .out
                .write_rows(&format!("{holds}\t{}\t{index}\n", counts.bytes))?;
        }
        Ok(())
    }
}

/// Reports the files that an update could not read, and the links that it did not follow. The outcome is `Problems` if
/// a file was not read or a damaged index was backed up.
fn report(update: &ShelfUpdate, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let lang = streams.lang;
    if let Some(backup) = &update.backup {
        writeln!(
            streams.err,
            "{}",
            text::backed_up(&backup.display().to_string(), lang)
        )?;
    }
    for problem in &update.problems {
        writeln!(streams.err, "{}", problem.text(lang))?;
    }
    for link in &update.links {
        writeln!(
            streams.err,
            "{}",
            folder_text::link_not_followed(&link.display().to_string(), lang)
        )?;
    }
    let is_whole = update.problems.is_empty() && update.backup.is_none();
    Ok(if is_whole {
        CliOutcome::Done
    } else {
        CliOutcome::Problems
    })
}

/// Parses a position: an SFEN, or the line of a USI `position` command.
fn parse_position(text: &str) -> Option<Position> {
    let text = text.trim();
    let usi = text.strip_prefix("position ").unwrap_or(text).trim_start();
    if usi.starts_with("startpos") || usi.starts_with("sfen ") {
        return History::from_usi(usi).ok().map(|history| history.now().clone());
    }
    Position::from_sfen(text).ok()
}

/// How much the index holds, as JSON.
#[derive(Debug, Serialize)]
struct ShelfLine {
    index: String,
    files: usize,
    games: usize,
    positions: usize,
    bytes: u64,
}

/// A game that had the position, as JSON; the fields are in the order of the output.
#[derive(Debug, Serialize)]
struct HitLine<'h> {
    file: &'h str,
    game: u32,
    ply: u16,
    next: Option<String>,
    word: Option<String>,
    result: &'static str,
    cp: Option<i32>,
    mate: Option<i64>,
    black: &'h str,
    white: &'h str,
    /// The day of the game, such as `2026-11-27`.
    date: Option<String>,
}

/// A move that was played in the position, as JSON; null for the end of a game.
#[derive(Debug, Serialize)]
struct NextLine {
    next: Option<String>,
    word: Option<String>,
    count: u32,
    black_wins: u32,
    white_wins: u32,
    draws: u32,
    cp: Option<i32>,
    mate: Option<i64>,
}

/// Formats the answer of the shelf about a position, as rows and as JSON.
struct PositionFormatter<'p> {
    position: &'p Position,
    lang: Lang,
}

impl PositionFormatter<'_> {
    /// Returns the notation of a move in this position; `None` without a move.
    fn word(&self, next: Option<Move>) -> Option<String> {
        let words = notation(self.lang).notate_line(&History::new(self.position.clone()), &[next?]);
        words.into_iter().next()
    }

    /// Returns a value in words; `-` without a value.
    fn value_text(&self, value: Option<Value>) -> String {
        let sides = Label::sides(false).map(|label| label.text(self.lang));
        value.map_or_else(
            || "-".to_owned(),
            |value| graph_text::value(value, sides, self.lang),
        )
    }

    fn move_or_end(&self, next: Option<Move>) -> String {
        self.word(next)
            .unwrap_or_else(|| ResultPhrase::End.text(self.lang).to_owned())
    }

    fn hit_row(&self, hit: &ShelfHit) -> String {
        let ShelfHit {
            path, number, ply, ..
        } = hit;
        let result = ResultPhrase::from_outcome(hit.result);
        let (next, value) = (self.move_or_end(hit.next_move), self.value_text(hit.value));
        format!(
            "{path}\t{number}\t{ply}\t{next}\t{}\t{value}\n",
            result.text(self.lang)
        )
    }

    fn move_row(&self, next: &NextMove) -> String {
        let [_, black, white, draws] = next.results;
        format!(
            "{}\t{}\t{black}\t{white}\t{draws}\t{}\n",
            self.move_or_end(next.mv),
            next.count,
            self.value_text(next.value)
        )
    }

    fn json_hit<'h>(&self, hit: &'h ShelfHit) -> HitLine<'h> {
        let [black, white] = hit.players.each_ref().map(String::as_str);
        HitLine {
            file: &hit.path,
            game: hit.number,
            ply: hit.ply,
            next: hit.next_move.map(|mv| mv.to_string()),
            word: self.word(hit.next_move),
            result: match hit.result {
                Outcome::Open => "open",
                Outcome::Win(winner) => side_name(winner),
                Outcome::Draw => "draw",
            },
            cp: hit.value.and_then(Value::cp),
            mate: hit.value.and_then(Value::mate),
            black,
            white,
            date: hit.date_text(),
        }
    }

    fn json_move(&self, next: &NextMove) -> NextLine {
        let [_, black_wins, white_wins, draws] = next.results;
        NextLine {
            next: next.mv.map(|mv| mv.to_string()),
            word: self.word(next.mv),
            count: next.count,
            black_wins,
            white_wins,
            draws,
            cp: next.value.and_then(Value::cp),
            mate: next.value.and_then(Value::mate),
        }
    }
}
