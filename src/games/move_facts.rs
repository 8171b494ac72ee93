//! What is proved about a move, with its words.

use crate::text::Lang;
use crate::text::reasons::Motif;
use shogibar_facts::Fact;

/// What is proved about a move, with its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveFacts {
    /// The facts.
    pub list: Vec<Fact>,
    /// A sentence of the most telling ones, in Japanese and in English; empty where there are none.
    pub sentences: [String; 2],
    /// The same in a few words.
    pub shorts: [String; 2],
    /// What the side overlooked; `None` where that is not known.
    pub motif: Option<Motif>,
}

impl MoveFacts {
    /// Returns the sentence in a language.
    pub fn sentence(&self, lang: Lang) -> &str {
        let [ja, en] = &self.sentences;
        lang.pick(ja, en)
    }

    /// Returns the few words in a language.
    pub fn short(&self, lang: Lang) -> &str {
        let [ja, en] = &self.shorts;
        lang.pick(ja, en)
    }
}
