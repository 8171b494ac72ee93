//! An attack on a king that does not go on (攻めが続かない).

use super::ComparedLines;
use crate::board::AttackBoard;
use crate::fact::{Fact, FactKind, FactPosition, KingAttack};
use crate::king::{answered_plies, attacking_moves, is_beside};
use crate::line::ReplayedLine;
use shogibar_shogi::{Color, PieceKind, Position, Square};

/// The minimum number of attackers before the move, and of attacking moves along the better line.
const MIN_ATTACK: u8 = 2;

/// The minimum number of moves of the side in the line without an attacking move.
const MIN_OWN_MOVES: usize = 3;

/// Returns the fact that the attack of the moving side ends by its move; `None` if this is not so.
pub(crate) fn attack_ends(lines: &ComparedLines<'_>) -> Option<Fact> {
    let side = lines.side();
    let plies = answered_plies(lines.punishing, side).filter(|plies| *plies >= 2 * MIN_OWN_MOVES)?;
    let attack = attack_after(lines.punishing, plies, side)?;
    let other = attack_after(lines.better, answered_plies(lines.better, side)?, side)?;
    let before = attack_after(lines.better, 0, side)?;
    let has_ended = attack.attacking_moves == 0
        && other.attacking_moves >= MIN_ATTACK
        && before.attackers >= MIN_ATTACK
        && pieces(attack) < pieces(before)
        && pieces(attack) <= pieces(other);
    let line = lines.punishing.moves().get(..plies)?.to_vec();
    let kind = FactKind::AttackEnds { attack, other };
    has_ended.then_some(Fact {
        kind,
        side,
        at: FactPosition::After,
        lead: 0,
        line,
    })
}

const fn pieces(attack: KingAttack) -> u8 {
    attack.attackers + attack.in_hand
}

fn attack_after(line: &ReplayedLine, plies: usize, side: Color) -> Option<KingAttack> {
    let end = line.position(plies)?;
    let hand = end.hand(side);
    let other_than_pawns = PieceKind::IN_HAND.iter().filter(|kind| **kind != PieceKind::Pawn);
    Some(KingAttack {
        attackers: attackers(end, side)?,
        in_hand: other_than_pawns.map(|kind| hand.count(*kind)).sum(),
        attacking_moves: u8::try_from(attacking_moves(line, plies, side.flip())).ok()?,
    })
}

/// Returns the number of a side's pieces that attack the other king's square or one beside it.
fn attackers(position: &Position, side: Color) -> Option<u8> {
    let board = AttackBoard::new(position);
    let king = position.king(side.flip())?;
    let around: Vec<Square> = Square::all()
        .filter(|square| *square == king || is_beside(king, *square))
        .collect();
    let is_attacker = |from: &Square| {
        let is_king = board
            .piece(*from)
            .is_some_and(|piece| piece.kind == PieceKind::King);
        !is_king && around.iter().any(|to| board.covers(*from, *to))
    };
    u8::try_from(board.squares_of(side).filter(is_attacker).count()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::tests::TestLines;

    fn found(sfen: &str, played: &str, better: &str) -> Option<[KingAttack; 2]> {
        let lines = TestLines::new(sfen, played, better);
        attack_ends(&lines.compared()).map(|fact| match fact.kind {
            FactKind::AttackEnds { attack, other } => [attack, other],
            other => panic!("{other:?}"),
        })
    }

    /// Black attacks the king with a silver and a gold, and has a gold in hand.
    const ATTACK: &str = "4k4/5g3/3GS4/9/9/9/9/9/4K4 b G 1";
    const STOPS: &str = "5i4i 4b5c 4i3i 5c6c 3i2i 5a5b 2i1i";
    const GOES_ON: &str = "5c4b+ 5a4b G*4c 4b3a 4c3b";

    #[test]
    fn counts_the_pieces_that_attack_a_king() {
        let count = |sfen| attackers(&Position::from_sfen(sfen).unwrap(), Color::Black);
        assert_eq!(count(ATTACK), Some(2));
        assert_eq!(
            count("4k4/9/4P4/4L4/9/9/9/9/4K2R1 b - 1"),
            Some(1),
            "the pawn stands before the lance"
        );
        assert_eq!(
            count("4k4/9/9/9/8B/9/3R5/9/4K4 b - 1"),
            Some(2),
            "lines beside the king"
        );
    }

    #[test]
    fn finds_an_attack_that_does_not_go_on() {
        let expect = |attackers, in_hand, attacking_moves| KingAttack {
            attackers,
            in_hand,
            attacking_moves,
        };
        assert_eq!(
            found(ATTACK, STOPS, GOES_ON),
            Some([expect(0, 1, 0), expect(1, 1, 3)])
        );
        assert_eq!(
            found(ATTACK, STOPS, "5c4b+ 5a4b 6c6b"),
            None,
            "one attacking move"
        );
        assert_eq!(
            found(ATTACK, "5i4i 4b5c 4i3i 5c6c 3i2i", GOES_ON),
            None,
            "two moves of the side"
        );
        assert_eq!(
            found(ATTACK, "5i4i 4b5c 4i3i 5c6c 3i2i 5a5b G*5c", GOES_ON),
            None,
            "a check"
        );
        let kept = "5i4i 4b3b 4i3i 3b3c 3i2i 3c3d 2i1i";
        assert_eq!(found(ATTACK, kept, GOES_ON), None, "no attacker is lost");
        let alone = "4k4/5g3/4S4/3G5/9/9/9/9/4K4 b G 1";
        assert_eq!(
            found(alone, "5i4i 4b5c 4i3i 5c6d 3i2i 5a5b 2i1i", GOES_ON),
            None,
            "one attacker"
        );
    }
}
