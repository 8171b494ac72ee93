//! The relay with a GUI that starts it by its path only, and kills a lingering process, as `ShogiHome` does.

use super::{Folder, Gui, command, relay};
use crate::support::{PATIENCE, Script, engine, eventually, signal};
use shogibar_relay::socket::{Address, Connection};
use shogibar_shogi::{History, Move};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::{fs::symlink, process::ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

struct ShogiHome {
    gui: Gui,
    lines: Receiver<String>,
    received_lines: Vec<String>,
}

impl ShogiHome {
    /// Starts a program in its own folder and sends `usi`.
    fn launch(mut command: Command) -> Self {
        let folder = Path::new(command.get_program()).parent().unwrap().to_owned();
        command.current_dir(folder);
        let mut gui = Gui::start(command);
        let output = BufReader::new(gui.output.take().unwrap());
        let (sender, lines) = channel();
        let text = |line: Vec<u8>| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
        std::thread::spawn(move || {
            output
                .split(b'\n')
                .all(|line| sender.send(text(line.unwrap())).is_ok())
        });
        let mut home = Self {
            gui,
            lines,
            received_lines: Vec::new(),
        };
        home.talk("> usi");
        home
    }

    /// Starts the relay while a window listens. Returns the window's end of the connection.
    fn launch_with_window(config: &Folder, path: &Path) -> (Self, Connection) {
        let listener = Address::for_folder(&config.0).unwrap().listen().unwrap();
        let home = Self::launch(command(path, config, &[]));
        (home, listener.incoming().next().unwrap())
    }

    /// Sends the lines that follow `> `. Waits for the lines that follow `< `, which have to match completely or up to
    /// `*`.
    fn talk(&mut self, script: &str) {
        for line in script.lines() {
            match line.split_at(2) {
                ("> ", line) => self.gui.send(format!("{line}\n").as_bytes()),
                (_, line) => {
                    let found = self.answer(line.split(' ').next().unwrap());
                    let is_expected = line
                        .strip_suffix('*')
                        .map_or(found == line, |start| found.starts_with(start));
                    assert!(is_expected, "{found} instead of {line}");
                }
            }
        }
    }

    /// Returns the next line that is an answer to a command, or that begins with this word.
    fn answer(&mut self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("no answer comes");
            self.received_lines.push(line.clone());
            let first = line.split(' ').next().unwrap();
            if ["usiok", "readyok", "bestmove", "checkmate", word].contains(&first) {
                return line;
            }
        }
    }

    /// Waits for the event that Node calls `close`: the program has exited, and its output and standard error have
    /// ended. Returns the exit status.
    fn close(&mut self) -> ExitStatus {
        self.received_lines.extend(self.lines.iter());
        self.gui
            .child
            .stderr
            .take()
            .unwrap()
            .read_to_end(&mut Vec::new())
            .unwrap();
        self.gui.status()
    }

    fn quit(&mut self, config: &Folder) {
        self.talk("> quit");
        assert_eq!(self.close().code(), Some(0), "after {:?}", self.received_lines);
        check_gone(config);
    }
}

/// Returns the processes of the relay: the relay, its engine, and their children.
fn processes(config: &Folder) -> Vec<u32> {
    let variable = format!("SHOGIBAR_CONFIG={}", config.0.display()).into_bytes();
    let pids = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let environment = |pid: &u32| fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    pids.filter(|pid| {
        environment(pid)
            .split(|byte| *byte == 0)
            .any(|found| found == variable)
    })
    .collect()
}

/// Checks that no process and no socket is left.
fn check_gone(config: &Folder) {
    assert!(
        eventually(|| processes(config).is_empty()),
        "processes are left: {:?}",
        processes(config)
    );
    assert!(
        Address::for_folder(&config.0).unwrap().connect().is_err(),
        "a socket is left"
    );
}

/// Registers the built-in engine, Fairy-Stockfish if it is installed, or an engine of the zoo. Returns the file for the
/// GUI, which is a link to the relay, and the engine's command.
fn register(config: &Folder, name: &str) -> Option<(PathBuf, Command)> {
    let (program, arguments) = match name {
        "builtin" => (
            Path::new(env!("CARGO_BIN_EXE_shogibar-usi")).with_file_name("shogibar"),
            vec!["engine"],
        ),
        "fairy" => (engine("fairy-stockfish")?, Vec::new()),
        animal => (crate::zoo::zoo(), vec![animal, config.0.to_str().unwrap()]),
    };
    if name != "builtin" {
        let words = format!("program = '{}'\narguments = {arguments:?}\n", program.display());
        config.write("engines.toml", &format!("[[engine]]\nname = '{name}'\n{words}"));
    }
    fs::create_dir_all(config.file("relay")).unwrap();
    config.write("relay/programs.txt", "");
    let path = config.file(&format!("relay/shogibar-usi-{name}"));
    symlink(env!("CARGO_BIN_EXE_shogibar-usi"), &path).unwrap();
    Some((path, command(program, config, &arguments)))
}

/// Starts an engine only to list its options. Returns its output.
fn list(config: &Folder, command: Command) -> Vec<String> {
    let mut home = ShogiHome::launch(command);
    home.talk("< usiok");
    home.quit(config);
    home.received_lines
}

/// Returns the lines that set the options to their defaults. Names with blanks are left out, because such lines are not
/// understood. Two options are always set.
fn settings(received: &[String]) -> String {
    let read = |line: &String| match line.split(' ').collect::<Vec<_>>().as_slice() {
        ["option", "name", "USI_Hash" | "USI_Ponder", ..] => None,
        ["option", "name", name, "type", _, "default", value, ..] => Some(format!("{name} value {value}")),
        _ => None,
    };
    let always = ["USI_Hash value 32", "USI_Ponder value true"].map(str::to_owned);
    let settings: Vec<_> = received.iter().filter_map(read).chain(always).collect();
    format!(
        "> setoption name {}",
        settings.join("\n> setoption name ").replace("<empty>", "")
    )
}

#[test]
fn the_options_are_listed_as_without_the_relay() {
    let config = Folder::new("shogihome-options");
    for name in ["builtin", "fairy", "odd-options", "crlf", "shift-jis"] {
        let Some((path, direct)) = register(&config, name) else {
            continue;
        };
        let direct = list(&config, direct);
        assert_eq!(list(&config, command(path, &config, &[])), direct, "{name}");
        config.write("settings.toml", &format!("[relay]\nengine = {name:?}\n"));
        assert_eq!(
            list(&config, relay(&config, &[])),
            direct,
            "{name}, by the settings"
        );
    }
}

/// Plays a game. The opponent plays the expected move, then another one, and then the expected one again.
fn play(home: &mut ShogiHome, times: &str, is_early_ponder: bool) {
    let [ponder, hit] = if is_early_ponder { ["", times] } else { [times, ""] };
    let mut game = History::from_usi("startpos").unwrap();
    home.talk(&format!(
        "> isready\n< readyok\n> usinewgame\n> position startpos\n> go{times}"
    ));
    for is_hit in [true, false, true] {
        let answer = home.answer("bestmove");
        let mut moves = answer.split(' ').filter_map(Move::from_usi);
        game.play(moves.next().expect(&answer)).unwrap();
        // A slow engine may name no expected move.
        let expected = moves.next().unwrap_or_else(|| game.now().legal_moves()[0]);
        home.talk(&format!(
            "> position {} {expected}\n> go ponder{ponder}\n< info *",
            game.usi()
        ));
        let mut replies = game.now().legal_moves().into_iter();
        game.play(replies.find(|reply| (*reply == expected) == is_hit).unwrap())
            .unwrap();
        let miss = format!("> stop\n< bestmove *\n> position {}\n> go{times}", game.usi());
        home.talk(&if is_hit { format!("> ponderhit{hit}") } else { miss });
    }
    home.talk("< bestmove *\n> gameover win");
}

#[test]
fn games_are_played_with_ponder() {
    for name in ["builtin", "fairy"] {
        let config = Folder::new(&format!("shogihome-games-{name}"));
        let Some((path, _)) = register(&config, name) else {
            continue;
        };
        let settings = settings(&list(&config, command(&path, &config, &[])));
        let (mut home, mut window) = ShogiHome::launch_with_window(&config, &path);
        home.talk(&format!("< usiok\n{settings}"));
        play(&mut home, " btime 0 wtime 0 byoyomi 200", false);
        // Some engines do not understand times after `ponderhit`.
        play(&mut home, " btime 9 wtime 9 binc 200 winc 200", name == "builtin");
        // A game can end during a search. The `bestmove` of that search may come after `readyok`.
        home.talk("> isready\n< readyok\n> usinewgame\n> position startpos\n> go infinite\n< info *");
        home.talk("> stop\n> gameover draw\n> isready");
        let mut answers = [home.answer("bestmove"), home.answer("bestmove")];
        answers.sort();
        assert!(
            answers[0].starts_with("bestmove ") && answers[1] == "readyok",
            "{answers:?}"
        );
        assert!(processes(&config).len() > 1, "the engine is not found");
        home.quit(&config);
        window.read_to_end(&mut Vec::new()).unwrap();
    }
}

#[test]
fn every_line_reaches_the_engine() {
    let says_back =
        "while IFS= read -r line; do printf '%s\\n' \"$line\"; [ \"$line\" != quit ] || exit 0; done\n";
    let (config, script) = (
        Folder::new("shogihome-lines"),
        Script::new("relay-says-back", says_back),
    );
    config.write(
        "settings.toml",
        &format!("[relay]\nengine = '{}'\n", script.path.display()),
    );
    // An option may be empty or unknown, or have to wait for the end of a search.
    let lines = "> setoption name Dir value \n> setoption name 定跡 value 居飛車 1\n> setoption name Clear_Hash\n\
                 > setoption name Stochastic_Ponder value true\n> setoption name USI_Hash value 32\n> go infinite\n\
                 > stop\n> setoption name MultiPV value 3\n> position startpos\n> go mate 5000\n> gameover lose";
    let mut home = ShogiHome::launch(relay(&config, &[]));
    home.talk(lines);
    home.quit(&config);
    assert_eq!(home.received_lines.join("\n> "), format!("usi\n{lines}\n> quit"));
}

#[test]
fn quit_leaves_nothing_in_any_phase() {
    let phases = "< usiok\n> isready\n> stop\n< readyok\n> usinewgame\n> position startpos\n\
                  > go ponder btime 0 wtime 0 byoyomi 200\n< info *\n> stop\n< bestmove *\n> go infinite\n< info *\n\
                  > stop\n> gameover lose\n> isready";
    for name in ["builtin", "fairy"] {
        let config = Folder::new(&format!("shogihome-quit-{name}"));
        let Some((path, _)) = register(&config, name) else {
            continue;
        };
        for count in 0..=phases.lines().count() {
            let mut home = ShogiHome::launch(command(&path, &config, &[]));
            phases.lines().take(count).for_each(|line| home.talk(line));
            home.quit(&config);
        }
    }
}

/// Kills the relay of an engine that hangs, 5 s after `quit`. If the engine has not answered `usi`, `quit` comes after
/// 10 s.
fn check_kill(animal: &str, script: &str, name: &str, number: i32) {
    let config = Folder::new(&format!("shogihome-{animal}-{name}"));
    let (path, _) = register(&config, animal).unwrap();
    let (mut home, mut window) = ShogiHome::launch_with_window(&config, &path);
    home.talk(script);
    assert!(
        !script.is_empty() || home.lines.recv_timeout(Duration::from_secs(10)).is_err(),
        "{animal} answers"
    );
    home.talk("> quit");
    std::thread::park_timeout(Duration::from_secs(5));
    let killed = Instant::now();
    assert!(
        processes(&config).len() > 1 && signal(name, home.gui.child.id()),
        "{animal} has quit"
    );
    assert_eq!(home.close().signal(), Some(number), "{animal}");
    check_gone(&config);
    eprintln!("{animal}, {name}: nothing is left after {:?}", killed.elapsed());
    window.read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn a_kill_leaves_nothing() {
    let search = "< usiok\n> isready\n< readyok\n> usinewgame\n> position startpos\n> go infinite\n< info *";
    let hangs = [
        ("silent", ""),
        ("ignores-quit", "< usiok"),
        ("ignores-quit-in-a-search", search),
    ];
    std::thread::scope(|scope| {
        for (animal, script) in hangs {
            // Node sends the first of these signals. Its kill on Windows is like the second one.
            scope.spawn(move || check_kill(animal, script, "TERM", 15));
            scope.spawn(move || check_kill(animal, script, "KILL", 9));
        }
    });
}
