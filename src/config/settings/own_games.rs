//! Whether the games of a source are the user's own: of an area of the screen, or of an engine behind a relay.

use super::super::choice::choice;
use super::super::table_reader::TableReader;
use super::super::warning::{SettingProblem, SettingValueType};
use super::field::Setting;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The maximum number of sources with a rule.
const MAX_SOURCES: usize = 1_000;

choice! {
    /// Whether the games of a source are the user's own.
    #[derive(Default)]
    OwnGameRule {
        /// None is.
        Never = "never",
        /// The user is asked about each. Until the answer, a game is not.
        #[default]
        Ask = "ask",
        /// Each is.
        Always = "always",
    }
}

/// The rules of sources. A source without a rule has [`OwnGameRule::Ask`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnGameRules(BTreeMap<String, OwnGameRule>);

impl OwnGameRules {
    /// Returns the rule of a source.
    pub fn get(&self, source: &str) -> OwnGameRule {
        self.0.get(source).copied().unwrap_or_default()
    }

    /// Sets the rule of a source.
    pub fn set(&mut self, source: &str, rule: OwnGameRule) {
        if rule == OwnGameRule::default() {
            self.0.remove(source);
        } else if self.0.len() < MAX_SOURCES || self.0.contains_key(source) {
            self.0.insert(source.to_owned(), rule);
        }
    }
}

impl Setting for OwnGameRules {
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
        let mut rules = Self::default();
        for (source, word) in reader.take_texts_by_name(key) {
            match OwnGameRule::from_name(&word) {
                Some(rule) => rules.set(&source, rule),
                None => {
                    reader.warn_in(
                        key,
                        &source,
                        SettingProblem::Wanted(SettingValueType::OneOf(OwnGameRule::NAMES)),
                    );
                }
            }
        }
        Some(rules)
    }

    fn write_at(&self, table: &mut Table, key: &str) {
        if !self.0.is_empty() {
            let rules = self
                .0
                .iter()
                .map(|(source, rule)| (source.clone(), Value::String(rule.name().to_owned())));
            table.insert(key.to_owned(), Value::Table(rules.collect()));
        }
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        for source in before.0.keys().chain(after.0.keys()) {
            if before.get(source) != after.get(source) {
                self.set(source, after.get(source));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    #[test]
    fn rules_are_stored_in_the_file() {
        let mut settings = Settings::default();
        settings.own_games.set("screen:1,2,300,300", OwnGameRule::Always);
        settings.own_games.set("relay:水匠 \"5\"", OwnGameRule::Never);
        let text = settings.write_into("# mine\n").unwrap();
        let (read, warnings) = Settings::read(&text).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(read.own_games, settings.own_games, "{text}");
        assert_eq!(read.own_games.get("screen:"), OwnGameRule::Ask);
        let (read, warnings) = Settings::read("[own_games]\n'a' = 'perhaps'\n'b' = []\n").unwrap();
        assert_eq!(read.own_games, OwnGameRules::default());
        let keys: Vec<_> = warnings.iter().map(|warning| warning.key.as_str()).collect();
        assert_eq!(keys, ["own_games.b", "own_games.a"]);
        settings.own_games.set("screen:1,2,300,300", OwnGameRule::Ask);
        assert!(!settings.write_into(&text).unwrap().contains("screen:"));
    }
}
