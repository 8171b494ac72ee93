//! The sentences about facts: one sentence, two clauses at most. A sentence never claims more than its fact.

use crate::bar::{in_sentence, notation};
use crate::shogi::{Color, History, Move, PieceKind, Square};
use crate::text::reasons::{self as words, KingLoss, Motif, ReasonPhrase};
use crate::text::{Label, Lang};
use shogibar_facts::{Exchange, Fact, FactKind, FactPosition, Gain, piece_value};

/// The facts of a move in words.
#[derive(Debug)]
pub struct ReasonWords {
    history_before: History,
    history_after: History,
    /// The names of the sides, Black first.
    titles: [&'static str; 2],
    lang: Lang,
}

impl ReasonWords {
    /// Creates the words for the facts of the last move of a game; `None` at the start.
    pub fn new(after: History, is_handicap: bool, lang: Lang) -> Option<Self> {
        let titles = Label::sides(is_handicap).map(|label| label.text(lang));
        Some(Self { history_before: after.without_last()?, history_after: after, titles, lang })
    }

    /// Returns the sentence about the most important facts: the fault of the move, and the merit of the better move.
    /// Empty where there is none.
    pub fn sentence(&self, facts: &[Fact]) -> String {
        let mover = self.history_before.now().side_to_move();
        let wrong = facts.iter().filter_map(|fact| Some((rank(fact, mover)?, self.wrong(fact, mover)?)));
        let wrong = wrong.min_by_key(|(rank, _)| *rank);
        let says_all = wrong.as_ref().is_some_and(|(rank, _)| *rank <= MATES);
        // The safety of a king is only mentioned if there is no other fact.
        let tells = |fact: &Fact| wrong.is_none() || king_loss(&fact.kind).is_none();
        let better = |fact: &Fact| if tells(fact) { self.better(fact, mover) } else { None };
        let better = self.best_of(facts, better).filter(|_| !says_all);
        let parts: Vec<String> = wrong.map(|(_, text)| text).into_iter().chain(better).collect();
        parts.join(self.lang.pick("", " "))
    }

    /// Returns the sentence in a few words, for a list.
    pub fn short(&self, facts: &[Fact]) -> String {
        let mover = self.history_before.now().side_to_move();
        let wrong = facts.iter().filter_map(|fact| Some((rank(fact, mover)?, self.wrong_short(fact)?)));
        let wrong = wrong.min_by_key(|(rank, _)| *rank).map(|(_, text)| text);
        wrong.or_else(|| self.best_of(facts, |fact| self.better_short(fact, mover))).unwrap_or_default()
    }

    /// Returns the words about the most important fact of the better move.
    fn best_of<T>(&self, facts: &[Fact], words: impl Fn(&Fact) -> Option<T>) -> Option<T> {
        let is_better =
            |fact: &&Fact| fact.at == FactPosition::Before && fact.line.first() != self.history_after.moves().last();
        let ranked = facts.iter().filter(is_better).filter_map(|fact| Some((better_rank(&fact.kind)?, words(fact)?)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, text)| text)
    }

    /// Returns the motif that the player overlooked, by the fact that is mentioned first; `None` where nothing is
    /// proved.
    pub fn motif_of(&self, facts: &[Fact]) -> Option<Motif> {
        let mover = self.history_before.now().side_to_move();
        let wrong = facts.iter().filter_map(|fact| Some((rank(fact, mover)?, motif(&fact.kind)?)));
        let wrong = wrong.min_by_key(|(rank, _)| *rank).map(|(_, motif)| motif);
        wrong.or_else(|| self.best_of(facts, |fact| motif(&fact.kind)))
    }

    fn history(&self, fact: &Fact) -> &History {
        match fact.at {
            FactPosition::Before => &self.history_before,
            FactPosition::After => &self.history_after,
        }
    }

    /// The first move of the line of a fact, in words.
    fn first(&self, fact: &Fact) -> Option<String> {
        let first = *fact.line.first()?;
        Some(in_sentence(&notation(self.lang).notate_line(self.history(fact), &[first]).concat()))
    }

    /// The last move of the line of a fact, in words.
    fn last(&self, fact: &Fact) -> Option<String> {
        self.nth(fact, fact.line.len().checked_sub(1)?)
    }

    /// A move of the line of a fact, in words. A later move is written with its square, because the move before it is
    /// not mentioned.
    fn nth(&self, fact: &Fact, at: usize) -> Option<String> {
        let (before, mv) = (fact.line.get(..at)?, *fact.line.get(at)?);
        if before.is_empty() {
            return self.first(fact);
        }
        let mut position = self.history(fact).now().clone();
        before.iter().try_for_each(|mv| position.play(*mv).ok())?;
        Some(in_sentence(&notation(self.lang).notate_line(&History::new(position.without_history()), &[mv]).concat()))
    }

    /// The move to a square by the side that begins the line, in words.
    fn capture(&self, fact: &Fact, square: Square) -> Option<String> {
        self.nth(fact, fact.line.iter().step_by(2).position(|mv| mv.to() == square)? * 2)
    }

    /// Whether the move itself has captured a piece.
    fn has_captured(&self) -> bool {
        self.history_after.moves().last().is_some_and(|mv| self.history_before.now().piece_on(mv.to()).is_some())
    }

    /// Whether a piece could take the one that makes the first move of the line.
    fn can_take_back(&self, fact: &Fact) -> bool {
        let mut position = self.history(fact).now().clone();
        let Some(first) = fact.line.first().filter(|first| position.play(**first).is_ok()) else { return false };
        position.legal_moves().iter().any(|mv| mv.to() == first.to())
    }

    /// The name of the piece that is lost or won: a rook for a dragon.
    fn base_piece(&self, kind: PieceKind) -> &'static str {
        let is_large = matches!(kind, PieceKind::Dragon | PieceKind::Horse);
        self.piece(if is_large { kind.unpromoted() } else { kind })
    }

    fn piece(&self, kind: PieceKind) -> &'static str {
        words::piece_name(kind, self.lang)
    }

    /// Returns the kinds of the pieces on squares in the position of a fact; `None` if a square is empty.
    fn pieces_on(&self, fact: &Fact, squares: &[Square]) -> Option<Vec<PieceKind>> {
        let now = self.history(fact).now();
        squares.iter().map(|square| now.piece_on(*square).map(|piece| piece.kind)).collect()
    }

    /// Returns the words for the fault of a move, by a fact.
    fn wrong(&self, fact: &Fact, mover: Color) -> Option<String> {
        let lang = self.lang;
        let first = || self.first(fact);
        Some(match &fact.kind {
            FactKind::ThreatUnmet { length } => {
                let king = king(fact.side, self.titles, lang);
                words::threat_unmet(&king, &first()?, *length, lang)
            }
            FactKind::MateAllowed { length } => words::mate_allowed(&first()?, *length, lang),
            FactKind::MateMissed { length } => words::mate_missed(&first()?, *length, lang),
            FactKind::EngineMateAllowed { length } => {
                words::engine_mate_allowed(&king(fact.side, self.titles, lang), &first()?, *length, lang)
            }
            FactKind::EngineMateMissed { length } => words::engine_mate_missed(&first()?, *length, lang),
            FactKind::LosesPiece { piece, square, gain } => {
                let is_taken_alone = !self.has_captured() && is_captured_at_once(fact, *square);
                if is_taken_alone && is_for_nothing(*piece, *gain) && !self.can_take_back(fact) {
                    words::loses_for_nothing(&first()?, self.piece(*piece), lang)
                } else if is_net(*piece, Gain(-gain.0)) {
                    words::loses(&first()?, self.base_piece(*piece), lang)
                } else {
                    words::loses_material(&first()?, lang)
                }
            }
            FactKind::LosesMaterial { .. } => words::loses_material(&first()?, lang),
            FactKind::ThreatMade { .. } if fact.side != mover => {
                words::lets_threat(&first()?, &king(mover, self.titles, lang), lang)
            }
            FactKind::ExposedKing { .. } | FactKind::KingChecked { .. } if fact.side == mover => {
                words::exposes_king(&first()?, &king(mover, self.titles, lang), king_loss(&fact.kind)?, lang)
            }
            FactKind::LetsPromote { piece: PieceKind::Pawn, .. } => words::lets_promote_pawn(&self.last(fact)?, lang),
            FactKind::LetsPromote { .. } => words::lets_promote(&self.last(fact)?, lang),
            FactKind::Exchange { exchange: Exchange::TwoForOne, .. } if fact.side != mover => {
                words::two_for_one(&first()?, lang)
            }
            _ if fact.side != mover => return self.motif(fact),
            _ => return None,
        })
    }

    /// Names a motif: a fork, a skewer, a pin, a discovered attack, a trapped piece.
    fn motif(&self, fact: &Fact) -> Option<String> {
        let (lang, first) = (self.lang, self.first(fact)?);
        Some(match &fact.kind {
            FactKind::Fork { piece, squares, .. } => {
                let targets = self.pieces_on(fact, squares.get(1..)?)?;
                self.fork(fact, *piece, &first, &targets)
            }
            FactKind::Skewer { piece, squares: [_, front, back], .. } => {
                let targets = words::pieces(&self.pieces_on(fact, &[*front, *back])?, lang);
                match piece {
                    PieceKind::Lance => words::lance_skewer(&first, &targets, lang),
                    _ => words::skewer(&first, &targets, lang),
                }
            }
            FactKind::Pin { squares: [_, pinned, _], .. } => {
                let piece = *self.pieces_on(fact, &[*pinned])?.first()?;
                words::pin(&self.capture(fact, *pinned)?, self.piece(piece), lang)
            }
            FactKind::Discovered { squares: [_, _, target], .. } => {
                let piece = *self.pieces_on(fact, &[*target])?.first()?;
                words::discovered(&first, self.piece(piece), lang)
            }
            FactKind::Trapped { piece, .. } => words::trapped(&first, self.piece(*piece), lang),
            _ => return None,
        })
    }

    fn fork(&self, fact: &Fact, piece: PieceKind, first: &str, targets: &[PieceKind]) -> String {
        let lang = self.lang;
        let names = words::pieces(targets, lang);
        let is_drop = matches!(fact.line.first(), Some(Move::Drop { .. }));
        let is_rook_or_gold = |kind: &PieceKind| matches!(kind.unpromoted(), PieceKind::Rook | PieceKind::Gold);
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

    /// Returns the words for the merit of the better move, by a fact.
    fn better(&self, fact: &Fact, mover: Color) -> Option<String> {
        let (first, lang) = (self.first(fact)?, self.lang);
        if let Some(loss) = king_loss(&fact.kind) {
            return Some(words::better_exposes_king(&first, &king(mover.flip(), self.titles, lang), loss, lang));
        }
        if fact.side != mover {
            return None;
        }
        Some(match &fact.kind {
            FactKind::WinsPiece { piece, gain, .. } if is_net(*piece, *gain) => {
                words::better_wins(&first, self.base_piece(*piece), lang)
            }
            FactKind::WinsPiece { .. } => words::better_wins_material(&first, lang),
            FactKind::ThreatMade { .. } => words::better_threatens(&first, lang),
            FactKind::Promotes { .. } => self.promotion(fact, &first)?,
            _ => words::better(&self.motif(fact)?, lang),
        })
    }

    /// Returns the words about the better move's promotion, or about a promotion that follows.
    fn promotion(&self, fact: &Fact, first: &str) -> Option<String> {
        let (mv, played) = (fact.line.first()?, self.history_after.moves().last()?);
        let is_played = (mv.from(), mv.to()) == (played.from(), played.to());
        Some(match fact.line.len() {
            1 if is_played => words::better_promotion(first, self.lang),
            1 => words::better_promotes(first, self.lang),
            _ if matches!(fact.kind, FactKind::Promotes { piece: PieceKind::Pawn, .. }) => {
                words::better_prepares_pawn(first, &self.last(fact)?, self.lang)
            }
            _ => words::better_prepares(first, &self.last(fact)?, self.lang),
        })
    }

    fn wrong_short(&self, fact: &Fact) -> Option<String> {
        Some(match &fact.kind {
            FactKind::ThreatUnmet { .. } => ReasonPhrase::UnmetShort.text(self.lang).to_owned(),
            FactKind::MateAllowed { .. } | FactKind::EngineMateAllowed { .. } => {
                ReasonPhrase::MatedShort.text(self.lang).to_owned()
            }
            FactKind::MateMissed { .. } | FactKind::EngineMateMissed { .. } => {
                ReasonPhrase::MissedShort.text(self.lang).to_owned()
            }
            FactKind::LosesPiece { piece, .. } => words::loses_short(self.piece(*piece), self.lang),
            FactKind::Fork { .. } => words::fork_short(&self.first(fact)?, self.lang),
            FactKind::ThreatMade { .. } => words::threat_short(&self.first(fact)?, self.lang),
            FactKind::LosesMaterial { .. } => ReasonPhrase::MaterialShort.text(self.lang).to_owned(),
            FactKind::ExposedKing { .. } => ReasonPhrase::KingShort.text(self.lang).to_owned(),
            FactKind::KingChecked { .. } => ReasonPhrase::AttackShort.text(self.lang).to_owned(),
            _ => return self.wrong(fact, self.history_before.now().side_to_move()),
        })
    }

    fn better_short(&self, fact: &Fact, mover: Color) -> Option<String> {
        let text = self.better(fact, mover)?;
        match &fact.kind {
            FactKind::WinsPiece { piece, .. } => {
                Some(words::wins_short(&self.first(fact)?, self.piece(*piece), self.lang))
            }
            _ => Some(text),
        }
    }
}

/// The maximum difference of a gain from the value of its named piece, in tenths of a pawn.
const ABOUT: i32 = 15;

/// The rank of the last fact that needs no other fact beside it.
const MATES: u8 = 4;

/// Returns the importance of a fact about a move's fault, the most important first; `None` where it shows no fault.
fn rank(fact: &Fact, mover: Color) -> Option<u8> {
    Some(match fact.kind {
        FactKind::ThreatUnmet { .. } => 0,
        FactKind::MateAllowed { .. } => 1,
        FactKind::MateMissed { .. } => 2,
        FactKind::EngineMateAllowed { .. } => 3,
        FactKind::EngineMateMissed { .. } => MATES,
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
        FactKind::Exchange { exchange: Exchange::TwoForOne, .. } if fact.side != mover => 7,
        FactKind::ThreatMade { .. } if fact.side != mover => 8,
        FactKind::LetsPromote { .. } => 9,
        FactKind::LosesMaterial { .. } => 10,
        FactKind::ExposedKing { .. } if fact.side == mover => 11,
        FactKind::KingChecked { .. } if fact.side == mover => 12,
        _ => return None,
    })
}

/// Returns the importance of a fact about the better move, the most important first; `None` where it shows no merit.
const fn better_rank(kind: &FactKind) -> Option<u8> {
    Some(match kind {
        FactKind::Fork { .. } | FactKind::Skewer { .. } => 0,
        FactKind::WinsPiece { .. } => 1,
        FactKind::ThreatMade { .. } => 2,
        FactKind::Promotes { .. } => 3,
        FactKind::ExposedKing { .. } => 4,
        FactKind::KingChecked { .. } => 5,
        _ => return None,
    })
}

const fn motif(kind: &FactKind) -> Option<Motif> {
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
        FactKind::Exchange { exchange: Exchange::TwoForOne, .. } => Motif::TwoForOne,
        FactKind::ThreatMade { .. } => Motif::Threat,
        FactKind::Promotes { .. } | FactKind::LetsPromote { .. } => Motif::Promotion,
        FactKind::ExposedKing { .. } | FactKind::KingChecked { .. } => Motif::King,
        _ => return None,
    })
}

/// Returns the way in which a king is less safe than after another move. It is by two guards, else by escapes, or by
/// checks. `None` for other facts.
const fn king_loss(kind: &FactKind) -> Option<KingLoss> {
    match kind {
        FactKind::ExposedKing { safety, other } if safety.guards + 2 <= other.guards => {
            Some(KingLoss::Guards(safety.guards, other.guards))
        }
        FactKind::ExposedKing { safety, other } => Some(KingLoss::Escapes(safety.escapes, other.escapes)),
        FactKind::KingChecked { checks, other } => Some(KingLoss::Checks(*checks, *other)),
        _ => None,
    }
}

/// Whether a fork only attacks pieces behind the forking piece, as a silver between a rook and a gold does.
fn attacks_behind(fact: &Fact) -> bool {
    let FactKind::Fork { squares, .. } = &fact.kind else { return false };
    let Some((attacker, targets)) = squares.split_first() else { return false };
    targets.iter().all(|target| match fact.side {
        Color::Black => target.rank() > attacker.rank(),
        Color::White => target.rank() < attacker.rank(),
    })
}

/// Whether the whole value of a piece is lost, without compensation.
const fn is_for_nothing(piece: PieceKind, Gain(gain): Gain) -> bool {
    -gain >= i32::midpoint(piece_value(piece), piece_value(piece.unpromoted()))
}

/// Whether a gain is about the value of one piece, without other gains or losses.
fn is_net(piece: PieceKind, Gain(gain): Gain) -> bool {
    let worth = i32::midpoint(piece_value(piece), piece_value(piece.unpromoted()));
    (gain - worth).abs() <= ABOUT
}

/// Whether the first move of the line goes to a square, and the second does not.
fn is_captured_at_once(fact: &Fact, square: Square) -> bool {
    let to = |at: usize| fact.line.get(at).map(|mv| mv.to());
    to(0) == Some(square) && to(1) != Some(square)
}

fn king(side: Color, [black, white]: [&str; 2], lang: Lang) -> String {
    words::king(if side == Color::Black { black } else { white }, lang)
}
