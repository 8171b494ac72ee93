use super::*;

const USER: Color = Color::Black;

fn settings(control: Option<TimeControl>) -> EngineGameSettings {
    let engine = "Suisho".to_owned();
    EngineGameSettings {
        engine,
        user: USER,
        limit: Limit::Nodes(10_000),
        control,
        shows_values: false,
    }
}

/// Returns a time control with these numbers of seconds.
fn control(main: u64, byoyomi: u64, increment: u64) -> TimeControl {
    let [main, byoyomi, increment] = [main, byoyomi, increment].map(|seconds| Millis(1000 * seconds));
    TimeControl {
        main,
        byoyomi,
        increment,
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn mv(usi: &str) -> Move {
    Move::from_usi(usi).unwrap()
}

fn begin(position: &str, settings: EngineGameSettings) -> (EngineGame, Document) {
    let history = History::from_usi(position).unwrap();
    let mut document = Document::new(begin_record(&history, &settings, Some("A – B"), Lang::Ja).unwrap());
    document.go_to(document.tip_ply());
    let mut game = EngineGame::new(settings, &document);
    game.set_engine_ready(true, Duration::ZERO);
    (game, document)
}

/// Plays moves in turn, one each second.
fn play(game: &mut EngineGame, document: &mut Document, moves: &str, mut now: Duration) {
    for usi in moves.split_whitespace() {
        now += seconds(1);
        if game.is_users_turn(document) {
            assert!(game.play(document, mv(usi), now), "{usi}");
        } else {
            game.apply_best_move(document, BestMove::Move(mv(usi)), now);
        }
    }
}

#[test]
fn a_game_continues_from_a_position_and_is_marked() {
    let (mut game, mut document) = begin("startpos moves 7g7f 3c3d", settings(Some(control(600, 30, 0))));
    play(&mut game, &mut document, "2g2f 8c8d", Duration::ZERO);
    let record = document.record();
    assert_eq!(
        record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(),
        ["7g7f", "3c3d", "2g2f", "8c8d"]
    );
    let headers =
        ["先手", "後手", "棋戦", "持ち時間", "備考"].map(|key| record.header(key).unwrap_or_default());
    assert_eq!(
        headers,
        [
            "あなた",
            "Suisho（1万ノード）",
            "エンジンとの対局",
            "10分+30秒",
            "2手目から（元の棋譜 A – B）"
        ]
    );
    assert!(is_engine_game(record) && !is_engine_game(&Record::new(record.start())));
    let kif = shogibar_kifu::write(record, shogibar_kifu::Target::Kifu).bytes;
    let read = shogibar_kifu::read(&kif).unwrap().games.remove(0);
    assert_eq!(read.time_control(Color::White), Some(control(600, 30, 0)));
    let last = read.main_line().last().unwrap();
    assert_eq!(read.node(last).time.spent, Some(Millis(1000)));
}

#[test]
fn only_moves_of_the_side_to_move_are_accepted() {
    let (mut game, mut document) = begin("startpos", settings(None));
    assert!(!game.play(&mut document, mv("7g7e"), seconds(1)), "illegal");
    assert!(game.engine_turn(&document).is_none());
    assert!(game.play(&mut document, mv("7g7f"), seconds(1)));
    assert!(
        !game.play(&mut document, mv("2g2f"), seconds(1)),
        "not the user's turn"
    );
    let turn = game.engine_turn(&document).unwrap();
    assert_eq!(
        (turn.history.moves().len(), turn.limit, turn.max_time),
        (1, Limit::Nodes(10_000), None)
    );
    game.apply_best_move(&mut document, BestMove::Move(mv("3c3d")), seconds(2));
    assert!(game.is_users_turn(&document) && document.ply() == 2);
    game.apply_best_move(&mut document, BestMove::Resign, seconds(2));
    assert!(game.is_in_progress(), "it has answered twice");
}

#[test]
fn games_end_by_resignation_mate_time_and_declaration() {
    let check = |game: &EngineGame, document: &Document, end: GameEnd, winner: Option<Color>| {
        assert_eq!(*game.state(), EngineGameState::Over(end, winner));
        assert_eq!(game.winner(), winner);
        let written = document.record().end().unwrap();
        assert_eq!(
            written.outcome,
            winner.map_or(Outcome::Draw, Outcome::Win),
            "{end:?}"
        );
        let kif = shogibar_kifu::write(document.record(), shogibar_kifu::Target::Kifu).bytes;
        let read = shogibar_kifu::read(&kif).unwrap().games.remove(0);
        assert_eq!(
            read.end().map(|end| (end.reason, end.outcome)),
            Some((written.reason, written.outcome))
        );
    };
    let (mut game, mut document) = begin("startpos", settings(None));
    game.resign(&mut document, seconds(1));
    check(&game, &document, GameEnd::Resignation, Some(Color::White));

    let (mut game, mut document) = begin("startpos", settings(None));
    play(&mut game, &mut document, "7g7f", Duration::ZERO);
    game.apply_best_move(&mut document, BestMove::Resign, seconds(3));
    check(&game, &document, GameEnd::Resignation, Some(Color::Black));

    // The user resigns while the engine thinks.
    let (mut game, mut document) = begin("startpos", settings(None));
    play(&mut game, &mut document, "7g7f", Duration::ZERO);
    game.resign(&mut document, seconds(2));
    check(&game, &document, GameEnd::Resignation, Some(Color::White));

    let (mut game, mut document) = begin("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", settings(None));
    play(&mut game, &mut document, "G*5b", Duration::ZERO);
    check(&game, &document, GameEnd::Mate, Some(Color::Black));

    let (mut game, mut document) = begin("startpos", settings(Some(control(10, 0, 0))));
    game.check_clock(&mut document, Duration::from_millis(9_999));
    assert!(game.is_in_progress());
    game.check_clock(&mut document, seconds(10));
    check(&game, &document, GameEnd::TimeUp, Some(Color::White));

    let entered = "sfen 1K7/+R+B+RPPPPPP/PP1+B+P4/9/9/9/9/9/4k4 b 4G4S4N4L8P 1";
    let (mut game, mut document) = begin(entered, settings(None));
    assert!(game.can_declare(&document, document.history().now()));
    game.declare(&mut document, seconds(1));
    check(&game, &document, GameEnd::Declaration, Some(Color::Black));

    let (mut game, mut document) = begin("startpos moves 7g7f", settings(None));
    game.apply_best_move(&mut document, BestMove::Move(mv("3c3e")), seconds(1));
    check(&game, &document, GameEnd::IllegalMove, Some(Color::Black));
}

#[test]
fn the_fourth_time_is_a_draw() {
    let (mut game, mut document) = begin("startpos", settings(None));
    play(
        &mut game,
        &mut document,
        &"2h3h 8b7b 3h2h 7b8b ".repeat(3),
        Duration::ZERO,
    );
    assert_eq!(*game.state(), EngineGameState::Over(GameEnd::Repetition, None));
}

#[test]
fn clocks_run_for_the_side_to_move_and_stop_without_an_engine() {
    let clocks = |game: &EngineGame, document: &Document, now: Duration| {
        game.clocks(document, now)
            .unwrap()
            .map(|clock| clock.millis() / 1000)
    };
    let (mut game, mut document) = begin("startpos", settings(Some(control(60, 10, 0))));
    assert_eq!(clocks(&game, &document, seconds(20)), [40, 60]);
    assert!(game.play(&mut document, mv("7g7f"), seconds(30)));
    assert_eq!(clocks(&game, &document, seconds(35)), [30, 55]);
    game.set_engine_ready(false, seconds(35));
    assert_eq!(
        clocks(&game, &document, seconds(1000)),
        [30, 55],
        "it is started again"
    );
    game.fail(EngineMessage::NoMove, seconds(1000));
    assert_eq!(clocks(&game, &document, seconds(2000)), [30, 55]);
    game.resume(&mut document);
    game.set_engine_ready(true, seconds(3000));
    assert_eq!(clocks(&game, &document, seconds(3005)), [30, 50]);
    game.apply_best_move(&mut document, BestMove::Move(mv("3c3d")), seconds(3005));
    // 30 s of the main time, then 8 s of the byoyomi.
    assert_eq!(clocks(&game, &document, seconds(3043)), [2, 50]);
    assert!(game.play(&mut document, mv("2g2f"), seconds(3043)));
    assert_eq!(clocks(&game, &document, seconds(3043)), [10, 50]);
    assert!(game.is_clock_running());
}

#[test]
fn an_engine_with_a_clock_gets_less_than_its_remaining_time() {
    let max_time = |control: TimeControl| {
        let (game, document) = begin("startpos moves 7g7f", settings(Some(control)));
        game.engine_turn(&document).unwrap().max_time.unwrap()
    };
    assert_eq!(max_time(control(0, 10, 0)), Duration::from_millis(9_300));
    assert_eq!(max_time(control(600, 0, 0)), Duration::from_millis(14_300));
    assert_eq!(max_time(control(600, 30, 0)), Duration::from_millis(44_300));
    assert_eq!(
        max_time(control(1, 0, 5)),
        Duration::from_millis(300),
        "the increment comes after the move"
    );
    // The clock was stopped after 4 seconds of its turn.
    let (mut game, mut document) = begin("startpos moves 7g7f", settings(Some(control(0, 10, 0))));
    game.interrupt(&mut document, seconds(4));
    game.resume(&mut document);
    assert_eq!(
        game.engine_turn(&document).unwrap().max_time,
        Some(Duration::from_millis(5_300))
    );
}

#[test]
fn moves_are_taken_back() {
    let (mut game, mut document) = begin("startpos moves 2g2f 3c3d", settings(Some(control(60, 0, 0))));
    assert!(!game.can_take_back(&document));
    play(&mut game, &mut document, "7g7f 8c8d", Duration::ZERO);
    game.take_back(&mut document, seconds(3));
    assert_eq!(document.record().moves().count(), 2);
    assert!(game.is_users_turn(&document) && !game.can_take_back(&document));
    // The engine thinks.
    play(&mut game, &mut document, "7g7f", seconds(3));
    game.take_back(&mut document, seconds(5));
    assert!(game.is_users_turn(&document));
    // A move after the end.
    game.resign(&mut document, seconds(6));
    game.take_back(&mut document, seconds(7));
    assert_eq!(
        (document.record().moves().count(), document.record().end()),
        (2, None)
    );
    game.set_engine_ready(true, seconds(8));
    play(&mut game, &mut document, "7g7f 8b8h+", seconds(8));
    assert_eq!(
        *game.state(),
        EngineGameState::Over(GameEnd::IllegalMove, Some(USER))
    );
    game.take_back(&mut document, seconds(20));
    assert_eq!(
        document.record().moves().count(),
        2,
        "the illegal move was the engine's"
    );
    // The user resigns while the engine thinks.
    game.set_engine_ready(true, seconds(20));
    play(&mut game, &mut document, "7g7f", seconds(20));
    game.resign(&mut document, seconds(21));
    game.take_back(&mut document, seconds(22));
    assert_eq!(
        (document.record().moves().count(), game.is_users_turn(&document)),
        (3, false)
    );
}

#[test]
fn a_game_whose_last_move_is_deleted_is_no_longer_in_the_record() {
    let (mut game, mut document) = begin("startpos", settings(None));
    play(&mut game, &mut document, "7g7f 3c3d", Duration::ZERO);
    assert!(game.is_in(&document));
    document.undo();
    assert!(!game.is_in(&document));
}

#[test]
fn an_interrupted_game_continues() {
    let (mut game, mut document) = begin("startpos", settings(Some(control(60, 0, 0))));
    play(&mut game, &mut document, "7g7f 3c3d", Duration::ZERO);
    game.interrupt(&mut document, seconds(12));
    assert_eq!(
        document.record().end().map(|end| end.reason),
        Some(Reason::Interruption)
    );
    assert!(!game.play(&mut document, mv("2g2f"), seconds(13)));
    document.go_to(0);
    document.play(mv("2g2f")).unwrap();
    game.resume(&mut document);
    assert!(game.is_at_tip(&document), "whatever was looked at meanwhile");
    game.set_engine_ready(true, seconds(100));
    assert_eq!(document.record().end(), None);
    assert_eq!(
        game.clocks(&document, seconds(101))
            .unwrap()
            .map(ClockTime::millis),
        [48_000, 59_000]
    );
    play(&mut game, &mut document, "2g2f", seconds(101));
}

#[test]
fn an_earlier_position_on_view_stays_on_view() {
    let (mut game, mut document) = begin("startpos", settings(None));
    play(&mut game, &mut document, "7g7f", Duration::ZERO);
    document.go_to(0);
    game.apply_best_move(&mut document, BestMove::Move(mv("3c3d")), seconds(2));
    assert_eq!((document.ply(), document.record().moves().count()), (0, 2));
}

#[test]
fn games_in_unsearchable_or_final_positions_are_refused() {
    let refused = |position: &str| {
        let history = History::from_usi(position).unwrap();
        begin_record(&history, &settings(None), None, Lang::En).unwrap_err()
    };
    assert_eq!(
        refused("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1 moves G*5b"),
        EngineGameRefusal::Over
    );
    assert!(matches!(
        refused("sfen 4k4/9/9/9/9/9/9/9/9 b - 1"),
        EngineGameRefusal::Unsearchable(_)
    ));
    assert!(matches!(
        refused("sfen 9/9/9/9/9/9/9/9/9 b - 1"),
        EngineGameRefusal::Unsearchable(_)
    ));
}
