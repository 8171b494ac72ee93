//! The viewer: what is on view and the engine that looks at it.

use super::state::{Action, State};
use crate::bar::View;
use crate::files;
use crate::kifu::{self, Warning};
use crate::session::Session;
use crate::text::{Lang, Message};
use crate::threads;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Starts an engine, by what the user calls it, and says what that is.
pub type Start = Box<dyn Fn(&str) -> anyhow::Result<(String, Session)> + Send>;

/// What is on view and the engine that looks at it.
pub struct Viewer {
    state: State,
    start: Start,
    /// What the user calls the engine.
    engine: String,
    session: Session,
    interrupted: Arc<AtomicBool>,
    view: View,
}

impl Viewer {
    /// Puts what `state` holds before an engine, until it is `interrupted`.
    pub fn new(state: State, engine: (String, Session), start: Start, interrupted: Arc<AtomicBool>) -> Self {
        let view = state.view();
        let (engine, session) = engine;
        session.wish(state.wish());
        Self { state, start, engine, session, interrupted, view }
    }

    /// What the user calls the engine in use.
    pub fn engine(&self) -> &str {
        &self.engine
    }

    /// Puts another engine in the place of the one in use, or the same one, started anew.
    fn change_engine(&mut self, name: &str) {
        match (self.start)(name) {
            Ok((name, session)) => {
                let before = std::mem::replace(&mut self.session, session);
                self.engine = name;
                // It may take its time to end, and nobody has to wait for that.
                if let Ok(thread) = threads::named("farewell", move || drop(before)) {
                    thread.detach();
                }
            }
            Err(error) => self.state.complain(&Message::EngineNotStarted(name.to_owned(), format!("{error:#}"))),
        }
    }

    /// Does what the user asked for.
    pub fn act(&mut self, action: &Action) {
        self.state.dismiss();
        match action {
            Action::Step(moves) => self.state.step(*moves),
            Action::First => self.state.go_to(0),
            Action::Last => self.state.go_to(usize::MAX),
            Action::Open(path) => {
                open(&mut self.state, path);
            }
            Action::Engine(name) => self.change_engine(name),
            Action::Press(button) => self.session.press(button),
        }
        self.session.wish(self.state.wish());
        self.view = self.state.view();
    }

    /// What the bar says now.
    pub fn view(&mut self) -> &View {
        if let Some(snapshot) = self.session.snapshot() {
            self.state.hear(snapshot);
            self.view = self.state.view();
        }
        &self.view
    }

    /// The language of the screen.
    pub const fn lang(&self) -> Lang {
        self.state.lang()
    }

    /// Whether the engine has said anything of any position.
    pub const fn has_spoken(&self) -> bool {
        self.state.snapshot().shown.is_some()
    }

    /// Whether it is to end.
    pub fn is_over(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether nothing more will be said of the position on view, as of the last [`view`](Self::view).
    pub fn is_settled(&self) -> bool {
        self.state.is_settled()
    }
}

#[cfg(feature = "gui")]
impl super::gui::Host for Viewer {
    fn view(&mut self) -> &View {
        Self::view(self)
    }

    fn act(&mut self, action: &Action) {
        Self::act(self, action);
    }

    fn engine(&self) -> &str {
        Self::engine(self)
    }

    fn lang(&self) -> Lang {
        Self::lang(self)
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").field("engine", &self.engine).field("state", &self.state).finish_non_exhaustive()
    }
}

/// Puts a record from a file on view and says what of it was not understood; where it cannot be read,
/// what was on view stays and the bar says why.
pub fn open(state: &mut State, path: &Path) -> Vec<Warning> {
    let name = path.display().to_string();
    match files::read(path, kifu::MAX_BYTES) {
        Ok(bytes) => open_bytes(state, &name, &bytes),
        Err(error) => {
            state.complain(&Message::RecordUnreadable(name, (&error).into()));
            Vec::new()
        }
    }
}

/// The same for what has been read already; `name` is what it is called if it is no record.
pub fn open_bytes(state: &mut State, name: &str, bytes: &[u8]) -> Vec<Warning> {
    match kifu::read(bytes) {
        Ok(reading) => {
            let Some((record, warnings)) = reading.into_first() else { return Vec::new() };
            state.open(record);
            if let Some(first) = warnings.first() {
                state.remark(&Message::RecordWarnings(warnings.len(), first.clone()));
            }
            warnings
        }
        Err(error) => {
            state.complain(&Message::RecordUnreadable(name.to_owned(), (&error).into()));
            Vec::new()
        }
    }
}
