//! The words for each kind of fact: one row a kind. A sentence never claims more than its fact.

use super::ReasonWriter;
use crate::reasons_text::{self as words, Motif, mate};
use shogibar_base::count::counted;
use shogibar_base::{Lang, say};
use shogibar_facts::{Exchange, Fact, FactKind, Gain, KingSafety, piece_value};
use shogibar_shogi::board_text::square_name;
use shogibar_shogi::{Color, Move, PieceKind, Square};

/// The rank of the last fault about a mate. A text about a mate has no other fact.
pub(super) const LAST_MATE_RANK: u8 = 4;

/// The rank of the first plan. Plans are told after all other facts.
pub(super) const FIRST_PLAN_RANK: u8 = 12;

/// The maximum difference of a gain from the value of the piece that a text names, in tenths of a pawn.
const MAX_GAIN_DIFFERENCE: i32 = 15;

/// The minimum gain of a sentence that names one piece of several, in tenths of a pawn: a lance.
const MIN_GAIN_AMONG_OTHERS: i32 = 40;

/// The words for a fault of the move, or for a merit of the better move.
#[derive(Debug)]
pub(super) struct FactText {
    pub(super) is_fault: bool,
    /// 0 for the most important of the faults, or of the merits.
    pub(super) rank: u8,
    pub(super) motif: Motif,
    /// `None` if the game has no words for the fact.
    pub(super) sentence: Option<String>,
    /// A few words for a list; `None` if these are the sentence.
    short: Option<String>,
    /// The piece that is lost or won, and its square.
    pub(super) piece: Option<(PieceKind, Square)>,
}

impl FactText {
    fn fault(rank: u8, motif: Motif, sentence: impl Into<Option<String>>) -> Self {
        Self {
            is_fault: true,
            rank,
            motif,
            sentence: sentence.into(),
            short: None,
            piece: None,
        }
    }

    fn merit(rank: u8, motif: Motif, sentence: impl Into<Option<String>>) -> Self {
        Self {
            is_fault: false,
            ..Self::fault(rank, motif, sentence)
        }
    }

    /// Sets the words for a list. A merit without a sentence is not listed.
    fn with_short(mut self, short: impl Into<String>) -> Self {
        if self.is_fault || self.sentence.is_some() {
            self.short = Some(short.into());
        }
        self
    }

    /// Sets the words for a list to the motif with the move that makes it, or the first of the moves that lead there.
    fn with_move(self, fact: &Fact, first: &str, lang: Lang) -> Self {
        let motif = self.motif.text(lang);
        let short = match (self.is_fault, fact.lead) {
            (true, 0) => say!(lang: "{first}の{motif}", "{motif} by {first}"),
            (true, _) => say!(lang: "{first}以下の{motif}", "{motif} after {first}"),
            (false, 0) => return self,
            (false, _) => say!(lang: "{first}以下の{motif}を逃した", "{motif} after {first} missed"),
        };
        self.with_short(short)
    }

    fn with_piece(mut self, kind: PieceKind, square: Square) -> Self {
        self.piece = Some((kind, square));
        self
    }

    /// Returns a few words for a list.
    pub(super) fn short(&self) -> Option<&str> {
        self.short.as_deref().or(self.sentence.as_deref())
    }
}

/// The names of the pieces of a trade, those of the greater value first.
enum TradeWords {
    /// One piece for another: the name of the exchange (`角金`), and the pieces.
    OneForOne(String, [&'static str; 2]),
    /// Pieces for nothing but pawns.
    ForNothing(String),
    /// Pieces for others.
    Several(String, String),
}

impl ReasonWriter {
    /// Returns the words for a fact; `None` if it shows neither a fault of the move nor a merit of the better move.
    #[expect(clippy::too_many_lines, reason = "one row for each kind")]
    pub(super) fn text(&self, fact: &Fact) -> Option<FactText> {
        let lang = self.lang;
        let (first, moves) = (self.first_move(fact)?, self.led_move(fact)?);
        let (king, other_king) = (self.king(fact.side), self.king(fact.side.flip()));
        let is_opponents = fact.side != self.mover();
        Some(match &fact.kind {
            FactKind::ThreatUnmet { length } => {
                let sentence = say!(lang: "{king}に掛かった詰めろを受けていない。{mate}。",
                    "It does not meet the mate threat against {king}: {mate}.", mate = mate(&first, *length, lang));
                FactText::fault(0, Motif::ThreatUnmet, sentence)
                    .with_short(lang.pick("詰めろを受けていない", "Mate threat not met"))
            }
            FactKind::MateAllowed { length } => {
                let sentence = say!(lang: "{king}に詰みが生じた。{mate}。",
                    "It lets {king} be mated: {mate}.", mate = mate(&first, *length, lang));
                FactText::fault(1, Motif::MateAllowed, sentence).with_short(Motif::MateAllowed.text(lang))
            }
            FactKind::MateMissed { length } => {
                let sentence = match length {
                    Some(1) => say!(lang: "{first}までの1手詰を逃した。", "It misses mate by {first}."),
                    Some(length) => say!(lang: "{first}以下の{length}手詰を逃した。",
                        "It misses mate in {length} by {first}."),
                    None => {
                        say!(lang: "{first}以下の詰みを逃した。", "It misses a mate that begins with {first}.")
                    }
                };
                FactText::fault(2, Motif::MateMissed, sentence)
                    .with_short(lang.pick("詰みを逃した", "Mate missed"))
            }
            FactKind::EngineMateAllowed { length } => {
                let sentence = say!(lang: "エンジンの読みでは{first}以下、{king}が{length}手で詰む。",
                    "The engine sees {king} mated in {length}, starting with {first}.");
                FactText::fault(3, Motif::MateAllowed, sentence).with_short(Motif::MateAllowed.text(lang))
            }
            FactKind::EngineMateMissed { length } => {
                let sentence = say!(lang: "エンジンの読みでは{first}以下{length}手の詰みがあった。",
                    "The engine saw mate in {length}, starting with {first}.");
                FactText::fault(LAST_MATE_RANK, Motif::MateMissed, sentence)
                    .with_short(lang.pick("詰みを逃した", "Mate missed"))
            }
            FactKind::BrinkmateMade => {
                let text = if is_opponents {
                    let sentence = say!(lang: "{moves}で{other_king}は必至。",
                        "It allows {moves}, which leaves {other_king} no escape from mate.");
                    FactText::fault(LAST_MATE_RANK, Motif::Brinkmate, sentence)
                } else {
                    let sentence = say!(lang: "最善は{moves}で必至。",
                        "{moves} would have left {other_king} no escape from mate.");
                    FactText::merit(0, Motif::Brinkmate, sentence)
                };
                text.with_move(fact, &first, lang)
            }
            FactKind::ThreatMade { .. } => {
                let text = if is_opponents {
                    let sentence = say!(lang: "{moves}で{other_king}に詰めろが掛かる。",
                        "It allows {moves}, which threatens mate.");
                    FactText::fault(8, Motif::Threat, sentence)
                } else if fact.lead == 0 {
                    let sentence =
                        say!(lang: "最善の{moves}なら詰めろ。", "{moves} would have threatened mate.");
                    FactText::merit(2, Motif::Threat, sentence)
                } else {
                    let sentence =
                        say!(lang: "最善は{moves}の詰めろ。", "{moves} would have threatened mate.");
                    FactText::merit(2, Motif::Threat, sentence)
                };
                text.with_move(fact, &first, lang)
            }
            FactKind::Fork { piece, squares, .. } => {
                let fork = self.fork(fact, *piece, squares, &moves);
                self.tactic(fact, Motif::Fork, fork?)
                    .with_move(fact, &first, lang)
            }
            FactKind::Skewer {
                piece,
                squares: [_, front, back],
                ..
            } => {
                let targets = words::pieces(&self.pieces_on(fact, &[*front, *back])?, lang);
                let skewer = if *piece == PieceKind::Lance {
                    say!(lang: "{moves}で{targets}の田楽刺し。", "{moves} skewers {targets}.")
                } else {
                    say!(lang: "{moves}で{targets}の串刺し。", "{moves} skewers {targets}.")
                };
                self.tactic(fact, Motif::Skewer, skewer)
            }
            FactKind::Pin { .. } | FactKind::Discovered { .. } | FactKind::Trapped { .. }
                if !is_opponents =>
            {
                return None;
            }
            FactKind::Pin {
                squares: [_, pinned, _],
                ..
            } => {
                let (piece, capture) = (self.piece_on(fact, *pinned)?, self.capture(fact, *pinned)?);
                let pin = say!(lang: "{piece}は動けば玉を取られるので、{capture}で取られる。",
                    "{capture} takes the {piece}, which is pinned to the king.");
                let sentence = if fact.lead == 0 {
                    pin
                } else {
                    say!(lang: "{moves}の後、{pin}", "After {moves}: {pin}")
                };
                self.tactic(fact, Motif::Pin, sentence)
            }
            FactKind::Discovered {
                squares: [_, _, target],
                ..
            } => {
                let target = self.piece_on(fact, *target)?;
                let sentence = say!(lang: "{moves}で{target}を素抜かれる。", "{moves} uncovers an attack on the {target}.");
                self.tactic(fact, Motif::Discovered, sentence)
            }
            FactKind::Trapped { piece, square, .. } => {
                let name = self.piece(*piece);
                let sentence = say!(lang: "{moves}で{name}が逃げられない。", "{moves} traps the {name}.");
                self.tactic(fact, Motif::Trapped, sentence)
                    .with_piece(*piece, *square)
            }
            FactKind::LosesPiece { piece, square, gain } => {
                let name = self.piece(*piece);
                FactText::fault(6, Motif::PieceLost, self.lost_piece(fact, *piece, *square, *gain))
                    .with_short(say!(lang: "{name}を取られる", "Loses the {name}"))
                    .with_piece(*piece, *square)
            }
            FactKind::LosesMaterial { gain } => {
                FactText::fault(10, Motif::PieceLost, self.lost_exchange(fact, *gain))
            }
            FactKind::WinsPiece { piece, square, gain } => {
                let name = self.piece(*piece);
                FactText::merit(1, Motif::PieceMissed, self.won_piece(fact, *piece, *gain))
                    .with_short(say!(lang: "{first}の{name}得を逃した", "Missed {first}, winning the {name}"))
                    .with_piece(*piece, *square)
            }
            FactKind::Exchange {
                exchange: Exchange::TwoForOne,
                ..
            } if is_opponents => {
                let sentence = say!(lang: "{first}以下、二枚換えにされる。", "After {first}, two pieces are lost for one.");
                FactText::fault(7, Motif::TwoForOne, sentence)
            }
            FactKind::LetsPromote { piece, .. } => {
                let promotion = self.last_move(fact)?;
                let sentence = if *piece == PieceKind::Pawn {
                    say!(lang: "{promotion}でと金を作られる。", "It allows the promotion {promotion}.")
                } else {
                    say!(lang: "{promotion}と成り込まれる。", "It allows the promotion {promotion}.")
                };
                FactText::fault(9, Motif::Promotion, sentence)
            }
            FactKind::Promotes { piece, .. } => {
                FactText::merit(3, Motif::Promotion, self.promotion(fact, *piece, &first))
            }
            FactKind::ExposedKing { safety, other } => {
                let [state, other] = king_loss(*safety, *other, lang);
                if is_opponents {
                    let sentence = say!(lang: "最善の{first}なら{king}の{state}（指した手なら{other}）。",
                        "{first} would have left {king} with {state} ({other} after the move played).");
                    FactText::merit(4, Motif::King, sentence)
                } else {
                    let sentence = say!(lang: "{first}以下、{king}の{state}（最善なら{other}）。",
                        "After {first}, {king} has {state} ({other} after the best move).");
                    FactText::fault(11, Motif::King, sentence)
                        .with_short(lang.pick("玉が薄くなる", "Exposes the king"))
                }
            }
            FactKind::PromotionUnstoppable { piece, square } => {
                let promotion = self.promised_promotion(fact, *piece, *square);
                if is_opponents {
                    let sentence = promotion.map(|promotion| {
                        say!(lang: "{first}で、次の{promotion}が受からない。",
                            "After {first}, nothing stops {promotion}.")
                    });
                    FactText::fault(FIRST_PLAN_RANK, Motif::Promotion, sentence)
                } else {
                    let sentence = promotion.map(|promotion| {
                        say!(lang: "最善の{first}なら次の{promotion}が受からない。",
                            "After {first}, nothing would have stopped {promotion}.")
                    });
                    FactText::merit(5, Motif::Promotion, sentence)
                }
            }
            FactKind::AttackEnds { .. } => {
                let side = self.title(fact.side);
                let sentence = say!(lang: "{first}以下、{side}の攻めが続かない（最善なら続く）。",
                    "After {first}, {side}'s attack does not go on (it does after the best move).");
                FactText::fault(13, Motif::Activity, sentence)
                    .with_short(lang.pick("攻めが続かない", "Attack ends"))
            }
            FactKind::Initiative { piece, .. } => {
                let piece = self.piece(*piece);
                if is_opponents {
                    let sentence = say!(lang: "{first}の{piece}取りで手番を握られる。",
                        "{first} attacks the {piece} and takes the initiative.");
                    FactText::fault(14, Motif::Activity, sentence)
                } else {
                    let sentence = say!(lang: "最善の{first}なら{piece}取りで手番を握れる。",
                        "{first} would have attacked the {piece} and taken the initiative.");
                    FactText::merit(6, Motif::Activity, sentence)
                }
            }
            FactKind::IdlePiece { piece, square, .. } => {
                let (piece, at) = (self.piece(*piece), square_name(*square, lang));
                let sentence = say!(lang: "{first}以下、{at}の{piece}が働かなくなる。",
                    "After {first}, the {piece} on {at} no longer plays.");
                FactText::fault(15, Motif::Activity, sentence)
            }
            // The bar states some of them of a position.
            FactKind::Check
            | FactKind::Mate { .. }
            | FactKind::ThreatOfMate { .. }
            | FactKind::Brinkmate
            | FactKind::OnlyMove { .. }
            | FactKind::Exchange { .. }
            | FactKind::EnteringKing { .. }
            | FactKind::Castle { .. }
            | FactKind::CastleBroken { .. }
            | FactKind::Opening { .. }
            | FactKind::Punished
            | FactKind::Unpunished => return None,
        })
    }

    /// Returns the words for a tactic by the opponent, or by the better move.
    fn tactic(&self, fact: &Fact, motif: Motif, clause: String) -> FactText {
        let lang = self.lang;
        if fact.side == self.mover() {
            FactText::merit(0, motif, say!(lang: "最善は{clause}", "Better: {clause}"))
        } else {
            FactText::fault(5, motif, clause)
        }
    }

    /// Returns the clause about a fork. `moves` end with the forking move.
    fn fork(&self, fact: &Fact, piece: PieceKind, squares: &[Square], moves: &str) -> Option<String> {
        let lang = self.lang;
        let (attacker, targets) = squares.split_first()?;
        let kinds = self.pieces_on(fact, targets)?;
        let names = words::pieces(&kinds, lang);
        if let [PieceKind::King, PieceKind::Rook] | [PieceKind::Rook, PieceKind::King] = kinds[..] {
            return Some(say!(lang: "{moves}で王手飛車。", "{moves} forks the king and the rook."));
        }
        if let [PieceKind::King, other] | [other, PieceKind::King] = kinds[..] {
            let piece = self.piece(other);
            return Some(say!(lang: "{moves}で王手{piece}取り。", "{moves} forks the king and the {piece}."));
        }
        let is_behind = |target: &Square| match fact.side {
            Color::Black => target.rank() > attacker.rank(),
            Color::White => target.rank() < attacker.rank(),
        };
        let is_split = matches!(fact.line.get(fact.lead), Some(Move::Drop { .. }))
            && targets.iter().all(is_behind)
            && kinds
                .iter()
                .all(|kind| matches!(kind.unpromoted(), PieceKind::Rook | PieceKind::Gold));
        Some(match piece {
            PieceKind::Silver if is_split => {
                say!(lang: "{moves}で割り打ちの銀（{names}）。", "{moves} forks {names} with a silver.")
            }
            PieceKind::Knight => {
                say!(lang: "{moves}でふんどしの桂（{names}）。", "{moves} forks {names} with a knight.")
            }
            _ => say!(lang: "{moves}で{names}の両取り。", "{moves} forks {names}."),
        })
    }

    /// Returns the sentence that the side of a fact loses a piece; `None` without words for the compensation.
    fn lost_piece(&self, fact: &Fact, piece: PieceKind, square: Square, gain: Gain) -> Option<String> {
        let lang = self.lang;
        let (first, name) = (self.first_move(fact)?, self.piece(piece));
        let [to, next_to] = [0, 1].map(|at| fact.line.get(at).map(|mv| mv.to()));
        let is_captured_at_once = to == Some(square) && next_to != Some(square);
        if is_captured_at_once
            && -gain.0 >= mean_value(piece)
            && !self.has_captured()
            && !self.can_take_back(fact)
        {
            return Some(
                say!(lang: "{first}で{name}をただで取られる。", "{first} wins the {name} for nothing."),
            );
        }
        if !is_gain_of_one_piece(piece, Gain(-gain.0)) {
            return self
                .lost_exchange(fact, gain)
                .or_else(|| self.lost_among_others(&first, piece, gain));
        }
        Some(if has_named_gain(piece) {
            let name = self.base_piece(piece);
            say!(lang: "{first}以下、{name}損になる。", "After {first}, the {name} is lost.")
        } else {
            say!(lang: "{first}以下、{name}を取られる。", "After {first}, the {name} is captured.")
        })
    }

    /// Returns the sentence that the side of a fact loses a piece, and more or less than its value; `None` for a small loss.
    fn lost_among_others(&self, first: &str, piece: PieceKind, Gain(gain): Gain) -> Option<String> {
        let (lang, name) = (self.lang, self.piece(piece));
        if -gain < MIN_GAIN_AMONG_OTHERS {
            return None;
        }
        Some(if -gain > mean_value(piece) {
            say!(lang: "{first}以下、{name}を取られるなどの駒損になる。",
                "After {first}, the {name} is captured, and more is lost.")
        } else {
            say!(lang: "{first}以下、{name}を取られて駒損になる。",
                "After {first}, the {name} is captured for too little.")
        })
    }

    /// Returns the sentence that the side of a fact wins a piece, and more or less than its value; `None` for a small gain.
    fn won_among_others(&self, first: &str, piece: PieceKind, Gain(gain): Gain) -> Option<String> {
        let (lang, name) = (self.lang, self.piece(piece));
        if gain < MIN_GAIN_AMONG_OTHERS {
            return None;
        }
        Some(if gain > mean_value(piece) {
            say!(lang: "最善の{first}なら{name}を取るなどの駒得。", "{first} would have won the {name}, and more.")
        } else {
            say!(lang: "最善の{first}なら{name}を取って駒得。", "{first} would have won the {name} for less.")
        })
    }

    /// Returns the sentence that the side of a fact loses pieces for others, or for nothing; `None` where the captures of
    /// the line are not the whole loss.
    fn lost_exchange(&self, fact: &Fact, gain: Gain) -> Option<String> {
        let (lang, first) = (self.lang, self.first_move(fact)?);
        Some(match self.trade_words(fact, fact.side.flip(), Gain(-gain.0))? {
            TradeWords::OneForOne(exchange, [lost, won]) => {
                say!(lang: "{first}以下、{exchange}交換の駒損。", "After {first}, a {lost} is lost for a {won}.")
            }
            TradeWords::ForNothing(lost) => {
                say!(lang: "{first}以下、{lost}を取られる。", "{first} wins {lost}.")
            }
            TradeWords::Several(lost, won) => {
                say!(lang: "{first}以下、{lost}を渡して{won}を取るだけの駒損。",
                "After {first}, {lost} must be given for {won}.")
            }
        })
    }

    /// Returns the sentence that the side of a fact wins a piece; `None` without words for the compensation.
    fn won_piece(&self, fact: &Fact, piece: PieceKind, gain: Gain) -> Option<String> {
        let (lang, first) = (self.lang, self.first_move(fact)?);
        if !is_gain_of_one_piece(piece, gain) {
            return self
                .won_exchange(fact, gain)
                .or_else(|| self.won_among_others(&first, piece, gain));
        }
        Some(if has_named_gain(piece) {
            let name = self.base_piece(piece);
            say!(lang: "最善の{first}なら{name}得。", "{first} would have won the {name}.")
        } else {
            let name = self.piece(piece);
            say!(lang: "最善の{first}なら{name}を取れる。", "{first} would have captured the {name}.")
        })
    }

    /// Returns the sentence that the side of a fact wins pieces for others, or for nothing; `None` where the captures of the
    /// line are not the whole gain.
    fn won_exchange(&self, fact: &Fact, gain: Gain) -> Option<String> {
        let (lang, first) = (self.lang, self.first_move(fact)?);
        Some(match self.trade_words(fact, fact.side, gain)? {
            TradeWords::OneForOne(exchange, [won, lost]) => {
                say!(lang: "最善の{first}なら{exchange}交換の駒得。",
                "{first} would have won a {won} for a {lost}.")
            }
            TradeWords::ForNothing(won) => {
                say!(lang: "最善の{first}なら{won}を取れる。", "{first} would have won {won}.")
            }
            TradeWords::Several(won, lost) => say!(lang: "最善の{first}なら{lost}を渡して{won}を取る駒得。",
                "{first} would have won {won} for {lost}."),
        })
    }

    /// Returns the names of the pieces that a side wins and loses along the line of a fact; `None` where they are not its
    /// whole gain.
    fn trade_words(&self, fact: &Fact, side: Color, gain: Gain) -> Option<TradeWords> {
        let [won, lost] = self.trade(fact, side)?;
        if let ([won], [lost]) = (won.as_slice(), lost.as_slice())
            && piece_value(*won) > piece_value(*lost)
        {
            let exchange = self.exchange_name(*won, *lost);
            return Some(TradeWords::OneForOne(
                exchange,
                [*won, *lost].map(|kind| self.piece(kind)),
            ));
        }
        if !is_whole_gain(&won, &lost, gain) {
            return None;
        }
        let names = |kinds: &[PieceKind]| words::some_pieces(kinds, self.lang);
        Some(if lost.is_empty() {
            TradeWords::ForNothing(names(&won))
        } else {
            TradeWords::Several(names(&won), names(&lost))
        })
    }

    /// Returns the sentence about a promotion by the better move, or by a later move of the line.
    fn promotion(&self, fact: &Fact, piece: PieceKind, first: &str) -> Option<String> {
        let lang = self.lang;
        if fact.line.len() > 1 {
            let promotion = self.last_move(fact)?;
            return Some(if piece == PieceKind::Pawn {
                say!(lang: "最善の{first}なら{promotion}でと金を作れる。", "After {first}, {promotion} would have followed.")
            } else {
                say!(lang: "最善の{first}なら{promotion}と成り込める。", "After {first}, {promotion} would have followed.")
            });
        }
        let (mv, played) = (fact.line.first()?, self.history_after.moves().last()?);
        Some(if (mv.from(), mv.to()) == (played.from(), played.to()) {
            say!(lang: "{first}と成るべきだった。", "{first}, with promotion, was better.")
        } else {
            say!(lang: "最善は{first}と成り込む手。", "{first} was better: it promotes.")
        })
    }

    /// Returns the promotion on a square that the first move of a line promises, in words; `None` if two pieces can
    /// promote.
    fn promised_promotion(&self, fact: &Fact, piece: PieceKind, square: Square) -> Option<String> {
        let mut position = self.history(fact).now().without_history();
        position.play(*fact.line.first()?).ok()?;
        let passed = position.with_side_to_move(fact.side);
        let mut promotions = passed.legal_moves();
        promotions.retain(|mv| match *mv {
            Move::Board { from, to, promote } => {
                promote && to == square && passed.piece_on(from).is_some_and(|moved| moved.kind == piece)
            }
            Move::Drop { .. } => false,
        });
        let [promotion] = promotions[..] else {
            return None;
        };
        Some(self.move_text(passed, promotion))
    }
}

/// Returns the safety of a king after a move, and after the other move: `守りの金銀が1枚になる` and `3枚`, `1 guard` and
/// `3`. A loss of two guards takes precedence over a loss of escape squares.
fn king_loss(safety: KingSafety, other: KingSafety, lang: Lang) -> [String; 2] {
    if safety.guards + 2 <= other.guards {
        let (guards, other) = (safety.guards, other.guards);
        let state = match (guards, lang) {
            (0, Lang::Ja) => "守りの金銀がなくなる".to_owned(),
            (_, Lang::Ja) => format!("守りの金銀が{guards}枚になる"),
            (0, Lang::En) => "no guards".to_owned(),
            (_, Lang::En) => counted(&guards, &["guard"]),
        };
        return [state, say!(lang: "{other}枚", "{other}")];
    }
    let (escapes, other) = (safety.escapes, other.escapes);
    let state = match (escapes, lang) {
        (0, Lang::Ja) => "逃げ道がなくなる".to_owned(),
        (_, Lang::Ja) => format!("逃げ道が{escapes}つになる"),
        (0, Lang::En) => "no escape squares".to_owned(),
        (_, Lang::En) => counted(&escapes, &["escape square"]),
    };
    [state, say!(lang: "{other}つ", "{other}")]
}

/// Returns whether the gain of a piece has a name: `角得`. That of a promoted pawn, lance, knight or silver has none.
const fn has_named_gain(piece: PieceKind) -> bool {
    !piece.is_promoted() || matches!(piece, PieceKind::Dragon | PieceKind::Horse)
}

/// Returns the mean of the values of a piece on the board and in hand.
const fn mean_value(piece: PieceKind) -> i32 {
    i32::midpoint(piece_value(piece), piece_value(piece.unpromoted()))
}

/// Returns whether the pieces of a trade, at most three on each side, are the whole gain but for pawns.
fn is_whole_gain(won: &[PieceKind], lost: &[PieceKind], gain: Gain) -> bool {
    const MAX_PIECES: usize = 3;
    const MAX_PAWNS: i32 = 25;
    let value = |kinds: &[PieceKind]| kinds.iter().map(|kind| mean_value(*kind)).sum::<i32>();
    !won.is_empty()
        && won.len().max(lost.len()) <= MAX_PIECES
        && (value(won) - value(lost) - gain.0).abs() <= MAX_PAWNS
        && value(won) > value(lost)
}

/// Returns whether a gain is about the value of one piece, without other gains or losses.
const fn is_gain_of_one_piece(piece: PieceKind, Gain(gain): Gain) -> bool {
    (gain - mean_value(piece)).abs() <= MAX_GAIN_DIFFERENCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trade_is_named_where_its_pieces_are_the_whole_gain() {
        use PieceKind::{Bishop, Gold, Silver};
        let value = |kinds: &[PieceKind]| kinds.iter().map(|kind| mean_value(*kind)).sum::<i32>();
        let gain = value(&[Bishop, Gold]) - value(&[Silver, Silver]);
        let named = |gain| is_whole_gain(&[Bishop, Gold], &[Silver, Silver], Gain(gain));
        assert!(named(gain) && named(gain + 20), "but for two pawns");
        assert!(!named(gain + 60), "another piece is lost at the end of the line");
        assert!(
            !is_whole_gain(&[Silver], &[Gold], Gain(0)),
            "a trade that gains nothing"
        );
        assert!(
            !is_whole_gain(&[Gold; 4], &[], Gain(value(&[Gold; 4]))),
            "too many pieces"
        );
    }
}
