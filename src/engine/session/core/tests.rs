//! Commands and states of a session over time. `tests/it/session.rs` tests the guarantees for any sequence of events.

use super::*;
use crate::options::Limit;
use crate::session::RestartPolicy;
use crate::shogi::History;

fn startpos() -> SearchTarget {
    SearchTarget::from(Some(Arc::new(History::from_usi("startpos").unwrap())))
}

/// A session and its clock.
struct Game {
    core: Core,
    now: Duration,
}

impl Game {
    fn new(settings: SessionConfig) -> Self {
        let (core, effects) = Core::start(settings, Duration::ZERO);
        assert_eq!(effects, [Effect::Start, Effect::Send("usi".to_owned())]);
        Self { core, now: Duration::ZERO }
    }

    fn ready(settings: SessionConfig) -> Self {
        let mut game = Self::new(settings);
        game.hears("usiok", &["isready"]);
        game.hears("readyok", &["usinewgame"]);
        game
    }

    /// Applies an event and checks its effects, in short form.
    fn on(&mut self, event: Event<'_>, expect: &[&str]) {
        let shown = format!("{event:?}");
        let effects: Vec<_> = self.core.step(self.now, event).into_iter().map(in_short).collect();
        assert_eq!(effects, expect, "{shown} at {:?}", self.now);
    }

    fn hears(&mut self, line: &str, expect: &[&str]) {
        self.on(Event::Line(line), expect);
    }

    /// Lets time pass as the shell does: from one deadline to the next.
    fn waits(&mut self, seconds: f64, expect: &[&str]) {
        let until = self.now + Duration::from_secs_f64(seconds);
        let mut effects = Vec::new();
        while let Some(deadline) = self.core.deadline().filter(|deadline| *deadline <= until) {
            assert!(deadline >= self.now, "a deadline in the past");
            self.now = deadline;
            effects.extend(self.core.step(self.now, Event::Deadline).into_iter().map(in_short));
        }
        self.now = until;
        assert_eq!(effects, expect, "{seconds} s later");
    }

    fn check(&mut self, state: &EngineState, waited: u64) {
        let snapshot = self.core.snapshot();
        assert_eq!((&snapshot.state, snapshot.waited), (state, waited), "at {:?}", self.now);
    }
}

fn in_short(effect: Effect) -> String {
    match effect {
        Effect::Start => "START".to_owned(),
        Effect::Kill => "KILL".to_owned(),
        Effect::Send(line) => line,
    }
}

const SEARCH: &[&str] = &["position startpos", "go infinite"];

#[test]
fn presses_a_button_between_two_searches() {
    let press = || Event::Press("Clear Hash".to_owned());
    let mut game = Game::new(SessionConfig::default());
    game.hears("option name Clear Hash type button", &[]);
    game.hears("usiok", &["isready"]);
    game.on(press(), &[]);
    game.hears("readyok", &["usinewgame", "setoption name Clear Hash"]);
    game.on(press(), &["setoption name Clear Hash"]);
    game.on(Event::Press("nothing".to_owned()), &[]);
    game.on(Event::Target(startpos()), SEARCH);
    game.on(press(), &["stop"]);
    game.hears("bestmove 7g7f", &["setoption name Clear Hash", "position startpos", "go infinite"]);
}

#[test]
fn a_new_search_has_no_value_of_the_one_before() {
    let mut game = Game::ready(SessionConfig::default());
    game.on(Event::Target(startpos()), SEARCH);
    game.hears("info depth 1 score cp 30 pv 7g7f", &[]);
    assert!(game.core.has_value());
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    game.on(Event::Target(Some(next).into()), &["stop"]);
    game.hears("bestmove 7g7f", &["position startpos moves 7g7f", "go infinite"]);
    assert!(!game.core.has_value(), "its first value is published at once");
    game.hears("info depth 1 score cp -30 pv 3c3d", &[]);
    assert!(game.core.has_value());
}

#[test]
fn counts_the_seconds_of_a_start() {
    let mut game = Game::new(SessionConfig::default());
    game.check(&EngineState::Starting, 0);
    game.waits(3.5, &[]);
    game.check(&EngineState::Starting, 3);
    game.hears("usiok", &["isready"]);
    game.waits(8.6, &[]);
    game.check(&EngineState::Preparing, 12);
    // Loading has no deadline: after half an hour the engine is still running, and shown as silent.
    game.waits(1800.0, &[]);
    game.check(&EngineState::Silent, 1808);
    game.hears("", &[]);
    game.check(&EngineState::Preparing, 1812);
    game.hears("readyok", &["usinewgame"]);
    game.check(&EngineState::Idle, 0);
}

#[test]
fn reports_an_unanswered_stop_and_kills_the_process() {
    let mut game = Game::ready(SessionConfig::default());
    game.on(Event::Target(startpos()), SEARCH);
    game.on(Event::Target(SearchTarget::default()), &["stop"]);
    game.check(&EngineState::Thinking, 0);
    game.waits(2.1, &[]);
    game.check(&EngineState::Silent, 2);
    game.waits(2.8, &[]);
    game.check(&EngineState::Silent, 4);
    game.on(Event::Target(startpos()), &[]);
    game.on(Event::Stderr(vec!["out of memory".to_owned()]), &[]);
    game.waits(0.2, &["KILL"]);
    let EngineState::Restarting(restart) = game.core.snapshot().state else { panic!("it is restarted") };
    assert_eq!(
        (restart.failure.kind, restart.failure.last_lines.last()),
        (FailureKind::NoStop, Some(&"out of memory".to_owned()))
    );
    game.waits(0.5, &["START", "usi"]);
    game.hears("usiok", &["isready"]);
    game.hears("readyok", &["usinewgame", "position startpos", "go infinite"]);
}

#[test]
fn lengthens_restart_pauses_up_to_the_limit() {
    let mut game = Game::ready(SessionConfig::default());
    for (nth, pause) in (1..).zip([0.5, 2.0, 8.0, 30.0, 30.0]) {
        game.on(Event::Stderr(vec!["segmentation fault".to_owned()]), &[]);
        game.on(Event::Closed(Some(ExitReason::Signal(11))), &["KILL"]);
        let EngineState::Restarting(restart) = game.core.snapshot().state else { panic!("{nth}") };
        assert_eq!((restart.nth, restart.pause), (nth, Some(Duration::from_secs_f64(pause))));
        assert_eq!(restart.failure.last_lines.last().map(String::as_str), Some("segmentation fault"));
        game.waits(pause - 0.01, &[]);
        game.waits(0.01, &["START", "usi"]);
        game.waits(1.0, &[]);
        assert!(matches!(&game.core.snapshot().state, EngineState::Restarting(Restart { pause: None, .. })), "{nth}");
        assert_eq!(game.core.snapshot().waited, 1);
    }
    game.on(Event::Closed(Some(ExitReason::Code(1))), &["KILL"]);
    let EngineState::Failed(failure) = game.core.snapshot().state else { panic!("a sixth restart") };
    assert_eq!(failure.restarts, 5);
    game.waits(1000.0, &[]);
    game.on(Event::Retry, &["START", "usi"]);
    game.check(&EngineState::Starting, 0);
}

#[test]
fn does_not_restart_a_program_without_usiok() {
    let mut game = Game::new(SessionConfig::default());
    game.on(Event::Closed(Some(ExitReason::Code(127))), &["KILL"]);
    assert!(matches!(game.core.snapshot().state, EngineState::Failed(_)), "it said no usiok");
    let mut game = Game::ready(SessionConfig { restarts: RestartPolicy::never(), ..SessionConfig::default() });
    game.on(Event::NotReading, &["KILL"]);
    assert!(matches!(game.core.snapshot().state, EngineState::Failed(_)), "nobody wants it started again");
}

#[test]
fn keeps_the_last_output_as_outdated_after_a_crash() {
    let mut game = Game::ready(SessionConfig::default());
    game.on(Event::Target(startpos()), SEARCH);
    game.hears("info depth 5 score cp 30 pv 7g7f", &[]);
    game.on(Event::Closed(Some(ExitReason::Code(1))), &["KILL"]);
    let snapshot = game.core.snapshot();
    assert!(snapshot.is_stale && snapshot.search_info.is_some(), "{snapshot:?}");
    game.waits(0.5, &["START", "usi"]);
    game.hears("usiok", &["isready"]);
    game.hears("readyok", &["usinewgame", "position startpos", "go infinite"]);
    assert!(game.core.snapshot().is_stale, "nothing new was said");
    game.hears("info depth 1 score cp 40 pv 2g2f", &[]);
    let snapshot = game.core.snapshot();
    assert_eq!((snapshot.is_stale, snapshot.search_info.unwrap().stats.depth), (false, Some(1)));
}

#[test]
fn stops_a_search_once_at_its_limit() {
    let check = |limit, lines: &[&str], last: &str| {
        let mut game = Game::ready(SessionConfig { limit, multipv: 2, ..SessionConfig::default() });
        game.on(Event::Target(startpos()), SEARCH);
        for line in lines {
            game.hears(line, &[]);
        }
        game.hears(last, &["stop"]);
        game.hears(last, &[]);
        game.hears("bestmove 7g7f", &[]);
        game.on(Event::Target(startpos()), &[]);
        assert!(game.core.snapshot().result.is_some(), "it is done");
    };
    check(Limit::Nodes(1000), &["info nodes 999 score cp 1", "info depth 40"], "info nodes 1000");
    let first = "info depth 8 multipv 1 score cp 5 pv 7g7f";
    let bound = "info depth 8 multipv 2 score cp 5 lowerbound pv 2g2f";
    check(Limit::Depth(8), &["info depth 8 currmove 7g7f", first, bound], "info depth 8 multipv 2 score cp 4 pv 2g2f");
    check(Limit::Depth(8), &[first], "info depth 9 currmove 7g7f");
}

#[test]
fn a_time_limit_replaces_the_default_time() {
    let hour = Duration::from_hours(1);
    let mut game = Game::ready(SessionConfig { limit: Limit::Time(hour), ..SessionConfig::default() });
    game.on(Event::Target(startpos()), SEARCH);
    game.waits(3599.0, &[]);
    game.waits(1.0, &["stop"]);
    // Every other limit ends at the default time for a position.
    let mut game = Game::ready(SessionConfig { limit: Limit::Depth(99), ..SessionConfig::default() });
    game.on(Event::Target(startpos()), SEARCH);
    game.waits(60.0, &["stop"]);
}

#[test]
fn keeps_the_engine_while_paused() {
    let mut game = Game::ready(SessionConfig::default());
    let paused = SearchTarget { paused: true, ..startpos() };
    game.on(Event::Target(startpos()), SEARCH);
    game.on(Event::Target(paused.clone()), &["stop"]);
    game.hears("bestmove 7g7f", &[]);
    game.check(&EngineState::Paused, 0);
    game.waits(10_000.0, &[]);
    game.on(Event::Target(startpos()), SEARCH);
    // A complete search is not repeated after a pause.
    game.waits(60.0, &["stop"]);
    game.hears("bestmove 7g7f", &[]);
    game.on(Event::Target(paused), &[]);
    game.on(Event::Target(startpos()), &[]);
}

#[test]
fn expects_early_output_after_an_unrequested_bestmove() {
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    let next = || Event::Target(Some(Arc::clone(&next)).into());
    let second = &["position startpos moves 7g7f", "go infinite"];
    let ended = || {
        let mut game = Game::ready(SessionConfig::default());
        game.on(Event::Target(startpos()), SEARCH);
        game.hears("info depth 1 score mate 1 pv 7g7f", &[]);
        game.hears("bestmove 7g7f", &[]);
        game.on(next(), second);
        game
    };
    // With output the search gets its full time.
    let mut game = ended();
    game.waits(4.0, &[]);
    game.hears("info depth 1 score cp 1", &[]);
    game.waits(55.0, &[]);
    game.waits(1.0, &["stop"]);
    // Without output, but with an answer to `stop`: the engine is taken for a quiet one.
    let mut game = ended();
    game.waits(5.0, &["stop"]);
    game.hears("bestmove 3c3d", second);
    game.waits(59.0, &[]);
    // Without an answer to `stop` the engine has hung.
    let mut game = ended();
    game.waits(10.0, &["stop", "KILL"]);
    game.waits(0.5, &["START", "usi"]);
}

#[test]
fn sends_isready_after_a_second_bestmove() {
    let mut game = Game::ready(SessionConfig::default());
    game.on(Event::Target(startpos()), SEARCH);
    game.hears("info depth 1 score cp 1 pv 7g7f", &[]);
    game.on(Event::Target(SearchTarget::default()), &["stop"]);
    game.hears("bestmove 7g7f", &[]);
    game.hears("bestmove 7g7f", &[]);
    game.on(Event::Target(startpos()), &["isready"]);
    game.hears("bestmove 7g7f", &[]);
    game.hears("info depth 9 score cp 999 pv 7g7f", &[]);
    game.hears("readyok", SEARCH);
    assert_eq!(game.core.snapshot().search_info.unwrap().stats.depth, Some(1));
}

#[test]
fn repeats_a_search_answered_without_any_info() {
    let mut game = Game::ready(SessionConfig::default());
    game.on(Event::Target(startpos()), SEARCH);
    game.hears("bestmove 7g7f", &[]);
    // Further output: the engine has not answered this search.
    game.hears("info depth 1 score cp 1 pv 7g7f", &["stop"]);
    game.hears("bestmove 2g2f", &["isready"]);
    game.hears("readyok", SEARCH);
    // An engine that does not answer `isready` has hung.
    let mut game = Game::ready(SessionConfig::default());
    game.on(Event::Target(startpos()), SEARCH);
    game.hears("bestmove 7g7f", &[]);
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    game.on(Event::Target(Some(next).into()), &["isready"]);
    game.waits(10.0, &["KILL"]);
}

#[test]
fn reports_options_that_the_engine_does_not_accept() {
    let options = [("Skill", "30"), ("EvalDir", "eval")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut game = Game::new(SessionConfig { options: options.into(), ..SessionConfig::default() });
    game.hears("option name Skill type spin default 20 min 0 max 20", &[]);
    game.hears("usiok", &["isready"]);
    let rejected: Vec<_> = game.core.snapshot().rejected_options.into_iter().map(|rejected| rejected.name).collect();
    assert_eq!(rejected, ["EvalDir", "Skill"]);
}

#[test]
fn starts_a_new_game_with_a_limit_for_each_position() {
    let next = || Event::Target(Some(Arc::new(History::from_usi("startpos moves 7g7f").unwrap())).into());
    let apart = |limit| SessionConfig { new_game_each: true, limit, ..SessionConfig::default() };
    let mut game = Game::ready(apart(Limit::Nodes(500)));
    game.on(Event::Target(startpos()), &["position startpos", "go nodes 500"]);
    // Some engines check their count only now and then, so a small excess is no reason to stop.
    game.hears("info depth 5 nodes 700 score cp 1 pv 7g7f", &[]);
    game.hears("bestmove 7g7f", &[]);
    assert_eq!(game.core.completed_searches(), 1);
    game.on(next(), &["isready"]);
    game.hears("info depth 9 score cp 77 pv 7g7f", &[]);
    game.hears("readyok", &["usinewgame", "position startpos moves 7g7f", "go nodes 500"]);
    // An earlier `bestmove` at a limit is no reason to expect early output.
    game.waits(50.0, &[]);
    game.hears("info depth 5 nodes 2000000 score cp 1", &["stop"]);
    // A time limit is enforced by the session.
    let mut game = Game::ready(apart(Limit::Time(Duration::from_secs(3))));
    game.on(Event::Target(startpos()), SEARCH);
    game.waits(3.0, &["stop"]);
    let mut game = Game::ready(apart(Limit::Depth(4)));
    game.on(Event::Target(startpos()), &["position startpos", "go depth 4"]);
    game.hears("info depth 4 score cp 1 pv 7g7f", &[]);
    game.hears("info depth 5 score cp 1 pv 7g7f", &["stop"]);
}

#[test]
fn stops_searches_itself_after_a_crash_at_a_limit() {
    let mut game =
        Game::ready(SessionConfig { new_game_each: true, limit: Limit::Nodes(500), ..SessionConfig::default() });
    let closed = || Event::Closed(Some(ExitReason::Signal(6)));
    game.on(Event::Target(startpos()), &["position startpos", "go nodes 500"]);
    game.on(closed(), &["KILL"]);
    assert!(game.core.snapshot().refuses_limits);
    game.waits(0.5, &["START", "usi"]);
    game.hears("usiok", &["isready"]);
    game.hears("readyok", &["usinewgame", "position startpos", "go infinite"]);
    game.hears("info depth 5 nodes 500 score cp 1 pv 7g7f", &["stop"]);
    // A process that ends after it has accepted a limit ended for another reason.
    let mut game =
        Game::ready(SessionConfig { new_game_each: true, limit: Limit::Nodes(500), ..SessionConfig::default() });
    game.on(Event::Target(startpos()), &["position startpos", "go nodes 500"]);
    game.hears("bestmove 7g7f", &[]);
    game.on(closed(), &["KILL"]);
    assert!(!game.core.snapshot().refuses_limits);
}
