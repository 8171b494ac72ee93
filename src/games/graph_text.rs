//! Texts of the graph of a game.

use crate::phrase;
use shogibar_base::{Lang, phrases, say};
use shogibar_shogi::Color;
use shogibar_shogi::score::Value;

phrases! {
    /// A short text of the graph.
    pub enum GraphWord {
        Graph => "形勢グラフ", "Graph of the game";
        Time => "消費時間", "Time";
        Nothing => "まだ解析されていません", "Not analysed yet";
        Hidden => "評価値を伏せています", "The evaluation is hidden";
        Withheld => "印は解析が終わってから付きます", "Marks follow when the analysis is done";
        Heading => "形勢", "Evaluation";
        MainLine => "本譜", "Game";
        Variation => "変化", "Variation";
        Options => "グラフの表示", "Graph options";
        ZoomIn => "拡大", "Zoom in";
        ZoomOut => "縮小", "Zoom out";
        ShowAll => "全体を表示", "Show the whole game";
        Live => "棋譜に評価値のない局面は、検討中に表示した評価値を使っています", "Where the record has no evaluation, the value shown during the search";
        InaccuracyLetter => "緩", "~";
        DubiousLetter => "疑", "?!";
        MistakeLetter => "悪", "?";
        BlunderLetter => "悪", "??";
    }
}

/// Returns a position in the game: `28手目`, `move 28`, or the start.
pub fn ply_label(ply: usize, lang: Lang) -> String {
    match ply {
        0 => say!(lang: "開始局面", "start"),
        _ => say!(lang: "{ply}手目", "move {ply}"),
    }
}

/// Formats seconds as minutes and seconds, with hours if any: `1:05`, `1:00:05`.
pub fn time(seconds: u32) -> String {
    phrase::clock(seconds.into())
}

/// Formats a number with its sign: `+132`, `−47`, `±0`.
pub fn signed(number: i32) -> String {
    match number {
        0 => "±0".to_owned(),
        1.. => format!("+{number}"),
        _ => format!("−{}", number.unsigned_abs()),
    }
}

/// Formats a value in Black's view: `+132`, `後手の勝ち筋　あと7手で詰み`. The array holds the names of the sides.
pub fn value(value: Value, [black, white]: [&str; 2], lang: Lang) -> String {
    let title = |winner| if winner == Color::Black { black } else { white };
    match value {
        Value::Cp(cp) => signed(cp),
        Value::Won(winner) => phrase::wins(title(winner), lang),
        Value::Mate { winner, plies } => phrase::mate_in(title(winner), plies, lang),
    }
}

/// The numbers of bad moves of a side, and its accuracy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MistakeCounts {
    /// The accuracy from 0 to 100, if it is known.
    pub accuracy: Option<f64>,
    /// The number of blunders.
    pub blunders: usize,
    /// The number of other mistakes.
    pub mistakes: usize,
    /// The number of dubious moves.
    pub dubious: usize,
}

/// Returns the bad moves of both sides in short: `先 悪2 疑2　後 悪1 疑1`, `Black ??×1 ?×1 ?!×2   White ??×0 ?×1 ?!×1`.
pub fn short_counts(counts: [MistakeCounts; 2], titles: [&str; 2], lang: Lang) -> String {
    let one = |counts: MistakeCounts, title: &str| {
        // In Japanese the first letter is the usual short form.
        let length = if lang == Lang::Ja { 1 } else { usize::MAX };
        let short: String = title.chars().take(length).collect();
        let MistakeCounts {
            blunders,
            mistakes,
            dubious,
            ..
        } = counts;
        let letters = [
            GraphWord::BlunderLetter,
            GraphWord::MistakeLetter,
            GraphWord::DubiousLetter,
        ];
        let [worst, bad, doubtful] = letters.map(|letter| letter.text(lang));
        let all = blunders + mistakes;
        say!(lang:
            "{short} {bad}{all} {doubtful}{dubious}",
            "{short} {worst}×{blunders} {bad}×{mistakes} {doubtful}×{dubious}")
    };
    let ([first, second], [black, white]) = (counts, titles);
    [one(first, black), one(second, white)].join(lang.pick("　", "   "))
}

/// Returns the bad moves of both sides: `先手　悪手2・疑問手2　　後手　悪手1・疑問手1`,
/// `Black: accuracy 96 %, 1 blunder, 2 mistakes     White: no mistakes`.
pub fn long_counts(counts: [MistakeCounts; 2], titles: [&str; 2], lang: Lang) -> String {
    let one = |counts: MistakeCounts, title: &str| {
        let MistakeCounts {
            accuracy,
            blunders,
            mistakes,
            dubious,
        } = counts;
        let words = [
            (blunders, "blunder", "blunders"),
            (mistakes, "mistake", "mistakes"),
            (dubious, "dubious", "dubious"),
        ];
        let words = words.into_iter().filter(|(count, ..)| *count > 0);
        let words =
            words.map(|(count, one, several)| format!("{count} {}", if count == 1 { one } else { several }));
        let none = (blunders + mistakes + dubious == 0).then(|| "no mistakes".to_owned());
        let accuracy = accuracy.map(|accuracy| format!("accuracy {accuracy:.0} %"));
        let english = accuracy
            .into_iter()
            .chain(words)
            .chain(none)
            .collect::<Vec<_>>()
            .join(", ");
        let all = blunders + mistakes;
        say!(lang: "{title}　悪手{all}・疑問手{dubious}", "{title}: {english}")
    };
    let ([first, second], [black, white]) = (counts, titles);
    [one(first, black), one(second, white)].join(lang.pick("　　", "     "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_summed_up() {
        let counts = |accuracy, blunders, mistakes, dubious| MistakeCounts {
            accuracy,
            blunders,
            mistakes,
            dubious,
        };
        let both = [counts(Some(96.4), 1, 1, 2), counts(None, 0, 1, 0)];
        assert_eq!(
            short_counts(both, ["先手", "後手"], Lang::Ja),
            "先 悪2 疑2　後 悪1 疑0"
        );
        assert_eq!(
            short_counts(both, ["Black", "White"], Lang::En),
            "Black ??×1 ?×1 ?!×2   White ??×0 ?×1 ?!×0"
        );
        assert_eq!(
            long_counts(both, ["下手", "上手"], Lang::Ja),
            "下手　悪手2・疑問手2　　上手　悪手1・疑問手0"
        );
        assert_eq!(
            long_counts(both, ["Black", "White"], Lang::En),
            "Black: accuracy 96 %, 1 blunder, 1 mistake, 2 dubious     White: 1 mistake"
        );
        let none = [MistakeCounts::default(); 2];
        assert_eq!(
            long_counts(none, ["Black", "White"], Lang::En),
            "Black: no mistakes     White: no mistakes"
        );
    }

    #[test]
    fn values_and_times_are_formatted() {
        let sides = ["先手", "後手"];
        assert_eq!([-47, 0, 132].map(signed), ["−47", "±0", "+132"]);
        assert_eq!(signed(i32::MIN), "−2147483648");
        assert_eq!(
            value(
                Value::Mate {
                    winner: Color::White,
                    plies: Some(7)
                },
                sides,
                Lang::Ja
            ),
            "後手の勝ち筋　あと7手で詰み"
        );
        assert_eq!(value(Value::Won(Color::Black), sides, Lang::Ja), "先手の勝ち");
        assert_eq!([5, 65, 3605].map(time), ["0:05", "1:05", "1:00:05"]);
        assert_eq!(
            [ply_label(0, Lang::En), ply_label(28, Lang::Ja)],
            ["start", "28手目"]
        );
    }
}
