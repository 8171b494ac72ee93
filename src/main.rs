//! The `shogibar` program; all its code is in the library.

// Windows opens no console for a program of this subsystem, as it would be one more window. Output goes to the
// parent's console instead (`platform::join_console`).
#![cfg_attr(all(windows, feature = "gui"), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    shogibar::cli::main()
}
