//! A page in the user's browser.

use process_wrap::std::CommandWrap;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use std::process::Stdio;

/// What hands an address to the user's browser: the system's own way, so that it is the browser they chose.
const OPENER: &[&str] = if cfg!(windows) {
    // Unlike `start` it is a program, has no console window and takes an address as it stands.
    &["rundll32.exe", "url.dll,FileProtocolHandler"]
} else if cfg!(target_os = "macos") {
    &["/usr/bin/open"]
} else {
    &["xdg-open"]
};

/// Shows an address in the user's browser, and says whether there was one. It may take as long as the browser runs,
/// which outlives us.
pub fn browse(address: &str) -> bool {
    let [opener, arguments @ ..] = OPENER else { return false };
    let mut command = CommandWrap::with_new(opener, |command| {
        command.args(arguments).arg(address);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    });
    // What interrupts us in a terminal is not meant for it.
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    command.spawn().and_then(|mut child| child.wait()).is_ok_and(|status| status.success())
}
