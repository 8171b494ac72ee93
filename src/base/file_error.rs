//! Errors of files and of the system, as values. `file_error_text` has their sentences.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A read error with the path of the file.
#[derive(Debug, Error)]
#[error("cannot read {}: {problem}", path.display())]
pub struct FileError {
    path: PathBuf,
    problem: ReadProblem,
}

/// The cause of a read error.
#[derive(Debug, Error)]
pub enum ReadProblem {
    /// The path is a folder.
    #[error("this is a folder")]
    Folder,
    /// The path is a pipe, a device or a socket.
    #[error("it is no plain file")]
    NotPlain,
    /// The file has more than this number of bytes.
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
    /// The system reports an error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The reason why a file is not written although the system would allow it. Wrapped in an [`io::Error`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WriteRefusal {
    /// The path is a link where links are not followed, or the file has a second name.
    #[error("it is a link, through which nothing is written; remove the link")]
    Link,
    /// The path is a folder, a pipe or a device.
    #[error("it is no plain file")]
    NotPlain,
    /// The file at the path was not written by this program.
    #[error("this program has not written it; move it away")]
    Foreign,
    /// The links of the path lead in a circle.
    #[error("its links lead in a circle")]
    LinkLoop,
    /// No free name for a new file was found in this folder.
    #[error("no file can be made in it")]
    NoFreeName,
    /// The file at the path was replaced each time after it was opened.
    #[error("it is replaced each time it is opened")]
    Replaced,
    /// This folder of the path does not exist.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// Another program holds the lock at the path for too long.
    #[error("another program holds this lock; end that program, or try again")]
    Held,
}

impl WriteRefusal {
    /// Returns the refusal inside an error. Returns `None` for an error of the system.
    pub fn from_io(error: &io::Error) -> Option<&Self> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }
}

impl From<WriteRefusal> for io::Error {
    fn from(refusal: WriteRefusal) -> Self {
        Self::other(refusal)
    }
}

/// A write error with the path of the file.
#[derive(Debug, Error)]
#[error("cannot write {}: {problem}", path.display())]
pub struct WriteError {
    path: PathBuf,
    problem: io::Error,
}

impl WriteError {
    /// Creates the error of writing to a path.
    pub fn new(path: &Path, problem: io::Error) -> Self {
        Self {
            path: path.to_owned(),
            problem,
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the cause.
    pub const fn problem(&self) -> &io::Error {
        &self.problem
    }
}

impl FileError {
    /// Creates the error of reading a path.
    pub fn new(path: &Path, problem: impl Into<ReadProblem>) -> Self {
        Self {
            path: path.to_owned(),
            problem: problem.into(),
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the cause, for messages that name the file already.
    pub const fn problem(&self) -> &ReadProblem {
        &self.problem
    }

    /// Returns whether the file does not exist.
    pub fn is_absent(&self) -> bool {
        matches!(&self.problem, ReadProblem::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// An error of the system as a value, which can be copied and compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct SystemError {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The text of the system, in English.
    pub text: String,
}

impl From<&io::Error> for SystemError {
    fn from(error: &io::Error) -> Self {
        Self {
            kind: error.kind(),
            text: error.to_string(),
        }
    }
}
