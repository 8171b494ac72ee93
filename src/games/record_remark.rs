//! Messages about the file of the current record, and about its commands.

use crate::engine_game_text::EngineGamePhrase;
use shogibar_base::visible::{file_name, visible};
use shogibar_base::{CauseText, Lang, messages};
use shogibar_kifu::{Container, Loss, Target, record_text};

messages! {
    /// A message about the current record.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum RecordRemark in lang {
        /// The record was saved to this file.
        Saved(name: String) => "{name} に保存しました。", "Saved as {name}.";
        /// The record was saved to this file, in this format, with losses. Holds the first kind of loss and the number
        /// of kinds.
        SavedWithLoss(name: String, target: Target, loss: Loss, count: usize) =>
            "{name} に保存しましたが、{loss}は保存できませんでした（{target}形式）。",
            "Saved as {name}, but {target} cannot hold {loss}.", loss = record_text::lost_parts(loss, *count, lang);
        /// A report was not written, because this file exists already.
        ReportExists(name: String) =>
            "{name} は既にあるので書きませんでした。別の名前を付けてください。",
            "{name} already exists and was not overwritten. Choose another name.";
        /// The move after the newest of a followed game cannot be played; holds its number and its words.
        NextIllegal(number: usize, words: String) =>
            "{number}手目の「{words}」は指せない手です。その前までを表示しています。",
            "Move {number}, {words}, cannot be played. The moves before it are shown.";
        /// The move after the newest of a followed game cannot be read; holds its number and its words.
        NextUnreadable(number: usize, words: String) =>
            "{number}手目の「{words}」は読めません。その前までを表示しています。",
            "Move {number}, {words}, cannot be read. The moves before it are shown.";
        /// The position after the last move is shown, so there is no step forward; holds the number of moves.
        LastMove(ply: usize) => "最後の手です（{ply}手目）。", "This is the last move ({ply}).";
        /// The record has no unsaved changes.
        NothingToSave => "保存する変更はありません。", "There are no changes to save.";
        /// Only the position was written to this file.
        PositionSaved(name: String) =>
            "{name} に局面だけを書き出しました。棋譜そのものはまだ保存されていません。",
            "Only the position was saved to {name}. The record itself is not saved yet.";
        NotSaved(why: CauseText) =>
            "保存できませんでした。別の場所に保存してください（{why}）。",
            "It was not saved. Save it somewhere else ({why}).", why = why.text(lang);
        /// The autosave copy of unsaved changes cannot be written; holds the cause.
        NotAutosaved(why: CauseText) =>
            "保存していない変更の控えを書けません（{why}）。棋譜を保存してください。",
            "Your unsaved changes cannot be backed up ({why}). Save the record.", why = why.text(lang);
        ChangedElsewhere(name: String) =>
            "{name} が外で書き換えられました。こちらに未保存の変更があるため、取り込んでいません。",
            "{name} was changed by another program. You have unsaved changes, so it was not read again.";
        /// Saving would overwrite content of this file that was not understood.
        NotWhole(name: String) =>
            "{name} には読み取れなかった内容があり、上書きすると失われます。別の名前で保存してください。",
            "Not everything in {name} was understood, and saving would lose it. Save under another name.";
        OpenElsewhere(name: String) =>
            "{name} は別の対局で開いています。別の名前で保存してください。",
            "{name} is open as another game. Save under another name.";
        /// The engines wait for the analysis of another game.
        PausedForAnalysis =>
            "別の対局を解析中のため、検討を止めています。",
            "Paused while another game is being analysed.";
        AnalysisElsewhere =>
            "別の対局を解析中です。終わってから、もう一度始めてください。",
            "Another game is being analysed. Start again when that is done.";
        /// The clipboard has no text.
        NothingToPaste =>
            "クリップボードに文字がありません。棋譜や局面をコピーしてから貼り付けてください。",
            "The clipboard has no text. Copy a record or a position first, then paste.";
        /// Games were found in a text that is not a record itself. Holds the container, the number of games, and the
        /// number of moves of the first game.
        Found(container: Container, games: usize, moves: usize) => { record_text::found(*container, *games, *moves, lang) };
        /// As `Found`; the first game ends before a move that cannot be played, whose words are held.
        FoundUntil(container: Container, games: usize, moves: usize, words: String) => {
            record_text::found_until(*container, *games, *moves, words, lang)
        };
        /// As `Found`, with the number of places that could not be read.
        FoundInPart(container: Container, games: usize, moves: usize, places: usize) => {
            record_text::found_in_part(*container, *games, *moves, *places, lang)
        };
        NothingToAnalyse => "解析できる局面がありません。", "There is no position to analyse.";
        /// An action that is impossible in a game against an engine.
        EngineGame(phrase: EngineGamePhrase) => { phrase.text(lang).to_owned() };
        /// The record is a mating problem, which no engine can analyse.
        IsMatingProblem =>
            "詰将棋のため解析できません。「詰みはあるか」（Ctrl+L）で解けます。",
            "A mating problem cannot be analysed. \"Is there a mate?\" (Ctrl+L) solves it.";
        Analysed => "解析が終わりました。", "The analysis is done.";
        /// The analysis stopped because no engine is left.
        AnalysisFailed =>
            "エンジンが動かなくなり、解析を続けられません。そこまでの結果は棋譜に入っています。",
            "The analysis cannot continue: no engine is left. The results so far are in the record.";
    }
}

impl RecordRemark {
    /// Returns whether the message may disappear unread, because it needs no action of the user.
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Saved(_)
                | Self::Found(..)
                | Self::LastMove(_)
                | Self::NothingToSave
                | Self::Analysed
                | Self::EngineGame(_)
        )
    }

    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        visible(&self.sentence(lang)).into_owned()
    }

    /// Returns the sentence for a bar that others may be watching: without causes, and without the folders of files.
    pub fn on_air(&self, lang: Lang) -> String {
        let name = |name: &String| file_name(name).to_owned();
        match self {
            Self::Saved(file) => Self::Saved(name(file)).text(lang),
            Self::SavedWithLoss(file, target, loss, count) => {
                Self::SavedWithLoss(name(file), *target, loss.clone(), *count).text(lang)
            }
            Self::ReportExists(file) => Self::ReportExists(name(file)).text(lang),
            Self::PositionSaved(file) => Self::PositionSaved(name(file)).text(lang),
            Self::ChangedElsewhere(file) => Self::ChangedElsewhere(name(file)).text(lang),
            Self::NotWhole(file) => Self::NotWhole(name(file)).text(lang),
            Self::OpenElsewhere(file) => Self::OpenElsewhere(name(file)).text(lang),
            Self::NotSaved(_) => lang
                .pick(
                    "保存できませんでした。別の場所に保存してください。",
                    "It was not saved. Save it somewhere else.",
                )
                .to_owned(),
            Self::NotAutosaved(_) => lang
                .pick(
                    "保存していない変更の控えを書けません。棋譜を保存してください。",
                    "Your unsaved changes cannot be backed up. Save the record.",
                )
                .to_owned(),
            _ => self.text(lang),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_name_the_losses() {
        let remark = RecordRemark::SavedWithLoss("a.usi".to_owned(), Target::Usi, Loss::Comments(2), 1);
        let texts = [Lang::Ja, Lang::En].map(|lang| remark.text(lang));
        assert!(
            texts[0].contains("コメント") && texts[0].contains("USI"),
            "{}",
            texts[0]
        );
        assert!(
            texts[1].contains("cannot hold") && texts[1].contains("USI"),
            "{}",
            texts[1]
        );
    }
}
