//! The relay between a shogi GUI and its engine, and the local socket to the running window.
//!
//! A GUI starts `shogibar-usi` as its engine. The relay starts the real engine and passes on every byte. A copy goes to
//! the window. Forwarding comes first: the copy waits in a bounded queue and is dropped if that is full. The relay has
//! no window code, and a crash or hang of the window never touches the game (`docs/architecture.md`).

mod arguments;
mod engine;
mod exit;
mod forward;
pub mod link;
mod pipes;
pub mod socket;
mod tap;
mod text;
mod window;

pub use arguments::command;

use std::io::Write as _;
use std::process::ExitCode;
use text::RelayError;

/// Runs the relay. `version` is that of the program. The exit code and the signal are those of the engine. The exit
/// code is 2 without an engine or after a usage error, and 0 after the help.
pub fn main(version: &'static str) -> ExitCode {
    let arguments = match arguments::parse(version) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let config = engine::RelayConfig::read();
    match engine::choose(&arguments, &config).and_then(|engine| forward::run(&engine, &config)) {
        Ok(reason) => exit::end_like(reason),
        Err(error) => report_failure(&error),
    }
}

/// Reports why there is no engine: to the GUI as a line that it shows, and on standard error. Returns the exit code 2.
fn report_failure(error: &RelayError) -> ExitCode {
    // A name may contain any characters, so control characters are replaced.
    let line: String = error
        .to_string()
        .chars()
        .map(|c| {
            if shogibar_base::visible::is_control(c) {
                '?'
            } else {
                c
            }
        })
        .collect();
    let mut output = std::io::stdout();
    // The GUI may be gone already, so an error is ignored.
    let _best_effort = writeln!(output, "info string shogibar-usi: {line}").and_then(|()| output.flush());
    let _best_effort = writeln!(std::io::stderr(), "shogibar-usi: {line}");
    ExitCode::from(2)
}
