//! The files of the tool. Each error names its file.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The maximum number of characters of a foreign first line in an error.
const MAX_QUOTED_CHARS: usize = 200;

/// Returns the text of an error with the path of its file.
pub(crate) fn path_error(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| path_error(path, &error))
}

pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| path_error(path, &error))
}

/// Writes a file atomically: under a temporary name, which then replaces `path`.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| path_error(path, &error))
}

/// A file of lines that an interrupted run continues. The first line names the run.
#[derive(Debug)]
pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Opens a file, or creates it with the first line `title`. Returns it with the lines after the first one. A part
    /// of a line at its end, as an interrupted run leaves it, is cut off. A file with another first line is refused,
    /// and stays as it is.
    #[expect(clippy::verbose_file_reads, reason = "the file stays open for writing")]
    pub(crate) fn open(path: &Path, title: &str) -> Result<(Self, Vec<String>), String> {
        let named = |error: io::Error| path_error(path, &error);
        // Not in append mode: Windows does not shorten a file that is open in this mode.
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(named)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(named)?;
        let end = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text.get(..end).unwrap_or_default().lines().map(str::to_owned);
        let is_of_run = match lines.next() {
            Some(first) => first == title,
            None => title.starts_with(&text),
        };
        if !is_of_run {
            let first: String = text
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .take(MAX_QUOTED_CHARS)
                .collect();
            return Err(format!(
                "{}: its first line is `{first}`, that of this run is `{title}`",
                path.display()
            ));
        }
        let lines: Vec<String> = lines.collect();
        file.set_len(end as u64).map_err(named)?;
        file.seek(SeekFrom::End(0)).map_err(named)?;
        let mut opened = Self {
            path: path.to_owned(),
            file,
        };
        if end == 0 {
            opened.write_line(title)?;
        }
        Ok((opened, lines))
    }

    pub(crate) fn write_line(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.file, "{line}").map_err(|error| path_error(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed at the end of a test.
    struct TestFolder(PathBuf);

    impl TestFolder {
        fn create(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("shogibar-fit-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for TestFolder {
        fn drop(&mut self) {
            let _best_effort = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_unfinished_line_is_cut_off() {
        let folder = TestFolder::create("lines");
        let path = folder.0.join("file");
        for unfinished in ["", "# ti"] {
            fs::write(&path, unfinished).unwrap();
            let (mut file, lines) = LineFile::open(&path, "# title").unwrap();
            assert!(lines.is_empty(), "{lines:?}");
            file.write_line("one").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "# title\none\n");
        }
        fs::write(&path, "# title\none\ntw").unwrap();
        let (mut file, lines) = LineFile::open(&path, "# title").unwrap();
        assert_eq!(lines, ["one"]);
        file.write_line("two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "# title\none\ntwo\n");
    }

    #[test]
    fn a_foreign_file_is_refused_and_stays() {
        let folder = TestFolder::create("foreign");
        let path = folder.0.join("file");
        for text in ["a text without an end", "# another title\none\ntw", "\n"] {
            fs::write(&path, text).unwrap();
            let refused = LineFile::open(&path, "# title").unwrap_err();
            assert!(refused.contains("file: its first line is"), "{refused}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_file_is_replaced_and_errors_name_it() {
        let folder = TestFolder::create("whole");
        let path = folder.0.join("net.state");
        for bytes in [b"first", b"other"] {
            write_whole(&path, bytes).unwrap();
            assert_eq!(read(&path).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
        let missing = folder.0.join("none/net");
        for error in [
            write_whole(&missing, b"").unwrap_err(),
            read_text(&missing).unwrap_err(),
        ] {
            assert!(error.starts_with(&missing.display().to_string()), "{error}");
        }
    }
}
