//! The convolutional network that reads a square.
//!
//! Seven convolutions of 3 × 3, of which three are residual, precede two dense layers.

use crate::grid::PICTURE_SIDE;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder as _, ShapeError};

/// The number of classes: empty, 14 kinds of Black, 14 of White, hidden.
pub const CLASS_COUNT: usize = 30;
/// The class of an empty square.
pub const EMPTY: usize = 0;
/// The number of kinds of one side. Black's classes are 1 to 14, White's 15 to 28.
pub const KIND_COUNT: usize = 14;
/// The class of a covered square.
pub const HIDDEN: usize = CLASS_COUNT - 1;

/// A convolution of 3 × 3 with `ReLU`.
#[derive(Clone, Copy, Debug)]
pub struct Convolution {
    /// The number of input channels.
    pub inputs: usize,
    /// The number of output channels.
    pub outputs: usize,
    /// The width and height of an input channel, in values.
    pub side: usize,
    /// Whether the output is added to the input. Otherwise a max pooling of 2 × 2 follows.
    pub is_residual: bool,
}

impl Convolution {
    const fn pooled(inputs: usize, outputs: usize, side: usize) -> Self {
        Self {
            inputs,
            outputs,
            side,
            is_residual: false,
        }
    }

    /// Creates a convolution whose output is added to the input.
    const fn residual(channels: usize, side: usize) -> Self {
        Self {
            inputs: channels,
            outputs: channels,
            side,
            is_residual: true,
        }
    }

    /// Returns the size of the matrix, with nine inputs for each input channel.
    const fn size(self) -> LayerSize {
        LayerSize {
            outputs: self.outputs,
            inputs: self.inputs * 9,
        }
    }
}

/// The convolutions, in the order in which they are applied.
pub const CONVOLUTIONS: [Convolution; 7] = [
    Convolution::pooled(1, 16, PICTURE_SIDE),
    Convolution::residual(16, PICTURE_SIDE / 2),
    Convolution::pooled(16, 32, PICTURE_SIDE / 2),
    Convolution::residual(32, PICTURE_SIDE / 4),
    Convolution::pooled(32, 64, PICTURE_SIDE / 4),
    Convolution::residual(64, PICTURE_SIDE / 8),
    Convolution::pooled(64, 96, PICTURE_SIDE / 8),
];
/// The number of outputs of the first dense layer.
pub const DENSE_UNITS: usize = 128;
const LAST_CHANNELS: usize = CONVOLUTIONS[6].outputs;
/// The width and height of a channel after the last convolution, in values.
const LAST_SIDE: usize = PICTURE_SIDE / 16;
/// The number of inputs of the first dense layer.
pub const DENSE_INPUTS: usize = LAST_CHANNELS * LAST_SIDE * LAST_SIDE;

/// The size of a layer's matrix. A bias for each output follows the matrix.
#[derive(Clone, Copy, Debug)]
pub struct LayerSize {
    /// The number of outputs: the rows of the matrix.
    pub outputs: usize,
    /// The number of inputs: the columns of the matrix.
    pub inputs: usize,
}

impl LayerSize {
    /// Returns the number of values of the matrix, without the biases.
    pub const fn matrix_len(self) -> usize {
        self.outputs * self.inputs
    }

    /// Returns the number of weights: the matrix and the biases.
    pub const fn weight_count(self) -> usize {
        self.outputs * (self.inputs + 1)
    }
}

/// The sizes of the layers.
pub const LAYERS: [LayerSize; CONVOLUTIONS.len() + 2] = [
    CONVOLUTIONS[0].size(),
    CONVOLUTIONS[1].size(),
    CONVOLUTIONS[2].size(),
    CONVOLUTIONS[3].size(),
    CONVOLUTIONS[4].size(),
    CONVOLUTIONS[5].size(),
    CONVOLUTIONS[6].size(),
    LayerSize {
        outputs: DENSE_UNITS,
        inputs: DENSE_INPUTS,
    },
    LayerSize {
        outputs: CLASS_COUNT,
        inputs: DENSE_UNITS,
    },
];

/// The number of weights and biases of all layers.
#[expect(
    clippy::indexing_slicing,
    reason = "a constant: an index out of bounds would not compile"
)]
pub const WEIGHT_COUNT: usize = {
    let mut sum = 0;
    let mut layer = 0;
    while layer < LAYERS.len() {
        sum += LAYERS[layer].weight_count();
        layer += 1;
    }
    sum
};

/// Values of a batch: for each channel all pictures, for each picture its rows.
pub type Values = Vec<f32>;

/// Writes the 3 × 3 neighbourhoods of all values into `columns`. A row of the `channels` × 9 rows has a value for each
/// pixel of the batch. The batch has `count` pictures, `side` wide and high.
#[expect(clippy::indexing_slicing, reason = "sizes follow from the arguments")]
pub fn im2col(input: &[f32], channels: usize, count: usize, side: usize, columns: &mut Values) {
    let plane = count * side * side;
    columns.clear();
    columns.resize(channels * 9 * plane, 0.0);
    for (row, target) in columns.chunks_exact_mut(plane.max(1)).enumerate() {
        let source = &input[row / 9 * plane..][..plane];
        let (down, across) = (row % 9 / 3, row % 3);
        let (target_x, source_x) = (1_usize.saturating_sub(across), across.saturating_sub(1));
        let length = side - target_x.max(source_x);
        for picture in 0..count {
            for y in 0..side {
                let from = y + down;
                if (1..=side).contains(&from) {
                    let to = (picture * side + y) * side + target_x;
                    let from = (picture * side + from - 1) * side + source_x;
                    target[to..to + length].copy_from_slice(&source[from..from + length]);
                }
            }
        }
    }
}

/// Computes `result` = `left` × `right` + `factor` × `result`. Changes nothing where the sizes do not fit.
pub fn matmul(left: Matrix<'_>, right: Matrix<'_>, factor: f32, result: &mut [f32]) {
    let shape = (left.rows, right.columns);
    if let (Ok(left), Ok(right), Ok(mut sum)) = (
        left.view(),
        right.view(),
        ArrayViewMut2::from_shape(shape, result),
    ) && left.ncols() == right.nrows()
    {
        general_mat_mul(1.0, &left, &right, factor, &mut sum);
    }
}

/// A matrix and its layout in memory.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    is_column_major: bool,
}

impl<'a> Matrix<'a> {
    /// Creates a matrix whose `values` are stored row by row.
    pub const fn from_rows(values: &'a [f32], rows: usize, columns: usize) -> Self {
        Self {
            values,
            rows,
            columns,
            is_column_major: false,
        }
    }

    /// Creates a matrix whose `values` are stored column by column: the transpose of `columns` × `rows` values.
    pub const fn from_columns(values: &'a [f32], rows: usize, columns: usize) -> Self {
        Self {
            values,
            rows,
            columns,
            is_column_major: true,
        }
    }

    /// Returns the matrix for `ndarray`. Fails if the number of values is not `rows` × `columns`.
    fn view(self) -> Result<ArrayView2<'a, f32>, ShapeError> {
        ArrayView2::from_shape((self.rows, self.columns).set_f(self.is_column_major), self.values)
    }
}

/// Computes the max pooling of 2 × 2 with `ReLU`, of channels that are `side` wide.
pub fn max_pool(input: &[f32], side: usize, output: &mut Values) {
    output.clear();
    output.resize(input.len() / 4, 0.0);
    for (rows, row) in input
        .chunks_exact(2 * side)
        .zip(output.chunks_exact_mut(side / 2))
    {
        let (upper, lower) = rows.split_at(side);
        let pairs = upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0);
        for (value, ([a, b], [c, d])) in row.iter_mut().zip(pairs) {
            *value = a.max(*b).max(c.max(*d)).max(0.0);
        }
    }
}

/// Adds the output of a convolution (`sums`) to the input (`values`), with `ReLU`. Both become the sum.
pub fn add_residual(values: &mut [f32], sums: &mut [f32]) {
    for (value, sum) in values.iter_mut().zip(sums) {
        *value = (*value + *sum).max(0.0);
        *sum = *value;
    }
}

/// Applies a convolution to `values`. `columns` receive the input in the order of [`im2col`]. `sums` receive the output
/// before pooling. For a residual convolution, they receive the sum of input and output.
pub fn convolve(
    convolution: Convolution,
    matrix: &[f32],
    biases: &[f32],
    values: &mut Values,
    columns: &mut Values,
    sums: &mut Values,
) {
    let area = convolution.side * convolution.side;
    let count = values.len() / (convolution.inputs * area);
    im2col(values, convolution.inputs, count, convolution.side, columns);
    apply_dense(matrix, biases, columns, count * area, sums);
    if convolution.is_residual {
        add_residual(values, sums);
    } else {
        max_pool(sums, convolution.side, values);
    }
}

/// Transposes the output of the last convolution to one column for each picture. With `back`, does the reverse.
#[expect(clippy::indexing_slicing, reason = "sizes follow from the arguments")]
pub fn flatten(input: &[f32], count: usize, back: bool) -> Values {
    let area = LAST_SIDE * LAST_SIDE;
    let mut output = vec![0.0; DENSE_INPUTS * count];
    for channel in 0..LAST_CHANNELS {
        for picture in 0..count {
            for index in 0..area {
                let flat = (channel * area + index) * count + picture;
                let at = (channel * count + picture) * area + index;
                if back {
                    output[at] = input[flat];
                } else {
                    output[flat] = input[at];
                }
            }
        }
    }
    output
}

/// The probability of each class of a square, 0 to 1.
pub type Probabilities = [f32; CLASS_COUNT];

/// Marks squares as hidden, by their indices.
pub fn hide(squares: &mut [Probabilities], indices: &[usize]) {
    for index in indices {
        if let Some(square) = squares.get_mut(*index) {
            *square = std::array::from_fn(|class| if class == HIDDEN { 1.0 } else { 0.0 });
        }
    }
}

/// Returns the likeliest class and its probability.
pub fn likeliest(square: &Probabilities) -> (usize, f32) {
    let best = square
        .iter()
        .copied()
        .enumerate()
        .max_by(|left, right| left.1.total_cmp(&right.1));
    best.unwrap_or((HIDDEN, 0.0))
}

/// Returns the class of the other side's piece of the same kind. Other classes are unchanged.
pub const fn opposite_class(class: usize) -> usize {
    match class {
        1..=KIND_COUNT => class + KIND_COUNT,
        15..HIDDEN => class - KIND_COUNT,
        _ => class,
    }
}

/// The convolutional network that reads a square.
#[derive(Clone, Debug)]
pub struct Network {
    /// The weights in the order of [`Network::new`].
    weights: Vec<f32>,
}

impl Default for Network {
    /// Creates a network whose weights are 0.
    fn default() -> Self {
        Self {
            weights: vec![0.0; WEIGHT_COUNT],
        }
    }
}

impl Network {
    /// Creates a network from its weights: for each layer its matrix, row by row, then its biases. `None` where the
    /// number of weights is not [`WEIGHT_COUNT`].
    pub fn new(weights: Vec<f32>) -> Option<Self> {
        (weights.len() == WEIGHT_COUNT).then_some(Self { weights })
    }

    /// Creates a network from a file of weights. Each output of each layer has a scale, a bias and a signed byte for
    /// each input. The weight is the byte times the scale. Scale and bias are little-endian IEEE 754 numbers of 32
    /// bits. `None` where the size of the file is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut weights = Vec::with_capacity(WEIGHT_COUNT);
        let mut rest = bytes;
        for LayerSize { outputs, inputs } in LAYERS {
            let mut biases = Vec::with_capacity(outputs);
            for _ in 0..outputs {
                let (scale, after) = rest.split_first_chunk()?;
                let (bias, after) = after.split_first_chunk()?;
                let (row, after) = after.split_at_checked(inputs)?;
                weights.extend(
                    row.iter()
                        .map(|byte| f32::from(byte.cast_signed()) * f32::from_le_bytes(*scale)),
                );
                biases.push(f32::from_le_bytes(*bias));
                rest = after;
            }
            weights.append(&mut biases);
        }
        if rest.is_empty() { Self::new(weights) } else { None }
    }

    /// Returns the weights as a file in the format of [`Self::from_bytes`].
    #[expect(clippy::cast_possible_truncation, reason = "at most 127")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (layer, LayerSize { inputs, .. }) in LAYERS.into_iter().enumerate() {
            let (matrix, biases) = self.layer(layer);
            for (row, bias) in matrix.chunks_exact(inputs).zip(biases) {
                let most = row.iter().fold(1e-12_f32, |most, weight| most.max(weight.abs()));
                let scale = most / 127.0;
                bytes.extend(scale.to_le_bytes());
                bytes.extend(bias.to_le_bytes());
                bytes.extend(
                    row.iter()
                        .map(|weight| ((weight / scale).round() as i8).cast_unsigned()),
                );
            }
        }
        bytes
    }

    /// Returns all weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns the matrix and the biases of a layer.
    #[expect(clippy::indexing_slicing, reason = "the number of weights was checked")]
    fn layer(&self, layer: usize) -> (&[f32], &[f32]) {
        self.weights[layer_range(layer)].split_at(LAYERS[layer].matrix_len())
    }

    /// Returns the probabilities for each picture of a square. A picture has `PICTURE_SIDE` × `PICTURE_SIDE` values.
    pub fn classify(&self, squares: &[f32]) -> Vec<Probabilities> {
        // A batch of this size stays in the cache.
        const BATCH_SIZE: usize = 27;
        squares
            .chunks(BATCH_SIZE * PICTURE_SIDE * PICTURE_SIDE)
            .flat_map(|batch| self.classify_batch(batch))
            .collect()
    }

    #[expect(clippy::indexing_slicing, reason = "sizes follow from the layers")]
    fn classify_batch(&self, squares: &[f32]) -> Vec<Probabilities> {
        let count = squares.len() / (PICTURE_SIDE * PICTURE_SIDE);
        let mut values = squares[..count * PICTURE_SIDE * PICTURE_SIDE].to_vec();
        let (mut columns, mut sums) = (Values::new(), Values::new());
        for (layer, convolution) in CONVOLUTIONS.into_iter().enumerate() {
            let (matrix, biases) = self.layer(layer);
            convolve(convolution, matrix, biases, &mut values, &mut columns, &mut sums);
        }
        let values = flatten(&values, count, false);
        let (matrix, biases) = self.layer(CONVOLUTIONS.len());
        apply_dense(matrix, biases, &values, count, &mut sums);
        for value in &mut sums {
            *value = value.max(0.0);
        }
        let (matrix, biases) = self.layer(CONVOLUTIONS.len() + 1);
        let mut scores = Values::new();
        apply_dense(matrix, biases, &sums, count, &mut scores);
        (0..count)
            .map(|picture| softmax(std::array::from_fn(|class| scores[class * count + picture])))
            .collect()
    }
}

/// Returns the range of a layer's weights.
#[expect(clippy::indexing_slicing, reason = "the layers are constants")]
pub fn layer_range(layer: usize) -> std::ops::Range<usize> {
    let start = LAYERS[..layer].iter().map(|size| size.weight_count()).sum();
    start..start + LAYERS[layer].weight_count()
}

/// Applies a dense layer: `sums` become the matrix times `columns`, plus the biases. `width` is the number of columns.
pub fn apply_dense(matrix: &[f32], biases: &[f32], columns: &[f32], width: usize, sums: &mut Values) {
    sums.clear();
    for bias in biases {
        sums.resize(sums.len() + width, *bias);
    }
    let inner = matrix.len() / biases.len().max(1);
    let matrix = Matrix::from_rows(matrix, biases.len(), inner);
    matmul(matrix, Matrix::from_rows(columns, inner, width), 1.0, sums);
}

/// Returns the softmax of scores.
pub fn softmax(scores: [f32; CLASS_COUNT]) -> Probabilities {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = scores.map(|score| (score - most).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}
