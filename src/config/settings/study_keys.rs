//! The keys of the study page.

use super::super::command::{Command, CommandContext};
use super::super::shortcut::Shortcut;
use super::super::table_reader::{TableReader, to_texts};
use super::super::warning::{SettingProblem, SettingValueType};
use super::field::{Setting, write_group};
use std::collections::BTreeMap;
use toml::{Table, Value};

const TABLE_KEY: &str = "keys";
/// The maximum number of keys of one command.
const MAX_KEYS: usize = 8;

/// The keys of the commands on the study page: the defaults, except where the user chose others. No two commands share
/// a key: a chosen key is taken from the command that has it by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudyKeys {
    /// The keys that differ from the defaults.
    changed_keys: BTreeMap<Command, Vec<Shortcut>>,
}

impl StudyKeys {
    /// Returns the keys of a command.
    pub fn keys_of(&self, command: Command) -> Vec<Shortcut> {
        if let Some(chosen) = self.changed_keys.get(&command) {
            return chosen.clone();
        }
        default_keys(command)
            .filter(|keys| !self.changed_keys.values().any(|chosen| chosen.contains(keys)))
            .collect()
    }

    /// Returns the command with this key; `None` if no command has the key.
    pub fn command(&self, keys: &Shortcut) -> Option<Command> {
        let chosen = self
            .changed_keys
            .iter()
            .find(|(_, chosen)| chosen.contains(keys))
            .map(|(command, _)| *command);
        chosen.or_else(|| {
            commands().find(|command| {
                !self.changed_keys.contains_key(command)
                    && default_keys(*command).any(|default_key| default_key == *keys)
            })
        })
    }

    /// Gives these keys to a command, and takes them from all others.
    pub fn choose(&mut self, command: Command, keys: Vec<Shortcut>) {
        let losers: Vec<_> = self
            .changed_keys
            .iter()
            .filter(|(other, chosen)| **other != command && chosen.iter().any(|key| keys.contains(key)))
            .map(|(other, chosen)| (*other, chosen.clone()))
            .collect();
        for (other, mut chosen) in losers {
            chosen.retain(|key| !keys.contains(key));
            self.set(other, chosen);
        }
        self.set(command, keys);
    }

    /// Resets a command to those of its default keys that no other command has.
    pub fn reset(&mut self, command: Command) {
        self.changed_keys.remove(&command);
    }

    /// Returns whether the keys of any command differ from the defaults.
    pub fn is_changed(&self) -> bool {
        !self.changed_keys.is_empty()
    }

    /// Returns whether the keys of a command differ from the defaults of the command.
    pub fn has_changed_keys(&self, command: Command) -> bool {
        self.changed_keys.contains_key(&command)
    }

    /// Sets the keys of a command, without a change for other commands.
    fn set(&mut self, command: Command, mut keys: Vec<Shortcut>) {
        keys.truncate(MAX_KEYS);
        if default_keys(command).eq(keys.iter().cloned()) {
            self.changed_keys.remove(&command);
        } else {
            self.changed_keys.insert(command, keys);
        }
    }

    /// Reads a list of keys for each command. If two commands have the same key, the first gets the key, and a warning
    /// names the second.
    fn read(table: &mut TableReader<'_>) -> Self {
        let (mut keys, mut stated) = (Self::default(), Vec::<(Command, Vec<Shortcut>)>::new());
        for command in commands() {
            let Some(mut chosen) = table.take(command.name(), SettingValueType::Keys, |value| {
                shortcuts(command, value)
            }) else {
                continue;
            };
            let taken = |key: &Shortcut| stated.iter().find(|(_, chosen)| chosen.contains(key));
            if let Some((other, _)) = chosen.iter().find_map(taken) {
                table.warn(command.name(), SettingProblem::SameKeys(other.name()));
            }
            chosen.retain(|key| taken(key).is_none());
            stated.push((command, chosen.clone()));
            keys.set(command, chosen);
        }
        table.warn_of_rest();
        keys
    }
}

impl Setting for StudyKeys {
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
        Some(reader.read_group(key, |group| group.read_group(TABLE_KEY, Self::read)))
    }

    fn write_at(&self, table: &mut Table, key: &str) {
        let keys = self.changed_keys.iter().map(|(command, keys)| {
            let list = keys.iter().map(|one| Value::String(one.to_string())).collect();
            (command.name().to_owned(), Value::Array(list))
        });
        write_group(table, key, |group| {
            _ = group.insert(TABLE_KEY.to_owned(), Value::Table(keys.collect()));
        });
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        for command in commands() {
            let new_keys = after.changed_keys.get(&command);
            if before.changed_keys.get(&command) == new_keys {
                continue;
            }
            match new_keys {
                Some(keys) => self.choose(command, keys.clone()),
                None => self.reset(command),
            }
        }
    }
}

fn commands() -> impl Iterator<Item = Command> {
    Command::all_in(CommandContext::Study)
}

fn default_keys(command: Command) -> impl Iterator<Item = Shortcut> {
    command
        .default_keys(CommandContext::Study)
        .iter()
        .filter_map(|keys| Shortcut::parse(keys))
}

/// Reads a list of keys, or a single one, for a command. An empty text means no key. Returns `None` if there are too
/// many keys, or if one is invalid or reserved for Paste.
fn shortcuts(command: Command, value: &Value) -> Option<Vec<Shortcut>> {
    let words = match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) if values.iter().all(Value::is_str) && values.len() <= MAX_KEYS => {
            to_texts(value)?
        }
        _ => return None,
    };
    // The default key of Paste cannot be given to another command.
    let is_free = |keys: &Shortcut| {
        command == Command::Paste || !default_keys(Command::Paste).any(|paste| paste == *keys)
    };
    let words = words.iter().filter(|word| !word.trim().is_empty());
    words.map(|word| Shortcut::parse(word).filter(is_free)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::warning::SettingWarning;
    use super::super::Settings;
    use super::*;
    use proptest::prelude::*;

    fn keys(text: &str) -> Shortcut {
        Shortcut::parse(text).unwrap()
    }

    #[test]
    fn a_default_key_runs_its_command() {
        for command in commands() {
            for one in default_keys(command) {
                assert_eq!(StudyKeys::default().command(&one), Some(command));
            }
        }
    }

    #[test]
    fn a_chosen_key_is_taken_from_its_previous_command() {
        let mut chosen = StudyKeys::default();
        chosen.choose(Command::Hide, vec![keys("Ctrl+T")]);
        assert_eq!(
            (chosen.keys_of(Command::Flip), chosen.command(&keys("Ctrl+T"))),
            (Vec::new(), Some(Command::Hide))
        );
        assert_eq!(chosen.command(&keys("H")), None);
        chosen.choose(Command::Small, vec![keys("Ctrl+T"), keys("F5")]);
        assert_eq!(
            (chosen.keys_of(Command::Hide), chosen.command(&keys("Ctrl+T"))),
            (Vec::new(), Some(Command::Small))
        );
        chosen.reset(Command::Small);
        assert_eq!(
            chosen.keys_of(Command::Flip),
            [keys("Ctrl+T")],
            "the default key is free again"
        );
        chosen.choose(Command::Hide, vec![keys("H")]);
        assert!(!chosen.is_changed(), "the keys are the defaults again");
    }

    #[test]
    fn an_invalid_entry_is_reported_and_the_rest_is_kept() {
        let check = |file: &str, key: &str, problem: SettingProblem| {
            let (settings, warnings) = Settings::read(file).unwrap();
            assert_eq!(
                warnings,
                [SettingWarning {
                    key: format!("study.keys{key}"),
                    problem
                }],
                "{file}"
            );
            settings.study_keys
        };
        let wanted = || SettingProblem::Wanted(SettingValueType::Keys);
        for wrong in ["5", "['Ctrl']", "'Enter'", "[5]", "['7']", "'Ctrl+V'", "true"] {
            let file = format!("[study.keys]\nflip = {wrong}\nhide = 'F5'\n");
            let read = check(&file, ".flip", wanted());
            assert_eq!(
                (read.keys_of(Command::Flip), read.keys_of(Command::Hide)),
                (vec![keys("Ctrl+T")], vec![keys("F5")])
            );
        }
        check(
            "[study]\nkeys = 5\n",
            "",
            SettingProblem::Wanted(SettingValueType::Table),
        );
        let file = "[study.keys]\nfly = 'F5'\n";
        check(file, ".fly", SettingProblem::Unknown);
        let settings = Settings::read(file).unwrap().0;
        assert_eq!(
            settings.write_into(file).unwrap(),
            file,
            "it stays where the user wrote it"
        );
        let same = "[study.keys]\nflip = 'F5'\nhide = ['F5', 'F6']\n";
        let read = check(same, ".hide", SettingProblem::SameKeys("flip"));
        assert_eq!(
            (read.keys_of(Command::Flip), read.keys_of(Command::Hide)),
            (vec![keys("F5")], vec![keys("F6")])
        );
    }

    #[test]
    fn only_chosen_keys_are_written() {
        let mut settings = Settings::default();
        assert_eq!(settings.write_into("").unwrap(), "");
        settings.study_keys.choose(Command::Flip, vec![keys("F5")]);
        assert_eq!(
            settings.write_into("").unwrap(),
            "[study.keys]\nflip = [\"F5\"]\n"
        );
        let theirs = "[study.keys]\nback = ['Up'] # mine\nflip = ['F6']\n";
        let mut read = Settings::read(theirs).unwrap().0;
        read.study_keys.reset(Command::Flip);
        assert_eq!(
            read.write_into(theirs).unwrap(),
            "[study.keys]\nback = ['Up'] # mine\n"
        );
    }

    fn any_keys() -> impl Strategy<Value = Shortcut> {
        let words = vec![
            "Up",
            "Ctrl+T",
            "H",
            "F5",
            "Ctrl+Shift+S",
            "Alt+X",
            "Questionmark",
            "Ctrl+9",
        ];
        prop::sample::select(words).prop_map(keys)
    }

    fn any_command() -> impl Strategy<Value = Command> {
        prop::sample::select(commands().collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn chosen_keys_are_unique_and_round_trip(
            choices in prop::collection::vec((any_command(), prop::collection::vec(any_keys(), 0..3), any::<bool>()), 0..12)
        ) {
            let mut chosen = StudyKeys::default();
            for (command, keys, back) in choices {
                if back { chosen.reset(command) } else { chosen.choose(command, keys) }
            }
            for command in commands() {
                for one in chosen.keys_of(command) {
                    prop_assert_eq!(chosen.command(&one), Some(command));
                }
            }
            let settings = Settings { study_keys: chosen, ..Settings::default() };
            let (again, warnings) = Settings::read(&settings.write().unwrap()).unwrap();
            prop_assert_eq!((&again, warnings), (&settings, Vec::new()));
            let mut here = Settings::default();
            here.apply_changes(&Settings::default(), &settings);
            prop_assert_eq!(&here, &settings);
            here.apply_changes(&settings, &Settings::default());
            prop_assert_eq!(here, Settings::default());
        }
    }
}
