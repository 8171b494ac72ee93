//! Branches in prose: moves that were thought of and not played, as in 「▲２六歩なら△８四歩」 or 「▲２六歩もある」.

use crate::kifu::record::NodeId;
use crate::kifu::warning::TextPlace;
use crate::shogi::{Position, Square};

/// What stands behind the first moves of a branch that goes on to the end of the sentence.
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

/// What stands behind all moves of a branch.
const REMARKS_BEHIND: [&str; 16] = [
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
    "よりも",
    "の変化",
    "という変化",
    "が予想",
];

/// What stands before the moves of a branch that goes on to the end of the sentence.
const CONDITIONS_BEFORE: [&str; 6] = ["もし", "仮に", "例えば", "たとえば", "変化は", "変化として"];

/// What stands before moves of the game that follow a branch.
const RETURNS: [&str; 4] = ["本譜", "実戦", "実際", "本局"];

/// What stands for moves of the game that the text does not have.
const GAPS: [&str; 4] = ["中略", "途中略", "途中省略", "手順省略"];

/// The most characters of a closing bracket and blanks between a move and what is said of it.
const MAX_BETWEEN: usize = 2;

/// Moves beside those of the game.
#[derive(Debug)]
pub(super) struct Branch {
    /// The node that it begins at.
    pub(super) from: NodeId,
    /// The position there.
    pub(super) position: Position,
    pub(super) last_to: Option<Square>,
    /// The place of its first move in the text, or of the last of the moves that stand together.
    pub(super) place: TextPlace,
    /// Whether its sentence is over. A move that fits the game then, too, is one of the game.
    pub(super) is_over: bool,
}

/// What words say of the moves beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A branch that goes on to the end of the sentence.
    Condition,
    /// The moves alone are a branch.
    Remark,
    /// The game goes on.
    Return,
    /// Moves of the game are missing.
    Gap,
}

impl Sign {
    /// Returns what the text behind a move says of it.
    pub(super) fn behind(text: &str) -> Option<Self> {
        let is_between = |(nth, c): (usize, char)| nth < MAX_BETWEEN && (c.is_whitespace() || "」』）)".contains(c));
        let length: usize =
            text.chars().enumerate().take_while(|found| is_between(*found)).map(|(_, c)| c.len_utf8()).sum();
        let text = text.get(length..)?;
        if begins(&CONDITIONS_BEHIND, text) {
            return Some(Self::Condition);
        }
        begins(&REMARKS_BEHIND, text).then_some(Self::Remark)
    }

    /// Returns what the words at the beginning of a text say of the moves behind them.
    pub(super) fn before(text: &str) -> Option<Self> {
        let known: [(&[&str], Self); 3] =
            [(&CONDITIONS_BEFORE, Self::Condition), (&RETURNS, Self::Return), (&GAPS, Self::Gap)];
        known.into_iter().find(|(words, _)| begins(words, text)).map(|(_, sign)| sign)
    }
}

fn begins(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| text.starts_with(word))
}
