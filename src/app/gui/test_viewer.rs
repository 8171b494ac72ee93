//! A viewer for tests of the windows: without engines, and without a user's folder.

use super::SharedViewer;
use crate::app::viewer::{Viewer, ViewerParts};
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_model::action::AppAction;
use shogibar_model::{AppModel, ModelOptions, StoredFiles};
use std::sync::{Arc, Mutex};

pub(super) type Actions = Arc<Mutex<Vec<AppAction>>>;

/// Creates a viewer with an empty game.
pub(super) fn test_viewer() -> SharedViewer {
    Arc::new(Mutex::new(Viewer::new(
        AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default()),
        None,
        ViewerParts::without_engines(),
    )))
}

pub(super) fn actions(viewer: &SharedViewer) -> Actions {
    Arc::clone(&lock(viewer).actions)
}
