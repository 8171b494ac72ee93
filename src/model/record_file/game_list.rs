//! The games to select from: those of a file, or several games without a file.

use super::{OpenFile, RecordFile};
use shogibar_base::visible::short;
use shogibar_games::study::Document;
use shogibar_kifu::{NodeId, Notes, Record};
use shogibar_shogi::{Color, Position};
use std::sync::Arc;

/// The games, with the index of the current one. Empty if there is only one.
#[derive(Debug, Default)]
pub(super) struct GameList {
    games: Vec<Arc<Record>>,
    titles: Vec<String>,
    current_index: usize,
}

impl GameList {
    /// Creates the list, whose first game is the current one. A single game gives an empty list.
    pub(super) fn new(games: &[Arc<Record>]) -> Self {
        if games.len() < 2 {
            return Self::default();
        }
        let titles = games
            .iter()
            .zip(1..)
            .map(|(game, number)| title(game, number))
            .collect();
        Self {
            games: games.to_vec(),
            titles,
            current_index: 0,
        }
    }

    pub(super) fn titles(&self) -> &[String] {
        &self.titles
    }

    pub(super) const fn current_index(&self) -> usize {
        self.current_index
    }

    /// Stores the present state of the current game.
    pub(super) fn replace(&mut self, game: Arc<Record>) {
        if let Some(slot) = self.games.get_mut(self.current_index) {
            *slot = game;
        }
    }

    /// Returns all games and the index of the current one. `game` is the present state of that one.
    pub(super) fn games_with(&self, game: Arc<Record>) -> (Vec<Arc<Record>>, usize) {
        let mut games = self.games.clone();
        if let Some(slot) = games.get_mut(self.current_index) {
            *slot = game;
        }
        (games, self.current_index)
    }

    /// Makes a game current, by its index, and returns the game; `None` if there is no such game.
    pub(super) fn select(&mut self, index: usize) -> Option<Arc<Record>> {
        let game = Arc::clone(self.games.get(index)?);
        self.current_index = index;
        Some(game)
    }
}

impl RecordFile {
    /// Sets games without a file, and returns the first one, to be shown. With `is_unsaved`, the games count as unsaved
    /// unless they are empty.
    pub fn show_games(&mut self, games: &[Arc<Record>], is_unsaved: bool) -> Option<Arc<Record>> {
        self.detach();
        self.game_list = GameList::new(games);
        self.is_only_here = is_unsaved && !games.iter().all(|game| is_empty_start(game));
        games.first().map(Arc::clone)
    }

    /// Returns whether the games to select from are saved together, so that selecting another one loses no change.
    pub(super) fn keeps_list(&self) -> bool {
        !self.game_list.titles().is_empty() && self.open_file.as_ref().is_none_or(OpenFile::was_read_whole)
    }

    /// Returns the games to save: the record, or all games to select from, with the index of the record.
    pub(super) fn games(&self, document: &Document) -> (Vec<Arc<Record>>, usize) {
        if self.keeps_list() {
            self.game_list.games_with(document.shared_record())
        } else {
            (vec![document.shared_record()], 0)
        }
    }

    /// Returns the number of games that a save writes: all games of the list, or only the current one.
    pub fn saved_game_count(&self) -> usize {
        if self.keeps_list() {
            self.game_list.titles().len()
        } else {
            1
        }
    }

    /// Returns the titles of the games to select from, and the index of the current one. The list is empty if there is
    /// only one game.
    pub fn game_titles(&self) -> (&[String], usize) {
        (self.game_list.titles(), self.game_list.current_index())
    }

    /// Stores the present game in the list, and makes the game at `index` current. Returns this game; `None` if there
    /// is none.
    pub fn select(&mut self, index: usize, document: &Document) -> Option<Arc<Record>> {
        if self.keeps_list() {
            self.is_only_here |= document.is_changed();
            self.game_list.replace(document.shared_record());
        }
        self.game_list.select(index)
    }
}

/// Returns whether a record is only the start of a game, without any content.
fn is_empty_start(record: &Record) -> bool {
    let is_start = record.is_handicap() || *record.start() == Position::startpos();
    let has_words = record.headers().iter().any(|(key, _)| key != "手合割");
    is_start && !has_words && record.is_empty() && *record.node(NodeId::START).notes() == Notes::default()
}

/// Returns the title of a game: its number and its players.
fn title(game: &Record, number: usize) -> String {
    let [black, white] = [Color::Black, Color::White].map(|color| game.player(color).unwrap_or("?"));
    format!("{number}. {} – {}", short(black), short(white))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_several_games() {
        let games = shogibar_kifu::read(b"V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n")
            .unwrap()
            .games;
        let games: Vec<_> = games.into_iter().map(Arc::new).collect();
        let mut list = GameList::new(&games);
        assert_eq!(list.titles(), ["1. A – B", "2. ? – ?"]);
        assert_eq!(
            (list.select(1).as_ref(), list.current_index()),
            (Some(&games[1]), 1)
        );
        assert!(list.select(2).is_none());
        assert_eq!(
            GameList::new(&games[..1]).titles(),
            [] as [&str; 0],
            "one alone is no list"
        );
    }
}
