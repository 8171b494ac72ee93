//! The transposition table: results of earlier visits to a position.
#![expect(clippy::indexing_slicing, reason = "indices below the length of a bucket")]

use rsshogi::types::Move;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableBound {
    /// The true score is at most the stored score.
    Upper,
    /// The true score is at least the stored score.
    Lower,
    /// The stored score is the true score.
    Exact,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry {
    /// The best move, or `MOVE_NONE`.
    pub(super) best_move: Move,
    /// The score; mates count from this position.
    pub(super) score: i16,
    /// The static value, or [`NO_VALUE`] in check.
    pub(super) value: i16,
    /// The depth of the search below the position; 0 for the quiescence search.
    pub(super) depth: u8,
    /// The relation of the score to the true score.
    pub(super) bound: TableBound,
    /// Whether the position was searched with an open window, as those of principal variations are.
    pub(super) was_open: bool,
}

/// The static value of a position in check.
pub(super) const NO_VALUE: i16 = i16::MIN;

/// The number of slots of a bucket. A position can be stored in any slot of its bucket.
const SLOTS_PER_BUCKET: usize = 4;

/// The slots of a bucket. A slot has two words: the key, combined with the packed entry by exclusive or, and the packed
/// entry. After two simultaneous writes, the key matches no position.
type Bucket = [AtomicU64; 2 * SLOTS_PER_BUCKET];

/// The number of buckets of a chunk, which are allocated together: 4 kB, the size of a page of memory.
const BUCKETS_PER_CHUNK: usize = 64;

/// A table with a few slots for each position, which threads share without locks. A chunk is allocated when the first
/// entry is stored in it, so a new table costs little.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    chunks: Vec<OnceLock<Box<[Bucket]>>>,
    /// The number of the current search, modulo [`AGE_COUNT`].
    age: u8,
}

/// The number of ages of entries, before they wrap around (six bits).
const AGE_COUNT: u8 = 64;

impl TranspositionTable {
    /// Creates an empty table of `megabytes` MB, at least 1.
    pub(super) fn new(megabytes: usize) -> Self {
        let count = megabytes.max(1) * 1024 * 1024 / (BUCKETS_PER_CHUNK * size_of::<Bucket>());
        Self {
            chunks: std::iter::repeat_with(OnceLock::new).take(count).collect(),
            age: 0,
        }
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.chunks.iter_mut().for_each(|chunk| *chunk = OnceLock::new());
        self.age = 0;
    }

    /// Marks all current entries as older than the next ones.
    pub(super) const fn begin_search(&mut self) {
        self.age = (self.age + 1) % AGE_COUNT;
    }

    /// Returns the entry of a position; `None` without an entry.
    pub(super) fn get(&self, key: u64) -> Option<TableEntry> {
        let index = self.index(key);
        let bucket = self
            .chunks
            .get(index / BUCKETS_PER_CHUNK)?
            .get()?
            .get(index % BUCKETS_PER_CHUNK)?;
        let mut slots = (0..SLOTS_PER_BUCKET).map(|slot| load(bucket, slot));
        slots
            .find(|(stored, packed)| *stored == key && *packed != 0)
            .map(|(_, packed)| unpack(packed))
    }

    /// Stores an entry in the slot of its position, or in a free slot. Without these, the entry replaces the shallowest
    /// and oldest entry of its bucket. A much deeper entry of the same position and search is kept, unless the new
    /// entry is exact.
    pub(super) fn put(&self, key: u64, entry: TableEntry) {
        let (index, age) = (self.index(key), self.age);
        let chunk = self
            .chunks
            .get(index / BUCKETS_PER_CHUNK)
            .map(|chunk| chunk.get_or_init(new_chunk));
        let Some(bucket) = chunk.and_then(|chunk| chunk.get(index % BUCKETS_PER_CHUNK)) else {
            return;
        };
        let mut chosen = (0, 0, 0);
        let mut min_worth = i32::MAX;
        for slot in 0..SLOTS_PER_BUCKET {
            let (stored, packed) = load(bucket, slot);
            if stored == key || packed == 0 {
                chosen = (slot, stored, packed);
                break;
            }
            let worth = i32::from(unpack(packed).depth)
                - 8 * i32::from((age + AGE_COUNT - age_of(packed)) % AGE_COUNT);
            if worth < min_worth {
                (min_worth, chosen) = (worth, (slot, stored, packed));
            }
        }
        let (chosen, stored, packed) = chosen;
        let mut entry = entry;
        if stored == key && packed != 0 {
            let old = unpack(packed);
            if entry.best_move == Move::MOVE_NONE {
                entry.best_move = old.best_move;
            }
            if entry.bound != TableBound::Exact
                && age_of(packed) == age
                && entry.depth.saturating_add(3) < old.depth
            {
                return;
            }
        }
        let packed = pack(entry, age);
        bucket[2 * chosen].store(key ^ packed, Ordering::Relaxed);
        bucket[2 * chosen + 1].store(packed, Ordering::Relaxed);
    }

    /// Returns the share of the table that the current search uses, in thousandths, estimated from the first slots.
    pub(super) fn used_per_mille(&self) -> u32 {
        const SAMPLED_CHUNKS: usize = 4;
        let chunks = self.chunks.iter().take(SAMPLED_CHUNKS).filter_map(OnceLock::get);
        let slots = chunks.flat_map(|chunk| {
            chunk
                .iter()
                .flat_map(|bucket| (0..SLOTS_PER_BUCKET).map(|slot| load(bucket, slot).1))
        });
        let used = slots.filter(|packed| *packed != 0 && age_of(*packed) == self.age);
        u32::try_from(used.count() * 1000 / (SAMPLED_CHUNKS * BUCKETS_PER_CHUNK * SLOTS_PER_BUCKET))
            .unwrap_or(1000)
    }

    /// Returns the index of a key's bucket. The whole range of keys is mapped onto the buckets.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the product's upper half is below the number of buckets"
    )]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * (self.chunks.len() * BUCKETS_PER_CHUNK) as u128) >> 64) as usize
    }
}

fn new_chunk() -> Box<[Bucket]> {
    std::iter::repeat_with(|| [const { AtomicU64::new(0) }; 2 * SLOTS_PER_BUCKET])
        .take(BUCKETS_PER_CHUNK)
        .collect()
}

/// Returns the key and the packed entry of a slot; the packed entry of a free slot is 0.
fn load(bucket: &Bucket, slot: usize) -> (u64, u64) {
    let packed = bucket[2 * slot + 1].load(Ordering::Relaxed);
    (bucket[2 * slot].load(Ordering::Relaxed) ^ packed, packed)
}

/// The bit that is set in every packed entry, so that no packed entry is 0.
const USED_BIT: u64 = 1 << 63;

fn pack(entry: TableEntry, age: u8) -> u64 {
    let bound: u8 = match entry.bound {
        TableBound::Upper => 1,
        TableBound::Lower => 2,
        TableBound::Exact => 3,
    };
    USED_BIT
        | u64::from(entry.best_move.raw())
        | u64::from(entry.score.cast_unsigned()) << 16
        | u64::from(entry.value.cast_unsigned()) << 32
        | u64::from(entry.depth.min(63)) << 48
        | u64::from(entry.was_open) << 54
        | u64::from(bound) << 55
        | u64::from(age) << 57
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "each cast keeps the bits of one field"
)]
const fn unpack(packed: u64) -> TableEntry {
    TableEntry {
        best_move: Move::from_raw(packed as u16),
        score: ((packed >> 16) as u16).cast_signed(),
        value: ((packed >> 32) as u16).cast_signed(),
        depth: (packed >> 48) as u8 & 63,
        bound: match (packed >> 55) & 3 {
            1 => TableBound::Upper,
            2 => TableBound::Lower,
            _ => TableBound::Exact,
        },
        was_open: packed >> 54 & 1 == 1,
    }
}

const fn age_of(packed: u64) -> u8 {
    (packed >> 57) as u8 % AGE_COUNT
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::random::SplitMix;

    fn entry(key: u64) -> TableEntry {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let part = |shift: u32| unpack(mixed >> shift).score;
        let (score, value, bound) = (part(0), part(16), TableBound::Exact);
        TableEntry {
            best_move: Move::MOVE_NONE,
            score,
            value,
            depth: 1,
            bound,
            was_open: false,
        }
    }

    /// Stores and reads positions of few buckets, so that threads meet.
    fn use_table(table: &TranspositionTable, seed: u64) {
        let mut random = SplitMix(seed);
        for _ in 0..50_000 {
            // The upper bits choose the bucket.
            let other = (random.below(64) as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d) >> 4;
            let key = (random.below(8) as u64) << 60 | other;
            table.put(key, entry(key));
            let Some(found) = table.get(key) else { continue };
            let expected = entry(key);
            assert_eq!(
                (found.score, found.value),
                (expected.score, expected.value),
                "{key:x}"
            );
        }
    }

    #[test]
    fn threads_read_only_entries_stored_for_the_position() {
        let table = &TranspositionTable::new(1);
        std::thread::scope(|scope| (0..4).for_each(|seed| drop(scope.spawn(move || use_table(table, seed)))));
        assert!(table.used_per_mille() > 0);
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = TranspositionTable::new(1);
        assert!(table.get(5).is_none());
        table.put(5, entry(5));
        assert!(table.get(5).is_some());
        table.clear();
        assert!(table.get(5).is_none());
    }
}
