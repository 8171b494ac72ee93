//! What a whole-game analysis says.

use super::{Label, Lang, phrase};
use std::fmt::Write as _;
use std::time::Duration;

/// How far an analysis is: `解析 34/120（28%）　残り 1:23`
pub fn progress(done: usize, total: usize, left: Option<Duration>, lang: Lang) -> String {
    let percent = (done * 100).checked_div(total).unwrap_or(100);
    let left = left.map(clock);
    match (left, lang) {
        (Some(left), Lang::Ja) => format!("解析 {done}/{total}（{percent}%）　残り {left}"),
        (None, Lang::Ja) => format!("解析 {done}/{total}（{percent}%）"),
        (Some(left), Lang::En) => format!("analysed {done} of {total} ({percent}%) · {left} left"),
        (None, Lang::En) => format!("analysed {done} of {total} ({percent}%)"),
    }
}

/// `1:23`, `1:02:03`, in whole seconds, rounded up: what is left is not nothing.
fn clock(time: Duration) -> String {
    phrase::clock(time.as_secs() + u64::from(time.subsec_nanos() > 0))
}

/// A file that somebody else has written while the analysis was under way.
pub fn changed_meanwhile(path: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => {
            format!("{path} は解析中に書き換えられたため、上書きしませんでした。もう一度実行すると書き込みます")
        }
        Lang::En => format!("{path} was changed during the analysis and is left as it is; run it again to write it"),
    }
}

/// What became of the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Searched now.
    pub searched: usize,
    /// Searched before, in the record or by an earlier run.
    pub known: usize,
    /// Of which the engine said nothing.
    pub silent: usize,
    /// At which an engine ended again and again.
    pub given_up: usize,
    /// That no engine may be shown.
    pub unsearchable: usize,
}

/// How many positions were analysed.
pub fn counts(counts: Counts, lang: Lang) -> String {
    let Counts { searched, known, silent, given_up, unsearchable } = counts;
    let mut text = match lang {
        Lang::Ja => format!("解析した局面 {}（今回 {searched}、解析済み {known}）", searched + known),
        Lang::En => format!("Positions analysed: {} ({searched} now, {known} before)", searched + known),
    };
    for (count, ja, en) in [
        (silent, "エンジンが何も答えなかった局面", "without an answer"),
        (given_up, "エンジンが落ちるため諦めた局面", "given up, since the engine ends at them"),
        (unsearchable, "エンジンに渡せない局面", "that cannot be shown to an engine"),
    ] {
        if count > 0 {
            let _infallible = match lang {
                Lang::Ja => write!(text, "　{ja} {count}"),
                Lang::En => write!(text, " · {en}: {count}"),
            };
        }
    }
    text
}

/// What a side's moves come to: its name, its accuracy, its marks from the least to the worst, and how many of
/// so many moves were the engine's choice.
pub fn side(
    name: &str,
    accuracy: Option<f64>,
    marks: [(Label, usize); 4],
    (choices, moves): (usize, usize),
    lang: Lang,
) -> String {
    let accuracy = accuracy.map_or_else(|| "–".to_owned(), |accuracy| format!("{accuracy:.1}"));
    let marks: Vec<_> = marks.iter().map(|(label, count)| format!("{} {count}", label.text(lang))).collect();
    match lang {
        Lang::Ja => format!("{name}　正確さ {accuracy}　{}　一致 {choices}/{moves}", marks.join("　")),
        Lang::En => {
            format!("{name}: accuracy {accuracy} · {} · engine's choice {choices} of {moves}", marks.join(" · "))
        }
    }
}

/// What a move decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided<'a> {
    /// This side took the lead from nobody.
    Lead(&'a str),
    /// It took it from the other.
    Turn(&'a str),
    /// Nothing, but it cost most.
    Costliest,
}

/// What a move decided, in words.
pub fn decided(decided: Decided<'_>, lang: Lang) -> String {
    match (decided, lang) {
        (Decided::Lead(side), Lang::Ja) => format!("{side}が優位に立つ"),
        (Decided::Turn(side), Lang::Ja) => format!("{side}が逆転"),
        (Decided::Costliest, Lang::Ja) => "最も大きな失着".to_owned(),
        (Decided::Lead(side), Lang::En) => format!("{side} takes the lead"),
        (Decided::Turn(side), Lang::En) => format!("{side} turns the game"),
        (Decided::Costliest, Lang::En) => "the costliest move".to_owned(),
    }
}

/// A turning point: the number of the move, its words, what it cost in points of win rate.
pub fn turning_point(ply: u16, word: &str, loss: f64, decided: Decided<'_>, lang: Lang) -> String {
    let decided = self::decided(decided, lang);
    match lang {
        Lang::Ja => format!("分かれ目　{ply}手目 {word}（勝率 −{loss:.1}）　{decided}"),
        Lang::En => format!("Turning point: move {ply} {word} (win rate −{loss:.1}): {decided}"),
    }
}

/// So many variations were added.
pub fn variations(count: usize, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("変化として加えたエンジンの読み筋 {count}"),
        Lang::En => format!("Lines of the engine's added as variations: {count}"),
    }
}

/// An engine does not take limits.
pub fn refuses_limits(engine: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => {
            format!("{engine} は nodes や depth の指定で終了するため、こちらで止めます。結果は毎回同じとは限りません。")
        }
        Lang::En => format!(
            "{engine} ends when it is told of nodes or depth, so it is stopped from here: the result may differ from run to run"
        ),
    }
}

/// A position was given up: after how many moves, by which engine and why.
pub fn given_up(ply: u16, engine: &str, why: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("{ply}手目の局面の解析を諦めました（{engine}）。{why}"),
        Lang::En => format!("The position after move {ply} was given up ({engine}). {why}"),
    }
}

/// It was ended before all was done: how much is kept, and in which file, if in any.
pub fn ended(done: usize, total: usize, file: Option<&str>, lang: Lang) -> String {
    match (file, lang) {
        (Some(file), Lang::Ja) => format!(
            "解析を途中で終えました（{done}/{total}）。結果は {file} にあり、同じコマンドで続きから始まります。"
        ),
        (Some(file), Lang::En) => format!(
            "The analysis was ended at {done} of {total}; what was found is kept in {file}, and the same command goes on from there"
        ),
        (None, Lang::Ja) => format!("解析を途中で終えました（{done}/{total}）。出力先がないため結果は残りません。"),
        (None, Lang::En) => {
            format!(
                "The analysis was ended at {done} of {total}, and nothing is kept: -o names a file to keep it beside"
            )
        }
    }
}

/// A format has no place for evaluations.
pub fn holds_no_comments(format: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => {
            format!(
                "{format}形式には評価値を書けません。-o で kif、kifu、ki2u、csa、jkf などのファイルを指定してください。"
            )
        }
        Lang::En => {
            format!("{format} has no place for evaluations: write to a file such as .kifu, .kif, .csa or .jkf (-o)")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told() {
        let check = |seconds, expect: &str| assert_eq!(clock(Duration::from_secs_f64(seconds)), expect);
        check(0.0, "0:00");
        check(0.1, "0:01");
        check(83.0, "1:23");
        check(3723.5, "1:02:04");
        assert_eq!(progress(34, 120, Some(Duration::from_secs(83)), Lang::Ja), "解析 34/120（28%）　残り 1:23");
        assert_eq!(progress(0, 0, None, Lang::En), "analysed 0 of 0 (100%)");
    }
}
