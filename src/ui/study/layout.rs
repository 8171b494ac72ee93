//! The layout of the parts of the page.

use eframe::egui;
use egui::{Rect, Vec2, pos2, vec2};

/// The sizes that depend on the size of the page, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StudySizes {
    /// The space around the page, and between the board and the cards.
    pub(super) margin: f32,
    /// The gap between cards.
    pub(super) gap: f32,
    /// The width of the bar beside the board.
    bar_width: f32,
    bar_gap: f32,
    /// The height of the row below the board.
    row_height: f32,
}

const LARGE_SIZES: StudySizes = StudySizes {
    margin: 14.0,
    gap: 11.0,
    bar_width: 34.0,
    bar_gap: 12.0,
    row_height: 52.0,
};
const SMALL_SIZES: StudySizes = StudySizes {
    margin: 8.0,
    gap: 8.0,
    bar_width: 24.0,
    bar_gap: 12.0,
    row_height: 40.0,
};

/// The minimum size of a large page, in points.
const MIN_LARGE_PAGE_SIZE: Vec2 = vec2(1000.0, 640.0);
/// The minimum width of the cards, in points.
const MIN_CARDS_WIDTH: f32 = 400.0;
/// The minimum width of the cards, as a fraction of the width of the page.
const MIN_CARDS_FRACTION: f32 = 0.46;
/// The minimum size of the cards with a list beside the notes, in points.
const MIN_COLUMNS_SIZE: Vec2 = vec2(520.0, 560.0);
/// The minimum width of the cards with the comment beside the list and the review, in points.
const MIN_COMMENT_COLUMN_WIDTH: f32 = 940.0;
/// The width of the list of moves, in points.
const LIST_WIDTH: f32 = 258.0;
/// The width of the list of moves on a page with room for the comment beside a review, in points.
const WIDE_LIST_WIDTH: f32 = 292.0;
/// The width of the comment beside a review, in points.
const COMMENT_WIDTH: f32 = 280.0;
/// The height of the list of moves, as a fraction of the height that the candidates leave.
const LIST_HEIGHT_FRACTION: f32 = 0.47;
/// The height that a review needs for two rows of moves, in points.
const REVIEW_HEIGHT: f32 = 280.0;
/// The minimum height that a review leaves to the graph, in points.
const MIN_GRAPH_HEIGHT: f32 = 170.0;
/// The height of the graph above tabs, as a fraction of the height of the cards.
const SMALL_GRAPH_FRACTION: f32 = 0.434;
/// The height of the tabs, in points.
const TABS_HEIGHT: f32 = 36.0;
/// The largest height of the candidates, as a fraction of the height of the cards.
const MAX_CANDIDATES_FRACTION: f32 = 0.4;

/// The parts beside and below the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardParts {
    /// The upright bar.
    pub(super) bar: Rect,
    /// The board with its hands.
    pub(super) board: Rect,
    pub(super) row_below: Rect,
    /// The remaining area, for the cards.
    pub(super) cards: Rect,
}

/// The rectangles of the cards of the study page.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardParts {
    pub(super) graph: Rect,
    pub(super) lower: LowerCards,
}

/// The rectangles of the cards below the graph.
#[derive(Clone, Copy, Debug)]
pub(super) enum LowerCards {
    /// One card at a time; tabs choose which.
    Tabs { tabs: Rect, card: Rect },
    /// The candidates, the list and the notes. On a wide page, a comment has its own area beside a review.
    Beside {
        candidates: Rect,
        list: Rect,
        notes: Rect,
        comment: Option<Rect>,
    },
}

/// The contents of the cards, which decide the heights of the cards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CardContents {
    /// The height that the candidates need, in points.
    pub(super) candidates_height: f32,
    pub(super) has_review: bool,
    /// Whether the current node has a comment.
    pub(super) has_comment: bool,
}

impl StudySizes {
    pub(super) fn new(page: Vec2) -> Self {
        if page.x >= MIN_LARGE_PAGE_SIZE.x && page.y >= MIN_LARGE_PAGE_SIZE.y {
            LARGE_SIZES
        } else {
            SMALL_SIZES
        }
    }

    /// Lays out the board. `size_within` returns the size of the board within an area.
    pub(super) fn layout_board(&self, page: Rect, size_within: impl FnOnce(Vec2) -> Vec2) -> BoardParts {
        let all = page.shrink2(vec2(self.margin, self.margin - 2.0));
        let left = self.bar_width + self.bar_gap;
        let cards = (all.width() * MIN_CARDS_FRACTION)
            .max(MIN_CARDS_WIDTH)
            .min(all.width());
        let room = vec2(
            all.width() - left - self.margin - cards,
            all.height() - self.row_height,
        )
        .max(Vec2::ZERO);
        let size = size_within(room);
        let board = Rect::from_min_size(all.min + vec2(left, 0.0), size);
        BoardParts {
            bar: Rect::from_min_size(all.min, vec2(self.bar_width, size.y)),
            board,
            row_below: Rect::from_min_size(board.left_bottom(), vec2(size.x, self.row_height)),
            cards: all.with_min_x(board.right() + self.margin),
        }
    }

    /// Lays out the cards. The candidates and a review get the height that they need before the graph.
    pub(super) fn layout_cards(&self, all: Rect, contents: CardContents) -> CardParts {
        if all.width() < MIN_COLUMNS_SIZE.x || all.height() < MIN_COLUMNS_SIZE.y {
            let graph = all.with_max_y(all.top() + (all.height() * SMALL_GRAPH_FRACTION).floor());
            let tabs = Rect::from_min_size(
                pos2(all.left(), graph.bottom() + self.gap),
                vec2(all.width(), TABS_HEIGHT),
            );
            return CardParts {
                graph,
                lower: LowerCards::Tabs {
                    tabs,
                    card: all.with_min_y(tabs.bottom() + self.gap),
                },
            };
        }
        let candidates = contents
            .candidates_height
            .min(all.height() * MAX_CANDIDATES_FRACTION);
        let rest = all.height() - candidates - 2.0 * self.gap;
        let review = if contents.has_review {
            REVIEW_HEIGHT.min((rest - MIN_GRAPH_HEIGHT).floor())
        } else {
            0.0
        };
        let list = (rest * LIST_HEIGHT_FRACTION).floor().max(review);
        let graph = all.with_max_y(all.top() + rest - list);
        let candidates = Rect::from_min_size(
            graph.left_bottom() + vec2(0.0, self.gap),
            vec2(all.width(), candidates),
        );
        let below = all.with_min_y(candidates.bottom() + self.gap);
        let is_wide = all.width() >= MIN_COMMENT_COLUMN_WIDTH;
        let list = below.with_max_x(below.left() + if is_wide { WIDE_LIST_WIDTH } else { LIST_WIDTH });
        let beside = below.with_min_x(list.right() + self.gap);
        let has_column = is_wide && contents.has_review && contents.has_comment;
        let comment = has_column.then(|| beside.with_min_x(beside.right() - COMMENT_WIDTH));
        let notes = comment.map_or(beside, |comment| beside.with_max_x(comment.left() - self.gap));
        CardParts {
            graph,
            lower: LowerCards::Beside {
                candidates,
                list,
                notes,
                comment,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the layout of a page whose toolbar is 44 points high. The boards have the proportions of real boards.
    fn layout(width: f32, height: f32, [has_review, has_comment]: [bool; 2]) -> (BoardParts, CardParts) {
        let page = Rect::from_min_max(pos2(0.0, 44.0), pos2(width, height));
        let sizes = StudySizes::new(vec2(width, height));
        let board = |room: Vec2| vec2(9.848, 12.16) * (room.x / 9.848).min(room.y / 12.16).floor();
        let parts = sizes.layout_board(page, board);
        (
            parts,
            sizes.layout_cards(
                parts.cards,
                CardContents {
                    candidates_height: 124.0,
                    has_review,
                    has_comment,
                },
            ),
        )
    }

    #[test]
    fn nothing_overlaps_or_leaves_the_page() {
        let sizes = [
            (1320.0, 840.0),
            (1320.0, 683.0),
            (1920.0, 1080.0),
            (880.0, 600.0),
            (880.0, 400.0),
            (900.0, 1400.0),
        ];
        for ((width, height), has_notes) in sizes.into_iter().flat_map(|size| [(size, false), (size, true)]) {
            let (board, cards) = layout(width, height, [has_notes; 2]);
            let page = Rect::from_min_max(pos2(0.0, 44.0), pos2(width, height));
            let mut parts = vec![board.bar, board.board, board.row_below, cards.graph];
            match cards.lower {
                LowerCards::Tabs { tabs, card } => parts.extend([tabs, card]),
                LowerCards::Beside {
                    candidates,
                    list,
                    notes,
                    comment,
                } => {
                    parts.extend([candidates, list, notes].into_iter().chain(comment));
                }
            }
            for (nth, part) in parts.iter().enumerate() {
                assert!(
                    page.contains_rect(*part) && part.is_positive(),
                    "{width} x {height}: {part}"
                );
                let overlaps = |other: &&Rect| other.shrink(0.5).intersects(part.shrink(0.5));
                assert_eq!(
                    parts.iter().skip(nth + 1).find(overlaps),
                    None,
                    "{width} x {height}: {part}"
                );
            }
        }
    }

    #[test]
    fn parts_have_the_sizes_of_the_pictures() {
        let (board, cards) = layout(1320.0, 840.0, [true; 2]);
        assert!(
            (board.bar.width() - 34.0).abs() < 1.0 && (board.board.width() / 9.848 - 59.0).abs() < 0.5,
            "{board:?}"
        );
        let LowerCards::Beside {
            list, comment: None, ..
        } = cards.lower
        else {
            panic!("{cards:?}")
        };
        assert!(
            (cards.graph.height() - 332.0).abs() < 4.0 && (list.width() - 258.0).abs() < 1.0,
            "{cards:?}"
        );
        let (_, cards) = layout(880.0, 600.0, [true; 2]);
        assert!(matches!(cards.lower, LowerCards::Tabs { .. }), "{cards:?}");
    }

    #[test]
    fn what_has_content_gets_room_before_what_is_empty() {
        let height = |has_review| {
            let (_, cards) = layout(1320.0, 683.0, [has_review, false]);
            let LowerCards::Beside { notes, .. } = cards.lower else {
                panic!("{cards:?}")
            };
            assert!(cards.graph.height() >= MIN_GRAPH_HEIGHT, "{cards:?}");
            notes.height()
        };
        assert!(height(true) >= REVIEW_HEIGHT - 1.0 && height(false) < REVIEW_HEIGHT - 30.0);
        for has_comment in [false, true] {
            let (parts, cards) = layout(1920.0, 1080.0, [true, has_comment]);
            let LowerCards::Beside {
                candidates,
                list,
                comment,
                ..
            } = cards.lower
            else {
                panic!("{cards:?}")
            };
            assert!(
                (candidates.width() - parts.cards.width()).abs() < 1.0,
                "{cards:?}"
            );
            assert!(
                (list.width() - 292.0).abs() < 1.0 && comment.is_some() == has_comment,
                "{cards:?}"
            );
        }
    }
}
