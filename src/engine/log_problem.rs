//! The problems of the traffic log of the engines.

use shogibar_base::visible::visible;
use shogibar_base::{CauseText, Lang, messages};

messages! {
    /// The reason why the traffic of the engines is not recorded.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LogProblem in lang {
        /// The file cannot be written.
        NotWritten(why: CauseText) =>
            "通信ログを書けません（{why}）。書けた分はそのまま残し、記録なしで続けます。",
            "The traffic log cannot be written ({why}). What was written stays; the program continues without a log.",
            why = why.text(lang);
        /// The file exists, and is not a log.
        NotALog(path: String) =>
            "{path} は通信ログではないため、書き込みません。記録なしで続けます。",
            "{path} is not a traffic log, so nothing is written to it. The program continues without a log.";
    }
}

impl LogProblem {
    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        visible(&self.sentence(lang)).into_owned()
    }

    /// Returns the sentence for a bar that others may be watching: without the cause and the path.
    pub const fn on_air(&self, lang: Lang) -> &'static str {
        match self {
            Self::NotWritten(_) | Self::NotALog(_) => lang.pick(
                "通信ログを書けません。記録なしで続けます。",
                "The traffic log cannot be written. The program continues without it.",
            ),
        }
    }
}
