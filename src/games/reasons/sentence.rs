//! The sentences about the facts of a move: two at most. A sentence never claims more than its fact.

use crate::Label;
use crate::bar::{in_sentence, notation};
use crate::move_facts::FactCause;
use crate::reasons_text::{self as words, KingLoss, Motif, ReasonPhrase};
use shogibar_base::Lang;
use shogibar_facts::{Exchange, Fact, FactKind, FactPosition, Gain, piece_value};
use shogibar_shogi::board_text::piece as short_piece;
use shogibar_shogi::{Color, History, Move, PieceKind, Position, Square};

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
        let mover = self.history_before.now().side_to_move();
        let wrong = self.worst_of(facts, |fact| self.fault_text(fact, mover));
        let is_complete = wrong.as_ref().is_some_and(|(rank, _)| *rank <= LAST_MATE_RANK);
        // The safety of a king is only mentioned if there is no other fact but a plan.
        let is_plan = wrong.as_ref().is_none_or(|(rank, _)| *rank >= FIRST_PLAN_RANK);
        let is_mentioned = |fact: &Fact| is_plan || king_loss(&fact.kind).is_none();
        let better = |fact: &Fact| {
            if is_mentioned(fact) {
                self.merit_text(fact, mover)
            } else {
                None
            }
        };
        let better = self.best_of(facts, better).filter(|_| !is_complete);
        let parts: Vec<String> = wrong.map(|(_, text)| text).into_iter().chain(better).collect();
        parts.join(self.lang.pick("", " "))
    }

    /// Returns the most important fact in a few words, for a list; empty where no fact shows a fault or merit.
    pub fn short(&self, facts: &[Fact]) -> String {
        let mover = self.history_before.now().side_to_move();
        let wrong = self
            .worst_of(facts, |fact| self.short_fault_text(fact))
            .map(|(_, text)| text);
        wrong
            .or_else(|| self.best_of(facts, |fact| self.short_merit_text(fact, mover)))
            .unwrap_or_default()
    }

    /// Applies `words` to the facts about a fault of the move. Returns the rank and the result for the most important fact
    /// that has one; `None` without such a fact.
    fn worst_of<'f, T>(&self, facts: &'f [Fact], words: impl Fn(&'f Fact) -> Option<T>) -> Option<(u8, T)> {
        let mover = self.history_before.now().side_to_move();
        let ranked = facts
            .iter()
            .filter_map(|fact| Some((fault_rank(fact, mover)?, words(fact)?)));
        ranked.min_by_key(|(rank, _)| *rank)
    }

    /// Applies `words` to the facts about the better move. Returns the result for the most important fact that has one;
    /// `None` without such a fact.
    fn best_of<'f, T>(&self, facts: &'f [Fact], words: impl Fn(&'f Fact) -> Option<T>) -> Option<T> {
        let is_better = |fact: &&Fact| {
            fact.at == FactPosition::Before && fact.line.first() != self.history_after.moves().last()
        };
        let ranked = facts
            .iter()
            .filter(is_better)
            .filter_map(|fact| Some((merit_rank(&fact.kind)?, words(fact)?)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, text)| text)
    }

    /// Returns the fact that the sentence tells first; `None` without a sentence.
    fn told_fact<'f>(&self, facts: &'f [Fact]) -> Option<&'f Fact> {
        let mover = self.history_before.now().side_to_move();
        let wrong = self
            .worst_of(facts, |fact| self.fault_text(fact, mover).map(|_| fact))
            .map(|(_, fact)| fact);
        wrong.or_else(|| self.best_of(facts, |fact| self.merit_text(fact, mover).map(|_| fact)))
    }

    /// Returns what the sentence tells; `None` without a sentence.
    pub fn cause(&self, facts: &[Fact]) -> Option<FactCause> {
        let told = self.told_fact(facts)?;
        let (piece, square) = match &told.kind {
            FactKind::LosesPiece { piece, square, .. }
            | FactKind::WinsPiece { piece, square, .. }
            | FactKind::Trapped { piece, square, .. } => (Some(*piece), Some(*square)),
            _ => (None, told.line.first().map(|mv| mv.to())),
        };
        Some(FactCause {
            motif: motif_of_kind(&told.kind)?,
            piece,
            square,
            at: told.at,
        })
    }

    /// Returns the text for a cause that was told shortly before: the better move that was missed again. The text is empty
    /// for a fault of the move.
    pub fn repeated(&self, facts: &[Fact]) -> String {
        let told = self
            .told_fact(facts)
            .filter(|fact| fact.at == FactPosition::Before);
        let first = told.and_then(|fact| self.first_move(fact));
        first.map_or_else(String::new, |first| words::missed_again(&first, self.lang))
    }

    /// Returns the motif that the player overlooked, by the most important fact; `None` where no fact has a motif.
    pub fn overlooked_motif(&self, facts: &[Fact]) -> Option<Motif> {
        let wrong = self
            .worst_of(facts, |fact| motif_of_kind(&fact.kind))
            .map(|(_, motif)| motif);
        wrong.or_else(|| self.best_of(facts, |fact| motif_of_kind(&fact.kind)))
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

    /// Returns the sentence about a fault of the move; `None` if the fact shows no fault.
    fn fault_text(&self, fact: &Fact, mover: Color) -> Option<String> {
        let lang = self.lang;
        let first = || self.first_move(fact);
        Some(match &fact.kind {
            FactKind::ThreatUnmet { length } => {
                let king = self.king(fact.side);
                words::threat_unmet(&king, &first()?, *length, lang)
            }
            FactKind::MateAllowed { length } => {
                words::mate_allowed(&self.king(fact.side), &first()?, *length, lang)
            }
            FactKind::MateMissed { length } => words::mate_missed(&first()?, *length, lang),
            FactKind::EngineMateAllowed { length } => {
                words::engine_mate_allowed(&self.king(fact.side), &first()?, *length, lang)
            }
            FactKind::EngineMateMissed { length } => words::engine_mate_missed(&first()?, *length, lang),
            FactKind::LosesPiece { piece, square, gain } => {
                let is_taken_alone = !self.has_captured() && is_captured_at_once(fact, *square);
                if is_taken_alone && is_for_nothing(*piece, *gain) && !self.can_take_back(fact) {
                    words::loses_for_nothing(&first()?, self.piece(*piece), lang)
                } else if !is_gain_of_one_piece(*piece, Gain(-gain.0)) {
                    self.lost_exchange(fact, &first()?)?
                } else if has_named_gain(*piece) {
                    words::loses(&first()?, self.base_piece(*piece), lang)
                } else {
                    words::loses_promoted(&first()?, self.piece(*piece), lang)
                }
            }
            FactKind::LosesMaterial { .. } => self.lost_exchange(fact, &first()?)?,
            FactKind::ThreatMade { .. } if fact.side != mover => {
                words::lets_threat(&self.led_move(fact)?, &self.king(mover), lang)
            }
            FactKind::BrinkmateMade if fact.side != mover => {
                words::lets_brinkmate(&self.led_move(fact)?, &self.king(mover), lang)
            }
            FactKind::ExposedKing { .. } if fact.side == mover => {
                words::exposes_king(&first()?, &self.king(mover), king_loss(&fact.kind)?, lang)
            }
            FactKind::LetsPromote {
                piece: PieceKind::Pawn,
                ..
            } => words::lets_promote_pawn(&self.last_move(fact)?, lang),
            FactKind::LetsPromote { .. } => words::lets_promote(&self.last_move(fact)?, lang),
            FactKind::Exchange {
                exchange: Exchange::TwoForOne,
                ..
            } if fact.side != mover => words::two_for_one(&first()?, lang),
            FactKind::PromotionUnstoppable { .. } if fact.side != mover => {
                words::lets_promotion_stand(&first()?, &self.promised_promotion(fact)?, lang)
            }
            FactKind::AttackEnds { .. } => words::attack_ends(&first()?, self.title(fact.side), lang),
            FactKind::Initiative { piece, .. } if fact.side != mover => {
                words::loses_initiative(&first()?, self.piece(*piece), lang)
            }
            FactKind::IdlePiece { piece, square, .. } => {
                words::idle_piece(&first()?, *square, self.piece(*piece), lang)
            }
            _ if fact.side != mover => return self.motif_text(fact),
            _ => return None,
        })
    }

    /// Returns the sentence that the mover loses a piece for one of less value; `None` for any other loss. `first` is the
    /// first move of the line in words.
    fn lost_exchange(&self, fact: &Fact, first: &str) -> Option<String> {
        let [lost, won] = self.trade(fact, fact.side.flip())?;
        let names = self.exchange_name(lost, won);
        Some(words::loses_exchange(
            first,
            &names,
            self.piece(lost),
            self.piece(won),
            self.lang,
        ))
    }

    /// Returns the only piece other than a pawn that a side captures along the line of a fact, and the only one that it
    /// loses, which has less value. Pieces of one kind that both capture do not count; the capture by the move does.
    fn trade(&self, fact: &Fact, side: Color) -> Option<[PieceKind; 2]> {
        let played = self
            .history_after
            .moves()
            .last()
            .copied()
            .filter(|_| fact.at == FactPosition::After);
        let mut position = self.history_before.now().clone();
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        for mv in played.iter().chain(&fact.line) {
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
        match (won.as_slice(), lost.as_slice()) {
            ([won], [lost]) if piece_value(*won) > piece_value(*lost) => Some([*won, *lost]),
            _ => None,
        }
    }

    /// Returns the name of an exchange of two kinds of pieces: `銀桂`.
    fn exchange_name(&self, more: PieceKind, less: PieceKind) -> String {
        [more, less].map(|kind| short_piece(kind, self.lang)).concat()
    }

    /// Returns the clause about a fork, a skewer, a pin, a discovered attack or a trapped piece; `None` for other
    /// facts.
    fn motif_text(&self, fact: &Fact) -> Option<String> {
        let (lang, first) = (self.lang, self.led_move(fact)?);
        Some(match &fact.kind {
            FactKind::Fork { piece, squares, .. } => {
                let targets = self.pieces_on(fact, squares.get(1..)?)?;
                self.fork(fact, *piece, &first, &targets)
            }
            FactKind::Skewer {
                piece,
                squares: [_, front, back],
                ..
            } => {
                let targets = words::pieces(&self.pieces_on(fact, &[*front, *back])?, lang);
                match piece {
                    PieceKind::Lance => words::lance_skewer(&first, &targets, lang),
                    _ => words::skewer(&first, &targets, lang),
                }
            }
            FactKind::Pin {
                squares: [_, pinned, _],
                ..
            } => {
                let piece = *self.pieces_on(fact, &[*pinned])?.first()?;
                let pin = words::pin(&self.capture(fact, *pinned)?, self.piece(piece), lang);
                if fact.lead == 0 {
                    pin
                } else {
                    words::after_moves(&first, &pin, lang)
                }
            }
            FactKind::Discovered {
                squares: [_, _, target],
                ..
            } => {
                let piece = *self.pieces_on(fact, &[*target])?.first()?;
                words::discovered(&first, self.piece(piece), lang)
            }
            FactKind::Trapped { piece, .. } => words::trapped(&first, self.piece(*piece), lang),
            _ => return None,
        })
    }

    /// Returns the clause about a fork. `first` is the forking move in words, after the moves that lead to it.
    fn fork(&self, fact: &Fact, piece: PieceKind, first: &str, targets: &[PieceKind]) -> String {
        let lang = self.lang;
        let names = words::pieces(targets, lang);
        let is_drop = matches!(fact.line.get(fact.lead), Some(Move::Drop { .. }));
        let is_rook_or_gold =
            |kind: &PieceKind| matches!(kind.unpromoted(), PieceKind::Rook | PieceKind::Gold);
        let splits = is_drop && targets.iter().all(is_rook_or_gold) && attacks_behind(fact);
        match (piece, targets) {
            (_, [PieceKind::King, PieceKind::Rook] | [PieceKind::Rook, PieceKind::King]) => {
                words::king_and_rook(first, lang)
            }
            (_, [PieceKind::King, other] | [other, PieceKind::King]) => {
                words::check_and_take(first, self.piece(*other), lang)
            }
            (PieceKind::Silver, _) if splits => words::silver_fork(first, &names, lang),
            (PieceKind::Knight, _) => words::knight_fork(first, &names, lang),
            _ => words::fork(first, &names, lang),
        }
    }

    /// Returns the sentence about a merit of the better move; `None` if the fact shows no merit.
    fn merit_text(&self, fact: &Fact, mover: Color) -> Option<String> {
        let (first, lang) = (self.first_move(fact)?, self.lang);
        if let Some(loss) = king_loss(&fact.kind) {
            return Some(words::better_exposes_king(
                &first,
                &self.king(mover.flip()),
                loss,
                lang,
            ));
        }
        if fact.side != mover {
            return None;
        }
        Some(match &fact.kind {
            FactKind::WinsPiece { piece, gain, .. } if is_gain_of_one_piece(*piece, *gain) => {
                if has_named_gain(*piece) {
                    words::better_wins(&first, self.base_piece(*piece), lang)
                } else {
                    words::better_captures(&first, self.piece(*piece), lang)
                }
            }
            FactKind::WinsPiece { .. } => {
                let [won, lost] = self.trade(fact, mover)?;
                let names = self.exchange_name(won, lost);
                words::better_exchanges(&first, &names, self.piece(won), self.piece(lost), lang)
            }
            FactKind::ThreatMade { .. } if fact.lead == 0 => words::better_threatens(&first, lang),
            FactKind::ThreatMade { .. } => words::better_line_threatens(&self.led_move(fact)?, lang),
            FactKind::BrinkmateMade => {
                words::better_brinkmate(&self.led_move(fact)?, &self.king(mover.flip()), lang)
            }
            FactKind::Promotes { .. } => self.promotion(fact, &first)?,
            FactKind::PromotionUnstoppable { .. } => {
                words::better_promotion_stands(&first, &self.promised_promotion(fact)?, lang)
            }
            FactKind::Initiative { piece, .. } => words::better_initiative(&first, self.piece(*piece), lang),
            _ => words::better(&self.motif_text(fact)?, lang),
        })
    }

    /// Returns the sentence about a promotion by the better move, or by a later move of the line.
    fn promotion(&self, fact: &Fact, first: &str) -> Option<String> {
        let (mv, played) = (fact.line.first()?, self.history_after.moves().last()?);
        let is_played = (mv.from(), mv.to()) == (played.from(), played.to());
        Some(match fact.line.len() {
            1 if is_played => words::better_promotion(first, self.lang),
            1 => words::better_promotes(first, self.lang),
            _ if matches!(
                fact.kind,
                FactKind::Promotes {
                    piece: PieceKind::Pawn,
                    ..
                }
            ) =>
            {
                words::better_prepares_pawn(first, &self.last_move(fact)?, self.lang)
            }
            _ => words::better_prepares(first, &self.last_move(fact)?, self.lang),
        })
    }

    /// Returns the promotion that the first move of a fact's line promises, in words; `None` for other facts, and if two
    /// pieces can promote.
    fn promised_promotion(&self, fact: &Fact) -> Option<String> {
        let FactKind::PromotionUnstoppable { piece, square } = fact.kind else {
            return None;
        };
        let mut position = self.history(fact).now().without_history();
        position.play(*fact.line.first()?).ok()?;
        let passed = position.with_side_to_move(fact.side);
        let is_promised = |mv: &Move| {
            let Move::Board {
                from,
                to,
                promote: true,
            } = *mv
            else {
                return false;
            };
            to == square && passed.piece_on(from).is_some_and(|moved| moved.kind == piece)
        };
        let promotions: Vec<Move> = passed.legal_moves().into_iter().filter(is_promised).collect();
        let [promotion] = promotions.as_slice() else {
            return None;
        };
        Some(self.move_text(passed, *promotion))
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

    /// Returns a few words about a fault of the move; `None` if the fact shows no fault.
    fn short_fault_text(&self, fact: &Fact) -> Option<String> {
        Some(match &fact.kind {
            FactKind::ThreatUnmet { .. } => ReasonPhrase::UnmetShort.text(self.lang).to_owned(),
            FactKind::MateAllowed { .. } | FactKind::EngineMateAllowed { .. } => {
                ReasonPhrase::MatedShort.text(self.lang).to_owned()
            }
            FactKind::MateMissed { .. } | FactKind::EngineMateMissed { .. } => {
                ReasonPhrase::MissedShort.text(self.lang).to_owned()
            }
            FactKind::LosesPiece { piece, .. } => words::loses_short(self.piece(*piece), self.lang),
            FactKind::Fork { .. } | FactKind::ThreatMade { .. } | FactKind::BrinkmateMade
                if fact.lead > 0 =>
            {
                words::later_short(
                    &self.first_move(fact)?,
                    motif_of_kind(&fact.kind)?.text(self.lang),
                    self.lang,
                )
            }
            FactKind::Fork { .. } => words::fork_short(&self.first_move(fact)?, self.lang),
            FactKind::ThreatMade { .. } => words::threat_short(&self.first_move(fact)?, self.lang),
            FactKind::BrinkmateMade => words::brinkmate_short(&self.first_move(fact)?, self.lang),
            FactKind::ExposedKing { .. } => ReasonPhrase::KingShort.text(self.lang).to_owned(),
            FactKind::AttackEnds { .. } => ReasonPhrase::AttackShort.text(self.lang).to_owned(),
            _ => return self.fault_text(fact, self.history_before.now().side_to_move()),
        })
    }

    /// Returns a few words about a merit of the better move; `None` if the fact shows no merit.
    fn short_merit_text(&self, fact: &Fact, mover: Color) -> Option<String> {
        let text = self.merit_text(fact, mover)?;
        match &fact.kind {
            FactKind::WinsPiece { piece, .. } => Some(words::wins_short(
                &self.first_move(fact)?,
                self.piece(*piece),
                self.lang,
            )),
            FactKind::Fork { .. } | FactKind::ThreatMade { .. } | FactKind::BrinkmateMade
                if fact.lead > 0 =>
            {
                let motif = motif_of_kind(&fact.kind)?.text(self.lang);
                Some(words::missed_later_short(
                    &self.first_move(fact)?,
                    motif,
                    self.lang,
                ))
            }
            _ => Some(text),
        }
    }
}

/// The maximum difference of a gain from the value of the piece that a text names, in tenths of a pawn.
const MAX_GAIN_DIFFERENCE: i32 = 15;

/// The fault rank of the last fact about a mate. A text about a mate has no other fact.
const LAST_MATE_RANK: u8 = 4;

/// The fault rank of the first plan. Plans are told after all other facts.
const FIRST_PLAN_RANK: u8 = 12;

/// Returns the rank of a fact about a fault of the move, 0 for the most important; `None` if the fact shows no fault.
fn fault_rank(fact: &Fact, mover: Color) -> Option<u8> {
    Some(match fact.kind {
        FactKind::ThreatUnmet { .. } => 0,
        FactKind::MateAllowed { .. } => 1,
        FactKind::MateMissed { .. } => 2,
        FactKind::EngineMateAllowed { .. } => 3,
        FactKind::EngineMateMissed { .. } => LAST_MATE_RANK,
        FactKind::BrinkmateMade if fact.side != mover => LAST_MATE_RANK,
        FactKind::Fork { .. }
        | FactKind::Skewer { .. }
        | FactKind::Pin { .. }
        | FactKind::Discovered { .. }
        | FactKind::Trapped { .. }
            if fact.side != mover =>
        {
            5
        }
        FactKind::LosesPiece { .. } => 6,
        FactKind::Exchange {
            exchange: Exchange::TwoForOne,
            ..
        } if fact.side != mover => 7,
        FactKind::ThreatMade { .. } if fact.side != mover => 8,
        FactKind::LetsPromote { .. } => 9,
        FactKind::LosesMaterial { .. } => 10,
        FactKind::ExposedKing { .. } if fact.side == mover => 11,
        FactKind::PromotionUnstoppable { .. } if fact.side != mover => FIRST_PLAN_RANK,
        FactKind::AttackEnds { .. } => 13,
        FactKind::Initiative { .. } if fact.side != mover => 14,
        FactKind::IdlePiece { .. } => 15,
        _ => return None,
    })
}

/// Returns the rank of a fact about the better move, 0 for the most important; `None` if the fact shows no merit.
const fn merit_rank(kind: &FactKind) -> Option<u8> {
    Some(match kind {
        FactKind::BrinkmateMade | FactKind::Fork { .. } | FactKind::Skewer { .. } => 0,
        FactKind::WinsPiece { .. } => 1,
        FactKind::ThreatMade { .. } => 2,
        FactKind::Promotes { .. } => 3,
        FactKind::ExposedKing { .. } => 4,
        FactKind::PromotionUnstoppable { .. } => 5,
        FactKind::Initiative { .. } => 6,
        _ => return None,
    })
}

/// Returns the motif of a fact of this kind; `None` for kinds without one.
const fn motif_of_kind(kind: &FactKind) -> Option<Motif> {
    Some(match kind {
        FactKind::MateMissed { .. } | FactKind::EngineMateMissed { .. } => Motif::MateMissed,
        FactKind::MateAllowed { .. } | FactKind::EngineMateAllowed { .. } => Motif::MateAllowed,
        FactKind::ThreatUnmet { .. } => Motif::ThreatUnmet,
        FactKind::Fork { .. } => Motif::Fork,
        FactKind::Skewer { .. } => Motif::Skewer,
        FactKind::Pin { .. } => Motif::Pin,
        FactKind::Discovered { .. } => Motif::Discovered,
        FactKind::Trapped { .. } => Motif::Trapped,
        FactKind::LosesPiece { .. } | FactKind::LosesMaterial { .. } => Motif::PieceLost,
        FactKind::WinsPiece { .. } => Motif::PieceMissed,
        FactKind::Exchange {
            exchange: Exchange::TwoForOne,
            ..
        } => Motif::TwoForOne,
        FactKind::ThreatMade { .. } => Motif::Threat,
        FactKind::BrinkmateMade => Motif::Brinkmate,
        FactKind::Promotes { .. } | FactKind::LetsPromote { .. } | FactKind::PromotionUnstoppable { .. } => {
            Motif::Promotion
        }
        FactKind::AttackEnds { .. } | FactKind::Initiative { .. } | FactKind::IdlePiece { .. } => {
            Motif::Activity
        }
        FactKind::ExposedKing { .. } => Motif::King,
        _ => return None,
    })
}

/// Returns how a king is less safe than after the other move; `None` for other facts. A loss of two guards takes
/// precedence over a loss of escape squares.
const fn king_loss(kind: &FactKind) -> Option<KingLoss> {
    match kind {
        FactKind::ExposedKing { safety, other } if safety.guards + 2 <= other.guards => {
            Some(KingLoss::Guards(safety.guards, other.guards))
        }
        FactKind::ExposedKing { safety, other } => Some(KingLoss::Escapes(safety.escapes, other.escapes)),
        _ => None,
    }
}

/// Returns whether a fork only attacks pieces behind the forking piece, as a silver between a rook and a gold does.
fn attacks_behind(fact: &Fact) -> bool {
    let FactKind::Fork { squares, .. } = &fact.kind else {
        return false;
    };
    let Some((attacker, targets)) = squares.split_first() else {
        return false;
    };
    targets.iter().all(|target| match fact.side {
        Color::Black => target.rank() > attacker.rank(),
        Color::White => target.rank() < attacker.rank(),
    })
}

/// Returns whether the gain of a piece has a name: `角得`. That of a promoted pawn, lance, knight or silver has none.
const fn has_named_gain(piece: PieceKind) -> bool {
    !piece.is_promoted() || matches!(piece, PieceKind::Dragon | PieceKind::Horse)
}

/// Returns whether the whole value of a piece is lost, without compensation.
const fn is_for_nothing(piece: PieceKind, Gain(gain): Gain) -> bool {
    -gain >= i32::midpoint(piece_value(piece), piece_value(piece.unpromoted()))
}

/// Returns whether a gain is about the value of one piece, without other gains or losses.
fn is_gain_of_one_piece(piece: PieceKind, Gain(gain): Gain) -> bool {
    let value = i32::midpoint(piece_value(piece), piece_value(piece.unpromoted()));
    (gain - value).abs() <= MAX_GAIN_DIFFERENCE
}

/// Returns whether the first move of the line goes to a square, and the second move does not recapture there.
fn is_captured_at_once(fact: &Fact, square: Square) -> bool {
    let to = |at: usize| fact.line.get(at).map(|mv| mv.to());
    to(0) == Some(square) && to(1) != Some(square)
}
