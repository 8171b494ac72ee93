//! The file of the deck of the user's mistakes, and the search for mistakes in a folder of records.

use shogibar_base::{CauseText, threads};
use shogibar_builtin::Control;
use shogibar_files::Appender;
use shogibar_games::study::{Document, DrillCard, DrillDeck, DrillLine, RecordInsight, drill_cards};
use shogibar_kifu::has_record_extension;
use shogibar_model::jobs::{JobResult, MistakeSearch};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The longest line of a deck that is read, in bytes. Cards of version 0.2 have a whole game.
const MAX_LINE_BYTES: u64 = 16 << 20;
/// The pause before the next try to write the file while another program holds it.
const WRITE_RETRY_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum number of additions that wait while the file is written.
const MAX_QUEUED_ADDITIONS: usize = 1024;
/// The maximum number of tries to write the file at the end of the program.
const MAX_EXIT_TRIES: usize = 4;
/// The minimum time between two reports of the progress of a search.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// The number of mistakes found in a folder after which they are reported.
const MISTAKE_BATCH_SIZE: usize = 256;

/// Returns the present day in Japan, in days since 1970.
#[cfg(feature = "gui")]
pub fn today() -> u32 {
    const JAPAN_UTC_OFFSET_HOURS: u64 = 9;
    u32::try_from((super::pages::seconds_since_1970() / 3600 + JAPAN_UTC_OFFSET_HOURS) / 24)
        .unwrap_or(u32::MAX)
}

/// Reads the deck from its file, if there is one. Returns it with the reason why not all of it can be read.
pub(super) fn read_deck(file: Option<&Path>) -> (DrillDeck, Option<CauseText>) {
    let mut deck = DrillDeck::default();
    let Some(file) = file.filter(|file| file.exists()) else {
        return (deck, None);
    };
    let read = shogibar_files::read_lines(file, MAX_LINE_BYTES, &mut |line| deck.read_line(line));
    (deck, read.as_ref().err().map(CauseText::from))
}

/// Searches a folder for mistakes, until `control` stops the search.
pub(super) fn collect_mistakes(search: &MistakeSearch, control: &Control, report: &dyn Fn(JobResult)) {
    let number = search.number;
    if !search.folder.is_dir() {
        return report(JobResult::MistakesCollected(number, false));
    }
    let files: Vec<_> = shogibar_files::walk(&search.folder)
        .files
        .into_iter()
        .filter(|file| has_record_extension(file))
        .collect();
    let (mut cards, mut reported_at) = (Vec::new(), None);
    for (done, file) in files.iter().enumerate() {
        if control.is_stopped() {
            return;
        }
        let time = now();
        if reported_at.is_none_or(|last| time.saturating_duration_since(last) >= PROGRESS_INTERVAL) {
            reported_at = Some(time);
            report(JobResult::MistakeProgress(number, [done, files.len()]));
        }
        cards.extend(cards_in_file(file, search));
        if cards.len() >= MISTAKE_BATCH_SIZE {
            report(JobResult::Mistakes(number, std::mem::take(&mut cards)));
        }
    }
    report(JobResult::Mistakes(number, cards));
    report(JobResult::MistakesCollected(number, true));
}

#[expect(clippy::disallowed_methods, reason = "the time between two reports")]
fn now() -> Instant {
    Instant::now()
}

/// Returns the mistakes of the player of a search in all games of a file. A file that cannot be read has none.
fn cards_in_file(file: &Path, search: &MistakeSearch) -> Vec<DrillCard> {
    let Ok(bytes) = shogibar_files::read(file, shogibar_kifu::MAX_BYTES) else {
        return Vec::new();
    };
    let Ok(games) = shogibar_kifu::read_named(&bytes, file).map(|read| read.games) else {
        return Vec::new();
    };
    let mut cards = Vec::new();
    for record in games {
        let document = Document::new(record);
        let mut insight = RecordInsight::default();
        insight.set_scales(&search.scales);
        while !insight.update(&document) {}
        cards.extend(drill_cards(&document, &insight, &search.player_name));
    }
    cards
}

/// The thread that appends to the file of the deck. Dropping it waits until all lines are written, at most half a
/// second.
#[derive(Debug)]
pub struct DrillFileThread {
    /// The channel to the thread; `None` once it is closed.
    additions: Option<SyncSender<Vec<DrillLine>>>,
    thread: Option<threads::Thread>,
}

impl DrillFileThread {
    /// Starts the thread. `done` receives the result of each try to write: the reason why the lines cannot be written.
    /// `None` where the system has no thread.
    pub fn start(file: PathBuf, done: impl Fn(Option<CauseText>) + Send + 'static) -> Option<Self> {
        let (additions, inbox) = sync_channel(MAX_QUEUED_ADDITIONS);
        let mut writer = DrillWriter {
            file,
            unwritten_lines: Vec::new(),
            is_file_held: false,
            on_done: done,
        };
        let thread = threads::spawn("drill", move || writer.run(&inbox)).ok()?;
        Some(Self {
            additions: Some(additions),
            thread: Some(thread),
        })
    }

    /// Queues lines. They are lost if the queue is full, as the disk hangs.
    pub fn append(&self, lines: Vec<DrillLine>) {
        if let Some(additions) = &self.additions {
            let _is_full = additions.try_send(lines);
        }
    }
}

impl Drop for DrillFileThread {
    fn drop(&mut self) {
        self.additions = None;
        if let Some(thread) = self.thread.take() {
            threads::finish_soon("drill", move || drop(thread));
        }
    }
}

struct DrillWriter<D> {
    file: PathBuf,
    /// The lines that are not in the file yet.
    unwritten_lines: Vec<DrillLine>,
    /// Whether another program holds the file.
    is_file_held: bool,
    on_done: D,
}

impl<D: Fn(Option<CauseText>)> DrillWriter<D> {
    /// Writes lines until the channel is closed.
    fn run(&mut self, inbox: &Receiver<Vec<DrillLine>>) {
        loop {
            let lines = if self.is_file_held {
                inbox.recv_timeout(WRITE_RETRY_INTERVAL)
            } else {
                inbox.recv().map_err(Into::into)
            };
            match lines {
                Ok(lines) => self.unwritten_lines.extend(lines),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.write_at_exit(),
            }
            self.write();
        }
    }

    /// Writes the remaining lines. Called when the program ends.
    fn write_at_exit(&mut self) {
        for _ in 0..MAX_EXIT_TRIES {
            self.write();
            if !self.is_file_held {
                return;
            }
            std::thread::park_timeout(WRITE_RETRY_INTERVAL);
        }
    }

    /// Appends the unwritten lines to the file. They stay unwritten while another program holds the file, or after an
    /// error.
    fn write(&mut self) {
        if self.unwritten_lines.is_empty() {
            return;
        }
        let made = self.file.parent().map_or(Ok(()), shogibar_files::make_folder);
        let problem = match made.and_then(|()| Appender::open(&self.file, 0)) {
            Ok(None) => {
                self.is_file_held = true;
                return;
            }
            Ok(Some((mut appender, _))) => {
                let text: String = self.unwritten_lines.iter().map(DrillLine::text).collect();
                appender.append(text.as_bytes()).err()
            }
            Err(error) => Some(error),
        };
        self.is_file_held = false;
        if problem.is_none() {
            self.unwritten_lines.clear();
        }
        (self.on_done)(problem.as_ref().map(CauseText::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use shogibar_games::analysis::EngineScales;
    use std::cell::RefCell;

    const GAME: &str = "先手：山田\n後手：鈴木\n手数----指手---------消費時間--\n**評価値=0\n1 ７六歩(77)\n**評価値=100\n\
        **読み筋=△8四歩▲2六歩\n2 ３四歩(33)\n**評価値=900\n**読み筋=▲6六歩\n3 ２六歩(27)\n**評価値=-100\n";

    /// Returns the mistakes in a folder, and whether there is such a folder.
    fn collect(folder: PathBuf, player_name: &str) -> (Vec<DrillCard>, bool) {
        let search = MistakeSearch {
            number: 1,
            folder,
            player_name: player_name.to_owned(),
            scales: EngineScales::default(),
        };
        let found = RefCell::new((Vec::new(), false));
        collect_mistakes(&search, &Control::default(), &|result| match result {
            JobResult::Mistakes(1, cards) => found.borrow_mut().0.extend(cards),
            JobResult::MistakesCollected(1, is_folder) => found.borrow_mut().1 = is_folder,
            _ => {}
        });
        found.into_inner()
    }

    #[test]
    fn the_mistakes_of_a_folder_are_collected_and_stored() {
        let folder = TestFolder::new();
        folder.write("games/a.kifu", GAME);
        folder.write("games/b.kifu", "nothing");
        let games = folder.0.join("games");
        let (one, is_folder) = collect(games.clone(), "山田");
        assert_eq!((one.len(), is_folder), (1, true), "of one player");
        let (all, _) = collect(games, "");
        assert_eq!(all.len(), 2);
        assert_eq!(collect(folder.0.join("none"), ""), (Vec::new(), false));
        let file = folder.0.join("deck/mistakes.jsonl");
        let (done, results) = sync_channel(4);
        let thread = DrillFileThread::start(file.clone(), move |result| done.send(result).unwrap()).unwrap();
        let card = all[0].id();
        thread.append(all.into_iter().map(DrillLine::Card).collect());
        assert_eq!(results.recv().unwrap(), None);
        thread.append(vec![DrillLine::Result {
            card,
            day: 9,
            right: true,
        }]);
        drop(thread);
        let (deck, problem) = read_deck(Some(&file));
        assert_eq!(problem, None);
        assert_eq!(
            (deck.due_cards(9).len(), deck.due_cards(10).len()),
            (1, 2),
            "the queue goes on where it was"
        );
    }
}
