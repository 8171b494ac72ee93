//! Line input from a file or standard input.

use shogibar_base::file_error::FileError;
use std::io::BufRead;
use std::path::Path;

pub(super) use shogibar_engine::usi::lines::read_line;

/// Opens a file; `-` is standard input.
pub(super) fn open<'a>(path: &Path, stdin: &'a mut dyn BufRead) -> Result<Box<dyn BufRead + 'a>, FileError> {
    if path.as_os_str() == "-" {
        Ok(Box::new(stdin))
    } else {
        Ok(Box::new(shogibar_files::open(path)?))
    }
}
