//! The keys of the terminal, while the bar is shown in it.

use crate::app::state::AppAction;
use crate::threads::{self, Thread};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// How long the listener may take to notice that nobody wants it any more.
const GRAIN: Duration = Duration::from_millis(50);
/// Keys that may wait; those of a cat on the keyboard are dropped.
const QUEUE: usize = 64;

/// The keys, from when they are listened to until this is dropped: then the terminal is as it was.
#[derive(Debug)]
pub(super) struct TerminalKeys {
    events: Receiver<Event>,
    done: Arc<AtomicBool>,
    thread: Option<Thread>,
}

/// What was pressed since the last look.
#[derive(Debug, Default)]
pub(super) struct KeysPressed {
    pub(super) actions: Vec<AppAction>,
    pub(super) quit: bool,
    /// The terminal has another size now.
    pub(super) resized: bool,
}

impl TerminalKeys {
    /// Listens to the terminal; `ring` is called for every event.
    ///
    /// # Errors
    /// Where the terminal cannot give single keys.
    pub(super) fn start(ring: impl Fn() + Send + 'static) -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let (sender, events) = sync_channel(QUEUE);
        let done = Arc::new(AtomicBool::new(false));
        let heeded = Arc::clone(&done);
        let thread = threads::named("keys", move || listen(&sender, &heeded, ring));
        // Made before the thread is looked at, so that the terminal is put back if there is none.
        let mut keys = Self { events, done, thread: None };
        keys.thread = Some(thread?);
        Ok(keys)
    }

    /// What was pressed since the last look.
    pub(super) fn pressed(&self) -> KeysPressed {
        let mut pressed = KeysPressed::default();
        for event in self.events.try_iter() {
            match event {
                Event::Key(key) if key.kind != KeyEventKind::Release => pressed.take(key),
                Event::Resize(..) => pressed.resized = true,
                _ => {}
            }
        }
        pressed
    }
}

impl Drop for TerminalKeys {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        // Not waited for: of a terminal that has gone it reads nothing for ever, and never comes back to look.
        if let Some(thread) = self.thread.take() {
            thread.detach();
        }
        // There is nothing to be done about a terminal that does not go back.
        let _it_is_gone = terminal::disable_raw_mode();
    }
}

fn listen(sender: &SyncSender<Event>, done: &AtomicBool, ring: impl Fn()) {
    while !done.load(Ordering::Relaxed) {
        match event::poll(GRAIN) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(_) => return,
        }
        let Ok(event) = event::read() else { return };
        let _too_many = sender.try_send(event);
        ring();
    }
}

impl KeysPressed {
    fn take(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let action = match key.code {
            KeyCode::Char('c' | 'd' | 'q') if control => return self.quit = true,
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return self.quit = true,
            KeyCode::Left => AppAction::Step(-1),
            KeyCode::Right => AppAction::Step(1),
            KeyCode::PageUp => AppAction::Step(-10),
            KeyCode::PageDown => AppAction::Step(10),
            KeyCode::Char(' ') => AppAction::Pause,
            KeyCode::Char('e' | 'E') if !control => AppAction::Follow,
            KeyCode::Char('h' | 'H') if !control => AppAction::Hide,
            KeyCode::Home => AppAction::First,
            KeyCode::End => AppAction::Last,
            _ => return,
        };
        self.actions.push(action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_walk_and_quit() {
        let check = |code, modifiers, actions: &[AppAction], quit| {
            let mut pressed = KeysPressed::default();
            pressed.take(KeyEvent::new(code, modifiers));
            assert_eq!((pressed.actions.as_slice(), pressed.quit), (actions, quit), "{code:?}");
        };
        check(KeyCode::Left, KeyModifiers::NONE, &[AppAction::Step(-1)], false);
        check(KeyCode::PageDown, KeyModifiers::NONE, &[AppAction::Step(10)], false);
        check(KeyCode::End, KeyModifiers::NONE, &[AppAction::Last], false);
        check(KeyCode::Char(' '), KeyModifiers::NONE, &[AppAction::Pause], false);
        check(KeyCode::Char('e'), KeyModifiers::NONE, &[AppAction::Follow], false);
        check(KeyCode::Char('h'), KeyModifiers::NONE, &[AppAction::Hide], false);
        check(KeyCode::Char('h'), KeyModifiers::CONTROL, &[], false);
        check(KeyCode::Char('c'), KeyModifiers::CONTROL, &[], true);
        check(KeyCode::Char('c'), KeyModifiers::NONE, &[], false);
        check(KeyCode::Char('q'), KeyModifiers::NONE, &[], true);
    }
}
