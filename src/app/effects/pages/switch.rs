//! The switch of the OBS pages: on, off, or on at another address. It does not block. A failed start is tried again:
//! another program may have the port.

use super::{ObsPageControl, ObsPagesAddress, ObsPagesSettings, RunningObsPages};
use shogibar_base::threads;
use shogibar_model::AppModel;
use shogibar_model::ids::GameId;
use shogibar_model::outputs::PageClients;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// The pause after the first failed start. Each further pause is twice as long.
const FIRST_RETRY_PAUSE: Duration = Duration::from_secs(2);
/// The longest pause after a failed start.
const MAX_RETRY_PAUSE: Duration = Duration::from_mins(1);

/// The result of starting the OBS pages.
pub type ObsPagesStarted = (ObsPagesAddress, io::Result<RunningObsPages>);

/// The OBS pages of a program that the user switches on and off.
#[derive(Debug, Default)]
pub struct ObsPagesSwitch {
    running_pages: Option<RunningObsPages>,
    /// The wanted address and settings; `None` while the OBS pages are off.
    requested_pages: Option<(ObsPagesAddress, ObsPagesSettings)>,
    /// The reason why the wanted OBS pages are not served.
    problem: Option<io::Error>,
    /// The end of a channel to the thread that starts the OBS pages. Dropping it cancels the attempt.
    attempt: Option<SyncSender<()>>,
    /// Whether the running OBS pages show the present model.
    is_published: bool,
}

impl ObsPagesSwitch {
    /// Replaces the running OBS pages by others that already run, or by none.
    pub fn set_running(&mut self, running: Option<RunningObsPages>) {
        self.running_pages = running;
        self.is_published = false;
    }

    /// Starts or ends the OBS pages as wanted, on a thread that calls `done` with the result of each start. If only the
    /// settings differ, they are applied to the running OBS pages.
    pub fn request(
        &mut self,
        wanted: Option<(ObsPagesAddress, ObsPagesSettings)>,
        done: impl Fn(ObsPagesStarted) + Send + 'static,
    ) {
        let known = self.requested_pages.as_ref().map(|(address, _)| address);
        let is_same = known == wanted.as_ref().map(|(address, _)| address);
        if let (true, Some((_, settings)), Some((_, before)), Some(running)) =
            (is_same, &wanted, &self.requested_pages, &self.running_pages)
            && settings != before
        {
            running.set_settings(settings.clone());
        }
        self.requested_pages.clone_from(&wanted);
        if is_same {
            return;
        }
        // The port of the former pages is free only after they have ended, so they end first.
        let before = self.running_pages.take();
        (self.problem, self.attempt) = (None, None);
        let (attempt, end) = sync_channel::<()>(0);
        let work = move || {
            drop(before);
            let Some((address, settings)) = wanted else { return };
            let mut pause = FIRST_RETRY_PAUSE;
            loop {
                let started = RunningObsPages::start(&address, settings.clone());
                let is_there = started.is_ok();
                done((address.clone(), started));
                if is_there || end.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                pause = (pause * 2).min(MAX_RETRY_PAUSE);
            }
        };
        match threads::spawn("pages-start", work) {
            Ok(thread) => {
                thread.detach();
                self.attempt = Some(attempt);
            }
            Err(why) => self.problem = Some(why),
        }
    }

    /// Applies the result of a start. OBS pages that are no longer wanted are ended.
    pub fn on_started(&mut self, (address, started): ObsPagesStarted) {
        let is_wanted = self
            .requested_pages
            .as_ref()
            .is_some_and(|(wanted, _)| *wanted == address);
        if !is_wanted || self.running_pages.is_some() {
            return threads::drop_in_background(started);
        }
        match started {
            Ok(running) => {
                // The settings may have changed since the start, so they are set again.
                if let Some((_, settings)) = &self.requested_pages {
                    running.set_settings(settings.clone());
                }
                (self.problem, self.attempt) = (None, None);
                self.set_running(Some(running));
            }
            Err(why) => self.problem = Some(why),
        }
    }

    /// Records that the model has changed.
    pub const fn on_change(&mut self) {
        self.is_published = false;
    }

    /// Shows the model, if it has changed.
    pub fn publish(&mut self, model: &AppModel) {
        if !self.is_published
            && let Some(running) = &self.running_pages
        {
            running.publish(model);
            self.is_published = true;
        }
    }

    /// Removes and returns the game that was last chosen on an OBS page.
    pub fn take_chosen_game(&self) -> Option<GameId> {
        self.running_pages.as_ref()?.take_chosen_game()
    }

    /// Removes and returns the open pages, if others are open than before.
    pub fn take_clients(&self) -> Option<PageClients> {
        self.running_pages.as_ref()?.take_clients()
    }

    /// Removes and returns the requests to the control address since the last call.
    pub fn take_controls(&self) -> Vec<ObsPageControl> {
        self.running_pages
            .as_ref()
            .map(RunningObsPages::take_controls)
            .unwrap_or_default()
    }

    /// Returns the OBS pages while they are served.
    pub const fn running(&self) -> Option<&RunningObsPages> {
        self.running_pages.as_ref()
    }

    /// Returns the reason why the OBS pages are not served though the user wants them.
    pub const fn problem(&self) -> Option<&io::Error> {
        self.problem.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::Lang;
    use shogibar_config::{OverlayParts, OverlaySettings, SecondNames};
    use shogibar_serve::AccessToken;
    use std::net::TcpListener;

    fn settings() -> ObsPagesSettings {
        let (overlay, parts) = (OverlaySettings::default(), OverlayParts::default());
        ObsPagesSettings {
            overlay,
            program_font: None,
            parts,
            lang: Lang::En,
            second_names: SecondNames::default(),
            store: None,
        }
    }

    #[test]
    fn pages_come_once_their_port_is_free() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let (sender, starts) = sync_channel(4);
        let mut switch = ObsPagesSwitch::default();
        let address = ObsPagesAddress {
            port,
            token: AccessToken::random().unwrap(),
            is_open: false,
            control_token: None,
        };
        switch.request(Some((address, settings())), move |started| {
            sender.send(started).unwrap();
        });
        switch.on_started(starts.recv().unwrap());
        assert_eq!(
            switch.problem().map(io::Error::kind),
            Some(io::ErrorKind::AddrInUse)
        );
        drop(taken);
        switch.on_started(starts.recv().unwrap());
        assert!(switch.problem().is_none());
        assert_eq!(switch.running().map(RunningObsPages::port), Some(port));
        // No further start is tried.
        assert!(starts.recv().is_err());
    }
}
