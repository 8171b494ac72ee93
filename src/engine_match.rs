//! Matches of two engines: games with the colours swapped for each opening, their records, and the score.
//!
//! - [`MatchIdentity`] identifies the match. [`OpeningBook`] has the openings. [`MatchGame`] determines the opening and
//!   the colours of a game, [`Adjudicator`] decides when a game is over. [`MatchScore`] has the score. These types use
//!   no file, process or thread.
//! - [`MatchPlayer`] runs an engine. [`fn@run`] plays the games on threads and writes their records.

mod identity;
mod openings;
mod player;
mod record;
mod run;
mod score;
pub mod text;

pub use identity::{MatchDifference, MatchEngine, MatchFile, MatchIdentity};
pub use openings::{Opening, OpeningBook, OpeningsError, RandomOpenings, read_openings};
pub use player::{MatchPlayer, PlayerFailure, StopCheck};
pub use record::{MatchGame, PlayedGame, PlayedMove};
pub use run::{MatchError, MatchEvent, MatchProgress, MatchSetup, MatchStop, run};
pub use score::{EloEstimate, MatchScore, Sprt, SprtDecision};
pub use shogibar_games::adjudicate::{Adjudicator, GameEnd, MAX_PLIES};
