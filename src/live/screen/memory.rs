//! The piece sets that all sources on the screen share.

use crate::threads::lock;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::templates::Templates;
use std::fmt;
use std::sync::Mutex;

/// The piece sets that were read surely, shared by all sources on the screen and stored by the program.
pub struct PieceMemory {
    sets: Mutex<VersionedSets>,
    /// Stores the file of the sets.
    store: StoreFn,
}

/// Stores a file.
type StoreFn = Box<dyn Fn(&[u8]) + Send + Sync>;

/// Piece sets with the number of their changes.
#[derive(Clone, Debug, Default)]
struct VersionedSets {
    sets: PieceSets,
    version: u64,
    /// The version that is stored.
    stored: u64,
}

impl PieceMemory {
    /// Creates the memory of these sets. `store` is called on the thread of a source, or of whoever forgets.
    pub fn new(sets: PieceSets, store: impl Fn(&[u8]) + Send + Sync + 'static) -> Self {
        Self { sets: Mutex::new(VersionedSets { sets, ..VersionedSets::default() }), store: Box::new(store) }
    }

    /// Returns the sets and their version, where it is not `known`.
    pub(crate) fn newer_than(&self, known: Option<u64>) -> Option<(PieceSets, u64)> {
        let sets = lock(&self.sets);
        (Some(sets.version) != known).then(|| (sets.sets.clone(), sets.version))
    }

    /// Remembers a set until the next call of [`Self::save`].
    pub(crate) fn keep(&self, set: Templates) {
        let mut sets = lock(&self.sets);
        if sets.sets.keep(set) {
            sets.version += 1;
        }
    }

    /// Stores the sets, where they have changed.
    pub(crate) fn save(&self) {
        let bytes = {
            let mut sets = lock(&self.sets);
            if sets.stored == sets.version {
                return;
            }
            sets.stored = sets.version;
            sets.sets.to_bytes()
        };
        (self.store)(&bytes);
    }

    /// Forgets all sets, and stores that.
    pub fn forget(&self) {
        {
            let mut sets = lock(&self.sets);
            sets.sets = PieceSets::default();
            sets.version += 1;
        }
        self.save();
    }
}

impl Default for PieceMemory {
    /// A memory without sets, which nothing stores.
    fn default() -> Self {
        Self::new(PieceSets::default(), |_| {})
    }
}

impl fmt::Debug for PieceMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PieceMemory").field("sets", &self.sets).finish_non_exhaustive()
    }
}
