//! The state of a game at one moment, and the content of an output made from it.

use crate::choices::OutputChoices;
use crate::numbers_only::numbers_only;
use crate::shown_turning_point::ShownTurningPoint;
use crate::state::OutputState;
use shogibar_base::Lang;
use shogibar_games::bar::{
    BarInput, BarNotice, BarView, EngineReport, EngineSignal, EngineView, LiveMark, last_word,
};
use shogibar_shogi::History;
use std::sync::Arc;

/// The state of a game at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputFrame {
    /// The content of the game's bar, without texts.
    pub bar: BarInput,
    /// The report of the engine that the bar follows, or of the record's evaluation; `None` without either.
    pub report: Option<EngineReport>,
    /// Whether the game's newest position is shown.
    pub is_at_tip: bool,
    /// Whether the game is over, even if another position than its last one is shown.
    pub is_over: bool,
    /// The turning point that is announced; `None` while none is.
    pub turning_point: Option<ShownTurningPoint>,
}

impl OutputFrame {
    /// Returns the content of an output by the user's choices.
    pub fn view(&self, choices: &OutputChoices, lang: Lang) -> BarView {
        let mut view = for_viewers(self.bar.view(None, lang), lang);
        choices.credit.as_str().clone_into(&mut view.credit);
        if choices.is_own_game {
            return own_game(&view, lang);
        }
        if !view.is_hidden
            && let Some(turning_point) = &self.turning_point
        {
            view.turning_card = turning_point.card(lang).map(Arc::new);
        }
        if choices.numbers_only {
            numbers_only(&view)
        } else {
            view
        }
    }

    /// Returns whether viewers see no present values: the evaluation is hidden, the user plays the game, a part of the
    /// position is not known, or it is not the newest one.
    pub(crate) const fn is_withheld(&self, choices: &OutputChoices) -> bool {
        choices.is_own_game || self.bar.is_hidden || self.bar.doubt.is_some() || !self.is_at_tip
    }

    /// Returns the number of moves up to the position.
    pub fn ply(&self) -> usize {
        self.bar.history.moves().len()
    }

    /// Returns the frame of an earlier position of the game, without values. Returns the frame itself if it has no more
    /// than `ply` moves.
    #[must_use]
    pub fn earlier(&self, ply: usize) -> Self {
        let history = &self.bar.history;
        if self.ply() <= ply {
            return self.clone();
        }
        Self {
            is_at_tip: false,
            ..self.at(&Arc::new(history.up_to(ply)))
        }
    }

    /// Returns the frame of another position of the game, without values of an engine. The graph keeps the positions that
    /// both have.
    #[must_use]
    pub fn at(&self, history: &Arc<History>) -> Self {
        // The start is a position, too.
        let shared_positions = self.bar.history.shared_ply(history).map_or(0, |ply| ply + 1);
        let mut bar = BarInput {
            last_words: Lang::ALL.map(|lang| last_word(history, lang)),
            history: Arc::clone(history),
            ending: None,
            pause: None,
            clocks: [None, None],
            last_loss: None,
            better_move: None,
            only_move: None,
            stored_share: None,
            facts: Vec::new(),
            last_reason: None,
            ..self.bar.clone()
        };
        for shares in [&mut bar.graph, &mut bar.filled_shares] {
            shares.truncate(shared_positions);
            shares.resize(history.moves().len() + 1, None);
        }
        bar.stored_share = bar.graph.last().copied().flatten();
        for report in &mut bar.engines {
            (report.snapshot.search_info, report.snapshot.result) = (None, None);
        }
        Self {
            bar,
            report: None,
            is_at_tip: true,
            is_over: self.is_over,
            turning_point: None,
        }
    }

    /// Marks the frame as one that the delay holds back.
    #[must_use]
    pub fn delayed(mut self) -> Self {
        if self.bar.live_mark.is_some() {
            self.bar.live_mark = Some(LiveMark::Delayed);
        }
        self
    }

    /// Marks the frame as the last state of a game that was closed.
    #[must_use]
    pub fn ended(mut self) -> Self {
        self.bar.live_mark = Some(LiveMark::Ended);
        self.bar.is_left = true;
        self.is_over = true;
        self
    }
}

/// Returns whether a game continues another one, or is the same.
pub(crate) fn continues(game: &History, earlier: &History) -> bool {
    game.start() == earlier.start() && game.moves().starts_with(earlier.moves())
}

/// Returns the content of a bar without the messages of the program. In place of a message of an engine, its state
/// remains.
fn for_viewers(view: BarView, lang: Lang) -> BarView {
    let state = |engine: &EngineView| match engine.signal {
        Some(EngineSignal::Lost) => Some(OutputState::EngineStopped),
        Some(EngineSignal::Live | EngineSignal::Waiting) if engine.candidates.is_empty() => {
            Some(OutputState::Reading)
        }
        _ => None,
    };
    let notice = |engine: &EngineView| {
        engine.notice.as_ref()?;
        Some(BarNotice::new(state(engine)?.text(lang).to_owned()))
    };
    let engines = view.engines.into_iter().map(|engine| EngineView {
        notice: notice(&engine),
        remark: String::new(),
        status: if engine.status.is_empty() {
            String::new()
        } else {
            OutputState::Reading.text(lang).to_owned()
        },
        ..engine
    });
    BarView {
        engines: engines.collect(),
        notice: None,
        ..view
    }
}

/// Returns the content of an output while the user plays the game.
fn own_game(view: &BarView, lang: Lang) -> BarView {
    let mut hidden = view.hidden(lang);
    if let Some(shown) = &mut hidden.decided_win {
        OutputState::OwnGame.text(lang).clone_into(&mut shown.text);
        OutputState::OwnGame.text(lang).clone_into(&mut shown.brief);
    }
    hidden.engines.clear();
    hidden.position_text = Default::default();
    hidden.last_mover = None;
    hidden
}
