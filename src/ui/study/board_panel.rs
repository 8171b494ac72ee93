//! The board of the page with the navigation row below it.

use super::candidates::PvPreview;
use super::layout::{BoardParts, StudySizes};
use super::{StudyAction, StudyFrame, StudyPage, tools};
use crate::access::set_accessible_label;
use crate::board::{self, Arrow, BoardAction, BoardMode, BoardSide, BoardView};
use crate::fonts::{FontChoice, TextWeight};
use crate::snapshot::{PictureSize, SnapshotRenderer};
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{
    Align, Button, ColorImage, Layout, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui, UiBuilder, Vec2, pos2,
    vec2,
};
use shogibar_config::{Command, command_text};
use shogibar_games::phrase;
use shogibar_games::study::{Document, DocumentEdit};
use shogibar_kifu::NodeId;
use shogibar_kifu::board_mark::{self, BoardMark};
use shogibar_model::action::AppAction;
use shogibar_shogi::{Color, Move, Position};

/// The margin around a small board, in points.
const SMALL_MARGIN: f32 = 6.0;
/// The height of the first row below a small board, in points.
const ROW_BELOW_HEIGHT: f32 = 40.0;
/// The height of the second row below a small board, in points.
const EXTRA_ROW_HEIGHT: f32 = 32.0;
/// The width of the field for a guess, in points.
const GUESS_FIELD_WIDTH: f32 = 120.0;
/// The width of the field for a move, in points.
const MOVE_FIELD_WIDTH: f32 = 72.0;
/// The size of a navigation button, in points.
const STEP_BUTTON_SIZE: Vec2 = vec2(42.0, 30.0);
/// The width of a small button, in points.
const SMALL_BUTTON_WIDTH: f32 = 28.0;
/// The gap between two navigation buttons, in points.
const STEP_GAP: f32 = 7.0;
/// The minimum width of a wide navigation row, in points.
const MIN_WIDE_ROW_WIDTH: f32 = 480.0;

const SMALL_MENU_COMMANDS: [Command; 7] = [
    Command::Players,
    Command::New,
    Command::Save,
    Command::Paste,
    Command::Undo,
    Command::Replace,
    Command::Flip,
];

/// The drawn marks of the current node. They are read again when the record or the node changes.
#[derive(Debug, Default)]
pub(super) struct CurrentMarks {
    /// The revision and the node whose marks were read; `None` before the first frame.
    key: Option<(u64, NodeId)>,
    marks: Vec<BoardMark>,
}

impl CurrentMarks {
    pub(super) fn update(&mut self, document: &Document) {
        let key = Some((document.revision(), document.current()));
        if std::mem::replace(&mut self.key, key) != key {
            self.marks = read_marks(document);
        }
    }
}

struct ShownBoard {
    position: Position,
    last_move: Option<Move>,
    arrows: Vec<Arrow>,
    /// The drawn marks of the current node; `None` if the board shows another position, which takes none.
    marks: Option<Vec<BoardMark>>,
    mode: BoardMode,
    /// Whether the user guesses a move in the position.
    is_guess: bool,
    /// The players, Black first, if the board shows another game than the page.
    names: Option<[String; 2]>,
}

impl ShownBoard {
    fn new(page: &StudyPage, frame: &StudyFrame<'_>) -> Self {
        let history = frame.view.history;
        if let Some(position) = page.setup.as_ref().map(|setup| setup.position().clone()) {
            return Self::from_position(position, None, BoardMode::Edit);
        }
        if let Some((position, last)) = page.guess.board() {
            let mode = if page.guess.accepts_move() {
                BoardMode::Play
            } else {
                BoardMode::ReadOnly
            };
            let names = page.guess.names();
            return Self {
                position,
                last_move: last,
                arrows: page.guess.arrows(),
                marks: None,
                mode,
                is_guess: true,
                names,
            };
        }
        if let Some(preview) = page.candidates.preview() {
            let (position, last) = match preview.start_node {
                Some(node) => position_after(frame.view.document.history_at(node).now(), preview),
                None => position_after(history.now(), preview),
            };
            return Self::from_position(position, last, BoardMode::ReadOnly);
        }
        let arrows = page
            .mate
            .arrow()
            .map_or_else(|| arrows(frame), |threat| vec![threat]);
        let awaits_engine = frame.view.engine_game.is_some_and(|game| {
            game.is_in_progress()
                && !game.is_users_turn(frame.view.document)
                && game.is_at_tip(frame.view.document)
        });
        let mode = if awaits_engine {
            BoardMode::ReadOnly
        } else {
            BoardMode::Play
        };
        Self {
            arrows,
            marks: Some(page.marks.marks.clone()),
            ..Self::from_position(history.now().clone(), history.last_move(), mode)
        }
    }

    /// Creates the board of a position of the game on the page, without arrows and marks.
    const fn from_position(position: Position, last: Option<Move>, mode: BoardMode) -> Self {
        Self {
            position,
            last_move: last,
            arrows: Vec::new(),
            marks: None,
            mode,
            is_guess: false,
            names: None,
        }
    }

    fn view<'a>(&'a self, frame: &StudyFrame<'a>) -> BoardView<'a> {
        let side = |color| {
            let side = side(frame, color, self.is_guess);
            match &self.names {
                Some([black, white]) => BoardSide {
                    name: if color == Color::Black { black } else { white },
                    ..side
                },
                None => side,
            }
        };
        BoardView {
            black: side(Color::Black),
            white: side(Color::White),
            is_flipped: frame.view.is_flipped,
            last_move: self.last_move,
            arrows: &self.arrows,
            marks: self.marks.as_deref().unwrap_or_default(),
            accepts_marks: self.marks.is_some(),
            mode: self.mode,
            style: frame.view.style,
            ..BoardView::new(&self.position, frame.lang)
        }
    }
}

/// Returns the rectangles of the bar, the board, the row below the board, and the cards.
pub(super) fn layout_parts(
    page: &StudyPage,
    ui: &Ui,
    frame: &StudyFrame<'_>,
    all: Rect,
    sizes: StudySizes,
) -> BoardParts {
    let shown = ShownBoard::new(page, frame);
    sizes.layout_board(all, |room| {
        board::size_within(&shown.view(frame), room, ui.pixels_per_point())
    })
}

/// Draws the bar, the board and the row below the board.
pub(super) fn show(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, parts: BoardParts) {
    let shown = ShownBoard::new(page, frame);
    page.side_bar
        .show(ui, frame, parts.bar, page.candidates.preview().is_some());
    show_board(page, ui, frame, &shown, parts.board);
    show_row_below(page, ui, frame, (parts.board, parts.row_below));
}

pub(super) fn rows_below_small_board(page: Rect) -> Rect {
    let all = page.shrink(SMALL_MARGIN);
    all.with_min_y(all.bottom() - ROW_BELOW_HEIGHT - EXTRA_ROW_HEIGHT)
}

pub(super) fn show_small(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, all: Rect) {
    let below = rows_below_small_board(all);
    let board = all.shrink(SMALL_MARGIN).with_max_y(below.top());
    let shown = ShownBoard::new(page, frame);
    show_board(page, ui, frame, &shown, board);
    show_row_below(page, ui, frame, (board, below));
}

/// Draws the board and applies the user's action on it.
fn show_board(page: &mut StudyPage, ui: &Ui, frame: &mut StudyFrame<'_>, shown: &ShownBoard, rect: Rect) {
    let done = page
        .board
        .show(ui, rect, &shown.view(frame), frame.theme, frame.lang);
    for action in done.actions {
        match action {
            BoardAction::Play(mv) if shown.is_guess => page.guess.play(frame, mv),
            BoardAction::Step(_) if shown.is_guess => {}
            BoardAction::Play(mv) => frame.act(DocumentEdit::Play(mv)),
            BoardAction::Step(moves) => frame.act(AppAction::Step(moves)),
            BoardAction::Mark(mark) => {
                frame.act(DocumentEdit::ToggleMark(frame.view.document.current(), mark));
            }
            BoardAction::Edit(position) => {
                if let Some(setup) = &mut page.setup {
                    setup.set(*position);
                }
            }
        }
    }
}

/// Draws the row below the board: buttons that navigate in the game or in a pv, or the field for a guess. During a
/// setup, the row is empty.
fn show_row_below(
    page: &mut StudyPage,
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    (board, below): (Rect, Rect),
) {
    ui.scope_builder(UiBuilder::new().max_rect(below).id_salt("way"), |ui| {
        let layout = Layout::top_down(Align::Center);
        ui.with_layout(layout, |ui| match page.candidates.pinned_preview.clone() {
            _ if page.setup.is_some() => {}
            _ if page.guess.is_running() => show_guess_entry(page, ui, frame, below),
            Some(preview) => {
                ui.add_space(((below.height() - STEP_BUTTON_SIZE.y) / 2.0).max(0.0));
                show_pv_navigation(page, ui, frame, &preview);
            }
            None if page.is_small => show_small_navigation(page, ui, frame, board),
            None => show_navigation(page, ui, frame, below),
        });
    });
}

pub(super) fn draw_picture(frame: &StudyFrame<'_>, size: PictureSize) -> ColorImage {
    let (history, arrows, marks) = (frame.view.history, arrows(frame), read_marks(frame.view.document));
    let view = BoardView {
        black: side(frame, Color::Black, false),
        white: side(frame, Color::White, false),
        is_flipped: frame.view.is_flipped,
        last_move: history.last_move(),
        arrows: &arrows,
        marks: &marks,
        style: frame.view.style,
        ..BoardView::new(history.now(), frame.lang)
    };
    SnapshotRenderer::with_fonts(&FontChoice::default()).draw_board(&view, frame.theme, size)
}

fn position_after(from: &Position, preview: &PvPreview) -> (Position, Option<Move>) {
    let mut position = from.without_history();
    let mut last = None;
    for mv in preview.moves.iter().take(preview.shown_count) {
        if position.play(*mv).is_err() {
            break;
        }
        last = Some(*mv);
    }
    (position, last)
}

/// Returns arrows for the first moves of the followed engine's candidates, the best first. There are none if the user
/// has switched arrows off or hidden the evaluation, or if the candidates belong to another position.
pub(super) fn arrows(frame: &StudyFrame<'_>) -> Vec<Arrow> {
    let engine = frame.view.bar.lead();
    if engine.is_stale || frame.view.bar.is_hidden || !frame.view.status.shows_arrows {
        return Vec::new();
    }
    let first = engine
        .candidates
        .iter()
        .filter_map(|candidate| candidate.moves.first());
    (1..)
        .zip(first)
        .map(|(rank, mv)| Arrow { mv: *mv, rank })
        .collect()
}

/// Returns the marks that the user has drawn on the board of the current node.
pub(super) fn read_marks(document: &Document) -> Vec<BoardMark> {
    let comment = document.record().node(document.current()).comment();
    comment.map(board_mark::read).unwrap_or_default()
}

/// Returns the player and the clock of a side. There is no clock while the user guesses a move.
pub(super) fn side<'a>(frame: &StudyFrame<'a>, color: Color, is_guessing: bool) -> BoardSide<'a> {
    let record = frame.view.document.record();
    let [black, white] = frame.titles();
    let title = if color == Color::Black { black } else { white };
    // While the user guesses a move, the board shows another position than the clocks.
    let clock = if is_guessing {
        None
    } else {
        frame.view.bar.side(color).clock
    };
    BoardSide {
        title,
        name: record.player(color).unwrap_or_default(),
        clock,
    }
}

/// Draws the navigation row: the buttons in the middle, the field for a move at the right end.
fn show_navigation(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, rect: Rect) {
    let field = (rect.width() * 0.14).clamp(44.0, MOVE_FIELD_WIDTH);
    // In a narrow row, the buttons are centred in the space that the field leaves.
    let is_narrow = rect.width() < MIN_WIDE_ROW_WIDTH;
    let aside = field.midpoint(STEP_GAP);
    let (middle, half) = if is_narrow {
        (rect.center() - vec2(aside, 0.0), rect.width() / 2.0 - aside)
    } else {
        (rect.center(), rect.width() / 2.0 - 2.0 * aside)
    };
    let button = if is_narrow {
        vec2(SMALL_BUTTON_WIDTH + 6.0, STEP_BUTTON_SIZE.y)
    } else {
        STEP_BUTTON_SIZE
    };
    let text = (half - 2.0 * (button.x + STEP_GAP)).clamp(40.0, 104.0);
    let (inner, outer) = (text + button.x / 2.0, text + button.x * 1.5 + STEP_GAP);
    for (x, command) in [
        (-outer, Command::First),
        (-inner, Command::Back),
        (inner, Command::Forward),
        (outer, Command::Last),
    ] {
        let rect = Rect::from_center_size(middle + vec2(x, 0.0), button);
        show_step_button(ui, frame, command, rect);
    }
    let title = Rect::from_center_size(middle, vec2(2.0 * text - STEP_GAP, STEP_BUTTON_SIZE.y));
    ui.scope_builder(UiBuilder::new().max_rect(title).id_salt("title"), |ui| {
        show_last_move(ui, frame, title.width());
    });
    let rect = Rect::from_center_size(
        pos2(rect.right() - field / 2.0, middle.y),
        vec2(field, STEP_BUTTON_SIZE.y),
    );
    let builder = UiBuilder::new()
        .max_rect(rect)
        .layout(Layout::left_to_right(Align::Center))
        .id_salt("entry");
    ui.scope_builder(builder, |ui| show_move_entry(page, ui, frame, field - 10.0));
    page.entry.show_problem(ui, frame, frame.view.history.now(), None);
}

/// Draws the rows below a small board. The current move has its own row there.
fn show_small_navigation(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, board: Rect) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let buttons = 2.0 * (SMALL_BUTTON_WIDTH + 4.0);
        show_last_move(ui, frame, (ui.available_width() - buttons).max(0.0));
        show_small_menu(ui, frame);
        let back = ui.add(Button::new("↗").min_size(vec2(SMALL_BUTTON_WIDTH, 0.0)));
        set_accessible_label(&back, command_text(Command::Small, frame.lang));
        if back
            .on_hover_text(command_text(Command::Small, frame.lang))
            .clicked()
        {
            frame.act(StudyAction::Command(Command::Small));
        }
    });
    let room = ui.available_width();
    show_centered(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for command in [Command::First, Command::Back, Command::Forward, Command::Last] {
            let (rect, _) =
                ui.allocate_exact_size(vec2(SMALL_BUTTON_WIDTH, STEP_BUTTON_SIZE.y), Sense::hover());
            show_step_button(ui, frame, command, rect);
        }
        let field = (room - 4.0 * (SMALL_BUTTON_WIDTH + 4.0) - 12.0).clamp(36.0, MOVE_FIELD_WIDTH);
        show_move_entry(page, ui, frame, field);
    });
    page.entry
        .show_problem(ui, frame, frame.view.history.now(), Some(board));
}

/// Draws the field for a move, and plays the entered move in the game.
fn show_move_entry(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, width: f32) {
    let (theme, lang, history) = (frame.theme, frame.lang, frame.view.history);
    if let Some(mv) = page.entry.show(ui, theme, lang, history, &mut page.board, width) {
        frame.act(DocumentEdit::Play(mv));
    }
}

/// Draws the field for a guess, in the middle of the row below the board.
fn show_guess_entry(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, rect: Rect) {
    let history = match page.guess.history() {
        Some(history) if page.guess.accepts_move() => history,
        _ => return,
    };
    ui.add_space(((rect.height() - STEP_BUTTON_SIZE.y) / 2.0).max(0.0));
    let mv = page.entry.show(
        ui,
        frame.theme,
        frame.lang,
        &history,
        &mut page.board,
        GUESS_FIELD_WIDTH,
    );
    page.entry.show_problem(ui, frame, history.now(), None);
    if let Some(mv) = mv {
        page.guess.play(frame, mv);
    }
}

/// Draws the number and text of the current move, in the largest size that fits.
fn show_last_move(ui: &mut Ui, frame: &StudyFrame<'_>, width: f32) {
    let ply = frame.view.document.ply();
    let title = frame.view.rows.get(ply).map_or_else(String::new, |row| {
        phrase::move_label(row.number, &row.text, frame.lang)
    });
    let size = fitting_size(ui, &title, width);
    let text = RichText::new(title).font(TextWeight::Bold.at(size));
    ui.add_sized(vec2(width, STEP_BUTTON_SIZE.y), egui::Label::new(text).truncate());
}

/// Returns the largest font size from 9 to 15 points at which a text fits into a width; 8 if none fits.
pub(super) fn fitting_size(ui: &Ui, text: &str, width: f32) -> f32 {
    let text_width = |size: f32| {
        ui.painter()
            .layout_no_wrap(text.to_owned(), TextWeight::Bold.at(size), egui::Color32::BLACK)
            .size()
            .x
    };
    let sizes = [15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0];
    sizes
        .into_iter()
        .find(|size| text_width(*size) <= width)
        .unwrap_or(8.0)
}

/// Draws a button that navigates in the line, with its sign.
fn show_step_button(ui: &mut Ui, frame: &mut StudyFrame<'_>, command: Command, rect: Rect) {
    let ply = frame.view.document.ply();
    let is_back = matches!(command, Command::First | Command::Back);
    let is_possible = if is_back {
        ply > 0
    } else {
        ply < frame.view.document.line().len()
    };
    let builder = UiBuilder::new().max_rect(rect).id_salt(command.name());
    let button = ui
        .scope_builder(builder, |ui| {
            ui.add_enabled(is_possible, Button::new("").min_size(rect.size()))
        })
        .inner;
    set_accessible_label(&button, command_text(command, frame.lang));
    let ink = if is_possible {
        frame.theme.text
    } else {
        frame.theme.quiet.gamma_multiply(0.5)
    };
    let has_bar = matches!(command, Command::First | Command::Last);
    draw_step_sign(ui, rect.center(), (is_back, has_bar), ink);
    if button.on_hover_text(command_text(command, frame.lang)).clicked() {
        frame.act(StudyAction::Command(command));
    }
}

/// Draws a triangle that points left or right. A line at its point means a step to the end.
fn draw_step_sign(ui: &Ui, center: Pos2, (is_back, has_bar): (bool, bool), ink: egui::Color32) {
    let way = if is_back { -1.0 } else { 1.0 };
    let shift = if has_bar { -2.0 } else { 0.0 };
    let at = |x: f32, y: f32| center + vec2((x + shift) * way, y);
    ui.painter().add(Shape::convex_polygon(
        vec![at(-5.0, -6.0), at(5.0, 0.0), at(-5.0, 6.0)],
        ink,
        Stroke::NONE,
    ));
    if has_bar {
        ui.painter()
            .line_segment([at(7.0, -6.0), at(7.0, 6.0)], Stroke::new(2.5, ink));
    }
}

fn show_small_menu(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let button = MenuButton::from_button(Button::new("…").min_size(vec2(SMALL_BUTTON_WIDTH, 0.0)));
    let (button, _) = button.ui(ui, |ui| {
        for command in SMALL_MENU_COMMANDS {
            tools::show_command(ui, frame, command, true);
        }
    });
    set_accessible_label(&button, StudyPhrase::More.text(frame.lang));
}

/// Draws the row with the buttons for stepping through a pv.
fn show_pv_navigation(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, preview: &PvPreview) {
    let lang = frame.lang;
    let phrases =
        [StudyPhrase::OnBoard, StudyPhrase::Insert, StudyPhrase::BackToGame].map(|phrase| phrase.text(lang));
    let (size, has_label) = fitting_pv_row(ui, phrases);
    let text = |phrase: StudyPhrase| RichText::new(phrase.text(lang)).size(size);
    show_centered(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut step = |ui: &mut Ui, sign: &str, command: Command, count: Option<usize>| {
            let button = Button::new(RichText::new(sign).size(16.0))
                .min_size(vec2(SMALL_BUTTON_WIDTH, STEP_BUTTON_SIZE.y));
            let button = ui.add_enabled(count.is_some(), button);
            set_accessible_label(&button, command_text(command, frame.lang));
            if button.clicked()
                && let Some(count) = count
            {
                page.candidates.pinned_preview = Some(PvPreview {
                    shown_count: count,
                    ..preview.clone()
                });
            }
        };
        step(ui, "◀", Command::Back, preview.shown_count.checked_sub(1));
        step(
            ui,
            "▶",
            Command::Forward,
            Some(preview.shown_count + 1).filter(|count| *count <= preview.moves.len()),
        );
        if has_label {
            ui.label(text(StudyPhrase::OnBoard).color(frame.theme.accent));
        }
        if ui.button(text(StudyPhrase::Insert)).clicked() {
            let moves = preview.moves.clone();
            frame.act(match preview.start_node {
                Some(node) => DocumentEdit::Insert(Some(node), moves),
                None => DocumentEdit::Insert(None, moves),
            });
            page.candidates.pinned_preview = None;
        }
        if ui.button(text(StudyPhrase::BackToGame)).clicked() {
            page.candidates.pinned_preview = None;
        }
    });
}

/// Returns the font size at which a pv's row fits, and whether the label of the row, the first text, fits too. If no
/// size fits, returns 9 points without the label.
fn fitting_pv_row(ui: &Ui, [what, insert, back]: [&str; 3]) -> (f32, bool) {
    let default = egui::TextStyle::Button.resolve(ui.style()).size;
    let padding = 2.0 * ui.spacing().button_padding.x;
    let text_width = |text: &str, size: f32| {
        ui.painter()
            .layout_no_wrap(
                text.to_owned(),
                TextWeight::Regular.at(size),
                egui::Color32::BLACK,
            )
            .size()
            .x
    };
    // The width without the two buttons for stepping and the spacing.
    let room = ui.available_width() - 2.0 * (SMALL_BUTTON_WIDTH + 2.0 * padding) - 4.0 * 4.0;
    let sizes = [
        (default, true),
        (default, false),
        (12.0, false),
        (11.0, false),
        (10.0, false),
    ];
    sizes
        .into_iter()
        .find(|(size, has_label)| {
            let buttons = text_width(insert, *size) + text_width(back, *size) + 2.0 * padding;
            buttons + if *has_label { text_width(what, *size) } else { 0.0 } <= room
        })
        .unwrap_or((9.0, false))
}

/// Draws a row that is centred according to its width in the previous frame.
fn show_centered(ui: &mut Ui, show: impl FnOnce(&mut Ui)) {
    let id = ui.scope_id().with("width");
    let width: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.add_space(((ui.available_width() - width) / 2.0).max(0.0));
        let shown = ui.horizontal(show).response.rect.width();
        if (shown - width).abs() > 0.5 {
            ui.data_mut(|data| data.insert_temp(id, shown));
            ui.ctx().request_discard("a row in the middle");
        }
    });
}
