//! The net's accumulators along the current line of the search. An accumulator is computed only when a value is
//! requested: many positions of a search need none.
#![expect(
    clippy::indexing_slicing,
    reason = "there are more entries than plies of a search"
)]

use super::net::{Accumulator, MAX_UNITS, Net, NetBase, SideChange, changes};
use rsshogi::board::Position;
use rsshogi::types::{Color, Move32};

/// The accumulators at a ply, those of Black first.
#[derive(Clone, Copy)]
struct PlyAccumulators {
    values: [Accumulator; 2],
    /// Whether the values are computed.
    is_ready: [bool; 2],
    /// The changes of both sides' inputs by the move to this ply.
    changes: [SideChange; 2],
}

/// The accumulators of each ply of a line.
pub(super) struct Accumulators<'a> {
    net: &'a Net,
    plies: Vec<PlyAccumulators>,
}

impl<'a> Accumulators<'a> {
    /// Creates the accumulators for a search of `plies` plies from `position`.
    pub(super) fn new(net: &'a Net, position: &Position, plies: usize) -> Self {
        let ply = PlyAccumulators {
            values: [[0; MAX_UNITS]; 2],
            is_ready: [false; 2],
            changes: [SideChange::Refresh; 2],
        };
        let mut accumulators = Self {
            net,
            plies: vec![ply; plies],
        };
        accumulators.update(position, 0);
        accumulators
    }

    /// Returns the part of the evaluation that the net's value is added to.
    pub(super) const fn base(&self) -> NetBase {
        self.net.base()
    }

    /// Records a legal move in `position`, from `ply` to the next one.
    pub(super) fn play(&mut self, position: &Position, mv: Move32, ply: usize) {
        let next = &mut self.plies[ply + 1];
        next.is_ready = [false; 2];
        next.changes = changes(position, mv);
    }

    /// Records a null move from `ply` to the next one.
    pub(super) fn play_null(&mut self, ply: usize) {
        let next = &mut self.plies[ply + 1];
        next.is_ready = [false; 2];
        next.changes = [SideChange::Unchanged; 2];
    }

    /// Returns the net's value of the position at `ply`, in centipawns as seen by the side to move.
    pub(super) fn value(&mut self, position: &Position, ply: usize) -> i32 {
        self.update(position, ply);
        let [black, white] = &self.plies[ply].values;
        self.net.value(
            position,
            if position.turn() == Color::BLACK {
                [black, white]
            } else {
                [white, black]
            },
        )
    }

    /// Computes the accumulators of the position at `ply`.
    fn update(&mut self, position: &Position, ply: usize) {
        for (side, us) in [Color::BLACK, Color::WHITE].into_iter().enumerate() {
            let mut start = ply;
            while !self.plies[start].is_ready[side]
                && !matches!(self.plies[start].changes[side], SideChange::Refresh)
            {
                start -= 1;
            }
            if !self.plies[start].is_ready[side] {
                let last = &mut self.plies[ply];
                self.net.refresh(position, us, &mut last.values[side]);
                last.is_ready[side] = true;
                continue;
            }
            for at in start + 1..=ply {
                let (before, after) = self.plies.split_at_mut(at);
                let (before, after) = (&before[at - 1], &mut after[0]);
                self.net
                    .apply_change(&before.values[side], after.changes[side], &mut after.values[side]);
                after.is_ready[side] = true;
            }
        }
    }
}
