//! The program that runs a profile, or an engine that the user has named.

use super::{BUILT_IN_NAME, Profile};
use shogibar_engine::process::{Program, expand_tilde};
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

/// Returns the program that runs a profile. `built_in` returns the path of the program that contains the built-in
/// engine.
///
/// # Errors
/// Fails if the system does not report the current folder, or `built_in` fails.
pub fn profile_program(
    profile: &Profile,
    built_in: impl FnOnce() -> io::Result<PathBuf>,
) -> io::Result<Program> {
    let folder = profile
        .folder
        .as_ref()
        .map(expand_tilde)
        .map(std::path::absolute)
        .transpose()?;
    let program = named_program(profile.program.as_ref(), &profile.arguments, folder, built_in)?;
    let environment = profile
        .environment
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    Ok(Program {
        environment,
        ..program
    })
}

/// Returns the program that a user has named, with its arguments and its working folder. The name is `builtin`, a path,
/// or a program on `PATH` or in a common folder. `built_in` returns the path of the program that contains the built-in
/// engine.
///
/// # Errors
/// Fails if the system does not report the current folder, or `built_in` fails.
pub fn named_program(
    name: &OsStr,
    arguments: &[String],
    folder: Option<PathBuf>,
    built_in: impl FnOnce() -> io::Result<PathBuf>,
) -> io::Result<Program> {
    if name != BUILT_IN_NAME {
        return Program::named(name, arguments, folder);
    }
    let arguments = ["engine".into()]
        .into_iter()
        .chain(arguments.iter().map(Into::into))
        .collect();
    Ok(Program {
        path: built_in()?,
        arguments,
        folder,
        ..Program::default()
    })
}
