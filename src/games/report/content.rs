//! Collects the contents of a report.

use super::variations::{user_comment, variations};
use super::{Report, ReportCurve, ReportRow, ReportTurningPoint};
use crate::analysis::{self, Evaluator, GameReview, LeadChange};
use crate::bar;
use crate::kifu::{NodeId, Record};
use crate::score::percent;
use crate::shogi::{Color, Move};
use crate::study::{self, Document, RecordInsight};
use crate::text::analysis::{self as words, TurnDecided};
use crate::text::visible::short;
use crate::text::{Label, Lang, phrase, report as text};
use std::collections::BTreeSet;

/// The maximum number of moves of an engine's pv. Readers do not follow a longer one in their heads.
const LINE: usize = 12;

impl Report {
    /// Collects the report of the current line, with the evaluations that are known so far.
    pub fn from_document(document: &Document, insight: &RecordInsight, lang: Lang) -> Self {
        Self::new(document, insight.review(), lang)
    }

    /// Collects the report of the current line.
    pub fn new(document: &Document, review: &GameReview, lang: Lang) -> Self {
        let record = document.record();
        let titles = titles(record, lang);
        let summary = review.summary_of(document.line().iter().copied());
        let rows = rows(document, review, lang);
        let turns = summary.turning_points.iter();
        let turns = turns.filter_map(|point| turning_point(document, review, point, (titles, &rows, lang)));
        Self {
            lang,
            titles,
            players: [Color::Black, Color::White]
                .map(|color| record.player(color).map(|name| short(name).into_owned())),
            facts: facts(record, lang),
            result: result(document, titles, lang),
            sides: summary.sides,
            judge: judge(document, review, lang),
            curve: judge_name(review, record, lang),
            others: others(document, review, lang),
            first: record.start().side_to_move(),
            turns: turns.collect(),
            rows,
        }
    }
}

fn titles(record: &Record, lang: Lang) -> [&'static str; 2] {
    Label::sides(record.is_handicap()).map(|label| label.text(lang))
}

/// Returns the headers except the players and self-evident values.
fn facts(record: &Record, lang: Lang) -> Vec<(String, String)> {
    let is_omitted = |key: &str, value: &str| {
        matches!(key, "先手" | "後手" | "下手" | "上手") || value.is_empty() || (key == "手合割" && value == "平手")
    };
    let headers = record.headers().iter().map(|(key, value)| (key.as_str(), value.trim()));
    let shown = headers.filter(|(key, value)| !is_omitted(key, value));
    shown.map(|(key, value)| (text::header(key, lang).to_owned(), text::value_of_header(key, value, lang))).collect()
}

fn result(document: &Document, [black, white]: [&str; 2], lang: Lang) -> String {
    let record = document.record();
    let moves = document.line().iter().filter(|node| record.node(**node).mv().is_some()).count();
    let Some(ending) = document.ending() else { return text::result(moves, "", "", lang) };
    let why = ending.why.text(lang);
    let outcome = match ending.winner {
        Some(Color::Black) => phrase::wins(black, lang),
        Some(Color::White) => phrase::wins(white, lang),
        None => why.to_owned(),
    };
    text::result(moves, &outcome, why, lang)
}

/// Returns the name of the judge's curve.
fn judge_name(review: &GameReview, record: &Record, lang: Lang) -> String {
    let label = |judge: &Evaluator| judge.label_among(review.evaluators().iter(), record, lang);
    review.judge().map(label).unwrap_or_default()
}

/// Returns the judge in words: its name, its search limits, and how many moves it has evaluated.
fn judge(document: &Document, review: &GameReview, lang: Lang) -> String {
    let Some(judge) = review.judge() else {
        let is_any = review.evaluators().iter().next().is_some();
        return if is_any { words::nobody_judges(lang).to_owned() } else { String::new() };
    };
    let nodes = std::iter::once(NodeId::START).chain(document.line().iter().copied());
    let label = judge.label(document.record(), lang);
    let limit = |node| {
        let name = phrase::engine_name(review.position_value(node)?.engine.as_deref()?, lang);
        name.strip_prefix(&label).map(str::to_owned)
    };
    let limits: BTreeSet<String> = nodes.filter_map(limit).collect();
    let name = label.clone() + &limits.into_iter().collect::<String>();
    let all = review.evaluators();
    words::judge(&name, all.coverage(judge), all.is_full(judge), lang)
}

/// Returns the evaluations of the current line by all evaluators except the judge.
fn others(document: &Document, review: &GameReview, lang: Lang) -> Vec<ReportCurve> {
    let positions = document.line().iter().copied().filter(|node| document.record().node(*node).mv().is_some());
    let positions: Vec<_> = std::iter::once(NodeId::START).chain(positions).collect();
    let curve = |by: &Evaluator| {
        let worth = |node: &NodeId| review.value_by(by, *node).map(|(value, model)| (value, model.win_rate(value)));
        ReportCurve {
            name: by.label_among(review.evaluators().iter(), document.record(), lang),
            values: positions.iter().map(worth).collect(),
        }
    };
    let others = review.evaluators().iter().filter(|by| review.judge() != Some(by));
    others.map(curve).filter(|curve| curve.values.iter().any(Option::is_some)).collect()
}

fn rows(document: &Document, review: &GameReview, lang: Lang) -> Vec<ReportRow> {
    let record = document.record();
    let mut walk = record.walk();
    let to_row = |row: study::MoveRow| {
        let node = record.node(row.node);
        ReportRow {
            number: row.number,
            word: row.text,
            is_end: node.end().is_some(),
            spent: row.spent,
            value: review.position_value(row.node).map(|worth| (worth.value, worth.rate)),
            assessed: review.assessed(row.node).copied(),
            comment: user_comment(node.comment()),
            bookmark: row.bookmark.unwrap_or_default(),
            variations: if row.others > 0 { variations(record, &mut walk, row.node, lang) } else { Vec::new() },
        }
    };
    study::rows(document, lang).into_iter().map(to_row).collect()
}

fn turning_point(
    document: &Document,
    review: &GameReview,
    point: &analysis::TurningPoint,
    (titles, rows, lang): ([&str; 2], &[ReportRow], Lang),
) -> Option<ReportTurningPoint> {
    let assessed = point.assessed;
    let parent = document.record().parent(assessed.node)?;
    let [was, is] = review.compared(assessed.node)?;
    let history = document.history_at(parent);
    let notation = bar::notation(lang);
    let line: &[Move] = was.line.get(..LINE).unwrap_or(&was.line);
    let side = |color| if color == Color::Black { titles[0] } else { titles[1] };
    let (winner, loser) = (side(point.turn.winner), side(point.turn.winner.flip()));
    let decided = match point.turn.change {
        LeadChange::Lead => TurnDecided::Lead(winner),
        LeadChange::Reversal => TurnDecided::Turn(winner),
        LeadChange::Levelled => TurnDecided::Levelled(loser),
        LeadChange::Edge => TurnDecided::Edge(winner),
    };
    let of_side = |worth: &analysis::PositionValue| {
        let (black, white) = percent(worth.rate, worth.value.winner().is_some());
        if assessed.side == Color::Black { black } else { white }
    };
    let before = rows.get(usize::from(assessed.ply).checked_sub(1)?)?;
    Some(ReportTurningPoint {
        assessed,
        turn: point.turn,
        decided: words::decided(decided, lang),
        word: rows.get(usize::from(assessed.ply))?.word.clone(),
        rates: [of_side(was), of_side(is)],
        position_text: text::up_to(before.number, &before.word, lang),
        last_move: history.last_move(),
        best: line.first().copied(),
        line: notation.words(&history, line),
        before: history.now().without_history(),
    })
}
