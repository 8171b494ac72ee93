//! A small neural net that values positions (NNUE). The tool in `tools/fit` trains it.
//!
//! Each side sees the position with separate inputs ([`INPUT_COUNT`]): its pieces and the opponent's, by kind and
//! square, and the pieces in hand of both. Squares are as that side sees them. If the side's king is on one of the
//! files 6 to 9, squares are mirrored. The sum of the inputs' weights is the side's accumulator, which is updated move
//! by move. Each unit is clamped to 0–1 and squared. The value is a weighted sum of these squares, those of the side to
//! move first. The weights depend on the number of pieces in hand.
//!
//! Weights are integers: 255 stands for 1 in accumulators, and 64 for 1 in the last weights. No sum overflows. At most
//! 40 pieces with weights of at most [`MAX_WEIGHT`] and a bias of at most [`MAX_BIAS`] stay below 32,768. At most 256
//! squares below 255² times 127 stay below 2³¹.
#![expect(
    clippy::indexing_slicing,
    reason = "inputs are below their number, and all rows have the net's units"
)]

use super::kinds::seen_by;
use flate2::bufread::GzDecoder;
use rsshogi::board::Position;
use rsshogi::types::{Color, HandPiece, Move32, Piece, PieceType, Square};
use shogibar_base::stable_hash::{append_checksum, strip_checksum};
use std::io::Read as _;
use thiserror::Error;

/// The number of inputs of the pieces on the board: two sides, 14 kinds, 81 squares.
const BOARD_INPUT_COUNT: usize = 2 * 14 * 81;

/// The number of inputs of one side's pieces in hand: 18 pawns, 4 lances, knights, silvers and golds, 2 bishops and
/// rooks.
const HAND_INPUT_COUNT: usize = 38;

/// The number of inputs from one side's view: the pieces of both sides on the board and in hand.
pub const INPUT_COUNT: usize = BOARD_INPUT_COUNT + 2 * HAND_INPUT_COUNT;

/// The first hand input of each kind, by the rules crate's numbers: pawn, lance, knight, silver, bishop, rook, gold.
const HAND_INPUT_START: [usize; HandPiece::COUNT] = [0, 18, 22, 26, 30, 32, 34];

/// The integer for 1 in an accumulator.
const ACCUMULATOR_ONE: i32 = 255;
/// The integer for 1 in the last weights.
const OUTPUT_ONE: i32 = 64;

/// The maximum absolute weight of an input.
const MAX_WEIGHT: f32 = 505.0;
/// The maximum absolute bias of a unit.
const MAX_BIAS: f32 = 12_500.0;

/// The maximum absolute last weight.
const MAX_OUTPUT_WEIGHT: f32 = 127.0;
/// The maximum absolute last bias.
const MAX_OUTPUT_BIAS: i32 = 1_000_000;

/// The number of units of a group. A side has a multiple of this number of units, so that loops are vectorized.
const GROUP_UNITS: usize = 16;

/// The maximum number of units of a side.
pub(super) const MAX_UNITS: usize = 128;

/// The maximum number of sets of last weights.
const MAX_BUCKETS: usize = 8;

/// The number of counts of pieces in hand that share a set of last weights.
const PIECE_COUNTS_PER_BUCKET: usize = 5;

/// The maximum number of bytes that are unpacked of a compressed file.
const MAX_UNPACKED_BYTES: u64 = 1 << 20;

/// The net that the program ships, compressed by gzip.
static SHIPPED_NET: &[u8] = include_bytes!("../../assets/engine/net.bin.gz");

/// The first bytes of a file.
const MAGIC: &[u8; 4] = b"SBNN";
/// The version of the file format.
const VERSION: u8 = 1;

/// The number of bytes before the weights: magic, version, base, buckets, 1 unused. Then 2 bytes each for the units,
/// the inputs and K, and 2 unused.
const HEADER_BYTES: usize = 16;

/// The part of the evaluation that a net's value is added to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetBase {
    /// The whole static value with fitted weights.
    #[default]
    Evaluation,
    /// The value of the pieces beside both kings, the hands, the kings' squares and the bonus of the side to move.
    Pieces,
    /// No part: the net's value is the whole evaluation.
    Nothing,
}

impl NetBase {
    const NAMES: [(&str, Self); 3] = [
        ("evaluation", Self::Evaluation),
        ("pieces", Self::Pieces),
        ("nothing", Self::Nothing),
    ];

    /// Returns the base with a name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(other, _)| *other == name)
            .map(|(_, base)| *base)
    }

    fn number(self) -> u8 {
        u8::try_from(
            Self::NAMES
                .iter()
                .position(|(_, base)| *base == self)
                .unwrap_or_default(),
        )
        .unwrap_or_default()
    }
}

/// The reason why a file is not a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NetError {
    /// The file begins with other bytes.
    #[error("this is no file of a net")]
    Magic,
    /// The file is of another version.
    #[error("the net is of version {0}, not {VERSION}")]
    Version(u8),
    /// The net has an unknown base, or other numbers of units, inputs or sets of last weights.
    #[error("the net is of another size than this program reads")]
    Size,
    /// The file has too few or too many bytes.
    #[error("the net's file has {found} bytes, not {expected}")]
    Length {
        /// The number of bytes of the file.
        found: usize,
        /// The number of bytes of a file with this header; the size of the header where the header is cut off.
        expected: usize,
    },
    /// The checksum is wrong, or a weight exceeds its limit.
    #[error("the net's file is damaged: its sum is wrong")]
    Sum,
    /// K, the scale of the net's values, is not positive.
    #[error("the net's K is {0}, and not above 0")]
    Scale(i16),
}

/// The weights of a net before they are rounded. 1 means 1 in every layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetWeights {
    /// The weights of each input, by unit.
    pub inputs: Vec<f32>,
    /// The biases of the units.
    pub biases: Vec<f32>,
    /// The last weights: by bucket, side (the side to move first) and unit.
    pub outputs: Vec<f32>,
    /// The last biases, by bucket.
    pub output_biases: Vec<f32>,
}

/// A net as the search uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// The part of the evaluation that the net's value is added to.
    base: NetBase,
    /// The number of units of a side.
    units: usize,
    /// The number of sets of last weights.
    buckets: usize,
    /// K of the logistic function, in centipawns. An output of 1 is K centipawns.
    k: i16,
    /// The weights of each input, by unit.
    inputs: Vec<i16>,
    /// The biases of the units.
    biases: Vec<i16>,
    /// The last weights: by bucket, side (the side to move first) and unit.
    outputs: Vec<i16>,
    /// The last biases, by bucket.
    output_biases: Vec<i32>,
}

impl Net {
    /// Creates a net with rounded weights. `k` is K of the logistic function in centipawns, the value of an output of
    /// 1.
    pub fn from_weights(weights: &NetWeights, base: NetBase, k: i16) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the value is clamped before the cast"
        )]
        let round =
            |value: f32, one: i32, limit: f32| (value * one as f32).round().clamp(-limit, limit) as i16;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the value is clamped before the cast"
        )]
        let bias = |value: f32| {
            let rounded = (value * (ACCUMULATOR_ONE * OUTPUT_ONE) as f32).round() as i32;
            rounded.clamp(-MAX_OUTPUT_BIAS, MAX_OUTPUT_BIAS)
        };
        Self {
            base,
            units: weights.biases.len(),
            buckets: weights.output_biases.len(),
            k,
            inputs: weights
                .inputs
                .iter()
                .map(|weight| round(*weight, ACCUMULATOR_ONE, MAX_WEIGHT))
                .collect(),
            biases: weights
                .biases
                .iter()
                .map(|weight| round(*weight, ACCUMULATOR_ONE, MAX_BIAS))
                .collect(),
            outputs: weights
                .outputs
                .iter()
                .map(|weight| round(*weight, OUTPUT_ONE, MAX_OUTPUT_WEIGHT))
                .collect(),
            output_biases: weights.output_biases.iter().map(|weight| bias(*weight)).collect(),
        }
    }

    /// Returns the net that the program ships; `None` if the net's file cannot be read.
    pub fn shipped() -> Option<Self> {
        let mut unpacked = Vec::new();
        GzDecoder::new(SHIPPED_NET)
            .take(MAX_UNPACKED_BYTES)
            .read_to_end(&mut unpacked)
            .ok()?;
        Self::from_bytes(&unpacked).ok()
    }

    /// Returns whether a net can have these numbers of units and sets of last weights.
    pub fn is_valid_size(units: usize, buckets: usize) -> bool {
        (GROUP_UNITS..=MAX_UNITS).contains(&units)
            && units.is_multiple_of(GROUP_UNITS)
            && (1..=MAX_BUCKETS).contains(&buckets)
    }

    /// Reads a net from the content of a file.
    ///
    /// # Errors
    /// Fails if the bytes are no net, of another version or size, cut off or damaged, or if K is not positive.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetError::Magic)?;
        match rest.first() {
            None => {
                return Err(NetError::Length {
                    found: bytes.len(),
                    expected: HEADER_BYTES,
                });
            }
            Some(&VERSION) => {}
            Some(version) => return Err(NetError::Version(*version)),
        }
        let length = |expected| NetError::Length {
            found: bytes.len(),
            expected,
        };
        let (head, rest) = bytes
            .split_first_chunk::<HEADER_BYTES>()
            .ok_or_else(|| length(HEADER_BYTES))?;
        let word = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let (units, buckets) = (usize::from(word(8)), usize::from(head[6]));
        let (_, base) = NetBase::NAMES.get(usize::from(head[5])).ok_or(NetError::Size)?;
        if usize::from(word(10)) != INPUT_COUNT || !Self::is_valid_size(units, buckets) {
            return Err(NetError::Size);
        }
        let counts = [INPUT_COUNT * units, units, 2 * buckets * units];
        let expected = HEADER_BYTES + 2 * counts.iter().sum::<usize>() + 4 * buckets + 8;
        if bytes.len() != expected {
            return Err(length(expected));
        }
        let content = strip_checksum(bytes).ok_or(NetError::Sum)?;
        let mut words = rest
            .chunks_exact(2)
            .map(|word| i16::from_le_bytes([word[0], word[1]]));
        let mut limited = |count, limit: f32| -> Option<Vec<i16>> {
            words
                .by_ref()
                .take(count)
                .map(|word| (f32::from(word).abs() <= limit).then_some(word))
                .collect()
        };
        let inputs = limited(counts[0], MAX_WEIGHT).ok_or(NetError::Sum)?;
        let biases = limited(counts[1], MAX_BIAS).ok_or(NetError::Sum)?;
        let outputs = limited(counts[2], MAX_OUTPUT_WEIGHT).ok_or(NetError::Sum)?;
        let last = content[content.len() - 4 * buckets..].chunks_exact(4);
        let output_biases = last
            .map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .map(|bias| (bias.abs() <= MAX_OUTPUT_BIAS).then_some(bias))
            .collect::<Option<_>>()
            .ok_or(NetError::Sum)?;
        let k = word(12).cast_signed();
        if k <= 0 {
            return Err(NetError::Scale(k));
        }
        Ok(Self {
            base: *base,
            units,
            buckets,
            k,
            inputs,
            biases,
            outputs,
            output_biases,
        })
    }

    /// Returns the content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let word = |number: usize| u16::try_from(number).unwrap_or_default().to_le_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([
            VERSION,
            self.base.number(),
            u8::try_from(self.buckets).unwrap_or_default(),
            0,
        ]);
        bytes.extend([word(self.units), word(INPUT_COUNT), self.k.to_le_bytes(), [0; 2]].as_flattened());
        for words in [&self.inputs, &self.biases, &self.outputs] {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        append_checksum(&mut bytes);
        bytes
    }

    /// Returns the part of the evaluation that the value is added to.
    pub const fn base(&self) -> NetBase {
        self.base
    }

    fn row(&self, input: u16) -> &[i16] {
        let start = usize::from(input) * self.units;
        &self.inputs[start..start + self.units]
    }

    pub(super) fn refresh(&self, position: &Position, us: Color, out: &mut Accumulator) {
        let (out, _) = out.split_at_mut(self.units);
        out.copy_from_slice(&self.biases);
        visit_inputs(position, us, |input| {
            let row = self.row(input);
            for (out, row) in out
                .as_chunks_mut::<GROUP_UNITS>()
                .0
                .iter_mut()
                .zip(row.as_chunks::<GROUP_UNITS>().0)
            {
                for (out, weight) in out.iter_mut().zip(row) {
                    *out = out.wrapping_add(*weight);
                }
            }
        });
    }

    /// Computes the accumulator of a side after a move from that before the move.
    pub(super) fn apply_change(&self, before: &Accumulator, change: SideChange, out: &mut Accumulator) {
        let before = before.as_chunks::<GROUP_UNITS>().0.iter();
        let out = out.as_chunks_mut::<GROUP_UNITS>().0.iter_mut();
        let rows = |inputs: [u16; 2]| {
            let [added, removed] = inputs.map(|input| self.row(input).as_chunks::<GROUP_UNITS>().0);
            added.iter().zip(removed)
        };
        match change {
            SideChange::Refresh => {}
            SideChange::Unchanged => out.zip(before).for_each(|(out, before)| *out = *before),
            SideChange::One(inputs) => {
                for ((out, before), (added, removed)) in out.zip(before).zip(rows(inputs)) {
                    for unit in 0..GROUP_UNITS {
                        out[unit] = before[unit].wrapping_add(added[unit]).wrapping_sub(removed[unit]);
                    }
                }
            }
            SideChange::Two(first, second) => {
                let rows = rows(first).zip(rows(second));
                for ((out, before), ((added, removed), (added2, removed2))) in out.zip(before).zip(rows) {
                    for unit in 0..GROUP_UNITS {
                        let one = before[unit].wrapping_add(added[unit]).wrapping_sub(removed[unit]);
                        out[unit] = one.wrapping_add(added2[unit]).wrapping_sub(removed2[unit]);
                    }
                }
            }
        }
    }

    /// Returns the value in centipawns, as seen by the side to move. The accumulators are those of both sides, the side
    /// to move first.
    pub(super) fn value(&self, position: &Position, sides: [&Accumulator; 2]) -> i32 {
        let bucket = bucket(position, self.buckets);
        let outputs = &self.outputs[2 * bucket * self.units..];
        let mut sum = 0;
        for (side, outputs) in sides.into_iter().zip(outputs.chunks_exact(self.units)) {
            for (side, outputs) in side
                .as_chunks::<GROUP_UNITS>()
                .0
                .iter()
                .zip(outputs.as_chunks::<GROUP_UNITS>().0)
            {
                for (unit, weight) in side.iter().zip(outputs) {
                    let unit = (*unit).clamp(0, 255);
                    // The product does not overflow: it is at most 255 × 127.
                    let weighted = unit.wrapping_mul(*weight);
                    sum += i32::from(weighted) * i32::from(unit);
                }
            }
        }
        let output = sum / ACCUMULATOR_ONE + self.output_biases[bucket];
        let value = i64::from(output) * i64::from(self.k) / i64::from(ACCUMULATOR_ONE * OUTPUT_ONE);
        i32::try_from(value).unwrap_or_default()
    }
}

/// The values of the first layer's units, from the view of one side.
pub(super) type Accumulator = [i16; MAX_UNITS];

/// The change of one side's inputs by a move: pairs of an added and a removed input.
#[derive(Clone, Copy, Debug)]
pub(super) enum SideChange {
    /// The side's king has moved to the other half of the board: the accumulator is computed from the position.
    Refresh,
    /// No input changes: a null move.
    Unchanged,
    /// A move without a capture, or a drop.
    One([u16; 2]),
    /// A capture: the changes by the moved piece, then by the captured one.
    Two([u16; 2], [u16; 2]),
}

/// The view of a side, which determines the numbers of squares in the side's inputs.
#[derive(Clone, Copy)]
struct SideView {
    us: Color,
    is_mirrored: bool,
}

impl SideView {
    fn new(position: &Position, us: Color) -> Self {
        Self {
            us,
            is_mirrored: is_left(us, position.king_square(us)),
        }
    }

    fn on_board(self, piece: Piece, square: Square) -> u16 {
        let square = seen_by(self.us, square).to_index();
        let square = if self.is_mirrored {
            9 * (8 - square / 9) + square % 9
        } else {
            square
        };
        let side = usize::from(piece.color() != self.us);
        narrow((side * 14 + piece.piece_type().to_index() - 1) * 81 + square)
    }

    /// Returns the input of a piece in hand. `number` is its number among the owner's pieces of this kind, from 0.
    fn in_hand(self, owner: Color, piece: HandPiece, number: u32) -> u16 {
        let side = usize::from(owner != self.us);
        narrow(
            BOARD_INPUT_COUNT
                + side * HAND_INPUT_COUNT
                + HAND_INPUT_START[piece.to_index()]
                + number as usize,
        )
    }
}

/// Converts the number of an input to the type of stored inputs.
fn narrow(input: usize) -> u16 {
    debug_assert!(input < INPUT_COUNT, "{input}");
    u16::try_from(input).unwrap_or_default()
}

/// Returns whether a king is on the files 6 to 9, as its owner sees them.
const fn is_left(us: Color, king: Square) -> bool {
    seen_by(us, king).to_index() / 9 > 4
}

/// Returns the changes of the inputs of Black and White by a legal move in `position`.
pub(super) fn changes(position: &Position, mv: Move32) -> [SideChange; 2] {
    let us = position.turn();
    let (to, after) = (mv.to_sq(), mv.piece_after_move());
    [Color::BLACK, Color::WHITE].map(|side| {
        let is_king = after.piece_type() == PieceType::KING;
        if side == us && is_king && is_left(us, to) != is_left(us, mv.from_sq()) {
            return SideChange::Refresh;
        }
        let view = SideView::new(position, side);
        let added = view.on_board(after, to);
        if mv.is_drop() {
            let Some(piece) = HandPiece::from_piece_type(after.piece_type()) else {
                return SideChange::Refresh;
            };
            return SideChange::One([added, view.in_hand(us, piece, position.hand(us).count(piece) - 1)]);
        }
        let from = mv.from_sq();
        let moved = [added, view.on_board(position.piece_on(from), from)];
        let captured = position.piece_on(to);
        if captured.is_empty() {
            return SideChange::One(moved);
        }
        let Some(piece) = HandPiece::from_piece_type(captured.piece_type().demote()) else {
            return SideChange::Refresh;
        };
        let in_hand = view.in_hand(us, piece, position.hand(us).count(piece));
        SideChange::Two(moved, [in_hand, view.on_board(captured, to)])
    })
}

/// Calls `visit` with each input of a position from the view of `us`.
pub(super) fn visit_inputs(position: &Position, us: Color, mut visit: impl FnMut(u16)) {
    let view = SideView::new(position, us);
    for square in &position.pieces() {
        visit(view.on_board(position.piece_on(square), square));
    }
    for owner in [Color::BLACK, Color::WHITE] {
        let hand = position.hand(owner);
        if hand.bits() != 0 {
            for piece in HandPiece::iter() {
                (0..hand.count(piece)).for_each(|number| visit(view.in_hand(owner, piece, number)));
            }
        }
    }
}

/// Returns the index of the set of last weights that a position uses, below `buckets`.
pub(super) fn bucket(position: &Position, buckets: usize) -> usize {
    let in_hand = 40_usize.saturating_sub(position.pieces().count() as usize);
    (in_hand / PIECE_COUNTS_PER_BUCKET).min(buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a net whose weights are clamped.
    fn net() -> Net {
        let weights = NetWeights {
            inputs: vec![3.0; INPUT_COUNT * GROUP_UNITS],
            biases: vec![-100.0; GROUP_UNITS],
            outputs: vec![-9.0; 4 * GROUP_UNITS],
            output_biases: vec![0.5; 2],
        };
        Net::from_weights(&weights, NetBase::Pieces, 700)
    }

    #[test]
    fn weights_are_clamped_so_that_no_sum_overflows() {
        let net = net();
        assert_eq!(
            (net.inputs[5], net.biases[2], net.outputs[1]),
            (505, -12_500, -127)
        );
        let max = 40 * i32::from(net.inputs[5]) - i32::from(net.biases[2]);
        assert!(max <= i32::from(i16::MAX), "{max}");
        let units = i64::try_from(2 * MAX_UNITS).unwrap();
        assert!(units * 255 * 255 * 127 <= i64::from(i32::MAX), "{units}");
    }

    #[test]
    fn the_shipped_net_is_complete() {
        let net = Net::shipped().unwrap();
        assert_eq!(
            (net.base, net.inputs.len()),
            (NetBase::Evaluation, INPUT_COUNT * net.units)
        );
        assert!(SHIPPED_NET.len() <= 200_000, "{} bytes", SHIPPED_NET.len());
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        let bytes = net().to_bytes();
        assert_eq!(Net::from_bytes(&bytes), Ok(net()));
        let changed = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            Net::from_bytes(&bytes).unwrap_err()
        };
        let length = |found| NetError::Length {
            found,
            expected: bytes.len(),
        };
        assert_eq!(changed(0), NetError::Magic);
        assert_eq!(changed(4), NetError::Version(VERSION ^ 0x10));
        assert_eq!([changed(5), changed(6), changed(10)], [NetError::Size; 3]);
        assert!(
            matches!(changed(8), NetError::Size | NetError::Length { .. }),
            "{}",
            changed(8)
        );
        assert_eq!([changed(100), changed(bytes.len() - 1)], [NetError::Sum; 2]);
        assert_eq!(
            Net::from_bytes(&bytes[..bytes.len() - 1]),
            Err(length(bytes.len() - 1))
        );
        assert_eq!(
            Net::from_bytes(&[&bytes[..], &[0]].concat()),
            Err(length(bytes.len() + 1))
        );
        assert_eq!(
            Net::from_bytes(b"SBNN"),
            Err(NetError::Length {
                found: 4,
                expected: HEADER_BYTES
            })
        );
        assert_eq!(Net::from_bytes(b""), Err(NetError::Magic));
        for k in [0, -700] {
            assert_eq!(
                Net::from_bytes(&Net { k, ..net() }.to_bytes()),
                Err(NetError::Scale(k))
            );
        }
        assert_eq!(changed(4).to_string(), "the net is of version 17, not 1");
    }
}
