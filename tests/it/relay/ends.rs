//! The relay and its engine end in the same way. If one ends, the other does, and no process is left.

use super::{Folder, Gui};
use crate::support::{Script, eventually, is_running, pid_in, signal};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// An engine that ignores every request to end, with a child that does, too.
const STUBBORN: &str = r#"
trap '' TERM INT HUP PIPE
cd "$(dirname "$0")"
sleep 1000 &
echo $! >child
echo $$ >engine
"#;
fn ends(name: &str, script: &str) -> ExitStatus {
    let (config, script) = (Folder::new(name), Script::new(&format!("relay-{name}"), script));
    let mut gui = Gui::with_script(&config, &script);
    gui.rest();
    gui.status()
}

#[test]
fn the_exit_code_of_the_engine_is_the_relay_s() {
    for code in [0, 3, 255] {
        assert_eq!(
            ends("codes", &format!("echo x; exit {code}\n")).code(),
            Some(code)
        );
    }
}

#[test]
fn the_signal_of_the_engine_is_the_relay_s() {
    for (name, number) in [("SEGV", 11), ("KILL", 9), ("TERM", 15), ("ABRT", 6), ("INT", 2)] {
        // The script runs in its own folder, where a core file may be written.
        let status = ends("signals", &format!("ulimit -c 0; echo x; kill -s {name} $$\n"));
        // A program started with INT ignored passes this on to its children. A script starts background jobs so.
        let alone = Command::new("sh")
            .args(["-c", &format!("ulimit -c 0; kill -s {name} $$")])
            .status()
            .expect("sh");
        assert!(alone.signal() == Some(number) || name == "INT", "{name}: {alone}");
        assert_eq!(
            (status.signal(), status.code()),
            (alone.signal(), alone.code()),
            "{name}: {status}"
        );
        assert!(!status.core_dumped(), "{name}");
    }
    // A program in Rust ignores this signal from its start.
    assert_eq!(ends("pipe", "kill -s PIPE $$\n").code(), Some(128 + 13));
}

#[test]
fn an_engine_may_leave_a_child_that_holds_its_output() {
    // The child is in the engine's process group, or outside.
    for start in ["", "setsid "] {
        let script = format!(
            "{start}sleep 1000 & echo $! >\"$(dirname \"$0\")/child\"; printf 'the last word'; exit 5\n"
        );
        let (config, script) = (Folder::new("held"), Script::new("relay-held", &script));
        let mut gui = Gui::with_script(&config, &script);
        let started = Instant::now();
        assert_eq!(
            (gui.rest().as_slice(), gui.status().code()),
            (b"the last word".as_slice(), Some(5))
        );
        eprintln!(
            "an engine with a {start}child that holds its output: {:?}",
            started.elapsed()
        );
        let child = pid_in(&script.beside("child"));
        if start.is_empty() {
            assert!(eventually(|| !is_running(child)), "the child is left");
        } else {
            assert!(signal("KILL", child), "another session is not ended");
        }
    }
}

/// Starts a relay with a stubborn engine. Calls `end`, which ends one of them, and checks that the engine and its child
/// end.
fn check_gone(what: &str, script: &str, end: impl FnOnce(&mut Gui)) {
    let config = Folder::new(what);
    let script = Script::new(&format!("relay-{what}"), &format!("{script}\nwait\n"));
    let mut gui = Gui::with_script(&config, &script);
    let [child, engine] = ["child", "engine"].map(|name| pid_in(&script.beside(name)));
    assert!(is_running(child) && is_running(engine), "{what}");
    let started = Instant::now();
    end(&mut gui);
    let gone = |pid| eventually(|| !is_running(pid));
    assert!(
        gone(engine) && gone(child) && gone(gui.child.id()),
        "{what}: a process is left"
    );
    // The limit is 4 s. A slow machine does not make the test fail.
    eprintln!(
        "{what}: engine, child and relay are gone after {:?}",
        started.elapsed()
    );
}

#[test]
fn a_gui_that_is_gone_takes_a_stubborn_engine_with_it() {
    check_gone("gui-gone", STUBBORN, |gui| {
        drop((gui.input.take(), gui.output.take()));
    });
    check_gone("gui-closes-input", STUBBORN, |gui| {
        drop(gui.input.take());
        assert!(gui.rest().is_empty());
    });
}

#[test]
fn a_gui_that_is_gone_takes_an_engine_that_floods_with_it() {
    let floods = &format!("{STUBBORN}while :; do echo 'info depth 1 score cp 1'; done");
    check_gone("gui-gone-flood", floods, |gui| {
        drop((gui.input.take(), gui.output.take()));
    });
    // The GUI reads nothing, so the relay waits for the GUI.
    check_gone("gui-hangs-flood", floods, |gui| {
        std::thread::park_timeout(Duration::from_millis(300));
        drop((gui.input.take(), gui.output.take()));
    });
}

#[test]
fn a_gui_that_is_gone_takes_an_engine_that_never_reads_with_it() {
    // More bytes than the two pipes can hold are on the way, so the relay waits for the engine.
    check_gone("gui-gone-unread", STUBBORN, |gui| {
        let mut input = gui.input.take().unwrap();
        let writer = std::thread::spawn(move || input.write_all(&vec![b'x'; 190_000]).map(|()| input));
        std::thread::park_timeout(Duration::from_millis(300));
        drop(gui.output.take());
        // When this thread ends, the GUI and all its pipes are gone.
        drop(writer.join().unwrap());
    });
}

#[test]
fn a_gui_that_is_gone_takes_an_engine_that_has_closed_its_pipes_with_it() {
    check_gone("gui-gone-closed-input", &format!("{STUBBORN}exec <&-"), |gui| {
        // The relay learns that with the next bytes.
        let mut input = gui.input.take().unwrap();
        while input.write_all(&[b'x'; 100]).is_ok() {}
        drop(gui.output.take());
    });
    let closed = format!("exec >&-\n{STUBBORN}");
    check_gone("gui-gone-closed-output", &closed, |gui| {
        assert!(gui.rest().is_empty(), "the GUI is told");
        drop(gui.input.take());
    });
}

#[test]
fn a_relay_that_is_killed_takes_a_stubborn_engine_with_it() {
    for (name, number) in [("KILL", 9), ("TERM", 15)] {
        check_gone(&format!("relay-{name}"), STUBBORN, |gui| {
            assert!(signal(name, gui.child.id()));
            assert_eq!(gui.status().signal(), Some(number), "{name}");
        });
    }
}

#[test]
fn a_relay_that_is_killed_leaves_its_engine_a_moment() {
    // The engine saves its book, for example.
    let script = "trap 'echo saved >\"$(dirname \"$0\")/book\"; exit 0' TERM\n\
                  echo $$ >\"$(dirname \"$0\")/engine\"\nwhile :; do sleep 0.05; done\n";
    let (config, script) = (Folder::new("moment"), Script::new("relay-moment", script));
    let mut gui = Gui::with_script(&config, &script);
    let engine = pid_in(&script.beside("engine"));
    gui.child.kill().unwrap();
    gui.status();
    assert!(eventually(|| !is_running(engine)), "the engine is left");
    assert!(script.beside("book").exists(), "it was killed at once");
}

#[test]
fn an_engine_that_reads_the_end_of_its_input_ends_by_itself() {
    let script = "cat >/dev/null; sleep 0.5; printf saved; exit 7\n";
    let (config, script) = (Folder::new("by-itself"), Script::new("relay-by-itself", script));
    let mut gui = Gui::with_script(&config, &script);
    gui.send(b"position startpos mo");
    drop(gui.input.take());
    assert_eq!(
        (gui.rest().as_slice(), gui.status().code()),
        (b"saved".as_slice(), Some(7))
    );
}
