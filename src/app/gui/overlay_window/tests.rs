use super::{Action, OverlayWindow};
use crate::app::gui::scribe::{Asked, Scribe};
use crate::app::preferences::Preferences;
use crate::config::Layout;
use crate::study::Document;
use crate::text::{Command, Lang};
use crate::ui::{fonts, overlay};
use eframe::egui::{Event, Key, Modifiers, PointerButton, Ui, ViewportCommand, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use std::sync::{Arc, Mutex};

pub(super) fn window() -> (Harness<'static, OverlayWindow>, Asked) {
    let scribe = Scribe::new(Document::default());
    let asked = Arc::clone(&scribe.asked);
    let host = Arc::new(Mutex::new(scribe));
    let preferences = Arc::new(Mutex::new(Preferences::open(None, Lang::Ja)));
    let bar = OverlayWindow::new(host, preferences, Vec::new(), 3);
    let window = Harness::builder()
        .with_size(overlay::size_for(Layout::Full, 3, 1))
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(|ui: &mut Ui, window: &mut OverlayWindow| window.show(ui), bar);
    (window, asked)
}

fn closes(window: &Harness<'_, OverlayWindow>) -> bool {
    window
        .output()
        .viewport_output
        .get(&ViewportId::ROOT)
        .is_some_and(|output| output.commands.iter().any(|command| matches!(command, ViewportCommand::Close)))
}

fn open_menu(window: &mut Harness<'_, OverlayWindow>) {
    let center = window.get_by_label("評価値バー").rect().center();
    window.hover_at(center);
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::default());
        window.event(Event::PointerButton { pos: center, button, pressed, modifiers });
        window.step();
    }
    window.step();
}

#[test]
fn keys_walk_the_game() {
    let (mut window, asked) = window();
    let mut check = |keys: &[Key], expect: &[Action]| {
        asked.lock().unwrap().clear();
        for key in keys {
            window.key_press(*key);
        }
        window.step();
        assert_eq!(*asked.lock().unwrap(), expect, "{keys:?}");
    };
    check(&[Key::ArrowRight], &[Action::Step(1)]);
    check(&[Key::ArrowLeft], &[Action::Step(-1)]);
    check(&[Key::PageUp], &[Action::Step(-10)]);
    check(&[Key::PageDown], &[Action::Step(10)]);
    check(&[Key::Home], &[Action::First]);
    check(&[Key::End], &[Action::Last]);
    check(&[Key::Space], &[Action::Pause]);
    check(&[Key::E], &[Action::Follow]);
    check(&[Key::A], &[]);
    window.key_down(Key::Space);
    window.key_down(Key::Space);
    window.key_up(Key::Space);
    window.step();
    assert_eq!(asked.lock().unwrap().last(), Some(&Action::Pause));
    assert_eq!(asked.lock().unwrap().iter().filter(|action| **action == Action::Pause).count(), 1, "held is once");
}

#[test]
fn keys_close_the_window() {
    for key in [Key::Q, Key::Escape] {
        let (mut window, _) = window();
        window.step();
        assert!(!closes(&window), "it stays open until {key:?}");
        window.key_down(key);
        window.step();
        assert!(closes(&window), "{key:?} closes it");
    }
}

#[test]
fn the_host_closes_the_window() {
    let (mut window, asked) = window();
    asked.lock().unwrap().push(Action::Step(i32::MAX));
    window.step();
    assert!(closes(&window), "where the host is over there is nothing to show");
}

#[test]
fn the_menu_does_what_the_keys_do() {
    let (mut window, asked) = window();
    open_menu(&mut window);
    window.get_by_label_contains(Command::TenForward.text(Lang::Ja)).click();
    window.step();
    assert_eq!(*asked.lock().unwrap(), [Action::Step(10)], "ten moves on");

    open_menu(&mut window);
    window.key_down(Key::Escape);
    window.step();
    assert!(!closes(&window), "Escape closes the menu and not the window");
}
