//! What has to hold of any bytes read as a record; shared by a target for each reader.

use shogibar::kifu::{self, Loss, Target};

/// Reads bytes behind the first words of a format, so that they reach its reader. What is read is sound,
/// can be written in every format, and is in the end what the formats hold that hold everything.
pub(crate) fn check(words: &str, bytes: &[u8]) {
    let bytes = [words.as_bytes(), bytes].concat();
    let Ok(reading) = kifu::read(&bytes) else { return };
    for record in &reading.games {
        let mut walk = record.walk();
        for id in record.all() {
            if let (Some(mv), Some(parent)) = (record.node(id).mv(), record.parent(id)) {
                assert!(walk.go(parent).is_legal(mv), "{mv}");
            }
        }
        for target in Target::ALL {
            let written = kifu::write(record, target);
            let replaced = written.losses.iter().any(|loss| matches!(loss, Loss::Character { .. }));
            assert!(!replaced || target.encoding() == kifu::Encoding::ShiftJis, "{:?}", written.losses);
        }
        for target in [Target::Kifu, Target::Jkf] {
            let (fitted, _) = kifu::fit(record, target);
            let again = kifu::read(&kifu::write(record, target).bytes).expect("what we write is a record");
            assert_eq!(again.games.len(), 1, "{target}");
            let again = &again.games[0];
            let written = String::from_utf8_lossy(&kifu::write(record, target).bytes).into_owned();
            assert_eq!(again.headers(), fitted.headers(), "{written}");
            for (read, meant) in again.all().zip(fitted.all()) {
                let said = |record: &kifu::Record, id| {
                    let node = record.node(id);
                    format!("{} {:?} {:?} {:?}", node.ply(), node.step(), node.time, node.notes())
                };
                assert_eq!(said(again, read), said(&fitted, meant), "{written}");
            }
            assert!(*again == fitted, "{written}");
        }
    }
}
