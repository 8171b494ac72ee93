//! Steps of training: the loss of the network on a batch, the gradient of the loss, and the optimizer Adam.

use crate::random::Random;
use shogibar_eye::grid::PICTURE_SIDE;
use shogibar_eye::network::{
    CLASS_COUNT, CONVOLUTIONS, Convolution, DENSE_UNITS, LAYERS, LayerSize, Matrix, Network, Values,
    WEIGHT_COUNT, apply_dense, convolve, flatten, layer_range, matmul, softmax,
};

/// Returns random weights. Each layer approximately preserves the deviation of the inputs.
pub fn initial_weights(random: &mut Random) -> Vec<f32> {
    let mut weights = Vec::with_capacity(WEIGHT_COUNT);
    for (layer, LayerSize { outputs, inputs }) in LAYERS.into_iter().enumerate() {
        let is_residual = CONVOLUTIONS
            .get(layer)
            .is_some_and(|convolution| convolution.is_residual);
        let deviation = if is_residual { 0.1 } else { 1.0 } * (2.0 / inputs as f32).sqrt();
        weights.extend((0..outputs * inputs).map(|_| random.normal() * deviation));
        weights.resize(weights.len() + outputs, 0.0);
    }
    weights
}

/// The loss of a batch, and the gradient of the loss.
#[derive(Clone, Debug)]
pub struct BatchGradient {
    /// The sum of the losses (cross entropy).
    pub loss: f32,
    /// The number of squares whose class has the highest score.
    pub correct_squares: usize,
    /// The gradient of the loss, for each weight.
    pub gradient: Vec<f32>,
}

/// Returns the gradient of a batch. `threads` threads share the batch, in parts that fit into a processor's cache.
pub fn gradient(weights: &[f32], squares: &[f32], classes: &[u8], threads: usize) -> BatchGradient {
    const PART_SQUARES: usize = 4;
    let parts: Vec<(&[f32], &[u8])> = squares
        .chunks(PART_SQUARES * PICTURE_SIDE * PICTURE_SIDE)
        .zip(classes.chunks(PART_SQUARES))
        .collect();
    let sums: Vec<BatchGradient> = std::thread::scope(|scope| {
        let share = parts.len().div_ceil(threads.max(1));
        let work = |parts: &[(&[f32], &[u8])]| {
            let mut sum = BatchGradient {
                loss: 0.0,
                correct_squares: 0,
                gradient: vec![0.0; WEIGHT_COUNT],
            };
            let mut workspace = Workspace::default();
            for (squares, classes) in parts {
                add_part(weights, squares, classes, &mut workspace, &mut sum);
            }
            sum
        };
        let mut shares = parts.chunks(share.max(1));
        let first = shares.next();
        let others: Vec<_> = shares.map(|parts| scope.spawn(move || work(parts))).collect();
        let first = first.map(work);
        first
            .into_iter()
            .chain(others.into_iter().flat_map(std::thread::ScopedJoinHandle::join))
            .collect()
    });
    let nothing = BatchGradient {
        loss: 0.0,
        correct_squares: 0,
        gradient: vec![0.0; WEIGHT_COUNT],
    };
    sums.into_iter().fold(nothing, |mut sum, part| {
        add(&mut sum.gradient, &part.gradient);
        BatchGradient {
            loss: sum.loss + part.loss,
            correct_squares: sum.correct_squares + part.correct_squares,
            gradient: sum.gradient,
        }
    })
}

fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Buffers for the values between the layers.
#[derive(Default)]
struct Workspace {
    inputs: [Values; CONVOLUTIONS.len()],
    /// The outputs of each convolution before pooling.
    sums: [Values; CONVOLUTIONS.len()],
    /// The values between two layers.
    values: Values,
    /// The gradient of the columns of a convolution.
    columns: Values,
}

/// Adds the losses, the correct answers and the gradient of some squares to `sum`.
fn add_part(
    weights: &[f32],
    squares: &[f32],
    classes: &[u8],
    workspace: &mut Workspace,
    sum: &mut BatchGradient,
) {
    let count = classes.len();
    let layer = |index: usize| weights[layer_range(index)].split_at(LAYERS[index].matrix_len());
    // Forward pass.
    let Workspace {
        inputs,
        sums: outputs,
        values,
        columns,
    } = workspace;
    squares.clone_into(values);
    for (index, convolution) in CONVOLUTIONS.into_iter().enumerate() {
        let (matrix, biases) = layer(index);
        convolve(
            convolution,
            matrix,
            biases,
            values,
            &mut inputs[index],
            &mut outputs[index],
        );
    }
    let flat = flatten(values, count, false);
    let (mut inner, mut scores) = (Values::new(), Values::new());
    let (first, last) = (CONVOLUTIONS.len(), CONVOLUTIONS.len() + 1);
    let (matrix, biases) = layer(first);
    apply_dense(matrix, biases, &flat, count, &mut inner);
    for value in &mut inner {
        *value = value.max(0.0);
    }
    let (matrix, biases) = layer(last);
    apply_dense(matrix, biases, &inner, count, &mut scores);
    // Loss.
    let mut back = vec![0.0; CLASS_COUNT * count];
    for (picture, class) in classes.iter().enumerate() {
        let chances = softmax(std::array::from_fn(|class| scores[class * count + picture]));
        let wanted = usize::from(*class);
        sum.loss -= chances[wanted].max(1e-9).ln();
        sum.correct_squares += usize::from(chances.iter().all(|chance| *chance <= chances[wanted]));
        for (class, chance) in chances.iter().enumerate() {
            back[class * count + picture] = chance - if class == wanted { 1.0 } else { 0.0 };
        }
    }
    // Backward pass.
    let mut store = |index: usize, back: &[f32], input: &[f32], width: usize| {
        let LayerSize { outputs, inputs } = LAYERS[index];
        let (matrix, biases) = sum.gradient[layer_range(index)].split_at_mut(LAYERS[index].matrix_len());
        let back_matrix = Matrix::from_rows(back, outputs, width);
        matmul(
            back_matrix,
            Matrix::from_columns(input, width, inputs),
            1.0,
            matrix,
        );
        for (bias, row) in biases.iter_mut().zip(back.chunks_exact(width)) {
            *bias += row.iter().sum::<f32>();
        }
    };
    store(last, &back, &inner, count);
    let mut before = vec![0.0; DENSE_UNITS * count];
    let transposed =
        |index: usize| Matrix::from_columns(layer(index).0, LAYERS[index].inputs, LAYERS[index].outputs);
    matmul(
        transposed(last),
        Matrix::from_rows(&back, CLASS_COUNT, count),
        0.0,
        &mut before,
    );
    for (value, inner) in before.iter_mut().zip(&inner) {
        if *inner <= 0.0 {
            *value = 0.0;
        }
    }
    store(first, &before, &flat, count);
    let mut flat_back = vec![0.0; flat.len()];
    matmul(
        transposed(first),
        Matrix::from_rows(&before, DENSE_UNITS, count),
        0.0,
        &mut flat_back,
    );
    let mut back = flatten(&flat_back, count, true);
    for (index, convolution) in CONVOLUTIONS.into_iter().enumerate().rev() {
        let Convolution {
            inputs: channels,
            side,
            is_residual,
            ..
        } = convolution;
        let width = count * side * side;
        let sums = &mut outputs[index];
        if is_residual {
            relu_backward(&back, sums);
        } else {
            max_pool_backward(&back, side, sums);
        }
        store(index, sums, &inputs[index], width);
        if index > 0 {
            columns.resize(LAYERS[index].inputs * width, 0.0);
            matmul(
                transposed(index),
                Matrix::from_rows(sums, LAYERS[index].outputs, width),
                0.0,
                columns,
            );
            back = col2im(columns, channels, count, side);
            if is_residual {
                add(&mut back, sums);
            }
        }
    }
}

/// Replaces the outputs of a `ReLU` (`values`) by the gradient of its inputs. `back` is the gradient of the outputs.
fn relu_backward(back: &[f32], values: &mut [f32]) {
    for (value, gradient) in values.iter_mut().zip(back) {
        *value = if *value > 0.0 { *gradient } else { 0.0 };
    }
}

/// Replaces the inputs of [`max_pool`](shogibar_eye::network::max_pool) (`values`) by their gradient. `back` is the
/// gradient of the outputs. The greatest of four values receives the gradient, the others 0.
fn max_pool_backward(back: &[f32], side: usize, values: &mut [f32]) {
    for (rows, gradient) in values.chunks_exact_mut(2 * side).zip(back.chunks_exact(side / 2)) {
        let (upper, lower) = rows.split_at_mut(side);
        let pairs = upper
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .zip(lower.as_chunks_mut::<2>().0);
        for (gradient, ([a, b], [c, d])) in gradient.iter().zip(pairs) {
            let most = a.max(*b).max(c.max(*d));
            let mut remaining = if most > 0.0 { *gradient } else { 0.0 };
            for value in [a, b, c, d] {
                let is_most = *value >= most;
                *value = if is_most { remaining } else { 0.0 };
                remaining = if is_most { 0.0 } else { remaining };
            }
        }
    }
}

/// Computes the adjoint of [`im2col`](shogibar_eye::network::im2col): adds each value to its source.
fn col2im(columns: &[f32], channels: usize, count: usize, side: usize) -> Values {
    let plane = count * side * side;
    let mut output = vec![0.0; channels * plane];
    for (row, source) in columns.chunks_exact(plane).enumerate() {
        let target = &mut output[row / 9 * plane..][..plane];
        let (down, across) = (row % 9 / 3, row % 3);
        let (source_x, target_x) = (1_usize.saturating_sub(across), across.saturating_sub(1));
        let length = side - source_x.max(target_x);
        for picture in 0..count {
            for y in 1_usize.saturating_sub(down)..side.min(side + 1 - down) {
                let from = (picture * side + y) * side + source_x;
                let to = (picture * side + y + down - 1) * side + target_x;
                add(&mut target[to..to + length], &source[from..from + length]);
            }
        }
    }
    output
}

/// The share of the newest weights in the running mean of the weights, which covers about 5,000 boards.
const MEAN_UPDATE_SHARE: f32 = 1.0 / 2000.0;

/// The weights in training, with the state of the optimizer Adam.
#[derive(Clone, Debug)]
pub struct Adam {
    /// The current weights of the network.
    pub weights: Vec<f32>,
    /// The running mean of the weights. The mean smooths the effect of the latest piece sets.
    mean_weights: Vec<f32>,
    mean_gradients: Vec<f32>,
    /// The running mean of the squared gradients.
    mean_squares: Vec<f32>,
    step_count: i32,
}

impl Adam {
    /// Creates the optimizer for initial weights.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Self {
            mean_weights: weights.clone(),
            mean_gradients: zeros.clone(),
            mean_squares: zeros,
            step_count: 0,
            weights,
        }
    }

    /// Takes a step against a gradient, the sum over `count` squares. `rate` is the learning rate.
    pub fn step(&mut self, gradient: &[f32], count: usize, rate: f32) {
        self.step_count += 1;
        let (first, second) = (
            1.0 - 0.9_f32.powi(self.step_count),
            1.0 - 0.999_f32.powi(self.step_count),
        );
        for (((weight, gradient), mean), square) in self
            .weights
            .iter_mut()
            .zip(gradient)
            .zip(&mut self.mean_gradients)
            .zip(&mut self.mean_squares)
        {
            let gradient = gradient / count as f32;
            *mean = 0.9 * *mean + 0.1 * gradient;
            *square = 0.999 * *square + 0.001 * gradient * gradient;
            *weight -= rate * ((*mean / first) / ((*square / second).sqrt() + 1e-8) + 1e-4 * *weight);
        }
        let part = MEAN_UPDATE_SHARE.max(1.0 / self.step_count as f32);
        for (average, weight) in self.mean_weights.iter_mut().zip(&self.weights) {
            *average += part * (weight - *average);
        }
    }

    /// Returns the network of the mean weights; `None` if the number of weights is not [`WEIGHT_COUNT`].
    pub fn network(&self) -> Option<Network> {
        Network::new(self.mean_weights.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_loss() {
        let mut random = Random::new(1);
        let weights = initial_weights(&mut random);
        let squares: Vec<f32> = (0..5 * PICTURE_SIDE * PICTURE_SIDE)
            .map(|_| 0.1 * random.normal())
            .collect();
        let classes = [0, 7, 15, 22, 29];
        let learnt = gradient(&weights, &squares, &classes, 1);
        for layer in 0..LAYERS.len() {
            // Along the gradient of a layer, the loss rises by the gradient's length.
            let range = layer_range(layer);
            let length = learnt.gradient[range.clone()]
                .iter()
                .map(|gradient| gradient * gradient)
                .sum::<f32>()
                .sqrt();
            let loss = |step: f32| {
                let mut moved = weights.clone();
                for (weight, gradient) in moved[range.clone()]
                    .iter_mut()
                    .zip(&learnt.gradient[range.clone()])
                {
                    *weight += step * gradient / length;
                }
                gradient(&moved, &squares, &classes, 1).loss
            };
            let rise = (loss(0.001) - loss(-0.001)) / 0.002;
            assert!(
                (rise / length - 1.0).abs() < 0.02,
                "layer {layer}: {rise} and {length}"
            );
        }
    }
}
