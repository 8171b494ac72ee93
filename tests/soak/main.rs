//! Long runs: memory growth, processes left behind, values under the wrong position. A short version always runs, the
//! full one with `SHOGIBAR_SOAK=1`. This is a separate program, because it measures its own process.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers do I/O"
)]

#[path = "../it/support.rs"]
mod support;

use shogibar_engine::process::Program;
use shogibar_engine::session::{EngineState, Session, SessionConfig, Snapshot};
use shogibar_shogi::History;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs one test at a time: each measures the resources of this process.
static ALONE: Mutex<()> = Mutex::new(());

const SHOGIBAR: &str = env!("CARGO_BIN_EXE_shogibar");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

/// Returns `whole` for the full version, `short` otherwise.
fn scaled(whole: usize, short: usize) -> usize {
    if is_whole() { whole } else { short }
}

fn is_whole() -> bool {
    std::env::var_os("SHOGIBAR_SOAK").is_some()
}

fn positions() -> Vec<Arc<History>> {
    let bytes = fs::read(EXAMPLE).unwrap();
    let (record, _warnings) = shogibar_kifu::read(&bytes).unwrap().into_first().unwrap();
    (0..=record.len())
        .map(|ply| Arc::new(record.history(ply)))
        .collect()
}

fn start(program: &Path, arguments: &[&str]) -> Session {
    let program = Program {
        path: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        ..Program::default()
    };
    // The table is small, so that the engine's own memory soon reaches its final size.
    let settings = SessionConfig {
        hash_mb: 1,
        presets: shogibar_config::built_in_presets(),
        ..SessionConfig::default()
    };
    Session::start(program, settings, || {}).unwrap()
}

/// The resources of a process. Memory is the resident set, in kilobytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Resources {
    kilobytes: usize,
    threads: usize,
    descriptors: usize,
}

fn resources_of(process: &str) -> Resources {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let field = |name: &str| {
        let value = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        value.split_whitespace().next().unwrap().parse().unwrap()
    };
    let descriptors = fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    Resources {
        kilobytes: field("VmRSS:"),
        threads: field("Threads:"),
        descriptors,
    }
}

/// Returns the processes that run a program or have this working folder, whatever their parent is.
fn running(program: &Path, folder: Option<&Path>) -> Vec<u32> {
    let own = std::process::id();
    let is_it = |pid: &u32| {
        let link = |name: &str| fs::read_link(format!("/proc/{pid}/{name}")).ok();
        link("exe").as_deref() == Some(program) || (folder.is_some() && link("cwd").as_deref() == folder)
    };
    let pids = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| *pid != own && support::is_running(*pid))
        .filter(is_it)
        .collect()
}

/// Checks that the engine runs and that every pv is legal in its position.
fn check(snapshot: &Snapshot) {
    assert!(
        !matches!(
            snapshot.state,
            EngineState::Failed(_) | EngineState::Restarting(_)
        ),
        "{:?}",
        snapshot.state
    );
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

fn soak(name: &str, program: &Path, arguments: &[&str], changes: usize) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let every = Duration::from_millis(if is_whole() { 50 } else { 10 });
    let (positions, session) = (positions(), start(program, arguments));
    let settled = changes.min(500) / 2;
    let (mut first, mut peak) = (
        None,
        Resources {
            kilobytes: 0,
            threads: 0,
            descriptors: 0,
        },
    );
    let mut values_in_time = 0;
    for change in 0..changes {
        let position = &positions[change % positions.len()];
        session.set_target(Some(Arc::clone(position)));
        std::thread::sleep(every);
        if let Some(snapshot) = session.snapshot() {
            check(&snapshot);
            values_in_time += usize::from(
                snapshot
                    .search_info
                    .is_some_and(|shown| shown.history == *position),
            );
        }
        if change >= settled && change % 50 == 0 {
            let now = resources_of("self");
            let first = *first.get_or_insert(now);
            assert_eq!(
                (now.threads, now.descriptors),
                (first.threads, first.descriptors),
                "{name}: at {change}"
            );
            peak.kilobytes = peak.kilobytes.max(now.kilobytes);
        }
    }
    let (first, engines) = (first.unwrap(), running(&fs::canonicalize(program).unwrap(), None));
    let engines: Vec<_> = engines.iter().map(|pid| resources_of(&pid.to_string())).collect();
    eprintln!(
        "{name}: {changes} changes, a value in time for {values_in_time}; {first:?}, then at most {} kB; {engines:?}",
        peak.kilobytes
    );
    if is_whole() {
        assert!(
            peak.kilobytes * 100 <= first.kilobytes * 105,
            "{name}: {first:?} grew to {} kB",
            peak.kilobytes
        );
    }
    drop(session);
    let program = fs::canonicalize(program).unwrap();
    let gone = support::eventually(|| children_running(&program).is_empty());
    assert!(gone, "{name}: left behind");
}

fn children_running(program: &Path) -> Vec<u32> {
    let ours = format!("\nPPid:\t{}\n", std::process::id());
    let is_ours = |pid: &u32| {
        fs::read_to_string(format!("/proc/{pid}/status")).is_ok_and(|status| status.contains(&ours))
    };
    running(program, None).into_iter().filter(is_ours).collect()
}

#[test]
fn the_built_in_engine_follows_many_positions() {
    soak("built-in", Path::new(SHOGIBAR), &["engine"], scaled(10_000, 300));
}

#[test]
fn fairy_stockfish_follows_many_positions() {
    if let Some(program) = support::engine("fairy-stockfish") {
        soak("fairy-stockfish", &program, &[], scaled(1_000, 200));
    }
}

/// Returns the engines to start and stop. Each comes directly, and wrapped in a shell, which adds a process in between.
fn engines() -> Vec<(String, support::Script)> {
    let fairy = support::engine("fairy-stockfish").map(|path| path.display().to_string());
    let commands = [Some(format!("'{SHOGIBAR}' engine")), fairy];
    let scripts = commands
        .into_iter()
        .flatten()
        .enumerate()
        .flat_map(|(n, command)| {
            [
                (format!("direct-{n}"), format!("exec {command}")),
                (format!("wrapped-{n}"), format!("{command}; exit")),
            ]
        });
    scripts
        .map(|(name, text)| (name.clone(), support::Script::new(&name, &text)))
        .collect()
}

#[test]
fn leaves_no_process_after_many_starts() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (engines, position) = (engines(), positions().remove(0));
    let (mut slowest, before) = (Duration::ZERO, resources_of("self"));
    let cycles = scaled(500, 16);
    for cycle in 0..cycles {
        let (name, script) = &engines[cycle / 2 % engines.len()];
        if cycle.is_multiple_of(2) {
            let session = start(&script.path, &[]);
            session.set_target(Some(Arc::clone(&position)));
            // Ended at varying times after the start.
            std::thread::sleep(Duration::from_millis(cycle as u64 * 7 % 250));
            drop(session);
        } else {
            kill_shogibar(&script.path, cycle);
        }
        let folder: PathBuf = script.path.parent().unwrap().canonicalize().unwrap();
        let began = Instant::now();
        let gone = support::eventually(|| running(&script.path, Some(&folder)).is_empty());
        slowest = slowest.max(began.elapsed());
        assert!(
            gone,
            "cycle {cycle}, {name}: {:?} are left behind",
            running(&script.path, Some(&folder))
        );
    }
    let after = resources_of("self");
    eprintln!("{cycles} starts, the slowest gone after {slowest:?}; {before:?}, then {after:?}");
    // Pipe readers end a moment after the process, and threads of the previous test may still end.
    let no_more = || {
        resources_of("self").threads <= before.threads
            && resources_of("self").descriptors <= before.descriptors
    };
    assert!(
        support::eventually(no_more),
        "{before:?} became {:?}",
        resources_of("self")
    );
}

/// Starts the program with an engine and kills it, after or before its first line.
fn kill_shogibar(engine: &Path, cycle: usize) {
    let mut shogibar = Command::new(SHOGIBAR)
        .args(["--text", EXAMPLE, "--hash", "1", "--engine"])
        .arg(engine)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    if cycle % 4 == 1 {
        let mut line = String::new();
        BufReader::new(shogibar.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(line.contains('%'), "it never came to a value: {line}");
    } else {
        std::thread::sleep(Duration::from_millis(cycle as u64 * 11 % 200));
    }
    shogibar.kill().unwrap();
    shogibar.wait().unwrap();
}
