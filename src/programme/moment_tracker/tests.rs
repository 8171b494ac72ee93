use super::*;
use shogibar_games::Label;
use shogibar_games::bar::{BarInput, Ending, LastLoss, OnlyMove};
use shogibar_shogi::{History, Move};
use std::sync::Arc;

/// Returns the frame after some moves, with Black's shares of all positions.
fn frame(usi: &str, shares: &[f32]) -> OutputFrame {
    let history = Arc::new(History::from_usi(usi).unwrap());
    let last_words = Lang::ALL.map(|lang| shogibar_games::bar::last_word(&history, lang));
    OutputFrame {
        bar: BarInput {
            game: 1,
            stored_share: shares.last().copied(),
            graph: shares.iter().copied().map(Some).collect(),
            history,
            last_words,
            ..BarInput::default()
        },
        is_at_tip: true,
        ..OutputFrame::default()
    }
}

fn with_loss(mut frame: OutputFrame, points: u8) -> OutputFrame {
    frame.bar.last_loss = Some(LastLoss {
        points,
        is_judged: false,
    });
    frame
}

/// Returns the lines of the moments of each frame, after a first frame at the start.
fn lines(frames: &[OutputFrame], choices: &OutputChoices) -> Vec<Vec<String>> {
    let mut tracker = MomentTracker::default();
    tracker.update(&frame("startpos", &[0.5]), choices);
    frames
        .iter()
        .map(|frame| {
            let found = tracker.update(frame, choices);
            found.iter().map(|moment| moment.line(Lang::En)).collect()
        })
        .collect()
}

const AFTER_TWO: &str = "startpos moves 7g7f 3c3d";

#[test]
fn a_turning_point_is_found_once_when_its_loss_stands() {
    let before = frame(AFTER_TWO, &[0.5, 0.5, 0.8]);
    let with = |points| with_loss(before.clone(), points);
    let shown = lines(
        &[before.clone(), with(30), with(31), with(30)],
        &OutputChoices::default(),
    );
    assert_eq!(
        shown,
        [
            vec![],
            vec!["Move 2 P-3d −30% Turning point".to_owned()],
            vec![],
            vec![]
        ]
    );
    let small = lines(&[with(9)], &OutputChoices::default());
    assert_eq!(small, [Vec::<String>::new()]);
    let level = with_loss(frame(AFTER_TWO, &[0.5, 0.5, 0.65]), 15);
    assert_eq!(lines(&[level], &OutputChoices::default()), [Vec::<String>::new()]);
}

#[test]
fn viewers_who_see_numbers_only_get_no_move() {
    let choices = OutputChoices {
        numbers_only: true,
        ..OutputChoices::default()
    };
    let found = lines(&[with_loss(frame(AFTER_TWO, &[0.5, 0.5, 0.8]), 30)], &choices);
    assert_eq!(found, [vec!["−30% Turning point".to_owned()]]);
}

#[test]
fn nothing_is_found_where_viewers_see_no_value() {
    let turning = with_loss(frame(AFTER_TWO, &[0.5, 0.5, 0.8]), 30);
    let own = OutputChoices {
        is_own_game: true,
        ..OutputChoices::default()
    };
    assert_eq!(
        lines(std::slice::from_ref(&turning), &own),
        [Vec::<String>::new()]
    );
    let mut hidden = turning.clone();
    hidden.bar.is_hidden = true;
    let studied = OutputFrame {
        is_at_tip: false,
        ..turning.clone()
    };
    let none = Vec::<String>::new();
    assert_eq!(
        lines(&[hidden, studied], &OutputChoices::default()),
        [none.clone(), none]
    );
}

#[test]
fn what_the_first_frame_of_a_game_shows_is_no_moment() {
    let turning = with_loss(frame(AFTER_TWO, &[0.5, 0.5, 0.8]), 30);
    let mut tracker = MomentTracker::default();
    assert_eq!(tracker.update(&turning, &OutputChoices::default()), []);
    assert_eq!(tracker.update(&turning, &OutputChoices::default()), []);
}

#[test]
fn a_game_is_decided_by_two_values_and_again_after_it_was_level() {
    let usi = |count: usize| {
        let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"];
        format!("startpos moves {}", moves[..count].join(" "))
    };
    let shares = [0.5, 0.95, 0.6, 0.95, 0.95, 0.96, 0.6];
    let frames: Vec<_> = (1..=6)
        .map(|count| frame(&usi(count), &shares[..=count]))
        .collect();
    let found = lines(&frames, &OutputChoices::default());
    let counts: Vec<_> = found.iter().map(Vec::len).collect();
    assert_eq!(counts, [0, 0, 0, 1, 0, 0], "{found:?}");
    assert_eq!(found[3], ["Move 4 P-8d Game decided Black"]);
}

#[test]
fn the_end_and_an_only_move_are_found_once() {
    let mut only = frame(AFTER_TWO, &[0.5, 0.5, 0.5]);
    only.bar.only_move = Some(OnlyMove {
        mv: Move::from_usi("2g2f").unwrap(),
        points: 20,
        holding_count: 1,
    });
    let mut over = frame(AFTER_TWO, &[0.5, 0.5, 0.5]);
    over.is_over = true;
    over.bar.ending = Some(Ending {
        winner: Some(Color::White),
        reason: Label::Wins,
    });
    let found = lines(
        &[only.clone(), only, over.clone(), over],
        &OutputChoices::default(),
    );
    let expect = [
        vec!["Move 2 P-3d Only move".to_owned()],
        vec![],
        vec!["Move 2 P-3d Game over White".to_owned()],
        vec![],
    ];
    assert_eq!(found, expect);
}
