//! Random histories of folders: files are added, changed and removed, and the index is cut and damaged. Its answers
//! must equal those of a search through all files.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and its helpers do I/O"
)]

use proptest::prelude::*;
use shogibar_base::random::SplitMix;
use shogibar_kifu::Outcome;
use shogibar_shelf::{
    MAGIC, Shelf, ShelfError, ShelfKey, ShelfQuery, ShelfUpdate, UpdateControl, read_games,
};
use shogibar_shogi::{Color, Move, Position};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A temporary folder, which is removed when dropped.
struct ScratchFolder(PathBuf);

/// The number of folders created by this process, for their names.
static FOLDER_COUNT: AtomicUsize = AtomicUsize::new(0);

impl ScratchFolder {
    fn new() -> Self {
        let number = FOLDER_COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("shogibar-shelf-{}-{number}", std::process::id()));
        fs::create_dir_all(path.join("records")).unwrap();
        Self(path)
    }

    fn records(&self) -> PathBuf {
        self.0.join("records")
    }

    fn index(&self) -> PathBuf {
        self.0.join("shelf.index")
    }

    fn update(&self) -> (Shelf, ShelfUpdate) {
        try_update(&self.index(), &[self.records()]).unwrap()
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _best_effort = fs::remove_dir_all(&self.0);
    }
}

fn try_update(index: &Path, folders: &[PathBuf]) -> Result<(Shelf, ShelfUpdate), ShelfError> {
    let mut control = UpdateControl {
        is_cancelled: &AtomicBool::new(false),
        progress: &mut |_, _| {},
        threads: 2,
    };
    Shelf::update(index, folders, &mut control)
}

/// Returns a short game, which often has positions of other games.
fn random_game(seed: u64) -> String {
    let mut random = SplitMix(seed);
    let (mut position, mut text) = (Position::startpos(), String::from("position startpos moves"));
    let first = ["7g7f", "2g2f", "3c3d", "8c8d", "6i7h", "4a3b"];
    for _ in 0..random.below(12) {
        let wished = Move::from_usi(first[random.below(first.len())]).unwrap();
        let legal = position.legal_moves();
        let mv = if position.is_legal(wished) {
            wished
        } else {
            legal[random.below(legal.len())]
        };
        position.play(mv).unwrap();
        text = format!("{text} {mv}");
    }
    text.replace(" moves\n", "\n") + "\n"
}

/// Returns the games with a position by a search through all files, as sorted texts.
fn linear_search(folder: &Path, key: ShelfKey) -> Vec<String> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let mut games = Vec::new();
        read_games(&fs::read(&file).unwrap(), &file, &mut |game| games.push(game)).unwrap();
        for (number, game) in games.iter().enumerate() {
            // Each game counts once.
            if let Some((ply, position)) = game
                .positions
                .iter()
                .enumerate()
                .find(|(_, position)| position.key == key)
            {
                let next = position.next_move.map(|mv| mv.to_string());
                found.push(format!("{} {} {ply} {next:?}", file.display(), number + 1));
            }
        }
    }
    found.sort();
    found
}

fn answers(shelf: &mut Shelf, key: ShelfKey) -> Vec<String> {
    let answer = shelf.ask(&ShelfQuery::new(key, usize::MAX)).unwrap();
    assert_eq!(answer.count as usize, answer.hits.len(), "every game is listed");
    assert_eq!(
        answer.moves.iter().map(|next| next.count).sum::<u32>(),
        answer.count,
        "every game went on somehow"
    );
    let text = |hit: &shogibar_shelf::ShelfHit| {
        format!(
            "{} {} {} {:?}",
            hit.path,
            hit.number,
            hit.ply,
            hit.next_move.map(|mv| mv.to_string())
        )
    };
    let mut found: Vec<_> = answer.hits.iter().map(text).collect();
    found.sort();
    found
}

/// Returns the keys of positions in the games, and one that no game has.
fn keys() -> Vec<ShelfKey> {
    let mut keys = vec![ShelfKey::from_position(
        &Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap(),
    )];
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d", "2g2f"] {
        keys.push(ShelfKey::from_position(&position));
        position.play(Move::from_usi(mv).unwrap()).unwrap();
    }
    keys.push(ShelfKey::from_position(&position));
    keys
}

#[derive(Clone, Debug)]
enum Step {
    Write {
        file: u8,
        games: Vec<u64>,
    },
    Remove(u8),
    /// Cuts off the last bytes of the index, as if the program was killed while it wrote.
    Cut(u16),
    Update,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..6_u8, prop::collection::vec(any::<u64>(), 1..4)).prop_map(|(file, games)| Step::Write { file, games }),
        1 => (0..6_u8).prop_map(Step::Remove),
        1 => any::<u16>().prop_map(Step::Cut),
        3 => Just(Step::Update),
    ]
}

proptest! {
    #[test]
    fn answers_equal_those_of_a_plain_scan_on_random_histories(steps in prop::collection::vec(step(), 1..14)) {
        let scratch = ScratchFolder::new();
        // Two files of one size have equal stamps if they are written within a tick of the clock. So each gets another
        // size.
        let mut written = 0;
        for step in &steps {
            match step {
                Step::Write { file, games } => {
                    written += 1;
                    let text: String = games.iter().map(|seed| random_game(*seed)).collect();
                    let path = scratch.records().join(format!("{file}.usi"));
                    fs::write(path, format!("# {}\n{text}", "x".repeat(written))).unwrap();
                }
                Step::Remove(file) => {
                    let _may_not_be_there = fs::remove_file(scratch.records().join(format!("{file}.usi")));
                }
                Step::Cut(bytes) => {
                    if let Ok(whole) = fs::read(scratch.index()) {
                        fs::write(scratch.index(), &whole[..whole.len().saturating_sub(usize::from(*bytes) % 600)]).unwrap();
                    }
                }
                Step::Update => {
                    let (mut shelf, update) = scratch.update();
                    prop_assert!(update.is_complete && update.backup.is_none());
                    for key in keys() {
                        prop_assert_eq!(answers(&mut shelf, key), linear_search(&scratch.records(), key));
                    }
                }
            }
        }
        let (mut shelf, _) = scratch.update();
        let mut again = Shelf::open(&scratch.index()).unwrap();
        for key in keys() {
            let expect = linear_search(&scratch.records(), key);
            prop_assert_eq!(answers(&mut shelf, key), expect.clone());
            prop_assert_eq!(answers(&mut again, key), expect);
        }
    }

    #[test]
    fn damage_is_noticed(at in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let scratch = ScratchFolder::new();
        let text: String = (0..6).map(random_game).collect();
        fs::write(scratch.records().join("a.usi"), &text).unwrap();
        fs::write(scratch.records().join("b.usi"), random_game(7)).unwrap();
        let (mut shelf, _) = scratch.update();
        let expect: Vec<_> = keys().into_iter().map(|key| answers(&mut shelf, key)).collect();
        drop(shelf);
        let mut bytes = fs::read(scratch.index()).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        fs::write(scratch.index(), &bytes).unwrap();
        for (key, expect) in keys().into_iter().zip(&expect) {
            // An answer may fail, or lack the games of a lost last block. It never has wrong games.
            if let Ok(answer) = Shelf::open(&scratch.index()).and_then(|mut shelf| shelf.ask(&ShelfQuery::new(key, 99))) {
                prop_assert!(answer.count == 0 || answer.count as usize == expect.len());
            }
        }
        let (mut shelf, _) = scratch.update();
        let found = keys().into_iter().map(|key| shelf.ask(&ShelfQuery::new(key, 99)).map(|answer| answer.count as usize));
        let found: Vec<_> = found.collect();
        // Positions are only checked when they are queried.
        prop_assert!(found.iter().zip(&expect).all(|(found, expect)| found.as_ref().is_ok_and(|found| *found == expect.len())
            || matches!(found, Err(ShelfError::Damaged(_)))));
    }

    #[test]
    fn any_bytes_are_no_index(bytes in prop::collection::vec(any::<u8>(), 0..300), is_marked: bool) {
        let scratch = ScratchFolder::new();
        let mark: &[u8] = if is_marked { MAGIC } else { b"" };
        fs::write(scratch.index(), [mark, &bytes].concat()).unwrap();
        fs::write(scratch.records().join("a.usi"), random_game(1)).unwrap();
        let (mut shelf, update) = scratch.update();
        prop_assert_eq!(answers(&mut shelf, keys()[1]).len(), 1);
        if let Some(aside) = update.backup {
            prop_assert_eq!(fs::read(aside).unwrap(), [mark, &bytes].concat());
        }
    }
}

#[test]
fn files_are_read_once_and_folders_can_be_removed() {
    let scratch = ScratchFolder::new();
    let other = scratch.0.join("other");
    fs::create_dir_all(&other).unwrap();
    fs::write(scratch.records().join("a.usi"), random_game(1)).unwrap();
    fs::write(scratch.records().join("b.csa"), "no record").unwrap();
    fs::write(scratch.records().join("c.doc"), random_game(1)).unwrap();
    fs::write(other.join("d.usi"), random_game(2)).unwrap();
    let both = [scratch.records(), other.clone()];
    let (shelf, update) = try_update(&scratch.index(), &both).unwrap();
    assert_eq!(
        (update.read_files, update.removed_files, shelf.counts().games),
        (3, 0, 2)
    );
    assert_eq!(
        update.problems.len(),
        1,
        "one has the name of a record, and is none"
    );
    let (_, update) = try_update(&scratch.index(), &both).unwrap();
    assert_eq!(
        (update.read_files, update.removed_files),
        (1, 0),
        "only what is no record is read again"
    );
    let spelled = [
        scratch.records(),
        scratch.0.join("other/../records"),
        scratch.records().join("a.usi"),
    ];
    let (mut shelf, _) = try_update(&scratch.0.join("spelled.index"), &spelled).unwrap();
    assert_eq!(
        answers(&mut shelf, keys()[1]).len(),
        1,
        "a folder counts once, however it is named"
    );
    let (mut shelf, update) = try_update(&scratch.index(), &[scratch.records()]).unwrap();
    assert_eq!(
        (update.read_files, update.removed_files),
        (1, 1),
        "a folder is taken out"
    );
    assert_eq!(answers(&mut shelf, keys()[1]).len(), 1);
    fs::remove_dir_all(scratch.records()).unwrap();
    let (mut shelf, update) = try_update(&scratch.index(), &[scratch.records()]).unwrap();
    assert_eq!(
        (update.removed_files, update.problems.len()),
        (1, 1),
        "a folder is gone"
    );
    assert_eq!(answers(&mut shelf, keys()[1]), Vec::<String>::new());
}

#[test]
fn a_cancelled_update_continues() {
    let scratch = ScratchFolder::new();
    for seed in 0..20 {
        fs::write(scratch.records().join(format!("{seed}.usi")), random_game(seed)).unwrap();
    }
    let (cancelled, read) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut progress = |done: usize, _: usize| {
        read.store(done, Ordering::Relaxed);
        cancelled.store(done >= 5, Ordering::Relaxed);
    };
    let mut control = UpdateControl {
        is_cancelled: &cancelled,
        progress: &mut progress,
        threads: 1,
    };
    let (_, update) = Shelf::update(&scratch.index(), &[scratch.records()], &mut control).unwrap();
    assert!(!update.is_complete);
    let (mut shelf, second) = scratch.update();
    assert_eq!(update.read_files + second.read_files, 20);
    assert_eq!(answers(&mut shelf, keys()[1]).len(), 20);
}

#[test]
fn games_are_counted_by_move_and_result() {
    let scratch = ScratchFolder::new();
    let game = |name: &str, date: &str, moves: &str| {
        let text = format!("開始日時：{date}\n先手：{name}\n後手：x\n手合割：平手\n{moves}");
        fs::write(scratch.records().join(format!("{name}.kif")), text).unwrap();
    };
    game(
        "old",
        "2001/02/03",
        "1 ７六歩(77)\n*#評価値=30\n2 ３四歩(33)\n3 投了\n",
    );
    game("new", "2021/02/03", "1 ７六歩(77)\n*#評価値=50\n2 投了\n");
    game("other", "2011/02/03", "1 ２六歩(27)\n2 ３四歩(33)\n");
    let (mut shelf, _) = scratch.update();
    let mut query = ShelfQuery::new(keys()[1], 2);
    let answer = shelf.ask(&query).unwrap();
    assert_eq!((answer.count, answer.results), (3, [1, 1, 1, 0]));
    let moves: Vec<_> = answer
        .moves
        .iter()
        .map(|next| (next.mv.unwrap().to_string(), next.count))
        .collect();
    assert_eq!(moves, [("7g7f".to_owned(), 2), ("2g2f".to_owned(), 1)]);
    assert_eq!(
        answer.moves[0].value,
        Some(shogibar_shogi::score::Value::Cp(50)),
        "that of the newest game"
    );
    let names: Vec<_> = answer
        .hits
        .iter()
        .map(|hit| (hit.players[0].as_str(), hit.result))
        .collect();
    assert_eq!(
        names,
        [("new", Outcome::Win(Color::Black)), ("other", Outcome::Open)],
        "the newest first"
    );
    query.filter.player = Some("OLD".to_owned());
    assert_eq!(shelf.ask(&query).unwrap().count, 1);
    query.filter = shogibar_shelf::GameFilter {
        first_day: Some(20_100_101),
        last_day: Some(20_200_101),
        ..Default::default()
    };
    assert_eq!(shelf.ask(&query).unwrap().hits[0].players[0], "other");
}

#[test]
fn many_removed_games_cause_a_rewrite() {
    let scratch = ScratchFolder::new();
    let names: BTreeMap<u64, PathBuf> = (0..12)
        .map(|seed| (seed, scratch.records().join(format!("{seed}.usi"))))
        .collect();
    for (seed, path) in &names {
        fs::write(path, random_game(*seed)).unwrap();
    }
    let (shelf, _) = scratch.update();
    let before = shelf.counts();
    for path in names.values().take(8) {
        fs::remove_file(path).unwrap();
    }
    let (mut shelf, _) = scratch.update();
    assert_eq!(shelf.counts().games, 4);
    assert!(shelf.counts().bytes < before.bytes);
    assert_eq!(
        answers(&mut shelf, keys()[1]),
        linear_search(&scratch.records(), keys()[1])
    );
    let mut again = Shelf::open(&scratch.index()).unwrap();
    assert_eq!(answers(&mut again, keys()[1]).len(), 4);
}

#[test]
fn many_small_changes_are_joined() {
    let scratch = ScratchFolder::new();
    for seed in 0..70 {
        fs::write(scratch.records().join(format!("{seed}.usi")), random_game(seed)).unwrap();
        let (shelf, update) = scratch.update();
        assert_eq!(
            (update.read_files, update.removed_files, shelf.counts().files),
            (1, 0, usize::try_from(seed).unwrap() + 1)
        );
    }
    let mut again = Shelf::open(&scratch.index()).unwrap();
    assert_eq!(again.counts().games, 70);
    for key in keys() {
        assert_eq!(answers(&mut again, key), linear_search(&scratch.records(), key));
    }
}

#[test]
fn a_large_file_is_read_in_parts() {
    let scratch = ScratchFolder::new();
    let text: String = (0..9_000).map(random_game).collect();
    fs::write(scratch.records().join("large.usi"), &text).unwrap();
    let (mut shelf, update) = scratch.update();
    assert_eq!(
        (update.read_files, shelf.counts().files, shelf.counts().games),
        (1, 1, 9_000)
    );
    assert_eq!(
        answers(&mut shelf, keys()[2]),
        linear_search(&scratch.records(), keys()[2])
    );
    let before = fs::read(scratch.index()).unwrap();
    assert_eq!(scratch.update().1.read_files, 0);
    // The program was killed while it wrote the last part of the file.
    fs::write(scratch.index(), &before[..before.len() - 1]).unwrap();
    let (mut shelf, update) = scratch.update();
    assert_eq!((update.read_files, shelf.counts().games), (1, 9_000));
    assert_eq!(
        answers(&mut shelf, keys()[2]),
        linear_search(&scratch.records(), keys()[2])
    );
}

/// A game and its copy count once, with the values of both. The same moves by other players count as another game.
#[test]
fn copies_count_once() {
    let scratch = ScratchFolder::new();
    let moves = |comment: &str| -> String {
        let shuttle = ["２八飛(27)", "８二飛(83)", "２七飛(28)", "８三飛(82)"];
        let first = ["２六歩(27)", "８四歩(83)", "２七飛(28)", "８三飛(82)"];
        let moves = first
            .into_iter()
            .chain(shuttle.into_iter().cycle())
            .take(24)
            .enumerate();
        let line = |(nth, mv): (usize, &str)| {
            format!("{:>4} {mv}\n{}", nth + 1, if nth == 0 { comment } else { "" })
        };
        moves.map(line).collect::<Vec<_>>().concat()
    };
    let record = |black: &str, comment: &str| {
        format!("先手：{black}\n後手：乙\n手数----\n{}  25 投了\n", moves(comment))
    };
    for (name, text) in [
        ("a.kifu", record("甲", "")),
        ("b.kifu", record("甲", "*#評価値=120\n")),
        ("c.kifu", record("丙", "")),
    ] {
        fs::write(scratch.0.join("records").join(name), text).unwrap();
    }
    let (mut index, _) = scratch.update();
    let answer = index
        .ask(&ShelfQuery::new(
            ShelfKey::from_position(&Position::startpos()),
            10,
        ))
        .unwrap();
    assert_eq!((answer.count, answer.hits.len(), index.counts().games), (2, 2, 3));
    assert_eq!(answer.moves[0].value, Some(shogibar_shogi::score::Value::Cp(120)));
}
