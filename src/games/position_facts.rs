//! The proved facts about the position of a game, with its castles and opening.

use shogibar_builtin::Control;
use shogibar_facts::{
    Candidates, Fact, FactKind, FactLimits, FactPosition, Formations, LastMove, PositionInput, brinkmate,
    handicap_giver, position_facts,
};
use shogibar_shogi::{Color, History};
use std::sync::Arc;

/// The proved facts about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionFacts {
    /// The position, and the game up to it.
    pub history: Arc<History>,
    /// The proved facts about the position.
    pub list: Vec<Fact>,
}

impl PositionFacts {
    /// Finds all facts except brinkmates. This takes some milliseconds.
    pub fn find(history: Arc<History>, control: &Control) -> Self {
        let candidates = Candidates {
            list: &[],
            model: shogibar_shogi::score::WinRateModel::default(),
        };
        let giver = handicap_giver(history.start());
        let earlier = history.without_last();
        let last_move = LastMove::of_game(earlier.as_ref(), &history);
        let input = PositionInput {
            position: history.now(),
            last_move,
            candidates,
            handicap_giver: giver,
        };
        let mut list = position_facts(&input, FactLimits::QUICK, control);
        list.extend(formation_facts(&history));
        Self { history, list }
    }

    /// Searches for a brinkmate if there is a threat of mate, and adds a found brinkmate to the facts. Returns whether
    /// one was found. The search may take some tenths of a second.
    pub fn find_brinkmate(&mut self, control: &Control) -> bool {
        let mut kinds = self.list.iter().map(|fact| &fact.kind);
        if kinds.any(|kind| matches!(kind, FactKind::ThreatOfMate { .. }))
            && let Some(found) = brinkmate(self.history.now(), FactLimits::THOROUGH, control)
        {
            self.list.push(found);
            return true;
        }
        false
    }
}

/// Returns the facts about openings and castles.
fn formation_facts(history: &History) -> Vec<Fact> {
    let formations = Formations::from_history(history);
    let fact = |kind, side| Fact {
        kind,
        side,
        at: FactPosition::After,
        lead: 0,
        line: Vec::new(),
    };
    let mut facts = Vec::new();
    for side in [Color::Black, Color::White] {
        if let Some(opening) = formations.opening(side) {
            let (name, name_en) = (opening.opening.name, opening.opening.name_en);
            facts.push(fact(FactKind::Opening { name, name_en }, side));
        }
        if let Some(castle) = formations.castle(side) {
            facts.push(fact(
                FactKind::Castle {
                    name: castle.name,
                    name_en: castle.name_en,
                },
                side,
            ));
        }
        if let Some(broken) = formations.broken_castle(side) {
            let (name, name_en) = (broken.castle.name, broken.castle.name_en);
            facts.push(fact(FactKind::CastleBroken { name, name_en }, side));
        }
    }
    facts
}
