//! Parses the notation of a move without a position.

use super::geometry::{PieceMotion, RelativePosition};
use super::glyph;
use crate::shogi::{PieceKind, Square};
use std::str::Chars;

/// The marks before a move that show its side, as other programs write them.
pub(crate) const SIDE_MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// The parsed notation of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveWords {
    /// The target; `None` for 同.
    pub(super) to: Option<Square>,
    pub(super) kind: PieceKind,
    pub(super) side: Option<RelativePosition>,
    pub(super) motion: Option<PieceMotion>,
    /// The origin in KIF's `(77)`.
    pub(super) origin: Option<Square>,
    /// Whether 打 is written.
    pub(super) drop: bool,
    /// `true` for 成, `false` for 不成 or 生.
    pub(super) promotes: Option<bool>,
}

/// Skips the separators of moves: spaces, and the mark of a side. The mark is ignored:
/// the side to move is known, and records disagree about ▼ and ▽.
pub(super) fn skip_separators(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c))
}

/// Parses one move at the beginning of `text` and returns the text after it.
pub(super) fn parse(text: &str) -> Option<(MoveWords, &str)> {
    let mut parser = Parser(skip_separators(text).chars());
    let to = if parser.is('同') { None } else { Some(parser.target()?) };
    parser.skip(char::is_whitespace);
    let kind = parser.piece()?;
    let mut words = MoveWords { to, kind, side: None, motion: None, origin: None, drop: false, promotes: None };
    while parser.modifier(&mut words)? {}
    Some((words, parser.0.as_str()))
}

struct Parser<'a>(Chars<'a>);

impl Parser<'_> {
    /// Returns `f` of the next character and consumes the character. Where `f` returns `None`, the character is not
    /// consumed.
    fn take<T>(&mut self, f: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let mut ahead = self.0.clone();
        let value = ahead.next().and_then(f)?;
        self.0 = ahead;
        Some(value)
    }

    fn skip(&mut self, accept: impl Fn(char) -> bool) {
        while self.take(|c| accept(c).then_some(())).is_some() {}
    }

    fn is(&mut self, c: char) -> bool {
        self.take(|next| (next == c).then_some(())).is_some()
    }

    /// Parses a square, with an optional 同 after it.
    fn target(&mut self) -> Option<Square> {
        let square = self.square().or_else(|| self.take(glyph::iroha_square))?;
        self.is('同');
        Some(square)
    }

    /// Parses two numerals of any kind.
    fn square(&mut self) -> Option<Square> {
        let mut ahead = Parser(self.0.clone());
        let square = Square::new(ahead.take(glyph::numeral)?, ahead.take(glyph::numeral)?)?;
        self.0 = ahead.0;
        Some(square)
    }

    fn piece(&mut self) -> Option<PieceKind> {
        let promoted = self.is('成');
        let kind = self.take(PieceKind::from_kanji)?;
        if promoted { kind.promoted() } else { Some(kind) }
    }

    /// Parses one word after the piece. Returns `Some(false)` where there is none, and `None` where it contradicts a
    /// previous one.
    fn modifier(&mut self, words: &mut MoveWords) -> Option<bool> {
        let mut ahead = Parser(self.0.clone());
        ahead.skip(|c| c == '\u{3000}');
        let Some(word) = ahead.take(Some) else { return Some(false) };
        let is_new = match word {
            '右' => words.side.replace(RelativePosition::Right).is_none(),
            '左' => words.side.replace(RelativePosition::Left).is_none(),
            '直' => words.side.replace(RelativePosition::Straight).is_none(),
            '上' | '行' | '入' => words.motion.replace(PieceMotion::Up).is_none(),
            '寄' => words.motion.replace(PieceMotion::Across).is_none(),
            '引' => words.motion.replace(PieceMotion::Back).is_none(),
            '打' => !std::mem::replace(&mut words.drop, true),
            '成' => words.promotes.replace(true).is_none(),
            '生' => words.promotes.replace(false).is_none(),
            '不' => ahead.is('成') && words.promotes.replace(false).is_none(),
            '(' | '（' => match ahead.origin() {
                Some(origin) => words.origin.replace(origin).is_none(),
                None => return Some(false),
            },
            _ => return Some(false),
        };
        self.0 = ahead.0;
        is_new.then_some(true)
    }

    /// Parses the text after an opening parenthesis: an origin, if it is not a time or a remark.
    fn origin(&mut self) -> Option<Square> {
        let square = self.square()?;
        self.take(|c| (c == ')' || c == '）').then_some(square))
    }
}
