//! The system's clipboard. It is read and set on threads: the program that owns the clipboard may never answer.
//!
//! eframe is built without its clipboard, which waits for the answer on the drawing thread. egui's clipboard of each
//! window holds a [`CLIPBOARD_MARK`] instead; pasting it starts a request to the system.

use crate::app::effects::read_clipboard;
use eframe::egui;
use egui::{
    ColorImage, Context, Event, FullOutput, OutputCommand, Plugin, PointerButton, Pos2, RawInput, ViewportId,
};
use shogibar_base::threads::{self, lock};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The content of egui's clipboard in each window: a character that is not visible, by which a paste is recognized.
const CLIPBOARD_MARK: &str = "\u{2060}";
/// The longest wait for the text of a request. A later text is dropped, as the user has continued.
const PASTE_TIMEOUT: Duration = Duration::from_secs(3);
/// The maximum number of pending requests. A clipboard owner that hangs never answers.
const MAX_PENDING_REQUESTS: usize = 4;
/// The longest wait at the end of the program until the system has the copied text.
const MAX_EXIT_WAIT: Duration = Duration::from_millis(200);
const MAX_QUEUED_COPIES: usize = 4;

enum CopiedContent {
    Text(String),
    Image(Arc<ColorImage>),
    /// The text that was selected with the pointer.
    Selection(String),
}

/// The clipboard that a text comes from, and the destination of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Paste {
    /// The text of the clipboard goes to the widget with the keyboard focus.
    Keys,
    /// The text of the selection goes to the pointer's position.
    Pointer(Pos2),
}

/// A function that reads the clipboard; `None` if there is no text.
type ReadTextFn = Arc<dyn Fn(Paste) -> Option<String> + Send + Sync>;
/// The last paste request of each window.
type PasteRequests = Arc<Mutex<HashMap<ViewportId, PasteRequest>>>;

/// A request of a window for the text on the clipboard.
struct PasteRequest {
    number: u64,
    requested_at: Instant,
    is_answered: bool,
    /// The event with the text; `None` without a text.
    answer: Option<Event>,
}

/// The plugin by which the windows copy and paste.
pub(super) struct SystemClipboard {
    read_text: ReadTextFn,
    /// The channel to the thread that copies; `None` without the thread.
    copies: Option<SyncSender<CopiedContent>>,
    /// A channel that is disconnected once the thread that copies has ended.
    thread_end: Mutex<Receiver<()>>,
    requests: PasteRequests,
    request_count: u64,
    pending_requests: Arc<AtomicUsize>,
}

impl SystemClipboard {
    /// Creates the plugin, and starts the thread that copies. Without this thread, nothing is copied.
    pub(super) fn new() -> Self {
        let (copies, waiting) = sync_channel(MAX_QUEUED_COPIES);
        let (done, thread_end) = sync_channel(1);
        let thread = threads::spawn("copy", move || {
            copy_all(&waiting);
            drop(done);
        });
        let copies = thread.ok().map(|thread| {
            thread.detach();
            copies
        });
        Self {
            copies,
            thread_end: Mutex::new(thread_end),
            ..Self::with_reader(Arc::new(read))
        }
    }

    /// Creates the plugin with a function that reads the clipboard. Nothing is copied.
    fn with_reader(read: ReadTextFn) -> Self {
        let (_, thread_end) = sync_channel(1);
        let thread_end = Mutex::new(thread_end);
        Self {
            read_text: read,
            copies: None,
            thread_end,
            requests: PasteRequests::default(),
            request_count: 0,
            pending_requests: Arc::default(),
        }
    }

    /// Requests a text, unless the answer to an earlier request of the window is still awaited.
    fn request_text(&mut self, ctx: &Context, window: ViewportId, paste: Paste) {
        let is_awaited =
            |request: &PasteRequest| !request.is_answered && request.requested_at.elapsed() < PASTE_TIMEOUT;
        if lock(&self.requests).get(&window).is_some_and(is_awaited)
            || self.pending_requests.load(Ordering::Relaxed) >= MAX_PENDING_REQUESTS
        {
            return;
        }
        self.request_count += 1;
        let (number, requested_at) = (self.request_count, now());
        lock(&self.requests).insert(
            window,
            PasteRequest {
                number,
                requested_at,
                is_answered: false,
                answer: None,
            },
        );
        let (ctx, read, requests) = (
            ctx.clone(),
            Arc::clone(&self.read_text),
            Arc::clone(&self.requests),
        );
        let pending = Arc::clone(&self.pending_requests);
        pending.fetch_add(1, Ordering::Relaxed);
        let work = move || {
            let text = read(paste).unwrap_or_default();
            pending.fetch_sub(1, Ordering::Relaxed);
            let event = match paste {
                _ if requested_at.elapsed() >= PASTE_TIMEOUT => None,
                // An empty text is pasted, too: who asked for it says that nothing was copied.
                Paste::Keys => Some(Event::Paste(text.replace("\r\n", "\n"))),
                Paste::Pointer(pos) => (!text.is_empty()).then_some(Event::MiddleClickPaste { pos, text }),
            };
            if let Some(request) = lock(&requests)
                .get_mut(&window)
                .filter(|request| request.number == number)
            {
                (request.is_answered, request.answer) = (true, event);
            }
            ctx.request_repaint_of(window);
        };
        match threads::spawn("paste", work) {
            Ok(thread) => thread.detach(),
            Err(_none_free) => {
                self.pending_requests.fetch_sub(1, Ordering::Relaxed);
                lock(&self.requests).remove(&window);
            }
        }
    }

    /// Removes and returns the answer to a window's request, if it has arrived.
    fn answer(&self, window: ViewportId) -> Option<Event> {
        let mut requests = lock(&self.requests);
        requests.get(&window).filter(|request| request.is_answered)?;
        requests.remove(&window)?.answer
    }

    /// Queues the copied content for the clipboard. Drops the content if the queue is full.
    fn copy(&self, copied: CopiedContent) {
        // If the channel is full, the system accepts no copies at present, so this copy is dropped.
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
            Event::Paste(text) if text == CLIPBOARD_MARK => {
                asked = Some(Paste::Keys);
                false
            }
            Event::PointerButton {
                pos,
                button: PointerButton::Middle,
                pressed: true,
                ..
            } => {
                asked = cfg!(target_os = "linux").then_some(Paste::Pointer(*pos));
                true
            }
            _ => true,
        });
        input.events.extend(self.answer(window));
        if let Some(paste) = asked {
            self.request_text(ctx, window, paste);
        }
    }

    fn on_exit(&mut self, _ctx: &Context) {
        // On X11 the desktop's clipboard takes over the copied text when the program's clipboard is dropped.
        self.copies = None;
        let _given_up = lock(&self.thread_end).recv_timeout(MAX_EXIT_WAIT);
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        output.platform_output.commands.retain(|command| {
            match command {
                OutputCommand::CopyText(text) => self.copy(CopiedContent::Text(text.clone())),
                OutputCommand::TextSelectionSettled(text) => {
                    self.copy(CopiedContent::Selection(text.clone()));
                }
                OutputCommand::CopyImage(image) => self.copy(CopiedContent::Image(Arc::new(image.clone()))),
                OutputCommand::OpenUrl(_) => return true,
            }
            false
        });
        // In every frame: a window that is opened again has an empty egui clipboard.
        output
            .platform_output
            .commands
            .push(OutputCommand::CopyText(CLIPBOARD_MARK.to_owned()));
    }
}

/// Reads a text; `None` if there is none, or the system refuses it.
fn read(paste: Paste) -> Option<String> {
    let _guard = lock_clipboard();
    match paste {
        Paste::Keys => read_clipboard(),
        Paste::Pointer(_) => selected_text(),
    }
}

#[cfg(target_os = "linux")]
fn selected_text() -> Option<String> {
    use arboard::{GetExtLinux as _, LinuxClipboardKind};
    let clipboard = arboard::Clipboard::new();
    clipboard
        .and_then(|mut clipboard| clipboard.get().clipboard(LinuxClipboardKind::Primary).text())
        .ok()
}

/// Returns no text: only Linux has a clipboard for the selection.
#[cfg(not(target_os = "linux"))]
const fn selected_text() -> Option<String> {
    None
}

/// Gives the system the copied contents, until the program ends.
fn copy_all(copies: &Receiver<CopiedContent>) {
    // On X11 this object answers other programs while it exists.
    let mut clipboard = None;
    for copied in copies {
        let _guard = lock_clipboard();
        if clipboard.is_none() {
            clipboard = arboard::Clipboard::new().ok();
        }
        let Some(system_clipboard) = &mut clipboard else {
            continue;
        };
        let done = match copied {
            CopiedContent::Text(text) => system_clipboard.set_text(text),
            CopiedContent::Selection(text) => set_selection(system_clipboard, text),
            CopiedContent::Image(image) => system_clipboard.set_image(arboard::ImageData {
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
fn set_selection(clipboard: &mut arboard::Clipboard, text: String) -> Result<(), arboard::Error> {
    use arboard::{LinuxClipboardKind, SetExtLinux as _};
    clipboard.set().clipboard(LinuxClipboardKind::Primary).text(text)
}

/// Does nothing: only Linux has a clipboard for the selection.
#[cfg(not(target_os = "linux"))]
fn set_selection(_clipboard: &mut arboard::Clipboard, _text: String) -> Result<(), arboard::Error> {
    Ok(())
}

/// Returns a guard that keeps other threads off the clipboard, as Windows and macOS cannot serve two at a time. Returns
/// `None` on Linux, which serves several at a time: there, an owner that hangs would block the other threads.
fn lock_clipboard() -> Option<std::sync::MutexGuard<'static, ()>> {
    static CLIPBOARD: Mutex<()> = Mutex::new(());
    (!cfg!(target_os = "linux")).then(|| lock(&CLIPBOARD))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a frame with these events. Returns the pasted texts, and the remaining commands for egui's clipboard.
    fn frame(ctx: &Context, events: Vec<Event>) -> (Vec<String>, Vec<OutputCommand>) {
        let mut pasted = Vec::new();
        let input = RawInput {
            events,
            ..RawInput::default()
        };
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
        ctx.add_plugin(SystemClipboard::with_reader(Arc::new(move |_| {
            Some(lock(&answers).recv().ok()?.to_owned())
        })));
        let (_, commands) = frame(&ctx, Vec::new());
        assert!(
            matches!(commands.as_slice(), [OutputCommand::CopyText(mark)] if mark == CLIPBOARD_MARK),
            "{commands:?}"
        );
        let paste = || vec![Event::Paste(CLIPBOARD_MARK.to_owned())];
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
