//! What the pages for OBS and for a second screen show: the state of all games, and the contents of their bars. Pure.
//!
//! [`PagesSnapshot`] is a copy of what they need, made where the model is. [`PagesRecorder`] makes the contents of it, on the
//! thread of the pages.

pub mod options;
pub mod sample;
mod snapshot;
mod state;
mod swings;
mod tile;

use super::ids::GameId;
use crate::bar::BarView;
use crate::text::{Lang, pages as text};
use state::{GameState, StateObject, SwingState};
use std::sync::Arc;
use swings::{SwingList, SwingPlace};
use tile::{DeskObject, DeskTile};

use snapshot::GameSnapshot;
pub use snapshot::PagesSnapshot;

/// All games at one moment.
#[derive(Clone, Debug, Default)]
pub struct PagesContent {
    games: Vec<Arc<PageGame>>,
    /// The index of the game that a page without a choice shows.
    current: usize,
    swings: SwingList,
    is_hidden: bool,
    /// The numbers of sets of engines and of games, where the games are searched in turn.
    shared: Option<(usize, usize)>,
    /// The language of the program.
    lang: Lang,
}

/// A game at one moment.
#[derive(Clone, Debug)]
struct PageGame {
    id: GameId,
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
    /// The games as they were last, and what was made of them.
    last: Vec<(GameSnapshot, Arc<PageGame>)>,
    lang: Lang,
    swings: SwingList,
}

impl PagesRecorder {
    /// Returns what the pages show of a snapshot. `now` is the time of day in seconds since 1970, for new swings. Slow with
    /// many games: only those that have changed are composed again.
    pub fn content(&mut self, snapshot: &PagesSnapshot, now: u64) -> PagesContent {
        let PagesSnapshot { games, current, is_hidden, shared, lang } = snapshot;
        let last = std::mem::take(&mut self.last);
        let last = if std::mem::replace(&mut self.lang, *lang) == *lang { last } else { Vec::new() };
        let mut content = PagesContent {
            is_hidden: *is_hidden,
            shared: *shared,
            lang: *lang,
            current: *current,
            ..PagesContent::default()
        };
        for game in games {
            let known = last.iter().find(|(known, _)| known == game).map(|(_, made)| Arc::clone(made));
            let made = known.unwrap_or_else(|| self.compose(game, now));
            self.last.push((game.clone(), Arc::clone(&made)));
            content.games.push(made);
        }
        content.swings = self.swings.clone();
        content
    }

    fn compose(&mut self, game: &GameSnapshot, now: u64) -> Arc<PageGame> {
        let (number, views) = (self.number(game.id), game.views());
        let state = GameState::new(number, game, in_lang(&views, self.lang));
        let place = SwingPlace { game: number, ply: state.ply(), words: views.each_ref().map(last_words) };
        if game.is_at_tip {
            self.swings.update(place, &views[0], now);
        }
        Arc::new(PageGame { id: game.id, number, state, views })
    }

    fn number(&mut self, id: GameId) -> usize {
        let known = self.known.iter().position(|known| *known == id);
        1 + known.unwrap_or_else(|| {
            self.known.push(id);
            self.known.len() - 1
        })
    }
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

    /// Returns the game of a number.
    pub fn game(&self, number: usize) -> Option<GameId> {
        Some(self.games.iter().find(|game| game.number == number)?.id)
    }

    /// Returns the state as JSON, in one line.
    pub fn state_json(&self) -> String {
        let games = self.games.iter().map(|game| &game.state).collect();
        json(&StateObject { games, swings: self.swings(self.lang) })
    }

    /// Returns what the desk shows, as JSON in one line.
    pub fn desk_json(&self, lang: Lang) -> String {
        let games = self.games.iter().map(|game| desk_tile(game, lang)).collect();
        let shared = self.shared.map(|(sets, games)| text::shared_engines(sets, games, lang));
        let current = self.games.get(self.current).map(|game| game.number);
        json(&DeskObject::new(games, self.swings(lang), (current, shared), lang))
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
