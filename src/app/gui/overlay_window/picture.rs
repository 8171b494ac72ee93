//! The bar as a picture, for the clipboard or a file. It takes a thread of its own, so that the bar goes on
//! meanwhile.

use super::{AppAction, MainPage, OverlayWindow};
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use crate::bar::BarView;
use crate::files;
use crate::session::Latest;
use crate::text::{CauseText, Message};
use crate::threads::{self, Thread, lock};
use crate::ui::overlay::OverlayStyle;
use crate::ui::snapshot::{PictureSize, SizeError, SnapshotRenderer, size_error};
use crate::ui::{ViewportWaker, png};
use directories::UserDirs;
use eframe::egui;
use egui::{ColorImage, Context};
use std::path::{Path, PathBuf};

/// Pictures that were asked for.
#[derive(Debug, Default)]
pub(super) struct PictureRequests {
    dialogs: Dialogs,
    /// What is to be written to the file that the user chooses.
    shot: Option<PictureShot>,
    copied: Latest<ColorImage>,
    /// What became of writing one.
    saved: Latest<Message>,
    /// Whoever ends the program waits until the picture is written.
    saving: Option<Thread>,
}

/// The bar as it was at a moment, without the pointer.
#[derive(Debug)]
struct PictureShot {
    view: BarView,
    look: OverlayStyle,
    /// In the pixels of the screen.
    size: PictureSize,
    font: Option<String>,
}

impl PictureShot {
    fn picture(&self) -> ColorImage {
        SnapshotRenderer::with_font(self.font.as_deref()).overlay(&self.view, &self.look, self.size)
    }

    /// Writes it to a file, and says what became of that.
    fn write(&self, path: &Path) -> Message {
        let png = png::encode(&self.picture()).map_err(|error| CauseText::from(error.to_string()));
        match png.and_then(|png| files::write_whole(path, &png).map_err(|error| CauseText::from(&error))) {
            Ok(()) => Message::PictureSaved(path.display().to_string()),
            Err(why) => Message::PictureNotSaved(why),
        }
    }
}

/// Why there is no picture of this size.
fn size_error_text(error: SizeError) -> CauseText {
    CauseText::new(|lang| size_error(error, lang))
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
    fn shot(&self, ctx: &Context) -> Result<PictureShot, SizeError> {
        let (size, scale) = (ctx.content_rect().size(), ctx.pixels_per_point());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the points of a screen")]
        let whole = |points: f32| points.round() as u32;
        let mut view = lock(&self.setup.host).view().clone();
        // What is said in passing is said to whoever sits here.
        view.notice.take_if(|notice| !notice.failure);
        Ok(PictureShot {
            size: PictureSize::new(whole(size.x), whole(size.y), scale)?,
            look: self.style(),
            font: lock(&self.setup.preferences).settings().general.font.clone(),
            view,
        })
    }

    /// Copies the bar as it is.
    pub(super) fn copy_picture(&mut self, ctx: &Context) {
        let copied = Latest::clone(&self.pictures.copied);
        match self.shot(ctx) {
            // Not waited for: without the program nobody has use for it.
            Ok(shot) => self.run_in_background(ctx, move || copied.put(shot.picture())).map_or((), Thread::detach),
            Err(error) => self.push(ctx, Message::PictureNotSaved(size_error_text(error))),
        }
    }

    /// Takes a picture, and asks where it is to be written.
    pub(super) fn ask_where(&mut self, ctx: &Context) {
        match self.shot(ctx) {
            Ok(shot) => {
                self.pictures.shot = Some(shot);
                let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
                self.pictures.dialogs.open(DialogPurpose::SavePicture, move || waker.wake());
            }
            Err(error) => self.push(ctx, Message::PictureNotSaved(size_error_text(error))),
        }
    }

    /// Asks which record is to be opened; where no dialog can ask, the page of the game does.
    pub(super) fn ask_what(&self, ctx: &Context) {
        let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
        self.pictures.dialogs.open(DialogPurpose::OpenRecord, move || waker.wake());
    }

    /// Goes on with the pictures that were asked for, and with a record.
    pub(super) fn poll_pictures(&mut self, ctx: &Context) {
        if let Some(image) = self.pictures.copied.take() {
            ctx.copy_image(image);
            self.push(ctx, Message::PictureCopied);
        }
        if let Some(message) = self.pictures.saved.take() {
            self.push(ctx, message);
        }
        let Some((errand, choice)) = self.pictures.dialogs.closed() else { return };
        if errand == DialogPurpose::OpenRecord {
            match choice {
                DialogResult::Chosen(path) => lock(&self.setup.host).act(&AppAction::Open(path)),
                DialogResult::NoDialog => {
                    self.asks = Some(super::OverlayRequest::Record);
                    self.open(ctx, MainPage::Study);
                }
                DialogResult::Nothing => {}
            }
            return;
        }
        let Some(shot) = self.pictures.shot.take() else { return };
        match choice {
            DialogResult::Nothing => {}
            DialogResult::NoDialog => match files::free_name(&pictures_folder(), "shogibar", "png") {
                Some(path) => self.save(ctx, shot, path),
                None => self.push(ctx, Message::PictureNotSaved(pictures_folder().display().to_string().into())),
            },
            DialogResult::Chosen(path) => self.save(ctx, shot, path),
        }
    }

    /// Writes a picture, and says where.
    fn save(&mut self, ctx: &Context, shot: PictureShot, path: PathBuf) {
        let saved = Latest::clone(&self.pictures.saved);
        self.pictures.saving = self.run_in_background(ctx, move || saved.put(shot.write(&path)));
    }

    /// Does something in a thread of its own, and draws a frame when it is done.
    fn run_in_background(&mut self, ctx: &Context, work: impl FnOnce() + Send + 'static) -> Option<Thread> {
        let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
        let thread = threads::named("picture", move || {
            work();
            waker.wake();
        });
        thread.map_err(|error| self.push(ctx, Message::PictureNotSaved((&error).into()))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::gui::overlay_window::tests::window;
    use crate::threads;
    use crate::ui::PaintTheme;
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
        let is_said = |action: &crate::app::state::AppAction| {
            *action == crate::app::state::AppAction::Remark(Message::PictureCopied)
        };
        assert!(threads::lock(&asked).iter().any(is_said), "{asked:?}");
    }

    #[test]
    fn a_picture_is_written_or_it_is_said_why_not() {
        let look = OverlayStyle::new(PaintTheme::ink(), crate::text::Lang::Ja);
        let shot =
            PictureShot { view: BarView::default(), look, size: PictureSize::new(300, 60, 1.0).unwrap(), font: None };
        let folder = std::env::temp_dir().join(format!("shogibar-picture-{}", std::process::id()));
        files::make_folder(&folder).unwrap();
        let path = folder.join("bar.png");
        assert_eq!(shot.write(&path), Message::PictureSaved(path.display().to_string()));
        assert!(png::is_png(&files::read(&path, 1 << 20).unwrap()));
        assert!(matches!(shot.write(&folder.join("none/bar.png")), Message::PictureNotSaved(_)));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
