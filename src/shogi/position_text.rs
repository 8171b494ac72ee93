//! The reasons why a position or a move is not valid.

use crate::board_text::square_name;
use crate::notation::MoveReadError;
use crate::{
    Color, Digits, IllegalMove, Move, Notation, OtherGame, Position, SfenError, Style, Unsearchable,
};
use shogibar_base::Lang;

/// Returns why a position cannot be sent to an engine, as a sentence.
pub fn unsearchable(why: Unsearchable, lang: Lang) -> String {
    if lang == Lang::En {
        return why.to_string();
    }
    match why {
        Unsearchable::Kings(Color::Black) => "先手の玉が1枚ではありません。".to_owned(),
        Unsearchable::Kings(Color::White) => "後手の玉が1枚ではありません。".to_owned(),
        Unsearchable::OpponentInCheck => "手番でない側の玉に王手がかかっています。".to_owned(),
        Unsearchable::TooMany(kind) => format!("駒（{}）の枚数が多すぎます。", kind.kanji()),
        Unsearchable::TwoPawns(file) => format!("{file}筋が二歩になっています。"),
        Unsearchable::DeadPiece(square) => {
            format!("{}に行き所のない駒があります。", square_name(square, Lang::Ja))
        }
    }
}

/// Returns why a move is not legal.
pub fn illegal(why: IllegalMove, lang: Lang) -> String {
    if lang == Lang::En {
        return why.to_string();
    }
    match why {
        IllegalMove::NoPiece(square) => format!("{}に駒がありません", square_name(square, Lang::Ja)),
        IllegalMove::OpponentsPiece(square) => {
            format!("{}の駒は相手のものです", square_name(square, Lang::Ja))
        }
        IllegalMove::NotInHand(kind) => format!("持駒に{}がありません", kind.kanji()),
        IllegalMove::Occupied(square) => format!("{}には動けません", square_name(square, Lang::Ja)),
        IllegalMove::OutOfReach { from, to } => {
            format!(
                "{}の駒は{}に動けません",
                square_name(from, Lang::Ja),
                square_name(to, Lang::Ja)
            )
        }
        IllegalMove::NoPromotion => "ここでは成れません".to_owned(),
        IllegalMove::DeadPiece => "行き所のない駒です".to_owned(),
        IllegalMove::TwoPawns => "二歩です".to_owned(),
        IllegalMove::PawnDropMate => "打ち歩詰めです".to_owned(),
        IllegalMove::LeavesKingInCheck => "王手放置です".to_owned(),
        IllegalMove::TooLong => "手数が多すぎます".to_owned(),
        IllegalMove::HandFull(kind) => format!("持駒の{}が多すぎます", kind.kanji()),
    }
}

/// Returns the name of a game that is not shogi, in Japanese.
pub fn other_game(game: OtherGame) -> String {
    match game {
        OtherGame::Named(japanese, _) => japanese.to_owned(),
        OtherGame::Board { .. } if game.has_5x5_board() => "5×5マスの5五将棋か京都将棋".to_owned(),
        OtherGame::Board { files, ranks } => format!("{files}×{ranks}マスの盤のゲーム"),
    }
}

/// Returns why an SFEN is not a position, for the middle of a sentence.
pub fn sfen(error: &SfenError, lang: Lang) -> String {
    if lang == Lang::En {
        return error.to_string();
    }
    match error {
        SfenError::ChessFen => "将棋の SFEN ではなくチェスの FEN です".to_owned(),
        SfenError::OtherGame(game) => format!("将棋ではなく{}です", other_game(*game)),
        SfenError::Missing(part) => {
            let part = match *part {
                "board" => "盤面",
                "side to move" => "手番",
                _ => "持駒",
            };
            format!("{part}がありません")
        }
        SfenError::Ranks(count) => format!("盤面が9段ではなく{count}段です"),
        SfenError::RankLength(rank) => {
            let number = u32::from(*rank).saturating_sub(u32::from('a')) + 1;
            format!("{number}段目が9マスではありません")
        }
        SfenError::Piece(letter) => format!("「{letter}」は駒ではありません"),
        SfenError::Side(side) => format!("手番が b でも w でもなく「{side}」です"),
        SfenError::Hands(hands) => format!("持駒「{hands}」を読めません"),
        SfenError::MoveNumber(number) => format!("手数「{number}」が0から65535までの数ではありません"),
        SfenError::Trailing(words) => format!("局面の後に「{words}」が続いています"),
    }
}

/// Returns why a typed text is not a move, as a sentence.
pub fn no_move(why: &MoveReadError, position: &Position, lang: Lang) -> String {
    match (why, lang) {
        (MoveReadError::Unreadable(_), Lang::Ja) => {
            "指し手として読めません（例：76歩、7776、7g7f）。".to_owned()
        }
        (MoveReadError::Unreadable(_), Lang::En) => {
            "This is not a move, such as P-7f, 7g7f or 7776.".to_owned()
        }
        (MoveReadError::NoMoveBefore, Lang::Ja) => "「同」の前の手がありません。".to_owned(),
        (MoveReadError::NoSuchMove { kind, to }, Lang::Ja) => {
            format!(
                "{}へそのように動ける{}はありません。",
                square_name(*to, Lang::Ja),
                kind.kanji()
            )
        }
        (MoveReadError::Illegal { reason, .. }, Lang::Ja) => format!("{}。", illegal(*reason, lang)),
        (MoveReadError::Ambiguous(moves), Lang::Ja) => {
            format!(
                "どの手か決まりません（{}）。",
                move_words(moves, position, Style::Japanese).join("、")
            )
        }
        (MoveReadError::Ambiguous(moves), Lang::En) => {
            format!(
                "It could be {}.",
                move_words(moves, position, Style::Hodges).join(" or ")
            )
        }
        (why, Lang::En) => {
            let why = why.to_string();
            let mut letters = why.chars();
            letters
                .next()
                .map(|first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
                .unwrap_or_default()
        }
    }
}

fn move_words(moves: &[Move], position: &Position, style: Style) -> Vec<String> {
    let word = |mv: &Move| {
        let mut word = String::new();
        Notation {
            digits: Digits::Half,
            ..Notation::new(style)
        }
        .write(&mut word, position, *mv, None)
        .ok()
        .map(|()| word)
    };
    moves.iter().filter_map(word).collect()
}
