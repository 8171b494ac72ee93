//! The CSA server protocol: the game summary, the prefixes of monitors and transcripts, messages, and result lines.

use super::super::end::{MarkOutcome, Reason};
use super::super::time::Millis;
use shogibar_shogi::{Color, Position};

/// A line without the prefix of a monitor or a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ServerLine<'a> {
    /// The id of the game; empty if there is none.
    pub(super) game: &'a str,
    pub(super) text: &'a str,
    /// Whether the line is part of a transcript, where the server echoes a player's lines.
    pub(super) is_transcript: bool,
}

/// Returns a line without its prefix of a monitor or a transcript. Returns `None` for a line without game content.
pub(super) fn unframe(text: &str) -> Option<ServerLine<'_>> {
    let unframed = ServerLine {
        game: "",
        text,
        is_transcript: false,
    };
    match text.bytes().next() {
        Some(b'#') => strip_monitor(text),
        Some(b'<' | b'>' | b'[' | b'0'..=b'9') => {
            let Some(text) = strip_transcript(text) else {
                return Some(unframed);
            };
            let line = if text.starts_with('#') {
                strip_monitor(text)?
            } else {
                ServerLine { text, ..unframed }
            };
            Some(ServerLine {
                is_transcript: true,
                ..line
            })
        }
        _ => Some(unframed),
    }
}

/// Returns a `#` line without the prefix of a monitor, `##[MONITOR2][id] +7776FU`. A line without a prefix is
/// unchanged. Returns `None` for a line without game content.
fn strip_monitor(text: &str) -> Option<ServerLine<'_>> {
    let Some(rest) = text.strip_prefix("##[") else {
        return Some(ServerLine {
            game: "",
            text,
            is_transcript: false,
        });
    };
    let (kind, rest) = rest.split_once(']')?;
    if !matches!(kind, "MONITOR" | "MONITOR2" | "SHOW") {
        return None;
    }
    let (game, rest) = rest
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .unwrap_or(("", rest));
    let text = rest.trim_start();
    let is_answer = text.is_empty() || text == "+OK" || kind == "MONITOR2" && game.is_empty();
    (!is_answer).then_some(ServerLine {
        game,
        text,
        is_transcript: false,
    })
}

/// Returns the text of a transcript line without its prefix, which may have a time: `< +7776FU`, `>:%TORYO`. Returns
/// `None` for any other line.
fn strip_transcript<'t>(text: &'t str) -> Option<&'t str> {
    // A time stamp is short and has no letters except its separators.
    let at = text
        .char_indices()
        .take(60)
        .find(|(_, c)| !c.is_ascii_digit() && !" -/:.,+[]TZ".contains(*c))
        .map(|(at, _)| at)?;
    let rest = text.get(at..)?;
    let named = DIRECTION_WORDS.iter().find_map(|word| rest.strip_prefix(word));
    // The name of a part of the program may precede the arrow: `[csa] <<< +7776FU`.
    let is_part = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b" ]:._-".contains(&byte))
    };
    let part = || {
        rest.get(..rest.find(['<', '>'])?)
            .filter(|part| part.len() < 30 && part.ends_with(' ') && is_part(part))
    };
    let behind = |rest: &'t str, arrows: &[&str]| arrows.iter().find_map(|arrow| rest.strip_prefix(arrow));
    let arrow = behind(rest, &["<<<", ">>>", "<", ">"]);
    let rest = named
        .or(arrow)
        .or_else(|| behind(rest.get(part()?.len()..)?, &["<<<", ">>>"]))?;
    Some(rest.strip_prefix(':').unwrap_or(rest).trim_start())
}

/// The words of a client's log for the direction of a line. The bracket before a word counts as part of the time.
const DIRECTION_WORDS: [&str; 6] = ["recv]", "send]", "RECV]", "SEND]", "in]", "out]"];

/// The beginnings of messages of players and servers without game content.
const IGNORED_MESSAGES: [&str; 7] = [
    "LOGIN",
    "LOGOUT",
    "AGREE",
    "START:",
    "CHALLENGE",
    "END Game_Summary",
    "END Position",
];

/// Summary keys that are read: they become headers, time settings, or the side to move.
const SUMMARY_KEYS: [&str; 9] = [
    "Name+",
    "Name-",
    "Game_ID",
    "To_Move",
    "Max_Moves",
    "Time_Unit",
    "Total_Time",
    "Byoyomi",
    "Increment",
];

/// Summary keys that are not read. Their lines become remarks.
const OTHER_SUMMARY_KEYS: [&str; 9] = [
    "Protocol_Version",
    "Protocol_Mode",
    "Format",
    "Declaration",
    "Your_Turn",
    "Rematch_On_Draw",
    "Delay",
    "Least_Time_Per_Move",
    "Time_Roundup",
];

/// The meaning of a line in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServerEvent<'a> {
    /// The summary of another game begins.
    Summary,
    /// The time settings of one side follow; `None` for both sides.
    Times(Option<Color>),
    /// A summary key that is read, with its value.
    Key(&'a str, &'a str),
    /// A summary key that is not read.
    OtherKey,
    /// `REJECT`: the game is cancelled before it begins.
    Reject,
    /// A line without game content.
    Ignored,
}

/// Returns the protocol meaning of a line; `None` for a line of the record itself.
pub(super) fn parse_event(text: &str) -> Option<ServerEvent<'_>> {
    // Half of all lines are times, which are short. This check sorts them out fast.
    if text.len() < 5 || !text.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    match text {
        "BEGIN Game_Summary" => return Some(ServerEvent::Summary),
        "BEGIN Time" => return Some(ServerEvent::Times(None)),
        "BEGIN Time+" => return Some(ServerEvent::Times(Some(Color::Black))),
        "BEGIN Time-" => return Some(ServerEvent::Times(Some(Color::White))),
        "BEGIN Position" | "END Time" | "END Time+" | "END Time-" => return Some(ServerEvent::Ignored),
        _ if text.starts_with("REJECT:") => return Some(ServerEvent::Reject),
        _ if IGNORED_MESSAGES.iter().any(|start| text.starts_with(start)) => {
            return Some(ServerEvent::Ignored);
        }
        _ => {}
    }
    let (key, value) = text.split_once(':')?;
    if SUMMARY_KEYS.contains(&key) {
        return Some(ServerEvent::Key(key, value.trim()));
    }
    OTHER_SUMMARY_KEYS.contains(&key).then_some(ServerEvent::OtherKey)
}

#[derive(Clone, Debug, Default)]
pub(super) struct GameSummary {
    /// Headers by their CSA keys, in the order of the file. At most two values of a key are stored; the first counts.
    headers: Vec<(&'static str, String)>,
    /// The side to move at the start; `None` if the summary does not state it.
    pub(super) turn: Option<Color>,
    /// The time settings: of both sides, of Black, of White.
    times: [ServerTimes; 3],
    /// The index of the time settings that are being read.
    section: usize,
}

/// The time settings of a game summary. The times are whole numbers of the unit.
#[derive(Clone, Debug, Default)]
struct ServerTimes {
    /// Whether the time settings are a section of a summary. A missing main time means 0 only there: floodgate's files
    /// state nothing but the increment.
    is_section: bool,
    unit: TimeUnit,
    /// The main time; `None` if it is not stated.
    total: Option<u64>,
    /// The byoyomi; 0 if it is not stated.
    byoyomi: u64,
    /// The increment; 0 if it is not stated.
    increment: u64,
}

/// The unit of the times in a game summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TimeUnit {
    #[default]
    Seconds,
    /// This number of milliseconds.
    Millis(u64),
    /// A unit that cannot be read: times in it are not known.
    Unknown,
}

impl TimeUnit {
    /// Returns a number of units in milliseconds; `None` for an unknown unit.
    const fn millis(self, count: u64) -> Option<u64> {
        match self {
            Self::Seconds => Some(count.saturating_mul(1000)),
            Self::Millis(unit) => Some(count.saturating_mul(unit)),
            Self::Unknown => None,
        }
    }
}

impl GameSummary {
    /// Returns the time of a move of `side`, which a line states in the unit of the summary; `None` if the unit is not
    /// known.
    pub(super) fn spent(&self, side: Color, stated: Millis) -> Option<Millis> {
        let [both, ..] = &self.times;
        let of_side = self
            .times
            .get(side.to_index() + 1)
            .filter(|times| times.is_section);
        match of_side.unwrap_or(both).unit {
            TimeUnit::Seconds => Some(stated),
            unit => unit.millis(stated.0).map(|millis| Millis(millis / 1000)),
        }
    }

    /// Returns whether the summary has no headers. Time settings and the side to move do not count.
    pub(super) const fn is_empty(&self) -> bool {
        self.headers.is_empty()
    }

    /// Begins a section with the time settings of a side; `None` for both sides.
    pub(super) fn begin_times(&mut self, side: Option<Color>) {
        self.section = side.map_or(0, |side| side.to_index() + 1);
        if let Some(times) = self.times.get_mut(self.section) {
            times.is_section = true;
        }
    }

    /// Applies a line `key:value` of the summary.
    pub(super) fn apply_key(&mut self, key: &str, value: &str) {
        match key {
            "Name+" => self.add_header("N+", value),
            "Name-" => self.add_header("N-", value),
            "Max_Moves" => self.add_header("MAX_MOVES", value),
            "Game_ID" => {
                self.add_header("EVENT", value);
                self.add_header("START_TIME", &parse_start_time(value).unwrap_or_default());
            }
            "To_Move" => self.turn = value.chars().next().and_then(super::color),
            _ => {
                let Some(times) = self.times.get_mut(self.section) else {
                    return;
                };
                let number = value.parse().ok();
                match key {
                    "Time_Unit" => {
                        times.unit = parse_time_unit(value).map_or(TimeUnit::Unknown, TimeUnit::Millis);
                    }
                    "Total_Time" => times.total = number,
                    "Byoyomi" => times.byoyomi = number.unwrap_or(0),
                    _ => times.increment = number.unwrap_or(0),
                }
            }
        }
    }

    /// Adds a header, unless its value is empty or known, or its key has two values.
    fn add_header(&mut self, key: &'static str, value: &str) {
        let mut known = self.headers.iter().filter(|(known, _)| *known == key);
        // A second value is reported, further ones are not.
        if !value.is_empty() && known.clone().count() < 2 && known.all(|(_, known)| known != value) {
            self.headers.push((key, value.to_owned()));
        }
    }

    /// Returns the headers of the summary by their CSA keys, and last those of the time settings.
    pub(super) fn headers(self) -> impl Iterator<Item = (&'static str, String)> {
        let times = ["TIME", "TIME+", "TIME-"].into_iter().zip(self.times);
        let times = times.filter_map(|(key, times)| Some((key, times.text()?)));
        self.headers.into_iter().chain(times)
    }
}

impl ServerTimes {
    /// Returns the time settings in seconds, as CSA V3 writes them; `None` without a main time. The main time is 0 in a
    /// section that has only a byoyomi or an increment.
    fn text(&self) -> Option<String> {
        let seconds = |count: u64| {
            let millis = self.unit.millis(count)?;
            Some(match millis % 1000 {
                0 => (millis / 1000).to_string(),
                rest => format!("{}.{rest:03}", millis / 1000),
            })
        };
        let has_more = self.byoyomi > 0 || self.increment > 0;
        let total = self
            .total
            .or_else(|| (self.is_section && has_more).then_some(0))?;
        Some(format!(
            "{}+{}+{}",
            seconds(total)?,
            seconds(self.byoyomi)?,
            seconds(self.increment)?
        ))
    }
}

/// Returns a unit of time in milliseconds: `1sec`, `1min`, `100msec`. `None` for other text.
fn parse_time_unit(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (count, name) = text.split_at_checked(digits)?;
    let millis = match name {
        "msec" => 1,
        "sec" => 1000,
        "min" => 60_000,
        _ => return None,
    };
    count
        .parse::<u64>()
        .ok()?
        .checked_mul(millis)
        .filter(|unit| *unit > 0)
}

/// Returns the start time from a floodgate game id: `wdoor+floodgate-300-10F+a+b+20240101123000`. `None` if the id has
/// no time.
fn parse_start_time(id: &str) -> Option<String> {
    let (_, stamp) = id.rsplit_once('+')?;
    if stamp.len() != 14 || !stamp.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (year, month, day) = (stamp.get(..4)?, stamp.get(4..6)?, stamp.get(6..8)?);
    let (hour, minute, second) = (stamp.get(8..10)?, stamp.get(10..12)?, stamp.get(12..)?);
    Some(format!("{year}/{month}/{day} {hour}:{minute}:{second}"))
}

/// Returns the reason and the outcome of a server's end line; `None` for another line. The outcome of a perpetual check
/// is `None`.
pub(super) fn parse_result(word: &str) -> Option<(Reason, Option<MarkOutcome>)> {
    Some(match word {
        "#RESIGN" => (Reason::Resignation, Some(MarkOutcome::MoverLoses)),
        "#TIME_UP" => (Reason::TimeUp, Some(MarkOutcome::MoverLoses)),
        "#ILLEGAL_MOVE" => (Reason::Foul, Some(MarkOutcome::MoverLoses)),
        // The line does not name the side that made the illegal action.
        "#ILLEGAL_ACTION" => (Reason::Foul, Some(MarkOutcome::Open)),
        "#SENNICHITE" => (Reason::Repetition, Some(MarkOutcome::Draw)),
        "#OUTE_SENNICHITE" => (Reason::Repetition, None),
        "#JISHOGI" => (Reason::Declaration, Some(MarkOutcome::MoverWins)),
        "#MAX_MOVES" => (Reason::MaxMoves, Some(MarkOutcome::Draw)),
        "#CHUDAN" => (Reason::Interruption, Some(MarkOutcome::Open)),
        _ => return None,
    })
}

/// The result lines that are ignored: they name neither the reason nor a side.
pub(super) const IGNORED_RESULT_LINES: [&str; 4] = ["#WIN", "#LOSE", "#DRAW", "#CENSORED"];

/// Returns the outcome of a perpetual check: the checking side loses. If the moves show no such side, the side in check
/// wins, or else the side to move loses.
pub(super) fn perpetual_check_outcome(now: &Position) -> MarkOutcome {
    let by_turn = if now.in_check() {
        MarkOutcome::MoverWins
    } else {
        MarkOutcome::MoverLoses
    };
    MarkOutcome::from_perpetual_check(now).unwrap_or(by_turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_log_prefixes() {
        let check = |text: &str, expected: Option<(&str, &str, bool)>| {
            let expected = expected.map(|(game, text, is_transcript)| ServerLine {
                game,
                text,
                is_transcript,
            });
            assert_eq!(unframe(text), expected, "{text}");
        };
        check("+7776FU", Some(("", "+7776FU", false)));
        check("#RESIGN", Some(("", "#RESIGN", false)));
        check("##[MONITOR2][a+b] +7776FU,T1", Some(("a+b", "+7776FU,T1", false)));
        check("##[MONITOR][a] #RESIGN", Some(("a", "#RESIGN", false)));
        check("##[MONITOR2][a] +OK", None);
        check("##[MONITOR2] BEGIN a", None);
        check("##[SHOW] Name+:x", Some(("", "Name+:x", false)));
        check("##[CHAT][a] hello", None);
        check("##[", None);
        check("< +7776FU,T1", Some(("", "+7776FU,T1", true)));
        check(">:%TORYO", Some(("", "%TORYO", true)));
        check(
            "[2024-01-01 12:00:00.123] < ##[MONITOR2][a] T1",
            Some(("a", "T1", true)),
        );
        check("2024/01/01T12:00:00Z >+7776FU", Some(("", "+7776FU", true)));
        check("12 < 13", Some(("", "13", true)));
        check("1 + 1", Some(("", "1 + 1", false)));
    }

    #[test]
    fn reads_game_summaries() {
        let check = |lines: &[&str], expected: &[&str]| {
            let mut summary = GameSummary::default();
            for line in lines {
                match parse_event(line) {
                    Some(ServerEvent::Times(side)) => summary.begin_times(side),
                    Some(ServerEvent::Key(key, value)) => summary.apply_key(key, value),
                    _ => {}
                }
            }
            let found: Vec<String> = summary
                .headers()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            assert_eq!(found, expected, "{lines:?}");
        };
        check(
            &["Name+:a", "Name-:", "Max_Moves:256", "Format:Shogi 1.0"],
            &["N+=a", "MAX_MOVES=256"],
        );
        check(
            &["Game_ID:wdoor+f-300-10F+a+b+20240102030405"],
            &[
                "EVENT=wdoor+f-300-10F+a+b+20240102030405",
                "START_TIME=2024/01/02 03:04:05",
            ],
        );
        check(
            &[
                "BEGIN Time",
                "Time_Unit:1min",
                "Total_Time:15",
                "Byoyomi:1",
                "END Time",
            ],
            &["TIME=900+60+0"],
        );
        check(
            &[
                "BEGIN Time+",
                "Total_Time:600",
                "BEGIN Time-",
                "Time_Unit:1msec",
                "Total_Time:1500",
                "Increment:5000",
            ],
            &["TIME+=600+0+0", "TIME-=1.500+0+5"],
        );
        check(&["BEGIN Time", "Byoyomi:10", "END Time"], &["TIME=0+10+0"]);
        check(&["Least_Time_Per_Move:0", "Increment:10"], &[]);
    }
}
