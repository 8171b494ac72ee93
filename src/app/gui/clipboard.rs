//! The system's clipboard. It is read and set on threads: the program that owns the clipboard may never answer.
//!
//! eframe is built without its clipboard, which waits for the answer on the drawing thread. egui's clipboard of each
//! window holds a [`MARK`] instead; pasting it starts a request to the system.

use crate::app::effects::read_clipboard;
use crate::threads::{self, lock};
use eframe::egui;
use egui::{ColorImage, Context, Event, FullOutput, OutputCommand, Plugin, PointerButton, Pos2, RawInput, ViewportId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The content of egui's clipboard of a window.
const MARK: &str = "\u{2060}";
/// The limit for an answer. A later answer is dropped, and another request is made: the user has continued.
const PASTE_TIMEOUT: Duration = Duration::from_secs(3);
/// The maximum number of pending requests. A clipboard owner that hangs never answers.
const MAX_PENDING_REQUESTS: usize = 4;
/// The longest wait at the end of the program until the system has the copied text.
const HAND_OVER: Duration = Duration::from_millis(200);
/// The maximum number of copies that wait.
const WAITING: usize = 4;

/// The content that a window has copied.
enum Copied {
    Text(String),
    Image(Arc<ColorImage>),
    /// The text selected by the pointer.
    Selection(String),
}

/// The clipboard that a text comes from, and its destination.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Paste {
    /// The clipboard, to the keyboard focus.
    Keys,
    /// The selection, to the pointer.
    Pointer(Pos2),
}

/// Reads the clipboard; `None` where there is no text.
type Read = Arc<dyn Fn(Paste) -> Option<String> + Send + Sync>;
/// The last question of each window.
type Questions = Arc<Mutex<HashMap<ViewportId, Question>>>;

/// A request of a window for the text on the clipboard.
struct Question {
    number: u64,
    asked_at: Instant,
    is_answered: bool,
    /// The answer; `None` where there is no text.
    answer: Option<Event>,
}

/// Lets the windows copy and paste.
pub(super) struct SystemClipboard {
    read_text: Read,
    copies: Option<SyncSender<Copied>>,
    /// Disconnected once the thread that copies has ended.
    has_ended: Mutex<Receiver<()>>,
    questions: Questions,
    request_count: u64,
    /// The number of questions without an answer.
    pending_requests: Arc<AtomicUsize>,
}

impl SystemClipboard {
    /// Begins to copy and paste. Without a thread, nothing is copied.
    pub(super) fn new() -> Self {
        let (copies, waiting) = sync_channel(WAITING);
        let (done, has_ended) = sync_channel(1);
        let thread = threads::spawn("copy", move || {
            copy_all(&waiting);
            drop(done);
        });
        let copies = thread.ok().map(|thread| {
            thread.detach();
            copies
        });
        Self { copies, has_ended: Mutex::new(has_ended), ..Self::reading(Arc::new(read)) }
    }

    fn reading(read: Read) -> Self {
        let (_, has_ended) = sync_channel(1);
        let has_ended = Mutex::new(has_ended);
        Self {
            read_text: read,
            copies: None,
            has_ended,
            questions: Questions::default(),
            request_count: 0,
            pending_requests: Arc::default(),
        }
    }

    /// Asks for a text, unless the answer to a question of a moment ago is awaited.
    fn ask(&mut self, ctx: &Context, window: ViewportId, paste: Paste) {
        let is_awaited = |question: &Question| !question.is_answered && question.asked_at.elapsed() < PASTE_TIMEOUT;
        if lock(&self.questions).get(&window).is_some_and(is_awaited)
            || self.pending_requests.load(Ordering::Relaxed) >= MAX_PENDING_REQUESTS
        {
            return;
        }
        self.request_count += 1;
        let (number, asked_at) = (self.request_count, now());
        lock(&self.questions).insert(window, Question { number, asked_at, is_answered: false, answer: None });
        let (ctx, read, questions) = (ctx.clone(), Arc::clone(&self.read_text), Arc::clone(&self.questions));
        let pending = Arc::clone(&self.pending_requests);
        pending.fetch_add(1, Ordering::Relaxed);
        let work = move || {
            let text = read(paste).filter(|text| !text.is_empty() && asked_at.elapsed() < PASTE_TIMEOUT);
            pending.fetch_sub(1, Ordering::Relaxed);
            let event = text.map(|text| match paste {
                Paste::Keys => Event::Paste(text.replace("\r\n", "\n")),
                Paste::Pointer(pos) => Event::MiddleClickPaste { pos, text },
            });
            if let Some(question) = lock(&questions).get_mut(&window).filter(|question| question.number == number) {
                (question.is_answered, question.answer) = (true, event);
            }
            ctx.request_repaint_of(window);
        };
        match threads::spawn("paste", work) {
            Ok(thread) => thread.detach(),
            Err(_none_free) => {
                self.pending_requests.fetch_sub(1, Ordering::Relaxed);
                lock(&self.questions).remove(&window);
            }
        }
    }

    /// Removes and returns the answer to a window's request, if it has arrived.
    fn answer(&self, window: ViewportId) -> Option<Event> {
        let mut questions = lock(&self.questions);
        questions.get(&window).filter(|question| question.is_answered)?;
        questions.remove(&window)?.answer
    }

    fn copy(&self, copied: Copied) {
        // A full channel means that the system takes no copies: this one is dropped.
        let _dropped = self.copies.as_ref().map(|copies| copies.try_send(copied));
    }
}

#[expect(clippy::disallowed_methods, reason = "the timeout of a paste")]
fn now() -> Instant {
    Instant::now()
}

impl Plugin for SystemClipboard {
    fn debug_name(&self) -> &'static str {
        "clipboard"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let window = input.viewport_id;
        let mut asked = None;
        input.events.retain(|event| match event {
            Event::Paste(text) if text == MARK => {
                asked = Some(Paste::Keys);
                false
            }
            Event::PointerButton { pos, button: PointerButton::Middle, pressed: true, .. } => {
                asked = cfg!(target_os = "linux").then_some(Paste::Pointer(*pos));
                true
            }
            _ => true,
        });
        input.events.extend(self.answer(window));
        if let Some(paste) = asked {
            self.ask(ctx, window, paste);
        }
    }

    fn on_exit(&mut self, _ctx: &Context) {
        // On X11 the desktop's clipboard takes over the copied text when ours is dropped.
        self.copies = None;
        let _given_up = lock(&self.has_ended).recv_timeout(HAND_OVER);
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        output.platform_output.commands.retain(|command| {
            match command {
                OutputCommand::CopyText(text) => self.copy(Copied::Text(text.clone())),
                OutputCommand::TextSelectionSettled(text) => self.copy(Copied::Selection(text.clone())),
                OutputCommand::CopyImage(image) => self.copy(Copied::Image(Arc::new(image.clone()))),
                OutputCommand::OpenUrl(_) => return true,
            }
            false
        });
        // A window that is opened again has an empty egui clipboard.
        output.platform_output.commands.push(OutputCommand::CopyText(MARK.to_owned()));
    }
}

/// Reads a text; `None` where there is none or the system does not give it.
fn read(paste: Paste) -> Option<String> {
    let _alone = alone();
    match paste {
        Paste::Keys => read_clipboard(),
        Paste::Pointer(_) => selected(),
    }
}

#[cfg(target_os = "linux")]
fn selected() -> Option<String> {
    use arboard::{GetExtLinux as _, LinuxClipboardKind};
    let clipboard = arboard::Clipboard::new();
    clipboard.and_then(|mut clipboard| clipboard.get().clipboard(LinuxClipboardKind::Primary).text()).ok()
}

#[cfg(not(target_os = "linux"))]
const fn selected() -> Option<String> {
    None
}

/// Gives the system the copied contents, until the program ends.
fn copy_all(copies: &Receiver<Copied>) {
    // On X11 this object answers other programs while it exists.
    let mut clipboard = None;
    for copied in copies {
        let _alone = alone();
        if clipboard.is_none() {
            clipboard = arboard::Clipboard::new().ok();
        }
        let Some(system_clipboard) = &mut clipboard else { continue };
        let done = match copied {
            Copied::Text(text) => system_clipboard.set_text(text),
            Copied::Selection(text) => select(system_clipboard, text),
            Copied::Image(image) => system_clipboard.set_image(arboard::ImageData {
                width: image.width(),
                height: image.height(),
                bytes: image.as_raw().into(),
            }),
        };
        if done.is_err() {
            // The desktop may have restarted, so the next request connects again.
            clipboard = None;
        }
    }
}

#[cfg(target_os = "linux")]
fn select(clipboard: &mut arboard::Clipboard, text: String) -> Result<(), arboard::Error> {
    use arboard::{LinuxClipboardKind, SetExtLinux as _};
    clipboard.set().clipboard(LinuxClipboardKind::Primary).text(text)
}

#[cfg(not(target_os = "linux"))]
fn select(_clipboard: &mut arboard::Clipboard, _text: String) -> Result<(), arboard::Error> {
    Ok(())
}

/// Returns a guard that keeps other threads off the clipboard, where the system cannot serve two at a time. Returns
/// `None` on Linux. On Linux it can serve several, and an owner that hangs would block the others.
fn alone() -> Option<std::sync::MutexGuard<'static, ()>> {
    static CLIPBOARD: Mutex<()> = Mutex::new(());
    (!cfg!(target_os = "linux")).then(|| lock(&CLIPBOARD))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a frame with these events. Returns the pasted texts, and the remaining commands for egui's clipboard.
    fn frame(ctx: &Context, events: Vec<Event>) -> (Vec<String>, Vec<OutputCommand>) {
        let mut pasted = Vec::new();
        let input = RawInput { events, ..RawInput::default() };
        let mut output = ctx.run_ui(input, |ui| {
            ui.input(|input| {
                pasted.extend(input.events.iter().filter_map(|event| match event {
                    Event::Paste(text) => Some(text.clone()),
                    _ => None,
                }));
            });
        });
        output.textures_delta.clear();
        (pasted, output.platform_output.commands)
    }

    #[test]
    fn an_owner_that_never_answers_holds_no_frame_back() {
        let (answer, answers) = sync_channel::<&str>(0);
        let answers = Mutex::new(answers);
        let ctx = Context::default();
        ctx.add_plugin(SystemClipboard::reading(Arc::new(move |_| Some(lock(&answers).recv().ok()?.to_owned()))));
        let (_, commands) = frame(&ctx, Vec::new());
        assert!(matches!(commands.as_slice(), [OutputCommand::CopyText(mark)] if mark == MARK), "{commands:?}");
        let paste = || vec![Event::Paste(MARK.to_owned())];
        // The key is pressed several times; one request is made.
        for _ in 0..5 {
            let (pasted, commands) = frame(&ctx, paste());
            assert_eq!((pasted.len(), commands.len()), (0, 1));
        }
        answer.send("７六歩\r\n").unwrap();
        let mut pasted = Vec::new();
        while pasted.is_empty() {
            pasted = frame(&ctx, Vec::new()).0;
        }
        assert_eq!(pasted, ["７六歩\n"]);
        assert_eq!(frame(&ctx, Vec::new()).0, [""; 0], "once");
        drop(answer);
        assert_eq!(frame(&ctx, paste()).0, [""; 0]);
    }
}
