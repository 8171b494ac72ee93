//! The bar's window: no frame, on top, moved and resized by its body.

use super::main_window::Page;
use super::{SharedHost, TITLE, lock, menu, window};
use crate::app::state::Action;
use crate::config::Layout;
use crate::text::Command;
use crate::ui::overlay::{self, Look, Overlay};
use crate::ui::{Theme, Waker};
use eframe::egui;
use egui::{Context, Event, Key, Popup, Ui, ViewportBuilder, ViewportCommand, ViewportId};
use std::path::PathBuf;

/// The window as it opens, large enough for so many candidates.
pub(super) fn builder(candidates: usize) -> ViewportBuilder {
    ViewportBuilder::default()
        .with_title(TITLE)
        .with_app_id("shogibar")
        .with_inner_size(overlay::size_for(Layout::Full, candidates, 1))
        .with_min_inner_size([160.0, 48.0])
        .with_decorations(false)
        .with_has_shadow(false)
        .with_transparent(true)
        .with_always_on_top()
}

/// What the bar's window keeps from frame to frame.
pub(super) struct OverlayWindow {
    host: SharedHost,
    theme: Theme,
    overlay: Overlay,
    /// The page of the main window that was asked for.
    wanted: Option<Page>,
}

impl OverlayWindow {
    pub(super) fn new(host: SharedHost) -> Self {
        Self { host, theme: Theme::ink(), overlay: Overlay::default(), wanted: None }
    }

    /// The page of the main window that was asked for since, if one was.
    pub(super) fn wanted_page(&mut self) -> Option<Page> {
        self.wanted.take()
    }

    /// One frame.
    pub(super) fn show(&mut self, ui: &Ui) {
        let ctx = ui.ctx().clone();
        ctx.set_visuals(self.theme.visuals());
        if lock(&self.host).is_over() || ctx.input(|input| input.viewport().close_requested()) {
            quit(&ctx);
        }
        for (command, times) in pressed(&ctx) {
            self.obey(&ctx, command, times);
        }
        for path in dropped(&ctx) {
            lock(&self.host).act(&Action::Open(path));
        }
        let (lang, ground) = {
            let mut host = lock(&self.host);
            let lang = host.lang();
            (lang, self.overlay.show(ui, host.view(), &Look::new(self.theme, lang)))
        };
        window::drag(&ground);
        if let Some(command) = menu::show(&ground, lang) {
            self.obey(&ctx, command, 1);
            // What came of it is on the next frame.
            let here = ctx.viewport_id();
            Waker::new(ctx, here).wake();
        }
    }

    /// Does what a key or an entry of the menu stands for, `times` times over.
    fn obey(&mut self, ctx: &Context, command: Command, times: i32) {
        let action = match command {
            Command::Back => Action::Step(-times),
            Command::Forward => Action::Step(times),
            Command::TenBack => Action::Step(-10 * times),
            Command::TenForward => Action::Step(10 * times),
            Command::First => Action::First,
            Command::Last => Action::Last,
            Command::Pause => Action::Pause,
            Command::Follow => Action::Follow,
            Command::Engines => {
                self.wanted = Some(Page::Engines);
                return Waker::new(ctx.clone(), ViewportId::ROOT).wake();
            }
            Command::Quit => return quit(ctx),
        };
        lock(&self.host).act(&action);
    }
}

/// Closes the program's windows: with the root goes every other.
fn quit(ctx: &Context) {
    ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Close);
}

/// The commands whose keys went down, and how often since the last frame: a key that is held repeats.
fn pressed(ctx: &Context) -> Vec<(Command, i32)> {
    const KEYS: [(Key, Command); 11] = [
        (Key::ArrowLeft, Command::Back),
        (Key::ArrowRight, Command::Forward),
        (Key::PageUp, Command::TenBack),
        (Key::PageDown, Command::TenForward),
        (Key::Home, Command::First),
        (Key::End, Command::Last),
        (Key::Space, Command::Pause),
        (Key::E, Command::Follow),
        (Key::N, Command::Engines),
        (Key::Q, Command::Quit),
        (Key::Escape, Command::Quit),
    ];
    // Escape closes the menu first.
    let menu = Popup::is_any_open(ctx);
    let keys = KEYS.into_iter().filter(|(key, _)| !(menu && *key == Key::Escape));
    ctx.input(|input| {
        let times = |key, command| {
            // What goes to and fro does not while the key is held.
            let held = !matches!(command, Command::Pause | Command::Follow);
            let is_press = |event: &&Event| matches!(event, Event::Key { key: pressed, pressed: true, repeat, .. } if *pressed == key && (held || !repeat));
            i32::try_from(input.events.iter().filter(is_press).count()).unwrap_or(i32::MAX / 10)
        };
        keys.map(|(key, command)| (command, times(key, command))).filter(|(_, times)| *times > 0).collect()
    })
}

/// The files dropped on the window.
fn dropped(ctx: &Context) -> Vec<PathBuf> {
    ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::{Action, OverlayWindow};
    use crate::app::gui::Host;
    use crate::bar::View;
    use crate::text::{Command, Lang};
    use crate::ui::{fonts, overlay};
    use eframe::egui::{Event, Key, Modifiers, PointerButton, Ui, ViewportCommand, ViewportId};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;
    use std::sync::{Arc, Mutex};

    /// Shows nothing, writes down what it is asked for, and is over when it is sent beyond every game.
    struct Scribe(View, Arc<Mutex<Vec<Action>>>);

    impl Host for Scribe {
        fn view(&mut self) -> &View {
            &self.0
        }

        fn act(&mut self, action: &Action) {
            self.1.lock().unwrap().push(action.clone());
        }

        fn engines(&self) -> Vec<&str> {
            vec!["builtin"]
        }

        fn lang(&self) -> Lang {
            Lang::Ja
        }

        fn is_over(&self) -> bool {
            self.1.lock().unwrap().contains(&Action::Step(i32::MAX))
        }
    }

    fn window() -> (Harness<'static, OverlayWindow>, Arc<Mutex<Vec<Action>>>) {
        let asked = Arc::<Mutex<Vec<Action>>>::default();
        let host = Arc::new(Mutex::new(Scribe(View::default(), Arc::clone(&asked))));
        let window = Harness::builder()
            .with_size(overlay::size_for(Layout::Full, 3, 1))
            .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
            .build_ui_state(|ui: &mut Ui, window: &mut OverlayWindow| window.show(ui), OverlayWindow::new(host));
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
}
