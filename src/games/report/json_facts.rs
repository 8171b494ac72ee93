//! Facts as JSON, for scripts.

use crate::analysis::GameReview;
use serde::Serialize;
use shogibar_base::Lang;
use shogibar_facts::{EaseLevel, Fact, FactKind, FactPosition, HidingFeature};
use shogibar_kifu::NodeId;
use shogibar_shogi::{Move, side_name};
use std::num::NonZeroUsize;

/// The proved facts about a move, and the difficulty of finding the better move.
#[derive(Debug, Default, Serialize)]
pub(super) struct JsonReason {
    facts: Vec<JsonFact>,
    sentence: Option<String>,
    sentence_en: Option<String>,
    /// The difficulty of the better move.
    ease: Option<EaseLevel>,
    /// The depth in plies from which the better move is always first.
    depth: Option<u32>,
    /// The number of nodes from which the better move is always first.
    nodes: Option<u64>,
    /// The features that make the better move hard to see.
    hidden_by: Vec<HidingFeature>,
}

/// A proved fact for JSON.
#[derive(Clone, Debug, Serialize)]
pub struct JsonFact {
    #[serde(flatten)]
    kind: JsonKind,
    side: &'static str,
    /// Where the line begins.
    at: FactPosition,
    /// The moves of the line, in USI.
    line: Vec<String>,
    /// The number of moves of the line before the move that forks, pins, or makes the threat.
    #[serde(skip_serializing_if = "Option::is_none")]
    lead: Option<NonZeroUsize>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum JsonKind {
    Proved(FactKind),
    /// A threat of mate that the move misses, or allows to the opponent.
    Threat {
        kind: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u16>,
    },
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
            ease: reason.ease.map(|ease| ease.level),
            depth: reason.ease.and_then(|ease| ease.depth),
            nodes: reason.ease.and_then(|ease| ease.nodes),
            hidden_by: reason.hidden_by.clone(),
        }
    }
}

impl JsonFact {
    /// Creates the object of a fact about a move. A threat of mate has one of three kinds: made by the move, missed, or
    /// allowed to the opponent. The line of a threat that the move made begins after the opponent's pass.
    pub fn about_move(fact: &Fact, played: Move) -> Self {
        let mut object = Self::new(fact);
        let FactKind::ThreatMade { length } = fact.kind else {
            return object;
        };
        if fact.at == FactPosition::Before && fact.line.first() == Some(&played) {
            object.at = FactPosition::After;
            object.line.remove(0);
        } else {
            let kind = match fact.at {
                FactPosition::Before => "misses_threat",
                FactPosition::After => "lets_threat",
            };
            object.kind = JsonKind::Threat { kind, length };
        }
        object
    }

    /// Creates the object of a fact about a position.
    pub fn new(fact: &Fact) -> Self {
        Self {
            kind: JsonKind::Proved(fact.kind.clone()),
            side: side_name(fact.acting_side()),
            at: fact.at,
            line: fact.line.iter().map(ToString::to_string).collect(),
            lead: NonZeroUsize::new(fact.lead),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_facts::{Exchange, Gain, KingAttack, KingSafety};
    use shogibar_shogi::{Color, PieceKind, Square};

    fn square(usi: &str) -> Square {
        Move::from_usi(&format!("P*{usi}")).unwrap().to()
    }

    fn fact(kind: FactKind, at: FactPosition) -> Fact {
        let moves = ["7g7f", "3c3d"];
        Fact {
            kind,
            side: Color::Black,
            at,
            lead: 0,
            line: moves.map(|mv| Move::from_usi(mv).unwrap()).to_vec(),
        }
    }

    #[test]
    fn kinds_have_their_own_fields() {
        let object = |kind| serde_json::to_string(&JsonFact::new(&fact(kind, FactPosition::Before))).unwrap();
        let ends = |side| format!(r#","side":"{side}","at":"before","line":["7g7f","3c3d"]}}"#);
        assert_eq!(
            object(FactKind::Check),
            r#"{"kind":"check""#.to_owned() + &ends("black")
        );
        let cases = [
            (
                FactKind::ThreatOfMate { length: None },
                "white",
                r#""threat_of_mate""#,
            ),
            (
                FactKind::EngineMateMissed { length: 5 },
                "black",
                r#""engine_mate_missed","length":5"#,
            ),
            (
                FactKind::OnlyMove {
                    holding_count: 1,
                    is_proved: true,
                },
                "black",
                r#""only_move","holds":1,"proved":true"#,
            ),
            (
                FactKind::LosesPiece {
                    piece: PieceKind::Horse,
                    square: square("5e"),
                    gain: Gain(-90),
                },
                "white",
                r#""loses_piece","piece":"+B","squares":["5e"],"gain":90"#,
            ),
            (
                FactKind::Exchange {
                    gain: Gain(-5),
                    exchange: Exchange::RookForBishop,
                },
                "black",
                r#""exchange","gain":-5,"exchange":"rook_for_bishop""#,
            ),
            (
                FactKind::Fork {
                    piece: PieceKind::Gold,
                    squares: ["5e", "6f"].map(square).to_vec(),
                    gain: Gain(40),
                },
                "black",
                r#""fork","piece":"G","squares":["5e","6f"],"gain":40"#,
            ),
            (
                FactKind::ExposedKing {
                    safety: KingSafety {
                        guards: 0,
                        escapes: 3,
                    },
                    other: KingSafety {
                        guards: 2,
                        escapes: 4,
                    },
                },
                "black",
                r#""exposed_king","guards":[0,2],"escapes":[3,4]"#,
            ),
            (
                FactKind::AttackEnds {
                    attack: KingAttack {
                        attackers: 1,
                        in_hand: 2,
                        attacking_moves: 0,
                    },
                    other: KingAttack {
                        attackers: 3,
                        in_hand: 2,
                        attacking_moves: 2,
                    },
                },
                "black",
                r#""attack_ends","attackers":[1,3]"#,
            ),
            (
                FactKind::EnteringKing {
                    points_24: 20,
                    points_27: 21,
                    missing_points: 7,
                    missing_pieces: 8,
                },
                "black",
                r#""entering_king","points":[20,21],"missing":[7,8]"#,
            ),
            (
                FactKind::Opening {
                    name: "居飛車",
                    name_en: "Static Rook",
                },
                "black",
                r#""opening","name":"居飛車","name_en":"Static Rook""#,
            ),
        ];
        for (kind, side, fields) in cases {
            assert_eq!(object(kind), format!(r#"{{"kind":{fields}{}"#, ends(side)));
        }
    }

    #[test]
    fn threats_are_made_missed_or_allowed() {
        let [played, other] = ["7g7f", "2g2f"].map(|mv| Move::from_usi(mv).unwrap());
        let object = |at, played| {
            let threat = fact(FactKind::ThreatMade { length: Some(1) }, at);
            serde_json::to_string(&JsonFact::about_move(&threat, played)).unwrap()
        };
        assert_eq!(
            object(FactPosition::Before, played),
            r#"{"kind":"threat_made","length":1,"side":"black","at":"after","line":["3c3d"]}"#
        );
        assert_eq!(
            object(FactPosition::Before, other),
            r#"{"kind":"misses_threat","length":1,"side":"black","at":"before","line":["7g7f","3c3d"]}"#
        );
        assert!(object(FactPosition::After, other).starts_with(r#"{"kind":"lets_threat","length":1,"#));
    }
}
