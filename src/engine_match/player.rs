//! An engine that plays the games of a match, move by move.
//!
//! A time limit is enforced by `stop`. A limit in nodes or plies is sent in `go`. An engine that ends on such a limit,
//! as gpsusi does, is started again. The new process is stopped once it reports that number of nodes, or a greater
//! depth.

use shogibar_engine::observer::{Observer, SearchInfo};
use shogibar_engine::options::{Limit, resolve};
use shogibar_engine::process::{Output, Process, Program};
use shogibar_engine::session::{FIRST_OUTPUT_TIMEOUT, FailureKind, SessionConfig};
use shogibar_engine::usi::lines::LineSplitter;
use shogibar_engine::usi::tokens::decode;
use shogibar_engine::usi::{BestMove, Reply};
use shogibar_shogi::History;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// The capacity of the output queue, in messages of at most 64 KiB.
const OUTPUT_QUEUE_MESSAGES: usize = 64;
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// The maximum time for an engine to load, from `isready` to `readyok`.
const READY_TIMEOUT: Duration = Duration::from_mins(5);
/// The maximum time of a search whose limit is not a time, so that a hanging engine is detected.
const MAX_SEARCH_TIME: Duration = Duration::from_mins(5);
/// The time for which an engine may search beyond its limit until it has a value. gpsusi resigns if it is stopped
/// before.
const FIRST_VALUE_TIMEOUT: Duration = Duration::from_secs(2);
/// The time for an engine to exit after its output has ended.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// A function that returns whether a match is over, so that waiting ends.
pub type StopCheck<'a> = &'a dyn Fn() -> bool;

/// An engine that plays in a match: its program, and its process while it runs.
#[derive(Debug)]
pub struct MatchPlayer {
    program: Program,
    config: SessionConfig,
    running_player: Option<RunningPlayer>,
    /// Whether the engine's process has ended on a limit in `go`.
    refuses_limits: bool,
}

/// The reason why an engine does not play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerFailure {
    /// The match is over.
    Cancelled,
    /// The engine failed.
    Engine(FailureKind),
}

#[derive(Clone, Debug)]
pub(super) struct PlayerAnswer {
    pub(super) best_move: BestMove,
    /// The information that the engine has printed about the position; `None` if it has printed none.
    pub(super) info: Option<SearchInfo>,
    /// The time of the search.
    pub(super) elapsed: Duration,
}

/// The running process of a [`MatchPlayer`].
#[derive(Debug)]
struct RunningPlayer {
    process: Process,
    /// The output of the process; `None` is its end.
    output: Receiver<Option<Vec<u8>>>,
    splitter: LineSplitter,
    /// The lines that have arrived and are not handled yet.
    lines: VecDeque<String>,
    observer: Observer,
    /// Whether the engine has answered a search with a limit in `go`.
    accepts_limits: bool,
    /// Whether the engine ended its last search before it was stopped, though `go` had no limit.
    ended_by_itself: bool,
    game_count: u32,
    /// Whether the engine prints no value before it is stopped.
    prints_no_value: bool,
}

type PlayerResult<T> = Result<T, PlayerFailure>;

impl MatchPlayer {
    /// Creates a player. The limit and the options are those of the configuration.
    pub const fn new(program: Program, config: SessionConfig) -> Self {
        Self {
            program,
            config,
            running_player: None,
            refuses_limits: false,
        }
    }

    /// Returns the engine's name; empty before the engine is started, and if it has no name.
    pub fn name(&self) -> &str {
        let identity = self
            .running_player
            .as_ref()
            .and_then(|running| running.observer.identity());
        identity.map_or("", |identity| &identity.name)
    }

    /// Prepares the engine for a new game, and starts it if it does not run.
    ///
    /// # Errors
    /// Fails if the engine fails, or the match is over.
    pub fn new_game(&mut self, is_over: StopCheck<'_>) -> PlayerResult<()> {
        if self.running_player.is_none() {
            self.running_player = Some(RunningPlayer::start(&self.program, &self.config, is_over)?);
        }
        let result = self.with_running(|running| running.new_game(is_over));
        if result.is_err() {
            self.running_player = None;
        }
        result
    }

    /// Makes the engine search a position, and returns its answer.
    ///
    /// # Errors
    /// Fails if the engine fails, or the match is over. The engine has then ended.
    pub(super) fn search(&mut self, history: &History, is_over: StopCheck<'_>) -> PlayerResult<PlayerAnswer> {
        let sends_limit =
            matches!(self.config.limit, Limit::Nodes(_) | Limit::Depth(_)) && !self.refuses_limits;
        let accepts_limits = self
            .running_player
            .as_ref()
            .is_some_and(|running| running.accepts_limits);
        let config = self.config.clone();
        let answer = self.with_running(|running| running.search(history, &config, sends_limit, is_over));
        match answer {
            Ok(answer) => Ok(answer),
            Err(PlayerFailure::Engine(FailureKind::Crashed(_))) if sends_limit && !accepts_limits => {
                (self.refuses_limits, self.running_player) = (true, None);
                self.new_game(is_over)?;
                self.search(history, is_over)
            }
            Err(why) => {
                self.running_player = None;
                Err(why)
            }
        }
    }

    /// Tells the engine how the game ended: `win`, `lose` or `draw`.
    pub(super) fn send_game_over(&mut self, result: &str) {
        if let Some(running) = &mut self.running_player {
            // A failure to send is noticed at the next game.
            let _noticed_later = running.send(&format!("gameover {result}"));
        }
    }

    /// Calls `act` with the running engine. Fails if no engine runs.
    fn with_running<T>(
        &mut self,
        act: impl FnOnce(&mut RunningPlayer) -> PlayerResult<T>,
    ) -> PlayerResult<T> {
        let running = self
            .running_player
            .as_mut()
            .ok_or(PlayerFailure::Engine(FailureKind::Crashed(None)))?;
        act(running)
    }
}

impl RunningPlayer {
    /// Starts the program, and waits until it is ready.
    fn start(program: &Program, config: &SessionConfig, is_over: StopCheck<'_>) -> PlayerResult<Self> {
        let (inbox, output) = sync_channel(OUTPUT_QUEUE_MESSAGES);
        let on_output = move |output: Output<'_>| {
            let bytes = if let Output::Bytes(bytes) = output {
                Some(bytes.to_vec())
            } else {
                None
            };
            // An error means that the engine is no longer needed.
            _ = inbox.send(bytes);
        };
        let mut running = Self {
            process: program
                .start(on_output, |_| {})
                .map_err(|error| PlayerFailure::Engine(FailureKind::NotStarted(error)))?,
            output,
            splitter: LineSplitter::default(),
            lines: VecDeque::new(),
            observer: Observer::default(),
            accepts_limits: false,
            ended_by_itself: false,
            game_count: 0,
            prints_no_value: false,
        };
        running.send("usi")?;
        let timeout = config.usi_ok_timeout;
        match running.wait_for(&Reply::UsiOk, timeout, is_over) {
            Ok(true) => {}
            Ok(false) => return Err(PlayerFailure::Engine(FailureKind::NoUsiOk(timeout.as_secs()))),
            Err(PlayerFailure::Engine(FailureKind::Crashed(reason))) => {
                return Err(PlayerFailure::Engine(FailureKind::EndedAtOnce(reason)));
            }
            Err(why) => return Err(why),
        }
        let lines = running
            .observer
            .identity()
            .map(|engine| resolve(&engine.options, &engine.name, &config.option_request()));
        for line in lines.unwrap_or_default().lines {
            running.send(&line)?;
        }
        running.wait_until_ready(is_over)?;
        Ok(running)
    }

    /// Sends `isready`, and waits for the answer.
    fn wait_until_ready(&mut self, is_over: StopCheck<'_>) -> PlayerResult<()> {
        self.send("isready")?;
        if self.wait_for(&Reply::ReadyOk, READY_TIMEOUT, is_over)? {
            return Ok(());
        }
        Err(PlayerFailure::Engine(FailureKind::NoReadyOk(
            READY_TIMEOUT.as_secs(),
        )))
    }

    fn new_game(&mut self, is_over: StopCheck<'_>) -> PlayerResult<()> {
        self.game_count = self.game_count.saturating_add(1);
        if self.game_count > 1 {
            // Some engines clear their table only at this command.
            self.wait_until_ready(is_over)?;
        }
        self.send("usinewgame")
    }

    /// Searches a position. `sends_limit` is whether `go` has the limit; otherwise the search is stopped at the limit.
    fn search(
        &mut self,
        history: &History,
        config: &SessionConfig,
        sends_limit: bool,
        is_over: StopCheck<'_>,
    ) -> PlayerResult<PlayerAnswer> {
        self.send(&format!("position {}", history.usi()))?;
        self.send(&if sends_limit {
            format!("go {}", config.limit)
        } else {
            "go infinite".to_owned()
        })?;
        let began = now();
        let whole = if let Limit::Time(time) = config.limit {
            time
        } else {
            config.time_limit.unwrap_or(MAX_SEARCH_TIME)
        };
        let is_suspect = std::mem::take(&mut self.ended_by_itself);
        let mut deadline = began
            + if is_suspect {
                whole.min(FIRST_OUTPUT_TIMEOUT)
            } else {
                whole
            };
        let (mut is_stopped, mut is_extended, mut has_value) = (false, is_suspect, false);
        loop {
            let Some(line) = self.next_line(deadline, is_over)? else {
                if is_stopped {
                    return Err(PlayerFailure::Engine(FailureKind::NoStop));
                }
                if !has_value && !is_extended && !self.prints_no_value {
                    (is_extended, deadline) = (true, now() + FIRST_VALUE_TIMEOUT);
                    continue;
                }
                self.prints_no_value |= !has_value && is_extended && !is_suspect;
                self.send("stop")?;
                (is_stopped, deadline) = (true, now() + config.stop_timeout);
                continue;
            };
            let observed = self.observer.on_received(&line);
            match observed.reply {
                Reply::BestMove { best, .. } if observed.search.is_some() => {
                    self.accepts_limits |= sends_limit;
                    self.ended_by_itself = !sends_limit && !is_stopped;
                    let info = self
                        .observer
                        .shown()
                        .filter(|info| info.history.now() == history.now());
                    return Ok(PlayerAnswer {
                        best_move: best,
                        info,
                        elapsed: began.elapsed(),
                    });
                }
                Reply::Info(info) if !is_stopped => {
                    deadline = began + whole;
                    has_value |= info.score.is_some();
                    let is_reached = match config.limit {
                        Limit::Nodes(max_nodes) => info.nodes.is_some_and(|nodes| nodes >= max_nodes),
                        Limit::Depth(max_depth) => info.depth.is_some_and(|depth| depth > max_depth),
                        Limit::Time(_) | Limit::Infinite => false,
                    };
                    if is_reached && !sends_limit {
                        deadline = began;
                    }
                }
                _ => {}
            }
        }
    }

    fn send(&mut self, line: &str) -> PlayerResult<()> {
        self.observer.on_sent(line);
        let sent = self.process.send(format!("{line}\n").into_bytes());
        sent.map_err(|_full| PlayerFailure::Engine(FailureKind::NotReading))
    }

    /// Waits for an answer. Returns whether the answer arrived in time.
    fn wait_for(&mut self, answer: &Reply, timeout: Duration, is_over: StopCheck<'_>) -> PlayerResult<bool> {
        let deadline = now() + timeout;
        while let Some(line) = self.next_line(deadline, is_over)? {
            if self.observer.on_received(&line).reply == *answer {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the next line; `None` if none arrives until the deadline.
    fn next_line(&mut self, deadline: Instant, is_over: StopCheck<'_>) -> PlayerResult<Option<String>> {
        loop {
            if is_over() {
                return Err(PlayerFailure::Cancelled);
            }
            // Output without a pause must not delay the deadline, so it is checked before every line.
            let remaining = deadline.saturating_duration_since(now());
            if remaining.is_zero() {
                return Ok(None);
            }
            if let Some(line) = self.lines.pop_front() {
                return Ok(Some(line));
            }
            let lines = &mut self.lines;
            match self.output.recv_timeout(remaining.min(STOP_CHECK_INTERVAL)) {
                Ok(Some(bytes)) => self
                    .splitter
                    .split(&bytes, |line: &[u8]| lines.push_back(decode(line).into_owned())),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                    self.process.wait_exit(EXIT_GRACE);
                    return Err(PlayerFailure::Engine(FailureKind::Crashed(self.process.end())));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for RunningPlayer {
    /// Lets the engine end by itself, before its process is killed.
    fn drop(&mut self) {
        if self.send("quit").is_ok() {
            self.process.wait_exit(EXIT_GRACE);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock of a game, whose limits are times"
)]
fn now() -> Instant {
    Instant::now()
}
