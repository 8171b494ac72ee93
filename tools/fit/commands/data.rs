//! Games of the engine against itself as training data: a folder of part files.
//!
//! All numbers in a part file are little-endian. A part file contains, in this order:
//!
//! - The magic number `SBGM`, in 4 bytes.
//! - The version, in 1 byte: 2.
//! - The hash of the player ([`Player::hash`]), in 8 bytes. Parts of version 1 lack it.
//! - The nodes per move, in 4 bytes.
//! - The seed, in 4 bytes.
//! - The number of games, in 4 bytes.
//! - The games.
//! - The FNV-1a hash of all previous bytes, in 8 bytes.
//!
//! A game contains:
//!
//! - The number of the game, in 4 bytes.
//! - The index of the start position in [`START_SFENS`], in 1 byte.
//! - The result, in 1 byte: 0 for a draw, 1 for a win of Black, 2 for a win of White.
//! - The number of moves, in 2 bytes.
//! - The moves.
//!
//! A move contains:
//!
//! - The [code](Move::code), in 2 bytes.
//! - The value of the position before the move, in 2 bytes: in displayed centipawns, as seen by the side to move. The
//!   value -32768 means that the position is not quiet.
//!
//! A part file has about 8 bytes for each quiet position.

use super::files::{self, path_error, write_whole};
use super::games::{GameResult, Referee, is_quiet};
use super::openings::{START_SFENS, balanced_opening, styled_opening};
use super::player::Player;
use super::search::search;
use shogibar_base::random::{SplitMix, mix};
use shogibar_base::stable_hash::{append_checksum, strip_checksum};
use shogibar_builtin::Searcher;
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{Color, Move, Position};
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::Instant;

/// The magic number of a part file.
const MAGIC: &[u8; 4] = b"SBGM";
/// The version of a part file.
const VERSION: u8 = 2;
/// The oldest version that is read, which lacks the hash of the player.
const OLDEST_VERSION: u8 = 1;

/// The maximum absolute value of a recorded position, in displayed centipawns.
const MAX_RECORDED_SCORE: i32 = 3_000;

const TABLE_MB: usize = 4;

/// The stored value of a position that is not quiet.
const UNQUIET_VALUE: i16 = i16::MIN;

/// The maximum absolute value after an opening without a handicap, in centipawns.
const MAX_EVEN_OPENING_SCORE: i32 = 500;
/// The maximum absolute value after an opening with a handicap, in centipawns.
const MAX_HANDICAP_OPENING_SCORE: i32 = 2_500;

const GAMES_PER_HANDICAP_GAME: usize = 12;

/// The parameters of the games of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataPlan {
    /// The hash of the player; `None` for a part that lacks it.
    pub(crate) player: Option<u64>,
    /// The nodes per move.
    pub(crate) nodes: u32,
    pub(crate) seed: u32,
    /// The number of games of a part.
    pub(crate) games: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordedGame {
    /// The number of the game in the folder.
    pub(crate) number: u32,
    /// The index of the game's start position in [`START_SFENS`].
    start: u8,
    pub(crate) result: GameResult,
    moves: Vec<RecordedMove>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RecordedMove {
    mv: Move,
    /// The search's value of the position before the move; `None` if that position is not quiet.
    value: Option<i16>,
}

impl DataPlan {
    /// Checks the numbers of nodes and games. Returns an error that names the invalid ones.
    fn check(self, parts: u32) -> Result<(), String> {
        if self.nodes == 0 || self.games == 0 || parts.checked_mul(self.games).is_none() {
            return Err("nodes and games are above 0, and a folder has less than 2^32 games".to_owned());
        }
        Ok(())
    }

    /// Returns the text of the plan for an error.
    fn text(self) -> String {
        let Self {
            player,
            nodes,
            seed,
            games,
        } = self;
        let player = player.map_or_else(
            || "an unknown player".to_owned(),
            |hash| format!("player {hash:016x}"),
        );
        format!("{player}, {nodes} nodes, seed {seed} and {games} games a part")
    }

    /// Returns whether a game is left out of all training: one of twenty is.
    pub(crate) const fn is_validation(&self, game: &RecordedGame) -> bool {
        mix((self.seed as u64) << 32 | game.number as u64).is_multiple_of(20)
    }
}

impl RecordedGame {
    /// Calls `visit` with each quiet position, its value and the number of moves before it. The value is in displayed
    /// centipawns, as seen by the side to move. Returns `None` where the start position or a move is invalid.
    pub(crate) fn visit(&self, mut visit: impl FnMut(&Position, i16, usize)) -> Option<()> {
        let mut position = start_position(self.start)?;
        for (number, played) in self.moves.iter().enumerate() {
            if let Some(value) = played.value {
                visit(&position, value, number);
            }
            position.play(played.mv).ok()?;
        }
        Some(())
    }

    /// Returns the mover's expected score at each position, from the later course of the game. The score is a weighted
    /// mean of the later values and, at the end, the result. `share` returns the expected score for a value. Each value
    /// has `1 - td_lambda` of the weight that the values before it leave.
    pub(crate) fn later_shares(&self, share: impl Fn(i16) -> f32, td_lambda: f32) -> Vec<f32> {
        let is_black = |number: usize| (self.start == 0) == number.is_multiple_of(2);
        let mut later = self.result.points(Color::Black);
        let mut shares: Vec<f32> = Vec::with_capacity(self.moves.len());
        for (number, played) in self.moves.iter().enumerate().rev() {
            shares.push(if is_black(number) { later } else { 1.0 - later });
            if let Some(value) = played.value {
                let share = if is_black(number) {
                    share(value)
                } else {
                    1.0 - share(value)
                };
                later = td_lambda * later + (1.0 - td_lambda) * share;
            }
        }
        shares.reverse();
        shares
    }

    /// Returns whether the game began without a handicap.
    pub(crate) const fn is_even(&self) -> bool {
        self.start == 0
    }

    fn quiet_count(&self) -> usize {
        self.moves.iter().filter(|played| played.value.is_some()).count()
    }
}

/// Returns the start position with an index in [`START_SFENS`]; `None` without such a position.
fn start_position(index: u8) -> Option<Position> {
    Position::from_sfen(START_SFENS.get(usize::from(index))?).ok()
}

/// Plays the missing parts of `folder`, up to `parts` in all, on `threads` threads. A part depends only on the plan and
/// the number of the part. An interruption loses only the part that is being played. A folder with parts of another
/// plan is refused. A part that does not name its player is taken for one of this player.
pub(crate) fn play_parts(
    player: &Player,
    folder: &Path,
    plan: DataPlan,
    parts: u32,
    threads: usize,
) -> Result<(), Box<dyn Error>> {
    plan.check(parts)?;
    fs::create_dir_all(folder).map_err(|error| path_error(folder, &error))?;
    let mut total = 0;
    for part in 0..parts {
        let path = folder.join(format!("part-{part:05}.games"));
        if path.exists() {
            let (found, games) = read_part(&path)?;
            if (DataPlan {
                player: found.player.or(plan.player),
                ..found
            }) != plan
            {
                let (found, plan) = (found.text(), plan.text());
                return Err(format!("{} has games of {found}, not of {plan}", path.display()).into());
            }
            total += games.iter().map(RecordedGame::quiet_count).sum::<usize>();
            continue;
        }
        let started = Instant::now();
        let games = play_part(player, plan, part, threads);
        let quiet: usize = games.iter().map(RecordedGame::quiet_count).sum();
        total += quiet;
        write_whole(&path, &to_bytes(plan, &games))?;
        let seconds = started.elapsed().as_secs();
        println!(
            "part {part}: {} games, {quiet} quiet positions, {seconds} s; {total} positions in all",
            games.len()
        );
    }
    Ok(())
}

/// Waits for a thread, and returns its result. Panics if the thread has panicked, as its results are then missing.
pub(crate) fn join_thread<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn play_part(player: &Player, plan: DataPlan, part: u32, threads: usize) -> Vec<RecordedGame> {
    let next = AtomicU32::new(0);
    let play_games = || {
        let mut searcher = player.searcher(TABLE_MB);
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let numbers = numbers.take_while(|number| *number < plan.games);
        numbers
            .map(|number| play_game(&mut searcher, plan, part * plan.games + number))
            .collect::<Vec<_>>()
    };
    let mut games = Vec::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(play_games)).collect();
        games = threads.into_iter().flat_map(join_thread).collect();
    });
    games.sort_by_key(|game: &RecordedGame| game.number);
    games
}

/// Plays game `number` until the search has found a mate, or to a repetition, a declaration or the maximum length.
/// Returns its moves and result.
fn play_game(searcher: &mut Searcher, plan: DataPlan, number: u32) -> RecordedGame {
    let mut random = SplitMix((u64::from(plan.seed) << 32) ^ u64::from(number));
    let nodes = u64::from(plan.nodes);
    let mut start = 0;
    let mut history = balanced_opening(searcher, nodes, || {
        start = if random.below(GAMES_PER_HANDICAP_GAME) == 0 {
            1 + random.below(START_SFENS.len() - 1)
        } else {
            0
        };
        (
            styled_opening(start, &mut random),
            if start == 0 {
                MAX_EVEN_OPENING_SCORE
            } else {
                MAX_HANDICAP_OPENING_SCORE
            },
        )
    });
    let start = u8::try_from(start).unwrap_or_default();
    let mut moves: Vec<_> = history
        .moves()
        .iter()
        .map(|&mv| RecordedMove { mv, value: None })
        .collect();
    let mut referee = Referee::until_mate();
    loop {
        let answer = search(searcher, &history, nodes);
        let score = answer.map(|(_, score)| score);
        if let Some(result) = referee.result(history.now(), score, history.moves().len()) {
            return RecordedGame {
                number,
                start,
                result,
                moves,
            };
        }
        let Some((mv, score)) = answer else { continue };
        let value = match score {
            UsiScore::Cp(cp) if cp.abs() <= MAX_RECORDED_SCORE && is_quiet(history.now(), mv) => {
                i16::try_from(cp).ok()
            }
            UsiScore::Cp(_) | UsiScore::Mate { .. } => None,
        };
        moves.push(RecordedMove { mv, value });
        let played = history.play(mv);
        debug_assert!(played.is_ok(), "the engine plays legal moves");
    }
}

/// Returns the content of a part.
fn to_bytes(plan: DataPlan, games: &[RecordedGame]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    bytes.extend(plan.player.unwrap_or_default().to_le_bytes());
    for number in [
        plan.nodes,
        plan.seed,
        u32::try_from(games.len()).unwrap_or(u32::MAX),
    ] {
        bytes.extend(number.to_le_bytes());
    }
    for game in games {
        bytes.extend(game.number.to_le_bytes());
        let result = match game.result {
            GameResult::Drawn => 0,
            GameResult::Won(Color::Black) => 1,
            GameResult::Won(Color::White) => 2,
        };
        bytes.extend([game.start, result]);
        bytes.extend(u16::try_from(game.moves.len()).unwrap_or(u16::MAX).to_le_bytes());
        for played in &game.moves {
            bytes.extend(played.mv.code().to_le_bytes());
            bytes.extend(played.value.unwrap_or(UNQUIET_VALUE).to_le_bytes());
        }
    }
    append_checksum(&mut bytes);
    bytes
}

/// Reads a part file. Returns its plan and its games.
pub(crate) fn read_part(path: &Path) -> Result<(DataPlan, Vec<RecordedGame>), Box<dyn Error>> {
    from_bytes(&files::read(path)?).map_err(|reason| format!("{}: {reason}", path.display()).into())
}

/// Returns the paths of the part files of some folders, in order within each folder.
pub(crate) fn part_paths(folders: &[&str]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for folder in folders {
        let first = paths.len();
        let named = |error: io::Error| path_error(Path::new(folder), &error);
        for entry in fs::read_dir(folder).map_err(named)? {
            let path = entry.map_err(named)?.path();
            if path.extension().is_some_and(|extension| extension == "games") {
                paths.push(path);
            }
        }
        if let Some(of_folder) = paths.get_mut(first..) {
            of_folder.sort();
        }
    }
    Ok(paths)
}

/// Returns the error text for a game with an illegal move.
pub(crate) fn illegal_move_text(path: &Path, game: &RecordedGame) -> String {
    format!("{}: game {} has an illegal move", path.display(), game.number)
}

/// Reads the content of a part, or returns the reason why it is none.
fn from_bytes(bytes: &[u8]) -> Result<(DataPlan, Vec<RecordedGame>), &'static str> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("this is no part of training data")?;
    let version = *rest.first().ok_or("the part is cut off")?;
    if !(OLDEST_VERSION..=VERSION).contains(&version) {
        return Err("the part is of another version");
    }
    let content = strip_checksum(bytes).ok_or("the part is cut off or damaged: its sum is wrong")?;
    let mut reader = PartReader(content.get(MAGIC.len() + 1..).unwrap_or_default());
    reader
        .part(version)
        .ok_or("the part has something other than games")
}

/// The unread rest of a part.
struct PartReader<'a>(&'a [u8]);

impl PartReader<'_> {
    /// Consumes the next `N` bytes; `None` if fewer are left.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    /// Consumes a number of 4 bytes.
    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// Consumes a part after its version. Returns `None` for bytes that are not a part.
    fn part(&mut self, version: u8) -> Option<(DataPlan, Vec<RecordedGame>)> {
        let player = if version > OLDEST_VERSION {
            Some(u64::from_le_bytes(self.take()?))
        } else {
            None
        };
        let plan = DataPlan {
            player,
            nodes: self.number()?,
            seed: self.number()?,
            games: self.number()?,
        };
        let games: Option<Vec<_>> = (0..plan.games).map(|_| self.game()).collect();
        games.filter(|_| self.0.is_empty()).map(|games| (plan, games))
    }

    /// Consumes a game. Returns `None` for bytes that are not a game.
    fn game(&mut self) -> Option<RecordedGame> {
        let number = self.number()?;
        let [start, result] = self.take()?;
        let result = match result {
            0 => GameResult::Drawn,
            1 => GameResult::Won(Color::Black),
            2 => GameResult::Won(Color::White),
            _ => return None,
        };
        let count = u16::from_le_bytes(self.take()?);
        let mut moves = Vec::with_capacity(count.into());
        for _ in 0..count {
            let mv = Move::from_code(u16::from_le_bytes(self.take()?))?;
            let value = i16::from_le_bytes(self.take()?);
            moves.push(RecordedMove {
                mv,
                value: (value != UNQUIET_VALUE).then_some(value),
            });
        }
        Some(RecordedGame {
            number,
            start,
            result,
            moves,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_shogi::{PieceKind, Square};

    const PLAN: DataPlan = DataPlan {
        player: Some(7),
        nodes: 60,
        seed: 3,
        games: 6,
    };

    /// Plays the second part of [`PLAN`].
    fn games() -> Vec<RecordedGame> {
        play_part(&Player::shipped(), PLAN, 1, 2)
    }

    #[test]
    fn a_part_is_read_as_it_was_written() {
        let games = games();
        let bytes = to_bytes(PLAN, &games);
        assert_eq!(from_bytes(&bytes), Ok((PLAN, games.clone())));
        for game in &games {
            let mut count = 0;
            game.visit(|position, value, number| {
                assert_eq!(game.moves[number].value, Some(value));
                assert!(
                    !position.in_check() && i32::from(value).abs() <= MAX_RECORDED_SCORE,
                    "{}",
                    position.sfen()
                );
                count += 1;
            })
            .unwrap();
            assert_eq!(count, game.quiet_count());
        }
    }

    #[test]
    fn parts_without_a_player_are_read() {
        let games = games();
        let bytes = to_bytes(PLAN, &games);
        let mut old = [&bytes[..4], &[OLDEST_VERSION], &bytes[13..bytes.len() - 8]].concat();
        append_checksum(&mut old);
        assert_eq!(from_bytes(&old), Ok((DataPlan { player: None, ..PLAN }, games)));
    }

    #[test]
    fn a_folder_has_one_player() {
        let folder = std::env::temp_dir().join(format!("shogibar-player-{}", std::process::id()));
        let play = |plan, parts| play_parts(&Player::shipped(), &folder, plan, parts, 1);
        let short = DataPlan { games: 1, ..PLAN };
        play(short, 1).unwrap();
        play(short, 1).unwrap();
        let refused = play(
            DataPlan {
                player: Some(8),
                ..short
            },
            2,
        )
        .unwrap_err()
        .to_string();
        assert!(
            refused.contains("has games of player 0000000000000007"),
            "{refused}"
        );
        play(DataPlan { games: 0, ..short }, 1).unwrap_err();
        assert_eq!(part_paths(&[folder.to_str().unwrap()]).unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_same_seed_gives_the_same_games() {
        let (first, second) = (games(), games());
        assert_eq!(first, second);
        assert_eq!(
            first.iter().map(|game| game.number).collect::<Vec<_>>(),
            (6..12).collect::<Vec<_>>()
        );
        let other = play_part(&Player::shipped(), DataPlan { seed: 4, ..PLAN }, 1, 1);
        assert_ne!(first, other);
    }

    #[test]
    fn later_values_count_for_a_position() {
        let mv = Move::from_usi("7g7f").unwrap();
        let moves = [Some(10), None, Some(40), Some(90)].map(|value| RecordedMove { mv, value });
        let mut game = RecordedGame {
            number: 0,
            start: 0,
            result: GameResult::Won(Color::Black),
            moves: moves.to_vec(),
        };
        let share = |value: i16| f32::from(value) / 100.0;
        assert_eq!(game.later_shares(share, 1.0), [1.0, 0.0, 1.0, 0.0], "the result");
        // White's 90 % is Black's 10 %: after the third move Black has half of 1 and half of 0.1.
        let later = game.later_shares(share, 0.5);
        for (found, expected) in later.iter().zip([0.475, 0.525, 0.55, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{later:?}");
        }
        game.start = 1;
        game.result = GameResult::Drawn;
        assert_eq!(game.later_shares(share, 1.0), [0.5; 4]);
    }

    #[test]
    fn damaged_parts_are_refused() {
        let bytes = to_bytes(PLAN, &games());
        let mut other_version = bytes.clone();
        other_version[4] += 1;
        let mut other_byte = bytes.clone();
        other_byte[100] ^= 1;
        let cut = &bytes[..bytes.len() - 9];
        for (bytes, sentence) in [
            (&b"text"[..], "no part"),
            (&b"other text"[..], "no part"),
            (cut, "cut off"),
            (&other_version, "another version"),
            (&other_byte, "sum is wrong"),
        ] {
            let refused = from_bytes(bytes).unwrap_err();
            assert!(refused.contains(sentence), "{refused}");
        }
    }

    #[test]
    fn all_moves_have_codes() {
        let mut random = SplitMix(1);
        for start in 0..START_SFENS.len() {
            let history = styled_opening(start, &mut random);
            for mv in history.now().legal_moves().iter().chain(history.moves()) {
                assert_eq!(Move::from_code(mv.code()), Some(*mv));
            }
        }
        for kind in PieceKind::IN_HAND {
            let drop = Move::Drop {
                kind,
                to: Square::all().last().unwrap(),
            };
            assert_eq!(Move::from_code(drop.code()), Some(drop));
        }
    }
}
