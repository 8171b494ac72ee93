//! What the tests need from the machine: shared data, engines, a display. Where one is missing the
//! test says that it was skipped, unless `SHOGIBAR_REQUIRE` names it; then its absence is a failure.
#![allow(dead_code, reason = "each topic uses its own part")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The folder of shared test data, `SHOGIBAR_SHARED` or `../shared`.
pub(crate) fn shared(what: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SHOGIBAR_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = root.join(what);
    let found = path.exists().then_some(path);
    found_or_skipped(found, "shared", what)
}

/// A real engine installed from the system's packages.
pub(crate) fn engine(name: &str) -> Option<PathBuf> {
    found_or_skipped(program(name), "engines", name)
}

/// A program that the tests of engines behind a network need; a server is not on everybody's PATH.
pub(crate) fn server(name: &str) -> Option<PathBuf> {
    let found = program(name).or_else(|| Some(Path::new("/usr/sbin").join(name)).filter(|path| path.is_file()));
    found_or_skipped(found, "ssh", name)
}

/// A program that the tests of the real window need.
pub(crate) fn desktop_tool(name: &str) -> Option<PathBuf> {
    found_or_skipped(program(name), "desktop", name)
}

/// A program that asks over the network.
pub(crate) fn network_tool(name: &str) -> Option<PathBuf> {
    found_or_skipped(program(name), "network", name)
}

/// Node, where the packages of `tests/peers` are installed.
pub(crate) fn node_with_peers() -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/node_modules/tsshogi");
    found_or_skipped(program("node").filter(|_| package.exists()), "peers", "node with the packages of tests/peers")
}

/// A program on PATH, or where Debian puts games.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A folder for settings in which nothing is set, so that the tests do not touch those of whoever runs them.
pub(crate) fn no_settings() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-settings")
}

pub(crate) fn found_or_skipped<T>(found: Option<T>, need: &str, what: &str) -> Option<T> {
    let required = std::env::var("SHOGIBAR_REQUIRE").unwrap_or_default();
    let required = required.split([',', ' ']).any(|name| name == need);
    assert!(found.is_some() || !required, "SHOGIBAR_REQUIRE names {need}, but {what} is not here");
    if found.is_none() {
        // Past the test runner, which keeps what a passing test prints to itself.
        let _nowhere_to_say_it = writeln!(std::io::stderr(), "skipped: {what} is not here ({need})");
    }
    found
}

/// A program for a test, written in the language of the shell; gone when the test is.
#[cfg(unix)]
pub(crate) struct Script {
    folder: PathBuf,
    pub(crate) path: PathBuf,
}

#[cfg(unix)]
impl Script {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        use std::process::{Command, Stdio};
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("engine");
        // Written by another process: a child that another test starts at this moment would inherit
        // the open file from us, and a file that is open for writing cannot be run.
        let mut writer = Command::new("/bin/sh")
            .args(["-c", "cat >\"$1\" && chmod +x \"$1\"", "sh"])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        write!(writer.stdin.take().unwrap(), "#!/bin/sh\n{text}").unwrap();
        assert!(writer.wait().unwrap().success(), "{} cannot be written", path.display());
        Self { folder, path }
    }

    /// A file beside the script.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

#[cfg(unix)]
impl Drop for Script {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.folder);
    }
}

/// Whether the process runs; one that is dead and not yet buried does not.
#[cfg(target_os = "linux")]
pub(crate) fn is_running(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next()).is_some_and(|state| state != 'Z')
}

/// How long a test waits for what has to come. It only ends a test that hangs: nothing passes or fails by being fast.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// Whether it becomes true. Waits for [`PATIENCE`] at most.
pub(crate) fn eventually(mut is_true: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + PATIENCE;
    while !is_true() {
        if Instant::now() > until {
            return false;
        }
        std::thread::park_timeout(Duration::from_millis(10));
    }
    true
}

/// Sends a process a signal, as `INT`, or asks by `0` whether it is there; by the shell, whose own `kill` a system has
/// that has no program of that name.
#[cfg(unix)]
pub(crate) fn signal(name: &str, pid: u32) -> bool {
    let kill = format!("kill -{name} {pid}");
    std::process::Command::new("/bin/sh").args(["-c", &kill]).output().unwrap().status.success()
}

/// The process id that a script wrote into a file.
pub(crate) fn pid_in(file: &Path) -> u32 {
    let read = || std::fs::read_to_string(file).ok()?.strip_suffix('\n')?.parse().ok();
    assert!(eventually(|| read().is_some()), "nothing is written in {}", file.display());
    read().unwrap()
}
