//! The one place that touches files, and the bounded reading of whatever is in them.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use thiserror::Error;

/// So many names are tried for a file that is to be new.
const MOST_NAMES: u32 = 9999;

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

/// A file that could not be written, by its path.
#[derive(Debug, Error)]
#[error("cannot write {}: {problem}", path.display())]
pub(crate) struct WriteError {
    path: PathBuf,
    problem: io::Error,
}

impl WriteError {
    pub(crate) fn new(path: &Path, problem: io::Error) -> Self {
        Self { path: path.to_owned(), problem }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong.
    pub(crate) const fn problem(&self) -> &io::Error {
        &self.problem
    }
}

impl FileError {
    fn new(path: &Path, problem: impl Into<Problem>) -> Self {
        Self { path: path.to_owned(), problem: problem.into() }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong, for where the file is named already.
    pub(crate) const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Whether there is no such file.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(&self.problem, Problem::Io(error) if error.kind() == io::ErrorKind::NotFound)
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
    read_from(&mut open(path)?, cap).map_err(|problem| FileError::new(path, problem))
}

/// Reads what is left of an input, at most `cap` bytes of it.
///
/// # Errors
/// Why it cannot be read; [`Problem::TooLarge`] where there is more.
pub(crate) fn read_from<R: io::Read + ?Sized>(input: &mut R, cap: usize) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
    input.take(limit).read_to_end(&mut bytes)?;
    // One byte more than is wanted tells what is too large from what just fits.
    if bytes.len() > cap { Err(Problem::TooLarge(cap)) } else { Ok(bytes) }
}

/// Whether two paths lead to the same file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The files below a folder in the order of their names, and the folders that cannot be read. Links to
/// folders and hidden files are passed over.
pub(crate) fn walk(folder: &Path) -> (Vec<PathBuf>, Vec<FileError>) {
    let (mut files, mut errors, mut folders) = (Vec::new(), Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match folder.read_dir() {
            Ok(entries) => entries,
            Err(problem) => {
                errors.push(FileError::new(&folder, problem));
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_hidden {
                folders.push(path);
            } else if path.is_file() && !is_hidden {
                files.push(path);
            }
        }
    }
    files.sort();
    (files, errors)
}

/// Writes a file as a whole: beside it first, then renamed into its place, so that at no moment there
/// is half a file, and what stood there is kept until the new one is safely written.
///
/// # Errors
/// With the path, and why; the file is then as it was.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let error = |problem: io::Error| WriteError { path: path.to_owned(), problem };
    // A link stays one: what it points to is written.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match std::fs::metadata(&target) {
        // A device or a pipe takes what it is given; nothing can be put in its place.
        Ok(there) if !there.is_file() && !there.is_dir() => {
            return File::options().write(true).open(&target).and_then(|mut file| file.write_all(bytes)).map_err(error);
        }
        Ok(there) if there.is_file() && there.permissions().readonly() => {
            return Err(error(io::ErrorKind::PermissionDenied.into()));
        }
        _ => {}
    }
    let name = target.file_name().ok_or_else(|| error(io::ErrorKind::IsADirectory.into()))?;
    let (mut file, beside) = beside(&target, name).map_err(error)?;
    let mut write = || {
        if let Ok(before) = std::fs::metadata(&target) {
            file.set_permissions(before.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, &target)
    };
    write().map_err(|problem| {
        let _gone_already = std::fs::remove_file(&beside);
        error(problem)
    })
}

/// A new file beside another. A program that had our number may have left one behind.
fn beside(path: &Path, name: &OsStr) -> io::Result<(File, PathBuf)> {
    let own = std::process::id();
    let mut tries = (0..100).map(|more: u32| {
        let number = if more == 0 { own.to_string() } else { format!("{own}-{more}") };
        let path = path.with_file_name(format!(".{}.{number}.new", name.display()));
        File::options().write(true).create_new(true).open(&path).map(|file| (file, path))
    });
    let is_taken = |tried: &io::Result<_>| matches!(tried, Err(error) if error.kind() == io::ErrorKind::AlreadyExists);
    tries.find(|tried| !is_taken(tried)).unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
}

/// Makes a folder and those above it, where they are not there.
///
/// # Errors
/// With the path, and why.
pub(crate) fn make_folder(path: &Path) -> Result<(), WriteError> {
    std::fs::create_dir_all(path).map_err(|problem| WriteError { path: path.to_owned(), problem })
}

/// What tells one version of a file from another, without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Its size in bytes.
    pub(crate) size: u64,
    /// When it was written, in nanoseconds since 1970.
    pub(crate) modified: u64,
}

/// The stamp of a file; `None` where there is none, or no file.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let modified = data.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(Stamp { size: data.len(), modified: u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX) })
}

/// Whether this is a file that may be run; on Windows its name decides that, not the file.
pub(crate) fn is_executable(path: &Path) -> bool {
    let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    #[cfg(unix)]
    let data = data.filter(|data| std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0);
    data.is_some()
}

/// What is in a folder, at most `most` of it and by name; nothing of one that cannot be read.
pub(crate) fn list(folder: &Path, most: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().take(most);
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The first of `NAME.END`, `NAME-2.END` … in a folder that is not there yet.
#[cfg(feature = "gui")]
pub(crate) fn free_name(folder: &Path, name: &str, end: &str) -> Option<PathBuf> {
    let others = (2..=MOST_NAMES).map(|n| format!("{name}-{n}.{end}"));
    first_free(std::iter::once(format!("{name}.{end}")).chain(others).map(|name| folder.join(name)))
}

fn first_free(names: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    names.into_iter().find(|path| path.symlink_metadata().is_err())
}

/// Puts what was read of a file aside under the first free name of `NAME.broken-1`, `NAME.broken-2` …, and says
/// which.
///
/// # Errors
/// With the path, and why.
pub(crate) fn set_aside(path: &Path, bytes: &[u8]) -> Result<PathBuf, WriteError> {
    let error = |problem| WriteError { path: path.to_owned(), problem };
    let name = path.file_name().ok_or_else(|| error(io::ErrorKind::IsADirectory.into()))?;
    let names = (1..=MOST_NAMES).map(|n| path.with_file_name(format!("{}.broken-{n}", name.display())));
    let free = first_free(names).ok_or_else(|| error(io::ErrorKind::AlreadyExists.into()))?;
    write_whole(&free, bytes)?;
    if let Ok(there) = std::fs::metadata(path) {
        std::fs::set_permissions(&free, there.permissions()).map_err(error)?;
    }
    Ok(free)
}

/// Removes a file.
///
/// # Errors
/// With the path, and why.
pub(crate) fn remove(path: &Path) -> Result<(), WriteError> {
    std::fs::remove_file(path).map_err(|problem| WriteError::new(path, problem))
}

/// What is held by a [`lock`] until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Holds a lock on a file beside `path` until it is dropped, so that two programs do not write over
/// each other. Where the system has no locks, it is not held.
pub(crate) fn lock(path: &Path) -> Option<Lock> {
    let name = format!("{}.lock", path.file_name()?.display());
    let file = File::options().create(true).append(true).open(path.with_file_name(name)).ok()?;
    file.lock().ok().map(|()| Lock { _file: file })
}

/// Holds a [`lock`] that nobody holds; `None` where somebody does, or there are no locks.
pub(crate) fn try_lock(path: &Path) -> Option<Lock> {
    let name = format!("{}.lock", path.file_name()?.display());
    let file = File::options().create(true).append(true).open(path.with_file_name(name)).ok()?;
    file.try_lock().ok().map(|()| Lock { _file: file })
}

/// Whether another program, or another part of this one, holds the [`lock`] on a file.
pub(crate) fn is_locked(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let lock = File::open(path.with_file_name(format!("{}.lock", name.display())));
    lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(std::fs::TryLockError::WouldBlock)))
}

/// Removes a file and that of its [`lock`], as far as they are there.
pub(crate) fn remove_with_lock(path: &Path) {
    let Some(name) = path.file_name() else { return };
    for path in [path.to_owned(), path.with_file_name(format!("{}.lock", name.display()))] {
        let _was_not_there = std::fs::remove_file(path);
    }
}

/// Removes what [`write_whole`] left beside `path` in programs that were killed while they wrote. Only
/// for who holds the [`lock`]: no other writes then.
pub(crate) fn remove_leftovers(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    // A bare name is in the folder we are in.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let start = format!(".{}.", name.display());
    let is_leftover = |path: &PathBuf| {
        let begins = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&start));
        begins && path.extension().is_some_and(|end| end == "new")
    };
    for leftover in list(folder, usize::MAX).into_iter().filter(is_leftover) {
        let _gone_already = std::fs::remove_file(leftover);
    }
}

/// A file that is only added to, by one program at a time.
#[derive(Debug)]
pub(crate) struct Appender {
    path: PathBuf,
    file: File,
    /// Whether the last line in it has no end, as of a program that was killed while it wrote.
    is_cut: bool,
}

impl Appender {
    /// Opens a file, or makes one, and reads the first `cap` bytes of what is in it. `None` where another
    /// program has it open in this way.
    ///
    /// # Errors
    /// With the path, and why it cannot be read or written.
    pub(crate) fn open(path: &Path, cap: usize) -> Result<Option<(Self, Vec<u8>)>, WriteError> {
        let error = |problem| WriteError::new(path, problem);
        let file = loop {
            let file = File::options().create(true).append(true).read(true).open(path).map_err(error)?;
            if matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)) {
                return Ok(None); // Where the system has no locks, nobody holds one.
            }
            // Who held it until now may have removed or replaced it since it was opened here.
            if stands_at(&file, path) {
                break file;
            }
        };
        let mut appender = Self { path: path.to_owned(), file, is_cut: false };
        let bytes = appender.read(cap)?;
        appender.is_cut = bytes.last().is_some_and(|last| *last != b'\n');
        Ok(Some((appender, bytes)))
    }

    /// Adds whole lines, which are then safe on the disk.
    ///
    /// # Errors
    /// With the path, and why.
    pub(crate) fn add(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        let end: &[u8] = if std::mem::take(&mut self.is_cut) { b"\n" } else { b"" };
        // One write, so that as little as can be is cut.
        let added = self.file.write_all(&[end, lines].concat()).and_then(|()| self.file.sync_data());
        added.map_err(|problem| WriteError::new(&self.path, problem))
    }

    /// The first `cap` bytes of what is in it.
    ///
    /// # Errors
    /// With the path, and why.
    pub(crate) fn read(&mut self, cap: usize) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        let most = u64::try_from(cap).unwrap_or(u64::MAX);
        let read = self.file.rewind().and_then(|()| (&mut self.file).take(most).read_to_end(&mut bytes));
        read.map(|_length| bytes).map_err(|problem| WriteError::new(&self.path, problem))
    }

    /// Puts something else in its place, and gives it up.
    ///
    /// # Errors
    /// With the path, and why; it is then as it was.
    pub(crate) fn replace(&self, bytes: &[u8]) -> Result<(), WriteError> {
        write_whole(&self.path, bytes)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// With the path, and why.
    pub(crate) fn remove(&self) -> Result<(), WriteError> {
        remove(&self.path)
    }
}

/// Whether a file is still the one at its path.
fn stands_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let id = |data: std::fs::Metadata| (data.dev(), data.ino());
        file.metadata().is_ok_and(|file| std::fs::metadata(path).is_ok_and(|there| id(file) == id(there)))
    }
    #[cfg(not(unix))]
    {
        // The standard library tells no two files apart there.
        let _unknown = file;
        path.exists()
    }
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

    #[cfg(feature = "gui")]
    #[test]
    fn a_new_file_takes_no_other_s_place() {
        let folder = std::env::temp_dir().join(format!("shogibar-free-{}", std::process::id()));
        make_folder(&folder).unwrap();
        for expect in ["a.png", "a-2.png", "a-3.png"] {
            let path = free_name(&folder, "a", "png").unwrap();
            assert_eq!(path, folder.join(expect));
            write_whole(&path, b"").unwrap();
        }
        assert_eq!(first_free([folder.join("a.png")]), None, "and there is not always one");
        std::fs::remove_dir_all(folder).unwrap();
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

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("shogibar-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.kif");
        for bytes in [b"first".as_slice(), b"second", b""] {
            write_whole(&path, bytes).unwrap();
            assert_eq!(read(&path, 100).unwrap(), bytes);
        }
        let error = write_whole(&folder, b"x").unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}", folder.display())), "{error}");
        assert!(write_whole(&folder.join("none/a.kif"), b"x").is_err());
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["a.kif"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn lines_are_added_by_one_at_a_time() {
        let path = std::env::temp_dir().join(format!("shogibar-appender-{}", std::process::id()));
        let open = || Appender::open(&path, 100).unwrap();
        let (mut file, bytes) = open().unwrap();
        assert!(bytes.is_empty() && open().is_none(), "it is held");
        file.add(b"one\n").unwrap();
        file.add(b"tw").unwrap();
        drop(file);
        let (mut file, bytes) = open().unwrap();
        assert_eq!(bytes, b"one\ntw");
        file.add(b"three\n").unwrap();
        assert_eq!(read(&path, 100).unwrap(), b"one\ntw\nthree\n");
        file.remove().unwrap();
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_replaced_is_another() {
        let path = std::env::temp_dir().join(format!("shogibar-stands-{}", std::process::id()));
        let (appender, _) = Appender::open(&path, 100).unwrap().unwrap();
        assert!(stands_at(&appender.file, &path));
        appender.replace(b"one\n").unwrap();
        assert!(!stands_at(&appender.file, &path), "who opened it before holds a lock on nothing");
        appender.remove().unwrap();
        assert!(!stands_at(&appender.file, &path));
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
