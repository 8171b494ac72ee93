//! Files that are being opened. A game is shown once its file is read, and closed if the file cannot be read.

use super::{AppModel, BarId, GameId};
use crate::game::GameSource;
use crate::text::Message;

/// The bar for the first of several games that are opened together, and when it shows the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OpenTarget {
    /// This bar, even before the file is read, so that it shows nothing else.
    AtOnce(BarId),
    /// This bar, once the file is read.
    Bar(BarId),
    /// The bar that has the game, else one with a blank game, else a new one. If engines are named, always a new bar
    /// with these engines.
    Beside(Vec<String>),
}

/// Files that are opened together, until all of them are read.
#[derive(Debug)]
pub(super) struct OpeningFiles {
    /// The bar that shows why a file cannot be read.
    bar: BarId,
    /// The bar for the first readable file; `None` once it is shown.
    target: Option<OpenTarget>,
    /// The games whose files are not read, or that wait for such a game before them, in order.
    games: Vec<GameId>,
}

impl AppModel {
    /// Stores files that are being read. The first readable one is shown on the target, if there is a target.
    pub(super) fn await_files(&mut self, bar: BarId, target: Option<OpenTarget>, games: Vec<GameId>) {
        // Without a user, the tab of an unreadable file stays, to report the problem.
        if !games.is_empty() && !self.chooses_newest {
            self.opening_files.push(OpeningFiles { bar, target, games });
        }
    }

    /// Returns whether the file of a game was read. Also true for a game without a file.
    fn is_file_read(&self, game: GameId) -> bool {
        let game = self.game(game);
        game.unread_path.is_none() && game.file.opening_path().is_none()
    }

    /// Continues to open files after the file of a game was read, or could not be read. Shows the first readable one of
    /// the files that were opened together, as soon as that is known.
    pub(super) fn continue_opening(&mut self, id: GameId, is_read: bool) {
        let Some(at) = self.opening_files.iter().position(|files| files.games.contains(&id)) else { return };
        let mut files = self.opening_files.remove(at);
        files.games.retain(|game| *game != id || is_read);
        let first = files.games.first().copied().filter(|first| self.is_file_read(*first));
        if let Some(first) = first
            && let Some(target) = files.target.take()
        {
            self.show_first(target, first, &[]);
        }
        if files.target.is_none() {
            files.games.retain(|game| !self.is_file_read(*game));
        }
        if !files.games.is_empty() {
            self.opening_files.push(files);
        }
    }

    /// Reports a file that cannot be read. The game that was opened for the file is closed again.
    pub(super) fn give_up_file(&mut self, id: GameId, why: &Message) {
        let asked_on = self.opening_files.iter().find(|files| files.games.contains(&id)).map(|files| files.bar);
        let Some(bar) = asked_on else { return self.show_problem(id, why) };
        self.with_game(id, |game| game.unread_path = None);
        if self.game(id).is_blank() {
            self.remove_game(id);
        } else {
            // The user has worked on the empty board meanwhile.
            self.continue_opening(id, false);
        }
        let bar = if self.has_bar(bar) { bar } else { self.study_bar };
        self.notices.set_result(why, bar, true);
    }

    /// Shows the first of the games that are opened together. `sources` are the games among them that are followed from
    /// sources. Returns the bar of the target.
    pub(super) fn show_first(&mut self, target: OpenTarget, first: GameId, sources: &[GameId]) -> BarId {
        let is_beside = matches!(target, OpenTarget::Beside(_));
        let bar = match target {
            OpenTarget::AtOnce(bar) | OpenTarget::Bar(bar) if self.has_bar(bar) => bar,
            OpenTarget::AtOnce(_) | OpenTarget::Bar(_) => self.study_bar,
            OpenTarget::Beside(engines) => self.bar_beside(first, engines),
        };
        let before = self.bar(bar).game();
        let is_followed = self.game(before).source().is_some_and(GameSource::is_running);
        if is_followed && sources.contains(&first) && self.bar_of(first).is_none() {
            // A followed game may be on air, so it stays on its bar, if another bar can be added.
            self.add_source_bars(bar, &[first]);
        }
        match self.bar_of(first).filter(|_| is_followed) {
            Some(own) => self.show_in_study_bar(own),
            None => self.show(bar, first),
        }
        if before != first && self.game(before).is_blank() {
            self.remove_game(before);
        }
        if is_beside {
            self.show_in_study_bar(bar);
        }
        bar
    }

    /// Returns the bar for a game that a second start opens.
    fn bar_beside(&mut self, game: GameId, engines: Vec<String>) -> BarId {
        let is_own = !engines.is_empty();
        let blank = || self.bars.iter().find(|entry| self.game(entry.bar.game()).is_blank()).map(|entry| entry.id);
        if let Some(bar) = self.bar_of(game).or_else(blank).filter(|_| !is_own) {
            return bar;
        }
        // While the bars are hidden, no bar is added, and the game is shown on the study page.
        let may_add = is_own || self.bars.len() < self.max_bars && !self.hides_bars;
        if may_add { self.add_bar_with(self.study_bar, game, engines) } else { self.study_bar }
    }

    /// Returns whether a bar is open.
    fn has_bar(&self, bar: BarId) -> bool {
        self.bars.iter().any(|entry| entry.id == bar)
    }
}
