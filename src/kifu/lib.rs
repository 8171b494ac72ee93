//! Game records: format detection, reading, editing and writing.
//!
//! Readers tolerate unknown content. They return the record as far as it could be read. Everything not understood
//! becomes a warning with line and column. Reading fails only when nothing is usable; the error names what was found
//! instead.
//!
//! Limits: a file has at most [`MAX_BYTES`]. A game ends at its 65 535th move. At most 200 warnings and [`MAX_GAMES`]
//! games are kept. Time and memory are linear in the size of the file.

mod address;
#[cfg(test)]
mod arbitrary;
pub mod board_mark;
pub mod board_mark_text;
mod board_word;
mod builder;
mod candidate;
mod capacity;
mod csa;
mod decode;
mod detect_format;
mod edit;
mod encode;
mod end;
mod epd;
mod error;
pub mod evaluation;
mod excerpt;
mod fit;
mod foreign;
mod format;
mod formats;
mod games;
mod handicap;
mod headers;
mod html;
mod jkf;
mod json_strings;
mod kif;
mod log;
mod prose;
mod psn;
mod reading;
mod record;
mod record_format;
pub mod record_text;
mod repair;
mod scan;
mod several;
mod share;
mod start_choice;
mod stated;
mod target;
#[cfg(test)]
mod tests;
mod time;
mod time_control;
mod unreadable;
mod usen;
mod usi;
mod walk;
mod warning;
mod wrapping;

pub use csa::CsaLog;
pub use detect_format::{has_record_extension, record_extensions};
pub use edit::Edit;
pub use end::{End, Outcome, Reason};
pub use error::{FoundContent, ReadError};
pub use fit::{Loss, fit};
pub use format::{Container, Encoding, Format};
pub use games::MAX_GAMES;
pub use handicap::{name as handicap_name, names as handicaps, position as handicap};
pub use prose::addresses;
pub use record::{Node, NodeId, Notes, Record, Step};
pub use several::write_games;
pub use share::ShareSite;
pub use target::Target;
pub use time::{Millis, Time};
pub use time_control::{ClockTime, TimeControl};
pub use unreadable::UnreadableRecord;
pub use walk::Walk;
pub use warning::{RecordProblem, Warning};

use encode::ExtensionCharacters;
use reading::TextReader;
use std::path::Path;
use warning::TextPosition;

/// The size of the largest record that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// The games read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGames {
    /// The games of the file, at least one.
    pub games: Vec<Record>,
    /// The warnings, in the order of the file.
    pub warnings: Vec<Warning>,
    /// The detected format.
    pub format: Format,
    /// The detected encoding.
    pub encoding: Encoding,
    /// The target with the format and encoding of the file. Prose becomes KIF; FEN, USEN and logs become a USI line. An
    /// encoding in which the format is not written becomes UTF-8.
    pub target: Target,
    /// The container of the games. A file whose games are an excerpt must not be overwritten with them.
    pub container: Container,
}

/// The description of a file that was read, without its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSummary {
    /// The number of games, at least one.
    pub games: usize,
    /// The warnings, in the order of the file.
    pub warnings: Vec<Warning>,
    /// The detected format.
    pub format: Format,
    /// The detected encoding.
    pub encoding: Encoding,
    /// The target with the format and encoding of the file, as in [`ReadGames::target`].
    pub target: Target,
    /// The container of the games. A file whose games are an excerpt must not be overwritten with them.
    pub container: Container,
}

impl ReadGames {
    /// Returns the first game and the warnings of all games; `None` without a game.
    pub fn into_first(self) -> Option<(Record, Vec<Warning>)> {
        Some((self.games.into_iter().next()?, self.warnings))
    }
}

/// Reads a file of any format. The encoding is UTF-8, `Shift_JIS`, EUC-JP, or UTF-16 with a byte order mark. Format and
/// encoding are detected by content.
///
/// # Errors
/// Fails only when there is no record at all. The error contains what was found instead.
///
/// # Examples
/// ```
/// let reading = shogibar_kifu::read("1 ７六歩(77)\n2 投了\n".as_bytes()).unwrap();
/// let record = &reading.games[0];
/// assert_eq!(record.history(1).usi(), "startpos moves 7g7f");
/// assert_eq!(record.end().unwrap().reason, shogibar_kifu::Reason::Resignation);
/// assert!(reading.warnings.is_empty());
/// ```
pub fn read(bytes: &[u8]) -> Result<ReadGames, ReadError> {
    read_named(bytes, Path::new(""))
}

/// Reads a file as [`read`] does. If the name ends with `.kif`, `.kifu`, `.ki2` or `.ki2u`, unknown headers alone are a
/// record, too.
///
/// # Errors
/// Fails only when there is no record at all. The error contains what was found instead.
///
/// # Examples
/// ```
/// let text = "対局者：A".as_bytes();
/// assert!(shogibar_kifu::read(text).is_err());
/// assert_eq!(shogibar_kifu::read_named(text, "game.kif".as_ref()).unwrap().games[0].headers().len(), 1);
/// ```
pub fn read_named(bytes: &[u8], name: &Path) -> Result<ReadGames, ReadError> {
    let mut games = Vec::new();
    let summary = read_each(bytes, name, &mut |game| games.push(game))?;
    let FileSummary {
        warnings,
        format,
        encoding,
        target,
        container,
        ..
    } = summary;
    Ok(ReadGames {
        games,
        warnings,
        format,
        encoding,
        target,
        container,
    })
}

/// Reads the first game of a file as [`read_named`] does. Returns it with the warnings of all games.
///
/// # Errors
/// Fails only when there is no record at all. The error contains what was found instead.
pub fn read_first(bytes: &[u8], name: &Path) -> Result<(Record, Vec<Warning>), ReadError> {
    let mut first = None;
    let contents = read_each(bytes, name, &mut |game| {
        first.get_or_insert(game);
    })?;
    Ok((
        first.ok_or(ReadError::Other(FoundContent::Text))?,
        contents.warnings,
    ))
}

/// Reads a file as [`read_named`] does, and passes each game to `game` as soon as it is read. A file of many games
/// takes little memory this way.
///
/// # Errors
/// Fails only when there is no record at all; no game was passed on then. The error contains what was found instead.
pub fn read_each(bytes: &[u8], name: &Path, game: &mut dyn FnMut(Record)) -> Result<FileSummary, ReadError> {
    let decoded = decode::decode(bytes).map_err(|error| foreign::named_content(error, name))?;
    // The record remembers the extension characters of its file, so that a new Shift_JIS file can have them, too.
    let is_shift_jis = decoded.encoding == Encoding::ShiftJis;
    let extension = if is_shift_jis {
        ExtensionCharacters::from_shift_jis(bytes)
    } else {
        ExtensionCharacters::default()
    };
    let mut with_extension = |mut record: Record| {
        record.extension = extension.clone();
        game(record);
    };
    let mut reader = TextReader::new(&mut with_extension, detect_format::format_of_name(name));
    if let Some((count, position)) = decoded.undecodable() {
        reader.warnings.add_at(
            position,
            RecordProblem::UndecodableCharacters(count, decoded.encoding),
        );
    }
    let (format, container) = reader.read(&decoded.text)?;
    let (games, warnings) = (reader.game_count(), reader.warnings.finish());
    let target = format.rules().target(decoded.encoding, &decoded.text);
    Ok(FileSummary {
        games,
        warnings,
        format,
        encoding: decoded.encoding,
        target,
        container,
    })
}

/// A record written in a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenRecord {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The parts of the record that the format cannot hold.
    pub losses: Vec<Loss>,
}

/// Writes a record. Content that the format cannot hold is omitted or replaced, and reported in the losses.
///
/// # Examples
/// ```
/// use shogibar_kifu::{self, Target};
///
/// let reading = shogibar_kifu::read("手合割：平手\n▲７六歩 △３四歩\n*良い形\n".as_bytes()).unwrap();
/// let written = shogibar_kifu::write(&reading.games[0], Target::Usi);
/// assert_eq!(written.bytes, b"position startpos moves 7g7f 3c3d\n");
/// assert_eq!(written.losses, [shogibar_kifu::Loss::Comments(1)]);
/// ```
pub fn write(record: &Record, target: Target) -> WrittenRecord {
    let (fitted, mut losses) = fit(record, target);
    let extension = fitted.extension.clone();
    let rules = target.rules();
    let (mut bytes, replaced) = encode::encode(rules.write(&fitted), rules.encoding(), &extension);
    if !replaced.is_empty() {
        let (fitted, further) = fit_to_shift_jis(fitted, target);
        bytes = encode::encode(rules.write(&fitted), rules.encoding(), &extension).0;
        losses.extend(further);
    }
    let declaration = rules.encoding_declaration();
    if !declaration.is_empty() && !decode::is_taken_for(rules.encoding(), &bytes) {
        bytes.splice(0..0, declaration.bytes());
    }
    let characters = replaced.into_iter();
    losses.extend(
        characters.map(|(character, (replacement, count))| Loss::Character {
            character,
            count,
            replacement,
        }),
    );
    WrittenRecord { bytes, losses }
}

/// Replaces the characters that `Shift_JIS` does not have, then fits the record again. A replacement can change the
/// meaning of a line, so the result is fitted as well.
fn fit_to_shift_jis(mut fitted: Record, target: Target) -> (Record, Vec<Loss>) {
    let extension = fitted.extension.clone();
    fitted.replace_texts(|text| encode::nearest_in_shift_jis(text, &extension));
    fit(&fitted, target)
}
