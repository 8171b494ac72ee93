//! Texts of the study page and its commands.

use super::analysis::{SideSums, share};
use super::{Label, Lang, phrase};
pub use crate::config::StudyCommand;
use crate::shogi::Style;
use std::time::Duration;

/// Returns the name of a command in a language.
pub const fn command_text(command: StudyCommand, lang: Lang) -> &'static str {
    match command {
        StudyCommand::New => lang.pick("新規", "New"),
        StudyCommand::Open => lang.pick("開く", "Open"),
        StudyCommand::Save => lang.pick("保存", "Save"),
        StudyCommand::SaveAs => lang.pick("名前を付けて保存", "Save as"),
        StudyCommand::Paste => lang.pick("貼り付け", "Paste"),
        StudyCommand::Copy => lang.pick("棋譜をコピー", "Copy the record"),
        StudyCommand::CopyPosition => lang.pick("局面をコピー (SFEN)", "Copy the position (SFEN)"),
        StudyCommand::CopyBoard => lang.pick("盤の画像をコピー", "Copy the board as a picture"),
        StudyCommand::CopySummary => lang.pick("まとめをコピー", "Copy a summary"),
        StudyCommand::Report => lang.pick("レポートを保存…", "Save a report…"),
        StudyCommand::Undo => lang.pick("元に戻す", "Undo"),
        StudyCommand::Redo => lang.pick("やり直す", "Redo"),
        StudyCommand::First => lang.pick("最初へ", "To the start"),
        StudyCommand::TenBack => lang.pick("10手戻る", "Ten moves back"),
        StudyCommand::Back => lang.pick("1手戻る", "Back"),
        StudyCommand::Forward => lang.pick("1手進む", "Forward"),
        StudyCommand::TenForward => lang.pick("10手進む", "Ten moves on"),
        StudyCommand::Last => lang.pick("最後へ", "To the end"),
        StudyCommand::BranchBack => lang.pick("前の分岐へ", "To the branch before"),
        StudyCommand::BranchForward => lang.pick("次の分岐へ", "To the next branch"),
        StudyCommand::Above => lang.pick("上の変化へ", "To the variation above"),
        StudyCommand::Below => lang.pick("下の変化へ", "To the variation below"),
        StudyCommand::Delete => lang.pick("この手以降を削除", "Delete from this move on"),
        StudyCommand::Promote => lang.pick("この変化を上へ", "Put this variation up"),
        StudyCommand::MainLine => lang.pick("本譜にする", "Make it the main line"),
        StudyCommand::Replace => lang.pick("元の手を消して指し直しにする", "Replace the old move with this one"),
        StudyCommand::Players => lang.pick("対局者・手合割…", "Players and handicap…"),
        StudyCommand::Flip => lang.pick("盤を反転", "Turn the board"),
        StudyCommand::Small => lang.pick("小さな盤にする・戻す", "Small board, or the page again"),
        StudyCommand::Pause => lang.pick("検討の停止・再開", "Stop or resume the engine"),
        StudyCommand::SetUp => lang.pick("局面を編集", "Set up a position"),
        StudyCommand::Analyse => lang.pick("一局解析", "Analyse the game"),
        StudyCommand::Hide => lang.pick("評価を隠す", "Hide the evaluation"),
        StudyCommand::Engines => lang.pick("エンジン", "Engines"),
        StudyCommand::Settings => lang.pick("設定", "Settings"),
        StudyCommand::Keys => lang.pick("キー操作の一覧", "Keys"),
        StudyCommand::Manual => lang.pick("使い方（マニュアル）", "Manual"),
    }
}

/// A reply to a question about unsaved changes or recovered records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyReply {
    /// Saves although content is lost.
    SaveAllTheSame,
    /// Saves the changes and continues with the pending action.
    SaveAndGoOn,
    /// Saves the changes and quits.
    SaveAndQuit,
    /// Discards the changes.
    Discard,
    /// Opens the recovered record.
    BringBack,
    /// Discards the recovered record.
    ThrowAway,
}

impl StudyReply {
    /// Returns the text in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::SaveAllTheSame => lang.pick("それでも保存", "Save all the same"),
            Self::SaveAndGoOn => lang.pick("保存して続ける", "Save and go on"),
            Self::SaveAndQuit => lang.pick("保存して終了", "Save and quit"),
            Self::Discard => lang.pick("保存しない", "Don't save"),
            Self::BringBack => lang.pick("開く", "Open it"),
            Self::ThrowAway => lang.pick("捨てる", "Throw it away"),
        }
    }
}

/// A text of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StudyPhrase {
    /// The title of the page.
    Study,
    /// A record without a name.
    Untitled,
    /// The mark of a record with unsaved changes.
    Unsaved,
    /// The moves of the current line.
    Moves,
    /// The tree of all lines.
    Tree,
    /// The comment of a move.
    Comment,
    /// The hint in an empty comment field.
    CommentHint,
    /// The variations of the current move.
    Variations,
    /// The main line.
    MainLine,
    /// The command that copies the record in a chosen format.
    CopyAs,
    /// The recent records.
    Recent,
    /// The button that returns from a pv to the record.
    BackToGame,
    /// The board shows a pv.
    OnBoard,
    /// The button that adds the pv to the record.
    Insert,
    /// The button that copies a pv.
    CopyLine,
    /// The list of other games and files.
    OtherGames,
    /// The path of a file.
    Path,
    /// The button that dismisses a message.
    Dismiss,
    /// The file is no longer followed.
    NotFollowing,
    /// The button that reads the file again and follows it.
    ReadAgain,
    /// Why the file is not followed, and what the user can do.
    BehindHint,
    /// The button that cancels.
    Cancel,
    /// The menu of further commands.
    More,
    /// Shown while the engines search.
    Studying,
    /// Shown while the engines are paused.
    Resting,
    /// Shown while a file is read.
    Opening,
    /// The graph of win rates.
    WinRate,
    /// The graph of evaluations.
    Evaluation,
    /// The graph of both.
    Both,
    /// The engine of an analysis.
    Engine,
    /// The search limit of each position.
    PerPosition,
    /// The number of pvs.
    Lines,
    /// The number of engines that run at once.
    Jobs,
    /// The range of positions.
    Range,
    /// The whole game.
    WholeGame,
    /// From the current position.
    FromHere,
    /// A range of moves.
    Between,
    /// The first move of the range.
    FirstMove,
    /// The last move of the range.
    LastMove,
    /// Shown while a game is analysed.
    Analysing,
    /// The command that records how the game ends.
    EndGame,
    /// The evaluations in a comment.
    Stated,
    /// Analyse the last position first.
    FromEnd,
    /// Analyse the variations too.
    VariationsToo,
    /// Analyse positions again that were analysed before.
    Again,
    /// Add the engine's pv as a variation at bad moves.
    AddLines,
    /// The button that starts the analysis.
    Begin,
    /// The button that pauses the analysis.
    Pause,
    /// The button that resumes the analysis.
    GoOn,
    /// The button that stops the analysis.
    End,
    /// The unit of a time limit.
    Seconds,
    /// The unit of a nodes limit.
    Nodes,
    /// The unit of a depth limit.
    Depth,
    /// The handicap.
    Handicap,
    /// The button that removes all pieces from the board.
    Clear,
    /// The button that changes the side to move.
    PassTurn,
    /// The button that accepts the position.
    Done,
    /// The label of the move field.
    TypeMove,
    /// The example in the move field.
    MoveHint,
    /// How keys are changed.
    KeysHint,
    /// Shown while keys are recorded.
    PressKeys,
    /// The button that adds a key.
    AddKey,
    /// The button that removes the keys.
    NoKey,
    /// The button that resets a command to its default keys.
    UsualKey,
    /// The short text of the same button.
    Usual,
    /// The button that resets all keys.
    UsualKeys,
    /// The error of a key that cannot be used.
    UnusableKey,
}

impl StudyPhrase {
    /// Returns the text in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Study => lang.pick("検討", "Study"),
            Self::Untitled => lang.pick("無題の棋譜", "Untitled"),
            Self::Unsaved => lang.pick("未保存", "not saved"),
            Self::Moves => lang.pick("棋譜", "Moves"),
            Self::Tree => lang.pick("分岐", "Tree"),
            Self::Comment => lang.pick("コメント", "Comment"),
            Self::CommentHint => lang.pick("この手についてのメモ", "a note on this move"),
            Self::Variations => lang.pick("変化", "Variations"),
            Self::MainLine => lang.pick("本譜", "main line"),
            Self::CopyAs => lang.pick("形式を選んで棋譜をコピー", "Copy the record as"),
            Self::Recent => lang.pick("最近開いた棋譜", "Recent records"),
            Self::BackToGame => lang.pick("棋譜に戻る", "Back to the game"),
            Self::OnBoard => lang.pick("読み筋を表示中", "a line of the engine"),
            Self::Insert => lang.pick("変化として追加", "Add as a variation"),
            Self::CopyLine => lang.pick("読み筋をコピー", "Copy this line"),
            Self::Path => lang.pick("ファイルの場所", "path of the file"),
            Self::Dismiss => lang.pick("閉じる", "Close"),
            Self::OtherGames => lang.pick("ほかの対局・ファイル", "Other games and files"),
            Self::NotFollowing => lang.pick("追従していません", "not following"),
            Self::ReadAgain => lang.pick("読み直す", "Read it again"),
            Self::BehindHint => lang.pick(
                "変更を保存していない間にファイルが書き足されました。読み直すと続きを追いかけます（変更をどうするかは先に尋ねます）。",
                "The file has grown while there are changes that are not saved. Read it again to follow it: you are asked about the changes first.",
            ),
            Self::Cancel => lang.pick("キャンセル", "Cancel"),
            Self::More => lang.pick("その他", "More"),
            Self::Studying => lang.pick("検討中", "Studying"),
            Self::Resting => lang.pick("検討停止中", "Resting"),
            Self::WinRate => lang.pick("勝率", "Win rate"),
            Self::Evaluation => lang.pick("評価値", "Evaluation"),
            Self::Both => lang.pick("両方", "Both"),
            Self::Engine => lang.pick("エンジン", "Engine"),
            Self::PerPosition => lang.pick("1局面あたり", "Each position"),
            Self::Lines => lang.pick("候補手の数", "Lines"),
            Self::Jobs => lang.pick("同時に動かす数", "Engines at once"),
            Self::Range => lang.pick("範囲", "Range"),
            Self::WholeGame => lang.pick("全体", "the whole game"),
            Self::FromHere => lang.pick("この局面から", "from here on"),
            Self::Between => lang.pick("手数で指定", "some moves"),
            Self::FirstMove => lang.pick("最初の手数", "first move"),
            Self::LastMove => lang.pick("最後の手数", "last move"),
            Self::Analysing => lang.pick("解析中", "Analysing"),
            Self::EndGame => lang.pick("終局を記録", "The game ends here"),
            Self::Stated => lang.pick("解析", "Analysis"),
            Self::FromEnd => lang.pick("終局から逆順に", "the last position first"),
            Self::VariationsToo => lang.pick("変化も解析する", "variations, too"),
            Self::Again => lang.pick("解析済みの局面もやり直す", "what is analysed already, too"),
            Self::AddLines => {
                lang.pick("疑問手などにエンジンの手順を変化として加える", "add the engine's line to bad moves")
            }
            Self::Begin => lang.pick("解析開始", "Begin"),
            Self::Pause => lang.pick("一時停止", "Pause"),
            Self::GoOn => lang.pick("再開", "Go on"),
            Self::End => lang.pick("中止", "End"),
            Self::Seconds => lang.pick("秒", "seconds"),
            Self::Nodes => lang.pick("局面", "nodes"),
            Self::Depth => lang.pick("手の深さ", "plies"),
            Self::Handicap => lang.pick("手合割", "Handicap"),
            Self::Clear => lang.pick("盤をクリア", "Clear"),
            Self::PassTurn => lang.pick("手番を変える", "Other side to move"),
            Self::Done => lang.pick("この局面で始める", "Start from here"),
            Self::MoveHint => lang.pick("76歩", "P-7f"),
            Self::TypeMove => lang.pick("指し手を入力（76歩、7g7f）", "type a move (7g7f, P-7f)"),
            Self::KeysHint => lang.pick(
                "キーを変えるには、欄を押してから新しいキーを押します。",
                "To change a key, click its field and press another.",
            ),
            Self::PressKeys => lang.pick("キーを押してください（Esc で中止）", "press the keys (Esc to cancel)"),
            Self::AddKey => lang.pick("キーを追加", "One more key"),
            Self::NoKey => lang.pick("キーをなくす", "No key"),
            Self::UsualKey => lang.pick("既定のキーに戻す", "The usual key"),
            Self::Usual => lang.pick("既定", "usual"),
            Self::UsualKeys => lang.pick("すべて既定に戻す", "The usual keys"),
            Self::UnusableKey => lang.pick(
                "このキーは使えません（数字は指し手の入力に使います）。",
                "This key cannot be used (digits begin a move).",
            ),
            Self::Opening => lang.pick("読み込んでいます…", "opening…"),
        }
    }
}

/// A text of manual input: players, handicap, replacing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPhrase {
    /// The title of the dialog of players and handicap.
    PlayersTitle,
    /// The hint in an empty name field.
    PlayerHint,
    /// A start position without a name.
    OtherStart,
    /// Why the handicap cannot be changed.
    HandicapFixed,
    /// The button that accepts the input.
    Enter,
    /// The reply that keeps a played move as a variation.
    KeepVariation,
    /// The reply that replaces the old move by the played one.
    ReplaceMove,
}

impl EntryPhrase {
    /// Returns the text in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::PlayersTitle => lang.pick("対局者・手合割", "Players and handicap"),
            Self::PlayerHint => lang.pick("名前", "name"),
            Self::OtherStart => lang.pick("その他の局面", "another position"),
            Self::HandicapFixed => lang.pick(
                "手合割を選べるのは、最初の手を指す前だけです。",
                "The handicap can be chosen only before the first move.",
            ),
            Self::Enter => lang.pick("決定", "OK"),
            Self::KeepVariation => lang.pick("変化にする", "Variation"),
            Self::ReplaceMove => lang.pick("指し直し", "Replace"),
        }
    }
}

/// Formats a time in milliseconds, such as that of a move or a side: `1:05`, `1:12:40`.
pub fn clock(millis: u64) -> String {
    phrase::clock(millis / 1000)
}

/// Formats a mate in a list of moves, in Black's view: `+詰7`, `−詰`.
pub fn decided(black_wins: bool, plies: Option<u32>, lang: Lang) -> String {
    let sign = if black_wins { '+' } else { '−' };
    let plies = plies.map(|plies| plies.to_string()).unwrap_or_default();
    format!("{sign}{}{plies}", lang.pick("詰", "#"))
}

/// Returns the number of evaluations in a comment: `解析 2件`.
pub fn stated(count: usize, lang: Lang) -> String {
    let stated = StudyPhrase::Stated.text(lang);
    match lang {
        Lang::Ja => format!("{stated} {count}件"),
        Lang::En => format!("{stated} ({count})"),
    }
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
        Style::Iroha => lang.pick("いろは", "Iroha"),
        Style::Kif => "KIF",
        Style::Csa => "CSA",
        Style::Usi => "USI",
    };
    format!("{name}　{example}")
}

/// Returns the accessible text of a move: the move and its value, its marks, comment and variations.
pub fn accessible_text(description: &str, signs: &[&str], has_comment: bool, others: usize, lang: Lang) -> String {
    let comment = if has_comment { lang.pick("コメントあり", "has a comment") } else { "" };
    let others = if others > 0 { variations(others, lang) } else { String::new() };
    let all = std::iter::once(description).chain(signs.iter().copied()).chain([comment, others.as_str()]);
    all.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the error of a key that another command has.
pub fn taken(keys: &str, other: StudyCommand, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("{keys} は「{}」のキーです。", command_text(other, lang)),
        Lang::En => format!("{keys} is the key of '{}'.", command_text(other, lang)),
    }
}

/// Returns the button that gives such a key to this command.
pub fn take_over(command: StudyCommand, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("「{}」に移す", command_text(command, lang)),
        Lang::En => format!("Have it for '{}'", command_text(command, lang)),
    }
}

/// Returns the number of variations: `変化 2`.
pub fn variations(count: usize, lang: Lang) -> String {
    format!("{} {count}", StudyPhrase::Variations.text(lang))
}

/// Returns the summary of a side: `先手 平均損失3.2点 一致率45% 正確さ97 悪手2 疑問手2`. Marks without moves and
/// unknown values are left out.
pub fn counts(side: &str, marks: &[(Label, usize)], sums: SideSums, lang: Lang) -> String {
    let marks = marks.iter().filter(|(_, count)| *count > 0).map(|(label, count)| match lang {
        Lang::Ja => format!("{}{count}", label.text(lang)),
        Lang::En => format!("{} {count}", label.text(lang)),
    });
    let loss = sums.mean_loss.map(|loss| match lang {
        Lang::Ja => format!("平均損失{loss:.1}点"),
        Lang::En => format!("mean loss {loss:.1}"),
    });
    let agreement = share(sums.choices).map(|percent| format!("{}{percent}%", lang.pick("一致率", "agreement ")));
    let accuracy = sums.accuracy.map(|accuracy| format!("{}{accuracy:.0}", lang.pick("正確さ", "accuracy ")));
    let parts = std::iter::once(side.to_owned()).chain(loss).chain(agreement).chain(accuracy).chain(marks);
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns the message about records that a crashed program left unsaved; `name` is the file of the first.
pub fn left_behind(count: usize, name: Option<&str>, lang: Lang) -> String {
    let others = count.saturating_sub(1);
    match (lang, name, others) {
        (Lang::Ja, Some(name), 0) => format!("前回、{name} への変更が保存されずに残っています。"),
        (Lang::Ja, Some(name), _) => format!("前回、{name} への変更ほか{others}件が保存されずに残っています。"),
        (Lang::Ja, None, 0) => "前回、保存されなかった棋譜が残っています。".to_owned(),
        (Lang::Ja, None, _) => format!("前回、保存されなかった棋譜が{count}件残っています。"),
        (Lang::En, Some(name), 0) => format!("Changes to {name} were not saved when the program ended."),
        (Lang::En, Some(name), _) => {
            format!("Changes to {name}, and {others} more, were not saved when the program ended.")
        }
        (Lang::En, None, 0) => "A record was not saved when the program ended.".to_owned(),
        (Lang::En, None, _) => format!("{count} records were not saved when the program ended."),
    }
}

/// Returns the question that confirms discarding recovered records.
pub const fn throw_away(count: usize, lang: Lang) -> &'static str {
    match count {
        0 | 1 => lang.pick("本当に捨てますか？ 元には戻せません。", "Throw it away for good?"),
        _ => lang.pick("すべて捨てますか？ 元には戻せません。", "Throw all of them away for good?"),
    }
}

/// Returns the question whether to save before the program ends or another record is opened.
pub fn save_first(name: &str, ends: bool, lang: Lang) -> String {
    match (lang, ends) {
        (Lang::Ja, true) => format!("終了する前に「{name}」への変更を保存しますか？"),
        (Lang::Ja, false) => format!("「{name}」への変更を保存しますか？"),
        (Lang::En, true) => format!("Save what was changed in {name} before Shogibar ends?"),
        (Lang::En, false) => format!("Save what was changed in {name}?"),
    }
}

/// Returns the label of the option of a second pass.
pub const fn deepen(lang: Lang) -> &'static str {
    lang.pick(
        "勝率が10点以上動いた局面を5倍長く読み直す",
        "search positions where the win rate jumped 10 points again, 5 times as long",
    )
}

/// Returns the progress of the first or second pass: `34/116　残り1:20`, `読み直し 3/12　残り0:40`.
pub fn progress([done, total]: [usize; 2], is_second: bool, left: Option<Duration>, lang: Lang) -> String {
    let left = left.map(|left| clock(u64::try_from(left.as_millis()).unwrap_or(u64::MAX)));
    let pass = if is_second { lang.pick("読み直し ", "deeper ") } else { "" };
    match (left, lang) {
        (Some(left), Lang::Ja) => format!("{pass}{done}/{total}　残り{left}"),
        (Some(left), Lang::En) => format!("{pass}{done}/{total} · {left} left"),
        (None, _) => format!("{pass}{done}/{total}"),
    }
}

/// Returns the number of positions of an analysis and the estimated time, if known: `103局面・約52秒＋読み直し`. The
/// positions of the second pass are known only after the first.
pub fn effort(positions: usize, time: Option<Duration>, deepens: bool, lang: Lang) -> String {
    let time = time.map(|time| approximate(time, lang));
    let first = match (lang, positions, time) {
        (_, 0, _) => lang.pick("解析する局面はありません", "No position to analyse").to_owned(),
        (Lang::Ja, _, Some(time)) => format!("{positions}局面・約{time}"),
        (Lang::Ja, _, None) => format!("{positions}局面"),
        (Lang::En, 1, Some(time)) => format!("1 position, about {time}"),
        (Lang::En, _, Some(time)) => format!("{positions} positions, about {time}"),
        (Lang::En, 1, None) => "1 position".to_owned(),
        (Lang::En, _, None) => format!("{positions} positions"),
    };
    let second = if deepens && positions > 0 { lang.pick("＋読み直し", ", then deeper") } else { "" };
    first + second
}

/// Formats an estimated time: `52秒`, `8分40秒`, `1時間20分`.
fn approximate(time: Duration, lang: Lang) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_millis() >= 500);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds.max(1) % 60);
    let units = [(hours, "時間", "h"), (minutes, "分", "min"), (seconds, "秒", "s")];
    // The two largest units are enough.
    let parts = units.into_iter().skip_while(|(count, ..)| *count == 0).take(2).filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, ja, en)| match lang {
        Lang::Ja => format!("{count}{ja}"),
        Lang::En => format!("{count} {en}"),
    });
    parts.collect::<Vec<_>>().join(lang.pick("", " "))
}

/// Returns the name of a handicap, given its name in records.
pub fn handicap(name: &str, lang: Lang) -> String {
    let english = match name {
        "平手" => "even",
        "香落ち" => "lance",
        "右香落ち" => "right lance",
        "角落ち" => "bishop",
        "飛車落ち" => "rook",
        "飛香落ち" => "rook and lance",
        "二枚落ち" => "two pieces",
        "三枚落ち" => "three pieces",
        "四枚落ち" => "four pieces",
        "五枚落ち" => "five pieces",
        "左五枚落ち" => "five pieces (left)",
        "六枚落ち" => "six pieces",
        "右七枚落ち" => "seven pieces (right)",
        "七枚落ち" => "seven pieces",
        "左七枚落ち" => "seven pieces (left)",
        "八枚落ち" => "eight pieces",
        "十枚落ち" => "ten pieces",
        other => other,
    };
    lang.pick(name, english).to_owned()
}

/// Returns the place in the game: `28手目　△６三銀`.
pub fn place(number: usize, word: &str, lang: Lang) -> String {
    match lang {
        _ if number == 0 => word.to_owned(),
        Lang::Ja => format!("{number}手目　{word}"),
        Lang::En => format!("{number}. {word}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_and_texts_of_commands_are_unique() {
        for text in [
            |command: &StudyCommand| command_text(*command, Lang::Ja),
            |command: &StudyCommand| command_text(*command, Lang::En),
            |command: &StudyCommand| command.name(),
        ] {
            assert_eq!(StudyCommand::ALL.iter().map(text).collect::<HashSet<_>>().len(), StudyCommand::ALL.len());
        }
    }

    #[test]
    fn the_effort_of_an_analysis_is_formatted() {
        let check = |positions, millis, ja: &str, en: &str| {
            let time = Some(Duration::from_millis(millis));
            assert_eq!([Lang::Ja, Lang::En].map(|lang| effort(positions, time, false, lang)), [ja, en]);
        };
        check(103, 51_500, "103局面・約52秒", "103 positions, about 52 s");
        check(1, 100, "1局面・約1秒", "1 position, about 1 s");
        check(520, 520_000, "520局面・約8分40秒", "520 positions, about 8 min 40 s");
        check(480, 4_800_000, "480局面・約1時間20分", "480 positions, about 1 h 20 min");
        check(60, 60_000, "60局面・約1分", "60 positions, about 1 min");
        check(0, 0, "解析する局面はありません", "No position to analyse");
        assert_eq!(effort(103, None, false, Lang::Ja), "103局面");
        assert_eq!(effort(103, None, true, Lang::Ja), "103局面＋読み直し");
        assert_eq!(effort(0, None, true, Lang::En), "No position to analyse");
    }

    #[test]
    fn clock_times_are_formatted() {
        let check = |millis, expect: &str| assert_eq!(clock(millis), expect);
        check(0, "0:00");
        check(65_999, "1:05");
        check(4_360_000, "1:12:40");
    }
}
