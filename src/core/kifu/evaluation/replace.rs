//! Evaluations of a comment taken out, or others put in their place.

use super::Evaluation;
use super::blocks::{self, EvaluationBlocks};
use super::shogihome;

/// The comment with the lines of those evaluations that `is_old` accepts replaced by `new`, the lines of
/// other evaluations (see [`write`](super::write)): where the first of them stood, or at the end where there
/// was none. With no `new` they are taken out. `is_old` sees them without their moves.
///
/// Every other line stays as it is. An empty line is put between evaluations that would become one by
/// standing side by side.
///
/// ```
/// use shogibar_core::kifu::evaluation::{Source, replace};
///
/// let comment = "定跡\n#評価値=85\n#深さ=10\n* 60";
/// let analysed = replace(comment, |old| old.source == Source::Analysis, "#評価値=92\n#深さ=20");
/// assert_eq!(analysed, "定跡\n#評価値=92\n#深さ=20\n* 60");
/// ```
pub fn replace(comment: &str, is_old: impl Fn(&Evaluation) -> bool, new: &str) -> String {
    let old = EvaluationBlocks::new(comment).filter(|block| is_old(&block.evaluation));
    let mut old = old.flat_map(|block| block.lines).peekable();
    let mut out =
        CommentLines { text: String::with_capacity(comment.len() + new.len() + 2), last: None, is_gap: false };
    let mut new = Some(new).filter(|new| !new.is_empty());
    let mut lines = comment.split('\n').enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        if old.next_if_eq(&number).is_some() {
            out.is_gap = true;
            out.put_between(new.take());
            continue;
        }
        // The last of several lines is no line when it is empty: the text ended with its line's end.
        if lines.peek().is_none() && line.is_empty() {
            out.put_between(new.take());
            if number == 0 {
                break;
            }
        }
        out.put(line);
    }
    out.put_between(new);
    out.text
}

/// Lines as they are put one after the other.
struct CommentLines<'a> {
    text: String,
    last: Option<&'a str>,
    /// Whether the next line did not follow the last one before.
    is_gap: bool,
}

impl<'a> CommentLines<'a> {
    fn put(&mut self, line: &'a str) {
        if self.is_gap && self.last.is_some_and(|last| would_join(last.trim_end(), line.trim_end())) {
            self.text.push('\n');
        }
        if self.last.is_some() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.last = Some(line);
        self.is_gap = false;
    }

    /// Puts lines that were not there before.
    fn put_between(&mut self, lines: Option<&'a str>) {
        let Some(lines) = lines else { return };
        self.is_gap = true;
        lines.split('\n').for_each(|line| self.put(line));
        self.is_gap = true;
    }
}

/// Whether a line would belong to the evaluation that the one before it is of: as one more statement of
/// `ShogiHome`'s, or as the signature of another dialect's.
pub(super) fn would_join(before: &str, line: &str) -> bool {
    let Some(read) = shogihome::read(line) else { return false };
    shogihome::read(before).is_some() || read.signer().is_some() && blocks::single(before).is_some()
}
