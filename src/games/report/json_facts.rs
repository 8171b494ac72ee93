//! Facts as JSON, for scripts.

use crate::analysis::GameReview;
use serde::Serialize;
use shogibar_base::Lang;
use shogibar_facts::{EaseLevel, Exchange, Fact, FactKind, FactPosition, Gain, HidingFeature};
use shogibar_kifu::NodeId;
use shogibar_shogi::{Color, Move, PieceKind, Square, side_name};

/// The proved facts about a move, and the difficulty of finding the better move.
#[derive(Debug, Default, Serialize)]
pub(super) struct JsonReason {
    facts: Vec<JsonFact>,
    sentence: Option<String>,
    sentence_en: Option<String>,
    /// The difficulty of the better move: `easy`, `medium` or `hard`.
    ease: Option<&'static str>,
    /// The depth in plies from which the better move is always first.
    depth: Option<u32>,
    /// The number of nodes from which the better move is always first.
    nodes: Option<u64>,
    /// The features that make the better move hard to see.
    hidden_by: Vec<&'static str>,
}

/// The value of [`JsonFact::at`] for a line that begins after the move.
const AFTER_MOVE: &str = "after";

/// A proved fact for JSON. Fields that do not apply to the kind of fact are left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct JsonFact {
    kind: &'static str,
    side: &'static str,
    /// Where the line begins: `before` or `after` the move.
    at: &'static str,
    /// The moves of the line, in USI.
    line: Vec<String>,
    /// The number of moves of the line before the move that forks, pins, or makes the threat.
    #[serde(skip_serializing_if = "is_zero")]
    lead: usize,
    /// The maximum length of the mate in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u16>,
    /// The letter of the piece in USI, with `+` where it is promoted.
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<String>,
    /// The squares, in USI.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<String>,
    /// The gain, in tenths of a pawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<i32>,
    /// The Japanese name of the castle or opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    /// The English name of the castle or opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_en: Option<&'static str>,
    /// The points of an entering king under the 24-point and the 27-point rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<[u8; 2]>,
    /// The number of candidates within 5 points of the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<u8>,
    /// Whether every other move was proved to be mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<bool>,
    /// The pieces that are exchanged, such as `bishops`.
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange: Option<&'static str>,
    /// The numbers of pieces that attack the king: at the end of the line, and at the end of the other move's line.
    #[serde(skip_serializing_if = "Option::is_none")]
    attackers: Option<[u8; 2]>,
    /// The numbers of squares to which an idle piece can move safely: at the end of the line, and at the end of the
    /// other move's line.
    #[serde(skip_serializing_if = "Option::is_none")]
    safe_moves: Option<[u8; 2]>,
    /// The points and the pieces that are missing for a declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<[u8; 2]>,
    /// The numbers of golds and silvers beside the king: at the end of the line, and at the end of the other move's
    /// line.
    #[serde(skip_serializing_if = "Option::is_none")]
    guards: Option<[u8; 2]>,
    /// The numbers of the king's escape squares: at the end of the line, and at the end of the other move's line.
    #[serde(skip_serializing_if = "Option::is_none")]
    escapes: Option<[u8; 2]>,
}

impl JsonReason {
    /// Creates the object of the reason of the move that leads to a node. The object is empty if the reason was not
    /// searched.
    pub(super) fn new(review: &GameReview, node: NodeId) -> Self {
        let Some((reason, assessed)) = review.reason(node).zip(review.assessed(node)) else {
            return Self::default();
        };
        let sentence = |lang| Some(review.sentence(node, lang).to_owned()).filter(|text| !text.is_empty());
        Self {
            facts: reason
                .proved_facts
                .list
                .iter()
                .map(|fact| JsonFact::about_move(fact, assessed.mv))
                .collect(),
            sentence: sentence(Lang::Ja),
            sentence_en: sentence(Lang::En),
            ease: reason.ease.map(|ease| ease_name(ease.level)),
            depth: reason.ease.and_then(|ease| ease.depth),
            nodes: reason.ease.and_then(|ease| ease.nodes),
            hidden_by: reason
                .hidden_by
                .iter()
                .map(|feature| hiding_feature_name(*feature))
                .collect(),
        }
    }
}

const fn hiding_feature_name(feature: HidingFeature) -> &'static str {
    match feature {
        HidingFeature::Quiet => "quiet",
        HidingFeature::Retreat => "retreat",
        HidingFeature::Sacrifice => "sacrifice",
        HidingFeature::Drop => "drop",
        HidingFeature::NonPromotion => "non_promotion",
    }
}

/// Returns the name of a level of ease: `easy`, `medium` or `hard`.
pub const fn ease_name(level: EaseLevel) -> &'static str {
    match level {
        EaseLevel::Easy => "easy",
        EaseLevel::Medium => "medium",
        EaseLevel::Hard => "hard",
    }
}

/// Returns the side of the object of a fact: the one that mates, threatens, gains or promotes. For other facts it is that of
/// the fact.
const fn acting_side(fact: &Fact) -> Color {
    match fact.kind {
        FactKind::MateAllowed { .. }
        | FactKind::EngineMateAllowed { .. }
        | FactKind::ThreatOfMate { .. }
        | FactKind::ThreatUnmet { .. }
        | FactKind::Brinkmate
        | FactKind::LosesPiece { .. }
        | FactKind::LosesMaterial { .. }
        | FactKind::LetsPromote { .. } => fact.side.flip(),
        _ => fact.side,
    }
}

impl JsonFact {
    /// Creates the object of a fact about a move. A threat of mate has one of three kinds: made by the move, missed, or
    /// allowed to the opponent. The line of a threat that the move made begins after the opponent's pass.
    pub fn about_move(fact: &Fact, played: Move) -> Self {
        let whole = Self::new(fact);
        match (&fact.kind, fact.at, fact.line.split_first()) {
            (FactKind::ThreatMade { .. }, FactPosition::Before, Some((first, mate))) if *first == played => {
                Self {
                    at: AFTER_MOVE,
                    line: mate.iter().map(ToString::to_string).collect(),
                    ..whole
                }
            }
            (FactKind::ThreatMade { .. }, FactPosition::Before, _) => Self {
                kind: "misses_threat",
                ..whole
            },
            (FactKind::ThreatMade { .. }, FactPosition::After, _) => Self {
                kind: "lets_threat",
                ..whole
            },
            _ => whole,
        }
    }

    /// Creates the object of a fact about a position.
    pub fn new(fact: &Fact) -> Self {
        let whole = Self {
            kind: kind_name(&fact.kind),
            side: side_name(acting_side(fact)),
            at: if fact.at == FactPosition::Before {
                "before"
            } else {
                AFTER_MOVE
            },
            line: fact.line.iter().map(ToString::to_string).collect(),
            lead: fact.lead,
            ..Self::default()
        };
        let piece = |kind: &PieceKind| Some(piece_letter(*kind));
        // The side of the object is the one that gains.
        let gain = |Gain(gain): &Gain| {
            Some(if acting_side(fact) == fact.side {
                *gain
            } else {
                -*gain
            })
        };
        match &fact.kind {
            FactKind::Mate { length }
            | FactKind::MateMissed { length }
            | FactKind::MateAllowed { length }
            | FactKind::ThreatOfMate { length }
            | FactKind::ThreatUnmet { length }
            | FactKind::ThreatMade { length } => Self {
                length: *length,
                ..whole
            },
            FactKind::EngineMateMissed { length } | FactKind::EngineMateAllowed { length } => Self {
                length: Some(*length),
                ..whole
            },
            FactKind::OnlyMove {
                holding_count,
                is_proved,
            } => Self {
                holds: Some(*holding_count),
                proved: Some(*is_proved),
                ..whole
            },
            FactKind::LosesPiece {
                piece: kind,
                square,
                gain: all,
            }
            | FactKind::WinsPiece {
                piece: kind,
                square,
                gain: all,
            }
            | FactKind::Trapped {
                piece: kind,
                square,
                gain: all,
            } => Self {
                piece: piece(kind),
                squares: usi_squares(&[*square]),
                gain: gain(all),
                ..whole
            },
            FactKind::LosesMaterial { gain: all } => Self {
                gain: gain(all),
                ..whole
            },
            FactKind::Exchange { exchange, gain: all } => Self {
                exchange: Some(exchange_name(*exchange)),
                gain: gain(all),
                ..whole
            },
            FactKind::Fork {
                piece: kind,
                squares: on,
                gain: all,
            } => Self {
                piece: piece(kind),
                squares: usi_squares(on),
                gain: gain(all),
                ..whole
            },
            FactKind::Skewer {
                piece: kind,
                squares: on,
                gain: all,
            }
            | FactKind::Pin {
                piece: kind,
                squares: on,
                gain: all,
            }
            | FactKind::Discovered {
                piece: kind,
                squares: on,
                gain: all,
            } => Self {
                piece: piece(kind),
                squares: usi_squares(on),
                gain: gain(all),
                ..whole
            },
            FactKind::Promotes { piece: kind, square }
            | FactKind::LetsPromote { piece: kind, square }
            | FactKind::PromotionUnstoppable { piece: kind, square }
            | FactKind::Initiative { piece: kind, square } => Self {
                piece: piece(kind),
                squares: usi_squares(&[*square]),
                ..whole
            },
            FactKind::ExposedKing { safety, other } => Self {
                guards: Some([safety.guards, other.guards]),
                escapes: Some([safety.escapes, other.escapes]),
                ..whole
            },
            FactKind::AttackEnds { attack, other } => Self {
                attackers: Some([attack.attackers, other.attackers]),
                ..whole
            },
            FactKind::IdlePiece {
                piece: kind,
                square,
                safe_moves,
                other_safe_moves,
            } => Self {
                piece: piece(kind),
                squares: usi_squares(&[*square]),
                safe_moves: Some([*safe_moves, *other_safe_moves]),
                ..whole
            },
            FactKind::EnteringKing {
                points_24,
                points_27,
                missing_points,
                missing_pieces,
            } => Self {
                points: Some([*points_24, *points_27]),
                missing: Some([*missing_points, *missing_pieces]),
                ..whole
            },
            FactKind::Castle { name, name_en }
            | FactKind::CastleBroken { name, name_en }
            | FactKind::Opening { name, name_en } => Self {
                name: Some(name),
                name_en: Some(name_en),
                ..whole
            },
            FactKind::Check
            | FactKind::Brinkmate
            | FactKind::BrinkmateMade
            | FactKind::Punished
            | FactKind::Unpunished => whole,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

const fn exchange_name(exchange: Exchange) -> &'static str {
    match exchange {
        Exchange::Bishops => "bishops",
        Exchange::Rooks => "rooks",
        Exchange::RookForBishop => "rook_for_bishop",
        Exchange::TwoForOne => "two_for_one",
    }
}

/// Returns the letter of a piece in USI, with `+` where it is promoted.
fn piece_letter(kind: PieceKind) -> String {
    let letter = kind.unpromoted().letter();
    if kind.is_promoted() {
        format!("+{letter}")
    } else {
        letter.to_string()
    }
}

fn usi_squares(squares: &[Square]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}

const fn kind_name(kind: &FactKind) -> &'static str {
    match kind {
        FactKind::Check => "check",
        FactKind::Mate { .. } => "mate",
        FactKind::MateMissed { .. } => "mate_missed",
        FactKind::MateAllowed { .. } => "mate_allowed",
        FactKind::EngineMateMissed { .. } => "engine_mate_missed",
        FactKind::EngineMateAllowed { .. } => "engine_mate_allowed",
        FactKind::ThreatOfMate { .. } => "threat_of_mate",
        FactKind::ThreatUnmet { .. } => "threat_unmet",
        FactKind::ThreatMade { .. } => "threat_made",
        FactKind::Brinkmate => "brinkmate",
        FactKind::OnlyMove { .. } => "only_move",
        FactKind::LosesPiece { .. } => "loses_piece",
        FactKind::LosesMaterial { .. } => "loses_material",
        FactKind::WinsPiece { .. } => "wins_piece",
        FactKind::Exchange { .. } => "exchange",
        FactKind::Fork { .. } => "fork",
        FactKind::Skewer { .. } => "skewer",
        FactKind::Pin { .. } => "pin",
        FactKind::Discovered { .. } => "discovered",
        FactKind::Trapped { .. } => "trapped",
        FactKind::Promotes { .. } => "promotes",
        FactKind::LetsPromote { .. } => "lets_promote",
        FactKind::BrinkmateMade => "brinkmate_made",
        FactKind::PromotionUnstoppable { .. } => "promotion_unstoppable",
        FactKind::Initiative { .. } => "initiative",
        FactKind::AttackEnds { .. } => "attack_ends",
        FactKind::IdlePiece { .. } => "idle_piece",
        FactKind::ExposedKing { .. } => "exposed_king",
        FactKind::EnteringKing { .. } => "entering_king",
        FactKind::Castle { .. } => "castle",
        FactKind::CastleBroken { .. } => "castle_broken",
        FactKind::Opening { .. } => "opening",
        FactKind::Punished => "punished",
        FactKind::Unpunished => "unpunished",
    }
}
