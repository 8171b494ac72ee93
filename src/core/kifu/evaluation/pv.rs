//! Lines of moves, as words of any dialect.

use super::{CommentContext, EvaluatedPoint, MAX_PV};
use crate::kifu::csa;
use crate::shogi::{Color, Move, Notation, Position, SIDE_MARKS, Square, Style, notation, numeral};

/// The moves read from a line.
#[derive(Debug, Default)]
pub(super) struct PvMoves {
    pub(super) moves: Vec<Move>,
    /// Whether there is more in the text.
    pub(super) is_cut: bool,
    /// Whether it begins before the move that was played, with another one.
    pub(super) is_alternative: bool,
}

/// Where a line can begin: positions without those they came from, which are costly to copy.
pub(super) struct PvStarts {
    now: PvStart,
    before: Option<(PvStart, Move)>,
}

struct PvStart {
    position: Position,
    last_to: Option<Square>,
}

impl PvStart {
    fn new(point: EvaluatedPoint<'_>) -> Self {
        Self { position: point.position.without_past(), last_to: point.last_to }
    }

    /// The moves of a line that begins here.
    fn read(&self, text: &str) -> PvMoves {
        let (mut position, mut last_to) = (self.position.clone(), self.last_to);
        let mut line = PvMoves::default();
        let mut rest = text.trim_start();
        while line.moves.len() < MAX_PV && !rest.is_empty() {
            let (word, behind) = next_word(rest);
            let Some(mv) = read_move(word.trim_end(), &position, last_to).filter(|mv| position.play(*mv).is_ok())
            else {
                break;
            };
            line.moves.push(mv);
            last_to = Some(mv.to());
            rest = behind.trim_start();
        }
        line.is_cut = !rest.is_empty();
        line
    }
}

impl PvStarts {
    pub(super) fn new(context: CommentContext<'_>) -> Self {
        let before = context.before.map(|(point, mv)| (PvStart::new(point), mv));
        Self { now: PvStart::new(context.now), before }
    }

    /// Reads a line. Most programs begin it with the reply, `ShogiGUI`'s players and ぴよ将棋 with the
    /// move just played, which then is left out: whose the first move is tells. A line that is
    /// `instead` of the move played begins before it.
    pub(super) fn read(&self, text: &str, instead: bool) -> PvMoves {
        let first = first_side(text);
        let to_move = self.now.position.side_to_move();
        if !instead && first.is_none_or(|side| side == to_move) {
            let line = self.now.read(text);
            if first.is_some() || !line.moves.is_empty() || self.before.is_none() {
                return line;
            }
        }
        let Some((before, played)) = &self.before else {
            return PvMoves { is_cut: !text.trim().is_empty(), ..PvMoves::default() };
        };
        let mut line = before.read(text);
        if !instead && line.moves.first() == Some(played) {
            line.moves.remove(0);
        } else {
            line.is_alternative = !line.moves.is_empty();
        }
        line
    }
}

/// The words for a line from a point, up to the first illegal move. KIF's words get the mark of their
/// side as well, which the format itself does not have.
pub(super) fn spell(moves: &[Move], point: EvaluatedPoint<'_>, notation: Notation) -> Vec<String> {
    let (mut position, mut last_to) = (point.position.without_past(), point.last_to);
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        let mut word = String::new();
        if notation.style == Style::Kif {
            word.push(if position.side_to_move() == Color::Black { '▲' } else { '△' });
        }
        if notation.write(&mut word, &position, mv, last_to).is_err() || position.play(mv).is_err() {
            break;
        }
        last_to = Some(mv.to());
        words.push(word);
    }
    words
}

/// Whose move a line begins with, where it says so. Programs disagree about ▼ and ▽.
fn first_side(text: &str) -> Option<Color> {
    match text.trim_start().chars().next()? {
        '▲' | '☗' | '+' => Some(Color::Black),
        '△' | '☖' | '-' => Some(Color::White),
        _ => None,
    }
}

/// The first move's word of a line that begins with no space, and what follows it. Moves in Japanese are
/// parted by spaces or by the mark of a side alone, and have spaces within: `▲同　歩(87)△８一飛`. CSA's
/// may have nothing between.
fn next_word(text: &str) -> (&str, &str) {
    if begins_with_csa(text) {
        return text.split_at_checked(csa::LENGTH).unwrap_or((text, ""));
    }
    let in_japanese = !text.starts_with(|c: char| c.is_ascii() && numeral(c).is_none());
    let mut inside = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = if SIDE_MARKS.contains(&c) {
            inside.is_some()
        } else if c.is_whitespace() {
            let goes_on = chars.peek().is_some_and(|(_, next)| next.is_whitespace() || "(（".contains(*next));
            !(in_japanese && (goes_on || inside == Some('同') || inside.is_none()))
        } else {
            inside = Some(c);
            false
        };
        if ends {
            return text.split_at_checked(at).unwrap_or((text, ""));
        }
    }
    (text, "")
}

/// A move in CSA's, USI's or Japanese words.
fn read_move(word: &str, position: &Position, last_to: Option<Square>) -> Option<Move> {
    if let Some(mv) = Move::from_usi(word) {
        return Some(mv);
    }
    let Some(spelled) = csa::spelled(word) else { return notation::read(word, position, last_to).ok() };
    let (from, to, kind) = (spelled.from, spelled.to, spelled.kind);
    if spelled.side != position.side_to_move() {
        return None;
    }
    let Some(from) = from else { return Some(Move::Drop { kind, to }) };
    let before = position.piece_on(from)?.kind;
    let promote = before != kind;
    (!promote || before.promoted() == Some(kind)).then_some(Move::Board { from, to, promote })
}

/// Whether a text begins with a move as CSA spells it.
pub(super) fn begins_with_csa(text: &str) -> bool {
    text.get(..csa::LENGTH).and_then(csa::spelled).is_some()
}
