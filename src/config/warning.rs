//! The warnings about entries of settings, theme and engines files, and the values that these entries may have.

/// A warning about an entry of a settings, theme or engines file.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingWarning {
    /// The key of the entry, such as `engine[2].k`; indices count from 1.
    pub key: String,
    /// The problem with the entry.
    pub problem: SettingProblem,
}

/// A problem with an entry of a settings, theme or engines file.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingProblem {
    /// The value has the wrong type or range. Holds the expected type and range.
    Wanted(SettingValueType),
    /// A profile has no name, or one that is taken. Holds the new name of the profile.
    Renamed(String),
    /// A profile has no program, and cannot be started.
    NoProgram,
    /// There is no engine of the name that the value holds.
    NoSuchEngine(String),
    /// There is no built-in theme of the name that the value holds.
    NoSuchTheme(String),
    /// There is no such setting.
    Unknown,
    /// The colour cannot be distinguished from the colour at the key `other`: their contrast is `found`, and should be
    /// `min_contrast`.
    LowContrast {
        /// The key of the other colour.
        other: &'static str,
        /// The contrast by WCAG, 1 to 21.
        found: f64,
        /// The lowest contrast at which both can be distinguished.
        min_contrast: f64,
    },
    /// Another command has the same keyboard shortcut. Holds the id of that command.
    SameKeys(&'static str),
    /// The name or value is not valid for an environment variable.
    NoVariable,
    /// The name or value of an engine option contains a control character, such as a line break.
    ControlCharacter,
}

/// The expected type and range of the value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingValueType {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A table.
    Table,
    /// A list of tables.
    Tables,
    /// A number from the first value to the second.
    Number(f64, f64),
    /// A whole number from the first value to the second.
    Whole(u32, u32),
    /// A search limit, written as the arguments of `go`.
    Limit,
    /// A colour.
    Color,
    /// A width and a height.
    Size,
    /// `true` or `false`.
    Bool,
    /// A text of one line.
    Line,
    /// A list of keyboard shortcuts.
    Keys,
    /// One of these words.
    OneOf(&'static [&'static str]),
}
