//! Tests of the tracker: random games as noisy readings.

mod games;

use super::*;
use board::VISIBLE_CLASS_COUNT;
use games::{Camera, SeededRandom, random_game};
use shogibar_shogi::{Color, Square};

/// A tracker with the camera that shows it boards.
struct Scene {
    tracker: Tracker,
    camera: Camera,
    events: Vec<BoardEvent>,
}

impl Scene {
    fn new(mode: TrackingMode) -> Self {
        Self {
            tracker: Tracker::new(mode),
            camera: Camera::clear(1),
            events: Vec::new(),
        }
    }

    /// Shows a game from the start. Returns the scene with its events, and the last position.
    fn after(moves: &str) -> (Self, Position) {
        let mut scene = Self::new(TrackingMode::Game);
        scene.show(&Position::startpos(), 3);
        let position = scene.play(&Position::startpos(), moves);
        (scene, position)
    }

    fn show(&mut self, position: &Position, readings: usize) -> &mut Self {
        let board = BoardClasses::from_position(position);
        self.show_board(|square| board.class(square), readings)
    }

    /// Gives the tracker still readings of the classes of 81 squares.
    fn show_board(&mut self, class: impl Fn(usize) -> usize, readings: usize) -> &mut Self {
        for _ in 0..readings {
            let squares = self.camera.take(&class);
            let event = self.tracker.update(&Reading {
                squares: &squares,
                hands: None,
                is_still: true,
            });
            if !matches!(
                event,
                BoardEvent::Unchanged | BoardEvent::Waiting | BoardEvent::Hidden(_)
            ) {
                self.events.push(event);
            }
        }
        self
    }

    /// Shows the positions after each of the moves from a position. Returns the last position.
    fn play(&mut self, from: &Position, moves: &str) -> Position {
        let mut position = from.clone();
        for mv in moves.split_whitespace() {
            position.play(Move::from_usi(mv).unwrap()).unwrap();
            self.show(&position, 3);
        }
        position
    }

    /// Returns the events since the last call as text. The first letters of a move after `-N` follow N moves that were
    /// taken back.
    fn events(&mut self) -> String {
        let text = |event: BoardEvent| match event {
            BoardEvent::Played {
                undone,
                moves,
                is_guess,
                start_changed,
            } => {
                let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
                let undone = if undone > 0 {
                    format!("-{undone} ")
                } else {
                    String::new()
                };
                let flags = format!(
                    "{}{}",
                    if is_guess { "?" } else { "" },
                    if start_changed { "!" } else { "" }
                );
                format!("{undone}{}{flags}", moves.join(" ")).trim().to_owned()
            }
            BoardEvent::NewBoard { unknown, .. } => {
                format!("board {}{:?}", unknown.is_side_unknown, unknown.hands)
            }
            other => format!("{other:?}"),
        };
        let mut texts: Vec<String> = std::mem::take(&mut self.events).into_iter().map(text).collect();
        texts.dedup_by(|later, text| {
            later == text && matches!(text.as_str(), "Away" | "Impossible" | "Rotated")
        });
        texts.join(", ")
    }

    fn usi(&self) -> String {
        self.tracker.history().unwrap().usi()
    }
}

/// The event of a new board whose hands and side to move are known.
const KNOWN_BOARD: &str = "board false[0, 0, 0, 0, 0, 0, 0]";

/// Returns the position after moves from the even start.
fn after(moves: &str) -> Position {
    History::from_usi(&format!("startpos moves {moves}"))
        .unwrap()
        .now()
        .clone()
}

fn sfen(text: &str) -> Position {
    Position::from_sfen(text).unwrap()
}

#[test]
fn classes_and_squares_are_those_of_the_network() {
    let board = BoardClasses::from_position(&Position::startpos());
    let classes: Vec<usize> = (0..SQUARE_COUNT).map(|square| board.class(square)).collect();
    assert_eq!(
        crate::reader::sfen(classes.into_iter()),
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
    );
    for known in 0..VISIBLE_CLASS_COUNT {
        assert_eq!(class(piece(known)), known, "{known}");
    }
}

#[test]
fn follows_moves() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3);
    assert_eq!(scene.events(), KNOWN_BOARD);
    scene.play(&Position::startpos(), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    assert_eq!(scene.events(), "7g7f, 3c3d, 8h2b+, 3a2b, B*4e");
    assert_eq!(scene.usi(), "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e");
    let readings: Vec<u64> = scene
        .tracker
        .moves()
        .iter()
        .map(|played| played.reading)
        .collect();
    assert_eq!(readings, [5, 8, 11, 14, 17]);
}

#[test]
fn a_start_whose_pieces_are_misread_is_that_start() {
    let mut scene = Scene::new(TrackingMode::Game);
    let wrong = |position: &Position| {
        let board = BoardClasses::from_position(position);
        // On their first squares, a silver reads as a dragon, a gold as a bishop, the king as White's piece.
        move |square: usize| match (square, board.class(square)) {
            (6, class) if class != crate::network::EMPTY => opposite_class(14),
            (75, class) if class != crate::network::EMPTY => 6,
            (76, class) if class != crate::network::EMPTY => opposite_class(12),
            (_, class) => class,
        }
    };
    let start = Position::startpos();
    scene.show_board(wrong(&start), 4);
    assert_eq!(scene.events(), KNOWN_BOARD);
    let mut position = start;
    for mv in ["7g7f", "3a4b", "2g2f"] {
        position.play(Move::from_usi(mv).unwrap()).unwrap();
        scene.show_board(wrong(&position), 4);
    }
    assert_eq!(scene.events(), "7g7f, 3a4b, 2g2f");
}

#[test]
fn a_misread_start_with_a_marked_square_is_taken_once() {
    use crate::network::HIDDEN;
    let board = BoardClasses::from_position(&Position::startpos());
    let mut scene = Scene::new(TrackingMode::Game);
    let class = |square: usize| match square {
        40 => HIDDEN,
        6 => opposite_class(14),
        75 => 6,
        2 => opposite_class(12),
        _ => board.class(square),
    };
    scene.show_board(class, 100);
    assert_eq!(scene.events(), KNOWN_BOARD);
}

#[test]
fn a_board_later_in_the_game_is_taken_though_marked_squares_seem_hidden() {
    use crate::network::HIDDEN;
    let mut scene = Scene::new(TrackingMode::Everything);
    scene.show(&after("7g7f"), 4);
    let later = Position::from_sfen("4k4/9/3gP4/9/9/9/9/9/4K4 b - 1").unwrap();
    let board = BoardClasses::from_position(&later);
    scene.show_board(
        |square| if square == 40 { HIDDEN } else { board.class(square) },
        15,
    );
    assert_eq!(scene.events(), KNOWN_BOARD, "something may be below it");
    scene.show_board(
        |square| if square == 40 { HIDDEN } else { board.class(square) },
        60,
    );
    let events = scene.events();
    assert!(
        events.starts_with("board"),
        "it has been there for long: {events}"
    );
    assert_eq!(
        scene.tracker.history().unwrap().now().sfen().split(' ').next(),
        later.sfen().split(' ').next()
    );
}

#[test]
fn a_dropped_piece_that_is_misread_is_found() {
    let (mut scene, mut position) = Scene::after("7g7f 3c3d 8h2b+ 3a2b");
    assert_eq!(scene.events(), format!("{KNOWN_BOARD}, 7g7f, 3c3d, 8h2b+, 3a2b"));
    for (mv, readings) in [("B*4e", 24), ("5a5b", 3), ("2g2f", 3)] {
        position.play(Move::from_usi(mv).unwrap()).unwrap();
        let board = BoardClasses::from_position(&position);
        // The bishop is read as a dragon.
        let read = |square: usize| {
            if board.class(square) == 6 {
                14
            } else {
                board.class(square)
            }
        };
        scene.show_board(read, readings);
    }
    assert_eq!(scene.events(), "B*4e?, 5a5b, 2g2f");
}

#[test]
fn a_drop_is_found_where_an_arrow_was_read_as_the_same_piece() {
    let (mut scene, position) = Scene::after("7g7f 3c3d 8h2b+ 3a2b");
    scene.events();
    let board = BoardClasses::from_position(&position);
    let (below, bishop) = (square_index(Square::from_usi(b"4e").unwrap()), opposite_class(6));
    scene.show_board(
        |square| {
            if square == below {
                bishop
            } else {
                board.class(square)
            }
        },
        60,
    );
    scene.show(&position, 3);
    scene.events();
    scene.play(&position, "2g2f B*4e");
    assert_eq!(scene.events(), "2g2f, B*4e");
}

#[test]
fn a_piece_that_is_held_over_a_square_is_not_dropped() {
    let (mut scene, position) = Scene::after("7g7f 3c3d 8h2b+ 3a2b");
    scene.events();
    let board = BoardClasses::from_position(&position);
    let over = square_index(Square::from_usi(b"5h").unwrap());
    // The rook is still on its square, too.
    scene.show_board(|square| if square == over { 7 } else { board.class(square) }, 40);
    assert_eq!(scene.events(), "");
    let moved = scene.play(&position, "2h5h");
    assert_eq!(scene.events(), "2h5h");
    assert_eq!(scene.tracker.history().unwrap().now(), &moved);
}

#[test]
fn finds_up_to_four_moves_at_once() {
    for (moves, expect) in [
        ("7g7f 3c3d", "7g7f 3c3d"),
        ("7g7f 3c3d 8h2b+", "7g7f 3c3d 8h2b+"),
        ("7g7f 3c3d 8h2b+ 3a2b", "7g7f 3c3d 8h2b+ 3a2b"),
        ("2g2f 8c8d 2f2e 8d8e", "2g2f 8c8d 2f2e 8d8e"),
    ] {
        let mut scene = Scene::new(TrackingMode::Game);
        scene.show(&Position::startpos(), 3).events();
        scene.show(&after(moves), 3);
        assert_eq!(scene.events().trim_end_matches('?'), expect);
        assert_eq!(scene.tracker.history().unwrap().now(), &after(moves), "{moves}");
    }
}

#[test]
fn moves_that_are_found_at_once_have_the_order_in_which_squares_changed() {
    for (begun, moves) in [
        ("", "7g7f 8c8d 6g6f 4a3b"),
        ("", "6g6f 4a3b 7g7f 8c8d"),
        ("", "2g2f 3c3d 7g7f 2b8h+"),
        ("7g7f 3c3d", "8h2b+ 8c8d 2g2f 3a2b"),
        ("7g7f 3c3d", "2g2f 8c8d 8h2b+ 3a2b"),
    ] {
        for has_pointer in [false, true] {
            let mut scene = Scene::new(TrackingMode::Game);
            let start = if begun.is_empty() {
                Position::startpos()
            } else {
                after(begun)
            };
            scene.show(&start, 8).events();
            let parts: Vec<&str> = moves.split(' ').collect();
            for count in 1..=parts.len() {
                let board =
                    BoardClasses::from_position(&after(&format!("{begun} {}", parts[..count].join(" "))));
                let squares = scene.camera.take(&|square| board.class(square));
                if has_pointer {
                    scene.tracker.update_around(&squares, &[40]);
                } else {
                    scene.tracker.update(&Reading {
                        squares: &squares,
                        hands: None,
                        is_still: false,
                    });
                }
            }
            scene.show(&after(&format!("{begun} {moves}")), 3);
            let events = scene.events();
            assert!(
                events.trim_end_matches('?').ends_with(moves),
                "{begun} {moves}: {events}"
            );
        }
    }
}

#[test]
fn takes_back_a_guess_that_the_picture_contradicts() {
    // A gold can come from 6i or from 4i; at first a hand hides both.
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3).events();
    let moved = BoardClasses::from_position(&after("4i5h"));
    let hidden = |square: usize| {
        if [56, 66, 75, 76, 77].contains(&square) {
            crate::network::HIDDEN
        } else {
            moved.class(square)
        }
    };
    scene.show_board(hidden, 4);
    assert_eq!(scene.events(), "", "two golds can have moved");
    // Only 6i hidden, while 4i reads as if the gold were still there.
    let wrong = |square: usize| match square {
        75 => crate::network::HIDDEN,
        77 => BoardClasses::from_position(&Position::startpos()).class(77),
        _ => moved.class(square),
    };
    scene.show_board(wrong, 3);
    assert_eq!(scene.events(), "6i5h?");
    scene.show_board(|square| moved.class(square), 3);
    assert_eq!(scene.events(), "-1 4i5h?");
}

#[test]
fn takes_back_a_promotion_that_was_misread() {
    let mut scene = Scene::new(TrackingMode::Game);
    let before = scene
        .show(&Position::startpos(), 3)
        .play(&Position::startpos(), "7g7f 3c3d");
    scene.play(&before, "8h2b");
    scene.events();
    scene.show(&after("7g7f 3c3d 8h2b+"), 3);
    assert_eq!(scene.events(), "-1 8h2b+?");
}

#[test]
fn the_likelier_of_two_moves_is_a_guess_in_the_end() {
    // Classes of Black's pieces.
    let (bishop, horse) = (6, 13);
    for (chance, readings, expected) in [(0.9, 14, ""), (0.9, 16, "8h2b+?"), (0.7, 40, "")] {
        let mut scene = Scene::new(TrackingMode::Game);
        scene.show(&after("7g7f 3c3d"), 30).events();
        let shown = BoardClasses::from_position(&after("7g7f 3c3d 8h2b+"));
        for _ in 0..readings {
            let mut squares = scene.camera.take(&|square| shown.class(square));
            let square = squares.iter_mut().find(|square| square[horse] > 0.5).unwrap();
            *square = [0.0; crate::network::CLASS_COUNT];
            (square[horse], square[bishop]) = (chance, 1.0 - chance);
            let event = scene.tracker.update(&Reading {
                squares: &squares,
                hands: None,
                is_still: true,
            });
            scene
                .events
                .extend(Some(event).filter(|event| matches!(event, BoardEvent::Played { .. })));
        }
        assert_eq!(scene.events(), expected, "{chance} {readings}");
    }
}

#[test]
fn waits_while_a_piece_shows_twice_or_nowhere() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3).events();
    let (before, moved) = (
        BoardClasses::from_position(&Position::startpos()),
        BoardClasses::from_position(&after("2g2f")),
    );
    let twice = |square: usize| {
        if square == 52 {
            moved.class(square)
        } else {
            before.class(square).max(moved.class(square))
        }
    };
    scene.show_board(twice, 2);
    scene.show_board(|square| before.class(square).min(moved.class(square)), 3);
    assert_eq!(scene.events(), "");
    scene.show(&after("2g2f"), 3);
    assert_eq!(scene.events(), "2g2f");
}

#[test]
fn proposes_to_rotate_the_board() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3).events();
    let moved = BoardClasses::from_position(&after("7g7f"));
    scene.show_board(|square| opposite_class(moved.class(80 - square)), 4);
    assert_eq!(scene.events(), "Rotated");
    scene.tracker.set_rotated(true);
    scene.show_board(|square| opposite_class(moved.class(80 - square)), 3);
    assert_eq!(scene.events(), "7g7f");
    // The user may decline.
    let mut scene = Scene::new(TrackingMode::Everything);
    scene.show(&Position::startpos(), 3).events();
    scene.show_board(|square| opposite_class(moved.class(80 - square)), 4);
    scene.tracker.set_rotated(false);
    scene.show_board(|square| opposite_class(moved.class(80 - square)), 9);
    assert_eq!(scene.events(), "Rotated, board true[0, 0, 0, 0, 0, 0, 0]");
}

#[test]
fn takes_a_board_from_the_middle_of_a_game() {
    let mut scene = Scene::new(TrackingMode::Game);
    let middle = sfen("lnsgkgsnl/1r7/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w Bb 5");
    scene.show(&middle, 3);
    assert_eq!(scene.events(), "board true[0, 2, 0, 0, 0, 0, 0]");
    let next = scene.play(&middle, "B*6e");
    assert_eq!(scene.events(), "B*6e!", "White drops one of the bishops");
    assert_eq!(
        scene.tracker.unknown_parts(),
        UnknownParts {
            is_side_unknown: false,
            hands: [0, 1, 0, 0, 0, 0, 0]
        }
    );
    scene.play(&next, "B*5f");
    assert_eq!(scene.events(), "B*5f!");
    assert_eq!(scene.tracker.unknown_parts(), UnknownParts::default());
    assert_eq!(
        scene.usi().replace(" w Bb 1 ", " w Bb 5 "),
        format!("sfen {} moves B*6e B*5f", middle.sfen())
    );
}

#[test]
fn takes_hands_that_were_read() {
    let mut tracker = Tracker::new(TrackingMode::Game);
    let middle = BoardClasses::from_position(&sfen(
        "lnsgkgsnl/1r7/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w Bb 5",
    ));
    let squares = Camera::clear(1).take(&|square| middle.class(square));
    let hands = Some([[0, 1, 0, 0, 0, 0, 0]; 2]);
    let events: Vec<BoardEvent> = (0..3)
        .map(|_| {
            tracker.update(&Reading {
                squares: &squares,
                hands,
                is_still: true,
            })
        })
        .collect();
    assert!(
        matches!(events.last(), Some(BoardEvent::NewBoard { .. })),
        "{events:?}"
    );
    assert_eq!(
        tracker.unknown_parts(),
        UnknownParts {
            is_side_unknown: true,
            hands: [0; 7]
        }
    );
}

#[test]
fn hands_that_the_user_enters_are_those_of_the_whole_game() {
    let mut scene = Scene::new(TrackingMode::Game);
    let game = "7g7f 3c3d 8h2b+ 3a2b 2g2f 2b3c 2f2e 3c2d 3i4h";
    let history = History::from_usi(&format!("startpos moves {game}")).unwrap();
    let start = history.now().clone();
    // The bishops are in either hand, and the side to move is not known.
    scene.show(&start, 3);
    assert_eq!(scene.events(), "board true[0, 2, 0, 0, 0, 0, 0]");
    let now = scene.play(&start, "8c8d 4i5h 8d8e");
    assert_eq!(
        scene.tracker.unknown_parts(),
        UnknownParts {
            is_side_unknown: false,
            hands: [0, 2, 0, 0, 0, 0, 0]
        }
    );
    let moves: Vec<_> = ["8c8d", "4i5h", "8d8e"]
        .map(|mv| Move::from_usi(mv).unwrap())
        .into();
    let correction = |moves: &[Move], position: &Position| BoardCorrection {
        moves: moves.to_vec(),
        position: position.clone(),
    };
    let squares = scene.camera.take(&|_| 0);
    // A line that the game does not have changes nothing.
    assert!(!scene.tracker.correct(&correction(&moves[1..], &now), &squares));
    // The correction is of the position before the last move.
    let one_back = {
        let mut position = start.clone();
        moves[..2].iter().for_each(|mv| position.play(*mv).unwrap());
        position
    };
    assert!(
        scene
            .tracker
            .correct(&correction(&moves[..2], &one_back), &squares)
    );
    assert_eq!(scene.tracker.unknown_parts(), UnknownParts::default());
    let known = scene.tracker.history().unwrap();
    assert_eq!(
        (known.start().sfen().rsplit_once(' ').unwrap().0, known.moves()),
        (start.sfen().rsplit_once(' ').unwrap().0, &moves[..])
    );
    assert_eq!(
        known.now().sfen().rsplit_once(' ').unwrap().0,
        now.sfen().rsplit_once(' ').unwrap().0
    );
    // The game continues with the hands: a drop of Black's bishop is legal. The picture is still that of the game.
    scene.play(&now, "B*7g 2d1e 7g2b+");
    assert_eq!(scene.events().rsplit_once("7g2b+").unwrap().1, "");
    assert_eq!(scene.tracker.history().unwrap().moves().len(), 6);
}

#[test]
fn a_misread_square_that_the_user_corrects_stays_correct() {
    let mut scene = Scene::new(TrackingMode::Game);
    let start = after("7g7f 3c3d 2g2f 8c8d 2f2e 2b8h+ 7i8h 3a2b");
    // The silver on 8h is read as a promoted one, the pawn on 1c as nothing.
    let wrong = |position: &Position| {
        let board = BoardClasses::from_position(position);
        let (silver, pawn) = (
            square_index(Square::new(8, 8).unwrap()),
            square_index(Square::new(1, 3).unwrap()),
        );
        move |at: usize| match board.class(at) {
            4 if at == silver => 12,
            class if at == pawn && class == opposite_class(1) => crate::network::EMPTY,
            class => class,
        }
    };
    scene.show_board(wrong(&start), 30);
    scene.events();
    let mut position = start.clone();
    let read = scene.tracker.history().unwrap().now().clone();
    assert_ne!(read.sfen().split(' ').next(), start.sfen().split(' ').next());
    let squares = scene.camera.take(&wrong(&start));
    assert!(scene.tracker.correct(
        &BoardCorrection {
            moves: Vec::new(),
            position: start.clone()
        },
        &squares
    ));
    for mv in ["2e2d", "2c2d", "2h2d", "B*3c", "8h7g"] {
        position.play(Move::from_usi(mv).unwrap()).unwrap();
        scene.show_board(wrong(&position), 4);
    }
    assert_eq!(scene.events(), "2e2d, 2c2d, 2h2d, B*3c, 8h7g");
    assert_eq!(
        scene
            .tracker
            .history()
            .unwrap()
            .now()
            .sfen()
            .rsplit_once(' ')
            .unwrap()
            .0,
        position.sfen().rsplit_once(' ').unwrap().0
    );
}

#[test]
fn hands_that_later_moves_contradict_are_not_taken() {
    let mut scene = Scene::new(TrackingMode::Game);
    let history = History::from_usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f 2b3c 2f2e 3c2d 3i4h").unwrap();
    let start = history.now().clone();
    scene.show(&start, 3);
    scene.play(&start, "B*4e 4i5h 8c8d");
    let before = scene.tracker.history().unwrap();
    assert_eq!(before.moves().len(), 3);
    // Both bishops would be Black's, and White has dropped one.
    let mut setup = shogibar_shogi::Setup::from_position(&start);
    assert!(setup.remove_from_hand(Color::White, shogibar_shogi::PieceKind::Bishop));
    setup
        .add_to_hand(Color::Black, shogibar_shogi::PieceKind::Bishop, 1)
        .unwrap();
    let position = setup.build(Color::White, 1);
    let squares = scene.camera.take(&|_| 0);
    assert!(!scene.tracker.correct(
        &BoardCorrection {
            moves: Vec::new(),
            position
        },
        &squares
    ));
    assert_eq!(scene.tracker.history(), Some(before));
}

#[test]
fn a_position_that_the_moves_do_not_lead_to_is_a_new_beginning() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3);
    let now = scene.play(&Position::startpos(), "7g7f 3c3d");
    let other = sfen("4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1");
    let squares = scene.camera.take(&|_| 0);
    let correction = BoardCorrection {
        moves: ["7g7f", "3c3d"].map(|mv| Move::from_usi(mv).unwrap()).into(),
        position: other.clone(),
    };
    assert!(scene.tracker.correct(&correction, &squares));
    let history = scene.tracker.history().unwrap();
    assert_eq!((history.start().sfen(), history.moves().len()), (other.sfen(), 0));
    assert_ne!(now.sfen(), other.sfen());
}

#[test]
fn refuses_boards_that_no_game_has() {
    for board in [
        "4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/4K4/9/9/9/4K4 b - 1",
        "4k4/9/9/9/GGGGG4/9/9/9/4K4 b - 1",
        "P3k4/9/9/9/9/9/9/9/4K4 b - 1",
        "4k4/4G4/9/9/9/9/9/4g4/4K4 b - 1",
    ] {
        let mut scene = Scene::new(TrackingMode::Everything);
        scene.show(&sfen(board), 9);
        assert_eq!(
            (scene.events().as_str(), scene.tracker.history()),
            ("Impossible", None),
            "{board}"
        );
    }
    let mut scene = Scene::new(TrackingMode::Everything);
    scene.show(&sfen("4k4/4G4/9/9/9/9/9/9/4K4 b - 1"), 3);
    assert!(scene.events().starts_with("board false"), "White is in check");
    assert_eq!(
        scene.tracker.history().unwrap().now().side_to_move(),
        Color::White
    );
}

const GAME_MOVES: &str = "7g7f 3c3d 2g2f 8c8d 2f2e 4a3b 6i7h 8d8e 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f";

#[test]
fn follows_a_review_with_steps_back_and_variations() {
    let mut scene = Scene::new(TrackingMode::Everything);
    let end = scene
        .show(&Position::startpos(), 3)
        .play(&Position::startpos(), GAME_MOVES);
    scene.events();
    let moves: Vec<&str> = GAME_MOVES.split(' ').collect();
    let ply = |count: usize| after(&moves[..count].join(" "));
    scene.show(&ply(13), 3).show(&ply(12), 3).show(&ply(8), 3);
    assert_eq!(scene.events(), "-1, -1, -4");
    scene.play(&ply(8), "9g9f 8e8f");
    assert_eq!(scene.events(), "9g9f, 8e8f");
    scene.show(&end, 3);
    assert_eq!(scene.events(), "-2 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f");
    let mut variation = ply(6);
    variation.play(Move::from_usi("2h5h").unwrap()).unwrap();
    scene.show(&variation, 3);
    assert_eq!(
        scene.events(),
        "-8 2h5h?",
        "the last moves were seen three times only"
    );
    // Another game, and back.
    let other = sfen("4k4/9/4P4/9/9/9/9/9/4K4 b - 1");
    scene.show(&other, 4).show(&end, 4);
    assert_eq!(
        scene.events(),
        "board true[2, 2, 4, 4, 4, 4, 17], ".to_owned() + KNOWN_BOARD
    );
    assert_eq!(scene.usi(), format!("startpos moves {GAME_MOVES}"));
}

#[test]
fn stays_with_the_game_during_a_review() {
    let mut scene = Scene::new(TrackingMode::Game);
    let end = scene
        .show(&Position::startpos(), 3)
        .play(&Position::startpos(), GAME_MOVES);
    scene.show(&end, 9).events();
    let moves: Vec<&str> = GAME_MOVES.split(' ').collect();
    let ply = |count: usize| after(&moves[..count].join(" "));
    for count in (4..14).rev() {
        scene.show(&ply(count), 5);
    }
    scene.play(&ply(4), "9g9f 9c9d 2f2e 4a3b");
    assert_eq!(scene.events(), "Away");
    scene.show(&end, 3);
    scene.play(&end, "P*8g");
    assert_eq!(scene.events(), "P*8g");
    assert_eq!(scene.usi(), format!("startpos moves {GAME_MOVES} P*8g"));
    // A new game has begun.
    scene.show(&after("2g2f"), 30);
    assert_eq!(scene.events(), format!("Away, {KNOWN_BOARD}, 2g2f"));
}

#[test]
fn takes_a_later_board_of_the_game_after_a_long_cut() {
    let mut scene = Scene::new(TrackingMode::Game);
    let moves: Vec<&str> = GAME_MOVES.split(' ').collect();
    let beginning = moves[..6].join(" ");
    scene
        .show(&Position::startpos(), 3)
        .play(&Position::startpos(), &beginning);
    scene.events();
    scene.show(&after(GAME_MOVES), 50);
    assert!(scene.events().starts_with("Away, board true"), "fourteen moves");
}

#[test]
fn an_abandoned_game_is_found_again() {
    let mut scene = Scene::new(TrackingMode::Game);
    let end = scene
        .show(&Position::startpos(), 3)
        .play(&Position::startpos(), GAME_MOVES);
    scene.show(&end, 9).events();
    let problem = sfen("3gk4/4p4/9/4P4/9/9/9/9/4K4 b - 1");
    scene.show(&problem, 25);
    assert!(scene.events().starts_with("Away, board true"));
    scene.show(&end, 25);
    assert_eq!(scene.events(), format!("Away, {KNOWN_BOARD}"));
    scene.play(&end, "P*8g");
    assert_eq!(scene.usi(), format!("startpos moves {GAME_MOVES} P*8g"));
    // Another board from the middle of a game, nearer to the first game than to the problem.
    scene.show(&problem, 25).events();
    scene.show(&after("2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3g3f 1c1d 9g9f"), 25);
    assert!(scene.events().starts_with("Away, board true"));
}

#[test]
fn a_board_without_a_king_is_not_taken() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&sfen("3gk4/4p4/9/4P4/9/9/9/9/9 b 2S 1"), 5);
    assert_eq!(scene.events.first(), Some(&BoardEvent::NoKing));
    assert!(scene.tracker.history().is_none());
    scene.events.clear();
    scene.show(&Position::startpos(), 3);
    assert_eq!(scene.events(), KNOWN_BOARD);
}

#[test]
fn a_board_that_stays_in_doubt_is_taken_in_the_end() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3).events();
    // Five pawns resemble silvers.
    let board = BoardClasses::from_position(&after(GAME_MOVES));
    let pawns: Vec<usize> = (0..SQUARE_COUNT)
        .filter(|square| board.class(*square) == 1)
        .take(5)
        .collect();
    let misread = |square: usize| {
        if pawns.contains(&square) {
            4
        } else {
            board.class(square)
        }
    };
    scene.show_board(misread, 30);
    assert_eq!(scene.events(), "");
    scene.show_board(misread, 60);
    assert!(
        scene.events().contains("board true"),
        "most of it is better than the game before"
    );
    scene.show_board(misread, 100);
    assert_eq!(scene.events(), "", "once");
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show_board(misread, 20);
    let events = scene.events();
    assert!(events.contains("board true"), "{events}");
}

#[test]
fn squares_that_cannot_be_seen_do_not_rewrite_a_game() {
    use crate::network::HIDDEN;
    let begun = "7g7f 3c3d 2g2f 8c8d 2f2e";
    for hidden in [[34, 43, 70], [43, 52, 61], [34, 61, 70], [34, 43, 52]] {
        let mut scene = Scene::new(TrackingMode::Game);
        let mut position = scene
            .show(&after(begun), 4)
            .play(&after(begun), "8d8e 6i7h 4a3b 2e2d 2c2d");
        scene.events();
        position.play(Move::from_usi("2h2d").unwrap()).unwrap();
        let board = BoardClasses::from_position(&position);
        scene.show_board(
            |square| {
                if hidden.contains(&square) {
                    HIDDEN
                } else {
                    board.class(square)
                }
            },
            40,
        );
        let under_arrow = scene.events();
        assert!(
            under_arrow.is_empty() || under_arrow.starts_with("2h2d"),
            "{hidden:?}: {under_arrow}"
        );
        scene.show(&position, 4);
        assert!(
            scene.usi().ends_with("8d8e 6i7h 4a3b 2e2d 2c2d 2h2d"),
            "{hidden:?}: {}",
            scene.usi()
        );
    }
}

#[test]
fn a_move_is_read_while_a_pointer_goes_over_other_squares() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3).events();
    let mut update = |position: &Position, moving: &[usize]| {
        let board = BoardClasses::from_position(position);
        let squares = scene.camera.take(&|square| board.class(square));
        scene.tracker.update_around(&squares, moving)
    };
    let played = after("2g2f");
    // The pointer is where the pawn has come to.
    assert_eq!(
        [52, 52, 52].map(|square| update(&played, &[square])),
        [const { BoardEvent::Waiting }; 3]
    );
    assert_eq!(update(&played, &[40]), BoardEvent::Waiting);
    assert!(matches!(update(&played, &[31, 40]), BoardEvent::Played { .. }));
    for square in 0..SQUARE_COUNT {
        assert_eq!(
            update(&played, &[square]),
            BoardEvent::Waiting,
            "nothing is played where nothing changes"
        );
    }
}

#[test]
fn remembers_squares_that_are_misread() {
    // The pawn on 5e always reads as White's lance.
    let mut scene = Scene::new(TrackingMode::Game);
    let mut position = scene
        .show(&Position::startpos(), 3)
        .play(&Position::startpos(), "5g5f 3c3d");
    scene.events();
    for mv in ["5f5e", "8c8d", "7g7f", "8d8e", "7f7e"] {
        position.play(Move::from_usi(mv).unwrap()).unwrap();
        let board = BoardClasses::from_position(&position);
        scene.show_board(
            |square| {
                if square == 40 {
                    class(piece(16))
                } else {
                    board.class(square)
                }
            },
            8,
        );
    }
    assert_eq!(scene.events(), "5f5e?, 8c8d, 7g7f, 8d8e, 7f7e");
    assert_eq!(scene.tracker.history().unwrap().now(), &position);
}

#[test]
fn reports_hidden_squares() {
    let mut scene = Scene::new(TrackingMode::Game);
    scene.show(&Position::startpos(), 3);
    let board = BoardClasses::from_position(&Position::startpos());
    for (count, expect) in [
        (0, BoardEvent::Unchanged),
        (9, BoardEvent::Hidden(9)),
        (40, BoardEvent::Lost),
    ] {
        let squares = scene.camera.take(&|square| {
            if square < count {
                crate::network::HIDDEN
            } else {
                board.class(square)
            }
        });
        assert_eq!(
            scene.tracker.update(&Reading {
                squares: &squares,
                hands: None,
                is_still: true
            }),
            expect
        );
    }
    assert_eq!(
        scene.tracker.update(&Reading {
            squares: &[],
            hands: None,
            is_still: true
        }),
        BoardEvent::Lost
    );
}

#[test]
fn a_first_board_is_taken_though_marked_squares_seem_hidden() {
    use crate::network::HIDDEN;
    let marked = [47, 56];
    let mut scene = Scene::new(TrackingMode::Game);
    let begun = after("7g7f");
    let board = BoardClasses::from_position(&begun);
    scene.show_board(
        |square| {
            if marked.contains(&square) {
                HIDDEN
            } else {
                board.class(square)
            }
        },
        3,
    );
    assert_eq!(scene.events(), "", "a pawn may be below one of them");
    let empty = [40, 41];
    scene.show_board(
        |square| {
            if empty.contains(&square) {
                HIDDEN
            } else {
                board.class(square)
            }
        },
        3,
    );
    assert_eq!(
        scene.events(),
        KNOWN_BOARD,
        "all pieces are visible, so that nothing is below them"
    );
    let mut later = Scene::new(TrackingMode::Game);
    let middle = after("7g7f 3c3d 8h2b+ 3a2b");
    let board = BoardClasses::from_position(&middle);
    for square in 36..45 {
        // A pointer on its way.
        later.show_board(|at| if at == square { HIDDEN } else { board.class(at) }, 9);
    }
    later.show_board(
        |square| {
            if empty.contains(&square) {
                HIDDEN
            } else {
                board.class(square)
            }
        },
        19,
    );
    assert_eq!(later.events(), "");
    later.show_board(
        |square| {
            if empty.contains(&square) {
                HIDDEN
            } else {
                board.class(square)
            }
        },
        16,
    );
    assert!(
        later.events().starts_with("board"),
        "they have been there for long"
    );
    assert_eq!(
        later.tracker.history().unwrap().now().sfen().split(' ').next(),
        middle.sfen().split(' ').next()
    );
}

#[expect(clippy::print_stdout, reason = "the figures are for developers")]
#[test]
fn follows_random_games_without_a_wrong_move() {
    let mut totals = games::Totals::default();
    for seed in 0..200 {
        let mode = if seed % 2 == 0 {
            TrackingMode::Game
        } else {
            TrackingMode::Everything
        };
        games::follow(
            &random_game(40, &mut SeededRandom::new(seed)),
            mode,
            seed,
            &mut totals,
        );
    }
    println!("{totals}");
    assert_eq!(totals.wrong_moves, 0, "{totals}");
    assert!(
        totals.found_pictures[1] * 1000 >= totals.shown_pictures[1] * 995,
        "{totals}"
    );
    let several = |counts: [usize; 5]| counts.iter().skip(2).sum::<usize>();
    assert!(
        several(totals.found_pictures) * 100 >= several(totals.shown_pictures) * 85,
        "{totals}"
    );
}

proptest::proptest! {
    #[test]
    fn accepts_any_reading(seed: u64, readings in 1..12_usize) {
        let mut random = SeededRandom::new(seed);
        let mut tracker = Tracker::new(if seed % 2 == 0 { TrackingMode::Game } else { TrackingMode::Everything });
        for _ in 0..readings {
            let mut camera = Camera::clear(seed);
            let squares: Vec<usize> = (0..SQUARE_COUNT).map(|_| random.below(30) * usize::from(random.below(3) == 0)).collect();
            let squares = camera.take(&|square| squares.get(square).copied().unwrap_or_default());
            let reading = Reading { squares: &squares, hands: None, is_still: random.below(4) > 0 };
            let _any = (tracker.update(&reading), tracker.update(&reading), tracker.history());
        }
    }
}
