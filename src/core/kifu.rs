//! Game records: their text, told apart by content, and what they say.
//!
//! A reader never fails on what is foreign inside a record: it gives the record as far as it goes,
//! and warnings with line and column for all it did not understand. It fails only when there is
//! nothing to use, and then says what was found instead.
//!
//! Bounds: a file has at most [`MAX_BYTES`]; a game ends at its 65 535th move; at most 200 warnings
//! are kept, and at most [`MAX_GAMES`] games. Time and memory are linear in the size of the file.

#[cfg(test)]
mod any;
mod builder;
mod csa;
mod decode;
mod detect;
mod edit;
mod encode;
mod end;
mod epd;
mod error;
pub mod evaluation;
mod fit;
mod format;
mod games;
mod handicap;
mod jkf;
mod kif;
mod psn;
mod record;
mod scan;
mod target;
#[cfg(test)]
mod tests;
mod time;
mod usen;
mod usi;
mod walk;
mod warning;

pub use edit::Edit;
pub use end::{End, Outcome, Reason};
pub use error::{Found, ReadError};
pub use fit::{Loss, fit};
pub use format::{Encoding, Format};
pub use games::MAX_GAMES;
pub use handicap::{names as handicaps, position as handicap};
pub use record::{Node, NodeId, Notes, Record, Step};
pub use target::Target;
pub use time::{Millis, Time};
pub use walk::Walk;
pub use warning::{Problem, Warning};

use crate::shogi::{Color, Position, Unsearchable};
use csa::Version;
use kif::Flavour;
use scan::Line;
use warning::{Place, Warnings};

/// The size of the largest record that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// What was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its games, at least one.
    pub games: Vec<Record>,
    /// What was not understood, in the order of the file.
    pub warnings: Vec<Warning>,
    /// The format it turned out to be in.
    pub format: Format,
    /// The encoding it turned out to be in.
    pub encoding: Encoding,
    /// What to write it as so that it stays what it was, where that is one of ours; a position in FEN or a game in USEN
    /// is a line of USI.
    pub target: Target,
}

impl Reading {
    /// The first game, and the warnings for all of them.
    pub fn into_first(self) -> Option<(Record, Vec<Warning>)> {
        Some((self.games.into_iter().next()?, self.warnings))
    }
}

/// Reads a file of any format, in UTF-8, `Shift_JIS`, EUC-JP, or UTF-16 with a byte order mark, all
/// told apart by content.
///
/// # Errors
/// Only when there is no record at all, with what was found instead.
///
/// # Examples
/// ```
/// let reading = shogibar_core::kifu::read("1 ７六歩(77)\n2 投了\n".as_bytes()).unwrap();
/// let record = &reading.games[0];
/// assert_eq!(record.history(1).usi(), "startpos moves 7g7f");
/// assert_eq!(record.end().unwrap().reason, shogibar_core::kifu::Reason::Resignation);
/// assert!(reading.warnings.is_empty());
/// ```
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let decoded = decode::decode(bytes)?;
    let mut warnings = Warnings::default();
    if let Some((broken, place)) = decoded.broken() {
        warnings.add_at(place, Problem::Undecodable(broken, decoded.encoding));
    }
    let format = detect::format(&decoded.text)?;
    let games = match format {
        Format::Kif | Format::Ki2 => kif::read(&decoded.text, &mut warnings),
        Format::Csa => csa::read(&decoded.text, &mut warnings),
        Format::Usi => usi::read(&decoded.text, &mut warnings),
        Format::Usen => usen::read(&decoded.text, &mut warnings),
        Format::Epd => epd::read(&decoded.text, &mut warnings),
        Format::Psn => psn::read(&decoded.text, &mut warnings),
        Format::Jkf => jkf::read(&decoded.text, &mut warnings),
    };
    // A text may have a line or two of a record by accident, and say nothing in them.
    if games.is_empty() {
        return Err(ReadError::Other(Found::Text));
    }
    for game in &games {
        if let Some(why) = game.odd_start().and_then(|start| odd(&start, format)) {
            warnings.add(Line { number: 1, text: "", before: 0 }.spot(""), Problem::OddStart(why));
        }
    }
    let target = Target::of(format, &decoded);
    Ok(Reading { games, warnings: warnings.finish(), format, encoding: decoded.encoding, target })
}

/// Why no game starts from a position, and no mating problem either: those have one king only. In CSA,
/// which is for games, readers disagree about them.
fn odd(start: &Position, format: Format) -> Option<Unsearchable> {
    let kings = [Color::Black, Color::White].into_iter().filter(|color| start.king(*color).is_some()).count();
    let is_problem = kings == 1 && format != Format::Csa;
    start.searchable().err().filter(|why| !matches!(why, Unsearchable::Kings(_)) || !is_problem)
}

/// What was written of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What has no place in it.
    pub losses: Vec<Loss>,
}

/// Writes a record. What the format cannot hold is left out and said.
///
/// # Examples
/// ```
/// use shogibar_core::kifu::{self, Target};
///
/// let reading = kifu::read("手合割：平手\n▲７六歩 △３四歩\n*良い形\n".as_bytes()).unwrap();
/// let written = kifu::write(&reading.games[0], Target::Usi);
/// assert_eq!(written.bytes, b"position startpos moves 7g7f 3c3d\n");
/// assert_eq!(written.losses, [kifu::Loss::Comments(1)]);
/// ```
pub fn write(record: &Record, target: Target) -> Written {
    let (fitted, mut losses) = fit(record, target);
    let (mut bytes, replaced) = encode::encode(text(&fitted, target), target.encoding());
    if !replaced.is_empty() {
        let (fitted, further) = fit_nearest(fitted, target);
        bytes = encode::encode(text(&fitted, target), target.encoding()).0;
        losses.extend(further);
    }
    let characters = replaced.into_iter();
    losses.extend(characters.map(|(character, (replacement, count))| Loss::Character {
        character,
        count,
        replacement,
    }));
    Written { bytes, losses }
}

/// A fitted record in the characters that `Shift_JIS` has: what stands for a character may make another line of
/// it, and has to fit, too.
fn fit_nearest(mut fitted: Record, target: Target) -> (Record, Vec<Loss>) {
    fitted.replace_texts(encode::nearest_in_shift_jis);
    fit(&fitted, target)
}

/// The text of a record that the format holds as it is.
fn text(fitted: &Record, target: Target) -> String {
    let encoding = target.encoding();
    match target {
        Target::Kif | Target::Kifu => kif::write(fitted, Flavour::Kif, &encoding.to_string()),
        Target::Ki2 | Target::Ki2u => kif::write(fitted, Flavour::Ki2, &encoding.to_string()),
        Target::Csa => csa::write(fitted, Version::V2),
        Target::Csa3 => csa::write(fitted, Version::V3),
        Target::Bod => kif::bod(fitted),
        Target::Usi => usi::write(fitted),
        Target::Sfen => usi::write_sfen(fitted),
        Target::Psn => psn::write(fitted),
        Target::Jkf => jkf::write(fitted),
    }
}
