//! `option` and `setoption`: the options of an engine and their values.

use super::tokens::{Number, Tokens};
use thiserror::Error;

/// An option of an engine, as declared by its `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name, which may contain spaces.
    pub name: String,
    /// The type, with its default and limits.
    pub kind: OptionKind,
}

/// The type of an option, its default and its limits. A default that is missing or unreadable
/// is `None`; `<empty>` is the empty text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// An option that is `true` or `false`.
    Check {
        /// The default.
        default: Option<bool>,
    },
    /// A whole number. Limits beyond 64 bits are clamped.
    Spin {
        /// The default.
        default: Option<i64>,
        /// The smallest allowed value.
        min: Option<i64>,
        /// The largest allowed value.
        max: Option<i64>,
    },
    /// One of several choices.
    Combo {
        /// The default.
        default: Option<String>,
        /// The choices.
        vars: Vec<String>,
    },
    /// A button.
    Button,
    /// Free text.
    String {
        /// The default.
        default: Option<String>,
    },
    /// A file name.
    Filename {
        /// The default.
        default: Option<String>,
    },
}

/// The reason why a value of an option is not sent to an engine. Several engines exit on an invalid value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The value is not `true` or `false`.
    #[error("option {name} is true or false, not '{value}'")]
    NotABool {
        /// The name of the option.
        name: String,
        /// The rejected value.
        value: String,
    },
    /// The value is not a whole number.
    #[error("option {name} is a whole number, not '{value}'")]
    NotANumber {
        /// The name of the option.
        name: String,
        /// The rejected value.
        value: String,
    },
    /// The number is outside the limits.
    #[error("option {name} goes from {min} to {max}, {value} is outside")]
    OutOfRange {
        /// The name of the option.
        name: String,
        /// The rejected value.
        value: i64,
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
    },
    /// The value is none of the choices.
    #[error("option {name} is one of {choices}, not '{value}'")]
    NotAChoice {
        /// The name of the option.
        name: String,
        /// The rejected value.
        value: String,
        /// The choices, separated by commas.
        choices: String,
    },
    /// The name or value contains a control character. A line break would start a further command.
    #[error("option {0} cannot hold a line break or control character")]
    ControlCharacter(String),
}

impl OptionSpec {
    /// Parses the text after `option`; `None` where the name or a known type is missing.
    pub fn parse(text: &str) -> Option<Self> {
        let text = strip_word(text.trim_ascii(), "name")?;
        let (name, kind, rest) = text.match_indices("type").find_map(|(at, keyword)| {
            let (name, rest) = text.split_at_checked(at)?;
            let rest = strip_word(rest, keyword)?;
            let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
            let (kind, rest) = rest.split_at_checked(end)?;
            (name.ends_with(|c: char| c.is_ascii_whitespace()) && is_option_type(kind))
                .then_some((name, kind, rest))
        })?;
        let kind = OptionKind::parse(kind, rest)?;
        Some(Self {
            name: name.trim_ascii().to_owned(),
            kind,
        })
    }

    /// Returns the `setoption` line for `value`. For a button the value is ignored.
    ///
    /// # Errors
    /// Fails if the value is not one that the engine accepts.
    pub fn setoption(&self, value: &str) -> Result<String, OptionError> {
        let is_sent = self.kind != OptionKind::Button;
        check_one_line(&self.name, if is_sent { value } else { "" })?;
        let value = self.normalize(value)?;
        Ok(match value {
            None => format!("setoption name {}", self.name),
            Some(value) => format!("setoption name {} value {value}", self.name),
        })
    }

    /// Returns the value in the engine's spelling; `None` for a button.
    fn normalize(&self, value: &str) -> Result<Option<String>, OptionError> {
        let name = || self.name.clone();
        let trimmed = value.trim_ascii();
        Ok(Some(match &self.kind {
            OptionKind::Button => return Ok(None),
            OptionKind::Check { .. } => match trimmed {
                "true" | "false" => trimmed.to_owned(),
                _ => {
                    return Err(OptionError::NotABool {
                        name: name(),
                        value: value.to_owned(),
                    });
                }
            },
            OptionKind::Spin { min, max, .. } => {
                let number: i64 = trimmed.parse().ok().ok_or_else(|| OptionError::NotANumber {
                    name: name(),
                    value: value.to_owned(),
                })?;
                let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                if number < min || number > max {
                    return Err(OptionError::OutOfRange {
                        name: name(),
                        value: number,
                        min,
                        max,
                    });
                }
                number.to_string()
            }
            OptionKind::Combo { vars, .. } => {
                let choice = vars.iter().find(|var| **var == trimmed);
                let choice = choice.or_else(|| vars.iter().find(|var| var.eq_ignore_ascii_case(trimmed)));
                choice
                    .ok_or_else(|| OptionError::NotAChoice {
                        name: name(),
                        value: value.to_owned(),
                        choices: vars.join(", "),
                    })?
                    .clone()
            }
            OptionKind::String { .. } | OptionKind::Filename { .. } if trimmed.is_empty() => {
                "<empty>".to_owned()
            }
            OptionKind::String { .. } | OptionKind::Filename { .. } => trimmed.to_owned(),
        }))
    }
}

/// Checks that this name and value form a single command line.
///
/// # Errors
/// Fails with [`OptionError::ControlCharacter`] if the name or the value contains a control character.
pub fn check_one_line(name: &str, value: &str) -> Result<(), OptionError> {
    if name.contains(char::is_control) || value.contains(char::is_control) {
        return Err(OptionError::ControlCharacter(name.escape_default().to_string()));
    }
    Ok(())
}

fn is_option_type(word: &str) -> bool {
    matches!(
        word,
        "check" | "spin" | "combo" | "button" | "string" | "filename"
    )
}

impl OptionKind {
    /// Parses the text after the type `kind`; `None` for an unknown type. A text value may contain keywords, so only
    /// the other types have further keywords.
    fn parse(kind: &str, text: &str) -> Option<Self> {
        let mut words = Tokens::new(text);
        Some(match kind {
            "check" => Self::Check {
                default: words
                    .find(|w| *w == "default")
                    .and_then(|_| words.next()?.parse().ok()),
            },
            "spin" => Self::parse_spin(words),
            "combo" => Self::parse_combo(words),
            "button" => Self::Button,
            "string" => Self::String {
                default: parse_text_default(text),
            },
            "filename" => Self::Filename {
                default: parse_text_default(text),
            },
            _ => return None,
        })
    }

    /// Parses the text after `spin`.
    fn parse_spin(mut words: Tokens<'_>) -> Self {
        let (mut default, mut min, mut max) = (None, None, None);
        while let Some(word) = words.next() {
            let slot = match word {
                "default" => &mut default,
                "min" => &mut min,
                "max" => &mut max,
                _ => continue,
            };
            *slot = slot.or(words.value(Number::read).map(Number::signed));
        }
        Self::Spin { default, min, max }
    }

    /// Parses the text after `combo`. The default and the choices may have several words.
    fn parse_combo(words: Tokens<'_>) -> Self {
        let (mut default, mut vars) = (None, Vec::<String>::new());
        let mut in_vars = false;
        for word in words {
            match word {
                "default" if default.is_none() => {
                    default = Some(String::new());
                    in_vars = false;
                }
                "var" => {
                    vars.push(String::new());
                    in_vars = true;
                }
                _ => {
                    let value = if in_vars {
                        vars.last_mut()
                    } else {
                        default.as_mut()
                    };
                    let Some(value) = value else { continue };
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(word);
                }
            }
        }
        vars.retain(|var| !var.is_empty());
        Self::Combo {
            default: default.map(decode_empty),
            vars: vars.into_iter().map(decode_empty).collect(),
        }
    }
}

/// Parses the default of a `string` or `filename` option. Returns `None` without the word `default`, and the empty text
/// for `<empty>`.
fn parse_text_default(text: &str) -> Option<String> {
    let default = text.trim_ascii().strip_prefix("default")?;
    let whole_word = default.is_empty() || default.starts_with(|c: char| c.is_ascii_whitespace());
    whole_word.then(|| decode_empty(default.trim_ascii().to_owned()))
}

/// Returns the empty text for `<empty>`, and any other value unchanged.
fn decode_empty(value: String) -> String {
    if value == "<empty>" { String::new() } else { value }
}

/// Returns the text after `word`; `None` where `text` does not begin with this whole word.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with(|c: char| c.is_ascii_whitespace())
        .then(|| rest.trim_ascii_start())
}

#[cfg(test)]
mod tests;
