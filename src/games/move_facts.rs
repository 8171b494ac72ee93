//! The proved facts about a move, with their texts.

use crate::reasons_text::Motif;
use shogibar_base::Lang;
use shogibar_facts::{Fact, FactPosition};
use shogibar_shogi::{PieceKind, Square};

/// The number of plies within which the same cause is not told again.
pub const MAX_REFRAIN_PLIES: usize = 6;

/// What the sentence about a move tells: the same of two moves is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactCause {
    /// The motif.
    pub motif: Motif,
    /// The piece that is lost or won; `None` without one.
    pub piece: Option<PieceKind>,
    /// The square of that piece, or of the better move.
    pub square: Option<Square>,
    /// The position before the move where the better move was missed, and after it where the reply was let happen.
    pub at: FactPosition,
}

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
    /// What the sentence tells; `None` without a sentence.
    pub cause: Option<FactCause>,
    /// The texts for a cause that was told shortly before, in Japanese and in English: `またも△8三歩を逃した`.
    pub repeated_texts: [String; 2],
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

    /// Returns the text for a cause that was told shortly before; empty for a fault of the move.
    pub fn repeated(&self, lang: Lang) -> &str {
        let [ja, en] = &self.repeated_texts;
        lang.pick(ja, en)
    }
}
