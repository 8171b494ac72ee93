//! Texts of the whole-game analysis.

use super::{Label, Lang, phrase};
use crate::kifu::evaluation::Source;
use std::fmt::Write as _;
use std::time::Duration;

/// Returns the message about evaluations without a place in a record that was changed during its analysis.
pub fn displaced(count: usize, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!(
            "解析中に棋譜が書き換えられたため、{count}局面の評価値は入れる場所がありません。書き換えられた棋譜はそのまま残し、結果は解析の途中経過のファイルに残します。"
        ),
        Lang::En => format!(
            "The record was changed while it was analysed: {count} evaluations have no place in it. The changed record stays, and the results are kept in the file of the analysis."
        ),
    }
}

/// Returns the progress of the first or second pass of an analysis: `解析 34/120（28%）　残り 1:23`
pub fn progress([done, total]: [usize; 2], is_second: bool, left: Option<Duration>, lang: Lang) -> String {
    let percent = (done * 100).checked_div(total).unwrap_or(100);
    let left = left.map(clock);
    let pass_name = match (is_second, lang) {
        (false, Lang::Ja) => "解析",
        (true, Lang::Ja) => "読み直し",
        (false, Lang::En) => "analysed",
        (true, Lang::En) => "searched deeper",
    };
    match (left, lang) {
        (Some(left), Lang::Ja) => format!("{pass_name} {done}/{total}（{percent}%）　残り {left}"),
        (None, Lang::Ja) => format!("{pass_name} {done}/{total}（{percent}%）"),
        (Some(left), Lang::En) => format!("{pass_name} {done} of {total} ({percent}%) · {left} left"),
        (None, Lang::En) => format!("{pass_name} {done} of {total} ({percent}%)"),
    }
}

/// Formats a remaining time as `1:23` or `1:02:03`. It is rounded up to whole seconds, so that a rest is never 0.
fn clock(time: Duration) -> String {
    phrase::clock(time.as_secs() + u64::from(time.subsec_nanos() > 0))
}

/// Returns the error of an output file that was changed during the analysis.
pub fn changed_meanwhile(path: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => {
            format!("{path} は解析中に書き換えられたため、上書きしませんでした。もう一度実行すると書き込みます")
        }
        Lang::En => format!("{path} was changed during the analysis and is left as it is; run it again to write it"),
    }
}

/// Returns the heading of one of several games, with its output file: `第2局（全3局） out-2.csa`.
pub fn game([number, count]: [usize; 2], file: &str, lang: Lang) -> String {
    let text = match lang {
        Lang::Ja => format!("第{number}局（全{count}局） {file}"),
        Lang::En => format!("Game {number} of {count} {file}"),
    };
    text.trim_end().to_owned()
}

/// The numbers of positions by the outcome of their analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingCounts {
    /// Searched in this run.
    pub searched: usize,
    /// Known from the record or an earlier run.
    pub known: usize,
    /// Searched again and longer, in this run or an earlier one.
    pub deeper: usize,
    /// Searched without an evaluation.
    pub silent: usize,
    /// Given up, since an engine ended there repeatedly.
    pub given_up: usize,
    /// Not valid for an engine.
    pub unsearchable: usize,
}

/// Returns the numbers of analysed positions.
pub fn counts(counts: FindingCounts, lang: Lang) -> String {
    let FindingCounts { searched, known, deeper, silent, given_up, unsearchable } = counts;
    let mut text = match lang {
        Lang::Ja => format!("解析した局面 {}（今回 {searched}、解析済み {known}）", searched + known),
        Lang::En => format!("Positions analysed: {} ({searched} now, {known} before)", searched + known),
    };
    for (count, ja, en) in [
        (deeper, "長く読み直した局面", "searched again and longer"),
        (silent, "エンジンが評価値を示さなかった局面", "without a value"),
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

/// The summary of a side's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSums {
    /// The mean loss of a move, in points of win rate.
    pub mean_loss: Option<f64>,
    /// The number of moves that were the judge's choice, and the number of judged moves.
    pub choices: [usize; 2],
    /// 100 minus the mean loss.
    pub accuracy: Option<f64>,
}

/// Formats a number with one decimal; a dash if there is none.
pub fn tenths(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.1}"))
}

/// Returns the share of moves that were the judge's choice: `45%（23/51）`.
pub fn agreement([choices, judged]: [usize; 2], lang: Lang) -> String {
    match (share([choices, judged]), lang) {
        (None, _) => "–".to_owned(),
        (Some(percent), Lang::Ja) => format!("{percent}%（{choices}/{judged}）"),
        (Some(percent), Lang::En) => format!("{percent}% ({choices}/{judged})"),
    }
}

/// Returns a share in whole percent. Returns `None` if the whole is 0.
pub fn share([part, all]: [usize; 2]) -> Option<usize> {
    (part * 200 + all).checked_div(2 * all)
}

/// Returns the summary of a side: name, mean loss, agreement, accuracy, and the number of each mark from the mildest to
/// the worst.
pub fn side(name: &str, sums: SideSums, marks: [(Label, usize); 4], lang: Lang) -> String {
    let SideSums { mean_loss, choices, accuracy } = sums;
    let (loss, accuracy) = (tenths(mean_loss), tenths(accuracy));
    let agreement = agreement(choices, lang);
    let marks: Vec<_> = marks.iter().map(|(label, count)| format!("{} {count}", label.text(lang))).collect();
    match lang {
        Lang::Ja => {
            format!("{name}　平均損失 {loss}点　一致率 {agreement}　正確さ {accuracy}　{}", marks.join("　"))
        }
        Lang::En => format!(
            "{name}: mean loss {loss} points a move · agreement {agreement} · accuracy {accuracy} · {}",
            marks.join(" · ")
        ),
    }
}

/// Returns the judge of the game and the number of moves it has evaluated: `Fairy-Stockfish 11.1（103/103手）`.
pub fn judge(name: &str, [covered, moves]: [usize; 2], is_full: bool, lang: Lang) -> String {
    match (is_full, lang) {
        (true, Lang::Ja) => format!("{name}（{covered}/{moves}手）"),
        (true, Lang::En) => format!("{name} ({covered} of {moves} moves)"),
        (false, Lang::Ja) => format!("{name}（{covered}/{moves}手。8割以上の手を評価したエンジンはありません）"),
        (false, Lang::En) => format!("{name} ({covered} of {moves} moves; no engine has evaluated 80% of them)"),
    }
}

/// Returns the judge as a line of its own: `判定　Fairy-Stockfish 11.1（103/103手）`.
pub fn judged_by(judge: &str, lang: Lang) -> String {
    format!("{}{judge}", lang.pick("判定　", "Judged by "))
}

/// Returns the text for a game without a judge: it has only the players' evaluations of their own moves.
pub fn nobody_judges(lang: Lang) -> &'static str {
    lang.pick(
        "なし（各対局者自身の評価値だけなので、損失や印は付けません）",
        "nobody: each player has evaluated the own moves only, so no losses or marks are given",
    )
}

/// Returns the error of a judge that is not found, with the available ones.
pub fn no_such_judge(name: &str, available: &[String], lang: Lang) -> String {
    let names = available.join(lang.pick("、", ", "));
    match (available.is_empty(), lang) {
        (true, Lang::Ja) => format!("「{name}」の評価値はこの棋譜にありません（評価値がありません）。"),
        (false, Lang::Ja) => format!("「{name}」の評価値はこの棋譜にありません。判定できるのは {names} です。"),
        (true, Lang::En) => format!("'{name}' has evaluated nothing here, and nobody else has"),
        (false, Lang::En) => format!("'{name}' has evaluated nothing here; those who have: {names}"),
    }
}

/// Returns the error of a judge's name that fits several evaluators.
pub fn several_judges(name: &str, fit: &[String], lang: Lang) -> String {
    let names = fit.join(lang.pick("、", ", "));
    match lang {
        Lang::Ja => format!("「{name}」には {names} が当てはまります。どれか一つに決まる名前にしてください。"),
        Lang::En => format!("'{name}' may be any of these; say more of the name: {names}"),
    }
}

/// Returns the name of an evaluator without a name.
pub const fn unnamed(source: Source, lang: Lang) -> &'static str {
    match source {
        Source::Game => lang.pick("棋譜の評価値", "the record's own"),
        Source::Analysis => lang.pick("解析（エンジン名なし）", "an unnamed analysis"),
        Source::Study => lang.pick("検討（エンジン名なし）", "an unnamed study"),
    }
}

/// The effect of a turning point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnDecided<'a> {
    /// This side takes the lead in an even game.
    Lead(&'a str),
    /// This side takes the lead from the other.
    Turn(&'a str),
    /// This side loses its lead; the game is even.
    Levelled(&'a str),
    /// This side gets the better chances.
    Edge(&'a str),
}

/// Returns the effect of a turning point in words.
pub fn decided(decided: TurnDecided<'_>, lang: Lang) -> String {
    match (decided, lang) {
        (TurnDecided::Lead(side), Lang::Ja) => format!("{side}が優位に立つ"),
        (TurnDecided::Turn(side), Lang::Ja) => format!("{side}が逆転"),
        (TurnDecided::Levelled(side), Lang::Ja) => format!("{side}がリードを失う"),
        (TurnDecided::Edge(side), Lang::Ja) => format!("{side}がやや指しやすくなる"),
        (TurnDecided::Lead(side), Lang::En) => format!("{side} takes the lead"),
        (TurnDecided::Turn(side), Lang::En) => format!("{side} turns the game"),
        (TurnDecided::Levelled(side), Lang::En) => format!("{side} loses the lead"),
        (TurnDecided::Edge(side), Lang::En) => format!("{side} gets the better chances"),
    }
}

/// Returns a turning point: move number, move, loss in points of win rate, effect.
pub fn turning_point(ply: u16, word: &str, loss: f64, decided: TurnDecided<'_>, lang: Lang) -> String {
    let decided = self::decided(decided, lang);
    match lang {
        Lang::Ja => format!("分かれ目　{ply}手目 {word}（勝率 −{loss:.1}）　{decided}"),
        Lang::En => format!("Turning point: move {ply} {word} (win rate −{loss:.1}): {decided}"),
    }
}

/// Returns the number of variations that were added.
pub fn variations(count: usize, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("変化として加えたエンジンの読み筋 {count}"),
        Lang::En => format!("Lines of the engine's added as variations: {count}"),
    }
}

/// Returns the remark that an engine does not support search limits.
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

/// Returns the message about a position that was given up: move number, engine, cause.
pub fn given_up(ply: u16, engine: &str, why: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("{ply}手目の局面の解析を諦めました（{engine}）。{why}"),
        Lang::En => format!("The position after move {ply} was given up ({engine}). {why}"),
    }
}

/// Returns the message about an analysis that was stopped early: the finished positions, and the file that holds them,
/// if any.
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

/// Returns the error of a format that cannot hold evaluations.
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
    fn the_remaining_time_is_rounded_up() {
        let check = |seconds, expect: &str| assert_eq!(clock(Duration::from_secs_f64(seconds)), expect);
        check(0.0, "0:00");
        check(0.1, "0:01");
        check(83.0, "1:23");
        check(3723.5, "1:02:04");
        let left = Some(Duration::from_secs(83));
        assert_eq!(progress([34, 120], false, left, Lang::Ja), "解析 34/120（28%）　残り 1:23");
        assert_eq!(progress([3, 12], true, left, Lang::Ja), "読み直し 3/12（25%）　残り 1:23");
        assert_eq!(progress([0, 0], false, None, Lang::En), "analysed 0 of 0 (100%)");
    }

    #[test]
    fn a_side_s_summary_starts_with_mean_loss_and_agreement() {
        let marks = [Label::Inaccuracy, Label::Dubious, Label::Mistake, Label::Blunder].map(|label| (label, 1));
        let sums = SideSums { mean_loss: Some(3.25), choices: [23, 51], accuracy: Some(96.75) };
        let ja = "先手　平均損失 3.2点　一致率 45%（23/51）　正確さ 96.8　緩手 1　疑問手 1　悪手 1　大悪手 1";
        assert_eq!(side("先手", sums, marks, Lang::Ja), ja);
        let en = side("Black", SideSums::default(), marks, Lang::En);
        assert!(en.starts_with("Black: mean loss – points a move · agreement – · accuracy – · "), "{en}");
    }
}
