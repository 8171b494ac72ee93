//! Any text as a position. Written and read again it is the same, and every query of it returns.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_shogi::{History, Position};

fuzz_target!(|text: &str| {
    if let Ok(history) = History::from_usi(text) {
        assert_eq!(History::from_usi(&history.usi()), Ok(history));
    }
    let Ok(position) = Position::from_sfen(text) else {
        return;
    };
    assert_eq!(Position::from_sfen(&position.sfen()).as_ref(), Ok(&position));
    let _results = (position.searchable(), position.is_mate(), position.repetition());
    for mv in position.legal_moves() {
        assert!(position.is_legal(mv), "{mv}");
        let mut next = position.clone();
        if next.play(mv).is_ok() {
            let anew = Position::from_sfen(&next.sfen());
            assert!(
                anew.is_ok_and(|anew| anew == next) || next.move_number() > 9999,
                "{mv}"
            );
            let _results = (next.is_mate(), next.legal_moves());
        }
    }
});
