//! Any grey picture: boards are searched for, and a board that is read is the board of a position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_eye::coordinates::is_rotated;
use shogibar_eye::picture::Picture;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::reader::read_boards;

fuzz_target!(|bytes: &[u8]| {
    let [width, rest @ ..] = bytes else { return };
    // Small pictures are searched as they are, and larger ones made of their rows.
    let width = usize::from(*width) + 1;
    let rows: Vec<&[u8]> = rest.chunks_exact(width).collect();
    let pixels: Vec<u8> = rows
        .iter()
        .flat_map(|row| [*row, *row, *row])
        .flatten()
        .flat_map(|pixel| [*pixel; 3])
        .collect();
    for (width, pixels) in [(width, rows.concat()), (3 * width, pixels)] {
        let Some(picture) = Picture::new(width, pixels.len() / width, pixels) else {
            continue;
        };
        for board in read_boards(&picture, shogibar_eye::network(), &PieceSets::default()) {
            assert_eq!(board.sfen().split('/').count(), 9);
            assert!((0.0..=1.0).contains(&board.confidence), "{}", board.confidence);
            let hands = board.read_hands(&picture, shogibar_eye::network());
            assert!(
                hands
                    .visible_pieces
                    .as_flattened()
                    .iter()
                    .map(|count| usize::from(*count))
                    .sum::<usize>()
                    <= 38
            );
            let _either_way = is_rotated(&picture, &board.grid);
        }
    }
});
