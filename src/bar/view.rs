//! The contents of the bar, ready to be drawn.

use crate::shogi::Color;

/// Everything the bar shows at one moment, in the language of the screen. Drawing it needs no
/// further knowledge of shogi.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Black (先手, 下手), drawn on the left.
    pub black: SideView,
    /// White (後手, 上手), drawn on the right.
    pub white: SideView,
    /// Whose turn it is; `None` when the game is over.
    pub to_move: Option<Color>,
    /// Black's share of the bar, 0 to 1; `None` before anything was said of any position.
    pub share: Option<f32>,
    /// Whether the values are those of the position before: they lose their colour.
    pub stale: bool,
    /// A win or a mate, which fills the bar.
    pub decided: Option<Decided>,
    /// Where in the game we are: the words before the last move, the move, the words after it
    /// (`74手目`, `△５四歩`, `まで`); any of them may be empty.
    pub place: [String; 3],
    /// The evaluation with its sign, `+320`; empty where there is none.
    pub evaluation: String,
    /// The situation in words, `先手有望`; empty where there is none.
    pub situation: String,
    /// The candidates, best first.
    pub candidates: Vec<CandidateView>,
    /// How many candidates the engine was asked for. Room is kept for them, so that nothing moves
    /// while they come in.
    pub asked: usize,
    /// Depth and nodes, then speed and engine: two lines of quiet figures.
    pub figures: [String; 2],
    /// Something to say instead of candidates.
    pub notice: Option<Notice>,
}

/// One side of the bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideView {
    /// The player's name, or 先手 / 後手 / 下手 / 上手.
    pub name: String,
    /// The win rate in whole percent.
    pub percent: Option<u8>,
}

/// A win that fills the bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Who wins; `None` for a draw.
    pub winner: Option<Color>,
    /// What stands in the bar: `先手勝ち　詰みまで 7手`.
    pub text: String,
    /// What stands in place of the winner's percentage: `詰み`, `勝ち`.
    pub label: String,
}

/// One of the engine's candidate moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CandidateView {
    /// Its rank, from 1.
    pub rank: u32,
    /// The move in words, with its side mark: `▲２六歩`.
    pub word: String,
    /// The win rate of the side to move after it, in whole percent, or a mate: `63%`, `詰み 7手`; empty
    /// where the engine gave no value.
    pub value: String,
    /// The points of win rate it loses against the best; `None` for the best itself.
    pub loss: Option<u8>,
    /// The moves the engine expects after it, in words.
    pub line: String,
}

/// A sentence in place of the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// The last lines the engine said, where that helps.
    pub details: Vec<String>,
    /// Whether something went wrong, as against something being awaited.
    pub failure: bool,
}

impl Notice {
    /// Something that is awaited, or worth knowing.
    pub const fn new(text: String) -> Self {
        Self { text, details: Vec::new(), failure: false }
    }

    /// Something that went wrong, with the last lines that were heard.
    pub const fn failure(text: String, details: Vec<String>) -> Self {
        Self { text, details, failure: true }
    }
}
