//! Bars that show the values of another bar's engine.

use super::*;

fn one_bar() -> (AppModel, EngineId) {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let info = EngineInfo {
        name: "x".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let (engine, _) = model.add_engine(model.study_bar(), info);
    model.update(AppEvent::Action(
        model.study_bar(),
        AppAction::PasteText("position startpos moves 7g7f".to_owned()),
    ));
    (model, engine)
}

fn started(effects: &[AppEffect]) -> Vec<&str> {
    effects
        .iter()
        .filter_map(|effect| {
            if let AppEffect::StartEngine { name, .. } = effect {
                Some(name.as_str())
            } else {
                None
            }
        })
        .collect()
}

fn report(model: &mut AppModel, engine: EngineId, cp: i32) {
    let history = Arc::clone(model.game(model.study_game()).history());
    let best = Candidate {
        rank: 1,
        value: Value::Cp(cp),
        bound: None,
        depth: Some(12),
        pv: Vec::new(),
    };
    let search_info = SearchInfo {
        history,
        candidates: vec![best],
        stats: SearchStats::default(),
    };
    let snapshot = Snapshot {
        search_info: Some(search_info),
        multipv: 1,
        ..Snapshot::default()
    };
    model.update(AppEvent::Snapshot(engine, Box::new(snapshot)));
}

#[test]
fn a_further_bar_of_the_same_game_has_the_values_of_the_same_engine() {
    let (mut model, engine) = one_bar();
    let first = model.study_bar();
    let run =
        |model: &mut AppModel, bar, command| model.update(AppEvent::Action(bar, AppAction::run(command)));
    let effects = run(&mut model, first, ModelCommand::AddBar);
    assert!(started(&effects).is_empty(), "no second search: {effects:?}");
    let bars: Vec<_> = model.bars().map(|(id, _)| id).collect();
    let [_, second] = bars[..] else { panic!("{bars:?}") };
    for cp in [300, -40] {
        report(&mut model, engine, cp);
        let [one, other] = [first, second].map(|bar| model.bar_view(bar));
        assert!(!other.is_stale && other.share.is_some());
        assert_eq!(
            (one.share, &one.evaluation, &one.engines),
            (other.share, &other.evaluation, &other.engines)
        );
    }
    // Each bar is hidden separately; a change of the engine affects both.
    run(&mut model, second, ModelCommand::Hide);
    assert_eq!(
        [first, second].map(|bar| model.bar_view(bar).is_hidden),
        [false, true]
    );
    run(&mut model, second, ModelCommand::Hide);
    run(&mut model, second, ModelCommand::Pause);
    assert!([first, second].iter().all(|bar| model.bar_input(*bar).is_paused));
    run(&mut model, second, ModelCommand::Pause);
    // The workspace stores this state.
    let stored = model.current_workspace();
    assert_eq!(
        stored.bars.iter().map(|bar| bar.borrows).collect::<Vec<_>>(),
        [false, true]
    );
    let (mut again, _) = one_bar();
    assert!(started(&again.update(AppEvent::Restore(Box::new(stored)))).is_empty());
    assert_eq!(
        (
            again.bars().count(),
            again.bars().filter(|(id, _)| again.lender(*id) != *id).count()
        ),
        (2, 1)
    );
    // Another game needs another engine.
    let game = {
        let before: Vec<_> = model.games().map(|(id, _)| id).collect();
        run(&mut model, second, ModelCommand::AddGame);
        model
            .games()
            .map(|(id, _)| id)
            .find(|id| !before.contains(id))
            .unwrap()
    };
    assert_eq!((model.bar(second).game(), model.lender(second)), (game, second));
}

#[test]
fn a_bar_that_is_left_alone_gets_an_engine() {
    let (mut model, _) = one_bar();
    let first = model.study_bar();
    model.update(AppEvent::Action(first, AppAction::run(ModelCommand::AddBar)));
    let effects = model.update(AppEvent::Action(first, AppAction::run(ModelCommand::AddGame)));
    assert_eq!(started(&effects).len(), 1, "{effects:?}");
    // The engine of a closed bar continues for the bar that shows its values.
    let (mut model, engine) = one_bar();
    let first = model.study_bar();
    model.update(AppEvent::Action(first, AppAction::run(ModelCommand::AddBar)));
    let effects = model.update(AppEvent::Action(first, AppAction::run(ModelCommand::CloseBar)));
    assert!(
        started(&effects).is_empty()
            && !effects
                .iter()
                .any(|effect| matches!(effect, AppEffect::EndEngine(_)))
    );
    report(&mut model, engine, 70);
    assert_eq!(model.bar_view(model.study_bar()).evaluation, "+70");
    // A second engine is the user's choice.
    let (mut model, _) = one_bar();
    model.update(AppEvent::Action(
        model.study_bar(),
        AppAction::run(ModelCommand::AddBar),
    ));
    let second = model.bars().last().map(|(id, _)| id).unwrap();
    let effects = model.update(AppEvent::Action(second, AppAction::ReplaceEngine("y".to_owned())));
    let ids: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            AppEffect::StartEngine { id, name, .. } => Some((*id, name.clone())),
            _ => None,
        })
        .collect();
    let [(id, name)] = ids.as_slice() else {
        panic!("{effects:?}")
    };
    // Until the second engine runs, the values are those of the first bar.
    assert_ne!(model.lender(second), second);
    let info = EngineInfo {
        name: name.clone(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    model.update(AppEvent::EngineStarted(*id, Ok(info)));
    assert_eq!((name.as_str(), model.lender(second)), ("y", second));
}

/// If the bars are hidden, only the engine of the study page's bar searches. A further file gets a tab.
#[test]
fn hidden_bars_run_no_engine_and_no_bar_is_added() {
    let (mut model, _) = one_bar();
    let first = model.study_bar();
    let request = |name: &str| OpenRequest {
        addresses: vec![LiveAddress::Path(std::path::PathBuf::from(name))],
        ..OpenRequest::default()
    };
    let hand_over = |model: &mut AppModel, name: &str| {
        let effects = model.update(AppEvent::HandedOver(request(name)));
        for read in opening::reads(&effects) {
            opening::answer(model, read, Ok(opening::record("2g2f")));
        }
    };
    hand_over(&mut model, "/a.kif");
    assert_eq!((model.bars().count(), model.games().count()), (2, 2));
    let (page, other) = (model.study_bar(), first);
    model.update(AppEvent::BarsHidden(true));
    assert_eq!(
        [page, other].map(|bar| model.bar(bar).is_paused_now()),
        [false, true]
    );
    hand_over(&mut model, "/b.kif");
    assert_eq!((model.bars().count(), model.games().count()), (2, 3));
    model.update(AppEvent::BarsHidden(false));
    assert!(!model.bar(other).is_paused_now());
}
