//! Writing several games to one file.

use super::{Loss, Record, Target, WrittenRecord, write};
use std::sync::Arc;

/// Writes games to one file. A format that holds one game gets the one with the index `current`; the others are a loss.
///
/// # Examples
/// ```
/// use shogibar_kifu::{self, Target};
/// use std::sync::Arc;
///
/// let text = "position startpos moves 7g7f\nposition startpos moves 2g2f\n";
/// let games: Vec<_> = shogibar_kifu::read(text.as_bytes()).unwrap().games.into_iter().map(Arc::new).collect();
/// let written = shogibar_kifu::write_games(&games, 0, Target::Kifu);
/// assert_eq!(shogibar_kifu::read(&written.bytes).unwrap().games.len(), 2);
/// let written = shogibar_kifu::write_games(&games, 1, Target::Psn);
/// assert_eq!(shogibar_kifu::read(&written.bytes).unwrap().games[0].history(1).usi(), "startpos moves 2g2f");
/// assert_eq!(written.losses, [shogibar_kifu::Loss::Games(1)]);
/// ```
pub fn write_games(games: &[Arc<Record>], current: usize, target: Target) -> WrittenRecord {
    let separator = if games.len() > 1 {
        target.rules().separator()
    } else {
        None
    };
    let Some(separator) = separator else {
        let mut written = games
            .get(current)
            .map(|game| write(game, target))
            .unwrap_or_default();
        let further = games.len().saturating_sub(1);
        written
            .losses
            .extend((further > 0).then_some(Loss::Games(further)));
        return written;
    };
    let mut all = WrittenRecord::default();
    for game in games {
        let WrittenRecord { bytes, losses } = write(game, target);
        all.losses.extend(losses);
        if all.bytes.is_empty() {
            all.bytes = bytes;
        } else {
            all.bytes.extend_from_slice(separator);
            all.bytes.extend_from_slice(&bytes);
        }
    }
    all
}
