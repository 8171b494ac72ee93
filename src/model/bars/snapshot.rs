//! What a bar shows at one moment, as a copy.

use crate::bar::{self, BarInput, BarNotice, BarView, Ending, EngineReport, FollowMode, LiveMark};
use crate::ids::GameId;
use crate::kifu::{ClockTime, End};
use crate::shogi::History;
use crate::text::Lang;
use std::sync::Arc;

/// What a bar shows at one moment, without the words.
#[derive(Clone, Debug, PartialEq)]
pub struct BarSnapshot {
    pub(super) game: GameId,
    pub(super) players: [Option<String>; 2],
    pub(super) is_handicap: bool,
    pub(super) history: Arc<History>,
    /// The last move in Japanese and in English.
    pub(super) last_words: [String; 2],
    pub(super) ending: Option<Ending>,
    pub(super) pause: Option<End>,
    pub(super) clocks: [Option<ClockTime>; 2],
    pub(super) live: Option<LiveMark>,
    pub(super) graph: Vec<Option<f32>>,
    pub(super) filled: Vec<Option<f32>>,
    pub(super) before: Option<f32>,
    pub(super) engines: Vec<EngineReport>,
    pub(super) follow: FollowMode,
    pub(super) is_paused: bool,
    pub(super) is_hidden: bool,
}

impl BarSnapshot {
    /// The contents of the bar. `notice` takes precedence over those of the engines.
    pub fn view(&self, notice: Option<&BarNotice>, lang: Lang) -> BarView {
        let [japanese, english] = &self.last_words;
        let GameId(game) = self.game;
        let view = bar::view(&BarInput {
            game,
            players: self.players.each_ref().map(Option::as_deref),
            handicap: self.is_handicap,
            history: &self.history,
            ply: self.history.moves().len(),
            last_word: if lang == Lang::Ja { japanese } else { english },
            ending: self.ending,
            pause: self.pause.as_ref(),
            clocks: self.clocks,
            live: self.live,
            graph: &self.graph,
            filled: &self.filled,
            before: self.before,
            engines: &self.engines,
            follow: self.follow,
            paused: self.is_paused,
            notice,
            lang,
        });
        if self.is_hidden { view.hidden(lang) } else { view }
    }

    /// Replaces the engines' reports.
    #[cfg(test)]
    pub(crate) fn with_engines(self, engines: &[EngineReport]) -> Self {
        Self { engines: engines.to_vec(), ..self }
    }

    /// The game's moves so far.
    pub const fn history(&self) -> &Arc<History> {
        &self.history
    }

    /// The end of the game, if it ended here.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }
}
