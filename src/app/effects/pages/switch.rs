//! The switch of the pages: on, off, or on at another address. It waits for nothing.

use super::{PagesAddress, PagesLook, RunningPages};
use crate::app::model::AppModel;
use crate::threads;
use std::io;

/// What came of starting the pages.
pub type PagesStarted = (PagesAddress, io::Result<RunningPages>);

/// The pages of a program that the user switches on and off.
#[derive(Debug, Default)]
pub struct PagesSwitch {
    running: Option<RunningPages>,
    /// Where the user wants them, and with which look; `None` for nowhere.
    wanted: Option<(PagesAddress, PagesLook)>,
    /// Why they are not there.
    problem: Option<io::Error>,
    is_published: bool,
}

impl PagesSwitch {
    /// Takes pages that run already.
    pub fn set(&mut self, running: Option<RunningPages>) {
        self.running = running;
        self.is_published = false;
    }

    /// Starts or ends the pages as wanted, on a thread that calls `done` with what came of a start.
    pub fn want(
        &mut self,
        wanted: Option<(PagesAddress, PagesLook)>,
        done: impl FnOnce(PagesStarted) + Send + 'static,
    ) {
        let known = self.wanted.as_ref().map(|(address, _)| address);
        let is_same = known == wanted.as_ref().map(|(address, _)| address);
        if let (true, Some((_, look)), Some((_, before)), Some(running)) =
            (is_same, &wanted, &self.wanted, &self.running)
            && look != before
        {
            running.set_look(look.clone());
        }
        self.wanted.clone_from(&wanted);
        if is_same {
            return;
        }
        // The port of the ones before is free only then.
        let before = self.running.take();
        self.problem = None;
        let work = move || {
            drop(before);
            if let Some((address, look)) = wanted {
                let started = RunningPages::start(&address, look);
                done((address, started));
            }
        };
        match threads::spawn("pages-start", work) {
            Ok(thread) => thread.detach(),
            Err(why) => self.problem = Some(why),
        }
    }

    /// Takes what came of a start. One that is no longer wanted ends.
    pub fn on_started(&mut self, (address, started): PagesStarted) {
        if self.wanted.as_ref().is_none_or(|(wanted, _)| *wanted != address) {
            return threads::drop_in_background(started);
        }
        match started {
            Ok(running) => {
                // The look may have changed meanwhile.
                if let Some((_, look)) = &self.wanted {
                    running.set_look(look.clone());
                }
                self.set(Some(running));
            }
            Err(why) => self.problem = Some(why),
        }
    }

    /// Notes that the model has changed.
    pub const fn on_change(&mut self) {
        self.is_published = false;
    }

    /// Shows the model, if it has changed.
    pub fn publish(&mut self, model: &AppModel) {
        if let Some(running) = self.running.as_mut().filter(|_| !self.is_published) {
            running.publish(model);
            self.is_published = true;
        }
    }

    /// The pages while they are served.
    pub const fn running(&self) -> Option<&RunningPages> {
        self.running.as_ref()
    }

    /// Why they are not served though the user wants them.
    pub const fn problem(&self) -> Option<&io::Error> {
        self.problem.as_ref()
    }
}
