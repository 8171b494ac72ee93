//! A line of the review card, with its moves as chips and its position as a diagram.

use super::super::StudyFrame;
use super::super::candidates::{CandidateList, PvPreview};
use crate::PaintTheme;
use crate::access::set_accessible_label;
use crate::board::{Arrow, BoardMode, BoardStyle, BoardView, draw_diagram};
use crate::fonts::TextWeight;
use crate::review_text::{self as words, ReviewPhrase};
use eframe::egui;
use egui::{
    Button, Color32, CornerRadius, EventFilter, Rect, Response, RichText, Role, Sense, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_games::analysis::ForcedMate;
use shogibar_games::bar;
use shogibar_games::study::{DocumentEdit, Mistake};
use shogibar_kifu::NodeId;
use shogibar_shogi::{Move, Position};

/// The font size of a move, in points.
const CHIP_FONT_SIZE: f32 = 13.5;
/// The space beside the text of a move, in points.
const CHIP_PADDING: f32 = 6.0;
/// The gap between two moves, in points.
const CHIP_GAP: f32 = 5.0;
/// The font size of the button that adds a line, in points.
const ADD_BUTTON_FONT_SIZE: f32 = 13.0;
/// The height of a row of chips with the gap below it, in points.
pub(super) const ROW_HEIGHT: f32 = 30.0;

/// The line that the card shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReviewLine {
    /// The line after the move that was played.
    #[default]
    Punish,
    /// The line that should have been played instead of the move.
    Better,
}

/// A line of the review with its texts and diagram.
#[derive(Debug)]
pub(super) struct DrawnLine {
    /// The node after which the line is played.
    start: NodeId,
    /// The position of that node.
    position: Position,
    /// The move that led to that node; `None` at the start of the game.
    last_move: Option<Move>,
    moves: Vec<Move>,
    words: Vec<String>,
    /// The mate at the end of the line; `None` if the line does not end with a mate.
    mate: Option<ForcedMate>,
    is_in_record: bool,
}

impl ReviewLine {
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Punish => Self::Better,
            Self::Better => Self::Punish,
        }
    }
}

impl DrawnLine {
    pub(super) fn new(
        frame: &StudyFrame<'_>,
        after: NodeId,
        moves: &[Move],
        mate: Option<ForcedMate>,
    ) -> Self {
        let document = frame.view.document;
        let history = document.history_at(after);
        Self {
            start: after,
            position: history.now().clone(),
            last_move: history.last_move(),
            words: bar::notation(frame.lang).notate_line(&history, moves),
            moves: moves.to_vec(),
            mate,
            is_in_record: Mistake::has_line(document.record(), after, moves),
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn first_move(&self) -> Option<&String> {
        self.words.first()
    }

    /// Returns the preview of the line after its first `shown_count` moves.
    pub(super) fn preview(&self, shown_count: usize) -> PvPreview {
        PvPreview {
            start_node: Some(self.start),
            moves: self.moves.clone(),
            shown_count,
        }
    }

    /// Returns the height of all chips in rows of a width, in points.
    pub(super) fn chips_height(&self, ui: &Ui, width: f32, lang: Lang) -> f32 {
        let texts = self
            .words
            .iter()
            .cloned()
            .chain(self.mate.map(|mate| words::until_mate(mate.plies, lang)));
        let widths: Vec<_> = texts
            .map(|text| text_width(ui, &text, CHIP_FONT_SIZE) + 2.0 * CHIP_PADDING)
            .collect();
        row_count(&widths, width) as f32 * ROW_HEIGHT - CHIP_GAP
    }

    /// Draws the moves as chips, and the mate at the end of the line. A click on a move shows the line up to this move
    /// on the board.
    pub(super) fn show_chips(&self, ui: &mut Ui, frame: &StudyFrame<'_>, candidates: &mut CandidateList) {
        let (shown, theme) = (candidates.pinned_preview.clone(), frame.theme);
        let mut clicked = None;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing = vec2(CHIP_GAP, CHIP_GAP);
            ui.spacing_mut().button_padding = vec2(CHIP_PADDING, 3.0);
            ui.horizontal_wrapped(|ui| {
                let chips = self.words.iter().enumerate().filter_map(|(nth, word)| {
                    let preview = self.preview(nth + 1);
                    let chip = show_chip(ui, theme, word, shown.as_ref() == Some(&preview));
                    keep_arrows(ui, &chip, shown.is_some());
                    chip.clicked().then_some(preview)
                });
                clicked = chips.last();
                if let Some(mate) = self.mate {
                    let text = RichText::new(words::until_mate(mate.plies, frame.lang))
                        .size(CHIP_FONT_SIZE)
                        .color(theme.on_mark);
                    let end = Button::new(text)
                        .fill(theme.blunder)
                        .stroke(Stroke::NONE)
                        .sense(Sense::hover());
                    ui.add(end.corner_radius(CornerRadius::same(5)));
                }
            });
        });
        if let Some(preview) = clicked {
            candidates.toggle_preview(preview);
        }
    }

    pub(super) fn show_add_button(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let phrase = if self.is_in_record {
            ReviewPhrase::IsAdded
        } else {
            ReviewPhrase::AddLine
        };
        let text = phrase.text(frame.lang);
        let padding = 2.0 * ui.spacing().button_padding.x;
        let short = if self.is_in_record { "✓" } else { "＋" };
        let shown = if text_width(ui, text, ADD_BUTTON_FONT_SIZE) + padding > ui.available_width() {
            short
        } else {
            text
        };
        if text_width(ui, shown, ADD_BUTTON_FONT_SIZE) + padding > ui.available_width() {
            return;
        }
        let button = Button::new(RichText::new(shown).size(ADD_BUTTON_FONT_SIZE));
        let button = ui
            .add_enabled(!self.is_in_record, button)
            .on_hover_text(text)
            .on_disabled_hover_text(text);
        set_accessible_label(&button, text);
        if button.clicked() {
            frame.act(DocumentEdit::Insert(Some(self.start), self.moves.clone()));
        }
    }

    /// Draws the position before the line, with an arrow for the line's first move.
    pub(super) fn show_diagram(&self, ui: &Ui, frame: &StudyFrame<'_>, rect: Rect) {
        let first: Vec<_> = self
            .moves
            .first()
            .map(|mv| Arrow { mv: *mv, rank: 1 })
            .into_iter()
            .collect();
        let view = BoardView {
            is_flipped: frame.view.is_flipped,
            last_move: self.last_move,
            arrows: &first,
            mode: BoardMode::ReadOnly,
            style: BoardStyle {
                shows_coordinates: false,
                ..frame.view.style
            },
            ..BoardView::new(&self.position, frame.lang)
        };
        draw_diagram(ui, rect, &view, frame.theme);
    }
}

pub(super) fn show_tab(ui: &mut Ui, theme: &PaintTheme, text: &str, is_shown: bool) -> Response {
    let weight = if is_shown {
        TextWeight::Bold
    } else {
        TextWeight::Regular
    };
    let color = if is_shown { theme.accent } else { theme.quiet };
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), weight.at(13.0), color);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + 8.0, 20.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_shown, text));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, CornerRadius::same(4), theme.rail);
    }
    ui.painter().galley(
        pos2(rect.left() + 4.0, rect.center().y - galley.size().y / 2.0 - 1.0),
        galley,
        color,
    );
    if is_shown {
        let y = rect.bottom() - 1.0;
        ui.painter()
            .hline(rect.x_range().shrink(2.0), y, Stroke::new(2.0, theme.accent));
    }
    response
}

fn text_width(ui: &Ui, text: &str, size: f32) -> f32 {
    ui.painter()
        .layout_no_wrap(
            text.to_owned(),
            TextWeight::Regular.at(size),
            Color32::PLACEHOLDER,
        )
        .size()
        .x
}

/// Reserves the arrow keys for a line that is on the board. They step through the line, and do not move the focus.
fn keep_arrows(ui: &Ui, chip: &Response, is_on_board: bool) {
    if is_on_board && chip.has_focus() {
        let filter = EventFilter {
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(chip.id, filter));
    }
}

fn row_count(chips: &[f32], width: f32) -> usize {
    let (mut rows, mut x) = (1, 0.0);
    for chip in chips {
        if x > 0.0 && x + chip > width {
            (rows, x) = (rows + 1, 0.0);
        }
        x += chip + CHIP_GAP;
    }
    rows
}

fn show_chip(ui: &mut Ui, theme: &PaintTheme, word: &str, is_shown: bool) -> Response {
    let (fill, color) = if is_shown {
        (theme.accent, theme.on_accent)
    } else {
        (theme.rail, theme.text)
    };
    let text = RichText::new(word).size(CHIP_FONT_SIZE).color(color);
    ui.add(
        Button::new(text)
            .fill(fill)
            .stroke(Stroke::NONE)
            .corner_radius(CornerRadius::same(5)),
    )
}
