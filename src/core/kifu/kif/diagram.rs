//! A position as a diagram (BOD): nine framed ranks and the pieces in hand.

use super::super::scan::{Line, Scanner, digit};
use super::super::warning::{RecordProblem, Tally, Warnings, quote};
use super::moves;
use crate::shogi::{Color, Piece, PieceKind, Position, Setup, Square, numeral};

/// A diagram as far as its lines have been read.
#[derive(Debug)]
pub(super) struct Diagram {
    board: Setup,
    ranks: Tally,
    /// What its ranks hold, and how much of that is neither a piece nor an empty square.
    cells: usize,
    foreign: usize,
    /// Whether a hand was named, be it an empty one.
    has_a_hand: bool,
    hands: Vec<(Color, PieceKind, u8)>,
    /// The number of the next move, where the diagram tells it.
    pub(super) number: Option<u16>,
    /// The square of the move before it.
    pub(super) last_target: Option<Square>,
}

impl Default for Diagram {
    fn default() -> Self {
        Self {
            board: Setup::empty(),
            ranks: Tally::default(),
            cells: 0,
            foreign: 0,
            has_a_hand: false,
            hands: Vec::new(),
            number: None,
            last_target: None,
        }
    }
}

/// Whether a line is framed, or the frame itself.
pub(super) fn is_frame(text: &str) -> bool {
    text.starts_with("+--") || text.starts_with('|')
}

/// Whether a line is the numbers of the files, above the frame.
pub(super) fn is_file_ruler(text: &str) -> bool {
    let mut digits = text.chars().filter(|c| !c.is_whitespace()).map(digit);
    (1..=9).rev().all(|file| digits.next() == Some(Some(file))) && digits.next().is_none()
}

impl Diagram {
    /// Takes in a rank; other lines of the frame are passed over.
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
            // Below 1 there is no square any more: the rank is too long.
            file = file.checked_sub(1).unwrap_or(u8::MAX);
        }
        if file != 0 && rank <= 9 {
            warnings.add(line.spot(text), RecordProblem::Rank);
        }
    }

    /// Takes in the pieces in a hand: `飛二　角　歩十八`, `なし`.
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
            // What no hand can hold is noticed here, with its place; both hands together may hold
            // more than a set has, as in a mating problem with the pieces of two.
            let holdable = |kind| Setup::empty().hold(color, kind, count).is_ok();
            if let Some(kind) = kind.filter(|kind| holdable(*kind)) {
                self.hands.push((color, kind, count));
            } else {
                let said = before.get(..before.len() - scanner.rest.len()).unwrap_or(before);
                warnings.add(line.spot(before), RecordProblem::Hand(quote(said)));
            }
        }
    }

    /// Takes in what follows `手数＝`: the number of the last move, and the move.
    pub(super) fn last_move(&mut self, text: &str) {
        let mut scanner = Scanner::new(text.trim_start());
        let number = scanner.number().and_then(|number| u16::try_from(number).ok());
        self.number = number.and_then(|number| number.checked_add(1));
        self.last_target = moves::marked_square(&mut scanner);
    }

    /// Whether a board or a hand was drawn, be it none of shogi's, and not just any framed text.
    pub(super) const fn is_said(&self) -> bool {
        self.has_a_hand || self.cells >= 9 && self.foreign < self.cells / 2
    }

    /// Whether a board was drawn that is none of shogi's, as in its variants.
    pub(super) fn is_foreign(&self, warnings: &mut Warnings) -> bool {
        let is_foreign = !matches!(self.ranks.count(), 0 | 9);
        if is_foreign {
            self.ranks.report(warnings, RecordProblem::Ranks);
        }
        is_foreign
    }

    /// The board and hands; `None` where nothing of it was drawn. Hands without a board belong to
    /// the named position.
    pub(super) fn setup(&self, named: Option<&Position>) -> Option<Setup> {
        let mut setup = match named {
            _ if self.ranks.count() > 0 => self.board.clone(),
            _ if self.hands.is_empty() => return None,
            Some(named) => Setup::from_position(named),
            None => Setup::from_position(&Position::startpos()),
        };
        for (color, kind, count) in &self.hands {
            // A kind that is named twice for one hand, beyond a set: the first stands.
            let _kept = setup.hold(*color, *kind, *count);
        }
        Some(setup)
    }
}

/// A rank whose empty squares are blanks, with a sign for each of them: told by its columns, three a square.
/// `None` where it has its nine squares, or other columns.
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

/// A count in kanji or digits, up to 99.
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
