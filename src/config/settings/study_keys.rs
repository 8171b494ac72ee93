//! The keys of the page on which a game is studied.

use super::super::deed::Deed;
use super::super::finding::{Problem, Reader, Wanted, texts};
use super::super::shortcut::Shortcut;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The most keys that one deed has.
const MOST: usize = 8;

/// The keys by which things are done on the page: those that are usual, but where others were chosen. No two deeds
/// have one key: one that was chosen is taken from whatever usually has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudyKeys {
    /// Those that are others than usual.
    chosen: BTreeMap<Deed, Vec<Shortcut>>,
}

impl StudyKeys {
    /// The keys of a deed.
    pub fn of(&self, deed: Deed) -> Vec<Shortcut> {
        if let Some(chosen) = self.chosen.get(&deed) {
            return chosen.clone();
        }
        let is_free = |keys: &Shortcut| !self.chosen.values().any(|chosen| chosen.contains(keys));
        usual(deed).filter(is_free).collect()
    }

    /// What is done by a key.
    pub fn deed(&self, keys: &Shortcut) -> Option<Deed> {
        let chosen = self.chosen.iter().find(|(_, chosen)| chosen.contains(keys)).map(|(deed, _)| *deed);
        let usually = || {
            let has = |deed: &Deed| !self.chosen.contains_key(deed) && usual(*deed).any(|usual| usual == *keys);
            Deed::ALL.iter().copied().find(has)
        };
        chosen.or_else(usually)
    }

    /// Has a deed have these keys, and none of the others any of them.
    pub fn choose(&mut self, deed: Deed, keys: Vec<Shortcut>) {
        let is_robbed =
            |(other, chosen): &(&Deed, &Vec<Shortcut>)| **other != deed && chosen.iter().any(|one| keys.contains(one));
        let robbed: Vec<_> =
            self.chosen.iter().filter(is_robbed).map(|(other, chosen)| (*other, chosen.clone())).collect();
        for (other, mut chosen) in robbed {
            chosen.retain(|one| !keys.contains(one));
            self.set(other, chosen);
        }
        self.set(deed, keys);
    }

    /// Has a deed have the keys that are usual, as far as they are free.
    pub fn put_back(&mut self, deed: Deed) {
        self.chosen.remove(&deed);
    }

    /// Whether any are others than usual.
    pub fn is_changed(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// Whether those of a deed are.
    pub fn changes(&self, deed: Deed) -> bool {
        self.chosen.contains_key(&deed)
    }

    fn set(&mut self, deed: Deed, mut keys: Vec<Shortcut>) {
        keys.truncate(MOST);
        if usual(deed).eq(keys.iter().cloned()) {
            self.chosen.remove(&deed);
        } else {
            self.chosen.insert(deed, keys);
        }
    }

    pub(super) fn carry_over(&mut self, before: &Self, after: &Self) {
        for deed in Deed::ALL {
            let then = after.chosen.get(deed);
            if before.chosen.get(deed) == then {
                continue;
            }
            match then {
                Some(keys) => self.choose(*deed, keys.clone()),
                None => self.put_back(*deed),
            }
        }
    }

    /// Reads the table at `keys`: a list of keys for each deed. Of two that have one key the first has it.
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let (mut keys, mut stated) = (Self::default(), Vec::<(Deed, Vec<Shortcut>)>::new());
        let mut table = reader.group("keys");
        for deed in Deed::ALL {
            let Some(mut chosen) = table.take(deed.name(), Wanted::Keys, |value| shortcuts(*deed, value)) else {
                continue;
            };
            let taken = |one: &Shortcut| stated.iter().find(|(_, chosen)| chosen.contains(one));
            if let Some((other, _)) = chosen.iter().find_map(taken) {
                table.find(deed.name(), Problem::SameKeys(other.name()));
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

fn usual(deed: Deed) -> impl Iterator<Item = Shortcut> {
    deed.usual_keys().iter().filter_map(|keys| Shortcut::parse(keys))
}

/// A list of keys, or one alone; an empty text is none.
fn shortcuts(deed: Deed, value: &Value) -> Option<Vec<Shortcut>> {
    let words = match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) if values.iter().all(Value::is_str) && values.len() <= MOST => texts(value)?,
        _ => return None,
    };
    // What was copied comes by its usual key alone.
    let is_free = |keys: &Shortcut| deed == Deed::Paste || !usual(Deed::Paste).any(|paste| paste == *keys);
    let words = words.iter().filter(|word| !word.trim().is_empty());
    words.map(|word| Shortcut::parse(word).filter(is_free)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Finding;
    use super::super::Settings;
    use super::*;
    use proptest::prelude::*;

    fn keys(text: &str) -> Shortcut {
        Shortcut::parse(text).unwrap()
    }

    #[test]
    fn no_two_deeds_have_one_key() {
        let mut seen = Vec::new();
        for deed in Deed::ALL {
            assert_eq!(usual(*deed).count(), deed.usual_keys().len(), "{deed:?}: each is one");
            for (one, written) in usual(*deed).zip(deed.usual_keys()) {
                assert!(!seen.contains(&one) && one.to_string() == *written, "{deed:?}");
                assert_eq!(StudyKeys::default().deed(&one), Some(*deed));
                seen.push(one);
            }
        }
        assert_eq!(seen.len(), Deed::ALL.iter().map(|deed| deed.usual_keys().len()).sum::<usize>());
    }

    #[test]
    fn a_key_that_is_chosen_is_taken_from_another() {
        let mut chosen = StudyKeys::default();
        chosen.choose(Deed::Hide, vec![keys("Ctrl+T")]);
        assert_eq!((chosen.of(Deed::Flip), chosen.deed(&keys("Ctrl+T"))), (Vec::new(), Some(Deed::Hide)));
        assert_eq!(chosen.deed(&keys("H")), None);
        chosen.choose(Deed::Small, vec![keys("Ctrl+T"), keys("F5")]);
        assert_eq!((chosen.of(Deed::Hide), chosen.deed(&keys("Ctrl+T"))), (Vec::new(), Some(Deed::Small)));
        chosen.put_back(Deed::Small);
        assert_eq!(chosen.of(Deed::Flip), [keys("Ctrl+T")], "it has it back");
        chosen.choose(Deed::Hide, vec![keys("H")]);
        assert!(!chosen.is_changed(), "that is as usual");
    }

    #[test]
    fn what_is_wrong_in_the_file_is_said_and_lost_alone() {
        let check = |file: &str, key: &str, problem: Problem| {
            let (settings, findings) = Settings::read(file).unwrap();
            assert_eq!(findings, [Finding { key: format!("study.keys{key}"), problem }], "{file}");
            settings.study_keys
        };
        let wanted = || Problem::Wanted(Wanted::Keys);
        for wrong in ["5", "['Ctrl']", "'Enter'", "[5]", "['7']", "'Ctrl+V'", "true"] {
            let file = format!("[study.keys]\nflip = {wrong}\nhide = 'F5'\n");
            let read = check(&file, ".flip", wanted());
            assert_eq!((read.of(Deed::Flip), read.of(Deed::Hide)), (vec![keys("Ctrl+T")], vec![keys("F5")]));
        }
        check("[study]\nkeys = 5\n", "", Problem::Wanted(Wanted::Table));
        let file = "[study.keys]\nfly = 'F5'\n";
        check(file, ".fly", Problem::Unknown);
        let settings = Settings::read(file).unwrap().0;
        assert_eq!(settings.write_into(file).unwrap(), file, "it stays where the user wrote it");
        let same = "[study.keys]\nflip = 'F5'\nhide = ['F5', 'F6']\n";
        let read = check(same, ".hide", Problem::SameKeys("flip"));
        assert_eq!((read.of(Deed::Flip), read.of(Deed::Hide)), (vec![keys("F5")], vec![keys("F6")]));
    }

    #[test]
    fn only_what_is_chosen_stands_in_the_file() {
        let mut settings = Settings::default();
        assert_eq!(settings.write_into("").unwrap(), "");
        settings.study_keys.choose(Deed::Flip, vec![keys("F5")]);
        assert_eq!(settings.write_into("").unwrap(), "[study.keys]\nflip = [\"F5\"]\n");
        let theirs = "[study.keys]\nback = ['Up'] # mine\nflip = ['F6']\n";
        let mut read = Settings::read(theirs).unwrap().0;
        read.study_keys.put_back(Deed::Flip);
        assert_eq!(read.write_into(theirs).unwrap(), "[study.keys]\nback = ['Up'] # mine\n");
    }

    fn any_keys() -> impl Strategy<Value = Shortcut> {
        let words = vec!["Up", "Ctrl+T", "H", "F5", "Ctrl+Shift+S", "Alt+X", "Questionmark", "Ctrl+9"];
        prop::sample::select(words).prop_map(keys)
    }

    fn any_deed() -> impl Strategy<Value = Deed> {
        prop::sample::select(Deed::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn whatever_is_chosen_is_one_deeds_and_comes_back(
            choices in prop::collection::vec((any_deed(), prop::collection::vec(any_keys(), 0..3), any::<bool>()), 0..12)
        ) {
            let mut chosen = StudyKeys::default();
            for (deed, keys, back) in choices {
                if back { chosen.put_back(deed) } else { chosen.choose(deed, keys) }
            }
            for deed in Deed::ALL {
                for one in chosen.of(*deed) {
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
