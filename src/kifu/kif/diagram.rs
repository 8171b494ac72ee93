//! The BOD diagram of a position: nine framed ranks and the pieces in hand.

use super::super::scan::{Line, Scanner, digit};
use super::super::warning::{RecordProblem, Tally, TextPosition, Warnings, quote};
use super::moves;
use shogibar_shogi::{Color, OtherGame, Piece, PieceKind, Position, Setup, SfenError, Square, numeral};

/// A diagram as far as its lines have been read.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    /// The pieces of the first nine ranks.
    board: Setup,
    /// The ranks read so far, of all diagrams.
    ranks: Tally,
    /// The text and the number of squares of each rank, up to a maximum number of ranks.
    rows: Vec<(String, usize)>,
    /// The position and the warning of the first rank that differs from the same rank of an earlier diagram.
    differing_rank: Option<(TextPosition, RecordProblem)>,
    /// The number of cells read.
    cell_count: usize,
    /// The number of cells that are neither a piece nor an empty square.
    unknown_cell_count: usize,
    /// Black's and White's hand; `None` for a hand that is not stated. An empty hand may be stated.
    hands: [Option<DrawnHand>; Color::COUNT],
    /// The text of the first `手数＝` line, which numbers the last move.
    numbering: Option<String>,
    /// The number of the next move; `None` if the diagram does not state it.
    pub(super) number: Option<u16>,
    /// The target square of the move before the diagram; `None` if the diagram does not state it.
    pub(super) last_target: Option<Square>,
}

/// The pieces in a hand, with the text of the line.
#[derive(Debug)]
struct DrawnHand {
    pieces: Vec<(PieceKind, u8)>,
    words: String,
}

/// The maximum number of ranks whose text is stored.
const MAX_STORED_ROWS: usize = 100;

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
    pub(super) fn read_rank(&mut self, line: Line<'_>, text: &str, warnings: &mut Warnings) {
        let Some(cells) = text.strip_prefix('|') else {
            return;
        };
        let cells = cells.rsplit_once('|').map_or(cells, |(cells, _)| cells);
        let columns = split_columns(cells);
        let cells = columns.as_deref().unwrap_or(cells);
        self.ranks.add(line.spot(text));
        let count = self.ranks.count();
        // The ranks of a second diagram follow those of the first.
        let rank = u8::try_from((count - 1) % 9 + 1).unwrap_or(u8::MAX);
        let (mut width, mut differs) = (0, false);
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
                    let kind = PieceKind::from_kanji(c)
                        .and_then(|kind| if promoted { kind.promoted() } else { Some(kind) });
                    if kind.is_none() {
                        self.unknown_cell_count += 1;
                        let part = match cells.get(at..) {
                            Some(part) if columns.is_none() => part,
                            _ => text,
                        };
                        warnings.add(line.spot(part), RecordProblem::UnknownPiece(c.to_string()));
                    }
                    kind.map(|kind| Piece { color, kind })
                }
            };
            self.cell_count += 1;
            width += 1;
            if let Some(square) = Square::new(file, rank) {
                if count <= 9 {
                    self.board.put(square, piece);
                } else {
                    differs |= self.board.piece_on(square) != piece;
                }
            }
            (color, promoted) = (Color::Black, false);
            // After file 1 comes `u8::MAX`, which is no file: the rank is too long.
            file = file.checked_sub(1).unwrap_or(u8::MAX);
        }
        if file != 0 && count <= 9 {
            warnings.add(line.spot(text), RecordProblem::RankWidth);
        }
        if differs
            && self.differing_rank.is_none()
            && let Some((taken, _)) = self.rows.get((count - 1) % 9)
        {
            let problem = RecordProblem::SecondStatement {
                used: taken.clone(),
                ignored: quote(text),
            };
            self.differing_rank = Some((line.spot(text).position(), problem));
        }
        if self.rows.len() < MAX_STORED_ROWS {
            self.rows.push((quote(text), width));
        }
    }

    /// Reads the pieces in a hand: `飛二 角 歩十八`, `なし`. The first hand of a side counts.
    pub(super) fn read_hand(&mut self, color: Color, text: &str, line: Line<'_>, warnings: &mut Warnings) {
        let (mut scanner, mut pieces, mut held) = (Scanner::new(text), Vec::new(), Setup::empty());
        loop {
            scanner.skip_blanks();
            let before = scanner.rest;
            if before.is_empty() || before.starts_with("なし") || before.starts_with('#') {
                break;
            }
            let kind = scanner.take(|c| Some(PieceKind::from_kanji(c))).flatten();
            let count = read_count(&mut scanner).unwrap_or(1);
            // Only the pieces of one hand are limited to one set: a mating problem may use two sets.
            if let Some(kind) = kind.filter(|kind| held.add_to_hand(color, *kind, count).is_ok()) {
                pieces.push((kind, count));
            } else {
                let words = before.get(..before.len() - scanner.rest.len()).unwrap_or(before);
                warnings.add(line.spot(before), RecordProblem::InvalidHand(quote(words)));
            }
        }
        let Some(hand) = self.hands.get_mut(color.to_index()) else {
            return;
        };
        match hand {
            Some(first) if first.pieces != pieces => {
                let problem = RecordProblem::SecondStatement {
                    used: first.words.clone(),
                    ignored: quote(line.text),
                };
                warnings.add(line.spot(text), problem);
            }
            Some(_) => {}
            None => {
                *hand = Some(DrawnHand {
                    pieces,
                    words: quote(line.text),
                });
            }
        }
    }

    /// Reads a line `手数＝` with the number of the last move and the move. `rest` is the text after `＝`. The first
    /// such line counts.
    pub(super) fn read_last_move(&mut self, rest: &str, line: Line<'_>, warnings: &mut Warnings) {
        let words = quote(line.text);
        let taken = self.numbering.get_or_insert_with(|| words.clone());
        if *taken != words {
            let problem = RecordProblem::SecondStatement {
                used: taken.clone(),
                ignored: words,
            };
            return warnings.add(line.spot(rest), problem);
        }
        let mut scanner = Scanner::new(rest.trim_start());
        let number = scanner.number().and_then(|number| u16::try_from(number).ok());
        self.number = number.and_then(|number| number.checked_add(1));
        self.last_target = moves::parse_marked_square(&mut scanner);
    }

    /// Returns whether a board or a hand was drawn, not only other framed text. Boards of shogi variants count.
    pub(super) fn is_described(&self) -> bool {
        self.hands.iter().any(Option::is_some)
            || self.cell_count >= 9 && self.unknown_cell_count < self.cell_count / 2
    }

    pub(super) const fn has_ranks(&self) -> bool {
        self.ranks.count() > 0
    }

    /// Returns whether the diagram has nine ranks, or those of two diagrams.
    pub(super) const fn is_of_shogi(&self) -> bool {
        matches!(self.ranks.count(), 9 | 18)
    }

    pub(super) fn other_game(&self) -> Option<(OtherGame, TextPosition)> {
        OtherGame::on_board(self.rows.iter().map(|(_, width)| *width)).zip(self.ranks.first())
    }

    /// Returns whether the board belongs to a shogi variant: the number of ranks is neither 0, 9 nor 18. Reports such a
    /// number, and a second diagram that differs from the first.
    pub(super) fn is_foreign(&self, warnings: &mut Warnings) -> bool {
        let is_foreign = self.has_ranks() && !self.is_of_shogi();
        match &self.differing_rank {
            _ if is_foreign => self.ranks.report(warnings, RecordProblem::RankCount),
            Some((text_position, problem)) if self.ranks.count() == 18 => {
                warnings.add_at(*text_position, problem.clone());
            }
            _ => {}
        }
        is_foreign
    }

    /// Reports the number of ranks as the reason why the position cannot be read.
    pub(super) fn report_damage(&self, warnings: &mut Warnings) {
        if let (Some((row, _)), Some(first)) = (self.rows.first(), self.ranks.first()) {
            warnings.add_at(
                first,
                RecordProblem::InvalidPosition(row.clone(), SfenError::Ranks(self.ranks.count())),
            );
        }
    }

    /// Returns the board and hands; `None` if neither was drawn. A hand without a board replaces the hand of `named`,
    /// the position of a handicap name.
    pub(super) fn setup(&self, named: Option<&Position>) -> Option<Setup> {
        let has_pieces = self.hands.iter().flatten().any(|hand| !hand.pieces.is_empty());
        let mut setup = match named {
            _ if self.has_ranks() => self.board.clone(),
            _ if !has_pieces => return None,
            Some(named) => Setup::from_position(named),
            None => Setup::from_position(&Position::startpos()),
        };
        for (color, hand) in [Color::Black, Color::White].into_iter().zip(&self.hands) {
            let Some(DrawnHand { pieces, .. }) = hand else {
                continue;
            };
            for kind in PieceKind::IN_HAND {
                while setup.remove_from_hand(color, kind) {}
            }
            for (kind, count) in pieces {
                // The count of a hand was checked when it was read.
                let _held = setup.add_to_hand(color, *kind, *count);
            }
        }
        Some(setup)
    }
}

/// Normalizes a rank with blanks for empty squares, three columns per square. Each square gets a sign. Returns `None`
/// if the rank already has nine squares, or other columns.
fn split_columns(cells: &str) -> Option<String> {
    if cells
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, 'v' | 'V' | 'ｖ' | '成' | '^'))
        .count()
        == 9
    {
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

/// Reads a count in kanji, up to 99, or in digits, capped at 255. Returns `None` without a count.
fn read_count(scanner: &mut Scanner<'_>) -> Option<u8> {
    let ten = |c| (c == '十').then_some(10);
    if let Some(number) = scanner.number() {
        return u8::try_from(number).ok().or(Some(u8::MAX));
    }
    match scanner.take(numeral) {
        Some(digit) => match scanner.take(ten) {
            Some(ten) => Some(digit * ten + scanner.take(numeral).unwrap_or(0)),
            None => Some(digit),
        },
        None => scanner
            .take(ten)
            .map(|ten| ten + scanner.take(numeral).unwrap_or(0)),
    }
}
