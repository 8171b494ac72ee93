//! Boards on the screen.

use super::*;
use shogibar_live::{BoardCorrection, ScreenState};
use shogibar_shogi::BoardDoubt;

#[test]
fn a_board_on_the_screen_is_followed_as_the_user_wants() {
    let mut live = LiveModel::new();
    live.act(AppAction::run(ModelCommand::FollowScreen));
    assert_eq!(live.screens, [], "no board is read");
    live.act(AppAction::run(ModelCommand::ReadScreen));
    live.report(SourceEvent::State(SourceState::Screen(ScreenState::Searching(
        Vec::new(),
    ))));
    assert_eq!(live.shown(), (String::new(), Some(LiveMark::Waiting)));
    live.play("1", "7g7f 3c3d");
    assert_eq!(live.shown(), ("7g7f 3c3d".to_owned(), Some(LiveMark::Live)));
    let command = |live: &LiveModel| live.game().source().map(GameSource::suggested_command);
    for (state, suggested, mark) in [
        (ScreenState::Moving, Command::OpenAddress, LiveMark::Live),
        (ScreenState::Gone, Command::OpenAddress, LiveMark::NotSeen),
        (ScreenState::Away, Command::FollowScreen, LiveMark::Away),
        (ScreenState::NoKing, Command::OpenAddress, LiveMark::Away),
        (
            ScreenState::Rotated,
            Command::SwapScreen,
            LiveMark::PartUnknown(BoardDoubt::Rotated),
        ),
        (ScreenState::Hidden(9), Command::OpenAddress, LiveMark::Covered),
        (
            ScreenState::Covered(2, Vec::new()),
            Command::OpenAddress,
            LiveMark::Covered,
        ),
        (
            ScreenState::PartUnknown(BoardDoubt::Hands),
            Command::CorrectBoard,
            LiveMark::PartUnknown(BoardDoubt::Hands),
        ),
    ] {
        live.report(SourceEvent::State(SourceState::Screen(state.clone())));
        assert_eq!(
            (command(&live), live.shown().1),
            (Some(suggested), Some(mark)),
            "{state:?}"
        );
    }
    live.report(SourceEvent::State(SourceState::Live));
    assert_eq!(live.shown().1, Some(LiveMark::Live));
    live.act(AppAction::run(ModelCommand::SwapScreen));
    live.act(AppAction::run(ModelCommand::FollowScreen));
    live.act(AppAction::run(ModelCommand::SwapScreen));
    let wishes: Vec<_> = live
        .screens
        .iter()
        .map(|wish| (wish.follows_everything, wish.is_rotated))
        .collect();
    assert_eq!(wishes, [(false, true), (true, true), (true, false)]);
    let tabs = live.model.games().count();
    live.play("1", "7g7f 3c3d 2g2f 8c8d");
    let mut record = Record::new(
        &Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPP1/1B5R1/LNSGKGSNL b P 1").unwrap(),
    );
    record.add_line(
        NodeId::START,
        &["7g7f", "3c3d", "2g2f", "8c8d", "P*1g"].map(|mv| Move::from_usi(mv).unwrap()),
    );
    live.report(SourceEvent::Game(LiveGame::from_record(
        "1".to_owned(),
        Arc::new(record),
    )));
    assert_eq!(
        live.model.games().count(),
        tabs,
        "a drop has told what was in hand at the start"
    );
    live.play("2", "2g2f");
    assert_eq!(
        (live.shown().0.as_str(), live.model.games().count()),
        ("2g2f", tabs + 1),
        "a game that was read stays"
    );
    live.play("3", "7g7f");
    assert_eq!(live.model.games().count(), tabs + 1, "one move is no loss");
    live.act(AppAction::run(ModelCommand::ReadScreen));
    assert_eq!(live.ended_sources.len(), 1, "the same command stops it");
    assert!(
        live.model.recent_files().is_empty(),
        "an area of the screen is nothing to open later"
    );
    assert!(
        live.model.current_workspace().games.is_empty(),
        "no screen is read without being asked"
    );
}

#[test]
fn values_are_greyed_until_the_hands_are_known() {
    let mut live = LiveModel::new();
    live.act(AppAction::run(ModelCommand::ReadScreen));
    let middle = "lnsgkgsnl/1r7/p1pppp1pp/9/9/9/P1PPPPPPP/7R1/LNSGKGSNL b - 1";
    let game = |sfen: &str, moves: &[&str]| {
        let mut record = Record::new(&Position::from_sfen(sfen).unwrap());
        let moves: Vec<Move> = moves.iter().map(|mv| Move::from_usi(mv).unwrap()).collect();
        record.add_line(NodeId::START, &moves);
        SourceEvent::Game(LiveGame::from_record("1".to_owned(), Arc::new(record)))
    };
    let correction = |live: &LiveModel| {
        Box::new(BoardCorrection {
            moves: live.game().history().moves().to_vec(),
            position: live.game().history().now().without_history(),
        })
    };
    live.report(game(middle, &["2g2f", "7c7d"]));
    live.report(SourceEvent::State(SourceState::Screen(ScreenState::PartUnknown(
        BoardDoubt::Hands,
    ))));
    let info = EngineInfo {
        name: "x".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let (engine, _) = live.model.add_engine(live.model.study_bar(), info);
    let searched = |live: &mut LiveModel| {
        let history = Arc::clone(live.game().history());
        let best = Candidate {
            rank: 1,
            value: Value::Cp(700),
            bound: None,
            depth: Some(9),
            pv: Vec::new(),
        };
        let search_info = SearchInfo {
            history,
            candidates: vec![best],
            stats: SearchStats::default(),
        };
        let snapshot = Snapshot {
            search_info: Some(search_info),
            multipv: 1,
            ..Snapshot::default()
        };
        live.handle(AppEvent::Snapshot(engine, Box::new(snapshot)));
        live.model.bar_view(live.model.study_bar())
    };
    let view = searched(&mut live);
    assert!(
        view.is_stale
            && view.evaluation.is_empty()
            && view
                .engines
                .iter()
                .all(|engine| engine.is_stale && engine.candidates.is_empty()),
        "{view:?}"
    );
    assert_eq!(
        view.live_mark.map(|mark| mark.text(Lang::Ja)).as_deref(),
        Some("持ち駒が未確認")
    );
    let asked = correction(&live);
    live.act(AppAction::CorrectBoard(asked.clone()));
    assert_eq!(live.corrections, [*asked.clone()]);
    // A new game gets a tab, and the unknown part of this one is still unknown. The source has applied the correction.
    let tabs = live.model.games().count();
    live.report(game(
        "lnsgkgsnl/1r7/p1pppp1pp/9/9/9/P1PPPPPPP/7R1/LNSGKGSNL b 3Pb 1",
        &["2g2f", "7c7d"],
    ));
    live.report(SourceEvent::State(SourceState::Live));
    let view = searched(&mut live);
    assert!(!view.is_stale && !view.evaluation.is_empty(), "{view:?}");
    assert_eq!(
        (live.shown().0.as_str(), live.model.games().count()),
        ("2g2f 7c7d", tabs)
    );
    live.act(AppAction::run(ModelCommand::ReadScreen));
    live.act(AppAction::run(ModelCommand::ReadScreen));
    let begun = live.begun_game.as_ref().map(|game| game.record.start().sfen());
    assert_eq!(
        begun.as_deref(),
        Some("lnsgkgsnl/1r7/p1pppp1pp/9/9/9/P1PPPPPPP/7R1/LNSGKGSNL b 3Pb 1"),
        "the hands stay"
    );
    // Without a board on the screen there is nothing to correct.
    live.act(AppAction::run(ModelCommand::ReadScreen));
    live.act(AppAction::CorrectBoard(asked));
    assert_eq!(live.corrections.len(), 1);
}

#[test]
fn a_game_on_the_screen_continues_after_a_stop() {
    let mut live = LiveModel::new();
    let read_screen = AppAction::run(ModelCommand::ReadScreen);
    live.act(read_screen.clone());
    live.act(AppAction::run(ModelCommand::SwapScreen));
    live.play("1", "7g7f 3c3d 2g2f 8c8d");
    let tabs = live.model.games().count();
    live.act(read_screen.clone());
    assert_eq!(
        (live.ended_sources.len(), live.shown()),
        (1, ("7g7f 3c3d 2g2f 8c8d".to_owned(), None))
    );
    let source = live
        .game()
        .source()
        .map(|source| (source.is_running(), source.suggested_command()));
    assert_eq!(source, Some((false, Command::ReadScreen)));
    live.act(read_screen.clone());
    let begun = live
        .begun_game
        .as_ref()
        .map(|game| (game.id.as_str(), game.record.len()));
    assert_eq!(begun, Some(("1", 4)));
    assert_eq!(
        live.screens
            .iter()
            .map(|wish| wish.is_rotated)
            .collect::<Vec<_>>(),
        [true, true]
    );
    live.play("1", "7g7f 3c3d 2g2f 8c8d 2f2e");
    assert_eq!(
        (live.shown().0.as_str(), live.model.games().count()),
        ("7g7f 3c3d 2g2f 8c8d 2f2e", tabs)
    );
    live.report(SourceEvent::State(SourceState::Screen(ScreenState::PartUnknown(
        BoardDoubt::Hands,
    ))));
    live.act(read_screen.clone());
    live.act(read_screen);
    assert_eq!(
        live.begun_game, None,
        "a game of which not all is known begins anew"
    );
}

#[test]
fn one_of_several_boards_on_the_screen_is_chosen() {
    let mut live = LiveModel::new();
    live.open(&["screen:"]);
    let board = |address: &str| GameChoice {
        title: address.to_owned(),
        address: address.to_owned(),
    };
    live.report(SourceEvent::Games(vec![
        board("screen:0,0,400,440"),
        board("screen:900,40,300,330"),
    ]));
    live.act(AppAction::SelectGame(1));
    let area = LiveAddress::parse("screen:900,40,300,330").unwrap();
    assert_eq!(
        live.started_sources.last().map(|(_, address)| address),
        Some(&area)
    );
    assert_eq!(live.ended_sources.len(), 1, "the search has ended");
}
