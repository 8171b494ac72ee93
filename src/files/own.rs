//! Files of our own that stay open: locks, and files that are added to.
//!
//! Their names are known to everybody, and they may lie in a folder that others write to. So no link is followed at
//! such a name, and nothing but a plain file is opened.

use super::whole::{closed, joined};
use super::{FileAccess, WriteError, WriteRefusal, remove, write_as};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// So often a file is opened that is replaced meanwhile.
const MOST_ROUNDS: u32 = 10;

/// What is held by a [`lock`] until it is dropped.
#[derive(Debug)]
pub(crate) struct FileLock {
    _file: File,
}

/// Opens a file of our own; one that is made can be read by the user alone.
///
/// # Errors
/// Where there is a link or no plain file at the path, or the system refuses.
fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        // A pipe in the file's place would hold us until somebody writes to it.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed());
    }
    #[cfg(windows)]
    {
        /// Opens a link itself, not what it leads to.
        const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(options, FILE_FLAG_OPEN_REPARSE_POINT);
    }
    let is_link = || path.is_symlink();
    let file = closed(options).open(path).map_err(|error| if is_link() { WriteRefusal::Link.into() } else { error })?;
    let kind = file.metadata()?.file_type();
    if kind.is_symlink() || cfg!(windows) && is_link() {
        return Err(WriteRefusal::Link.into());
    }
    if kind.is_file() { Ok(file) } else { Err(WriteRefusal::NotPlain.into()) }
}

/// Whether a file has more than one name: what is written to one is written to them all.
fn has_other_names(metadata: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata) > 1;
    #[cfg(not(unix))]
    {
        let _not_told = metadata;
        false
    }
}

/// The file of the lock on a file.
fn lock_of(path: &Path) -> Option<PathBuf> {
    Some(path.with_file_name(joined([path.file_name()?, ".lock".as_ref()])))
}

/// Holds a lock on a file beside `path` until it is dropped, so that two programs do not write over
/// each other. Where the system has no locks, it is not held.
///
/// # Errors
/// With the path of the lock, where a link or no plain file stands there.
pub(crate) fn lock(path: &Path) -> Result<Option<FileLock>, WriteError> {
    let Some(lock) = lock_of(path) else { return Ok(None) };
    let open = || {
        let file = open_own(File::options().create(true).append(true), &lock)?;
        Ok(file.lock().is_ok().then_some(file))
    };
    match reopened(open, |file| is_file_at(file, &lock)) {
        Ok(held) => Ok(held.map(|(file, _is_there)| FileLock { _file: file })),
        Err(error) if WriteRefusal::from_io(&error).is_some() => Err(WriteError::new(&lock, error)),
        Err(_none_can_be_made) => Ok(None),
    }
}

/// Holds a [`lock`] that nobody holds; `None` where somebody does, or there can be none.
pub(crate) fn try_lock(path: &Path) -> Option<FileLock> {
    let lock = lock_of(path)?;
    let open = || {
        let file = open_own(File::options().create(true).append(true), &lock)?;
        Ok(file.try_lock().is_ok().then_some(file))
    };
    let (file, _is_there) = reopened(open, |file| is_file_at(file, &lock)).ok()??;
    Some(FileLock { _file: file })
}

/// Whether another program, or another part of this one, holds the [`lock`] on a file.
pub(crate) fn is_locked(path: &Path) -> bool {
    let lock = lock_of(path).and_then(|lock| open_own(File::options().read(true), &lock).ok());
    lock.is_some_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Removes a file and that of its [`lock`], as far as they are there.
pub(crate) fn remove_with_lock(path: &Path) {
    for path in [Some(path.to_owned()), lock_of(path)].into_iter().flatten() {
        let _was_not_there = std::fs::remove_file(path);
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
        let open = || {
            let file = open_own(File::options().create(true).append(true).read(true), path)?;
            if has_other_names(&file.metadata()?) {
                return Err(WriteRefusal::Link.into());
            }
            // Where the system has no locks, nobody holds one.
            let is_held = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            Ok((!is_held).then_some(file))
        };
        let file = match reopened(open, |file| is_file_at(file, path)).map_err(error)? {
            Some((file, true)) => file,
            Some((_other, false)) => return Err(error(WriteRefusal::Replaced.into())),
            None => return Ok(None),
        };
        let mut appender = Self { path: path.to_owned(), file, is_cut: false };
        let bytes = appender.read(cap)?;
        appender.is_cut = appender.is_cut().map_err(error)?;
        Ok(Some((appender, bytes)))
    }

    /// A file that takes nothing, as on a full disk.
    #[cfg(test)]
    pub(crate) fn read_only(path: &Path) -> Self {
        Self { path: path.to_owned(), file: File::open(path).unwrap(), is_cut: false }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes are in it.
    ///
    /// # Errors
    /// With the path, and why.
    pub(crate) fn size(&self) -> Result<u64, WriteError> {
        self.file.metadata().map(|data| data.len()).map_err(|problem| WriteError::new(&self.path, problem))
    }

    /// Adds whole lines, which are then safe on the disk.
    ///
    /// # Errors
    /// With the path, and why; nothing is then added, as far as the system takes back what was.
    pub(crate) fn add(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        self.write(lines, File::sync_data)
    }

    /// Adds whole lines, which the system writes to the disk when it likes.
    ///
    /// # Errors
    /// With the path, and why; nothing is then added, as far as the system takes back what was.
    pub(crate) fn note(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        self.write(lines, |_| Ok(()))
    }

    fn write(&mut self, lines: &[u8], keep: impl FnOnce(&File) -> io::Result<()>) -> Result<(), WriteError> {
        let end: &[u8] = if self.is_cut { b"\n" } else { b"" };
        let before = self.size()?;
        // One write, so that as little as can be is cut.
        let added = self.file.write_all(&[end, lines].concat()).and_then(|()| keep(&self.file));
        match added {
            Ok(()) => {
                self.is_cut = false;
                Ok(())
            }
            Err(problem) => {
                // On a full disk there is still room to take back what was half written.
                if self.file.set_len(before).is_err() {
                    // Half a line stays there: the next one begins on a line of its own.
                    self.is_cut = self.is_cut().unwrap_or(true);
                }
                Err(WriteError::new(&self.path, problem))
            }
        }
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

    /// Whether what is in it ends in the middle of a line.
    fn is_cut(&mut self) -> io::Result<bool> {
        let mut last = Vec::new();
        if self.file.metadata()?.len() > 0 {
            self.file.seek(io::SeekFrom::End(-1))?;
            self.file.read_to_end(&mut last)?;
        }
        Ok(last.last().is_some_and(|last| *last != b'\n'))
    }

    /// Puts something else in its place, and gives it up.
    ///
    /// # Errors
    /// With the path, and why; it is then as it was.
    pub(crate) fn replace(&self, bytes: &[u8]) -> Result<(), WriteError> {
        write_as(FileAccess::Own, &self.path, bytes)
    }

    /// Moves the file to another place, where it takes that of what is there.
    ///
    /// # Errors
    /// With the path, and why.
    pub(crate) fn move_to(&self, path: &Path) -> Result<(), WriteError> {
        std::fs::rename(&self.path, path).map_err(|problem| WriteError::new(path, problem))
    }

    /// Removes the file.
    ///
    /// # Errors
    /// With the path, and why.
    pub(crate) fn remove(&self) -> Result<(), WriteError> {
        remove(&self.path)
    }
}

/// Opens a file that is locked until it is the one at its path: who held it until now may have removed or replaced it
/// since it was opened. Says whether it is; on some network drives no file ever is.
fn reopened(
    mut open: impl FnMut() -> io::Result<Option<File>>,
    stands: impl Fn(&File) -> bool,
) -> io::Result<Option<(File, bool)>> {
    let mut last = None;
    for _ in 0..MOST_ROUNDS {
        let Some(file) = open()? else { return Ok(None) };
        let is_there = stands(&file);
        last = Some((file, is_there));
        if is_there {
            break;
        }
    }
    Ok(last)
}

/// Whether a file is still the one at its path.
fn is_file_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let id = |data: std::fs::Metadata| (data.dev(), data.ino());
        file.metadata().is_ok_and(|file| std::fs::symlink_metadata(path).is_ok_and(|there| id(file) == id(there)))
    }
    #[cfg(not(unix))]
    {
        // The standard library tells no two files apart there.
        let _unknown = file;
        path.exists()
    }
}

/// The first `cap` bytes of a file of our own.
///
/// # Errors
/// Where there is none, or a link or no plain file in its place.
pub(crate) fn read_own(path: &Path, cap: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_own(File::options().read(true), path)?;
    file.take(u64::try_from(cap).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn lines_are_added_by_one_at_a_time() {
        let path = std::env::temp_dir().join(format!("shogibar-appender-{}", std::process::id()));
        let open = || Appender::open(&path, 100).unwrap();
        let (mut file, bytes) = open().unwrap();
        assert!(bytes.is_empty() && open().is_none(), "it is held");
        file.add(b"one\n").unwrap();
        file.note(b"tw").unwrap();
        drop(file);
        let (mut file, bytes) = open().unwrap();
        assert_eq!(bytes, b"one\ntw");
        file.add(b"three\n").unwrap();
        assert_eq!(read(&path, 100).unwrap(), b"one\ntw\nthree\n");
        assert_eq!(file.size().unwrap(), 13);
        file.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn half_a_line_that_stays_is_ended() {
        let path = std::env::temp_dir().join(format!("shogibar-half-{}", std::process::id()));
        for (half, expect) in [("tw", "one\ntw\nthree\n"), ("", "one\nthree\n")] {
            // The disk took as much before it was full, and does not take it back.
            write_as(FileAccess::Own, &path, format!("one\n{half}").as_bytes()).unwrap();
            let mut file = Appender::read_only(&path);
            file.add(b"two\n").unwrap_err();
            file.file = File::options().append(true).read(true).open(&path).unwrap();
            file.add(b"three\n").unwrap();
            assert_eq!(read(&path, 100).unwrap(), expect.as_bytes());
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_is_not_opened_without_end() {
        let path = std::env::temp_dir().join(format!("shogibar-rounds-{}", std::process::id()));
        let after = |rounds: u32| {
            let opened = std::cell::Cell::new(0);
            let open = || {
                opened.set(opened.get() + 1);
                File::options().create(true).append(true).open(&path).map(Some)
            };
            let (_file, is_there) = reopened(open, |_| opened.get() == rounds).unwrap().unwrap();
            (opened.get(), is_there)
        };
        assert_eq!([after(1), after(3), after(99)], [(1, true), (3, true), (MOST_ROUNDS, false)]);
        assert!(reopened(|| Ok(None), |_| true).unwrap().is_none());
        std::fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_removed_has_one_holder() {
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
            // Whether the other waits already or not: what it waits for is not what stands there now.
            remove_with_lock(&path);
            let second = lock(&path).unwrap().unwrap();
            drop(first);
            std::thread::yield_now();
            is_held.store(false, Ordering::SeqCst);
            drop(second);
        });
        assert!(!lock_of(&path).unwrap().exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_replaced_is_another() {
        let path = std::env::temp_dir().join(format!("shogibar-stands-{}", std::process::id()));
        let (appender, _) = Appender::open(&path, 100).unwrap().unwrap();
        assert!(is_file_at(&appender.file, &path));
        appender.replace(b"one\n").unwrap();
        assert!(!is_file_at(&appender.file, &path), "who opened it before holds a lock on nothing");
        appender.remove().unwrap();
        assert!(!is_file_at(&appender.file, &path));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_and_no_pipe_waited_for() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = std::env::temp_dir().join(format!("shogibar-own-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        std::fs::File::create(at("theirs")).unwrap().write_all(b"theirs").unwrap();
        for target in ["theirs", "none"] {
            symlink(target, at("log")).unwrap();
            symlink(target, at("a.lock")).unwrap();
            let error = Appender::open(&at("log"), 100).unwrap_err().to_string();
            assert!(error.contains("it is a link, through which nothing is written"), "{error}");
            let error = lock(&at("a")).unwrap_err().to_string();
            assert!(error.contains("a.lock: it is a link"), "{error}");
            assert!(try_lock(&at("a")).is_none() && !is_locked(&at("a")) && read_own(&at("log"), 9).is_err());
            std::fs::remove_file(at("log")).unwrap();
            std::fs::remove_file(at("a.lock")).unwrap();
        }
        assert_eq!((read(&at("theirs"), 9).unwrap(), at("none").exists()), (b"theirs".to_vec(), false));

        // A folder is no plain file either.
        std::fs::create_dir(at("a.lock")).unwrap();
        assert!(try_lock(&at("a")).is_none() && !is_locked(&at("a")));
        let held = lock(&at("b")).unwrap();
        assert!(held.is_some() && is_locked(&at("b")) && try_lock(&at("b")).is_none());
        let mode = std::fs::metadata(at("b.lock")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
