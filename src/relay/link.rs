//! The file that a shogi GUI registers for one engine, and the paths of the programs. The file is a link to the relay,
//! on Windows a copy, and is named after the engine.

use super::arguments::PROGRAM_NAME;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The folder of the links, below that of the configuration.
const LINKS_FOLDER: &str = "relay";
/// The file beside the links with the path of the programs' folder, which a copy on Windows needs. The file also
/// marks the folder of the links, so that the configuration folder around it can be found.
const PROGRAMS_FILE: &str = "programs.txt";

/// Returns the path of the relay's program, which the packages put beside the program with the window. An `AppImage` is
/// one file with all programs, and runs the one by whose name it was started.
///
/// # Errors
/// Fails if the system cannot tell the path of this program.
pub fn relay_program() -> io::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    // Another `AppImage` may have started this program, so its variables count only if this program is in its folder.
    let has_this_program =
        |folder: &OsString| std::env::current_exe().is_ok_and(|this| this.starts_with(folder));
    if let (Some(image), Some(_)) = (variable("APPIMAGE"), variable("APPDIR").filter(has_this_program)) {
        return Ok(image.into());
    }
    program_beside(PROGRAM_NAME)
}

/// Returns the path of a program in the folder of this one. Without such a program, returns its path in the folder that
/// a [`PROGRAMS_FILE`] names, where it need not exist.
pub(super) fn program_beside(name: &str) -> io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    // The packages have links to their programs.
    let this = this.canonicalize().unwrap_or(this);
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let program = this.with_file_name(&file);
    if program.is_file() {
        return Ok(program);
    }
    let noted = fs::File::open(this.with_file_name(PROGRAMS_FILE)).and_then(io::read_to_string);
    Ok(noted.map_or(program, |folder| Path::new(folder.trim()).join(file)))
}

/// Makes the file that a GUI registers for an engine. `engine` is the user's name for the engine. Replaces an existing
/// file, and returns the path.
///
/// # Errors
/// Fails if there is no relay beside this program, or the file cannot be written.
pub fn make(configuration: &Path, engine: &str) -> io::Result<PathBuf> {
    let relay = relay_program()?;
    if !relay.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("{} is missing", relay.display()),
        ));
    }
    let folder = std::path::absolute(configuration)?.join(LINKS_FOLDER);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!(
        "{PROGRAM_NAME}-{}{}",
        file_name(engine),
        std::env::consts::EXE_SUFFIX
    ));
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let programs = relay.parent().unwrap_or(&relay).display().to_string();
    fs::File::create(folder.join(PROGRAMS_FILE))?.write_all(programs.as_bytes())?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(&relay, &path)?;
    #[cfg(not(unix))]
    fs::copy(&relay, &path)?;
    Ok(path)
}

/// Returns the configuration folder of the file by which the relay was started; `None` if [`make`] has not made that
/// file.
pub(super) fn configuration_folder(started: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(started).ok()?.parent()?.to_owned();
    (folder.ends_with(LINKS_FOLDER) && folder.join(PROGRAMS_FILE).is_file())
        .then(|| folder.parent().map(Path::to_owned))?
}

/// Returns an engine's name as a part of a file name. A profile is also found by this text.
pub(super) fn file_name(engine: &str) -> String {
    // An engine that is given as a path is named after its file.
    let name = if Path::new(engine).is_absolute() {
        Path::new(engine)
            .file_name()
            .and_then(OsStr::to_str)
            .unwrap_or(engine)
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
        let link = here.join(LINKS_FOLDER).join("shogibar-usi-a");
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        assert_eq!(configuration_folder(&link), None);
        fs::File::create(link.with_file_name(PROGRAMS_FILE)).unwrap();
        assert_eq!(configuration_folder(&link), Some(here.clone()));
        assert_eq!(configuration_folder(&here.join("shogibar-usi-a")), None);
        fs::remove_dir_all(here).unwrap();
    }
}
