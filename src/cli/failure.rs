//! Errors as sentences in the user's language.

use crate::cli::command_error::CommandError;
use crate::cli::usage_text::UsageError;
use shogibar_base::file_error::{FileError, ReadProblem, WriteError};
use shogibar_base::{CauseText, Lang, file_error_text};
use shogibar_config::{NameError, engines_text};
use shogibar_games::analysis::StateError;
use shogibar_live::AddressError;
use shogibar_live::source_text::address_error;
use shogibar_machine::store::{ConfigReadError, ConfigWriteError, StoreError};
use std::error::Error;
use std::{fmt, io};

/// An error of several lines. Each is written as one line, whatever it contains.
#[derive(Debug)]
pub(super) struct ErrorLines(pub(super) Vec<String>);

impl fmt::Display for ErrorLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

impl Error for ErrorLines {}

/// A usage error, and the command that has the matching `--help`.
#[derive(Debug)]
pub(super) struct WrongUsage(pub(super) UsageError, pub(super) String);

impl fmt::Display for WrongUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text(&self.1, Lang::En))
    }
}

impl Error for WrongUsage {}

/// Returns the lines of an error message.
pub(super) fn lines(error: anyhow::Error, lang: Lang) -> Vec<String> {
    match error.downcast::<ErrorLines>() {
        Ok(ErrorLines(lines)) => lines,
        Err(error) => vec![sentence(&error, lang)],
    }
}

/// Returns an error message as one sentence.
pub(super) fn sentence(error: &anyhow::Error, lang: Lang) -> String {
    error
        .chain()
        .map(|cause| known_text(cause, lang).unwrap_or_else(|| cause.to_string()))
        .collect::<Vec<_>>()
        .join(": ")
}

/// Returns the text of an error of a known type. Returns `None` for another error.
fn known_text(error: &(dyn Error + 'static), lang: Lang) -> Option<String> {
    if let Some(failure) = error.downcast_ref::<CommandError>() {
        return Some(failure.text(lang));
    }
    if let Some(WrongUsage(usage, value)) = error.downcast_ref::<WrongUsage>() {
        return Some(usage.text(value, lang));
    }
    let read = error
        .downcast_ref::<FileError>()
        .or_else(|| Some(error.downcast_ref::<ConfigReadError>()?.file()));
    if let Some(read) = read {
        return Some(file_error_text::file_error(read, lang));
    }
    let written = error
        .downcast_ref::<WriteError>()
        .or_else(|| Some(error.downcast_ref::<ConfigWriteError>()?.file()));
    if let Some(written) = written {
        return Some(file_error_text::write_error(written, lang));
    }
    if let Some(store) = error.downcast_ref::<StoreError>() {
        return Some(CauseText::from(store).text(lang).to_owned());
    }
    if let Some(address) = error.downcast_ref::<AddressError>() {
        return Some(address_error(*address, lang).to_owned());
    }
    match error.downcast_ref::<StateError>() {
        Some(StateError::Busy(path)) => {
            return Some(shogibar_games::analysis_text::analysed_elsewhere(path, lang));
        }
        Some(StateError::Unwritable(why)) => return Some(file_error_text::write_error(why.file(), lang)),
        None => {}
    }
    // English messages use the error's text, which fits into a sentence.
    if lang == Lang::Ja
        && let Some(name) = error.downcast_ref::<NameError>()
    {
        return Some(engines_text::name_error(name, lang));
    }
    if let Some(text) = picture_size_error(error, lang) {
        return Some(text);
    }
    if let Some(problem) = error.downcast_ref::<ReadProblem>() {
        return Some(file_error_text::problem(problem, lang));
    }
    let error = error.downcast_ref::<io::Error>()?;
    Some(file_error_text::io_error(error, lang))
}

/// Returns the text of an error about the size of a picture. Returns `None` for another error.
#[cfg(feature = "gui")]
fn picture_size_error(error: &(dyn Error + 'static), lang: Lang) -> Option<String> {
    use shogibar_ui::report::PictureError;
    use shogibar_ui::snapshot::SizeError;
    let size = error
        .downcast_ref::<SizeError>()
        .or_else(|| match error.downcast_ref()? {
            PictureError::Size(size) => Some(size),
            PictureError::Encode(_) => None,
        });
    Some(shogibar_ui::snapshot::size_error(*size?, lang))
}

#[cfg(not(feature = "gui"))]
const fn picture_size_error(_: &(dyn Error + 'static), _: Lang) -> Option<String> {
    None
}
