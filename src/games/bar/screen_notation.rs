//! The notation of moves and values on screens and in reports. `shogibar_shogi::notation` writes the moves.

use crate::graph_text::signed;
use shogibar_base::Lang;
use shogibar_shogi::score::Value;
use shogibar_shogi::{Digits, Marks, Notation, Style};

/// Returns the notation of moves on the screen: ▲△ and half-width digits in Japanese, Hodges notation in English.
pub fn notation(lang: Lang) -> Notation {
    match lang {
        Lang::Ja => Notation {
            marks: Marks::Triangle,
            digits: Digits::Half,
            ..Notation::default()
        },
        Lang::En => Notation::new(Style::Hodges),
    }
}

/// Returns the words for a move as they stand in a sentence: 同 has no wide space.
pub fn in_sentence(words: &str) -> String {
    words.replace('\u{3000}', "")
}

/// Returns a value in centipawns with its sign; empty for a win or a mate.
pub fn evaluation(value: Value) -> String {
    match value {
        Value::Cp(cp) => signed(cp),
        Value::Won(_) | Value::Mate { .. } => String::new(),
    }
}
