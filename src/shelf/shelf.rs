//! The index as a file, and its answers to queries. The file has a header, and blocks that are appended. A block is a
//! segment, or a list of removed files.

use crate::answer::{NextMove, ShelfAnswer, ShelfQuery, outcome_index};
use crate::bytes::ByteReader;
use crate::entry::PositionEntry;
use crate::segment::{Segment, SegmentBytes, SegmentError};
use shogibar_base::file_error::{WriteError, WriteRefusal};
use shogibar_base::stable_hash::StableHasher;
use shogibar_files::{PartFile, read_program_file};
use shogibar_kifu::Outcome;
use shogibar_shogi::Move;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

/// The first bytes of an index: its type, and the version of its format.
pub const MAGIC: &[u8; 16] = b"shogibar shelf 2";

/// The beginning of an index of any version.
const TYPE_SIGN: &[u8] = b"shogibar shelf ";

/// The size of a block's header in bytes.
const HEADER_BYTES: usize = 36;

/// The maximum number of bytes of a block's tables, far more than a segment has.
const MAX_TABLES_BYTES: u64 = 1 << 30;

/// The kind of a block that holds a segment.
const SEGMENT_BLOCK: u32 = 1;
/// The kind of a block that lists removed files: their games no longer count.
const REMOVED_FILES_BLOCK: u32 = 2;

/// The reason why the index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// The index cannot be read or written.
    #[error(transparent)]
    File(#[from] WriteError),
    /// The file is not an index, or is damaged.
    #[error(transparent)]
    Damaged(#[from] SegmentError),
    /// Another program, or another part of this one, is writing the index.
    #[error("the index is being written")]
    Busy,
}

/// The sort key of a game: the newest game comes first. Games of one day are sorted by path and number.
type GameOrder<'s> = (Reverse<Option<u32>>, Option<(&'s str, u32)>);

/// A game that had the position of the query.
struct FoundGame<'s> {
    order: GameOrder<'s>,
    /// The index of the segment.
    segment: usize,
    /// The first occurrence of the position in the game.
    entry: PositionEntry,
    result: Outcome,
}

impl FoundGame<'_> {
    /// Returns whether the game has more information than a copy of it: a result, or else a value of the position.
    fn has_more_information_than(&self, other: &Self) -> bool {
        let information = |game: &Self| (game.result != Outcome::Open, game.entry.value().is_some());
        information(self) > information(other)
    }
}

/// The numbers of files, games and positions in the index, and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShelfCounts {
    /// The number of record files.
    pub files: usize,
    /// The number of games.
    pub games: usize,
    /// The number of positions of the games.
    pub positions: usize,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// The open index: the positions of the user's records.
#[derive(Debug)]
pub struct Shelf {
    file: PartFile,
    segments: Vec<StoredSegment>,
    /// The offset of the next block: the end of the last complete block.
    end: u64,
}

/// A segment, and where the file has the positions of the segment.
#[derive(Debug)]
struct StoredSegment {
    segment: Segment,
    /// The offset of the segment's positions in the file.
    entries_offset: u64,
}

/// The header of a block of the index file.
struct BlockHeader {
    /// [`SEGMENT_BLOCK`] or [`REMOVED_FILES_BLOCK`].
    kind: u32,
    /// The size of the tables in bytes.
    tables_size: u64,
    /// The size of the positions in bytes.
    entries_size: u64,
    tables_hash: u64,
}

impl BlockHeader {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.kind.to_le_bytes().to_vec();
        for number in [self.tables_size, self.entries_size, self.tables_hash] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(StableHasher::hash_bytes(&bytes).to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = ByteReader(bytes);
        let block = Self {
            kind: reader.u32()?,
            tables_size: reader.u64()?,
            entries_size: reader.u64()?,
            tables_hash: reader.u64()?,
        };
        let is_whole = reader.u64()? == StableHasher::hash_bytes(bytes.get(..HEADER_BYTES - 8)?);
        (is_whole && block.tables_size <= MAX_TABLES_BYTES).then_some(block)
    }
}

impl Shelf {
    /// Checks a path that the user names for an index. There may be no file, an empty one, or an index of any version.
    /// So an update renames and changes no file of another kind.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or does not begin as an index.
    pub fn refuse_foreign_file(path: &Path) -> Result<(), ShelfError> {
        let error = |problem| ShelfError::File(WriteError::new(path, problem));
        match read_program_file(path, TYPE_SIGN.len()) {
            Ok(sign) if sign.is_empty() || sign == TYPE_SIGN => Ok(()),
            Ok(_) => Err(error(WriteRefusal::Foreign.into())),
            Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(problem) => Err(error(problem)),
        }
    }

    /// Opens an index. A file that does not exist counts as an empty index.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not an index, or is damaged. An incomplete last block is ignored: the
    /// program may have been killed while it wrote the block.
    pub fn open(path: &Path) -> Result<Self, ShelfError> {
        let mut shelf = Self {
            file: PartFile::open(path)?,
            segments: Vec::new(),
            end: 0,
        };
        let size = shelf.file.size()?;
        let magic = shelf
            .file
            .read_at(0, MAGIC.len().min(usize::try_from(size).unwrap_or(usize::MAX)))?;
        if !MAGIC.starts_with(&magic) {
            return Err(SegmentError.into());
        }
        if magic.len() < MAGIC.len() {
            return Ok(shelf);
        }
        shelf.end = MAGIC.len() as u64;
        while let Some(end) = shelf.read_block(size)? {
            shelf.end = end;
        }
        Ok(shelf)
    }

    /// Creates an empty index beside the index at `path`, which the new one will [replace](Self::replace).
    pub(crate) fn create_beside(path: &Path) -> Result<Self, ShelfError> {
        Ok(Self {
            file: PartFile::create_beside(path)?,
            segments: Vec::new(),
            end: 0,
        })
    }

    /// Reads the next block, and returns the offset of its end. Returns `None` where no complete block follows. `size`
    /// is the size of the file.
    fn read_block(&mut self, size: u64) -> Result<Option<u64>, ShelfError> {
        let start = self.end + HEADER_BYTES as u64;
        if start > size {
            return Ok(None);
        }
        let header = self.file.read_at(self.end, HEADER_BYTES)?;
        let Some(block) = BlockHeader::read(&header) else {
            // The system may have stored only a part of the last block before a power failure.
            return if self.is_zero_to_end(&header, size) {
                Ok(None)
            } else {
                Err(SegmentError.into())
            };
        };
        let end = start
            .checked_add(block.tables_size)
            .and_then(|end| end.checked_add(block.entries_size));
        let Some(end) = end.filter(|end| *end <= size) else {
            return Ok(None);
        };
        let tables = self.file.read_at(
            start,
            usize::try_from(block.tables_size).ok().ok_or(SegmentError)?,
        )?;
        if StableHasher::hash_bytes(&tables) != block.tables_hash {
            return if end == size {
                Ok(None)
            } else {
                Err(SegmentError.into())
            };
        }
        match block.kind {
            SEGMENT_BLOCK => {
                let segment = Segment::read(&tables)?;
                if segment.entry_bytes() as u64 != block.entries_size {
                    return Err(SegmentError.into());
                }
                self.segments.push(StoredSegment {
                    segment,
                    entries_offset: start + block.tables_size,
                });
            }
            REMOVED_FILES_BLOCK => self.mark_removed(&parse_removed_files(&tables).ok_or(SegmentError)?),
            _ => return Err(SegmentError.into()),
        }
        Ok(Some(end))
    }

    /// Returns whether the header and all bytes after it are zeros. Some systems leave such an end after a power
    /// failure.
    fn is_zero_to_end(&mut self, header: &[u8], size: u64) -> bool {
        let rest = usize::try_from(size - self.end).unwrap_or(usize::MAX);
        let is_zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
        is_zero(header)
            && rest <= MAX_ZERO_BYTES
            && self.file.read_at(self.end, rest).is_ok_and(|rest| is_zero(&rest))
    }

    /// Appends a segment. Removes an incomplete block at the end of the file first.
    pub(crate) fn append_segment(&mut self, bytes: &SegmentBytes) -> Result<(), ShelfError> {
        let segment = Segment::read(&bytes.tables)?;
        let end = self.append_block(SEGMENT_BLOCK, bytes)?;
        self.segments.push(StoredSegment {
            segment,
            entries_offset: end - bytes.entries.len() as u64,
        });
        Ok(())
    }

    /// Appends a list of removed files, and marks them. A file is given as the indices of its segment and of the file
    /// in the segment.
    pub(crate) fn append_removed(&mut self, removed: &[[u32; 2]]) -> Result<(), ShelfError> {
        let tables = removed
            .iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        self.append_block(
            REMOVED_FILES_BLOCK,
            &SegmentBytes {
                tables,
                entries: Vec::new(),
            },
        )?;
        self.mark_removed(removed);
        Ok(())
    }

    fn append_block(&mut self, kind: u32, bytes: &SegmentBytes) -> Result<u64, ShelfError> {
        let [tables_size, entries_size] = [bytes.tables.len() as u64, bytes.entries.len() as u64];
        let block = BlockHeader {
            kind,
            tables_size,
            entries_size,
            tables_hash: StableHasher::hash_bytes(&bytes.tables),
        };
        self.file.truncate(self.end)?;
        if self.end == 0 {
            self.file.append(MAGIC)?;
            self.end = MAGIC.len() as u64;
        }
        let whole = [block.bytes().as_slice(), &bytes.tables, &bytes.entries].concat();
        self.file.append(&whole)?;
        self.end += whole.len() as u64;
        Ok(self.end)
    }

    fn mark_removed(&mut self, removed: &[[u32; 2]]) {
        for [segment, file] in removed {
            if let Some(stored) = self.segments.get_mut(*segment as usize) {
                stored.segment.mark_removed(*file);
            }
        }
    }

    pub(crate) fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().map(|stored| &stored.segment)
    }

    /// Returns the segment with an index, and all its positions; `None` after the last segment.
    pub(crate) fn segment_with_entries(
        &mut self,
        index: usize,
    ) -> Result<Option<(&Segment, Vec<PositionEntry>)>, ShelfError> {
        let Some(stored) = self.segments.get(index) else {
            return Ok(None);
        };
        let (file, start) = (&mut self.file, stored.entries_offset);
        let entries = stored
            .segment
            .read_all(&mut |at, length| read_part(file, start, at, length))?;
        Ok(Some((&stored.segment, entries)))
    }

    /// Moves the file of this index to `path`. Replaces a file there.
    pub(crate) fn replace(&mut self, path: &Path) -> Result<(), ShelfError> {
        Ok(self.file.move_to(path)?)
    }

    /// Renames the file at `path` to a free name. Returns the new path.
    ///
    /// # Errors
    /// Fails if the file cannot be renamed.
    pub fn move_to_backup(path: &Path) -> Result<PathBuf, ShelfError> {
        Ok(PartFile::move_to_backup(path)?)
    }

    /// Returns the numbers of files, games and positions in the index, and its size.
    pub fn counts(&self) -> ShelfCounts {
        let mut counts = ShelfCounts {
            bytes: self.end,
            ..ShelfCounts::default()
        };
        for segment in self.segments() {
            counts.files += segment.files().filter(|file| file.has_last_part).count();
            counts.games += segment.present_game_count();
            counts.positions += segment.present_position_count();
        }
        counts
    }

    /// Returns the games that had the position of a query.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or the part that is read is damaged.
    pub fn ask(&mut self, query: &ShelfQuery) -> Result<ShelfAnswer, ShelfError> {
        let mut found: Vec<(usize, PositionEntry)> = Vec::new();
        let file = &mut self.file;
        for (nth, stored) in self.segments.iter().enumerate() {
            let read = &mut |at, length| read_part(file, stored.entries_offset, at, length);
            stored
                .segment
                .for_each_match(query, read, &mut |entry| found.push((nth, entry)))?;
        }
        // The entries of a game are adjacent, and its first occurrence of the position comes first.
        found.dedup_by_key(|(nth, entry)| (*nth, entry.game));
        Ok(self.answer(&found, query.limit))
    }

    fn answer(&self, found: &[(usize, PositionEntry)], limit: usize) -> ShelfAnswer {
        let mut answer = ShelfAnswer::default();
        // Each next move has the sort key of the game that its value is from.
        let mut moves: HashMap<Option<Move>, (NextMove, Option<GameOrder<'_>>)> = HashMap::new();
        let mut games: Vec<FoundGame<'_>> = Vec::with_capacity(found.len());
        // Only one copy of a game counts: one with a result, or else with a value. The values of all copies are used.
        // `copies` has the index in `games` by the copy hash.
        let mut copies: HashMap<u64, usize> = HashMap::new();
        for (nth, entry) in found {
            let Some(stored) = self.segments.get(*nth) else {
                continue;
            };
            let (date, result) = stored.segment.date_and_outcome(entry.game);
            let order = (Reverse(date), stored.segment.path_and_number(entry.game));
            let (next, valued) = moves.entry(entry.next()).or_insert_with(|| {
                (
                    NextMove {
                        mv: entry.next(),
                        ..NextMove::default()
                    },
                    None,
                )
            });
            if entry.next_value().is_some() && valued.is_none_or(|known| order < known) {
                (next.value, *valued) = (entry.next_value(), Some(order));
            }
            let game = FoundGame {
                order,
                segment: *nth,
                entry: *entry,
                result,
            };
            let twin = stored
                .segment
                .copy_hash(entry.game)
                .and_then(|hash| match copies.entry(hash) {
                    Entry::Vacant(entry) => {
                        entry.insert(games.len());
                        None
                    }
                    Entry::Occupied(known) => games.get_mut(*known.get()),
                });
            match twin {
                Some(known) if game.has_more_information_than(known) => *known = game,
                Some(_) => {}
                None => games.push(game),
            }
        }
        for game in &games {
            let Some((next, _)) = moves.get_mut(&game.entry.next()) else {
                continue;
            };
            for (count, results) in [
                (&mut answer.count, &mut answer.results),
                (&mut next.count, &mut next.results),
            ] {
                *count += 1;
                if let Some(ended) = results.get_mut(usize::from(outcome_index(game.result))) {
                    *ended += 1;
                }
            }
        }
        answer.moves = moves.into_values().map(|(next, _)| next).collect();
        answer
            .moves
            .sort_by_key(|next| (Reverse(next.count), next.mv.map(|mv| mv.to_string())));
        // The newest games are selected before they are sorted, because there may be very many.
        if games.len() > limit {
            games.select_nth_unstable_by_key(limit, |game| game.order);
            games.truncate(limit);
        }
        games.sort_unstable_by_key(|game| game.order);
        let hits = games
            .iter()
            .filter_map(|game| self.segments.get(game.segment)?.segment.hit(&game.entry));
        answer.hits = hits.collect();
        answer
    }
}

/// The maximum size of the zeros after the last block, in bytes. After more of them the index counts as damaged.
const MAX_ZERO_BYTES: usize = 64 << 20;

/// Reads `length` bytes at the offset `at` after `start`.
fn read_part(file: &mut PartFile, start: u64, at: usize, length: usize) -> Result<Vec<u8>, ShelfError> {
    Ok(file.read_at(start + at as u64, length)?)
}

/// Parses a list of removed files: the indices of the segment and of the file in the segment.
fn parse_removed_files(bytes: &[u8]) -> Option<Vec<[u32; 2]>> {
    let mut reader = ByteReader(bytes);
    let mut removed = Vec::new();
    while !reader.0.is_empty() {
        removed.push([reader.u32()?, reader.u32()?]);
    }
    Some(removed)
}
