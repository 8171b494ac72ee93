//! Single-line dialects with named values: `ShogiGUI`, also written by cshogi, `ShogiDroid` and `ShogiHome`, and
//! 棋神アナリティクス.
//!
//! `*解析 0 ○ 候補1 時間 00:15.9 深さ 54/60 ノード数 1000495 評価値 207 読み筋 ▲同 歩(87) …`: the kind of evaluation;
//! the number of the engine; the match of the played move. ○ means the engine's move, △ one of its candidates. Any part
//! may be missing. cshogi omits the word 評価値 before a mate.

use super::block::SingleLine;
use super::number::{self, split_word};
use super::shogihome::parse_rank;
use super::{Dialect, EvaluatedPoint, Evaluation, Millis, Source, pv};
use crate::time;
use shogibar_shogi::score::{Bound, Value};
use shogibar_shogi::{Color, Marks, Notation, Style};
use std::fmt::Write as _;

/// The words that begin a `ShogiGUI` line. `ShogiDroid` also writes English words.
const LINE_HEADS: [(&str, Source); 8] = [
    ("対局", Source::Game),
    ("解析", Source::Analysis),
    ("検討", Source::Study),
    ("候補手", Source::Study),
    ("Game", Source::Game),
    ("Analysis", Source::Analysis),
    ("Consider", Source::Study),
    ("Candidate", Source::Study),
];

/// Parses a line; `None` if it is in another dialect, or has neither a value nor a pv.
pub(super) fn read(line: &str) -> Option<SingleLine<'_>> {
    let text = line.strip_prefix('*')?;
    let fields = if let Some(text) = text.strip_prefix(" Engine ") {
        let mut fields = Fields::new(Dialect::Kishin, Source::Analysis);
        fields.read(text);
        let engine = text.strip_suffix(fields.from_first_name?)?.trim();
        fields.evaluation.engine = (!engine.is_empty()).then(|| engine.to_owned());
        fields
    } else {
        let (_, source) = LINE_HEADS.iter().find(|(head, _)| starts_with_word(text, head))?;
        let mut fields = Fields::new(Dialect::ShogiGui, *source);
        fields.read(split_word(text).1);
        fields
    };
    (fields.evaluation.value.is_some() || fields.pv_text.is_some())
        .then_some((fields.evaluation, fields.pv_text))
}

fn starts_with_word(text: &str, wanted: &str) -> bool {
    text.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// The named values of a line.
struct Fields<'a> {
    evaluation: Evaluation,
    /// The text of the pv; `None` if there is none.
    pv_text: Option<&'a str>,
    /// The text from the first name of a value on; `None` before such a name was read.
    from_first_name: Option<&'a str>,
}

impl<'a> Fields<'a> {
    const fn new(dialect: Dialect, source: Source) -> Self {
        Self {
            evaluation: Evaluation::new(dialect, source),
            pv_text: None,
            from_first_name: None,
        }
    }

    fn read(&mut self, text: &'a str) {
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (name, behind) = split_word(rest);
            let after = self.read_field(name, behind, rest);
            if after.is_some() {
                self.from_first_name.get_or_insert(rest);
            }
            rest = after.unwrap_or(behind).trim_start();
        }
    }

    /// Parses the value of a name. `behind` is the text after the name, `here` the text with the name. Returns the text
    /// after the value; `None` if `name` is not the name of a value.
    fn read_field(&mut self, name: &str, behind: &'a str, here: &'a str) -> Option<&'a str> {
        let evaluation = &mut self.evaluation;
        let (value, after) = split_word(behind);
        match name {
            "時間" | "Time" => evaluation.time = time::parse(value).and_then(|time| time.spent),
            "深さ" | "Depth" => {
                let depth = number::parse_small_count(value);
                let seldepth = depth.and_then(|(_, rest)| number::parse_small_count(rest.strip_prefix('/')?));
                evaluation.depth = depth.map(|(depth, _)| depth);
                evaluation.seldepth = seldepth.map(|(depth, _)| depth);
            }
            "ノード数" | "Nodes" => evaluation.nodes = number::parse_count(value).map(|(nodes, _)| nodes),
            "評価値" | "Value" => return Some(self.read_value(behind.trim_start()).unwrap_or(behind)),
            "読み筋" | "Moves" => {
                self.pv_text = Some(behind.trim()).filter(|line| !line.is_empty());
                return Some("");
            }
            // The rest of the line is free text of the engine, in place of a pv.
            "文字列" | "String" => return Some(""),
            _ if is_mate(name) => return self.read_value(here),
            _ => {
                let number = name.strip_prefix("候補").or_else(|| name.strip_prefix("Rank"))?;
                evaluation.rank = Some(parse_rank(number)?);
                return Some(behind);
            }
        }
        Some(after)
    }

    /// Reads the value of the evaluation. Returns the rest of the text; `None` without a value.
    fn read_value(&mut self, text: &'a str) -> Option<&'a str> {
        let (value, bound, rest) = number::parse_value(text)?;
        self.evaluation.value = value;
        self.evaluation.bound = bound;
        Some(rest)
    }
}

/// Returns whether a word begins like a mate with its sign: `+詰`, `-Mate`.
fn is_mate(word: &str) -> bool {
    let unsigned = word.strip_prefix(['+', '-']);
    unsigned.is_some_and(|word| word.starts_with('詰') || word.starts_with("Mate"))
}

/// Returns a time in the precision of these lines, tenths of a second.
pub(super) const fn floor_to_tenths(time: Millis) -> Millis {
    Millis(time.0 / 100 * 100)
}

/// Writes the line for an evaluation that fits `ShogiGUI`'s dialect.
pub(super) fn write(evaluation: &Evaluation, point: EvaluatedPoint<'_>) -> String {
    let head = LINE_HEADS
        .iter()
        .find(|(_, source)| *source == evaluation.source)
        .map_or("", |(head, _)| head);
    let mut out = format!("*{head}");
    if evaluation.source == Source::Analysis {
        out.push_str(" 0"); // The number of the engine. Other readers need it to recognize the line.
    }
    let Evaluation {
        depth,
        seldepth,
        nodes,
        time,
        rank,
        ..
    } = evaluation;
    if let Some(rank) = rank {
        let _infallible = write!(out, " 候補{rank}");
    }
    if let Some(Millis(time)) = time {
        let (minutes, seconds, tenths) = (time / 60_000, time / 1000 % 60, time / 100 % 10);
        let _infallible = write!(out, " 時間 {minutes:02}:{seconds:02}.{tenths}");
    }
    if let Some(depth) = depth {
        let _infallible = write!(out, " 深さ {depth}");
    }
    if let Some(seldepth) = seldepth {
        let _infallible = write!(out, "/{seldepth}");
    }
    if let Some(nodes) = nodes {
        let _infallible = write!(out, " ノード数 {nodes}");
    }
    if let Some(value) = evaluation.value {
        out.push_str(" 評価値 ");
        write_value(&mut out, value, evaluation.bound);
    }
    let notation = Notation {
        marks: Marks::Triangle,
        ..Notation::new(Style::Kif)
    };
    let words = pv::move_words(&evaluation.pv, point, notation);
    if !words.is_empty() {
        let _infallible = write!(out, " 読み筋 {}", words.join(" "));
    }
    out
}

fn write_value(out: &mut String, value: Value, bound: Option<Bound>) {
    if let Value::Mate { winner, plies } = value {
        out.push_str(if winner == Color::Black { "+詰" } else { "-詰" });
        if let Some(plies) = plies {
            let _infallible = write!(out, " {plies}");
        }
        return;
    }
    let _infallible = write!(out, "{}", number::cp(value));
    out.push_str(match bound {
        Some(Bound::Lower) => "↑",
        Some(Bound::Upper) => "↓",
        None => "",
    });
}
