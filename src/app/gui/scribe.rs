//! A host for tests.

use super::Host;
use crate::app::analyst::Analyst;
use crate::app::papers::Papers;
use crate::app::state::{Action, Judging};
use crate::bar::{Notice, View};
use crate::shogi::History;
use crate::study::Document;
use crate::text::Lang;
use crate::threads::lock;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a scribe was asked for.
pub(super) type Asked = Arc<Mutex<Vec<Action>>>;

/// Shows nothing and does nothing, but writes down what it is asked for; works on a record; speaks the language it
/// is told to, and is over when it is sent beyond every game.
pub(super) struct Scribe {
    pub(super) asked: Asked,
    view: View,
    document: Document,
    history: Arc<History>,
    papers: Papers,
    analyst: Analyst,
    lang: Lang,
    pub(super) leaves_free: bool,
}

impl Scribe {
    /// One that has a record on view.
    pub(super) fn new(document: Document) -> Self {
        Self {
            asked: Asked::default(),
            view: View::default(),
            history: Arc::new(document.history()),
            document,
            papers: Papers::new(None, Arc::new(|| {})),
            analyst: Analyst::new(Box::new(|_, _| Ok(Vec::new())), Arc::new(|| {})),
            lang: Lang::Ja,
            leaves_free: true,
        }
    }
}

impl Host for Scribe {
    fn view(&mut self) -> &View {
        &self.view
    }

    fn act(&mut self, action: &Action) {
        if let Action::Speak(lang) = action {
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

    fn work(&mut self, work: &mut dyn FnMut(&mut Document)) {
        work(&mut self.document);
        self.history = Arc::new(self.document.history());
    }

    fn papers(&self) -> &Papers {
        &self.papers
    }

    fn analyst(&self) -> &Analyst {
        &self.analyst
    }

    fn judge_by(&mut self, _: Option<Judging>) {}

    fn aside(&self) -> Option<Notice> {
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
        lock(&self.asked).contains(&Action::Step(i32::MAX))
    }
}
