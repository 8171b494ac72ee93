//! What the pages for OBS and for a second screen show: the state of all games, and the contents of their bars. Pure.

pub mod options;
pub mod sample;
mod state;
mod swings;
mod tile;

use super::game::Game;
use super::ids::GameId;
use super::model::AppModel;
use crate::app::bar::Bar;
use crate::bar::BarView;
use crate::text::Lang;
use state::{GameState, StateObject, SwingState};
use swings::{SwingList, SwingPlace};
use tile::{DeskObject, DeskTile};

/// All games at one moment.
#[derive(Clone, Debug, Default)]
pub struct PagesContent {
    games: Vec<PageGame>,
    /// The index of the game that a page without a choice shows.
    current: usize,
    swings: SwingList,
    is_hidden: bool,
    /// The language of the program.
    lang: Lang,
}

/// A game at one moment.
#[derive(Clone, Debug)]
struct PageGame {
    /// Its number on the pages, from 1.
    number: usize,
    state: GameState,
    /// The contents of its bar in Japanese and in English.
    views: [BarView; 2],
}

/// Makes the [`PagesContent`], and remembers the numbers of the games and the swings.
#[derive(Debug, Default)]
pub struct PagesRecorder {
    /// The games in order of appearance. A number is never given again.
    known: Vec<GameId>,
    swings: SwingList,
}

impl PagesRecorder {
    /// Returns what the pages show now. `now` is the time of day in seconds since 1970, for new swings.
    pub fn content(&mut self, model: &AppModel, now: u64) -> PagesContent {
        let is_hidden = model.bars().any(|(_, bar)| bar.is_hidden());
        let mut content = PagesContent { is_hidden, lang: model.lang(), ..PagesContent::default() };
        for (id, game) in model.games() {
            let number = self.number(id);
            if id == model.page_game() {
                content.current = content.games.len();
            }
            let shown = model.bars().find(|(_, bar)| bar.game() == id);
            let (views, report) = match shown {
                Some((at, bar)) => (Lang::ALL.map(|lang| model.bar_view_in(at, lang)), bar.lead_report(game)),
                None => unwatched(game, is_hidden),
            };
            let state = GameState::new(number, game, in_lang(&views, model.lang()), report.as_ref());
            let place = SwingPlace { game: number, ply: state.ply(), words: views.each_ref().map(last_words) };
            if game.document().is_at_tip() {
                self.swings.update(place, &views[0], now);
            }
            content.games.push(PageGame { number, state, views });
        }
        content.swings = self.swings.clone();
        content
    }

    fn number(&mut self, id: GameId) -> usize {
        let known = self.known.iter().position(|known| *known == id);
        1 + known.unwrap_or_else(|| {
            self.known.push(id);
            self.known.len() - 1
        })
    }
}

/// Returns what is known of a game that no bar shows: the evaluation in its record.
fn unwatched(game: &Game, is_hidden: bool) -> ([BarView; 2], Option<crate::bar::EngineReport>) {
    let mut bar = Bar::default();
    if let Some(snapshot) = game.record_snapshot() {
        bar.add_engine(snapshot.into());
    }
    if is_hidden {
        bar.hide();
    }
    (Lang::ALL.map(|lang| bar.view(game, None, lang)), bar.lead_report(game))
}

fn last_words(view: &BarView) -> String {
    view.position_text[1].clone()
}

/// Returns the one of a language, of the Japanese and the English.
const fn in_lang<T>([japanese, english]: &[T; 2], lang: Lang) -> &T {
    match lang {
        Lang::Ja => japanese,
        Lang::En => english,
    }
}

impl PagesContent {
    /// Returns the contents of a game's bar, by its number; that of the current game where there is no such game.
    pub fn view(&self, number: Option<usize>, lang: Lang) -> Option<&BarView> {
        let chosen = number.and_then(|number| self.games.iter().find(|game| game.number == number));
        let game = chosen.or_else(|| self.games.get(self.current))?;
        Some(in_lang(&game.views, lang))
    }

    /// Returns the state as JSON, in one line.
    pub fn state_json(&self) -> String {
        let games = self.games.iter().map(|game| &game.state).collect();
        json(&StateObject { games, swings: self.swings(self.lang) })
    }

    /// Returns what the desk shows, as JSON in one line.
    pub fn desk_json(&self, lang: Lang) -> String {
        let tile = |game| desk_tile(game, lang);
        let games = self.games.iter().map(tile).collect();
        json(&DeskObject::new(games, self.swings(lang), lang))
    }

    fn swings(&self, lang: Lang) -> Vec<SwingState<'_>> {
        if self.is_hidden { Vec::new() } else { self.swings.states(lang).collect() }
    }
}

fn desk_tile(game: &PageGame, lang: Lang) -> DeskTile<'_> {
    DeskTile::new(game.number, &game.state, in_lang(&game.views, lang), lang)
}

/// Returns a value as JSON in one line.
fn json(value: &impl serde::Serialize) -> String {
    // Texts and numbers can always be written.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
