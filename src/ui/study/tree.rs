//! The variation tree: all lines of the record side by side.

use super::scroll_to_current::{ScrollToCurrent, offset_in_view};
use super::{ROW_HEIGHT, StudyFrame};
use crate::fonts::TextWeight;
use crate::graph::mark_color;
use crate::study_text::accessible_text;
use eframe::egui;
use egui::{
    Align2, Color32, CornerRadius, Pos2, Rect, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use shogibar_games::study::{DocumentEdit, NodeTexts, TreeCell, VariationTree};
use shogibar_kifu::Record;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The width of a column, in points.
const COLUMN_WIDTH: f32 = 96.0;

/// The state of the tree between frames.
#[derive(Debug, Default)]
pub(super) struct TreeList {
    /// The layout. It is computed only while the tree is visible, because the computation takes time for a large
    /// record.
    tree: VariationTree,
    /// The hash of the tree structure for which the layout was computed; `None` before the first layout.
    structure_hash: Option<u64>,
    /// The revision of the record at the last frame; `None` before the first frame.
    revision: Option<u64>,
    words: NodeTexts,
    /// The scrolling of the tree. Its key holds the size of the tree, the size of its area and its id on the page.
    scrolling: ScrollToCurrent<([u32; 2], [u32; 2], egui::Id)>,
    offset: egui::Vec2,
}

impl TreeList {
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let document = frame.view.document;
        // Comments do not change the layout.
        if self.revision.replace(document.revision()) != Some(document.revision()) {
            let structure_hash = Some(structure_hash(document.record()));
            if std::mem::replace(&mut self.structure_hash, structure_hash) != structure_hash {
                self.tree = VariationTree::new(document.record());
            }
        }
        let tree = std::mem::take(&mut self.tree);
        let here = document.current();
        let mut area = ScrollArea::both().auto_shrink(false).id_salt("tree");
        let size = ui.available_size();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "sizes in points"
        )]
        let room = (
            [tree.height() as u32, tree.width()],
            [size.x as u32, size.y as u32],
            ui.scope_id(),
        );
        if self.scrolling.is_due(ui, here, room)
            && let Some((row, column)) = tree.cell_of(here)
        {
            let down = offset_in_view(self.offset.y, (row as usize, tree.height()), size.y);
            let left = column as f32 * COLUMN_WIDTH;
            let is_seen = self.offset.x <= left && left + COLUMN_WIDTH <= self.offset.x + size.x;
            let across = if is_seen {
                self.offset.x
            } else {
                (left - size.x / 2.0).max(0.0)
            };
            area = area.scroll_offset(vec2(across, down));
        }
        let size = vec2(
            tree.width() as f32 * COLUMN_WIDTH,
            tree.height() as f32 * ROW_HEIGHT,
        );
        let shown = area.show_viewport(ui, |ui, seen| {
            let (all, _) = ui.allocate_exact_size(size, Sense::hover());
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "rows of a list"
            )]
            let [first, last] =
                [seen.top() / ROW_HEIGHT, seen.bottom() / ROW_HEIGHT + 1.0].map(|row| row.max(0.0) as usize);
            let rows = first..=last.min(tree.height().saturating_sub(1));
            let cells: Vec<_> = rows
                .flat_map(|row| tree.row(row))
                .filter(|cell| {
                    let left = cell.column as f32 * COLUMN_WIDTH;
                    left + COLUMN_WIDTH >= seen.left() && left <= seen.right()
                })
                .copied()
                .collect();
            let mut lines = cells.clone();
            lines.sort_by_key(|cell| (cell.column, cell.row));
            self.words
                .update(document, frame.lang, lines.iter().map(|cell| cell.node));
            for cell in cells {
                self.show_cell(ui, frame, &tree, cell, all.min);
            }
        });
        self.offset = shown.state.clamped_offset();
        self.tree = tree;
    }

    fn show_cell(
        &self,
        ui: &Ui,
        frame: &mut StudyFrame<'_>,
        tree: &VariationTree,
        cell: TreeCell,
        origin: Pos2,
    ) {
        let (document, theme) = (frame.view.document, frame.theme);
        let at = |row: u32, column: u32| origin + vec2(column as f32 * COLUMN_WIDTH, row as f32 * ROW_HEIGHT);
        let rect = Rect::from_min_size(at(cell.row, cell.column), vec2(COLUMN_WIDTH, ROW_HEIGHT));
        let stroke = Stroke::new(1.5, theme.separator);
        // The edge from the previous move. A variation branches off at that move.
        if let Some((row, column)) = document
            .record()
            .parent(cell.node)
            .and_then(|parent| tree.cell_of(parent))
        {
            let from = at(row, column) + vec2(8.0, ROW_HEIGHT - 4.0);
            let to = rect.left_top() + vec2(8.0, 4.0);
            ui.painter()
                .add(egui::Shape::line(vec![from, pos2(to.x, from.y), to], stroke));
        }
        let word = self.words.get(cell.node);
        let mark = if frame.view.bar.is_hidden {
            None
        } else {
            frame.view.insight.mark(cell.node)
        };
        let response = ui.interact(rect, ui.scope_id().with(cell.node), Sense::click());
        let is_here = document.current() == cell.node;
        response.widget_info(|| {
            let value = frame
                .value_text(cell.node)
                .map(|(value, _)| value)
                .unwrap_or_default();
            let mark = mark.map_or("", |mark| mark.label().text(frame.lang));
            let label = accessible_text(
                &format!("{} {word}", cell.row),
                &[&value, mark],
                false,
                0,
                frame.lang,
            );
            WidgetInfo::selected(Role::Button, true, is_here, label)
        });
        let on_line = cell.row == 0 || document.line().get(cell.row as usize - 1) == Some(&cell.node);
        let background = match (is_here, response.hovered()) {
            (true, _) => theme.accent,
            (false, true) => theme.rail,
            (false, false) => Color32::TRANSPARENT,
        };
        let color = match (is_here, on_line) {
            (true, _) => theme.on_accent,
            (false, true) => theme.text,
            (false, false) => theme.quiet,
        };
        let inner = rect.shrink2(vec2(2.0, 2.0));
        ui.painter().rect_filled(inner, CornerRadius::same(4), background);
        let painter = ui.painter_at(rect);
        painter.text(
            inner.left_center() + vec2(14.0, 0.0),
            Align2::LEFT_CENTER,
            word,
            TextWeight::Regular.at(13.5),
            color,
        );
        painter.circle_filled(
            inner.left_center() + vec2(6.0, 0.0),
            2.5,
            mark.map_or(color, |mark| mark_color(mark, theme)),
        );
        if response.clicked() {
            frame.act(DocumentEdit::Go(cell.node));
        }
        response.context_menu(|ui| super::comment::show_branch_menu(ui, frame, cell.node));
    }
}

fn structure_hash(record: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    record
        .all()
        .for_each(|node| (node, record.parent(node)).hash(&mut hasher));
    hasher.finish()
}
