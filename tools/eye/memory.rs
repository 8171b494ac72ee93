//! Measures the recognition of a stored piece set, and the number of corrections that a board needs.

use shogibar_eye::grid::Grid;
use shogibar_eye::joint::{WEIGHTS, corrected_classes};
use shogibar_eye::light::BoardLight;
use shogibar_eye::network::{Network, Probabilities};
use shogibar_eye::picture::Picture;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::reader::{SeparateReading, read_separately};
use shogibar_eye::templates::{SquarePicture, Templates};

/// A drawn board whose grid and classes are known.
#[derive(Clone, Debug)]
pub struct KnownBoard {
    /// The picture with the board.
    pub picture: Picture,
    /// The lines of the board in the picture.
    pub grid: Grid,
    /// The class of each square, from the top left, row by row.
    pub classes: [u8; 81],
}

/// Results for pairs of boards with the same piece set: the start of a game and a later position.
#[derive(Clone, Debug, Default)]
pub struct MemoryTotals {
    boards: usize,
    /// The number of later positions whose piece set was recognized.
    known_boards: usize,
    /// The number of correct squares: without the memory, and with the memory.
    correct_squares: [usize; 2],
    /// The number of boards without an error: without the memory, and with the memory.
    correct_boards: [usize; 2],
    /// The number of corrections of each board without the memory.
    correction_counts: Vec<usize>,
}

impl MemoryTotals {
    /// Reads a later position without and with the memory of the start, and adds the results.
    pub fn add(&mut self, network: &Network, start: &KnownBoard, later: &KnownBoard) {
        let mut set = Templates::default();
        let shown = read_separately(&start.picture, network, &start.grid);
        for (picture, class) in shown.pictures.iter().zip(start.classes) {
            set.learn(usize::from(class), picture);
        }
        let mut sets = PieceSets::default();
        sets.insert(set);
        let SeparateReading { pictures, squares } = read_separately(&later.picture, network, &later.grid);
        let light = BoardLight::new(&later.picture, &later.grid, &squares);
        let read = WEIGHTS.read(&pictures, &squares, &light, None);
        let found = sets.find(&pictures, &squares);
        let remembered = WEIGHTS.read(&pictures, &squares, &light, found.as_deref());
        self.boards += 1;
        self.known_boards += usize::from(found.is_some());
        for (index, classes) in [&read.classes, &remembered.classes].into_iter().enumerate() {
            let right = classes
                .iter()
                .zip(later.classes)
                .filter(|(read, class)| **read == usize::from(*class))
                .count();
            self.correct_squares[index] += right;
            self.correct_boards[index] += usize::from(right == 81);
        }
        self.correction_counts.push(count_corrections(
            &pictures,
            &squares,
            read.classes,
            &later.classes,
        ));
    }

    /// Prints the totals of all boards.
    pub fn print(&mut self) {
        let share = |part: usize, whole: usize| 100.0 * part as f32 / whole.max(1) as f32;
        println!(
            "{} boards, of {} the set is known again",
            self.boards, self.known_boards
        );
        for (name, index) in [("without the memory", 0), ("with it", 1)] {
            let (squares, boards) = (
                share(self.correct_squares[index], 81 * self.boards),
                share(self.correct_boards[index], self.boards),
            );
            println!("{name}: squares {squares:.2} %, boards {boards:.1} %");
        }
        self.correction_counts.sort_unstable();
        let (sum, count) = (
            self.correction_counts.iter().sum::<usize>(),
            self.correction_counts.len().max(1),
        );
        let median = self
            .correction_counts
            .get(self.correction_counts.len() / 2)
            .copied()
            .unwrap_or_default();
        println!(
            "corrections until a board is whole: median {median}, mean {:.2}",
            sum as f32 / count as f32
        );
    }
}

/// Returns the number of corrections until all squares are correct. Each correction applies to like squares, too.
fn count_corrections(
    pictures: &[SquarePicture],
    squares: &[Probabilities],
    mut classes: Vec<usize>,
    right: &[u8; 81],
) -> usize {
    let mut corrected = Vec::new();
    while let Some(index) = (0..81).find(|index| classes[*index] != usize::from(right[*index])) {
        corrected.push(index);
        let mut asked = classes.clone();
        asked[index] = usize::from(right[index]);
        classes = corrected_classes(pictures, squares, &classes, &asked, &corrected);
    }
    corrected.len()
}
