//! Any bytes as the report of a relay: a log with gaps. Also any bytes as the request that a second start hands over.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_engine::observer::GuiObserver;
use shogibar_engine::options::Presets;
use shogibar_engine::usi::tokens::decode;
use shogibar_model::observed_game::ObservedGame;
use shogibar_model::open_request::OpenRequest;

fuzz_target!(|bytes: &[u8]| {
    if let Some(request) = OpenRequest::decode(bytes) {
        assert_eq!(OpenRequest::decode(&request.encode()), Some(request));
    }
    let mut observer = GuiObserver::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        match line.split_first() {
            Some((b'>', line)) => observer.on_sent(&decode(line)),
            Some((b'#', _)) => observer.on_gap(),
            _ => observer.on_received(&decode(line)),
        }
        let observed = ObservedGame::from_observer(&mut observer, None, &Presets::default());
        let Some(shown) = &observed.snapshot.search_info else {
            continue;
        };
        for candidate in &shown.candidates {
            let mut position = shown.history.now().clone();
            assert!(candidate.pv.iter().all(|mv| position.play(*mv).is_ok()));
        }
    }
});
