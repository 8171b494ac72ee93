use super::*;
use crate::fonts;
use egui::accesskit::Role;
use egui::{Event, ImeEvent, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_engine::options::Limit;
use shogibar_engine::process::StartError;
use shogibar_engine::usi::OptionSpec;
use shogibar_games::calibration::{UserGame, user_fits};
use shogibar_shogi::score::WinRateModel;
use std::time::Duration;

const OPTIONS: [&str; 9] = [
    "name Threads type spin default 4 min 1 max 8",
    "name BookFile type combo default standard_book.db var no_book var standard_book.db",
    "name EvalDir type filename default eval",
    "name Skill Level type spin default 20 min -20 max 20",
    "name Debug Log File type string default ",
    "name Clear Hash type button",
    "name Ponder type check default false",
    "name 入玉ルール type combo default 27点法 var 27点法 var トライルール",
    "name Contempt type spin default 0 min -100 max 100",
];

/// A page with its inputs and the actions it returned.
struct EnginesFixture {
    page: EnginesPage,
    profiles: Profiles,
    probe: Probe,
    in_use: String,
    error: Option<String>,
    user_fits: Vec<UserFit>,
    actions: Vec<EnginesAction>,
}

impl EnginesFixture {
    fn show(&mut self, ui: &mut Ui) {
        let found = [EngineOnMachine {
            name: "gpsshogi".to_owned(),
            path: "/usr/games/gpsusi".to_owned(),
        }];
        let (presets, error) = (shogibar_config::built_in_presets(), self.error.clone());
        let view = EnginesView {
            profiles: &self.profiles,
            found_engines: &found,
            is_searching: false,
            probe: &self.probe,
            in_use: std::slice::from_ref(&self.in_use),
            defaults: &[
                (EngineNumber::MultiPv, 3),
                (EngineNumber::Threads, 2),
                (EngineNumber::Hash, 256),
            ],
            presets: &presets,
            error: error.as_deref(),
            relay_notice: None,
            hint: None,
            user_fits: &self.user_fits,
            problems: &[],
        };
        for action in self.page.show(ui, &view, &crate::theme::paper(), Lang::En) {
            self.apply(action);
        }
    }

    fn apply(&mut self, action: EnginesAction) {
        match &action {
            EnginesAction::Store { before, after } => {
                self.profiles
                    .get_mut(after.name())
                    .unwrap()
                    .apply_changes(before, after);
            }
            EnginesAction::Rename(old, new) => {
                self.profiles.rename(old, new).unwrap();
                self.page.select(new, &self.profiles);
            }
            _ => {}
        }
        self.actions.push(action);
    }

    /// Closes the page: applies the actions that store typed text.
    fn leave(&mut self) {
        for action in self.page.flush() {
            self.apply(action);
        }
    }

    fn stored(&self) -> &Profile {
        self.profiles.get("a").unwrap()
    }
}

fn page(options: &[&str], values: &[(&str, &str)]) -> Harness<'static, EnginesFixture> {
    let mut profile = Profile::new("a", ["/opt/engine".to_owned()]);
    profile.options = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    page_with_profile(options, profile)
}

/// Returns the page with a selected profile and another one, `b`.
fn page_with_profile(options: &[&str], profile: Profile) -> Harness<'static, EnginesFixture> {
    let mut profiles = Profiles::default();
    profiles.add(profile).unwrap();
    profiles.add(Profile::new("b", ["/opt/b".to_owned()])).unwrap();
    let options = options
        .iter()
        .map(|line| OptionSpec::parse(line).unwrap())
        .collect();
    let probe = Probe::Identified(EngineIdentity {
        name: "Engine 1.0".to_owned(),
        options,
    });
    let mut page = EnginesPage::default();
    page.select("a", &profiles);
    let fixture = EnginesFixture {
        page,
        profiles,
        probe,
        in_use: "builtin".to_owned(),
        error: None,
        user_fits: Vec::new(),
        actions: Vec::new(),
    };
    let mut harness = Harness::builder()
        .with_size([960.0, 1100.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui: &mut Ui, fixture: &mut EnginesFixture| fixture.show(ui),
            fixture,
        );
    harness.run();
    assert!(
        matches!(harness.state().actions[..], [EnginesAction::Probe(_)]),
        "an engine on view is asked who it is"
    );
    harness.state_mut().actions.clear();
    harness
}

/// Replaces the text of the field of this name and removes the focus.
fn write(page: &mut Harness<'static, EnginesFixture>, role: Role, name: &str, text: &str) {
    page.get_by_role_and_label(role, name).focus();
    page.run();
    page.key_press_modifiers(Modifiers::COMMAND, Key::A);
    page.get_by_role_and_label(role, name).type_text(text);
    page.run();
    page.key_press(Key::Tab);
    page.run();
    // The next widget may be a text field as well.
    page.ctx.memory_mut(|memory| {
        memory
            .focused()
            .into_iter()
            .for_each(|id| memory.surrender_focus(id));
    });
    page.run();
}

#[test]
fn shows_how_often_the_predictions_of_a_fit_came_true() {
    let mut profile = Profile::new("a", ["/opt/engine".to_owned()]);
    profile.fitted_net = Some("nn.bin 8 fnv1a:0123456789abcdef".to_owned());
    let mut page = page_with_profile(&[], profile);
    let diagram = "Black's predicted win rate (across) and the actual one (up)";
    assert!(page.query_by_label(diagram).is_none());
    let net = Some("nn.bin 7 fnv1a:0123456789abcdef".to_owned());
    let game = |number: u64| {
        let (result, cp) = if number.is_multiple_of(2) {
            (1.0, 300)
        } else {
            (0.0, -200)
        };
        let result = if number.is_multiple_of(7) {
            1.0 - result
        } else {
            result
        };
        UserGame {
            engine: "a".to_owned(),
            net: net.clone(),
            game: number,
            result,
            values: vec![cp; 30],
        }
        .line()
    };
    let text: String = (0..30).map(game).collect();
    page.state_mut().user_fits = user_fits(&text, &[("a".to_owned(), net.clone())]);
    page.run();
    page.get_by_role_and_label(Role::Image, diagram);
    let other_net = "The K in use was fitted to games with another net (or FV_SCALE).";
    page.get_by_label(other_net);
    page.get_by_label("Use this K").click();
    page.run();
    assert!(page.query_by_label(other_net).is_none());
    page.state_mut().leave();
    let stored = page.state().stored();
    assert_eq!((stored.model.is_some(), &stored.fitted_net), (true, &net));
}

#[test]
fn changes_options_with_the_widget_of_their_type() {
    let mut page = page(&OPTIONS, &[]);
    page.get_by_role_and_label(Role::CheckBox, "Ponder").click();
    page.run();
    write(&mut page, Role::TextInput, "EvalDir", "/opt/評価");
    write(&mut page, Role::TextInput, "Skill Level", "-5");
    page.get_by_role_and_label(Role::ComboBox, "入玉ルール").click();
    page.run();
    page.get_by_label("トライルール").click();
    page.run();
    let expect = [
        ("EvalDir", "/opt/評価"),
        ("Ponder", "true"),
        ("Skill Level", "-5"),
        ("入玉ルール", "トライルール"),
    ];
    let options = &page.state().stored().options;
    assert_eq!(
        options
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect::<Vec<_>>(),
        expect
    );
}

#[test]
fn button_options_need_an_engine_in_use() {
    let mut page = page(&OPTIONS, &[]);
    assert!(
        page.get_by_role_and_label(Role::Button, "Clear Hash")
            .accesskit_node()
            .is_disabled()
    );
    page.state_mut().in_use = "a".to_owned();
    page.run();
    page.get_by_role_and_label(Role::Button, "Clear Hash").click();
    page.run();
    assert_eq!(
        page.state().actions,
        [EnginesAction::PressButton("Clear Hash".to_owned())]
    );
}

#[test]
fn stores_changes_made_by_keyboard() {
    let mut page = page(&OPTIONS, &[]);
    page.state_mut().in_use = "a".to_owned();
    page.get_by_role_and_label(Role::CheckBox, "Ponder").focus();
    page.run();
    page.key_press(Key::Space);
    page.run();
    assert_eq!(
        page.state().stored().options["Ponder"],
        "true",
        "the focus stays where it is"
    );
    page.get_by_label(WindowWord::Restart.text(Lang::En));
    assert!(
        page.get_by_role_and_label(Role::CheckBox, "Ponder")
            .accesskit_node()
            .is_focused(),
        "whatever comes up"
    );
    page.get_by_role_and_label(Role::TextInput, "Contempt").focus();
    page.run();
    page.get_by_role_and_label(Role::TextInput, "Contempt")
        .type_text("1");
    page.run();
    assert!(
        !page.state().stored().options.contains_key("Contempt"),
        "it may become 12"
    );
    page.get_by_role_and_label(Role::TextInput, "EvalDir").focus();
    page.run();
    assert!(
        page.state().stored().options.contains_key("Contempt"),
        "the focus went on"
    );
}

#[test]
fn stores_typed_text_when_the_page_closes() {
    let mut page = page(&OPTIONS, &[]);
    for (name, text) in [("EvalDir", "/opt/評価"), ("Name", "2")] {
        page.get_by_role_and_label(Role::TextInput, name).focus();
        page.run();
        page.get_by_role_and_label(Role::TextInput, name).type_text(text);
        page.run();
    }
    page.state_mut().actions.clear();
    page.state_mut().leave();
    assert_eq!(
        page.state().actions,
        [EnginesAction::Rename("a".to_owned(), "a2".to_owned())]
    );
    assert_eq!(
        page.state().profiles.get("a2").unwrap().options["EvalDir"],
        "eval/opt/評価"
    );
    page.state_mut().actions.clear();
    page.state_mut().leave();
    assert_eq!(page.state().actions, [], "once");
}

#[test]
fn typed_text_keeps_changes_of_another_program() {
    let mut page = page(&OPTIONS, &[]);
    page.get_by_role_and_label(Role::TextInput, "Folder").focus();
    page.run();
    page.get_by_role_and_label(Role::TextInput, "Folder")
        .type_text("/x");
    page.run();
    page.state_mut().profiles.get_mut("a").unwrap().threads = Some(4);
    page.run();
    let stored = page.state().stored();
    assert_eq!((stored.folder.as_deref(), stored.threads), (Some("/x"), Some(4)));
}

#[test]
fn stores_typed_text_before_other_actions() {
    let mut page = page(&OPTIONS, &[]);
    let folder = |page: &Harness<'static, EnginesFixture>| page.state().stored().folder.clone();
    page.get_by_role_and_label(Role::TextInput, "Folder").focus();
    page.run();
    page.get_by_role_and_label(Role::TextInput, "Folder")
        .type_text("/x");
    page.run();
    assert_eq!(folder(&page), None);
    page.get_by_label("Duplicate").click();
    page.run();
    page.state_mut()
        .actions
        .retain(|action| !matches!(action, EnginesAction::Probe(_)));
    assert!(matches!(
        page.state().actions[..],
        [EnginesAction::Store { .. }, EnginesAction::Duplicate(_)]
    ));
    page.get_by_role_and_label(Role::TextInput, "Folder").focus();
    page.run();
    page.get_by_role_and_label(Role::TextInput, "Folder")
        .type_text("/y");
    page.run();
    page.get_by_role_and_label(Role::Button, "b ").click();
    page.run();
    assert_eq!(
        (folder(&page).as_deref(), page.state().page.selected_engine()),
        (Some("/x/y"), "b")
    );
}

#[test]
fn showing_a_profile_does_not_change_it() {
    let mut profile = Profile::new("a", ["/opt/engine".to_owned()]);
    profile.limit = Some(Limit::Time(Duration::from_millis(50)));
    (profile.threads, profile.hash_mb) = (Some(2), Some(100_000));
    profile.options.insert("Threads".to_owned(), "99".to_owned());
    let mut page = page_with_profile(&OPTIONS, profile.clone());
    assert_eq!(page.state().actions, []);
    page.get_by_role_and_label(Role::CheckBox, "Ponder").click();
    page.run();
    profile.options.insert("Ponder".to_owned(), "true".to_owned());
    assert_eq!(page.state().stored(), &profile);
    profile.limit = Some(Limit::Depth(2000));
    let page = page_with_profile(&OPTIONS, profile);
    assert_eq!(page.state().actions, []);
}

#[test]
fn offers_a_restart_after_changes() {
    let mut page = page(&OPTIONS, &[]);
    let offers = |page: &Harness<'static, EnginesFixture>| {
        page.query_by_label(WindowWord::Restart.text(Lang::En)).is_some()
    };
    page.state_mut().in_use = "a".to_owned();
    page.run();
    page.get_by_role_and_label(Role::CheckBox, "Ponder").click();
    page.run();
    assert!(offers(&page));
    page.state_mut().in_use = "b".to_owned();
    page.run();
    page.get_by_label_contains("b in use").click();
    page.run();
    assert!(!offers(&page), "nothing was changed in this one");
    page.state_mut().in_use = "a".to_owned();
    page.run();
    page.get_by_label_contains("a in use").click();
    page.run();
    page.get_by_label("Restart").click();
    page.run();
    assert_eq!(
        page.state().actions.last(),
        Some(&EnginesAction::Use("a".to_owned()))
    );
    assert!(!offers(&page));
}

#[test]
fn applies_a_chosen_path_only_to_its_engine() {
    let mut page = page(&OPTIONS, &[]);
    let choose = |page: &mut Harness<'static, EnginesFixture>| {
        page.get_all_by_label("Choose…").next().unwrap().click();
        page.run();
        assert_eq!(
            page.state().actions.last(),
            Some(&EnginesAction::Choose(PathPurpose::Folder))
        );
    };
    choose(&mut page);
    page.state_mut()
        .page
        .apply_path(&PathPurpose::Folder, Path::new("/opt/a"));
    page.run();
    assert_eq!(page.state().stored().folder.as_deref(), Some("/opt/a"));
    choose(&mut page);
    page.get_by_role_and_label(Role::Button, "b ").click();
    page.run();
    page.state_mut()
        .page
        .apply_path(&PathPurpose::Folder, Path::new("/opt/x"));
    page.run();
    assert_eq!(page.state().profiles.get("b").unwrap().folder, None);
}

#[test]
fn rejects_invalid_option_values() {
    let mut page = page(&OPTIONS, &[("Contempt", "7")]);
    page.get_by_role_and_label(Role::TextInput, "Contempt").focus();
    page.run();
    page.key_press_modifiers(Modifiers::COMMAND, Key::A);
    // Digits are typed one by one: 1 and 10 are valid values, too.
    for digit in ["1", "0", "0", "0"] {
        page.get_by_role_and_label(Role::TextInput, "Contempt")
            .type_text(digit);
        page.run();
    }
    page.key_press(Key::Tab);
    page.run();
    page.get_by_label("1000 is out of range (-100 to 100).");
    assert_eq!(page.state().stored().options["Contempt"], "7");
    page.get_by_role_and_label(Role::Button, "Default").click();
    page.run();
    assert!(page.state().stored().options.is_empty());
}

/// Returns the positions of controls of the page.
fn rects(
    page: &Harness<'static, EnginesFixture>,
    labels: &[&'static str],
) -> Vec<(&'static str, egui::Rect)> {
    labels
        .iter()
        .map(|label| (*label, page.get_all_by_label(label).last().expect(label).rect()))
        .collect()
}

const FIELD_LABELS: [&str; 6] = [
    "Duplicate",
    "Remove…",
    "Name",
    "Command",
    "Folder",
    "Threads: automatic",
];
/// The labels of controls of an engine that has answered.
const LABELS_WITH_OPTIONS: [&str; 8] = [
    "Duplicate",
    "Remove…",
    "Name",
    "Command",
    "Folder",
    "Threads: automatic",
    "Ponder",
    "Contempt",
];

#[test]
fn notices_do_not_move_the_page() {
    for width in [880.0, 1320.0] {
        let mut page = page(&OPTIONS, &[("Gone", "1")]);
        page.set_size(egui::vec2(width, 1100.0));
        page.state_mut().in_use = "a".to_owned();
        page.run();
        let before = rects(&page, &LABELS_WITH_OPTIONS);
        page.get_by_role_and_label(Role::CheckBox, "Ponder").click();
        page.run();
        let notice = page.get_by_label(WindowWord::Restart.text(Lang::En)).rect();
        assert_eq!(
            rects(&page, &LABELS_WITH_OPTIONS),
            before,
            "what is to be known of a change"
        );
        page.state_mut().error = Some("The engines were not changed: the disk is full. ".repeat(8));
        page.run();
        assert_eq!(rects(&page, &LABELS_WITH_OPTIONS), before, "what went wrong");
        assert!(before.iter().all(|(_, rect)| !rect.intersects(notice)));
        page.get_by_label("Remove").click();
        page.run();
        assert_eq!(
            rects(&page, &LABELS_WITH_OPTIONS),
            before,
            "what was taken out leaves its place empty"
        );
        write(&mut page, Role::TextInput, "Contempt", "1000");
        assert!(page.query_by_label_contains("1000 is out of range").is_some());
        assert_eq!(
            rects(&page, &LABELS_WITH_OPTIONS),
            before,
            "what is wrong with a value"
        );
        page.state_mut().probe = Probe::Pending;
        page.run();
        assert_eq!(
            rects(&page, &FIELD_LABELS),
            before[..6],
            "an engine that has not answered"
        );
    }
}

#[test]
fn options_end_above_the_notice() {
    let mut page = page(&OPTIONS, &[]);
    page.set_size(egui::vec2(880.0, 600.0));
    page.state_mut().error = Some("The engines were not changed: the disk is full. ".repeat(8));
    page.run();
    let mut is_any = false;
    for clipped in &page.output().shapes {
        let egui::Shape::Text(text) = &clipped.shape else {
            continue;
        };
        let is_notice = text.galley.text().contains("the disk is full");
        is_any |= is_notice;
        // A scrolled list is visible a few points beyond its edge.
        let is_in_list = !is_notice && text.pos.x > 270.0;
        assert!(
            !is_in_list || clipped.clip_rect.bottom() < 600.0 - REMARKS_HEIGHT + 5.0,
            "{}",
            text.galley.text()
        );
        assert!(!is_notice || clipped.clip_rect.top() > 600.0 - REMARKS_HEIGHT - 5.0);
    }
    assert!(is_any);
}

#[test]
fn two_quick_clicks_do_not_remove_a_profile() {
    let mut page = page(&[], &[]);
    let remove = page.get_by_label("Remove…").rect();
    page.get_by_label("Remove…").click();
    page.run();
    assert_eq!(page.get_by_label("Cancel").rect(), remove);
    page.get_by_label("Cancel").click();
    page.run();
    assert!(page.query_by_label("Really remove").is_none() && page.state().actions.is_empty());
}

#[test]
fn reports_a_missing_folder_at_its_field() {
    let mut page = page(&OPTIONS, &[]);
    let folder = page.get_by_role_and_label(Role::TextInput, "Folder").rect();
    write(&mut page, Role::TextInput, "Folder", "/nowhere");
    let asked = page.state().actions.iter().filter_map(|action| match action {
        EnginesAction::Probe(profile) => profile.folder.as_deref(),
        _ => None,
    });
    assert_eq!(asked.collect::<Vec<_>>(), ["/nowhere"], "it is asked there, once");
    page.state_mut().probe = Probe::Failed(ProbeAnswer::NotStarted(StartError::NoFolder("/nowhere".into())));
    page.run();
    page.get_by_label("There is no such folder.");
    page.get_by_label("The engine's folder '/nowhere' does not exist. Correct it in the engine's settings.");
    assert_eq!(
        page.get_by_role_and_label(Role::TextInput, "Folder").rect(),
        folder
    );
}

#[test]
fn search_finds_options() {
    let mut page = page(&OPTIONS, &[]);
    let shows = |page: &Harness<'static, EnginesFixture>, role, name| {
        page.query_by_role_and_label(role, name).is_some()
    };
    assert!(shows(&page, Role::TextInput, "Contempt"));
    write(&mut page, Role::TextInput, "Find an option", "book");
    assert!(shows(&page, Role::ComboBox, "BookFile") && !shows(&page, Role::TextInput, "Contempt"));
    write(&mut page, Role::TextInput, "Find an option", "nothing");
    page.get_by_label("No option matches.");
}

#[test]
fn shows_rejected_options_until_removed() {
    let mut page = page(&OPTIONS, &[("Gone", "1"), ("Contempt", "7")]);
    page.get_by_label("Settings this engine does not accept");
    page.get_by_label("Remove").click();
    page.run();
    assert_eq!(
        page.state().stored().options.keys().collect::<Vec<_>>(),
        ["Contempt"]
    );
    assert!(
        page.query_by_label("Settings this engine does not accept")
            .is_none()
    );
}

#[test]
fn changing_a_rejected_option_fixes_it() {
    let shows_title = |page: &Harness<'static, EnginesFixture>| {
        page.query_by_label("Settings this engine does not accept")
            .is_some()
    };
    let mut page = page(&OPTIONS, &[("Contempt", "700"), ("Skill Level", "99")]);
    assert!(shows_title(&page));
    write(&mut page, Role::TextInput, "Contempt", "7");
    assert!(shows_title(&page) && page.query_by_label("Contempt = 700").is_none());
    page.get_by_label("Remove").click();
    page.run();
    assert!(!shows_title(&page) && page.query_by_label_contains("is out of range").is_none());
    assert_eq!(
        page.state().stored().options.keys().collect::<Vec<_>>(),
        ["Contempt"]
    );
}

#[test]
fn numbers_are_automatic_or_set() {
    let mut page = page(&OPTIONS, &[]);
    assert!(
        page.get_by_role_and_label(Role::SpinButton, "Threads")
            .accesskit_node()
            .is_disabled()
    );
    page.get_by_label("Threads: automatic").click();
    page.run();
    assert_eq!(
        page.state().stored().threads,
        Some(2),
        "what was automatic is where one begins"
    );
    page.get_by_label("Threads: automatic").click();
    page.run();
    assert_eq!(page.state().stored().threads, None);
}

#[test]
fn scale_is_chosen_and_explained() {
    let mut page = page(&OPTIONS, &[]);
    page.get_by_label("What is this?").click();
    page.run();
    page.get_by_label_contains("1 / (1 + exp(-cp / K))");
    page.get_by_role_and_label(Role::ComboBox, "Win-rate scale K")
        .click();
    page.run();
    page.get_by_label_contains("dlshogi").click();
    page.run();
    assert_eq!(page.state().stored().model, WinRateModel::from_k(756.0865));
}

#[test]
fn duplicates_renames_and_removes_profiles() {
    let mut page = page(&[], &[]);
    page.get_by_label("This engine has no options.");
    page.get_by_label("Run alongside").click();
    page.run();
    assert_eq!(
        page.state_mut().actions.pop(),
        Some(EnginesAction::ToggleSecondEngine("a".to_owned()))
    );
    page.get_by_label("Duplicate").click();
    page.run();
    write(&mut page, Role::TextInput, "Name", "水匠");
    page.get_by_label("Remove…").click();
    page.run();
    page.state_mut()
        .actions
        .retain(|action| !matches!(action, EnginesAction::Probe(_)));
    assert_eq!(page.state().actions.len(), 2, "it is asked once more");
    page.get_by_label("Really remove").click();
    page.run();
    let expect = [
        EnginesAction::Duplicate("a".to_owned()),
        EnginesAction::Rename("a".to_owned(), "水匠".to_owned()),
        EnginesAction::Remove("水匠".to_owned()),
    ];
    assert_eq!(page.state().actions, expect);
}

#[test]
fn adds_an_engine_by_command_or_from_this_machine() {
    let mut page = page(&[], &[]);
    page.get_by_role_and_label(Role::Button, "Add a command…").click();
    page.run();
    page.get_by_role_and_label(Role::TextInput, "Add a command…")
        .type_text("ssh host './my engine'");
    page.run();
    // The first button belongs to the engine found on this machine.
    page.get_all_by_role_and_label(Role::Button, "Add")
        .last()
        .unwrap()
        .click();
    page.run();
    page.get_all_by_role_and_label(Role::Button, "Add")
        .next()
        .unwrap()
        .click();
    page.run();
    let expect = [&["ssh", "host", "./my engine"][..], &["/usr/games/gpsusi"]];
    let expect =
        expect.map(|words| EnginesAction::Add(words.iter().map(|word| (*word).to_owned()).collect()));
    assert_eq!(page.state().actions, expect);
}

/// The field opens where the button was. In a low window the list makes room for it.
#[test]
fn the_field_of_a_command_is_whole_in_a_low_window() {
    for height in [400.0, 656.0] {
        let mut page = page(&[], &[]);
        page.set_size(egui::vec2(1320.0, height));
        page.run();
        let button = page.get_by_role_and_label(Role::Button, "Add a command…");
        button.click();
        page.run();
        let window = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1320.0, height));
        for (role, label) in [(Role::TextInput, "Add a command…"), (Role::Button, "Cancel")] {
            let rect = page.get_by_role_and_label(role, label).rect();
            assert!(
                window.shrink(12.0).contains_rect(rect),
                "{height} {label}: {rect}"
            );
        }
        let [cancel, link] =
            ["Cancel", WindowWord::StrongEngines.text(Lang::En)].map(|label| page.get_by_label(label).rect());
        assert!(cancel.bottom() <= link.top(), "{cancel} {link}");
    }
}

/// There is no empty area for remarks. When one appears, the field that is being typed into keeps the focus.
#[test]
fn remarks_have_an_area_only_if_there_are_any() {
    let mut page = page(&[], &[]);
    page.state_mut().in_use = "a".to_owned();
    page.run();
    let has_area = |page: &Harness<'static, EnginesFixture>| {
        page.output().shapes.iter().any(|drawn| {
            let egui::Shape::Rect(area) = &drawn.shape else {
                return false;
            };
            let is_rail = area.fill == crate::theme::paper().rail;
            is_rail && area.rect.left() > 200.0 && area.rect.width() > 400.0 && area.rect.bottom() > 1090.0
        })
    };
    assert!(!has_area(&page));
    page.get_by_label("Threads: automatic").click();
    page.run();
    assert!(has_area(&page) && page.query_by_label(WindowWord::Restart.text(Lang::En)).is_some());
}

#[test]
fn command_field_releases_the_focus() {
    let mut page = page(&[], &[]);
    page.get_by_role_and_label(Role::Button, "Add a command…").click();
    page.run();
    assert!(
        page.get_by_role_and_label(Role::TextInput, "Add a command…")
            .accesskit_node()
            .is_focused()
    );
    page.get_by_role_and_label(Role::TextInput, "Name").focus();
    page.run();
    assert!(
        page.get_by_role_and_label(Role::TextInput, "Name")
            .accesskit_node()
            .is_focused()
    );
}

#[test]
fn resets_an_invalid_command() {
    let mut page = page(&[], &[]);
    write(&mut page, Role::TextInput, "Command", "/opt/other 'a b");
    assert_eq!(page.state().stored().program, "/opt/engine");
    write(&mut page, Role::TextInput, "Command", "/opt/other 'a b'");
    assert_eq!(page.state().stored().arguments, ["a b"]);
    assert!(matches!(
        page.state().actions[..],
        [EnginesAction::Store { .. }, EnginesAction::Probe(_)]
    ));
}

#[test]
fn command_accepts_japanese_input() {
    let mut page = page(&[], &[]);
    page.get_by_role_and_label(Role::Button, "Add a command…").click();
    page.run();
    let preedit = |text: &str| ImeEvent::Preedit {
        text: text.to_owned(),
        active_range_chars: Some(0..1),
    };
    for event in [
        preedit("すい"),
        preedit("水匠"),
        ImeEvent::Commit("水匠".to_owned()),
    ] {
        page.event(Event::Ime(event));
        page.run();
    }
    // The key that ends a composition belongs to the input method and has no other effect.
    assert!(page.state().actions.is_empty(), "{:?}", page.state().actions);
    page.key_press(Key::Enter);
    page.run();
    assert!(matches!(&page.state().actions[..], [EnginesAction::Add(words)] if *words == ["水匠"]));
}
