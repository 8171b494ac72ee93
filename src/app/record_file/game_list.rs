//! The games of a file to select from.

use crate::kifu::Record;
use crate::shogi::Color;
use crate::text::visible::visible;
use std::sync::Arc;

/// The games of a file, with the index of the current one. Empty where there is only one.
#[derive(Debug, Default)]
pub(super) struct GameList {
    games: Vec<Arc<Record>>,
    titles: Vec<String>,
    at: usize,
}

impl GameList {
    /// Creates the list of a file's games. The first is the current one.
    pub(super) fn new(games: &[Arc<Record>]) -> Self {
        if games.len() < 2 {
            return Self::default();
        }
        let titles = games.iter().zip(1..).map(|(game, number)| title(game, number)).collect();
        Self { games: games.to_vec(), titles, at: 0 }
    }

    /// The titles.
    pub(super) fn titles(&self) -> &[String] {
        &self.titles
    }

    /// The index of the current game.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Makes a game current, by its index, and returns it; `None` if there is none.
    pub(super) fn select(&mut self, at: usize) -> Option<Arc<Record>> {
        let game = Arc::clone(self.games.get(at)?);
        self.at = at;
        Some(game)
    }
}

/// The title of a game: its number and its players.
fn title(game: &Record, number: usize) -> String {
    let [black, white] = [Color::Black, Color::White].map(|color| game.player(color).unwrap_or("?"));
    visible(&format!("{number}. {black} – {white}")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;

    #[test]
    fn lists_several_games() {
        let games = kifu::read(b"V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n").unwrap().games;
        let games: Vec<_> = games.into_iter().map(Arc::new).collect();
        let mut list = GameList::new(&games);
        assert_eq!(list.titles(), ["1. A – B", "2. ? – ?"]);
        assert_eq!((list.select(1).as_ref(), list.at()), (Some(&games[1]), 1));
        assert!(list.select(2).is_none());
        assert_eq!(GameList::new(&games[..1]).titles(), [] as [&str; 0], "one alone is no list");
    }
}
