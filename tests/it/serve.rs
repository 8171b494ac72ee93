//! `shogibar serve`: the program itself, on the loopback.

use crate::support::{self, found_or_skipped};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const START: &str = "V2.2\nN+先手の人\nN-後手の人\nPI\n+\n+7776FU\nT1\n";

/// A server, which is ended with its test, and its folder.
struct Server {
    child: Child,
    folder: PathBuf,
    url: String,
    /// The control address; empty without one.
    control: String,
}

/// Returns the answer to a request (`GET /path`) to a host.
fn answer_to(request: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(support::PATIENCE)).unwrap();
    write!(
        stream,
        "{request} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

impl Server {
    fn command(folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command
            .args(["serve", "--engine", "builtin", "--lang", "ja"])
            .args(arguments)
            .current_dir(folder);
        command
            .env("SHOGIBAR_CONFIG", folder.join("home"))
            .stdin(Stdio::null());
        command
    }

    fn folder(name: &str) -> PathBuf {
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("serve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn start(folder: PathBuf, arguments: &[&str]) -> Self {
        let mut child = Self::command(&folder, arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            line.trim().to_owned()
        };
        let url = line();
        let control = if arguments.contains(&"--control") {
            line()
        } else {
            String::new()
        };
        Self {
            child,
            folder,
            url,
            control: control.rsplit(' ').next().unwrap_or_default().to_owned(),
        }
    }

    fn start_on_free_port(folder: &Path, arguments: &[&str]) -> (Self, String) {
        loop {
            let port = TcpListener::bind("127.0.0.1:0")
                .unwrap()
                .local_addr()
                .unwrap()
                .port()
                .to_string();
            let mut server = Self::start(folder.to_owned(), &[&["--port", &port], arguments].concat());
            if !server.url.is_empty() {
                return (server, port);
            }
            // Another program has taken the port meanwhile. The folder is used again.
            server.folder = PathBuf::new();
        }
    }

    fn send(&self, command: &str) {
        let (host, path) = self
            .control
            .strip_prefix("http://")
            .unwrap()
            .split_once('/')
            .unwrap();
        let answer = answer_to(&format!("POST /{path}{command}"), host);
        assert!(answer.starts_with("HTTP/1.1 204 "), "{command}: {answer}");
    }

    fn page(&self, page: &str) -> (String, String) {
        let (host, path) = self.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        (host.to_owned(), format!("/{path}{page}"))
    }

    fn get(&self, page: &str) -> String {
        let (host, path) = self.page(page);
        answer_to(&format!("GET {path}"), &host)
    }

    fn state(&self, mut is_wanted: impl FnMut(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        for _ in 0..support::PATIENCE.as_millis() / 50 {
            let answer = self.get("state");
            last = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
            if is_wanted(&last) {
                return last;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it never came: {last}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_growing_file_is_followed_on_the_pages() {
    let folder = Server::folder("grows");
    std::fs::write(folder.join("game.csa"), START).unwrap();
    std::fs::write(folder.join("other.csa"), START.replace("先手の人", "別の人")).unwrap();
    let server = Server::start(folder, &["--port", "0", "game.csa", "other.csa"]);
    assert!(server.url.starts_with("http://127.0.0.1:"), "{}", server.url);
    let state = server.state(|state| {
        state["games"]
            .as_array()
            .is_some_and(|games| games.iter().all(|game| !game["win"].is_null()) && games.len() == 2)
    });
    let game = &state["games"][0];
    assert_eq!(
        (&game["names"][0], &game["ply"], &game["last"]),
        (&"先手の人".into(), &1.into(), &"▲7六歩".into())
    );
    assert_eq!(
        (&state["games"][1]["names"][0], &state["games"][1]["id"]),
        (&"別の人".into(), &2.into())
    );
    std::fs::write(
        server.folder.join("game.csa"),
        format!("{START}-3334FU\nT5\n+2726FU\n"),
    )
    .unwrap();
    let state = server.state(|state| state["games"][0]["ply"] == 3 && state["games"][0]["stale"] == false);
    assert_eq!(state["games"][0]["history"].as_array().unwrap().len(), 4);
    assert_eq!(
        state["games"][0].get("source"),
        None,
        "no name of a file is on a page"
    );
    for (page, expect) in [
        ("", "desk"),
        ("desk", "desk.js"),
        ("loader.html?layout=bar", "/overlay?layout=bar"),
        ("fonts.css", "@font-face"),
    ] {
        let answer = server.get(page);
        assert!(
            answer.starts_with("HTTP/1.1 200 ") && answer.contains(expect),
            "{page}: {answer}"
        );
    }
    assert!(server.get("../secret").starts_with("HTTP/1.1 404 "));
    assert_eq!(
        server.get("overlay").starts_with("HTTP/1.1 200 "),
        cfg!(feature = "gui")
    );
}

/// An even game, and a move that loses a rook.
const EVEN: &str = "V2.2\nN+先手の人\nN-後手の人\nPI\n+\n+7776FU\n-8384FU\n+2726FU\n-8485FU\n+2625FU\n-4132KI\n+8877KA\n-3334FU\n\
    +2524FU\n-2324FU\n+2824HI\n-0023FU\n";
const BLUNDER: &str = "+2423RY\n";

/// Reads the lines of `examples/events.py` while a decisive move is played. The script runs until the server ends.
#[test]
fn a_turning_point_is_announced_to_scripts() {
    let folder = Server::folder("turns");
    std::fs::write(folder.join("game.csa"), EVEN).unwrap();
    let server = Server::start(folder, &["--port", "0", "game.csa", "--control"]);
    let mut script = found_or_skipped(support::program("python3"), "python", "python3").map(|python| {
        Command::new(python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/events.py"))
            .arg(&server.url)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    });
    // A loss is sure once the search before the move took a second and has depth 10.
    server.state(|state| {
        let game = &state["games"][0];
        let [nodes, nps] = [&game["nodes"], &game["nps"]].map(|value| value.as_u64().unwrap_or_default());
        game["ply"] == 12 && game["depth"].as_u64() >= Some(12) && nps > 0 && nodes > 2 * nps
    });
    std::fs::write(server.folder.join("game.csa"), format!("{EVEN}{BLUNDER}")).unwrap();
    let state = server.state(|state| !state["games"][0]["turning_point"].is_null());
    let point = &state["games"][0]["turning_point"];
    assert_eq!(
        [&point["ply"], &point["move"], &point["side"]],
        [&Value::from(13), &"▲同　飛成".into(), &"black".into()],
        "{point}"
    );
    let [before, after] = [&point["before"], &point["after"]].map(|value| value.as_f64().unwrap());
    assert!(after < 0.27 && before > 0.4, "{point}");
    if let Some(script) = &mut script {
        let mut line = String::new();
        BufReader::new(script.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(line.starts_with("先手の人 - 後手の人  13: ▲同　飛成 -"), "{line}");
    }
    let number = point["number"].clone();
    server.state(|state| state["games"][0]["turning_point"].is_null());
    server.send("turning_point");
    let again = server.state(|state| !state["games"][0]["turning_point"].is_null());
    assert_ne!(again["games"][0]["turning_point"]["number"], number);
    server.send("hide");
    server.state(|state| state["games"][0]["turning_point"].is_null());
    drop(server);
    if let Some(mut script) = script {
        script.kill().unwrap();
        script.wait().unwrap();
    }
}

#[test]
fn the_address_stays_the_same_and_is_served_once() {
    let folder = Server::folder("address");
    let first = Server::start(folder.clone(), &["--port", "0"]);
    let token = |server: &Server| {
        server
            .url
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned()
    };
    let port = first.page("").0.rsplit(':').next().unwrap().to_owned();
    let again = Server::command(&folder, &["--port", &port])
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(2));
    let why = String::from_utf8(again.stderr).unwrap();
    assert!(
        why.contains(&format!("ポート {port} は")) && why.lines().count() == 1,
        "{why}"
    );
    let known = token(&first);
    let settings = std::fs::read_to_string(folder.join("home/settings.toml")).unwrap();
    assert!(settings.contains(&known), "{settings}");
    let second = Server::start(folder, &["--port", "0"]);
    assert_eq!(token(&second), known);
}

#[test]
fn the_same_command_goes_on_after_a_kill() {
    let folder = Server::folder("goes-on");
    let moves = format!("{START}-3334FU\nT5\n+2726FU\n");
    for (name, black) in [("game.csa", "先手の人"), ("other.csa", "別の人")] {
        std::fs::write(folder.join(name), moves.replace("先手の人", black)).unwrap();
    }
    let arguments = ["--control", "game.csa", "other.csa"];
    let (mut server, port) = Server::start_on_free_port(&folder, &arguments);
    server.state(|state| [0, 1].iter().all(|game| state["games"][*game]["ply"] == 3));
    server.send("delay=30m");
    server.send("lock?game=1");
    server.send("numbers_only=1?game=2");
    let is_stored = |text: &str| {
        let stored =
            std::fs::read_to_string(folder.join(format!("home/serve-{port}.toml"))).unwrap_or_default();
        stored.contains(text)
    };
    server.state(|_| is_stored("numbers_only = true") && is_stored("locked = true"));
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    // The game goes on while nothing follows it.
    std::fs::write(
        folder.join("game.csa"),
        format!("{moves}T1\n-8384FU\nT1\n+2625FU\n"),
    )
    .unwrap();
    server.folder = PathBuf::new();
    let mut server = Server::start(folder.clone(), &[&["--port", &port], &arguments[..]].concat());
    for _ in 0..20 {
        let state = server.state(|state| state["games"].as_array().is_some_and(|games| !games.is_empty()));
        let [first, second] = [0, 1].map(|game| &state["games"][game]);
        assert_eq!(
            (&first["ply"], &first["locked"]),
            (&3.into(), &true.into()),
            "{state}"
        );
        assert_eq!(second["numbers_only"], true, "{state}");
    }
    server.send("delay=0?game=1");
    let (mut last, mut plies) = (3, Vec::new());
    server.state(|state| {
        let ply = state["games"][0]["ply"].as_i64().unwrap();
        plies.push(ply);
        assert!(ply >= last, "{plies:?}");
        last = ply;
        ply == 5
    });
    // Another command begins anew.
    server.folder = PathBuf::new();
    drop(server);
    let server = Server::start(
        folder,
        &["--port", &port, "--delay", "0", "game.csa", "other.csa"],
    );
    let state = server.state(|state| state["games"][0]["ply"] == 5);
    for game in [0, 1] {
        let game = &state["games"][game];
        assert_eq!(
            (&game["locked"], &game["numbers_only"]),
            (&false.into(), &false.into()),
            "{state}"
        );
    }
}

#[test]
fn missing_files_and_engines_are_reported() {
    let folder = Server::folder("missing");
    std::fs::write(folder.join("game.csa"), START).unwrap();
    let check = |arguments: &[&str], expect: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command
            .args(["serve", "--port", "0"])
            .args(arguments)
            .current_dir(&folder);
        command
            .env("SHOGIBAR_CONFIG", folder.join("home"))
            .stdin(Stdio::null());
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(expect), "{arguments:?}: {error}");
    };
    check(&["--engine", "builtin", "--lang", "ja", "no.csa"], "no.csa");
    check(
        &["--engine", "builtin", "--lang", "en", "no.csa", "nothing.kif"],
        "nothing.kif",
    );
    check(
        &["--engine", "./no-engine", "--lang", "en", "game.csa"],
        "no-engine",
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_missing_file_is_reported_and_the_others_are_served() {
    let folder = Server::folder("one-missing");
    std::fs::write(folder.join("game.csa"), START).unwrap();
    let arguments = ["--port", "0", "game.csa", "no.csa"];
    let mut child = Server::command(&folder, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut url, mut error) = (String::new(), String::new());
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut url)
        .unwrap();
    BufReader::new(child.stderr.take().unwrap())
        .read_line(&mut error)
        .unwrap();
    assert!(error.contains("no.csa"), "{error}");
    let server = Server {
        child,
        folder,
        url: url.trim().to_owned(),
        control: String::new(),
    };
    server.state(|state| state["games"][0]["win"].is_number());
}

#[test]
fn three_games_share_an_engine() {
    let folder = Server::folder("shared");
    for name in ["a", "b", "c"] {
        std::fs::write(
            folder.join(format!("{name}.csa")),
            START.replace("先手の人", name),
        )
        .unwrap();
    }
    let server = Server::start(
        folder,
        &["--port", "0", "--share", "1", "a.csa", "b.csa", "c.csa"],
    );
    let all = |state: &Value, is: &dyn Fn(&Value) -> bool| {
        state["games"]
            .as_array()
            .is_some_and(|games| games.len() == 3 && games.iter().all(is))
    };
    server.state(|state| all(state, &|game| game["win"].is_number() && game["stale"] == false));
    for name in ["a", "b", "c"] {
        let text = format!("{}-3334FU\nT1\n", START.replace("先手の人", name));
        std::fs::write(server.folder.join(format!("{name}.csa")), text).unwrap();
    }
    server.state(|state| {
        all(state, &|game| {
            game["ply"] == 2 && game["win"].is_number() && game["stale"] == false
        })
    });
}

/// Two servers: one sends moves as fast as it can, the other one lists games without end. The program shows the newest
/// move, and a signal ends it.
#[cfg(unix)]
#[test]
fn a_flood_keeps_the_program_neither_busy_nor_alive() {
    const MOVES: usize = 4000;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || flood(stream, MOVES));
        }
    });
    for (address, ply) in [
        (format!("csa://game@127.0.0.1:{port}/g"), MOVES),
        (format!("csa://list@127.0.0.1:{port}"), 0),
    ] {
        let mut server = Server::start(
            Server::folder(&format!("flood-{ply}")),
            &["--port", "0", &address],
        );
        server.state(|state| ply == 0 || state["games"][0]["ply"] == ply);
        assert!(support::signal("TERM", server.child.id()));
        assert!(
            support::eventually(|| server.child.try_wait().unwrap().is_some()),
            "{address}"
        );
    }
}

#[cfg(unix)]
fn flood(stream: TcpStream, moves: usize) -> std::io::Result<()> {
    let (mut out, mut is_endless) = (stream.try_clone()?, false);
    for line in BufReader::new(stream).lines() {
        match line?.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["LOGIN", name, ..] => {
                is_endless = *name == "list";
                out.write_all(format!("LOGIN:{name} OK\n##[LOGIN] +OK x1\n").as_bytes())?;
            }
            ["%%LIST"] => {
                let list = format!("{}##[LIST] +OK\n", "##[LIST] g\n".repeat(1000));
                loop {
                    out.write_all(list.as_bytes())?;
                    if !is_endless {
                        break;
                    }
                }
            }
            ["%%MONITOR2ON", game] => {
                let tell = |line: &str| format!("##[MONITOR2][{game}] {line}\n");
                let cycle = ["+2838HI", "-8272HI", "+3828HI", "-7282HI"];
                let moves = cycle
                    .into_iter()
                    .cycle()
                    .take(moves)
                    .flat_map(|mv| [mv, "T1", "+OK"]);
                let lines = ["V2.2", "N+A", "N-B", "PI", "+"].into_iter().chain(moves);
                out.write_all(lines.map(tell).collect::<String>().as_bytes())?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// A new address has one token, even if several programs start at once. A token that cannot be stored is valid for one
/// run.
#[cfg(unix)]
#[test]
fn a_token_is_made_once_and_a_home_that_cannot_be_written_ends_nothing() {
    let folder = Server::folder("tokens");
    std::fs::write(folder.join("game.csa"), START).unwrap();
    let start =
        |folder: PathBuf| std::thread::spawn(move || Server::start(folder, &["--port", "0", "game.csa"]));
    let servers: Vec<_> = (0..3).map(|_| start(folder.clone())).collect();
    let servers: Vec<Server> = servers.into_iter().map(|server| server.join().unwrap()).collect();
    let settings = std::fs::read_to_string(folder.join("home/settings.toml")).unwrap();
    for server in &servers {
        let token = server.url.trim_end_matches('/').rsplit('/').next().unwrap();
        assert!(settings.contains(token), "{} {settings}", server.url);
    }
    drop(servers);
    // There is a file in place of the folder.
    let folder = Server::folder("no-home");
    std::fs::write(folder.join("game.csa"), START).unwrap();
    std::fs::write(folder.join("home"), "").unwrap();
    let mut child = Server::command(&folder, &["--port", "0", "game.csa"]);
    let mut child = child
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut url, mut error) = (String::new(), String::new());
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut url)
        .unwrap();
    BufReader::new(child.stderr.take().unwrap())
        .read_line(&mut error)
        .unwrap();
    let server = Server {
        child,
        folder,
        url: url.trim().to_owned(),
        control: String::new(),
    };
    assert!(error.contains("home"), "{error}");
    server.state(|state| state["games"][0]["ply"] == 1);
}

#[cfg(unix)]
#[test]
fn a_lock_and_a_pipe_in_place_of_the_settings_are_named() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = Server::folder("held");
    std::fs::write(folder.join("game.csa"), START).unwrap();
    std::fs::create_dir(folder.join("home")).unwrap();
    let lock = std::fs::File::create(folder.join("home/settings.toml.lock")).unwrap();
    lock.lock().unwrap();
    let start = |folder: &PathBuf| {
        let mut child = Server::command(folder, &["--port", "0", "game.csa"]);
        let mut child = child
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut url, mut error) = (String::new(), String::new());
        BufReader::new(child.stderr.take().unwrap())
            .read_line(&mut error)
            .unwrap();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut url)
            .unwrap();
        (
            Server {
                child,
                folder: folder.clone(),
                url: url.trim().to_owned(),
                control: String::new(),
            },
            error,
        )
    };
    let (server, error) = start(&folder);
    assert!(error.contains("settings.toml"), "{error}");
    server.state(|state| state["games"][0]["ply"] == 1);
    let engines = std::fs::File::create(folder.join("home/engines.toml.lock")).unwrap();
    engines.lock().unwrap();
    let mut add = Command::new(env!("CARGO_BIN_EXE_shogibar"));
    add.args(["engines", "add", "x", "--lang", "en", "--", "x"])
        .env("SHOGIBAR_CONFIG", folder.join("home"));
    let added = add.stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8(added.stderr).unwrap();
    assert!(
        added.status.code() == Some(2) && error.contains("engines.toml"),
        "{error}"
    );
    drop(server);
    let folder = Server::folder("pipe");
    std::fs::write(folder.join("game.csa"), START).unwrap();
    std::fs::create_dir(folder.join("home")).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(folder.join("home/settings.toml"))
            .status()
            .unwrap()
            .success()
    );
    let (server, error) = start(&folder);
    assert!(error.contains("settings.toml"), "{error}");
    server.state(|state| state["games"][0]["ply"] == 1);
    let kind = std::fs::symlink_metadata(server.folder.join("home/settings.toml"))
        .unwrap()
        .file_type();
    assert!(kind.is_fifo(), "it is not replaced");
}
