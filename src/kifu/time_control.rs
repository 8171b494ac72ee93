//! The time control of a game, and the players' clocks at a position.

use super::record::{NodeId, Record};
use super::time::{Millis, Time, parse_seconds};
use shogibar_shogi::Color;

/// The time control of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The main time; 0 for none.
    pub main: Millis,
    /// The time for each move after the main time; 0 for none.
    pub byoyomi: Millis,
    /// The time added after each move; 0 for none.
    pub increment: Millis,
}

/// The time on a player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockTime {
    /// The remaining time; the byoyomi after the main time.
    Remaining(Millis),
    /// The time used, if the remaining time is not known.
    Used(Millis),
}

impl TimeControl {
    /// Returns the remaining time after moves that took these times. Once the main time is used, this is the byoyomi.
    pub fn remaining(self, used: impl IntoIterator<Item = Millis>) -> Millis {
        let remaining = self.main_remaining(used);
        if remaining == Millis(0) {
            self.byoyomi
        } else {
            remaining
        }
    }

    /// Returns the remaining main time after moves that took these times.
    pub fn main_remaining(self, used: impl IntoIterator<Item = Millis>) -> Millis {
        used.into_iter()
            .fold(self.main, |Millis(remaining): Millis, Millis(used): Millis| {
                Millis(remaining.saturating_sub(used).saturating_add(self.increment.0))
            })
    }

    /// Returns the time on the clock during a turn; `None` once all time is used. `main` is the main time at the
    /// beginning of the turn, `thought` the time of the turn so far. Once the main time is used, the byoyomi runs.
    pub fn during(self, Millis(main): Millis, Millis(thought): Millis) -> Option<Millis> {
        let all = main.saturating_add(self.byoyomi.0);
        let remaining = if thought < main {
            main - thought
        } else {
            all.saturating_sub(thought)
        };
        (remaining > 0).then_some(Millis(remaining))
    }

    /// Returns the time control; `None` if all its times are 0, as for a game without limits.
    fn if_limited(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}

impl ClockTime {
    /// Returns the time in milliseconds, remaining or used.
    pub const fn millis(self) -> u64 {
        match self {
            Self::Remaining(Millis(time)) | Self::Used(Millis(time)) => time,
        }
    }
}

impl Record {
    /// Returns the time control of a side, from CSA 3's `TIME`, KIF's 持ち時間, or the id of a CSA server's game.
    /// `None` if the record has none.
    pub fn time_control(&self, side: Color) -> Option<TimeControl> {
        let [csa, kif] = match side {
            Color::Black => ["TIME+", "先手持ち時間"],
            Color::White => ["TIME-", "後手持ち時間"],
        };
        let written = [csa, "TIME", kif, "持ち時間"]
            .into_iter()
            .find_map(|key| parse(self.header(key)?));
        written.or_else(|| parse_game_id(self.header("棋戦")?))
    }

    /// Returns the clocks of Black and White after the move of a node; `None` if a side's time is not known. A
    /// variation without times has the clocks at its branch point.
    pub fn clocks(&self, node: NodeId) -> [Option<ClockTime>; 2] {
        let mut path = self.path(node);
        path.retain(|id| self.node(*id).mv().is_some());
        let first = self.start().side_to_move();
        [Color::Black, Color::White].map(|side| {
            let mut total = 0;
            let moves = path.iter().skip(usize::from(side != first)).step_by(2);
            let used: Vec<_> = moves.map(|id| self.time_of_move(*id, &mut total)).collect();
            match self.time_control(side) {
                Some(control) if self.has_times() => Some(ClockTime::Remaining(control.remaining(used))),
                _ => (total > 0).then_some(ClockTime::Used(Millis(total))),
            }
        })
    }

    /// Returns the time that a move used, and adds it to the total of its side. A stated total takes precedence.
    fn time_of_move(&self, id: NodeId, total: &mut u64) -> Millis {
        let before = *total;
        let Time { spent, total: stated } = self.node(id).time;
        let sum = before.saturating_add(spent.map_or(0, |Millis(spent)| spent));
        // Some programs write the moves of variations with a total of 0, which must not reset the sum.
        *total = stated.map_or(sum, |Millis(stated)| stated.max(before));
        Millis(*total - before)
    }

    /// Returns whether the game was timed: a move has a time, or there are no moves yet.
    fn has_times(&self) -> bool {
        // A finished game whose times are all 0 s was not timed.
        let min_time = Millis(u64::from(self.end().is_some()));
        self.is_empty()
            || self.main_line().any(|id| {
                let Time { spent, total } = self.node(id).time;
                spent.max(total).is_some_and(|time| time >= min_time)
            })
    }
}

/// Parses a time control in numbers or in words, with half-width or full-width digits and signs. Returns `None` for
/// other text, and for times of 0.
fn parse(text: &str) -> Option<TimeControl> {
    let text: String = text
        .chars()
        .map(|c| match c {
            '！'..='～' => u32::from(c)
                .checked_sub(0xfee0)
                .and_then(char::from_u32)
                .unwrap_or(c),
            c => c,
        })
        .collect();
    parse_numbers(&text).or_else(|| parse_words(&text))
}

/// Parses `900+60+0`, the main time, the byoyomi and the increment in seconds. The main time may be in hours and
/// minutes: `00:15+60`.
fn parse_numbers(text: &str) -> Option<TimeControl> {
    let mut numbers = text.split('+').map(str::trim);
    let main = numbers.next()?;
    let main = match main.split_once(':') {
        Some((hours, minutes)) => {
            let minutes = hours
                .parse::<u64>()
                .ok()?
                .checked_mul(60)?
                .checked_add(minutes.parse().ok()?)?;
            Millis(minutes.checked_mul(60_000)?)
        }
        // A single number may be in any unit, so it counts only before a `+`.
        None if !text.contains('+') => return None,
        None => parse_seconds(main)?,
    };
    let mut next = || {
        numbers
            .next()
            .filter(|number| !number.is_empty())
            .map_or(Some(Millis(0)), parse_seconds)
    };
    TimeControl {
        main,
        byoyomi: next()?,
        increment: next()?,
    }
    .if_limited()
}

/// Parses a text such as 各5時間30分, 60分 切れたら1分将棋, 15分+60秒 or 10分+20秒(1)+5秒.
fn parse_words(text: &str) -> Option<TimeControl> {
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let is_fischer = has(text, &["加算", "フィッシャー", "フイッシャー"]);
    let mut control = TimeControl::default();
    for (nth, (before, time)) in written_times(text).into_iter().enumerate() {
        let is_for_each_move = has(before, &["1手", "一手", "初手", "読み"]);
        let follows = has(before, &["+", "|", "切れ", "使い切", "なくな", "以降"]);
        match nth {
            0 if !is_for_each_move => control.main = time,
            1.. if is_fischer => control.increment = time,
            2 if before.contains('+') => control.increment = time,
            _ if is_for_each_move || follows => control.byoyomi = time,
            // Other times, such as 考慮時間, do not run on a clock.
            _ => {}
        }
    }
    control.if_limited()
}

/// Finds the times in a text, such as 1時間30分, each with the words before it.
fn written_times(text: &str) -> Vec<(&str, Millis)> {
    const UNITS: [(&str, u64); 3] = [("時間", 3_600_000), ("分", 60_000), ("秒", 1000)];
    let mut times: Vec<(&str, Millis)> = Vec::new();
    let mut is_after_time = false;
    for piece in text.split_inclusive(['間', '分', '秒']) {
        let found = UNITS.iter().find_map(|(unit, millis)| {
            let words = piece.strip_suffix(unit)?;
            let before = words.trim_end_matches(|c: char| c.is_ascii_digit());
            let number: u64 = words.get(before.len()..)?.parse().ok()?;
            Some((before, Millis(number.saturating_mul(*millis))))
        });
        match (found, times.last_mut()) {
            (Some(("", Millis(more))), Some((_, Millis(time)))) if is_after_time => {
                *time = time.saturating_add(more);
            }
            (Some(found), _) => times.push(found),
            (None, _) => {}
        }
        is_after_time = found.is_some();
    }
    times
}

/// Parses the id of a game on a CSA server: `wdoor+floodgate-300-10F+black+white+20240102030405`.
fn parse_game_id(text: &str) -> Option<TimeControl> {
    let parts: Vec<_> = text.split('+').collect();
    let [_, name, _, _, _] = parts.as_slice() else {
        return None;
    };
    let mut parts = name.rsplitn(3, '-');
    let (last, main) = (parts.next()?, parse_seconds(parts.next()?)?);
    let (byoyomi, increment) = match last.strip_suffix(['F', 'f']) {
        Some(increment) => (Millis(0), parse_seconds(increment)?),
        None => (parse_seconds(last)?, Millis(0)),
    };
    TimeControl {
        main,
        byoyomi,
        increment,
    }
    .if_limited()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        crate::read(text.as_bytes()).unwrap().into_first().unwrap().0
    }

    /// Returns a clock in seconds; negative for time used.
    fn shown(clock: Option<ClockTime>) -> Option<i64> {
        let seconds = |Millis(time): Millis| i64::try_from(time / 1000).unwrap();
        clock.map(|clock| match clock {
            ClockTime::Remaining(time) => seconds(time),
            ClockTime::Used(time) => -seconds(time),
        })
    }

    /// Returns the clocks after each number of moves of the main line.
    fn clocks(text: &str) -> Vec<[Option<i64>; 2]> {
        let record = record(text);
        let nodes = std::iter::once(NodeId::START).chain(record.main_line());
        nodes.map(|node| record.clocks(node).map(shown)).collect()
    }

    #[test]
    fn time_controls_of_every_writer_are_parsed() {
        let check = |text: &str, expect: Option<[u64; 3]>| {
            let found = parse(text).or_else(|| parse_game_id(text));
            let found =
                found.map(|found| [found.main, found.byoyomi, found.increment].map(|time| time.0 / 1000));
            assert_eq!(found, expect, "{text}");
        };
        check("900+60+0", Some([900, 60, 0]));
        check("1.500+0+5", Some([1, 0, 5]));
        check("600+20", Some([600, 20, 0]));
        check("150+00+10", Some([150, 0, 10]));
        check("00:25+00", Some([1500, 0, 0]));
        check(" 0:00+10", Some([0, 10, 0]));
        check("01:30", Some([5400, 0, 0]));
        check("各５時間30分", Some([19_800, 0, 0]));
        check("各10分", Some([600, 0, 0]));
        check("6時間", Some([21_600, 0, 0]));
        check("25分、切れ負け", Some([1500, 0, 0]));
        check("60分 切れたら1分将棋", Some([3600, 60, 0]));
        check("15分＋60秒", Some([900, 60, 0]));
        check("0分+10秒", Some([0, 10, 0]));
        check("30分秒読み60秒", Some([1800, 60, 0]));
        check("１手３０秒", Some([0, 30, 0]));
        check("10分20秒", Some([620, 0, 0]));
        check("10分|20秒(1)+0秒", Some([600, 20, 0]));
        check("10分+20秒(1)+5秒", Some([600, 20, 5]));
        check(
            "フィッシャー方式、初期持ち時間：900秒、加算：5秒",
            Some([900, 0, 5]),
        );
        check("10分（切れたら30秒）、考慮時間1分10回", Some([600, 30, 0]));
        check("wdoor+floodgate-300-10F+a+b+20240102030405", Some([300, 0, 10]));
        check("test+x-y-1500-0+a+b+20240102030405", Some([1500, 0, 0]));
        for unknown in [
            "",
            "10",
            "一億年",
            "不明",
            "20150505-CSA25-3-5-7",
            "a+b",
            "JT-2014-05",
            "00:00+00",
            "99999999999999999999:00+0",
        ] {
            check(unknown, None);
        }
    }

    #[test]
    fn the_byoyomi_follows_the_main_time() {
        let remaining = |control: [u64; 3], used: &[u64]| {
            let [main, byoyomi, increment] = control.map(Millis);
            TimeControl {
                main,
                byoyomi,
                increment,
            }
            .remaining(used.iter().copied().map(Millis))
            .0
        };
        assert_eq!(remaining([60, 10, 0], &[]), 60);
        assert_eq!(remaining([60, 10, 0], &[20, 39]), 1);
        assert_eq!(remaining([60, 10, 0], &[20, 45, 9]), 10);
        assert_eq!(remaining([0, 10, 0], &[]), 10);
        assert_eq!(remaining([60, 0, 0], &[70]), 0);
        assert_eq!(remaining([60, 0, 5], &[10, 20]), 40);
        assert_eq!(
            remaining([60, 10, 5], &[70, 3]),
            7,
            "the increment is added to what is left"
        );
        assert_eq!(remaining([u64::MAX, 0, u64::MAX], &[u64::MAX, 1]), u64::MAX);
    }

    const CSA: &str = "PI\n+\n+7776FU\nT10\n-3334FU\nT20\n+2726FU\nT5\n";
    const KIF: &str =
        "1 ７六歩(77) ( 0:10/0:00:10)\n2 ３四歩(33) ( 0:20/0:00:20)\n3 ２六歩(27) ( 0:05/0:00:15)\n";

    #[test]
    fn clocks_are_the_same_from_every_format() {
        let fischer = [
            [Some(300); 2],
            [Some(300); 2],
            [Some(300), Some(290)],
            [Some(305), Some(290)],
        ];
        let event = "$EVENT:wdoor+floodgate-300-10F+a+b+20240102030405\n";
        assert_eq!(clocks(&format!("V2\n{event}{CSA}")), fischer);
        // Floodgate writes only the increment into its files.
        assert_eq!(
            clocks(&format!(
                "V2\n'Least_Time_Per_Move:0\n'Increment:10\n{event}{CSA}"
            )),
            fischer
        );
        assert_eq!(clocks(&format!("V3.0\n$TIME:300+0+10\n{CSA}")), fischer);
        assert_eq!(clocks(&format!("持ち時間：300+0+10\n{KIF}")), fischer);
        let summary =
            "BEGIN Game_Summary\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:300\nIncrement:10\nEND Time\n";
        let summary = format!(
            "{summary}BEGIN Position\n{}END Position\nEND Game_Summary\nSTART:x\n",
            "PI\n+\n"
        );
        assert_eq!(
            clocks(&format!("{summary}+7776FU,T10\n-3334FU,T20\n+2726FU,T5\n")),
            fischer
        );
        let byoyomi = [
            [Some(12); 2],
            [Some(2), Some(12)],
            [Some(2), Some(60)],
            [Some(60), Some(60)],
        ];
        assert_eq!(clocks(&format!("持ち時間：12秒+60秒\n{KIF}")), byoyomi);
        assert_eq!(
            clocks(&format!("V3.0\n$TIME+:12+60+0\n$TIME-:12+60+0\n{CSA}")),
            byoyomi
        );
    }

    #[test]
    fn time_used_is_shown_where_the_time_control_is_not_known() {
        let used = [
            [None; 2],
            [Some(-10), None],
            [Some(-10), Some(-20)],
            [Some(-15), Some(-20)],
        ];
        assert_eq!(clocks(&format!("V2\n{CSA}")), used);
        assert_eq!(clocks(&format!("持ち時間：不明\n{KIF}")), used);
        assert_eq!(
            clocks(&format!("先手持ち時間：1分\n{KIF}"))[3],
            [Some(45), Some(-20)]
        );
    }

    #[test]
    fn a_game_without_times_has_no_clocks() {
        assert_eq!(
            clocks("持ち時間：1分\n1 ７六歩(77)\n2 ３四歩(33)\n"),
            [[None; 2]; 3]
        );
        assert_eq!(
            clocks("持ち時間：1分\n手合割：平手\n"),
            [[Some(60); 2]],
            "it has not begun"
        );
        let zero = "持ち時間：1分\n1 ７六歩(77) ( 0:00/00:00:00)\n";
        assert_eq!(clocks(zero), [[Some(60); 2]; 2], "a fast move");
        assert_eq!(
            clocks(&format!("{zero}2 投了 ( 0:00/00:00:00)\n")),
            [[None; 2]; 3],
            "nobody measured"
        );
    }

    #[test]
    fn a_variation_has_the_clocks_of_its_branch() {
        let variation = "変化：3手\n3 ６六歩(67) ( 0:00/00:00:00)\n4 ８四歩(83) ( 0:00/00:00:00)\n";
        let record = record(&format!("持ち時間：1分\n{KIF}まで3手で中断\n{variation}"));
        let last = record.all().last().unwrap();
        assert_eq!(record.node(last).ply(), 4);
        assert_eq!(record.clocks(last).map(shown), [Some(50), Some(40)]);
    }

    #[test]
    fn a_handicap_game_begins_with_white() {
        let text =
            "手合割：香落ち\n持ち時間：1分\n1 ３四歩(33) ( 0:10/0:00:10)\n2 ７六歩(77) ( 0:20/0:00:20)\n";
        assert_eq!(
            clocks(text),
            [[Some(60); 2], [Some(60), Some(50)], [Some(40), Some(50)]]
        );
    }
}
