//! The progress and the summary of an analysis, on standard error.

use super::super::Streams;
use super::super::failure::ErrorLines;
use super::super::output::MIN_UPDATE_INTERVAL;
use shogibar_base::Lang;
use shogibar_engine::option_text;
use shogibar_engine::session::EngineState;
use shogibar_games::analysis::{
    AnalysisPlan, DecisiveMove, Finding, FindingKind, GameReview, MoveMark, Progress, StateFile,
};
use shogibar_games::analysis_text::{self as text, FindingCounts};
use shogibar_games::report_text::ReportWord;
use shogibar_games::{EngineMessage, Label, bar, phrase};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Color;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

/// Reports the progress and the results of an analysis.
pub(super) struct ProgressReporter {
    lang: Lang,
    is_on_terminal: bool,
    is_handicap: bool,
    /// The time of the last update of the live line.
    last_update: Option<Instant>,
    /// The last reported problem of each engine, by index.
    problems: BTreeMap<usize, String>,
    /// The messages about engines that were reported once.
    reported_texts: BTreeSet<String>,
    /// The number of positions that no engine can search.
    unsearchable_count: usize,
    is_mating_problem: bool,
}

impl ProgressReporter {
    pub(super) fn new(lang: Lang, on_terminal: bool, record: &Record, plan: &AnalysisPlan) -> Self {
        let (is_handicap, unsearchable) = (record.is_handicap(), plan.unsearchable_positions.len());
        let is_mating_problem = plan.is_mating_problem(record);
        Self {
            is_handicap,
            unsearchable_count: unsearchable,
            is_mating_problem,
            ..Self::for_folder(lang, on_terminal)
        }
    }

    pub(super) const fn for_folder(lang: Lang, on_terminal: bool) -> Self {
        Self {
            lang,
            is_on_terminal: on_terminal,
            is_handicap: false,
            last_update: None,
            problems: BTreeMap::new(),
            reported_texts: BTreeSet::new(),
            unsearchable_count: 0,
            is_mating_problem: false,
        }
    }

    /// Reports each new problem and remark of an engine, and on a terminal, the progress.
    pub(super) fn update(&mut self, progress: &Progress, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        let (pass_progress, is_second) = progress.pass();
        let line = text::progress(pass_progress, is_second, progress.remaining_time, self.lang);
        self.update_with(progress, &line, streams)
    }

    /// Reports as [`update`](Self::update) does, with another text for the progress.
    pub(super) fn update_with(
        &mut self,
        progress: &Progress,
        line: &str,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<()> {
        for (index, engine) in progress.engines.iter().enumerate() {
            // Final failures are reported at the end.
            let is_final = progress.stage.is_over() || matches!(engine.state, EngineState::Silent);

            let is_pause =
                !matches!(&engine.state, EngineState::Restarting(restart) if restart.pause.is_none());
            let problem = match bar::problem_notice(&engine.state, engine.overdue_seconds, self.lang) {
                Some(problem) if is_pause && !is_final => problem,
                _ => {
                    self.problems.remove(&index);
                    continue;
                }
            };
            let previous = self.problems.insert(index, problem.full().to_owned());
            if previous.as_deref() != Some(problem.full()) {
                self.clear(streams)?;
                writeln!(streams.err, "{}: {}", engine.name, problem.full())?;
                for line in &problem.details {
                    writeln!(streams.err, "  {line}")?;
                }
            }
        }
        let lang = self.lang;
        for engine in &progress.engines {
            let refusal = engine
                .refuses_limits
                .then(|| text::refuses_limits(&engine.name, lang));
            let rejected = engine
                .rejected_options
                .iter()
                .map(|option| option_text::rejected_option(option, lang));
            for sentence in refusal
                .into_iter()
                .chain(rejected.map(|message| format!("{}: {message}", engine.name)))
            {
                // Several processes of an engine report the same message; it is written once.
                if self.reported_texts.insert(sentence.clone()) {
                    self.clear(streams)?;
                    writeln!(streams.err, "{sentence}")?;
                }
            }
        }
        self.draw(progress, line, streams)
    }

    /// Draws the live line on a terminal, at most once per [`MIN_UPDATE_INTERVAL`]. Erases it when the analysis is
    /// over.
    fn draw(&mut self, progress: &Progress, line: &str, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        let is_old = self
            .last_update
            .is_none_or(|at| at.elapsed() >= MIN_UPDATE_INTERVAL);
        if !self.is_on_terminal || !is_old && !progress.stage.is_over() {
            return Ok(());
        }
        if progress.stage.is_over() {
            return self.clear(streams);
        }
        streams.err.write_live(&phrase::together(
            &[line, &self.waiting_text(progress)],
            self.lang,
        ))?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the clock of a face that writes to a terminal"
        )]
        let now = Instant::now();
        self.last_update = Some(now);
        Ok(())
    }

    /// Returns what the first engine that does not search waits for, or its problem. Empty while any engine searches.
    fn waiting_text(&self, progress: &Progress) -> String {
        let is_busy = progress
            .engines
            .iter()
            .any(|engine| matches!(engine.state, EngineState::Thinking));
        if is_busy {
            return String::new();
        }
        progress
            .engines
            .iter()
            .find_map(|engine| match engine.state {
                EngineState::Starting => {
                    Some(EngineMessage::Starting(engine.overdue_seconds).text(self.lang))
                }
                EngineState::Preparing => {
                    Some(EngineMessage::Preparing(engine.overdue_seconds).text(self.lang))
                }
                _ => bar::problem_notice(&engine.state, engine.overdue_seconds, self.lang)
                    .map(|problem| problem.full().to_owned()),
            })
            .unwrap_or_default()
    }

    /// Draws on a terminal that reasons are searched, until [`clear`](Self::clear) is called.
    pub(super) fn show_reason_search(&self, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        if self.is_on_terminal {
            streams.err.write_live(text::finding_reasons(self.lang))?;
        }
        Ok(())
    }

    /// Erases the live line.
    pub(super) fn clear(&mut self, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        self.last_update = None;
        Ok(streams.err.clear_live()?)
    }

    /// Returns the final failures of engines, as lines.
    pub(super) fn failures(progress: &Progress, lang: Lang) -> Vec<String> {
        let problems = progress.engines.iter().filter_map(|engine| {
            let problem = bar::problem_notice(&engine.state, engine.overdue_seconds, lang)
                .filter(|problem| problem.is_failure)?;
            let details = problem.details.iter().map(|line| format!("  {line}"));
            Some(
                std::iter::once(format!("{}: {}", engine.name, problem.full()))
                    .chain(details)
                    .collect::<Vec<_>>(),
            )
        });
        problems.flatten().collect()
    }

    pub(super) fn has_failed_engine(progress: &Progress) -> bool {
        progress
            .engines
            .iter()
            .any(|engine| matches!(engine.state, EngineState::Failed(_)))
    }

    /// Returns the error of an analysis that ended early.
    pub(super) fn early_end_error(&self, progress: &Progress, output: Option<&Path>) -> anyhow::Error {
        let file = output.map(|output| StateFile::path(output).display().to_string());
        // An analysis that never began has no results to continue from.
        let has_any =
            progress.done_searches > 0 || progress.stage != shogibar_games::analysis::AnalysisStage::Failed;
        let ended =
            has_any.then(|| text::ended(progress.done_searches, progress.total, file.as_deref(), self.lang));
        ErrorLines(
            Self::failures(progress, self.lang)
                .into_iter()
                .chain(ended)
                .collect(),
        )
        .into()
    }

    pub(super) fn report_summary(
        &self,
        record: &Record,
        review: &GameReview,
        progress: &Progress,
        findings: &[Finding],
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<bool> {
        if self.is_mating_problem {
            writeln!(streams.err, "{}", text::mating_problem(self.lang))?;
            return Ok(false);
        }
        let is_all = self.report_counts(record, progress, findings, streams)?;
        match review.judge() {
            Some(judge) => {
                let (all, name) = (review.evaluators(), judge.label(record, self.lang));
                let judge_text =
                    text::judge(&name, all.coverage(judge), all.has_enough_moves(judge), self.lang);
                writeln!(streams.err, "{}", text::judged_by(&judge_text, self.lang))?;
            }
            None if review.evaluators().iter().next().is_some() => {
                writeln!(
                    streams.err,
                    "{}",
                    text::judged_by(text::no_judge(self.lang), self.lang)
                )?;
            }
            None => {}
        }
        let summary = review.summary(record);
        for (color, side) in [Color::Black, Color::White].into_iter().zip(&summary.sides) {
            let [one, two, three, four] = MoveMark::ALL.map(MoveMark::label);
            let [first, second, third, fourth] = side.marks;
            let marks = [(one, first), (two, second), (three, third), (four, fourth)];
            writeln!(
                streams.err,
                "{}",
                text::side(self.side_name(color), side.figures(), marks, self.lang)
            )?;
        }
        if !summary.decisive_moves.is_empty() {
            writeln!(streams.err, "{}", ReportWord::DecisiveMoves.text(self.lang))?;
        } else if review.moves().next().is_some() {
            writeln!(streams.err, "{}", ReportWord::NoDecisiveMoves.text(self.lang))?;
        }
        for decisive in &summary.decisive_moves {
            writeln!(streams.err, "  {}", self.decisive_text(record, decisive))?;
        }
        Ok(is_all)
    }

    /// Reports the number of analysed positions of each engine, and each position that was given up. Returns whether
    /// all positions were analysed and no engine has failed.
    fn report_counts(
        &self,
        record: &Record,
        progress: &Progress,
        findings: &[Finding],
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<bool> {
        let mut by_engine: BTreeMap<usize, FindingCounts> = BTreeMap::new();
        for finding in findings {
            let counts = by_engine.entry(finding.engine).or_default();
            match &finding.outcome {
                FindingKind::Searched(result) | FindingKind::Known(result) if result.value().is_none() => {
                    counts.valueless += 1;
                }
                FindingKind::Searched(_) | FindingKind::Known(_) if finding.is_deep => counts.deepened += 1,
                FindingKind::Searched(_) => counts.searched += 1,
                FindingKind::Known(_) | FindingKind::Skipped => counts.known += 1,
                FindingKind::Nothing => counts.valueless += 1,
                FindingKind::GivenUp(engine, failure) => {
                    counts.given_up += 1;
                    let name = progress.engines.get(*engine).map_or("", |engine| &engine.name);
                    let why = EngineMessage::Failed(failure.kind.clone()).text(self.lang);
                    let ply = record.node(finding.node).ply();
                    writeln!(streams.err, "{}", text::given_up(ply, name, &why, self.lang))?;
                }
            }
        }
        if by_engine.is_empty() && self.unsearchable_count > 0 {
            by_engine.insert(0, FindingCounts::default());
        }
        let are_several = by_engine.len() > 1;
        let mut is_all = self.unsearchable_count == 0;
        for (engine, counts) in by_engine {
            let counts_text = text::counts(
                FindingCounts {
                    unsearchable: self.unsearchable_count,
                    ..counts
                },
                self.lang,
            );
            match progress.engines.get(engine) {
                Some(engine) if are_several => writeln!(streams.err, "{}: {counts_text}", engine.name)?,
                _ => writeln!(streams.err, "{counts_text}")?,
            }
            is_all &= counts.valueless + counts.given_up == 0;
        }
        Ok(is_all && !Self::has_failed_engine(progress))
    }

    fn decisive_text(&self, record: &Record, decisive: &DecisiveMove) -> String {
        let (assessed, lang) = (decisive.assessed_move, self.lang);
        let move_text = text::decisive(
            assessed.ply,
            &self.move_words(record, assessed.node),
            assessed.loss,
            lang,
        );
        let mark = assessed.mark.map(|mark| mark.label().text(lang).to_owned());
        let effects = decisive.effects([self.side_name(Color::Black), self.side_name(Color::White)], lang);
        let parts = std::iter::once(move_text).chain(mark).chain(effects);
        parts.collect::<Vec<_>>().join(lang.pick("　", " · "))
    }

    fn move_words(&self, record: &Record, node: NodeId) -> String {
        let before = record.history(usize::from(record.node(node).ply()).saturating_sub(1));
        let moves: Vec<_> = record.node(node).mv().into_iter().collect();
        bar::notation(self.lang)
            .notate_line(&before, &moves)
            .into_iter()
            .next()
            .unwrap_or_default()
    }

    /// Returns the name of a side: 先手 or 上手, `Black` or `White`.
    const fn side_name(&self, side: Color) -> &'static str {
        let [black, white] = Label::sides(self.is_handicap);
        if matches!(side, Color::Black) {
            black.text(self.lang)
        } else {
            white.text(self.lang)
        }
    }
}
