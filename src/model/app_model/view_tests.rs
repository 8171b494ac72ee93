//! The contents of bars and OBS pages: games, engines and notices.

mod background;
mod board_page;

use super::*;
use crate::CopiedItem;
use crate::bars::BarEngine;
use crate::jobs::{Job, JobResult};
use crate::observed_game::ObservedGame;
use crate::pages::control::ControlCommand;
use shogibar_config::ModelCommand;
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::options::{RejectReason, RejectedOption};
use shogibar_engine::session::{EngineFailure, EngineState, FailureKind, SearchResult};
use shogibar_games::bar::{EngineReport, FollowMode, LiveMark};
use shogibar_games::study::{Document, DocumentEdit};
use shogibar_games::{EngineMessage, RecordRemark};
use shogibar_kifu::{End, FoundContent, NodeId, Reason, Record, UnreadableRecord};
use shogibar_live::LiveAddress;
use shogibar_shogi::score::Value;
use shogibar_shogi::{History, Position};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

fn read(kif: &str) -> Record {
    shogibar_kifu::read(kif.as_bytes()).unwrap().games.remove(0)
}

/// A model with one game and one bar.
struct Scene(AppModel);

impl Deref for Scene {
    type Target = AppModel;

    fn deref(&self) -> &AppModel {
        &self.0
    }
}

impl DerefMut for Scene {
    fn deref_mut(&mut self) -> &mut AppModel {
        &mut self.0
    }
}

impl Scene {
    /// Ends the notice on the bar, as its window does after some seconds.
    fn end_notice(&mut self) {
        let bar = self.study_bar();
        let number = self.notices().shown_on(bar, bar).unwrap();
        self.act(AppAction::EndNotice(number));
    }

    fn new(lang: Lang) -> Self {
        Self(AppModel::new(
            lang,
            StoredFiles::default(),
            ModelOptions::default(),
        ))
    }

    fn set(&mut self, change: impl FnOnce(&mut ModelSettings)) -> Vec<AppEffect> {
        let event = self.changed_settings(change);
        self.update(event)
    }

    fn act(&mut self, action: AppAction) {
        let bar = self.study_bar();
        self.update(AppEvent::Action(bar, action));
    }

    fn open(&mut self, kif: &str) {
        let id = self.study_game();
        self.show_record(id, read(kif));
        self.finish(false);
    }

    fn bar_mut(&mut self) -> &mut Bar {
        &mut self.bars[0].bar
    }

    fn document(&self) -> &Document {
        self.game(self.study_game()).document()
    }

    fn target(&self) -> SearchTarget {
        self.bars[0].target.clone()
    }

    /// Returns the content of the study page's bar.
    fn view(&self) -> BarView {
        self.bar_view(self.study_bar())
    }

    fn is_search_done(&self) -> bool {
        self.bar(self.study_bar())
            .is_search_done(self.game(self.study_game()))
    }

    fn show_failure(&mut self, why: &Message) {
        let id = self.study_game();
        self.show_problem(id, why);
        self.finish(false);
    }

    fn show_result(&mut self, message: impl Into<Message>) {
        let bar = self.study_bar();
        self.notices.set_result(&message.into(), bar, false);
    }
}

fn opened(kif: &str) -> Scene {
    let mut scene = Scene::new(Lang::En);
    scene.open(kif);
    scene
}

const GAME: &str = "先手：甲\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n";

fn engine(id: u64) -> BarEngine {
    BarEngine {
        id: EngineId(id),
        ..EngineReport::default().into()
    }
}

#[test]
fn opens_a_running_game_at_its_last_move() {
    let state = opened(GAME);
    assert_eq!(
        (state.document().ply(), state.view().position_text.concat()),
        (3, "Move 3:P-2f".to_owned())
    );
    assert_eq!(
        state.target().position.map(|history| history.moves().len()),
        Some(3)
    );
}

#[test]
fn opens_a_finished_game_at_its_start() {
    let mut state = opened(&format!("{GAME}4 投了\n"));
    assert_eq!(state.document().ply(), 0);
    state.act(AppAction::run(ModelCommand::First));
    state.act(AppAction::Step(3));
    assert!(
        state.target().position.is_some(),
        "the last position is looked at like any other"
    );
    state.act(AppAction::Step(1));
    assert_eq!(state.target(), SearchTarget::default());
    assert_eq!(
        state.view().decided_win.map(|decided| decided.text).as_deref(),
        Some("Black wins after 3 moves")
    );
}

#[test]
fn opens_an_interrupted_game_at_its_last_move() {
    let mut state = opened(&format!("{GAME}4 中断\n"));
    assert_eq!((state.document().ply(), state.document().is_at_tip()), (3, true));
    state.act(AppAction::Step(1));
    assert_eq!(state.view().position_text.concat(), "Move 3:P-2f · interrupted");
    assert!(
        state.target().position.is_some(),
        "it may go on, so the position is looked at"
    );
    let id = state.study_game();
    state
        .game_mut(id)
        .unwrap()
        .edit(|document| document.replace_with_newer(read(&format!("{GAME}4 ８四歩(83)\n"))));
    state.finish(false);
    assert_eq!(state.document().ply(), 4, "and it is followed");
}

#[test]
fn clamps_steps_to_the_game() {
    let mut state = opened(GAME);
    let mut check = |moves, expect| {
        state.act(AppAction::Step(moves));
        assert_eq!(state.document().ply(), expect, "{moves}");
    };
    check(1, 3);
    check(-2, 1);
    check(i32::MIN, 0);
    check(1, 1);
    check(i32::MAX, 3);
}

#[test]
fn a_step_beyond_the_last_move_shows_a_notice() {
    let mut state = opened(GAME);
    let mut check = |command, expect: Option<&str>| {
        state.act(AppAction::run(command));
        let notice = state.view().notice().map(|notice| notice.text.clone());
        assert_eq!(
            (state.document().ply(), notice.as_deref()),
            (3, expect),
            "{command:?}"
        );
    };
    check(ModelCommand::Forward, Some("This is the last move (3)."));
    check(ModelCommand::Last, None);
    check(ModelCommand::TenForward, Some("This is the last move (3)."));
    let mut interrupted = opened(&format!("{GAME}4 中断\n"));
    for _ in 0..2 {
        interrupted.act(AppAction::run(ModelCommand::Forward));
        assert!(interrupted.view().notice().is_none(), "the bar says how it ended");
    }
}

#[test]
fn pauses_and_resumes_engines() {
    let mut state = opened(GAME);
    state.act(AppAction::run(ModelCommand::Pause));
    state.act(AppAction::Step(-1));
    assert_eq!(
        state.target().position.map(|history| history.moves().len()),
        Some(2)
    );
    assert_eq!(
        (state.target().is_paused, state.view().position_text[0].as_str()),
        (true, "paused · Move 2:")
    );
    state.act(AppAction::run(ModelCommand::Pause));
    assert!(!state.target().is_paused, "the same key goes on");
}

#[test]
fn shows_the_record_while_engines_are_paused() {
    let mut state = opened(&GAME.replace("2 ３四歩(33)", "**評価値=250\n2 ３四歩(33)"));
    state.bar_mut().add_engine(EngineReport {
        name: "a".to_owned(),
        ..EngineReport::default()
    });
    let mut check = |change: &dyn Fn(&mut Scene), expect: &str| {
        change(&mut state);
        assert_eq!(state.view().evaluation, expect);
    };
    check(&|state| state.act(AppAction::Step(-2)), "");
    check(&|state| state.act(AppAction::run(ModelCommand::Pause)), "+250");
    check(&|state| state.act(AppAction::Step(1)), "");
    check(&|state| state.act(AppAction::Step(-1)), "+250");
    check(&|state| state.act(AppAction::run(ModelCommand::Pause)), "");
    check(
        &|state| state.act(AppAction::StartAnalysis(Box::default())),
        "+250",
    );
}

#[test]
fn shows_file_notices_on_the_study_page() {
    let mut state = opened(GAME);
    let saved = RecordRemark::Saved("a.kif".to_owned());
    state.act(AppAction::ShowNotice(saved.into()));
    let notices = |state: &Scene| [state.view().notice().is_some(), state.study_notice().is_some()];
    assert_eq!(notices(&state), [true, false]);
    state.act(AppAction::SetStudyOpen(true));
    assert_eq!(notices(&state), [false, true]);
    state.act(AppAction::ShowNotice(Message::NotOnTop));
    assert_eq!(notices(&state), [true, false]);
}

#[test]
fn follows_only_running_engines() {
    let mut state = opened(GAME);
    let mut check = |change: &dyn Fn(&mut Scene), lead, followed: &[bool]| {
        change(&mut state);
        let view = state.view();
        let marks: Vec<_> = view.engines.iter().map(|engine| engine.is_followed).collect();
        assert_eq!((view.lead_index, marks.as_slice()), (lead, followed));
    };
    check(
        &|state| state.act(AppAction::run(ModelCommand::NextEngine)),
        0,
        &[],
    );
    check(&|state| state.bar_mut().add_engine(engine(0)), 0, &[true]);
    check(&|state| state.bar_mut().follow(FollowMode::One(1)), 0, &[true]);
    check(&|state| state.bar_mut().add_engine(engine(0)), 0, &[true, false]);
    check(
        &|state| state.act(AppAction::run(ModelCommand::NextEngine)),
        1,
        &[false, true],
    );
    check(
        &|state| state.act(AppAction::run(ModelCommand::NextEngine)),
        0,
        &[true, true],
    );
    check(
        &|state| state.act(AppAction::run(ModelCommand::NextEngine)),
        0,
        &[true, false],
    );
    check(
        &|state| state.bar_mut().follow(FollowMode::One(1)),
        1,
        &[false, true],
    );
}

#[test]
fn follows_another_engine_in_place_of_one_that_has_failed() {
    let mut state = opened(GAME);
    let history = Arc::clone(state.game(state.study_game()).history());
    let value = |cp: i32, state: EngineState| {
        let best = Candidate {
            rank: 1,
            value: Value::Cp(cp),
            bound: None,
            depth: Some(12),
            pv: Vec::new(),
        };
        let info = SearchInfo {
            history: Arc::clone(&history),
            candidates: vec![best],
            stats: SearchStats {
                depth: Some(12),
                ..SearchStats::default()
            },
        };
        Snapshot {
            state,
            search_info: Some(info),
            ..Snapshot::default()
        }
    };
    let failure = EngineFailure {
        kind: FailureKind::NotUsi,
        last_lines: Vec::new(),
        restart_count: 0,
    };
    let failed = Snapshot {
        state: EngineState::Failed(failure),
        ..Snapshot::default()
    };
    state.bar_mut().add_engine(engine(0));
    state.bar_mut().add_engine(engine(1));
    let mut check = |engine: u64, snapshot: Snapshot, evaluation: &str, lead: usize| {
        state.bar_mut().update_engine(EngineId(engine), snapshot);
        for follow in [FollowMode::Mean, FollowMode::One(0)] {
            state.bar_mut().follow(follow);
            let view = state.view();
            assert_eq!(
                (view.evaluation.as_str(), view.lead_index),
                (evaluation, lead),
                "{follow:?}"
            );
            assert_eq!(
                state.bar(state.study_bar()).followed(),
                follow,
                "the user's choice is kept"
            );
        }
    };
    check(0, failed.clone(), "", 0);
    check(1, value(120, EngineState::Thinking), "+120", 1);
    check(1, failed.clone(), "", 0);
    check(1, value(120, EngineState::Thinking), "+120", 1);
    let bar = state.study_bar();
    let effects = state.update(AppEvent::Action(bar, AppAction::ReplaceEngine("new".to_owned())));
    let started = effects.iter().find_map(|effect| match effect {
        AppEffect::StartEngine { id, .. } => Some(*id),
        _ => None,
    });
    let info = EngineInfo {
        name: "new".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    state.update(AppEvent::EngineStarted(started.unwrap(), Ok(info)));
    let kept = state
        .bar_mut()
        .engines()
        .iter()
        .map(|engine| engine.info.name.clone())
        .collect::<Vec<_>>();
    assert_eq!(kept, ["new", ""], "the one that works stays");
}

#[test]
fn is_settled_when_every_engine_is_done() {
    let mut state = opened(GAME);
    state.bar_mut().add_engine(engine(0));
    state.bar_mut().add_engine(engine(1));
    let answer = Some(SearchResult {
        history: Arc::clone(state.game(state.study_game()).history()),
        best_move: None.into(),
    });
    let failure = EngineFailure {
        kind: FailureKind::NotUsi,
        last_lines: Vec::new(),
        restart_count: 0,
    };
    state.bar_mut().update_engine(
        EngineId(0),
        Snapshot {
            result: answer,
            ..Snapshot::default()
        },
    );
    assert!(!state.is_search_done(), "the other is not done");
    state.bar_mut().update_engine(
        EngineId(1),
        Snapshot {
            state: EngineState::Failed(failure),
            ..Snapshot::default()
        },
    );
    assert!(state.is_search_done(), "the other never will be");
    state.act(AppAction::Step(-1));
    assert!(!state.is_search_done(), "that was another position");
}

#[test]
fn searching_engines_use_their_threads() {
    let mut state = opened(GAME);
    let bar = state.study_bar();
    for name in ["a", "b"] {
        let info = EngineInfo {
            name: name.to_owned(),
            is_profile: true,
            candidates: 1,
            threads: 1,
            relay: None,
        };
        state.add_engine(bar, info);
    }
    assert!(!state.leaves_processors_free(2), "one thread each");
    assert!(state.leaves_processors_free(3));
    state.act(AppAction::run(ModelCommand::Pause));
    assert!(state.leaves_processors_free(1), "they rest");
    state.act(AppAction::run(ModelCommand::Pause));
    state.act(AppAction::run(ModelCommand::Hide));
    assert!(
        !state.leaves_processors_free(2),
        "they go on while the evaluation is hidden"
    );
    state.set(|settings| settings.pauses_hidden = true);
    assert!(
        state.leaves_processors_free(1),
        "unless the user does not want that"
    );
}

#[test]
fn reports_rejected_options_once() {
    let mut state = opened(GAME);
    state.bar_mut().add_engine(engine(0));
    let rejected = RejectedOption {
        name: "EvalDir".to_owned(),
        value: "eval".to_owned(),
        reason: RejectReason::Gone,
    };
    let says = |state: &Scene| {
        state
            .view()
            .notice()
            .is_some_and(|notice| notice.full().contains("EvalDir"))
    };
    state.act(AppAction::Step(0));
    state.bar_mut().update_engine(
        EngineId(0),
        Snapshot {
            rejected_options: vec![rejected],
            ..Snapshot::default()
        },
    );
    assert!(
        says(&state),
        "a key that was pressed before it was there does not count"
    );
    state.show_result(EngineMessage::Failed(FailureKind::NotUsi));
    assert!(!says(&state), "something else comes first");
    state.act(AppAction::Step(0));
    assert!(says(&state), "and it after that");
    state.act(AppAction::Step(0));
    assert!(!says(&state), "once");
}

#[test]
fn keeps_the_record_when_another_cannot_be_read() {
    let mut state = opened(GAME);
    state.show_failure(&EngineMessage::Failed(FailureKind::NotUsi).into());
    assert!(
        state
            .view()
            .notice
            .is_some_and(|notice| notice.is_failure && notice.full().contains("USI"))
    );
    assert_eq!(
        (state.document().ply(), state.target().position.is_some()),
        (3, true)
    );
}

#[test]
fn searches_nothing_while_the_record_is_unreadable() {
    let mut nothing = Scene::new(Lang::Ja);
    let id = nothing.study_game();
    nothing.game_mut(id).unwrap().unread_path = Some("x.kif".into());
    nothing.show_failure(&Message::RecordUnreadable(
        "x.kif".to_owned(),
        UnreadableRecord::OtherContent(FoundContent::Picture),
    ));
    let notices = |state: &Scene| {
        state
            .view()
            .notice()
            .map(|notice| (notice.text.clone(), notice.is_failure))
    };
    let check = |state: &Scene, is_unreadable: bool| {
        assert_eq!(state.target(), SearchTarget::default());
        let unreadable = notices(state).is_some_and(|(text, failure)| failure && text.contains("x.kif"));
        assert_eq!(unreadable, is_unreadable, "{:?}", notices(state));
    };
    check(&nothing, true);
    nothing.set(|settings| settings.lang = Lang::En);
    check(&nothing, true);
    assert!(
        notices(&nothing).unwrap().0.contains("picture"),
        "in the language of the screen"
    );
    nothing.act(AppAction::ShowNotice(Message::NotOnTop));
    check(&nothing, false);
    nothing.end_notice();
    check(&nothing, true);
    nothing.act(AppAction::Step(0));
    check(&nothing, true);
    nothing.open(GAME);
    assert!(
        nothing.target().position.is_some() && notices(&nothing).is_none(),
        "until another is opened"
    );
}

#[test]
fn dismissing_a_transient_notice_keeps_errors() {
    let mut state = opened(GAME);
    state.act(AppAction::SetStudyOpen(true));
    let study_notice = |state: &Scene| {
        state
            .study_notice()
            .map(|notice| (notice.text, notice.is_failure, notice.is_transient))
    };
    state.show_failure(&RecordRemark::ChangedElsewhere("a.kif".to_owned()).into());
    state.act(AppAction::ShowNotice(
        RecordRemark::Saved("a.html".to_owned()).into(),
    ));
    assert_eq!(
        study_notice(&state).map(|(_, failure, passes)| (failure, passes)),
        Some((false, true))
    );
    state.act(AppAction::DismissTransient);
    assert_eq!(
        study_notice(&state).map(|(_, failure, passes)| (failure, passes)),
        Some((true, false)),
        "it was behind it"
    );
    state.act(AppAction::DismissTransient);
    assert!(
        study_notice(&state).is_some(),
        "what went wrong stands until it is seen"
    );
    state.act(AppAction::Step(0));
    state.show_result(RecordRemark::PositionSaved("a.sfen".to_owned()));
    state.act(AppAction::DismissTransient);
    assert!(study_notice(&state).is_some(), "and so does what has to be read");
    state.show_result(RecordRemark::Analysed);
    state.act(AppAction::DismissTransient);
    assert_eq!(study_notice(&state), None);
}

#[test]
fn restores_notices_after_a_transient_one() {
    let mut state = opened(GAME);
    state.show_failure(&EngineMessage::Failed(FailureKind::NotUsi).into());
    state.act(AppAction::ShowNotice(Message::Copied(CopiedItem::Bar)));
    let failure = |state: &Scene| state.view().notice().map(|notice| notice.is_failure);
    assert_eq!(failure(&state), Some(false));
    state.end_notice();
    assert_eq!(
        failure(&state),
        Some(true),
        "it was said before, and nobody has dismissed it"
    );
    state.act(AppAction::Step(0));
    assert_eq!(failure(&state), None);
}

#[test]
fn keeps_the_values_of_a_move() {
    let mut state = opened(GAME);
    let bar = state.study_bar();
    let info = EngineInfo {
        name: "a".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let (engine, _) = state.add_engine(bar, info);
    let report = |state: &mut Scene, value: i32, depth: u32| {
        let history = Arc::clone(state.game(state.study_game()).history());
        let best = Candidate {
            rank: 1,
            value: Value::Cp(value),
            bound: None,
            depth: Some(depth),
            pv: Vec::new(),
        };
        let reached = SearchStats {
            depth: Some(depth),
            ..SearchStats::default()
        };
        let search_info = Some(SearchInfo {
            history,
            candidates: vec![best],
            stats: reached,
        });
        let snapshot = Snapshot {
            search_info,
            multipv: 1,
            ..Snapshot::default()
        };
        state.update(AppEvent::Snapshot(engine, Box::new(snapshot)));
    };
    let shown = |state: &Scene| (state.view().evaluation, state.view().is_stale);
    report(&mut state, 100, 20);
    state.act(AppAction::Step(-1));
    report(&mut state, 50, 9);
    state.act(AppAction::Step(1));
    assert_eq!(
        shown(&state),
        ("+100".to_owned(), false),
        "at once, and not the value of the move before"
    );
    report(&mut state, 120, 5);
    assert_eq!(shown(&state).0, "+100", "until the search is as deep again");
    report(&mut state, 110, 20);
    assert_eq!(shown(&state).0, "+110");
    let id = state.study_game();
    state
        .game_mut(id)
        .unwrap()
        .edit(|document| document.replace_with_newer(read(&format!("{GAME}4 ８四歩(83)\n"))));
    state.finish(false);
    state.act(AppAction::Step(-1));
    assert_eq!(shown(&state).0, "+110", "also when the file has grown");
    state.open(GAME);
    assert_eq!(
        shown(&state).0,
        "+110",
        "the engine's last value is of this position"
    );
    state.act(AppAction::Step(-1));
    assert!(shown(&state).1, "another record has values of its own");
}

#[test]
fn a_bar_added_beside_a_hidden_one_is_hidden() {
    let mut state = opened(GAME);
    state.act(AppAction::run(ModelCommand::Hide));
    state.act(AppAction::run(ModelCommand::AddBar));
    assert!(state.bars().all(|(_, bar)| bar.is_hidden()));
    state.act(AppAction::HideAll);
    assert!(state.bars().all(|(_, bar)| !bar.is_hidden()));
}

#[test]
fn no_bar_gives_a_guessed_move_away() {
    let mut scene = opened(GAME);
    let hidden = |scene: &Scene| (scene.view().is_hidden, scene.bar(scene.study_bar()).is_hidden());
    scene.act(AppAction::SetGuessing(true));
    assert_eq!(hidden(&scene), (true, false), "H is another thing");
    scene.act(AppAction::SetGuessing(false));
    assert_eq!(hidden(&scene), (false, false));
}

#[test]
fn each_bar_shows_the_notices_of_actions_on_the_bar() {
    let mut state = opened(GAME);
    state.act(AppAction::run(ModelCommand::AddBar));
    let bars: Vec<_> = state.bars().map(|(id, _)| id).collect();
    for bar in &bars {
        state.update(AppEvent::Action(*bar, AppAction::PasteText("x".to_owned())));
    }
    let notices = |state: &Scene| {
        bars.iter()
            .map(|bar| state.bar_view(*bar).notice.is_some())
            .collect::<Vec<_>>()
    };
    // Both show one game, whose notices are on the first.
    assert_eq!(notices(&state), [true, false]);
    state.update(AppEvent::Action(
        bars[1],
        AppAction::ShowNotice(Message::Copied(CopiedItem::Bar)),
    ));
    assert_eq!(notices(&state), [true, true]);
    state.update(AppEvent::Action(bars[1], AppAction::Step(-1)));
    assert_eq!(
        notices(&state),
        [true, false],
        "a step on one bar does not dismiss the notice of the other"
    );
    state.update(AppEvent::Action(bars[1], AppAction::StudyBar));
    assert_eq!(
        state.study_bar(),
        bars[0],
        "the values of the second are those of the first"
    );
}

#[test]
fn a_relay_takes_a_bar_with_its_first_position() {
    let mut state = Scene::new(Lang::Ja);
    let relay = RelayId(7);
    let send = |state: &mut Scene, position: Option<&str>, search_info: Option<SearchInfo>| {
        let position = position.map(|moves| Arc::new(History::from_usi(moves).unwrap()));
        let snapshot = Snapshot {
            search_info,
            multipv: 1,
            ..Snapshot::default()
        };
        let observed = ObservedGame {
            position,
            snapshot,
            ..ObservedGame::default()
        };
        state.update(AppEvent::RelayChanged(relay, Box::new(observed)));
    };
    let value = |moves: &str, value: i32| {
        let best = Candidate {
            rank: 1,
            value: Value::Cp(value),
            bound: None,
            depth: Some(9),
            pv: Vec::new(),
        };
        let history = Arc::new(History::from_usi(moves).unwrap());
        SearchInfo {
            history,
            candidates: vec![best],
            stats: SearchStats {
                depth: Some(9),
                ..SearchStats::default()
            },
        }
    };
    let names = |state: &Scene| {
        let bar = state.study_bar();
        state
            .bar(bar)
            .engines()
            .iter()
            .map(|engine| engine.report.name.clone())
            .collect::<Vec<_>>()
    };
    state.update(AppEvent::RelayConnected(relay, "far".to_owned()));
    send(&mut state, None, None);
    assert_eq!(
        names(&state),
        [""; 0],
        "a GUI that only lists the options changes nothing"
    );
    send(
        &mut state,
        Some("startpos moves 7g7f"),
        Some(value("startpos moves 7g7f", 100)),
    );
    assert_eq!(names(&state), ["far"]);
    let shown = |state: &Scene| (state.view().share, state.view().is_stale);
    let (share, is_grey) = shown(&state);
    assert!(share.is_some() && !is_grey);
    // The engine ponders a move that is only expected.
    send(
        &mut state,
        Some("startpos moves 7g7f 3c3d"),
        Some(value("startpos moves 7g7f 3c3d 2g2f", -500)),
    );
    assert_eq!(shown(&state), (share, true), "the value stays, greyed");
    send(
        &mut state,
        Some("startpos moves 7g7f 3c3d 2g2f"),
        Some(value("startpos moves 7g7f 3c3d 2g2f", -500)),
    );
    assert!(
        shown(&state).0 < share && !shown(&state).1,
        "it is shown once the move is played"
    );
    // An action that the user has begun on the page concerns this record.
    let game = state.study_game();
    let first = state.game(game).document().first_revision();
    send(&mut state, Some("startpos moves 7g7f 3c3d 2g2f 8c8d"), None);
    assert_eq!(state.game(game).document().first_revision(), first);
    assert_eq!(state.game(game).document().record().main_line().count(), 4);
    assert!(!state.game(game).document().is_changed());
    let bar = state.study_bar();
    state.update(AppEvent::Action(bar, AppAction::ReplaceEngine("far".to_owned())));
    assert_eq!(names(&state), ["far"], "a shogi GUI runs it");
}

#[test]
fn a_relay_shows_no_value_of_moves_that_were_not_played() {
    let mut state = Scene::new(Lang::Ja);
    let relay = RelayId(7);
    state.update(AppEvent::RelayConnected(relay, "far".to_owned()));
    let mut send = |position: &str, searched: &str, value: i32| {
        let history = |moves: &str| Arc::new(History::from_usi(&format!("startpos moves {moves}")).unwrap());
        let best = Candidate {
            rank: 1,
            value: Value::Cp(value),
            bound: None,
            depth: Some(9),
            pv: Vec::new(),
        };
        let reached = SearchStats {
            depth: Some(9),
            ..SearchStats::default()
        };
        let search_info = Some(SearchInfo {
            history: history(searched),
            candidates: vec![best],
            stats: reached,
        });
        let snapshot = Snapshot {
            search_info,
            multipv: 1,
            ..Snapshot::default()
        };
        let observed = ObservedGame {
            position: Some(history(position)),
            snapshot,
            ..ObservedGame::default()
        };
        state.update(AppEvent::RelayChanged(relay, Box::new(observed)));
        (state.view().share, state.view().is_stale)
    };
    let (first, _) = send("7g7f 3c3d", "7g7f 3c3d", 100);
    // The engine ponders 2g2f 8c8d, and 6g6f is played.
    assert_eq!(send("7g7f 3c3d 2g2f", "7g7f 3c3d 2g2f 8c8d", 900), (first, true));
    assert_eq!(
        send("7g7f 3c3d 2g2f 4c4d", "7g7f 3c3d 2g2f 8c8d", 900),
        (first, true)
    );
    let (second, _) = send("7g7f 3c3d 2g2f 4c4d", "7g7f 3c3d 2g2f 4c4d", -100);
    assert_ne!(first, second);
    // A step back, as in an analysis.
    assert_eq!(
        send("7g7f 3c3d 2g2f", "7g7f 3c3d 2g2f 4c4d", -100),
        (second, true),
        "never an empty bar"
    );
}

#[test]
fn the_built_in_engine_replaces_one_that_cannot_be_used() {
    let check = |stands_in: bool, name: &str, kind: FailureKind, started: Option<&str>| {
        let options = ModelOptions {
            uses_stand_in: stands_in,
            ..ModelOptions::default()
        };
        let mut state = Scene(AppModel::new(Lang::En, StoredFiles::default(), options));
        state.open(GAME);
        let bar = state.study_bar();
        let info = EngineInfo {
            name: name.to_owned(),
            is_profile: true,
            candidates: 3,
            threads: 1,
            relay: None,
        };
        let (id, _) = state.add_engine(bar, info);
        state.set_chosen(bar, true);
        let failure = EngineFailure {
            kind,
            last_lines: vec!["no weights".to_owned()],
            restart_count: 0,
        };
        let snapshot = Snapshot {
            state: EngineState::Failed(failure),
            ..Snapshot::default()
        };
        let effects = state.update(AppEvent::Snapshot(id, Box::new(snapshot)));
        let starts = effects.iter().find_map(|effect| match effect {
            AppEffect::StartEngine { name, .. } => Some(name.as_str()),
            _ => None,
        });
        assert_eq!(starts, started, "{name}");
        let notice = state.view().notice.map(|notice| notice.text);
        assert_eq!(
            notice.is_some_and(|notice| notice.contains("Press N to choose")),
            started.is_some()
        );
        let problems = state.engine_problems();
        assert!(
            problems
                .iter()
                .any(|(of, problem)| of == name && problem.details == ["no weights"]),
            "{problems:?}"
        );
        assert_eq!(
            state.current_workspace().bars[0].engines,
            [name],
            "the user's choice is remembered"
        );
    };
    check(true, "水匠", FailureKind::NotUsi, Some("builtin"));
    check(
        true,
        "水匠",
        FailureKind::NotStarted(shogibar_engine::process::StartError::NotFound("/x".into())),
        Some("builtin"),
    );
    check(true, "水匠", FailureKind::NoStop, None);
    check(true, "builtin", FailureKind::NotUsi, None);
    check(false, "水匠", FailureKind::NotUsi, None);
}

#[test]
fn a_question_is_answered_once_and_the_game_s_position_is_searched_again() {
    use shogibar_engine::session::{MateOutcome, MateSearch};
    use shogibar_games::study::{Inquiry, InquiryAnswer, InquiryKind};
    let mut state = opened(GAME);
    let info = EngineInfo {
        name: "A".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let bar = state.study_bar();
    let here = Arc::clone(state.game(state.study_game()).history());
    let ask =
        |state: &mut Scene, kind| state.act(AppAction::Ask(Some(Inquiry::new(kind, Arc::clone(&here)))));
    let answer = |state: &Scene| {
        state
            .game(state.study_game())
            .inquiry()
            .and_then(|asked| asked.answer.clone())
    };
    ask(&mut state, InquiryKind::Value);
    assert_eq!(answer(&state), Some(InquiryAnswer::Failed), "no engine runs");
    // The built-in search needs no king.
    let question = AppAction::Ask(Some(Inquiry::new(InquiryKind::Mate, Arc::clone(&here))));
    let effects = state.update(AppEvent::Action(bar, question));
    let game = state.study_game();
    let solves = |effect: &AppEffect| matches!(effect, AppEffect::Run(Job::Mate(of, _)) if *of == game);
    assert!(effects.iter().any(solves) && answer(&state).is_none() && !state.target().is_mate_search);
    let result = JobResult::Mate(game, Arc::clone(&here), MateOutcome::NoMate);
    state.update(AppEvent::JobResult(result));
    assert_eq!(answer(&state), Some(InquiryAnswer::Mate(MateOutcome::NoMate)));
    let (id, _) = state.add_engine(bar, info);
    state.act(AppAction::run(ModelCommand::Pause));
    ask(&mut state, InquiryKind::Mate);
    assert_eq!(
        (
            state.target().is_mate_search,
            state.target().is_paused,
            answer(&state)
        ),
        (true, false, None)
    );
    let mate = MateSearch {
        history: Arc::clone(&here),
        result: MateOutcome::NoMate,
    };
    let effects = state.update(AppEvent::Snapshot(
        id,
        Box::new(Snapshot {
            mate: Some(mate),
            ..Snapshot::default()
        }),
    ));
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, AppEffect::SetTarget(..)))
    );
    assert_eq!(
        (state.target().is_mate_search, state.target().is_paused),
        (false, true),
        "as before"
    );
    assert_eq!(answer(&state), Some(InquiryAnswer::Mate(MateOutcome::NoMate)));
    ask(&mut state, InquiryKind::Value);
    assert!(!state.target().is_mate_search && !state.target().is_paused);
    state.act(AppAction::run(ModelCommand::First));
    assert_eq!(
        (answer(&state), state.target().is_paused),
        (None, true),
        "another position ends it"
    );
}

/// Viewers see whether the position is the newest.
#[test]
fn a_game_in_a_growing_file_is_live_until_it_ends() {
    let mut state = opened(GAME);
    let mark = |state: &Scene| state.game(state.study_game()).live_mark();
    assert_eq!(mark(&state), None, "nobody writes the file");
    let id = state.study_game();
    state.game_mut(id).unwrap().is_growing = true;
    assert_eq!(mark(&state), Some(LiveMark::Live));
    state.act(AppAction::Step(-2));
    assert_eq!(mark(&state), Some(LiveMark::Behind(2)));
    state.act(AppAction::Step(2));
    // The next move cannot be played: this is not reported as a missed move, and both windows show it.
    for (line, expect, sentence) in [
        (
            "4 ５五角(88)",
            LiveMark::Stopped,
            "Move 4, ５五角(88), cannot be played. The moves before it are shown.",
        ),
        (
            "4 ５五か",
            LiveMark::Stopped,
            "Move 4, ５五か, cannot be read. The moves before it are shown.",
        ),
        ("4 中断", LiveMark::Live, ""),
        ("", LiveMark::Live, ""),
    ] {
        let newer = Arc::new(read(&format!("{GAME}{line}\n")));
        state.game_mut(id).unwrap().merge_newer_record(&newer, None);
        let side = state.study_notice().map(|notice| notice.text).unwrap_or_default();
        assert_eq!((mark(&state), side.as_str()), (Some(expect), sentence), "{line}");
    }
    let end = End::at_position(Reason::Resignation, state.document().history().now());
    state.game_mut(id).unwrap().edit(|document| document.end(end));
    assert_eq!(mark(&state), None);
}

/// The engines' values of the former game would look like values of the awaited one.
#[test]
fn an_awaited_game_has_no_values() {
    let mut state = opened(GAME);
    state.bar_mut().add_engine(engine(0));
    let history = Arc::clone(state.game(state.study_game()).history());
    let best = Candidate {
        rank: 1,
        value: Value::Cp(150),
        bound: None,
        depth: Some(9),
        pv: Vec::new(),
    };
    let shown = SearchInfo {
        history,
        candidates: vec![best],
        stats: SearchStats::default(),
    };
    state.bar_mut().update_engine(
        EngineId(0),
        Snapshot {
            search_info: Some(shown),
            ..Snapshot::default()
        },
    );
    assert!(state.view().share.is_some());
    let address = LiveAddress::parse("http://localhost/none.html").unwrap();
    state.act(AppAction::OpenAddresses(vec![address]));
    let view = state.view();
    assert_eq!((view.share, view.lead().candidates.len()), (None, 0), "{view:?}");
}

#[test]
fn files_that_are_opened_together_are_read_at_once() {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let files = (0..14)
        .map(|nth| LiveAddress::Path(format!("{nth}.kif").into()))
        .collect();
    model.update(AppEvent::Action(
        model.study_bar(),
        AppAction::OpenAddresses(files),
    ));
    let reading = model
        .games()
        .filter(|(_, game)| game.file().opening_path().is_some())
        .count();
    assert_eq!(
        (model.games().count(), reading),
        (15, 12),
        "beside the empty game, until one is read"
    );
}

#[test]
fn comments_of_a_long_game_are_read_in_parts() {
    let moves = ["5i5h", "5a5b", "5h5i", "5b5a"];
    let game = format!("position startpos moves {}", vec![moves.join(" "); 120].join(" "));
    let mut record = shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0);
    let line: Vec<_> = record.main_line().collect();
    for node in &line {
        record.node_mut(*node).notes_mut().comment = Some("*評価値=1".to_owned());
    }
    let mut state = Scene::new(Lang::Ja);
    let id = state.study_game();
    state.show_record(id, record);
    let mut effects = state.finish(false);
    let known = |state: &Scene| state.view().graph.iter().flatten().count();
    let (mut shares, mut parts) = (vec![known(&state)], 0);
    while effects.iter().any(|effect| matches!(effect, AppEffect::ReadMore)) {
        effects = state.update(AppEvent::ReadMore);
        shares.push(known(&state));
        parts += 1;
        assert!(parts < 10, "it comes to an end");
    }
    assert!(parts > 0 && shares.is_sorted(), "{shares:?}");
    state.act(AppAction::run(ModelCommand::Last));
    assert_eq!((known(&state), state.read_more_comments()), (line.len(), false));
}

#[test]
fn a_position_that_is_being_set_up_is_asked_about_at_the_end() {
    let mut state = opened(GAME);
    let position = Position::from_sfen("4k4/9/9/9/4P4/9/9/9/4K4 b - 1").unwrap();
    state.act(AppAction::EditPosition(Some(Box::new(position.clone()))));
    state.act(AppAction::EditPosition(None));
    state.act(AppAction::EditPosition(Some(Box::new(position.clone()))));
    state.act(AppAction::RequestQuit);
    assert!(!state.is_quitting() && state.games().count() == 2);
    let game = state.game(state.study_game());
    assert_eq!(
        (
            game.history().now().sfen(),
            game.is_unsaved(),
            game.file().is_asking()
        ),
        (position.sfen(), true, true)
    );
}

#[test]
fn drawn_marks_are_cleared_by_a_command_and_drawn_again_by_undo() {
    let mut state = opened(GAME);
    state.act(AppAction::run(ModelCommand::First));
    let mark = shogibar_kifu::board_mark::read("#矢印=5e:1")[0];
    let comment = |state: &Scene| {
        let record = state.game(state.study_game()).document().record();
        record.node(NodeId::START).comment().map(str::to_owned)
    };
    state.act(AppAction::Edit(DocumentEdit::ToggleMark(NodeId::START, mark)));
    assert_eq!(comment(&state).as_deref(), Some("#矢印=5e:1"));
    assert!(state.game(state.study_game()).is_unsaved());
    state.act(AppAction::run(ModelCommand::ClearMarks));
    assert_eq!(comment(&state), None);
    state.act(AppAction::run(ModelCommand::Undo));
    assert_eq!(comment(&state).as_deref(), Some("#矢印=5e:1"));
}

#[test]
fn a_notice_stays_while_a_comment_is_typed() {
    let mut state = opened(GAME);
    state.act(AppAction::ShowNotice(Message::NotOnTop));
    state.act(AppAction::Edit(DocumentEdit::SetComment(
        NodeId::START,
        "好".to_owned(),
    )));
    assert!(state.view().notice().is_some());
    state.act(AppAction::Step(1));
    assert!(state.view().notice().is_none(), "a step has it count as seen");
}

#[test]
fn the_control_address_hides_and_shows_and_selects_games() {
    let mut state = opened(GAME);
    let first = state.study_game();
    state.act(AppAction::run(ModelCommand::AddGame));
    let second = state.study_game();
    state.act(AppAction::run(ModelCommand::AddBar));
    let shown = |state: &Scene| {
        state
            .bars()
            .map(|(_, bar)| (bar.game(), bar.is_hidden()))
            .collect::<Vec<_>>()
    };
    let study_bar = state.study_bar();
    let mut control = |command: ControlCommand, game: Option<GameId>| {
        state.update(AppEvent::Control(command, game));
        (shown(&state), state.study_bar())
    };
    let (before, _) = control(ControlCommand::Show, None);
    assert_eq!(before.len(), 2);
    let games: Vec<_> = before.iter().map(|(game, _)| *game).collect();
    assert!(
        games.contains(&first) && games.contains(&second),
        "each bar shows a game"
    );
    let hidden = |game: Option<GameId>| {
        games
            .iter()
            .map(|shown| (*shown, game.is_none_or(|game| game == *shown)))
            .collect()
    };
    for _ in 0..2 {
        let expect: Vec<_> = hidden(Some(first));
        assert_eq!(
            control(ControlCommand::Hide, Some(first)).0,
            expect,
            "it never shows"
        );
    }
    assert_eq!(control(ControlCommand::Hide, None).0, hidden(None));
    control(ControlCommand::Show, None);
    // A game without a bar may still be on a page: all are hidden.
    assert_eq!(control(ControlCommand::Hide, Some(GameId(9999))).0, hidden(None));
    let (after, page) = control(ControlCommand::Show, Some(second));
    assert_eq!(after.iter().filter(|(_, hidden)| *hidden).count(), 1);
    assert_eq!(page, study_bar, "the study page stays");
    // The next game is shown on the named bar, again and again.
    for _ in 0..3 {
        let before = control(ControlCommand::Show, None).0;
        let (after, page) = control(ControlCommand::NextGame, None);
        let changed = before
            .iter()
            .zip(&after)
            .filter(|(before, after)| before.0 != after.0)
            .count();
        assert_eq!((changed, page), (1, study_bar));
    }
}

#[test]
fn the_control_address_goes_to_the_newest_move() {
    let mut state = opened(GAME);
    state.act(AppAction::run(ModelCommand::First));
    assert_eq!(state.game(state.study_game()).document().ply(), 0);
    state.update(AppEvent::Control(ControlCommand::Follow, None));
    let document = state.game(state.study_game()).document();
    assert_eq!(document.ply(), document.line().len());
}

#[test]
fn a_paste_is_reported_in_one_line() {
    let pasted = |text: &str| {
        let mut scene = Scene::new(Lang::Ja);
        scene.act(AppAction::PasteText(text.to_owned()));
        let moves = scene.document().record().len();
        (
            moves,
            scene
                .view()
                .notice()
                .map(|notice| notice.text.clone())
                .unwrap_or_default(),
        )
    };
    assert_eq!(
        pasted("https://www.kento-shogi.com/?moves=7g7f.3c3d#2"),
        (2, "KENTO のアドレス：2手".to_owned())
    );
    assert_eq!(
        pasted("昨日の将棋です。▲７六歩、△３四歩、▲２六歩"),
        (3, "文章の中の指し手：3手".to_owned())
    );
    assert_eq!(pasted("position startpos moves 7g7f 3c3d").0, 2);
    let (moves, text) = pasted("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(moves == 0 && text.contains("チェス"), "{text}");
}
