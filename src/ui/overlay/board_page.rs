//! The board page: a game's board with its bar, the players with their clocks and hands, and room for a camera. A small
//! one has the players above and below the board. The position on the board may be a variation, which has a frame.

use super::canvas::OverlayCanvas;
use super::chips::Chip;
use super::context_line::{self, LineEnd, LineOrder};
use super::remaining_space::RemainingSpace;
use super::shares::{self, BarAxis};
use super::{MOTION_SECONDS, OverlayPicture, OverlayStyle, add_accessible_part, final_share};
use super::{strip, texts, turning_card};
use crate::board::{self, BoardMode, BoardPlates, BoardSide, BoardStyle, BoardView};
use crate::frame_pacer::FramePacer;
use crate::glide::Glide;
use crate::text_runs::{TextRun, TextRuns};
use crate::{PaintTheme, PartWord};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::{Align, Color32, CornerRadius, Pos2, Rect, Shape, Stroke, Ui, Vec2, pos2, vec2};
use shogibar_config::OverlayPart;
use shogibar_games::bar::BarView;
use shogibar_games::graph_text::GraphWord;
use shogibar_games::phrase;
use shogibar_model::pages::options::PageGround;
use shogibar_programme::{BoardPageContent, BoardPageWord, ShownAside};
use shogibar_shogi::Color;
use std::time::Duration;

/// The ratio of width to height from which the players are beside the board.
const MIN_WIDE_ASPECT_RATIO: f32 = 1.3;
/// The radius of the corners of a panel, in points of the design.
const PANEL_RADIUS: f32 = 8.0;
/// The length of a dash of the frame, and of the gap after it, in points of the design of a wide page.
const DASH: [f32; 2] = [26.0, 12.0];

/// The areas of a board page, in points of its design.
struct Design {
    /// The size of the page.
    size: Vec2,
    /// The line with the event and the opening; `None` on a small page.
    header: Option<Rect>,
    bar: Rect,
    board: Rect,
    /// The areas of the players: at the far side of the board, and at the near side.
    plates: [Rect; 2],
    /// The row with the last move and the win rates.
    status: Rect,
    /// The place of the camera; `None` on a small page.
    camera: Option<Rect>,
    /// The line with the moves of a variation, or the card of a turning point; `None` on a small page.
    line: Option<Rect>,
    /// The font size of a player's name.
    name_size: f32,
    /// The font sizes in the status row: of texts and of win rates.
    status_sizes: [f32; 2],
    /// The width of the frame around a board that shows a variation.
    frame_width: f32,
}

const fn rect(left: f32, top: f32, width: f32, height: f32) -> Rect {
    Rect {
        min: pos2(left, top),
        max: pos2(left + width, top + height),
    }
}

/// The page for a whole picture. The area between the status and the near player is left free for a camera.
const WIDE: Design = Design {
    size: vec2(1920.0, 1080.0),
    header: Some(rect(40.0, 14.0, 1840.0, 48.0)),
    bar: rect(40.0, 104.0, 52.0, 872.0),
    board: rect(112.0, 104.0, 872.0, 872.0),
    plates: [
        rect(1024.0, 104.0, 856.0, 124.0),
        rect(1024.0, 852.0, 856.0, 124.0),
    ],
    status: rect(1024.0, 240.0, 856.0, 60.0),
    camera: Some(rect(1024.0, 312.0, 856.0, 528.0)),
    line: Some(rect(40.0, 1000.0, 1840.0, 56.0)),
    name_size: 40.0,
    status_sizes: [26.0, 40.0],
    frame_width: 6.0,
};

/// The page for a part of a picture.
const SMALL: Design = Design {
    size: vec2(472.0, 612.0),
    header: None,
    bar: rect(8.0, 74.0, 28.0, 416.0),
    board: rect(48.0, 74.0, 416.0, 416.0),
    plates: [rect(8.0, 6.0, 456.0, 56.0), rect(8.0, 502.0, 456.0, 56.0)],
    status: rect(8.0, 566.0, 456.0, 40.0),
    camera: None,
    line: None,
    name_size: 18.0,
    status_sizes: [16.0, 20.0],
    frame_width: 3.0,
};

/// The form of a board page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardPageForm {
    /// The area behind the parts.
    pub ground: PageGround,
    /// Whether the graph of the game has the place of the camera.
    pub has_graph: bool,
}

/// A board page between frames: the motion of its bar.
#[derive(Debug)]
pub struct BoardPage {
    share: Glide,
    /// Whether the last frame had a value. Without one, the share is set without motion.
    had_value: bool,
    pacer: FramePacer,
}

impl BoardPage {
    /// Creates the page before its first content.
    pub const fn new(pacer: FramePacer) -> Self {
        Self {
            share: Glide::at_rest(super::MIDDLE_SHARE),
            had_value: false,
            pacer,
        }
    }

    /// Draws the page over all of `ui`. Requests another frame only while the share moves visibly.
    pub fn show(&mut self, ui: &Ui, content: &BoardPageContent, style: &OverlayStyle, form: BoardPageForm) {
        let (rect, now) = (ui.max_rect(), ui.input(|input| input.time));
        let target = final_share(&content.bar);
        let had_value = std::mem::replace(
            &mut self.had_value,
            content.bar.share.is_some() || content.bar.decided_win.is_some(),
        );
        if style.has_motion && had_value {
            let pixels = (rect.height() * ui.pixels_per_point()).max(1.0);
            let step = self.pacer.min_motion_pixels() / pixels;
            self.share.set_target(target, step, MOTION_SECONDS, now);
        } else {
            self.share = Glide::at_rest(target);
        }
        if !self.share.is_at_rest(now) {
            let until = Duration::from_secs_f64(self.share.seconds_to_next_step(now));
            ui.ctx()
                .request_repaint_after(self.pacer.min_frame_time().max(until));
        }
        let share = self.share.value_at(now);
        let picture = ui.fonts_mut(|fonts| draw(fonts, content, share, (style, form), rect));
        for named in picture.named_parts {
            add_accessible_part(ui, &named, style.lang);
        }
        ui.painter().extend(picture.shapes);
    }
}

/// Draws a board page into `rect`, with `share` as Black's share on the bar.
pub fn draw(
    fonts: &mut FontsView<'_>,
    content: &BoardPageContent,
    share: f32,
    (style, form): (&OverlayStyle, BoardPageForm),
    rect: Rect,
) -> OverlayPicture {
    let design = if rect.width() >= MIN_WIDE_ASPECT_RATIO * rect.height() {
        &WIDE
    } else {
        &SMALL
    };
    let visible = style.visible_view(&content.bar);
    let mut canvas = OverlayCanvas::new(fonts, style);
    canvas.scale = (rect.size() / design.size).min_elem();
    if form.ground == PageGround::Plain {
        canvas.fill(rect, CornerRadius::ZERO, style.theme.window.to_opaque());
    }
    let page = PageDrawing {
        content,
        view: &visible,
        design,
        origin: rect.center() - design.size * canvas.scale / 2.0,
        unit: canvas.scale,
    };
    // The designs are in points of the screen at this scale.
    page.draw_header(&mut canvas);
    if !form.has_graph || page.has_values() {
        shares::draw(
            &mut canvas,
            &visible,
            share,
            None,
            page.at(design.bar),
            BarAxis::Up,
        );
    }
    page.draw_board(&mut canvas);
    page.draw_status(&mut canvas);
    if form.has_graph {
        page.draw_graph(&mut canvas);
    }
    page.draw_line(&mut canvas);
    canvas.picture
}

/// A page that is being drawn.
struct PageDrawing<'a> {
    content: &'a BoardPageContent,
    /// The bar of the game with its visible parts.
    view: &'a BarView,
    design: &'a Design,
    origin: Pos2,
    /// The number of points of the screen per point of the design.
    unit: f32,
}

impl PageDrawing<'_> {
    /// Returns whether the bar or the graph has a value, or the game is decided.
    fn has_values(&self) -> bool {
        let view = self.view;
        view.share.is_some() || view.decided_win.is_some() || view.graph.iter().any(Option::is_some)
    }

    /// Returns a rectangle of the design in points of the screen.
    fn at(&self, rect: Rect) -> Rect {
        Rect::from_min_size(
            self.origin + rect.min.to_vec2() * self.unit,
            rect.size() * self.unit,
        )
    }

    fn draw_panel(&self, canvas: &mut OverlayCanvas<'_, '_>, rect: Rect) {
        let radius = super::canvas::corner_radius(PANEL_RADIUS * self.unit);
        let panel = canvas.theme().panel;
        canvas.fill(rect, CornerRadius::same(radius), panel);
    }

    /// Draws the event, the opening with the castles, and the credit.
    fn draw_header(&self, canvas: &mut OverlayCanvas<'_, '_>) {
        let Some(header) = self.design.header else { return };
        let rect = self.at(header);
        let has_text = [
            &self.view.event,
            &self.view.credit,
            &self.view.reason.formation.text,
        ]
        .into_iter()
        .any(|text| !text.is_empty());
        if has_text && context_line::is_wanted(canvas, self.view) {
            self.draw_panel(canvas, rect);
            let inside = rect.shrink2(vec2(20.0 * self.unit, 0.0));
            let order = (LineEnd::Engines, LineOrder::EventFirst);
            context_line::draw(canvas, self.view, order, 25.0, inside);
        }
    }

    fn draw_board(&self, canvas: &mut OverlayCanvas<'_, '_>) {
        let rect = self.at(self.design.board);
        let [first, _] = canvas.style.ends();
        let plates = self.design.plates.map(|plate| self.at(plate));
        let theme = canvas.theme();
        let Some(history) = &self.content.history else {
            return self.draw_withheld(canvas, rect, plates);
        };
        let side = |color| {
            let side = self.view.side(color);
            BoardSide {
                title: &side.role,
                name: &side.name,
                clock: side.clock,
            }
        };
        let view = BoardView {
            black: side(Color::Black),
            white: side(Color::White),
            is_flipped: first == Color::White,
            last_move: history.last_move(),
            marks: &self.content.marks,
            mode: BoardMode::ReadOnly,
            style: BoardStyle {
                shows_targets: false,
                ..BoardStyle::default()
            },
            ..BoardView::new(history.now(), canvas.style.lang)
        };
        let plates = BoardPlates {
            board: rect,
            far: plates[0],
            near: plates[1],
            name_size: self.design.name_size * self.unit,
            // The clocks are of the game, and so is the mark of the side to move.
            to_move: self.view.to_move,
        };
        // The mark of the side to move has the colour that it has on a bar.
        let board_theme = PaintTheme {
            accent: theme.best,
            ..*theme
        };
        let shapes = board::draw_with_plates(canvas.fonts, &view, &board_theme, &plates);
        canvas.picture.shapes.extend(shapes);
        let position = match &self.content.aside {
            Some(aside) => aside.moves.last().unwrap_or(&aside.tab).clone(),
            None => self.view.position_text.concat(),
        };
        canvas.add_named_part(PartWord::Board, position, rect);
        if let Some(aside) = &self.content.aside {
            self.draw_frame(canvas, aside, rect);
        }
    }

    /// Draws the players, and a board without pieces: only numbers are shown.
    fn draw_withheld(&self, canvas: &mut OverlayCanvas<'_, '_>, board: Rect, plates: [Rect; 2]) {
        let theme = canvas.theme();
        let text = BoardPageWord::Withheld.text(canvas.style.lang);
        self.draw_panel(canvas, board);
        let font_size = self.design.status_sizes[1];
        let run = [TextRun::bold(text, theme.quiet)];
        canvas.draw_squeezed(
            TextRuns::line(&run, font_size),
            font_size,
            board.shrink(0.1 * board.width()),
            Align::Center,
        );
        let [near, far] = canvas.style.ends();
        for (color, plate) in [(far, plates[0]), (near, plates[1])] {
            self.draw_panel(canvas, plate);
            self.draw_player(canvas, color, plate);
        }
    }

    /// Draws the piece, the name and the clock of a player in one line.
    fn draw_player(&self, canvas: &mut OverlayCanvas<'_, '_>, color: Color, plate: Rect) {
        let theme = canvas.theme();
        let player = self.view.side(color);
        let size = self.design.name_size;
        let unit = size * self.unit;
        let mut room = RemainingSpace(plate.shrink2(vec2(20.0 * self.unit, 0.0)));
        let mark = room.cut_left(0.6 * unit);
        canvas.draw_piece(
            Rect::from_center_size(mark.center(), vec2(0.6, 0.7) * unit),
            color,
        );
        room.cut_left(0.4 * unit);
        if let Some(clock) = player.clock {
            let label = format!("{} ", phrase::clock_label(clock).text(canvas.style.lang));
            let clock = phrase::clock_time(clock);
            let runs = [
                TextRun::regular(&label, theme.quiet),
                TextRun::bold(&clock, theme.text),
            ];
            let size = 0.8 * size;
            let text = TextRuns::line(&runs, size);
            let width = (canvas.width(text) + 1.0).min(0.5 * room.0.width());
            let clock = room.cut_right(width);
            canvas.draw_squeezed(text, size, clock, Align::RIGHT);
            room.cut_right(0.4 * unit);
        }
        let name = [TextRun::bold(&player.name, theme.text)];
        canvas.draw_squeezed(TextRuns::line(&name, size), size, room.0, Align::LEFT);
    }

    /// Draws the dashed frame around a board that does not show the game, with its tab.
    fn draw_frame(&self, canvas: &mut OverlayCanvas<'_, '_>, aside: &ShownAside, board: Rect) {
        let theme = canvas.theme();
        let width = self.design.frame_width * self.unit;
        let frame = board.expand(width);
        let corners = [
            frame.left_top(),
            frame.right_top(),
            frame.right_bottom(),
            frame.left_bottom(),
            frame.left_top(),
        ];
        let [dash, gap] = DASH.map(|length| length * width / WIDE.frame_width);
        let stroke = Stroke::new(width, theme.black_word);
        canvas
            .picture
            .shapes
            .extend(Shape::dashed_line(&corners, stroke, dash, gap));
        // On a small page, only the status says that the position is not the game's.
        if self.design.header.is_some() {
            let size = 0.85 * self.design.status_sizes[0];
            let chip = aside_chip(canvas, &aside.tab, size);
            let tab_size = vec2(chip.width(canvas), 1.4 * size * self.unit);
            let corner = frame.right_top() - tab_size;
            chip.draw(canvas, corner.x, Rect::from_min_size(corner, tab_size));
        }
        canvas.add_named_part(PartWord::Variation, aside.tab.as_str(), frame);
    }

    /// Draws the last move of the game, or that the game waits, and the win rates of the game.
    fn draw_status(&self, canvas: &mut OverlayCanvas<'_, '_>) {
        let theme = canvas.theme();
        let rect = self.at(self.design.status);
        self.draw_panel(canvas, rect);
        let [text_size, number_size] = self.design.status_sizes;
        let mut room = RemainingSpace(rect.shrink2(vec2(0.6 * text_size * self.unit, 0.0)));
        let [first, second] = canvas.style.ends();
        for side in [second, first] {
            let Some(percent) = self.view.side(side).percent else {
                continue;
            };
            let number = percent.to_string();
            let color = if self.view.is_stale {
                theme.quiet
            } else {
                theme.text
            };
            let runs = [TextRun::digits(&number, color), TextRun::bold("%", color)];
            let text = TextRuns::line(&runs, number_size);
            let width = canvas.width(text) + 1.0;
            let number = room.cut_right(width);
            canvas.draw_squeezed(text, number_size, number, Align::RIGHT);
            room.cut_right(0.2 * number_size * self.unit);
            let mark = room.cut_right(0.6 * number_size * self.unit);
            let mark = Rect::from_center_size(mark.center(), vec2(0.5, 0.6) * number_size * self.unit);
            canvas.draw_piece(mark, side);
            room.cut_right(0.5 * number_size * self.unit);
            let part = match side {
                Color::Black => PartWord::BlackPercent,
                Color::White => PartWord::WhitePercent,
            };
            canvas.add_named_part(part, format!("{percent}%"), number);
        }
        if self.content.aside.is_some() && self.view.black.percent.is_some() {
            let runs = [TextRun::regular(
                GraphWord::MainLine.text(canvas.style.lang),
                theme.quiet,
            )];
            let text = TextRuns::line(&runs, text_size);
            let width = canvas.width(text) + 1.0;
            let label = room.cut_right(width);
            canvas.draw_squeezed(text, text_size, label, Align::RIGHT);
            room.cut_right(0.5 * text_size * self.unit);
        }
        room.0 = texts::draw_live(canvas, self.view, text_size, room.0);
        // On a small page, the card of a turning point has the place of the last move.
        if let (None, Some(card), None) = (&self.content.aside, &self.view.turning_card, self.design.line) {
            return turning_card::draw_line(canvas, card, text_size, room.0);
        }
        let words = match &self.content.aside {
            Some(aside) => {
                let chip = aside_chip(canvas, &aside.chip, text_size);
                let drawn = chip.draw(canvas, room.0.left(), room.0);
                room.cut_left(drawn.width() + 0.6 * text_size * self.unit);
                // A small page has no line for the moves and the win rate of the variation.
                match aside.moves.last().filter(|_| self.design.line.is_none()) {
                    Some(mv) => vec![
                        TextRun::bold(mv, theme.text),
                        TextRun::regular(" ", theme.quiet),
                        TextRun::bold(&aside.rate, theme.black_word),
                    ],
                    None => vec![TextRun::regular(&aside.waiting, theme.quiet)],
                }
            }
            // The words before the move are those of the end.
            None if let Some(decided) = &self.view.decided_win
                && self.view.to_move.is_none()
                && !self.view.is_hidden =>
            {
                vec![TextRun::bold(&decided.text, theme.text)]
            }
            None if canvas.style.shows(OverlayPart::LastMove) => {
                let [before, mv, after] = &self.view.position_text;
                let space = TextRun::regular(" ", theme.quiet);
                vec![
                    TextRun::regular(before, theme.quiet),
                    space,
                    TextRun::bold(mv, theme.text),
                    space,
                    TextRun::regular(after, theme.quiet),
                ]
            }
            None => Vec::new(),
        };
        let text = TextRuns::line(&words, text_size);
        canvas.draw_squeezed(text, text_size, room.0, Align::LEFT);
        let spoken: String = words.iter().map(|run| run.text).collect();
        canvas.add_named_part(PartWord::Position, spoken, rect);
    }

    /// Draws the graph of the game in the place of the camera.
    fn draw_graph(&self, canvas: &mut OverlayCanvas<'_, '_>) {
        if let Some(camera) = self.design.camera
            && self.view.graph.iter().any(Option::is_some)
        {
            let rect = self.at(camera);
            self.draw_panel(canvas, rect);
            strip::draw(canvas, self.view, rect.shrink(12.0 * self.unit), true);
        }
    }

    /// Draws the moves of a variation, or the card of a turning point.
    fn draw_line(&self, canvas: &mut OverlayCanvas<'_, '_>) {
        let Some(line) = self.design.line else { return };
        match (&self.content.aside, &self.view.turning_card) {
            (Some(aside), _) if !aside.moves.is_empty() => self.draw_moves(canvas, aside, line),
            (None, Some(card)) => {
                let rect = self.at(line);
                self.draw_panel(canvas, rect);
                let inside = rect.shrink2(vec2(20.0 * self.unit, 0.0));
                turning_card::draw_line(canvas, card, 1.2 * self.design.status_sizes[0], inside);
            }
            _ => {}
        }
    }

    /// Draws the moves of a variation in their order, and its win rate.
    fn draw_moves(&self, canvas: &mut OverlayCanvas<'_, '_>, aside: &ShownAside, line: Rect) {
        let theme = canvas.theme();
        let rect = self.at(line);
        let size = self.design.status_sizes[0];
        self.draw_panel(canvas, rect);
        let mut room = RemainingSpace(rect.shrink2(vec2(20.0 * self.unit, 0.0)));
        let gap = 0.5 * size * self.unit;
        if !aside.rate.is_empty() {
            let run = [TextRun::bold(&aside.rate, theme.black_word)];
            let text = TextRuns::line(&run, size);
            let width = canvas.width(text) + 1.0;
            let rate = room.cut_right(width);
            canvas.draw_squeezed(text, size, rate, Align::RIGHT);
            room.cut_right(gap);
        }
        let before = [TextRun::regular(&aside.root, theme.text)];
        let text = TextRuns::line(&before, size);
        let width = canvas.width(text).min(0.3 * room.0.width()) + 1.0;
        let bounds = room.cut_left(width);
        canvas.draw_squeezed(text, size, bounds, Align::LEFT);
        room.cut_left(gap);
        // Without room for all moves, the newest ones are shown.
        let chips: Vec<_> = (0..)
            .zip(&aside.moves)
            .map(|(at, word)| {
                let is_last = at + 1 == aside.moves.len();
                if is_last {
                    aside_chip(canvas, word, size)
                } else {
                    Chip {
                        word,
                        size,
                        colors: [Color32::TRANSPARENT, theme.black_word, theme.text],
                    }
                }
            })
            .collect();
        let widths: Vec<_> = chips.iter().map(|chip| chip.width(canvas) + gap).collect();
        let mut wanted: f32 = widths.iter().sum();
        let mut skipped = 0;
        for width in &widths {
            // The dots in place of the first moves need room, too.
            let dots = if skipped > 0 { 2.0 * gap } else { 0.0 };
            if wanted + dots <= room.0.width() {
                break;
            }
            wanted -= width;
            skipped += 1;
        }
        if skipped > 0 {
            let runs = [TextRun::bold("…", theme.quiet)];
            let text = TextRuns::line(&runs, size);
            let width = canvas.width(text) + gap;
            let dots = room.cut_left(width);
            canvas.draw_squeezed(text, size, dots, Align::LEFT);
        }
        for (chip, width) in chips.iter().zip(&widths).skip(skipped) {
            chip.draw(canvas, room.0.left(), room.0);
            room.cut_left(*width);
        }
        canvas.add_named_part(PartWord::VariationMoves, aside.moves.join(" "), rect);
    }
}

/// Returns a chip in the colour of what is not the game's.
fn aside_chip<'t>(canvas: &OverlayCanvas<'_, '_>, word: &'t str, size: f32) -> Chip<'t> {
    let theme = canvas.theme();
    Chip {
        word,
        size,
        colors: [theme.black_word, Color32::TRANSPARENT, theme.on_mark],
    }
}
