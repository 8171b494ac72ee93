//! `shogibar explain` and `shogibar replay`, on a log written for the test.
#![expect(
    clippy::unwrap_used,
    clippy::missing_assert_message,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, write files and start the program"
)]

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

/// A log with everything that is easily misread.
const LOG: &str = "    0.000 # cmd: engine
    0.001 > usi\r
    0.002 < id name Recorder
    0.003 < option name Skill Level type spin default 20 min 0 max 20
    0.003 < usiok
    0.004 > isready
    0.005 < info string score cp 5 is no score\\r
    0.005 < readyok
    0.006 < info depth 1 score cp 77 pv 7g7f
    0.010 > position startpos moves 7g7f 3c3d 8h2b+
    0.011 > go infinite
    0.111 < info depth 5 multipv 1 score cp -150 pv 3a2b B*4e resign
    0.112 < info depth 5 multipv 2 score cp -900 pv 3d3e 2b3a
    0.113 < info depth 6 score cp 30 lowerbound pv 3a2b
    0.114 < info depth 6 score mate -4
    0.115 < info depth 4 score cp 1 pv 3a2b
    0.200 > stop
    0.200 > position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 10
    0.200 > go mate 1000
    0.201 < info depth 7 score cp -160 upperbound pv 3a2b
    0.202 < bestmove 3a2b ponder B*4e
    0.203 < info depth 1 score mate + pv G*5b
    0.204 < checkmate G*5b
    0.300 > position startpos moves 7g7f 7g7f
    0.301 > go
    0.302 < info depth 1 score cp 50 pv 3c3d
    0.303 < bestmove resign
    0.304 > position startpos
    0.305 > go
    0.306 < info score cp 31111
    0.307 < checkmate
not a line of a log
    0.308 > quit";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
    command.args(arguments).env("LC_ALL", "C");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn explain(arguments: &[&str], log: &str) -> Output {
    let mut child = command(arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(log.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn explains_a_log() {
    let output = explain(&["explain", "-"], LOG);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let explained: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();

    let keys = r#"{"line":9,"sfen":null,"ply":null,"depth":1,"multipv":1,"cp":null,"mate":null,"bound":null,"win":null,"pv":[],"words":[],"shown":false,"bestmove":null}"#;
    assert_eq!(text.lines().next(), Some(keys), "all keys, in their order");

    let third = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";
    let mating = "4k4/9/4P4/9/9/9/9/9/4K4 b G 10";
    let check = |line: u64, expect: Value| {
        let found = explained
            .iter()
            .find(|explained| explained["line"] == line)
            .unwrap();
        for (key, value) in expect.as_object().unwrap() {
            assert_eq!(&found[key], value, "{key} of line {line}");
        }
    };
    check(
        12,
        json!({"sfen": third, "ply": 4, "depth": 5, "multipv": 1, "cp": 150, "mate": null, "bound": null,
        "pv": ["3a2b", "B*4e"], "words": ["同　銀", "４五角"], "shown": true, "bestmove": null}),
    );
    check(13, json!({"multipv": 2, "cp": 900, "shown": true}));
    check(
        14,
        json!({"cp": -30, "bound": "upper", "depth": 6, "shown": false}),
    );
    check(
        15,
        json!({"cp": null, "mate": 4, "win": 1.0, "pv": [], "shown": true}),
    );
    check(16, json!({"cp": -1, "shown": false}));
    check(
        20,
        json!({"sfen": third, "ply": 4, "cp": 160, "bound": "lower", "shown": false}),
    );
    check(
        21,
        json!({"sfen": third, "cp": null, "win": null, "pv": [], "shown": false, "bestmove": "3a2b"}),
    );
    check(
        22,
        json!({"sfen": mating, "ply": 10, "cp": null, "mate": null, "win": 1.0, "words": ["５二金"], "shown": true}),
    );
    check(23, json!({"sfen": mating, "bestmove": "G*5b", "shown": true}));
    check(
        26,
        json!({"sfen": null, "ply": null, "depth": 1, "cp": null, "win": null, "pv": [], "shown": false}),
    );
    check(27, json!({"sfen": null, "bestmove": "resign", "shown": false}));
    check(
        30,
        json!({"cp": null, "mate": null, "win": null, "depth": null, "shown": false}),
    );
    check(31, json!({"bestmove": null}));
    assert_eq!(explained.len(), 14, "{text}");
}

#[test]
fn explains_logs_of_other_programs() {
    let lines = [
        (true, "usi"),
        (false, "id name Test Engine"),
        (false, "usiok"),
        (true, "isready"),
        (false, "readyok"),
        (true, "position startpos moves 7g7f 3c3d 2g2f"),
        (true, "go btime 0 wtime 0 byoyomi 1000"),
        (
            false,
            "info depth 8 seldepth 10 score cp -55 nodes 10000 pv 8c8d 2f2e 8d8e",
        ),
        (false, "bestmove 8c8d ponder 2f2e"),
    ];
    let check = |to: &str, from: &str| {
        let log: String = lines
            .map(|(is_sent, line)| format!("{}{line}\r\n", if is_sent { to } else { from }))
            .concat();
        // A log may begin anywhere.
        for start in 0..6 {
            let log: String = log.split_inclusive('\n').skip(start).collect();
            let output = explain(&["explain", "-"], &log);
            let text = String::from_utf8(output.stdout).unwrap();
            let explained: Vec<Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let [info, answer] = &explained[..] else {
                panic!("{log}{text}")
            };
            let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4";
            assert_eq!(
                (&info["sfen"], &info["ply"], &info["cp"]),
                (&json!(sfen), &json!(4), &json!(55)),
                "{log}"
            );
            assert_eq!(info["words"], json!(["８四歩", "２五歩", "８五歩"]));
            assert_eq!(answer["bestmove"], "8c8d", "{log}");
        }
    };
    check(">C:", "<C:");
    check(">1:", "<1:");
    check("> ", "< ");
    // The engine is told what stands after `<`.
    check("2026/08/22 8:43:20'100 [1<] ", "2026/08/22 8:43:20'204 [1>] ");
}

#[test]
fn takes_a_scale_and_refuses_other_files_than_logs() {
    let win = |k: &str| {
        let output = explain(&["explain", "-", "--k", k], LOG);
        let line = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .nth(1)
            .unwrap()
            .to_owned();
        serde_json::from_str::<Value>(&line).unwrap()["win"]
            .as_f64()
            .unwrap()
    };
    assert!((win("600") - 0.562_177).abs() < 1e-6, "{}", win("600"));
    assert!((win("150") - 0.731_059).abs() < 1e-6, "{}", win("150"));

    let check = |arguments: &[&str], input: &str, code: i32, expect: &str| {
        let output = explain(arguments, input);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains(expect) && error.lines().count() <= 1, "{error}");
    };
    check(&["explain", "-"], "", 0, "");
    check(
        &["explain", "-"],
        "id name Yes\nusiok\n",
        2,
        "is not an engine log",
    );
    check(&["explain", "no such file"], "", 2, "cannot read no such file");
    check(&["explain", env!("CARGO_MANIFEST_DIR")], "", 2, "cannot read");
    check(&["replay", "no such file"], "", 2, "cannot read no such file");
}

/// A running `shogibar replay` of the log, with its input and output.
struct Replay {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    _log: TemporaryFile,
}

struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}

impl Replay {
    fn start(name: &str, speed: &str) -> Self {
        Self::start_with(name, speed, LOG)
    }

    fn start_with(name: &str, speed: &str, text: &str) -> Self {
        let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.log", std::process::id()));
        std::fs::write(&log, text).unwrap();
        let log = TemporaryFile(log);
        let mut child = command(&["replay", "--speed", speed, log.0.to_str().unwrap()])
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self {
            child,
            input,
            output,
            _log: log,
        }
    }

    fn send(&mut self, lines: &str) {
        self.input.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    }

    /// Reads and returns the next line of output; empty at the end.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Checks that the rest of the output is `expect`, and that the program exits.
    fn ends_with(mut self, expect: &[&str]) {
        let output_lines: Vec<String> =
            std::iter::from_fn(|| Some(self.line()).filter(|line| !line.is_empty())).collect();
        assert_eq!(output_lines, expect);
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn replays_a_log_as_an_engine() {
    let mut replay = Replay::start("engine", "1");
    replay.send("usi\n");
    assert_eq!(replay.line(), "id name Recorder");
    assert_eq!(
        replay.line(),
        "option name Skill Level type spin default 20 min 0 max 20"
    );
    assert_eq!(replay.line(), "usiok");
    replay.send(
        "setoption name Unheard value 1\nisready\nposition startpos moves 7g7f 3c3d 8h2b+\ngo infinite\n",
    );
    assert_eq!(replay.line(), "info string score cp 5 is no score");
    assert_eq!(replay.line(), "readyok");
    assert_eq!(
        replay.line(),
        "info depth 1 score cp 77 pv 7g7f",
        "what came late comes late"
    );
    assert_eq!(
        replay.line(),
        "info depth 5 multipv 1 score cp -150 pv 3a2b B*4e resign"
    );
    replay.send("stop\n");
    let answer = std::iter::repeat_with(|| replay.line()).find(|line| line.starts_with("bestmove"));
    assert_eq!(answer.as_deref(), Some("bestmove 3a2b ponder B*4e"));
    replay.send("quit\n");
    replay.ends_with(&[]);
}

#[test]
fn stop_skips_a_pause_and_end_of_input_ends_the_replay() {
    let mut replay = Replay::start("pause", "0.001");
    replay.send("position startpos moves 7g7f 3c3d 8h2b+\ngo infinite\nstop\n");
    assert_eq!(replay.line(), "info depth 7 score cp -160 upperbound pv 3a2b");
    assert_eq!(replay.line(), "bestmove 3a2b ponder B*4e");
    replay.send("go infinite\n");
    replay.input = None;
    replay.ends_with(&[
        "info depth 7 score cp -160 upperbound pv 3a2b",
        "bestmove 3a2b ponder B*4e",
    ]);

    let mut fast = Replay::start("fast", "0");
    fast.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 10\ngo mate 1000\ngo movetime 10\n");
    fast.input = None;
    let mate = ["info depth 1 score mate + pv G*5b", "checkmate G*5b"];
    fast.ends_with(&[mate, mate].concat());
}

/// Returns the log in the frame of another program: `frame` gets the time in milliseconds, the direction and the line.
fn in_frame(frame: impl Fn(u32, &str, &str) -> String) -> String {
    let line = |line: &str| {
        let (time, rest) = line.trim_start().split_once(' ')?;
        let (direction, text) = rest.split_once(' ')?;
        let millis = time.replace('.', "").parse().ok()?;
        Some(if direction == "#" {
            "launch".to_owned()
        } else {
            frame(millis, direction, text)
        })
    };
    LOG.lines()
        .map(|text| line(text).unwrap_or_else(|| text.to_owned()) + "\n")
        .collect()
}

/// Returns the log as `ShogiHome` writes it.
fn as_in_shogihome() -> String {
    in_frame(|millis, direction, text| {
        format!("[2026-02-03T12:34:56.{millis:03}] [INFO] usi - sid=1: {direction} {text}")
    })
}

#[test]
fn explains_and_replays_the_logs_of_other_programs() {
    let text = |log: &str| {
        let output = explain(&["explain", "-"], log);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let own = text(LOG);
    for log in [
        as_in_shogihome(),
        in_frame(|_, direction, text| format!("{direction}1:{text}")),
    ] {
        assert_eq!(text(&log), own, "{log}");
    }

    let mut replay = Replay::start_with("shogihome", "1", &as_in_shogihome());
    replay.send("usi\n");
    assert_eq!(replay.line(), "id name Recorder");
    replay.send("isready\nposition startpos moves 7g7f 3c3d 8h2b+\ngo infinite\nstop\n");
    let answer = std::iter::repeat_with(|| replay.line()).find(|line| line.starts_with("bestmove"));
    assert_eq!(answer.as_deref(), Some("bestmove 3a2b ponder B*4e"));
    replay.input = None;
    replay.ends_with(&[]);
}
