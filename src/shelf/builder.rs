//! A segment of the index under construction.

use crate::answer::outcome_index;
use crate::bytes::put_text;
use crate::entry::PositionEntry;
use crate::games::ShelfGame;
use crate::segment::{
    CHUNK_POSITIONS, FileRow, GameRow, MAX_OPENINGS, NO_DATE, NO_TEXT, Segment, SegmentBytes, TextTable,
    saturating_u32,
};
use shogibar_base::stable_hash::StableHasher;
use shogibar_files::FileStamp;
use std::collections::HashMap;

/// The minimum number of positions of a game that is detected as a copy. Shorter games may be equal by chance.
const MIN_COPY_POSITIONS: usize = 20;

/// Some games of a record file.
#[derive(Clone, Copy, Debug)]
pub struct FilePart<'p> {
    /// The path of the file.
    pub path: &'p str,
    /// The stamp that distinguishes this version of the file.
    pub stamp: FileStamp,
    /// The number of games of the file before `games`.
    pub games_before: usize,
    /// The games of this part.
    pub games: &'p [ShelfGame],
    /// Whether the games are the last part of the file.
    pub is_last: bool,
}

/// A segment under construction.
#[derive(Debug, Default)]
pub struct SegmentBuilder {
    texts: TextTable,
    /// The indices of the texts in the table.
    text_ids: HashMap<String, u32>,
    files: Vec<FileRow>,
    games: Vec<GameRow>,
    entries: Vec<PositionEntry>,
}

impl SegmentBuilder {
    /// Adds games of a file. The last part of a file is added even without games, so that the file is not read again.
    pub fn add(&mut self, part: &FilePart<'_>) {
        let path = self.add_text(part.path);
        let file = saturating_u32(self.files.len());
        self.files.push(FileRow {
            path,
            stamp: part.stamp,
            has_last_part: part.is_last,
            is_removed: false,
        });
        for (nth, game) in part.games.iter().enumerate() {
            let id = saturating_u32(self.games.len());
            let mut openings = [NO_TEXT; MAX_OPENINGS];
            for (slot, name) in openings.iter_mut().zip(&game.openings) {
                *slot = self.add_text(name);
            }
            let players = game.players.each_ref().map(|name| self.add_text(name));
            self.games.push(GameRow {
                file,
                number: saturating_u32(part.games_before + nth + 1),
                date: game.date.unwrap_or(NO_DATE),
                result: game.result,
                players,
                openings,
                positions: saturating_u32(game.positions.len().min(usize::from(u16::MAX) + 1)),
                copy_hash: copy_hash(game),
            });
            for (ply, position) in game.positions.iter().enumerate() {
                let Ok(ply) = u16::try_from(ply) else { break };
                let next_value = game
                    .positions
                    .get(usize::from(ply) + 1)
                    .and_then(|next| next.value);
                self.entries.push(PositionEntry::new(
                    position.key,
                    id,
                    ply,
                    position.next_move,
                    [position.value, next_value],
                ));
            }
        }
    }

    /// Adds the files of another segment that are not removed. `entries` are all positions of that segment.
    pub(crate) fn add_segment(&mut self, other: &Segment, entries: &[PositionEntry]) {
        let mut files = Vec::new();
        for row in &other.files {
            files.push((!row.is_removed).then(|| saturating_u32(self.files.len())));
            if !row.is_removed {
                let path = self.add_text(other.texts.get(row.path));
                self.files.push(FileRow { path, ..*row });
            }
        }
        let mut games = Vec::new();
        for row in &other.games {
            let file = files.get(row.file as usize).copied().flatten();
            games.push(file.map(|_| saturating_u32(self.games.len())));
            if let Some(file) = file {
                let mut text = |id: u32| {
                    if id == NO_TEXT {
                        id
                    } else {
                        self.add_text(other.texts.get(id))
                    }
                };
                let (players, openings) = (row.players.map(&mut text), row.openings.map(&mut text));
                self.games.push(GameRow {
                    file,
                    players,
                    openings,
                    ..*row
                });
            }
        }
        let renumbered =
            |entry: &PositionEntry| Some(entry.with_game(games.get(entry.game as usize).copied().flatten()?));
        self.entries.extend(entries.iter().filter_map(renumbered));
    }

    /// Returns the number of positions.
    pub fn position_count(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the segment has no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the index of a text in the table. Adds the text if the table lacks it.
    fn add_text(&mut self, text: &str) -> u32 {
        if let Some(id) = self.text_ids.get(text) {
            return *id;
        }
        let id = saturating_u32(self.texts.ends.len());
        self.texts.add(text);
        self.text_ids.insert(text.to_owned(), id);
        id
    }

    /// Returns the bytes of the segment.
    pub fn finish(mut self) -> SegmentBytes {
        self.entries.sort_unstable();
        let mut entries = Vec::with_capacity(self.entries.len() * PositionEntry::BYTES);
        self.entries.iter().for_each(|entry| entry.put(&mut entries));
        let mut tables = Vec::new();
        let mut put = |count: usize| tables.extend(saturating_u32(count).to_le_bytes());
        put(self.texts.ends.len());
        put(self.files.len());
        put(self.games.len());
        put(self.entries.len());
        (0..saturating_u32(self.texts.ends.len())).for_each(|id| put_text(&mut tables, self.texts.get(id)));
        for row in &self.files {
            tables.extend(row.path.to_le_bytes());
            tables.extend(row.stamp.size.to_le_bytes());
            tables.extend(row.stamp.modified.to_le_bytes());
            tables.push(u8::from(row.has_last_part));
        }
        for row in &self.games {
            let [black, white] = row.players;
            let [opening, other] = row.openings;
            for number in [row.file, row.number, row.date, black, white, opening, other] {
                tables.extend(number.to_le_bytes());
            }
            tables.push(outcome_index(row.result));
            tables.extend(row.positions.to_le_bytes());
            tables.extend(row.copy_hash.to_le_bytes());
        }
        for (chunk, bytes) in self
            .entries
            .chunks(CHUNK_POSITIONS)
            .zip(entries.chunks(CHUNK_POSITIONS * PositionEntry::BYTES))
        {
            let first = chunk.first().map_or(0, |entry| entry.key.0);
            tables.extend(first.to_le_bytes());
            tables.extend(StableHasher::hash_bytes(bytes).to_le_bytes());
        }
        SegmentBytes { tables, entries }
    }
}

/// Returns a hash of the positions and players of a game; 0 for fewer than [`MIN_COPY_POSITIONS`] positions.
fn copy_hash(game: &ShelfGame) -> u64 {
    if game.positions.len() < MIN_COPY_POSITIONS {
        return 0;
    }
    let mut bytes: Vec<u8> = game
        .positions
        .iter()
        .flat_map(|position| position.key.0.to_le_bytes())
        .collect();
    game.players.iter().for_each(|name| put_text(&mut bytes, name));
    StableHasher::hash_bytes(&bytes)
}
