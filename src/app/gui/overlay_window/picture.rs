//! The bar as a picture, for the clipboard or a file. It takes a thread of its own, so that the bar goes on
//! meanwhile.

use super::{Action, OverlayWindow, Page};
use crate::app::gui::dialogs::{Choice, Dialogs, Errand};
use crate::bar::View;
use crate::files;
use crate::session::Mailbox;
use crate::text::{Cause, Message};
use crate::threads::{self, Thread, lock};
use crate::ui::overlay::Look;
use crate::ui::snapshot::{Size, SizeError, Studio, size_error};
use crate::ui::{Waker, png};
use directories::UserDirs;
use eframe::egui;
use egui::{ColorImage, Context};
use std::path::{Path, PathBuf};

/// Pictures that were asked for.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    dialogs: Dialogs,
    /// What is to be written to the file that the user chooses.
    shot: Option<Shot>,
    copied: Mailbox<ColorImage>,
    /// What became of writing one.
    saved: Mailbox<Message>,
    /// Whoever ends the program waits until the picture is written.
    saving: Option<Thread>,
}

/// The bar as it was at a moment, without the pointer.
#[derive(Debug)]
struct Shot {
    view: View,
    look: Look,
    /// In the pixels of the screen.
    size: Size,
    font: Option<String>,
}

impl Shot {
    fn picture(&self) -> ColorImage {
        Studio::with_font(self.font.as_deref()).overlay(&self.view, &self.look, self.size)
    }

    /// Writes it to a file, and says what became of that.
    fn write(&self, path: &Path) -> Message {
        let png = png::encode(&self.picture()).map_err(|error| Cause::from(error.to_string()));
        match png.and_then(|png| files::write_whole(path, &png).map_err(|error| Cause::from(&error))) {
            Ok(()) => Message::PictureSaved(path.display().to_string()),
            Err(why) => Message::PictureNotSaved(why),
        }
    }
}

/// Why there is no picture of this size.
fn why(error: SizeError) -> Cause {
    Cause::new(|lang| size_error(error, lang))
}

/// Where the user keeps pictures, for when nobody can be asked.
fn pictures_folder() -> PathBuf {
    let user = UserDirs::new();
    let folder = |user: &UserDirs| {
        user.picture_dir().filter(|folder| folder.is_dir()).unwrap_or_else(|| user.home_dir()).to_owned()
    };
    user.as_ref().map(folder).unwrap_or_default()
}

impl OverlayWindow {
    /// The bar as it is.
    fn shot(&self, ctx: &Context) -> Result<Shot, SizeError> {
        let (size, scale) = (ctx.content_rect().size(), ctx.pixels_per_point());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the points of a screen")]
        let whole = |points: f32| points.round() as u32;
        let mut view = lock(&self.setup.host).view().clone();
        // What is said in passing is said to whoever sits here.
        view.notice.take_if(|notice| !notice.failure);
        Ok(Shot {
            size: Size::new(whole(size.x), whole(size.y), scale)?,
            look: self.look(),
            font: lock(&self.setup.preferences).settings().general.font.clone(),
            view,
        })
    }

    /// Copies the bar as it is.
    pub(super) fn copy_picture(&mut self, ctx: &Context) {
        let copied = Mailbox::clone(&self.pictures.copied);
        match self.shot(ctx) {
            // Not waited for: without the program nobody has use for it.
            Ok(shot) => self.work(ctx, move || copied.put(shot.picture())).map_or((), Thread::detach),
            Err(error) => self.say(ctx, Message::PictureNotSaved(why(error))),
        }
    }

    /// Takes a picture, and asks where it is to be written.
    pub(super) fn ask_where(&mut self, ctx: &Context) {
        match self.shot(ctx) {
            Ok(shot) => {
                self.pictures.shot = Some(shot);
                let waker = Waker::new(ctx.clone(), ctx.viewport_id());
                self.pictures.dialogs.open(Errand::SavePicture, move || waker.wake());
            }
            Err(error) => self.say(ctx, Message::PictureNotSaved(why(error))),
        }
    }

    /// Asks which record is to be opened; where no dialog can ask, the page of the game does.
    pub(super) fn ask_what(&self, ctx: &Context) {
        let waker = Waker::new(ctx.clone(), ctx.viewport_id());
        self.pictures.dialogs.open(Errand::OpenRecord, move || waker.wake());
    }

    /// Goes on with the pictures that were asked for, and with a record.
    pub(super) fn hear_pictures(&mut self, ctx: &Context) {
        if let Some(image) = self.pictures.copied.take() {
            ctx.copy_image(image);
            self.say(ctx, Message::PictureCopied);
        }
        if let Some(message) = self.pictures.saved.take() {
            self.say(ctx, message);
        }
        let Some((errand, choice)) = self.pictures.dialogs.closed() else { return };
        if errand == Errand::OpenRecord {
            match choice {
                Choice::Chosen(path) => lock(&self.setup.host).act(&Action::Open(path)),
                Choice::NoDialog => {
                    self.asks = Some(super::Ask::Record);
                    self.open(ctx, Page::Study);
                }
                Choice::Nothing => {}
            }
            return;
        }
        let Some(shot) = self.pictures.shot.take() else { return };
        match choice {
            Choice::Nothing => {}
            Choice::NoDialog => match files::free_name(&pictures_folder(), "shogibar", "png") {
                Some(path) => self.save(ctx, shot, path),
                None => self.say(ctx, Message::PictureNotSaved(pictures_folder().display().to_string().into())),
            },
            Choice::Chosen(path) => self.save(ctx, shot, path),
        }
    }

    /// Writes a picture, and says where.
    fn save(&mut self, ctx: &Context, shot: Shot, path: PathBuf) {
        let saved = Mailbox::clone(&self.pictures.saved);
        self.pictures.saving = self.work(ctx, move || saved.put(shot.write(&path)));
    }

    /// Does something in a thread of its own, and draws a frame when it is done.
    fn work(&mut self, ctx: &Context, work: impl FnOnce() + Send + 'static) -> Option<Thread> {
        let waker = Waker::new(ctx.clone(), ctx.viewport_id());
        let thread = threads::named("picture", move || {
            work();
            waker.wake();
        });
        thread.map_err(|error| self.say(ctx, Message::PictureNotSaved((&error).into()))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::gui::overlay_window::tests::window;
    use crate::threads;
    use crate::ui::Theme;
    use egui::{Key, OutputCommand};
    use std::time::Duration;

    #[test]
    fn the_bar_goes_on_while_it_is_copied() {
        let (mut window, asked) = window();
        let copied = |window: &egui_kittest::Harness<'_, OverlayWindow>| {
            let commands = &window.output().platform_output.commands;
            commands.iter().find_map(|command| match command {
                OutputCommand::CopyImage(image) => Some(image.size),
                _ => None,
            })
        };
        window.key_press(Key::C);
        let mut size = None;
        for _ in 0..2000 {
            window.step();
            size = copied(&window);
            if size.is_some() {
                break;
            }
            std::thread::park_timeout(Duration::from_millis(10));
        }
        let points = window.ctx.content_rect().size();
        assert_eq!(size.map(|[width, height]| [width as f32, height as f32]), Some([points.x, points.y]));
        let is_said =
            |action: &crate::app::state::Action| *action == crate::app::state::Action::Remark(Message::PictureCopied);
        assert!(threads::lock(&asked).iter().any(is_said), "{asked:?}");
    }

    #[test]
    fn a_picture_is_written_or_it_is_said_why_not() {
        let look = Look::new(Theme::ink(), crate::text::Lang::Ja);
        let shot = Shot { view: View::default(), look, size: Size::new(300, 60, 1.0).unwrap(), font: None };
        let folder = std::env::temp_dir().join(format!("shogibar-picture-{}", std::process::id()));
        files::make_folder(&folder).unwrap();
        let path = folder.join("bar.png");
        assert_eq!(shot.write(&path), Message::PictureSaved(path.display().to_string()));
        assert!(png::is_png(&files::read(&path, 1 << 20).unwrap()));
        assert!(matches!(shot.write(&folder.join("none/bar.png")), Message::PictureNotSaved(_)));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
