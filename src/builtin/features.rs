//! The features of a position that have fitted weights, for the tool that fits them (`tools/fit`).

use super::evaluate::{BothSides, attacks, evaluate, evaluate_base};
use super::fitted;
use super::kinds::{SLIDER_KINDS, seen_by, slider_number};
use super::king_tables::{KingTables, PieceSums};
use super::net::{NetBase, bucket, visit_inputs};
use super::think::board;
use rsshogi::types::{Color, HandPiece, PieceType, Square};
use shogibar_shogi::{Position, Unsearchable};

/// Calls `visit` for each feature of a position. The flag is true for a feature of the side to move, and false for one
/// of the opponent. A feature may occur several times. Returns the static value of the position by `tables`, in
/// centipawns as seen by the side to move.
///
/// # Errors
/// Fails if the position is not searchable.
pub fn visit_features(
    tables: &KingTables,
    position: &Position,
    visit: &mut dyn FnMut(usize, bool),
) -> Result<i32, Unsearchable> {
    position.searchable()?;
    let position = board(position);
    let sums = PieceSums::new(tables, &position);
    let occupied = position.bitboards().occupied();
    let sides = [position.turn(), position.turn().flip()];
    let both = BothSides::new(tables, &position, &sums);
    let race = both.visit_threats(&mut |threat, side| visit(fitted::threat_feature(threat), side == 0));
    visit(fitted::threat_feature(race), true);
    for (side, us) in sides.into_iter().enumerate() {
        let found = both.features(side);
        let mut visit = |feature| visit(feature, us == position.turn());
        let own_king = seen_by(us, position.king_square(us));
        let enemy_king = seen_by(us.flip(), position.king_square(us.flip()));
        visit(fitted::king_square_feature(own_king));
        visit(fitted::danger_feature(found.attack_units));
        visit(fitted::escape_feature(found.escapes));
        visit(fitted::invasion_feature(found.invasions));
        for square in &found.pinned_pieces {
            visit(fitted::pinned_feature(
                position.piece_on(square).piece_type(),
                us == position.turn(),
            ));
        }
        for piece in HandPiece::iter() {
            fitted::hand_features(piece, position.hand(us).count(piece) as usize).for_each(&mut visit);
        }
        for square in &position.pieces_by_color(us) {
            let kind = position.piece_on(square).piece_type();
            let (ours, theirs) = both_views(us, square);
            if kind == PieceType::KING {
                continue;
            }
            fitted::own_king_features(own_king, kind, ours)
                .into_iter()
                .for_each(&mut visit);
            fitted::enemy_king_features(enemy_king, kind, theirs)
                .into_iter()
                .for_each(&mut visit);
            if SLIDER_KINDS.contains(&kind) {
                let slider = slider_number(kind);
                for target in &attacks(kind, square, us, occupied) {
                    let (ours, theirs) = both_views(us, target);
                    visit(fitted::own_king_reach_feature(own_king, slider, ours));
                    visit(fitted::enemy_king_reach_feature(enemy_king, slider, theirs));
                }
            }
        }
    }
    visit(fitted::tempo_feature(), true);
    Ok(evaluate(tables, &position, &sums))
}

/// Returns the value that a net's value is added to, in centipawns as seen by the side to move.
///
/// # Errors
/// Fails if the position is not searchable.
pub fn base_value(tables: &KingTables, position: &Position, base: NetBase) -> Result<i32, Unsearchable> {
    position.searchable()?;
    let position = board(position);
    let sums = PieceSums::new(tables, &position);
    Ok(evaluate_base(tables, &position, &sums, base))
}

/// The inputs of a position, for training.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetInputs {
    /// The inputs from the view of the side to move, then from that of its opponent: one for each piece.
    pub sides: [Vec<u16>; 2],
    /// The index of the set of last weights that the position uses.
    pub bucket: usize,
}

/// Returns the inputs of a position for a net with `buckets` sets of last weights.
///
/// # Errors
/// Fails if the position is not searchable.
pub fn net_inputs(position: &Position, buckets: usize) -> Result<NetInputs, Unsearchable> {
    position.searchable()?;
    let position = board(position);
    let mut inputs = NetInputs {
        bucket: bucket(&position, buckets),
        ..NetInputs::default()
    };
    for (side, inputs) in [position.turn(), position.turn().flip()]
        .into_iter()
        .zip(&mut inputs.sides)
    {
        visit_inputs(&position, side, |input| inputs.push(input));
    }
    Ok(inputs)
}

/// Returns a square as `us` sees it, and as the other side sees it.
const fn both_views(us: Color, square: Square) -> (Square, Square) {
    (seen_by(us, square), seen_by(us.flip(), square))
}
