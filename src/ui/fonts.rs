//! The fonts. Noto Sans JP and a serif for pieces ship with the program, because a fresh machine may have no Japanese
//! font. The user may choose a system font instead. System fonts supply the rare characters of names.

use eframe::egui;
use egui::epaint::text::{FontTweak, VariationCoords};
use egui::{Context, FontData, FontDefinitions, FontFamily, FontId, Id};
use egui_system_font_provider::SystemFontProvider;
use flate2::read::GzDecoder;
use fontique::{
    Collection, CollectionOptions, FamilyInfo, FontInfo, FontStyle, FontWeight, FontWidth, SourceId, SourceInfo,
    SourceKind,
};
use std::io::Read as _;
use std::sync::{Arc, LazyLock};

const REGULAR: &str = "regular";
const BOLD: &str = "bold";
const PIECES: &str = "pieces";

/// The fonts that ship with the program. They are embedded compressed: a quarter of a megabyte less for some
/// milliseconds at the start.
static SHIPPED: LazyLock<[(&str, Vec<u8>); 3]> = LazyLock::new(|| {
    [
        (REGULAR, whole(include_bytes!("../../assets/fonts/NotoSansJP-Regular.otf.gz"))),
        (BOLD, whole(include_bytes!("../../assets/fonts/NotoSansJP-Bold.otf.gz"))),
        (PIECES, whole(include_bytes!("../../assets/fonts/NotoSerifJP-Pieces.ttf.gz"))),
    ]
});

fn whole(compressed: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    // The data is part of the program, so it can be read; otherwise no window test would pass.
    let _always_valid = GzDecoder::new(compressed).read_to_end(&mut whole);
    whole
}

/// The weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextWeight {
    /// Names, lines, figures.
    Regular,
    /// Percentages, moves, the evaluation.
    Bold,
}

impl TextWeight {
    /// Returns egui's font family of this weight.
    pub fn family(self) -> FontFamily {
        match self {
            Self::Regular => FontFamily::Proportional,
            Self::Bold => FontFamily::Name(BOLD.into()),
        }
    }

    /// Returns the font of this weight at `size` points.
    pub fn at(self, size: f32) -> FontId {
        FontId::new(size, self.family())
    }
}

/// Returns the serif font at `size` points. It holds only the characters of the pieces and around the board.
pub fn pieces(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(PIECES.into()))
}

/// Returns the fonts that ship with the program. The bold font holds the program's own texts; names fall back to the
/// regular one.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in &*SHIPPED {
        fonts.font_data.insert((*name).to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![REGULAR.to_owned()]);
    }
    fonts.families.insert(TextWeight::Bold.family(), vec![BOLD.to_owned(), REGULAR.to_owned()]);
    fonts.families.insert(FontFamily::Name(PIECES.into()), [PIECES, BOLD, REGULAR].map(str::to_owned).to_vec());
    fonts
}

/// Installs the fonts in a context: the named system family if it exists, then the shipped fonts. System fonts supply
/// the characters that these lack. Their locale is always Japanese, because 直 and 角 look different in Chinese. May be
/// called again when another family is chosen.
pub fn install(ctx: &Context, family: Option<&str>) {
    let family = family.and_then(|name| Collection::new(SYSTEM).family_by_name(name));
    ctx.set_fonts(family.map_or_else(definitions, |family| with(&family)));
    let done = Id::unique("fonts of the system");
    if !ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(done), true)) {
        ctx.add_font_provider(Arc::new(SystemFontProvider::new().with_locale(Some("ja"))));
    }
}

/// Returns the sorted names of the system's font families. Takes some tens of milliseconds.
pub fn families() -> Vec<String> {
    let mut system = Collection::new(SYSTEM);
    let mut names: Vec<String> = system.family_names().map(str::to_owned).collect();
    // Names that begin with a dot are internal to the system.
    names.retain(|name| !name.starts_with('.') && !name.contains(char::is_control));
    names.sort_by_cached_key(|name| name.to_lowercase());
    names.dedup();
    names
}

const SYSTEM: CollectionOptions = CollectionOptions { shared: false, system_fonts: true };

/// Returns the shipped fonts with this family before them.
fn with(family: &FamilyInfo) -> FontDefinitions {
    let mut fonts = definitions();
    let regular = face(family, FontWeight::NORMAL);
    let bold = face(family, FontWeight::BOLD);
    for (data, name, families) in [
        (regular, "chosen", &[FontFamily::Proportional, FontFamily::Monospace][..]),
        (bold, "chosen bold", &[TextWeight::Bold.family()]),
    ] {
        let Some(data) = data else { continue };
        fonts.font_data.insert(name.to_owned(), Arc::new(data));
        for family in families {
            fonts.families.entry(family.clone()).or_default().insert(0, name.to_owned());
        }
    }
    fonts
}

/// Returns the upright face of a family that is nearest to a weight; `None` if no face can be read.
fn face(family: &FamilyInfo, weight: FontWeight) -> Option<FontData> {
    let font = family.match_font(FontWidth::NORMAL, FontStyle::Normal, weight, false)?;
    let blob = font.load(None)?;
    // egui panics on unreadable fonts, and the file may differ from the one that the system indexed.
    FontInfo::from_source(SourceInfo::new(SourceId::new(), SourceKind::Memory(blob.clone())), font.index())?;
    let mut coords = VariationCoords::default();
    for (axis, value) in font.synthesis(FontWidth::NORMAL, FontStyle::Normal, weight).variation_settings() {
        coords.push(axis.to_be_bytes(), *value);
    }
    let data = FontData::from_blob(blob.into_raw_parts().0, font.index());
    Some(data.tweak(FontTweak { coords, ..FontTweak::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::RawInput;

    /// Returns the width of a text in the context's font of each weight, in points.
    fn widths(ctx: &Context) -> [String; 2] {
        [TextWeight::Regular, TextWeight::Bold].map(|weight| format!("{:.2}", width(ctx, weight)))
    }

    fn width(ctx: &Context, weight: TextWeight) -> f32 {
        let mut width = 0.0;
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            let color = ui.visuals().text_color();
            width =
                ui.fonts_mut(|fonts| fonts.layout_no_wrap("Win 52% 先手".to_owned(), weight.at(20.0), color)).size().x;
        });
        output.textures_delta.clear();
        width
    }

    #[test]
    fn installs_every_system_family_and_restores_the_default() {
        let families = families();
        assert!(families.is_sorted_by_key(|name| name.to_lowercase()));
        let ctx = Context::default();
        ctx.set_fonts(definitions());
        let shipped = widths(&ctx);
        let mut others = 0;
        for name in &families {
            install(&ctx, Some(name));
            let chosen = widths(&ctx);
            assert!(chosen.iter().all(|width| width.len() > 4), "{name}: {chosen:?}");
            others += usize::from(chosen != shipped);
        }
        assert!(others > 0 || families.is_empty(), "none of {families:?} is drawn with");
        install(&ctx, None);
        assert_eq!(widths(&ctx), shipped, "there is a way back");
        install(&ctx, Some("No Such Font 47"));
        assert_eq!(widths(&ctx), shipped);
    }
}
