//! The proved facts about a move, with their texts.

use crate::text::Lang;
use crate::text::reasons::Motif;
use shogibar_facts::Fact;

/// The proved facts about a move, with their texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveFacts {
    /// The proved facts about the move.
    pub list: Vec<Fact>,
    /// A text of at most two sentences about the most important facts, in Japanese and in English; may be empty.
    pub sentences: [String; 2],
    /// The most important fact in a few words, in Japanese and in English; may be empty.
    pub short_texts: [String; 2],
    /// The motif that the player overlooked; `None` where it is not known.
    pub motif: Option<Motif>,
}

impl MoveFacts {
    /// Returns the text of `sentences` in a language.
    pub fn sentence(&self, lang: Lang) -> &str {
        let [ja, en] = &self.sentences;
        lang.pick(ja, en)
    }

    /// Returns the most important fact in a few words, in a language.
    pub fn short(&self, lang: Lang) -> &str {
        let [ja, en] = &self.short_texts;
        lang.pick(ja, en)
    }
}
