//! All squares of a board read together.
//!
//! Squares that look alike, White's turned, form an item: one piece, several times. Its class is weighed once, by what the network says of all of
//! them, by their light ([`BoardLight`]) and by where such pieces stand. So no rule can make a piece another thing than its twins. Then the likeliest
//! board is looked for, on which each breach of a game's rules has its price.

use crate::light::{BoardLight, MEASURES, Measures};
use crate::network::{CLASSES, EMPTY, HIDDEN, KINDS, Probabilities, likeliest, softmax, turned};
use crate::prior::log_prior;
use crate::templates::{SquarePicture, Templates, correlation, mean_picture, without_common};
use std::ops::RangeInclusive;

// Kinds in the order of the classes: eight that have not promoted, then six that have.
const PAWN: usize = 0;
const LANCE: usize = 1;
const KNIGHT: usize = 2;
const KING: usize = 7;
/// The class of the king of the side at the bottom.
pub(crate) const KING_CLASS: usize = EMPTY + 1 + KING;
/// How many pieces of each kind there are, both sides together, promoted or not.
pub(crate) const COUNTS: [usize; 8] = [18, 4, 4, 4, 4, 2, 2, 2];

/// A probability counts as at least this.
const LEAST: f32 = 1e-5;
/// A class less likely than this is not considered for a square. For several that are alike it may be the square of that: their errors are alike, too.
const LEAST_CONSIDERED: f32 = 1e-5;
/// How likely a king is at least that of the other side, as a share of its probability: some sets have both upright.
const OTHER_KING: f32 = 0.05;
/// How much less likely White's king is for each row that it is farther down, as a logarithm, where both kings are upright: of kings on the first and
/// the last row the upper one is White's to 0.9.
const LOWER_KING: f32 = 0.27;
/// A square that is a piece with at least this probability is compared with others.
const LEAST_PIECE: f32 = 0.1;
/// With fewer pieces of a side, their mean says nothing of its shape.
const FEWEST: usize = 4;
/// Two pieces are alike where what differs from the mean piece correlates by a limit between these, which depends on the board.
const ALIKE: RangeInclusive<f32> = 0.8..=0.95;
/// Likeness tells kinds apart where it holds for at least this much more of the pairs of one kind than of the others.
const LEAST_TOLD: f32 = 0.5;
/// How much more a piece whose class is known counts than what the network says of those that look like it.
const KNOWN: f32 = 6.0;
/// The number of boards that are followed at once while the likeliest one is looked for.
const BEAM: usize = 128;

/// What each source of knowledge counts. The values of `light` were fitted on drawn boards by `eye-measure --fit yes`; the others were compared there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The factors of the [`Measures`] for a hidden square and for a piece, relative to an empty square.
    pub light: [[f32; MEASURES]; 2],
    /// The network's opinion of `n` squares that look alike counts as that of `n` to the power of this: their errors are alike, too.
    pub twins: f32,
    /// The exponent of how often a class stands on a row: not every board is from the middle of a game.
    pub prior: f32,
    /// What each breach of a game's rules costs, as a logarithm.
    pub breach: f32,
}

/// The weights of now.
pub const WEIGHTS: Weights = Weights {
    light: [[1.02, -3.51, -1.99, -3.03, -0.88, 1.92, 2.43, 0.31], [0.0, 0.0, -3.45, -1.75, -1.7, 0.0, 0.0, -11.76]],
    twins: 0.2,
    prior: 0.85,
    breach: 12.0,
};

/// A board read as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct JointReading {
    /// The probability of each class for each square.
    pub squares: Vec<Probabilities>,
    /// The class of each square on the likeliest board.
    pub classes: Vec<usize>,
    /// The probability of that board among those that are likely.
    pub confidence: f32,
}

/// A square of an item, and whether it is White's: its picture is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    place: usize,
    is_turned: bool,
}

impl Member {
    /// Returns a class of the item as that of the square.
    const fn class(self, class: usize) -> usize {
        if self.is_turned { turned(class) } else { class }
    }
}

/// Squares that show one thing.
#[derive(Clone, Debug)]
struct Item {
    members: Vec<Member>,
    /// The probability of each class, as that of an upright piece.
    chances: Probabilities,
}

/// How much the pieces of a board are alike: the correlation of each two squares, 0 to 1 of what pieces of a kind have at least.
struct Likeness {
    members: Vec<Member>,
    /// The correlation of each two members, in rows; only the later of two members is in the row of the other.
    correlations: Vec<f32>,
    /// The correlation from which on two pieces are alike; `None` where likeness says nothing.
    least: Option<f32>,
}

impl Likeness {
    fn new(pictures: &[SquarePicture], squares: &[Probabilities]) -> Self {
        let pieces: Vec<(Member, SquarePicture)> =
            [false, true].into_iter().flat_map(|is_turned| pieces_of_side(pictures, squares, is_turned)).collect();
        let count = pieces.len();
        let between = |at: usize| {
            let pair = pieces.get(at / count).zip(pieces.get(at % count)).filter(|_| at / count < at % count);
            pair.map_or(1.0, |((_, one), (_, other))| correlation(one, other))
        };
        let correlations = (0..count * count).map(between).collect();
        let members: Vec<Member> = pieces.into_iter().map(|(member, _)| member).collect();
        let mut likeness = Self { members, correlations, least: None };
        likeness.least = likeness.least_alike(squares);
        likeness
    }

    fn between(&self, one: usize, other: usize) -> f32 {
        let at = one.min(other) * self.members.len() + one.max(other);
        self.correlations.get(at).copied().unwrap_or_default()
    }

    /// Returns the correlation that tells best pairs of one kind from pairs of two, as far as the network knows the kinds. `None` where none does:
    /// letters that can hardly be seen all correlate.
    fn least_alike(&self, squares: &[Probabilities]) -> Option<f32> {
        let chance = |member: &Member, class: usize| -> f32 {
            squares.get(member.place).and_then(|square| square.get(member.class(class))).copied().unwrap_or_default()
        };
        let same = |one: &Member, other: &Member| -> f32 {
            (0..CLASSES).map(|class| chance(one, class).max(LEAST) * chance(other, class).max(LEAST)).sum()
        };
        let pairs = self.members.iter().enumerate().flat_map(|(one, member)| {
            let others = self.members.iter().enumerate().skip(one + 1);
            others.map(move |(other, with)| (self.between(one, other), same(member, with).min(1.0)))
        });
        let mut judged: Vec<(f32, f32)> = pairs.collect();
        judged.sort_by(|left, right| right.0.total_cmp(&left.0));
        let all_same: f32 = judged.iter().map(|(_, same)| same).sum();
        let all_other: f32 = judged.iter().map(|(_, same)| 1.0 - same).sum();
        let (mut told, mut best) = (0.0, (LEAST_TOLD, None));
        for alike in judged.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()) {
            let tells = |(_, same): &(f32, f32)| same / all_same.max(1.0) - (1.0 - same) / all_other.max(1.0);
            told += alike.iter().map(tells).sum::<f32>();
            if told > best.0 {
                best = (told, alike.first().map(|(correlation, _)| *correlation));
            }
        }
        best.1.map(|least| least.clamp(*ALIKE.start(), *ALIKE.end()))
    }

    /// Returns the mean correlation of the members of two groups.
    #[expect(clippy::cast_precision_loss, reason = "at most 81 squares")]
    fn mean_between(&self, group: &[usize], with: &[usize]) -> f32 {
        let pairs = group.iter().flat_map(|one| with.iter().map(|other| self.between(*one, *other)));
        pairs.sum::<f32>() / (group.len() * with.len()).max(1) as f32
    }

    /// Returns groups of squares that are alike on the mean: the two groups that are most alike are joined first.
    fn groups(&self, light: &BoardLight) -> Vec<Vec<Member>> {
        let mut groups: Vec<Vec<usize>> = (0..self.members.len()).map(|member| vec![member]).collect();
        let least = self.least.unwrap_or(f32::INFINITY);
        let place = |member: usize| self.members.get(member).map_or(0, |member| member.place);
        let mut pairs: Vec<(f32, usize, usize)> = (0..self.members.len())
            .flat_map(|one| (one + 1..self.members.len()).map(move |other| (self.between(one, other), one, other)))
            .filter(|(value, one, other)| *value >= least && light.varies_alike(place(*one), place(*other)))
            .collect();
        pairs.sort_by(|left, right| right.0.total_cmp(&left.0));
        for (_, one, other) in pairs {
            let group_of = |member: usize| groups.iter().position(|group| group.contains(&member)).unwrap_or(0);
            let (one, other) = (group_of(one), group_of(other));
            let are_alike = |(group, with): (&Vec<usize>, &Vec<usize>)| self.mean_between(group, with) >= least;
            if one != other && groups.get(one).zip(groups.get(other)).is_some_and(are_alike) {
                let joined = groups.get_mut(other).map(std::mem::take).unwrap_or_default();
                groups.get_mut(one).into_iter().for_each(|group| group.extend_from_slice(&joined));
            }
        }
        let members =
            |group: &Vec<usize>| group.iter().filter_map(|member| self.members.get(*member).copied()).collect();
        groups.iter().filter(|group| !group.is_empty()).map(members).collect()
    }
}

/// Returns the pieces of a side, upright and without what all of them have in common (the outline, the wood); none where they are too few to tell.
fn pieces_of_side(
    pictures: &[SquarePicture],
    squares: &[Probabilities],
    is_turned: bool,
) -> Vec<(Member, SquarePicture)> {
    let is_of_side = |square: &Probabilities| {
        let sum = |from: usize| square.get(from..from + KINDS).unwrap_or_default().iter().sum::<f32>();
        let (black, white) = (sum(1), sum(1 + KINDS));
        black + white >= LEAST_PIECE && (white > black) == is_turned
    };
    let places = squares.iter().enumerate().filter(|(_, square)| is_of_side(square)).map(|(place, _)| place);
    let upright = |place: usize| {
        let mut picture = *pictures.get(place)?;
        if is_turned {
            picture.reverse();
        }
        Some((Member { place, is_turned }, picture))
    };
    let mut pieces: Vec<(Member, SquarePicture)> = places.filter_map(upright).collect();
    if pieces.len() < FEWEST {
        return Vec::new();
    }
    let mean = mean_picture(&pieces.iter().map(|(_, picture)| picture).collect::<Vec<_>>());
    for (_, picture) in &mut pieces {
        *picture = without_common(picture, &mean);
    }
    pieces
}

impl Weights {
    /// Reads a board. `squares` is what the network says of each square, and `pictures` are their pictures. The pieces of a remembered set, if
    /// there is one, are further squares whose classes are known.
    pub fn read(
        &self,
        pictures: &[SquarePicture],
        squares: &[Probabilities],
        light: &BoardLight,
        set: Option<&Templates>,
    ) -> JointReading {
        let certain = |class: usize| std::array::from_fn(|other| f32::from(u8::from(other == class)));
        let remembered = || set.iter().flat_map(|set| set.pieces());
        let pictures: Vec<SquarePicture> =
            pictures.iter().chain(remembered().map(|(_, picture)| picture)).copied().collect();
        let mut all: Vec<Probabilities> =
            squares.iter().copied().chain(remembered().map(|(class, _)| certain(class))).collect();
        if let Some(set) = set.filter(|set| set.tells_kinds()) {
            // The set says nothing of kinds that it does not know.
            let knows = |square: &Probabilities| set.pictures().any(|(class, _)| class == likeliest(square).0);
            let squares = all.iter_mut().zip(&pictures).take(squares.len()).filter(|(square, _)| knows(square));
            squares.for_each(|(square, picture)| set.weigh(picture, square));
        }
        let likeness = Likeness::new(&pictures, &all);
        let alone = |place: &usize| likeness.members.iter().all(|member| member.place != *place);
        let alone = (0..squares.len()).filter(alone).map(|place| vec![Member { place, is_turned: false }]);
        let groups = likeness.groups(light).into_iter().chain(alone);
        let items: Vec<Item> = groups.map(|members| self.item(members, &all, squares.len(), light)).collect();
        let mut read = vec![[0.0; CLASSES]; squares.len()];
        for item in &items {
            for member in &item.members {
                if let Some(square) = read.get_mut(member.place) {
                    *square =
                        std::array::from_fn(|class| item.chances.get(member.class(class)).copied().unwrap_or_default());
                }
            }
        }
        let (classes, confidence) = likeliest_board(&items, squares.len(), self.breach);
        JointReading { squares: read, classes, confidence }
    }

    /// Weighs what squares that are alike show. The first `count` of all squares are those of the board; of the others the class is known.
    #[expect(clippy::cast_precision_loss, reason = "at most 81 squares")]
    fn item(&self, mut members: Vec<Member>, squares: &[Probabilities], count: usize, light: &BoardLight) -> Item {
        let (mut logs, mut prior) = ([0.0; CLASSES], [0.0; CLASSES]);
        for member in members.extract_if(.., |member| member.place >= count) {
            let Some(square) = squares.get(member.place) else { continue };
            for (class, log) in logs.iter_mut().enumerate() {
                *log += KNOWN * square.get(member.class(class)).copied().unwrap_or_default().max(LEAST).ln();
            }
        }
        let seen: Vec<(Member, &Probabilities)> =
            members.iter().filter_map(|member| Some((*member, squares.get(member.place)?))).collect();
        let count = seen.len() as f32;
        let strength = count.powf(self.twins);
        for (member, square) in &seen {
            for (class, (log, prior)) in logs.iter_mut().zip(&mut prior).enumerate() {
                let class = member.class(class);
                *log += square.get(class).copied().unwrap_or_default().max(LEAST).ln() * strength / count;
                if class != HIDDEN {
                    *prior += log_prior(class, member.place) * self.prior * strength / count;
                }
            }
        }
        // What stands where says nothing of whether it can be seen.
        let hidden = softmax(logs).get(HIDDEN).copied().unwrap_or_default();
        let log = |class: usize| logs.get(class).zip(prior.get(class)).map_or(0.0, |(log, prior)| log + prior);
        let visible =
            softmax(std::array::from_fn(|class| if class == HIDDEN { f32::NEG_INFINITY } else { log(class) }));
        let mut chances: Probabilities = visible.map(|chance| chance * (1.0 - hidden));
        if let Some(chance) = chances.get_mut(HIDDEN) {
            *chance = hidden;
        }
        let measures = light.mean_measures(seen.iter().map(|(member, square)| (member.place, *square)));
        self.weigh_light(&measures, &mut chances);
        Item { members, chances }
    }

    /// Weighs by its light whether a square is empty, has a piece or is hidden.
    pub fn weigh_light(&self, measures: &Measures, chances: &mut Probabilities) {
        let [of_hidden, of_piece] =
            self.light.map(|factors| factors.iter().zip(measures).map(|(factor, value)| factor * value).sum::<f32>());
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

    /// Weighs by its light what one square shows that has changed on a board whose other squares are known. The pieces of its kind that look like it
    /// share its measures. Returns whether another class is likeliest now.
    pub fn weigh_square(
        &self,
        light: &BoardLight,
        pictures: &[SquarePicture],
        squares: &[Probabilities],
        place: usize,
        square: &mut Probabilities,
    ) -> bool {
        let before = likeliest(square).0;
        let is_twin = |other: usize, class: usize| {
            let pair = pictures.get(place).zip(pictures.get(other));
            class == before
                && light.varies_alike(place, other)
                && pair.is_some_and(|(one, other)| correlation(one, other) >= *ALIKE.start())
        };
        let others = squares.iter().enumerate().map(|(other, square)| (other, likeliest(square).0));
        let twins = others.filter(|(other, class)| *other != place && is_twin(*other, *class)).map(|(other, _)| other);
        let places: Vec<usize> = twins.chain([place]).collect();
        let measures = light.mean_measures(places.iter().map(|other| (*other, &*square)));
        *square = square.map(|chance| chance.max(LEAST));
        self.weigh_light(&measures, square);
        likeliest(square).0 != before
    }
}

/// Returns the classes of a board once the user has put some squares right: what looks like them is put right, too, and what cannot be there
/// any more.
///
/// `read` are the classes before, `asked` those that the user wants, `put_right` the squares whose classes the user has said.
pub fn corrected_classes(
    pictures: &[SquarePicture],
    squares: &[Probabilities],
    read: &[usize],
    asked: &[usize],
    put_right: &[usize],
) -> Vec<usize> {
    let mut set = Templates::default();
    for place in put_right {
        if let Some((class, picture)) = asked.get(*place).zip(pictures.get(*place)) {
            set.learn(*class, picture);
        }
    }
    let read_with = |set| WEIGHTS.read(pictures, squares, &BoardLight::default(), set).classes;
    let (before, after) = (read_with(None), read_with(Some(&set)));
    let mut corrected = asked.to_vec();
    for (place, class) in corrected.iter_mut().enumerate().filter(|(place, _)| !put_right.contains(place)) {
        let [read, before, after] = [read, &before, &after].map(|classes| classes.get(place).copied());
        // Other knowledge than the picture has decided some squares.
        if let Some(after) = after.filter(|_| read == before && ![before, after].contains(&Some(EMPTY))) {
            *class = after;
        }
    }
    corrected
}

/// Returns the likeliest class of each square on a board that a game can have; each square's own likeliest class where no such board is likely.
pub fn legal_classes(squares: &[Probabilities]) -> Vec<usize> {
    let item = |(place, square): (usize, &Probabilities)| Item {
        members: vec![Member { place, is_turned: false }],
        chances: *square,
    };
    let items: Vec<Item> = squares.iter().enumerate().map(item).collect();
    likeliest_board(&items, squares.len(), WEIGHTS.breach).0
}

/// A board of which some items have a class.
#[derive(Clone, Copy)]
struct PartialBoard {
    cost: f32,
    pieces: PieceCount,
    /// The last step to it.
    step: usize,
}

/// Finds the likeliest board of some items, and how likely it is among those that are likely.
fn likeliest_board(items: &[Item], count: usize, breach: f32) -> (Vec<usize>, f32) {
    // What stands in several squares comes first: where two of them are too many of a kind, either may be the other one. Then what is sure.
    let mut order: Vec<(usize, &Item)> = items.iter().enumerate().collect();
    order.sort_by(|(_, left), (_, right)| {
        let [left, right] = [left, right].map(|item| (item.members.len(), likeliest(&item.chances).1));
        right.0.cmp(&left.0).then(right.1.total_cmp(&left.1))
    });
    let first = PartialBoard { cost: 0.0, pieces: PieceCount::default(), step: 0 };
    let mut boards = vec![first];
    // Each step: the one before it, the item and its class.
    let mut steps = vec![(0_usize, 0_usize, EMPTY)];
    for (index, item) in order {
        let mut next: Vec<(PartialBoard, usize)> = Vec::new();
        for (class, cost) in item.candidates() {
            next.extend(boards.iter().map(|board| {
                let mut board = *board;
                let add = |member: &Member| board.pieces.add(member.place, member.class(class));
                let breaches: usize = item.members.iter().map(add).sum();
                board.cost += cost + breaches as f32 * breach;
                (board, class)
            }));
        }
        if next.len() > BEAM {
            next.select_nth_unstable_by(BEAM, |left, right| left.0.cost.total_cmp(&right.0.cost));
            next.truncate(BEAM);
        }
        let step = |(board, class): (PartialBoard, usize)| {
            steps.push((board.step, index, class));
            PartialBoard { step: steps.len() - 1, ..board }
        };
        boards = next.into_iter().map(step).collect();
    }
    let best = boards.iter().min_by(|left, right| left.cost.total_cmp(&right.cost)).copied().unwrap_or(first);
    let sum: f32 = boards.iter().map(|board| (best.cost - board.cost).exp()).sum();
    let mut classes = vec![EMPTY; count];
    let mut step = best.step;
    while step != 0 {
        let Some((before, index, class)) = steps.get(step).copied() else { break };
        for member in items.get(index).into_iter().flat_map(|item| &item.members) {
            if let Some(square) = classes.get_mut(member.place) {
                *square = member.class(class);
            }
        }
        step = before;
    }
    (classes, 1.0 / sum)
}

impl Item {
    /// Returns the classes that it may have, with what each costs as a logarithm.
    fn candidates(&self) -> Vec<(usize, f32)> {
        let chance = |class: usize| self.chances.get(class).copied().unwrap_or_default();
        let is_king = |class: usize| piece(class).is_some_and(|(_, kind)| kind == KING);
        let own = likeliest(&self.chances).0;
        let cost = |class: usize| {
            let alone = -chance(class).max(f32::MIN_POSITIVE).ln();
            if class == own || !is_king(class) || !is_king(own) {
                return alone;
            }
            // Of two upright kings the upper one is White's.
            let rows = self.members.first().map_or(0, |member| {
                let row = member.place / 9;
                if piece(member.class(class)).is_some_and(|(side, _)| side == 0) {
                    8_usize.saturating_sub(row)
                } else {
                    row
                }
            });
            alone.min(-(chance(own) * OTHER_KING).max(f32::MIN_POSITIVE).ln()) + LOWER_KING * rows as f32
        };
        let costs = (0..CLASSES).map(|class| (class, cost(class)));
        let most = -LEAST_CONSIDERED.ln() * if self.members.len() > 1 { 2.0 } else { 1.0 };
        costs.filter(|(class, cost)| *class == own || *cost <= most).collect()
    }
}

/// Returns the side, 0 for the one at the bottom, and the kind of a class; `None` for what is no piece.
fn piece(class: usize) -> Option<(usize, usize)> {
    let index = class.checked_sub(EMPTY + 1).filter(|_| class < HIDDEN)?;
    Some((index / KINDS, index % KINDS))
}

/// Returns the kind before its promotion: 0 pawn to 7 king.
pub(crate) const fn base(kind: usize) -> usize {
    match kind {
        8..=11 => kind - 8,
        12 | 13 => kind - 7,
        _ => kind,
    }
}

/// The pieces of a board, as far as a game's rules count them.
#[derive(Clone, Copy, Debug, Default)]
struct PieceCount {
    kinds: [usize; 8],
    kings: [usize; 2],
    /// For each side a bit for each file that has a pawn.
    pawns: [u16; 2],
}

impl PieceCount {
    /// Adds a piece, and returns how many rules it breaks: a piece too many of its kind, a second king, a second pawn on a file, no move for ever.
    #[expect(clippy::indexing_slicing, reason = "kinds and sides are below their numbers")]
    fn add(&mut self, place: usize, class: usize) -> usize {
        let Some((side, kind)) = piece(class) else { return 0 };
        let count = &mut self.kinds[base(kind)];
        *count += 1;
        let too_many = usize::from(*count > COUNTS[base(kind)]);
        // The number of rows before the last one of the side.
        let rows_left = if side == 0 { place / 9 } else { 8_usize.saturating_sub(place / 9) };
        let file = 1 << (place % 9);
        let is_breach = match kind {
            KING => {
                self.kings[side] += 1;
                self.kings[side] > 1
            }
            PAWN => {
                let is_second = self.pawns[side] & file != 0;
                self.pawns[side] |= file;
                return too_many + usize::from(is_second) + usize::from(rows_left == 0);
            }
            LANCE => rows_left == 0,
            KNIGHT => rows_left < 2,
            _ => false,
        };
        too_many + usize::from(is_breach)
    }
}

/// Whether a game can have a board of these classes.
pub(crate) fn is_legal(classes: &[usize]) -> bool {
    let mut pieces = PieceCount::default();
    classes.iter().enumerate().all(|(place, class)| pieces.add(place, *class) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, SIDE};
    use crate::picture::Picture;
    use crate::reader::sfen;
    use crate::track::{class, place};
    use proptest::prelude::*;
    use shogibar_core::shogi::{Position, Square};

    /// The start, each square surely its piece.
    fn start() -> Vec<Probabilities> {
        let position = Position::startpos();
        let mut squares = vec![[0.001; CLASSES]; 81];
        for square in Square::all() {
            squares[place(square)][class(position.piece_on(square))] = 0.97;
        }
        squares
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

    #[test]
    fn reads_what_each_square_shows_where_a_game_can_have_it() {
        assert_eq!(sfen(legal_classes(&start()).into_iter()), START);
    }

    #[test]
    fn a_third_rook_is_the_next_likely_piece() {
        let mut squares = start();
        // The right silver of White looks like a dragon, next to that like a silver; the left gold of Black like a king.
        (squares[6][28], squares[6][18]) = (0.8, 0.15);
        (squares[75][8], squares[75][5]) = (0.6, 0.3);
        assert_eq!(sfen(legal_classes(&squares).into_iter()), START);
    }

    #[test]
    fn a_knight_without_a_move_and_a_second_pawn_on_a_file_are_other_pieces() {
        let mut squares = start();
        // Black's right knight has gone to the second row, and one pawn is seen a second time behind itself.
        (squares[79], squares[10]) = ([0.0; CLASSES], [0.0; CLASSES]);
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
    fn what_cannot_be_a_board_stays_as_it_looks() {
        let mut pawn = [0.0; CLASSES];
        pawn[1] = 1.0;
        assert_eq!(legal_classes(&[pawn; 81]), vec![1; 81]);
        assert_eq!(legal_classes(&[]), Vec::<usize>::new());
    }

    /// A piece: the same outline for all, and a sign of its kind; the second side's is turned.
    fn piece(kind: usize, side: bool) -> SquarePicture {
        std::array::from_fn(|place| {
            let place = if side { SIDE * SIDE - 1 - place } else { place };
            let (x, y) = (place % SIDE, place / SIDE);
            let outline = if x.abs_diff(16) + y / 3 > 18 { -2.0 } else { 1.0 };
            let inside = x.abs_diff(16) < 8 && y.abs_diff(16) < 8;
            let sign = ((x * (kind + 2) + y * (3 * kind + 1)) / 9).is_multiple_of(2);
            outline - if inside && sign { 1.0 } else { 0.0 }
        })
    }

    /// What the likeness of pieces alone says.
    const LIKENESS: Weights = Weights { light: [[0.0; MEASURES]; 2], twins: 0.0, prior: 0.0, ..WEIGHTS };

    fn agreed(pictures: &[SquarePicture], squares: &[Probabilities]) -> Vec<usize> {
        let read = LIKENESS.read(pictures, squares, &BoardLight::default(), None);
        read.squares.iter().map(|square| likeliest(square).0).collect()
    }

    fn sure(class: usize, chance: f32) -> Probabilities {
        std::array::from_fn(|other| if other == class { chance } else { (1.0 - chance) / 29.0 })
    }

    #[test]
    fn a_misread_piece_is_what_its_likes_are() {
        let seen = [(1, false), (1, false), (1, true), (1, true), (4, false), (4, true), (6, false), (6, true)];
        let pictures: Vec<SquarePicture> = seen.iter().map(|(kind, side)| piece(*kind, *side)).collect();
        let mut squares: Vec<Probabilities> =
            seen.iter().map(|(kind, side)| sure(kind + if *side { KINDS } else { 0 }, 0.97)).collect();
        squares[3] = sure(28, 0.6);
        squares[6] = sure(13, 0.6);
        squares[7] = sure(20, 0.9);
        assert_eq!(agreed(&pictures, &squares), [1, 1, 15, 15, 4, 18, 6, 20]);
    }

    #[test]
    fn pieces_that_are_sure_to_differ_are_not_alike() {
        // Every second piece lies in the shade, and the letters can hardly be seen.
        let pictures: Vec<SquarePicture> = (0..12)
            .map(|place: usize| {
                let shown = piece(1 + place / 2, false);
                std::array::from_fn(|pixel| {
                    let shade = if pixel % SIDE > 20 && place.is_multiple_of(2) { -0.5 } else { 0.0 };
                    0.02 * shown[pixel] + shade
                })
            })
            .collect();
        let squares: Vec<Probabilities> = (0..12).map(|place| sure(1 + place / 2, 0.95)).collect();
        assert_eq!(agreed(&pictures, &squares), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn what_is_alone_stays() {
        let squares = vec![sure(1, 0.5), sure(2, 0.6), sure(EMPTY, 0.7)];
        let read = LIKENESS.read(&[piece(1, false), piece(2, false)], &squares, &BoardLight::default(), None).squares;
        let far = read.as_flattened().iter().zip(squares.as_flattened()).map(|(now, before)| (now - before).abs());
        assert!(far.fold(0.0, f32::max) < 1e-5);
    }

    proptest! {
        /// Whatever the network takes them for, and however the light of one of them is measured: a rule may be wrong of all twins, not of one.
        #[test]
        fn no_rule_makes_a_piece_another_thing_than_its_twins(
            misread in prop::collection::vec((0_usize..40, 0_usize..CLASSES, 0.3_f32..0.8), 1..4),
            grey in 120_u8..200,
        ) {
            // The start of a game.
            let position = Position::startpos();
            let mut classes = [EMPTY; 81];
            for square in Square::all() {
                classes[place(square)] = class(position.piece_on(square));
            }
            let picture_of = |class: usize| match class {
                EMPTY => [0.0; SIDE * SIDE],
                _ => piece((class - 1) % KINDS, class > KINDS),
            };
            let pictures = classes.map(picture_of);
            let mut squares = classes.map(|class| sure(class, 0.97));
            let pieces: Vec<usize> = (0..81).filter(|place| classes[*place] != EMPTY).collect();
            for (index, class, chance) in misread {
                // A piece of the same side, nothing, or hidden.
                let is_white = classes[pieces[index]] > KINDS;
                let class = if super::piece(class).is_some_and(|(side, _)| (side == 1) != is_white) { turned(class) } else { class };
                let square = &mut squares[pieces[index]];
                *square = std::array::from_fn(|other| {
                    square[other] * (1.0 - chance) + if other == class { chance } else { 0.0 }
                });
            }
            let (width, picture) = (32 * 9, (0..81 * 32 * 32).map(|pixel: usize| {
                let (x, y) = (pixel % (32 * 9), pixel / (32 * 9));
                let place = y / 32 * 9 + x / 32;
                let inner = pictures.get(place).map_or(0.0, |picture| picture[y % 32 * 32 + x % 32]);
                // The letters of one of them are faint.
                let levels: i16 = if inner > 0.5 { 18 } else if inner < -0.5 { -18 } else { 0 };
                let levels = if place == 20 { levels * 4 / 5 } else { levels };
                u8::try_from(i16::from(grey) + levels).unwrap()
            }).collect());
            let picture = Picture::new(width, width, picture).unwrap();
            let side = width as f32;
            let grid = Grid::new([(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]).unwrap();
            let read = WEIGHTS.read(&pictures, &squares, &BoardLight::new(&picture, &grid, &squares), None);
            let pawns = |class: usize| (0..81).filter(move |place| classes[*place] == class).map(|place| read.classes[place]);
            prop_assert!(pawns(1).chain(pawns(1 + KINDS).map(turned)).all(|class| class == read.classes[60]));
        }
    }
}
