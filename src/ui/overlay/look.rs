//! How the bar is drawn, whatever it says.

use crate::bar::{Decided, EngineView, View};
use crate::config::{Layout, Part, Parts, Settings};
use crate::shogi::Color;
use crate::text::Lang;
use crate::ui::Theme;

/// How the bar is drawn, whatever it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The arrangement.
    pub layout: Layout,
    /// The colours.
    pub theme: Theme,
    /// What is shown.
    pub parts: Parts,
    /// Whether Black is on the right, or at the top of an upright bar.
    pub swapped: bool,
    /// Whether the seam glides to its new place.
    pub motion: bool,
    /// The language of the view.
    pub lang: Lang,
}

impl Look {
    /// The full layout with everything in it.
    pub fn new(theme: Theme, lang: Lang) -> Self {
        Self { layout: Layout::Full, theme, parts: Parts::default(), swapped: false, motion: true, lang }
    }

    /// As the user has set it, but for the theme, which has been looked up by its name.
    pub fn of(settings: &Settings, theme: Theme, lang: Lang) -> Self {
        let overlay = &settings.overlay;
        let (layout, parts) = (overlay.layout, settings.parts.clone());
        Self { layout, theme, parts, swapped: overlay.swapped, motion: overlay.motion, lang }
    }

    /// Whose end is on the left, or below, and whose is on the right, or above.
    pub(super) const fn ends(&self) -> [Color; 2] {
        if self.swapped { [Color::White, Color::Black] } else { [Color::Black, Color::White] }
    }

    pub(super) fn shows(&self, part: Part) -> bool {
        self.parts.shows(part)
    }

    pub(super) fn shows_numbers(&self) -> bool {
        self.shows(Part::Numbers)
    }

    /// Whether there are candidates to be seen: without their words they say nothing.
    pub(super) fn shows_candidates(&self) -> bool {
        self.shows(Part::Candidates) && self.shows(Part::Words)
    }

    pub(super) fn shows_lines(&self) -> bool {
        self.shows(Part::Lines)
    }

    pub(super) fn shows_loss(&self) -> bool {
        self.shows(Part::Loss) && self.shows_numbers()
    }

    pub(super) fn shows_evaluation(&self) -> bool {
        self.shows(Part::Evaluation) && self.shows_numbers()
    }

    pub(super) fn shows_situation(&self) -> bool {
        self.shows(Part::Situation) && self.shows(Part::Words)
    }

    /// Whether anything of names, turn and place is to be seen.
    pub(super) fn shows_header(&self) -> bool {
        let last_move = self.shows(Part::LastMove) && self.shows(Part::Words);
        last_move || [Part::Names, Part::ToMove, Part::Place].into_iter().any(|part| self.shows(part))
    }

    /// Whether anything of the evaluation, beside the bar and its ends, or of the figures is to be seen.
    pub(super) fn shows_foot(&self) -> bool {
        let said = self.shows_evaluation() || self.shows_situation();
        said || [Part::Figures, Part::Engine, Part::Signal].into_iter().any(|part| self.shows(part))
    }

    /// What of a view is to be seen: what is switched off is empty in it, so that its room goes to the rest.
    pub(super) fn seen(&self, view: &View) -> View {
        let mut view = view.clone();
        let hidden = |part| !self.shows(part);
        if hidden(Part::Names) {
            view.black.name.clear();
            view.white.name.clear();
        }
        if hidden(Part::ToMove) {
            view.to_move = None;
        }
        self.trim_place(&mut view.place);
        if hidden(Part::Numbers) {
            (view.black.percent, view.white.percent) = (None, None);
        }
        if !self.shows_evaluation() {
            view.evaluation.clear();
        }
        if !self.shows_situation() {
            view.situation.clear();
        }
        if let Some(Decided { text, brief, label, .. }) = &mut view.decided {
            if hidden(Part::Words) {
                text.clear();
                brief.clear();
            }
            // It stands where a number would.
            if hidden(Part::Numbers) {
                label.clear();
            }
        }
        let knows = view.share.is_some();
        for engine in &mut view.engines {
            self.trim_engine(engine, knows);
        }
        view
    }

    fn trim_place(&self, [before, last, after]: &mut [String; 3]) {
        if !self.shows(Part::Place) {
            before.clear();
            after.clear();
        }
        if !self.shows(Part::LastMove) || !self.shows(Part::Words) {
            last.clear();
            // まで what?
            after.clear();
        }
    }

    /// `knows` is whether there is a value to look at.
    fn trim_engine(&self, engine: &mut EngineView, knows: bool) {
        let hidden = |part| !self.shows(part);
        if !self.shows_candidates() {
            engine.candidates.clear();
            // What is said while the candidates are awaited is of no use to whom awaits none.
            engine.notice = engine.notice.take().filter(|notice| notice.failure || !knows);
        }
        for candidate in &mut engine.candidates {
            if hidden(Part::Numbers) {
                candidate.value.clear();
            }
            if hidden(Part::Lines) {
                candidate.line.clear();
            }
        }
        if hidden(Part::Numbers) {
            engine.percent = None;
        }
        if !self.shows_evaluation() {
            engine.evaluation.clear();
        }
        if hidden(Part::Figures) {
            engine.figures = Default::default();
        }
        if hidden(Part::Engine) {
            engine.name.clear();
            engine.own_name.clear();
        }
        if hidden(Part::Signal) {
            engine.signal = None;
        }
    }
}
