//! The desk: the boards of several games, each with its bar.

use super::PaintTheme;
use super::board::{BoardMode, BoardSide, BoardStyle, BoardView, draw, size_within};
use super::frame_pacer::FramePacer;
use super::overlay::{Overlay, OverlayStyle};
use crate::access::set_accessible_label;
use eframe::egui;
use egui::{
    Align, Button, Frame, Key, Label, Margin, Panel, Rect, RichText, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_config::Layout;
use shogibar_games::bar::{BarNotice, BarView};
use shogibar_model::pages_text::DeskWord;
use shogibar_shogi::History;
use std::collections::BTreeMap;

/// The maximum number of boards at once.
const MAX_BOARDS: usize = 12;
/// The preferred ratio of the width of a tile to the height.
const TILE_ASPECT_RATIO: f32 = 2.1;
/// The minimum width of a tile, in points. If the window is too small for all tiles, they are scrolled.
const MIN_TILE_WIDTH: f32 = 300.0;
/// The space between tiles and inside them, in points.
const TILE_GAP: f32 = 8.0;
/// The corner radius of a tile, in points.
const TILE_RADIUS: f32 = 8.0;
/// The minimum loss of a last move whose game is highlighted, in points of win rate.
const MIN_LOSS_POINTS: u8 = 10;
/// The minimum size of a bar in the full layout, in points. A smaller bar has the compact layout.
const MIN_FULL_BAR_SIZE: Vec2 = vec2(360.0, 170.0);
/// The maximum width of a board, as a fraction of the width inside its tile.
const MAX_BOARD_FRACTION: f32 = 0.46;

/// A game on the desk.
#[derive(Clone, Copy, Debug)]
pub struct DeskGame<'a> {
    /// The unique number of the game.
    pub number: usize,
    /// The contents of the game's bar.
    pub view: &'a BarView,
    /// The game up to now; `None` where only numbers are shown.
    pub history: Option<&'a History>,
    /// Whether the game is over, even if an earlier position is shown.
    pub is_over: bool,
}

/// The contents of the desk.
#[derive(Clone, Copy, Debug)]
pub struct DeskView<'a> {
    /// The games, each with a tile.
    pub games: &'a [DeskGame<'a>],
    /// The number of the game on the program's bar; `None` if it is not on the desk.
    pub current_number: Option<usize>,
    /// Each game's share of the engines, in words; empty if the games do not share engines.
    pub engine_share_text: &'a str,
    /// The number of swings: moves with a large loss.
    pub swing_count: usize,
    /// The swings, one per line; empty unless [`Desk::shows_swings`].
    pub swing_lines: &'a [String],
}

/// A user action on the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeskAction {
    /// Show the game of this number on the bar.
    Show(usize),
    /// Copy the list of swings to the clipboard.
    CopySwings,
}

/// The state of the desk between frames.
#[derive(Debug, Default)]
pub struct Desk {
    /// The bar of each game, by its number.
    bars: BTreeMap<usize, Overlay>,
    /// The number of the game that is shown without the others; `None` if all games are shown.
    focused_number: Option<usize>,
    /// Whether the swings are listed.
    shows_swings: bool,
}

impl Desk {
    /// Returns whether the swings, the moves with a large loss, are listed.
    pub const fn shows_swings(&self) -> bool {
        self.shows_swings
    }

    /// Draws the desk over all of `ui`. Returns the user's action.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        view: &DeskView<'_>,
        style: &OverlayStyle,
        pacer: FramePacer,
    ) -> Option<DeskAction> {
        self.bars
            .retain(|number, _| view.games.iter().any(|game| game.number == *number));
        self.focused_number
            .take_if(|focus| !view.games.iter().any(|game| game.number == *focus));
        if ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape)) {
            self.focused_number = None;
        }
        let shown: Vec<_> = self.games_to_show(view.games, view.current_number);
        let mut action = None;
        let frame = Frame::NONE.inner_margin(Margin::same(8));
        Panel::top("desk-head")
            .frame(frame)
            .show_separator_line(false)
            .show(ui, |ui| {
                ui.horizontal(|ui| self.show_head(ui, view, shown.len(), style));
            });
        if self.shows_swings {
            Panel::bottom("desk-swings")
                .frame(frame)
                .resizable(true)
                .default_size(140.0)
                .show(ui, |ui| {
                    action = show_swings(ui, view.swing_lines, style.lang);
                });
        }
        let worst_game_number = worst_game_number(view.games);
        let chosen = ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let width = ui.available_width();
            let (columns, size) =
                arrange_tiles(shown.len(), vec2(width - 2.0 * TILE_GAP, ui.available_height()));
            let rows = shown.len().div_ceil(columns);
            let (room, _) =
                ui.allocate_exact_size(vec2(width, (size.y + TILE_GAP) * rows as f32), Sense::hover());
            let left =
                room.left() + (room.width() - (size.x + TILE_GAP) * columns as f32 + TILE_GAP).max(0.0) / 2.0;
            let mut chosen = None;
            for (at, game) in shown.iter().enumerate() {
                let offset =
                    vec2((at % columns) as f32, (at / columns) as f32) * (size + Vec2::splat(TILE_GAP));
                let rect = Rect::from_min_size(pos2(left, room.top()) + offset, size);
                if !ui.is_rect_visible(rect) {
                    continue;
                }
                let highlight = TileHighlight::new(
                    game.number,
                    worst_game_number,
                    if view.games.len() > 1 {
                        view.current_number
                    } else {
                        None
                    },
                );
                let bar = self
                    .bars
                    .entry(game.number)
                    .or_insert_with(|| Overlay::new(pacer));
                if show_tile(ui, game, highlight, bar, style, rect) {
                    chosen = Some(game.number);
                }
            }
            chosen
        });
        if let Some(number) = chosen.inner {
            let was_focused = self.focused_number == Some(number);
            self.focused_number = (!was_focused && view.games.len() > 1).then_some(number);
            return (!was_focused).then_some(DeskAction::Show(number));
        }
        action
    }

    /// Returns the games to show: the focused game alone, or else at most [`MAX_BOARDS`] games. If there are more, the
    /// game on the bar comes first, then games in progress, then games with values.
    fn games_to_show<'a>(&self, games: &'a [DeskGame<'a>], current: Option<usize>) -> Vec<DeskGame<'a>> {
        let mut shown: Vec<_> = games
            .iter()
            .filter(|game| self.focused_number.is_none_or(|focus| focus == game.number))
            .copied()
            .collect();
        if shown.len() > MAX_BOARDS {
            // Equal games keep their order.
            shown.sort_by_key(|game| {
                (
                    Some(game.number) != current,
                    game.is_over,
                    game.view.share.is_none(),
                )
            });
            shown.truncate(MAX_BOARDS);
        }
        shown
    }

    /// Draws the line above the boards: the numbers of games, the share of the engines, and buttons.
    fn show_head(&mut self, ui: &mut Ui, view: &DeskView<'_>, shown: usize, style: &OverlayStyle) {
        let (lang, theme) = (style.lang, &style.theme);
        let over = view.games.iter().filter(|game| game.is_over).count();
        let count = |word: DeskWord, count: usize| {
            RichText::new(format!("{} {count}", word.text(lang))).color(theme.text)
        };
        let quiet = |text: String| RichText::new(text).color(theme.quiet);
        ui.label(count(DeskWord::Playing, view.games.len() - over));
        if over > 0 {
            ui.label(count(DeskWord::Over, over));
        }
        if self.focused_number.is_none() && view.games.len() > shown {
            ui.label(quiet(
                DeskWord::More
                    .text(lang)
                    .replace("{}", &(view.games.len() - shown).to_string()),
            ));
        }
        ui.label(quiet(view.engine_share_text.to_owned()));
        ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
            let text = format!("{} {}", DeskWord::Swings.text(lang), view.swing_count);
            if ui.add(Button::selectable(self.shows_swings, text)).clicked() {
                self.shows_swings ^= true;
            }
            if self.focused_number.is_some() && ui.button(DeskWord::All.text(lang)).clicked() {
                self.focused_number = None;
            }
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TileHighlight {
    /// The last move of the game had the largest loss.
    LargestLoss,
    /// The game is on the bar.
    Current,
    Other,
}

impl TileHighlight {
    /// Creates the highlight of a game's tile. `worst_game` had the largest loss; `current` is on the bar.
    fn new(number: usize, worst_game: Option<usize>, current: Option<usize>) -> Self {
        match Some(number) {
            number if number == worst_game => Self::LargestLoss,
            number if number == current => Self::Current,
            _ => Self::Other,
        }
    }

    const fn stroke(self, theme: &PaintTheme) -> Stroke {
        match self {
            Self::LargestLoss => Stroke {
                width: 3.0,
                color: theme.seam,
            },
            Self::Current => Stroke {
                width: 2.0,
                color: theme.quiet,
            },
            Self::Other => Stroke {
                width: 1.0,
                color: theme.separator,
            },
        }
    }
}

/// Returns the number of the game whose last move had the largest loss; `None` without a large loss, or with only one
/// game.
fn worst_game_number(games: &[DeskGame<'_>]) -> Option<usize> {
    if games.len() < 2 {
        return None;
    }
    // Of equal losses, the first counts.
    let worst = games
        .iter()
        .filter_map(|game| {
            Some((game.view.last_loss?, game.number)).filter(|(loss, _)| *loss >= MIN_LOSS_POINTS)
        })
        .max_by_key(|(loss, number)| (*loss, std::cmp::Reverse(*number)));
    worst.map(|(_, number)| number)
}

/// Returns the number of columns and the size of a tile. The tiles are as large as fits `room`. If they would be
/// narrower than [`MIN_TILE_WIDTH`], as many columns as have this width are used, and the tiles are scrolled.
fn arrange_tiles(count: usize, room: Vec2) -> (usize, Vec2) {
    let width = |columns: usize| (room.x + TILE_GAP) / columns as f32 - TILE_GAP;
    let size = |columns: usize| {
        vec2(
            width(columns),
            (room.y / count.div_ceil(columns) as f32 - TILE_GAP).max(1.0),
        )
    };
    let scale = |columns: &usize| size(*columns).y.min(width(*columns) / TILE_ASPECT_RATIO);
    let columns = || 1..=count.max(1);
    let best = columns()
        .rev()
        .max_by(|one, other| scale(one).total_cmp(&scale(other)))
        .unwrap_or(1);
    // A tile much higher or wider than its contents would seem empty, so the shape is limited.
    let fitted = {
        let size = size(best);
        vec2(
            size.x.min(size.y * TILE_ASPECT_RATIO * 1.25),
            size.y.min(size.x / TILE_ASPECT_RATIO * 1.25),
        )
    };
    if fitted.x >= MIN_TILE_WIDTH {
        return (best, fitted);
    }
    let columns = columns()
        .rev()
        .find(|columns| width(*columns) >= MIN_TILE_WIDTH)
        .unwrap_or(1);
    (columns, vec2(width(columns), width(columns) / TILE_ASPECT_RATIO))
}

/// Draws a game. Returns whether it was clicked.
fn show_tile(
    ui: &mut Ui,
    game: &DeskGame<'_>,
    highlight: TileHighlight,
    bar: &mut Overlay,
    style: &OverlayStyle,
    rect: Rect,
) -> bool {
    let DeskGame { number, view, .. } = *game;
    let background = ui.interact(rect, ui.scope_id().with(("tile", number)), Sense::click());
    let label = format!("{} – {}", view.black.name, view.white.name);
    background.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    ui.painter()
        .rect_filled(rect, TILE_RADIUS, style.theme.panel.to_opaque());
    let inside = rect.shrink(TILE_GAP);
    let mut beside = inside;
    if let Some(history) = game.history {
        let board = board_view(history, style.lang);
        let pixels_per_point = ui.pixels_per_point();
        let size = size_within(
            &board,
            vec2(inside.width() * MAX_BOARD_FRACTION, inside.height()),
            pixels_per_point,
        );
        let board_rect = Rect::from_min_size(pos2(inside.left(), inside.center().y - size.y / 2.0), size);
        let shapes = ui.fonts_mut(|fonts| draw(fonts, &board, &style.theme, board_rect));
        ui.painter().extend(shapes);
        beside = inside.with_min_x(board_rect.right() + TILE_GAP);
    }
    let is_small = beside.width() < MIN_FULL_BAR_SIZE.x || beside.height() < MIN_FULL_BAR_SIZE.y;
    let style = OverlayStyle {
        layout: if is_small { Layout::Compact } else { Layout::Full },
        ..style.clone()
    };
    let child = ui.new_child(UiBuilder::new().max_rect(beside).id_salt(("bar", number)));
    let is_empty = view.share.is_none() && view.decided_win.is_none() && view.notice().is_none();
    let noted = is_empty.then(|| BarView {
        notice: Some(BarNotice::new(DeskWord::NoValue.text(style.lang).to_owned())),
        ..view.clone()
    });
    let response = bar.show(&child, noted.as_ref().unwrap_or(view), &style);
    ui.painter().rect_stroke(
        rect,
        TILE_RADIUS,
        highlight.stroke(&style.theme),
        StrokeKind::Inside,
    );
    background.clicked() || response.clicked()
}

/// Returns the view of a game's last position.
fn board_view(history: &History, lang: Lang) -> BoardView<'_> {
    let mut board = BoardView::new(history.now(), lang);
    board.last_move = history.moves().last().copied();
    board.mode = BoardMode::ReadOnly;
    board.style = BoardStyle {
        shows_coordinates: false,
        shows_targets: false,
        ..BoardStyle::default()
    };
    // Names and clocks are on the bar beside the board.
    (board.black, board.white) = (BoardSide::default(), BoardSide::default());
    board
}

/// Draws the list of swings. Returns the user's action.
fn show_swings(ui: &mut Ui, lines: &[String], lang: Lang) -> Option<DeskAction> {
    let mut action = None;
    ui.horizontal(|ui| {
        ui.strong(DeskWord::Swings.text(lang));
        if ui
            .add_enabled(!lines.is_empty(), Button::new(DeskWord::Copy.text(lang)))
            .clicked()
        {
            action = Some(DeskAction::CopySwings);
        }
    });
    let text = if lines.is_empty() {
        DeskWord::NoSwings.text(lang).to_owned()
    } else {
        lines.join("\n")
    };
    ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show(ui, |ui| {
            let list = ui.add(Label::new(text).selectable(true));
            set_accessible_label(&list, DeskWord::Swings.text(lang));
        });
    action
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fonts, theme};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;
    use shogibar_shogi::{Color, Position};

    #[test]
    fn tiles_fill_the_window_or_are_scrolled() {
        for (count, room, columns) in [
            (1, [1200.0, 700.0], 1),
            (4, [1200.0, 700.0], 2),
            (12, [1900.0, 1000.0], 3),
        ] {
            let (found, size) = arrange_tiles(count, Vec2::from(room));
            assert_eq!(found, columns, "{count} in {room:?}");
            let rows = count.div_ceil(columns) as f32;
            assert!(
                size.x * columns as f32 <= room[0] && (size.y + TILE_GAP) * rows <= room[1],
                "{count}: {size:?}"
            );
        }
        let (columns, size) = arrange_tiles(12, vec2(500.0, 300.0));
        assert!(columns == 1 && size.x >= MIN_TILE_WIDTH, "{columns} {size:?}");
    }

    #[test]
    fn a_click_shows_a_game_alone_and_on_the_bar() {
        let view = |name: &str, loss: Option<u8>| {
            let mut view = BarView {
                last_loss: loss,
                to_move: Some(Color::Black),
                ..BarView::default()
            };
            (view.black.name, view.white.name) = (format!("{name} b"), format!("{name} w"));
            view
        };
        let views = [
            view("first", Some(12)),
            view("second", Some(30)),
            view("third", None),
        ];
        let history = History::new(Position::startpos());
        let games: Vec<_> = views
            .iter()
            .enumerate()
            .map(|(at, view)| DeskGame {
                number: at + 1,
                view,
                history: Some(&history),
                is_over: false,
            })
            .collect();
        assert_eq!(worst_game_number(&games), Some(2));
        assert_eq!(
            worst_game_number(&games[1..2]),
            None,
            "alone it stands out anyway"
        );
        let style = OverlayStyle::new(theme::ink(), Lang::En);
        let desk = DeskView {
            games: &games,
            current_number: Some(1),
            engine_share_text: "",
            swing_count: 1,
            swing_lines: &["a swing".to_owned()],
        };
        let mut window = Harness::builder()
            .with_size([900.0, 700.0])
            .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
            .build_ui_state(
                |ui: &mut Ui, (shown, actions): &mut (Desk, Vec<DeskAction>)| {
                    actions.extend(shown.show(ui, &desk, &style, FramePacer::Processor));
                },
                (Desk::default(), Vec::new()),
            );
        window.get_by_label("Playing 3");
        window.get_by_label("second b – second w").click();
        window.run();
        assert_eq!(window.state().1, [DeskAction::Show(2)]);
        assert!(
            window.query_by_label("first b – first w").is_none(),
            "it is alone"
        );
        window.get_by_label("Show all").click();
        window.run();
        window.get_by_label("first b – first w");
        window.get_by_label("Swings 1").click();
        window.run();
        window.get_by_label("Copy").click();
        window.run();
        assert_eq!(window.state().1[1..], [DeskAction::CopySwings]);
    }
}
