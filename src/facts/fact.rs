//! A fact about a position or a move, with its proof.

use crate::shogi::{Color, Move, PieceKind, Square};

/// The position in which the line of a fact begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactPlace {
    /// Before the move.
    Before,
    /// After the move; for a fact about a position, that position.
    After,
}

/// A gain of material, in tenths of a pawn, from the view of the side of the fact. `docs/analysis.md` has the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gain(pub i32);

/// Which pieces were exchanged, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exchange {
    /// A bishop for a bishop (角交換).
    Bishops,
    /// A rook for a rook (飛車交換).
    Rooks,
    /// A rook for a bishop (飛角交換). The side of the fact gets the rook.
    RookForBishop,
    /// Two pieces for a large one (二枚換え). The side of the fact gets the two.
    TwoForOne,
}

/// What is proved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// The side to move is in check.
    Check,
    /// The side to move mates by the line, in at most `length` plies.
    Mate {
        /// The plies of the mate, an upper bound.
        length: u16,
    },
    /// The side had a mate before its move, and has none after the reply to come. The line begins before the move.
    MateMissed {
        /// The plies of the mate, an upper bound.
        length: u16,
    },
    /// The move lets the opponent mate. The line begins after the move. The side is the one that is mated.
    MateAllowed {
        /// The plies of the mate, an upper bound.
        length: u16,
    },
    /// The side would be mated if it passed (詰めろ). It is to move and not in check. The line begins after the pass.
    ThreatOfMate {
        /// The plies of the mate after the pass, an upper bound.
        length: u16,
    },
    /// The side was under such a threat before its move, and the move does not meet it. The line begins after the move.
    ThreatUnmet {
        /// The plies of the mate after the move, an upper bound.
        length: u16,
    },
    /// The side's move makes such a threat on the opponent, who was under none. The line begins after the move and a pass.
    ThreatMade {
        /// The plies of the mate after the pass, an upper bound.
        length: u16,
    },
    /// The side cannot avoid the mate by any move (必至). It is to move and not in check. The line begins after a pass, as
    /// that of a threat.
    Brinkmate,
    /// The move of the line is the only one. Every other is proved to be mated, or the next candidate is 10 points or more
    /// behind.
    OnlyMove {
        /// How many of the candidates stay within 5 points of the best.
        holds: u8,
        /// Whether every other move was proved to be mated. Otherwise the values of the engine decide.
        is_proved: bool,
    },
    /// The side's move loses a piece along the line, which begins after the move.
    LosesPiece {
        /// The piece that is lost, as it stood.
        piece: PieceKind,
        /// The square on which it is taken.
        square: Square,
        /// What the side gains along the whole line; negative.
        gain: Gain,
    },
    /// The side wins a piece along the line, which begins before its move.
    WinsPiece {
        /// The piece that is won, as it stood.
        piece: PieceKind,
        /// The square on which it is taken.
        square: Square,
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// Pieces were exchanged along the line, which begins before the move.
    Exchange {
        /// Which.
        exchange: Exchange,
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// The first move of the line attacks two pieces or more, at least one of which is won (両取り).
    Fork {
        /// The piece that attacks, after its move.
        piece: PieceKind,
        /// The square of the attacker, and then those of the attacked pieces.
        squares: Vec<Square>,
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// The first move of the line attacks a piece, and through it another of no greater value (田楽刺し, 串刺し).
    Skewer {
        /// The piece that attacks, after its move.
        piece: PieceKind,
        /// The squares of the attacker, of the front piece and of the one behind it.
        squares: [Square; 3],
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// A piece cannot leave its line without exposing its king to check, and is attacked. The line wins it.
    Pin {
        /// The piece that pins, as it stands.
        piece: PieceKind,
        /// The squares of the pinning piece, of the pinned one and of the king behind it.
        squares: [Square; 3],
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// The first move of the line uncovers an attack of another piece of the side, which takes its target (素抜き).
    Discovered {
        /// The piece whose attack is uncovered.
        piece: PieceKind,
        /// The squares of that piece, of the one that moves away (from where it comes), and of the target.
        squares: [Square; 3],
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// An attacked piece of the opponent has no move by which it is not lost.
    Trapped {
        /// The piece that is trapped.
        piece: PieceKind,
        /// Its square.
        square: Square,
        /// What the side gains along the line that takes it.
        gain: Gain,
    },
    /// The side promotes a bishop, a rook or a small piece by a move of the line that is not answered by taking it.
    Promotes {
        /// The piece before its promotion.
        piece: PieceKind,
        /// The square on which it promotes.
        square: Square,
    },
    /// The side's move lets the opponent promote such a piece. The line begins after the move.
    LetsPromote {
        /// The piece before its promotion.
        piece: PieceKind,
        /// The square on which it promotes.
        square: Square,
    },
    /// The side's king has entered the camp of the opponent.
    EnteringKing {
        /// The points of all its pieces, on the board and in hand (24点法).
        points_24: u8,
        /// The points of its pieces in the camp and in hand (27点法).
        points_27: u8,
        /// The points that are missing for a declaration by the latter.
        missing_points: u8,
        /// The pieces in the camp that are missing for a declaration.
        missing_pieces: u8,
    },
    /// The side's king stands in a castle (囲い). Holds its name in `formations.toml`.
    Castle {
        /// The Japanese name.
        name: &'static str,
        /// The English name.
        name_en: &'static str,
    },
    /// The side's castle, which it had before, is no longer there.
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
    /// The opponent's reply in the game took the chance that the move gave. The line holds the reply.
    Punished,
    /// The opponent's reply in the game did not take the chance.
    Unpunished,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// What is proved.
    pub kind: FactKind,
    /// The side whose mate, threat, gain, castle or opening it is; the side to move for [`FactKind::OnlyMove`] and
    /// [`FactKind::Check`].
    pub side: Color,
    /// Where the line begins.
    pub at: FactPlace,
    /// The moves that show it, played in turn from there; after a pass where the kind says so. Empty where the position alone
    /// shows it.
    pub line: Vec<Move>,
}
