//! Boards that are covered in part.

use super::*;

fn under_program_windows(screen: &ScreenPicture, squares: std::ops::RangeInclusive<usize>) -> ScreenPicture {
    let area = |index: usize| {
        let [left, top, right, bottom] = square(index).map(|pixel| i32::try_from(pixel).unwrap());
        let size = |from: i32, to: i32| u32::try_from(to - from).unwrap();
        ScreenArea {
            left,
            top,
            width: size(left, right),
            height: size(top, bottom),
        }
    };
    let mut seen = ScreenPicture::new(screen.picture.clone(), 0, 0);
    seen.cover(
        squares
            .map(|index| ProgramWindow {
                area: area(index),
                title: "bar".to_owned(),
            })
            .collect(),
    );
    seen
}

#[test]
fn a_board_below_program_windows_is_not_guessed() {
    let drawing = Drawing::new();
    let start = drawing.board(&squares(&Position::startpos().sfen()), 0);
    for (squares, is_found) in [(0..=2, true), (54..=62, true), (0..=26, true), (27..=71, false)] {
        let mut watch = Watch::new();
        let covered = under_program_windows(&start, squares.clone());
        watch.show(&covered, Duration::from_secs(20));
        assert_eq!(watch.games.len(), 0, "{squares:?}: {:?}", watch.states);
        let titles = vec!["bar".to_owned()];
        let state = if is_found {
            ScreenState::Covered(squares.count(), titles)
        } else {
            ScreenState::Searching(titles)
        };
        assert_eq!(watch.states.last(), Some(&SourceState::Screen(state)));
        watch.show(&start, Duration::from_secs(5));
        assert_eq!(
            (watch.games.len(), watch.states.last()),
            (1, Some(&SourceState::Live)),
            "{:?}",
            watch.states
        );
    }
}

#[test]
fn a_game_below_program_windows_continues() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let mut history = History::new(Position::startpos());
    watch.show(&drawing.board_of(&history), LONG_TIME);
    for (usi, squares) in [
        ("7g7f", 0..=8),
        ("3c3d", 63..=80),
        ("2g2f", 27..=44),
        ("8c8d", 80..=80),
    ] {
        history.play(Move::from_usi(usi).unwrap()).unwrap();
        let screen = drawing.board_of(&history);
        watch.show(&under_program_windows(&screen, squares), LONG_TIME);
        assert_eq!(
            watch.last_moves().len(),
            history.moves().len(),
            "{usi}: {:?}",
            watch.states
        );
    }
    watch.show(&drawing.board_of(&history), LONG_TIME);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Live),
        "{:?}",
        watch.states
    );
}

#[test]
fn a_board_that_left_from_below_program_windows_is_found_elsewhere() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let start = squares(&Position::startpos().sfen());
    watch.show(&drawing.board(&start, 0), LONG_TIME);
    watch.show(&under_program_windows(&drawing.nothing(), 0..=80), LONG_TIME);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Screen(ScreenState::Covered(
            81,
            vec!["bar".to_owned()]
        )))
    );
    watch.show(&drawing.small_board(&start), Duration::from_secs(30));
    assert_eq!(
        (watch.games.len(), watch.states.last()),
        (1, Some(&SourceState::Live)),
        "{:?}",
        watch.states
    );
}

#[test]
fn a_proposed_drop_is_no_move_however_the_board_is_found() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let mut history = History::new(Position::startpos());
    watch.show(&drawing.board_of(&history), LONG_TIME);
    for usi in ["7g7f", "3c3d", "8h2b", "3a2b"] {
        watch.play(&drawing, &mut history, usi);
    }
    let board = squares(&history.now().sfen());
    let proposed: Vec<String> = (0..81)
        .map(|at| {
            if at == 40 {
                "B".to_owned()
            } else {
                board[at].clone()
            }
        })
        .collect();
    let (plain, with_piece) = (
        drawing.board(&board, 0).picture,
        drawing.board(&proposed, 0).picture,
    );
    let faint = |(plain, piece): (&u8, &u8)| {
        u8::try_from((3 * u16::from(*plain) + 2 * u16::from(*piece)) / 5).unwrap()
    };
    let faint = plain.pixels().iter().zip(with_piece.pixels()).map(faint);
    let faint = Picture::new(plain.width(), plain.height(), faint.collect()).unwrap();
    let screen = ScreenPicture::new(faint, 0, 0);
    for _ in 0..2 {
        watch.show(&screen, LONG_TIME);
        watch.core.forget_grid();
    }
    assert_eq!(watch.last_moves().len(), 4, "{:?}", watch.last_moves());
    watch.show(&drawing.board(&proposed, 0), LONG_TIME);
    assert_eq!(watch.last_moves().last().map(String::as_str), Some("B*5e"));
}

#[test]
fn a_cover_does_not_make_another_position_the_current_one() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let mut history = History::new(Position::startpos());
    watch.show(&drawing.board_of(&history), LONG_TIME);
    for usi in ["7g7f", "3c3d", "2g2f", "8c8d"] {
        watch.play(&drawing, &mut history, usi);
    }
    let other = drawing.board(&squares("4k4/9/4P4/9/9/9/9/9/4K4"), 0);
    watch.show(&other, SHORT_TIME * 3);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Screen(ScreenState::Away)),
        "{:?}",
        watch.states
    );
    watch.show(&under_program_windows(&other, 72..=80), LONG_TIME);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Screen(ScreenState::Away)),
        "{:?}",
        watch.states
    );
}

#[test]
fn a_board_with_many_covered_squares_is_not_read() {
    let drawing = Drawing::new();
    for columns in [3, 5, 6] {
        let mut watch = Watch::new();
        let mut screen = drawing.board(&squares(&Position::startpos().sfen()), 0);
        watch.show(&screen, LONG_TIME);
        assert_eq!(watch.states, [SourceState::Live]);
        let (left, top, width, height) = SOURCE_BOARD;
        let mut pixels = screen.picture.pixels().to_vec();
        for y in top..top + height {
            for x in left..left + columns * width / 9 {
                pixels[y * drawing.width + x] = u8::try_from((x * 7 + y * 13) % 251).unwrap();
            }
        }
        screen.picture = Picture::new(drawing.width, SOURCE_HEIGHT, pixels).unwrap();
        watch.show(&screen, LONG_TIME);
        let state = watch.states.last();
        let is_hidden =
            |state: &SourceState| matches!(state, SourceState::Screen(ScreenState::Hidden(10..=27)));
        let is_right = if columns == 3 {
            state.is_some_and(is_hidden)
        } else {
            state == Some(&SourceState::Screen(ScreenState::Gone))
        };
        assert!(is_right, "{columns}: {:?}", watch.states);
    }
}
