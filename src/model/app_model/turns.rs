//! The choice of the game that each set of engines searches, if there are more games than sets. Pure: time is counted
//! in ticks.
//!
//! A position newer than all searched ones goes first, but each game has this precedence only once in a round. All
//! other turns go to the game that lacks most search time, or has waited a whole round. So every game waits at most two
//! rounds.

use crate::ids::{BarId, GameId};
use std::cmp::Reverse;
use std::time::Duration;

/// The time between two ticks.
pub const TICK_INTERVAL: Duration = Duration::from_millis(125);
const MIN_TURN_TICKS: u64 = 3;
const MAX_TURN_TICKS: u64 = 16;
/// The length of a round, in which every game has a turn, in ticks. With many games a round is longer, because turns
/// have a minimum length.
const ROUND_TICKS: u64 = 24;
/// The search time from which a position waits behind all others, in ticks.
const MIN_SEARCHED_TICKS: u64 = 480;

/// A request to search a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnRequest {
    pub(super) game: GameId,
    /// A hash of the position to search.
    pub(super) position: u64,
}

/// A game, and its search history.
#[derive(Clone, Copy, Debug)]
struct WaitingGame {
    game: GameId,
    /// A hash of the position to search.
    position: u64,
    /// The number of the position in order of arrival; `None` once it is searched.
    arrival: Option<u64>,
    /// The search time that the game lacks by its share, in ticks times the number of games. Negative if the game had
    /// more than its share.
    owed_ticks: i64,
    /// The time since the last search of the game, in ticks.
    waited_ticks: u64,
    /// The time at which the game last had precedence, in ticks; `None` if it never had.
    precedence_time: Option<u64>,
    /// The time for which the position was searched, in ticks.
    searched_ticks: u64,
}

/// A set of engines: those of a bar.
#[derive(Clone, Copy, Debug)]
struct EngineSet {
    bar: BarId,
    /// The game that the set searches; `None` before it has one.
    game: Option<GameId>,
    /// The time at which the set began to search the game, in ticks.
    turn_start: u64,
    /// Whether the game has this turn because of a new position, by precedence.
    is_priority_turn: bool,
}

/// The games and the sets of engines that search them, in turn if there are more games than sets.
#[derive(Debug, Default)]
pub(super) struct SearchTurns {
    /// The number of ticks up to now.
    now: u64,
    /// The number of positions that have arrived.
    arrival_count: u64,
    games: Vec<WaitingGame>,
    sets: Vec<EngineSet>,
}

impl SearchTurns {
    /// Counts a tick. The turns change with the next [`update`](Self::update).
    pub(super) fn tick(&mut self) {
        self.now += 1;
        let [sets, games] =
            [self.sets.len(), self.games.len()].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let max_owed_ticks = games.saturating_mul(i64::try_from(2 * self.turn_ticks()).unwrap_or(i64::MAX));
        for game in &mut self.games {
            let is_searched = self.sets.iter().any(|set| set.game == Some(game.game));
            game.searched_ticks += u64::from(is_searched);
            game.waited_ticks = if is_searched { 0 } else { game.waited_ticks + 1 };
            let received = if is_searched { games } else { 0 };
            game.owed_ticks = (game.owed_ticks + sets - received).clamp(-max_owed_ticks, max_owed_ticks);
        }
    }

    /// Returns whether the games are searched in turn, because there are more games than sets.
    pub(super) const fn is_needed(&self) -> bool {
        self.games.len() > self.sets.len() && !self.sets.is_empty()
    }

    /// Returns the number of sets and the number of games.
    pub(super) const fn counts(&self) -> (usize, usize) {
        (self.sets.len(), self.games.len())
    }

    pub(super) fn game_of(&self, bar: BarId) -> Option<GameId> {
        self.sets.iter().find(|set| set.bar == bar)?.game
    }

    fn turn_ticks(&self) -> u64 {
        let [sets, games] =
            [self.sets.len(), self.games.len()].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        (ROUND_TICKS.saturating_mul(sets) / games.max(1)).clamp(MIN_TURN_TICKS, MAX_TURN_TICKS)
    }

    fn round_ticks(&self) -> u64 {
        let turns = self.games.len().div_ceil(self.sets.len().max(1));
        self.turn_ticks()
            .saturating_mul(u64::try_from(turns).unwrap_or(u64::MAX))
    }

    /// Chooses the game of each set. `bars` are the bars whose engines are free for turns; `requests` are the games to
    /// search.
    pub(super) fn update(&mut self, bars: &[BarId], requests: &[TurnRequest]) {
        self.merge_requests(bars, requests);
        if !self.is_needed() {
            return;
        }
        let (turn, round) = (self.turn_ticks(), self.round_ticks());
        while let Some(game) = self.newest_unsearched(round) {
            let Some(set) = self.set_for_newest(turn) else {
                break;
            };
            self.assign_game(set, game, true);
        }
        for set in 0..self.sets.len() {
            if self.is_turn_over(set, turn)
                && let Some(game) = self.most_owed(set)
            {
                self.assign_game(set, game, false);
            }
        }
    }

    /// Updates the sets and games by the present bars and requests. A new position of a game gets a number in order of
    /// arrival, unless a set is searching the game.
    fn merge_requests(&mut self, bars: &[BarId], requests: &[TurnRequest]) {
        self.sets.retain(|set| bars.contains(&set.bar));
        for bar in bars {
            if !self.sets.iter().any(|set| set.bar == *bar) {
                self.sets.push(EngineSet {
                    bar: *bar,
                    game: None,
                    turn_start: self.now,
                    is_priority_turn: false,
                });
            }
        }
        self.games
            .retain(|known| requests.iter().any(|request| request.game == known.game));
        let round = self.round_ticks();
        for TurnRequest { game, position } in requests {
            let known = self.games.iter_mut().find(|known| known.game == *game);
            if known.as_ref().is_some_and(|known| known.position == *position) {
                continue;
            }
            self.arrival_count += 1;
            let arrival = Some(self.arrival_count);
            let set = self.sets.iter_mut().find(|set| set.game == Some(*game));
            match (known, set) {
                (Some(known), Some(set)) => {
                    // The set goes on with the new position of its game. The turn begins again if the game may have
                    // precedence.
                    (known.position, known.arrival, known.searched_ticks) = (*position, None, 0);
                    if known.precedence_time.is_none_or(|at| at + round <= self.now) {
                        (set.turn_start, set.is_priority_turn, known.precedence_time) =
                            (self.now, true, Some(self.now));
                    }
                }
                (Some(known), None) => {
                    (known.position, known.arrival, known.searched_ticks) = (*position, arrival, 0);
                }
                (None, _) => self.games.push(WaitingGame {
                    game: *game,
                    position: *position,
                    arrival,
                    owed_ticks: 0,
                    waited_ticks: 0,
                    precedence_time: None,
                    searched_ticks: 0,
                }),
            }
        }
        for set in &mut self.sets {
            set.game = set
                .game
                .filter(|game| self.games.iter().any(|known| known.game == *game));
        }
    }

    fn is_searched(&self, game: GameId) -> bool {
        self.sets.iter().any(|set| set.game == Some(game))
    }

    fn game(&mut self, id: GameId) -> Option<&mut WaitingGame> {
        self.games.iter_mut().find(|game| game.game == id)
    }

    /// Returns the game with the newest position that has not been searched, if it may have precedence.
    fn newest_unsearched(&self, round: u64) -> Option<GameId> {
        Some(
            self.games
                .iter()
                .filter(|game| {
                    let is_rested = game.precedence_time.is_none_or(|at| at + round <= self.now);
                    is_rested && game.arrival.is_some() && !self.is_searched(game.game)
                })
                .max_by_key(|game| game.arrival)?
                .game,
        )
    }

    /// Returns the set for a new position: one without a game, one whose turn is over, or the longest-running one. A
    /// priority turn is not ended before its minimum length.
    fn set_for_newest(&self, turn: u64) -> Option<usize> {
        let age = |set: &EngineSet| self.now.saturating_sub(set.turn_start);
        let is_free = |set: &EngineSet| set.game.is_none() || age(set) >= turn;
        let sets = self
            .sets
            .iter()
            .enumerate()
            .filter(|(_, set)| is_free(set) || !set.is_priority_turn || age(set) >= MIN_TURN_TICKS);
        Some(sets.max_by_key(|(_, set)| (is_free(set), age(set)))?.0)
    }

    /// Returns whether a set may change its game: it has none, its turn is over, or its position was searched enough.
    fn is_turn_over(&self, set: usize, turn: u64) -> bool {
        let is_enough = |id| {
            self.games
                .iter()
                .any(|game| game.game == id && game.searched_ticks >= MIN_SEARCHED_TICKS)
        };
        self.sets.get(set).is_some_and(|set| match set.game {
            Some(game) => self.now.saturating_sub(set.turn_start) >= turn || is_enough(game),
            None => true,
        })
    }

    /// Returns the next game for a set: the longest waiting one after a round, else the one that lacks most search
    /// time. A position that was searched enough is chosen only for a set without a game.
    fn most_owed(&self, set: usize) -> Option<GameId> {
        let is_idle = self.sets.get(set).is_some_and(|set| set.game.is_none());
        let waiting = self.games.iter().filter(|game| {
            !self.is_searched(game.game) && (is_idle || game.searched_ticks < MIN_SEARCHED_TICKS)
        });
        let round = self.round_ticks();
        let order = |game: &&WaitingGame| {
            let overdue = if game.waited_ticks >= round {
                game.waited_ticks
            } else {
                0
            };
            (
                game.searched_ticks >= MIN_SEARCHED_TICKS,
                Reverse(overdue),
                Reverse(game.owed_ticks),
                game.arrival,
            )
        };
        Some(waiting.min_by_key(order)?.game)
    }

    fn assign_game(&mut self, set: usize, game: GameId, is_priority_turn: bool) {
        let now = self.now;
        let Some(set) = self.sets.get_mut(set) else { return };
        *set = EngineSet {
            game: Some(game),
            turn_start: now,
            is_priority_turn,
            ..*set
        };
        if let Some(game) = self.game(game) {
            game.arrival = None;
            if is_priority_turn {
                game.precedence_time = Some(now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Sets and games whose positions change, and the time since each game was last searched.
    struct TurnSimulation {
        turns: SearchTurns,
        bars: Vec<BarId>,
        requests: Vec<TurnRequest>,
        unsearched_ticks: BTreeMap<GameId, u64>,
        searched_ticks: BTreeMap<GameId, u64>,
        /// The longest time that any game has waited, in ticks.
        max_unsearched_ticks: u64,
    }

    impl TurnSimulation {
        fn new(sets: u64, games: u64) -> Self {
            let requests: Vec<_> = (0..games)
                .map(|game| TurnRequest {
                    game: GameId(game),
                    position: 0,
                })
                .collect();
            let bars = (0..sets).map(|bar| BarId(100 + bar)).collect();
            let mut simulation = Self {
                turns: SearchTurns::default(),
                bars,
                requests,
                unsearched_ticks: BTreeMap::new(),
                searched_ticks: BTreeMap::new(),
                max_unsearched_ticks: 0,
            };
            simulation.update();
            simulation
        }

        fn update(&mut self) {
            self.turns.update(&self.bars, &self.requests);
            let mut searched: Vec<_> = self
                .bars
                .iter()
                .filter_map(|bar| self.turns.game_of(*bar))
                .collect();
            searched.sort_unstable();
            let count = searched.len();
            searched.dedup();
            assert_eq!(searched.len(), count, "two sets search one game");
            let expect = if self.turns.is_needed() {
                self.bars.len()
            } else {
                0
            };
            assert!(count >= expect, "a set has nothing to do");
        }

        fn arrive(&mut self, game: usize) {
            if let Some(request) = self.requests.get_mut(game) {
                request.position += 1;
            }
            self.update();
        }

        fn searches(&self, game: u64) -> bool {
            self.bars
                .iter()
                .any(|bar| self.turns.game_of(*bar) == Some(GameId(game)))
        }

        fn tick(&mut self) {
            for request in &self.requests {
                let is_searched = self
                    .bars
                    .iter()
                    .any(|bar| self.turns.game_of(*bar) == Some(request.game));
                let waited = self.unsearched_ticks.entry(request.game).or_default();
                *waited = if is_searched { 0 } else { *waited + 1 };
                self.max_unsearched_ticks = self.max_unsearched_ticks.max(*waited);
                *self.searched_ticks.entry(request.game).or_default() += u64::from(is_searched);
            }
            self.turns.tick();
            self.update();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(50)))]
        /// The games of the range from the first on get new positions all the time, others sometimes or never.
        #[test]
        fn nobody_waits_longer_than_two_rounds_on_random_histories(
            sets in 1u64..5,
            more in 1u64..12,
            news in proptest::collection::vec((0usize..16, 0usize..16), 200),
            hot in 0usize..8,
        ) {
            let games = sets + more;
            let mut simulation = TurnSimulation::new(sets, games);
            for (one, other) in news {
                for game in (0..hot).chain([one, other]) {
                    simulation.arrive(game);
                }
                simulation.tick();
            }
            // The bound allows half a second more.
            let bound = simulation.turns.round_ticks() * 2 + 4;
            let waited = simulation.max_unsearched_ticks;
            prop_assert!(waited <= bound, "waited {waited} of {bound}");
        }

        #[test]
        fn a_quiet_game_gets_its_share(sets in 1u64..4, more in 1u64..10) {
            let games = sets + more;
            let mut simulation = TurnSimulation::new(sets, games);
            for tick in 0..800 {
                // All but the last get a move every three seconds.
                for game in 0..usize::try_from(games - 1).unwrap() {
                    if tick % 24 == game * 2 % 24 {
                        simulation.arrive(game);
                    }
                }
                simulation.tick();
            }
            let quiet = simulation.searched_ticks[&GameId(games - 1)].min(MIN_SEARCHED_TICKS);
            let share = (800 * sets / games).min(MIN_SEARCHED_TICKS);
            prop_assert!(quiet * 3 >= share * 2, "{quiet} of {share}");
        }
    }

    #[test]
    fn the_newest_position_is_searched_at_once() {
        let mut simulation = TurnSimulation::new(1, 6);
        for _ in 0..40 {
            simulation.tick();
        }
        let waiting = (0..6).find(|game| !simulation.searches(*game)).unwrap();
        simulation.arrive(usize::try_from(waiting).unwrap());
        assert!(simulation.searches(waiting));
        // A first search is not cut short, not even by a newer position.
        let other = (0..6).find(|game| !simulation.searches(*game)).unwrap();
        simulation.arrive(usize::try_from(other).unwrap());
        assert!(simulation.searches(waiting));
        (0..MIN_TURN_TICKS).for_each(|_| simulation.tick());
        assert!(simulation.searches(other));
    }

    #[test]
    fn a_set_for_each_game_takes_no_turns() {
        let mut simulation = TurnSimulation::new(3, 3);
        assert!(!simulation.turns.is_needed());
        simulation.tick();
        assert_eq!(simulation.turns.counts(), (3, 3));
    }

    #[test]
    fn games_that_were_searched_enough_wait_behind_the_others() {
        let mut simulation = TurnSimulation::new(1, 3);
        for _ in 0..4 * MIN_SEARCHED_TICKS {
            simulation.tick();
        }
        let resting = simulation.turns.game_of(simulation.bars[0]);
        for _ in 0..100 {
            simulation.tick();
            assert_eq!(
                simulation.turns.game_of(simulation.bars[0]),
                resting,
                "nothing is left to search"
            );
        }
    }
}
