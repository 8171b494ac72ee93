//! The first lines of a new part of a log: engine name, options, position and search. With these lines, the part can be
//! read without the previous part.

use crate::usi::log::{Direction, LogEntry};
use crate::usi::{Reply, SearchQueue, UsiCommand, reply};
use std::sync::Arc;

/// The maximum number of lines of the handshake that are repeated.
const MAX_HANDSHAKE_LINES: usize = 1000;
/// The maximum number of commands of a search that are repeated.
const MAX_SEARCH_COMMANDS: usize = 1000;
/// The maximum length of a line of the handshake that is repeated, in bytes.
const MAX_LINE_BYTES: usize = 1 << 14;

/// Collects the first lines of the next part of a log.
#[derive(Clone, Debug, Default)]
pub struct LogHeader {
    /// The lines from `usi` to `readyok`, and the options that were set since.
    handshake: Vec<LogEntry<'static>>,
    /// Whether the lines after the last `usi` belong to the handshake: no `readyok`, `position` or `go` has followed.
    is_handshaking: bool,
    /// The last `usinewgame`.
    new_game: Option<LogEntry<'static>>,
    /// The last `position` of the game.
    position: Option<Arc<LogEntry<'static>>>,
    /// The searches without an answer.
    searches: SearchQueue<OpenSearch>,
}

/// The commands of a search without an answer.
#[derive(Clone, Debug, Default)]
struct OpenSearch {
    position: Option<Arc<LogEntry<'static>>>,
    /// `go`, `stop` and `ponderhit`.
    commands: Vec<LogEntry<'static>>,
}

impl LogHeader {
    /// Records a line of the traffic.
    pub fn on_entry(&mut self, entry: &LogEntry<'_>) {
        match entry.direction {
            Direction::Sent => self.on_sent(entry),
            Direction::Output => self.on_received(entry),
            Direction::Stderr | Direction::Note => {}
        }
    }

    /// Returns the lines of the header, in order: every open search follows its position.
    pub fn lines(&self) -> impl Iterator<Item = &LogEntry<'static>> {
        let mut written: Option<&Arc<LogEntry<'static>>> = None;
        let mut searches = Vec::new();
        for search in self.searches.values() {
            searches.extend(next_position(&mut written, search.position.as_ref()));
            searches.extend(&search.commands);
        }
        searches.extend(next_position(&mut written, self.position.as_ref()));
        self.handshake.iter().chain(&self.new_game).chain(searches)
    }

    fn on_sent(&mut self, entry: &LogEntry<'_>) {
        match UsiCommand::parse(&entry.text()) {
            UsiCommand::Usi => {
                *self = Self {
                    is_handshaking: true,
                    ..Self::default()
                };
                self.push_handshake(entry);
            }
            UsiCommand::SetOption(_) => self.push_handshake(entry),
            UsiCommand::IsReady if self.is_handshaking => self.push_handshake(entry),
            UsiCommand::NewGame => {
                (self.new_game, self.position) = (Some(entry.clone().into_owned()), None);
            }
            UsiCommand::Position(_) => {
                self.is_handshaking = false;
                self.position = Some(Arc::new(entry.clone().into_owned()));
            }
            UsiCommand::Go(_) => {
                self.is_handshaking = false;
                let commands = vec![entry.clone().into_owned()];
                self.searches.push(OpenSearch {
                    position: self.position.clone(),
                    commands,
                });
            }
            UsiCommand::Stop | UsiCommand::PonderHit(_) => {
                if let Some(search) = self
                    .searches
                    .newest_mut()
                    .filter(|search| search.commands.len() < MAX_SEARCH_COMMANDS)
                {
                    search.commands.push(entry.clone().into_owned());
                }
            }
            UsiCommand::Quit => *self = Self::default(),
            _ => {}
        }
    }

    /// Forgets the position and the searches, as lines of the traffic are missing.
    pub fn forget_searches(&mut self) {
        self.position = None;
        self.searches.clear();
    }

    fn on_received(&mut self, entry: &LogEntry<'_>) {
        if self.is_handshaking {
            self.push_handshake(entry);
            self.is_handshaking = !matches!(reply::parse(&entry.text()), Reply::ReadyOk);
            return;
        }
        // Only the answer to a search matters. `info` lines are frequent, so they are not parsed.
        if !entry.bytes.trim_ascii_start().starts_with(b"info") {
            let _answered = self.searches.on_received(&reply::parse(&entry.text()));
        }
    }

    /// Adds a line to the handshake, within the limits.
    fn push_handshake(&mut self, entry: &LogEntry<'_>) {
        if self.handshake.len() < MAX_HANDSHAKE_LINES && entry.bytes.len() <= MAX_LINE_BYTES {
            self.handshake.push(entry.clone().into_owned());
        }
    }
}

/// Returns `position` unless it was written last, and stores it in `written`.
fn next_position<'a>(
    written: &mut Option<&'a Arc<LogEntry<'static>>>,
    position: Option<&'a Arc<LogEntry<'static>>>,
) -> Option<&'a LogEntry<'static>> {
    let position = position?;
    let is_written = written
        .replace(position)
        .is_some_and(|before| Arc::ptr_eq(before, position));
    (!is_written).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the header after these lines. A line begins with `> ` or `< `.
    fn header(lines: &[&str]) -> Vec<String> {
        let mut header = LogHeader::default();
        for line in lines {
            let (mark, text) = line.split_at(2);
            let mark = if mark == "> " {
                Direction::Sent
            } else {
                Direction::Output
            };
            header.on_entry(&LogEntry {
                millis: 0,
                direction: mark,
                bytes: text.as_bytes().into(),
            });
        }
        let line = |entry: &LogEntry<'_>| {
            format!(
                "{} {}",
                if entry.direction == Direction::Sent {
                    ">"
                } else {
                    "<"
                },
                entry.text()
            )
        };
        header.lines().map(line).collect()
    }

    const GREETING: &[&str] = &[
        "> usi",
        "< id name A",
        "< option name Hash type spin default 1 min 1 max 9",
        "< usiok",
        "> setoption name Hash value 2",
        "> isready",
        "< info string loading",
        "< readyok",
    ];

    #[test]
    fn repeats_the_handshake_the_position_and_the_open_search() {
        let check = |lines: &[&str], expect: &[&str]| {
            assert_eq!(
                header(&[GREETING, lines].concat()),
                [GREETING, expect].concat(),
                "{lines:?}"
            );
        };
        check(&[], &[]);
        let search = [
            "> usinewgame",
            "> position startpos",
            "> go infinite",
            "< info depth 1 score cp 5",
        ];
        check(&search, &search[..3]);
        check(
            &[&search[..], &["> stop"]].concat(),
            &["> usinewgame", "> position startpos", "> go infinite", "> stop"],
        );
        check(
            &[&search[..], &["> stop", "< bestmove 7g7f"]].concat(),
            &search[..2],
        );
        // An option that is set later belongs to the handshake; `isready` between two searches does not.
        let later = [
            &search[..],
            &[
                "< bestmove 7g7f",
                "> setoption name Hash value 3",
                "> isready",
                "< readyok",
            ],
        ]
        .concat();
        check(
            &later,
            &[
                "> setoption name Hash value 3",
                "> usinewgame",
                "> position startpos",
            ],
        );
    }

    #[test]
    fn an_open_search_follows_its_own_position() {
        let lines = ["> position startpos", "> go", "> position startpos moves 7g7f"];
        assert_eq!(header(&[GREETING, &lines].concat()), [GREETING, &lines].concat());
        let answered = [GREETING, &lines, &["< bestmove 7g7f"]].concat();
        assert_eq!(header(&answered), [GREETING, &lines[2..]].concat());
        // A host that sends no `isready`: the search ends the handshake.
        let hasty = [
            "> usi",
            "< usiok",
            "> position startpos",
            "> go",
            "< info depth 1",
            "< bestmove 7g7f",
        ];
        assert_eq!(header(&hasty), hasty[..3]);
    }

    #[test]
    fn many_open_searches_take_little_memory() {
        let mut header = LogHeader::default();
        let mut sent = |line: String| {
            header.on_entry(&LogEntry {
                millis: 0,
                direction: Direction::Sent,
                bytes: line.into_bytes().into(),
            });
        };
        for _ in 0..100_000 {
            sent(format!("position startpos moves {}", "7g7f ".repeat(100)));
            sent("go infinite".to_owned());
        }
        assert!(header.lines().count() < 200);
    }

    #[test]
    fn starts_over_with_another_process() {
        let lines = [GREETING, &["> position startpos", "> go", "> usi", "< id name B"]].concat();
        assert_eq!(header(&lines), ["> usi", "< id name B"]);
        assert!(header(&[GREETING, &["> quit"]].concat()).is_empty());
    }
}
