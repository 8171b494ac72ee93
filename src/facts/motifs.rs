//! The motif by which a line wins a piece: fork, skewer, pin, discovered attack or trapped piece.
//!
//! The first move of the line may make the motif, or a later move of the same side.

use crate::board::{AttackBoard, is_between};
use crate::fact::{FactKind, Gain};
use crate::line::{ReplayedLine, WonPiece};
use crate::material::{exchange_gain, move_gain, piece_value};
use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// The maximum number of moves that lead to a motif.
const MAX_LEAD: usize = 6;

/// The motifs by one move of a line, and the piece that the rest of the line wins.
pub(crate) struct LedMotifs {
    /// The number of moves of the line before that move.
    pub(crate) lead: usize,
    /// The piece that is won. The moves and the gain are counted from the beginning of the line.
    pub(crate) win: WonPiece,
    pub(crate) kinds: Vec<FactKind>,
}

/// Returns the earliest motifs by which the side that moves first wins a piece; `None` without any. `win` is the piece
/// that the whole line wins, and `offset` the gain of the side before the line began, in tenths of a pawn.
pub(crate) fn earliest_motifs(line: &ReplayedLine, win: Option<&WonPiece>, offset: i32) -> Option<LedMotifs> {
    // A piece that is won without a motif is the reason, and what follows is not.
    let is_before_win = |lead: &usize| win.is_none_or(|win| *lead < win.capture.ply);
    (0..=MAX_LEAD)
        .step_by(2)
        .take_while(is_before_win)
        .find_map(|lead| motifs_after(line, lead, offset))
}

/// Returns the motifs by the move after `lead` moves; `None` if the rest of the line does not win a piece by itself.
fn motifs_after(line: &ReplayedLine, lead: usize, offset: i32) -> Option<LedMotifs> {
    let side = line.side();
    let moves = line.moves().get(lead..line.len_without_appended())?;
    let rest = ReplayedLine::new(line.position(lead)?, moves);
    let Gain(gain_before) = line.gain(side, lead);
    let mut win = rest.won_piece(side, offset + gain_before)?;
    win.gain.0 += gain_before;
    let kinds = motifs(&rest, &win);
    win.plies += lead;
    win.capture.ply += lead;
    // A piece that was dropped to lose it is not won by a motif.
    let is_original = line
        .captures(win.plies)
        .any(|it| it.ply == win.capture.ply && it.origin.is_some());
    // The moves that lead there must not be the loss.
    let is_forced =
        win.gain.0 - line.loss_against_passes(side.flip(), win.plies) >= win.min_gain - offset.min(0);
    (is_original && is_forced && !kinds.is_empty()).then_some(LedMotifs { lead, win, kinds })
}

/// A line with the piece that the side of its first move wins.
struct WinningLine<'a> {
    line: &'a ReplayedLine,
    win: &'a WonPiece,
    board_before: AttackBoard,
    board_after: AttackBoard,
    first_move: Move,
    side: Color,
}

fn motifs(line: &ReplayedLine, win: &WonPiece) -> Vec<FactKind> {
    let (Some(first), Some(after)) = (line.first(), line.board_after_first()) else {
        return Vec::new();
    };
    // A capture by the first move itself needs no motif.
    if win.capture.ply == 0 || win.capture.origin.is_none() {
        return Vec::new();
    }
    let found = WinningLine {
        line,
        win,
        board_before: AttackBoard::new(line.start()),
        board_after: after,
        first_move: first,
        side: line.side(),
    };
    [
        found.fork(),
        found.skewer(),
        found.pin(),
        found.discovered(),
        found.trapped(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl WinningLine<'_> {
    /// Returns whether the won piece is on this square after the first move.
    fn is_won(&self, square: Square) -> bool {
        self.win.capture.origin == Some(square)
    }

    /// Returns whether the piece of the first move makes the winning capture.
    fn is_won_by_first(&self) -> bool {
        self.win.capture.capturer_origin == Some(self.first_move.to())
    }

    /// Returns the fork by the first move, if it wins the piece.
    fn fork(&self) -> Option<FactKind> {
        let attacker = self.first_move.to();
        let piece = self.board_after.piece(attacker)?.kind;
        let mut targets: Vec<Square> = self
            .board_after
            .targets(attacker)
            .into_iter()
            .filter(|target| self.is_worth_taking(piece, *target))
            .collect();
        let was_there = |target: &Square| {
            self.first_move
                .from()
                .is_some_and(|from| self.board_before.attacks(from, *target))
        };
        let is_fork = targets.len() > 1 && !targets.iter().all(was_there);
        let is_won = self.is_won_by_first() && targets.iter().any(|target| self.is_won(*target));
        if !is_fork || !is_won {
            return None;
        }
        let rank = |square: &Square| {
            self.board_after
                .piece(*square)
                .map(|piece| target_value(piece.kind))
        };
        targets.sort_by_key(|target| std::cmp::Reverse(rank(target)));
        targets.insert(0, attacker);
        Some(FactKind::Fork {
            piece,
            squares: targets,
            gain: self.win.gain,
        })
    }

    /// Returns whether a target is the king, worth more than the attacker, or unguarded and not a pawn.
    fn is_worth_taking(&self, attacker: PieceKind, target: Square) -> bool {
        let Some(piece) = self.board_after.piece(target) else {
            return false;
        };
        let is_unguarded = !self.board_after.is_guarded(target);
        piece.kind == PieceKind::King
            || piece_value(piece.kind) > piece_value(attacker)
            || (piece.kind != PieceKind::Pawn && is_unguarded)
    }

    /// Returns the skewer by the first move, if it wins the piece.
    fn skewer(&self) -> Option<FactKind> {
        let attacker = self.first_move.to();
        let piece = self.board_after.piece(attacker)?.kind;
        let from = self
            .first_move
            .from()
            .map(|from| self.board_before.lined_up_pairs(from))
            .unwrap_or_default();
        let is_skewer = |pair: &[Square; 2]| {
            let [front, behind] = pair.map(|square| self.board_after.piece(square).map(|piece| piece.kind));
            let (Some(front), Some(behind)) = (front, behind) else {
                return false;
            };
            let is_worth = !matches!(behind, PieceKind::Pawn | PieceKind::King)
                && target_value(front) >= target_value(behind);
            is_worth && pair.iter().any(|square| self.is_won(*square)) && !from.contains(pair)
        };
        let [front, behind] = self
            .board_after
            .lined_up_pairs(attacker)
            .into_iter()
            .find(is_skewer)?;
        let squares = [attacker, front, behind];
        self.is_won_by_first().then_some(FactKind::Skewer {
            piece,
            squares,
            gain: self.win.gain,
        })
    }

    fn pin(&self) -> Option<FactKind> {
        let king = self.line.position(1)?.king(self.side.flip())?;
        let pinning = |from: &Square| {
            let is_pin = |[pinned, behind]: &[Square; 2]| *behind == king && self.is_won(*pinned);
            let pair = self.board_after.lined_up_pairs(*from).into_iter().find(is_pin)?;
            // If the pinning piece did not move, the pin must have existed before the first move.
            let is_stated =
                self.first_move.to() == *from || self.board_before.lined_up_pairs(*from).contains(&pair);
            let [pinned, _] = pair;
            is_stated.then_some((*from, pinned))
        };
        let (from, pinned) = self
            .board_after
            .squares_of(self.side)
            .find_map(|from| pinning(&from))?;
        let piece = self.board_after.piece(from)?.kind;
        let squares = [from, pinned, king];
        (self.win.capture.square == pinned).then_some(FactKind::Pin {
            piece,
            squares,
            gain: self.win.gain,
        })
    }

    /// Returns the discovered attack by which the line wins the piece.
    fn discovered(&self) -> Option<FactKind> {
        let (target, slider, vacated) = (
            self.win.capture.origin?,
            self.win.capture.capturer_origin?,
            self.first_move.from()?,
        );
        let piece = self.board_after.piece(slider)?.kind;
        let is_uncovered = slider != self.first_move.to()
            && self.win.capture.square == target
            // The slider must capture the target from its square after the first move.
            && self.line.moves().get(self.win.capture.ply).is_some_and(|mv| mv.from() == Some(slider))
            && self.board_after.attacks(slider, target)
            && !self.board_before.attacks(slider, target)
            && is_between(vacated, [slider, target]);
        let squares = [slider, vacated, target];
        is_uncovered.then_some(FactKind::Discovered {
            piece,
            squares,
            gain: self.win.gain,
        })
    }

    fn trapped(&self) -> Option<FactKind> {
        let (position, square) = (self.line.position(1)?, self.win.capture.origin?);
        let piece = self.board_after.piece(square)?.kind;
        let is_large = matches!(
            piece,
            PieceKind::Silver
                | PieceKind::Gold
                | PieceKind::Bishop
                | PieceKind::Rook
                | PieceKind::Horse
                | PieceKind::Dragon
        );
        let is_lost =
            is_large && !position.in_check() && is_lost_anywhere(position, square, self.win.min_gain);
        let start = self.line.start();
        // The first move closes the last way out.
        let could_escape = || !is_lost_anywhere(&start.with_side_to_move(self.side.flip()), square, 1);
        let is_trapped = is_lost && !start.in_check() && could_escape();
        is_trapped.then_some(FactKind::Trapped {
            piece,
            square,
            gain: self.win.gain,
        })
    }
}

/// Returns whether the opponent wins a piece of the side to move on its square and after each move. `min_gain` is the
/// opponent's minimum gain, in tenths of a pawn.
fn is_lost_anywhere(position: &Position, square: Square, min_gain: i32) -> bool {
    let passed = position.with_side_to_move(position.side_to_move().flip());
    let is_lost = |mv: &Move| {
        let mut next = position.clone();
        next.play(*mv).is_ok() && exchange_gain(&next, mv.to()) - move_gain(position, *mv) >= min_gain
    };
    let moves = position.legal_moves();
    exchange_gain(&passed, square) >= min_gain
        && moves.iter().filter(|mv| mv.from() == Some(square)).all(is_lost)
}

/// Returns the value of an attacked piece in tenths of a pawn. A king has the highest value.
const fn target_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => i32::MAX,
        other => piece_value(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn earliest(sfen: &str, moves: &str) -> Option<LedMotifs> {
        let moves: Vec<Move> = moves
            .split_whitespace()
            .map(|mv| Move::from_usi(mv).unwrap())
            .collect();
        let line = ReplayedLine::new(&Position::from_sfen(sfen).unwrap(), &moves);
        assert!(line.moves().starts_with(&moves), "legal moves");
        earliest_motifs(&line, line.won_piece(line.side(), 0).as_ref(), 0)
    }

    fn found(sfen: &str, moves: &str) -> Vec<FactKind> {
        earliest(sfen, moves)
            .filter(|motifs| motifs.lead == 0)
            .map(|motifs| motifs.kinds)
            .unwrap_or_default()
    }

    fn squares(text: &str) -> Vec<Square> {
        text.split_whitespace()
            .map(|usi| Square::from_usi(usi.as_bytes()).unwrap())
            .collect()
    }

    #[test]
    fn finds_forks() {
        let kinds = found("4k4/9/9/9/1r7/9/9/9/4K4 b B 1", "B*5b 5a5b");
        assert!(kinds.is_empty(), "the bishop is taken");
        let kinds = found("4k4/9/9/9/1r7/9/9/9/4K4 b B 1", "B*3c 5a6a 3c8h");
        assert!(kinds.is_empty(), "nothing is won");
        // The bishop attacks the king and the rook.
        let kinds = found("4k4/9/9/9/r8/9/9/9/4K4 b B 1", "B*7c 5a6a 7c9e");
        let [
            FactKind::Fork {
                piece: PieceKind::Bishop,
                squares: at,
                ..
            },
        ] = kinds.as_slice()
        else {
            panic!("{kinds:?}")
        };
        assert_eq!(*at, squares("7c 5a 9e"));
    }

    #[test]
    fn finds_skewers() {
        let kinds = found("k8/4r4/9/4s4/9/9/9/9/4K4 b L 1", "L*5f 5b4b 5f5d");
        assert!(
            !kinds.iter().any(|kind| matches!(kind, FactKind::Skewer { .. })),
            "the rook behind is the greater"
        );
        let kinds = found("k8/4s4/9/4r4/9/9/9/9/4K4 b L 1", "L*5f 5d4d 5f5b+");
        let at: Vec<_> = squares("5f 5d 5b");
        assert!(
            kinds
                .iter()
                .any(|kind| matches!(kind, FactKind::Skewer { squares, .. } if at == squares)),
            "{kinds:?}"
        );
    }

    #[test]
    fn finds_pins() {
        let kinds = found("4k4/9/4s4/9/3S5/9/4R4/9/K8 b - 1", "6e6d 5a4a 6d5c+");
        assert!(
            kinds.iter().any(|kind| matches!(kind, FactKind::Pin { .. })),
            "{kinds:?}"
        );
    }

    #[test]
    fn finds_discovered_attacks() {
        let kinds = found("9/9/9/4r1k2/9/4S4/9/4R4/8K b - 1", "5f4e 3d2c 5h5d");
        let expect = squares("5h 5f 5d");
        let [
            FactKind::Discovered {
                piece: PieceKind::Rook,
                squares,
                ..
            },
        ] = kinds.as_slice()
        else {
            panic!("{kinds:?}")
        };
        assert_eq!(squares.to_vec(), expect);
        // The silver was not between the two.
        assert_eq!(found("9/9/9/4r1k2/9/3S5/9/4R4/8K b - 1", "5h5d 3d2c"), []);
    }

    #[test]
    fn finds_trapped_pieces() {
        let kinds = found("4k4/9/9/7L1/8b/7P1/9/9/K8 b G 1", "G*2e 5a5b 2e1e");
        let [
            FactKind::Trapped {
                piece: PieceKind::Bishop,
                square,
                ..
            },
        ] = kinds.as_slice()
        else {
            panic!("{kinds:?}")
        };
        assert_eq!(vec![*square], squares("1e"));
        // The bishop could move away.
        assert_eq!(found("4k4/9/9/9/8b/7P1/9/9/K8 b G 1", "G*2e 5a5b 2e1e"), []);
        assert_eq!(
            found("4k4/9/9/9/9/9/PP7/1S7/rG2K4 b - 1", "8i9i"),
            [],
            "the first move itself captures"
        );
    }

    #[test]
    fn finds_motifs_by_later_moves() {
        let exchange = "8c6a 5a6a B*1f 6a5a 1f3h";
        let fork = earliest("3gk4/9/1+B7/9/9/9/9/6+r2/K8 b B 1", exchange).unwrap();
        let expected = FactKind::Fork {
            piece: PieceKind::Bishop,
            squares: squares("1f 6a 3h"),
            gain: Gain(80),
        };
        assert_eq!(
            (fork.lead, fork.win.plies, fork.kinds),
            (2, 5, vec![expected]),
            "the exchange is part of the gain"
        );
        assert!(
            earliest("3pk4/9/1+B7/9/9/9/9/6+r2/K8 b B 1", exchange).is_none(),
            "the first moves cost too much"
        );
        let gone = earliest("k8/9/4s4/9/4r4/9/9/9/4K4 b L 1", "5i6i 5c4b L*5f 4b4c 5f5e");
        assert!(gone.is_none(), "nothing is behind the rook any more");
        let dropped = earliest("4k4/9/9/9/3S5/9/9/9/K8 b Rn 1", "R*5h N*5d 9i9h 5a4a 6e5d");
        assert!(dropped.is_none(), "the knight was dropped to answer the check");
        let taken = earliest(
            "4k4/9/9/9/r8/9/9/4r4/4K4 b B 1",
            "5i5h 5a5b 5h5i 5b5a B*7c 5a6a 7c9e",
        );
        assert!(taken.is_none(), "a rook was won without a fork");
    }

    #[test]
    fn takes_the_earliest_motif() {
        let pinned = earliest("4k4/9/4s4/9/3S5/9/4R4/9/K7p b - 1", "9i8i 5a5b 6e6d 5b4a 6d5c+").unwrap();
        assert!(
            matches!(pinned.kinds.as_slice(), [FactKind::Pin { .. }]),
            "{:?}",
            pinned.kinds
        );
        assert_eq!(pinned.lead, 0, "the pin lasts");
        let forked = "4k4/9/9/9/r8/9/9/9/4K4 b B 1";
        for (first, lead) in [
            ("", Some(0)),
            ("5i4i 5a4a 4i5i 4a5a ", Some(4)),
            ("5i4i 5a4a 4i5i 4a4b 5i4i 4b5a ", Some(6)),
            ("5i4i 5a4a 4i5i 4a5a 5i4i 5a4a 4i5i 4a5a ", None),
        ] {
            let moves = format!("{first}B*7c 5a6a 7c9e");
            assert_eq!(
                earliest(forked, &moves).map(|motifs| motifs.lead),
                lead,
                "{moves}"
            );
        }
    }
}
