//! The real window on a real X server.

use crate::support;
use std::path::Path;
use std::process::Command;

/// The programs that the scripts need. Each is in the Debian package of the same name, except `import` (imagemagick)
/// and `xev` (x11-utils).
const TOOLS: &[&str] = &[
    "Xvfb", "openbox", "picom", "feh", "xdotool", "import", "compare", "convert", "xev", "xprop", "pgrep",
];

/// Runs a script of `tests/desktop` with the tested program, on a separate desktop. `parts` selects parts of the
/// script, if it has any.
fn run(script: &str, parts: &str) {
    if !TOOLS.iter().all(|tool| support::desktop_tool(tool).is_some()) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("tests/desktop").join(script))
        .env("SHOGIBAR_PROGRAM", env!("CARGO_BIN_EXE_shogibar"))
        .env("PARTS", parts)
        .output()
        .unwrap();
    let output_texts =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{}", output_texts.concat());
}

#[test]
fn the_first_command_opens_a_window_with_changing_numbers() {
    run("first-command", "");
}

#[test]
fn the_bar_s_window_has_the_properties_of_each_mode() {
    run("window-modes", "modes");
}

#[test]
fn clicks_pass_through_the_bar_and_come_back() {
    run("window-modes", "click_through");
}

#[test]
fn the_settings_are_open_where_no_key_brings_clicks_back() {
    run("window-modes", "keys");
}

#[test]
fn hands_are_entered_for_a_board_that_is_read() {
    run("enter-hands", "");
}

#[test]
fn the_bar_opens_at_the_last_position() {
    run("window-modes", "places");
}

#[test]
fn settings_notices_and_menus_show_at_once() {
    run("window-modes", "settings");
}

#[test]
fn bars_and_layouts_stay_on_the_screen() {
    run("window-modes", "layouts");
}

#[test]
fn without_a_compositor_nothing_is_transparent() {
    run("window-modes", "uncomposed");
}
