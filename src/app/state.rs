//! The application state: a record, the current node and the engines' evaluations. No side effects.

mod recorded;

use crate::analysis::AnalysisOptions;
use crate::analysis::{Evaluator, Evaluators};
use crate::bar::{self, BarInput, BarNotice, BarView, Ending, EngineReport, FollowMode};
use crate::kifu::Record;
use crate::session::{self, SearchTarget, Snapshot};
use crate::shogi::{Color, History, Position};
use crate::study::{Document, UnsavedAnswer};
use crate::text::{Lang, Message, RecordRemark};
use std::path::PathBuf;
use std::sync::Arc;

/// An action of the user, or of the program in the user's name.
#[derive(Clone, Debug, PartialEq)]
pub enum AppAction {
    /// Go forward by so many moves; back where negative.
    Step(i32),
    /// Go to the start of the game.
    First,
    /// Go to the end of the game.
    Last,
    /// Pause or resume the engines.
    Pause,
    /// Follow the next engine, or their mean after the last.
    Follow,
    /// Open a record from a file.
    Open(PathBuf),
    /// Open the first of several files, and list the others.
    OpenAll(Vec<PathBuf>),
    /// Select another game or file of the list, by its index.
    SelectGame(usize),
    /// Start an empty game from the even start position.
    New,
    /// Open a record or a position from the clipboard.
    Paste(String),
    /// Save the record to its file.
    Save,
    /// Save the record to another file, from a file dialog. An existing file is replaced: the dialog has asked.
    SaveAs(PathBuf),
    /// Save the record to a path that the user typed. An existing file is replaced only if the user confirms it.
    SaveChecked(PathBuf),
    /// Answer the question about unsaved changes.
    Answer(UnsavedAnswer),
    /// Recover the first recoverable record, or discard all of them.
    Recover(bool),
    /// Start an analysis of the whole game.
    Analyse(Box<AnalysisOptions>),
    /// Pause or resume the analysis.
    PauseAnalysis,
    /// End the analysis.
    EndAnalysis,
    /// Start a game from this position.
    Start(Box<Position>),
    /// End the program.
    Quit,
    /// Hide the evaluation, or show it again.
    Hide,
    /// Show a transient notice on the bar.
    Remark(Message),
    /// Dismiss the transient notice.
    Dismiss,
    /// Mark the current notices as seen.
    Seen,
    /// Dismiss a transient notice on the study page, as its time is over.
    DismissTransient,
    /// Report whether the study page is open.
    Study(bool),
    /// Change the language of the screen.
    SetLanguage(Lang),
    /// Add a second engine, or remove the named one if two run.
    ToggleSecondEngine(String),
    /// Replace the engine that the bar follows, by name. A running engine is restarted.
    Engine(String),
    /// Rename a running engine: the old name and the new one.
    Rename(String, String),
    /// Press a button option of an engine: the engine's name and the option's.
    Press(String, String),
}

impl AppAction {
    /// Whether the user has acted, so that earlier notices count as seen.
    pub const fn is_user_action(&self) -> bool {
        !matches!(
            self,
            Self::Remark(_) | Self::Dismiss | Self::DismissTransient | Self::SetLanguage(_) | Self::Study(_)
        )
    }
}

/// A notice shown in place of the candidates.
#[derive(Clone, Debug)]
struct AppNotice {
    message: Message,
    /// Whether it reports a failure.
    failure: bool,
}

/// Why the engines are paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PauseReason {
    /// The user has paused them.
    paused: bool,
    /// The evaluation is hidden, so that no search is needed.
    hidden: bool,
    /// A game analysis is running.
    analysis_running: bool,
}

/// The application state: the record, the current node, the engines' reports and the notices.
#[derive(Debug)]
pub struct AppState {
    document: Document,
    /// Whether a record was opened, and the initial board replaced.
    opened: bool,
    history: Arc<History>,
    last_word: String,
    engines: Vec<EngineReport>,
    follow: FollowMode,
    pause_reason: PauseReason,
    /// The result of the user's last action.
    notice: Option<AppNotice>,
    /// A transient notice, shown before all others.
    transient: Option<AppNotice>,
    /// Why the requested record cannot be read, while no other record is opened.
    unreadable: Option<AppNotice>,
    /// Whether the study page is open. Notices about the record's file are then shown there, and not on a bar that
    /// others may be watching.
    is_study_open: bool,
    lang: Lang,
    /// The judge of the record, and the record's first revision.
    judge: Option<(u64, GameJudge)>,
}

/// All evaluators of a record, and the one that judges it.
pub type GameJudge = (Evaluators, Evaluator);

impl AppState {
    /// Creates the state with an empty board and no engines.
    pub fn new(lang: Lang) -> Self {
        let document = Document::default();
        let history = Arc::new(document.history());
        Self {
            document,
            opened: false,
            history,
            last_word: String::new(),
            engines: Vec::new(),
            follow: FollowMode::One(0),
            pause_reason: PauseReason::default(),
            notice: None,
            transient: None,
            unreadable: None,
            is_study_open: false,
            judge: None,
            lang,
        }
    }

    /// Adds an engine.
    pub fn add_engine(&mut self, engine: EngineReport) {
        self.engines.push(engine);
    }

    /// Replaces an engine, counted from 0.
    pub fn replace_engine(&mut self, index: usize, engine: EngineReport) {
        if let Some(before) = self.engines.get_mut(index) {
            *before = engine;
        }
    }

    /// Renames an engine, counted from 0.
    pub fn rename(&mut self, index: usize, name: &str) {
        if let Some(engine) = self.engines.get_mut(index) {
            name.clone_into(&mut engine.name);
        }
    }

    /// Removes an engine, counted from 0.
    pub fn dismiss_engine(&mut self, index: usize) {
        if index < self.engines.len() {
            self.engines.remove(index);
            self.follow = FollowMode::One(0);
        }
    }

    /// The engine that the bar follows, counted from 0; the first if it follows their mean.
    pub const fn lead(&self) -> usize {
        self.follow.lead()
    }

    /// Sets which engine the bar follows. An engine that does not run is ignored.
    pub fn follow(&mut self, follow: FollowMode) {
        if follow.lead() < self.engines.len() {
            self.follow = follow;
        }
    }

    /// Follows the next engine, and after the last their mean.
    pub fn follow_next(&mut self) {
        self.follow = self.follow.next(self.engines.len());
    }

    /// Pauses or resumes the engines.
    pub const fn pause(&mut self) {
        self.pause_reason.paused = !self.pause_reason.paused;
    }

    /// Pauses the engines while a game analysis runs: they would share the processors with it.
    pub const fn set_analysis_running(&mut self, is_running: bool) {
        self.pause_reason.analysis_running = is_running;
    }

    /// Whether a game analysis is running.
    pub const fn is_analysis_running(&self) -> bool {
        self.pause_reason.analysis_running
    }

    /// Whether the user has paused the engines.
    pub const fn is_paused(&self) -> bool {
        self.pause_reason.paused
    }

    /// Whether the engines are paused, for any reason.
    pub fn is_paused_now(&self) -> bool {
        self.pause_reason != PauseReason::default()
    }

    /// Hides or shows the evaluation. While it is hidden, no engine searches.
    pub const fn hide(&mut self) {
        self.pause_reason.hidden = !self.pause_reason.hidden;
    }

    /// Opens a record: a finished game at its start, a game in progress at its last move.
    pub fn open(&mut self, record: impl Into<Arc<Record>>) {
        let record = record.into();
        let is_over = record.decisive_end().is_some();
        self.opened = true;
        self.dismiss();
        self.unreadable = None;
        self.edit(|document| {
            document.open(record);
            document.go_to(if is_over { 0 } else { document.tip() });
        });
    }

    /// The record and its current node.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// The game up to the current node.
    pub const fn history(&self) -> &Arc<History> {
        &self.history
    }

    /// Runs a change of the document, and updates what depends on its position.
    pub fn edit<T>(&mut self, work: impl FnOnce(&mut Document) -> T) -> T {
        let place = |document: &Document| (document.revision(), document.current());
        let before = place(&self.document);
        let done = work(&mut self.document);
        if place(&self.document) == before {
            return done;
        }
        let history = self.document.history();
        if history != *self.history {
            self.unreadable = None;
            self.history = Arc::new(history);
            self.last_word = bar::last_word(&self.history, self.lang);
        }
        done
    }

    /// Reports a failure; the record stays.
    ///
    /// If none was opened yet, an unreadable record is reported until one is opened, as the board is not it.
    pub fn show_problem(&mut self, trouble: &Message) {
        let notice = Some(AppNotice { message: trouble.clone(), failure: true });
        if !self.opened && matches!(trouble, Message::RecordUnreadable(..)) {
            self.unreadable = notice;
        } else {
            self.notice = notice;
        }
    }

    /// Shows a notice.
    pub fn show_notice(&mut self, remark: &Message) {
        self.notice = Some(AppNotice { message: remark.clone(), failure: false });
    }

    /// Shows a transient notice. The other notices come back after it.
    pub fn show_transient(&mut self, remark: &Message) {
        self.transient = Some(AppNotice { message: remark.clone(), failure: false });
    }

    /// Sets whether the study page is open.
    pub const fn set_study_open(&mut self, is_study_open: bool) {
        self.is_study_open = is_study_open;
    }

    /// Marks the notice on the study page as seen: the user has closed it.
    pub fn mark_seen(&mut self) {
        self.unreadable = None;
    }

    /// Dismisses the transient notice of the study page; a queued error stays.
    pub fn dismiss_transient(&mut self) {
        let is_shown =
            |notice: &Option<AppNotice>| notice.as_ref().is_some_and(|notice| self.is_for_study_page(notice));
        let first = if is_shown(&self.transient) { &mut self.transient } else { &mut self.notice };
        first.take_if(|notice| !notice.failure && notice.message.is_transient());
    }

    /// Dismisses the notice that the file has changed elsewhere, as the change is loaded now.
    pub fn mark_current(&mut self) {
        let is_about_change = |notice: &mut AppNotice| match &notice.message {
            Message::Record(remark) => matches!(**remark, RecordRemark::ChangedElsewhere(_)),
            _ => false,
        };
        self.notice.take_if(is_about_change);
    }

    /// Dismisses the transient notice.
    pub fn clear_transient(&mut self) {
        self.transient = None;
    }

    /// Dismisses what the user has seen: the notices first, and then the engines' rejected options.
    pub fn dismiss(&mut self) {
        let seen = [self.transient.take(), self.notice.take()];
        if seen.iter().all(Option::is_none) && self.unreadable.is_none() {
            for engine in &mut self.engines {
                engine.rejections_dismissed |= !engine.snapshot.rejected_options.is_empty();
            }
        }
    }

    /// Goes to the position after `ply` moves of the current line. Larger numbers lead to the end.
    ///
    /// The end of a game, finished or interrupted, is a step of its own after the last move. So its last position
    /// can still be analysed.
    pub fn go_to(&mut self, ply: usize) {
        self.edit(|document| document.go_to(ply));
    }

    /// Goes forward by so many moves, or back, within the game.
    pub fn step(&mut self, moves: i32) {
        let (distance, ply) = (usize::try_from(moves.unsigned_abs()).unwrap_or(usize::MAX), self.document.place());
        self.go_to(if moves < 0 { ply.saturating_sub(distance) } else { ply.saturating_add(distance) });
    }

    /// Updates the snapshot of an engine, counted from 0.
    pub fn update_engine(&mut self, engine: usize, snapshot: Snapshot) {
        if let Some(report) = self.engines.get_mut(engine) {
            report.snapshot = snapshot;
        }
    }

    /// The record's own evaluation of the current position, as if from an engine; `None` where it has none.
    pub fn record_snapshot(&self) -> Option<Snapshot> {
        let judge = self.judge.as_ref().filter(|(first, _)| *first == self.document.first_revision());
        let judge = judge.map(|(_, judge)| judge);
        recorded::snapshot(self.document.record(), self.document.last_move(), &self.history, judge)
    }

    /// Sets who judges the record: its evaluations are shown while the engines are paused.
    pub fn set_judge(&mut self, judge: Option<GameJudge>) {
        let judge = judge.map(|judge| (self.document.first_revision(), judge));
        if self.judge != judge {
            self.judge = judge;
        }
    }

    /// Whether any engine has reported an evaluation yet.
    pub fn has_evaluation(&self) -> bool {
        self.engines.iter().any(|report| report.snapshot.search_info.is_some())
    }

    /// Sets the language of the screen.
    pub fn set_language(&mut self, lang: Lang) {
        self.lang = lang;
        self.last_word = bar::last_word(&self.history, lang);
    }

    /// The language of the screen.
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// The position to search; none where the game is over, or the requested record could not be read.
    ///
    /// In the latter case, an evaluation would look like one of that record.
    pub fn search_target(&self) -> SearchTarget {
        let is_searchable = self.unreadable.is_none() && self.ending().is_none();
        let position = is_searchable.then(|| Arc::clone(&self.history));
        SearchTarget { position, paused: self.is_paused_now(), limit: None }
    }

    /// Whether nothing more will be reported: no position is searched, or every engine has finished or failed.
    pub fn is_search_done(&self) -> bool {
        let finished = |report: &EngineReport| {
            let answered = report.snapshot.result.as_ref().is_some_and(|answer| answer.history == self.history);
            let failed = matches!(
                report.snapshot.state,
                session::EngineState::Failed(_) | session::EngineState::Unsearchable(_)
            );
            answered || failed
        };
        self.engines.iter().all(finished) || self.search_target().position.is_none()
    }

    /// The contents of the bar.
    pub fn view(&self) -> BarView {
        let notice =
            self.notices().find(|notice| !self.is_for_study_page(notice)).map(|notice| notice.notice(self.lang));
        let recorded = self.recorded_report();
        let (engines, follow) = match &recorded {
            Some(recorded) => (std::slice::from_ref(recorded), FollowMode::One(0)),
            None => (self.engines.as_slice(), self.follow),
        };
        let view = bar::view(&BarInput {
            players: [Color::Black, Color::White].map(|color| self.document.record().player(color)),
            handicap: self.document.record().is_handicap(),
            history: &self.history,
            ply: self.history.moves().len(),
            last_word: &self.last_word,
            ending: self.ending(),
            pause: self.document.pause(),
            engines,
            follow,
            paused: self.pause_reason.paused,
            notice: notice.as_ref(),
            lang: self.lang,
        });
        if self.pause_reason.hidden { view.hidden(self.lang) } else { view }
    }

    /// The notice for the study page.
    pub fn side_notice(&self) -> Option<BarNotice> {
        self.notices().find(|notice| self.is_for_study_page(notice)).map(|notice| notice.notice(self.lang))
    }

    fn notices(&self) -> impl Iterator<Item = &AppNotice> {
        [&self.transient, &self.notice, &self.unreadable].into_iter().flatten()
    }

    fn is_for_study_page(&self, notice: &AppNotice) -> bool {
        self.is_study_open && notice.message.is_for_the_page()
    }

    /// The record's evaluation, shown while the engines are paused. `None` if they are not, or if an engine has
    /// searched this position before.
    fn recorded_report(&self) -> Option<EngineReport> {
        let has_searched = |report: &EngineReport| {
            report.snapshot.search_info.as_ref().is_some_and(|shown| shown.history == self.history)
        };
        if !self.is_paused_now() || self.engines.iter().any(has_searched) {
            return None;
        }
        self.record_snapshot().map(EngineReport::from)
    }

    fn ending(&self) -> Option<Ending> {
        let stated = self.document.ending().filter(|_| self.document.is_at_end());
        stated.or_else(|| Ending::on_board(&self.history))
    }
}

impl AppNotice {
    fn notice(&self, lang: Lang) -> BarNotice {
        let text = self.message.text(lang);
        let notice = if self.failure { BarNotice::failure(text, Vec::new()) } else { BarNotice::new(text) };
        BarNotice { transient: !self.failure && self.message.is_transient(), ..notice }
    }
}

#[cfg(test)]
mod tests;
