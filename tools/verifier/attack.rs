//! Checks of attacks that end.

use crate::claim::Claim;
use crate::king::{around, attacking_moves, two_lines};
use crate::line::Line;
use crate::verdict::{Checked, false_fact, require};
use shogibar_facts::{FactPosition, KingAttack};
use shogibar_shogi::{Color, PieceKind};

/// The maximum number of attackers after the attack has ended.
const MAX_ATTACKERS: u8 = 2;

/// The minimum number of attackers by which the attack is weaker than along the better line.
const MIN_LOST_ATTACKERS: u8 = 2;

/// Checks [`FactKind::AttackEnds`](shogibar_facts::FactKind::AttackEnds).
pub(crate) fn ends(claim: &Claim<'_>, attack: KingAttack, other: KingAttack) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    let [shown, better] = two_lines(claim)?;
    require(shown.moves() == claim.fact.line, || "the line is not the engine's".to_owned())?;
    let [counted, counted_other] = [king_attack(&shown, claim.side())?, king_attack(&better, claim.side())?];
    require(counted == attack, || format!("at the end of the line: {counted:?}"))?;
    require(counted_other == other, || format!("at the end of the better line: {counted_other:?}"))?;
    require(attack.attacking_moves == 0, || "the side attacks along the line".to_owned())?;
    require(other.attacking_moves > 0, || "the side does not attack along the better line".to_owned())?;
    require(attack.attackers <= MAX_ATTACKERS, || format!("{} attackers remain", attack.attackers))?;
    let lost = other.attackers.saturating_sub(attack.attackers);
    require(lost >= MIN_LOST_ATTACKERS, || format!("the better line has {lost} attackers more"))?;
    require(attack.in_hand <= other.in_hand, || "the hand has more pieces than by the better line".to_owned())
}

/// Returns the attack of a side on the king of its opponent, at the end of a line.
fn king_attack(line: &Line, side: Color) -> Checked<KingAttack> {
    let board = line.last()?;
    let king = board.king(side.flip()).ok_or_else(|| false_fact("there is no king"))?;
    let mut near = around(king);
    near.push(king);
    let own = board.pieces().filter(|(_, piece)| piece.color == side);
    let attackers = own.filter(|(from, _)| near.iter().any(|to| board.attacks(*from, *to))).count();
    let large = PieceKind::IN_HAND.into_iter().filter(|kind| *kind != PieceKind::Pawn);
    let count = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    Ok(KingAttack {
        attackers: count(attackers),
        in_hand: large.map(|kind| board.count(side, kind)).sum(),
        attacking_moves: count(attacking_moves(line, side)),
    })
}
