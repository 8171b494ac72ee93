//! The window reads the traffic. Whatever the window does, the same bytes pass.

use super::{Folder, Gui, relay};
use crate::support::{PATIENCE, Random, Script, eventually};
use shogibar_engine::usi::log::{Direction, LogEntry};
use shogibar_relay::socket::{Address, Connection, GAP_NOTE, Listener, RELAY_GREETING};
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::mpsc::{Receiver, Sender, channel};

fn listen(config: &Folder) -> Listener {
    Address::for_folder(&config.0).unwrap().listen().unwrap()
}

fn accept(listener: &Listener) -> BufReader<Connection> {
    BufReader::new(listener.incoming().next().unwrap())
}

/// Returns the next line that the window receives, without its line end.
fn line(window: &mut BufReader<Connection>) -> String {
    let mut line = String::new();
    window.read_line(&mut line).unwrap();
    line.trim_end_matches('\n').to_owned()
}

/// Returns the next line as a log would contain it, without its time.
fn entry(window: &mut BufReader<Connection>) -> (Direction, String) {
    let line = line(window);
    let entry = LogEntry::read(line.as_bytes()).unwrap_or_else(|| panic!("no line of a log: {line}"));
    (
        entry.direction,
        String::from_utf8(entry.bytes.into_owned()).unwrap(),
    )
}

fn echo(config: &Folder) -> Gui {
    Gui::start(relay(config, &["--engine", "/bin/cat"]))
}

/// Sends random bytes through an echo engine, and checks that the same bytes come back.
fn check_echo(gui: &mut Gui, length: usize) {
    let mut random = Random(11);
    let bytes = random.bytes(length);
    let (found, status) = gui.exchange(&bytes, &random);
    assert!(
        found == bytes,
        "{} of {} bytes came back",
        found.len(),
        bytes.len()
    );
    assert_eq!(status.code(), Some(0), "{status}");
}

#[test]
fn the_window_gets_every_line() {
    let config = Folder::new("window");
    let listener = listen(&config);
    let mut gui = echo(&config);
    let mut window = accept(&listener);
    assert_eq!(line(&mut window), RELAY_GREETING);
    assert_eq!(
        entry(&mut window),
        (Direction::Note, "engine /bin/cat".to_owned())
    );
    for text in ["usi", "", "position startpos moves 7g7f", "居飛車"] {
        gui.send(format!("{text}\r\n").as_bytes());
        assert_eq!(gui.read(text.len() + 2), format!("{text}\r\n").as_bytes());
        let mut entries = [entry(&mut window), entry(&mut window)];
        entries.sort_by_key(|(direction, _)| *direction != Direction::Sent);
        assert_eq!(
            entries,
            [Direction::Sent, Direction::Output].map(|direction| (direction, text.to_owned()))
        );
    }
    drop(gui.input.take());
    assert_eq!(gui.status().code(), Some(0));
    assert_eq!(line(&mut window), "", "the connection ends with the relay");
}

#[test]
fn a_window_that_comes_later_learns_the_state() {
    let config = Folder::new("later");
    let mut gui = echo(&config);
    gui.send(b"usi\nusiok\nsetoption name A value b\nisready\nreadyok\nposition startpos\ngo infinite\n");
    gui.read(72);
    let listener = listen(&config);
    let (connection, connected) = channel();
    std::thread::spawn(move || connection.send(accept(&listener)));
    // When bytes pass, the relay looks for a window, but at most once a second.
    let mut window = None;
    assert!(eventually(|| {
        gui.send(b"\n");
        gui.read(1);
        window = connected.try_recv().ok();
        window.is_some()
    }));
    let mut window = window.unwrap();
    assert_eq!(line(&mut window), RELAY_GREETING);
    let mut entries = Vec::new();
    while entries.last().is_none_or(|text: &String| text != "go infinite") {
        let (direction, text) = entry(&mut window);
        if direction == Direction::Sent {
            entries.push(text);
        }
    }
    for text in ["usi", "setoption name A value b", "isready", "position startpos"] {
        assert!(
            entries.iter().any(|entries| entries == text),
            "{text} is not in {entries:?}"
        );
    }
}

#[test]
fn two_relays_are_two_connections() {
    let config = Folder::new("two");
    let listener = listen(&config);
    let mut guis = [echo(&config), echo(&config)];
    let mut windows = [accept(&listener), accept(&listener)];
    for window in &mut windows {
        assert_eq!(line(window), RELAY_GREETING);
    }
    for (gui, text) in guis.iter_mut().zip(["one", "other"]) {
        gui.send(format!("{text}\n").as_bytes());
    }
    let mut entries = windows.each_mut().map(|window| {
        assert_eq!(entry(window), (Direction::Note, "engine /bin/cat".to_owned()));
        let [one, other] = [entry(window), entry(window)].map(|(_, text)| text);
        assert_eq!(one, other, "each has the lines of its own relay");
        one
    });
    entries.sort();
    assert_eq!(entries, ["one", "other"]);
}

/// The behaviour of a window that accepts connections.
#[derive(Clone, Copy, Debug)]
enum Does {
    Reads,
    /// The window reads nothing, as if it were stopped.
    Hangs,
    /// Reads some bytes, and closes the connection.
    Drops,
}

/// The number of bytes that a window reads before the GUI sends more.
const READ: usize = 100_000;

/// Runs a window on a thread. The thread reports every connection, as soon as it has read [`READ`] bytes of it or hangs
/// on it.
fn run_window(listener: Listener, does: Does) -> Receiver<()> {
    let (sender, receiver): (Sender<()>, _) = channel();
    std::thread::spawn(move || {
        let mut hung = Vec::new();
        for mut connection in listener.incoming() {
            let mut buffer = vec![0; 1 << 16];
            let mut total = 0;
            while total < READ && !matches!(does, Does::Hangs) {
                match connection.read(&mut buffer) {
                    Ok(length @ 1..) => total += length,
                    _ => break,
                }
            }
            // The test has heard enough after the first one.
            let _heard_already = sender.send(());
            match does {
                Does::Reads => while connection.read(&mut buffer).is_ok_and(|length| length > 0) {},
                Does::Hangs => hung.push(connection),
                Does::Drops => {}
            }
        }
    });
    receiver
}

#[test]
fn no_window_changes_or_holds_back_a_byte() {
    for does in [Does::Reads, Does::Hangs, Does::Drops] {
        let config = Folder::new(&format!("does-{does:?}"));
        let windows = run_window(listen(&config), does);
        let mut gui = echo(&config);
        let line = [vec![b'x'; 999], vec![b'\n']].concat();
        for _ in 0..READ / line.len() {
            gui.send(&line);
            assert!(gui.read(line.len()) == line);
        }
        let reported = windows.recv_timeout(PATIENCE);
        assert!(reported.is_ok(), "{does:?}: {reported:?}");
        check_echo(&mut gui, 12_000_000);
    }
}

#[test]
fn a_window_that_accepts_nobody_holds_back_no_engine() {
    let config = Folder::new("backlog");
    let _listener = listen(&config);
    // There are more connections than the system queues for it.
    let address = Address::for_folder(&config.0).unwrap();
    let _waiting: Vec<_> = std::iter::from_fn(|| {
        let (sender, connected) = channel();
        let address = address.clone();
        std::thread::spawn(move || sender.send(address.connect()));
        connected.recv_timeout(std::time::Duration::from_secs(1)).ok()
    })
    .take(5000)
    .collect();
    check_echo(&mut echo(&config), 1_000_000);
}

#[test]
fn after_a_hang_the_window_gets_a_note_about_the_gap() {
    let config = Folder::new("gap");
    let listener = listen(&config);
    let line_of_engine =
        "info string 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456";
    let flood = format!(
        "while read -r line; do case $line in\n\
         flood) yes '{line_of_engine}' | head -n 120000;; *) echo \"$line\";; esac; done\n"
    );
    let script = Script::new("relay-gap", &flood);
    let mut gui = Gui::with_script(&config, &script);
    let mut window = accept(&listener);
    gui.send(b"flood\n");
    let flood = format!("{line_of_engine}\n").repeat(120_000);
    assert!(gui.read(flood.len()) == flood.as_bytes());
    // The window reads again.
    gui.send(b"position startpos\n");
    assert_eq!(gui.read(18), b"position startpos\n");
    let (mut has_gap, mut bytes) = (false, 0);
    loop {
        let line = line(&mut window);
        let entry = LogEntry::read(line.as_bytes());
        let text = entry
            .map(|entry| String::from_utf8(entry.bytes.into_owned()).unwrap())
            .unwrap_or_default();
        has_gap |= text == GAP_NOTE;
        bytes += text.len();
        if text == "position startpos" && has_gap {
            break;
        }
    }
    assert!(bytes < flood.len(), "nothing was dropped: {bytes}");
}
