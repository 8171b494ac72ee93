//! The decisions of a record at a web address, without socket and clock.

use super::reply::{HttpReply, HttpRequest};
use super::{HttpPacing, MAX_CONTENT_BYTES};
use crate::game::{EndCause, GameChoice, LiveGame, RedirectRefusal, SourceEvent, SourceProblem, SourceState};

use crate::reader::{GameReader, ReadCertainty, ReaderUpdate};
use crate::retry::RetryPauses;
use crate::source_document::{self, DocumentContent};
use crate::web_url::WebUrl;
use std::path::Path;
use std::time::Duration;

/// The largest number of redirects of one fetch.
pub const MAX_REDIRECTS: u32 = 5;

/// An input of the core that follows a web address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpEvent {
    /// The answer to the request.
    Reply(HttpReply),
    /// The request failed.
    Failed(SourceProblem),
    /// The content may have changed. The next request follows as soon as the minimum interval allows.
    RefreshRequested,
    /// The deadline has passed.
    Deadline,
}

/// An output of the core that follows a web address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpEffect {
    /// Fetch. Another request follows only after the answer or failure of this one.
    Fetch(HttpRequest),
    /// Report an event.
    Report(SourceEvent),
}

/// The options for following an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpOptions {
    /// The intervals between requests.
    pub pacing: HttpPacing,
    /// The id of the game; `None` to use the entered address.
    pub id: Option<String>,
    /// Whether the last moves are withheld while the game is in progress.
    pub is_withheld: bool,
    /// Whether the shorter intervals for CSA and for this machine apply. Otherwise the interval for unknown hosts
    /// applies.
    pub has_shorter_intervals: bool,
}

/// The request whose answer the core waits for.
#[derive(Clone, Debug)]
struct PendingRequest {
    request: HttpRequest,
    /// The way by which the address was found.
    via: Via,
}

/// The way by which an address was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Via {
    /// The user has entered the address, or the address is known to be that of the record.
    Entered,
    /// A page has a frame with this address.
    Frame,
    /// A page has named the address as a record.
    Page,
}

/// The state machine of a record at a web address.
#[derive(Debug)]
pub struct HttpCore {
    options: HttpOptions,
    /// The address that the user entered.
    entered_url: WebUrl,
    /// The address of the record, after redirects and a page.
    target_url: WebUrl,
    /// The way by which the address of the record was found.
    target_via: Via,
    now: Duration,
    pending_request: Option<PendingRequest>,
    /// The time of the first request of the last fetch; `None` before the first.
    last_request_time: Option<Duration>,
    next_poll_time: Duration,
    /// The number of failures in a row.
    failures: u32,
    /// The end of the pause that the server asked for.
    pause_until: Duration,
    /// The `ETag` of the last content; `None` without one.
    etag: Option<String>,
    /// The last content if it is doubtful, for a second fetch that answers "not modified".
    doubtful_content: Option<Vec<u8>>,
    reader: GameReader,
    /// The time of the last change of the game.
    last_change: Duration,
    /// Whether the first host of every fetch was this machine or in a private network; `None` before the first answer.
    is_local: Option<bool>,
    /// Whether the host of the last answer is this machine. Before an answer, the address decides.
    is_loopback: bool,
    /// Whether a refresh was requested since the last fetch began.
    is_refresh_requested: bool,
    /// Whether the known game is over.
    is_ended: bool,
    /// The state that was reported last; `None` before the first.
    state: Option<SourceState>,
    effects: Vec<HttpEffect>,
}

impl HttpCore {
    /// Starts to follow an address at the time `now`. Returns the core and its first effects.
    pub fn start(url: WebUrl, options: HttpOptions, now: Duration) -> (Self, Vec<HttpEffect>) {
        let mut core = Self {
            target_url: url.clone(),
            target_via: Via::Entered,
            is_loopback: url.is_loopback(),
            reader: GameReader::new(Path::new(&url.file_name()), options.pacing.quiet_time)
                .for_game(url.game_number()),
            options,
            entered_url: url,
            now,
            pending_request: None,
            last_request_time: None,
            next_poll_time: now,
            failures: 0,
            pause_until: now,
            etag: None,
            doubtful_content: None,
            last_change: now,
            is_local: None,
            is_refresh_requested: false,
            is_ended: false,
            state: None,
            effects: Vec::new(),
        };
        core.set_state(SourceState::Waiting);
        core.poll();
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    /// Returns when [`HttpEvent::Deadline`] is due; `None` while an answer is awaited, and after the source has ended.
    pub fn deadline(&self) -> Option<Duration> {
        (self.pending_request.is_none() && !self.is_over()).then_some(self.next_poll_time)
    }

    /// Returns whether the source has ended.
    pub const fn is_over(&self) -> bool {
        matches!(self.state, Some(SourceState::Ended(_)))
    }

    /// Applies one event at the time `now`, and returns the effects.
    pub fn step(&mut self, now: Duration, event: HttpEvent) -> Vec<HttpEffect> {
        self.now = now;
        if !self.is_over() {
            match event {
                HttpEvent::Reply(reply) => {
                    if let Some(pending) = self.pending_request.take() {
                        self.on_reply(pending, reply);
                    }
                }
                HttpEvent::Failed(problem) => {
                    if self.pending_request.take().is_some() {
                        self.fail(problem);
                    }
                }
                HttpEvent::RefreshRequested => self.on_refresh_requested(),
                HttpEvent::Deadline => {
                    if self.pending_request.is_none() && self.now >= self.next_poll_time {
                        self.poll();
                    }
                }
            }
        }
        std::mem::take(&mut self.effects)
    }

    /// Returns the minimum time between two fetches.
    fn min_interval(&self) -> Duration {
        let pacing = &self.options.pacing;
        match () {
            () if !self.options.has_shorter_intervals => pacing.default_interval,
            () if self.is_loopback => pacing.loopback_interval,
            () if self.reader.is_csa() => pacing.csa_interval,
            () => pacing.default_interval,
        }
    }

    /// Begins a fetch at the address of the record.
    fn poll(&mut self) {
        self.last_request_time = Some(self.now);
        self.is_refresh_requested = false;
        let request = HttpRequest {
            url: self.target_url.clone(),
            etag: self.etag.clone(),
            may_be_local: self.is_local.unwrap_or(true),
            hops: 0,
        };
        self.fetch(PendingRequest {
            request,
            via: Via::Entered,
        });
    }

    fn fetch(&mut self, pending: PendingRequest) {
        self.effects.push(HttpEffect::Fetch(pending.request.clone()));
        self.pending_request = Some(pending);
    }

    fn on_refresh_requested(&mut self) {
        self.is_refresh_requested = true;
        if self.pending_request.is_none() && self.failures == 0 {
            self.next_poll_time = self.next_poll_time.min(self.earliest_poll_time());
            if self.now >= self.next_poll_time {
                self.poll();
            }
        }
    }

    fn earliest_poll_time(&self) -> Duration {
        self.last_request_time
            .map_or(self.now, |last| last + self.min_interval())
            .max(self.pause_until)
    }

    /// Plans the next fetch after a success.
    fn schedule(&mut self) {
        let interval = match self.options.pacing.interval_without_signal {
            Some(interval) if !self.is_refresh_requested && !self.reader.is_doubtful() => {
                interval.max(self.min_interval())
            }
            _ => self.min_interval(),
        };
        self.next_poll_time = self
            .last_request_time
            .map_or(self.now, |last| last + interval)
            .max(self.pause_until)
            .max(self.now);
    }

    fn on_reply(&mut self, pending: PendingRequest, reply: HttpReply) {
        if pending.request.hops == 0 || self.is_local.is_none() {
            // A host that was public once remains public, even if its name resolves differently later.
            self.is_local = Some(self.is_local.unwrap_or(true) && reply.is_local);
        }
        self.is_loopback = reply.is_loopback;
        match reply.status {
            200 | 203 if reply.body.len() > MAX_CONTENT_BYTES => self.fail(SourceProblem::TooLarge),
            200 | 203 => self.on_content(pending, reply),
            304 => self.on_not_modified(),
            301 | 302 | 303 | 307 | 308 => self.redirect(&pending, reply.location.as_deref()),
            404 | 410 => self.fail_with_pause(&reply, SourceProblem::NotFound),
            401 | 403 => self.fail_with_pause(&reply, SourceProblem::Denied),
            429 => {
                self.pause_until = self.now + self.options.pacing.too_many_requests_pause;
                self.fail_with_pause(&reply, SourceProblem::TooManyRequests);
            }
            status => self.fail_with_pause(&reply, SourceProblem::Status(status)),
        }
    }

    /// Handles a failure, with the pause that the server asks for.
    fn fail_with_pause(&mut self, reply: &HttpReply, problem: SourceProblem) {
        if matches!(reply.status, 429 | 503)
            && let Some(pause) = reply.pause()
        {
            self.pause_until = self
                .pause_until
                .max(self.now + pause.min(self.options.pacing.max_retry_after));
        }
        self.fail(problem);
    }

    /// Counts a failure, plans the next fetch and reports the problem.
    fn fail(&mut self, problem: SourceProblem) {
        self.failures = self.failures.saturating_add(1);
        // The record may have moved, so the next fetch begins at the entered address.
        if self.failures > 1 {
            self.target_url = self.entered_url.clone();
            self.etag = None;
        }
        let min_interval = self.min_interval();
        let pauses = RetryPauses {
            first: min_interval.saturating_mul(2),
            max: self.options.pacing.max_backoff.max(min_interval),
        };
        let backoff = pauses.after(self.failures);
        self.next_poll_time = self
            .last_request_time
            .map_or(self.now, |last| last + backoff)
            .max(self.pause_until)
            .max(self.now);
        if self.end_if_unchanged() {
            return;
        }
        self.set_state(SourceState::Lost {
            problem,
            retry_in: self.next_poll_time.saturating_sub(self.now),
        });
    }

    fn redirect(&mut self, pending: &PendingRequest, location: Option<&str>) {
        match redirect_target(&pending.request, location) {
            Ok(to) => self.follow(pending, to, pending.via),
            Err(problem) => self.fail(problem),
        }
    }

    /// Follows a redirect or a link of a page, where that is allowed.
    fn follow(&mut self, pending: &PendingRequest, to: WebUrl, via: Via) {
        match next_request(&pending.request, to, self.is_local.unwrap_or(false)) {
            Ok(request) => self.fetch(PendingRequest { request, via }),
            Err(problem) => self.fail(problem),
        }
    }

    fn on_content(&mut self, pending: PendingRequest, reply: HttpReply) {
        let name = pending.request.url.file_name();
        let is_page = source_document::is_html(&reply.body);
        let is_known = self.reader.known().is_some();
        // A growing text that is no page names no other record: the reader waits for its rest.
        if is_page || !is_known {
            let may_choose = is_page && !is_known && pending.via == Via::Entered;
            match shogibar_kifu::read_named(&reply.body, Path::new(&name)) {
                Ok(read)
                    if may_choose && self.entered_url.game_number().is_none() && read.games.len() > 1 =>
                {
                    return self
                        .offer_choice(source_document::choices_within(&read.games, &self.entered_url));
                }
                Err(_) if self.follow_document(&pending, &reply.body, is_page) => return,
                Ok(_) | Err(_) => {}
            }
        }
        self.reader.set_name(Path::new(&name));
        if pending.via != Via::Entered {
            self.target_via = pending.via;
        }
        self.target_url = pending.request.url;
        let certainty = if reply.is_whole {
            ReadCertainty::Whole
        } else {
            ReadCertainty::MayBePartial
        };
        let update = self.reader.update(self.now, &reply.body, certainty);
        self.apply_update(update, reply.etag, Some(reply.body));
    }

    /// Follows the record that a content without a game names, or reports that it names none. Returns `false` for a
    /// text that is neither a page nor a list.
    fn follow_document(&mut self, pending: &PendingRequest, content: &[u8], is_page: bool) -> bool {
        let is_known = self.reader.known().is_some();
        // In place of a record, a page means that the server has a problem. Only the page that has led to the record
        // may lead to it again.
        let may_lead = if is_known {
            self.target_via != Via::Entered && pending.request.url == self.entered_url
        } else {
            pending.via != Via::Page
        };
        let named = if may_lead {
            source_document::scan(content, &pending.request.url)
        } else {
            DocumentContent::Nothing
        };
        match named {
            DocumentContent::Record(url) if is_page => self.follow(pending, url, Via::Page),
            DocumentContent::Frame(url) if is_page && pending.via == Via::Entered => {
                self.follow(pending, url, Via::Frame);
            }
            DocumentContent::Games(mut games) if !is_known => {
                // A link of a public page is not followed into the user's network.
                let is_local = self.is_local.unwrap_or(false);
                games.retain(|game| {
                    !WebUrl::parse(&game.address)
                        .as_ref()
                        .is_some_and(|to| !is_local && to.is_local())
                });
                self.offer_choice(games);
            }
            _ if is_page && is_known => self.fail(SourceProblem::NotFound),
            _ if is_page => self.fail(SourceProblem::NoRecordInDocument),
            _ => return false,
        }
        true
    }

    /// Offers the user a choice of several games.
    fn offer_choice(&mut self, games: Vec<GameChoice>) {
        self.failures = 0;
        self.schedule();
        self.effects.push(HttpEffect::Report(SourceEvent::Games(games)));
        self.set_state(SourceState::Waiting);
    }

    fn on_not_modified(&mut self) {
        self.reader.reset_growth();
        let content = self.doubtful_content.take();
        let update = match &content {
            Some(bytes) => self.reader.confirm(self.now, bytes),
            None => ReaderUpdate::Same,
        };
        let etag = self.etag.take();
        self.apply_update(update, etag, content);
    }

    /// Applies what the reader returned for a content, and reports a changed game. `content` is `None` if the server
    /// has sent none.
    fn apply_update(&mut self, update: ReaderUpdate, etag: Option<String>, content: Option<Vec<u8>>) {
        let problem = match &update {
            ReaderUpdate::Unreadable(error) => Some(SourceProblem::NotARecord(error.clone())),
            ReaderUpdate::Missing if self.reader.known().is_none() => Some(SourceProblem::NoSuchGame),
            _ => None,
        };
        if let Some(problem) = problem {
            (self.etag, self.doubtful_content) = (None, None);
            return self.fail(problem);
        }
        // An incomplete content is not a success: the pauses continue to grow between two failures.
        if !self.reader.is_doubtful() {
            self.failures = 0;
        }
        self.etag = etag;
        // A second fetch may answer that the content was not modified, so a doubtful content is stored until then.
        self.doubtful_content = if self.reader.is_doubtful() { content } else { None };
        if let ReaderUpdate::Changed(record) = update {
            self.last_change = self.now;
            let id = self.game_id();
            let mut game = LiveGame::from_record(id, record);
            game.is_withheld = self.options.is_withheld && !game.is_ended;
            self.is_ended = game.is_ended;
            self.effects.push(HttpEffect::Report(SourceEvent::Game(game)));
        }
        if self.reader.is_missing() {
            // The content is fetched as a whole until it has the game again.
            self.etag = None;
            self.set_state(SourceState::Lost {
                problem: SourceProblem::GameGone,
                retry_in: self.min_interval(),
            });
        } else if self.reader.known().is_some() {
            // A cut end may still be completed, so it is not the end.
            let is_over = self.is_ended && !self.reader.is_doubtful();
            self.set_state(if is_over {
                SourceState::Ended(EndCause::GameOver)
            } else {
                SourceState::Live
            });
        }
        if !self.is_over() && !self.end_if_unchanged() {
            self.schedule();
        }
    }

    /// Returns the id of the followed game. The next game at the address is another one.
    fn game_id(&self) -> String {
        let id = self
            .options
            .id
            .clone()
            .unwrap_or_else(|| self.entered_url.to_string());
        match self.reader.earlier_games() {
            0 => id,
            earlier => format!("{id} +{earlier}"),
        }
    }

    /// Ends a source that has not changed for too long. Returns whether it has ended.
    fn end_if_unchanged(&mut self) -> bool {
        let is_long = self.now.saturating_sub(self.last_change) >= self.options.pacing.unchanged_timeout;
        if is_long {
            self.set_state(SourceState::Ended(EndCause::Unchanged));
        }
        is_long
    }

    fn set_state(&mut self, state: SourceState) {
        if self.state.as_ref() != Some(&state) {
            self.state = Some(state.clone());
            self.effects.push(HttpEffect::Report(SourceEvent::State(state)));
        }
    }
}

/// Returns the address that a redirect leads to.
pub(super) fn redirect_target(
    request: &HttpRequest,
    location: Option<&str>,
) -> Result<WebUrl, SourceProblem> {
    let to = request.url.join(location.ok_or(SourceProblem::Protocol)?);
    let to = to.ok_or(SourceProblem::Redirect(RedirectRefusal::Scheme))?;
    if request.hops >= MAX_REDIRECTS {
        return Err(SourceProblem::Redirect(RedirectRefusal::TooMany));
    }
    Ok(to)
}

/// Returns the request that follows a redirect or a link of a page, where that is allowed.
pub(super) fn next_request(
    from: &HttpRequest,
    to: WebUrl,
    is_local: bool,
) -> Result<HttpRequest, SourceProblem> {
    check_redirect(&from.url, &to, is_local).map_err(SourceProblem::Redirect)?;
    Ok(HttpRequest {
        url: to.with_login_of(&from.url),
        etag: None,
        may_be_local: is_local,
        hops: from.hops + 1,
    })
}

/// Checks a redirect or a link of a page. The target may be on the same host and port, or on any host with `https` at
/// the usual port if `from` is `http`. The target may not be `http` if `from` is `https`, nor local if the host of
/// `from` is public.
fn check_redirect(from: &WebUrl, to: &WebUrl, from_is_local: bool) -> Result<(), RedirectRefusal> {
    let is_upgrade = !from.is_https() && to.is_https() && to.has_usual_port();
    if from.is_https() && !to.is_https() {
        return Err(RedirectRefusal::Scheme);
    }
    if !from_is_local && to.is_local() {
        return Err(RedirectRefusal::Local);
    }
    if !from.is_same_server(to) && !is_upgrade {
        return Err(RedirectRefusal::OtherHost(to.to_string()));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
