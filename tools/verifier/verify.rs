//! The checks by kind of fact.

use crate::claim::{Claim, VerifierConfig};
use crate::entering_king::{self, Points};
use crate::formation::{self, Name};
use crate::game::Game;
use crate::verdict::{Checked, Verdict};
use crate::{
    attack, engine_mates, gains, idle, initiative, king, mates, only_move, promotion, reply, tactics, threats,
};
use shogibar_facts::{Fact, FactKind};
use shogibar_shogi::Piece;

/// Facts of one move or position, with their game.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The game with its moves and stored lines.
    pub game: &'a Game,
    /// The number of moves played in the position [`After`](shogibar_facts::FactPosition::After). The facts are about
    /// the last of these moves, which begins at the position [`Before`](shogibar_facts::FactPosition::Before).
    pub ply: usize,
    /// The facts of the last move and of the position after it.
    pub facts: &'a [Fact],
}

impl Case<'_> {
    /// Checks each fact, in order.
    pub fn verify(&self, config: VerifierConfig) -> Vec<Verdict> {
        let claim = |fact| Claim {
            game: self.game,
            ply: self.ply,
            fact,
            facts: self.facts,
            config,
        };
        self.facts
            .iter()
            .map(|fact| verify(&claim(fact)).into())
            .collect()
    }
}

/// Checks a claim by the kind of its fact.
fn verify(claim: &Claim<'_>) -> Checked {
    claim.require_lead()?;
    let (side, them) = (claim.side(), claim.side().flip());
    match claim.fact.kind {
        FactKind::Check => mates::check(claim),
        FactKind::Mate { length } => mates::mate(claim, length),
        FactKind::MateMissed { length } => mates::mate_missed(claim, length),
        FactKind::MateAllowed { length } => mates::mate_allowed(claim, length),
        FactKind::EngineMateMissed { length } => engine_mates::missed(claim, length),
        FactKind::EngineMateAllowed { length } => engine_mates::allowed(claim, length),
        FactKind::ThreatOfMate { length } => mates::threat_of_mate(claim, length),
        FactKind::ThreatUnmet { length } => mates::threat_unmet(claim, length),
        FactKind::ThreatMade { length } => threats::threat_made(claim, length),
        FactKind::BrinkmateMade => threats::brinkmate_made(claim),
        FactKind::Brinkmate => mates::brinkmate(claim),
        FactKind::OnlyMove {
            holding_count,
            is_proved,
        } => only_move::only_move(claim, holding_count, is_proved),
        FactKind::LosesPiece { piece, square, gain } => gains::loses_piece(
            claim,
            Piece {
                color: side,
                kind: piece,
            },
            square,
            gain,
        ),
        FactKind::LosesMaterial { gain } => gains::loses_material(claim, gain),
        FactKind::WinsPiece { piece, square, gain } => gains::wins_piece(
            claim,
            Piece {
                color: them,
                kind: piece,
            },
            square,
            gain,
        ),
        FactKind::Exchange { exchange, gain } => gains::exchange(claim, exchange, gain),
        FactKind::Fork {
            piece,
            ref squares,
            gain,
        } => tactics::fork(claim, piece, squares, gain),
        FactKind::Skewer { piece, squares, gain } => tactics::skewer(claim, piece, squares, gain),
        FactKind::Pin { piece, squares, gain } => tactics::pin(claim, piece, squares, gain),
        FactKind::Discovered { piece, squares, gain } => tactics::discovered(claim, piece, squares, gain),
        FactKind::Trapped { piece, square, gain } => tactics::trapped(claim, piece, square, gain),
        FactKind::Promotes { piece, square } => gains::promotes(claim, piece, square),
        FactKind::LetsPromote { piece, square } => gains::lets_promote(claim, piece, square),
        FactKind::ExposedKing { safety, other } => king::exposed(claim, safety, other),
        FactKind::PromotionUnstoppable { piece, square } => promotion::unstoppable(claim, piece, square),
        FactKind::Initiative { piece, square } => initiative::initiative(claim, piece, square),
        FactKind::AttackEnds { attack, other } => attack::ends(claim, attack, other),
        FactKind::IdlePiece {
            piece,
            square,
            safe_moves,
        } => idle::idle(claim, piece, square, safe_moves),
        FactKind::EnteringKing {
            points_24,
            points_27,
            missing_points,
            missing_pieces,
        } => {
            let stated = Points {
                total: points_24,
                in_camp: points_27,
                deficit: missing_points,
                missing_pieces,
            };
            entering_king::entering_king(claim, stated)
        }
        FactKind::Castle { name, name_en } => formation::castle(claim, Name { name, name_en }),
        FactKind::CastleBroken { name, name_en } => formation::castle_broken(claim, Name { name, name_en }),
        FactKind::Opening { name, name_en } => formation::opening(claim, Name { name, name_en }),
        FactKind::Punished => reply::punished(claim),
        FactKind::Unpunished => reply::unpunished(claim),
    }
}
