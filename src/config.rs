//! The configuration: known engines, engine profiles and settings.

mod choice;
mod command_line;
mod engine_number;
mod hot_key;
mod limit;
pub mod option_form;
mod presets;
mod profile;
mod profiles;
mod resolve_options;
mod rewrite;
mod settings;
mod shortcut;
mod study_command;
mod theme;
mod warning;

pub use command_line::{ShellSyntax, UnclosedQuote};
pub use engine_number::EngineNumber;
pub use hot_key::{HotKey, HotKeyError, HotKeyScope, Modifier};
pub use limit::{Limit, NoLimit};
pub use presets::{Preset, Presets};
pub use profile::{Profile, is_scale, is_variable};
pub use profiles::{BUILT_IN, NameError, NotToml, Profiles};
pub use resolve_options::{OptionRequest, RejectReason, RejectedOption, ResolvedOptions, declared_k, resolve};
pub use settings::{General, Keys, Overlay, Window};
pub use settings::{
    Ground, Language, Layout, OverlayPart, OverlayParts, OverlaySizes, Pieces, ScreenPosition, ScreenPositions,
    Settings, StudyKeys,
};
pub use shortcut::Shortcut;
pub use study_command::StudyCommand;
pub use theme::{Rgba, Theme};
pub use warning::{Expected, SettingProblem, SettingWarning};
