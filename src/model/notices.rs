//! The notices of the program, for all windows. No side effects.

use super::ids::BarId;
use crate::Message;
use shogibar_base::Lang;
use shogibar_config::Remark;
use shogibar_games::bar::BarNotice;
use shogibar_games::{EngineMessage, RecordRemark};
use std::collections::{BTreeMap, VecDeque};

/// A message to the user, with the bar that shows it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    message: Message,
    /// The bar that shows the notice; `None` for that of the study page.
    bar: Option<BarId>,
    is_failure: bool,
}

impl Notice {
    /// Creates a notice that reports a failure, for the bar of the study page.
    pub(super) const fn failure(message: Message) -> Self {
        Self {
            message,
            bar: None,
            is_failure: true,
        }
    }

    /// Creates a notice that reports no failure, for the bar of the study page.
    pub(super) const fn pending(message: Message) -> Self {
        Self {
            message,
            bar: None,
            is_failure: false,
        }
    }

    /// Returns the bar that shows the notice; `None` for that of the study page.
    pub(super) const fn bar(&self) -> Option<BarId> {
        self.bar
    }

    pub(super) fn text(&self, lang: Lang) -> BarNotice {
        let notice = self.message.notice(lang);
        BarNotice {
            is_failure: self.is_failure,
            is_transient: !self.is_failure && self.message.is_transient(),
            ..notice
        }
    }

    /// Returns the text of the notice for the study page, with its cause.
    pub(super) fn full_text(&self, lang: Lang) -> BarNotice {
        BarNotice {
            text: self.message.text(lang),
            reason: String::new(),
            ..self.text(lang)
        }
    }

    /// Returns whether the notice is about an engine that failed, or could not be started.
    pub(super) const fn is_about_engine(&self) -> bool {
        matches!(
            self.message,
            Message::Engine(EngineMessage::NotStarted(..) | EngineMessage::Failed(_))
        )
    }

    /// Returns whether the open study page shows the notice instead of the bar.
    pub(super) fn is_for_study(&self) -> bool {
        self.message.is_for_study()
    }
}

/// A notice that is shown for some seconds.
#[derive(Clone, Debug)]
struct TimedNotice {
    /// The number of the notice, from 1.
    number: u64,
    notice: Notice,
}

/// The result of an action. A bar shows it for some seconds, the study page until it is dismissed.
#[derive(Clone, Debug)]
struct ResultNotice {
    timed: TimedNotice,
    /// Whether the bar has shown it long enough.
    is_seen: bool,
}

/// The notices of all bars. The window that shows the current notice has the clock, and dismisses it in time.
#[derive(Debug, Default)]
pub struct NoticeQueue {
    /// The notice that is shown for some seconds. It takes precedence over `results`.
    current_notice: Option<TimedNotice>,
    /// The messages that are shown after the current notice.
    queue: VecDeque<Message>,
    /// The result of the user's last action on each bar.
    results: BTreeMap<BarId, ResultNotice>,
    /// The number of timed notices up to now.
    count: u64,
    /// The last messages with their numbers, the newest first.
    recent: VecDeque<(u64, Message)>,
    /// The number of messages up to now.
    message_count: u64,
}

/// The maximum number of last messages that are kept.
const MAX_RECENT_MESSAGES: usize = 20;

impl NoticeQueue {
    /// Shows the result of an action on a bar, in place of the last one. The result stays until it is dismissed.
    pub(super) fn set_result(&mut self, message: &Message, bar: BarId, failure: bool) {
        self.record(message);
        self.count += 1;
        let notice = Notice {
            message: message.clone(),
            bar: Some(bar),
            is_failure: failure,
        };
        let timed = TimedNotice {
            number: self.count,
            notice,
        };
        self.results.insert(
            bar,
            ResultNotice {
                timed,
                is_seen: false,
            },
        );
    }

    /// Shows a notice at once, for some seconds.
    pub(super) fn show(&mut self, message: Message, bar: Option<BarId>) {
        self.record(&message);
        self.count += 1;
        self.current_notice = Some(TimedNotice {
            number: self.count,
            notice: Notice {
                message,
                bar,
                is_failure: false,
            },
        });
    }

    fn record(&mut self, message: &Message) {
        self.message_count += 1;
        self.recent.truncate(MAX_RECENT_MESSAGES - 1);
        self.recent.push_front((self.message_count, message.clone()));
    }

    /// Returns the last messages with their numbers, the newest first.
    pub fn recent(&self) -> impl Iterator<Item = (u64, &Message)> {
        self.recent.iter().map(|(number, message)| (*number, message))
    }

    pub(super) fn queue(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.queue.extend(messages);
    }

    pub(super) fn show_next(&mut self) {
        if self.current_notice.is_none()
            && let Some(next) = self.queue.pop_front()
        {
            self.show(next, None);
        }
    }

    /// Returns the number of the notice that a bar shows for some seconds; `None` without one.
    pub fn shown_on(&self, bar: BarId, study_bar: BarId) -> Option<u64> {
        let current = self
            .current_notice
            .as_ref()
            .filter(|current| current.notice.bar.unwrap_or(study_bar) == bar);
        current
            .or_else(|| {
                self.results
                    .get(&bar)
                    .filter(|result| !result.is_seen)
                    .map(|result| &result.timed)
            })
            .map(|timed| timed.number)
    }

    /// Drops the notices about problems of the settings that are not among `problems`; `None` keeps them. Drops those
    /// about recoverable records unless there are any.
    pub(super) fn drop_fixed(&mut self, problems: Option<&[Remark]>, has_recoverable: bool) {
        let is_due = |message: &Message| match (message, problems) {
            (Message::Settings(problem), Some(problems)) => problems.contains(problem),
            (Message::RecoverableRecords(..), _) => has_recoverable,
            _ => true,
        };
        self.queue.retain(is_due);
        self.current_notice
            .take_if(|current| !is_due(&current.notice.message));
    }

    /// Ends the notice of this number on its bar. The result of an action stays on the study page.
    pub(super) fn end_shown(&mut self, number: u64) {
        self.current_notice.take_if(|current| current.number == number);
        for result in self
            .results
            .values_mut()
            .filter(|result| result.timed.number == number)
        {
            result.is_seen = true;
        }
    }

    /// Dismisses the notices on a bar, because the user has seen them. Returns whether there was a notice.
    pub(super) fn dismiss(&mut self, bar: BarId) -> bool {
        let current = self
            .current_notice
            .take_if(|current| current.notice.bar.is_none_or(|shown| shown == bar));
        self.results.remove(&bar).is_some() || current.is_some()
    }

    /// Dismisses the transient notice of the study page. An error that waits behind it stays.
    pub(super) fn dismiss_transient(&mut self, bar: BarId) {
        let is_transient = |notice: &Notice| !notice.is_failure && notice.message.is_transient();
        match &self.current_notice {
            Some(current) if current.notice.is_for_study() => {
                self.current_notice
                    .take_if(|current| is_transient(&current.notice));
            }
            _ => self.drop_result(bar, |result| result.is_for_study() && is_transient(result)),
        }
    }

    /// Dismisses the notice that a file was changed elsewhere, because the change is now loaded.
    pub(super) fn dismiss_change(&mut self, bar: BarId) {
        self.drop_result(bar, |notice| match &notice.message {
            Message::Record(remark) => matches!(**remark, RecordRemark::ChangedElsewhere(_)),
            _ => false,
        });
    }

    /// Drops the result on a bar, if `is_due` returns `true` for it.
    fn drop_result(&mut self, bar: BarId, is_due: impl FnOnce(&Notice) -> bool) {
        if self
            .results
            .get(&bar)
            .is_some_and(|result| is_due(&result.timed.notice))
        {
            self.results.remove(&bar);
        }
    }

    /// Returns the notices to show, the most important first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Notice> {
        self.current()
            .chain(self.results.values().map(|result| &result.timed.notice))
    }

    /// Returns the notices that bars show, without the results that they have shown long enough.
    pub(super) fn all_on_bars(&self) -> impl Iterator<Item = &Notice> {
        let results = self.results.values().filter(|result| !result.is_seen);
        self.current().chain(results.map(|result| &result.timed.notice))
    }

    fn current(&self) -> impl Iterator<Item = &Notice> {
        self.current_notice.iter().map(|current| &current.notice)
    }
}
