//! The invariants of a session's core, on random histories of events.
//!
//! The engine prints any line at any time. The last target has to be searched in the end. Sessions with injected
//! faults show that the checks can fail.

use proptest::collection::vec;
use proptest::prelude::*;
use shogibar_engine::process::{ExitReason, StartError};
use shogibar_engine::session::core::{Core, Effect, Event};
use shogibar_engine::session::{EngineState, FailureKind, SearchTarget, SessionConfig, Snapshot};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, History};
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Search targets. Black and White are to move in turn. So a value of the wrong position also has the wrong sign. The
/// last one cannot be searched.
static POSITIONS: LazyLock<Vec<Arc<History>>> = LazyLock::new(|| {
    let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"];
    let played = (0..=moves.len()).map(|n| format!("startpos moves {}", moves[..n].join(" ")));
    let kingless = "sfen 4k4/9/9/9/9/9/9/9/9 b - 1".to_owned();
    played
        .chain([kingless])
        .map(|text| Arc::new(History::from_usi(&text).unwrap()))
        .collect()
});

/// An event of a random history of a session.
#[derive(Clone, Debug)]
enum TestEvent {
    SetTarget(Option<usize>),
    Pauses(bool),
    Presses,
    TriesAgain,
    UsiOk,
    ReadyOk,
    /// A line about the oldest unanswered search, with a rank and a depth.
    Info(u32, u32),
    /// A line with a score while no search is running.
    StrayInfo,
    BestMove,
    Rubbish,
    /// A line of a handshake, at any time.
    Introduces(&'static str),
    /// A number of lines, one every five seconds, like a loading engine prints.
    Loads(usize),
    Waits(u64),
    NotStarted,
    NotReading,
    Closed,
    Quit,
}

const INTRODUCTIONS: &[&str] = &[
    "id name Fairy-Stockfish 14",
    "id author nobody",
    "option name MultiPV type spin default 1 min 1 max 500",
    "option name USI_Hash type spin default 16 min 1 max 64",
    "option name Eval_Coef type string default what",
    "option name Clear Hash type button",
    "option name",
];

fn test_event() -> impl Strategy<Value = TestEvent> {
    prop_oneof![
        6 => prop::option::weighted(0.9, 0..POSITIONS.len()).prop_map(TestEvent::SetTarget),
        1 => any::<bool>().prop_map(TestEvent::Pauses),
        1 => Just(TestEvent::Presses),
        2 => Just(TestEvent::UsiOk),
        2 => Just(TestEvent::ReadyOk),
        8 => (1_u32..4, 1_u32..20).prop_map(|(rank, depth)| TestEvent::Info(rank, depth)),
        1 => Just(TestEvent::StrayInfo),
        5 => Just(TestEvent::BestMove),
        1 => Just(TestEvent::Rubbish),
        2 => (0_u64..70_000).prop_map(TestEvent::Waits),
        1 => prop::sample::select(INTRODUCTIONS).prop_map(TestEvent::Introduces),
        1 => (0_usize..15).prop_map(TestEvent::Loads),
        1 => (0_u32..100).prop_map(|n| match n {
            0..12 => TestEvent::Closed,
            12..15 => TestEvent::NotReading,
            15 => TestEvent::NotStarted,
            16..20 => TestEvent::TriesAgain,
            20..26 => TestEvent::Quit,
            _ => TestEvent::BestMove,
        }),
    ]
}

/// The subject of the test: the session's core, or one with an injected fault.
trait Machine {
    fn step(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect>;
    fn snapshot(&mut self) -> Snapshot;
}

impl Machine for Core {
    fn step(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        Self::step(self, now, event)
    }

    fn snapshot(&mut self) -> Snapshot {
        Self::snapshot(self)
    }
}

/// The environment of a session: an engine, and the rules for every command that the engine receives.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag belongs to a separate rule"
)]
struct SimulatedEngine {
    /// The last position sent, as an index of [`POSITIONS`].
    position: Option<usize>,
    /// The positions of the unanswered searches, oldest first.
    unanswered_positions: VecDeque<usize>,
    /// The outstanding answer, `usiok` or `readyok`, if there is one.
    owes: Option<&'static str>,
    now: Duration,
    last_search: Option<Search>,
    target: Option<usize>,
    is_paused: bool,
    /// Whether an unexpected `bestmove` has come that cannot be distinguished from the answer to the next search yet.
    has_leftover: bool,
    /// Whether this process or an earlier one has printed `usiok`.
    has_introduced: bool,
    is_running: bool,
    ended_at: Option<Duration>,
    /// The times at which the restarted processes had ended.
    restarted_at: Vec<Duration>,
    tries_again: bool,
    is_ending: bool,
    /// Whether `quit` was sent.
    quit: bool,
}

struct Search {
    position: usize,
    start_time: Duration,
    /// Whether `stop` was sent before the search reached its time limit.
    cut_short: bool,
}

impl SimulatedEngine {
    fn apply(&mut self, effects: &[Effect]) -> Result<(), String> {
        for effect in effects {
            match effect {
                Effect::Start => self.start()?,
                Effect::Kill => {
                    self.is_running = false;
                    self.ended_at = Some(self.now);
                }
                Effect::Send(line) => self.take(line)?,
            }
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), String> {
        const TEN_MINUTES: Duration = Duration::from_mins(10);
        if self.is_ending || self.is_running {
            return Err("started after it was told to quit, or twice".to_owned());
        }
        if std::mem::take(&mut self.tries_again) {
            self.restarted_at.clear();
            self.has_introduced = false;
        } else if let Some(ended) = self.ended_at {
            if !self.has_introduced {
                return Err("what is no engine is started again".to_owned());
            }
            self.restarted_at.retain(|at| *at + TEN_MINUTES > ended);
            let pause = [500, 2_000, 8_000, 30_000, 30_000]
                .get(self.restarted_at.len())
                .copied();
            let pause = Duration::from_millis(pause.ok_or("started more than five times in ten minutes")?);
            if self.now < ended + pause {
                return Err(format!(
                    "started again after {:?}",
                    self.now.saturating_sub(ended)
                ));
            }
            self.restarted_at.push(ended);
        }
        self.is_running = true;
        self.unanswered_positions.clear();
        (self.position, self.owes, self.has_leftover) = (None, None, false);
        Ok(())
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let word = line.split(' ').next().unwrap_or_default();
        if self.quit || !self.is_running {
            return Err(format!("'{line}' to an engine that was told to quit, or killed"));
        }
        if self.owes.is_some() && word != "quit" {
            return Err(format!("'{line}' before it is ready"));
        }
        if !self.unanswered_positions.is_empty() && !matches!(word, "stop" | "quit") {
            return Err(format!("'{line}' in a search"));
        }
        match word {
            "usi" => self.owes = Some("usiok"),
            "isready" => self.owes = Some("readyok"),
            "position" if self.has_leftover => {
                return Err(format!("'{line}' while an answer is left over from before"));
            }
            "position" if self.is_paused => return Err(format!("'{line}' in a pause")),
            "position" => {
                let text = line.trim_start_matches("position ");
                self.position = POSITIONS.iter().position(|history| history.usi() == text);
                let known = self
                    .position
                    .ok_or_else(|| format!("'{line}' was never a target"))?;
                if POSITIONS[known].now().searchable().is_err() {
                    return Err(format!("'{line}' is not for an engine"));
                }
            }
            "go" => {
                let position = self.position.ok_or("go without a position")?;
                self.unanswered_positions.push_back(position);
                self.last_search = Some(Search {
                    position,
                    start_time: self.now,
                    cut_short: false,
                });
            }
            "stop" => {
                let search = self.last_search.as_mut().ok_or("stop without a search")?;
                search.cut_short = self.now < search.start_time + TIME_LIMIT;
            }
            "quit" => self.quit = true,
            _ => {}
        }
        Ok(())
    }

    /// Updates the rules with a line that the engine prints.
    fn on_output(&mut self, line: &str) {
        if !self.is_running {
            return;
        }
        match line.split(' ').next().unwrap_or_default() {
            word if self.owes == Some(word) => {
                self.owes = None;
                self.has_leftover = false;
                self.has_introduced |= word == "usiok";
            }
            "bestmove" if self.unanswered_positions.pop_front().is_none() => self.has_leftover = true,
            _ => {}
        }
    }

    fn target(&self) -> SearchTarget {
        SearchTarget {
            position: self.target.map(|n| Arc::clone(&POSITIONS[n])),
            is_paused: self.is_paused,
            ..SearchTarget::default()
        }
    }

    fn next_answer(&self) -> Option<&'static str> {
        self.owes.or(if self.unanswered_positions.is_empty() {
            None
        } else {
            Some("bestmove 7g7f")
        })
    }

    /// Returns the centipawns of a position in Black's view. Each value identifies its position.
    fn value_of(position: usize) -> i32 {
        i32::try_from(position).unwrap() * 100 + 1
    }

    fn info(&self, rank: u32, depth: u32) -> Option<String> {
        let position = *self.unanswered_positions.front()?;
        let sign = if POSITIONS[position].now().side_to_move() == Color::Black {
            1
        } else {
            -1
        };
        Some(format!(
            "info depth {depth} multipv {rank} score cp {} pv 7g7f",
            sign * Self::value_of(position)
        ))
    }

    fn check(&self, snapshot: &Snapshot) -> Result<(), String> {
        let reported = matches!(
            snapshot.state,
            EngineState::Failed(_) | EngineState::Restarting(_)
        );
        if !self.is_running && !self.is_ending && !reported {
            return Err(format!("it is gone, and the user is told: {:?}", snapshot.state));
        }
        let handshake = SETTINGS.usi_ok_timeout * 6;
        let started = self.restarted_at.is_empty() && self.ended_at.is_none();
        if self.owes == Some("usiok") && !self.quit && self.is_running && started && self.now > handshake {
            return Err("it is waited for without end".to_owned());
        }
        let Some(shown) = &snapshot.search_info else {
            return Ok(());
        };
        let position = POSITIONS
            .iter()
            .position(|history| **history == *shown.history)
            .ok_or("an unknown position")?;
        for candidate in &shown.candidates {
            if candidate.value != Value::Cp(Self::value_of(position)) {
                return Err(format!(
                    "{:?} is shown under position {position}",
                    candidate.value
                ));
            }
        }
        Ok(())
    }

    /// Checks the final state, after the engine has answered everything. The last search was the last target's, up to
    /// the limit.
    fn check_rest(&self, snapshot: &Snapshot) -> Result<(), String> {
        let Some(target) = self.target.filter(|_| !self.is_paused) else {
            return Ok(());
        };
        if POSITIONS[target].now().searchable().is_err() {
            let reported = matches!(snapshot.state, EngineState::Unsearchable(_));
            return reported
                .then_some(())
                .ok_or_else(|| format!("told of a position without a king: {:?}", snapshot.state));
        }
        match &self.last_search {
            Some(Search {
                position,
                cut_short: false,
                ..
            }) if *position == target => Ok(()),
            Some(search) if search.position == target => Err(format!("position {target} was broken off")),
            _ => Err(format!("position {target} was never searched")),
        }
    }
}

static SETTINGS: LazyLock<SessionConfig> = LazyLock::new(|| SessionConfig {
    presets: shogibar_config::built_in_presets(),
    time_limit: Some(TIME_LIMIT),
    ..SessionConfig::default()
});

/// The longest search of a position.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// A session with its simulated engine.
struct Simulation<'a> {
    machine: &'a mut dyn Machine,
    simulated: SimulatedEngine,
}

impl Simulation<'_> {
    fn handle(&mut self, event: Event<'_>) -> Result<(), String> {
        if let Event::Line(line) = &event {
            self.simulated.on_output(line);
        }
        // The shell acts in the same order: a flood of lines must not delay a deadline.
        let effects = self.machine.step(self.simulated.now, event);
        self.simulated.apply(&effects)?;
        let effects = self.machine.step(self.simulated.now, Event::Deadline);
        self.simulated.apply(&effects)?;
        self.simulated.check(&self.machine.snapshot())
    }

    fn play(&mut self, test_event: &TestEvent) -> Result<(), String> {
        self.simulated.now += Duration::from_millis(1);
        let line = match test_event {
            TestEvent::Info(rank, depth) => self.simulated.info(*rank, *depth).unwrap_or_default(),
            TestEvent::StrayInfo if self.simulated.unanswered_positions.is_empty() => {
                "info depth 9 score cp 77 pv 7g7f".to_owned()
            }
            _ => String::new(),
        };
        let event = match test_event {
            TestEvent::SetTarget(position) => {
                self.simulated.target = *position;
                Event::Target(self.simulated.target())
            }
            TestEvent::Pauses(paused) => {
                self.simulated.is_paused = *paused;
                Event::Target(self.simulated.target())
            }
            TestEvent::Presses => Event::Press("Clear Hash".to_owned()),
            TestEvent::TriesAgain => {
                self.simulated.tries_again = !self.simulated.is_ending;
                Event::Retry
            }
            TestEvent::UsiOk => Event::Line("usiok"),
            TestEvent::ReadyOk => Event::Line("readyok"),
            TestEvent::Info(..) | TestEvent::StrayInfo => Event::Line(&line),
            TestEvent::BestMove => Event::Line("bestmove 7g7f"),
            TestEvent::Rubbish => Event::Line("Error! : ????"),
            TestEvent::Introduces(line) => Event::Line(line),
            TestEvent::Loads(lines) => {
                for _ in 0..*lines {
                    self.simulated.now += Duration::from_secs(5);
                    self.handle(Event::Line("info string loading"))?;
                }
                return Ok(());
            }
            TestEvent::Waits(ms) => {
                self.simulated.now += Duration::from_millis(*ms);
                Event::Deadline
            }
            TestEvent::NotStarted => {
                Event::NotStarted(FailureKind::NotStarted(StartError::NotFound("/nowhere".into())))
            }
            TestEvent::NotReading => Event::NotReading,
            TestEvent::Closed => Event::Closed(Some(ExitReason::Code(1))),
            TestEvent::Quit => {
                self.simulated.is_ending = true;
                Event::Quit
            }
        };
        self.handle(event)
    }

    /// Lets the engine answer everything. If an expected answer does not come, the session has to detect this and
    /// restart the engine.
    fn run_until_idle(&mut self) -> Result<(), String> {
        const MAX_COMMANDS: usize = 30;
        const MAX_PAUSE: Duration = Duration::from_secs(31);
        let mut result = Ok(());
        for _ in 0..MAX_COMMANDS {
            if self.simulated.is_ending {
                return Ok(());
            }
            let snapshot = self.machine.snapshot();
            if matches!(snapshot.state, EngineState::Failed(_)) {
                self.simulated.tries_again = true;
                self.handle(Event::Retry)?;
            }
            let answer = self.simulated.next_answer().filter(|_| self.simulated.is_running);
            if let Some(answer) = answer {
                self.simulated.now += Duration::from_millis(1);
                self.handle(Event::Line(answer))?;
                continue;
            }
            result = if self.simulated.is_running {
                self.simulated.check_rest(&snapshot)
            } else {
                Err("it is gone".to_owned())
            };
            if result.is_ok() {
                return result;
            }
            self.simulated.now += MAX_PAUSE;
            self.handle(Event::Deadline)?;
        }
        Err(format!("it never comes to rest: {result:?}"))
    }
}

/// Runs a history on a session.
///
/// # Errors
/// Fails if an invariant is broken. The error names the invariant.
fn play(machine: &mut dyn Machine, start: &[Effect], test_events: &[TestEvent]) -> Result<(), String> {
    let mut game = Simulation {
        machine,
        simulated: SimulatedEngine::default(),
    };
    game.simulated.apply(start)?;
    for test_event in test_events {
        game.play(test_event)?;
    }
    game.run_until_idle()
}

fn histories() -> impl Strategy<Value = Vec<TestEvent>> {
    // Most begin with a ready engine, so that searches happen.
    let ready = [TestEvent::UsiOk, TestEvent::ReadyOk];
    (prop::bool::weighted(0.9), vec(test_event(), 0..60)).prop_map(move |(is_ready, rest)| {
        if is_ready {
            ready.iter().cloned().chain(rest).collect()
        } else {
            rest
        }
    })
}

#[test]
fn invariants_hold_on_random_histories() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: ProptestConfig::default().cases.max(2_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(&histories(), |test_events| {
        let (mut core, start) = Core::start(SETTINGS.clone(), Duration::ZERO);
        play(&mut core, &start, &test_events).map_err(TestCaseError::fail)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Sends a new position without waiting for the answer to `stop`.
    DoesNotWait,
    /// Sends `go` twice for a search.
    SendsGoTwice,
    /// Sends a command after `quit`.
    SendsAfterQuit,
    /// Shows the values of one position under another.
    MixesPositions,
    /// The machine drops a target that was set while it was waiting for the engine.
    DropsTheTarget,
    /// Treats an interrupted search as finished.
    TreatsStoppedAsDone,
    /// Does not fence off late output.
    DoesNotFence,
    /// Searches while the session is paused.
    IgnoresPauses,
    /// The machine restarts an engine at once.
    DoesNotBackOff,
}

struct Faulty {
    core: Core,
    fault: Fault,
    target: Option<Arc<History>>,
    searched_target: Option<Arc<History>>,
    broken_off: Option<Arc<History>>,
    is_ready: bool,
}

impl Machine for Faulty {
    fn step(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        let mut event = event;
        if let Event::Target(target) = &mut event {
            target.is_paused &= !matches!(self.fault, Fault::IgnoresPauses);
            self.target.clone_from(&target.position);
        }
        let is_answer = matches!(event, Event::Line("bestmove 7g7f"));
        let mut effects = self.core.step(now, event);
        if effects.contains(&Effect::Start) {
            self.is_ready = false;
        }
        let sends = |effects: &[Effect], word: &str| {
            effects
                .iter()
                .any(|effect| matches!(effect, Effect::Send(line) if line.starts_with(word)))
        };
        match self.fault {
            Fault::DoesNotWait if sends(&effects, "stop") => {
                effects.push(Effect::Send(format!("position {}", POSITIONS[0].usi())));
            }
            Fault::SendsGoTwice if sends(&effects, "go") => {
                effects.push(Effect::Send("go infinite".to_owned()));
            }
            Fault::SendsAfterQuit if sends(&effects, "quit") => {
                effects.push(Effect::Send("isready".to_owned()));
            }
            Fault::DropsTheTarget if is_answer => effects.clear(),
            Fault::DoesNotFence if sends(&effects, "isready") && self.is_ready => {
                effects.retain(|effect| *effect != Effect::Send("isready".to_owned()));
                effects.extend(self.core.step(now, Event::Line("readyok")));
            }
            Fault::DoesNotBackOff if effects == [Effect::Kill] => {
                effects.extend([Effect::Start, Effect::Send("usi".to_owned())]);
            }
            Fault::TreatsStoppedAsDone if sends(&effects, "stop") => {
                self.broken_off = self.searched_target.clone();
            }
            Fault::TreatsStoppedAsDone if is_answer && self.broken_off == self.target => effects.clear(),
            _ => {}
        }
        self.is_ready |= sends(&effects, "isready");
        if sends(&effects, "go") {
            self.searched_target.clone_from(&self.target);
        }
        effects
    }

    fn snapshot(&mut self) -> Snapshot {
        let mut snapshot = self.core.snapshot();
        if let (Fault::MixesPositions, Some(shown), Some(target)) =
            (self.fault, &mut snapshot.search_info, &self.target)
        {
            shown.history = Arc::clone(target);
        }
        snapshot
    }
}

#[test]
fn injected_faults_are_detected() {
    let faults = [
        Fault::DoesNotWait,
        Fault::SendsGoTwice,
        Fault::SendsAfterQuit,
        Fault::MixesPositions,
        Fault::DropsTheTarget,
        Fault::TreatsStoppedAsDone,
        Fault::DoesNotFence,
        Fault::IgnoresPauses,
        Fault::DoesNotBackOff,
    ];
    for fault in faults {
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 2_000,
            failure_persistence: None,
            max_shrink_iters: 0,
            ..ProptestConfig::default()
        });
        let result = runner.run(&histories(), |test_events| {
            let (core, start) = Core::start(SETTINGS.clone(), Duration::ZERO);
            let mut machine = Faulty {
                core,
                fault,
                target: None,
                searched_target: None,
                broken_off: None,
                is_ready: false,
            };
            play(&mut machine, &start, &test_events).map_err(TestCaseError::fail)
        });
        assert!(result.is_err(), "{fault:?} was not noticed");
    }
}
