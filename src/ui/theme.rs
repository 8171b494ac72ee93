//! Colours, all of them: nothing outside this file names one.

use eframe::egui;
use egui::{Color32, Stroke, Visuals};

/// The colours of the windows. Plain data, so that a file can hold one as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The ground everything stands on.
    pub panel: Color32,
    /// The ground of a list beside it.
    pub rail: Color32,
    /// The thin line between the bar and the candidates.
    pub separator: Color32,
    /// What is to be read first.
    pub text: Color32,
    /// What is there to be looked up.
    pub quiet: Color32,
    /// Black's share of the bar.
    pub black: Color32,
    /// The outline of Black's share.
    pub black_edge: Color32,
    /// Text upon Black's share.
    pub on_black: Color32,
    /// White's share of the bar.
    pub white: Color32,
    /// The outline of White's share.
    pub white_edge: Color32,
    /// Text upon White's share.
    pub on_white: Color32,
    /// Vermilion, for what lives: the seam, the best move, the side to move, a failure.
    pub accent: Color32,
    /// The centre line and the ticks.
    pub tick: Color32,
    /// A candidate that loses a few points against the best.
    pub loss: Color32,
    /// A candidate that throws the game away.
    pub blunder: Color32,
    /// Values of the position before, while the new one has none yet.
    pub stale: Color32,
    /// Black's share of such a bar.
    pub stale_black: Color32,
    /// White's share of such a bar.
    pub stale_white: Color32,
    /// A bar that is nobody's: of a draw, or before anything was said.
    pub empty: Color32,
}

impl Theme {
    /// Black lacquer, for lying over a video.
    pub const INK: Self = Self {
        panel: rgba(0x14_16_1C, 86),
        rail: rgb(0x0E_10_15),
        separator: rgba(0xF5_F1_E8, 12),
        text: rgb(0xF5_F1_E8),
        quiet: rgb(0xA9_A6_9E),
        black: rgb(0x0B_0C_10),
        black_edge: rgba(0xFF_FF_FF, 26),
        on_black: rgb(0xF5_F1_E8),
        white: rgb(0xF1_E9_D8),
        white_edge: Color32::TRANSPARENT,
        on_white: rgb(0x14_16_1C),
        accent: rgb(0xD8_41_2F),
        tick: rgba(0x80_80_80, 75),
        loss: rgb(0xE9_A2_6B),
        blunder: rgb(0xE9_A2_6B),
        stale: rgb(0x84_82_7D),
        stale_black: rgb(0x1B_1C_1F),
        stale_white: rgb(0x7F_7E_7B),
        empty: rgb(0x1B_1C_1F),
    };

    /// Paper, for standing among other windows.
    pub const PAPER: Self = Self {
        panel: rgba(0xFA_F7_F0, 95),
        rail: rgb(0xF1_EC_E1),
        separator: rgb(0xE2_DC_CF),
        text: rgb(0x1E_1D_1A),
        quiet: rgb(0x77_73_6A),
        black: rgb(0x1D_1F_26),
        black_edge: Color32::TRANSPARENT,
        on_black: rgb(0xFF_FD_F8),
        white: rgb(0xFF_FF_FF),
        white_edge: rgb(0xCF_C8_B8),
        on_white: rgb(0x1E_1D_1A),
        accent: rgb(0xC6_3A_2A),
        tick: rgba(0x80_80_80, 75),
        loss: rgb(0xB5_60_2A),
        blunder: rgb(0xC6_3A_2A),
        stale: rgb(0xA3_9F_95),
        stale_black: rgb(0x8F_8D_88),
        stale_white: rgb(0xE6_E2_D9),
        empty: rgb(0xE6_E2_D9),
    };

    /// The look of egui's own widgets, menus for one, in these colours.
    pub fn visuals(&self) -> Visuals {
        let dark = self.text.intensity() > 0.5;
        let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
        let ground = self.panel.to_opaque();
        visuals.override_text_color = Some(self.text);
        visuals.panel_fill = ground;
        visuals.window_fill = ground;
        visuals.window_stroke = Stroke::new(1.0, self.tick);
        visuals.selection.bg_fill = self.rail.lerp_to_gamma(self.accent, 0.22);
        visuals.selection.stroke = Stroke::new(1.0, self.text);
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
        visuals.window_shadow = egui::Shadow::NONE;
        visuals.popup_shadow = egui::Shadow::NONE;
        visuals
    }
}

const fn rgb(hex: u32) -> Color32 {
    rgba(hex, 100)
}

/// A colour as `0xRRGGBB` and its opacity in percent.
const fn rgba(hex: u32, percent: u8) -> Color32 {
    let [_, red, green, blue] = hex.to_be_bytes();
    let alpha = (percent as u16 * 255 + 50) / 100;
    #[expect(clippy::cast_possible_truncation, reason = "at most 255 for a percentage")]
    Color32::from_rgba_unmultiplied_const(red, green, blue, alpha as u8)
}
