//! The options in the address of an OBS page.

use crate::pages_text::ObsCorner;
use shogibar_base::Lang;
use shogibar_config::{Layout, OverlayPreset, SecondNames, Settings};
use shogibar_games::bar::{BarView, SideView};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The kind of an OBS page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObsPageKind {
    /// The bar of a game.
    #[default]
    Overlay,
    /// The boards of all games.
    Desk,
    /// The board of a game, with what is drawn on it.
    Board,
}

/// The area behind the parts of a board page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageGround {
    /// The area stays transparent.
    #[default]
    Clear,
    /// The area has the colour of a window.
    Plain,
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
    /// The size of the bar as a multiple of its natural size, from 0.25 to 8. `None` suits the page.
    pub scale: Option<f32>,
    /// The position of the bar on the page; `None` for the bottom, or the left if the bar is upright.
    pub corner: Option<ObsCorner>,
    /// The number of the game, from 1; `None` for the current game.
    pub game: Option<usize>,
    /// Whether Black is on the right.
    pub is_swapped: Option<bool>,
    /// The language of the page.
    pub lang: Option<Lang>,
    /// Whether the players have their second names, where these are known.
    pub has_second_names: bool,
    /// Whether the page is empty once the program has ended, instead of showing a greyed bar.
    pub hides_when_lost: bool,
    /// The area behind the parts of a board page.
    pub ground: PageGround,
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
            corner: None,
            game: None,
            is_swapped: None,
            lang: None,
            has_second_names: false,
            hides_when_lost: false,
            ground: PageGround::Clear,
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
/// The smallest width and height of a page that is a whole picture, in points.
const MIN_PICTURE_SIZE: [f32; 2] = [640.0, 480.0];
/// The width divided by the height of a page that is a whole picture: from less than 5:4 to 2:1.
const PICTURE_RATIOS: RangeInclusive<f32> = 1.2..=2.0;
/// The largest part of the page's height that a bar covers by default.
const MAX_HEIGHT_FRACTION: f32 = 1.0 / 3.0;
/// The largest part of the page's width that an upright bar covers by default.
const MAX_UPRIGHT_WIDTH_FRACTION: f32 = 1.0 / 7.0;
/// The smallest font size on a picture of [`SMALL_PICTURE_SIZE`], in points. It is readable in a video of this size.
const MIN_FONT_SIZE: f32 = 13.0;
/// The size of a small picture, in points. In a larger one, the smallest font size is larger in proportion.
const SMALL_PICTURE_SIZE: [f32; 2] = [1280.0, 720.0];
/// The natural size of the one-line layout on a page, in points. At scale 2 it is as wide as a canvas of 1920 points
/// without the margins.
const ONE_LINE_SIZE: [f32; 2] = [950.0, 77.0];
/// The natural size of the one-line layout without the context line, which also fills a page of its proportions.
const ONE_LINE_SIZE_WITHOUT_CONTEXT: [f32; 2] = [950.0, 60.0];

impl ObsPageOptions {
    /// Reads the query of an address. Unknown parts are ignored.
    pub fn parse(query: &str) -> Self {
        let mut options = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let number = || value.parse::<f32>().ok().filter(|number| number.is_finite());
            match &*key {
                "page" => {
                    options.kind = match &*value {
                        "desk" => ObsPageKind::Desk,
                        "board" => ObsPageKind::Board,
                        _ => options.kind,
                    }
                }
                "layout" => options.layout = Layout::from_name(&value),
                "preset" => options.preset = OverlayPreset::from_name(&value),
                "theme" => options.theme = Some(value.into_owned()).filter(|name| !name.is_empty()),
                "scale" => options.scale = number().map(|scale| scale.clamp(0.25, 8.0)),
                "corner" => options.corner = ObsCorner::from_name(&value),
                "names" => options.has_second_names = value == "2",
                // A number that cannot be read is that of no game.
                "game" => options.game = Some(value.parse().unwrap_or(usize::MAX)),
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
                "ground" if value == "plain" => options.ground = PageGround::Plain,
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
        Self {
            layout: Some(Layout::Bar),
            preset: Some(OverlayPreset::Stream),
            ..Self::default()
        }
    }

    /// Returns the query of an address with these options, without the kind of page, its size and the sample.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let [scale, game] = [
            self.scale.map(|scale| scale.to_string()),
            self.game.map(|game| game.to_string()),
        ];
        let pairs = [
            ("layout", self.layout.map(Layout::name)),
            ("preset", self.preset.map(OverlayPreset::name)),
            ("theme", self.theme.as_deref()),
            ("scale", scale.as_deref()),
            ("corner", self.corner.map(ObsCorner::name)),
            ("game", game.as_deref()),
            (
                "left",
                self.is_swapped
                    .map(|swapped| if swapped { "white" } else { "black" }),
            ),
            ("lang", self.lang.map(|lang| lang.pick("ja", "en"))),
            ("names", self.has_second_names.then_some("2")),
            ("lost", self.hides_when_lost.then_some("hide")),
            ("ground", (self.ground == PageGround::Plain).then_some("plain")),
        ];
        query
            .extend_pairs(pairs.into_iter().filter_map(|(key, value)| Some((key, value?))))
            .finish()
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

    /// Returns the view with the names that the page shows: those of the record, or the second names that are known.
    pub fn named_view<'v>(&self, view: &'v BarView, names: &SecondNames) -> Cow<'v, BarView> {
        let second = |side: &SideView| {
            if self.has_second_names {
                names.get(&side.name).map(str::to_owned)
            } else {
                None
            }
        };
        let [black, white] = [second(&view.black), second(&view.white)];
        let mut shown = Cow::Borrowed(view);
        if let Some(name) = black {
            shown.to_mut().black.name = name;
        }
        if let Some(name) = white {
            shown.to_mut().white.name = name;
        }
        shown
    }

    /// Returns the left upper corner and the size of a bar on the page, in points. `natural` is the natural size of its
    /// layout. A page of about these proportions is filled, unless it is a whole picture. By default, the bar covers at
    /// most a third of the height. An upright bar covers at most a seventh of the width.
    pub fn geometry(&self, layout: Layout, natural: [f32; 2]) -> [[f32; 2]; 2] {
        let natural = if layout == Layout::Bar {
            ONE_LINE_SIZE
        } else {
            natural
        };
        let [width, height] = self.size;
        let is_filled_by = |natural: [f32; 2]| {
            let [across, down] = [width / natural[0], height / natural[1]];
            across.max(down) <= MAX_FILL_RATIO * across.min(down)
        };
        let is_line_filled = layout == Layout::Bar && is_filled_by(ONE_LINE_SIZE_WITHOUT_CONTEXT);
        let is_filled = (is_filled_by(natural) || is_line_filled) && !self.is_picture();
        if is_filled && self.scale.is_none() {
            return [[0.0, 0.0], self.size];
        }
        let is_upright = layout == Layout::Vertical;
        let room = [
            (width - 2.0 * SIDE_MARGIN).max(1.0),
            (height - 2.0 * BOTTOM_MARGIN).max(1.0),
        ];
        let [max_width, max_height] = if is_upright {
            [width * MAX_UPRIGHT_WIDTH_FRACTION, height]
        } else {
            [width, height * MAX_HEIGHT_FRACTION]
        };
        let fitting = (room[0].min(max_width) / natural[0]).min(room[1].min(max_height) / natural[1]);
        let scale = self.scale.unwrap_or(fitting);
        let size = [(natural[0] * scale).min(width), (natural[1] * scale).min(height)];
        // The default size is rounded down, so that it stays within its part of the page.
        let size = size
            .map(if self.scale.is_none() {
                f32::floor
            } else {
                f32::round
            })
            .map(|side| side.max(1.0));
        let corner = self.corner.unwrap_or(if is_upright {
            ObsCorner::BottomLeft
        } else {
            ObsCorner::Bottom
        });
        let [left, above] = corner.free_shares();
        [
            [
                corner_at(width - size[0], SIDE_MARGIN, left),
                corner_at(height - size[1], BOTTOM_MARGIN, above),
            ],
            size,
        ]
    }

    /// Returns whether the page has the size and the proportions of a whole picture, over which the bar lies.
    fn is_picture(&self) -> bool {
        let [width, height] = self.size;
        width >= MIN_PICTURE_SIZE[0]
            && height >= MIN_PICTURE_SIZE[1]
            && PICTURE_RATIOS.contains(&(width / height))
    }

    /// Returns the smallest font size on the page, in whole points. Viewers may see a large picture made smaller, so the
    /// size grows with the picture. A bar whose size the user has chosen does not follow the picture.
    pub fn min_font_size(&self) -> u8 {
        let [across, down] = [
            self.size[0] / SMALL_PICTURE_SIZE[0],
            self.size[1] / SMALL_PICTURE_SIZE[1],
        ];
        let growth = if self.scale.is_none() && self.is_picture() {
            across.min(down).max(1.0)
        } else {
            1.0
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 148 points"
        )]
        let size = (MIN_FONT_SIZE * growth).round() as u8;
        size
    }
}

/// Returns the distance of a bar from the left or upper edge of its page, in whole points. `free` is the length that
/// the bar leaves free, of which `share` lies before the bar. The bar keeps the margin where there is room.
fn corner_at(free: f32, margin: f32, share: f32) -> f32 {
    let free = free.max(0.0);
    let margin = margin.min(free / 2.0);
    (free * share).clamp(margin, free - margin).round()
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
        let query = "page=overlay&layout=bar&preset=stream&theme=%E5%A4%9C+2&scale=2&corner=top-left&game=3&left=white&lang=en&names=2&lost=hide&ground=plain&test=1&width=1920&height=1080";
        let expect = ObsPageOptions {
            kind: ObsPageKind::Overlay,
            layout: Some(Layout::Bar),
            preset: Some(OverlayPreset::Stream),
            theme: Some("夜 2".to_owned()),
            scale: Some(2.0),
            corner: Some(ObsCorner::TopLeft),
            game: Some(3),
            is_swapped: Some(true),
            lang: Some(Lang::En),
            has_second_names: true,
            hides_when_lost: true,
            ground: PageGround::Plain,
            is_test: true,
            size: [1920.0, 1080.0],
        };
        assert_eq!(ObsPageOptions::parse(query), expect);
        let again = format!("{}&test=1&width=1920&height=1080", expect.query());
        assert_eq!(ObsPageOptions::parse(&again), expect, "{again}");
        assert_eq!(ObsPageOptions::for_obs().query(), "layout=bar&preset=stream");
        let nothing = "corner=middle&names=1&layout=round&preset=all&theme=&scale=NaN&left=up&lang=fr&lost=1&test=2&width=&x=y&&=";
        assert_eq!(ObsPageOptions::parse(nothing), ObsPageOptions::default());
        for number in ["-1", "99999999999999999999999", "x"] {
            let shown = ObsPageOptions::parse(&format!("game={number}")).game;
            assert_eq!(
                shown,
                Some(usize::MAX),
                "{number}: no game, and not the current one"
            );
        }
    }

    #[test]
    fn a_bar_lies_below_or_fills_its_page() {
        let geometry = |query: &str, layout, natural| ObsPageOptions::parse(query).geometry(layout, natural);
        let line = |query: &str| geometry(query, Layout::Bar, [960.0, 72.0]);
        assert_eq!(line("width=1920&height=1080"), [[10.0, 906.0], [1900.0, 154.0]]);
        assert_eq!(line("width=1900&height=154"), [[0.0, 0.0], [1900.0, 154.0]]);
        assert_eq!(
            line("width=1900&height=120"),
            [[0.0, 0.0], [1900.0, 120.0]],
            "without the context line"
        );
        assert_eq!(line("width=960&height=72"), [[0.0, 0.0], [960.0, 72.0]]);
        assert_eq!(
            line("width=1920&height=1080&scale=1"),
            [[485.0, 983.0], [950.0, 77.0]]
        );
        let upright = geometry("width=1920&height=1080", Layout::Vertical, [140.0, 677.0]);
        assert_eq!(upright, [[10.0, 20.0], [215.0, 1040.0]]);
    }

    #[test]
    fn a_bar_leaves_the_picture_free() {
        // The natural sizes with three and with ten candidates, and with two engines.
        let naturals: [(Layout, &[[f32; 2]]); 5] = [
            (Layout::Full, &[[838.0, 300.0], [838.0, 489.0]]),
            (Layout::Candidates, &[[560.0, 188.0], [560.0, 758.0]]),
            (Layout::Bar, &[[960.0, 92.0]]),
            (Layout::Compact, &[[280.0, 93.0], [280.0, 117.0]]),
            (Layout::Vertical, &[[140.0, 677.0]]),
        ];
        for [width, height] in [
            [1920.0, 1080.0],
            [1280.0, 720.0],
            [800.0, 600.0],
            [3840.0, 2160.0],
        ] {
            for (layout, natural) in naturals
                .iter()
                .flat_map(|(layout, all)| all.iter().map(move |one| (*layout, *one)))
            {
                let options = ObsPageOptions {
                    size: [width, height],
                    ..ObsPageOptions::default()
                };
                let [at, size] = options.geometry(layout, natural);
                if layout == Layout::Vertical {
                    assert!(
                        size[0] <= width / 7.0 && at[0] <= 10.0,
                        "{layout:?} {at:?} {size:?}"
                    );
                } else {
                    assert!(
                        size[1] <= height / 3.0,
                        "{layout:?} on {width}x{height}: {size:?}"
                    );
                    assert!(at[1] + size[1] + 20.0 >= height, "{layout:?} {at:?} {size:?}");
                }
            }
        }
    }

    #[test]
    fn a_bar_lies_in_its_corner() {
        let corner = |name: &str| {
            let query = format!("width=1280&height=720&scale=1&corner={name}");
            ObsPageOptions::parse(&query).geometry(Layout::Full, [838.0, 277.0])[0]
        };
        let expect = [
            ("top-left", [10.0, 20.0]),
            ("top", [221.0, 20.0]),
            ("top-right", [432.0, 20.0]),
            ("left", [10.0, 222.0]),
            ("right", [432.0, 222.0]),
            ("bottom-left", [10.0, 423.0]),
            ("bottom", [221.0, 423.0]),
            ("bottom-right", [432.0, 423.0]),
            ("", [221.0, 423.0]),
        ];
        for (name, at) in expect {
            assert_eq!(format!("{:?}", corner(name)), format!("{at:?}"), "{name}");
        }
    }

    #[test]
    fn the_smallest_text_grows_with_the_picture() {
        let size = |query: &str| ObsPageOptions::parse(query).min_font_size();
        assert_eq!(size("width=1280&height=720"), 13);
        assert_eq!(size("width=1920&height=1080"), 20);
        assert_eq!(size("width=1920&height=1080&scale=0.75"), 13);
        assert_eq!(size("width=1900&height=120"), 13);
        assert_eq!(size("width=1080&height=1920"), 13);
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
