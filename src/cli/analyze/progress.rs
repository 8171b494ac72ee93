//! What is said of an analysis while it runs and when it is done, on standard error.

use super::super::Streams;
use super::super::failure::ErrorLines;
use crate::analysis::{
    AnalysisPlan, EngineScales, Evaluator, Evaluators, Finding, FindingKind, GameReview, LeadChange, MoveMark,
    Progress, StateFile, TurningPoint, WorkerStatus,
};
use crate::bar;
use crate::kifu::{NodeId, Record};
use crate::session::EngineState;
use crate::shogi::Color;
use crate::text::analysis::{self as text, FindingCounts, TurnDecided};
use crate::text::{Label, Lang, Message, phrase, setting};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// The shortest time between two lines of progress: an eye follows no more.
const PACE: Duration = Duration::from_millis(100);

/// Says how it goes.
pub(super) struct ProgressReporter {
    lang: Lang,
    on_terminal: bool,
    is_handicap: bool,
    /// When the line of progress was written last.
    written: Option<Instant>,
    /// The trouble of each engine that was said last.
    troubles: BTreeMap<usize, String>,
    /// What was said of engines that are as they should be.
    told: BTreeSet<String>,
    unsearchable: usize,
}

impl ProgressReporter {
    pub(super) fn new(lang: Lang, on_terminal: bool, record: &Record, plan: &AnalysisPlan) -> Self {
        Self {
            lang,
            on_terminal,
            is_handicap: record.is_handicap(),
            written: None,
            troubles: BTreeMap::new(),
            told: BTreeSet::new(),
            unsearchable: plan.unsearchable.len(),
        }
    }

    /// Says what is new: of the engines always, of the progress where somebody looks on.
    pub(super) fn follow(&mut self, progress: &Progress, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        for (nth, engine) in progress.engines.iter().enumerate() {
            // What is given up for good is said at the end.
            let is_final = progress.stage.is_over() || matches!(engine.state, EngineState::Silent);
            let trouble = bar::problem(&engine.state, engine.waited, self.lang).filter(|_| !is_final);
            let is_pause = !matches!(&engine.state, EngineState::Restarting(restart) if restart.pause.is_none());
            let Some(trouble) = trouble.filter(|_| is_pause) else {
                self.troubles.remove(&nth);
                continue;
            };
            let said = self.troubles.insert(nth, trouble.text.clone());
            if said.as_ref() != Some(&trouble.text) {
                self.clear(streams)?;
                writeln!(streams.err, "{}: {}", engine.name, trouble.text)?;
                for line in &trouble.details {
                    writeln!(streams.err, "  {line}")?;
                }
            }
        }
        let lang = self.lang;
        for engine in &progress.engines {
            let refusal = engine.refuses_limits.then(|| text::refuses_limits(&engine.name, lang));
            let misfits = engine.misfits.iter().map(|misfit| setting::misfit(misfit, lang));
            for sentence in refusal.into_iter().chain(misfits.map(|said| format!("{}: {said}", engine.name))) {
                // Of several processes of one engine, the first says it for all.
                if self.told.insert(sentence.clone()) {
                    self.clear(streams)?;
                    writeln!(streams.err, "{sentence}")?;
                }
            }
        }
        self.draw(progress, streams)
    }

    fn draw(&mut self, progress: &Progress, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        let is_old = self.written.is_none_or(|at| at.elapsed() >= PACE);
        if !self.on_terminal || !is_old && !progress.stage.is_over() {
            return Ok(());
        }
        if progress.stage.is_over() {
            return self.clear(streams);
        }
        let (far, is_second) = progress.pass();
        let far = text::progress(far, is_second, progress.left, self.lang);
        streams.err.live(&phrase::together(&[&far, &self.remaining_time(progress)], self.lang))?;
        #[expect(clippy::disallowed_methods, reason = "the clock of a face that writes to a terminal")]
        let now = Instant::now();
        self.written = Some(now);
        Ok(())
    }

    /// What is waited for, where no engine searches.
    fn remaining_time(&self, progress: &Progress) -> String {
        let is_busy = progress.engines.iter().any(|engine| matches!(engine.state, EngineState::Thinking));
        let sentence = |engine: &WorkerStatus| match engine.state {
            EngineState::Starting => Some(Message::EngineStarting(engine.waited).text(self.lang)),
            EngineState::Preparing => Some(Message::EnginePreparing(engine.waited).text(self.lang)),
            _ => bar::problem(&engine.state, engine.waited, self.lang).map(|trouble| trouble.text),
        };
        let sentence = progress.engines.iter().find_map(sentence).filter(|_| !is_busy);
        sentence.unwrap_or_default()
    }

    /// Takes the line of progress away, for another to stand there.
    fn clear(&mut self, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        self.written = None;
        Ok(streams.err.clear_live()?)
    }

    /// Why it ended before it was done.
    pub(super) fn ended(&self, progress: &Progress, output: Option<&Path>) -> anyhow::Error {
        let troubles = progress.engines.iter().filter_map(|engine| {
            let trouble = bar::problem(&engine.state, engine.waited, self.lang).filter(|trouble| trouble.failure)?;
            let details = trouble.details.iter().map(|line| format!("  {line}"));
            Some(std::iter::once(format!("{}: {}", engine.name, trouble.text)).chain(details).collect::<Vec<_>>())
        });
        let file = output.map(|output| StateFile::path(output).display().to_string());
        // An analysis that never began has nothing to go on with.
        let has_any = progress.done > 0 || progress.stage != crate::analysis::AnalysisStage::Failed;
        let ended = has_any.then(|| text::ended(progress.done, progress.total, file.as_deref(), self.lang));
        ErrorLines(troubles.flatten().chain(ended).collect()).into()
    }

    /// What the record says now of its moves, by the judge that is `wanted` where it is there.
    pub(super) fn review(
        &self,
        record: &Record,
        mut scales: EngineScales,
        wanted: Option<&str>,
        (progress, findings): (&Progress, &[Finding]),
    ) -> GameReview {
        let said = findings.iter().filter_map(|finding| match &finding.said {
            FindingKind::Judged(judgement) | FindingKind::Known(judgement) => {
                Some((judgement.engine.as_str(), judgement.k))
            }
            FindingKind::Skipped | FindingKind::Nothing | FindingKind::GivenUp(..) => None,
        });
        let present = progress.engines.iter().flat_map(|engine| {
            [&engine.signature, &engine.deep_signature].map(|signature| (signature.as_str(), engine.model.k()))
        });
        for (engine, k) in said.chain(present).filter(|(engine, _)| !engine.is_empty()) {
            scales.learn(engine, k);
        }
        let choose = |all: &Evaluators| wanted.and_then(|name| self.judge(record, all, (progress, name)).ok().cloned());
        GameReview::new(record, choose, |said| scales.model(said))
    }

    /// The judge that is meant by a name: an engine of this analysis as the user has called it, or any by its own.
    fn judge<'a>(
        &self,
        record: &Record,
        all: &'a Evaluators,
        (progress, name): (&Progress, &str),
    ) -> Result<&'a Evaluator, Vec<&'a Evaluator>> {
        let mut ours = progress.engines.iter().filter(|engine| engine.name == name);
        let ours = ours.find_map(|engine| all.find(&engine.signature, record, self.lang).ok());
        ours.map_or_else(|| all.find(name, record, self.lang), Ok)
    }

    /// Whether the judge of this name judges; says that it does not.
    pub(super) fn check_judge(
        &self,
        record: &Record,
        review: &GameReview,
        progress: &Progress,
        name: &str,
    ) -> Result<(), String> {
        let all = review.evaluators();
        let Err(fit) = self.judge(record, all, (progress, name)) else { return Ok(()) };
        let is_ambiguous = !fit.is_empty();
        let shown = if is_ambiguous { fit } else { all.iter().collect() };
        let shown: Vec<_> = shown.into_iter().map(|by| by.label(record, self.lang)).collect();
        let say = if is_ambiguous { text::several_judges } else { text::no_such_judge };
        Err(say(name, &shown, self.lang))
    }

    /// Says what it all comes to, and whether everything was analysed.
    pub(super) fn sum_up(
        &self,
        record: &Record,
        review: &GameReview,
        (progress, findings): (&Progress, &[Finding]),
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<bool> {
        let is_all = self.count(record, (progress, findings), streams)?;
        match review.judge() {
            Some(judge) => {
                let (all, name) = (review.evaluators(), judge.label(record, self.lang));
                let said = text::judge(&name, all.coverage(judge), all.is_full(judge), self.lang);
                writeln!(streams.err, "{}", text::judged_by(&said, self.lang))?;
            }
            None if review.evaluators().iter().next().is_some() => {
                writeln!(streams.err, "{}", text::judged_by(text::nobody_judges(self.lang), self.lang))?;
            }
            None => {}
        }
        let summary = review.summary(record);
        for (color, side) in [Color::Black, Color::White].into_iter().zip(&summary.sides) {
            let [one, two, three, four] = MoveMark::ALL.map(MoveMark::label);
            let [first, second, third, fourth] = side.marks;
            let marks = [(one, first), (two, second), (three, third), (four, fourth)];
            writeln!(streams.err, "{}", text::side(self.side(color), side.sums(), marks, self.lang))?;
        }
        for point in &summary.turning_points {
            writeln!(streams.err, "{}", self.turning_point(record, point))?;
        }
        Ok(is_all)
    }

    /// Says of each engine how many positions it has analysed, and whether that is all.
    fn count(
        &self,
        record: &Record,
        (progress, findings): (&Progress, &[Finding]),
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<bool> {
        let mut by_engine: BTreeMap<usize, FindingCounts> = BTreeMap::new();
        for finding in findings {
            let counts = by_engine.entry(finding.engine).or_default();
            match &finding.said {
                FindingKind::Judged(judgement) | FindingKind::Known(judgement) if judgement.value().is_none() => {
                    counts.silent += 1;
                }
                FindingKind::Judged(_) | FindingKind::Known(_) if finding.is_deep => counts.deeper += 1,
                FindingKind::Judged(_) => counts.searched += 1,
                FindingKind::Known(_) | FindingKind::Skipped => counts.known += 1,
                FindingKind::Nothing => counts.silent += 1,
                FindingKind::GivenUp(engine, failure) => {
                    counts.given_up += 1;
                    let name = progress.engines.get(*engine).map_or("", |engine| &engine.name);
                    let why = bar::failure_message(failure).text(self.lang);
                    let ply = record.node(finding.node).ply();
                    writeln!(streams.err, "{}", text::given_up(ply, name, &why, self.lang))?;
                }
            }
        }
        if by_engine.is_empty() && self.unsearchable > 0 {
            by_engine.insert(0, FindingCounts::default());
        }
        let are_several = by_engine.len() > 1;
        let mut is_all = self.unsearchable == 0;
        for (engine, counts) in by_engine {
            let said = text::counts(FindingCounts { unsearchable: self.unsearchable, ..counts }, self.lang);
            match progress.engines.get(engine).filter(|_| are_several) {
                Some(engine) => writeln!(streams.err, "{}: {said}", engine.name)?,
                None => writeln!(streams.err, "{said}")?,
            }
            is_all &= counts.silent + counts.given_up == 0;
        }
        let is_lost = |engine: &WorkerStatus| matches!(engine.state, EngineState::Failed(_));
        Ok(is_all && !progress.engines.iter().any(is_lost))
    }

    fn turning_point(&self, record: &Record, point: &TurningPoint) -> String {
        let assessed = point.assessed;
        let (winner, loser) = (self.side(point.turn.winner), self.side(point.turn.winner.flip()));
        let decided = match point.turn.change {
            LeadChange::Lead => TurnDecided::Lead(winner),
            LeadChange::Reversal => TurnDecided::Turn(winner),
            LeadChange::Levelled => TurnDecided::Levelled(loser),
            LeadChange::Edge => TurnDecided::Edge(winner),
        };
        let word = self.word(record, assessed.node);
        text::turning_point(assessed.ply, &word, assessed.loss, decided, self.lang)
    }

    /// The move that leads to a node of the main line, in words.
    fn word(&self, record: &Record, node: NodeId) -> String {
        let before = record.history(usize::from(record.node(node).ply()).saturating_sub(1));
        let moves: Vec<_> = record.node(node).mv().into_iter().collect();
        bar::notation(self.lang).words(&before, &moves).into_iter().next().unwrap_or_default()
    }

    const fn side(&self, side: Color) -> &'static str {
        let [black, white] = Label::sides(self.is_handicap);
        if matches!(side, Color::Black) { black.text(self.lang) } else { white.text(self.lang) }
    }
}
