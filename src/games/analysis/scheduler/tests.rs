//! Tests of the scheduler, with simulated engines.

use super::super::journal::KnownResults;
use super::super::{AnalysisScope, plan};
use super::*;

use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::process::ExitReason;
use shogibar_engine::session::{FailureKind, Restart, SearchResult};
use shogibar_kifu::evaluation::{Dialect, Evaluation, Source};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, History};
use std::collections::HashSet;

const GAME: &[u8] = b"position startpos moves 7g7f 3c3d 2g2f 8c8d";

/// A scheduler with simulated engines, and the last target of each engine.
struct SimulatedAnalysis {
    scheduler: Scheduler,
    record: Arc<Record>,
    now: Duration,
    targets: Vec<Option<SearchTarget>>,
    /// The name of an engine by its index. Engines with the same name are copies.
    names: fn(usize) -> &'static str,
    /// The value of an engine for the position of a ply, with a limit.
    values: fn(usize, Option<Limit>) -> i32,
}

impl SimulatedAnalysis {
    fn new(record: Record, engines: usize, known: KnownResults, again: bool) -> Self {
        Self::with_settings(
            record,
            engines,
            PassSettings {
                known_results: known,
                repeats_searches: again,
                deepen: 0,
            },
        )
    }

    fn with_settings(record: Record, engines: usize, pass_settings: PassSettings) -> Self {
        let plan = plan(&record, AnalysisScope::default());
        let slot = WorkerSlot {
            name: "user's".to_owned(),
            is_profile: false,
            limit: Limit::Nodes(5),
            multipv: 1,
        };
        let (mut scheduler, record) = (
            Scheduler::new(vec![slot; engines], pass_settings.deepen),
            Arc::new(record),
        );
        let game = AnalysisGame {
            number: 0,
            record: Arc::clone(&record),
            plan,
            pass_settings,
        };
        assert!(
            scheduler.add(Duration::ZERO, game).is_empty(),
            "no engine is ready"
        );
        scheduler.close();
        Self {
            scheduler,
            record,
            now: Duration::ZERO,
            targets: vec![None; engines],
            names: |_| "E0",
            values: |_, _| 7,
        }
    }

    fn with_engines(engines: usize) -> Self {
        Self::new(record(), engines, KnownResults::new(), false)
    }

    fn update(&mut self, engine: usize, snapshot: &Snapshot) {
        let snapshot = Snapshot {
            engine: (self.names)(engine).to_owned(),
            ..snapshot.clone()
        };
        let commands = self.scheduler.on_snapshot(self.now, engine, &snapshot);
        self.apply(commands);
    }

    fn apply(&mut self, commands: Vec<WorkerCommand>) {
        for WorkerCommand { engine, target } in commands {
            self.targets[engine] = Some(target);
        }
    }

    fn set_paused(&mut self, is_paused: bool) {
        let commands = self.scheduler.set_paused(self.now, is_paused);
        self.apply(commands);
    }

    /// Lets the engine answer its current position, one second later.
    fn answer(&mut self, engine: usize) {
        self.now += Duration::from_secs(1);
        let history = self.position_of(engine).unwrap();
        let candidate = Candidate {
            rank: 1,
            value: Value::Cp((self.values)(
                history.moves().len(),
                self.targets[engine].as_ref().unwrap().limit,
            )),
            bound: None,
            depth: Some(3),
            pv: history.now().legal_moves()[..1].to_vec(),
        };
        let shown = SearchInfo {
            history: Arc::clone(&history),
            candidates: vec![candidate],
            stats: SearchStats::default(),
        };
        let answer = Some(SearchResult {
            history,
            best_move: None.into(),
        });
        self.update(
            engine,
            &Snapshot {
                state: EngineState::Idle,
                multipv: 1,
                result: answer,
                search_info: Some(shown),
                ..Snapshot::default()
            },
        );
    }

    fn position_of(&self, engine: usize) -> Option<Arc<History>> {
        self.targets[engine].clone().and_then(|target| target.position)
    }

    /// Lets every engine answer until the analysis ends. Returns the searched plies with their node limits.
    fn run(&mut self) -> Vec<(usize, u64)> {
        let mut searched = Vec::new();
        (0..self.targets.len()).for_each(|engine| self.update(engine, &state(EngineState::Idle)));
        while !self.scheduler.stage().is_over() {
            for engine in (0..self.targets.len())
                .filter(|engine| self.plies()[*engine].is_some())
                .collect::<Vec<_>>()
            {
                let target = self.targets[engine].clone().unwrap();
                let nodes = match target.limit {
                    Some(Limit::Nodes(nodes)) => nodes,
                    _ => 5,
                };
                searched.push((target.position.unwrap().moves().len(), nodes));
                self.answer(engine);
            }
        }
        searched
    }

    /// Returns the ply that each engine is searching.
    fn plies(&self) -> Vec<Option<u16>> {
        self.scheduler
            .progress(self.now)
            .engines
            .iter()
            .map(|engine| engine.ply)
            .collect()
    }

    /// Removes and returns the findings: ply and kind.
    fn take_found(&mut self) -> Vec<(usize, &'static str)> {
        let record = Arc::clone(&self.record);
        let found = self.scheduler.take_findings().into_iter().map(|finding| {
            let outcome = match finding.outcome {
                FindingKind::Searched(_) => "searched",
                FindingKind::Known(_) => "known",
                FindingKind::Skipped => "skipped",
                FindingKind::Nothing => "nothing",
                FindingKind::GivenUp(..) => "given up",
            };
            (usize::from(record.node(finding.node).ply()), outcome)
        });
        found.collect()
    }
}

fn record() -> Record {
    shogibar_kifu::read(GAME).unwrap().games.remove(0)
}

fn state(state: EngineState) -> Snapshot {
    Snapshot {
        state,
        ..Snapshot::default()
    }
}

fn failure() -> EngineFailure {
    EngineFailure {
        kind: FailureKind::Crashed(Some(ExitReason::Code(1))),
        last_lines: Vec::new(),
        restart_count: 0,
    }
}

/// Creates the snapshots of a restart: during its pause, and after the engine has been started again.
fn crash(nth: u32) -> [Snapshot; 2] {
    let restart = |pause| {
        state(EngineState::Restarting(Restart {
            failure: failure(),
            number: nth,
            pause,
        }))
    };
    [restart(Some(Duration::from_millis(500))), restart(None)]
}

#[test]
fn positions_are_assigned_in_turn() {
    let mut game = SimulatedAnalysis::with_engines(2);
    assert_eq!(game.scheduler.stage(), AnalysisStage::Starting);
    game.update(0, &state(EngineState::Preparing));
    assert_eq!(
        game.plies(),
        [None, None],
        "the other engine may have the same signature"
    );
    game.update(1, &state(EngineState::Preparing));
    assert_eq!(
        (game.plies(), game.scheduler.stage()),
        (vec![Some(0), Some(1)], AnalysisStage::Running)
    );
    game.answer(1);
    game.answer(1);
    assert_eq!(
        (game.plies(), game.take_found()),
        (vec![Some(0), Some(3)], vec![(1, "searched"), (2, "searched")])
    );
    let remaining = game.scheduler.progress(game.now).remaining_time;
    // Two positions and two halves took two seconds; two positions and two halves remain.
    assert_eq!(remaining, Some(Duration::from_secs_f64(2.0 / 3.0 * 2.0)));
    game.answer(0);
    game.answer(1);
    assert_eq!(game.plies(), [Some(4), None]);
    game.answer(0);
    assert_eq!(
        (
            game.scheduler.stage(),
            game.scheduler.progress(game.now).done_searches
        ),
        (AnalysisStage::Finished, 5)
    );
}

#[test]
fn answer_to_another_position_is_ignored() {
    let mut game = SimulatedAnalysis::with_engines(1);
    game.update(0, &state(EngineState::Idle));
    let before = game.position_of(0).unwrap();
    game.answer(0);
    let stale = Some(SearchResult {
        history: before,
        best_move: None.into(),
    });
    game.update(
        0,
        &Snapshot {
            state: EngineState::Idle,
            result: stale,
            ..Snapshot::default()
        },
    );
    assert_eq!((game.plies(), game.take_found().len()), (vec![Some(1)], 1));
    // Search info about the previous position is not used as the result.
    let shown = SearchInfo {
        history: Arc::new(History::new(record().start().clone())),
        candidates: Vec::new(),
        stats: SearchStats::default(),
    };
    let answer = Some(SearchResult {
        history: game.position_of(0).unwrap(),
        best_move: None.into(),
    });
    game.update(
        0,
        &Snapshot {
            state: EngineState::Idle,
            result: answer,
            search_info: Some(shown),
            ..Snapshot::default()
        },
    );
    assert_eq!(game.take_found(), [(1, "nothing")]);
}

#[test]
fn repeated_crashes_give_up_the_position() {
    let mut game = SimulatedAnalysis::with_engines(2);
    (0..2).for_each(|engine| game.update(engine, &state(EngineState::Idle)));
    for nth in 1..=3 {
        let [pause, started] = crash(nth);
        game.update(0, &pause);
        game.update(0, &pause);
        game.update(0, &started);
    }
    assert_eq!(
        (game.take_found(), game.plies()),
        (vec![(0, "given up")], vec![Some(2), Some(1)])
    );
    assert_eq!(game.scheduler.progress(game.now).engines[0].crashes, 3);
    // The position of a failed engine goes to the other.
    game.update(1, &state(EngineState::Failed(failure())));
    assert_eq!(game.plies(), [Some(2), None]);
    game.answer(0);
    assert_eq!(game.plies(), [Some(1), None]);
    game.update(0, &state(EngineState::Failed(failure())));
    assert_eq!(game.scheduler.stage(), AnalysisStage::Failed);
}

#[test]
fn known_results_are_not_searched_again() {
    let done = |engine: &str| {
        let mut record = record();
        let comment = format!("#評価値=3\n#エンジン={engine}");
        let first = record.main_line().next().unwrap();
        record.node_mut(first).notes_mut().comment = Some(comment);
        record
    };
    let known_with = |value| {
        let task = plan(&record(), AnalysisScope::default()).tasks.pop().unwrap();
        let evaluation = Evaluation {
            value,
            ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
        };
        let of = |engine: &str| EngineResult {
            engine: engine.to_owned(),
            model: WinRateModel::default(),
            evaluations: vec![evaluation.clone()],
        };
        KnownResults::from([(task.key, vec![of("E0 [nodes 5]"), of("E0 [nodes 6]")])])
    };
    let known = || known_with(Some(Value::Cp(3)));
    let check = |record, known, again, expect: &[(usize, &str)]| {
        let mut game = SimulatedAnalysis::new(record, 1, known, again);
        game.update(0, &state(EngineState::Idle));
        assert_eq!(game.take_found(), expect);
    };
    check(
        done("E0 [nodes 5]"),
        KnownResults::new(),
        false,
        &[(1, "skipped")],
    );
    check(done("E0 [nodes 5]"), KnownResults::new(), true, &[]);
    check(
        done("E0 [nodes 6]"),
        KnownResults::new(),
        false,
        &[(1, "skipped")],
    );
    check(done("E0 [nodes 4]"), KnownResults::new(), false, &[]);
    check(done("E0 [depth 9]"), KnownResults::new(), false, &[]);
    check(done("E1 [nodes 5]"), KnownResults::new(), false, &[]);
    check(done("E0"), KnownResults::new(), false, &[]);
    check(record(), known(), false, &[(4, "known")]);
    check(done("E0 [nodes 5]"), known(), true, &[(4, "known")]);
    // A search that gave no value is repeated.
    check(record(), known_with(None), false, &[]);
}

#[test]
fn pause_stops_the_searches_and_the_clock() {
    let mut game = SimulatedAnalysis::with_engines(2);
    (0..2).for_each(|engine| game.update(engine, &state(EngineState::Idle)));
    game.answer(0);
    game.set_paused(true);
    assert!(
        game.targets
            .iter()
            .all(|target| target.as_ref().is_some_and(|target| target.is_paused))
    );
    let remaining = game.scheduler.progress(game.now).remaining_time;
    game.now += Duration::from_secs(1000);
    assert_eq!(
        (
            game.scheduler.stage(),
            game.scheduler.progress(game.now).remaining_time
        ),
        (AnalysisStage::Paused, remaining)
    );
    // The result of a search that has just ended is kept, and no new position is assigned.
    game.answer(1);
    assert_eq!(game.plies(), [Some(2), None]);
    game.set_paused(false);
    assert!(
        game.targets
            .iter()
            .all(|target| target.as_ref().is_some_and(|target| !target.is_paused))
    );
    assert_eq!(game.plies(), [Some(2), Some(3)]);
    game.scheduler.cancel();
    game.answer(0);
    assert_eq!(
        (game.scheduler.stage(), game.plies()),
        (AnalysisStage::Cancelled, vec![None, Some(3)])
    );
}

#[test]
fn signature_includes_the_profile_name_if_needed() {
    let check = |engine: &str, is_profile, expect: &str| {
        let mut game = SimulatedAnalysis::with_engines(1);
        game.scheduler.workers[0].slot.is_profile = is_profile;
        let snapshot = Snapshot {
            engine: engine.to_owned(),
            ..state(EngineState::Idle)
        };
        let commands = game.scheduler.on_snapshot(Duration::ZERO, 0, &snapshot);
        game.apply(commands);
        let engine = &game.scheduler.progress(game.now).engines[0];
        assert_eq!((engine.signature.as_str(), engine.ply), (expect, Some(0)));
    };
    check("", false, "user's [nodes 5]");
    check("YaneuraOu", false, "YaneuraOu [nodes 5]");
    check("", true, "user's [nodes 5]");
    check("user's", true, "user's [nodes 5]");
    check("YaneuraOu", true, "YaneuraOu (user's) [nodes 5]");
    assert_eq!(
        SimulatedAnalysis::with_engines(1).record.start().side_to_move(),
        Color::Black
    );
}

/// Returns values with a swing at the third move, which a longer search makes vanish.
fn swing(ply: usize, limit: Option<Limit>) -> i32 {
    if ply < 3 || limit.is_some() { 0 } else { 600 }
}

#[test]
fn copies_share_positions_and_other_engines_search_all() {
    let searched = |names: fn(usize) -> &'static str, engines: usize| {
        let mut game = SimulatedAnalysis::with_engines(engines);
        game.names = names;
        let mut plies: Vec<_> = game.run().into_iter().map(|(ply, _)| ply).collect();
        plies.sort_unstable();
        (plies, game.scheduler.progress(game.now).total)
    };
    assert_eq!(searched(|_| "E", 3), (vec![0, 1, 2, 3, 4], 5));
    let each = |engine| if engine == 0 { "A" } else { "B" };
    assert_eq!(searched(each, 2), (vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4], 10));
    assert_eq!(
        searched(each, 3),
        (vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4], 10),
        "the second and the third are copies"
    );
}

#[test]
fn analysis_continues_without_a_failed_engine() {
    let mut game = SimulatedAnalysis::with_engines(2);
    game.names = |engine| if engine == 0 { "A" } else { "B" };
    (0..2).for_each(|engine| game.update(engine, &state(EngineState::Idle)));
    game.answer(0);
    game.update(0, &state(EngineState::Failed(failure())));
    assert_eq!(
        (game.scheduler.stage(), game.scheduler.progress(game.now).total),
        (AnalysisStage::Running, 6),
        "what it had done counts"
    );
    (0..5).for_each(|_| game.answer(1));
    assert_eq!(
        (
            game.scheduler.stage(),
            game.scheduler.progress(game.now).done_searches
        ),
        (AnalysisStage::Finished, 6)
    );
}

#[test]
fn positions_of_a_swing_are_searched_longer() {
    let pass_settings = |deepen| PassSettings {
        deepen,
        ..PassSettings::default()
    };
    let check = |deepen, values: fn(usize, Option<Limit>) -> i32, expect: &[(usize, u64)]| {
        let mut game = SimulatedAnalysis::with_settings(record(), 1, pass_settings(deepen));
        game.values = values;
        let searched = game.run();
        assert_eq!(searched[..5], [0, 1, 2, 3, 4].map(|ply| (ply, 5)));
        assert_eq!(searched[5..], *expect, "{deepen}");
        let progress = game.scheduler.progress(game.now);
        assert_eq!(progress.second_pass, [expect.len(); 2]);
        let expect_signed = if deepen > 1 {
            format!("E0 [nodes {}]", 5 * deepen)
        } else {
            String::new()
        };
        assert_eq!(progress.engines[0].deep_signature, expect_signed);
        let findings = game.scheduler.take_findings();
        let deep = findings.iter().filter(|found| found.is_deep);
        let signed = deep.filter_map(|found| match &found.outcome {
            FindingKind::Searched(result) => Some(result.engine.clone()),
            _ => None,
        });
        assert!(signed.eq(expect.iter().map(|(_, nodes)| format!("E0 [nodes {nodes}]"))));
    };
    check(0, swing, &[]);
    check(1, swing, &[]);
    // The longer search removes the swing at the third move and shows one at the fourth. That one is searched with the
    // longer limit, too.
    check(5, swing, &[(2, 25), (3, 25), (4, 25)]);
    check(2, |ply, _| if ply < 3 { 0 } else { 600 }, &[(2, 10), (3, 10)]);
    check(5, |ply, _| if ply < 3 { 0 } else { 200 }, &[]);
    // A rise of the win rate is a swing, too: one of the two values is wrong.
    check(
        5,
        |ply, _| if ply == 2 { -600 } else { 0 },
        &[(1, 25), (2, 25), (3, 25)],
    );
}

#[test]
fn second_pass_resumes_where_it_was_interrupted() {
    let whole = {
        let mut game = SimulatedAnalysis::with_settings(
            record(),
            1,
            PassSettings {
                deepen: 5,
                ..PassSettings::default()
            },
        );
        game.values = swing;
        game.run();
        game.scheduler.take_findings()
    };
    assert_eq!(whole.len(), 8);
    for count in 0..=whole.len() {
        let mut known = KnownResults::new();
        for finding in &whole[..count] {
            let FindingKind::Searched(result) = &finding.outcome else {
                panic!("{finding:?}")
            };
            known.entry(finding.key).or_default().push(result.clone());
        }
        let mut game = SimulatedAnalysis::with_settings(
            record(),
            1,
            PassSettings {
                known_results: known,
                deepen: 5,
                ..PassSettings::default()
            },
        );
        game.values = swing;
        assert_eq!(game.run().len(), whole.len() - count, "{count}");
        let sorted = |findings: &[Finding]| {
            let of = |found: &Finding| match &found.outcome {
                FindingKind::Searched(result) | FindingKind::Known(result) => (found.node, result.clone()),
                _ => panic!("{found:?}"),
            };
            let mut list: Vec<_> = findings.iter().map(of).collect();
            list.sort_by_key(|(node, result)| (*node, result.engine.len()));
            list
        };
        assert_eq!(sorted(&game.scheduler.take_findings()), sorted(&whole), "{count}");
    }
}

#[test]
fn result_of_a_longer_search_is_kept() {
    // In the record, the position before the swing has a longer search, and the one after it a shorter one.
    let mut record = record();
    let nodes: Vec<_> = record.main_line().collect();
    for (node, comment) in [
        (nodes[1], "#評価値=0\n#エンジン=E0 [nodes 99]"),
        (nodes[2], "#評価値=600\n#エンジン=E0 [nodes 6]"),
    ] {
        record.node_mut(node).notes_mut().comment = Some(comment.to_owned());
    }
    let mut game = SimulatedAnalysis::with_settings(
        record,
        1,
        PassSettings {
            deepen: 5,
            ..PassSettings::default()
        },
    );
    game.values = |ply, _| if ply < 3 { 0 } else { 600 };
    assert_eq!(game.run(), [(0, 5), (1, 5), (4, 5), (3, 25)]);
}

#[test]
fn remaining_time_includes_the_second_pass() {
    let mut game = SimulatedAnalysis::with_settings(
        record(),
        1,
        PassSettings {
            deepen: 5,
            ..PassSettings::default()
        },
    );
    game.values = |ply, _| if ply < 1 { 0 } else { 600 };
    game.update(0, &state(EngineState::Idle));
    game.answer(0);
    // One and a half positions took a second; three and a half remain.
    let check = |game: &SimulatedAnalysis, expect: f64| {
        let remaining = game
            .scheduler
            .progress(game.now)
            .remaining_time
            .unwrap()
            .as_secs_f64();
        assert!((remaining - expect).abs() < 1e-6, "{remaining}, not {expect}");
    };
    check(&game, 3.5 / 1.5);
    game.answer(0);
    // Both known positions are in a swing, so all five may be, each for five times as long.
    check(&game, 2.0 / 2.5 * (2.5 + 5.0 * 5.0));
    (0..3).for_each(|_| game.answer(0));
    // Two of them are in a swing; one is being searched.
    check(&game, 5.0 / 7.5 * 7.5);
    assert_eq!(game.scheduler.progress(game.now).pass(), ([0, 2], true));
}

#[test]
fn next_game_begins_before_the_last_position_of_the_former_is_done() {
    let mut game = SimulatedAnalysis::with_engines(2);
    game.scheduler.is_closed = false;
    let next = AnalysisGame {
        number: 7,
        record: Arc::clone(&game.record),
        plan: plan(&game.record, AnalysisScope::default()),
        pass_settings: PassSettings::default(),
    };
    let commands = game.scheduler.add(game.now, next);
    game.apply(commands);
    game.scheduler.close();
    (0..2).for_each(|engine| game.update(engine, &state(EngineState::Idle)));
    assert_eq!(
        (game.plies(), game.scheduler.waiting_position_count()),
        (vec![Some(0), Some(1)], 8)
    );
    (0..3).for_each(|_| game.answer(1));
    assert_eq!(game.plies(), [Some(0), Some(4)]);
    game.answer(1);
    // The first engine is still searching the first game.
    assert_eq!(game.plies(), [Some(0), Some(0)]);
    assert!(game.scheduler.take_ended_games().is_empty());
    game.answer(0);
    assert_eq!(
        (game.scheduler.take_ended_games(), game.scheduler.stage()),
        (vec![0], AnalysisStage::Running)
    );
    assert_eq!(game.plies(), [Some(1), Some(0)]);
    game.run();
    let found: Vec<_> = game
        .scheduler
        .take_findings()
        .into_iter()
        .map(|finding| (finding.game, finding.node))
        .collect();
    for number in [0, 7] {
        let nodes: HashSet<_> = found
            .iter()
            .filter(|(game, _)| *game == number)
            .map(|(_, node)| node)
            .collect();
        assert_eq!(nodes.len(), 5, "{number}: {found:?}");
    }
    assert_eq!(
        (
            found.len(),
            game.scheduler.take_ended_games(),
            game.scheduler.stage()
        ),
        (10, vec![7], AnalysisStage::Finished)
    );
}
