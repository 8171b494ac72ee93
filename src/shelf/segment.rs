//! A segment of the index: the positions of the games of some files, sorted by their keys.
//!
//! Its tables (texts, files, games, and the first key of each chunk of positions) are kept in memory; chunks are read when they are
//! asked for. Each chunk has a hash, so that damage is noticed where it lies.

use crate::answer::{GameFilter, GameResult, ShelfHit, ShelfQuery};
use crate::bytes::{ByteReader, put_text};
use crate::entry::Entry;
use crate::games::ShelfGame;
use crate::key::PositionKey;
use shogibar_core::stable_hash::StableHasher;
use shogibar_files::FileStamp;
use std::collections::HashMap;

/// The positions of a chunk.
const CHUNK: usize = 256;

/// No date.
const NO_DATE: u32 = 0;

/// The openings of a game that are kept.
const OPENINGS: usize = 2;

/// No text.
const NO_TEXT: u32 = u32::MAX;

/// Why a segment cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the segment is damaged")]
pub struct SegmentError;

/// The texts of a segment, one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TextTable {
    text: String,
    ends: Vec<u32>,
}

impl TextTable {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    fn get(&self, id: u32) -> &str {
        let Some(index) = usize::try_from(id).ok().filter(|index| *index < self.ends.len()) else { return "" };
        let at = |index: usize| self.ends.get(index).map_or(0, |end| *end as usize);
        let start = index.checked_sub(1).map_or(0, at);
        self.text.get(start..at(index)).unwrap_or_default()
    }
}

/// A record file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileRow {
    path: u32,
    stamp: FileStamp,
    /// Whether the file has changed or is gone: its games do not count.
    is_dead: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GameRow {
    file: u32,
    /// In the file, from 1.
    number: u32,
    date: u32,
    result: GameResult,
    players: [u32; 2],
    openings: [u32; OPENINGS],
}

/// The first key of a chunk, and the hash of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChunkRow {
    first: PositionKey,
    hash: u64,
}

/// The tables of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    texts: TextTable,
    files: Vec<FileRow>,
    games: Vec<GameRow>,
    chunks: Vec<ChunkRow>,
    /// The number of positions.
    entries: usize,
}

/// The bytes of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentBytes {
    /// What [`Segment::read`] reads.
    pub tables: Vec<u8>,
    /// The positions, in chunks.
    pub entries: Vec<u8>,
}

/// A segment as it is made.
#[derive(Debug, Default)]
pub struct SegmentBuilder {
    texts: TextTable,
    ids: HashMap<String, u32>,
    files: Vec<FileRow>,
    games: Vec<GameRow>,
    entries: Vec<Entry>,
}

impl SegmentBuilder {
    /// Adds a file with its games; also one without any, so that it is not read again.
    pub fn add(&mut self, path: &str, stamp: FileStamp, games: &[ShelfGame]) {
        let path = self.text(path);
        let file = number(self.files.len());
        self.files.push(FileRow { path, stamp, is_dead: false });
        for (nth, game) in games.iter().enumerate() {
            let id = number(self.games.len());
            let mut openings = [NO_TEXT; OPENINGS];
            for (place, name) in openings.iter_mut().zip(&game.openings) {
                *place = self.text(name);
            }
            let players = game.players.each_ref().map(|name| self.text(name));
            let (date, result) = (game.date.unwrap_or(NO_DATE), game.result);
            self.games.push(GameRow { file, number: number(nth + 1), date, result, players, openings });
            for (ply, place) in game.places.iter().enumerate() {
                let Ok(ply) = u16::try_from(ply) else { break };
                let next_value = game.places.get(usize::from(ply) + 1).and_then(|next| next.value);
                self.entries.push(Entry::new((place.key, id, ply), place.next, [place.value, next_value]));
            }
        }
    }

    /// Adds the living files of another segment, whose positions are `entries`.
    pub(crate) fn add_segment(&mut self, other: &Segment, entries: &[Entry]) {
        let mut files = Vec::new();
        for row in &other.files {
            files.push((!row.is_dead).then(|| number(self.files.len())));
            if !row.is_dead {
                let path = self.text(other.texts.get(row.path));
                self.files.push(FileRow { path, ..*row });
            }
        }
        let mut games = Vec::new();
        for row in &other.games {
            let file = files.get(row.file as usize).copied().flatten();
            games.push(file.map(|_| number(self.games.len())));
            if let Some(file) = file {
                let mut text = |id: u32| if id == NO_TEXT { id } else { self.text(other.texts.get(id)) };
                let (players, openings) = (row.players.map(&mut text), row.openings.map(&mut text));
                self.games.push(GameRow { file, players, openings, ..*row });
            }
        }
        let living = |entry: &Entry| Some(entry.with_game(games.get(entry.game as usize).copied().flatten()?));
        self.entries.extend(entries.iter().filter_map(living));
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = number(self.texts.ends.len());
        self.texts.add(text);
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// Returns the bytes of the segment.
    pub fn finish(mut self) -> SegmentBytes {
        self.entries.sort_unstable();
        let mut entries = Vec::with_capacity(self.entries.len() * Entry::SIZE);
        self.entries.iter().for_each(|entry| entry.put(&mut entries));
        let mut tables = Vec::new();
        let mut put = |number: usize| tables.extend(self::number(number).to_le_bytes());
        put(self.texts.ends.len());
        put(self.files.len());
        put(self.games.len());
        put(self.entries.len());
        (0..number(self.texts.ends.len())).for_each(|id| put_text(&mut tables, self.texts.get(id)));
        for row in &self.files {
            tables.extend(row.path.to_le_bytes());
            tables.extend(row.stamp.size.to_le_bytes());
            tables.extend(row.stamp.modified.to_le_bytes());
        }
        for row in &self.games {
            let [black, white] = row.players;
            let [opening, other] = row.openings;
            for number in [row.file, row.number, row.date, black, white, opening, other] {
                tables.extend(number.to_le_bytes());
            }
            tables.push(row.result as u8);
        }
        for (chunk, bytes) in self.entries.chunks(CHUNK).zip(entries.chunks(CHUNK * Entry::SIZE)) {
            let first = chunk.first().map_or(0, |entry| entry.key.0);
            tables.extend(first.to_le_bytes());
            tables.extend(hash_of(bytes).to_le_bytes());
        }
        SegmentBytes { tables, entries }
    }
}

/// Returns a count as it stands in a file. Segments are ended long before it has no place.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = StableHasher::new();
    hasher.add(bytes);
    hasher.finish()
}

impl Segment {
    /// Reads the tables of a segment.
    ///
    /// # Errors
    /// If they are not those of a segment.
    pub fn read(tables: &[u8]) -> Result<Self, SegmentError> {
        Self::parse(&mut ByteReader(tables)).ok_or(SegmentError)
    }

    fn parse(bytes: &mut ByteReader<'_>) -> Option<Self> {
        let counts = [bytes.count(2)?, bytes.count(20)?, bytes.count(29)?, usize::try_from(bytes.u32()?).ok()?];
        let [text_count, file_count, game_count, entries] = counts;
        let mut texts = TextTable::default();
        for _ in 0..text_count {
            texts.add(bytes.text()?);
        }
        let mut files = Vec::with_capacity(file_count);
        for _ in 0..file_count {
            let (path, stamp) = (bytes.u32()?, FileStamp { size: bytes.u64()?, modified: bytes.u64()? });
            files.push(FileRow { path, stamp, is_dead: false });
        }
        let mut games = Vec::with_capacity(game_count);
        for _ in 0..game_count {
            let mut next = || bytes.u32();
            let (file, number, date) = (next()?, next()?, next()?);
            let (players, openings) = ([next()?, next()?], [next()?, next()?]);
            let result = *GameResult::ALL.get(usize::from(bytes.u8()?))?;
            games.push(GameRow { file, number, date, result, players, openings });
        }
        let mut chunks = Vec::new();
        for _ in 0..entries.div_ceil(CHUNK) {
            chunks.push(ChunkRow { first: PositionKey(bytes.u64()?), hash: bytes.u64()? });
        }
        let is_sorted = chunks.is_sorted_by_key(|chunk| chunk.first);
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
        self.entries * Entry::SIZE
    }

    /// Returns the numbers of games, and of their positions, with those that do not count any more.
    pub(crate) const fn counts(&self) -> [usize; 2] {
        [self.games.len(), self.entries]
    }

    /// Returns the living games.
    pub(crate) fn living_games(&self) -> usize {
        self.games.iter().filter(|row| self.is_living(row)).count()
    }

    /// Returns the living files: their numbers in the segment, paths and stamps.
    pub(crate) fn files(&self) -> impl Iterator<Item = (u32, &str, FileStamp)> {
        let rows = self.files.iter().enumerate().filter(|(_, row)| !row.is_dead);
        rows.map(|(index, row)| (number(index), self.texts.get(row.path), row.stamp))
    }

    /// Marks a file as one whose games do not count.
    pub(crate) fn bury(&mut self, file: u32) {
        if let Some(row) = self.files.get_mut(file as usize) {
            row.is_dead = true;
        }
    }

    fn is_living(&self, row: &GameRow) -> bool {
        self.files.get(row.file as usize).is_some_and(|file| !file.is_dead)
    }

    /// Returns which games a filter lets through.
    pub(crate) fn matcher(&self, filter: &GameFilter) -> GameMatcher<'_> {
        let matching = |wanted: &Option<String>| {
            let wanted = wanted.as_ref()?.to_lowercase();
            let ids = 0..number(self.texts.ends.len());
            Some(ids.map(|id| self.texts.get(id).to_lowercase().contains(&wanted)).collect())
        };
        let (players, openings) = (matching(&filter.player), matching(&filter.opening));
        GameMatcher { segment: self, players, openings, days: [filter.from, filter.to] }
    }

    /// Calls `found` with each entry of a position whose game counts. `read` reads bytes of the segment's positions.
    pub(crate) fn each<E: From<SegmentError>>(
        &self,
        query: &ShelfQuery,
        read: &mut impl FnMut(usize, usize) -> Result<Vec<u8>, E>,
        found: &mut impl FnMut(Entry),
    ) -> Result<(), E> {
        let matcher = self.matcher(&query.filter);
        let first = self.chunks.partition_point(|chunk| chunk.first < query.key).saturating_sub(1);
        let rows = self.chunks.iter().enumerate().skip(first).take_while(|(_, chunk)| chunk.first <= query.key);
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
    ) -> Result<Vec<Entry>, E> {
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
    ) -> Result<Vec<Entry>, E> {
        let start = nth * CHUNK;
        let count = (self.entries - start.min(self.entries)).min(CHUNK);
        let bytes = read(start * Entry::SIZE, count * Entry::SIZE)?;
        if bytes.len() != count * Entry::SIZE || hash_of(&bytes) != chunk.hash {
            return Err(SegmentError.into());
        }
        let mut bytes = ByteReader(&bytes);
        Ok(std::iter::from_fn(|| Entry::read(&mut bytes)).collect())
    }

    /// Returns the day and the result of a game.
    pub(crate) fn outcome(&self, game: u32) -> (Option<u32>, GameResult) {
        let row = self.games.get(game as usize);
        row.map_or((None, GameResult::Open), |row| (Some(row.date).filter(|date| *date != NO_DATE), row.result))
    }

    /// Returns what is told of a hit.
    pub(crate) fn hit(&self, entry: &Entry) -> Option<ShelfHit> {
        let row = self.games.get(entry.game as usize)?;
        let path = self.texts.get(self.files.get(row.file as usize)?.path).to_owned();
        Some(ShelfHit {
            path,
            number: row.number,
            ply: entry.ply,
            next: entry.next(),
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
    /// For each text, whether it has what is looked for; `None` where nothing is.
    players: Option<Vec<bool>>,
    openings: Option<Vec<bool>>,
    days: [Option<u32>; 2],
}

impl GameMatcher<'_> {
    fn has(&self, game: u32) -> bool {
        let Some(row) = self.segment.games.get(game as usize) else { return false };
        let has = |texts: &Option<Vec<bool>>, ids: &[u32]| {
            texts.as_ref().is_none_or(|texts| ids.iter().any(|id| texts.get(*id as usize) == Some(&true)))
        };
        let [from, to] = self.days;
        let is_in_time = (from.is_none() && to.is_none() || row.date != NO_DATE)
            && from.is_none_or(|from| row.date >= from)
            && to.is_none_or(|to| row.date <= to);
        self.segment.is_living(row)
            && is_in_time
            && has(&self.players, &row.players)
            && has(&self.openings, &row.openings)
    }
}
