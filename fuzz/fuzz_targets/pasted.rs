//! Any text as it may be pasted: text around a record, and moves between other words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_kifu::{Container, Target};

/// The texts put around the bytes. The first byte selects one.
const AROUND: [(&str, &str); 8] = [
    ("", ""),
    ("初手から ▲７六歩、△３四歩。", ""),
    ("> ", "\n> ▲７六歩"),
    ("<html><pre>", "</pre></html>"),
    ("{\"kif\":\"", "\"}"),
    ("https://example.org/?sfen=", "&moves=7g7f"),
    ("話 position startpos moves ", " です"),
    ("> position startpos moves 7g7f ", "\n< bestmove 3c3d"),
];

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, text)) = bytes.split_first() else {
        return;
    };
    let Some((before, after)) = AROUND.get(usize::from(*kind) % AROUND.len()) else {
        return;
    };
    let text = [before.as_bytes(), text, after.as_bytes()].concat();
    let Ok(read) = shogibar_kifu::read(&text) else {
        return;
    };
    assert!(!read.games.is_empty());
    assert_eq!(read.container != Container::Record, read.container.is_excerpt());
    for game in read.games.iter().take(3) {
        // The text that was found is a game: its moves can be played.
        let line = shogibar_kifu::write(game, Target::Usi).bytes;
        let again = shogibar_kifu::read(&line).expect("a line that was written");
        assert_eq!(
            again.games[0].history(usize::MAX).usi(),
            game.history(usize::MAX).usi()
        );
    }
});
