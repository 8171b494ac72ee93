//! The warnings about entries of a settings file.

/// A warning about an entry of a settings file. The default is used instead.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingWarning {
    /// The key of the entry, such as `engine[2].k`; indices count from 1.
    pub key: String,
    /// The problem.
    pub problem: SettingProblem,
}

/// A problem with an entry of a settings, theme or engines file.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingProblem {
    /// The value has the wrong type or range; this was expected.
    Wanted(Expected),
    /// A profile has no name, or one that is taken. It is renamed to this.
    Renamed(String),
    /// A profile has no program, and cannot be started.
    NoProgram,
    /// There is no engine of this name.
    NoSuchEngine(String),
    /// There is no built-in theme of this name.
    NoSuchTheme(String),
    /// There is no such setting.
    Unknown,
    /// The colour cannot be distinguished from the colour at the key `other`: their contrast is `found`, and should be
    /// `min_contrast`.
    LowContrast {
        /// The key of the other colour.
        other: &'static str,
        /// The contrast of WCAG, 1 to 21.
        found: f64,
        /// The lowest contrast that is visible.
        min_contrast: f64,
    },
    /// The setting at this key has the same keys.
    SameKeys(&'static str),
    /// The name or value is not valid for an environment variable.
    NoVariable,
    /// The name or value of an engine option contains a control character, such as a line break.
    ControlCharacter,
}

/// The expected value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A table.
    Table,
    /// A list of tables.
    Tables,
    /// A number from the first to the second.
    Number(f64, f64),
    /// A whole number from the first to the second.
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
    /// A list of keys.
    Keys,
    /// One of these words.
    OneOf(&'static [&'static str]),
}
