//! The shelf of the window: one thread keeps its index up to date, another answers queries.

use super::requests::RequestThread;
use shogibar_base::CauseText;
use shogibar_base::threads::{self, lock};
use shogibar_shelf::{
    Shelf, ShelfAnswer, ShelfCounts, ShelfError, ShelfProblem, ShelfQuery, ShelfUpdate, UpdateControl,
    shelf_text as text,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The minimum pause between two scans of the followed folders.
const MIN_SCAN_PAUSE: Duration = Duration::from_secs(10);
/// The minimum pause between two scans, as a multiple of the last scan's duration.
const MIN_PAUSE_PER_SCAN: u32 = 20;

/// The number of files after which the progress is reported.
const FILES_PER_PROGRESS: usize = 100;
/// The number of files after which the last query is answered again.
const FILES_PER_ANSWER: usize = 1000;

const MAX_REPORTED_PROBLEMS: usize = 10;

/// The state of the shelf, as the window shows it.
#[derive(Clone, Debug, Default)]
pub struct ShelfState {
    /// The contents of the index, in numbers.
    pub counts: ShelfCounts,
    /// The number of files read and the number of all files; `None` while no records are read.
    pub reading: Option<[usize; 2]>,
    /// The number of files and folders that cannot be read.
    pub unreadable_count: usize,
    /// The reasons why the first unreadable files and folders cannot be read.
    pub problems: Arc<[CauseText]>,
    /// The reason why the index cannot be read or written.
    pub problem: Option<CauseText>,
    /// The last answered query, and its answer.
    pub answer: Option<(ShelfQuery, Arc<ShelfAnswer>)>,
    /// The version of the index, which changes when a query may have another answer.
    version: u64,
}

impl ShelfState {
    /// Applies the results of an update.
    fn apply(&mut self, counts: ShelfCounts, update: &ShelfUpdate) {
        let is_changed = self.version == 0 || counts != self.counts || update.backup.is_some();
        self.version += u64::from(is_changed);
        if self.unreadable_count != update.unreadable_count || is_changed {
            let message = |problem: &ShelfProblem| CauseText::new(|lang| problem.text(lang));
            self.problems = update
                .problems
                .iter()
                .take(MAX_REPORTED_PROBLEMS)
                .map(message)
                .collect();
        }
        (self.counts, self.unreadable_count, self.reading, self.problem) =
            (counts, update.unreadable_count, None, None);
    }
}

/// The orders for the thread that reads the folders.
#[derive(Debug, Default)]
struct ShelfOrders {
    /// The user's record folders.
    folders: Vec<PathBuf>,
    /// Whether the folders are scanned at intervals.
    is_followed: bool,
    /// Whether the folders are to be scanned now.
    is_due: bool,
    /// The version of the index that was found to be damaged; `None` if none was.
    damaged_version: Option<u64>,
    /// Whether the thread has to end, because the program does.
    is_ending: bool,
}

/// The state that the threads share.
#[derive(Debug, Default)]
struct SharedShelf {
    state: Mutex<ShelfState>,
    orders: Mutex<ShelfOrders>,
    /// Whether the running scan has to end: the user has chosen other folders, or the program ends.
    is_cancelled: AtomicBool,
}

/// The threads of the shelf. Dropping it ends the threads; the index has the records that they have read.
#[derive(Debug)]
pub struct ShelfThread {
    shared_shelf: Arc<SharedShelf>,
    /// Wakes the reading thread to read its orders.
    signal: SyncSender<()>,
    query_thread: Option<RequestThread<(), ShelfQuery>>,
    /// The last query, and the version of the index at that time.
    last_query: Option<(ShelfQuery, u64)>,
    /// The thread that reads the folders; `None` where the system has none.
    reader: Option<threads::Thread>,
}

impl ShelfThread {
    /// Starts the threads for the index in a file. `wake` is called when the state changes.
    pub fn start(file: &Path, wake: impl Fn() + Clone + Send + 'static) -> Self {
        let shared = Arc::<SharedShelf>::default();
        // One signal stands for all orders.
        let (signal, signals) = sync_channel(1);
        let reader = ShelfReader {
            file: file.to_owned(),
            shared_shelf: Arc::clone(&shared),
            wake: wake.clone(),
        };
        let read = move || {
            threads::lower_priority();
            reader.run(&signals);
        };
        let reader = threads::spawn("shelf", read).ok();
        let mut worker = ShelfQueryWorker {
            file: file.to_owned(),
            opened_shelf: None,
            shared_shelf: Arc::clone(&shared),
            signal: signal.clone(),
            wake,
        };
        let query_thread =
            RequestThread::start("shelf questions", move |query, _control| worker.answer(query));
        Self {
            shared_shelf: shared,
            signal,
            query_thread,
            last_query: None,
            reader,
        }
    }

    /// Returns the state of the shelf for the study page.
    pub fn state(&self) -> ShelfState {
        lock(&self.shared_shelf.state).clone()
    }

    /// Follows record folders, until [`stop_following`](Self::stop_following) is called.
    pub fn follow(&self, folders: &[PathBuf]) {
        let mut orders = lock(&self.shared_shelf.orders);
        let has_others = orders.folders != folders;
        if !has_others && orders.is_followed {
            return;
        }
        folders.clone_into(&mut orders.folders);
        (orders.is_due, orders.is_followed) = (true, true);
        if has_others {
            self.shared_shelf.is_cancelled.store(true, Ordering::Relaxed);
        }
        drop(orders);
        self.wake_reader();
    }

    /// Stops following the record folders.
    pub fn stop_following(&self) {
        lock(&self.shared_shelf.orders).is_followed = false;
    }

    /// Queues a query, unless it equals the last query and the index has not changed.
    pub fn ask(&mut self, query: ShelfQuery) {
        let version = lock(&self.shared_shelf.state).version;
        let is_asked = self
            .last_query
            .as_ref()
            .is_some_and(|(last, of)| *last == query && *of == version);
        if let Some(query_thread) = self.query_thread.as_ref().filter(|_| !is_asked) {
            self.last_query = Some((query.clone(), version));
            query_thread.request((), query, |()| false);
        }
    }

    fn wake_reader(&self) {
        // A full channel has a signal already.
        let _signalled = self.signal.try_send(());
    }
}

impl Drop for ShelfThread {
    fn drop(&mut self) {
        let mut orders = lock(&self.shared_shelf.orders);
        (orders.is_ending, orders.is_followed) = (true, false);
        self.shared_shelf.is_cancelled.store(true, Ordering::Relaxed);
        drop(orders);
        self.wake_reader();
        if let Some(reader) = self.reader.take() {
            threads::finish_soon("shelf", move || drop(reader));
        }
    }
}

/// The thread that updates the index with the records of the user's folders.
struct ShelfReader<W> {
    file: PathBuf,
    shared_shelf: Arc<SharedShelf>,
    wake: W,
}

impl<W: Fn()> ShelfReader<W> {
    /// Scans the followed folders until the program ends.
    fn run(&self, signals: &Receiver<()>) {
        let mut pause = MIN_SCAN_PAUSE;
        loop {
            let is_followed = lock(&self.shared_shelf.orders).is_followed;
            let signal = if is_followed {
                signals.recv_timeout(pause)
            } else {
                signals.recv().map_err(Into::into)
            };
            if signal == Err(RecvTimeoutError::Disconnected) {
                return;
            }
            let (folders, is_damaged) = {
                let mut orders = lock(&self.shared_shelf.orders);
                if orders.is_ending {
                    return;
                }
                // The lock of the orders is held, as it is where a scan is cancelled: no cancellation gets lost.
                self.shared_shelf.is_cancelled.store(false, Ordering::Relaxed);
                let is_damaged = orders.damaged_version == Some(lock(&self.shared_shelf.state).version);
                let is_due = std::mem::take(&mut orders.is_due) || orders.is_followed || is_damaged;
                if !is_due || orders.folders.is_empty() && !self.file.exists() {
                    continue;
                }
                (orders.folders.clone(), is_damaged)
            };
            #[expect(
                clippy::disallowed_methods,
                reason = "the pause depends on the duration of a reading"
            )]
            let begun = Instant::now();
            self.read(&folders, is_damaged);
            pause = MIN_SCAN_PAUSE.max(begun.elapsed() * MIN_PAUSE_PER_SCAN);
        }
    }

    /// Updates the index with the records of the folders. A damaged index is built again.
    fn read(&self, folders: &[PathBuf], is_damaged: bool) {
        let update = if is_damaged {
            Shelf::replace_damaged
        } else {
            Shelf::update
        };
        let mut progress = |read: usize, count: usize| {
            if read.is_multiple_of(FILES_PER_PROGRESS) {
                self.change(|state| {
                    state.reading = Some([read, count]);
                    state.version += u64::from(read.is_multiple_of(FILES_PER_ANSWER));
                });
            }
        };
        let mut control = UpdateControl {
            is_cancelled: &self.shared_shelf.is_cancelled,
            progress: &mut progress,
            // The other processor cores are for the engines.
            threads: 1,
        };
        let made = self.file.parent().map_or(Ok(()), shogibar_files::make_folder);
        let updated = made
            .map_err(ShelfError::from)
            .and_then(|()| update(&self.file, folders, &mut control));
        match updated {
            Ok((index, update)) => self.change(|state| state.apply(index.counts(), &update)),
            Err(error) => {
                self.change(|state| (state.problem, state.reading) = (Some(cause_text(&error)), None));
            }
        }
    }

    /// Changes the state, and wakes the window if the numbers or the problem differ.
    fn change(&self, change: impl FnOnce(&mut ShelfState)) {
        let mut state = lock(&self.shared_shelf.state);
        let shown = |state: &ShelfState| {
            (
                state.counts,
                state.reading,
                state.unreadable_count,
                state.version,
                state.problem.clone(),
            )
        };
        let before = shown(&state);
        change(&mut state);
        let is_other = shown(&state) != before;
        drop(state);
        if is_other {
            (self.wake)();
        }
    }
}

/// The thread that searches the index for positions.
struct ShelfQueryWorker<W> {
    file: PathBuf,
    /// The opened index, and its version.
    opened_shelf: Option<(Shelf, u64)>,
    shared_shelf: Arc<SharedShelf>,
    signal: SyncSender<()>,
    wake: W,
}

impl<W: Fn()> ShelfQueryWorker<W> {
    /// Answers a query from the index. If the index is damaged, the other thread has to build it again.
    fn answer(&mut self, query: ShelfQuery) {
        let version = lock(&self.shared_shelf.state).version;
        self.opened_shelf.take_if(|(_, of)| *of != version);
        match self.shelf(version).and_then(|shelf| shelf.ask(&query)) {
            Ok(answer) => lock(&self.shared_shelf.state).answer = Some((query, Arc::new(answer))),
            Err(ShelfError::Damaged(_)) => {
                lock(&self.shared_shelf.orders).damaged_version = Some(version);
                let _signalled = self.signal.try_send(());
            }
            Err(error) => lock(&self.shared_shelf.state).problem = Some(cause_text(&error)),
        }
        (self.wake)();
    }

    /// Returns the index, which is opened if necessary.
    fn shelf(&mut self, version: u64) -> Result<&mut Shelf, ShelfError> {
        let opened = match self.opened_shelf.take() {
            Some(opened) => opened,
            None => (Shelf::open(&self.file)?, version),
        };
        Ok(&mut self.opened_shelf.insert(opened).0)
    }
}

/// Returns the text about an error of the index.
fn cause_text(error: &ShelfError) -> CauseText {
    match error {
        ShelfError::File(error) => error.into(),
        ShelfError::Busy => CauseText::new(|lang| text::busy_for_now(lang).to_owned()),
        ShelfError::Damaged(error) => error.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use shogibar_shelf::ShelfKey;
    use shogibar_shogi::{Move, Position};

    const GAME: &str =
        "先手：山田\n後手：鈴木\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";

    /// Asks a query until the state of the shelf fulfils a condition, for 30 s at most. Returns the state.
    fn wait(
        shelf: &mut ShelfThread,
        query: &ShelfQuery,
        is_reached: impl Fn(&ShelfState) -> bool,
    ) -> ShelfState {
        for _ in 0..3000 {
            shelf.ask(query.clone());
            let state = shelf.state();
            if is_reached(&state) {
                return state;
            }
            std::thread::park_timeout(Duration::from_millis(10));
        }
        panic!("{:?}", shelf.state());
    }

    /// Returns the number of games in the last answer.
    fn count(state: &ShelfState) -> Option<u32> {
        state.answer.as_ref().map(|(_, answer)| answer.count)
    }

    #[test]
    fn folders_are_read_and_asked() {
        let folder = TestFolder::new();
        folder.write("games/a.kifu", GAME);
        folder.write("games/b.kifu", "nothing");
        let (games, index) = (folder.0.join("games"), folder.0.join("data/shelf.index"));
        let mut shelf = ShelfThread::start(&index, || {});
        let query = ShelfQuery::new(ShelfKey::from_position(&Position::startpos()), 10);
        shelf.follow(std::slice::from_ref(&games));
        let state = wait(&mut shelf, &query, |state| count(state) == Some(1));
        let (_, answer) = state.answer.unwrap();
        assert_eq!(answer.moves[0].mv, Move::from_usi("7g7f"));
        assert_eq!(
            (state.counts.games, state.unreadable_count),
            (1, 1),
            "a file without a record"
        );
        // A file that is added while the folder is followed.
        folder.write("games/c.kifu", GAME);
        shelf.follow(&[]);
        wait(&mut shelf, &query, |state| {
            count(state) == Some(0) && state.counts.games == 0
        });
        shelf.follow(&[games]);
        wait(&mut shelf, &query, |state| count(state) == Some(2));
        // A query finds the damage, and reading again repairs it.
        drop(shelf);
        let mut bytes = shogibar_files::read(&index, 1 << 20).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        shogibar_files::write_whole(&index, &bytes).unwrap();
        let mut shelf = ShelfThread::start(&index, || {});
        shelf.follow(&[folder.0.join("games")]);
        wait(&mut shelf, &query, |state| count(state) == Some(2));
    }
}
