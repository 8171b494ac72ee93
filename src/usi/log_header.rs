//! What was said that a new part of a log has to begin with, so that what follows can be understood without the part
//! before: who the engine is, its options, the position and the search.

use super::log::{Direction, LogEntry};
use super::{Command, Reply, reply};

/// As many lines of the greeting, and as many commands before the first position, are repeated.
const MOST: usize = 1000;
/// Longer lines of the greeting are not repeated, in bytes.
const LONGEST: usize = 1 << 14;

/// The lines of a talk that a new part of its log begins with.
#[derive(Clone, Debug, Default)]
pub struct LogHeader {
    /// From `usi` to `readyok`, and the options that were set since.
    greeting: Vec<LogEntry<'static>>,
    /// Whether the engine is still asked who it is.
    is_greeting: bool,
    new_game: Option<LogEntry<'static>>,
    position: Option<LogEntry<'static>>,
    /// The searches that have no answer, and the `stop` of each.
    searches: Vec<LogEntry<'static>>,
}

impl LogHeader {
    /// Takes in a line of the talk.
    pub fn note(&mut self, entry: &LogEntry<'_>) {
        match entry.mark {
            Direction::Sent => self.sent(entry),
            Direction::Output => self.received(entry),
            Direction::Stderr | Direction::Note => {}
        }
    }

    /// The lines, in their order.
    pub fn lines(&self) -> impl Iterator<Item = &LogEntry<'static>> {
        self.greeting.iter().chain(&self.new_game).chain(&self.position).chain(&self.searches)
    }

    fn sent(&mut self, entry: &LogEntry<'_>) {
        match Command::parse(&entry.text()) {
            Command::Usi => {
                *self = Self { is_greeting: true, ..Self::default() };
                self.add(entry);
            }
            Command::SetOption(_) => self.add(entry),
            Command::IsReady if self.is_greeting => self.add(entry),
            Command::NewGame => {
                (self.new_game, self.position) = (Some(entry.clone().into_owned()), None);
            }
            Command::Position(_) => self.position = Some(entry.clone().into_owned()),
            Command::Go(_) | Command::Stop | Command::PonderHit(_) if self.searches.len() < MOST => {
                self.searches.push(entry.clone().into_owned());
            }
            Command::Quit => *self = Self::default(),
            _ => {}
        }
    }

    fn received(&mut self, entry: &LogEntry<'_>) {
        if self.is_greeting {
            self.add(entry);
            self.is_greeting = !matches!(reply::parse(&entry.text()), Reply::ReadyOk);
            return;
        }
        // Of the lines of a search only the answer counts, and there are many of them.
        if entry.bytes.trim_ascii_start().starts_with(b"info") {
            return;
        }
        if matches!(reply::parse(&entry.text()), Reply::BestMove { .. } | Reply::Checkmate(_)) {
            self.answered();
        }
    }

    /// The oldest search has its answer.
    fn answered(&mut self) {
        let is_go = |entry: &LogEntry<'_>| matches!(Command::parse(&entry.text()), Command::Go(_));
        let next = self.searches.iter().skip(1).position(is_go).map_or(self.searches.len(), |next| next + 1);
        self.searches.drain(..next);
    }

    fn add(&mut self, entry: &LogEntry<'_>) {
        if self.greeting.len() < MOST && entry.bytes.len() <= LONGEST {
            self.greeting.push(entry.clone().into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preface(talk: &[&str]) -> Vec<String> {
        let mut preface = LogHeader::default();
        for line in talk {
            let (mark, text) = line.split_at(2);
            let mark = if mark == "> " { Direction::Sent } else { Direction::Output };
            preface.note(&LogEntry { millis: 0, mark, bytes: text.as_bytes().into() });
        }
        let line = |entry: &LogEntry<'_>| {
            format!("{} {}", if entry.mark == Direction::Sent { ">" } else { "<" }, entry.text())
        };
        preface.lines().map(line).collect()
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
    fn a_part_begins_with_what_is_needed_to_understand_it() {
        let check = |talk: &[&str], expect: &[&str]| {
            assert_eq!(preface(&[GREETING, talk].concat()), [GREETING, expect].concat(), "{talk:?}");
        };
        check(&[], &[]);
        let search = ["> usinewgame", "> position startpos", "> go infinite", "< info depth 1 score cp 5"];
        check(&search, &search[..3]);
        check(
            &[&search[..], &["> stop"]].concat(),
            &["> usinewgame", "> position startpos", "> go infinite", "> stop"],
        );
        check(&[&search[..], &["> stop", "< bestmove 7g7f"]].concat(), &search[..2]);
        // An option that is set later belongs to the greeting; what is asked between two searches does not.
        let later =
            [&search[..], &["< bestmove 7g7f", "> setoption name Hash value 3", "> isready", "< readyok"]].concat();
        check(&later, &["> setoption name Hash value 3", "> usinewgame", "> position startpos"]);
    }

    #[test]
    fn another_process_begins_anew() {
        let talk = [GREETING, &["> position startpos", "> go", "> usi", "< id name B"]].concat();
        assert_eq!(preface(&talk), ["> usi", "< id name B"]);
        assert!(preface(&[GREETING, &["> quit"]].concat()).is_empty());
    }
}
