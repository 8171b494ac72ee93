//! Files and addresses that are being opened. A game is shown once its file is read, and closed if the file cannot be
//! read. A game that is followed from an address is shown at once. If the address fails before it has a game, the game is
//! closed again, and the bars are as before.

use super::{AppModel, BarId, GameId};
use crate::Message;
use crate::game::GameSource;
use crate::outputs::OutputId;
use shogibar_live::source_text::SourceRemark;
use shogibar_live::{EndCause, SourceState};

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

/// The games on the bars before addresses were opened.
#[derive(Clone, Debug)]
pub(super) struct ShownGames {
    bars: Vec<(BarId, GameId)>,
    study_bar: BarId,
}

/// An address that was opened as a new game, until its source has a game or a list of games.
#[derive(Debug)]
pub(super) struct OpeningAddress {
    /// The bar that shows why the address fails.
    bar: BarId,
    game: GameId,
    before: ShownGames,
}

impl AppModel {
    /// Returns the games that the bars show now.
    pub(super) fn shown_games(&self) -> ShownGames {
        let bars = self
            .bars
            .iter()
            .map(|entry| (entry.id, entry.bar.game()))
            .collect();
        ShownGames {
            bars,
            study_bar: self.study_bar,
        }
    }

    /// Stores games that were added for addresses. `before` are the games on the bars before that.
    pub(super) fn await_addresses(&mut self, bar: BarId, games: &[GameId], before: &ShownGames) {
        // Without a user, an address that fails is tried again.
        if !self.chooses_newest {
            let opening = games.iter().map(|game| OpeningAddress {
                bar,
                game: *game,
                before: before.clone(),
            });
            self.opening_addresses.extend(opening);
        }
    }

    /// Closes the game of an address that fails before it has a game, and the bar that was added for it. The other bars
    /// show what they showed before. Returns whether the game was closed.
    pub(super) fn give_up_address(&mut self, id: GameId, state: &SourceState) -> bool {
        let game = self.game(id);
        let source = match game.source() {
            Some(source) if game.awaits_source() => source,
            _ => return false,
        };
        // The user has worked on the empty board meanwhile, or has put it on air.
        if game.is_unsaved() || !game.file.is_idle() || game.path().is_some() || self.is_game_on_air(id) {
            return false;
        }
        let cause = match state {
            // A board on the screen may be hidden for a moment.
            SourceState::Lost { problem, .. } if !source.is_screen() => EndCause::Refused(problem.clone()),
            SourceState::Ended(cause) => cause.clone(),
            _ => return false,
        };
        let why = SourceRemark::NotOpened(source.address().to_string(), cause);
        let Some(at) = self
            .opening_addresses
            .iter()
            .position(|opening| opening.game == id)
        else {
            return false;
        };
        let OpeningAddress { bar, before, .. } = self.opening_addresses.remove(at);
        let showing: Vec<_> = self
            .bars
            .iter()
            .filter(|entry| entry.bar.game() == id)
            .map(|entry| entry.id)
            .collect();
        for own in showing {
            match before.bars.iter().find(|(known, _)| *known == own) {
                Some((_, game)) if self.has_game(*game) => self.show(own, *game),
                Some(_) => {
                    // The blank game was closed when the address was opened.
                    let blank = self.add_game();
                    self.show(own, blank);
                }
                None => self.close_bar(own),
            }
        }
        if self.has_bar(before.study_bar) {
            self.study_bar = before.study_bar;
        }
        self.remove_game(id);
        let bar = if self.has_bar(bar) { bar } else { self.study_bar };
        self.notices.set_result(&why.into(), bar, true);
        true
    }

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
        let Some(at) = self
            .opening_files
            .iter()
            .position(|files| files.games.contains(&id))
        else {
            return;
        };
        let mut files = self.opening_files.remove(at);
        files.games.retain(|game| *game != id || is_read);
        let first = files
            .games
            .first()
            .copied()
            .filter(|first| self.is_file_read(*first));
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
        let asked_on = self
            .opening_files
            .iter()
            .find(|files| files.games.contains(&id))
            .map(|files| files.bar);
        let Some(bar) = asked_on else {
            return self.show_problem(id, why);
        };
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
        let mut bar = match target {
            OpenTarget::AtOnce(bar) | OpenTarget::Bar(bar) if self.has_bar(bar) => bar,
            OpenTarget::AtOnce(_) | OpenTarget::Bar(_) => self.study_bar,
            OpenTarget::Beside(engines) => self.bar_beside(first, engines),
        };
        let before = self.bar(bar).game();
        let is_followed = self.game(before).source().is_some_and(GameSource::is_running);
        if self.is_on_air(OutputId::Bar(bar)) && self.bar_of(first).is_none() {
            return self.present(bar, first);
        }
        if is_followed && sources.contains(&first) && self.bar_of(first).is_none() {
            // A followed game may be on air, so it stays on its bar, if another bar can be added.
            self.add_source_bars(bar, &[first]);
        }
        match self.bar_of(first) {
            Some(own) if is_followed => self.show_in_study_bar(own),
            _ => bar = self.present(bar, first),
        }
        if before != first
            && self.has_game(before)
            && self.game(before).is_blank()
            && self.bar_of(before).is_none()
        {
            self.remove_game(before);
        }
        if is_beside {
            self.show_in_study_bar(bar);
        }
        bar
    }

    fn bar_beside(&mut self, game: GameId, engines: Vec<String>) -> BarId {
        let is_own = !engines.is_empty();
        let blank = || {
            self.window_bars()
                .map(|(bar, _)| bar)
                .find(|bar| self.is_free(*bar))
        };
        if !is_own && let Some(bar) = self.bar_of(game).or_else(blank) {
            return bar;
        }
        // While the bars are hidden or on air, no bar is added, and the game is shown on the study page.
        let may_add = is_own || self.bars.len() < self.max_bars && !self.hides_bars;
        if may_add && !self.is_on_air(OutputId::Bar(self.study_output())) {
            self.add_bar_with(self.study_bar, game, engines)
        } else {
            self.study_bar
        }
    }

    /// Records that the address of a game has a game or a list of games, or is no longer followed.
    pub(super) fn end_opening(&mut self, id: GameId) {
        self.opening_addresses.retain(|opening| opening.game != id);
    }

    /// Returns whether a bar has a blank game, which another one may replace.
    pub(super) fn is_free(&self, bar: BarId) -> bool {
        let game = self.bar(bar).game();
        self.has_game(game) && self.game(game).is_blank() && !self.is_on_air(OutputId::Bar(bar))
    }

    fn has_bar(&self, bar: BarId) -> bool {
        self.bars.iter().any(|entry| entry.id == bar)
    }
}

#[cfg(test)]
mod tests;
