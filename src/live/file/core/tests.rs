use super::*;
use crate::reader::{QUIET_TIME, growth, text};
use proptest::prelude::*;
use shogibar_base::random::SplitMix;
use shogibar_kifu::{Record, Target};
use shogibar_shogi::Move;
use std::collections::VecDeque;

/// The state of the path at one moment.
#[derive(Clone, Debug)]
enum OnDisk {
    Missing,
    Locked,
    Text(Vec<u8>),
}

/// The changes of a file by slow writers, with their times.
struct WrittenFile {
    /// The changes in order, in milliseconds.
    changes: Vec<(u64, OnDisk)>,
    /// The times at which each whole text exists, and its moves.
    whole_texts: Vec<(u64, Vec<Move>)>,
}

fn moves(record: &Record) -> Vec<Move> {
    record.moves().collect()
}

impl WrittenFile {
    /// Writes up to three growing games into one file, one after the other.
    fn new(seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let mut file = Self {
            changes: vec![(0, OnDisk::Missing)],
            whole_texts: Vec::new(),
        };
        let mut now = 500;
        let target = [Target::Kif, Target::Csa, Target::Kifu][usize::try_from(seed).unwrap() % 3];
        let is_rewriter = random.below(4) > 0;
        for _ in 0..=random.below(3) {
            let plies = 12 + random.below(30);
            for (history, is_over) in growth(plies, &mut random) {
                now = file.write(now, &text(&history, is_over, target), is_rewriter, &mut random);
                file.whole_texts.push((now, history.moves().to_vec()));
                // A player thinks.
                now += 1 + u64::try_from(random.below(5000)).unwrap();
            }
            now += 3000;
        }
        file
    }

    /// Writes a text from the time `now` on, in milliseconds. Returns the time after the last change.
    fn write(&mut self, mut now: u64, text: &[u8], is_rewriter: bool, random: &mut SplitMix) -> u64 {
        let mut pause = |random: &mut SplitMix| now_after(&mut now, random.below(1500));
        match random.below(if is_rewriter { 6 } else { 2 }) {
            // The text is written to another file, which is then renamed.
            0 => self.changes.push((pause(random), OnDisk::Text(text.to_vec()))),
            1 => {
                self.changes.push((pause(random), OnDisk::Locked));
                self.changes.push((pause(random), OnDisk::Text(text.to_vec())));
            }
            2 => {
                self.changes.push((pause(random), OnDisk::Missing));
                self.changes.push((pause(random), OnDisk::Text(text.to_vec())));
            }
            // Truncated, and written in pieces.
            _ => {
                let mut cuts: Vec<usize> = (0..random.below(5))
                    .map(|_| 1 + random.below(text.len() - 1))
                    .collect();
                cuts.sort_unstable();
                // Each piece changes the file.
                cuts.dedup();
                for cut in [0].into_iter().chain(cuts).chain([text.len()]) {
                    self.changes
                        .push((pause(random), OnDisk::Text(text[..cut].to_vec())));
                }
            }
        }
        now
    }

    /// Returns the time of the last change up to `now`, and the state since then.
    fn at(&self, now: u64) -> (u64, &OnDisk) {
        let at = self.changes.iter().rposition(|(time, _)| *time <= now).unwrap();
        (self.changes[at].0, &self.changes[at].1)
    }

    /// Returns the index of the text that was shown. This is the first text from `last` on with these moves. It is
    /// whole, or being written with all its moves. It must not be older than the wait for a doubtful text.
    fn text_index(&self, now: u64, shown: &[Move], last: usize) -> Option<usize> {
        let begun = self
            .whole_texts
            .iter()
            .take_while(|(time, _)| *time <= now)
            .count();
        let oldest = self
            .whole_texts
            .iter()
            .take_while(|(time, _)| time + 12_000 <= now)
            .count()
            .saturating_sub(1);
        let candidates = self
            .whole_texts
            .iter()
            .enumerate()
            .take(begun + 1)
            .skip(last.max(oldest));
        candidates
            .filter(|(_, (_, whole))| whole == shown)
            .map(|(index, _)| index)
            .next()
    }
}

/// Lets time pass, and returns the time then.
fn now_after(now: &mut u64, millis: usize) -> u64 {
    *now += u64::try_from(millis).unwrap();
    *now
}

/// Returns the moves read from a watched file, in the order in which they are shown. The test moves the clock.
fn watch(file: &WrittenFile) -> Vec<(u64, Vec<Move>)> {
    let path = PathBuf::from("game.kif");
    let (mut core, effects) = WatchCore::start(&path, Duration::ZERO);
    let mut queue: VecDeque<WatchEffect> = effects.into();
    let mut shown = Vec::new();
    let end = file.changes.last().unwrap().0 + 20_000;
    let mut now = 0;
    while now < end {
        let (changed, on_disk) = file.at(now);
        let content_of = |content: &OnDisk| match content {
            OnDisk::Missing => Err(SourceProblem::NotFound),
            OnDisk::Locked => Err(SourceProblem::Locked),
            OnDisk::Text(text) => Ok(text.clone()),
        };
        while let Some(effect) = queue.pop_front() {
            let event = match effect {
                WatchEffect::Report(SourceEvent::Game(game)) => {
                    shown.push((now, moves(&game.record)));
                    continue;
                }
                WatchEffect::Report(_) => continue,
                WatchEffect::Examine(path) | WatchEffect::ReadStamp(path) => {
                    let stamp = content_of(on_disk).map(|text| LiveStamp {
                        size: u64::try_from(text.len()).unwrap(),
                        modified: changed.into(),
                        tail_hash: crate::reader::fingerprint(&text),
                    });
                    WatchEvent::Stamped(path, stamp)
                }
                WatchEffect::Read(path) => {
                    let age = Duration::from_millis(now - changed);
                    let content = |bytes| FileContent {
                        bytes,
                        modified: changed.into(),
                        age,
                    };
                    WatchEvent::Content(path, content_of(on_disk).map(content))
                }
            };
            queue.extend(core.step(Duration::from_millis(now), event));
        }
        now = now.max(u64::try_from(core.deadline().as_millis()).unwrap());
        queue.extend(core.step(Duration::from_millis(now), WatchEvent::Deadline));
    }
    shown
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(100)))]

    #[test]
    fn slow_writers_show_no_move_that_was_not_written_on_random_histories(seed: u64) {
        shows_what_was_written(seed);
    }
}

/// Checks that a watched file shows only what was written.
fn shows_what_was_written(seed: u64) {
    let file = WrittenFile::new(seed);
    let shown = watch(&file);
    let mut last = 0;
    // The start position at first shows no move, whatever is being written.
    for (now, moves) in shown.iter().skip_while(|(_, moves)| moves.is_empty()) {
        let index = file.text_index(*now, moves, last);
        assert!(index.is_some(), "at {now} ms: {} moves", moves.len());
        last = index.unwrap_or(last);
    }
    assert_eq!(
        shown.last().map(|(_, moves)| moves),
        file.whole_texts.last().map(|(_, moves)| moves)
    );
    assert!(
        shown.len() * 8 > file.whole_texts.len(),
        "{} of {}",
        shown.len(),
        file.whole_texts.len()
    );
}

/// Found by random histories: a file is never quiet for as long as a doubtful text waits, and its first accepted text is
/// the beginning of a game that had been read before.
#[test]
fn a_beginning_of_a_rejected_game_is_not_shown() {
    shows_what_was_written(5_437_856_786_016_587_998);
}

/// Found by random histories: the headers of CSA alone have an empty board.
#[test]
fn headers_without_a_position_are_awaited() {
    for seed in [4_641_639_000_611_714_785, 9_601_061_915_588_921_630] {
        shows_what_was_written(seed);
    }
}

#[test]
fn a_file_at_rest_is_shown_at_once() {
    let text = b"PI\n+\n+7776FU\n".to_vec();
    let file = WrittenFile {
        changes: vec![(0, OnDisk::Text(text.clone()))],
        whole_texts: Vec::new(),
    };
    let record = shogibar_kifu::read(&text).unwrap().into_first().unwrap().0;
    assert_eq!(
        watch(&file),
        [(2000, moves(&record))],
        "it was written at the time 0"
    );
    let (mut core, _) = WatchCore::start(Path::new("a.csa"), Duration::ZERO);
    core.step(
        Duration::ZERO,
        WatchEvent::Stamped("a.csa".into(), Ok(LiveStamp::default())),
    );
    let content = FileContent {
        bytes: text,
        modified: 0,
        age: QUIET_TIME,
    };
    let effects = core.step(Duration::ZERO, WatchEvent::Content("a.csa".into(), Ok(content)));
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, WatchEffect::Report(SourceEvent::Game(_)))),
        "{effects:?}"
    );
}
