//! The patterns of castles and openings.

use crate::game::Game;
use shogibar_shogi::{Color, Move, PieceKind, Square};

/// A pattern of a castle or an opening: alternatives. A position matches if all terms of one alternative hold.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<Vec<Term>>);

/// A test of a position that has to pass, or to fail if `is_negated`.
#[derive(Clone, Debug)]
struct Term {
    is_negated: bool,
    test: Test,
}

/// Alternative kinds of pieces, and their owner: the side of the point if `is_own`, otherwise the opponent.
#[derive(Clone, Debug)]
struct Kinds {
    kinds: Vec<PieceKind>,
    is_own: bool,
}

/// A test of a point. Squares are from Black's view, and rotated for White.
#[derive(Clone, Debug)]
enum Test {
    Side(Color),
    Empty(Vec<Square>),
    Stands(Kinds, Vec<Square>),
    Stood(Kinds, Vec<Square>),
    InHand(Kinds),
    Captured(Kinds),
    /// The side has played the move.
    OwnMove(Move),
    OpponentMove(Move),
}

/// A side of a game after some moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<'a> {
    pub(super) game: &'a Game,
    pub(super) ply: usize,
    pub(super) side: Color,
}

impl Pattern {
    /// Creates a pattern that never holds.
    pub(super) const fn none() -> Self {
        Self(Vec::new())
    }

    /// Parses a pattern; `None` if a term is invalid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let terms = |text: &str| {
            text.split_whitespace()
                .map(Term::parse)
                .collect::<Option<Vec<_>>>()
        };
        Some(Self(text.split('|').map(terms).collect::<Option<_>>()?))
    }

    pub(super) fn holds(&self, point: Point<'_>) -> bool {
        self.0
            .iter()
            .any(|terms| !terms.is_empty() && terms.iter().all(|term| term.holds(point)))
    }
}

impl Term {
    fn parse(text: &str) -> Option<Self> {
        let (is_negated, text) = text.strip_prefix('!').map_or((false, text), |text| (true, text));
        Some(Self {
            is_negated,
            test: Test::parse(text)?,
        })
    }

    fn holds(&self, point: Point<'_>) -> bool {
        self.test.holds(point) != self.is_negated
    }
}

impl Test {
    fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let first = letters.next()?;
        let rest = letters.as_str();
        Some(match first {
            '@' if rest == "b" => Self::Side(Color::Black),
            '@' if rest == "w" => Self::Side(Color::White),
            '.' => Self::Empty(parse_squares(rest)?),
            '>' => Self::OwnMove(Move::from_usi(rest)?),
            '<' => Self::OpponentMove(Move::from_usi(rest)?),
            '+' => Self::Captured(Kinds::parse(rest)?),
            '~' => {
                let (kinds, at) =
                    rest.split_at_checked(rest.find(|letter: char| !letter.is_alphabetic())?)?;
                Self::Stood(Kinds::parse(kinds)?, parse_squares(at)?)
            }
            _ => {
                if let Some(kinds) = text.strip_suffix('*') {
                    return Some(Self::InHand(Kinds::parse(kinds)?));
                }
                let (kinds, at) =
                    text.split_at_checked(text.find(|letter: char| !letter.is_alphabetic())?)?;
                Self::Stands(Kinds::parse(kinds)?, parse_squares(at)?)
            }
        })
    }

    fn holds(&self, point: Point<'_>) -> bool {
        match self {
            Self::Side(side) => point.side == *side,
            Self::Empty(squares) => squares.iter().any(|square| point.is_empty(*square)),
            Self::Stands(kinds, squares) => point.stands(kinds, squares, point.ply),
            Self::Stood(kinds, squares) => (0..=point.ply).any(|ply| point.stands(kinds, squares, ply)),
            Self::InHand(kinds) => point.is_in_hand(kinds),
            Self::Captured(kinds) => point.has_captured(kinds),
            Self::OwnMove(mv) => point.has_played(*mv, true),
            Self::OpponentMove(mv) => point.has_played(*mv, false),
        }
    }
}

impl Kinds {
    fn parse(text: &str) -> Option<Self> {
        let is_own = text.chars().all(|letter| letter.is_ascii_uppercase());
        if text.is_empty() || !is_own && !text.chars().all(|letter| letter.is_ascii_lowercase()) {
            return None;
        }
        let kinds = text
            .chars()
            .map(|letter| PieceKind::from_letter(letter.to_ascii_uppercase()));
        Some(Self {
            kinds: kinds.collect::<Option<_>>()?,
            is_own,
        })
    }

    const fn owner(&self, side: Color) -> Color {
        if self.is_own { side } else { side.flip() }
    }
}

/// Parses squares, or whole files, separated by slashes.
fn parse_squares(text: &str) -> Option<Vec<Square>> {
    let mut found = Vec::new();
    for part in text.split('/') {
        match *part.as_bytes() {
            [file @ b'1'..=b'9'] => found.extend((1..=9).filter_map(|rank| Square::new(file - b'0', rank))),
            _ => found.push(Square::from_usi(part.as_bytes())?),
        }
    }
    Some(found)
}

impl Point<'_> {
    const fn on_board(self, square: Square) -> Square {
        match self.side {
            Color::Black => square,
            Color::White => square.flip(),
        }
    }

    fn is_empty(self, square: Square) -> bool {
        self.game
            .board(self.ply)
            .is_some_and(|board| board.piece_on(self.on_board(square)).is_none())
    }

    fn stands(self, kinds: &Kinds, squares: &[Square], ply: usize) -> bool {
        let Some(board) = self.game.board(ply) else {
            return false;
        };
        let owner = kinds.owner(self.side);
        let is_one = |square: Square| kinds.kinds.iter().any(|kind| board.has(owner, *kind, square));
        squares.iter().any(|square| is_one(self.on_board(*square)))
    }

    fn is_in_hand(self, kinds: &Kinds) -> bool {
        let owner = kinds.owner(self.side);
        self.game
            .board(self.ply)
            .is_some_and(|board| kinds.kinds.iter().any(|kind| board.count(owner, *kind) > 0))
    }

    fn has_captured(self, kinds: &Kinds) -> bool {
        let side = kinds.owner(self.side);
        self.played().any(|(ply, mv)| {
            let board = self.game.board(ply).filter(|board| board.side() == side);
            let captured = board.and_then(|board| board.piece_on(mv.to()));
            captured.is_some_and(|piece| kinds.kinds.contains(&piece.kind.unpromoted()))
        })
    }

    fn has_played(self, mv: Move, by_side: bool) -> bool {
        let mover = if by_side { self.side } else { self.side.flip() };
        let seen = match mv {
            Move::Board { from, to, promote } => Move::Board {
                from: self.on_board(from),
                to: self.on_board(to),
                promote,
            },
            Move::Drop { kind, to } => Move::Drop {
                kind,
                to: self.on_board(to),
            },
        };
        self.played()
            .any(|(ply, mv)| mv == seen && self.game.board(ply).is_some_and(|board| board.side() == mover))
    }

    /// Returns the moves up to this point, each with the ply before it.
    fn played(&self) -> impl Iterator<Item = (usize, Move)> {
        self.game.moves().iter().copied().take(self.ply).enumerate()
    }
}
