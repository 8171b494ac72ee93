//! The difficulty of finding a best move: the depth at which it is found, and the features that hide it.

use crate::budget::are_hands_full;
use crate::line::moved_kind;
use crate::material::{exchange_gain, move_gain};
use serde::Serialize;
use shogibar_builtin::{Control, Limits, Searcher};
use shogibar_shogi::{Color, History, Move, PieceKind, Position};

/// The difficulty of finding a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EaseLevel {
    /// The move is first from at most 4,000 nodes on, or depth 6.
    Easy,
    /// The move is first from at most 64,000 nodes on, or depth 12.
    Medium,
    /// The move is first only after more nodes or depth, or not at all.
    Hard,
}

/// The difficulty of finding a move, and the point from which on a search has it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ease {
    /// The level of difficulty.
    pub level: EaseLevel,
    /// The depth from which on the move stays first; `None` if the move is not first at the end.
    pub depth: Option<u32>,
    /// The nodes after which that depth was complete; `None` without a depth, or if the nodes are not known.
    pub nodes: Option<u64>,
}

/// The best move of a search at a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DepthReport {
    /// The depth of the completed iteration.
    depth: u32,
    /// The nodes up to this depth, if they are known.
    nodes: Option<u64>,
    /// The first move of the best line.
    best_move: Move,
}

/// A feature that makes a move hard to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HidingFeature {
    /// The move neither captures nor promotes nor gives check.
    Quiet,
    /// The move goes back, towards its own side, with a piece other than the king.
    Retreat,
    /// The move loses material by exchanges on its square.
    Sacrifice,
    /// The move drops a piece.
    Drop,
    /// A pawn, bishop, rook or lance could promote and does not.
    NonPromotion,
}

/// The maximum number of nodes for an easy move.
const MAX_EASY_NODES: u64 = 4_000;

/// The maximum number of nodes for a medium move.
const MAX_MEDIUM_NODES: u64 = 64_000;

/// The maximum depth for an easy move.
const MAX_EASY_DEPTH: u32 = 6;

/// The maximum depth for a medium move.
const MAX_MEDIUM_DEPTH: u32 = 12;

/// The maximum number of legal moves of either side in a position whose best move is searched for. Games have fewer; with
/// nearly all pieces in a hand, a node takes many times as long.
const MAX_LEGAL_MOVES: usize = 430;

/// The minimum loss by which a move is a sacrifice, in tenths of a pawn: two pawns.
const MIN_SACRIFICE_LOSS: i32 = 20;

impl Ease {
    /// Searches a position with the built-in engine. Returns the difficulty of finding the move `best`, with the depth
    /// and the nodes from which on the search has it first. Returns `None` for a position that cannot be searched or has
    /// too many legal moves, an illegal move, or when `control` stops the search. The searcher is cleared first, so that the result depends only
    /// on the position.
    pub fn from_search(
        searcher: &mut Searcher,
        position: &Position,
        best: Move,
        control: &Control,
    ) -> Option<Self> {
        if position.searchable().is_err() || !position.is_legal(best) {
            return None;
        }
        let passed =
            (!position.in_check()).then(|| position.with_side_to_move(position.side_to_move().flip()));
        let count_moves = |position: &Position| position.legal_moves().len();
        if are_hands_full(position)
            || count_moves(position).max(passed.as_ref().map_or(0, count_moves)) > MAX_LEGAL_MOVES
        {
            return None;
        }
        searcher.clear();
        let mut reports = Vec::new();
        let limits = Limits {
            nodes: MAX_MEDIUM_NODES,
            ..Limits::default()
        };
        let mut report = |report: &shogibar_builtin::SearchReport| {
            if let Some(mv) = report.line.first() {
                reports.push(DepthReport {
                    depth: report.depth.into(),
                    nodes: Some(report.nodes),
                    best_move: *mv,
                });
            }
        };
        let history = History::new(position.without_history());
        searcher
            .think(&history, &limits, control, &|| 0, &mut report)
            .ok()?;
        if control.is_stopped() {
            return None;
        }
        let from = first_stable(&reports, best);
        let level = match from.and_then(|report| report.nodes) {
            Some(nodes) if nodes <= MAX_EASY_NODES => EaseLevel::Easy,
            Some(nodes) if nodes <= MAX_MEDIUM_NODES => EaseLevel::Medium,
            _ => EaseLevel::Hard,
        };
        Some(Self {
            level,
            depth: from.map(|report| report.depth),
            nodes: from.and_then(|report| report.nodes),
        })
    }

    /// Returns the ease of a best move by the depth from which on any engine had the move first.
    pub const fn from_depth(depth: u32) -> Self {
        let level = match depth {
            0..=MAX_EASY_DEPTH => EaseLevel::Easy,
            _ if depth <= MAX_MEDIUM_DEPTH => EaseLevel::Medium,
            _ => EaseLevel::Hard,
        };
        Self {
            level,
            depth: Some(depth),
            nodes: None,
        }
    }
}

/// Returns the report from which on a move stays first; `None` if the last report has another move.
fn first_stable(reports: &[DepthReport], best: Move) -> Option<DepthReport> {
    reports
        .iter()
        .rev()
        .take_while(|report| report.best_move == best)
        .last()
        .copied()
}

/// Returns the features that make a legal move hard to see.
pub fn hiding_features(position: &Position, mv: Move) -> Vec<HidingFeature> {
    let mut next = position.without_history();
    if position.searchable().is_err() || next.play(mv).is_err() {
        return Vec::new();
    }
    let captures = position.piece_on(mv.to()).is_some();
    let promotes = matches!(mv, Move::Board { promote: true, .. });
    let kind = moved_kind(position, mv);
    let goes_back = mv.from().is_some_and(|from| match position.side_to_move() {
        Color::Black => mv.to().rank() > from.rank(),
        Color::White => mv.to().rank() < from.rank(),
    });
    let could_promote = kind.zip(mv.from()).is_some_and(|(kind, from)| {
        let gains = matches!(
            kind,
            PieceKind::Pawn | PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook
        );
        gains && position.can_promote(kind, from, mv.to())
    });
    let loss = exchange_gain(&next, mv.to()) - move_gain(position, mv);
    let all = [
        (HidingFeature::Quiet, !captures && !promotes && !next.in_check()),
        (HidingFeature::Retreat, goes_back && kind != Some(PieceKind::King)),
        (HidingFeature::Sacrifice, loss >= MIN_SACRIFICE_LOSS),
        (HidingFeature::Drop, mv.from().is_none()),
        (HidingFeature::NonPromotion, could_promote && !promotes),
    ];
    all.into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(hidden, _)| hidden)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usi(text: &str) -> Move {
        Move::from_usi(text).unwrap()
    }

    #[test]
    fn takes_the_depth_from_which_a_move_stays_first() {
        let check = |bests: &[&str], expect: Option<u32>| {
            let reports: Vec<DepthReport> = (1..)
                .zip(bests)
                .map(|(depth, mv)| DepthReport {
                    depth,
                    nodes: None,
                    best_move: usi(mv),
                })
                .collect();
            assert_eq!(
                first_stable(&reports, usi("7g7f")).map(|report| report.depth),
                expect,
                "{bests:?}"
            );
        };
        check(&["7g7f", "2g2f", "7g7f", "7g7f"], Some(3));
        check(&["7g7f", "2g2f"], None);
        check(&[], None);
        for (depth, level) in [
            (1, EaseLevel::Easy),
            (6, EaseLevel::Easy),
            (12, EaseLevel::Medium),
            (13, EaseLevel::Hard),
        ] {
            assert_eq!(Ease::from_depth(depth).level, level);
        }
    }

    #[test]
    fn finds_a_hanging_rook_easy() {
        let position = Position::from_sfen("4k4/9/9/9/4r4/9/9/4R4/K8 b - 1").unwrap();
        let mut searcher = Searcher::new(1, 1);
        let ease = Ease::from_search(&mut searcher, &position, usi("5h5e"), &Control::new(None)).unwrap();
        assert_eq!(ease.level, EaseLevel::Easy);
        assert_eq!(
            Ease::from_search(&mut searcher, &position, usi("5h5e"), &Control::new(None)),
            Some(ease)
        );
        assert_eq!(
            Ease::from_search(&mut searcher, &position, usi("5h5a"), &Control::new(None)),
            None
        );
        let stopped = Control::new(None);
        stopped.stop();
        assert_eq!(
            Ease::from_search(&mut searcher, &position, usi("5h5e"), &stopped),
            None
        );
    }

    #[test]
    fn names_the_reasons_why_a_move_is_hard_to_find() {
        let check = |sfen: &str, mv: &str, expect: &[HidingFeature]| {
            assert_eq!(
                hiding_features(&Position::from_sfen(sfen).unwrap(), usi(mv)),
                expect,
                "{mv}"
            );
        };
        check("4k4/9/9/9/4r4/9/9/4R4/K8 b - 1", "5h5e", &[]);
        check(
            "3k5/9/9/9/9/9/9/4R4/K8 b - 1",
            "5h5i",
            &[HidingFeature::Quiet, HidingFeature::Retreat],
        );
        check(
            "4k4/9/9/9/9/9/9/9/K8 b G 1",
            "G*5b",
            &[HidingFeature::Sacrifice, HidingFeature::Drop],
        );
        check(
            "4k4/9/9/8P/9/9/9/9/K8 b - 1",
            "1d1c",
            &[HidingFeature::Quiet, HidingFeature::NonPromotion],
        );
        check("4k4/9/9/8P/9/9/9/9/K8 b - 1", "1d1a", &[]);
    }
}
