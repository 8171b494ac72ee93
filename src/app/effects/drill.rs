//! The deck of the user's mistakes: its file, and the search for mistakes in a folder of records.

use super::pages::seconds_since_1970;
use shogibar_files::Appender;
use shogibar_games::analysis::EngineScales;

use shogibar_base::threads::{self, lock};
use shogibar_games::study::{
    Document, DrillCard, DrillDeck, DrillLine, DrillOutcome, RecordInsight, drill_cards,
};
use shogibar_kifu::has_record_extension;
use shogibar_text::CauseText;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The longest line of a deck that is read, in bytes. Cards of version 0.2 have a whole game.
const MAX_LINE_BYTES: u64 = 16 << 20;
/// The pause before the next try to write the file while another program holds it.
const WRITE_RETRY_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum number of jobs that wait while a file is read.
const MAX_QUEUED_JOBS: usize = 1024;
/// The maximum number of tries to write the file at the end of the program.
const MAX_EXIT_TRIES: usize = 4;
/// The number of mistakes found in a folder after which they are stored.
const MISTAKE_BATCH_SIZE: usize = 256;

/// Returns the present day in Japan, in days since 1970.
pub fn today() -> u32 {
    const JAPAN_UTC_OFFSET_HOURS: u64 = 9;
    u32::try_from((seconds_since_1970() / 3600 + JAPAN_UTC_OFFSET_HOURS) / 24).unwrap_or(u32::MAX)
}

/// The state of the deck, as the windows show it.
#[derive(Clone, Debug, Default)]
pub struct DrillState {
    /// The deck, with all answers.
    pub deck: Arc<DrillDeck>,
    /// The number of files read and the number of all files; `None` unless a folder is searched for mistakes.
    pub collected_files: Option<[usize; 2]>,
    /// The outcome of the last addition of mistakes, from a game or a folder. `None` before the first, while a folder
    /// is searched, and after an answer of the user.
    pub outcome: Option<DrillOutcome>,
    /// The reason why the file cannot be read or written.
    pub problem: Option<CauseText>,
}

/// The folder in which mistakes are searched for.
#[derive(Clone, Debug)]
pub struct DrillSource {
    /// The folder of records with evaluations.
    pub folder: PathBuf,
    /// A part of the player's name; empty for both players.
    pub player_name: String,
    /// The scales of the user's profiles.
    pub scales: EngineScales,
}

/// A task of the deck's thread.
enum DrillJob {
    /// Add lines to the deck, and store them.
    Append(Vec<DrillLine>),
    /// Search a folder for mistakes.
    Collect(DrillSource),
}

/// The thread of the deck. Dropping it waits until all answers are written, at most half a second.
#[derive(Debug)]
pub struct DrillThread {
    state: Arc<Mutex<DrillState>>,
    /// The channel to the thread; `None` once it is closed.
    jobs: Option<SyncSender<DrillJob>>,
    /// Whether the program ends, so that the search of a folder has to stop.
    is_ending: Arc<AtomicBool>,
    /// The thread; `None` where the system has none.
    thread: Option<threads::Thread>,
}

impl DrillThread {
    /// Starts the thread, which reads the deck from a file. Without a file, the deck lasts until the program ends.
    /// `wake` is called when the state changes.
    pub fn start(file: Option<PathBuf>, wake: impl Fn() + Send + 'static) -> Self {
        let (state, is_ending) = (Arc::<Mutex<DrillState>>::default(), Arc::<AtomicBool>::default());
        let (sender, jobs) = sync_channel(MAX_QUEUED_JOBS);
        let mut worker = DrillWorker {
            file,
            state: Arc::clone(&state),
            is_ending: Arc::clone(&is_ending),
            unwritten_lines: Vec::new(),
            is_file_held: false,
            read_error: None,
            wake,
        };
        let thread = threads::spawn("drill", move || worker.run(&jobs)).ok();
        Self {
            state,
            jobs: Some(sender),
            is_ending,
            thread,
        }
    }

    /// Returns the state of the deck for the study page.
    pub fn state(&self) -> DrillState {
        lock(&self.state).clone()
    }

    /// Queues lines to be added to the deck and stored. They are lost if the queue is full.
    pub fn append(&self, lines: Vec<DrillLine>) {
        self.send(DrillJob::Append(lines));
    }

    /// Queues the search of a folder for mistakes.
    pub fn collect(&self, source: DrillSource) {
        self.send(DrillJob::Collect(source));
    }

    fn send(&self, job: DrillJob) {
        if let Some(jobs) = &self.jobs {
            // An error means that there is no thread, or that the queue is full as the disk hangs.
            let _sent = jobs.try_send(job);
        }
    }
}

impl Drop for DrillThread {
    fn drop(&mut self) {
        self.is_ending.store(true, Ordering::Relaxed);
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            threads::finish_soon("drill", move || drop(thread));
        }
    }
}

/// The work of the thread of the deck.
struct DrillWorker<W> {
    file: Option<PathBuf>,
    state: Arc<Mutex<DrillState>>,
    is_ending: Arc<AtomicBool>,
    /// The lines that are in the deck but not in the file yet.
    unwritten_lines: Vec<DrillLine>,
    /// Whether another program holds the file.
    is_file_held: bool,
    /// The reason why the file could not be read.
    read_error: Option<CauseText>,
    wake: W,
}

impl<W: Fn()> DrillWorker<W> {
    /// Reads the deck, and carries out jobs until the channel is closed.
    fn run(&mut self, jobs: &Receiver<DrillJob>) {
        self.read();
        loop {
            let job = if self.is_file_held {
                jobs.recv_timeout(WRITE_RETRY_INTERVAL)
            } else {
                jobs.recv().map_err(Into::into)
            };
            match job {
                Ok(job) => self.carry_out(job, jobs),
                Err(RecvTimeoutError::Timeout) => self.write(),
                Err(RecvTimeoutError::Disconnected) => return self.write_at_exit(),
            }
        }
    }

    /// Carries out a job. A search for mistakes takes further jobs from `jobs`.
    fn carry_out(&mut self, job: DrillJob, jobs: &Receiver<DrillJob>) {
        match job {
            DrillJob::Append(lines) => {
                let is_result = lines.iter().any(|line| matches!(line, DrillLine::Result { .. }));
                let count = self.append(lines);
                self.change(|state| state.outcome = (!is_result).then_some(DrillOutcome::Added(count)));
            }
            DrillJob::Collect(source) => self.collect(&source, jobs),
        }
    }

    /// Writes the lines that are not in the file yet. Called when the program ends.
    fn write_at_exit(&mut self) {
        for _ in 0..MAX_EXIT_TRIES {
            self.write();
            if !self.is_file_held {
                return;
            }
            std::thread::park_timeout(WRITE_RETRY_INTERVAL);
        }
    }

    /// Reads the deck from its file, if there is one.
    fn read(&mut self) {
        let Some(file) = self.file.as_deref().filter(|file| file.exists()) else {
            return;
        };
        let mut deck = DrillDeck::default();
        let read = shogibar_files::read_lines(file, MAX_LINE_BYTES, &mut |line| deck.read_line(line));
        self.read_error = read.as_ref().err().map(CauseText::from);
        let problem = self.read_error.clone();
        self.change(|state| (state.deck, state.problem) = (Arc::new(deck), problem));
    }

    fn change(&self, change: impl FnOnce(&mut DrillState)) {
        change(&mut lock(&self.state));
        (self.wake)();
    }

    /// Adds lines to the deck. Returns the number of lines that changed it.
    fn append(&mut self, lines: Vec<DrillLine>) -> usize {
        if lines.is_empty() {
            return 0;
        }
        let mut deck = (*lock(&self.state).deck).clone();
        let new: Vec<_> = lines
            .into_iter()
            .filter(|line| deck.apply(line.clone()))
            .collect();
        let count = new.len();
        self.unwritten_lines.extend(new);
        // The former deck is dropped outside the lock.
        let mut deck = Arc::new(deck);
        self.change(|state| std::mem::swap(&mut state.deck, &mut deck));
        self.write();
        count
    }

    /// Appends the unwritten lines to the file. They stay unwritten while another program holds the file, or after an
    /// error.
    fn write(&mut self) {
        let Some(file) = self.file.as_deref().filter(|_| !self.unwritten_lines.is_empty()) else {
            return;
        };
        let made = file.parent().map_or(Ok(()), shogibar_files::make_folder);
        let problem = match made.and_then(|()| Appender::open(file, 0)) {
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
        let problem = problem
            .as_ref()
            .map(CauseText::from)
            .or_else(|| self.read_error.clone());
        if lock(&self.state).problem != problem {
            self.change(|state| state.problem = problem);
        }
    }

    /// Searches a folder for mistakes. Answers that arrive meanwhile are stored at once; further searches come after
    /// this one.
    fn collect(&mut self, source: &DrillSource, jobs: &Receiver<DrillJob>) {
        if self.is_ending.load(Ordering::Relaxed) {
            return;
        }
        if !source.folder.is_dir() {
            return self.change(|state| state.outcome = Some(DrillOutcome::NoFolder));
        }
        self.change(|state| (state.collected_files, state.outcome) = (Some([0, 0]), None));
        let files: Vec<_> = shogibar_files::walk(&source.folder)
            .files
            .into_iter()
            .filter(|file| has_record_extension(file))
            .collect();
        let (mut added, mut lines, mut others) = (0, Vec::new(), Vec::new());
        for (done, file) in files.iter().enumerate() {
            // Answers that the user gives during the search are stored at once.
            for job in jobs.try_iter() {
                match job {
                    DrillJob::Append(answers) => _ = self.append(answers),
                    DrillJob::Collect(other) => others.push(other),
                }
            }
            if self.is_ending.load(Ordering::Relaxed) {
                break;
            }
            self.change(|state| state.collected_files = Some([done, files.len()]));
            lines.extend(cards_in_file(file, source).into_iter().map(DrillLine::Card));
            if lines.len() >= MISTAKE_BATCH_SIZE {
                added += self.append(std::mem::take(&mut lines));
            }
        }
        added += self.append(lines);
        self.change(|state| {
            (state.collected_files, state.outcome) = (None, Some(DrillOutcome::Added(added)))
        });
        for other in others {
            self.collect(&other, jobs);
        }
    }
}

/// Returns the mistakes of the player of `source` in all games of a file. A file that cannot be read has none.
fn cards_in_file(file: &Path, source: &DrillSource) -> Vec<DrillCard> {
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
        insight.set_scales(&source.scales);
        while !insight.update(&document) {}
        cards.extend(drill_cards(&document, &insight, &source.player_name));
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;

    const GAME: &str = "先手：山田\n後手：鈴木\n手数----指手---------消費時間--\n**評価値=0\n1 ７六歩(77)\n**評価値=100\n\
        **読み筋=△8四歩▲2六歩\n2 ３四歩(33)\n**評価値=900\n**読み筋=▲6六歩\n3 ２六歩(27)\n**評価値=-100\n";

    /// Waits until the state of the deck fulfils a condition, for 30 s at most. Returns the state.
    fn wait(thread: &DrillThread, is_reached: impl Fn(&DrillState) -> bool) -> DrillState {
        for _ in 0..3000 {
            let state = thread.state();
            if is_reached(&state) {
                return state;
            }
            std::thread::park_timeout(Duration::from_millis(10));
        }
        panic!("{:?}", thread.state());
    }

    #[test]
    fn a_folder_is_collected_once_and_answers_are_kept() {
        let folder = TestFolder::new();
        let games = folder.0.join("games");
        folder.write("games/a.kifu", GAME);
        folder.write("games/b.kifu", "nothing");
        let file = folder.0.join("deck/mistakes.jsonl");
        let source = |name: &str| DrillSource {
            folder: games.clone(),
            player_name: name.to_owned(),
            scales: EngineScales::default(),
        };
        let first = DrillThread::start(Some(file.clone()), || {});
        first.collect(source("山田"));
        let one = Some(DrillOutcome::Added(1));
        assert_eq!(
            wait(&first, |state| state.outcome.is_some()).outcome,
            one,
            "of one player"
        );
        first.collect(source(""));
        let state = wait(&first, |state| state.deck.len() == 2 && state.outcome.is_some());
        assert_eq!(state.outcome, one, "the other one");
        first.append(Vec::new());
        wait(&first, |state| state.outcome == Some(DrillOutcome::Added(0)));
        first.collect(DrillSource {
            folder: folder.0.join("none"),
            ..source("")
        });
        wait(&first, |state| state.outcome == Some(DrillOutcome::NoFolder));
        let costliest = state.deck.due_cards(9).first().map(|card| card.id()).unwrap();
        first.append(vec![DrillLine::Result {
            card: costliest,
            day: 9,
            right: true,
        }]);
        drop(first);
        let again = DrillThread::start(Some(file), || {});
        let deck = wait(&again, |state| state.deck.len() == 2).deck;
        assert_eq!(
            (deck.due_cards(9).len(), deck.due_cards(10).len()),
            (1, 2),
            "the queue goes on where it was"
        );
    }
}
