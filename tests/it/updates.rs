//! The check for a newer version, once a week.

use crate::support;
use shogibar::app::updates::{UpdateChecker, UpdateNews, Version};
use shogibar_machine::store::Store;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Starts a server that answers every request with a release of this tag. Returns its address and the requests.
fn server(tag: &'static str) -> (String, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/releases/latest", listener.local_addr().unwrap());
    let (request_sender, requests) = channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().filter_map(Result::ok) {
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            let mut request = [0; 4096];
            let length = stream.read(&mut request).unwrap_or_default();
            let _the_test_is_over =
                request_sender.send(String::from_utf8_lossy(&request[..length]).into_owned());
            let body = format!("{{\n  \"tag_name\": \"{tag}\",\n  \"name\": \"a release\"\n}}\n");
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _it_went_away = stream.write_all((head + &body).as_bytes());
        }
    });
    (address, requests)
}

#[test]
fn checks_for_a_newer_version_once_a_week() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("updates-{}", std::process::id()));
    let store = Store::new(folder.clone());
    let (address, requests) = server("v99.1.0");
    let news_from = |updates: &UpdateChecker| {
        let (wake, woken) = channel();
        updates.start_check(&store, &address, move || wake.send(()).unwrap());
        woken
            .recv_timeout(support::PATIENCE)
            .ok()
            .and_then(|()| updates.take_news())
    };
    let newer = Version::parse("99.1.0").map(UpdateNews::Newer);
    assert_eq!(news_from(&UpdateChecker::default()), newer);
    let request = requests.recv_timeout(support::PATIENCE).unwrap();
    assert!(request.starts_with("GET /releases/latest HTTP"), "{request}");
    assert!(
        !request.contains(env!("CARGO_PKG_VERSION")),
        "nothing is told of who asks: {request}"
    );
    assert_eq!(news_from(&UpdateChecker::default()), newer, "at the next start");
    assert!(requests.try_recv().is_err(), "and not asked again");
    std::fs::remove_dir_all(&folder).unwrap();
    let news_without_server = |updates: &UpdateChecker| {
        let (wake, woken) = channel();
        updates.start_check(&store, "http://127.0.0.1:9/", move || wake.send(()).unwrap());
        woken
            .recv_timeout(support::PATIENCE)
            .ok()
            .and_then(|()| updates.take_news())
    };
    assert_eq!(
        news_without_server(&UpdateChecker::default()),
        Some(UpdateNews::NoAnswer),
        "it is told, too, that nobody answered"
    );
    std::fs::remove_dir_all(folder).unwrap();
}
