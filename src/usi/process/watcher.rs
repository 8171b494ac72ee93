//! Who ends an engine and all it started when we are killed ourselves and can end nothing any more.

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use std::io::{self, Write as _};
use std::process::{ChildStdin, Stdio};

/// A process of its own that waits for the end of its input, of which nobody but us holds the other
/// end. The kernel closes that however we die, and then the watcher kills the engine's group. A line
/// tells it that there is nothing left to watch.
///
/// It is a shell, because that is on every Unix; a copy of this program would have to be found first.
/// In its own group, and deaf to what a terminal sends, it does not go when we are interrupted.
#[derive(Debug)]
pub(super) struct Watcher {
    child: Box<dyn ChildWrapper>,
    stdin: Option<ChildStdin>,
}

const SCRIPT: &str = r#"trap '' HUP INT QUIT TERM; read -r _ && exit; kill -s KILL -- "-$1""#;

impl Watcher {
    /// Watches over the process group `group`.
    ///
    /// # Errors
    /// When there is no shell, or the system starts nothing more.
    pub(super) fn over(group: u32) -> io::Result<Self> {
        let mut command = CommandWrap::with_new("/bin/sh", |command| {
            command.args(["-c", SCRIPT, "shogibar-watcher"]).arg(group.to_string()).current_dir("/");
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
            // If it is gone already it kills nothing either.
            let _gone_already = stdin.write_all(b"\n");
        }
        let _not_ours = self.child.wait();
    }
}
