//! The operating system. The advice on installing an engine and the folders that are searched for engines depend on it.

use std::env;
use std::path::Path;

/// The system, as far as it affects the discovery of engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Platform {
    /// Debian, Ubuntu and their derivatives, which have engine packages.
    Debian,
    /// Another Linux, or a similar system.
    #[default]
    Unix,
    /// Windows.
    Windows,
    /// macOS.
    MacOs,
}

impl Platform {
    /// Returns the current system.
    pub fn here() -> Self {
        match env::consts::OS {
            "windows" => Self::Windows,
            "macos" => Self::MacOs,
            _ if Path::new("/usr/bin/apt").exists() => Self::Debian,
            _ => Self::Unix,
        }
    }
}
