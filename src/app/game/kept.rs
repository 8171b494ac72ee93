//! The values that were shown for the positions of a game.

use crate::observer::SearchInfo;
use crate::score::Model;
use crate::shogi::{History, Move, Position};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

/// The maximum number of positions with values. More than a long game with its variations has.
const MAX_POSITIONS: usize = 5000;

/// The deepest values that were shown for each position, by engine. A position is known by the moves that led to it, so a
/// value stays with its move when the record is edited or a move is taken back.
#[derive(Debug, Default)]
pub(super) struct KeptValues {
    values: HashMap<Arc<History>, Vec<(String, SearchInfo)>>,
    /// Black's share at each position, by the start and the moves that led to it, and the depth it is from.
    shares: HashMap<u64, (f32, u32)>,
}

/// A position of a game as a number: its start, then each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlaceKey(u64);

impl PlaceKey {
    fn start(position: &Position) -> Self {
        Self(hash(&position.sfen()))
    }

    fn after(self, mv: Move) -> Self {
        Self(hash(&(self.0, mv)))
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl KeptValues {
    /// Keeps what an engine has shown for a position. A shallower search does not replace a deeper one.
    pub(super) fn keep(&mut self, engine: &str, info: &SearchInfo, model: Model) {
        if self.values.len() >= MAX_POSITIONS && !self.values.contains_key(&info.history) {
            return;
        }
        if let Some(best) = info.best() {
            let history = &info.history;
            let key = history.moves().iter().fold(PlaceKey::start(history.start()), |key, mv| key.after(*mv));
            #[expect(clippy::cast_possible_truncation, reason = "a share of the bar needs no more than f32 holds")]
            let share = (model.win_rate(best.value) as f32, info.stats.depth.unwrap_or(0));
            let known = self.shares.entry(key.0).or_insert(share);
            if share.1 >= known.1 {
                *known = share;
            }
        }
        let values = self.values.entry(Arc::clone(&info.history)).or_default();
        match values.iter_mut().find(|(name, _)| name == engine) {
            Some((_, known)) if known.stats.depth > info.stats.depth => {}
            Some((_, known)) => known.clone_from(info),
            None => values.push((engine.to_owned(), info.clone())),
        }
    }

    /// Forgets what an engine has shown.
    pub(super) fn forget(&mut self, engine: &str) {
        self.values.values_mut().for_each(|values| values.retain(|(name, _)| name != engine));
        self.values.retain(|_, values| !values.is_empty());
    }

    /// What an engine has shown for a position.
    pub(super) fn get(&self, engine: &str, history: &History) -> Option<&SearchInfo> {
        let (_, info) = self.values.get(history)?.iter().find(|(name, _)| name == engine)?;
        Some(info)
    }

    /// Black's shares by ply, from 0, along a line of moves; `None` for a position without a value.
    pub(super) fn shares(&self, start: &Position, moves: impl Iterator<Item = Move>) -> Vec<Option<f32>> {
        let mut key = PlaceKey::start(start);
        let share = |key: PlaceKey| self.shares.get(&key.0).map(|(share, _)| *share);
        let mut shares = vec![share(key)];
        for mv in moves {
            key = key.after(mv);
            shares.push(share(key));
        }
        shares
    }
}
