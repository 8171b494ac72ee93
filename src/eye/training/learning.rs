//! Steps of training: the network's loss on a batch and its slope, and Adam.

use crate::random::Random;
use shogibar_eye::grid::SIDE;
use shogibar_eye::network::{
    self, CLASSES, FILTERS, Filters, INNER, LAYERS, Network, Values, WEIGHTS, filter, flatten, full, layer_range,
    multiply,
};

/// Returns weights by chance, so that each layer keeps about the deviation of its inputs.
pub fn first_weights(random: &mut Random) -> Vec<f32> {
    let mut weights = Vec::with_capacity(WEIGHTS);
    for (layer, (outputs, inputs)) in LAYERS.into_iter().enumerate() {
        let adds = FILTERS.get(layer).is_some_and(|filters| filters.adds);
        let deviation = if adds { 0.1 } else { 1.0 } * (2.0 / inputs as f32).sqrt();
        weights.extend((0..outputs * inputs).map(|_| random.normal() * deviation));
        weights.resize(weights.len() + outputs, 0.0);
    }
    weights
}

/// What a batch teaches.
#[derive(Clone, Debug)]
pub struct Slope {
    /// The sum of the losses (cross entropy).
    pub loss: f32,
    /// The number of right answers.
    pub right: usize,
    /// The slope of the sum for each weight.
    pub slopes: Vec<f32>,
}

/// Returns the slope of a batch, in parts that fit into a processor's cache, on some threads.
pub fn slope(weights: &[f32], squares: &[f32], classes: &[u8], threads: usize) -> Slope {
    const PART: usize = 4;
    let parts: Vec<(&[f32], &[u8])> = squares.chunks(PART * SIDE * SIDE).zip(classes.chunks(PART)).collect();
    let sums: Vec<Slope> = std::thread::scope(|scope| {
        let share = parts.len().div_ceil(threads.max(1));
        let work = |parts: &[(&[f32], &[u8])]| {
            let mut sum = Slope { loss: 0.0, right: 0, slopes: vec![0.0; WEIGHTS] };
            let mut room = Room::default();
            for (squares, classes) in parts {
                add_part(weights, squares, classes, &mut room, &mut sum);
            }
            sum
        };
        let mut shares = parts.chunks(share.max(1));
        let own = shares.next();
        let others: Vec<_> = shares.map(|parts| scope.spawn(move || work(parts))).collect();
        let own = own.map(work);
        own.into_iter().chain(others.into_iter().flat_map(|thread| thread.join())).collect()
    });
    let nothing = Slope { loss: 0.0, right: 0, slopes: vec![0.0; WEIGHTS] };
    sums.into_iter().fold(nothing, |mut sum, part| {
        add(&mut sum.slopes, &part.slopes);
        Slope { loss: sum.loss + part.loss, right: sum.right + part.right, slopes: sum.slopes }
    })
}

fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Room for the values between the layers, used again for each part.
#[derive(Default)]
struct Room {
    inputs: [Values; FILTERS.len()],
    sums: [Values; FILTERS.len()],
    values: Values,
    columns: Values,
}

/// Adds the losses, the right answers and the slopes of some squares.
fn add_part(weights: &[f32], squares: &[f32], classes: &[u8], room: &mut Room, sum: &mut Slope) {
    let count = classes.len();
    let layer = |index: usize| weights[layer_range(index)].split_at(LAYERS[index].0 * LAYERS[index].1);
    // Forwards.
    let Room { inputs, sums: kept, values, columns } = room;
    squares.clone_into(values);
    for (index, filters) in FILTERS.into_iter().enumerate() {
        filter(filters, layer(index), values, &mut inputs[index], &mut kept[index]);
    }
    let flat = flatten(values, count, false);
    let (mut inner, mut scores) = (Values::new(), Values::new());
    let (first, last) = (FILTERS.len(), FILTERS.len() + 1);
    let (matrix, biases) = layer(first);
    full(matrix, biases, &flat, count, &mut inner);
    for value in &mut inner {
        *value = value.max(0.0);
    }
    let (matrix, biases) = layer(last);
    full(matrix, biases, &inner, count, &mut scores);
    // The loss.
    let mut back = vec![0.0; CLASSES * count];
    for (picture, class) in classes.iter().enumerate() {
        let chances = network::probabilities(std::array::from_fn(|class| scores[class * count + picture]));
        let wanted = usize::from(*class);
        sum.loss -= chances[wanted].max(1e-9).ln();
        sum.right += usize::from(chances.iter().all(|chance| *chance <= chances[wanted]));
        for (class, chance) in chances.iter().enumerate() {
            back[class * count + picture] = chance - if class == wanted { 1.0 } else { 0.0 };
        }
    }
    // Backwards.
    let mut store = |index: usize, back: &[f32], input: &[f32], width: usize| {
        let (outputs, inner) = LAYERS[index];
        let (matrix, biases) = sum.slopes[layer_range(index)].split_at_mut(outputs * inner);
        multiply((outputs, width, inner), (back, false), (input, true), 1.0, matrix);
        for (bias, row) in biases.iter_mut().zip(back.chunks_exact(width)) {
            *bias += row.iter().sum::<f32>();
        }
    };
    store(last, &back, &inner, count);
    let mut before = vec![0.0; INNER * count];
    multiply((INNER, CLASSES, count), (layer(last).0, true), (&back, false), 0.0, &mut before);
    for (value, inner) in before.iter_mut().zip(&inner) {
        if *inner <= 0.0 {
            *value = 0.0;
        }
    }
    store(first, &before, &flat, count);
    let mut flat_back = vec![0.0; flat.len()];
    multiply((LAYERS[first].1, INNER, count), (layer(first).0, true), (&before, false), 0.0, &mut flat_back);
    let mut back = flatten(&flat_back, count, true);
    for (index, filters) in FILTERS.into_iter().enumerate().rev() {
        let Filters { inputs: planes, side, adds, .. } = filters;
        let width = count * side * side;
        let sums = &mut kept[index];
        if adds {
            mask(&back, sums);
        } else {
            unhalve(&back, side, sums);
        }
        store(index, sums, &inputs[index], width);
        if index > 0 {
            columns.resize(LAYERS[index].1 * width, 0.0);
            multiply((LAYERS[index].1, LAYERS[index].0, width), (layer(index).0, true), (sums, false), 0.0, columns);
            back = gather(columns, planes, count, side);
            if adds {
                add(&mut back, sums);
            }
        }
    }
}

/// Keeps the slopes where the values are above 0.
fn mask(slopes: &[f32], values: &mut [f32]) {
    for (value, slope) in values.iter_mut().zip(slopes) {
        *value = if *value > 0.0 { *slope } else { 0.0 };
    }
}

/// Undoes [`network::halve`]: each slope goes to the value that was kept; all others become 0.
fn unhalve(back: &[f32], side: usize, values: &mut [f32]) {
    for (rows, slopes) in values.chunks_exact_mut(2 * side).zip(back.chunks_exact(side / 2)) {
        let (upper, lower) = rows.split_at_mut(side);
        let pairs = upper.as_chunks_mut::<2>().0.iter_mut().zip(lower.as_chunks_mut::<2>().0);
        for (slope, ([a, b], [c, d])) in slopes.iter().zip(pairs) {
            let most = a.max(*b).max(c.max(*d));
            let mut left = if most > 0.0 { *slope } else { 0.0 };
            for value in [a, b, c, d] {
                let here = *value >= most;
                *value = if here { left } else { 0.0 };
                left = if here { 0.0 } else { left };
            }
        }
    }
}

/// Adds what [`network::surroundings`] has laid out to where it came from.
fn gather(columns: &[f32], channels: usize, count: usize, side: usize) -> Values {
    let plane = count * side * side;
    let mut output = vec![0.0; channels * plane];
    for (row, source) in columns.chunks_exact(plane).enumerate() {
        let target = &mut output[row / 9 * plane..][..plane];
        let (down, across) = (row % 9 / 3, row % 3);
        let (source_x, target_x) = (1_usize.saturating_sub(across), across.saturating_sub(1));
        let length = side - source_x.max(target_x);
        for picture in 0..count {
            for y in 0..side {
                let to = y + down;
                if (1..=side).contains(&to) {
                    let from = (picture * side + y) * side + source_x;
                    let to = (picture * side + to - 1) * side + target_x;
                    for (value, slope) in target[to..to + length].iter_mut().zip(&source[from..from + length]) {
                        *value += slope;
                    }
                }
            }
        }
    }
    output
}

/// The share of the newest weights in their mean, which is over some 5,000 boards.
const AVERAGED: f32 = 1.0 / 2000.0;

/// The state of Adam.
#[derive(Clone, Debug)]
pub struct Adam {
    /// The weights.
    pub weights: Vec<f32>,
    /// Their mean over the last steps: what is learnt from the sets of the last minutes alone averages out.
    average: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    step: i32,
}

impl Adam {
    /// Begins with these weights.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Self { average: weights.clone(), mean: zeros.clone(), square: zeros, step: 0, weights }
    }

    /// Takes a step against the mean slope of `count` squares.
    pub fn step(&mut self, slopes: &[f32], count: usize, rate: f32) {
        self.step += 1;
        let (first, second) = (1.0 - 0.9_f32.powi(self.step), 1.0 - 0.999_f32.powi(self.step));
        for (((weight, slope), mean), square) in
            self.weights.iter_mut().zip(slopes).zip(&mut self.mean).zip(&mut self.square)
        {
            let slope = slope / count as f32;
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            *weight -= rate * ((*mean / first) / ((*square / second).sqrt() + 1e-8) + 1e-4 * *weight);
        }
        let part = AVERAGED.max(1.0 / self.step as f32);
        for (average, weight) in self.average.iter_mut().zip(&self.weights) {
            *average += part * (weight - *average);
        }
    }

    /// Returns the network of the mean weights.
    pub fn network(&self) -> Option<Network> {
        Network::new(self.average.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut random = Random::new(1);
        let weights = first_weights(&mut random);
        let squares: Vec<f32> = (0..5 * SIDE * SIDE).map(|_| 0.1 * random.normal()).collect();
        let classes = [0, 7, 15, 22, 29];
        let learnt = slope(&weights, &squares, &classes, 1);
        for layer in 0..LAYERS.len() {
            // Along the slopes of a layer the loss rises by their length.
            let range = layer_range(layer);
            let length = learnt.slopes[range.clone()].iter().map(|slope| slope * slope).sum::<f32>().sqrt();
            let loss = |step: f32| {
                let mut moved = weights.clone();
                for (weight, slope) in moved[range.clone()].iter_mut().zip(&learnt.slopes[range.clone()]) {
                    *weight += step * slope / length;
                }
                slope(&moved, &squares, &classes, 1).loss
            };
            let rise = (loss(0.001) - loss(-0.001)) / 0.002;
            assert!((rise / length - 1.0).abs() < 0.02, "layer {layer}: {rise} and {length}");
        }
    }
}
