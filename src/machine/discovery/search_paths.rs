//! The default locations of engines on each system.

use shogibar_config::Platform;

use directories::{BaseDirs, UserDirs};
use std::env;
use std::path::PathBuf;

/// The paths of this machine that are searched for engines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPaths {
    /// The operating system, whose usual folders are searched.
    pub system: Platform,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The user's documents folder, if it is not `Documents` in the home folder.
    pub documents: Option<PathBuf>,
    /// The folder in which programs store their configuration files.
    pub config: Option<PathBuf>,
    /// The folders where programs are installed.
    pub program_folders: Vec<PathBuf>,
    /// Folders in which every user can create a folder, such as the root of a drive.
    pub world_writable: Vec<PathBuf>,
}

/// Common names of engine folders, chosen by users and by programs. Some systems are case-sensitive.
const ENGINE_FOLDER_NAMES: &[&str] = &[
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

/// The largest size of the engine list of `ShogiHome` that is read, in bytes.
const MAX_ENGINE_LIST_BYTES: usize = 4 << 20;

impl SearchPaths {
    /// Returns the paths of this machine and user.
    pub fn here() -> Self {
        let system = Platform::here();
        let variable = |name| {
            env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let installed = match system {
            Platform::Windows => {
                let local = variable("LOCALAPPDATA").map(|local| local.join("Programs"));
                let programs = ["ProgramFiles", "ProgramFiles(x86)"]
                    .into_iter()
                    .filter_map(variable);
                programs.chain(local).collect()
            }
            Platform::MacOs => vec![
                "/Applications".into(),
                "/opt/homebrew/opt".into(),
                "/usr/local/opt".into(),
            ],
            Platform::Debian | Platform::Unix => {
                vec!["/opt".into(), "/usr/local/share".into(), "/usr/local".into()]
            }
        };
        let drive = if system == Platform::Windows {
            variable("SystemDrive")
        } else {
            None
        };
        Self {
            system,
            world_writable: drive
                .map(|drive| PathBuf::from(format!("{}\\", drive.display())))
                .into_iter()
                .collect(),
            home: BaseDirs::new().map(|folders| folders.home_dir().to_owned()),
            documents: UserDirs::new().and_then(|folders| Some(folders.document_dir()?.to_owned())),
            config: BaseDirs::new().map(|folders| folders.config_dir().to_owned()),
            program_folders: installed,
        }
    }

    /// Returns the engine folders that every user can create. Programs in them are not run before the user has added
    /// them.
    pub fn exposed_engine_folders(&self) -> impl Iterator<Item = PathBuf> {
        self.world_writable
            .iter()
            .flat_map(|base| ENGINE_FOLDER_NAMES.iter().map(|name| base.join(name)))
    }

    /// Returns the folders below which engines are searched by name. Not all of them exist.
    pub fn engine_folders(&self) -> Vec<PathBuf> {
        let documents = self.home.as_ref().map(|home| home.join("Documents"));
        let user_folders = [&self.home, &documents, &self.documents].into_iter().flatten();
        let mut folders: Vec<_> = user_folders
            .chain(&self.program_folders)
            .chain(&self.world_writable)
            .flat_map(|base| ENGINE_FOLDER_NAMES.iter().map(|name| base.join(name)))
            .collect();
        let mut seen = std::collections::BTreeSet::new();
        // On case-insensitive systems, two of these names can be one folder.
        folders.retain(|folder| seen.insert(folder.canonicalize().unwrap_or_else(|_| folder.clone())));
        folders
    }

    /// Returns the program files of the engines that are registered in `ShogiHome`, from its JSON list.
    pub fn shogihome_engines(&self) -> Vec<PathBuf> {
        let read = || {
            let file = self
                .config
                .as_ref()?
                .join("electron-shogi")
                .join("usi_engine.json");
            let list: serde_json::Value =
                serde_json::from_slice(&shogibar_files::read(&file, MAX_ENGINE_LIST_BYTES).ok()?).ok()?;
            let paths = list
                .get("engines")?
                .as_object()?
                .values()
                .filter_map(|engine| engine.get("path")?.as_str());
            Some(
                paths
                    .map(PathBuf::from)
                    .filter(|path| path.is_absolute())
                    .collect(),
            )
        };
        read().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_base_folder_has_the_default_engine_folders() {
        let paths = SearchPaths {
            system: Platform::Windows,
            home: Some("/Users/name".into()),
            program_folders: vec!["/Program Files (x86)".into()],
            ..SearchPaths::default()
        };
        let folders = paths.engine_folders();
        for folder in [
            "/Users/name/engines",
            "/Users/name/Documents/将棋",
            "/Program Files (x86)/ShogiGUI",
        ] {
            assert!(folders.contains(&PathBuf::from(folder)), "{folder}");
        }
        assert_eq!(SearchPaths::default().engine_folders(), Vec::<PathBuf>::new());
    }
}
