//! The folder of the user's configuration, and valid names of files in it. Only this module, `platform` and `program`
//! query the system.

use directories::ProjectDirs;
use std::env;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder of the user's configuration.
pub const CONFIG_FOLDER_VARIABLE: &str = "SHOGIBAR_CONFIG";
/// The maximum size of a configuration file that is read, in bytes. A profile takes a few hundred.
pub const MAX_CONFIG_BYTES: usize = 4 << 20;
/// The marker file beside a portable program. Its content is ignored.
const PORTABLE_MARKER_FILE: &str = "portable.txt";
/// The settings folder beside a portable program.
const PORTABLE_FOLDER: &str = "settings";

/// Returns the folder of the user's configuration. It is the one in `SHOGIBAR_CONFIG`, else the one beside a portable
/// program, else the system's. It need not exist. Returns `None` for a user without a home folder.
pub fn user_folder() -> Option<PathBuf> {
    let named = env::var_os(CONFIG_FOLDER_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from);
    named
        .or_else(|| folder_beside(&env::current_exe().ok()?))
        .or_else(|| Some(ProjectDirs::from("", "", "shogibar")?.config_dir().to_owned()))
}

/// Returns the settings folder beside a program. Returns `None` if there is no marker file.
fn folder_beside(program: &Path) -> Option<PathBuf> {
    let beside = program.parent()?;
    beside
        .join(PORTABLE_MARKER_FILE)
        .is_file()
        .then(|| beside.join(PORTABLE_FOLDER))
}

/// Returns a text in which `_` replaces each character that some system forbids in file names.
pub fn file_name(text: &str) -> String {
    let is_forbidden =
        |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    text.chars()
        .map(|c| if is_forbidden(c) { '_' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::folder_beside;
    use std::fs;

    #[test]
    fn a_marker_file_beside_the_program_selects_the_folder_beside_it() {
        let here = std::env::temp_dir().join(format!("shogibar-portable-{}", std::process::id()));
        fs::create_dir_all(here.join("a folder/portable.txt")).unwrap();
        let program = here.join("shogibar.exe");
        let check =
            |program: &std::path::Path, expect| assert_eq!(folder_beside(program), expect, "{program:?}");
        check(&program, None);
        fs::File::create(here.join("portable.txt")).unwrap();
        check(&program, Some(here.join("settings")));
        check(&here.join("elsewhere/shogibar.exe"), None);
        check(&here.join("a folder/shogibar.exe"), None);
        check("".as_ref(), None);
        fs::remove_dir_all(&here).unwrap();
    }
}
