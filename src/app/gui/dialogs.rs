//! The system's dialogs for files and folders.

use crate::session::Latest;
use crate::threads;
use crate::ui::engines::PathPurpose;
use rfd::{AsyncFileDialog, FileHandle};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::{Duration, Instant};

/// Nobody closes a dialog as fast: there was none.
const TOO_FAST: Duration = Duration::from_millis(150);

/// How names of records end.
const RECORDS: [&str; 14] =
    ["kif", "kifu", "ki2", "ki2u", "csa", "jkf", "json", "psn", "usi", "sfen", "bod", "usen", "txt", "epd"];

/// The formats that a record is written in, and how the names of their files end.
const WRITTEN: [(&str, &str); 9] = [
    ("KIF (UTF-8)", "kifu"),
    ("KIF (Shift_JIS)", "kif"),
    ("KI2 (UTF-8)", "ki2u"),
    ("KI2 (Shift_JIS)", "ki2"),
    ("CSA", "csa"),
    ("JKF (JSON)", "jkf"),
    ("USI", "usi"),
    ("PSN", "psn"),
    ("SFEN (局面 / position)", "sfen"),
];

/// Has a dialog begin at a file.
fn at(dialog: AsyncFileDialog, path: &Path) -> AsyncFileDialog {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match path.parent().filter(|folder| folder.is_absolute()) {
        Some(folder) => dialog.set_directory(folder).set_file_name(name),
        None => dialog.set_file_name(name),
    }
}

/// What a dialog is opened for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DialogPurpose {
    /// Something on the page of engines.
    Engines(PathPurpose),
    /// A theme to be taken in.
    ImportTheme,
    /// Where the theme of this name is to be written.
    ExportTheme(String),
    /// A record to be opened.
    OpenRecord,
    /// Where the record is to be written; the file to offer.
    SaveRecord(PathBuf),
    /// Where a report of the game is to be written; the file to offer.
    SaveReport(PathBuf),
    /// Where a picture of the bar is to be written.
    SavePicture,
}

/// What came of a dialog.
#[derive(Debug)]
pub(super) enum DialogResult {
    /// The user chose this.
    Chosen(PathBuf),
    /// The user closed it.
    Nothing,
    /// The system has none to show.
    NoDialog,
}

/// Dialogs that were opened, and what came of them.
#[derive(Debug, Default)]
pub(super) struct Dialogs(Latest<(DialogPurpose, DialogResult)>);

impl Dialogs {
    /// Opens a dialog; `wake` is called when it is closed. On the main thread, as macOS wants it.
    pub(super) fn open(&self, errand: DialogPurpose, wake: impl FnOnce() + Send + 'static) {
        let dialog = AsyncFileDialog::new();
        let themes = |dialog: AsyncFileDialog| dialog.add_filter("TOML", &["toml"]);
        let choice: Pin<Box<dyn Future<Output = Option<FileHandle>> + Send>> = match &errand {
            DialogPurpose::Engines(PathPurpose::Folder) => Box::pin(dialog.pick_folder()),
            DialogPurpose::Engines(PathPurpose::Engine | PathPurpose::Option(_)) => Box::pin(dialog.pick_file()),
            DialogPurpose::OpenRecord => {
                let dialog = dialog.set_title("棋譜を開く / Open a record");
                Box::pin(dialog.add_filter("棋譜 / Records", &RECORDS).pick_file())
            }
            DialogPurpose::SaveRecord(path) => {
                let dialog = at(dialog.set_title("棋譜を保存 / Save the record"), path);
                // The end of the name says in which format: that of the file as it is comes first.
                let own = path.extension().and_then(OsStr::to_str).unwrap_or_default();
                let (first, others): (Vec<_>, Vec<_>) = WRITTEN.into_iter().partition(|(_, end)| *end == own);
                let formats = first.into_iter().chain(others);
                let dialog = formats.fold(dialog, |dialog, (name, end)| dialog.add_filter(name, &[end]));
                Box::pin(dialog.save_file())
            }
            DialogPurpose::SaveReport(path) => {
                let dialog = dialog.set_title("レポートを保存 / Save a report");
                let dialog = dialog.add_filter("HTML", &["html"]).add_filter("PNG", &["png"]);
                Box::pin(at(dialog, path).save_file())
            }
            DialogPurpose::ImportTheme => Box::pin(themes(dialog).pick_file()),
            DialogPurpose::SavePicture => {
                Box::pin(dialog.add_filter("PNG", &["png"]).set_file_name("shogibar.png").save_file())
            }
            DialogPurpose::ExportTheme(name) => {
                Box::pin(themes(dialog).set_file_name(format!("{name}.toml")).save_file())
            }
        };
        let answers = Latest::clone(&self.0);
        let wait = move || {
            #[expect(clippy::disallowed_methods, reason = "a dialog is told from none by how long it stood")]
            let opened = Instant::now();
            let choice = match pollster::block_on(choice) {
                Some(file) => DialogResult::Chosen(file.path().to_owned()),
                None if opened.elapsed() < TOO_FAST => DialogResult::NoDialog,
                None => DialogResult::Nothing,
            };
            answers.put((errand, choice));
            wake();
        };
        // Not waited for: it stands as long as the user lets it. Without a thread there is no dialog.
        if let Ok(thread) = threads::named("dialog", wait) {
            thread.detach();
        }
    }

    /// What came of a dialog since.
    pub(super) fn closed(&self) -> Option<(DialogPurpose, DialogResult)> {
        self.0.take()
    }
}
