//! Messages about reading and writing records.

use super::message::unsearchable;
use super::visible::visible;
use super::{Lang, notate};
use crate::kifu::{Loss, Reason, RecordProblem, Target, Warning};
use crate::shogi::notation::MoveReadError;
use crate::shogi::{IllegalMove, Move, Notation, Position, Style, in_kanji};

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
            format!("「{words}」は局面として読めません（{}）。", notate::sfen(why, Lang::Ja))
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

pub(super) fn illegal(why: IllegalMove) -> String {
    match why {
        IllegalMove::NoPiece(square) => format!("{}に駒がありません", in_kanji(square)),
        IllegalMove::OpponentsPiece(square) => format!("{}の駒は相手のものです", in_kanji(square)),
        IllegalMove::NotInHand(kind) => format!("持駒に{}がありません", kind.kanji()),
        IllegalMove::Occupied(square) => format!("{}には動けません", in_kanji(square)),
        IllegalMove::OutOfReach { from, to } => format!("{}の駒は{}に動けません", in_kanji(from), in_kanji(to)),
        IllegalMove::NoPromotion => "ここでは成れません".to_owned(),
        IllegalMove::DeadPiece => "行き所のない駒です".to_owned(),
        IllegalMove::TwoPawns => "二歩です".to_owned(),
        IllegalMove::PawnDropMate => "打ち歩詰めです".to_owned(),
        IllegalMove::LeavesKingInCheck => "王手放置です".to_owned(),
        IllegalMove::TooLong => "手数が多すぎます".to_owned(),
        IllegalMove::HandFull(kind) => format!("持駒の{}が多すぎます", kind.kanji()),
    }
}

/// Returns why a typed text is not a move.
pub fn no_move(why: &MoveReadError, position: &Position, lang: Lang) -> String {
    match (why, lang) {
        (MoveReadError::Unreadable(_), Lang::Ja) => "指し手として読めません（例：76歩、7776、7g7f）。".to_owned(),
        (MoveReadError::Unreadable(_), Lang::En) => "This is no move, as P-7f, 7g7f or 7776 would be.".to_owned(),
        (MoveReadError::NoMoveBefore, Lang::Ja) => "「同」の前の手がありません。".to_owned(),
        (MoveReadError::NoSuchMove { kind, to }, Lang::Ja) => {
            format!("{}へそのように動ける{}はありません。", in_kanji(*to), kind.kanji())
        }
        (MoveReadError::Illegal { reason, .. }, Lang::Ja) => format!("{}。", illegal(*reason)),
        (MoveReadError::Ambiguous(moves), Lang::Ja) => {
            format!("どの手か決まりません（{}）。", words(moves, position, Style::Japanese).join("、"))
        }
        (MoveReadError::Ambiguous(moves), Lang::En) => {
            format!("It could be {}.", words(moves, position, Style::Hodges).join(" or "))
        }
        (why, Lang::En) => {
            let why = why.to_string();
            let mut letters = why.chars();
            letters.next().map(|first| format!("{}{}.", first.to_uppercase(), letters.as_str())).unwrap_or_default()
        }
    }
}

fn words(moves: &[Move], position: &Position, style: Style) -> Vec<String> {
    let word = |mv: &Move| {
        let mut word = String::new();
        Notation::new(style).write(&mut word, position, *mv, None).ok().map(|()| word)
    };
    moves.iter().filter_map(word).collect()
}

const fn ending(reason: Reason) -> &'static str {
    match reason {
        Reason::Sealed => "封じ手",
        _ => "中断",
    }
}
