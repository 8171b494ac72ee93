//! The transposition table: results of earlier visits to a position.
#![expect(clippy::indexing_slicing, reason = "indices below the length of a bucket")]

use rsshogi::types::Move;

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableBound {
    /// No score is stored, only a static value.
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// This is the true score.
    Exact,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry {
    /// The best move, or `MOVE_NONE`.
    pub(super) best: Move,
    /// The score; mates count from this position.
    pub(super) score: i16,
    /// The static value, or [`NO_VALUE`] in check.
    pub(super) value: i16,
    /// The depth of the search below it; 0 for the quiescence search.
    pub(super) depth: u8,
    pub(super) bound: TableBound,
}

/// The static value of a position in check.
pub(super) const NO_VALUE: i16 = i16::MIN;

/// The number of slots among which a position can be stored.
const SLOTS: usize = 4;

/// The slots of a bucket: the key of each position and its packed entry in turn.
type Bucket = [u64; 2 * SLOTS];

/// A table with a few slots for each position. The slots are plain integers, so a new table consists of zeroed pages
/// that cost nothing until they are used.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: u8,
}

/// The number of ages before they wrap around (six bits).
const AGES: u8 = 64;

impl TranspositionTable {
    pub(super) fn new(megabytes: usize) -> Self {
        let count = megabytes.max(1) * 1024 * 1024 / size_of::<Bucket>();
        Self { buckets: vec![[0; 2 * SLOTS]; count], age: 0 }
    }

    /// Clears the table. The memory is freed and allocated again, which is faster than
    /// wiping pages that may never have been touched.
    pub(super) fn clear(&mut self) {
        let count = self.buckets.len();
        self.buckets = Vec::new();
        self.buckets = vec![[0; 2 * SLOTS]; count];
        self.age = 0;
    }

    /// Marks all current entries as older than the next ones.
    pub(super) const fn next_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    pub(super) fn get(&self, key: u64) -> Option<TableEntry> {
        let bucket = self.buckets.get(self.index(key))?;
        (0..SLOTS)
            .find(|slot| bucket[2 * slot] == key && bucket[2 * slot + 1] != 0)
            .map(|slot| unpack(bucket[2 * slot + 1]))
    }

    /// Stores an entry in the slot of its position, or in that of the shallowest and oldest one of its bucket. A much
    /// deeper entry of the same position and search stays.
    pub(super) fn put(&mut self, key: u64, entry: TableEntry) {
        let (index, age) = (self.index(key), self.age);
        let Some(bucket) = self.buckets.get_mut(index) else { return };
        let mut chosen = 0;
        let mut least = i32::MAX;
        for slot in 0..SLOTS {
            let packed = bucket[2 * slot + 1];
            if bucket[2 * slot] == key || packed == 0 {
                chosen = slot;
                break;
            }
            let worth = i32::from(unpack(packed).depth) - 8 * i32::from((age + AGES - age_of(packed)) % AGES);
            if worth < least {
                (least, chosen) = (worth, slot);
            }
        }
        let (stored, packed) = (bucket[2 * chosen], bucket[2 * chosen + 1]);
        let mut entry = entry;
        if stored == key && packed != 0 {
            let old = unpack(packed);
            if entry.best == Move::MOVE_NONE {
                entry.best = old.best;
            }
            if entry.bound != TableBound::Exact && age_of(packed) == age && entry.depth.saturating_add(3) < old.depth {
                return;
            }
        }
        (bucket[2 * chosen], bucket[2 * chosen + 1]) = (key, pack(entry, age));
    }

    /// Returns the use of the table, in thousandths, estimated from its first slots.
    pub(super) fn per_mille(&self) -> u32 {
        let packed =
            self.buckets.iter().take(1000 / SLOTS).flat_map(|bucket| bucket.chunks_exact(2).map(|slot| slot[1]));
        let used = packed.filter(|packed| *packed != 0 && age_of(*packed) == self.age);
        u32::try_from(used.count()).unwrap_or(1000)
    }

    /// Maps the whole range of keys onto the buckets.
    #[expect(clippy::cast_possible_truncation, reason = "the product's upper half is below the number of buckets")]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// The bit that is set in every packed entry, so that none is 0.
const USED: u64 = 1 << 63;

fn pack(entry: TableEntry, age: u8) -> u64 {
    let bound: u8 = match entry.bound {
        TableBound::None => 0,
        TableBound::Upper => 1,
        TableBound::Lower => 2,
        TableBound::Exact => 3,
    };
    USED | u64::from(entry.best.raw())
        | u64::from(entry.score.cast_unsigned()) << 16
        | u64::from(entry.value.cast_unsigned()) << 32
        | u64::from(entry.depth.min(127)) << 48
        | u64::from(bound) << 55
        | u64::from(age) << 57
}

#[expect(clippy::cast_possible_truncation, reason = "each field is cut out of its own bits")]
const fn unpack(packed: u64) -> TableEntry {
    TableEntry {
        best: Move::from_raw(packed as u16),
        score: ((packed >> 16) as u16).cast_signed(),
        value: ((packed >> 32) as u16).cast_signed(),
        depth: (packed >> 48) as u8 & 127,
        bound: match (packed >> 55) & 3 {
            0 => TableBound::None,
            1 => TableBound::Upper,
            2 => TableBound::Lower,
            _ => TableBound::Exact,
        },
    }
}

const fn age_of(packed: u64) -> u8 {
    (packed >> 57) as u8 % AGES
}
