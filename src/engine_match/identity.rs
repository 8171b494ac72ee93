//! The identity of a match: its engines and their conditions, as stored in the file in its folder.

use serde::{Deserialize, Serialize};
use shogibar_base::stable_hash::StableHasher;
use std::collections::BTreeMap;
use std::path::Path;

/// The data that has to be unchanged when a match is continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchIdentity {
    /// The first engine and the second.
    pub engines: [MatchEngine; 2],
    /// The limit of a move.
    pub limit: String,
    /// The evaluation from which a game is certain, in centipawns; `None` if games are played to their end.
    pub resign: Option<u32>,
    /// The source of the openings: a seed, or a hash of them.
    pub openings: String,
}

/// The data that identifies an engine of a match and has to be unchanged when the match is continued.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchEngine {
    /// The name in the records.
    pub name: String,
    /// The program.
    pub program: String,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// The working folder; `None` if none is set.
    pub folder: Option<String>,
    /// The variables added to the engine's environment.
    pub environment: BTreeMap<String, String>,
    /// The options that the user has set.
    pub options: BTreeMap<String, String>,
    /// The number of threads.
    pub threads: u32,
    /// The memory for the engine's table, in MB.
    pub hash_mb: u32,
    /// The engine's files: the program, and the arguments that are files.
    pub files: Vec<MatchFile>,
    /// The engine's net; `None` without a net file that can be found.
    pub net: Option<String>,
}

/// A file of an engine of a match, with a hash that shows a change of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchFile {
    /// The path of the file.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// A hash of the content.
    pub hash: String,
}

/// The part of a match that differs from the file in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchDifference {
    /// An engine, by its index.
    Engine(usize),
    /// The limit, the openings, or the evaluation from which a game is certain.
    Conditions,
    /// The file cannot be read.
    Unreadable,
}

/// A match as stored in a file. The first version has only the names of the engines.
#[derive(Deserialize)]
struct StoredMatch {
    engines: [StoredEngine; 2],
    limit: String,
    resign: Option<u32>,
    openings: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum StoredEngine {
    /// All data of the engine.
    Whole(Box<MatchEngine>),
    /// The name of the engine, in a file of the first version.
    Name(String),
}

impl MatchEngine {
    /// Returns whether both engines are the same, except for the name.
    fn is_same_engine(&self, other: &Self) -> bool {
        let renamed = Self {
            name: other.name.clone(),
            ..self.clone()
        };
        renamed == *other
    }

    fn matches_stored(&self, stored: &StoredEngine) -> bool {
        match stored {
            StoredEngine::Whole(stored) => **stored == *self,
            StoredEngine::Name(name) => *name == self.name,
        }
    }
}

impl MatchIdentity {
    /// Makes the names of two different engines distinct, by adding the part in which their paths differ, or a number.
    pub fn make_names_distinct(&mut self) {
        let [one, other] = &self.engines;
        if one.name != other.name || self.is_self_play() {
            return;
        }
        let numbers = || ["#1", "#2"].map(str::to_owned);
        let differing = one
            .files
            .iter()
            .zip(&other.files)
            .find(|(one, other)| one.path != other.path);
        let marks = differing.map_or_else(numbers, |(one, other)| {
            let paths = [one, other].map(|file| Path::new(&file.path));
            let [by_name, by_folder] = [1, 2].map(|parts| paths.map(|path| last_parts(path, parts)));
            [by_name, by_folder]
                .into_iter()
                .find(|[one, other]| one != other)
                .unwrap_or_else(numbers)
        });
        for (engine, mark) in self.engines.iter_mut().zip(marks) {
            engine.name = format!("{} ({mark})", engine.name);
        }
    }

    /// Returns whether an engine plays against itself. With the colours swapped, it might play the same game again.
    pub fn is_self_play(&self) -> bool {
        let [one, other] = &self.engines;
        one.is_same_engine(other)
    }

    /// Returns the names of both engines.
    pub fn names(&self) -> [String; 2] {
        self.engines.each_ref().map(|engine| engine.name.clone())
    }

    /// Returns the content of the match's file.
    pub fn text(&self) -> String {
        // Every field can be written as JSON.
        serde_json::to_string_pretty(self)
            .map(|text| text + "\n")
            .unwrap_or_default()
    }

    /// Checks that a file is of this match. Data that an earlier version did not store is taken for equal.
    ///
    /// # Errors
    /// Fails with the first difference.
    pub fn check(&self, file: &[u8]) -> Result<(), MatchDifference> {
        let stored: StoredMatch =
            serde_json::from_slice(file).map_err(|_no_match| MatchDifference::Unreadable)?;
        let other = self
            .engines
            .iter()
            .zip(&stored.engines)
            .position(|(engine, stored)| !engine.matches_stored(stored));
        if let Some(other) = other {
            return Err(MatchDifference::Engine(other));
        }
        // The first version stored a hash that this version cannot compute.
        let has_openings =
            stored.openings == self.openings || StableHasher::is_hash_without_prefix(&stored.openings);
        if stored.limit == self.limit && stored.resign == self.resign && has_openings {
            Ok(())
        } else {
            Err(MatchDifference::Conditions)
        }
    }
}

/// Returns the last `count` parts of a path.
fn last_parts(path: &Path, count: usize) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts
        .get(parts.len().saturating_sub(count)..)
        .unwrap_or_default()
        .join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(name: &str, path: &str) -> MatchEngine {
        let file = |path: &str| MatchFile {
            path: path.to_owned(),
            size: 9,
            hash: "fnv1a:1".to_owned(),
        };
        MatchEngine {
            name: name.to_owned(),
            program: path.to_owned(),
            files: vec![file(path)],
            ..MatchEngine::default()
        }
    }

    fn identity(one: MatchEngine, other: MatchEngine) -> MatchIdentity {
        MatchIdentity {
            engines: [one, other],
            limit: "nodes 5".to_owned(),
            resign: None,
            openings: "seed 1".to_owned(),
        }
    }

    #[test]
    fn a_match_continues_with_the_same_engines_only() {
        let known = identity(engine("A", "/a"), engine("B", "/b"));
        let check = |change: fn(&mut MatchIdentity), expect| {
            let mut now = known.clone();
            change(&mut now);
            assert_eq!(now.check(known.text().as_bytes()), expect, "{now:?}");
        };
        check(|_| {}, Ok(()));
        check(
            |now| now.engines[0].files[0].hash.push('2'),
            Err(MatchDifference::Engine(0)),
        );
        check(
            |now| now.engines[1].program.push('2'),
            Err(MatchDifference::Engine(1)),
        );
        check(
            |now| now.engines[1].arguments.push("-x".to_owned()),
            Err(MatchDifference::Engine(1)),
        );
        check(
            |now| _ = now.engines[1].options.insert("X".to_owned(), "1".to_owned()),
            Err(MatchDifference::Engine(1)),
        );
        check(|now| now.engines[0].threads = 2, Err(MatchDifference::Engine(0)));
        check(
            |now| now.engines[0].net = Some("nn.bin 7".to_owned()),
            Err(MatchDifference::Engine(0)),
        );
        check(|now| now.engines.reverse(), Err(MatchDifference::Engine(0)));
        check(|now| now.limit.push('0'), Err(MatchDifference::Conditions));
        check(|now| now.resign = Some(5), Err(MatchDifference::Conditions));
        check(|now| now.openings.push('0'), Err(MatchDifference::Conditions));
        assert_eq!(known.check(b"{}"), Err(MatchDifference::Unreadable));
    }

    #[test]
    fn the_file_of_an_earlier_version_is_read() {
        let now = identity(engine("A", "/a"), engine("B", "/b"));
        let old = |names: [&str; 2], openings: &str| {
            let engines = names.map(|name| format!("\"{name}\"")).join(",");
            format!(
                "{{\"engines\":[{engines}],\"limit\":\"nodes 5\",\"openings\":\"{openings}\",\"resign\":null}}"
            )
        };
        assert_eq!(now.check(old(["A", "B"], "seed 1").as_bytes()), Ok(()));
        assert_eq!(now.check(old(["A", "B"], "0123456789abcdef").as_bytes()), Ok(()));
        assert_eq!(
            now.check(old(["A", "B"], "seed 2").as_bytes()),
            Err(MatchDifference::Conditions)
        );
        assert_eq!(
            now.check(old(["A", "C"], "seed 1").as_bytes()),
            Err(MatchDifference::Engine(1))
        );
    }

    #[test]
    fn engines_of_the_same_name_get_distinct_names() {
        let check = |one: MatchEngine, other: MatchEngine, expect: [&str; 2]| {
            let mut now = identity(one, other);
            now.make_names_distinct();
            assert_eq!(now.names(), expect);
        };
        check(engine("Y", "/x/a"), engine("Z", "/x/b"), ["Y", "Z"]);
        check(engine("Y", "/x/a"), engine("Y", "/x/b"), ["Y (a)", "Y (b)"]);
        check(
            engine("Y", "/old/y"),
            engine("Y", "/new/y"),
            ["Y (old/y)", "Y (new/y)"],
        );
        check(
            engine("Y", "/old/z/y"),
            engine("Y", "/new/z/y"),
            ["Y (#1)", "Y (#2)"],
        );
        check(engine("Y", "/x/a"), engine("Y", "/x/a"), ["Y", "Y"]);
        check(
            engine("Y", "/x/a"),
            MatchEngine {
                threads: 2,
                ..engine("Y", "/x/a")
            },
            ["Y (#1)", "Y (#2)"],
        );
        assert!(identity(engine("Y", "/x/a"), engine("Z", "/x/a")).is_self_play());
        assert!(!identity(engine("Y", "/x/a"), engine("Y", "/x/b")).is_self_play());
    }
}
