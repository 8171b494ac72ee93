mod live;

use super::*;
use crate::app::effects::files as file_effects;
use crate::app::test_folder::{self, TestFolder};
use shogibar_config::ModelCommand;

use shogibar_engine::process::Program;
use shogibar_engine::session::{RestartPolicy, SessionConfig};
use shogibar_games::study::{DocumentEdit, UnsavedAnswer};
use shogibar_kifu::{NodeId, Record};
use shogibar_live::LiveAddress;
use shogibar_model::game::{Game, OpenPosition};
use shogibar_model::outputs::OutputId;
use shogibar_model::record_file::RecordFile;
use shogibar_model::{ModelOptions, StoredFiles};
use shogibar_shogi::score::WinRateModel;

/// Returns an engine whose program does not exist. The session accepts commands all the same.
fn engine(name: &str, candidates: u32) -> StartedEngine {
    let program = Program {
        path: "/nowhere/engine".into(),
        ..Program::default()
    };
    let config = SessionConfig {
        restart_policy: RestartPolicy::never(),
        ..SessionConfig::default()
    };
    let session = Session::start(program, config, || {}).unwrap();
    let info = EngineInfo {
        name: name.to_owned(),
        is_profile: true,
        candidates,
        threads: 1,
        relay: None,
    };
    StartedEngine {
        info,
        session,
        fitted_profile: None,
    }
}

/// The engines started, each as `name of count`.
type Starts = Arc<Mutex<Vec<String>>>;

fn viewer(engines: &[&str], follow: FollowMode) -> (Viewer, Starts) {
    let (start, started) = recording_start();
    let engines = engines
        .iter()
        .zip(3..)
        .map(|(name, candidates)| engine(name, candidates))
        .collect();
    (viewer_of(None, engines, follow, start), started)
}

fn recording_start() -> (StartEngine, Starts) {
    let started = Starts::default();
    let log = Arc::clone(&started);
    let start = move |name: &str, share: EngineShare| {
        log.lock().unwrap().push(format!("{name} of {}", share.engines));
        anyhow::ensure!(name != "broken", "there is none");
        Ok(engine(name, 3))
    };
    (Box::new(start), started)
}

fn viewer_of(
    store: Option<&Store>,
    engines: Vec<StartedEngine>,
    follow: FollowMode,
    start: StartEngine,
) -> Viewer {
    let stored = store.map(file_effects::stored_files).unwrap_or_default();
    viewer_with(
        AppModel::new(Lang::En, stored, ModelOptions::default()),
        store,
        engines,
        follow,
        start,
    )
}

fn viewer_with(
    model: AppModel,
    store: Option<&Store>,
    engines: Vec<StartedEngine>,
    follow: FollowMode,
    start: StartEngine,
) -> Viewer {
    let parts = ViewerParts {
        engines,
        follow,
        workspace_lock: store.and_then(Store::lock_workspace),
        start,
        ..ViewerParts::without_engines()
    };
    Viewer::new(model, store, parts)
}

fn game(viewer: &Viewer) -> &Game {
    viewer.model().game(viewer.model().study_game())
}

fn file(viewer: &Viewer) -> &RecordFile {
    game(viewer).file()
}

/// Applies an action, and waits until a save or the start of an engine is done.
fn act(viewer: &mut Viewer, action: &AppAction) {
    viewer.act_on_study(action.clone());
    wait(viewer, |viewer| {
        !viewer.model.is_saving() && !viewer.model.is_starting_engine()
    });
}

/// Answers the question on the page.
fn answer(viewer: &mut Viewer, answer: UnsavedAnswer) {
    let game = viewer.model().study_game();
    act(viewer, &AppAction::Answer(game, answer));
}

#[test]
fn reports_the_largest_candidate_count() {
    let (viewer, _) = viewer(&["a", "b"], FollowMode::Mean);
    assert_eq!(viewer.max_candidates(), 4);
}

#[test]
fn keeps_the_first_notice_until_a_record_is_opened() {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    model.open_bytes("x.kif", b"\x89PNG\r\n\x1a\n", true);
    let mut viewer = viewer_with(
        model,
        None,
        vec![engine("a", 3)],
        FollowMode::One(0),
        recording_start().0,
    );
    let check = |viewer: &mut Viewer, action: AppAction, expect: &str| {
        act(viewer, &action);
        let text = viewer
            .view()
            .notice()
            .map(|notice| notice.text.clone())
            .unwrap_or_default();
        assert!(text.contains(expect), "after {action:?}: {text}");
        assert_eq!(
            game(viewer).search_position(),
            None,
            "nothing is searched in its place"
        );
    };
    let event = viewer
        .model()
        .changed_settings(|settings| settings.lang = Lang::Ja);
    viewer.handle(event);
    assert!(notice_text(&mut viewer).contains("x.kif を棋譜として読めません"));
    check(&mut viewer, AppAction::ShowNotice(Message::NotOnTop), "Wayland");
    check(&mut viewer, AppAction::EndNotice(1), "x.kif");
    check(&mut viewer, AppAction::EndNotice(1), "x.kif");
    check(&mut viewer, AppAction::Step(1), "x.kif");
}

/// Checks the running engines after each action, the one that the bar follows first. Checks the engine started by
/// the action, as `name of count`.
fn check(engines: &[&str], follow: FollowMode, steps: &[(AppAction, &[&str], &str)]) {
    let (mut viewer, started) = viewer(engines, follow);
    for (action, expect, start) in steps {
        act(&mut viewer, action);
        let names: Vec<_> = viewer
            .view()
            .engines
            .iter()
            .map(|engine| engine.name.clone())
            .collect();
        let mut in_use = viewer.engine_names(viewer.model().study_bar());
        assert_eq!(in_use, *expect, "{action:?}");
        in_use.sort_unstable();
        let mut shown: Vec<_> = names.iter().map(String::as_str).collect();
        shown.sort_unstable();
        assert_eq!(shown, in_use, "the bar shows those in use");
        let starts = std::mem::take(&mut *started.lock().unwrap());
        assert_eq!(starts.concat(), *start, "{action:?}");
    }
}

fn use_(name: &str) -> AppAction {
    AppAction::ReplaceEngine(name.to_owned())
}

fn beside(name: &str) -> AppAction {
    AppAction::ToggleSecondEngine(name.to_owned())
}

#[test]
fn replaces_the_engine_that_is_followed() {
    check(
        &["a"],
        FollowMode::One(0),
        &[
            (use_("b"), &["b"], "b of 1"),
            (use_("b"), &["b"], "b of 1"),
            (use_("broken"), &["b"], "broken of 1"),
        ],
    );
    check(
        &["a", "b"],
        FollowMode::One(1),
        &[
            (use_("c"), &["c", "a"], "c of 2"),
            (use_("a"), &["c", "a"], "a of 2"),
        ],
    );
}

#[test]
fn toggles_the_second_engine() {
    check(
        &["a"],
        FollowMode::One(0),
        &[
            (beside("a"), &["a"], ""),
            (beside("broken"), &["a"], "broken of 2"),
            (beside("b"), &["a", "b"], "b of 2"),
            (beside("c"), &["a", "c"], "c of 2"),
            (AppAction::run(ModelCommand::NextEngine), &["c", "a"], ""),
            (beside("d"), &["c", "d"], "d of 2"),
            (beside("c"), &["d"], ""),
            (beside("d"), &["d"], ""),
        ],
    );
    check(
        &["a", "b"],
        FollowMode::Mean,
        &[(beside("c"), &["a", "c"], "c of 2"), (beside("a"), &["c"], "")],
    );
}

#[test]
fn says_that_the_scale_was_fitted_to_another_net() {
    let folder = TestFolder::new();
    folder.write("nn.bin", "weights");
    let profile = |name: &str, fitted: &str| {
        let mut profile = Profile::new(name, ["engine".to_owned()]);
        profile.folder = Some(folder.0.display().to_string());
        profile.model = Some(WinRateModel::new(400.0));
        profile.fitted_net = Some(fitted.to_owned());
        StartedEngine {
            fitted_profile: Some(Box::new(profile)),
            ..engine(name, 3)
        }
    };
    let engines = vec![
        profile("old", "nn.bin 7 0123456789abcdef"),
        profile("other", "nn.bin 8 fnv1a:0123456789abcdef"),
    ];
    let mut viewer = viewer_of(
        None,
        engines,
        FollowMode::One(0),
        Box::new(|_, _| anyhow::bail!("there is none")),
    );
    let remarks = |viewer: &mut Viewer| {
        let engines = &viewer.view().engines;
        engines
            .iter()
            .map(|engine| engine.remark.clone())
            .collect::<Vec<_>>()
    };
    let texts = test_folder::wait(|| Some(remarks(&mut viewer)).filter(|texts| !texts[1].is_empty()));
    let sentence = "The K in use was fitted to games with another net (or FV_SCALE).";
    assert_eq!(texts, ["", sentence], "of the first one it is not known");
}

#[test]
fn renames_a_running_engine() {
    let rename = AppAction::RenameEngine("a".to_owned(), "水匠".to_owned());
    check(
        &["a", "b"],
        FollowMode::One(0),
        &[
            (rename, &["水匠", "b"], ""),
            (use_("水匠"), &["水匠", "b"], "水匠 of 2"),
        ],
    );
}

/// Returns a viewer without engines, with the settings in a folder, after the viewer has opened this file.
fn reader(scratch: &TestFolder, path: &Path) -> Viewer {
    let start: StartEngine = Box::new(|_, _| anyhow::bail!("there is none"));
    let mut viewer = viewer_of(Some(&scratch.store()), Vec::new(), FollowMode::One(0), start);
    act(&mut viewer, &AppAction::OpenFile(path.to_owned()));
    wait(&mut viewer, |viewer| file(viewer).path() == Some(path));
    viewer
}

/// Polls the viewer until a condition holds.
fn wait(viewer: &mut Viewer, until: impl Fn(&mut Viewer) -> bool) {
    test_folder::wait(|| {
        viewer.view();
        until(viewer).then_some(())
    });
}

fn set_comment(viewer: &mut Viewer, text: &str) {
    viewer.act_on_study(AppAction::Edit(DocumentEdit::SetComment(
        NodeId::START,
        text.to_owned(),
    )));
}

/// Returns the notice on the bar, or the newest private message while the bar is on air.
fn notice_text(viewer: &mut Viewer) -> String {
    viewer.update();
    let model = viewer.model();
    if model.is_on_air(OutputId::Bar(model.study_bar())) {
        return model
            .notices()
            .recent()
            .next()
            .map(|(_, message)| message.text(model.lang()))
            .unwrap_or_default();
    }
    viewer
        .view()
        .notice()
        .map(|notice| notice.text.clone())
        .unwrap_or_default()
}

fn read(path: &Path) -> Record {
    file_effects::read(path).unwrap().into_first().unwrap().0
}

const CSA: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";

#[test]
fn asks_before_a_save_with_losses() {
    let scratch = TestFolder::new();
    let path = scratch.write("game.csa", CSA);
    let mut viewer = reader(&scratch, &path);
    let mv = shogibar_shogi::Move::from_usi("8c8d").unwrap();
    for edit in [DocumentEdit::GoTo(1), DocumentEdit::Play(mv)] {
        viewer.act_on_study(AppAction::Edit(edit));
    }
    act(&mut viewer, &AppAction::RequestQuit);
    answer(&mut viewer, UnsavedAnswer::Save);
    assert!(
        file(&viewer).save_conflict().is_some() && !viewer.is_over(),
        "CSA cannot hold a variation"
    );
    answer(&mut viewer, UnsavedAnswer::Cancel);
    assert!(
        file(&viewer).save_conflict().is_none() && file(&viewer).is_asking(),
        "what was asked first stands"
    );
    let whole = scratch.0.join("game.kifu");
    act(&mut viewer, &AppAction::SaveTo(whole.clone()));
    assert!(viewer.is_over());
    assert_eq!((read(&whole).all().count(), read(&path).all().count()), (5, 4));
}

#[test]
fn recovers_records_beside_a_changed_one() {
    let scratch = TestFolder::new();
    let copies_before = ["1", "2"].map(|name| {
        let record = format!("手数----指手---------消費時間--\n*前回{name}\n1 ２六歩(27)\n");
        scratch.write(&format!("config/unsaved/{name}.kifu"), &record)
    });
    let path = scratch.write("game.csa", CSA);
    let mut viewer = reader(&scratch, &path);
    assert_eq!(
        viewer.model().recovery_summary().map(|(count, _)| count),
        Some(copies_before.len())
    );
    set_comment(&mut viewer, "今");
    act(&mut viewer, &AppAction::Recover(true));
    assert!(
        viewer.model().asking_games().is_empty(),
        "nothing is lost, so there is nothing to ask"
    );
    wait(&mut viewer, |viewer| {
        viewer
            .model()
            .games()
            .filter(|(_, game)| game.is_unsaved())
            .count()
            == 3
    });
    let comments: Vec<_> = viewer
        .model()
        .games()
        .map(|(_, game)| {
            game.document()
                .record()
                .node(NodeId::START)
                .comment()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    assert_eq!(comments, ["今", "前回1", "前回2"]);
    wait(&mut viewer, |_| {
        copies_before
            .iter()
            .all(|copy| !copy.exists())
            .then_some(())
            .is_some()
    });
    assert_eq!(viewer.model().recovery_summary(), None);
    // Three copies of this program, their newest versions, their locks, and the name of one file.
    wait(&mut viewer, |_| {
        shogibar_files::list(&scratch.0.join("config/unsaved"), 99).len() == 10
    });
}

#[test]
fn lists_recent_files_at_the_next_start() {
    let scratch = TestFolder::new();
    let files = ["a.csa", "b.csa"].map(|name| scratch.write(name, CSA));
    let mut viewer = reader(&scratch, &files[0]);
    act(&mut viewer, &AppAction::OpenFile(files[1].clone()));
    wait(&mut viewer, |viewer| viewer.model().recent_files().len() == 2);
    drop(viewer);
    let stored = file_effects::stored_files(&scratch.store());
    assert_eq!(stored.recent_files, [files[1].clone(), files[0].clone()]);
}

#[test]
fn asks_about_each_changed_game_before_the_end() {
    let scratch = TestFolder::new();
    let files = ["a.csa", "b.csa", "c.csa"].map(|name| scratch.write(name, CSA));
    let mut viewer = reader(&scratch, &files[0]);
    set_comment(&mut viewer, "a");
    act(
        &mut viewer,
        &AppAction::OpenAddresses(files.iter().cloned().map(LiveAddress::Path).collect()),
    );
    let games: Vec<_> = viewer.model().games().map(|(id, _)| id).collect();
    assert_eq!(games.len(), 3, "the open one is not opened again");
    act(&mut viewer, &AppAction::ShowInStudy(games[2]));
    wait(&mut viewer, |viewer| {
        file(viewer).path() == Some(files[2].as_path())
    });
    set_comment(&mut viewer, "c");
    act(&mut viewer, &AppAction::RequestQuit);
    assert!(file(&viewer).is_asking() && viewer.model().study_game() == games[0]);
    answer(&mut viewer, UnsavedAnswer::Discard);
    assert!(file(&viewer).is_asking() && viewer.model().study_game() == games[2]);
    answer(&mut viewer, UnsavedAnswer::Cancel);
    assert!(
        !viewer.is_over() && viewer.model().game(games[0]).document().is_changed(),
        "nothing is lost yet"
    );
    act(&mut viewer, &AppAction::RequestQuit);
    answer(&mut viewer, UnsavedAnswer::Discard);
    answer(&mut viewer, UnsavedAnswer::Save);
    assert!(viewer.is_over());
    assert_eq!(read(&files[2]).node(NodeId::START).comment(), Some("c"));
    assert_eq!(read(&files[0]).node(NodeId::START).comment(), None);
}

#[test]
fn asks_again_once_a_quit_was_abandoned() {
    let scratch = TestFolder::new();
    let files = ["a.csa", "b.csa"].map(|name| scratch.write(name, CSA));
    let mut viewer = reader(&scratch, &files[0]);
    set_comment(&mut viewer, "a");
    let first = viewer.model().study_game();
    act(
        &mut viewer,
        &AppAction::OpenAddresses(files.iter().cloned().map(LiveAddress::Path).collect()),
    );
    act(&mut viewer, &AppAction::run(ModelCommand::NextGame));
    wait(&mut viewer, |viewer| {
        file(viewer).path() == Some(files[1].as_path())
    });
    set_comment(&mut viewer, "b");
    act(&mut viewer, &AppAction::RequestQuit);
    answer(&mut viewer, UnsavedAnswer::Discard);
    assert!(file(&viewer).is_asking());
    act(&mut viewer, &AppAction::SaveFile);
    assert!(!viewer.is_over() && viewer.model().asking_games().is_empty());
    act(&mut viewer, &AppAction::RequestQuit);
    assert!(!viewer.is_over() && viewer.model().study_game() == first && file(&viewer).is_asking());
}

#[test]
fn does_not_save_over_the_file_of_another_game() {
    let scratch = TestFolder::new();
    let files = ["a.csa", "b.csa"].map(|name| scratch.write(name, CSA));
    let mut viewer = reader(&scratch, &files[0]);
    act(
        &mut viewer,
        &AppAction::OpenAddresses(files.iter().cloned().map(LiveAddress::Path).collect()),
    );
    act(
        &mut viewer,
        &AppAction::SaveTo(
            scratch
                .0
                .join("../")
                .join(scratch.0.file_name().unwrap())
                .join("b.csa"),
        ),
    );
    assert!(
        notice_text(&mut viewer).contains("is open as another game"),
        "{}",
        notice_text(&mut viewer)
    );
    assert_eq!(file(&viewer).path(), Some(files[0].as_path()));
}

#[test]
fn a_file_that_cannot_be_read_is_reported_and_has_no_tab() {
    let scratch = TestFolder::new();
    let [first, second] = ["a.csa", "b.csa"].map(|name| scratch.0.join(name));
    let start: StartEngine = Box::new(|_, _| anyhow::bail!("there is none"));
    let mut viewer = viewer_of(Some(&scratch.store()), Vec::new(), FollowMode::One(0), start);
    scratch.write("a.csa", CSA);
    let both = [&first, &second]
        .map(|path| LiveAddress::Path(path.clone()))
        .to_vec();
    act(&mut viewer, &AppAction::OpenAddresses(both));
    wait(&mut viewer, |viewer| !viewer.model().is_opening());
    let titles = |viewer: &Viewer| viewer.model().game_titles().collect::<Vec<_>>();
    assert!(
        notice_text(&mut viewer).contains("b.csa") && titles(&viewer) == ["a.csa"],
        "{:?}",
        titles(&viewer)
    );
    assert_eq!(file(&viewer).path(), Some(first.as_path()));
    scratch.write("b.csa", CSA);
    act(
        &mut viewer,
        &AppAction::OpenAddresses(vec![LiveAddress::Path(second.clone())]),
    );
    wait(&mut viewer, |viewer| {
        file(viewer).path() == Some(second.as_path())
    });
    assert_eq!(
        (titles(&viewer).len(), game(&viewer).document().line().len()),
        (2, 3)
    );
}

#[test]
fn restores_the_games_and_bars_of_the_last_run() {
    let scratch = TestFolder::new();
    let files = ["a.csa", "b.csa"].map(|name| scratch.write(name, CSA));
    let (start, _) = recording_start();
    let mut viewer = viewer_of(
        Some(&scratch.store()),
        vec![engine("a", 1)],
        FollowMode::One(0),
        start,
    );
    act(
        &mut viewer,
        &AppAction::OpenAddresses(files.iter().cloned().map(LiveAddress::Path).collect()),
    );
    wait(&mut viewer, |viewer| {
        file(viewer).path() == Some(files[0].as_path())
    });
    act(&mut viewer, &AppAction::Step(1));
    act(&mut viewer, &AppAction::run(ModelCommand::AddBar));
    wait(&mut viewer, |viewer| !viewer.model().is_opening());
    act(&mut viewer, &AppAction::ToggleSecondEngine("b".to_owned()));
    let shown = |viewer: &Viewer| {
        let bars = viewer.model().bars().map(|(id, bar)| {
            let game = viewer.model().game(bar.game());
            let name = game
                .path()
                .unwrap()
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            (name, game.document().ply(), viewer.engine_names(id).join(" "))
        });
        bars.collect::<Vec<_>>()
    };
    let before = shown(&viewer);
    assert_eq!(
        before,
        [
            ("a.csa".to_owned(), 1, "a b".to_owned()),
            ("b.csa".to_owned(), 0, "a".to_owned())
        ]
    );
    drop(viewer);
    let workspace = file_effects::stored_workspace(&scratch.store());
    assert_eq!(workspace.bars[0].engines, ["a", "b"]);
    let (start, started) = recording_start();
    let engines = vec![engine("a", 1), engine("b", 1)];
    let mut viewer = viewer_of(Some(&scratch.store()), engines, FollowMode::One(0), start);
    viewer.handle(AppEvent::Restore(Box::new(workspace)));
    wait(&mut viewer, |viewer| {
        !viewer.model().is_opening() && !viewer.model().is_starting_engine()
    });
    assert_eq!(
        (shown(&viewer), started.lock().unwrap().as_slice()),
        (before, ["a of 3".to_owned()].as_slice())
    );
}

#[test]
fn does_not_quit_after_an_unrelated_save() {
    let scratch = TestFolder::new();
    let path = scratch.write("game.csa", CSA);
    let mut viewer = reader(&scratch, &path);
    set_comment(&mut viewer, "今");
    act(&mut viewer, &AppAction::RequestQuit);
    assert!(file(&viewer).is_asking());
    act(&mut viewer, &AppAction::Step(1));
    act(&mut viewer, &AppAction::SaveFile);
    assert!(
        !viewer.is_over() && !file(&viewer).is_asking(),
        "there is nothing to ask any more, and nobody has said yes"
    );
    set_comment(&mut viewer, "まだ");
    act(&mut viewer, &AppAction::RequestQuit);
    answer(&mut viewer, UnsavedAnswer::Save);
    assert!(viewer.is_over());
}

#[test]
fn asks_before_replacing_a_typed_file() {
    let scratch = TestFolder::new();
    let path = scratch.write("game.csa", CSA);
    let other = scratch.write("other.kifu", "手数----指手---------消費時間--\n1 ２六歩(27)\n");
    let mut viewer = reader(&scratch, &path);
    let before = shogibar_files::read(&other, 1 << 20).unwrap();
    act(&mut viewer, &AppAction::SaveChecked(other.clone()));
    assert!(file(&viewer).save_conflict().is_some());
    assert_eq!(shogibar_files::read(&other, 1 << 20).unwrap(), before);
    answer(&mut viewer, UnsavedAnswer::Save);
    assert_eq!(
        (file(&viewer).path(), read(&other).len()),
        (Some(other.as_path()), 2)
    );
    set_comment(&mut viewer, "今");
    act(&mut viewer, &AppAction::SaveChecked(other.clone()));
    assert_eq!(file(&viewer).save_conflict(), None, "its own file is its own");
    assert_eq!(read(&other).node(NodeId::START).comment(), Some("今"));
    act(&mut viewer, &AppAction::SaveChecked(scratch.0.join("new.kifu")));
    assert_eq!(file(&viewer).save_conflict(), None);
}

#[test]
fn selects_the_games_of_a_file() {
    let scratch = TestFolder::new();
    let path = scratch.write("two.csa", &format!("{CSA}/\nPI\n+\n+2726FU\n%CHUDAN\n"));
    let mut viewer = reader(&scratch, &path);
    act(&mut viewer, &AppAction::SelectGame(1));
    assert_eq!(
        game(&viewer)
            .document()
            .history_at(game(&viewer).document().line()[0])
            .usi(),
        "startpos moves 2g2f"
    );
    set_comment(&mut viewer, "二局目");
    act(&mut viewer, &AppAction::SelectGame(0));
    assert!(file(&viewer).is_asking());
    answer(&mut viewer, UnsavedAnswer::Save);
    assert!(
        file(&viewer).is_asking() && notice_text(&mut viewer).contains("another name"),
        "{}",
        notice_text(&mut viewer)
    );
    answer(&mut viewer, UnsavedAnswer::Discard);
    assert_eq!(file(&viewer).game_titles().1, 0);
    assert_eq!(game(&viewer).document().line().len(), 3);
}

#[test]
fn reloads_a_growing_file_but_not_over_changes() {
    let scratch = TestFolder::new();
    let live = "V2.2\nPI\n+\n+7776FU\n";
    let path = scratch.write("live.csa", live);
    let mut viewer = reader(&scratch, &path);
    scratch.write("live.csa", &format!("{live}-3334FU\n"));
    wait(&mut viewer, |viewer| game(viewer).document().ply() == 2);
    set_comment(&mut viewer, "好局");
    scratch.write("live.csa", &format!("{live}-3334FU\n+2726FU\n"));
    wait(&mut viewer, |viewer| game(viewer).document().ply() == 3);
    assert!(game(&viewer).document().is_changed(), "the comment is not saved");
    scratch.write("live.csa", &format!("{live}-8384FU\n"));
    wait(&mut viewer, |viewer| {
        notice_text(viewer).contains("changed by another program")
    });
    assert_eq!(game(&viewer).document().line().len(), 3);
    act(&mut viewer, &AppAction::SaveFile);
    assert!(
        file(&viewer).save_conflict().is_some(),
        "nor over what the other wrote"
    );
    answer(&mut viewer, UnsavedAnswer::Cancel);
    assert!(file(&viewer).is_changed_on_disk());
    viewer.act_on_study(AppAction::run(ModelCommand::Undo));
    assert!(
        game(&viewer).document().can_redo(),
        "what was taken back can be had again"
    );
    act(&mut viewer, &AppAction::OpenFile(path));
    // The moves that were added beside the user's comment are in no file.
    answer(&mut viewer, UnsavedAnswer::Discard);
    wait(&mut viewer, |viewer| game(viewer).document().line().len() == 2);
    assert!(
        !file(&viewer).is_changed_on_disk(),
        "what was missed is read when the user wants it"
    );
}

#[cfg(unix)]
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test starts the tool that makes a pipe"
)]
fn a_pipe_is_refused_and_delays_nothing() {
    let scratch = TestFolder::new();
    let path = scratch.write("game.csa", CSA);
    let mut viewer = reader(&scratch, &path);
    let pipe = scratch.0.join("pipe.kif");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    // No program writes to the pipe, so reading it would never end.
    viewer.act_on_study(AppAction::OpenFile(pipe.clone()));
    assert_eq!(file(&viewer).opening_path(), Some(pipe.as_path()));
    set_comment(&mut viewer, "今");
    viewer.act_on_study(AppAction::Step(1));
    assert_eq!(game(&viewer).document().ply(), 1);
    let other = scratch.0.join("other.kifu");
    act(&mut viewer, &AppAction::SaveTo(other.clone()));
    assert_eq!(read(&other).node(NodeId::START).comment(), Some("今"));
    wait(&mut viewer, |viewer| file(viewer).opening_path().is_none());
    act(&mut viewer, &AppAction::OpenFile(path.clone()));
    wait(&mut viewer, |viewer| file(viewer).path() == Some(&path));
}
