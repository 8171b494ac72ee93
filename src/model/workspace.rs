//! The state that is stored between runs: the games with their positions, and the bars with their engines.

use serde::{Deserialize, Serialize};
use shogibar_base::stable_hash::StableHasher;
use shogibar_kifu::{ClockTime, Millis};
use std::path::{Component, Path, PathBuf};

/// The games and bars of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Workspace {
    /// The index of the bar whose game the study page shows.
    #[serde(rename = "page")]
    pub study_bar: usize,
    /// The games that have a file or an address, or are on air, in the order of their tabs.
    pub games: Vec<WorkspaceGame>,
    /// The bars, in order.
    pub bars: Vec<WorkspaceBar>,
    /// The pages whose address names no game.
    #[serde(skip_serializing_if = "WorkspacePages::is_default")]
    pub pages: WorkspacePages,
    /// Whether only numbers are shown of every game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub numbers_only: bool,
    /// The delay of games that have none of their own: `5`, `30s`, `end`; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub delay: String,
    /// The files, addresses and options of `shogibar serve`; empty for the windows. The same command goes on with the
    /// workspace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
}

/// The pages of the workspace whose address names no game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkspacePages {
    /// The index of the game; `None` for a game that is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// Whether the pages are locked to the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    /// Whether such a page was open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// The indices of the games on the pages of all games; `None` if no such page was open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<Vec<usize>>,
}

impl WorkspacePages {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A game of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkspaceGame {
    /// The absolute path of the game's file; empty if it has none.
    #[serde(skip_serializing_if = "is_empty_path")]
    pub path: PathBuf,
    /// The address from which the game is followed, without a password; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub address: String,
    /// The index of the game in the file.
    pub game: usize,
    /// The number of moves to the position. `None` is the last position, so that the newest move of a growing game is
    /// shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// The moves to the position in USI, if it is in a variation.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub line: String,
    /// The number of the game on the pages, from 1; 0 if it gets the next one.
    #[serde(skip_serializing_if = "is_zero")]
    pub number: usize,
    /// Whether viewers see only numbers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub numbers_only: bool,
    /// The delay for viewers: `5`, `30s`, `end`; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub delay: String,
    /// Whether the user plays the game; `None` if the user has not said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<bool>,
    /// The credit; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub credit: String,
    /// The position that outputs on air show; `None` for a game that is not on air.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_air: Option<WorkspacePosition>,
}

/// The position of a game that outputs on air show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkspacePosition {
    /// The start and the moves, as after USI's `position`.
    pub usi: String,
    /// The name of the player with Black; empty if unknown.
    pub black: String,
    /// The name of the player with White; empty if unknown.
    pub white: String,
    /// The name of the event; empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// Whether the sides are called 下手 and 上手.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub handicap: bool,
    /// Whether the game was in progress elsewhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub live: bool,
    /// Whether the user has closed the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// The clock of Black; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<StoredClock>,
    /// The clock of White; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<StoredClock>,
}

/// A clock, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoredClock {
    /// The remaining time.
    Remaining(u64),
    /// The time used.
    Used(u64),
}

impl From<ClockTime> for StoredClock {
    fn from(clock: ClockTime) -> Self {
        match clock {
            ClockTime::Remaining(time) => Self::Remaining(time.0),
            ClockTime::Used(time) => Self::Used(time.0),
        }
    }
}

impl From<StoredClock> for ClockTime {
    fn from(clock: StoredClock) -> Self {
        match clock {
            StoredClock::Remaining(time) => Self::Remaining(Millis(time)),
            StoredClock::Used(time) => Self::Used(Millis(time)),
        }
    }
}

/// A bar of the workspace.
#[expect(clippy::struct_excessive_bools, reason = "each flag is an entry of the file")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkspaceBar {
    /// The index of the bar's game in the workspace; `None` for a game that is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// The names of the bar's engines.
    pub engines: Vec<String>,
    /// The index of the engine that the bar follows; `None` for the mean of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow: Option<usize>,
    /// Whether the bar shows the values of another bar of its game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub borrows: bool,
    /// Whether the bar is locked to its game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    /// Whether the bar has no engine of its own, because others already worked when it was added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shares: bool,
    /// Whether the evaluation is hidden on the bar while it is on air.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// Returns the absolute path, without `..`. Links are not followed, because the disk is not read.
pub fn absolute(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in std::path::absolute(path)
        .unwrap_or_else(|_| path.to_owned())
        .components()
    {
        if part == Component::ParentDir {
            clean.pop();
        } else {
            clean.push(part);
        }
    }
    clean
}

/// Returns whether a number is 0, so that it is not written.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Returns whether a path is empty, so that it is not written.
fn is_empty_path(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

impl WorkspaceGame {
    /// Returns whether the game has a file or an address.
    pub fn has_source(&self) -> bool {
        !self.address.is_empty() || !is_empty_path(&self.path)
    }

    /// Returns the name under which the game's values are stored: a hash of its address, file and index in the file.
    pub fn name(&self) -> u64 {
        let mut hasher = StableHasher::new();
        hasher.add_text(&self.address);
        hasher.add_text(&self.path.to_string_lossy());
        hasher.add(&self.game.to_le_bytes());
        hasher.finish()
    }
}

impl Workspace {
    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        // Only a path that is not UTF-8 cannot be written. `AppModel` leaves such paths out, so the default is never
        // used.
        toml::to_string(self).unwrap_or_default()
    }

    /// Reads the text of the file. The workspace is empty if it cannot be read.
    pub fn from_text(text: &str) -> Self {
        toml::from_str(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_read_back() {
        let workspace = Workspace {
            study_bar: 1,
            games: vec![
                WorkspaceGame {
                    path: "/棋譜/名人戦 \"1\".kif".into(),
                    game: 2,
                    address: String::new(),
                    ply: Some(42),
                    line: "7g7f 3c3d".to_owned(),
                    number: 3,
                    numbers_only: true,
                    delay: "30s".to_owned(),
                    own: Some(true),
                    credit: "水面杯".to_owned(),
                    on_air: Some(WorkspacePosition {
                        usi: "startpos moves 7g7f".to_owned(),
                        black: "甲".to_owned(),
                        white: String::new(),
                        event: "水面杯".to_owned(),
                        handicap: true,
                        live: true,
                        closed: true,
                        black_clock: Some(StoredClock::Remaining(540_000)),
                        white_clock: Some(StoredClock::Used(61_000)),
                    }),
                },
                WorkspaceGame {
                    path: "C:\\a.csa".into(),
                    ..WorkspaceGame::default()
                },
                WorkspaceGame {
                    address: "csa://me@h/g".to_owned(),
                    ..WorkspaceGame::default()
                },
            ],
            bars: vec![
                WorkspaceBar {
                    game: Some(0),
                    engines: vec!["水匠".to_owned(), "builtin".to_owned()],
                    follow: None,
                    borrows: false,
                    locked: true,
                    shares: false,
                    hidden: true,
                },
                WorkspaceBar {
                    borrows: true,
                    follow: Some(0),
                    ..WorkspaceBar::default()
                },
                WorkspaceBar {
                    shares: true,
                    ..WorkspaceBar::default()
                },
            ],
            pages: WorkspacePages {
                game: Some(1),
                locked: true,
                open: true,
                listed: Some(vec![0, 2]),
            },
            numbers_only: true,
            delay: "5".to_owned(),
            command: vec!["/棋譜/game.kif".to_owned()],
        };
        assert_eq!(Workspace::from_text(&workspace.to_text()), workspace);
        for text in [
            "",
            "x",
            "page = -1",
            "games = 3",
            "[[games]]\npath = 1",
            "future = true",
        ] {
            assert_eq!(Workspace::from_text(text), Workspace::default(), "{text}");
        }
    }
}
