//! The check for newer versions, only if the user enables it: at most once a week, or once a day after a failure.
//!
//! The program sends nothing but the request for the newest release.

use serde::Deserialize;
use shogibar_base::{Latest, threads};
use shogibar_files::FileAccess;
use shogibar_live::{WebUrl, fetch_once};
use shogibar_machine::store::Store;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The address of the newest release's description.
pub const NEWEST_RELEASE_API_URL: &str = "https://api.github.com/repos/shogibar/shogibar/releases/latest";
/// The time for which an answer is valid.
const ANSWER_LIFETIME: Duration = Duration::from_hours(7 * 24);
/// The time after a failed check until the next check.
const FAILURE_LIFETIME: Duration = Duration::from_hours(24);
/// The name of the program, as the server sees it. Its version is not sent.
const USER_AGENT: &str = "Shogibar";
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// The maximum number of bytes of an answer that are read; an answer of GitHub has some thousands.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// The maximum number of bytes of the file that stores the last answer.
const MAX_ANSWER_FILE_BYTES: usize = 1000;

/// A version number, as `1.2.3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

impl Version {
    /// Returns whether this version is an update for a program of version `installed`: a newer version, or the release
    /// of the installed preview.
    fn is_update_for(self, installed: &str) -> bool {
        let preview = installed.split_once('-');
        let (release, is_preview) = preview.map_or((installed, false), |(release, _)| (release, true));
        Self::parse(release).is_some_and(|installed| self > installed || is_preview && self == installed)
    }

    /// Parses a tag; `None` for one that is not a release, or is a preview.
    pub fn parse(tag: &str) -> Option<Self> {
        let mut parts = tag
            .strip_prefix('v')
            .unwrap_or(tag)
            .splitn(3, '.')
            .map(|part| part.parse().ok());
        Some(Self([parts.next()??, parts.next()??, parts.next()??]))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// The newest release; `None` if the check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UpdateAnswer(Option<Version>);

/// The result of a check for a newer version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateNews {
    /// There is a newer version.
    Newer(Version),
    /// This is the newest version.
    Newest,
    /// The check failed.
    NoAnswer,
}

impl UpdateAnswer {
    /// Returns the result for this version of the program.
    fn news(self) -> UpdateNews {
        match self.0 {
            Some(version) if version.is_update_for(env!("CARGO_PKG_VERSION")) => UpdateNews::Newer(version),
            Some(_) => UpdateNews::Newest,
            None => UpdateNews::NoAnswer,
        }
    }
}

/// Checks for newer versions.
#[derive(Clone, Debug, Default)]
pub struct UpdateChecker(Latest<UpdateNews>);

impl UpdateChecker {
    /// Starts a check at `address` on a background thread. An answer of the last seven days, or a failure of the last
    /// day, is used instead.
    ///
    /// `wake` is called when the result is there.
    pub fn start_check(&self, store: &Store, address: &str, wake: impl FnOnce() + Send + 'static) {
        let (file, address, news) = (store.updates_file(), address.to_owned(), self.0.clone());
        let check = move || {
            let known = stored_answer(&file);
            let answer = known.unwrap_or_else(|| {
                let newest = fetch(&address);
                store_answer(&file, newest);
                UpdateAnswer(newest)
            });
            news.put(answer.news());
            wake();
        };
        if let Ok(thread) = threads::spawn("updates", check) {
            thread.detach();
        }
    }

    /// Removes and returns the result of the check, if it is complete.
    pub fn take_news(&self) -> Option<UpdateNews> {
        self.0.take()
    }
}

/// Fetches the newest release; `None` if that fails.
fn fetch(address: &str) -> Option<Version> {
    #[derive(Deserialize)]
    struct Release {
        tag_name: String,
    }
    let body = fetch_once(
        WebUrl::parse(address)?,
        USER_AGENT,
        REQUEST_TIMEOUT,
        MAX_ANSWER_BYTES,
    )
    .ok()?;
    let release: Release = serde_json::from_slice(&body).ok()?;
    Version::parse(&release.tag_name)
}

/// Returns the stored answer of the last seven days, or a failure of the last day; `None` if it is time for a check.
fn stored_answer(file: &Path) -> Option<UpdateAnswer> {
    let bytes = shogibar_files::read(file, MAX_ANSWER_FILE_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (when, version) = text.trim().split_once(' ')?;
    let age = now().checked_sub(Duration::from_secs(when.parse().ok()?))?;
    let answer = Version::parse(version);
    let lifetime = if answer.is_some() {
        ANSWER_LIFETIME
    } else {
        FAILURE_LIFETIME
    };
    (age < lifetime).then_some(UpdateAnswer(answer))
}

/// Stores an answer with the present time. Errors are ignored: the next run then checks again.
fn store_answer(file: &Path, version: Option<Version>) {
    let version = version.map_or_else(|| "-".to_owned(), |version| version.to_string());
    let line = format!("{} {version}\n", now().as_secs());
    let made = file
        .parent()
        .is_none_or(|folder| shogibar_files::make_folder(folder).is_ok());
    let _best_effort =
        made && shogibar_files::write_unsynced(FileAccess::Private, file, line.as_bytes()).is_ok();
}

/// Returns the time since 1970.
#[expect(
    clippy::disallowed_methods,
    reason = "the time of the last check is stored as a date"
)]
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;

    #[test]
    fn compares_versions_by_number() {
        let check =
            |tag, expect: Option<[u32; 3]>| assert_eq!(Version::parse(tag), expect.map(Version), "{tag}");
        check("v1.2.30", Some([1, 2, 30]));
        check("0.10.0", Some([0, 10, 0]));
        check("v1.2.3-rc1", None);
        check("v1.2", None);
        check("latest", None);
        assert!(Version::parse("0.10.0") > Version::parse("0.9.9"));
        let check = |newest: &str, own, is_news| {
            assert_eq!(
                Version::parse(newest).unwrap().is_update_for(own),
                is_news,
                "{newest}, {own}"
            );
        };
        check("0.2.0", "0.1.9", true);
        check("0.2.0", "0.2.0", false);
        check("0.2.0", "0.10.0", false);
        check("1.0.0", "1.0.0-rc.1", true);
        check("0.9.0", "1.0.0-rc.1", false);
        check("0.0.0", env!("CARGO_PKG_VERSION"), false);
        check("9999.0.0", env!("CARGO_PKG_VERSION"), true);
        let repository = env!("CARGO_PKG_REPOSITORY")
            .strip_prefix("https://github.com/")
            .unwrap();
        assert!(NEWEST_RELEASE_API_URL.contains(&format!("/{repository}/releases/")));
    }

    #[test]
    fn keeps_an_answer_for_a_week() {
        let scratch = TestFolder::new();
        let file = scratch.0.join("config/updates.txt");
        assert_eq!(stored_answer(&file), None);
        store_answer(&file, Version::parse("9.9.9"));
        assert_eq!(stored_answer(&file), Some(UpdateAnswer(Version::parse("9.9.9"))));
        store_answer(&file, None);
        assert_eq!(
            stored_answer(&file),
            Some(UpdateAnswer(None)),
            "nobody answered, and is not asked again today"
        );
        for stale in [
            format!("{} 9.9.9", now().as_secs() - ANSWER_LIFETIME.as_secs() - 1),
            format!("{} -", now().as_secs() - FAILURE_LIFETIME.as_secs() - 1),
            "nonsense".to_owned(),
            "99999999999999999999 1".to_owned(),
        ] {
            shogibar_files::write_whole(&file, stale.as_bytes()).unwrap();
            assert_eq!(stored_answer(&file), None, "{stale}");
        }
    }
}
