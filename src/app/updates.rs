//! Whether there is a newer version: asked once a week, and only where the user wants it.
//!
//! The request is made by the `curl` of the system, which Windows, macOS and nearly every Linux have: nothing here speaks
//! the network's languages, and nothing but the request for the newest release's number goes out.

use crate::files::{self, FileAccess};
use crate::session::Latest;
use crate::store::Store;
use crate::threads;
use crate::usi::process::{OutputLine, Program};
use serde::Deserialize;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where the number of the newest release is told.
pub const RELEASES: &str = "https://api.github.com/repos/shogibar/shogibar/releases/latest";
/// How long what was answered counts.
const WEEK: Duration = Duration::from_hours(7 * 24);
/// How long nobody is asked again where nobody answered.
const DAY: Duration = Duration::from_hours(24);
/// How long an answer is waited for, in seconds.
const PATIENCE: &str = "20";
/// Bytes of an answer that are read; GitHub's has some thousands.
const LONGEST_ANSWER: usize = 1 << 20;
/// The longest file of ours, in bytes.
const MOST_BYTES: usize = 1000;

/// A version, as `1.2.3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

impl Version {
    /// Whether there is something new in it for whoever has `own`, the version of a program: it is newer, or what that
    /// was a preview of.
    fn is_news_for(self, own: &str) -> bool {
        let (release, is_preview) = own.split_once('-').map_or((own, false), |(release, _)| (release, true));
        Self::parse(release).is_some_and(|own| self > own || is_preview && self == own)
    }

    /// The version of a tag; `None` for one that is no release, or one to be tried only.
    pub fn parse(tag: &str) -> Option<Self> {
        let mut parts = tag.strip_prefix('v').unwrap_or(tag).splitn(3, '.').map(|part| part.parse().ok());
        Some(Self([parts.next()??, parts.next()??, parts.next()??]))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// What came of asking: nothing, where nobody answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UpdateAnswer(Option<Version>);

/// What is known of newer versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateNews {
    /// There is this one.
    Newer(Version),
    /// There is none.
    Newest,
    /// Nobody answered.
    NoAnswer,
}

impl UpdateAnswer {
    fn news(self) -> UpdateNews {
        match self.0 {
            Some(version) if version.is_news_for(env!("CARGO_PKG_VERSION")) => UpdateNews::Newer(version),
            Some(_) => UpdateNews::Newest,
            None => UpdateNews::NoAnswer,
        }
    }
}

/// Asks for newer versions.
#[derive(Clone, Debug, Default)]
pub struct UpdateChecker(Latest<UpdateNews>);

impl UpdateChecker {
    /// Asks at `address`, on a thread of its own, unless that was done in the last seven days; `wake` is called when
    /// it is known what there is.
    pub fn start_check(&self, store: &Store, address: &str, wake: impl FnOnce() + Send + 'static) {
        let (file, address, news) = (store.updates_file(), address.to_owned(), self.0.clone());
        let look = move || {
            let known = remembered(&file);
            let answer = known.unwrap_or_else(|| {
                let newest = ask(&address);
                remember(&file, newest);
                UpdateAnswer(newest)
            });
            news.put(answer.news());
            wake();
        };
        if let Ok(thread) = threads::named("updates", look) {
            thread.detach();
        }
    }

    /// What there is, once it is known.
    pub fn news(&self) -> Option<UpdateNews> {
        self.0.take()
    }
}

/// The newest release, as the one who has them says; `None` where there is no answer.
fn ask(address: &str) -> Option<Version> {
    #[derive(Deserialize)]
    struct Release {
        tag_name: String,
    }
    // Nothing of what the user has set for curl goes along, as names or cookies would.
    let quiet = ["--disable", "--silent", "--fail", "--max-time", PATIENCE, "--user-agent", "shogibar"];
    let way = ["--location", "--proto-redir", "=https", address];
    let arguments = quiet.into_iter().chain(way).map(Into::into).collect();
    let curl = Program { path: which::which("curl").ok()?, arguments, ..Program::default() };
    let (inbox, lines) = sync_channel(64);
    let listener = move |output| {
        // An error means that enough has been heard.
        let _heard_enough = inbox.send(output);
    };
    let _ended_with_it = curl.start(listener).ok()?;
    let mut said = Vec::new();
    while let Ok(OutputLine::Line(line)) = lines.recv() {
        if said.len() + line.len() > LONGEST_ANSWER {
            return None;
        }
        said.extend(line);
    }
    let release: Release = serde_json::from_slice(&said).ok()?;
    Version::parse(&release.tag_name)
}

/// What was answered in the last seven days, or that nobody did in the last one; `None` where it is time to ask.
fn remembered(file: &Path) -> Option<UpdateAnswer> {
    let bytes = files::read(file, MOST_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (when, version) = text.trim().split_once(' ')?;
    let age = now().checked_sub(Duration::from_secs(when.parse().ok()?))?;
    let answer = Version::parse(version);
    let counts = if answer.is_some() { WEEK } else { DAY };
    (age < counts).then_some(UpdateAnswer(answer))
}

fn remember(file: &Path, version: Option<Version>) {
    let version = version.map_or_else(|| "-".to_owned(), |version| version.to_string());
    let line = format!("{} {version}\n", now().as_secs());
    let made = file.parent().is_none_or(|folder| files::make_folder(folder).is_ok());
    let _best_effort = made && files::write_as(FileAccess::Private, file, line.as_bytes()).is_ok();
}

/// Since 1970.
#[expect(clippy::disallowed_methods, reason = "when it was asked last is a date")]
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;

    #[test]
    fn versions_are_compared_by_number() {
        let check = |tag, expect: Option<[u32; 3]>| assert_eq!(Version::parse(tag), expect.map(Version), "{tag}");
        check("v1.2.30", Some([1, 2, 30]));
        check("0.10.0", Some([0, 10, 0]));
        check("v1.2.3-rc1", None);
        check("v1.2", None);
        check("latest", None);
        assert!(Version::parse("0.10.0") > Version::parse("0.9.9"));
        let check = |newest: &str, own, is_news| {
            assert_eq!(Version::parse(newest).unwrap().is_news_for(own), is_news, "{newest}, {own}");
        };
        check("0.2.0", "0.1.9", true);
        check("0.2.0", "0.2.0", false);
        check("0.2.0", "0.10.0", false);
        check("1.0.0", "1.0.0-rc.1", true);
        check("0.9.0", "1.0.0-rc.1", false);
        check("0.0.0", env!("CARGO_PKG_VERSION"), false);
        check("9999.0.0", env!("CARGO_PKG_VERSION"), true);
        let repository = env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/").unwrap();
        assert!(RELEASES.contains(&format!("/{repository}/releases/")));
    }

    #[test]
    fn what_was_answered_counts_for_a_week() {
        let scratch = TestFolder::new();
        let file = scratch.0.join("config/updates.txt");
        assert_eq!(remembered(&file), None);
        remember(&file, Version::parse("9.9.9"));
        assert_eq!(remembered(&file), Some(UpdateAnswer(Version::parse("9.9.9"))));
        remember(&file, None);
        assert_eq!(remembered(&file), Some(UpdateAnswer(None)), "nobody answered, and is not asked again today");
        for stale in [
            format!("{} 9.9.9", now().as_secs() - WEEK.as_secs() - 1),
            format!("{} -", now().as_secs() - DAY.as_secs() - 1),
            "nonsense".to_owned(),
            "99999999999999999999 1".to_owned(),
        ] {
            files::write_whole(&file, stale.as_bytes()).unwrap();
            assert_eq!(remembered(&file), None, "{stale}");
        }
    }
}
