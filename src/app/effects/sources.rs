//! The running sources of games.

#[cfg(feature = "gui")]
mod clipboard;

#[cfg(feature = "gui")]
pub(in crate::app) use clipboard::read as read_clipboard;
#[cfg(feature = "gui")]
use clipboard::{ClipboardWatcher, CopiedTexts};
use shogibar_base::threads::{self, lock};
use shogibar_live::{
    BoardCorrection, CsaAddress, EndCause, EventQueue, LiveAddress, LiveGame, LiveSource, ScreenFollowing,
    SharedPieces, SourceConfig, SourceEvent, SourceProblem, SourceState,
};
use shogibar_model::ids::SourceId;
use shogibar_model::record_file::WakeFn;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

/// The events of the sources that have not been taken yet.
type SourceInbox = Arc<Mutex<BTreeMap<SourceId, EventQueue>>>;

/// The running sources, each on its threads. Dropping it ends the threads without joining them.
pub struct SourceThreads {
    sources: BTreeMap<SourceId, RunningSource>,
    config: SourceConfig,
    logins: CsaLogins,
    #[cfg(feature = "gui")]
    copied_texts: CopiedTexts,
    inbox: SourceInbox,
    last_taken: Option<SourceId>,
    wake: WakeFn,
}

/// The names that are logged in on CSA servers.
#[derive(Debug, Default)]
struct CsaLogins {
    /// The address of each source, and its number among those with the same name.
    logins: BTreeMap<SourceId, (CsaAddress, u32)>,
    /// The connection that ended last. Its server may not know yet that it ended.
    last_ended: Option<(CsaAddress, u32)>,
}

impl CsaLogins {
    /// Adds a connection. Returns its number: the smallest that no connection with the same login has.
    fn add(&mut self, id: SourceId, address: &CsaAddress) -> u32 {
        let same = self
            .logins
            .values()
            .chain(&self.last_ended)
            .filter(|(known, _)| known.is_same_login(address));
        let taken: Vec<u32> = same.map(|(_, number)| *number).collect();
        let number = (0..=u32::MAX)
            .find(|number| !taken.contains(number))
            .unwrap_or_default();
        self.logins.insert(id, (address.clone(), number));
        number
    }

    /// Removes the connection of a source, which then is the one that ended last.
    fn remove(&mut self, id: SourceId) {
        if let Some(ended) = self.logins.remove(&id) {
            self.last_ended = Some(ended);
        }
    }
}

/// A running source. Dropping it ends the source.
enum RunningSource {
    Live {
        source: LiveSource,
    },
    #[cfg(feature = "gui")]
    Clipboard {
        _watcher: ClipboardWatcher,
    },
}

impl SourceThreads {
    /// Creates an empty set. `wake` is called from another thread when there are events to [take](Self::take_one).
    /// `shared_pieces` has the piece sets of boards on the screen.
    pub fn new(wake: WakeFn, shared_pieces: Arc<SharedPieces>) -> Self {
        Self {
            sources: BTreeMap::new(),
            config: SourceConfig {
                shared_pieces,
                ..SourceConfig::new(env!("CARGO_PKG_VERSION"))
            },
            logins: CsaLogins::default(),
            #[cfg(feature = "gui")]
            copied_texts: CopiedTexts::default(),
            inbox: Arc::default(),
            last_taken: None,
            wake,
        }
    }

    /// Removes and returns the next event. The sources take turns, in the order of their ids.
    pub fn take_one(&mut self) -> Option<(SourceId, SourceEvent)> {
        let mut inbox = lock(&self.inbox);
        let next = inbox
            .iter()
            .find(|(id, queue)| Some(**id) > self.last_taken && !queue.is_empty())
            .or_else(|| inbox.iter().find(|(_, queue)| !queue.is_empty()));
        let id = *next?.0;
        self.last_taken = Some(id);
        Some((id, inbox.get_mut(&id)?.take_first()?))
    }

    /// Starts to follow an address. `begun` is the game that a board on the screen has shown before. Never blocks.
    /// Returns an event only if the source could not be started.
    pub fn start(
        &mut self,
        id: SourceId,
        address: LiveAddress,
        begun: Option<LiveGame>,
    ) -> Option<SourceEvent> {
        match self.start_source(id, address, begun) {
            Ok(source) => {
                self.sources.insert(id, source);
                None
            }
            Err(_no_thread) => Some(SourceEvent::State(SourceState::Ended(EndCause::Refused(
                SourceProblem::System,
            )))),
        }
    }

    fn start_source(
        &mut self,
        id: SourceId,
        address: LiveAddress,
        begun: Option<LiveGame>,
    ) -> io::Result<RunningSource> {
        let (inbox, wake) = (Arc::clone(&self.inbox), Arc::clone(&self.wake));
        let report = move |event| {
            lock(&inbox).entry(id).or_default().add(event);
            wake();
        };
        #[cfg(feature = "gui")]
        if address == LiveAddress::Clipboard {
            return Ok(RunningSource::Clipboard {
                _watcher: ClipboardWatcher::start(self.copied_texts.clone(), report)?,
            });
        }
        let csa_connection = match &address {
            LiveAddress::Csa(csa) => self.logins.add(id, csa),
            _ => 0,
        };
        let config = SourceConfig {
            csa_connection,
            begun_game: begun,
            ..self.config.clone()
        };
        Ok(RunningSource::Live {
            source: LiveSource::start(address, &config, report)?,
        })
    }

    /// Records a text that this program has copied: the clipboard watcher ignores it.
    #[cfg(feature = "gui")]
    pub fn record_copied(&self, text: &str) {
        self.copied_texts.record(text);
    }

    /// Sets how a board on the screen is followed.
    pub fn set_screen(&self, id: SourceId, following: ScreenFollowing) {
        if let Some(RunningSource::Live { source }) = self.sources.get(&id) {
            source.set_screen(following);
        }
    }

    /// Applies the user's correction to a board on the screen.
    pub fn correct_screen(&self, id: SourceId, correction: BoardCorrection) {
        if let Some(RunningSource::Live { source }) = self.sources.get(&id) {
            source.correct_screen(correction);
        }
    }

    /// Forgets the piece sets of all boards on the screen.
    pub fn forget_pieces(&self) {
        let pieces = Arc::clone(&self.config.shared_pieces);
        if let Ok(thread) = threads::spawn("forget-pieces", move || pieces.forget()) {
            thread.detach();
        }
    }

    /// Ends a source, and drops its events and its login.
    pub fn end(&mut self, id: SourceId) {
        self.sources.remove(&id);
        lock(&self.inbox).remove(&id);
        self.logins.remove(id);
    }
}

impl std::fmt::Debug for SourceThreads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceThreads")
            .field("sources", &self.sources.keys())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_logged_in_twice() {
        let address = |text: &str| match LiveAddress::parse(text) {
            Ok(LiveAddress::Csa(address)) => address,
            other => panic!("{other:?}"),
        };
        let mut logins = CsaLogins::default();
        let add = |logins: &mut CsaLogins, id: u64, text: &str| logins.add(SourceId(id), &address(text));
        assert_eq!(add(&mut logins, 1, "csa://me:secret@host"), 0);
        assert_eq!(add(&mut logins, 2, "csa://me:secret@host/a"), 1);
        assert_eq!(add(&mut logins, 3, "csa://me@host/b"), 2);
        assert_eq!(add(&mut logins, 4, "csa://you@host/b"), 0);
        assert_eq!(add(&mut logins, 5, "csa://me@host:4082/b"), 0);
        // The server may still hold the name that was just given up, so a new connection does not get it.
        logins.remove(SourceId(1));
        assert_eq!(add(&mut logins, 6, "csa://me@host/c"), 3);
        logins.remove(SourceId(4));
        assert_eq!(add(&mut logins, 7, "csa://me@host/d"), 0);
    }
}
