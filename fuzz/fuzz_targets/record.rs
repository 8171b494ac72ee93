//! The checks for any bytes read as a record. Each reader has a target that uses them.

use shogibar_kifu::{Loss, Target};

/// Reads bytes behind the first words of a format, so that they reach its reader. Every move read has to be legal. The
/// record has to be writable in every format, and unchanged after formats that hold everything.
pub(crate) fn check(words: &str, bytes: &[u8]) {
    let bytes = [words.as_bytes(), bytes].concat();
    let Ok(reading) = shogibar_kifu::read(&bytes) else {
        return;
    };
    for record in &reading.games {
        let mut walk = record.walk();
        for id in record.all() {
            if let (Some(mv), Some(parent)) = (record.node(id).mv(), record.parent(id)) {
                assert!(walk.go(parent).is_legal(mv), "{mv}");
            }
        }
        for target in Target::ALL {
            let written = shogibar_kifu::write(record, target);
            let replaced = written
                .losses
                .iter()
                .any(|loss| matches!(loss, Loss::Character { .. }));
            assert!(
                !replaced || target.encoding() == shogibar_kifu::Encoding::ShiftJis,
                "{:?}",
                written.losses
            );
        }
        for target in [Target::Kif, Target::Kifu, Target::Ki2, Target::Ki2u] {
            keeps_every_move(record, target);
        }
        for target in [Target::Kifu, Target::Ki2u, Target::Jkf] {
            let (fitted, _) = shogibar_kifu::fit(record, target);
            let again = shogibar_kifu::read(&shogibar_kifu::write(record, target).bytes)
                .expect("what we write is a record");
            assert_eq!(again.games.len(), 1, "{target}");
            let again = &again.games[0];
            let written = String::from_utf8_lossy(&shogibar_kifu::write(record, target).bytes).into_owned();
            assert_eq!(again.headers(), fitted.headers(), "{written}");
            for (read, meant) in again.all().zip(fitted.all()) {
                let fields = |record: &shogibar_kifu::Record, id| {
                    let node = record.node(id);
                    format!(
                        "{} {:?} {:?} {:?}",
                        node.ply(),
                        node.step(),
                        node.time,
                        node.notes()
                    )
                };
                assert_eq!(fields(again, read), fields(&fitted, meant), "{written}");
            }
            assert!(*again == fitted, "{written}");
        }
    }
}

/// Checks that writing and reading keeps all moves, whatever texts and headers a record has. No move line becomes
/// another kind of line, or the reverse.
fn keeps_every_move(record: &shogibar_kifu::Record, target: Target) {
    let written = shogibar_kifu::write(record, target).bytes;
    let again = shogibar_kifu::read(&written).expect("what we write is a record");
    let text = String::from_utf8_lossy(&written);
    assert_eq!(again.games.len(), 1, "{target:?}: {text}");
    let again = &again.games[0];
    assert_eq!(
        again.moves().collect::<Vec<_>>(),
        record.moves().collect::<Vec<_>>(),
        "{target:?}: {text}"
    );
    let all = |record: &shogibar_kifu::Record| {
        record
            .all()
            .filter_map(|id| record.node(id).mv())
            .collect::<Vec<_>>()
    };
    assert_eq!(all(again), all(record), "{target:?}: {text}");
}
