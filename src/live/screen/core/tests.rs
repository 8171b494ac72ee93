//! A screen whose boards are composed from the squares of a picture of the program's board.

mod covers;

use super::*;
use crate::game::LiveGame;
use shogibar_eye::find::find_grids;
use shogibar_eye::picture::Picture;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_shogi::Move;
use std::fs::File;
use std::io::BufReader;

/// The picture that the squares are taken from.
const SOURCE_PICTURE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/pictures/study-board.png"
);
/// The left edge, upper edge, width and height of the board in the picture, in pixels.
const SOURCE_BOARD: (usize, usize, usize, usize) = (32, 122, 495, 494);
/// The height of the used part of the picture, in pixels.
const SOURCE_HEIGHT: usize = 730;
/// The pieces of the board in the picture, as an SFEN. A bishop is proposed on 6f.
const SOURCE_PIECES: &str = "ln1g1b1nl/1r1k1s3/p1pppgppp/6p2/1p1p3P1/1PP2P3/P1SPPSP1P/2G4R1/LN2KG1NL";

/// Returns the piece of each square, `.` for none.
fn squares(board: &str) -> Vec<String> {
    let mut squares = Vec::new();
    let mut promoted = "";
    for c in board.split(' ').next().unwrap().chars().filter(|c| *c != '/') {
        match c.to_digit(10) {
            Some(count) => squares.extend((0..count).map(|_| ".".to_owned())),
            None if c == '+' => promoted = "+",
            None => squares.push(format!("{}{c}", std::mem::take(&mut promoted))),
        }
    }
    assert_eq!(squares.len(), 81, "{board}");
    squares
}

/// Returns the piece of the other side. Its rotated picture is used for a piece that the source picture lacks.
fn other_side(piece: &str) -> String {
    let swapped = |c: char| {
        if c.is_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    piece.chars().map(swapped).collect()
}

/// Returns the left, upper, right and lower edge of a square.
fn square(index: usize) -> [usize; 4] {
    let (left, top, width, height) = SOURCE_BOARD;
    let x = |column: usize| left + (column * width + 4) / 9;
    let y = |row: usize| top + (row * height + 4) / 9;
    let (column, row) = (index % 9, index / 9);
    [x(column), y(row), x(column + 1), y(row + 1)]
}

/// A picture that boards are drawn into.
struct Drawing {
    source: Vec<u8>,
    width: usize,
    height: usize,
}

impl Drawing {
    fn new() -> Self {
        let mut reader = png::Decoder::new(BufReader::new(File::open(SOURCE_PICTURE).unwrap()));
        reader.set_transformations(png::Transformations::STRIP_16 | png::Transformations::EXPAND);
        let mut reader = reader.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let step = info.color_type.samples();
        // Smaller boards follow below.
        let (width, height) = (info.width as usize, SOURCE_HEIGHT);
        let picture = Picture::from_rgb(width, height, &bytes[..width * height * step], step).unwrap();
        Self {
            source: picture.pixels().to_vec(),
            width,
            height,
        }
    }

    fn board(&self, pieces: &[String], noise: u8) -> ScreenPicture {
        let known = squares(SOURCE_PIECES);
        let mut pixels = self.source.clone();
        for (index, piece) in pieces.iter().enumerate() {
            let source_index = known.iter().position(|other| other == piece);
            let from = source_index
                .or_else(|| known.iter().position(|other| *other == other_side(piece)))
                .expect(piece);
            let ([left, top, right, bottom], source) = (square(index), square(from));
            for y in top + 2..bottom - 1 {
                for x in left + 2..right - 1 {
                    let (across, down) = (x - left, y - top);
                    let (x_from, y_from) = match source_index {
                        Some(_) => (source[0] + across, source[1] + down),
                        None => (source[2] - across, source[3] - down),
                    };
                    pixels[y * self.width + x] = self.source[y_from * self.width + x_from];
                }
            }
        }
        for (index, pixel) in pixels.iter_mut().enumerate() {
            *pixel = pixel.saturating_add(u8::try_from(index * 7919 % 13).unwrap().min(noise));
        }
        ScreenPicture::new(Picture::new(self.width, self.height, pixels).unwrap(), 0, 0)
    }

    /// Returns a screen with a board, and beside it only one of the pieces, in hand.
    fn board_with_hand(&self, pieces: &[String], in_hand: usize) -> ScreenPicture {
        let mut screen = self.board(pieces, 0);
        let (left, top, width, height) = (32, 122, 495, 494);
        let (right, bottom) = (
            i64::try_from(self.width).unwrap(),
            i64::try_from(self.height).unwrap(),
        );
        for (from, to) in [
            ((left + width + 4, 0), (right, bottom)),
            ((0, 0), (right, top - 40)),
            ((0, top + height + 40), (right, bottom)),
        ] {
            screen.picture.fill(from, to, 235);
        }
        let [from_x, from_y, to_x, to_y] = square(in_hand);
        let mut pixels = screen.picture.pixels().to_vec();
        for y in from_y + 4..to_y - 4 {
            for x in from_x + 4..to_x - 4 {
                pixels[y * self.width + x - from_x + SOURCE_BOARD.0 + SOURCE_BOARD.2 + 16] =
                    self.source[y * self.width + x];
            }
        }
        ScreenPicture::new(Picture::new(self.width, self.height, pixels).unwrap(), 0, 0)
    }

    /// Returns a screen with the start of a game, the numbers beside the board as White sees them.
    fn seen_by_white(&self) -> ScreenPicture {
        let mut pixels = self.source.clone();
        for index in 0..9 {
            let ([left, top, ..], [from_left, from_top, ..]) = (square(index * 10), square((8 - index) * 10));
            for (along, across) in (0..54).flat_map(|along| (0..22).map(move |across| (along, across))) {
                let (above, right) = (
                    SOURCE_BOARD.1 - 24 + across,
                    SOURCE_BOARD.0 + SOURCE_BOARD.2 + 4 + across,
                );
                pixels[above * self.width + left + along] =
                    self.source[above * self.width + from_left + along];
                pixels[(top + along) * self.width + right] =
                    self.source[(from_top + along) * self.width + right];
            }
        }
        let numbered = Self {
            source: pixels,
            width: self.width,
            height: self.height,
        };
        numbered.board(&squares(&Position::startpos().sfen()), 0)
    }

    /// Returns a screen of half the width and height with a board of half its size.
    fn small_board(&self, pieces: &[String]) -> ScreenPicture {
        let whole = self.board(pieces, 0).picture;
        let (width, height) = (self.width / 2, self.height / 2);
        let mean = |x: usize, y: usize| {
            let pixels = [0, 1].map(|row| &whole.row(2 * y + row)[2 * x..2 * x + 2]);
            u8::try_from(
                pixels
                    .into_iter()
                    .flatten()
                    .map(|pixel| u32::from(*pixel))
                    .sum::<u32>()
                    / 4,
            )
            .unwrap()
        };
        let pixels = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| mean(x, y))
            .collect();
        ScreenPicture::new(Picture::new(width, height, pixels).unwrap(), 0, 0)
    }

    /// Returns the screen with the current position of a game.
    fn board_of(&self, history: &History) -> ScreenPicture {
        self.board(&squares(&history.now().sfen()), 0)
    }

    /// Returns a picture of a board with columns of further empty squares at its right.
    fn board_with_columns(&self, pieces: &[String], columns: usize) -> Picture {
        let board = self.board(pieces, 0).picture;
        let width = SOURCE_BOARD.0 + (9 + columns) * 55 + 40;
        let mut pixels = vec![235; width * SOURCE_HEIGHT];
        for y in 0..SOURCE_HEIGHT {
            pixels[y * width..][..SOURCE_BOARD.0 + SOURCE_BOARD.2]
                .copy_from_slice(&board.row(y)[..SOURCE_BOARD.0 + SOURCE_BOARD.2]);
        }
        let [from_x, from_y, ..] = square(pieces.iter().position(|piece| piece == ".").unwrap());
        for (column, row) in (9..9 + columns).flat_map(|column| (0..9).map(move |row| (column, row))) {
            let (left, [_, top, ..]) = (SOURCE_BOARD.0 + column * 55, square(row * 9));
            for y in 0..57 {
                let from = &board.row(from_y + y - 1)[from_x - 1..from_x + 56];
                pixels[(top + y - 1) * width + left - 1..][..57].copy_from_slice(from);
            }
        }
        Picture::new(width, SOURCE_HEIGHT, pixels).unwrap()
    }

    /// Returns a screen without a board.
    fn nothing(&self) -> ScreenPicture {
        let pixels = (0..self.width * self.height)
            .map(|index| u8::try_from(index % 251).unwrap())
            .collect();
        ScreenPicture::new(Picture::new(self.width, self.height, pixels).unwrap(), 0, 0)
    }
}

/// A core, and the events of its readings.
struct Watch {
    core: ScreenCore,
    wait: Duration,
    time: Duration,
    states: Vec<SourceState>,
    games: Vec<LiveGame>,
    choices: Vec<GameChoice>,
    areas: Vec<ScreenArea>,
}

impl Watch {
    fn new() -> Self {
        let core = ScreenCore::new(None, shogibar_eye::network());
        let (states, games, choices, areas) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            core,
            wait: Duration::ZERO,
            time: Duration::ZERO,
            states,
            games,
            choices,
            areas,
        }
    }

    fn show(&mut self, screen: &ScreenPicture, time: Duration) {
        let end = self.time + time;
        while self.time < end {
            let Some(mut seen) = ScreenPicture::from_screen(&screen.picture, self.core.next_area()) else {
                self.core.forget_grid();
                continue;
            };
            seen.program_windows.clone_from(&screen.program_windows);
            let (events, wait) = self.core.update(&seen);
            for event in events {
                match event {
                    SourceEvent::Game(game) => self.games.push(game),
                    SourceEvent::State(state) => self.states.push(state),
                    SourceEvent::Games(choices) => self.choices = choices,
                    SourceEvent::Board(area) => self.areas.push(area),
                    SourceEvent::NotCorrected => panic!("nothing was put right"),
                }
            }
            self.wait = wait;
            self.time += wait;
        }
    }

    /// Plays a move, and shows the position after it for [`LONG_TIME`].
    fn play(&mut self, drawing: &Drawing, history: &mut History, usi: &str) {
        history.play(Move::from_usi(usi).unwrap()).unwrap();
        self.show(&drawing.board_of(history), LONG_TIME);
    }

    fn last_moves(&self) -> Vec<String> {
        let game = self.games.last().unwrap();
        game.record.moves().map(|mv| mv.to_string()).collect()
    }
}

/// A time of a few readings.
const SHORT_TIME: Duration = Duration::from_millis(700);
/// A time in which every change is decided.
const LONG_TIME: Duration = Duration::from_secs(4);

#[test]
fn follows_a_game_through_moves_and_cuts() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let mut history = History::new(Position::startpos());
    let board = |history: &History| squares(&history.now().sfen());
    watch.show(&drawing.nothing(), LONG_TIME);
    assert_eq!(
        watch.states,
        [SourceState::Screen(ScreenState::Searching(Vec::new()))]
    );
    watch.show(&drawing.board(&board(&history), 0), LONG_TIME);
    assert_eq!(watch.games.len(), 1);
    assert_eq!(watch.games[0].record.start(), &Position::startpos());
    for (number, usi) in ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"].into_iter().enumerate() {
        let mv = Move::from_usi(usi).unwrap();
        // In the middle of an animation the piece is nowhere.
        let mut moving = board(&history);
        history.play(mv).unwrap();
        let after = board(&history);
        for (square, after) in moving.iter_mut().zip(&after) {
            if square != after {
                ".".clone_into(square);
            }
        }
        watch.show(&drawing.board(&moving, 0), Duration::from_millis(100));
        watch.show(&drawing.board(&after, 6), SHORT_TIME);
        assert_eq!(
            watch.last_moves().len(),
            number + 1,
            "{usi}: {:?}",
            watch.last_moves()
        );
        if number == 2 {
            watch.show(&drawing.nothing(), LONG_TIME);
            assert_eq!(watch.states.last(), Some(&SourceState::Screen(ScreenState::Gone)));
            watch.show(&drawing.board(&after, 0), LONG_TIME);
            assert_eq!(watch.states.last(), Some(&SourceState::Live));
        }
    }
    assert_eq!(watch.last_moves(), ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"]);
    assert!(watch.games.iter().all(|game| game.id == "1"), "one game");
    assert_eq!(watch.choices, []);
}

#[test]
fn a_lost_board_is_read_again_as_soon_as_it_is_back() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let mut history = History::new(Position::startpos());
    watch.show(&drawing.board_of(&history), LONG_TIME);
    for (number, usi) in ["7g7f", "3c3d", "2g2f"].into_iter().enumerate() {
        // Cuts of several lengths, each with a move.
        let cut = Duration::from_millis(4_000 + 330 * number as u64);
        watch.show(&drawing.nothing(), cut);
        assert_eq!(watch.states.last(), Some(&SourceState::Screen(ScreenState::Gone)));
        history.play(Move::from_usi(usi).unwrap()).unwrap();
        watch.show(&drawing.board_of(&history), Duration::from_millis(600));
        assert_eq!(
            watch.last_moves().len(),
            number + 1,
            "{usi}: {:?}",
            watch.last_moves()
        );
        assert_eq!(watch.states.last(), Some(&SourceState::Live));
    }
    watch.show(&drawing.nothing(), LONG_TIME);
    watch.show(&drawing.small_board(&squares(&history.now().sfen())), LONG_TIME);
    assert_eq!(watch.states.last(), Some(&SourceState::Live));
    assert_eq!(watch.games.last().unwrap().id, "1");
}

#[test]
fn a_stopped_game_continues() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let mut history = History::new(Position::startpos());
    watch.show(&drawing.board_of(&history), LONG_TIME);
    watch.play(&drawing, &mut history, "7g7f");
    let game = LiveGame {
        id: "3".to_owned(),
        ..watch.games.pop().unwrap()
    };
    for usi in ["3c3d", "2g2f"] {
        history.play(Move::from_usi(usi).unwrap()).unwrap();
    }
    let mut watch = Watch::new();
    watch.core.resume(&game);
    watch.show(&drawing.board_of(&history), LONG_TIME);
    watch.play(&drawing, &mut history, "8c8d");
    assert_eq!(watch.last_moves(), ["7g7f", "3c3d", "2g2f", "8c8d"]);
    assert!(watch.games.iter().all(|game| game.id == "3"), "one game");
}

#[test]
fn a_delayed_search_does_not_delay_readings_of_the_grid() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    assert_eq!(
        watch.core.delay_search(LONG_TIME),
        LONG_TIME,
        "no board was seen yet"
    );
    let start = drawing.board(&squares(&Position::startpos().sfen()), 0);
    watch.show(&start, LONG_TIME);
    watch.show(&drawing.nothing(), LONG_TIME);
    assert_eq!(watch.core.delay_search(LONG_TIME), CALM_INTERVAL);
    for _ in 0..LONG_TIME.as_millis() / CALM_INTERVAL.as_millis() {
        assert!(!watch.core.is_search_next());
        watch.show(&drawing.nothing(), CALM_INTERVAL);
    }
    assert!(watch.core.is_search_next());
}

#[test]
fn a_lost_board_is_not_given_up_for_another_one() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let start = drawing.board(&squares(&Position::startpos().sfen()), 0);
    watch.show(&start, LONG_TIME);
    watch.show(&drawing.nothing(), LONG_TIME);
    watch.show(
        &drawing.small_board(&squares(SOURCE_PIECES)),
        Duration::from_secs(6),
    );
    assert_eq!(
        (watch.states.last(), watch.games.len()),
        (Some(&SourceState::Screen(ScreenState::Gone)), 1)
    );
    watch.show(&start, Duration::from_millis(600));
    assert_eq!(
        (watch.states.last(), watch.games.len()),
        (Some(&SourceState::Live), 1)
    );
    // A board that stays is accepted.
    watch.show(&drawing.nothing(), LONG_TIME);
    watch.show(
        &drawing.small_board(&squares(SOURCE_PIECES)),
        Duration::from_secs(30),
    );
    assert_eq!(
        (watch.states.last(), watch.games.len()),
        (
            Some(&SourceState::Screen(ScreenState::PartUnknown(
                BoardDoubt::HandsAndSide
            ))),
            2
        )
    );
}

#[test]
fn a_board_that_is_back_is_not_lost_while_many_squares_move() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let board = drawing.board(&squares(&Position::startpos().sfen()), 0);
    watch.show(&board, LONG_TIME);
    watch.show(&drawing.nothing(), LONG_TIME);
    watch.show(&board, Duration::from_millis(300));
    let known = watch.states.len();
    for number in 0..20_u8 {
        // Six empty squares flicker.
        let mut screen = drawing.board(&squares(&Position::startpos().sfen()), 0);
        for index in 36..42 {
            let [left, top, right, bottom] = square(index).map(|pixel| i64::try_from(pixel).unwrap());
            screen.picture.fill(
                (left + 4, top + 4),
                (right - 4, bottom - 4),
                60 + 120 * (number % 2),
            );
        }
        watch.show(&screen, Duration::from_millis(100));
    }
    let later = watch.states.get(known..).unwrap_or_default();
    assert!(
        !later.contains(&SourceState::Screen(ScreenState::Gone)),
        "{later:?}"
    );
    watch.show(&board, Duration::from_secs(2));
    assert_eq!(
        (watch.states.last(), watch.games.len()),
        (Some(&SourceState::Live), 1)
    );
}

#[test]
fn a_game_from_its_middle_has_the_hands_that_the_user_enters() {
    let drawing = Drawing::new();
    // Two pawns and both bishops are in hand; their owners are unknown.
    let middle = "lnsgkgsnl/1r7/p1ppppppp/9/9/9/P1PPPPPPP/7R1/LNSGKGSNL";
    let of = |hands: &str| History::new(Position::from_sfen(&format!("{middle} b {hands} 1")).unwrap());
    let mut history = of("BPbp");
    let mut watch = Watch::new();
    watch.show(&drawing.board_of(&history), LONG_TIME);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Screen(ScreenState::PartUnknown(
            BoardDoubt::HandsAndSide
        )))
    );
    let [area] = watch.areas.as_slice() else {
        panic!("{:?}", watch.areas)
    };
    assert!(
        (495..560).contains(&area.width) && (90..122).contains(&area.top),
        "where the board is: {area}"
    );
    watch.play(&drawing, &mut history, "2g2f");
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Screen(ScreenState::PartUnknown(BoardDoubt::Hands)))
    );
    let entered = BoardCorrection {
        moves: history.moves().to_vec(),
        position: history.now().without_history(),
    };
    let other = BoardCorrection {
        moves: Vec::new(),
        position: Position::startpos(),
    };
    let other = BoardCorrection {
        moves: vec![Move::from_usi("7g7f").unwrap()],
        ..other
    };
    assert_eq!(watch.core.correct(&other), [SourceEvent::NotCorrected]);
    let events = watch.core.correct(&entered);
    let [SourceEvent::Game(game), SourceEvent::State(SourceState::Live)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(
        (game.id.as_str(), game.record.start().sfen()),
        ("1", of("BPbp").start().sfen())
    );
    let moves = "3c3d P*8f 7c7d 8f8e B*4d B*6f 4d6f 6g6f";
    for usi in moves.split(' ') {
        watch.play(&drawing, &mut history, usi);
        let game = &watch.games.last().unwrap().record;
        let last = game.main_line().last().unwrap();
        assert_eq!(game.history_at(last).now().sfen(), history.now().sfen(), "{usi}");
    }
    // The source stops, and another one resumes the game.
    let game = watch.games.pop().unwrap();
    let mut watch = Watch::new();
    watch.core.resume(&game);
    watch.show(&drawing.board_of(&history), LONG_TIME);
    assert_eq!(
        (watch.states.last(), watch.games.len()),
        (Some(&SourceState::Live), 1),
        "it is seen again"
    );
    watch.play(&drawing, &mut history, "B*5e");
    let game = &watch.games.last().unwrap().record;
    assert_eq!((game.start().sfen(), game.len()), (of("BPbp").start().sfen(), 10));
}

#[test]
fn pieces_in_hand_are_those_of_the_board_that_was_found() {
    let drawing = Drawing::new();
    let mut board = squares(&Position::startpos().sfen());
    ".".clone_into(&mut board[58]);
    let captured = drawing.board_with_hand(&board, 62);
    "P".clone_into(&mut board[40]);
    let dropped = drawing.board(&board, 0);
    let start = |watch: &Watch| watch.games.last().unwrap().record.start().sfen();
    let mut watch = Watch::new();
    watch.show(&captured, LONG_TIME);
    assert_eq!(
        start(&watch),
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL b P 1"
    );
    let mut watch = Watch::new();
    watch.show(&captured, Duration::from_millis(1));
    watch.show(&dropped, LONG_TIME);
    assert_eq!(
        start(&watch),
        "lnsgkgsnl/1r5b1/ppppppppp/9/4P4/9/PPPP1PPPP/1B5R1/LNSGKGSNL b - 1",
        "it is on the board now"
    );
}

#[test]
fn numbers_beside_the_board_show_that_white_is_at_the_bottom() {
    let mut watch = Watch::new();
    let screen = Drawing::new().seen_by_white();
    watch.show(&screen, LONG_TIME);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Screen(ScreenState::Rotated))
    );
    watch.core.set_following(ScreenFollowing {
        is_rotated: true,
        ..ScreenFollowing::default()
    });
    watch.show(&screen, LONG_TIME);
    assert_eq!(watch.states.last(), Some(&SourceState::Live));
    watch.core.set_following(ScreenFollowing::default());
    watch.show(&screen, LONG_TIME);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Live),
        "the user has decided"
    );
}

#[test]
fn a_board_of_another_size_is_found_where_the_last_one_was() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    watch.show(
        &drawing.board(
            &squares("ln1gk2nl/1r1s1sgb1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1BG1S2R1/LNS1KG1NL"),
            0,
        ),
        LONG_TIME,
    );
    let small = drawing.small_board(&squares(&Position::startpos().sfen()));
    // The screen has become smaller; then a larger one, with nothing around the board.
    watch.show(&small, LONG_TIME * 5);
    assert_eq!(watch.games.last().unwrap().record.start(), &Position::startpos());
    assert_eq!(watch.states.last(), Some(&SourceState::Live));
    let mut large = drawing.nothing();
    large.picture.fill(
        (0, 0),
        (
            i64::try_from(drawing.width).unwrap(),
            i64::try_from(drawing.height).unwrap(),
        ),
        235,
    );
    let mut pixels = large.picture.pixels().to_vec();
    for y in 0..small.picture.height() {
        pixels[y * drawing.width..][..small.picture.width()].copy_from_slice(small.picture.row(y));
    }
    let large = ScreenPicture::new(Picture::new(drawing.width, SOURCE_HEIGHT, pixels).unwrap(), 0, 0);
    let mut watch = Watch::new();
    watch.show(
        &drawing.board(
            &squares("ln1gk2nl/1r1s1sgb1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1BG1S2R1/LNS1KG1NL"),
            0,
        ),
        LONG_TIME,
    );
    watch.show(&large, LONG_TIME * 10);
    assert_eq!(
        watch.states.last(),
        Some(&SourceState::Live),
        "{:?}",
        watch.states
    );
}

#[test]
fn several_boards_are_named_after_their_windows() {
    let drawing = Drawing::new();
    let board = drawing
        .small_board(&squares(&Position::startpos().sfen()))
        .picture;
    let pixels = (0..board.height()).flat_map(|y| board.row(y).repeat(2)).collect();
    let both = Picture::new(2 * board.width(), board.height(), pixels).unwrap();
    let middle = i32::try_from(board.width()).unwrap();
    let title = |(x, _)| {
        Some(if x < middle {
            "Left".to_owned()
        } else {
            "R".repeat(100)
        })
    };
    let mut core = ScreenCore::new(None, shogibar_eye::network());
    let seen = ScreenPicture::new(both, 0, 0);
    let (events, _) = core.update_with_titles(&seen, title);
    let [SourceEvent::Games(choices)] = events.as_slice() else {
        panic!("{events:?}")
    };
    let names = choices
        .iter()
        .map(|choice| choice.title.split(" · ").next().unwrap());
    let longest = "R".repeat(MAX_TITLE_CHARS);
    assert_eq!(
        names.collect::<std::collections::BTreeSet<_>>(),
        ["Left", longest.as_str()].into()
    );
    assert_eq!(core.update_with_titles(&seen, title).0, [], "reported once");
}

#[test]
fn further_squares_beside_a_board_are_not_taken_for_it() {
    let drawing = Drawing::new();
    let game = "ln1gk2nl/1r1s1sgb1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1BG1S2R1/LNS1KG1NL";
    for columns in [1, 3] {
        let boards = read_boards(
            &drawing.board_with_columns(&squares(game), columns),
            shogibar_eye::network(),
            &PieceSets::default(),
        );
        let read = boards.first().map(|board| (board.sfen(), board.confidence > 0.5));
        assert_eq!(read, Some((game.to_owned(), true)), "{columns}");
    }
    let nothing = vec![".".to_owned(); 81];
    let boards = read_boards(
        &drawing.board_with_columns(&nothing, 3),
        shogibar_eye::network(),
        &PieceSets::default(),
    );
    assert!(boards.iter().all(|board| !board.is_board()), "a table");
}

#[test]
fn a_flat_board_beside_a_table_is_found() {
    let drawing = Drawing::new();
    let game = "ln1gk2nl/1r1s1sgb1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1BG1S2R1/LNS1KG1NL";
    let board = drawing.small_board(&squares(game)).picture;
    // The squares of the board are 0.85 times as high as wide. Those of the table are square.
    let (height, cell) = (board.height() * 17 / 20, 30);
    let table = |x: usize, y: usize| {
        let is_inside = (1..=9 * cell + 1).contains(&x) && (1..=9 * cell + 1).contains(&y);
        u8::from(!(is_inside && (x % cell == 1 || y % cell == 1))) * 235
    };
    let row = |y: usize| {
        let cells = (0..10 * cell).map(move |x| table(x, y));
        board.row(y * 20 / 17).iter().copied().chain(cells)
    };
    let picture = Picture::new(
        board.width() + 10 * cell,
        height,
        (0..height).flat_map(row).collect(),
    )
    .unwrap();
    let is_of_board = |grid: &Grid| {
        let (across, down) = grid.square_size();
        (across - 27.5).abs() < 0.5 && (down - 23.4).abs() < 0.5
    };
    assert!(
        find_grids(&picture).iter().all(|found| !is_of_board(&found.grid)),
        "the usual search finds the table"
    );
    let boards = read_boards(&picture, shogibar_eye::network(), &PieceSets::default());
    let read = boards.iter().find(|board| board.is_board());
    assert_eq!(
        read.map(|board| (board.sfen(), is_of_board(&board.grid))),
        Some((game.to_owned(), true))
    );
}

#[test]
fn reads_only_the_frame_and_less_often_at_rest() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let screen = drawing.board(&squares(&Position::startpos().sfen()), 0);
    watch.show(&screen, LONG_TIME);
    let area = watch.core.next_area().unwrap();
    assert!(area.width < 540 && area.height < 540, "{area}");
    assert_eq!(watch.wait, CALM_INTERVAL);
}

#[test]
fn areas_are_read_and_written() {
    let same = |text: &str| ScreenArea::parse(text).map(|area| area.to_string());
    assert_eq!(same("-100,20,640,700").as_deref(), Some("-100,20,640,700"));
    for wrong in [
        "",
        "1,2,3",
        "1,2,300,300,5",
        "1,2,89,300",
        "1,2,-300,300",
        "a,b,c,d",
    ] {
        assert_eq!(same(wrong), None, "{wrong}");
    }
}

#[test]
fn a_board_that_moves_by_whole_squares_is_found_again() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    let mut history = History::new(Position::startpos());
    watch.show(&drawing.board_of(&history), LONG_TIME);
    for usi in ["7g7f", "3c3d"] {
        watch.play(&drawing, &mut history, usi);
    }
    history.play(Move::from_usi("2g2f").unwrap()).unwrap();
    let screen = drawing.board_of(&history);
    for rows in [-1_isize, 1, 2] {
        let off = rows * 55 * isize::try_from(drawing.width).unwrap();
        let count = isize::try_from(screen.picture.pixels().len()).unwrap();
        let pixel =
            |at: isize| screen.picture.pixels()[usize::try_from((at - off).rem_euclid(count)).unwrap()];
        let pixels = (0..count).map(pixel).collect();
        let moved = Picture::new(drawing.width, SOURCE_HEIGHT, pixels).unwrap();
        watch.show(&ScreenPicture::new(moved, 0, 0), Duration::from_secs(30));
        assert_eq!(
            (watch.last_moves().len(), watch.states.last()),
            (3, Some(&SourceState::Live)),
            "{:?}",
            watch.states
        );
    }
}

/// Returns the pieces of a position in a set whose golds look like silvers and whose silvers look like golds.
fn with_strange_generals(position: &Position) -> Vec<String> {
    let strange = |piece: String| match piece.as_str() {
        "g" => "s".to_owned(),
        "s" => "g".to_owned(),
        "G" => "S".to_owned(),
        "S" => "G".to_owned(),
        _ => piece,
    };
    squares(&position.sfen()).into_iter().map(strange).collect()
}

/// Returns a position of a game whose generals have left their squares.
fn later_position() -> Position {
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d", "7i6h", "7a6b", "3i4h", "4a3b", "4i5h", "6a5b"] {
        position.play(Move::from_usi(mv).unwrap()).unwrap();
    }
    position
}

#[test]
fn pieces_that_were_seen_at_the_start_of_a_game_are_known_by_the_next_run() {
    let drawing = Drawing::new();
    let board = drawing.board(&with_strange_generals(&later_position()), 0);
    let board_read = |watch: &Watch| watch.games.last().map(|game| board_part(game.record.start()));
    let mut first = Watch::new();
    first.show(
        &drawing.board(&with_strange_generals(&Position::startpos()), 0),
        LONG_TIME,
    );
    assert_eq!(
        board_read(&first),
        Some(board_part(&Position::startpos())),
        "the start is known by its squares"
    );
    let mut sets = PieceSets::default();
    assert!(sets.insert(first.core.take_learned().expect("its pieces")));
    assert!(first.core.take_learned().is_none(), "once");
    let mut next = Watch::new();
    next.core
        .set_piece_sets(PieceSets::from_bytes(&sets.to_bytes()).expect("its own file"));
    next.show(&board, LONG_TIME);
    assert_eq!(board_read(&next), Some(board_part(&later_position())));
    // After the sets are removed, nothing is known any more.
    let mut forgetful = Watch::new();
    forgetful.core.set_piece_sets(sets);
    forgetful.core.set_piece_sets(PieceSets::default());
    forgetful.show(&board, LONG_TIME);
    assert_ne!(board_read(&forgetful), Some(board_part(&later_position())));
    assert!(
        forgetful.core.take_learned().is_none(),
        "nothing is sure from the middle of a game on"
    );
}

#[test]
fn pieces_of_an_uncertain_game_are_not_remembered() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    watch.show(&drawing.board(&squares(&later_position().sfen()), 0), LONG_TIME);
    assert!(
        watch.core.take_learned().is_none(),
        "the game was not seen from its start"
    );
    // The picture of a misread piece, in the class of a promoted pawn.
    let promoted_pawn = 9;
    watch
        .core
        .known_pieces
        .templates
        .learn(promoted_pawn, &std::array::from_fn(|pixel| (pixel % 2) as f32));
    let mut history = History::new(Position::startpos());
    watch.show(&drawing.board_of(&history), LONG_TIME);
    for usi in ["2g2f", "8c8d"] {
        watch.play(&drawing, &mut history, usi);
    }
    let learned = watch.core.take_learned().expect("the pieces of the next game");
    assert!(learned.pictures().all(|(class, _)| class != promoted_pawn));
}

#[test]
fn a_corrected_piece_corrects_equal_pictures() {
    let drawing = Drawing::new();
    let mut watch = Watch::new();
    watch.show(
        &drawing.board(&with_strange_generals(&later_position()), 0),
        LONG_TIME,
    );
    let read = watch.games.last().expect("a board").record.start().clone();
    let square = |name: &str| Square::from_usi(name.as_bytes()).unwrap();
    let kind = |position: &Position, name: &str| position.piece_on(square(name)).unwrap().kind;
    let (gold, silver_kind) = (shogibar_shogi::PieceKind::Gold, shogibar_shogi::PieceKind::Silver);
    assert_eq!(
        [kind(&read, "6h"), kind(&read, "4h")],
        [gold; 2],
        "the silvers look like golds"
    );
    let mut setup = Setup::from_position(&read);
    let silver = |name: &str| {
        read.piece_on(square(name)).map(|piece| shogibar_shogi::Piece {
            kind: silver_kind,
            ..piece
        })
    };
    setup.put(square("6h"), silver("6h"));
    let position = setup.build(read.side_to_move(), read.move_number());
    for event in watch.core.correct(&BoardCorrection {
        moves: Vec::new(),
        position,
    }) {
        if let SourceEvent::Game(game) = event {
            watch.games.push(game);
        }
    }
    let now = watch.games.last().unwrap().record.start();
    let silvers = ["6h", "4h", "6b", "3a"].map(|name| kind(now, name));
    assert_eq!(silvers, [silver_kind; 4], "{}", now.sfen());
}
