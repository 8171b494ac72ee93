use super::*;
use crate::action::AppAction;
use crate::app_model::{AppEffect, AppEvent, AppModel, ModelOptions, StoredFiles};
use crate::jobs::{Job, JobResult};
use crate::workspace::{Workspace, WorkspaceGame};
use crate::{EngineId, EngineInfo};
use serde_json::Value as Json;
use shogibar_builtin::Control;
use shogibar_config::{ModelCommand, SecondNames};
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::{EngineState, Snapshot};
use shogibar_games::bar::ReasonView;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::study::{DocumentEdit, UnsavedAnswer};
use shogibar_shogi::Move;
use shogibar_shogi::score::Value;
use std::sync::Arc;

/// Returns a model with a game of two moves. An engine has searched both positions.
fn model() -> AppModel {
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let bar = model.study_bar();
    let info = EngineInfo {
        name: "水匠".to_owned(),
        is_profile: true,
        candidates: 3,
        threads: 1,
        relay: None,
    };
    let (engine, _) = model.add_engine(bar, info);
    model.update(AppEvent::Action(
        bar,
        AppAction::PasteText("V2.2\nN+先\nN-後\nPI\n+\n+7776FU,T65\n-3334FU\n".to_owned()),
    ));
    for (ply, cp) in [(1, 0), (2, 700)] {
        model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::First)));
        model.update(AppEvent::Action(bar, AppAction::Step(ply)));
        let history = Arc::clone(model.game(model.study_game()).history());
        let best = history
            .now()
            .legal_moves()
            .into_iter()
            .find(|mv| mv.to_string() == "2g2f" || mv.to_string() == "8c8d");
        let candidate = Candidate {
            rank: 1,
            value: Value::Cp(cp),
            bound: None,
            depth: Some(20),
            pv: best.into_iter().collect(),
        };
        let stats = SearchStats {
            depth: Some(20),
            nodes: Some(1000),
            nps: Some(500),
            ..SearchStats::default()
        };
        show(
            &mut model,
            engine,
            &SearchInfo {
                history,
                candidates: vec![candidate],
                stats,
            },
        );
    }
    model
}

/// Lets an engine show a value for so long that a loss counts. Returns the effects.
fn show(model: &mut AppModel, engine: EngineId, info: &SearchInfo) -> Vec<AppEffect> {
    let shown = [1_000, 2_000].map(|time| {
        let search_info = Some(SearchInfo {
            stats: SearchStats {
                time: Some(time),
                ..info.stats
            },
            ..info.clone()
        });
        let snapshot = Snapshot {
            state: EngineState::Thinking,
            multipv: 1,
            search_info,
            ..Snapshot::default()
        };
        model.update(AppEvent::Snapshot(engine, Box::new(snapshot)))
    });
    shown.into_iter().flatten().collect()
}

fn state(recorder: &mut ObsPagesRecorder, model: &AppModel) -> Json {
    serde_json::from_str(
        &recorder
            .content(&ObsPagesSnapshot::new(model), 1_795_349_513)
            .state_json(),
    )
    .unwrap()
}

#[test]
fn facts_are_in_the_state_and_hidden_with_the_evaluation() {
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let (bar, game) = (model.study_bar(), model.study_game());
    model.update(AppEvent::Action(
        bar,
        AppAction::PasteText("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 1".to_owned()),
    ));
    let history = Arc::clone(model.game(game).history());
    let facts = PositionFacts::find(Arc::clone(&history), &Control::default());
    model.update(AppEvent::JobResult(JobResult::Facts(game, Box::new(facts))));
    let mut recorder = ObsPagesRecorder::default();
    let shown = state(&mut recorder, &model)["games"][0].clone();
    assert_eq!(shown["facts"][0]["kind"], "threat_of_mate");
    assert_eq!(shown["facts"][0]["line"], serde_json::json!(["G*5b"]));
    assert_eq!(shown["sentence"], "後手玉は詰めろ（▲5二金まで1手詰）。");
    let reason = model.bar_view(bar).reason;
    assert_eq!(
        (reason.threat.as_str(), reason.sentence.as_str()),
        ("詰めろ", "後手玉は詰めろ（▲5二金まで1手詰）。")
    );
    model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::Hide)));
    let hidden = state(&mut recorder, &model)["games"][0].clone();
    assert_eq!(
        (&hidden["facts"], &hidden["sentence"]),
        (&serde_json::json!([]), &Json::Null)
    );
    assert_eq!(model.bar_view(bar).reason, ReasonView::default());
    // Values of another position are not shown.
    model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::Hide)));
    model.update(AppEvent::Action(
        bar,
        AppAction::Edit(DocumentEdit::Play(Move::from_usi("5a4a").unwrap())),
    ));
    assert_eq!(model.bar_view(bar).reason, ReasonView::default());
}

#[test]
fn a_costly_move_has_its_reason_until_the_next_move() {
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let bar = model.study_bar();
    let info = EngineInfo {
        name: "水匠".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let (engine, _) = model.add_engine(bar, info);
    // Black leaves the bishop on a square where the rook captures it.
    let game = "position sfen 4k4/4r4/9/9/4B4/9/9/9/K8 b - 1 moves 9i8i";
    model.update(AppEvent::Action(bar, AppAction::PasteText(game.to_owned())));
    let mut effects = Vec::new();
    for (command, cp, line) in [
        (ModelCommand::First, 300, "5e4d 5b9b"),
        (ModelCommand::Last, -900, "5b5e 8i7i"),
    ] {
        model.update(AppEvent::Action(bar, AppAction::run(command)));
        let history = Arc::clone(model.game(model.study_game()).history());
        let pv = line
            .split_whitespace()
            .map(|mv| Move::from_usi(mv).unwrap())
            .collect();
        let candidates = vec![Candidate {
            rank: 1,
            value: Value::Cp(cp),
            bound: None,
            depth: Some(20),
            pv,
        }];
        let stats = SearchStats {
            depth: Some(20),
            best_since: Some(4),
            ..SearchStats::default()
        };
        effects = show(
            &mut model,
            engine,
            &SearchInfo {
                history,
                candidates,
                stats,
            },
        );
    }
    let wanted = effects.into_iter().find_map(|effect| match effect {
        AppEffect::Run(Job::LastMove(_, bar, shown)) => Some((bar, shown)),
        _ => None,
    });
    let (of, shown) = wanted.unwrap();
    let facts = Box::new(shown.proved_facts(&Control::default()));
    let result = JobResult::LastMove(of, shown, facts);
    assert!(
        model.update(AppEvent::JobResult(result)).is_empty(),
        "it is asked once"
    );
    let sentence = "△5五飛で角をただで取られる。";
    let mut recorder = ObsPagesRecorder::default();
    assert_eq!(model.bar_view(bar).reason.sentence, sentence);
    let game = state(&mut recorder, &model)["games"][0].clone();
    assert_eq!(
        (&game["sentence"], &game["ease"]),
        (&sentence.into(), &"easy".into())
    );
    assert_eq!(game["last_facts"][0]["kind"], "loses_piece");
    model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::Hide)));
    let game = state(&mut recorder, &model)["games"][0].clone();
    assert_eq!((&game["sentence"], &game["ease"]), (&Json::Null, &Json::Null));
    assert_eq!(game["last_facts"], serde_json::json!([]));
    assert_eq!(model.bar_view(bar).reason, ReasonView::default());
    model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::Hide)));
    model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::First)));
    assert_eq!(model.bar_view(bar).reason.sentence, "");
}

#[test]
fn a_game_in_an_address_needs_no_network() {
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let address = "https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B#3".to_owned();
    let effects = model.update(AppEvent::Action(model.study_bar(), AppAction::PasteText(address)));
    let is_source = |effect: &AppEffect| matches!(effect, AppEffect::StartSource(..));
    assert!(!effects.iter().any(is_source), "{effects:?}");
    assert_eq!(model.game(model.study_game()).document().record().len(), 3);
}

#[test]
fn the_state_has_the_values_of_the_bar() {
    let (model, mut recorder) = (model(), ObsPagesRecorder::default());
    let expect = serde_json::json!({
        "games": [{
            "id": 1, "names": ["先", "後"], "ply": 2, "last": "△3四歩",
            "sfen": "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "to_move": "black",
            "win": 0.7625, "cp": 700, "mate": null, "stale": false,
            "candidates": [{
                "rank": 1, "move": "2g2f", "words": ["２六歩"], "win": 0.7625, "cp": 700, "mate": null, "pv": ["2g2f"],
            }],
            "engine": "水匠", "depth": 20, "nodes": 1000, "nps": 500, "clocks": ["1:05", null],
            "clock_kinds": ["used", null],
            "history": [null, 0.5, 0.7625], "filled": [null, null, null], "loss": 26, "loss_by": "search", "ended": null,
            "numbers_only": false, "delay": "0", "locked": false, "own_game": false, "credit": null,
            "facts": [], "sentence": null, "sentence_en": null, "ease": null, "last_facts": [],
            "turning_point": null,
        }],
        "swings": [{"game": 1, "ply": 2, "move": "△3四歩", "loss": 26, "time": "2026-11-22T12:11:53Z"}],
    });
    assert_eq!(state(&mut recorder, &model), expect);
}

#[test]
fn the_clocks_of_the_state_are_named() {
    let (mut model, mut recorder) = (model(), ObsPagesRecorder::default());
    let text = "V2.2\n$TIME_LIMIT:00:15+60\nPI\n+\n+7776FU,T65\n-3334FU,T1000\n";
    model.update(AppEvent::Action(
        model.study_bar(),
        AppAction::PasteText(text.to_owned()),
    ));
    let state = state(&mut recorder, &model);
    // The game gets a new tab, because the other one is unsaved.
    let game = &state["games"][1];
    assert_eq!(
        (&game["clocks"], &game["clock_kinds"]),
        (&["13:55", "1:00"].into(), &["left", "left"].into())
    );
}

/// Only the beginning of a name is used, even if it has a megabyte.
#[test]
fn long_names_make_no_long_state() {
    let (mut model, mut recorder) = (model(), ObsPagesRecorder::default());
    let long = "名".repeat(1 << 20);
    let text = format!("V2.2\nN+{long}\nN-{long}\nPI\n+\n+7776FU\n");
    model.update(AppEvent::Action(model.study_bar(), AppAction::PasteText(text)));
    assert!(state(&mut recorder, &model).to_string().len() < 10_000);
    assert!(
        model
            .bars()
            .all(|(id, _)| format!("{:?}", model.bar_view(id)).len() < 100_000)
    );
    assert!(model.game_titles().all(|title| title.len() < 2_000));
    let record = model.game(model.study_game()).document().record();
    assert_eq!(
        record.player(shogibar_shogi::Color::Black),
        Some(long.as_str()),
        "the record has them whole"
    );
}

#[test]
fn nothing_hidden_is_in_the_state() {
    let (mut model, mut recorder) = (model(), ObsPagesRecorder::default());
    state(&mut recorder, &model);
    model.update(AppEvent::Action(
        model.study_bar(),
        AppAction::run(ModelCommand::Hide),
    ));
    let hidden = state(&mut recorder, &model);
    let game = &hidden["games"][0];
    for key in ["win", "cp", "mate", "loss", "loss_by"] {
        assert_eq!(game[key], Json::Null, "{key}");
    }
    assert_eq!(
        (&game["candidates"], &game["history"], &hidden["swings"]),
        (
            &Json::from([] as [i32; 0]),
            &Json::from([] as [i32; 0]),
            &Json::from([] as [i32; 0])
        )
    );
    assert_eq!(game["names"][0], "先");
    let desk = recorder.content(&ObsPagesSnapshot::new(&model), 0).desk_json(
        "1.2.3",
        &ObsPageOptions::default(),
        &SecondNames::default(),
        Lang::Ja,
    );
    assert!(
        !desk.contains("76") && desk.contains("評価値は伏せています"),
        "{desk}"
    );
    model.update(AppEvent::Action(
        model.study_bar(),
        AppAction::run(ModelCommand::Hide),
    ));
    assert_eq!(
        state(&mut recorder, &model)["swings"][0]["loss"],
        26,
        "it is remembered"
    );
}

#[test]
fn a_game_keeps_its_number() {
    let (mut model, mut recorder) = (model(), ObsPagesRecorder::default());
    let bar = model.study_bar();
    state(&mut recorder, &model);
    let first = model.study_game();
    model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::AddGame)));
    let ids = |state: &Json| {
        state["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["id"].as_u64())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&state(&mut recorder, &model)), [Some(1), Some(2)]);
    model.update(AppEvent::Action(bar, AppAction::Close(first)));
    model.update(AppEvent::Action(
        bar,
        AppAction::Answer(first, UnsavedAnswer::Discard),
    ));
    assert_eq!(ids(&state(&mut recorder, &model)), [Some(2)]);
    let content = recorder.content(&ObsPagesSnapshot::new(&model), 0);
    assert_eq!(content.view(Some(1), Lang::En), None, "a closed game");
    let mut again = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let game = WorkspaceGame {
        path: "/b.kif".into(),
        number: 7,
        ..WorkspaceGame::default()
    };
    again.update(AppEvent::Restore(Box::new(Workspace {
        games: vec![game],
        ..Workspace::default()
    })));
    assert_eq!(
        ids(&state(&mut recorder, &again)),
        [Some(8), Some(7)],
        "the blank game has the next number"
    );
}

#[test]
fn the_sample_moves() {
    let views: Vec<_> = (0..200).map(|second| sample::sample(second, Lang::Ja)).collect();
    assert!(
        views
            .iter()
            .all(|view| view.share.is_some() && !view.lead().candidates.is_empty())
    );
    assert_eq!(
        views
            .iter()
            .map(|view| view.position)
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        25
    );
    assert_eq!(views[95].black.name, "青柳 千早");
}

#[test]
fn second_names_replace_known_names_only() {
    let view = sample::sample(20, Lang::Ja);
    let mut names = SecondNames::default();
    names.set(&view.black.name, "Aoyagi Chihaya");
    let shown = |query: &str| {
        let view = ObsPageOptions::parse(query)
            .named_view(&view, &names)
            .into_owned();
        [view.black.name, view.white.name]
    };
    assert_eq!(shown("names=2"), ["Aoyagi Chihaya", "御影 宗一郎"]);
    assert_eq!(shown("lang=en"), ["青柳 千早", "御影 宗一郎"]);
}
