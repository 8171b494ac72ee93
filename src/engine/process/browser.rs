//! Opens a page in the user's browser.

use process_wrap::std::CommandWrap;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use std::process::Stdio;

/// The system's command that opens an address in the default browser.
const OPENER: &[&str] = if cfg!(windows) {
    // Unlike `start` it is a program, has no console window and needs no quoting of the address.
    &["rundll32.exe", "url.dll,FileProtocolHandler"]
} else if cfg!(target_os = "macos") {
    &["/usr/bin/open"]
} else {
    &["xdg-open"]
};

/// Opens an address in the user's browser, and returns whether that succeeded. It may block as long as the
/// browser runs, which can outlive this program.
pub fn browse(address: &str) -> bool {
    let [opener, arguments @ ..] = OPENER else { return false };
    let mut command = CommandWrap::with_new(opener, |command| {
        command.args(arguments).arg(address);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    });
    // Ctrl+C in our terminal must not reach the browser.
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    command.spawn().and_then(|mut child| child.wait()).is_ok_and(|status| status.success())
}
