//! Texts of the graph of a game.

use super::{Lang, phrase};
use crate::score::Value;
use crate::shogi::Color;

phrases! {
    /// A short text of the graph.
    pub enum GraphWord {
        /// The title of the graph.
        Graph => "形勢グラフ", "Graph of the game";
        /// The time of a move.
        Time => "消費時間", "Time";
        /// Shown before any analysis.
        Nothing => "まだ解析されていません", "nothing analysed yet";
        /// Shown while the evaluation is hidden.
        Hidden => "評価値を隠しています", "the evaluation is hidden";
        /// Shown while the judge is searching and moves have no marks yet.
        Withheld => "印は解析が終わってから付きます", "marks follow when the analysis is done";
    }
}

/// Returns a place in the game: `28手目`, `move 28`, or the start.
pub fn place(ply: usize, lang: Lang) -> String {
    match ply {
        0 => say!(lang: "開始局面", "start"),
        _ => say!(lang: "{ply}手目", "move {ply}"),
    }
}

/// Formats seconds as minutes and seconds, with hours if any: `1:05`, `1:00:05`.
pub fn time(seconds: u32) -> String {
    phrase::clock(seconds.into())
}

/// Formats centipawns with their sign: `+132`, `−47`, `0`.
pub fn centipawns(cp: i32) -> String {
    match cp {
        0 => "0".to_owned(),
        1.. => format!("+{cp}"),
        _ => format!("−{}", cp.unsigned_abs()),
    }
}

/// Formats a value in Black's view: `+132`, `先手勝ち　詰みまで 7手`. The array holds the names of the sides.
pub fn value(value: Value, [black, white]: [&str; 2], lang: Lang) -> String {
    let title = |winner| if winner == Color::Black { black } else { white };
    match value {
        Value::Cp(cp) => centipawns(cp),
        Value::Won(winner) => phrase::wins(title(winner), lang),
        Value::Mate { winner, plies } => phrase::mate_in(title(winner), plies, lang),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_times_are_formatted() {
        let sides = ["先手", "後手"];
        assert_eq!([-47, 0, 132].map(centipawns), ["−47", "0", "+132"]);
        assert_eq!(centipawns(i32::MIN), "−2147483648");
        assert_eq!(
            value(Value::Mate { winner: Color::White, plies: Some(7) }, sides, Lang::Ja),
            "後手の勝ち筋　あと7手で詰み"
        );
        assert_eq!(value(Value::Won(Color::Black), sides, Lang::Ja), "先手の勝ち");
        assert_eq!([5, 65, 3605].map(time), ["0:05", "1:05", "1:00:05"]);
        assert_eq!([place(0, Lang::En), place(28, Lang::Ja)], ["start", "28手目"]);
    }
}
