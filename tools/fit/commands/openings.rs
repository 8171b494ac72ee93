//! Random openings of games.

use super::search::{centipawns, search};
use shogibar_base::random::SplitMix;
use shogibar_builtin::Searcher;
use shogibar_shogi::{Color, History, Move, Position};

/// The start positions: without a handicap, then lance, bishop, rook, rook and lance, two pieces, four, six.
pub(crate) const START_SFENS: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
];

/// Returns the first of several openings in which neither side is better by more than the opening's limit. `opening`
/// returns an opening with its limit in centipawns.
pub(crate) fn balanced_opening(
    searcher: &mut Searcher,
    nodes: u64,
    mut opening: impl FnMut() -> (History, i32),
) -> History {
    loop {
        let (history, max_score) = opening();
        searcher.clear();
        if search(searcher, &history, nodes).is_some_and(|(_, score)| centipawns(score).abs() <= max_score) {
            return history;
        }
    }
}

/// Returns a game of 6 to 8 random moves.
pub(crate) fn random_opening(random: &mut SplitMix) -> History {
    let mut history = History::new(Position::startpos());
    for _ in 0..6 + random.below(3) {
        let moves = history.now().legal_moves();
        if let Some(mv) = moves.get(random.below(moves.len())) {
            let played = history.play(*mv);
            debug_assert!(played.is_ok(), "a legal move");
        }
    }
    history
}

/// Returns a game of 6 to 9 random moves, with a handicap of 2 to 4 moves. `start` is the index of the start position
/// in [`START_SFENS`]. Each side plays static or ranging rook by chance. Ranging rook has a rook move at ply 2 or 3, to
/// one of the owner's files 5 to 7.
pub(crate) fn styled_opening(start: usize, random: &mut SplitMix) -> History {
    let position = START_SFENS
        .get(start)
        .and_then(|sfen| Position::from_sfen(sfen).ok())
        .unwrap_or_else(Position::startpos);
    let mut history = History::new(position);
    let plies = if start == 0 {
        6 + random.below(4)
    } else {
        2 + random.below(3)
    };
    let rook_moves = [random.below(2), random.below(2)].map(|is_ranging| {
        let file = ["5", "6", "6", "7"].get(random.below(4)).copied().unwrap_or("6");
        (is_ranging == 1).then(|| format!("2h{file}h"))
    });
    for ply in 0..plies {
        let side = history.now().side_to_move();
        let planned = rook_moves
            .get(usize::from(side == Color::White))
            .filter(|_| ply == 2 || ply == 3);
        let planned = planned
            .and_then(Option::as_deref)
            .and_then(|usi| seen_by(side, Move::from_usi(usi)?));
        let moves = history.now().legal_moves();
        let mv = planned
            .filter(|mv| moves.contains(mv))
            .or_else(|| moves.get(random.below(moves.len())).copied());
        let played = mv.map(|mv| history.play(mv));
        debug_assert!(played.is_some_and(|played| played.is_ok()), "a legal move");
    }
    history
}

/// Returns a move on the board as seen by `side`: rotated for White. Returns `None` for a drop by White.
fn seen_by(side: Color, mv: Move) -> Option<Move> {
    match (side, mv) {
        (Color::Black, mv) => Some(mv),
        (Color::White, Move::Board { from, to, promote }) => Some(Move::Board {
            from: from.flip(),
            to: to.flip(),
            promote,
        }),
        (Color::White, Move::Drop { .. }) => None,
    }
}
