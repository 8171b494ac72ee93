//! Engines on this machine: found by name, by path, and by looking where they usually are.

use crate::config::Presets;
use crate::usi::process::Program;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, io};

/// The name of the engine inside this program.
pub const BUILT_IN: &str = "builtin";

/// Where engines are besides `PATH`: Debian puts games in a folder that is often not on it.
const USUAL_FOLDERS: &[&str] =
    if cfg!(windows) { &[] } else { &["/usr/games", "/usr/local/games", "/opt/homebrew/bin"] };

/// An engine that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// What the user calls it: `builtin`, a program's name, or a path.
    pub name: String,
    /// How it is started.
    pub program: Program,
}

/// The engine a user means: `builtin`, a path, or the name of a program on `PATH` or in one of the
/// usual folders. What is not there is taken as it is: it shows when it is started, and is said where
/// everything is said that goes wrong with an engine.
///
/// # Errors
/// When the system does not say where we are: in which folder, or which program.
pub fn find(name: &str) -> io::Result<Engine> {
    let path = Path::new(name);
    let program = if name == BUILT_IN {
        Program { path: env::current_exe()?, arguments: vec!["engine".into()] }
    } else if path.components().count() > 1 {
        Program { path: std::path::absolute(path)?, arguments: Vec::new() }
    } else {
        Program { path: look_up(name).unwrap_or_else(|| path.to_owned()), arguments: Vec::new() }
    };
    Ok(Engine { name: name.to_owned(), program })
}

/// The built-in engine, then every known engine on this machine, each file once.
pub fn all(presets: &Presets) -> Vec<Engine> {
    let known = presets.engines.iter().flat_map(|preset| &preset.programs);
    let mut seen = BTreeSet::new();
    let found = known.filter_map(|name| {
        let path = look_up(name)?;
        let new = seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
        new.then(|| Engine { name: (*name).clone(), program: Program { path, arguments: Vec::new() } })
    });
    find(BUILT_IN).into_iter().chain(found).collect()
}

fn look_up(name: &str) -> Option<PathBuf> {
    which::which(name).ok().or_else(|| {
        let folders = env::join_paths(USUAL_FOLDERS).ok()?;
        which::which_in(name, Some(folders), "/").ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_found_by_name_and_by_path() {
        assert_eq!(find(BUILT_IN).unwrap().program.arguments, ["engine"]);
        assert!(find("./engine").unwrap().program.path.is_absolute(), "it may run in another folder");
        let nobody = find("nobody's-engine").unwrap();
        assert_eq!(nobody.program.path, Path::new("nobody's-engine"));
    }
}
