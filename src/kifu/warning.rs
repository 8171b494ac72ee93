//! Warnings of the readers, with their lines and columns in the file.

use super::end::Reason;
use super::format::Encoding;
use super::scan::TextSpot;
use shogibar_shogi::{IllegalMove, OtherGame, SIDE_MARKS, SfenError, Square, Unsearchable, excerpt};
use std::fmt;
use thiserror::Error;

/// A warning about content of a record that was not understood or is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The number of the line in the file, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
    /// The problem at this line and column.
    pub problem: RecordProblem,
}

/// The problems that a reader can report.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordProblem {
    /// The number of characters that are invalid in the encoding.
    #[error("characters that are no {1}: {0}")]
    UndecodableCharacters(usize, Encoding),
    /// A line of an unknown kind.
    #[error("'{0}' is not understood")]
    UnknownLine(String),
    /// The number of passages of prose that are not moves.
    #[error("passages that are no moves, left out: {0}")]
    SkippedPassages(usize),
    /// The number of words in prose that represent moves, but cannot be played in turn.
    #[error("moves that cannot be played in turn, not read: {0}")]
    MovesNotInTurn(usize),
    /// Unknown text after a move.
    #[error("'{0}' after the move is not understood")]
    TextAfterMove(String),
    /// A start position from which no game can be played, with the reason.
    #[error("an odd start: {0}")]
    OddStart(Unsearchable),
    /// Moves without a start position.
    #[error("no start position is stated; the usual one is taken")]
    NoStart,
    /// An unknown handicap name without a diagram.
    #[error("the handicap '{0}' is not known; the game is read from the usual position")]
    UnknownHandicap(String),
    /// An unknown handicap name without a diagram, in a game whose moves do not fit the usual start. The game is not
    /// read.
    #[error(
        "the handicap '{0}' names no known start, and the moves do not fit the usual position; a diagram would state it"
    )]
    UnfitHandicap(String),
    /// A handicap name with two possible starts. All moves fit the start that was used, and not all fit the other. The
    /// square is empty in the start that was used, and not in the other.
    #[error("'{0}' can be two starts; the moves fit only the one without a piece on {1}")]
    DecidedStart(String, Square),
    /// A handicap name with two possible starts. More moves fit the start that was used than the other, but not all.
    /// The square is empty only in the start that was used.
    #[error("'{0}' can be two starts; more of the moves fit the one without a piece on {1}")]
    LikelierStart(String, Square),
    /// A handicap name with two possible starts. The same number of moves fit both. The square is empty only in the
    /// start that was used.
    #[error("'{0}' can be two starts; the usual one is taken, without a piece on {1}")]
    UndecidedStart(String, Square),
    /// A position that is not the start of the named handicap. The position is used.
    #[error("the position is not the start of '{0}'; the position is taken")]
    OtherStart(String),
    /// A record of another game. The game is not read.
    #[error("this is {0}, not shogi")]
    OtherGame(OtherGame),
    /// A second header of a kind of which only one is used. The record keeps both.
    #[error("'{key}：{ignored}' is not used, for '{key}：{used}' stands before it")]
    SecondHeader {
        /// The key of both headers.
        key: &'static str,
        /// The value that is used.
        used: String,
        /// The value that is not used.
        ignored: String,
    },
    /// A second statement that contradicts the first, for example about the side to move or a hand.
    #[error("'{ignored}' is not taken, for '{used}' stands before it")]
    SecondStatement {
        /// The words of the first statement, which counts.
        used: String,
        /// The words of the second statement, which is ignored.
        ignored: String,
    },
    /// A rank of a diagram with a wrong number of squares.
    #[error("this rank of the diagram does not have nine squares")]
    RankWidth,
    /// An unknown piece in a diagram.
    #[error("'{0}' in the diagram is no piece")]
    UnknownPiece(String),
    /// A diagram with too few or too many ranks.
    #[error("the diagram is not used, for its number of ranks is {0}, not nine")]
    RankCount(usize),
    /// Pieces that cannot be in hand.
    #[error("'{0}' cannot be in hand")]
    InvalidHand(String),
    /// A move whose words name another piece than the one that moves.
    #[error("'{0}' names another piece than the one on the board")]
    OtherPiece(String),
    /// Move numbers that skip or repeat.
    #[error("move {found} where move {expected} is expected")]
    MoveNumber {
        /// The expected number.
        expected: u32,
        /// The number in the file.
        found: u32,
    },
    /// The number of moves stated at the end of the file differs from the number read.
    #[error("the stated number of moves is {stated}; the number read is {read}")]
    MoveCount {
        /// The number stated in the file.
        stated: u32,
        /// The number read.
        read: u32,
    },
    /// The time of a move that cannot be read.
    #[error("'{0}' is no time")]
    InvalidTime(String),
    /// A second time of a move. The first one counts.
    #[error("'{0}' is a second time; the first one is kept")]
    SecondTime(String),
    /// A move that cannot be read; the line ends before it.
    #[error("'{0}' cannot be read as a move; the line ends here")]
    UnreadableMove(String),
    /// A move that cannot be played; the line ends before it.
    #[error("'{0}' is illegal: {1}; the line ends here")]
    IllegalMove(String, IllegalMove),
    /// A move with the sign of the side that is not to move.
    #[error("'{0}' bears the sign of the side whose turn it is not")]
    WrongSign(String),
    /// The game continues after an interruption.
    #[error("the game goes on after its {0}, which is not kept")]
    ResumedGame(Reason),
    /// Two statements of the result differ.
    #[error("'{0}' contradicts the end of the game")]
    Contradiction(String),
    /// The number of moves after the end, or after a move that could not be played.
    #[error("moves after the end of the line, not read: {0}")]
    MovesAfterEnd(usize),
    /// A move whose words match no piece; the line ends before it.
    #[error("no piece can move as '{0}' says; the line ends here")]
    NoSuchMove(String),
    /// A move whose words match several pieces; the line ends before it.
    #[error("'{0}' could be more than one move; the line ends here")]
    AmbiguousMove(String),
    /// A variation whose branch point is not in the record.
    #[error("'{0}' branches off where there is no line; it is not read")]
    NoBranchPoint(String),
    /// The number of lines or words in variations without a branch point.
    #[error("lines of variations that have no place, not read: {0}")]
    LinesWithoutBranchPoint(usize),
    /// An invalid start position in SFEN, or in a similar notation.
    #[error("'{0}' is no position: {1}")]
    InvalidPosition(String, SfenError),
    /// A comment without its closing brace.
    #[error("what '{0}' begins has no end")]
    UnclosedComment(String),
    /// The number of games beyond the limit.
    #[error("further games, not read: {0}")]
    MoreGames(usize),
    /// A key that JKF does not have.
    #[error("the key '{0}' is not known; what it holds is not read")]
    UnknownKey(String),
    /// A repeated key in a JKF object.
    #[error("the key '{0}' comes again; what it holds is not read")]
    SecondKey(&'static str),
    /// A value of the wrong kind for its key.
    #[error("'{1}' is no value for '{0}'")]
    InvalidValue(&'static str, String),
    /// The text stops being JSON here.
    #[error("this is no JSON: {0} is expected here; nothing behind it is read")]
    InvalidJson(&'static str),
    /// The text ends in the middle of a JSON value.
    #[error("the text breaks off in the middle of a game")]
    UnexpectedEnd,
    /// The number of warnings beyond the limit.
    #[error("further warnings: {0}")]
    MoreWarnings(usize),
}

impl RecordProblem {
    /// Returns whether content of the file is missing in the record, or would be missing after writing the record
    /// again. Other problems concern content that was read despite a doubt, or that is kept as text.
    pub fn is_loss(&self) -> bool {
        match self {
            // A writer replaces the name of a start that differs from the position.
            Self::SecondHeader { key, .. } => *key == "手合割",
            Self::OddStart(_)
            | Self::SkippedPassages(_)
            | Self::NoStart
            | Self::DecidedStart(..)
            | Self::OtherPiece(_)
            | Self::MoveNumber { .. }
            | Self::MoveCount { .. }
            | Self::UnreadableMove(_)
            | Self::IllegalMove(..)
            | Self::NoSuchMove(_)
            | Self::AmbiguousMove(_)
            | Self::WrongSign(_) => false,
            Self::UndecodableCharacters(..)
            | Self::UnknownLine(_)
            | Self::MovesNotInTurn(_)
            | Self::TextAfterMove(_)
            | Self::UnknownHandicap(_)
            | Self::UnfitHandicap(_)
            // A written diagram replaces the guess by a certain start.
            | Self::LikelierStart(..)
            | Self::UndecidedStart(..)
            | Self::OtherStart(_)
            | Self::OtherGame(_)
            | Self::SecondStatement { .. }
            | Self::RankWidth
            | Self::UnknownPiece(_)
            | Self::RankCount(_)
            | Self::InvalidHand(_)
            | Self::InvalidTime(_)
            | Self::SecondTime(_)
            | Self::ResumedGame(_)
            | Self::Contradiction(_)
            | Self::MovesAfterEnd(_)
            | Self::NoBranchPoint(_)
            | Self::LinesWithoutBranchPoint(_)
            | Self::InvalidPosition(..)
            | Self::UnclosedComment(_)
            | Self::MoreGames(_)
            | Self::UnknownKey(_)
            | Self::SecondKey(_)
            | Self::InvalidValue(..)
            | Self::InvalidJson(_)
            | Self::UnexpectedEnd
            | Self::MoreWarnings(_) => true,
        }
    }
}

impl RecordProblem {
    /// Returns whether the reader chose one of two statements, both of which a newly written file has. A file with only
    /// such problems counts as completely read.
    pub fn is_choice(&self) -> bool {
        matches!(self, Self::DecidedStart(..) | Self::SecondHeader { .. }) && !self.is_loss()
    }

    /// Returns whether a move of the file is not in the record.
    pub const fn is_unread_move(&self) -> bool {
        matches!(
            self,
            Self::UnreadableMove(_)
                | Self::IllegalMove(..)
                | Self::NoSuchMove(_)
                | Self::AmbiguousMove(_)
                | Self::MovesAfterEnd(_)
                | Self::NoBranchPoint(_)
                | Self::LinesWithoutBranchPoint(_)
        )
    }

    /// Returns whether the problem explains why a game cannot be read at all.
    const fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::UnfitHandicap(_) | Self::OtherGame(_) | Self::InvalidPosition(..)
        )
    }
}

impl fmt::Display for Warning {
    /// Writes `line:column: text`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

/// The maximum number of warnings per file. An unreadable file could produce one per line.
const MAX_WARNINGS: usize = 200;

/// The number of further warnings kept about a file or a game as a whole.
const MAX_WHOLE_FILE_WARNINGS: usize = 9;

/// The warnings of reading a file, up to a maximum number.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    list: Vec<Warning>,
    /// The number of warnings beyond the maximum.
    omitted_count: usize,
    last_line: u32,
}

impl Warnings {
    /// Adds a warning about a spot of the text. Beyond the maximum number, warnings are only counted.
    pub(super) fn add(&mut self, spot: TextSpot<'_>, problem: RecordProblem) {
        self.last_line = spot.line_number();
        if self.list.len() < MAX_WARNINGS {
            self.add_at(spot.position(), problem);
        } else {
            self.omitted_count += 1;
        }
    }

    /// Adds a warning about the file or a game as a whole. There are usually few of them.
    pub(super) fn add_at(&mut self, TextPosition { line, column }: TextPosition, problem: RecordProblem) {
        if self.list.len() < MAX_WARNINGS + MAX_WHOLE_FILE_WARNINGS {
            self.list.push(Warning {
                line,
                column,
                problem,
            });
        } else {
            self.omitted_count += 1;
        }
    }

    pub(super) fn append(&mut self, part: Self) {
        self.omitted_count += part.omitted_count;
        self.last_line = self.last_line.max(part.last_line);
        for Warning {
            line,
            column,
            problem,
        } in part.list
        {
            self.add_at(TextPosition { line, column }, problem);
        }
    }

    /// Returns the first warning that explains why a game was not read; `None` without one.
    pub(super) fn fatal_warning(&self) -> Option<&Warning> {
        self.list.iter().find(|warning| warning.problem.is_fatal())
    }

    /// Returns whether anything of the file is not in the record.
    pub(super) fn has_losses(&self) -> bool {
        self.omitted_count > 0 || self.list.iter().any(|warning| warning.problem.is_loss())
    }

    /// Returns the number of marks and passages that are left over.
    pub(super) fn left_over_count(&self) -> usize {
        self.omitted_count
            + self
                .list
                .iter()
                .map(|warning| match &warning.problem {
                    RecordProblem::SkippedPassages(count) => *count,
                    problem => usize::from(problem.is_loss()),
                })
                .sum::<usize>()
    }

    /// Returns whether a line of the file was not understood.
    pub(super) fn has_unknown_lines(&self) -> bool {
        self.omitted_count > 0
            || self
                .list
                .iter()
                .any(|warning| matches!(warning.problem, RecordProblem::UnknownLine(_)))
    }

    /// Returns whether all moves of the file are in the record. `false` if some warnings were not kept.
    pub(super) fn has_all_moves(&self) -> bool {
        self.omitted_count == 0 && !self.list.iter().any(|warning| warning.problem.is_unread_move())
    }

    /// Returns whether some words in place of a move cannot be read as one.
    pub(super) fn has_unreadable_moves(&self) -> bool {
        self.list
            .iter()
            .any(|warning| matches!(warning.problem, RecordProblem::UnreadableMove(_)))
    }

    /// Returns whether `is_such` accepts unknown words after a move; with `counts_lines`, also unknown whole lines.
    pub(super) fn has_unknown(&self, is_such: fn(&str) -> bool, counts_lines: bool) -> bool {
        self.list.iter().any(|warning| match &warning.problem {
            RecordProblem::TextAfterMove(words) => is_such(words),
            // Words may part the moves, as in 「▲７六歩、△３四歩」.
            RecordProblem::UnreadableMove(words) => {
                !words
                    .trim_start_matches(SIDE_MARKS)
                    .starts_with(REPLACED_CHARACTER)
                    && is_such(words)
            }
            RecordProblem::UnknownLine(words) => counts_lines && is_such(words),
            _ => false,
        })
    }

    /// Returns the warnings in the order of the file.
    pub(super) fn finish(mut self) -> Vec<Warning> {
        self.list.sort_by_key(|warning| (warning.line, warning.column));
        if self.omitted_count > 0 {
            self.list.push(Warning {
                line: self.last_line,
                column: 1,
                problem: RecordProblem::MoreWarnings(self.omitted_count),
            });
        }
        self.list
    }
}

/// A line and a character in it, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPosition {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The character that writers put in place of one that an encoding lacks.
const REPLACED_CHARACTER: char = '〓';

/// A counter of skipped items, with the line and column of the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    first_position: Option<TextPosition>,
    count: usize,
}

impl Tally {
    /// Counts an item at a spot.
    pub(super) fn add(&mut self, spot: TextSpot<'_>) {
        self.first_position.get_or_insert_with(|| spot.position());
        self.count += 1;
    }

    /// Adds a number of items, with the line and column of the first.
    pub(super) fn add_at(&mut self, position: TextPosition, count: usize) {
        self.first_position.get_or_insert(position);
        self.count += count;
    }

    /// Adds a warning with the number of items at the first of them, if there are any.
    pub(super) fn report(&self, warnings: &mut Warnings, problem: fn(usize) -> RecordProblem) {
        if let Some(position) = self.first_position {
            warnings.add_at(position, problem(self.count));
        }
    }

    /// Returns the number of items.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the line and column of the first item; `None` without an item.
    pub(super) const fn first(&self) -> Option<TextPosition> {
        self.first_position
    }
}

pub(super) fn quote(text: &str) -> String {
    excerpt(text.trim())
}
