//! The configuration as values: settings, themes, engine profiles and known engines, with their reading and writing.
//!
//! This crate opens no file: it reads and writes texts (`docs/architecture.md`). Only `folder`, `platform` and
//! `program` query the system, for the locations of files.

mod choice;
mod command;
mod command_line;
mod command_text;
pub mod engines_text;
pub mod find;
mod folder;
pub mod option_form;
mod platform;
mod presets;
mod profile;
mod profiles;
mod program;
mod remark;
mod rewrite;
mod settings;
pub mod settings_text;
mod shortcut;
mod table_reader;
mod theme;
mod warning;
pub mod warning_text;

pub use command::{
    BarCommand, Command, CommandCondition, CommandContext, CommandPart, MainCommand, ModelCommand,
    StudyCommand, WindowCommand,
};
pub use command_line::{ShellSyntax, UnclosedQuoteError};
pub use command_text::{Submenu, command_findable, command_text, menu_text};
pub use folder::{CONFIG_FOLDER_VARIABLE, MAX_CONFIG_BYTES, file_name, user_folder};
pub use platform::Platform;
pub use presets::built_in_presets;
pub use profile::{Profile, is_valid_variable};
pub use profiles::{BUILT_IN_NAME, NameError, NotTomlError, Profiles};
pub use program::{named_program, profile_program};
pub use remark::Remark;
pub use settings::{
    DigitFont, FurtherBars, Language, Layout, OverlayPart, OverlayParts, OverlayPreset, OverlaySizes,
    OwnGameRule, OwnGameRules, PanelOpacity, Percent, PieceCharacters, PositionLimit, ScreenPosition,
    ScreenPositions, SecondNames, Settings, StudyKeys, TextSize, VideoPace, WindowColors,
};
pub use settings::{
    GeneralSettings, HotKeySettings, MainWindowSettings, ObsPort, ObsSettings, OverlaySettings,
    OverlayWindowSettings, RelaySettings, WindowSize, WindowZoom,
};
pub use shortcut::{HotKeyError, HotKeyScope, ModifierKey, Shortcut};
pub use theme::{Background, BoardColors, Rgba, Theme, contrast};
pub use warning::{SettingProblem, SettingValueType, SettingWarning};
