//! Settings of a portable installation.

use std::path::{Path, PathBuf};

/// The marker file beside the program. Its content is ignored.
const MARKER: &str = "portable.txt";
/// The settings folder beside the program.
const FOLDER: &str = "settings";

/// Returns the settings folder beside a program. Returns `None` if there is no marker file.
pub(super) fn folder_beside(program: &Path) -> Option<PathBuf> {
    let beside = program.parent()?;
    beside.join(MARKER).is_file().then(|| beside.join(FOLDER))
}

#[cfg(test)]
mod tests {
    use super::folder_beside;
    use crate::files;

    #[test]
    fn a_marker_file_beside_the_program_selects_the_folder_beside_it() {
        let here = std::env::temp_dir().join(format!("shogibar-portable-{}", std::process::id()));
        files::make_folder(&here.join("a folder/portable.txt")).unwrap();
        let program = here.join("shogibar.exe");
        let check = |program: &std::path::Path, expect| assert_eq!(folder_beside(program), expect, "{program:?}");
        check(&program, None);
        files::write_whole(&here.join("portable.txt"), b"").unwrap();
        check(&program, Some(here.join("settings")));
        check(&here.join("elsewhere/shogibar.exe"), None);
        check(&here.join("a folder/shogibar.exe"), None);
        check("".as_ref(), None);
        std::fs::remove_dir_all(&here).unwrap();
    }
}
