//! Matches between two players of this process: weights, or weights and a net.
//!
//! The results stand in a file, a line for each pair of games: the number of its opening and two letters, the result of the game with
//! the first player as Black and of that with the colors swapped: `w` won by the first player, `d` drawn, `l` lost. A match that was
//! interrupted goes on from there.

use crate::data::styled_opening;
use crate::games::{GameResult, Referee, centipawns, game_random, search};
use crate::statistics::{Hypotheses, PairCounts};
use shogibar_core::score::UsiScore;
use shogibar_core::search::{Control, KingTables, Limits, SearchOutcome, SearchReport, Searcher};
use shogibar_core::shogi::{Color, History, Move};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The size of each player's table, in MB.
const TABLE_MB: usize = 8;

/// The nodes of the search that decides whether an opening is level, and the greatest score, in centipawns.
const OPENING_NODES: u64 = 2_000;
const LEVEL: i32 = 300;

/// The number of pairs between two reports.
const REPORT: u32 = 50;

/// What limits each search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveLimit {
    Nodes(u64),
    Milliseconds(u64),
}

/// A match.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    pub(crate) limit: MoveLimit,
    /// The most games.
    pub(crate) games: u32,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// The sequential test that ends the match, if there is one.
    pub(crate) test: Option<Hypotheses>,
}

impl Default for Contest {
    fn default() -> Self {
        Self { limit: MoveLimit::Nodes(4_000), games: 2_000, seed: 1, threads: 2, test: None }
    }
}

/// The results of a match so far, and their file.
struct Results {
    pairs: BTreeMap<u32, [char; 2]>,
    file: Option<fs::File>,
    next: u32,
    /// The number of pairs of earlier runs.
    earlier: usize,
}

impl Results {
    /// Reads the results of earlier runs. The first line says what is played.
    fn read(path: Option<&Path>, title: &str) -> Result<Self, Box<dyn Error>> {
        let mut pairs = BTreeMap::new();
        let Some(path) = path else { return Ok(Self { pairs, file: None, next: 0, earlier: 0 }) };
        let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
        // A run that was interrupted may have left a part of a line.
        let whole = text.rfind('\n').and_then(|end| text.get(..=end)).unwrap_or_default();
        let mut lines = whole.lines();
        match lines.next() {
            Some(first) if first != title => {
                return Err(format!("{} has another match: {first}", path.display()).into());
            }
            _ => {}
        }
        for line in lines {
            let pair = parse_pair(line).ok_or_else(|| format!("{}: no result: {line}", path.display()))?;
            pairs.insert(pair.0, pair.1);
        }
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        file.set_len(whole.len() as u64)?;
        if whole.is_empty() {
            writeln!(file, "{title}")?;
        }
        let earlier = pairs.len();
        Ok(Self { pairs, file: Some(file), next: 0, earlier })
    }

    /// Returns the number of the next pair to play.
    fn take(&mut self) -> u32 {
        while self.pairs.contains_key(&self.next) {
            self.next += 1;
        }
        self.next += 1;
        self.next - 1
    }

    fn add(&mut self, number: u32, pair: [char; 2]) -> std::io::Result<()> {
        self.pairs.insert(number, pair);
        match &mut self.file {
            Some(file) => writeln!(file, "{number} {}{}", pair[0], pair[1]),
            None => Ok(()),
        }
    }

    fn counts(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        for pair in self.pairs.values() {
            counts.add(pair.map(|letter| match letter {
                'w' => 2,
                'd' => 1,
                _ => 0,
            }));
        }
        counts
    }
}

fn parse_pair(line: &str) -> Option<(u32, [char; 2])> {
    let (number, letters) = line.split_once(' ')?;
    let letters: Vec<char> = letters.chars().collect();
    let pair = <[char; 2]>::try_from(letters).ok()?;
    pair.iter().all(|letter| matches!(letter, 'w' | 'd' | 'l')).then_some((number.parse().ok()?, pair))
}

impl Contest {
    /// Plays until there are enough games or the test is decided, and prints the score of the first player.
    pub(crate) fn play(
        &self,
        tables: &[Arc<KingTables>; 2],
        title: &str,
        path: Option<&Path>,
    ) -> Result<(), Box<dyn Error>> {
        let Self { limit, seed, .. } = self;
        let results = Mutex::new(Results::read(path, &format!("{title} {limit:?} seed {seed}"))?);
        let is_over = AtomicBool::new(false);
        let failure: Mutex<Option<std::io::Error>> = Mutex::default();
        let started = Instant::now();
        let lock = || results.lock().unwrap_or_else(PoisonError::into_inner);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    let mut players =
                        [0, 1].map(|side| Searcher::with_tables(TABLE_MB, 1, Arc::clone(&tables[side % 2])));
                    while !is_over.load(Ordering::Relaxed) {
                        let number = lock().take();
                        if number >= self.games.div_ceil(2) {
                            return;
                        }
                        let pair = self.play_pair(&mut players, number);
                        let mut results = lock();
                        if let Err(error) = results.add(number, pair)
                            && let Ok(mut failure) = failure.lock()
                        {
                            *failure = Some(error);
                            is_over.store(true, Ordering::Relaxed);
                        }
                        let counts = results.counts();
                        if self.test.is_some_and(|test| test.decision(&counts).is_some()) {
                            is_over.store(true, Ordering::Relaxed);
                        }
                        if counts.pairs().is_multiple_of(REPORT) {
                            println!("{}", self.report(&results, started));
                        }
                    }
                });
            }
        });
        println!("end: {}", self.report(&lock(), started));
        failure.into_inner().unwrap_or_default().map_or(Ok(()), |error| Err(error.into()))
    }

    fn report(&self, results: &Results, started: Instant) -> String {
        let counts = results.counts();
        let new_games = 2.0 * (results.pairs.len() - results.earlier) as f64;
        let hourly = 3_600.0 * new_games / started.elapsed().as_secs_f64();
        let test = self.test.map(|test| test.text(&counts)).unwrap_or_default();
        format!("{}{test}; {hourly:.0} games an hour", counts.text())
    }

    /// Plays an opening with both colors.
    fn play_pair(&self, players: &mut [Searcher; 2], number: u32) -> [char; 2] {
        let opening = level_opening(&mut players[1], self.seed, number);
        [Color::Black, Color::White].map(|first| match self.play_game(players, first, opening.clone()) {
            GameResult::Drawn => 'd',
            GameResult::Won(winner) if winner == first => 'w',
            GameResult::Won(_) => 'l',
        })
    }

    /// Plays a game in which the first player has a color.
    fn play_game(&self, players: &mut [Searcher; 2], first: Color, mut history: History) -> GameResult {
        players.iter_mut().for_each(Searcher::clear);
        let mut referee = Referee::default();
        loop {
            let on_move = usize::from(history.now().side_to_move() != first);
            let answer = players.get_mut(on_move).and_then(|player| self.search(player, &history));
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

    fn search(&self, searcher: &mut Searcher, history: &History) -> Option<(Move, UsiScore)> {
        let deadline = match self.limit {
            MoveLimit::Nodes(nodes) => return search(searcher, history, nodes),
            MoveLimit::Milliseconds(deadline) => deadline,
        };
        let mut score = UsiScore::Cp(0);
        let mut report = |report: &SearchReport| score = report.score;
        let started = Instant::now();
        let clock = || u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let control = Control::new(Some(deadline));
        let outcome = searcher.think(history, &Limits::default(), &control, &clock, &mut report).ok()?;
        let SearchOutcome::Play(mv, _) = outcome else { return None };
        Some((mv, score))
    }
}

/// Returns an opening after which neither side is much better, by the seed and the number alone.
fn level_opening(searcher: &mut Searcher, seed: u64, number: u32) -> History {
    let mut random = game_random(seed, number as usize);
    loop {
        let history = styled_opening(0, &mut random);
        searcher.clear();
        let found = search(searcher, &history, OPENING_NODES);
        if found.is_some_and(|(_, score)| centipawns(score).abs() <= LEVEL) {
            return history;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_goes_on_where_it_was() {
        let folder = std::env::temp_dir().join(format!("shogibar-contest-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("results");
        let tables = [KingTables::shipped(), KingTables::shipped()];
        let mut contest = Contest { limit: MoveLimit::Nodes(50), games: 4, ..Contest::default() };
        contest.play(&tables, "a b", Some(&path)).unwrap();
        // Interrupted in the middle of a line.
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}2 w")).unwrap();
        contest.games = 8;
        contest.play(&tables, "a b", Some(&path)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&whole), "{text}");
        assert_eq!(text.lines().count(), 1 + 4, "{text}");
        // The same weights on both sides: what one wins with Black the other wins, too.
        let results = Results::read(Some(&path), "a b Nodes(50) seed 1").unwrap();
        assert!((results.counts().mean() - 0.5).abs() < 1e-9, "{text}");
        assert!(Results::read(Some(&path), "another").is_err());
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
