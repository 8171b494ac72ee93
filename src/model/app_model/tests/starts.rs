//! The next start of the program in a random history: after a regular end, and after a kill.

use super::outputs::content;
use super::{DiskFile, Fault, ModelSimulation, UNSEARCHABLE_POSITIONS};
use crate::action::AppAction;
use crate::app_model::values::{is_read, stored_game};
use crate::app_model::{AppEvent, AppModel, StoredFiles};
use crate::game::{Game, GameSource};
use crate::ids::{GameId, SourceId};
use crate::outputs::OutputId;
use crate::record_file::{RecoverableRecord, UnsavedRecord};
use crate::workspace::{Workspace, WorkspaceGame};
use shogibar_kifu::{ClockTime, Record, Target};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) const AUTOSAVE_FOLDER: &str = "/unsaved";

/// Returns whether a game has moves that cannot be read again.
pub(super) fn is_read_off_the_screen(game: &Game) -> bool {
    let is_screen = game.source().is_some_and(GameSource::is_screen);
    is_screen && game.path().is_none() && game.document().record().main_line().nth(3).is_some()
}

/// The texts that the user pastes: other games and positions.
pub(super) const PASTED_TEXTS: [&str; 5] = [
    UNSEARCHABLE_POSITIONS[0],
    UNSEARCHABLE_POSITIONS[1],
    "position startpos moves 2g2f",
    "sfen 4k4/9/9/9/4P4/9/9/9/4K4 b - 1",
    "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n/\nPI\n+\n+5756FU\n",
];

/// Returns whether the delay of a game still shows the game that its file had before.
fn shows_former_game(model: &AppModel, id: GameId) -> bool {
    let shown = model.output_frame(id, None).bar.history;
    let mut played = model.game(id).document().record().moves();
    !shown.moves().iter().all(|mv| played.next() == Some(*mv))
}

/// Returns the players and the moves that an output shows, and the clocks; `None` without clocks, and for those of a game
/// against an engine, which end with the program.
fn lasting_content(model: &AppModel, output: OutputId) -> (String, Option<[Option<ClockTime>; 2]>) {
    let game = model.game_of_output(output);
    let clocks = model.output_frame(game, None).bar.clocks;
    let are_lasting = model.game(game).engine_game().is_none() && clocks != [None; 2];
    (content(model, output), are_lasting.then_some(clocks))
}

pub(super) fn live_game(game: &Game) -> Option<(SourceId, String)> {
    let source = game.source()?;
    Some((source.id, source.game.clone()?))
}

/// Returns the content of an autosave copy with only one game.
pub(super) fn with_one_game(unsaved: UnsavedRecord) -> UnsavedRecord {
    let UnsavedRecord {
        games,
        current_index: current,
        original_file: original,
    } = unsaved;
    UnsavedRecord {
        games: games.into_iter().skip(current).take(1).collect(),
        current_index: 0,
        original_file: original,
    }
}

fn in_a_copy(record: &Record) -> Record {
    shogibar_kifu::fit(record, Target::Kifu).0
}

impl ModelSimulation {
    /// Starts the program again, with its stored files. Unsaved work is lost.
    pub(super) fn restart(&mut self) {
        // The changes of other programs are read before.
        self.watch();
        let mut workspace = self.model.current_workspace();
        if self.fault == Fault::ForgetsLock {
            workspace.bars.iter_mut().for_each(|bar| bar.locked = false);
        }
        self.check_outputs_after_restart(&workspace);
        // A file that waits behind a question is not read yet, so its position is not known.
        let is_unfinished = |(id, game): (GameId, &Game)| {
            game.is_unsaved() || game.file().has_question() || shows_former_game(&self.model, id)
        };
        if self.model.games().any(is_unfinished)
            || self.model.is_opening()
            || self.model.is_saving()
            || self.model.is_starting_engine()
        {
            return;
        }
        let mut again = Self {
            disk: self.disk.clone(),
            ..Self::new(self.fault)
        };
        let effects = again.model.update(AppEvent::Restore(Box::new(workspace)));
        again.begin_all(effects);
        while !again.waiting_effects.is_empty() {
            again.finish(0);
        }
        // The outputs are checked above. A page of all games is not open in the next run.
        let games = |model: &AppModel| -> Vec<_> {
            let games = model.current_workspace().games.into_iter();
            games
                .map(|game| WorkspaceGame {
                    on_air: None,
                    number: 0,
                    ..game
                })
                .collect()
        };
        let is_readable = |game: &WorkspaceGame| match self.disk.get(&game.path) {
            Some(file) => !file.is_broken,
            None => !game.address.is_empty(),
        };
        if games(&self.model).iter().all(is_readable) {
            if games(&again.model) != games(&self.model) {
                let (before, after) = (games(&self.model), games(&again.model));
                self.fail(&format!(
                    "the games are other ones after a restart: {after:?} in place of {before:?}"
                ));
            }
            let shown = |model: &AppModel| {
                model
                    .current_workspace()
                    .bars
                    .iter()
                    .map(|bar| (bar.game, bar.locked))
                    .collect::<Vec<_>>()
            };
            if shown(&again.model) != shown(&self.model) {
                self.fail("the bars show other games after a restart");
            }
        }
        self.problem = self.problem.take().or(again.problem);
    }

    /// Checks that the outputs on air show the same after a restart, also before a file is read.
    fn check_outputs_after_restart(&mut self, workspace: &Workspace) {
        let mut again = Self {
            disk: self.disk.clone(),
            ..Self::new(self.fault)
        };
        let effects = again.model.update(AppEvent::Restore(Box::new(workspace.clone())));
        // Nobody watches pages that are neither locked nor open. A bar that nobody has locked waits for its board on the
        // screen, or for its relay.
        let model = &self.model;
        let is_watched = |output: &OutputId| match output {
            OutputId::Pages => model.is_locked(*output) || model.programme.clients.has_current,
            OutputId::Bar(bar) => {
                let game = model.bar(*bar).game();
                let waits_for_relay = model.relay_games.values().any(|known| *known == game);
                model.is_locked(*output) || stored_game(model.game(game)).is_some() && !waits_for_relay
            }
        };
        let on_air = model
            .outputs()
            .filter(|output| model.is_on_air(*output) && is_watched(output));
        let expected: Vec<_> = on_air.map(|output| lasting_content(model, output)).collect();
        let missing = |again: &Self| {
            let shown: Vec<_> = again
                .model
                .outputs()
                .map(|output| lasting_content(&again.model, output))
                .collect();
            let is_shown = |(content, clocks): &(String, Option<_>)| {
                shown
                    .iter()
                    .any(|(other, theirs)| other == content && (clocks.is_none() || theirs == clocks))
            };
            expected
                .iter()
                .find(|content| !is_shown(content))
                .map(|content| format!("{content:?}"))
        };
        if let Some(content) = missing(&again) {
            return self.fail(&format!("no output shows {content} after a restart"));
        }
        again.begin_all(effects);
        while !again.waiting_effects.is_empty() {
            again.finish(0);
        }
        // A game that is followed from a source does not take what other programs write into its file.
        let is_in_file = |file: &DiskFile, game: &Game| {
            let is_shown = |read: &Record| read.moves().eq(game.document().record().moves());
            !file.is_broken
                && shogibar_kifu::read(&file.bytes).is_ok_and(|read| read.games.iter().any(is_shown))
        };
        let has_other_content = |id: GameId| {
            let game = self.model.game(id);
            let is_in_file = |path| self.disk.get(path).is_some_and(|file| is_in_file(file, game));
            game.is_unsaved()
                || !is_read(game)
                || shows_former_game(&self.model, id)
                || !game.path().is_none_or(is_in_file)
        };
        let is_free = self
            .model
            .outputs()
            .all(|output| !has_other_content(self.model.game_of_output(output)));
        if is_free
            && !self.model.is_opening()
            && !self.model.is_saving()
            && let Some(content) = missing(&again)
        {
            return self.fail(&format!(
                "no output shows {content} once the games are read after a restart"
            ));
        }
        let are_read = self.model.games().all(|(_, game)| is_read(game));
        let listed = |model: &AppModel| {
            let names = |game| format!("{:?}", model.output_frame(game, None).bar.history.usi());
            model
                .programme
                .listed_games
                .as_ref()
                .map(|_| model.listed_games().into_iter().map(names).collect())
        };
        let (before, after): (Option<BTreeSet<String>>, Option<BTreeSet<String>>) =
            (listed(&self.model), listed(&again.model));
        if are_read
            && is_free
            && let (Some(before), Some(after)) = (before, after)
            && !after.is_subset(&before)
        {
            self.fail("the pages of all games have another game after a restart");
        }
    }

    /// Ends the program, as a signal does, and recovers the unsaved work at the next start.
    pub(super) fn kill(&mut self) {
        let (mut disk, mut recoverable) = (self.disk.clone(), Vec::new());
        for (number, unsaved) in (0_u64..).zip(self.autosave_copies.values()) {
            let copy = PathBuf::from(AUTOSAVE_FOLDER).join(format!("{number}.kifu"));
            let bytes = shogibar_kifu::write_games(&unsaved.games, unsaved.current_index, Target::Kifu).bytes;
            disk.insert(
                copy.clone(),
                DiskFile {
                    bytes,
                    version: number,
                    is_broken: false,
                },
            );
            recoverable.push(RecoverableRecord::from_text(copy, &unsaved.to_text()));
        }
        let stored = StoredFiles {
            recoverable_records: recoverable,
            autosave_folder: Some(AUTOSAVE_FOLDER.into()),
            ..StoredFiles::default()
        };
        let mut again = Self {
            disk,
            ..Self::with_stored(self.fault, stored)
        };
        again.act(AppAction::Recover(true));
        while !again.waiting_effects.is_empty() {
            again.finish(0);
        }
        let shown = self
            .model
            .games()
            .filter(|(_, game)| game.is_unsaved())
            .map(|(_, game)| game.document().shared_record());
        let listed = self
            .autosave_copies
            .values()
            .flat_map(|unsaved| unsaved.games.clone());
        let expected: Vec<_> = shown.chain(listed).map(|record| in_a_copy(&record)).collect();
        let positions = |histories: &Self| {
            histories
                .autosave_copies
                .values()
                .map(|unsaved| (unsaved.games.len(), unsaved.current_index))
                .collect::<Vec<_>>()
        };
        if positions(self)
            .iter()
            .any(|position| !positions(&again).contains(position))
        {
            self.fail("another game of a list is shown after a recovery");
        }
        let found: Vec<Arc<Record>> = again
            .autosave_copies
            .values()
            .flat_map(|unsaved| unsaved.games.clone())
            .collect();
        if expected
            .iter()
            .any(|record| !found.iter().any(|found| in_a_copy(found) == *record))
        {
            self.fail("an unsaved record is not recovered");
        }
        self.problem = self.problem.take().or(again.problem);
    }

    /// Shows a record that exists only in the model.
    pub(super) fn add_unsaved(&mut self, action: AppAction) {
        self.act(action);
        if self.page().file().is_idle() && !self.page().is_unsaved() {
            self.fail("what was brought does not count as unsaved");
        }
    }

    /// Changes the position that the user sets up, or ends the setup.
    pub(super) fn edit_position(&mut self, edits: bool) {
        let position = edits
            .then(|| shogibar_kifu::handicap("四枚落ち").map(Box::new))
            .flatten();
        self.act(AppAction::EditPosition(position));
    }

    /// Starts a game from a position: one of two handicaps, or an endgame without most pieces.
    pub(super) fn set_up(&mut self, nth: usize) {
        let position = [
            shogibar_kifu::handicap("二枚落ち"),
            shogibar_kifu::handicap("平手"),
        ]
        .into_iter()
        .flatten()
        .nth(nth);
        let position = position
            .unwrap_or_else(|| shogibar_shogi::Position::from_sfen("4k4/9/9/9/4P4/9/9/9/4K4 b - 1").unwrap());
        let action = AppAction::StartGame(Box::new(position));
        if nth < 2 {
            self.act(action);
        } else {
            self.add_unsaved(action);
        }
    }
}
