//! The built-in engine, there so that a fresh machine shows something sensible: its talk with its host. One thread reads,
//! another thinks; what it thinks with is [`search`](crate::search).

use crate::search::{Clocks, Control, Go, Options, SearchReport, Searcher, solve};
use crate::shogi::{Color, History, Position};
use crate::text::visible::visible;
use crate::usi::Command;
use crate::{files, threads};
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Instant;

/// Answers a host until it says `quit` or its input ends.
///
/// # Errors
/// Where the host cannot be read, or written to.
pub fn serve(input: &mut dyn BufRead, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let out = SharedOutput(Mutex::new(out));
    std::thread::scope(|scope| {
        let mut talk = UsiServer::new(scope, &out);
        let mut line = Vec::new();
        while files::read_line(input, &mut line)? {
            match Command::parse(&String::from_utf8_lossy(&line)) {
                Command::Quit => break,
                command => talk.execute(command)?,
            }
        }
        Ok(())
    })
}

/// Standard output, which the search and the talk write to, a line at a time.
struct SharedOutput<'a>(Mutex<&'a mut (dyn Write + Send)>);

impl SharedOutput<'_> {
    fn write_line(&self, line: &dyn Display) -> io::Result<()> {
        let mut out = threads::lock(&self.0);
        writeln!(out, "{line}")?;
        out.flush()
    }
}

/// The talk with one host.
struct UsiServer<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    out: &'scope SharedOutput<'env>,
    options: Options,
    /// The position to search, or what is wrong with the one that was given.
    position: Result<History, String>,
    /// Whether a new game began since the last search.
    is_new_game: bool,
    /// The searcher while it rests.
    searcher: Option<Searcher>,
    /// The search that was started last.
    thinking: Option<RunningSearch<'scope>>,
}

/// A search on its thread, which hands the searcher back when it ends.
struct RunningSearch<'scope> {
    go: Go,
    side: Color,
    control: Arc<Control>,
    started: Instant,
    /// Dropped when the answer may be given, for which the thread waits where `go` says so.
    hold: Option<SyncSender<()>>,
    thread: ScopedJoinHandle<'scope, Searcher>,
}

impl<'scope, 'env> UsiServer<'scope, 'env> {
    fn new(scope: &'scope Scope<'scope, 'env>, out: &'scope SharedOutput<'env>) -> Self {
        let (options, position) = (Options::default(), Ok(History::new(Position::startpos())));
        Self { scope, out, options, position, is_new_game: false, searcher: None, thinking: None }
    }

    fn execute(&mut self, command: Command<'_>) -> io::Result<()> {
        match command {
            Command::Usi => self.out.write_line(&Options::greeting(env!("CARGO_PKG_VERSION")))?,
            Command::IsReady => {
                // While it thinks it is ready all the same; what changed is made good at the next go.
                if self.thinking.is_none() {
                    self.searcher = Some(self.ready_searcher());
                }
                self.out.write_line(&"readyok")?;
            }
            Command::NewGame => self.is_new_game = true,
            Command::SetOption(text) => self.options.set(text),
            Command::Position(text) => self.position = History::from_usi(text).map_err(|error| error.to_string()),
            Command::Go(text) => self.go(Go::parse(text))?,
            // A game that is over ends a search just as well.
            Command::Stop | Command::GameOver(_) | Command::Quit => self.stop(),
            Command::PonderHit(text) => self.ponderhit(Go::parse(text).clocks),
            Command::Other(_) => {}
        }
        Ok(())
    }

    /// Starts a search, after the one before has been ended and answered.
    fn go(&mut self, mut go: Go) -> io::Result<()> {
        let mut searcher = self.ready_searcher();
        go.limits.lines = self.options.lines;
        let side = self.position.as_ref().map_or(Color::Black, |history| history.now().side_to_move());
        let control = Arc::new(Control::new(go.deadline(side)));
        let started = now();
        let (hold, released) = sync_channel(0);
        let task =
            SearchJob { go: go.clone(), position: self.position.clone(), control: Arc::clone(&control), started };
        let out = self.out;
        let thread = threads::scoped(self.scope, "search", move || {
            // Whoever no longer reads has no use for an answer; the talk ends with its input.
            let _nobody_left_to_tell = task.run(&mut searcher, out, &released);
            searcher
        })?;
        self.thinking = Some(RunningSearch { go, side, control, started, hold: Some(hold), thread });
        Ok(())
    }

    /// Waits for the search to end and gives back its searcher, as options and games ask for it.
    fn ready_searcher(&mut self) -> Searcher {
        self.stop();
        let thought = self.thinking.take().and_then(|thinking| thinking.thread.join().ok());
        let hash = self.options.hash;
        let kept = thought.or_else(|| self.searcher.take()).filter(|searcher| searcher.megabytes() == hash);
        let is_new_game = std::mem::take(&mut self.is_new_game);
        match kept {
            Some(mut searcher) => {
                if is_new_game {
                    searcher.clear();
                }
                searcher
            }
            None => Searcher::new(hash),
        }
    }

    /// Has the search that runs, if one does, end and answer.
    fn stop(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.control.stop();
            thinking.hold = None;
        }
    }

    /// The opponent played the expected move: from now on the clock runs.
    fn ponderhit(&mut self, clocks: Clocks) {
        let Some(thinking) = &mut self.thinking else { return };
        thinking.go.ponder = false;
        if clocks != Clocks::default() {
            thinking.go.clocks = clocks;
        }
        if let Some(budget) = thinking.go.deadline(thinking.side) {
            thinking.control.stop_at(elapsed(thinking.started).saturating_add(budget));
        }
        thinking.hold = None;
    }
}

impl Drop for UsiServer<'_, '_> {
    /// However the talk ends, no search goes on after it.
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the thread of a search works on.
struct SearchJob {
    go: Go,
    position: Result<History, String>,
    control: Arc<Control>,
    started: Instant,
}

impl SearchJob {
    fn run(&self, searcher: &mut Searcher, out: &SharedOutput<'_>, released: &Receiver<()>) -> io::Result<()> {
        // A host waits for an answer whatever happens to us; the panic hook has said what did.
        let thought = catch_unwind(AssertUnwindSafe(|| self.answer(searcher, out)));
        let answer = match thought.unwrap_or_else(|_panic| Err("the search failed".to_owned())) {
            Ok(answer) => answer,
            Err(reason) => {
                out.write_line(&format!("info string cannot search this position: {}", visible(&reason)))?;
                if self.go.mate { "checkmate notimplemented" } else { "bestmove resign" }.to_owned()
            }
        };
        if self.go.waits() {
            // Ends with an error as soon as the other end is dropped, which is what is waited for.
            let _dropped = released.recv();
        }
        out.write_line(&answer)
    }

    /// The last line of the search, or why there is nothing to search.
    fn answer(&self, searcher: &mut Searcher, out: &SharedOutput<'_>) -> Result<String, String> {
        let history = self.position.as_ref().map_err(Clone::clone)?;
        let clock = || elapsed(self.started);
        if self.go.mate {
            return solve(history, &self.control, &clock).map(|verdict| verdict.to_string()).map_err(|e| e.to_string());
        }
        let mut report = |thought: &SearchReport| {
            let _nobody_left_to_tell = out.write_line(thought);
        };
        let answer = searcher.think(history, &self.go.limits, &self.control, &clock, &mut report);
        answer.map(|answer| answer.to_string()).map_err(|e| e.to_string())
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of the talk; the search names none")]
fn now() -> Instant {
    Instant::now()
}

fn elapsed(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
