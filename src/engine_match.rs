//! Matches of two engines: games with the colours swapped for each opening, their records, and the score.
//!
//! - [`MatchGame`] says who plays which opening, [`Adjudicator`] when a game is over, [`MatchScore`] how the match stands.
//!   They are pure.
//! - [`fn@run`] plays the games on threads and writes their records.

mod adjudicate;
mod openings;
mod player;
mod record;
mod run;
mod score;

pub use adjudicate::{Adjudicator, GameEnd, MAX_PLIES};
pub use openings::{Opening, OpeningsError, random_openings, read_openings};
pub use player::{MatchPlayer, PlayerFailure};
pub use record::{MatchGame, PlayedGame, PlayedMove};
pub use run::{MatchError, MatchEvent, MatchSetup, MatchStop, run};
pub use score::{EloEstimate, MatchScore, Sprt, SprtDecision};
