//! Usage errors: the parser's errors in the user's language.

use crate::cli::usage_text::{ExpectedValue, UsageError};
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;
use std::ffi::OsString;
use std::num::{ParseFloatError, ParseIntError};

/// Returns a parser of whole numbers from `min` to `max`, if there is a `max`.
pub(super) fn whole<T: TryFrom<u64>>(
    min: u64,
    max: Option<u64>,
) -> impl Fn(&str) -> Result<T, ExpectedValue> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text
            .parse()
            .ok()
            .filter(|number| *number >= min && max.is_none_or(|max| *number <= max));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or(ExpectedValue::Whole(min, max))
    }
}

/// Converts an error of the parser to a usage error.
pub(super) fn usage_error(error: &Error) -> UsageError {
    let text = |kind| error.get(kind).map(context_text).unwrap_or_default();
    let suggestion = |kind| {
        error
            .get(kind)
            .map(context_text)
            .filter(|suggestion| !suggestion.is_empty())
    };
    let argument = text(ContextKind::InvalidArg);
    match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            UsageError::NoOption(argument, suggestion(ContextKind::SuggestedArg))
        }
        ErrorKind::UnknownArgument => UsageError::TooMany(argument),
        ErrorKind::InvalidSubcommand => UsageError::NoCommand(
            text(ContextKind::InvalidSubcommand),
            suggestion(ContextKind::SuggestedSubcommand),
        ),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = text(ContextKind::InvalidValue);
            if value.is_empty() {
                UsageError::NoValue(argument)
            } else {
                UsageError::WrongValue(argument, value, expected_value(error))
            }
        }
        ErrorKind::NoEquals | ErrorKind::TooFewValues => UsageError::NoValue(argument),
        ErrorKind::TooManyValues | ErrorKind::WrongNumberOfValues => {
            UsageError::NeedsNoValue(argument, text(ContextKind::InvalidValue))
        }
        ErrorKind::ArgumentConflict => match text(ContextKind::PriorArg) {
            other if other.is_empty() || other == argument => UsageError::Twice(argument),
            other => UsageError::Conflict(argument, other),
        },
        ErrorKind::MissingRequiredArgument => UsageError::Missing(match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => missing.clone(),
            _ => vec![argument],
        }),
        ErrorKind::MissingSubcommand => UsageError::NeedsCommand,
        ErrorKind::InvalidUtf8 => UsageError::NotUtf8,
        _ => UsageError::Other(error.kind().to_string()),
    }
}

fn context_text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(word) => word.clone(),
        ContextValue::Strings(words) => words.join(", "),
        ContextValue::StyledStr(word) => word.to_string(),
        _ => String::new(),
    }
}

/// Returns the expected value of an option, as far as the parser knows it.
fn expected_value(error: &Error) -> Option<ExpectedValue> {
    if let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue)
        && !values.is_empty()
    {
        return Some(ExpectedValue::OneOf(values.clone()));
    }
    let why = error.source()?;
    why.downcast_ref::<ExpectedValue>().cloned().or_else(|| match () {
        () if why.is::<ParseIntError>() => Some(ExpectedValue::Whole(0, None)),
        () if why.is::<ParseFloatError>() => Some(ExpectedValue::Number(0.0, None)),
        () => None,
    })
}

/// Returns the words with a `--lang` option moved behind the command that follows it. Before the command, the parser
/// would take it for an option of the bar.
pub(super) fn move_lang_option(
    mut words: Vec<OsString>,
    is_command: impl Fn(&OsString) -> bool,
) -> Vec<OsString> {
    let length = match words.get(1) {
        Some(word) if word == "--lang" => 2,
        Some(word) if word.as_encoded_bytes().starts_with(b"--lang=") => 1,
        _ => return words,
    };
    if words.get(1 + length).is_some_and(is_command) {
        words.get_mut(1..2 + length).unwrap_or_default().rotate_right(1);
    }
    words
}

/// Returns the last `--lang` value of a command line that cannot be parsed.
pub(super) fn named_language(words: &[OsString]) -> Option<String> {
    let words = words
        .iter()
        .take_while(|word| *word != "--")
        .map(|word| word.to_string_lossy());
    let (mut named, mut is_value) = (None, false);
    for word in words {
        let value = word.strip_prefix("--lang=").map(str::to_owned);
        named = value.or_else(|| is_value.then(|| word.to_string())).or(named);
        is_value = word == "--lang";
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_arguments(words: &[&str]) -> Vec<OsString> {
        words.iter().map(Into::into).collect()
    }

    #[test]
    fn the_language_may_precede_the_command() {
        let check = |words: &[&str], expect: &[&str]| {
            assert_eq!(
                move_lang_option(to_arguments(words), |word| word == "convert"),
                to_arguments(expect),
                "{words:?}"
            );
        };
        check(
            &["s", "--lang", "en", "convert", "x"],
            &["s", "convert", "--lang", "en", "x"],
        );
        check(&["s", "--lang=en", "convert"], &["s", "convert", "--lang=en"]);
        check(
            &["s", "--lang", "en", "x.kif", "convert"],
            &["s", "--lang", "en", "x.kif", "convert"],
        );
        check(&["s", "--lang"], &["s", "--lang"]);
        check(&["s"], &["s"]);
    }

    #[test]
    fn the_language_is_found_in_an_invalid_command_line() {
        let check = |words: &[&str], expect: Option<&str>| {
            assert_eq!(named_language(&to_arguments(words)).as_deref(), expect);
        };
        check(&["s", "--lang", "en", "--nonsense"], Some("en"));
        check(&["s", "--lang=en", "--lang=ja"], Some("ja"));
        check(&["s", "--", "--lang", "en"], None);
        check(&["s", "x", "--lang"], None);
    }
}
