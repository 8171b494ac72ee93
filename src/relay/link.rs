//! The file that a shogi GUI registers for one engine: a link to the relay, named after the engine.

use super::arguments::PROGRAM;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The folder of the links, below that of the configuration.
const FOLDER: &str = "relay";
/// The file beside the links with the path of the programs' folder: on Windows the links are copies. It also marks the
/// folder of the links, so that the configuration folder around it can be found.
const PROGRAMS: &str = "programs.txt";

/// Returns the path of the relay's program, which the packages put beside the program with the window. An `AppImage` is
/// one file, and runs the program with the name by which it was started.
///
/// # Errors
/// When the system cannot tell the path of this program.
pub fn program() -> io::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    // Another `AppImage` may have started this program, so its variables count only if this program is in its folder.
    let is_own = |folder: &OsString| std::env::current_exe().is_ok_and(|own| own.starts_with(folder));
    if let (Some(image), Some(_)) = (variable("APPIMAGE"), variable("APPDIR").filter(is_own)) {
        return Ok(image.into());
    }
    beside(PROGRAM)
}

/// Returns the path of a program beside this one.
pub(super) fn beside(name: &str) -> io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    // The packages have links to their programs.
    let own = own.canonicalize().unwrap_or(own);
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let program = own.with_file_name(&file);
    if program.is_file() {
        return Ok(program);
    }
    let noted = fs::File::open(own.with_file_name(PROGRAMS)).and_then(io::read_to_string);
    Ok(noted.map_or(program, |folder| Path::new(folder.trim()).join(file)))
}

/// Makes the file for an engine, by the user's name for it, and returns its path. An existing file is replaced.
///
/// # Errors
/// When there is no relay beside this program, or the file cannot be written.
pub fn make(configuration: &Path, engine: &str) -> io::Result<PathBuf> {
    let relay = program()?;
    if !relay.is_file() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("{} is missing", relay.display())));
    }
    let folder = std::path::absolute(configuration)?.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{PROGRAM}-{}{}", file_name(engine), std::env::consts::EXE_SUFFIX));
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let programs = relay.parent().unwrap_or(&relay).display().to_string();
    fs::File::create(folder.join(PROGRAMS))?.write_all(programs.as_bytes())?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(&relay, &path)?;
    #[cfg(not(unix))]
    fs::copy(&relay, &path)?;
    Ok(path)
}

/// Returns the configuration folder that the started file belongs to; `None` if [`make`] has not made that file.
pub(super) fn configuration(started: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(started).ok()?.parent()?.to_owned();
    (folder.ends_with(FOLDER) && folder.join(PROGRAMS).is_file()).then(|| folder.parent().map(Path::to_owned))?
}

/// Returns an engine's name as a part of a file name. A profile is found by that, too.
pub(super) fn file_name(engine: &str) -> String {
    // An engine that is given as a path is named after its file.
    let name = if Path::new(engine).is_absolute() {
        Path::new(engine).file_name().and_then(OsStr::to_str).unwrap_or(engine)
    } else {
        engine
    };
    shogibar_config::file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_makes_a_file_name() {
        let check = |engine: &str, expect: &str| assert_eq!(file_name(engine), expect);
        check("水匠5", "水匠5");
        check("my engine 1.0", "my engine 1.0");
        check("a/b:c\n", "a_b_c_");
        check("..", "..");
        #[cfg(unix)]
        check("/opt/engines/gpsusi", "gpsusi");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_belongs_to_the_configuration_around_it() {
        let here = std::env::temp_dir().join(format!("shogibar-link-{}", std::process::id()));
        let link = here.join(FOLDER).join("shogibar-usi-a");
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        assert_eq!(configuration(&link), None);
        fs::File::create(link.with_file_name(PROGRAMS)).unwrap();
        assert_eq!(configuration(&link), Some(here.clone()));
        assert_eq!(configuration(&here.join("shogibar-usi-a")), None);
        fs::remove_dir_all(here).unwrap();
    }
}
