//! Collects the contents of a report.

use super::variations::{collect_variations, user_comment};
use super::{Report, ReportCurve, ReportDecisiveMove, ReportRow};
use crate::analysis::{DecisiveMove, Evaluator, GameReview, MoveMark};
use crate::study::{self, Document, RecordInsight};
use crate::{Label, analysis_text as words, bar, phrase, report_text as text};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_engine::option_text;
use shogibar_engine::options::split_signature;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::{Color, Move};
use std::collections::BTreeSet;

/// The maximum number of moves of an engine's pv, because readers do not follow a longer pv without a board.
const MAX_PV_MOVES: usize = 12;

impl Report {
    /// Creates the report of the current line with the review of `insight`.
    pub fn from_document(document: &Document, insight: &RecordInsight, lang: Lang) -> Self {
        Self {
            missing_reasons: insight.awaited_reason_count(),
            ..Self::new(document, insight.review(), lang)
        }
    }

    /// Creates the report of the current line of a document.
    pub fn new(document: &Document, review: &GameReview, lang: Lang) -> Self {
        let record = document.record();
        let titles = titles(record, lang);
        let summary = review.summary_of(record, document.line().iter().copied());
        let rows = collect_rows(document, review, lang);
        let decisive = summary.decisive_moves.iter();
        let decisive =
            decisive.filter_map(|decisive| decisive_move(document, review, decisive, titles, &rows, lang));
        Self {
            lang,
            titles,
            players: [Color::Black, Color::White]
                .map(|color| record.player(color).map(|name| short(name).into_owned())),
            headers: collect_headers(record, lang),
            result: result_text(document, titles, lang),
            sides: summary.sides,
            judge: judge_text(document, review, lang),
            judge_curve: judge_curve_label(review, record, lang),
            other_curves: collect_other_curves(document, review, lang),
            first_mover: record.start().side_to_move(),
            decisive_moves: decisive.collect(),
            missing_reasons: 0,
            mistakes: rows
                .iter()
                .filter(|row| {
                    row.assessed_move
                        .and_then(|it| it.mark)
                        .is_some_and(MoveMark::is_listed)
                })
                .map(|row| row.number)
                .collect(),
            rows,
        }
    }
}

fn titles(record: &Record, lang: Lang) -> [&'static str; 2] {
    Label::sides(record.is_handicap()).map(|label| label.text(lang))
}

/// Returns the headers of a record without players, empty values and the handicap 平手.
fn collect_headers(record: &Record, lang: Lang) -> Vec<(String, String)> {
    let is_omitted = |key: &str, value: &str| {
        matches!(key, "先手" | "後手" | "下手" | "上手")
            || value.is_empty()
            || (key == "手合割" && value == "平手")
    };
    let headers = record
        .headers()
        .iter()
        .map(|(key, value)| (key.as_str(), value.trim()));
    let shown = headers.filter(|(key, value)| !is_omitted(key, value));
    shown
        .map(|(key, value)| {
            (
                text::header(key, lang).to_owned(),
                text::value_of_header(key, value, lang),
            )
        })
        .collect()
}

/// Returns the number of moves, the winner and the reason of the end, in words.
fn result_text(document: &Document, [black, white]: [&str; 2], lang: Lang) -> String {
    let record = document.record();
    let moves = document
        .line()
        .iter()
        .filter(|node| record.node(**node).mv().is_some())
        .count();
    let Some(ending) = document.ending() else {
        return text::result(moves, "", "", lang);
    };
    let why = ending.reason.text(lang);
    let outcome = match ending.winner {
        Some(Color::Black) => phrase::wins(black, lang),
        Some(Color::White) => phrase::wins(white, lang),
        None => why.to_owned(),
    };
    text::result(moves, &outcome, why, lang)
}

/// Returns the label of the judge's curve; empty without a judge.
fn judge_curve_label(review: &GameReview, record: &Record, lang: Lang) -> String {
    review
        .judge()
        .map(|judge| judge.label_among(review.evaluators().iter(), record, lang))
        .unwrap_or_default()
}

/// Returns the judge in words: name, search limits, and number of evaluated moves. Without a judge, returns the
/// sentence about this, or an empty text if there is no evaluator either.
fn judge_text(document: &Document, review: &GameReview, lang: Lang) -> String {
    let Some(judge) = review.judge() else {
        let is_any = review.evaluators().iter().next().is_some();
        return if is_any {
            words::no_judge(lang).to_owned()
        } else {
            String::new()
        };
    };
    let nodes = std::iter::once(NodeId::START).chain(document.line().iter().copied());
    let limits: BTreeSet<String> = nodes
        .filter_map(|node| {
            let (_, limit, _) = split_signature(review.position_value(node)?.engine.as_deref()?)?;
            Some(option_text::limit(Some(limit), lang))
        })
        .collect();
    let label = judge.label(document.record(), lang);
    let name = std::iter::once(label)
        .chain(limits)
        .collect::<Vec<_>>()
        .join(lang.pick("・", ", "));
    let all = review.evaluators();
    words::judge(&name, all.coverage(judge), all.has_enough_moves(judge), lang)
}

/// Returns the curves of all evaluators except the judge along the current line.
fn collect_other_curves(document: &Document, review: &GameReview, lang: Lang) -> Vec<ReportCurve> {
    let positions = document
        .line()
        .iter()
        .copied()
        .filter(|node| document.record().node(*node).mv().is_some());
    let positions: Vec<_> = std::iter::once(NodeId::START).chain(positions).collect();
    let curve = |by: &Evaluator| ReportCurve {
        name: by.label_among(review.evaluators().iter(), document.record(), lang),
        values: positions
            .iter()
            .map(|node| {
                review
                    .value_by(by, *node)
                    .map(|(value, model)| (value, model.win_rate(value)))
            })
            .collect(),
    };
    let others = review.evaluators().iter().filter(|by| review.judge() != Some(by));
    others
        .map(curve)
        .filter(|curve| curve.values.iter().any(Option::is_some))
        .collect()
}

fn collect_rows(document: &Document, review: &GameReview, lang: Lang) -> Vec<ReportRow> {
    let record = document.record();
    let mut walk = record.walk();
    let notation = bar::notation(lang);
    let to_row = |row: study::MoveRow| {
        let node = record.node(row.node);
        let mut best = String::new();
        let choice = review.assessed(row.node).and_then(|assessed| assessed.best);
        if let Some((mv, parent)) = choice.zip(record.parent(row.node)) {
            walk.go(parent);
            let _legal = notation.write(&mut best, walk.position(), mv, walk.last_to());
        }
        ReportRow {
            number: row.number,
            word: row.text,
            is_end: node.end().is_some(),
            time_spent: row.time_spent,
            value: review
                .position_value(row.node)
                .map(|value| (value.value, value.rate)),
            assessed_move: review.assessed(row.node).copied(),
            best_words: best,
            comment: user_comment(node.comment()),
            bookmark: row.bookmark.unwrap_or_default(),
            variations: if row.alternative_count > 0 {
                collect_variations(record, &mut walk, row.node, lang)
            } else {
                Vec::new()
            },
        }
    };
    study::rows(document, lang).into_iter().map(to_row).collect()
}

/// Returns a decisive move with its texts; `None` if the review lacks values for it.
fn decisive_move(
    document: &Document,
    review: &GameReview,
    decisive: &DecisiveMove,
    titles: [&str; 2],
    rows: &[ReportRow],
    lang: Lang,
) -> Option<ReportDecisiveMove> {
    let assessed = decisive.assessed_move;
    let parent = document.record().parent(assessed.node)?;
    let [was, is] = review.compared_values(assessed.node)?;
    let [history, after] = [parent, assessed.node].map(|node| document.history_at(node));
    let notation = bar::notation(lang);
    let first = |line: &[Move]| line.get(..MAX_PV_MOVES).unwrap_or(line).to_vec();
    let before = rows.get(usize::from(assessed.ply).checked_sub(1)?)?;
    Some(ReportDecisiveMove {
        decisive_move: *decisive,
        effects: decisive.effects(titles, lang),
        sentence: review.sentence(assessed.node, lang).to_owned(),
        word: rows.get(usize::from(assessed.ply))?.word.clone(),
        rates: [was, is].map(|value| value.percent_of(assessed.side)),
        position_text: text::up_to(before.number, &before.word, lang),
        last_move: history.last_move(),
        best_move: was.line.first().copied(),
        line: notation.notate_line(&history, &first(&was.line)),
        punish_line: notation.notate_line(&after, &first(&is.line)),
        position_before: history.now().without_history(),
    })
}
