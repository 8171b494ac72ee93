//! The time to an engine's first value while a game is stepped through: `examples/selfplay.kif`, 100 ms per position.
//!
//! `cargo bench --bench first_value [-- COMMAND…]`: the default for COMMAND is the built-in engine.
//! Prints the number of positions with a value in time, and the median time of those.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]
#![expect(clippy::disallowed_methods, reason = "it measures time and reads its game")]

use shogibar_engine::process::Program;
use shogibar_engine::session::{EngineState, Session, SessionConfig};
use shogibar_shogi::History;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// The time for a position.
const EACH: Duration = Duration::from_millis(100);

fn main() {
    let mut command = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let path = command
        .next()
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_shogibar").to_owned());
    let mut arguments: Vec<_> = command.map(Into::into).collect();
    if path == env!("CARGO_BIN_EXE_shogibar") {
        arguments.push("engine".into());
    }
    let program = Program {
        path: path.clone().into(),
        arguments,
        ..Program::default()
    };
    let settings = SessionConfig {
        hash_mb: 16,
        presets: shogibar_config::built_in_presets(),
        ..SessionConfig::default()
    };
    let (ring, rings) = sync_channel(1);
    let wake = move || {
        let _rung_already = ring.try_send(());
    };
    let session = Session::start(program, settings, wake).unwrap();
    while session
        .snapshot()
        .is_none_or(|snapshot| snapshot.state != EngineState::Idle)
    {
        rings.recv().unwrap();
    }
    let positions = positions();
    let mut times: Vec<_> = positions
        .iter()
        .filter_map(|position| first_value(&session, &rings, position))
        .collect();
    times.sort_unstable();
    let median = times.get(times.len() / 2);
    println!(
        "{path}: a value within 100 ms for {} of {} positions, median {median:?}",
        times.len(),
        positions.len()
    );
}

/// Returns the time to the first value of a position. `None` where none comes in time.
fn first_value(session: &Session, rings: &Receiver<()>, position: &Arc<History>) -> Option<Duration> {
    let started = Instant::now();
    session.set_target(Some(Arc::clone(position)));
    let mut took = None;
    loop {
        let remaining = EACH.saturating_sub(started.elapsed());
        if remaining.is_zero() {
            return took;
        }
        let _nothing_new = rings.recv_timeout(remaining);
        let shown = session.snapshot().and_then(|snapshot| snapshot.search_info);
        if took.is_none() && shown.is_some_and(|shown| shown.history == *position) {
            took = Some(started.elapsed());
        }
    }
}

fn positions() -> Vec<Arc<History>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/selfplay.kif");
    let (record, _warnings) = shogibar_kifu::read(&std::fs::read(file).unwrap())
        .unwrap()
        .into_first()
        .unwrap();
    (0..=record.len())
        .map(|ply| Arc::new(record.history(ply)))
        .take(100)
        .collect()
}
