//! The review card: what a bad move cost, and the better move with its line. At other moves it sums the game up.

mod summary;

use super::candidates::{CandidateList, PvPreview};
use super::{StudyAction, StudyFrame, StudyView};
use crate::PaintTheme;
use crate::access::name;
use crate::analysis::MoveMark;
use crate::bar;
use crate::board::{Arrow, BoardMode, BoardStyle, BoardView, diagram};
use crate::config::Command;
use crate::fonts::TextWeight;
use crate::graph::{color_of, letter_of};
use crate::kifu::NodeId;
use crate::shogi::{Move, Position};
use crate::text::Lang;
use crate::text::command_text;
use crate::text::review::{self as words, ReviewPhrase};
use crate::text::study::StudyPhrase;
use eframe::egui;
use egui::{
    Align, Align2, Button, Color32, CornerRadius, EventFilter, Label, Layout, Pos2, Rect, Response, RichText, Role,
    ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use shogibar_games::study::DocumentEdit;
use shogibar_games::study::{Mistake, NodeWords};

/// The height of the two buttons below, and of the heading, in points.
pub(super) const BUTTONS: f32 = 40.0;
const HEADING: f32 = 42.0;
/// The ratio of height to width above which the diagram is below the text.
const TALL: f32 = 1.12;
/// The ratio of height to width of a diagram.
const DIAGRAM: f32 = 1.07;
/// The smallest width of a diagram, and its largest share of the card.
const LEAST_DIAGRAM: f32 = 116.0;
/// How much smaller a diagram is tried that leaves more room for the line, in points.
const DIAGRAM_STEP: f32 = 8.0;
/// The height that the texts need above a diagram, in points.
const TEXTS: f32 = 200.0;
const DIAGRAM_SHARE: f32 = 0.47;
/// The minimum width with a list of mistakes beside, and the width of the list.
const WITH_LIST: f32 = 580.0;
const LIST: f32 = 190.0;
/// The font size of a move of the better line, the space beside its text, and the gap to the next, in points.
const CHIP: f32 = 13.5;
const CHIP_PADDING: f32 = 6.0;
const CHIP_GAP: f32 = 5.0;
/// The height of all above the better line, in points: usually, and where it is set closer.
const ABOVE_LINE: f32 = 134.0;
const ABOVE_CLOSE_LINE: f32 = 72.0;

/// What a review is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReviewSubject {
    /// Nothing: evaluations are hidden, or there are no moves.
    #[default]
    Nothing,
    /// The game has no evaluations.
    NotAnalysed,
    /// The judge is still analysing.
    Withheld,
    /// The whole game.
    Game,
    /// The current move.
    Mistake,
}

/// The state of the card between frames.
#[derive(Debug, Default)]
pub(super) struct ReviewCard {
    subject: ReviewSubject,
    /// The first revision, the version of the insight and the revision, the current node and the end of the line.
    key: Option<ReviewKey>,
    mistake: Option<DrawnMistake>,
    /// The mistakes of the line, and the moves of its turning points.
    list: Vec<Mistake>,
    words: NodeWords,
    /// The commented node, with the record's first revision, whose review the user wants to see.
    preferred: Option<(u64, NodeId)>,
}

/// The parts of the review of a mistake, below its heading.
#[derive(Clone, Copy, Debug)]
struct ReviewParts {
    /// The better move and the rates, with the better line if that has no place of its own.
    text: Rect,
    board: Option<Rect>,
    line: Option<Rect>,
}

/// The identity of what is drawn.
type ReviewKey = (u64, [u64; 2], NodeId, Option<NodeId>, Lang);

/// A mistake with its texts.
#[derive(Debug)]
struct DrawnMistake {
    mistake: Mistake,
    /// The position before the move, and the move that led to it.
    position: Position,
    last_move: Option<Move>,
    word: String,
    /// The texts of the better line.
    line: Vec<String>,
    is_in_record: bool,
}

impl ReviewCard {
    /// Returns what the card shows.
    pub(super) const fn subject(&self) -> ReviewSubject {
        self.subject
    }

    /// Returns whether the user wants the review in place of the comment at the current node.
    pub(super) fn is_preferred(&self, frame: &StudyFrame<'_>) -> bool {
        let document = frame.view.document;
        self.preferred == Some((document.first_revision(), document.current()))
    }

    /// Shows the review in place of the comment at a node.
    pub(super) fn prefer(&mut self, view: &StudyView<'_>, node: NodeId) {
        self.preferred = Some((view.document.first_revision(), node));
    }

    /// Shows the comment again.
    pub(super) const fn prefer_comment(&mut self) {
        self.preferred = None;
    }

    /// Computes what is drawn, if the record or the current node has changed.
    pub(super) fn update(&mut self, frame: &StudyFrame<'_>) {
        let (document, insight) = (frame.view.document, frame.view.insight);
        self.subject = subject(frame);
        let versions = [insight.version(), document.revision()];
        let end = document.line().last().copied();
        let key = Some((document.first_revision(), versions, document.current(), end, frame.lang));
        if std::mem::replace(&mut self.key, key) == key {
            return;
        }
        let record = document.record();
        self.mistake = insight.mistake(record, document.current()).map(|mistake| DrawnMistake::new(frame, mistake));
        self.list = insight.mistakes(document).filter_map(|node| insight.mistake(record, node)).collect();
        let turns = insight.summary().turning_points.iter().map(|point| point.assessed.node);
        let nodes = self.list.iter().map(|mistake| mistake.node).chain(turns);
        self.words.update(document, frame.lang, nodes);
    }

    /// Draws the review of the current move or of the game.
    pub(super) fn show(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>, candidates: &mut CandidateList) {
        let all = ui.available_rect_before_wrap();
        let has_list = all.width() >= WITH_LIST && self.list.len() > 1;
        let (card, list) = if has_list { all.split_left_right_at_x(all.right() - LIST) } else { (all, Rect::NOTHING) };
        if has_list {
            let list = UiBuilder::new().max_rect(list.with_min_x(list.left() + 14.0)).id_salt("mistakes");
            ui.scope_builder(list, |ui| self.mistakes(ui, frame));
        }
        let card = if has_list { card.with_max_x(card.right() - 14.0) } else { card };
        ui.scope_builder(UiBuilder::new().max_rect(card).id_salt("card"), |ui| match &self.mistake {
            Some(drawn) => drawn.show(ui, frame, candidates),
            None => self.summary(ui, frame, !has_list),
        });
    }

    /// Draws the heading of the current mistake as a button, above a comment. Returns whether it was clicked.
    pub(super) fn heading_button(&self, ui: &mut Ui, frame: &StudyFrame<'_>) -> bool {
        let Some(drawn) = &self.mistake else { return false };
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::click());
        drawn.heading(ui, frame, rect, &response);
        let label = format!("{}: {}", ReviewPhrase::Review.text(frame.lang), drawn.label(frame.lang));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        response.on_hover_text(ReviewPhrase::Review.text(frame.lang)).clicked()
    }

    /// Draws the list of mistakes with its heading.
    fn mistakes(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        ui.label(RichText::new(ReviewPhrase::Mistakes.text(frame.lang)).font(TextWeight::Bold.at(14.0)));
        ScrollArea::vertical().id_salt("mistakes").auto_shrink(false).show(ui, |ui| self.rows(ui, frame));
    }

    /// Draws a row for each mistake.
    fn rows(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        ui.spacing_mut().item_spacing.y = 2.0;
        for mistake in &self.list {
            let word = self.words.get(mistake.node);
            if mistake_row(ui, frame, mistake, word).clicked() {
                frame.act(DocumentEdit::Go(mistake.node));
            }
        }
    }
}

impl DrawnMistake {
    fn new(frame: &StudyFrame<'_>, mistake: Mistake) -> Self {
        let document = frame.view.document;
        let history = document.history_at(mistake.before);
        let notation = bar::notation(frame.lang);
        let word = notation.words(&history, &[mistake.mv]).concat();
        let line = notation.words(&history, &mistake.better);
        Self {
            position: history.now().clone(),
            last_move: history.last_move(),
            word,
            line,
            is_in_record: mistake.is_in(document.record()),
            mistake,
        }
    }

    /// Returns the text for a screen reader.
    fn label(&self, lang: Lang) -> String {
        words::lossy_move(&self.word, self.mistake.mark.label(), self.mistake.loss(), lang)
    }

    fn show(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>, candidates: &mut CandidateList) {
        let all = ui.available_rect_before_wrap();
        let (head, below) = all.split_top_bottom_at_y(all.top() + HEADING);
        let heading = ui.interact(head, ui.scope_id().with("heading"), Sense::hover());
        heading.widget_info(|| WidgetInfo::labeled(Role::Label, true, self.label(frame.lang)));
        self.heading(ui, frame, head, &heading);
        let below = below.with_min_y(below.top() + 8.0).with_max_y(below.bottom() - 8.0);
        let parts = self.parts(ui, (all, below), frame.lang);
        ui.scope_builder(UiBuilder::new().max_rect(parts.text).id_salt("better"), |ui| {
            ui.shrink_clip_rect(parts.text.expand(2.0));
            self.better(ui, frame, candidates, parts.line);
        });
        if let Some(board) = parts.board {
            self.diagram(ui, frame, board);
        }
    }

    /// Lays out what is below the heading: the largest diagram that leaves room for the whole line beside it or below both; else
    /// none. `all` has the heading, too.
    fn parts(&self, ui: &Ui, (all, below): (Rect, Rect), lang: Lang) -> ReviewParts {
        let is_tall = all.height() > TALL * all.width();
        let most = if is_tall {
            (all.width() * DIAGRAM).min(below.height() - TEXTS)
        } else {
            (below.height() / DIAGRAM).min(all.width() * DIAGRAM_SHARE)
        };
        let split = |room: Rect, size: f32| {
            if is_tall {
                let (text, board) = room.split_top_bottom_at_y(room.bottom() - size);
                (text, board.with_min_y(board.top() + 6.0))
            } else {
                let (text, board) = room.split_left_right_at_x(room.right() - size);
                (text.with_max_x(text.right() - 12.0), board.with_max_y(board.top() + size * DIAGRAM))
            }
        };
        let chips = self.chip_widths(ui, true, lang);
        let mut size = most;
        while size >= LEAST_DIAGRAM {
            let (text, board) = split(below, size);
            if ABOVE_CLOSE_LINE + chips_height(ui, &chips, text.width()) <= text.height() {
                return ReviewParts { text, board: Some(board), line: None };
            }
            size -= DIAGRAM_STEP;
        }
        let height = chips_height(ui, &chips, below.width());
        let (above, line) = below.split_top_bottom_at_y(below.bottom() - height);
        let above = above.with_max_y(above.bottom() - CHIP_GAP);
        let size = (above.height() / DIAGRAM).min(all.width() * DIAGRAM_SHARE);
        if !is_tall && size >= LEAST_DIAGRAM {
            let (text, board) = split(above, size);
            return ReviewParts { text, board: Some(board), line: Some(line) };
        }
        ReviewParts { text: below, board: None, line: None }
    }

    /// Returns the height that the better move with its whole line takes in this width, set closer or not.
    fn height(&self, ui: &Ui, width: f32, is_close: bool, lang: Lang) -> f32 {
        let above = if is_close { ABOVE_CLOSE_LINE } else { ABOVE_LINE };
        above + chips_height(ui, &self.chip_widths(ui, is_close, lang), width)
    }

    /// Returns the widths of the chips of the line; where it is set closer, after that of the button.
    fn chip_widths(&self, ui: &Ui, is_close: bool, lang: Lang) -> Vec<f32> {
        let wide = |text: &str, size: f32| {
            let galley =
                ui.painter().layout_no_wrap(text.to_owned(), TextWeight::Regular.at(size), Color32::PLACEHOLDER);
            galley.size().x + 2.0 * CHIP_PADDING
        };
        let button = (is_close && !self.is_in_record).then(|| wide(ReviewPhrase::AddLine.text(lang), 13.0));
        button.into_iter().chain(self.line.iter().skip(1).map(|word| wide(word, CHIP))).collect()
    }

    /// Draws the mark, the move and the loss.
    fn heading(&self, ui: &Ui, frame: &StudyFrame<'_>, rect: Rect, response: &Response) {
        let (theme, lang) = (frame.theme, frame.lang);
        let (painter, y) = (ui.painter(), rect.center().y - 3.0);
        if response.hovered() && response.sense.senses_click() {
            painter.rect_filled(rect.with_max_y(rect.bottom() - 3.0), CornerRadius::same(6), theme.rail);
        }
        let mark = self.mistake.mark;
        let color = color_of(mark, theme);
        letter(ui, pos2(rect.left() + 13.0, y), 12.5, mark, (theme, lang));
        let font = TextWeight::Bold.at(20.0);
        let word = painter.text(pos2(rect.left() + 36.0, y), Align2::LEFT_CENTER, &self.word, font, theme.text);
        let mut right = rect.right();
        let loss = format!("−{}", self.mistake.loss());
        for (text, font, color) in [
            (words::points(lang), TextWeight::Bold.at(14.0), color),
            (loss.as_str(), TextWeight::Bold.at(25.0), color),
            (StudyPhrase::WinRate.text(lang), TextWeight::Regular.at(13.0), theme.quiet),
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
        let name = painter.layout_no_wrap(mark.label().text(lang).to_owned(), TextWeight::Bold.at(14.0), color);
        if word.right() + 12.0 + name.size().x < right - 8.0 {
            painter.galley(pos2(word.right() + 12.0, y + 1.0 - name.size().y / 2.0), name, color);
        }
        let line = [rect.left_bottom(), rect.right_bottom()].map(|at| at - vec2(0.0, 1.0));
        painter.line_segment(line, Stroke::new(1.0, theme.separator));
    }

    /// Draws the better move, the two rates, and the better line, in a place of its own if there is one.
    fn better(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>, candidates: &mut CandidateList, line: Option<Rect>) {
        let (theme, lang) = (frame.theme, frame.lang);
        ui.spacing_mut().item_spacing = vec2(5.0, 3.0);
        let quiet = |phrase: ReviewPhrase| RichText::new(phrase.text(lang)).size(13.0).color(theme.quiet);
        let Some(first) = self.line.first() else {
            ui.add(Label::new(quiet(ReviewPhrase::NoBetter)).wrap());
            self.bars(ui, frame);
            return;
        };
        let (room, width) = (ui.available_height(), ui.available_width());
        let is_close = line.is_some() || room < self.height(ui, width, false, lang);
        let spare = room - self.height(ui, width, is_close, lang);
        let best = |size: f32| {
            Button::new(RichText::new(first).font(TextWeight::Bold.at(size)).color(theme.accent)).frame(false)
        };
        let clicked = if is_close {
            let row = ui.horizontal(|ui| {
                ui.label(quiet(ReviewPhrase::BetterWas));
                ui.add(best(17.0)).clicked()
            });
            row.inner
        } else {
            ui.label(quiet(ReviewPhrase::BetterWas));
            ui.add(best(22.0)).clicked()
        };
        if clicked {
            candidates.toggle(self.preview(1));
        }
        self.bars(ui, frame);
        if let Some(line) = line {
            let chips = UiBuilder::new().max_rect(line).id_salt("line");
            ui.scope_builder(chips, |ui| {
                ui.set_clip_rect(line.expand(2.0));
                self.chips(ui, frame, candidates, (true, true));
            });
            return;
        }
        if is_close {
            // Rows that scroll are whole, and leave a rest.
            let rest = (room - ABOVE_CLOSE_LINE + CHIP_GAP).rem_euclid(chip_row(ui));
            ui.add_space(if spare < 0.0 { rest } else { spare }.min(CHIP_GAP));
        } else {
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                ui.label(quiet(ReviewPhrase::Line));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| self.add_button(ui, frame));
            });
        }
        self.chips(ui, frame, candidates, (is_close, spare >= 0.0));
    }

    /// Draws the button that adds the better line to the record.
    fn add_button(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let phrase = if self.is_in_record { ReviewPhrase::IsAdded } else { ReviewPhrase::AddLine };
        let button = Button::new(RichText::new(phrase.text(frame.lang)).size(13.0));
        if ui.add_enabled(!self.is_in_record, button).clicked() {
            frame.act(DocumentEdit::Insert(Some(self.mistake.before), self.mistake.better.clone()));
        }
    }

    /// Draws the moves after the better move; before them the button that adds the line, if it has no other place. Where
    /// not all of them have room, they scroll.
    fn chips(
        &self,
        ui: &mut Ui,
        frame: &mut StudyFrame<'_>,
        candidates: &mut CandidateList,
        (has_button, has_room): (bool, bool),
    ) {
        let (shown, theme) = (candidates.pinned.clone(), frame.theme);
        let row = |ui: &mut Ui| {
            ui.spacing_mut().item_spacing = vec2(CHIP_GAP, CHIP_GAP);
            ui.spacing_mut().button_padding = vec2(CHIP_PADDING, 3.0);
            if has_button && !self.is_in_record {
                self.add_button(ui, frame);
            }
            let chips = self.line.iter().enumerate().skip(1).filter_map(|(nth, word)| {
                let preview = self.preview(nth + 1);
                let is_shown = shown.as_ref() == Some(&preview);
                let chip = chip(ui, theme, word, is_shown);
                if shown.is_some() && chip.has_focus() {
                    // The arrows lead along the line that is on the board.
                    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
                    ui.memory_mut(|memory| memory.set_focus_lock_filter(chip.id, filter));
                }
                chip.clicked().then_some(preview)
            });
            chips.last()
        };
        // A row that is cut looks like a mistake of the drawing.
        let row_height = chip_row(ui);
        let whole = ((ui.available_height() + CHIP_GAP) / row_height).floor().max(1.0) * row_height - CHIP_GAP;
        let area = ScrollArea::vertical().id_salt("line").auto_shrink(false).min_scrolled_height(0.0).max_height(whole);
        let clicked = if has_room {
            ui.horizontal_wrapped(row).inner
        } else {
            area.show(ui, |ui| ui.horizontal_wrapped(row).inner).inner
        };
        if let Some(preview) = clicked {
            candidates.toggle(preview);
        }
    }

    /// Returns the better line on the board, up to a move.
    fn preview(&self, count: usize) -> PvPreview {
        PvPreview { after: Some(self.mistake.before), moves: self.mistake.better.clone(), count }
    }

    /// Draws the win rates by the better move and by the move played.
    fn bars(&self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        let (theme, lang) = (frame.theme, frame.lang);
        let [best, played] = self.mistake.rates;
        let wide = |phrase: ReviewPhrase| {
            let text = phrase.text(lang).to_owned();
            ui.painter().layout_no_wrap(text, TextWeight::Regular.at(13.0), theme.quiet).size().x
        };
        let names = wide(ReviewPhrase::Best).max(wide(ReviewPhrase::Played));
        for (phrase, rate) in [(ReviewPhrase::Best, best), (ReviewPhrase::Played, played)] {
            let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words::rate(phrase, rate, lang)));
            let (painter, y) = (ui.painter(), row.center().y);
            let name = TextWeight::Regular.at(13.0);
            painter.text(pos2(row.left(), y), Align2::LEFT_CENTER, phrase.text(lang), name, theme.quiet);
            let percent = format!("{rate}%");
            painter.text(row.right_center(), Align2::RIGHT_CENTER, percent, TextWeight::Bold.at(13.5), theme.text);
            let left = row.left() + names + 10.0;
            let bar = Rect::from_x_y_ranges(left..=row.right() - 42.0, y - 4.0..=y + 4.0);
            if bar.width() < 20.0 {
                continue;
            }
            let part = |from: u8, to: u8, color: Color32| {
                let x = |rate: u8| bar.left() + bar.width() * f32::from(rate) / 100.0;
                painter.rect_filled(bar.with_min_x(x(from)).with_max_x(x(to)), CornerRadius::same(4), color);
            };
            part(0, 100, theme.rail);
            if phrase == ReviewPhrase::Best {
                part(0, best, theme.accent);
            } else {
                part(0, best.max(played), color_of(self.mistake.mark, theme));
                part(0, played, theme.text);
                let x = bar.left() + bar.width() * f32::from(played) / 100.0;
                painter.vline(x, bar.y_range(), Stroke::new(2.0, theme.card));
            }
        }
    }

    /// Draws the position before the move, with the better move.
    fn diagram(&self, ui: &Ui, frame: &StudyFrame<'_>, rect: Rect) {
        let best: Vec<_> = self.mistake.better.first().map(|mv| Arrow { mv: *mv, rank: 1 }).into_iter().collect();
        let view = BoardView {
            flipped: frame.view.flipped,
            last_move: self.last_move,
            arrows: &best,
            mode: BoardMode::ReadOnly,
            style: BoardStyle { coordinates: false, ..frame.view.style },
            ..BoardView::new(&self.position, frame.lang)
        };
        diagram(ui, rect, &view, frame.theme);
    }
}

fn subject(frame: &StudyFrame<'_>) -> ReviewSubject {
    let (document, insight) = (frame.view.document, frame.view.insight);
    let is_assessed = insight.summary().sides.iter().any(|side| side.moves > 0);
    match insight.mark(document.current()) {
        _ if frame.view.bar.hidden => ReviewSubject::Nothing,
        _ if insight.is_withheld() => ReviewSubject::Withheld,
        Some(_) => ReviewSubject::Mistake,
        None if is_assessed => ReviewSubject::Game,
        None if document.line().is_empty() => ReviewSubject::Nothing,
        None => ReviewSubject::NotAnalysed,
    }
}

/// Draws the dot of a mark with its letter.
fn letter(ui: &Ui, center: Pos2, radius: f32, mark: MoveMark, (theme, lang): (&PaintTheme, Lang)) {
    let text = letter_of(mark, lang);
    let size = radius * if text.chars().count() > 1 { 1.0 } else { 1.2 };
    ui.painter().circle_filled(center, radius, color_of(mark, theme));
    ui.painter().text(center, Align2::CENTER_CENTER, text, TextWeight::Bold.at(size.round()), theme.on_mark);
}

/// Returns the height of chips of these widths, in rows of `width`.
fn chips_height(ui: &Ui, chips: &[f32], width: f32) -> f32 {
    let (mut rows, mut x) = (1.0, 0.0);
    for chip in chips {
        if x > 0.0 && x + chip > width {
            (rows, x) = (rows + 1.0, 0.0);
        }
        x += chip + CHIP_GAP;
    }
    rows * chip_row(ui) - CHIP_GAP
}

/// Returns the height of a row of chips with the gap below it.
fn chip_row(ui: &Ui) -> f32 {
    ui.fonts_mut(|fonts| fonts.row_height(&TextWeight::Regular.at(CHIP))) + 6.0 + CHIP_GAP
}

/// Draws a move of the better line as a chip.
fn chip(ui: &mut Ui, theme: &PaintTheme, word: &str, is_shown: bool) -> Response {
    let (fill, color) = if is_shown { (theme.accent, theme.on_accent) } else { (theme.rail, theme.text) };
    let text = RichText::new(word).size(CHIP).color(color);
    ui.add(Button::new(text).fill(fill).stroke(Stroke::NONE).corner_radius(CornerRadius::same(5)))
}

/// Draws a mistake in the list.
fn mistake_row(ui: &mut Ui, frame: &StudyFrame<'_>, mistake: &Mistake, word: &str) -> Response {
    let theme = frame.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::click());
    let is_here = frame.view.document.current() == mistake.node;
    if is_here || response.hovered() {
        ui.painter().rect_filled(rect, CornerRadius::same(5), theme.rail);
    }
    if response.has_focus() {
        let stroke = Stroke::new(2.0, theme.accent);
        ui.painter().rect_stroke(rect, CornerRadius::same(5), stroke, StrokeKind::Inside);
    }
    let label = words::lossy_move(word, mistake.mark.label(), mistake.loss(), frame.lang);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let y = rect.center().y;
    letter(ui, pos2(rect.left() + 16.0, y), 9.5, mistake.mark, (theme, frame.lang));
    let weight = if is_here { TextWeight::Bold } else { TextWeight::Regular };
    let painter = ui.painter();
    painter.text(pos2(rect.left() + 36.0, y), Align2::LEFT_CENTER, word, weight.at(14.0), theme.text);
    let loss = format!("−{}", mistake.loss());
    let color = color_of(mistake.mark, theme);
    painter.text(pos2(rect.right() - 8.0, y), Align2::RIGHT_CENTER, loss, TextWeight::Bold.at(14.0), color);
    response
}

/// Draws the buttons of the previous and the next mistake.
pub(super) fn steps(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let theme = frame.theme;
    ui.add_space(BUTTONS - 32.0);
    let width = (ui.available_width() - 8.0) / 2.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        for (command, phrase) in
            [(Command::PreviousMistake, ReviewPhrase::Previous), (Command::NextMistake, ReviewPhrase::Next)]
        {
            let (text, short) = (phrase.text(frame.lang), words::short_step(phrase, frame.lang));
            let wide = |text: &str| {
                let text = format!("◀　{text}");
                ui.painter().layout_no_wrap(text, TextWeight::Bold.at(14.0), theme.text).size().x + 16.0
            };
            let text = if wide(text) > width { short } else { text };
            let (is_next, is_possible) = (command == Command::NextMistake, frame.view.allows(command));
            let text = if is_next { format!("{text}　▶") } else { format!("◀　{text}") };
            let text = RichText::new(text).font(if is_next { TextWeight::Bold } else { TextWeight::Regular }.at(14.0));
            let button = if is_next && is_possible {
                Button::new(text.color(theme.on_accent)).fill(theme.accent).stroke(Stroke::NONE)
            } else {
                Button::new(text).fill(theme.card).stroke(Stroke::new(1.0, theme.separator))
            };
            let button = button.corner_radius(CornerRadius::same(6)).min_size(vec2(width, 32.0));
            let button = ui.add_enabled(is_possible, button);
            name(&button, phrase.text(frame.lang));
            if button.on_hover_text(command_text(command, frame.lang)).clicked() {
                frame.act(StudyAction::Command(command));
            }
        }
    });
}
