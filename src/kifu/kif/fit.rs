//! The capacity of KIF and KI2: words for ends, unplayed moves, the name of a start.

use super::ends::{self, EndWords};
use super::{lost_line_ends, moves};
use crate::builder::CutReason;
use crate::csa::moves as csa;
use crate::end::{End, Reason};
use crate::handicap;
use crate::record::Record;
use crate::scan::{Scanner, is_invisible};
use crate::walk::Walk;
use shogibar_shogi::{
    Color, Digits, Move, PieceKind, Position, SIDE_MARKS, Square, notation, square_in_kanji,
};

/// The format of the KIF family: KIF or KI2. The two formats differ in their moves and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Flavour {
    Kif,
    Ki2,
}

impl Flavour {
    /// Returns the words for an end in this format, after `ply` moves, with `mover` to move.
    pub(super) fn end_words(self, end: &End, ply: u16, mover: Color, is_handicap: bool) -> EndWords {
        match self {
            Self::Kif => ends::kif_end_words(end, ply, mover, is_handicap),
            Self::Ki2 => ends::ki2_end_words(end, ply, mover, is_handicap),
        }
    }
}

/// Returns the end as it is read back in this format, after `ply` moves in a position. Returns `None` if the format has
/// no words for the end.
pub(in super::super) fn fit_end(
    end: &End,
    at: &Walk<'_>,
    ply: u16,
    flavour: Flavour,
    is_handicap: bool,
) -> Option<End> {
    let now = at.position();
    let mover = now.side_to_move();
    let mut end = end.clone();
    if end.is_cut() {
        let words = one_word(&kif_words(end.words(), now).unwrap_or_else(|| end.words().to_owned()));
        // In KI2, only a move may follow a side mark: a reader of prose might find moves in other words.
        if flavour == Flavour::Ki2
            && !matches!(notation::read_first(&words, now, at.last_to()), Some((_, "")))
        {
            return None;
        }
        let is_playable = cut_reason(&words, at, flavour).is_none();
        if is_playable && flavour == Flavour::Ki2 {
            return None;
        }
        let words = if is_playable { format!("？{words}") } else { words };
        let reason = match cut_reason(&words, at, flavour) {
            Some(Reason::Unreadable) if flavour == Flavour::Kif && ends::is_word(&words) => Reason::Other,
            reason => reason.unwrap_or(Reason::Unreadable),
        };
        let needs_mark = flavour == Flavour::Ki2 && !words.starts_with(SIDE_MARKS);
        let mark = if mover == Color::Black { "▲" } else { "△" };
        let words = if needs_mark {
            format!("{mark}{words}")
        } else {
            words
        };
        end = End::new(reason, end.outcome, &words);
    }
    let read_again = |end: &End| {
        let mut written = flavour.end_words(end, ply, mover, is_handicap);
        if written
            .summary
            .as_ref()
            .is_some_and(|summary| lost_line_ends::split(summary).1.is_some())
        {
            let escaped = End::new(
                end.reason,
                end.outcome,
                &lost_line_ends::escape_words(end.words()),
            );
            written = flavour.end_words(&escaped, ply, mover, is_handicap);
        }
        ends::read_back(&written, end.reason, mover)
    };
    let mut held = read_again(&end)?;
    // What a reader keeps of odd words may need replacements again, so the end is fitted several times.
    for _ in 0..3 {
        held = read_again(&held)?;
    }
    // An end without any words would not be read back.
    (flavour.end_words(&held, ply, mover, is_handicap) != EndWords::default()).then_some(held)
}

/// Returns the reason of the end that a reader makes of words in place of a move. Returns `None` if the reader makes no
/// such end: the words are a legal move, a mark, or more than a move.
fn cut_reason(words: &str, at: &Walk<'_>, flavour: Flavour) -> Option<Reason> {
    if ends::first_mark(words.trim_start_matches(SIDE_MARKS)).is_some() {
        return None; // These words mean another end.
    }
    let (now, prev) = (at.position(), at.last_to());
    let mut scanner = Scanner::new(words);
    let (read, rest) = match flavour {
        // In KIF, text without a square or piece is not a move.
        Flavour::Kif => match moves::parse_move(&mut scanner) {
            Some(spelled) => {
                let mv = spelled.resolve(prev);
                (
                    mv.map_or_else(|| notation::read(words, now, prev), Ok),
                    scanner.rest,
                )
            }
            None => return Some(Reason::Unreadable),
        },
        Flavour::Ki2 => match notation::read_first(words, now, prev) {
            Some(read) => read,
            None => return Some(Reason::Unreadable),
        },
    };
    match read {
        _ if !rest.is_empty() => None, // A time or another word follows the move.
        Ok(mv) => (!now.is_legal(mv)).then_some(Reason::IllegalMove),
        Err(error) => Some(CutReason::from(error).end_reason()),
    }
}

/// Replaces blanks, invisible characters, branch signs and remark signs, so that the words are read as one.
fn one_word(words: &str) -> String {
    words
        .chars()
        .map(|c| match c {
            '#' => '＃',
            '+' => '＋',
            c if c.is_whitespace() || is_invisible(c) => '＿',
            c => c,
        })
        .collect()
}

/// Handicaps that some readers do not know.
const RARE_HANDICAPS: [&str; 5] = ["三枚落ち", "五枚落ち", "左五枚落ち", "左七枚落ち", "右七枚落ち"];

/// Returns whether the start is written as a diagram, not only as a name. The diagram helps readers that do not know
/// the rarer handicaps.
pub(in super::super) fn is_start_drawn(record: &Record) -> bool {
    let is_named = record
        .header("手合割")
        .is_some_and(|name| handicap::starts(name).contains(record.start()));
    !is_named || handicap::name(record.start()).is_none_or(|name| RARE_HANDICAPS.contains(&name))
}

/// Returns whether KIF can hold the time of an end: a word in place of a move must state the end.
pub(in super::super) fn can_hold_end_time(end: &End, now: &Position) -> bool {
    ends::has_word(end, now.side_to_move())
}

/// Returns a comment that describes an end, for formats that cannot hold it.
pub(in super::super) fn describe(end: &End, mover: Color, is_handicap: bool) -> String {
    match end.reason {
        Reason::IllegalMove => format!("反則手：{}", end.words()),
        Reason::Unreadable => format!("読めない手：{}", end.words()),
        _ => format!("終局：{}", ends::phrase(end, mover, is_handicap)),
    }
}

/// Puts the name of the start into the headers, その他 for a start without a name. Replaces a name of another position.
pub(in super::super) fn name_start(headers: &mut Vec<(String, String)>, start: &Position) {
    let name = handicap::name(start).unwrap_or("その他");
    let is_name = |value: &str| {
        let starts = handicap::starts(value);
        starts.is_empty() || starts.contains(start)
    };
    match headers.iter_mut().find(|(key, _)| key == "手合割") {
        Some((_, value)) if is_name(value) => {}
        Some((_, value)) => name.clone_into(value),
        None => headers.insert(0, ("手合割".to_owned(), name.to_owned())),
    }
}

/// Converts a move in CSA or USI notation to KIF; `None` if it is not such a move.
fn kif_words(words: &str, now: &Position) -> Option<String> {
    let word = words.split_whitespace().next()?;
    let (from, to, after) =
        parse_usi(word, now).or_else(|| csa::parse_move(word).map(|mv| (mv.from, mv.to, mv.kind)))?;
    let before = from
        .and_then(|from| now.piece_on(from))
        .map_or(after, |piece| piece.kind);
    let promotes = before != after && before.promoted() == Some(after);
    let piece = if promotes { before } else { after };
    let origin = match from {
        None => "打".to_owned(),
        Some(from) => format!(
            "{}({}{})",
            if promotes { "成" } else { "" },
            from.file(),
            from.rank()
        ),
    };
    Some(format!(
        "{}{}{origin}",
        square_in_kanji(to, Digits::Full),
        piece.kanji()
    ))
}

/// Parses a move in KIF or USI notation, which may be illegal. Returns its origin (`None` for a drop), its target, and
/// the piece after it.
pub(in super::super) fn parse_unplayed_move(
    words: &str,
    now: &Position,
) -> Option<(Option<Square>, Square, PieceKind)> {
    let in_kif = || {
        let moves::KifMove {
            to,
            kind,
            promote,
            origin,
        } = moves::parse_move(&mut Scanner::new(words))?;
        let from = match origin? {
            moves::MoveOrigin::Hand => None,
            moves::MoveOrigin::Board(from) => Some(from),
        };
        Some((
            from,
            to?,
            if promote {
                kind.promoted().unwrap_or(kind)
            } else {
                kind
            },
        ))
    };
    words
        .split_whitespace()
        .next()
        .and_then(|word| parse_usi(word, now))
        .or_else(in_kif)
}

/// Parses a USI move. Returns its origin (`None` for a drop), its target, and the piece after it.
fn parse_usi(word: &str, now: &Position) -> Option<(Option<Square>, Square, PieceKind)> {
    match Move::from_usi(word)? {
        Move::Drop { kind, to } => Some((None, to, kind)),
        Move::Board { from, to, promote } => {
            let kind = now.piece_on(from)?.kind;
            Some((
                Some(from),
                to,
                if promote {
                    kind.promoted().unwrap_or(kind)
                } else {
                    kind
                },
            ))
        }
    }
}
