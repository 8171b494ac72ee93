use super::*;
use crate::overlay::OverlayStyle;
use crate::{fonts, theme};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_model::action::AppAction;
use shogibar_model::{AppEvent, ModelOptions, StoredFiles};

/// A model on whose actions the panel works.
struct Shown {
    model: AppModel,
    panel: ProgrammePanel,
    actions: Vec<ProgrammeAction>,
}

fn harness(lang: Lang) -> Harness<'static, Shown> {
    let mut model = AppModel::new(lang, StoredFiles::default(), ModelOptions::default());
    for text in [
        "position startpos moves 7g7f",
        "position startpos moves 2g2f 8c8d",
    ] {
        model.update(AppEvent::Action(
            model.study_bar(),
            AppAction::PasteText(text.to_owned()),
        ));
    }
    let shown = Shown {
        model,
        panel: ProgrammePanel::default(),
        actions: Vec::new(),
    };
    Harness::builder()
        .with_size(SIZE)
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            move |ui, shown: &mut Shown| {
                let (theme, style) = (theme::of_pages(false), OverlayStyle::new(theme::ink(), lang));
                let times = ProgrammeTimes::default();
                let actions =
                    shown
                        .panel
                        .show(ui, &shown.model, &times, &theme, &style, FramePacer::Gpu, |_| {});
                for action in actions {
                    shown.actions.push(action.clone());
                    let event = match action {
                        ProgrammeAction::Output(output, command) => AppAction::Output(output, command),
                        ProgrammeAction::NumbersOnly(is_on) => AppAction::NumbersOnly(is_on),
                        ProgrammeAction::List(game) => AppAction::List(game),
                        ProgrammeAction::OwnGameRule(source, rule) => {
                            let event = shown
                                .model
                                .changed_settings(|settings| settings.own_games.set(&source, rule));
                            shown.model.update(event);
                            continue;
                        }
                        ProgrammeAction::OpenGuideline | ProgrammeAction::OpenFairPlay => continue,
                    };
                    shown
                        .model
                        .update(AppEvent::Action(shown.model.study_bar(), event));
                }
            },
            shown,
        )
}

fn click_switch(harness: &Harness<'_, Shown>, label: &str) {
    let is_switch =
        |node: &egui_kittest::Node<'_>| node.accesskit_node().role() == egui::accesskit::Role::Switch;
    harness.get_all_by_label(label).find(is_switch).unwrap().click();
}

#[test]
fn the_panel_commands_the_selected_output() {
    let mut harness = harness(Lang::En);
    harness.run();
    let first = OutputId::Bar(harness.state().model.window_bars().next().unwrap().0);
    click_switch(&harness, "Lock to this game: Bar");
    harness.run();
    assert!(harness.state().model.is_locked(first) && harness.state().model.is_on_air(first));
    let shown = harness.state().model.game_of_output(first);
    harness.get_by_label("Unlock and switch").click();
    harness.run();
    let state = harness.state();
    assert!(!state.model.is_locked(first) && state.model.game_of_output(first) != shown);
    harness.get_by_label("Delay: 5 moves").click();
    harness.run();
    click_switch(&harness, "Numbers only");
    harness.run();
    let choices = harness
        .state()
        .model
        .output_choices(harness.state().model.game_of_output(first));
    assert!(choices.numbers_only);
    assert_eq!(choices.delay, Delay::Moves(5));
}
