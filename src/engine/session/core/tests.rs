//! Commands and states of a session over time. `tests/it/session.rs` tests the guarantees for any sequence of events.

use super::*;
use crate::options::Limit;
use crate::session::{MateOutcome, RestartPolicy};
use crate::usi::BestMove;
use shogibar_shogi::{History, Move};

fn startpos() -> SearchTarget {
    SearchTarget::from(Some(Arc::new(History::from_usi("startpos").unwrap())))
}

/// A session's core with a simulated clock.
struct TestSession {
    core: Core,
    now: Duration,
}

impl TestSession {
    fn new(settings: SessionConfig) -> Self {
        let (core, effects) = Core::start(settings, Duration::ZERO);
        assert_eq!(effects, [Effect::Start, Effect::Send("usi".to_owned())]);
        Self {
            core,
            now: Duration::ZERO,
        }
    }

    fn ready(settings: SessionConfig) -> Self {
        let mut session = Self::new(settings);
        session.receive("usiok", &["isready"]);
        session.receive("readyok", &["usinewgame"]);
        session
    }

    /// Applies an event and checks its effects, in short form.
    fn on(&mut self, event: Event<'_>, expect: &[&str]) {
        let shown = format!("{event:?}");
        let effects: Vec<_> = self
            .core
            .step(self.now, event)
            .into_iter()
            .map(in_short)
            .collect();
        assert_eq!(effects, expect, "{shown} at {:?}", self.now);
    }

    /// Applies a line of the engine, and checks the effects.
    fn receive(&mut self, line: &str, expect: &[&str]) {
        self.on(Event::Line(line), expect);
    }

    /// Lets time pass as the shell does: from one deadline to the next.
    fn advance(&mut self, seconds: f64, expect: &[&str]) {
        let until = self.now + Duration::from_secs_f64(seconds);
        let mut effects = Vec::new();
        while let Some(deadline) = self.core.deadline().filter(|deadline| *deadline <= until) {
            assert!(deadline >= self.now, "a deadline in the past");
            self.now = deadline;
            effects.extend(
                self.core
                    .step(self.now, Event::Deadline)
                    .into_iter()
                    .map(in_short),
            );
        }
        self.now = until;
        assert_eq!(effects, expect, "{seconds} s later");
    }

    /// Checks the state and the seconds of waiting in the snapshot.
    fn check(&mut self, state: &EngineState, waited: u64) {
        let snapshot = self.core.snapshot();
        assert_eq!(
            (&snapshot.state, snapshot.waited_seconds),
            (state, waited),
            "at {:?}",
            self.now
        );
    }
}

/// Returns an effect as text; a sent line is itself.
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
    let mut session = TestSession::new(SessionConfig::default());
    session.receive("option name Clear Hash type button", &[]);
    session.receive("usiok", &["isready"]);
    session.on(press(), &[]);
    session.receive("readyok", &["usinewgame", "setoption name Clear Hash"]);
    session.on(press(), &["setoption name Clear Hash"]);
    session.on(Event::Press("nothing".to_owned()), &[]);
    session.on(Event::Target(startpos()), SEARCH);
    session.on(press(), &["stop"]);
    session.receive(
        "bestmove 7g7f",
        &["setoption name Clear Hash", "position startpos", "go infinite"],
    );
}

#[test]
fn a_new_search_has_no_value_of_the_one_before() {
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.receive("info depth 1 score cp 30 pv 7g7f", &[]);
    let valued = session.core.valued_search();
    assert!(valued.is_some() && valued == session.core.current_search());
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    session.on(Event::Target(Some(next).into()), &["stop"]);
    session.receive("bestmove 7g7f", &["position startpos moves 7g7f", "go infinite"]);
    assert!(session.core.valued_search().is_none());
    assert_ne!(
        valued,
        session.core.current_search(),
        "the first value of the new search is published at once"
    );
    session.receive("info depth 1 score cp -30 pv 3c3d", &[]);
    assert!(session.core.valued_search().is_some());
}

#[test]
fn counts_the_seconds_of_a_start() {
    let mut session = TestSession::new(SessionConfig::default());
    session.check(&EngineState::Starting, 0);
    session.advance(3.5, &[]);
    session.check(&EngineState::Starting, 3);
    session.receive("usiok", &["isready"]);
    session.advance(8.6, &[]);
    session.check(&EngineState::Preparing, 12);
    // Loading has no deadline: after half an hour the engine is still running, and shown as silent.
    session.advance(1800.0, &[]);
    session.check(&EngineState::Silent, 1808);
    session.receive("", &[]);
    session.check(&EngineState::Preparing, 1812);
    session.receive("readyok", &["usinewgame"]);
    session.check(&EngineState::Idle, 0);
}

#[test]
fn reports_an_unanswered_stop_and_kills_the_process() {
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.on(Event::Target(SearchTarget::default()), &["stop"]);
    session.check(&EngineState::Thinking, 0);
    session.advance(2.1, &[]);
    session.check(&EngineState::Silent, 2);
    session.advance(2.8, &[]);
    session.check(&EngineState::Silent, 4);
    session.on(Event::Target(startpos()), &[]);
    session.on(Event::Stderr(vec!["out of memory".to_owned()]), &[]);
    session.advance(0.2, &["KILL"]);
    let EngineState::Restarting(restart) = session.core.snapshot().state else {
        panic!("it is restarted")
    };
    assert_eq!(
        (restart.failure.kind, restart.failure.last_lines.last()),
        (FailureKind::NoStop, Some(&"out of memory".to_owned()))
    );
    session.advance(0.5, &["START", "usi"]);
    session.receive("usiok", &["isready"]);
    session.receive("readyok", &["usinewgame", "position startpos", "go infinite"]);
}

#[test]
fn lengthens_restart_pauses_up_to_the_limit() {
    let mut session = TestSession::ready(SessionConfig::default());
    for (nth, pause) in (1..).zip([0.5, 2.0, 8.0, 30.0, 30.0]) {
        session.on(Event::Stderr(vec!["segmentation fault".to_owned()]), &[]);
        session.on(Event::Closed(Some(ExitReason::Signal(11))), &["KILL"]);
        let EngineState::Restarting(restart) = session.core.snapshot().state else {
            panic!("{nth}")
        };
        assert_eq!(
            (restart.number, restart.pause),
            (nth, Some(Duration::from_secs_f64(pause)))
        );
        assert_eq!(
            restart.failure.last_lines.last().map(String::as_str),
            Some("segmentation fault")
        );
        session.advance(pause - 0.01, &[]);
        session.advance(0.01, &["START", "usi"]);
        session.advance(1.0, &[]);
        assert!(
            matches!(
                &session.core.snapshot().state,
                EngineState::Restarting(Restart { pause: None, .. })
            ),
            "{nth}"
        );
        assert_eq!(session.core.snapshot().waited_seconds, 1);
    }
    session.on(Event::Closed(Some(ExitReason::Code(1))), &["KILL"]);
    let EngineState::Failed(failure) = session.core.snapshot().state else {
        panic!("a sixth restart")
    };
    assert_eq!(failure.restart_count, 5);
    session.advance(1000.0, &[]);
    session.on(Event::Retry, &["START", "usi"]);
    session.check(&EngineState::Starting, 0);
}

#[test]
fn does_not_restart_a_program_without_usiok() {
    let mut session = TestSession::new(SessionConfig::default());
    session.on(Event::Closed(Some(ExitReason::Code(127))), &["KILL"]);
    assert!(
        matches!(session.core.snapshot().state, EngineState::Failed(_)),
        "the new process has sent no usiok"
    );
    let mut session = TestSession::ready(SessionConfig {
        restart_policy: RestartPolicy::never(),
        ..SessionConfig::default()
    });
    session.on(Event::NotReading, &["KILL"]);
    assert!(
        matches!(session.core.snapshot().state, EngineState::Failed(_)),
        "a program without usiok is not restarted"
    );
}

#[test]
fn keeps_the_last_output_as_outdated_after_a_crash() {
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.receive("info depth 5 score cp 30 pv 7g7f", &[]);
    session.on(Event::Closed(Some(ExitReason::Code(1))), &["KILL"]);
    let snapshot = session.core.snapshot();
    assert!(
        snapshot.is_from_old_process && snapshot.search_info.is_some(),
        "{snapshot:?}"
    );
    session.advance(0.5, &["START", "usi"]);
    session.receive("usiok", &["isready"]);
    session.receive("readyok", &["usinewgame", "position startpos", "go infinite"]);
    assert!(session.core.snapshot().is_from_old_process, "the output is old");
    session.receive("info depth 1 score cp 40 pv 2g2f", &[]);
    let snapshot = session.core.snapshot();
    assert_eq!(
        (
            snapshot.is_from_old_process,
            snapshot.search_info.unwrap().stats.depth
        ),
        (false, Some(1))
    );
}

#[test]
fn stops_a_search_once_at_its_limit() {
    let check = |limit, lines: &[&str], last: &str| {
        let mut session = TestSession::ready(SessionConfig {
            limit,
            multipv: 2,
            ..SessionConfig::default()
        });
        session.on(Event::Target(startpos()), SEARCH);
        for line in lines {
            session.receive(line, &[]);
        }
        session.receive(last, &["stop"]);
        session.receive(last, &[]);
        session.receive("bestmove 7g7f", &[]);
        session.on(Event::Target(startpos()), &[]);
        assert!(session.core.snapshot().result.is_some(), "it is done");
    };
    check(
        Limit::Nodes(1000),
        &["info nodes 999 score cp 1", "info depth 40"],
        "info nodes 1000",
    );
    let first = "info depth 8 multipv 1 score cp 5 pv 7g7f";
    let bound = "info depth 8 multipv 2 score cp 5 lowerbound pv 2g2f";
    check(
        Limit::Depth(8),
        &["info depth 8 currmove 7g7f", first, bound],
        "info depth 8 multipv 2 score cp 4 pv 2g2f",
    );
    check(Limit::Depth(8), &[first], "info depth 9 currmove 7g7f");
}

/// Returns a configuration with a minute for each position.
fn limited() -> SessionConfig {
    SessionConfig {
        time_limit: Some(Duration::from_mins(1)),
        ..SessionConfig::default()
    }
}

#[test]
fn a_search_goes_on_until_the_position_changes() {
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.advance(9.0, &[]);
    session.receive("info depth 1 score cp 1 pv 7g7f", &[]);
    session.advance(10_000.0, &[]);
    session.check(&EngineState::Thinking, 0);
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    session.on(Event::Target(Some(next).into()), &["stop"]);
}

#[test]
fn a_search_without_a_line_is_stopped_once() {
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.advance(10.0, &["stop"]);
    session.receive("info depth 7 score cp 30 pv 7g7f", &[]);
    session.receive("bestmove 7g7f", &[]);
    assert!(
        session.core.snapshot().search_info.is_some(),
        "its value is shown"
    );
    session.check(&EngineState::Idle, 0);
    session.advance(10_000.0, &[]);
    session.on(Event::Target(startpos()), &[]);
    // The limit also applies after a search that ended by itself.
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    session.on(
        Event::Target(Some(next).into()),
        &["position startpos moves 7g7f", "go infinite"],
    );
    session.advance(10.0, &["stop"]);
}

#[test]
fn the_time_limit_of_a_target_holds_where_the_engine_has_none_of_its_own() {
    let target = || SearchTarget {
        time_limit: Some(Duration::from_secs(30)),
        ..startpos()
    };
    for (has_user_limit, stop) in [(false, &["stop"][..]), (true, &[])] {
        let mut session = TestSession::ready(SessionConfig {
            has_user_limit,
            ..SessionConfig::default()
        });
        session.on(Event::Target(target()), SEARCH);
        session.receive("info depth 3 score cp 5 pv 7g7f", &[]);
        session.advance(30.0, stop);
    }
}

#[test]
fn another_time_limit_of_the_target_takes_effect_at_once() {
    let target = |seconds: Option<u64>| SearchTarget {
        time_limit: seconds.map(Duration::from_secs),
        ..startpos()
    };
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(target(None)), SEARCH);
    session.receive("info depth 3 score cp 5 pv 7g7f", &[]);
    session.advance(100.0, &[]);
    session.on(Event::Target(target(Some(130))), &[]);
    session.advance(30.0, &["stop"]);
    session.receive("bestmove 7g7f", &[]);
    session.on(Event::Target(target(Some(60))), &[]);
    session.on(Event::Target(target(None)), SEARCH);
}

#[test]
fn a_time_limit_replaces_the_default_time() {
    let hour = Duration::from_hours(1);
    let mut session = TestSession::ready(SessionConfig {
        limit: Limit::Time(hour),
        ..SessionConfig::default()
    });
    session.on(Event::Target(startpos()), SEARCH);
    session.advance(3599.0, &[]);
    session.advance(1.0, &["stop"]);
    // Every other limit is bounded by the time for a position.
    let mut session = TestSession::ready(SessionConfig {
        limit: Limit::Depth(99),
        ..limited()
    });
    session.on(Event::Target(startpos()), SEARCH);
    session.advance(60.0, &["stop"]);
}

#[test]
fn keeps_the_engine_while_paused() {
    let mut session = TestSession::ready(limited());
    let paused = SearchTarget {
        is_paused: true,
        ..startpos()
    };
    session.on(Event::Target(startpos()), SEARCH);
    session.on(Event::Target(paused.clone()), &["stop"]);
    session.receive("bestmove 7g7f", &[]);
    session.check(&EngineState::Paused, 0);
    session.advance(10_000.0, &[]);
    session.on(Event::Target(startpos()), SEARCH);
    // A complete search is not repeated after a pause.
    session.advance(60.0, &["stop"]);
    session.receive("bestmove 7g7f", &[]);
    session.on(Event::Target(paused), &[]);
    session.on(Event::Target(startpos()), &[]);
}

#[test]
fn expects_early_output_after_an_unrequested_bestmove() {
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    let next = || Event::Target(Some(Arc::clone(&next)).into());
    let second = &["position startpos moves 7g7f", "go infinite"];
    let ended = || {
        let mut session = TestSession::ready(limited());
        session.on(Event::Target(startpos()), SEARCH);
        session.receive("info depth 1 score mate 1 pv 7g7f", &[]);
        session.receive("bestmove 7g7f", &[]);
        session.on(next(), second);
        session
    };
    // With output the search gets its full time.
    let mut session = ended();
    session.advance(4.0, &[]);
    session.receive("info depth 1 score cp 1", &[]);
    session.advance(55.0, &[]);
    session.advance(1.0, &["stop"]);
    // No output, but an answer to `stop`: the engine is taken for a quiet one.
    let mut session = ended();
    session.advance(5.0, &["stop"]);
    session.receive("bestmove 3c3d", second);
    session.advance(59.0, &[]);
    // Without an answer to `stop` the engine has hung.
    let mut session = ended();
    session.advance(10.0, &["stop", "KILL"]);
    session.advance(0.5, &["START", "usi"]);
}

#[test]
fn sends_isready_after_a_second_bestmove() {
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.receive("info depth 1 score cp 1 pv 7g7f", &[]);
    session.on(Event::Target(SearchTarget::default()), &["stop"]);
    session.receive("bestmove 7g7f", &[]);
    session.receive("bestmove 7g7f", &[]);
    session.on(Event::Target(startpos()), &["isready"]);
    session.receive("bestmove 7g7f", &[]);
    session.receive("info depth 9 score cp 999 pv 7g7f", &[]);
    session.receive("readyok", SEARCH);
    assert_eq!(session.core.snapshot().search_info.unwrap().stats.depth, Some(1));
}

#[test]
fn repeats_a_search_answered_without_any_info() {
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.receive("bestmove 7g7f", &[]);
    // Further output: the engine has not answered this search.
    session.receive("info depth 1 score cp 1 pv 7g7f", &["stop"]);
    session.receive("bestmove 2g2f", &["isready"]);
    session.receive("readyok", SEARCH);
    // An engine that does not answer `isready` has hung.
    let mut session = TestSession::ready(SessionConfig::default());
    session.on(Event::Target(startpos()), SEARCH);
    session.receive("bestmove 7g7f", &[]);
    let next = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    session.on(Event::Target(Some(next).into()), &["isready"]);
    session.advance(10.0, &["KILL"]);
}

#[test]
fn reports_options_that_the_engine_does_not_accept() {
    let options =
        [("Skill", "30"), ("EvalDir", "eval")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut session = TestSession::new(SessionConfig {
        options: options.into(),
        ..SessionConfig::default()
    });
    session.receive("option name Skill type spin default 20 min 0 max 20", &[]);
    session.receive("usiok", &["isready"]);
    let rejected: Vec<_> = session
        .core
        .snapshot()
        .rejected_options
        .into_iter()
        .map(|rejected| rejected.name)
        .collect();
    assert_eq!(rejected, ["EvalDir", "Skill"]);
}

#[test]
fn starts_a_new_game_with_a_limit_for_each_position() {
    let next = || Event::Target(Some(Arc::new(History::from_usi("startpos moves 7g7f").unwrap())).into());
    let apart = |limit| SessionConfig {
        new_game_per_search: true,
        limit,
        ..SessionConfig::default()
    };
    let mut session = TestSession::ready(apart(Limit::Nodes(500)));
    session.on(Event::Target(startpos()), &["position startpos", "go nodes 500"]);
    // Some engines check their count only at intervals, so a small excess is not a reason to stop.
    session.receive("info depth 5 nodes 700 score cp 1 pv 7g7f", &[]);
    session.receive("bestmove 7g7f", &[]);
    assert_eq!(session.core.completed_game_searches(), 1);
    session.on(next(), &["isready"]);
    session.receive("info depth 9 score cp 77 pv 7g7f", &[]);
    session.receive(
        "readyok",
        &["usinewgame", "position startpos moves 7g7f", "go nodes 500"],
    );
    // An earlier `bestmove` at a limit is not a reason to expect early output.
    session.advance(50.0, &[]);
    session.receive("info depth 5 nodes 2000000 score cp 1", &["stop"]);
    // A time limit is enforced by the session.
    let mut session = TestSession::ready(apart(Limit::Time(Duration::from_secs(3))));
    session.on(Event::Target(startpos()), SEARCH);
    session.advance(3.0, &["stop"]);
    let mut session = TestSession::ready(apart(Limit::Depth(4)));
    session.on(Event::Target(startpos()), &["position startpos", "go depth 4"]);
    session.receive("info depth 4 score cp 1 pv 7g7f", &[]);
    session.receive("info depth 5 score cp 1 pv 7g7f", &["stop"]);
}

#[test]
fn stops_searches_itself_after_a_crash_at_a_limit() {
    let mut session = TestSession::ready(SessionConfig {
        new_game_per_search: true,
        limit: Limit::Nodes(500),
        ..SessionConfig::default()
    });
    let closed = || Event::Closed(Some(ExitReason::Signal(6)));
    session.on(Event::Target(startpos()), &["position startpos", "go nodes 500"]);
    session.on(closed(), &["KILL"]);
    assert!(session.core.snapshot().refuses_limits);
    session.advance(0.5, &["START", "usi"]);
    session.receive("usiok", &["isready"]);
    session.receive("readyok", &["usinewgame", "position startpos", "go infinite"]);
    session.receive("info depth 5 nodes 500 score cp 1 pv 7g7f", &["stop"]);
    // A process that ends after it has accepted a limit ended for another reason.
    let mut session = TestSession::ready(SessionConfig {
        new_game_per_search: true,
        limit: Limit::Nodes(500),
        ..SessionConfig::default()
    });
    session.on(Event::Target(startpos()), &["position startpos", "go nodes 500"]);
    session.receive("bestmove 7g7f", &[]);
    session.on(closed(), &["KILL"]);
    assert!(!session.core.snapshot().refuses_limits);
}

#[test]
fn mate_is_searched_and_the_search_goes_on_afterwards() {
    let mated = |answer: &str| {
        let mut session = TestSession::ready(SessionConfig::default());
        let target = || SearchTarget::from(Some(Arc::new(History::from_usi(MATE_IN_ONE).unwrap())));
        session.on(
            Event::Target(target()),
            &[&format!("position {MATE_IN_ONE}"), "go infinite"],
        );
        session.receive("info depth 1 score cp 30 pv 5b5a", &[]);
        session.on(
            Event::Target(SearchTarget {
                is_mate_search: true,
                ..target()
            }),
            &["stop"],
        );
        session.receive(
            "bestmove G*5b",
            &[&format!("position {MATE_IN_ONE}"), "go mate infinite"],
        );
        assert_eq!(session.core.snapshot().mate, None);
        session.receive("info nodes 5", &[]);
        match answer {
            "nothing" => {
                session.advance(61.0, &["stop"]);
                session.receive("checkmate nomate", &[]);
            }
            "a value" => {
                session.receive("info depth 1 score cp 5 pv G*5b", &[]);
                session.advance(11.0, &["stop"]);
                session.receive("info depth 2 score cp 5 pv G*5b", &[]);
                session.advance(1.0, &[]);
                session.receive("bestmove G*5b", &[]);
            }
            "a mate" => {
                session.receive("info depth 3 score mate 3 pv G*6b", &[]);
                session.receive("info depth 3 score mate 1 pv G*5b", &["stop"]);
                session.receive("bestmove G*5b", &[]);
            }
            _ => session.receive(answer, &[]),
        }
        let snapshot = session.core.snapshot();
        assert_eq!(snapshot.result, None, "a mate search has no best move");
        session.on(
            Event::Target(target()),
            &[&format!("position {MATE_IN_ONE}"), "go infinite"],
        );
        assert_eq!(session.core.snapshot().mate, None);
        snapshot.mate.map(|mate| mate.result)
    };
    let mate = Some(MateOutcome::Mate(vec![Move::from_usi("G*5b").unwrap()]));
    assert_eq!(mated("checkmate G*5b"), mate);
    assert_eq!(mated("a mate"), mate, "it need not search on");
    assert_eq!(mated("a value"), Some(MateOutcome::NotImplemented));
    assert_eq!(
        mated("checkmate 9g5b+"),
        Some(MateOutcome::Timeout),
        "gpsusi means that it found none"
    );
    assert_eq!(
        mated("checkmate G*6b"),
        Some(MateOutcome::Timeout),
        "that is no mate"
    );
    assert_eq!(mated("checkmate nomate"), Some(MateOutcome::NoMate));
    assert_eq!(mated("checkmate "), Some(MateOutcome::NoMate));
    assert_eq!(mated("checkmate timeout"), Some(MateOutcome::Timeout));
    assert_eq!(
        mated("checkmate notimplemented"),
        Some(MateOutcome::NotImplemented)
    );
    assert_eq!(
        mated("nothing"),
        Some(MateOutcome::Timeout),
        "what was not finished is no proof"
    );
}

#[test]
fn mate_search_that_is_given_up_has_no_result() {
    let mut session = TestSession::ready(SessionConfig::default());
    let target = SearchTarget {
        is_mate_search: true,
        ..startpos()
    };
    session.on(Event::Target(target), &["position startpos", "go mate infinite"]);
    session.on(Event::Target(startpos()), &["stop"]);
    session.receive("checkmate nomate", &["position startpos", "go infinite"]);
    assert_eq!(session.core.snapshot().mate, None);
    session.receive("info depth 1 score cp 7 pv 7g7f", &[]);
    assert!(session.core.snapshot().search_info.is_some());
}

/// 5二金 mates.
const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";

#[test]
fn a_playing_engine_gets_its_limit_and_is_stopped_by_the_clock() {
    let target = |limit: Limit, seconds: Option<u64>| {
        let time_limit = seconds.map(Duration::from_secs);
        SearchTarget {
            limit: Some(limit),
            time_limit,
            is_playing: true,
            ..startpos()
        }
    };
    let check = |target: SearchTarget, go: &str, ends: Option<f64>| {
        let mut session = TestSession::ready(SessionConfig {
            has_user_limit: true,
            ..SessionConfig::default()
        });
        session.on(Event::Target(target), &["position startpos", go]);
        session.receive("info depth 3 score cp 5 nodes 20 pv 7g7f", &[]);
        match ends {
            Some(seconds) => session.advance(seconds, &["stop"]),
            None => session.advance(600.0, &[]),
        }
        session.receive("bestmove resign", &[]);
        assert_eq!(
            session.core.snapshot().result.unwrap().best_move,
            BestMove::Resign
        );
    };
    check(target(Limit::Nodes(100), None), "go nodes 100", None);
    check(target(Limit::Nodes(100), Some(9)), "go nodes 100", Some(9.0));
    check(
        target(Limit::Time(Duration::from_secs(3)), Some(9)),
        "go infinite",
        Some(3.0),
    );
    check(
        target(Limit::Time(Duration::from_secs(3)), Some(2)),
        "go infinite",
        Some(2.0),
    );
    check(target(Limit::Infinite, Some(9)), "go infinite", Some(9.0));
}
