//! The thread that watches the clipboard for records and positions.

use crate::kifu::{ReadGames, Record};
use crate::live::{LiveGame, SourceEvent, clipboard};
use crate::threads::{self, lock};
use std::collections::VecDeque;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::io;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The interval between two checks.
const CLIPBOARD_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The number of texts that are stored as copied by this program.
const MAX_COPIES: usize = 32;

/// The texts that this program has copied lately. The clipboard watcher ignores them.
#[derive(Clone, Debug, Default)]
pub(super) struct CopiedTexts(Arc<Mutex<VecDeque<u64>>>);

impl CopiedTexts {
    pub(super) fn record(&self, text: &str) {
        let mut known = lock(&self.0);
        known.push_front(fingerprint(text));
        known.truncate(MAX_COPIES);
    }

    fn has(&self, text: &str) -> bool {
        lock(&self.0).contains(&fingerprint(text))
    }
}

/// Returns a hash of a text. Line ends do not count, as a system may change them.
fn fingerprint(text: &str) -> u64 {
    let lines: Vec<&str> = text.lines().collect();
    BuildHasherDefault::<DefaultHasher>::default().hash_one(lines)
}

/// The thread that watches the clipboard. Dropping it ends the thread without joining it, as a check may hang.
#[derive(Debug)]
pub(super) struct ClipboardWatcher {
    _stop: SyncSender<()>,
}

impl ClipboardWatcher {
    /// Begins to watch. The present content of the clipboard is not reported.
    pub(super) fn start(own_texts: CopiedTexts, report: impl Fn(SourceEvent) + Send + 'static) -> io::Result<Self> {
        let (stop, stops) = sync_channel::<()>(0);
        let watch = move || {
            let mut copies = CopiedGames::default();
            let mut known = read();
            while stops.recv_timeout(CLIPBOARD_CHECK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let Some(text) = read().filter(|text| known.as_ref() != Some(text)) else { continue };
                if !own_texts.has(&text)
                    && let Some(game) = copies.take(&text)
                {
                    report(SourceEvent::Game(game));
                }
                known = Some(text);
            }
        };
        threads::spawn("clipboard", watch)?.detach();
        Ok(Self { _stop: stop })
    }
}

/// Reads the text on the clipboard; `None` where there is none, or the desktop does not give it. It may take seconds.
pub(in crate::app) fn read() -> Option<String> {
    // A new connection each time: where the desktop has restarted, an old one fails for ever.
    arboard::Clipboard::new().and_then(|mut clipboard| clipboard.get_text()).ok()
}

/// The games copied up to now.
#[derive(Debug, Default)]
struct CopiedGames {
    last_record: Option<Arc<Record>>,
    count: u64,
}

impl CopiedGames {
    /// Returns the first game in a copied text. A game that continues the last one, or takes back moves of it, has its
    /// id.
    fn take(&mut self, text: &str) -> Option<LiveGame> {
        let ReadGames { games, container, .. } = clipboard::records_in(text)?;
        let count = games.len();
        let record = Arc::new(games.into_iter().next()?);
        let goes_on = self.last_record.as_ref().is_some_and(|last| {
            let (before, now): (Vec<_>, Vec<_>) = (last.moves().collect(), record.moves().collect());
            let is_one = !before.is_empty() && !now.is_empty();
            is_one && last.start() == record.start() && (now.starts_with(&before) || before.starts_with(&now))
        });
        self.count += u64::from(!goes_on);
        self.last_record = Some(Arc::clone(&record));
        Some(LiveGame {
            container_and_count: Some((container, count)),
            ..LiveGame::from_record(self.count.to_string(), record)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_copied_by_the_program_are_recognized() {
        let copied = CopiedTexts::default();
        copied.record("position startpos moves 7g7f\n");
        assert!(copied.has("position startpos moves 7g7f\r\n"));
        assert!(!copied.has("position startpos moves 2g2f"));
        (0..MAX_COPIES).for_each(|number| copied.record(&number.to_string()));
        assert!(!copied.has("position startpos moves 7g7f"));
    }

    #[test]
    fn copies_of_a_growing_game_are_one_game() {
        let mut copies = CopiedGames::default();
        let mut id = |text: &str| copies.take(text).map(|game| (game.id, game.record.len()));
        let game = |id: &str, moves| Some((id.to_owned(), moves));
        assert_eq!(id("position startpos moves 7g7f 3c3d"), game("1", 2));
        assert_eq!(id("position startpos moves 7g7f 3c3d 2g2f"), game("1", 3));
        assert_eq!(id("no game"), None);
        assert_eq!(id("position startpos moves 2g2f 8c8d"), game("2", 2));
        assert_eq!(id("4k4/9/9/9/9/9/9/9/4K4 b R 1"), game("3", 0));
    }
}
