//! The piece sets that all sources on the screen share, with their current and their stored version.

use crate::threads::lock;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::templates::Templates;
use std::fmt;
use std::sync::Mutex;

/// The piece sets that were read with certainty. All sources on the screen share them, and the program stores them.
pub struct SharedPieces {
    /// The sets; `None` until a source needs them.
    sets: Mutex<Option<VersionedSets>>,
    /// Reads the stored sets.
    load: Box<dyn Fn() -> PieceSets + Send + Sync>,
    store: StoreFn,
}

/// The function that stores the learnt piece sets as a file.
type StoreFn = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The learnt piece sets and their version.
#[derive(Clone, Debug, Default)]
struct VersionedSets {
    sets: PieceSets,
    version: u64,
    /// The version that is stored.
    stored_version: u64,
}

impl SharedPieces {
    /// Creates the sets. `load` is called once, on the thread of the first source. `store` is called on the thread of a
    /// source, or of the caller of [`Self::forget`].
    pub fn new(
        load: impl Fn() -> PieceSets + Send + Sync + 'static,
        store: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Self {
        Self { sets: Mutex::default(), load: Box::new(load), store: Box::new(store) }
    }

    /// Calls `work` with the sets. The first call reads the disk.
    fn with_sets<R>(&self, work: impl FnOnce(&mut VersionedSets) -> R) -> R {
        let mut sets = lock(&self.sets);
        work(sets.get_or_insert_with(|| VersionedSets { sets: (self.load)(), ..VersionedSets::default() }))
    }

    /// Returns the sets and their version; `None` if that is the version `known`. The first call reads the disk.
    pub fn newer_than(&self, known: Option<u64>) -> Option<(PieceSets, u64)> {
        self.with_sets(|sets| (Some(sets.version) != known).then(|| (sets.sets.clone(), sets.version)))
    }

    /// Adds a set. The next call of [`Self::save`] stores it.
    pub(crate) fn insert(&self, set: Templates) {
        self.with_sets(|sets| sets.version += u64::from(sets.sets.insert(set)));
    }

    /// Stores the sets, where they have changed. Returns whether they have.
    pub(crate) fn save(&self) -> bool {
        // The sets stay locked meanwhile: an older version never replaces a newer one on the disk.
        self.with_sets(|sets| {
            let is_changed = std::mem::replace(&mut sets.stored_version, sets.version) != sets.version;
            if is_changed {
                (self.store)(&sets.sets.to_bytes());
            }
            is_changed
        })
    }

    /// Removes all sets, also from the disk. Blocks until they are stored.
    pub fn forget(&self) {
        self.with_sets(|sets| {
            sets.sets = PieceSets::default();
            sets.version += 1;
        });
        self.save();
    }
}

impl Default for SharedPieces {
    /// Creates an empty collection without storage.
    fn default() -> Self {
        Self::new(PieceSets::default, |_| {})
    }
}

impl fmt::Debug for SharedPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedPieces").field("sets", &self.sets).finish_non_exhaustive()
    }
}
