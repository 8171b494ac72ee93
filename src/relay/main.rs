//! The program `shogibar-usi`: a relay between a shogi GUI and its engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    shogibar_relay::main(env!("CARGO_PKG_VERSION"))
}
