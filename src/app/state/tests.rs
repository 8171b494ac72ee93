use super::*;
use crate::kifu::{self, FoundContent};
use crate::options::{RejectReason, RejectedOption};
use crate::session::{EngineFailure, FailureKind, SearchResult};
use crate::text::{RecordRemark, UnreadableRecord};

fn read(kif: &str) -> Record {
    kifu::read(kif.as_bytes()).unwrap().games.remove(0)
}

fn opened(kif: &str) -> AppState {
    let mut state = AppState::new(Lang::En);
    state.open(read(kif));
    state
}

const GAME: &str = "先手：甲\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n";

#[test]
fn opens_a_running_game_at_its_last_move() {
    let state = opened(GAME);
    assert_eq!((state.document.place(), state.view().position_text.concat()), (3, "after move 3P-2f".to_owned()));
    assert_eq!(state.search_target().position.map(|history| history.moves().len()), Some(3));
}

#[test]
fn opens_a_finished_game_at_its_start() {
    let mut state = opened(&format!("{GAME}4 投了\n"));
    assert_eq!(state.document.place(), 0);
    state.go_to(3);
    assert!(state.search_target().position.is_some(), "the last position is looked at like any other");
    state.step(1);
    assert_eq!(state.search_target(), SearchTarget::default());
    assert_eq!(state.view().decided.map(|decided| decided.text).as_deref(), Some("Black wins · resigned"));
}

#[test]
fn opens_an_interrupted_game_at_its_last_move() {
    let mut state = opened(&format!("{GAME}4 中断\n"));
    assert_eq!((state.document.place(), state.document.is_at_tip()), (3, true));
    state.step(1);
    assert_eq!(state.view().position_text.concat(), "after move 3P-2f · interrupted");
    assert!(state.search_target().position.is_some(), "it may go on, so the position is looked at");
    state.edit(|document| document.replace_with_newer(read(&format!("{GAME}4 ８四歩(83)\n"))));
    assert_eq!(state.document.place(), 4, "and it is followed");
}

#[test]
fn clamps_steps_to_the_game() {
    let mut state = opened(GAME);
    let mut check = |moves, expect| {
        state.step(moves);
        assert_eq!(state.document.place(), expect, "{moves}");
    };
    check(1, 3);
    check(-2, 1);
    check(i32::MIN, 0);
    check(1, 1);
    check(i32::MAX, 3);
}

#[test]
fn pauses_and_resumes_engines() {
    let mut state = opened(GAME);
    state.pause();
    state.step(-1);
    assert_eq!(state.search_target().position.map(|history| history.moves().len()), Some(2));
    assert_eq!((state.search_target().paused, state.view().position_text[0].as_str()), (true, "paused · after move 2"));
    state.pause();
    assert!(!state.search_target().paused, "the same key goes on");
}

#[test]
fn shows_the_record_while_engines_are_paused() {
    let mut state = opened(&GAME.replace("2 ３四歩(33)", "**評価値=250\n2 ３四歩(33)"));
    state.add_engine(EngineReport { name: "a".to_owned(), ..EngineReport::default() });
    let mut check = |change: &dyn Fn(&mut AppState), expect: &str| {
        change(&mut state);
        assert_eq!(state.view().evaluation, expect);
    };
    check(&|state| state.go_to(1), "");
    check(&AppState::pause, "+250");
    check(&|state| state.step(1), "");
    check(&|state| state.step(-1), "+250");
    check(&AppState::pause, "");
    check(&|state| state.set_analysis_running(true), "+250");
}

#[test]
fn shows_file_notices_on_the_study_page() {
    let mut state = opened(GAME);
    let saved = RecordRemark::Saved("a.kif".to_owned());
    state.show_transient(&saved.into());
    let said = |state: &AppState| [state.view().notice().is_some(), state.side_notice().is_some()];
    assert_eq!(said(&state), [true, false]);
    state.set_study_open(true);
    assert_eq!(said(&state), [false, true]);
    state.show_transient(&Message::NotOnTop);
    assert_eq!(said(&state), [true, false]);
}

#[test]
fn follows_only_running_engines() {
    let mut state = opened(GAME);
    let mut check = |change: &dyn Fn(&mut AppState), lead, followed: &[bool]| {
        change(&mut state);
        let view = state.view();
        let marks: Vec<_> = view.engines.iter().map(|engine| engine.followed).collect();
        assert_eq!((view.lead, marks.as_slice()), (lead, followed));
    };
    check(&AppState::follow_next, 0, &[]);
    check(&|state| state.add_engine(EngineReport::default()), 0, &[true]);
    check(&|state| state.follow(FollowMode::One(1)), 0, &[true]);
    check(&|state| state.add_engine(EngineReport::default()), 0, &[true, false]);
    check(&AppState::follow_next, 1, &[false, true]);
    check(&AppState::follow_next, 0, &[true, true]);
    check(&AppState::follow_next, 0, &[true, false]);
    check(&|state| state.follow(FollowMode::One(1)), 1, &[false, true]);
}

#[test]
fn is_settled_when_every_engine_is_done() {
    let mut state = opened(GAME);
    state.add_engine(EngineReport::default());
    state.add_engine(EngineReport::default());
    let answer = Some(SearchResult { history: Arc::clone(&state.history), best: None });
    let failure = EngineFailure { kind: FailureKind::NotUsi, last_lines: Vec::new(), restart_count: 0 };
    state.update_engine(0, Snapshot { result: answer, ..Snapshot::default() });
    assert!(!state.is_search_done(), "the other is not done");
    state.update_engine(1, Snapshot { state: session::EngineState::Failed(failure), ..Snapshot::default() });
    assert!(state.is_search_done(), "the other never will be");
    state.step(-1);
    assert!(!state.is_search_done(), "that was another position");
}

#[test]
fn reports_rejected_options_once() {
    let mut state = opened(GAME);
    state.add_engine(EngineReport::default());
    let rejected = RejectedOption { name: "EvalDir".to_owned(), value: "eval".to_owned(), why: RejectReason::Gone };
    let says = |state: &AppState| state.view().notice().is_some_and(|notice| notice.text.contains("EvalDir"));
    state.dismiss();
    state.update_engine(0, Snapshot { rejected_options: vec![rejected], ..Snapshot::default() });
    assert!(says(&state), "a key that was pressed before it was there does not count");
    state.show_notice(&Message::EngineFailed(FailureKind::NotUsi));
    assert!(!says(&state), "something else comes first");
    state.dismiss();
    assert!(says(&state), "and it after that");
    state.dismiss();
    assert!(!says(&state), "once");
}

#[test]
fn keeps_the_record_when_another_cannot_be_read() {
    let mut state = opened(GAME);
    state.show_problem(&Message::EngineFailed(FailureKind::NotUsi));
    assert!(state.view().notice.is_some_and(|notice| notice.failure && notice.text.contains("USI")));
    assert_eq!((state.document.place(), state.search_target().position.is_some()), (3, true));
}

#[test]
fn searches_nothing_while_the_record_is_unreadable() {
    let mut nothing = AppState::new(Lang::Ja);
    nothing.show_problem(&Message::RecordUnreadable("x.kif".to_owned(), UnreadableRecord::Is(FoundContent::Picture)));
    let said = |state: &AppState| state.view().notice().map(|notice| (notice.text.clone(), notice.failure));
    let check = |state: &AppState, said_of_it: bool| {
        assert_eq!(state.search_target(), SearchTarget::default());
        let unreadable = said(state).is_some_and(|(text, failure)| failure && text.contains("x.kif"));
        assert_eq!(unreadable, said_of_it, "{:?}", said(state));
    };
    check(&nothing, true);
    nothing.set_language(Lang::En);
    check(&nothing, true);
    assert!(said(&nothing).unwrap().0.contains("picture"), "in the language of the screen");
    nothing.show_transient(&Message::NotOnTop);
    check(&nothing, false);
    nothing.clear_transient();
    check(&nothing, true);
    nothing.dismiss();
    check(&nothing, true);
    nothing.open(kifu::read(GAME.as_bytes()).unwrap().games.remove(0));
    assert!(nothing.search_target().position.is_some() && said(&nothing).is_none(), "until another is opened");
}

#[test]
fn dismissing_a_transient_notice_keeps_errors() {
    let mut state = opened(GAME);
    state.set_study_open(true);
    let side_notice =
        |state: &AppState| state.side_notice().map(|notice| (notice.text, notice.failure, notice.transient));
    state.show_problem(&RecordRemark::ChangedElsewhere("a.kif".to_owned()).into());
    state.show_transient(&RecordRemark::Saved("a.html".to_owned()).into());
    assert_eq!(side_notice(&state).map(|(_, failure, passes)| (failure, passes)), Some((false, true)));
    state.dismiss_transient();
    assert_eq!(
        side_notice(&state).map(|(_, failure, passes)| (failure, passes)),
        Some((true, false)),
        "it was behind it"
    );
    state.dismiss_transient();
    assert!(side_notice(&state).is_some(), "what went wrong stands until it is seen");
    state.dismiss();
    state.show_notice(&RecordRemark::PositionSaved("a.sfen".to_owned()).into());
    state.dismiss_transient();
    assert!(side_notice(&state).is_some(), "and so does what has to be read");
    state.show_notice(&RecordRemark::Analysed.into());
    state.dismiss_transient();
    assert_eq!(side_notice(&state), None);
}

#[test]
fn restores_notices_after_a_transient_one() {
    let mut state = opened(GAME);
    state.show_problem(&Message::EngineFailed(FailureKind::NotUsi));
    state.show_transient(&Message::PictureCopied);
    let failure = |state: &AppState| state.view().notice().map(|notice| notice.failure);
    assert_eq!(failure(&state), Some(false));
    state.clear_transient();
    assert_eq!(failure(&state), Some(true), "it was said before, and nobody has dismissed it");
    state.dismiss();
    assert_eq!(failure(&state), None);
}
