//! A viewer for tests of the windows: without engines, threads for files and a folder.

use super::SharedViewer;
use crate::app::action::AppAction;
use crate::app::effects::analysis::AnalysisThreads;
use crate::app::model::{AppModel, StoredFiles};
use crate::app::viewer::{Viewer, ViewerParts};
use crate::bar::FollowMode;
use crate::text::Lang;
use crate::threads::lock;
use std::sync::{Arc, Mutex};

/// The actions of a viewer so far.
pub(super) type Actions = Arc<Mutex<Vec<AppAction>>>;

/// Creates a viewer with an empty game.
pub(super) fn test_viewer() -> SharedViewer {
    let parts = ViewerParts {
        engines: Vec::new(),
        follow: FollowMode::One(0),
        workspace_lock: None,
        start: Box::new(|_, _| anyhow::bail!("there is none")),
        analysis: AnalysisThreads::new(Box::new(|_, _| Ok(Vec::new())), Arc::new(|| {})),
        report: Box::new(|_, _| {}),
        wake: Arc::new(|| {}),
        interrupted: Arc::default(),
    };
    Arc::new(Mutex::new(Viewer::new(AppModel::new(Lang::Ja, StoredFiles::default()), None, parts)))
}

/// The list of the viewer's actions.
pub(super) fn actions(viewer: &SharedViewer) -> Actions {
    Arc::clone(&lock(viewer).actions)
}
