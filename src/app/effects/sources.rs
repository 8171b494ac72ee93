//! The running sources of games.

#[cfg(feature = "gui")]
mod clipboard;

use crate::app::ids::SourceId;
use crate::live::{EndCause, LiveAddress, LiveSource, SourceConfig, SourceEvent, SourceProblem, SourceState};
#[cfg(feature = "gui")]
use clipboard::ClipboardWatcher;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// Receives the events of a source, on any thread.
pub type SourceEventFn = Arc<dyn Fn(SourceId, SourceEvent) + Send + Sync>;

/// The sources that run, each on threads of its own. Dropping it ends them, and waits for none.
pub struct SourceThreads {
    sources: BTreeMap<SourceId, RunningSource>,
    config: SourceConfig,
    listener: SourceEventFn,
}

/// A running source. Dropping it ends it.
enum RunningSource {
    Live {
        _source: LiveSource,
    },
    #[cfg(feature = "gui")]
    Clipboard {
        _watcher: ClipboardWatcher,
    },
}

impl SourceThreads {
    /// Creates it without a source.
    pub fn new(listener: SourceEventFn) -> Self {
        Self { sources: BTreeMap::new(), config: SourceConfig::new(env!("CARGO_PKG_VERSION")), listener }
    }

    /// Starts to follow an address. Never blocks. Returns what came of it if it failed at once.
    pub fn start(&mut self, id: SourceId, address: LiveAddress) -> Option<SourceEvent> {
        match self.run(id, address) {
            Ok(source) => {
                self.sources.insert(id, source);
                None
            }
            Err(_no_thread) => Some(SourceEvent::State(SourceState::Ended(EndCause::Refused(SourceProblem::System)))),
        }
    }

    fn run(&self, id: SourceId, address: LiveAddress) -> io::Result<RunningSource> {
        let listener = Arc::clone(&self.listener);
        let report = move |event| listener(id, event);
        #[cfg(feature = "gui")]
        if address == LiveAddress::Clipboard {
            return Ok(RunningSource::Clipboard { _watcher: ClipboardWatcher::start(report)? });
        }
        Ok(RunningSource::Live { _source: LiveSource::start(address, &self.config, report)? })
    }

    /// Ends a source.
    pub fn end(&mut self, id: SourceId) {
        self.sources.remove(&id);
    }
}

impl std::fmt::Debug for SourceThreads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceThreads").field("sources", &self.sources.keys()).finish_non_exhaustive()
    }
}
