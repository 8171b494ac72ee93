//! A watcher process that ends an engine and its children after this program was killed.

use super::OrphanEnd;
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use std::io::{self, Write as _};
use std::process::{ChildStdin, Stdio};

/// A process that waits for the end of its input, whose other end only this program holds. The kernel
/// closes that however this program ends, and the watcher then ends the engine's process group. A line
/// on its input tells it to exit without that.
///
/// It is a shell, because every Unix has one; a copy of this program would have to be found first.
/// It has its own process group and ignores terminal signals, so it survives an interrupt of this program.
#[derive(Debug)]
pub(super) struct Watcher {
    child: Box<dyn ChildWrapper>,
    stdin: Option<ChildStdin>,
}

/// Kills the group at once.
const KILL: &str = r#"trap '' HUP INT QUIT TERM; read -r _ && exit; kill -s KILL -- "-$1""#;
/// Asks the group to end, and kills it after a second unless it is gone by then.
const TERMINATE: &str = r#"trap '' HUP INT QUIT TERM; read -r _ && exit
kill -s TERM -- "-$1" || exit; kill -s CONT -- "-$1"
for _ in 1 2 3 4 5; do sleep 0.2; kill -s 0 -- "-$1" || exit; done
kill -s KILL -- "-$1""#;

impl Watcher {
    /// Starts a watcher for the process group `group`.
    ///
    /// # Errors
    /// When there is no shell, or the system cannot start a process.
    pub(super) fn spawn_for_group(group: u32, orphan: OrphanEnd) -> io::Result<Self> {
        let script = match orphan {
            OrphanEnd::Kill => KILL,
            OrphanEnd::Terminate => TERMINATE,
        };
        let mut command = CommandWrap::with_new("/bin/sh", |command| {
            command.args(["-c", script, "shogibar-watcher"]).arg(group.to_string()).current_dir("/");
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        });
        command.wrap(ProcessGroup::leader());
        let mut child = command.spawn()?;
        let stdin = child.stdin().take();
        Ok(Self { child, stdin })
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(mut stdin) = self.stdin.take() {
            // An error means that the watcher has exited; then it kills nothing either.
            let _gone_already = stdin.write_all(b"\n");
        }
        let _not_ours = self.child.wait();
    }
}
