//! Files: bounded reading, atomic writes, locks, and hashes of contents.

mod content_hash;
mod program_file;
mod whole;

pub use content_hash::content_hash;
pub use program_file::{
    Appender, FileLock, PartFile, is_locked, lock, read_program_file, remove_with_lock, try_lock,
};
pub use whole::{
    FileAccess, remove_leftovers, restrict_to_user, write_as, write_backup, write_unsynced, write_whole,
};

use shogibar_base::file_error::{FileError, ReadProblem, WriteError, WriteRefusal};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The largest number of names that are tried to find a free one for a new file.
const MAX_TRIED_NAMES: u32 = 9999;

/// Returns the error of a file that cannot be created. The error names the folder, if that is missing.
fn creation_error(path: &Path, problem: io::Error) -> WriteError {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| problem.kind() == io::ErrorKind::NotFound && !folder.exists()) {
        Some(folder) => WriteError::new(path, WriteRefusal::NoFolder(folder.to_owned()).into()),
        None => WriteError::new(path, problem),
    }
}

/// Opens a file, a pipe or a device.
///
/// # Errors
/// Fails with the path and the cause, such as a missing file or a folder.
pub fn open(path: &Path) -> Result<BufReader<File>, FileError> {
    let error = |problem: io::Error| FileError::new(path, problem);
    let file = File::open(path).map_err(error)?;
    let is_folder = file.metadata().map_err(error)?.is_dir();
    if is_folder {
        Err(FileError::new(path, ReadProblem::Folder))
    } else {
        Ok(BufReader::new(file))
    }
}

/// Reads the beginning of a file, at most `length` bytes.
///
/// # Errors
/// Fails with the path and the cause, such as a missing file or a folder.
pub fn read_head(path: &Path, length: u64) -> Result<Vec<u8>, FileError> {
    let mut head = Vec::new();
    let read = open(path)?.take(length).read_to_end(&mut head);
    read.map_err(|problem| FileError::new(path, problem))?;
    Ok(head)
}

/// Reads a whole plain file of at most `cap` bytes. Other files are refused: a pipe could block for ever, and a device
/// never ends.
///
/// # Errors
/// Fails with the path and the cause: a missing file, a folder, a pipe, or too large a file.
pub fn read(path: &Path, cap: usize) -> Result<Vec<u8>, FileError> {
    read_from(&mut open_plain(path)?, cap).map_err(|problem| FileError::new(path, problem))
}

/// Reads a plain file line by line, and passes on each line with its end. A line of more than `max_line_bytes` bytes is
/// passed on in parts. So a file of any size needs little memory.
///
/// # Errors
/// Fails with the path and the cause: a missing file, a folder, or a pipe.
pub fn read_lines(path: &Path, max_line_bytes: u64, each: &mut dyn FnMut(&[u8])) -> Result<(), FileError> {
    let (mut file, mut line) = (BufReader::new(open_plain(path)?), Vec::new());
    loop {
        let read = (&mut file).take(max_line_bytes).read_until(b'\n', &mut line);
        if read.map_err(|problem| FileError::new(path, problem))? == 0 {
            return Ok(());
        }
        each(&line);
        line.clear();
    }
}

/// Opens a plain file. Other files are refused: a pipe could block for ever, and a device never ends.
fn open_plain(path: &Path) -> Result<File, FileError> {
    let error = |problem: ReadProblem| FileError::new(path, problem);
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options
        .read(true)
        .open(path)
        .map_err(|problem| error(problem.into()))?;
    let metadata = file.metadata().map_err(|problem| error(problem.into()))?;
    match metadata.file_type() {
        kind if kind.is_dir() => Err(error(ReadProblem::Folder)),
        kind if !kind.is_file() => Err(error(ReadProblem::NotPlain)),
        _ => Ok(file),
    }
}

/// Reads a whole input of at most `cap` bytes named by a user: a file, pipe or device.
///
/// # Errors
/// Fails with the path and the cause: a missing file, a folder, or too large a file.
pub fn read_input(path: &Path, cap: usize) -> Result<Vec<u8>, FileError> {
    read_from(&mut open(path)?, cap).map_err(|problem| FileError::new(path, problem))
}

/// Reads the rest of an input, at most `cap` bytes.
///
/// # Errors
/// Fails if the input cannot be read, or with [`ReadProblem::TooLarge`] if it is longer.
pub fn read_from<R: io::Read + ?Sized>(input: &mut R, cap: usize) -> Result<Vec<u8>, ReadProblem> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
    input.take(limit).read_to_end(&mut bytes)?;
    // One extra byte distinguishes a file that is too large from one of exactly `cap` bytes.
    if bytes.len() > cap {
        Err(ReadProblem::TooLarge(cap))
    } else {
        Ok(bytes)
    }
}

/// Returns the path of the file of game `number` of several, counted from 1: `game.jkf`, `game-2.jkf`, `game-3.jkf`.
pub fn numbered_path(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Returns the path of a file or folder without links and `..`, so that two spellings can be compared. The path of a
/// missing file is only made absolute.
pub fn canonical(path: &Path) -> PathBuf {
    let path = path
        .canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned());
    // Windows adds this prefix, which few programs understand.
    let plain = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    let plain = plain
        .filter(|text| text.as_bytes().get(1) == Some(&b':'))
        .map(PathBuf::from);
    plain.unwrap_or(path)
}

/// Returns whether two paths lead to the same existing file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize()
        .is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The result of walking through a folder and its folders.
#[derive(Debug, Default)]
pub struct WalkedFolder {
    /// The files, sorted by path.
    pub files: Vec<PathBuf>,
    /// The links that lead to a folder or nowhere, sorted by path. They are not followed.
    pub links: Vec<PathBuf>,
    /// The folders that cannot be read.
    pub errors: Vec<FileError>,
}

/// Returns the files and links below a folder, and the folders that cannot be read. Hidden files and folders are
/// skipped, and links to folders are not followed.
pub fn walk(folder: &Path) -> WalkedFolder {
    let (mut walked, mut folders) = (WalkedFolder::default(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match folder.read_dir() {
            Ok(entries) => entries,
            Err(problem) => {
                walked.errors.push(FileError::new(&folder, problem));
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if is_hidden {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else if path.is_file() {
                walked.files.push(path);
            } else if kind.is_symlink() {
                walked.links.push(path);
            }
        }
    }
    walked.files.sort();
    walked.links.sort();
    walked
}

/// Creates a folder and its missing parents.
///
/// # Errors
/// Fails with the path and the cause.
pub fn make_folder(path: &Path) -> Result<(), WriteError> {
    std::fs::create_dir_all(path).map_err(|problem| WriteError::new(path, problem))
}

/// The metadata that distinguishes one version of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// The size in bytes.
    pub size: u64,
    /// The time of the last write, in nanoseconds since 1970.
    pub modified: u64,
}

impl FileStamp {
    /// Returns the time since the last write by the system's clock; zero if the last write is in the future.
    pub fn age(&self) -> Duration {
        #[expect(
            clippy::disallowed_methods,
            reason = "the age of a file is measured here, outside the pure code"
        )]
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.saturating_sub(Duration::from_nanos(self.modified))
    }
}

/// Returns the stamp of a file. Returns `None` if there is no plain file, or the system does not record the time of
/// writes.
pub fn stamp(path: &Path) -> Option<FileStamp> {
    let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let modified = data
        .modified()
        .ok()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Some(FileStamp {
        size: data.len(),
        modified: u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX),
    })
}

/// Returns whether a file may be executed. On other systems than Unix, where the name decides, every file passes.
pub fn is_executable(path: &Path) -> bool {
    let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    #[cfg(unix)]
    let data = data.filter(|data| std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0);
    data.is_some()
}

/// Returns whether a user other than the administrator and the current one can change or replace a file. The rights and
/// the owners of the file and of the folders above it decide this. The rights of a group do not count.
#[cfg(unix)]
pub fn others_can_write(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    /// The right of all other users to write.
    const OTHERS_WRITE_BIT: u32 = 0o002;
    /// The sticky bit of a folder, such as /tmp: no user can replace another user's files in it.
    const STICKY_BIT: u32 = 0o1000;
    let user = rustix::process::geteuid().as_raw();
    path.ancestors().enumerate().any(|(height, at)| {
        let Ok(data) = std::fs::metadata(at) else {
            return false;
        };
        let is_safe = height > 1 && data.mode() & STICKY_BIT != 0;
        data.mode() & OTHERS_WRITE_BIT != 0 && !is_safe || data.uid() != user && data.uid() != 0
    })
}

/// Returns `false`: on this system, the rights of a file do not show who can change it.
#[cfg(not(unix))]
pub const fn others_can_write(_path: &Path) -> bool {
    false
}

/// Returns at most `max_entries` entries of a folder, sorted by path. Returns none if the folder cannot be read.
pub fn list(folder: &Path, max_entries: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().take(max_entries);
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// Returns the first path of `NAME.END`, `NAME-2.END` … in a folder at which there is no file. Returns `None` if all
/// are taken.
pub fn free_path(folder: &Path, name: &str, end: &str) -> Option<PathBuf> {
    let others = (2..=MAX_TRIED_NAMES).map(|n| format!("{name}-{n}.{end}"));
    first_free_path(
        std::iter::once(format!("{name}.{end}"))
            .chain(others)
            .map(|name| folder.join(name)),
    )
}

fn first_free_path(paths: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    paths.into_iter().find(|path| path.symlink_metadata().is_err())
}

/// Removes a file.
///
/// # Errors
/// Fails with the path and the cause.
pub fn remove(path: &Path) -> Result<(), WriteError> {
    std::fs::remove_file(path).map_err(|problem| WriteError::new(path, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_above_the_cap_is_refused() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let length = read(&path, 1 << 20).unwrap().len();
        assert_eq!(read(&path, length).unwrap().len(), length);
        let error = read(&path, length - 1).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "cannot read {}: it is larger than {} bytes",
                path.display(),
                length - 1
            )
        );
    }

    #[test]
    fn free_path_skips_existing_files() {
        let folder = std::env::temp_dir().join(format!("shogibar-free-{}", std::process::id()));
        make_folder(&folder).unwrap();
        for expect in ["a.png", "a-2.png", "a-3.png"] {
            let path = free_path(&folder, "a", "png").unwrap();
            assert_eq!(path, folder.join(expect));
            write_whole(&path, b"").unwrap();
        }
        assert_eq!(
            first_free_path([folder.join("a.png")]),
            None,
            "and there is not always one"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_is_read_line_by_line() {
        let path = std::env::temp_dir().join(format!("shogibar-lines-{}", std::process::id()));
        write_whole(&path, b"one\n\nthree, which is long\nfour").unwrap();
        let mut lines = Vec::new();
        read_lines(&path, 16, &mut |line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
        })
        .unwrap();
        assert_eq!(lines, ["one\n", "\n", "three, which is ", "long\n", "four"]);
        assert!(
            read_lines(Path::new(env!("CARGO_MANIFEST_DIR")), 16, &mut |_| {}).is_err(),
            "a folder"
        );
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn open_errors_contain_the_path() {
        let check = |path: &str, why: &str| {
            let error = open(Path::new(path)).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("cannot read {path}: {why}")),
                "{error}"
            );
        };
        check("none/a", "");
        check(env!("CARGO_MANIFEST_DIR"), "this is a folder");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_endless_device_exceeds_the_cap() {
        assert!(read(Path::new("/dev/zero"), 1000).is_err());
    }
}
