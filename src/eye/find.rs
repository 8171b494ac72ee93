//! Finds the boards in a picture: ten equally spaced lines across ten others.

#![expect(clippy::indexing_slicing, reason = "places are looked at before")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "pixels and squares of a picture"
)]

use crate::grid::Grid;
use crate::linear::solve;
use crate::lines::{LineDirection, LineMap};
use crate::picture::Picture;

/// A board that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundGrid {
    /// Its lines.
    pub grid: Grid,
    /// The share of its lines that was seen, 0 to 1, less what was seen beyond them.
    pub evidence: f32,
    /// How much less was seen of the best grid that is off by one line.
    pub margin: f32,
    /// Grids that are off by a few lines and whose lines are all seen as well: the board is one of these.
    pub windows: Vec<Grid>,
}

/// How many lines a grid may be off where further squares of the same size lie beside it.
const MOST_SLIPPED: u8 = 4;
/// The most of such grids that are read.
const MOST_WINDOWS: usize = 8;
/// All lines of a grid are seen where the share of them is at most this much below that of the one that was found.
const AS_WELL_SEEN: f32 = 0.05;
/// The distances of lines that are looked for, in pixels of a level. The next level has twice the size.
const PITCHES: (f32, f32, f32) = (11.5, 24.5, 0.2);
/// The height of the strips in which lines are added up, in pixels.
const STRIP: usize = 18;
/// Lines weaker than this are none, in grey levels.
const FAINT: f32 = 1.6;
/// Ten lines of this mean strength are level, in grey levels.
const STRONG: f32 = 6.0;
/// The share of lines that a board must show.
const ENOUGH: f32 = 0.62;
/// A board of which this is seen needs no second look.
const CLEAR: f32 = 0.85;
/// The share of lines that ten by ten lines must show before they are moved onto those of the picture.
const HOPEFUL: f32 = 0.2;
/// So many tens of vertical lines are looked at.
const MOST_COMBS: usize = 24;
/// Which tens of horizontal lines are tried across ten vertical ones.
#[derive(Clone, Copy, Debug)]
struct RowSearch {
    /// The number of tens, the strongest first.
    most: usize,
    /// The least height of a square, by its width.
    lowest: f32,
}

/// What is tried first.
const USUAL: RowSearch = RowSearch { most: 1, lowest: 0.93 };
/// What is tried where no board is found: the lines of what is around a board may be stronger than its own, and some windows are stretched.
const THOROUGH: RowSearch = RowSearch { most: 4, lowest: 0.72 };
/// The greatest height of a square, by its width.
const HIGHEST: f32 = 1.22;
/// More than this of a line's strength counts as this.
const CAP: u16 = 24;

/// Finds the boards of a picture, the best first.
pub fn find_grids(picture: &Picture) -> Vec<FoundGrid> {
    let mut levels = vec![LineMap::new(picture)];
    while let Some(last) = levels.last().filter(|last| last.width.min(last.height) >= 220 && levels.len() < 5) {
        levels.push(last.half());
    }
    let mut combs: Vec<(usize, Comb)> = levels
        .iter()
        .enumerate()
        .flat_map(|(level, map)| vertical_combs(map).into_iter().map(move |comb| (level, comb)))
        .collect();
    combs.sort_by_key(|(_, comb)| std::cmp::Reverse(comb.strength));
    combs.truncate(MOST_COMBS);
    let mut found = settle_all(&levels, &combs, USUAL);
    if found.is_empty() {
        found = settle_all(&levels, &combs, THOROUGH);
    }
    found.sort_by(|left, right| right.evidence.total_cmp(&left.evidence));
    let mut kept: Vec<FoundGrid> = Vec::new();
    for one in found {
        if !kept.iter().any(|other| overlap(&one.grid, &other.grid)) {
            kept.push(one);
        }
    }
    kept
}

/// Returns the grids of tens of vertical lines of these levels, with tens of horizontal ones.
fn settle_all(levels: &[LineMap], combs: &[(usize, Comb)], rows: RowSearch) -> Vec<FoundGrid> {
    let mut found: Vec<FoundGrid> = Vec::new();
    for (level, comb) in combs {
        let known = |one: &FoundGrid| one.evidence >= CLEAR && is_within(comb, (1_usize << level) as f32, &one.grid);
        if found.iter().any(known) {
            continue;
        }
        let (map, fine) = (&levels[*level], level.saturating_sub(1));
        let step = if fine == *level { 1.0 } else { 2.0 };
        let settled = |grid: Grid| settle(map, &levels[fine], grid, step);
        let Some(one) = with_rows(map, comb, rows).into_iter().find_map(settled) else { continue };
        let scale = (1_usize << fine) as f32;
        let Some(grid) = scaled(&one.grid, scale) else { continue };
        let windows = one.windows.iter().filter_map(|grid| scaled(grid, scale)).collect();
        found.push(FoundGrid { grid, windows, ..one });
    }
    found
}

/// Returns whether the middle of ten lines of a level lies within a board.
fn is_within(comb: &Comb, scale: f32, grid: &Grid) -> bool {
    let x = (comb.left + 4.5 * comb.pitch) * scale;
    let y = ((comb.rows.0 + comb.rows.1) * STRIP) as f32 / 2.0 * scale;
    let (left, top, right, bottom) = bounds(grid);
    (left..=right).contains(&x) && (top..=bottom).contains(&y)
}

/// Returns whether two boards share a place.
fn overlap(left: &Grid, right: &Grid) -> bool {
    let (one, other) = (bounds(left), bounds(right));
    let width = one.2.min(other.2) - one.0.max(other.0);
    let height = one.3.min(other.3) - one.1.max(other.1);
    let area = |sides: (f32, f32, f32, f32)| (sides.2 - sides.0) * (sides.3 - sides.1);
    width > 0.0 && height > 0.0 && width * height > 0.3 * area(one).min(area(other))
}

/// Returns the left, top, right and bottom of a board in pixels.
fn bounds(grid: &Grid) -> (f32, f32, f32, f32) {
    let [top_left, top_right, bottom_right, bottom_left] = *grid.corners();
    (
        top_left.0.min(bottom_left.0),
        top_left.1.min(top_right.1),
        top_right.0.max(bottom_right.0),
        bottom_right.1.max(bottom_left.1),
    )
}

/// Ten vertical lines: where the first is, how far apart they are, and in which rows they were seen.
#[derive(Clone, Copy, Debug)]
struct Comb {
    left: f32,
    pitch: f32,
    rows: (usize, usize),
    strength: u32,
}

/// Subtracts from each sum the mean around it, and keeps the largest of three neighbours.
fn sharpen(sums: &[u32], rows: u32, reach: usize) -> Vec<u16> {
    let mut before = vec![0_u32; sums.len() + 1];
    for (place, sum) in sums.iter().enumerate() {
        before[place + 1] = before[place] + sum;
    }
    let cap = u32::from(CAP) * rows;
    let sharp: Vec<u32> = (0..sums.len())
        .map(|place| {
            let (from, to) = (place.saturating_sub(reach), (place + reach + 1).min(sums.len()));
            let mean = (before[to] - before[from]) / (to - from).max(1) as u32;
            (sums[place].saturating_sub(mean).min(cap) * 32 / rows.max(1)).min(u32::from(u16::MAX) / 16)
        })
        .collect();
    (0..sharp.len())
        .map(|place| {
            let (from, to) = (place.saturating_sub(1), (place + 2).min(sharp.len()));
            sharp[from..to].iter().max().copied().unwrap_or_default() as u16
        })
        .collect()
}

/// Adds up ten lines for each first place.
fn add_lines(lines: &[u16], pitch: f32, totals: &mut Vec<u16>) -> bool {
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

/// Returns how many of ten lines are there.
fn count_lines(lines: &[u16], left: usize, pitch: f32) -> usize {
    let there = |line: &u8| {
        lines
            .get(left + (f32::from(*line) * pitch).round() as usize)
            .is_some_and(|value| f32::from(*value) > FAINT * 32.0)
    };
    (0..10_u8).filter(there).count()
}

/// Looks for ten vertical lines in strips of rows.
fn vertical_combs(map: &LineMap) -> Vec<Comb> {
    let strengths = map.strengths(LineDirection::Vertical);
    let strips: Vec<Vec<u32>> = strengths
        .chunks_exact(map.width.max(1) * STRIP)
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
    let steps = ((PITCHES.1 - PITCHES.0) / PITCHES.2) as u16;
    let pitches: Vec<f32> = (0..=steps).map(|step| PITCHES.0 + f32::from(step) * PITCHES.2).collect();
    for (place, pair) in strips.windows(2).enumerate() {
        let sums: Vec<u32> = pair[0].iter().zip(&pair[1]).map(|(upper, lower)| upper + lower).collect();
        let lines = sharpen(&sums, 2 * STRIP as u32, 8);
        let mut best: Vec<(u16, usize, f32)> = Vec::new();
        for pitch in &pitches {
            if !add_lines(&lines, *pitch, &mut totals) {
                break;
            }
            let least = (10.0 * FAINT * 32.0) as u16;
            for (left, total) in totals.iter().enumerate() {
                let floor = if best.len() < 12 { least } else { best[best.len() - 1].0 };
                if *total > floor
                    && totals[left.saturating_sub(2)..(left + 3).min(totals.len())].iter().all(|other| other <= total)
                {
                    add_best(&mut best, (*total, left, *pitch));
                }
            }
        }
        for (total, left, pitch) in best {
            if count_lines(&lines, left, pitch) >= 8 {
                merge(
                    &mut combs,
                    Comb { left: left as f32, pitch, rows: (place, place + 2), strength: u32::from(total) },
                );
            }
        }
    }
    combs.sort_by_key(|comb| std::cmp::Reverse(comb.strength));
    combs.truncate(16);
    combs
}

/// Adds a comb to the best ones of a strip, once for each place and pitch.
fn add_best(best: &mut Vec<(u16, usize, f32)>, new: (u16, usize, f32)) {
    let same = |old: &(u16, usize, f32)| (old.2 - new.2).abs() < 0.5 && old.1.abs_diff(new.1) < 4;
    if let Some(old) = best.iter_mut().find(|old| same(old)) {
        if old.0 < new.0 {
            *old = new;
        }
    } else {
        best.push(new);
    }
    best.sort_by_key(|one| std::cmp::Reverse(one.0));
    best.truncate(12);
}

/// Adds a comb to that of a strip nearby.
fn merge(combs: &mut Vec<Comb>, new: Comb) {
    let same = |old: &&mut Comb| {
        (old.pitch - new.pitch).abs() < 0.45 && (old.left - new.left).abs() < 4.5 && new.rows.0 <= old.rows.1 + 4
    };
    if let Some(old) = combs.iter_mut().find(same) {
        // The strongest strip says where the lines are.
        let kept = f32::from(u8::from(old.strength / 2 > new.strength));
        old.left = old.left * (0.5 + 0.4 * kept) + new.left * (0.5 - 0.4 * kept);
        old.pitch = old.pitch * (0.5 + 0.4 * kept) + new.pitch * (0.5 - 0.4 * kept);
        old.rows.1 = new.rows.1;
        old.strength += new.strength;
    } else {
        combs.push(new);
    }
}

/// Ten horizontal lines: how strong they are together, where the first is, and how far apart they are.
#[derive(Clone, Copy, Debug)]
struct RowComb {
    total: u16,
    place: usize,
    pitch: f32,
}

/// Returns the strongest tens of lines, those that lie apart. `across` is the distance of the vertical lines.
fn best_combs(lines: &[u16], across: f32, RowSearch { most, lowest }: RowSearch) -> Vec<RowComb> {
    let mut best: Vec<RowComb> = Vec::new();
    let mut totals = Vec::new();
    let steps = (across * (HIGHEST - lowest) / 0.1) as u16;
    for pitch in (0..=steps).map(|step| across * lowest + 0.1 * f32::from(step)) {
        if !add_lines(lines, pitch, &mut totals) {
            break;
        }
        for (place, total) in totals.iter().copied().enumerate() {
            let is_strong = best.len() < most || best.last().is_some_and(|weakest| weakest.total < total);
            if is_strong && count_lines(lines, place, pitch) >= 8 {
                add_rows(&mut best, RowComb { total, place, pitch }, most);
            }
        }
    }
    best
}

/// Adds ten lines to the strongest ones, once for each place.
fn add_rows(best: &mut Vec<RowComb>, new: RowComb, most: usize) {
    let is_same = |old: &&mut RowComb| (old.place.abs_diff(new.place) as f32) < new.pitch / 2.0;
    match best.iter_mut().find(is_same) {
        Some(old) if old.total < new.total => *old = new,
        Some(_) => {}
        None => best.push(new),
    }
    best.sort_by_key(|comb| std::cmp::Reverse(comb.total));
    best.truncate(most);
}

/// Looks for ten horizontal lines across ten vertical ones. Returns the grids of the strongest ones.
fn with_rows(map: &LineMap, comb: &Comb, rows: RowSearch) -> Vec<Grid> {
    let width = 9.0 * comb.pitch;
    let reach = 3.0 * comb.pitch;
    let top = ((comb.rows.0 * STRIP) as f32 - reach).max(0.0) as usize;
    let bottom = (((comb.rows.1 * STRIP) as f32 + reach) as usize).min(map.height);
    if (bottom - top) as f32 <= 8.5 * rows.lowest.min(1.0) * comb.pitch {
        return Vec::new();
    }
    let strengths = map.strengths(LineDirection::Horizontal);
    let columns = (comb.left.max(0.0) as usize)..((comb.left + width) as usize).min(map.width);
    let strongest = |combs: &[RowComb]| combs.first().map_or(0, |comb| comb.total);
    let mut best: (Vec<RowComb>, f32) = (Vec::new(), 0.0);
    // Most boards are level.
    for slope in [0_i8, -1, 1, -2, 2, -3, 3, -4, 4] {
        let slope = f32::from(slope) * 0.012;
        let sums: Vec<u32> = (top..bottom)
            .map(|y| {
                let mut sum = 0;
                for x in columns.clone() {
                    let off = slope * (x as f32 - comb.left - width / 2.0);
                    let row = (y as f32 + off).round().max(0.0) as usize;
                    sum += strengths.get(row * map.width + x).map_or(0, |value| u32::from(*value));
                }
                sum
            })
            .collect();
        let lines = sharpen(&sums, columns.len() as u32, 8);
        let found = best_combs(&lines, comb.pitch, rows);
        if strongest(&best.0) < strongest(&found) {
            best = (found, slope);
        }
        if best.1 == 0.0 && f32::from(strongest(&best.0)) > 10.0 * STRONG * 32.0 {
            break;
        }
    }
    let (rows, slope) = best;
    let grid = |RowComb { place, pitch, .. }: &RowComb| {
        let (y0, y1) = ((top + place) as f32 + 0.5, (top + place) as f32 + 0.5 + 9.0 * pitch);
        let (x0, x1) = (comb.left + 0.5, comb.left + 0.5 + width);
        let lift = slope * width / 2.0;
        Grid::new([(x0, y0 - lift), (x1, y0 + lift), (x1, y1 + lift), (x0, y1 - lift)])
    };
    rows.iter().filter_map(grid).collect()
}

/// Moves a grid onto the lines below it, first at one size, then at a finer one, and sees whether it is off by a line.
fn settle(map: &LineMap, fine: &LineMap, grid: Grid, scale: f32) -> Option<FoundGrid> {
    let wide = refine(map, &grid, 0.3)?;
    let narrow = refine(map, &grid, 0.15)?;
    let (wide, narrow) = (refine(map, &wide, 0.15)?, refine(map, &narrow, 0.15)?);
    let mut grid = if evidence(map, &wide) > evidence(map, &narrow) { wide } else { narrow };
    for _ in 0..4 {
        let here = evidence(map, &grid);
        if here < HOPEFUL {
            return None;
        }
        let mut best: Option<(f32, Grid)> = None;
        for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let Some(moved) = shifted(&grid, f32::from(dx as i8), f32::from(dy as i8)) else { continue };
            let there = evidence(map, &moved);
            if best.is_none_or(|best| best.0 < there) {
                best = Some((there, moved));
            }
        }
        let (there, moved) = best?;
        if there > here {
            grid = refine(map, &moved, 0.15)?;
            continue;
        }
        if here < ENOUGH {
            return None;
        }
        let finer = |grid: &Grid| refine(fine, &scaled(grid, scale)?, 0.1);
        let windows = windows(map, &grid).iter().filter_map(finer).collect();
        return Some(FoundGrid { grid: finer(&grid)?, evidence: here, margin: here - there, windows });
    }
    None
}

/// Returns the grids up to [`MOST_SLIPPED`] lines off whose lines are all seen, too: further squares of the same size lie beside.
fn windows(map: &LineMap, grid: &Grid) -> Vec<Grid> {
    let (here, _) = shares(map, grid);
    let steps = (1..=MOST_SLIPPED).flat_map(|step| [f32::from(step), -f32::from(step)]);
    let moved = steps.flat_map(|step| [shifted(grid, step, 0.0), shifted(grid, 0.0, step)]).flatten();
    moved.filter(|moved| shares(map, moved).0 >= here - AS_WELL_SEEN).take(MOST_WINDOWS).collect()
}

/// Returns the grid in a picture of another size.
fn scaled(grid: &Grid, scale: f32) -> Option<Grid> {
    Grid::new(grid.corners().map(|(x, y)| (x * scale, y * scale)))
}

/// Returns the grid that lies some squares further.
fn shifted(grid: &Grid, dx: f32, dy: f32) -> Option<Grid> {
    let corner = |x: f32, y: f32| grid.pixel(x + dx, y + dy);
    Grid::new([corner(0.0, 0.0), corner(9.0, 0.0), corner(9.0, 9.0), corner(0.0, 9.0)])
}

/// The number of places at which a piece of a line is looked at.
const SAMPLES: u8 = 12;

/// Returns the mean strength along a piece of a line, `off` pixels beside it, `reach` pixels around.
fn strength(
    map: &LineMap,
    grid: &Grid,
    direction: LineDirection,
    (line, from, to): (f32, f32, f32),
    off: f32,
    reach: i64,
) -> f32 {
    let mut sum = 0.0;
    for sample in 0..SAMPLES {
        let along = from + (to - from) * (f32::from(sample) + 0.5) / f32::from(SAMPLES);
        let (x, y) = match direction {
            LineDirection::Vertical => grid.pixel(line, along),
            LineDirection::Horizontal => grid.pixel(along, line),
        };
        let (x, y) = if direction == LineDirection::Vertical { (x + off, y) } else { (x, y + off) };
        sum += if reach == 0 { map.between(direction, x, y) } else { map.most(direction, x, y, reach) };
    }
    sum / f32::from(SAMPLES)
}

/// Returns the share of the pieces of a grid's lines that are seen, less those that are seen beyond it.
fn evidence(map: &LineMap, grid: &Grid) -> f32 {
    let (pieces, stubs) = shares(map, grid);
    pieces - 0.6 * stubs
}

/// Returns the share of the pieces of a grid's lines that are seen, and of those beyond it.
fn shares(map: &LineMap, grid: &Grid) -> (f32, f32) {
    let (width, height) = grid.square_size();
    let beside = 0.16 * width.min(height);
    let look = |direction: LineDirection, line: f32, from: f32, to: f32| {
        let on = strength(map, grid, direction, (line, from, to), 0.0, 1);
        let left = strength(map, grid, direction, (line, from, to), -beside, 0);
        let right = strength(map, grid, direction, (line, from, to), beside, 0);
        (on, left.midpoint(right))
    };
    let mut pieces = Vec::with_capacity(180);
    let mut stubs = Vec::with_capacity(32);
    for direction in [LineDirection::Vertical, LineDirection::Horizontal] {
        for line in 0..10_u8 {
            let line = f32::from(line);
            for square in 0..9_u8 {
                pieces.push(look(direction, line, f32::from(square) + 0.1, f32::from(square) + 0.9));
            }
            if (1.0..=8.0).contains(&line) {
                stubs.push(look(direction, line, -0.7, -0.12));
                stubs.push(look(direction, line, 9.12, 9.7));
            }
        }
    }
    let mut all: Vec<f32> = pieces.iter().map(|piece| piece.0).collect();
    all.sort_by(f32::total_cmp);
    let least = (0.4 * all[all.len() / 2]).max(FAINT);
    let seen = |(on, beside): &&(f32, f32)| *on >= least && *on > 1.3 * *beside;
    let share = |pieces: &[(f32, f32)]| pieces.iter().filter(seen).count() as f32 / pieces.len() as f32;
    (share(&pieces), share(&stubs))
}

/// Moves a grid onto the lines that lie within a share of a square's size of its own.
fn refine(map: &LineMap, grid: &Grid, share: f32) -> Option<Grid> {
    let (width, height) = grid.square_size();
    let reach_x = (share * width).round().max(1.0) as i64;
    let reach_y = (share * height).round().max(1.0) as i64;
    let mut found: [Vec<Sample>; 2] = [Vec::new(), Vec::new()];
    for (direction, reach) in [(LineDirection::Vertical, reach_x), (LineDirection::Horizontal, reach_y)] {
        let samples = &mut found[usize::from(direction == LineDirection::Horizontal)];
        for line in 0..10_u8 {
            for square in 0..9_u8 {
                let (line, middle) = (f32::from(line), f32::from(square) + 0.5);
                let values: Vec<f32> = (-reach - 1..=reach + 1)
                    .map(|off| strength(map, grid, direction, (line, middle - 0.4, middle + 0.4), off as f32, 0))
                    .collect();
                let mean = values.iter().sum::<f32>() / values.len() as f32;
                let inner = 1..values.len() - 1;
                let Some(best) = inner.max_by(|a, b| values[*a].total_cmp(&values[*b])) else { continue };
                let (before, top, after) = (values[best - 1], values[best], values[best + 1]);
                let bend = before - 2.0 * top + after;
                let between = if bend < -1e-3 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 };
                let off = best as f32 - (reach + 1) as f32 + between;
                let (x, y) = if direction == LineDirection::Vertical {
                    grid.pixel(line, middle)
                } else {
                    grid.pixel(middle, line)
                };
                let place = if direction == LineDirection::Vertical { x } else { y } + off;
                samples.push(Sample { line, along: middle, place, weight: (top - mean).max(0.0), off: off.abs() });
            }
        }
    }
    let x = fit(&found[0], 0.12 * width)?;
    let y = fit(&found[1], 0.12 * height)?;
    let corner = |column: f32, row: f32| (value(&x, column, row), value(&y, row, column));
    Grid::new([corner(0.0, 0.0), corner(9.0, 0.0), corner(9.0, 9.0), corner(0.0, 9.0)])
}

/// Where a piece of a line was seen.
#[derive(Clone, Copy, Debug)]
struct Sample {
    line: f32,
    along: f32,
    place: f32,
    weight: f32,
    off: f32,
}

/// The terms of a place: the line, where along it, both, and the line squared.
const fn terms(line: f32, along: f32) -> [f64; 5] {
    let (line, along) = ((line - 4.5) as f64, (along - 4.5) as f64);
    [1.0, line, along, line * along, line * line]
}

fn value(factors: &[f64; 5], line: f32, along: f32) -> f32 {
    terms(line, along).iter().zip(factors).map(|(term, factor)| term * factor).sum::<f64>() as f32
}

/// Fits places by least squares, three times, without those that are far off.
fn fit(samples: &[Sample], far: f32) -> Option<[f64; 5]> {
    let mut factors: Option<[f64; 5]> = None;
    for round in 0..4 {
        let mut rows = [[0.0_f64; 6]; 5];
        for sample in samples {
            let mut weight = f64::from(sample.weight.min(20.0));
            if let Some(factors) = &factors {
                let miss =
                    f64::from((value(factors, sample.line, sample.along) - sample.place) / far) * f64::from(round);
                weight /= 1.0 + miss * miss * miss * miss;
            } else {
                weight /= f64::from(1.0 + sample.off / far);
            }
            let terms = terms(sample.line, sample.along);
            for (row, left) in rows.iter_mut().zip(terms) {
                for (cell, right) in row.iter_mut().zip(terms.iter().chain(&[f64::from(sample.place)])) {
                    *cell += weight * left * right;
                }
            }
        }
        // Little is known of the bend.
        rows[3][3] += 200.0;
        rows[4][4] += 2000.0;
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
        let grey = |place: usize| {
            let (x, y) = (place % 300, place / 300);
            let is_line = |at: usize, from: usize| at.checked_sub(from).is_some_and(|off| off.is_multiple_of(size));
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
        let comb = vertical_combs(&map).into_iter().max_by_key(|comb| comb.strength).unwrap();
        let is_board = |grid: &Grid| (bounds(grid).1 - top as f32).abs() < 2.0;
        let is_tried = |rows: RowSearch| with_rows(&map, &comb, rows).iter().any(is_board);
        assert_eq!([USUAL, THOROUGH].map(is_tried), [false, true]);
    }
}
