//! The input of the bar's contents.

use super::ending::Ending;
use super::only_move::OnlyMove;
use super::view::{DecidedWin, LiveMark};
use crate::move_facts::MoveFacts;
use crate::{Label, phrase};
use shogibar_base::Lang;
use shogibar_engine::observer::SearchInfo;
use shogibar_engine::session::{EngineState, Snapshot};
use shogibar_facts::Fact;
use shogibar_kifu::{ClockTime, End};
use shogibar_shogi::score::Value;
use shogibar_shogi::{BoardDoubt, Color, History, Move};
use std::sync::Arc;

/// The state of an engine, as input of the bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineReport {
    /// The user's name for the engine; empty for the evaluations of a record, which have no engine.
    pub name: String,
    /// The latest snapshot of the engine's session.
    pub snapshot: Snapshot,
    /// Whether the K of the engine was fitted to another net than its present one.
    pub has_other_net: bool,
    /// Whether the user has dismissed the notice about settings that do not fit the engine.
    pub has_dismissed_rejections: bool,
}

impl From<Snapshot> for EngineReport {
    fn from(snapshot: Snapshot) -> Self {
        Self {
            snapshot,
            ..Self::default()
        }
    }
}

/// The loss by the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastLoss {
    /// The loss in percentage points of win rate, from 0 to 100. Below
    /// [`MIN_SHOWN_LOSS_POINTS`](super::MIN_SHOWN_LOSS_POINTS), none is shown.
    pub points: u8,
    /// Whether the evaluations in the record have judged the move, so that the loss is final. Otherwise it is by the
    /// searches of an engine while the game was watched.
    pub is_judged: bool,
}

/// The source of the bar's evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowMode {
    /// The engine with this index, from 0.
    One(usize),
    /// The mean of all engines.
    Mean,
}

impl Default for FollowMode {
    fn default() -> Self {
        Self::One(0)
    }
}

impl FollowMode {
    /// Returns the next mode for a number of engines: each engine, then their mean, then the first engine.
    #[must_use]
    pub const fn next(self, engines: usize) -> Self {
        match self {
            Self::One(engine) if engine + 1 < engines => Self::One(engine + 1),
            Self::One(_) if engines > 1 => Self::Mean,
            Self::One(_) | Self::Mean => Self::One(0),
        }
    }

    /// Returns the index of the engine that is shown where there is room for one.
    pub const fn lead_index(self) -> usize {
        match self {
            Self::One(engine) => engine,
            Self::Mean => 0,
        }
    }

    /// Returns the index of the engine that is shown where there is room for one. If that engine has failed, returns
    /// the first other engine that has a value.
    pub fn lead_index_among<'a>(self, mut engines: impl Iterator<Item = &'a EngineReport> + Clone) -> usize {
        let has_failed = |report: &EngineReport| matches!(report.snapshot.state, EngineState::Failed(_));
        let has_value = |report: &EngineReport| {
            report
                .snapshot
                .search_info
                .as_ref()
                .and_then(SearchInfo::best)
                .is_some()
        };
        let chosen = self.lead_index();
        if !engines.clone().nth(chosen).is_some_and(has_failed) {
            return chosen;
        }
        engines
            .position(|report| has_value(report) && !has_failed(report))
            .unwrap_or(chosen)
    }

    /// Returns whether the bar follows the engine with this index.
    pub fn follows(self, engine: usize) -> bool {
        match self {
            Self::One(one) => one == engine,
            Self::Mean => true,
        }
    }
}

/// The state of a bar at one moment, without texts. It is a copy, so that the contents can be composed on any thread.
#[expect(clippy::struct_excessive_bools, reason = "each flag is an independent fact")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarInput {
    /// The identity of the game.
    pub game: u64,
    /// The players' names, Black's and White's, where they are known.
    pub players: [Option<String>; 2],
    /// The name of the event; empty where it is not known.
    pub event: String,
    /// Whether the sides are called 下手 and 上手.
    pub is_handicap: bool,
    /// The current position and the moves that led to it.
    pub history: Arc<History>,
    /// The last move in words, in Japanese and in English, as [`last_word`](super::last_word) returns it.
    pub last_words: [String; 2],
    /// The end of the game, if the game ended at this position.
    pub ending: Option<Ending>,
    /// The interruption at this position, after which the game may continue: 中断.
    pub pause: Option<End>,
    /// The players' clocks, Black's and White's, where they are known.
    pub clocks: [Option<ClockTime>; 2],
    /// The relation of the position to a game in progress elsewhere; `None` where there is no such game.
    pub live_mark: Option<LiveMark>,
    /// The part of the position that is not known; `None` where all is known. With a doubt, the values are of another
    /// position.
    pub doubt: Option<BoardDoubt>,
    /// Black's shares of the bar, from 0 to 1, up to the position, by ply from 0; `None` for a position without an
    /// evaluation.
    pub graph: Vec<Option<f32>>,
    /// Black's shares by background searches, by ply from 0, for plies without a share in `graph`.
    pub filled_shares: Vec<Option<f32>>,
    /// The loss by the last move; `None` where it is not sure.
    pub last_loss: Option<LastLoss>,
    /// The engine's choice in the position before the last move; `None` if it is not known or was played.
    pub better_move: Option<Move>,
    /// The only move of the position by values; `None` where none is sure.
    pub only_move: Option<OnlyMove>,
    /// Black's share in the position from an earlier search, which is used until an engine has a value.
    pub stored_share: Option<f32>,
    /// The state of each engine, in the user's order.
    pub engines: Vec<EngineReport>,
    /// The engine that the bar follows, or the mean of all engines.
    pub follow: FollowMode,
    /// The proved facts about the position, without the only move by values.
    pub facts: Vec<Fact>,
    /// The proved facts about the last move; `None` if the loss is small or the facts are not known yet.
    pub last_reason: Option<Arc<MoveFacts>>,
    /// Whether the user has paused the search.
    pub is_paused: bool,
    /// Whether the evaluation is hidden.
    pub is_hidden: bool,
    /// Whether the game was closed, so that its values are of no present search.
    pub is_left: bool,
}

/// Composes the texts of a bar in a language.
pub(super) struct Composition<'a> {
    pub(super) bar: &'a BarInput,
    pub(super) lang: Lang,
}

impl Composition<'_> {
    /// Returns whether a part of the position is not known.
    pub(super) const fn is_part_unknown(&self) -> bool {
        self.bar.doubt.is_some()
    }

    /// Returns the name of a side: 先手, 後手, 下手 or 上手.
    pub(super) fn role(&self, color: Color) -> &'static str {
        let [black, white] = Label::sides(self.bar.is_handicap);
        if color == Color::Black {
            black.text(self.lang)
        } else {
            white.text(self.lang)
        }
    }

    /// Returns the texts of a decided win; `None` for a value in centipawns.
    pub(super) fn decided_win(&self, value: Value) -> Option<DecidedWin> {
        let winner = value.winner()?;
        let role = self.role(winner);
        let (text, brief, label) = match value {
            Value::Mate { plies, .. } => {
                let brief = phrase::mate_length(plies, self.lang);
                (phrase::mate_in(role, plies, self.lang), brief, Label::WinningLine)
            }
            Value::Won(_) | Value::Cp(_) => {
                let wins = phrase::wins(role, self.lang);
                (wins.clone(), wins, Label::Wins)
            }
        };
        Some(DecidedWin {
            winner: Some(winner),
            text,
            brief,
            label: label.text(self.lang).to_owned(),
        })
    }
}
