use super::*;

/// A log of this program. Its engine needs `stop`, prints one more line after it, and has one unanswered position.
const SAMPLE_LOG: &str = "
    0.000 < Greetings
    0.010 > usi
    0.020 < id name Recorder
    0.021 < option name Hash type spin default 16 min 1 max 64
    0.022 < usiok
    0.030 > setoption name Nope value 1
    0.031 < No such option: Nope
    0.040 > isready
    9.000 < readyok
    9.010 > position startpos
    9.020 > go infinite
    9.120 < info depth 1 score cp 10 pv 7g7f
    9.420 < info depth 2 score cp 20 pv 2g2f
   20.000 > stop
   20.010 < info depth 3 score cp 15 upperbound pv 2g2f
   20.020 < bestmove 2g2f
   20.030 > position startpos moves 2g2f
   20.040 > go btime 0 wtime 0 byoyomi 1000
   20.540 < info depth 1 score cp -5 pv 3c3d
   21.040 < bestmove 3c3d
   21.050 > position startpos moves 2g2f 3c3d
   21.060 > go infinite
   21.160 < info depth 1 multipv 1 score cp 7 pv 7g7f";

fn player(log: &str) -> ScriptPlayer {
    ScriptPlayer::new(Script::new(
        log.lines().filter_map(|line| LogEntry::read(line.as_bytes())),
    ))
}

/// Returns the output up to the next command of the host, each line with its pause.
fn output(player: &mut ScriptPlayer) -> String {
    let mut lines = Vec::new();
    while let Some(due) = player.due() {
        lines.push(format!(
            "{due}:{}",
            String::from_utf8(player.take_line().unwrap()).unwrap()
        ));
    }
    lines.join(" | ")
}

/// Checks the output after each command of the host.
fn check(host: &[(&str, &str)], log: &str) {
    let mut player = player(log);
    for (command, expect) in host {
        player.on_command(command);
        assert_eq!(output(&mut player), *expect, "after {command}");
    }
}

#[test]
fn assigns_output_to_the_right_process() {
    let log = "0.0 > usi\n0.0 > position startpos\n0.0 > go infinite\n0.0 < no weights here\n0.0 > usi\n0.0 < usiok\n0.0 > position startpos\n0.0 > go infinite\n0.1 < info depth 1 score cp 1\n\
        0.2 # ended with code 1\n0.3 > usi\n0.3 < usiok\n0.3 > position startpos moves 7g7f\n0.3 > go infinite\n\
        0.4 < info depth 2 score cp 2\n0.5 > stop\n0.5 < bestmove 3c3d";
    let host = [
        ("position startpos moves 7g7f", ""),
        ("go infinite", "100:info depth 2 score cp 2"),
        ("stop", "0:bestmove 3c3d"),
        ("position startpos", ""),
        ("go infinite", "100:info depth 1 score cp 1"),
    ];
    check(&host, log);
}

#[test]
fn replays_a_log() {
    let usi =
        "0:Greetings | 0:id name Recorder | 0:option name Hash type spin default 16 min 1 max 64 | 0:usiok";
    let thinking = "100:info depth 1 score cp 10 pv 7g7f | 300:info depth 2 score cp 20 pv 2g2f";
    let stopped = "0:info depth 3 score cp 15 upperbound pv 2g2f | 0:bestmove 2g2f";
    let byoyomi = "500:info depth 1 score cp -5 pv 3c3d | 500:bestmove 3c3d";
    let host = [
        ("usi", usi),
        ("setoption name Hash value 3", ""),
        ("setoption  name Nope value 1", "0:No such option: Nope"),
        ("isready", "0:readyok"),
        ("position  startpos", ""),
        ("go infinite", thinking),
        ("stop", stopped),
        ("stop", ""),
        ("position startpos moves 2g2f", ""),
        ("go byoyomi 500", byoyomi),
        ("go infinite", "500:info depth 1 score cp -5 pv 3c3d"),
        ("stop", "0:bestmove 3c3d"),
        ("position startpos", ""),
        ("go infinite", thinking),
        ("stop", stopped),
    ];
    check(&host, SAMPLE_LOG);
}

#[test]
fn answers_every_command() {
    check(
        &[
            ("usi", "0:id name a recorded log | 0:usiok"),
            ("isready", "0:readyok"),
        ],
        "",
    );
    check(
        &[
            ("go", "0:bestmove resign"),
            ("go infinite", ""),
            ("stop", "0:bestmove resign"),
        ],
        "",
    );
    // A position that the log does not contain, a `go` without a recorded answer, and two at once.
    let unanswered = "100:info depth 1 multipv 1 score cp 7 pv 7g7f";
    let host = [
        ("position startpos moves 2g2f 3c3d", "0:Greetings"),
        ("go infinite", unanswered),
        ("stop", "0:bestmove 7g7f"),
        ("go movetime 1", &format!("{unanswered} | 0:bestmove 7g7f")),
        ("go infinite", unanswered),
        ("go infinite", &format!("0:bestmove 7g7f | {unanswered}")),
        ("stop", "0:bestmove 7g7f"),
        ("position sfen garbage", ""),
        (
            "go movetime 1",
            "100:info depth 1 score cp 10 pv 7g7f | 300:info depth 2 score cp 20 pv 2g2f | \
                           2000:info depth 3 score cp 15 upperbound pv 2g2f | 10:bestmove 2g2f",
        ),
    ];
    check(&host, SAMPLE_LOG);
}

#[test]
fn ends_with_quit_or_the_end_of_input() {
    let mut quitter = player(SAMPLE_LOG);
    let answer_to = |player: &mut ScriptPlayer, line| {
        player.on_command(line);
        output(player)
    };
    answer_to(&mut quitter, "position startpos");
    answer_to(&mut quitter, "go infinite");
    assert_eq!(answer_to(&mut quitter, "quit"), "");
    assert!(quitter.is_over());

    let mut silent = player(SAMPLE_LOG);
    answer_to(&mut silent, "position startpos");
    silent.on_command("go infinite");
    silent.on_input_closed();
    assert!(silent.is_over());
    assert_eq!(
        output(&mut silent),
        "0:info depth 3 score cp 15 upperbound pv 2g2f | 0:bestmove 2g2f"
    );
}
