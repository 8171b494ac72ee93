//! What is said of an analysis while it runs and when it is done, on standard error.

use super::super::Streams;
use super::super::failure::ErrorLines;
use crate::analysis::{
    Employed, Finding, Mark, Plan, Progress, Review, Said, Scales, StateFile, Summary, Turn, TurningPoint,
};
use crate::bar;
use crate::kifu::{NodeId, Record};
use crate::session::State;
use crate::shogi::Color;
use crate::text::analysis::{self as text, Counts, Decided};
use crate::text::{Label, Lang, Message, phrase, setting};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// The shortest time between two lines of progress: an eye follows no more.
const PACE: Duration = Duration::from_millis(100);

/// Says how it goes.
pub(super) struct Reporter {
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

impl Reporter {
    pub(super) fn new(lang: Lang, on_terminal: bool, record: &Record, plan: &Plan) -> Self {
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
            let is_final = progress.stage.is_over() || matches!(engine.state, State::Silent);
            let trouble = bar::trouble(&engine.state, engine.waited, self.lang).filter(|_| !is_final);
            let is_pause = !matches!(&engine.state, State::Restarting(restart) if restart.pause.is_none());
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
        let far = text::progress(progress.done, progress.total, progress.left, self.lang);
        streams.err.live(&phrase::together(&[&far, &self.awaited(progress)], self.lang))?;
        #[expect(clippy::disallowed_methods, reason = "the clock of a face that writes to a terminal")]
        let now = Instant::now();
        self.written = Some(now);
        Ok(())
    }

    /// What is waited for, where no engine searches.
    fn awaited(&self, progress: &Progress) -> String {
        let is_busy = progress.engines.iter().any(|engine| matches!(engine.state, State::Thinking));
        let sentence = |engine: &Employed| match engine.state {
            State::Starting => Some(Message::EngineStarting(engine.waited).text(self.lang)),
            State::Preparing => Some(Message::EnginePreparing(engine.waited).text(self.lang)),
            _ => bar::trouble(&engine.state, engine.waited, self.lang).map(|trouble| trouble.text),
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
            let trouble = bar::trouble(&engine.state, engine.waited, self.lang).filter(|trouble| trouble.failure)?;
            let details = trouble.details.iter().map(|line| format!("  {line}"));
            Some(std::iter::once(format!("{}: {}", engine.name, trouble.text)).chain(details).collect::<Vec<_>>())
        });
        let file = output.map(|output| StateFile::path(output).display().to_string());
        // An analysis that never began has nothing to go on with.
        let has_any = progress.done > 0 || progress.stage != crate::analysis::Stage::Failed;
        let ended = has_any.then(|| text::ended(progress.done, progress.total, file.as_deref(), self.lang));
        ErrorLines(troubles.flatten().chain(ended).collect()).into()
    }

    /// What the record says now of its moves. Who is heard first are the engines of this analysis.
    pub(super) fn review(record: &Record, mut scales: Scales, (progress, findings): (&Progress, &[Finding])) -> Review {
        let said = findings.iter().filter_map(|finding| match &finding.said {
            Said::Judged(judgement) | Said::Known(judgement) => Some((judgement.engine.as_str(), judgement.k)),
            Said::Skipped | Said::Nothing | Said::GivenUp(..) => None,
        });
        let present = progress.engines.iter().map(|engine| (engine.signature.as_str(), engine.model.k()));
        let used: BTreeMap<_, _> = said.chain(present).filter(|(engine, _)| !engine.is_empty()).collect();
        for (engine, k) in &used {
            scales.learn(engine, *k);
        }
        let engines: Vec<_> = used.into_keys().collect();
        Review::new(record, &engines, |said| scales.model(said))
    }

    /// Says what it all comes to, and whether everything was analysed.
    pub(super) fn sum_up(
        &self,
        record: &Record,
        summary: &Summary,
        (progress, findings): (&Progress, &[Finding]),
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<bool> {
        let mut counts = Counts { unsearchable: self.unsearchable, ..Counts::default() };
        for finding in findings {
            match &finding.said {
                Said::Judged(_) => counts.searched += 1,
                Said::Known(_) | Said::Skipped => counts.known += 1,
                Said::Nothing => counts.silent += 1,
                Said::GivenUp(engine, failure) => {
                    counts.given_up += 1;
                    let name = progress.engines.get(*engine).map_or("", |engine| &engine.name);
                    let why = bar::failure_message(failure).text(self.lang);
                    let ply = record.node(finding.node).ply();
                    writeln!(streams.err, "{}", text::given_up(ply, name, &why, self.lang))?;
                }
            }
        }
        if counts != Counts::default() {
            writeln!(streams.err, "{}", text::counts(counts, self.lang))?;
        }
        for (color, side) in [Color::Black, Color::White].into_iter().zip(&summary.sides) {
            let [one, two, three, four] = Mark::ALL.map(Mark::label);
            let [first, second, third, fourth] = side.marks;
            let marks = [(one, first), (two, second), (three, third), (four, fourth)];
            let line = text::side(self.side(color), side.accuracy, marks, (side.choices, side.moves), self.lang);
            writeln!(streams.err, "{line}")?;
        }
        for point in &summary.turning_points {
            writeln!(streams.err, "{}", self.turning_point(record, point))?;
        }
        let is_lost = |engine: &Employed| matches!(engine.state, State::Failed(_));
        let has_lost_one = progress.engines.iter().any(is_lost);
        Ok(counts.silent + counts.given_up + counts.unsearchable == 0 && !has_lost_one)
    }

    fn turning_point(&self, record: &Record, point: &TurningPoint) -> String {
        let assessed = point.assessed;
        let decided = match point.turn {
            Turn::Lead(None, side) => Decided::Lead(self.side(side)),
            Turn::Lead(Some(_), side) => Decided::Turn(self.side(side)),
            Turn::Costliest => Decided::Costliest,
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
