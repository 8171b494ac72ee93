//! Files of this program: locks, files that are appended to, and files that are read in parts.
//!
//! Their names are predictable, and their folder may be writable by others. So no link is followed, and only plain
//! files are opened.

use super::whole::{backup_paths, create_beside, join_name, private_options};
use super::{FileAccess, remove, write_as};
use shogibar_base::file_error::{WriteError, WriteRefusal};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest number of tries to open a file that is replaced each time.
const MAX_OPEN_TRIES: u32 = 10;

/// The longest wait for a lock that another program holds. Writing a file takes milliseconds.
const MAX_LOCK_WAIT: Duration = Duration::from_secs(2);

/// The interval between two tries to take a lock that is held.
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// An open file that may be locked, as by [`lock`]. The file is unlocked on drop.
#[derive(Debug)]
pub struct FileLock(File);

impl Drop for FileLock {
    /// Unlocks the file. Closing is not always enough: a program that another thread is starting briefly has a copy of
    /// the handle.
    fn drop(&mut self) {
        let _was_not_locked = self.0.unlock();
    }
}

/// Opens and returns a file of this program. A new file is readable by the user alone.
///
/// # Errors
/// Fails if the path is a link or not a plain file, or the system refuses.
fn open_program_file(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        // Opening a pipe would block until another process writes to it, so the file is opened without blocking.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed());
    }
    #[cfg(windows)]
    {
        /// Opens a link itself, not its target.
        const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(options, FILE_FLAG_OPEN_REPARSE_POINT);
    }
    let is_link = || path.is_symlink();
    let file = private_options(options).open(path).map_err(|error| {
        if is_link() {
            WriteRefusal::Link.into()
        } else {
            error
        }
    })?;
    let kind = file.metadata()?.file_type();
    if kind.is_symlink() || cfg!(windows) && is_link() {
        return Err(WriteRefusal::Link.into());
    }
    if kind.is_file() {
        Ok(file)
    } else {
        Err(WriteRefusal::NotPlain.into())
    }
}

/// Returns whether a file has more than one name (hard link). A write would change the file under all names. Returns
/// `false` on other systems than Unix.
fn has_other_names(metadata: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata) > 1;
    #[cfg(not(unix))]
    {
        let _unused = metadata;
        false
    }
}

/// Returns the path of the lock file of a file; `None` if the path ends with no file name.
fn lock_path(path: &Path) -> Option<PathBuf> {
    Some(path.with_file_name(join_name([path.file_name()?, ".lock".as_ref()])))
}

/// Locks a file beside `path` until the lock is dropped, so that two programs do not overwrite each other. Waits for at
/// most two seconds while another program holds the lock. Returns `None` if the system has no locks, or the lock file
/// cannot be made.
///
/// # Errors
/// Fails with the path of the lock file, if that is a link, no plain file, or locked for longer.
pub fn lock(path: &Path) -> Result<Option<FileLock>, WriteError> {
    let Some(lock) = lock_path(path) else {
        return Ok(None);
    };
    let open = || {
        let file = FileLock(open_program_file(&mut append_options(), &lock)?);
        Ok(wait_for_lock(&file.0)?.then_some(file))
    };
    match open_until_current(open, |file| is_file_at(file, &lock)) {
        Ok(held) => Ok(held.map(|(file, _is_current)| file)),
        Err(error) if WriteRefusal::from_io(&error).is_some() => Err(WriteError::new(&lock, error)),
        Err(_none_can_be_made) => Ok(None),
    }
}

/// Returns the options to open a file that is only appended to, or locked. Windows locks only files that are open for
/// reading, too.
fn append_options() -> OpenOptions {
    let mut options = File::options();
    options.create(true).append(true).read(true);
    options
}

/// Locks a file. Returns `false` if the system has no locks. Fails with [`WriteRefusal::Held`] if the lock is held for
/// longer than [`MAX_LOCK_WAIT`].
fn wait_for_lock(file: &File) -> io::Result<bool> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the bound of a wait for another program"
    )]
    let begun = std::time::Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if begun.elapsed() < MAX_LOCK_WAIT => {
                std::thread::park_timeout(LOCK_RETRY_INTERVAL);
            }
            Err(TryLockError::WouldBlock) => return Err(WriteRefusal::Held.into()),
            Err(TryLockError::Error(_)) => return Ok(false),
        }
    }
}

/// Takes a [`lock`] without waiting. Returns `None` if the lock is held or cannot be made.
pub fn try_lock(path: &Path) -> Option<FileLock> {
    let lock = lock_path(path)?;
    let open = || {
        let file = FileLock(open_program_file(&mut append_options(), &lock)?);
        Ok(file.0.try_lock().is_ok().then_some(file))
    };
    let (file, _is_current) = open_until_current(open, |file| is_file_at(file, &lock)).ok()??;
    Some(file)
}

/// Returns whether another program, or another part of this one, holds the [`lock`] on a file.
pub fn is_locked(path: &Path) -> bool {
    let lock = lock_path(path).and_then(|lock| open_program_file(File::options().read(true), &lock).ok());
    lock.map(FileLock)
        .is_some_and(|lock| matches!(lock.0.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Removes a file and its [`lock`] file, where they exist.
pub fn remove_with_lock(path: &Path) {
    for path in [Some(path.to_owned()), lock_path(path)].into_iter().flatten() {
        let _was_not_there = std::fs::remove_file(path);
    }
}

/// A file that is only appended to, by one program at a time.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    file: FileLock,
    /// Whether the last line has no line end, as after a program was killed while it wrote.
    is_cut: bool,
}

impl Appender {
    /// Opens or creates a file, and reads its first `cap` bytes. Returns `None` if the file is already open as an
    /// appender, in this program or another.
    ///
    /// # Errors
    /// Fails with the path and the cause, if it cannot be read or written.
    pub fn open(path: &Path, cap: usize) -> Result<Option<(Self, Vec<u8>)>, WriteError> {
        let error = |problem| crate::creation_error(path, problem);
        let open = || {
            let file = FileLock(open_program_file(&mut append_options(), path)?);
            if has_other_names(&file.0.metadata()?) {
                return Err(WriteRefusal::Link.into());
            }
            // Without system locks the file counts as unlocked.
            let is_held = matches!(file.0.try_lock(), Err(TryLockError::WouldBlock));
            Ok((!is_held).then_some(file))
        };
        let file = match open_until_current(open, |file| is_file_at(file, path)).map_err(error)? {
            Some((file, true)) => file,
            Some((_other, false)) => return Err(error(WriteRefusal::Replaced.into())),
            None => return Ok(None),
        };
        let mut appender = Self {
            path: path.to_owned(),
            file,
            is_cut: false,
        };
        let bytes = appender.read(cap)?;
        appender.is_cut = appender.is_last_line_cut().map_err(error)?;
        Ok(Some((appender, bytes)))
    }

    /// Opens a file read-only, for tests: every write fails, as on a full disk.
    ///
    /// # Panics
    /// If the file cannot be opened.
    #[cfg(any(test, feature = "faults"))]
    #[must_use]
    #[expect(clippy::unwrap_used, reason = "only tests call it")]
    pub fn read_only(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            file: FileLock(File::open(path).unwrap()),
            is_cut: false,
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn size(&self) -> Result<u64, WriteError> {
        self.file
            .0
            .metadata()
            .map(|data| data.len())
            .map_err(|problem| WriteError::new(&self.path, problem))
    }

    /// Appends whole lines and syncs them to the disk.
    ///
    /// # Errors
    /// Fails with the path and the cause. A partial write is taken back, if the system allows it.
    pub fn append_synced(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        self.write(lines, File::sync_data)
    }

    /// Appends whole lines without syncing them to the disk.
    ///
    /// # Errors
    /// Fails with the path and the cause. A partial write is taken back, if the system allows it.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        self.write(lines, |_| Ok(()))
    }

    /// Appends whole lines after a line end, if the last line is cut, and calls `sync`. Takes a partial write back, if
    /// the system allows it.
    fn write(&mut self, lines: &[u8], sync: impl FnOnce(&File) -> io::Result<()>) -> Result<(), WriteError> {
        let end: &[u8] = if self.is_cut { b"\n" } else { b"" };
        let before = self.size()?;
        // A single write keeps the risk of a cut line small.
        let added = self
            .file
            .0
            .write_all(&[end, lines].concat())
            .and_then(|()| sync(&self.file.0));
        match added {
            Ok(()) => {
                self.is_cut = false;
                Ok(())
            }
            Err(problem) => {
                // Even on a full disk the file can be truncated to its old size, which removes the partial line.
                if self.file.0.set_len(before).is_err() {
                    // A partial line remains, so the next write starts on a new line.
                    self.is_cut = self.is_last_line_cut().unwrap_or(true);
                }
                Err(WriteError::new(&self.path, problem))
            }
        }
    }

    /// Reads the first `cap` bytes of the file.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn read(&mut self, cap: usize) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        let max_bytes = u64::try_from(cap).unwrap_or(u64::MAX);
        let read = self
            .file
            .0
            .rewind()
            .and_then(|()| (&mut self.file.0).take(max_bytes).read_to_end(&mut bytes));
        read.map(|_length| bytes)
            .map_err(|problem| WriteError::new(&self.path, problem))
    }

    /// Returns whether the content ends in the middle of a line.
    fn is_last_line_cut(&mut self) -> io::Result<bool> {
        let mut last = Vec::new();
        if self.file.0.metadata()?.len() > 0 {
            self.file.0.seek(io::SeekFrom::End(-1))?;
            self.file.0.read_to_end(&mut last)?;
        }
        Ok(last.last().is_some_and(|last| *last != b'\n'))
    }

    /// Replaces the file at the path by a new one with these bytes. This appender still has the old file open, and must
    /// not be used further.
    ///
    /// # Errors
    /// Fails with the path and the cause; the file is then unchanged.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), WriteError> {
        write_as(FileAccess::Program, &self.path, bytes)
    }

    /// Moves the file to another path, and replaces a file there.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn move_to(&self, path: &Path) -> Result<(), WriteError> {
        std::fs::rename(&self.path, path).map_err(|problem| WriteError::new(path, problem))
    }

    /// Removes the file.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn remove(&self) -> Result<(), WriteError> {
        remove(&self.path)
    }
}

/// A file of this program that is read in parts, and appended to.
#[derive(Debug)]
pub struct PartFile {
    path: PathBuf,
    file: File,
    /// Whether the file is removed on drop, because it was not yet moved to its place.
    is_temporary: bool,
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if self.is_temporary {
            let _best_effort = std::fs::remove_file(&self.path);
        }
    }
}

impl PartFile {
    /// Opens or creates a file.
    ///
    /// # Errors
    /// Fails with the path and the cause, if it cannot be read or written.
    pub fn open(path: &Path) -> Result<Self, WriteError> {
        // Windows cannot truncate a file that is open only for appending.
        let file = open_program_file(
            File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .read(true),
            path,
        );
        let file = file.map_err(|problem| crate::creation_error(path, problem))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            is_temporary: false,
        })
    }

    /// Creates a temporary file beside the file at a path. The caller replaces the file at the path by
    /// [`move_to`](Self::move_to). Otherwise the temporary file is removed on drop, or after a crash by
    /// [`remove_leftovers`](super::remove_leftovers).
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn create_beside(path: &Path) -> Result<Self, WriteError> {
        let error = |problem| crate::creation_error(path, problem);
        let name = path
            .file_name()
            .ok_or_else(|| error(io::ErrorKind::IsADirectory.into()))?;
        let (_file, beside) = create_beside(path, name, true).map_err(error)?;
        let mut created = Self::open(&beside)?;
        created.is_temporary = true;
        Ok(created)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn size(&self) -> Result<u64, WriteError> {
        self.file
            .metadata()
            .map(|data| data.len())
            .map_err(|problem| self.error(problem))
    }

    /// Reads a part of the file.
    ///
    /// # Errors
    /// Fails with the path and the cause. A file that ends within the part is an error.
    pub fn read_at(&mut self, start: u64, length: usize) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        let max_bytes = u64::try_from(length).unwrap_or(u64::MAX);
        let read = self
            .file
            .seek(io::SeekFrom::Start(start))
            .and_then(|_| (&mut self.file).take(max_bytes).read_to_end(&mut bytes));
        match read {
            Ok(count) if count == length => Ok(bytes),
            Ok(_) => Err(self.error(io::ErrorKind::UnexpectedEof.into())),
            Err(problem) => Err(self.error(problem)),
        }
    }

    /// Appends bytes, and waits until they are on the disk. The caller removes the rest of a failed write by
    /// [`truncate`](Self::truncate).
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let end = self.file.seek(io::SeekFrom::End(0));
        let written = end
            .and_then(|_| self.file.write_all(bytes))
            .and_then(|()| self.file.sync_data());
        written.map_err(|problem| self.error(problem))
    }

    /// Cuts the file off after `length` bytes, if it is longer.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn truncate(&self, length: u64) -> Result<(), WriteError> {
        if self.size()? <= length {
            return Ok(());
        }
        self.file.set_len(length).map_err(|problem| self.error(problem))
    }

    /// Moves the file to another path, and replaces a file there.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn move_to(&mut self, path: &Path) -> Result<(), WriteError> {
        std::fs::rename(&self.path, path).map_err(|problem| WriteError::new(path, problem))?;
        path.clone_into(&mut self.path);
        self.is_temporary = false;
        Ok(())
    }

    /// Renames a file that cannot be used to the first free backup name, such as `NAME.broken-1`. Returns the new path.
    ///
    /// # Errors
    /// Fails with the path and the cause.
    pub fn move_to_backup(path: &Path) -> Result<PathBuf, WriteError> {
        let error = |problem| WriteError::new(path, problem);
        let free = backup_paths(path)
            .map_err(error)?
            .find(|backup| backup.symlink_metadata().is_err());
        let backup = free.ok_or_else(|| error(io::ErrorKind::AlreadyExists.into()))?;
        std::fs::rename(path, &backup).map_err(error)?;
        Ok(backup)
    }

    fn error(&self, problem: io::Error) -> WriteError {
        WriteError::new(&self.path, problem)
    }
}

/// Opens and locks a file until the locked file is the one at its path, in at most [`MAX_OPEN_TRIES`] tries. The
/// previous holder may have removed or replaced the file after it was opened. Returns `None` as soon as `open` does.
/// Also returns whether the last file is the one at the path. On some network drives it never is.
fn open_until_current(
    mut open: impl FnMut() -> io::Result<Option<FileLock>>,
    is_current: impl Fn(&File) -> bool,
) -> io::Result<Option<(FileLock, bool)>> {
    let mut last = None;
    for _ in 0..MAX_OPEN_TRIES {
        let Some(file) = open()? else { return Ok(None) };
        let is_current_file = is_current(&file.0);
        last = Some((file, is_current_file));
        if is_current_file {
            break;
        }
    }
    Ok(last)
}

fn is_file_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let id = |data: std::fs::Metadata| (data.dev(), data.ino());
        file.metadata().is_ok_and(|file| {
            std::fs::symlink_metadata(path).is_ok_and(|path_data| id(file) == id(path_data))
        })
    }
    #[cfg(not(unix))]
    {
        // The standard library cannot compare open files on this system, so it is enough that the path exists.
        let _unused = file;
        path.exists()
    }
}

/// Reads the first `cap` bytes of a file of this program.
///
/// # Errors
/// Fails if the file does not exist, is a link, or is not a plain file.
pub fn read_program_file(path: &Path, cap: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_program_file(File::options().read(true), path)?;
    file.take(u64::try_from(cap).unwrap_or(u64::MAX))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn an_appender_has_one_holder_and_completes_a_cut_line() {
        let path = std::env::temp_dir().join(format!("shogibar-appender-{}", std::process::id()));
        let open = || Appender::open(&path, 100).unwrap();
        let (mut file, bytes) = open().unwrap();
        assert!(bytes.is_empty() && open().is_none(), "it is held");
        file.append_synced(b"one\n").unwrap();
        file.append(b"tw").unwrap();
        drop(file);
        let (mut file, bytes) = open().unwrap();
        assert_eq!(bytes, b"one\ntw");
        file.append_synced(b"three\n").unwrap();
        assert_eq!(read(&path, 100).unwrap(), b"one\ntw\nthree\n");
        assert_eq!(file.size().unwrap(), 13);
        file.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_partial_line_is_ended_before_the_next_write() {
        let path = std::env::temp_dir().join(format!("shogibar-half-{}", std::process::id()));
        for (half, expect) in [("tw", "one\ntw\nthree\n"), ("", "one\nthree\n")] {
            // Simulates a full disk that accepts a partial line and cannot remove it again.
            write_as(FileAccess::Program, &path, format!("one\n{half}").as_bytes()).unwrap();
            let mut file = Appender::read_only(&path);
            file.append_synced(b"two\n").unwrap_err();
            file.file = FileLock(File::options().append(true).read(true).open(&path).unwrap());
            file.append_synced(b"three\n").unwrap();
            assert_eq!(read(&path, 100).unwrap(), expect.as_bytes());
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn reopening_stops_after_the_last_try() {
        let path = std::env::temp_dir().join(format!("shogibar-rounds-{}", std::process::id()));
        let after = |rounds: u32| {
            let opened = std::cell::Cell::new(0);
            let open = || {
                opened.set(opened.get() + 1);
                File::options()
                    .create(true)
                    .append(true)
                    .open(&path)
                    .map(|file| Some(FileLock(file)))
            };
            let (_file, is_current_file) = open_until_current(open, |_| opened.get() == rounds)
                .unwrap()
                .unwrap();
            (opened.get(), is_current_file)
        };
        assert_eq!(
            [after(1), after(3), after(99)],
            [(1, true), (3, true), (MAX_OPEN_TRIES, false)]
        );
        assert!(open_until_current(|| Ok(None), |_| true).unwrap().is_none());
        std::fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_removed_lock_file_never_has_two_holders() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let path = std::env::temp_dir().join(format!("shogibar-holder-{}", std::process::id()));
        let is_held = AtomicBool::new(true);
        let first = lock(&path).unwrap().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let held = lock(&path).unwrap();
                assert!(held.is_some() && !is_held.load(Ordering::SeqCst), "two hold it");
                remove_with_lock(&path);
            });
            // In both cases, whether the other thread waits already or not, the lock file has been removed.
            remove_with_lock(&path);
            let second = lock(&path).unwrap().unwrap();
            drop(first);
            std::thread::yield_now();
            is_held.store(false, Ordering::SeqCst);
            drop(second);
        });
        assert!(!lock_path(&path).unwrap().exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_is_not_the_file_at_the_path() {
        let path = std::env::temp_dir().join(format!("shogibar-stands-{}", std::process::id()));
        let (appender, _) = Appender::open(&path, 100).unwrap().unwrap();
        assert!(is_file_at(&appender.file.0, &path));
        appender.replace(b"one\n").unwrap();
        assert!(
            !is_file_at(&appender.file.0, &path),
            "an earlier lock is on a file that is gone"
        );
        appender.remove().unwrap();
        assert!(!is_file_at(&appender.file.0, &path));
    }

    #[cfg(unix)]
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "the test starts programs, which briefly hold the handles"
    )]
    fn a_lock_is_free_at_once_while_programs_are_started() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let folder = std::env::temp_dir().join(format!("shogibar-unlocked-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, is_over) = (folder.join("a"), AtomicBool::new(false));
        let held = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::process::Command::new("true").status().unwrap();
                }
            });
            let is_held =
                |_: &usize| try_lock(&path).is_none() || !matches!(Appender::open(&path, 9), Ok(Some(_)));
            let held = (0..20_000).filter(is_held).count();
            is_over.store(true, Ordering::Relaxed);
            held
        });
        assert_eq!(held, 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_special_files_are_refused() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = std::env::temp_dir().join(format!("shogibar-own-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        std::fs::File::create(at("theirs"))
            .unwrap()
            .write_all(b"theirs")
            .unwrap();
        for target in ["theirs", "none"] {
            symlink(target, at("log")).unwrap();
            symlink(target, at("a.lock")).unwrap();
            let error = Appender::open(&at("log"), 100).unwrap_err().to_string();
            assert!(
                error.contains("it is a link, through which nothing is written"),
                "{error}"
            );
            let error = lock(&at("a")).unwrap_err().to_string();
            assert!(error.contains("a.lock: it is a link"), "{error}");
            assert!(
                try_lock(&at("a")).is_none()
                    && !is_locked(&at("a"))
                    && read_program_file(&at("log"), 9).is_err()
            );
            std::fs::remove_file(at("log")).unwrap();
            std::fs::remove_file(at("a.lock")).unwrap();
        }
        assert_eq!(
            (read(&at("theirs"), 9).unwrap(), at("none").exists()),
            (b"theirs".to_vec(), false)
        );

        // A folder is not a plain file either.
        std::fs::create_dir(at("a.lock")).unwrap();
        assert!(try_lock(&at("a")).is_none() && !is_locked(&at("a")));
        let held = lock(&at("b")).unwrap();
        assert!(held.is_some() && is_locked(&at("b")) && try_lock(&at("b")).is_none());
        let mode = std::fs::metadata(at("b.lock")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
