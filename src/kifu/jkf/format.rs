//! JKF among the record formats.

use crate::capacity::{Capacity, TextCapacity};
use crate::format::Encoding;
use crate::games::GameSink;
use crate::record::{Notes, Record};
use crate::record_format::{ReadFormat, WriteFormat};
use crate::target::Target;
use crate::warning::Warnings;
use shogibar_shogi::Position;
use std::collections::{HashMap, HashSet};

pub(in super::super) struct Jkf;

impl ReadFormat for Jkf {
    fn name(&self) -> &'static str {
        "JKF (JSON)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jkf", "json"]
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        super::read(text, games, warnings)
    }

    fn target(&self, _encoding: Encoding, _text: &str) -> Target {
        Target::Jkf
    }
}

impl WriteFormat for Jkf {
    fn name(&self) -> &'static str {
        "jkf"
    }

    fn title(&self) -> &'static str {
        "JKF"
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            remarks: TextCapacity::AsComments,
            ..Capacity::EVERYTHING
        }
    }

    fn has_single_line_headers(&self) -> bool {
        false
    }

    fn fit_headers(&self, headers: &mut Vec<(String, String)>, _start: &Position) {
        number_repeated_keys(headers);
    }

    fn fit_notes(&self, notes: &mut Notes) {
        super::fit(notes);
    }

    fn write(&self, fitted: &Record) -> String {
        super::write(fitted)
    }
}

/// Numbers repeated keys, because a JSON object has each key only once.
fn number_repeated_keys(headers: &mut [(String, String)]) {
    let (mut counts, mut names) = (HashMap::new(), HashSet::new());
    for (key, _) in headers.iter_mut() {
        let count = counts.entry(key.clone()).or_insert(0_usize);
        // Another key may already have this name, so the next number is tried.
        let name = loop {
            *count += 1;
            let name = if *count == 1 {
                key.clone()
            } else {
                format!("{key}（{count}）")
            };
            if names.insert(name.clone()) {
                break name;
            }
        };
        *key = name;
    }
}
