//! Which OBS pages are open. A page that was closed, and a request for the state, count for some seconds: OBS opens its
//! pages again, and scripts ask at intervals.

use shogibar_model::outputs::PageClients;
use shogibar_model::pages::ObsPagesContent;
use shogibar_model::pages::options::{ObsPageKind, ObsPageOptions};
use shogibar_serve::FeedHub;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time for which a page counts after it was closed, and a request for the state after it was answered.
const GRACE: Duration = Duration::from_secs(10);

/// A kind of page that can be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OpenPage {
    /// A page of the current game.
    Current,
    /// A page of the game with this number.
    Game(usize),
    /// All games.
    List,
}

/// The pages that were open lately.
#[derive(Debug)]
pub(super) struct ClientWatch {
    /// The last time at which each page was open.
    seen: BTreeMap<OpenPage, Instant>,
    start: Instant,
    reported: Option<PageClients>,
}

impl Default for ClientWatch {
    fn default() -> Self {
        Self {
            seen: BTreeMap::new(),
            start: now(),
            reported: None,
        }
    }
}

impl ClientWatch {
    /// Calls `report` if other pages are open than at the last call. Returns the time until a closed page stops counting;
    /// `None` without one.
    pub(super) fn update(
        &mut self,
        pages: &[(ObsPageOptions, String)],
        hub: &FeedHub,
        content: &ObsPagesContent,
        report: impl FnOnce(PageClients),
    ) -> Option<Duration> {
        let now = now();
        for page in pages.iter().filter_map(|(options, _)| page_of(options)) {
            self.seen.insert(page, now);
        }
        if hub.has_state_clients() {
            self.seen.insert(OpenPage::List, now);
        } else if let Some(asked) = hub.last_state_request() {
            let known = self.seen.entry(OpenPage::List).or_insert(asked);
            *known = asked.max(*known);
        }
        self.seen
            .retain(|_, seen| now.saturating_duration_since(*seen) < GRACE);
        let is_board = |(options, _): &(ObsPageOptions, String)| options.kind == ObsPageKind::Board;
        let mut clients = PageClients {
            has_boards: pages.iter().any(is_board),
            ..PageClients::default()
        };
        for page in self.seen.keys() {
            match page {
                OpenPage::Current => clients.has_current = true,
                OpenPage::Game(number) => clients.games.extend(content.game(*number)),
                OpenPage::List => clients.has_lists = true,
            }
        }
        // The pages of an earlier run open again after a restart. Until then, the first report waits.
        let is_settled = clients.has_current || now.saturating_duration_since(self.start) >= GRACE;
        if is_settled && self.reported.as_ref() != Some(&clients) {
            self.reported = Some(clients.clone());
            report(clients);
        }
        let waits = (!is_settled)
            .then_some(self.start)
            .into_iter()
            .chain(self.seen.values().copied());
        waits
            .min()
            .map(|first| GRACE.saturating_sub(now.saturating_duration_since(first)))
    }
}

/// Returns the page that counts as open; `None` for a sample, as in the list of pages.
fn page_of(options: &ObsPageOptions) -> Option<OpenPage> {
    if options.is_test {
        return None;
    }
    Some(match (options.kind, options.game) {
        (ObsPageKind::Desk, _) => OpenPage::List,
        (ObsPageKind::Overlay | ObsPageKind::Board, Some(number)) => OpenPage::Game(number),
        (ObsPageKind::Overlay | ObsPageKind::Board, None) => OpenPage::Current,
    })
}

#[expect(clippy::disallowed_methods, reason = "the time at which a page was open")]
fn now() -> Instant {
    Instant::now()
}
