use super::CsaPacing;
use super::core::{CsaCommand, CsaCore, CsaEffect, CsaEvent};
use crate::address::{CsaAddress, LiveAddress};
use crate::game::{EndCause, SourceEvent, SourceProblem, SourceState};
use crate::output::REPORT_INTERVAL;
use crate::reader::{growth, read, text};
use proptest::prelude::*;
use shogibar_base::random::SplitMix;
use shogibar_kifu::{ClockTime, Millis, NodeId, Record, Target};
use std::sync::Arc;
use std::time::Duration;

fn address(text: &str) -> CsaAddress {
    match LiveAddress::parse(text) {
        Ok(LiveAddress::Csa(address)) => address,
        other => panic!("{other:?}"),
    }
}

/// A core with its clock, and its last report.
struct Observed {
    core: CsaCore,
    now: Duration,
    game: Option<Arc<Record>>,
    state: Option<SourceState>,
    sent_commands: Vec<CsaCommand>,
    games: Vec<String>,
    titles: Vec<String>,
    refresh_requests: usize,
}

impl Observed {
    fn start(text: &str) -> Self {
        let (core, effects) = CsaCore::start(address(text), CsaPacing::default(), Duration::ZERO);
        let mut observed = Self {
            core,
            now: Duration::ZERO,
            game: None,
            state: None,
            sent_commands: Vec::new(),
            games: Vec::new(),
            titles: Vec::new(),
            refresh_requests: 0,
        };
        observed.apply(effects);
        observed
    }

    fn apply(&mut self, effects: Vec<CsaEffect>) {
        for effect in effects {
            match effect {
                CsaEffect::Report(SourceEvent::Game(game)) => self.game = Some(game.record),
                CsaEffect::Report(SourceEvent::State(state)) => self.state = Some(state),
                CsaEffect::Report(SourceEvent::Games(games)) => {
                    (self.games, self.titles) =
                        games.into_iter().map(|game| (game.address, game.title)).unzip();
                }
                CsaEffect::Send(command) => self.sent_commands.push(command),
                CsaEffect::RequestRefresh => self.refresh_requests += 1,
                CsaEffect::Connect
                | CsaEffect::Disconnect
                | CsaEffect::Report(SourceEvent::Board(_) | SourceEvent::NotCorrected) => {}
            }
        }
    }

    fn step(&mut self, event: CsaEvent) {
        let effects = self.core.step(self.now, event);
        self.apply(effects);
    }

    fn on_lines(&mut self, lines: &str) {
        for line in lines.lines() {
            self.step(CsaEvent::Line(line.as_bytes().to_vec()));
        }
        // Two reports are this far apart.
        if self
            .core
            .deadline()
            .is_some_and(|deadline| deadline <= self.now + REPORT_INTERVAL)
        {
            self.pass();
        }
    }

    /// Lets time pass up to the next deadline.
    fn pass(&mut self) {
        if let Some(deadline) = self.core.deadline() {
            self.now = self.now.max(deadline);
            self.step(CsaEvent::Deadline);
        }
    }

    /// Connects, logs in and receives a list with the games `g` and `h`.
    fn login(&mut self) {
        self.step(CsaEvent::Connected);
        self.on_lines("LOGIN:me OK\n##[LOGIN] +OK x1\n##[LIST] g\n##[LIST] h\n##[LIST] +OK");
    }
}

/// Returns the lines of a log as the server sends them for the game `g`.
fn framed(log: &[u8]) -> String {
    let lines = String::from_utf8(log.to_vec()).unwrap();
    let framed: Vec<String> = lines
        .lines()
        .map(|line| format!("##[MONITOR2][g] {line}"))
        .collect();
    framed.join("\n") + "\n##[MONITOR2][g] +OK"
}

#[test]
fn observes_a_game_with_its_evaluations() {
    let mut observed = Observed::start("csa://me:secret@host/g");
    observed.login();
    let monitor = CsaCommand::Monitor("g".to_owned());
    assert_eq!(
        observed.sent_commands,
        [CsaCommand::Login, CsaCommand::List, monitor]
    );
    observed.on_lines(&framed(b"V2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n'** 30 -3334FU\n"));
    assert_eq!(observed.game.as_ref().unwrap().len(), 1);
    assert_eq!(observed.state, Some(SourceState::Live));
    observed.on_lines(
        "##[MONITOR2][h] -8384FU\n##[MONITOR2][g] -3334FU\n##[MONITOR2][g] T12\n##[MONITOR2][g] +OK",
    );
    let game = observed.game.clone().unwrap();
    assert_eq!(game.len(), 2);
    let first = game.main_line().next().unwrap();
    assert_eq!(game.node(first).comment(), Some("* 30 -3334FU"));
    // The file has the evaluation of the second move as well.
    let file = read(b"V2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n'** 30 -3334FU\n-3334FU\nT12\n'** 40\n");
    observed.step(CsaEvent::File(Arc::new(file)));
    observed.on_lines("##[MONITOR2][g] +2726FU\n##[MONITOR2][g] T2\n##[MONITOR2][g] +OK");
    let game = observed.game.clone().unwrap();
    let comments: Vec<_> = game
        .main_line()
        .map(|id| game.node(id).comment().map(str::to_owned))
        .collect();
    assert_eq!(
        comments,
        [Some("* 30 -3334FU".to_owned()), Some("* 40".to_owned()), None]
    );
    observed.on_lines("##[MONITOR2][g] %TORYO\n##[MONITOR2][g] +OK");
    assert_eq!(observed.state, Some(SourceState::Ended(EndCause::GameOver)));
    assert!(observed.core.is_over());
}

#[test]
fn a_game_of_floodgate_has_its_main_time_from_its_start_on() {
    let mut observed = Observed::start("csa://me:secret@host/g");
    observed.login();
    let clocks = |observed: &Observed| {
        let game = observed.game.clone().unwrap();
        game.clocks(game.main_line().last().unwrap_or(NodeId::START))
    };
    let clocks_of =
        |seconds: [u64; 2]| seconds.map(|seconds| Some(ClockTime::Remaining(Millis(seconds * 1000))));
    let head = "V2\nN+A\nN-B\n'Max_Moves:256\n'Least_Time_Per_Move:0\n'Increment:10\n\
        $EVENT:wdoor+floodgate-300-10F+A+B+20260101120000\nPI\n+\n";
    observed.on_lines(&framed(head.as_bytes()));
    assert_eq!(clocks(&observed), clocks_of([300, 300]));
    observed.on_lines("##[MONITOR2][g] +7776FU\n##[MONITOR2][g] T4\n##[MONITOR2][g] +OK");
    assert_eq!(clocks(&observed), clocks_of([306, 300]));
    let file = read(format!("{head}+7776FU\nT4\n'** 30\n-3334FU\nT20\n").as_bytes());
    observed.step(CsaEvent::File(Arc::new(file)));
    assert_eq!(clocks(&observed), clocks_of([306, 290]));
}

#[test]
fn tells_refusals_apart() {
    let state = |lines: &str| {
        let mut observed = Observed::start("csa://me:secret@host/x");
        observed.step(CsaEvent::Connected);
        observed.on_lines(lines);
        observed.state
    };
    let ended = |problem| Some(SourceState::Ended(EndCause::Refused(problem)));
    assert_eq!(
        state("LOGIN:incorrect\ntype 'LOGIN name password'"),
        ended(SourceProblem::WrongLogin)
    );
    let in_use = state("LOGIN:incorrect\nusername me is already connected");
    assert!(matches!(
        in_use,
        Some(SourceState::Lost {
            problem: SourceProblem::NameInUse,
            ..
        })
    ));
    assert_eq!(
        state("LOGIN:me OK\n##[LIST] g\n##[LIST] +OK"),
        ended(SourceProblem::NoSuchGame)
    );
    // A server that closes without a reason.
    let mut observed = Observed::start("csa://me@host/x");
    observed.step(CsaEvent::Connected);
    observed.on_lines("LOGIN:incorrect");
    observed.step(CsaEvent::Failed(SourceProblem::Closed));
    assert_eq!(observed.state, ended(SourceProblem::WrongLogin));
}

#[test]
fn lists_games_and_keeps_the_connection_alive() {
    let mut observed = Observed::start("csa://me@host");
    observed.login();
    assert_eq!(observed.games, ["h", "g"]);
    let mut times = Vec::new();
    for _ in 0..40 {
        let count = observed.sent_commands.len();
        observed.pass();
        observed.on_lines("##[LIST] g\n##[LIST] +OK");
        if observed.sent_commands.len() > count {
            times.push(observed.now);
        }
    }
    assert_eq!(observed.games, ["g"]);
    assert!(
        times
            .windows(2)
            .all(|pair| pair[1].saturating_sub(pair[0]) >= Duration::from_secs(20)),
        "{times:?}"
    );
}

#[test]
fn a_list_shows_the_players() {
    let titles = |ids: &str| {
        let mut observed = Observed::start("csa://me@host");
        observed.step(CsaEvent::Connected);
        observed.on_lines(&format!("LOGIN:me OK\n{ids}##[LIST] +OK"));
        observed.titles
    };
    let listed = "##[LIST] wdoor+floodgate-300-10F+Suisho5_YaneuraOu+dlshogi+20260131123000\n##[LIST] wdoor+x+y\n\
        ##[LIST] wdoor+event+A++20260131123000\n##[LIST] wdoor+event+A+B+2026013112300x\n";
    assert_eq!(
        titles(listed),
        [
            "wdoor+event+A+B+2026013112300x",
            "wdoor+event+A++20260131123000",
            "wdoor+x+y",
            "Suisho5_YaneuraOu - dlshogi (floodgate-300-10F, 12:30)",
        ]
    );
}

#[test]
fn keep_alives_are_at_least_thirty_seconds_apart() {
    let mut observed = Observed::start("csa://me@host/g");
    observed.login();
    observed.on_lines(&framed(b"V2\nPI\n+\n+7776FU\nT1\n"));
    let mut last = observed.now;
    for _ in 0..50 {
        let count = observed.sent_commands.len();
        observed.pass();
        if observed.sent_commands.len() > count {
            assert!(observed.now.saturating_sub(last) >= Duration::from_secs(30));
            last = observed.now;
        }
        observed.on_lines("\n##[LIST] g\n##[LIST] +OK");
    }
    assert_eq!(observed.state, Some(SourceState::Live));
    // A dead connection is noticed.
    observed.pass();
    observed.pass();
    observed.pass();
    observed.pass();
    assert!(
        matches!(
            observed.state,
            Some(SourceState::Lost {
                problem: SourceProblem::Timeout,
                ..
            })
        ),
        "{:?}",
        observed.state
    );
}

#[test]
fn pauses_grow_from_five_seconds_to_a_minute() {
    let mut observed = Observed::start("csa://me@host/g");
    let mut pauses = Vec::new();
    for _ in 0..6 {
        let before = observed.now;
        observed.step(CsaEvent::Failed(SourceProblem::Unreachable));
        observed.pass();
        pauses.push(observed.now.saturating_sub(before).as_secs());
    }
    assert_eq!(pauses, [5, 10, 20, 40, 60, 60]);
}

#[test]
fn a_server_that_lets_in_and_closes_is_asked_less_and_less() {
    let mut observed = Observed::start("csa://me@host/g");
    let mut close_after = |open: Duration| {
        observed.login();
        observed.on_lines(&framed(b"V2\nPI\n+\n+7776FU\nT1\n"));
        observed.now += open;
        let before = observed.now;
        observed.step(CsaEvent::Failed(SourceProblem::Closed));
        observed.pass();
        observed.now.saturating_sub(before).as_secs()
    };
    let short = [(); 6].map(|()| close_after(Duration::from_secs(1)));
    assert_eq!(short, [5, 10, 20, 40, 60, 60]);
    // After a connection that lasted, the pauses start anew.
    assert_eq!(close_after(Duration::from_mins(1)), 5);
    assert_eq!(close_after(Duration::from_secs(1)), 10);
}

#[test]
fn a_game_that_ends_while_the_connection_is_lost_is_gone() {
    let mut observed = Observed::start("csa://me@host/g");
    observed.login();
    observed.on_lines(&framed(b"V2\nPI\n+\n+7776FU\nT1\n"));
    observed.step(CsaEvent::Failed(SourceProblem::Closed));
    observed.pass();
    observed.step(CsaEvent::Connected);
    observed.on_lines("LOGIN:me OK\n##[LIST] h\n##[LIST] +OK");
    assert_eq!(observed.state, Some(SourceState::Ended(EndCause::Gone)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(50)))]

    #[test]
    fn games_are_followed_through_lost_connections_on_random_histories(seed: u64) {
        let mut random = SplitMix(seed);
        let plies = 10 + random.below(40);
        let states = growth(plies, &mut random);
        let mut observed = Observed::start("csa://me@host/g?file=http://host/g.csa");
        observed.login();
        observed.on_lines(&framed(&text(&states[0].0, false, Target::Csa)));
        for pair in states.windows(2) {
            let (before, after) = (text(&pair[0].0, false, Target::Csa), text(&pair[1].0, pair[1].1, Target::Csa));
            if random.below(3) == 0 {
                observed.step(CsaEvent::File(Arc::new(read(&before))));
            }
            observed.on_lines("##[MONITOR2][x] +7776FU\n##[CHAT][x] hello");
            // A move, without its evaluation. Otherwise the connection is lost or a move is taken back.
                        if let Some(added) = after.strip_prefix(before.as_slice()) && random.below(4) > 0 {
                let added = String::from_utf8(added.to_vec()).unwrap();
                let added: Vec<&str> = added.lines().filter(|line| !line.starts_with('\'')).collect();
                observed.on_lines(&framed(added.join("\n").as_bytes()));
                continue;
            }
            observed.step(CsaEvent::Failed(SourceProblem::Closed));
            observed.pass();
            observed.login();
            observed.on_lines(&framed(&after));
        }
        let last = text(&states.last().unwrap().0, true, Target::Csa);
        observed.step(CsaEvent::File(Arc::new(read(&last))));
        prop_assert_eq!(observed.game.as_deref(), Some(&read(&last)));
        prop_assert_eq!(observed.state, Some(SourceState::Ended(EndCause::GameOver)));
    }
}

#[test]
fn a_log_has_a_limit() {
    let mut observed = Observed::start("csa://me@host/g");
    observed.login();
    let line = format!("##[MONITOR2][g] '{}", "x".repeat(10_000));
    for _ in 0..500 {
        observed.on_lines(&line);
    }
    assert!(matches!(
        observed.state,
        Some(SourceState::Lost {
            problem: SourceProblem::TooLarge,
            ..
        })
    ));
}

/// Returns the lines of a log with this number of moves. Three pieces move in circles on separate parts of the board.
fn long_game(moves: usize) -> Vec<String> {
    let cycle = ["+2838HI", "-8272HI", "+3828HI", "-7282HI"];
    let moves = cycle
        .iter()
        .cycle()
        .take(moves)
        .flat_map(|mv| [(*mv).to_owned(), "T1".to_owned()]);
    ["V2.2", "N+A", "N-B", "PI", "+"]
        .map(str::to_owned)
        .into_iter()
        .chain(moves)
        .collect()
}

/// The cost of a log grows with its length, for any division into pieces.
#[test]
fn each_line_of_a_log_is_parsed_once() {
    let lines = long_game(8000);
    let parsed = |per_move: &[&str]| {
        let mut observed = Observed::start("csa://me@host/g");
        observed.login();
        let mut reports = 0;
        for (number, line) in lines.iter().enumerate() {
            for line in std::iter::once(&line.as_str()).chain(per_move) {
                observed.step(CsaEvent::Line(format!("##[MONITOR2][g] {line}").into_bytes()));
            }
            // Two hundred lines per second.
            observed.now += Duration::from_millis(5);
            if observed
                .core
                .deadline()
                .is_some_and(|deadline| deadline <= observed.now)
            {
                let before = observed.game.clone();
                observed.step(CsaEvent::Deadline);
                reports += usize::from(observed.game != before);
            }
            assert!(reports <= number / 20 + 1, "{reports} reports of {number} lines");
        }
        observed.now += REPORT_INTERVAL;
        observed.step(CsaEvent::Deadline);
        assert_eq!(observed.game.map(|game| game.len()), Some(8000), "{per_move:?}");
        observed.core.parsed_lines()
    };
    assert_eq!(parsed(&[]), lines.len() - 1);
    assert_eq!(parsed(&["+OK"]), lines.len() - 1);
    assert_eq!(parsed(&["'$END_TIME is no end"]), 2 * lines.len() - 1);
}

#[test]
fn a_log_that_breaks_off_takes_nothing_back() {
    let mut observed = Observed::start("csa://me:secret@host/g");
    observed.login();
    observed.on_lines(&framed(long_game(20).join("\n").as_bytes()));
    assert_eq!(observed.game.as_ref().map(|game| game.len()), Some(20));
    observed.step(CsaEvent::Failed(SourceProblem::Closed));
    observed.pass();
    observed.login();
    let beginning = framed(long_game(8).join("\n").as_bytes());
    for line in beginning.lines().filter(|line| !line.ends_with("+OK")) {
        observed.step(CsaEvent::Line(line.as_bytes().to_vec()));
    }
    observed.step(CsaEvent::Failed(SourceProblem::Closed));
    assert_eq!(observed.game.as_ref().map(|game| game.len()), Some(20));
    observed.pass();
    observed.login();
    observed.on_lines(&beginning);
    assert_eq!(
        observed.game.map(|game| game.len()),
        Some(8),
        "the server says so itself"
    );
}
