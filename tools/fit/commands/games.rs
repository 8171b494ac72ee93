//! Games of the built-in engine against itself, as lines of text.
//!
//! A line is `NUMBER RESULT MOVE…`. The result is `b`, `w` or `-` for a draw. A move is in USI. If the position before
//! the move is quiet, `:CP` follows: the search's value in centipawns, as seen by the side to move. The first line of a
//! file begins with `#` and names the player, the nodes and the seed; files of earlier versions lack it.

use super::files::LineFile;
use super::openings::{balanced_opening, random_opening};
use super::player::Player;
use super::search::{DECIDED_SCORE, centipawns, search};
use shogibar_base::random::SplitMix;
use shogibar_builtin::Searcher;
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{Color, Move, Position};
use std::fmt::Write as _;
use std::path::Path;

/// The number of consecutive moves with a decided score after which a game ends.
const DECIDED_MOVE_COUNT: i32 = 4;

/// The maximum absolute score after the opening, in centipawns.
const MAX_OPENING_SCORE: i32 = 500;

/// The maximum absolute score of a position that is recorded, in centipawns.
const MAX_RECORDED_SCORE: i32 = 2_500;

const TABLE_MB: usize = 4;

/// The number of moves after which a game is a draw.
const MAX_MOVES: usize = 320;

/// Appends games to `file` until the file has `count` games. Game n depends only on `seed`, n, `nodes` and the player,
/// so that an interrupted run continues where it ended. A file of other games is refused.
pub(crate) fn play_games(
    player: &Player,
    file: &str,
    count: usize,
    nodes: u64,
    seed: u64,
) -> Result<(), String> {
    let title = format!("# games of {}, {nodes} nodes, seed {seed}", player.title());
    let (mut out, lines) = LineFile::open(Path::new(file), &title)?;
    let mut numbered = lines.iter().enumerate();
    if let Some((number, _)) = numbered.find(|(number, line)| !line.starts_with(&format!("{number} "))) {
        return Err(format!("{file}: line {} is not game {number}", number + 2));
    }
    let mut searcher = player.searcher(TABLE_MB);
    for number in lines.len()..count {
        let line = play_game(&mut searcher, nodes, &mut game_random(seed, number));
        out.write_line(&format!("{number} {line}"))?;
    }
    Ok(())
}

pub(crate) fn game_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

pub(crate) fn game_random(seed: u64, number: usize) -> SplitMix {
    SplitMix((seed << 32) ^ number as u64)
}

/// Plays a game and returns its line without the number.
fn play_game(searcher: &mut Searcher, nodes: u64, random: &mut SplitMix) -> String {
    let mut history = balanced_opening(searcher, nodes, || (random_opening(random), MAX_OPENING_SCORE));
    let mut moves = String::new();
    for mv in history.moves() {
        let _infallible = write!(moves, " {mv}");
    }
    let mut referee = Referee::default();
    loop {
        let answer = search(searcher, &history, nodes);
        let score = answer.map(|(_, score)| score);
        if let Some(result) = referee.result(history.now(), score, history.moves().len()) {
            return format!("{}{moves}", result.letter());
        }
        if let Some((mv, score)) = answer {
            let score = centipawns(score);
            let _infallible = write!(moves, " {mv}");
            if score.abs() <= MAX_RECORDED_SCORE && is_quiet(history.now(), mv) {
                let _infallible = write!(moves, ":{score}");
            }
            let played = history.play(mv);
            debug_assert!(played.is_ok(), "the engine plays legal moves");
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameResult {
    Won(Color),
    Drawn,
}

impl GameResult {
    const fn letter(self) -> char {
        match self {
            Self::Won(Color::Black) => 'b',
            Self::Won(_) => 'w',
            Self::Drawn => '-',
        }
    }

    /// Parses the letter of a result; `None` for any other text.
    pub(crate) fn from_letter(letter: &str) -> Option<Self> {
        match letter {
            "b" => Some(Self::Won(Color::Black)),
            "w" => Some(Self::Won(Color::White)),
            "-" => Some(Self::Drawn),
            _ => None,
        }
    }

    /// Returns the points of a side: 0, 0.5 or 1.
    pub(crate) fn points(self, side: Color) -> f32 {
        match self {
            Self::Won(winner) => f32::from(u8::from(winner == side)),
            Self::Drawn => 0.5,
        }
    }
}

/// The state of a game that is needed to decide whether the game is over.
#[derive(Default)]
pub(crate) struct Referee {
    /// Whether a game continues until the search has found a mate, however high the score is.
    plays_until_mate: bool,
    /// The number of moves in a row with a decided score for the same side.
    decided_moves: i32,
    /// The side for which the last score is decided; `None` if that score is not decided.
    winner: Option<Color>,
}

impl Referee {
    /// Creates a referee that ends no game by a high score.
    pub(crate) fn until_mate() -> Self {
        Self {
            plays_until_mate: true,
            ..Self::default()
        }
    }

    /// Returns the result if the game ends in `position`, after `moves` moves. `score` is the score of the position;
    /// `None` if there is no move to play.
    pub(crate) fn result(
        &mut self,
        position: &Position,
        score: Option<UsiScore>,
        moves: usize,
    ) -> Option<GameResult> {
        let us = position.side_to_move();
        if let Some(repetition) = position.repetition() {
            return Some(repetition.winner(us).map_or(GameResult::Drawn, GameResult::Won));
        }
        if position.can_declare_win() {
            return Some(GameResult::Won(us));
        }
        let Some(score) = score else {
            return Some(GameResult::Won(us.flip()));
        };
        if self.plays_until_mate {
            return match score {
                UsiScore::Mate { wins, .. } => Some(GameResult::Won(if wins { us } else { us.flip() })),
                UsiScore::Cp(_) => (moves >= MAX_MOVES).then_some(GameResult::Drawn),
            };
        }
        let score = centipawns(score);
        let leader = if score > 0 { us } else { us.flip() };
        let is_decided = score.abs() >= DECIDED_SCORE;
        self.decided_moves = match (is_decided, self.winner == Some(leader)) {
            (false, _) => 0,
            (true, true) => self.decided_moves + 1,
            (true, false) => 1,
        };
        self.winner = is_decided.then_some(leader);
        if self.decided_moves >= DECIDED_MOVE_COUNT {
            return Some(GameResult::Won(leader));
        }
        (moves >= MAX_MOVES).then_some(GameResult::Drawn)
    }
}

/// Returns whether a move neither captures nor promotes, and the side to move is not in check.
pub(crate) fn is_quiet(position: &Position, mv: Move) -> bool {
    let promotes = matches!(mv, Move::Board { promote: true, .. });
    !position.in_check() && !promotes && position.piece_on(mv.to()).is_none()
}
