//! Tests of a game against an engine: its form and its panel.

use super::*;
use shogibar_engine::options::Limit;
use shogibar_games::engine_game::{EngineGame, EngineGameSettings};
use shogibar_kifu::{Millis, TimeControl};
use shogibar_model::action::EngineGameAction;
use shogibar_shogi::Color;
use std::time::Duration;

fn form_page(lang: Lang) -> Harness<'static, StudyFixture> {
    let mut page = open(fixture(lang));
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    page.run();
    page
}

/// Takes the actions of the page. Returns the settings of the game that the page has begun; `None` without a game.
fn take_begun_game(page: &mut Harness<'static, StudyFixture>) -> Option<EngineGameSettings> {
    take_actions(page).into_iter().find_map(|action| match action {
        StudyAction::App(AppAction::BeginEngineGame(settings)) => Some(*settings),
        _ => None,
    })
}

#[test]
fn a_game_begins_with_the_chosen_settings() {
    let mut page = form_page(Lang::Ja);
    click(&mut page, "対局開始");
    let expect = EngineGameSettings {
        engine: "builtin".to_owned(),
        user: Color::Black,
        limit: Limit::Nodes(10_000),
        control: None,
        shows_values: false,
    };
    assert_eq!(take_begun_game(&mut page), Some(expect.clone()));
    assert!(page.query_by_label("対局開始").is_none(), "it is closed");

    let mut page = form_page(Lang::En);
    page.get_by_role_and_label(Role::ComboBox, "Opponent").click();
    page.run();
    click(&mut page, "水匠");
    page.get_by_role_and_label(Role::ComboBox, "Strength").click();
    page.run();
    assert!(page.query_by_label("By its clock").is_none(), "there is no clock");
    click(&mut page, "Level 1 (100 nodes)");
    click(&mut page, "White");
    click(&mut page, "None");
    click(&mut page, "Start the game");
    let control = TimeControl {
        main: Millis(600_000),
        byoyomi: Millis(30_000),
        increment: Millis(0),
    };
    let expect = EngineGameSettings {
        engine: "水匠".to_owned(),
        user: Color::White,
        limit: Limit::Nodes(100),
        control: Some(control),
        ..expect
    };
    assert_eq!(take_begun_game(&mut page), Some(expect));
}

/// Opens the page with a game in which the user has the move.
fn game_page() -> Harness<'static, StudyFixture> {
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::default();
    let settings = EngineGameSettings {
        engine: "builtin".to_owned(),
        user: Color::Black,
        limit: Limit::Nodes(100),
        control: None,
        shows_values: false,
    };
    let mut game = EngineGame::new(settings, &fixture.document);
    game.set_engine_ready(true, Duration::ZERO);
    fixture.engine_game = Some(game);
    open(fixture)
}

#[test]
fn a_resignation_is_asked_for_twice() {
    let mut page = game_page();
    assert!(page.query_by_label("あなたの番です").is_some());
    click(&mut page, "投了");
    assert!(take_actions(&mut page).is_empty() && page.query_by_label("投了しますか？").is_some());
    click(&mut page, "キャンセル");
    assert!(page.query_by_label("投了しますか？").is_none());
    click(&mut page, "投了");
    click(&mut page, "投了");
    assert_eq!(
        take_actions(&mut page),
        [AppAction::EngineGame(EngineGameAction::Resign).into()]
    );
}

#[test]
fn the_panel_names_the_side_to_move_and_the_result() {
    let mut page = game_page();
    let step = |page: &mut Harness<'static, StudyFixture>, work: &dyn Fn(&mut EngineGame, &mut Document)| {
        let StudyFixture {
            engine_game,
            document,
            ..
        } = page.state_mut();
        work(engine_game.as_mut().unwrap(), document);
        page.run_steps(3);
    };
    step(&mut page, &|game, document| {
        assert!(game.play(document, mv("7g7f"), Duration::from_secs(1)));
    });
    assert!(page.query_by_label("相手が考えています").is_some());
    step(&mut page, &|game, document| {
        game.take_back(document, Duration::from_secs(2));
    });
    assert!(page.query_by_label("あなたの番です").is_some());
    step(&mut page, &|game, document| {
        game.resign(document, Duration::from_secs(3));
    });
    assert!(page.query_by_label("あなたの負け（投了）").is_some());
    click(&mut page, "対局を終える");
    assert_eq!(
        take_actions(&mut page),
        [AppAction::EngineGame(EngineGameAction::Close).into()]
    );
}
