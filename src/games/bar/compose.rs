//! Composes the texts and shares of the bar from a place in a game and the engines' evaluations.

use super::follow::{Consensus, Freshness};
use super::notation::{evaluation, notation};
use super::view::{BarNotice, BarView, DecidedWin, LiveMark, SideView};
use super::{Ending, EngineReport, FollowMode, engine};
use crate::kifu::{ClockTime, End};
use crate::score::{Advantage, AdvantageLevel, Value, percent};
use crate::shogi::{Color, History};
use crate::text::visible::short;
use crate::text::{Label, Lang, phrase};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

/// The inputs of the bar.
#[derive(Clone, Copy, Debug)]
pub struct BarInput<'a> {
    /// The identity of the game.
    pub game: u64,
    /// The players' names, Black's and White's, where they are known.
    pub players: [Option<&'a str>; 2],
    /// Whether the sides are called 下手 and 上手.
    pub handicap: bool,
    /// The current position and the moves that led to it.
    pub history: &'a History,
    /// The number of moves played.
    pub ply: usize,
    /// The last move in words, as [`last_word`] returns it.
    pub last_word: &'a str,
    /// The end of the game, if the game ended at this position.
    pub ending: Option<Ending>,
    /// The interruption at this position after which the game may go on: 中断.
    pub pause: Option<&'a End>,
    /// The players' clocks, Black's and White's, where they are known.
    pub clocks: [Option<ClockTime>; 2],
    /// Whether the position is that of a game in progress elsewhere.
    pub live: Option<LiveMark>,
    /// Black's shares so far, by ply from 0.
    pub graph: &'a [Option<f32>],
    /// Black's shares by background searches, by ply from 0, where there are no others.
    pub filled: &'a [Option<f32>],
    /// Black's share before the last move, by the engine that the bar follows.
    pub before: Option<f32>,
    /// The state of each engine, in the user's order.
    pub engines: &'a [EngineReport],
    /// The engine that the bar follows, or their mean.
    pub follow: FollowMode,
    /// Whether the user has paused the search.
    pub paused: bool,
    /// A notice from elsewhere that takes precedence over the engines'.
    pub notice: Option<&'a BarNotice>,
    /// The language of the screen.
    pub lang: Lang,
}

/// Returns the contents of the bar.
pub fn view(input: &BarInput<'_>) -> BarView {
    let mut view = BarView {
        black: input.side(Color::Black),
        white: input.side(Color::White),
        game: input.game,
        position: position_hash(input.history),
        last_mover: (!input.history.moves().is_empty()).then(|| input.history.now().side_to_move().flip()),
        live: input.live,
        graph: Arc::from(input.graph),
        filled: Arc::from(input.filled),
        to_move: Some(input.history.now().side_to_move()),
        position_text: input.place(),
        engines: input.engines.iter().enumerate().map(|(nth, report)| engine::view(input, nth, report)).collect(),
        lead: input.follow.lead(),
        notice: input.notice.cloned(),
        ..BarView::default()
    };
    if let Some(ending) = input.ending {
        input.show_ending(&mut view, ending);
    } else if let Some(consensus) = Consensus::compute(input.engines, input.follow, input.history) {
        input.show_consensus(&mut view, &consensus);
    }
    view.last_cost = input.last_cost(&view);
    view
}

/// Returns a hash of a position and the moves that led to it, the same for as long as the program runs.
pub fn position_hash(history: &History) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(history)
}

/// The smallest loss that is shown beside the last move, in percentage points.
const COST: u8 = 5;

impl BarInput<'_> {
    /// Returns the name of a side by its role.
    fn role(&self, color: Color) -> &'static str {
        let [black, white] = Label::sides(self.handicap);
        if color == Color::Black { black.text(self.lang) } else { white.text(self.lang) }
    }

    fn name(&self, color: Color) -> String {
        let [black, white] = self.players;
        let name = if color == Color::Black { black } else { white };
        name.map_or_else(|| self.role(color).to_owned(), |name| short(name).into_owned())
    }

    fn side(&self, color: Color) -> SideView {
        let [black, white] = self.clocks;
        let clock = if color == Color::Black { black } else { white };
        SideView { name: self.name(color), role: self.role(color).to_owned(), percent: None, clock }
    }

    /// Returns what the last move cost: the difference of the rounded win rates before and after it, by one engine.
    fn last_cost(&self, view: &BarView) -> Option<u8> {
        let mover = view.last_mover.filter(|_| self.follow != FollowMode::Mean && !view.is_shallow)?;
        let after = view.side(mover).percent.filter(|_| !view.stale)?;
        let (black, white) = percent(self.before?.into(), false);
        let before = if mover == Color::Black { black } else { white };
        before.checked_sub(after).filter(|cost| *cost >= COST)
    }

    fn place(&self) -> [String; 3] {
        let [before, after] = if self.last_word.is_empty() {
            [Label::StartPosition.text(self.lang).to_owned(), String::new()]
        } else {
            phrase::after_move(self.ply, self.lang)
        };
        let after = match self.pause {
            Some(end) => format!("{after}{}", phrase::stopped(&Ending::word(end, self.lang), self.lang)),
            None => after,
        };
        // The pause comes first, because the end of the text is cut off first.
        let before = if self.paused { phrase::paused(&before, self.lang) } else { before };
        [before, self.last_word.to_owned(), after]
    }

    fn show_ending(&self, view: &mut BarView, ending: Ending) {
        let why = ending.why.text(self.lang);
        let (share, text, brief, label) = match ending.winner {
            Some(winner) => {
                let share = if winner == Color::Black { 1.0 } else { 0.0 };
                let role = self.role(winner);
                let text = phrase::game_won(self.ply, role, self.lang);
                (share, text, phrase::wins(role, self.lang), Label::Wins.text(self.lang))
            }
            None => (0.5, phrase::game_drawn(self.ply, why, self.lang), why.to_owned(), ""),
        };
        view.to_move = None;
        view.share = Some(share);
        view.decided = Some(DecidedWin { winner: ending.winner, text, brief, label: label.to_owned() });
        // まで is in the sentence already.
        view.position_text = [why.to_owned(), std::mem::take(&mut view.position_text[1]), String::new()];
    }

    fn show_consensus(&self, view: &mut BarView, consensus: &Consensus) {
        let decided = consensus.value.and_then(|value| self.decided(value));
        let (black, white) = percent(consensus.win_rate, decided.is_some());
        #[expect(clippy::cast_possible_truncation, reason = "a share of the bar needs no more than f32 holds")]
        let share = consensus.win_rate as f32;
        view.share = Some(share);
        (view.black.percent, view.white.percent) = (Some(black), Some(white));
        view.stale = consensus.age != Freshness::Now;
        view.is_shallow = !view.stale && consensus.is_shallow;
        if consensus.age.is_elsewhere() {
            // Only the percentage is kept, in grey.
            return;
        }
        view.decided = decided;
        view.evaluation = consensus.value.map(evaluation).unwrap_or_default();
        view.advantage = self.situation(consensus.situation);
        if consensus.is_mean {
            view.advantage = phrase::mean(&view.advantage, self.lang);
        }
    }

    pub(super) fn decided(&self, value: Value) -> Option<DecidedWin> {
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
        Some(DecidedWin { winner: Some(winner), text, brief, label: label.text(self.lang).to_owned() })
    }

    fn situation(&self, situation: Advantage) -> String {
        let Some((color, standing)) = situation.0 else {
            return Label::Even.text(self.lang).to_owned();
        };
        let word = match standing {
            AdvantageLevel::Promising => Label::Promising,
            AdvantageLevel::Better => Label::Better,
            AdvantageLevel::Superior => Label::Superior,
            AdvantageLevel::Winning => Label::Winning,
            AdvantageLevel::Won => Label::Wins,
        };
        phrase::advantage(self.role(color), word, self.lang)
    }
}

/// Returns the last move of a game in words, with its side mark; empty at the start. It replays the game, so call it
/// when the position changes, not for every frame.
pub fn last_word(history: &History, lang: Lang) -> String {
    let Some((last, before)) = history.moves().split_last() else { return String::new() };
    let mut earlier = History::new(history.start().clone());
    let replayed = before.iter().all(|mv| earlier.play(*mv).is_ok());
    let words = if replayed { notation(lang).words(&earlier, &[*last]) } else { Vec::new() };
    words.into_iter().next().unwrap_or_default()
}
