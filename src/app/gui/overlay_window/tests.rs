use super::{
    AppAction, DesktopLimits, FramePacer, HotKeyEvents, MainPage, MainRequest, OverlaySetup, OverlayWindow,
    SettingGroup, SettingTarget,
};
use crate::app::gui::SharedViewer;
use crate::app::gui::screen_geometry::Screen;
use crate::app::gui::test_viewer::{Actions, actions, test_viewer};
use crate::app::preferences::Preferences;
use crate::app::viewer::{Viewer, ViewerParts};
use eframe::egui::epaint::ClippedShape;
use eframe::egui::{
    Context, Event, Key, Modifiers, PointerButton, Rect, Shape, Ui, Vec2, ViewportCommand, ViewportId, pos2,
    vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_config::settings_text::SettingItem;
use shogibar_config::{
    Background, Command, Layout, ModelCommand, ScreenPosition, Settings, Submenu, menu_text,
};
use shogibar_games::study::DocumentEdit;
use shogibar_model::ids::{BarId, RelayId};
use shogibar_model::observed_game::ObservedGame;
use shogibar_model::{AppEvent, AppModel, EngineInfo, KeyRefusal, Message, ModelOptions, StoredFiles};
use shogibar_shogi::History;
use shogibar_ui::window_text::{SharingReply, StartOffer};
use shogibar_ui::{fonts, overlay};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Window = Harness<'static, OverlayWindow>;

pub(super) fn window() -> (Window, Actions) {
    window_on(DesktopLimits::default(), |_| {})
}

/// Returns one screen, 1920 pixels wide.
fn screens() -> Vec<Screen> {
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(1920.0, 1080.0));
    vec![Screen {
        name: "screen".to_owned(),
        rect,
        scale: 1.0,
    }]
}

fn window_on(limits: DesktopLimits, change: impl FnOnce(&mut Settings)) -> (Window, Actions) {
    let viewer = test_viewer();
    let bar = lock(&viewer).model().study_bar();
    window_of(viewer, bar, limits, change)
}

fn window_of(
    viewer: SharedViewer,
    bar: BarId,
    limits: DesktopLimits,
    change: impl FnOnce(&mut Settings),
) -> (Window, Actions) {
    let asked = actions(&viewer);
    let bar = OverlayWindow::new(setup(viewer, bar, limits, change));
    let window = Harness::builder()
        // The size leaves room for the menu.
        .with_size(vec2(1000.0, 700.0))
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(|ui: &mut Ui, window: &mut OverlayWindow| window.show(ui), bar);
    (window, asked)
}

/// Returns the setup of the first bar on one screen.
fn setup(
    viewer: SharedViewer,
    bar: BarId,
    limits: DesktopLimits,
    change: impl FnOnce(&mut Settings),
) -> OverlaySetup {
    let mut preferences = Preferences::open(None, Lang::Ja);
    preferences.change(change);
    OverlaySetup {
        bar,
        viewer,
        number: 0,
        wake: Arc::new(|| {}),
        preferences: Arc::new(Mutex::new(preferences)),
        screens: screens(),
        candidates: 3,
        keys: HotKeyEvents::default(),
        limits,
        other_instances: 0,
        slot: 0,
        taken: Vec::new(),
        windows: Vec::new(),
        frames: Arc::default(),
        painter: FramePacer::Gpu,
        engines: Arc::default(),
    }
}

#[test]
fn a_further_bar_opens_beside_the_other_windows() {
    let viewer = test_viewer();
    let bar = lock(&viewer).model().study_bar();
    let first = Rect::from_min_size(pos2(541.0, 731.0), vec2(838.0, 277.0));
    let board = Rect::from_min_size(pos2(40.0, 40.0), vec2(600.0, 640.0));
    let page = Rect::from_min_size(pos2(660.0, 40.0), vec2(1000.0, 660.0));
    let open = |taken: &[Rect], windows: &[Rect]| {
        let window = OverlayWindow::new(OverlaySetup {
            slot: 1,
            number: 1,
            taken: taken.to_vec(),
            windows: windows.to_vec(),
            ..setup(Arc::clone(&viewer), bar, DesktopLimits::default(), |_| {})
        });
        window.occupied_rect(&Context::default()).unwrap()
    };
    let screen = screens()[0].rect;
    for (taken, windows) in [
        (vec![first], vec![]),
        (vec![first, board], vec![]),
        (vec![first, board], vec![page]),
    ] {
        let at = open(&taken, &windows);
        assert!(
            !taken
                .iter()
                .chain(&windows)
                .any(|other| other.intersect(at).is_positive()),
            "{at:?}"
        );
        assert!(screen.contains_rect(at) && at.width() > 500.0, "{at:?}");
    }
    // Below a page over the whole screen, it still keeps out of the bar and the board.
    let at = open(&[first, board], &[screen]);
    assert!(!first.intersects(at) && !board.intersects(at), "{at:?}");
}

fn commands(window: &Window) -> Vec<ViewportCommand> {
    let output = window.output().viewport_output.get(&ViewportId::ROOT);
    output.map(|output| output.commands.clone()).unwrap_or_default()
}

/// Moves the window to a position, and runs `quarters` frames of a quarter second.
fn move_and_wait(window: &mut Window, at: Rect, quarters: usize) {
    window
        .input_mut()
        .viewports
        .entry(ViewportId::ROOT)
        .or_default()
        .outer_rect = Some(at);
    window.run_steps(quarters);
}

fn stored_position(window: &Window) -> Option<ScreenPosition> {
    let preferences = lock(&window.state().setup.preferences);
    preferences.settings().positions.last().cloned()
}

fn change(window: &Window, change: impl FnOnce(&mut Settings)) {
    lock(&window.state().setup.preferences).change(change);
}

/// Removes and returns the transient notices and dismissals since the last call.
fn take_actions(asked: &Actions) -> Vec<AppAction> {
    let asked = std::mem::take(&mut *asked.lock().unwrap());
    asked
        .into_iter()
        .filter(|action| !action.dismisses_notices())
        .collect()
}

fn closes(window: &Window) -> bool {
    commands(window).contains(&ViewportCommand::Close)
}

fn open_menu(window: &mut Window) {
    let center = window.get_by_label("評価値バー").rect().center();
    window.hover_at(center);
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::default());
        window.event(Event::PointerButton {
            pos: center,
            button,
            pressed,
            modifiers,
        });
        window.step();
    }
    window.step();
}

#[test]
fn steps_through_the_game_by_keys() {
    let (mut window, asked) = window();
    let mut check = |keys: &[Key], expect: &[AppAction]| {
        asked.lock().unwrap().clear();
        for key in keys {
            window.key_press(*key);
        }
        window.step();
        assert_eq!(*asked.lock().unwrap(), expect, "{keys:?}");
    };
    check(&[Key::ArrowRight], &[AppAction::run(ModelCommand::Forward)]);
    check(&[Key::ArrowLeft], &[AppAction::run(ModelCommand::Back)]);
    check(&[Key::PageUp], &[AppAction::run(ModelCommand::TenBack)]);
    check(&[Key::PageDown], &[AppAction::run(ModelCommand::TenForward)]);
    check(&[Key::Home], &[AppAction::run(ModelCommand::First)]);
    check(&[Key::End], &[AppAction::run(ModelCommand::Last)]);
    check(&[Key::Space], &[AppAction::run(ModelCommand::Pause)]);
    check(&[Key::E], &[AppAction::run(ModelCommand::NextEngine)]);
    check(&[Key::Y], &[AppAction::run(ModelCommand::TurningPoint)]);
    check(&[Key::Z], &[]);
    window.key_down(Key::Space);
    window.key_down(Key::Space);
    window.key_up(Key::Space);
    window.step();
    assert_eq!(
        asked.lock().unwrap().last(),
        Some(&AppAction::run(ModelCommand::Pause))
    );
    assert_eq!(
        asked
            .lock()
            .unwrap()
            .iter()
            .filter(|action| **action == AppAction::run(ModelCommand::Pause))
            .count(),
        1,
        "held is once"
    );
}

#[test]
fn quits_by_q_but_not_by_escape() {
    for (key, expect) in [(Key::Q, true), (Key::Escape, false)] {
        let (mut window, _) = window();
        window.step();
        assert!(!closes(&window), "it stays open until {key:?}");
        window.key_down(key);
        window.step();
        assert_eq!(closes(&window), expect, "{key:?}");
    }
}

#[test]
fn escape_dismisses_a_notice() {
    let (mut window, asked) = window();
    window.run_steps(4);
    window.key_press(Key::T);
    window.step();
    take_actions(&asked);
    window.key_press(Key::Escape);
    window.step();
    assert!(matches!(take_actions(&asked)[..], [AppAction::EndNotice(_)]));
    window.key_press(Key::Escape);
    window.step();
    assert_eq!(
        take_actions(&asked),
        [],
        "what is wrong with an engine is not taken back"
    );
}

#[test]
fn closes_when_the_viewer_is_over() {
    let (mut window, _) = window();
    lock(&window.state().setup.viewer).act_on_study(AppAction::RequestQuit);
    window.step();
    assert!(closes(&window), "there is nothing more to show");
}

#[test]
fn menu_entries_act_like_keys() {
    let (mut window, asked) = window();
    open_menu(&mut window);
    window
        .get_by_label_contains(Submenu::Moves.text(Lang::Ja))
        .click();
    window.run_steps(2);
    window
        .get_by_label_contains(menu_text(Command::TenForward, Lang::Ja))
        .click();
    window.step();
    assert_eq!(
        *asked.lock().unwrap(),
        [AppAction::run(ModelCommand::TenForward)],
        "ten moves on"
    );

    open_menu(&mut window);
    window.key_down(Key::Escape);
    window.step();
    assert!(!closes(&window), "Escape closes the menu and not the window");
}

#[test]
fn reports_the_manual_address_without_a_browser() {
    let (mut window, asked) = window();
    open_menu(&mut window);
    window
        .get_by_label_contains(menu_text(Command::Manual, Lang::Ja))
        .click();
    let mut all = Vec::new();
    for _ in 0..2000 {
        window.step();
        all.extend(take_actions(&asked));
        if !all.is_empty() {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(10));
    }
    let [AppAction::ShowNotice(remark)] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert!(
        remark.text(Lang::Ja).ends_with("/docs/manual.ja.md"),
        "{remark:?}"
    );
}

#[test]
fn stores_the_position_once_the_window_stands_still() {
    let (mut window, _) = window();
    let at = |x: f32| Rect::from_min_size(pos2(x, 500.0), vec2(1080.0, 204.0));
    window.run_steps(5);
    let mut check = |at: Rect, quarters: usize, expect: bool| {
        move_and_wait(&mut window, at, quarters);
        assert_eq!(window.state().has_moved(), expect, "{at}");
    };
    check(at(100.0), 1, false);
    check(at(110.0), 1, false);
    // The button may be down all the while: the window manager has the pointer, and does not report it.
    check(at(120.0), 1, false);
    check(at(120.0), 2, true);
    window.state_mut().store_position(screens());
    let position = ScreenPosition {
        screen: "screen".to_owned(),
        x: 120,
        y: 500,
    };
    assert_eq!(stored_position(&window), Some(position.clone()));
    move_and_wait(&mut window, at(120.0), 4);
    assert!(!window.state().has_moved(), "it has not moved since");
    // Quitting at once still stores the position.
    move_and_wait(&mut window, at(130.0), 1);
    window.key_press(Key::Q);
    window.step();
    assert_eq!(
        stored_position(&window),
        Some(ScreenPosition { x: 130, ..position })
    );
}

#[test]
fn stores_the_size_of_an_unplaced_window() {
    let limits = DesktopLimits {
        is_position_unknown: true,
        ..DesktopLimits::default()
    };
    let (mut window, _) = window_on(limits, |_| {});
    window.set_size(vec2(700.0, 150.0));
    window.run_steps(8);
    assert!(window.state().has_moved());
    window.state_mut().store_position(screens());
    assert_eq!(stored_position(&window), None);
    let preferences = lock(&window.state().setup.preferences);
    assert_eq!(
        preferences.settings().sizes.get(Layout::Full, 1),
        Some([700, 150])
    );
}

#[test]
fn restores_the_last_position() {
    let position = ScreenPosition {
        screen: "screen".to_owned(),
        x: 300,
        y: 200,
    };
    let (mut window, _) = window_on(DesktopLimits::default(), |settings| {
        settings.positions.store(position);
        settings.sizes.store(Layout::Full, 1, Some([500, 110]));
        settings.sizes.store(Layout::Full, 2, Some([500, 160]));
    });
    assert_eq!(window.state_mut().builder().position, Some(pos2(300.0, 200.0)));
    let mut moved = Vec::new();
    window
        .input_mut()
        .viewports
        .entry(ViewportId::ROOT)
        .or_default()
        .outer_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(500.0, 110.0)));
    for _ in 0..8 {
        window.step();
        moved.extend(
            commands(&window)
                .into_iter()
                .filter(|one| matches!(one, ViewportCommand::OuterPosition(_))),
        );
    }
    assert_eq!(
        moved,
        [ViewportCommand::OuterPosition(pos2(300.0, 200.0))],
        "once, where the system put it elsewhere"
    );
}

#[test]
fn keeps_another_layout_on_the_screen() {
    let (mut window, _) = window();
    move_and_wait(
        &mut window,
        Rect::from_min_size(pos2(400.0, 804.0), vec2(1080.0, 204.0)),
        5,
    );
    change(&window, |settings| settings.overlay.layout = Layout::Vertical);
    window.step();
    let commands = commands(&window);
    let size = commands.iter().find_map(|one| {
        if let ViewportCommand::InnerSize(size) = one {
            Some(*size)
        } else {
            None
        }
    });
    let size = size.unwrap();
    assert!(size.y > 276.0, "{size} is more than there is below");
    assert!(
        commands.contains(&ViewportCommand::OuterPosition(pos2(400.0, 1080.0 - size.y))),
        "{commands:?}"
    );
    assert!(
        commands.contains(&ViewportCommand::MinInnerSize(overlay::minimum_size(
            Layout::Vertical
        )))
    );
}

#[test]
fn keeps_a_size_for_each_layout() {
    let (mut window, _) = window();
    let mut turn_to = |layout, size: Option<Vec2>| {
        change(&window, |settings| settings.overlay.layout = layout);
        window.step();
        let asked = commands(&window).into_iter().find_map(|one| match one {
            ViewportCommand::InnerSize(size) => Some(size),
            _ => None,
        });
        // The window system sets a size first, then the user.
        for size in [asked, size].into_iter().flatten() {
            move_and_wait(&mut window, Rect::from_min_size(pos2(10.0, 10.0), size), 5);
            if window.state().has_moved() {
                window.state_mut().store_position(screens());
            }
        }
        asked
    };
    let full = vec2(1400.0, 300.0);
    assert_eq!(turn_to(Layout::Full, Some(full)), None);
    let usual = turn_to(Layout::Bar, None).unwrap();
    assert_ne!(usual, full, "nobody gave it that");
    assert_eq!(turn_to(Layout::Full, None), Some(full));
    // Switching at once leaves the size of the former layout.
    assert_eq!(turn_to(Layout::Bar, None), Some(usual));
    let settings = lock(&window.state().setup.preferences).settings().clone();
    let sizes = [Layout::Full, Layout::Bar].map(|layout| settings.sizes.get(layout, 1));
    assert_eq!(sizes, [Some([1400, 300]), None]);
}

#[test]
fn restores_position_and_size_of_a_layout() {
    let (mut window, _) = window();
    let rect = |at: (f32, f32), size: (f32, f32)| Rect::from_min_size(pos2(at.0, at.1), vec2(size.0, size.1));
    // The system applies at once what the window requests.
    let follow = |window: &mut Window, mut at: Rect| {
        for _ in 0..8 {
            window.step();
            for command in commands(window) {
                match command {
                    ViewportCommand::InnerSize(size) => at = Rect::from_min_size(at.min, size),
                    ViewportCommand::OuterPosition(pos) => at = Rect::from_min_size(pos, at.size()),
                    _ => {}
                }
            }
            window
                .input_mut()
                .viewports
                .entry(ViewportId::ROOT)
                .or_default()
                .outer_rect = Some(at);
        }
        window.state_mut().store_position(screens());
        at
    };
    let small = rect((400.0, 1000.0), (160.0, 30.0));
    move_and_wait(&mut window, small, 8);
    window.state_mut().store_position(screens());
    let mut at = small;
    for layout in Layout::ALL.iter().cycle().skip(1).take(Layout::ALL.len()) {
        change(&window, |settings| settings.overlay.layout = *layout);
        at = follow(&mut window, at);
        assert!(at.max.y <= 1080.0, "{layout:?} at {at}");
    }
    assert_eq!(at, small);
}

/// Returns the text of the notice on the bar.
fn shown(window: &Window) -> Option<String> {
    let setup = &window.state().setup;
    let view = lock(&setup.viewer).bar_view(setup.bar).clone();
    view.notice.map(|notice| notice.text)
}

#[test]
fn reports_unsupported_settings_once() {
    let limits = DesktopLimits {
        is_opaque: true,
        is_position_unknown: true,
        ..DesktopLimits::default()
    };
    let (mut window, _) = window_on(limits, |settings| settings.window.background = Background::Opaque);
    let [not_on_top, not_transparent] =
        [Message::NotOnTop, Message::NotTransparent].map(|text| text.text(Lang::Ja));
    window.step();
    assert_eq!(shown(&window).as_ref(), Some(&not_on_top));
    change(&window, |settings| {
        settings.window.background = Background::Transparent;
    });
    window.run_steps(8);
    assert_eq!(
        shown(&window).as_ref(),
        Some(&not_on_top),
        "first the notice that is shown already"
    );
    window.run_steps(16);
    assert_eq!(shown(&window).as_ref(), Some(&not_transparent));
    window.run_steps(26);
    assert_eq!(shown(&window), None, "once");
}

#[test]
fn reports_failed_keys_one_by_one() {
    let (mut window, _) = window();
    window.step();
    let taken = ["F1", "F2"].map(|key| Message::KeyRefused(key.to_owned(), KeyRefusal::Taken));
    lock(&window.state().setup.viewer).act_on_study(AppAction::QueueNotices(taken.to_vec()));
    let mut notices = Vec::new();
    for _ in 0..60 {
        window.step();
        if notices.last() != shown(&window).as_ref() {
            notices.extend(shown(&window));
        }
    }
    assert_eq!(notices, taken.map(|key| key.text(Lang::Ja)));
    assert_eq!(shown(&window), None);
}

#[test]
fn toggles_click_through() {
    let (mut window, asked) = window();
    window.run_steps(4);
    assert_eq!(window.state_mut().builder().mouse_passthrough, Some(false));
    window.key_press(Key::T);
    window.step();
    assert_eq!(window.state_mut().builder().mouse_passthrough, Some(true));
    // No key works everywhere, so the message names none.
    assert_eq!(
        take_actions(&asked),
        [AppAction::ShowNotice(Message::ClicksGoThrough(String::new()))]
    );
    assert!(
        window.state().has_click_through_changed(),
        "the window was not shown with click-through yet"
    );
    window.step();
    assert!(!window.state().has_click_through_changed());
    window.key_press(Key::T);
    window.step();
    assert_eq!(window.state_mut().builder().mouse_passthrough, Some(false));
    assert!(matches!(take_actions(&asked)[..], [AppAction::EndNotice(_)]));
}

#[test]
fn the_menu_s_button_is_drawn_whole() {
    let (mut window, _) = window();
    window.run_steps(4);
    // The first steps, which also have a menu button, end with a key.
    window.key_press(Key::ArrowRight);
    window.step();
    let center = window.get_by_label("評価値バー").rect().center();
    window.hover_at(center);
    window.run_steps(2);
    let button = window.get_by_label(StartOffer::Menu.text(Lang::Ja)).rect();
    let is_sign =
        |drawn: &&ClippedShape| matches!(&drawn.shape, Shape::Text(text) if text.galley.text() == "⋯");
    let drawn = window.output().shapes.iter().find(is_sign).unwrap();
    assert!(
        drawn.clip_rect.contains_rect(button.expand(1.0)),
        "{button} {}",
        drawn.clip_rect
    );
}

#[test]
fn opens_the_start_page_after_the_bar_is_placed() {
    let (mut window, _) = window_on(DesktopLimits::default(), |_| {});
    let bar = window.state_mut();
    bar.request_page(MainPage::Study);
    bar.frame_count = 0;
    assert!(
        bar.take_requests().is_empty(),
        "nobody knows yet what is beside it"
    );
    window.run_steps(3);
    assert_eq!(
        window.state_mut().take_requests(),
        [MainRequest::Page(MainPage::Study)],
        "and it is not forgotten"
    );
}

#[test]
fn every_request_to_the_main_window_is_carried_out() {
    let (mut window, _) = window();
    window.run_steps(4);
    window.key_press(Key::N);
    window.key_press(Key::S);
    window.step();
    let pages = [MainPage::Engines, MainPage::Settings].map(MainRequest::Page);
    assert_eq!(window.state_mut().take_requests(), pages, "in order");
    assert_eq!(window.state_mut().take_requests(), [], "once");
}

#[test]
fn a_second_start_opens_the_switch_of_click_through() {
    let (mut window, _) = window();
    window.run_steps(4);
    let mut opened = |is_through| {
        change(&window, |settings| settings.window.click_through = is_through);
        let ctx = window.ctx.clone();
        window.state_mut().open_for_second_start(&ctx);
        window.state_mut().take_requests()
    };
    assert_eq!(opened(false), [MainRequest::Page(MainPage::Study)]);
    assert_eq!(
        opened(true),
        [MainRequest::Settings(SettingTarget::Item(
            SettingItem::ClickThrough
        ))]
    );
}

#[test]
fn players_and_an_address_are_entered_in_a_small_window_at_the_bar() {
    let (mut window, asked) = window();
    window.run_steps(4);
    open_menu(&mut window);
    window.get_by_label_contains("対局者・手合割…").click();
    window.run_steps(4);
    assert!(window.state().small_windows.is_open() && window.state_mut().take_requests().is_empty());
    window.event(Event::Text("甲".to_owned()));
    window.run_steps(2);
    window.get_by_label("決定").click();
    window.run_steps(3);
    assert!(!window.state().small_windows.is_open());
    let entered = |action: &AppAction| matches!(action, AppAction::Edit(DocumentEdit::SetHeaders { names, .. }) if names[0] == "甲");
    assert!(asked.lock().unwrap().iter().any(entered));
    window.key_press(Key::U);
    window.run_steps(3);
    assert!(window.query_by_label("URL").is_some() && window.state_mut().take_requests().is_empty());
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert!(!window.state().small_windows.is_open());
}

#[test]
fn the_command_palette_opens_at_the_bar_and_knows_what_other_windows_do() {
    let (mut window, _) = window();
    window.run_steps(4);
    let mut choose = |words: &str| {
        window.key_press_modifiers(
            Modifiers {
                command: true,
                ..Modifiers::CTRL
            },
            Key::K,
        );
        window.run_steps(3);
        window.event(Event::Text(words.to_owned()));
        window.run_steps(2);
        window.key_press(Key::Enter);
        window.run_steps(2);
        let state = window.state_mut();
        assert!(!state.small_windows.is_open(), "{words}");
        state.take_requests()
    };
    let settings = MainRequest::Settings;
    assert_eq!(choose("obs"), [settings(SettingTarget::Group(SettingGroup::Obs))]);
    assert_eq!(
        choose("chroma key colour"),
        [settings(SettingTarget::Item(SettingItem::KeyColor))]
    );
    assert_eq!(choose("turn the board"), [MainRequest::Run(Command::Flip)]);
    assert_eq!(choose("vertical"), []);
    let preferences = Arc::clone(&window.state().setup.preferences);
    assert_eq!(lock(&preferences).settings().overlay.layout, Layout::Vertical);
}

/// Returns the window of a further bar, which would start a third engine.
fn window_with_third_engine() -> (Window, Actions) {
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let first = model.study_bar();
    for name in ["a", "b"] {
        let info = EngineInfo {
            name: name.to_owned(),
            is_profile: true,
            candidates: 1,
            threads: 1,
            relay: None,
        };
        model.add_engine(first, info);
    }
    for action in [
        AppAction::PasteText("position startpos moves 7g7f".to_owned()),
        AppAction::run(ModelCommand::AddGame),
        AppAction::run(ModelCommand::AddBar),
    ] {
        model.update(AppEvent::Action(first, action));
    }
    let bar = model.bars().last().unwrap().0;
    let viewer = Arc::new(Mutex::new(Viewer::new(
        model,
        None,
        ViewerParts::without_engines(),
    )));
    window_of(viewer, bar, DesktopLimits::default(), |_| {})
}

#[test]
fn a_bar_asks_before_a_third_engine_starts() {
    let question = "エンジンが2つ動いています";
    let (mut window, asked) = window_with_third_engine();
    window.run_steps(6);
    assert!(window.query_by_label_contains(question).is_some());
    window.get_by_label(SharingReply::Start.text(Lang::Ja)).click();
    window.run_steps(4);
    assert!(asked.lock().unwrap().contains(&AppAction::StartOfferedEngines));
    assert!(window.query_by_label_contains(question).is_none());

    let (mut window, asked) = window_with_third_engine();
    window.run_steps(6);
    window.get_by_label(SharingReply::Share.text(Lang::Ja)).click();
    window.run_steps(2);
    let preferences = Arc::clone(&window.state().setup.preferences);
    assert!(lock(&preferences).settings().general.shares_engines);
    assert!(window.query_by_label_contains(question).is_none());
    assert_eq!(take_actions(&asked), []);

    // Without an answer, no engine starts, and the question does not return.
    let (mut window, asked) = window_with_third_engine();
    window.run_steps(6);
    window.key_press(Key::Escape);
    window.run_steps(6);
    assert!(window.query_by_label_contains(question).is_none());
    assert!(!asked.lock().unwrap().contains(&AppAction::StartOfferedEngines));
}

fn window_of_live_game() -> Window {
    let (window, _) = window();
    let relay = RelayId(1);
    let mut viewer = lock(&window.state().setup.viewer);
    viewer.handle(AppEvent::RelayConnected(relay, "engine".to_owned()));
    let position = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    let game = ObservedGame {
        position: Some(position),
        number: 1,
        ..ObservedGame::default()
    };
    viewer.handle(AppEvent::RelayChanged(relay, Box::new(game)));
    drop(viewer);
    window
}

#[test]
fn asks_before_it_quits_while_a_live_game_is_shown() {
    let check = |keys: &[Key], frames: usize, ends: bool| {
        let mut window = window_of_live_game();
        window.run_steps(4);
        for key in keys {
            window.key_press(*key);
            window.step();
        }
        window.run_steps(frames);
        let asks = window.query_by_label_contains("終了しますか").is_some();
        assert_eq!(
            (window.state().is_quitting(), asks),
            (ends, keys.len() == 1 && frames == 1),
            "{keys:?}"
        );
    };
    check(&[Key::Q], 1, false);
    check(&[Key::Q], 50, false);
    check(&[Key::Q, Key::Escape], 1, false);
    check(&[Key::Q, Key::N], 1, false);
    check(&[Key::Q, Key::Enter], 0, true);
    check(&[Key::Q, Key::Y], 0, true);
    // No question is asked where no game is live.
    let (mut window, _) = window();
    window.run_steps(4);
    window.key_press(Key::Q);
    window.step();
    assert!(window.state().is_quitting());
}
