//! The BOD diagram of a position: nine framed ranks and the pieces in hand.

use super::super::scan::{Line, Scanner, digit};
use super::super::warning::{RecordProblem, Tally, Warnings, quote};
use super::moves;
use crate::shogi::{Color, Piece, PieceKind, Position, Setup, Square, numeral};

/// A diagram as far as its lines have been read.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    board: Setup,
    ranks: Tally,
    /// The number of cells read, and of those that are neither a piece nor an empty square.
    cells: usize,
    foreign: usize,
    /// Whether a hand was named, even an empty one.
    has_a_hand: bool,
    hands: Vec<(Color, PieceKind, u8)>,
    /// The number of the next move, if the diagram states it.
    pub(super) number: Option<u16>,
    /// The target square of the move before the diagram.
    pub(super) last_target: Option<Square>,
}

/// Returns whether a line is framed or part of the frame.
pub(super) fn is_frame(text: &str) -> bool {
    text.starts_with("+--") || text.starts_with('|')
}

/// Returns whether a line contains the file numbers above the frame.
pub(super) fn is_file_ruler(text: &str) -> bool {
    let mut digits = text.chars().filter(|c| !c.is_whitespace()).map(digit);
    (1..=9).rev().all(|file| digits.next() == Some(Some(file))) && digits.next().is_none()
}

impl Diagram {
    /// Reads a rank. Ignores other lines of the frame.
    pub(super) fn rank(&mut self, line: Line<'_>, text: &str, warnings: &mut Warnings) {
        let Some(cells) = text.strip_prefix('|') else { return };
        let cells = cells.rsplit_once('|').map_or(cells, |(cells, _)| cells);
        let columns = by_columns(cells);
        let cells = columns.as_deref().unwrap_or(cells);
        self.ranks.add(line.spot(text));
        let rank = u8::try_from(self.ranks.count()).unwrap_or(u8::MAX);
        let (mut color, mut promoted, mut file) = (Color::Black, false, 9_u8);
        for (at, c) in cells.char_indices() {
            let piece = match c {
                'v' | 'V' | 'ｖ' => {
                    color = Color::White;
                    continue;
                }
                '成' => {
                    promoted = true;
                    continue;
                }
                '^' => continue,
                _ if c.is_whitespace() => continue,
                '・' | '･' | '·' | '.' | '*' => None,
                _ => {
                    let kind =
                        PieceKind::from_kanji(c).and_then(|kind| if promoted { kind.promoted() } else { Some(kind) });
                    if kind.is_none() {
                        self.foreign += 1;
                        let part = cells.get(at..).filter(|_| columns.is_none()).unwrap_or(text);
                        warnings.add(line.spot(part), RecordProblem::Piece(c.to_string()));
                    }
                    kind.map(|kind| Piece { color, kind })
                }
            };
            self.cells += 1;
            if let Some(square) = Square::new(file, rank) {
                self.board.put(square, piece);
            }
            (color, promoted) = (Color::Black, false);
            // Below file 1 there is no square: the rank is too long.
            file = file.checked_sub(1).unwrap_or(u8::MAX);
        }
        if file != 0 && rank <= 9 {
            warnings.add(line.spot(text), RecordProblem::Rank);
        }
    }

    /// Reads the pieces in a hand: `飛二 角 歩十八`, `なし`.
    pub(super) fn hand(&mut self, color: Color, pieces: &str, line: Line<'_>, warnings: &mut Warnings) {
        let mut scanner = Scanner::new(pieces);
        self.has_a_hand = true;
        loop {
            scanner.skip_blanks();
            let before = scanner.rest;
            if before.is_empty() || before.starts_with("なし") || before.starts_with('#') {
                return;
            }
            let kind = scanner.take(|c| Some(PieceKind::from_kanji(c))).flatten();
            let count = count(&mut scanner).unwrap_or(1);
            // Report here, with the place, what one hand cannot hold. Both hands together may exceed a set, as in a
            // mating problem that uses two sets.
            let holdable = |kind| Setup::empty().add_to_hand(color, kind, count).is_ok();
            if let Some(kind) = kind.filter(|kind| holdable(*kind)) {
                self.hands.push((color, kind, count));
            } else {
                let words = before.get(..before.len() - scanner.rest.len()).unwrap_or(before);
                warnings.add(line.spot(before), RecordProblem::Hand(quote(words)));
            }
        }
    }

    /// Reads the text after `手数＝`: the number of the last move, and the move.
    pub(super) fn last_move(&mut self, text: &str) {
        let mut scanner = Scanner::new(text.trim_start());
        let number = scanner.number().and_then(|number| u16::try_from(number).ok());
        self.number = number.and_then(|number| number.checked_add(1));
        self.last_target = moves::marked_square(&mut scanner);
    }

    /// Returns whether a board or a hand was drawn, as opposed to other framed text. Boards of variants count.
    pub(super) const fn is_described(&self) -> bool {
        self.has_a_hand || self.cells >= 9 && self.foreign < self.cells / 2
    }

    /// Returns whether the board is that of a shogi variant.
    pub(super) fn is_foreign(&self, warnings: &mut Warnings) -> bool {
        let is_foreign = !matches!(self.ranks.count(), 0 | 9);
        if is_foreign {
            self.ranks.report(warnings, RecordProblem::Ranks);
        }
        is_foreign
    }

    /// Returns the board and hands; `None` if neither was drawn. Hands without a board are added to the named position.
    pub(super) fn setup(&self, named: Option<&Position>) -> Option<Setup> {
        let mut setup = match named {
            _ if self.ranks.count() > 0 => self.board.clone(),
            _ if self.hands.is_empty() => return None,
            Some(named) => Setup::from_position(named),
            None => Setup::from_position(&Position::startpos()),
        };
        for (color, kind, count) in &self.hands {
            // If a kind is named twice for a hand and exceeds a set, the first count is kept.
            let _kept = setup.add_to_hand(*color, *kind, *count);
        }
        Some(setup)
    }
}

/// Normalizes a rank with blanks for empty squares, three columns per square. Each square gets a sign. Returns `None`
/// if the rank already has nine squares, or other columns.
fn by_columns(cells: &str) -> Option<String> {
    let is_sign = |c: &char| !c.is_whitespace() && !matches!(c, 'v' | 'V' | 'ｖ' | '成' | '^');
    if cells.chars().filter(is_sign).count() == 9 {
        return None;
    }
    let (mut squares, mut square, mut column) = (String::new(), String::new(), 0_usize);
    for c in cells.chars() {
        square.push(c);
        column += if c.is_ascii() { 1 } else { 2 };
        if column % 3 == 0 {
            squares.push_str(if square.trim().is_empty() { " ・" } else { &square });
            square.clear();
        }
    }
    (column == 27 && square.is_empty()).then_some(squares)
}

/// Reads a count in kanji or digits, up to 99.
fn count(scanner: &mut Scanner<'_>) -> Option<u8> {
    let ten = |c| (c == '十').then_some(10);
    if let Some(number) = scanner.number() {
        return u8::try_from(number).ok().or(Some(u8::MAX));
    }
    match scanner.take(numeral) {
        Some(digit) => match scanner.take(ten) {
            Some(ten) => Some(digit * ten + scanner.take(numeral).unwrap_or(0)),
            None => Some(digit),
        },
        None => scanner.take(ten).map(|ten| ten + scanner.take(numeral).unwrap_or(0)),
    }
}
