//! The keys of the page on which a game is studied.

use super::super::shortcut::Shortcut;
use super::super::study_command::StudyCommand;
use super::super::warning::{Expected, SettingProblem, TableReader, texts};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The most keys that one deed has.
const MOST: usize = 8;

/// The keys by which things are done on the page: those that are usual, but where others were chosen. No two deeds
/// have one key: one that was chosen is taken from whatever usually has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudyKeys {
    /// Those that are others than usual.
    chosen: BTreeMap<StudyCommand, Vec<Shortcut>>,
}

impl StudyKeys {
    /// The keys of a deed.
    pub fn keys_of(&self, deed: StudyCommand) -> Vec<Shortcut> {
        if let Some(chosen) = self.chosen.get(&deed) {
            return chosen.clone();
        }
        let is_free = |keys: &Shortcut| !self.chosen.values().any(|chosen| chosen.contains(keys));
        default_keys(deed).filter(is_free).collect()
    }

    /// What is done by a key.
    pub fn deed(&self, keys: &Shortcut) -> Option<StudyCommand> {
        let chosen = self.chosen.iter().find(|(_, chosen)| chosen.contains(keys)).map(|(deed, _)| *deed);
        let usually = || {
            let has = |deed: &StudyCommand| {
                !self.chosen.contains_key(deed) && default_keys(*deed).any(|usual| usual == *keys)
            };
            StudyCommand::ALL.iter().copied().find(has)
        };
        chosen.or_else(usually)
    }

    /// Has a deed have these keys, and none of the others any of them.
    pub fn choose(&mut self, deed: StudyCommand, keys: Vec<Shortcut>) {
        let is_robbed = |(other, chosen): &(&StudyCommand, &Vec<Shortcut>)| {
            **other != deed && chosen.iter().any(|one| keys.contains(one))
        };
        let robbed: Vec<_> =
            self.chosen.iter().filter(is_robbed).map(|(other, chosen)| (*other, chosen.clone())).collect();
        for (other, mut chosen) in robbed {
            chosen.retain(|one| !keys.contains(one));
            self.set(other, chosen);
        }
        self.set(deed, keys);
    }

    /// Has a deed have the keys that are usual, as far as they are free.
    pub fn reset(&mut self, deed: StudyCommand) {
        self.chosen.remove(&deed);
    }

    /// Whether any are others than usual.
    pub fn is_changed(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// Whether those of a deed are.
    pub fn changes(&self, deed: StudyCommand) -> bool {
        self.chosen.contains_key(&deed)
    }

    fn set(&mut self, deed: StudyCommand, mut keys: Vec<Shortcut>) {
        keys.truncate(MOST);
        if default_keys(deed).eq(keys.iter().cloned()) {
            self.chosen.remove(&deed);
        } else {
            self.chosen.insert(deed, keys);
        }
    }

    pub(super) fn carry_over(&mut self, before: &Self, after: &Self) {
        for deed in StudyCommand::ALL {
            let then = after.chosen.get(deed);
            if before.chosen.get(deed) == then {
                continue;
            }
            match then {
                Some(keys) => self.choose(*deed, keys.clone()),
                None => self.reset(*deed),
            }
        }
    }

    /// Reads the table at `keys`: a list of keys for each deed. Of two that have one key the first has it.
    pub(super) fn read(reader: &mut TableReader<'_>) -> Self {
        let (mut keys, mut stated) = (Self::default(), Vec::<(StudyCommand, Vec<Shortcut>)>::new());
        let mut table = reader.group("keys");
        for deed in StudyCommand::ALL {
            let Some(mut chosen) = table.take(deed.name(), Expected::Keys, |value| shortcuts(*deed, value)) else {
                continue;
            };
            let taken = |one: &Shortcut| stated.iter().find(|(_, chosen)| chosen.contains(one));
            if let Some((other, _)) = chosen.iter().find_map(taken) {
                table.find(deed.name(), SettingProblem::SameKeys(other.name()));
            }
            chosen.retain(|one| taken(one).is_none());
            stated.push((*deed, chosen.clone()));
            keys.set(*deed, chosen);
        }
        table.find_rest();
        keys
    }

    pub(super) fn write(&self, table: &mut Table) {
        let list = |keys: &Vec<Shortcut>| keys.iter().map(|one| Value::String(one.to_string())).collect();
        let keys = self.chosen.iter().map(|(deed, keys)| (deed.name().to_owned(), Value::Array(list(keys))));
        table.insert("keys".to_owned(), Value::Table(keys.collect()));
    }
}

fn default_keys(deed: StudyCommand) -> impl Iterator<Item = Shortcut> {
    deed.default_keys().iter().filter_map(|keys| Shortcut::parse(keys))
}

/// A list of keys, or one alone; an empty text is none.
fn shortcuts(deed: StudyCommand, value: &Value) -> Option<Vec<Shortcut>> {
    let words = match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) if values.iter().all(Value::is_str) && values.len() <= MOST => texts(value)?,
        _ => return None,
    };
    // What was copied comes by its usual key alone.
    let is_free =
        |keys: &Shortcut| deed == StudyCommand::Paste || !default_keys(StudyCommand::Paste).any(|paste| paste == *keys);
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
    fn no_two_deeds_have_one_key() {
        let mut seen = Vec::new();
        for deed in StudyCommand::ALL {
            assert_eq!(default_keys(*deed).count(), deed.default_keys().len(), "{deed:?}: each is one");
            for (one, written) in default_keys(*deed).zip(deed.default_keys()) {
                assert!(!seen.contains(&one) && one.to_string() == *written, "{deed:?}");
                assert_eq!(StudyKeys::default().deed(&one), Some(*deed));
                seen.push(one);
            }
        }
        assert_eq!(seen.len(), StudyCommand::ALL.iter().map(|deed| deed.default_keys().len()).sum::<usize>());
    }

    #[test]
    fn a_key_that_is_chosen_is_taken_from_another() {
        let mut chosen = StudyKeys::default();
        chosen.choose(StudyCommand::Hide, vec![keys("Ctrl+T")]);
        assert_eq!(
            (chosen.keys_of(StudyCommand::Flip), chosen.deed(&keys("Ctrl+T"))),
            (Vec::new(), Some(StudyCommand::Hide))
        );
        assert_eq!(chosen.deed(&keys("H")), None);
        chosen.choose(StudyCommand::Small, vec![keys("Ctrl+T"), keys("F5")]);
        assert_eq!(
            (chosen.keys_of(StudyCommand::Hide), chosen.deed(&keys("Ctrl+T"))),
            (Vec::new(), Some(StudyCommand::Small))
        );
        chosen.reset(StudyCommand::Small);
        assert_eq!(chosen.keys_of(StudyCommand::Flip), [keys("Ctrl+T")], "it has it back");
        chosen.choose(StudyCommand::Hide, vec![keys("H")]);
        assert!(!chosen.is_changed(), "that is as usual");
    }

    #[test]
    fn what_is_wrong_in_the_file_is_said_and_lost_alone() {
        let check = |file: &str, key: &str, problem: SettingProblem| {
            let (settings, findings) = Settings::read(file).unwrap();
            assert_eq!(findings, [SettingWarning { key: format!("study.keys{key}"), problem }], "{file}");
            settings.study_keys
        };
        let wanted = || SettingProblem::Wanted(Expected::Keys);
        for wrong in ["5", "['Ctrl']", "'Enter'", "[5]", "['7']", "'Ctrl+V'", "true"] {
            let file = format!("[study.keys]\nflip = {wrong}\nhide = 'F5'\n");
            let read = check(&file, ".flip", wanted());
            assert_eq!(
                (read.keys_of(StudyCommand::Flip), read.keys_of(StudyCommand::Hide)),
                (vec![keys("Ctrl+T")], vec![keys("F5")])
            );
        }
        check("[study]\nkeys = 5\n", "", SettingProblem::Wanted(Expected::Table));
        let file = "[study.keys]\nfly = 'F5'\n";
        check(file, ".fly", SettingProblem::Unknown);
        let settings = Settings::read(file).unwrap().0;
        assert_eq!(settings.write_into(file).unwrap(), file, "it stays where the user wrote it");
        let same = "[study.keys]\nflip = 'F5'\nhide = ['F5', 'F6']\n";
        let read = check(same, ".hide", SettingProblem::SameKeys("flip"));
        assert_eq!(
            (read.keys_of(StudyCommand::Flip), read.keys_of(StudyCommand::Hide)),
            (vec![keys("F5")], vec![keys("F6")])
        );
    }

    #[test]
    fn only_what_is_chosen_stands_in_the_file() {
        let mut settings = Settings::default();
        assert_eq!(settings.write_into("").unwrap(), "");
        settings.study_keys.choose(StudyCommand::Flip, vec![keys("F5")]);
        assert_eq!(settings.write_into("").unwrap(), "[study.keys]\nflip = [\"F5\"]\n");
        let theirs = "[study.keys]\nback = ['Up'] # mine\nflip = ['F6']\n";
        let mut read = Settings::read(theirs).unwrap().0;
        read.study_keys.reset(StudyCommand::Flip);
        assert_eq!(read.write_into(theirs).unwrap(), "[study.keys]\nback = ['Up'] # mine\n");
    }

    fn any_keys() -> impl Strategy<Value = Shortcut> {
        let words = vec!["Up", "Ctrl+T", "H", "F5", "Ctrl+Shift+S", "Alt+X", "Questionmark", "Ctrl+9"];
        prop::sample::select(words).prop_map(keys)
    }

    fn any_deed() -> impl Strategy<Value = StudyCommand> {
        prop::sample::select(StudyCommand::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn whatever_is_chosen_is_one_deeds_and_comes_back(
            choices in prop::collection::vec((any_deed(), prop::collection::vec(any_keys(), 0..3), any::<bool>()), 0..12)
        ) {
            let mut chosen = StudyKeys::default();
            for (deed, keys, back) in choices {
                if back { chosen.reset(deed) } else { chosen.choose(deed, keys) }
            }
            for deed in StudyCommand::ALL {
                for one in chosen.keys_of(*deed) {
                    prop_assert_eq!(chosen.deed(&one), Some(*deed));
                }
            }
            let settings = Settings { study_keys: chosen, ..Settings::default() };
            let (again, findings) = Settings::read(&settings.write().unwrap()).unwrap();
            prop_assert_eq!((&again, findings), (&settings, Vec::new()));
            let mut here = Settings::default();
            here.carry_over(&Settings::default(), &settings);
            prop_assert_eq!(&here, &settings);
            here.carry_over(&settings, &Settings::default());
            prop_assert_eq!(here, Settings::default());
        }
    }
}
