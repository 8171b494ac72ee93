//! The question before the end of the program while a live game is shown: a stray key must not end a broadcast.

use super::OverlayWindow;
use crate::bar::{BarNotice, BarView, DecidedWin};
use crate::text::{Lang, Message};
use crate::threads::lock;
use eframe::egui;
use egui::{Context, Key};
use std::borrow::Cow;
use std::time::Duration;

/// How long the question waits for an answer, in seconds. Then the program goes on.
const WAITS_FOR: f64 = 10.0;

/// The question, and when it ends.
#[derive(Debug, Default)]
pub(super) struct QuitQuestion {
    /// In seconds of the window's clock; `None` while nothing is asked.
    until: Option<f64>,
}

impl QuitQuestion {
    /// Returns the view with the question in it, while it is asked.
    pub(super) fn view<'v>(&self, view: &'v BarView, lang: Lang) -> Cow<'v, BarView> {
        if self.until.is_none() {
            return Cow::Borrowed(view);
        }
        // In the bar itself, which every layout has.
        let (text, brief) = (Message::QuitWhileLive.text(lang), Message::QuitWhileLiveBrief.text(lang));
        let notice = Some(BarNotice::new(text.clone()));
        let decided = Some(DecidedWin { winner: None, text, brief, label: String::new() });
        Cow::Owned(BarView { notice, decided, share: None, stale: false, ..view.clone() })
    }
}

impl OverlayWindow {
    /// Requests the end of the program. Asks first while a live game is shown.
    pub(super) fn ask_quit(&mut self, ctx: &Context) {
        if lock(&self.setup.viewer).model().is_live() {
            self.quit_question.until = Some(ctx.input(|input| input.time) + WAITS_FOR);
        } else {
            self.request_quit(ctx);
        }
    }

    /// Takes the answer to the question: Enter or Y ends the program, Escape or N does not. Returns whether the keys of
    /// this frame belong to the question.
    pub(super) fn answer_quit_question(&mut self, ctx: &Context) -> bool {
        let Some(until) = self.quit_question.until else { return false };
        let now = ctx.input(|input| input.time);
        let pressed = |keys: [Key; 2]| ctx.input(|input| keys.into_iter().any(|key| input.key_pressed(key)));
        if pressed([Key::Enter, Key::Y]) {
            self.quit_question.until = None;
            self.request_quit(ctx);
        } else if pressed([Key::Escape, Key::N]) || now >= until {
            self.quit_question.until = None;
        } else {
            ctx.request_repaint_after(Duration::from_secs_f64(until - now));
        }
        true
    }
}
