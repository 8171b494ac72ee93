//! The real window on a real X server.

use crate::support;
use std::path::Path;
use std::process::Command;

/// What the scripts need, each from the Debian package of its name but for `import` (imagemagick) and `xev`
/// (x11-utils).
const TOOLS: &[&str] =
    &["Xvfb", "openbox", "picom", "feh", "xdotool", "import", "compare", "convert", "xev", "xprop", "pgrep"];

/// Runs a script of `tests/desktop` with the program that is tested.
fn run(script: &str) {
    if !TOOLS.iter().all(|tool| support::desktop_tool(tool).is_some()) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("tests/desktop").join(script))
        .env("SHOGIBAR_PROGRAM", env!("CARGO_BIN_EXE_shogibar"))
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{}", said.concat());
}

#[test]
fn the_first_command_opens_a_window_whose_numbers_move() {
    run("first-command");
}

#[test]
fn the_bar_s_window_is_in_each_mode_what_it_is_said_to_be() {
    run("window-modes");
}
