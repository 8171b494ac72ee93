use super::*;
use proptest::prelude::*;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const HOST: &str = "127.0.0.1:5963";

const CONTROL_TOKEN: &str = "fedcba9876543210fedcba9876543210";

/// Returns the decision on a request as text: the route and query, the status of a refusal, or `more` for an incomplete
/// head. The control address is on.
fn decision_of(bytes: &[u8]) -> String {
    decision_with_control(bytes, true)
}

/// Returns the decision on a request, as [`decision_of`] does, where the control address is on, or off.
fn decision_with_control(bytes: &[u8], is_on: bool) -> String {
    let (token, control) = (
        AccessToken::parse(TOKEN).unwrap(),
        AccessToken::parse(CONTROL_TOKEN).unwrap(),
    );
    let control = is_on.then_some(&control);
    match decide(
        bytes,
        &WebAccess {
            host: HOST.to_owned(),
            token: &token,
            control,
        },
    ) {
        Ok(None) => "more".to_owned(),
        Ok(Some(WebRequest {
            route,
            query,
            is_head,
        })) => {
            format!(
                "{route:?}{}{query}{}",
                if query.is_empty() { "" } else { " " },
                if is_head { " head" } else { "" }
            )
        }
        Err(refusal) => refusal.status().to_string(),
    }
}

/// Returns the decision on a request with this first line and these header fields. `TOKEN` stands for the token.
fn decision_of_request(line: &str, fields: &str) -> String {
    decision_of(
        format!("{line} HTTP/1.1\r\n{fields}\r\n")
            .replace("TOKEN", TOKEN)
            .as_bytes(),
    )
}

#[test]
fn routes_lead_to_pages() {
    let check = |line: &str, expect: &str| {
        assert_eq!(
            decision_of_request(line, "Host: 127.0.0.1:5963\r\n"),
            expect,
            "{line}"
        );
    };
    check("GET /TOKEN/", "Index");
    check("GET /TOKEN/overlay", "Asset(\"overlay\")");
    check("HEAD /TOKEN/desk?lang=en", "Asset(\"desk\") lang=en head");
    check("GET /TOKEN/state", "State");
    check("GET /TOKEN/events", "Events");
    check(
        "GET /TOKEN/loader.html?layout=bar&theme=%E5%A4%9C",
        "Loader layout=bar&theme=%E5%A4%9C",
    );
    // There are no assets with these names.
    check("GET /TOKEN/../../etc/passwd", "Asset(\"../../etc/passwd\")");
    check("GET /TOKEN//", "Asset(\"/\")");
    for nothing in [
        "/",
        "/TOKEN",
        "/overlay",
        "/0123456789abcdef0123456789abcdee/",
        "//TOKEN/",
        "*",
    ] {
        check(&format!("GET {nothing}"), "404");
    }
    check("GET http://127.0.0.1:5963/TOKEN/", "404");
    check("POST /TOKEN/state", "405");
    check("OPTIONS /TOKEN/state", "405");
    check("POST /state", "404");
    check("HEAD /TOKEN/events", "405");
    check("GET /TOKEN/overlay?x=<script>", "400");
    check("GET /TOKEN/overlay?x=\"", "400");
}

#[test]
fn only_this_server_is_asked() {
    let check = |fields: &str, expect: &str| {
        assert_eq!(
            decision_of_request("GET /TOKEN/state", fields),
            expect,
            "{fields}"
        );
    };
    check("host:127.0.0.1:5963\r\n", "State");
    for other in [
        "127.0.0.1",
        "127.0.0.1:5964",
        "127.0.0.1:59630",
        "127.0.0.1.evil.example:5963",
        "localhost:5963",
        "evil.example",
        "evil.example:5963",
        "user@127.0.0.1:5963",
        "[::1]:5963",
        "",
    ] {
        check(&format!("Host: {other}\r\n"), "400");
    }
    check("", "400");
    check("Host: 127.0.0.1:5963\r\nHost: 127.0.0.1:5963\r\n", "400");
    check("X-Forwarded-Host: 127.0.0.1:5963\r\n", "400");
    // A wrong host is refused before the token is checked.
    assert_eq!(
        decision_of_request("GET /nothing", "Host: evil.example\r\n"),
        "400"
    );
}

#[test]
fn a_request_has_no_body_and_is_small() {
    let check = |fields: &str, expect: &str| {
        assert_eq!(
            decision_of_request("GET /TOKEN/state", &format!("Host: 127.0.0.1:5963\r\n{fields}")),
            expect
        );
    };
    check("Content-Length: 0\r\n", "State");
    check("Content-Length: 5\r\n", "400");
    check("Content-Length: 0\r\nContent-Length: 5\r\n", "400");
    check("Transfer-Encoding: chunked\r\n", "400");
    check(&"A: b\r\n".repeat(MAX_HEADERS - 1), "State");
    check(&"A: b\r\n".repeat(MAX_HEADERS), "400");
    check(&format!("A: {}\r\n", "b".repeat(MAX_HEAD_BYTES)), "400");
    assert_eq!(decision_of(&[b'a'; MAX_HEAD_BYTES]), "400");
    assert_eq!(decision_of(&[b'a'; 20]), "more");
    assert_eq!(
        decision_of_request(
            &format!("GET /TOKEN/?{}", "a".repeat(MAX_QUERY_BYTES + 1)),
            "Host: 127.0.0.1:5963\r\n"
        ),
        "400"
    );
}

#[test]
fn a_socket_comes_from_a_page_of_this_server() {
    let check = |origin: &str, change: [&str; 2], expect: &str| {
        let fields = "Host: 127.0.0.1:5963\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\
                      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let fields = format!("{}{origin}", fields.replace(change[0], change[1]));
        assert_eq!(
            decision_of_request("GET /TOKEN/ws?page=desk", &fields),
            expect,
            "{origin} {change:?}"
        );
    };
    let origin = "Origin: http://127.0.0.1:5963\r\n";
    check(
        origin,
        ["-", "-"],
        "Socket(\"dGhlIHNhbXBsZSBub25jZQ==\") page=desk",
    );
    for other in [
        "http://127.0.0.1:5964",
        "https://127.0.0.1:5963",
        "http://127.0.0.1:5963.evil.example",
        "null",
        "",
    ] {
        check(&format!("Origin: {other}\r\n"), ["-", "-"], "400");
    }
    check("", ["-", "-"], "400");
    check(origin, ["Upgrade: WebSocket", "Upgrade: h2c"], "400");
    check(origin, ["Version: 13", "Version: 8"], "400");
    check(origin, ["dGhlIHNhbXBsZSBub25jZQ==", "short"], "400");
    check(origin, ["keep-alive, Upgrade", "keep-alive"], "400");
}

/// Returns parts of valid and invalid requests, to be joined at random.
fn request_part() -> impl Strategy<Value = String> {
    let fixed = [
        "GET ",
        "HEAD ",
        "POST ",
        "CONNECT ",
        "/",
        "/TOKEN",
        "/TOKEN/",
        "state",
        "ws",
        "..",
        "%2e%2e/",
        " HTTP/1.1\r\n",
        " HTTP/1.0\r\n",
        " HTTP/9\r\n",
        "Host: 127.0.0.1:5963\r\n",
        "Host: evil.example\r\n",
        "Host:",
        "\r\n",
        "\n",
        "Origin: http://127.0.0.1:5963\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Connection: Upgrade\r\n",
        "Upgrade: websocket\r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        "Sec-WebSocket-Version: 13\r\n",
        "?",
        "a=b&",
        "\0",
        ":",
        "Transfer-Encoding: chunked\r\n",
        " folded\r\n",
    ];
    prop_oneof![4 => proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned), 1 => ".{0,40}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40 * ProptestConfig::default().cases))]

    /// A request that does not name this server, or has no token, is refused.
    #[test]
    fn hostile_requests_get_nothing(
        parts in proptest::collection::vec(request_part(), 0..14),
        tail in any::<Vec<u8>>(),
    ) {
        let mut bytes = parts.concat().replace("TOKEN", TOKEN).into_bytes();
        bytes.extend(tail);
        let found = decision_of(&bytes);
        if !["more", "400", "404", "405"].contains(&found.as_str()) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            prop_assert!(text.contains(TOKEN) && text.matches("127.0.0.1:5963").count() > 0, "{text:?}: {found}");
        }
        // Bytes after the head do not change the decision.
        if found != "more" {
            let longer = [bytes.as_slice(), b"GET / HTTP/1.1\r\n\r\n"].concat();
            prop_assert!(decision_of(&longer) == found || longer.len() > MAX_HEAD_BYTES);
        }
    }

    /// A request in parts gets the decision of the whole request.
    #[test]
    fn slow_requests_are_decided_alike(cut in 0usize..200) {
        let whole = format!("GET /{TOKEN}/state HTTP/1.1\r\nHost: {HOST}\r\nAccept: */*\r\n\r\n");
        let part = whole.as_bytes().get(..cut.min(whole.len())).unwrap();
        prop_assert_eq!(decision_of(part), if cut >= whole.len() { "State" } else { "more" });
    }
}

/// Returns the decision on a request to the control address, with these header fields besides `Host`.
fn control_decision(line: &str, fields: &str) -> String {
    let text = format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:5963\r\n{fields}\r\n");
    decision_of(
        text.replace("TOKEN", TOKEN)
            .replace("CONTROL", CONTROL_TOKEN)
            .as_bytes(),
    )
}

#[test]
fn the_control_address_takes_posts_of_no_website() {
    assert_eq!(control_decision("POST /CONTROL/hide", ""), "Control(\"hide\")");
    assert_eq!(
        control_decision("POST /CONTROL/layout=bar?game=2", "Content-Length: 0\r\n"),
        "Control(\"layout=bar\") game=2"
    );
    for (line, fields, expect) in [
        ("GET /CONTROL/hide", "", "404"),
        ("HEAD /CONTROL/hide", "", "404"),
        ("PUT /CONTROL/hide", "", "404"),
        ("OPTIONS /CONTROL/hide", "", "404"),
        ("POST /TOKEN/hide", "", "405"),
        ("POST /CONTROL", "", "404"),
        ("POST /CONTROL/hide", "Content-Length: 1\r\n", "400"),
        ("POST /CONTROL/hide", "Transfer-Encoding: chunked\r\n", "400"),
        ("POST /CONTROL/hide", "Origin: http://127.0.0.1:5963\r\n", "400"),
        ("POST /CONTROL/hide", "Origin: null\r\n", "400"),
        ("POST /CONTROL/hide", "origin:\r\n", "400"),
        ("POST /CONTROL/hide", "Sec-Fetch-Site: none\r\n", "400"),
        ("POST /CONTROL/hide", "sec-fetch-site: same-origin\r\n", "400"),
        ("POST /CONTROL/hide", "Referer: http://127.0.0.1:5963/\r\n", "400"),
        ("POST /CONTROL/hi<de", "", "400"),
        ("GET /CONTROL/state", "", "404"),
        ("GET /CONTROL/overlay", "", "404"),
    ] {
        assert_eq!(control_decision(line, fields), expect, "{line} {fields}");
    }
    // Scripts of Node send this header.
    assert_eq!(
        control_decision("POST /CONTROL/hide", "sec-fetch-mode: cors\r\n"),
        "Control(\"hide\")"
    );
    let off = format!("POST /{CONTROL_TOKEN}/hide HTTP/1.1\r\nHost: {HOST}\r\n\r\n");
    assert_eq!(
        decision_with_control(off.as_bytes(), false),
        "404",
        "it is off, or the client is on another machine"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The control address accepts no invalid request.
    #[test]
    fn no_hostile_request_is_taken(
        method in prop_oneof![Just("GET"), Just("POST"), Just("PUT"), Just("OPTIONS"), Just("DELETE"), Just("post")],
        token in prop_oneof![Just(CONTROL_TOKEN), Just(TOKEN), Just("0"), Just("fedcba9876543210fedcba9876543211")],
        host in prop_oneof![Just(HOST), Just("localhost:5963"), Just("evil.example"), Just("127.0.0.1")],
        word in "[a-z=_%/.]{0,12}",
        fields in prop::collection::vec(
            prop_oneof![
                Just("Origin: http://evil.example\r\n"),
                Just("Origin: http://127.0.0.1:5963\r\n"),
                Just("Sec-Fetch-Site: cross-site\r\n"),
                Just("Referer: http://evil.example/\r\n"),
                Just("Content-Length: 3\r\n"),
                Just("X-Other: 1\r\n"),
            ],
            0..3,
        ),
    ) {
        let text = format!("{method} /{token}/{word} HTTP/1.1\r\nHost: {host}\r\n{}\r\n", fields.concat());
        let is_clean = fields.iter().all(|field| field.starts_with("X-Other"));
        let may_be_taken = method == "POST" && token == CONTROL_TOKEN && host == HOST && is_clean;
        let is_taken = decision_of(text.as_bytes()).starts_with("Control(");
        prop_assert!(!is_taken || may_be_taken, "{text}");
    }
}
