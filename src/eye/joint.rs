//! Reads all squares of a board together.
//!
//! Squares that look alike form an item: the same kind of piece, several times. White's pieces are rotated for that.
//! Three sources decide the class of an item: the network, the light ([`BoardLight`]) and the squares of the pieces. So
//! no rule can change one of several like pieces. A beam search then finds the likeliest board; each breach of the
//! rules has a cost.

use crate::light::{BoardLight, MEASURE_COUNT, Measures};
use crate::network::{
    CLASS_COUNT, EMPTY, HIDDEN, KIND_COUNT, Probabilities, likeliest, opposite_class, softmax,
};
use crate::prior::log_prior;
use crate::templates::{
    SquarePicture, Templates, common_offset, correlation, mean_picture, moved, without_common,
};
use std::ops::RangeInclusive;

// Kinds in the order of the classes: eight unpromoted ones, then six promoted ones.
const PAWN: usize = 0;
const LANCE: usize = 1;
const KNIGHT: usize = 2;
const KING: usize = 7;
/// The class of the king of the side at the bottom.
pub(crate) const KING_CLASS: usize = EMPTY + 1 + KING;
/// The number of pieces of each unpromoted kind, both sides together. Promoted pieces count as their unpromoted kind.
pub(crate) const PIECE_COUNTS: [u8; 8] = [18, 4, 4, 4, 4, 2, 2, 2];

/// The lower bound of a probability, so that its logarithm is finite.
const MIN_PROBABILITY: f32 = 1e-5;
/// The least probability of a candidate class of one square. For items of several squares the limit is squared, because
/// the errors of like squares are correlated.
const MIN_CANDIDATE_PROBABILITY: f32 = 1e-5;
/// The least probability of the other side's king, as a share of the probability of the likeliest king. In some sets
/// both kings are upright.
const MIN_OTHER_KING_SHARE: f32 = 0.05;
/// The cost of each row between White's king and the top, or Black's king and the bottom, in nats. So of two upright
/// kings on the first and the last row, the upper one is White's with probability 0.9.
const KING_ROW_COST: f32 = 0.27;
/// The least probability of a piece on a square that is compared with others.
const MIN_PIECE_PROBABILITY: f32 = 0.1;
/// The least number of pieces of a side whose mean is subtracted.
const MIN_MEAN_PIECES: usize = 4;
/// The range of the least correlation of like pieces of one side, whose mean is subtracted. The limit depends on the
/// board.
const CORRELATION_LIMITS_OF_ONE_SIDE: RangeInclusive<f32> = 0.9..=0.95;
/// The range of the least correlation of like pieces of both sides, whose means are subtracted.
const CORRELATION_LIMITS_OF_BOTH_SIDES: RangeInclusive<f32> = 0.77..=0.95;
/// The least correlation of pictures of one kind, with their outlines and wood.
const MIN_TWIN_CORRELATION: f32 = 0.77;
/// The least usable separation: the share of same-kind pairs above the limit, minus the share of other pairs.
const MIN_SEPARATION: f32 = 0.5;
/// The weight of a piece with a known class, relative to the weight of the network for the same item.
const KNOWN_PIECE_WEIGHT: f32 = 6.0;
/// The maximum number of boards in the beam with each combination of missing kings.
const BEAM_WIDTH: usize = 64;
/// The cost of a missing king of the side at the bottom and of the other side, in nats. A problem lacks the first one.
const MISSING_KING_COSTS: [f32; 2] = [2.0, 9.0];
/// The maximum cost of a missing king where a square is hidden, in nats: one of 40 pieces may be the king.
const MAX_HIDDEN_KING_COST: f32 = 3.7;

/// The weight of each source of knowledge. `eye-measure --fit yes` fitted `light_factors` on drawn boards and compared
/// the other weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The factors of the [`Measures`] for a hidden square and for a piece, relative to an empty square.
    pub light_factors: [[f32; MEASURE_COUNT]; 2],
    /// The exponent of the number of squares in the weight of an item. It is below 1 because the errors of like squares
    /// are correlated.
    pub twin_exponent: f32,
    /// The exponent of the prior of a class on a row. It is below 1 because not every board is from the middle of a
    /// game.
    pub prior_exponent: f32,
    /// The cost of each breach of a game's rules, in nats.
    pub breach_cost: f32,
}

/// The weights of the program.
pub const WEIGHTS: Weights = Weights {
    light_factors: [
        [1.02, -3.51, -1.99, -3.03, -0.88, 1.92, 2.43, 0.31],
        [0.0, 0.0, -3.45, -1.75, -1.7, 0.0, 0.0, -11.76],
    ],
    twin_exponent: 0.2,
    prior_exponent: 0.85,
    breach_cost: 12.0,
};

/// A board read as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct JointReading {
    /// The probability of each class for each square.
    pub squares: Vec<Probabilities>,
    /// The class of each square on the likeliest board.
    pub classes: Vec<usize>,
    /// The probability of the likeliest board among the boards of the beam, 0 to 1.
    pub confidence: f32,
}

/// A square of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    index: usize,
    /// Whether the square shows a piece of White, which is rotated for comparisons.
    is_rotated: bool,
}

impl Member {
    const fn class(self, class: usize) -> usize {
        if self.is_rotated {
            opposite_class(class)
        } else {
            class
        }
    }
}

/// Squares that look alike, and so have the same kind of piece.
#[derive(Clone, Debug)]
struct Item {
    members: Vec<Member>,
    /// The probability of each class, as that of an upright piece.
    probabilities: Probabilities,
}

/// The correlations of the pieces of a board.
struct Likeness {
    members: Vec<Member>,
    /// The correlation of each two members, row by row; 1 on the diagonal and below.
    correlations: Vec<f32>,
    /// The least correlation of like pieces of one side, and of pieces of both sides. `None` where likeness is not
    /// usable.
    min_correlations: [Option<f32>; 2],
}

impl Likeness {
    fn new(pictures: &[SquarePicture], squares: &[Probabilities]) -> Self {
        let pieces = comparable_pieces(pictures, squares);
        let count = pieces.len();
        let correlations = (0..count * count)
            .map(|at| {
                if at / count >= at % count {
                    return 1.0;
                }
                let pair = pieces.get(at / count).zip(pieces.get(at % count));
                pair.map_or(1.0, |((_, one), (_, other))| correlation(one, other))
            })
            .collect();
        let members: Vec<Member> = pieces.into_iter().map(|(member, _)| member).collect();
        let mut likeness = Self {
            members,
            correlations,
            min_correlations: [None; 2],
        };
        likeness.min_correlations = [false, true]
            .map(|are_of_both_sides| likeness.separating_correlation(squares, are_of_both_sides));
        likeness
    }

    fn correlation_between(&self, one: usize, other: usize) -> f32 {
        let at = one.min(other) * self.members.len() + one.max(other);
        self.correlations.get(at).copied().unwrap_or_default()
    }

    /// Returns whether two members are pieces of both sides.
    fn are_of_both_sides(&self, one: usize, other: usize) -> bool {
        let pair = self.members.get(one).zip(self.members.get(other));
        pair.is_some_and(|(one, other)| one.is_rotated != other.is_rotated)
    }

    /// Returns by how much the correlation of two members exceeds the least one of like pieces.
    fn excess_correlation(&self, one: usize, other: usize) -> f32 {
        let [of_one_side, of_both_sides] = self.min_correlations;
        let least = if self.are_of_both_sides(one, other) {
            of_both_sides
        } else {
            of_one_side
        };
        self.correlation_between(one, other) - least.unwrap_or(f32::INFINITY)
    }

    /// Returns the correlation that best separates pairs of one kind from pairs of two kinds, among the pairs of one
    /// side or those of both. The network's probabilities are the reference. `None` where no correlation separates
    /// these pairs: faint letters all correlate.
    fn separating_correlation(&self, squares: &[Probabilities], are_of_both_sides: bool) -> Option<f32> {
        let chance = |member: &Member, class: usize| -> f32 {
            squares
                .get(member.index)
                .and_then(|square| square.get(member.class(class)))
                .copied()
                .unwrap_or_default()
        };
        let same = |one: &Member, other: &Member| -> f32 {
            (0..CLASS_COUNT)
                .map(|class| {
                    chance(one, class).max(MIN_PROBABILITY) * chance(other, class).max(MIN_PROBABILITY)
                })
                .sum()
        };
        let pairs = self.members.iter().enumerate().flat_map(|(one, member)| {
            let others = self.members.iter().enumerate().skip(one + 1);
            let others =
                others.filter(move |(other, _)| self.are_of_both_sides(one, *other) == are_of_both_sides);
            others
                .map(move |(other, with)| (self.correlation_between(one, other), same(member, with).min(1.0)))
        });
        let mut judged: Vec<(f32, f32)> = pairs.collect();
        judged.sort_by(|left, right| right.0.total_cmp(&left.0));
        let all_same: f32 = judged.iter().map(|(_, same)| same).sum();
        let all_other: f32 = judged.iter().map(|(_, same)| 1.0 - same).sum();
        let (mut separation, mut best, mut limit) = (0.0, MIN_SEPARATION, None);
        for alike in judged.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()) {
            let gains = alike
                .iter()
                .map(|(_, same)| same / all_same.max(1.0) - (1.0 - same) / all_other.max(1.0));
            separation += gains.sum::<f32>();
            if separation > best {
                (best, limit) = (separation, alike.first().map(|(correlation, _)| *correlation));
            }
        }
        let limits = if are_of_both_sides {
            CORRELATION_LIMITS_OF_BOTH_SIDES
        } else {
            CORRELATION_LIMITS_OF_ONE_SIDE
        };
        limit.map(|least| least.clamp(*limits.start(), *limits.end()))
    }

    fn mean_excess_correlation(&self, group: &[usize], with: &[usize]) -> f32 {
        let pairs = group
            .iter()
            .flat_map(|one| with.iter().map(|other| self.excess_correlation(*one, *other)));
        pairs.sum::<f32>() / (group.len() * with.len()).max(1) as f32
    }

    /// Returns whether members may have one kind: with the likeliest common kind, they break no rule of a game. Two
    /// upright kings, for example, may not. The first `count` of the squares are on the board.
    fn may_be_one_kind(&self, group: &[usize], squares: &[Probabilities], count: usize) -> bool {
        let members = || group.iter().filter_map(|member| self.members.get(*member));
        let log = |class: usize| -> f32 {
            let chances = members().filter_map(|member| squares.get(member.index)?.get(member.class(class)));
            chances.map(|chance| chance.max(MIN_PROBABILITY).ln()).sum()
        };
        let logs = std::array::from_fn(|class| {
            if matches!(class, EMPTY | HIDDEN) {
                f32::NEG_INFINITY
            } else {
                log(class)
            }
        });
        let (kind, _) = likeliest(&logs);
        let mut pieces = PieceCount::default();
        members()
            .filter(|member| member.index < count)
            .all(|member| pieces.add(member.index, member.class(kind)) == 0)
    }

    /// Returns groups of like squares by average linkage: the pair with the greatest excess correlation is merged
    /// first. The first `count` of the squares are on the board.
    fn groups(&self, squares: &[Probabilities], count: usize, light: &BoardLight) -> Vec<Vec<Member>> {
        let mut groups: Vec<Vec<usize>> = (0..self.members.len()).map(|member| vec![member]).collect();
        let index = |member: usize| self.members.get(member).map_or(0, |member| member.index);
        let mut pairs: Vec<(f32, usize, usize)> = (0..self.members.len())
            .flat_map(|one| {
                (one + 1..self.members.len())
                    .map(move |other| (self.excess_correlation(one, other), one, other))
            })
            .filter(|(value, one, other)| {
                *value >= 0.0 && light.have_similar_variation(index(*one), index(*other))
            })
            .collect();
        pairs.sort_by(|left, right| right.0.total_cmp(&left.0));
        for (_, one, other) in pairs {
            let group_of = |member: usize| {
                groups
                    .iter()
                    .position(|group| group.contains(&member))
                    .unwrap_or(0)
            };
            let (one, other) = (group_of(one), group_of(other));
            let pair = groups.get(one).zip(groups.get(other));
            if one != other
                && let Some((group, with)) = pair
                && self.mean_excess_correlation(group, with) >= 0.0
                && self.may_be_one_kind(&[group.as_slice(), with].concat(), squares, count)
            {
                let joined = groups.get_mut(other).map(std::mem::take).unwrap_or_default();
                groups
                    .get_mut(one)
                    .into_iter()
                    .for_each(|group| group.extend_from_slice(&joined));
            }
        }
        groups
            .iter()
            .filter(|group| !group.is_empty())
            .map(|group| {
                group
                    .iter()
                    .filter_map(|member| self.members.get(*member).copied())
                    .collect()
            })
            .collect()
    }
}

/// Returns the pictures of both sides' pieces, upright and without their side's mean: the outline and the wood. Letters
/// that are off the middle are moved to the same point for both sides. A side with fewer than [`MIN_MEAN_PIECES`]
/// pieces is left out.
fn comparable_pieces(pictures: &[SquarePicture], squares: &[Probabilities]) -> Vec<(Member, SquarePicture)> {
    let mut sides = [false, true].map(|is_rotated| upright_pieces(pictures, squares, is_rotated));
    let mean = |pieces: &Vec<(Member, SquarePicture)>| {
        mean_picture(&pieces.iter().map(|(_, picture)| picture).collect::<Vec<_>>())
    };
    let mut means = sides.each_ref().map(mean);
    if let Some(offset) = common_offset(&means) {
        let [_, white] = &mut sides;
        let [_, white_mean] = &mut means;
        for picture in white.iter_mut().map(|(_, picture)| picture).chain([white_mean]) {
            *picture = moved(picture, offset);
        }
    }
    sides
        .into_iter()
        .zip(means)
        .flat_map(|(pieces, mean)| {
            pieces
                .into_iter()
                .map(move |(member, picture)| (member, without_common(&picture, &mean)))
        })
        .collect()
}

/// Returns the upright pictures of a side's pieces. Empty for fewer than [`MIN_MEAN_PIECES`] pieces.
fn upright_pieces(
    pictures: &[SquarePicture],
    squares: &[Probabilities],
    is_rotated: bool,
) -> Vec<(Member, SquarePicture)> {
    let is_of_side = |square: &Probabilities| {
        let sum = |from: usize| {
            square
                .get(from..from + KIND_COUNT)
                .unwrap_or_default()
                .iter()
                .sum::<f32>()
        };
        let (black, white) = (sum(1), sum(1 + KIND_COUNT));
        black + white >= MIN_PIECE_PROBABILITY && (white > black) == is_rotated
    };
    let indices = squares
        .iter()
        .enumerate()
        .filter(|(_, square)| is_of_side(square))
        .map(|(index, _)| index);
    let pieces: Vec<(Member, SquarePicture)> = indices
        .filter_map(|index| {
            let mut picture = *pictures.get(index)?;
            if is_rotated {
                picture.reverse();
            }
            Some((Member { index, is_rotated }, picture))
        })
        .collect();
    if pieces.len() < MIN_MEAN_PIECES {
        Vec::new()
    } else {
        pieces
    }
}

impl Weights {
    /// Reads a board. `squares` are the network's probabilities of the `pictures`. The pieces of `piece_set`, pictures
    /// with known classes, serve as further squares.
    pub fn read(
        &self,
        pictures: &[SquarePicture],
        squares: &[Probabilities],
        light: &BoardLight,
        piece_set: Option<&Templates>,
    ) -> JointReading {
        let remembered = || piece_set.iter().flat_map(|set| set.pieces());
        let pictures: Vec<SquarePicture> = pictures
            .iter()
            .chain(remembered().map(|(_, picture)| picture))
            .copied()
            .collect();
        let mut all: Vec<Probabilities> = squares
            .iter()
            .copied()
            .chain(
                remembered()
                    .map(|(class, _)| std::array::from_fn(|other| f32::from(u8::from(other == class)))),
            )
            .collect();
        if let Some(set) = piece_set.filter(|set| set.separates_kinds()) {
            for (square, picture) in all.iter_mut().zip(&pictures).take(squares.len()) {
                set.apply_incomplete(picture, square);
            }
        }
        let likeness = Likeness::new(&pictures, &all);
        let alone = |index: &usize| likeness.members.iter().all(|member| member.index != *index);
        let alone = (0..squares.len()).filter(alone).map(|index| {
            vec![Member {
                index,
                is_rotated: false,
            }]
        });
        let groups = likeness
            .groups(&all, squares.len(), light)
            .into_iter()
            .chain(alone);
        let items = groups.map(|members| self.item(members, &all, squares.len(), light));
        // Remembered pieces that look like no square are not on the board.
        let items: Vec<Item> = items.filter(|item| !item.members.is_empty()).collect();
        let mut read = vec![[0.0; CLASS_COUNT]; squares.len()];
        for item in &items {
            for member in &item.members {
                if let Some(square) = read.get_mut(member.index) {
                    *square = item.probabilities_of(*member);
                }
            }
        }
        let (classes, confidence) = likeliest_board(&items, squares.len(), self.breach_cost);
        JointReading {
            squares: read,
            classes,
            confidence,
        }
    }

    /// Returns the item of squares that look alike. Indices below `count` are squares of the board; the others are
    /// pieces with a known class.
    fn item(
        &self,
        mut members: Vec<Member>,
        squares: &[Probabilities],
        count: usize,
        light: &BoardLight,
    ) -> Item {
        let (mut logs, mut prior) = ([0.0; CLASS_COUNT], [0.0; CLASS_COUNT]);
        for member in members.extract_if(.., |member| member.index >= count) {
            let Some(square) = squares.get(member.index) else {
                continue;
            };
            for (class, log) in logs.iter_mut().enumerate() {
                *log += KNOWN_PIECE_WEIGHT
                    * square
                        .get(member.class(class))
                        .copied()
                        .unwrap_or_default()
                        .max(MIN_PROBABILITY)
                        .ln();
            }
        }
        let seen: Vec<(Member, &Probabilities)> = members
            .iter()
            .filter_map(|member| Some((*member, squares.get(member.index)?)))
            .collect();
        let count = seen.len() as f32;
        let strength = count.powf(self.twin_exponent);
        for (member, square) in &seen {
            for (class, (log, prior)) in logs.iter_mut().zip(&mut prior).enumerate() {
                let class = member.class(class);
                *log += square
                    .get(class)
                    .copied()
                    .unwrap_or_default()
                    .max(MIN_PROBABILITY)
                    .ln()
                    * strength
                    / count;
                if class != HIDDEN {
                    *prior += log_prior(class, member.index) * self.prior_exponent * strength / count;
                }
            }
        }
        // The prior has no evidence about hidden squares.
        let hidden = softmax(logs).get(HIDDEN).copied().unwrap_or_default();
        let log = |class: usize| {
            logs.get(class)
                .zip(prior.get(class))
                .map_or(0.0, |(log, prior)| log + prior)
        };
        let visible = softmax(std::array::from_fn(|class| {
            if class == HIDDEN {
                f32::NEG_INFINITY
            } else {
                log(class)
            }
        }));
        let mut chances: Probabilities = visible.map(|chance| chance * (1.0 - hidden));
        if let Some(chance) = chances.get_mut(HIDDEN) {
            *chance = hidden;
        }
        let measures = light.mean_measures(seen.iter().map(|(member, square)| (member.index, *square)));
        self.apply_light(&measures, &mut chances);
        Item {
            members,
            probabilities: chances,
        }
    }

    /// Changes the probabilities that a square is empty, occupied or hidden, by the measures of the square's light.
    pub fn apply_light(&self, measures: &Measures, chances: &mut Probabilities) {
        let [of_hidden, of_piece] = self.light_factors.map(|factors| {
            factors
                .iter()
                .zip(measures)
                .map(|(factor, value)| factor * value)
                .sum::<f32>()
        });
        let [empty, pieces @ .., hidden] = chances;
        let piece: f32 = pieces.iter().sum();
        let log = |chance: f32| chance.max(f32::MIN_POSITIVE).ln();
        let logs = [log(*empty), log(piece) + of_piece, log(*hidden) + of_hidden];
        let most = logs.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let [now_empty, now_piece, now_hidden] = logs.map(|log| (log - most).exp());
        let sum = now_empty + now_piece + now_hidden;
        (*empty, *hidden) = (now_empty / sum, now_hidden / sum);
        for chance in pieces {
            *chance *= now_piece / sum / piece.max(f32::MIN_POSITIVE);
        }
    }

    /// Applies the light of one changed square, as [`apply_light`](Self::apply_light). The other squares of the board
    /// are known: like pieces of the same kind share the measures.
    pub fn apply_light_of_square(
        &self,
        light: &BoardLight,
        pictures: &[SquarePicture],
        squares: &[Probabilities],
        index: usize,
        square: &mut Probabilities,
    ) {
        let before = likeliest(square).0;
        let is_twin = |other: usize, class: usize| {
            let pair = pictures.get(index).zip(pictures.get(other));
            class == before
                && light.have_similar_variation(index, other)
                && pair.is_some_and(|(one, other)| correlation(one, other) >= MIN_TWIN_CORRELATION)
        };
        let others = squares
            .iter()
            .enumerate()
            .map(|(other, square)| (other, likeliest(square).0));
        let twins = others
            .filter(|(other, class)| *other != index && is_twin(*other, *class))
            .map(|(other, _)| other);
        let indices: Vec<usize> = twins.chain([index]).collect();
        let measures = light.mean_measures(indices.iter().map(|other| (*other, &*square)));
        *square = square.map(|chance| chance.max(MIN_PROBABILITY));
        self.apply_light(&measures, square);
    }
}

/// Returns the classes of a board after the user has corrected some squares. Squares that look like corrected ones and
/// classes that became illegal change, too.
///
/// `read` are the classes before the correction, `asked` those that the user wants. `corrected_squares` are the indices
/// of the squares that the user corrected.
pub fn corrected_classes(
    pictures: &[SquarePicture],
    squares: &[Probabilities],
    read: &[usize],
    asked: &[usize],
    corrected_squares: &[usize],
) -> Vec<usize> {
    let mut corrected_pieces = Templates::default();
    for index in corrected_squares {
        if let Some((class, picture)) = asked.get(*index).zip(pictures.get(*index)) {
            corrected_pieces.learn(*class, picture);
        }
    }
    let read_with = |pieces| {
        WEIGHTS
            .read(pictures, squares, &BoardLight::default(), pieces)
            .classes
    };
    let (before, after) = (read_with(None), read_with(Some(&corrected_pieces)));
    let mut corrected = asked.to_vec();
    for (index, class) in corrected
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| !corrected_squares.contains(index))
    {
        let [read, before, after] = [read, &before, &after].map(|classes| classes.get(index).copied());
        // Other evidence than the picture has decided some squares.
        if read == before
            && ![before, after]
                .iter()
                .any(|class| matches!(class, Some(EMPTY | HIDDEN)))
            && let Some(after) = after
        {
            *class = after;
        }
    }
    corrected
}

/// Returns the likeliest class of each square on a legal board. Where no legal board is likely, returns the likeliest
/// class of each square.
pub fn legal_classes(squares: &[Probabilities]) -> Vec<usize> {
    let item = |index: usize, square: &Probabilities| Item {
        members: vec![Member {
            index,
            is_rotated: false,
        }],
        probabilities: *square,
    };
    let items: Vec<Item> = squares
        .iter()
        .enumerate()
        .map(|(index, square)| item(index, square))
        .collect();
    likeliest_board(&items, squares.len(), WEIGHTS.breach_cost).0
}

/// A board on which some items have a class already.
#[derive(Clone, Copy)]
struct PartialBoard {
    /// The cost of all items so far, in nats.
    cost: f32,
    /// The pieces of the items so far.
    pieces: PieceCount,
    /// The class of the last item.
    class: usize,
    /// The index of the last step.
    step: usize,
}

/// A class of one item on a partial board.
#[derive(Clone, Copy, Debug)]
struct Step {
    previous_index: usize,
    /// The index of the item.
    item: usize,
    class: usize,
}

fn likeliest_board(items: &[Item], count: usize, breach: f32) -> (Vec<usize>, f32) {
    // Items of many squares come first. Two of them may exceed the number of a kind, and either may then be wrong.
    // Certain items come next.
    let mut order: Vec<(usize, &Item)> = items.iter().enumerate().collect();
    order.sort_by(|(_, left), (_, right)| {
        let [left, right] = [left, right].map(|item| (item.members.len(), likeliest(&item.probabilities).1));
        right.0.cmp(&left.0).then(right.1.total_cmp(&left.1))
    });
    let first = PartialBoard {
        cost: 0.0,
        pieces: PieceCount::default(),
        class: EMPTY,
        step: 0,
    };
    let mut boards = vec![first];
    let mut steps = vec![Step {
        previous_index: 0,
        item: 0,
        class: EMPTY,
    }];
    for (index, item) in order {
        // The boards by the kings that they have.
        let mut next: [Vec<PartialBoard>; 4] = Default::default();
        for (class, cost) in item.candidates() {
            for board in &boards {
                let mut board = PartialBoard { class, ..*board };
                let breaches: usize = item
                    .members
                    .iter()
                    .map(|member| board.pieces.add(member.index, member.class(class)))
                    .sum();
                board.cost += cost + breaches as f32 * breach;
                let [lower, upper] = board.pieces.has_kings();
                if let Some(next) = next.get_mut(usize::from(lower) + 2 * usize::from(upper)) {
                    next.push(board);
                }
            }
        }
        let mut next: Vec<PartialBoard> = next.into_iter().flat_map(likeliest_boards).collect();
        for board in &mut next {
            steps.push(Step {
                previous_index: board.step,
                item: index,
                class: board.class,
            });
            board.step = steps.len() - 1;
        }
        boards = next;
    }
    let has_hidden = items
        .iter()
        .any(|item| likeliest(&item.probabilities).0 == HIDDEN);
    let max_cost = if has_hidden {
        MAX_HIDDEN_KING_COST
    } else {
        f32::INFINITY
    };
    for board in &mut boards {
        let missing = board
            .pieces
            .has_kings()
            .into_iter()
            .zip(MISSING_KING_COSTS)
            .filter(|(has_king, _)| !has_king);
        board.cost += missing.map(|(_, cost)| cost.min(max_cost)).sum::<f32>();
    }
    let best = boards
        .iter()
        .min_by(|left, right| left.cost.total_cmp(&right.cost))
        .copied()
        .unwrap_or(first);
    let sum: f32 = boards.iter().map(|board| (best.cost - board.cost).exp()).sum();
    let mut classes = vec![EMPTY; count];
    let mut step = best.step;
    while step != 0 {
        let Some(Step {
            previous_index: before,
            item,
            class,
        }) = steps.get(step).copied()
        else {
            break;
        };
        for member in items.get(item).into_iter().flat_map(|item| &item.members) {
            if let Some(square) = classes.get_mut(member.index) {
                *square = member.class(class);
            }
        }
        step = before;
    }
    (classes, 1.0 / sum)
}

/// Returns the [`BEAM_WIDTH`] likeliest of some boards.
fn likeliest_boards(mut boards: Vec<PartialBoard>) -> Vec<PartialBoard> {
    if boards.len() > BEAM_WIDTH {
        boards.select_nth_unstable_by(BEAM_WIDTH, |left, right| left.cost.total_cmp(&right.cost));
        boards.truncate(BEAM_WIDTH);
    }
    boards
}

impl Item {
    /// Returns the probabilities of the classes of one of its squares.
    fn probabilities_of(&self, member: Member) -> Probabilities {
        std::array::from_fn(|class| {
            self.probabilities
                .get(member.class(class))
                .copied()
                .unwrap_or_default()
        })
    }

    /// Returns the candidate classes of the item, each with a cost in nats.
    fn candidates(&self) -> Vec<(usize, f32)> {
        let chance = |class: usize| self.probabilities.get(class).copied().unwrap_or_default();
        let is_king = |class: usize| piece(class).is_some_and(|piece| piece.kind == KING);
        let likeliest = likeliest(&self.probabilities).0;
        let cost = |class: usize| {
            let alone = -chance(class).max(f32::MIN_POSITIVE).ln();
            if class == likeliest || !is_king(class) || !is_king(likeliest) {
                return alone;
            }
            // Of two upright kings the upper one is White's.
            let rows = self.members.first().map_or(0, |member| {
                let row = member.index / 9;
                if piece(member.class(class)).is_some_and(|piece| piece.side == 0) {
                    8_usize.saturating_sub(row)
                } else {
                    row
                }
            });
            alone.min(
                -(chance(likeliest) * MIN_OTHER_KING_SHARE)
                    .max(f32::MIN_POSITIVE)
                    .ln(),
            ) + KING_ROW_COST * rows as f32
        };
        let costs = (0..CLASS_COUNT).map(|class| (class, cost(class)));
        let most = -MIN_CANDIDATE_PROBABILITY.ln() * if self.members.len() > 1 { 2.0 } else { 1.0 };
        costs
            .filter(|(class, cost)| *class == likeliest || *cost <= most)
            .collect()
    }
}

#[derive(Clone, Copy, Debug)]
struct ClassPiece {
    /// 0 for the side at the bottom, 1 for the other.
    side: usize,
    /// The kind in the order of the classes, 0 to 13.
    kind: usize,
}

/// Returns the piece of a class; `None` for an empty or hidden square.
fn piece(class: usize) -> Option<ClassPiece> {
    if class >= HIDDEN {
        return None;
    }
    let index = class.checked_sub(EMPTY + 1)?;
    Some(ClassPiece {
        side: index / KIND_COUNT,
        kind: index % KIND_COUNT,
    })
}

/// Returns the unpromoted kind: 0 pawn to 7 king.
pub(crate) const fn unpromoted_kind(kind: usize) -> usize {
    match kind {
        8..=11 => kind - 8,
        12 | 13 => kind - 7,
        _ => kind,
    }
}

/// The pieces of a board, as the rules of a game count them.
#[derive(Clone, Copy, Debug, Default)]
struct PieceCount {
    kind_counts: [u8; 8],
    /// The number of kings of each side.
    king_counts: [u8; 2],
    /// For each side, a bit for each file that has a pawn.
    pawn_files: [u16; 2],
}

impl PieceCount {
    fn has_kings(self) -> [bool; 2] {
        self.king_counts.map(|count| count > 0)
    }

    /// Adds a piece, and returns the number of rules that the piece breaks. Rules concern the number of a kind, second
    /// kings, two pawns on a file, and pieces without a move.
    #[expect(clippy::indexing_slicing, reason = "kinds and sides are below their numbers")]
    fn add(&mut self, index: usize, class: usize) -> usize {
        let Some(ClassPiece { side, kind }) = piece(class) else {
            return 0;
        };
        let count = &mut self.kind_counts[unpromoted_kind(kind)];
        *count += 1;
        let too_many = usize::from(*count > PIECE_COUNTS[unpromoted_kind(kind)]);
        // The number of rows before the last one of the side.
        let rows_ahead = if side == 0 {
            index / 9
        } else {
            8_usize.saturating_sub(index / 9)
        };
        let file = 1 << (index % 9);
        let is_breach = match kind {
            KING => {
                self.king_counts[side] += 1;
                self.king_counts[side] > 1
            }
            PAWN => {
                let is_second = self.pawn_files[side] & file != 0;
                self.pawn_files[side] |= file;
                return too_many + usize::from(is_second) + usize::from(rows_ahead == 0);
            }
            LANCE => rows_ahead == 0,
            KNIGHT => rows_ahead < 2,
            _ => false,
        };
        too_many + usize::from(is_breach)
    }
}

/// Returns whether a game can have a board of these classes.
pub(crate) fn is_legal(classes: &[usize]) -> bool {
    let mut pieces = PieceCount::default();
    classes
        .iter()
        .enumerate()
        .all(|(index, class)| pieces.add(index, *class) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, PICTURE_SIDE};
    use crate::picture::Picture;
    use crate::reader::sfen;
    use crate::track::{class, square_index};
    use proptest::prelude::*;
    use shogibar_shogi::{Position, Square};

    /// The start of a game, each square with a clear class.
    fn start() -> Vec<Probabilities> {
        let position = Position::startpos();
        let mut squares = vec![[0.001; CLASS_COUNT]; 81];
        for square in Square::all() {
            squares[square_index(square)][class(position.piece_on(square))] = 0.97;
        }
        squares
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

    #[test]
    fn two_upright_kings_are_not_one_kind() {
        let squares = |classes: [usize; 2]| -> Vec<Probabilities> {
            let read = |class: usize| std::array::from_fn(|other| if other == class { 0.97 } else { 0.001 });
            let mut squares = vec![read(EMPTY); 81];
            (squares[4], squares[76]) = (read(classes[0]), read(classes[1]));
            squares
        };
        let likeness = |is_rotated: bool| Likeness {
            members: vec![
                Member { index: 4, is_rotated },
                Member {
                    index: 76,
                    is_rotated: false,
                },
            ],
            correlations: vec![1.0; 4],
            min_correlations: [Some(0.9); 2],
        };
        let may_be =
            |is_rotated, classes| likeness(is_rotated).may_be_one_kind(&[0, 1], &squares(classes), 81);
        assert!(
            !may_be(false, [KING_CLASS, KING_CLASS]),
            "both as the king of the lower side"
        );
        assert!(
            may_be(true, [opposite_class(KING_CLASS), KING_CLASS]),
            "one is rotated"
        );
        assert!(may_be(false, [5, 5]), "two golds");
        assert!(
            likeness(false).may_be_one_kind(&[0, 1], &squares([KING_CLASS; 2]), 76),
            "one of them is remembered"
        );
    }

    #[test]
    fn keeps_the_likeliest_classes_of_a_legal_board() {
        assert_eq!(sfen(legal_classes(&start()).into_iter()), START);
    }

    #[test]
    fn a_third_rook_is_the_next_likely_piece() {
        let mut squares = start();
        // White's right silver resembles a dragon, then a silver; Black's left gold resembles a king.
        (squares[6][28], squares[6][18]) = (0.8, 0.15);
        (squares[75][8], squares[75][5]) = (0.6, 0.3);
        assert_eq!(sfen(legal_classes(&squares).into_iter()), START);
    }

    #[test]
    fn a_knight_without_a_move_and_a_second_pawn_on_a_file_are_other_pieces() {
        let mut squares = start();
        // Black's right knight is on the second row. A pawn is read a second time behind itself.
        (squares[79], squares[10]) = ([0.0; CLASS_COUNT], [0.0; CLASS_COUNT]);
        squares[79][0] = 1.0;
        (squares[10][3], squares[10][11]) = (0.7, 0.3);
        (squares[66][1], squares[66][0]) = (0.5, 0.4);
        let read = legal_classes(&squares);
        assert_eq!((read[10], read[66]), (11, EMPTY));
        assert!(is_legal(&read));
    }

    #[test]
    fn a_second_king_of_a_side_is_that_of_the_other() {
        let mut squares = start();
        // White's king is upright.
        (squares[4][8], squares[4][22], squares[4][EMPTY]) = (0.97, 0.0001, 0.01);
        squares[76][8] = 0.98;
        assert_eq!(sfen(legal_classes(&squares).into_iter()), START);
    }

    #[test]
    fn an_impossible_board_is_unchanged() {
        let mut pawn = [0.0; CLASS_COUNT];
        pawn[1] = 1.0;
        assert_eq!(legal_classes(&[pawn; 81]), vec![1; 81]);
        assert_eq!(legal_classes(&[]), Vec::<usize>::new());
    }

    /// A piece: one outline for all, and a sign of its kind. White's piece is rotated.
    fn piece(kind: usize, side: bool) -> SquarePicture {
        std::array::from_fn(|index| {
            let index = if side {
                PICTURE_SIDE * PICTURE_SIDE - 1 - index
            } else {
                index
            };
            let (x, y) = (index % PICTURE_SIDE, index / PICTURE_SIDE);
            let outline = if x.abs_diff(16) + y / 3 > 18 { -2.0 } else { 1.0 };
            let inside = x.abs_diff(16) < 8 && y.abs_diff(16) < 8;
            let sign = ((x * (kind + 2) + y * (3 * kind + 1)) / 9).is_multiple_of(2);
            outline - if inside && sign { 1.0 } else { 0.0 }
        })
    }

    /// The likeness of pieces alone.
    const LIKENESS_WEIGHTS: Weights = Weights {
        light_factors: [[0.0; MEASURE_COUNT]; 2],
        twin_exponent: 0.0,
        prior_exponent: 0.0,
        ..WEIGHTS
    };

    fn agreed(pictures: &[SquarePicture], squares: &[Probabilities]) -> Vec<usize> {
        let read = LIKENESS_WEIGHTS.read(pictures, squares, &BoardLight::default(), None);
        read.squares.iter().map(|square| likeliest(square).0).collect()
    }

    fn sure(class: usize, chance: f32) -> Probabilities {
        std::array::from_fn(|other| {
            if other == class {
                chance
            } else {
                (1.0 - chance) / 29.0
            }
        })
    }

    #[test]
    fn a_misread_piece_takes_the_class_of_equal_pictures() {
        let seen = [
            (1, false),
            (1, false),
            (1, true),
            (1, true),
            (4, false),
            (4, true),
            (6, false),
            (6, true),
        ];
        let pictures: Vec<SquarePicture> = seen.iter().map(|(kind, side)| piece(*kind, *side)).collect();
        let mut squares: Vec<Probabilities> = seen
            .iter()
            .map(|(kind, side)| sure(kind + if *side { KIND_COUNT } else { 0 }, 0.97))
            .collect();
        squares[3] = sure(28, 0.6);
        squares[6] = sure(13, 0.6);
        squares[7] = sure(20, 0.9);
        assert_eq!(agreed(&pictures, &squares), [1, 1, 15, 15, 4, 18, 6, 20]);
    }

    #[test]
    fn pieces_that_are_sure_to_differ_are_not_alike() {
        // Every second piece lies in the shade, and the letters can hardly be seen.
        let pictures: Vec<SquarePicture> = (0..12)
            .map(|index: usize| {
                let shown = piece(1 + index / 2, false);
                std::array::from_fn(|pixel| {
                    let shade = if pixel % PICTURE_SIDE > 20 && index.is_multiple_of(2) {
                        -0.5
                    } else {
                        0.0
                    };
                    0.02 * shown[pixel] + shade
                })
            })
            .collect();
        let squares: Vec<Probabilities> = (0..12).map(|index| sure(1 + index / 2, 0.95)).collect();
        assert_eq!(agreed(&pictures, &squares), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn a_single_picture_of_a_class_is_unchanged() {
        let squares = vec![sure(1, 0.5), sure(2, 0.6), sure(EMPTY, 0.7)];
        let read = LIKENESS_WEIGHTS
            .read(
                &[piece(1, false), piece(2, false)],
                &squares,
                &BoardLight::default(),
                None,
            )
            .squares;
        let far = read
            .as_flattened()
            .iter()
            .zip(squares.as_flattened())
            .map(|(now, before)| (now - before).abs());
        assert!(far.fold(0.0, f32::max) < 1e-5);
    }

    proptest! {
        /// Errors of the network and the light of one piece are random here. A rule may be wrong about all twins, not
        /// about one.
        #[test]
        fn equal_pictures_have_equal_classes(
            misread in prop::collection::vec((0_usize..40, 0_usize..CLASS_COUNT, 0.3_f32..0.8), 1..4),
            grey in 120_u8..200,
        ) {
            // The start of a game.
            let position = Position::startpos();
            let mut classes = [EMPTY; 81];
            for square in Square::all() {
                classes[square_index(square)] = class(position.piece_on(square));
            }
            let picture_of = |class: usize| match class {
                EMPTY => [0.0; PICTURE_SIDE * PICTURE_SIDE],
                _ => piece((class - 1) % KIND_COUNT, class > KIND_COUNT),
            };
            let pictures = classes.map(picture_of);
            let mut squares = classes.map(|class| sure(class, 0.97));
            let pieces: Vec<usize> = (0..81).filter(|index| classes[*index] != EMPTY).collect();
            for (index, class, chance) in misread {
                // A piece of the same side, nothing, or hidden.
                let is_white = classes[pieces[index]] > KIND_COUNT;
                let class = if super::piece(class).is_some_and(|piece| (piece.side == 1) != is_white) { opposite_class(class) } else { class };
                let square = &mut squares[pieces[index]];
                *square = std::array::from_fn(|other| {
                    square[other] * (1.0 - chance) + if other == class { chance } else { 0.0 }
                });
            }
            let (width, picture) = (32 * 9, (0..81 * 32 * 32).map(|pixel: usize| {
                let (x, y) = (pixel % (32 * 9), pixel / (32 * 9));
                let index = y / 32 * 9 + x / 32;
                let inner = pictures.get(index).map_or(0.0, |picture| picture[y % 32 * 32 + x % 32]);
                // The letters of one piece are faint.
                let levels: i16 = if inner > 0.5 { 18 } else if inner < -0.5 { -18 } else { 0 };
                let levels = if index == 20 { levels * 4 / 5 } else { levels };
                u8::try_from(i16::from(grey) + levels).unwrap()
            }).collect());
            let picture = Picture::new(width, width, picture).unwrap();
            let side = width as f32;
            let grid = Grid::new([(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]).unwrap();
            let read = WEIGHTS.read(&pictures, &squares, &BoardLight::new(&picture, &grid, &squares), None);
            let pawns = |class: usize| (0..81).filter(move |index| classes[*index] == class).map(|index| read.classes[index]);
            let mut upright = pawns(1).chain(pawns(1 + KIND_COUNT).map(opposite_class));
            prop_assert!(upright.all(|class| class == read.classes[60]));
        }
    }
}
