//! The piece sets that all sources on the screen share.

use shogibar_base::threads::lock;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::templates::Templates;
use std::fmt;
use std::sync::Mutex;

/// The storage of the piece sets. Another program may change it, too.
pub trait PieceStorage: Send + Sync {
    /// Reads the stored sets; none if they cannot be read.
    fn load(&self) -> PieceSets;

    /// Adds sets to the stored ones. Returns whether they are stored.
    fn add(&self, sets: &PieceSets) -> bool;

    /// Removes all sets.
    fn clear(&self);
}

/// The piece sets that were read with certainty. All sources on the screen share them.
#[derive(Default)]
pub struct SharedPieces {
    /// The sets; `None` until a source needs them.
    sets: Mutex<Option<VersionedSets>>,
    /// The storage. Without one, the sets last as long as the program.
    storage: Option<Box<dyn PieceStorage>>,
    /// Locked while the storage is changed.
    storing: Mutex<()>,
}

/// The learnt piece sets and their version.
#[derive(Clone, Debug, Default)]
struct VersionedSets {
    sets: PieceSets,
    version: u64,
    /// The version at the last removal of all sets.
    forgotten_version: u64,
    /// The learnt sets that are not stored yet.
    unsaved: PieceSets,
}

impl SharedPieces {
    /// Creates the sets. The storage is read once, on the thread of the first source. It is changed on the thread of a
    /// source, or of the caller of [`Self::forget`].
    pub fn new(storage: impl PieceStorage + 'static) -> Self {
        Self {
            storage: Some(Box::new(storage)),
            ..Self::default()
        }
    }

    /// Calls `work` with the sets. The first call reads the disk.
    fn with_sets<R>(&self, work: impl FnOnce(&mut VersionedSets) -> R) -> R {
        let load = || {
            self.storage
                .as_ref()
                .map(|storage| storage.load())
                .unwrap_or_default()
        };
        let mut sets = lock(&self.sets);
        work(sets.get_or_insert_with(|| VersionedSets {
            sets: load(),
            ..VersionedSets::default()
        }))
    }

    /// Returns the sets and their version; `None` if that is the version `known`. The first call reads the disk.
    pub fn newer_than(&self, known: Option<u64>) -> Option<(PieceSets, u64)> {
        self.with_sets(|sets| (Some(sets.version) != known).then(|| (sets.sets.clone(), sets.version)))
    }

    /// Adds a set that was learnt with the sets of the version `known`. The next call of [`Self::save`] stores it. A set
    /// from before the last [`Self::forget`] is dropped.
    pub(crate) fn insert(&self, set: Templates, known: Option<u64>) {
        self.with_sets(|sets| {
            if known >= Some(sets.forgotten_version) && sets.sets.insert(set.clone()) {
                sets.version += 1;
                sets.unsaved.insert(set);
            }
        });
    }

    /// Tries to store the sets that were learnt since they were last stored. Returns whether there are any.
    pub(crate) fn save(&self) -> bool {
        let Some(storage) = &self.storage else {
            return false;
        };
        let _storing = lock(&self.storing);
        let (unsaved, version) = self.with_sets(|sets| (sets.unsaved.clone(), sets.version));
        if !unsaved.is_empty() && storage.add(&unsaved) {
            self.with_sets(|sets| {
                if sets.version == version {
                    sets.unsaved = PieceSets::default();
                }
            });
        }
        !unsaved.is_empty()
    }

    /// Removes all sets, also from the storage. Blocks until they are removed.
    pub fn forget(&self) {
        let _storing = lock(&self.storing);
        self.with_sets(|sets| {
            let version = sets.version + 1;
            *sets = VersionedSets {
                version,
                forgotten_version: version,
                ..VersionedSets::default()
            };
        });
        if let Some(storage) = &self.storage {
            storage.clear();
        }
    }
}

impl fmt::Debug for SharedPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedPieces")
            .field("sets", &self.sets)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_eye::grid::PICTURE_SIDE;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A storage that can refuse sets, as where another program holds the lock.
    #[derive(Clone, Default)]
    struct TestStorage {
        stored: Arc<Mutex<PieceSets>>,
        refuses: Arc<AtomicBool>,
    }

    impl PieceStorage for TestStorage {
        fn load(&self) -> PieceSets {
            lock(&self.stored).clone()
        }

        fn add(&self, sets: &PieceSets) -> bool {
            let takes = !self.refuses.load(Ordering::Relaxed);
            if takes {
                lock(&self.stored).extend(sets);
            }
            takes
        }

        fn clear(&self) {
            *lock(&self.stored) = PieceSets::default();
        }
    }

    /// Returns a set of eight kinds.
    fn set(number: usize) -> Templates {
        let piece = |kind: usize| {
            std::array::from_fn(|index| {
                let (x, y) = (index % PICTURE_SIDE, index / PICTURE_SIDE);
                let sign = (x * (kind + 2) + y * (3 * kind + 1 + number) + number * x * y) / (5 + number % 3);
                if sign.is_multiple_of(2) { 1.0 } else { -1.0 }
            })
        };
        let mut set = Templates::default();
        (1..=8).for_each(|kind| set.learn(kind, &piece(kind)));
        set
    }

    #[test]
    fn two_programs_keep_the_sets_of_each_other() {
        let storage = TestStorage::default();
        let (one, other) = (
            SharedPieces::new(storage.clone()),
            SharedPieces::new(storage.clone()),
        );
        for (program, number) in [(&one, 1), (&other, 2), (&one, 1)] {
            program.insert(set(number), Some(0));
            assert!(program.save());
        }
        assert_eq!(storage.load().len(), 2);
        other.forget();
        assert!(storage.load().is_empty() && !other.save());
    }

    #[test]
    fn sets_that_were_refused_are_stored_later() {
        let storage = TestStorage::default();
        let pieces = SharedPieces::new(storage.clone());
        storage.refuses.store(true, Ordering::Relaxed);
        pieces.insert(set(1), Some(0));
        assert!(pieces.save() && storage.load().is_empty());
        storage.refuses.store(false, Ordering::Relaxed);
        assert!(pieces.save() && storage.load().len() == 1 && !pieces.save());
    }

    #[test]
    fn a_set_that_was_found_before_all_were_forgotten_does_not_come_back() {
        let pieces = SharedPieces::new(TestStorage::default());
        let known = || pieces.newer_than(None).map(|(_, version)| version);
        let before = known();
        pieces.forget();
        pieces.insert(set(1), before);
        assert!(!pieces.save());
        pieces.insert(set(1), known());
        assert!(pieces.save());
    }
}
