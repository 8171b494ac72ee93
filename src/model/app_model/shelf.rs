//! The shelf on the study page: when the user's record folders are scanned, and the answers from their index.

use super::{AppEffect, AppModel};
use crate::action::ShownShelf;
use crate::jobs::{Job, JobKey, JobResult, ShelfScan};
use shogibar_base::CauseText;
use shogibar_shelf::{ShelfAnswer, ShelfCounts, ShelfError, ShelfQuery, ShelfUpdate, shelf_text as text};
use std::time::Duration;

/// The minimum pause between two scans of the folders.
const MIN_SCAN_PAUSE: Duration = Duration::from_secs(10);
/// The minimum pause between two scans, as a multiple of the last scan's duration.
const MIN_PAUSE_PER_SCAN: u32 = 20;
/// The number of files after which the last query is answered again.
const FILES_PER_ANSWER: usize = 1000;
const MAX_REPORTED_PROBLEMS: usize = 10;

/// The state of the shelf.
#[derive(Debug, Default)]
pub struct ShelfState {
    /// The contents of the index, in numbers.
    pub counts: ShelfCounts,
    /// The number of files read and the number of all files; `None` while no records are read.
    pub reading: Option<[usize; 2]>,
    /// The number of files and folders that cannot be read.
    pub unreadable_count: usize,
    /// The reasons why the first unreadable files and folders cannot be read.
    pub problems: Vec<CauseText>,
    /// The reason why the index cannot be written.
    scan_problem: Option<CauseText>,
    /// The reason why the last query was not answered. The query is sent again after the next scan.
    query_problem: Option<CauseText>,
    /// The last answered query, and its answer.
    pub answer: Option<(ShelfQuery, ShelfAnswer)>,
    pub(super) shown: ShownShelf,
    /// The last query that was sent, with the version of the index at that time.
    sent_query: Option<(Box<ShelfQuery>, u64)>,
    /// The version of the index, which changes when a query may have another answer.
    version: u64,
    /// Whether the folders are scanned at intervals.
    is_followed: bool,
    /// The folders of the last scan.
    folders: Vec<String>,
    /// Whether the index is damaged, and is not built again yet.
    is_damaged: bool,
    /// The number of the last scan, or of its cancellation.
    scan: u64,
    /// The pause before the next scan; `None` while a scan runs or waits.
    pause: Option<Duration>,
}

impl ShelfState {
    /// Returns what the page shows of the shelf.
    pub const fn shown(&self) -> &ShownShelf {
        &self.shown
    }

    /// Returns the reason why the index cannot be read or written.
    pub fn problem(&self) -> Option<&CauseText> {
        self.scan_problem.as_ref().or(self.query_problem.as_ref())
    }

    /// Returns the effects that follow from the present state.
    fn next_effects(&mut self, folders: &[String], is_shown: bool) -> Vec<AppEffect> {
        let mut effects = Vec::new();
        if !is_shown {
            // A scan that has begun is finished.
            if std::mem::take(&mut self.is_followed) && self.reading.is_none() {
                // Results that the scan has already sent are those of no scan.
                self.scan += 1;
                effects.push(AppEffect::Cancel(JobKey::ScanShelf));
            }
            return effects;
        }
        let is_new = self.folders != folders;
        let was_followed = std::mem::replace(&mut self.is_followed, true);
        let pause = if is_new || self.is_damaged || !was_followed && self.reading.is_none() {
            Some(Duration::ZERO)
        } else if folders.is_empty() {
            None
        } else {
            self.pause
        };
        if let Some(pause) = pause {
            self.scan += 1;
            folders.clone_into(&mut self.folders);
            (self.reading, self.pause) = (None, None);
            effects.push(AppEffect::Run(Job::ScanShelf(Box::new(ShelfScan {
                number: self.scan,
                folders: folders.to_vec(),
                pause,
                is_damaged: std::mem::take(&mut self.is_damaged),
            }))));
        }
        if let ShownShelf::Query(query) = &self.shown
            && !folders.is_empty()
            && self
                .sent_query
                .as_ref()
                .is_none_or(|sent| *sent != (query.clone(), self.version))
        {
            self.sent_query = Some((query.clone(), self.version));
            effects.push(AppEffect::Run(Job::AskShelf(query.clone(), self.version)));
        }
        effects
    }

    /// Applies a result of a job, unless a newer scan or query has replaced it.
    fn apply(&mut self, result: JobResult) {
        match result {
            JobResult::ShelfProgress(scan, [read, count]) if scan == self.scan => {
                self.reading = Some([read, count]);
                self.version += u64::from(read.is_multiple_of(FILES_PER_ANSWER));
            }
            JobResult::ShelfScanned(scan, result, duration) if scan == self.scan => {
                self.reading = None;
                self.pause = Some(MIN_SCAN_PAUSE.max(duration * MIN_PAUSE_PER_SCAN));
                self.version += u64::from(self.query_problem.is_some());
                match result {
                    Ok((counts, update)) => self.set_contents(counts, &update),
                    Err(error) => self.scan_problem = Some(cause_text(&error)),
                }
            }
            JobResult::ShelfAnswer(query, version, answer)
                if self.sent_query.as_ref() == Some(&(query.clone(), version)) =>
            {
                match answer {
                    Ok(answer) => (self.answer, self.query_problem) = (Some((*query, answer)), None),
                    Err(ShelfError::Damaged(_)) => self.is_damaged = version == self.version,
                    Err(error) => self.query_problem = Some(cause_text(&error)),
                }
            }
            _ => {}
        }
    }

    fn set_contents(&mut self, counts: ShelfCounts, update: &ShelfUpdate) {
        let is_changed = self.version == 0 || counts != self.counts || update.backup.is_some();
        self.version += u64::from(is_changed);
        if self.unreadable_count != update.unreadable_count || is_changed {
            let reported = update.problems.iter().take(MAX_REPORTED_PROBLEMS);
            self.problems = reported
                .map(|problem| CauseText::new(|lang| problem.text(lang)))
                .collect();
        }
        (self.counts, self.unreadable_count) = (counts, update.unreadable_count);
        self.scan_problem = None;
    }
}

impl AppModel {
    /// Returns the state of the shelf.
    pub const fn shelf(&self) -> &ShelfState {
        &self.shelf
    }

    pub(super) fn on_shelf_result(&mut self, result: JobResult) {
        self.shelf.apply(result);
    }

    /// Scans the folders and sends the query, as far as the shelf is shown.
    pub(super) fn update_shelf(&mut self) {
        let is_shown = self.is_study_open && self.shelf.shown != ShownShelf::Closed;
        self.effects
            .extend(self.shelf.next_effects(&self.settings.shelf_folders, is_shown));
    }
}

/// Returns the text about an error of the index.
fn cause_text(error: &ShelfError) -> CauseText {
    match error {
        ShelfError::File(error) => error.into(),
        ShelfError::Busy => CauseText::new(|lang| text::busy_for_now(lang).to_owned()),
        ShelfError::Damaged(error) => error.to_string().into(),
    }
}
