//! The layout of the variation tree.

use shogibar_kifu::{NodeId, Record};
use std::collections::HashMap;

/// A node of the record with its cell in the picture of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeCell {
    /// The node of the record.
    pub node: NodeId,
    /// The row, which is the ply: 0 for the start.
    pub row: u32,
    /// The column: 0 for the main line.
    pub column: u32,
}

/// The maximum number of columns that are searched for a free one before a new column is used. The limit keeps the
/// layout fast: a record may have a million variations of one move.
const MAX_SEARCHED_COLUMNS: usize = 64;

/// The layout of a record as a tree: a row for each ply, a column for each line.
#[derive(Debug, Default)]
pub struct VariationTree {
    /// The cells by row, sorted by column.
    rows: Vec<Vec<TreeCell>>,
    /// The row and column of each node.
    cells: HashMap<NodeId, (u32, u32)>,
    columns: u32,
}

impl VariationTree {
    /// Creates the layout of a record. A variation is placed to the right of the line from which it branches. The
    /// variation has the first column that is free in all its rows. Time and memory are linear in the size of the
    /// record.
    pub fn new(record: &Record) -> Self {
        let mut tree = Self::default();
        // The first occupied row of each column. Later branches of a line are placed first, so they are nearest to it.
        let mut first_occupied: Vec<u32> = Vec::new();
        let mut lines = vec![(NodeId::START, 0_u32, None::<u32>)];
        while let Some((first, row, beside)) = lines.pop() {
            let nodes: Vec<_> = std::iter::once(first).chain(record.line_after(first)).collect();
            let length = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
            let from = beside.map_or(0, |column| column + 1);
            let end = row.saturating_add(length);
            let free = first_occupied
                .iter()
                .skip(from as usize)
                .take(MAX_SEARCHED_COLUMNS)
                .position(|taken| *taken >= end);
            let column = free.map_or_else(
                || first_occupied.len().max(from as usize),
                |more| from as usize + more,
            );
            if first_occupied.len() <= column {
                first_occupied.resize(column + 1, u32::MAX);
            }
            if let Some(taken) = first_occupied.get_mut(column) {
                *taken = row;
            }
            let column = u32::try_from(column).unwrap_or(u32::MAX);
            tree.columns = tree.columns.max(column + 1);
            for (row, node) in (row..).zip(nodes) {
                tree.put(TreeCell { node, row, column });
                let beside = if node == first {
                    None
                } else {
                    record.next_sibling(node)
                };
                // The first child of a node adds all its siblings to the stack.
                let variations = std::iter::successors(beside, |node| record.next_sibling(*node));
                let from = lines.len();
                lines.extend(variations.map(|node| (node, row, Some(column))));
                lines.get_mut(from..).unwrap_or_default().reverse();
            }
        }
        for row in &mut tree.rows {
            row.sort_by_key(|cell| cell.column);
        }
        tree
    }

    fn put(&mut self, cell: TreeCell) {
        let row = cell.row as usize;
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        if let Some(row) = self.rows.get_mut(row) {
            row.push(cell);
        }
        self.cells.insert(cell.node, (cell.row, cell.column));
    }

    /// Returns the number of rows.
    pub const fn height(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of columns.
    pub const fn width(&self) -> u32 {
        self.columns
    }

    /// Returns the cells of a row, from left to right.
    pub fn row(&self, row: usize) -> &[TreeCell] {
        self.rows.get(row).map_or(&[], Vec::as_slice)
    }

    /// Returns the row and column of a node; `None` for an unknown node.
    pub fn cell_of(&self, node: NodeId) -> Option<(u32, u32)> {
        self.cells.get(&node).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::HashSet;

    /// Checks the columns of each row with their moves.
    fn check(game: &str, expect: &[&str]) {
        let record = shogibar_kifu::read(format!("手数----指手---------消費時間--\n{game}").as_bytes())
            .unwrap()
            .games
            .remove(0);
        let tree = VariationTree::new(&record);
        let cell = |cell: &TreeCell| {
            let mv = record
                .node(cell.node)
                .mv()
                .map_or_else(|| "-".to_owned(), |mv| mv.to_string());
            format!("{}:{mv}", cell.column)
        };
        let rows: Vec<_> = (0..tree.height())
            .map(|row| tree.row(row).iter().map(cell).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(rows, expect);
        let cells: HashSet<_> = record.all().map(|node| tree.cell_of(node).unwrap()).collect();
        assert_eq!(cells.len(), record.all().count(), "each node has its own cell");
    }

    #[test]
    fn variations_are_placed_side_by_side() {
        check("1 ７六歩(77)\n2 ３四歩(33)\n", &["0:-", "0:7g7f", "0:3c3d"]);
        check(
            "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n\n変化：3手\n3 ６六歩(67)\n\n変化：1手\n1 ２六歩(27)\n",
            &["0:-", "0:7g7f 1:2g2f", "0:3c3d", "0:2g2f 1:6g6f"],
        );
        check(
            "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n\n変化：3手\n3 ６六歩(67)\n\n変化：1手\n1 ２六歩(27)\n2 ８四歩(83)\n3 ７六歩(77)\n",
            &["0:-", "0:7g7f 2:2g2f", "0:3c3d 2:8c8d", "0:2g2f 1:6g6f 2:7g7f"],
        );
        check(
            "1 ７六歩(77)\n2 ３四歩(33)\n\n変化：2手\n2 ８四歩(83)\n\n変化：2手\n2 ４四歩(43)\n",
            &["0:-", "0:7g7f", "0:3c3d 1:8c8d 2:4c4d"],
        );
    }
}
