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
    let text = |cause: &(dyn Error + 'static)| known_text(cause, lang).unwrap_or_else(|| cause.to_string());
    error.chain().map(text).collect::<Vec<_>>().join(": ")
}

/// Returns the text of an error of a known type. Returns `None` for another error.
fn known_text(error: &(dyn Error + 'static), lang: Lang) -> Option<String> {
    let of_files = || {
        let file = error
            .downcast_ref::<FileError>()
            .or_else(|| Some(error.downcast_ref::<ConfigReadError>()?.file()));
        let written = error
            .downcast_ref::<WriteError>()
            .or_else(|| Some(error.downcast_ref::<ConfigWriteError>()?.file()));
        file.map(|file| file_error_text::file_error(file, lang))
            .or_else(|| Some(file_error_text::write_error(written?, lang)))
    };
    let of_store = || {
        Some(
            CauseText::from(error.downcast_ref::<StoreError>()?)
                .text(lang)
                .to_owned(),
        )
    };
    let of_analysis = || match error.downcast_ref::<StateError>()? {
        StateError::Busy(path) => Some(shogibar_games::analysis_text::analysed_elsewhere(path, lang)),
        StateError::Unwritable(why) => Some(file_error_text::write_error(why.file(), lang)),
    };
    let of_system = || {
        let problem = error
            .downcast_ref::<ReadProblem>()
            .map(|problem| file_error_text::problem(problem, lang));
        problem.or_else(|| {
            Some(file_error_text::io_error(
                error.downcast_ref::<io::Error>()?,
                lang,
            ))
        })
    };
    let failure = error
        .downcast_ref::<CommandError>()
        .map(|failure| failure.text(lang));
    let failure = failure
        .or_else(|| Some(error.downcast_ref::<WrongUsage>()?).map(|wrong| wrong.0.text(&wrong.1, lang)));
    // English messages use the error's text, which fits into a sentence.
    let of_names = || {
        Some(engines_text::name_error(
            error.downcast_ref::<NameError>().filter(|_| lang == Lang::Ja)?,
            lang,
        ))
    };
    let of_address = || {
        error
            .downcast_ref::<AddressError>()
            .map(|error| address_error(*error, lang).to_owned())
    };
    let of_work = || {
        of_store()
            .or_else(of_address)
            .or_else(of_analysis)
            .or_else(of_names)
            .or_else(|| picture_size_error(error, lang))
    };
    failure.or_else(of_files).or_else(of_work).or_else(of_system)
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
