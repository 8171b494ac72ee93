//! From text to what it says, before a position gives it meaning.

use super::geometry::{OriginPlace, PieceMotion};
use super::glyph;
use crate::shogi::{PieceKind, Square};
use std::str::Chars;

/// The marks that tell whose a move is, as any writer puts them before it.
pub(crate) const SIDE_MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// What the words for one move say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveWords {
    /// The target; `None` for 同.
    pub(super) to: Option<Square>,
    pub(super) kind: PieceKind,
    pub(super) place: Option<OriginPlace>,
    pub(super) motion: Option<PieceMotion>,
    /// KIF's `(77)`.
    pub(super) origin: Option<Square>,
    /// 打
    pub(super) drop: bool,
    /// 成: true, 不成 or 生: false.
    pub(super) promotes: Option<bool>,
}

/// Skips what may stand between two moves: spaces, and the mark of a side. The mark is not believed:
/// who moves is known, and records disagree about ▼ and ▽.
pub(super) fn skip_separators(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c))
}

/// Reads the words for one move at the beginning of `text` and returns what follows them.
pub(super) fn parse(text: &str) -> Option<(MoveWords, &str)> {
    let mut parser = Parser(skip_separators(text).chars());
    let to = if parser.is('同') { None } else { Some(parser.target()?) };
    parser.skip(char::is_whitespace);
    let kind = parser.piece()?;
    let mut said = MoveWords { to, kind, place: None, motion: None, origin: None, drop: false, promotes: None };
    while parser.modifier(&mut said)? {}
    Some((said, parser.0.as_str()))
}

struct Parser<'a>(Chars<'a>);

impl Parser<'_> {
    /// Takes the next character if `f` makes something of it.
    fn take<T>(&mut self, f: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let mut ahead = self.0.clone();
        let taken = ahead.next().and_then(f)?;
        self.0 = ahead;
        Some(taken)
    }

    fn skip(&mut self, accept: impl Fn(char) -> bool) {
        while self.take(|c| accept(c).then_some(())).is_some() {}
    }

    fn is(&mut self, c: char) -> bool {
        self.take(|next| (next == c).then_some(())).is_some()
    }

    /// A square, be it said besides that it is the same as before.
    fn target(&mut self) -> Option<Square> {
        let square = self.square().or_else(|| self.take(glyph::iroha_square))?;
        self.is('同');
        Some(square)
    }

    /// Two numerals of any kind.
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

    /// One word after the piece. `Some(false)` where there is none, `None` where it contradicts one
    /// that was said.
    fn modifier(&mut self, said: &mut MoveWords) -> Option<bool> {
        let mut ahead = Parser(self.0.clone());
        ahead.skip(|c| c == '\u{3000}');
        let Some(word) = ahead.take(Some) else { return Some(false) };
        let fresh = match word {
            '右' => said.place.replace(OriginPlace::Right).is_none(),
            '左' => said.place.replace(OriginPlace::Left).is_none(),
            '直' => said.place.replace(OriginPlace::Straight).is_none(),
            '上' | '行' | '入' => said.motion.replace(PieceMotion::Up).is_none(),
            '寄' => said.motion.replace(PieceMotion::Across).is_none(),
            '引' => said.motion.replace(PieceMotion::Back).is_none(),
            '打' => !std::mem::replace(&mut said.drop, true),
            '成' => said.promotes.replace(true).is_none(),
            '生' => said.promotes.replace(false).is_none(),
            '不' => ahead.is('成') && said.promotes.replace(false).is_none(),
            '(' | '（' => match ahead.origin() {
                Some(origin) => said.origin.replace(origin).is_none(),
                None => return Some(false),
            },
            _ => return Some(false),
        };
        self.0 = ahead.0;
        fresh.then_some(true)
    }

    /// What follows an opening parenthesis: an origin, if it is not a time or a remark.
    fn origin(&mut self) -> Option<Square> {
        let square = self.square()?;
        self.take(|c| (c == ')' || c == '）').then_some(square))
    }
}
