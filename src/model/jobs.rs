//! Jobs: slow work beside the records. The shell carries the jobs out on other threads.

use super::ids::{BarId, GameId};
use shogibar_base::file_error::WriteError;
use shogibar_base::{CauseText, Lang};
use shogibar_config::VideoPace;
use shogibar_engine::session::MateOutcome;
use shogibar_games::analysis::{EngineScales, GameReview, MoveReason};
use shogibar_games::move_facts::MoveFacts;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::reasons::ShownMove;
use shogibar_games::study::{DrillCard, DrillDeck};
use shogibar_kifu::{NodeId, Record};
use shogibar_programme::Credit;
use shogibar_shelf::{ShelfAnswer, ShelfCounts, ShelfError, ShelfQuery, ShelfUpdate};
use shogibar_shogi::History;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A job. A result may come late: after the game was closed, or after a newer job has replaced this one.
#[derive(Debug)]
pub enum Job {
    /// Find the proved facts about a position of a game, except brinkmates.
    Facts(GameId, Arc<History>),
    /// Find the proved facts about the last move of a game, with the lines of a bar's engine.
    LastMove(GameId, BarId, Box<ShownMove>),
    /// Search for a brinkmate, and add it to the facts about the position of a game.
    Brinkmate(GameId, Box<PositionFacts>),
    /// Find the reasons why moves of a record were bad.
    Reasons(GameId, Box<ReasonRequest>),
    /// Search for a mate without an engine, for the question of a game.
    Mate(GameId, Arc<History>),
    /// Update the index of the shelf to the user's record folders.
    ScanShelf(Box<ShelfScan>),
    /// Answer a query from the index of the shelf. Has the version of the index.
    AskShelf(Box<ShelfQuery>, u64),
    /// Read the deck of the user's mistakes.
    ReadDrillDeck,
    /// Search a folder for mistakes.
    CollectMistakes(Box<MistakeSearch>),
    /// Write a game as a video.
    MakeVideo(Box<VideoRequest>),
}

/// A game that is written as a video.
#[derive(Clone, Debug)]
pub struct VideoRequest {
    /// The number of the video, which its results have.
    pub number: u64,
    /// The record with its evaluations.
    pub record: Arc<Record>,
    /// The file.
    pub path: PathBuf,
    /// For how long each position is shown.
    pub pace: VideoPace,
    /// The credit; may be empty.
    pub credit: Credit,
    /// Whether the evaluation is hidden.
    pub is_hidden: bool,
    /// The scales of the user's engines.
    pub scales: EngineScales,
    /// The language of the texts.
    pub lang: Lang,
}

/// A search for mistakes in a folder of records with evaluations.
#[derive(Debug)]
pub struct MistakeSearch {
    /// The number of the search, which its results have.
    pub number: u64,
    /// The folder.
    pub folder: PathBuf,
    /// A part of the player's name; empty for both players.
    pub player_name: String,
    /// The scales of the user's engines.
    pub scales: EngineScales,
}

/// A scan of the user's record folders.
#[derive(Debug)]
pub struct ShelfScan {
    /// The number of the scan, which its results have.
    pub number: u64,
    /// The record folders.
    pub folders: Vec<String>,
    /// The pause before the scan.
    pub pause: Duration,
    /// Whether the index is damaged, and has to be built again.
    pub is_damaged: bool,
}

/// The moves of a record whose reasons are to be found.
#[derive(Debug)]
pub struct ReasonRequest {
    /// The first revision of the record, which identifies the record.
    pub first_revision: u64,
    /// The record with the moves.
    pub record: Arc<Record>,
    /// The review of the record.
    pub review: GameReview,
    /// The nodes that the moves lead to, in the order of the search.
    pub nodes: Vec<NodeId>,
}

/// The key of a job. Of the jobs on one thread, the one with the least key is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKey {
    /// The key of [`Job::Facts`].
    Facts(GameId),
    /// The key of [`Job::LastMove`].
    LastMove(GameId, BarId),
    /// The key of [`Job::Brinkmate`], after those of the faster searches for facts.
    Brinkmate(GameId),
    /// The key of [`Job::Reasons`].
    Reasons,
    /// The key of [`Job::Mate`].
    Mate(GameId),
    /// The key of [`Job::ScanShelf`].
    ScanShelf,
    /// The key of [`Job::AskShelf`].
    AskShelf,
    /// The key of [`Job::ReadDrillDeck`].
    ReadDrillDeck,
    /// The key of [`Job::CollectMistakes`].
    CollectMistakes,
    /// The key of [`Job::MakeVideo`].
    MakeVideo,
}

/// A result of a job.
#[derive(Debug)]
pub enum JobResult {
    /// The facts about a position of a game.
    Facts(GameId, Box<PositionFacts>),
    /// The facts about the last move of a position, for a bar.
    LastMove(BarId, Box<ShownMove>, Box<MoveFacts>),
    /// The facts about a position of a game, after the search for a brinkmate.
    Brinkmate(GameId, Box<PositionFacts>),
    /// The reason of the move of a record that leads to a node; `None` if the move has none. A job has such a result for
    /// each of its moves.
    Reason {
        /// The game.
        game: GameId,
        /// The first revision of the record.
        first_revision: u64,
        /// The node.
        node: NodeId,
        /// The reason.
        reason: Option<Box<MoveReason>>,
    },
    /// The outcome of the search for a mate in a position, for the question of a game.
    Mate(GameId, Arc<History>, MateOutcome),
    /// The number of files that a scan has read, and the number of all files.
    ShelfProgress(u64, [usize; 2]),
    /// The end of a scan: the contents of the index, and the duration without the pause.
    ShelfScanned(u64, Result<(ShelfCounts, ShelfUpdate), ShelfError>, Duration),
    /// The answer to a query. Has the version of the index.
    ShelfAnswer(Box<ShelfQuery>, u64, Result<ShelfAnswer, ShelfError>),
    /// The deck of the user's mistakes, and the reason why not all of it could be read.
    DrillDeck(Box<DrillDeck>, Option<CauseText>),
    /// The number of files that a search for mistakes has read, and the number of all files.
    MistakeProgress(u64, [usize; 2]),
    /// Some of the mistakes that a search has found.
    Mistakes(u64, Vec<DrillCard>),
    /// The end of a search for mistakes, and whether there is such a folder.
    MistakesCollected(u64, bool),
    /// The number of positions of a video that are drawn, and the number of all.
    VideoProgress(u64, [usize; 2]),
    /// The end of a video: its file, and whether that is an animated picture for want of ffmpeg.
    VideoMade(u64, Result<(PathBuf, bool), CauseText>),
}

impl Job {
    /// Returns the key of the job.
    pub const fn key(&self) -> JobKey {
        match self {
            Self::Facts(game, _) => JobKey::Facts(*game),
            Self::LastMove(game, bar, _) => JobKey::LastMove(*game, *bar),
            Self::Brinkmate(game, _) => JobKey::Brinkmate(*game),
            Self::Reasons(..) => JobKey::Reasons,
            Self::Mate(game, _) => JobKey::Mate(*game),
            Self::ScanShelf(_) => JobKey::ScanShelf,
            Self::AskShelf(..) => JobKey::AskShelf,
            Self::ReadDrillDeck => JobKey::ReadDrillDeck,
            Self::CollectMistakes(_) => JobKey::CollectMistakes,
            Self::MakeVideo(_) => JobKey::MakeVideo,
        }
    }

    /// Returns the time after which the job begins.
    pub const fn pause(&self) -> Duration {
        match self {
            Self::ScanShelf(scan) => scan.pause,
            _ => Duration::ZERO,
        }
    }

    /// Returns the results of a job that could not be started. Empty if nothing waits for them.
    pub fn failed(self) -> Vec<JobResult> {
        match self {
            Self::Facts(..) | Self::LastMove(..) | Self::Brinkmate(..) => Vec::new(),
            Self::ScanShelf(scan) => {
                vec![JobResult::ShelfScanned(
                    scan.number,
                    Err(no_thread()),
                    Duration::ZERO,
                )]
            }
            Self::AskShelf(query, version) => {
                vec![JobResult::ShelfAnswer(query, version, Err(no_thread()))]
            }
            Self::Reasons(game, request) => {
                let nodes = request.nodes.into_iter();
                nodes
                    .map(|node| JobResult::Reason {
                        game,
                        first_revision: request.first_revision,
                        node,
                        reason: None,
                    })
                    .collect()
            }
            Self::Mate(game, history) => vec![JobResult::Mate(game, history, MateOutcome::Timeout)],
            Self::ReadDrillDeck => vec![JobResult::DrillDeck(Box::default(), None)],
            Self::CollectMistakes(search) => vec![JobResult::MistakesCollected(search.number, true)],
            Self::MakeVideo(video) => {
                let problem = io::Error::from(ErrorKind::OutOfMemory);
                vec![JobResult::VideoMade(video.number, Err((&problem).into()))]
            }
        }
    }
}

fn no_thread() -> ShelfError {
    ShelfError::File(WriteError::new(Path::new("shelf"), ErrorKind::OutOfMemory.into()))
}

impl JobKey {
    /// Returns whether a new job of key `new` ends the job of this key.
    pub fn is_replaced_by(self, new: Self) -> bool {
        let game = match self {
            Self::LastMove(game, _) | Self::Brinkmate(game) => Some(game),
            _ => None,
        };
        self == new || game.is_some_and(|game| new == Self::Facts(game))
    }
}
