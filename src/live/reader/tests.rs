//! When a growing text is accepted, and which of its games is followed.

use super::*;

/// Returns the number of moves of a changed game; `None` for another update.
fn moves(update: &ReaderUpdate) -> Option<usize> {
    match update {
        ReaderUpdate::Changed(record) => Some(record.len()),
        _ => None,
    }
}

const GAME: &str = "V2\nPI\n+\n+7776FU\nT1\n-3334FU\nT12\n+2726FU\nT3\n%TORYO\n";

/// Returns a game of this number of moves, of which each text is the beginning of the next.
fn shuffle(moves: usize) -> String {
    let cycle = ["+2838HI\n", "-8272HI\n", "+3828HI\n", "-7282HI\n"]
        .into_iter()
        .cycle();
    ["V2\nPI\n+\n"].into_iter().chain(cycle.take(moves)).collect()
}

/// A reader with a clock that the test moves.
struct TimedReader {
    reader: GameReader,
    now: Duration,
}

impl Default for TimedReader {
    fn default() -> Self {
        Self {
            reader: GameReader::new(Path::new(""), QUIET_TIME),
            now: Duration::ZERO,
        }
    }
}

impl TimedReader {
    /// Checks a text `millis` milliseconds after the last check. Returns the result.
    fn after(&mut self, millis: u64, text: impl AsRef<[u8]>, certainty: ReadCertainty) -> ReaderUpdate {
        self.now += Duration::from_millis(millis);
        self.reader.update(self.now, text.as_ref(), certainty)
    }

    /// Checks a text that may be in the middle of a change.
    fn partial(&mut self, millis: u64, text: impl AsRef<[u8]>) -> ReaderUpdate {
        self.after(millis, text, ReadCertainty::MayBePartial)
    }

    fn knowing(text: &str) -> Self {
        let mut timed = Self::default();
        assert!(matches!(
            timed.after(0, text, ReadCertainty::Settled),
            ReaderUpdate::Changed(_)
        ));
        timed
    }
}

#[test]
fn a_first_reading_waits_until_the_file_rests() {
    let begun = "V2\nPI\n+\n+7776FU\nT1\n";
    let mut timed = TimedReader::default();
    assert_eq!(timed.partial(0, begun), ReaderUpdate::Doubtful);
    let longer = format!("{begun}-3334FU\n");
    assert_eq!(timed.partial(1900, &longer), ReaderUpdate::Doubtful);
    assert_eq!(timed.partial(1900, &longer), ReaderUpdate::Doubtful);
    assert_eq!(moves(&timed.partial(100, &longer)), Some(2));
    assert_eq!(
        moves(&TimedReader::default().partial(0, GAME)),
        Some(3),
        "nothing comes after an end"
    );
    let mut restless = TimedReader::default();
    let taken = (1..99).find(|count| moves(&restless.partial(500, format!("{begun}'{count}\n"))).is_some());
    assert_eq!(taken, Some(21), "ten seconds at most");
}

#[test]
fn a_game_that_grows_by_single_moves_is_accepted_at_once() {
    let taken_with = |millis: u64, step: usize, last: &str| {
        let mut timed = TimedReader::default();
        (0..40).find_map(|count| {
            let taken = moves(&timed.partial(millis, shuffle(8 + step * count) + last));
            // Between two changes are polls without one.
            timed.reader.reset_growth();
            taken
        })
    };
    let taken = |millis: u64, step: usize| taken_with(millis, step, "");
    assert_eq!(
        [taken(1500, 1), taken(500, 1)],
        [Some(10), Some(10)],
        "after two moves"
    );
    assert_eq!(
        taken_with(500, 1, "'now\n"),
        Some(10),
        "also where the whole file is written anew"
    );
    assert_eq!(
        taken(500, 2),
        Some(8 + 2 * 20),
        "several at once may be pieces: ten seconds at most"
    );
    assert_eq!(taken(200, 1), None, "so may be what comes quickly");
    let mut timed = TimedReader::default();
    let begun = [
        "V2\nPI\n+\n+2838HI\n",
        "V2\nPI\n+\n+2838HI\n-82",
        "V2\nPI\n+\n+2838HI\n-8272HI\n",
    ];
    let read = begun.map(|text| moves(&timed.partial(1000, text)));
    assert_eq!(
        (read, moves(&timed.partial(1000, shuffle(3)))),
        ([None; 3], Some(3)),
        "a line may come in two parts"
    );
}

/// Fifty moves per second: a program that rewrites a file does not write at every check.
#[test]
fn a_stream_of_moves_is_taken_without_a_rest() {
    for last in ["", "'the whole file is written anew\n"] {
        let text = |moves: usize| shuffle(moves) + last;
        let streamed = |timed: &mut TimedReader, counts: std::ops::Range<usize>| {
            counts
                .map(|count| moves(&timed.partial(100, text(5 * count))))
                .collect::<Vec<_>>()
        };
        let mut timed = TimedReader::knowing(&text(0));
        let taken = streamed(&mut timed, 1..20);
        let expect: Vec<_> = (1..20).map(|count| (count >= 10).then_some(5 * count)).collect();
        assert_eq!(taken, expect, "from the tenth reading on");
        assert_eq!(
            streamed(&mut TimedReader::default(), 1..13)
                .iter()
                .flatten()
                .next(),
            Some(&55),
            "a first reading, too"
        );
        // A check without a change resets the count.
        timed.reader.reset_growth();
        assert_eq!(streamed(&mut timed, 20..22), [None, None]);
    }
}

#[test]
fn a_cut_line_is_left_out() {
    let mut timed = TimedReader::knowing("V2\nPI\n+\n");
    let partial = "V2\nPI\n+\n+7776FU\nT1\n-3334F";
    assert_eq!(moves(&timed.partial(0, partial)), Some(1));
    assert!(timed.reader.is_doubtful());
    assert_eq!(
        timed.partial(2000, partial),
        ReaderUpdate::Same,
        "half a move is none"
    );
    assert_eq!(moves(&timed.partial(0, partial.to_owned() + "U\n")), Some(2));
    assert_eq!(timed.partial(0, partial.to_owned() + "U\n"), ReaderUpdate::Same);
}

#[test]
fn a_move_of_kif_without_its_origin_is_none() {
    let head = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    for half in [
        "   3 ２二角",
        "   3 ２二",
        "   3 ２二角(8",
        "   3",
        "   3 ２二角成",
    ] {
        let mut timed = TimedReader::knowing(head);
        let text = format!("{head}{half}");
        for certainty in [
            ReadCertainty::MayBePartial,
            ReadCertainty::Whole,
            ReadCertainty::Settled,
        ] {
            assert_eq!(moves(&timed.after(3000, &text, certainty)), None, "{half}");
            assert_eq!(moves(&timed.after(3000, &text, certainty)), None, "{half}");
        }
        assert_eq!(
            finished_text(text.as_bytes(), Path::new("a.kif")).len(),
            head.len(),
            "{half}"
        );
        assert_eq!(
            moves(&timed.partial(0, format!("{head}   3 ２二角成(88)\n"))),
            Some(3)
        );
    }
    for whole in ["   3 ２二角成(88)", "   3 ２二角成(88)   ( 0:0"] {
        let mut timed = TimedReader::knowing(head);
        let text = format!("{head}{whole}");
        let taken = moves(&timed.partial(0, &text)).or_else(|| moves(&timed.partial(2000, &text)));
        assert_eq!(taken, Some(3), "{whole}");
    }
}

#[test]
fn a_shorter_text_waits() {
    let shorter = GAME.as_bytes().get(..24).unwrap();
    let unfinished = GAME.replace("%TORYO\n", "");
    let taken_back = b"V2\nPI\n+\n+7776FU\nT1\n";
    for certainty in [ReadCertainty::MayBePartial, ReadCertainty::Whole] {
        let mut timed = TimedReader::knowing(&unfinished);
        assert_eq!(timed.after(0, shorter, certainty), ReaderUpdate::Doubtful);
        assert_eq!(timed.after(0, taken_back, certainty), ReaderUpdate::Doubtful);
        assert_eq!(timed.after(1900, taken_back, certainty), ReaderUpdate::Doubtful);
        assert_eq!(moves(&timed.after(100, taken_back, certainty)), Some(1));
    }
}

#[test]
fn a_cut_file_does_not_undo_the_end() {
    let mut timed = TimedReader::knowing(GAME);
    for length in (10..GAME.len()).rev() {
        let cut = GAME.get(..length).unwrap();
        assert_eq!(moves(&timed.partial(100, cut)), None, "{cut}");
        assert_eq!(moves(&timed.partial(2000, cut)), None, "{cut}");
    }
    let next = "V2\n$START_TIME:2026/11/25\nPI\n+\n+7776FU\nT1\n";
    assert_eq!(moves(&timed.partial(100, next)), None, "it may be a piece");
    assert_eq!(
        moves(&timed.partial(2000, next)),
        Some(1),
        "the next game begins as the last one"
    );
}

#[test]
fn pieces_of_a_rewritten_file_are_not_shown() {
    let text = |plies: usize| {
        let moves = [
            "+7776FU\n",
            "-3334FU\n",
            "+2726FU\n",
            "-8384FU\n",
            "+2625FU\n",
            "-8485FU\n",
            "+6978KI\n",
        ];
        format!("PI\n+\n{}", moves.get(..plies).unwrap().concat())
    };
    let mut timed = TimedReader::knowing(&text(5));
    for plies in [0, 2, 4] {
        assert_eq!(timed.partial(250, text(plies)), ReaderUpdate::Doubtful);
    }
    assert_eq!(moves(&timed.partial(250, text(6))), Some(6));
    let mut timed = TimedReader::knowing(&text(2));
    assert_eq!(
        timed.partial(100, text(5)),
        ReaderUpdate::Doubtful,
        "several moves at once may be a part of a file"
    );
    assert_eq!(moves(&timed.partial(2000, text(5))), Some(5));
    let mut timed = TimedReader::knowing(&text(2));
    assert_eq!(
        moves(&timed.after(100, text(5), ReadCertainty::Whole)),
        Some(5),
        "a reading a minute"
    );
    // The first piece of another game.
    let mut timed = TimedReader::knowing(&text(5));
    let other = text(7).replace("+7776FU", "+5756FU");
    assert_eq!(timed.partial(100, &other), ReaderUpdate::Doubtful);
    assert_eq!(moves(&timed.partial(2000, &other)), Some(7));
}

#[test]
fn a_promotion_that_is_not_written_yet_is_not_shown() {
    let mut timed = TimedReader::default();
    let text = "position startpos moves 7g7f 3c3d 8h2b";
    assert_eq!(timed.after(0, text, ReadCertainty::Whole), ReaderUpdate::Doubtful);
    assert_eq!(
        moves(&timed.after(100, format!("{text}+\n"), ReadCertainty::Whole)),
        Some(3)
    );
}

#[test]
fn a_correction_is_taken_at_once() {
    let mut timed = TimedReader::knowing(GAME);
    let other = GAME.replace("-3334FU", "-8384FU");
    assert_eq!(moves(&timed.partial(0, &other)), Some(3));
}
