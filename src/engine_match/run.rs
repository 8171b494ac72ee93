//! Plays the games of a match on threads, and keeps their records in a folder.

use super::identity::{MatchDifference, MatchIdentity};
use super::openings::OpeningBook;
use super::player::{MatchPlayer, PlayerAnswer, PlayerFailure, StopCheck};
use super::record::{MatchGame, PlayedGame, PlayedMove};
use super::score::{MatchScore, Sprt};
use crate::engine_match::text as match_text;
use shogibar_base::Lang;
use shogibar_base::file_error::{FileError, WriteError};
use shogibar_base::threads::{self, lock};
use shogibar_engine::failure_text;
use shogibar_engine::process::Program;
use shogibar_engine::session::{FailureKind, SessionConfig};
use shogibar_engine::usi::BestMove;
use shogibar_files::FileLock;
use shogibar_games::adjudicate::{Adjudicator, GameEnd};
use shogibar_kifu::Record;
use shogibar_shogi::{Color, Move};
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use thiserror::Error;

/// The file in the folder that identifies the match.
const MATCH_FILE: &str = "match.info";
/// The maximum size of the match file that is read, in bytes.
const MAX_MATCH_FILE_BYTES: usize = 1 << 16;

/// The conditions of a match of two engines.
#[derive(Debug)]
pub struct MatchSetup {
    /// The programs of both engines, with their limits and options.
    pub engines: [(Program, SessionConfig); 2],
    /// The data that has to be unchanged when the match is continued, with the names of both engines.
    pub identity: MatchIdentity,
    /// The number of games.
    pub games: usize,
    /// The openings of the games. Both games of a pair have the same opening, unless an engine plays against itself.
    pub openings: Mutex<OpeningBook>,
    /// The evaluation from which a game is certain, in centipawns; `None` if games are played to their end.
    pub resign: Option<u32>,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    /// The number of games that are played at the same time.
    pub jobs: usize,
    /// The folder of the records.
    pub folder: PathBuf,
    /// The language of the notes in records.
    pub lang: Lang,
}

impl MatchSetup {
    /// Returns the index of the opening of a game in the opening book.
    pub fn opening_index(&self, game: MatchGame) -> usize {
        lock(&self.openings).opening_index(self.opening_order_index(game))
    }

    fn opening_order_index(&self, game: MatchGame) -> usize {
        if self.identity.is_self_play() {
            game.0
        } else {
            game.opening_index()
        }
    }
}

/// The score of a match so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchProgress {
    /// The score.
    pub score: MatchScore,
    /// The number of games that ended because an engine failed. Such games count for the score.
    pub failures: usize,
}

/// An event that [`run`] reports to its caller.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    /// The match is continued: the folder has this number of its games.
    Resumed(usize),
    /// A game is over, and its record written.
    Game(MatchGame, &'a PlayedGame, &'a MatchProgress),
}

/// The reason why a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchStop {
    /// All games are played.
    Finished,
    /// The sequential test has an outcome.
    Decided,
    /// The match was cancelled.
    Cancelled,
}

/// The reason why a match cannot be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// An engine cannot be used: its index, and the failure.
    #[error("engine {0} failed: {1:?}")]
    Engine(usize, FailureKind),
    /// The folder holds another match.
    #[error("{} holds another match: {difference:?}", .0.display(), difference = .1)]
    OtherMatch(PathBuf, MatchDifference),
    /// Another program plays a match in this folder.
    #[error("a match is being played in {}", .0.display())]
    Busy(PathBuf),
    /// A file at the path of a record is not a game of this match.
    #[error("{} is no game of this match", .0.display())]
    NotAGame(PathBuf),
    /// A file or folder cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// A file or folder cannot be written.
    #[error("{0}")]
    Unwritable(String),
    /// The system cannot start a thread.
    #[error(transparent)]
    Thread(#[from] io::Error),
}

impl MatchError {
    /// Creates the error of a file or folder that cannot be read.
    fn unreadable(error: &FileError, lang: Lang) -> Self {
        Self::Unreadable(shogibar_base::file_error_text::file_error(error, lang))
    }

    /// Creates the error of a file or folder that cannot be written.
    fn unwritable(error: &WriteError, lang: Lang) -> Self {
        Self::Unwritable(shogibar_base::file_error_text::write_error(error, lang))
    }
}

/// The report of a thread that plays: a game, or the reason why it cannot continue.
type WorkerReport = Result<(MatchGame, PlayedGame), MatchError>;

/// Plays a match until it is over or cancelled. Returns the progress and the reason for the end. Games in progress are
/// then dropped. `observe` gets each event; a game is reported as soon as its record is written.
///
/// # Errors
/// Fails if an engine cannot be started, the folder cannot be used, or the system cannot start a thread.
pub fn run(
    setup: &MatchSetup,
    cancelled: &AtomicBool,
    observe: &mut dyn FnMut(MatchEvent<'_>),
) -> Result<(MatchProgress, MatchStop), MatchError> {
    let (mut progress, _lock) = open_folder(setup)?;
    let played = progress.score.games();
    if played > 0 {
        observe(MatchEvent::Resumed(played));
    }
    let queue = Mutex::new(
        (0..setup.games)
            .map(MatchGame)
            .filter(|game| !setup.folder.join(game.file_name()).exists())
            .collect::<VecDeque<_>>(),
    );
    let is_decided = |score: &MatchScore| setup.sprt.is_some_and(|sprt| sprt.decision(score).is_some());
    let count = setup.jobs.min(lock(&queue).len());
    let is_decided_before = is_decided(&progress.score);
    if is_decided_before || count == 0 {
        return Ok((
            progress,
            if is_decided_before {
                MatchStop::Decided
            } else {
                MatchStop::Finished
            },
        ));
    }
    // Set when the games in progress are no longer needed: after an error, or when the test has an outcome.
    let ended = AtomicBool::new(false);
    let stop = StopFlags {
        is_cancelled: cancelled,
        is_ended: &ended,
    };
    let mut result = Ok(());
    std::thread::scope(|scope| -> io::Result<()> {
        let (sender, reports) = sync_channel(setup.jobs);
        for _ in 0..count {
            let (sender, queue) = (sender.clone(), &queue);
            threads::spawn_in_scope(scope, "match", move || play_queue(setup, queue, stop, &sender))?;
        }
        drop(sender);
        for report in reports {
            if result.is_err() || ended.load(Ordering::Relaxed) {
                continue;
            }
            result = report.and_then(|(game, played)| {
                let path = setup.folder.join(game.file_name());
                shogibar_files::write_whole(&path, &played.to_csa())
                    .map_err(|error| MatchError::unwritable(&error, setup.lang))?;
                progress.score.set(game.0, game.points(played.winner()));
                progress.failures += usize::from(played.end == GameEnd::Failed);
                observe(MatchEvent::Game(game, &played, &progress));
                Ok(())
            });
            // The other games in progress end at once.
            if result.is_err() || is_decided(&progress.score) {
                ended.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    })?;
    result?;
    let stop = match () {
        () if is_decided(&progress.score) => MatchStop::Decided,
        () if cancelled.load(Ordering::Relaxed) => MatchStop::Cancelled,
        () => MatchStop::Finished,
    };
    Ok((progress, stop))
}

/// The flags that end a match early.
#[derive(Clone, Copy)]
struct StopFlags<'a> {
    is_cancelled: &'a AtomicBool,
    /// Whether the games in progress are no longer needed: after an error, or when the test has an outcome.
    is_ended: &'a AtomicBool,
}

impl StopFlags<'_> {
    fn is_set(self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || self.is_ended.load(Ordering::Relaxed)
    }
}

/// Prepares and locks the folder. Returns the progress of the match from the games in the folder.
fn open_folder(setup: &MatchSetup) -> Result<(MatchProgress, Option<FileLock>), MatchError> {
    let unwritable = |error: WriteError| MatchError::unwritable(&error, setup.lang);
    shogibar_files::make_folder(&setup.folder).map_err(unwritable)?;
    let path = setup.folder.join(MATCH_FILE);
    let lock = shogibar_files::try_lock(&path);
    // If the system has no file locks, the match is played without one.
    if lock.is_none() && shogibar_files::is_locked(&path) {
        return Err(MatchError::Busy(setup.folder.clone()));
    }
    let known = match shogibar_files::read(&path, MAX_MATCH_FILE_BYTES) {
        Ok(bytes) => {
            setup
                .identity
                .check(&bytes)
                .map_err(|difference| MatchError::OtherMatch(setup.folder.clone(), difference))?;
            Some(bytes)
        }
        Err(error) if error.is_absent() => None,
        Err(error) => return Err(MatchError::unreadable(&error, setup.lang)),
    };
    let mut progress = MatchProgress::default();
    let [one, other] = setup.identity.names();
    for game in (0..setup.games).map(MatchGame) {
        let path = setup.folder.join(game.file_name());
        let bytes = match shogibar_files::read(&path, shogibar_kifu::MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absent() => continue,
            Err(error) => return Err(MatchError::unreadable(&error, setup.lang)),
        };
        // Without the match file it is unknown which match a record belongs to.
        let read = match shogibar_kifu::read_first(&bytes, &path) {
            Ok((record, _)) if known.is_some() => Some(record),
            _ => None,
        };
        let points = read
            .as_ref()
            .and_then(|record| game.points_in(record, [&one, &other]));
        progress
            .score
            .set(game.0, points.ok_or(MatchError::NotAGame(path))?);
        let has_failed = read
            .as_ref()
            .and_then(Record::end)
            .is_some_and(GameEnd::is_failure);
        progress.failures += usize::from(has_failed);
    }
    // The file of an earlier version has less data, so it is replaced.
    let text = setup.identity.text();
    if known.is_none_or(|bytes| bytes != text.as_bytes()) {
        shogibar_files::write_whole(&path, text.as_bytes()).map_err(unwritable)?;
    }
    Ok((progress, lock))
}

/// Plays games of the queue until it is empty, with separate engines.
fn play_queue(
    setup: &MatchSetup,
    queue: &Mutex<VecDeque<MatchGame>>,
    stop: StopFlags<'_>,
    reports: &SyncSender<WorkerReport>,
) {
    let [one, other] = setup.engines.clone();
    let mut players = [one, other].map(|(program, config)| MatchPlayer::new(program, config));
    loop {
        let next = lock(queue).pop_front();
        let Some(game) = next else { return };
        if stop.is_set() {
            return;
        }
        let report = match play_game(setup, game, &mut players, &|| stop.is_set()) {
            Ok(played) => Ok((game, played)),
            Err((_, PlayerFailure::Cancelled)) => return,
            Err((engine, PlayerFailure::Engine(kind))) => Err(MatchError::Engine(engine, kind)),
        };
        let is_over = report.is_err();
        if reports.send(report).is_err() || is_over {
            return;
        }
    }
}

/// Plays a game, and returns its moves and end. An engine that fails during a game loses it.
///
/// # Errors
/// Fails with the index of an engine if this engine cannot begin the game, or if the match is over.
fn play_game(
    setup: &MatchSetup,
    game: MatchGame,
    players: &mut [MatchPlayer; 2],
    is_stopped: StopCheck<'_>,
) -> Result<PlayedGame, (usize, PlayerFailure)> {
    for (index, player) in players.iter_mut().enumerate() {
        // An engine that has closed its output after the last game is started again.
        let ready = match player.new_game(is_stopped) {
            Err(PlayerFailure::Engine(_)) => player.new_game(is_stopped),
            ready => ready,
        };
        ready.map_err(|why| (index, why))?;
    }
    let opening = lock(&setup.openings).opening(setup.opening_order_index(game));
    let mut history = opening.clone();
    let mut adjudicator = Adjudicator::new(setup.resign);
    opening.moves().iter().for_each(|_| adjudicator.on_move(None));
    let (mut moves, mut note) = (Vec::new(), String::new());
    let end = loop {
        if let Some(end) = adjudicator.end(history.now()) {
            break end;
        }
        if is_stopped() {
            return Err((0, PlayerFailure::Cancelled));
        }
        let engine = index_of_engine_to_move(game, history.now().side_to_move());
        let Some(player) = players.get_mut(engine) else {
            break GameEnd::Failed;
        };
        let answer = match player.search(&history, is_stopped) {
            Ok(answer) => answer,
            Err(PlayerFailure::Cancelled) => return Err((engine, PlayerFailure::Cancelled)),
            Err(PlayerFailure::Engine(kind)) => {
                note = failure_text::failure(&kind, setup.lang);
                break GameEnd::Failed;
            }
        };
        match Adjudicator::interpret(history.now(), answer.best_move) {
            Ok(mv) => {
                let evaluated = played_move(mv, &answer);
                adjudicator.on_move(evaluated.value);
                moves.push(evaluated);
                if history.play(mv).is_err() {
                    break GameEnd::IllegalMove; // Unreachable: the move is legal.
                }
            }
            Err(end) => {
                if end == GameEnd::IllegalMove {
                    note = match_text::illegal_answer(&answer_text(answer.best_move), setup.lang);
                }
                break end;
            }
        }
    };
    let mut names = setup.identity.names();
    names.rotate_left(game.black_engine_index());
    let played = PlayedGame {
        opening,
        names,
        moves,
        end,
        note,
    };
    for (index, player) in players.iter_mut().enumerate() {
        player.send_game_over(match game.points(played.winner()) {
            points if (points - 0.5).abs() < 0.1 => "draw",
            points if (points > 0.5) == (index == 0) => "win",
            _ => "lose",
        });
    }
    Ok(played)
}

fn index_of_engine_to_move(game: MatchGame, side: Color) -> usize {
    if side == Color::Black {
        game.black_engine_index()
    } else {
        1 - game.black_engine_index()
    }
}

fn played_move(mv: Move, answer: &PlayerAnswer) -> PlayedMove {
    let best = answer.info.as_ref().and_then(|info| info.best());
    // The line of another move is not a line of the position after this one.
    let pv = best
        .filter(|best| best.pv.first() == Some(&mv))
        .map(|best| best.pv.iter().skip(1).copied().collect());
    PlayedMove {
        mv,
        value: best.map(|best| best.value),
        pv: pv.unwrap_or_default(),
        nodes: answer.info.as_ref().and_then(|info| info.stats.nodes),
        elapsed: answer.elapsed,
    }
}

fn answer_text(best: BestMove) -> String {
    match best {
        BestMove::Move(mv) => mv.to_string(),
        BestMove::Win => "win".to_owned(),
        BestMove::Resign => "resign".to_owned(),
        BestMove::None => "none".to_owned(),
    }
}
