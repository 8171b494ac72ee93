//! Piece sets that were read with certainty, stored from one start of the program to the next.
//!
//! A set has up to three pictures of each class, as [`Templates`] learnt them. A board's set is recognized by its
//! pieces. No picture of the screen is stored.

use crate::grid::PICTURE_SIDE;
use crate::network::{CLASS_COUNT, EMPTY, HIDDEN, Probabilities, likeliest};
use crate::templates::{SquarePicture, Templates, is_similar};
use std::sync::Arc;

/// The maximum number of sets. The least recently seen one is removed first.
const MAX_SETS: usize = 200;
/// The first bytes of a file, with the version of the format.
const MAGIC: &[u8; 8] = b"pieces1\n";
/// The maximum size of a file in bytes: all sets with three pictures of each class.
pub const MAX_BYTES: usize = MAGIC.len() + MAX_SETS * (2 + 3 * HIDDEN * (1 + PICTURE_BYTES));
/// The size of a picture in a file in bytes: four bits a pixel.
const PICTURE_BYTES: usize = PICTURE_SIDE * PICTURE_SIDE / 2;
/// The greatest absolute value of a stored pixel. Greater values are clamped.
const MAX_PIXEL_VALUE: f32 = 2.5;
/// The least correlation of a piece with a picture of its set.
const MIN_PIECE_CORRELATION: f32 = 0.85;
/// The least share of a board's pieces that belong to its set.
const MIN_KNOWN_PIECE_SHARE: f32 = 0.3;
/// The least share of known pieces of two versions of one set.
const MIN_SAME_SET_SHARE: f32 = 0.7;
/// The least number of pieces of a board for which a set is searched.
const MIN_PIECES: usize = 8;
/// The maximum number of pieces of a board that are compared with the sets.
const MAX_COMPARED_PIECES: usize = 14;
/// The least number of classes of a stored set.
const MIN_CLASSES: usize = 7;

/// Stored piece sets. Clones share the pictures.
#[derive(Clone, Debug, Default)]
pub struct PieceSets {
    /// The sets, the most recently seen last.
    sets: Vec<Arc<Templates>>,
}

impl PieceSets {
    /// Returns the number of sets.
    pub const fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns whether there is no set.
    pub const fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Stores a set as the most recently seen one, and removes other versions of it. A class that the set lacks is
    /// taken from a removed set. Returns `false` and stores nothing where the set has too few classes.
    pub fn insert(&mut self, mut set: Templates) -> bool {
        let mut classes: Vec<usize> = set.pieces().map(|(class, _)| class).collect();
        classes.sort_unstable();
        classes.dedup();
        if classes.len() < MIN_CLASSES {
            return false;
        }
        let pieces = some_of(set.pieces().map(|(_, picture)| *picture).collect());
        for removed in self
            .sets
            .extract_if(.., |known| known_share(known, &pieces) >= MIN_SAME_SET_SHARE)
        {
            set.complete(&removed);
        }
        self.sets.push(Arc::new(set));
        let too_many = self.sets.len().saturating_sub(MAX_SETS);
        self.sets.drain(..too_many);
        true
    }

    /// Stores the sets of another collection as more recently seen ones, each as [`Self::insert`] does.
    pub fn extend(&mut self, others: &Self) {
        for set in &others.sets {
            self.insert(Templates::clone(set));
        }
    }

    /// Returns the set to which a board's pieces belong. `squares` are the probabilities of the `pictures`. `None` for
    /// fewer than `MIN_PIECES` pieces, and where no set matches.
    pub fn find(&self, pictures: &[SquarePicture], squares: &[Probabilities]) -> Option<Arc<Templates>> {
        let pieces = pieces_of(pictures, squares);
        if pieces.len() < MIN_PIECES {
            return None;
        }
        let pieces = some_of(pieces);
        let shares = self.sets.iter().map(|set| (known_share(set, &pieces), set));
        let best = shares
            .max_by(|left, right| left.0.total_cmp(&right.0))
            .filter(|(share, _)| *share >= MIN_KNOWN_PIECE_SHARE);
        best.map(|(_, set)| Arc::clone(set))
    }

    /// Returns these sets and one more, the most recently seen.
    #[must_use]
    pub fn with(&self, set: Templates) -> Self {
        Self {
            sets: self.sets.iter().cloned().chain([Arc::new(set)]).collect(),
        }
    }

    /// Returns whether a set is stored here, and another one was seen more recently.
    pub fn is_older(&self, set: &Arc<Templates>) -> bool {
        self.sets
            .split_last()
            .is_some_and(|(_, older)| older.iter().any(|known| Arc::ptr_eq(known, set)))
    }

    /// Returns the sets as a file: `MAGIC`, then each set. A set has its number of pictures (2 bytes, little-endian),
    /// then for each picture its class (1 byte) and its pixels (`PICTURE_BYTES`).
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for set in &self.sets {
            let pictures: Vec<(usize, &SquarePicture)> = set.pictures().collect();
            bytes.extend(u16::try_from(pictures.len()).unwrap_or(0).to_le_bytes());
            for (class, picture) in pictures.into_iter().take(usize::from(u16::MAX)) {
                bytes.push(u8::try_from(class).unwrap_or_default());
                bytes.extend(
                    picture
                        .as_chunks::<2>()
                        .0
                        .iter()
                        .map(|[low, high]| level(*low) | (level(*high) << 4)),
                );
            }
        }
        bytes
    }

    /// Reads a file of [`Self::to_bytes`]. `None` for another format, an unknown class, a truncated file, and too many
    /// bytes or sets.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > MAX_BYTES {
            return None;
        }
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut sets = Vec::new();
        while sets.len() < MAX_SETS
            && let Some((count, after)) = rest.split_first_chunk()
        {
            let count = usize::from(u16::from_le_bytes(*count));
            let (pictures, after) = after.split_at_checked(count.checked_mul(1 + PICTURE_BYTES)?)?;
            let pictures = pictures
                .chunks_exact(1 + PICTURE_BYTES)
                .filter_map(<[u8]>::split_first)
                .map(|(class, picture)| {
                    let mut pixels = picture
                        .iter()
                        .flat_map(|byte| [value(byte & 15), value(byte >> 4)]);
                    let picture: SquarePicture = std::array::from_fn(|_| pixels.next().unwrap_or_default());
                    (usize::from(*class) < CLASS_COUNT).then_some((usize::from(*class), picture))
                });
            sets.push(Arc::new(Templates::from_pictures(
                pictures.collect::<Option<Vec<_>>>()?,
            )));
            rest = after;
        }
        rest.is_empty().then_some(Self { sets })
    }
}

/// Returns at most [`MAX_COMPARED_PIECES`] of some pieces, of both sides: White's come first on a board.
fn some_of(pieces: Vec<SquarePicture>) -> Vec<SquarePicture> {
    let step = pieces.len().div_ceil(MAX_COMPARED_PIECES).max(1);
    pieces.into_iter().step_by(step).collect()
}

fn pieces_of(pictures: &[SquarePicture], squares: &[Probabilities]) -> Vec<SquarePicture> {
    pictures
        .iter()
        .zip(squares)
        .filter(|(_, square)| !matches!(likeliest(square).0, EMPTY | HIDDEN))
        .map(|(picture, _)| *picture)
        .collect()
}

fn known_share(set: &Templates, pieces: &[SquarePicture]) -> f32 {
    pieces
        .iter()
        .filter(|piece| {
            set.pieces()
                .any(|(_, known)| is_similar(known, piece, MIN_PIECE_CORRELATION))
        })
        .count() as f32
        / pieces.len().max(1) as f32
}

/// Returns the stored level of a pixel's value, 0 to 15.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 15")]
fn level(value: f32) -> u8 {
    ((value.clamp(-MAX_PIXEL_VALUE, MAX_PIXEL_VALUE) + MAX_PIXEL_VALUE) / (2.0 * MAX_PIXEL_VALUE) * 15.0)
        .round() as u8
}

/// Returns the pixel's value of a stored level, 0 to 15.
fn value(level: u8) -> f32 {
    f32::from(level) / 15.0 * 2.0 * MAX_PIXEL_VALUE - MAX_PIXEL_VALUE
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the picture of a piece. Its pattern depends on the set and on the kind.
    fn piece(set: usize, kind: usize) -> SquarePicture {
        std::array::from_fn(|index| {
            let (x, y) = (index % PICTURE_SIDE, index / PICTURE_SIDE);
            let sign = (x * (kind + 2) + y * (3 * kind + 1 + set) + set * x * y) / (5 + set % 3);
            if sign.is_multiple_of(2) { 1.0 } else { -1.0 }
        })
    }

    /// Returns the templates of a set, with one picture of each of eight kinds.
    fn templates_of_set(set: usize) -> Templates {
        let mut templates = Templates::default();
        for kind in 1..=8 {
            templates.learn(kind, &piece(set, kind));
        }
        templates
    }

    fn pieces_of_set(set: usize) -> (Vec<SquarePicture>, Vec<Probabilities>) {
        let kinds = [1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8];
        let sure = |kind: usize| std::array::from_fn(|class| f32::from(u8::from(class == kind)));
        (
            kinds.iter().map(|kind| piece(set, *kind)).collect(),
            kinds.map(sure).to_vec(),
        )
    }

    #[test]
    fn a_set_is_recognized_by_its_pieces() {
        let mut sets = PieceSets::default();
        assert!(
            sets.insert(templates_of_set(1))
                && sets.insert(templates_of_set(2))
                && !sets.insert(Templates::default())
        );
        let sets = PieceSets::from_bytes(&sets.to_bytes()).expect("its own file");
        let known = |set: usize| {
            let (pictures, squares) = pieces_of_set(set);
            let found = sets.find(&pictures, &squares)?;
            let mut square = [1.0 / CLASS_COUNT as f32; CLASS_COUNT];
            found.apply(&pictures[5], &mut square);
            Some(likeliest(&square).0)
        };
        assert_eq!([1, 2, 3].map(known), [Some(3), Some(3), None]);
    }

    #[test]
    fn a_set_is_stored_once_and_old_ones_are_removed() {
        let mut sets = PieceSets::default();
        for _ in 0..3 {
            sets.insert(templates_of_set(1));
        }
        assert_eq!(sets.len(), 1);
        let mut full = PieceSets {
            sets: (0..MAX_SETS).map(|_| Arc::default()).collect(),
        };
        full.insert(templates_of_set(2));
        assert_eq!(full.len(), MAX_SETS);
        assert!(full.to_bytes().len() <= MAX_BYTES);
    }

    #[test]
    fn another_file_or_a_cut_one_is_none() {
        let mut sets = PieceSets::default();
        sets.insert(templates_of_set(1));
        let bytes = sets.to_bytes();
        assert!(bytes.len() < 6000, "a few kilobytes: {}", bytes.len());
        assert!(
            (0..bytes.len())
                .filter(|end| *end != MAGIC.len())
                .all(|end| PieceSets::from_bytes(&bytes[..end]).is_none())
        );
        assert!(PieceSets::from_bytes(&vec![b'p'; MAX_BYTES + 1]).is_none());
        assert!(PieceSets::from_bytes(MAGIC).is_some_and(|sets| sets.is_empty()));
    }

    proptest! {
        #[test]
        fn nothing_foreign_panics(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            let _none = PieceSets::from_bytes(&bytes);
            let _some = PieceSets::from_bytes(&[MAGIC.as_slice(), &bytes].concat());
        }
    }
}
