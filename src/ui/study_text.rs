//! Texts of the study page.

use shogibar_base::visible::with_particle_space;
use shogibar_base::{Lang, phrases, say, sentences};
use shogibar_config::{Command, command_text};
use shogibar_games::analysis_text::{SideFigures, share};
use shogibar_games::{Label, phrase};
use shogibar_shogi::Style;
use std::time::Duration;

phrases! {
    /// A reply to a question about unsaved changes or recoverable records.
    pub enum StudyReply {
        SaveAnyway => "それでも保存", "Save anyway";
        SaveAndContinue => "保存して続ける", "Save and continue";
        SaveAndQuit => "保存して終了", "Save and quit";
        Discard => "保存しない", "Don't save";
        Recover => "開く", "Open it";
        RecoverAll => "すべて開く", "Open all";
        DiscardRecoverable => "捨てる", "Discard it";
        DiscardAllRecoverable => "すべて捨てる", "Discard all";
    }
}

phrases! {
    /// A text of the toolbar while a position is set up.
    pub enum SetupPhrase {
        Undo => "元に戻す", "Undo";
        Redo => "やり直す", "Redo";
        Change => "盤全体", "Whole board";
        Empty => "駒をすべて駒箱へ", "All pieces to the box";
        EmptyToHands => "駒をすべて後手の持駒へ（玉は駒箱へ）", "All pieces to White's hand";
        RestToWhite => "残りの駒を後手の持駒へ（詰将棋）", "The remaining pieces to White's hand";
        SwapSides => "先手と後手を入れ替える", "Swap the sides";
        Mirror => "左右を反転", "Mirror";
        MatingProblem => "詰将棋として始められます", "It can be started as a mating problem";
        Hint =>
            "右クリックか R で成る・成らず・先後、Delete で駒箱へ",
            "Right click or R: promote, change sides · Delete: to the box";
    }
}

phrases! {
    /// A text of the study page.
    pub enum StudyPhrase {
        Study => "検討", "Study";
        Untitled => "無題の棋譜", "Untitled";
        Unsaved => "未保存", "not saved";
        Moves => "棋譜", "Moves";
        Tree => "分岐", "Tree";
        Candidates => "候補", "Candidates";
        BarShown => "オーバーレイ表示中", "Bar on screen";
        BarHidden => "オーバーレイ非表示", "Bar hidden";
        Comment => "コメント", "Comment";
        CommentHint => "この手についてのメモ", "Note on this move";
        Variations => "変化", "Variations";
        MainLine => "本譜", "main line";
        CopyAs => "形式を選んで棋譜をコピー", "Copy the record as";
        Recent => "最近開いた棋譜", "Recent records";
        BackToGame => "棋譜に戻る", "Back to the game";
        OnBoard => "読み筋を表示中", "an engine line";
        Insert => "変化として追加", "Add as a variation";
        CopyLine => "読み筋をコピー", "Copy this line";
        OtherGames => "ほかの対局・ファイル", "Other games and files";
        Path => "ファイルの場所", "Path of the file";
        Dismiss => "閉じる", "Close";
        NotFollowing => "追従していません", "not following";
        ReadAgain => "読み直す", "Read it again";
        BehindHint =>
            "変更を保存していない間にファイルが書き足されました。読み直すと続きを追いかけます（変更をどうするかは先に尋ねます）。",
            "The file has grown, but you have unsaved changes. Read it again to follow it; you are asked about the changes first.";
        MakingVideo => "動画", "Video";
        CancelVideo => "動画を中止", "Cancel the video";
        Pictures => "画像・レポート", "Pictures and report";
        Cancel => "キャンセル", "Cancel";
        More => "その他", "More";
        Studying => "検討中", "Studying";
        Resting => "検討停止中", "Paused";
        Opening => "読み込んでいます…", "Opening…";
        WinRate => "勝率", "Win rate";
        Evaluation => "評価値", "Evaluation";
        Both => "両方", "Both";
        Engine => "エンジン", "Engine";
        PerPosition => "1局面あたり", "Per position";
        Lines => "候補手の数", "Lines";
        Jobs => "同時に動かす数", "Engines at once";
        Range => "範囲", "Range";
        WholeGame => "全体", "Whole game";
        FromHere => "この局面から", "From here";
        Between => "手数で指定", "Moves";
        FirstMove => "最初の手数", "first move";
        LastMove => "最後の手数", "last move";
        Analysing => "解析中", "Analysing";
        EndGame => "終局を記録", "The game ends here";
        Stated => "解析", "Analysis";
        FromEnd => "終局から逆順に", "Start from the end";
        VariationsToo => "変化も解析する", "Include variations";
        Again => "解析済みの局面もやり直す", "Re-analyse finished positions";
        AddLines => "疑問手などにエンジンの手順を変化として加える", "Add the engine's line at bad moves";
        Begin => "解析開始", "Start";
        Pause => "一時停止", "Pause";
        GoOn => "再開", "Resume";
        End => "中止", "Stop";
        Seconds => "秒", "seconds";
        Nodes => "ノード", "nodes";
        Depth => "深さ", "depth";
        Handicap => "手合割", "Handicap";
        PassTurn => "手番を変える", "Change the side to move";
        Done => "この局面で始める", "Start from here";
        TypeMove => "指し手を入力（76歩、7g7f）", "type a move (7g7f, P-7f)";
        MoveHint => "76歩", "P-7f";
        FindCommand => "コマンドを探す", "Find a command";
        NoCommand => "見つかりません。", "No command matches.";
        KeysHint =>
            "キーを変えるには、欄を押してから新しいキーを押します。",
            "To change a key, click its field and press another.";
        DrawMarks => "矢印・円を盤に描く", "Draw an arrow, a circle";
        DrawMarksButton => "右ドラッグ・右クリック", "Right drag, right click";
        DrawMarksHint =>
            "Shift で緑、Ctrl（Mac は Cmd）で紫になります。もう一度描くと消えます。",
            "Shift: green. Ctrl (Cmd on a Mac): purple. Draw it again to remove it.";
        PressKeys => "キーを押してください（Esc で中止）", "Press the keys (Esc to cancel)";
        AddKey => "キーを追加", "Add a key";
        NoKey => "キーをなくす", "No key";
        UsualKey => "既定のキーに戻す", "Restore the default key";
        Usual => "既定", "Default";
        UsualKeys => "すべて既定に戻す", "Restore defaults";
        UnusableKey =>
            "このキーは使えません（数字は指し手の入力に使います）。", "This key cannot be used (digits begin a move).";
    }
}

phrases! {
    /// A text of manual input: players, handicap, replacing a move.
    pub enum EntryPhrase {
        PlayersTitle => "対局情報", "Game details";
        Event => "棋戦", "Event";
        Place => "場所", "Place";
        Date => "日時", "Date";
        PlayerHint => "名前", "name";
        OtherStart => "その他の局面", "another position";
        HandicapFixed =>
            "手合割を選べるのは、最初の手を指す前だけです。", "The handicap can be chosen only before the first move.";
        Enter => "決定", "OK";
        KeepVariation => "変化にする", "Variation";
        ReplaceMove => "指し直し", "Replace";
    }
}

/// Returns an evaluation with the advantage in words, if any: `評価 −577　後手有利`.
pub fn evaluated(evaluation: &str, advantage: &str, lang: Lang) -> String {
    let separator = if advantage.is_empty() {
        ""
    } else {
        lang.pick("　", ", ")
    };
    format!("{} {evaluation}{separator}{advantage}", lang.pick("評価", "Eval"))
}

sentences! {
    /// Returns the entry that copies the address of the game at a site: `KENTO の URL`.
    pub fn site_address(site: &str; lang) => "{site}の URL", "URL for {site}", site = with_particle_space(site, lang);

    /// Returns the number of evaluations in a comment: `解析 2件`.
    pub fn evaluation_count(count: usize; lang) =>
        "{stated} {count}件", "{stated} ({count})", stated = StudyPhrase::Stated.text(lang);

    /// Returns the error for a key that another command has.
    pub fn taken(keys: &str, other: Command; lang) =>
        "{keys} は「{other}」のキーです。", "{keys} is the key of '{other}'.", other = command_text(other, lang);

    /// Returns the label of the button that gives the entered key to this command.
    pub fn take_over(command: Command; lang) =>
        "「{command}」に移す", "Use it for '{command}'", command = command_text(command, lang);
}

/// Returns a style of notation with an example.
pub fn style(style: Style, example: &str, lang: Lang) -> String {
    let name = match style {
        Style::Japanese => lang.pick("棋譜の表記 (KI2)", "Japanese (KI2)"),
        Style::JapaneseArabic => lang.pick("算用数字", "Japanese, Arabic digits"),
        Style::Hodges => lang.pick("英語式 (Hodges)", "Hodges"),
        Style::Hosking => lang.pick("英語式 (Hosking)", "Hosking"),
        Style::Western => lang.pick("英語式 (81Dojo)", "Western (81Dojo)"),
        Style::KitaoKawasaki => lang.pick("北尾・川崎式", "Kitao–Kawasaki"),
        Style::Spoken => lang.pick("読み上げ", "Spoken"),
        Style::SpokenEnglish => lang.pick("読み上げ（英語）", "Spoken English"),
        Style::Iroha => lang.pick("いろは", "Iroha"),
        Style::Kif => "KIF",
        Style::Csa => "CSA",
        Style::Usi => "USI",
    };
    format!("{name}　{example}")
}

/// Returns the accessible text of a move: its description and marks, whether it has a comment, and the number of
/// variations.
pub fn accessible_text(
    description: &str,
    signs: &[&str],
    has_comment: bool,
    others: usize,
    lang: Lang,
) -> String {
    let comment = if has_comment {
        lang.pick("コメントあり", "has a comment")
    } else {
        ""
    };
    let others = if others > 0 {
        variations(others, lang)
    } else {
        String::new()
    };
    let all = std::iter::once(description)
        .chain(signs.iter().copied())
        .chain([comment, others.as_str()]);
    all.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the number of variations: `変化 2`.
pub fn variations(count: usize, lang: Lang) -> String {
    format!("{} {count}", StudyPhrase::Variations.text(lang))
}

/// Returns the summary of a side: `先手 平均損失3.2点 一致率45% 正確さ97 悪手2 疑問手2`. Marks without moves and
/// unknown values are left out.
pub fn counts(side: &str, marks: &[(Label, usize)], sums: SideFigures, lang: Lang) -> String {
    let marks = marks.iter().filter(|(_, count)| *count > 0);
    let marks = marks.map(|(label, count)| format!("{}{}{count}", label.text(lang), lang.pick("", " ")));
    let loss = sums
        .mean_loss
        .map(|loss| say!(lang: "平均損失{loss:.1}点", "mean loss {loss:.1}"));
    let agreement =
        share(sums.choices).map(|percent| format!("{}{percent}%", lang.pick("一致率", "agreement ")));
    let accuracy = sums
        .accuracy
        .map(|accuracy| format!("{}{accuracy:.0}", lang.pick("正確さ", "accuracy ")));
    let parts = std::iter::once(side.to_owned())
        .chain(loss)
        .chain(agreement)
        .chain(accuracy)
        .chain(marks);
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns the question that confirms discarding recoverable records.
pub const fn confirm_discard(count: usize, lang: Lang) -> &'static str {
    match count {
        0 | 1 => lang.pick("本当に捨てますか？ 元には戻せません。", "Discard it for good?"),
        _ => lang.pick(
            "すべて捨てますか？ 元には戻せません。",
            "Discard all of them for good?",
        ),
    }
}

/// Returns the question whether to save before the program ends, or before another record is opened. `games` is the
/// number of games to save, including the named one.
pub fn save_first(name: &str, games: usize, ends: bool, lang: Lang) -> String {
    let unsaved = match games.saturating_sub(1) {
        0 => say!(lang: "「{name}」は保存されていません。", "{name} is not saved."),
        others => {
            say!(lang: "「{name}」ほか{others}局は保存されていません。", "{name} and {others} more are not saved.")
        }
    };
    if ends {
        return say!(lang: "{unsaved}終了する前に保存しますか？", "{unsaved} Save before Shogibar ends?");
    }
    say!(lang: "{unsaved}保存しますか？", "{unsaved} Save now?")
}

/// Returns the label of the reply that saves none of several games before the program ends.
pub fn save_none(games: usize, lang: Lang) -> String {
    say!(lang: "{games}局とも保存しない", "Save none of the {games}")
}

/// Returns the label of the button that shows more of a long text. `remaining` is the number of characters that are not
/// shown.
pub fn more_of_text(remaining: usize, lang: Lang) -> String {
    say!(lang: "続きを表示（あと{remaining}字）", "Show more ({remaining} left)" [remaining: "character"])
}

/// Returns the note about a text that is too long to be shown whole. `remaining` is the number of characters that are
/// not shown.
pub fn remaining_text(remaining: usize, lang: Lang) -> String {
    say!(lang: "あと{remaining}字は棋譜にあります。", "The record has {remaining}." [remaining: "more character"])
}

/// Returns the label of the option of a second pass.
pub const fn deepen(lang: Lang) -> &'static str {
    lang.pick(
        "勝率が10点以上動いた局面を5倍長く読み直す",
        "Search positions where the win rate jumped by 10 points again, 5 times as long",
    )
}

/// Returns the progress of the first or second pass: `34/116　残り1:20`, `読み直し 3/12　残り0:40`.
pub fn progress(
    [done, total]: [usize; 2],
    is_second: bool,
    remaining: Option<Duration>,
    lang: Lang,
) -> String {
    let remaining = remaining
        .map(|remaining| phrase::millis_clock(u64::try_from(remaining.as_millis()).unwrap_or(u64::MAX)));
    let pass = if is_second {
        lang.pick("読み直し ", "deeper ")
    } else {
        ""
    };
    match remaining {
        Some(remaining) => {
            say!(lang: "{pass}{done}/{total}　残り{remaining}", "{pass}{done}/{total} · {remaining} left")
        }
        None => format!("{pass}{done}/{total}"),
    }
}

/// Returns the number of positions of an analysis and the estimated time, if known: `103局面・約52秒＋読み直し`. If only the
/// second pass remains: `読み直しのみ`.
pub fn effort(positions: usize, time: Option<Duration>, deepens: bool, lang: Lang) -> String {
    let time = time.map(|time| approximate(time, lang));
    let count = match positions {
        0 if deepens => say!(lang: "読み直しのみ", "Only the deeper search"),
        0 => say!(lang: "解析する局面はありません", "No position to analyse"),
        _ => say!(lang: "{positions}局面", "{positions}" [positions: "position"]),
    };
    let first = match time {
        Some(time) if positions > 0 => say!(lang: "{count}・約{time}", "{count}, about {time}"),
        _ => count,
    };
    let second = if deepens && positions > 0 {
        lang.pick("＋読み直し", ", then deeper")
    } else {
        ""
    };
    first + second
}

/// Formats an estimated time: `52秒`, `8分40秒`, `1時間20分`.
fn approximate(time: Duration, lang: Lang) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_millis() >= 500);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds.max(1) % 60);
    let units = [(hours, "時間", "h"), (minutes, "分", "min"), (seconds, "秒", "s")];
    // The two largest units are enough.
    let parts = units
        .into_iter()
        .skip_while(|(count, ..)| *count == 0)
        .take(2)
        .filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, ja, en)| say!(lang: "{count}{ja}", "{count} {en}"));
    parts.collect::<Vec<_>>().join(lang.pick("", " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effort_of_an_analysis_is_formatted() {
        let check = |positions, millis, ja: &str, en: &str| {
            let time = Some(Duration::from_millis(millis));
            assert_eq!(
                [Lang::Ja, Lang::En].map(|lang| effort(positions, time, false, lang)),
                [ja, en]
            );
        };
        check(103, 51_500, "103局面・約52秒", "103 positions, about 52 s");
        check(1, 100, "1局面・約1秒", "1 position, about 1 s");
        check(
            520,
            520_000,
            "520局面・約8分40秒",
            "520 positions, about 8 min 40 s",
        );
        check(
            480,
            4_800_000,
            "480局面・約1時間20分",
            "480 positions, about 1 h 20 min",
        );
        check(60, 60_000, "60局面・約1分", "60 positions, about 1 min");
        check(0, 0, "解析する局面はありません", "No position to analyse");
        assert_eq!(effort(103, None, false, Lang::Ja), "103局面");
        assert_eq!(effort(103, None, true, Lang::Ja), "103局面＋読み直し");
        assert_eq!(effort(0, None, true, Lang::Ja), "読み直しのみ");
    }
}
