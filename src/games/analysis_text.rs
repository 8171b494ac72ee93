//! Texts of the whole-game analysis.

use crate::{Label, phrase};
use shogibar_base::visible::with_particle_space;
use shogibar_base::{Lang, say, sentences};
use shogibar_kifu::evaluation::Source;
use std::time::Duration;

sentences! {
    /// Returns the error of a record that another analysis is using.
    pub fn analysed_elsewhere(path: &std::path::Path; lang) =>
        "この棋譜は別に解析中です（{path} が使われています）。",
        "another analysis is using it: {path} is in use", path = path.display();

    /// Returns the message about evaluations that no longer fit into the record, because it was changed during its
    /// analysis.
    pub fn unplaced_evaluations(count: usize; lang) =>
        "解析中に棋譜が書き換えられたため、{count}局面の評価値は入れる場所がありません。書き換えられた棋譜はそのまま残し、結果は解析の途中経過のファイルに残します。",
        "The record was changed during its analysis, so {count} into it. The changed record stays as it is, and the results are kept in the analysis file."
        [count: "evaluation no longer fits" | "evaluations no longer fit"];

    /// Returns the error of an output file that was changed during the analysis.
    pub fn changed_meanwhile(path: &str; lang) =>
        "{path} は解析中に書き換えられたため、上書きしませんでした。もう一度実行すると書き込みます",
        "{path} was changed during the analysis and was not overwritten; run the command again to write it";

    /// Returns the error of a judge's name that matches several evaluators.
    pub fn several_judges(name: &str, fit: &[String]; lang) =>
        "「{name}」に当てはまるものが複数あります（{names}）。どれか一つに決まる名前にしてください。",
        "'{name}' matches several engines; give more of the name: {names}", names = fit.join(lang.pick("、", ", "));

    /// Returns a decisive move in words. `loss` is in points of win rate.
    pub fn decisive(ply: u16, word: &str, loss: f64; lang) =>
        "{ply}手目 {word}（勝率 −{loss:.1}）", "move {ply} {word} (win rate −{loss:.1})";

    /// Returns the sentence with the number of engine lines that were added as variations.
    pub fn added_variations(count: usize; lang) =>
        "変化として加えたエンジンの読み筋 {count}", "Engine lines added as variations: {count}";

    /// Returns the remark that Shogibar stops the searches of an engine that exits at a limit of nodes or depth.
    pub fn refuses_limits(engine: &str; lang) =>
        "{engine}は nodes や depth の指定で終了するため、こちらで止めます。結果は毎回同じとは限りません。",
        "{engine} exits when it is given a limit of nodes or depth, so Shogibar stops it instead; results may differ from run to run",
        engine = with_particle_space(engine, lang);

    /// Returns the message about a position that was given up, with the move number, the engine and the cause.
    pub fn given_up(ply: u16, engine: &str, why: &str; lang) =>
        "{ply}手目の局面の解析を諦めました（{engine}）。{why}",
        "Gave up on the position after move {ply} ({engine}). {why}";

    /// Returns the error of a format that cannot hold evaluations.
    pub fn holds_no_comments(format: &str; lang) =>
        "{format}形式には評価値を書けません。-o で kif、kifu、ki2u、csa、jkf などのファイルを指定してください。",
        "{format} cannot hold evaluations; use -o to write a .kifu, .kif, .csa or .jkf file";
}

/// Returns the progress of the first or second pass of an analysis: `解析 34/120（28%）　残り 1:23`. Positions are counted.
pub fn progress(
    [done, total]: [usize; 2],
    is_second: bool,
    remaining: Option<Duration>,
    lang: Lang,
) -> String {
    let percent = (done * 100).checked_div(total).unwrap_or(100);
    let remaining = remaining.map(clock);
    let pass_name = if is_second {
        lang.pick("読み直し", "searched deeper")
    } else {
        lang.pick("解析", "analysed")
    };
    match remaining {
        Some(remaining) => say!(lang:
            "{pass_name} {done}/{total}（{percent}%）　残り {remaining}",
            "{pass_name} {done} of {total} ({percent}%) · {remaining} left"),
        None => {
            say!(lang: "{pass_name} {done}/{total}（{percent}%）", "{pass_name} {done} of {total} ({percent}%)")
        }
    }
}

/// Returns the progress while the reasons of mistakes are searched, after the searches of the engines.
pub const fn finding_reasons(lang: Lang) -> &'static str {
    lang.pick("悪手の理由を調べています", "finding the reasons for mistakes")
}

/// Formats a remaining time as `1:23` or `1:02:03`. The time is rounded up to whole seconds: `0:00` means that none
/// remains.
fn clock(time: Duration) -> String {
    phrase::clock(time.as_secs() + u64::from(time.subsec_nanos() > 0))
}

/// Returns the heading of a game in a file with several games, with its output file: `第2局（全3局） out-2.csa`.
pub fn game([number, count]: [usize; 2], file: &str, lang: Lang) -> String {
    say!(lang: "第{number}局（全{count}局） {file}", "Game {number} of {count} {file}")
        .trim_end()
        .to_owned()
}

/// The numbers of positions by the outcome of their analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingCounts {
    /// The number of positions searched in this run.
    pub searched: usize,
    /// The number of positions known from the record or an earlier run.
    pub known: usize,
    /// The number of positions searched again and longer, in this run or an earlier one.
    pub deepened: usize,
    /// The number of positions for which a search gave no evaluation.
    pub valueless: usize,
    /// The number of positions that were given up, because an engine ended at them repeatedly.
    pub given_up: usize,
    /// The number of positions that no engine can search.
    pub unsearchable: usize,
}

/// Returns the numbers of positions by the outcome of their analysis.
pub fn counts(counts: FindingCounts, lang: Lang) -> String {
    let FindingCounts {
        searched,
        known,
        deepened: deeper,
        valueless: silent,
        given_up,
        unsearchable,
    } = counts;
    let all = searched + known;
    let mut text = say!(lang:
        "解析した局面 {all}（今回 {searched}、解析済み {known}）",
        "Positions analysed: {all} ({searched} now, {known} before)");
    for (count, ja, en) in [
        (deeper, "長く読み直した局面", "searched again and longer"),
        (silent, "エンジンが評価値を示さなかった局面", "without a value"),
        (
            given_up,
            "エンジンが落ちるため諦めた局面",
            "given up, because the engine exits on them",
        ),
        (
            unsearchable,
            "エンジンに渡せない局面",
            "that no engine can search",
        ),
    ] {
        if count > 0 {
            text += &say!(lang: "　{ja} {count}", " · {en}: {count}");
        }
    }
    text
}

/// The summary of a side's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideFigures {
    /// The mean loss of a move, in points of win rate; `None` if no move was judged.
    pub mean_loss: Option<f64>,
    /// The number of moves that were the best move of the judge, and the number of judged moves.
    pub choices: [usize; 2],
    /// The accuracy of all moves in percent, 0 to 100. `None` if no move was judged.
    pub accuracy: Option<f64>,
    /// The number of moves after the game was decided. The mean loss and the agreement leave them out.
    pub decided_moves: usize,
}

/// Formats a number with one decimal; a dash if there is none.
pub fn tenths(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.1}"))
}

/// Returns the share of moves that were the best move of the judge: `45%（23/51）`. A dash if no move was judged.
pub fn agreement([choices, judged]: [usize; 2], lang: Lang) -> String {
    match share([choices, judged]) {
        None => "–".to_owned(),
        Some(percent) => say!(lang: "{percent}%（{choices}/{judged}）", "{percent}% ({choices}/{judged})"),
    }
}

/// Returns the share of `part` in `all` in percent, rounded. Returns `None` if `all` is 0.
pub fn share([part, all]: [usize; 2]) -> Option<usize> {
    (part * 200 + all).checked_div(2 * all)
}

/// Returns the summary of a side in one line: name, mean loss, agreement, accuracy, and the number of each mark.
pub fn side(name: &str, sums: SideFigures, marks: [(Label, usize); 4], lang: Lang) -> String {
    let SideFigures {
        mean_loss,
        choices,
        accuracy,
        decided_moves: decided,
    } = sums;
    let (loss, accuracy) = (tenths(mean_loss), tenths(accuracy));
    let agreement = agreement(choices, lang);
    let marks: Vec<_> = marks
        .iter()
        .map(|(label, count)| format!("{} {count}", label.text(lang)))
        .collect();
    let marks = marks.join(lang.pick("　", " · "));
    let decided = match decided {
        0 => String::new(),
        moves => {
            say!(lang: "（勝敗が決まってからの{moves}手を除く）", " (not counting {moves} of a decided game)")
        }
    };
    say!(lang:
        "{name}　平均損失 {loss}点　一致率 {agreement}{decided}　正確さ {accuracy}　{marks}",
        "{name}: mean loss {loss} points a move · agreement {agreement}{decided} · accuracy {accuracy} · {marks}")
}

/// Returns the message about a mating problem, which no engine can analyse.
pub const fn mating_problem(lang: Lang) -> &'static str {
    lang.pick(
        "詰将棋のため解析できません",
        "A mating problem cannot be analysed",
    )
}

/// Returns the judge of the game and the number of moves it has evaluated: `Fairy-Stockfish 11.1（103/103手）`. Unless
/// `is_full`, the text also says that no engine has evaluated 80 % of the moves.
pub fn judge(name: &str, [covered, moves]: [usize; 2], is_full: bool, lang: Lang) -> String {
    if is_full {
        return say!(lang: "{name}（{covered}/{moves}手）", "{name} ({covered} of {moves})" [moves: "move"]);
    }
    say!(lang:
        "{name}（{covered}/{moves}手。8割以上の手を評価したエンジンはありません）",
        "{name} ({covered} of {moves}; no engine has evaluated 80% of them)" [moves: "move"])
}

/// Returns the judge as a separate line: `判定　Fairy-Stockfish 11.1（103/103手）`.
pub fn judged_by(judge: &str, lang: Lang) -> String {
    format!("{}{judge}", lang.pick("判定　", "Judged by "))
}

/// Returns the text for a game without a judge: it has only the players' evaluations of their moves.
pub fn no_judge(lang: Lang) -> &'static str {
    lang.pick(
        "なし（各対局者自身の評価値だけなので、損失や印は付けません）",
        "nobody: each player has evaluated only their own moves, so there are no losses or marks",
    )
}

/// Returns the error of a judge that is not found, with the names of the available judges.
pub fn no_such_judge(name: &str, available: &[String], lang: Lang) -> String {
    let names = available.join(lang.pick("、", ", "));
    match &*names {
        "" => say!(lang:
            "「{name}」の評価値はこの棋譜にありません（評価値がありません）。",
            "there are no evaluations by '{name}' or anyone else"),
        names => say!(lang:
            "「{name}」の評価値はこの棋譜にありません。判定できるもの: {names}",
            "there are no evaluations by '{name}'; available: {names}"),
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

/// The change of the lead by a decisive move, with the name of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadChangeWords<'a> {
    /// This side takes the lead in a level game.
    Lead(&'a str),
    /// This side takes the lead from the other.
    Reversal(&'a str),
    /// This side loses its lead; the game is level.
    Levelled(&'a str),
}

/// Returns the change of the lead by a decisive move in words.
pub fn lead_change(change: LeadChangeWords<'_>, lang: Lang) -> String {
    match change {
        LeadChangeWords::Lead(side) => say!(lang: "{side}が優位に立つ", "{side} takes the lead"),
        LeadChangeWords::Reversal(side) => say!(lang: "{side}が逆転", "{side} turns the game"),
        LeadChangeWords::Levelled(side) => say!(lang: "{side}がリードを失う", "{side} loses the lead"),
    }
}

/// Returns a forced mate by its number of plies, if that is known: `7手詰`.
pub fn mate(plies: Option<u32>, lang: Lang) -> String {
    match plies {
        Some(plies) => say!(lang: "{plies}手詰", "a mate in {plies}"),
        None => lang.pick("詰み", "a mate").to_owned(),
    }
}

/// Returns the mates that a move missed or allowed: `7手詰を逃し、19手詰に入った`. Empty if it did neither.
pub fn mate_change(missed: Option<&str>, allowed: Option<&str>, lang: Lang) -> String {
    match (missed, allowed) {
        (Some(missed), Some(allowed)) => {
            say!(lang: "{missed}を逃し、{allowed}に入った", "missed {missed} and walked into {allowed}")
        }
        (Some(missed), None) => say!(lang: "{missed}を逃した", "missed {missed}"),
        (None, Some(allowed)) => say!(lang: "{allowed}に入った", "walked into {allowed}"),
        (None, None) => String::new(),
    }
}

/// Returns the message about a stopped analysis, with the number of finished positions and the file of their results.
pub fn ended(done: usize, total: usize, file: Option<&str>, lang: Lang) -> String {
    match file {
        Some(file) => say!(lang:
            "解析を途中で終えました（{done}/{total}）。結果は {file} にあり、同じコマンドで続きから始まります。",
            "The analysis was stopped at {done} of {total}. The results are kept in {file}; run the same command to continue"),
        None => say!(lang:
            "解析を途中で終えました（{done}/{total}）。出力先がないため結果は残りません。",
            "The analysis was stopped at {done} of {total}, and nothing was kept; use -o to name an output file"),
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
        let remaining = Some(Duration::from_secs(83));
        assert_eq!(
            progress([34, 120], false, remaining, Lang::Ja),
            "解析 34/120（28%）　残り 1:23"
        );
        assert_eq!(
            progress([3, 12], true, remaining, Lang::Ja),
            "読み直し 3/12（25%）　残り 1:23"
        );
        assert_eq!(progress([0, 0], false, None, Lang::En), "analysed 0 of 0 (100%)");
    }

    #[test]
    fn a_side_s_summary_starts_with_mean_loss_and_agreement() {
        let marks =
            [Label::Inaccuracy, Label::Dubious, Label::Mistake, Label::Blunder].map(|label| (label, 1));
        let sums = SideFigures {
            mean_loss: Some(3.25),
            choices: [23, 51],
            accuracy: Some(96.75),
            decided_moves: 0,
        };
        let ja = "先手　平均損失 3.2点　一致率 45%（23/51）　正確さ 96.8　緩手 1　疑問手 1　悪手 1　大悪手 1";
        assert_eq!(side("先手", sums, marks, Lang::Ja), ja);
        let en = side("Black", SideFigures::default(), marks, Lang::En);
        assert!(
            en.starts_with("Black: mean loss – points a move · agreement – · accuracy – · "),
            "{en}"
        );
    }
}
