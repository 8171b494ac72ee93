//! The bar as a picture, for the clipboard or a file.

use super::OverlayWindow;
use crate::app::gui::dialogs::{Choice, Errand};
use crate::files;
use crate::text::{Message, Word};
use crate::threads::lock;
use crate::ui::Waker;
use crate::ui::snapshot::{self, Size, SizeError, Studio};
use eframe::egui;
use egui::Context;

impl OverlayWindow {
    /// The bar as it is, without the pointer, in the pixels of the screen.
    fn picture_size(ctx: &Context) -> Result<Size, SizeError> {
        let (size, scale) = (ctx.content_rect().size(), ctx.pixels_per_point());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the points of a screen")]
        let whole = |points: f32| points.round() as u32;
        Size::new(whole(size.x), whole(size.y), scale)
    }

    /// Copies the bar as it is.
    pub(super) fn copy_picture(&mut self, ctx: &Context) {
        let remark = match Self::picture_size(ctx) {
            Ok(size) => {
                let look = self.look();
                ctx.copy_image(Studio::default().overlay(lock(&self.host).view(), &look, size));
                Message::PictureCopied
            }
            Err(error) => Message::PictureNotSaved(error.to_string()),
        };
        self.say(ctx, remark);
    }

    /// Takes a picture, and asks where it is to be written.
    pub(super) fn ask_where(&mut self, ctx: &Context) {
        let look = self.look();
        let picture = Self::picture_size(ctx)
            .map_err(|error| error.to_string())
            .and_then(|size| snapshot::png(lock(&self.host).view(), &look, size).map_err(|error| error.to_string()));
        match picture {
            Ok(picture) => {
                self.picture = picture;
                let waker = Waker::new(ctx.clone(), ctx.viewport_id());
                self.dialogs.open(Errand::SavePicture, move || waker.wake());
            }
            Err(why) => self.say(ctx, Message::PictureNotSaved(why)),
        }
    }

    /// Writes the picture to the file that was chosen.
    pub(super) fn save_picture(&mut self, ctx: &Context) {
        let Some((_, choice)) = self.dialogs.closed() else { return };
        let remark = match choice {
            Choice::Nothing => return,
            Choice::NoDialog => Message::PictureNotSaved(Word::NoDialog.text(self.look().lang).to_owned()),
            Choice::Chosen(path) => match files::write_whole(&path, &self.picture) {
                Ok(()) => Message::PictureSaved(path.display().to_string()),
                Err(error) => Message::PictureNotSaved(error.to_string()),
            },
        };
        self.say(ctx, remark);
    }
}
