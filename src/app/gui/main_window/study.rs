//! The page on which the game is studied, at work.

use crate::analysis::Scales;
use crate::app::gui::dialogs::{Choice, Dialogs, Errand};
use crate::app::gui::main_window::Page;
use crate::app::gui::{SharedHost, browser, desktop};
use crate::app::papers::{self, Papers};
use crate::app::preferences::SharedPreferences;
use crate::app::state::Action;
use crate::app::workshop::Wake;
use crate::files;
use crate::kifu::{self, End};
use crate::report::{self, Report};
use crate::study::{Answer, Document, Insight, Rows};
use crate::text::study::Deed;
use crate::text::{Cause, Lang, PaperRemark};
use crate::threads::{self, lock};
use crate::ui::Theme;
use crate::ui::board::BoardStyle;
use crate::ui::overlay::Painter;
use crate::ui::study::{FileState, Question, StudyAction, StudyPage, StudyView, Wanted, board_picture};
use eframe::egui;
use egui::{Ui, ViewportCommand};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The page, and what was worked out for it.
pub(super) struct StudyDesk {
    host: SharedHost,
    preferences: SharedPreferences,
    page: StudyPage,
    rows: Rows,
    insight: Insight,
    /// The engines there are, by what the user calls them.
    engines: Vec<String>,
    /// Whether White sits below.
    flipped: bool,
    /// The page that is to be seen instead.
    wanted: Option<Page>,
    painter: Painter,
}

impl StudyDesk {
    pub(super) fn new(host: SharedHost, preferences: SharedPreferences) -> Self {
        Self {
            host,
            preferences,
            page: StudyPage::default(),
            rows: Rows::default(),
            insight: Insight::default(),
            engines: Vec::new(),
            flipped: false,
            wanted: None,
            painter: Painter::Card,
        }
    }

    /// What paints its frames.
    pub(super) const fn set_painter(&mut self, painter: Painter) {
        self.painter = painter;
        self.page.set_painter(painter);
    }

    /// Whether there is the board alone, to be above other windows.
    pub(super) const fn is_small(&self) -> bool {
        self.page.is_small()
    }

    /// Whether keys are being pressed to be chosen.
    pub(super) const fn is_choosing_keys(&self) -> bool {
        self.page.is_listening()
    }

    /// The page is about to be seen, and these are the engines there are, and their scales.
    pub(super) fn open(&mut self, engines: Vec<String>, scales: Scales) {
        self.engines = engines;
        self.insight.weigh(scales);
    }

    /// The page that was asked for, if one was.
    pub(super) const fn wanted(&mut self) -> Option<Page> {
        self.wanted.take()
    }

    /// One frame; whether something was done.
    pub(super) fn show(&mut self, ui: &mut Ui, theme: &Theme, lang: Lang, wake: &Wake, dialogs: &Dialogs) -> bool {
        let (keys, pieces, motion) = {
            let preferences = lock(&self.preferences);
            let settings = preferences.settings();
            (settings.study_keys.clone(), settings.general.pieces, settings.overlay.motion)
        };
        let mut actions = {
            let host = Arc::clone(&self.host);
            let mut host = lock(&host);
            let mut bar = host.view().clone();
            // What is said in passing stands on the bar. What went wrong is said here, too, and nothing makes room for it.
            let said = bar.notice.take().filter(|notice| notice.failure);
            let engine = host.engines().first().copied().unwrap_or_default().to_owned();
            let resting = host.is_paused();
            let motion = motion && desktop::may_glide(self.painter, &*host);
            self.insight.withhold(&host.analyst().at_work());
            // One after the other, so that no frame takes long.
            if !self.rows.look(host.document(), lang) || !self.insight.look(host.document()) {
                wake();
            }
            let judging = self.insight.judge().map(|judge| (self.insight.review().evaluators().clone(), judge.clone()));
            host.judge_by(judging);
            let papers = host.papers();
            let name = papers.name();
            let analysis = host.analyst().progress().cloned();
            let (document, history) = (host.document(), host.history());
            let aside = host.aside().or(said);
            let doubt = papers.doubt().map(|doubt| Question::AllTheSame(doubt.text(lang)));
            let question = doubt.or_else(|| question(papers));
            let view = StudyView {
                document,
                rows: self.rows.seen(),
                insight: &self.insight,
                history,
                bar: &bar,
                name: name.as_deref(),
                recent: papers.recent(),
                file: match papers {
                    _ if papers.reading().is_some() => FileState::Opening,
                    _ if papers.is_behind() => FileState::Behind,
                    _ => FileState::Still,
                },
                resting,
                engine: &engine,
                engines: &self.engines,
                analysis: analysis.as_ref(),
                flipped: self.flipped,
                keys: &keys,
                motion,
                style: BoardStyle { pieces, ..BoardStyle::default() },
                question: question.as_ref(),
                at_hand: papers.at_hand(),
                notice: aside.as_ref(),
            };
            let actions = self.page.show(ui, &view, theme, lang);
            if actions.contains(&StudyAction::Do(Deed::CopyBoard))
                && let Some(picture) = board_picture(&view, theme, lang)
            {
                ui.ctx().copy_image(picture);
            }
            actions
        };
        let mut dropped: Vec<_> =
            ui.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
        if dropped.len() > 1 {
            lock(&self.host).act(&Action::OpenAll(dropped));
        } else if let Some(path) = dropped.pop() {
            lock(&self.host).act(&Action::Open(path));
        }
        let acted = !actions.is_empty();
        for action in actions.drain(..) {
            self.obey(ui, action, wake, dialogs);
        }
        acted
    }

    fn obey(&mut self, ui: &Ui, action: StudyAction, wake: &Wake, dialogs: &Dialogs) {
        let work = |work: &mut dyn FnMut(&mut Document)| lock(&self.host).work(work);
        match action {
            StudyAction::Do(deed) => self.carry_out(ui, deed, wake, dialogs),
            StudyAction::Step(moves) => lock(&self.host).act(&Action::Step(moves)),
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
                let end = End::here(reason, document.history_at(document.last_move()).now());
                document.end(end);
            }),
            StudyAction::Analyse(commission) => lock(&self.host).act(&Action::Analyse(commission)),
            StudyAction::Judge(by) => self.insight.choose(by),
            StudyAction::PauseAnalysis => lock(&self.host).act(&Action::PauseAnalysis),
            StudyAction::EndAnalysis => lock(&self.host).act(&Action::EndAnalysis),
            StudyAction::Start(position) => lock(&self.host).act(&Action::Start(position)),
            StudyAction::Keys(keys) => lock(&self.preferences).change(|settings| settings.study_keys = *keys),
            StudyAction::CopyAs(target) => {
                let written = kifu::write(lock(&self.host).document().record(), target).bytes;
                ui.ctx().copy_text(String::from_utf8_lossy(&written).into_owned());
            }
            StudyAction::Seen => lock(&self.host).act(&Action::Seen),
            StudyAction::Passed => lock(&self.host).act(&Action::Passed),
            StudyAction::Name(Wanted::Save, path) => lock(&self.host).act(&Action::SaveUnasked(with_end(path))),
            StudyAction::Name(Wanted::Report, path) if path.exists() => {
                let there = PaperRemark::ThereAlready(path.display().to_string());
                lock(&self.host).act(&Action::Remark(there.into()));
            }
            StudyAction::Name(Wanted::Report, path) => {
                self.hear(&Errand::SaveReport(PathBuf::new()), Choice::Chosen(path), wake);
            }
            StudyAction::Turn(at) => lock(&self.host).act(&Action::Turn(at)),
            StudyAction::ReadAgain => {
                let mut host = lock(&self.host);
                if let Some(path) = host.papers().path().map(Path::to_owned) {
                    host.act(&Action::Open(path));
                }
            }
            StudyAction::Open(path) | StudyAction::Name(Wanted::Open, path) => {
                lock(&self.host).act(&Action::Open(path));
            }
            StudyAction::Copy(text) => ui.ctx().copy_text(text),
            StudyAction::Paste(text) => lock(&self.host).act(&Action::Paste(text)),
            StudyAction::BringBack(brings) => lock(&self.host).act(&Action::BringBack(brings)),
            StudyAction::Answer(Answer::Save) => {
                let mut host = lock(&self.host);
                host.act(&Action::Answer(Answer::Save));
                // Where it cannot be saved in its own file, the question waits for another.
                if host.papers().asks() && host.papers().doubt().is_none() && !host.papers().can_save() {
                    drop(host);
                    self.save(wake, dialogs);
                }
            }
            StudyAction::Answer(answer) => lock(&self.host).act(&Action::Answer(answer)),
        }
    }

    /// What came of a dialog.
    pub(super) fn hear(&mut self, errand: &Errand, choice: Choice, wake: &Wake) {
        let mut host = lock(&self.host);
        match (errand, choice) {
            (Errand::SaveRecord(_), Choice::Chosen(path)) => host.act(&Action::SaveAs(with_end(path))),
            (Errand::SaveReport(_), Choice::Chosen(path)) => {
                let report = Report::of(host.document(), &self.insight, host.lang());
                self.write_out(report, path, wake);
            }
            (_, Choice::Chosen(path)) => host.act(&Action::Open(path)),
            (_, Choice::Nothing) => {}
            (Errand::SaveRecord(path), Choice::NoDialog) => self.page.ask_for(Wanted::Save, path),
            (Errand::SaveReport(path), Choice::NoDialog) => self.page.ask_for(Wanted::Report, path),
            (_, Choice::NoDialog) => self.page.ask_for(Wanted::Open, &beside(host.papers())),
        }
    }

    /// Asks for the players' names, and the handicap.
    pub(super) const fn ask_for_players(&mut self) {
        self.page.ask_for_players();
    }

    /// Asks which record is to be opened, where no dialog can.
    pub(super) fn ask_for_record(&mut self) {
        let folder = beside(lock(&self.host).papers());
        self.page.ask_for(Wanted::Open, &folder);
    }

    /// Writes a report on a thread of its own: a picture takes its time.
    fn write_out(&self, report: Report, path: PathBuf, wake: &Wake) {
        let (host, wake) = (Arc::clone(&self.host), Arc::clone(wake));
        let write = move || {
            let said = write_report(&report, &path);
            lock(&host).act(&Action::Remark(said.into()));
            wake();
        };
        if let Ok(thread) = threads::named("report", write) {
            thread.detach();
        }
    }

    /// Saves into the file of the record, or one that is chosen now.
    fn save(&self, wake: &Wake, dialogs: &Dialogs) {
        let mut host = lock(&self.host);
        if host.papers().can_save() {
            host.act(&Action::Save);
        } else {
            // Its own file has more in it than would be written.
            let path = host.papers().suggested();
            ask_where(free(&path).unwrap_or(path), wake, dialogs);
        }
    }

    fn carry_out(&mut self, ui: &Ui, deed: Deed, wake: &Wake, dialogs: &Dialogs) {
        let mut host = lock(&self.host);
        let mut work = |work: &mut dyn FnMut(&mut Document)| host.work(work);
        match deed {
            Deed::First => work(&mut |document| document.go_to(0)),
            Deed::Last => work(&mut |document| document.go_to(usize::MAX)),
            Deed::Back => host.act(&Action::Step(-1)),
            Deed::Forward => host.act(&Action::Step(1)),
            Deed::TenBack => host.act(&Action::Step(-10)),
            Deed::TenForward => host.act(&Action::Step(10)),
            Deed::BranchBack => work(&mut |document| document.go_to_branch(false)),
            Deed::BranchForward => work(&mut |document| document.go_to_branch(true)),
            Deed::Above => work(&mut |document| document.go_beside(false)),
            Deed::Below => work(&mut |document| document.go_beside(true)),
            Deed::Undo => work(&mut Document::undo),
            Deed::Redo => work(&mut Document::redo),
            Deed::Delete => work(&mut |document| document.delete(document.here())),
            Deed::Replace => work(&mut |document| {
                if let Some(old) = document.replaceable() {
                    document.replace(old, document.here());
                }
            }),
            Deed::Promote => work(&mut |document| document.promote(document.here())),
            Deed::MainLine => work(&mut |document| document.promote_to_main(document.here())),
            // Who is at work is had to rest.
            Deed::Pause if host.analyst().is_at_work() => host.act(&Action::PauseAnalysis),
            Deed::Pause => host.act(&Action::Pause),
            Deed::Hide => host.act(&Action::Hide),
            Deed::CopyPosition => ui.ctx().copy_text(host.document().history().now().sfen()),
            Deed::Copy => {
                let written = kifu::write(host.document().record(), kifu::Target::Kifu).bytes;
                ui.ctx().copy_text(String::from_utf8_lossy(&written).into_owned());
            }
            Deed::Flip => self.flipped = !self.flipped,
            Deed::CopySummary => {
                let report = Report::of(host.document(), &self.insight, host.lang());
                ui.ctx().copy_text(report::summary(&report));
            }
            Deed::Report => {
                let path = host.papers().suggested().with_extension("html");
                let path = free(&path).unwrap_or(path);
                let wake = Arc::clone(wake);
                dialogs.open(Errand::SaveReport(path), move || wake());
            }
            Deed::Engines => self.wanted = Some(Page::Engines),
            Deed::Manual => browser::open_for(&self.host, browser::manual(host.lang()), wake),
            Deed::Settings => self.wanted = Some(Page::Settings),
            Deed::New => host.act(&Action::New),
            Deed::Open => {
                let wake = Arc::clone(wake);
                dialogs.open(Errand::OpenRecord, move || wake());
            }
            Deed::Save => {
                drop(host);
                self.save(wake, dialogs);
            }
            Deed::SaveAs => ask_where(host.papers().suggested(), wake, dialogs),
            Deed::Paste => ui.ctx().send_viewport_cmd(ViewportCommand::RequestPaste),
            // The page's own, and a picture that was taken while it was drawn.
            Deed::CopyBoard | Deed::SetUp | Deed::Players | Deed::Analyse | Deed::Keys | Deed::Small => {}
        }
    }
}

/// What the user is to be asked first.
fn question(papers: &Papers) -> Option<Question> {
    if papers.asks() {
        return Some(Question::Save { ends: papers.ends() });
    }
    // Once it is answered it goes, though the copy may take its time to be read.
    let is_answered = papers.reading().is_some_and(|path| papers.left_behind().iter().any(|left| left.copy == path));
    papers.left_behind_of().filter(|_| !is_answered).map(|(count, name)| Question::BringBack(count, name))
}

fn ask_where(path: PathBuf, wake: &Wake, dialogs: &Dialogs) {
    let wake = Arc::clone(wake);
    dialogs.open(Errand::SaveRecord(path), move || wake());
}

/// A name beside a file's that is not there yet: its own, or `NAME-2`.
fn free(path: &Path) -> Option<PathBuf> {
    let part = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    files::free_name(path.parent()?, &part(path.file_stem()), &part(path.extension()))
}

/// The folder of the record on view, or the working folder, as the path of a file in it begins.
fn beside(papers: &Papers) -> PathBuf {
    papers.path().and_then(Path::parent).unwrap_or_else(|| Path::new("")).join("")
}

/// Writes a report as a picture, where the file's name ends so, and else as a page; what became of it.
fn write_report(report: &Report, path: &Path) -> PaperRemark {
    let is_picture = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("png"));
    let bytes = if is_picture {
        crate::ui::report::png(report, None).map_err(|error| Cause::from(error.to_string()))
    } else {
        Ok(report::html(report).into_bytes())
    };
    let written = bytes.and_then(|bytes| files::write_whole(path, &bytes).map_err(|error| Cause::from(&error)));
    match written {
        Ok(()) => PaperRemark::Saved(path.display().to_string()),
        Err(why) => PaperRemark::NotSaved(why),
    }
}

/// A file's name with an end that says in which format it is; not that of a file that is there, which nobody has agreed
/// to have written over.
fn with_end(path: PathBuf) -> PathBuf {
    if papers::target_of(&path).is_some() {
        return path;
    }
    let named = path.with_added_extension("kifu");
    if named.exists() { path } else { named }
}
