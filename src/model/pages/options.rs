//! The options in the address of an OBS page.

use crate::config::{Layout, OverlayPreset, Settings};
use crate::text::Lang;

/// The kind of an OBS page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObsPageKind {
    /// The bar of a game.
    #[default]
    Overlay,
    /// The boards of all games.
    Desk,
}

/// The options of an OBS page. An option of `None` has the value of the settings.
#[derive(Clone, Debug, PartialEq)]
pub struct ObsPageOptions {
    /// The kind of the page.
    pub kind: ObsPageKind,
    /// The layout of the bar.
    pub layout: Option<Layout>,
    /// The preset of visible parts of the bar.
    pub preset: Option<OverlayPreset>,
    /// The name of the theme.
    pub theme: Option<String>,
    /// The size of the bar as a multiple of its natural size, from 0.25 to 8. `None` fits the page.
    pub scale: Option<f32>,
    /// The number of the game, from 1; `None` for the current game.
    pub game: Option<usize>,
    /// Whether Black is on the right.
    pub is_swapped: Option<bool>,
    /// The language of the page.
    pub lang: Option<Lang>,
    /// Whether the page is empty once the program has ended, instead of showing a greyed bar.
    pub hides_when_lost: bool,
    /// Whether the page shows sample data.
    pub is_test: bool,
    /// The width and height of the page, in points from 16 to 8192.
    pub size: [f32; 2],
}

impl Default for ObsPageOptions {
    fn default() -> Self {
        Self {
            kind: ObsPageKind::Overlay,
            layout: None,
            preset: None,
            theme: None,
            scale: None,
            game: None,
            is_swapped: None,
            lang: None,
            hides_when_lost: false,
            is_test: false,
            // The default size of a source in OBS.
            size: [800.0, 600.0],
        }
    }
}

/// The margin at the sides of a bar that does not fill its page, in points.
const SIDE_MARGIN: f32 = 10.0;
/// The margin below a bar that does not fill its page, in points.
const BOTTOM_MARGIN: f32 = 20.0;
/// The largest ratio between the scales in width and height at which a bar still fills the page.
const MAX_FILL_RATIO: f32 = 1.25;
/// The natural size of the one-line layout on a page, in points. At scale 2 it is as wide as a canvas of 1920 points
/// without the margins.
const ONE_LINE_SIZE: [f32; 2] = [950.0, 60.0];

impl ObsPageOptions {
    /// Reads the query of an address. Unknown parts are ignored.
    pub fn parse(query: &str) -> Self {
        let mut options = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let number = || value.parse::<f32>().ok().filter(|number| number.is_finite());
            match &*key {
                "page" if value == "desk" => options.kind = ObsPageKind::Desk,
                "layout" => options.layout = Layout::from_name(&value),
                "preset" => options.preset = OverlayPreset::from_name(&value),
                "theme" => options.theme = Some(value.into_owned()).filter(|name| !name.is_empty()),
                "scale" => options.scale = number().map(|scale| scale.clamp(0.25, 8.0)),
                "game" => options.game = value.parse().ok(),
                "left" => {
                    options.is_swapped = [("black", false), ("white", true)]
                        .into_iter()
                        .find_map(|(name, swapped)| (value == name).then_some(swapped));
                }
                "lang" => {
                    options.lang = [("ja", Lang::Ja), ("en", Lang::En)]
                        .into_iter()
                        .find_map(|(name, lang)| (value == name).then_some(lang));
                }
                "lost" => options.hides_when_lost = value == "hide",
                "test" => options.is_test = value == "1",
                "width" => options.size[0] = clamped_side(number(), options.size[0]),
                "height" => options.size[1] = clamped_side(number(), options.size[1]),
                _ => {}
            }
        }
        options
    }

    /// Creates the options that are suggested for OBS at first: one line, without the technical parts.
    pub fn for_obs() -> Self {
        Self { layout: Some(Layout::Bar), preset: Some(OverlayPreset::Stream), ..Self::default() }
    }

    /// Returns the query of an address with these options, without the kind of page, its size and the sample.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let [scale, game] = [self.scale.map(|scale| scale.to_string()), self.game.map(|game| game.to_string())];
        let pairs = [
            ("layout", self.layout.map(Layout::name)),
            ("preset", self.preset.map(OverlayPreset::name)),
            ("theme", self.theme.as_deref()),
            ("scale", scale.as_deref()),
            ("game", game.as_deref()),
            ("left", self.is_swapped.map(|swapped| if swapped { "white" } else { "black" })),
            ("lang", self.lang.map(|lang| lang.pick("ja", "en"))),
            ("lost", self.hides_when_lost.then_some("hide")),
        ];
        query.extend_pairs(pairs.into_iter().filter_map(|(key, value)| Some((key, value?)))).finish()
    }

    /// Applies the options to settings, except the theme, whose file has to be read.
    pub fn apply(&self, settings: &mut Settings) {
        if let Some(preset) = self.preset {
            settings.parts = preset.parts();
        }
        let overlay = &mut settings.overlay;
        overlay.layout = self.layout.unwrap_or(overlay.layout);
        overlay.is_swapped = self.is_swapped.unwrap_or(overlay.is_swapped);
    }

    /// Returns the left upper corner and the size of a bar on the page, in points. `natural` is the natural size of its
    /// layout. A page of about these proportions is filled. On others, the bar is at the bottom, or at the left if it
    /// is upright.
    pub fn geometry(&self, layout: Layout, natural: [f32; 2]) -> [[f32; 2]; 2] {
        let natural = if layout == Layout::Bar { ONE_LINE_SIZE } else { natural };
        let [width, height] = self.size;
        let [across, down] = [width / natural[0], height / natural[1]];
        let is_filled = across.max(down) <= MAX_FILL_RATIO * across.min(down);
        if is_filled && self.scale.is_none() {
            return [[0.0, 0.0], self.size];
        }
        let room = [(width - 2.0 * SIDE_MARGIN).max(1.0), (height - 2.0 * BOTTOM_MARGIN).max(1.0)];
        let fitting = (room[0] / natural[0]).min(room[1] / natural[1]);
        let scale = self.scale.unwrap_or(fitting);
        let size = [(natural[0] * scale).min(width), (natural[1] * scale).min(height)].map(f32::round);
        let is_upright = natural[1] > natural[0];
        let left = if is_upright { SIDE_MARGIN.min(width - size[0]) } else { ((width - size[0]) / 2.0).round() };
        [[left, (height - size[1] - BOTTOM_MARGIN).max(0.0).round()], size]
    }
}

/// Returns the length of a side of the page in points, limited to the range from 16 to 8192.
fn clamped_side(length: Option<f32>, default: f32) -> f32 {
    length.map_or(default, |side| side.clamp(16.0, 8192.0).round())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_address_of_a_page() {
        let query = "page=overlay&layout=bar&preset=stream&theme=%E5%A4%9C+2&scale=2&game=3&left=white&lang=en&lost=hide&test=1&width=1920&height=1080";
        let expect = ObsPageOptions {
            kind: ObsPageKind::Overlay,
            layout: Some(Layout::Bar),
            preset: Some(OverlayPreset::Stream),
            theme: Some("夜 2".to_owned()),
            scale: Some(2.0),
            game: Some(3),
            is_swapped: Some(true),
            lang: Some(Lang::En),
            hides_when_lost: true,
            is_test: true,
            size: [1920.0, 1080.0],
        };
        assert_eq!(ObsPageOptions::parse(query), expect);
        let again = format!("{}&test=1&width=1920&height=1080", expect.query());
        assert_eq!(ObsPageOptions::parse(&again), expect, "{again}");
        assert_eq!(ObsPageOptions::for_obs().query(), "layout=bar&preset=stream");
        let nothing = "layout=round&preset=all&theme=&scale=NaN&game=-1&left=up&lang=fr&lost=1&test=2&width=&x=y&&=";
        assert_eq!(ObsPageOptions::parse(nothing), ObsPageOptions::default());
    }

    #[test]
    fn a_bar_lies_below_or_fills_its_page() {
        let geometry = |query: &str, layout, natural| ObsPageOptions::parse(query).geometry(layout, natural);
        let line = |query: &str| geometry(query, Layout::Bar, [960.0, 72.0]);
        assert_eq!(line("width=1920&height=1080"), [[10.0, 940.0], [1900.0, 120.0]]);
        assert_eq!(line("width=1900&height=120"), [[0.0, 0.0], [1900.0, 120.0]]);
        assert_eq!(line("width=960&height=72"), [[0.0, 0.0], [960.0, 72.0]]);
        assert_eq!(line("width=1920&height=1080&scale=1"), [[485.0, 1000.0], [950.0, 60.0]]);
        let upright = geometry("width=1920&height=1080", Layout::Vertical, [140.0, 600.0]);
        assert_eq!(upright, [[10.0, 20.0], [243.0, 1040.0]]);
    }

    proptest! {
        #[test]
        fn any_query_is_read_and_a_bar_is_on_its_page(query in ".{0,200}", width in 1u32..9000, height in 1u32..9000) {
            let options = ObsPageOptions::parse(&format!("{query}&width={width}&height={height}"));
            let layouts = [Layout::Bar, Layout::Vertical, Layout::Full];
            for (layout, natural) in layouts.into_iter().zip([[960.0, 72.0], [140.0, 600.0], [838.0, 277.0]]) {
                let [at, size] = options.geometry(layout, natural);
                prop_assert!(at[0] >= 0.0 && at[1] >= 0.0);
                prop_assert!(at[0] + size[0] <= options.size[0] + 1.0 && at[1] + size[1] <= options.size[1] + 1.0);
            }
        }
    }
}
