//! Files that are written whole: beside their place first, then renamed into it.

use super::{MOST_NAMES, WriteError, WriteRefusal, list};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// As many links in a row lead to a file; the system itself follows no more.
const MOST_LINKS: usize = 40;

/// Who may read a file that is written. A file that is there keeps its rights, but for [`Secret`](Self::Secret).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileAccess {
    /// A new file can be read by whom the user lets read new files.
    Usual,
    /// A new file can be read by the user alone.
    Private,
    /// The file can be read by the user alone, also where it is there already.
    Secret,
    /// As [`Private`](Self::Private), and a link in its place is replaced, not followed.
    Own,
}

/// Writes a file as a whole: beside it first, then renamed into its place, so that at no moment there
/// is half a file, and what stood there is kept until the new one is safely written. A link stays one: what it
/// leads to is written, also where that is not there yet.
///
/// # Errors
/// With the path, and why; the file is then as it was.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_as(FileAccess::Usual, path, bytes)
}

/// Writes a file as [`write_whole`] does, for these readers.
///
/// # Errors
/// With the path, and why; the file is then as it was.
pub(crate) fn write_as(access: FileAccess, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let target = if access == FileAccess::Own { Ok(path.to_owned()) } else { end_of_links(path) };
    let target = target.map_err(|problem| WriteError::new(path, problem))?;
    let error = |problem: io::Error| WriteError::new(&target, problem);
    let there = if access == FileAccess::Own { target.symlink_metadata() } else { target.metadata() };
    let there = there.ok().filter(|there| !there.is_symlink());
    match &there {
        // A device or a pipe takes what it is given; nothing can be put in its place.
        Some(there) if !there.is_file() && !there.is_dir() => {
            return File::options().write(true).open(&target).and_then(|mut file| file.write_all(bytes)).map_err(error);
        }
        Some(there) if there.is_file() && there.permissions().readonly() => {
            return Err(error(io::ErrorKind::PermissionDenied.into()));
        }
        _ => {}
    }
    let before = there.map(|there| there.permissions());
    let name = target.file_name().ok_or_else(|| error(io::ErrorKind::IsADirectory.into()))?;
    // Until all is written nobody else reads it.
    let is_closed = access != FileAccess::Usual || before.is_some();
    let (mut file, beside) = create_beside(&target, name, is_closed).map_err(error)?;
    let write = || {
        file.write_all(bytes)?;
        file.sync_all()?;
        if let Some(before) = before {
            file.set_permissions(if access == FileAccess::Secret { for_the_user(&before) } else { before })?;
        }
        std::fs::rename(&beside, &target)
    };
    write().map_err(|problem| {
        let _gone_already = std::fs::remove_file(&beside);
        error(problem)
    })
}

/// Where the links that begin at a path end. What is there need not exist.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    if let Ok(there) = path.canonicalize() {
        return Ok(there);
    }
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = end.read_link() else { return Ok(end) };
        end = end.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    Err(WriteRefusal::LinkLoop.into())
}

/// A name made of these parts, which need not be UTF-8.
pub(super) fn joined<const N: usize>(parts: [&OsStr; N]) -> OsString {
    parts.into_iter().collect()
}

/// A new file beside another. A program that had our number may have left one behind.
fn create_beside(path: &Path, name: &OsStr, is_closed: bool) -> io::Result<(File, PathBuf)> {
    let own = std::process::id();
    let names = (0..100).map(|more: u32| {
        let number = if more == 0 { own.to_string() } else { format!("{own}-{more}") };
        path.with_file_name(joined([".".as_ref(), name, format!(".{number}.new").as_ref()]))
    });
    create_first(names, is_closed)
}

/// Makes the first of these files that is not there yet. No link is followed.
fn create_first(names: impl Iterator<Item = PathBuf>, is_closed: bool) -> io::Result<(File, PathBuf)> {
    let mut options = File::options();
    options.write(true).create_new(true);
    if is_closed {
        closed(&mut options);
    }
    for path in names {
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Has a file that is made be readable by the user alone.
pub(super) fn closed(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// These rights without those of others.
fn for_the_user(permissions: &Permissions) -> Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Permissions::from_mode(permissions.mode() & 0o700)
    }
    #[cfg(not(unix))]
    permissions.clone()
}

/// Takes from a file the rights of others than the user, as far as it is there and ours.
pub(crate) fn close_to_others(path: &Path) {
    #[cfg(unix)]
    if let Ok(there) = std::fs::metadata(path)
        && std::os::unix::fs::PermissionsExt::mode(&there.permissions()) & 0o077 != 0
    {
        let _not_ours = std::fs::set_permissions(path, for_the_user(&there.permissions()));
    }
    #[cfg(not(unix))]
    let _has_no_such_rights = path;
}

/// Puts what was read of a file aside under the first free name of `NAME.broken-1`, `NAME.broken-2` …, readable by
/// the user alone, and says which.
///
/// # Errors
/// With the path, and why; nothing is then left of the copy.
pub(crate) fn set_aside(path: &Path, bytes: &[u8]) -> Result<PathBuf, WriteError> {
    let error = |problem| WriteError::new(path, problem);
    let name = path.file_name().ok_or_else(|| error(io::ErrorKind::IsADirectory.into()))?;
    let names = (1..=MOST_NAMES).map(|n| path.with_file_name(joined([name, format!(".broken-{n}").as_ref()])));
    let (mut file, aside) = create_first(names, true).map_err(error)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|problem| {
        let _gone_already = std::fs::remove_file(&aside);
        WriteError::new(&aside, problem)
    })?;
    Ok(aside)
}

/// Removes what [`write_whole`] left beside `path` in programs that were killed while they wrote. Only
/// for who holds the [`lock`](super::lock): no other writes then.
pub(crate) fn remove_leftovers(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    // A bare name is in the folder we are in.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let start = joined([".".as_ref(), name, ".".as_ref()]);
    let is_leftover = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let number = name.strip_prefix(start.as_encoded_bytes()).and_then(|rest| rest.strip_suffix(b".new"));
        number.is_some_and(|number| !number.is_empty() && number.iter().all(|c| c.is_ascii_digit() || *c == b'-'))
    };
    for leftover in list(folder, usize::MAX).into_iter().filter(is_leftover) {
        let _gone_already = std::fs::remove_file(leftover);
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// A folder of its own, gone when the test is.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("shogibar-whole-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn names(&self) -> Vec<String> {
            list(&self.0, 100).iter().map(|path| path.file_name().unwrap().display().to_string()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _best_effort = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = Folder::new("whole");
        let path = folder.0.join("a.kif");
        for bytes in [b"first".as_slice(), b"second", b""] {
            write_whole(&path, bytes).unwrap();
            assert_eq!(read(&path, 100).unwrap(), bytes);
        }
        let error = write_whole(&folder.0, b"x").unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}", folder.0.display())), "{error}");
        assert!(write_whole(&folder.0.join("none/a.kif"), b"x").is_err());
        assert_eq!(folder.names(), ["a.kif"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_also_where_it_dangles() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new("links");
        let at = |name: &str| folder.0.join(name);
        symlink("target.kif", at("one")).unwrap();
        symlink(at("one"), at("two")).unwrap();
        for bytes in [b"made".as_slice(), b"written over"] {
            write_whole(&at("two"), bytes).unwrap();
            assert_eq!(read(&at("target.kif"), 100).unwrap(), bytes);
            assert!(at("one").is_symlink() && at("two").is_symlink());
        }
        symlink("none/target", at("lost")).unwrap();
        let error = write_whole(&at("lost"), b"x").unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", at("none/target").display())), "{error}");
        symlink("round", at("about")).unwrap();
        symlink("about", at("round")).unwrap();
        let error = write_whole(&at("round"), b"x").unwrap_err().to_string();
        assert!(error.ends_with("its links lead in a circle"), "{error}");
        assert!(at("lost").is_symlink() && at("round").is_symlink() && at("about").is_symlink());

        write_as(FileAccess::Own, &at("two"), b"ours").unwrap();
        assert!(!at("two").is_symlink(), "a file of our own takes a link's place");
        assert_eq!(read(&at("target.kif"), 100).unwrap(), b"written over");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_what_is_the_user_s() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("rights");
        let path = folder.0.join("a.toml");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for access in [FileAccess::Private, FileAccess::Secret, FileAccess::Own] {
            write_as(access, &path, b"x").unwrap();
            assert_eq!(mode(&path), 0o600, "{access:?}");
            std::fs::remove_file(&path).unwrap();
        }
        write_whole(&path, b"x").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        write_as(FileAccess::Private, &path, b"y").unwrap();
        assert_eq!(mode(&path), 0o644, "a file that is there keeps its rights");
        let aside = set_aside(&path, b"y").unwrap();
        assert_eq!((mode(&aside), read(&aside, 100).unwrap()), (0o600, b"y".to_vec()));
        write_as(FileAccess::Secret, &path, b"z").unwrap();
        assert_eq!(mode(&path), 0o600);
        std::fs::set_permissions(&path, Permissions::from_mode(0o604)).unwrap();
        close_to_others(&path);
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn only_what_was_left_by_us_is_removed() {
        let folder = Folder::new("leftovers");
        for name in [".a.kif.12.new", ".a.kif.12-3.new", ".a.kif.mine.new", ".a.kif..new", ".b.kif.12.new"] {
            write_whole(&folder.0.join(name), b"").unwrap();
        }
        remove_leftovers(&folder.0.join("a.kif"));
        assert_eq!(folder.names(), [".a.kif..new", ".a.kif.mine.new", ".b.kif.12.new"]);
    }
}
