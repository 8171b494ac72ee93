//! Passive observation of USI traffic, as in a log, a relay or a probe.
//!
//! [`Handshake`] identifies an engine, [`SearchTracker`] assigns lines to searches, and [`PvTable`] selects the lines
//! to show. A session uses these three for the engine that it drives.

mod gui_observer;
mod handshake;
mod log_header;
mod pv_table;
mod tracker;

pub use gui_observer::{GuiObserver, ObservedState};
pub use handshake::{EngineIdentity, Handshake, HandshakeStep};
pub use log_header::LogHeader;
pub use pv_table::{Candidate, PvTable, PvUpdate, SearchInfo, SearchStats, legal_prefix_len};
pub use tracker::{SearchTracker, TrackedSearch};

use crate::usi::{Reply, UsiCommand, reply};

/// The state of a conversation between a host and an engine, from its lines.
#[derive(Debug, Default)]
pub struct Observer {
    /// The handshake since the last `usi`; `None` before the first.
    handshake: Option<Handshake>,
    tracker: SearchTracker,
    pv_table: PvTable,
}

/// A line of an engine's output, with its search.
#[derive(Debug)]
pub struct ObservedReply {
    /// The parsed line.
    pub reply: Reply,
    /// The search that the line belongs to; `None` for a line outside any search.
    pub search: Option<TrackedSearch>,
    /// The effect of the line on the table of PVs; `None` for a line that is not an `info` of a search.
    pub update: Option<PvUpdate>,
}

impl Observer {
    /// Records a line sent to the engine.
    pub fn on_sent(&mut self, line: &str) {
        if matches!(UsiCommand::parse(line), UsiCommand::Usi) {
            self.handshake = Some(Handshake::default());
            self.pv_table = PvTable::default();
        }
        self.tracker.on_sent(line);
    }

    /// Records a line of the engine's output. Returns its meaning, its search and its effect on the table of pvs.
    pub fn on_received(&mut self, line: &str) -> ObservedReply {
        let reply = reply::parse(line);
        if let Some(handshake) = &mut self.handshake {
            handshake.on_received(line, &reply);
        }
        let search = self.tracker.on_received(&reply);
        let update = match (&search, &reply) {
            (Some(search), Reply::Info(info)) => Some(self.pv_table.update(search, info)),
            _ => None,
        };
        ObservedReply {
            reply,
            search,
            update,
        }
    }

    /// Records that lines are missing, in either direction.
    pub fn on_gap(&mut self) {
        self.tracker.on_gap();
    }

    /// Returns the identity that the engine has declared; `None` before `usi`.
    pub fn identity(&self) -> Option<&EngineIdentity> {
        self.handshake.as_ref().map(Handshake::identity)
    }

    /// Returns the search in progress: the oldest without an answer.
    pub fn search(&self) -> Option<TrackedSearch> {
        self.tracker.current()
    }

    /// Returns the latest search output and its position; `None` before the first value.
    pub fn shown(&mut self) -> Option<SearchInfo> {
        self.pv_table.shown()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_observer_knows_the_engine_and_whose_line_is_whose() {
        let mut observer = Observer::default();
        assert_eq!(observer.identity(), None);
        observer.on_sent("usi");
        for line in [
            "id name A",
            "option name Hash type spin default 1 min 1 max 9",
            "usiok",
        ] {
            observer.on_received(line);
        }
        let identity = observer.identity().unwrap();
        assert_eq!((identity.name.as_str(), identity.options.len()), ("A", 1));
        observer.on_sent("position startpos");
        observer.on_sent("go infinite");
        observer.on_sent("position startpos moves 7g7f");
        let late = observer.on_received("info depth 1 score cp 30 pv 7g7f");
        let history = late
            .search
            .as_ref()
            .and_then(|search| search.history.clone())
            .unwrap();
        assert_eq!(
            history.now().move_number(),
            1,
            "the search before the new position"
        );
        assert_ne!(
            late.update,
            Some(PvUpdate::Accepted),
            "a newer position replaces it"
        );
        assert!(observer.on_received("bestmove 7g7f").search.is_some());
        assert!(
            observer
                .on_received("info depth 1 score cp 30 pv 7g7f")
                .search
                .is_none()
        );
    }
}
