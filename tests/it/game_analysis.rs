//! Analysis of a game by the built-in engine: user actions during it, and what blocks.

use crate::support;
use shogibar::app::effects::analysis::AnalysisThreads;
use shogibar_engine::options::Limit;
use shogibar_engine::process::Program;
use shogibar_engine::session::SessionConfig;
use shogibar_games::analysis::{AnalysisEngine, AnalysisOptions, AnalysisScope, AnalysisStage};
use shogibar_games::study::Document;
use shogibar_games::{EngineMessage, RecordRemark};
use shogibar_kifu::NodeId;
use shogibar_machine::traffic::TrafficLog;
use shogibar_model::Message;
use shogibar_model::game_analysis::{AnalysisEffect, AnalysisEvent, AnalysisOutcome, RunningAnalysis};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

fn document() -> Document {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif")).unwrap();
    Document::new(shogibar_kifu::read(&bytes).unwrap().games.remove(0))
}

fn options() -> AnalysisOptions {
    let scope = AnalysisScope {
        to: 30,
        ..AnalysisScope::default()
    };
    AnalysisOptions {
        limit: Limit::Nodes(200),
        scope,
        deepen: 0,
        ..AnalysisOptions::default()
    }
}

fn engine(path: &Path, arguments: &[&str]) -> AnalysisEngine {
    let arguments = arguments.iter().map(Into::into).collect();
    let program = Program {
        path: path.to_owned(),
        arguments,
        ..Program::default()
    };
    let settings = SessionConfig {
        limit: Limit::Nodes(200),
        multipv: 1,
        hash_mb: 1,
        threads: 1,
        new_game_per_search: true,
        ..SessionConfig::default()
    };
    AnalysisEngine {
        name: "Hao".to_owned(),
        is_profile: true,
        program,
        settings,
        log: TrafficLog::default(),
    }
}

fn builtin() -> AnalysisEngine {
    engine(Path::new(env!("CARGO_BIN_EXE_shogibar")), &["engine"])
}

/// A game, the analysis of the game, and the threads that run it.
struct Fixture {
    document: Document,
    analysis: Option<RunningAnalysis>,
    threads: AnalysisThreads,
    end: Option<(Message, bool)>,
}

impl Fixture {
    fn new(engines: Vec<AnalysisEngine>) -> Self {
        Self::with(AnalysisThreads::new(
            Box::new(move |_, _| Ok(engines.clone())),
            Arc::new(|| {}),
        ))
    }

    fn with(threads: AnalysisThreads) -> Self {
        Self {
            document: document(),
            analysis: None,
            threads,
            end: None,
        }
    }

    fn begin(&mut self, options: AnalysisOptions) {
        let (analysis, effect) = RunningAnalysis::start(&self.document, options);
        self.analysis = Some(analysis);
        self.run(effect);
    }

    fn run(&mut self, effect: AnalysisEffect) {
        if let Some(event) = self.threads.run(effect) {
            self.apply(event);
        }
    }

    fn apply(&mut self, event: AnalysisEvent) {
        let Some(mut analysis) = self.analysis.take() else {
            return;
        };
        match analysis.on_event(event, &mut self.document) {
            AnalysisOutcome::Running(effect) => {
                self.analysis = Some(analysis);
                if let Some(effect) = effect {
                    self.run(effect);
                }
            }
            AnalysisOutcome::Done(message) => self.end = Some((message, false)),
            AnalysisOutcome::Failed(message) => self.end = Some((message, true)),
            AnalysisOutcome::Ended => {}
        }
    }

    fn poll(&mut self) {
        while let Some(event) = self.threads.poll() {
            self.apply(event);
        }
        if let Some(analysis) = &self.analysis {
            analysis.restore_findings(&mut self.document);
        }
    }

    fn poll_until(&mut self, until: impl Fn(&Self) -> bool) {
        let comes = support::eventually(|| {
            self.poll();
            until(self)
        });
        assert!(comes, "it is at {:?}", self.analysis);
    }

    fn wait_for_the_end(&mut self) -> (Message, bool) {
        self.poll_until(|fixture| fixture.end.is_some());
        self.end.take().unwrap()
    }

    fn toggle_pause(&mut self) {
        let effect = self.analysis.as_mut().unwrap().toggle_pause();
        self.run(effect);
    }

    fn is_at(&self, stage: AnalysisStage) -> bool {
        self.analysis
            .as_ref()
            .and_then(RunningAnalysis::progress)
            .is_some_and(|progress| progress.stage == stage)
    }
}

/// Returns the number of positions with an evaluation of this analysis.
fn found(document: &Document) -> usize {
    let record = document.record();
    let nodes = std::iter::once(NodeId::START).chain(record.main_line());
    nodes
        .filter(|node| {
            record
                .node(*node)
                .comment()
                .is_some_and(|comment| comment.contains(" (Hao) [nodes 200]"))
        })
        .count()
}

#[test]
fn an_analysis_is_one_undo_step() {
    let mut fixture = Fixture::new(vec![builtin(); 2]);
    let before = fixture.document.record().clone();
    fixture.begin(AnalysisOptions {
        adds_variations: true,
        ..options()
    });
    assert_eq!(fixture.wait_for_the_end(), (RecordRemark::Analysed.into(), false));
    let document = &mut fixture.document;
    assert_eq!((found(document), fixture.analysis.is_none()), (31, true));
    assert!(
        document.record().all().count() > before.all().count(),
        "the lines that were better are there"
    );
    document.undo();
    assert_eq!(
        (found(document), document.can_undo(), document.is_changed()),
        (0, false, false)
    );
    assert_eq!(document.record().all().count(), before.all().count());
}

#[test]
fn searches_positions_of_swings_again() {
    // The limit is low, so that the values swing.
    let short = AnalysisEngine {
        settings: SessionConfig {
            limit: Limit::Nodes(20),
            ..builtin().settings
        },
        ..builtin()
    };
    let mut fixture = Fixture::new(vec![short]);
    let signatures = |fixture: &Fixture| {
        let running = fixture
            .analysis
            .as_ref()
            .map(RunningAnalysis::running_engines)
            .unwrap_or_default();
        running.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    fixture.begin(AnalysisOptions {
        limit: Limit::Nodes(20),
        deepen: 5,
        scope: AnalysisScope::default(),
        ..options()
    });
    fixture.poll_until(|fixture| signatures(fixture).len() == 2);
    assert!(
        signatures(&fixture)
            .iter()
            .any(|signature| signature.ends_with("(Hao) [nodes 100]"))
    );
    fixture.wait_for_the_end();
    let comments = |with: &str| {
        let record = fixture.document.record();
        let nodes = std::iter::once(NodeId::START).chain(record.main_line());
        nodes
            .filter(|node| {
                record
                    .node(*node)
                    .comment()
                    .is_some_and(|comment| comment.contains(with))
            })
            .count()
    };
    let [short, long] = ["(Hao) [nodes 20]", "(Hao) [nodes 100]"].map(comments);
    let positions = fixture.document.record().len() + 1;
    assert!(long > 0 && short + long == positions, "{short} {long}");
}

#[test]
fn undo_during_an_analysis_undoes_the_user_s_edit() {
    let mut fixture = Fixture::new(vec![builtin()]);
    let first = fixture.document.line()[0];
    fixture.document.set_comment(first, "よい手");
    fixture.begin(options());
    fixture.poll_until(|fixture| found(&fixture.document) >= 5);
    let comment = fixture
        .document
        .record()
        .node(first)
        .comment()
        .unwrap()
        .to_owned();
    assert!(
        comment.starts_with("よい手\n") && comment.contains("(Hao)"),
        "{comment}"
    );
    fixture.document.undo();
    assert!(
        !fixture.document.can_undo(),
        "what is found is not taken back while it is sought"
    );
    fixture.wait_for_the_end();
    let document = &mut fixture.document;
    let comment = document.record().node(first).comment().unwrap();
    assert!(!comment.contains("よい手"), "{comment}");
    assert_eq!(found(document), 31, "nothing is lost");
    document.undo();
    assert_eq!(
        (found(document), document.record().node(first).comment()),
        (0, None)
    );
}

#[test]
fn an_analysis_can_be_paused_and_ended() {
    let mut fixture = Fixture::new(vec![builtin()]);
    fixture.begin(options());
    // Paused before the first search.
    fixture.toggle_pause();
    fixture.poll_until(|fixture| fixture.is_at(AnalysisStage::Paused));
    assert_eq!(found(&fixture.document), 0);
    fixture.toggle_pause();
    fixture.poll_until(|fixture| found(&fixture.document) >= 3);
    fixture.run(AnalysisEffect::End);
    let found = self::found(&fixture.document);
    assert!((3..31).contains(&found) && fixture.analysis.is_none());
    assert!(fixture.threads.poll().is_none());
    fixture.document.undo();
    assert_eq!(
        (self::found(&fixture.document), fixture.document.can_undo()),
        (0, false)
    );
}

#[test]
fn reports_why_an_analysis_failed() {
    let mut fixture = Fixture::with(AnalysisThreads::new(
        Box::new(|_, _| anyhow::bail!("no way")),
        Arc::new(|| {}),
    ));
    fixture.begin(options());
    let expect = EngineMessage::NotStarted(String::new(), "no way".to_owned().into()).into();
    assert_eq!(fixture.wait_for_the_end(), (expect, true));
    let scope = AnalysisScope {
        from: 9999,
        ..AnalysisScope::default()
    };
    let mut fixture = Fixture::new(vec![builtin()]);
    fixture.begin(AnalysisOptions { scope, ..options() });
    assert_eq!(
        fixture.wait_for_the_end(),
        (RecordRemark::NothingToAnalyse.into(), true)
    );
    let mut fixture = Fixture::new(vec![engine(Path::new("/nowhere/engine"), &[])]);
    fixture.begin(options());
    assert_eq!(fixture.wait_for_the_end().0, RecordRemark::AnalysisFailed.into());
    assert!(!fixture.document.is_changed());
}

#[test]
fn polling_does_not_wait_for_engines() {
    // The engines are never returned.
    let (_sender, receiver): (_, Receiver<()>) = channel();
    let never = Mutex::new(receiver);
    let mut fixture = Fixture::with(AnalysisThreads::new(
        Box::new(move |_, _| {
            let _closed = never.lock().unwrap().recv();
            Ok(Vec::new())
        }),
        Arc::new(|| {}),
    ));
    fixture.begin(options());
    assert!(fixture.threads.poll().is_none());
    fixture.run(AnalysisEffect::End);
    assert!(fixture.analysis.is_none());
}

#[cfg(unix)]
#[test]
fn ending_does_not_wait_for_the_engine() {
    // The engine ignores SIGTERM and the end of its input. It is killed after half a second.
    let text = format!(
        "echo $$ >\"$(dirname \"$0\")/pid\"\ntrap '' TERM\n{} engine\nexec sleep 60\n",
        env!("CARGO_BIN_EXE_shogibar")
    );
    let script = support::Script::new("analysis-stays", &text);
    let mut fixture = Fixture::new(vec![engine(&script.path, &[]); 3]);
    fixture.begin(options());
    fixture.poll_until(|fixture| found(&fixture.document) >= 1);
    let pid = support::pid_in(&script.beside("pid"));
    let is_running = || support::signal("0", pid);
    fixture.run(AnalysisEffect::End);
    assert!(is_running(), "it was waited for");
    assert!(support::eventually(|| !is_running()), "it is still there");
}
