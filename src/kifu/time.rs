//! Times in records.

use super::scan::{Scanner, digit};

/// A duration in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub u64);

/// The time of a move as a record states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// The time spent on this move; `None` if the record does not state it.
    pub spent: Option<Millis>,
    /// The total time of this side including this move. Set only if the record states a total other than the sum of the
    /// times of the moves.
    pub total: Option<Millis>,
}

/// The time that each side has used along a line. Turns are counted from 1 and alternate between the sides.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedTimes {
    /// The total time of the side after each turn, in milliseconds.
    totals: Vec<u64>,
}

impl UsedTimes {
    /// Adds the time of a turn, after all earlier turns. Returns the total time of its side so far.
    pub(super) fn add(&mut self, turn: usize, time: Time) -> Millis {
        let sum = self
            .total_before(turn)
            .saturating_add(time.spent.map_or(0, |Millis(spent)| spent));
        let total = time.total.map_or(sum, |Millis(total)| total);
        self.totals.resize(turn.saturating_sub(1), 0);
        self.totals.push(total);
        Millis(total)
    }

    /// Adds the time of a turn. Returns that time without a total that follows from the other times.
    pub(super) fn add_simplified(&mut self, turn: usize, time: Time) -> Time {
        let sum = self
            .total_before(turn)
            .saturating_add(time.spent.map_or(0, |Millis(spent)| spent));
        let total = self.add(turn, time);
        Time {
            spent: time.spent,
            total: if total != Millis(sum) || time.spent.is_none() {
                time.total
            } else {
                None
            },
        }
    }

    pub(super) fn total_after(&self, turn: usize) -> Millis {
        Millis(
            turn.checked_sub(1)
                .and_then(|index| self.totals.get(index))
                .copied()
                .unwrap_or(0),
        )
    }

    /// Returns the total time of the side before this turn, in milliseconds.
    fn total_before(&self, turn: usize) -> u64 {
        turn.checked_sub(3)
            .and_then(|index| self.totals.get(index))
            .copied()
            .unwrap_or(0)
    }
}

/// Parses a text that consists only of a time, as [`read`] accepts it. Returns `None` for other text.
pub(super) fn parse(text: &str) -> Option<Time> {
    let mut scanner = Scanner::new(text);
    let time = read(&mut scanner)?;
    scanner.rest.is_empty().then_some(time)
}

/// Reads the bracket content of KIF, `0:01/00:00:01`: the time of the move, then the total time. Either may be missing;
/// returns `None` without both.
pub(super) fn read(scanner: &mut Scanner<'_>) -> Option<Time> {
    let spent = if begins_with_digit(scanner) {
        Some(read_clock_time(scanner)?)
    } else {
        None
    };
    scanner.skip_blanks();
    let total = if scanner.eat('/') && begins_with_digit(scanner) {
        Some(read_clock_time(scanner)?)
    } else {
        None
    };
    scanner.skip_blanks();
    (spent.is_some() || total.is_some()).then_some(Time { spent, total })
}

/// Splits off the time at the beginning of a text, which a table or brackets have behind a move: `0:12`, `(1:05)`,
/// `12秒`. `None` for other text.
pub(super) fn split_cell(text: &str) -> Option<(Time, &str)> {
    let cell = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '|' | '│' | ','));
    let inside = cell.strip_prefix(['(', '（', '[']);
    let mut scanner = Scanner::new(inside.unwrap_or(cell));
    let mut ahead = scanner;
    let number = ahead.number()?;
    let time = if ahead.eat(':') {
        read(&mut scanner)?
    } else {
        let minutes = ahead.eat('分').then_some(number);
        let seconds = if minutes.is_none() {
            Some(number)
        } else {
            ahead.number()
        };
        if seconds.is_some() && !ahead.eat('秒') {
            return None;
        }
        scanner = ahead;
        let seconds = u64::from(minutes.unwrap_or(0)) * 60 + seconds.map_or(0, u64::from);
        Time {
            spent: Some(Millis(seconds * 1000)),
            total: None,
        }
    };
    // The blanks behind a time have been skipped.
    let is_parted = cell
        .get(..cell.len() - scanner.rest.len())
        .is_some_and(|used| used.ends_with(char::is_whitespace));
    let is_end = is_parted
        || scanner.rest.is_empty()
        || scanner
            .rest
            .starts_with(|c: char| c.is_whitespace() || "|│)）],、".contains(c));
    is_end.then(|| (time, scanner.rest.trim_start_matches([')', '）', ']'])))
}

/// Skips blanks, and returns whether a digit follows.
fn begins_with_digit(scanner: &mut Scanner<'_>) -> bool {
    scanner.skip_blanks();
    scanner.rest.starts_with(|c| digit(c).is_some())
}

/// Reads seconds, `m:ss` or `h:mm:ss`, with or without a fraction.
fn read_clock_time(scanner: &mut Scanner<'_>) -> Option<Millis> {
    let mut whole = read_number(scanner)?;
    scanner.skip_blanks();
    while scanner.eat(':') {
        scanner.skip_blanks();
        whole = whole.checked_mul(60)?.checked_add(read_number(scanner)?)?;
        scanner.skip_blanks();
    }
    read_fraction(whole, scanner)
}

/// Reads a whole number.
fn read_number(scanner: &mut Scanner<'_>) -> Option<u64> {
    let mut number = u64::from(scanner.digit()?);
    while let Some(digit) = scanner.digit() {
        number = number.checked_mul(10)?.checked_add(digit.into())?;
    }
    Some(number)
}

/// Reads the fraction that may follow whole seconds. Returns the time in milliseconds.
fn read_fraction(seconds: u64, scanner: &mut Scanner<'_>) -> Option<Millis> {
    let (mut fraction, mut unit) = (0, 100);
    if scanner.eat('.') {
        // Digits beyond the third are cut off.
        while let Some(digit) = scanner.digit() {
            fraction += u64::from(digit) * unit;
            unit /= 10;
        }
    }
    seconds.checked_mul(1000)?.checked_add(fraction).map(Millis)
}

/// Parses seconds with or without a fraction, as in CSA. Returns `None` for other text.
pub(super) fn parse_seconds(text: &str) -> Option<Millis> {
    let mut scanner = Scanner::new(text.trim());
    let seconds = read_number(&mut scanner)?;
    let time = read_fraction(seconds, &mut scanner)?;
    scanner.rest.is_empty().then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_behind_moves_are_read() {
        let check = |text: &str, seconds: Option<u64>| {
            let spent = split_cell(text)
                .and_then(|(time, _)| time.spent)
                .map(|Millis(spent)| spent / 1000);
            assert_eq!(spent, seconds, "{text}");
        };
        check("\t0:12\t+30", Some(12));
        check(" (1:05)", Some(65));
        check("　1分5秒", Some(65));
        check(" 12秒", Some(12));
        check(" 2分", Some(120));
        check(" 0分12秒", Some(12));
        check(" 0分", Some(0));
        for text in [" 12", " 3:5x", " １二歩", "", " 3 ▲２六歩"] {
            check(text, None);
        }
    }

    #[test]
    fn reads_times_of_every_writer() {
        let check = |text: &str, expected: Option<(Option<u64>, Option<u64>)>| {
            let found = parse(text).map(|time| (time.spent.map(|t| t.0), time.total.map(|t| t.0)));
            assert_eq!(found, expected, "{text}");
        };
        check(" 0:01/00:00:01", Some((Some(1000), Some(1000))));
        check("12:34 / 01:02:03", Some((Some(754_000), Some(3_723_000))));
        check("0:6/0:0:6", Some((Some(6000), Some(6000))));
        check(" 1:02:03/", Some((Some(3_723_000), None)));
        check("0:01.25/0:00:01.5", Some((Some(1250), Some(1500))));
        check("", None);
        check("77", Some((Some(77_000), None)));
        check(" 0: 6 /", Some((Some(6000), None)));
        check("/0:07", Some((None, Some(7000))));
        check("０：０６／", Some((Some(6000), None)));
        check("1:/0:05", None);
        check("1 2:30", None);
        check("0:01/0:02/", None);
        check("a:b/c", None);
        check("99999999999999999999:00", None);
        check("18446744073709551615:59", None);
    }
}
