//! The window: a thin shell of eframe around a [`Host`].

mod menu;
mod window;

use super::state::Action;
use crate::bar::View;
use crate::text::{Command, Lang};
use crate::ui::overlay::{self, Overlay};
use crate::ui::{Theme, Waker, fonts};
use eframe::egui;
use egui::{Context, Key, Popup, Ui, ViewportBuilder, ViewportCommand, ViewportId};
use std::path::PathBuf;

/// The name of the window. Programs that record it, OBS for one, find it again by this.
const TITLE: &str = "Shogibar";

/// Who knows what the window is to show, and does what is asked for in it.
pub trait Host {
    /// What the bar shows now. Called for every frame, so it has to be at hand.
    fn view(&mut self) -> &View;

    /// Does what the user asked for.
    fn act(&mut self, action: &Action);

    /// The language of the screen.
    fn lang(&self) -> Lang;

    /// Whether the window is to close.
    fn is_over(&self) -> bool;
}

/// Why there is no window, or no window any more.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no display, or none that lets us in: the terminal may still do.
    #[error("there is no display to open a window on")]
    NoDisplay,
    /// There is a display, but no window came of it.
    #[error("the window failed: {0}")]
    Window(String),
}

/// Opens the window, large enough for so many `candidates`, and returns when it is closed, by the user or because the host is over. `on_waker`
/// is called once, before the first frame, with what wakes the window whenever there is something new
/// to see.
///
/// Has to be called on the main thread, as some systems allow windows nowhere else. No display and no
/// graphics card is touched before.
///
/// # Errors
/// [`Error::NoDisplay`] before anything was shown, [`Error::Window`] for everything else.
pub fn run(host: &mut dyn Host, candidates: usize, on_waker: impl FnOnce(Waker)) -> Result<(), Error> {
    let created = move |creation: &eframe::CreationContext<'_>| {
        let ctx = &creation.egui_ctx;
        let shell = Shell::new(host);
        fonts::install(ctx);
        ctx.set_visuals(shell.theme.visuals());
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        on_waker(Waker::new(ctx.clone(), ViewportId::ROOT));
        Ok(Box::new(shell) as Box<dyn eframe::App + '_>)
    };
    eframe::run_native(TITLE, options(candidates), Box::new(created)).map_err(|error| match error {
        eframe::Error::WinitEventLoop(_) => Error::NoDisplay,
        other => Error::Window(other.to_string()),
    })
}

fn options(candidates: usize) -> eframe::NativeOptions {
    let viewport = ViewportBuilder::default()
        .with_title(TITLE)
        .with_app_id("shogibar")
        .with_icon(window::icon())
        .with_inner_size(overlay::size_for(candidates))
        .with_min_inner_size([160.0, 48.0])
        .with_decorations(false)
        .with_has_shadow(false)
        .with_transparent(true)
        .with_always_on_top();
    eframe::NativeOptions {
        viewport,
        renderer: eframe::Renderer::Glow,
        // Ours ask for Japanese shapes.
        system_font_fallback: false,
        event_loop_builder: window::event_loop(),
        ..eframe::NativeOptions::default()
    }
}

struct Shell<'a> {
    host: &'a mut dyn Host,
    theme: Theme,
    overlay: Overlay,
    /// How often the window was put on top.
    raised: u8,
}

impl<'a> Shell<'a> {
    fn new(host: &'a mut dyn Host) -> Self {
        Self { host, theme: Theme::INK, overlay: Overlay::default(), raised: 0 }
    }

    /// One frame.
    fn show(&mut self, ui: &Ui) {
        let ctx = ui.ctx().clone();
        if self.host.is_over() {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
        window::keep_on_top(&ctx, &mut self.raised);
        for (command, times) in pressed(&ctx) {
            self.obey(&ctx, command, times);
        }
        for path in dropped(&ctx) {
            self.host.act(&Action::Open(path));
        }
        let lang = self.host.lang();
        let ground = self.overlay.show(ui, self.host.view(), &self.theme, lang);
        window::drag(&ground);
        if let Some(command) = menu::show(&ground, lang) {
            self.obey(&ctx, command, 1);
            // What came of it is on the next frame.
            Waker::new(ctx, ViewportId::ROOT).wake();
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
            Command::Quit => return ctx.send_viewport_cmd(ViewportCommand::Close),
        };
        self.host.act(&action);
    }
}

impl eframe::App for Shell<'_> {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.show(ui);
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        [0.0; 4]
    }
}

/// The commands whose keys went down, and how often since the last frame: a key that is held repeats.
fn pressed(ctx: &Context) -> Vec<(Command, i32)> {
    const KEYS: [(Key, Command); 8] = [
        (Key::ArrowLeft, Command::Back),
        (Key::ArrowRight, Command::Forward),
        (Key::PageUp, Command::TenBack),
        (Key::PageDown, Command::TenForward),
        (Key::Home, Command::First),
        (Key::End, Command::Last),
        (Key::Q, Command::Quit),
        (Key::Escape, Command::Quit),
    ];
    // Escape closes the menu first.
    let menu = Popup::is_any_open(ctx);
    let keys = KEYS.into_iter().filter(|(key, _)| !(menu && *key == Key::Escape));
    ctx.input(|input| {
        let times = |key| i32::try_from(input.num_presses(key)).unwrap_or(i32::MAX / 10);
        keys.map(|(key, command)| (command, times(key))).filter(|(_, times)| *times > 0).collect()
    })
}

/// The files dropped on the window.
fn dropped(ctx: &Context) -> Vec<PathBuf> {
    ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::{Action, Host, Shell};
    use crate::bar::View;
    use crate::text::{Command, Lang};
    use crate::ui::{fonts, overlay};
    use eframe::egui::{Event, Key, Modifiers, PointerButton, Ui, ViewportCommand, ViewportId};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Shows nothing, writes down what it is asked for, and is over when it is sent beyond every game.
    struct Scribe(View, Rc<RefCell<Vec<Action>>>);

    impl Host for Scribe {
        fn view(&mut self) -> &View {
            &self.0
        }

        fn act(&mut self, action: &Action) {
            self.1.borrow_mut().push(action.clone());
        }

        fn lang(&self) -> Lang {
            Lang::Ja
        }

        fn is_over(&self) -> bool {
            self.1.borrow().contains(&Action::Step(i32::MAX))
        }
    }

    fn window() -> (Harness<'static, Shell<'static>>, Rc<RefCell<Vec<Action>>>) {
        let asked = Rc::new(RefCell::default());
        // The window outlives the function, and a test lives as long as its program.
        let shell = Shell::new(Box::leak(Box::new(Scribe(View::default(), Rc::clone(&asked)))));
        let window = Harness::builder()
            .with_size(overlay::SIZE)
            .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
            .build_ui_state(|ui: &mut Ui, shell: &mut Shell<'_>| shell.show(ui), shell);
        (window, asked)
    }

    fn closes(window: &Harness<'_, Shell<'_>>) -> bool {
        window
            .output()
            .viewport_output
            .get(&ViewportId::ROOT)
            .is_some_and(|output| output.commands.iter().any(|command| matches!(command, ViewportCommand::Close)))
    }

    fn open_menu(window: &mut Harness<'_, Shell<'_>>) {
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
            asked.borrow_mut().clear();
            for key in keys {
                window.key_press(*key);
            }
            window.step();
            assert_eq!(*asked.borrow(), expect, "{keys:?}");
        };
        check(&[Key::ArrowRight], &[Action::Step(1)]);
        check(&[Key::ArrowLeft], &[Action::Step(-1)]);
        check(&[Key::PageUp], &[Action::Step(-10)]);
        check(&[Key::PageDown], &[Action::Step(10)]);
        check(&[Key::Home], &[Action::First]);
        check(&[Key::End], &[Action::Last]);
        check(&[Key::A], &[]);
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
        asked.borrow_mut().push(Action::Step(i32::MAX));
        window.step();
        assert!(closes(&window), "where the host is over there is nothing to show");
    }

    #[test]
    fn the_menu_does_what_the_keys_do() {
        let (mut window, asked) = window();
        open_menu(&mut window);
        window.get_by_label_contains(Command::TenForward.text(Lang::Ja)).click();
        window.step();
        assert_eq!(*asked.borrow(), [Action::Step(10)], "ten moves on");

        open_menu(&mut window);
        window.key_down(Key::Escape);
        window.step();
        assert!(!closes(&window), "Escape closes the menu and not the window");
    }
}
