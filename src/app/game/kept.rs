//! The values that were shown for the positions of a game.

use crate::observer::SearchInfo;
use crate::shogi::History;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of positions with values. More than a long game with its variations has.
const MAX_POSITIONS: usize = 5000;

/// The deepest values that were shown for each position, by engine. A position is known by the moves that led to it, so a
/// value stays with its move when the record is edited or a move is taken back.
#[derive(Debug, Default)]
pub(super) struct KeptValues(HashMap<Arc<History>, Vec<(String, SearchInfo)>>);

impl KeptValues {
    /// Keeps what an engine has shown for a position. A shallower search does not replace a deeper one.
    pub(super) fn keep(&mut self, engine: &str, info: &SearchInfo) {
        if self.0.len() >= MAX_POSITIONS && !self.0.contains_key(&info.history) {
            return;
        }
        let values = self.0.entry(Arc::clone(&info.history)).or_default();
        match values.iter_mut().find(|(name, _)| name == engine) {
            Some((_, known)) if known.stats.depth > info.stats.depth => {}
            Some((_, known)) => known.clone_from(info),
            None => values.push((engine.to_owned(), info.clone())),
        }
    }

    /// Forgets what an engine has shown.
    pub(super) fn forget(&mut self, engine: &str) {
        self.0.values_mut().for_each(|values| values.retain(|(name, _)| name != engine));
        self.0.retain(|_, values| !values.is_empty());
    }

    /// What an engine has shown for a position.
    pub(super) fn get(&self, engine: &str, history: &History) -> Option<&SearchInfo> {
        let (_, info) = self.0.get(history)?.iter().find(|(name, _)| name == engine)?;
        Some(info)
    }
}
