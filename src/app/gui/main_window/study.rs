//! The controller of the study page.

use crate::analysis::EngineScales;
use crate::app::command_action::command_action;
use crate::app::engine_manager::WakeEngines;
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use crate::app::gui::main_window::MainPage;
use crate::app::gui::{SharedHost, browser, desktop};
use crate::app::preferences::SharedPreferences;
use crate::app::record_file::{self, RecordFile};
use crate::app::state::AppAction;
use crate::config::Command;
use crate::files;
use crate::kifu::{self, End};
use crate::report::{self, Report};
use crate::study::{Document, MoveRows, RecordInsight, UnsavedAnswer};
use crate::text::{CauseText, Lang, RecordRemark};
use crate::threads::{self, lock};
use crate::ui::PaintTheme;
use crate::ui::board::BoardStyle;
use crate::ui::overlay::FramePacer;
use crate::ui::study::{FileState, PathPurposeKind, StudyAction, StudyPage, StudyQuestion, StudyView, board_picture};
use eframe::egui;
use egui::{Ui, ViewportCommand};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The study page, and the values computed for it.
pub(super) struct StudyController {
    host: SharedHost,
    preferences: SharedPreferences,
    page: StudyPage,
    rows: MoveRows,
    insight: RecordInsight,
    /// The names of all engines.
    engines: Vec<String>,
    /// Whether the board is flipped, with White below.
    flipped: bool,
    /// The page that the user asked for instead.
    wanted: Option<MainPage>,
    painter: FramePacer,
}

impl StudyController {
    pub(super) fn new(host: SharedHost, preferences: SharedPreferences) -> Self {
        Self {
            host,
            preferences,
            page: StudyPage::default(),
            rows: MoveRows::default(),
            insight: RecordInsight::default(),
            engines: Vec::new(),
            flipped: false,
            wanted: None,
            painter: FramePacer::Gpu,
        }
    }

    /// Sets what paints the frames.
    pub(super) const fn set_painter(&mut self, painter: FramePacer) {
        self.painter = painter;
        self.page.set_painter(painter);
    }

    /// Whether only the small board is shown, above other windows.
    pub(super) const fn is_small(&self) -> bool {
        self.page.is_small()
    }

    /// Whether the user is choosing keys.
    pub(super) const fn is_choosing_keys(&self) -> bool {
        self.page.is_listening()
    }

    /// Updates the page before it is shown: the names of all engines, and their scales.
    pub(super) fn open(&mut self, engines: Vec<String>, scales: EngineScales) {
        self.engines = engines;
        self.insight.set_scales(scales);
    }

    /// Takes the page that was asked for, if any.
    pub(super) const fn wanted(&mut self) -> Option<MainPage> {
        self.wanted.take()
    }

    /// Draws one frame. Returns whether an action was applied.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        theme: &PaintTheme,
        lang: Lang,
        wake: &WakeEngines,
        dialogs: &Dialogs,
    ) -> bool {
        let (keys, pieces, motion) = {
            let preferences = lock(&self.preferences);
            let settings = preferences.settings();
            (settings.study_keys.clone(), settings.general.pieces, settings.overlay.motion)
        };
        let mut actions = {
            let host = Arc::clone(&self.host);
            let mut host = lock(&host);
            let mut bar = host.view().clone();
            // Transient notices stay on the bar. Failures are shown here, too, without room made for them.
            let failure = bar.notice.take().filter(|notice| notice.failure);
            let engine = host.engines().first().copied().unwrap_or_default().to_owned();
            let resting = host.is_paused();
            let motion = motion && desktop::may_animate(self.painter, &*host);
            self.insight.hide_engines(&host.analysis().running_engines());
            // At most one of them per frame, so that no frame takes long.
            if !self.rows.update(host.document(), lang) || !self.insight.update(host.document()) {
                wake();
            }
            let judge = self.insight.judge().map(|judge| (self.insight.review().evaluators().clone(), judge.clone()));
            host.judge_by(judge);
            let record_file = host.record_file();
            let name = record_file.name();
            let analysis = host.analysis().progress().cloned();
            let (document, history) = (host.document(), host.history());
            let notice = host.side_notice().or(failure);
            let conflict = record_file.save_conflict().map(|conflict| StudyQuestion::SaveDespite(conflict.text(lang)));
            let question = conflict.or_else(|| question(record_file));
            let view = StudyView {
                document,
                rows: self.rows.seen(),
                insight: &self.insight,
                history,
                bar: &bar,
                name: name.as_deref(),
                recent: record_file.recent(),
                file: match record_file {
                    _ if record_file.opening_path().is_some() => FileState::Opening,
                    _ if record_file.is_changed_on_disk() => FileState::ChangedOnDisk,
                    _ => FileState::Unchanged,
                },
                paused: resting,
                engine: &engine,
                engines: &self.engines,
                analysis: analysis.as_ref(),
                flipped: self.flipped,
                keys: &keys,
                motion,
                style: BoardStyle { pieces, ..BoardStyle::default() },
                question: question.as_ref(),
                game_list: record_file.game_titles(),
                notice: notice.as_ref(),
            };
            let actions = self.page.show(ui, &view, theme, lang);
            if actions.contains(&StudyAction::Run(Command::CopyBoard))
                && let Some(picture) = board_picture(&view, theme, lang)
            {
                ui.ctx().copy_image(picture);
            }
            actions
        };
        let mut dropped: Vec<_> =
            ui.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
        if dropped.len() > 1 {
            lock(&self.host).act(&AppAction::OpenAll(dropped));
        } else if let Some(path) = dropped.pop() {
            lock(&self.host).act(&AppAction::Open(path));
        }
        let acted = !actions.is_empty();
        for action in actions.drain(..) {
            self.apply(ui, action, wake, dialogs);
        }
        acted
    }

    fn apply(&mut self, ui: &Ui, action: StudyAction, wake: &WakeEngines, dialogs: &Dialogs) {
        let work = |work: &mut dyn FnMut(&mut Document)| lock(&self.host).edit(work);
        match action {
            StudyAction::Run(command) => self.carry_out(ui, command, wake, dialogs),
            StudyAction::Step(moves) => lock(&self.host).act(&AppAction::Step(moves)),
            StudyAction::GoTo(place) => work(&mut |document| document.go_to(place)),
            StudyAction::Go(node) => work(&mut |document| document.go(node)),
            StudyAction::Play(mv) => work(&mut |document| {
                let _known_to_be_legal = document.play(mv);
            }),
            StudyAction::Comment(node, comment) => work(&mut |document| document.comment(node, &comment)),
            StudyAction::Delete(node) => work(&mut |document| document.delete(node)),
            StudyAction::Replace { old, new } => work(&mut |document| document.replace(old, new)),
            StudyAction::Players { names, start } => work(&mut |document| {
                document.set_players(names.each_ref().map(String::as_str), start.as_deref());
            }),
            StudyAction::Promote(node) => work(&mut |document| document.promote(node)),
            StudyAction::MainLine(node) => work(&mut |document| document.promote_to_main(node)),
            StudyAction::Insert(moves) => work(&mut |document| {
                let here = document.last_move();
                document.insert(here, &moves);
            }),
            StudyAction::End(reason) => work(&mut |document| {
                let end = End::at_position(reason, document.history_at(document.last_move()).now());
                document.end(end);
            }),
            StudyAction::Analyse(options) => lock(&self.host).act(&AppAction::Analyse(options)),
            StudyAction::Judge(by) => self.insight.choose(by),
            StudyAction::PauseAnalysis => lock(&self.host).act(&AppAction::PauseAnalysis),
            StudyAction::CancelAnalysis => lock(&self.host).act(&AppAction::EndAnalysis),
            StudyAction::Start(position) => lock(&self.host).act(&AppAction::Start(position)),
            StudyAction::Keys(keys) => lock(&self.preferences).change(|settings| settings.study_keys = *keys),
            StudyAction::CopyAs(target) => {
                let written = kifu::write(lock(&self.host).document().record(), target).bytes;
                ui.ctx().copy_text(String::from_utf8_lossy(&written).into_owned());
            }
            StudyAction::DismissNotice => lock(&self.host).act(&AppAction::Seen),
            StudyAction::ExpireNotice => lock(&self.host).act(&AppAction::DismissTransient),
            StudyAction::PathChosen(PathPurposeKind::Save, path) => {
                lock(&self.host).act(&save_checked(path));
            }
            StudyAction::PathChosen(PathPurposeKind::Report, path) => {
                self.write_report(path, false, wake);
            }
            StudyAction::SelectGame(at) => lock(&self.host).act(&AppAction::SelectGame(at)),
            StudyAction::Reload => {
                let mut host = lock(&self.host);
                if let Some(path) = host.record_file().path().map(Path::to_owned) {
                    host.act(&AppAction::Open(path));
                }
            }
            StudyAction::Open(path) | StudyAction::PathChosen(PathPurposeKind::Open, path) => {
                lock(&self.host).act(&AppAction::Open(path));
            }
            StudyAction::Copy(text) => ui.ctx().copy_text(text),
            StudyAction::Paste(text) => lock(&self.host).act(&AppAction::Paste(text)),
            StudyAction::Recover(recovers) => lock(&self.host).act(&AppAction::Recover(recovers)),
            StudyAction::Answer(UnsavedAnswer::Save) => {
                let mut host = lock(&self.host);
                host.act(&AppAction::Answer(UnsavedAnswer::Save));
                // If it cannot be saved to its own file, the question waits for another one.
                if host.record_file().is_asking()
                    && host.record_file().save_conflict().is_none()
                    && !host.record_file().can_save()
                {
                    drop(host);
                    self.save(wake, dialogs);
                }
            }
            StudyAction::Answer(answer) => lock(&self.host).act(&AppAction::Answer(answer)),
        }
    }

    /// Applies the result of a dialog.
    pub(super) fn apply_choice(&mut self, purpose: &DialogPurpose, choice: DialogResult, wake: &WakeEngines) {
        let mut host = lock(&self.host);
        match (purpose, choice) {
            (DialogPurpose::SaveRecord(_), DialogResult::Chosen(path)) => {
                host.act(&save_as(path));
            }
            (DialogPurpose::SaveReport(_), DialogResult::Chosen(path)) => {
                drop(host);
                self.write_report(path, true, wake);
            }
            (_, DialogResult::Chosen(path)) => host.act(&AppAction::Open(path)),
            (_, DialogResult::Nothing) => {}
            (DialogPurpose::SaveRecord(path), DialogResult::NoDialog) => self.page.ask_for(PathPurposeKind::Save, path),
            (DialogPurpose::SaveReport(path), DialogResult::NoDialog) => {
                self.page.ask_for(PathPurposeKind::Report, path);
            }
            (_, DialogResult::NoDialog) => self.page.ask_for(PathPurposeKind::Open, &start_folder(host.record_file())),
        }
    }

    /// Asks for the players' names and the handicap.
    pub(super) const fn ask_for_players(&mut self) {
        self.page.ask_for_players();
    }

    /// Opens the command palette.
    pub(super) fn open_palette(&mut self) {
        self.page.open_palette();
    }

    /// Asks which record to open, where no file dialog can be shown.
    pub(super) fn ask_for_record(&mut self) {
        let folder = start_folder(lock(&self.host).record_file());
        self.page.ask_for(PathPurposeKind::Open, &folder);
    }

    /// Writes a report on a background thread, as its picture takes time. An existing file is replaced only if
    /// `replaces`: a file dialog has asked.
    fn write_report(&self, path: PathBuf, replaces: bool, wake: &WakeEngines) {
        let report = {
            let host = lock(&self.host);
            Report::from_document(host.document(), &self.insight, host.lang())
        };
        let (host, wake) = (Arc::clone(&self.host), Arc::clone(wake));
        let write = move || {
            let notice = if !replaces && path.exists() {
                RecordRemark::ThereAlready(path.display().to_string())
            } else {
                write_report(&report, &path)
            };
            lock(&host).act(&AppAction::Remark(notice.into()));
            wake();
        };
        if let Ok(thread) = threads::spawn("report", write) {
            thread.detach();
        }
    }

    /// Saves to the record's file, or to one that is chosen now.
    fn save(&self, wake: &WakeEngines, dialogs: &Dialogs) {
        let mut host = lock(&self.host);
        if host.record_file().can_save() {
            host.act(&AppAction::Save);
        } else {
            // Its file has more in it than would be written.
            let path = host.record_file().suggested_path();
            ask_save_path(path, wake, dialogs);
        }
    }

    fn carry_out(&mut self, ui: &Ui, command: Command, wake: &WakeEngines, dialogs: &Dialogs) {
        let mut host = lock(&self.host);
        let mut work = |work: &mut dyn FnMut(&mut Document)| host.edit(work);
        match command {
            Command::First => work(&mut |document| document.go_to(0)),
            Command::Last => work(&mut |document| document.go_to(usize::MAX)),
            Command::BranchBack => work(&mut |document| document.go_to_branch(false)),
            Command::BranchForward => work(&mut |document| document.go_to_branch(true)),
            Command::Above => work(&mut |document| document.go_to_sibling(false)),
            Command::Below => work(&mut |document| document.go_to_sibling(true)),
            Command::Undo => work(&mut Document::undo),
            Command::Redo => work(&mut Document::redo),
            Command::Delete => work(&mut |document| document.delete(document.current())),
            Command::Replace => work(&mut |document| {
                if let Some(old) = document.replaceable() {
                    document.replace(old, document.current());
                }
            }),
            Command::Promote => work(&mut |document| document.promote(document.current())),
            Command::MainLine => work(&mut |document| document.promote_to_main(document.current())),
            // A running analysis takes precedence: pause it.
            Command::Pause if host.analysis().is_running() => host.act(&AppAction::PauseAnalysis),
            Command::Pause => host.act(&AppAction::Pause),
            Command::CopyPosition => ui.ctx().copy_text(host.document().history().now().sfen()),
            Command::Copy => {
                let written = kifu::write(host.document().record(), kifu::Target::Kifu).bytes;
                ui.ctx().copy_text(String::from_utf8_lossy(&written).into_owned());
            }
            Command::Flip => self.flipped = !self.flipped,
            Command::CopySummary => {
                let report = Report::from_document(host.document(), &self.insight, host.lang());
                ui.ctx().copy_text(report::summary(&report));
            }
            Command::Report => {
                let path = host.record_file().suggested_path().with_extension("html");
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::SaveReport(path), move || wake());
            }
            Command::Engines => self.wanted = Some(MainPage::Engines),
            Command::Manual => browser::open_for(&self.host, browser::manual(host.lang()), wake),
            Command::Settings => self.wanted = Some(MainPage::Settings),
            Command::New => host.act(&AppAction::New),
            Command::Open => {
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::OpenRecord, move || wake());
            }
            Command::Save => {
                drop(host);
                self.save(wake, dialogs);
            }
            Command::SaveAs => ask_save_path(host.record_file().suggested_path(), wake, dialogs),
            Command::Paste => ui.ctx().send_viewport_cmd(ViewportCommand::RequestPaste),
            _ => {
                // The page itself handles the others.
                if let Some(action) = command_action(command, 1) {
                    host.act(&action);
                }
            }
        }
    }
}

/// The question for the user, if any.
fn question(record_file: &RecordFile) -> Option<StudyQuestion> {
    if record_file.is_asking() {
        return Some(StudyQuestion::Save { ends: record_file.is_quitting() });
    }
    // An answered question goes at once, though the copy may take time to be read.
    let is_answered =
        record_file.opening_path().is_some_and(|path| record_file.recoverable().iter().any(|found| found.copy == path));
    record_file.recovery_summary().filter(|_| !is_answered).map(|(count, name)| StudyQuestion::Recover(count, name))
}

fn ask_save_path(path: PathBuf, wake: &WakeEngines, dialogs: &Dialogs) {
    let wake = Arc::clone(wake);
    dialogs.open(DialogPurpose::SaveRecord(path), move || wake());
}

/// The record's folder, or the working folder, with a trailing separator for a file name.
fn start_folder(record_file: &RecordFile) -> PathBuf {
    record_file.path().and_then(Path::parent).unwrap_or_else(|| Path::new("")).join("")
}

/// Writes a report as a picture if the name ends with `png`, else as HTML. Returns a notice with the result.
fn write_report(report: &Report, path: &Path) -> RecordRemark {
    let is_picture = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("png"));
    let bytes = if is_picture {
        crate::ui::report::png(report, None).map_err(|error| CauseText::from(error.to_string()))
    } else {
        Ok(crate::ui::report::html(report).into_bytes())
    };
    let written = bytes.and_then(|bytes| files::write_whole(path, &bytes).map_err(|error| CauseText::from(&error)));
    match written {
        Ok(()) => RecordRemark::Saved(path.display().to_string()),
        Err(why) => RecordRemark::NotSaved(why),
    }
}

/// Returns the action that saves to a path from a dialog. Without the extension of a format, one is added. The dialog
/// has not asked about a file of that name.
fn save_as(path: PathBuf) -> AppAction {
    if record_file::target_of(&path).is_some() { AppAction::SaveAs(path) } else { save_checked(path) }
}

/// Returns the action that saves to a path that the user typed.
fn save_checked(path: PathBuf) -> AppAction {
    let is_named = record_file::target_of(&path).is_some();
    AppAction::SaveChecked(if is_named { path } else { path.with_added_extension("kifu") })
}
