//! The USI server of the built-in engine, which gives a fresh installation a usable evaluation. One thread reads,
//! others search with [`search`](shogibar_builtin).

use shogibar_base::threads;
use shogibar_base::visible::visible;
use shogibar_builtin::{
    Clocks, Control, Go, Options, SearchOutcome, SearchReport, SearchWorker, Searcher, solve,
};
use shogibar_engine::usi::UsiCommand;
use shogibar_engine::usi::lines::read_line;
use shogibar_shogi::{Color, History, Position};
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Instant;

/// Answers a host until it sends `quit` or its input ends.
///
/// # Errors
/// Fails if the input cannot be read, or the output cannot be written.
pub fn serve(input: &mut dyn BufRead, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let out = SharedOutput(Mutex::new(out));
    std::thread::scope(|scope| {
        let mut server = UsiServer::new(scope, &out);
        let mut line = Vec::new();
        while read_line(input, &mut line)? {
            match UsiCommand::parse(&String::from_utf8_lossy(&line)) {
                UsiCommand::Quit => break,
                command => server.execute(command)?,
            }
        }
        Ok(())
    })
}

/// The output, which the search and the command loop share, one line at a time.
struct SharedOutput<'a>(Mutex<&'a mut (dyn Write + Send)>);

impl SharedOutput<'_> {
    fn write_line(&self, line: &dyn Display) -> io::Result<()> {
        let mut out = threads::lock(&self.0);
        writeln!(out, "{line}")?;
        out.flush()
    }
}

/// The built-in engine as a USI engine for one host.
struct UsiServer<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    out: &'scope SharedOutput<'env>,
    options: Options,
    /// The position to search, or the error of the last `position`.
    position: Result<History, String>,
    /// Whether a new game began since the last search.
    is_new_game: bool,
    /// The searcher, while no search is using it.
    searcher: Option<Searcher>,
    /// The latest search, which may have ended; `None` before the first.
    running_search: Option<RunningSearch<'scope>>,
}

/// A search on its thread, which returns the searcher when it ends.
struct RunningSearch<'scope> {
    go: Go,
    /// The side to move.
    side: Color,
    control: Arc<Control>,
    helper_control: Arc<Control>,
    /// Whether the answer is about to be written, so that the thread ends soon.
    has_answered: Arc<AtomicBool>,
    start_time: Instant,
    /// The end of a channel; `None` as soon as the answer may be sent. If `go` requires this, the thread waits until
    /// this end is dropped.
    answer_hold: Option<SyncSender<()>>,
    thread: ScopedJoinHandle<'scope, Searcher>,
}

impl<'scope, 'env> UsiServer<'scope, 'env> {
    fn new(scope: &'scope Scope<'scope, 'env>, out: &'scope SharedOutput<'env>) -> Self {
        let (options, position) = (Options::default(), Ok(History::new(Position::startpos())));
        Self {
            scope,
            out,
            options,
            position,
            is_new_game: false,
            searcher: None,
            running_search: None,
        }
    }

    fn execute(&mut self, command: UsiCommand<'_>) -> io::Result<()> {
        match command {
            UsiCommand::Usi => self
                .out
                .write_line(&Options::greeting(env!("CARGO_PKG_VERSION")))?,
            UsiCommand::IsReady => {
                // During a search the engine is ready as well; pending changes are applied at the next `go`.
                self.prepare();
                self.out.write_line(&"readyok")?;
            }
            UsiCommand::NewGame => {
                self.is_new_game = true;
                self.prepare();
            }
            UsiCommand::SetOption(text) => self.options.set(text),
            UsiCommand::Position(text) => {
                self.position = History::from_usi(text).map_err(|error| error.to_string());
            }
            UsiCommand::Go(text) => self.go(Go::parse(text))?,
            // The end of a game also ends a search.
            UsiCommand::Stop | UsiCommand::GameOver(_) | UsiCommand::Quit => self.stop(),
            UsiCommand::PonderHit(text) => self.ponderhit(Go::parse(text).clocks),
            UsiCommand::Other(_) => {}
        }
        Ok(())
    }

    /// Starts a search, after the previous one has ended and sent its answer.
    fn go(&mut self, mut go: Go) -> io::Result<()> {
        // The time for preparations counts as time of the search.
        let started = now();
        let mut searcher = self.ready_searcher();
        go.limits.lines = self.options.lines;
        let side = self
            .position
            .as_ref()
            .map_or(Color::Black, |history| history.now().side_to_move());
        let control = Arc::new(Control::new(go.deadline(side)));
        let (helper_control, has_answered) = (Arc::new(Control::new(None)), Arc::new(AtomicBool::new(false)));
        let (answer_hold, released) = sync_channel(0);
        let job = SearchJob {
            go: go.clone(),
            position: self.position.clone(),
            control: Arc::clone(&control),
            helper_control: Arc::clone(&helper_control),
            has_answered: Arc::clone(&has_answered),
            start_time: started,
        };
        let out = self.out;
        let thread = threads::spawn_in_scope(self.scope, "search", move || {
            // An error is ignored: a host that no longer reads needs no answer.
            let _host_is_gone = job.run(&mut searcher, out, &released);
            searcher
        })?;
        let answer_hold = Some(answer_hold);
        self.running_search = Some(RunningSearch {
            go,
            side,
            control,
            helper_control,
            has_answered,
            start_time: started,
            answer_hold,
            thread,
        });
        Ok(())
    }

    /// Applies the current options and game to the searcher, unless it searches.
    fn prepare(&mut self) {
        if self
            .running_search
            .as_ref()
            .is_none_or(|running| running.has_answered.load(Ordering::Acquire))
        {
            self.searcher = Some(self.ready_searcher());
        }
    }

    /// Stops the search, waits for its end, and returns the searcher, with the current options and game applied.
    fn ready_searcher(&mut self) -> Searcher {
        self.stop();
        let finished = self
            .running_search
            .take()
            .and_then(|running| running.thread.join().ok());
        let Options { hash, threads, .. } = self.options;
        let reusable = finished
            .or_else(|| self.searcher.take())
            .filter(|searcher| (searcher.megabytes(), searcher.threads()) == (hash, threads));
        let is_new_game = std::mem::take(&mut self.is_new_game);
        match reusable {
            Some(mut searcher) => {
                if is_new_game {
                    searcher.clear();
                }
                searcher
            }
            None => Searcher::new(hash, threads),
        }
    }

    /// Stops the running search, if any, and lets it send its answer.
    fn stop(&mut self) {
        if let Some(running) = &mut self.running_search {
            running.control.stop();
            running.helper_control.stop();
            running.answer_hold = None;
        }
    }

    /// Handles `ponderhit`: the opponent played the expected move, and the clock now runs.
    fn ponderhit(&mut self, clocks: Clocks) {
        let Some(running) = self.running_search.as_mut().filter(|running| running.go.ponder) else {
            return;
        };
        running.go.ponder = false;
        if clocks != Clocks::default() {
            running.go.clocks = clocks;
        }
        if let Some(budget) = running.go.deadline(running.side) {
            running
                .control
                .set_deadline(elapsed_ms(running.start_time).saturating_add(budget));
        }
        if !running.go.infinite {
            running.answer_hold = None;
        }
    }
}

impl Drop for UsiServer<'_, '_> {
    /// Stops the search, for whatever reason the connection ends.
    fn drop(&mut self) {
        self.stop();
    }
}

/// The work of a search thread.
struct SearchJob {
    go: Go,
    position: Result<History, String>,
    control: Arc<Control>,
    helper_control: Arc<Control>,
    has_answered: Arc<AtomicBool>,
    start_time: Instant,
}

impl SearchJob {
    /// Searches and writes the answer. If the position cannot be searched, or the search panics, writes an answer
    /// without a move.
    fn run(
        &self,
        searcher: &mut Searcher,
        out: &SharedOutput<'_>,
        released: &Receiver<()>,
    ) -> io::Result<()> {
        let mut written = Ok(());
        let mut answer = |line: &dyn Display| {
            if self.go.has_to_wait() {
                // `recv` fails as soon as the other end is dropped, which is the signal.
                let _dropped = released.recv();
            }
            self.has_answered.store(true, Ordering::Release);
            written = out.write_line(line);
        };
        // A host waits for an answer even after a panic. The panic hook has already reported the panic.
        let result = catch_unwind(AssertUnwindSafe(|| self.search(searcher, out, &mut answer)));
        if let Err(reason) = result.unwrap_or_else(|_panic| Err("the search failed".to_owned())) {
            out.write_line(&format!(
                "info string cannot search this position: {}",
                visible(&reason)
            ))?;
            answer(&if self.go.mate {
                "checkmate notimplemented"
            } else {
                "bestmove resign"
            });
        }
        written
    }

    /// Searches and answers, or returns the reason why the position cannot be searched.
    fn search(
        &self,
        searcher: &mut Searcher,
        out: &SharedOutput<'_>,
        answer: &mut dyn FnMut(&dyn Display),
    ) -> Result<(), String> {
        let history = self.position.as_ref().map_err(Clone::clone)?;
        let clock = || elapsed_ms(self.start_time);
        if self.go.mate {
            let result = solve(history, &self.control, &clock).map_err(|error| error.to_string())?;
            answer(&result);
            return Ok(());
        }
        let mut report = |search_report: &SearchReport| {
            let _host_is_gone = out.write_line(search_report);
        };
        let mut workers = searcher.workers();
        let first = workers.next();
        std::thread::scope(|scope| {
            let stop = HelperGuard(&self.helper_control);
            let help = |worker: SearchWorker<'_>| worker.help(history, &self.go.limits, &self.helper_control);
            // With fewer helper threads than requested, the search is only slower.
            let running: Vec<_> = workers
                .filter_map(|worker| {
                    threads::spawn_in_scope(scope, "search helper", move || help(worker)).ok()
                })
                .collect();
            let think = |worker: SearchWorker<'_>| {
                worker.think(history, &self.go.limits, &self.control, &clock, &mut report)
            };
            let outcome = first.map_or(Ok(SearchOutcome::Resign), think);
            drop(stop);
            if let Ok(outcome) = &outcome {
                answer(outcome);
            }
            // The panic hook has reported a helper's panic. The answer is valid without the helper.
            for helper in running {
                let _reported_panic = helper.join();
            }
            outcome.map(|_answered| ()).map_err(|error| error.to_string())
        })
    }
}

/// Stops the helpers of a search when it is dropped, for whatever reason the search ends.
struct HelperGuard<'a>(&'a Control);

impl Drop for HelperGuard<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock of the server; the search reads no clock itself"
)]
fn now() -> Instant {
    Instant::now()
}

/// Returns the milliseconds since a time.
fn elapsed_ms(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
