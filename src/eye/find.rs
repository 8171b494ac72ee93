//! Finds the boards in a picture: ten equally spaced lines across ten others.
//!
//! A "level" is the picture, at full size or halved up to four times. A "comb" is ten equally spaced lines in one
//! direction.

#![expect(clippy::indexing_slicing, reason = "indices are checked before")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels and squares of a picture"
)]

use crate::grid::Grid;
use crate::linear::solve;
use crate::lines::{LineDirection, LineMap};
use crate::picture::Picture;

/// A grid of nine by nine squares that was found in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundGrid {
    /// The outer lines of the board.
    pub grid: Grid,
    /// The visible share of the grid's lines, 0 to 1, minus 0.6 times the share of lines beyond the grid.
    pub evidence: f32,
    /// The lead of `evidence` over that of the best grid that is shifted by one line.
    pub margin: f32,
    /// Grids that are shifted by up to four lines and whose lines are visible as well. The board is one of these or
    /// `grid`.
    pub shifted_grids: Vec<Grid>,
}

/// The maximum shift of a [shifted grid](FoundGrid::shifted_grids), in lines. Such grids exist where further squares of
/// the same size adjoin the board.
const MAX_SHIFT_LINES: u8 = 4;
/// The maximum number of shifts by one line by which a grid is corrected.
const MAX_CORRECTED_SHIFTS: usize = 4;
const MAX_SHIFTED_GRIDS: usize = 8;
/// The greatest difference of the visible share of lines between the found grid and a shifted one.
const MAX_VISIBILITY_LOSS: f32 = 0.05;
/// The least pitch of vertical lines, in pixels of a level.
const MIN_PITCH: f32 = 11.5;
/// The greatest pitch of vertical lines, in pixels of a level. Larger boards are found on a smaller level.
const MAX_PITCH: f32 = 24.5;
/// The step between two pitches, in pixels of a level.
const PITCH_STEP: f32 = 0.2;
/// The height of a strip in which the strengths of lines are summed, in pixels of a level.
const STRIP_HEIGHT: usize = 18;
/// The least strength of a visible line, in grey levels.
const MIN_LINE_STRENGTH: f32 = 1.6;
/// The mean strength of ten level lines above which no slope is tried, in grey levels.
const CLEAR_LINE_STRENGTH: f32 = 6.0;
/// The least evidence of a board.
const MIN_EVIDENCE: f32 = 0.62;
/// A board with at least this evidence is not searched again.
const CLEAR_EVIDENCE: f32 = 0.85;
/// The least evidence of a grid that is refined further.
const MIN_REFINED_EVIDENCE: f32 = 0.2;
/// The maximum number of vertical combs.
const MAX_COMBS: usize = 24;

/// The limits of the search for horizontal combs across a vertical one.
#[derive(Clone, Copy, Debug)]
struct RowSearch {
    /// The maximum number of combs. The strongest ones remain.
    max_combs: usize,
    /// The least height of a square, as a multiple of the width.
    min_aspect: f32,
}

/// The limits of the first search.
const USUAL_SEARCH: RowSearch = RowSearch {
    max_combs: 1,
    min_aspect: 0.93,
};
/// The limits of the second search, where the first one found no likely board. Lines around a board may be stronger than
/// the board's, and some programs stretch the board.
const THOROUGH_SEARCH: RowSearch = RowSearch {
    max_combs: 4,
    min_aspect: 0.72,
};
/// The greatest height of a square, as a multiple of the width.
const MAX_ASPECT: f32 = 1.22;
/// The greatest counted strength of a line, in grey levels.
const MAX_COUNTED_STRENGTH: u16 = 24;

/// A search for the boards of a picture.
#[derive(Debug)]
struct GridSearch {
    levels: Vec<LineMap>,
    /// The strongest vertical combs.
    combs: Vec<LevelComb>,
}

impl GridSearch {
    fn new(picture: &Picture) -> Self {
        let mut levels = vec![LineMap::new(picture)];
        while let Some(last) = levels
            .last()
            .filter(|last| last.width.min(last.height) >= 220 && levels.len() < 5)
        {
            levels.push(last.half());
        }
        let mut combs: Vec<LevelComb> = levels
            .iter()
            .enumerate()
            .flat_map(|(level, map)| {
                vertical_combs(map)
                    .into_iter()
                    .map(move |comb| LevelComb { level, comb })
            })
            .collect();
        combs.sort_by_key(|found| std::cmp::Reverse(found.comb.strength));
        combs.truncate(MAX_COMBS);
        Self { levels, combs }
    }

    /// Returns the grids within some limits, the best first.
    fn grids(&self, rows: RowSearch) -> Vec<FoundGrid> {
        let mut found = grids_of_combs(&self.levels, &self.combs, rows);
        found.sort_by(|left, right| right.evidence.total_cmp(&left.evidence));
        let mut boards: Vec<FoundGrid> = Vec::new();
        for one in found {
            if !boards.iter().any(|other| do_overlap(&one.grid, &other.grid)) {
                boards.push(one);
            }
        }
        boards
    }
}

/// Finds the boards of a picture, the best first: those with square squares and the strongest lines, or
/// [all](find_all_grids) where there are none.
pub fn find_grids(picture: &Picture) -> Vec<FoundGrid> {
    find_first_grids(picture).0
}

/// Finds boards as [`find_grids`] does. Returns also whether they are [all](find_all_grids).
pub(crate) fn find_first_grids(picture: &Picture) -> (Vec<FoundGrid>, bool) {
    let search = GridSearch::new(picture);
    let usual = search.grids(USUAL_SEARCH);
    if usual.is_empty() {
        (search.grids(THOROUGH_SEARCH), true)
    } else {
        (usual, false)
    }
}

/// Finds the boards of a picture, the best first. Their squares may be oblong, and their lines weaker than others
/// around. This takes longer than [`find_grids`].
pub fn find_all_grids(picture: &Picture) -> Vec<FoundGrid> {
    GridSearch::new(picture).grids(THOROUGH_SEARCH)
}

#[derive(Clone, Copy, Debug)]
struct LevelComb {
    level: usize,
    comb: Comb,
}

/// Returns the grids that vertical combs form with horizontal ones.
fn grids_of_combs(levels: &[LineMap], combs: &[LevelComb], rows: RowSearch) -> Vec<FoundGrid> {
    let mut found: Vec<FoundGrid> = Vec::new();
    for LevelComb { level, comb } in combs {
        let is_known = found.iter().any(|one| {
            one.evidence >= CLEAR_EVIDENCE && is_within(comb, (1_usize << level) as f32, &one.grid)
        });
        if is_known {
            continue;
        }
        let (map, fine) = (&levels[*level], level.saturating_sub(1));
        let step = if fine == *level { 1.0 } else { 2.0 };
        let Some(one) = grids_across(map, comb, rows)
            .into_iter()
            .find_map(|grid| align_grid(map, &levels[fine], grid, step))
        else {
            continue;
        };
        let scale = (1_usize << fine) as f32;
        let Some(grid) = scaled(&one.grid, scale) else {
            continue;
        };
        let shifted_grids = one
            .shifted_grids
            .iter()
            .filter_map(|grid| scaled(grid, scale))
            .collect();
        found.push(FoundGrid {
            grid,
            shifted_grids,
            ..one
        });
    }
    found
}

/// Returns whether the middle of a comb lies within a board. `scale` is the size of the picture relative to the level
/// of the comb.
fn is_within(comb: &Comb, scale: f32, grid: &Grid) -> bool {
    let x = (comb.left + 4.5 * comb.pitch) * scale;
    let y = ((comb.first_strip + comb.end_strip) * STRIP_HEIGHT) as f32 / 2.0 * scale;
    let Bounds {
        left,
        top,
        right,
        bottom,
    } = bounds(grid);
    (left..=right).contains(&x) && (top..=bottom).contains(&y)
}

/// Returns whether two boards overlap by more than 0.3 of the smaller one.
pub(crate) fn do_overlap(left: &Grid, right: &Grid) -> bool {
    let (one, other) = (bounds(left), bounds(right));
    let width = one.right.min(other.right) - one.left.max(other.left);
    let height = one.bottom.min(other.bottom) - one.top.max(other.top);
    let area = |bounds: Bounds| (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
    width > 0.0 && height > 0.0 && width * height > 0.3 * area(one).min(area(other))
}

/// The outer edges of a board in pixels.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

/// Returns the outer edges of a board.
fn bounds(grid: &Grid) -> Bounds {
    let [top_left, top_right, bottom_right, bottom_left] = *grid.corners();
    Bounds {
        left: top_left.0.min(bottom_left.0),
        top: top_left.1.min(top_right.1),
        right: top_right.0.max(bottom_right.0),
        bottom: bottom_right.1.max(bottom_left.1),
    }
}

/// Ten vertical lines at equal distances: a candidate for the files of a board.
#[derive(Clone, Copy, Debug)]
struct Comb {
    /// The x of the first line in pixels of the level.
    left: f32,
    /// The distance of two lines in pixels of the level.
    pitch: f32,
    /// The first strip in which the lines were seen.
    first_strip: usize,
    /// The strip after the last one.
    end_strip: usize,
    /// The sum of the strengths of the lines in all strips, in 1/32 grey levels.
    strength: u32,
}

/// Returns the mean strengths of lines, in 1/32 grey levels. Each of the `sums` is of `rows` values; the mean of the
/// sums within `reach` is subtracted. Each result is the maximum of three neighbours.
fn sharpen(sums: &[u32], rows: u32, reach: usize) -> Vec<u16> {
    let mut before = vec![0_u32; sums.len() + 1];
    for (index, sum) in sums.iter().enumerate() {
        before[index + 1] = before[index] + sum;
    }
    let cap = u32::from(MAX_COUNTED_STRENGTH) * rows;
    let sharp: Vec<u32> = (0..sums.len())
        .map(|index| {
            let (from, to) = (index.saturating_sub(reach), (index + reach + 1).min(sums.len()));
            let mean = (before[to] - before[from]) / (to - from).max(1) as u32;
            (sums[index].saturating_sub(mean).min(cap) * 32 / rows.max(1)).min(u32::from(u16::MAX) / 16)
        })
        .collect();
    (0..sharp.len())
        .map(|index| {
            let (from, to) = (index.saturating_sub(1), (index + 2).min(sharp.len()));
            sharp[from..to].iter().max().copied().unwrap_or_default() as u16
        })
        .collect()
}

/// Writes the sum of ten lines at a pitch into `totals`, for each possible first line. Returns `false` without room for
/// ten lines.
fn sum_lines(lines: &[u16], pitch: f32, totals: &mut Vec<u16>) -> bool {
    totals.clear();
    let last = (9.0 * pitch).round() as usize;
    if lines.len() <= last + 1 {
        return false;
    }
    totals.resize(lines.len() - last, 0);
    for line in 0..10_u8 {
        let from = (f32::from(line) * pitch).round() as usize;
        for (total, strength) in totals.iter_mut().zip(&lines[from..]) {
            *total += strength;
        }
    }
    true
}

/// Returns the number of visible lines of a comb, at most ten.
fn count_lines(lines: &[u16], left: usize, pitch: f32) -> usize {
    (0..10_u8)
        .filter(|line| {
            lines
                .get(left + (f32::from(*line) * pitch).round() as usize)
                .is_some_and(|value| f32::from(*value) > MIN_LINE_STRENGTH * 32.0)
        })
        .count()
}

/// Finds the 16 strongest vertical combs of a level.
fn vertical_combs(map: &LineMap) -> Vec<Comb> {
    let strengths = map.strengths(LineDirection::Vertical);
    let strips: Vec<Vec<u32>> = strengths
        .chunks_exact(map.width.max(1) * STRIP_HEIGHT)
        .map(|rows| {
            let mut sums = vec![0_u32; map.width];
            for row in rows.chunks_exact(map.width) {
                for (sum, strength) in sums.iter_mut().zip(row) {
                    *sum += u32::from(*strength);
                }
            }
            sums
        })
        .collect();
    let mut combs: Vec<Comb> = Vec::new();
    let mut totals = Vec::new();
    let steps = ((MAX_PITCH - MIN_PITCH) / PITCH_STEP) as u16;
    let pitches: Vec<f32> = (0..=steps)
        .map(|step| MIN_PITCH + f32::from(step) * PITCH_STEP)
        .collect();
    for (strip, pair) in strips.windows(2).enumerate() {
        let sums: Vec<u32> = pair[0]
            .iter()
            .zip(&pair[1])
            .map(|(upper, lower)| upper + lower)
            .collect();
        let lines = sharpen(&sums, 2 * STRIP_HEIGHT as u32, 8);
        let mut best: Vec<StripComb> = Vec::new();
        for pitch in &pitches {
            if !sum_lines(&lines, *pitch, &mut totals) {
                break;
            }
            let least = (10.0 * MIN_LINE_STRENGTH * 32.0) as u16;
            for (left, total) in totals.iter().enumerate() {
                let floor = if best.len() < 12 {
                    least
                } else {
                    best[best.len() - 1].total
                };
                if *total > floor
                    && totals[left.saturating_sub(2)..(left + 3).min(totals.len())]
                        .iter()
                        .all(|other| other <= total)
                {
                    add_strip_comb(
                        &mut best,
                        StripComb {
                            total: *total,
                            left,
                            pitch: *pitch,
                        },
                    );
                }
            }
        }
        for StripComb { total, left, pitch } in best {
            if count_lines(&lines, left, pitch) >= 8 {
                let (left, strength) = (left as f32, u32::from(total));
                merge(
                    &mut combs,
                    Comb {
                        left,
                        pitch,
                        first_strip: strip,
                        end_strip: strip + 2,
                        strength,
                    },
                );
            }
        }
    }
    combs.sort_by_key(|comb| std::cmp::Reverse(comb.strength));
    combs.truncate(16);
    combs
}

/// A vertical comb of two neighbouring strips.
#[derive(Clone, Copy, Debug)]
struct StripComb {
    /// The sum of the strengths of the lines, in 1/32 grey levels.
    total: u16,
    /// The column of the first line.
    left: usize,
    /// The distance of two lines in pixels.
    pitch: f32,
}

/// Adds a comb to the twelve strongest ones of a strip. Combs of about the same pitch and first line count once.
fn add_strip_comb(best: &mut Vec<StripComb>, new: StripComb) {
    if let Some(old) = best
        .iter_mut()
        .find(|old| (old.pitch - new.pitch).abs() < 0.5 && old.left.abs_diff(new.left) < 4)
    {
        if old.total < new.total {
            *old = new;
        }
    } else {
        best.push(new);
    }
    best.sort_by_key(|one| std::cmp::Reverse(one.total));
    best.truncate(12);
}

/// Merges a comb with a similar one of a strip nearby. Without such a comb, adds the new one.
fn merge(combs: &mut Vec<Comb>, new: Comb) {
    let same = |old: &&mut Comb| {
        (old.pitch - new.pitch).abs() < 0.45
            && (old.left - new.left).abs() < 4.5
            && new.first_strip <= old.end_strip + 4
    };
    if let Some(old) = combs.iter_mut().find(same) {
        // The position of the stronger strip has the greater weight.
        let lead = f32::from(u8::from(old.strength / 2 > new.strength));
        old.left = old.left * (0.5 + 0.4 * lead) + new.left * (0.5 - 0.4 * lead);
        old.pitch = old.pitch * (0.5 + 0.4 * lead) + new.pitch * (0.5 - 0.4 * lead);
        old.end_strip = new.end_strip;
        old.strength += new.strength;
    } else {
        combs.push(new);
    }
}

/// Ten horizontal lines at equal distances: a candidate for the ranks of a board.
#[derive(Clone, Copy, Debug)]
struct RowComb {
    /// The sum of the strengths of the lines, in 1/32 grey levels.
    total: u16,
    /// The row of the first line.
    top: usize,
    /// The distance of two lines in pixels.
    pitch: f32,
}

/// Returns the strongest horizontal combs whose first lines differ. `across` is the pitch of the vertical lines.
fn best_combs(lines: &[u16], across: f32, search: RowSearch) -> Vec<RowComb> {
    let RowSearch {
        max_combs,
        min_aspect,
    } = search;
    let mut best: Vec<RowComb> = Vec::new();
    let mut totals = Vec::new();
    let steps = (across * (MAX_ASPECT - min_aspect) / 0.1) as u16;
    for pitch in (0..=steps).map(|step| across * min_aspect + 0.1 * f32::from(step)) {
        if !sum_lines(lines, pitch, &mut totals) {
            break;
        }
        for (top, total) in totals.iter().copied().enumerate() {
            let is_strong =
                best.len() < max_combs || best.last().is_some_and(|weakest| weakest.total < total);
            if is_strong && count_lines(lines, top, pitch) >= 8 {
                add_row_comb(&mut best, RowComb { total, top, pitch }, max_combs);
            }
        }
    }
    best
}

/// Adds a comb to the strongest ones. Combs with about the same first line count once.
fn add_row_comb(best: &mut Vec<RowComb>, new: RowComb, max_combs: usize) {
    match best
        .iter_mut()
        .find(|old| (old.top.abs_diff(new.top) as f32) < new.pitch / 2.0)
    {
        Some(old) if old.total < new.total => *old = new,
        Some(_) => {}
        None => best.push(new),
    }
    best.sort_by_key(|comb| std::cmp::Reverse(comb.total));
    best.truncate(max_combs);
}

fn grids_across(map: &LineMap, comb: &Comb, rows: RowSearch) -> Vec<Grid> {
    let width = 9.0 * comb.pitch;
    let reach = 3.0 * comb.pitch;
    let top = ((comb.first_strip * STRIP_HEIGHT) as f32 - reach).max(0.0) as usize;
    let bottom = (((comb.end_strip * STRIP_HEIGHT) as f32 + reach) as usize).min(map.height);
    if (bottom - top) as f32 <= 8.5 * rows.min_aspect.min(1.0) * comb.pitch {
        return Vec::new();
    }
    let strengths = map.strengths(LineDirection::Horizontal);
    let columns = (comb.left.max(0.0) as usize)..((comb.left + width) as usize).min(map.width);
    let strongest = |combs: &[RowComb]| combs.first().map_or(0, |comb| comb.total);
    let (mut best, mut best_slope): (Vec<RowComb>, f32) = (Vec::new(), 0.0);
    // Most boards are level: slope 0 comes first.
    for slope in [0_i8, -1, 1, -2, 2, -3, 3, -4, 4] {
        let slope = f32::from(slope) * 0.012;
        let sums: Vec<u32> = (top..bottom)
            .map(|y| {
                let mut sum = 0;
                for x in columns.clone() {
                    let off = slope * (x as f32 - comb.left - width / 2.0);
                    let row = (y as f32 + off).round().max(0.0) as usize;
                    sum += strengths
                        .get(row * map.width + x)
                        .map_or(0, |value| u32::from(*value));
                }
                sum
            })
            .collect();
        let lines = sharpen(&sums, columns.len() as u32, 8);
        let found = best_combs(&lines, comb.pitch, rows);
        if strongest(&best) < strongest(&found) {
            (best, best_slope) = (found, slope);
        }
        if best_slope == 0.0 && f32::from(strongest(&best)) > 10.0 * CLEAR_LINE_STRENGTH * 32.0 {
            break;
        }
    }
    best.iter()
        .filter_map(|rows| {
            let first = (top + rows.top) as f32 + 0.5;
            let (y0, y1) = (first, first + 9.0 * rows.pitch);
            let (x0, x1) = (comb.left + 0.5, comb.left + 0.5 + width);
            let lift = best_slope * width / 2.0;
            Grid::new([(x0, y0 - lift), (x1, y0 + lift), (x1, y1 + lift), (x0, y1 - lift)])
        })
        .collect()
}

/// Refines a grid on `map`, corrects a shift by one line, and refines the result on `fine`. `scale` is the size of
/// `fine` relative to `map`. `None` where too few lines are visible.
fn align_grid(map: &LineMap, fine: &LineMap, grid: Grid, scale: f32) -> Option<FoundGrid> {
    let wide = refine(map, &grid, 0.3)?;
    let narrow = refine(map, &grid, 0.15)?;
    let (wide, narrow) = (refine(map, &wide, 0.15)?, refine(map, &narrow, 0.15)?);
    let mut grid = if evidence(map, &wide) > evidence(map, &narrow) {
        wide
    } else {
        narrow
    };
    for shifts in 0..=MAX_CORRECTED_SHIFTS {
        let here = evidence(map, &grid);
        if here < MIN_REFINED_EVIDENCE {
            return None;
        }
        let mut best: Option<(f32, Grid)> = None;
        for (dx, dy) in [
            (-1, -1),
            (-1, 0),
            (-1, 1),
            (0, -1),
            (0, 1),
            (1, -1),
            (1, 0),
            (1, 1),
        ] {
            let Some(moved) = shifted(&grid, f32::from(dx as i8), f32::from(dy as i8)) else {
                continue;
            };
            let there = evidence(map, &moved);
            if best.is_none_or(|best| best.0 < there) {
                best = Some((there, moved));
            }
        }
        let (there, moved) = best?;
        if there > here && shifts < MAX_CORRECTED_SHIFTS {
            grid = refine(map, &moved, 0.15)?;
            continue;
        }
        if here < MIN_EVIDENCE {
            return None;
        }
        let finer = |grid: &Grid| refine(fine, &scaled(grid, scale)?, 0.1);
        let shifted_grids = find_shifted_grids(map, &grid).iter().filter_map(finer).collect();
        return Some(FoundGrid {
            grid: finer(&grid)?,
            evidence: here,
            margin: here - there,
            shifted_grids,
        });
    }
    None
}

/// Returns the grids shifted by up to [`MAX_SHIFT_LINES`] lines whose lines are visible as well.
fn find_shifted_grids(map: &LineMap, grid: &Grid) -> Vec<Grid> {
    let (here, _) = visible_shares(map, grid);
    let steps = (1..=MAX_SHIFT_LINES).flat_map(|step| [f32::from(step), -f32::from(step)]);
    let moved = steps
        .flat_map(|step| [shifted(grid, step, 0.0), shifted(grid, 0.0, step)])
        .flatten();
    moved
        .filter(|moved| visible_shares(map, moved).0 >= here - MAX_VISIBILITY_LOSS)
        .take(MAX_SHIFTED_GRIDS)
        .collect()
}

/// Returns the grid in a picture that is `scale` times as large.
fn scaled(grid: &Grid, scale: f32) -> Option<Grid> {
    Grid::new(grid.corners().map(|(x, y)| (x * scale, y * scale)))
}

/// Returns the grid shifted by `dx` columns and `dy` rows.
fn shifted(grid: &Grid, dx: f32, dy: f32) -> Option<Grid> {
    let corner = |x: f32, y: f32| grid.pixel(x + dx, y + dy);
    Grid::new([
        corner(0.0, 0.0),
        corner(9.0, 0.0),
        corner(9.0, 9.0),
        corner(0.0, 9.0),
    ])
}

const SEGMENT_SAMPLES: u8 = 12;

/// A segment of a line of a grid, in squares from the top left corner.
#[derive(Clone, Copy, Debug)]
struct Segment {
    direction: LineDirection,
    /// The column of a vertical line, the row of a horizontal one.
    line: f32,
    /// The beginning of the segment along the line.
    from: f32,
    /// The end of the segment along the line.
    to: f32,
}

/// Returns the mean strength of lines along a segment, `off` pixels beside it. The maximum within `reach` pixels across
/// the segment counts.
fn segment_strength(map: &LineMap, grid: &Grid, segment: Segment, off: f32, reach: i64) -> f32 {
    let Segment {
        direction,
        line,
        from,
        to,
    } = segment;
    let mut sum = 0.0;
    for sample in 0..SEGMENT_SAMPLES {
        let along = from + (to - from) * (f32::from(sample) + 0.5) / f32::from(SEGMENT_SAMPLES);
        let (x, y) = match direction {
            LineDirection::Vertical => grid.pixel(line, along),
            LineDirection::Horizontal => grid.pixel(along, line),
        };
        let (x, y) = if direction == LineDirection::Vertical {
            (x + off, y)
        } else {
            (x, y + off)
        };
        sum += if reach == 0 {
            map.interpolated_strength(direction, x, y)
        } else {
            map.max_strength(direction, x, y, reach)
        };
    }
    sum / f32::from(SEGMENT_SAMPLES)
}

const LINE_DIRECTIONS: [LineDirection; 2] = [LineDirection::Vertical, LineDirection::Horizontal];

/// Returns the segments of a grid's lines, each beside one square, without the corners.
fn grid_segments() -> impl Iterator<Item = Segment> {
    let lines = LINE_DIRECTIONS
        .into_iter()
        .flat_map(|direction| (0..10_u8).map(move |line| (direction, line)));
    lines.flat_map(|(direction, line)| {
        let segment = move |from: f32, to: f32| Segment {
            direction,
            line: f32::from(line),
            from,
            to,
        };
        (0..9_u8).map(move |square| segment(f32::from(square) + 0.1, f32::from(square) + 0.9))
    })
}

/// Returns the visible share of the grid's segments, minus 0.6 times that of the segments beyond it.
fn evidence(map: &LineMap, grid: &Grid) -> f32 {
    let (pieces, stubs) = visible_shares(map, grid);
    pieces - 0.6 * stubs
}

fn visible_shares(map: &LineMap, grid: &Grid) -> (f32, f32) {
    let (width, height) = grid.square_size();
    let beside = 0.16 * width.min(height);
    let measure = |segment: Segment| {
        let on = segment_strength(map, grid, segment, 0.0, 1);
        let left = segment_strength(map, grid, segment, -beside, 0);
        let right = segment_strength(map, grid, segment, beside, 0);
        (on, left.midpoint(right))
    };
    let pieces: Vec<(f32, f32)> = grid_segments().map(measure).collect();
    let inner_lines = LINE_DIRECTIONS
        .into_iter()
        .flat_map(|direction| (1..9_u8).map(move |line| (direction, line)));
    let stubs: Vec<(f32, f32)> = inner_lines
        .flat_map(|(direction, line)| {
            [(-0.7, -0.12), (9.12, 9.7)].map(|(from, to)| Segment {
                direction,
                line: f32::from(line),
                from,
                to,
            })
        })
        .map(measure)
        .collect();
    let mut all: Vec<f32> = pieces.iter().map(|piece| piece.0).collect();
    all.sort_by(f32::total_cmp);
    let least = (0.4 * all[all.len() / 2]).max(MIN_LINE_STRENGTH);
    let share = |pieces: &[(f32, f32)]| {
        pieces
            .iter()
            .filter(|(on, beside)| *on >= least && *on > 1.3 * *beside)
            .count() as f32
            / pieces.len() as f32
    };
    (share(&pieces), share(&stubs))
}

/// Returns the grid moved onto lines that are at most `share` of a square's size away. `None` where too few lines fit.
fn refine(map: &LineMap, grid: &Grid, share: f32) -> Option<Grid> {
    let (width, height) = grid.square_size();
    let reach_x = (share * width).round().max(1.0) as i64;
    let reach_y = (share * height).round().max(1.0) as i64;
    let mut found: [Vec<Sample>; 2] = [Vec::new(), Vec::new()];
    for (direction, reach) in [
        (LineDirection::Vertical, reach_x),
        (LineDirection::Horizontal, reach_y),
    ] {
        let samples = &mut found[usize::from(direction == LineDirection::Horizontal)];
        for line in 0..10_u8 {
            for square in 0..9_u8 {
                let (line, middle) = (f32::from(line), f32::from(square) + 0.5);
                let segment = Segment {
                    direction,
                    line,
                    from: middle - 0.4,
                    to: middle + 0.4,
                };
                let values: Vec<f32> = (-reach - 1..=reach + 1)
                    .map(|off| segment_strength(map, grid, segment, off as f32, 0))
                    .collect();
                let mean = values.iter().sum::<f32>() / values.len() as f32;
                let inner = 1..values.len() - 1;
                let Some(best) = inner.max_by(|a, b| values[*a].total_cmp(&values[*b])) else {
                    continue;
                };
                let (before, top, after) = (values[best - 1], values[best], values[best + 1]);
                let bend = before - 2.0 * top + after;
                let between = if bend < -1e-3 {
                    (0.5 * (before - after) / bend).clamp(-0.5, 0.5)
                } else {
                    0.0
                };
                let off = best as f32 - (reach + 1) as f32 + between;
                let (x, y) = if direction == LineDirection::Vertical {
                    grid.pixel(line, middle)
                } else {
                    grid.pixel(middle, line)
                };
                let position = if direction == LineDirection::Vertical {
                    x
                } else {
                    y
                } + off;
                samples.push(Sample {
                    line,
                    middle,
                    position,
                    weight: (top - mean).max(0.0),
                    distance: off.abs(),
                });
            }
        }
    }
    let fitted = |shape: GridShape| {
        let x = fit(&found[0], 0.12 * width, shape)?;
        let y = fit(&found[1], 0.12 * height, shape)?;
        let corner = |column: f32, row: f32| {
            (
                polynomial_value(&x, column, row),
                polynomial_value(&y, row, column),
            )
        };
        Grid::new([
            corner(0.0, 0.0),
            corner(9.0, 0.0),
            corner(9.0, 9.0),
            corner(0.0, 9.0),
        ])
    };
    let seen = |grid: &Grid| mean_strength(map, grid);
    match (fitted(GridShape::Level), fitted(GridShape::Free)) {
        (Some(level), Some(free)) if seen(&level) >= seen(&free) => Some(level),
        (level, free) => free.or(level),
    }
}

/// Returns the mean strength along the lines of a grid. Each segment counts with at most twice the median strength.
fn mean_strength(map: &LineMap, grid: &Grid) -> f32 {
    let mut values: Vec<f32> = grid_segments()
        .map(|segment| segment_strength(map, grid, segment, 0.0, 0))
        .collect();
    values.sort_by(f32::total_cmp);
    let most = 2.0 * values[values.len() / 2];
    values.iter().map(|value| value.min(most)).sum::<f32>() / values.len() as f32
}

/// The shapes of grids that a fit permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GridShape {
    /// Upright and equally spaced, as a program draws a board.
    Level,
    /// Also rotated or in perspective.
    Free,
}

/// The measured position of a segment of a line.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The index of the line, 0–9.
    line: f32,
    /// The middle of the segment along the line, in squares.
    middle: f32,
    /// The measured coordinate across the line, in pixels.
    position: f32,
    /// The strength at the position, minus the mean strength around it.
    weight: f32,
    /// The distance of the position from the grid, in pixels.
    distance: f32,
}

/// Returns the terms of the polynomial for a position: constant, line, position along the line, product of both, line
/// squared.
const fn terms(line: f32, along: f32) -> [f64; 5] {
    let (line, along) = ((line - 4.5) as f64, (along - 4.5) as f64);
    [1.0, line, along, line * along, line * line]
}

/// Returns the coordinate across a line, by the factors of the [`terms`].
fn polynomial_value(factors: &[f64; 5], line: f32, along: f32) -> f32 {
    terms(line, along)
        .iter()
        .zip(factors)
        .map(|(term, factor)| term * factor)
        .sum::<f64>() as f32
}

/// Fits positions by least squares in four rounds. Later rounds give less weight to outliers, which are more than `far`
/// pixels off. Returns the factors of the [`terms`]; `None` where the samples do not determine the factors.
fn fit(samples: &[Sample], far: f32, shape: GridShape) -> Option<[f64; 5]> {
    let mut factors: Option<[f64; 5]> = None;
    for round in 0..4 {
        let mut rows = [[0.0_f64; 6]; 5];
        for sample in samples {
            let mut weight = f64::from(sample.weight.min(20.0));
            if let Some(factors) = &factors {
                let miss = f64::from(
                    (polynomial_value(factors, sample.line, sample.middle) - sample.position) / far,
                ) * f64::from(round);
                weight /= 1.0 + miss * miss * miss * miss;
            } else {
                weight /= f64::from(1.0 + sample.distance / far);
            }
            let terms = terms(sample.line, sample.middle);
            for (row, left) in rows.iter_mut().zip(terms) {
                for (cell, right) in row
                    .iter_mut()
                    .zip(terms.iter().chain(&[f64::from(sample.position)]))
                {
                    *cell += weight * left * right;
                }
            }
        }
        // Regularization: the bend is small. A level grid has no term but the constant and the line.
        rows[3][3] += 200.0;
        rows[4][4] += 2000.0;
        if shape == GridShape::Level {
            for (term, row) in rows.iter_mut().enumerate().skip(2) {
                row[term] += 1e9;
            }
        }
        factors = Some(solve(rows)?);
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_board_are_tried_after_stronger_lines() {
        // A board of faint lines, and above it a strong one that is nearly in line with them.
        let (left, top, size) = (60, 200, 18);
        let grey = |index: usize| {
            let (x, y) = (index % 300, index / 300);
            let is_line =
                |at: usize, from: usize| at.checked_sub(from).is_some_and(|off| off.is_multiple_of(size));
            let is_on_board = (left..=left + 9 * size).contains(&x) && (top..=top + 9 * size).contains(&y);
            if is_on_board && (is_line(x, left) || is_line(y, top)) {
                210
            } else if y == top - 33 {
                0
            } else {
                220
            }
        };
        let map = LineMap::new(&Picture::new(300, 400, (0..300 * 400).map(grey).collect()).unwrap());
        let comb = vertical_combs(&map)
            .into_iter()
            .max_by_key(|comb| comb.strength)
            .unwrap();
        let is_board = |grid: &Grid| (bounds(grid).top - top as f32).abs() < 2.0;
        let is_tried = |rows: RowSearch| grids_across(&map, &comb, rows).iter().any(is_board);
        assert_eq!([USUAL_SEARCH, THOROUGH_SEARCH].map(is_tried), [false, true]);
    }

    #[test]
    fn edges_of_pieces_do_not_tilt_a_level_board() {
        // Bright lines, and dark edges of pieces a few pixels from some of them: below in the left half, above in the
        // right.
        let (left, top, size) = (40, 40, 36);
        let grey = |index: usize| {
            let (x, y) = (index % 420, index / 420);
            let off = |at: usize, from: usize| at.checked_sub(from).map_or(size, |at| at % size);
            let is_on_board = (left..=left + 9 * size).contains(&x) && (top..=top + 9 * size).contains(&y);
            let column = x.saturating_sub(left) / size;
            let edge = if column < 4 { 4 } else { size - 4 };
            let is_piece =
                is_on_board && column != 4 && (y / size).is_multiple_of(2) && (6..30).contains(&off(x, left));
            match () {
                () if is_piece && off(y, top) == edge => 30,
                () if is_on_board && (off(x, left) == 0 || off(y, top) == 0) => 125,
                () => 105,
            }
        };
        let picture = Picture::new(420, 420, (0..420 * 420).map(grey).collect()).unwrap();
        let found = find_grids(&picture);
        let corners = found.first().map(|found| *found.grid.corners()).unwrap();
        let (near, far) = (left as f32 + 0.5, (left + 9 * size) as f32 + 0.5);
        for (corner, expected) in corners
            .iter()
            .zip([(near, near), (far, near), (far, far), (near, far)])
        {
            assert!(
                (corner.0 - expected.0).abs() < 1.0 && (corner.1 - expected.1).abs() < 1.0,
                "{corners:?}"
            );
        }
    }
}
