//! Where engines usually are, on each system.

use crate::files;
use directories::{BaseDirs, UserDirs};
use std::env;
use std::path::{Path, PathBuf};

/// A system, as far as engines are had differently on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Platform {
    /// Debian, Ubuntu and what comes of them, which have packages of engines.
    Debian,
    /// Any other Linux, or a system like it.
    #[default]
    Unix,
    /// Windows.
    Windows,
    /// macOS.
    MacOs,
}

/// What of this machine says where engines may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPaths {
    /// The system.
    pub system: Platform,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The user's documents, where they are not `Documents` in the home.
    pub documents: Option<PathBuf>,
    /// Where programs keep their settings.
    pub config: Option<PathBuf>,
    /// Where programs are installed.
    pub installed: Vec<PathBuf>,
}

/// What users call the folder of their engines, and programs theirs. Case counts on some systems.
const NAMES: &[&str] = &[
    "engines",
    "Engines",
    "engine",
    "Engine",
    "shogi",
    "Shogi",
    "usi",
    "USI",
    "将棋",
    "将棋エンジン",
    "YaneuraOu",
    "yaneuraou",
    "ShogiHome",
    "ShogiGUI",
    "Shogidokoro",
    "shogi-engines",
];

/// The largest list of engines that is read of another program, in bytes.
const MOST: usize = 4 << 20;

impl Platform {
    /// This one.
    pub fn here() -> Self {
        match env::consts::OS {
            "windows" => Self::Windows,
            "macos" => Self::MacOs,
            _ if Path::new("/usr/bin/apt").exists() => Self::Debian,
            _ => Self::Unix,
        }
    }
}

impl SearchPaths {
    /// Those of this machine and user.
    pub fn here() -> Self {
        let system = Platform::here();
        let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let installed = match system {
            Platform::Windows => {
                let local = variable("LOCALAPPDATA").map(|local| local.join("Programs"));
                let drive = variable("SystemDrive").map(|drive| PathBuf::from(format!("{}\\", drive.display())));
                let programs = ["ProgramFiles", "ProgramFiles(x86)"].into_iter().filter_map(variable);
                programs.chain(local).chain(drive).collect()
            }
            Platform::MacOs => vec!["/Applications".into(), "/opt/homebrew/opt".into(), "/usr/local/opt".into()],
            Platform::Debian | Platform::Unix => vec!["/opt".into(), "/usr/local/share".into(), "/usr/local".into()],
        };
        Self {
            system,
            home: BaseDirs::new().map(|folders| folders.home_dir().to_owned()),
            documents: UserDirs::new().and_then(|folders| Some(folders.document_dir()?.to_owned())),
            config: BaseDirs::new().map(|folders| folders.config_dir().to_owned()),
            installed,
        }
    }

    /// Where programs are besides `PATH`: Debian puts games in a folder that is often not on it, and a
    /// window is not started from a shell that knows where Homebrew's and cargo's are.
    pub fn program_folders() -> Vec<PathBuf> {
        let fixed: &[&str] = if cfg!(windows) {
            &[]
        } else {
            &["/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin"]
        };
        let own: &[&str] = if cfg!(windows) {
            &["scoop/shims", "AppData/Local/Microsoft/WinGet/Links", ".cargo/bin"]
        } else {
            &[".local/bin", "bin", ".cargo/bin"]
        };
        let home = BaseDirs::new().map(|folders| folders.home_dir().to_owned());
        let own = own.iter().filter_map(|name| Some(home.as_ref()?.join(name)));
        fixed.iter().map(PathBuf::from).chain(own).collect()
    }

    /// The folders below which engines are looked for by their names; not all are there.
    pub fn engine_folders(&self) -> Vec<PathBuf> {
        let documents = self.home.as_ref().map(|home| home.join("Documents"));
        let own = [&self.home, &documents, &self.documents].into_iter().flatten();
        let mut folders: Vec<_> =
            own.chain(&self.installed).flat_map(|base| NAMES.iter().map(|name| base.join(name))).collect();
        let mut seen = std::collections::BTreeSet::new();
        // Where case does not count, two of the names are one folder.
        folders.retain(|folder| seen.insert(folder.canonicalize().unwrap_or_else(|_| folder.clone())));
        folders
    }

    /// The engines that the user has registered in `ShogiHome`, which keeps a list of them as JSON.
    pub fn registered(&self) -> Vec<PathBuf> {
        let read = || {
            let file = self.config.as_ref()?.join("electron-shogi").join("usi_engine.json");
            let list: serde_json::Value = serde_json::from_slice(&files::read(&file, MOST).ok()?).ok()?;
            let paths = list.get("engines")?.as_object()?.values().filter_map(|engine| engine.get("path")?.as_str());
            Some(paths.map(PathBuf::from).filter(|path| path.is_absolute()).collect())
        };
        read().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_base_has_the_usual_folders() {
        let places = SearchPaths {
            system: Platform::Windows,
            home: Some("/Users/name".into()),
            installed: vec!["/Program Files (x86)".into()],
            ..SearchPaths::default()
        };
        let folders = places.engine_folders();
        for folder in ["/Users/name/engines", "/Users/name/Documents/将棋", "/Program Files (x86)/ShogiGUI"] {
            assert!(folders.contains(&PathBuf::from(folder)), "{folder}");
        }
        assert_eq!(SearchPaths::default().engine_folders(), Vec::<PathBuf>::new());
    }
}
