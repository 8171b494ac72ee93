//! The board page: the game, and the variation that the user shows beside it.

use super::*;
use crate::outputs::OutputCommand;
use crate::outputs::PageClients;
use shogibar_base::Lang;
use shogibar_kifu::{ClockTime, Millis, board_mark};
use shogibar_programme::Delay;
use shogibar_shogi::Move;

fn history(moves: &str) -> Arc<History> {
    Arc::new(History::from_usi(&format!("startpos moves {moves}")).unwrap())
}

/// A position with a mate by a drop of the gold, after four moves.
const BEFORE_MATE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1 moves 5i5h 5a6a 5h5i 6a5a";

fn play(state: &mut Scene, moves: &[&str]) {
    for mv in moves {
        state.act(AppAction::Edit(DocumentEdit::Play(Move::from_usi(mv).unwrap())));
    }
}

/// The game in progress elsewhere has these moves.
fn go_on(state: &mut Scene, moves: &str) {
    observe(state, history(moves), false);
}

fn observe(state: &mut Scene, position: Arc<History>, is_over: bool) {
    let observed = ObservedGame {
        position: Some(position),
        is_over,
        ..ObservedGame::default()
    };
    state.update(AppEvent::RelayChanged(RelayId(1), Box::new(observed)));
}

/// Returns the tab, the sentence about the game and the number of the move on the bar.
fn shown(state: &Scene) -> (String, String, String) {
    let page = state.board_page();
    let aside = page.aside.unwrap_or_default();
    (aside.tab, aside.waiting, page.bar.position_text.concat())
}

fn texts(tab: &str, waiting: &str, bar: &str) -> (String, String, String) {
    (tab.to_owned(), waiting.to_owned(), bar.to_owned())
}

/// Returns a model with a game in progress elsewhere, whose page is open.
fn live() -> Scene {
    live_at(history("7g7f 3c3d 2g2f"))
}

fn live_at(position: Arc<History>) -> Scene {
    let mut state = Scene::new(Lang::En);
    state.update(AppEvent::RelayConnected(RelayId(1), "engine".to_owned()));
    observe(&mut state, position, false);
    state.update(AppEvent::PageClients(PageClients {
        has_current: true,
        ..PageClients::default()
    }));
    state
}

#[test]
fn the_bar_stays_on_a_game_in_progress_while_a_variation_is_shown() {
    let mut state = live();
    assert_eq!(shown(&state), texts("", "", "Move 3:P-2f"));
    state.act(AppAction::Step(-1));
    assert_eq!(
        shown(&state),
        texts("Move 2", "The game waits at move 3", "Move 2:P-3d")
    );
    play(&mut state, &["6g6f", "8c8d"]);
    assert_eq!(
        shown(&state),
        texts("Variation +2", "The game waits at move 3", "Move 3:P-2f")
    );
    let mark = board_mark::read("#矢印=8d8e:1")[0];
    let node = state.document().current();
    state.act(AppAction::Edit(DocumentEdit::ToggleMark(node, mark)));
    assert_eq!(state.board_page().marks, [mark]);
    // The game goes on, and the variation stays.
    go_on(&mut state, "7g7f 3c3d 2g2f 8c8d");
    let (tab, waiting, _) = shown(&state);
    assert_eq!(
        (tab.as_str(), waiting.as_str()),
        ("Variation +2", "The game waits at move 4")
    );
    state.act(AppAction::run(ModelCommand::BackToGame));
    assert_eq!(shown(&state), texts("", "", "Move 4:P-8d"));
    assert!(state.board_page().marks.is_empty());
}

/// Returns the remaining times on the bar of the board page, in seconds.
fn clocks(state: &Scene) -> [Option<u64>; 2] {
    let bar = state.board_page().bar;
    [bar.black, bar.white].map(|side| match side.clock? {
        ClockTime::Remaining(time) | ClockTime::Used(time) => Some(time.0 / 1000),
    })
}

#[test]
fn the_clocks_of_a_game_in_progress_stay_while_a_variation_is_shown() {
    let mut state = live();
    play(&mut state, &["8c8d"]);
    let position = history("7g7f 3c3d 2g2f 4c4d");
    let observed = ObservedGame {
        position: Some(Arc::clone(&position)),
        clocks: Some((position, [300, 290].map(|seconds| Some(Millis(seconds * 1000))))),
        ..ObservedGame::default()
    };
    state.update(AppEvent::RelayChanged(RelayId(1), Box::new(observed)));
    assert_eq!(shown(&state).1, "The game waits at move 4");
    assert_eq!(clocks(&state), [Some(300), Some(290)]);
}

/// A game that ends while its user shows a variation is told as ended, until the user goes back to it.
#[test]
fn the_end_of_a_game_is_told_while_a_variation_is_shown() {
    let mut state = live_at(Arc::new(History::from_usi(BEFORE_MATE).unwrap()));
    play(&mut state, &["G*5h"]);
    let mate = Arc::new(History::from_usi(&format!("{BEFORE_MATE} G*5b")).unwrap());
    observe(&mut state, Arc::clone(&mate), true);
    let page = state.board_page();
    assert!(page.bar.decided_win.is_some(), "the end is told");
    assert_eq!(page.bar.live_mark, None, "a game that is over is not live");
    assert_eq!(page.aside.map(|aside| aside.tab).as_deref(), Some("Variation +1"));
    state.act(AppAction::run(ModelCommand::BackToGame));
    assert_eq!(state.document().ply(), 5, "at the end of the game");
    assert_eq!(state.board_page().aside, None);
    // Who studies a game that is over takes the bar along.
    state.act(AppAction::Step(-1));
    assert_eq!(state.board_page().bar.position_text.concat(), "Move 4:K-5a");
}

#[test]
fn a_delay_on_a_game_that_is_over_makes_nothing_live() {
    let mut state = live();
    observe(&mut state, history("7g7f 3c3d 2g2f"), true);
    let id = state.study_game();
    state.update(AppEvent::Control(
        ControlCommand::Output(OutputCommand::Delay(Delay::Moves(2))),
        None,
    ));
    state.act(AppAction::Step(-1));
    assert_eq!(state.output_frame(id, None).bar.live_mark, None);
}

#[test]
fn a_command_of_another_program_goes_back_to_the_game_too() {
    for command in [ControlCommand::BackToGame, ControlCommand::Follow] {
        let mut state = live();
        play(&mut state, &["8c8d", "2f2e"]);
        assert_eq!(shown(&state).0, "Variation +2");
        state.update(AppEvent::Control(command.clone(), None));
        assert_eq!(shown(&state), texts("", "", "Move 3:P-2f"), "{command:?}");
    }
}

#[test]
fn a_variation_of_a_record_is_left_where_it_begins() {
    let mut state = opened(GAME);
    state.act(AppAction::Step(-1));
    play(&mut state, &["6g6f", "8c8d"]);
    assert_eq!(shown(&state), texts("Variation +2", "From move 2", "Move 2:P-3d"));
    state.act(AppAction::run(ModelCommand::BackToGame));
    assert_eq!(shown(&state), texts("", "", "Move 2:P-3d"));
    state.act(AppAction::Step(1));
    assert_eq!(shown(&state), texts("", "", "Move 3:P-2f"));
    // Within the game, the command changes nothing.
    state.act(AppAction::run(ModelCommand::First));
    state.act(AppAction::run(ModelCommand::BackToGame));
    assert_eq!(state.document().ply(), 0);
}

/// The user plays on from the newest move of a file that another program writes.
#[test]
fn a_variation_at_the_newest_move_of_a_file_stays() {
    let mut state = opened(GAME);
    let id = state.study_game();
    let base = read(GAME);
    play(&mut state, &["4c4d"]);
    let newer = Arc::new(read(&format!("{GAME}4 ８四歩(83)\n")));
    state
        .game_mut(id)
        .unwrap()
        .merge_newer_record(&newer, Some(&base));
    assert_eq!(
        (state.document().ply(), state.game(id).last_word()),
        (4, "P-4d"),
        "the user stays in the variation"
    );
    assert_eq!(shown(&state).0, "Variation +1");
}

#[test]
fn the_window_of_the_board_page_is_an_output() {
    let mut state = opened(GAME);
    let pages = crate::outputs::OutputId::Pages;
    assert!(!state.is_on_air(pages));
    state.update(AppEvent::BoardWindow(true));
    assert!(state.is_on_air(pages));
    state.update(AppEvent::BoardWindow(false));
    assert!(!state.is_on_air(pages));
}

/// The user has tried a move where the game then goes on with another one, so the record's main line is the user's.
#[test]
fn the_game_stays_the_game_when_it_ends_after_a_variation() {
    let mut state = live();
    play(&mut state, &["4c4d"]);
    go_on(&mut state, "7g7f 3c3d 2g2f 8c8d 2f2e");
    state.act(AppAction::run(ModelCommand::BackToGame));
    assert_eq!(shown(&state), texts("", "", "Move 5:P-2e"));
    let over = history("7g7f 3c3d 2g2f 8c8d 2f2e");
    for ends in [true, false] {
        if ends {
            observe(&mut state, Arc::clone(&over), true);
        } else {
            state.update(AppEvent::RelayEnded(RelayId(1), None));
        }
        assert_eq!(shown(&state).0, "", "the game is no variation of itself");
        state.act(AppAction::Step(-1));
        state.act(AppAction::run(ModelCommand::BackToGame));
        assert_eq!(state.document().ply(), 4, "nor is an earlier position");
        state.act(AppAction::Step(1));
        assert_eq!(*state.game(state.study_game()).history(), over);
    }
}

#[test]
fn a_variation_to_mate_is_no_end_of_the_game() {
    let mut state = live_at(Arc::new(History::from_usi(BEFORE_MATE).unwrap()));
    play(&mut state, &["G*5b"]);
    assert_eq!(shown(&state).0, "Variation +1");
    assert_eq!(shown(&state).1, "The game waits at move 4");
    assert!(state.game(state.study_game()).is_running_live());
    state.act(AppAction::run(ModelCommand::BackToGame));
    assert_eq!(state.document().ply(), 4);
}
