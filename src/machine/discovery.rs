//! Engines on this machine: profiles, programs by name or path, a scan of common folders, and a probe of each; the
//! default number of threads of each.

mod cache;
mod search_paths;

pub use cache::probe_all;
pub use search_paths::SearchPaths;

use shogibar_config::{Profile, Profiles, named_program, profile_program};
use shogibar_engine::options::{EngineNumber, Presets};
use shogibar_engine::process::{Program, expand_tilde, find_program};
use shogibar_engine::session::SessionConfig;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io};

/// The time that a named engine has to identify itself. Engines over a network need longer.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(20);
/// The time that each engine of a scan has to identify itself. A scan may find many engines, so this time is shorter.
pub const SCAN_PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// The name of the built-in engine.
pub const BUILT_IN_NAME: &str = shogibar_config::BUILT_IN_NAME;

/// An engine that can be started.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundEngine {
    /// The name: that of a profile, `builtin`, a program name or a path.
    pub name: String,
    /// The engine's program and its arguments.
    pub program: Program,
    /// The engine's profile, if there is one.
    pub profile: Option<Profile>,
    /// Whether other users can put programs at this path. Such an engine is not run before the user has added it.
    pub is_exposed: bool,
}

impl FoundEngine {
    /// Returns whether the user has added the engine: it has a profile, and is not the built-in one.
    pub fn is_added_by_user(&self) -> bool {
        self.profile.is_some() && self.name != BUILT_IN_NAME
    }

    /// Returns the session configuration where `engines` engines run: the values of the profile, else the defaults.
    pub fn session(&self, engines: usize) -> SessionConfig {
        let (profile, default) = (self.profile.clone().unwrap_or_default(), default_session(engines));
        let number = |number| profile.number(number);
        SessionConfig {
            multipv: number(EngineNumber::MultiPv).unwrap_or(default.multipv),
            threads: number(EngineNumber::Threads).unwrap_or(default.threads),
            hash_mb: number(EngineNumber::Hash).unwrap_or(default.hash_mb),
            model: profile.model,
            limit: profile.limit.unwrap_or(default.limit),
            has_user_limit: profile.limit.is_some(),
            options: profile.options,
            ..default
        }
    }
}

/// Returns the default session configuration of one of `engines` engines. Together they use half of the processors.
pub fn default_session(engines: usize) -> SessionConfig {
    let half = std::thread::available_parallelism().map_or(1, |n| n.get().div_euclid(2));
    let threads = u32::try_from(half.div_euclid(engines.max(1)).max(1)).unwrap_or(u32::MAX);
    SessionConfig {
        threads,
        presets: shogibar_config::built_in_presets(),
        ..SessionConfig::default()
    }
}

/// Finds an engine: a profile, `builtin`, a path, or a program on `PATH` or in a common folder. A missing program is no
/// error here: its start reports it.
///
/// # Errors
/// Fails if the current folder or the path of this program is unknown.
pub fn find(name: impl AsRef<OsStr>, profiles: &Profiles) -> io::Result<FoundEngine> {
    let name = name.as_ref();
    if let Some(profile) = name.to_str().and_then(|name| profiles.get(name)) {
        return from_profile(profile);
    }
    let program = named_program(name, &[], None, env::current_exe)?;
    Ok(FoundEngine {
        name: name.display().to_string(),
        program,
        profile: None,
        is_exposed: false,
    })
}

/// Returns the default engine: the user's default profile, or the built-in one.
///
/// # Errors
/// Fails if the current folder or the path of this program is unknown.
pub fn default_engine(profiles: &Profiles) -> io::Result<FoundEngine> {
    profiles
        .default_profile()
        .map_or_else(|| find(BUILT_IN_NAME, profiles), from_profile)
}

/// Returns the engine with this profile.
///
/// # Errors
/// Fails if the current folder or the path of this program is unknown.
pub fn from_profile(profile: &Profile) -> io::Result<FoundEngine> {
    let program = profile_program(profile, env::current_exe)?;
    Ok(FoundEngine {
        name: profile.name().to_owned(),
        program,
        profile: Some(profile.clone()),
        is_exposed: false,
    })
}

/// Returns whether the folder of a profile exists.
pub fn is_folder(folder: &str) -> bool {
    expand_tilde(folder).is_dir()
}

/// Returns the built-in engine, then all known engines on this machine, each file once. The engines are searched on
/// `PATH` by name, in common folders and in the list of `ShogiHome`.
pub fn all(presets: &Presets, paths: &SearchPaths) -> Vec<FoundEngine> {
    let named = presets
        .programs()
        .filter_map(|name| Some((name.to_owned(), find_program(name)?)));
    let by_path = |path: PathBuf| (path.display().to_string(), path);
    let in_folders = paths
        .engine_folders()
        .into_iter()
        .flat_map(|folder| files_below(&folder))
        .filter(|path| is_program(path) && presets.knows_program(&program_stem(path)))
        .map(by_path);
    let registered = paths
        .shogihome_engines()
        .into_iter()
        .filter(|path| is_program(path))
        .map(by_path);
    let mut seen = BTreeSet::new();
    let found = named
        .chain(in_folders)
        .chain(registered)
        .filter_map(|(name, path)| {
            let file = path.canonicalize().unwrap_or_else(|_| path.clone());
            let is_exposed = paths
                .exposed_engine_folders()
                .any(|folder| path.starts_with(folder))
                || shogibar_files::others_can_write(&file);
            let new = seen.insert(file);
            let program = Program {
                path,
                ..Program::default()
            };
            new.then_some(FoundEngine {
                name,
                program,
                profile: None,
                is_exposed,
            })
        });
    find(BUILT_IN_NAME, &Profiles::default())
        .into_iter()
        .chain(found)
        .collect()
}

/// Returns the name of a program without the extension of an executable.
fn program_stem(path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    match name.rsplit_once('.') {
        Some((stem, "exe" | "EXE" | "bat" | "cmd" | "sh")) => stem.to_owned(),
        _ => name,
    }
}

/// Returns whether a file looks like a program of this system, by its name and its rights.
fn is_program(path: &Path) -> bool {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase());
    let named = match extension.as_deref() {
        Some("exe" | "bat" | "cmd") => cfg!(windows),
        Some("sh") => !cfg!(windows),
        // The name may have no extension, or end with a version or processor: `sunfish-1.2`.
        other => !cfg!(windows) && other.is_none_or(|end| !NON_PROGRAM_EXTENSIONS.contains(&end)),
    };
    named && shogibar_files::is_executable(path)
}

/// Extensions of files beside engines that are not programs. On some file systems every file is executable.
const NON_PROGRAM_EXTENSIONS: &[&str] = &[
    "bin", "nnue", "db", "txt", "md", "so", "dll", "dylib", "dat", "cfg", "ini", "json", "toml", "yaml",
    "yml", "onnx", "zip", "7z", "gz", "xz", "tar", "py", "cpp", "h", "o", "log", "html", "png",
];

/// The largest depth of the search below a folder, in levels of subfolders.
const MAX_FOLDER_DEPTH: u32 = 3;
/// The largest number of entries that are visited below a folder.
const MAX_FOLDER_ENTRIES: usize = 4000;

/// Returns the files below a folder, sorted by path. Hidden folders and links to folders are not searched.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut visited) = (Vec::new(), 0);
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for path in shogibar_files::list(&folder, MAX_FOLDER_ENTRIES.saturating_sub(visited)) {
            visited += 1;
            let hidden = path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if path.is_dir() && !path.is_symlink() && !hidden && depth < MAX_FOLDER_DEPTH {
                folders.push((path, depth + 1));
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_found_by_name_and_by_path() {
        let find = |name| find(name, &Profiles::default()).unwrap();
        assert_eq!(find(BUILT_IN_NAME).program.arguments, ["engine"]);
        assert!(
            find("./engine").program.path.is_absolute(),
            "it may run in another folder"
        );
        assert_eq!(find("nobody's-engine").program.path, Path::new("nobody's-engine"));
        assert!(
            find("~/engine").program.path.is_absolute(),
            "a home is not only the shell's"
        );
    }

    #[test]
    fn a_profile_takes_precedence() {
        let mut profiles = Profiles::default();
        assert_eq!(default_engine(&profiles).unwrap().name, BUILT_IN_NAME);
        let words = ["ssh", "host", "./engine"].map(str::to_owned);
        profiles.add(Profile::new("gpsusi", words)).unwrap();
        let engine = find("gpsusi", &profiles).unwrap();
        assert_eq!(
            engine.program.arguments,
            ["host", "./engine"],
            "the engine is another machine's"
        );
        assert_eq!(engine, default_engine(&profiles).unwrap());
        profiles.get_mut("gpsusi").unwrap().program = BUILT_IN_NAME.to_owned();
        assert_eq!(
            find("gpsusi", &profiles).unwrap().program.arguments,
            ["engine", "host", "./engine"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_relative_program_is_resolved_in_the_profile_s_folder() {
        let mut profile = Profile::new("a", ["bin/engine".to_owned()]);
        profile.folder = Some("/opt/shogi".to_owned());
        profile.environment.insert("A".to_owned(), "b".to_owned());
        let program = from_profile(&profile).unwrap().program;
        assert_eq!(program.path, Path::new("/opt/shogi/bin/engine"));
        assert_eq!(program.folder.as_deref(), Some(Path::new("/opt/shogi")));
        assert_eq!(program.environment, [("A".into(), "b".into())]);
    }

    #[cfg(unix)]
    #[test]
    fn a_script_runs_in_its_own_folder() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let node = from_profile(&Profile::new("a", ["node", "-x", manifest].map(str::to_owned)))
            .unwrap()
            .program;
        assert_eq!(
            node.folder.as_deref(),
            Some(Path::new(env!("CARGO_MANIFEST_DIR")))
        );
        let folder = env::temp_dir().join(format!("shogibar-script-{}", std::process::id()));
        shogibar_files::make_folder(&folder).unwrap();
        let script = folder.join("engine.sh");
        shogibar_files::write_whole(&script, b"").unwrap();
        let words = [script.to_str().unwrap(), "x"].map(str::to_owned);
        let program = from_profile(&Profile::new("a", words)).unwrap().program;
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(
            (program.path.as_path(), program.folder.as_deref()),
            (Path::new("/bin/sh"), Some(folder.as_path()))
        );
        assert_eq!(program.arguments, [script.into_os_string(), "x".into()]);
    }

    #[test]
    fn known_names_match_with_build_suffixes() {
        let presets = shogibar_config::built_in_presets();
        let check = |name: &str, expect| {
            assert_eq!(
                presets.knows_program(&program_stem(Path::new(name))),
                expect,
                "{name}"
            );
        };
        for name in [
            "YaneuraOu-by-gcc",
            "YaneuraOu_NNUE-tournament-clang++-avx2.exe",
            "yaneuraou",
            "Fairy-Stockfish-largeboard_x86-64-bmi2.exe",
            "gpsusi",
            "Suisho5-YaneuraOu-tournament.exe",
            "suisho5.sh",
            "apery_wcsc28",
            "tanuki-.exe",
            "sunfish4",
        ] {
            check(name, true);
        }
        for name in [
            "uninstall.exe",
            "aperyx",
            "stockfish",
            "gpsshell",
            "usi",
            "sunfishing",
        ] {
            check(name, false);
        }
    }

    #[cfg(unix)]
    #[test]
    fn engines_are_found_below_the_default_folders() {
        let root = env::temp_dir().join(format!("shogibar-discovery-{}", std::process::id()));
        let file = |path: &str, runs: bool| {
            let path = root.join(path);
            shogibar_files::make_folder(path.parent().unwrap()).unwrap();
            shogibar_files::write_whole(&path, b"").unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(if runs { 0o755 } else { 0o644 });
            std::fs::set_permissions(&path, mode).unwrap();
        };
        file("engines/水匠/YaneuraOu-avx2", true);
        file("engines/水匠/YaneuraOu.txt", true);
        file("engines/水匠/YaneuraOu-sse2", false);
        file("engines/other/thing", true);
        file("drive/engines/gpsusi", true);
        file("engines/open/deep/gpsusi", true);
        let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(root.join("engines/open"), everybody).unwrap();
        file("engines/a/b/c/d/YaneuraOu", true);
        file("engines/.git/YaneuraOu", true);
        file("config/own/engine", true);
        let list = format!(
            r#"{{"engines":{{"es://1":{{"path":"{}"}},"es://2":{{}}}}}}"#,
            root.join("config/own/engine").display()
        );
        shogibar_files::make_folder(&root.join("config/electron-shogi")).unwrap();
        shogibar_files::write_whole(
            &root.join("config/electron-shogi/usi_engine.json"),
            list.as_bytes(),
        )
        .unwrap();
        let paths = SearchPaths {
            home: Some(root.clone()),
            config: Some(root.join("config")),
            // The home lies on the drive, as on Windows.
            world_writable: vec![root.join("drive"), root.parent().unwrap().to_owned()],
            ..SearchPaths::default()
        };
        let found = all(&shogibar_config::built_in_presets(), &paths);
        let of_root = |engine: &FoundEngine| {
            Some((
                engine.program.path.strip_prefix(&root).ok()?.to_owned(),
                engine.is_exposed,
            ))
        };
        let here: Vec<_> = found.iter().filter_map(of_root).collect();
        let is_asked = |(path, exposed): (&str, bool)| (PathBuf::from(path), exposed);
        let expect = [
            ("engines/open/deep/gpsusi", true),
            ("engines/水匠/YaneuraOu-avx2", false),
            ("drive/engines/gpsusi", true),
            ("config/own/engine", false),
        ];
        assert_eq!(here, expect.map(is_asked));
        // An engine that other users could have put there is listed and not run. The file is empty, and could not be
        // started.
        let exposed: Vec<_> = found.into_iter().filter(|engine| engine.is_exposed).collect();
        let mut answers = Vec::new();
        probe_all(&exposed, None, SCAN_PROBE_TIMEOUT, |_, answer| {
            answers.push(answer.clone());
        })
        .unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(
            answers,
            [
                shogibar_engine::probe::ProbeAnswer::NotRun,
                shogibar_engine::probe::ProbeAnswer::NotRun
            ]
        );
    }
}
