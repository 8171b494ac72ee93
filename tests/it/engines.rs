//! Sessions with real programs: engines on every position of a game, and programs that are not engines.

use crate::support::{self, PATIENCE};

use shogibar_engine::process::{ExitReason, Program, StartError};
use shogibar_engine::session::{EngineState, FailureKind, Session, SessionConfig, Snapshot};
use shogibar_shogi::History;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs one engine at a time. Several engines would compete for the processor, and a process left behind is identified
/// only by its program.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

pub(crate) struct Running {
    pub(crate) session: Session,
    rings: Receiver<()>,
    wakes: Arc<AtomicUsize>,
    pub(crate) newest_snapshot: Snapshot,
}

impl Running {
    pub(crate) fn start(program: &Path, arguments: &[&str], settings: SessionConfig) -> Self {
        let (ring, rings) = sync_channel(1);
        let program = Program {
            path: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            ..Program::default()
        };
        let wakes = Arc::new(AtomicUsize::new(0));
        let woken = Arc::clone(&wakes);
        let wake = move || {
            woken.fetch_add(1, Ordering::Relaxed);
            let _rung_already = ring.try_send(());
        };
        let session = Session::start(program, settings, wake).unwrap();
        Self {
            session,
            rings,
            wakes,
            newest_snapshot: Snapshot::default(),
        }
    }

    /// Checks each new snapshot, until `enough` or for `at_most`. Returns whether `enough` was reached.
    pub(crate) fn watch(&mut self, at_most: Duration, enough: impl Fn(&Snapshot) -> bool) -> bool {
        let until = Instant::now() + at_most;
        while !enough(&self.newest_snapshot) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let _nothing_new = self.rings.recv_timeout(left);
            if let Some(snapshot) = self.session.snapshot() {
                check(&snapshot);
                self.newest_snapshot = snapshot;
            }
        }
        true
    }
}

/// Checks that every pv is legal in the position of its value.
fn check(snapshot: &Snapshot) {
    let Some(shown) = &snapshot.search_info else {
        return;
    };
    for candidate in &shown.candidates {
        let mut position = shown.history.now().clone();
        for mv in &candidate.pv {
            position
                .play(*mv)
                .unwrap_or_else(|reason| panic!("{mv} under {}: {reason}", shown.history.now().sfen()));
        }
    }
}

fn example() -> Vec<Arc<History>> {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/selfplay.kif")).unwrap();
    let (record, warnings) = shogibar_kifu::read(&bytes).unwrap().into_first().unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    (0..=record.len())
        .map(|ply| Arc::new(record.history(ply)))
        .collect()
}

pub(crate) fn settings() -> SessionConfig {
    // gpsusi needs two seconds of processor time before its first line, and the machine may be busy.
    let usi_ok_timeout = PATIENCE;
    SessionConfig {
        hash_mb: 16,
        usi_ok_timeout,
        presets: shogibar_config::built_in_presets(),
        ..SessionConfig::default()
    }
}

/// Returns the children of this process that run `program`. While this process runs, they stay its children. Tests find
/// grandchildren by process id instead.
fn left_running(program: &Path) -> Vec<PathBuf> {
    let us = std::process::id().to_string();
    let program = program.canonicalize().unwrap();
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ours = processes.filter_map(|entry| {
        let path = entry.ok()?.path();
        let status = std::fs::read_to_string(path.join("status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim();
        let same = std::fs::read_link(path.join("exe")).ok()? == program;
        (parent == us && same).then_some(path)
    });
    ours.collect()
}

/// Checks that no child runs this program any more. Children of other tests run only for a short time.
pub(crate) fn check_nothing_left(program: &Path) {
    let nothing_left = support::eventually(|| left_running(program).is_empty());
    assert!(nothing_left, "left behind: {:?}", left_running(program));
}

/// Steps through a game faster than an engine can follow. At every tenth position, it waits for the value of the
/// position. `benches/first_value.rs` measures the time to the first value.
fn check_game(program: &Path, arguments: &[&str], settings: SessionConfig) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let positions = example();
    assert!(
        positions.len() > 100,
        "the example has {} positions",
        positions.len()
    );
    let mut engine = Running::start(program, arguments, settings);
    assert!(
        engine.watch(PATIENCE, |snapshot| snapshot.state == EngineState::Idle),
        "{:?}",
        engine.newest_snapshot
    );
    for (number, position) in (1..).zip(&positions) {
        engine.session.set_target(Some(Arc::clone(position)));
        let has_value = |snapshot: &Snapshot| {
            snapshot
                .search_info
                .as_ref()
                .is_some_and(|shown| shown.history == *position)
        };
        if number % 10 == 0 || number == positions.len() {
            assert!(
                engine.watch(PATIENCE, has_value),
                "it stalled at {number}: {:?}",
                engine.newest_snapshot
            );
        } else {
            let _not_yet = engine.watch(Duration::from_millis(20), has_value);
        }
        assert!(
            !matches!(engine.newest_snapshot.state, EngineState::Failed(_)),
            "{:?}",
            engine.newest_snapshot
        );
    }
    check_extra_rook(&mut engine);
    assert!(
        !cfg!(target_os = "linux") || !left_running(program).is_empty(),
        "a running engine is not seen"
    );
    drop(engine);
    check_nothing_left(program);
}

/// Checks that Black's share is over half with White's rook in hand, for both sides to move.
fn check_extra_rook(engine: &mut Running) {
    for side in ["b", "w"] {
        let sfen = format!("sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {side} R 1");
        let position = Arc::new(History::from_usi(&sfen).unwrap());
        engine.session.set_target(Some(Arc::clone(&position)));
        let judged = |snapshot: &Snapshot| {
            snapshot
                .search_info
                .as_ref()
                .is_some_and(|shown| *shown.history == *position && shown.stats.depth >= Some(4))
        };
        assert!(engine.watch(PATIENCE, judged), "{:?}", engine.newest_snapshot);
        let value = engine.newest_snapshot.search_info.as_ref().unwrap().candidates[0].value;
        let share = engine.newest_snapshot.model.win_rate(value);
        assert!(
            share > 0.5,
            "{}: {value:?} with {side} to move, {share}",
            engine.newest_snapshot.engine
        );
    }
}

#[test]
fn the_built_in_engine_evaluates_a_game() {
    check_game(Path::new(env!("CARGO_BIN_EXE_shogibar")), &["engine"], settings());
}

#[test]
fn fairy_stockfish_evaluates_a_game() {
    if let Some(program) = support::engine("fairy-stockfish") {
        check_game(&program, &[], settings());
    }
}

#[test]
fn gpsusi_evaluates_a_game() {
    if let Some(program) = support::engine("gpsusi") {
        // The first value of this engine comes after a second, at depth 7.
        check_game(&program, &[], settings());
    }
}

/// Tests any engine, by the command in `SHOGIBAR_TEST_ENGINE`, split at spaces. Engines of
/// `docs/engines.md` without a system package were run this way.
#[test]
fn the_engine_in_the_environment_evaluates_a_game() {
    let Ok(command) = std::env::var("SHOGIBAR_TEST_ENGINE") else {
        return;
    };
    let words: Vec<&str> = command.split_whitespace().collect();
    // Some engines print nothing before a search ends.
    let settings = SessionConfig {
        time_limit: Some(Duration::from_secs(2)),
        ..settings()
    };
    check_game(Path::new(words[0]), &words[1..], settings);
}

#[test]
fn a_missing_working_folder_is_named_in_the_error() {
    let program = Program {
        path: "/bin/sh".into(),
        folder: Some("/nowhere/at all".into()),
        ..Default::default()
    };
    let error = program.start(|_| {}, |_| {}).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "the folder /nowhere/at all does not exist");
}

/// Starts a program that is not an engine. Returns the failure and its last lines.
fn fails(program: &Path, arguments: &[&str]) -> (FailureKind, Vec<String>) {
    fails_within(PATIENCE, program, arguments)
}

/// Starts a program that never prints `usiok`, with a deadline of one second. Returns the failure and its last lines.
fn fails_silently(program: &Path, arguments: &[&str]) -> (FailureKind, Vec<String>) {
    fails_within(Duration::from_secs(1), program, arguments)
}

fn fails_within(usi_ok_timeout: Duration, program: &Path, arguments: &[&str]) -> (FailureKind, Vec<String>) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let settings = SessionConfig {
        usi_ok_timeout,
        ..settings()
    };
    let mut engine = Running::start(program, arguments, settings);
    engine.session.set_target(Some(Arc::clone(&example()[0])));
    let failed = engine.watch(PATIENCE, |snapshot| {
        matches!(snapshot.state, EngineState::Failed(_))
    });
    assert!(failed, "{}: {:?}", program.display(), engine.newest_snapshot);
    let EngineState::Failed(failure) = engine.newest_snapshot.state.clone() else {
        panic!("it failed")
    };
    drop(engine);
    if program.exists() {
        check_nothing_left(program);
    }
    (failure.kind, failure.last_lines)
}

#[test]
fn a_file_that_cannot_run_fails_with_its_kind() {
    let nowhere = Path::new("/nowhere/engine");
    assert_eq!(
        fails(nowhere, &[]).0,
        FailureKind::NotStarted(StartError::NotFound("/nowhere/engine".into()))
    );

    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    assert_eq!(
        fails(&text, &[]).0,
        FailureKind::NotStarted(StartError::NotAProgram(text.clone()))
    );
}

#[cfg(unix)]
#[test]
fn system_programs_fail_as_engines() {
    let run = |script: &str| fails(Path::new("/bin/sh"), &["-c", script]);
    assert_eq!(
        fails(Path::new("/bin/true"), &[]).0,
        FailureKind::EndedAtOnce(Some(ExitReason::Code(0)))
    );
    let (kind, lines) = run("echo no weights here >&2; exit 3");
    assert_eq!(
        (kind, lines),
        (
            FailureKind::EndedAtOnce(Some(ExitReason::Code(3))),
            vec!["no weights here".to_owned()]
        )
    );
    assert_eq!(
        run("kill -9 $$").0,
        FailureKind::EndedAtOnce(Some(ExitReason::Signal(9)))
    );

    let (kind, lines) = fails_silently(Path::new("/bin/cat"), &[]);
    assert_eq!((kind, lines), (FailureKind::NoUsiOk(1), vec!["usi".to_owned()]));
    assert_eq!(fails(Path::new("/usr/bin/yes"), &[]).0, FailureKind::NotUsi);
    assert_eq!(
        fails_silently(Path::new("/bin/sleep"), &["1000"]).0,
        FailureKind::NoUsiOk(1)
    );
}

#[cfg(unix)]
#[test]
fn an_endless_handshake_fails() {
    let run = |script: &str| fails(Path::new("/bin/sh"), &["-c", script]).0;
    let silent = |script: &str| fails_silently(Path::new("/bin/sh"), &["-c", script]).0;
    let loading = silent("while echo info string loading; do sleep 0.1; done");
    assert!(matches!(loading, FailureKind::NoUsiOk(_)), "{loading:?}");
    assert_eq!(
        run("exec yes \"option name $(head -c 1000 /dev/zero | tr '\\0' A) type check\""),
        FailureKind::NotUsi
    );
    assert_eq!(
        silent("printf 'option name '; exec tr '\\0' A </dev/zero"),
        FailureKind::NoUsiOk(1)
    );
}

/// Returns a shell script of an engine that runs `go` on `go`.
#[cfg(unix)]
fn engine_that(go: &str) -> String {
    let answers = "usi) echo id name Script; echo usiok;; isready) echo readyok;; quit) exit;;";
    format!("while read -r line; do case $line in {answers} go*) {go};; esac; done")
}

#[cfg(unix)]
fn start_shell(script: &str) -> Running {
    Running::start(Path::new("/bin/sh"), &["-c", script], settings())
}

#[cfg(unix)]
#[test]
fn a_flood_of_lines_makes_few_snapshots() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let flood = "yes info depth 1 score cp 1 pv 7g7f | head -n 200000; echo info depth 2 score cp 2 pv 2g2f; echo bestmove 2g2f";
    let mut engine = start_shell(&engine_that(flood));
    let started = Instant::now();
    engine.session.set_target(Some(Arc::clone(&example()[0])));
    let is_done = |snapshot: &Snapshot| snapshot.search_info.is_some() && snapshot.state == EngineState::Idle;
    assert!(engine.watch(PATIENCE, is_done), "{:?}", engine.newest_snapshot);
    let took = started.elapsed();
    let wakes = engine.wakes.load(Ordering::Relaxed);
    eprintln!("200 000 lines in {took:?}: {wakes} snapshots");
    assert_eq!(
        engine.newest_snapshot.search_info.as_ref().unwrap().stats.depth,
        Some(2),
        "the last line is lost"
    );
    // At most one snapshot in 16 ms is published. A slow machine may add some, so two more are allowed.
    let max_wakes = took.as_millis().div_ceil(16) + 2;
    assert!(
        u128::try_from(wakes).unwrap() <= max_wakes,
        "{wakes} snapshots in {took:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_session_ends_during_a_flood_of_lines() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // The engine reads neither `stop` nor `quit`.
    let mut engine = start_shell(&engine_that("exec yes info depth 1 score cp 1 pv 7g7f"));
    engine.session.set_target(Some(Arc::clone(&example()[0])));
    assert!(
        engine.watch(PATIENCE, |snapshot| snapshot.search_info.is_some()),
        "{:?}",
        engine.newest_snapshot
    );
    drop(engine);
    check_nothing_left(Path::new("/usr/bin/yes"));
}

#[cfg(target_os = "linux")]
#[test]
fn kills_the_children_of_an_engine() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let check = |name: &str, rest: &str| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.pid", std::process::id()));
        let engine = start_shell(&format!("sleep 1000 & echo $! >'{}'; {rest}", file.display()));
        let child = support::pid_in(&file);
        assert!(support::is_running(child), "{name}: it was never there");
        drop(engine);
        let gone = support::eventually(|| !support::is_running(child));
        assert!(gone, "{name}: process {child} is left behind");
        std::fs::remove_file(file).unwrap();
    };
    check("stops", &engine_that("echo bestmove 7g7f"));
    check("ended", "exit 3");
    check("hangs", "exec sleep 1000");
}
