use super::*;
use BoardDirection::{Down, Left, Right, Up};
use shogibar_base::Lang;
use shogibar_shogi::PieceKind;

fn square(usi: &str) -> Option<BoardSlot> {
    Square::from_usi(usi.as_bytes()).map(BoardSlot::Square)
}

fn play(usi: &str) -> Option<BoardAction> {
    Move::from_usi(usi).map(BoardAction::Play)
}

fn clicks(position: &Position, input: &mut BoardInput, squares: &[&str]) -> Option<BoardAction> {
    let view = BoardView::new(position, Lang::En);
    let clicked = |usi: &&str| {
        input.release_if_position_changed(&view);
        input.on_click(square(usi), &view)
    };
    squares.iter().map(clicked).last().flatten()
}

#[test]
fn two_clicks_play_a_move() {
    let start = Position::startpos();
    let check = |squares: &[&str], expect, is_held: bool| {
        let mut input = BoardInput::default();
        assert_eq!(clicks(&start, &mut input, squares), expect, "{squares:?}");
        assert_eq!(input.is_busy(), is_held, "{squares:?}");
    };
    check(&["7g"], None, true);
    check(&["7g", "7f"], play("7g7f"), false);
    check(&["7g", "7g"], None, false);
    check(&["7g", "7e"], None, false);
    check(&["7g", "2g", "2f"], play("2g2f"), false);
    check(&["3c"], None, false);
    check(&["5e"], None, false);
    check(&["5e", "7g", "7f"], play("7g7f"), false);
}

#[test]
fn held_piece_has_targets_and_is_released_in_another_position() {
    let (start, mut input) = (Position::startpos(), BoardInput::default());
    clicks(&start, &mut input, &["2h"]);
    let targets: Vec<String> = input.targets().iter().map(ToString::to_string).collect();
    assert_eq!(targets, ["1h", "3h", "4h", "5h", "6h", "7h"]);
    let mut next = start.clone();
    next.play(Move::from_usi("7g7f").unwrap()).unwrap();
    input.release_if_position_changed(&BoardView::new(&next, Lang::En));
    assert_eq!((input.held_slot(), input.targets().len()), (None, 0));
    clicks(&start, &mut input, &["2h"]);
    input.release_if_position_changed(&BoardView {
        mode: BoardMode::ReadOnly,
        ..BoardView::new(&start, Lang::En)
    });
    assert!(!input.is_busy(), "nothing may be moved any more");
}

#[test]
fn asks_for_promotion_only_where_optional() {
    let position = Position::from_sfen("4k4/3P3P1/8N/9/9/9/9/1B7/4K4 b - 1").unwrap();
    let mut input = BoardInput::default();
    let view = BoardView::new(&position, Lang::En);
    assert_eq!(
        clicks(&position, &mut input, &["2b", "2a"]),
        play("2b2a+"),
        "it could not move on"
    );
    assert_eq!(
        clicks(&position, &mut input, &["1c", "2a"]),
        play("1c2a+"),
        "nor could this"
    );
    assert_eq!(
        clicks(&position, &mut input, &["8h", "7g"]),
        play("8h7g"),
        "not there"
    );
    for (chosen, expect) in [(true, "8h2b+"), (false, "8h2b")] {
        let taken = Position::from_sfen("4k4/7p1/9/9/9/9/9/1B7/4K4 b - 1").unwrap();
        assert_eq!(clicks(&taken, &mut input, &["8h", "2b"]), None);
        assert!(
            input.choice().is_some_and(|choice| choice.promotes),
            "promotion is what is usual"
        );
        assert_eq!(input.choose_promotion(chosen), play(expect));
        assert!(!input.is_busy());
    }
    clicks(&position, &mut input, &["8h", "2b"]);
    let far = Position::from_sfen("4k4/7p1/9/9/9/9/9/1B7/4K4 b - 1").unwrap();
    clicks(&far, &mut input, &["8h", "2b"]);
    assert!(input.choice().is_some());
    assert_eq!(
        clicks(&far, &mut input, &["5i"]),
        None,
        "whoever clicks elsewhere does not want it"
    );
    assert!(!input.is_busy());
    assert_eq!(input.choose_promotion(true), None, "nothing is asked");
    assert_eq!(input.on_click(None, &view), None);
}

#[test]
fn drops_and_drags_pieces() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 b 2Pg 1").unwrap();
    let view = BoardView::new(&position, Lang::En);
    let mut input = BoardInput::default();
    let pawn = BoardSlot::Hand(Color::Black, PieceKind::Pawn);
    input.on_click(Some(pawn), &view);
    assert_eq!(
        input.targets().len(),
        64,
        "no second pawn on the fifth file, and none on the first rank"
    );
    assert_eq!(input.on_click(square("4e"), &view), play("P*4e"));
    input.start_drag(Some(pawn), &view);
    assert_eq!(input.dragged_slot(), Some(pawn));
    assert_eq!(input.end_drag(square("5e"), &view), None, "a second pawn");
    assert!(!input.is_busy(), "it goes back");
    input.start_drag(square("5g"), &view);
    assert_eq!(input.end_drag(square("5g"), &view), None);
    assert_eq!(
        (input.dragged_slot(), input.held_slot()),
        (None, square("5g")),
        "as after a click"
    );
    input.start_drag(square("5g"), &view);
    assert_eq!(input.end_drag(None, &view), None, "beyond the board");
    assert!(!input.is_busy());
    input.start_drag(square("5g"), &view);
    assert_eq!(input.end_drag(square("5f"), &view), play("5g5f"));
    input.start_drag(Some(BoardSlot::Hand(Color::White, PieceKind::Gold)), &view);
    assert!(!input.is_busy(), "it is not White's turn");
}

#[test]
fn cursor_keys_reach_every_slot() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 b 2Pg 1").unwrap();
    let check = |flipped, from: &str, way: &[BoardDirection], expect: Option<BoardSlot>| {
        let view = BoardView {
            is_flipped: flipped,
            ..BoardView::new(&position, Lang::En)
        };
        let mut input = BoardInput {
            cursor: square(from),
            ..BoardInput::default()
        };
        for direction in way {
            input.move_cursor_by(*direction, &view);
        }
        assert_eq!(input.cursor(), expect, "{from} {way:?}");
    };
    check(false, "5e", &[Left, Up], square("6d"));
    check(true, "5e", &[Left, Up], square("4f"));
    check(false, "1e", &[Right], square("1e"));
    check(false, "9i", &[Left], square("9i"));
    let (pawn, gold) = (
        BoardSlot::Hand(Color::Black, PieceKind::Pawn),
        BoardSlot::Hand(Color::White, PieceKind::Gold),
    );
    check(false, "3i", &[Down], Some(pawn));
    check(false, "3i", &[Down, Up], square("5i"));
    check(false, "3a", &[Up], Some(gold));
    check(false, "3a", &[Up, Up, Left, Right], Some(gold));
    check(false, "3a", &[Up, Down], square("5a"));
    check(true, "3a", &[Down], Some(gold));

    let view = BoardView::new(&position, Lang::En);
    let mut input = BoardInput::default();
    input.move_cursor_by(Up, &view);
    assert_eq!(
        input.cursor(),
        square("5e"),
        "the first key only shows where they are"
    );
    for direction in [Down, Down] {
        input.move_cursor_by(direction, &view);
    }
    assert_eq!(input.on_enter(&view), None);
    input.move_cursor_by(Up, &view);
    assert_eq!(input.on_enter(&view), play("5g5f"));
}

#[test]
fn editing_moves_any_piece() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 w 2Pg 7").unwrap();
    let view = BoardView {
        mode: BoardMode::Edit,
        ..BoardView::new(&position, Lang::En)
    };
    let mut input = BoardInput::default();
    let mut check = |clicks: &[BoardSlot], expect: &str| {
        let action = clicks
            .iter()
            .map(|slot| input.on_click(Some(*slot), &view))
            .last()
            .flatten();
        let Some(BoardAction::Edit(edited)) = action else {
            panic!("{clicks:?}: {action:?}")
        };
        assert_eq!(edited.sfen(), expect, "{clicks:?}");
        assert!(!input.is_busy(), "{clicks:?}");
    };
    let at = |usi| square(usi).unwrap();
    check(&[at("5g"), at("1a")], "4k3P/9/9/9/9/9/9/9/4K4 w 2Pg 7");
    check(&[at("5a"), BoardSlot::Tray], "9/9/9/9/9/9/4P4/9/4K4 w 2Pg 7");
    check(
        &[at("5g"), BoardSlot::Stand(Color::White)],
        "4k4/9/9/9/9/9/9/9/4K4 w 2Pgp 7",
    );
    check(
        &[BoardSlot::Box(PieceKind::Rook), at("5e")],
        "4k4/9/9/9/4R4/9/4P4/9/4K4 w 2Pg 7",
    );
    check(
        &[BoardSlot::Stand(Color::Black)],
        "4k4/9/9/9/9/9/4P4/9/4K4 b 2Pg 7",
    );
    assert_eq!(
        input.on_click(Some(BoardSlot::Stand(Color::White)), &view),
        None,
        "it is White's turn already"
    );
    let Some(BoardAction::Edit(flipped)) = input.flip_piece(square("5g"), &view) else {
        panic!("nothing turned")
    };
    assert_eq!(flipped.sfen(), "4k4/9/9/9/9/9/4+P4/9/4K4 w 2Pg 7");
    let Some(BoardAction::Edit(removed)) = input.remove(square("5g"), &view) else {
        panic!("nothing removed")
    };
    assert_eq!(removed.sfen(), "4k4/9/9/9/9/9/9/9/4K4 w 2Pg 7");
    assert_eq!(input.remove(square("5e"), &view), None, "there is nothing");
}
