//! The files of the model's games: questions before an action, the results of reading and saving, recovery and
//! quitting.

use super::opening::OpenTarget;
use super::values::is_read;
use super::{AppEffect, AppModel, Game, GameId, OpenPosition, RecordFile};
use crate::Message;
use crate::ids::BarId;
use crate::record_file::{FileEvent, FileTask, PendingAction, RecordEvent, RecoverableRecord};
use shogibar_games::study::UnsavedAnswer;
use shogibar_games::{RecordRemark, convert_text};
use shogibar_kifu::{Container, ReadGames, Record, Warning};
use shogibar_live::LiveAddress;
use shogibar_shogi::Position;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the message about games that were found in a text: where and how many, and where the first one stops. Returns
/// `None` for a single record that was read whole.
fn found_message(read: &ReadGames) -> Option<Message> {
    let ReadGames {
        games,
        container,
        warnings,
        ..
    } = read;
    let first = games.first()?;
    let unread = first
        .end()
        .filter(|end| end.is_cut())
        .map(|end| end.words().to_owned());
    let lost = warnings
        .iter()
        .filter(|warning| warning.problem.is_loss() || warning.problem.is_unread_move())
        .count();
    Some(match unread {
        Some(words) => RecordRemark::FoundUntil(*container, games.len(), first.len(), words).into(),
        None if lost > 0 => RecordRemark::FoundInPart(*container, games.len(), first.len(), lost).into(),
        None if container.is_excerpt() || games.len() > 1 => {
            RecordRemark::Found(*container, games.len(), first.len()).into()
        }
        None => return None,
    })
}

/// Returns the number of moves to the position that an address names; `None` if it names none.
fn shown_ply(container: Container) -> Option<usize> {
    match container {
        Container::Address { ply, .. } => ply.map(usize::from),
        _ => None,
    }
}

impl AppModel {
    /// Requests an action that ends the work on a game's record. Without unsaved changes the action is carried out at
    /// once; otherwise the user is asked.
    pub(super) fn request(&mut self, id: GameId, action: PendingAction) {
        let Some(game) = self.game_mut(id) else { return };
        if let Some(action) = game.with_file(|file, document| file.request(action, document)) {
            self.carry_out(id, action);
        }
    }

    /// Carries out an action that ends the work on a game's record, without asking the user.
    fn carry_out(&mut self, id: GameId, action: PendingAction) {
        let is_of_own_file = match &action {
            PendingAction::Open(path) => self.game(id).path() == Some(path),
            _ => false,
        };
        if self.is_game_on_air(id) && !is_of_own_file {
            return self.carry_out_beside(id, action);
        }
        let Some(game) = self.game_mut(id) else { return };
        match action {
            PendingAction::Open(path) => {
                // The file may have been opened in another tab while the user was asked.
                if let Some(known) = self.game_at(&path).filter(|known| *known != id) {
                    return self.show_in_study(known);
                }
                if let Some(game) = self.game_mut(id) {
                    game.open_at = OpenPosition::default();
                    game.with_file(|file, document| file.open(&path, document.revision()));
                }
            }
            PendingAction::Select { game: at, ply } => {
                if let Some(record) = game.with_file(|file, document| file.select(at, document)) {
                    self.show_record(id, record);
                    self.restore_values(id);
                    self.with_game(id, |game| game.go_to(ply));
                }
            }
            PendingAction::Show(games) => {
                if let Some(record) = game.file.show_games(&games, true) {
                    self.show_record(id, record);
                }
            }
            PendingAction::Close => self.remove_game(id),
            PendingAction::Quit => self.agree_to_quit(id),
        }
    }

    /// Carries out an action that ends the work on the record of a game on air. The game keeps its record.
    fn carry_out_beside(&mut self, id: GameId, action: PendingAction) {
        match action {
            PendingAction::Open(path) => {
                self.open_on(OpenTarget::Bar(self.study_bar), vec![LiveAddress::Path(path)]);
            }
            PendingAction::Show(games) => {
                let new = self.add_game();
                self.present(self.study_bar, new);
                self.carry_out(new, PendingAction::Show(games));
            }
            PendingAction::Select { .. } => {
                self.notices
                    .set_result(&Message::KeptOnAir, self.bar_of_or_study(id), false);
            }
            PendingAction::Close => self.remove_game(id),
            PendingAction::Quit => self.agree_to_quit(id),
        }
    }

    /// Records that the program may end without the unsaved changes of a game.
    fn agree_to_quit(&mut self, id: GameId) {
        let revision = self.game(id).document().revision();
        if let Some(agreed) = &mut self.quit_revisions {
            agreed.insert(id, revision);
            self.continue_quitting();
        }
    }

    pub(super) fn open(&mut self, bar: BarId, id: GameId, path: PathBuf) {
        if let Ok(address) = LiveAddress::from_argument(&path)
            && !matches!(address, LiveAddress::Path(_))
        {
            return self.open_all(bar, vec![address]);
        }
        match self.game_at(&path).filter(|known| *known != id) {
            Some(known) => _ = self.present(bar, known),
            None if self.is_game_on_air(id) && self.game(id).path().is_none_or(|own| own != path) => {
                _ = self.open_on(OpenTarget::Bar(bar), vec![LiveAddress::Path(path)]);
            }
            None => self.request(id, PendingAction::Open(path)),
        }
    }

    pub(super) fn open_game(&mut self, bar: BarId, path: PathBuf, position: OpenPosition) {
        let known = self.game_at(&path).filter(|known| is_read(self.game(*known)));
        let opened = self.open_on(OpenTarget::Bar(bar), vec![LiveAddress::Path(path)]);
        let Some(id) = known else {
            let Some(game) = opened.and_then(|opened| self.game_mut(opened)) else {
                return;
            };
            game.open_at = position;
            return;
        };
        let (_, selected) = self.game(id).game_titles();
        let ply = position.ply.unwrap_or_default();
        if position.game == selected {
            self.with_game(id, |game| game.go_to_main(ply));
        } else if self.is_game_on_air(id) {
            self.notices.set_result(&Message::KeptOnAir, bar, false);
        } else {
            self.request(
                id,
                PendingAction::Select {
                    game: position.game,
                    ply,
                },
            );
        }
    }

    /// Opens a text of the clipboard: a record, a position or an address. An unsaved game stays, and the text becomes a
    /// new game.
    pub(super) fn paste_text(&mut self, bar: BarId, id: GameId, text: &str) {
        if text.trim().is_empty() {
            let message = RecordRemark::NothingToPaste.into();
            return self.notices.set_result(&message, self.bar_of_or_study(id), false);
        }
        let read = shogibar_kifu::read(text.as_bytes());
        let holds_game = read.as_ref().is_ok_and(|read| read.container.is_address());
        if text.contains("://")
            && !holds_game
            && let Ok(address) = LiveAddress::parse(text)
            && !matches!(address, LiveAddress::Path(_) | LiveAddress::SelfContained(_))
        {
            return self.open_all(bar, vec![address]);
        }
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                let name = convert_text::clipboard(self.settings.lang).to_owned();
                let message = Message::RecordUnreadable(name, (&error).into());
                return self.notices.set_result(&message, self.bar_of_or_study(id), false);
            }
        };
        // An unsaved game stays in its tab.
        let id = if self.game(id).is_unsaved() {
            self.add_game()
        } else {
            self.tab_in_place_of(id)
        };
        self.present(bar, id);
        self.show_found(id, read);
    }

    /// Shows the games that were found in a text, with a message about their container.
    pub(super) fn show_found(&mut self, id: GameId, read: ReadGames) {
        let message = found_message(&read);
        let ply = shown_ply(read.container);
        self.request(
            id,
            PendingAction::Show(read.games.into_iter().map(Arc::new).collect()),
        );
        if let Some(ply) = ply {
            self.with_game(id, |game| game.go_to(ply));
        }
        if let Some(message) = message {
            self.notices.set_result(&message, self.bar_of_or_study(id), false);
        }
    }

    /// Shows the games in bytes without a file, such as standard input. `name` is for the message about unreadable
    /// bytes. `is_unsaved`: whether the games count as unsaved work. Returns the warnings.
    pub fn open_bytes(&mut self, name: &str, bytes: &[u8], is_unsaved: bool) -> Vec<Warning> {
        let id = self.study_game();
        match shogibar_kifu::read_named(bytes, Path::new(name)) {
            Ok(read) => {
                let message = found_message(&read);
                let ReadGames {
                    games,
                    warnings,
                    container,
                    ..
                } = read;
                if let Some(game) = self.game_mut(id)
                    && let Some(ply) = shown_ply(container)
                {
                    // The position given on the command line takes precedence.
                    game.open_at.ply.get_or_insert(ply);
                }
                let games: Vec<_> = games.into_iter().map(Arc::new).collect();
                if let Some(record) = self
                    .game_mut(id)
                    .and_then(|game| game.file.show_games(&games, is_unsaved))
                {
                    self.show_opened(id, record, &warnings);
                }
                if let Some(message) = message {
                    self.notices.set_result(&message, self.bar_of_or_study(id), false);
                }
                warnings
            }
            Err(error) => {
                let why = Message::RecordUnreadable(name.to_owned(), (&error).into());
                let stays = self.game_mut(id).is_some_and(|game| game.set_unreadable(&why));
                if !stays {
                    self.show_problem(id, &why);
                }
                Vec::new()
            }
        }
    }

    /// Applies the user's answer to the question of a game.
    pub(super) fn answer_question(&mut self, id: GameId, answer: UnsavedAnswer) {
        let Some(game) = self.game_mut(id) else { return };
        match answer {
            UnsavedAnswer::Cancel => game.file.cancel_question(),
            UnsavedAnswer::Discard => {
                if let Some(action) = game.file.discard_changes() {
                    self.carry_out(id, action);
                }
            }
            UnsavedAnswer::DiscardAll => self.discard_all(),
            UnsavedAnswer::Save if game.file.save_conflict().is_some() => {
                game.with_file(RecordFile::save_despite_conflict);
            }
            UnsavedAnswer::Save => {
                if let Err(why) = game.with_file(RecordFile::save_first) {
                    self.notices
                        .set_result(&why.into(), self.bar_of_or_study(id), true);
                }
            }
        }
    }

    /// Returns the number of unsaved games about which the user has not decided yet, before the program ends.
    pub fn unanswered_count(&self) -> usize {
        let is_answered = |id, game: &Game| {
            self.quit_revisions
                .as_ref()
                .is_some_and(|agreed| agreed.get(id) == Some(&game.document().revision()))
        };
        let waiting = self
            .games
            .iter()
            .filter(|(id, game)| game.is_unsaved() && !is_answered(id, game));
        waiting.map(|(_, game)| game.file.saved_game_count()).sum()
    }

    /// Ends the program without saving any game. A save in progress is still waited for.
    fn discard_all(&mut self) {
        let Some(agreed) = &mut self.quit_revisions else {
            return;
        };
        for (id, game) in &mut self.games {
            if !game.file.is_saving() {
                game.file.discard_changes();
                agreed.insert(*id, game.document().revision());
            }
        }
        self.continue_quitting();
    }

    /// Begins to end the program. The user is asked about each game with unsaved changes, one after another.
    pub(super) fn request_quit(&mut self) {
        // A position that is being set up is unsaved work: it becomes a game, and the user is asked.
        if let Some((game, position)) = self.edited_position.take() {
            self.add_game_with_id(game);
            self.present(self.study_bar, game);
            self.show_new_record(game, &position);
        }
        self.quit_revisions.get_or_insert_default();
        self.keep_scratch_games();
        self.continue_quitting();
    }

    /// Keeps the autosave copies of games without a file, so that the next start offers them. No question is asked about
    /// them.
    fn keep_scratch_games(&mut self) {
        if self.autosave_folder.is_none() {
            return;
        }
        let Some(agreed) = &mut self.quit_revisions else {
            return;
        };
        for (id, game) in &self.games {
            if game.is_unsaved() && game.path().is_none() && game.file.is_idle() && !game.is_autosave_refused
            {
                agreed.insert(*id, game.document().revision());
                self.kept_scratch_games.insert(*id);
            }
        }
    }

    /// Asks the user about the next game with unsaved changes, or waits for its save. Without such a game, the program
    /// ends.
    fn continue_quitting(&mut self) {
        let games: Vec<_> = self.games.iter().map(|(id, _)| *id).collect();
        for &id in &games {
            let Some(agreed) = &mut self.quit_revisions else {
                return;
            };
            let Some((_, game)) = self.games.iter_mut().find(|(known, _)| *known == id) else {
                continue;
            };
            let revision = game.document().revision();
            if agreed.get(&id) == Some(&revision) && !game.file.is_saving() {
                continue;
            }
            if game
                .with_file(|file, document| file.request(PendingAction::Quit, document))
                .is_none()
            {
                // The user is asked first, or a save is waited for.
                return self.show_in_study(id);
            }
            agreed.insert(id, revision);
        }
        for id in games {
            self.drop_analysis(id);
            self.store_results(id, &[]);
            if !self.kept_scratch_games.contains(&id)
                && let Some(game) = self.game_mut(id)
            {
                game.autosaved_revision = game.document().revision();
                game.file.delete_autosave();
            }
        }
        self.is_quitting = true;
    }

    /// Recovers all recoverable records, each as a new game, or discards them.
    pub(super) fn answer_recovery(&mut self, bar: BarId, recovers: bool) {
        let found = std::mem::take(&mut self.recoverable_records);
        self.notices.drop_fixed(None, false);
        if !recovers {
            return self.effects.push(AppEffect::DeleteCopies(
                found.into_iter().map(|found| found.copy).collect(),
            ));
        }
        for (index, found) in found.into_iter().enumerate() {
            let id = self.game_for(&found, bar);
            if let Some(game) = self.game_mut(id) {
                game.unread_path = None;
                game.open_at = OpenPosition::default();
                game.with_file(|file, document| file.recover(found, document.revision()));
            }
            if index == 0 {
                self.present(bar, id);
            }
        }
    }

    /// Returns the game into which a record is recovered: that of its file, the bar's blank game, or a new one.
    fn game_for(&mut self, found: &RecoverableRecord, bar: BarId) -> GameId {
        let of_file = found
            .original_file
            .as_ref()
            .and_then(|original| self.game_at(&original.path));
        let current =
            Some(self.bar(bar).game()).filter(|id| self.game(*id).is_blank() && !self.is_game_on_air(*id));
        of_file
            .filter(|id| {
                let game = self.game(*id);
                !game.is_unsaved() && game.file().is_idle() && !self.is_game_on_air(*id)
            })
            .or(current)
            .unwrap_or_else(|| self.add_game())
    }

    /// Applies the result of work with the file of a game.
    pub(super) fn on_file_event(&mut self, id: GameId, event: FileEvent) {
        let path = match &event {
            FileEvent::Read { .. } => self.game(id).file.requested_path().map(std::path::Path::to_owned),
            _ => None,
        };
        let (found, ply) = match &event {
            FileEvent::Read { result: Ok(read), .. } => (found_message(read), shown_ply(read.container)),
            _ => (None, None),
        };
        let is_unreadable = matches!(&event, FileEvent::Read { result: Err(_), .. });
        let Some(game) = self.game_mut(id) else { return };
        game.is_autosave_refused |= matches!(event, FileEvent::NotAutosaved(_));
        let events = game.with_file(|file, document| file.on_event(event, document));
        let mut saved = None;
        for event in events {
            match event {
                RecordEvent::Opened(record, warnings) => {
                    if let (Some(game), Some(ply)) = (self.game_mut(id), ply) {
                        game.open_at.ply.get_or_insert(ply);
                    }
                    self.show_opened(id, record, &warnings);
                    if let Some(message) = &found {
                        self.notices.set_result(message, self.bar_of_or_study(id), false);
                    }
                    self.effects.extend(
                        path.clone()
                            .map(|path| AppEffect::ReportOpened(path, Ok(warnings))),
                    );
                }
                RecordEvent::Folder(path) => {
                    if let Some(game) = self.game_mut(id) {
                        game.file.detach();
                    }
                    self.show_record(id, Record::new(&Position::startpos()));
                    self.start_source(id, LiveAddress::Path(path));
                    self.continue_opening(id, true);
                }
                RecordEvent::Recovered(record, copy) => {
                    self.show_record(id, record);
                    let Some(game) = self.game_mut(id) else { return };
                    // The recovered copy is needed until the record is autosaved again.
                    game.autosaved_revision = game.document().revision();
                    game.with_file(RecordFile::autosave);
                    game.file.delete_recovered(copy);
                }
                RecordEvent::Reloaded(newer) | RecordEvent::Grown(newer, _)
                    if self.is_game_on_air(id) && !newer.is_version_of(self.game(id).document().record()) =>
                {
                    self.leave_file(id);
                }
                RecordEvent::Reloaded(record) => self.reload(id, record),
                RecordEvent::Grown(newer, base) => {
                    if let Some(game) = self.game_mut(id) {
                        game.merge_newer_record(&newer, Some(&base));
                        game.is_growing = true;
                    }
                }
                RecordEvent::Saved(revision, remark) => {
                    if let Some(game) = self.game_mut(id) {
                        game.edit(|document| document.set_saved(revision));
                        game.with_file(RecordFile::autosave);
                    }
                    saved = Some(remark);
                }
                RecordEvent::Proceed(action) => self.carry_out(id, action),
                RecordEvent::Notice(message) => {
                    self.notices.set_result(&message, self.bar_of_or_study(id), false);
                }
                RecordEvent::Problem(message) => {
                    if is_unreadable {
                        self.give_up_file(id, &message);
                    } else {
                        self.show_problem(id, &message);
                    }
                    self.effects.extend(
                        path.clone()
                            .map(|path| AppEffect::ReportOpened(path, Err(message))),
                    );
                }
            }
        }
        // Shown last: an action that waited for the save may dismiss earlier notices.
        if let Some(remark) = saved {
            self.notices
                .set_result(&remark.into(), self.bar_of_or_study(id), false);
        }
    }

    fn reload(&mut self, id: GameId, record: Arc<Record>) {
        self.notices.dismiss_change(self.bar_of_or_study(id));
        self.drop_analysis(id);
        if let Some(game) = self.game_mut(id) {
            game.edit(|document| document.replace_with_newer(record));
            game.is_growing = true;
        }
    }

    /// Separates a game on air from its file, in which another program has written another game. That game is opened
    /// beside it.
    fn leave_file(&mut self, id: GameId) {
        self.notices.dismiss_change(self.bar_of_or_study(id));
        if !self.game(id).file.is_idle() {
            // While the user's own command for the file is carried out, the game stays with it.
            return;
        }
        let path = self.detach(id);
        if let Some(game) = self.game_mut(id) {
            game.file.set_only_here();
            game.autosaved_revision = game.document().revision();
            game.with_file(RecordFile::autosave);
        }
        self.open_left_file(id, path);
    }

    /// Separates a game from its file. Returns the path of the file.
    fn detach(&mut self, id: GameId) -> Option<PathBuf> {
        let game = self.game_mut(id)?;
        let path = game.path().map(Path::to_owned);
        game.file.detach();
        game.is_growing = false;
        path
    }

    fn open_left_file(&mut self, id: GameId, path: Option<PathBuf>) {
        let Some(path) = path else { return };
        if let Some(bar) = self.bar_of(id) {
            if let Some(new) = self.open_on(OpenTarget::Bar(bar), vec![LiveAddress::Path(path)]) {
                self.pass_choices_on(id, new);
            }
            return;
        }
        let new = self.add_game();
        self.pass_choices_on(id, new);
        if let Some(game) = self.game_mut(new) {
            game.unread_path = Some(path);
        }
        self.read_file(new);
        self.notices
            .set_result(&Message::OpenedOffAir, self.study_bar, false);
    }

    /// Shows a record that was read, at the requested position, with the first warning.
    pub(super) fn show_opened(&mut self, id: GameId, record: impl Into<Arc<Record>>, warnings: &[Warning]) {
        self.show_record(id, record);
        self.go_to_open_position(id);
        let read = self.game(id).document().shared_record();
        if let Some(shown) = self.take_other_restored_frame(id, &read) {
            // Another program has written another game since the last run.
            let path = self.detach(id);
            self.restore_scratch_game(id, &shown);
            self.open_left_file(id, path);
        }
        self.continue_opening(id, true);
        if let Some(first) = warnings.first() {
            let message = Message::RecordWarnings(warnings.len(), first.clone());
            self.notices.set_result(&message, self.bar_of_or_study(id), false);
        }
    }

    /// Goes to the position at which the file of a game is opened: its game in the file, its source, its values and its
    /// move.
    pub(super) fn go_to_open_position(&mut self, id: GameId) {
        let Some(game) = self.game_mut(id) else { return };
        let position = std::mem::take(&mut game.open_at);
        if position.game > 0
            && let Some(record) = game.with_file(|file, document| file.select(position.game, document))
        {
            // The user's word, which the workspace has, is for this game of the file.
            let own_answer = game.own_answer;
            game.open(record);
            game.own_answer = own_answer;
        }
        if let Some(address) = position.source {
            self.start_source(id, address);
        }
        self.restore_values(id);
        let Some(game) = self.game_mut(id) else { return };
        game.is_growing |= position.is_live;
        if !position.line.is_empty() {
            game.go_along(&position.line);
        } else if let Some(ply) = position.ply {
            game.go_to(ply);
        }
    }

    /// Returns whether the record of any game is being written.
    pub fn is_saving(&self) -> bool {
        self.games
            .iter()
            .any(|(_, game)| matches!(game.file.task(), FileTask::Saving { .. }))
    }
}
