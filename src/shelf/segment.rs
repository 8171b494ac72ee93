//! A segment of the index: the positions of the games of some files, sorted by their keys.
//!
//! Its tables (texts, files, games, and the first key of each chunk of positions) are kept in memory. Chunks are read
//! on demand. Each chunk has a hash, so that damage can be located.

use crate::answer::{GameFilter, OUTCOMES, ShelfHit, ShelfQuery};
use crate::bytes::ByteReader;
use crate::entry::PositionRow;
use crate::key::ShelfKey;
use crate::kifu::Outcome;
use shogibar_core::stable_hash::StableHasher;
use shogibar_files::FileStamp;
use std::cell::RefCell;
use std::collections::HashMap;

/// The positions of a chunk.
pub(crate) const CHUNK: usize = 256;

/// No date.
pub(crate) const NO_DATE: u32 = 0;

/// The number of openings that are stored for a game.
pub(crate) const OPENINGS: usize = 2;

/// No text.
pub(crate) const NO_TEXT: u32 = u32::MAX;

/// The error of an unusable segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the segment is damaged")]
pub struct SegmentError;

/// The texts of a segment, one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextTable {
    text: String,
    pub(crate) ends: Vec<u32>,
}

impl TextTable {
    pub(crate) fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    pub(crate) fn get(&self, id: u32) -> &str {
        let Some(index) = usize::try_from(id).ok().filter(|index| *index < self.ends.len()) else { return "" };
        let at = |index: usize| self.ends.get(index).map_or(0, |end| *end as usize);
        let start = index.checked_sub(1).map_or(0, at);
        self.text.get(start..at(index)).unwrap_or_default()
    }
}

/// The row of a record file in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileRow {
    pub(crate) path: u32,
    pub(crate) stamp: FileStamp,
    /// Whether the last of the file's games are in this segment. A large file has parts in several segments.
    pub(crate) is_whole: bool,
    /// Whether the file has changed or is gone: its games do not count.
    pub(crate) is_dead: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameRow {
    /// The index of the game's file in the segment.
    pub(crate) file: u32,
    /// The number of the game in the file, from 1.
    pub(crate) number: u32,
    /// The day of the game as a number, 20261127; `NO_DATE` without one.
    pub(crate) date: u32,
    pub(crate) result: Outcome,
    /// The numbers of the players' names in the table of texts, Black first.
    pub(crate) players: [u32; 2],
    /// The numbers of the openings' names in the table of texts; `NO_TEXT` in unused slots.
    pub(crate) openings: [u32; OPENINGS],
    /// The number of the game's positions.
    pub(crate) positions: u32,
    /// The hash by which copies of the game are detected; 0 without one.
    pub(crate) copy_hash: u64,
}

/// The first key of a chunk, and the hash of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChunkRow {
    first_key: ShelfKey,
    hash: u64,
}

/// A record file with games in a segment.
pub(crate) struct IndexedFile<'s> {
    /// The number of the file in the segment.
    pub(crate) number: u32,
    pub(crate) path: &'s str,
    pub(crate) stamp: FileStamp,
    /// Whether the last of the file's games are in this segment.
    pub(crate) is_whole: bool,
}

/// A segment of the index: its tables of texts, files and games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub(crate) texts: TextTable,
    pub(crate) files: Vec<FileRow>,
    pub(crate) games: Vec<GameRow>,
    chunks: Vec<ChunkRow>,
    /// The number of positions.
    entries: usize,
}

/// A segment as bytes: its tables, and its positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentBytes {
    /// The bytes of the tables, for [`Segment::read`].
    pub tables: Vec<u8>,
    /// The positions, in chunks.
    pub entries: Vec<u8>,
}

/// Returns a count in the form of the file. Segments end long before a count is too large.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Segment {
    /// Reads the tables of a segment.
    ///
    /// # Errors
    /// If the bytes are not those of a segment.
    pub fn read(tables: &[u8]) -> Result<Self, SegmentError> {
        Self::parse(&mut ByteReader(tables)).ok_or(SegmentError)
    }

    fn parse(bytes: &mut ByteReader<'_>) -> Option<Self> {
        let counts = [bytes.count(2)?, bytes.count(21)?, bytes.count(41)?, usize::try_from(bytes.u32()?).ok()?];
        let [text_count, file_count, game_count, entries] = counts;
        let mut texts = TextTable::default();
        for _ in 0..text_count {
            texts.add(bytes.text()?);
        }
        let mut files = Vec::with_capacity(file_count);
        for _ in 0..file_count {
            let (path, stamp) = (bytes.u32()?, FileStamp { size: bytes.u64()?, modified: bytes.u64()? });
            files.push(FileRow { path, stamp, is_whole: bytes.u8()? == 1, is_dead: false });
        }
        let mut games = Vec::with_capacity(game_count);
        for _ in 0..game_count {
            let mut next = || bytes.u32();
            let (file, number, date) = (next()?, next()?, next()?);
            let (players, openings) = ([next()?, next()?], [next()?, next()?]);
            let result = *OUTCOMES.get(usize::from(bytes.u8()?))?;
            let (positions, copy_hash) = (bytes.u32()?, bytes.u64()?);
            games.push(GameRow { file, number, date, result, players, openings, positions, copy_hash });
        }
        let mut chunks = Vec::new();
        for _ in 0..entries.div_ceil(CHUNK) {
            chunks.push(ChunkRow { first_key: ShelfKey(bytes.u64()?), hash: bytes.u64()? });
        }
        let is_sorted = chunks.is_sorted_by_key(|chunk| chunk.first_key);
        let segment = Self { texts, files, games, chunks, entries };
        (bytes.0.is_empty() && is_sorted && segment.is_sound()).then_some(segment)
    }

    /// Whether every row names rows that exist.
    fn is_sound(&self) -> bool {
        let is_text = |id: &u32| (*id as usize) < self.texts.ends.len();
        let is_game = |row: &GameRow| {
            (row.file as usize) < self.files.len()
                && row.players.iter().all(is_text)
                && row.openings.iter().all(|id| *id == NO_TEXT || is_text(id))
        };
        self.files.iter().all(|row| is_text(&row.path)) && self.games.iter().all(is_game)
    }

    /// Returns the bytes of the positions.
    pub const fn entry_bytes(&self) -> usize {
        self.entries * PositionRow::BYTES
    }

    /// Returns the number of games and of their positions, including those that do not count any more.
    pub(crate) const fn counts(&self) -> [usize; 2] {
        [self.games.len(), self.entries]
    }

    /// Returns the number of games whose file counts.
    pub(crate) fn living_game_count(&self) -> usize {
        self.games.iter().filter(|row| self.is_living(row)).count()
    }

    /// Returns the number of positions of living games.
    pub(crate) fn living_positions(&self) -> usize {
        self.games.iter().filter(|row| self.is_living(row)).map(|row| row.positions as usize).sum()
    }

    /// Returns the files whose games count.
    pub(crate) fn files(&self) -> impl Iterator<Item = IndexedFile<'_>> {
        let rows = self.files.iter().enumerate().filter(|(_, row)| !row.is_dead);
        rows.map(|(index, row)| IndexedFile {
            number: number(index),
            path: self.texts.get(row.path),
            stamp: row.stamp,
            is_whole: row.is_whole,
        })
    }

    /// Marks a file whose games do not count any more.
    pub(crate) fn mark_dead(&mut self, file: u32) {
        if let Some(row) = self.files.get_mut(file as usize) {
            row.is_dead = true;
        }
    }

    fn is_living(&self, row: &GameRow) -> bool {
        self.files.get(row.file as usize).is_some_and(|file| !file.is_dead)
    }

    /// Returns which games a filter lets through.
    pub(crate) fn matcher<'s>(&'s self, filter: &'s GameFilter) -> GameMatcher<'s> {
        let player = filter.player.as_ref().map(|name| name.to_lowercase());
        GameMatcher { segment: self, filter, player, names: RefCell::default() }
    }

    /// Calls `found` with each entry of a position whose game counts. `read` reads bytes of the segment's positions.
    pub(crate) fn for_each<E: From<SegmentError>>(
        &self,
        query: &ShelfQuery,
        read: &mut impl FnMut(usize, usize) -> Result<Vec<u8>, E>,
        found: &mut impl FnMut(PositionRow),
    ) -> Result<(), E> {
        let matcher = self.matcher(&query.filter);
        let first = self.chunks.partition_point(|chunk| chunk.first_key < query.key).saturating_sub(1);
        let rows = self.chunks.iter().enumerate().skip(first).take_while(|(_, chunk)| chunk.first_key <= query.key);
        for (nth, chunk) in rows {
            for entry in self.chunk(nth, chunk, read)? {
                if entry.key == query.key && matcher.has(entry.game) {
                    found(entry);
                }
            }
        }
        Ok(())
    }

    /// Returns all positions of the segment.
    pub(crate) fn all<E: From<SegmentError>>(
        &self,
        read: &mut impl FnMut(usize, usize) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<PositionRow>, E> {
        let mut entries = Vec::with_capacity(self.entries);
        for (nth, chunk) in self.chunks.iter().enumerate() {
            entries.extend(self.chunk(nth, chunk, read)?);
        }
        Ok(entries)
    }

    fn chunk<E: From<SegmentError>>(
        &self,
        nth: usize,
        chunk: &ChunkRow,
        read: &mut impl FnMut(usize, usize) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<PositionRow>, E> {
        let start = nth * CHUNK;
        let count = (self.entries - start.min(self.entries)).min(CHUNK);
        let bytes = read(start * PositionRow::BYTES, count * PositionRow::BYTES)?;
        if bytes.len() != count * PositionRow::BYTES || StableHasher::hash_bytes(&bytes) != chunk.hash {
            return Err(SegmentError.into());
        }
        let mut bytes = ByteReader(&bytes);
        Ok(std::iter::from_fn(|| PositionRow::read(&mut bytes)).collect())
    }

    /// Returns the day and the result of a game.
    pub(crate) fn outcome(&self, game: u32) -> (Option<u32>, Outcome) {
        let row = self.games.get(game as usize);
        row.map_or((None, Outcome::Open), |row| (Some(row.date).filter(|date| *date != NO_DATE), row.result))
    }

    /// Returns the hash by which copies of a game are known.
    pub(crate) fn copy_hash(&self, game: u32) -> Option<u64> {
        self.games.get(game as usize).map(|row| row.copy_hash).filter(|hash| *hash != 0)
    }

    /// Returns the location of a game: the path of its file, and its number in it.
    pub(crate) fn path_and_number(&self, game: u32) -> Option<(&str, u32)> {
        let row = self.games.get(game as usize)?;
        Some((self.texts.get(self.files.get(row.file as usize)?.path), row.number))
    }

    /// Returns the data of a hit.
    pub(crate) fn hit(&self, entry: &PositionRow) -> Option<ShelfHit> {
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

/// Which games of a segment count.
pub(crate) struct GameMatcher<'s> {
    segment: &'s Segment,
    filter: &'s GameFilter,
    /// The text that a name has to contain, in lower case.
    player: Option<String>,
    /// The checked names, and whether they contain the text.
    names: RefCell<HashMap<u32, bool>>,
}

impl GameMatcher<'_> {
    fn has(&self, game: u32) -> bool {
        let Some(row) = self.segment.games.get(game as usize) else { return false };
        let GameFilter { from, to, openings, .. } = self.filter;
        let is_in_time = (from.is_none() && to.is_none() || row.date != NO_DATE)
            && from.is_none_or(|from| row.date >= from)
            && to.is_none_or(|to| row.date <= to);
        let is_opening = |id: &u32| {
            openings.as_ref().is_none_or(|names| names.iter().any(|name| name == self.segment.texts.get(*id)))
        };
        self.segment.is_living(row)
            && is_in_time
            && (openings.is_none() || row.openings.iter().any(is_opening))
            && (self.player.is_none() || row.players.iter().any(|id| self.is_player(*id)))
    }

    fn is_player(&self, id: u32) -> bool {
        let Some(wanted) = &self.player else { return true };
        let has = || self.segment.texts.get(id).to_lowercase().contains(wanted);
        *self.names.borrow_mut().entry(id).or_insert_with(has)
    }
}
