//! Branches in prose: moves that were considered and not played, as in 「▲２六歩なら△８四歩」 or 「▲２六歩もある」.

use crate::record::NodeId;
use crate::warning::TextPosition;
use shogibar_shogi::{Position, Square};

/// The words after the first moves of a branch that continues to the end of the sentence.
const CONDITIONS_BEHIND: [&str; 11] = [
    "なら",
    "だと",
    "だったら",
    "であれば",
    "とすれば",
    "とすると",
    "としても",
    "と指せば",
    "と進めば",
    "を選べば",
    "と来れば",
];

/// The words after all moves of a branch.
const REMARKS_BEHIND: [&str; 29] = [
    "もある",
    "もあり",
    "もあっ",
    "も有力",
    "も考え",
    "も成立",
    "も一局",
    "でも一局",
    "の手もあ",
    "という手もあ",
    "ではな",
    "でなく",
    "とせず",
    "とは指さ",
    "を指さ",
    "を避け",
    "よりも",
    "の変化",
    "という変化",
    "が予想",
    "の狙い",
    "が狙い",
    "を狙",
    "を見せ",
    " would",
    " could",
    " might",
    " was possible",
    " is possible",
];

/// The words before the moves of a branch that continues to the end of the sentence.
const CONDITIONS_BEFORE: [&str; 19] = [
    "もし",
    "仮に",
    "例えば",
    "たとえば",
    "変化は",
    "変化として",
    "変化】",
    "変化：",
    "変化:",
    "変化手順",
    "参考】",
    "参考：",
    "If ",
    "if ",
    "Suppose ",
    "threatening ",
    "threatens ",
    "could have ",
    "might have ",
];

/// The words after a move of the game that a branch replaces.
const INSTEAD_BEHIND: [&str; 7] = [
    "に代えて",
    "にかえて",
    "に換えて",
    "の代わりに",
    "のところ",
    "では",
    "で",
];
/// The words before a move of the game that a branch replaces.
const INSTEAD_BEFORE: [&str; 2] = ["Instead of ", "instead of "];

/// The words before moves of the game that follow a branch.
const RETURN_WORDS: [&str; 13] = [
    "本譜",
    "実戦",
    "実際",
    "本局",
    "In the game",
    "in the game",
    "The game ",
    "Actually",
    "actually",
    "However",
    "but White played",
    "but Black played",
    "but he played",
];

/// The words for moves of the game that the text leaves out.
const GAP_WORDS: [&str; 4] = ["中略", "途中略", "途中省略", "手順省略"];

/// The maximum number of characters of a conditional verb.
const MAX_VERB_CHARS: usize = 5;

/// The maximum number of closing brackets and blanks between a move and the words about the move.
const MAX_CHARS_BEFORE_WORDS: usize = 2;

/// A branch: moves that were not played.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) from: NodeId,
    /// The node at which the game continues: `from`, or the last move of the game.
    pub(super) resume: NodeId,
    /// The position at `resume`.
    pub(super) position: Position,
    /// The target square of the last move before `resume`; `None` at the start.
    pub(super) last_to: Option<Square>,
    /// The line and column of the first move of the branch. If only words after several moves reveal the branch, those
    /// of the last of these moves.
    pub(super) text_position: TextPosition,
    /// Whether the sentence of the branch has ended. A later move that fits the game then belongs to the game.
    pub(super) is_over: bool,
}

/// The meaning of the words beside moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BranchSign {
    /// The moves are a branch up to the end of the sentence.
    Condition,
    /// The moves alone are a branch.
    Remark,
    /// The moves replace the move that is named.
    Instead,
    /// The moves of the game continue after a branch.
    Return,
    /// Moves of the game are missing.
    Gap,
}

impl BranchSign {
    /// Returns the meaning that the text after a move gives to the move; `None` without such a meaning.
    pub(super) fn behind(text: &str) -> Option<Self> {
        let text = Self::words(text)?;
        if is_conditional(text) {
            return Some(Self::Condition);
        }
        let known: [(&[&str], Self); 2] = [
            (&CONDITIONS_BEHIND, Self::Condition),
            (&REMARKS_BEHIND, Self::Remark),
        ];
        known
            .into_iter()
            .find(|(words, _)| begins(words, text))
            .map(|(_, sign)| sign)
    }

    /// Returns whether the text after a move of the game means that another move replaces it.
    pub(super) fn is_replaced(text: &str) -> bool {
        Self::words(text).is_some_and(|text| begins(&INSTEAD_BEHIND, text))
    }

    /// Returns a text without the characters between a move and the words about it.
    fn words(text: &str) -> Option<&str> {
        let length: usize = text
            .chars()
            .take(MAX_CHARS_BEFORE_WORDS)
            .take_while(|c| c.is_whitespace() || "」』）)".contains(*c))
            .map(char::len_utf8)
            .sum();
        // The English words in the lists begin with a blank, so the blank stays.
        if let Some(word) = text.strip_prefix(' ')
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            return Some(text);
        }
        text.get(length..)
    }

    /// Returns the meaning of the words at the beginning of a text for the moves after them; `None` for other words.
    pub(super) fn before(text: &str) -> Option<Self> {
        let known: [(&[&str], Self); 4] = [
            (&CONDITIONS_BEFORE, Self::Condition),
            (&INSTEAD_BEFORE, Self::Instead),
            (&RETURN_WORDS, Self::Return),
            (&GAP_WORDS, Self::Gap),
        ];
        known
            .into_iter()
            .find(|(words, _)| begins(words, text))
            .map(|(_, sign)| sign)
    }
}

/// Returns whether the verb behind a move is conditional: と打てば, と取れば.
fn is_conditional(text: &str) -> bool {
    let verb = text.strip_prefix('と').unwrap_or_default();
    let mut chars = verb
        .chars()
        .take(MAX_VERB_CHARS)
        .take_while(|c| !"、。▲△☗☖".contains(*c));
    // The stem of some verbs has the same syllable: 伸ばす, 飛ばした.
    chars.any(|c| c == 'ば') && !chars.next().is_some_and(|c| "しすさせそ".contains(c))
}

fn begins(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| text.starts_with(word))
}
