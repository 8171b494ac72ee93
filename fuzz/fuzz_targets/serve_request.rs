//! Any bytes as a request to the server of the OBS pages. Only one that has the token and names this server is
//! answered.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_config::Layout;
use shogibar_model::pages::control::ControlRequest;
use shogibar_model::pages::options::ObsPageOptions;
use shogibar_serve::AccessToken;
use shogibar_serve::request::{WebAccess, WebRoute, decide};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const CONTROL: &str = "fedcba9876543210fedcba9876543210";
const HOST: &str = "127.0.0.1:5963";

fuzz_target!(|bytes: &[u8]| {
    let [token, control] = [TOKEN, CONTROL].map(|token| AccessToken::parse(token).expect("a token"));
    let access = WebAccess {
        host: HOST.to_owned(),
        token: &token,
        control: Some(&control),
    };
    let Ok(Some(request)) = decide(bytes, &access) else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    let is_control = matches!(request.route, WebRoute::Control(_));
    assert!(
        text.contains(if is_control { CONTROL } else { TOKEN }) && text.contains(HOST),
        "{text:?}"
    );
    if let WebRoute::Control(word) = request.route {
        let lower = text.to_lowercase();
        assert!(
            text.trim_start().starts_with("POST")
                && !lower.contains("\norigin:")
                && !lower.contains("\nsec-fetch-site:"),
            "{text:?}"
        );
        let _unknown = ControlRequest::parse(word, request.query);
    }
    let options = ObsPageOptions::parse(request.query);
    let [at, size] = options.geometry(options.layout.unwrap_or(Layout::Bar), [960.0, 72.0]);
    assert!(at.into_iter().chain(size).all(f32::is_finite));
    // More bytes do not change the decision.
    assert!(bytes.len() > 4000 || decide(&[bytes, b"GET"].concat(), &access) == Ok(Some(request)));
});
