//! The time that the screen reader takes on one core. It is measured for finding a board in a picture of 1080p, and for
//! reading it. It is also measured for comparing each further picture of a followed board.
//!
//! `cargo bench --bench see`. The board is our own (`tests/pictures/study-board.png`).
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark"
)]
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use shogibar_eye::find::find_grids;
use shogibar_eye::picture::Picture;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::reader::read_boards;
use shogibar_live::{ScreenCore, ScreenPicture};
use std::fs::File;
use std::hint::black_box;
use std::io::BufReader;
use std::time::{Duration, Instant};

const SIZE: (usize, usize) = (1920, 1080);
/// The row of pixels below the first board of the picture.
const HEIGHT: usize = 730;
/// The left upper corners of two occupied squares of the board, in pixels.
const SQUARES: [(usize, usize); 2] = [(35, 125), (255, 290)];
/// The side of the areas that are emptied at these corners, in pixels.
const SQUARE: usize = 50;
/// The number of measurements of reading a followed board.
const TIMES: usize = 200;

fn main() {
    let board = screen(&[]);
    let moved = screen(&SQUARES);
    let nothing = Picture::new(SIZE.0, SIZE.1, vec![90; SIZE.0 * SIZE.1]).unwrap();
    println!("1920 × 1080 points, squares of 55; ms of {TIMES}: median, 99 %");
    report("find", || drop(find_grids(&board)));
    report("find and read", || {
        drop(read_boards(
            &board,
            shogibar_eye::network(),
            &PieceSets::default(),
        ));
    });
    report("find, read and hands", || {
        let boards = read_boards(&board, shogibar_eye::network(), &PieceSets::default());
        black_box(
            boards
                .first()
                .map(|read| read.read_hands(&board, shogibar_eye::network())),
        );
    });

    let mut core = ScreenCore::new(None, shogibar_eye::network());
    for _ in 0..20 {
        read_screen(&mut core, &board);
    }
    let (mut rest, mut change, mut cut) = (Vec::new(), Vec::new(), Vec::new());
    for nth in 0..TIMES {
        let shown = if nth % 2 == 0 { &moved } else { &board };
        // The first picture only shows that the board changes. The second is read.
        read_screen(&mut core, shown);
        change.push(read_screen(&mut core, shown));
        rest.push((0..4).map(|_| read_screen(&mut core, shown)).max().unwrap());
    }
    for _ in 0..TIMES / 10 {
        while !core.is_searching() {
            read_screen(&mut core, &nothing);
        }
        cut.push(read_screen(&mut core, &board));
        for _ in 0..4 {
            read_screen(&mut core, &board);
        }
    }
    print("a look without a change", rest);
    print("a look with a move", change);
    print("a look after a cut", cut);
}

/// Hands the core a picture of the area that it asks for, as the window does. Returns the time that it takes.
fn read_screen(core: &mut ScreenCore, screen: &Picture) -> Duration {
    let seen = ScreenPicture::from_screen(screen, core.next_area()).unwrap();
    let start = Instant::now();
    core.update(&seen);
    start.elapsed()
}

/// Returns a screen with the board in its middle; pieces on these squares are rubbed out.
fn screen(without: &[(usize, usize)]) -> Picture {
    let mut reader = png::Decoder::new(BufReader::new(
        File::open("tests/pictures/study-board.png").unwrap(),
    ));
    reader.set_transformations(png::Transformations::STRIP_16 | png::Transformations::EXPAND);
    let mut reader = reader.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let (width, step) = (usize::try_from(info.width).unwrap(), info.color_type.samples());
    let board = Picture::from_rgb(width, HEIGHT, &bytes[..width * HEIGHT * step], step).unwrap();
    let (left, top) = ((SIZE.0 - width) / 2, (SIZE.1 - HEIGHT) / 2);
    let pixel = |x: usize, y: usize| {
        let inside = x.checked_sub(left).zip(y.checked_sub(top));
        let (x, y) = inside.filter(|(x, y)| *x < width && *y < HEIGHT)?;
        let is_out = without
            .iter()
            .any(|(a, b)| (*a..a + SQUARE).contains(&x) && (*b..b + SQUARE).contains(&y));
        if is_out {
            Some(190)
        } else {
            board.row(y).get(x).copied()
        }
    };
    let pixels = (0..SIZE.0 * SIZE.1)
        .map(|at| pixel(at % SIZE.0, at / SIZE.0).unwrap_or(70))
        .collect();
    Picture::new(SIZE.0, SIZE.1, pixels).unwrap()
}

fn report(name: &str, work: impl Fn()) {
    let times = (0..TIMES / 5).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    print(name, times.collect());
}

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at =
        |hundredth: usize| times[(times.len() * hundredth / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!("{name:<24} {:7.2} {:7.2}", at(50), at(99));
}
