//! The list of games to select from: those of one file, or files that were opened together.

use crate::kifu::Record;
use crate::shogi::Color;
use crate::text::visible::visible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An entry of the list.
#[derive(Clone, Debug)]
pub(super) enum GameEntry {
    /// A game, as it was read.
    Game(Arc<Record>),
    /// A file that is not read yet.
    File(PathBuf),
}

/// The list of games and files, with the index of the current one.
#[derive(Debug, Default)]
pub(super) struct GameList {
    entries: Vec<GameEntry>,
    titles: Vec<String>,
    at: usize,
}

impl GameList {
    /// Creates the list from files that were opened together. The first is the current one.
    pub(super) fn from_files(paths: Vec<PathBuf>) -> Self {
        let titles = paths.iter().map(|path| name(path)).collect();
        Self { entries: paths.into_iter().map(GameEntry::File).collect(), titles, at: 0 }
    }

    /// Appends files.
    pub(super) fn add(&mut self, paths: &[PathBuf]) {
        self.titles.extend(paths.iter().map(|path| name(path)));
        self.entries.extend(paths.iter().cloned().map(GameEntry::File));
    }

    /// The titles; empty where there is only one entry.
    pub(super) fn titles(&self) -> &[String] {
        if self.titles.len() > 1 { &self.titles } else { &[] }
    }

    /// The index of the current entry.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Makes an entry current, by its index, and returns it; `None` if there is none.
    pub(super) fn select(&mut self, at: usize) -> Option<GameEntry> {
        let entry = self.entries.get(at)?.clone();
        self.at = at;
        Some(entry)
    }

    /// Replaces the games of the current file, which has changed. The first is current. A list of files stays.
    pub(super) fn replace_games(&mut self, path: &Path, games: &[Record]) {
        if matches!(self.entries.get(self.at), Some(GameEntry::Game(_))) {
            *self = Self::from_files(vec![path.to_owned()]);
            self.add_games(path, &games.iter().cloned().map(Arc::new).collect::<Vec<_>>());
        }
    }

    /// Replaces a file's entry by its games, the first of which is current.
    ///
    /// A file that is not the current entry replaces the whole list.
    pub(super) fn add_games(&mut self, path: &Path, games: &[Arc<Record>]) {
        let current = self.entries.get(self.at);
        if !matches!(current, Some(GameEntry::File(file)) if file == path) {
            *self = Self::from_files(vec![path.to_owned()]);
        }
        if games.len() > 1 {
            let titles = games.iter().zip(1..).map(|(game, number)| title(game, number));
            self.titles.splice(self.at..=self.at, titles);
            self.entries.splice(self.at..=self.at, games.iter().cloned().map(GameEntry::Game));
        }
    }
}

fn name(path: &Path) -> String {
    visible(&path.file_name().unwrap_or_default().to_string_lossy()).into_owned()
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
    fn replaces_a_file_by_its_games() {
        let mut list = GameList::from_files(["a.kif", "b.csa", "c.kif"].map(PathBuf::from).to_vec());
        let games = kifu::read(b"V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n").unwrap().games;
        let games: Vec<_> = games.into_iter().map(Arc::new).collect();
        assert!(matches!(list.select(1), Some(GameEntry::File(path)) if path == Path::new("b.csa")));
        list.add_games(Path::new("b.csa"), &games);
        assert_eq!(list.titles(), ["a.kif", "1. A – B", "2. ? – ?", "c.kif"]);
        assert!(matches!(list.select(2), Some(GameEntry::Game(game)) if game == games[1]));
        assert!(list.select(4).is_none());
        assert_eq!(list.at(), 2);
        list.add_games(Path::new("d.kif"), &games[..1]);
        assert_eq!(list.titles(), [] as [&str; 0], "another file alone");
    }
}
