//! The contents of the bar, ready to be drawn.

use super::turning_card::TurningCard;
use crate::{Label, RecordRemark, phrase};
use shogibar_base::Lang;
use shogibar_kifu::ClockTime;
use shogibar_shogi::{BoardDoubt, Color, Move};
use std::sync::{Arc, LazyLock};

/// The whole content of the bar at one moment, in the language of the screen. Drawing it needs no knowledge of shogi.
#[expect(clippy::struct_excessive_bools, reason = "each flag is an independent fact")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarView {
    /// Black (先手, 下手), drawn on the left.
    pub black: SideView,
    /// White (後手, 上手), drawn on the right.
    pub white: SideView,
    /// The name of the event; empty where it is not known.
    pub event: String,
    /// The user's credit, which stands in place of the engine's name; empty without one.
    pub credit: String,
    /// The identity of the game. Values of one game are never shown for another.
    pub game: u64,
    /// A hash of the position and the moves that led to it.
    pub position: u64,
    /// The side to move; `None` when the game is over.
    pub to_move: Option<Color>,
    /// Black's share of the bar, 0 to 1; `None` before there is any evaluation.
    pub share: Option<f32>,
    /// Whether the values may be wrong for the position, so that they are drawn in grey. Such values are of another
    /// position, an ended process or an earlier search, or a part of the position is unknown.
    pub is_stale: bool,
    /// Whether the values are of searches that have only begun, so that they will change soon.
    pub is_shallow: bool,
    /// The sentence that fills the bar: a win, a draw, or that the evaluation is hidden.
    pub decided_win: Option<DecidedWin>,
    /// The position in the game: the words before the last move, the move, and the words after the move (`74手目`,
    /// `△5四歩`, `まで`). Each of them may be empty.
    pub position_text: [String; 3],
    /// The side that made the last move; `None` at the start.
    pub last_mover: Option<Color>,
    /// The loss of the last mover by the last move, in percentage points of win rate. `None` where the loss is below
    /// 5 points or not sure.
    pub last_loss: Option<u8>,
    /// Whether the evaluations in the record have judged the last move, so that its loss is final, also where none is
    /// shown.
    pub is_loss_judged: bool,
    /// The relation of the position to a game in progress elsewhere; `None` where there is no such game.
    pub live_mark: Option<LiveMark>,
    /// Black's shares up to the position, by ply from 0; `None` for a position without an evaluation.
    pub graph: Arc<[Option<f32>]>,
    /// Black's shares by background searches, by ply from 0, where `graph` has none. These shares are drawn fainter,
    /// and no move is marked by them.
    pub filled_shares: Arc<[Option<f32>]>,
    /// The evaluation with its sign, `+320`; empty where there is none.
    pub evaluation: String,
    /// The advantage in words, `先手有利`; empty where there is none.
    pub advantage: String,
    /// Whether the values are the mean of several engines.
    pub is_mean: bool,
    /// The win rate by an engine that the bar does not follow, for a second mark on the bar; `None` without one.
    pub other_rate: Option<OtherRate>,
    /// The engines that evaluate the position, in the user's order; may be empty.
    pub engines: Vec<EngineView>,
    /// The index of the engine that is shown where there is room for one.
    pub lead_index: usize,
    /// The proved facts about the position and the last move, in words.
    pub reason: ReasonView,
    /// The announcement of a turning point, while it is shown.
    pub turning_card: Option<Arc<TurningCard>>,
    /// The notice of the bar, which replaces the notices of the engines.
    pub notice: Option<BarNotice>,
    /// Whether everything that shows who is winning is hidden.
    pub is_hidden: bool,
    /// Whether everything that tells a move or the position is left out.
    pub is_numbers_only: bool,
}

/// The proved facts about a position, in words. A text without a fact is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReasonView {
    /// A word for the danger that the side to move is in: `詰めろ`, `必至`.
    pub threat: String,
    /// The chip for the only move, with the loss by the next candidate: `この一手　次点−12%`.
    pub only_move: String,
    /// The chip for the only move where there is little room: `この一手`.
    pub brief_only_move: String,
    /// The opening and the castles.
    pub formation: FormationView,
    /// A sentence about the last move if its loss is large, otherwise about the position.
    pub sentence: String,
    /// The sentence about the last move or the position in a few words.
    pub short_sentence: String,
}

/// The opening and the castles of a position. A text without a fact is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormationView {
    /// The opening: `相掛かり`.
    pub opening: String,
    /// The castles, Black's and White's: `銀冠`, `中住まい`.
    pub castles: [String; 2],
    /// The opening and the castles: `相掛かり・銀冠 対 中住まい`.
    pub text: String,
    /// The opening, or else the castles.
    pub brief: String,
}

/// The win rate of a position by an engine that the bar does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherRate {
    /// The index of the engine among those of the bar.
    pub engine: usize,
    /// Black's win rate, in whole percent.
    pub percent: u8,
}

impl BarView {
    /// Returns one side of the bar.
    pub const fn side(&self, color: Color) -> &SideView {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Returns the signal of the lead engine, or [`EngineSignal::Lost`] for a failure notice of the bar. Returns `None`
    /// without an engine.
    pub fn signal(&self) -> Option<EngineSignal> {
        let failed = self.notice.as_ref().is_some_and(|notice| notice.is_failure);
        if failed {
            Some(EngineSignal::Lost)
        } else {
            self.lead().signal
        }
    }

    /// Returns the view without everything that shows who is winning. The bar has a text that the evaluation is hidden.
    #[must_use]
    pub fn hidden(&self, lang: Lang) -> Self {
        let sentence = Label::Hidden.text(lang).to_owned();
        // An engine's last lines may have a value, so a notice in a hidden view has no lines.
        let safe = |notice: &BarNotice| {
            notice
                .is_failure
                .then(|| BarNotice::failure(notice.text.clone(), Vec::new()))
        };
        Self {
            black: SideView {
                percent: None,
                ..self.black.clone()
            },
            white: SideView {
                percent: None,
                ..self.white.clone()
            },
            event: self.event.clone(),
            credit: self.credit.clone(),
            game: self.game,
            position: self.position,
            to_move: self.to_move,
            decided_win: Some(DecidedWin {
                winner: None,
                text: sentence.clone(),
                brief: sentence,
                label: String::new(),
            }),
            position_text: self.position_text.clone(),
            last_mover: self.last_mover,
            live_mark: self.live_mark,
            engines: self
                .engines
                .iter()
                .map(|engine| EngineView {
                    name: engine.name.clone(),
                    reported_name: engine.reported_name.clone(),
                    is_followed: engine.is_followed,
                    multipv: engine.multipv,
                    signal: engine.signal,
                    notice: engine.notice.as_ref().and_then(safe),
                    ..EngineView::default()
                })
                .collect(),
            lead_index: self.lead_index,
            notice: self.notice.as_ref().and_then(safe),
            is_hidden: true,
            ..Self::default()
        }
    }

    /// Returns the view of a bar whose engines pause for the analysis of another game. A bar without an evaluation gets
    /// a notice about the pause, unless it has another notice or is hidden.
    #[must_use]
    pub fn with_pause_for_analysis(self, lang: Lang) -> Self {
        if self.notice.is_some() || self.share.is_some() || self.is_hidden {
            return self;
        }
        let why = RecordRemark::PausedForAnalysis.text(lang);
        Self {
            notice: Some(BarNotice::new(why)),
            ..self
        }
    }

    /// Returns the engine that is shown where there is room for one.
    pub fn lead(&self) -> &EngineView {
        static NO_ENGINE: LazyLock<EngineView> = LazyLock::new(EngineView::default);
        self.engines.get(self.lead_index).unwrap_or(&NO_ENGINE)
    }

    /// Returns the notice in place of candidates, or below them, where there is room for one engine.
    pub fn notice(&self) -> Option<&BarNotice> {
        self.notice.as_ref().or_else(|| self.lead().notice.as_ref())
    }

    /// Returns the failure notice of the bar, or else the failure notices of the engines if all engines have failed.
    pub fn failures(&self) -> Vec<&BarNotice> {
        let failed = |notice: &&BarNotice| notice.is_failure;
        if let Some(notice) = self.notice.as_ref().filter(failed) {
            return vec![notice];
        }
        let failures: Vec<_> = self
            .engines
            .iter()
            .filter_map(|engine| engine.notice.as_ref())
            .filter(failed)
            .collect();
        if failures.len() == self.engines.len() {
            failures
        } else {
            Vec::new()
        }
    }
}

/// One of the engines that evaluate the position.
#[expect(clippy::struct_excessive_bools, reason = "each flag is an independent fact")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineView {
    /// The user's name for the engine, or else the name that the engine reports.
    pub name: String,
    /// Whether the bar follows the engine.
    pub is_followed: bool,
    /// Black's win rate by this engine, in whole percent; `None` without a value.
    pub percent: Option<u8>,
    /// Whether the value may be wrong for the position, as [`BarView::is_stale`] describes.
    pub is_stale: bool,
    /// The engine's evaluation with its sign, or a win in words; empty where there is none.
    pub evaluation: String,
    /// The candidates, best first.
    pub candidates: Vec<CandidateView>,
    /// The number of candidates that the engine was asked for. The layout reserves room for all of them, so that
    /// nothing moves while they arrive.
    pub multipv: usize,
    /// Two texts: depth and nodes, then the speed or the end of the search.
    pub stats: [String; 2],
    /// Whether the engine's search of the position has ended, at a limit or by itself.
    pub has_ended: bool,
    /// The name that the engine reported.
    pub reported_name: String,
    /// The engine's signal; `None` where there is no engine, as for evaluations of a record.
    pub signal: Option<EngineSignal>,
    /// A notice in place of the engine's candidates, or below them.
    pub notice: Option<BarNotice>,
    /// Whether the candidates are of another position. Such candidates are shown in grey, and cannot be played.
    pub is_elsewhere: bool,
    /// Whether the engine's search will soon have more candidates.
    pub is_incomplete: bool,
    /// The state of the engine in words while the candidates are of another position; empty otherwise.
    pub status: String,
    /// A sentence about the win rates of the engine, for the tooltip of the bar; may be empty.
    pub remark: String,
}

/// The state of an engine, as a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineSignal {
    /// The engine is searching, and the values may change at any moment.
    Live,
    /// The engine is not searching, for example while it starts or is idle.
    Waiting,
    /// The user has paused the engine.
    Paused,
    /// The engine has failed, is restarted or does not answer.
    Lost,
}

impl EngineSignal {
    /// Returns the signal as a word.
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

/// The texts of one side of the bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideView {
    /// The player's name, or the name of the side where it is not known.
    pub name: String,
    /// The name of the side: 先手, 後手, 下手 or 上手.
    pub role: String,
    /// The win rate in whole percent; `None` without an evaluation.
    pub percent: Option<u8>,
    /// The clock of the side; `None` where it is not known.
    pub clock: Option<ClockTime>,
}

/// The relation of the position to a game that is played elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveMark {
    /// The position is the newest one of the game.
    Live,
    /// The position is this number of moves behind the newest one.
    Behind(usize),
    /// The position is the last readable one: the next move of the game cannot be read.
    Stopped,
    /// The game has not begun.
    Waiting,
    /// The position is the last received one: the source cannot be reached at present.
    Lost,
    /// The position is the last one that was seen: no board is visible on the screen.
    NotSeen,
    /// The position is the last one that was seen: much of the board on the screen is covered.
    Covered,
    /// The screen shows another position.
    Away,
    /// The screen does not show the whole position: side to move, hands, or the side at the bottom.
    PartUnknown(BoardDoubt),
    /// The position is an earlier one, by the user's choice.
    Delayed,
    /// The game was closed. The position is the last one that was shown.
    Ended,
}

impl LiveMark {
    /// Returns the mark as a word.
    pub fn text(self, lang: Lang) -> String {
        match self {
            Self::Live => "LIVE".to_owned(),
            Self::Behind(moves) => phrase::behind(moves, lang),
            Self::Stopped => Label::NextUnreadable.text(lang).to_owned(),
            Self::Waiting => Label::Waiting.text(lang).to_owned(),
            Self::Lost => Label::Reconnecting.text(lang).to_owned(),
            Self::NotSeen => Label::NoBoard.text(lang).to_owned(),
            Self::Covered => Label::BoardCovered.text(lang).to_owned(),
            Self::Away => Label::OtherPosition.text(lang).to_owned(),
            Self::PartUnknown(doubt) => doubt.text(lang).to_owned(),
            Self::Delayed => Label::Delayed.text(lang).to_owned(),
            Self::Ended => Label::Ended.text(lang).to_owned(),
        }
    }
}

/// A sentence that fills the bar: a win, a draw, or that the evaluation is hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedWin {
    /// The winner; `None` for a draw or a hidden evaluation.
    pub winner: Option<Color>,
    /// The sentence in the bar: `後手の勝ち筋　あと7手で詰み`, `まで110手で後手の勝ち`.
    pub text: String,
    /// A shorter text: `あと7手で詰み`, `後手の勝ち`.
    pub brief: String,
    /// The text in place of the winner's percentage: `勝ち筋`, `勝ち`; empty without a winner.
    pub label: String,
}

/// One of the engine's candidate moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CandidateView {
    /// The rank of the candidate, from 1.
    pub rank: u32,
    /// The move in words, with its side mark: `▲2六歩`.
    pub word: String,
    /// The win rate after the move for the side that makes it, in whole percent: `63%`. Empty without a value.
    pub percent: String,
    /// The text of a mate in place of the win rate: `詰み（7手）`, or `詰まされる（14手）` for the mated side. Empty without a
    /// mate.
    pub mate: String,
    /// The text of a mate for a row that also shows the win rate: `16手で勝ち`, or `16手粘る` for the mated side. Empty
    /// without a mate.
    pub mate_note: String,
    /// The win rate loss against the best move, in percentage points. `None` for the best move itself, and for a move
    /// with a higher win rate than the best move.
    pub loss: Option<u8>,
    /// The following moves of the pv, in words.
    pub line: String,
    /// The candidate move and the following moves of `line`.
    pub moves: Vec<Move>,
}

impl CandidateView {
    /// Returns the text of the mate, or else of the win rate.
    pub fn value(&self) -> &str {
        if self.mate.is_empty() {
            &self.percent
        } else {
            &self.mate
        }
    }
}

/// A sentence in place of the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarNotice {
    /// The sentence for a bar that others may be watching. The sentence has no path, option, id or line of an engine.
    pub text: String,
    /// The sentence with the cause, for a page or a terminal; empty where `text` is enough.
    pub reason: String,
    /// The last lines of the engine; empty where they do not help.
    pub details: Vec<String>,
    /// Whether the notice is about a failure, as opposed to a pending state.
    pub is_failure: bool,
    /// Whether the notice may disappear by itself, because it needs no action of the user.
    pub is_transient: bool,
}

impl BarNotice {
    /// Creates a notice about a pending state or other information.
    pub const fn new(text: String) -> Self {
        Self {
            text,
            reason: String::new(),
            details: Vec::new(),
            is_failure: false,
            is_transient: false,
        }
    }

    /// Creates a failure notice with the engine's last lines.
    pub const fn failure(text: String, details: Vec<String>) -> Self {
        Self {
            text,
            reason: String::new(),
            details,
            is_failure: true,
            is_transient: false,
        }
    }

    /// Creates a notice about a pending state or other information from the message for a bar, and its full text.
    pub fn from_texts(text: String, reason: String) -> Self {
        Self {
            reason: if reason == text { String::new() } else { reason },
            ..Self::new(text)
        }
    }

    /// Returns the sentence with the cause, or the sentence if it is enough.
    pub fn full(&self) -> &str {
        if self.reason.is_empty() {
            &self.text
        } else {
            &self.reason
        }
    }
}
