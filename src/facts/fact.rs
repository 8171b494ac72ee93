//! A fact about a position or a move, with its proof.

mod json;

use serde::Serialize;
use shogibar_shogi::{Color, Move, PieceKind, Square};

/// The position in which the line of a fact begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactPosition {
    /// The position before the move.
    Before,
    /// The position after the move, or the position itself for a fact about a position.
    After,
}

/// A gain of material, in tenths of a pawn, from the view of the side of the fact. The gain is half of the change of
/// the difference between the two sides. So a pawn that changes hands is 10. [`piece_value`](crate::piece_value) has
/// the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Gain(pub i32);

/// The defenders and escape squares of a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingSafety {
    /// The number of the side's golds, silvers and other gold movers on the eight squares around the king.
    pub guards: u8,
    /// The number of squares around the king that are neither occupied by its side nor attacked by the opponent.
    pub escapes: u8,
}

/// The pieces that were exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exchange {
    /// A bishop for a bishop (角交換). The first two moves of the line capture them on one square.
    Bishops,
    /// A rook for a rook (飛車交換), on one square like bishops.
    Rooks,
    /// A rook for a bishop (飛角交換), on one square like bishops. The side of the fact gets the rook.
    RookForBishop,
    /// Two golds or silvers for a bishop or rook (二枚換え), and otherwise only pawns, along the whole line. The side
    /// of the fact gets the two pieces.
    TwoForOne,
}

/// The pieces that attack a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingAttack {
    /// The number of pieces on the board, pawns included but not the king, that attack the king's square or one of the
    /// eight around it.
    pub attackers: u8,
    /// The number of pieces in hand other than pawns.
    pub in_hand: u8,
    /// The number of moves of the attacking side along the line that give check or capture a piece beside the king.
    pub attacking_moves: u8,
}

/// The statement that is proved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FactKind {
    /// The side to move is in check.
    Check,
    /// The side to move mates by the line, in at most `length` plies.
    Mate {
        /// The length of the shortest mate in plies; `None` if a shorter one is not excluded.
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u16>,
    },
    /// The side had a mate before its move. Neither after the reply in the game nor after the engine's reply does a
    /// sequence of checks mate, or this is not known, and the side does not win by the engine's value. If neither reply is
    /// known, the opponent has such a reply. The line begins before the move.
    MateMissed {
        /// The length of the shortest mate in plies; `None` if a shorter one is not excluded.
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u16>,
    },
    /// The move lets the opponent mate by checks. It was proved that another move does not, or the opponent did not win by
    /// the engine's value before the move. The line begins after the move. The side of the fact is mated.
    MateAllowed {
        /// The length of the shortest mate in plies; `None` if a shorter one is not excluded.
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u16>,
    },
    /// By the engine's values the side mates before its move, and no longer after it. Where a mate is proved,
    /// [`MateMissed`](Self::MateMissed) is stated instead. The line is the engine's. It begins before the move with another
    /// move, which gives check.
    EngineMateMissed {
        /// The length of the mate in plies by the engine.
        length: u16,
    },
    /// By the engine's values the opponent mates after the move, and did not before it. Where a mate is proved,
    /// [`MateAllowed`](Self::MateAllowed) is stated instead. The line is the engine's. It begins after the move with a
    /// check. The side of the fact is mated.
    EngineMateAllowed {
        /// The length of the mate in plies by the engine.
        length: u16,
    },
    /// The side would be mated if it passed (詰めろ). The side is to move and not in check. The line begins after the
    /// pass.
    ThreatOfMate {
        /// The length of the shortest mate in plies after the pass; `None` if a shorter one is not excluded.
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u16>,
    },
    /// The side was under a threat of mate before its move. The move does not meet the threat, and another move would
    /// have. The line begins after the move. A [`MateAllowed`](Self::MateAllowed) is stated as well.
    ThreatUnmet {
        /// The length of the shortest mate in plies after the move; `None` if a shorter one is not excluded.
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u16>,
    },
    /// The first move of the line makes a threat of mate against the other side. The rest of the line mates after this
    /// move and a pass. Before this move, the side was not in check and had no mate by checks.
    ///
    /// A line from before the move begins with that move, or the better move if that move makes no threat. A line from
    /// after the move begins with the engine's reply. Then the better move is proved to let the opponent make no
    /// threat, by that reply or by the engine's.
    ///
    /// With [moves that lead there](Fact::lead), the line before the pass is the better line, or the engine's line after
    /// the move. The side is proved to make no threat by its moves up to the same one along the other line, that of the
    /// move or the better one. After the better line, the threatening move is illegal or makes no threat, too.
    ThreatMade {
        /// The length of the shortest mate in plies after the pass; `None` if a shorter one is not excluded.
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u16>,
    },
    /// The first move of the line makes a brinkmate against the other side. The other side is not in check then and has no
    /// mate by checks, and after each of its legal moves the side mates by checks. The rest of the line mates after the
    /// first move and a pass.
    ///
    /// A line from before the move begins with the better move, and the played move is proved to make no brinkmate: after
    /// a pass or one of the answers, no checks mate. A line from after the move begins with the engine's reply. After
    /// the better move that reply is illegal, or is proved to make no brinkmate in the same way, and so is the engine's
    /// reply to the better move. A [`ThreatMade`](Self::ThreatMade) by the same move is not stated beside it.
    BrinkmateMade,
    /// The side cannot avoid the mate by any move (必至). After each of its legal moves the opponent mates by checks.
    /// The side is to move, not in check, and has no mate by checks. As for a threat, the line begins after a pass.
    Brinkmate,
    /// The move of the line is the only good move. Either the opponent is proved to mate by checks after every other
    /// legal move, and not to after this move. Or the next candidate is 10 points or more behind.
    OnlyMove {
        /// The number of candidates within 5 points of the best; 1 if there are no candidates.
        #[serde(rename = "holds")]
        holding_count: u8,
        /// Whether every other move was proved to be mated. Otherwise the values of the engine decide.
        #[serde(rename = "proved")]
        is_proved: bool,
    },
    /// The side's move loses a piece along the line, which begins after the move. The piece is on its square after the
    /// move and is not won back.
    ///
    /// The side loses at least half of the piece's value, in two comparisons. The first is along the line, with the
    /// capture by the move. The second is with the better move along its line: it does not lose the piece, or not for
    /// nothing. The second need not hold if the opponent's first or second move captures the piece, and the better line
    /// loses such a piece on that square later. Captures at the end of the line count. The losses by later moves of the
    /// side do not count.
    LosesPiece {
        /// The lost piece, promoted or not.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the capture.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
        /// The gain of the side along the whole line; negative.
        #[serde(serialize_with = "json::loss")]
        gain: Gain,
    },
    /// The side's move loses material along the line, which begins after the move. Both this line and the better line
    /// end in a [quiet](crate::is_quiet) position.
    ///
    /// The side has lost two pawns or more there, and has two pawns more along the better line. The captures that
    /// follow and the capture by the move count. The losses by later moves of the side do not count. No piece is named:
    /// if one is lost, [`LosesPiece`](Self::LosesPiece) is stated instead.
    LosesMaterial {
        /// The gain of the side along the whole line; negative.
        #[serde(serialize_with = "json::loss")]
        gain: Gain,
    },
    /// The side wins a piece along the line, which begins before its move. The opponent does not win such a piece back.
    /// The side gains at least half of its value, beyond the gain of the opponent by its last move. Captures at the end
    /// of the line count. The losses by the opponent's moves do not count.
    WinsPiece {
        /// The piece that is won, promoted or not.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the capture.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
        /// The gain of the side along the whole line.
        gain: Gain,
    },
    /// Pieces are exchanged along the line. The line begins before the move with a capture by the mover, and ends in a
    /// [quiet](crate::is_quiet) position. Pawns do not count.
    Exchange {
        /// The gain of the side along the whole line.
        gain: Gain,
        /// The kind of exchange.
        exchange: Exchange,
    },
    /// The piece of the first move attacks two pieces or more, one of which it captures and thereby wins (両取り). Each is
    /// the king, a piece of a higher value, or an unguarded piece other than a pawn.
    Fork {
        /// The piece that attacks, after its move.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the attacker, then the squares of the attacked pieces.
        #[serde(serialize_with = "json::squares")]
        squares: Vec<Square>,
        /// The gain of the side along the whole line.
        gain: Gain,
    },
    /// The piece of the first move attacks a piece, and through it another of no greater value. The attacker wins one
    /// of them (田楽刺し, 串刺し). The front piece may be the king. The piece behind it is not a pawn.
    Skewer {
        /// The piece that attacks, after its move.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The squares of the attacker, of the front piece and of the piece behind it.
        #[serde(serialize_with = "json::squares")]
        squares: [Square; 3],
        /// The gain of the side along the whole line.
        gain: Gain,
    },
    /// After the first move, an opponent's piece is pinned between a piece of the side and its king. The line wins that
    /// piece on its square.
    Pin {
        /// The piece that pins, promoted or not.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The squares of the pinning piece, of the pinned piece and of the king.
        #[serde(serialize_with = "json::squares")]
        squares: [Square; 3],
        /// The gain of the side along the whole line.
        gain: Gain,
    },
    /// The first move of the line uncovers an attack of another piece of the side. That piece captures its target on
    /// its square (素抜き).
    Discovered {
        /// The piece whose attack is uncovered.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The squares of that piece, of the piece that moves away (before its move), and of the target.
        #[serde(serialize_with = "json::squares")]
        squares: [Square; 3],
        /// The gain of the side along the whole line.
        gain: Gain,
    },
    /// After the first move of the line, an attacked silver, gold or large piece of the opponent is lost. Exchanges win
    /// it on its square and after each of its legal moves. The opponent is not in check. Without the first move, the piece
    /// could escape. The line wins the piece.
    Trapped {
        /// The piece that is trapped.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the piece after the first move.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
        /// The gain of the side along the line that captures the piece.
        gain: Gain,
    },
    /// The side promotes a piece by its first or second move of the line. The line begins before its move and ends with
    /// the promotion. No capture of the promoted piece gains material by exchanges.
    Promotes {
        /// The piece before its promotion.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the promotion.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
    },
    /// The side's move lets the opponent promote a piece safely. The line begins after the move and ends with the
    /// promotion. The better move does not let such a piece promote there.
    LetsPromote {
        /// The piece before its promotion.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the promotion.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
    },
    /// The side's king is less safe at the line's end than after the other move and the engine's line. Either the king
    /// has two guards fewer, and stands on the same square in all positions. Or the king has at most one escape, three
    /// fewer, and no more guards. Along the line the opponent checks the king, or captures a piece beside it. Both lines end with the last move of the side within
    /// the first 16 plies.
    ///
    /// A line after the move punishes the move, and the other move is the better one. A line before the move is the
    /// better line. The other move is then the played one, and the side is the opponent.
    #[serde(serialize_with = "json::exposed_king")]
    ExposedKing {
        /// The king at the end of the line.
        safety: KingSafety,
        /// The king at the end of the line after the other move.
        other: KingSafety,
    },
    /// The first move of the line promises a promotion that the other side cannot prevent. After each of its legal moves,
    /// the side can promote a piece of this kind on this square, and no capture of it gains material by exchanges. The
    /// piece is no silver. Neither side is in check before its move. Before the first move, the side could not promote
    /// such a piece there safely. The line has one move.
    ///
    /// A line from before the move begins with the better move, and the played move promises no promotion of such a piece
    /// on any square. A line from after the move begins with the engine's reply. Then neither the engine's reply to the
    /// better move nor the same reply, if it is legal there, promises one.
    ///
    /// This kind, [`AttackEnds`](Self::AttackEnds), [`Initiative`](Self::Initiative) and [`IdlePiece`](Self::IdlePiece)
    /// are plans. They are stated only of a move that loses 5 points of win rate or more by the engine's values, where
    /// both are known.
    PromotionUnstoppable {
        /// The piece before its promotion.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the promotion.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
    },
    /// The first move of the line attacks a piece and thereby forces an answer (先手). The second is the engine's answer,
    /// after which the side can move elsewhere. The line has these two moves. The first gives no check, and gains less
    /// than two pawns by its capture and promotion. Before it, the side is not in check.
    ///
    /// A move forces an answer if it gives check, or attacks a knight or a more valuable piece. Of the opponent's pieces,
    /// this is the one whose captures on its square gain most if the opponent passes. They gain 4 pawns or more, and more
    /// than twice as much as before the move. After the move, no captures by the opponent on one square gain 2 pawns.
    ///
    /// After the answer, captures of the attacked piece, wherever it is then, gain less than 4 pawns. The answer captures
    /// the piece that moved only if that is a pawn, and no captures on its square gain material in return. The answer
    /// gives no check. If the side passed after it, no captures by the opponent would gain 4 pawns, and no checks would
    /// mate.
    ///
    /// A line from before the move begins with the better move, and the played move forces no answer. A line from after
    /// the move begins with the engine's reply. Then neither the engine's reply to the better move nor the same reply, if
    /// it is legal there, forces an answer. None of these other moves is known to threaten a mate by checks.
    Initiative {
        /// The piece that is attacked: a knight or more, promoted or not.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the piece before the answer.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
    },
    /// The attack of the side on the king of the opponent does not go on after its move (攻めが続かない). The line begins
    /// after the move. The side has at least three moves in it, and none of them gives check or captures a piece beside
    /// the king. Along the better line at least two do.
    ///
    /// Before the move, the side has at least two attackers, as [`KingAttack`] counts them. Its attackers and pieces in hand
    /// together are fewer at the end of the line than before the move, and no more than at the end of the better line. Both
    /// lines end with the last move of the side within the first 16 plies.
    #[serde(serialize_with = "json::attack_ends")]
    AttackEnds {
        /// The attack at the end of the line.
        attack: KingAttack,
        /// The attack at the end of the better line.
        other: KingAttack,
    },
    /// A bishop, rook, horse or dragon of the side no longer plays (遊び駒). The piece is on the board before the move and
    /// in all positions of both lines, and no side promotes it. The captures that follow the lines leave it there, too.
    /// At the end of the line it can move to at most two squares where no capture of it gains material by exchanges. It
    /// could move to four more before the move, and can to four more at the end of the better line.
    ///
    /// The line begins after the move. Both lines end with the last move of the side within the first 16 plies, and
    /// neither with a check. The moves are counted as if the side were to move.
    IdlePiece {
        /// The piece.
        #[serde(serialize_with = "json::piece")]
        piece: PieceKind,
        /// The square of the piece at the end of the line.
        #[serde(rename = "squares", serialize_with = "json::square")]
        square: Square,
        /// The numbers of squares to which it can move safely: at the end of the line, and of the better line.
        safe_moves: [u8; 2],
    },
    /// The side's king has entered the camp of the opponent. Handicap pieces count for the side that gave them.
    #[serde(serialize_with = "json::entering_king")]
    EnteringKing {
        /// The points of all pieces of the side, on the board and in hand (24点法).
        points_24: u8,
        /// The points of the side's pieces in the camp and in hand (27点法).
        points_27: u8,
        /// The points missing for a declaration under the 27-point rule, of 28 for Black and 27 for White.
        missing_points: u8,
        /// The number of pieces missing in the camp for a declaration, of 10 beside the king.
        missing_pieces: u8,
    },
    /// The side's king is in a castle (囲い) of `formations.toml`.
    Castle {
        /// The Japanese name.
        name: &'static str,
        /// The English name.
        name_en: &'static str,
    },
    /// The former castle of the side is broken.
    CastleBroken {
        /// The Japanese name.
        name: &'static str,
        /// The English name.
        name_en: &'static str,
    },
    /// The opening (戦型) of the side, or of both.
    Opening {
        /// The Japanese name.
        name: &'static str,
        /// The English name.
        name_en: &'static str,
    },
    /// The move lost 10 points of win rate or more, and the reply in the game lost less than 5. The side is the side of
    /// the reply. The line begins after the move and has only the reply.
    Punished,
    /// The move lost 10 points of win rate or more, and so did the reply in the game. The reply is not the engine's,
    /// and begins no line that punishes the move. Side and line are as for [`Punished`](Self::Punished).
    Unpunished,
}

/// A proved statement about a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// The statement that is proved.
    pub kind: FactKind,
    /// The side that the fact is about, as the kind defines it. For [`FactKind::OnlyMove`] and [`FactKind::Check`], the
    /// side to move.
    pub side: Color,
    /// The position at which the line begins.
    pub at: FactPosition,
    /// The number of moves of the line that lead to the move which the kind calls the first: 0, 2, 4 or 6. The side of
    /// that move moves first in the line, too. Only [`FactKind::Fork`], [`FactKind::Skewer`], [`FactKind::Pin`],
    /// [`FactKind::Discovered`], [`FactKind::Trapped`], [`FactKind::ThreatMade`] and [`FactKind::BrinkmateMade`] have
    /// such moves. What these kinds say of the position before or after the first move is said of the positions around
    /// the move at this index.
    pub lead: usize,
    /// The moves that show the fact, in turn from that position, or after a pass if the kind says so. Empty if the
    /// position alone shows the fact.
    pub line: Vec<Move>,
}

impl Fact {
    /// Returns the side that mates, threatens, gains or promotes, or otherwise the side of the fact.
    pub const fn acting_side(&self) -> Color {
        match self.kind {
            FactKind::MateAllowed { .. }
            | FactKind::EngineMateAllowed { .. }
            | FactKind::ThreatOfMate { .. }
            | FactKind::ThreatUnmet { .. }
            | FactKind::Brinkmate
            | FactKind::LosesPiece { .. }
            | FactKind::LosesMaterial { .. }
            | FactKind::LetsPromote { .. } => self.side.flip(),
            FactKind::Check
            | FactKind::Mate { .. }
            | FactKind::MateMissed { .. }
            | FactKind::EngineMateMissed { .. }
            | FactKind::ThreatMade { .. }
            | FactKind::BrinkmateMade
            | FactKind::OnlyMove { .. }
            | FactKind::WinsPiece { .. }
            | FactKind::Exchange { .. }
            | FactKind::Fork { .. }
            | FactKind::Skewer { .. }
            | FactKind::Pin { .. }
            | FactKind::Discovered { .. }
            | FactKind::Trapped { .. }
            | FactKind::Promotes { .. }
            | FactKind::ExposedKing { .. }
            | FactKind::PromotionUnstoppable { .. }
            | FactKind::Initiative { .. }
            | FactKind::AttackEnds { .. }
            | FactKind::IdlePiece { .. }
            | FactKind::EnteringKing { .. }
            | FactKind::Castle { .. }
            | FactKind::CastleBroken { .. }
            | FactKind::Opening { .. }
            | FactKind::Punished
            | FactKind::Unpunished => self.side,
        }
    }
}
