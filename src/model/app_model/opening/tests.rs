//! Addresses that are opened: one that fails leaves no tab and no bar.

use crate::action::AppAction;
use crate::app_model::{AppEffect, AppEvent, AppModel, ModelOptions, StoredFiles};
use crate::game::OpenPosition;
use crate::ids::SourceId;
use crate::open_request::OpenRequest;
use crate::outputs::OutputId;
use shogibar_base::Lang;
use shogibar_live::{EndCause, GameChoice, LiveAddress, LiveGame, SourceEvent, SourceProblem, SourceState};
use std::sync::Arc;
use std::time::Duration;

fn address(text: &str) -> LiveAddress {
    LiveAddress::parse(text).unwrap()
}

fn blank(options: ModelOptions) -> AppModel {
    AppModel::new(Lang::En, StoredFiles::default(), options)
}

fn act(model: &mut AppModel, action: AppAction) -> Vec<AppEffect> {
    model.update(AppEvent::Action(model.study_bar(), action))
}

fn started(effects: &[AppEffect]) -> Vec<SourceId> {
    let started = |effect: &AppEffect| match effect {
        AppEffect::StartSource(id, ..) => Some(*id),
        _ => None,
    };
    effects.iter().filter_map(started).collect()
}

fn game(id: &str) -> SourceEvent {
    let record = shogibar_kifu::read(b"position startpos moves 7g7f 3c3d")
        .unwrap()
        .games
        .remove(0);
    SourceEvent::Game(LiveGame::from_record(id.to_owned(), Arc::new(record)))
}

fn lost(problem: SourceProblem) -> SourceEvent {
    SourceEvent::State(SourceState::Lost {
        problem,
        retry_in: Duration::from_secs(20),
    })
}

fn refused(problem: SourceProblem) -> SourceEvent {
    SourceEvent::State(SourceState::Ended(EndCause::Refused(problem)))
}

fn following() -> AppModel {
    let mut model = blank(ModelOptions::default());
    let [source] = started(&act(
        &mut model,
        AppAction::OpenAddresses(vec![address("http://a.org/first.kif")]),
    ))[..] else {
        panic!("no source")
    };
    model.update(AppEvent::Source(source, game("first")));
    model
}

fn with_pasted() -> AppModel {
    let mut model = blank(ModelOptions::default());
    let bar = model.study_bar();
    let id = model.study_game();
    model.paste_text(bar, id, "position startpos moves 2g2f 8c8d");
    model
}

/// Returns the titles of the tabs, and for each bar the moves of its game. The bar of the page is marked.
fn shown(model: &AppModel) -> (Vec<String>, Vec<(bool, usize, bool)>) {
    let bar = |(id, bar): (crate::ids::BarId, &crate::bars::Bar)| {
        let game = model.game(bar.game());
        (
            id == model.study_bar(),
            game.history().moves().len(),
            game.is_blank(),
        )
    };
    (model.game_titles().collect(), model.bars().map(bar).collect())
}

/// Returns the newest private message. A bar on air has none.
fn notice(model: &AppModel) -> String {
    let is_on_air = model.is_on_air(OutputId::Bar(model.study_bar()));
    if is_on_air {
        assert_eq!(model.bar_view(model.study_bar()).notice, None);
        return model
            .notices()
            .recent()
            .next()
            .map(|(_, message)| message.on_air(model.lang()))
            .unwrap_or_default();
    }
    model
        .bar_view(model.study_bar())
        .notice
        .map(|notice| notice.text)
        .unwrap_or_default()
}

#[test]
fn an_address_that_fails_leaves_no_tab_and_no_bar() {
    let url = "http://b.org/none.html";
    let open = |model: &mut AppModel, door: usize| match door {
        0 => act(model, AppAction::OpenAddresses(vec![address(url)])),
        1 => model.update(AppEvent::HandedOver(OpenRequest {
            addresses: vec![address(url)],
            ..OpenRequest::default()
        })),
        2 => model.update(AppEvent::HandedOver(OpenRequest {
            addresses: vec![address(url)],
            engines: vec!["builtin".to_owned()],
            ..OpenRequest::default()
        })),
        3 => model.update(AppEvent::OpenGiven(vec![address(url)], OpenPosition::default())),
        _ => {
            let (bar, id) = (model.study_bar(), model.study_game());
            model.paste_text(bar, id, url);
            model.update(AppEvent::ReadMore)
        }
    };
    let failures = [
        lost(SourceProblem::UnknownHost),
        lost(SourceProblem::Status(500)),
        lost(SourceProblem::NoRecordInDocument),
        refused(SourceProblem::NoSuchGame),
    ];
    for door in 0..5 {
        for failure in &failures {
            for make in [|| blank(ModelOptions::default()), following, with_pasted] {
                let mut model = make();
                let before = shown(&model);
                let [source] = started(&open(&mut model, door))[..] else {
                    panic!("{door}: no source")
                };
                model.update(AppEvent::Source(source, SourceEvent::State(SourceState::Waiting)));
                let effects = model.update(AppEvent::Source(source, failure.clone()));
                let context = format!("door {door}, {failure:?}, {before:?}");
                assert_eq!(shown(&model), before, "{context}");
                assert!(
                    effects
                        .iter()
                        .any(|effect| matches!(effect, AppEffect::EndSource(id) if *id == source))
                );
                assert!(
                    notice(&model).starts_with("The address cannot be opened."),
                    "{context}: {}",
                    notice(&model)
                );
                model.update(AppEvent::Action(model.study_bar(), AppAction::SetStudyOpen(true)));
                let on_page = model.study_notice().unwrap().text;
                assert!(
                    on_page.starts_with("http://b.org/none.html cannot be opened. "),
                    "{context}: {on_page}"
                );
                assert!(model.opening_addresses.is_empty());
                assert!(model.update(AppEvent::Source(source, game("late"))).is_empty());
            }
        }
    }
}

#[test]
fn an_address_that_fails_later_keeps_its_tab() {
    let mut model = following();
    let [source] = started(&act(
        &mut model,
        AppAction::OpenAddresses(vec![address("http://b.org/x.kif")]),
    ))[..] else {
        panic!("no source")
    };
    model.update(AppEvent::Source(source, game("x")));
    let before = shown(&model);
    for event in [
        lost(SourceProblem::Timeout),
        lost(SourceProblem::GameGone),
        refused(SourceProblem::NotFound),
    ] {
        model.update(AppEvent::Source(source, event));
        assert_eq!(shown(&model), before);
    }
    assert_eq!(before.1.len(), 2);
}

#[test]
fn a_list_keeps_its_tab_and_a_chosen_game_that_fails_does_not() {
    let mut model = blank(ModelOptions::default());
    let [list] = started(&act(
        &mut model,
        AppAction::OpenAddresses(vec![address("http://b.org/list.txt")]),
    ))[..] else {
        panic!("no source")
    };
    let choice = |name: &str| GameChoice {
        title: name.to_owned(),
        address: format!("http://b.org/{name}.csa"),
    };
    model.update(AppEvent::Source(
        list,
        SourceEvent::Games(vec![choice("one"), choice("two")]),
    ));
    model.update(AppEvent::Source(list, lost(SourceProblem::Timeout)));
    assert_eq!(model.games().count(), 1);
    let [one] = started(&act(&mut model, AppAction::SelectGame(0)))[..] else {
        panic!("no game")
    };
    model.update(AppEvent::Source(one, game("one")));
    let before = shown(&model);
    let [two] = started(&act(&mut model, AppAction::SelectGame(1)))[..] else {
        panic!("no game")
    };
    assert_eq!(model.games().count(), 2);
    model.update(AppEvent::Source(two, lost(SourceProblem::NotFound)));
    assert_eq!(shown(&model), before);
}

#[test]
fn a_tab_with_work_or_without_a_user_stays() {
    let open = |model: &mut AppModel| {
        let [source] = started(&act(
            model,
            AppAction::OpenAddresses(vec![address("http://b.org/x.kif")]),
        ))[..] else {
            panic!("no source")
        };
        source
    };
    let mut model = blank(ModelOptions {
        chooses_newest: true,
        ..ModelOptions::default()
    });
    let source = open(&mut model);
    model.update(AppEvent::Source(source, lost(SourceProblem::Unreachable)));
    assert!(
        model.game(model.study_game()).source().is_some(),
        "it is tried again"
    );
    let mut model = blank(ModelOptions::default());
    let source = open(&mut model);
    let (bar, id) = (model.study_bar(), model.study_game());
    model.paste_text(bar, id, "position startpos moves 2g2f 8c8d");
    model.update(AppEvent::Source(source, lost(SourceProblem::Unreachable)));
    assert_eq!(model.game(model.study_game()).history().moves().len(), 2);
}
