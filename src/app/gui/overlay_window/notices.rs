//! What the bar's window says in passing: one thing after another, each for a while.

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

/// How long something is said that nobody waited for.
const REMARK: Duration = Duration::from_secs(6);

/// What is said, and what is still to be.
#[derive(Debug, Default)]
pub(super) struct NoticeQueue {
    /// When what is said is to be taken back, in seconds of the window's clock.
    until: Option<f64>,
    /// What is wrong with the settings, while that is what is said.
    wrong: Option<Remark>,
    /// What is still to be said.
    queue: VecDeque<Message>,
    /// What of the settings was beyond the desktop at the last look.
    beyond: [bool; 2],
    /// What a thread has to say.
    elsewhere: Latest<Message>,
}

impl NoticeQueue {
    /// Whether something is being said in passing.
    pub(super) const fn is_saying(&self) -> bool {
        self.until.is_some()
    }

    /// What a thread says something by.
    pub(super) fn elsewhere(&self, ctx: &Context) -> impl FnOnce(Message) + Send + 'static {
        let (said, waker) = (Latest::clone(&self.elsewhere), ViewportWaker::new(ctx.clone(), ctx.viewport_id()));
        move |message| {
            said.put(message);
            waker.wake();
        }
    }
}

/// What of the settings is beyond the desktop, and what is said of it.
fn beyond(limits: DesktopLimits, window: &Window) -> [(bool, Message); 2] {
    [
        (limits.opaque && window.ground == Ground::Transparent, Message::NotTransparent),
        (limits.unplaced && window.always_on_top, Message::NotOnTop),
    ]
}

impl OverlayWindow {
    /// Says at once something that was waited for.
    pub(super) fn push(&mut self, ctx: &Context, remark: Message) {
        lock(&self.setup.host).act(&AppAction::Remark(remark));
        self.said.wrong = None;
        self.said.until = Some(ctx.input(|input| input.time) + REMARK.as_secs_f64());
        ctx.request_repaint_after(REMARK);
    }

    /// Takes back what is said, before its time.
    pub(super) fn dismiss(&mut self) {
        (self.said.until, self.said.wrong) = (None, None);
        lock(&self.setup.host).act(&AppAction::Dismiss);
    }

    /// Says all this when there is time.
    pub(in crate::app::gui) fn mention(&mut self, remarks: Vec<Message>) {
        self.said.queue.extend(remarks);
    }

    /// Whether an engine has failed: that is read first.
    fn has_failed(&self) -> bool {
        let mut host = lock(&self.setup.host);
        let notices = host.view().engines.iter().filter_map(|engine| engine.notice.as_ref());
        notices.into_iter().any(|notice| notice.failure)
    }

    /// One frame: takes back what was said long enough, and says what is next.
    pub(super) fn show_next(&mut self, ctx: &Context) {
        if let Some(message) = self.said.elsewhere.take() {
            self.push(ctx, message);
        }
        let is_left_behind = lock(&self.setup.host).record_file().left_behind_of().is_some();
        let said = &mut self.said;
        // What was answered before its turn is not said at all.
        said.queue.retain(|message| is_left_behind || !matches!(message, Message::LeftBehind(..)));
        let (news, window, is_mended) = {
            let mut preferences = lock(&self.setup.preferences);
            let is_wrong = |remark: &Remark| preferences.warnings().any(|wrong| wrong == remark);
            let is_mended = said.wrong.as_ref().is_some_and(|wrong| !is_wrong(wrong));
            // What was mended before its turn is not said at all.
            let is_due = |message: &Message| !matches!(message, Message::Settings(wrong) if !is_wrong(wrong));
            said.queue.retain(is_due);
            (preferences.take_remarks(), preferences.settings().window.clone(), is_mended)
        };
        for ((is, message), was) in beyond(self.setup.limits, &window).into_iter().zip(&mut said.beyond) {
            if is && !std::mem::replace(was, is) {
                said.queue.push_back(message);
            }
            *was = is;
        }
        said.queue.extend(news.into_iter().map(|news| Message::Settings(Box::new(news))));
        let now = ctx.input(|input| input.time);
        match self.said.until {
            // Asked for in every frame: a frame in between makes the system forget it.
            Some(until) if now < until && !is_mended => ctx.request_repaint_after(Duration::from_secs_f64(until - now)),
            Some(_) => self.dismiss(),
            None => {}
        }
        if self.said.until.is_none()
            && !self.has_failed()
            && let Some(next) = self.said.queue.pop_front()
        {
            let wrong = if let Message::Settings(wrong) = &next { Some((**wrong).clone()) } else { None };
            self.push(ctx, next);
            self.said.wrong = wrong;
        }
    }
}
