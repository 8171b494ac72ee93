//! Parses the notation of a move without a position.

use super::geometry::{PieceMotion, RelativePosition};
use super::glyph;
use crate::{PieceKind, Square};
use std::str::Chars;

/// The marks before a move that show its side, as other programs write them.
pub const SIDE_MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveWords {
    /// The target; `None` for 同.
    pub(super) to: Option<Square>,
    pub(super) kind: PieceKind,
    /// The modifier 右, 左 or 直; `None` if it is not written.
    pub(super) side: Option<RelativePosition>,
    /// The modifier 上, 寄 or 引; `None` if it is not written.
    pub(super) motion: Option<PieceMotion>,
    /// The origin, which KIF and Western styles write; `None` if it is not written.
    pub(super) origin: Option<Square>,
    /// Whether 打 is written.
    pub(super) is_drop: bool,
    /// `true` for 成, `false` for 不成 or 生; `None` without any of them.
    pub(super) promotes: Option<bool>,
}

/// Skips the separators of moves: spaces, and the mark of a side. The mark is ignored:
/// the side to move is known, and records disagree about ▼ and ▽.
pub(super) fn skip_separators(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c))
}

/// Parses one move at the beginning of `text`. Returns it with the text after it, or `None` if there is no move.
pub(super) fn parse(text: &str) -> Option<(MoveWords, &str)> {
    let mut parser = Parser(skip_separators(text).chars());
    let to = if parser.take_char('同') {
        None
    } else {
        Some(parser.target()?)
    };
    parser.skip(char::is_whitespace);
    let kind = parser.piece()?;
    let mut words = MoveWords {
        to,
        kind,
        side: None,
        motion: None,
        origin: None,
        is_drop: false,
        promotes: None,
    };
    while parser.modifier(&mut words)? {}
    Some((words, parser.0.as_str()))
}

/// A parser of the characters that it has not consumed yet.
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

    /// Consumes the next characters that `accept` accepts.
    fn skip(&mut self, accept: impl Fn(char) -> bool) {
        while self.take(|c| accept(c).then_some(())).is_some() {}
    }

    /// Consumes the next character if it is `c`. Returns whether it was.
    fn take_char(&mut self, c: char) -> bool {
        self.take(|next| (next == c).then_some(())).is_some()
    }

    fn target(&mut self) -> Option<Square> {
        let square = self.square().or_else(|| self.take(glyph::iroha_square))?;
        self.take_char('同');
        Some(square)
    }

    /// Parses two numerals of any kind.
    fn square(&mut self) -> Option<Square> {
        let mut ahead = Parser(self.0.clone());
        let square = Square::new(ahead.take(glyph::numeral)?, ahead.take(glyph::numeral)?)?;
        self.0 = ahead.0;
        Some(square)
    }

    /// Parses the name of a piece, of one character or with 成 before it.
    fn piece(&mut self) -> Option<PieceKind> {
        let promoted = self.take_char('成');
        let kind = self.take(PieceKind::from_kanji)?;
        if promoted { kind.promoted() } else { Some(kind) }
    }

    /// Parses one word after the piece. Returns `Some(false)` where there is none, and `None` where the word
    /// contradicts a previous one.
    fn modifier(&mut self, words: &mut MoveWords) -> Option<bool> {
        let mut ahead = Parser(self.0.clone());
        ahead.skip(|c| c == '\u{3000}');
        let Some(word) = ahead.take(Some) else {
            return Some(false);
        };
        let is_new = match word {
            '右' => words.side.replace(RelativePosition::Right).is_none(),
            '左' => words.side.replace(RelativePosition::Left).is_none(),
            '直' => words.side.replace(RelativePosition::Straight).is_none(),
            '上' | '行' | '入' => words.motion.replace(PieceMotion::Up).is_none(),
            '寄' => words.motion.replace(PieceMotion::Across).is_none(),
            '引' => words.motion.replace(PieceMotion::Back).is_none(),
            '打' => !std::mem::replace(&mut words.is_drop, true),
            '成' => words.promotes.replace(true).is_none(),
            '生' => words.promotes.replace(false).is_none(),
            '不' => ahead.take_char('成') && words.promotes.replace(false).is_none(),
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
