//! The texts of a bar about the proved facts of a position: threats, the only move, castles, openings and a sentence.

use super::input::{BarInput, Composition};
use super::only_move::OnlyMove;
use super::screen_notation::{in_sentence, notation};
use super::view::{BarView, FormationView, ReasonView};
use crate::move_facts::MoveFacts;
use crate::reasons_text::{self as words, ReasonPhrase};
use shogibar_base::Lang;
use shogibar_facts::{Fact, FactKind, FactPosition};
use shogibar_shogi::{Color, History, Move};

/// Returns the sentence about the facts of a position: a mate, a brinkmate, or a threat of mate with the only answer.
/// Returns an empty text without such a fact: the only move has a chip. `titles` are the names of the sides, Black's first.
pub fn position_sentence(history: &History, facts: &[Fact], titles: [&str; 2], lang: Lang) -> String {
    let now = history.now();
    let words_of =
        |history: &History, mv: Move| in_sentence(&notation(lang).notate_line(history, &[mv]).concat());
    let only = only_move(facts);
    let passed = || History::new(now.with_side_to_move(now.side_to_move().flip()));
    let king = |side: Color| {
        let [black, white] = titles;
        words::king(if side == Color::Black { black } else { white }, lang)
    };
    let mut threat = None;
    for fact in facts {
        let Some(first) = fact.line.first().copied() else {
            continue;
        };
        if let FactKind::Mate { length } = fact.kind {
            return words::mates(&words_of(history, first), length, lang);
        }
        if fact.kind == FactKind::Brinkmate {
            return words::brinkmate(&king(fact.side), &words_of(&passed(), first), lang);
        }
        if let FactKind::ThreatOfMate { length } = fact.kind {
            threat = Some(words::threat(
                &king(fact.side),
                &words_of(&passed(), first),
                length,
                lang,
            ));
        }
    }
    match (threat, only) {
        (Some(threat), Some((mv, true))) => {
            [threat, words::only_answer(&words_of(history, mv), lang)].join(lang.pick("", " "))
        }
        // If only values show that a move is the only one, another move may meet the threat, too.
        (Some(threat), _) => threat,
        (None, _) => String::new(),
    }
}

/// Returns the only move by the facts, and whether every other move is proved to allow mate. Returns `None` without an
/// only move.
fn only_move(facts: &[Fact]) -> Option<(Move, bool)> {
    facts.iter().find_map(|fact| {
        let FactKind::OnlyMove { is_proved, .. } = fact.kind else {
            return None;
        };
        Some((*fact.line.first()?, is_proved))
    })
}

fn is_threatened(facts: &[Fact]) -> bool {
    facts
        .iter()
        .any(|fact| matches!(fact.kind, FactKind::ThreatOfMate { .. }))
}

fn best_move(view: &BarView) -> Option<Move> {
    view.lead()
        .candidates
        .first()
        .and_then(|best| best.moves.first().copied())
}

impl Composition<'_> {
    /// Returns the facts of the position, with the only move by the displayed values.
    pub(super) fn facts(&self, view: &BarView) -> Vec<Fact> {
        let history = &self.bar.history;
        let mut facts = self.bar.facts.clone();
        let is_current = !view.is_stale && !view.is_shallow && self.bar.ending.is_none();
        // The values may have changed since, and the statement stands only for the move that is shown as the best.
        if let Some(OnlyMove {
            mv, holding_count, ..
        }) = self.bar.only_move
            && is_current
            && best_move(view) == Some(mv)
            && only_move(&facts).is_none()
        {
            let kind = FactKind::OnlyMove {
                holding_count,
                is_proved: false,
            };
            facts.push(Fact {
                kind,
                side: history.now().side_to_move(),
                at: FactPosition::After,
                lead: 0,
                line: vec![mv],
            });
        }
        facts
    }

    /// Returns the texts about the facts of the position.
    pub(super) fn reason(&self, view: &BarView) -> ReasonView {
        let facts = self.facts(view);
        let [sentence, short] = self.sentence(view, &facts);
        let phrase = |phrase: ReasonPhrase| phrase.text(self.lang).to_owned();
        let threat = if facts.iter().any(|fact| fact.kind == FactKind::Brinkmate) {
            phrase(ReasonPhrase::BrinkmateChip)
        } else if is_threatened(&facts) {
            phrase(ReasonPhrase::ThreatChip)
        } else {
            String::new()
        };
        // The chip for the only move is shown beside the best move, so both must be the same move.
        let only = only_move(&facts).filter(|(mv, _)| best_move(view) == Some(*mv));
        let [chip, brief_chip] = only.map_or_else(Default::default, |(_, is_proved)| {
            let points = self.bar.only_move.map(|only| only.points).filter(|_| !is_proved);
            [
                words::only_move_chip(points, self.lang),
                phrase(ReasonPhrase::OnlyMoveChip),
            ]
        });
        ReasonView {
            threat,
            only_move: chip,
            brief_only_move: brief_chip,
            formation: formation_view(&facts, self.lang),
            sentence,
            short_sentence: short,
        }
    }

    /// Returns the sentence about the last move, or else about the position, and a short form of the sentence.
    fn sentence(&self, view: &BarView, facts: &[Fact]) -> [String; 2] {
        if let Some(reason) = self.bar.shown_reason(view) {
            return [reason.sentence(self.lang), reason.short(self.lang)].map(str::to_owned);
        }
        // The bar shows a mate already.
        if view.decided_win.is_some() {
            return Default::default();
        }
        let titles = [Color::Black, Color::White].map(|side| self.role(side));
        let history = &self.bar.history;
        let sentence = position_sentence(history, facts, titles, self.lang);
        let words_of = |mv| in_sentence(&notation(self.lang).notate_line(history, &[mv]).concat());
        let short = match only_move(facts) {
            Some((mv, true)) if is_threatened(facts) => words::only_answer(&words_of(mv), self.lang),
            _ => String::new(),
        };
        [sentence, short]
    }
}

/// The minimum loss for which the bar states why the last move was bad, in percentage points.
const MIN_EXPLAINED_LOSS_POINTS: u8 = 10;

impl BarInput {
    /// Returns the proved facts about the last move. Returns `None` if the displayed loss is small, if a language has
    /// no sentence about the facts, or if the view is hidden.
    pub fn shown_reason(&self, view: &BarView) -> Option<&MoveFacts> {
        let has_sentence = |reason: &&MoveFacts| reason.sentences.iter().all(|text| !text.is_empty());
        if view.is_hidden || view.last_loss? < MIN_EXPLAINED_LOSS_POINTS {
            return None;
        }
        self.last_reason.as_deref().filter(has_sentence)
    }
}

/// Returns the opening and the castles of the facts.
fn formation_view(facts: &[Fact], lang: Lang) -> FormationView {
    let named = |of: fn(&FactKind) -> Option<[&'static str; 2]>| {
        [Color::Black, Color::White].map(|side| {
            let mut of_side = facts.iter().filter(|fact| fact.side == side);
            of_side
                .find_map(|fact| of(&fact.kind))
                .map_or("", |[ja, en]| lang.pick(ja, en))
        })
    };
    let openings = named(|kind| {
        let FactKind::Opening { name, name_en } = *kind else {
            return None;
        };
        Some([name, name_en])
    });
    let castles = named(|kind| {
        let FactKind::Castle { name, name_en } = *kind else {
            return None;
        };
        Some([name, name_en])
    });
    let pair = |[black, white]: [&str; 2]| match (black, white) {
        (black, white) if black == white => black.to_owned(),
        ("", one) | (one, "") => one.to_owned(),
        (black, white) => words::versus(black, white, lang),
    };
    let opening = pair(openings);
    let mut parts = vec![opening.clone(), pair(castles)];
    parts.retain(|part| !part.is_empty());
    FormationView {
        opening,
        castles: castles.map(str::to_owned),
        text: parts.join(lang.pick("・", ", ")),
        brief: parts.into_iter().next().unwrap_or_default(),
    }
}
