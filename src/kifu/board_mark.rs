//! Arrows and circles that a user draws on the board, in the comments of a record.
//!
//! They are lines of the comment, as evaluations are, so that every format with comments holds them:
//! `#矢印=7g7f:1 5e:2`, in a KIF file `*#矢印=7g7f:1 5e:2`. A mark has one or two squares in USI's notation, a colon and
//! the number of its colour. Two squares are an arrow, one is a circle.
//!
//! Words that are no mark stay in their line, unchanged, and such a line is also text of the user. Of several marks
//! with the same squares, the first counts. At most [`MAX_MARKS`] of a comment are read. Time is linear in the size of
//! the comment.

use shogibar_shogi::Square;
use std::borrow::Cow;
use std::fmt;

/// The maximum number of marks that are read from one comment.
pub const MAX_MARKS: usize = 64;

/// The beginning of a line with marks.
const LINE_START: &str = "#矢印=";

/// An arrow or a circle on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardMark {
    /// The shape with its squares.
    pub shape: MarkShape,
    /// The colour.
    pub color: MarkColor,
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkShape {
    /// An arrow between two different squares.
    Arrow {
        /// The square of the tail.
        from: Square,
        /// The square of the head.
        to: Square,
    },
    /// A circle around a square.
    Circle(Square),
}

/// The colour of a mark. The lines of each colour also have a style of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkColor {
    /// 1: a solid line.
    Blue,
    /// 2: a double line.
    Green,
    /// 3: a dashed line.
    Purple,
}

impl MarkShape {
    /// Returns the shape that a drag draws: an arrow, or a circle if both squares are the same.
    pub fn between(from: Square, to: Square) -> Self {
        if from == to {
            Self::Circle(to)
        } else {
            Self::Arrow { from, to }
        }
    }

    /// Parses `7g7f` or `5e`.
    fn parse(squares: &str) -> Option<Self> {
        let (from, to) = squares.as_bytes().split_at_checked(2)?;
        let from = Square::from_usi(from)?;
        if to.is_empty() {
            return Some(Self::Circle(from));
        }
        let to = Square::from_usi(to)?;
        (from != to).then_some(Self::Arrow { from, to })
    }
}

impl MarkColor {
    const ALL: [(&str, Self); 3] = [("1", Self::Blue), ("2", Self::Green), ("3", Self::Purple)];
}

impl BoardMark {
    /// Parses a word of a line: `7g7f:1`, `5e:2`.
    fn parse(word: &str) -> Option<Self> {
        let (squares, number) = word.split_once(':')?;
        let (_, color) = MarkColor::ALL.iter().find(|(known, _)| *known == number)?;
        Some(Self {
            shape: MarkShape::parse(squares)?,
            color: *color,
        })
    }
}

impl fmt::Display for BoardMark {
    /// Writes the word for a line: `7g7f:1`, `5e:2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            MarkShape::Arrow { from, to } => write!(f, "{from}{to}:")?,
            MarkShape::Circle(square) => write!(f, "{square}:")?,
        }
        let number = MarkColor::ALL.iter().find(|(_, color)| *color == self.color);
        f.write_str(number.map_or("", |(number, _)| number))
    }
}

/// Returns the marks in a comment, in order, each shape once.
///
/// ```
/// use shogibar_kifu::board_mark::{self, MarkColor};
///
/// let marks = board_mark::read("好手\n#矢印=7g7f:1 5e:2");
/// assert_eq!(marks.iter().map(ToString::to_string).collect::<Vec<_>>(), ["7g7f:1", "5e:2"]);
/// assert_eq!(marks[1].color, MarkColor::Green);
/// ```
pub fn read(comment: &str) -> Vec<BoardMark> {
    let mut marks = Vec::<BoardMark>::new();
    for mark in comment.split('\n').flat_map(marks_of_line) {
        if marks.len() == MAX_MARKS {
            break;
        }
        if marks.iter().all(|known| known.shape != mark.shape) {
            marks.push(mark);
        }
    }
    marks
}

/// Returns whether a comment has marks.
pub fn has_marks(comment: &str) -> bool {
    comment.split('\n').any(has_mark)
}

/// Returns whether a line of a comment has marks and nothing else. Another line is text of the user.
pub fn is_mark_line(line: &str) -> bool {
    let words = line.strip_prefix(LINE_START).unwrap_or_default();
    let mut marks = words.split_whitespace().map(BoardMark::parse).peekable();
    marks.peek().is_some() && marks.all(|mark| mark.is_some())
}

fn has_mark(line: &str) -> bool {
    marks_of_line(line).next().is_some()
}

fn marks_of_line(line: &str) -> impl Iterator<Item = BoardMark> {
    let words = line.strip_prefix(LINE_START).unwrap_or_default();
    words.split_whitespace().filter_map(BoardMark::parse)
}

/// Returns a comment after a mark was drawn. The same mark is removed, and one with the same squares in another colour
/// is replaced. A new mark is added, unless the comment has [`MAX_MARKS`].
///
/// ```
/// use shogibar_kifu::board_mark::{self, BoardMark, MarkColor, MarkShape};
/// use shogibar_shogi::Square;
///
/// let shape = MarkShape::Circle(Square::new(5, 5).unwrap());
/// let drawn = board_mark::toggle("好手", BoardMark { shape, color: MarkColor::Blue });
/// assert_eq!(drawn, "好手\n#矢印=5e:1");
/// let green = BoardMark { shape, color: MarkColor::Green };
/// let recoloured = board_mark::toggle(&drawn, green);
/// assert_eq!(recoloured, "好手\n#矢印=5e:2");
/// assert_eq!(board_mark::toggle(&recoloured, green), "好手");
/// ```
pub fn toggle(comment: &str, mark: BoardMark) -> String {
    let marks = read(comment);
    match marks.iter().find(|known| known.shape == mark.shape) {
        Some(known) => {
            // Only the first of several marks with these squares counts, and the others would appear without it.
            let mut new = (known.color != mark.color).then_some(mark);
            replace(comment, |old| {
                if old.shape == mark.shape {
                    new.take()
                } else {
                    Some(old)
                }
            })
        }
        None if marks.len() < MAX_MARKS => add(comment, mark),
        None => comment.to_owned(),
    }
}

/// Returns a comment without its marks. Words that are no mark stay.
pub fn clear(comment: &str) -> String {
    replace(comment, |_| None)
}

/// Returns a comment with a further mark, in the first line of marks, or in a new line at the end.
fn add(comment: &str, mark: BoardMark) -> String {
    let mut lines: Vec<Cow<'_, str>> = comment.split('\n').map(Cow::Borrowed).collect();
    match lines.iter_mut().find(|line| is_mark_line(line)) {
        Some(line) => *line = format!("{} {mark}", line.trim_end()).into(),
        None if comment.is_empty() => return format!("{LINE_START}{mark}"),
        None => lines.push(format!("{LINE_START}{mark}").into()),
    }
    lines.join("\n")
}

/// Returns a comment with each mark replaced by what `change` returns. A line is removed if nothing is left in it.
fn replace(comment: &str, mut change: impl FnMut(BoardMark) -> Option<BoardMark>) -> String {
    let mut lines = Vec::new();
    for line in comment.split('\n') {
        let Some(words) = line.strip_prefix(LINE_START).filter(|_| has_mark(line)) else {
            lines.push(Cow::Borrowed(line));
            continue;
        };
        let mut kept = String::with_capacity(words.len());
        // A word keeps the blank behind it, so that the text between the marks stays as it was.
        for word in words.split_inclusive(char::is_whitespace) {
            match BoardMark::parse(word.trim_end()) {
                None => kept.push_str(word),
                Some(mark) => {
                    if let Some(new) = change(mark) {
                        kept.push_str(&word.replace(&mark.to_string(), &new.to_string()));
                    }
                }
            }
        }
        let kept = kept.trim_end();
        if !kept.is_empty() {
            lines.push(format!("{LINE_START}{kept}").into());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Record, Target, write};
    use proptest::prelude::*;
    use proptest::sample::select;
    use shogibar_shogi::Position;

    fn words(comment: &str) -> Vec<String> {
        read(comment).iter().map(ToString::to_string).collect()
    }

    fn mark(word: &str) -> BoardMark {
        BoardMark::parse(word).expect(word)
    }

    #[test]
    fn reads_the_marks_of_a_comment() {
        let check = |comment: &str, expect: &[&str]| assert_eq!(words(comment), expect, "{comment}");
        check("", &[]);
        check("#矢印=7g7f:1 5e:2", &["7g7f:1", "5e:2"]);
        check("好手\n#矢印=5e:3\nよい\n#矢印=1a9i:2", &["5e:3", "1a9i:2"]);
        check("#矢印=5e:1\u{3000}5e:2  7g7f:1", &["5e:1", "7g7f:1"]);
        check("#評価値=85\n#矢印=5e:1\n#深さ=10", &["5e:1"]);
    }

    #[test]
    fn leaves_out_what_is_no_mark() {
        let none = [
            "#矢印=",
            "#矢印=5e",
            "#矢印=5e:0 5e:4 5e:11 5e:１ 5e:",
            "#矢印=5e5e:1",
            "#矢印=0e:1 5j:1 10e:1 5e0e:1 5e5:1 5e5d5c:1 5E:1",
            "#矢印=:1 あ:1 7g→7f:1",
            " #矢印=5e:1",
            "*矢印=5e:1",
            "#矢印 5e:1",
        ];
        for comment in none {
            assert_eq!(words(comment), [""; 0], "{comment}");
            assert!(!has_marks(comment), "{comment}");
            assert_eq!(clear(comment), comment);
        }
    }

    #[test]
    fn a_mark_is_drawn_replaced_and_removed() {
        let check = |comment: &str, drawn: &str, expect: &str| {
            assert_eq!(toggle(comment, mark(drawn)), expect, "{comment} {drawn}");
        };
        check("", "5e:1", "#矢印=5e:1");
        check("好手", "7g7f:1", "好手\n#矢印=7g7f:1");
        check("好手\n", "5e:1", "好手\n\n#矢印=5e:1");
        check("#矢印=5e:1\n好手", "7g7f:3", "#矢印=5e:1 7g7f:3\n好手");
        check("#矢印=5e:1 7g7f:3\n好手", "5e:2", "#矢印=5e:2 7g7f:3\n好手");
        check("#矢印=5e:1 7g7f:3\n好手", "5e:1", "#矢印=7g7f:3\n好手");
        check("#矢印=5e:1 7g7f:3", "7f7g:3", "#矢印=5e:1 7g7f:3 7f7g:3");
        check("#矢印=5e:1 5e:2\n#矢印=5e:3", "5e:1", "");
        check("#矢印=5e:1 5e:2\n#矢印=5e:3", "5e:3", "#矢印=5e:3");
        check("#評価値=85\n#矢印=5e:1\n#深さ=10", "5e:1", "#評価値=85\n#深さ=10");
    }

    #[test]
    fn words_that_are_no_mark_stay() {
        let line = "#矢印=角の  5e:1 7g7f:9 ねらい";
        assert_eq!(words(line), ["5e:1"]);
        assert_eq!(toggle(line, mark("5e:1")), "#矢印=角の  7g7f:9 ねらい");
        assert_eq!(toggle(line, mark("5e:2")), "#矢印=角の  5e:2 7g7f:9 ねらい");
        assert_eq!(clear(line), "#矢印=角の  7g7f:9 ねらい");
        assert_eq!(clear("好手\n#矢印=5e:1 7g7f:2\nよい"), "好手\nよい");
        assert!(!is_mark_line(line), "it has words of the user");
    }

    #[test]
    fn long_lines_are_bounded() {
        let squares: Vec<_> = Square::all().collect();
        let pairs = squares
            .iter()
            .flat_map(|from| squares.iter().map(move |to| (from, to)));
        let many: Vec<_> = pairs.map(|(from, to)| format!("{from}{to}:1")).collect();
        let line = format!("{LINE_START}{} {}", many.join(" "), "5e:1 ".repeat(10_000));
        let marks = read(&line);
        assert_eq!(marks.len(), MAX_MARKS);
        assert_eq!(
            toggle(&line, mark("9i:2")),
            line,
            "there is no room for a further mark"
        );
        let fewer = toggle(&line, marks[0]);
        assert_eq!(fewer.split(' ').count() + 1, line.trim_end().split(' ').count());
        assert_eq!(
            clear(&line).split(' ').count(),
            81,
            "arrows onto their own square are no marks"
        );
    }

    fn any_mark() -> impl Strategy<Value = BoardMark> {
        let square = (0..81_usize).prop_map(|index| Square::all().nth(index).expect("81 squares"));
        let color = select(vec![MarkColor::Blue, MarkColor::Green, MarkColor::Purple]);
        (square.clone(), square, color).prop_map(|(from, to, color)| BoardMark {
            shape: MarkShape::between(from, to),
            color,
        })
    }

    /// Generates lines of comments, most of them nearly those of marks.
    fn any_comment() -> impl Strategy<Value = String> {
        let pieces = vec![
            "#矢印=",
            "5e:1",
            "7g7f:2",
            "7g7f:3",
            "5e5e:1",
            "5e:9",
            " ",
            "\u{3000}",
            "\n",
            "好手",
            ":",
            "#評価値=85",
            "\r",
        ];
        prop_oneof![
            "(\\PC|\n){0,60}",
            prop::collection::vec(select(pieces), 0..30).prop_map(|pieces| pieces.concat()),
        ]
    }

    proptest! {
        #[test]
        fn drawn_marks_are_read(text in "\\PC{0,20}", drawn in prop::collection::vec(any_mark(), 0..80)) {
            let mut comment = text;
            let mut expected = Vec::<BoardMark>::new();
            for mark in drawn {
                comment = toggle(&comment, mark);
                match expected.iter().position(|known| known.shape == mark.shape) {
                    Some(at) if expected[at] == mark => _ = expected.remove(at),
                    Some(at) => expected[at] = mark,
                    None if expected.len() < MAX_MARKS => expected.push(mark),
                    None => {}
                }
                prop_assert_eq!(read(&comment), expected.clone());
            }
        }

        #[test]
        fn every_format_with_comments_holds_marks(
            text in "[あ-んa-z ]{0,12}",
            drawn in prop::collection::vec(any_mark(), 1..70),
        ) {
            let mut record = Record::new(&Position::startpos());
            record.add_line(crate::NodeId::START, &[shogibar_shogi::Move::from_usi("7g7f").expect("a move")]);
            let comment = drawn.iter().fold(text, |comment, mark| toggle(&comment, *mark));
            for node in record.all().collect::<Vec<_>>() {
                record.node_mut(node).notes_mut().comment = Some(comment.clone());
            }
            let targets = [
                Target::Kif, Target::Kifu, Target::Ki2, Target::Ki2u, Target::Csa, Target::CsaSjis, Target::Csa3, Target::Jkf, Target::Psn,
            ];
            for target in targets {
                let written = write(&record, target);
                prop_assert_eq!(&written.losses, &[], "{}", target);
                let (again, _) = crate::read(&written.bytes).expect("a record").into_first().expect("a game");
                for (old, new) in record.all().zip(again.all()) {
                    let found = again.node(new).comment().map(read);
                    prop_assert_eq!(found, record.node(old).comment().map(read), "{}", target);
                }
            }
        }

        #[test]
        fn no_other_text_is_lost(comment in any_comment(), drawn in any_mark()) {
            let others = |comment: &str| -> Vec<String> {
                let lines = comment.split('\n').map(|line| line.strip_prefix(LINE_START).unwrap_or(line));
                let words = lines.flat_map(str::split_whitespace);
                words.filter(|word| BoardMark::parse(word).is_none()).map(str::to_owned).collect()
            };
            prop_assert_eq!(others(&clear(&comment)), others(&comment));
            prop_assert_eq!(read(&clear(&comment)), vec![]);
            let toggled = toggle(&comment, drawn);
            prop_assert_eq!(others(&toggled), others(&comment));
            prop_assert_eq!(read(&toggle(&toggled, drawn)).len(), read(&comment).len());
            if !has_marks(&comment) {
                prop_assert_eq!(clear(&comment), comment.clone());
                prop_assert_eq!(toggle(&toggled, drawn), comment);
            }
        }
    }
}
