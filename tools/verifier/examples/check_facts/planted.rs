//! Faults planted into facts that were verified.

use shogibar_facts::{Fact, FactKind, FactPosition, Gain, KingAttack};
use shogibar_shogi::{Move, PieceKind, Square};

pub(crate) struct PlantedFault {
    /// The description of the fault.
    pub(crate) fault: &'static str,
    /// The false fact.
    pub(crate) fact: Fact,
}

/// Returns the fact with each fault that applies to its kind.
pub(crate) fn faults(fact: &Fact) -> Vec<PlantedFault> {
    let with_kind = |fault, kind: Option<FactKind>| {
        kind.map(|kind| PlantedFault {
            fault,
            fact: Fact { kind, ..fact.clone() },
        })
    };
    let by_kind = [
        with_kind("a mate too short", with_length(fact)),
        with_kind("a gain off by one", with_gain(&fact.kind)),
        with_kind("a wrong square", with_square(&fact.kind)),
        with_kind("a wrong piece", with_piece(&fact.kind)),
    ];
    let others = [
        with_other_side(fact),
        with_other_position(fact),
        with_illegal_move(fact),
        with_cut_line(fact),
    ];
    let of_threats = [with_other_threat(fact), without_threat(fact)];
    let of_leads = [with_other_lead(fact), Some(with_lead_of_other_side(fact))];
    let by_number = with_number(&fact.kind)
        .into_iter()
        .map(|kind| with_kind("a wrong number", Some(kind)));
    let all = by_kind
        .into_iter()
        .chain(by_number)
        .chain(others)
        .chain(of_threats)
        .chain(of_leads);
    all.flatten().collect()
}

/// Returns the kind with a mate that is a ply too short.
fn with_length(fact: &Fact) -> Option<FactKind> {
    let mut kind = fact.kind.clone();
    match &mut kind {
        FactKind::Mate { length }
        | FactKind::MateMissed { length }
        | FactKind::MateAllowed { length }
        | FactKind::ThreatOfMate { length }
        | FactKind::ThreatUnmet { length } => {
            *length = Some(u16::try_from(fact.line.len()).ok()?.checked_sub(2)?);
        }
        FactKind::EngineMateMissed { length } | FactKind::EngineMateAllowed { length } => {
            *length = length.checked_sub(1)?;
        }
        // The first move makes the threat.
        FactKind::ThreatMade { length } => {
            *length = Some(
                u16::try_from(fact.line.len())
                    .ok()?
                    .checked_sub(u16::try_from(fact.lead).ok()? + 3)?,
            );
        }
        _ => return None,
    }
    Some(kind)
}

fn with_gain(kind: &FactKind) -> Option<FactKind> {
    let mut kind = kind.clone();
    match &mut kind {
        FactKind::LosesPiece { gain, .. }
        | FactKind::LosesMaterial { gain }
        | FactKind::WinsPiece { gain, .. }
        | FactKind::Exchange { gain, .. }
        | FactKind::Fork { gain, .. }
        | FactKind::Skewer { gain, .. }
        | FactKind::Pin { gain, .. }
        | FactKind::Discovered { gain, .. }
        | FactKind::Trapped { gain, .. } => {
            *gain = Gain(gain.0 + 1);
            Some(kind)
        }
        _ => None,
    }
}

fn with_square(kind: &FactKind) -> Option<FactKind> {
    let mut kind = kind.clone();
    match &mut kind {
        FactKind::LosesPiece { square, .. }
        | FactKind::WinsPiece { square, .. }
        | FactKind::Trapped { square, .. }
        | FactKind::Promotes { square, .. }
        | FactKind::LetsPromote { square, .. }
        | FactKind::PromotionUnstoppable { square, .. }
        | FactKind::Initiative { square, .. }
        | FactKind::IdlePiece { square, .. } => *square = other_square(*square),
        FactKind::Fork { squares, .. } => {
            let last = squares.last_mut()?;
            *last = other_square(*last);
        }
        FactKind::Skewer { squares, .. }
        | FactKind::Pin { squares, .. }
        | FactKind::Discovered { squares, .. } => {
            let last = squares.last_mut()?;
            *last = other_square(*last);
        }
        _ => return None,
    }
    Some(kind)
}

fn other_square(square: Square) -> Square {
    let file = if square.file() == 9 { 8 } else { square.file() + 1 };
    Square::new(file, square.rank()).unwrap_or(square)
}

fn with_piece(kind: &FactKind) -> Option<FactKind> {
    let mut kind = kind.clone();
    match &mut kind {
        FactKind::LosesPiece { piece, .. }
        | FactKind::WinsPiece { piece, .. }
        | FactKind::Fork { piece, .. }
        | FactKind::Skewer { piece, .. }
        | FactKind::Pin { piece, .. }
        | FactKind::Discovered { piece, .. }
        | FactKind::Trapped { piece, .. }
        | FactKind::Promotes { piece, .. }
        | FactKind::LetsPromote { piece, .. }
        | FactKind::PromotionUnstoppable { piece, .. }
        | FactKind::Initiative { piece, .. }
        | FactKind::IdlePiece { piece, .. } => {
            *piece = if *piece == PieceKind::Silver {
                PieceKind::Knight
            } else {
                PieceKind::Silver
            };
            Some(kind)
        }
        _ => None,
    }
}

/// Returns the kind once for each of its numbers, with that number too high by one.
fn with_number(kind: &FactKind) -> Vec<FactKind> {
    let with_next = |index: usize| {
        let mut kind = kind.clone();
        **numbers(&mut kind).get_mut(index)? += 1;
        Some(kind)
    };
    (0..).map_while(with_next).collect()
}

fn numbers(kind: &mut FactKind) -> Vec<&mut u8> {
    match kind {
        FactKind::OnlyMove { holding_count, .. } => vec![holding_count],
        FactKind::ExposedKing { safety, other } => {
            vec![
                &mut safety.guards,
                &mut safety.escapes,
                &mut other.guards,
                &mut other.escapes,
            ]
        }
        FactKind::AttackEnds { attack, other } => [attack, other]
            .into_iter()
            .flat_map(
                |KingAttack {
                     attackers,
                     in_hand,
                     attacking_moves,
                 }| [attackers, in_hand, attacking_moves],
            )
            .collect(),
        FactKind::IdlePiece { safe_moves, .. } => safe_moves.iter_mut().collect(),
        FactKind::EnteringKing {
            points_24,
            points_27,
            missing_points,
            missing_pieces,
        } => {
            vec![points_24, points_27, missing_points, missing_pieces]
        }
        _ => Vec::new(),
    }
}

/// Returns the fact of the other side; `None` for kinds that may be true of both sides.
fn with_other_side(fact: &Fact) -> Option<PlantedFault> {
    let is_of_one = !matches!(
        fact.kind,
        FactKind::Castle { .. }
            | FactKind::CastleBroken { .. }
            | FactKind::Opening { .. }
            | FactKind::Punished
            | FactKind::Unpunished
    );
    is_of_one.then(|| PlantedFault {
        fault: "the other side",
        fact: Fact {
            side: fact.side.flip(),
            ..fact.clone()
        },
    })
}

/// Returns the fact with the beginning of its line moved from before to after the move, or the reverse.
fn with_other_position(fact: &Fact) -> Option<PlantedFault> {
    let at = if fact.at == FactPosition::Before {
        FactPosition::After
    } else {
        FactPosition::Before
    };
    let has_line = !fact.line.is_empty();
    has_line.then(|| PlantedFault {
        fault: "a line from elsewhere",
        fact: Fact { at, ..fact.clone() },
    })
}

/// Returns the fact with a last move from a square to itself.
fn with_illegal_move(fact: &Fact) -> Option<PlantedFault> {
    let mut line = fact.line.clone();
    let last = line.last_mut()?;
    *last = Move::Board {
        from: last.to(),
        to: last.to(),
        promote: false,
    };
    Some(PlantedFault {
        fault: "an illegal move",
        fact: Fact { line, ..fact.clone() },
    })
}

/// Returns the fact without the last move of its line, for kinds that need this move.
fn with_cut_line(fact: &Fact) -> Option<PlantedFault> {
    let is_needed = matches!(
        fact.kind,
        FactKind::Mate { .. }
            | FactKind::MateMissed { .. }
            | FactKind::MateAllowed { .. }
            | FactKind::ThreatOfMate { .. }
            | FactKind::ThreatUnmet { .. }
            | FactKind::ThreatMade { .. }
            | FactKind::Brinkmate
            | FactKind::BrinkmateMade
            | FactKind::Promotes { .. }
            | FactKind::LetsPromote { .. }
            | FactKind::PromotionUnstoppable { .. }
            | FactKind::Initiative { .. }
            | FactKind::ExposedKing { .. }
            | FactKind::AttackEnds { .. }
            | FactKind::IdlePiece { .. }
    );
    let (_, line) = fact.line.split_last().filter(|_| is_needed)?;
    Some(PlantedFault {
        fault: "a line cut short",
        fact: Fact {
            line: line.to_vec(),
            ..fact.clone()
        },
    })
}

/// Returns a threat by another first move than the played move, the better move or the engine's reply.
fn with_other_threat(fact: &Fact) -> Option<PlantedFault> {
    let (FactKind::ThreatMade { .. } | FactKind::BrinkmateMade) = fact.kind else {
        return None;
    };
    let mut line = fact.line.clone();
    let first = line.first_mut()?;
    *first = match *first {
        Move::Board { from, to, promote } => Move::Board {
            from,
            to,
            promote: !promote,
        },
        Move::Drop { kind, to } => Move::Drop {
            kind: if kind == PieceKind::Silver {
                PieceKind::Gold
            } else {
                PieceKind::Silver
            },
            to,
        },
    };
    Some(PlantedFault {
        fault: "another threat",
        fact: Fact { line, ..fact.clone() },
    })
}

/// Returns a threat without the move that makes it.
fn without_threat(fact: &Fact) -> Option<PlantedFault> {
    let (FactKind::ThreatMade { .. } | FactKind::BrinkmateMade) = fact.kind else {
        return None;
    };
    let line = fact.line.get(1..)?.to_vec();
    Some(PlantedFault {
        fault: "a threat without its move",
        fact: Fact { line, ..fact.clone() },
    })
}

/// Returns the fact with a lead that is two moves longer or shorter. A pin may stand before and after those moves.
fn with_other_lead(fact: &Fact) -> Option<PlantedFault> {
    if matches!(fact.kind, FactKind::Pin { .. }) {
        return None;
    }
    let lead = if fact.lead == 0 { 2 } else { fact.lead - 2 };
    Some(PlantedFault {
        fault: "another lead",
        fact: Fact { lead, ..fact.clone() },
    })
}

fn with_lead_of_other_side(fact: &Fact) -> PlantedFault {
    PlantedFault {
        fault: "a lead to the other side",
        fact: Fact {
            lead: fact.lead + 1,
            ..fact.clone()
        },
    }
}
