//! What KIF and KI2 hold of a record: ends in their words, moves that were not played, the name of a start.

use super::ends::{self, EndWords};
use super::{lost_line_ends, moves, start};
use crate::kifu::builder::CutReason;
use crate::kifu::csa;
use crate::kifu::end::{End, Reason};
use crate::kifu::handicap;
use crate::kifu::record::Record;
use crate::kifu::scan::Scanner;
use crate::kifu::walk::Walk;
use crate::shogi::{Color, Move, PieceKind, Position, SIDE_MARKS, Square, in_kanji, notation};

/// The two that share everything but their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Flavour {
    Kif,
    Ki2,
}

impl Flavour {
    pub(super) fn write_end(self, end: &End, ply: u16, mover: Color, is_handicap: bool) -> EndWords {
        match self {
            Self::Kif => ends::in_kif(end, ply, mover, is_handicap),
            Self::Ki2 => ends::in_ki2(end, ply, mover, is_handicap),
        }
    }
}

/// What the format holds of an end after `ply` moves in a position: what will be read there again. `None`
/// where it has no words for it.
pub(in super::super) fn held(end: &End, at: &Walk<'_>, ply: u16, flavour: Flavour, is_handicap: bool) -> Option<End> {
    let now = at.position();
    let mover = now.side_to_move();
    let mut end = end.clone();
    if end.is_a_cut() {
        let words = one_word(&in_words(end.words(), now).unwrap_or_else(|| end.words().to_owned()), flavour);
        let words = if read(&words, at, flavour).is_none() { format!("？{words}") } else { words };
        let reason = match read(&words, at, flavour) {
            Some(Reason::Unreadable) if flavour == Flavour::Kif && ends::is_word(&words) => Reason::Other,
            reason => reason.unwrap_or(Reason::Unreadable),
        };
        let needs_mark = flavour == Flavour::Ki2 && !words.starts_with(SIDE_MARKS);
        let mark = if mover == Color::Black { "▲" } else { "△" };
        let words = if needs_mark { format!("{mark}{words}") } else { words };
        end = End::new(reason, end.outcome, &words);
    }
    let summary = flavour.write_end(&end, ply, mover, is_handicap).summary;
    if summary.is_some_and(|summary| lost_line_ends::split(&summary).1.is_some()) {
        end = End::new(end.reason, end.outcome, &lost_line_ends::masked(end.words()));
    }
    let told = |end: &End| ends::read_back(&flavour.write_end(end, ply, mover, is_handicap), end.reason, mover);
    let mut held = told(&end)?;
    // What is left of odd words may be told in others.
    for _ in 0..3 {
        held = told(&held)?;
    }
    // An end of which nothing is left to be told is none: what is said of it has another place.
    (flavour.write_end(&held, ply, mover, is_handicap) != EndWords::default()).then_some(held)
}

/// Why words end a line when they are read as a move; `None` where they do not, in another format or after a
/// change: they are a legal one, or begin with one.
fn read(words: &str, at: &Walk<'_>, flavour: Flavour) -> Option<Reason> {
    if ends::first_mark(words.trim_start_matches(SIDE_MARKS)).is_some() {
        return None; // Another end is told so.
    }
    let (now, prev) = (at.position(), at.last_to());
    let mut scanner = Scanner::new(words);
    let (read, rest) = match flavour {
        // There, a move without its square or piece is no move.
        Flavour::Kif => match moves::spell(&mut scanner) {
            Some(spelled) => {
                let mv = spelled.in_full(prev);
                (mv.map_or_else(|| notation::read(words, now, prev), Ok), scanner.rest)
            }
            None => return Some(Reason::Unreadable),
        },
        Flavour::Ki2 => match notation::read_first(words, now, prev) {
            Some(read) => read,
            None => return Some(Reason::Unreadable),
        },
    };
    match read {
        _ if !rest.is_empty() => None, // What follows a move is its time or another word.
        Ok(mv) => (!now.is_legal(mv)).then_some(Reason::IllegalMove),
        Err(error) => Some(CutReason::from(&error).reason()),
    }
}

/// Words without what would part them from one another, is the sign of a branch, or makes a header of KI2.
fn one_word(words: &str, flavour: Flavour) -> String {
    let apart = |c: char| match c {
        '#' => '＃',
        '+' => '＋',
        ':' | '：' if flavour == Flavour::Ki2 => '；',
        c if c.is_whitespace() => '＿',
        c => c,
    };
    words.chars().map(apart).collect()
}

/// Handicaps that some readers take for none.
const RARE: [&str; 5] = ["三枚落ち", "五枚落ち", "左五枚落ち", "左七枚落ち", "右七枚落ち"];

/// Whether the start is drawn, and not only named. Not every reader knows the rarer handicaps; the diagram says
/// them to all.
pub(in super::super) fn is_drawn(record: &Record) -> bool {
    let is_named = record.header("手合割").and_then(start::named).as_ref() == Some(record.start());
    !is_named || handicap::name(record.start()).is_none_or(|name| RARE.contains(&name))
}

/// Whether KIF has a place for the time of an end.
pub(in super::super) fn times_end(end: &End, now: &Position) -> bool {
    ends::has_word(end, now.side_to_move())
}

/// An end in a comment, for a format that has no place for it.
pub(in super::super) fn describe(end: &End, mover: Color, is_handicap: bool) -> String {
    match end.reason {
        Reason::IllegalMove => format!("反則手：{}", end.words()),
        Reason::Unreadable => format!("読めない手：{}", end.words()),
        _ => format!("終局：{}", ends::phrase(end, mover, is_handicap)),
    }
}

/// Puts the name of the start among the headers, in the place of another that is not its own.
pub(in super::super) fn name_start(headers: &mut Vec<(String, String)>, start: &Position) {
    let name = handicap::name(start).unwrap_or("その他");
    let names = |said: &str| super::start::named(said).is_none_or(|named| named == *start);
    match headers.iter_mut().find(|(key, _)| key == "手合割") {
        Some((_, said)) if names(said) => {}
        Some((_, said)) => name.clone_into(said),
        None => headers.insert(0, ("手合割".to_owned(), name.to_owned())),
    }
}

/// A move that CSA or USI spells, in the words of KIF; `None` where it is no such move.
fn in_words(words: &str, now: &Position) -> Option<String> {
    let word = words.split_whitespace().next()?;
    let (from, to, after) = usi(word, now).or_else(|| csa::spelled(word).map(|mv| (mv.from, mv.to, mv.kind)))?;
    let before = from.and_then(|from| now.piece_on(from)).map_or(after, |piece| piece.kind);
    let promotes = before != after && before.promoted() == Some(after);
    let piece = if promotes { before } else { after };
    let origin = match from {
        None => "打".to_owned(),
        Some(from) => format!("{}({}{})", if promotes { "成" } else { "" }, from.file(), from.rank()),
    };
    Some(format!("{}{}{origin}", in_kanji(to), piece.kanji()))
}

/// The origin, target and piece after the move of a move that KIF or USI spells, be it illegal.
pub(in super::super) fn spelled(words: &str, now: &Position) -> Option<(Option<Square>, Square, PieceKind)> {
    let in_kif = || {
        let moves::KifMove { to, kind, promote, origin } = moves::spell(&mut Scanner::new(words))?;
        let from = match origin? {
            moves::MoveOrigin::Hand => None,
            moves::MoveOrigin::Board(from) => Some(from),
        };
        Some((from, to?, if promote { kind.promoted().unwrap_or(kind) } else { kind }))
    };
    words.split_whitespace().next().and_then(|word| usi(word, now)).or_else(in_kif)
}

fn usi(word: &str, now: &Position) -> Option<(Option<Square>, Square, PieceKind)> {
    match Move::from_usi(word)? {
        Move::Drop { kind, to } => Some((None, to, kind)),
        Move::Board { from, to, promote } => {
            let kind = now.piece_on(from)?.kind;
            Some((Some(from), to, if promote { kind.promoted().unwrap_or(kind) } else { kind }))
        }
    }
}
