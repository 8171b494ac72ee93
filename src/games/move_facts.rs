//! The proved facts about a move, with their texts.

use crate::reasons_text::Motif;
use shogibar_base::Lang;
use shogibar_facts::{Fact, FactPosition};
use shogibar_shogi::{Move, PieceKind, Square};

/// The number of plies within which the same cause is not told again.
pub const MAX_REFRAIN_PLIES: usize = 6;

/// What the sentence about a move tells: the same of two moves is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactCause {
    /// The motif.
    pub motif: Motif,
    /// What the motif is about.
    pub target: CauseTarget,
    /// The position before the move where the better move was missed, and after it where the reply was let happen.
    pub at: FactPosition,
}

/// What a motif is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseTarget {
    /// The piece that is lost or won, with its square. Several moves may win it.
    Piece(PieceKind, Square),
    /// The better move that was missed, or the reply that was allowed.
    Move(Move),
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
    /// The texts for a cause that was told shortly before, in Japanese and in English: `またも△8三歩を逃した`. Empty
    /// without a sentence.
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

    /// Returns the text for a cause that was told shortly before; empty without a sentence.
    pub fn repeated(&self, lang: Lang) -> &str {
        let [ja, en] = &self.repeated_texts;
        lang.pick(ja, en)
    }
}
