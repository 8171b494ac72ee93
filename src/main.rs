//! The `shogibar` program; everything is in the library.

fn main() -> std::process::ExitCode {
    shogibar::cli::main()
}
