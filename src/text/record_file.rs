//! Messages about the file of the current record, and about its commands.

use super::visible::visible;
use super::{CauseText, Lang, record};
use crate::kifu::{Loss, Target};

/// A message about the current record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordRemark {
    /// The record was saved to this file.
    Saved(String),
    /// The record was saved to this file, in this format, with a loss. Holds the first kind of loss and the number of
    /// kinds.
    SavedWithLoss(String, Target, Loss, usize),
    /// A report was not written, because this file exists.
    ThereAlready(String),
    /// The record has no unsaved changes.
    NothingToSave,
    /// Only the position was written to this file.
    PositionSaved(String),
    /// The record was not saved; holds the cause.
    NotSaved(CauseText),
    /// The recovery copy of unsaved changes cannot be written; holds the cause.
    NotKeptAside(CauseText),
    /// The file was changed by another program, and the record has unsaved changes.
    ChangedElsewhere(String),
    /// Saving would overwrite content of this file that was not understood.
    NotWhole(String),
    /// The pasted text is not a record.
    NothingToPaste,
    /// The record has no position to analyse.
    NothingToAnalyse,
    /// The analysis is complete.
    Analysed,
    /// The analysis stopped because no engine is left.
    AnalysisFailed,
}

impl RecordRemark {
    /// Whether the message needs no action of the user.
    pub(super) const fn passes(&self) -> bool {
        matches!(self, Self::Saved(_) | Self::NothingToSave | Self::Analysed)
    }

    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        let text = match lang {
            Lang::Ja => self.japanese(),
            Lang::En => self.english(),
        };
        visible(&text).into_owned()
    }

    fn japanese(&self) -> String {
        match self {
            Self::Saved(name) => format!("{name} に保存しました。"),
            Self::SavedWithLoss(name, target, loss, count) => {
                format!(
                    "{name} に保存しましたが、{}は保存できませんでした（{target}形式）。",
                    parts(loss, *count, Lang::Ja)
                )
            }
            Self::ThereAlready(name) => format!("{name} は既にあるので書きませんでした。別の名前を付けてください。"),
            Self::NothingToSave => "保存する変更はありません。".to_owned(),
            Self::PositionSaved(name) => {
                format!("{name} に局面だけを書き出しました。棋譜そのものはまだ保存されていません。")
            }
            Self::NotSaved(why) => {
                format!("保存できませんでした。別の場所に保存してください（{}）。", why.text(Lang::Ja))
            }
            Self::NotKeptAside(why) => {
                format!("保存していない変更の控えを書けません（{}）。棋譜を保存してください。", why.text(Lang::Ja))
            }
            Self::ChangedElsewhere(name) => {
                format!("{name} が外で書き換えられました。こちらに未保存の変更があるため、取り込んでいません。")
            }
            Self::NotWhole(name) => {
                format!("{name} には読み取れなかった内容があり、上書きすると失われます。別の名前で保存してください。")
            }
            Self::NothingToPaste => "クリップボードの内容は棋譜や局面として読めません。".to_owned(),
            Self::NothingToAnalyse => "解析できる局面がありません。".to_owned(),
            Self::Analysed => "解析が終わりました。".to_owned(),
            Self::AnalysisFailed => {
                "エンジンが動かなくなり、解析を続けられません。そこまでの結果は棋譜に入っています。".to_owned()
            }
        }
    }

    fn english(&self) -> String {
        match self {
            Self::Saved(name) => format!("Saved as {name}."),
            Self::SavedWithLoss(name, target, loss, count) => {
                format!("Saved as {name}, but not all of it: {target} cannot hold {}.", parts(loss, *count, Lang::En))
            }
            Self::ThereAlready(name) => format!("{name} is there already and was left as it is: give another name."),
            Self::NothingToSave => "There is nothing to save: nothing was changed.".to_owned(),
            Self::PositionSaved(name) => {
                format!("{name} has the position alone. The record itself is not saved by that.")
            }
            Self::NotSaved(why) => format!("It was not saved. Save it somewhere else ({}).", why.text(Lang::En)),
            Self::NotKeptAside(why) => {
                format!("No copy of what is not saved can be kept ({}). Save the record.", why.text(Lang::En))
            }
            Self::ChangedElsewhere(name) => {
                format!(
                    "{name} was changed by another program. You have changes that are not saved, so it was left there."
                )
            }
            Self::NotWhole(name) => {
                format!("Not all in {name} was understood, and would be lost. Save under another name.")
            }
            Self::NothingToPaste => "What is on the clipboard is neither a record nor a position.".to_owned(),
            Self::NothingToAnalyse => "There is no position to analyse.".to_owned(),
            Self::Analysed => "The analysis is done.".to_owned(),
            Self::AnalysisFailed => {
                "No engine is left to go on with. What was found so far is in the record.".to_owned()
            }
        }
    }
}

/// Returns the warning, to be confirmed before saving, that a format cannot hold all of a record. `loss` is the first
/// of `count` kinds of loss.
pub(crate) fn loses(target: Target, loss: &Loss, count: usize, lang: Lang) -> String {
    let parts = parts(loss, count, lang);
    match lang {
        Lang::Ja => format!("{target}形式で保存すると、{parts}が失われます。"),
        Lang::En => format!("{target} cannot hold {parts}: that would be lost."),
    }
}

/// Returns the first kind of loss and the number of other kinds.
fn parts(loss: &Loss, count: usize, lang: Lang) -> String {
    let (first, others) = (record::lost(loss, lang), count.saturating_sub(1));
    match (lang, others) {
        (_, 0) => first,
        (Lang::Ja, _) => format!("{first}など{count}種類"),
        (Lang::En, 1) => format!("{first} and one other kind of thing"),
        (Lang::En, _) => format!("{first} and {others} other kinds of things"),
    }
}

/// Returns the warning, to be confirmed before saving, that a file of this name exists.
pub(crate) fn file_exists(name: &str, lang: Lang) -> String {
    let name = visible(name);
    match lang {
        Lang::Ja => format!("{name} は既にあります。保存すると、その内容は失われます。"),
        Lang::En => format!("{name} is there already. Saving would replace it."),
    }
}

/// Returns the warning, to be confirmed before saving, that the file was changed by another program.
pub(crate) fn changed_elsewhere(name: &str, lang: Lang) -> String {
    let name = visible(name);
    match lang {
        Lang::Ja => format!("{name} は、開いた後に外で書き換えられています。上書きすると、その内容は失われます。"),
        Lang::En => format!("{name} was changed by another program since it was read. Saving would lose that."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_name_what_was_lost() {
        let remark = RecordRemark::SavedWithLoss("a.usi".to_owned(), Target::Usi, Loss::Comments(2), 1);
        let texts = [Lang::Ja, Lang::En].map(|lang| remark.text(lang));
        assert!(texts[0].contains("コメント") && texts[0].contains("USI"), "{}", texts[0]);
        assert!(texts[1].contains("not all of it") && texts[1].contains("USI"), "{}", texts[1]);
        let loses = |count| [Lang::Ja, Lang::En].map(|lang| loses(Target::Csa, &Loss::Variations(1), count, lang));
        assert_eq!(
            loses(1),
            [
                "CSA V2.2形式で保存すると、変化1件が失われます。",
                "CSA V2.2 cannot hold 1 variation: that would be lost."
            ]
        );
        assert_eq!(loses(3)[0], "CSA V2.2形式で保存すると、変化1件など3種類が失われます。");
        assert_eq!(loses(3)[1], "CSA V2.2 cannot hold 1 variation and 2 other kinds of things: that would be lost.");
    }
}
