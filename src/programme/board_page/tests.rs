use super::*;
use crate::choices::Credit;
use proptest::prelude::*;
use shogibar_games::bar::{BarInput, last_word};
use shogibar_kifu::board_mark;
use shogibar_shogi::Move;

const GAME: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d";
const VARIATION: &str = "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h";

fn history(usi: &str) -> Arc<History> {
    Arc::new(History::from_usi(usi).unwrap())
}

/// Returns the state of a game after some moves, with Black's share.
fn frame(history: &Arc<History>, share: f32) -> OutputFrame {
    let shares = history.moves().len() + 1;
    OutputFrame {
        bar: BarInput {
            game: 1,
            graph: vec![Some(share); shares],
            stored_share: Some(share),
            history: Arc::clone(history),
            last_words: Lang::ALL.map(|lang| last_word(history, lang)),
            ..BarInput::default()
        },
        is_at_tip: true,
        ..OutputFrame::default()
    }
}

/// Returns a studied position of a game whose moves are those of `game`.
fn studied(history: &Arc<History>, game: &History, live_ply: Option<usize>) -> StudiedPosition {
    let common = history.moves().iter().zip(game.moves());
    StudiedPosition {
        game_ply: common.take_while(|(one, other)| one == other).count(),
        history: Arc::clone(history),
        live_ply,
        marks: board_mark::read("#矢印=2g2f:1"),
        share: Some(0.56),
    }
}

fn content(frame: &OutputFrame, studied: &StudiedPosition) -> BoardPageContent {
    BoardPageContent::new(frame, Some(studied), &OutputChoices::default(), Lang::Ja)
}

#[test]
fn the_board_shows_the_game_with_its_marks() {
    let game = history(GAME);
    let shown = content(&frame(&game, 0.5), &studied(&game, &game, Some(4)));
    assert_eq!(shown.history, Some(game));
    assert_eq!((shown.marks.len(), shown.aside), (1, None));
}

#[test]
fn a_variation_has_its_words_and_the_bar_stays_on_the_game() {
    let (game, variation) = (history(GAME), history(VARIATION));
    // A game in progress: outputs stay at its newest move.
    let live = content(&frame(&game, 0.7), &studied(&variation, &game, Some(4)));
    assert_eq!(live.history.as_ref(), Some(&variation));
    let aside = live.aside.unwrap();
    assert_eq!(
        aside,
        ShownAside {
            tab: "変化 +3".to_owned(),
            chip: "検討中 +3".to_owned(),
            waiting: "本譜は4手目で待っています".to_owned(),
            root: "本譜 2手目　△3四歩".to_owned(),
            moves: ["▲6六歩", "△8四歩", "▲6八飛"].map(str::to_owned).into(),
            rate: "先手 56%".to_owned(),
        }
    );
    assert_eq!(live.bar.black.percent, Some(70));
    assert_eq!(live.bar.position_text[1], "△8四歩");
    // A record: outputs follow the user into the variation, but the bar of the board page does not.
    let mut followed = frame(&variation, 0.56);
    followed.bar.graph[2] = Some(0.4);
    let record = content(&followed, &studied(&variation, &game, None));
    assert_eq!(record.bar.black.percent, Some(40));
    assert_eq!(record.bar.position_text[1], "△3四歩");
    assert_eq!(record.aside.unwrap().waiting, "2手目からの変化");
}

#[test]
fn an_earlier_position_of_a_game_in_progress_is_marked() {
    let (game, earlier) = (history(GAME), history("startpos moves 7g7f 3c3d"));
    let shown = content(&frame(&earlier, 0.5), &studied(&earlier, &game, Some(4)));
    let aside = shown.aside.unwrap();
    assert_eq!(
        (aside.tab.as_str(), aside.waiting.as_str()),
        ("2手目", "本譜は4手目で待っています")
    );
    assert!(aside.moves.is_empty() && aside.rate.is_empty());
    // The user goes through a record: each position is one of the game.
    let record = content(&frame(&earlier, 0.5), &studied(&earlier, &game, None));
    assert_eq!(record.aside, None);
}

#[test]
fn the_words_are_in_english_too() {
    let (game, variation) = (history(GAME), history(VARIATION));
    let aside = BoardPageContent::new(
        &frame(&game, 0.7),
        Some(&studied(&variation, &game, Some(4))),
        &OutputChoices::default(),
        Lang::En,
    )
    .aside
    .unwrap();
    assert_eq!(aside.tab, "Variation +3");
    assert_eq!(aside.waiting, "The game waits at move 4");
    assert_eq!(aside.rate, "Black 56%");
    let start = studied(
        &history("startpos moves 2g2f"),
        &history("startpos moves 7g7f"),
        Some(1),
    );
    assert_eq!(start.aside(&frame(&game, 0.7), None, Lang::En).root, "Game start");
}

#[test]
fn a_hidden_evaluation_has_no_rate_in_a_variation() {
    let (game, variation) = (history(GAME), history(VARIATION));
    let mut hidden = frame(&game, 0.7);
    hidden.bar.is_hidden = true;
    let aside = content(&hidden, &studied(&variation, &game, Some(4)))
        .aside
        .unwrap();
    assert!(aside.rate.is_empty() && aside.moves.len() == 3);
}

#[test]
fn nothing_of_the_study_is_shown_of_the_users_own_game_or_with_numbers_only() {
    let (game, variation) = (history(GAME), history(VARIATION));
    let shown = |choices: &OutputChoices| {
        let studied = studied(&variation, &game, Some(4));
        BoardPageContent::new(&frame(&game, 0.7), Some(&studied), choices, Lang::Ja)
    };
    let own = shown(&OutputChoices {
        is_own_game: true,
        ..OutputChoices::default()
    });
    assert_eq!(
        (own.history, own.marks.len(), own.aside),
        (Some(Arc::clone(&game)), 0, None)
    );
    let numbers = shown(&OutputChoices {
        numbers_only: true,
        credit: Credit::new("水面杯"),
        ..OutputChoices::default()
    });
    assert_eq!(
        (numbers.history, numbers.marks.len(), numbers.aside),
        (None, 0, None)
    );
}

proptest! {
    /// Whatever the user studies, the board shows no move of the game that viewers of a delayed game do not see yet.
    #[test]
    fn a_delay_holds_for_the_board(shown in 0_usize..=6, game_ply in 0_usize..=6, more in 0_usize..=3) {
        let line: Vec<Move> = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"]
            .iter()
            .map(|usi| Move::from_usi(usi).unwrap())
            .collect();
        let played = |count: usize| {
            let mut history = History::new(shogibar_shogi::Position::startpos());
            line.iter().take(count).for_each(|mv| history.play(*mv).unwrap());
            history
        };
        let mut user = played(game_ply);
        for usi in ["1g1f", "1c1d", "9g9f", "9c9d"].iter().skip(game_ply % 2).take(more) {
            user.play(Move::from_usi(usi).unwrap()).unwrap();
        }
        let (user, game) = (Arc::new(user), played(6));
        let content = content(&frame(&Arc::new(played(shown)), 0.5), &studied(&user, &game, None));
        let on_board = content.history.unwrap();
        let known = on_board.moves().iter().zip(&line).take_while(|(one, other)| one == other).count();
        prop_assert!(known <= shown, "{} moves are known, {shown} shown", known);
        prop_assert_eq!(content.aside.is_some(), on_board.moves() != played(shown).moves());
    }
}
