//! Line input from a file or standard input.

use crate::files::{self, FileError};
use std::io::BufRead;
use std::path::Path;

pub(super) use crate::usi::lines::read_line;

/// Opens a file; `-` is standard input.
pub(super) fn open<'a>(path: &Path, stdin: &'a mut dyn BufRead) -> Result<Box<dyn BufRead + 'a>, FileError> {
    if path.as_os_str() == "-" { Ok(Box::new(stdin)) } else { Ok(Box::new(files::open(path)?)) }
}
