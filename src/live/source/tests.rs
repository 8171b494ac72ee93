//! Sources with real sockets, threads and files. Waits end when the result has arrived; their limits are long.

#![expect(
    clippy::disallowed_methods,
    reason = "servers, clocks, threads and files of tests"
)]

use super::*;
use crate::game::{EndCause, LiveGame, RedirectRefusal, SourceProblem, SourceState};
use crate::reader::{growth, read, text};
use shogibar_base::random::SplitMix;
use shogibar_kifu::{Record, Target};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

/// The longest wait of a test.
const TEST_TIMEOUT: Duration = Duration::from_mins(1);

/// A handler that serves any bytes.
type Handler = dyn Fn(&str, &mut TcpStream) -> io::Result<()> + Send + Sync;

/// A server on this machine. Dropping it ends the server.
struct LoopbackServer {
    port: u16,
    is_stopped: Arc<AtomicBool>,
    requests: Arc<Mutex<Vec<(Instant, String)>>>,
}

impl LoopbackServer {
    /// Serves each connection on a separate thread. The handler gets the head of the request.
    fn http(handler: impl Fn(&str, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static) -> Self {
        let handler: Arc<Handler> = Arc::new(handler);
        Self::start(move |stream, requests| {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                if stream.read(&mut byte)? == 0 {
                    return Ok(());
                }
                head.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            threads::lock(requests).push((Instant::now(), head.clone()));
            handler(&head, stream)
        })
    }

    fn start(
        serve: impl Fn(&mut TcpStream, &Mutex<Vec<(Instant, String)>>) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_stopped, requests) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let (flag, log, serve) = (Arc::clone(&is_stopped), Arc::clone(&requests), Arc::new(serve));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if flag.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(mut stream) = stream else { continue };
                let (log, serve) = (Arc::clone(&log), Arc::clone(&serve));
                std::thread::spawn(move || {
                    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
                    // The client may have gone, so an error is ignored.
                    let _gone = serve(&mut stream, &log);
                });
            }
        });
        Self {
            port,
            is_stopped,
            requests,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        let _wake = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn answer(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    )?;
    stream.write_all(body)
}

fn config() -> SourceConfig {
    let mut config = SourceConfig::new("0.0.0-test");
    config.http = config.http.divided(100);
    // The source must not end by itself while a test waits, so this time is not divided.
    config.http.unchanged_timeout = Duration::from_hours(1);
    let retry = RetryPauses {
        first: Duration::from_millis(20),
        max: Duration::from_millis(200),
    };
    (config.csa.retry, config.feed_retry) = (retry, retry);
    config
}

/// A source and its events. No event may contain the password of the tests.
struct Watched {
    source: Option<LiveSource>,
    events: Receiver<SourceEvent>,
    /// One reference is held by the source's threads.
    thread_token: Arc<()>,
}

impl Watched {
    fn start(address: &str, config: &SourceConfig) -> Self {
        let (sender, events) = channel();
        let alive = Arc::new(());
        let held = Arc::clone(&alive);
        let source = LiveSource::start(LiveAddress::parse(address).unwrap(), config, move |event| {
            std::hint::black_box(&held);
            let _unread = sender.send(event);
        });
        Self {
            source: Some(source.unwrap()),
            events,
            thread_token: alive,
        }
    }

    /// Waits for an event that `pick` accepts, and returns its result.
    fn find<T>(&self, what: &str, mut pick: impl FnMut(&SourceEvent) -> Option<T>) -> T {
        let end = Instant::now() + TEST_TIMEOUT;
        let mut seen = Vec::new();
        while let Ok(event) = self
            .events
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            let shown = format!("{event:?}");
            assert!(!shown.contains("hunter2"), "{shown}");
            if let Some(found) = pick(&event) {
                return found;
            }
            seen.push(shown.chars().take(300).collect::<String>());
        }
        panic!("no {what}: {seen:#?}")
    }

    /// Waits for a game that fulfils a condition.
    fn game(&self, what: &str, is_it: impl Fn(&LiveGame) -> bool) -> LiveGame {
        self.find(what, |event| match event {
            SourceEvent::Game(game) if is_it(game) => Some(game.clone()),
            _ => None,
        })
    }

    /// Waits for a game with this record.
    fn record(&self, truth: &Record) {
        self.game("final record", |game| *game.record == *truth);
    }

    fn problem(&self) -> SourceProblem {
        self.find("problem", |event| match event {
            SourceEvent::State(
                SourceState::Lost { problem, .. } | SourceState::Ended(EndCause::Refused(problem)),
            ) => Some(problem.clone()),
            _ => None,
        })
    }

    fn ended(&self) -> EndCause {
        self.find("end", |event| match event {
            SourceEvent::State(SourceState::Ended(cause)) => Some(cause.clone()),
            _ => None,
        })
    }

    /// Drops the source and waits until its threads have gone.
    fn stop(mut self) {
        self.source = None;
        let end = Instant::now() + TEST_TIMEOUT;
        while Arc::strong_count(&self.thread_token) > 1 {
            assert!(Instant::now() < end, "a thread is left");
            pause(5);
        }
    }
}

#[expect(clippy::print_stdout, reason = "a figure for a developer to read")]
fn print_figure(text: &str) {
    println!("{text}");
}

fn pause(millis: u64) {
    std::thread::sleep(Duration::from_millis(millis));
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("shogibar-live-{name}-{}", std::process::id()));
    let _new = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(path: &std::path::Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

/// Returns the texts of a random game as it grows.
fn texts(seed: u64, target: Target) -> Vec<Vec<u8>> {
    let mut random = SplitMix(seed);
    growth(30, &mut random)
        .iter()
        .map(|(history, is_over)| text(history, *is_over, target))
        .collect()
}

#[test]
fn follows_a_file_that_is_replaced_or_appended() {
    let folder = folder("file");
    let path = folder.join("a.kif");
    let states = texts(1, Target::Kif);
    let watched = Watched::start(path.to_str().unwrap(), &config());
    assert_eq!(watched.problem(), SourceProblem::NotFound);
    for (number, state) in states.iter().enumerate() {
        match number % 4 {
            // The file is written in pieces.
            0 => {
                let (head, tail) = state.split_at(state.len() / 2);
                write(&path, head);
                pause(30);
                fs::OpenOptions::new()
                    .append(true)
                    .open(&path)
                    .unwrap()
                    .write_all(tail)
                    .unwrap();
            }
            // The text is written to another file, which is then renamed.
            1 => {
                write(&folder.join("new"), state);
                fs::rename(folder.join("new"), &path).unwrap();
            }
            // Gone for a moment.
            2 => {
                fs::remove_file(&path).unwrap();
                pause(20);
                write(&path, state);
            }
            _ => write(&path, state),
        }
        pause(20);
    }
    watched.record(&read(states.last().unwrap()));
    // Another, shorter game, and then this one again.
    let (last, others) = (states.last().unwrap(), texts(5, Target::Kif));
    let shorter = &others[others.len() / 4];
    write(&path, shorter);
    watched.record(&read(shorter));
    write(&path, last);
    watched.record(&read(last));
    watched.stop();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn follows_a_file_within_a_fifth_of_a_second() {
    let folder = folder("latency");
    let path = folder.join("a.csa");
    let states = texts(2, Target::Csa);
    write(&path, &states[0]);
    let watched = Watched::start(path.to_str().unwrap(), &config());
    let mut times = Vec::new();
    for state in states.iter().skip(1).take(12) {
        let truth = read(state);
        write(&path, state);
        let begun = Instant::now();
        watched.record(&truth);
        times.push(begun.elapsed());
    }
    times.sort();
    // A busy machine is late; so the time is printed, and not checked.
    print_figure(&format!(
        "a file: median {:?}, longest {:?}",
        times[times.len() / 2],
        times[times.len() - 1]
    ));
    watched.stop();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_gives_its_newest_record() {
    let folder = folder("folder");
    let states = texts(3, Target::Csa);
    let watched = Watched::start(folder.to_str().unwrap(), &config());
    assert_eq!(watched.problem(), SourceProblem::EmptyFolder);
    write(&folder.join("a.csa"), &states[3]);
    write(&folder.join("notes.txt"), b"nothing");
    assert!(watched.game("first", |_| true).id.ends_with("a.csa"));
    pause(50);
    // An empty file does not replace the game.
    write(&folder.join("b.csa"), b"");
    pause(300);
    write(&folder.join("b.csa"), &states[5]);
    assert!(
        watched
            .game("second", |game| game.id.ends_with("b.csa"))
            .id
            .ends_with("b.csa")
    );
    pause(50);
    write(&folder.join("a.csa"), &states[6]);
    assert_eq!(
        *watched
            .game("first again", |game| game.id.ends_with("a.csa"))
            .record,
        read(&states[6])
    );
    watched.stop();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn follows_records_on_the_web_through_faults() {
    for (seed, target) in [
        (10, Target::Csa),
        (11, Target::Kif),
        (12, Target::Jkf),
        (13, Target::Kifu),
    ] {
        let states = Arc::new(texts(seed, target));
        let truth = read(states.last().unwrap());
        let (growing, count) = (Arc::clone(&states), AtomicUsize::new(0));
        let server = LoopbackServer::http(move |head, stream| {
            assert!(head.contains("Shogibar/0.0.0-test"), "{head}");
            let number = count.fetch_add(1, Ordering::Relaxed);
            let at = (number / 2).min(growing.len() - 1);
            let state = &growing[at];
            let etag = format!("ETag: \"{at}\"\r\n");
            match number % 9 {
                3 => answer(stream, "404 Not Found", "", b"<html>no</html>"),
                4 => answer(stream, "500 Oops", "", b""),
                5 => {
                    write!(
                        stream,
                        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n",
                        state.len()
                    )?;
                    stream.write_all(&state[..state.len() / 2])
                }
                6 => {
                    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                    gzip.write_all(state)?;
                    answer(
                        stream,
                        "200 OK",
                        &format!("Content-Encoding: gzip\r\n{etag}"),
                        &gzip.finish()?,
                    )
                }
                7 => {
                    write!(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
                    write!(stream, "{:x}\r\n", state.len())?;
                    stream.write_all(state)
                }
                8 => Ok(()),
                _ if head.contains(&format!("\"{at}\"")) => answer(stream, "304 Not Modified", &etag, b""),
                _ => answer(stream, "200 OK", &etag, state),
            }
        });
        let watched = Watched::start(&server.url("/game"), &config());
        watched.record(&truth);
        assert_eq!(watched.ended(), EndCause::GameOver);
        let times: Vec<Instant> = threads::lock(&server.requests)
            .iter()
            .map(|(time, _)| *time)
            .collect();
        // The minimum interval is 10 ms here. The time at which the server sees the first request varies.
        let count = u32::try_from(times.len()).unwrap();
        assert!(
            times[times.len() - 1] - times[0] >= Duration::from_millis(5) * (count - 1),
            "seed {seed}: {count}"
        );
        watched.stop();
    }
}

#[test]
fn a_page_and_a_list_lead_to_records() {
    let states = texts(20, Target::Kif);
    let truth = read(states.last().unwrap());
    let last = states.last().unwrap().clone();
    let server = LoopbackServer::http(move |head, stream| match head.split(' ').nth(1) {
        Some("/page.html") => answer(
            stream,
            "200 OK",
            "",
            b"<html><script>var f='k/1.kif';</script></html>",
        ),
        Some("/k/1.kif") => answer(stream, "200 OK", "", &last),
        Some("/list.txt") => answer(
            stream,
            "200 OK",
            "",
            b"V1\n#sub:a\nA - B\nA - B\nhttp://c.d/1.csa\n",
        ),
        Some("/moved") => answer(stream, "302 Found", "Location: /page.html\r\n", b""),
        _ => answer(stream, "200 OK", "", b"<html>nothing</html>"),
    });
    for path in ["/page.html", "/moved", "/k/1.kif"] {
        let watched = Watched::start(&server.url(path), &config());
        watched.record(&truth);
        watched.stop();
    }
    let watched = Watched::start(&server.url("/list.txt"), &config());
    let games = watched.find("list", |event| match event {
        SourceEvent::Games(games) => Some(games.clone()),
        _ => None,
    });
    assert_eq!(games[0].address, "http://c.d/1.csa");
    watched.stop();
    assert_eq!(
        Watched::start(&server.url("/other"), &config()).problem(),
        SourceProblem::NoRecordInDocument
    );
}

/// Serves answers that no record needs.
fn hostile_server() -> LoopbackServer {
    let bomb = {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..64 {
            gzip.write_all(&vec![b'\n'; 1 << 20]).unwrap();
        }
        gzip.finish().unwrap()
    };
    LoopbackServer::http(move |head, stream| match head.split(' ').nth(1) {
        Some("/endless") => {
            write!(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            let chunk = [b'x'; 1 << 14];
            // Four gigabytes, for a client that reads them all.
            for _ in 0..1 << 18 {
                write!(stream, "{:x}\r\n", chunk.len())?;
                stream.write_all(&chunk)?;
                stream.write_all(b"\r\n")?;
            }
            Ok(())
        }
        Some("/long") => write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 4294967296\r\n\r\n")
            .and_then(|()| (0..1 << 18).try_for_each(|_| stream.write_all(&[b'y'; 1 << 14]))),
        Some("/bomb") => answer(stream, "200 OK", "Content-Encoding: gzip\r\n", &bomb),
        Some("/headers") => {
            write!(stream, "HTTP/1.1 200 OK\r\n")?;
            (0..2_600).try_for_each(|number| write!(stream, "X-{number}: {}\r\n", "z".repeat(4000)))
        }
        Some("/drip") => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")?;
            (0..6000).try_for_each(|_| {
                pause(10);
                stream.write_all(b"+")
            })
        }
        Some("/file") => answer(stream, "302 Found", "Location: file:///etc/passwd\r\n", b""),
        Some("/elsewhere") => answer(stream, "302 Found", "Location: http://me:hunter2@b.c/\r\n", b""),
        Some("/moved") => answer(stream, "301 Moved", "Location: picture\r\n", b""),
        Some("/circle") => answer(stream, "302 Found", "Location: /circle\r\n", b""),
        Some("/brotli") => answer(stream, "200 OK", "Content-Encoding: br\r\n", b"x"),
        Some("/private") => answer(
            stream,
            if head.contains("Basic bWU6aHVudGVyMg==") {
                "403 No"
            } else {
                "500 No"
            },
            "",
            b"",
        ),
        Some("/picture") => answer(stream, "200 OK", "", b"\x89PNG\r\n\x1a\n\0\0"),
        _ => stream.write_all(b"SSH-2.0-OpenSSH\r\n"),
    })
}

#[test]
fn hostile_servers_are_refused() {
    let server = hostile_server();
    let mut config = config();
    config.http.request_timeout = Duration::from_secs(3);
    let problem = |path: &str| {
        let watched = Watched::start(&server.url(path), &config);
        let problem = watched.problem();
        watched.stop();
        problem
    };
    assert_eq!(problem("/endless"), SourceProblem::TooLarge);
    assert_eq!(problem("/long"), SourceProblem::TooLarge);
    assert_eq!(problem("/bomb"), SourceProblem::TooLarge);
    assert_eq!(problem("/headers"), SourceProblem::HeadersTooLarge);
    assert_eq!(problem("/drip"), SourceProblem::Timeout);
    assert_eq!(problem("/file"), SourceProblem::Redirect(RedirectRefusal::Scheme));
    assert!(matches!(
        problem("/elsewhere"),
        SourceProblem::Redirect(RedirectRefusal::OtherHost(_))
    ));
    assert_eq!(
        problem("/circle"),
        SourceProblem::Redirect(RedirectRefusal::TooMany)
    );
    assert_eq!(problem("/brotli"), SourceProblem::Protocol);
    assert!(matches!(problem("/picture"), SourceProblem::NotARecord(_)));
    assert!(matches!(
        problem("/ssh"),
        SourceProblem::Protocol | SourceProblem::Truncated | SourceProblem::Timeout
    ));
    let with_password = server.url("/private").replace("://", "://me:hunter2@");
    assert_eq!(
        Watched::start(&with_password, &config).problem(),
        SourceProblem::Denied
    );
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(
        Watched::start(&format!("http://{unused}/"), &config).problem(),
        SourceProblem::Unreachable
    );
}

#[test]
fn a_single_fetch_is_bounded_and_follows_redirects() {
    let server = hostile_server();
    let fetch = |path: &str| {
        let url = WebUrl::parse(&server.url(path)).unwrap();
        crate::fetch_once(url, "Test", Duration::from_secs(3), 1000)
    };
    assert_eq!(
        fetch("/moved").as_deref(),
        Ok(b"\x89PNG\r\n\x1a\n\0\0".as_slice())
    );
    assert_eq!(fetch("/endless"), Err(SourceProblem::TooLarge));
    assert_eq!(fetch("/bomb"), Err(SourceProblem::TooLarge));
    assert_eq!(fetch("/drip"), Err(SourceProblem::Timeout));
    assert_eq!(
        fetch("/circle"),
        Err(SourceProblem::Redirect(RedirectRefusal::TooMany))
    );
    assert_eq!(fetch("/private"), Err(SourceProblem::Status(500)));
    assert!(matches!(
        fetch("/elsewhere"),
        Err(SourceProblem::Redirect(RedirectRefusal::OtherHost(_)))
    ));
}

#[test]
fn a_dropped_source_leaves_no_thread() {
    let server = LoopbackServer::http(|_, stream| {
        // No answer at all.
        let mut rest = [0];
        stream.read(&mut rest).map(drop)
    });
    let mut config = config();
    config.http.request_timeout = Duration::from_mins(10);
    config.lishogi = WebUrl::parse(&server.url("/"));
    let csa = format!("csa://me:hunter2@127.0.0.1:{}/g", server.port);
    for address in [
        server.url("/x").as_str(),
        "https://lishogi.org/abcdEFGH",
        "https://lishogi.org/tv",
        &csa,
    ] {
        let watched = Watched::start(address, &config);
        pause(50);
        let begun = Instant::now();
        watched.stop();
        assert!(begun.elapsed() < Duration::from_secs(25), "{address}");
    }
}

/// Sends some states of a game to an observer, until a move is taken back.
fn send_states(stream: &mut TcpStream, states: &[Vec<u8>], next: &AtomicUsize) -> io::Result<()> {
    let mut known = String::new();
    for _ in 0..10 {
        let at = next.load(Ordering::Relaxed);
        let log = String::from_utf8_lossy(&states[at]).into_owned();
        let Some(added) = log.strip_prefix(&known) else {
            break;
        };
        for line in added.lines() {
            stream.write_all(format!("##[MONITOR2][g] {line}\n").as_bytes())?;
        }
        stream.write_all(b"##[MONITOR2][g] +OK\n")?;
        pause(5);
        if at + 1 == states.len() {
            break;
        }
        next.fetch_add(1, Ordering::Relaxed);
        known = log;
    }
    Ok(())
}

/// Serves a CSA server for one observer after the other, from a list of logs.
fn csa_server(states: Vec<Vec<u8>>) -> LoopbackServer {
    let next = AtomicUsize::new(0);
    LoopbackServer::start(move |stream, _| {
        let mut reader = std::io::BufReader::new(stream.try_clone()?);
        let mut line = String::new();
        while std::io::BufRead::read_line(&mut reader, &mut line)? > 0 {
            let command: Vec<&str> = line.split_whitespace().collect();
            match command.as_slice() {
                ["LOGIN", "twice", ..] => {
                    stream.write_all(b"LOGIN:incorrect\nusername twice is already connected\n")?;
                }
                ["LOGIN", name, "hunter2", "x1"] => {
                    stream.write_all(format!("LOGIN:{name} OK\n##[LOGIN] +OK x1\n").as_bytes())?;
                }
                ["LOGIN", ..] => return stream.write_all(b"LOGIN:incorrect\n"),
                ["%%LIST"] => stream.write_all(b"##[LIST] g\n##[LIST] +OK\n")?,
                ["%%MONITOR2ON", "g"] => return send_states(stream, &states, &next),
                _ => {}
            }
            line.clear();
        }
        Ok(())
    })
}

#[test]
fn observes_games_on_a_csa_server() {
    let states = texts(30, Target::Csa);
    let truth = read(states.last().unwrap());
    let server = csa_server(states);
    let address = |name: &str, game: &str| format!("csa://{name}@127.0.0.1:{}{game}", server.port);
    let watched = Watched::start(&address("me:hunter2", "/g"), &config());
    watched.record(&truth);
    assert_eq!(watched.ended(), EndCause::GameOver);
    watched.stop();
    let problem = |name: &str, game: &str| Watched::start(&address(name, game), &config()).problem();
    assert_eq!(problem("me:wrong", "/g"), SourceProblem::WrongLogin);
    assert_eq!(problem("twice:hunter2", "/g"), SourceProblem::NameInUse);
    assert_eq!(problem("me:hunter2", "/x"), SourceProblem::NoSuchGame);
    let list = Watched::start(&address("me:hunter2", ""), &config());
    let games = list.find("list", |event| match event {
        SourceEvent::Games(games) => Some(games.len()),
        _ => None,
    });
    assert_eq!(games, 1);
    let endless = LoopbackServer::start(|stream, _| {
        loop {
            stream.write_all(&[b'x'; 4096])?;
        }
    });
    let watched = Watched::start(
        &format!("csa://me:hunter2@127.0.0.1:{}/g", endless.port),
        &config(),
    );
    assert_eq!(watched.problem(), SourceProblem::LineTooLong);
    watched.stop();
}

#[test]
fn the_file_of_a_game_gives_the_evaluations() {
    let with = b"V2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n'** 30\n-3334FU\nT2\n'** 40\n%TORYO\n";
    let without = b"V2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n-3334FU\nT2\n%TORYO\n";
    let file = LoopbackServer::http(|_, stream| answer(stream, "200 OK", "", with));
    let server = csa_server(vec![without.to_vec()]);
    let address = format!(
        "csa://me:hunter2@127.0.0.1:{}/g?file={}",
        server.port,
        file.url("/g.csa")
    );
    let watched = Watched::start(&address, &config());
    watched.record(&read(with));
    assert_eq!(watched.ended(), EndCause::GameOver);
    watched.stop();
}

#[test]
fn follows_lishogi() {
    let states = texts(40, Target::Csa);
    let truth = read(states.last().unwrap());
    let count = AtomicUsize::new(0);
    let server = LoopbackServer::http(move |head, stream| {
        if head.starts_with("GET /api/tv/feed") {
            let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
            let next = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
            )?;
            write!(
                stream,
                "data: {{\"t\":\"featured\",\"d\":{{\"id\":\"x\",\"sfen\":\"{start}\"}}}}\n\n"
            )?;
            write!(
                stream,
                "data: {{\"t\":\"sfen\",\"d\":{{\"sfen\":\"{next}\",\"lm\":\"7g7f\"}}}}\n\n"
            )?;
            let mut rest = [0];
            return stream.read(&mut rest).map(drop);
        }
        assert!(
            head.starts_with("GET /game/export/abcdEFGH?csa=1&clocks=1 "),
            "{head}"
        );
        let number = count.fetch_add(1, Ordering::Relaxed);
        if number == 2 {
            return answer(stream, "429 Slow down", "", b"");
        }
        answer(stream, "200 OK", "", &states[(number * 5).min(states.len() - 1)])
    });
    let mut config = config();
    config.lishogi = WebUrl::parse(&server.url("/"));
    config.http = config.http.divided(20);
    config.http.unchanged_timeout = Duration::from_hours(1);
    let watched = Watched::start("https://lishogi.org/abcdEFGHijkl", &config);
    let first = watched.game("first", |_| true);
    assert!(first.is_withheld && first.id == "abcdEFGH");
    assert!(watched.game("last", |game| *game.record == truth).is_ended);
    watched.stop();
    let watched = Watched::start("https://lishogi.org/tv", &config);
    assert_eq!(watched.game("move", |game| game.record.len() == 1).id, "x");
    watched.stop();
}

#[test]
fn a_huge_file_and_a_foreign_one_are_refused() {
    let folder = folder("huge");
    let path = folder.join("a.kif");
    fs::File::create(&path).unwrap().set_len(1 << 31).unwrap();
    let watched = Watched::start(path.to_str().unwrap(), &config());
    assert_eq!(watched.problem(), SourceProblem::TooLarge);
    write(&path, b"\x7fELF\x02\x01\x01\0\0");
    let is_foreign = |event: &SourceEvent| {
        matches!(
            event,
            SourceEvent::State(SourceState::Lost {
                problem: SourceProblem::NotARecord(_),
                ..
            })
        )
    };
    watched.find("foreign file", |event| is_foreign(event).then_some(()));
    write(&path, "1 ７六歩(77)\n".as_bytes());
    watched.game("record", |game| game.record.len() == 1);
    watched.stop();
    fs::remove_dir_all(folder).unwrap();
}

/// A page, a mail, prose and records: what the reader of all texts finds in the bytes is shown, whatever the server says
/// about them. Of several games in a page, the user chooses.
#[test]
fn a_text_from_a_server_is_read_as_any_text() {
    let kif = "手合割：平手\n先手：甲\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    let texts = [
        kif.to_owned(),
        "<html><p>本局は好局でした。▲７六歩△３四歩▲２六歩</p><a href='/other.kif'>x</a></html>\n".to_owned(),
        format!("<html><a href='/other.kif'>x</a><pre>{kif}</pre></html>\n"),
        format!("<p>{}</p>", kif.replace('\n', "<br>\n")),
        "> ▲７六歩 △３四歩 ▲２六歩\n> △８四歩\n".to_owned(),
        "{\"moves\": \"7g7f 3c3d 2g2f\"}\n".to_owned(),
        "see https://www.kento-shogi.com/?moves=7g7f.3c3d\n".to_owned(),
        "position startpos moves 7g7f 3c3d\n".to_owned(),
    ];
    for text in texts {
        for is_shift_jis in [false, true] {
            let body = if is_shift_jis {
                encoding_rs::SHIFT_JIS.encode(&text).0.into_owned()
            } else {
                text.clone().into_bytes()
            };
            let truth = shogibar_kifu::read(&body)
                .unwrap_or_else(|error| panic!("{error}: {text}"))
                .games;
            for kind in [
                "text/html; charset=utf-8",
                "text/plain; charset=Shift_JIS",
                "application/octet-stream",
            ] {
                let content = body.clone();
                let server = LoopbackServer::http(move |_, stream| {
                    answer(stream, "200 OK", &format!("Content-Type: {kind}\r\n"), &content)
                });
                for path in ["/game", "/game.csa", "/game.html"] {
                    let watched = Watched::start(&server.url(path), &config());
                    watched.record(truth.last().unwrap());
                    watched.stop();
                }
            }
        }
    }
}
