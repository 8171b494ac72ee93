//! The part of the model that the OBS pages need, as a copy at one moment.

use crate::app_model::AppModel;
use crate::bar::{BarInput, BarNotice, BarView, EngineReport};
use crate::bars::Bar;
use crate::game::Game;
use crate::ids::GameId;
use crate::live::LiveAddress;
use crate::text::Lang;
use crate::text::visible::{short, visible_file_name};

/// The part of the model that the OBS pages show, at one moment. No text is composed for it, so that making it is fast.
#[derive(Clone, Debug, Default)]
pub struct ObsPagesSnapshot {
    pub(super) games: Vec<GameSnapshot>,
    /// The index of the game that an OBS page shows if its address names no game.
    pub(super) current_index: usize,
    /// Whether the evaluation is hidden on any bar.
    pub(super) is_hidden: bool,
    /// The number of engine sets and the number of games, if the games are searched in turn.
    pub(super) shared_counts: Option<(usize, usize)>,
    /// The language of the program.
    pub(super) lang: Lang,
}

/// The part of a game that the OBS pages need, at one moment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameSnapshot {
    pub(super) id: GameId,
    pub(super) bar: BarInput,
    /// The notice on the game's bar in Japanese and in English.
    notices: [Option<BarNotice>; 2],
    /// Whether the game's engines pause for the analysis of another game.
    awaits_analysis: bool,
    /// The report of the engine that the bar follows, or of the record's evaluation; `None` without either.
    pub(super) report: Option<EngineReport>,
    /// The name of the game's file, or the address from which the game is followed.
    pub(super) source: Option<String>,
    /// Whether the game's newest position is shown.
    pub(super) is_at_tip: bool,
    /// Whether the game is over, even if another position than its last one is shown.
    pub(super) is_over: bool,
}

impl ObsPagesSnapshot {
    /// Copies the data that the OBS pages need.
    pub fn new(model: &AppModel) -> Self {
        let is_hidden = model.bars().any(|(_, bar)| bar.is_hidden());
        let hidden = |id| is_hidden || model.game_without_values() == Some(id);
        let games = model.games().map(|(id, game)| GameSnapshot::new(model, id, game, hidden(id))).collect();
        let current = model.games().position(|(id, _)| id == model.study_game()).unwrap_or_default();
        Self { games, current_index: current, is_hidden, shared_counts: model.shared_engines(), lang: model.lang() }
    }
}

#[cfg(test)]
impl ObsPagesSnapshot {
    /// Returns whether the evaluation of a game is hidden.
    pub(crate) fn hides(&self, id: GameId) -> bool {
        self.games.iter().any(|game| game.id == id && game.bar.is_hidden)
    }
}

impl GameSnapshot {
    fn new(model: &AppModel, id: GameId, game: &Game, is_hidden: bool) -> Self {
        let shown = model.bars().find(|(_, bar)| bar.game() == id);
        let (bar, report, notice) = if let Some((at, _)) = shown {
            (model.bar_input(at), model.bar(model.lender(at)).lead_report(game), model.bar_notice(at))
        } else {
            let bar = bar_for_unshown_game(model, id, game, is_hidden);
            (bar.input(game), bar.lead_report(game), None)
        };
        Self {
            id,
            bar,
            notices: Lang::ALL.map(|lang| notice.map(|notice| notice.text(lang))),
            awaits_analysis: shown.is_some() && model.awaits_analysis(id),
            report,
            source: game.path().and_then(visible_file_name).or_else(|| source_name(game)),
            is_at_tip: game.document().is_at_tip(),
            is_over: game.document().record().decisive_end().is_some() || game.ending().is_some(),
        }
    }

    /// Returns the content of the game's bar in Japanese and in English.
    pub(super) fn views(&self) -> [BarView; 2] {
        let [japanese, english] = &self.notices;
        [(Lang::Ja, japanese), (Lang::En, english)].map(|(lang, notice)| {
            let view = self.bar.view(notice.as_ref(), lang);
            if self.awaits_analysis { view.with_pause_for_analysis(lang) } else { view }
        })
    }
}

/// Creates a bar for a game that no bar shows. Its values are those that the engines have shown during the game's
/// turns, or the evaluation in the record.
fn bar_for_unshown_game(model: &AppModel, id: GameId, game: &Game, is_hidden: bool) -> Bar {
    let mut bar = Bar::showing(id);
    if let Some(report) = model.shared_report(id) {
        bar.add_engine(report);
    } else if let Some(snapshot) = game.record_snapshot() {
        bar.add_engine(EngineReport::from(snapshot));
    }
    if is_hidden {
        bar.toggle_hidden();
    }
    bar
}

/// Returns the source of a followed game: its address without a password, or the name of a file or folder.
fn source_name(game: &Game) -> Option<String> {
    match game.source()?.address() {
        LiveAddress::Path(path) => visible_file_name(path),
        address => Some(short(&address.to_string()).into_owned()),
    }
}
