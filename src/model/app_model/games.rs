//! The games and bars of the model: adding, showing, closing and storing them.

use super::opening::OpenTarget;
use super::stored_outputs::stored_delay;
use super::{
    AppEffect, AppModel, Bar, BarEntry, BarId, Game, GameId, MAX_ENGINES_PER_BAR, OpenPosition, OpenRequest,
    SearchTarget,
};
use crate::game_analysis::AnalysisEffect;
use crate::jobs::JobKey;
use crate::outputs::OutputId;
use crate::record_file::RecordFile;
use crate::workspace::{Workspace, WorkspaceBar, WorkspaceGame, absolute};
use shogibar_games::bar::FollowMode;
use shogibar_kifu::{ReadGames, Record};
use shogibar_live::LiveAddress;
use std::path::Path;
use std::sync::Arc;

/// The maximum number of files that are read at once when several are opened. The others are read when they are shown.
const MAX_FILES_READ_AT_ONCE: usize = 12;

/// Returns the games that an address itself contains, so that no network is needed; `None` for other addresses.
fn held_games(address: &LiveAddress) -> Option<ReadGames> {
    let LiveAddress::SelfContained(text) = address else {
        return None;
    };
    shogibar_kifu::read(text.as_bytes()).ok()
}

impl AppModel {
    pub(super) fn add_game(&mut self) -> GameId {
        let id = GameId(self.next_id());
        self.add_game_with_id(id);
        id
    }

    pub(super) fn add_game_with_id(&mut self, id: GameId) {
        let mut game = Game::with_id(id, self.settings.lang);
        game.file = RecordFile::new(self.autosave_folder.clone());
        self.programme.number_game(id);
        self.games.push((id, game));
    }

    /// Adds a bar that shows a game. Returns the identity of the bar.
    pub fn add_bar_for(&mut self, game: GameId) -> BarId {
        let id = BarId(self.next_id());
        let bar = Bar::showing(game);
        let (choice, target) = (super::EngineChoice::default(), SearchTarget::default());
        self.bars.push(BarEntry {
            id,
            bar,
            choice,
            target,
            borrows_values: false,
            shares_engines: false,
            offered_engines: Vec::new(),
        });
        self.show(id, game);
        id
    }

    /// Shows a game on a bar. Reads the game's file, if it was not read yet.
    pub(super) fn show(&mut self, bar: BarId, game: GameId) {
        if !self.has_game(game) {
            return;
        }
        if let Some(entry) = self.entry_mut(bar) {
            entry.bar.show(game);
        }
        self.read_file(game);
    }

    /// Reads the file of a game, if it was not read yet. A save or a question in progress stays.
    pub(super) fn read_file(&mut self, game: GameId) {
        if let Some(game) = self
            .game_mut(game)
            .filter(|game| !game.is_unsaved() && game.file.is_idle())
            && let Some(path) = game.unread_path.clone()
        {
            game.with_file(|file, document| file.open(&path, document.revision()));
        }
    }

    /// Shows a game on the study page: on the bar that has it, or else on the page's bar.
    pub(super) fn show_in_study(&mut self, game: GameId) {
        match self.bar_of(game) {
            Some(bar) => self.show_in_study_bar(bar),
            None => _ = self.present(self.study_bar, game),
        }
    }

    /// Shows the game `offset` tabs after the current one. A negative offset goes back; the list wraps around.
    pub(super) fn cycle_game(&mut self, offset: i32) {
        if let Some(next) = self.game_after(self.study_game(), offset) {
            self.show_in_study(next);
        }
    }

    /// Returns the game `offset` tabs after another one. A negative offset goes back; the list wraps around.
    pub(super) fn game_after(&self, game: GameId, offset: i32) -> Option<GameId> {
        let at = self.games.iter().position(|(id, _)| *id == game)?;
        let at = i64::try_from(at).ok()? + i64::from(offset);
        let at = at.rem_euclid(i64::try_from(self.games.len()).ok()?);
        self.games.get(usize::try_from(at).ok()?).map(|(id, _)| *id)
    }

    pub(super) fn show_record(&mut self, id: GameId, record: impl Into<Arc<Record>>) {
        self.drop_analysis(id);
        self.store_results(id, &[]);
        self.end_source(id);
        if !self.programme.restored_frames.contains_key(&id) {
            // The positions that were held back are those of the former record.
            self.programme.delays.remove(&id);
        }
        if let Some(game) = self.game_mut(id) {
            game.open(record);
        }
    }

    /// Returns the game whose file has this path, or will have it after a save.
    pub(super) fn game_at(&self, path: &Path) -> Option<GameId> {
        let path = absolute(path);
        let has_path = |game: &Game| {
            game.path()
                .into_iter()
                .chain(game.file.save_paths())
                .any(|known| absolute(known) == path)
        };
        let found = self.games.iter().find(|(_, game)| has_path(game));
        found.map(|(id, _)| *id)
    }

    /// Opens addresses, each as a new game. The first is shown on the bar.
    pub(super) fn open_all(&mut self, bar: BarId, addresses: Vec<LiveAddress>) {
        self.open_on(OpenTarget::Bar(bar), addresses);
    }

    /// Opens addresses, each as a new game. The first is shown on the target, in place of a blank game. A file is shown
    /// once it is read. Further sources get new bars. Of many files, the further ones are read once they are shown.
    /// Returns the first game.
    pub(super) fn open_on(&mut self, target: OpenTarget, addresses: Vec<LiveAddress>) -> Option<GameId> {
        let (mut first, mut sources, mut files) = (None, Vec::new(), Vec::new());
        let (before, mut new_sources) = (self.shown_games(), Vec::new());
        for address in addresses {
            if let Some(read) = held_games(&address) {
                let id = self.add_game();
                first.get_or_insert(id);
                self.show_found(id, read);
                continue;
            }
            let id = match address {
                LiveAddress::Path(path) => self.game_at(&path).unwrap_or_else(|| {
                    let id = self.add_game();
                    if let Some(game) = self.game_mut(id) {
                        game.unread_path = Some(path);
                    }
                    files.push(id);
                    id
                }),
                // The command line has read standard input already.
                LiveAddress::Stdin => continue,
                address => {
                    let last_id = self.last_id;
                    let id = self.open_address(address);
                    sources.push(id);
                    new_sources.extend((id.0 > last_id).then_some(id));
                    id
                }
            };
            first.get_or_insert(id);
        }
        let first = first?;
        // Several files are read although only the first is shown on a bar: the desk shows all games.
        files.truncate(MAX_FILES_READ_AT_ONCE);
        let bar = match target {
            OpenTarget::AtOnce(bar) | OpenTarget::Bar(bar) => bar,
            OpenTarget::Beside(_) => self.study_bar,
        };
        let is_at_once = self.chooses_newest || matches!(target, OpenTarget::AtOnce(_));
        let is_awaited = files.first() == Some(&first) && !is_at_once;
        let (bar, target) = if is_awaited {
            (bar, Some(target))
        } else {
            (self.show_first(target, first, &sources), None)
        };
        for game in &files {
            self.read_file(*game);
        }
        self.add_source_bars(bar, &sources);
        self.await_addresses(bar, &new_sources, &before);
        self.await_files(bar, target, files);
        Some(first)
    }

    /// Opens the addresses of a second start. The first opens on a bar with a blank game, or on a new bar while there
    /// are few. Without an address, the study page is requested.
    pub(super) fn open_beside(&mut self, request: OpenRequest) {
        let OpenRequest {
            addresses,
            engines,
            shows_study,
        } = request;
        if shows_study || addresses.is_empty() {
            self.study_requests += 1;
            self.window_changes += 1;
        }
        self.open_on(OpenTarget::Beside(engines), addresses);
    }

    /// Sets the position at which the file of the study page's game is opened, once it is read.
    pub fn open_at(&mut self, position: OpenPosition) {
        let game = self.study_game();
        if let Some(game) = self.game_mut(game) {
            game.open_at = position;
        }
    }

    /// Adds a bar. It shows a game without a bar, with an engine like that of `beside`. If there is no such game, it
    /// shows the game of `beside` with the values of that bar.
    pub(super) fn add_bar(&mut self, beside: BarId) {
        let free = self
            .games
            .iter()
            .map(|(id, _)| *id)
            .find(|id| self.bar_of(*id).is_none());
        match free {
            Some(game) => _ = self.add_bar_with(beside, game, Vec::new()),
            None => self.add_borrowing_bar(beside),
        }
    }

    /// Adds a bar that shows the game of the bar `beside`, with the values of that bar's engines.
    fn add_borrowing_bar(&mut self, beside: BarId) {
        let (game, is_hidden) = (self.bar(beside).game(), self.bar(beside).is_hidden());
        let bar = self.add_hidden_bar(game, is_hidden);
        if let Some(entry) = self.entry_mut(bar) {
            entry.borrows_values = true;
        }
    }

    /// Adds a bar that shows a game, with these engines. Without any, it gets an engine like that of the bar `beside`,
    /// unless several engines already work: then the user is asked.
    /// Returns the id of the bar.
    pub(super) fn add_bar_with(&mut self, beside: BarId, game: GameId, mut engines: Vec<String>) -> BarId {
        let is_like_another = engines.is_empty();
        if is_like_another {
            engines.extend(self.managed_engine_name(beside));
        }
        let is_hidden = self.bar(beside).is_hidden();
        let bar = self.add_hidden_bar(game, is_hidden);
        if is_like_another && self.offer_sharing(bar, &engines) {
            return bar;
        }
        for engine in engines.into_iter().take(MAX_ENGINES_PER_BAR) {
            self.start_another(bar, engine);
        }
        bar
    }

    /// Adds a bar that shows a game, and returns the id of the bar. `is_hidden`: whether the evaluation is hidden on
    /// it.
    pub(super) fn add_hidden_bar(&mut self, game: GameId, is_hidden: bool) -> BarId {
        let (bar, pauses) = (self.add_bar_for(game), self.settings.pauses_hidden);
        if let Some(entry) = self.entry_mut(bar) {
            entry.bar.set_pauses_hidden(pauses);
            if is_hidden {
                entry.bar.toggle_hidden();
            }
        }
        bar
    }

    /// Shows the game of a bar on the study page. The page then acts on the bar whose engines evaluate the game.
    pub(super) fn show_in_study_bar(&mut self, bar: BarId) {
        self.study_bar = self.lender(bar);
    }

    /// Closes a bar and ends its engines. The last bar is not closed.
    pub(super) fn close_bar(&mut self, id: BarId) {
        let other = self.window_bars().map(|(bar, _)| bar).find(|bar| *bar != id);
        let (Some(index), Some(other)) = (self.bars.iter().position(|entry| entry.id == id), other) else {
            return;
        };
        let entry = self.bars.remove(index);
        let heir = self
            .bars
            .iter_mut()
            .find(|other| other.borrows_values && other.bar.game() == entry.bar.game());
        if !entry.borrows_values
            && let Some(heir) = heir
        {
            // The engines of the closed bar are passed on to a bar that showed their values.
            let is_hidden = heir.bar.is_hidden();
            let BarEntry {
                bar, choice, target, ..
            } = entry;
            (heir.bar, heir.choice, heir.target, heir.borrows_values) = (bar, choice, target, false);
            heir.bar.set_hidden(is_hidden);
        } else {
            self.effects.extend(
                entry
                    .bar
                    .managed_engines()
                    .map(|engine| AppEffect::EndEngine(engine.id)),
            );
        }
        self.notices.dismiss(id);
        self.programme.locked_bars.remove(&id);
        self.programme.preview.take_if(|preview| preview.bar == id);
        if let Some(preview) = self
            .programme
            .preview
            .as_mut()
            .filter(|preview| preview.beside == id)
        {
            preview.beside = other;
        }
        if self.study_bar == id
            && let Some(first) = self.bars.first()
        {
            self.show_in_study_bar(first.id);
        }
    }

    /// Removes a game. The bars that showed it show the next one.
    pub(super) fn remove_game(&mut self, id: GameId) {
        let Some(index) = self.games.iter().position(|(known, _)| *known == id) else {
            return;
        };
        // The game is live until its source ends.
        let kept = self.keep_closed_game(id);
        self.drop_analysis(id);
        self.store_results(id, &[]);
        self.end_source(id);
        let (_, mut game) = self.games.remove(index);
        game.detach_values();
        for values in game.unstored_values {
            self.values.archive(values);
        }
        self.effects.push(AppEffect::Cancel(JobKey::Mate(id)));
        self.effects.push(AppEffect::CloseFile(id));
        if let Some(quitting) = &mut self.quit_revisions {
            quitting.remove(&id);
        }
        let next = self
            .games
            .get(index)
            .or_else(|| self.games.last())
            .map(|(id, _)| *id);
        let next = next.unwrap_or_else(|| self.add_game());
        let bars: Vec<_> = self
            .bars
            .iter()
            .filter(|entry| entry.bar.game() == id && !kept.contains(&entry.id))
            .map(|entry| entry.id)
            .collect();
        for bar in bars {
            self.show(bar, next);
        }
        if kept.contains(&self.study_bar) {
            self.present(self.study_bar, next);
        }
        self.continue_opening(id, false);
    }

    /// Ends the analysis of a game, if one is running. No findings follow.
    pub(super) fn drop_analysis(&mut self, id: GameId) {
        let Some(game) = self.game_mut(id) else { return };
        if game.analysis.take().is_some() {
            game.edit(shogibar_games::study::Document::finish_analysis);
            self.effects.push(AppEffect::Analysis(id, AnalysisEffect::Drop));
        }
    }

    pub(super) fn current_workspace(&self) -> Workspace {
        let (games, indices) = self.workspace_games();
        let bar = |entry: &BarEntry| WorkspaceBar {
            game: indices.get(&entry.bar.game()).copied(),
            engines: entry.chosen_names(),
            borrows: entry.borrows_values,
            locked: self.is_locked(OutputId::Bar(entry.id)),
            shares: entry.shares_engines,
            hidden: entry.bar.is_hidden() && self.is_on_air(OutputId::Bar(entry.id)),
            follow: match entry.bar.followed() {
                FollowMode::One(_) if entry.bar.has_only_relays() => Some(0),
                FollowMode::One(index) => Some(index),
                FollowMode::Mean => None,
            },
        };
        // A bar with only relays is not stored, unless its game is stored: the next run has other relays.
        let bars = || {
            self.bars.iter().filter(|entry| {
                let has_own = !entry.bar.has_only_relays() || !entry.chosen_names().is_empty();
                (has_own || indices.contains_key(&entry.bar.game())) && !self.is_preview(entry.id)
            })
        };
        let stored_bars: Vec<_> = bars().map(bar).collect();
        Workspace {
            study_bar: bars()
                .position(|entry| entry.id == self.study_output())
                .unwrap_or_default(),
            // There is always at least one bar.
            bars: if stored_bars.is_empty() {
                vec![WorkspaceBar {
                    follow: Some(0),
                    ..WorkspaceBar::default()
                }]
            } else {
                stored_bars
            },
            pages: self.workspace_pages(&indices),
            numbers_only: self.shows_numbers_only(),
            delay: stored_delay(self.programme.default_choices.delay),
            command: self.programme.serve_command.clone(),
            games,
        }
    }

    /// Restores the games and further bars of an earlier run. The engines of the first bar run already; those of the
    /// others are started.
    pub(super) fn restore(&mut self, workspace: &Workspace) {
        let blank = self.study_game();
        self.programme.default_choices.delay = workspace.delay.parse().unwrap_or_default();
        self.programme.serve_command.clone_from(&workspace.command);
        let mut ids = Vec::new();
        for stored in &workspace.games {
            let WorkspaceGame {
                path,
                address,
                game: number,
                ply,
                line,
                ..
            } = stored;
            let id = self.restore_on_air(stored);
            self.restore_choices(id, stored);
            let (source, has_file) = (LiveAddress::parse(address).ok(), !path.as_os_str().is_empty());
            if !has_file && let Some(address) = source.clone() {
                self.start_source(id, address);
            }
            if let Some(game) = self.game_mut(id) {
                game.unread_path = has_file.then(|| path.clone());
                game.open_at = OpenPosition {
                    game: *number,
                    ply: *ply,
                    line: line.clone(),
                    source: if has_file { source } else { None },
                    is_live: has_file && stored.on_air.as_ref().is_some_and(|shown| shown.live),
                };
            }
            ids.push(id);
        }
        ids.iter()
            .take(MAX_FILES_READ_AT_ONCE)
            .for_each(|game| self.read_file(*game));
        let first = self.study_bar;
        for (index, bar) in workspace.bars.iter().enumerate() {
            let game = bar.game.and_then(|game| ids.get(game).copied());
            let id = match (index, game) {
                (0, _) => first,
                (_, Some(game)) => self.add_bar_for(game),
                (_, None) => self.add_bar_for(blank),
            };
            if let Some(game) = game {
                self.show(id, game);
                if self.is_closed_on_air(game)
                    && let Some(entry) = self.entry_mut(id)
                {
                    entry.bar.show(game);
                }
            }
            if bar.locked {
                self.programme.locked_bars.insert(id);
            }
            if bar.hidden
                && let Some(entry) = self.entry_mut(id)
            {
                entry.bar.set_hidden(true);
            }
            if index == 0 {
                self.restore_choice(id, &bar.engines);
            } else if bar.borrows
                && let Some(entry) = self.entry_mut(id)
            {
                entry.borrows_values = true;
            } else {
                self.restore_engines(id, bar);
            }
        }
        if let Some(entry) = self.bars.get(workspace.study_bar) {
            self.study_bar = entry.id;
        }
        self.restore_pages(&workspace.pages, &ids);
        self.set_numbers_only(workspace.numbers_only);
        let is_on_page = self.programme.page_game == blank && self.is_on_air(OutputId::Pages);
        if self.bar_of(blank).is_none() && !is_on_page {
            self.remove_game(blank);
        }
        self.restore_numbers(&workspace.games, &ids);
    }
}
