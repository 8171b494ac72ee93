//! The analysis of one game of a file: search, review and output.

use super::super::Streams;
use super::super::output::shown_path;
use super::Arguments;
use super::chapters::chapters;
use super::output::AnalysisOutput;
use super::progress::ProgressReporter;
use super::report::ReportFile;
use crate::cli::command_error::CommandError;
use anyhow::{bail, ensure};
use shogibar_base::Lang;
use shogibar_builtin::Control;
use shogibar_config::Profiles;
use shogibar_games::analysis::{
    self, Analysis, AnalysisOptions, AnalysisPlan, AnalysisScope, AnalysisStage, EngineScales, Finding,
    FindingKind, PassSettings, Progress, StateFile, StateFiles, create_engines, judged_review,
};
use shogibar_games::analysis_text as text;
use shogibar_games::reasons::ReasonFinder;
use shogibar_games::report::{JsonReport, Report};
use shogibar_games::study::Document;
use shogibar_kifu::Record;
use shogibar_machine::traffic::TrafficLog;
use shogibar_obs::obs_text::ObsPhrase;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

pub(super) struct GameAnalysis<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) options: &'a AnalysisOptions,
    pub(super) profiles: &'a Profiles,
    pub(super) log: &'a TrafficLog,
    pub(super) waker: &'a FindingsWaker,
    pub(super) lang: Lang,
}

pub(super) struct GameOutcome {
    /// Whether the exit code is 1: the record or findings were not written completely, positions were not analysed, or
    /// the judge is unusable.
    pub(super) has_problems: bool,
    /// The signatures of the engines, which name an engine and its search limit.
    pub(super) signatures: Vec<String>,
    /// The state file. `None` if nothing was searched, or without an output file. Also `None` if findings no longer fit
    /// into the record: the file is then kept.
    pub(super) state: Option<StateFile>,
}

/// Wakes the thread that takes the findings.
pub(super) struct FindingsWaker {
    sender: SyncSender<()>,
    wake_events: Receiver<()>,
    is_interrupted: Arc<AtomicBool>,
}

impl FindingsWaker {
    pub(super) fn new() -> Self {
        let (sender, wake_events) = sync_channel(1);
        Self {
            sender,
            wake_events,
            is_interrupted: Arc::default(),
        }
    }

    /// Makes Ctrl-C set the interrupt flag and wake the thread.
    ///
    /// # Errors
    /// Fails if the system does not accept a handler.
    pub(super) fn wake_on_interrupt(&self) -> anyhow::Result<()> {
        let (interrupted, wake) = (Arc::clone(&self.is_interrupted), self.waker());
        ctrlc::set_handler(move || {
            interrupted.store(true, Ordering::Relaxed);
            wake();
        })
        .map_err(|error| CommandError::NoHandler(error.to_string()).into())
    }

    /// Returns a function that wakes the thread.
    fn waker(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            // A full channel means that an event is pending already.
            let _already_pending = sender.try_send(());
        }
    }
}

impl GameAnalysis<'_> {
    /// Analyses the game with this number in its file, from 1. Writes the record, the report and the JSON, as far as
    /// the user wants them.
    pub(super) fn run(
        &self,
        mut record: Record,
        number: usize,
        mut output: AnalysisOutput,
        report: Option<ReportFile>,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<GameOutcome> {
        let Self {
            arguments,
            options,
            lang,
            ..
        } = *self;
        let is_searched = !arguments.no_search;
        let plan = if is_searched {
            analysis::plan(&record, options.scope)
        } else {
            AnalysisPlan::default()
        };
        let AnalysisScope { from, to, .. } = options.scope;
        ensure!(
            !is_searched || usize::from(from) <= record.len(),
            CommandError::NothingBetween(from, to)
        );
        let mut reporter = ProgressReporter::new(lang, streams.err.is_terminal(), &record, &plan);
        let (state_files, mut displaced) = (StateFiles::default(), 0);
        let (progress, mut findings) = if is_searched {
            let found = self.search(&record, plan, output.file(), &state_files, &mut reporter, streams);
            for problem in self.log.take_problems() {
                writeln!(streams.err, "{}", problem.text(lang))?;
            }
            found?
        } else {
            (Progress::idle(), Vec::new())
        };
        if progress.stage != AnalysisStage::Finished {
            return Err(reporter.early_end_error(&progress, output.file()));
        }
        if let Some(newest) = output.newest(streams)? {
            record = newest;
            let found = findings.len();
            findings = analysis::relocate(&record, findings);
            displaced = found - findings.len();
        }
        if displaced > 0 {
            writeln!(streams.err, "{}", text::unplaced_evaluations(displaced, lang))?;
        }
        for finding in &findings {
            if let FindingKind::Searched(result) | FindingKind::Known(result) = &finding.outcome {
                analysis::annotate(&mut record, finding.node, result, options.dialect);
            }
        }
        let wanted = arguments.judge.as_deref();
        let scales = EngineScales::from_profiles(self.profiles);
        let (mut review, judge) = judged_review(&record, scales, wanted, &progress, &findings, lang);
        if let (Err(why), false) = (&judge, is_searched) {
            bail!(why.clone());
        }
        let judged = record.clone();
        let added = if arguments.add_variations {
            analysis::add_variations(&mut record, &review)
        } else {
            0
        };
        let has_lost = if arguments.record_output().is_some() {
            output.write(&record, streams)?
        } else {
            output.has_lost()
        };
        let document = Document::new(record);
        if report.is_some() || arguments.json {
            reporter.show_reason_search(streams)?;
            ReasonFinder::default().add_all(
                document.record(),
                &mut review,
                document.line(),
                &Control::new(None),
            );
            reporter.clear(streams)?;
        }
        if let Some(file) = report {
            file.write(&Report::new(&document, &review, lang), streams)?;
        }
        if let Some(start) = arguments.chapters {
            let report = Report::new(&document, &review, lang);
            let list = chapters(&report, start, lang).ok_or(CommandError::NoTimes)?;
            writeln!(streams.out, "{}", list.text)?;
            if !list.is_enough {
                writeln!(streams.err, "{}", ObsPhrase::TooFew.text(lang))?;
            }
        }
        if arguments.json {
            let input = arguments.input.as_path();
            let file = (input != Path::new("-")).then(|| shown_path(input));
            streams
                .out
                .write_json_line(&JsonReport::new(&document, &review, file, number))?;
        }
        let is_all = reporter.report_summary(&judged, &review, &progress, &findings, streams)?;
        if let Err(why) = &judge {
            writeln!(streams.err, "{why}")?;
        }
        if arguments.add_variations {
            writeln!(streams.err, "{}", text::added_variations(added, lang))?;
        }
        let signatures = progress.signatures().into_iter().map(str::to_owned).collect();
        let has_problems = has_lost || !is_all || judge.is_err() || displaced > 0;
        let state = state_files.take(0);
        Ok(GameOutcome {
            has_problems,
            signatures,
            state: if displaced == 0 { state } else { None },
        })
    }

    /// Searches the game until the analysis is complete or cancelled. Adds the state file of `file` to `state_files`.
    /// Returns the last progress and all findings.
    fn search(
        &self,
        record: &Record,
        plan: AnalysisPlan,
        file: Option<&Path>,
        state_files: &StateFiles,
        reporter: &mut ProgressReporter,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<(Progress, Vec<Finding>)> {
        let engines = create_engines(
            &self.arguments.engines,
            self.options,
            self.profiles,
            self.log,
            plan.tasks.len(),
        );
        let engines = engines.map_err(CommandError::NoExecutablePath)?;
        let (opened, known) = file.map(StateFile::open).transpose()?.unzip();
        if let Some(opened) = opened {
            state_files.add(0, opened);
        }
        let AnalysisOptions {
            repeats_searches: again,
            deepen,
            ..
        } = *self.options;
        let pass_settings = PassSettings {
            known_results: known.unwrap_or_default(),
            repeats_searches: again,
            deepen,
        };
        let analysis = Analysis::start(
            Arc::new(record.clone()),
            plan,
            pass_settings,
            engines,
            state_files.clone(),
            self.waker.waker(),
        );
        let analysis = analysis.map_err(CommandError::NoThread)?;
        let mut findings = Vec::new();
        loop {
            // The sender lives as long as this waker, so the channel does not close.
            let _woken = self.waker.wake_events.recv();
            if self.waker.is_interrupted.load(Ordering::Relaxed) {
                analysis.cancel();
            }
            // The progress is taken first: when it reports the end, all findings are available and stored.
            let progress = analysis.take_progress();
            findings.extend(analysis.take_findings());
            state_files.check()?;
            if let Some(progress) = progress {
                reporter.update(&progress, streams)?;
                if progress.stage.is_over() {
                    return Ok((progress, findings));
                }
            }
        }
    }
}
