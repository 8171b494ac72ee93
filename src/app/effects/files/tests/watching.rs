//! A file that another program changes while its record is open.

use super::*;
use shogibar_kifu::Record;
use std::fs::File;
use std::io::Write as _;
use std::time::{Instant, SystemTime};

/// The time in which a change is noticed if it can be trusted at once.
const SHORT_WAIT: Duration = Duration::from_millis(700);

/// The time in which a change is noticed if the file has to be watched until it is unchanged.
const LONG_WAIT: Duration = Duration::from_millis(2500);

/// The beginning of a CSA record, before its moves.
const CSA_HEAD: &str = "V2.2\nPI\n+\n";

/// Returns a CSA record of `moves` moves.
fn csa(moves: usize) -> String {
    let cycle = ["+2838HI\n", "-8272HI\n", "+3828HI\n", "-7282HI\n"]
        .into_iter()
        .cycle();
    [CSA_HEAD].into_iter().chain(cycle.take(moves)).collect()
}

#[expect(clippy::disallowed_methods, reason = "the clock of the test")]
fn now() -> Instant {
    Instant::now()
}

/// A file that is open here, and that another program changes.
struct SharedFile {
    fixture: Fixture,
    path: PathBuf,
    // Declared last, so that it is removed last.
    _folder: TestFolder,
}

impl SharedFile {
    /// Opens a file that has not been changed for a while.
    fn open(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = TestFolder::new();
        let path = folder.0.join(name);
        shogibar_files::write_whole(&path, content.as_ref()).unwrap();
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        let mut shared = Self {
            fixture: Fixture::new(&folder),
            path,
            _folder: folder,
        };
        shared.fixture.record_file.open(&shared.path, 0);
        assert!(matches!(shared.fixture.next(), RecordEvent::Opened(..)));
        // The watcher reads the file for the first time.
        shared.expect_nothing(SHORT_WAIT);
        shared
    }

    fn replace(&self, content: impl AsRef<[u8]>) {
        shogibar_files::write_whole(&self.path, content.as_ref()).unwrap();
    }

    /// Writes into the existing file, from its first byte on.
    fn rewrite(&self, content: impl AsRef<[u8]>) {
        let mut file = File::options()
            .write(true)
            .truncate(true)
            .create(true)
            .open(&self.path)
            .unwrap();
        file.write_all(content.as_ref()).unwrap();
    }

    fn append(&self, content: &str) {
        File::options()
            .append(true)
            .open(&self.path)
            .unwrap()
            .write_all(content.as_bytes())
            .unwrap();
    }

    /// Waits for the next event, which has to be a reload. Returns its record.
    fn reloaded(&mut self) -> Record {
        match self.fixture.next() {
            RecordEvent::Reloaded(record) => Arc::unwrap_or_clone(record),
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the present record of the file is shown.
    fn wait_for_last(&mut self) {
        let last = self.read();
        wait(|| {
            let events = self.fixture.poll();
            events
                .iter()
                .any(|event| matches!(event, RecordEvent::Reloaded(record) if **record == last))
                .then_some(())
        });
    }

    fn expect_nothing(&mut self, time: Duration) {
        let begun = now();
        while begun.elapsed() < time {
            let events = self.fixture.poll();
            assert!(events.is_empty(), "{events:?}");
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }

    /// Adds a comment and saves it. Checks that the save is no conflict.
    fn comment_and_save(&mut self) {
        self.fixture.document = Document::new(self.read());
        let comment = format!("全{}手", self.read().len());
        self.fixture.document.set_comment(NodeId::START, &comment);
        self.fixture.save_ok(SaveRequest::Current);
        assert_eq!(self.read().node(NodeId::START).comment(), Some(comment.as_str()));
    }

    fn read(&self) -> Record {
        shogibar_kifu::read_named(&shogibar_files::read(&self.path, 1 << 25).unwrap(), &self.path)
            .unwrap()
            .games
            .remove(0)
    }
}

#[test]
fn each_move_is_shown() {
    let mut shared = SharedFile::open("a.csa", csa(1));
    for moves in 2..6 {
        match moves % 2 {
            0 => shared.append(csa(moves).strip_prefix(&csa(moves - 1)).unwrap()),
            _ => shared.replace(csa(moves)),
        }
        assert_eq!(shared.reloaded().len(), moves);
    }
    shared.expect_nothing(LONG_WAIT);
    shared.comment_and_save();
}

/// Several moves are added between two checks.
#[test]
fn a_stream_of_moves_is_shown_while_it_comes() {
    let mut shared = SharedFile::open("a.csa", csa(1));
    let (mut written, mut shown) = (1, Vec::new());
    while shown.len() < 5 && written < 500 {
        shown.extend(shared.fixture.poll());
        shared.append(csa(written + 1).strip_prefix(&csa(written)).unwrap());
        written += 1;
        std::thread::park_timeout(Duration::from_millis(20));
    }
    assert!(shown.len() >= 5, "{written}");
    assert!(
        shown
            .iter()
            .all(|event| matches!(event, RecordEvent::Reloaded(record) if record.len() > 1))
    );
    shared.wait_for_last();
}

#[test]
fn pieces_of_a_rewritten_file_are_not_shown() {
    let mut shared = SharedFile::open("a.csa", csa(5));
    for moves in [0, 2, 4] {
        shared.rewrite(csa(moves));
        shared.expect_nothing(Duration::from_millis(160));
    }
    shared.rewrite(csa(6));
    assert_eq!(shared.reloaded().len(), 6);
    shared.rewrite(csa(3));
    shared.expect_nothing(Duration::from_secs(1));
    assert_eq!(shared.reloaded().len(), 3, "it has come to rest");
    shared.rewrite(csa(7));
    shared.expect_nothing(Duration::from_secs(1));
    assert_eq!(shared.reloaded().len(), 7, "four at once could have been a piece");
    shared.expect_nothing(LONG_WAIT);
}

#[test]
fn a_file_that_is_cut_after_its_end_is_not_taken() {
    let whole = format!("{}%TORYO\n", csa(3));
    let mut shared = SharedFile::open("a.csa", &whole);
    for moves in [3, 1] {
        shared.rewrite(csa(moves));
        shared.expect_nothing(LONG_WAIT);
    }
    shared.rewrite(whole.replace("V2.2\n", "V2.2\nN+A\n"));
    assert_eq!(shared.reloaded().header("先手"), Some("A"));
}

#[test]
fn half_a_move_is_left_out_until_it_is_whole() {
    let mut shared = SharedFile::open("a.kif", GAME);
    shared.append("3 ２六");
    assert_eq!(shared.reloaded().len(), 2);
    assert!(!shared.fixture.record_file.can_save(), "the file has more");
    shared.expect_nothing(LONG_WAIT);
    shared.append("歩(27)\n");
    assert_eq!(shared.reloaded().len(), 3);
    assert!(shared.fixture.record_file.can_save());
    shared.expect_nothing(LONG_WAIT);
    shared.comment_and_save();
}

#[test]
fn a_last_line_without_its_end_is_taken_once_it_rests() {
    let mut shared = SharedFile::open("a.csa", csa(3));
    shared.append("-7282HI\nT1");
    shared.wait_for_last();
    assert!(shared.fixture.record_file.can_save());
    shared.expect_nothing(LONG_WAIT);
    shared.comment_and_save();
}

/// A save would be a conflict until the new stamp of the file is known.
#[test]
fn a_new_encoding_of_the_same_game_is_no_conflict() {
    let text = format!("先手：山田\n{GAME}");
    let sjis = encoding_rs::SHIFT_JIS.encode(&text).0;
    for (before, after) in [
        (text.as_bytes(), &*sjis),
        (&*sjis, text.as_bytes()),
        (text.as_bytes(), text.as_bytes()),
    ] {
        let mut shared = SharedFile::open("a.kif", before);
        shared.replace(after);
        assert_eq!(shared.reloaded(), shogibar_kifu::read(after).unwrap().games[0]);
        shared.expect_nothing(SHORT_WAIT);
        shared.comment_and_save();
    }
}

#[test]
fn a_new_warning_or_another_game_is_noticed() {
    let mut shared = SharedFile::open("a.kif", GAME);
    shared.replace(format!("何とも：つかない\n%%\n{GAME}3 ９九玉(59)\n"));
    assert_eq!(shared.reloaded().len(), 2);
    assert!(!shared.fixture.record_file.can_save());
    shared.replace(GAME);
    shared.reloaded();
    assert!(shared.fixture.record_file.can_save());
    let two = |moves| format!("{}%TORYO\n/\n{}%TORYO\n", csa(moves), csa(2));
    let mut shared = SharedFile::open("b.csa", two(3));
    shared.rewrite(two(4));
    assert_eq!(shared.reloaded().len(), 4, "the first of two");
    shared.expect_nothing(SHORT_WAIT);
}

#[test]
fn a_large_file_is_watched() {
    let large = |moves| csa(moves) + &"'\n".repeat(17 << 19);
    let mut shared = SharedFile::open("a.csa", large(3));
    shared.replace(large(4));
    assert_eq!(shared.reloaded().len(), 4);
    shared.expect_nothing(SHORT_WAIT);
    shared.comment_and_save();
}

#[test]
fn a_file_that_is_gone_changes_nothing() {
    let mut shared = SharedFile::open("a.csa", csa(3));
    let stamp = std::fs::metadata(&shared.path).unwrap().modified().unwrap();
    std::fs::remove_file(&shared.path).unwrap();
    shared.expect_nothing(SHORT_WAIT);
    std::fs::create_dir(&shared.path).unwrap();
    shogibar_files::write_whole(&shared.path.join("other.csa"), csa(7).as_bytes()).unwrap();
    shared.expect_nothing(LONG_WAIT);
    std::fs::remove_dir_all(&shared.path).unwrap();
    shared.rewrite(csa(3));
    File::options()
        .write(true)
        .open(&shared.path)
        .unwrap()
        .set_modified(stamp)
        .unwrap();
    shared.expect_nothing(SHORT_WAIT);
    shared.append("-7282HI\n");
    assert_eq!(shared.reloaded().len(), 4);
    shared.replace("something else");
    shared.expect_nothing(LONG_WAIT);
    shared.replace(csa(5));
    assert_eq!(shared.reloaded().len(), 5);
}

#[test]
fn a_saved_version_is_no_change_and_a_later_one_is_reloaded() {
    let mut shared = SharedFile::open("a.csa", csa(3));
    for moves in 4..7 {
        shared.comment_and_save();
        shared.expect_nothing(SHORT_WAIT);
        shared.append(csa(moves).strip_prefix(&csa(moves - 1)).unwrap());
        assert_eq!(shared.reloaded().len(), moves);
    }
    shared.comment_and_save();
    shared.expect_nothing(LONG_WAIT);
}

/// The user has deleted the end of the game. It is not taken for an end that another program has cut off.
#[test]
fn a_version_that_continues_a_saved_one_is_reloaded() {
    let mut shared = SharedFile::open("a.csa", csa(3) + "%TORYO\n");
    shared.fixture.document = Document::new(shogibar_kifu::read(csa(3).as_bytes()).unwrap().games.remove(0));
    shared.fixture.document.set_comment(NodeId::START, "x");
    shared.fixture.save_ok(SaveRequest::Current);
    shared.expect_nothing(SHORT_WAIT);
    shared.append("-7282HI\n");
    assert_eq!(shared.reloaded().len(), 4);
    shared.comment_and_save();
}

#[test]
fn a_game_in_progress_is_opened_before_the_file_rests() {
    // The pauses in milliseconds, each with the text written at the end of each change.
    for (pause, last) in [(20, ""), (20, "%CHUDAN\n"), (500, ""), (500, "%CHUDAN\n")] {
        let folder = TestFolder::new();
        let mut fixture = Fixture::new(&folder);
        let path = folder.write("a.csa", &(csa(0) + last));
        fixture.record_file.open(&path, 0);
        let max_moves = 5000 / pause;
        let opened = (1..max_moves).find_map(|moves| {
            folder.write("a.csa", &(csa(moves) + last));
            std::thread::park_timeout(Duration::from_millis(u64::try_from(pause).unwrap()));
            fixture.poll().pop()
        });
        assert!(
            matches!(opened, Some(RecordEvent::Opened(..))),
            "{pause} ms {last}: {opened:?}"
        );
    }
}

/// A change that comes while a save is in progress is ignored, and found again.
#[test]
fn a_change_that_a_save_has_found_is_reported() {
    let mut shared = SharedFile::open("a.csa", csa(3));
    shared.fixture.document.set_comment(NodeId::START, "x");
    shared.replace(csa(2));
    assert!(shared.fixture.save(SaveRequest::Current).is_empty());
    assert!(shared.fixture.record_file.save_conflict().is_some());
    shared.fixture.record_file.cancel_question();
    let RecordEvent::Problem(Message::Record(remark)) = shared.fixture.next() else {
        panic!("no message")
    };
    assert!(matches!(*remark, RecordRemark::ChangedElsewhere(_)));
}
