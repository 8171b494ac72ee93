//! The patterns of castles and openings. The comment at the top of `formations.toml` describes their language.

use super::past::Past;
use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// The pattern of a formation: alternatives, each a list of terms. The pattern holds if all terms of one alternative
/// hold.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<Vec<Term>>);

/// A position of a game in which patterns are tested, from the view of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) position: &'a Position,
    pub(super) past: &'a Past,
    pub(super) side: Color,
}

/// The owner of a piece, relative to the side of the formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Own,
    Opponent,
}

/// A condition that must hold, or must not hold.
#[derive(Clone, Debug)]
struct Term {
    is_negated: bool,
    condition: Condition,
}

/// A condition on a position and its past. Squares are from Black's view, and rotated for White.
#[derive(Clone, Debug)]
enum Condition {
    Side(Color),
    Stands(Owner, Vec<PieceKind>, Vec<Square>),
    HasStood(Owner, Vec<PieceKind>, Vec<Square>),
    Empty(Vec<Square>),
    InHand(Owner, PieceKind),
    HasCaptured(Owner, PieceKind),
    HasPlayed(Owner, Move),
}

impl Pattern {
    /// Parses a pattern; `None` if a term is invalid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let alternative = |text: &str| {
            text.split_ascii_whitespace()
                .map(Term::parse)
                .collect::<Option<Vec<_>>>()
        };
        let alternatives: Vec<_> = text.split('|').map(alternative).collect::<Option<_>>()?;
        alternatives
            .iter()
            .all(|terms| !terms.is_empty())
            .then_some(Self(alternatives))
    }

    pub(super) fn alternative_index(&self, scene: Scene<'_>) -> Option<usize> {
        self.0
            .iter()
            .position(|terms| terms.iter().all(|term| term.holds(scene)))
    }

    /// Returns the gold and silver squares that an alternative requires, from Black's view.
    pub(super) fn generals(&self, alternative: usize) -> impl Iterator<Item = Square> {
        let terms = self
            .0
            .get(alternative)
            .into_iter()
            .flatten()
            .filter(|term| !term.is_negated);
        terms
            .flat_map(|term| match &term.condition {
                Condition::Stands(Owner::Own, kinds, squares)
                    if kinds
                        .iter()
                        .all(|kind| matches!(kind, PieceKind::Gold | PieceKind::Silver)) =>
                {
                    squares.as_slice()
                }
                _ => &[],
            })
            .copied()
    }

    /// Returns whether each alternative gives the square of the side's king.
    #[cfg(test)]
    pub(super) fn has_king(&self) -> bool {
        let is_king = |term: &Term| match &term.condition {
            Condition::Stands(Owner::Own, kinds, _) => {
                !term.is_negated && kinds.as_slice() == [PieceKind::King]
            }
            _ => false,
        };
        self.0.iter().all(|terms| terms.iter().any(is_king))
    }

    /// Returns whether an alternative applies only to Black or only to White.
    #[cfg(test)]
    pub(super) fn has_color(&self) -> bool {
        self.0
            .iter()
            .flatten()
            .any(|term| matches!(term.condition, Condition::Side(_)))
    }
}

impl Scene<'_> {
    const fn square(self, square: Square) -> Square {
        match self.side {
            Color::Black => square,
            Color::White => square.flip(),
        }
    }

    const fn color(self, owner: Owner) -> Color {
        match (owner, self.side) {
            (Owner::Own, side) => side,
            (Owner::Opponent, Color::Black) => Color::White,
            (Owner::Opponent, Color::White) => Color::Black,
        }
    }

    const fn mv(self, mv: Move) -> Move {
        match mv {
            Move::Board { from, to, promote } => Move::Board {
                from: self.square(from),
                to: self.square(to),
                promote,
            },
            Move::Drop { kind, to } => Move::Drop {
                kind,
                to: self.square(to),
            },
        }
    }
}

impl Term {
    fn parse(text: &str) -> Option<Self> {
        let (is_negated, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        Some(Self {
            is_negated,
            condition: Condition::parse(text)?,
        })
    }

    fn holds(&self, scene: Scene<'_>) -> bool {
        self.condition.holds(scene) != self.is_negated
    }
}

impl Condition {
    fn parse(text: &str) -> Option<Self> {
        match text.split_at_checked(1)? {
            ("@", "b") => Some(Self::Side(Color::Black)),
            ("@", "w") => Some(Self::Side(Color::White)),
            ("+", rest) => parse_owned_kind(rest).map(|(owner, kind)| Self::HasCaptured(owner, kind)),
            (">", mv) => Move::from_usi(mv).map(|mv| Self::HasPlayed(Owner::Own, mv)),
            ("<", mv) => Move::from_usi(mv).map(|mv| Self::HasPlayed(Owner::Opponent, mv)),
            (".", rest) => parse_squares(rest).map(Self::Empty),
            ("~", rest) => {
                let (owner, kinds, squares) = parse_pieces_on_squares(rest)?;
                Some(Self::HasStood(owner, kinds, squares))
            }
            _ => {
                if let Some(kind) = text.strip_suffix('*') {
                    return parse_owned_kind(kind).map(|(owner, kind)| Self::InHand(owner, kind));
                }
                let (owner, kinds, squares) = parse_pieces_on_squares(text)?;
                Some(Self::Stands(owner, kinds, squares))
            }
        }
    }

    fn holds(&self, scene: Scene<'_>) -> bool {
        let Scene { position, past, side } = scene;
        match self {
            Self::Side(color) => *color == side,
            Self::Stands(owner, kinds, squares) => squares.iter().any(|square| {
                let piece = position.piece_on(scene.square(*square));
                piece.is_some_and(|piece| piece.color == scene.color(*owner) && kinds.contains(&piece.kind))
            }),
            Self::HasStood(owner, kinds, squares) => squares.iter().any(|square| {
                kinds
                    .iter()
                    .any(|kind| past.has_stood(scene.color(*owner), *kind, scene.square(*square)))
            }),
            Self::Empty(squares) => squares
                .iter()
                .any(|square| position.piece_on(scene.square(*square)).is_none()),
            Self::InHand(owner, kind) => position.hand(scene.color(*owner)).count(*kind) > 0,
            Self::HasCaptured(owner, kind) => past.has_captured(scene.color(*owner), *kind),
            Self::HasPlayed(owner, mv) => past.has_played(scene.color(*owner), scene.mv(*mv)),
        }
    }
}

/// Parses a piece letter: a capital is a piece of the formation's side.
fn parse_owned_kind(text: &str) -> Option<(Owner, PieceKind)> {
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.as_str().is_empty())?;
    let owner = if letter.is_ascii_uppercase() {
        Owner::Own
    } else {
        Owner::Opponent
    };
    Some((owner, PieceKind::from_letter(letter.to_ascii_uppercase())?))
}

/// Parses `GS7h/7i`: pieces of one owner, then squares.
fn parse_pieces_on_squares(text: &str) -> Option<(Owner, Vec<PieceKind>, Vec<Square>)> {
    let (letters, squares_text) = text.split_at_checked(text.find(|c: char| c.is_ascii_digit())?)?;
    let pieces: Vec<_> = letters
        .split("")
        .filter(|letter| !letter.is_empty())
        .map(parse_owned_kind)
        .collect::<Option<_>>()?;
    let (owner, _) = *pieces.first()?;
    if pieces.iter().any(|(other, _)| *other != owner) {
        return None;
    }
    Some((
        owner,
        pieces.into_iter().map(|(_, kind)| kind).collect(),
        parse_squares(squares_text)?,
    ))
}

/// Parses `7h/7i/6`: squares, or whole files.
fn parse_squares(text: &str) -> Option<Vec<Square>> {
    let mut found = Vec::new();
    for name in text.split('/') {
        match *name.as_bytes() {
            [file @ b'1'..=b'9'] => found.extend(Square::all().filter(|square| square.file() == file - b'0')),
            [file, rank] => found.push(Square::from_usi(&[file, rank])?),
            _ => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, sfen: &str, side: Color) -> Option<usize> {
        let position = Position::from_sfen(sfen).unwrap();
        let past = Past::new(&position);
        Pattern::parse(pattern).unwrap().alternative_index(Scene {
            position: &position,
            past: &past,
            side,
        })
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn matches_terms_for_both_sides() {
        for side in [Color::Black, Color::White] {
            for pattern in [
                "K5i",
                "GS6i/7i",
                "R2 r8",
                "b2b",
                ".5e/5g",
                "!B*",
                "!+B",
                "~P7g",
                "!>7g7f",
                "K1a | K5i",
            ] {
                assert!(find(pattern, START, side).is_some(), "{pattern} {side:?}");
            }
            for pattern in [
                "K5h",
                "!K5i",
                "R3",
                "k5i",
                "!.5e",
                "B*",
                "+b",
                "~P7f",
                "<7g7f",
                "K1a | K1b",
            ] {
                assert!(find(pattern, START, side).is_none(), "{pattern} {side:?}");
            }
        }
        assert_eq!(find("K1a | K5i", START, Color::White), Some(1));
        assert_eq!(
            (find("@b", START, Color::Black), find("@b", START, Color::White)),
            (Some(0), None)
        );
    }

    #[test]
    fn rejects_invalid_patterns() {
        for text in [
            "", " | K5i", "K", "5i", "K0i", "Gs7h", "X7h", "@x", "+", "+BB", ">7g", "~7h", "K5i/", ".", "B**",
        ] {
            assert!(Pattern::parse(text).is_none(), "{text}");
        }
    }
}
