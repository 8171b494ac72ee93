//! Calls the finder of facts.

use crate::read::AnalysedGame;
use shogibar_builtin::Control;
use shogibar_facts::{
    Candidates, Fact, FactKind, FactLimits, FactPosition, Formations, LastMove, MoveInput, MoveValues,
    PositionInput, ValuedMove, brinkmate, handicap_giver, move_facts, position_facts,
};
use shogibar_shogi::{Color, Position};

/// Returns the facts of each position and of the move before it, by ply.
pub(crate) fn facts(analysed: &AnalysedGame) -> Vec<Vec<Fact>> {
    let mut found: Vec<Vec<Fact>> = Vec::new();
    for (ply, position) in analysed.positions.iter().enumerate() {
        let mut facts = facts_of_position(analysed, ply, position);
        facts.extend(
            ply.checked_sub(1)
                .map(|before| facts_of_move(analysed, before))
                .unwrap_or_default(),
        );
        found.push(facts);
    }
    for (facts, names) in found.iter_mut().zip(facts_of_formations(analysed)) {
        facts.extend(names);
    }
    found
}

fn facts_of_position(analysed: &AnalysedGame, ply: usize, position: &Position) -> Vec<Fact> {
    let control = Control::new(None);
    let candidates = analysed.candidates.get(ply).into_iter().flatten();
    let list: Vec<ValuedMove> = candidates
        .filter_map(|candidate| {
            Some(ValuedMove {
                mv: *candidate.line.first()?,
                value: candidate.value,
            })
        })
        .collect();
    let input = PositionInput {
        position,
        last_move: last_move(analysed, ply),
        candidates: Candidates {
            list: &list,
            model: analysed.model,
        },
        handicap_giver: handicap_giver(analysed.game.start()),
    };
    let mut facts = position_facts(&input, FactLimits::THOROUGH, &control);
    facts.extend(brinkmate(position, FactLimits::THOROUGH, &control));
    facts
}

/// Returns the move that led to the position after `ply` moves.
fn last_move(analysed: &AnalysedGame, ply: usize) -> Option<LastMove<'_>> {
    let before = ply.checked_sub(1)?;
    Some(LastMove {
        position_before: analysed.positions.get(before)?,
        mv: *analysed.game.moves().get(before)?,
    })
}

/// Returns the facts about the move that is played after `ply` moves.
fn facts_of_move(analysed: &AnalysedGame, ply: usize) -> Vec<Fact> {
    let moves = analysed.game.moves();
    let best = |ply: usize| analysed.candidates.get(ply).and_then(|list| list.first());
    let line = |ply| best(ply).map_or(&[][..], |candidate| candidate.line.as_slice());
    let value = |ply| best(ply).map(|candidate| candidate.value);
    let (Some(before), Some(played)) = (analysed.positions.get(ply), moves.get(ply)) else {
        return Vec::new();
    };
    let last = last_move(analysed, ply);
    let input = MoveInput {
        position_before: before,
        played_move: *played,
        last_move: last,
        reply: moves.get(ply + 1).copied(),
        better_line: line(ply),
        punish_line: line(ply + 1),
        values: MoveValues {
            before: value(ply),
            after: value(ply + 1),
            after_reply: value(ply + 2),
        },
        model: analysed.model,
    };
    move_facts(&input, FactLimits::THOROUGH, &Control::new(None))
}

/// Returns the castles and openings of each position.
fn facts_of_formations(analysed: &AnalysedGame) -> Vec<Vec<Fact>> {
    let mut formations = Formations::new(analysed.game.start());
    let mut found = vec![names(&formations)];
    for mv in analysed.game.moves() {
        if formations.play(*mv).is_err() {
            break;
        }
        found.push(names(&formations));
    }
    found
}

fn names(formations: &Formations) -> Vec<Fact> {
    let fact = |kind, side| Fact {
        kind,
        side,
        at: FactPosition::After,
        lead: 0,
        line: Vec::new(),
    };
    let mut facts = Vec::new();
    for side in [Color::Black, Color::White] {
        let castle = formations.castle(side);
        let broken = formations.broken_castle(side).map(|broken| broken.castle);
        let opening = formations.opening(side).map(|opening| opening.opening);
        facts.extend(castle.map(|found| {
            fact(
                FactKind::Castle {
                    name: found.name,
                    name_en: found.name_en,
                },
                side,
            )
        }));
        facts.extend(broken.map(|found| {
            fact(
                FactKind::CastleBroken {
                    name: found.name,
                    name_en: found.name_en,
                },
                side,
            )
        }));
        facts.extend(opening.map(|found| {
            fact(
                FactKind::Opening {
                    name: found.name,
                    name_en: found.name_en,
                },
                side,
            )
        }));
    }
    facts
}
