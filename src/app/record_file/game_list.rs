//! What can be turned to: the games of a file that has several, and files that were opened together.

use crate::kifu::Record;
use crate::shogi::Color;
use crate::text::visible::visible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something that can be turned to.
#[derive(Clone, Debug)]
pub(super) enum GameEntry {
    /// A game, as it was read.
    Game(Arc<Record>),
    /// A file.
    File(PathBuf),
}

/// A row of such, of which one is on view.
#[derive(Debug, Default)]
pub(super) struct GameList {
    volumes: Vec<GameEntry>,
    titles: Vec<String>,
    at: usize,
}

impl GameList {
    /// Files that were opened together; the first is to be on view.
    pub(super) fn from_files(paths: Vec<PathBuf>) -> Self {
        let titles = paths.iter().map(|path| name(path)).collect();
        Self { volumes: paths.into_iter().map(GameEntry::File).collect(), titles, at: 0 }
    }

    /// Puts further files at the end.
    pub(super) fn add(&mut self, paths: &[PathBuf]) {
        self.titles.extend(paths.iter().map(|path| name(path)));
        self.volumes.extend(paths.iter().cloned().map(GameEntry::File));
    }

    /// What each is called; nothing where there is one only.
    pub(super) fn titles(&self) -> &[String] {
        if self.titles.len() > 1 { &self.titles } else { &[] }
    }

    /// Which of them is on view.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Turns to one of them.
    pub(super) fn select(&mut self, at: usize) -> Option<GameEntry> {
        let volume = self.volumes.get(at)?.clone();
        self.at = at;
        Some(volume)
    }

    /// The games of a file were read, the first of which is on view. They stand where the file stood; a file that
    /// was not there comes in place of all.
    pub(super) fn add_games(&mut self, path: &Path, games: &[Arc<Record>]) {
        let here = self.volumes.get(self.at);
        if !matches!(here, Some(GameEntry::File(file)) if file == path) {
            *self = Self::from_files(vec![path.to_owned()]);
        }
        if games.len() > 1 {
            let titles = games.iter().zip(1..).map(|(game, number)| title(game, number));
            self.titles.splice(self.at..=self.at, titles);
            self.volumes.splice(self.at..=self.at, games.iter().cloned().map(GameEntry::Game));
        }
    }
}

fn name(path: &Path) -> String {
    visible(&path.file_name().unwrap_or_default().to_string_lossy()).into_owned()
}

/// A game as the one of this number: who played it.
fn title(game: &Record, number: usize) -> String {
    let [black, white] = [Color::Black, Color::White].map(|color| game.player(color).unwrap_or("?"));
    visible(&format!("{number}. {black} – {white}")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;

    #[test]
    fn the_games_of_a_file_stand_where_it_stood() {
        let mut shelf = GameList::from_files(["a.kif", "b.csa", "c.kif"].map(PathBuf::from).to_vec());
        let games = kifu::read(b"V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n").unwrap().games;
        let games: Vec<_> = games.into_iter().map(Arc::new).collect();
        assert!(matches!(shelf.select(1), Some(GameEntry::File(path)) if path == Path::new("b.csa")));
        shelf.add_games(Path::new("b.csa"), &games);
        assert_eq!(shelf.titles(), ["a.kif", "1. A – B", "2. ? – ?", "c.kif"]);
        assert!(matches!(shelf.select(2), Some(GameEntry::Game(game)) if game == games[1]));
        assert!(shelf.select(4).is_none());
        assert_eq!(shelf.at(), 2);
        shelf.add_games(Path::new("d.kif"), &games[..1]);
        assert_eq!(shelf.titles(), [] as [&str; 0], "another file alone");
    }
}
