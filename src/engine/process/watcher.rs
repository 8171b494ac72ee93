//! A watcher process that ends an engine and its children after this program was killed.

use super::OrphanEnd;
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::{ChildStdin, Stdio};

/// A process that waits for the end of its input, whose other end only this program holds. The kernel closes that end
/// when this program ends for any reason. The watcher then ends the engine's process group. The first line of the input
/// is the id of the group. The engine's process writes this line before it becomes the engine, so that no engine runs
/// unwatched. After a second line, the watcher exits without ending the group.
///
/// The watcher is a shell, because every Unix has one. A copy of this program would have to be found first. The watcher
/// has a separate process group and ignores terminal signals, so it survives an interrupt of this program.
#[derive(Debug)]
pub(super) struct Watcher {
    child: Box<dyn ChildWrapper>,
    /// The end of the watcher's input that this program holds.
    stdin: Option<ChildStdin>,
}

const KILL_SCRIPT: &str = r#"trap '' HUP INT QUIT TERM
read -r group && [ -n "$group" ] || exit
read -r _ && exit
kill -s KILL -- "-$group""#;
/// The script that asks the group to end, and kills it after a second unless it is gone by then.
const TERMINATE_SCRIPT: &str = r#"trap '' HUP INT QUIT TERM
read -r group && [ -n "$group" ] || exit
read -r _ && exit
kill -s TERM -- "-$group" || exit; kill -s CONT -- "-$group"
for _ in 1 2 3 4 5; do sleep 0.2; kill -s 0 -- "-$group" || exit; done
kill -s KILL -- "-$group""#;

impl Watcher {
    /// Starts a watcher, which reads the id of the group from [`input`](Self::input).
    ///
    /// # Errors
    /// Fails if there is no shell, or the system cannot start a process.
    pub(super) fn spawn(orphan: OrphanEnd) -> io::Result<Self> {
        let script = match orphan {
            OrphanEnd::Kill => KILL_SCRIPT,
            OrphanEnd::Terminate => TERMINATE_SCRIPT,
        };
        let mut command = CommandWrap::with_new("/bin/sh", |command| {
            command.args(["-c", script, "shogibar-watcher"]).current_dir("/");
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
        });
        command.wrap(ProcessGroup::leader());
        let mut child = command.spawn()?;
        let stdin = child.stdin().take();
        Ok(Self { child, stdin })
    }

    /// Returns the watcher's input, for the engine's process; `None` where the system has no descriptor left.
    pub(super) fn input(&self) -> Option<OwnedFd> {
        self.stdin.as_ref()?.as_fd().try_clone_to_owned().ok()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(mut stdin) = self.stdin.take() {
            // An error means that the watcher has exited, and kills nothing.
            let _gone_already = stdin.write_all(b"\n");
        }
        let _not_ours = self.child.wait();
    }
}
