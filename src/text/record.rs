//! Messages about reading and writing records.

use super::Lang;
use super::position::{self, illegal, unsearchable};
use super::visible::visible;
use crate::kifu::{Loss, Reason, RecordProblem, Target, Warning};

/// Returns the warning of a reader with its line and column: `12:3: …`.
pub fn warning(warning: &Warning, lang: Lang) -> String {
    let text = match lang {
        Lang::Ja => format!("{}:{}: {}", warning.line, warning.column, problem(&warning.problem)),
        Lang::En => warning.to_string(),
    };
    visible(&text).into_owned()
}

/// Returns what a format cannot hold of a record.
pub fn loss(loss: &Loss, target: Target, lang: Lang) -> String {
    match (loss, lang) {
        (Loss::Games(count), Lang::Ja) => {
            format!("2局目以降の{count}局は出力していません。-o を指定すると NAME-2 以降に書きます。")
        }
        (Loss::Games(count), Lang::En) => {
            format!("further games, not written: {count}; -o writes them as NAME-2 and so on")
        }
        (_, Lang::Ja) => format!("{}：{target}形式では保存できません。", lost(loss, lang)),
        (_, Lang::En) => format!("{target} cannot hold {loss}"),
    }
}

fn problem(problem: &RecordProblem) -> String {
    match problem {
        RecordProblem::Undecodable(count, encoding) => {
            format!("{encoding}として読めない文字が{count}個あります。")
        }
        RecordProblem::UnknownLine(words) => format!("「{words}」は理解できません。"),
        RecordProblem::AfterMove(words) => format!("指し手の後の「{words}」は理解できません。"),
        RecordProblem::OddStart(why) => format!("開始局面が不自然です。{}", unsearchable(*why)),
        RecordProblem::NoStart => "開始局面の指定がありません。平手として読みます。".to_owned(),
        RecordProblem::UnknownHandicap(name) => format!("手合割「{name}」は知られていません。平手として読みます。"),
        RecordProblem::Rank => "局面図のこの段は9マスではありません。".to_owned(),
        RecordProblem::Piece(name) => format!("局面図の「{name}」は駒ではありません。"),
        RecordProblem::Ranks(count) => format!("局面図が{count}段です（9段ではないので使いません）。"),
        RecordProblem::Hand(words) => format!("「{words}」は持駒にできません。"),
        RecordProblem::OtherPiece(words) => format!("「{words}」の駒が盤上の駒と違います。"),
        RecordProblem::Number { expected, found } => format!("{expected}手目のはずが{found}手目です。"),
        RecordProblem::Total { said, read } => format!("{said}手までとありますが、{read}手あります。"),
        RecordProblem::Time(words) => format!("「{words}」は時間として読めません。"),
        RecordProblem::Unreadable(words) => format!("「{words}」は指し手として読めません。ここで手順を終えます。"),
        RecordProblem::Illegal(words, why) => {
            format!("「{words}」は指せません（{}）。ここで手順を終えます。", illegal(*why))
        }
        RecordProblem::NoSuchMove(words) => format!("「{words}」と動ける駒がありません。ここで手順を終えます。"),
        RecordProblem::Ambiguous(words) => format!("「{words}」は複数の駒にあてはまります。ここで手順を終えます。"),
        RecordProblem::WrongSign(words) => format!("「{words}」は手番と逆の符号です。"),
        RecordProblem::Resumed(reason) => {
            format!("{}の後に指し手が続いています。終局の印は残りません。", ending(*reason))
        }
        RecordProblem::Contradiction(words) => format!("「{words}」は終局の結果と矛盾します。"),
        RecordProblem::MovesAfterEnd(count) => format!("手順の終わりより後の指し手{count}手は読みません。"),
        RecordProblem::NoBranch(words) => format!("「{words}」の分岐元がありません。この変化は読みません。"),
        RecordProblem::NoPlaceFor(count) => format!("分岐元のない変化の{count}行は読みません。"),
        RecordProblem::Position(words, why) => {
            format!("「{words}」は局面として読めません（{}）。", position::sfen(why, Lang::Ja))
        }
        RecordProblem::NoEnd(words) => format!("「{words}」で始まるコメントが閉じていません。"),
        RecordProblem::MoreGames(count) => format!("ほかに{count}局ありますが読みません。"),
        RecordProblem::UnknownKey(key) => format!("キー「{key}」は知られていません。その内容は読みません。"),
        RecordProblem::KeyAgain(key) => format!("キー「{key}」が重複しています。後の内容は読みません。"),
        RecordProblem::Value(key, words) => format!("「{words}」は「{key}」の値として読めません。"),
        RecordProblem::NoJson(_) => "JSONとして読めません。これより後は読みません。".to_owned(),
        RecordProblem::BreaksOff => "棋譜の途中で終わっています。".to_owned(),
        RecordProblem::More(count) => format!("ほかに{count}件の問題があります。"),
    }
}

/// Returns what was lost, for the middle of a sentence.
pub(super) fn lost(loss: &Loss, lang: Lang) -> String {
    match lang {
        Lang::Ja => lost_in_japanese(loss),
        Lang::En => lost_in_english(loss),
    }
}

fn lost_in_japanese(loss: &Loss) -> String {
    match loss {
        Loss::FirstNumber(number) => format!("初手が{number}手目であること"),
        Loss::Headers(count) => format!("対局情報{count}件"),
        Loss::Comments(count) => format!("コメント{count}件"),
        Loss::Remarks(count) => format!("注記{count}件"),
        Loss::Bookmarks(count) => format!("しおり{count}件"),
        Loss::Variations(count) => format!("変化{count}件"),
        Loss::Times(count) => format!("消費時間{count}件"),
        Loss::Fractions(count) => format!("秒未満の時間{count}件"),
        Loss::Ends(count) => format!("終局の種類{count}件"),
        Loss::Character { character, count, replacement } => {
            format!("文字「{character}」{count}個（「{replacement}」に置き換え）")
        }
        Loss::Games(count) => format!("2局目以降の{count}局"),
    }
}

fn lost_in_english(loss: &Loss) -> String {
    let many = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let of_many = |what: &str, count: usize, one: &str| format!("{what} of {}", many(count, one));
    match loss {
        Loss::FirstNumber(_) => loss.to_string(),
        Loss::Headers(count) => many(*count, "header"),
        Loss::Comments(count) => many(*count, "comment"),
        Loss::Remarks(count) => many(*count, "remark"),
        Loss::Bookmarks(count) => many(*count, "bookmark"),
        Loss::Variations(count) => many(*count, "variation"),
        Loss::Times(count) => of_many("the times", *count, "move"),
        Loss::Fractions(count) => of_many("the fractions of a second", *count, "time"),
        Loss::Ends(count) => of_many("what is said of the end", *count, "line"),
        Loss::Character { character, replacement, .. } => {
            format!("the character '{character}' (U+{:04X}), for which it has '{replacement}'", u32::from(*character))
        }
        Loss::Games(count) => many(*count, "further game"),
    }
}

const fn ending(reason: Reason) -> &'static str {
    match reason {
        Reason::Sealed => "封じ手",
        _ => "中断",
    }
}
