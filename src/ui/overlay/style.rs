//! The drawing style of the bar, and which parts of a view the style shows.

use crate::PaintTheme;
use shogibar_base::Lang;
use shogibar_config::{
    Background, Layout, OverlayPart, OverlayParts, OverlaySettings, PanelOpacity, Percent, Settings, TextSize,
};
use shogibar_games::bar::{BarView, DecidedWin, EngineView, FormationView, ReasonView};
use shogibar_shogi::Color;
use std::sync::Arc;

/// The minimum opacity of the panel, in percent, on which text is readable without an outline.
const MIN_READABLE_PANEL_PERCENT: u8 = 60;

/// The smallest font size in a window, in whole points.
const MIN_FONT_SIZE: u8 = 11;

/// The drawing style of the bar, independent of its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayStyle {
    /// The layout.
    pub layout: Layout,
    /// The colours.
    pub theme: PaintTheme,
    /// The visible parts.
    pub parts: OverlayParts,
    /// Whether Black is on the right, or at the top of an upright bar.
    pub is_swapped: bool,
    /// Whether changes of the share are animated.
    pub has_motion: bool,
    /// The text size, in percent of the default.
    pub text_size: TextSize,
    /// The smallest font size, in whole points.
    pub min_font_size: u8,
    /// The opacity of the panel, in percent of the opacity in the theme.
    pub opacity: PanelOpacity,
    /// The background behind the panel. Only a transparent background may be left unpainted.
    pub background: Background,
    /// Whether the evaluation and the win rates are shown exactly and without delay.
    pub is_exact: bool,
    /// The contents of the candidates' space.
    pub rows: OverlayRows,
    /// The place of a turning point's card in a layout without room for candidates.
    pub card_place: CardPlace,
    /// The language of the view.
    pub lang: Lang,
}

/// The contents of the candidates' space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverlayRows {
    /// The candidates.
    #[default]
    Candidates,
    /// The space stays free: the window draws other contents there.
    Free,
}

/// The place of a turning point's card in a layout without room for candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardPlace {
    /// Beside the bar, where the window or the page draws it.
    #[default]
    Beside,
    /// In the line above the bar, as nothing can be drawn beside the bar.
    InLine,
}

impl OverlayStyle {
    /// Creates the style of the full layout with the default parts.
    pub fn new(theme: PaintTheme, lang: Lang) -> Self {
        Self::from_settings(&Settings::default(), theme, lang)
    }

    /// Creates the style from the user's settings. The caller has looked up the theme by its name.
    pub fn from_settings(settings: &Settings, mut theme: PaintTheme, lang: Lang) -> Self {
        let OverlaySettings {
            layout,
            is_swapped,
            has_motion,
            text_size,
            opacity,
            ..
        } = settings.overlay;
        // A key colour replaces transparency, so the panel on it is opaque.
        let background = settings.window.background;
        let opacity = if background == Background::Transparent {
            opacity
        } else {
            Percent(100)
        };
        // On a transparent panel, text needs an outline to be readable.
        if opacity.0 < MIN_READABLE_PANEL_PERCENT && theme.text_edge.a() == 0 {
            theme.text_edge = theme.panel.to_opaque();
        }
        Self {
            layout,
            theme,
            parts: settings.parts.clone(),
            is_swapped,
            has_motion,
            text_size,
            min_font_size: MIN_FONT_SIZE,
            opacity,
            background,
            is_exact: false,
            rows: OverlayRows::default(),
            card_place: CardPlace::default(),
            lang,
        }
    }

    /// Returns the sides at the two ends: left and right, or bottom and top of an upright bar. In the graph, the first
    /// side has the upper half.
    pub(super) const fn ends(&self) -> [Color; 2] {
        if self.is_swapped {
            [Color::White, Color::Black]
        } else {
            [Color::Black, Color::White]
        }
    }

    /// Returns whether a part is switched on. The part may need another part.
    pub(super) fn shows(&self, part: OverlayPart) -> bool {
        self.parts.shows(part)
    }

    pub(super) fn shows_numbers(&self) -> bool {
        self.shows(OverlayPart::Numbers)
    }

    /// Returns whether candidates are shown: they need both parts, candidates and words.
    pub(super) fn shows_candidates(&self) -> bool {
        self.shows(OverlayPart::Candidates) && self.shows(OverlayPart::Words)
    }

    /// Returns whether the following moves of candidates are shown.
    pub(super) fn shows_lines(&self) -> bool {
        self.shows(OverlayPart::Lines)
    }

    /// Returns whether losses are shown, which needs numbers, too.
    pub(super) fn shows_loss(&self) -> bool {
        self.shows(OverlayPart::Loss) && self.shows_numbers()
    }

    /// Returns whether the evaluation in centipawns is shown, which needs numbers, too.
    pub(super) fn shows_evaluation(&self) -> bool {
        self.shows(OverlayPart::Evaluation) && self.shows_numbers()
    }

    /// Returns whether the situation is shown, which needs words, too.
    pub(super) fn shows_situation(&self) -> bool {
        self.shows(OverlayPart::Situation) && self.shows(OverlayPart::Words)
    }

    /// Returns whether a name, a clock, the side to move, the move number or the last move in words is shown.
    pub(super) fn shows_header(&self) -> bool {
        let last_move = self.shows(OverlayPart::LastMove) && self.shows(OverlayPart::Words);
        last_move
            || [
                OverlayPart::Names,
                OverlayPart::ToMove,
                OverlayPart::MoveNumber,
                OverlayPart::Clocks,
            ]
            .into_iter()
            .any(|part| self.shows(part))
    }

    /// Returns whether the evaluation, the situation, a figure, the engine's name or its signal is shown.
    pub(super) fn shows_footer(&self) -> bool {
        let evaluation = self.shows_evaluation() || self.shows_situation();
        evaluation
            || [OverlayPart::Figures, OverlayPart::Engine, OverlayPart::Signal]
                .into_iter()
                .any(|part| self.shows(part))
    }

    /// Returns the view without the parts that are switched off.
    pub(super) fn visible_view(&self, view: &BarView) -> BarView {
        let mut view = view.clone();
        let hidden = |part| !self.shows(part);
        if hidden(OverlayPart::Names) {
            view.black.name.clear();
            view.white.name.clear();
        }
        if hidden(OverlayPart::ToMove) {
            view.to_move = None;
        }
        if hidden(OverlayPart::Clocks) {
            (view.black.clock, view.white.clock) = (None, None);
        }
        self.trim_position(&mut view.position_text);
        self.trim_reason(&mut view.reason);
        if hidden(OverlayPart::Numbers) {
            (view.black.percent, view.white.percent) = (None, None);
        }
        if !self.shows_evaluation() && !self.is_exact {
            view.evaluation.clear();
        }
        if !self.shows_situation() {
            view.advantage.clear();
        }
        if let Some(DecidedWin {
            text, brief, label, ..
        }) = &mut view.decided_win
        {
            if hidden(OverlayPart::Words) {
                text.clear();
                brief.clear();
            }
            // The label replaces a number.
            if hidden(OverlayPart::Numbers) {
                label.clear();
            }
        }
        if hidden(OverlayPart::TurningCard) || hidden(OverlayPart::Numbers) {
            view.turning_card = None;
        } else if hidden(OverlayPart::Words)
            && let Some(card) = &mut view.turning_card
        {
            let card = Arc::make_mut(card);
            for text in [&mut card.word, &mut card.better, &mut card.reason] {
                text.clear();
            }
        }
        let has_evaluation = view.share.is_some();
        for engine in &mut view.engines {
            self.trim_engine(engine, has_evaluation);
        }
        view
    }

    /// Clears the hidden parts of the reason.
    fn trim_reason(&self, reason: &mut ReasonView) {
        let hidden = |part| !self.shows(part) || !self.shows(OverlayPart::Words);
        if hidden(OverlayPart::Threats) {
            reason.threat.clear();
            (reason.only_move, reason.brief_only_move) = Default::default();
        }
        if hidden(OverlayPart::Formations) {
            reason.formation = FormationView::default();
        }
        if hidden(OverlayPart::Reason) {
            reason.sentence.clear();
            reason.short_sentence.clear();
        }
    }

    /// Clears the hidden parts of the move number and the last move.
    fn trim_position(&self, [before, last, after]: &mut [String; 3]) {
        if !self.shows(OverlayPart::MoveNumber) {
            before.clear();
            after.clear();
        }
        if !self.shows(OverlayPart::LastMove) || !self.shows(OverlayPart::Words) {
            last.clear();
            // The word まで needs a move before it.
            after.clear();
        }
    }

    /// Clears the hidden parts of an engine's view. `has_evaluation` is whether there is an evaluation.
    fn trim_engine(&self, engine: &mut EngineView, has_evaluation: bool) {
        let hidden = |part| !self.shows(part);
        if !self.shows_candidates() {
            engine.candidates.clear();
            // Without candidates, a notice is shown only if it is a failure or there is no evaluation.
            engine.notice = engine
                .notice
                .take()
                .filter(|notice| notice.is_failure || !has_evaluation);
        }
        for candidate in &mut engine.candidates {
            if hidden(OverlayPart::Numbers) {
                candidate.percent.clear();
                candidate.mate.clear();
                candidate.mate_note.clear();
            }
            if hidden(OverlayPart::Lines) {
                candidate.line.clear();
            }
        }
        if hidden(OverlayPart::Numbers) {
            engine.percent = None;
        }
        if !self.shows_evaluation() {
            engine.evaluation.clear();
        }
        if hidden(OverlayPart::Figures) {
            engine.stats = Default::default();
        }
        if hidden(OverlayPart::Engine) {
            engine.name.clear();
            engine.reported_name.clear();
        }
        if hidden(OverlayPart::Signal) {
            engine.signal = None;
        }
    }
}
