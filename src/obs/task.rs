//! What OBS is asked to do, and what came of it. Pure.

use crate::protocol::ObsResponse;

/// A task for OBS: one or more requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObsTask {
    /// Save the replay buffer.
    SaveReplay,
    /// Set a chapter with this name in the recording.
    Chapter(String),
    /// Show a scene for some seconds, and then the scene before; 0 seconds: for good.
    Scene {
        /// The name of the scene.
        name: String,
        /// The time in seconds.
        seconds: u32,
    },
    /// Show a source of a scene for some seconds, and then hide it; 0 seconds: for good.
    Source {
        /// The name of the scene.
        scene: String,
        /// The name of the source.
        name: String,
        /// The time in seconds.
        seconds: u32,
    },
    /// Make a browser source with a page in a scene, or give the page to the source of this name.
    AddPage(BrowserPage),
}

/// A web page as a source, which covers the whole picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserPage {
    /// The name of the scene.
    pub scene: String,
    /// The name of the source.
    pub name: String,
    /// The address.
    pub url: String,
}

/// A kind of page that is added to a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// The bar of the current game.
    Bar,
    /// All games.
    Desk,
    /// The board of the current game, with what is drawn on it.
    Board,
}

impl PageKind {
    /// All kinds of pages.
    pub const ALL: [Self; 3] = [Self::Bar, Self::Board, Self::Desk];

    /// Returns the name of the source, and the last part of the address.
    pub(crate) const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Bar => ("Shogibar", "overlay"),
            Self::Desk => ("Shogibar desk", "desk"),
            Self::Board => ("Shogibar board", "board"),
        }
    }
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskOutcome {
    /// The task is done.
    Done,
    /// The replay was saved in this file.
    ReplaySaved(String),
    /// The task has failed.
    Failed(TaskProblem),
}

/// Why a task has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskProblem {
    /// OBS is not connected.
    NotConnected,
    /// The replay buffer is off.
    ReplayOff,
    /// Nothing is recorded.
    NotRecording,
    /// The format of the recording has no chapters, or the recording is paused.
    NoChaptersInFormat,
    /// This OBS has no such request.
    TooOld,
    /// There is no scene or source of this name.
    Missing(String),
    /// This OBS has no browser source.
    NoBrowserSource,
    /// The stored settings cannot be read, so that those at first hold.
    SettingsUnread,
    /// The pages of the program cannot be served.
    PagesOff,
    /// OBS has too many tasks.
    Busy,
    /// OBS has not answered in time.
    Silent,
    /// OBS has refused, with its own words.
    Refused(String),
}

impl ObsTask {
    /// Returns the problem that a failed answer to a request of this task shows.
    pub(crate) fn problem(&self, response: &ObsResponse) -> TaskProblem {
        let words = || TaskProblem::Refused(format!("{} {}", response.code, response.comment));
        match (self, response.code) {
            (_, 204) => TaskProblem::TooOld,
            (Self::SaveReplay, 501 | 604) => TaskProblem::ReplayOff,
            (Self::Chapter(_), 501) => TaskProblem::NotRecording,
            (Self::Chapter(_), 702) => TaskProblem::NoChaptersInFormat,
            (Self::AddPage(_), 605) => TaskProblem::NoBrowserSource,
            (Self::Scene { name, .. } | Self::Source { name, .. }, 600) => TaskProblem::Missing(name.clone()),
            (Self::AddPage(page), 600) => TaskProblem::Missing(page.scene.clone()),
            _ => words(),
        }
    }
}
