//! The bytes pass unchanged and in order, and nothing is added.

use super::{Folder, Gui, command, relay};
use crate::support::Random;
use crate::support::Script;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

/// Checks that an echo engine returns the same bytes.
fn check_echo(config: &Folder, bytes: &[u8], random: &Random) {
    let mut gui = Gui::start(relay(config, &["--engine", "/bin/cat"]));
    let (found, status) = gui.exchange(bytes, random);
    let same = found
        .iter()
        .zip(bytes)
        .take_while(|(one, other)| one == other)
        .count();
    assert!(
        found == bytes,
        "{} of {} bytes came back, {same} of them the same",
        found.len(),
        bytes.len()
    );
    assert_eq!(status.code(), Some(0), "{status}");
}

#[test]
fn random_bytes_pass_both_ways() {
    let config = Folder::new("random");
    for seed in 0..24 {
        let mut random = Random(seed);
        let max = [100, 50_000, 2_000_000][random.below(3)];
        let length = random.below(max);
        let bytes = random.bytes(length);
        check_echo(&config, &bytes, &random);
    }
}

#[test]
fn every_kind_of_line_passes() {
    let config = Folder::new("lines");
    let check = |bytes: &[u8]| check_echo(&config, bytes, &Random(0));
    check(b"");
    check(b"usi\r\nisready\r\n");
    check(b"\n\n\r\n \n");
    check(b"id name \x8f\xab\x8a\xfb\x83G\x83\x93\x83W\x83\x93 \x83\x5c\n");
    check(b"info string \0\0\n\0");
    check(b"info score mate +\ninfo score mate -\ninfo\ninfo depth\nbestmove\nbestmove\n");
    check("option name  Two  Blanks type string default 居飛車\n".as_bytes());
    check(b"a last line without its end");
    check(
        &[
            b"position startpos moves".as_slice(),
            &b" 7g7f".repeat(2 << 20),
            b"\n",
        ]
        .concat(),
    );
    check(&[vec![b'x'; 10_000_000], b"\nstop".to_vec()].concat());
}

#[test]
fn each_direction_passes_alone() {
    let config = Folder::new("alone");
    let bytes = Random(7).bytes(700_000);
    fs::write(config.file("bytes"), &bytes).unwrap();
    // The engine's working folder is its own folder.
    let reads = Script::new("relay-reads", "exec cat >\"$1\"\n");
    let prints = Script::new("relay-prints", "exec cat \"$1\"\n");
    let [input, output] = ["input", "bytes"].map(|name| config.file(name));
    let run = |script: &Script, file: &PathBuf, bytes: &[u8]| {
        let arguments = [
            "--engine",
            script.path.to_str().unwrap(),
            "--",
            file.to_str().unwrap(),
        ];
        let (found, status) = Gui::start(relay(&config, &arguments)).exchange(bytes, &Random(8));
        assert_eq!(status.code(), Some(0));
        found
    };
    assert!(run(&reads, &input, &bytes).is_empty());
    assert!(fs::read(&input).unwrap() == bytes, "the input is another");
    assert!(run(&prints, &output, b"") == bytes, "the output is another");
}

#[test]
fn the_end_of_a_stream_passes_both_ways() {
    let config = Folder::new("ends");
    // The engine sees the end of its input, and may still answer.
    let last_word = Script::new("relay-last-word", "cat >/dev/null; printf 'the last word'\n");
    let mut gui = Gui::with_script(&config, &last_word);
    gui.send(b"usi\nhalf a li");
    drop(gui.input.take());
    assert_eq!(
        (gui.rest().as_slice(), gui.status().code()),
        (b"the last word".as_slice(), Some(0))
    );
    // The GUI learns the end of the output, and may still send.
    let deaf = Script::new(
        "relay-closes-stdout",
        "echo ready; exec >&-; exec cat >\"$(dirname \"$0\")/input\"\n",
    );
    let mut gui = Gui::with_script(&config, &deaf);
    assert_eq!(gui.rest(), b"ready\n");
    gui.send(b"quit");
    drop(gui.input.take());
    assert_eq!(gui.status().code(), Some(0));
    assert_eq!(fs::read(deaf.beside("input")).unwrap(), b"quit");
    // The GUI sees that nobody reads any more, as it would without the relay.
    let closed = Script::new("relay-closes-stdin", "exec <&-; echo ready; sleep 1000 >&-\n");
    let mut gui = Gui::with_script(&config, &closed);
    assert_eq!(gui.read(6), b"ready\n");
    let mut input = gui.input.take().unwrap();
    let error = (0..).find_map(|_| input.write_all(&[b'x'; 4096]).err()).unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn nothing_comes_before_the_engine_speaks() {
    let config = Folder::new("before");
    let script = Script::new(
        "relay-waits",
        "read -r line; echo \"got $line\"; exec cat >/dev/null\n",
    );
    let mut gui = Gui::with_script(&config, &script);
    std::thread::park_timeout(Duration::from_millis(200));
    gui.send(b"usi\n");
    drop(gui.input.take());
    assert_eq!(gui.rest(), b"got usi\n", "nothing else, before or behind");
}

#[test]
fn a_part_of_a_line_passes_at_once() {
    let config = Folder::new("parts");
    let mut gui = Gui::start(relay(&config, &["--engine", "/bin/cat"]));
    for byte in b"info depth 1\n" {
        gui.send(&[*byte]);
        assert_eq!(gui.read(1), [*byte], "without waiting for more");
    }
}

#[test]
fn all_output_passes_to_a_gui_that_reads_late() {
    let config = Folder::new("late");
    let script = Script::new(
        "relay-prints-and-exits",
        "head -c 400000 /dev/zero; printf end; exit 3\n",
    );
    let mut gui = Gui::with_script(&config, &script);
    // The engine takes longer than the relay waits for the output of an engine that has exited.
    let mut found = Vec::new();
    for _ in 0..3 {
        std::thread::park_timeout(Duration::from_millis(700));
        found.extend(gui.read(1000));
    }
    found.extend(gui.rest());
    assert_eq!((found.len(), found.ends_with(b"end")), (400_003, true));
    assert_eq!(gui.status().code(), Some(3));
}

#[test]
fn sockets_and_pipes_that_do_not_block_pass_all_bytes() {
    let config = Folder::new("sockets");
    // Some GUIs use a socket for each stream.
    for is_blocking in [true, false] {
        let ((own_input, input), (own_output, output)) =
            (UnixStream::pair().unwrap(), UnixStream::pair().unwrap());
        for end in [&input, &output] {
            end.set_nonblocking(!is_blocking).unwrap();
        }
        let mut command = relay(&config, &["--engine", "/bin/cat"]);
        command
            .stdin(Stdio::from(OwnedFd::from(input)))
            .stdout(Stdio::from(OwnedFd::from(output)));
        let mut gui = Gui::start(command);
        let bytes = Random(3).bytes(3_000_000);
        let found = std::thread::scope(|scope| {
            scope.spawn(|| {
                (&own_input).write_all(&bytes).unwrap();
                own_input.shutdown(std::net::Shutdown::Both).unwrap();
            });
            let mut found = Vec::new();
            (&own_output).read_to_end(&mut found).unwrap();
            found
        });
        assert!(
            found == bytes,
            "{} of {} bytes, blocking: {is_blocking}",
            found.len(),
            bytes.len()
        );
        assert_eq!(gui.status().code(), Some(0));
    }
}

/// Engines of the zoo that never end, or whose output depends on the time.
const ENDLESS: &[&str] = &[
    "silent",
    "rubbish-for-ever",
    "options-for-ever",
    "a-line-for-ever",
    "never-reads",
    "ignores-stop-and-talks",
    "floods-for-ever",
    "ignores-quit",
    "closes-stdin",
    "closes-stdout",
    "forks-and-dies",
    "forks-and-stays",
    "deadlocks-in-a-search",
    "hangs-after-its-own-end",
    "ignores-quit-in-a-search",
    "ignores-the-end-of-input",
    "echoes",
    "chatters",
];

/// Runs an engine of the zoo, with or without the relay. Returns its output, standard error, and how it ended.
fn zoo(config: &Folder, name: &str, with_relay: bool) -> (Vec<u8>, Vec<u8>, String) {
    let zoo = crate::zoo::zoo();
    let folder = config.file(&format!("{name}-{with_relay}"));
    fs::create_dir_all(&folder).unwrap();
    let (zoo, folder) = (zoo.to_str().unwrap(), folder.to_str().unwrap());
    let mut gui = Gui::start(if with_relay {
        relay(config, &["--engine", zoo, "--", name, folder])
    } else {
        command(zoo, config, &[name, folder])
    });
    let mut stderr = gui.child.stderr.take().unwrap();
    let mut input = gui.input.take().unwrap();
    let (output, stderr) = std::thread::scope(|scope| {
        let stderr = scope.spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).unwrap();
            text
        });
        // The engine may have ended already. The input stays open: the engine ends at `quit`.
        let _ended = input.write_all(
            b"usi\nsetoption name X value 1\nisready\nusinewgame\nposition startpos moves 7g7f\ngo infinite\n\
              stop\nstop\nusi\ngo ponder\nponderhit\nstop\ngameover win\nquit\n",
        );
        (gui.rest(), stderr.join().unwrap())
    });
    (output, stderr, gui.status().to_string())
}

#[test]
fn every_engine_of_the_zoo_is_the_same_through_the_relay() {
    let config = Folder::new("zoo");
    let list = command(crate::zoo::zoo(), &config, &["list"])
        .output()
        .unwrap()
        .stdout;
    let list = String::from_utf8(list).unwrap();
    let names: Vec<_> = list.lines().filter(|name| !ENDLESS.contains(name)).collect();
    assert!(names.len() > 60, "the zoo is not here");
    let queue = Mutex::new(names.into_iter());
    let next = || queue.lock().unwrap().next();
    let check = |name| {
        let [through, direct] = [true, false].map(|with_relay| zoo(&config, name, with_relay));
        assert!(
            through == direct,
            "{name}: {:?}, without the relay {:?}",
            through.2,
            direct.2
        );
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| std::iter::from_fn(next).for_each(check));
        }
    });
}
