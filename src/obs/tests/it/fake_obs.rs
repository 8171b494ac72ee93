//! The client against servers of our own: one that speaks the protocol of OBS 30.2, and others that break it.
use crate::followed_game::{entries_of_a_game, write_control};
use crate::test_client::{LONGEST, TestClient};
use serde_json::{Value, json};
use shogibar_base::threads::{Thread, spawn};
use shogibar_obs::{
    BrowserPage, ConnectionProblem, ConnectionState, ObsTask, RuleAnswer, TaskOutcome, TaskProblem,
};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use tungstenite::{Message, WebSocket};

/// A server for one client at a time. It ends with its listener's thread, after the last client.
struct Server {
    port: u16,
    /// The requests that were served: type and fields.
    requests: Receiver<(String, Value)>,
    _thread: Thread,
}

/// Starts a server that lets `serve` speak with each of some clients.
fn server(clients: usize, serve: impl Fn(TcpStream, &Sender<(String, Value)>) + Send + 'static) -> Server {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, requests) = channel();
    let thread = spawn("server", move || {
        for stream in listener.incoming().take(clients) {
            serve(stream.unwrap(), &sender);
        }
    });
    Server {
        port,
        requests,
        _thread: thread.unwrap(),
    }
}

type Socket = WebSocket<TcpStream>;

fn send(socket: &mut Socket, op: u32, data: &Value) -> bool {
    let text = json!({ "op": op, "d": data }).to_string();
    socket.send(Message::text(text)).is_ok()
}

/// Greets a client without a password. Returns the socket, once it is identified.
fn greet(stream: TcpStream) -> Option<Socket> {
    let mut socket = tungstenite::accept(stream).ok()?;
    send(
        &mut socket,
        0,
        &json!({ "obsWebSocketVersion": "5.5.2", "rpcVersion": 1 }),
    );
    socket.read().ok()?;
    send(&mut socket, 2, &json!({ "negotiatedRpcVersion": 1 }));
    Some(socket)
}

/// Answers the requests of a client as OBS 30.2 does, until it leaves.
fn speak(stream: TcpStream, requests: &Sender<(String, Value)>) {
    let Some(mut socket) = greet(stream) else { return };
    while let Ok(Message::Text(text)) = socket.read() {
        let message: Value = serde_json::from_str(&text).unwrap();
        let request = &message["d"];
        let kind = request["requestType"].as_str().unwrap().to_owned();
        let _nobody_looks = requests.send((kind.clone(), request["requestData"].clone()));
        let data = match kind.as_str() {
            "GetVersion" => json!({ "obsVersion": "30.2.3" }),
            "GetSceneList" => json!({ "currentProgramSceneName": "<b>対局</b>",
                "scenes": [{ "sceneName": "<b>対局</b>" }, { "sceneName": "" }, { "other": 5 }] }),
            "GetRecordStatus" => json!({ "outputActive": true, "outputDuration": 5000 }),
            "GetVideoSettings" => json!({ "baseWidth": 1280, "baseHeight": 720 }),
            "CreateInput" => json!({ "sceneItemId": 9 }),
            _ => Value::Null,
        };
        // Another client's answer, and one with an id of no number, come first.
        for id in [json!("99999"), json!("abc"), request["requestId"].clone()] {
            let answer = json!({ "requestType": kind, "requestId": id,
                "requestStatus": { "result": true, "code": 100 }, "responseData": data });
            if !send(&mut socket, 7, &answer) {
                return;
            }
        }
    }
}

#[test]
fn chapters_and_pages_reach_an_obs_of_today() {
    let server = server(1, speak);
    let mut watcher = TestClient::start(server.port, "");
    watcher.wait_for("OBS is entered", |shown| {
        shown.state == ConnectionState::Connected
            && shown.status.version == "30.2.3"
            && shown.status.canvas == Some([1280, 720])
            && shown.status.recording_start.is_some()
    });
    assert_eq!(watcher.shown.status.scenes, ["", "<b>対局</b>"]);
    let name = "82手目 △9五銀 −11% <\"&";
    assert_eq!(watcher.run(ObsTask::Chapter(name.to_owned())), TaskOutcome::Done);
    let page = BrowserPage {
        scene: "<b>対局</b>".to_owned(),
        name: "Shogibar".to_owned(),
        url: "http://127.0.0.1:5963/t/overlay".to_owned(),
    };
    assert_eq!(watcher.run(ObsTask::AddPage(page)), TaskOutcome::Done);
    drop(watcher);
    let requests: Vec<_> = server.requests.try_iter().collect();
    let find = |kind: &str| &requests.iter().find(|(found, _)| found == kind).unwrap().1;
    assert_eq!(*find("CreateRecordChapter"), json!({ "chapterName": name }));
    let settings = &find("CreateInput")["inputSettings"];
    assert_eq!(
        (&settings["url"], &settings["width"], &settings["height"]),
        (
            &json!("http://127.0.0.1:5963/t/overlay"),
            &json!(1280),
            &json!(720)
        )
    );
}

#[test]
fn each_turning_point_of_a_game_becomes_a_chapter() {
    let server = server(1, speak);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chapters-{}", std::process::id()));
    write_control(&folder, server.port, "", RuleAnswer::Chapter);
    let entries = entries_of_a_game(&folder, |control| {
        control.snapshot().state == ConnectionState::Connected
    });
    assert!(
        entries
            .iter()
            .all(|entry| entry.outcome == Some(TaskOutcome::Done)),
        "{entries:?}"
    );
    let chapters: Vec<_> = server
        .requests
        .try_iter()
        .filter(|(kind, _)| kind == "CreateRecordChapter")
        .map(|(_, fields)| fields["chapterName"].as_str().unwrap().to_owned())
        .collect();
    let expect = [
        "2手目 move 2 −30% 勝敗を分けた手",
        "3手目 move 3 −30% 勝敗を分けた手",
        "5手目 move 5 −35% 勝敗を分けた手",
    ];
    assert_eq!(chapters, expect);
    fs::remove_dir_all(&folder).unwrap();
}

/// Checks that a server is left with a problem, and that its client then ends.
fn check_left(
    problem: ConnectionProblem,
    serve: impl Fn(TcpStream, &Sender<(String, Value)>) + Send + 'static,
) {
    let server = server(1, serve);
    let mut watcher = TestClient::start(server.port, "");
    watcher.wait_for("the server is left", |shown| {
        shown.state == ConnectionState::Waiting(problem)
    });
    assert_eq!(
        watcher.run(ObsTask::SaveReplay),
        TaskOutcome::Failed(TaskProblem::NotConnected),
        "nothing is connected"
    );
}

/// Reads from a client until it leaves.
fn wait_until_left(mut stream: &TcpStream) {
    let mut bytes = [0; 1024];
    while stream.read(&mut bytes).is_ok_and(|count| count > 0) {}
}

#[test]
fn a_web_server_is_no_obs() {
    check_left(ConnectionProblem::Foreign, |mut stream, _| {
        let _left = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        wait_until_left(&stream);
    });
}

#[test]
fn a_server_that_closes_at_every_request_is_left() {
    check_left(ConnectionProblem::Ended, |stream, _| {
        if let Some(mut socket) = greet(stream) {
            let _request = socket.read();
        }
    });
}

#[test]
fn a_message_of_sixteen_megabytes_is_refused() {
    check_left(ConnectionProblem::Foreign, |stream, _| {
        let Ok(mut socket) = tungstenite::accept(stream) else {
            return;
        };
        let _left = socket.send(Message::text("a".repeat(16 << 20)));
        wait_until_left(socket.get_ref());
    });
}

#[test]
fn a_greeting_in_parts_is_read() {
    let server = server(1, |mut stream, requests| {
        // The answer comes in parts, then a frame byte by byte. A head of more than 64 small parts is refused.
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|count| count > 0) {
            head.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&head).into_owned();
        let key = text
            .lines()
            .find_map(|line| line.strip_prefix("Sec-WebSocket-Key: "))
            .unwrap();
        let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        let hello = json!({ "op": 0, "d": { "rpcVersion": 1 } }).to_string();
        let mut frame = vec![0x81, u8::try_from(hello.len()).unwrap()];
        frame.extend(hello.into_bytes());
        for part in answer.as_bytes().chunks(20).chain(frame.chunks(1)) {
            stream.write_all(part).unwrap();
            stream.flush().unwrap();
        }
        let _told = requests.send(("sent".to_owned(), Value::Null));
        wait_until_left(&stream);
    });
    let watcher = TestClient::start(server.port, "");
    // The client identifies itself, which this server does not answer.
    assert_eq!(server.requests.recv_timeout(LONGEST).unwrap().0, "sent");
    drop(watcher);
}
