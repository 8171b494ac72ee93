use super::*;
use proptest::prelude::*;
use shogibar_games::bar::{BarInput, Ending, LastLoss};
use shogibar_shogi::Move;

const SECOND: Duration = Duration::from_secs(1);

/// Returns the frame after some moves, with Black's share and the loss by the last move.
fn frame(usi: &str, share: f32, loss: Option<u8>) -> OutputFrame {
    let history = Arc::new(History::from_usi(usi).unwrap());
    let last_words = Lang::ALL.map(|lang| shogibar_games::bar::last_word(&history, lang));
    OutputFrame {
        bar: BarInput {
            game: 1,
            stored_share: Some(share),
            history,
            last_words,
            last_loss: loss.map(|points| LastLoss {
                points,
                is_judged: false,
            }),
            better_move: loss.map(|_| Move::from_usi("8c8d").unwrap()),
            ..BarInput::default()
        },
        is_at_tip: true,
        ..OutputFrame::default()
    }
}

const START: &str = "startpos";
const ONE: &str = "startpos moves 7g7f";
const TWO: &str = "startpos moves 7g7f 3c3d";
const THREE: &str = "startpos moves 7g7f 3c3d 2g2f";

/// Returns the turning point that outputs show after a frame.
fn card_after(cards: &mut TurningCards, frame: &OutputFrame, seconds: u64) -> Option<ShownTurningPoint> {
    cards.update(
        frame,
        &OutputChoices::default(),
        SECOND * u32::try_from(seconds).unwrap(),
    );
    cards.shown(frame, &OutputChoices::default())
}

/// Returns the cards after the start of a game.
fn started() -> TurningCards {
    let mut cards = TurningCards::default();
    assert_eq!(card_after(&mut cards, &frame(START, 0.5, None), 0), None);
    cards
}

#[test]
fn a_card_is_shown_for_eight_seconds_and_once_a_move() {
    let mut cards = started();
    let turning = frame(TWO, 0.8, Some(30));
    let shown = card_after(&mut cards, &turning, 10).unwrap();
    assert!(shown.is_current);
    let card = shown.card(Lang::Ja).unwrap();
    assert_eq!(card.text(), "勝敗を分けた手 △3四歩 −30% 最善は △8四歩 50%のまま");
    assert!(card_after(&mut cards, &turning, 17).is_some());
    assert_eq!(card_after(&mut cards, &turning, 18), None);
    assert_eq!(card_after(&mut cards, &turning, 90), None, "once a move");
}

#[test]
fn a_card_stays_while_the_game_goes_on_and_leaves_with_its_move() {
    let mut cards = started();
    card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10).unwrap();
    let shown = card_after(&mut cards, &frame(THREE, 0.8, None), 12).unwrap();
    assert!(!shown.is_current);
    assert_eq!(shown.card(Lang::En).unwrap().labels, ["before", "after"]);
    assert_eq!(card_after(&mut cards, &frame(ONE, 0.5, None), 13), None);
    assert!(!cards.show_again(1, SECOND * 14), "the move was taken back");
}

#[test]
fn cards_come_once_a_minute_and_again_by_command() {
    let mut cards = started();
    card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10).unwrap();
    assert_eq!(card_after(&mut cards, &frame(THREE, 0.5, Some(30)), 40), None);
    assert!(cards.show_again(1, SECOND * 41));
    let shown = card_after(&mut cards, &frame(THREE, 0.5, Some(30)), 42).unwrap();
    assert_eq!(shown.moment.winner, Some(Color::White), "the last one");
}

#[test]
fn what_the_first_frame_shows_is_known_and_not_announced() {
    let mut cards = TurningCards::default();
    assert_eq!(card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 0), None);
    assert!(cards.show_again(1, SECOND));
}

#[test]
fn small_losses_and_hidden_values_have_no_card() {
    let mut cards = started();
    assert_eq!(card_after(&mut cards, &frame(TWO, 0.8, Some(9)), 1), None);
    assert_eq!(
        card_after(&mut cards, &frame(TWO, 0.65, Some(15)), 2),
        None,
        "still level"
    );
    card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10).unwrap();
    let mut hidden = frame(TWO, 0.8, Some(30));
    hidden.bar.is_hidden = true;
    assert_eq!(card_after(&mut cards, &hidden, 11), None);
    let shown = card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 12);
    assert!(shown.is_some(), "its time is not over");
}

#[test]
fn a_second_turning_point_leaves_the_card_of_the_first() {
    let mut cards = started();
    let first = card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10).unwrap();
    let shown = card_after(&mut cards, &frame(THREE, 0.5, Some(30)), 12).unwrap();
    assert_eq!((shown.number, shown.moment.ply), (first.number, Some(2)));
    assert_eq!(card_after(&mut cards, &frame(THREE, 0.5, Some(30)), 18), None);
    assert!(cards.show_again(1, SECOND * 19));
    let shown = card_after(&mut cards, &frame(THREE, 0.5, Some(30)), 19).unwrap();
    assert_eq!(shown.moment.ply, Some(3));
}

#[test]
fn a_loss_that_the_analysis_takes_back_takes_the_card_with_it() {
    let mut cards = started();
    card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10).unwrap();
    let shown = card_after(&mut cards, &frame(TWO, 0.6, Some(15)), 11).unwrap();
    assert!(!shown.is_current, "it stays as it was said");
    assert_eq!(shown.moment.shares, Some([0.5, 0.8]));
    assert_eq!(card_after(&mut cards, &frame(TWO, 0.6, Some(7)), 12), None);
    assert!(!cards.show_again(1, SECOND * 13));
}

#[test]
fn a_move_that_is_taken_back_and_played_again_is_not_announced_again() {
    let mut cards = started();
    card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10).unwrap();
    card_after(&mut cards, &frame(ONE, 0.5, None), 11);
    assert_eq!(card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 100), None);
    assert!(cards.show_again(1, SECOND * 101));
}

#[test]
fn the_first_frame_that_viewers_see_counts() {
    let mut cards = TurningCards::default();
    let mut hidden = frame(START, 0.5, None);
    hidden.bar.is_hidden = true;
    card_after(&mut cards, &hidden, 0);
    assert_eq!(card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10), None);
}

#[test]
fn numbers_alone_tell_no_move() {
    let choices = OutputChoices {
        numbers_only: true,
        ..OutputChoices::default()
    };
    // The choice may be made while the card of the whole game is shown.
    for at_first in [&choices, &OutputChoices::default()] {
        let mut cards = started();
        let mut turning = frame(TWO, 0.8, Some(30));
        cards.update(&turning, at_first, SECOND);
        turning.turning_point = cards.shown(&turning, &choices);
        let view = turning.view(&choices, Lang::En);
        assert_eq!(
            view.turning_card.unwrap().text(),
            "Turning point −30% Black pulls ahead"
        );
        let moment = turning.turning_point.unwrap().moment;
        assert_eq!((moment.ply, moment.better_move), (None, Default::default()));
    }
}

#[test]
fn the_end_of_the_game_leaves_the_values_of_the_card() {
    let mut cards = started();
    card_after(&mut cards, &frame(TWO, 0.8, Some(30)), 10).unwrap();
    let mut ended = frame(TWO, 0.8, Some(30));
    ended.bar.ending = Some(Ending {
        winner: Some(Color::Black),
        reason: shogibar_games::Label::Wins,
    });
    let shown = card_after(&mut cards, &ended, 12).unwrap();
    assert_eq!(shown.moment.shares, Some([0.5, 0.8]));
}

proptest! {
    /// A card names the last turning point of the game that is shown, for eight seconds at most.
    #[test]
    fn a_card_is_of_the_game_on_random_frames(steps in prop::collection::vec((0..4usize, 0..5u64, any::<bool>()), 1..60)) {
        let mut cards = TurningCards::default();
        let (mut now, mut since) = (0, None);
        for (ply, seconds, is_turning) in steps {
            now += seconds;
            let usi = [START, ONE, TWO, THREE][ply];
            let loss = (is_turning && ply > 0).then_some(30);
            let shown = card_after(&mut cards, &frame(usi, if ply % 2 == 1 { 0.2 } else { 0.8 }, loss), now);
            let Some(shown) = shown else { continue };
            prop_assert!(shown.moment.ply.unwrap() <= ply);
            match since {
                Some((number, at)) if number == shown.number => prop_assert!(now < at + 8),
                _ => since = Some((shown.number, now)),
            }
        }
    }
}
