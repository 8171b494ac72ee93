//! Who is given which position, and what becomes of it, with engines that say whatever a test wants.

use super::super::journal::KnownResults;
use super::super::{AnalysisScope, plan};
use super::*;
use crate::kifu;
use crate::kifu::evaluation::{Dialect, Evaluation, Source};
use crate::score::Value;
use crate::session::{Candidate, FailureKind, Restart, SearchInfo, SearchResult, SearchStats};
use crate::shogi::{Color, History};
use crate::text::ProgramExit;

const GAME: &[u8] = b"position startpos moves 7g7f 3c3d 2g2f 8c8d";

/// An analysis and its engines: what each was last told to search.
struct Game {
    work: Scheduler,
    now: Duration,
    wishes: Vec<Option<SearchTarget>>,
    /// What an engine is called, by its number: those of one name are copies.
    names: fn(usize) -> &'static str,
    /// What an engine says of the position after so many moves, searched so long.
    values: fn(usize, Option<Limit>) -> i32,
}

impl Game {
    fn new(record: Record, engines: usize, known: KnownResults, again: bool) -> Self {
        Self::with(record, engines, SecondPass { known, again, deepen: 0 })
    }

    fn with(record: Record, engines: usize, passes: SecondPass) -> Self {
        let plan = plan(&record, AnalysisScope::default());
        let seat = WorkerSlot { name: "user's".to_owned(), is_profile: false, limit: Limit::Nodes(5), multipv: 1 };
        let work = Scheduler::new(Arc::new(record), plan, vec![seat; engines], passes);
        Self { work, now: Duration::ZERO, wishes: vec![None; engines], names: |_| "E0", values: |_, _| 7 }
    }

    fn of(engines: usize) -> Self {
        Self::new(record(), engines, KnownResults::new(), false)
    }

    fn hears(&mut self, engine: usize, snapshot: &Snapshot) {
        let snapshot = Snapshot { engine: (self.names)(engine).to_owned(), ..snapshot.clone() };
        let orders = self.work.on_snapshot(self.now, engine, &snapshot);
        self.obey(orders);
    }

    fn obey(&mut self, orders: Vec<WorkerCommand>) {
        for WorkerCommand { engine, wish } in orders {
            self.wishes[engine] = Some(wish);
        }
    }

    fn pauses(&mut self, paused: bool) {
        let orders = self.work.pause(self.now, paused);
        self.obey(orders);
    }

    /// The engine answers what it was given, a second later.
    fn answers(&mut self, engine: usize) {
        self.now += Duration::from_secs(1);
        let history = self.at(engine).unwrap();
        let candidate = Candidate {
            rank: 1,
            value: Value::Cp((self.values)(history.moves().len(), self.wishes[engine].as_ref().unwrap().limit)),
            bound: None,
            depth: Some(3),
            pv: history.now().legal_moves()[..1].to_vec(),
        };
        let shown =
            SearchInfo { history: Arc::clone(&history), candidates: vec![candidate], figures: SearchStats::default() };
        let answer = Some(SearchResult { history, best: None });
        self.hears(
            engine,
            &Snapshot { state: EngineState::Idle, asked: 1, answer, shown: Some(shown), ..Snapshot::default() },
        );
    }

    fn at(&self, engine: usize) -> Option<Arc<History>> {
        self.wishes[engine].clone().and_then(|wish| wish.position)
    }

    /// Every engine answers what it is given until all is done: what was searched, each with its limit in nodes.
    fn runs(&mut self) -> Vec<(usize, u64)> {
        let mut searched = Vec::new();
        (0..self.wishes.len()).for_each(|engine| self.hears(engine, &state(EngineState::Idle)));
        while !self.work.stage().is_over() {
            for engine in (0..self.wishes.len()).filter(|engine| self.plies()[*engine].is_some()).collect::<Vec<_>>() {
                let wish = self.wishes[engine].clone().unwrap();
                let nodes = match wish.limit {
                    Some(Limit::Nodes(nodes)) => nodes,
                    _ => 5,
                };
                searched.push((wish.position.unwrap().moves().len(), nodes));
                self.answers(engine);
            }
        }
        searched
    }

    /// How many moves lead to what each engine is at.
    fn plies(&self) -> Vec<Option<u16>> {
        self.work.progress(self.now).engines.iter().map(|engine| engine.at).collect()
    }

    fn found(&mut self) -> Vec<(usize, &'static str)> {
        let record = Arc::clone(&self.work.record);
        let found = self.work.take_findings().into_iter().map(|finding| {
            let said = match finding.said {
                FindingKind::Judged(_) => "judged",
                FindingKind::Known(_) => "known",
                FindingKind::Skipped => "skipped",
                FindingKind::Nothing => "nothing",
                FindingKind::GivenUp(..) => "given up",
            };
            (usize::from(record.node(finding.node).ply()), said)
        });
        found.collect()
    }
}

fn record() -> Record {
    kifu::read(GAME).unwrap().games.remove(0)
}

fn state(state: EngineState) -> Snapshot {
    Snapshot { state, ..Snapshot::default() }
}

fn failure() -> EngineFailure {
    EngineFailure { kind: FailureKind::Crashed(ProgramExit::Code(1)), last_lines: Vec::new(), restarts: 0 }
}

/// A restart as it is told: in its pause, and once the engine has been started again.
fn crash(nth: u32) -> [Snapshot; 2] {
    let restart = |pause| state(EngineState::Restarting(Restart { failure: failure(), nth, pause }));
    [restart(Some(Duration::from_millis(500))), restart(None)]
}

#[test]
fn positions_are_given_out_in_turn() {
    let mut game = Game::of(2);
    assert_eq!(game.work.stage(), AnalysisStage::Starting);
    game.hears(0, &state(EngineState::Preparing));
    assert_eq!(game.plies(), [None, None], "who the other is may tell what there is to do");
    game.hears(1, &state(EngineState::Preparing));
    assert_eq!((game.plies(), game.work.stage()), (vec![Some(0), Some(1)], AnalysisStage::Running));
    game.answers(1);
    game.answers(1);
    assert_eq!((game.plies(), game.found()), (vec![Some(0), Some(3)], vec![(1, "judged"), (2, "judged")]));
    let left = game.work.progress(game.now).left;
    // Two and two halves in two seconds, and two and two halves to come.
    assert_eq!(left, Some(Duration::from_secs_f64(2.0 / 3.0 * 2.0)));
    game.answers(0);
    game.answers(1);
    assert_eq!(game.plies(), [Some(4), None]);
    game.answers(0);
    assert_eq!((game.work.stage(), game.work.progress(game.now).done), (AnalysisStage::Finished, 5));
}

#[test]
fn an_answer_to_something_else_is_none() {
    let mut game = Game::of(1);
    game.hears(0, &state(EngineState::Idle));
    let before = game.at(0).unwrap();
    game.answers(0);
    let stale = Some(SearchResult { history: before, best: None });
    game.hears(0, &Snapshot { state: EngineState::Idle, answer: stale, ..Snapshot::default() });
    assert_eq!((game.plies(), game.found().len()), (vec![Some(1)], 1));
    // One that has said nothing of it but of the one before is not taken at that.
    let shown = SearchInfo {
        history: Arc::new(History::new(record().start().clone())),
        candidates: Vec::new(),
        figures: SearchStats::default(),
    };
    let answer = Some(SearchResult { history: game.at(0).unwrap(), best: None });
    game.hears(0, &Snapshot { state: EngineState::Idle, answer, shown: Some(shown), ..Snapshot::default() });
    assert_eq!(game.found(), [(1, "nothing")]);
}

#[test]
fn a_position_is_given_up_and_an_engine_lost() {
    let mut game = Game::of(2);
    (0..2).for_each(|engine| game.hears(engine, &state(EngineState::Idle)));
    for nth in 1..=3 {
        let [pause, started] = crash(nth);
        game.hears(0, &pause);
        game.hears(0, &pause);
        game.hears(0, &started);
    }
    assert_eq!((game.found(), game.plies()), (vec![(0, "given up")], vec![Some(2), Some(1)]));
    assert_eq!(game.work.progress(game.now).engines[0].crashes, 3);
    // What a lost engine was at is the other's.
    game.hears(1, &state(EngineState::Failed(failure())));
    assert_eq!(game.plies(), [Some(2), None]);
    game.answers(0);
    assert_eq!(game.plies(), [Some(1), None]);
    game.hears(0, &state(EngineState::Failed(failure())));
    assert_eq!(game.work.stage(), AnalysisStage::Failed);
}

#[test]
fn what_was_done_is_not_done_again() {
    let done = |engine: &str| {
        let mut record = record();
        let comment = format!("#評価値=3\n#エンジン={engine}");
        let first = record.main_line().next().unwrap();
        record.node_mut(first).notes_mut().comment = Some(comment);
        record
    };
    let known_with = |value| {
        let task = plan(&record(), AnalysisScope::default()).tasks.pop().unwrap();
        let evaluation = Evaluation { value, ..Evaluation::new(Dialect::ShogiHome, Source::Analysis) };
        let of =
            |engine: &str| EngineResult { engine: engine.to_owned(), k: 600.0, evaluations: vec![evaluation.clone()] };
        KnownResults::from([(task.key, vec![of("E0 [nodes 5]"), of("E0 [nodes 6]")])])
    };
    let known = || known_with(Some(Value::Cp(3)));
    let check = |record, known, again, expect: &[(usize, &str)]| {
        let mut game = Game::new(record, 1, known, again);
        game.hears(0, &state(EngineState::Idle));
        assert_eq!(game.found(), expect);
    };
    check(done("E0 [nodes 5]"), KnownResults::new(), false, &[(1, "skipped")]);
    check(done("E0 [nodes 5]"), KnownResults::new(), true, &[]);
    check(done("E0 [nodes 6]"), KnownResults::new(), false, &[(1, "skipped")]);
    check(done("E0 [nodes 4]"), KnownResults::new(), false, &[]);
    check(done("E0 [depth 9]"), KnownResults::new(), false, &[]);
    check(done("E1 [nodes 5]"), KnownResults::new(), false, &[]);
    check(done("E0"), KnownResults::new(), false, &[]);
    check(record(), known(), false, &[(4, "known")]);
    check(done("E0 [nodes 5]"), known(), true, &[(4, "known")]);
    // A search that brought no value is done again.
    check(record(), known_with(None), false, &[]);
}

#[test]
fn a_pause_rests_and_is_no_time() {
    let mut game = Game::of(2);
    (0..2).for_each(|engine| game.hears(engine, &state(EngineState::Idle)));
    game.answers(0);
    game.pauses(true);
    assert!(game.wishes.iter().all(|wish| wish.as_ref().is_some_and(|wish| wish.paused)));
    let left = game.work.progress(game.now).left;
    game.now += Duration::from_secs(1000);
    assert_eq!((game.work.stage(), game.work.progress(game.now).left), (AnalysisStage::Paused, left));
    // One that has just been done is taken, and no other given.
    game.answers(1);
    assert_eq!(game.plies(), [Some(2), None]);
    game.pauses(false);
    assert!(game.wishes.iter().all(|wish| wish.as_ref().is_some_and(|wish| !wish.paused)));
    assert_eq!(game.plies(), [Some(2), Some(3)]);
    game.work.cancel();
    game.answers(0);
    assert_eq!((game.work.stage(), game.plies()), (AnalysisStage::Cancelled, vec![None, Some(3)]));
}

#[test]
fn an_engine_is_called_as_the_user_does_where_its_own_name_says_too_little() {
    let check = |engine: &str, is_profile, expect: &str| {
        let mut game = Game::of(1);
        game.work.hands[0].seat.is_profile = is_profile;
        let snapshot = Snapshot { engine: engine.to_owned(), ..state(EngineState::Idle) };
        let orders = game.work.on_snapshot(Duration::ZERO, 0, &snapshot);
        game.obey(orders);
        let engine = &game.work.progress(game.now).engines[0];
        assert_eq!((engine.signature.as_str(), engine.at), (expect, Some(0)));
    };
    check("", false, "user's [nodes 5]");
    check("YaneuraOu", false, "YaneuraOu [nodes 5]");
    check("", true, "user's [nodes 5]");
    check("user's", true, "user's [nodes 5]");
    check("YaneuraOu", true, "YaneuraOu (user's) [nodes 5]");
    assert_eq!(Game::of(1).work.record.start().side_to_move(), Color::Black);
}

/// A game in which the win rate falls by ten points and more with the third move, until it is looked at for longer.
fn swing(ply: usize, limit: Option<Limit>) -> i32 {
    if ply < 3 || limit.is_some() { 0 } else { 600 }
}

#[test]
fn named_engines_search_every_position_and_copies_share() {
    let searched = |names: fn(usize) -> &'static str, engines: usize| {
        let mut game = Game::of(engines);
        game.names = names;
        let mut plies: Vec<_> = game.runs().into_iter().map(|(ply, _)| ply).collect();
        plies.sort_unstable();
        (plies, game.work.progress(game.now).total)
    };
    assert_eq!(searched(|_| "E", 3), (vec![0, 1, 2, 3, 4], 5));
    let each = |engine| if engine == 0 { "A" } else { "B" };
    assert_eq!(searched(each, 2), (vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4], 10));
    assert_eq!(searched(each, 3), (vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4], 10), "the second and the third are copies");
}

#[test]
fn one_of_two_engines_goes_on_without_the_other() {
    let mut game = Game::of(2);
    game.names = |engine| if engine == 0 { "A" } else { "B" };
    (0..2).for_each(|engine| game.hears(engine, &state(EngineState::Idle)));
    game.answers(0);
    game.hears(0, &state(EngineState::Failed(failure())));
    assert_eq!(
        (game.work.stage(), game.work.progress(game.now).total),
        (AnalysisStage::Running, 6),
        "what it had done counts"
    );
    (0..5).for_each(|_| game.answers(1));
    assert_eq!((game.work.stage(), game.work.progress(game.now).done), (AnalysisStage::Finished, 6));
}

#[test]
fn the_positions_of_a_swing_are_searched_again_for_longer() {
    let passes = |deepen| SecondPass { deepen, ..SecondPass::default() };
    let check = |deepen, values: fn(usize, Option<Limit>) -> i32, expect: &[(usize, u64)]| {
        let mut game = Game::with(record(), 1, passes(deepen));
        game.values = values;
        let searched = game.runs();
        assert_eq!(searched[..5], [0, 1, 2, 3, 4].map(|ply| (ply, 5)));
        assert_eq!(searched[5..], *expect, "{deepen}");
        let progress = game.work.progress(game.now);
        assert_eq!(progress.deeper, [expect.len(); 2]);
        let expect_signed = if deepen > 1 { format!("E0 [nodes {}]", 5 * deepen) } else { String::new() };
        assert_eq!(progress.engines[0].deep_signature, expect_signed);
        let findings = game.work.take_findings();
        let deep = findings.iter().filter(|found| found.is_deep);
        let signed = deep.filter_map(|found| match &found.said {
            FindingKind::Judged(judgement) => Some(judgement.engine.clone()),
            _ => None,
        });
        assert!(signed.eq(expect.iter().map(|(_, nodes)| format!("E0 [nodes {nodes}]"))));
    };
    check(0, swing, &[]);
    check(1, swing, &[]);
    // The third move was nothing, but then the fourth is: what is seen now is looked at as long.
    check(5, swing, &[(2, 25), (3, 25), (4, 25)]);
    check(2, |ply, _| if ply < 3 { 0 } else { 600 }, &[(2, 10), (3, 10)]);
    check(5, |ply, _| if ply < 3 { 0 } else { 200 }, &[]);
    // A rise is a swing as well: one of the two values is wrong.
    check(5, |ply, _| if ply == 2 { -600 } else { 0 }, &[(1, 25), (2, 25), (3, 25)]);
}

#[test]
fn the_second_pass_goes_on_where_it_was_ended() {
    let whole = {
        let mut game = Game::with(record(), 1, SecondPass { deepen: 5, ..SecondPass::default() });
        game.values = swing;
        game.runs();
        game.work.take_findings()
    };
    assert_eq!(whole.len(), 8);
    for kept in 0..=whole.len() {
        let mut known = KnownResults::new();
        for finding in &whole[..kept] {
            let FindingKind::Judged(judgement) = &finding.said else { panic!("{finding:?}") };
            known.entry(finding.key).or_default().push(judgement.clone());
        }
        let mut game = Game::with(record(), 1, SecondPass { known, deepen: 5, ..SecondPass::default() });
        game.values = swing;
        assert_eq!(game.runs().len(), whole.len() - kept, "{kept}");
        let said = |findings: &[Finding]| {
            let of = |found: &Finding| match &found.said {
                FindingKind::Judged(judgement) | FindingKind::Known(judgement) => (found.node, judgement.clone()),
                _ => panic!("{found:?}"),
            };
            let mut said: Vec<_> = findings.iter().map(of).collect();
            said.sort_by_key(|(node, judgement)| (*node, judgement.engine.len()));
            said
        };
        assert_eq!(said(&game.work.take_findings()), said(&whole), "{kept}");
    }
}

#[test]
fn what_was_searched_longer_stays() {
    // The record has the position before the swing from a longer search, and the one after it from a shorter one.
    let mut record = record();
    let nodes: Vec<_> = record.main_line().collect();
    for (node, said) in
        [(nodes[1], "#評価値=0\n#エンジン=E0 [nodes 99]"), (nodes[2], "#評価値=600\n#エンジン=E0 [nodes 6]")]
    {
        record.node_mut(node).notes_mut().comment = Some(said.to_owned());
    }
    let mut game = Game::with(record, 1, SecondPass { deepen: 5, ..SecondPass::default() });
    game.values = |ply, _| if ply < 3 { 0 } else { 600 };
    assert_eq!(game.runs(), [(0, 5), (1, 5), (4, 5), (3, 25)]);
}

#[test]
fn the_time_that_is_left_includes_the_second_pass() {
    let mut game = Game::with(record(), 1, SecondPass { deepen: 5, ..SecondPass::default() });
    game.values = |ply, _| if ply < 1 { 0 } else { 600 };
    game.hears(0, &state(EngineState::Idle));
    game.answers(0);
    // One and a half in a second; three and a half to come.
    let check = |game: &Game, expect: f64| {
        let left = game.work.progress(game.now).left.unwrap().as_secs_f64();
        assert!((left - expect).abs() < 1e-6, "{left}, not {expect}");
    };
    check(&game, 3.5 / 1.5);
    game.answers(0);
    // Both are in a swing so far: so may be all five, each for five times as long.
    check(&game, 2.0 / 2.5 * (2.5 + 5.0 * 5.0));
    (0..3).for_each(|_| game.answers(0));
    // Two of them were, of which one is under way.
    check(&game, 5.0 / 7.5 * 7.5);
    assert_eq!(game.work.progress(game.now).pass(), ([0, 2], true));
}
