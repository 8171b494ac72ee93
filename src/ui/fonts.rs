//! The type: Noto Sans JP, which ships with the program because a fresh machine may have no
//! Japanese font at all, and the system's fonts for the rare characters of names.

use eframe::egui;
use egui::{Context, FontData, FontDefinitions, FontFamily, FontId};
use egui_system_font_provider::SystemFontProvider;
use std::sync::Arc;

const REGULAR: &str = "regular";
const BOLD: &str = "bold";

/// How heavy a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Names, lines, figures.
    Regular,
    /// Percentages, moves, the evaluation.
    Bold,
}

impl Weight {
    /// The family that egui knows this weight by.
    pub fn family(self) -> FontFamily {
        match self {
            Self::Regular => FontFamily::Proportional,
            Self::Bold => FontFamily::Name(BOLD.into()),
        }
    }

    /// The font of this weight at `size` points.
    pub fn at(self, size: f32) -> FontId {
        FontId::new(size, self.family())
    }
}

/// The fonts that ship with the program and nothing else. The bold one holds what the program itself
/// says; a name falls back to the regular one.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let mut add = |name: &str, bytes: &'static [u8]| {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    };
    add(REGULAR, include_bytes!("../../assets/fonts/NotoSansJP-Regular.ttf"));
    add(BOLD, include_bytes!("../../assets/fonts/NotoSansJP-Bold.ttf"));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![REGULAR.to_owned()]);
    }
    fonts.families.insert(Weight::Bold.family(), vec![BOLD.to_owned(), REGULAR.to_owned()]);
    fonts
}

/// Gives a context these fonts, and the system's for every character they lack. The system is asked
/// for Japanese shapes whatever its locale: 直 and 角 look otherwise in Chinese.
pub fn install(ctx: &Context) {
    ctx.set_fonts(definitions());
    ctx.add_font_provider(Arc::new(SystemFontProvider::new().with_locale(Some("ja"))));
}
