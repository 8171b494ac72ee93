//! Settings that go where the program goes.

use std::path::{Path, PathBuf};

/// The file that, beside the program, says that they do. What is written in it does not matter.
const MARKER: &str = "portable.txt";
/// The folder they are then in, beside the program.
const FOLDER: &str = "settings";

/// Where a program keeps its settings beside itself; `None` for one that does not.
pub(super) fn folder_beside(program: &Path) -> Option<PathBuf> {
    let beside = program.parent()?;
    beside.join(MARKER).is_file().then(|| beside.join(FOLDER))
}

#[cfg(test)]
mod tests {
    use super::folder_beside;
    use crate::files;

    #[test]
    fn a_file_beside_the_program_keeps_the_settings_there() {
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
