//! The tasks in the background: limits, and graphs that are filled.

use super::*;

#[test]
fn the_graph_of_a_game_joined_late_is_filled() {
    let moves = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n6 ８五歩(84)\n";
    let mut state = opened(moves);
    state.act(AppAction::run(ModelCommand::Last));
    let bar = state.study_bar();
    let info = EngineInfo {
        name: "a".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let (study_engine, _) = state.add_engine(bar, info);
    let value = |history: &Arc<History>, cp: i32| {
        let best = Candidate {
            rank: 1,
            value: Value::Cp(cp),
            bound: None,
            depth: Some(9),
            pv: Vec::new(),
        };
        let reached = SearchStats {
            depth: Some(9),
            ..SearchStats::default()
        };
        let search_info = Some(SearchInfo {
            history: Arc::clone(history),
            candidates: vec![best],
            stats: reached,
        });
        let result = Some(SearchResult {
            history: Arc::clone(history),
            best_move: None.into(),
        });
        Box::new(Snapshot {
            search_info,
            result,
            state: EngineState::Idle,
            ..Snapshot::default()
        })
    };
    let start = |effects: &[AppEffect]| {
        effects.iter().find_map(|effect| match effect {
            AppEffect::StartEngine { id, share, .. } => Some((*id, *share)),
            _ => None,
        })
    };
    let next = |state: &mut Scene| state.update(AppEvent::Action(bar, AppAction::run(ModelCommand::Last)));
    state.set(|settings| settings.fills_graph = true);
    assert_eq!(start(&next(&mut state)), None, "nobody plays it");
    let id = state.study_game();
    state.game_mut(id).unwrap().is_growing = true;
    state.set(|settings| settings.fills_graph = false);
    assert_eq!(start(&next(&mut state)), None, "the user does not want it");
    let (engine, share) = start(&state.set(|settings| settings.fills_graph = true)).unwrap();
    assert_eq!(share, EngineShare::BRIEF);
    let info = EngineInfo {
        name: "builtin".to_owned(),
        is_profile: false,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let mut effects = state.update(AppEvent::EngineStarted(engine, Ok(info)));
    let mut plies = Vec::new();
    loop {
        let target = effects.iter().find_map(|effect| match effect {
            AppEffect::SetTarget(id, target) if *id == engine => target.position.clone(),
            _ => None,
        });
        let Some(history) = target else { break };
        plies.push(history.moves().len());
        if plies.len() == 2 {
            let third = Arc::new(History::from_usi("startpos moves 7g7f 3c3d 2g2f").unwrap());
            state.update(AppEvent::Snapshot(study_engine, value(&third, 77)));
        }
        effects = state.update(AppEvent::Snapshot(engine, value(&history, 1000)));
    }
    assert_eq!(
        plies,
        [5, 4, 2, 1, 0],
        "the newest first, and none that has a value"
    );
    let view = state.view();
    let known = |shares: &[Option<f32>]| shares.iter().map(Option::is_some).collect::<Vec<_>>();
    assert_eq!(
        known(&view.filled_shares),
        [true, true, true, false, true, true, false]
    );
    assert_eq!(
        known(&view.graph),
        [false, false, false, true, false, false, false]
    );
    assert_eq!(view.last_loss, None, "it marks no move");
    assert_eq!(
        state.game(id).live_values().line.len(),
        1,
        "and no engine of the game"
    );
    // A better value replaces it.
    let fifth = Arc::new(History::from_usi("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e").unwrap());
    state.update(AppEvent::Snapshot(study_engine, value(&fifth, -50)));
    assert_eq!(
        known(&state.view().filled_shares),
        [true, true, true, false, true, false, false]
    );
    assert!(!state.game(id).document().is_changed());
    state.game_mut(id).unwrap().is_growing = false;
    let effects = state.update(AppEvent::Action(bar, AppAction::run(ModelCommand::Last)));
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, AppEffect::EndEngine(id) if *id == engine)),
        "{effects:?}"
    );
}

#[test]
fn positions_have_a_time_limit_where_the_user_wants_one() {
    let mut state = opened(GAME);
    assert_eq!(state.target().time_limit, None);
    let limit = Some(std::time::Duration::from_secs(30));
    state.set(|settings| settings.position_limit = limit);
    assert_eq!((state.target().time_limit, state.time_limit()), (limit, limit));
}
