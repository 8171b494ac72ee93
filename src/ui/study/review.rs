//! The review card: the loss by a move, the line that punishes it, and the better line. At other moves, the card sums
//! the game up.

mod line;
mod summary;

use super::candidates::CandidateList;
use super::keys::KeysInUse;
use super::wrap::wrapped;
use super::{StudyAction, StudyFrame, StudyView, legend};
use crate::PaintTheme;
use crate::access::{set_accessible_label, set_accessible_text};
use crate::fonts::TextWeight;
use crate::graph::{mark_color, mark_letter};
use crate::review_text::{self as words, ReviewPhrase};
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{
    Align, Align2, Button, Color32, CornerRadius, FocusDirection, FontId, Key, Label, Layout, Modifiers,
    Pos2, Rect, Response, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2,
    WidgetInfo, pos2, vec2,
};
use line::{DrawnLine, ReviewLine};
use shogibar_base::Lang;
use shogibar_config::{Command, command_text};
use shogibar_facts::{EaseLevel, HidingFeature};
use shogibar_games::analysis::{MoveMark, MoveReason};
use shogibar_games::reasons_text::{HiddenPhrase, ReasonPhrase, hard};
use shogibar_games::study::{DocumentEdit, Mistake, NodeTexts};
use shogibar_games::{bar, phrase};
use shogibar_kifu::NodeId;
use std::cell::Cell;
use std::collections::HashMap;

/// The height of the row with the buttons for the previous and the next mistake, in points.
pub(super) const STEP_BUTTONS_HEIGHT: f32 = 40.0;
/// The height of the heading, in points.
const HEADING_HEIGHT: f32 = 42.0;
/// The ratio of height to width of the card above which the diagram is below the text.
const MIN_TALL_RATIO: f32 = 1.12;
/// The ratio of height to width of a diagram.
const DIAGRAM_RATIO: f32 = 1.07;
/// The smallest width of a diagram, in points.
const MIN_DIAGRAM_WIDTH: f32 = 116.0;
/// The step by which smaller diagrams are tried, in points, until the line of moves has enough space.
const DIAGRAM_STEP: f32 = 8.0;
/// The height that the texts need above a diagram, in points.
const MIN_TEXT_HEIGHT: f32 = 200.0;
/// The largest share of the width for a diagram beside the texts.
const MAX_DIAGRAM_FRACTION: f32 = 0.47;
/// The minimum width with a list of mistakes beside the review, in points.
const MIN_WIDTH_WITH_LIST: f32 = 580.0;
/// The width of the list of mistakes, in points.
const LIST_WIDTH: f32 = 190.0;
/// The height of the tabs of the lines, in points.
const TABS_HEIGHT: f32 = 24.0;
/// The right end of the move numbers in the list of mistakes, in points from the left.
const NUMBER_RIGHT: f32 = 54.0;
/// The smallest distance from the right end of the move numbers to the reasons in the list of mistakes, in points.
const REASON_OFFSET: f32 = 110.0;
/// The font size of the sentence about a move, in points.
const SENTENCE_FONT_SIZE: f32 = 15.0;
/// The height of the line about the effect of a decisive move, in points.
const STATUS_HEIGHT: f32 = 20.0;
/// The font size of a better move alone in its row, in points.
const BEST_MOVE_FONT_SIZE: f32 = 22.0;
/// The font size of the words about a better move, in points.
const EASE_FONT_SIZE: f32 = 12.5;
/// The minimum room between a better move and the words about it, in points.
const EASE_GAP: f32 = 12.0;

/// The spacing of the texts of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CardSpacing {
    /// The better move stands below its label, followed by the move that was played next.
    Loose,
    /// The better move stands beside its label.
    Close,
    /// The same as [`Close`](Self::Close), but with the win rates as text instead of bars.
    Tight,
}

impl CardSpacing {
    /// Returns the height of the better move and the win rates, in points.
    const fn head_height(self) -> f32 {
        match self {
            Self::Loose => 54.0 + 42.0,
            Self::Close => 30.0 + 42.0,
            Self::Tight => 30.0,
        }
    }
}

/// What the review card shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReviewSubject {
    /// The card is empty: evaluations are hidden, or there are no moves.
    #[default]
    Nothing,
    /// The game, which has no evaluations.
    NotAnalysed,
    /// The judge is still analysing.
    Withheld,
    /// The summary of the whole game.
    Game,
    /// The current move, a mistake.
    Mistake,
}

impl ReviewSubject {
    pub(super) const fn is_review(self) -> bool {
        matches!(self, Self::Game | Self::Mistake)
    }
}

/// The state of the card between frames.
#[derive(Debug, Default)]
pub(super) struct ReviewCard {
    subject: ReviewSubject,
    /// The values for which the contents were computed; `None` before the first frame.
    key: Option<ReviewKey>,
    /// The current move; `None` if it is not a mistake.
    mistake: Option<DrawnMistake>,
    /// The mistakes of the line, and the moves at its turning points.
    mistakes: Vec<Mistake>,
    /// The moves of the mistakes and the costliest moves, in words.
    words: NodeTexts,
    /// The reason why each mistake was bad, in a few words; empty if no reason is proved.
    reasons: HashMap<NodeId, String>,
    /// The commented node whose review the user wants to see, with the revision at which the record was opened.
    preferred_review: Option<(u64, NodeId)>,
    /// The line that the user has chosen.
    shown_line: ReviewLine,
    /// Whether the costliest mistake is the first of the list.
    is_by_loss: bool,
    /// The current node to which the list was scrolled.
    followed: Cell<Option<NodeId>>,
}

/// The values that identify the contents of the card: the first revision of the record, the version of the insight and
/// the revision, the current node, the end of the line, and the language.
type ReviewKey = (u64, [u64; 2], NodeId, Option<NodeId>, Lang);

/// A mistake with the texts about it.
#[derive(Debug)]
struct DrawnMistake {
    mistake: Mistake,
    /// The move, in words.
    word: String,
    /// The effect of a decisive move on the lead or a mate; may be empty.
    status: String,
    /// The reason in a sentence, or that it is searched for or was not proved; may be empty.
    sentence: String,
    /// Whether a reason was proved.
    has_sentence: bool,
    /// The difficulty of finding the better move, in words; may be empty.
    ease: String,
    /// The move that was played next, in words; may be empty.
    next_move: String,
    /// The line that punishes the move; may be empty.
    punish: DrawnLine,
    /// The line that should have been played instead; may be empty.
    better_line: DrawnLine,
}

impl ReviewCard {
    pub(super) const fn subject(&self) -> ReviewSubject {
        self.subject
    }

    /// Returns whether the user wants the review of the current node instead of the comment.
    pub(super) fn prefers_review(&self, frame: &StudyFrame<'_>) -> bool {
        let document = frame.view.document;
        self.preferred_review == Some((document.first_revision(), document.current()))
    }

    pub(super) fn prefer_review(&mut self, view: &StudyView<'_>, node: NodeId) {
        self.preferred_review = Some((view.document.first_revision(), node));
    }

    pub(super) const fn prefer_comment(&mut self) {
        self.preferred_review = None;
    }

    /// Switches to the other line of the current mistake if Tab is pressed, unless a widget uses the keyboard.
    pub(super) fn handle_keys(&mut self, ui: &Ui, keys_in_use: KeysInUse) {
        let has_both = self.mistake.as_ref().is_some_and(DrawnMistake::has_both_lines);
        let is_shown = has_both && self.subject == ReviewSubject::Mistake && keys_in_use == KeysInUse::None;
        if is_shown && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab)) {
            self.shown_line = self.shown_line.other();
            // The key must not also move the focus, so that movement is cancelled.
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        }
    }

    /// Computes the contents, if the record, its evaluations, the current node or the language has changed.
    pub(super) fn update(&mut self, frame: &StudyFrame<'_>) {
        let (document, insight) = (frame.view.document, frame.view.insight);
        self.subject = review_subject(frame);
        let versions = [insight.version(), document.revision()];
        let end = document.line().last().copied();
        let key = Some((
            document.first_revision(),
            versions,
            document.current(),
            end,
            frame.lang,
        ));
        if std::mem::replace(&mut self.key, key) == key {
            return;
        }
        let record = document.record();
        self.mistake = insight
            .mistake(record, document.current())
            .map(|mistake| DrawnMistake::new(frame, mistake));
        self.mistakes = insight
            .mistakes(document)
            .filter_map(|node| insight.mistake(record, node))
            .collect();
        let costliest = insight.summary().sides.iter().flat_map(|side| side.phases);
        let costliest = costliest
            .filter_map(|stats| stats.costliest_move)
            .map(|assessed| assessed.node);
        let nodes = self.mistakes.iter().map(|mistake| mistake.node).chain(costliest);
        self.words.update(document, frame.lang, nodes);
        self.reasons = self
            .mistakes
            .iter()
            .map(|mistake| {
                let reason = insight.review().short_reason(mistake.node, frame.lang);
                (mistake.node, reason.to_owned())
            })
            .collect();
    }

    /// Draws the review of the current move or of the game.
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, candidates: &mut CandidateList) {
        let all = ui.available_rect_before_wrap();
        let has_list = all.width() >= MIN_WIDTH_WITH_LIST && self.mistakes.len() > 1;
        let (card, list) = if has_list {
            all.split_left_right_at_x(all.right() - LIST_WIDTH)
        } else {
            (all, Rect::NOTHING)
        };
        if has_list {
            let list = UiBuilder::new()
                .max_rect(list.with_min_x(list.left() + 14.0))
                .id_salt("mistakes");
            ui.scope_builder(list, |ui| self.show_mistakes(ui, frame));
        }
        let card = if has_list {
            card.with_max_x(card.right() - 14.0)
        } else {
            card
        };
        ui.scope_builder(
            UiBuilder::new().max_rect(card).id_salt("card"),
            |ui| match &self.mistake {
                Some(drawn) => drawn.show(ui, frame, candidates, &mut self.shown_line),
                None => self.show_summary(ui, frame, !has_list),
            },
        );
    }

    /// Draws the heading of the current mistake as a button above a comment. Returns whether that button was clicked.
    pub(super) fn show_heading_button(&self, ui: &mut Ui, frame: &StudyFrame<'_>) -> bool {
        let Some(drawn) = &self.mistake else { return false };
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), HEADING_HEIGHT), Sense::click());
        drawn.draw_heading(ui, frame, rect, &response);
        let label = format!(
            "{}: {}",
            ReviewPhrase::Review.text(frame.lang),
            drawn.accessible_label(frame.lang)
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        response
            .on_hover_text(ReviewPhrase::Review.text(frame.lang))
            .clicked()
    }

    /// Draws the list of mistakes with its heading, and the button for its order.
    fn show_mistakes(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        ui.horizontal(|ui| {
            ui.label(RichText::new(ReviewPhrase::Mistakes.text(frame.lang)).font(TextWeight::Bold.at(14.0)));
            let order = if self.is_by_loss {
                ReviewPhrase::ByMove
            } else {
                ReviewPhrase::ByLoss
            };
            let text = RichText::new(order.text(frame.lang))
                .size(12.5)
                .color(frame.theme.accent);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.is_by_loss ^= ui.add(Button::new(text).frame(false)).clicked();
            });
        });
        self.show_ring(ui, frame);
        ScrollArea::vertical()
            .id_salt("mistakes")
            .auto_shrink(false)
            .show(ui, |ui| self.show_mistake_rows(ui, frame));
    }

    /// Draws the explanation of the ring if a mistake of the list has one.
    fn show_ring(&self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        if self
            .mistakes
            .iter()
            .any(|mistake| frame.view.insight.decisive(mistake.node).is_some())
        {
            legend::show_ring(ui, frame);
        }
    }

    fn show_mistake_rows(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let mut mistakes: Vec<&Mistake> = self.mistakes.iter().collect();
        if self.is_by_loss {
            let insight = frame.view.insight;
            let loss = |mistake: &Mistake| {
                insight
                    .assessed(mistake.node)
                    .map_or(0.0, |assessed| assessed.loss)
            };
            mistakes.sort_by(|one, other| loss(other).total_cmp(&loss(one)));
        }
        self.show_rows_of(ui, frame, mistakes.into_iter());
        self.followed.set(Some(frame.view.document.current()));
    }

    fn show_rows_of<'a>(
        &'a self,
        ui: &mut Ui,
        frame: &mut StudyFrame<'_>,
        mistakes: impl Iterator<Item = &'a Mistake>,
    ) {
        ui.spacing_mut().item_spacing.y = 2.0;
        for mistake in mistakes {
            let reason = self.reasons.get(&mistake.node).map_or("", String::as_str);
            let row = show_mistake_row(ui, frame, mistake, [self.words.get(mistake.node), reason]);
            let current = frame.view.document.current();
            if mistake.node == current && self.followed.get() != Some(current) {
                row.scroll_to_me(Some(Align::Center));
            }
            if row.clicked() {
                frame.act(DocumentEdit::Go(mistake.node));
            }
        }
    }

    /// Draws the mistakes that were easy to avoid and had a large loss, if there are any.
    fn show_watched(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let watched: Vec<&Mistake> = self
            .mistakes
            .iter()
            .filter(|mistake| frame.view.insight.review().is_watched(mistake.node))
            .collect();
        if watched.is_empty() {
            return;
        }
        ui.add_space(6.0);
        let heading = RichText::new(ReasonPhrase::CareAbout.text(frame.lang)).font(TextWeight::Bold.at(14.0));
        ui.label(heading)
            .on_hover_text(ReasonPhrase::CareAboutHelp.text(frame.lang));
        self.show_rows_of(ui, frame, watched.into_iter());
    }
}

/// Returns the difficulty of finding the better move, in words, and its cause; empty if the difficulty is not known.
fn ease_text(reason: Option<&MoveReason>, lang: Lang) -> String {
    let Some((reason, ease)) = reason.and_then(|reason| Some((reason, reason.ease?))) else {
        return String::new();
    };
    let word = match ease.level {
        EaseLevel::Easy => return ReasonPhrase::Easy.text(lang).to_owned(),
        EaseLevel::Medium => ReasonPhrase::Medium,
        EaseLevel::Hard => ReasonPhrase::Hard,
    };
    let hidden = reason.hidden_by.iter().map(|hidden| {
        let phrase = match hidden {
            HidingFeature::Quiet => HiddenPhrase::Quiet,
            HidingFeature::Retreat => HiddenPhrase::Retreat,
            HidingFeature::Sacrifice => HiddenPhrase::Sacrifice,
            HidingFeature::Drop => HiddenPhrase::Drop,
            HidingFeature::NonPromotion => HiddenPhrase::NonPromotion,
        };
        phrase.text(lang)
    });
    hard(word.text(lang), &hidden.collect::<Vec<_>>(), lang)
}

impl DrawnMistake {
    fn new(frame: &StudyFrame<'_>, mistake: Mistake) -> Self {
        let (document, insight, lang) = (frame.view.document, frame.view.insight, frame.lang);
        let notation = bar::notation(lang);
        let word = notation
            .notate_line(&document.history_at(mistake.node_before), &[mistake.mv])
            .concat();
        let effects = insight
            .decisive(mistake.node)
            .map(|decisive| decisive.effects(frame.titles(), lang))
            .unwrap_or_default();
        let sentence = insight.review().sentence(mistake.node, lang);
        // The place of the sentence is always taken, so that nothing moves when the reason is found.
        let missing = if insight.awaits_reason(mistake.node) {
            ReasonPhrase::Looking.text(lang)
        } else if insight.review().is_unproved(mistake.node) {
            ReasonPhrase::Unproved.text(lang)
        } else {
            ""
        };
        let record = document.record();
        let next = record
            .children(mistake.node)
            .next()
            .and_then(|node| record.node(node).mv());
        let next = next.map(|mv| {
            notation
                .notate_line(&document.history_at(mistake.node), &[mv])
                .concat()
        });
        Self {
            word,
            status: effects.join(lang.pick("。", "; ")),
            has_sentence: !sentence.is_empty(),
            sentence: if sentence.is_empty() { missing } else { sentence }.to_owned(),
            ease: ease_text(insight.review().reason(mistake.node), lang),
            next_move: next.unwrap_or_default(),
            punish: DrawnLine::new(
                frame,
                mistake.node,
                &mistake.punish_line,
                mistake.line_mates.punish_mate,
            ),
            better_line: DrawnLine::new(
                frame,
                mistake.node_before,
                &mistake.better_line,
                mistake.line_mates.better_mate,
            ),
            mistake,
        }
    }

    /// Returns the text for a screen reader.
    fn accessible_label(&self, lang: Lang) -> String {
        words::lossy_move(
            &self.word,
            self.mistake.mark.map(MoveMark::label),
            &self.mistake.loss_text(),
            lang,
        )
    }

    fn has_both_lines(&self) -> bool {
        !self.punish.is_empty() && !self.better_line.is_empty()
    }

    /// Returns the line to draw: `wanted`, or the other line if `wanted` is empty.
    fn shown_line(&self, wanted: ReviewLine) -> (ReviewLine, &DrawnLine) {
        let is_punish = match wanted {
            ReviewLine::Punish => !self.punish.is_empty(),
            ReviewLine::Better => self.better_line.is_empty() && !self.punish.is_empty(),
        };
        if is_punish {
            (ReviewLine::Punish, &self.punish)
        } else {
            (ReviewLine::Better, &self.better_line)
        }
    }

    fn show(
        &self,
        ui: &mut Ui,
        frame: &mut StudyFrame<'_>,
        candidates: &mut CandidateList,
        wanted: &mut ReviewLine,
    ) {
        let all = ui.available_rect_before_wrap();
        let (head, below) = all.split_top_bottom_at_y(all.top() + HEADING_HEIGHT);
        let heading = ui.interact(head, ui.scope_id().with("heading"), Sense::hover());
        heading.widget_info(|| WidgetInfo::labeled(Role::Label, true, self.accessible_label(frame.lang)));
        self.draw_heading(ui, frame, head, &heading);
        let below = below
            .with_min_y(below.top() + 8.0)
            .with_max_y(below.bottom() - 8.0);
        let (text, board) = self.layout_parts(ui, (all, below), *wanted, frame.lang);
        let spacing = self.fitting_spacing(ui, text.size(), *wanted, frame.lang);
        ui.scope_builder(UiBuilder::new().max_rect(text).id_salt("better"), |ui| {
            ui.shrink_clip_rect(text.expand(2.0));
            let area = ScrollArea::vertical()
                .id_salt(("review", self.mistake.node))
                .min_scrolled_height(0.0);
            area.auto_shrink(false)
                .show(ui, |ui| self.show_text(ui, frame, candidates, wanted, spacing));
        });
        if let Some(board) = board {
            self.shown_line(*wanted).1.show_diagram(ui, frame, board);
        }
    }

    /// Lays out the text and the diagram below the heading. The diagram is the largest one that leaves space for the
    /// whole line. If none does, there is no diagram. `all` includes the heading.
    fn layout_parts(
        &self,
        ui: &Ui,
        (all, below): (Rect, Rect),
        wanted: ReviewLine,
        lang: Lang,
    ) -> (Rect, Option<Rect>) {
        let is_tall = all.height() > MIN_TALL_RATIO * all.width();
        let max_width = if is_tall {
            (all.width() * DIAGRAM_RATIO).min(below.height() - MIN_TEXT_HEIGHT)
        } else {
            (below.height() / DIAGRAM_RATIO).min(all.width() * MAX_DIAGRAM_FRACTION)
        };
        let split = |size: f32| {
            if is_tall {
                let (text, board) = below.split_top_bottom_at_y(below.bottom() - size);
                (text, board.with_min_y(board.top() + 6.0))
            } else {
                let (text, board) = below.split_left_right_at_x(below.right() - size);
                (
                    text.with_max_x(text.right() - 12.0),
                    board.with_max_y(board.top() + size * DIAGRAM_RATIO),
                )
            }
        };
        for spacing in [CardSpacing::Close, CardSpacing::Tight] {
            let mut size = max_width;
            while size >= MIN_DIAGRAM_WIDTH {
                let (text, board) = split(size);
                if self.needed_height(ui, text.width(), spacing, wanted, lang) <= text.height() {
                    return (text, Some(board));
                }
                size -= DIAGRAM_STEP;
            }
        }
        (below, None)
    }

    /// Returns the height of the text with the whole line in this width.
    fn needed_height(
        &self,
        ui: &Ui,
        width: f32,
        spacing: CardSpacing,
        wanted: ReviewLine,
        lang: Lang,
    ) -> f32 {
        let chips = self.shown_line(wanted).1.chips_height(ui, width, lang);
        let loose = if spacing == CardSpacing::Loose {
            line::ROW_HEIGHT + self.ease_height(ui, width)
        } else {
            0.0
        };
        self.status_height()
            + self.sentence_height(ui, width)
            + spacing.head_height()
            + TABS_HEIGHT
            + chips
            + loose
    }

    /// Returns the widest spacing with which the whole line fits into this room, or else the tightest, with which a
    /// longer text scrolls.
    fn fitting_spacing(&self, ui: &Ui, room: Vec2, wanted: ReviewLine, lang: Lang) -> CardSpacing {
        [CardSpacing::Loose, CardSpacing::Close]
            .into_iter()
            .find(|spacing| self.needed_height(ui, room.x, *spacing, wanted, lang) <= room.y)
            .unwrap_or(CardSpacing::Tight)
    }

    /// Returns the height of the words about the better move where they stand below it; 0 if they fit beside it.
    fn ease_height(&self, ui: &Ui, width: f32) -> f32 {
        let first = match self.better_line.first_move() {
            Some(first) if !self.ease.is_empty() => first,
            _ => return 0.0,
        };
        let size = |text: &str, font: FontId, width: f32| {
            ui.painter()
                .layout(text.to_owned(), font, Color32::PLACEHOLDER, width)
                .size()
        };
        let (best, ease) = (
            TextWeight::Bold.at(BEST_MOVE_FONT_SIZE),
            TextWeight::Regular.at(EASE_FONT_SIZE),
        );
        let beside =
            size(first, best, f32::INFINITY).x + EASE_GAP + size(&self.ease, ease.clone(), f32::INFINITY).x;
        if beside <= width {
            0.0
        } else {
            size(&self.ease, ease, width).y + 3.0
        }
    }

    fn sentence_height(&self, ui: &Ui, width: f32) -> f32 {
        if self.sentence.is_empty() {
            return 0.0;
        }
        let font = self.sentence_font();
        let sentence = wrapped(ui.painter(), &self.sentence, &font, width);
        ui.painter()
            .layout_no_wrap(sentence, font, Color32::PLACEHOLDER)
            .size()
            .y
            + 4.0
    }

    fn sentence_font(&self) -> FontId {
        let weight = if self.has_sentence {
            TextWeight::Bold
        } else {
            TextWeight::Regular
        };
        weight.at(SENTENCE_FONT_SIZE)
    }

    fn status_height(&self) -> f32 {
        if self.status.is_empty() {
            0.0
        } else {
            STATUS_HEIGHT
        }
    }

    /// Draws the mark, the move and the loss.
    fn draw_heading(&self, ui: &Ui, frame: &StudyFrame<'_>, rect: Rect, response: &Response) {
        let (theme, lang) = (frame.theme, frame.lang);
        let (painter, y) = (ui.painter(), rect.center().y - 3.0);
        if response.hovered() && response.sense.senses_click() {
            painter.rect_filled(
                rect.with_max_y(rect.bottom() - 3.0),
                CornerRadius::same(6),
                theme.rail,
            );
        }
        let mark = self.mistake.mark;
        let color = loss_color(mark, theme);
        draw_mark(ui, pos2(rect.left() + 13.0, y), 12.5, mark, theme, lang);
        let font = TextWeight::Bold.at(20.0);
        let word = painter.text(
            pos2(rect.left() + 36.0, y),
            Align2::LEFT_CENTER,
            &self.word,
            font,
            theme.text,
        );
        let mut right = rect.right();
        let loss = format!("−{}", self.mistake.loss_text());
        for (text, font, color) in [
            (words::points(lang), TextWeight::Bold.at(14.0), color),
            (loss.as_str(), TextWeight::Bold.at(25.0), color),
            (
                StudyPhrase::WinRate.text(lang),
                TextWeight::Regular.at(13.0),
                theme.quiet,
            ),
        ] {
            // The middles of the sizes differ.
            let lower = if font.size > 20.0 { 0.0 } else { 3.0 };
            let galley = painter.layout_no_wrap(text.to_owned(), font, color);
            let left = right - galley.size().x;
            if left > word.right() + 6.0 {
                painter.galley(pos2(left, y + lower - galley.size().y / 2.0), galley, color);
                right = left - 5.0;
            }
        }
        let name = mark.map_or("", |mark| mark.label().text(lang)).to_owned();
        let name = painter.layout_no_wrap(name, TextWeight::Bold.at(14.0), color);
        if word.right() + 12.0 + name.size().x < right - 8.0 {
            painter.galley(
                pos2(word.right() + 12.0, y + 1.0 - name.size().y / 2.0),
                name,
                color,
            );
        }
        let line = [rect.left_bottom(), rect.right_bottom()].map(|at| at - vec2(0.0, 1.0));
        painter.line_segment(line, Stroke::new(1.0, theme.separator));
    }

    /// Draws the sentence, the better move, the two rates, and the line of the tab that is chosen.
    fn show_text(
        &self,
        ui: &mut Ui,
        frame: &mut StudyFrame<'_>,
        candidates: &mut CandidateList,
        wanted: &mut ReviewLine,
        spacing: CardSpacing,
    ) {
        let (theme, lang) = (frame.theme, frame.lang);
        ui.spacing_mut().item_spacing = vec2(5.0, 3.0);
        let is_close = spacing != CardSpacing::Loose;
        if !self.status.is_empty() {
            ui.add(Label::new(RichText::new(&self.status).size(13.0).color(theme.quiet)).truncate());
        }
        if !self.sentence.is_empty() {
            let font = self.sentence_font();
            let sentence = wrapped(ui.painter(), &self.sentence, &font, ui.available_width());
            let color = if self.has_sentence {
                theme.text
            } else {
                theme.quiet
            };
            let label = ui.add(Label::new(RichText::new(sentence).font(font).color(color)).extend());
            set_accessible_text(&label, &self.sentence);
        }
        let quiet = |phrase: ReviewPhrase| RichText::new(phrase.text(lang)).size(13.0).color(theme.quiet);
        if let Some(first) = self.better_line.first_move() {
            let best = |size: f32| {
                Button::new(
                    RichText::new(first)
                        .font(TextWeight::Bold.at(size))
                        .color(theme.accent),
                )
                .frame(false)
            };
            let row = ui.horizontal(|ui| {
                ui.label(quiet(ReviewPhrase::BetterWas)).on_hover_text(&self.ease);
                let clicked = is_close && ui.add(best(17.0)).clicked();
                if spacing == CardSpacing::Tight {
                    self.show_rates(ui, theme);
                }
                let (_, drawn) = self.shown_line(*wanted);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    drawn.show_add_button(ui, frame);
                });
                clicked
            });
            if row.inner || !is_close && self.show_best_row(ui, theme, best(BEST_MOVE_FONT_SIZE)) {
                candidates.toggle_preview(self.better_line.preview(1));
            }
        } else {
            ui.add(Label::new(quiet(ReviewPhrase::NoBetter)).wrap());
        }
        if spacing != CardSpacing::Tight {
            self.show_rate_bars(ui, frame);
        }
        if self.punish.is_empty() && self.better_line.is_empty() {
            return;
        }
        let (shown, _) = self.shown_line(*wanted);
        ui.horizontal(|ui| {
            for (line, drawn, phrase) in [
                (ReviewLine::Punish, &self.punish, ReviewPhrase::PunishLine),
                (ReviewLine::Better, &self.better_line, ReviewPhrase::BetterLine),
            ] {
                if !drawn.is_empty() && line::show_tab(ui, theme, phrase.text(lang), line == shown).clicked()
                {
                    *wanted = line;
                }
            }
        });
        let (_, drawn) = self.shown_line(*wanted);
        drawn.show_chips(ui, frame, candidates);
        if !is_close && !self.next_move.is_empty() {
            let text = words::next_played(&self.next_move, lang);
            ui.add(Label::new(RichText::new(text).size(13.0).color(theme.quiet)).wrap());
        }
    }

    /// Draws the better move in its own row, with the words about it beside or below it. Returns whether the move was
    /// clicked.
    fn show_best_row(&self, ui: &mut Ui, theme: &PaintTheme, best: Button<'_>) -> bool {
        let is_below = self.ease_height(ui, ui.available_width()) > 0.0;
        let ease = || RichText::new(&self.ease).size(EASE_FONT_SIZE).color(theme.quiet);
        let row = ui.horizontal(|ui| {
            let is_clicked = ui.add(best).clicked();
            if !is_below && !self.ease.is_empty() {
                ui.label(ease());
            }
            is_clicked
        });
        if is_below {
            ui.add(Label::new(ease()).wrap());
        }
        row.inner
    }

    /// Draws the two win rates as text, where there is space for it.
    fn show_rates(&self, ui: &mut Ui, theme: &PaintTheme) {
        let [best, played] = self.mistake.rates;
        let text = format!("{best}% → {played}%");
        let drawn = ui
            .painter()
            .layout_no_wrap(text, TextWeight::Regular.at(13.0), theme.text);
        if drawn.size().x <= ui.available_width() {
            ui.label(drawn);
        }
    }

    /// Draws the win rates by the better move and by the move played.
    fn show_rate_bars(&self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        let (theme, lang) = (frame.theme, frame.lang);
        let [best, played] = self.mistake.rates;
        let wide = |phrase: ReviewPhrase| {
            let text = phrase.text(lang).to_owned();
            ui.painter()
                .layout_no_wrap(text, TextWeight::Regular.at(13.0), theme.quiet)
                .size()
                .x
        };
        let names = wide(ReviewPhrase::Best).max(wide(ReviewPhrase::Played));
        for (phrase, rate) in [(ReviewPhrase::Best, best), (ReviewPhrase::Played, played)] {
            let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words::rate(phrase, rate, lang)));
            let (painter, y) = (ui.painter(), row.center().y);
            let name = TextWeight::Regular.at(13.0);
            painter.text(
                pos2(row.left(), y),
                Align2::LEFT_CENTER,
                phrase.text(lang),
                name,
                theme.quiet,
            );
            let percent = format!("{rate}%");
            painter.text(
                row.right_center(),
                Align2::RIGHT_CENTER,
                percent,
                TextWeight::Bold.at(13.5),
                theme.text,
            );
            let left = row.left() + names + 10.0;
            let bar = Rect::from_x_y_ranges(left..=row.right() - 42.0, y - 4.0..=y + 4.0);
            if bar.width() < 20.0 {
                continue;
            }
            let part = |from: u8, to: u8, color: Color32| {
                let x = |rate: u8| bar.left() + bar.width() * f32::from(rate) / 100.0;
                painter.rect_filled(
                    bar.with_min_x(x(from)).with_max_x(x(to)),
                    CornerRadius::same(4),
                    color,
                );
            };
            part(0, 100, theme.rail);
            if phrase == ReviewPhrase::Best {
                part(0, best, theme.accent);
            } else {
                part(0, best.max(played), loss_color(self.mistake.mark, theme));
                part(0, played, theme.text);
                let x = bar.left() + bar.width() * f32::from(played) / 100.0;
                painter.vline(x, bar.y_range(), Stroke::new(2.0, theme.card));
            }
        }
    }
}

fn review_subject(frame: &StudyFrame<'_>) -> ReviewSubject {
    let (document, insight) = (frame.view.document, frame.view.insight);
    let is_assessed = insight.summary().sides.iter().any(|side| side.moves > 0);
    match insight.mistake(document.record(), document.current()) {
        _ if frame.view.bar.is_hidden => ReviewSubject::Nothing,
        _ if insight.withholds_marks() => ReviewSubject::Withheld,
        Some(_) => ReviewSubject::Mistake,
        None if is_assessed => ReviewSubject::Game,
        None if document.line().is_empty() => ReviewSubject::Nothing,
        None => ReviewSubject::NotAnalysed,
    }
}

fn loss_color(mark: Option<MoveMark>, theme: &PaintTheme) -> Color32 {
    mark.map_or(theme.quiet, |mark| mark_color(mark, theme))
}

/// Draws the dot of a mark with its letter, or a ring if there is no mark.
fn draw_mark(ui: &Ui, center: Pos2, radius: f32, mark: Option<MoveMark>, theme: &PaintTheme, lang: Lang) {
    let Some(mark) = mark else {
        ui.painter()
            .circle_stroke(center, radius - 1.0, Stroke::new(2.0, theme.quiet));
        return;
    };
    let text = mark_letter(mark, lang);
    let size = radius * if text.chars().count() > 1 { 1.0 } else { 1.2 };
    ui.painter()
        .circle_filled(center, radius, mark_color(mark, theme));
    ui.painter().text(
        center,
        Align2::CENTER_CENTER,
        text,
        TextWeight::Bold.at(size.round()),
        theme.on_mark,
    );
}

fn show_mistake_row(
    ui: &mut Ui,
    frame: &StudyFrame<'_>,
    mistake: &Mistake,
    [word, reason]: [&str; 2],
) -> Response {
    let theme = frame.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::click());
    let is_here = frame.view.document.current() == mistake.node;
    if is_here || response.hovered() {
        ui.painter().rect_filled(rect, CornerRadius::same(5), theme.rail);
    }
    if response.has_focus() {
        let stroke = Stroke::new(2.0, theme.accent);
        ui.painter()
            .rect_stroke(rect, CornerRadius::same(5), stroke, StrokeKind::Inside);
    }
    let label = phrase::move_label(usize::from(mistake.ply), word, frame.lang);
    let label = words::lossy_move(
        &label,
        mistake.mark.map(MoveMark::label),
        &mistake.loss_text(),
        frame.lang,
    );
    let label = if reason.is_empty() {
        label
    } else {
        format!("{label} {reason}")
    };
    let is_decisive = frame.view.insight.decisive(mistake.node).is_some();
    let decisive = ReviewPhrase::Decisive.text(frame.lang);
    let label = if is_decisive {
        format!("{label} {decisive}")
    } else {
        label
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let y = rect.center().y;
    draw_mark(
        ui,
        pos2(rect.left() + 16.0, y),
        9.5,
        mistake.mark,
        theme,
        frame.lang,
    );
    if is_decisive {
        let ring = Stroke::new(1.5, loss_color(mistake.mark, theme));
        ui.painter()
            .circle_stroke(pos2(rect.left() + 16.0, y), 12.5, ring);
    }
    let weight = if is_here {
        TextWeight::Bold
    } else {
        TextWeight::Regular
    };
    let painter = ui.painter();
    let number = pos2(rect.left() + NUMBER_RIGHT, y);
    painter.text(
        number,
        Align2::RIGHT_CENTER,
        mistake.ply,
        TextWeight::Regular.at(13.0),
        theme.quiet,
    );
    let shown = pos2(rect.left() + NUMBER_RIGHT + 8.0, y);
    let shown = painter.text(shown, Align2::LEFT_CENTER, word, weight.at(14.0), theme.text);
    let loss = format!("−{}", mistake.loss_text());
    let color = loss_color(mistake.mark, theme);
    let end = painter.text(
        pos2(rect.right() - 8.0, y),
        Align2::RIGHT_CENTER,
        loss,
        TextWeight::Bold.at(14.0),
        color,
    );
    // The reason is drawn between the move and the loss, or left out if there is not enough space.
    let reason = painter.layout_no_wrap(reason.to_owned(), TextWeight::Regular.at(13.0), theme.quiet);
    let left = (rect.left() + NUMBER_RIGHT + REASON_OFFSET).max(shown.right() + 10.0);
    if left + reason.size().x + 6.0 <= end.left() {
        painter.galley(pos2(left, y - reason.size().y / 2.0), reason, theme.quiet);
    }
    if is_decisive {
        response.on_hover_text(decisive)
    } else {
        response
    }
}

/// Draws the buttons of the previous and the next mistake.
pub(super) fn show_step_buttons(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let theme = frame.theme;
    ui.add_space(STEP_BUTTONS_HEIGHT - 32.0);
    let width = (ui.available_width() - 8.0) / 2.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        for (command, phrase) in [
            (Command::PreviousMistake, ReviewPhrase::Previous),
            (Command::NextMistake, ReviewPhrase::Next),
        ] {
            let (text, short) = (phrase.text(frame.lang), words::short_step(phrase, frame.lang));
            let wide = |text: &str| {
                let text = format!("◀　{text}");
                ui.painter()
                    .layout_no_wrap(text, TextWeight::Bold.at(14.0), theme.text)
                    .size()
                    .x
                    + 16.0
            };
            let text = if wide(text) > width { short } else { text };
            let (is_next, is_possible) = (command == Command::NextMistake, frame.view.allows(command));
            let text = if is_next {
                format!("{text}　▶")
            } else {
                format!("◀　{text}")
            };
            let text = RichText::new(text).font(
                if is_next {
                    TextWeight::Bold
                } else {
                    TextWeight::Regular
                }
                .at(14.0),
            );
            let button = if is_next && is_possible {
                Button::new(text.color(theme.on_accent))
                    .fill(theme.accent)
                    .stroke(Stroke::NONE)
            } else {
                Button::new(text)
                    .fill(theme.card)
                    .stroke(Stroke::new(1.0, theme.separator))
            };
            let button = button
                .corner_radius(CornerRadius::same(6))
                .min_size(vec2(width, 32.0));
            let button = ui.add_enabled(is_possible, button);
            set_accessible_label(&button, phrase.text(frame.lang));
            if button.on_hover_text(command_text(command, frame.lang)).clicked() {
                frame.act(StudyAction::Command(command));
            }
        }
    });
}
