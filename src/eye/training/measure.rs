//! Measures how many drawn boards are found and read.
//!
//! usage: eye-measure --vision FOLDER --weights FILE [--boards N] [--seed N] [--only NAME,…] [--without N]
//!   [--games FOLDER] [--save FOLDER]
//!
//! With `--games` the positions are those of records there, else of games of moves by chance.
//! `--without` also counts in how many of N pictures that have no board one is claimed.

use shogibar_eye::find::find_grids;
use shogibar_eye::grid::Grid;
use shogibar_eye::network::Network;
use shogibar_eye::network::likeliest;
use shogibar_eye::picture::Picture;
use shogibar_eye::reader::{BoardReading, read_boards, read_squares};
use shogibar_eye::track::Hands;
use shogibar_eye_training::canvas::Canvas;
use shogibar_eye_training::damage::damage;
use shogibar_eye_training::games;
use shogibar_eye_training::materials::{Choice, Materials};
use shogibar_eye_training::random::Random;
use shogibar_eye_training::scene::{self, Plan};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let (mut vision, mut weights, mut boards, mut seed) = (PathBuf::new(), PathBuf::new(), 100, 99_u64);
    let (mut only, mut save, mut from, mut without) = (Vec::new(), None, 14.0, 0);
    let mut positions: Vec<([u8; 81], Hands)> = Vec::new();
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word}: its value is missing"))?;
        match word.as_str() {
            "--vision" => vision = value.into(),
            "--weights" => weights = value.into(),
            "--boards" => boards = value.parse().map_err(|error| format!("{error}"))?,
            "--seed" => seed = value.parse().map_err(|error| format!("{error}"))?,
            "--cell" => from = value.parse().map_err(|error| format!("{error}"))?,
            "--only" => only = value.split(',').map(str::to_owned).collect(),
            "--without" => without = value.parse().map_err(|error| format!("{error}"))?,
            "--games" => positions = games::positions(value.as_ref())?,
            "--save" => save = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    let choice = if only.is_empty() { Choice::Without(&[]) } else { Choice::Only(&only) };
    let materials = Materials::new(&vision, choice, seed);
    if materials.sets.is_empty() {
        return Err("no set of pieces has such a name".to_owned());
    }
    let network = std::fs::read(&weights).ok().and_then(|bytes| Network::from_bytes(&bytes)).ok_or("no weights")?;
    let mut random = Random::new(seed);
    let (mut found, mut squares_right, mut squares, mut boards_right, mut silent, mut sure) = (0, 0, 0, 0, 0, 0);
    let (mut given_right, mut given_boards) = (0, 0);
    let (mut times, mut find_times) = (Vec::new(), Vec::new());
    let mut far_sum = 0.0;
    let (mut hands_whole, mut hands_wrong, mut hands_silent, mut hand_times) = (0, 0, 0, Vec::new());
    let mut mistaken: BTreeMap<(u8, usize), usize> = BTreeMap::new();
    for index in 0..boards {
        let size = if random.chance(0.5) { (1280, 720) } else { (1920, 1080) };
        let cell = random.real(from, (size.1 as f32 / 10.5).min(100.0));
        let (squares_drawn, hands) = if positions.is_empty() {
            (scene::squares_of_a_game(&mut random), None)
        } else {
            let (squares, hands) = random.pick(&positions);
            (*squares, Some(hands))
        };
        let scene = scene::draw(
            &mut random,
            &materials,
            Plan { squares: Some(&squares_drawn), hands, ..Plan::by_chance(cell, Some(size)) },
        );
        let scene = damage(&mut random, scene, 0.5);
        let (width, height) = (scene.picture.width() as usize, scene.picture.height() as usize);
        let picture = Picture::from_rgb(width, height, scene.picture.as_raw(), 3).ok_or("size")?;
        let truth = Grid::new(scene.corners).ok_or("corners")?;
        let right = |squares: &[shogibar_eye::network::Probabilities]| {
            squares.iter().zip(&scene.squares).filter(|(read, class)| likeliest(read).0 == usize::from(**class)).count()
        };
        let given_squares = read_squares(&picture, &network, &truth);
        for (read, class) in given_squares.iter().zip(&scene.squares) {
            let read = likeliest(read).0;
            if read != usize::from(*class) {
                *mistaken.entry((*class, read)).or_insert(0) += 1;
            }
        }
        let given = right(&given_squares);
        given_right += given;
        given_boards += usize::from(given == 81);
        let start = Instant::now();
        let grids = find_grids(&picture);
        find_times.push(start.elapsed().as_secs_f32() * 1000.0);
        let read = read_boards(&picture, &network);
        times.push(start.elapsed().as_secs_f32() * 1000.0 - find_times[find_times.len() - 1]);
        squares += 81;
        let cell = truth.square_size().0;
        let far = |grid: &Grid| {
            grid.corners().iter().zip(truth.corners()).map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1)).fold(0.0, f32::max)
                / cell
        };
        let near = grids.iter().map(|one| far(&one.grid)).fold(f32::INFINITY, f32::min);
        if near < 0.2 {
            found += 1;
            far_sum += near;
        }
        let mut bad = near >= 0.2;
        if let Some(best) = read.first() {
            let classes = &best.classes;
            let count =
                classes.iter().zip(&scene.squares).filter(|(read, class)| **read == usize::from(**class)).count();
            squares_right += count;
            boards_right += usize::from(count == 81);
            sure += usize::from(best.confidence > 0.9);
            silent += usize::from(best.confidence > 0.9 && count < 81);
            bad |= count < 81;
            if let Some(hands) = hands.filter(|_| scene.in_hand.is_some()) {
                let start = Instant::now();
                let seen = best.hands(&picture, &network);
                hand_times.push(start.elapsed().as_secs_f32() * 1000.0);
                let mut known = seen.known.as_flattened().iter().zip(hands.as_flattened());
                let is_wrong = if seen.is_whole { seen.known != *hands } else { known.any(|(seen, hand)| seen > hand) };
                hands_wrong += usize::from(is_wrong);
                hands_silent += usize::from(seen.is_whole && is_wrong);
                hands_whole += usize::from(seen.is_whole && !is_wrong);
                if is_wrong && let Some(folder) = &save {
                    println!("{index}: hands {hands:?}, seen {seen:?}");
                    scene.picture.save(folder.join(format!("h{index}.png"))).map_err(|error| error.to_string())?;
                }
            }
        }
        if bad && let Some(folder) = &save {
            let first = grids.first().map(|one| (far(&one.grid), one.evidence, one.margin));
            println!(
                "{index}: cell {cell:.1}, nearest {near:.3}, first {first:?}, given {given}, read {:?}",
                read.first().map(|best| (right(&best.squares), best.confidence))
            );
            scene.picture.save(folder.join(format!("m{index}.png"))).map_err(|error| error.to_string())?;
        }
    }
    let mut mistaken: Vec<_> = mistaken.into_iter().collect();
    mistaken.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mistaken: Vec<String> =
        mistaken.iter().take(12).map(|((class, read), count)| format!("{class} as {read}: {count}")).collect();
    println!("most mistaken classes: {}", mistaken.join(", "));
    times.sort_by(f32::total_cmp);
    find_times.sort_by(f32::total_cmp);
    let share = |part: usize, whole: usize| 100.0 * part as f32 / whole as f32;
    println!("grid given: squares {:.2} %, boards {:.1} %", share(given_right, squares), share(given_boards, boards));
    println!("found {:.1} %, off by {:.3} squares", share(found, boards), far_sum / found.max(1) as f32);
    println!(
        "read: squares {:.2} %, boards {:.1} %; sure {sure}, of these wrong {silent}",
        share(squares_right, squares),
        share(boards_right, boards)
    );
    println!(
        "find {:.0} ms median, {:.0} longest; find and read {:.0} ms median, {:.0} longest",
        find_times[boards / 2],
        find_times[boards - 1],
        times[boards / 2],
        times[boards - 1]
    );
    hand_times.sort_by(f32::total_cmp);
    println!(
        "hands beside {} boards: whole {hands_whole}, wrong {hands_wrong}, said to be whole and wrong {hands_silent}; {:.0} ms median",
        hand_times.len(),
        hand_times.get(hand_times.len() / 2).copied().unwrap_or_default()
    );
    let claims = (0..without).filter(|_| {
        let size = if random.chance(0.5) { (1280, 720) } else { (1920, 1080) };
        let mut canvas = Canvas::new(size.0, size.1, random.colour());
        let cell = random.real(14.0, 60.0);
        scene::surround(&mut random, &mut canvas, &materials, cell);
        let picture = Picture::from_rgb(size.0 as usize, size.1 as usize, canvas.0.as_raw(), 3);
        picture.is_some_and(|picture| read_boards(&picture, &network).iter().any(BoardReading::is_board))
    });
    println!("of {without} pictures without a board {} have one", claims.count());
    Ok(())
}
