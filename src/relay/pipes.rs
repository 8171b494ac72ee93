//! The standard input and output of the relay, without the buffers of the standard library.

use std::fs::File;
use std::io;

/// Opens standard input and output.
///
/// # Errors
/// Fails if the GUI has started the relay without standard input or output.
pub(super) fn open() -> io::Result<(File, File)> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        Ok((
            io::stdin().as_fd().try_clone_to_owned()?.into(),
            io::stdout().as_fd().try_clone_to_owned()?.into(),
        ))
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle as _;
        Ok((
            io::stdin().as_handle().try_clone_to_owned()?.into(),
            io::stdout().as_handle().try_clone_to_owned()?.into(),
        ))
    }
}

/// Waits until a non-blocking pipe can be read, or written if `writes`: some GUIs hand over such pipes. On other
/// systems than Unix, waits for a millisecond.
pub(super) fn wait_until_ready(pipe: &File, writes: bool) {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        let flags = if writes { PollFlags::OUT } else { PollFlags::IN };
        // Ignored: the next read or write reports the error.
        let _tried_again = poll(&mut [PollFd::new(pipe, flags)], None);
    }
    #[cfg(not(unix))]
    {
        let _unused = (pipe, writes);
        std::thread::park_timeout(std::time::Duration::from_millis(1));
    }
}

/// Waits until `output` has no reader any more, or the other end of `stop` is closed. Returns whether there is no
/// reader.
#[cfg(unix)]
pub(super) fn wait_until_unread(output: &File, stop: &io::PipeReader) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let mut both = [
        PollFd::new(output, PollFlags::empty()),
        PollFd::new(stop, PollFlags::empty()),
    ];
    while let Err(rustix::io::Errno::INTR) = poll(&mut both, None) {}
    both.first().is_some_and(|output| !output.revents().is_empty())
}

/// Closes the standard input for good, so that the GUI notices that its pipe has no reader.
pub(super) fn close_input(pipe: File) {
    drop(pipe);
    #[cfg(unix)]
    if let Ok(nothing) = File::open("/dev/null") {
        let _stays_open = rustix::stdio::dup2_stdin(&nothing);
    }
}

/// Closes the standard output for good, so that the GUI sees the end of the stream.
pub(super) fn close_output(pipe: File) {
    drop(pipe);
    #[cfg(unix)]
    if let Ok(nothing) = File::options().write(true).open("/dev/null") {
        let _stays_open = rustix::stdio::dup2_stdout(&nothing);
    }
}
