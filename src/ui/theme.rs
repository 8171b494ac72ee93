//! Colours, all of them: nothing outside this file makes one.

use crate::config::{self, Rgba};
use eframe::egui;
use egui::{Color32, Stroke, Visuals};

/// A look, ready to be painted.
pub type PaintTheme = config::Theme<Color32>;

impl PaintTheme {
    /// Black lacquer, for lying over a video.
    pub fn ink() -> Self {
        config::Theme::shipped(config::Theme::<Rgba>::USUAL).unwrap_or_default().into()
    }

    /// Paper, for standing among other windows.
    pub fn paper() -> Self {
        config::Theme::shipped("paper").unwrap_or_default().into()
    }

    /// The look of egui's own widgets, menus for one, in these colours.
    pub fn visuals(&self) -> Visuals {
        let dark = self.text.intensity() > 0.5;
        let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
        let ground = self.panel.to_opaque();
        // All windows share one atlas of glyphs. Drawn for dark grounds here and for light ones there, it would
        // be made anew with every frame, and letters would change their weight.
        visuals.text_options = Visuals::dark().text_options;
        visuals.override_text_color = Some(self.text);
        visuals.panel_fill = ground;
        visuals.window_fill = ground;
        visuals.window_stroke = Stroke::new(1.0, self.tick);
        visuals.selection.bg_fill = self.rail.lerp_to_gamma(self.accent, 0.22);
        // The edge of a field that is typed into, and selected letters.
        visuals.selection.stroke = Stroke::new(2.0, self.text);
        visuals.hyperlink_color = self.accent;
        visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, self.separator);
        // Fields and buttons have an edge: paper on paper would not be seen.
        for (widget, fill) in [
            (&mut visuals.widgets.inactive, 0.0),
            (&mut visuals.widgets.hovered, 0.05),
            (&mut visuals.widgets.active, 0.12),
            (&mut visuals.widgets.open, 0.05),
        ] {
            widget.weak_bg_fill = ground.lerp_to_gamma(self.text, 0.04 + fill);
            widget.bg_fill = ground.lerp_to_gamma(self.text, 0.08 + fill);
            widget.bg_stroke = Stroke::new(1.0, ground.lerp_to_gamma(self.text, 0.16 + fill));
        }
        // Whatever has the keyboard looks so, too.
        visuals.widgets.active.bg_stroke = Stroke::new(2.0, self.accent);
        visuals.window_shadow = egui::Shadow::NONE;
        visuals.popup_shadow = egui::Shadow::NONE;
        visuals
    }
}

impl From<config::Theme> for PaintTheme {
    fn from(theme: config::Theme) -> Self {
        theme.map(|_, color| paint(color))
    }
}

/// A colour as a painter wants it.
const fn paint(Rgba([red, green, blue, alpha]): Rgba) -> Color32 {
    Color32::from_rgba_unmultiplied_const(red, green, blue, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_drawn_alike_in_every_window() {
        let context = egui::Context::default();
        for theme in [PaintTheme::ink(), PaintTheme::paper()] {
            // Those of a picture that is made without a window.
            assert_eq!(theme.visuals().text_options, context.global_style().visuals.text_options);
        }
    }
}
