//! The themes as egui colours and styles. The colours of the themes are in `config/themes`, and widgets take their
//! colours from a theme.

use eframe::egui;
use egui::{Color32, CornerRadius, Frame, Margin, Shadow, Stroke, Visuals};
use shogibar_config::{BoardColors, Rgba};
use shogibar_kifu::board_mark::MarkColor;
use shogibar_shogi::Color;

/// A theme with colours ready for painting.
pub type PaintTheme = shogibar_config::Theme<Color32>;

/// Returns the dark theme, for use over a video.
pub fn ink() -> PaintTheme {
    from_config(shogibar_config::Theme::shipped(shogibar_config::Theme::<Rgba>::DEFAULT).unwrap_or_default())
}

/// Returns the light theme, for use among other windows.
pub fn paper() -> PaintTheme {
    from_config(shogibar_config::Theme::shipped("paper").unwrap_or_default())
}

/// Returns the theme of the pages of the main window.
pub fn of_pages(is_night: bool) -> PaintTheme {
    from_config(shogibar_config::Theme::of_pages(is_night))
}

/// Returns the theme of the pages of the main window, with the board of the user's choice.
pub fn of_pages_with(is_night: bool, board: BoardColors) -> PaintTheme {
    from_config(shogibar_config::Theme::of_pages(is_night).with_board(board))
}

/// The usual key colours of themes for chroma keying: other programs make these colours transparent.
const KEY_COLORS: [[u8; 4]; 2] = [[0, 0xFF, 0, 0xFF], [0, 0xB1, 0x40, 0xFF]];

/// The colours of the light and the dark squares of the check pattern, which represents the picture behind a bar.
#[expect(clippy::disallowed_methods, reason = "this file defines the colours")]
pub const CHECK_COLORS: [Color32; 2] = [Color32::from_gray(0xEE), Color32::from_gray(0xCC)];

/// Returns the colour of the arrows and circles that a user draws. It is the same in all themes: records name it.
#[expect(clippy::disallowed_methods, reason = "this file defines the colours")]
pub(crate) const fn board_mark_color(color: MarkColor) -> Color32 {
    match color {
        MarkColor::Blue => Color32::from_rgb(0x2F, 0x5F, 0xA8),
        MarkColor::Green => Color32::from_rgb(0x1E, 0x6B, 0x43),
        MarkColor::Purple => Color32::from_rgb(0x7A, 0x2E, 0x8F),
    }
}

/// Returns a theme for an OBS page. Such a page has real transparency and needs no key colour.
pub fn for_obs_page(theme: shogibar_config::Theme<Rgba>) -> PaintTheme {
    let mut theme = from_config(theme);
    if KEY_COLORS.contains(&theme.panel.to_array()) {
        theme.panel = Color32::TRANSPARENT;
    }
    theme
}

/// Sets the style of egui's widgets for a window: for its first panel, and for what opens later.
pub fn apply(ui: &mut egui::Ui, theme: &PaintTheme) {
    let visuals = visuals(theme);
    ui.ctx().set_visuals(visuals.clone());
    *ui.visuals_mut() = visuals;
}

/// Returns the style of egui's widgets, such as menus, in the colours of a theme.
pub fn visuals(theme: &PaintTheme) -> Visuals {
    let dark = theme.text.intensity() > 0.5;
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    let background = theme.panel.to_opaque();
    // All windows share one glyph atlas. With different options for dark and light themes it would be rebuilt every
    // frame, and text would change its weight.
    visuals.text_options = Visuals::dark().text_options;
    visuals.override_text_color = Some(theme.text);
    visuals.panel_fill = background;
    visuals.window_fill = background;
    visuals.window_stroke = Stroke::new(1.0, theme.tick);
    visuals.selection.bg_fill = theme
        .rail
        .lerp_to_gamma(mean_share_color(theme, Color::Black), 0.3);
    // The outline of a focused text field, and the colour of selected text.
    visuals.selection.stroke = Stroke::new(2.0, theme.text);
    visuals.hyperlink_color = theme.accent;
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, theme.separator);
    // Fields and buttons have an outline, because they would not be visible on the same background.
    for (widget, fill) in [
        (&mut visuals.widgets.inactive, 0.0),
        (&mut visuals.widgets.hovered, 0.05),
        (&mut visuals.widgets.active, 0.12),
        (&mut visuals.widgets.open, 0.05),
    ] {
        widget.corner_radius = CornerRadius::same(6);
        widget.weak_bg_fill = background.lerp_to_gamma(theme.text, fill);
        widget.bg_fill = background.lerp_to_gamma(theme.text, 0.08 + fill);
        // A check box or radio button consists only of its outline.
        widget.bg_stroke = Stroke::new(1.0, background.lerp_to_gamma(theme.text, 0.5 + fill));
    }
    // egui draws a focused widget as an active one.
    visuals.widgets.active.bg_stroke = Stroke::new(2.0, theme.accent);
    visuals.window_shadow = Shadow::NONE;
    visuals.popup_shadow = Shadow::NONE;
    visuals
}

/// Returns the style of a bar's menu, in the colours of the bar's theme. If text is not readable on the opaque
/// background, such as a key colour, the dark theme is used.
pub fn menu_visuals(theme: &PaintTheme) -> Visuals {
    let [text, background] = [theme.text, theme.panel.to_opaque()].map(|color| Rgba(color.to_array()));
    if shogibar_config::contrast(text, background) < 4.5 {
        visuals(&ink())
    } else {
        visuals(theme)
    }
}

/// Returns the shadow of windows and menus that lie over a page.
pub fn shadow(theme: &PaintTheme) -> Shadow {
    Shadow {
        offset: [0, 5],
        blur: 22,
        spread: 0,
        color: theme.tray.gamma_multiply(0.28),
    }
}

/// Returns the frame of a dialog over a page.
pub fn dialog_frame(theme: &PaintTheme) -> Frame {
    let frame = Frame::NONE
        .fill(theme.card)
        .stroke(Stroke::new(1.0, theme.separator));
    frame
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::same(16))
        .shadow(shadow(theme))
}

/// Returns a mixture of a colour and an opaque background. `part` is the fraction of the colour, from 0 to 1.
pub fn faded(color: Color32, background: Color32, part: f32) -> Color32 {
    if color == Color32::TRANSPARENT {
        color
    } else {
        background.to_opaque().lerp_to_gamma(color, part)
    }
}

/// Returns the colour in the middle of the gradient of a side's share.
pub fn mean_share_color(theme: &PaintTheme, side: Color) -> Color32 {
    match side {
        Color::Black => theme.black.lerp_to_gamma(theme.black_low, 0.5),
        Color::White => theme.white.lerp_to_gamma(theme.white_low, 0.5),
    }
}

/// Converts the colours of a theme for painting.
pub fn from_config(theme: shogibar_config::Theme) -> PaintTheme {
    theme.map(|_, color| to_color32(color))
}

/// Converts a colour to egui's type.
pub const fn to_color32(Rgba([red, green, blue, alpha]): Rgba) -> Color32 {
    Color32::from_rgba_unmultiplied_const(red, green, blue, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contrast of opaque colours.
    fn contrast(one: Color32, other: Color32) -> f64 {
        let [one, other] = [one, other].map(|color| Rgba(color.to_array()));
        shogibar_config::contrast(one, other)
    }

    #[test]
    fn menus_can_be_read_in_every_theme() {
        for name in shogibar_config::Theme::names() {
            let theme = from_config(shogibar_config::Theme::shipped(name).unwrap());
            let visuals = menu_visuals(&theme);
            let text = visuals.override_text_color.unwrap();
            for background in [visuals.window_fill, visuals.selection.bg_fill] {
                assert!(
                    contrast(text, background) >= 4.5,
                    "{name}: {text:?} on {background:?}"
                );
            }
        }
    }

    #[test]
    fn widgets_of_pages_can_be_read_by_day_and_by_night() {
        for is_night in [false, true] {
            let theme = of_pages(is_night);
            let visuals = visuals(&theme);
            let backgrounds = [
                visuals.panel_fill,
                visuals.window_fill,
                visuals.selection.bg_fill,
                visuals.widgets.inactive.weak_bg_fill,
                visuals.widgets.hovered.weak_bg_fill,
                visuals.widgets.active.weak_bg_fill,
                visuals.widgets.open.weak_bg_fill,
                visuals.text_edit_bg_color(),
            ];
            for background in backgrounds {
                let found = contrast(theme.text, background);
                assert!(found >= 4.5, "night: {is_night}: {found:.1} on {background:?}");
            }
            let outline = contrast(visuals.widgets.inactive.bg_stroke.color, visuals.panel_fill);
            assert!(outline >= 3.0, "night: {is_night}: {outline:.1}");
        }
    }

    #[test]
    fn letters_are_drawn_alike_in_every_window() {
        let context = egui::Context::default();
        for theme in [ink(), paper()] {
            // The options of a picture that is drawn without a window.
            assert_eq!(
                visuals(&theme).text_options,
                context.global_style().visuals.text_options
            );
        }
    }
}
