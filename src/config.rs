//! What is set: the engines this program knows, and those of the user.

mod choice;
mod command_line;
mod deed;
mod finding;
mod fit;
mod hot_key;
mod limit;
mod numbers;
pub mod option_form;
mod presets;
mod profile;
mod profiles;
mod rewrite;
mod settings;
mod shortcut;
mod theme;

pub use command_line::{OpenQuote, Shell};
pub use deed::Deed;
pub use finding::{Finding, Problem, Wanted};
pub use fit::{Fit, Misfit, Mismatch, Wishes, declared_k, fit};
pub use hot_key::{HotKey, HotKeyError, Modifier, Reach};
pub use limit::{Limit, NoLimit};
pub use numbers::Number;
pub use presets::{Preset, Presets};
pub use profile::{Profile, is_scale, is_variable};
pub use profiles::{BUILT_IN, NameError, NotToml, Profiles};
pub use settings::{General, Keys, Overlay, Window};
pub use settings::{Ground, Language, Layout, Part, Parts, Pieces, Place, Places, Settings, Sizes, StudyKeys};
pub use shortcut::Shortcut;
pub use theme::{Rgba, Theme};
