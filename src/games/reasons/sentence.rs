//! The sentences about the facts of a move: two at most.

mod fact_text;

use crate::Label;
use crate::bar::{in_sentence, notation};
use crate::move_facts::{CauseTarget, FactCause};
use crate::reasons_text::{self as words, Motif};
use fact_text::{FIRST_PLAN_RANK, FactText, LAST_MATE_RANK};
use shogibar_base::{Lang, say};
use shogibar_facts::{Fact, FactPosition, piece_value};
use shogibar_shogi::board_text::{piece as short_piece, square_name};
use shogibar_shogi::{Color, History, Move, PieceKind, Position, Square};
use std::cmp::Reverse;

/// Writes the texts about the facts of a move.
#[derive(Debug)]
pub struct ReasonWriter {
    history_before: History,
    history_after: History,
    /// The names of the sides, Black's first.
    titles: [&'static str; 2],
    lang: Lang,
}

impl ReasonWriter {
    /// Creates the writer for the last move of a game. Returns `None` if the game has no move.
    pub fn new(after: History, is_handicap: bool, lang: Lang) -> Option<Self> {
        let titles = Label::sides(is_handicap).map(|label| label.text(lang));
        Some(Self {
            history_before: after.without_last()?,
            history_after: after,
            titles,
            lang,
        })
    }

    /// Returns the sentences about the most important facts: the fault of the move, and the merit of the better move.
    /// The text is empty where no fact shows them.
    pub fn sentence(&self, facts: &[Fact]) -> String {
        let [faults, merits] = self.texts(facts);
        let mut sentences = Vec::new();
        let mut fault_rank = u8::MAX;
        if let Some((_, fault)) = faults.iter().find(|(_, text)| text.sentence.is_some()) {
            fault_rank = fault.rank;
            sentences.extend(fault.sentence.as_deref());
        }
        if fault_rank > LAST_MATE_RANK {
            // The safety of a king is only mentioned if there is no other fact but a plan.
            let mut mentioned = merits
                .iter()
                .filter(|(_, text)| fault_rank >= FIRST_PLAN_RANK || text.motif != Motif::King);
            sentences.extend(mentioned.find_map(|(_, text)| text.sentence.as_deref()));
        }
        sentences.join(self.lang.pick("", " "))
    }

    /// Returns the most important fact in a few words, for a list; empty where no fact shows a fault or merit.
    pub fn short(&self, facts: &[Fact]) -> String {
        let texts = self.texts(facts);
        let short = texts.iter().flatten().find_map(|(_, text)| text.short());
        short.unwrap_or_default().to_owned()
    }

    /// Returns the faults of the move and the merits of the better move, each with the most important first.
    fn texts<'f>(&self, facts: &'f [Fact]) -> [Vec<(&'f Fact, FactText)>; 2] {
        let [mut faults, mut merits] = [Vec::new(), Vec::new()];
        for fact in facts {
            let Some(text) = self.text(fact) else {
                continue;
            };
            if text.is_fault {
                faults.push((fact, text));
            } else if fact.at == FactPosition::Before
                && fact.line.first() != self.history_after.moves().last()
            {
                merits.push((fact, text));
            }
        }
        let mut texts = [faults, merits];
        for list in &mut texts {
            list.sort_by_key(|(_, text)| text.rank);
        }
        texts
    }

    /// Returns the fact that the sentence states first; `None` without a sentence.
    fn stated_fact<'f>(&self, facts: &'f [Fact]) -> Option<(&'f Fact, FactText)> {
        let mut texts = self.texts(facts).into_iter().flatten();
        texts.find(|(_, text)| text.sentence.is_some())
    }

    /// Returns what the sentence states; `None` without a sentence.
    pub fn cause(&self, facts: &[Fact]) -> Option<FactCause> {
        let (fact, text) = self.stated_fact(facts)?;
        Some(FactCause {
            motif: text.motif,
            target: match text.piece {
                Some((piece, square)) => CauseTarget::Piece(piece, square),
                None => CauseTarget::Move(*fact.line.first()?),
            },
            at: fact.at,
        })
    }

    /// Returns the text for a cause that was stated shortly before; empty without a sentence.
    pub fn repeated(&self, facts: &[Fact]) -> String {
        let lang = self.lang;
        let Some((fact, text)) = self.stated_fact(facts) else {
            return String::new();
        };
        let first = self.first_move(fact).unwrap_or_default();
        match (fact.at, text.piece, text.motif) {
            (FactPosition::Before, ..) => say!(lang: "またも{first}を逃した。", "{first} was missed again."),
            (_, Some((piece, square)), Motif::Trapped) => {
                say!(lang: "またも{at}の{name}が逃げられない。", "Again the {name} on {at} cannot escape.",
                    at = square_name(square, lang), name = self.piece(piece))
            }
            (_, Some((piece, square)), _) => {
                say!(lang: "またも{at}の{name}を取られる。", "Again the {name} on {at} is lost.",
                    at = square_name(square, lang), name = self.piece(piece))
            }
            (_, None, _) => say!(lang: "またも{first}を許した。", "{first} was allowed again."),
        }
    }

    /// Returns the motif that the player overlooked, by the most important fact; `None` where no fact has a motif.
    pub fn overlooked_motif(&self, facts: &[Fact]) -> Option<Motif> {
        let (_, text) = self.texts(facts).into_iter().flatten().next()?;
        Some(text.motif)
    }

    /// Returns the side that made the move.
    fn mover(&self) -> Color {
        self.history_before.now().side_to_move()
    }

    /// Returns the game up to the position in which the line of a fact begins.
    fn history(&self, fact: &Fact) -> &History {
        match fact.at {
            FactPosition::Before => &self.history_before,
            FactPosition::After => &self.history_after,
        }
    }

    /// Returns the first move of the line of a fact, in words; `None` for an empty line.
    fn first_move(&self, fact: &Fact) -> Option<String> {
        let first = *fact.line.first()?;
        Some(in_sentence(
            &notation(self.lang)
                .notate_line(self.history(fact), &[first])
                .concat(),
        ))
    }

    /// Returns the moves of the line of a fact up to the one that its kind calls the first, in words.
    fn led_move(&self, fact: &Fact) -> Option<String> {
        let texts = notation(self.lang).notate_line(self.history(fact), fact.line.get(..=fact.lead)?);
        Some(in_sentence(&texts.join(self.lang.pick("", ", "))))
    }

    /// Returns the last move of the line of a fact, in words; `None` for an empty line.
    fn last_move(&self, fact: &Fact) -> Option<String> {
        self.nth_move(fact, fact.line.len().checked_sub(1)?)
    }

    /// Returns the move of the line of a fact with an index, in words; `None` past the end. A later move is written
    /// with its square, because the text does not mention the move before it.
    fn nth_move(&self, fact: &Fact, at: usize) -> Option<String> {
        let (before, mv) = (fact.line.get(..at)?, *fact.line.get(at)?);
        if before.is_empty() {
            return self.first_move(fact);
        }
        let mut position = self.history(fact).now().clone();
        before.iter().try_for_each(|mv| position.play(*mv).ok())?;
        Some(self.move_text(position.without_history(), mv))
    }

    /// Returns a move in words, with its square: the text does not mention the move before it.
    fn move_text(&self, position: Position, mv: Move) -> String {
        in_sentence(
            &notation(self.lang)
                .notate_line(&History::new(position), &[mv])
                .concat(),
        )
    }

    /// Returns the first move to a square by the side that begins the line, after the moves that lead to the fact, in
    /// words; `None` without such a move.
    fn capture(&self, fact: &Fact, square: Square) -> Option<String> {
        let mut moves = fact.line.iter().skip(fact.lead).step_by(2);
        self.nth_move(fact, fact.lead + moves.position(|mv| mv.to() == square)? * 2)
    }

    /// Returns whether the move itself has captured a piece.
    fn has_captured(&self) -> bool {
        self.history_after
            .moves()
            .last()
            .is_some_and(|mv| self.history_before.now().piece_on(mv.to()).is_some())
    }

    /// Returns whether the piece that makes the first move of the line can be captured at once.
    fn can_take_back(&self, fact: &Fact) -> bool {
        let mut position = self.history(fact).now().clone();
        let Some(first) = fact.line.first().filter(|first| position.play(**first).is_ok()) else {
            return false;
        };
        position.legal_moves().iter().any(|mv| mv.to() == first.to())
    }

    /// Returns the name of a piece that is lost or won. A dragon is named as a rook, and a horse as a bishop.
    fn base_piece(&self, kind: PieceKind) -> &'static str {
        let is_large = matches!(kind, PieceKind::Dragon | PieceKind::Horse);
        self.piece(if is_large { kind.unpromoted() } else { kind })
    }

    fn piece(&self, kind: PieceKind) -> &'static str {
        words::piece_name(kind, self.lang)
    }

    /// Returns the kinds of the pieces on squares after the moves that lead to a fact; `None` if a square is empty.
    fn pieces_on(&self, fact: &Fact, squares: &[Square]) -> Option<Vec<PieceKind>> {
        let mut position = self.history(fact).now().clone();
        fact.line
            .iter()
            .take(fact.lead)
            .try_for_each(|mv| position.play(*mv).ok())?;
        squares
            .iter()
            .map(|square| position.piece_on(*square).map(|piece| piece.kind))
            .collect()
    }

    /// Returns the name of the piece on a square after the moves that lead to a fact; `None` if the square is empty.
    fn piece_on(&self, fact: &Fact, square: Square) -> Option<&'static str> {
        let kinds = self.pieces_on(fact, &[square])?;
        Some(self.piece(*kinds.first()?))
    }

    /// Returns the pieces other than pawns that a side captures along the line of a fact, and those that it loses.
    /// Pieces of one kind that both capture do not count; the capture by the move does. `None` for a line that cannot be
    /// played.
    fn trade(&self, fact: &Fact, side: Color) -> Option<[Vec<PieceKind>; 2]> {
        let played = match fact.at {
            FactPosition::Before => None,
            FactPosition::After => self.history_after.moves().last(),
        };
        let mut position = self.history_before.now().clone();
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        for mv in played.into_iter().chain(&fact.line) {
            let captured = position.piece_on(mv.to()).map(|piece| piece.kind.unpromoted());
            let by = if position.side_to_move() == side {
                &mut won
            } else {
                &mut lost
            };
            by.extend(captured.filter(|kind| *kind != PieceKind::Pawn));
            position.play(*mv).ok()?;
        }
        won.retain(|kind| match lost.iter().position(|other| other == kind) {
            Some(same) => {
                lost.remove(same);
                false
            }
            None => true,
        });
        for kinds in [&mut won, &mut lost] {
            kinds.sort_by_key(|kind| Reverse(piece_value(*kind)));
        }
        Some([won, lost])
    }

    /// Returns the name of an exchange of two kinds of pieces: `銀桂`.
    fn exchange_name(&self, more: PieceKind, less: PieceKind) -> String {
        [more, less].map(|kind| short_piece(kind, self.lang)).concat()
    }

    const fn title(&self, side: Color) -> &'static str {
        let [black, white] = self.titles;
        match side {
            Color::Black => black,
            Color::White => white,
        }
    }

    fn king(&self, side: Color) -> String {
        words::king(self.title(side), self.lang)
    }
}
