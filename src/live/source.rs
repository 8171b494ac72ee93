//! A source that runs on separate threads.

use crate::address::{CsaAddress, LiveAddress};
use crate::csa::shell::CsaMessage;
use crate::csa::{self, CsaPacing};
use crate::game::{LiveGame, SourceEvent};
use crate::http::client::WebClient;
use crate::http::core::HttpOptions;
use crate::http::{self, HttpPacing};
use crate::output::SourceOutput;
use crate::retry::RetryPauses;
use crate::screen::shell::ScreenInputs;
use crate::screen::{self, BoardCorrection, ScreenFollowing, SharedPieces};
use crate::web_url::WebUrl;
use crate::{file, lishogi};
use shogibar_base::threads::{self, Thread};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;
use std::{fmt, io};

/// The capacity of the inbox of a CSA server, in messages of at most 32 KiB of lines.
const INBOX_CAPACITY: usize = 8;

/// The configuration of sources. Tests replace the times and hosts of [`SourceConfig::new`].
#[derive(Clone, Debug)]
pub struct SourceConfig {
    /// The name of the program, as web servers see it: `Shogibar/0.2.0`.
    pub user_agent: String,
    /// The minimum intervals between web requests, and their timeouts.
    pub http: HttpPacing,
    /// The intervals and timeouts of connections to CSA servers.
    pub csa: CsaPacing,
    /// The number of this connection among those with one name on one CSA server, from 0. A server refuses a name that
    /// is logged in already, so the next connection uses `NAME-2`.
    pub csa_connection: u32,
    /// The pauses before the feed of lishogi is opened again.
    pub feed_retry: RetryPauses,
    /// The address of lishogi; without it, no game of lishogi can be followed.
    pub lishogi: Option<WebUrl>,
    /// The game that an earlier source has read from a board on the screen; `None` without one. It continues if the
    /// board still shows it.
    pub begun_game: Option<LiveGame>,
    /// The piece sets by which the pieces on the screen are recognised.
    pub shared_pieces: Arc<SharedPieces>,
}

impl SourceConfig {
    /// Creates the configuration for a version of the program.
    pub fn new(version: &str) -> Self {
        Self {
            user_agent: format!("Shogibar/{version}"),
            http: HttpPacing::default(),
            csa: CsaPacing::default(),
            csa_connection: 0,
            feed_retry: RetryPauses::default(),
            lishogi: WebUrl::parse("https://lishogi.org/"),
            begun_game: None,
            shared_pieces: Arc::default(),
        }
    }
}

/// A running source. Dropping it ends its connections and threads, without waiting. A thread that is looking up a name
/// or connecting may need 20 s to end. At most one event still arrives after the drop.
pub struct LiveSource {
    is_stopped: Arc<AtomicBool>,
    /// The functions that wake the threads when the source is dropped.
    wakers: Vec<Box<dyn Fn() + Send + Sync>>,
    /// The sender whose drop ends the threads.
    stop_sender: Option<SyncSender<()>>,
    /// The settings and corrections for the thread that captures the screen.
    inputs: Arc<ScreenInputs>,
}

impl LiveSource {
    /// Starts to follow an address. `listener` gets the events on a thread of the source.
    ///
    /// # Errors
    /// Fails if the system cannot start a thread. Also fails for the clipboard, standard input and an address
    /// that contains its game. The window and the command line read these.
    pub fn start(
        address: LiveAddress,
        config: &SourceConfig,
        listener: impl FnMut(SourceEvent) + Send + 'static,
    ) -> io::Result<Self> {
        let mut source = Self {
            is_stopped: Arc::default(),
            wakers: Vec::new(),
            stop_sender: None,
            inputs: Arc::default(),
        };
        let output = SourceOutput::new(Box::new(listener), &source.is_stopped)?;
        let (stop_sender, stop) = sync_channel::<()>(1);
        let thread = match address {
            LiveAddress::Clipboard | LiveAddress::Stdin | LiveAddress::SelfContained(_) => {
                return Err(io::ErrorKind::Unsupported.into());
            }
            LiveAddress::Path(path) => {
                let start = output.start_time();
                threads::spawn("live-file", move || {
                    file::shell::run(&path, &stop, &output, start);
                })
            }
            LiveAddress::Web(url) => {
                let options = HttpOptions {
                    pacing: config.http,
                    has_shorter_intervals: true,
                    ..HttpOptions::default()
                };
                source.follow_url(url, options, config, stop, output)
            }
            LiveAddress::Lishogi(id) => {
                let Some(url) = lishogi::export_url(config.lishogi.as_ref(), &id) else {
                    return Err(io::ErrorKind::InvalidInput.into());
                };
                let options = lishogi::options(id, config.http);
                source.follow_url(url, options, config, stop, output)
            }
            LiveAddress::LishogiTv => {
                let Some(url) = lishogi::feed_url(config.lishogi.as_ref()) else {
                    return Err(io::ErrorKind::InvalidInput.into());
                };
                // A stream has no end, so only its parts have a time limit.
                let client = source.client(config, None);
                let pauses = config.feed_retry;
                threads::spawn("live-tv", move || {
                    lishogi::shell::run(&url, pauses, &client, &stop, &output);
                })
            }
            LiveAddress::Screen(area) => {
                let (inputs, begun_game) = (Arc::clone(&source.inputs), config.begun_game.clone());
                let pieces = Arc::clone(&config.shared_pieces);
                threads::spawn("live-screen", move || {
                    screen::shell::run(area, begun_game.as_ref(), &pieces, &inputs, &stop, &output);
                })
            }
            LiveAddress::Csa(address) => source.observe_csa(address, config, output),
        };
        thread?.detach();
        source.stop_sender = Some(stop_sender);
        Ok(source)
    }

    /// Sets how a board on the screen is followed, from the next reading on; without effect on other sources.
    pub fn set_screen(&self, following: ScreenFollowing) {
        self.inputs.set(following);
    }

    /// Applies the user's correction to the position on the screen, at the next reading; without effect on other
    /// sources.
    pub fn correct_screen(&self, correction: BoardCorrection) {
        self.inputs.correct(correction);
    }

    fn client(&mut self, config: &SourceConfig, timeout: Option<Duration>) -> WebClient {
        let client = WebClient::new(&config.user_agent, timeout);
        let copy = client.clone();
        self.wakers.push(Box::new(move || copy.shutdown()));
        client
    }

    /// Starts the thread that follows a web address.
    fn follow_url(
        &mut self,
        url: WebUrl,
        options: HttpOptions,
        config: &SourceConfig,
        refresh_requests: std::sync::mpsc::Receiver<()>,
        output: SourceOutput,
    ) -> io::Result<Thread> {
        let client = self.client(config, Some(options.pacing.request_timeout));
        threads::spawn("live-web", move || {
            http::shell::run(url, options, &client, &refresh_requests, &output);
        })
    }

    /// Starts the thread that observes a game on a CSA server, and a thread for the file of the game.
    fn observe_csa(
        &mut self,
        address: CsaAddress,
        config: &SourceConfig,
        output: SourceOutput,
    ) -> io::Result<Thread> {
        let (inbox, messages) = sync_channel(INBOX_CAPACITY);
        let mut refresh_sender = None;
        if let Some(url) = address.file.clone() {
            let (sender, refresh_requests) = sync_channel(1);
            let interval_without_signal = Some(config.http.default_interval);
            let pacing = HttpPacing {
                default_interval: config.http.csa_interval,
                interval_without_signal,
                ..config.http
            };
            let options = HttpOptions {
                pacing,
                has_shorter_intervals: true,
                ..HttpOptions::default()
            };
            let to_observer = inbox.clone();
            // An error means that the observer has ended and no longer needs the file.
            let forward = move |event| drop(to_observer.send(CsaMessage::File(event)));
            let output = SourceOutput::new(Box::new(forward), &self.is_stopped)?;
            self.follow_url(url, options, config, refresh_requests, output)?
                .detach();
            refresh_sender = Some(sender);
        }
        let wake = inbox.clone();
        // A full inbox means that the thread is awake, and it sees the flag.
        self.wakers
            .push(Box::new(move || drop(wake.try_send(CsaMessage::Stop))));
        let (pacing, address) = (config.csa, address.for_connection(config.csa_connection));
        threads::spawn("live-csa", move || {
            csa::shell::run(
                &address,
                pacing,
                &inbox,
                &messages,
                refresh_sender.as_ref(),
                &output,
            );
        })
    }
}

impl Drop for LiveSource {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.stop_sender = None;
        for wake in &self.wakers {
            wake();
        }
    }
}

impl fmt::Debug for LiveSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveSource").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
