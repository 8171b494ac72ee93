//! Reading a record that another program may be writing.

use shogibar_files::FileStamp;
use shogibar_kifu::{ReadError, ReadGames, RecordProblem, UnreadableRecord, Warning};
use shogibar_live::reader::{GameReader, QUIET_TIME, ReadCertainty, ReaderUpdate, finished_text};
use shogibar_model::Message;
use std::path::Path;
use std::time::{Duration, Instant};

/// The interval between two checks of a file that may be in the middle of a change.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// The longest wait for a file that keeps changing.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Reads a file as a record.
///
/// # Errors
/// Fails with a message for the user if the file cannot be read.
pub fn read(path: &Path) -> Result<ReadGames, Box<Message>> {
    let bytes = read_bytes(path)?;
    shogibar_kifu::read_named(&bytes, path).map_err(|error| unreadable_message(path, &error).into())
}

/// Checks that a path can be opened: a folder, or a file that can be read as a record.
///
/// # Errors
/// Fails with a message for the user if the file cannot be read.
pub fn check_readable(path: &Path) -> Result<(), Box<Message>> {
    if path.is_dir() {
        Ok(())
    } else {
        read_when_stable(path).0.map(|_games| ())
    }
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, Box<Message>> {
    shogibar_files::read(path, shogibar_kifu::MAX_BYTES)
        .map_err(|error| unreadable_message(path, &error).into())
}

fn unreadable_message(path: &Path, why: impl Into<UnreadableRecord>) -> Message {
    Message::RecordUnreadable(path.display().to_string(), why.into())
}

/// Reads `part`, the finished part of a file's content. A last line that is left out gives a warning.
pub(super) fn read_part(path: &Path, content: &[u8], part: &[u8]) -> Result<ReadGames, ReadError> {
    let mut read = shogibar_kifu::read_named(part, path)?;
    if part.len() < content.len() {
        let line = part.split(|byte| *byte == b'\n').count();
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        read.warnings.push(Warning {
            line,
            column: 1,
            problem: RecordProblem::UnexpectedEnd,
        });
    }
    Ok(read)
}

/// Reads the games of a file, and its stamp from before the read. A file that was changed a moment ago may be in the
/// middle of a change. It is read again until it is unchanged for [`QUIET_TIME`], its game is over, or only moves are
/// added. The longest wait is [`MAX_WAIT`]. A last line that is only the beginning of a move is left out.
pub(super) fn read_when_stable(path: &Path) -> (Result<ReadGames, Box<Message>>, Option<FileStamp>) {
    let begun = now();
    // Taken before reading: a write during the read is then noticed.
    let mut stamp = shogibar_files::stamp(path);
    let mut bytes = read_bytes(path);
    let age = stamp.map_or(QUIET_TIME, |stamp| stamp.age());
    let (mut rests_at, end) = (begun + QUIET_TIME.saturating_sub(age), begun + MAX_WAIT);
    let mut reader = GameReader::new(path, QUIET_TIME);
    let mut is_taken = |bytes: &Result<Vec<u8>, _>| {
        let update = |bytes: &Vec<u8>| reader.update(now() - begun, bytes, ReadCertainty::MayBePartial);
        bytes
            .as_ref()
            .map(update)
            .is_ok_and(|update| matches!(update, ReaderUpdate::Changed(_)))
    };
    while now() < rests_at.min(end) && !is_taken(&bytes) {
        std::thread::park_timeout(CHECK_INTERVAL);
        let seen = shogibar_files::stamp(path);
        // A file that is replaced is missing for a moment.
        if seen.is_some() && seen != stamp {
            (stamp, bytes) = (seen, read_bytes(path));
            rests_at = now() + QUIET_TIME;
        }
    }
    let read = bytes.and_then(|bytes| {
        let read = read_part(path, &bytes, finished_text(&bytes, path));
        read.map_err(|error| unreadable_message(path, &error).into())
    });
    (read, stamp)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock of the thread that reads a file"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use shogibar_base::Lang;

    #[test]
    fn only_folders_and_records_can_be_opened() {
        let folder = TestFolder::new();
        let text = |path: &Path| check_readable(path).map_err(|why| why.text(Lang::Ja));
        assert_eq!(text(&folder.0), Ok(()));
        assert_eq!(
            text(&folder.write("a.kif", "手合割：平手\n   1 ７六歩(77)\n")),
            Ok(())
        );
        let refused = |name: &str, why: &str| {
            let path = folder.0.join(name);
            assert_eq!(
                text(&path),
                Err(format!("{} を棋譜として読めません: {why}", path.display()))
            );
        };
        folder.write("empty.kif", "");
        refused("empty.kif", "中身がありません。");
        refused("none.kif", "ファイルが見つかりません。");
        assert!(text(&folder.write("page.kif", "hello world")).is_err());
    }

    #[test]
    fn a_half_move_is_left_out_with_a_warning() {
        let folder = TestFolder::new();
        let whole = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
        let path = folder.write("a.kif", &format!("{whole}   3 ２二角"));
        let (read, stamp) = read_when_stable(&path);
        let read = read.unwrap();
        assert_eq!((read.games[0].len(), stamp), (2, shogibar_files::stamp(&path)));
        let found: Vec<_> = read
            .warnings
            .iter()
            .map(|warning| (warning.line, &warning.problem))
            .collect();
        assert_eq!(found, [(4, &RecordProblem::UnexpectedEnd)]);
        let path = folder.write("b.kif", "手合割：平手\n1 ７六歩\n2 ３四歩\n3 ２二角成");
        assert_eq!(
            read_when_stable(&path).0.unwrap().games[0].len(),
            3,
            "no move of this file has an origin"
        );
    }
}
