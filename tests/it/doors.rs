//! One reading for every door: the same text is the same game in a file, a paste, a feed, and in what surrounds it.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test fails by panicking and prints counts"
)]

use crate::support::shared;
use encoding_rs::{EUC_JP, SHIFT_JIS};
use shogibar_kifu::{Millis, NodeId, Outcome, Reason, Record};
use shogibar_live::reader::{GameReader, ReadCertainty, ReaderUpdate};
use shogibar_shogi::{History, Notation};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A record as a user sees it: moves, names, result, comments, times.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    moves: String,
    names: [Option<String>; 2],
    end: Option<(Reason, Outcome)>,
    nodes: Vec<(Option<String>, Option<Millis>)>,
}

impl Seen {
    fn of(record: &Record) -> Self {
        let name = |color| record.player(color).map(str::to_owned);
        let node = |id: NodeId| {
            let node = record.node(id);
            // The blanks at the ends of lines are lost on the way through a mail.
            let comment = node
                .comment()
                .map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"));
            (comment, node.time.spent)
        };
        Self {
            moves: record.history(usize::MAX).usi(),
            names: [
                name(shogibar_shogi::Color::Black),
                name(shogibar_shogi::Color::White),
            ],
            end: record.end().map(|end| (end.reason, end.outcome)),
            nodes: record.all().map(node).collect(),
        }
    }
}

fn games(bytes: &[u8], name: &Path) -> Vec<Seen> {
    shogibar_kifu::read_named(bytes, name)
        .map_or_else(|_| Vec::new(), |read| read.games.iter().map(Seen::of).collect())
}

/// Returns the files of the collection of records, and of the edge cases.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<_> = ["corpus", "edge-cases"]
        .iter()
        .filter_map(|name| shared(name))
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_list = ["README.md", "manifest.tsv", "expected.jsonl", "make"]
                .iter()
                .any(|name| path.ends_with(name));
            if path.is_dir() {
                folders.push(path);
            } else if !is_list {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Returns a file as the text that a user would copy.
fn text(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
    let decoded = |encoding: &'static encoding_rs::Encoding| {
        encoding.decode_without_bom_handling_and_without_replacement(bytes)
    };
    let text = text.or_else(|| Some(decoded(SHIFT_JIS).or_else(|| decoded(EUC_JP))?.into_owned()))?;
    Some(
        text.trim_start_matches('\u{feff}')
            .replace("\r\n", "\n")
            .replace('\r', "\n"),
    )
}

/// Returns a text with the signs of HTML as entities.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn each_line(text: &str, before: &str, behind: &str) -> String {
    text.lines().fold(String::new(), |mut all, line| {
        writeln!(all, "{before}{line}{behind}").unwrap();
        all
    })
}

/// A name, and a function that puts a record into what surrounds it.
type Wrapping = (&'static str, fn(&str) -> String);

/// What may surround a record.
const WRAPPINGS: [Wrapping; 5] = [
    ("mail", |text| {
        format!(
            "From: 田中 <a@example.org>\nSubject: 棋譜\n\n山田さん、こんにちは。\n\n{text}\n\nよろしくお願いします。\n-- \n田中\n"
        )
    }),
    ("quote", |text| {
        format!(
            "2026年2月3日 21:03 山田 <b@example.org>:\n{}\nありがとう。\n",
            each_line(text, "> ", "")
        )
    }),
    ("code block", |text| {
        format!("この棋譜を見てください。\n\n```\n{text}\n```\n\nお願いします。\n")
    }),
    ("breaks", |text| each_line(&escaped(text), "", "<br>")),
    ("page", |text| {
        let head = "<!DOCTYPE html>\n<html><head><title>棋譜</title></head><body><h1>棋譜</h1>";
        format!("{head}<pre>\n{}</pre><p>以上</p></body></html>\n", escaped(text))
    }),
];

#[test]
fn a_record_is_the_same_game_through_every_door() {
    let (mut texts, mut wrong) = (0, Vec::new());
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        let expected = games(&bytes, &path);
        let Some(text) = text(&bytes).filter(|_| !expected.is_empty()) else {
            continue;
        };
        texts += 1;
        let pasted = games(text.as_bytes(), Path::new(""));
        // The extension of a file decides only where it has nothing but unknown headers.
        if pasted != expected && !pasted.is_empty() {
            wrong.push(format!("{}: pasted\n{expected:?}\n{pasted:?}", path.display()));
        }
        let mut feed = GameReader::new(&path, Duration::ZERO);
        // A last line without its end may be cut.
        let whole = [&bytes[..], b"\n"].concat();
        let shown = match feed.update(Duration::ZERO, &whole, ReadCertainty::Settled) {
            ReaderUpdate::Changed(record) => Some(Seen::of(&record)),
            _ => None,
        };
        if shown.as_ref() != expected.last() {
            wrong.push(format!(
                "{}: in a feed\n{:?}\n{shown:?}",
                path.display(),
                expected.last()
            ));
        }
        for (name, wrap) in WRAPPINGS {
            let wrapped = wrap(&text);
            let found = games(wrapped.as_bytes(), Path::new(""));
            if found != expected {
                wrong.push(format!(
                    "{}: in a {name}\n{expected:?}\n{found:?}",
                    path.display()
                ));
            }
        }
    }
    println!("{texts} records, {} differences", wrong.len());
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// Returns the moves of a record in a table, a move a cell and two moves a row.
fn table(words: &[String], row: fn(usize, &[String]) -> String) -> String {
    (1..)
        .zip(words.chunks(2))
        .map(|(number, pair)| row(number, pair))
        .collect()
}

#[test]
fn a_record_is_the_same_game_in_a_table() {
    let (mut tables, mut wrong) = (0, Vec::new());
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        let Ok((record, _)) = shogibar_kifu::read_first(&bytes, &path) else {
            continue;
        };
        let moves: Vec<_> = record.moves().collect();
        let is_even = record.history(0).usi() == "startpos";
        if !is_even || moves.len() < 4 {
            continue;
        }
        let expected = record.history(usize::MAX).usi();
        let in_words = Notation::default().notate_line(&History::from_usi("startpos").unwrap(), &moves);
        let in_usi = moves.iter().map(ToString::to_string).collect();
        for words in [in_words, in_usi] {
            let markdown = table(&words, |number, pair| {
                format!("| {number} | {} |\n", pair.join(" | "))
            });
            let html = table(&words, |number, pair| {
                format!("<tr><th>{number}</th><td>{}</td></tr>\n", pair.join("</td><td>"))
            });
            let tsv = table(&words, |number, pair| format!("{number}\t{}\n", pair.join("\t")));
            for text in [
                format!("| 手数 | 先手 | 後手 |\n|---|---|---|\n{markdown}"),
                format!("<html><body><table>\n{html}</table></body></html>\n"),
                format!("手数\t先手\t後手\n{tsv}"),
            ] {
                tables += 1;
                let found: Vec<_> = games(text.as_bytes(), Path::new(""))
                    .into_iter()
                    .map(|seen| seen.moves)
                    .collect();
                if found != [expected.as_str()] {
                    let head: String = text.chars().take(200).collect();
                    wrong.push(format!("{}: {found:?}, not {expected}\n{head}", path.display()));
                }
            }
        }
    }
    println!("{tables} tables, {} differences", wrong.len());
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}
