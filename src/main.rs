//! The `shogibar` program; everything is in the library.

// A program with windows is not given a console by Windows, which would be one more window. What has none joins the
// one it was started from (`platform::join_console`).
#![cfg_attr(all(windows, feature = "gui"), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    shogibar::cli::main()
}
