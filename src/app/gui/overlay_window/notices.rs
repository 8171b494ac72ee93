//! Transient notices of the bar's window, shown one after another.

use super::{DesktopLimits, OverlayWindow};
use crate::app::state::AppAction;
use crate::config::{Ground, Window};
use crate::session::Latest;
use crate::text::{Message, Remark};
use crate::threads::lock;
use crate::ui::ViewportWaker;
use eframe::egui;
use egui::Context;
use std::collections::VecDeque;
use std::time::Duration;

/// How long a notice is shown.
const SHOWN_FOR: Duration = Duration::from_secs(6);

/// The current notice, and those that wait.
#[derive(Debug, Default)]
pub(super) struct NoticeQueue {
    /// When the current notice ends, in seconds of the window's clock.
    until: Option<f64>,
    /// The problem of the settings that the current notice is about, if any.
    problem: Option<Remark>,
    /// The waiting notices.
    queue: VecDeque<Message>,
    /// Which settings were unsupported by the desktop at the last check.
    unsupported: [bool; 2],
    /// A message from another thread.
    from_thread: Latest<Message>,
}

impl NoticeQueue {
    /// Whether a transient notice is shown.
    pub(super) const fn is_showing(&self) -> bool {
        self.until.is_some()
    }

    /// Returns a callback that shows a message from another thread.
    pub(super) fn sender(&self, ctx: &Context) -> impl FnOnce(Message) + Send + 'static {
        let (latest, waker) = (Latest::clone(&self.from_thread), ViewportWaker::new(ctx.clone(), ctx.viewport_id()));
        move |message| {
            latest.put(message);
            waker.wake();
        }
    }
}

/// Whether each of these settings is unsupported by the desktop, and the message about it.
fn unsupported(limits: DesktopLimits, window: &Window) -> [(bool, Message); 2] {
    [
        (limits.opaque && window.ground == Ground::Transparent, Message::NotTransparent),
        (limits.unplaced && window.always_on_top, Message::NotOnTop),
    ]
}

impl OverlayWindow {
    /// Shows a notice at once, as the result of a user's action.
    pub(super) fn push(&mut self, ctx: &Context, remark: Message) {
        lock(&self.setup.host).act(&AppAction::Remark(remark));
        self.notices.problem = None;
        self.notices.until = Some(ctx.input(|input| input.time) + SHOWN_FOR.as_secs_f64());
        ctx.request_repaint_after(SHOWN_FOR);
    }

    /// Dismisses the current notice early.
    pub(super) fn dismiss(&mut self) {
        (self.notices.until, self.notices.problem) = (None, None);
        lock(&self.setup.host).act(&AppAction::Dismiss);
    }

    /// Queues notices.
    pub(in crate::app::gui) fn mention(&mut self, remarks: Vec<Message>) {
        self.notices.queue.extend(remarks);
    }

    /// Whether an engine has failed: that is shown first.
    fn has_failed(&self) -> bool {
        let mut host = lock(&self.setup.host);
        let notices = host.view().engines.iter().filter_map(|engine| engine.notice.as_ref());
        notices.into_iter().any(|notice| notice.failure)
    }

    /// Updates the notices once a frame: dismisses the current one in time, and shows the next.
    pub(super) fn show_next(&mut self, ctx: &Context) {
        if let Some(message) = self.notices.from_thread.take() {
            self.push(ctx, message);
        }
        let has_recoverable = lock(&self.setup.host).record_file().recovery_summary().is_some();
        let said = &mut self.notices;
        // A question that is already answered is not reported.
        said.queue.retain(|message| has_recoverable || !matches!(message, Message::RecoverableRecords(..)));
        let (news, window, is_fixed) = {
            let mut preferences = lock(&self.setup.preferences);
            let is_wrong = |remark: &Remark| preferences.warnings().any(|problem| problem == remark);
            let is_fixed = said.problem.as_ref().is_some_and(|problem| !is_wrong(problem));
            // A problem that is already fixed is not reported.
            let is_due = |message: &Message| !matches!(message, Message::Settings(problem) if !is_wrong(problem));
            said.queue.retain(is_due);
            (preferences.take_remarks(), preferences.settings().window.clone(), is_fixed)
        };
        for ((is, message), was) in unsupported(self.setup.limits, &window).into_iter().zip(&mut said.unsupported) {
            if is && !std::mem::replace(was, is) {
                said.queue.push_back(message);
            }
            *was = is;
        }
        said.queue.extend(news.into_iter().map(|news| Message::Settings(Box::new(news))));
        let now = ctx.input(|input| input.time);
        match self.notices.until {
            // Requested in every frame, as a frame in between cancels it.
            Some(until) if now < until && !is_fixed => ctx.request_repaint_after(Duration::from_secs_f64(until - now)),
            Some(_) => self.dismiss(),
            None => {}
        }
        if self.notices.until.is_none()
            && !self.has_failed()
            && let Some(next) = self.notices.queue.pop_front()
        {
            let problem = if let Message::Settings(problem) = &next { Some((**problem).clone()) } else { None };
            self.push(ctx, next);
            self.notices.problem = problem;
        }
    }
}
