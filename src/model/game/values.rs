//! The values that were shown for the positions of a game.

use super::live_losses::{LiveLosses, SearchedValue};
use super::live_only_moves::LiveOnlyMoves;
use serde::{Deserialize, Serialize};
use shogibar_base::stable_hash::StableHasher;
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::Snapshot;
use shogibar_games::analysis::Evaluator;
use shogibar_games::bar::OnlyMove;
use shogibar_games::study::EvaluationSeries;
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, History, Move, Position};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of positions with values. A long game with its variations has fewer.
const MAX_STORED_POSITIONS: usize = 5000;

/// The minimum depth of a value that gives a share, in plies.
const MIN_SHARE_DEPTH: u32 = 6;

/// The deepest values that were shown for each position, by engine. A position is identified by the moves that led to
/// it. So a value stays with its move when the record is edited.
#[derive(Debug, Default)]
pub(super) struct GameValues {
    /// The values of each position, by the hash of the start and the moves that led to it.
    by_position: HashMap<u64, Vec<PositionValues>>,
    /// The engines in order of appearance, with their models.
    engines: Vec<(String, WinRateModel)>,
    /// The last values of each engine, for any position.
    latest_infos: Vec<(String, SearchInfo)>,
    losses: LiveLosses,
    only_moves: LiveOnlyMoves,
    /// The values by background searches, by position; `None` if a search had no result.
    filled_values: HashMap<u64, Option<(Value, WinRateModel)>>,
    /// The number of stored values by background searches.
    fill_version: u64,
    /// The number of changes of values.
    version: u64,
}

/// The values of a game as they are stored for the next run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredValues {
    /// The game, as a hash of its address, file and index, so that none of these is stored.
    pub game: u64,
    /// The name and K of each engine.
    engines: Vec<(String, f64)>,
    /// The hash of each position, the index of the engine, the value and the depth.
    #[serde(rename = "places")]
    values: Vec<(u64, usize, StoredValue, Option<u32>)>,
    /// The losses by moves that were shown: the hash of the position after the move, the index of the engine, and the loss in
    /// percentage points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    losses: Vec<(u64, usize, u8)>,
}

impl StoredValues {
    /// Returns Black's shares by ply up to a position, by the engine that has the most. `None`: no value, or a shallow
    /// one.
    pub(crate) fn shares(&self, history: &History) -> Vec<Option<f32>> {
        let mut values = GameValues::default();
        values.restore(self);
        let by_engine = self.engines.iter().map(|(name, _)| values.shares(name, history));
        by_engine
            .max_by_key(|shares| shares.iter().flatten().count())
            .unwrap_or_else(|| vec![None; history.moves().len() + 1])
    }
}

/// A [`Value`] in Black's view, for JSON. The flag is `true` if Black wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredValue {
    Cp(i32),
    Won(bool),
    Mate(bool, Option<u32>),
}

impl StoredValue {
    fn from_value(value: Value) -> Self {
        match value {
            Value::Cp(cp) => Self::Cp(cp),
            Value::Won(winner) => Self::Won(winner == Color::Black),
            Value::Mate { winner, plies } => Self::Mate(winner == Color::Black, plies),
        }
    }

    const fn value(self) -> Value {
        const fn color(is_black: bool) -> Color {
            if is_black { Color::Black } else { Color::White }
        }
        match self {
            Self::Cp(cp) => Value::Cp(cp),
            Self::Won(is_black) => Value::Won(color(is_black)),
            Self::Mate(is_black, plies) => Value::Mate {
                winner: color(is_black),
                plies,
            },
        }
    }
}

/// The values of an engine for a position.
#[derive(Debug)]
struct PositionValues {
    /// The index of the engine.
    engine: usize,
    value: Value,
    depth: Option<u32>,
    /// The candidates and figures that the engine has shown, without the history, which is large. `None` once they were
    /// removed.
    shown_lines: Option<(Vec<Candidate>, SearchStats)>,
    /// Whether the values are from an earlier run.
    is_restored: bool,
    /// The move with which the last search has ended; `None` before that.
    best_move: Option<Move>,
}

/// The hash of a position in a game: its start, then each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PositionHash(u64);

impl PositionHash {
    fn start(position: &Position) -> Self {
        let mut hasher = StableHasher::new();
        hasher.add_text(&position.sfen());
        Self(hasher.finish())
    }

    fn from_history(history: &History) -> Self {
        Self::after_moves(history.start(), history.moves())
    }

    fn after_moves(start: &Position, moves: &[Move]) -> Self {
        moves.iter().fold(Self::start(start), |key, mv| key.after(*mv))
    }

    fn after(self, mv: Move) -> Self {
        let mut hasher = StableHasher::new();
        hasher.add(&self.0.to_le_bytes());
        hasher.add_text(&mv.to_string());
        Self(hasher.finish())
    }
}

impl GameValues {
    /// Stores the values that an engine has shown for a position. A shallower search does not replace a deeper one.
    pub(super) fn add(&mut self, engine: &str, info: &SearchInfo, model: WinRateModel) {
        match self.latest_infos.iter_mut().find(|(name, _)| name == engine) {
            Some((_, latest)) => latest.clone_from(info),
            None => self.latest_infos.push((engine.to_owned(), info.clone())),
        }
        let key = PositionHash::from_history(&info.history);
        let Some(best) = info.best() else { return };
        if self.by_position.len() >= MAX_STORED_POSITIONS && !self.by_position.contains_key(&key.0) {
            return;
        }
        let engine = self.add_engine(engine, model);
        let (value, depth) = (best.value, info.stats.depth);
        let shown = Some((info.candidates.clone(), info.stats));
        let values = PositionValues {
            engine,
            value,
            depth,
            shown_lines: shown,
            is_restored: false,
            best_move: None,
        };
        let known_values = self.by_position.entry(key.0).or_default();
        match known_values.iter_mut().find(|known| known.engine == engine) {
            Some(known) if (known.shown_lines.is_some() || known.is_restored) && known.depth > depth => {}
            Some(known) => {
                self.version += u64::from(known.value != value);
                *known = PositionValues {
                    best_move: known.best_move,
                    ..values
                };
            }
            None => {
                known_values.push(values);
                self.version += 1;
            }
        }
    }

    /// Applies the state of the search whose values were added last to the losses and only moves. `best_move` is the move
    /// with which the search has ended; `None` during the search.
    pub(super) fn update_statements(
        &mut self,
        engine: &str,
        info: &SearchInfo,
        best_move: Option<Move>,
        has_ended: bool,
    ) {
        let history = &*info.history;
        let Some(index) = self.engine_index(engine) else {
            return;
        };
        let keys = position_hashes(history.start(), history.moves().iter().copied())
            .fold([None; 3], |[_, before, now]: [Option<PositionHash>; 3], next| {
                [before, now, Some(next)]
            });
        let [_, _, Some(key)] = keys else { return };
        let known = self
            .by_position
            .get_mut(&key.0)
            .and_then(|all| all.iter_mut().find(|one| one.engine == index));
        if let Some(known) = known {
            known.best_move = best_move.or(known.best_move);
        }
        let searches = keys.map(|key| self.searched_value(index, key?));
        let is_choice = keys[1]
            .zip(history.last_move())
            .is_some_and(|(before, mv)| self.is_choice(index, before, mv));
        if is_choice {
            self.losses.take_back(index, key.0);
        } else {
            self.losses.update(
                index,
                key.0,
                history.now().side_to_move().flip(),
                &searches,
                has_ended,
            );
        }
        let [_, before, now] = searches;
        self.only_moves
            .update(index, key.0, info, [before, now], has_ended);
    }

    /// Shows the losses and only moves that stand for long enough. `now` is the time since the program was started.
    pub(super) fn tick_statements(&mut self, now: Duration) {
        self.losses.tick(now);
        self.only_moves.tick(now);
    }

    /// Returns whether a loss or an only move is shown once it stands for long enough.
    pub(super) fn awaits_statement(&self) -> bool {
        self.losses.is_waiting() || self.only_moves.is_waiting()
    }

    /// Returns the shown only move of a position, by an engine's search.
    pub(super) fn only_move(&self, engine: &str, history: &History) -> Option<OnlyMove> {
        self.only_moves
            .get(self.engine_index(engine)?, PositionHash::from_history(history).0)
    }

    /// Returns the shown loss by the last move of a game, in percentage points, by an engine's searches. The engine's own
    /// choice has none.
    pub(super) fn loss(&self, engine: &str, history: &History) -> Option<u8> {
        let index = self.engine_index(engine)?;
        let (last, before) = history.moves().split_last()?;
        let key_before = PositionHash::after_moves(history.start(), before);
        if self.is_choice(index, key_before, *last) {
            return None;
        }
        self.losses.get(index, key_before.after(*last).0)
    }

    /// Returns the choice of an engine in the position before the last move. `None` if it is not known or was played.
    pub(super) fn choice_before(&self, engine: &str, history: &History) -> Option<Move> {
        let index = self.engine_index(engine)?;
        let (last, before) = history.moves().split_last()?;
        let choices = self.choices(index, PositionHash::after_moves(history.start(), before));
        if choices.contains(&Some(*last)) {
            return None;
        }
        choices.into_iter().flatten().next()
    }

    fn is_choice(&self, index: usize, key: PositionHash, mv: Move) -> bool {
        self.choices(index, key).contains(&Some(mv))
    }

    /// Returns the move with which the search of a position has ended, and the first move of its first line.
    fn choices(&self, index: usize, key: PositionHash) -> [Option<Move>; 2] {
        let known = self.values_of(index, key);
        let first = known
            .and_then(|known| known.shown_lines.as_ref()?.0.first())
            .filter(|best| best.rank == 1);
        [
            known.and_then(|known| known.best_move),
            first.and_then(|best| best.pv.first().copied()),
        ]
    }

    fn engine_index(&self, engine: &str) -> Option<usize> {
        self.engines.iter().position(|(name, _)| name == engine)
    }

    fn values_of(&self, engine: usize, key: PositionHash) -> Option<&PositionValues> {
        self.by_position
            .get(&key.0)?
            .iter()
            .find(|values| values.engine == engine)
    }

    /// Returns the value of a position by the last search of an engine in this run.
    fn searched_value(&self, index: usize, key: PositionHash) -> Option<SearchedValue> {
        let known = self.values_of(index, key)?;
        let (_, stats) = known.shown_lines.as_ref()?;
        let (_, model) = self.engines.get(index)?;
        Some(SearchedValue {
            value: known.value,
            stats: *stats,
            model: *model,
        })
    }

    /// Returns the index of an engine. Adds a new engine; updates the model of a known one.
    fn add_engine(&mut self, engine: &str, model: WinRateModel) -> usize {
        if let Some((index, (_, known))) = self
            .engines
            .iter_mut()
            .enumerate()
            .find(|(_, (name, _))| name == engine)
        {
            self.version += u64::from(std::mem::replace(known, model) != model);
            return index;
        }
        self.engines.push((engine.to_owned(), model));
        self.engines.len() - 1
    }

    /// Removes the candidates of an engine. The values of its curve in the graph are kept.
    pub(super) fn forget(&mut self, engine: &str) {
        let index = self.engine_index(engine);
        let own = self
            .by_position
            .values_mut()
            .flatten()
            .filter(|values| Some(values.engine) == index);
        own.for_each(|values| values.shown_lines = None);
        self.latest_infos.retain(|(name, _)| name != engine);
    }

    /// Returns the last values of an engine, for any position.
    pub(super) fn latest(&self, engine: &str) -> Option<&SearchInfo> {
        self.latest_infos
            .iter()
            .find(|(name, _)| name == engine)
            .map(|(_, latest)| latest)
    }

    pub(super) fn get(&self, engine: &str, history: &Arc<History>) -> Option<SearchInfo> {
        let (candidates, stats) = self
            .lines_at(engine, PositionHash::from_history(history))?
            .clone();
        Some(SearchInfo {
            history: Arc::clone(history),
            candidates,
            stats,
        })
    }

    /// Returns the best line that an engine has shown for the position after these moves.
    pub(super) fn best_candidate(
        &self,
        engine: &str,
        start: &Position,
        moves: &[Move],
    ) -> Option<&Candidate> {
        let (candidates, _) = self.lines_at(engine, PositionHash::after_moves(start, moves))?;
        candidates.first().filter(|candidate| candidate.rank == 1)
    }

    /// Returns the candidates and figures that an engine has shown for a position. `None`: there are none, or they were
    /// removed.
    fn lines_at(&self, engine: &str, key: PositionHash) -> Option<&(Vec<Candidate>, SearchStats)> {
        self.values_of(self.engine_index(engine)?, key)?
            .shown_lines
            .as_ref()
    }

    /// Returns Black's shares by an engine, by ply up to a position. `None`: no value, or a shallow one.
    pub(super) fn shares(&self, engine: &str, history: &History) -> Vec<Option<f32>> {
        let known = self
            .engines
            .iter()
            .enumerate()
            .find(|(_, (name, _))| name == engine);
        let share = |values: Option<&[PositionValues]>| {
            let (index, (_, model)) = known?;
            let values = values?.iter().find(|values| values.engine == index)?;
            let is_shallow =
                values.depth.is_some_and(|depth| depth < MIN_SHARE_DEPTH) && values.value.winner().is_none();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "f32 is exact enough for a share of the bar"
            )]
            let share = model.win_rate(values.value) as f32;
            (!is_shallow).then_some(share)
        };
        self.values_along(history.start(), history.moves().iter().copied())
            .map(share)
            .collect()
    }

    /// Stores the value of a position by a background search. `None`: the search had no result. The value is not stored
    /// for the next run.
    pub(super) fn add_fill_value(&mut self, history: &History, value: Option<(Value, WinRateModel)>) {
        self.filled_values
            .insert(PositionHash::from_history(history).0, value);
        self.fill_version += 1;
    }

    /// Returns the number of stored values by background searches.
    pub(super) const fn fill_version(&self) -> u64 {
        self.fill_version
    }

    /// Returns the values by background searches by ply, from 0, along a line of moves. The outer `None`: no search;
    /// the inner one: a search without a result.
    pub(super) fn fill_values(
        &self,
        start: &Position,
        moves: impl Iterator<Item = Move>,
    ) -> impl Iterator<Item = Option<Option<(Value, WinRateModel)>>> {
        position_hashes(start, moves).map(|key| self.filled_values.get(&key.0).copied())
    }

    /// Returns the values of each engine by ply, from 0, along a line of moves. An engine without a value is left out.
    pub(super) fn series(
        &self,
        start: &Position,
        moves: impl Iterator<Item = Move>,
    ) -> Vec<EvaluationSeries> {
        self.series_of(start, moves, |_| true)
    }

    /// Returns the values of each engine that this run has shown along a line of moves, by ply from 0.
    pub(super) fn new_series(
        &self,
        start: &Position,
        moves: impl Iterator<Item = Move>,
    ) -> Vec<EvaluationSeries> {
        self.series_of(start, moves, |values| !values.is_restored)
    }

    /// Returns the values of each engine that `counts` accepts, along a line of moves, by ply from 0. An engine without
    /// such a value is left out.
    fn series_of(
        &self,
        start: &Position,
        moves: impl Iterator<Item = Move>,
        counts: impl Fn(&PositionValues) -> bool,
    ) -> Vec<EvaluationSeries> {
        let along: Vec<_> = self.values_along(start, moves).collect();
        let series = |(index, (name, model)): (usize, &(String, WinRateModel))| {
            let values: Vec<_> = along
                .iter()
                .map(|values| {
                    let mut values = values.as_ref()?.iter();
                    let own = values.find(|values| values.engine == index && counts(values))?;
                    Some(own.value)
                })
                .collect();
            let by = Evaluator::Engine(name.clone());
            let has_any = values.iter().any(Option::is_some);
            has_any.then_some(EvaluationSeries {
                evaluator: by,
                is_judge: false,
                values,
                model: *model,
            })
        };
        self.engines.iter().enumerate().filter_map(series).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_position.is_empty()
    }

    /// Returns the values to store for the next run. `game` is the hash of the game's name. The candidates are not
    /// stored.
    pub(super) fn to_stored(&self, game: u64) -> StoredValues {
        let engines = self
            .engines
            .iter()
            .map(|(name, model)| (name.clone(), model.k()))
            .collect();
        let of_position = |(key, values): (&u64, &Vec<PositionValues>)| {
            let key = *key;
            values
                .iter()
                .map(|values| {
                    (
                        key,
                        values.engine,
                        StoredValue::from_value(values.value),
                        values.depth,
                    )
                })
                .collect::<Vec<_>>()
        };
        let mut values: Vec<_> = self.by_position.iter().flat_map(of_position).collect();
        values.sort_unstable_by_key(|(key, engine, ..)| (*key, *engine));
        StoredValues {
            game,
            engines,
            values,
            losses: self.losses.to_stored(),
        }
    }

    /// Removes all values. The version increases.
    pub(super) fn clear(&mut self) {
        *self = Self {
            version: self.version + 1,
            fill_version: self.fill_version,
            ..Self::default()
        };
    }

    /// Replaces all values by those of an earlier run.
    pub(super) fn restore(&mut self, stored: &StoredValues) {
        self.clear();
        self.engines.extend(
            stored
                .engines
                .iter()
                .map(|(name, k)| (name.clone(), WinRateModel::new(*k))),
        );
        let is_of_known_engine =
            |(_, engine, ..): &&(u64, usize, StoredValue, Option<u32>)| *engine < stored.engines.len();
        for (key, engine, value, depth) in stored.values.iter().filter(is_of_known_engine) {
            if self.by_position.len() >= MAX_STORED_POSITIONS && !self.by_position.contains_key(key) {
                continue;
            }
            let (value, shown) = (value.value(), None);
            let (engine, depth) = (*engine, *depth);
            let search = PositionValues {
                engine,
                value,
                depth,
                shown_lines: shown,
                is_restored: true,
                best_move: None,
            };
            self.by_position.entry(*key).or_default().push(search);
        }
        let losses = stored
            .losses
            .iter()
            .filter(|(_, engine, _)| *engine < stored.engines.len());
        losses
            .take(MAX_STORED_POSITIONS)
            .for_each(|(position, engine, points)| {
                self.losses.show(*engine, *position, (*points).min(100));
            });
    }

    /// Returns the version, which differs after every change of a value.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the values of all engines along a line of moves, by ply from 0; `None` for a position without values.
    fn values_along(
        &self,
        start: &Position,
        moves: impl Iterator<Item = Move>,
    ) -> impl Iterator<Item = Option<&[PositionValues]>> {
        position_hashes(start, moves).map(|key| self.by_position.get(&key.0).map(Vec::as_slice))
    }
}

/// Returns the only move by the evaluations in a record, if their search is confirmed.
pub(super) fn recorded_only_move(snapshot: &Snapshot) -> Option<OnlyMove> {
    let info = snapshot.search_info.as_ref()?;
    let search = SearchedValue {
        value: info.best()?.value,
        stats: info.stats,
        model: snapshot.model,
    };
    if search.is_confirmed(None) {
        OnlyMove::find(info, snapshot.model)
    } else {
        None
    }
}

/// Returns the hashes of the positions along a line of moves, that of the start first.
fn position_hashes(
    start: &Position,
    moves: impl Iterator<Item = Move>,
) -> impl Iterator<Item = PositionHash> {
    let first = PositionHash::start(start);
    let later = moves.scan(first, |key, mv| {
        *key = key.after(mv);
        Some(*key)
    });
    std::iter::once(first).chain(later)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(moves: &str, cp: i32, depth: u32) -> SearchInfo {
        let history = Arc::new(History::from_usi(&format!("startpos moves {moves}")).unwrap());
        let candidate = Candidate {
            rank: 1,
            value: Value::Cp(cp),
            bound: None,
            depth: Some(depth),
            pv: Vec::new(),
        };
        let stats = SearchStats {
            depth: Some(depth),
            ..SearchStats::default()
        };
        SearchInfo {
            history,
            candidates: vec![candidate],
            stats,
        }
    }

    #[test]
    fn values_outlast_the_run() {
        let mut values = GameValues::default();
        values.add("a", &shown("7g7f", -30, 8), WinRateModel::new(410.0));
        values.add("b", &shown("7g7f 3c3d", 99, 9), WinRateModel::default());
        let mate = Value::Mate {
            winner: Color::White,
            plies: Some(7),
        };
        let mut mating = shown("7g7f 3c3d 2g2f", 0, 5);
        mating.candidates[0].value = mate;
        values.add("a", &mating, WinRateModel::new(410.0));
        let text = serde_json::to_string(&values.to_stored(7)).unwrap();
        let stored: StoredValues = serde_json::from_str(&text).unwrap();
        let mut restored = GameValues::default();
        restored.restore(&stored);
        assert_eq!((stored.game, restored.is_empty()), (7, false));
        let line = History::from_usi("startpos moves 7g7f 3c3d 2g2f").unwrap();
        let series = |values: &GameValues| {
            let series = values.series(line.start(), line.moves().iter().copied());
            series
                .into_iter()
                .map(|series| (series.evaluator, series.values, series.model))
                .collect::<Vec<_>>()
        };
        assert_eq!(series(&restored), series(&values));
        assert_eq!(restored.to_stored(7), stored);
        let with_loss = StoredValues {
            losses: vec![(9, 1, 23), (8, 5, 12)],
            ..stored.clone()
        };
        restored.restore(&serde_json::from_str(&serde_json::to_string(&with_loss).unwrap()).unwrap());
        assert_eq!(
            restored.losses.to_stored(),
            [(9, 1, 23)],
            "the other is of no engine"
        );
        restored.restore(&stored);
        assert_eq!(
            restored.new_series(line.start(), line.moves().iter().copied()),
            [],
            "none is of this run"
        );
        // A shallow search replaces no stored value, an equally deep one does.
        restored.add("a", &shown("7g7f", 77, 3), WinRateModel::new(410.0));
        assert_eq!(series(&restored), series(&values));
        restored.add("a", &shown("7g7f", 77, 8), WinRateModel::new(410.0));
        assert_eq!(series(&restored)[0].1[1], Some(Value::Cp(77)));
        // An entry whose engine index is out of range is dropped.
        let stored: StoredValues = serde_json::from_str(r#"{"places":[[7,3,{"cp":1},null]]}"#).unwrap();
        restored.restore(&stored);
        assert!(restored.is_empty());
    }

    #[test]
    fn the_curve_of_each_engine_grows_as_values_are_shown() {
        let mut values = GameValues::default();
        let line = History::from_usi("startpos moves 7g7f 3c3d 2g2f").unwrap();
        let series = |values: &GameValues| {
            let series = values.series(line.start(), line.moves().iter().copied());
            let values = |series: EvaluationSeries| (series.evaluator, series.values);
            series.into_iter().map(values).collect::<Vec<_>>()
        };
        let engine = |name: &str, values: [Option<i32>; 4]| {
            (
                Evaluator::Engine(name.to_owned()),
                values.map(|value| value.map(Value::Cp)).to_vec(),
            )
        };
        assert_eq!(series(&values), []);
        values.add("a", &shown("7g7f", 10, 8), WinRateModel::default());
        let version = values.version();
        values.add("a", &shown("7g7f", 10, 9), WinRateModel::default());
        assert_eq!(
            values.version(),
            version,
            "a deeper search of the same value changes nothing"
        );
        values.add("a", &shown("7g7f 3c3d", 40, 8), WinRateModel::default());
        assert!(values.version() > version);
        assert_eq!(series(&values), [engine("a", [None, Some(10), Some(40), None])]);
        values.add("a", &shown("7g7f 3c3d", 90, 3), WinRateModel::default());
        values.add("b", &shown("7g7f 3c3d 2g2f", -5, 3), WinRateModel::new(1200.0));
        // Another line shares only the first move.
        values.add("a", &shown("7g7f 8c8d", 70, 8), WinRateModel::default());
        values.forget("a");
        let [a, b] = [[None, Some(10), Some(40), None], [None, None, None, Some(-5)]];
        assert_eq!(series(&values), [engine("a", a), engine("b", b)]);
    }
}
