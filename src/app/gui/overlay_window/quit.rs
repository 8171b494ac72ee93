//! The question before the end of the program while a live game is shown: a stray key must not end a broadcast. It stands
//! beside the bar, which goes on.

use super::{OverlayWindow, SmallWindow, SmallWindowEnd};
use crate::text::{Lang, Message, QuitReply};
use crate::threads::lock;
use crate::ui::ViewportWaker;
use crate::ui::overlay::OverlayStyle;
use eframe::egui;
use egui::{Context, Key, Ui, Vec2, vec2};
use std::time::Duration;

/// How long the question waits for an answer, in seconds. Then the program goes on.
const WAITS_FOR: f64 = 10.0;

/// The size of its window, in points.
const SIZE: Vec2 = vec2(340.0, 96.0);

/// When the question ends, in seconds of the window's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuitQuestion(f64);

/// Draws the question. Returns whether the program is to end, once that is answered.
fn ask(ui: &mut Ui, lang: Lang) -> Option<bool> {
    ui.label(Message::QuitWhileLive.text(lang));
    ui.add_space(6.0);
    let replies = [QuitReply::Quit, QuitReply::Stay];
    let [quits, stays] = ui.horizontal(|ui| replies.map(|reply| ui.button(reply.text(lang)).clicked())).inner;
    if quits || stays { Some(quits) } else { key_answer(ui.ctx()) }
}

/// Returns the answer by a key: Enter or Y ends the program, Escape or N does not.
fn key_answer(ctx: &Context) -> Option<bool> {
    let pressed = |keys: [Key; 2]| ctx.input(|input| keys.into_iter().any(|key| input.key_pressed(key)));
    if pressed([Key::Enter, Key::Y]) { Some(true) } else { pressed([Key::Escape, Key::N]).then_some(false) }
}

impl OverlayWindow {
    /// Requests the end of the program. Asks first while a live game is shown. Returns whether it asks.
    pub(super) fn ask_quit(&mut self, ctx: &Context) -> bool {
        let is_live = lock(&self.setup.viewer).model().is_live();
        if is_live {
            let question = QuitQuestion(ctx.input(|input| input.time) + WAITS_FOR);
            self.quit_question = Some(SmallWindow::open(ctx, &self.placement, SIZE, question));
            ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
        } else {
            self.request_quit(ctx);
        }
        is_live
    }

    /// Shows the question while it is asked, and takes the answer. Returns whether the keys of this frame belong to it.
    pub(super) fn show_quit_question(&mut self, ctx: &Context, style: &OverlayStyle) -> bool {
        let Some(window) = &mut self.quit_question else { return false };
        let (now, QuitQuestion(until), lang) = (ctx.input(|input| input.time), window.content, style.lang);
        // The bar may have the focus.
        let by_key = key_answer(ctx);
        let end = window.show(ctx, ("quit", QuitReply::Quit.text(lang)), |_, ui| ask(ui, lang));
        let quits = match end {
            SmallWindowEnd::Done(quits) => Some(quits),
            SmallWindowEnd::Closed => Some(false),
            SmallWindowEnd::Stays if now >= until => Some(false),
            SmallWindowEnd::Stays => by_key,
        };
        match quits {
            None => ctx.request_repaint_after(Duration::from_secs_f64(until - now)),
            Some(quits) => {
                self.quit_question = None;
                ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
                if quits {
                    self.request_quit(ctx);
                }
            }
        }
        true
    }
}
