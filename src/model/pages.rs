//! The contents of the OBS pages: web pages for OBS and for a second screen. They are the state of all games, and the
//! contents of their bars. Pure.
//!
//! [`ObsPagesSnapshot`] is a copy of the needed data, made on the thread of the model. [`ObsPagesRecorder`] makes the
//! contents from it, on the thread of the OBS pages, or for the window of the desk.

pub mod control;
pub mod options;
pub mod sample;
mod snapshot;
mod state;
mod swings;
mod tile;

use super::ids::GameId;
use crate::pages_text as text;
use options::ObsPageOptions;
use shogibar_base::Lang;
use shogibar_config::SecondNames;
use shogibar_games::bar::BarView;
use shogibar_programme::BoardPageContent;
use shogibar_shogi::History;
use snapshot::GameSnapshot;
pub use snapshot::ObsPagesSnapshot;
#[cfg(test)]
pub(super) use state::StateValues;
use state::{GameState, StateObject, SwingState};
use std::sync::Arc;
use swings::{SwingList, SwingPosition};
use tile::{DeskObject, DeskTile};

/// The content of the OBS pages: all games at one moment.
#[derive(Clone, Debug, Default)]
pub struct ObsPagesContent {
    games: Vec<Arc<ObsPageGame>>,
    /// The index of the game that an OBS page shows if its address names no game.
    current_index: usize,
    swings: SwingList,
    /// Whether the evaluation is hidden on any bar.
    is_hidden: bool,
    /// The number of engine sets and the number of games, if the games are searched in turn.
    shared_counts: Option<(usize, usize)>,
    /// The language of the program.
    lang: Lang,
}

/// The content of the OBS pages for one game, at one moment.
#[derive(Clone, Debug)]
struct ObsPageGame {
    /// The snapshot from which the content was made.
    source: GameSnapshot,
    id: GameId,
    /// The number of the game on the OBS pages, from 1.
    number: usize,
    /// The moves up to the position; `None` where only numbers are shown.
    history: Option<Arc<History>>,
    /// Whether the game is over, even if another position than its last one is shown.
    is_over: bool,
    state: GameState,
    /// The contents of the game's bar in Japanese and in English.
    views: [BarView; 2],
}

/// Makes the [`ObsPagesContent`] of each snapshot. Stores the swings up to now.
#[derive(Debug, Default)]
pub struct ObsPagesRecorder {
    /// The last snapshots of the games, and the contents made from them.
    last_games: Vec<(GameSnapshot, Arc<ObsPageGame>)>,
    lang: Lang,
    swings: SwingList,
}

impl ObsPagesRecorder {
    /// Returns the content of the OBS pages for a snapshot. `now` is the time in seconds since 1970, for new swings.
    /// Slow with many games, although only those that have changed are composed again.
    pub fn content(&mut self, snapshot: &ObsPagesSnapshot, now: u64) -> ObsPagesContent {
        let ObsPagesSnapshot {
            games,
            current_index: current,
            is_hidden,
            shared_counts: shared,
            lang,
        } = snapshot;
        let last = std::mem::take(&mut self.last_games);
        let last = if std::mem::replace(&mut self.lang, *lang) == *lang {
            last
        } else {
            Vec::new()
        };
        let mut content = ObsPagesContent {
            is_hidden: *is_hidden,
            shared_counts: *shared,
            lang: *lang,
            current_index: *current,
            ..ObsPagesContent::default()
        };
        for game in games {
            let made = last
                .iter()
                .find(|(last, _)| last == game)
                .map(|(_, made)| Arc::clone(made));
            let made = made.unwrap_or_else(|| self.compose(game, now));
            self.last_games.push((game.clone(), Arc::clone(&made)));
            content.games.push(made);
        }
        content.swings = self.swings.clone();
        content
    }

    /// Makes the content for a game, and updates the swings by it.
    fn compose(&mut self, game: &GameSnapshot, now: u64) -> Arc<ObsPageGame> {
        let (number, views) = (game.number, game.views());
        let state = GameState::new(number, game, in_lang(&views, self.lang));
        let frame = &game.frame;
        if frame.is_at_tip && !game.choices.is_own_game {
            let words = frame.bar.last_words.clone();
            let position = SwingPosition {
                game: number,
                ply: frame.ply(),
                words,
            };
            self.swings.update(position, &frame.bar.view(None, Lang::Ja), now);
        }
        self.swings.set_numbers_only(number, game.choices.numbers_only);
        let history = (!game.choices.numbers_only).then(|| Arc::clone(&frame.bar.history));
        let is_over = frame.is_over;
        Arc::new(ObsPageGame {
            source: game.clone(),
            id: game.id,
            number,
            history,
            is_over,
            state,
            views,
        })
    }
}

const fn in_lang<T>([japanese, english]: &[T; 2], lang: Lang) -> &T {
    match lang {
        Lang::Ja => japanese,
        Lang::En => english,
    }
}

impl ObsPagesContent {
    /// Returns the content of a bar by the number of its game, or that of the current game without a number. `None` if
    /// there is no such game: a page never shows another game than the one that its address names.
    pub fn view(&self, number: Option<usize>, lang: Lang) -> Option<&BarView> {
        Some(in_lang(&self.page_game(number)?.views, lang))
    }

    /// Returns the content of a board page, as [`view`](Self::view) returns that of a bar.
    pub fn board(&self, number: Option<usize>, lang: Lang) -> Option<BoardPageContent> {
        Some(self.page_game(number)?.source.board(lang))
    }

    fn page_game(&self, number: Option<usize>) -> Option<&ObsPageGame> {
        let game = match number {
            Some(number) => self.games.iter().find(|game| game.number == number),
            None => self.games.get(self.current_index),
        };
        game.map(Arc::as_ref)
    }

    /// Returns the numbers of the games on the OBS pages, from 1, each with the id of the game.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, GameId)> {
        self.games.iter().map(|game| (game.number, game.id))
    }

    #[cfg(test)]
    pub(super) fn values(&self) -> impl Iterator<Item = (GameId, StateValues<'_>)> {
        self.games.iter().map(|game| (game.id, game.state.values()))
    }

    /// Returns the game with this number on the OBS pages; `None` if there is none.
    pub fn game(&self, number: usize) -> Option<GameId> {
        Some(self.games.iter().find(|game| game.number == number)?.id)
    }

    /// Returns for each game: its number, the content of its bar, its moves, and whether it is over. The moves are `None`
    /// where only numbers are shown.
    pub fn games(&self, lang: Lang) -> impl Iterator<Item = (usize, &BarView, Option<&History>, bool)> {
        self.games.iter().map(move |game| {
            (
                game.number,
                in_lang(&game.views, lang),
                game.history.as_deref(),
                game.is_over,
            )
        })
    }

    /// Returns the number of the current game; and a sentence about the games that share engines, if they do.
    pub fn current(&self, lang: Lang) -> (Option<usize>, Option<String>) {
        let share = self
            .shared_counts
            .map(|(sets, games)| text::shared_engines(sets, games, lang));
        (self.games.get(self.current_index).map(|game| game.number), share)
    }

    /// Returns the number of moves with a large loss; 0 while the evaluation is hidden.
    pub const fn swing_count(&self) -> usize {
        if self.is_hidden { 0 } else { self.swings.len() }
    }

    /// Returns a line of text for each move with a large loss. The line has the age of the swing if `now` is given, in
    /// seconds since 1970. Otherwise it has the time.
    pub fn swing_lines(&self, now: Option<u64>, lang: Lang) -> Vec<String> {
        let names = |number: usize| {
            let game = self.games.iter().find(|game| game.number == number);
            let view = game.map(|game| in_lang(&game.views, lang));
            view.map(|view| format!("{} – {}", view.black.name, view.white.name))
                .unwrap_or_default()
        };
        self.swings(lang)
            .into_iter()
            .map(|swing| {
                let ago = now.map(|now| text::minutes_ago(now.saturating_sub(swing.seconds) / 60, lang));
                let (when, names) = (ago.as_deref().unwrap_or(&swing.time), names(swing.game));
                match (swing.ply, swing.words) {
                    (Some(ply), Some(words)) => text::swing(when, ply, words, swing.loss, &names, lang),
                    _ => text::swing_without_move(when, swing.loss, &names, lang),
                }
            })
            .collect()
    }

    /// Returns the state as JSON, in one line.
    pub fn state_json(&self) -> String {
        let games = self.games.iter().map(|game| &game.state).collect();
        json(&StateObject {
            games,
            swings: self.swings(self.lang),
        })
    }

    /// Returns the content of the desk, as JSON in one line. `version` is that of the program: the page reloads itself
    /// when it changes. `names` are the second names of players.
    pub fn desk_json(
        &self,
        version: &str,
        options: &ObsPageOptions,
        names: &SecondNames,
        lang: Lang,
    ) -> String {
        let views = self
            .games
            .iter()
            .map(|game| options.named_view(in_lang(&game.views, lang), names));
        let views: Vec<_> = views.collect();
        let games = self
            .games
            .iter()
            .zip(&views)
            .map(|(game, view)| desk_tile(game, view, lang))
            .collect();
        json(&DeskObject::new(
            games,
            self.swings(lang),
            self.current(lang).0,
            version,
            lang,
        ))
    }

    /// Returns the swings; none while the evaluation is hidden.
    fn swings(&self, lang: Lang) -> Vec<SwingState<'_>> {
        if self.is_hidden {
            Vec::new()
        } else {
            self.swings.states(lang).collect()
        }
    }
}

fn desk_tile<'g>(game: &'g ObsPageGame, view: &'g BarView, lang: Lang) -> DeskTile<'g> {
    DeskTile::new(game.number, game.is_over, &game.state, view, lang)
}

fn json(value: &impl serde::Serialize) -> String {
    // Texts and numbers can always be written, so the default is never used.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
