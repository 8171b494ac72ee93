//! The transposition table: results of earlier visits to a position.

use rsshogi::types::Move32;

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableBound {
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
    pub(super) best: Move32,
    /// The score; mates count from this position.
    pub(super) score: i16,
    /// The depth of the search below it.
    pub(super) depth: u8,
    pub(super) bound: TableBound,
}

/// A table with one slot for each position: its key and the packed entry. The slots are plain integers, so a new
/// table consists of zeroed pages that cost nothing until they are used.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    slots: Vec<[u64; 2]>,
    age: u8,
}

/// The number of ages before they wrap around (six bits).
const AGES: u8 = 64;

impl TranspositionTable {
    pub(super) fn new(megabytes: usize) -> Self {
        let count = megabytes.max(1) * 1024 * 1024 / size_of::<[u64; 2]>();
        Self { slots: vec![[0; 2]; count], age: 0 }
    }

    /// Clears the table. The memory is freed and allocated again, which is faster than
    /// wiping pages that may never have been touched.
    pub(super) fn clear(&mut self) {
        let count = self.slots.len();
        self.slots = Vec::new();
        self.slots = vec![[0; 2]; count];
        self.age = 0;
    }

    /// Marks all current entries as older than the next ones.
    pub(super) const fn next_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    pub(super) fn get(&self, key: u64) -> Option<TableEntry> {
        let [stored, packed] = *self.slots.get(self.index(key))?;
        (stored == key && packed != 0).then(|| unpack(packed))
    }

    /// Stores an entry unless a deeper one of this search occupies its slot.
    pub(super) fn put(&mut self, key: u64, entry: TableEntry) {
        let (index, age) = (self.index(key), self.age);
        let Some(slot) = self.slots.get_mut(index) else { return };
        let [stored, packed] = *slot;
        let is_replaceable =
            packed == 0 || age_of(packed) != age || entry.depth.saturating_add(2) >= unpack(packed).depth;
        if stored == key || is_replaceable {
            let best = if entry.best == Move32::MOVE_NONE && stored == key { unpack(packed).best } else { entry.best };
            *slot = [key, pack(TableEntry { best, ..entry }, age)];
        }
    }

    /// Returns the use of the table, in thousandths, estimated from its first slots.
    pub(super) fn per_mille(&self) -> u32 {
        let used = self.slots.iter().take(1000).filter(|[_, packed]| *packed != 0 && age_of(*packed) == self.age);
        u32::try_from(used.count()).unwrap_or(1000)
    }

    /// Maps the whole range of keys onto the slots.
    #[expect(clippy::cast_possible_truncation, reason = "the product's upper half is below the number of slots")]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }
}

fn pack(entry: TableEntry, age: u8) -> u64 {
    let bound: u8 = match entry.bound {
        TableBound::Upper => 1,
        TableBound::Lower => 2,
        TableBound::Exact => 3,
    };
    u64::from(entry.best.raw())
        | u64::from(entry.score.cast_unsigned()) << 32
        | u64::from(entry.depth) << 48
        | u64::from(bound | age << 2) << 56
}

#[expect(clippy::cast_possible_truncation, reason = "each field is cut out of its own bits")]
const fn unpack(packed: u64) -> TableEntry {
    TableEntry {
        best: Move32::from_raw(packed as u32),
        score: ((packed >> 32) as u16).cast_signed(),
        depth: (packed >> 48) as u8,
        bound: match (packed >> 56) & 3 {
            1 => TableBound::Upper,
            2 => TableBound::Lower,
            _ => TableBound::Exact,
        },
    }
}

const fn age_of(packed: u64) -> u8 {
    (packed >> 58) as u8
}
