//! Moves in PSN: piece, origin, kind of move, target, promotion.

use super::super::builder::CutReason;
use shogibar_shogi::{Move, PieceKind, Position, Square};

/// A parsed move, not yet applied to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PsnMove {
    /// The piece before promotion.
    pub(super) kind: PieceKind,
    /// The origin; `None` if it is not stated.
    pub(super) from: Option<Square>,
    pub(super) to: Square,
    pub(super) promote: bool,
    /// The sign before the target: a dash, an `x`, the sign of a drop; `None` if there is no sign.
    pub(super) sign: Option<MoveSign>,
}

/// The kind of move that a sign states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveSign {
    Board,
    Drop,
}

/// Parses a move at the start of a word. Returns the move with the rest; `None` for another word.
pub(super) fn parse_move(word: &str) -> Option<(PsnMove, &str)> {
    let (is_promoted, rest) = word.strip_prefix('+').map_or((false, word), |rest| (true, rest));
    let mut chars = rest.chars();
    let kind = match chars.next()? {
        'T' => PieceKind::ProPawn,
        'H' => PieceKind::Horse,
        'D' => PieceKind::Dragon,
        letter if letter.is_ascii_uppercase() => PieceKind::from_letter(letter)?,
        _ => return None,
    };
    let kind = if is_promoted { kind.promoted()? } else { kind };
    let (first, rest) = square(chars.as_str());
    let mut chars = rest.chars();
    let sign = match chars.next() {
        Some('-' | 'x' | 'X') => Some(MoveSign::Board),
        Some('*' | '\'' | '’' | '@') => Some(MoveSign::Drop),
        _ => None,
    };
    let (second, rest) = square(if sign.is_some() { chars.as_str() } else { rest });
    let (from, to) = match (first, second) {
        (Some(_), Some(_)) if sign == Some(MoveSign::Drop) => return None,
        (from, Some(to)) => (from, to),
        (Some(to), None) if sign.is_none() => (None, to),
        _ => return None,
    };
    let (promote, rest) = match rest.chars().next() {
        Some('+') => (true, rest.get(1..).unwrap_or_default()),
        Some('=') => (false, rest.get(1..).unwrap_or_default()),
        _ => (false, rest),
    };
    Some((
        PsnMove {
            kind,
            from,
            to,
            promote,
            sign,
        },
        rest,
    ))
}

/// Parses a square at the start of a text, `7g` or `77`. Returns the square, if there is one, and the rest.
fn square(text: &str) -> (Option<Square>, &str) {
    let found = match *text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9', ..] => Square::new(file - b'0', rank - b'0'),
        [file, rank, ..] => Square::from_usi(&[file, rank]),
        _ => None,
    };
    (
        found,
        if found.is_some() {
            text.get(2..).unwrap_or_default()
        } else {
            text
        },
    )
}

/// Returns the move in a position, even if it is illegal. Without an origin, this is the only legal move that fits, or
/// else a legal drop, or else the only illegal move that fits.
///
/// # Errors
/// Fails if no move fits, or several do.
pub(super) fn resolve(spelled: PsnMove, position: &Position) -> Result<Move, CutReason> {
    let PsnMove {
        kind,
        from,
        to,
        promote,
        sign,
    } = spelled;
    let drop = Move::Drop { kind, to };
    if sign == Some(MoveSign::Drop) {
        return if PieceKind::IN_HAND.contains(&kind) {
            Ok(drop)
        } else {
            Err(CutReason::NoSuchMove)
        };
    }
    if let Some(from) = from {
        return Ok(Move::Board { from, to, promote });
    }
    let described: Vec<Move> = position
        .origins(kind, to)
        .map(|from| Move::Board { from, to, promote })
        .collect();
    let legal: Vec<Move> = described
        .iter()
        .copied()
        .filter(|mv| position.is_legal(*mv))
        .collect();
    let could_be_drop = sign.is_none() && !promote && PieceKind::IN_HAND.contains(&kind);
    match (legal.as_slice(), described.as_slice()) {
        ([], _) if could_be_drop && position.is_legal(drop) => Ok(drop),
        // Play a single illegal move, so that the warning states why it is illegal.
        ([only], _) | ([], [only]) => Ok(*only),
        ([], _) => Err(CutReason::NoSuchMove),
        _ => Err(CutReason::Ambiguous),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Pawn, Rook};

    #[test]
    fn parses_every_move_spelling() {
        let check = |word: &str, expected: Option<(&str, PieceKind, &str)>| {
            let found = parse_move(word).map(|(spelled, rest)| {
                let PsnMove {
                    kind,
                    from,
                    to,
                    promote,
                    sign,
                } = spelled;
                let from = from.map(|square| square.to_string()).unwrap_or_default();
                let sign = match sign {
                    Some(MoveSign::Board) => "-",
                    Some(MoveSign::Drop) => "*",
                    None => "",
                };
                (
                    format!("{from}{sign}{to}{}", if promote { "+" } else { "" }),
                    kind,
                    rest.to_owned(),
                )
            });
            let expected = expected.map(|(words, kind, rest)| (words.to_owned(), kind, rest.to_owned()));
            assert_eq!(found, expected, "{word}");
        };
        check("P7g-7f", Some(("7g-7f", Pawn, "")));
        check("B8hx2b+", Some(("8h-2b+", Bishop, "")));
        check("+B2b-3c", Some(("2b-3c", Horse, "")));
        check("H2b3c!?", Some(("2b3c", Horse, "!?")));
        check("D1a", Some(("1a", Dragon, "")));
        check("P*5e", Some(("*5e", Pawn, "")));
        check("P'5e", Some(("*5e", Pawn, "")));
        check("P’5e", Some(("*5e", Pawn, "")));
        check("G@5e", Some(("*5e", Gold, "")));
        check("P-7f", Some(("-7f", Pawn, "")));
        check("Px7f", Some(("-7f", Pawn, "")));
        check("P7f", Some(("7f", Pawn, "")));
        check("N6e=", Some(("6e", Knight, "")));
        check("R2858", Some(("2h5h", Rook, "")));
        check("R-58", Some(("-5h", Rook, "")));
        for none in [
            "", "+", "P", "P7", "P7j-7f", "P7g-", "+G5h", "p7f", "X7f", "P7g*7f", "歩7f", "7g7f", "Pawn",
            "P2P",
        ] {
            check(none, None);
        }
    }

    #[test]
    fn finds_the_missing_origin() {
        let check = |sfen: &str, word: &str, expected: &str| {
            let position = Position::from_sfen(sfen).expect(sfen);
            let (spelled, _) = parse_move(word).expect(word);
            let found =
                resolve(spelled, &position).map_or_else(|cut| format!("{cut:?}"), |mv| mv.to_string());
            assert_eq!(found, expected, "{word}");
        };
        let usual = Position::startpos().sfen();
        check(&usual, "P-7f", "7g7f");
        check(&usual, "P7f", "7g7f");
        check(&usual, "G-5h", "Ambiguous");
        check(&usual, "G4i-5h", "4i5h");
        check(&usual, "R-5e", "NoSuchMove");
        let golds = "4k4/9/9/9/9/9/9/4G4/4K4 b G 1";
        check(golds, "G-5g", "5h5g");
        check(golds, "G5e", "G*5e");
        check(golds, "G-5e", "NoSuchMove");
        check(golds, "G*5g", "G*5g");
        let pinned = "4r4/9/9/9/9/4G4/9/9/4K4 b G 1";
        check(pinned, "G-4f", "5f4f");
        check(pinned, "G4f", "G*4f");
        check(pinned, "K'4f", "NoSuchMove");
    }
}
