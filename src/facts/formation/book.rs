//! Reads `formations.toml`. The names are slices of the embedded text.

use super::pattern::Pattern;
use std::sync::LazyLock;

/// The formations of the file `formations.toml`.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// The castles. Of several that match, the first counts.
    pub(super) castles: Vec<Entry>,
    /// The openings. Of several that match at the same time, the first counts.
    pub(super) openings: Vec<Entry>,
    /// The handicaps, without patterns.
    pub(super) handicaps: Vec<Entry>,
}

/// A castle, an opening or a handicap of the file.
#[derive(Debug)]
pub(super) struct Entry {
    /// The Japanese name.
    pub(super) name: &'static str,
    /// The English name.
    pub(super) name_en: &'static str,
    /// The pattern; `None` for a handicap.
    pub(super) pattern: Option<Pattern>,
    /// Whether the name is given to both sides.
    pub(super) is_shared: bool,
    /// The names that this name may replace. [`UNNAMED`] stands for a side without a name.
    pub(super) replaces: Vec<&'static str>,
    /// The first ply at which the name can be given.
    pub(super) first_ply: u16,
    /// The last ply at which the name can be given.
    pub(super) last_ply: u16,
    /// The minimum number of successive positions in which the pattern must hold.
    pub(super) min_positions: u8,
    /// The example: for a castle an SFEN, for an opening a line after the start position.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests read it"))]
    pub(super) example: &'static str,
}

/// The word for a side without a name, in [`Entry::replaces`].
pub(super) const UNNAMED: &str = "-";

/// The text of the file.
pub(super) const FORMATIONS_TEXT: &str = include_str!("../formations.toml");

/// The formations of the program. An invalid file would give none, which a test excludes.
pub(super) static BOOK: LazyLock<Book> = LazyLock::new(|| Book::parse(FORMATIONS_TEXT).unwrap_or_default());

/// The keys and values of a table of the file.
#[derive(Debug, Default)]
struct Table(Vec<(&'static str, &'static str)>);

impl Book {
    /// Parses the subset of TOML that the file uses: `[[table]]`, `key = "text"`, comments.
    ///
    /// # Errors
    /// Fails with the invalid line, table, key or name.
    pub(super) fn parse(text: &'static str) -> Result<Self, &'static str> {
        let mut tables: Vec<(&'static str, Table)> = Vec::new();
        for line in text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            if let Some(table) = line.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
                tables.push((table, Table::default()));
                continue;
            }
            let (key, value) = line.split_once(" = ").ok_or(line)?;
            let value = value
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
                .ok_or(line)?;
            let (_, keys) = tables.last_mut().ok_or(line)?;
            keys.0.push((key, value));
        }
        let mut book = Self::default();
        for (table, keys) in tables {
            let list = match table {
                "castle" => &mut book.castles,
                "opening" => &mut book.openings,
                "handicap" => &mut book.handicaps,
                _ => return Err(table),
            };
            list.push(keys.to_entry()?);
        }
        Ok(book)
    }
}

impl Table {
    fn get(&self, key: &str) -> Option<&'static str> {
        self.0
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, value)| *value)
    }

    /// Creates the entry of a table.
    ///
    /// # Errors
    /// Fails with the unknown key, the missing key, or the name of an entry with an invalid value.
    fn to_entry(&self) -> Result<Entry, &'static str> {
        const KNOWN_KEYS: [&str; 9] = [
            "name", "en", "where", "side", "replaces", "from", "by", "hold", "example",
        ];
        if let Some((key, _)) = self.0.iter().find(|(key, _)| !KNOWN_KEYS.contains(key)) {
            return Err(key);
        }
        let name = self.get("name").ok_or("name")?;
        let number = |key, default| {
            self.get(key)
                .map_or(Ok(default), |value| value.parse().map_err(|_error| name))
        };
        Ok(Entry {
            name,
            name_en: self.get("en").ok_or(name)?,
            pattern: self
                .get("where")
                .map(|text| Pattern::parse(text).ok_or(name))
                .transpose()?,
            is_shared: match self.get("side") {
                None | Some("own") => false,
                Some("both") => true,
                Some(_) => return Err(name),
            },
            replaces: self
                .get("replaces")
                .unwrap_or(UNNAMED)
                .split_ascii_whitespace()
                .collect(),
            first_ply: number("from", 0)?,
            last_ply: number("by", u16::MAX)?,
            min_positions: number("hold", 1)?.try_into().map_err(|_error| name)?,
            example: self.get("example").unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_file() {
        let book = Book::parse(FORMATIONS_TEXT);
        assert!(book.is_ok(), "{:?}", book.err());
    }

    #[test]
    fn names_the_invalid_entry() {
        for (text, expect) in [
            ("name = \"a\"", "name = \"a\""),
            ("[[castle]]\nname: a", "name: a"),
            ("[[castle]]\nname = \"a", "name = \"a"),
            ("[[tower]]\nname = \"a\"", "tower"),
            ("[[castle]]\nen = \"a\"", "name"),
            ("[[castle]]\nname = \"a\"\nen = \"b\"\nwhere = \"X9\"", "a"),
            ("[[castle]]\nname = \"a\"\nen = \"b\"\nfrom = \"x\"", "a"),
            ("[[castle]]\nname = \"a\"\nen = \"b\"\nwho = \"x\"", "who"),
        ] {
            assert_eq!(Book::parse(text).err(), Some(expect), "{text}");
        }
    }
}
