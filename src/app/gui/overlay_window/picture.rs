//! The bar as a picture, for the clipboard or a file. It is drawn on a background thread, so that the bar is not
//! blocked.

use super::{AppAction, OverlayWindow};
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use directories::UserDirs;
use eframe::egui;
use egui::{ColorImage, Context};
use shogibar_base::threads::{self, Thread, lock};
use shogibar_base::{CauseText, Latest};
use shogibar_engine::process::abbreviate_home;
use shogibar_games::bar::BarView;
use shogibar_model::{CopiedItem, Message};
use shogibar_ui::fonts::FontChoice;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::snapshot::{PictureSize, SizeError, SnapshotRenderer, size_error};
use shogibar_ui::{ViewportWaker, png};
use std::path::{Path, PathBuf};

/// The pictures of the bar that the user saves or copies, and the file dialogs of the bar's window.
#[derive(Debug, Default)]
pub(super) struct PictureRequests {
    dialogs: Dialogs,
    /// The data of the picture for the file that the user is choosing.
    source: Option<PictureSource>,
    copied_picture: Latest<ColorImage>,
    result: Latest<Message>,
    /// The threads that write pictures. The end of the program waits for these threads.
    saving_threads: Vec<Thread>,
}

/// The data that a picture of the bar is drawn from.
#[derive(Debug)]
struct PictureSource {
    view: BarView,
    style: OverlayStyle,
    /// The size in pixels of the screen.
    size: PictureSize,
    fonts: FontChoice,
}

impl PictureSource {
    /// Draws the picture. Slow: called on a background thread.
    fn draw(&self) -> ColorImage {
        SnapshotRenderer::with_fonts(&self.fonts).draw_overlay(&self.view, &self.style, self.size)
    }

    fn write(&self, path: &Path) -> Message {
        let png = png::encode(&self.draw()).map_err(|error| CauseText::from(error.to_string()));
        match png
            .and_then(|png| shogibar_files::write_whole(path, &png).map_err(|error| CauseText::from(&error)))
        {
            Ok(()) => Message::PictureSaved(abbreviate_home(path)),
            Err(why) => Message::PictureNotSaved(why),
        }
    }
}

fn size_error_text(error: SizeError) -> CauseText {
    CauseText::new(|lang| size_error(error, lang))
}

/// Returns the folder for pictures if no dialog can be shown: the user's folder of pictures, or the home folder.
fn pictures_folder() -> PathBuf {
    let user = UserDirs::new();
    user.as_ref()
        .map(|user| {
            user.picture_dir()
                .filter(|folder| folder.is_dir())
                .unwrap_or_else(|| user.home_dir())
                .to_owned()
        })
        .unwrap_or_default()
}

impl OverlayWindow {
    /// Returns the data for a picture of the current bar. Fails if the picture would be too large.
    fn capture(&self, ctx: &Context) -> Result<PictureSource, SizeError> {
        let (size, scale) = (ctx.content_rect().size(), ctx.pixels_per_point());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the points of a screen"
        )]
        let whole = |points: f32| points.round() as u32;
        let mut view = lock(&self.setup.viewer).bar_view(self.setup.bar).clone();
        // Transient notices are for the user at the screen only.
        view.notice.take_if(|notice| !notice.is_failure);
        Ok(PictureSource {
            size: PictureSize::new(whole(size.x), whole(size.y), scale)?,
            style: self.style(),
            fonts: FontChoice::from_settings(lock(&self.setup.preferences).settings()),
            view,
        })
    }

    pub(super) fn copy_picture(&mut self, ctx: &Context) {
        let copied = Latest::clone(&self.pictures.copied_picture);
        match self.capture(ctx) {
            // The thread is not joined: only a running window can put its picture on the clipboard.
            Ok(source) => self
                .run_in_background(ctx, move || copied.put(source.draw()))
                .map_or((), Thread::detach),
            Err(error) => self.show_notice(ctx, Message::PictureNotSaved(size_error_text(error))),
        }
    }

    pub(super) fn ask_picture_path(&mut self, ctx: &Context) {
        match self.capture(ctx) {
            Ok(source) => {
                self.pictures.source = Some(source);
                let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
                self.pictures
                    .dialogs
                    .open(DialogPurpose::SavePicture, move || waker.wake());
            }
            Err(error) => self.show_notice(ctx, Message::PictureNotSaved(size_error_text(error))),
        }
    }

    /// Asks which record to open. If no dialog can be shown, the study page asks.
    pub(super) fn ask_record_path(&self, ctx: &Context) {
        let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
        self.pictures
            .dialogs
            .open(DialogPurpose::OpenRecord, move || waker.wake());
    }

    /// Handles the results of pictures and dialogs since the last frame.
    pub(super) fn poll_pictures(&mut self, ctx: &Context) {
        if let Some(image) = self.pictures.copied_picture.take() {
            ctx.copy_image(image);
            self.show_notice(ctx, Message::Copied(CopiedItem::Bar));
        }
        if let Some(message) = self.pictures.result.take() {
            self.show_notice(ctx, message);
        }
        let Some((purpose, choice)) = self.pictures.dialogs.take_result() else {
            return;
        };
        if purpose == DialogPurpose::OpenRecord {
            match choice {
                DialogResult::Chosen(path) => self.act(AppAction::OpenFile(path)),
                DialogResult::NoDialog => self.request(ctx, super::MainRequest::AskForRecord),
                DialogResult::Cancelled => {}
            }
            return;
        }
        let Some(source) = self.pictures.source.take() else {
            return;
        };
        match choice {
            DialogResult::Cancelled => {}
            DialogResult::NoDialog => {
                match shogibar_files::free_path(&pictures_folder(), "shogibar", "png") {
                    Some(path) => self.save(ctx, source, path),
                    None => self.show_notice(
                        ctx,
                        Message::PictureNotSaved(pictures_folder().display().to_string().into()),
                    ),
                }
            }
            DialogResult::Chosen(path) => self.save(ctx, source, path),
        }
    }

    /// Writes a picture on a background thread.
    fn save(&mut self, ctx: &Context, source: PictureSource, path: PathBuf) {
        let saved = Latest::clone(&self.pictures.result);
        let thread = self.run_in_background(ctx, move || saved.put(source.write(&path)));
        self.pictures.saving_threads.extend(thread);
    }

    /// Runs work on a background thread, and wakes the window when it is done. Returns the thread. If the system has
    /// no thread, reports this and returns `None`.
    fn run_in_background(&mut self, ctx: &Context, work: impl FnOnce() + Send + 'static) -> Option<Thread> {
        let waker = ViewportWaker::new(ctx.clone(), ctx.viewport_id());
        let thread = threads::spawn("picture", move || {
            work();
            waker.wake();
        });
        thread
            .map_err(|error| self.show_notice(ctx, Message::PictureNotSaved((&error).into())))
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::gui::overlay_window::tests::window;
    use egui::{Key, OutputCommand};
    use shogibar_base::threads;
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
        assert_eq!(
            size.map(|[width, height]| [width as f32, height as f32]),
            Some([points.x, points.y])
        );
        let is_remark =
            |action: &AppAction| *action == AppAction::ShowNotice(Message::Copied(CopiedItem::Bar));
        assert!(threads::lock(&asked).iter().any(is_remark), "{asked:?}");
    }

    #[test]
    fn writes_a_picture_or_reports_the_error() {
        let style = OverlayStyle::new(shogibar_ui::theme::ink(), shogibar_base::Lang::Ja);
        let source = PictureSource {
            view: BarView::default(),
            style,
            size: PictureSize::new(300, 60, 1.0).unwrap(),
            fonts: FontChoice::default(),
        };
        let folder = std::env::temp_dir().join(format!("shogibar-picture-{}", std::process::id()));
        shogibar_files::make_folder(&folder).unwrap();
        let path = folder.join("bar.png");
        assert_eq!(source.write(&path), Message::PictureSaved(abbreviate_home(&path)));
        assert!(png::is_png(&shogibar_files::read(&path, 1 << 20).unwrap()));
        assert!(matches!(
            source.write(&folder.join("none/bar.png")),
            Message::PictureNotSaved(_)
        ));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
