//! Checks of the safety of a king.

use crate::board::Board;
use crate::claim::Claim;
use crate::line::Line;
use crate::verdict::{Checked, require};
use shogibar_facts::{FactPosition, KingSafety};
use shogibar_shogi::{Color, Move, PieceKind, Square};

/// The maximum number of plies of a line that count.
const MAX_PLIES: usize = 16;

/// Checks [`FactKind::ExposedKing`](shogibar_facts::FactKind::ExposedKing).
pub(crate) fn exposed(claim: &Claim<'_>, safety: KingSafety, other: KingSafety) -> Checked {
    let [shown, rest] = two_lines(claim)?;
    require(shown.moves() == claim.fact.line, || {
        "the line is not the engine's".to_owned()
    })?;
    let ends = [shown.last()?, rest.last()?];
    let [counted, counted_other] = ends.map(|end| king_safety(end, claim.side()));
    require(counted == Some(safety), || {
        format!("at the end of the line: {counted:?}")
    })?;
    require(counted_other == Some(other), || {
        format!("at the end of the other line: {counted_other:?}")
    })?;
    let kings =
        [shown.first()?, rest.first()?, shown.last()?, rest.last()?].map(|board| board.king(claim.side()));
    let stays = kings.iter().all(|king| Some(king) == kings.first());
    let fewer_guards = stays && other.guards >= safety.guards + 2;
    let fewer_escapes =
        safety.escapes < 2 && other.escapes >= safety.escapes + 3 && safety.guards <= other.guards;
    require(fewer_guards || fewer_escapes, || {
        "the king stands no less safe".to_owned()
    })?;
    require(attacking_moves(&shown, claim.side().flip()) > 0, || {
        "nothing attacks the king along the line".to_owned()
    })
}

/// Returns the line that a fact shows, and the other one, both up to the last move of the side. These are the engine's
/// lines after the move and before it, where the engine plays another move.
pub(crate) fn two_lines(claim: &Claim<'_>) -> Checked<[Line; 2]> {
    let before = claim.before()?;
    let is_own = claim.side() == before.side();
    require(is_own == (claim.fact.at == FactPosition::After), || {
        "it is a fact about the other side".to_owned()
    })?;
    let before_ply = claim.ply.saturating_sub(1);
    let played = claim.played()?;
    require(claim.best_line(before_ply).first() != Some(&played), || {
        format!("the engine plays {played}, too")
    })?;
    let [punish, better] = [engine_line(claim, claim.ply)?, engine_line(claim, before_ply)?];
    Ok(if is_own {
        [punish, better]
    } else {
        [better, punish]
    })
}

/// Returns the engine's line after `ply` moves, up to the last move of the side.
fn engine_line(claim: &Claim<'_>, ply: usize) -> Checked<Line> {
    let (board, line) = (claim.board_at(ply)?, claim.best_line(ply));
    let whole = line.len().min(MAX_PLIES);
    let last_is_own = (whole % 2 == 1) == (board.side() == claim.side());
    let plies = if last_is_own {
        whole
    } else {
        whole.saturating_sub(1)
    };
    require(plies > 0, || {
        "the engine's line has no move of the side".to_owned()
    })?;
    Line::replay(board, line.get(..plies).unwrap_or_default())
}

/// Returns the number of moves of a side along a line that check the king of its opponent or capture a piece beside it.
pub(crate) fn attacking_moves(line: &Line, side: Color) -> usize {
    let attacks = |index: usize| {
        let Ok((mv, board, next)) = line.step(index) else {
            return false;
        };
        let Some(king) = board.king(side.flip()) else {
            return false;
        };
        let takes_beside = board.piece_on(mv.to()).is_some() && around(king).contains(&mv.to());
        board.side() == side && (next.in_check() || takes_beside)
    };
    (0..line.len()).filter(|index| attacks(*index)).count()
}

fn king_safety(board: &Board, side: Color) -> Option<KingSafety> {
    let king = board.king(side)?;
    let mut safety = KingSafety {
        guards: 0,
        escapes: 0,
    };
    for square in around(king) {
        if let Some(piece) = board.piece_on(square).filter(|piece| piece.color == side) {
            // The piece moves like a gold or a silver.
            let is_guard = matches!(piece.kind, PieceKind::Silver | PieceKind::Gold)
                || piece.kind.is_promoted() && !matches!(piece.kind, PieceKind::Horse | PieceKind::Dragon);
            safety.guards += u8::from(is_guard);
        } else {
            let gone = board.after(Move::Board {
                from: king,
                to: square,
                promote: false,
            });
            safety.escapes += u8::from(!gone.is_attacked(side.flip(), square));
        }
    }
    Some(safety)
}

pub(crate) fn around(king: Square) -> Vec<Square> {
    let near = |middle: u8| middle.saturating_sub(1)..=middle + 1;
    let all = near(king.file()).flat_map(|file| near(king.rank()).map(move |rank| (file, rank)));
    all.filter_map(|(file, rank)| Square::new(file, rank))
        .filter(|square| *square != king)
        .collect()
}
