//! Moves in KIF notation: target, piece, promotion, origin.

use super::super::scan::Scanner;
use shogibar_shogi::{Move, PieceKind, SIDE_MARKS, Square, numeral};

/// A parsed move, not yet applied to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KifMove {
    /// The target; `None` for 同, the target of the last move.
    pub(super) to: Option<Square>,
    /// The piece before promotion.
    pub(super) kind: PieceKind,
    pub(super) promote: bool,
    /// The origin; `None` if neither 打 nor a square states it.
    pub(super) origin: Option<MoveOrigin>,
}

/// The origin of a move: the hand, or a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveOrigin {
    Hand,
    Board(Square),
}

impl KifMove {
    /// Returns the move; `None` if its origin or its target is not stated. `last` is the target of the last move. The
    /// origin determines which piece moves, even if the move names another one.
    pub(super) fn resolve(self, last: Option<Square>) -> Option<Move> {
        let to = self.to.or(last)?;
        Some(match self.origin? {
            MoveOrigin::Hand => Move::Drop { kind: self.kind, to },
            MoveOrigin::Board(from) => Move::Board {
                from,
                to,
                promote: self.promote,
            },
        })
    }
}

pub(super) fn parse_move(scanner: &mut Scanner<'_>) -> Option<KifMove> {
    skip_mark(scanner);
    let to = match scanner.take(Some)? {
        '同' => None,
        file => Some(Square::new(numeral(file)?, scanner.take(numeral)?)?),
    };
    scanner.skip_blanks();
    let kind = parse_piece(scanner)?;
    let mut spelled = KifMove {
        to,
        kind,
        promote: false,
        origin: None,
    };
    while parse_modifier(scanner, &mut spelled).is_some() {}
    Some(spelled)
}

/// Parses a word after the piece; `None` if there is no such word.
fn parse_modifier(scanner: &mut Scanner<'_>, spelled: &mut KifMove) -> Option<()> {
    let mut ahead = *scanner;
    ahead.skip_blanks();
    match ahead.take(Some)? {
        '(' | '（' if eat_hand(&mut ahead) => spelled.origin = Some(MoveOrigin::Hand),
        '(' | '（' => {
            let square = parse_square(&mut ahead)?;
            if !ahead.eat(')') {
                return None;
            }
            spelled.origin = Some(MoveOrigin::Board(square));
        }
        '打' => spelled.origin = Some(MoveOrigin::Hand),
        '不' if ahead.eat('成') => spelled.promote = false,
        '生' => spelled.promote = false,
        '成' => spelled.promote = true,
        '右' | '左' | '直' | '上' | '寄' | '引' | '行' | '入' => {}
        _ => return None,
    }
    *scanner = ahead;
    Some(())
}

/// Skips `00)`, which some programs write as the origin of a drop. Returns whether these characters followed.
fn eat_hand(scanner: &mut Scanner<'_>) -> bool {
    let mut ahead = *scanner;
    let is_hand = ahead.eat('0') && ahead.eat('0') && ahead.eat(')');
    if is_hand {
        *scanner = ahead;
    }
    is_hand
}

/// Parses a square, with or without a side mark before it.
pub(super) fn parse_marked_square(scanner: &mut Scanner<'_>) -> Option<Square> {
    skip_mark(scanner);
    parse_square(scanner)
}

/// Skips a side mark, and the blanks around it.
fn skip_mark(scanner: &mut Scanner<'_>) {
    scanner.skip_blanks();
    if scanner.take(|c| SIDE_MARKS.contains(&c).then_some(())).is_some() {
        scanner.skip_blanks();
    }
}

/// Parses a square: `７六`, `76`, `７６`, `七六`.
fn parse_square(scanner: &mut Scanner<'_>) -> Option<Square> {
    let file = scanner.take(numeral)?;
    Square::new(file, scanner.take(numeral)?)
}

/// Parses the name of a piece of one kanji or, after 成, two.
fn parse_piece(scanner: &mut Scanner<'_>) -> Option<PieceKind> {
    if scanner.eat('成') {
        scanner.skip_blanks();
        return scanner.take(PieceKind::from_kanji).and_then(PieceKind::promoted);
    }
    scanner.take(PieceKind::from_kanji)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, PieceKind, bool, &str)>, rest: &str) {
        let mut scanner = Scanner::new(text);
        let found = parse_move(&mut scanner);
        let usi = |square: Option<Square>| square.map_or_else(|| "=".to_owned(), |square| square.to_string());
        let found = found.map(
            |KifMove {
                 to,
                 kind,
                 promote,
                 origin,
             }| {
                let from = match origin {
                    Some(MoveOrigin::Hand) => "*".to_owned(),
                    Some(MoveOrigin::Board(square)) => square.to_string(),
                    None => "?".to_owned(),
                };
                (format!("{from}{}", usi(to)), kind, promote)
            },
        );
        let expected = expected.map(|(squares, kind, promote, _)| (squares.to_owned(), kind, promote));
        assert_eq!(found, expected, "{text}");
        if found.is_some() {
            assert_eq!(scanner.rest, rest, "{text}");
        }
    }

    #[test]
    fn parses_every_move_spelling() {
        use PieceKind::{Bishop, Pawn, ProKnight, ProSilver, Silver};
        check(
            "７六歩(77)   ( 0:01/00:00:01)",
            Some(("7g7f", Pawn, false, "")),
            "   ( 0:01/00:00:01)",
        );
        check("76歩(77)", Some(("7g7f", Pawn, false, "")), "");
        check("7六歩（７７）+", Some(("7g7f", Pawn, false, "")), "+");
        check("▲　７六歩(77)", Some(("7g7f", Pawn, false, "")), "");
        check("同　銀(31)", Some(("3a=", Silver, false, "")), "");
        check("同銀　(31)", Some(("3a=", Silver, false, "")), "");
        check("☖同 成桂(31)", Some(("3a=", ProKnight, false, "")), "");
        check("９三全(94)", Some(("9d9c", ProSilver, false, "")), "");
        check("２二角成(88)", Some(("8h2b", Bishop, true, "")), "");
        check("２二角不成(88)", Some(("8h2b", Bishop, false, "")), "");
        check(
            "４五角打(00) ( 0:07/00:00:13)",
            Some(("*4e", Bishop, false, "")),
            " ( 0:07/00:00:13)",
        );
        check("４五角（００）", Some(("*4e", Bishop, false, "")), "");
        check(
            "５五角打      (1:02/)",
            Some(("*5e", Bishop, false, "")),
            "      (1:02/)",
        );
        check(
            "５五角 (0:01/0:0:1)",
            Some(("?5e", Bishop, false, "")),
            " (0:01/0:0:1)",
        );
        check("０九歩(77)", None, "");
        check("投了", None, "");
        check("同", None, "");
    }
}
