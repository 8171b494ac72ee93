//! The second names of players, such as `Fujii Sota` for 藤井聡太. The user enters each once.

use super::super::table_reader::TableReader;
use super::field::Setting;
use std::collections::BTreeMap;
use toml::{Table, Value};

const MAX_PLAYERS: usize = 5_000;
/// The maximum length of a name, in characters.
const MAX_CHARS: usize = 80;

/// The titles and ranks that a record may append to a name. A name counts as the same with other ones.
const TITLES: [&str; 25] = [
    "竜王",
    "名人",
    "王位",
    "叡王",
    "王座",
    "棋王",
    "王将",
    "棋聖",
    "女王",
    "白玲",
    "清麗",
    "女流",
    "倉敷藤花",
    "初段",
    "二段",
    "三段",
    "四段",
    "五段",
    "六段",
    "七段",
    "八段",
    "九段",
    "十段",
    "アマ",
    "・",
];

/// The second names of players, by the names in records without spaces, titles and ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecondNames(BTreeMap<String, String>);

impl SecondNames {
    /// Returns the second name of a player; `None` if there is none.
    pub fn get(&self, player: &str) -> Option<&str> {
        self.0.get(&key(player)).map(String::as_str)
    }

    /// Sets the second name of a player. An empty name removes it. A name of more than 80 characters is cut off.
    pub fn set(&mut self, player: &str, second: &str) {
        let key = key(player);
        let second: String = second
            .trim()
            .chars()
            .filter(|letter| !letter.is_control())
            .take(MAX_CHARS)
            .collect();
        if key.is_empty() || second.is_empty() {
            self.0.remove(&key);
        } else if self.0.len() < MAX_PLAYERS || self.0.contains_key(&key) {
            self.0.insert(key, second);
        }
    }
}

/// Returns a player's name without spaces, titles and ranks. A name of nothing but titles stays.
fn key(player: &str) -> String {
    let name: String = player
        .chars()
        .filter(|letter| !letter.is_whitespace() && !letter.is_control())
        .collect();
    let mut rest = name.as_str();
    while let Some(shorter) = TITLES
        .iter()
        .find_map(|title| rest.strip_suffix(title))
        .filter(|rest| !rest.is_empty())
    {
        rest = shorter;
    }
    rest.to_owned()
}

impl Setting for SecondNames {
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
        let mut names = Self::default();
        for (player, second) in reader.take_texts_by_name(key) {
            names.set(&player, &second);
        }
        Some(names)
    }

    fn write_at(&self, table: &mut Table, key: &str) {
        if !self.0.is_empty() {
            let names = self
                .0
                .iter()
                .map(|(player, second)| (player.clone(), Value::String(second.clone())));
            table.insert(key.to_owned(), Value::Table(names.collect()));
        }
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        for player in before.0.keys().chain(after.0.keys()) {
            if before.0.get(player) != after.0.get(player) {
                self.set(player, after.0.get(player).map_or("", String::as_str));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    #[test]
    fn a_player_is_known_by_any_title() {
        let mut names = SecondNames::default();
        names.set("藤井聡太竜王・名人", " Fujii Sota ");
        for same in ["藤井聡太", "藤井 聡太", "藤井　聡太七段", "藤井聡太王位・王座"]
        {
            assert_eq!(names.get(same), Some("Fujii Sota"), "{same}");
        }
        for other in ["藤井猛", "", "竜王", "藤井聡太子"] {
            assert_eq!(names.get(other), None, "{other}");
        }
        names.set("藤井聡太", "");
        assert_eq!(names, SecondNames::default());
        names.set("名人", "Meijin");
        assert_eq!(names.get("名人"), Some("Meijin"));
        names.set("", "nobody");
        assert_eq!(names.get(""), None);
    }

    #[test]
    fn names_are_stored_in_the_file() {
        let mut settings = Settings::default();
        settings.second_names.set("渡辺明", "Watanabe \"Ake\" Akira");
        let text = settings.write_into("# mine\n").unwrap();
        let (read, warnings) = Settings::read(&text).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(read.second_names, settings.second_names, "{text}");
        assert!(text.contains("# mine"));
        let (read, warnings) = Settings::read("[second_names]\n'羽生善治' = 'Habu'\n'x' = []\n").unwrap();
        assert_eq!(
            (read.second_names.get("羽生善治九段"), warnings.len()),
            (Some("Habu"), 1)
        );
        let mut removed = settings.clone();
        removed.second_names.set("渡辺明", "");
        assert!(!removed.write_into(&text).unwrap().contains("Watanabe"));
    }

    #[test]
    fn changes_keep_the_names_of_other_windows() {
        let before = SecondNames::default();
        let (mut after, mut stored) = (before.clone(), before.clone());
        after.set("佐藤", "Sato");
        stored.set("鈴木", "Suzuki");
        stored.apply_changes(&before, &after);
        assert_eq!(
            (stored.get("佐藤"), stored.get("鈴木")),
            (Some("Sato"), Some("Suzuki"))
        );
    }
}
