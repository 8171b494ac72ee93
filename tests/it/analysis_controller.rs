//! Analysis of the current record by the built-in engine: user actions during it, and what blocks.

use crate::support;
use shogibar::analysis::{AnalysisEngine, AnalysisOptions, AnalysisScope, AnalysisStage};
use shogibar::app::analysis_controller::{AnalysisController, AnalysisUpdate};
use shogibar::kifu::{self, NodeId};
use shogibar::options::Limit;
use shogibar::process::Program;
use shogibar::session::SessionConfig;
use shogibar::study::Document;
use shogibar::text::{Message, RecordRemark};
use shogibar::traffic::TrafficLog;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

fn document() -> Document {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif")).unwrap();
    Document::new(kifu::read(&bytes).unwrap().games.remove(0))
}

fn options() -> AnalysisOptions {
    let scope = AnalysisScope { to: 30, ..AnalysisScope::default() };
    AnalysisOptions { limit: Limit::Nodes(200), scope, deepen: 0, ..AnalysisOptions::default() }
}

fn engine(path: &Path, arguments: &[&str]) -> AnalysisEngine {
    let arguments = arguments.iter().map(Into::into).collect();
    let program = Program { path: path.to_owned(), arguments, ..Program::default() };
    let settings = SessionConfig {
        limit: Limit::Nodes(200),
        multipv: 1,
        hash_mb: 1,
        threads: 1,
        new_game_per_search: true,
        ..SessionConfig::default()
    };
    AnalysisEngine { name: "Hao".to_owned(), is_profile: true, program, settings, log: TrafficLog::default() }
}

fn builtin() -> AnalysisEngine {
    engine(Path::new(env!("CARGO_BIN_EXE_shogibar")), &["engine"])
}

fn controller(engines: Vec<AnalysisEngine>) -> AnalysisController {
    AnalysisController::new(Box::new(move |_, _| Ok(engines.clone())), Arc::new(|| {}))
}

/// Polls the controller until the condition holds. Returns the last update.
fn poll_until(
    controller: &mut AnalysisController,
    document: &mut Document,
    until: impl Fn(&AnalysisUpdate, &AnalysisController, &Document) -> bool,
) -> AnalysisUpdate {
    let mut last = AnalysisUpdate::default();
    let comes = support::eventually(|| {
        last = controller.poll(document);
        until(&last, controller, document)
    });
    assert!(comes, "it is at {:?}", controller.progress());
    last
}

fn is_over(update: &AnalysisUpdate, _: &AnalysisController, _: &Document) -> bool {
    update.message.is_some()
}

/// Returns the number of positions with an evaluation of this analysis.
fn found(document: &Document) -> usize {
    let record = document.record();
    let nodes = std::iter::once(NodeId::START).chain(record.main_line());
    nodes
        .filter(|node| record.node(*node).comment().is_some_and(|comment| comment.contains(" (Hao) [nodes 200]")))
        .count()
}

#[test]
fn an_analysis_is_one_undo_step() {
    let (mut document, mut controller) = (document(), controller(vec![builtin(); 2]));
    let before = document.record().clone();
    let options = AnalysisOptions { adds_variations: true, ..options() };
    controller.begin(&document, options).unwrap();
    assert!(controller.is_running());
    let update = poll_until(&mut controller, &mut document, is_over);
    assert_eq!(update, AnalysisUpdate { is_new: true, message: Some(RecordRemark::Analysed.into()), failed: false });
    assert_eq!((found(&document), controller.is_running()), (31, false));
    assert!(document.record().all().count() > before.all().count(), "the lines that were better are there");
    document.undo();
    assert_eq!((found(&document), document.can_undo(), document.is_changed()), (0, false, false));
    assert_eq!(document.record().all().count(), before.all().count());
}

#[test]
fn searches_positions_of_swings_again() {
    // A low limit, so that there are swings.
    let short =
        AnalysisEngine { settings: SessionConfig { limit: Limit::Nodes(20), ..builtin().settings }, ..builtin() };
    let (mut document, mut controller) = (document(), controller(vec![short]));
    let options = AnalysisOptions { limit: Limit::Nodes(20), deepen: 5, scope: AnalysisScope::default(), ..options() };
    controller.begin(&document, options).unwrap();
    poll_until(&mut controller, &mut document, |_, controller, _| controller.running_engines().len() == 2);
    assert!(controller.running_engines().iter().any(|signature| signature.ends_with("(Hao) [nodes 100]")));
    poll_until(&mut controller, &mut document, is_over);
    let comments = |with: &str| {
        let record = document.record();
        let nodes = std::iter::once(NodeId::START).chain(record.main_line());
        nodes.filter(|node| record.node(*node).comment().is_some_and(|comment| comment.contains(with))).count()
    };
    let [short, long] = ["(Hao) [nodes 20]", "(Hao) [nodes 100]"].map(comments);
    assert!(long > 0 && short + long == 117, "{short} {long}");
    assert!(controller.running_engines().is_empty());
}

#[test]
fn undo_during_an_analysis_undoes_the_user_s_edit() {
    let (mut document, mut controller) = (document(), controller(vec![builtin()]));
    let first = document.line()[0];
    document.comment(first, "よい手");
    controller.begin(&document, options()).unwrap();
    poll_until(&mut controller, &mut document, |_, _, document| found(document) >= 5);
    let comment = document.record().node(first).comment().unwrap().to_owned();
    assert!(comment.starts_with("よい手\n") && comment.contains("(Hao)"), "{comment}");
    document.undo();
    assert!(!document.can_undo(), "what is found is not taken back while it is sought");
    poll_until(&mut controller, &mut document, is_over);
    let comment = document.record().node(first).comment().unwrap();
    assert!(!comment.contains("よい手"), "{comment}");
    assert_eq!(found(&document), 31, "nothing is lost");
    document.undo();
    assert_eq!((found(&document), document.record().node(first).comment()), (0, None));
}

#[test]
fn an_analysis_can_be_paused_and_ended() {
    let (mut document, mut controller) = (document(), controller(vec![builtin()]));
    let at = |stage| {
        move |_: &AnalysisUpdate, controller: &AnalysisController, _: &Document| {
            controller.progress().is_some_and(|it| it.stage == stage)
        }
    };
    controller.begin(&document, options()).unwrap();
    // Paused before the first search.
    controller.pause();
    poll_until(&mut controller, &mut document, at(AnalysisStage::Paused));
    assert_eq!(found(&document), 0);
    controller.pause();
    poll_until(&mut controller, &mut document, |_, _, document| found(document) >= 3);
    // Starting another analysis does not end it.
    controller.begin(&document, AnalysisOptions::default()).unwrap();
    controller.end(&mut document);
    let found = self::found(&document);
    assert!((3..31).contains(&found) && !controller.is_running());
    assert_eq!(controller.poll(&mut document), AnalysisUpdate::default());
    document.undo();
    assert_eq!((self::found(&document), document.can_undo()), (0, false));
}

#[test]
fn reports_why_an_analysis_failed() {
    let mut document = document();
    let mut without_engines = AnalysisController::new(Box::new(|_, _| anyhow::bail!("no way")), Arc::new(|| {}));
    without_engines.begin(&document, options()).unwrap();
    let update = poll_until(&mut without_engines, &mut document, is_over);
    assert_eq!(
        (update.message, update.failed),
        (Some(Message::EngineNotStarted(String::new(), "no way".to_owned().into())), true)
    );
    let scope = AnalysisScope { from: 9999, ..AnalysisScope::default() };
    let mut controller = controller(vec![builtin()]);
    controller.begin(&document, AnalysisOptions { scope, ..options() }).unwrap();
    let update = poll_until(&mut controller, &mut document, is_over);
    assert_eq!((update.message, update.failed), (Some(RecordRemark::NothingToAnalyse.into()), true));
    let mut controller = self::controller(vec![engine(Path::new("/nowhere/engine"), &[])]);
    controller.begin(&document, options()).unwrap();
    let update = poll_until(&mut controller, &mut document, is_over);
    assert_eq!(update.message, Some(RecordRemark::AnalysisFailed.into()));
    assert!(!document.is_changed());
}

#[test]
fn polling_does_not_wait_for_engines() {
    let mut document = document();
    // The engines are never returned.
    let (_sender, receiver): (_, Receiver<()>) = channel();
    let never = Mutex::new(receiver);
    let mut controller = AnalysisController::new(
        Box::new(move |_, _| {
            let _closed = never.lock().unwrap().recv();
            Ok(Vec::new())
        }),
        Arc::new(|| {}),
    );
    controller.begin(&document, options()).unwrap();
    assert_eq!(controller.poll(&mut document), AnalysisUpdate::default());
    controller.end(&mut document);
    assert!(!controller.is_running());
}

#[cfg(unix)]
#[test]
fn ending_does_not_wait_for_the_engine() {
    let mut document = document();
    // The engine ignores SIGTERM and the end of its input; it is killed after half a second.
    let text = format!(
        "echo $$ >\"$(dirname \"$0\")/pid\"\ntrap '' TERM\n{} engine\nexec sleep 60\n",
        env!("CARGO_BIN_EXE_shogibar")
    );
    let script = support::Script::new("analysis-stays", &text);
    let mut controller = controller(vec![engine(&script.path, &[]); 3]);
    controller.begin(&document, options()).unwrap();
    poll_until(&mut controller, &mut document, |_, _, document| found(document) >= 1);
    let pid = support::pid_in(&script.beside("pid"));
    let is_running = || support::signal("0", pid);
    controller.end(&mut document);
    assert!(is_running(), "it was waited for");
    assert!(support::eventually(|| !is_running()), "it is still there");
}
