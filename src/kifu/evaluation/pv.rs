//! Principal variations in the notation of any dialect.

use super::{CommentContext, EvaluatedPoint, MAX_PV_MOVES};
use crate::csa::moves as csa;
use shogibar_shogi::{Color, Move, Notation, Position, SIDE_MARKS, Square, Style, notation, numeral};

/// The moves read from a pv text.
#[derive(Debug, Default)]
pub(super) struct PvMoves {
    pub(super) moves: Vec<Move>,
    /// Whether the text continues after the last move.
    pub(super) is_cut: bool,
    /// Whether the pv begins before the played move, with another move.
    pub(super) is_alternative: bool,
}

/// The positions where a pv can begin. The positions have no history, which is costly to copy.
pub(super) struct PvStarts {
    /// The position after the played move.
    now: PvStart,
    /// The position before the played move, and this move; `None` at the start of the game.
    before: Option<(PvStart, Move)>,
}

/// A position where a pv can begin, with the target square of the move before it.
struct PvStart {
    position: Position,
    last_to: Option<Square>,
}

impl PvStart {
    fn new(point: EvaluatedPoint<'_>) -> Self {
        Self {
            position: point.position.without_history(),
            last_to: point.last_to,
        }
    }

    /// Reads the pv that begins at this position.
    fn read(&self, text: &str) -> PvMoves {
        let (mut position, mut last_to) = (self.position.clone(), self.last_to);
        let mut line = PvMoves::default();
        let mut rest = text.trim_start();
        while line.moves.len() < MAX_PV_MOVES && !rest.is_empty() {
            let (word, behind) = next_word(rest);
            let Some(mv) =
                read_move(word.trim_end(), &position, last_to).filter(|mv| position.play(*mv).is_ok())
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
        Self {
            now: PvStart::new(context.now),
            before,
        }
    }

    /// Reads a pv. Most programs begin a pv with the reply. `ShogiGUI`'s players and ぴよ将棋 begin it with the played
    /// move, which is then omitted. The side of the first move decides. With `is_alternative`, the pv begins before the
    /// played move and replaces this move.
    pub(super) fn read(&self, text: &str, is_alternative: bool) -> PvMoves {
        let first = first_side(text);
        let to_move = self.now.position.side_to_move();
        if !is_alternative && first.is_none_or(|side| side == to_move) {
            let line = self.now.read(text);
            if first.is_some() || !line.moves.is_empty() || self.before.is_none() {
                return line;
            }
        }
        let Some((before, played)) = &self.before else {
            return PvMoves {
                is_cut: !text.trim().is_empty(),
                ..PvMoves::default()
            };
        };
        let mut line = before.read(text);
        if !is_alternative && line.moves.first() == Some(played) {
            line.moves.remove(0);
        } else {
            line.is_alternative = !line.moves.is_empty();
        }
        line
    }
}

/// Returns the moves of a pv from a point in a notation, up to the first illegal move. Moves in KIF notation get a side
/// mark.
pub(super) fn move_words(moves: &[Move], point: EvaluatedPoint<'_>, notation: Notation) -> Vec<String> {
    let (mut position, mut last_to) = (point.position.without_history(), point.last_to);
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        let mut word = String::new();
        if notation.style == Style::Kif {
            word.push(if position.side_to_move() == Color::Black {
                '▲'
            } else {
                '△'
            });
        }
        if notation.write(&mut word, &position, mv, last_to).is_err() || position.play(mv).is_err() {
            break;
        }
        last_to = Some(mv.to());
        words.push(word);
    }
    words
}

/// Returns the side of the first move; `None` if the text does not state it. Programs disagree about ▼ and ▽, so these
/// signs state no side.
pub(super) fn first_side(text: &str) -> Option<Color> {
    match text.trim_start().chars().next()? {
        '▲' | '☗' | '+' => Some(Color::Black),
        '△' | '☖' | '-' => Some(Color::White),
        _ => None,
    }
}

/// Splits off the word of the first move; the text must not begin with a space. Moves in Japanese are separated by
/// spaces or only by side marks, and may contain spaces: `▲同 歩(87)△８一飛`. CSA moves may have no separator.
fn next_word(text: &str) -> (&str, &str) {
    if begins_with_csa(text) {
        return text.split_at_checked(csa::MOVE_BYTES).unwrap_or((text, ""));
    }
    let in_japanese = !text.starts_with(|c: char| c.is_ascii() && numeral(c).is_none());
    let mut inside = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = if SIDE_MARKS.contains(&c) {
            inside.is_some()
        } else if c.is_whitespace() {
            let goes_on = chars
                .peek()
                .is_some_and(|(_, next)| next.is_whitespace() || "(（".contains(*next));
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

/// Parses a move in CSA, USI or Japanese notation.
fn read_move(word: &str, position: &Position, last_to: Option<Square>) -> Option<Move> {
    if let Some(mv) = Move::from_usi(word) {
        return Some(mv);
    }
    let Some(spelled) = csa::parse_move(word) else {
        return notation::read(word, position, last_to).ok();
    };
    let (from, to, kind) = (spelled.from, spelled.to, spelled.kind);
    if spelled.side != position.side_to_move() {
        return None;
    }
    let Some(from) = from else {
        return Some(Move::Drop { kind, to });
    };
    let before = position.piece_on(from)?.kind;
    let promote = before != kind;
    (!promote || before.promoted() == Some(kind)).then_some(Move::Board { from, to, promote })
}

pub(super) fn begins_with_csa(text: &str) -> bool {
    text.get(..csa::MOVE_BYTES).and_then(csa::parse_move).is_some()
}
