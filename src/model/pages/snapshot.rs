//! The part of the model that the OBS pages need, as a copy at one moment.

use crate::app_model::AppModel;
use crate::ids::GameId;
use crate::outputs::OutputId;
use shogibar_base::Lang;
use shogibar_games::bar::BarView;
use shogibar_programme::{BoardPageContent, OutputChoices, OutputFrame, StudiedPosition};

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
    /// The number of the game on the pages, from 1.
    pub(super) number: usize,
    /// The state of the game that viewers may see.
    pub(super) frame: OutputFrame,
    /// The user's choices for viewers.
    pub(super) choices: OutputChoices,
    /// The position that the user has on the study page; `None` for a closed game, and while no board page is open.
    pub(super) studied: Option<StudiedPosition>,
    pub(super) is_locked: bool,
}

impl ObsPagesSnapshot {
    /// Copies the data that the OBS pages need.
    pub fn new(model: &AppModel) -> Self {
        let is_hidden = model.bars().any(|(_, bar)| bar.is_hidden());
        let listed = model.listed_games();
        let current = listed
            .iter()
            .position(|id| *id == model.game_of_output(OutputId::Pages))
            .unwrap_or_default();
        let games = listed
            .into_iter()
            .map(|id| GameSnapshot::new(model, id))
            .collect();
        Self {
            games,
            current_index: current,
            is_hidden,
            shared_counts: model.shared_engines(),
            lang: model.lang(),
        }
    }
}

#[cfg(test)]
impl ObsPagesSnapshot {
    /// Returns whether the evaluation of a game is hidden.
    pub(crate) fn hides(&self, id: GameId) -> bool {
        self.games
            .iter()
            .all(|game| game.id != id || game.frame.bar.is_hidden)
    }
}

impl GameSnapshot {
    fn new(model: &AppModel, id: GameId) -> Self {
        let is_locked = model
            .outputs()
            .any(|output| model.game_of_output(output) == id && model.is_locked(output));
        Self {
            id,
            number: model.page_number(id),
            frame: model.page_frame(id),
            choices: model.output_choices(id),
            studied: model.shown_study(id),
            is_locked,
        }
    }

    /// Returns the content of the game's board page.
    pub(super) fn board(&self, lang: Lang) -> BoardPageContent {
        BoardPageContent::new(&self.frame, self.studied.as_ref(), &self.choices, lang)
    }

    /// Returns the content of the game's bar in Japanese and in English.
    pub(super) fn views(&self) -> [BarView; 2] {
        Lang::ALL.map(|lang| self.frame.view(&self.choices, lang))
    }
}
