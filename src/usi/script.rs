//! The engine's side of a recorded log, played again to whoever speaks USI.

use super::log::{Direction, LogEntry};
use super::tokens::Tokens;
use super::{Command, Reply, reply};
use std::collections::VecDeque;

/// The longest pause before a line of a search, in milliseconds: long enough to look like thinking,
/// and nobody waits for a recorded minute.
const LONGEST_PAUSE: u64 = 2_000;

/// What an engine said in a log, by what it was told before.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// What it said before it was told anything.
    greeting: Vec<Vec<u8>>,
    blocks: Vec<RecordedCommand>,
}

/// One recorded command and what the engine answered to it.
#[derive(Clone, Debug)]
struct RecordedCommand {
    command: String,
    /// For a `go`, what the `position` before it said.
    position: String,
    sent: u64,
    lines: Vec<ScriptLine>,
    /// For a `go` that was ended by `stop`, how many of the lines came before that.
    stopped: Option<usize>,
    answered: bool,
    /// Whether another process was started before there was an answer.
    abandoned: bool,
}

#[derive(Clone, Debug)]
struct ScriptLine {
    /// When it came, in milliseconds since the log began.
    at: u64,
    bytes: Vec<u8>,
}

impl Script {
    /// Puts every line of the engine's output under the command it answers.
    pub fn new<'a>(log: impl IntoIterator<Item = LogEntry<'a>>) -> Self {
        let mut script = Self::default();
        let mut position = String::new();
        for entry in log {
            match entry.mark {
                Direction::Sent => script.sent(&entry, &mut position),
                Direction::Output => script.received(&entry),
                Direction::Stderr | Direction::Note => {}
            }
        }
        script
    }

    /// Whether the log holds anything at all that was sent to an engine or said by it.
    pub const fn is_empty(&self) -> bool {
        self.greeting.is_empty() && self.blocks.is_empty()
    }

    fn sent(&mut self, entry: &LogEntry<'_>, position: &mut String) {
        let text = entry.text();
        let command = Command::parse(&text);
        match command {
            Command::Position(text) => *position = spaced(text),
            // An engine is asked for its name only when it has started: the one before has ended.
            Command::Usi => {
                for block in self.searches() {
                    block.abandoned = true;
                }
            }
            Command::Stop => {
                for block in self.searches() {
                    block.stopped.get_or_insert(block.lines.len());
                }
            }
            _ => {}
        }
        self.blocks.push(RecordedCommand {
            command: spaced(&text),
            position: position.clone(),
            sent: entry.millis,
            lines: Vec::new(),
            stopped: None,
            answered: false,
            abandoned: false,
        });
    }

    fn received(&mut self, entry: &LogEntry<'_>) {
        let line = ScriptLine { at: entry.millis, bytes: entry.bytes.to_vec() };
        let reply = reply::parse(&entry.text());
        let is_answer = matches!(reply, Reply::BestMove { .. } | Reply::Checkmate(_));
        let search = if is_answer || matches!(reply, Reply::Info(_)) { self.searches().next() } else { None };
        if let Some(search) = search {
            search.lines.push(line);
            search.answered = is_answer;
            return;
        }
        let asked = |block: &&mut RecordedCommand| match reply {
            Reply::ReadyOk => block.command == "isready",
            Reply::UsiOk | Reply::IdName(_) | Reply::IdAuthor(_) | Reply::Option(_) => block.command == "usi",
            _ => true,
        };
        match self.blocks.iter_mut().rev().find(asked) {
            Some(block) => block.lines.push(line),
            None => self.greeting.push(line.bytes),
        }
    }

    /// The searches that have no answer yet and may have one, oldest first.
    fn searches(&mut self) -> impl Iterator<Item = &mut RecordedCommand> {
        self.blocks.iter_mut().filter(|block| block.is_search() && !block.answered && !block.abandoned)
    }
}

impl RecordedCommand {
    fn is_search(&self) -> bool {
        matches!(Command::parse(&self.command), Command::Go(_))
    }

    /// Whether the engine said anything of the position.
    fn has_info(&self) -> bool {
        self.lines.iter().any(|line| line.bytes.trim_ascii_start().starts_with(b"info"))
    }

    /// The move of its last PV, for a search whose answer is not in the log.
    fn guess(&self) -> Vec<u8> {
        let pv = self.lines.iter().rev().find_map(|line| match reply::parse(&String::from_utf8_lossy(&line.bytes)) {
            Reply::Info(info) if info.rank() == 1 => info.pv.first().copied(),
            _ => None,
        });
        pv.map_or_else(|| b"bestmove resign".to_vec(), |mv| format!("bestmove {mv}").into_bytes())
    }
}

/// Plays a [`Script`]. It answers whatever it is told: with what the log holds for the same command
/// (and for `go`, under the same `position`) where there is such, else with the next that comes
/// nearest, so that a handshake and a search always end.
#[derive(Clone, Debug)]
pub struct ScriptPlayer {
    script: Script,
    position: String,
    /// The block after the search that was played last: the log may hold the same one several times.
    next: usize,
    say: VecDeque<Vec<u8>>,
    search: Option<PlayedSearch>,
    is_over: bool,
}

impl ScriptPlayer {
    /// A player that has said nothing yet but the greeting.
    pub fn new(mut script: Script) -> Self {
        let say = std::mem::take(&mut script.greeting).into();
        Self { script, position: String::new(), next: 0, say, search: None, is_over: false }
    }

    /// Takes a line of the host.
    pub fn on_command(&mut self, line: &str) {
        match Command::parse(line) {
            Command::Quit => {
                self.search = None;
                self.is_over = true;
            }
            Command::Usi => {
                if !self.script.blocks.iter().any(|block| block.command == "usi") {
                    self.say.push_back(b"id name a recorded log".to_vec());
                }
                self.write_block("usi", Some("usiok"));
            }
            Command::IsReady => self.write_block("isready", Some("readyok")),
            Command::Position(text) => self.position = spaced(text),
            Command::Go(limits) => self.search(limits),
            Command::Stop => self.search.iter_mut().for_each(PlayedSearch::stop),
            Command::PonderHit(_) => self.search.iter_mut().for_each(|search| search.waits_for_stop = false),
            Command::SetOption(_) | Command::NewGame | Command::GameOver(_) | Command::Other(_) => {
                self.write_block(&spaced(line), None);
            }
        }
    }

    /// Takes the end of the host's input: a search is brought to its end before all is over.
    pub fn hung_up(&mut self) {
        self.search.iter_mut().for_each(PlayedSearch::stop);
        self.is_over = true;
    }

    /// In how many milliseconds, as the log counts them, the next line is due; `None` where nothing
    /// comes before the host says more.
    pub fn due(&self) -> Option<u64> {
        if self.say.is_empty() { self.search.as_ref()?.due() } else { Some(0) }
    }

    /// The next line, whether or not its time has come.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        if let Some(line) = self.say.pop_front() {
            return Some(line);
        }
        let search = self.search.as_mut()?;
        match search.lines.pop_front() {
            Some(line) => {
                search.at = line.at;
                Some(line.bytes)
            }
            None => self.search.take().map(|search| search.answer.bytes),
        }
    }

    /// Whether the host said `quit`, or says nothing more.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Says what the log holds for a command, and `last` where that is not among it.
    fn write_block(&mut self, command: &str, last: Option<&str>) {
        let block = self.script.blocks.iter().find(|block| block.command == command);
        let lines = block.map_or_else(Vec::new, |block| block.lines.iter().map(|line| line.bytes.clone()).collect());
        let missing = last.map(str::as_bytes).filter(|last| !lines.iter().any(|line| line.trim_ascii() == *last));
        self.say.extend(lines);
        self.say.extend(missing.map(<[u8]>::to_vec));
    }

    fn search(&mut self, limits: &str) {
        if let Some(unfinished) = self.search.take() {
            self.say.push_back(unfinished.answer.bytes);
        }
        let command = format!("go {}", spaced(limits));
        let found = self.find_search(command.trim_ascii_end());
        let next = found.map_or(0, |(at, _)| at + 1);
        self.search = Some(PlayedSearch::new(found.map(|(_, block)| block.clone()), is_endless(&command)));
        self.next = next;
    }

    /// The recorded search that comes nearest to a `go`, looking on from the one played last and
    /// then from the start: the same `go` under the same position, any under that position, any.
    fn find_search(&self, command: &str) -> Option<(usize, &RecordedCommand)> {
        let (before, after) = self.script.blocks.split_at_checked(self.next)?;
        // A process that ended before it said a word on the position has nothing to say here either.
        let is_of_use = |block: &RecordedCommand| block.is_search() && (!block.abandoned || block.has_info());
        let round = (self.next..).zip(after).chain((0..).zip(before)).filter(|(_, block)| is_of_use(block));
        let here = round.clone().filter(|(_, block)| block.position == self.position);
        here.clone()
            .find(|(_, block)| block.command == command)
            .or_else(|| here.clone().next())
            .or_else(|| round.clone().next())
    }
}

/// A search that is being played.
#[derive(Clone, Debug)]
struct PlayedSearch {
    lines: VecDeque<ScriptLine>,
    answer: ScriptLine,
    /// When the line before came, in milliseconds since the log began.
    at: u64,
    /// How many of the lines came after `stop`.
    late: usize,
    waits_for_stop: bool,
    stopped: bool,
}

impl PlayedSearch {
    fn new(block: Option<RecordedCommand>, is_endless: bool) -> Self {
        let Some(mut block) = block else {
            let answer = ScriptLine { at: 0, bytes: b"bestmove resign".to_vec() };
            return Self { lines: VecDeque::new(), answer, at: 0, late: 0, waits_for_stop: is_endless, stopped: false };
        };
        // Engines that did not wait for `stop` in the log do not do so here.
        let is_impatient = block.answered && block.stopped.is_none() && self::is_endless(&block.command);
        let recorded = if block.answered { block.lines.pop() } else { None };
        let at = block.lines.last().map_or(block.sent, |line| line.at);
        let answer = recorded.unwrap_or_else(|| ScriptLine { at, bytes: block.guess() });
        Self {
            answer,
            at: block.sent,
            late: block.stopped.map_or(0, |before| block.lines.len().saturating_sub(before)),
            waits_for_stop: is_endless && !is_impatient,
            stopped: false,
            lines: block.lines.into(),
        }
    }

    /// Drops what would have come before the stop; the rest comes at once.
    fn stop(&mut self) {
        self.lines.drain(..self.lines.len().saturating_sub(self.late));
        self.stopped = true;
    }

    fn due(&self) -> Option<u64> {
        if self.stopped {
            return Some(0);
        }
        if self.waits_for_stop && self.lines.len() <= self.late {
            return None;
        }
        let next = self.lines.front().unwrap_or(&self.answer);
        Some(next.at.saturating_sub(self.at).min(LONGEST_PAUSE))
    }
}

/// Whether a `go` has no end of its own.
fn is_endless(command: &str) -> bool {
    Tokens::new(command).any(|word| matches!(word, "infinite" | "ponder"))
}

/// The words of a line with one space between them, which is how two lines are compared.
fn spaced(text: &str) -> String {
    Tokens::new(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
