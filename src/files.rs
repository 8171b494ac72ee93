//! The one place that touches files, and the bounded reading of whatever is in them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The longest line that is read whole, in bytes; a `position` of ten thousand moves has 60 kB, and
/// the longest line a real engine prints a few thousand.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// A file that could not be read, by its path.
#[derive(Debug, Error)]
#[error("cannot read {}: {problem}", path.display())]
pub(crate) struct FileError {
    path: PathBuf,
    problem: Problem,
}

/// Why a file could not be read.
#[derive(Debug, Error)]
pub(crate) enum Problem {
    #[error("this is a folder")]
    Folder,
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FileError {
    fn new(path: &Path, problem: impl Into<Problem>) -> Self {
        Self { path: path.to_owned(), problem: problem.into() }
    }

    /// What is wrong, for where the file is named already.
    pub(crate) const fn problem(&self) -> &Problem {
        &self.problem
    }
}

/// Opens a file, a pipe or a device.
///
/// # Errors
/// With the path, and why: it is not there, it is a folder.
pub(crate) fn open(path: &Path) -> Result<BufReader<File>, FileError> {
    let error = |problem: io::Error| FileError::new(path, problem);
    let file = File::open(path).map_err(error)?;
    let is_folder = file.metadata().map_err(error)?.is_dir();
    if is_folder { Err(FileError::new(path, Problem::Folder)) } else { Ok(BufReader::new(file)) }
}

/// Reads a whole file of at most `cap` bytes. A pipe or device is read too, up to `cap`.
///
/// # Errors
/// With the path, and why: it is not there, it is a folder, it is too large.
pub(crate) fn read(path: &Path, cap: usize) -> Result<Vec<u8>, FileError> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    // One byte more than is wanted tells a file that is too large from one that just fits.
    let limit = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(|problem| FileError::new(path, problem))?;
    if bytes.len() > cap { Err(FileError::new(path, Problem::TooLarge(cap))) } else { Ok(bytes) }
}

/// Reads one line into `line`, without its end, LF or CRLF; `false` at the end of the input. What is
/// beyond the [longest line](LONGEST_LINE) is dropped.
pub(crate) fn read_line<R: BufRead + ?Sized>(input: &mut R, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let most = u64::try_from(LONGEST_LINE).unwrap_or(u64::MAX);
    if input.take(most).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.len() == LONGEST_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    while line.pop_if(|end| matches!(end, b'\n' | b'\r')).is_some() {}
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_is_a_cap() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let length = read(&path, 1 << 20).unwrap().len();
        assert_eq!(read(&path, length).unwrap().len(), length);
        let error = read(&path, length - 1).unwrap_err().to_string();
        assert_eq!(error, format!("cannot read {}: it is larger than {} bytes", path.display(), length - 1));
    }

    #[test]
    fn errors_name_the_path() {
        let check = |path: &str, why: &str| {
            let error = open(Path::new(path)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot read {path}: {why}")), "{error}");
        };
        check("none/a", "");
        check(env!("CARGO_MANIFEST_DIR"), "this is a folder");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_endless_device_is_cut() {
        assert!(read(Path::new("/dev/zero"), 1000).is_err());
    }

    #[test]
    fn lines_are_cut_and_lose_their_ends() {
        let check = |text: &[u8], expect: &[(&[u8], usize)]| {
            let (mut input, mut line, mut found) = (text, Vec::new(), Vec::new());
            while read_line(&mut input, &mut line).unwrap() {
                found.push((line.get(..3).unwrap_or(&line).to_vec(), line.len()));
            }
            let expect: Vec<_> = expect.iter().map(|(start, length)| (start.to_vec(), *length)).collect();
            assert_eq!(found, expect);
        };
        check(b"", &[]);
        check(b"usi\nok\r\n\nend", &[(b"usi", 3), (b"ok", 2), (b"", 0), (b"end", 3)]);
        for more in [0, 1, 2, LONGEST_LINE] {
            let long = [vec![b'x'; LONGEST_LINE + more], b"\nend".to_vec()].concat();
            check(&long, &[(b"xxx", LONGEST_LINE), (b"end", 3)]);
        }
    }
}
