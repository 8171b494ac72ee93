//! The contents of the bar, ready to be drawn.

use crate::shogi::{Color, Move};
use crate::text::{Label, Lang};

/// Everything the bar shows at one moment, in the language of the screen. Drawing it needs no
/// further knowledge of shogi.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarView {
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
    pub decided: Option<DecidedWin>,
    /// Where in the game we are: the words before the last move, the move, the words after it
    /// (`74手目`, `△５四歩`, `まで`); any of them may be empty.
    pub place: [String; 3],
    /// The evaluation with its sign, `+320`; empty where there is none.
    pub evaluation: String,
    /// The situation in words, `先手有望`; empty where there is none.
    pub situation: String,
    /// The engines that look at the position, in the user's order; empty where nobody does.
    pub engines: Vec<EngineView>,
    /// Which of them is shown where there is room for one.
    pub lead: usize,
    /// Something to say instead of what they say, from elsewhere.
    pub notice: Option<BarNotice>,
    /// Whether what tells who is winning is hidden.
    pub hidden: bool,
}

impl BarView {
    /// One side of the bar.
    pub const fn side(&self, color: Color) -> &SideView {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// How the source of what is shown fares, where there is room for one.
    pub fn signal(&self) -> Option<EngineSignal> {
        let failed = self.notice.as_ref().is_some_and(|notice| notice.failure);
        if failed { Some(EngineSignal::Lost) } else { self.lead().signal }
    }

    /// The same with nothing in it that tells who is winning: the bar stands still and says that it does.
    #[must_use]
    pub fn hidden(&self, lang: Lang) -> Self {
        let word = Label::Hidden.text(lang).to_owned();
        // What an engine said last may be a value.
        let safe = |notice: &BarNotice| notice.failure.then(|| BarNotice::failure(notice.text.clone(), Vec::new()));
        let engine = |engine: &EngineView| EngineView {
            name: engine.name.clone(),
            own_name: engine.own_name.clone(),
            followed: engine.followed,
            asked: engine.asked,
            signal: engine.signal,
            notice: engine.notice.as_ref().and_then(safe),
            ..EngineView::default()
        };
        Self {
            black: SideView { percent: None, ..self.black.clone() },
            white: SideView { percent: None, ..self.white.clone() },
            to_move: self.to_move,
            decided: Some(DecidedWin { winner: None, text: word.clone(), brief: word.clone(), label: word }),
            place: self.place.clone(),
            engines: self.engines.iter().map(engine).collect(),
            lead: self.lead,
            notice: self.notice.as_ref().and_then(safe),
            hidden: true,
            ..Self::default()
        }
    }

    /// The engine that is shown where there is room for one.
    pub fn lead(&self) -> &EngineView {
        static NOBODY: EngineView = EngineView::nobody();
        self.engines.get(self.lead).unwrap_or(&NOBODY)
    }

    /// Something to say instead of candidates, where there is room for one engine.
    pub fn notice(&self) -> Option<&BarNotice> {
        self.notice.as_ref().or_else(|| self.lead().notice.as_ref())
    }

    /// What went wrong, where it leaves nothing to look at: one of several engines goes on without the other.
    pub fn failures(&self) -> Vec<&BarNotice> {
        let failed = |notice: &&BarNotice| notice.failure;
        if let Some(notice) = self.notice.as_ref().filter(failed) {
            return vec![notice];
        }
        let failures: Vec<_> = self.engines.iter().filter_map(|engine| engine.notice.as_ref()).filter(failed).collect();
        if failures.len() == self.engines.len() { failures } else { Vec::new() }
    }
}

/// One of the engines that look at the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineView {
    /// The name of its profile, or else its own, or what the user calls it before it has said that.
    pub name: String,
    /// Whether the bar follows it.
    pub followed: bool,
    /// Black's win rate in whole percent, by this engine.
    pub percent: Option<u8>,
    /// Whether it is of the position before.
    pub stale: bool,
    /// Its evaluation with its sign, or a win in words; empty where there is none.
    pub evaluation: String,
    /// The candidates, best first.
    pub candidates: Vec<CandidateView>,
    /// How many candidates the engine was asked for. Room is kept for them, so that nothing moves
    /// while they come in.
    pub asked: usize,
    /// Depth and nodes, then speed: quiet figures.
    pub figures: [String; 2],
    /// The name it gave itself.
    pub own_name: String,
    /// How it fares; `None` where nobody is there, as behind what a record says.
    pub signal: Option<EngineSignal>,
    /// Something to say instead of its candidates.
    pub notice: Option<BarNotice>,
}

impl EngineView {
    /// An engine that is not there.
    const fn nobody() -> Self {
        Self {
            name: String::new(),
            followed: false,
            percent: None,
            stale: false,
            evaluation: String::new(),
            candidates: Vec::new(),
            asked: 0,
            figures: [String::new(), String::new()],
            own_name: String::new(),
            signal: None,
            notice: None,
        }
    }
}

/// How the source of what is shown fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineSignal {
    /// It is at work, and what is shown may change any moment.
    Live,
    /// It rests, or is getting ready.
    Waiting,
    /// It rests because the user wants it so.
    Paused,
    /// It is gone, or does not answer.
    Lost,
}

impl EngineSignal {
    /// The signal in a word.
    pub const fn text(self, lang: Lang) -> &'static str {
        let label = match self {
            Self::Live => Label::Live,
            Self::Waiting => Label::Waiting,
            Self::Paused => Label::Paused,
            Self::Lost => Label::Lost,
        };
        label.text(lang)
    }
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
pub struct DecidedWin {
    /// Who wins; `None` for a draw.
    pub winner: Option<Color>,
    /// What stands in the bar: `先手勝ち　詰みまで 7手`.
    pub text: String,
    /// The same for an upright bar, which is short: `詰みまで 7手`.
    pub brief: String,
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
    /// The points of win rate it loses against the best; `None` for the best itself, and where the engine ranks
    /// it behind one that it thinks worse.
    pub loss: Option<u8>,
    /// The moves the engine expects after it, in words.
    pub line: String,
    /// The move, and those after it that are in words.
    pub moves: Vec<Move>,
}

/// A sentence in place of the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarNotice {
    /// The sentence.
    pub text: String,
    /// The last lines the engine said, where that helps.
    pub details: Vec<String>,
    /// Whether something went wrong, as against something being awaited.
    pub failure: bool,
    /// Whether nothing is to be done about it, so that it need not stand until it is seen.
    pub passes: bool,
}

impl BarNotice {
    /// Something that is awaited, or worth knowing.
    pub const fn new(text: String) -> Self {
        Self { text, details: Vec::new(), failure: false, passes: false }
    }

    /// Something that went wrong, with the last lines that were heard.
    pub const fn failure(text: String, details: Vec<String>) -> Self {
        Self { text, details, failure: true, passes: false }
    }
}
