//! A rectangle from which parts are cut off.

use eframe::egui::Rect;

/// The rest of a rectangle from which parts are cut off.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemainingSpace(pub(super) Rect);

impl RemainingSpace {
    pub(super) fn cut_top(&mut self, height: f32) -> Rect {
        let cut = self
            .0
            .with_max_y((self.0.top() + height.max(0.0)).min(self.0.bottom()));
        self.0.min.y = cut.bottom();
        cut
    }

    pub(super) fn cut_bottom(&mut self, height: f32) -> Rect {
        let cut = self
            .0
            .with_min_y((self.0.bottom() - height.max(0.0)).max(self.0.top()));
        self.0.max.y = cut.top();
        cut
    }

    pub(super) fn cut_left(&mut self, width: f32) -> Rect {
        let cut = self
            .0
            .with_max_x((self.0.left() + width.max(0.0)).min(self.0.right()));
        self.0.min.x = cut.right();
        cut
    }

    pub(super) fn cut_right(&mut self, width: f32) -> Rect {
        let cut = self
            .0
            .with_min_x((self.0.right() - width.max(0.0)).max(self.0.left()));
        self.0.max.x = cut.left();
        cut
    }
}
