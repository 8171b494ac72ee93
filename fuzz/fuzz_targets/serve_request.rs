//! Any bytes as a request to the server of the pages. Only one that has the token and names this server is answered.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar::model::pages::options::PageOptions;
use shogibar_serve::PageToken;
use shogibar_serve::request::{PageAccess, decide};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const HOST: &str = "127.0.0.1:5963";

fuzz_target!(|bytes: &[u8]| {
    let token = PageToken::parse(TOKEN).expect("a token");
    let access = PageAccess { host: HOST.to_owned(), token: &token, control: None };
    let Ok(Some(request)) = decide(bytes, &access) else { return };
    let text = String::from_utf8_lossy(bytes);
    assert!(text.contains(TOKEN) && text.contains(HOST), "{text:?}");
    let [at, size] = PageOptions::parse(request.query).place([960.0, 72.0]);
    assert!(at.into_iter().chain(size).all(f32::is_finite));
    // More bytes change nothing that was decided.
    assert!(bytes.len() > 4000 || decide(&[bytes, b"GET"].concat(), &access) == Ok(Some(request)));
});
