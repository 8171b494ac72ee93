//! A segment of the index: the positions of the games of some files, sorted by their keys.
//!
//! The tables of a segment are kept in memory: texts, files, games, and the first key of each chunk of positions. The
//! chunks are read on demand. Each chunk has a hash, so that damage can be located.

use crate::answer::{GameFilter, OUTCOMES, ShelfHit, ShelfQuery};
use crate::bytes::ByteReader;
use crate::entry::PositionEntry;
use crate::key::ShelfKey;
use shogibar_base::stable_hash::StableHasher;
use shogibar_files::FileStamp;
use shogibar_kifu::Outcome;
use std::cell::RefCell;
use std::collections::HashMap;

pub(crate) const CHUNK_POSITIONS: usize = 256;

/// The number that stands for a missing date.
pub(crate) const NO_DATE: u32 = 0;

/// The maximum number of openings that are stored for a game.
pub(crate) const MAX_OPENINGS: usize = 2;

/// The index that stands for a missing text.
pub(crate) const NO_TEXT: u32 = u32::MAX;

/// The error of an unusable segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the segment is damaged")]
pub struct SegmentError;

/// The texts of a segment. Rows refer to a text by its index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextTable {
    /// All texts, one after another.
    text: String,
    /// The end of each text in `text`, in bytes.
    pub(crate) ends: Vec<u32>,
}

impl TextTable {
    pub(crate) fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    /// Returns the text with an index; empty for an unknown index.
    pub(crate) fn get(&self, id: u32) -> &str {
        let Some(index) = usize::try_from(id).ok().filter(|index| *index < self.ends.len()) else {
            return "";
        };
        let at = |index: usize| self.ends.get(index).map_or(0, |end| *end as usize);
        let start = index.checked_sub(1).map_or(0, at);
        self.text.get(start..at(index)).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileRow {
    /// The index of the file's path in the table of texts.
    pub(crate) path: u32,
    pub(crate) stamp: FileStamp,
    /// Whether the segment has the last part of the file. A large file has parts in several segments.
    pub(crate) has_last_part: bool,
    /// Whether the file has changed or no longer exists, so that its games do not count.
    pub(crate) is_removed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameRow {
    pub(crate) file: u32,
    /// The number of the game in the file, from 1.
    pub(crate) number: u32,
    /// The day of the game as a number, 20261127; [`NO_DATE`] without one.
    pub(crate) date: u32,
    pub(crate) result: Outcome,
    /// The indices of the players' names in the table of texts, Black's first.
    pub(crate) players: [u32; 2],
    /// The indices of the openings' names in the table of texts; [`NO_TEXT`] in unused slots.
    pub(crate) openings: [u32; MAX_OPENINGS],
    pub(crate) positions: u32,
    /// The hash by which copies of the game are detected; 0 for a short game.
    pub(crate) copy_hash: u64,
}

/// The row of a chunk: its first key, and the hash of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChunkRow {
    first_key: ShelfKey,
    hash: u64,
}

/// A record file with games in a segment.
pub(crate) struct IndexedFile<'s> {
    pub(crate) index: u32,
    pub(crate) path: &'s str,
    pub(crate) stamp: FileStamp,
    pub(crate) has_last_part: bool,
}

/// A segment of the index: its tables of texts, files, games and chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub(crate) texts: TextTable,
    pub(crate) files: Vec<FileRow>,
    pub(crate) games: Vec<GameRow>,
    chunks: Vec<ChunkRow>,
    /// The number of positions.
    entry_count: usize,
}

/// The bytes of a segment: its tables, and its positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentBytes {
    /// The bytes of the tables, for [`Segment::read`].
    pub tables: Vec<u8>,
    /// The bytes of the positions, in chunks.
    pub entries: Vec<u8>,
}

/// Returns a count or an index as it is stored. Segments end long before one is too large.
pub(crate) fn saturating_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Segment {
    /// Reads the tables of a segment.
    ///
    /// # Errors
    /// Fails if the bytes are not those of a segment.
    pub fn read(tables: &[u8]) -> Result<Self, SegmentError> {
        Self::parse(&mut ByteReader(tables)).ok_or(SegmentError)
    }

    fn parse(bytes: &mut ByteReader<'_>) -> Option<Self> {
        let counts = [
            bytes.count(2)?,
            bytes.count(21)?,
            bytes.count(41)?,
            usize::try_from(bytes.u32()?).ok()?,
        ];
        let [text_count, file_count, game_count, entry_count] = counts;
        let mut texts = TextTable::default();
        for _ in 0..text_count {
            texts.add(bytes.text()?);
        }
        let mut files = Vec::with_capacity(file_count);
        for _ in 0..file_count {
            let (path, stamp) = (
                bytes.u32()?,
                FileStamp {
                    size: bytes.u64()?,
                    modified: bytes.u64()?,
                },
            );
            files.push(FileRow {
                path,
                stamp,
                has_last_part: bytes.u8()? == 1,
                is_removed: false,
            });
        }
        let mut games = Vec::with_capacity(game_count);
        for _ in 0..game_count {
            let mut next = || bytes.u32();
            let (file, number, date) = (next()?, next()?, next()?);
            let (players, openings) = ([next()?, next()?], [next()?, next()?]);
            let result = *OUTCOMES.get(usize::from(bytes.u8()?))?;
            let (positions, copy_hash) = (bytes.u32()?, bytes.u64()?);
            games.push(GameRow {
                file,
                number,
                date,
                result,
                players,
                openings,
                positions,
                copy_hash,
            });
        }
        let mut chunks = Vec::new();
        for _ in 0..entry_count.div_ceil(CHUNK_POSITIONS) {
            chunks.push(ChunkRow {
                first_key: ShelfKey(bytes.u64()?),
                hash: bytes.u64()?,
            });
        }
        let is_sorted = chunks.is_sorted_by_key(|chunk| chunk.first_key);
        let segment = Self {
            texts,
            files,
            games,
            chunks,
            entry_count,
        };
        (bytes.0.is_empty() && is_sorted && segment.has_valid_indices()).then_some(segment)
    }

    /// Returns whether all indices of files and texts in the rows are valid.
    fn has_valid_indices(&self) -> bool {
        let is_text = |id: &u32| (*id as usize) < self.texts.ends.len();
        self.files.iter().all(|row| is_text(&row.path))
            && self.games.iter().all(|row| {
                (row.file as usize) < self.files.len()
                    && row.players.iter().all(is_text)
                    && row.openings.iter().all(|id| *id == NO_TEXT || is_text(id))
            })
    }

    /// Returns the size of all positions in bytes.
    pub const fn entry_bytes(&self) -> usize {
        self.entry_count * PositionEntry::BYTES
    }

    /// Returns the number of games and the number of positions, including those of removed files.
    pub(crate) const fn counts(&self) -> [usize; 2] {
        [self.games.len(), self.entry_count]
    }

    /// Returns the number of games whose file is not removed.
    pub(crate) fn present_game_count(&self) -> usize {
        self.games.iter().filter(|row| self.has_present_file(row)).count()
    }

    /// Returns the number of positions of the games whose file is not removed.
    pub(crate) fn present_position_count(&self) -> usize {
        self.games
            .iter()
            .filter(|row| self.has_present_file(row))
            .map(|row| row.positions as usize)
            .sum()
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = IndexedFile<'_>> {
        let rows = self.files.iter().enumerate().filter(|(_, row)| !row.is_removed);
        rows.map(|(index, row)| IndexedFile {
            index: saturating_u32(index),
            path: self.texts.get(row.path),
            stamp: row.stamp,
            has_last_part: row.has_last_part,
        })
    }

    pub(crate) fn mark_removed(&mut self, file: u32) {
        if let Some(row) = self.files.get_mut(file as usize) {
            row.is_removed = true;
        }
    }

    fn has_present_file(&self, row: &GameRow) -> bool {
        self.files
            .get(row.file as usize)
            .is_some_and(|file| !file.is_removed)
    }

    pub(crate) fn matcher<'s>(&'s self, filter: &'s GameFilter) -> GameMatcher<'s> {
        let player = filter.player.as_ref().map(|name| name.to_lowercase());
        GameMatcher {
            segment: self,
            filter,
            player,
            checked_names: RefCell::default(),
        }
    }

    /// Calls `found` with each entry that a query finds. `read` takes an offset and a length within the segment's
    /// positions, and returns these bytes.
    pub(crate) fn for_each_match<E: From<SegmentError>>(
        &self,
        query: &ShelfQuery,
        read: &mut impl FnMut(usize, usize) -> Result<Vec<u8>, E>,
        found: &mut impl FnMut(PositionEntry),
    ) -> Result<(), E> {
        let matcher = self.matcher(&query.filter);
        let first = self
            .chunks
            .partition_point(|chunk| chunk.first_key < query.key)
            .saturating_sub(1);
        let rows = self
            .chunks
            .iter()
            .enumerate()
            .skip(first)
            .take_while(|(_, chunk)| chunk.first_key <= query.key);
        for (nth, chunk) in rows {
            for entry in self.read_chunk(nth, chunk, read)? {
                if entry.key == query.key && matcher.matches(entry.game) {
                    found(entry);
                }
            }
        }
        Ok(())
    }

    /// Reads all positions of the segment. `read` is as for [`Self::for_each_match`].
    pub(crate) fn read_all<E: From<SegmentError>>(
        &self,
        read: &mut impl FnMut(usize, usize) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<PositionEntry>, E> {
        let mut entries = Vec::with_capacity(self.entry_count);
        for (nth, chunk) in self.chunks.iter().enumerate() {
            entries.extend(self.read_chunk(nth, chunk, read)?);
        }
        Ok(entries)
    }

    /// Reads the positions of the `nth` chunk, counted from 0, and checks their hash.
    fn read_chunk<E: From<SegmentError>>(
        &self,
        nth: usize,
        chunk: &ChunkRow,
        read: &mut impl FnMut(usize, usize) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<PositionEntry>, E> {
        let start = nth * CHUNK_POSITIONS;
        let count = (self.entry_count - start.min(self.entry_count)).min(CHUNK_POSITIONS);
        let bytes = read(start * PositionEntry::BYTES, count * PositionEntry::BYTES)?;
        if bytes.len() != count * PositionEntry::BYTES || StableHasher::hash_bytes(&bytes) != chunk.hash {
            return Err(SegmentError.into());
        }
        let mut bytes = ByteReader(&bytes);
        Ok(std::iter::from_fn(|| PositionEntry::read(&mut bytes)).collect())
    }

    /// Returns the day of a game as a number, and the outcome of the game. The day is `None` where it is not known.
    pub(crate) fn date_and_outcome(&self, game: u32) -> (Option<u32>, Outcome) {
        let row = self.games.get(game as usize);
        row.map_or((None, Outcome::Open), |row| {
            (Some(row.date).filter(|date| *date != NO_DATE), row.result)
        })
    }

    /// Returns the hash by which copies of a game are detected; `None` for a short game.
    pub(crate) fn copy_hash(&self, game: u32) -> Option<u64> {
        self.games
            .get(game as usize)
            .map(|row| row.copy_hash)
            .filter(|hash| *hash != 0)
    }

    /// Returns the path of a game's file, and the number of the game in the file; `None` for an unknown game.
    pub(crate) fn path_and_number(&self, game: u32) -> Option<(&str, u32)> {
        let row = self.games.get(game as usize)?;
        Some((
            self.texts.get(self.files.get(row.file as usize)?.path),
            row.number,
        ))
    }

    /// Returns the hit of an entry; `None` if its game is unknown.
    pub(crate) fn hit(&self, entry: &PositionEntry) -> Option<ShelfHit> {
        let row = self.games.get(entry.game as usize)?;
        Some(ShelfHit {
            path: self.path_and_number(entry.game)?.0.to_owned(),
            number: row.number,
            ply: entry.ply,
            next_move: entry.next(),
            value: entry.value(),
            result: row.result,
            players: row.players.map(|id| self.texts.get(id).to_owned()),
            date: Some(row.date).filter(|date| *date != NO_DATE),
        })
    }
}

/// Decides which games of a segment match a filter.
pub(crate) struct GameMatcher<'s> {
    segment: &'s Segment,
    filter: &'s GameFilter,
    /// The text that a player's name must contain, in lower case.
    player: Option<String>,
    /// Whether each checked name contains the text, by the name's index.
    checked_names: RefCell<HashMap<u32, bool>>,
}

impl GameMatcher<'_> {
    /// Returns whether the game with an index matches the filter, and the file of the game is not removed.
    fn matches(&self, game: u32) -> bool {
        let Some(row) = self.segment.games.get(game as usize) else {
            return false;
        };
        let GameFilter {
            first_day,
            last_day,
            openings,
            ..
        } = self.filter;
        let is_in_time = (first_day.is_none() && last_day.is_none() || row.date != NO_DATE)
            && first_day.is_none_or(|first| row.date >= first)
            && last_day.is_none_or(|last| row.date <= last);
        self.segment.has_present_file(row)
            && is_in_time
            && (openings.is_none()
                || row.openings.iter().any(|id| {
                    openings
                        .as_ref()
                        .is_none_or(|names| names.iter().any(|name| name == self.segment.texts.get(*id)))
                }))
            && (self.player.is_none() || row.players.iter().any(|id| self.is_player(*id)))
    }

    fn is_player(&self, id: u32) -> bool {
        let Some(wanted) = &self.player else { return true };
        *self
            .checked_names
            .borrow_mut()
            .entry(id)
            .or_insert_with(|| self.segment.texts.get(id).to_lowercase().contains(wanted))
    }
}
