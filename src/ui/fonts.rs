//! The fonts. Noto Sans JP and a serif for pieces ship with the program, because a machine may have no Japanese font.
//! The user may choose a system font instead. System fonts supply the rare characters of names.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use eframe::egui;
use egui::epaint::text::{FontTweak, VariationCoords};
use egui::{Context, FontData, FontDefinitions, FontFamily, FontId, Id};
use egui_system_font_provider::SystemFontProvider;
use flate2::read::GzDecoder;
use fontique::{
    Collection, CollectionOptions, FamilyInfo, FontInfo, FontStyle, FontWeight, FontWidth, SourceId,
    SourceInfo, SourceKind,
};
use shogibar_config::{DigitFont, Settings};
use std::cell::LazyCell;
use std::io::Read as _;
use std::sync::{Arc, LazyLock};

/// The name of the shipped regular font, and the CSS class of texts in it.
const REGULAR_FONT: &str = "regular";
/// The name of the shipped bold font, of egui's family of bold texts, and of their CSS class.
const BOLD_FONT: &str = "bold";
/// The name of the shipped serif font for pieces, of egui's family for pieces, and of their CSS class.
const PIECES_FONT: &str = "pieces";
/// The name of the shipped serif font for digits, of egui's family for the digits of win rates, and of their CSS class.
const DIGITS_FONT: &str = "digits";
/// The name of egui's family of regular texts on the bar.
const BAR_FONT: &str = "bar";
/// The name of egui's family of bold texts on the bar.
const BAR_BOLD_FONT: &str = "bar bold";

/// The fonts that ship with the program, by name, compressed by gzip. This saves a quarter of a megabyte and costs some
/// milliseconds at the start.
const COMPRESSED_FONTS: [(&str, &[u8]); 4] = [
    (
        REGULAR_FONT,
        include_bytes!("../../assets/fonts/NotoSansJP-Regular.otf.gz"),
    ),
    (
        BOLD_FONT,
        include_bytes!("../../assets/fonts/NotoSansJP-Bold.otf.gz"),
    ),
    (
        PIECES_FONT,
        include_bytes!("../../assets/fonts/NotoSerifJP-Pieces.ttf.gz"),
    ),
    (
        DIGITS_FONT,
        include_bytes!("../../assets/fonts/NotoSerifJP-Digits.ttf.gz"),
    ),
];

/// The fonts that ship with the program, by name.
static SHIPPED_FONTS: LazyLock<[(&str, Vec<u8>); 4]> =
    LazyLock::new(|| COMPRESSED_FONTS.map(|(name, compressed)| (name, decompress(compressed))));

fn decompress(compressed: &[u8]) -> Vec<u8> {
    let mut decompressed = Vec::new();
    // The data is part of the program and valid. A test of any window would notice invalid data.
    let _always_valid = GzDecoder::new(compressed).read_to_end(&mut decompressed);
    decompressed
}

/// The weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextWeight {
    /// The weight of names, variations and figures.
    Regular,
    /// The weight of percentages, best moves and the evaluation.
    Bold,
}

impl TextWeight {
    /// Returns egui's font family of this weight.
    pub fn family(self) -> FontFamily {
        match self {
            Self::Regular => FontFamily::Proportional,
            Self::Bold => FontFamily::Name(BOLD_FONT.into()),
        }
    }

    /// Returns the font of this weight at `size` points.
    pub fn at(self, size: f32) -> FontId {
        FontId::new(size, self.family())
    }
}

/// The font of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFont {
    /// The font of most texts, in this weight.
    Text(TextWeight),
    /// The font of the digits of win rates.
    Digits,
}

impl TextFont {
    /// Returns the font at `size` points. The bar may have another font than the rest of the program.
    pub fn at(self, size: f32, is_on_bar: bool) -> FontId {
        let family = match self {
            Self::Text(weight) if !is_on_bar => return weight.at(size),
            Self::Text(TextWeight::Regular) => BAR_FONT,
            Self::Text(TextWeight::Bold) => BAR_BOLD_FONT,
            Self::Digits => DIGITS_FONT,
        };
        FontId::new(size, FontFamily::Name(family.into()))
    }
}

/// Returns the CSS class of a font family in the style sheets of the OBS pages, which have the shipped fonts.
/// `has_serifs` is whether the digits of win rates have serifs.
pub fn css_class(family: &FontFamily, has_serifs: bool) -> &'static str {
    match family {
        FontFamily::Name(name) if matches!(&**name, BOLD_FONT | BAR_BOLD_FONT) => BOLD_FONT,
        FontFamily::Name(name) if &**name == PIECES_FONT => PIECES_FONT,
        FontFamily::Name(name) if &**name == DIGITS_FONT => {
            if has_serifs {
                DIGITS_FONT
            } else {
                BOLD_FONT
            }
        }
        _ => REGULAR_FONT,
    }
}

/// Returns the fonts that ship with the program, compressed by gzip, by their names for the OBS pages.
pub const fn compressed_fonts() -> [(&'static str, &'static [u8]); 4] {
    COMPRESSED_FONTS
}

pub(crate) fn pieces_data_url() -> String {
    let font = SHIPPED_FONTS
        .iter()
        .find(|(name, _)| *name == PIECES_FONT)
        .map(|(_, font)| font.as_slice());
    format!(
        "data:font/ttf;base64,{}",
        STANDARD.encode(font.unwrap_or_default())
    )
}

/// Returns the serif font for pieces at `size` points. The font only has the characters on the pieces and around the
/// board.
pub fn piece_font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(PIECES_FONT.into()))
}

/// The fonts that the user has chosen for the program, the bar and the digits of win rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontChoice {
    /// The system family of the program; `None` is the shipped font.
    pub program: Option<String>,
    /// The system family of the bar; `None` is the font of the program.
    pub bar: Option<String>,
    /// The typeface of the digits of win rates.
    pub digits: DigitFont,
}

impl Default for FontChoice {
    fn default() -> Self {
        Self {
            program: None,
            bar: None,
            digits: DigitFont::Plain,
        }
    }
}

impl FontChoice {
    /// Creates the choice from the user's settings.
    pub fn from_settings(settings: &Settings) -> Self {
        let Settings { general, overlay, .. } = settings;
        Self {
            program: general.font.clone(),
            bar: overlay.font.clone(),
            digits: overlay.digits,
        }
    }
}

/// Decompresses the fonts that ship with the program. The first call takes some milliseconds.
pub fn unpack() {
    LazyLock::force(&SHIPPED_FONTS);
}

/// Returns the fonts that ship with the program.
pub fn definitions() -> FontDefinitions {
    definitions_with(&FontChoice::default())
}

/// Returns the shipped fonts, with the chosen families before them.
fn definitions_with(choice: &FontChoice) -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in &*SHIPPED_FONTS {
        fonts
            .font_data
            .insert((*name).to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    // The list of system fonts is read only if one of them is chosen.
    let mut system = LazyCell::new(|| Collection::new(SYSTEM_FONT_OPTIONS));
    let mut find = |name: &Option<String>| name.as_deref().and_then(|name| system.family_by_name(name));
    let program = find(&choice.program);
    let bar = find(&choice.bar).or_else(|| program.clone());
    let [regular, bold] = add_faces(&mut fonts, program.as_ref(), "program");
    let [bar_regular, bar_bold] = add_faces(&mut fonts, bar.as_ref(), "bar");
    let digits = match choice.digits {
        DigitFont::Plain => bar_bold.clone(),
        DigitFont::Serif => [vec![DIGITS_FONT.to_owned()], bar_bold.clone()].concat(),
    };
    let named = |name: &str| FontFamily::Name(name.into());
    fonts.families.extend([
        (FontFamily::Proportional, regular.clone()),
        (FontFamily::Monospace, regular),
        (TextWeight::Bold.family(), bold),
        (
            named(PIECES_FONT),
            [PIECES_FONT, BOLD_FONT, REGULAR_FONT].map(str::to_owned).to_vec(),
        ),
        (named(BAR_FONT), bar_regular),
        (named(BAR_BOLD_FONT), bar_bold),
        (named(DIGITS_FONT), digits),
    ]);
    fonts
}

/// Adds the regular and the bold face of a system family to the definitions, under names that begin with `prefix`.
/// Returns the names of the fonts for each weight: the added face, if there is one, and then the shipped fonts.
fn add_faces(fonts: &mut FontDefinitions, family: Option<&FamilyInfo>, prefix: &str) -> [Vec<String>; 2] {
    let shipped = [
        vec![REGULAR_FONT.to_owned()],
        vec![BOLD_FONT.to_owned(), REGULAR_FONT.to_owned()],
    ];
    let weights = [FontWeight::NORMAL, FontWeight::BOLD];
    let mut nth = 0;
    weights.map(|weight| {
        let mut names = shipped.get(nth).cloned().unwrap_or_default();
        nth += 1;
        if let Some(data) = family.and_then(|family| load_face(family, weight)) {
            let name = format!("{prefix} {nth}");
            fonts.font_data.insert(name.clone(), Arc::new(data));
            names.insert(0, name);
        }
        names
    })
}

/// Installs the fonts in a context: the chosen system families if they exist, then the shipped fonts. System fonts
/// supply the characters that these lack. Their locale is always Japanese, because 直 and 角 look different in Chinese.
/// To be called again when the user chooses other families.
pub fn install(ctx: &Context, choice: &FontChoice) {
    ctx.set_fonts(definitions_with(choice));
    let is_added_id = Id::unique("fonts of the system");
    if !ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(is_added_id), true)) {
        ctx.add_font_provider(Arc::new(SystemFontProvider::new().with_locale(Some("ja"))));
    }
}

/// Returns the names of the system's font families: first those with Japanese characters, then the others, each part
/// sorted. Reads every font, which may take a second.
pub fn system_families() -> Vec<String> {
    let mut system = Collection::new(SYSTEM_FONT_OPTIONS);
    let mut names: Vec<String> = system.family_names().map(str::to_owned).collect();
    // Names that begin with a dot are internal to the system.
    names.retain(|name| !name.starts_with('.') && !name.contains(char::is_control));
    names.sort_by_cached_key(|name| {
        let is_japanese = system
            .family_by_name(name)
            .is_some_and(|family| has_japanese(&family));
        (!is_japanese, name.to_lowercase())
    });
    names.dedup();
    names
}

/// Returns whether a system family of this name exists and has the characters of Japanese.
pub fn is_japanese(family: &str) -> bool {
    Collection::new(SYSTEM_FONT_OPTIONS)
        .family_by_name(family)
        .is_some_and(|family| has_japanese(&family))
}

fn has_japanese(family: &FamilyInfo) -> bool {
    family
        .default_font()
        .and_then(|font| {
            let data = font.load(None)?;
            let charmap = font.charmap_index().charmap(data.as_ref())?;
            Some(
                ['先', 'あ']
                    .into_iter()
                    .all(|letter| charmap.map(letter).is_some_and(|glyph| glyph > 0)),
            )
        })
        .unwrap_or(false)
}

const SYSTEM_FONT_OPTIONS: CollectionOptions = CollectionOptions {
    shared: false,
    system_fonts: true,
};

/// Returns the upright face of a family that is nearest to a weight; `None` if no face can be read.
fn load_face(family: &FamilyInfo, weight: FontWeight) -> Option<FontData> {
    let font = family.match_font(FontWidth::NORMAL, FontStyle::Normal, weight, false)?;
    let blob = font.load(None)?;
    // egui panics on unreadable fonts, and the file may have changed since the system indexed it. Therefore the font is
    // parsed here first.
    FontInfo::from_source(
        SourceInfo::new(SourceId::new(), SourceKind::Memory(blob.clone())),
        font.index(),
    )?;
    let mut coords = VariationCoords::default();
    for (axis, value) in font
        .synthesis(FontWidth::NORMAL, FontStyle::Normal, weight)
        .variation_settings()
    {
        coords.push(axis.to_be_bytes(), *value);
    }
    let data = FontData::from_blob(blob.into_raw_parts().0, font.index());
    Some(data.tweak(FontTweak {
        coords,
        ..FontTweak::default()
    }))
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
            width = ui
                .fonts_mut(|fonts| fonts.layout_no_wrap("Win 52% 先手".to_owned(), weight.at(20.0), color))
                .size()
                .x;
        });
        output.textures_delta.clear();
        width
    }

    #[test]
    fn installs_every_system_family_and_restores_the_default() {
        let families = system_families();
        let japanese: Vec<_> = families.iter().map(|name| is_japanese(name)).collect();
        assert!(japanese.is_sorted_by_key(|is| !is), "Japanese fonts come first");
        assert!(
            families
                .chunk_by(|one, other| is_japanese(one) == is_japanese(other))
                .all(|part| { part.is_sorted_by_key(|name| name.to_lowercase()) })
        );
        let ctx = Context::default();
        ctx.set_fonts(definitions());
        let shipped = widths(&ctx);
        let mut others = 0;
        for name in &families {
            let choice = FontChoice {
                program: Some(name.clone()),
                ..FontChoice::default()
            };
            install(&ctx, &choice);
            let chosen = widths(&ctx);
            assert!(chosen.iter().all(|width| width.len() > 4), "{name}: {chosen:?}");
            others += usize::from(chosen != shipped);
        }
        assert!(
            others > 0 || families.is_empty(),
            "none of {families:?} is drawn with"
        );
        install(&ctx, &FontChoice::default());
        assert_eq!(widths(&ctx), shipped, "there is a way back");
        install(
            &ctx,
            &FontChoice {
                program: Some("No Such Font 47".to_owned()),
                ..FontChoice::default()
            },
        );
        assert_eq!(widths(&ctx), shipped);
    }
}
