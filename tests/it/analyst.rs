//! A game analysed while it is on view, by the built-in engine: what the user does meanwhile, and what is waited for.

use crate::support;
use shogibar::analysis::{AnalysisEngine, AnalysisOptions, AnalysisScope, AnalysisStage};
use shogibar::app::analysis_controller::{AnalysisController, AnalysisUpdate};
use shogibar::config::Limit;
use shogibar::kifu::{self, NodeId};
use shogibar::session::{SessionConfig, TrafficLog};
use shogibar::study::Document;
use shogibar::text::{Message, PaperRemark};
use shogibar::usi::process::Program;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

fn document() -> Document {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif")).unwrap();
    Document::new(kifu::read(&bytes).unwrap().games.remove(0))
}

fn commission() -> AnalysisOptions {
    let scope = AnalysisScope { to: 30, ..AnalysisScope::default() };
    AnalysisOptions { limit: Limit::Nodes(200), scope, deepen: 0, ..AnalysisOptions::default() }
}

fn searcher(path: &Path, arguments: &[&str]) -> AnalysisEngine {
    let arguments = arguments.iter().map(Into::into).collect();
    let program = Program { path: path.to_owned(), arguments, ..Program::default() };
    let settings = SessionConfig {
        limit: Limit::Nodes(200),
        multipv: 1,
        hash_mb: 1,
        threads: 1,
        new_game_each: true,
        ..SessionConfig::default()
    };
    AnalysisEngine { name: "Hao".to_owned(), is_profile: true, program, settings, log: TrafficLog::default() }
}

fn builtin() -> AnalysisEngine {
    searcher(Path::new(env!("CARGO_BIN_EXE_shogibar")), &["engine"])
}

fn analyst(searchers: Vec<AnalysisEngine>) -> AnalysisController {
    AnalysisController::new(Box::new(move |_, _| Ok(searchers.clone())), Arc::new(|| {}))
}

/// Hears of it until this is so.
fn hear(
    analyst: &mut AnalysisController,
    document: &mut Document,
    until: impl Fn(&AnalysisUpdate, &AnalysisController, &Document) -> bool,
) -> AnalysisUpdate {
    let mut last = AnalysisUpdate::default();
    let comes = support::eventually(|| {
        last = analyst.poll(document);
        until(&last, analyst, document)
    });
    assert!(comes, "it is at {:?}", analyst.progress());
    last
}

fn is_over(heard: &AnalysisUpdate, _: &AnalysisController, _: &Document) -> bool {
    heard.said.is_some()
}

/// How many positions have an evaluation of ours.
fn found(document: &Document) -> usize {
    let record = document.record();
    let nodes = std::iter::once(NodeId::START).chain(record.main_line());
    nodes.filter(|node| record.node(*node).comment().is_some_and(|said| said.contains(" (Hao) [nodes 200]"))).count()
}

#[test]
fn a_game_is_analysed_as_one_change() {
    let (mut document, mut analyst) = (document(), analyst(vec![builtin(); 2]));
    let before = document.record().clone();
    let commission = AnalysisOptions { adds_variations: true, ..commission() };
    analyst.begin(&document, commission).unwrap();
    assert!(analyst.is_at_work());
    let heard = hear(&mut analyst, &mut document, is_over);
    assert_eq!(heard, AnalysisUpdate { is_new: true, said: Some(PaperRemark::Analysed.into()), failed: false });
    assert_eq!((found(&document), analyst.is_at_work()), (31, false));
    assert!(document.record().all().count() > before.all().count(), "the lines that were better are there");
    document.undo();
    assert_eq!((found(&document), document.can_undo(), document.is_changed()), (0, false, false));
    assert_eq!(document.record().all().count(), before.all().count());
}

#[test]
fn the_positions_of_swings_are_searched_again_before_it_is_over() {
    // So short that there are swings.
    let short =
        AnalysisEngine { settings: SessionConfig { limit: Limit::Nodes(20), ..builtin().settings }, ..builtin() };
    let (mut document, mut analyst) = (document(), analyst(vec![short]));
    let commission =
        AnalysisOptions { limit: Limit::Nodes(20), deepen: 5, scope: AnalysisScope::default(), ..commission() };
    analyst.begin(&document, commission).unwrap();
    hear(&mut analyst, &mut document, |_, analyst, _| analyst.running_engines().len() == 2);
    assert!(analyst.running_engines().iter().any(|signature| signature.ends_with("(Hao) [nodes 100]")));
    hear(&mut analyst, &mut document, is_over);
    let comments = |with: &str| {
        let record = document.record();
        let nodes = std::iter::once(NodeId::START).chain(record.main_line());
        nodes.filter(|node| record.node(*node).comment().is_some_and(|said| said.contains(with))).count()
    };
    let [short, long] = ["(Hao) [nodes 20]", "(Hao) [nodes 100]"].map(comments);
    assert!(long > 0 && short + long == 117, "{short} {long}");
    assert!(analyst.running_engines().is_empty());
}

#[test]
fn what_is_taken_back_meanwhile_is_the_user_s_own() {
    let (mut document, mut analyst) = (document(), analyst(vec![builtin()]));
    let first = document.line()[0];
    document.comment(first, "よい手");
    analyst.begin(&document, commission()).unwrap();
    hear(&mut analyst, &mut document, |_, _, document| found(document) >= 5);
    let said = document.record().node(first).comment().unwrap().to_owned();
    assert!(said.starts_with("よい手\n") && said.contains("(Hao)"), "{said}");
    document.undo();
    assert!(!document.can_undo(), "what is found is not taken back while it is sought");
    hear(&mut analyst, &mut document, is_over);
    let said = document.record().node(first).comment().unwrap();
    assert!(!said.contains("よい手"), "{said}");
    assert_eq!(found(&document), 31, "nothing is lost");
    document.undo();
    assert_eq!((found(&document), document.record().node(first).comment()), (0, None));
}

#[test]
fn it_is_paused_and_ended() {
    let (mut document, mut analyst) = (document(), analyst(vec![builtin()]));
    let at = |stage| {
        move |_: &AnalysisUpdate, analyst: &AnalysisController, _: &Document| {
            analyst.progress().is_some_and(|it| it.stage == stage)
        }
    };
    analyst.begin(&document, commission()).unwrap();
    // Before there is anything to pause.
    analyst.pause();
    hear(&mut analyst, &mut document, at(AnalysisStage::Paused));
    assert_eq!(found(&document), 0);
    analyst.pause();
    hear(&mut analyst, &mut document, |_, _, document| found(document) >= 3);
    // Another one does not end it.
    analyst.begin(&document, AnalysisOptions::default()).unwrap();
    analyst.end(&mut document);
    let found = self::found(&document);
    assert!((3..31).contains(&found) && !analyst.is_at_work());
    assert_eq!(analyst.poll(&mut document), AnalysisUpdate::default());
    document.undo();
    assert_eq!((self::found(&document), document.can_undo()), (0, false));
}

#[test]
fn what_is_in_the_way_is_said() {
    let mut document = document();
    let mut nobody = AnalysisController::new(Box::new(|_, _| anyhow::bail!("no way")), Arc::new(|| {}));
    nobody.begin(&document, commission()).unwrap();
    let heard = hear(&mut nobody, &mut document, is_over);
    assert_eq!(
        (heard.said, heard.failed),
        (Some(Message::EngineNotStarted(String::new(), "no way".to_owned().into())), true)
    );
    let scope = AnalysisScope { from: 9999, ..AnalysisScope::default() };
    let mut analyst = analyst(vec![builtin()]);
    analyst.begin(&document, AnalysisOptions { scope, ..commission() }).unwrap();
    let heard = hear(&mut analyst, &mut document, is_over);
    assert_eq!((heard.said, heard.failed), (Some(PaperRemark::NothingToAnalyse.into()), true));
    let mut analyst = self::analyst(vec![searcher(Path::new("/nowhere/engine"), &[])]);
    analyst.begin(&document, commission()).unwrap();
    let heard = hear(&mut analyst, &mut document, is_over);
    assert_eq!(heard.said, Some(PaperRemark::AnalysisFailed.into()));
    assert!(!document.is_changed());
}

#[test]
fn nobody_waits_for_engines() {
    let mut document = document();
    // One that is never found.
    let (_sender, receiver): (_, Receiver<()>) = channel();
    let never = Mutex::new(receiver);
    let mut analyst = AnalysisController::new(
        Box::new(move |_, _| {
            let _closed = never.lock().unwrap().recv();
            Ok(Vec::new())
        }),
        Arc::new(|| {}),
    );
    analyst.begin(&document, commission()).unwrap();
    assert_eq!(analyst.poll(&mut document), AnalysisUpdate::default());
    analyst.end(&mut document);
    assert!(!analyst.is_at_work());
}

#[cfg(unix)]
#[test]
fn nobody_waits_for_an_engine_to_end() {
    let mut document = document();
    // It hears of no end, and is killed after half a second.
    let text = format!(
        "echo $$ >\"$(dirname \"$0\")/pid\"\ntrap '' TERM\n{} engine\nexec sleep 60\n",
        env!("CARGO_BIN_EXE_shogibar")
    );
    let script = support::Script::new("analyst-stays", &text);
    let mut analyst = analyst(vec![searcher(&script.path, &[]); 3]);
    analyst.begin(&document, commission()).unwrap();
    hear(&mut analyst, &mut document, |_, _, document| found(document) >= 1);
    let pid = support::pid_in(&script.beside("pid"));
    let lives = || support::signal("0", pid);
    analyst.end(&mut document);
    assert!(lives(), "it was waited for");
    assert!(support::eventually(|| !lives()), "it is still there");
}
