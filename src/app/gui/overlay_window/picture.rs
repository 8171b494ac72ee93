//! The bar as a picture, for the clipboard or a file. It is drawn on a background thread, so that the bar is not
//! blocked.

use super::{AppAction, OverlayWindow};
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use crate::bar::BarView;
use crate::files;
use crate::process::with_tilde;
use crate::session::Latest;
use crate::text::{CauseText, CopiedItem, Message};
use crate::threads::{self, Thread, lock};
use crate::ui::fonts::FontChoice;
use crate::ui::overlay::OverlayStyle;
use crate::ui::snapshot::{PictureSize, SizeError, SnapshotRenderer, size_error};
use crate::ui::{ViewportWaker, png};
use directories::UserDirs;
use eframe::egui;
use egui::{ColorImage, Context};
use std::path::{Path, PathBuf};

/// The pictures of the bar that the user saves or copies.
#[derive(Debug, Default)]
pub(super) struct PictureRequests {
    dialogs: Dialogs,
    /// The picture for the file that the user is choosing.
    shot: Option<PictureShot>,
    copied_picture: Latest<ColorImage>,
    /// The result of writing a picture.
    result: Latest<Message>,
    /// The threads that write pictures. The program waits for them at its end.
    saving_threads: Vec<Thread>,
}

/// The bar at a moment, without the pointer.
#[derive(Debug)]
struct PictureShot {
    view: BarView,
    style: OverlayStyle,
    /// The size in pixels of the screen.
    size: PictureSize,
    fonts: FontChoice,
}

impl PictureShot {
    fn picture(&self) -> ColorImage {
        SnapshotRenderer::with_fonts(&self.fonts).draw_overlay(&self.view, &self.style, self.size)
    }

    /// Writes the picture to a file and returns a message with the result.
    fn write(&self, path: &Path) -> Message {
        let png = png::encode(&self.picture()).map_err(|error| CauseText::from(error.to_string()));
        match png.and_then(|png| files::write_whole(path, &png).map_err(|error| CauseText::from(&error))) {
            Ok(()) => Message::PictureSaved(with_tilde(path)),
            Err(why) => Message::PictureNotSaved(why),
        }
    }
}

/// Returns why a picture of this size is impossible.
fn size_error_text(error: SizeError) -> CauseText {
    CauseText::new(|lang| size_error(error, lang))
}

/// The user's folder of pictures, where no dialog can be shown.
fn pictures_folder() -> PathBuf {
    let user = UserDirs::new();
    let folder = |user: &UserDirs| {
        user.picture_dir().filter(|folder| folder.is_dir()).unwrap_or_else(|| user.home_dir()).to_owned()
    };
    user.as_ref().map(folder).unwrap_or_default()
}

impl OverlayWindow {
    /// Returns what a picture of the current bar needs: its content, size, style and fonts. Fails if the picture would
    /// be too large.
    fn shot(&self, ctx: &Context) -> Result<PictureShot, SizeError> {
        let (size, scale) = (ctx.content_rect().size(), ctx.pixels_per_point());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the points of a screen")]
        let whole = |points: f32| points.round() as u32;
        let mut view = lock(&self.setup.viewer).bar_view(self.setup.bar).clone();
        // Transient notices are for the user at the screen only.
        view.notice.take_if(|notice| !notice.is_failure);
        Ok(PictureShot {
            size: PictureSize::new(whole(size.x), whole(size.y), scale)?,
            style: self.style(),
            fonts: FontChoice::from_settings(lock(&self.setup.preferences).settings()),
            view,
        })
    }

    /// Copies a picture of the bar to the clipboard.
    pub(super) fn copy_picture(&mut self, ctx: &Context) {
        let copied = Latest::clone(&self.pictures.copied_picture);
        match self.shot(ctx) {
            // Detached: once the program has ended, the copy is of no use.
            Ok(shot) => self.run_in_background(ctx, move || copied.put(shot.picture())).map_or((), Thread::detach),
            Err(error) => self.push(ctx, Message::PictureNotSaved(size_error_text(error))),
        }
    }

    /// Takes a picture and asks for a file name.
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

    /// Asks which record to open; the study page asks where no dialog can be shown.
    pub(super) fn ask_what(&self, ctx: &Context) {
        let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
        self.pictures.dialogs.open(DialogPurpose::OpenRecord, move || waker.wake());
    }

    /// Handles the results of pictures and dialogs since the last frame.
    pub(super) fn poll_pictures(&mut self, ctx: &Context) {
        if let Some(image) = self.pictures.copied_picture.take() {
            ctx.copy_image(image);
            self.push(ctx, Message::Copied(CopiedItem::Bar));
        }
        if let Some(message) = self.pictures.result.take() {
            self.push(ctx, message);
        }
        let Some((purpose, choice)) = self.pictures.dialogs.closed() else { return };
        if purpose == DialogPurpose::OpenRecord {
            match choice {
                DialogResult::Chosen(path) => self.act(AppAction::OpenFile(path)),
                DialogResult::NoDialog => self.request(ctx, super::MainRequest::AskForRecord),
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

    /// Writes a picture on a background thread.
    fn save(&mut self, ctx: &Context, shot: PictureShot, path: PathBuf) {
        let saved = Latest::clone(&self.pictures.result);
        let thread = self.run_in_background(ctx, move || saved.put(shot.write(&path)));
        self.pictures.saving_threads.extend(thread);
    }

    /// Runs work on a background thread, and wakes the window when it is done. Returns the thread. If the system has
    /// none, reports that and returns `None`.
    fn run_in_background(&mut self, ctx: &Context, work: impl FnOnce() + Send + 'static) -> Option<Thread> {
        let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
        let thread = threads::spawn("picture", move || {
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
    use egui::{Key, OutputCommand};
    use std::time::Duration;

    #[test]
    fn copies_a_picture_in_the_background() {
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
        let is_remark = |action: &AppAction| *action == AppAction::Remark(Message::Copied(CopiedItem::Bar));
        assert!(threads::lock(&asked).iter().any(is_remark), "{asked:?}");
    }

    #[test]
    fn writes_a_picture_or_reports_the_error() {
        let style = OverlayStyle::new(crate::ui::theme::ink(), crate::text::Lang::Ja);
        let shot = PictureShot {
            view: BarView::default(),
            style,
            size: PictureSize::new(300, 60, 1.0).unwrap(),
            fonts: FontChoice::default(),
        };
        let folder = std::env::temp_dir().join(format!("shogibar-picture-{}", std::process::id()));
        files::make_folder(&folder).unwrap();
        let path = folder.join("bar.png");
        assert_eq!(shot.write(&path), Message::PictureSaved(with_tilde(&path)));
        assert!(png::is_png(&files::read(&path, 1 << 20).unwrap()));
        assert!(matches!(shot.write(&folder.join("none/bar.png")), Message::PictureNotSaved(_)));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
