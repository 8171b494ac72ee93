//! The contrast of colours by WCAG 2.2. Warns about too little contrast, and chooses a tray that contrasts with the
//! shares.

use super::super::warning::{SettingProblem, SettingWarning};
use super::{Rgba, Theme};

/// The minimum contrast of shapes and large text.
const MIN_SHAPE_CONTRAST: f64 = 3.0;
/// The minimum contrast of small text.
const MIN_TEXT_CONTRAST: f64 = 4.5;

/// The grey levels that a tray may have if a theme has no colour for it.
const TRAY_GREYS: std::ops::RangeInclusive<u8> = 0..=0xFF;

/// Returns the contrast of two opaque colours by WCAG, 1 to 21.
pub fn contrast(one: Rgba, other: Rgba) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the relative luminance of a colour, 0 to 1. The opacity is ignored.
fn luminance(Rgba([red, green, blue, _]): Rgba) -> f64 {
    0.2126 * linear_light(red) + 0.7152 * linear_light(green) + 0.0722 * linear_light(blue)
}

/// Returns the linear light of an sRGB channel, 0 to 1.
pub(super) fn linear_light(channel: u8) -> f64 {
    let part = f64::from(channel) / 255.0;
    if part <= 0.04045 {
        part / 12.92
    } else {
        ((part + 0.055) / 1.055).powf(2.4)
    }
}

impl Theme {
    /// Returns the colour of the tray for a theme that names only the colours of the shares. If both stand out from the
    /// tray of this theme, the result is that tray. Otherwise it is the grey with the most contrast.
    pub(super) fn tray_for_shares(&self) -> Rgba {
        let min_contrast = |tray: Rgba| {
            self.shares()
                .map(|share| contrast(share, tray))
                .into_iter()
                .fold(f64::MAX, f64::min)
        };
        if min_contrast(self.tray) >= MIN_SHAPE_CONTRAST {
            return self.tray;
        }
        let greys = TRAY_GREYS.map(|grey| Rgba([grey, grey, grey, 0xFF]));
        greys
            .max_by(|one, other| min_contrast(*one).total_cmp(&min_contrast(*other)))
            .unwrap_or(self.tray)
    }

    /// Returns the colours of the shares: both ends of Black's share, then those of White's.
    const fn shares(&self) -> [Rgba; 4] {
        [self.black, self.black_low, self.white, self.white_low]
    }

    /// Returns the warnings about `black` and `white`: if a side cannot be distinguished from the tray, or both sides
    /// from each other.
    pub fn side_contrast_warnings(&self) -> Vec<SettingWarning> {
        self.contrast_warnings()
            .into_iter()
            .filter(|warning| ["black", "white"].contains(&warning.key.as_str()))
            .collect()
    }

    /// Returns a warning for each colour that cannot be distinguished from the colour around it. A translucent panel is
    /// measured as if opaque; text with an outline is measured against the outline.
    pub(super) fn contrast_warnings(&self) -> Vec<SettingWarning> {
        let panel = self.panel.opaque();
        let around_letters = if self.text_edge.is_invisible() {
            panel
        } else {
            self.text_edge.opaque()
        };
        let pairs = [
            ("black", self.black, "tray", self.tray, MIN_SHAPE_CONTRAST),
            ("black_low", self.black_low, "tray", self.tray, MIN_SHAPE_CONTRAST),
            ("white", self.white, "tray", self.tray, MIN_SHAPE_CONTRAST),
            ("white_low", self.white_low, "tray", self.tray, MIN_SHAPE_CONTRAST),
            ("white", self.white, "black", self.black, MIN_SHAPE_CONTRAST),
            (
                "white_low",
                self.white_low,
                "black_low",
                self.black_low,
                MIN_SHAPE_CONTRAST,
            ),
            ("on_black", self.on_black, "black", self.black, MIN_SHAPE_CONTRAST),
            (
                "on_white",
                self.on_white,
                "white_low",
                self.white_low,
                MIN_SHAPE_CONTRAST,
            ),
            ("on_tray", self.on_tray, "tray", self.tray, MIN_TEXT_CONTRAST),
            ("text", self.text, "panel", around_letters, MIN_TEXT_CONTRAST),
            ("quiet", self.quiet, "panel", around_letters, MIN_TEXT_CONTRAST),
            ("best", self.best, "panel", around_letters, MIN_SHAPE_CONTRAST),
            ("loss", self.loss, "panel", around_letters, MIN_SHAPE_CONTRAST),
            ("on_swing", self.on_swing, "swing", self.swing, MIN_TEXT_CONTRAST),
        ];
        let weak = pairs
            .into_iter()
            .filter_map(|(key, color, other, background, min_contrast)| {
                let found = contrast(color, background);
                let problem = SettingProblem::LowContrast {
                    other,
                    found,
                    min_contrast,
                };
                (found < min_contrast).then(|| SettingWarning {
                    key: key.to_owned(),
                    problem,
                })
            });
        weak.collect()
    }
}
