//! The thread that watches the clipboard for records and positions.

use shogibar_base::threads::{self, lock};
use shogibar_kifu::{ReadGames, Record};
use shogibar_live::{LiveGame, SourceEvent, clipboard};
use std::collections::VecDeque;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::io;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const CLIPBOARD_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The maximum number of texts copied by this program that are remembered.
const MAX_COPIED_TEXTS: usize = 32;

/// The hashes of the texts that this program has copied lately. The clipboard watcher ignores these texts.
#[derive(Clone, Debug, Default)]
pub(super) struct CopiedTexts(Arc<Mutex<VecDeque<u64>>>);

impl CopiedTexts {
    /// Adds a text that this program has copied. The oldest text above [`MAX_COPIED_TEXTS`] is forgotten.
    pub(super) fn record(&self, text: &str) {
        let mut known = lock(&self.0);
        known.push_front(fingerprint(text));
        known.truncate(MAX_COPIED_TEXTS);
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
    /// Starts the thread. The present content of the clipboard is not reported.
    pub(super) fn start(
        copied_texts: CopiedTexts,
        report: impl Fn(SourceEvent) + Send + 'static,
    ) -> io::Result<Self> {
        let (stop, stops) = sync_channel::<()>(0);
        let watch = move || {
            let mut copies = CopiedGames::default();
            let mut known = read();
            while stops.recv_timeout(CLIPBOARD_CHECK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let Some(text) = read().filter(|text| known.as_ref() != Some(text)) else {
                    continue;
                };
                if !copied_texts.has(&text)
                    && let Some(game) = copies.add_text(&text)
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

/// Reads the text on the clipboard; `None` if there is none, or the desktop refuses it. This may take seconds.
pub(in crate::app) fn read() -> Option<String> {
    // A new connection each time: after a restart of the desktop, an old connection would always fail.
    arboard::Clipboard::new()
        .and_then(|mut clipboard| clipboard.get_text())
        .ok()
}

/// The games that the user has copied up to now.
#[derive(Debug, Default)]
struct CopiedGames {
    last_record: Option<Arc<Record>>,
    /// The number of different games, which is also the id of the last game.
    count: u64,
}

impl CopiedGames {
    /// Returns the first game in a copied text; `None` without one. A game that continues the last game, or takes back
    /// moves of the last game, has the id of the last game.
    fn add_text(&mut self, text: &str) -> Option<LiveGame> {
        let ReadGames { games, container, .. } = clipboard::records_in(text)?;
        let count = games.len();
        let record = Arc::new(games.into_iter().next()?);
        let is_continued = self.last_record.as_ref().is_some_and(|last| {
            let (before, now): (Vec<_>, Vec<_>) = (last.moves().collect(), record.moves().collect());
            let have_moves = !before.is_empty() && !now.is_empty();
            have_moves
                && last.start() == record.start()
                && (now.starts_with(&before) || before.starts_with(&now))
        });
        self.count += u64::from(!is_continued);
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
        (0..MAX_COPIED_TEXTS).for_each(|number| copied.record(&number.to_string()));
        assert!(!copied.has("position startpos moves 7g7f"));
    }

    #[test]
    fn copies_of_a_growing_game_are_one_game() {
        let mut copies = CopiedGames::default();
        let mut id = |text: &str| copies.add_text(text).map(|game| (game.id, game.record.len()));
        let game = |id: &str, moves| Some((id.to_owned(), moves));
        assert_eq!(id("position startpos moves 7g7f 3c3d"), game("1", 2));
        assert_eq!(id("position startpos moves 7g7f 3c3d 2g2f"), game("1", 3));
        assert_eq!(id("no game"), None);
        assert_eq!(id("position startpos moves 2g2f 8c8d"), game("2", 2));
        assert_eq!(id("4k4/9/9/9/9/9/9/9/4K4 b R 1"), game("3", 0));
    }
}
