//! Reading a record that another program may be writing.

use crate::files::{self, FileStamp};
use crate::kifu::{self, ReadGames, Record, RecordProblem, Warning};
use crate::live::reader::{GamePace, QUIET, STREAM, finished_text};
use crate::model::record_file::has_grown;
use crate::text::Message;
use std::path::Path;
use std::time::{Duration, Instant};

/// The interval of the looks at a file that may be in the middle of a change.
const WAIT: Duration = Duration::from_millis(100);
/// The longest wait for a file that never comes to rest.
const LONGEST: Duration = Duration::from_secs(10);

/// Reads a file as a record.
///
/// # Errors
/// With a message for the user if the file cannot be read.
pub fn read(path: &Path) -> Result<ReadGames, Box<Message>> {
    read_text(path, |text| text)
}

/// Reads a file that another program may be writing. A last line that is only the beginning of a move is left out, with a
/// warning.
pub(super) fn read_finished(path: &Path) -> Result<ReadGames, Box<Message>> {
    let mut half_move = None;
    let mut read = read_text(path, |text| {
        let finished = finished_text(text, path);
        if finished.len() < text.len() {
            half_move = u32::try_from(finished.split(|byte| *byte == b'\n').count()).ok();
        }
        finished
    })?;
    read.warnings.extend(half_move.map(|line| Warning { line, column: 1, problem: RecordProblem::BreaksOff }));
    Ok(read)
}

fn read_text(path: &Path, part: impl FnOnce(&[u8]) -> &[u8]) -> Result<ReadGames, Box<Message>> {
    let unreadable = |why| Box::new(Message::RecordUnreadable(path.display().to_string(), why));
    let bytes = files::read(path, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))?;
    kifu::read_named(part(&bytes), path).map_err(|error| unreadable((&error).into()))
}

/// Reads the games of a file, and its stamp before that. A file that was changed a moment ago may be in the middle of a
/// change: it is waited for until it rests, or its game is over.
pub(super) fn read_at_rest(path: &Path) -> (Result<ReadGames, Box<Message>>, Option<FileStamp>) {
    let begun = now();
    // Taken before reading: a write during the read is then noticed.
    let mut stamp = files::stamp(path);
    let mut result = read_finished(path);
    let age = stamp.map_or(QUIET, |stamp| stamp.age());
    let mut rests_at = begun + QUIET.saturating_sub(age);
    let (end, mut growth, mut pace) = (begun + LONGEST, 0, GamePace::default());
    pace.note(Duration::ZERO, last_game(&result).map_or(0, Record::len), false);
    let is_over = |result: &_| last_game(result).is_some_and(|game| game.decisive_end().is_some());
    // A file that grows at every poll is a stream of moves, and one that grows move by move a game: neither rests.
    while now() < rests_at.min(end) && !is_over(&result) && growth < STREAM && !pace.is_played() {
        std::thread::park_timeout(WAIT);
        let seen = files::stamp(path);
        // A file that is replaced is missing for a moment.
        if seen.is_none() || seen == stamp {
            growth = 0;
            continue;
        }
        let newer = read_finished(path);
        let games = last_game(&result).zip(last_game(&newer));
        let grows = games.is_some_and(|(before, now)| has_grown(before, now));
        growth = if grows { growth + 1 } else { 0 };
        pace.note(now() - begun, last_game(&newer).map_or(0, Record::len), grows);
        (stamp, result) = (seen, newer);
        rests_at = now() + QUIET;
    }
    (result, stamp)
}

fn last_game(result: &Result<ReadGames, Box<Message>>) -> Option<&Record> {
    result.as_ref().ok()?.games.last()
}

#[expect(clippy::disallowed_methods, reason = "the clock of the thread that reads a file")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;

    #[test]
    fn a_half_move_is_left_out_with_a_warning() {
        let folder = TestFolder::new();
        let whole = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
        let path = folder.file("a.kif", &format!("{whole}   3 ２二角"));
        let (read, stamp) = read_at_rest(&path);
        let read = read.unwrap();
        assert_eq!((read.games[0].len(), stamp), (2, files::stamp(&path)));
        let found: Vec<_> = read.warnings.iter().map(|warning| (warning.line, &warning.problem)).collect();
        assert_eq!(found, [(4, &RecordProblem::BreaksOff)]);
        let path = folder.file("b.kif", "手合割：平手\n1 ７六歩\n2 ３四歩\n3 ２二角成");
        assert_eq!(read_finished(&path).unwrap().games[0].len(), 3, "no move of this file has an origin");
    }
}
