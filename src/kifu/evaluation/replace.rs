//! Replacement and removal of evaluations in a comment.

use super::blocks::{self, EvaluationBlocks};
use super::{Evaluation, shogihome};

/// Replaces the evaluations that `is_old` accepts by `new`, lines written by [`write`](super::write). The new lines
/// stand where the first old evaluation was, or at the end of the comment if there was none. With an empty `new`, the
/// old evaluations are only removed. `is_old` gets the evaluations without their pvs.
///
/// All other lines stay unchanged. An empty line separates evaluations that would otherwise merge.
///
/// ```
/// use shogibar_kifu::evaluation::{Source, replace};
///
/// let comment = "定跡\n#評価値=85\n#深さ=10\n* 60";
/// let analysed = replace(comment, |old| old.source == Source::Analysis, "#評価値=92\n#深さ=20");
/// assert_eq!(analysed, "定跡\n#評価値=92\n#深さ=20\n* 60");
/// ```
pub fn replace(comment: &str, is_old: impl Fn(&Evaluation) -> bool, new: &str) -> String {
    let old = EvaluationBlocks::new(comment).filter(|block| is_old(&block.evaluation));
    let mut old = old.flat_map(|block| block.line_indices).peekable();
    let mut out = CommentLines {
        text: String::with_capacity(comment.len() + new.len() + 2),
        last_line: None,
        is_gap: false,
    };
    let mut new = Some(new).filter(|new| !new.is_empty());
    let mut lines = comment.split('\n').enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        if old.next_if_eq(&number).is_some() {
            out.is_gap = true;
            out.push_new_lines(new.take());
            continue;
        }
        // An empty last line means that the text ended with a line end.
        if lines.peek().is_none() && line.is_empty() {
            out.push_new_lines(new.take());
            if number == 0 {
                break;
            }
        }
        out.push_line(line);
    }
    out.push_new_lines(new);
    out.text
}

/// The lines of a comment that is being assembled.
struct CommentLines<'a> {
    text: String,
    /// The last line so far; `None` before the first line.
    last_line: Option<&'a str>,
    /// Whether the next line is not adjacent to the last one in the old comment.
    is_gap: bool,
}

impl<'a> CommentLines<'a> {
    /// Adds a line. An empty line before it prevents its evaluation from merging with the last one.
    fn push_line(&mut self, line: &'a str) {
        if self.is_gap
            && self
                .last_line
                .is_some_and(|last| would_join(last.trim_end(), line.trim_end()))
        {
            self.text.push('\n');
        }
        if self.last_line.is_some() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.last_line = Some(line);
        self.is_gap = false;
    }

    fn push_new_lines(&mut self, lines: Option<&'a str>) {
        let Some(lines) = lines else { return };
        self.is_gap = true;
        lines.split('\n').for_each(|line| self.push_line(line));
        self.is_gap = true;
    }
}

/// Returns whether a line would merge with the evaluation of the line `before` it. Lines of `ShogiHome` merge with each
/// other. A signature merges with a single-line evaluation, too.
pub(super) fn would_join(before: &str, line: &str) -> bool {
    let Some(read) = shogihome::read(line) else {
        return false;
    };
    shogihome::read(before).is_some()
        || read.signer().is_some() && blocks::parse_single_line(before).is_some()
}
