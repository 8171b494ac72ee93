//! A host for tests.

use super::Host;
use crate::app::analysis_controller::AnalysisController;
use crate::app::record_file::RecordFile;
use crate::app::state::{AppAction, GameJudge};
use crate::bar::{BarNotice, BarView};
use crate::shogi::History;
use crate::study::Document;
use crate::text::Lang;
use crate::threads::lock;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The recorded actions.
pub(super) type HostCall = Arc<Mutex<Vec<AppAction>>>;

/// A host that only records its actions, edits a record, and switches its language. It is over once it gets
/// `Quit` or `Step(i32::MAX)`.
pub(super) struct RecordingHost {
    pub(super) asked: HostCall,
    view: BarView,
    document: Document,
    history: Arc<History>,
    record_file: RecordFile,
    analysis: AnalysisController,
    lang: Lang,
    pub(super) leaves_free: bool,
}

impl RecordingHost {
    /// Creates a host with this record.
    pub(super) fn new(document: Document) -> Self {
        Self {
            asked: HostCall::default(),
            view: BarView::default(),
            history: Arc::new(document.history()),
            document,
            record_file: RecordFile::default(),
            analysis: AnalysisController::new(Box::new(|_, _| Ok(Vec::new())), Arc::new(|| {})),
            lang: Lang::Ja,
            leaves_free: true,
        }
    }
}

impl Host for RecordingHost {
    fn view(&mut self) -> &BarView {
        &self.view
    }

    fn act(&mut self, action: &AppAction) {
        if let AppAction::SetLanguage(lang) = action {
            self.lang = *lang;
        }
        lock(&self.asked).push(action.clone());
    }

    fn engines(&self) -> Vec<&str> {
        vec!["builtin"]
    }

    fn document(&self) -> &Document {
        &self.document
    }

    fn history(&self) -> &Arc<History> {
        &self.history
    }

    fn edit(&mut self, work: &mut dyn FnMut(&mut Document)) {
        work(&mut self.document);
        self.history = Arc::new(self.document.history());
    }

    fn record_file(&self) -> &RecordFile {
        &self.record_file
    }

    fn analysis(&self) -> &AnalysisController {
        &self.analysis
    }

    fn judge_by(&mut self, _: Option<GameJudge>) {}

    fn side_notice(&self) -> Option<BarNotice> {
        None
    }

    fn leaves_free(&self, _: usize) -> bool {
        self.leaves_free
    }

    fn set_interval(&mut self, _: Duration) {}

    fn is_paused(&self) -> bool {
        false
    }

    fn lang(&self) -> Lang {
        self.lang
    }

    fn is_over(&self) -> bool {
        let asked = lock(&self.asked);
        asked.contains(&AppAction::Step(i32::MAX)) || asked.contains(&AppAction::Quit)
    }
}
