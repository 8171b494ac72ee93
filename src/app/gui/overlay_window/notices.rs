//! The notices that the bar's window shows for some seconds. The queue is the model's; the window has the clock.

use super::{AppAction, DesktopLimits, OverlayWindow};
use eframe::egui;
use egui::Context;
use shogibar_base::Latest;
use shogibar_base::threads::lock;
use shogibar_config::{Background, OverlayWindowSettings, Remark};
use shogibar_model::{AppEvent, Message};
use shogibar_ui::ViewportWaker;
use std::time::Duration;

/// The time for which a notice is shown.
const NOTICE_DURATION: Duration = Duration::from_secs(6);

#[derive(Debug, Default)]
pub(super) struct NoticeTimer {
    /// The number of the current notice, and its end time in seconds of the window's clock.
    end_time: Option<(u64, f64)>,
    /// The problems of the settings at the last check.
    problems: Vec<Remark>,
    /// Whether the desktop did not support transparency, and windows on top, at the last check.
    unsupported_settings: [bool; 2],
    /// A message from another thread, which was not shown yet.
    pending_message: Latest<Message>,
}

impl NoticeTimer {
    /// Returns a function that shows a message from another thread.
    pub(super) fn sender(&self, ctx: &Context) -> impl FnOnce(Message) + Send + 'static {
        let (latest, waker) = (
            Latest::clone(&self.pending_message),
            ViewportWaker::new(ctx.clone(), ctx.viewport_id()),
        );
        move |message| {
            latest.put(message);
            waker.wake();
        }
    }
}

/// Returns the messages about transparency and about windows on top. Each comes with whether the settings ask for what
/// the desktop does not support.
fn unsupported_messages(limits: DesktopLimits, window: &OverlayWindowSettings) -> [(bool, Message); 2] {
    [
        (
            limits.is_opaque && window.background == Background::Transparent,
            Message::NotTransparent,
        ),
        (
            limits.is_position_unknown && window.always_on_top,
            Message::NotOnTop,
        ),
    ]
}

impl OverlayWindow {
    /// Shows a notice at once, as the result of a user's action.
    pub(super) fn show_notice(&mut self, ctx: &Context, message: Message) {
        self.act(AppAction::ShowNotice(message));
        self.time_notice(ctx);
    }

    pub(super) fn dismiss(&self) {
        if let Some(number) = self.timed_notice_number() {
            self.act(AppAction::EndNotice(number));
        }
    }

    /// Returns the number of the notice that this window shows for some seconds; `None` without such a notice.
    fn timed_notice_number(&self) -> Option<u64> {
        let viewer = lock(&self.setup.viewer);
        let model = viewer.model();
        model.notices().shown_on(self.setup.bar, model.study_bar())
    }

    /// Returns whether the window shows a notice for some seconds.
    pub(super) fn is_showing_notice(&self) -> bool {
        self.timed_notice_number().is_some()
    }

    /// Updates the notices once a frame: queues new ones, and dismisses the current one in time.
    pub(super) fn update_notices(&mut self, ctx: &Context) {
        if let Some(message) = self.notices.pending_message.take() {
            self.show_notice(ctx, message);
        }
        if self.setup.number == 0 {
            self.queue_notices();
        }
        while self.time_notice(ctx) {
            self.dismiss();
        }
    }

    /// Times the current notice. Returns whether its time is over.
    fn time_notice(&mut self, ctx: &Context) -> bool {
        let now = ctx.input(|input| input.time);
        let Some(number) = self.timed_notice_number() else {
            self.notices.end_time = None;
            return false;
        };
        let until = match self.notices.end_time {
            Some((known, until)) if known == number => until,
            _ => now + NOTICE_DURATION.as_secs_f64(),
        };
        self.notices.end_time = Some((number, until));
        if now < until {
            // Requested in every frame, as an earlier frame cancels the request.
            ctx.request_repaint_after(Duration::from_secs_f64(until - now));
        }
        now >= until
    }

    /// Queues the notices about the settings, and drops those about problems that are fixed.
    fn queue_notices(&mut self) {
        let (mut messages, problems, window) = {
            let mut preferences = lock(&self.setup.preferences);
            let warnings: Vec<_> = preferences.take_new_warnings();
            let problems: Vec<_> = preferences.warnings().cloned().collect();
            let messages = warnings
                .into_iter()
                .map(|warning| Message::Settings(Box::new(warning)))
                .collect::<Vec<_>>();
            (messages, problems, preferences.settings().window.clone())
        };
        for ((is, message), was) in unsupported_messages(self.setup.limits, &window)
            .into_iter()
            .zip(&mut self.notices.unsupported_settings)
        {
            if is && !std::mem::replace(was, is) {
                messages.push(message);
            }
            *was = is;
        }
        if !messages.is_empty() {
            self.act(AppAction::QueueNotices(messages));
        }
        if self.notices.problems != problems {
            self.notices.problems.clone_from(&problems);
            lock(&self.setup.viewer).handle(AppEvent::SettingsProblems(problems));
        }
    }
}
