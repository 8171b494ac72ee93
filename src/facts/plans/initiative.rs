//! Moves that force an answer (先手).

use super::{ComparedLines, MovePositions, ShownMove};
use crate::fact::{Fact, FactKind};
use crate::line::moved_kind;
use crate::material::{MIN_THREAT_GAIN, capture_gain, exchange_gain, move_gain, piece_value};
use crate::mates::Solver;
use shogibar_shogi::{PieceKind, Position, Square};

/// The minimum gain of a capture that has to be prevented, in tenths of a pawn: the value of a knight.
const MIN_FORCING_GAIN: i32 = 40;

/// Returns the initiative of the better move and of the engine's reply, where the other moves force no answer.
pub(crate) fn initiative(lines: &ComparedLines<'_>, solver: Solver<'_>) -> Vec<Fact> {
    lines
        .shown_moves()
        .iter()
        .filter_map(|shown| shown_initiative(shown, solver))
        .collect()
}

fn shown_initiative(shown: &ShownMove<'_>, solver: Solver<'_>) -> Option<Fact> {
    let MovePositions { before, after } = &shown.positions;
    let is_quiet =
        !before.in_check() && !after.in_check() && move_gain(before, shown.first) < MIN_THREAT_GAIN;
    let (piece, square) = if is_quiet {
        attacked_piece(&shown.positions)
    } else {
        None
    }?;
    let answered = shown.line.position(2)?;
    if !is_met(square, shown, answered) || threatens_capture(answered) {
        return None;
    }
    let forces = |other: &MovePositions| {
        other.after.in_check()
            || attacked_piece(other).is_some()
            || solver.mates_after_pass(&other.after) == Some(true)
    };
    let is_new = !shown.others.iter().any(forces) && solver.mates_after_pass(answered) == Some(false);
    is_new.then(|| shown.fact(FactKind::Initiative { piece, square }, 2))
}

/// Returns the piece that the opponent loses after a move and a pass, and its square; `None` if the move attacks none.
fn attacked_piece(MovePositions { before, after }: &MovePositions) -> Option<(PieceKind, Square)> {
    let passed = after.with_side_to_move(before.side_to_move());
    let target = |square: Square| {
        let piece = after
            .piece_on(square)
            .filter(|piece| piece.color == after.side_to_move())?;
        (piece_value(piece.kind) >= MIN_FORCING_GAIN)
            .then(|| (exchange_gain(&passed, square), square, piece.kind))
    };
    let (gain, square, piece) = Square::all().filter_map(target).max_by_key(|(gain, ..)| *gain)?;
    let is_new = 2 * exchange_gain(before, square) < gain;
    let is_countered = || Square::all().any(|square| exchange_gain(after, square) >= MIN_THREAT_GAIN);
    (gain >= MIN_FORCING_GAIN && is_new && !is_countered()).then_some((piece, square))
}

/// Returns whether the engine's answer saves the attacked piece. It may capture the piece that moved only if that is a
/// pawn, and nothing is won back. `answered` is the position after the answer.
fn is_met(attacked: Square, shown: &ShownMove<'_>, answered: &Position) -> bool {
    let (Some(answer), moved) = (shown.line.moves().get(1), shown.first.to()) else {
        return false;
    };
    let attacked = if answer.from() == Some(attacked) {
        answer.to()
    } else {
        attacked
    };
    let is_pawn = || moved_kind(&shown.positions.before, shown.first) == Some(PieceKind::Pawn);
    let loses_pawn = || is_pawn() && exchange_gain(answered, moved) == 0;
    exchange_gain(answered, attacked) < MIN_FORCING_GAIN && (answer.to() != moved || loses_pawn())
}

/// Returns whether the side that has moved gives check, or threatens a capture.
fn threatens_capture(position: &Position) -> bool {
    let passed = || position.with_side_to_move(position.side_to_move().flip());
    position.in_check() || capture_gain(&passed()) >= MIN_FORCING_GAIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::fact::FactPosition;
    use crate::plans::tests::TestLines;
    use shogibar_builtin::Control;

    fn found_within(moves: u64, sfen: &str, played: &str, better: &str) -> Vec<(FactPosition, String)> {
        let lines = TestLines::new(sfen, played, better);
        let (budget, control) = (Budget::new(moves), Control::new(None));
        let facts = initiative(
            &lines.compared(),
            Solver {
                nodes: 2_000,
                budget: &budget,
                control: &control,
            },
        );
        let text = |kind: &FactKind| match kind {
            FactKind::Initiative { piece, square } => format!("{piece:?} {square}"),
            other => panic!("{other:?}"),
        };
        assert!(facts.iter().all(|fact| fact.line.len() == 2), "{facts:?}");
        facts.iter().map(|fact| (fact.at, text(&fact.kind))).collect()
    }

    fn found(sfen: &str, played: &str, better: &str) -> Vec<(FactPosition, String)> {
        found_within(10_000_000, sfen, played, better)
    }

    const PLAYED: &str = "9i9h 1a1b";
    const BETTER: &str = "4f4e 4d5d";

    #[test]
    fn finds_an_attack_that_is_answered() {
        let sfen = "8k/9/9/5g3/9/5P3/9/9/K8 b - 1";
        let attacks = vec![(FactPosition::Before, "Gold 4d".to_owned())];
        assert_eq!(found(sfen, PLAYED, BETTER), attacks);
        assert_eq!(
            found(sfen, PLAYED, "4f4e 4d4e"),
            attacks,
            "the gold takes the pawn"
        );
        assert_eq!(
            found(sfen, PLAYED, "4f4e 1a1b"),
            [],
            "the answer ignores the attack"
        );
        assert_eq!(found_within(10, sfen, PLAYED, BETTER), [], "no mate is excluded");
        assert_eq!(
            found("8k/9/9/5l3/9/5P3/9/9/K8 b - 1", PLAYED, "4f4e 1a1b"),
            [],
            "a lance"
        );
        assert_eq!(
            found("8k/9/9/5g3/9/5P3/9/9/K4L3 b - 1", PLAYED, "4f4e 4d4e"),
            [],
            "the lance takes back"
        );
    }

    #[test]
    fn an_attack_that_is_not_new_or_not_forcing_is_none() {
        assert_eq!(
            found("8k/9/9/5g3/5P3/9/9/9/K8 b - 1", PLAYED, "9i8i 4d5d"),
            [],
            "attacked before"
        );
        assert_eq!(
            found("8k/9/9/5g3/5s3/5P3/9/9/K8 b - 1", PLAYED, "4f4e 4d5d"),
            [],
            "it takes a silver"
        );
        let two = "8k/9/9/2g2g3/9/2P2P3/9/9/K8 b - 1";
        assert_eq!(
            found(two, "7f7e 7d6d", BETTER),
            [],
            "the played move attacks, too"
        );
        let hanging = "8k/9/9/5g2p/8S/5P3/9/9/K8 b - 1";
        assert_eq!(
            found(hanging, PLAYED, BETTER),
            [],
            "the opponent takes a silver first"
        );
        assert_eq!(
            found("8k/7b1/9/5g3/9/5P3/9/9/K8 b - 1", PLAYED, BETTER),
            [],
            "the answer gives check"
        );
        let (drops, played) = ("B*9e 7c6c", "9i8i 1a1b");
        assert_eq!(found("8k/9/2g6/9/9/9/1N7/9/K8 b B 1", played, drops).len(), 1);
        assert_eq!(
            found("r7k/9/2g6/9/9/9/1N7/9/K8 b B 1", played, drops),
            [],
            "in check"
        );
    }

    #[test]
    fn finds_the_attack_by_the_reply() {
        let sfen = "k8/9/9/9/5p3/9/5G3/9/8K b - 1";
        let attacks = vec![(FactPosition::After, "Gold 4g".to_owned())];
        assert_eq!(found(sfen, "1i1h 4e4f 4g5g", "4g5f 9a9b"), attacks);
        assert_eq!(
            found(sfen, "1i1h 4e4f 4g5g", "1i2i 9a9b"),
            [],
            "the same reply attacks after the better move"
        );
        assert_eq!(found(sfen, "1i1h 4e4f", "4g5f 9a9b"), [], "no answer is known");
    }
}
