//! The real window on a real X server.

use crate::support;
use std::path::Path;
use std::process::Command;

/// What the script needs, each from the Debian package of its name but for `import` (imagemagick).
const TOOLS: &[&str] = &["Xvfb", "openbox", "picom", "xdotool", "import", "compare", "xprop", "pgrep"];

#[test]
fn the_first_command_opens_a_window_whose_numbers_move() {
    if !TOOLS.iter().all(|tool| support::desktop_tool(tool).is_some()) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("tests/desktop/first-command"))
        .env("SHOGIBAR_PROGRAM", env!("CARGO_BIN_EXE_shogibar"))
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{}", said.concat());
}
