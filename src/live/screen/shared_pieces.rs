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

/// The function that changes the stored piece sets. Another program may have stored sets since they were read here.
type StoreFn = Box<dyn Fn(&dyn Fn(&mut PieceSets)) + Send + Sync>;

/// The learnt piece sets and their version.
#[derive(Clone, Debug, Default)]
struct VersionedSets {
    sets: PieceSets,
    version: u64,
    /// The learnt sets that are not stored yet.
    unsaved_sets: Vec<Templates>,
}

impl SharedPieces {
    /// Creates the sets. `load` is called once, on the thread of the first source. `store` changes the stored sets by a
    /// function; it is called on the thread of a source, or of the caller of [`Self::forget`].
    pub fn new(
        load: impl Fn() -> PieceSets + Send + Sync + 'static,
        store: impl Fn(&dyn Fn(&mut PieceSets)) + Send + Sync + 'static,
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
        self.with_sets(|sets| {
            if sets.sets.insert(set.clone()) {
                sets.version += 1;
                sets.unsaved_sets.push(set);
            }
        });
    }

    /// Adds the sets learnt since the last call to the stored ones. Returns whether there are any.
    pub(crate) fn save(&self) -> bool {
        // The sets stay locked meanwhile, so that none is stored after `forget`.
        self.with_sets(|sets| {
            let learned = std::mem::take(&mut sets.unsaved_sets);
            if !learned.is_empty() {
                (self.store)(&|stored| stored.extend(&learned));
            }
            !learned.is_empty()
        })
    }

    /// Removes all sets, also from the disk. Blocks until they are removed.
    pub fn forget(&self) {
        self.with_sets(|sets| {
            *sets = VersionedSets { version: sets.version + 1, ..VersionedSets::default() };
            (self.store)(&|stored| *stored = PieceSets::default());
        });
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
