//! The actions that a user can ask for on the study page.

use super::{EngineSearch, PathPurposeKind, ShelfRequest, StudyPicture};
use eframe::egui::ColorImage;
use shogibar_config::{Command, StudyKeys};
use shogibar_games::study::{DocumentEdit, UnsavedAnswer};
use shogibar_kifu::{ShareSite, Target};
use shogibar_model::action::AppAction;
use std::path::PathBuf;

/// A user action on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyAction {
    /// Run a command. The page itself runs those that concern only the page.
    Command(Command),
    /// Act on the game or the bar that the page shows.
    App(AppAction),
    /// Show the newer version in the browser.
    ShowNewer,
    /// Change how an engine searches, and restart the engine.
    SetSearch(Box<EngineSearch>),
    /// Choose the folder to search for mistakes in a dialog.
    ChooseMistakeFolder,
    /// Open a game of the shelf, or change its folders.
    Shelf(ShelfRequest),
    /// Set the keyboard shortcuts.
    SetKeys(Box<StudyKeys>),
    /// Copy a text to the clipboard.
    CopyText(String),
    /// Copy a picture to the clipboard.
    CopyPicture(Box<ColorImage>),
    /// Ask for a file, and save a picture to that file.
    SavePicture(Box<StudyPicture>),
    /// Save the game as a video.
    SaveVideo,
    /// Copy the record in a format.
    CopyAs(Target),
    /// Copy the address at which a site opens the game up to the current move.
    CopyAddress(ShareSite),
    /// Show another open game, by index.
    ShowTab(usize),
    /// Close an open game, by index.
    CloseTab(usize),
    /// Reload the record's file.
    Reload,
    /// Use this path for the requested purpose.
    PathChosen(PathPurposeKind, PathBuf),
    /// Answer the question about unsaved changes.
    AnswerUnsaved(UnsavedAnswer),
}

impl From<AppAction> for StudyAction {
    fn from(action: AppAction) -> Self {
        Self::App(action)
    }
}

impl From<DocumentEdit> for StudyAction {
    fn from(edit: DocumentEdit) -> Self {
        Self::App(AppAction::Edit(edit))
    }
}
