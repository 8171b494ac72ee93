//! The games for a fit. A game counts once for an engine.

use super::rated::{CountedRemark, RatedRecord, UnratedReason};
use crate::calibration_text::GameGroup;
use shogibar_shogi::score::RatedGame;
use std::collections::{BTreeMap, BTreeSet};

/// The games of some records, by engine.
#[derive(Clone, Debug, Default)]
pub struct GamePool {
    /// The games of each engine with their keys, in the order of the records.
    engines: BTreeMap<String, Vec<(u64, RatedGame)>>,
    /// The engines and keys of the games that were added.
    added_games: BTreeSet<(String, u64)>,
    remarks: BTreeMap<PoolRemark, RemarkCount>,
}

/// An engine of a pool, and the name that it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedEngine {
    from: String,
    /// The new name.
    to: String,
}

/// A remark about games: why they do not count, or an unusual feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PoolRemark {
    /// The games do not count, for this reason.
    Unrated(UnratedReason),
    /// The games do not count, because the pool has games with the same moves and players.
    Duplicate,
    /// The games do not count for the test, because the fit has them.
    InFit,
    /// The games count, and have this unusual feature.
    Unusual(CountedRemark),
}

/// The number of games with a remark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemarkCount {
    /// The number of games.
    pub games: usize,
    /// The label of the first such game: the file of the game, with the number of the game if the file has several.
    /// Empty for [`PoolRemark::InFit`].
    pub first_location: String,
}

impl PoolRemark {
    /// Returns the group of games with this remark, for messages.
    pub const fn group(self) -> GameGroup {
        match self {
            Self::Unrated(why) => match why {
                UnratedReason::NoEvaluations => GameGroup::NoEvaluations,
                UnratedReason::NoResult => GameGroup::NoResult,
                UnratedReason::OnTime => GameGroup::OnTime,
                UnratedReason::EngineGame => GameGroup::EngineGame,
                UnratedReason::Foul => GameGroup::Foul,
                UnratedReason::OtherDraw => GameGroup::OtherDraw,
                UnratedReason::NoKing => GameGroup::NoKing,
                UnratedReason::OnlyMates => GameGroup::OnlyMates,
                UnratedReason::OutsidePlies => GameGroup::OutsidePlies,
                UnratedReason::UnknownView => GameGroup::UnknownView,
            },
            Self::Duplicate => GameGroup::Twice,
            Self::InFit => GameGroup::InFit,
            Self::Unusual(CountedRemark::OneSided) => GameGroup::OneSided,
            Self::Unusual(CountedRemark::SeveralEngines) => GameGroup::SeveralEngines,
            Self::Unusual(CountedRemark::PartlyUnknownView) => GameGroup::PartlyUnknownView,
        }
    }

    /// Returns whether games with this remark count.
    pub const fn is_counted(self) -> bool {
        matches!(self, Self::Unusual(_))
    }
}

impl GamePool {
    /// Adds a game, or the reason why it does not count. `label` names the game in messages.
    pub fn add(&mut self, rated: Result<RatedRecord, UnratedReason>, label: &str) {
        let RatedRecord {
            key,
            result,
            engines,
            remarks,
        } = match rated {
            Ok(rated) => rated,
            Err(why) => return self.add_remark(PoolRemark::Unrated(why), label),
        };
        let mut is_new = false;
        for (engine, values) in engines {
            if self.added_games.insert((engine.clone(), key)) {
                is_new = true;
                self.engines
                    .entry(engine)
                    .or_default()
                    .push((key, RatedGame { values, result }));
            }
        }
        if !is_new {
            return self.add_remark(PoolRemark::Duplicate, label);
        }
        for remark in remarks {
            self.add_remark(PoolRemark::Unusual(remark), label);
        }
    }

    /// Removes the games that another pool has, too. Adds the remark [`PoolRemark::InFit`] with their number.
    pub fn remove_games_of(&mut self, other: &Self) {
        let keys = other.keys();
        let removed: BTreeSet<u64> = self.keys().intersection(&keys).copied().collect();
        for games in self.engines.values_mut() {
            games.retain(|(key, _)| !keys.contains(key));
        }
        self.engines.retain(|_, games| !games.is_empty());
        if !removed.is_empty() {
            self.remarks.entry(PoolRemark::InFit).or_default().games = removed.len();
        }
    }

    /// Finds the engine with this name, or else the only engine whose name contains it, in upper or lower case. Without
    /// either, the engine without a name gets the name.
    ///
    /// # Errors
    /// Fails with the names that fit, if their number is not one.
    pub fn find(&self, name: &str) -> Result<NamedEngine, Vec<String>> {
        let lower = name.to_lowercase();
        let exact = self
            .engines
            .keys()
            .find(|engine| engine.to_lowercase() == lower)
            .cloned();
        let parts: Vec<String> = self
            .engines
            .keys()
            .filter(|engine| !engine.is_empty() && engine.to_lowercase().contains(&lower))
            .cloned()
            .collect();
        let (from, to) = match (exact, parts.as_slice()) {
            (Some(exact), _) => (exact.clone(), exact),
            (None, [only]) => (only.clone(), only.clone()),
            (None, []) => (String::new(), name.to_owned()),
            (None, _) => return Err(parts),
        };
        if self.engines.contains_key(&from) {
            Ok(NamedEngine { from, to })
        } else {
            Err(Vec::new())
        }
    }

    /// Removes the games of all other engines. The pool is then empty if the engine has no games.
    pub fn keep_only(&mut self, NamedEngine { from, to }: &NamedEngine) {
        let games = self.engines.remove(from).or_else(|| self.engines.remove(to));
        self.engines = games.map(|games| (to.clone(), games)).into_iter().collect();
    }

    fn keys(&self) -> BTreeSet<u64> {
        self.engines.values().flatten().map(|(key, _)| *key).collect()
    }

    /// Returns the names of the engines. The name is empty for an engine without one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.engines.keys().map(String::as_str)
    }

    /// Returns the games of an engine.
    pub fn games(&self, engine: &str) -> Vec<RatedGame> {
        self.engines
            .get(engine)
            .into_iter()
            .flatten()
            .map(|(_, game)| game.clone())
            .collect()
    }

    /// Returns the games of all engines. A game that several engines have evaluated counts once.
    pub fn all_games(&self) -> Vec<RatedGame> {
        let mut all: BTreeMap<u64, RatedGame> = BTreeMap::new();
        for (key, game) in self.engines.values().flatten() {
            let whole = all.entry(*key).or_insert_with(|| RatedGame {
                values: Vec::new(),
                result: game.result,
            });
            whole.values.extend_from_slice(&game.values);
        }
        all.into_values().collect()
    }

    /// Returns the remarks about the games.
    pub fn remarks(&self) -> impl Iterator<Item = (PoolRemark, &RemarkCount)> {
        self.remarks.iter().map(|(remark, count)| (*remark, count))
    }

    fn add_remark(&mut self, remark: PoolRemark, label: &str) {
        let count = self.remarks.entry(remark).or_default();
        if count.games == 0 {
            label.clone_into(&mut count.first_location);
        }
        count.games += 1;
    }
}
