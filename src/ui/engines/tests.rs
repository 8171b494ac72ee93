use super::*;
use crate::ui::fonts;
use crate::usi::OptionSpec;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

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

/// A page with what it is about, and what was asked for on it.
struct Desk {
    page: EnginesPage,
    profiles: Profiles,
    inquiry: Inquiry,
    asked: Vec<EnginesAction>,
}

impl Desk {
    fn show(&mut self, ui: &mut Ui) {
        let found = [Found { name: "gpsshogi".to_owned(), path: "/usr/games/gpsusi".to_owned() }];
        let presets = Presets::built_in();
        let view = EnginesView {
            profiles: &self.profiles,
            found: &found,
            searching: false,
            inquiry: &self.inquiry,
            in_use: &["builtin".to_owned()],
            usual: &[(Number::MultiPv, 3), (Number::Threads, 2), (Number::Hash, 256)],
            presets: &presets,
            trouble: None,
            hint: None,
        };
        for action in self.page.show(ui, &view, &Theme::paper(), Lang::En) {
            if let EnginesAction::Store(profile) = &action {
                *self.profiles.get_mut(profile.name()).unwrap() = (**profile).clone();
            }
            self.asked.push(action);
        }
    }

    fn stored(&self) -> &Profile {
        self.profiles.get("a").unwrap()
    }
}

/// The page with one engine on view, which has these options.
fn page(options: &[&str], set: &[(&str, &str)]) -> Harness<'static, Desk> {
    let mut profiles = Profiles::default();
    let mut profile = Profile::new("a", ["/opt/engine".to_owned()]);
    profile.options = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    profiles.add(profile).unwrap();
    let options = options.iter().map(|line| OptionSpec::parse(line).unwrap()).collect();
    let inquiry = Inquiry::Known(Introduction { name: "Engine 1.0".to_owned(), options });
    let mut page = EnginesPage::default();
    page.select("a", &profiles);
    let desk = Desk { page, profiles, inquiry, asked: Vec::new() };
    let mut harness = Harness::builder()
        .with_size([960.0, 1100.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(|ui: &mut Ui, desk: &mut Desk| desk.show(ui), desk);
    harness.run();
    assert!(matches!(harness.state().asked[..], [EnginesAction::Ask(_)]), "an engine on view is asked who it is");
    harness.state_mut().asked.clear();
    harness
}

/// Writes into the field of this name, in place of what stands there, and goes elsewhere.
fn write(page: &mut Harness<'static, Desk>, role: Role, name: &str, text: &str) {
    page.get_by_role_and_label(role, name).focus();
    page.run();
    page.key_press_modifiers(Modifiers::COMMAND, Key::A);
    page.get_by_role_and_label(role, name).type_text(text);
    page.run();
    page.key_press(Key::Tab);
    page.run();
    // What follows the field may be one as well.
    page.ctx.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    page.run();
}

#[test]
fn an_option_is_changed_by_what_its_type_asks_for() {
    let mut page = page(&OPTIONS, &[]);
    page.get_by_role_and_label(Role::CheckBox, "Ponder").click();
    page.run();
    write(&mut page, Role::TextInput, "EvalDir", "/opt/評価");
    write(&mut page, Role::TextInput, "Skill Level", "-5");
    page.get_by_role_and_label(Role::ComboBox, "入玉ルール").click();
    page.run();
    page.get_by_label("トライルール").click();
    page.run();
    let expect = [("EvalDir", "/opt/評価"), ("Ponder", "true"), ("Skill Level", "-5"), ("入玉ルール", "トライルール")];
    let options = &page.state().stored().options;
    assert_eq!(options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>(), expect);
    page.get_by_role_and_label(Role::Button, "Clear Hash").click();
    page.run();
    assert_eq!(page.state().asked.last(), Some(&EnginesAction::Press("Clear Hash".to_owned())));
}

#[test]
fn a_value_that_the_engine_does_not_take_is_said_and_not_stored() {
    let mut page = page(&OPTIONS, &[("Contempt", "7")]);
    write(&mut page, Role::TextInput, "Contempt", "1000");
    page.get_by_label("1000 is outside; it goes from -100 to 100.");
    assert_eq!(page.state().stored().options["Contempt"], "7");
    page.get_by_role_and_label(Role::Button, "Default").click();
    page.run();
    assert!(page.state().stored().options.is_empty());
}

#[test]
fn options_are_found_by_a_word_of_them() {
    let mut page = page(&OPTIONS, &[]);
    let shows = |page: &Harness<'static, Desk>, role, name| page.query_by_role_and_label(role, name).is_some();
    assert!(shows(&page, Role::TextInput, "Contempt"));
    write(&mut page, Role::TextInput, "Find an option", "book");
    assert!(shows(&page, Role::ComboBox, "BookFile") && !shows(&page, Role::TextInput, "Contempt"));
    write(&mut page, Role::TextInput, "Find an option", "nothing");
    page.get_by_label("There is none.");
}

#[test]
fn what_does_not_fit_is_said_until_it_is_taken_out() {
    let mut page = page(&OPTIONS, &[("Gone", "1"), ("Contempt", "7")]);
    page.get_by_label("Settings that do not fit this engine");
    page.get_by_label("Take out").click();
    page.run();
    assert_eq!(page.state().stored().options.keys().collect::<Vec<_>>(), ["Contempt"]);
    assert!(page.query_by_label("Settings that do not fit this engine").is_none());
}

#[test]
fn the_numbers_of_every_engine_are_automatic_or_set() {
    let mut page = page(&OPTIONS, &[]);
    assert!(page.get_by_role_and_label(Role::SpinButton, "Threads").accesskit_node().is_disabled());
    page.get_by_label("Threads: automatic").click();
    page.run();
    assert_eq!(page.state().stored().threads, Some(2), "what was automatic is where one begins");
    page.get_by_label("Threads: automatic").click();
    page.run();
    assert_eq!(page.state().stored().threads, None);
}

#[test]
fn a_scale_is_chosen_and_explained() {
    let mut page = page(&OPTIONS, &[]);
    page.get_by_label("What is this?").click();
    page.run();
    page.get_by_label_contains("1 / (1 + exp(-cp / K))");
    page.get_by_role_and_label(Role::ComboBox, "Win-rate scale K").click();
    page.run();
    page.get_by_label_contains("dlshogi").click();
    page.run();
    assert_eq!(page.state().stored().k, Some(756.0865));
}

#[test]
fn a_profile_is_copied_called_otherwise_and_taken_out() {
    let mut page = page(&[], &[]);
    page.get_by_label("Nothing can be set in it.");
    page.get_by_label("Use it beside").click();
    page.run();
    assert_eq!(page.state_mut().asked.pop(), Some(EnginesAction::Beside("a".to_owned())));
    page.get_by_label("Duplicate").click();
    page.run();
    write(&mut page, Role::TextInput, "Name", "水匠");
    page.get_by_label("Remove…").click();
    page.run();
    assert_eq!(page.state().asked.len(), 2, "it is asked once more");
    page.get_by_label("Really remove").click();
    page.run();
    let expect = [
        EnginesAction::Duplicate("a".to_owned()),
        EnginesAction::Rename("a".to_owned(), "水匠".to_owned()),
        EnginesAction::Remove("a".to_owned()),
    ];
    assert_eq!(page.state().asked, expect);
}

#[test]
fn an_engine_is_added_by_a_command_or_from_this_machine() {
    let mut page = page(&[], &[]);
    page.get_by_role_and_label(Role::Button, "Add a command…").click();
    page.run();
    page.get_by_role_and_label(Role::TextInput, "Add a command…").type_text("ssh host './my engine'");
    page.run();
    // The first is that of the engine that was found.
    page.get_all_by_role_and_label(Role::Button, "Add").last().unwrap().click();
    page.run();
    page.get_all_by_role_and_label(Role::Button, "Add").next().unwrap().click();
    page.run();
    let expect = [&["ssh", "host", "./my engine"][..], &["/usr/games/gpsusi"]];
    let expect = expect.map(|words| EnginesAction::Add(words.iter().map(|word| (*word).to_owned()).collect()));
    assert_eq!(page.state().asked, expect);
}

#[test]
fn a_command_that_cannot_be_read_is_put_back() {
    let mut page = page(&[], &[]);
    write(&mut page, Role::TextInput, "Command", "/opt/other 'a b");
    assert_eq!(page.state().stored().program, "/opt/engine");
    write(&mut page, Role::TextInput, "Command", "/opt/other 'a b'");
    assert_eq!(page.state().stored().arguments, ["a b"]);
    assert!(matches!(page.state().asked[..], [EnginesAction::Ask(_), EnginesAction::Store(_)]));
}
