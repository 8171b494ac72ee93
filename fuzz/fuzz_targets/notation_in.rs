//! Any text as a position and the notation of moves from it. Moves that are read are written in every style, and
//! Japanese notation is read back as the same move.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_shogi::notation::{self, Notation, Style};
use shogibar_shogi::{History, Position};

fuzz_target!(|text: &str| {
    let (first, words) = text.split_once('\n').unwrap_or(("", text));
    let history = History::from_usi(first)
        .or_else(|_| Position::from_sfen(first).map(History::new))
        .unwrap_or_else(|_| History::new(Position::startpos()));
    let mut prev = history.last_move().map(|mv| mv.to());
    let Ok(moves) = notation::read_line(words, history.now(), prev) else {
        return;
    };
    let mut position = history.now().clone();
    for mv in moves {
        for style in Style::ALL {
            let mut written = String::new();
            Notation::new(style)
                .write(&mut written, &position, mv, prev)
                .expect("what was read is legal");
            if matches!(
                style,
                Style::Japanese | Style::JapaneseArabic | Style::Iroha | Style::Kif
            ) {
                assert_eq!(notation::read(&written, &position, prev), Ok(mv), "{written}");
            }
        }
        position.play(mv).expect("what was read is legal");
        prev = Some(mv.to());
    }
});
