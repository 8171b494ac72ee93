//! What the pieces of one board look like, learnt while it is followed.
//!
//! All pieces of a kind look alike on one screen. Once the game is known, each square shows what its piece looks like, and
//! later squares are compared with that: so a set that the network has never seen is read as surely as any other.

use crate::grid::SIDE;
use crate::network::{CLASSES, HIDDEN, Probabilities};

/// The number of pictures of a class that are kept.
const MOST: usize = 3;
/// A square is that of a picture when they correlate so much, and more than with any other class by the margin.
const ALIKE: f32 = 0.86;
const MARGIN: f32 = 0.06;
/// The probability that the picture of a class then has.
const SURE: f32 = 0.9;
/// Pictures that correlate less are not compared any further.
const HOPELESS: f32 = 0.2;
/// A picture that varies less has nothing on it: grain and noise alone.
const FLAT: f32 = 0.02;
/// So many pixels two pictures may be apart.
const REACH: isize = 1;

/// The normalised picture of a square, `SIDE` × `SIDE` values.
pub type SquarePicture = [f32; SIDE * SIDE];

/// Pictures of known squares.
#[derive(Clone, Debug, Default)]
pub struct Templates(Vec<(usize, Box<SquarePicture>)>);

impl Templates {
    /// Returns whether a class needs another picture.
    pub fn needs(&self, class: usize) -> bool {
        class < HIDDEN && self.0.iter().filter(|(known, _)| *known == class).count() < MOST
    }

    /// Notes that a square shows a class, unless it looks like a known picture of it, or too much like another class.
    pub fn learn(&mut self, class: usize, picture: &SquarePicture) {
        let likeness = |other: bool| {
            let own = self.0.iter().filter(|(known, _)| (*known == class) != other);
            own.map(|(_, known)| correlation(known, picture)).fold(-1.0, f32::max)
        };
        if self.needs(class) && likeness(false) < 0.97 && likeness(true) < ALIKE {
            self.0.push((class, Box::new(*picture)));
        }
    }

    /// Changes the probabilities of a square where it looks like one class that is known, and like no other.
    pub fn weigh(&self, picture: &SquarePicture, probabilities: &mut Probabilities) {
        let mut best = [-1.0_f32; CLASSES];
        for (class, known) in &self.0 {
            if let Some(best) = best.get_mut(*class) {
                *best = best.max(correlation(known, picture));
            }
        }
        let (class, likeness) = likeliest(&best, CLASSES);
        let (_, next) = likeliest(&best, class);
        if likeness >= ALIKE && likeness - next >= MARGIN {
            for (index, probability) in probabilities.iter_mut().enumerate() {
                *probability *= 1.0 - SURE;
                if index == class {
                    *probability += SURE;
                }
            }
        }
    }
}

/// Returns the class that is most alike, but for one.
fn likeliest(likeness: &[f32; CLASSES], without: usize) -> (usize, f32) {
    let others = likeness.iter().copied().enumerate().filter(|(class, _)| *class != without);
    others.max_by(|left, right| left.1.total_cmp(&right.1)).unwrap_or((0, -1.0))
}

/// Returns the largest correlation of two pictures that may be a pixel apart, −1 to 1.
pub(crate) fn correlation(one: &SquarePicture, other: &SquarePicture) -> f32 {
    let mut best = correlation_at(one, other, 0, 0);
    if best < HOPELESS {
        return best;
    }
    for down in -REACH..=REACH {
        for across in -REACH..=REACH {
            best = best.max(correlation_at(one, other, down, across));
        }
    }
    best
}

/// Returns the correlation of the inner parts of two pictures, the second moved by some pixels. Flat pictures are alike.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn correlation_at(one: &SquarePicture, other: &SquarePicture, down: isize, across: isize) -> f32 {
    const EDGE: usize = 4;
    let (mut sums, mut count) = ([0.0_f32; 5], 0_usize);
    for y in EDGE..SIDE - EDGE {
        let row = |picture: &SquarePicture, y: usize, x: usize| -> Option<[f32; SIDE - 2 * EDGE]> {
            picture.get(y * SIDE + x..)?.first_chunk().copied()
        };
        let moved = (y.checked_add_signed(down), EDGE.checked_add_signed(across));
        let (Some(left), (Some(y), Some(x))) = (row(one, y, EDGE), moved) else { continue };
        let Some(right) = row(other, y, x) else { continue };
        for (a, b) in left.iter().zip(&right) {
            sums = [sums[0] + a, sums[1] + b, sums[2] + a * a, sums[3] + b * b, sums[4] + a * b];
        }
        count += left.len();
    }
    let count = count.max(1) as f32;
    let [a, b, aa, bb, ab] = sums.map(|sum| sum / count);
    let (variance_a, variance_b) = (aa - a * a, bb - b * b);
    match (variance_a < FLAT, variance_b < FLAT) {
        (true, true) => 1.0,
        (false, false) => (ab - a * b) / (variance_a * variance_b).sqrt(),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(of: impl Fn(usize, usize) -> f32) -> SquarePicture {
        std::array::from_fn(|place| of(place % SIDE, place / SIDE))
    }

    fn cross(x: usize, y: usize) -> f32 {
        if x.abs_diff(16) < 3 || y.abs_diff(16) < 3 { -1.5 } else { 0.5 }
    }

    fn ring(x: usize, y: usize) -> f32 {
        let distance = (x.abs_diff(16).pow(2) + y.abs_diff(16).pow(2)) as f32;
        if (36.0..100.0).contains(&distance) { -1.5 } else { 0.5 }
    }

    #[test]
    fn a_known_look_is_surer_than_the_network() {
        let mut templates = Templates::default();
        templates.learn(4, &picture(cross));
        templates.learn(7, &picture(ring));
        let read = |templates: &Templates, square: &SquarePicture| {
            let mut probabilities = [0.0; CLASSES];
            probabilities[14] = 1.0;
            templates.weigh(square, &mut probabilities);
            crate::network::likeliest(&probabilities).0
        };
        assert_eq!(read(&templates, &picture(cross)), 4);
        assert_eq!(read(&templates, &picture(|x, y| ring(x, y + 1) * 0.8 + 0.1)), 7, "moved, and paler");
        assert_eq!(read(&templates, &picture(|x, y| cross(x, y) + ring(x, y))), 14, "like both");
        assert_eq!(read(&templates, &picture(|x, y| ((x * 7 + y * 5) % 11) as f32 * 0.2)), 14, "like none");
        assert_eq!(read(&Templates::default(), &picture(cross)), 14);
    }

    #[test]
    fn looks_that_two_classes_share_are_not_learnt() {
        let mut templates = Templates::default();
        templates.learn(4, &picture(cross));
        templates.learn(7, &picture(cross));
        assert!(templates.needs(7) && templates.needs(4));
        assert_eq!(templates.0.len(), 1);
        for _ in 0..5 {
            templates.learn(4, &picture(cross));
        }
        assert_eq!(templates.0.len(), 1, "the same once");
    }
}
