//! Times as records write them.

/// Milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub u64);

/// Time as a record states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Spent on this move.
    pub spent: Option<Millis>,
    /// Spent by this side so far, this move included, where the record says so.
    pub total: Option<Millis>,
}

/// Reads what KIF has between brackets, `0:01/00:00:01`: the time of the move, then that of the game so far, of
/// which either may be missing.
pub(super) fn parse(text: &str) -> Option<Time> {
    let (spent, total) = text.split_once(['/', '／']).unwrap_or((text, ""));
    let clock = |text: &str| if text.trim().is_empty() { Some(None) } else { clock(text).map(Some) };
    let time = Time { spent: clock(spent)?, total: clock(total)? };
    (time != Time::default()).then_some(time)
}

/// `m:ss`, `h:mm:ss`, with a fraction or without.
fn clock(text: &str) -> Option<Millis> {
    let mut units = text.trim().split([':', '：']);
    let first = units.next()?;
    let mut millis = 0_u64;
    let mut last = first;
    for unit in units {
        millis = millis.checked_add(number(last)?)?.checked_mul(60)?;
        last = unit;
    }
    let (whole, fraction) = last.split_once('.').unwrap_or((last, ""));
    let seconds = millis.checked_add(number(whole)?)?;
    seconds.checked_mul(1000)?.checked_add(thousandths(fraction)?).map(Millis)
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// The digits behind a decimal point as thousandths; finer ones are cut off.
fn thousandths(digits: &str) -> Option<u64> {
    let digits = digits.trim();
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| digits.bytes().chain(*b"000").take(3).fold(0, |value, byte| value * 10 + u64::from(byte - b'0')))
}

/// Seconds with a fraction or without, as CSA writes them.
pub(super) fn seconds(text: &str) -> Option<Millis> {
    if text.contains([':', '：']) { None } else { clock(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_every_writer() {
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
        check("a:b/c", None);
        check("99999999999999999999:00", None);
        check("18446744073709551615:59", None);
    }
}
