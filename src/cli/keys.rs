//! Keyboard input of the terminal while the bar is shown in it.

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use shogibar_base::threads::{self, Thread};
use shogibar_config::{Command, CommandContext, CommandPart};
use shogibar_model::action::AppAction;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// The longest time until the listener thread notices that it has to stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);
/// The maximum number of queued events. Further events are dropped.
const MAX_QUEUED_EVENTS: usize = 64;

/// The keyboard listener of the terminal. Dropping it restores the terminal's mode.
#[derive(Debug)]
pub(super) struct TerminalKeys {
    events: Receiver<Event>,
    is_done: Arc<AtomicBool>,
    thread: Option<Thread>,
}

/// The input of the terminal since the last call of [`TerminalKeys::take_input`].
#[derive(Debug, Default)]
pub(super) struct TerminalInput {
    pub(super) actions: Vec<AppAction>,
    /// Whether the user wants to end the program.
    pub(super) quits: bool,
    /// Whether the size of the terminal has changed.
    pub(super) has_resized: bool,
}

impl TerminalKeys {
    /// Starts to listen to the terminal; `wake` is called for every event.
    ///
    /// # Errors
    /// Fails if the terminal does not support raw mode.
    pub(super) fn start(wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let (sender, events) = sync_channel(MAX_QUEUED_EVENTS);
        let done = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&done);
        let thread = threads::spawn("keys", move || listen(&sender, &stop, wake));
        // Created before the thread's result is checked, so that the terminal is restored on an error.
        let mut keys = Self {
            events,
            is_done: done,
            thread: None,
        };
        keys.thread = Some(thread?);
        Ok(keys)
    }

    /// Returns the input since the last call.
    pub(super) fn take_input(&self) -> TerminalInput {
        let mut input = TerminalInput::default();
        for event in self.events.try_iter() {
            match event {
                Event::Key(key) if key.kind != KeyEventKind::Release => input.add(key),
                Event::Resize(..) => input.has_resized = true,
                _ => {}
            }
        }
        input
    }
}

impl Drop for TerminalKeys {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        // The thread is not joined: on a closed terminal it may block in a read for ever.
        if let Some(thread) = self.thread.take() {
            thread.detach();
        }
        // The program ends anyway, so a terminal that cannot be restored is no error.
        let _best_effort = terminal::disable_raw_mode();
    }
}

fn listen(sender: &SyncSender<Event>, done: &AtomicBool, wake: impl Fn()) {
    while !done.load(Ordering::Relaxed) {
        match event::poll(STOP_CHECK_INTERVAL) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(_) => return,
        }
        let Ok(event) = event::read() else { return };
        let _queue_is_full = sender.try_send(event);
        wake();
    }
}

impl TerminalInput {
    /// Adds the effect of a key: the end of the program, or the action of a command.
    fn add(&mut self, key: KeyEvent) {
        let interrupts = match key.code {
            KeyCode::Char('c' | 'd') => key.modifiers.contains(KeyModifiers::CONTROL),
            code => code == KeyCode::Esc,
        };
        let command =
            key_name(key).and_then(|name| Command::with_default_key(&name, CommandContext::Terminal));
        self.quits |= interrupts || command == Some(Command::Quit);
        if let Some(CommandPart::Model(command)) = command.map(Command::part) {
            self.actions.push(AppAction::run(command));
        }
    }
}

/// Returns the name of a key as in the commands. A letter has `Ctrl+` if Ctrl is held; other keys have no modifiers.
/// Returns `None` for a key that no command of the terminal has.
fn key_name(key: KeyEvent) -> Option<String> {
    let name = match key.code {
        KeyCode::Char(' ') => "Space",
        KeyCode::Left => "Left",
        KeyCode::Right => "Right",
        KeyCode::PageUp => "PageUp",
        KeyCode::PageDown => "PageDown",
        KeyCode::Home => "Home",
        KeyCode::End => "End",
        KeyCode::Char(letter) => {
            let control = if key.modifiers.contains(KeyModifiers::CONTROL) {
                "Ctrl+"
            } else {
                ""
            };
            return Some(format!("{control}{}", letter.to_ascii_uppercase()));
        }
        _ => return None,
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_config::ModelCommand;

    #[test]
    fn keys_run_their_commands() {
        let check = |code, modifiers, actions: &[AppAction], quit| {
            let mut input = TerminalInput::default();
            input.add(KeyEvent::new(code, modifiers));
            assert_eq!(
                (input.actions.as_slice(), input.quits),
                (actions, quit),
                "{code:?}"
            );
        };
        check(
            KeyCode::Left,
            KeyModifiers::NONE,
            &[AppAction::run(ModelCommand::Back)],
            false,
        );
        check(
            KeyCode::PageDown,
            KeyModifiers::NONE,
            &[AppAction::run(ModelCommand::TenForward)],
            false,
        );
        check(
            KeyCode::End,
            KeyModifiers::NONE,
            &[AppAction::run(ModelCommand::Last)],
            false,
        );
        check(
            KeyCode::Char(' '),
            KeyModifiers::NONE,
            &[AppAction::run(ModelCommand::Pause)],
            false,
        );
        check(
            KeyCode::Char('e'),
            KeyModifiers::NONE,
            &[AppAction::run(ModelCommand::NextEngine)],
            false,
        );
        check(
            KeyCode::Char('h'),
            KeyModifiers::NONE,
            &[AppAction::run(ModelCommand::Hide)],
            false,
        );
        check(KeyCode::Char('h'), KeyModifiers::CONTROL, &[], false);
        check(KeyCode::Char('c'), KeyModifiers::CONTROL, &[], true);
        check(KeyCode::Char('c'), KeyModifiers::NONE, &[], false);
        check(KeyCode::Char('q'), KeyModifiers::NONE, &[], true);
        check(KeyCode::Char('q'), KeyModifiers::CONTROL, &[], true);
        check(KeyCode::Char('Q'), KeyModifiers::SHIFT, &[], true);
        check(KeyCode::Esc, KeyModifiers::NONE, &[], true);
        check(
            KeyCode::Left,
            KeyModifiers::CONTROL,
            &[AppAction::run(ModelCommand::Back)],
            false,
        );
        check(KeyCode::Char('b'), KeyModifiers::NONE, &[], false);
    }
}
