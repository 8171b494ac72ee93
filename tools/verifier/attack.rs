//! Checks of attacks that end.

use crate::claim::Claim;
use crate::king::{around, attacking_moves, two_lines};
use crate::line::Line;
use crate::verdict::{Checked, false_fact, require};
use shogibar_facts::{FactPosition, KingAttack};
use shogibar_shogi::{Color, PieceKind};

/// The minimum number of moves of the side along a line without an attack.
const MIN_MOVES: usize = 3;

/// The minimum number of attacking moves along the better line.
const MIN_BETTER_MOVES: u8 = 2;

/// The minimum number of attackers before the move.
const MIN_ATTACKERS: u8 = 2;

/// Checks [`FactKind::AttackEnds`](shogibar_facts::FactKind::AttackEnds).
pub(crate) fn ends(claim: &Claim<'_>, attack: KingAttack, other: KingAttack) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    let [shown, better] = two_lines(claim)?;
    require(shown.moves() == claim.fact.line, || {
        "the line is not the engine's".to_owned()
    })?;
    let [counted, counted_other] = [
        king_attack(&shown, claim.side())?,
        king_attack(&better, claim.side())?,
    ];
    require(counted == attack, || {
        format!("at the end of the line: {counted:?}")
    })?;
    require(counted_other == other, || {
        format!("at the end of the better line: {counted_other:?}")
    })?;
    // The other side moves first.
    let moves = shown.len() / 2;
    require(moves >= MIN_MOVES, || {
        format!("the side has {moves} moves in the line")
    })?;
    require(attack.attacking_moves == 0, || {
        "the side attacks along the line".to_owned()
    })?;
    let attacks = other.attacking_moves;
    require(attacks >= MIN_BETTER_MOVES, || {
        format!("the better line has {attacks} attacking moves")
    })?;
    let earlier = king_attack(&Line::replay(claim.before()?, &[])?, claim.side())?;
    require(earlier.attackers >= MIN_ATTACKERS, || {
        format!("before the move: {earlier:?}")
    })?;
    let [before, end, better_end] = [earlier, attack, other].map(|attack| attack.attackers + attack.in_hand);
    require(end < before, || {
        format!("{end} attackers and pieces in hand, and {before} before the move")
    })?;
    require(end <= better_end, || {
        format!("{end} attackers and pieces in hand, and {better_end} by the better line")
    })?;
    claim.require_plan_loss()
}

fn king_attack(line: &Line, side: Color) -> Checked<KingAttack> {
    let board = line.last()?;
    let king = board
        .king(side.flip())
        .ok_or_else(|| false_fact("there is no king"))?;
    let mut near = around(king);
    near.push(king);
    let own = board
        .pieces()
        .filter(|(_, piece)| piece.color == side && piece.kind != PieceKind::King);
    let attackers = own
        .filter(|(from, _)| near.iter().any(|to| board.attacks(*from, *to)))
        .count();
    let large = PieceKind::IN_HAND
        .into_iter()
        .filter(|kind| *kind != PieceKind::Pawn);
    let count = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    Ok(KingAttack {
        attackers: count(attackers),
        in_hand: large.map(|kind| board.count(side, kind)).sum(),
        attacking_moves: count(attacking_moves(line, side)),
    })
}
