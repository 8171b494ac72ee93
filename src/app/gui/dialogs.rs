//! The system's dialogs for files and folders.

use rfd::{AsyncFileDialog, FileHandle};
use shogibar_base::{Latest, threads};
use shogibar_model::ids::GameId;
use shogibar_ui::engines::PathPurpose;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::{Duration, Instant};

/// The shortest time that a dialog is open. A dialog that closes faster was not shown: no user is that fast.
const MIN_OPEN_TIME: Duration = Duration::from_millis(150);

/// The formats that a record can be written in, with their extensions.
const SAVE_FORMATS: [(&str, &str); 10] = [
    ("KIF (UTF-8)", "kifu"),
    ("KIF (Shift_JIS)", "kif"),
    ("KI2 (UTF-8)", "ki2u"),
    ("KI2 (Shift_JIS)", "ki2"),
    ("CSA", "csa"),
    ("JKF (JSON)", "jkf"),
    ("USI", "usi"),
    ("PSN", "psn"),
    ("BOD (局面 / position)", "bod"),
    ("SFEN (局面 / position)", "sfen"),
];

fn with_initial_path(dialog: AsyncFileDialog, path: &Path) -> AsyncFileDialog {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match path.parent().filter(|folder| folder.is_absolute()) {
        Some(folder) => dialog.set_directory(folder).set_file_name(name),
        None => dialog.set_file_name(name),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DialogPurpose {
    Engines(PathPurpose),
    ImportTheme,
    /// The file to export the theme of this name to.
    ExportTheme(String),
    OpenRecord,
    /// The file to save the record of a game to, with a suggestion.
    SaveRecord(GameId, PathBuf),
    /// The file to save a report of the game to, with a suggestion.
    SaveReport(PathBuf),
    /// The file to save a picture of the study page to, with a suggestion.
    SaveStudyPicture(PathBuf),
    /// The file to save a video of a game to, with a suggestion.
    SaveVideo(GameId, PathBuf),
    /// The file to save a picture of the bar to.
    SavePicture,
    /// A folder of records, or for the results of their analysis.
    Folder {
        /// Whether the folder is for the results.
        is_output: bool,
    },
    /// A folder of records, to collect the user's mistakes from.
    Mistakes,
    /// A folder of records, for the shelf.
    Shelf,
}

/// The user's answer to a file dialog.
#[derive(Debug)]
pub(super) enum DialogResult {
    /// The user chose this path.
    Chosen(PathBuf),
    Cancelled,
    /// The system cannot show dialogs.
    NoDialog,
}

/// Opens dialogs, and holds the latest result.
#[derive(Debug, Default)]
pub(super) struct Dialogs(Latest<(DialogPurpose, DialogResult)>);

impl Dialogs {
    /// Opens a dialog; `wake` is called when it is closed. Called on the main thread, as macOS requires.
    pub(super) fn open(&self, purpose: DialogPurpose, wake: impl FnOnce() + Send + 'static) {
        let dialog = AsyncFileDialog::new();
        let themes = |dialog: AsyncFileDialog| dialog.add_filter("TOML", &["toml"]);
        let choice: Pin<Box<dyn Future<Output = Option<FileHandle>> + Send>> = match &purpose {
            DialogPurpose::Engines(PathPurpose::Folder)
            | DialogPurpose::Folder { .. }
            | DialogPurpose::Mistakes
            | DialogPurpose::Shelf => Box::pin(dialog.pick_folder()),
            DialogPurpose::Engines(PathPurpose::Engine | PathPurpose::Option(_)) => {
                Box::pin(dialog.pick_file())
            }
            DialogPurpose::OpenRecord => {
                let dialog = dialog.set_title("棋譜を開く / Open a record");
                // Games also lie in plain texts, such as mails and logs.
                let extensions: Vec<_> = shogibar_kifu::record_extensions().chain(["txt"]).collect();
                Box::pin(dialog.add_filter("棋譜 / Records", &extensions).pick_file())
            }
            DialogPurpose::SaveRecord(_, path) => {
                let dialog = with_initial_path(dialog.set_title("棋譜を保存 / Save the record"), path);
                // The extension decides the format, so the filter of the file's present format comes first.
                let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
                let (first, others): (Vec<_>, Vec<_>) =
                    SAVE_FORMATS.into_iter().partition(|(_, end)| *end == extension);
                let formats = first.into_iter().chain(others);
                let dialog = formats.fold(dialog, |dialog, (name, end)| dialog.add_filter(name, &[end]));
                Box::pin(dialog.save_file())
            }
            DialogPurpose::SaveReport(path) => {
                let dialog = dialog.set_title("レポートを保存 / Save a report");
                let dialog = dialog.add_filter("HTML", &["html"]).add_filter("PNG", &["png"]);
                Box::pin(with_initial_path(dialog, path).save_file())
            }
            DialogPurpose::SaveStudyPicture(path) => {
                let dialog = dialog.add_filter("PNG", &["png"]);
                Box::pin(with_initial_path(dialog, path).save_file())
            }
            DialogPurpose::SaveVideo(_, path) => {
                let dialog = dialog.add_filter("MP4", &["mp4"]).add_filter("APNG", &["png"]);
                Box::pin(with_initial_path(dialog, path).save_file())
            }
            DialogPurpose::ImportTheme => Box::pin(themes(dialog).pick_file()),
            DialogPurpose::SavePicture => Box::pin(
                dialog
                    .add_filter("PNG", &["png"])
                    .set_file_name("shogibar.png")
                    .save_file(),
            ),
            DialogPurpose::ExportTheme(name) => {
                Box::pin(themes(dialog).set_file_name(format!("{name}.toml")).save_file())
            }
        };
        let results = Latest::clone(&self.0);
        let wait = move || {
            #[expect(
                clippy::disallowed_methods,
                reason = "a dialog that closes at once is missing on this system"
            )]
            let opened = Instant::now();
            let choice = match pollster::block_on(choice) {
                Some(file) => DialogResult::Chosen(file.path().to_owned()),
                None if opened.elapsed() < MIN_OPEN_TIME => DialogResult::NoDialog,
                None => DialogResult::Cancelled,
            };
            results.put((purpose, choice));
            wake();
        };
        // The thread is not joined: a dialog stays open as long as the user wants. Without a thread, the dialog has no
        // result.
        if let Ok(thread) = threads::spawn("dialog", wait) {
            thread.detach();
        }
    }

    /// Removes and returns the result of the dialog that was closed last.
    pub(super) fn take_result(&self) -> Option<(DialogPurpose, DialogResult)> {
        self.0.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_kifu::Target;

    #[test]
    fn each_format_that_can_be_written_is_offered() {
        for target in Target::ALL {
            let is_offered = SAVE_FORMATS.iter().any(|(_, end)| *end == target.extension());
            assert!(is_offered, "{target}");
        }
        for (name, end) in SAVE_FORMATS {
            assert!(
                Target::from_name(end).is_some_and(|target| target.extension() == end),
                "{name}"
            );
        }
    }
}
