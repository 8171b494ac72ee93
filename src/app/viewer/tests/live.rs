//! Live games, with a web server on this machine.

#![expect(clippy::disallowed_methods, reason = "the server of the tests")]

use super::*;
use shogibar_config::ModelCommand;
use shogibar_games::bar::LiveMark;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

/// The beginning of a CSA record, before its moves.
const CSA_HEAD: &str = "V2.2\nN+A\nN-B\nPI\n+\n";

/// A web server with one record. Dropping it ends the server.
struct RecordServer {
    port: u16,
    record: Arc<Mutex<String>>,
    is_stopped: Arc<AtomicBool>,
}

impl RecordServer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (record, is_stopped) = (
            Arc::new(Mutex::new(CSA_HEAD.to_owned())),
            Arc::new(AtomicBool::new(false)),
        );
        let (served, flag) = (Arc::clone(&record), Arc::clone(&is_stopped));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if flag.load(Ordering::Relaxed) {
                    break;
                }
                let body = served.lock().unwrap().clone();
                // The client may have gone, so an error is ignored.
                let _gone = answer(stream, &body);
            }
        });
        Self {
            port,
            record,
            is_stopped,
        }
    }

    fn play(&self, moves: &str) {
        *self.record.lock().unwrap() = format!("{CSA_HEAD}{moves}");
    }

    fn address(&self) -> LiveAddress {
        LiveAddress::parse(&format!("http://127.0.0.1:{}/game.csa", self.port)).unwrap()
    }
}

impl Drop for RecordServer {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        let _wake = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn answer(mut stream: TcpStream, body: &str) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn shown(viewer: &Viewer) -> String {
    game(viewer).history().usi()
}

#[test]
fn follows_a_record_on_a_server_and_keeps_additions_of_the_user() {
    let (server, (mut viewer, _)) = (RecordServer::start(), viewer(&["x"], FollowMode::One(0)));
    server.play("+7776FU\nT1\n");
    viewer.handle(AppEvent::OpenGiven(
        vec![server.address()],
        OpenPosition::default(),
    ));
    wait(&mut viewer, |viewer| shown(viewer) == "startpos moves 7g7f");
    assert_eq!(viewer.view().live_mark, Some(LiveMark::Live));
    assert_eq!(viewer.view().black.name, "A");
    viewer.act_on_study(AppAction::run(ModelCommand::First));
    set_comment(&mut viewer, "mine");
    server.play("+7776FU\nT1\n-3334FU\nT2\n'** 30\n");
    wait(&mut viewer, |viewer| game(viewer).document().record().len() == 2);
    assert_eq!(
        (viewer.view().live_mark, shown(&viewer).as_str()),
        (Some(LiveMark::Behind(2)), "startpos")
    );
    viewer.act_on_study(AppAction::run(ModelCommand::Last));
    // The last move is corrected, and the game ends.
    server.play("+7776FU\nT1\n-8384FU\nT2\n%TORYO\n");
    wait(&mut viewer, |viewer| {
        shown(viewer) == "startpos moves 7g7f 8c8d" && game(viewer).ending().is_some()
    });
    let record = game(&viewer).document().record();
    assert_eq!(record.node(NodeId::START).comment(), Some("mine"));
    assert!(game(&viewer).document().is_changed());
    wait(&mut viewer, |viewer| !viewer.model().has_running_source());
}

#[test]
fn a_folder_is_followed_to_its_newest_record() {
    let scratch = TestFolder::new();
    scratch.write("old.csa", &format!("{CSA_HEAD}+7776FU\n"));
    let (mut viewer, _) = viewer(&["x"], FollowMode::One(0));
    viewer.handle(AppEvent::OpenGiven(
        vec![LiveAddress::Path(scratch.0.clone())],
        OpenPosition::default(),
    ));
    wait(&mut viewer, |viewer| shown(viewer) == "startpos moves 7g7f");
    scratch.write("new.csa", &format!("{CSA_HEAD}+2726FU\n"));
    wait(&mut viewer, |viewer| shown(viewer) == "startpos moves 2g2f");
    assert_eq!(game(&viewer).game_titles().0.len(), 2);
}
