//! Opens a page in the user's browser, or a program with a window.

#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};
use shogibar_base::threads::{self, Thread};
use std::io;
use std::path::Path;
use std::process::Stdio;

/// The system's command that opens an address in the default browser.
const OPEN_COMMAND: &[&str] = if cfg!(windows) {
    // Unlike `start`, this is a program, has no console window, and needs no quoting of the address.
    &["rundll32.exe", "url.dll,FileProtocolHandler"]
} else if cfg!(target_os = "macos") {
    &["/usr/bin/open"]
} else {
    &["xdg-open"]
};

/// Opens an address in the user's browser, and returns whether that succeeded. The call may block as long as the
/// browser runs, which can outlive this program.
pub fn browse(address: &str) -> bool {
    let [opener, arguments @ ..] = OPEN_COMMAND else {
        return false;
    };
    let started = start_detached(opener.as_ref(), arguments.iter().copied().chain([address]), None);
    started
        .and_then(|mut child| child.wait())
        .is_ok_and(|status| status.success())
}

/// Starts a program with a window and an additional environment variable. The program outlives this one.
///
/// # Errors
/// Fails if the program cannot be started.
pub fn open_program(path: &Path, environment: Option<(&str, &Path)>) -> io::Result<()> {
    let mut child = start_detached(path, [], environment)?;
    // The exit status is collected, so that no zombie process remains.
    threads::spawn("opened program", move || _ = child.wait()).map(Thread::detach)
}

/// Starts a program without input and output, in a separate process group.
fn start_detached<'a>(
    program: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
    environment: Option<(&str, &Path)>,
) -> io::Result<Box<dyn ChildWrapper>> {
    let mut command = CommandWrap::with_new(program, |command| {
        command.args(arguments).envs(environment);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
    });
    // Ctrl+C in the terminal of this program must not reach the other one.
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    command.spawn()
}
