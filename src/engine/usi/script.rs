//! Replays the engine's side of a recorded log.

use super::log::{Direction, LogEntry};
use super::tokens::Tokens;
use super::{Reply, SearchQueue, UsiCommand, reply};
use std::collections::VecDeque;

/// The longest pause before a line of a search, in milliseconds. Longer recorded pauses are shortened to this time.
const MAX_PAUSE_MS: u64 = 2_000;

/// The output of an engine in a log, grouped by command.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The output before the first command.
    greeting: Vec<Vec<u8>>,
    commands: Vec<RecordedCommand>,
    /// The searches without an answer, by their index in `commands`.
    searches: SearchQueue<usize>,
}

/// One recorded command and the engine's output for it.
#[derive(Clone, Debug)]
struct RecordedCommand {
    command: String,
    /// The arguments of the last `position` before the command.
    position: String,
    /// The time of the command since the log began, in milliseconds.
    sent_at: u64,
    lines: Vec<ScriptLine>,
    /// The number of lines before the `stop` that ended a `go`.
    lines_before_stop: Option<usize>,
    /// Whether the log has the answer to a `go`.
    is_answered: bool,
}

/// A recorded line of output.
#[derive(Clone, Debug)]
struct ScriptLine {
    /// The time since the log began, in milliseconds.
    millis: u64,
    bytes: Vec<u8>,
}

impl Script {
    /// Creates a script. Assigns every line of output to the command that it answers.
    pub fn new<'a>(log: impl IntoIterator<Item = LogEntry<'a>>) -> Self {
        let mut script = Self::default();
        let mut position = String::new();
        for entry in log {
            match entry.direction {
                Direction::Sent => script.on_sent(&entry, &mut position),
                Direction::Output => script.on_received(&entry),
                Direction::Stderr | Direction::Note => {}
            }
        }
        script
    }

    /// Returns whether the log contains neither a command nor output.
    pub const fn is_empty(&self) -> bool {
        self.greeting.is_empty() && self.commands.is_empty()
    }

    /// Adds a command. `position` has the arguments of the last `position` command.
    fn on_sent(&mut self, entry: &LogEntry<'_>, position: &mut String) {
        let text = entry.text();
        let command = UsiCommand::parse(&text);
        match command {
            UsiCommand::Position(text) => *position = normalize_spaces(text),
            // An engine gets `usi` only after its start, so the previous process has ended.
            UsiCommand::Usi => self.searches.clear(),
            UsiCommand::Stop => {
                for index in self.searches.values() {
                    if let Some(block) = self.commands.get_mut(*index) {
                        block.lines_before_stop.get_or_insert(block.lines.len());
                    }
                }
            }
            UsiCommand::Go(_) => _ = self.searches.push(self.commands.len()),
            _ => {}
        }
        self.commands.push(RecordedCommand {
            command: normalize_spaces(&text),
            position: position.clone(),
            sent_at: entry.millis,
            lines: Vec::new(),
            lines_before_stop: None,
            is_answered: false,
        });
    }

    /// Adds a line of output to the command that it answers.
    fn on_received(&mut self, entry: &LogEntry<'_>) {
        let line = ScriptLine {
            millis: entry.millis,
            bytes: entry.bytes.to_vec(),
        };
        let reply = reply::parse(&entry.text());
        let search = self
            .searches
            .on_received(&reply)
            .and_then(|(_, index)| self.commands.get_mut(index));
        if let Some(search) = search {
            search.lines.push(line);
            search.is_answered = !matches!(reply, Reply::Info(_));
            return;
        }
        let is_command_of = |block: &&mut RecordedCommand| match reply {
            Reply::ReadyOk => block.command == "isready",
            Reply::UsiOk | Reply::IdName(_) | Reply::IdAuthor(_) | Reply::Option(_) => block.command == "usi",
            _ => true,
        };
        match self.commands.iter_mut().rev().find(is_command_of) {
            Some(block) => block.lines.push(line),
            None => self.greeting.push(line.bytes),
        }
    }
}

impl RecordedCommand {
    fn is_search(&self) -> bool {
        matches!(UsiCommand::parse(&self.command), UsiCommand::Go(_))
    }

    /// Returns whether the engine printed an `info` after the command.
    fn has_info(&self) -> bool {
        self.lines
            .iter()
            .any(|line| line.bytes.trim_ascii_start().starts_with(b"info"))
    }

    /// Returns a `bestmove` with the first move of the last PV, for a search without an answer in the log.
    fn guessed_answer(&self) -> Vec<u8> {
        let pv = self.lines.iter().rev().find_map(|line| {
            match reply::parse(&String::from_utf8_lossy(&line.bytes)) {
                Reply::Info(info) if info.rank() == 1 => info.pv.first().copied(),
                _ => None,
            }
        });
        pv.map_or_else(
            || b"bestmove resign".to_vec(),
            |mv| format!("bestmove {mv}").into_bytes(),
        )
    }
}

/// A player of a [`Script`]. The player answers every command, so that a handshake and a search always end. The player
/// prefers the recorded output for the same command (and for `go`, the same `position`). Otherwise a `go` gets the next
/// recorded search that is most similar.
#[derive(Clone, Debug)]
pub struct ScriptPlayer {
    script: Script,
    /// The arguments of the last `position`.
    position: String,
    /// The index after the search that was played last: the log may hold the same search several times.
    next_index: usize,
    output: VecDeque<Vec<u8>>,
    search: Option<PlayedSearch>,
    is_over: bool,
}

impl ScriptPlayer {
    /// Creates a player. The output before the first command is pending.
    pub fn new(mut script: Script) -> Self {
        let output = std::mem::take(&mut script.greeting).into();
        Self {
            script,
            position: String::new(),
            next_index: 0,
            output,
            search: None,
            is_over: false,
        }
    }

    /// Handles a command of the host.
    pub fn on_command(&mut self, line: &str) {
        match UsiCommand::parse(line) {
            UsiCommand::Quit => {
                self.search = None;
                self.is_over = true;
            }
            UsiCommand::Usi => {
                if !self.script.commands.iter().any(|block| block.command == "usi") {
                    self.output.push_back(b"id name a recorded log".to_vec());
                }
                self.queue_output("usi", Some("usiok"));
            }
            UsiCommand::IsReady => self.queue_output("isready", Some("readyok")),
            UsiCommand::Position(text) => self.position = normalize_spaces(text),
            UsiCommand::Go(limits) => self.search(limits),
            UsiCommand::Stop => self.search.iter_mut().for_each(PlayedSearch::stop),
            UsiCommand::PonderHit(_) => self
                .search
                .iter_mut()
                .for_each(|search| search.waits_for_stop = false),
            UsiCommand::SetOption(_)
            | UsiCommand::NewGame
            | UsiCommand::GameOver(_)
            | UsiCommand::Other(_) => {
                self.queue_output(&normalize_spaces(line), None);
            }
        }
    }

    /// Handles the end of the host's input. A search in progress is stopped.
    pub fn on_input_closed(&mut self) {
        self.search.iter_mut().for_each(PlayedSearch::stop);
        self.is_over = true;
    }

    /// Returns the time until the next line, in milliseconds of the log; `None` if no line comes before the next
    /// command.
    pub fn due(&self) -> Option<u64> {
        if self.output.is_empty() {
            self.search.as_ref()?.due()
        } else {
            Some(0)
        }
    }

    /// Removes and returns the next line, even before it is due.
    pub fn take_line(&mut self) -> Option<Vec<u8>> {
        if let Some(line) = self.output.pop_front() {
            return Some(line);
        }
        let search = self.search.as_mut()?;
        match search.lines.pop_front() {
            Some(line) => {
                search.last_millis = line.millis;
                Some(line.bytes)
            }
            None => self.search.take().map(|search| search.answer.bytes),
        }
    }

    /// Returns whether the host sent `quit`, or its input has ended.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Queues the recorded output for a command, and `last` if the recording lacks it.
    fn queue_output(&mut self, command: &str, last: Option<&str>) {
        let block = self.script.commands.iter().find(|block| block.command == command);
        let lines = block.map_or_else(Vec::new, |block| {
            block.lines.iter().map(|line| line.bytes.clone()).collect()
        });
        let missing = last
            .map(str::as_bytes)
            .filter(|last| !lines.iter().any(|line| line.trim_ascii() == *last));
        self.output.extend(lines);
        self.output.extend(missing.map(<[u8]>::to_vec));
    }

    /// Starts the replay of a search. A search in progress is answered first.
    fn search(&mut self, limits: &str) {
        if let Some(previous) = self.search.take() {
            self.output.push_back(previous.answer.bytes);
        }
        let command = format!("go {}", normalize_spaces(limits));
        let found = self.find_search(command.trim_ascii_end());
        let next = found.map_or(0, |(at, _)| at + 1);
        self.search = Some(PlayedSearch::new(
            found.map(|(_, block)| block.clone()),
            is_endless_search(&command),
        ));
        self.next_index = next;
    }

    /// Returns the recorded search most similar to a `go`, from the search played last on, and then from the start. The
    /// best match has the same `go` and position. The next best has the same position.
    fn find_search(&self, command: &str) -> Option<(usize, &RecordedCommand)> {
        let (before, after) = self.script.commands.split_at_checked(self.next_index)?;
        // A search without any output has nothing to replay.
        let is_usable =
            |block: &RecordedCommand| block.is_search() && (block.is_answered || block.has_info());
        let candidates = (self.next_index..)
            .zip(after)
            .chain((0..).zip(before))
            .filter(|(_, block)| is_usable(block));
        let same_position = candidates
            .clone()
            .filter(|(_, block)| block.position == self.position);
        same_position
            .clone()
            .find(|(_, block)| block.command == command)
            .or_else(|| same_position.clone().next())
            .or_else(|| candidates.clone().next())
    }
}

/// A search that is being replayed.
#[derive(Clone, Debug)]
struct PlayedSearch {
    lines: VecDeque<ScriptLine>,
    answer: ScriptLine,
    /// The time of the previous line, in milliseconds since the log began.
    last_millis: u64,
    /// The number of lines that follow `stop`.
    lines_after_stop: usize,
    /// Whether the answer comes only after `stop` or `ponderhit`.
    waits_for_stop: bool,
    is_stopped: bool,
}

impl PlayedSearch {
    /// Creates the replay of a recorded search; without one, the answer is `bestmove resign`.
    fn new(block: Option<RecordedCommand>, is_endless: bool) -> Self {
        let Some(mut block) = block else {
            let answer = ScriptLine {
                millis: 0,
                bytes: b"bestmove resign".to_vec(),
            };
            return Self {
                lines: VecDeque::new(),
                answer,
                last_millis: 0,
                lines_after_stop: 0,
                waits_for_stop: is_endless,
                is_stopped: false,
            };
        };
        // An engine that did not wait for `stop` in the log does not wait for it here.
        let stops_by_itself =
            block.is_answered && block.lines_before_stop.is_none() && is_endless_search(&block.command);
        let recorded = if block.is_answered {
            block.lines.pop()
        } else {
            None
        };
        let at = block.lines.last().map_or(block.sent_at, |line| line.millis);
        let answer = recorded.unwrap_or_else(|| ScriptLine {
            millis: at,
            bytes: block.guessed_answer(),
        });
        Self {
            answer,
            last_millis: block.sent_at,
            lines_after_stop: block
                .lines_before_stop
                .map_or(0, |before| block.lines.len().saturating_sub(before)),
            waits_for_stop: is_endless && !stops_by_itself,
            is_stopped: false,
            lines: block.lines.into(),
        }
    }

    /// Drops the lines that would have come before the stop; the rest is due at once.
    fn stop(&mut self) {
        self.lines
            .drain(..self.lines.len().saturating_sub(self.lines_after_stop));
        self.is_stopped = true;
    }

    /// Returns the time until the next line, in milliseconds of the log; `None` if no line comes before `stop`.
    fn due(&self) -> Option<u64> {
        if self.is_stopped {
            return Some(0);
        }
        if self.waits_for_stop && self.lines.len() <= self.lines_after_stop {
            return None;
        }
        let next = self.lines.front().unwrap_or(&self.answer);
        Some(next.millis.saturating_sub(self.last_millis).min(MAX_PAUSE_MS))
    }
}

/// Returns whether a `go` has `infinite` or `ponder`, so that the search ends only after another command.
fn is_endless_search(command: &str) -> bool {
    Tokens::new(command).any(|word| matches!(word, "infinite" | "ponder"))
}

/// Joins the words of a line with single spaces, so that two lines can be compared.
fn normalize_spaces(text: &str) -> String {
    Tokens::new(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
