//! Messages about reading and writing records.

use crate::{Container, Loss, Reason, RecordProblem, Target, Warning};
use shogibar_base::count::counted;
use shogibar_base::visible::{visible, with_particle_space};
use shogibar_base::{Lang, say};
use shogibar_shogi::board_text::square_name;
use shogibar_shogi::position_text::{self, illegal, unsearchable};

/// Returns the warning of a reader with its line and column: `12:3: …`.
pub fn warning(warning: &Warning, lang: Lang) -> String {
    let text = match lang {
        Lang::Ja => format!(
            "{}:{}: {}",
            warning.line,
            warning.column,
            problem_in_japanese(&warning.problem)
        ),
        Lang::En => warning.to_string(),
    };
    visible(&text).into_owned()
}

/// Returns why a file is not read as a record, with the number of the line.
pub fn reason(warning: &Warning, lang: Lang) -> String {
    let text = match lang {
        Lang::Ja => format!("{}行目：{}", warning.line, problem_in_japanese(&warning.problem)),
        Lang::En => format!("line {}: {}.", warning.line, warning.problem),
    };
    visible(&text).into_owned()
}

/// Returns the description of found games, in one line: `KENTO address: 74 moves`. `moves` is the number of moves of
/// the first game.
pub fn found(container: Container, games: usize, moves: usize, lang: Lang) -> String {
    let container_text = match container {
        Container::Address { site: Some(site), .. } => {
            say!(lang: "{site}のアドレス", "{site} address", site = with_particle_space(site.name(), lang))
        }
        Container::Address { site: None, .. } => say!(lang: "アドレス", "Address"),
        Container::Page => say!(lang: "ウェブページ", "Web page"),
        Container::Log => say!(lang: "エンジンのログ", "Engine log"),
        Container::Prose => say!(lang: "文章の中の指し手", "Moves in prose"),
        Container::Mail => say!(lang: "メールの中の棋譜", "Record in a mail"),
        Container::Quote => say!(lang: "引用された棋譜", "Quoted record"),
        Container::Json => say!(lang: "JSON の中の棋譜", "Record in JSON"),
        Container::Record => say!(lang: "棋譜", "Record"),
    };
    let amount = match (games, moves) {
        (0 | 1, 0) => say!(lang: "局面", "a position"),
        (0 | 1, moves) => say!(lang: "{moves}手", "{moves}" [moves: "move"]),
        (games, _) => say!(lang: "{games}局見つかりました（1/{games}）", "{games} games found (1/{games})"),
    };
    say!(lang: "{container_text}：{amount}", "{container_text}: {amount}")
}

/// Returns the description of found games whose first one ends before a move that cannot be played. `words` are those of
/// the move.
pub fn found_until(container: Container, games: usize, moves: usize, words: &str, lang: Lang) -> String {
    let (found, number, words) = (found(container, games, moves, lang), moves + 1, visible(words));
    say!(lang: "{found}。{number}手目の「{words}」は指せません。", "{found}. Move {number}, {words}, cannot be played.")
}

/// Returns the description of found games with the number of places that could not be read.
pub fn found_in_part(container: Container, games: usize, moves: usize, places: usize, lang: Lang) -> String {
    let found = found(container, games, moves, lang);
    say!(lang: "{found}。読めない所が{places}か所あります。", "{found}. {places} could not be read." [places: "place"])
}

/// Returns the message about a part of a record that a format cannot hold.
pub fn loss(loss: &Loss, target: Target, lang: Lang) -> String {
    let part = lost_part(loss, lang);
    match loss {
        Loss::Games(count) => say!(lang:
            "2局目以降の{count}局は出力していません。-o を指定すると NAME-2 以降に書きます。",
            "further games, not written: {count}; -o writes them as NAME-2 and so on"),
        _ => say!(lang: "{part}：{target}形式では保存できません。", "{target} cannot hold {loss}"),
    }
}

fn problem_in_japanese(problem: &RecordProblem) -> String {
    match problem {
        RecordProblem::UndecodableCharacters(count, encoding) => {
            format!("{encoding}として読めない文字が{count}個あります。")
        }
        RecordProblem::UnknownLine(words) => format!("「{words}」は理解できません。"),
        RecordProblem::SkippedPassages(count) => format!("指し手でない文を{count}か所とばしました。"),
        RecordProblem::MovesNotInTurn(count) => format!("順に指せない手が{count}あり、読んでいません。"),
        RecordProblem::TextAfterMove(words) => format!("指し手の後の「{words}」は理解できません。"),
        RecordProblem::OddStart(why) => format!("開始局面が不自然です。{}", unsearchable(*why, Lang::Ja)),
        RecordProblem::NoStart => "開始局面の指定がありません。平手として読みます。".to_owned(),
        RecordProblem::UnknownHandicap(name) => {
            format!("手合割「{name}」は分かりません。平手として読みます。")
        }
        RecordProblem::UnfitHandicap(name) if name == "その他" => {
            "手合割「その他」の局面図がなく、指し手も平手に合いません。".to_owned()
        }
        RecordProblem::UnfitHandicap(name) => {
            format!("手合割「{name}」が分からず、指し手も平手に合いません。局面図があれば読めます。")
        }
        RecordProblem::DecidedStart(name, empty) => format!(
            "手合割「{name}」には二通りの開始局面があります。指し手がすべて合うのは、{}に駒のないほうだけです。",
            square_name(*empty, Lang::Ja)
        ),
        RecordProblem::LikelierStart(name, empty) => format!(
            "手合割「{name}」には二通りの開始局面があります。指し手がより多く合う、{}に駒のないほうで読みます。",
            square_name(*empty, Lang::Ja)
        ),
        RecordProblem::UndecidedStart(name, empty) => format!(
            "手合割「{name}」には二通りの開始局面があります。通例の、{}に駒のないほうで読みます。",
            square_name(*empty, Lang::Ja)
        ),
        RecordProblem::OtherStart(name) => {
            format!("局面が手合割「{name}」の開始局面と違います。局面のほうで読みます。")
        }
        RecordProblem::OtherGame(game) => {
            format!("これは将棋ではなく{}です。", position_text::other_game(*game))
        }
        RecordProblem::SecondHeader { key, used, ignored } => {
            format!("「{key}：{ignored}」は使いません（先に「{key}：{used}」とあるため）。")
        }
        RecordProblem::SecondStatement { used, ignored } => {
            format!("「{ignored}」は読みません（先に「{used}」とあるため）。")
        }
        RecordProblem::RankWidth => "局面図のこの段は9マスではありません。".to_owned(),
        RecordProblem::UnknownPiece(name) => format!("局面図の「{name}」は駒ではありません。"),
        RecordProblem::RankCount(count) => format!("局面図が{count}段です（9段ではないので使いません）。"),
        RecordProblem::InvalidHand(words) => format!("「{words}」は持駒にできません。"),
        RecordProblem::OtherPiece(words) => format!("「{words}」の駒が盤上の駒と違います。"),
        RecordProblem::MoveNumber { expected, found } => format!("{expected}手目のはずが{found}手目です。"),
        RecordProblem::MoveCount { stated, read } => {
            format!("{stated}手までとありますが、{read}手あります。")
        }
        RecordProblem::InvalidTime(words) => format!("「{words}」は時間として読めません。"),
        RecordProblem::SecondTime(words) => format!("「{words}」は二つ目の時間です。最初の時間を残します。"),
        RecordProblem::UnreadableMove(words) => {
            format!("「{words}」は指し手として読めません。ここで手順を終えます。")
        }
        RecordProblem::IllegalMove(words, why) => {
            format!(
                "「{words}」は指せません（{}）。ここで手順を終えます。",
                illegal(*why, Lang::Ja)
            )
        }
        RecordProblem::NoSuchMove(words) => {
            format!("「{words}」と動ける駒がありません。ここで手順を終えます。")
        }
        RecordProblem::AmbiguousMove(words) => {
            format!("「{words}」は複数の駒にあてはまります。ここで手順を終えます。")
        }
        RecordProblem::WrongSign(words) => format!("「{words}」は手番と逆の符号です。"),
        RecordProblem::ResumedGame(reason) => {
            format!(
                "{}の後に指し手が続いています。終局の印は残りません。",
                end_in_japanese(*reason)
            )
        }
        RecordProblem::Contradiction(words) => format!("「{words}」は終局の結果と矛盾します。"),
        RecordProblem::MovesAfterEnd(count) => format!("手順の終わりより後の指し手{count}手は読みません。"),
        RecordProblem::NoBranchPoint(words) => {
            format!("「{words}」の分岐元がありません。この変化は読みません。")
        }
        RecordProblem::LinesWithoutBranchPoint(count) => format!("分岐元のない変化の{count}行は読みません。"),
        RecordProblem::InvalidPosition(words, why) => {
            format!(
                "「{words}」は局面として読めません（{}）。",
                position_text::sfen(why, Lang::Ja)
            )
        }
        RecordProblem::UnclosedComment(words) => format!("「{words}」で始まるコメントが閉じていません。"),
        RecordProblem::MoreGames(count) => format!("ほかに{count}局ありますが読みません。"),
        RecordProblem::UnknownKey(key) => format!("キー「{key}」は知られていません。その内容は読みません。"),
        RecordProblem::SecondKey(key) => format!("キー「{key}」が重複しています。後の内容は読みません。"),
        RecordProblem::InvalidValue(key, words) => format!("「{words}」は「{key}」の値として読めません。"),
        RecordProblem::InvalidJson(_) => "JSONとして読めません。これより後は読みません。".to_owned(),
        RecordProblem::UnexpectedEnd => "棋譜の途中で終わっています。".to_owned(),
        RecordProblem::MoreWarnings(count) => format!("ほかに{count}件の問題があります。"),
    }
}

/// Returns the part of a record that a format cannot hold.
pub fn lost_part(loss: &Loss, lang: Lang) -> String {
    let items = |count: usize, ja: &str, of: &str, en: &str| {
        let english = counted(&count, &[en]);
        say!(lang: "{ja}{count}件", "{of}{english}")
    };
    match loss {
        Loss::FirstNumber(number) => say!(lang: "初手が{number}手目であること", "{loss}"),
        Loss::Headers(count) => items(*count, "対局情報", "", "header"),
        Loss::Comments(count) => items(*count, "コメント", "", "comment"),
        Loss::Remarks(count) => items(*count, "注記", "", "remark"),
        Loss::Bookmarks(count) => items(*count, "しおり", "", "bookmark"),
        Loss::Variations(count) => items(*count, "変化", "", "variation"),
        Loss::Times(count) => items(*count, "消費時間", "the times of ", "move"),
        Loss::Fractions(count) => items(*count, "秒未満の時間", "the fractions of a second of ", "time"),
        Loss::Ends(count) => items(*count, "終局の種類", "the ending of ", "line"),
        Loss::Character {
            character,
            count,
            replacement,
        } => {
            let code = u32::from(*character);
            say!(lang:
                "文字「{character}」{count}個（「{replacement}」に置き換え）",
                "the character '{character}' (U+{code:04X}), replaced by '{replacement}'")
        }
        Loss::Games(count) => say!(lang: "2局目以降の{count}局", "{count}" [count: "further game"]),
    }
}

/// Returns the name of an end after which a game can be resumed: 封じ手 or 中断.
const fn end_in_japanese(reason: Reason) -> &'static str {
    match reason {
        Reason::Sealed => "封じ手",
        _ => "中断",
    }
}

/// Formats a number of bytes in the largest unit that needs no fraction.
pub fn size(bytes: usize) -> String {
    let units = [(1 << 20, "MB"), (1 << 10, "kB")];
    let fitting = units
        .iter()
        .find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit));
    fitting.map_or_else(
        || format!("{bytes} B"),
        |(unit, name)| format!("{} {name}", bytes / unit),
    )
}

/// Returns the first of `count` kinds of loss, and the number of kinds. Japanese counts all kinds, English the others.
pub fn lost_parts(loss: &Loss, count: usize, lang: Lang) -> String {
    let (first, others) = (lost_part(loss, lang), count.saturating_sub(1));
    match others {
        0 => first,
        1 => say!(lang: "{first}など{count}種類", "{first} and one other kind of data"),
        _ => say!(lang: "{first}など{count}種類", "{first} and {others} other kinds of data"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ShareSite;

    #[test]
    fn the_container_is_named_in_one_line() {
        let check = |container, games, moves, ja: &str, en: &str| {
            assert_eq!(
                [Lang::Ja, Lang::En].map(|lang| found(container, games, moves, lang)),
                [ja, en]
            );
        };
        let kento = Container::Address {
            site: Some(ShareSite::Kento),
            ply: None,
        };
        check(kento, 1, 74, "KENTO のアドレス：74手", "KENTO address: 74 moves");
        check(
            Container::Address {
                site: None,
                ply: None,
            },
            1,
            0,
            "アドレス：局面",
            "Address: a position",
        );
        check(
            Container::Prose,
            1,
            1,
            "文章の中の指し手：1手",
            "Moves in prose: 1 move",
        );
        check(
            Container::Mail,
            1,
            107,
            "メールの中の棋譜：107手",
            "Record in a mail: 107 moves",
        );
        let page = "ウェブページ：3局見つかりました（1/3）";
        check(Container::Page, 3, 9, page, "Web page: 3 games found (1/3)");
        let log = "エンジンのログ：2局見つかりました（1/2）";
        check(Container::Log, 2, 0, log, "Engine log: 2 games found (1/2)");
        let until = |lang| found_until(Container::Mail, 1, 30, "▲５五角", lang);
        assert_eq!(
            until(Lang::Ja),
            "メールの中の棋譜：30手。31手目の「▲５五角」は指せません。"
        );
        assert_eq!(
            until(Lang::En),
            "Record in a mail: 30 moves. Move 31, ▲５五角, cannot be played."
        );
        assert_eq!(
            found_in_part(Container::Record, 1, 2, 1, Lang::En),
            "Record: 2 moves. 1 place could not be read."
        );
    }
}
