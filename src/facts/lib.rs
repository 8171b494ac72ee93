//! Provable facts about a position or a move. The crate uses no file, thread or clock, and has no sentences.
//!
//! Positions, lines and values go in, [`Fact`]s come out, each with the moves that show it. All searches are bounded by
//! nodes and by a budget of generated moves, so that the facts are the same on every machine.

mod board;
mod budget;
mod candidates;
mod ease;
mod entering_king;
mod fact;
mod formation;
mod king;
mod last_move;
mod line;
mod material;
mod mates;
mod motifs;
mod move_facts;
mod obvious;
mod plans;
mod position_facts;
mod trades;

pub use candidates::{Candidates, ValuedMove};
pub use ease::{Ease, EaseLevel, HidingFeature, hiding_features};
pub use entering_king::handicap_giver;
pub use fact::{Exchange, Fact, FactKind, FactPosition, Gain, KingAttack, KingSafety};
pub use formation::{BrokenCastle, FormationName, Formations, NamedOpening, castle, opening_names};
pub use last_move::LastMove;
pub use material::{balance, is_quiet, piece_value};
pub use move_facts::{MoveInput, MoveValues, move_facts};
pub use obvious::is_obvious_move;
pub use position_facts::{FactLimits, PositionInput, brinkmate, position_facts};
