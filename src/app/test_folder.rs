//! A temporary user folder for tests.

use shogibar_machine::store::Store;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Polls until there is a result, and returns it. Panics after ten seconds.
pub(super) fn wait<T>(mut poll: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1000 {
        if let Some(found) = poll() {
            return found;
        }
        std::thread::park_timeout(Duration::from_millis(10));
    }
    panic!("nothing came of it");
}

/// A temporary folder, removed on drop. A user's settings are in it.
pub(super) struct TestFolder(pub(super) PathBuf);

impl TestFolder {
    pub(super) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "shogibar-record-file-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = std::env::temp_dir().join(name);
        shogibar_files::make_folder(&folder).unwrap();
        Self(folder)
    }

    pub(super) fn store(&self) -> Store {
        Store::new(self.0.join("config"))
    }

    pub(super) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        shogibar_files::make_folder(path.parent().unwrap()).unwrap();
        shogibar_files::write_whole(&path, text.as_bytes()).unwrap();
        path
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.0);
    }
}
