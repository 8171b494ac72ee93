//! The requirements of the tests on the machine: shared data, engines, a display.
//!
//! A test that lacks one is skipped with a message. If `SHOGIBAR_REQUIRE` names the requirement, the test fails
//! instead.
#![allow(dead_code, reason = "each test module uses only some of it")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Returns a path in the folder of shared test data, `SHOGIBAR_SHARED` or `../shared`.
pub(crate) fn shared(what: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SHOGIBAR_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let path = root.join(what);
    let found = path.exists().then_some(path);
    found_or_skipped(found, "shared", what)
}

/// Returns the path of a real engine installed from the system's packages.
pub(crate) fn engine(name: &str) -> Option<PathBuf> {
    found_or_skipped(program(name), "engines", name)
}

/// Returns the path of a program for the tests of remote engines. A server is not on every user's PATH.
pub(crate) fn server(name: &str) -> Option<PathBuf> {
    let found =
        program(name).or_else(|| Some(Path::new("/usr/sbin").join(name)).filter(|path| path.is_file()));
    found_or_skipped(found, "ssh", name)
}

/// Returns the path of a program for the tests of the real window.
pub(crate) fn desktop_tool(name: &str) -> Option<PathBuf> {
    found_or_skipped(program(name), "desktop", name)
}

/// Returns the path of Node, where the packages of `tests/peers` are installed.
pub(crate) fn node_with_peers() -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/node_modules/tsshogi");
    found_or_skipped(
        program("node").filter(|_| package.exists()),
        "peers",
        "node with the packages of tests/peers",
    )
}

/// Returns the path of a Python with the text analysis of Open `JTalk`.
pub(crate) fn python_with_speech() -> Option<PathBuf> {
    let has_package = |python: &PathBuf| {
        let mut command = Command::new(python);
        command.args(["-c", "import pyopenjtalk"]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = program("python3").filter(has_package);
    found_or_skipped(found, "speech", "Python with pyopenjtalk-plus")
}

/// Finds a program on PATH or in `/usr/games`, Debian's folder for games.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// Returns an empty settings folder, so that tests ignore the settings of the user who runs them.
pub(crate) fn no_settings() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-settings")
}

/// Prints that the test is skipped if `found` is `None`.
///
/// # Panics
/// Panics if `found` is `None` and `SHOGIBAR_REQUIRE` names `need`.
pub(crate) fn found_or_skipped<T>(found: Option<T>, need: &str, what: &str) -> Option<T> {
    let required = std::env::var("SHOGIBAR_REQUIRE").unwrap_or_default();
    let required = required.split([',', ' ']).any(|name| name == need);
    assert!(
        found.is_some() || !required,
        "SHOGIBAR_REQUIRE names {need}, but {what} is not here"
    );
    if found.is_none() {
        // Written directly, because the test runner captures the output of a passing test.
        let _unreported = writeln!(std::io::stderr(), "skipped: {what} is not here ({need})");
    }
    found
}

/// A folder in which a test runs the program. Deleted on drop.
pub(crate) struct WorkFolder(pub(crate) PathBuf);

impl WorkFolder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _not_there_yet = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Returns the program in English, with this working folder and the settings in its subfolder `config`.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command
            .args(arguments)
            .args(["--lang", "en"])
            .current_dir(&self.0);
        command
            .env("SHOGIBAR_CONFIG", self.0.join("config"))
            .stdin(Stdio::null());
        command
    }

    /// Runs the program, and returns the exit code, the output and the messages.
    pub(crate) fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command(arguments).output().unwrap();
        let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(!err.contains("thread '"), "it panicked: {arguments:?}: {err}");
        (status.code().unwrap(), out, err)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.0);
    }
}

/// A program for a test, as a shell script. Deleted on drop.
#[cfg(unix)]
pub(crate) struct Script {
    folder: PathBuf,
    pub(crate) path: PathBuf,
}

#[cfg(unix)]
impl Script {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("engine");
        // Another process writes the file. Otherwise a child that another test starts now would inherit our open file,
        // and the file could not be run: it would be open for writing.
        let mut writer = Command::new("/bin/sh")
            .args(["-c", "cat >\"$1\" && chmod +x \"$1\"", "sh"])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        write!(writer.stdin.take().unwrap(), "#!/bin/sh\n{text}").unwrap();
        assert!(
            writer.wait().unwrap().success(),
            "{} cannot be written",
            path.display()
        );
        Self { folder, path }
    }

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

/// Returns whether the process runs. A zombie does not.
#[cfg(target_os = "linux")]
pub(crate) fn is_running(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status
        .rsplit(')')
        .next()
        .and_then(|rest| rest.trim_start().chars().next())
        .is_some_and(|state| state != 'Z')
}

/// The longest wait for an expected event. This limit only ends a test that hangs; no result depends on speed.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// Waits until the condition is true, for [`PATIENCE`] at most. Returns whether it became true.
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

/// Sends a signal such as `INT` to a process. The signal `0` checks whether it exists. Returns whether the signal was
/// sent. The `kill` of the shell is used, because some systems have no program of that name.
#[cfg(unix)]
pub(crate) fn signal(name: &str, pid: u32) -> bool {
    let kill = format!("kill -{name} {pid}");
    std::process::Command::new("/bin/sh")
        .args(["-c", &kill])
        .output()
        .unwrap()
        .status
        .success()
}

/// Waits for a script to write its process id into a file, and returns the id.
pub(crate) fn pid_in(file: &Path) -> u32 {
    let read = || {
        std::fs::read_to_string(file)
            .ok()?
            .strip_suffix('\n')?
            .parse()
            .ok()
    };
    assert!(
        eventually(|| read().is_some()),
        "nothing is written in {}",
        file.display()
    );
    read().unwrap()
}

/// A random number generator, `SplitMix64`. The same seed gives the same numbers.
#[derive(Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }
}
