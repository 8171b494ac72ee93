use super::*;
use crate::control::ControlAddress;
use crate::feed::FeedTopic;
use crate::response::WebAsset;
use crate::token::AccessToken;
use shogibar_base::threads::lock;
use std::borrow::Cow;
use std::io::Read as _;
use std::sync::Mutex;
use tungstenite::handshake::client::generate_key;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

const CONTROL_TOKEN: &str = "fedcba9876543210fedcba9876543210";

/// The longest wait of a test for an answer. Only a failure reaches it.
const TEST_TIMEOUT: Duration = Duration::from_mins(1);

struct Fixture {
    server: WebServer,
    hub: Arc<FeedHub>,
    host: String,
    token: String,
    /// The requests that the control address has accepted.
    accepted_requests: Arc<Mutex<Vec<String>>>,
}

impl Fixture {
    fn start() -> Self {
        Self::start_at([127, 0, 0, 1])
    }

    fn start_at(ip: [u8; 4]) -> Self {
        let hub = Arc::new(FeedHub::new(|| {}));
        let token = AccessToken::random().unwrap();
        let page = WebAsset {
            name: "overlay",
            content_type: "text/html",
            is_gzip: false,
            is_fixed: false,
            body: Cow::Borrowed(b"<p>bar</p>"),
        };
        let (address, text) = ((ip, 0).into(), token.to_string());
        let pressed = Arc::<Mutex<Vec<String>>>::default();
        let log = Arc::clone(&pressed);
        let take = move |word: &str, query: &str| {
            lock(&log).push(format!("{word}?{query}"));
            word != "unknown"
        };
        let control = Some(ControlAddress {
            token: AccessToken::parse(CONTROL_TOKEN).unwrap(),
            handle_request: Arc::new(take),
        });
        let config = ServeConfig {
            address,
            token,
            assets: vec![page],
            control,
        };
        let server = WebServer::start(config, Arc::clone(&hub)).unwrap();
        Self {
            host: host_header(([127, 0, 0, 1], server.address().port()).into()),
            server,
            hub,
            token: text,
            accepted_requests: pressed,
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the test has a client on the loopback interface"
    )]
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.server.address().port())).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(TEST_TIMEOUT)).unwrap();
        stream
    }

    /// Sends a text, in which `TOKEN` and `HOST` are replaced, and returns the whole answer.
    fn ask(&self, text: &str) -> String {
        let mut stream = self.connect();
        let text = text.replace("TOKEN", &self.token).replace("HOST", &self.host);
        // The server may refuse the request before its end, so an error is ignored.
        _ = stream.write_all(text.as_bytes());
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn status(&self, text: &str) -> String {
        self.ask(text).split(' ').nth(1).unwrap_or_default().to_owned()
    }

    fn open_socket(&self, query: &str) -> WebSocket<TcpStream> {
        let mut stream = self.connect();
        let (host, token, key) = (&self.host, &self.token, generate_key());
        let head = format!(
            "GET /{token}/ws?{query} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        assert!(
            answer.starts_with(b"HTTP/1.1 101 "),
            "{}",
            String::from_utf8_lossy(&answer)
        );
        WebSocket::from_raw_socket(stream, Role::Client, None)
    }
}

fn next_text(socket: &mut WebSocket<TcpStream>) -> String {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return text.to_string();
        }
    }
}

#[test]
fn only_requests_with_the_token_are_answered() {
    let fixture = Fixture::start();
    fixture.hub.publish(&FeedTopic::State, "{\"games\":[1]}");
    let check = |request: &str, expect: &str| assert_eq!(fixture.status(request), expect, "{request}");
    check("GET /TOKEN/overlay HTTP/1.1\r\nHost: HOST\r\n\r\n", "200");
    check("GET /TOKEN/overlay HTTP/1.1\r\nHost: evil.example\r\n\r\n", "400");
    check("GET /overlay HTTP/1.1\r\nHost: HOST\r\n\r\n", "404");
    check("GET /TOKEN/../Cargo.toml HTTP/1.1\r\nHost: HOST\r\n\r\n", "404");
    check("GET /TOKEN//etc/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n", "404");
    check(
        "POST /TOKEN/overlay HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\n\r\nhello",
        "405",
    );
    let long = format!(
        "GET /TOKEN/overlay HTTP/1.1\r\nHost: HOST\r\nA: {}\r\n\r\n",
        "a".repeat(1 << 20)
    );
    check(&long, "400");
    let state = fixture.ask("GET /TOKEN/state HTTP/1.1\r\nHost: HOST\r\n\r\n");
    assert!(state.ends_with("\r\n\r\n{\"games\":[1]}"), "{state}");
    assert!(
        !state.to_ascii_lowercase().contains("access-control"),
        "another site must not read it: {state}"
    );
    let loader = fixture.ask("GET /TOKEN/loader.html?layout=bar HTTP/1.1\r\nHost: HOST\r\n\r\n");
    assert!(
        loader.contains(&format!(
            "\"http://{}/{}/overlay?layout=bar\"",
            fixture.host, fixture.token
        )),
        "{loader}"
    );
    assert_eq!(
        fixture.server.url(),
        format!("http://{}/{}/", fixture.host, fixture.token)
    );
}

#[test]
fn a_page_gets_the_newest_message() {
    let fixture = Fixture::start();
    let mut socket = fixture.open_socket("layout=bar");
    let topic = FeedTopic::Page("layout=bar".to_owned());
    while fixture.hub.page_queries().is_empty() {
        std::thread::yield_now();
    }
    assert_eq!(fixture.hub.page_queries(), ["layout=bar"]);
    fixture.hub.publish(&topic, "one");
    assert_eq!(next_text(&mut socket), "one");
    fixture.hub.publish(&topic, "one");
    for number in 0..1000 {
        fixture.hub.publish(&topic, &number.to_string());
    }
    // Intermediate states may be missing; the order is kept, and the newest arrives.
    let mut last = -1;
    while last < 999 {
        let number: i32 = next_text(&mut socket).parse().unwrap();
        assert!(number > last, "{number} after {last}");
        last = number;
    }
    // A page that connects again gets everything at once.
    assert_eq!(next_text(&mut fixture.open_socket("layout=bar")), "999");
    // A large message of a page ends only its connection.
    _ = socket.send(Message::text("a".repeat(100_000)));
    while socket.read().is_ok() {}
    assert_eq!(
        fixture.status("GET /TOKEN/overlay HTTP/1.1\r\nHost: HOST\r\n\r\n"),
        "200"
    );
}

#[test]
fn a_page_on_this_machine_chooses_a_game() {
    let send = |fixture: &Fixture, words: &[&str]| {
        let mut socket = fixture.open_socket("page=desk");
        for word in words {
            socket.send(Message::text(*word)).unwrap();
        }
        // The answer to a ping arrives after all other messages.
        socket.send(Message::Ping(Vec::new().into())).unwrap();
        while !matches!(socket.read().unwrap(), Message::Pong(_)) {}
        fixture.hub.take_chosen_game_number()
    };
    let fixture = Fixture::start();
    assert_eq!(
        send(
            &fixture,
            &["game 2", "game 12", "game -1", "game", "close 3", "game 1; x"]
        ),
        Some(12)
    );
    assert_eq!(fixture.hub.take_chosen_game_number(), None);
    // If other machines are served, OBS pages cannot choose a game.
    assert_eq!(send(&Fixture::start_at([0, 0, 0, 0]), &["game 2"]), None);
}

#[test]
fn events_begin_with_the_whole_state() {
    let fixture = Fixture::start();
    fixture.hub.publish(&FeedTopic::State, "{\"n\":1}");
    let mut stream = fixture.connect();
    let request = format!(
        "GET /{}/events HTTP/1.1\r\nHost: {}\r\n\r\n",
        fixture.token, fixture.host
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut read_until = |end: &str| {
        let mut text = Vec::new();
        while !text.ends_with(end.as_bytes()) {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            text.extend(byte);
        }
        String::from_utf8(text).unwrap()
    };
    assert!(read_until("\r\n\r\n").contains("text/event-stream"));
    assert_eq!(read_until("\n\n"), "data: {\"n\":1}\n\n");
    fixture.hub.publish(&FeedTopic::State, "{\"n\":2}");
    assert_eq!(read_until("\n\n"), "data: {\"n\":2}\n\n");
}

#[test]
fn silent_connections_lock_nobody_out() {
    let fixture = Fixture::start();
    let idle: Vec<_> = (0..MAX_CLIENTS).map(|_| fixture.connect()).collect();
    while fixture.server.client_count() < MAX_CLIENTS {
        std::thread::yield_now();
    }
    let request = "GET /TOKEN/overlay HTTP/1.1\r\nHost: HOST\r\n\r\n";
    for _ in 0..3 {
        assert_eq!(fixture.status(request), "200");
    }
    // The oldest client was disconnected.
    let mut oldest = &idle[0];
    assert_eq!(oldest.read(&mut [0]).unwrap_or(0), 0);
    // Even without new clients, these are disconnected.
    while fixture.server.client_count() > 0 {
        std::thread::yield_now();
    }
}

#[test]
fn the_next_client_has_to_wait() {
    let fixture = Fixture::start();
    let pages: Vec<_> = (0..MAX_CLIENTS).map(|_| fixture.open_socket("")).collect();
    let request = "GET /TOKEN/overlay HTTP/1.1\r\nHost: HOST\r\n\r\n";
    assert_eq!(fixture.status(request), "503");
    let command = format!("POST /{CONTROL_TOKEN}/hide HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(fixture.status(&command), "204", "a command gets through");
    drop(pages);
    while fixture.server.client_count() > 0 {
        std::thread::yield_now();
    }
    assert_eq!(fixture.status(request), "200");
}

#[test]
fn an_idle_page_gets_signs_of_life() {
    let fixture = Fixture::start();
    let mut socket = fixture.open_socket("");
    assert_eq!(next_text(&mut socket), "");
    // The sign of life also arrives without news, and no other message does.
    assert_eq!(next_text(&mut socket), "");
}

#[test]
fn a_busy_page_gets_pings_but_no_signs_of_life() {
    let fixture = Fixture::start();
    let mut socket = fixture.open_socket("layout=bar");
    let topic = FeedTopic::Page("layout=bar".to_owned());
    while fixture.hub.page_queries().is_empty() {
        std::thread::yield_now();
    }
    for number in 0.. {
        fixture.hub.publish(&topic, &number.to_string());
        match socket.read().unwrap() {
            Message::Text(text) => assert!(!text.is_empty(), "after {number} messages"),
            Message::Ping(_) => break,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_request_that_never_ends_is_refused() {
    let fixture = Fixture::start();
    assert_eq!(fixture.status("GET /TOKEN/over"), "408");
}

#[test]
fn hostile_clients_leave_nothing_behind() {
    let fixture = Fixture::start();
    let requests = [
        "\0\0\0\0\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET /TOKEN/state HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET /TOKEN/ws HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        "PUT /TOKEN/state HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        "GET /TOKEN/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
    ];
    for request in requests.iter().cycle().take(300) {
        let status = fixture.status(request);
        assert!(
            ["400", "404", "405"].contains(&status.as_str()),
            "{request:?}: {status}"
        );
    }
    // Clients that go in the middle of a request, or of an answer.
    for request in requests.iter().cycle().take(100) {
        let mut stream = fixture.connect();
        _ = stream.write_all(&request.as_bytes()[..request.len() / 2]);
    }
    while fixture.server.client_count() > 0 {
        std::thread::yield_now();
    }
}

#[test]
fn buttons_are_pressed_at_the_control_address_twenty_times_a_second_at_most() {
    let fixture = Fixture::start();
    let url = fixture.server.control_url().unwrap();
    assert!(
        url.ends_with(&format!("/{CONTROL_TOKEN}/")) && url.starts_with("http://127.0.0.1:"),
        "{url}"
    );
    let press = |word: &str| {
        fixture.status(&format!(
            "POST /{CONTROL_TOKEN}/{word} HTTP/1.1\r\nHost: HOST\r\n\r\n"
        ))
    };
    assert_eq!(
        (press("hide"), press("unknown")),
        ("204".to_owned(), "404".to_owned())
    );
    assert_eq!(*lock(&fixture.accepted_requests), ["hide?", "unknown?"]);
    // No page of the server contains the token.
    for page in ["", "overlay", "state"] {
        let answer = fixture.ask(&format!("GET /TOKEN/{page} HTTP/1.1\r\nHost: HOST\r\n\r\n"));
        assert!(!answer.contains(CONTROL_TOKEN), "{page}");
    }
    let state = &fixture.server.state;
    #[expect(clippy::disallowed_methods, reason = "the start from which the test counts")]
    let start = std::time::Instant::now() + Duration::from_mins(1);
    let taken = |at: u64| {
        (0..30)
            .filter(|_| {
                state
                    .handle_control_request("show", "", start + Duration::from_millis(at))
                    .is_ok()
            })
            .count()
    };
    assert_eq!([0, 500, 1000, 1001].map(taken), [20, 0, 20, 0]);
    assert!(
        state
            .handle_control_request("hide", "", start + Duration::from_millis(1001))
            .is_ok(),
        "hiding is not limited"
    );
}
