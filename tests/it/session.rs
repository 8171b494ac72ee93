//! The promises of a session's core, on random histories, with an engine that says anything at any
//! time; that what was wished for last is searched in the end; and that a session which breaks one of
//! its promises is caught.

use proptest::collection::vec;
use proptest::prelude::*;
use shogibar::config::Presets;
use shogibar::score::Value;
use shogibar::session::core::{Core, Effect, Event};
use shogibar::session::{EngineState, FailureKind, SearchTarget, SessionConfig, Snapshot};
use shogibar::shogi::{Color, History};
use shogibar::text::ProgramExit;
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Positions to wish for; Black and White to move in turn, so that a value credited to the wrong one
/// has the wrong sign too. The last cannot be shown to an engine.
static POSITIONS: LazyLock<Vec<Arc<History>>> = LazyLock::new(|| {
    let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"];
    let played = (0..=moves.len()).map(|n| format!("startpos moves {}", moves[..n].join(" ")));
    let kingless = "sfen 4k4/9/9/9/9/9/9/9/9 b - 1".to_owned();
    played.chain([kingless]).map(|text| Arc::new(History::from_usi(&text).unwrap())).collect()
});

/// What happens next.
#[derive(Clone, Debug)]
enum Happening {
    Wish(Option<usize>),
    Pauses(bool),
    Presses,
    TriesAgain,
    UsiOk,
    ReadyOk,
    /// A line about the oldest unanswered search, of a rank and a depth.
    Info(u32, u32),
    /// A line that looks like a value and comes when nothing is searched, too.
    StrayInfo,
    BestMove,
    Rubbish,
    /// A line of a handshake, wherever it comes.
    Introduces(&'static str),
    /// So many lines, one every five seconds, as of an engine that loads.
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

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        6 => prop::option::weighted(0.9, 0..POSITIONS.len()).prop_map(Happening::Wish),
        1 => any::<bool>().prop_map(Happening::Pauses),
        1 => Just(Happening::Presses),
        2 => Just(Happening::UsiOk),
        2 => Just(Happening::ReadyOk),
        8 => (1_u32..4, 1_u32..20).prop_map(|(rank, depth)| Happening::Info(rank, depth)),
        1 => Just(Happening::StrayInfo),
        5 => Just(Happening::BestMove),
        1 => Just(Happening::Rubbish),
        2 => (0_u64..70_000).prop_map(Happening::Waits),
        1 => prop::sample::select(INTRODUCTIONS).prop_map(Happening::Introduces),
        1 => (0_usize..15).prop_map(Happening::Loads),
        1 => (0_u32..100).prop_map(|n| match n {
            0..12 => Happening::Closed,
            12..15 => Happening::NotReading,
            15 => Happening::NotStarted,
            16..20 => Happening::TriesAgain,
            20..26 => Happening::Quit,
            _ => Happening::BestMove,
        }),
    ]
}

/// What is tested: the session's core, or one with a fault planted in it.
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

/// The world around a session: an engine, and the rules that hold of everything it is told.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
struct World {
    /// The position the engine was given last, by its number in [`POSITIONS`].
    position: Option<usize>,
    /// The searches it has not answered, oldest first.
    unanswered: VecDeque<usize>,
    /// `usiok` or `readyok`, when it was asked for and not said.
    owes: Option<&'static str>,
    now: Duration,
    last_search: Option<Search>,
    wish: Option<usize>,
    paused: bool,
    /// A `bestmove` that nobody waited for was said, and nothing after it that would tell it apart from
    /// the answer to the next search.
    has_leftover: bool,
    /// The process has said `usiok`, or the one before.
    introduced: bool,
    runs: bool,
    ended: Option<Duration>,
    /// When those ended that were started again.
    restarted: Vec<Duration>,
    tries_again: bool,
    /// It is to end; then, it was told so.
    is_ending: bool,
    quit: bool,
}

struct Search {
    position: usize,
    started: Duration,
    /// Whether it was told to stop before its time was up.
    cut_short: bool,
}

impl World {
    fn obey(&mut self, effects: &[Effect]) -> Result<(), String> {
        for effect in effects {
            match effect {
                Effect::Start => self.start()?,
                Effect::Kill => {
                    self.runs = false;
                    self.ended = Some(self.now);
                }
                Effect::Send(line) => self.take(line)?,
            }
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), String> {
        const TEN_MINUTES: Duration = Duration::from_mins(10);
        if self.is_ending || self.runs {
            return Err("started after it was told to quit, or twice".to_owned());
        }
        if std::mem::take(&mut self.tries_again) {
            self.restarted.clear();
            self.introduced = false;
        } else if let Some(ended) = self.ended {
            if !self.introduced {
                return Err("what is no engine is started again".to_owned());
            }
            self.restarted.retain(|at| *at + TEN_MINUTES > ended);
            let pause = [500, 2_000, 8_000, 30_000, 30_000].get(self.restarted.len()).copied();
            let pause = Duration::from_millis(pause.ok_or("started more than five times in ten minutes")?);
            if self.now < ended + pause {
                return Err(format!("started again after {:?}", self.now.saturating_sub(ended)));
            }
            self.restarted.push(ended);
        }
        self.runs = true;
        self.unanswered.clear();
        (self.position, self.owes, self.has_leftover) = (None, None, false);
        Ok(())
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let word = line.split(' ').next().unwrap_or_default();
        if self.quit || !self.runs {
            return Err(format!("'{line}' to an engine that was told to quit, or killed"));
        }
        if self.owes.is_some() && word != "quit" {
            return Err(format!("'{line}' before it is ready"));
        }
        if !self.unanswered.is_empty() && !matches!(word, "stop" | "quit") {
            return Err(format!("'{line}' in a search"));
        }
        match word {
            "usi" => self.owes = Some("usiok"),
            "isready" => self.owes = Some("readyok"),
            "position" if self.has_leftover => {
                return Err(format!("'{line}' while an answer is left over from before"));
            }
            "position" if self.paused => return Err(format!("'{line}' in a pause")),
            "position" => {
                let text = line.trim_start_matches("position ");
                self.position = POSITIONS.iter().position(|history| history.usi() == text);
                let known = self.position.ok_or_else(|| format!("'{line}' was never wished for"))?;
                if POSITIONS[known].now().searchable().is_err() {
                    return Err(format!("'{line}' is not for an engine"));
                }
            }
            "go" => {
                let position = self.position.ok_or("go without a position")?;
                self.unanswered.push_back(position);
                self.last_search = Some(Search { position, started: self.now, cut_short: false });
            }
            "stop" => {
                let search = self.last_search.as_mut().ok_or("stop without a search")?;
                search.cut_short = self.now < search.started + SETTINGS.time_limit;
            }
            "quit" => self.quit = true,
            _ => {}
        }
        Ok(())
    }

    /// Takes note of what the engine said.
    fn said(&mut self, line: &str) {
        if !self.runs {
            return;
        }
        match line.split(' ').next().unwrap_or_default() {
            word if self.owes == Some(word) => {
                self.owes = None;
                self.has_leftover = false;
                self.introduced |= word == "usiok";
            }
            "bestmove" if self.unanswered.pop_front().is_none() => self.has_leftover = true,
            _ => {}
        }
    }

    fn wish(&self) -> SearchTarget {
        SearchTarget { position: self.wish.map(|n| Arc::clone(&POSITIONS[n])), paused: self.paused, limit: None }
    }

    /// What an engine still has to say that answers everything, if anything.
    fn owed(&self) -> Option<&'static str> {
        self.owes.or(if self.unanswered.is_empty() { None } else { Some("bestmove 7g7f") })
    }

    /// A value that says which position it belongs to, as the engine would print it.
    fn value_of(position: usize) -> i32 {
        i32::try_from(position).unwrap() * 100 + 1
    }

    fn info(&self, rank: u32, depth: u32) -> Option<String> {
        let position = *self.unanswered.front()?;
        let sign = if POSITIONS[position].now().side_to_move() == Color::Black { 1 } else { -1 };
        Some(format!("info depth {depth} multipv {rank} score cp {} pv 7g7f", sign * Self::value_of(position)))
    }

    fn check(&self, snapshot: &Snapshot) -> Result<(), String> {
        let told = matches!(snapshot.state, EngineState::Failed(_) | EngineState::Restarting(_));
        if !self.runs && !self.is_ending && !told {
            return Err(format!("it is gone, and the user is told: {:?}", snapshot.state));
        }
        let handshake = SETTINGS.usi_ok_within * 6;
        let started = self.restarted.is_empty() && self.ended.is_none();
        if self.owes == Some("usiok") && !self.quit && self.runs && started && self.now > handshake {
            return Err("it is waited for without end".to_owned());
        }
        let Some(shown) = &snapshot.shown else { return Ok(()) };
        let position = POSITIONS.iter().position(|history| **history == *shown.history).ok_or("an unknown position")?;
        for candidate in &shown.candidates {
            if candidate.value != Value::Cp(Self::value_of(position)) {
                return Err(format!("{:?} is shown under position {position}", candidate.value));
            }
        }
        Ok(())
    }

    /// What has to hold when the engine has answered everything: what was wished for last was searched
    /// last, for as long as it is worth.
    fn check_rest(&self, snapshot: &Snapshot) -> Result<(), String> {
        let Some(wish) = self.wish.filter(|_| !self.paused) else { return Ok(()) };
        if POSITIONS[wish].now().searchable().is_err() {
            let told = matches!(snapshot.state, EngineState::Unsearchable(_));
            return told
                .then_some(())
                .ok_or_else(|| format!("told of a position without a king: {:?}", snapshot.state));
        }
        match &self.last_search {
            Some(Search { position, cut_short: false, .. }) if *position == wish => Ok(()),
            Some(search) if search.position == wish => Err(format!("position {wish} was broken off")),
            _ => Err(format!("position {wish} was never searched")),
        }
    }
}

static SETTINGS: LazyLock<SessionConfig> =
    LazyLock::new(|| SessionConfig { presets: Presets::built_in(), ..SessionConfig::default() });

/// A session and the world around it.
struct Game<'a> {
    machine: &'a mut dyn Machine,
    world: World,
}

impl Game<'_> {
    fn happens(&mut self, event: Event<'_>) -> Result<(), String> {
        if let Event::Line(line) = &event {
            self.world.said(line);
        }
        // As the shell does: a flood of lines must not keep a deadline from passing.
        let effects = self.machine.step(self.world.now, event);
        self.world.obey(&effects)?;
        let effects = self.machine.step(self.world.now, Event::Deadline);
        self.world.obey(&effects)?;
        self.world.check(&self.machine.snapshot())
    }

    fn play(&mut self, happening: &Happening) -> Result<(), String> {
        self.world.now += Duration::from_millis(1);
        let line = match happening {
            Happening::Info(rank, depth) => self.world.info(*rank, *depth).unwrap_or_default(),
            Happening::StrayInfo if self.world.unanswered.is_empty() => "info depth 9 score cp 77 pv 7g7f".to_owned(),
            _ => String::new(),
        };
        let event = match happening {
            Happening::Wish(position) => {
                self.world.wish = *position;
                Event::Wish(self.world.wish())
            }
            Happening::Pauses(paused) => {
                self.world.paused = *paused;
                Event::Wish(self.world.wish())
            }
            Happening::Presses => Event::Press("Clear Hash".to_owned()),
            Happening::TriesAgain => {
                self.world.tries_again = !self.world.is_ending;
                Event::TryAgain
            }
            Happening::UsiOk => Event::Line("usiok"),
            Happening::ReadyOk => Event::Line("readyok"),
            Happening::Info(..) | Happening::StrayInfo => Event::Line(&line),
            Happening::BestMove => Event::Line("bestmove 7g7f"),
            Happening::Rubbish => Event::Line("Error! : ????"),
            Happening::Introduces(line) => Event::Line(line),
            Happening::Loads(lines) => {
                for _ in 0..*lines {
                    self.world.now += Duration::from_secs(5);
                    self.happens(Event::Line("info string loading"))?;
                }
                return Ok(());
            }
            Happening::Waits(ms) => {
                self.world.now += Duration::from_millis(*ms);
                Event::Deadline
            }
            Happening::NotStarted => Event::NotStarted(FailureKind::NotFound("/nowhere".to_owned())),
            Happening::NotReading => Event::NotReading,
            Happening::Closed => Event::Closed(ProgramExit::Code(1), Vec::new()),
            Happening::Quit => {
                self.world.is_ending = true;
                Event::Quit
            }
        };
        self.happens(event)
    }

    /// Has a willing engine answer everything. Where a session waits for what will not come, because
    /// it was told more than the engine had to say, it has to find out and start the engine afresh.
    fn come_to_rest(&mut self) -> Result<(), String> {
        const ENOUGH: usize = 30;
        const LONGEST_PAUSE: Duration = Duration::from_secs(31);
        let mut result = Ok(());
        for _ in 0..ENOUGH {
            if self.world.is_ending {
                return Ok(());
            }
            let snapshot = self.machine.snapshot();
            if matches!(snapshot.state, EngineState::Failed(_)) {
                self.world.tries_again = true;
                self.happens(Event::TryAgain)?;
            }
            let answer = self.world.owed().filter(|_| self.world.runs);
            if let Some(answer) = answer {
                self.world.now += Duration::from_millis(1);
                self.happens(Event::Line(answer))?;
                continue;
            }
            result = if self.world.runs { self.world.check_rest(&snapshot) } else { Err("it is gone".to_owned()) };
            if result.is_ok() {
                return result;
            }
            self.world.now += LONGEST_PAUSE;
            self.happens(Event::Deadline)?;
        }
        Err(format!("it never comes to rest: {result:?}"))
    }
}

/// Plays a history on a session; an error says which promise was broken.
fn play(machine: &mut dyn Machine, start: &[Effect], happenings: &[Happening]) -> Result<(), String> {
    let mut game = Game { machine, world: World::default() };
    game.world.obey(start)?;
    for happening in happenings {
        game.play(happening)?;
    }
    game.come_to_rest()
}

fn histories() -> impl Strategy<Value = Vec<Happening>> {
    // Most begin with an engine that is ready, so that the searches are reached.
    let ready = [Happening::UsiOk, Happening::ReadyOk];
    (prop::bool::weighted(0.9), vec(happening(), 0..60))
        .prop_map(move |(is_ready, rest)| if is_ready { ready.iter().cloned().chain(rest).collect() } else { rest })
}

#[test]
fn promises_hold_on_random_histories() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(&histories(), |happenings| {
        let (mut core, start) = Core::start(SETTINGS.clone(), Duration::ZERO);
        play(&mut core, &start, &happenings).map_err(TestCaseError::fail)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// A fault that a session could have.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Sends a new position without waiting for the answer to `stop`.
    DoesNotWait,
    /// Starts a search twice.
    GoesTwice,
    /// Goes on after `quit`.
    TalksAfterQuit,
    /// Shows the values of one position under another.
    MixesPositions,
    /// Does not take up what was wished for while it waited for the engine.
    ForgetsTheWish,
    /// Takes a search that was broken off for done.
    TakesItForDone,
    /// Does not wait until what is left over has been said.
    DoesNotFence,
    /// Searches in a pause.
    IgnoresThePause,
    /// Starts an engine again at once.
    DoesNotRest,
}

struct Faulty {
    core: Core,
    fault: Fault,
    wish: Option<Arc<History>>,
    searched: Option<Arc<History>>,
    broken_off: Option<Arc<History>>,
    is_ready: bool,
}

impl Machine for Faulty {
    fn step(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        let mut event = event;
        if let Event::Wish(wish) = &mut event {
            wish.paused &= !matches!(self.fault, Fault::IgnoresThePause);
            self.wish.clone_from(&wish.position);
        }
        let is_answer = matches!(event, Event::Line("bestmove 7g7f"));
        let mut effects = self.core.step(now, event);
        if effects.contains(&Effect::Start) {
            self.is_ready = false;
        }
        let sends = |effects: &[Effect], word: &str| {
            effects.iter().any(|effect| matches!(effect, Effect::Send(line) if line.starts_with(word)))
        };
        match self.fault {
            Fault::DoesNotWait if sends(&effects, "stop") => {
                effects.push(Effect::Send(format!("position {}", POSITIONS[0].usi())));
            }
            Fault::GoesTwice if sends(&effects, "go") => effects.push(Effect::Send("go infinite".to_owned())),
            Fault::TalksAfterQuit if sends(&effects, "quit") => effects.push(Effect::Send("isready".to_owned())),
            Fault::ForgetsTheWish if is_answer => effects.clear(),
            Fault::DoesNotFence if sends(&effects, "isready") && self.is_ready => {
                effects.retain(|effect| *effect != Effect::Send("isready".to_owned()));
                effects.extend(self.core.step(now, Event::Line("readyok")));
            }
            Fault::DoesNotRest if effects == [Effect::Kill] => {
                effects.extend([Effect::Start, Effect::Send("usi".to_owned())]);
            }
            Fault::TakesItForDone if sends(&effects, "stop") => self.broken_off = self.searched.clone(),
            Fault::TakesItForDone if is_answer && self.broken_off == self.wish => effects.clear(),
            _ => {}
        }
        self.is_ready |= sends(&effects, "isready");
        if sends(&effects, "go") {
            self.searched.clone_from(&self.wish);
        }
        effects
    }

    fn snapshot(&mut self) -> Snapshot {
        let mut snapshot = self.core.snapshot();
        if let (Fault::MixesPositions, Some(shown), Some(wish)) = (self.fault, &mut snapshot.shown, &self.wish) {
            shown.history = Arc::clone(wish);
        }
        snapshot
    }
}

#[test]
fn planted_faults_are_caught() {
    let faults = [
        Fault::DoesNotWait,
        Fault::GoesTwice,
        Fault::TalksAfterQuit,
        Fault::MixesPositions,
        Fault::ForgetsTheWish,
        Fault::TakesItForDone,
        Fault::DoesNotFence,
        Fault::IgnoresThePause,
        Fault::DoesNotRest,
    ];
    for fault in faults {
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 2_000,
            failure_persistence: None,
            max_shrink_iters: 0,
            ..ProptestConfig::default()
        });
        let result = runner.run(&histories(), |happenings| {
            let (core, start) = Core::start(SETTINGS.clone(), Duration::ZERO);
            let mut machine = Faulty { core, fault, wish: None, searched: None, broken_off: None, is_ready: false };
            play(&mut machine, &start, &happenings).map_err(TestCaseError::fail)
        });
        assert!(result.is_err(), "{fault:?} was not noticed");
    }
}
