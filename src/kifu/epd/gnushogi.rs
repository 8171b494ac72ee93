//! GNU Shogi files: saved games with a board and a move list, and xshogi's position files.

use super::super::builder::{Builder, SourceText};
use super::super::record::Record;
use super::super::scan::lines;
use super::super::warning::{RecordProblem, Warnings, quote};
use crate::psn;
use shogibar_shogi::{Color, Piece, PieceKind, Position, Setup, Square};

/// The first line of a position file.
const POSITION_FILE_HEADING: &str = "# xshogi position file";

/// Returns whether a line marks a GNU Shogi file: the first line of a position file, or the heading of a move list.
pub(in super::super) fn is_gnushogi(text: &str) -> bool {
    text.starts_with(POSITION_FILE_HEADING)
        || text
            .split_ascii_whitespace()
            .take(4)
            .eq(["move", "score", "depth", "nodes"])
}

/// Reads a GNU Shogi file; `None` for another text.
pub(super) fn read(text: &str, warnings: &mut Warnings) -> Option<Record> {
    let first = lines(text).find(|line| is_gnushogi(line.trimmed()))?;
    let after = lines(text).skip_while(|line| line.number <= first.number);
    let mut builder;
    if first.trimmed().starts_with(POSITION_FILE_HEADING) {
        let mut file = PositionFile {
            setup: Setup::empty(),
            side_to_move: Color::Black,
            rank: 1,
            hand_count: 0,
        };
        for line in after.filter(|line| !line.trimmed().is_empty()) {
            if !file.read_line(line.text) {
                warnings.add(line.spot(line.text), RecordProblem::UnknownLine(quote(line.text)));
            }
        }
        builder = Builder::new(file.setup.build(file.side_to_move, 1));
    } else {
        builder = Builder::new(Position::startpos());
        // The board above the moves is not read: it shows the position after them.
        let names = lines(text)
            .next()
            .map(|line| line.trimmed())
            .filter(|text| text.contains("White"));
        if let Some(names) = names {
            builder.add_remark(names);
        }
        for line in after {
            let Some(word) = line.trimmed().split_ascii_whitespace().next() else {
                continue;
            };
            let source = SourceText::new(word, line.spot(word));
            if builder.can_continue(source.spot, warnings) {
                builder.play_read(psn::read_move(word, builder.now()), source, warnings);
            }
        }
    }
    Some(builder.finish(Vec::new(), false, warnings))
}

/// A board as far as it has been read: nine ranks, two hands, the side to move.
struct PositionFile {
    setup: Setup,
    side_to_move: Color,
    /// The next rank, from 1; 10 after the board.
    rank: u8,
    /// The number of hands read.
    hand_count: usize,
}

impl PositionFile {
    /// Reads a line of the board, the hands or the side to move. Returns whether the line is as expected.
    fn read_line(&mut self, text: &str) -> bool {
        if self.rank <= 9 {
            return self.read_rank(text);
        }
        if let Some(color) = [Color::Black, Color::White].get(self.hand_count) {
            self.hand_count += 1;
            return self.read_hand(*color, text);
        }
        let sides = [("black to play", Color::Black), ("white to play", Color::White)];
        let found = sides.iter().find(|(words, _)| text.trim() == *words);
        self.side_to_move = found.map_or(self.side_to_move, |(_, color)| *color);
        found.is_some()
    }

    /// Reads a rank of nine squares with two characters each. The first is a plus or a blank. The second is a dot or a
    /// letter, capital for Black. Returns whether the line has nine squares.
    fn read_rank(&mut self, text: &str) -> bool {
        let mut file = 9_u8;
        let mut is_promoted = false;
        for c in text.chars() {
            let kind = PieceKind::from_letter(c);
            match c {
                '+' => is_promoted = true,
                _ if kind.is_some() || c == '.' => {
                    let Some(square) = Square::new(file, self.rank) else {
                        return false;
                    };
                    let kind = kind.map(|kind| {
                        if is_promoted {
                            kind.promoted().unwrap_or(kind)
                        } else {
                            kind
                        }
                    });
                    let color = if c.is_ascii_uppercase() {
                        Color::Black
                    } else {
                        Color::White
                    };
                    self.setup.put(square, kind.map(|kind| Piece { color, kind }));
                    (file, is_promoted) = (file - 1, false);
                }
                _ => {}
            }
        }
        self.rank += 1;
        file == 0
    }

    /// Reads the pieces in a hand. Returns whether the line has a valid count for each kind.
    fn read_hand(&mut self, color: Color, text: &str) -> bool {
        let mut counts = text.split_ascii_whitespace().map(str::parse);
        // The counts go from pawns to rooks. The count of kings after them is ignored.
        PieceKind::IN_HAND.into_iter().rev().all(|kind| {
            let count = counts.next().and_then(Result::ok);
            count.is_some_and(|count| self.setup.add_to_hand(color, kind, count).is_ok())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Format, read};

    #[test]
    fn reads_gnu_shogi_files() {
        let check = |text: &str, usi: &str, warnings: usize| {
            let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(reading.format, Format::Epd, "{text}");
            assert_eq!(reading.games[0].history(usize::MAX).usi(), usi, "{text}");
            assert_eq!(reading.warnings.len(), warnings, "{:?}", reading.warnings);
        };
        let position = "# xshogi position file -- \n\n\n l n s g k g . n l\n . r . . . . . s .\n p p p p p p . p p\n . . . . . . p . .\n\
                        \x20. . . . . . . . .\n . . P . . . . . .\n P P . P P P P P P\n . . . . . . . R .\n L N S G K G S N L\n\
                        0 0 0 0 0 1 0 0\n0 0 0 0 0 1 0 0\nblack to play\n";
        let sfen = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL";
        check(position, &format!("sfen {sfen} b Bb 1"), 0);
        check(
            &position.replace("black to", "white to"),
            &format!("sfen {sfen} w Bb 1"),
            0,
        );
        check(
            &position.replace(" . r", " .+r").replace("black", "grey"),
            &format!("sfen {} b Bb 1", sfen.replace("1r5", "1+r5")),
            1,
        );
        check(
            "White Human    Black computer 1 force\n\na  L N S G K G S N L\n\n  move   score depth   nodes   time flags\n \
             P7g7f       0     0 0\n P3c3d  0 0 0\n B8h2b+ 0\n",
            "startpos moves 7g7f 3c3d 8h2b+",
            0,
        );
        check(
            "  move   score depth   nodes\n P7g7f\n P7g7f\n P3c3d\n",
            "startpos moves 7g7f",
            2,
        );
    }
}
