//! OBS under the control of the program: the connection over obs-websocket, the rules that answer moments of a game on
//! air, and chapters.
//!
//! [`ObsControl`] decides what is done, [`ObsConnection`] how OBS is asked for it. Both have no I/O. [`ObsClient`] has the
//! socket and its threads, [`ObsDriver`] joins them.

mod chapter;
mod client;
mod connection;
mod control;
mod driver;
pub mod obs_text;
#[cfg(feature = "gui")]
mod panel;
mod protocol;
mod rule;
mod settings;
mod task;

pub use chapter::{Chapter, ChapterList, ChapterStart};
pub use client::{ObsClient, ObsListener, ObsNews, ObsSnapshot};
pub use connection::{
    ConnectionEffect, ConnectionEvent, ConnectionProblem, ConnectionState, ObsAddress, ObsConnection,
    ObsStatus,
};
pub use control::{ControlAction, ControlEffect, ControlEntry, ObsControl};
pub use driver::{ControlFolders, ObsDriver};
#[cfg(feature = "gui")]
pub use panel::ControlPanel;
pub use rule::{DEFAULT_PAUSE_SECONDS, MAX_RULES, ObsRule, RuleAnswer, RuleEffect, RuleRunner};
pub use settings::{ControlSettings, DEFAULT_PORT, password_in};
pub use task::{BrowserPage, ObsTask, PageKind, TaskOutcome, TaskProblem};
