//! The question on a further bar: whether its engine starts, or those of the other bars are shared.

use super::*;

fn info() -> EngineInfo {
    EngineInfo {
        name: "x".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    }
}

fn started(effects: &[AppEffect]) -> Vec<EngineId> {
    effects
        .iter()
        .filter_map(|effect| {
            if let AppEffect::StartEngine { id, .. } = effect {
                Some(*id)
            } else {
                None
            }
        })
        .collect()
}

/// Returns a model with two bars and their engines, and a third game without a bar.
fn two_bars(options: ModelOptions) -> (AppModel, EngineId) {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), options);
    let first = model.study_bar();
    let (engine, _) = model.add_engine(first, info());
    for moves in ["7g7f", "2g2f", "5g5f"] {
        model.update(AppEvent::Action(first, AppAction::run(ModelCommand::AddGame)));
        let text = format!("position startpos moves {moves}");
        model.update(AppEvent::Action(first, AppAction::PasteText(text)));
    }
    let blank = model
        .games()
        .find(|(_, game)| game.history().moves().is_empty())
        .map(|(id, _)| id);
    model.update(AppEvent::Action(first, AppAction::Close(blank.unwrap())));
    let ids = started(&model.update(AppEvent::Action(first, AppAction::run(ModelCommand::AddBar))));
    assert_eq!(
        (ids.len(), model.games().count()),
        (1, 3),
        "a second engine is no question"
    );
    model.update(AppEvent::EngineStarted(ids[0], Ok(info())));
    (model, engine)
}

/// Adds the third bar. Returns it, and the engines that are started for it.
fn add_third(model: &mut AppModel) -> (BarId, Vec<EngineId>) {
    let first = model.study_bar();
    let effects = model.update(AppEvent::Action(first, AppAction::run(ModelCommand::AddBar)));
    (model.bars().last().unwrap().0, started(&effects))
}

#[test]
fn a_third_engine_starts_only_after_a_question() {
    let (mut model, _) = two_bars(ModelOptions::default());
    let (third, ids) = add_third(&mut model);
    assert!(ids.is_empty() && model.offers_sharing(third));
    assert!(!model.offers_sharing(model.study_bar()));
    let ids = started(&model.update(AppEvent::Action(third, AppAction::StartOfferedEngines)));
    assert_eq!((ids.len(), model.offers_sharing(third)), (1, false));
    // Without a user, every bar has its engine.
    let (mut model, _) = two_bars(ModelOptions {
        chooses_newest: true,
        ..ModelOptions::default()
    });
    let (third, ids) = add_third(&mut model);
    assert!(ids.len() == 1 && !model.offers_sharing(third));
}

#[test]
fn a_bar_that_shares_shows_the_values_of_the_other_engines() {
    let (mut model, engine) = two_bars(ModelOptions::default());
    let (third, _) = add_third(&mut model);
    let effects = model.update(model.changed_settings(|settings| settings.shares_engines = true));
    assert!(started(&effects).is_empty() && !model.offers_sharing(third));
    let history = Arc::clone(model.game(model.bar(third).game()).history());
    let mut is_searched = false;
    for _ in 0..100 {
        let effects = model.update(AppEvent::Tick);
        is_searched |= effects.iter().any(
            |effect| matches!(effect, AppEffect::SetTarget(_, target) if target.position.as_deref() == Some(&*history)),
        );
    }
    assert!(is_searched, "the game has its turn");
    let best = Candidate {
        rank: 1,
        value: Value::Cp(300),
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
    let view = model.bar_view(third);
    assert_eq!((view.evaluation.as_str(), view.is_stale), ("+300", false));
    // A further bar shares without a question, and so does the next run.
    let stored = model.current_workspace();
    let mut again = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    again.add_engine(again.study_bar(), info());
    again.update(again.changed_settings(|settings| settings.shares_engines = true));
    let effects = again.update(AppEvent::Restore(Box::new(stored)));
    assert_eq!((started(&effects).len(), again.bars().count()), (1, 3));
    assert!(!again.bars().any(|(bar, _)| again.offers_sharing(bar)));
}

#[test]
fn a_question_without_an_answer_returns_in_the_next_run() {
    let (mut model, _) = two_bars(ModelOptions::default());
    add_third(&mut model);
    let stored = model.current_workspace();
    let mut again = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    again.add_engine(again.study_bar(), info());
    let effects = again.update(AppEvent::Restore(Box::new(stored)));
    let asking: Vec<_> = again.bars().map(|(bar, _)| again.offers_sharing(bar)).collect();
    assert_eq!(
        (started(&effects).len(), asking.as_slice()),
        (1, [false, false, true].as_slice())
    );
}
