//! Composes the texts and shares of the bar from a place in a game and the engines' evaluations.

use super::follow::{Consensus, Freshness};
use super::notation::{evaluation, notation};
use super::view::{BarNotice, BarView, DecidedWin, SideView};
use super::{Ending, EngineReport, FollowMode, engine};
use crate::kifu::End;
use crate::score::{Advantage, AdvantageLevel, Value, percent};
use crate::shogi::{Color, History};
use crate::text::visible::visible;
use crate::text::{Label, Lang, phrase};

/// The inputs of the bar.
#[derive(Clone, Copy, Debug)]
pub struct BarInput<'a> {
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
        black: SideView { name: input.name(Color::Black), percent: None },
        white: SideView { name: input.name(Color::White), percent: None },
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
    view
}

impl BarInput<'_> {
    /// Returns the name of a side by its role.
    fn role(&self, color: Color) -> &'static str {
        let [black, white] = Label::sides(self.handicap);
        if color == Color::Black { black.text(self.lang) } else { white.text(self.lang) }
    }

    fn name(&self, color: Color) -> String {
        let [black, white] = self.players;
        let name = if color == Color::Black { black } else { white };
        name.map_or_else(|| self.role(color).to_owned(), |name| visible(name).into_owned())
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
        let (share, text) = match ending.winner {
            Some(winner) => {
                let share = if winner == Color::Black { 1.0 } else { 0.0 };
                (share, format!("{}{}{why}", phrase::wins(self.role(winner), self.lang), self.lang.pick("　", " · ")))
            }
            None => (0.5, why.to_owned()),
        };
        view.to_move = None;
        view.share = Some(share);
        // The label is drawn beside the winner, but most reasons are the loser's: 投了, 時間切れ, 反則.
        let label = match (ending.winner, ending.why) {
            (None, _) | (_, Label::Checkmate) => why,
            (Some(_), _) => Label::Wins.text(self.lang),
        };
        view.decided = Some(DecidedWin { winner: ending.winner, text, brief: why.to_owned(), label: label.to_owned() });
    }

    fn show_consensus(&self, view: &mut BarView, consensus: &Consensus) {
        let decided = consensus.value.and_then(|value| self.decided(value));
        let (black, white) = percent(consensus.win_rate, decided.is_some());
        #[expect(clippy::cast_possible_truncation, reason = "a share of the bar needs no more than f32 holds")]
        let share = consensus.win_rate as f32;
        view.share = Some(share);
        (view.black.percent, view.white.percent) = (Some(black), Some(white));
        view.stale = consensus.age != Freshness::Now;
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
        let wins = phrase::wins(role, self.lang);
        let (text, brief, label) = match value {
            Value::Mate { plies, .. } => {
                (phrase::mate_in(role, plies, self.lang), phrase::mate_length(plies, self.lang), Label::Checkmate)
            }
            Value::Won(_) | Value::Cp(_) => (wins.clone(), wins, Label::Wins),
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
