//! Tests of the dialog for an address.

use super::*;
use shogibar_live::LiveAddress;
use shogibar_live::source_text::SourcePhrase;

const CTRL: Modifiers = Modifiers {
    command: true,
    ..Modifiers::CTRL
};

/// Opens the page with the dialog.
fn dialog(lang: Lang) -> Harness<'static, StudyFixture> {
    let mut page = open(fixture(lang));
    page.key_press_modifiers(CTRL.plus(Modifiers::SHIFT), Key::O);
    page.run();
    page
}

/// Pastes a text into the dialog and presses Enter.
fn enter(page: &mut Harness<'static, StudyFixture>, text: &str) {
    page.event(Event::Paste(text.to_owned()));
    page.run();
    page.key_press(Key::Enter);
    page.run();
}

fn is_open(page: &Harness<'static, StudyFixture>) -> bool {
    page.query_by_label_contains(SourcePhrase::Manners.text(page.state().lang))
        .is_some()
}

fn open_action(text: &str) -> StudyAction {
    AppAction::OpenAddresses(vec![LiveAddress::parse(text).unwrap()]).into()
}

#[test]
fn a_pasted_address_is_opened() {
    let mut page = dialog(Lang::Ja);
    assert!(is_open(&page), "with the manners");
    enter(&mut page, "https://example.org/game.kif");
    assert_eq!(
        take_actions(&mut page),
        [open_action("https://example.org/game.kif")]
    );
    assert!(!is_open(&page));
}

#[test]
fn a_wrong_address_gets_a_sentence_and_can_be_corrected() {
    let mut page = dialog(Lang::En);
    enter(&mut page, "ftp://example.org/game.kif");
    assert!(take_actions(&mut page).is_empty() && is_open(&page));
    assert!(
        page.query_by_label_contains("Addresses of this kind are not supported")
            .is_some()
    );
    page.key_press(Key::Escape);
    page.run();
    assert!(!is_open(&page));
}

#[test]
fn a_recent_address_is_opened_by_a_click() {
    let mut page = dialog(Lang::En);
    assert!(
        page.query_by_label_contains("/games/old.kif").is_none(),
        "that is a file"
    );
    click(&mut page, "csa://me@host/g");
    assert_eq!(take_actions(&mut page), [open_action("csa://me@host/g")]);
}
