//! The lines that a new part of a log begins with, so that it is readable without the previous part:
//! the name of the engine, its options, the position and the search.

use super::{SearchId, SearchTracker};
use crate::usi::log::{Direction, LogEntry};
use crate::usi::{Command, Reply, reply};

/// The most lines of the handshake, and the most open searches with their commands, that are repeated.
const MAX_LINES: usize = 1000;
/// The length of the longest line of the handshake that is repeated, in bytes.
const MAX_LINE_BYTES: usize = 1 << 14;

/// The first lines of a new part of a log.
#[derive(Clone, Debug, Default)]
pub struct LogHeader {
    /// The lines from `usi` to `readyok`, and the options that were set since.
    handshake: Vec<LogEntry<'static>>,
    /// Whether `readyok` has not arrived yet.
    is_handshaking: bool,
    new_game: Option<LogEntry<'static>>,
    position: Option<LogEntry<'static>>,
    /// The commands of the searches without an answer: `go`, `stop` and `ponderhit`, each with its search.
    searches: Vec<(SearchId, LogEntry<'static>)>,
    tracker: SearchTracker,
}

impl LogHeader {
    /// Records a line of the traffic.
    pub fn note(&mut self, entry: &LogEntry<'_>) {
        match entry.direction {
            Direction::Sent => self.sent(entry),
            Direction::Output => self.received(entry),
            Direction::Stderr | Direction::Note => {}
        }
    }

    /// Returns the lines of the header, in order.
    pub fn lines(&self) -> impl Iterator<Item = &LogEntry<'static>> {
        self.handshake
            .iter()
            .chain(&self.new_game)
            .chain(&self.position)
            .chain(self.searches.iter().map(|(_, entry)| entry))
    }

    fn sent(&mut self, entry: &LogEntry<'_>) {
        let text = entry.text();
        self.tracker.on_sent(&text);
        match Command::parse(&text) {
            Command::Usi => {
                *self = Self { is_handshaking: true, ..Self::default() };
                self.add(entry);
            }
            Command::SetOption(_) => self.add(entry),
            Command::IsReady if self.is_handshaking => self.add(entry),
            Command::NewGame => {
                (self.new_game, self.position) = (Some(entry.clone().into_owned()), None);
            }
            Command::Position(_) => self.position = Some(entry.clone().into_owned()),
            Command::Go(_) | Command::Stop | Command::PonderHit(_) if self.searches.len() < MAX_LINES => {
                if let Some(newest) = self.tracker.newest() {
                    self.searches.push((newest, entry.clone().into_owned()));
                }
            }
            Command::Quit => *self = Self::default(),
            _ => {}
        }
    }

    fn received(&mut self, entry: &LogEntry<'_>) {
        if self.is_handshaking {
            self.add(entry);
            self.is_handshaking = !matches!(reply::parse(&entry.text()), Reply::ReadyOk);
            return;
        }
        // Of the output of a search only the answer matters, and `info` lines are frequent.
        if entry.bytes.trim_ascii_start().starts_with(b"info") {
            return;
        }
        let reply = reply::parse(&entry.text());
        if matches!(reply, Reply::BestMove { .. } | Reply::Checkmate(_))
            && let Some(answered) = self.tracker.on_received(&reply)
        {
            self.searches.retain(|(search, _)| *search != answered.id);
        }
    }

    fn add(&mut self, entry: &LogEntry<'_>) {
        if self.handshake.len() < MAX_LINES && entry.bytes.len() <= MAX_LINE_BYTES {
            self.handshake.push(entry.clone().into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(lines: &[&str]) -> Vec<String> {
        let mut header = LogHeader::default();
        for line in lines {
            let (mark, text) = line.split_at(2);
            let mark = if mark == "> " { Direction::Sent } else { Direction::Output };
            header.note(&LogEntry { millis: 0, direction: mark, bytes: text.as_bytes().into() });
        }
        let line = |entry: &LogEntry<'_>| {
            format!("{} {}", if entry.direction == Direction::Sent { ">" } else { "<" }, entry.text())
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
            assert_eq!(header(&[GREETING, lines].concat()), [GREETING, expect].concat(), "{lines:?}");
        };
        check(&[], &[]);
        let search = ["> usinewgame", "> position startpos", "> go infinite", "< info depth 1 score cp 5"];
        check(&search, &search[..3]);
        check(
            &[&search[..], &["> stop"]].concat(),
            &["> usinewgame", "> position startpos", "> go infinite", "> stop"],
        );
        check(&[&search[..], &["> stop", "< bestmove 7g7f"]].concat(), &search[..2]);
        // An option that is set later belongs to the handshake; `isready` between two searches does not.
        let later =
            [&search[..], &["< bestmove 7g7f", "> setoption name Hash value 3", "> isready", "< readyok"]].concat();
        check(&later, &["> setoption name Hash value 3", "> usinewgame", "> position startpos"]);
    }

    #[test]
    fn starts_over_with_another_process() {
        let lines = [GREETING, &["> position startpos", "> go", "> usi", "< id name B"]].concat();
        assert_eq!(header(&lines), ["> usi", "< id name B"]);
        assert!(header(&[GREETING, &["> quit"]].concat()).is_empty());
    }
}
