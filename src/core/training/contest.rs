//! Matches between two sets of weights.

use crate::games::{GameResult, Referee, game_random, level_opening, search};
use shogibar_core::search::{KingTables, Searcher};
use shogibar_core::shogi::{Color, History};
use std::sync::Arc;

/// The number of openings between two reports.
const REPORT: usize = 25;

/// Plays `count` games of the first tables against the second and prints the score. Each opening is played with both colours.
pub(crate) fn play_match(tables: [Arc<KingTables>; 2], count: usize, nodes: u64, seed: u64) {
    let [mut first, mut second] = tables.map(|tables| Searcher::with_tables(16, 1, tables));
    let mut score = Score::default();
    for number in 0..count.div_ceil(2) {
        let opening = level_opening(&mut second, &mut game_random(seed, number), nodes);
        let as_black = play_game([&mut first, &mut second], opening.clone(), nodes);
        let as_white = play_game([&mut second, &mut first], opening, nodes);
        score.add_pair([(as_black, Color::Black), (as_white, Color::White)]);
        if (number + 1) % REPORT == 0 || number + 1 == count.div_ceil(2) {
            println!("{}", score.text());
        }
    }
}

/// Plays a game of two searchers, Black first.
fn play_game(mut players: [&mut Searcher; 2], mut history: History, nodes: u64) -> GameResult {
    for player in &mut players {
        player.clear();
    }
    let mut referee = Referee::default();
    loop {
        let [black, white] = &mut players;
        let on_move = if history.now().side_to_move() == Color::Black { black } else { white };
        let answer = search(on_move, &history, nodes);
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

/// The score of a match, from the view of its first side.
#[derive(Default)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
    /// The points of each pair of games, 0–2.
    pairs: Vec<f64>,
}

impl Score {
    /// Adds the results of two games with the color of the first side.
    fn add_pair(&mut self, games: [(GameResult, Color); 2]) {
        let mut points = 0.0;
        for (result, color) in games {
            match result {
                GameResult::Drawn => self.draws += 1,
                GameResult::Won(winner) if winner == color => self.wins += 1,
                GameResult::Won(_) => self.losses += 1,
            }
            points += f64::from(result.points(color));
        }
        self.pairs.push(points);
    }

    /// Returns wins, draws and losses, and the Elo with its interval of 95 % by the spread of the pairs.
    fn text(&self) -> String {
        let count = self.pairs.len() as f64;
        let mean = self.pairs.iter().sum::<f64>() / count / 2.0;
        let spread: f64 = self.pairs.iter().map(|points| (points / 2.0 - mean).powi(2)).sum();
        let error = 1.96 * (spread / (count - 1.0).max(1.0) / count).sqrt();
        let elo = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
        let [low, middle, high] = [mean - error, mean, mean + error].map(elo);
        format!("+{} ={} -{}: {middle:+.0} ({low:+.0}…{high:+.0})", self.wins, self.draws, self.losses)
    }
}
