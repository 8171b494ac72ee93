//! The time from a move's arrival at the socket to the first value of its position. A CSA server on this machine sends
//! 100 moves of `examples/selfplay.kif` to the built-in engine.
//!
//! `cargo bench --bench live`. Prints the median and the longest time.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]
#![expect(
    clippy::disallowed_methods,
    reason = "it measures time, reads its game and has a server"
)]

use shogibar::app::viewer::{StartedEngine, Viewer, ViewerParts};
use shogibar_base::Lang;
use shogibar_engine::process::Program;
use shogibar_engine::session::{Session, SessionConfig};
use shogibar_kifu::Target;
use shogibar_live::LiveAddress;
use shogibar_model::game::OpenPosition;
use shogibar_model::{AppEvent, AppModel, EngineInfo, ModelOptions, StoredFiles};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The number of moves that are measured.
const MOVES: usize = 100;
/// The pause between a value and the next move: the engine is in the middle of its search.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest wait for a value.
const PATIENCE: Duration = Duration::from_secs(20);

fn main() {
    let (go, gos) = sync_channel::<()>(0);
    let (sent, arrivals) = sync_channel(MOVES);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || serve(&listener, &gos, &sent));
    let (ring, rings) = sync_channel(1);
    let mut viewer = viewer(ring);
    let address = LiveAddress::parse(&format!("csa://observer@127.0.0.1:{port}/g")).unwrap();
    viewer.handle(AppEvent::OpenGiven(vec![address], OpenPosition::default()));
    let mut times = Vec::new();
    for moves in 1..=MOVES {
        go.send(()).unwrap();
        let arrived: Instant = arrivals.recv().unwrap();
        times.extend(wait_for_value(&mut viewer, &rings, moves).map(|at| at - arrived));
        std::thread::park_timeout(PAUSE);
    }
    times.sort_unstable();
    let (median, longest) = (times.get(times.len() / 2), times.last());
    println!(
        "{} of {MOVES} moves: median {median:?}, longest {longest:?}",
        times.len()
    );
}

fn viewer(ring: SyncSender<()>) -> Viewer {
    let wake = move || {
        let _rung_already = ring.try_send(());
    };
    let program = Program {
        path: env!("CARGO_BIN_EXE_shogibar").into(),
        arguments: vec!["engine".into()],
        ..Program::default()
    };
    let config = SessionConfig {
        hash_mb: 16,
        presets: shogibar_config::built_in_presets(),
        ..SessionConfig::default()
    };
    let session = Session::start(program, config, wake.clone()).unwrap();
    let info = EngineInfo {
        name: "builtin".to_owned(),
        is_profile: false,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let mut parts = ViewerParts::without_engines();
    parts.engines.push(StartedEngine {
        info,
        session,
        fitted_profile: None,
    });
    parts.wake = Arc::new(wake);
    Viewer::new(
        AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default()),
        None,
        parts,
    )
}

/// Waits for the first value of the position after `moves` moves, as the windows do. Returns the time at which it
/// arrived.
fn wait_for_value(viewer: &mut Viewer, rings: &Receiver<()>, moves: usize) -> Option<Instant> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let _nothing_new = rings.recv_timeout(Duration::from_millis(100));
        viewer.update();
        let mut reports = viewer.model().bars().flat_map(|(_, bar)| bar.engines());
        let has_value = |moves| {
            move |engine: &shogibar_model::bars::BarEngine| {
                engine
                    .report
                    .snapshot
                    .search_info
                    .as_ref()
                    .is_some_and(|info| info.history.moves().len() == moves)
            }
        };
        if reports.any(has_value(moves)) {
            return Some(Instant::now());
        }
    }
    None
}

/// Serves one observer. A move is sent when the measurement asks for it. Its time is then sent back.
fn serve(listener: &TcpListener, gos: &Receiver<()>, sent: &SyncSender<Instant>) -> io::Result<()> {
    let (stream, _) = listener.accept()?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["LOGIN", name, ..] => {
                (&stream).write_all(format!("LOGIN:{name} OK\n##[LOGIN] +OK x1\n").as_bytes())?;
            }
            ["%%LIST"] => (&stream).write_all(b"##[LIST] g\n##[LIST] +OK\n")?,
            ["%%MONITOR2ON", "g"] => return send_game(&stream, gos, sent),
            _ => {}
        }
        line.clear();
    }
    Ok(())
}

fn send_game(mut stream: &TcpStream, gos: &Receiver<()>, sent: &SyncSender<Instant>) -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/selfplay.kif");
    let record = shogibar_kifu::read(&std::fs::read(path)?)
        .unwrap()
        .into_first()
        .unwrap()
        .0;
    let text = String::from_utf8(shogibar_kifu::write(&record, Target::Csa).bytes).unwrap();
    let is_move = |line: &str| line.len() == 7 && line.starts_with(['+', '-']);
    let tell = |line: &str| format!("##[MONITOR2][g] {line}\n");
    let head: String = text.lines().take_while(|line| !is_move(line)).map(tell).collect();
    stream.write_all(format!("{head}##[MONITOR2][g] +OK\n").as_bytes())?;
    for line in text.lines().filter(|line| is_move(line)).take(MOVES) {
        if gos.recv().is_err() {
            return Ok(());
        }
        stream.write_all(format!("{}{}##[MONITOR2][g] +OK\n", tell(line), tell("T1")).as_bytes())?;
        sent.send(Instant::now()).unwrap();
    }
    // The connection stays until the measurement ends.
    let _end = gos.recv();
    Ok(())
}
