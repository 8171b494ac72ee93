//! The names and patterns of `formations.toml`, by the description at the top of that file.

use super::pattern::Pattern;
use std::sync::LazyLock;

/// The word for a side without a name, in `replaces`.
pub(super) const UNNAMED: &str = "-";

/// The kind of a formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Castle,
    Opening,
    Handicap,
}

/// A formation of the file with its pattern, as the verifier reads it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) class: Class,
    pub(super) name: String,
    pub(super) name_en: String,
    pub(super) pattern: Pattern,
    pub(super) first_ply: usize,
    pub(super) last_ply: usize,
    /// The number of successive positions in which the pattern holds.
    pub(super) min_positions: usize,
    /// Whether the name is given to both sides.
    pub(super) is_of_both: bool,
    /// The names that this name may replace. [`UNNAMED`] stands for a side without a name.
    pub(super) replaces: Vec<String>,
    /// A position with the castle, or the moves of a game with the opening.
    pub(super) example: String,
}

impl Entry {
    const fn new(class: Class) -> Self {
        Self {
            class,
            name: String::new(),
            name_en: String::new(),
            pattern: Pattern::none(),
            first_ply: 0,
            last_ply: usize::MAX,
            min_positions: 1,
            is_of_both: false,
            replaces: Vec::new(),
            example: String::new(),
        }
    }

    /// Sets the value of a key. Returns whether the key is known and the value can be read.
    fn set(&mut self, key: &str, value: &str) -> bool {
        let number = value.parse().ok();
        match key {
            "name" => value.clone_into(&mut self.name),
            "en" => value.clone_into(&mut self.name_en),
            "from" => self.first_ply = number.unwrap_or(self.first_ply),
            "by" => self.last_ply = number.unwrap_or(self.last_ply),
            "hold" => self.min_positions = number.unwrap_or(self.min_positions),
            "side" => self.is_of_both = value == "both",
            "replaces" => self.replaces = value.split(' ').map(str::to_owned).collect(),
            "where" => match Pattern::parse(value) {
                Some(pattern) => self.pattern = pattern,
                None => return false,
            },
            "example" => value.clone_into(&mut self.example),
            _ => return false,
        }
        !matches!(key, "from" | "by" | "hold") || number.is_some()
    }
}

/// Returns all entries, in the order of the file. A file with an invalid line has none.
pub(super) fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> =
        LazyLock::new(|| parse(include_str!("../../../src/facts/formations.toml")).unwrap_or_default());
    &ENTRIES
}

/// Parses the file; `None` if a line is invalid.
fn parse(text: &str) -> Option<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line {
            "[[castle]]" => entries.push(Entry::new(Class::Castle)),
            "[[opening]]" => entries.push(Entry::new(Class::Opening)),
            "[[handicap]]" => entries.push(Entry::new(Class::Handicap)),
            _ => {
                let (key, value) = line.split_once(" = ")?;
                let value = value.strip_prefix('"')?.strip_suffix('"')?;
                if !entries.last_mut()?.set(key, value) {
                    return None;
                }
            }
        }
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_whole_file() {
        let count = |class| entries().iter().filter(|entry| entry.class == class).count();
        assert!(count(Class::Castle) >= 40, "{} castles", count(Class::Castle));
        assert!(count(Class::Opening) >= 60, "{} openings", count(Class::Opening));
        assert!(count(Class::Handicap) > 0, "handicaps");
        assert!(
            entries()
                .iter()
                .all(|entry| !entry.name.is_empty() && !entry.name_en.is_empty()),
            "names"
        );
        assert!(parse("[[castle]]\nwhere = \"X8h\"").is_none(), "an unknown piece");
        assert!(parse("[[castle]]\nwho = \"K8h\"").is_none(), "an unknown key");
    }
}
