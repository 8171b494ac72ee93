//! What a source reports: the game so far, its own state, and a choice of games.

use crate::kifu::{Millis, ReadError, Record};
use crate::shogi::Color;
use std::sync::Arc;
use std::time::Duration;

/// The largest number of games in a choice.
pub const MAX_CHOICES: usize = 1000;

/// An event of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceEvent {
    /// The game has changed. The whole of it follows each time; it may be shorter than before.
    Game(LiveGame),
    /// The state of the source has changed.
    State(SourceState),
    /// The games to choose from, the newest first where that is known.
    Games(Vec<GameChoice>),
}

/// The whole game so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    /// The id of the game within its source: a path, an address, a server's id. Another id is another game.
    pub id: String,
    /// The record. The players' own evaluations are its comments.
    pub record: Arc<Record>,
    /// The time that each side has left, where the record states its limits. Indices are those of [`Color`].
    pub clocks: [Option<PlayerClock>; 2],
    /// Whether the game is over.
    pub is_ended: bool,
    /// Whether the source withholds the last moves.
    pub is_withheld: bool,
}

/// The clock of a player after the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerClock {
    /// The main time that is left.
    pub left: Millis,
    /// The byoyomi for each move after that; 0 for none.
    pub byoyomi: Millis,
}

/// The state of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceState {
    /// Nothing has come yet.
    Waiting,
    /// The game is followed.
    Live,
    /// The source is out of reach. The last game stays valid.
    Lost {
        /// What happened.
        problem: SourceProblem,
        /// How long after this event it is tried again.
        retry_in: Duration,
    },
    /// A board on the screen is looked at, and there is something to say about it.
    Screen(ScreenState),
    /// The source has ended and does nothing more.
    Ended(EndCause),
}

/// What is read off the screen at the moment, where it is not simply the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenState {
    /// No board has been found yet.
    Searching,
    /// The picture moves.
    Moving,
    /// So many squares are hidden.
    Hidden(usize),
    /// This program's own windows cover so many squares.
    Covered(usize),
    /// The board is gone: a cut, an advertisement, a window over it.
    Gone,
    /// The picture shows an earlier position, a variation or another game, and the game is stayed with.
    Away,
    /// The board has not both kings: no engine takes it.
    NoKing,
    /// The picture fits the game when it is turned by 180°.
    Turned,
    /// The board was taken in the middle of a game: the side to move or the hands are not known.
    Unsure,
}

/// Why a source has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// The game is over.
    GameOver,
    /// The user has stopped it.
    Stopped,
    /// Nothing has changed for too long.
    Unchanged,
    /// The game is no longer on the server.
    Gone,
    /// The source cannot be used.
    Refused(SourceProblem),
}

/// What went wrong at a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceProblem {
    /// There is no such file, folder, page or host.
    NotFound,
    /// The file or page may not be read.
    Denied,
    /// Another program has locked the file.
    Locked,
    /// The content is no record.
    NotARecord(ReadError),
    /// The page names no record.
    NoRecordInPage,
    /// The folder has no record.
    EmptyFolder,
    /// The content is larger than what is read.
    TooLarge,
    /// The headers of the answer are larger than what is read.
    HeadersTooLarge,
    /// A line of the server is longer than what is read.
    LineTooLong,
    /// The server answered with this status.
    Status(u16),
    /// The server asks for fewer requests.
    TooManyRequests,
    /// The server did not answer in time.
    Timeout,
    /// The host could not be reached.
    Unreachable,
    /// The name of the host is not known.
    UnknownHost,
    /// The connection is not secure: the certificate is invalid, or there is none.
    Insecure,
    /// The answer broke off or was damaged.
    Truncated,
    /// The answer is encoded or written in a way that is not understood.
    Protocol,
    /// The proxy did not work.
    Proxy,
    /// The server, or a page, leads to a place that is not followed.
    Redirect(RedirectRefusal),
    /// The server refused name or password.
    WrongLogin,
    /// Somebody with this name is on the server already.
    NameInUse,
    /// The server has no such game.
    NoSuchGame,
    /// The server closed the connection.
    Closed,
    /// Programs cannot read the screen of this desktop.
    ScreenNotReadable,
    /// The screen cannot be read now.
    ScreenGone,
    /// The area to look at is not on the screen.
    AreaGone,
    /// The system refused something else.
    System,
}

/// Why a redirect or a link in a page is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectRefusal {
    /// It leads to another host; the user may enter this address.
    OtherHost(String),
    /// It leads from a public host into this machine or a private network.
    Local,
    /// It leads to something that is no web address, or from `https` to `http`.
    Scheme,
    /// There are more than five.
    TooMany,
}

/// A game to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameChoice {
    /// What the source calls the game.
    pub title: String,
    /// The address to open, as a user would enter it, without a password; for a CSA server, the id of the game.
    pub address: String,
}

impl LiveGame {
    /// Describes a record.
    pub fn from_record(id: String, record: Arc<Record>) -> Self {
        let is_ended = record.end().is_some_and(|end| !end.is_pause() && !end.is_cut());
        Self { id, clocks: clocks(&record), is_ended, is_withheld: false, record }
    }

    /// Returns the name of a player.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.record.player(color)
    }
}

/// The time limits of a side, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TimeLimits {
    total: u64,
    byoyomi: u64,
    increment: u64,
}

/// Returns the clocks after the last move, where the record states limits and times.
fn clocks(record: &Record) -> [Option<PlayerClock>; 2] {
    let tip = record.main_line().filter(|id| record.node(*id).mv().is_some()).last();
    [Color::Black, Color::White].map(|side| {
        let limits = limits(record, side)?;
        // The line ends with a move of one side; the move before it is the other's.
        let last = tip.and_then(|tip| {
            let mover = if usize::from(record.node(tip).ply()) % 2 == 1 {
                record.start().side_to_move()
            } else {
                record.start().side_to_move().flip()
            };
            if mover == side { Some(tip) } else { record.parent(tip).filter(|id| record.node(*id).mv().is_some()) }
        });
        let used = last.map_or(0, |last| record.total(last).0);
        let moves = last.map_or(0, |last| u64::from(record.node(last).ply()).div_ceil(2));
        let given = limits.total.saturating_add(limits.increment.saturating_mul(moves));
        Some(PlayerClock { left: Millis(given.saturating_sub(used)), byoyomi: Millis(limits.byoyomi) })
    })
}

/// Returns the limits of a side: CSA 3's `TIME`, `$TIME_LIMIT`, KIF's 持ち時間, or floodgate's name of the event.
fn limits(record: &Record, side: Color) -> Option<TimeLimits> {
    let own = if side == Color::Black { "TIME+" } else { "TIME-" };
    let csa3 = record.header(own).or_else(|| record.header("TIME")).and_then(csa3_limits);
    csa3.or_else(|| record.header("持ち時間").and_then(written_limits))
        .or_else(|| record.header("棋戦").and_then(event_limits))
}

/// Reads `900+60+0`: total, byoyomi and increment in seconds.
fn csa3_limits(text: &str) -> Option<TimeLimits> {
    let mut numbers = text.split('+').map(|number| seconds(number.trim()));
    let (total, byoyomi) = (numbers.next()??, numbers.next().unwrap_or(Some(0))?);
    Some(TimeLimits { total, byoyomi, increment: numbers.next().unwrap_or(Some(0))? })
}

/// Reads `00:15+60`, or a Japanese text such as 各5時間30分.
fn written_limits(text: &str) -> Option<TimeLimits> {
    if let Some((hours, rest)) = text.split_once(':') {
        let (minutes, byoyomi) = rest.split_once('+').unwrap_or((rest, "0"));
        let minutes = hours.trim().parse::<u64>().ok()?.checked_mul(60)?.checked_add(minutes.trim().parse().ok()?)?;
        let byoyomi = if byoyomi.trim().is_empty() { 0 } else { seconds(byoyomi.trim())? };
        return Some(TimeLimits { total: minutes.checked_mul(60_000)?, byoyomi, increment: 0 });
    }
    let (mut total, mut number, mut is_known) = (0_u64, None::<u64>, false);
    for c in text.chars() {
        let digit = c.to_digit(10).or_else(|| u32::from(c).checked_sub(u32::from('０')).filter(|digit| *digit < 10));
        if let Some(digit) = digit {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit.into())?);
            continue;
        }
        let unit = match c {
            '時' => 3_600_000,
            '分' => 60_000,
            '秒' => 1000,
            // What follows is the byoyomi in words, which differs from writer to writer.
            '切' | '、' | '（' | '(' | '/' | '+' => break,
            _ => continue,
        };
        if let Some(number) = number.take() {
            total = total.checked_add(number.checked_mul(unit)?)?;
            is_known = true;
        }
    }
    is_known.then_some(TimeLimits { total, byoyomi: 0, increment: 0 })
}

/// Reads the name of a game on floodgate: `wdoor+floodgate-300-10F+a+b+20240102030405`.
fn event_limits(text: &str) -> Option<TimeLimits> {
    let name = text.split('+').find(|part| part.contains('-'))?;
    let mut parts = name.rsplitn(3, '-');
    let (last, total) = (parts.next()?, parts.next()?);
    let total = seconds(total)?;
    match last.strip_suffix(['F', 'f']) {
        Some(increment) => Some(TimeLimits { total, byoyomi: 0, increment: seconds(increment)? }),
        None => Some(TimeLimits { total, byoyomi: seconds(last)?, increment: 0 }),
    }
}

/// Reads a number of seconds, with or without a fraction of three digits.
fn seconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let fraction: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;

    #[test]
    fn reckons_clocks_from_limits_and_times() {
        let clock = |text: &str| {
            let record = kifu::read(text.as_bytes()).unwrap().into_first().unwrap().0;
            clocks(&record).map(|clock| clock.map(|clock| (clock.left.0 / 1000, clock.byoyomi.0 / 1000)))
        };
        let moves = "PI\n+\n+7776FU\nT10\n-3334FU\nT20\n+2726FU\nT5\n";
        let event = format!("V2\n$EVENT:wdoor+floodgate-300-10F+a+b+20240102030405\n{moves}");
        assert_eq!(clock(&event), [Some((305, 0)), Some((290, 0))]);
        let limit = format!("V2\n$TIME_LIMIT:00:15+60\n{moves}");
        assert_eq!(clock(&limit), [Some((885, 60)), Some((880, 60))]);
        assert_eq!(clock(&format!("V2\n{moves}")), [None, None]);
        assert_eq!(
            clock("持ち時間：各５時間30分\n1 ７六歩(77) ( 1:00/00:01:00)\n"),
            [Some((19_740, 0)), Some((19_800, 0))]
        );
    }
}
