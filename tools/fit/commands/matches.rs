//! Matches between two players of this process: weights, or weights and a net.
//!
//! The results are in a file, a line for each pair of games. A line has the number of its opening and two letters. The
//! letters are the results of the games: with the first player as Black, and with swapped colours. `w` means won by the
//! first player, `d` drawn, `l` lost. The first line names the match. A line that begins with `#` has the decision of
//! the sequential test. An interrupted match continues from this file.

use super::files::LineFile;
use super::games::{GameResult, Referee, game_random};
use super::openings::{balanced_opening, styled_opening};
use super::player::Player;
use super::score::{Sprt, SprtDecision};
use super::search::search;
use super::statistics::{PairCounts, test_text};
use shogibar_base::random::mix;
use shogibar_builtin::{Control, Limits, SearchOutcome, SearchReport, Searcher, Trials};
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{Color, History, Move};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::Instant;

/// The size of each player's table, in MB.
const TABLE_MB: usize = 8;

/// The number of nodes of the search that decides whether an opening is balanced.
const OPENING_NODES: u64 = 2_000;
/// The maximum absolute score of a balanced opening, in centipawns.
const MAX_OPENING_SCORE: i32 = 300;

/// The number of pairs of games from one report to the next.
const PAIRS_PER_REPORT: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveLimit {
    Nodes(u64),
    Milliseconds(u64),
}

/// The conditions of a match between two versions of the engine.
#[derive(Clone, Debug)]
pub(crate) struct MatchConfig {
    pub(crate) limit: MoveLimit,
    /// The maximum number of games.
    pub(crate) games: u32,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// The sequential test that ends the match, if there is one.
    pub(crate) test: Option<Sprt>,
    /// The changes under test. Each pair of games has a random half of them on the one side and the rest on the other.
    /// So one match measures all of them, each as precisely as a separate match.
    pub(crate) factors: Trials,
}

impl Default for MatchConfig {
    fn default() -> Self {
        Self {
            limit: MoveLimit::Nodes(4_000),
            games: 2_000,
            seed: 1,
            threads: 2,
            test: None,
            factors: Trials(0),
        }
    }
}

/// The results of a match up to now, and their file.
struct Results {
    pairs: BTreeMap<u32, [char; 2]>,
    /// The file of the results; `None` for a match that is not recorded.
    file: Option<LineFile>,
    /// The smallest number of a pair that may be next.
    next_number: u32,
    /// The number of pairs of earlier runs.
    earlier_count: usize,
    /// The sequential test that ends the match, if there is one.
    test: Option<Sprt>,
    /// The first decision of the test. Games that were running then do not change it.
    decision: Option<SprtDecision>,
}

impl Results {
    /// Reads the results of earlier runs, and their decision.
    fn read(path: Option<&Path>, title: &str, test: Option<Sprt>) -> Result<Self, String> {
        let pairs = BTreeMap::new();
        let mut results = Self {
            pairs,
            file: None,
            next_number: 0,
            earlier_count: 0,
            test,
            decision: None,
        };
        let Some(path) = path else { return Ok(results) };
        let (file, lines) = LineFile::open(path, title)?;
        for line in lines.iter().filter(|line| !line.starts_with('#')) {
            let (number, pair) =
                parse_pair(line).ok_or_else(|| format!("{}: no result: {line}", path.display()))?;
            results.insert(number, pair);
        }
        results.earlier_count = results.pairs.len();
        results.file = Some(file);
        Ok(results)
    }

    /// Returns the number of the next pair to play.
    fn take_pair_number(&mut self) -> u32 {
        while self.pairs.contains_key(&self.next_number) {
            self.next_number += 1;
        }
        self.next_number += 1;
        self.next_number - 1
    }

    /// Adds the results of a pair. Returns the text of the test if it decides now.
    fn insert(&mut self, number: u32, pair: [char; 2]) -> Option<String> {
        self.pairs.insert(number, pair);
        let test = self.test.filter(|_| self.decision.is_none())?;
        self.decision = test.decision(&self.counts().score);
        self.decision.and_then(|_| self.test_text())
    }

    /// Adds the results of a pair, and appends them to the file. A decision follows them.
    fn add(&mut self, number: u32, pair: [char; 2]) -> Result<(), String> {
        let decision = self.insert(number, pair);
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_line(&format!("{number} {}{}", pair[0], pair[1]))?;
        decision.map_or(Ok(()), |text| file.write_line(&format!("# {text}")))
    }

    /// Returns the text of the test's state; `None` without a test.
    fn test_text(&self) -> Option<String> {
        self.test
            .map(|test| test_text(test, self.decision, &self.counts().score))
    }

    /// Returns the counts of all pairs from the view of the first player.
    fn counts(&self) -> PairCounts {
        self.counts_with(|_| true)
    }

    /// Returns the counts of all pairs. `is_first` returns whether the points of a pair are those of the first player,
    /// or else of the second.
    fn counts_with(&self, is_first: impl Fn(u32) -> bool) -> PairCounts {
        let mut counts = PairCounts::default();
        for (number, pair) in &self.pairs {
            let is_first = is_first(*number);
            counts.add(pair.map(|letter| match (letter, is_first) {
                ('w', true) | ('l', false) => 2_u8,
                ('d', _) => 1,
                _ => 0,
            }));
        }
        counts
    }
}

/// Parses a line of the file: the number of a pair, and its results.
fn parse_pair(line: &str) -> Option<(u32, [char; 2])> {
    let (number, letters) = line.split_once(' ')?;
    let letters: Vec<char> = letters.chars().collect();
    let pair = <[char; 2]>::try_from(letters).ok()?;
    pair.iter()
        .all(|letter| matches!(letter, 'w' | 'd' | 'l'))
        .then_some((number.parse().ok()?, pair))
}

impl MatchConfig {
    /// Plays until there are enough games or the test is decided. Prints the score of the first player.
    pub(crate) fn play(&self, sides: &[Player; 2], path: Option<&Path>) -> Result<(), Box<dyn Error>> {
        let results = Mutex::new(Results::read(path, &self.title(sides), self.test)?);
        let started = Instant::now();
        let play_pairs = || -> Result<(), String> {
            let mut players = sides.each_ref().map(|side| side.searcher(TABLE_MB));
            while let Some(number) = self.next_pair_number(&results) {
                let pair = self.play_pair(&mut players, sides, number);
                let mut results = lock(&results);
                results.add(number, pair)?;
                if results.pairs.len().is_multiple_of(PAIRS_PER_REPORT) {
                    println!("{}", self.report(&results, started));
                }
            }
            Ok(())
        };
        let mut ends = Vec::new();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1))
                .map(|_| scope.spawn(play_pairs))
                .collect();
            ends.extend(threads.into_iter().map(ScopedJoinHandle::join));
        });
        println!("end: {}", self.report(&lock(&results), started));
        for end in ends {
            end.map_err(|_panic| "a thread has failed")??;
        }
        Ok(())
    }

    /// Returns the text that names the match.
    fn title(&self, sides: &[Player; 2]) -> String {
        let Self { limit, seed, .. } = self;
        let [a, b] = sides.each_ref().map(Player::title);
        let factors: String = self
            .factor_names()
            .flat_map(|(_, name)| ["; factor ", name])
            .collect();
        format!("{a} {b} {limit:?} seed {seed}{factors}")
    }

    /// Returns the bits and names of the changes under test.
    fn factor_names(&self) -> impl Iterator<Item = (usize, &'static str)> + use<> {
        let Trials(bits) = self.factors;
        Trials::NAMES
            .iter()
            .copied()
            .enumerate()
            .filter(move |(bit, _)| bits >> bit & 1 == 1)
    }

    /// Returns the number of the next pair to play; `None` if the match is over.
    fn next_pair_number(&self, results: &Mutex<Results>) -> Option<u32> {
        let mut results = lock(results);
        if results.decision.is_some() {
            return None;
        }
        Some(results.take_pair_number()).filter(|number| *number < self.games.div_ceil(2))
    }

    /// Returns the text of the results up to now.
    fn report(&self, results: &Results, started: Instant) -> String {
        let new_games = 2.0 * (results.pairs.len() - results.earlier_count) as f64;
        let hourly = 3_600.0 * new_games / started.elapsed().as_secs_f64();
        let mut text = format!("{}; {hourly:.0} games an hour", results.counts().text());
        if let Some(test) = results.test_text() {
            let _infallible = write!(text, "\n  {test}");
        }
        for (bit, name) in self.factor_names() {
            let has_first = |number: u32| self.halves(number)[0].0 >> bit & 1 == 1;
            let _infallible = write!(
                text,
                "\n  {bit:2} {}: {name}",
                results.counts_with(has_first).text()
            );
        }
        text
    }

    /// Returns the halves of the factors for both players in a pair.
    fn halves(&self, number: u32) -> [Trials; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "random bits")]
        let half = mix(self.seed << 32 ^ u64::from(number) ^ 0x5EED) as u32 & self.factors.0;
        [Trials(half), Trials(self.factors.0 & !half)]
    }

    /// Plays two games from one opening, with both colours. Returns `w`, `d` or `l` for the first player's game as
    /// Black and as White.
    fn play_pair(&self, players: &mut [Searcher; 2], sides: &[Player; 2], number: u32) -> [char; 2] {
        for player in players.iter_mut() {
            player.set_trials(Trials::default());
        }
        let mut random = game_random(self.seed, number as usize);
        let opening = balanced_opening(&mut players[1], OPENING_NODES, || {
            (styled_opening(0, &mut random), MAX_OPENING_SCORE)
        });
        for ((player, side), half) in players.iter_mut().zip(sides).zip(self.halves(number)) {
            player.set_trials(Trials(side.trials.0 | half.0));
        }
        [Color::Black, Color::White].map(|first| {
            match self.play_game(players, sides, first, opening.clone()) {
                GameResult::Drawn => 'd',
                GameResult::Won(winner) if winner == first => 'w',
                GameResult::Won(_) => 'l',
            }
        })
    }

    /// Plays a game in which the first player has the colour `first`. Returns the result.
    fn play_game(
        &self,
        players: &mut [Searcher; 2],
        sides: &[Player; 2],
        first: Color,
        mut history: History,
    ) -> GameResult {
        players.iter_mut().for_each(Searcher::clear);
        let mut referee = Referee::default();
        loop {
            let on_move = usize::from(history.now().side_to_move() != first);
            let limits = sides
                .each_ref()
                .map(|side| side.nodes.map_or(self.limit, MoveLimit::Nodes));
            let pair = players.iter_mut().zip(limits).nth(on_move);
            let answer = pair.and_then(|(player, limit)| think(player, &history, limit));
            let score = answer.map(|(_, score)| score);
            if let Some(result) = referee.result(history.now(), score, history.moves().len()) {
                return result;
            }
            if let Some((mv, _)) = answer {
                let legal = history.play(mv);
                debug_assert!(legal.is_ok(), "the engine plays legal moves");
            }
        }
    }
}

/// Searches for the next move of a game, within a limit. Returns the move with its score; `None` if there is no move.
fn think(searcher: &mut Searcher, history: &History, limit: MoveLimit) -> Option<(Move, UsiScore)> {
    let deadline = match limit {
        MoveLimit::Nodes(nodes) => return search(searcher, history, nodes),
        MoveLimit::Milliseconds(deadline) => deadline,
    };
    let mut score = UsiScore::Cp(0);
    let mut report = |report: &SearchReport| score = report.score;
    let started = Instant::now();
    let clock = || u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let control = Control::new(Some(deadline));
    let outcome = searcher
        .think(history, &Limits::default(), &control, &clock, &mut report)
        .ok()?;
    let SearchOutcome::Play(mv, _) = outcome else {
        return None;
    };
    Some((mv, score))
}

fn lock(results: &Mutex<Results>) -> MutexGuard<'_, Results> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_match_continues() {
        let folder = std::env::temp_dir().join(format!("shogibar-match-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("results");
        let sides = [Player::shipped(), Player::shipped()];
        let mut config = MatchConfig {
            limit: MoveLimit::Nodes(50),
            games: 4,
            ..MatchConfig::default()
        };
        config.play(&sides, Some(&path)).unwrap();
        // The run is interrupted in the middle of a line.
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}2 w")).unwrap();
        config.games = 8;
        config.play(&sides, Some(&path)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&whole), "{text}");
        assert_eq!(text.lines().count(), 1 + 4, "{text}");
        // Both sides have equal weights: if one wins with Black, so does the other.
        let results = Results::read(Some(&path), &config.title(&sides), None).unwrap();
        assert!((results.counts().score.mean() - 0.5).abs() < 1e-9, "{text}");
        assert!(Results::read(Some(&path), "another", None).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn later_games_do_not_change_a_decision() {
        let folder = std::env::temp_dir().join(format!("shogibar-decision-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("results");
        let sprt = Some(Sprt {
            elo0: 0.0,
            elo1: 10.0,
        });
        let mut results = Results::read(Some(&path), "title", sprt).unwrap();
        for number in 0..70 {
            results
                .add(number, if number < 10 { ['w', 'w'] } else { ['l', 'l'] })
                .unwrap();
        }
        let again = Results::read(Some(&path), "title", sprt).unwrap();
        for results in [&results, &again] {
            assert_eq!(results.decision, Some(SprtDecision::Higher));
            let text = results.test_text().unwrap();
            assert!(text.contains("10 is accepted"), "{text}");
        }
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(
            text.lines()
                .filter(|line| line.starts_with("# test of 0 and 10: "))
                .count(),
            1,
            "{text}"
        );
        // Without the test the match goes on.
        assert_eq!(Results::read(Some(&path), "title", None).unwrap().decision, None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_results_are_read() {
        assert_eq!(parse_pair("12 wl"), Some((12, ['w', 'l'])));
        for line in ["12 wx", "12", "x wl", "12 w", "12 wld"] {
            assert_eq!(parse_pair(line), None, "{line}");
        }
    }
}
