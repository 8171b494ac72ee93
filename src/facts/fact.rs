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

/// A gain of material, in tenths of a pawn, from the view of the side of the fact: half of the change of the difference between
/// the two sides, so that a pawn that changes hands is 10. [`piece_value`](crate::piece_value) has the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gain(pub i32);

/// How safe a king stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingSafety {
    /// The golds and silvers of its side, and other pieces that move like a gold, on the eight squares around it.
    pub guards: u8,
    /// Those of the eight squares that it can go to: no own piece stands there, and none of the opponent attacks them.
    pub escapes: u8,
}

/// Which pieces were exchanged, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exchange {
    /// A bishop for a bishop (角交換). The first two moves of the line capture them on one square.
    Bishops,
    /// A rook for a rook (飛車交換), on one square like bishops.
    Rooks,
    /// A rook for a bishop (飛角交換), on one square like bishops. The side of the fact gets the rook.
    RookForBishop,
    /// Two golds or silvers for a bishop or rook (二枚換え), and otherwise only pawns, along the whole line. The side of the fact
    /// gets the two.
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
    /// The side had a mate before its move. After the move and the reply in the game no sequence of checks mates, nor after the
    /// engine's reply; where neither is known, the opponent has such a reply. The line begins before the move.
    MateMissed {
        /// The plies of the mate, an upper bound.
        length: u16,
    },
    /// The move lets the opponent mate by checks, and it was proved that another move does not. The line begins after the move.
    /// The side is the one that is mated.
    MateAllowed {
        /// The plies of the mate, an upper bound.
        length: u16,
    },
    /// By the engine's values the side mates before its move, and no longer after it. A [`MateMissed`](Self::MateMissed) stands in its place where one is proved. The line is that
    /// of the engine, and begins before the move with another one.
    EngineMateMissed {
        /// The plies of the mate, as the engine gives them.
        length: u16,
    },
    /// By the engine's values the opponent mates after the move, and did not before it. A [`MateAllowed`](Self::MateAllowed) stands in its place where one is proved. The line is that
    /// of the engine, and begins after the move. The side is the one that is mated.
    EngineMateAllowed {
        /// The plies of the mate, as the engine gives them.
        length: u16,
    },
    /// The side would be mated if it passed (詰めろ). It is to move and not in check. The line begins after the pass.
    ThreatOfMate {
        /// The plies of the mate after the pass, an upper bound.
        length: u16,
    },
    /// The side was under such a threat before its move, and the move does not meet it, as another would have. The line begins
    /// after the move. A [`MateAllowed`](Self::MateAllowed) stands beside it.
    ThreatUnmet {
        /// The plies of the mate after the move, an upper bound.
        length: u16,
    },
    /// The first move of the line makes such a threat on the other side. The rest of the line mates after it and a pass. Before it
    /// the side, whose move it is, was not in check and had no mate by checks. Before the move the line begins with that
    /// move, or with the better one, where the move makes none. After the move it begins with the reply that the engine gives; the
    /// better move is proved to let the opponent make none by that reply, nor by the engine's reply to it.
    ThreatMade {
        /// The plies of the mate after the pass, an upper bound.
        length: u16,
    },
    /// The side cannot avoid the mate by any move (必至): after each of its legal moves the opponent mates by checks. The side is
    /// to move, not in check, and has no mate by checks itself. The line begins after a pass, as that of a threat.
    Brinkmate,
    /// The move of the line is the only one. Every other legal move is proved to be mated by checks, and this one not to be; or
    /// the next candidate is 10 points or more behind.
    OnlyMove {
        /// How many of the candidates stay within 5 points of the best. 1 where there are
        /// none.
        holds: u8,
        /// Whether every other move was proved to be mated. Otherwise the values of the engine decide.
        is_proved: bool,
    },
    /// The side's move loses a piece along the line, which begins after the move. It stood so after the move, is not
    /// won back, and is not lost there along the better line. The side loses at least half of its value, after the captures at the end of the line and without what it gives away by its own moves:
    /// along the line, together with what the move itself captured, and against the better move along its line.
    LosesPiece {
        /// The piece that is lost, as it stood.
        piece: PieceKind,
        /// The square on which it is taken.
        square: Square,
        /// What the side gains along the whole line; negative.
        gain: Gain,
    },
    /// The side's move loses material along the line, which begins after the move. It ends in a [quiet](crate::is_quiet)
    /// position, as does the better line. There, after the
    /// captures that follow, with what the move itself captured, and without what the side gives away by later moves, it has lost two
    /// pawns or more; along the better line it has two pawns more. No piece of it is named: a [`LosesPiece`](Self::LosesPiece) stands where one is lost.
    LosesMaterial {
        /// What the side gains along the whole line; negative.
        gain: Gain,
    },
    /// The side wins a piece along the line, which begins before its move. The opponent wins no such piece back. The side gains at
    /// least half of its value, after the captures at the end of the line, without what the opponent gives away by its own
    /// moves, and beyond what the opponent gained by its last move.
    WinsPiece {
        /// The piece that is won, as it stood.
        piece: PieceKind,
        /// The square on which it is taken.
        square: Square,
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// Pieces are exchanged along the line, which begins before the move with a capture by the mover and ends in a
    /// [quiet](crate::is_quiet) position. Pawns do not count.
    Exchange {
        /// Which.
        exchange: Exchange,
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// The piece of the first move attacks two pieces or more, one of which it captures and thereby wins (両取り). Each is the
    /// king, a piece of a higher value, or an unguarded piece other than a pawn.
    Fork {
        /// The piece that attacks, after its move.
        piece: PieceKind,
        /// The square of the attacker, and then those of the attacked pieces.
        squares: Vec<Square>,
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// The piece of the first move attacks a piece, and through it another of no greater value, and wins one of them (田楽刺し,
    /// 串刺し). The front piece may be the king. The piece behind is no pawn.
    Skewer {
        /// The piece that attacks, after its move.
        piece: PieceKind,
        /// The squares of the attacker, of the front piece and of the one behind it.
        squares: [Square; 3],
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// After the first move of the line a piece of the opponent cannot leave the line between a piece of the side and its own
    /// king. The line wins the piece where it stands.
    Pin {
        /// The piece that pins, as it stands.
        piece: PieceKind,
        /// The squares of the pinning piece, of the pinned one and of the king behind it.
        squares: [Square; 3],
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// The first move of the line uncovers an attack of another piece of the side, which wins its target where it stands (素抜き).
    Discovered {
        /// The piece whose attack is uncovered.
        piece: PieceKind,
        /// The squares of that piece, of the one that moves away (from where it comes), and of the target.
        squares: [Square; 3],
        /// What the side gains along the whole line.
        gain: Gain,
    },
    /// After the first move of the line an attacked silver, gold or large piece of the opponent, who is not in check, is lost by
    /// exchanges where it stands and after each of its legal moves. The line wins it.
    Trapped {
        /// The piece that is trapped.
        piece: PieceKind,
        /// Its square after the first move.
        square: Square,
        /// What the side gains along the line that takes it.
        gain: Gain,
    },
    /// The side promotes a piece by its first or second move of the line, which begins before its move and ends with this one. No
    /// capture of the promoted piece gains anything by exchanges.
    Promotes {
        /// The piece before its promotion.
        piece: PieceKind,
        /// The square on which it promotes.
        square: Square,
    },
    /// The side's move lets the opponent promote a piece so. The line begins after the move and ends with the promotion. The better
    /// move does not let such a piece promote there.
    LetsPromote {
        /// The piece before its promotion.
        piece: PieceKind,
        /// The square on which it promotes.
        square: Square,
    },
    /// The side's king stands less safe at the end of the line than at the end of the engine's line after the other move: it has two
    /// guards fewer, or at most one escape, three fewer, and no more guards. Along the line the opponent checks it, or takes a piece beside it. Both lines
    /// end with the last move of the side within the first 16 plies. After the move the line is the one that
    /// punishes it, and the other move is the better one. Before the move it is the better line, and the side is the opponent.
    ExposedKing {
        /// The king at the end of the line.
        safety: KingSafety,
        /// The king at the end of the line after the other move.
        other: KingSafety,
    },
    /// The opponent checks the side's king more often along the line than along the engine's line after the other move: at least twice
    /// more, within as many of its moves as that line has. The lines and the other move are those of [`FactKind::ExposedKing`].
    KingChecked {
        /// The checks along the line.
        checks: u8,
        /// The checks along the line after the other move.
        other: u8,
    },
    /// The side's king has entered the camp of the opponent. Handicap pieces count for the side that gave them.
    EnteringKing {
        /// The points of all its pieces, on the board and in hand (24点法).
        points_24: u8,
        /// The points of its pieces in the camp and in hand (27点法).
        points_27: u8,
        /// The points that are missing for a declaration by the latter, of 28 for Black and 27 for White.
        missing_points: u8,
        /// The pieces in the camp, of 10 beside the king, that are missing for a declaration.
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
    /// The move lost 10 points or more by the values, and the reply in the game lost less than 5. The side is the one that
    /// replied. The line holds the reply, and begins after the move.
    Punished,
    /// The move lost 10 points or more by the values, and so did the reply in the game, which is not the engine's and begins no
    /// line that punishes. Side and line as for [`Punished`](Self::Punished).
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
