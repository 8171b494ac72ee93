//! Atomic writes: files are written beside their path, then renamed to it. Also backups, and access rights.

use super::{MAX_TRIED_NAMES, list};
use shogibar_base::file_error::{WriteError, WriteRefusal};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The largest number of links that are followed from a path. The system follows no more either.
const MAX_LINKS: usize = 40;

/// The access rights of a file that is written. An existing file keeps its rights, except with
/// [`Secret`](Self::Secret).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAccess {
    /// A new file has the user's default rights.
    Default,
    /// A new file is readable by the user alone.
    Private,
    /// The file is readable by the user alone, even if it exists already.
    Secret,
    /// The same as [`Private`](Self::Private), but a link at the path is replaced, not followed.
    Program,
}

/// Writes a file atomically: beside its path first, then renamed to it. No partial file is ever visible, and the old
/// content remains until the new one is safe on the disk. A link is kept and its target is written, even if the target
/// does not exist yet. A device or a pipe is written directly.
///
/// # Errors
/// Fails with the path and the cause; the file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_as(FileAccess::Default, path, bytes)
}

/// Writes a file as [`write_whole`] does, with the rights of `access`.
///
/// # Errors
/// Fails with the path and the cause; the file is then unchanged.
pub fn write_as(access: FileAccess, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write(access, path, bytes, File::sync_all)
}

/// Writes a file as [`write_as`] does, but does not wait for the disk. After a power failure the file
/// may be empty.
///
/// # Errors
/// Fails with the path and the cause; the file is then unchanged.
pub fn write_unsynced(access: FileAccess, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write(access, path, bytes, |_| Ok(()))
}

/// Writes a file with the rights of `access`. Calls `sync` before the new file replaces the old one.
fn write(
    access: FileAccess,
    path: &Path,
    bytes: &[u8],
    sync: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), WriteError> {
    let target = if access == FileAccess::Program {
        Ok(path.to_owned())
    } else {
        end_of_links(path)
    };
    let target = target.map_err(|problem| WriteError::new(path, problem))?;
    let error = |problem: io::Error| WriteError::new(&target, problem);
    let existing = if access == FileAccess::Program {
        target.symlink_metadata()
    } else {
        target.metadata()
    };
    let existing = existing.ok().filter(|existing| !existing.is_symlink());
    match &existing {
        // A pipe in place of a file of this program is refused: it may have no reader.
        Some(existing) if !existing.is_file() && !existing.is_dir() && access != FileAccess::Default => {
            return Err(error(WriteRefusal::NotPlain.into()));
        }
        // A device or a pipe that the user names is written directly; it cannot be replaced.
        Some(existing) if !existing.is_file() && !existing.is_dir() => {
            return File::options()
                .write(true)
                .open(&target)
                .and_then(|mut file| file.write_all(bytes))
                .map_err(error);
        }
        Some(existing) if existing.is_file() && existing.permissions().readonly() => {
            return Err(error(io::ErrorKind::PermissionDenied.into()));
        }
        _ => {}
    }
    let before = existing.map(|existing| existing.permissions());
    let name = target
        .file_name()
        .ok_or_else(|| error(io::ErrorKind::IsADirectory.into()))?;
    // Other users cannot read the file before it is complete.
    let is_private = access != FileAccess::Default || before.is_some();
    let (mut file, beside) = create_beside(&target, name, is_private)
        .map_err(|problem| crate::creation_error(&target, problem))?;
    let replace = || {
        file.write_all(bytes)?;
        sync(&file)?;
        if let Some(before) = before {
            file.set_permissions(if access == FileAccess::Secret {
                user_only(&before)
            } else {
                before
            })?;
        }
        std::fs::rename(&beside, &target)
    };
    replace().map_err(|problem| {
        let _best_effort = std::fs::remove_file(&beside);
        error(problem)
    })
}

/// Returns the end of the chain of links that starts at a path. The end need not exist.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    if let Ok(existing) = path.canonicalize() {
        return Ok(existing);
    }
    let mut end = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = end.read_link() else { return Ok(end) };
        end = end
            .parent()
            .map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    Err(WriteRefusal::LinkLoop.into())
}

/// Joins parts to a file name. The parts need not be UTF-8.
pub(super) fn join_name<const N: usize>(parts: [&OsStr; N]) -> OsString {
    parts.into_iter().collect()
}

/// Creates a temporary file beside the file at a path, with a name made of `name`. Several names are tried: an earlier
/// process with this id may have left a file behind.
pub(super) fn create_beside(path: &Path, name: &OsStr, is_private: bool) -> io::Result<(File, PathBuf)> {
    let id = std::process::id();
    let names = (0..100).map(|attempt: u32| {
        let number = if attempt == 0 {
            id.to_string()
        } else {
            format!("{id}-{attempt}")
        };
        path.with_file_name(join_name([".".as_ref(), name, format!(".{number}.new").as_ref()]))
    });
    create_first(names, is_private)
}

/// Creates the first of these files that does not exist. Links are not followed.
fn create_first(names: impl Iterator<Item = PathBuf>, is_private: bool) -> io::Result<(File, PathBuf)> {
    let mut options = File::options();
    options.write(true).create_new(true);
    if is_private {
        private_options(&mut options);
    }
    for path in names {
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Changes the options so that new files are readable by the user alone, and returns them.
pub(super) fn private_options(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

fn user_only(permissions: &Permissions) -> Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Permissions::from_mode(permissions.mode() & 0o700)
    }
    #[cfg(not(unix))]
    permissions.clone()
}

/// Removes the rights of other users from a file. Errors are ignored: the file may be absent or owned by another user.
pub fn restrict_to_user(path: &Path) {
    #[cfg(unix)]
    if let Ok(metadata) = std::fs::metadata(path)
        && std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0
    {
        let _best_effort = std::fs::set_permissions(path, user_only(&metadata.permissions()));
    }
    #[cfg(not(unix))]
    let _unused = path;
}

/// Returns the paths of backups of a file: `NAME.broken-1`, `NAME.broken-2` ….
pub(super) fn backup_paths(path: &Path) -> io::Result<impl Iterator<Item = PathBuf>> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    Ok((1..=MAX_TRIED_NAMES)
        .map(move |n| path.with_file_name(join_name([name, format!(".broken-{n}").as_ref()]))))
}

/// Writes a backup of these bytes under the first free name of `NAME.broken-1`, `NAME.broken-2` …. The backup is
/// readable by the user alone. Returns the path of the backup.
///
/// # Errors
/// Fails with the path and the cause; a partial backup is removed.
pub fn write_backup(path: &Path, bytes: &[u8]) -> Result<PathBuf, WriteError> {
    let error = |problem| WriteError::new(path, problem);
    let (mut file, backup) = create_first(backup_paths(path).map_err(error)?, true).map_err(error)?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(|problem| {
            let _best_effort = std::fs::remove_file(&backup);
            WriteError::new(&backup, problem)
        })?;
    Ok(backup)
}

/// Removes the temporary files that killed programs left beside `path` while they wrote the file. The caller must hold
/// the [`lock`](super::lock), so that no other program is writing.
pub fn remove_leftovers(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return;
    };
    // A bare file name is relative to the current folder.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let start = join_name([".".as_ref(), name, ".".as_ref()]);
    let is_leftover = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let number = name
            .strip_prefix(start.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(b".new"));
        number.is_some_and(|number| {
            !number.is_empty() && number.iter().all(|c| c.is_ascii_digit() || *c == b'-')
        })
    };
    for leftover in list(folder, usize::MAX).into_iter().filter(is_leftover) {
        let _best_effort = std::fs::remove_file(leftover);
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// A temporary folder, removed on drop.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("shogibar-whole-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn names(&self) -> Vec<String> {
            list(&self.0, 100)
                .iter()
                .map(|path| path.file_name().unwrap().display().to_string())
                .collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _best_effort = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_written_completely_or_not_at_all() {
        let folder = Folder::new("whole");
        let path = folder.0.join("a.kif");
        for bytes in [b"first".as_slice(), b"second", b""] {
            write_whole(&path, bytes).unwrap();
            assert_eq!(read(&path, 100).unwrap(), bytes);
        }
        let error = write_whole(&folder.0, b"x").unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("cannot write {}", folder.0.display())),
            "{error}"
        );
        assert!(write_whole(&folder.0.join("none/a.kif"), b"x").is_err());
        assert_eq!(folder.names(), ["a.kif"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_kept_and_their_targets_written() {
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
        assert_eq!(
            error,
            format!(
                "cannot write {0}/target: there is no folder {0}",
                at("none").display()
            )
        );
        symlink("round", at("about")).unwrap();
        symlink("about", at("round")).unwrap();
        let error = write_whole(&at("round"), b"x").unwrap_err().to_string();
        assert!(error.ends_with("its links lead in a circle"), "{error}");
        assert!(at("lost").is_symlink() && at("round").is_symlink() && at("about").is_symlink());

        write_as(FileAccess::Program, &at("two"), b"ours").unwrap();
        assert!(!at("two").is_symlink(), "a program file replaces a link");
        assert_eq!(read(&at("target.kif"), 100).unwrap(), b"written over");
    }

    #[cfg(unix)]
    #[test]
    fn private_files_are_readable_by_the_user_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("rights");
        let path = folder.0.join("a.toml");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for access in [FileAccess::Private, FileAccess::Secret, FileAccess::Program] {
            write_as(access, &path, b"x").unwrap();
            assert_eq!(mode(&path), 0o600, "{access:?}");
            std::fs::remove_file(&path).unwrap();
        }
        write_whole(&path, b"x").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        write_as(FileAccess::Private, &path, b"y").unwrap();
        assert_eq!(mode(&path), 0o644, "a file that is there keeps its rights");
        let backup = write_backup(&path, b"y").unwrap();
        assert_eq!(
            (mode(&backup), read(&backup, 100).unwrap()),
            (0o600, b"y".to_vec())
        );
        write_as(FileAccess::Secret, &path, b"z").unwrap();
        assert_eq!(mode(&path), 0o600);
        std::fs::set_permissions(&path, Permissions::from_mode(0o604)).unwrap();
        restrict_to_user(&path);
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn only_leftovers_of_this_program_are_removed() {
        let folder = Folder::new("leftovers");
        for name in [
            ".a.kif.12.new",
            ".a.kif.12-3.new",
            ".a.kif.mine.new",
            ".a.kif..new",
            ".b.kif.12.new",
        ] {
            write_whole(&folder.0.join(name), b"").unwrap();
        }
        remove_leftovers(&folder.0.join("a.kif"));
        assert_eq!(
            folder.names(),
            [".a.kif..new", ".a.kif.mine.new", ".b.kif.12.new"]
        );
    }
}
