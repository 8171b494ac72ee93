//! Pictures of pieces: public piece sets, and pieces drawn with the system's fonts.

use crate::random::Random;
use image::{RgbaImage, imageops};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};
use skrifa::MetadataProvider as _;
use skrifa::instance::{LocationRef, Size};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// The number of kinds of one side.
pub const KIND_COUNT: usize = 14;
/// The class of an empty square. Black's classes are 1 to 14, White's 15 to 28.
pub const EMPTY: u8 = 0;
/// The class of a covered square.
pub const HIDDEN: u8 = 29;

/// The names of the kinds in the files of the public sets, in the order of the classes.
const KIND_CODES: [&str; KIND_COUNT] = [
    "FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY",
];
/// The names of the kinds in the files of one of the public sets.
const KIND_WORDS: [&str; KIND_COUNT] = [
    "pawn",
    "lance",
    "knight",
    "silver",
    "gold",
    "bishop",
    "rook",
    "king",
    "prom_pawn",
    "prom_lance",
    "prom_knight",
    "prom_silver",
    "horse",
    "dragon",
];
/// The width and height of a drawn piece's square in pixels.
const PIECE_SIZE: (u32, u32) = (96, 104);

/// The public sets without kanji.
const SETS_WITHOUT_KANJI: [&str; 8] = [
    "lishogi_international",
    "lishogi_intl_colored_2d",
    "lishogi_intl_colored_3d",
    "lishogi_intl_monochrome_2d",
    "lishogi_intl_shadowed",
    "lishogi_intl_wooden_3d",
    "lishogi_logy_games",
    "lishogi_western",
];

/// The families of pieces, fonts and grounds that are used.
#[derive(Clone, Copy, Debug)]
pub enum FamilyFilter<'a> {
    /// All families except these.
    Without(&'a [String]),
    /// These families only.
    Only(&'a [String]),
}

impl FamilyFilter<'_> {
    /// Returns whether a family is used. A name stands for all families that contain it.
    pub fn includes(&self, family: &str) -> bool {
        let is_among = |names: &[String]| names.iter().any(|name| family.contains(name.as_str()));
        match self {
            Self::Without(names) => !is_among(names),
            Self::Only(names) => is_among(names),
        }
    }
}

/// The pictures of one set of pieces.
#[derive(Clone, Debug)]
pub struct PieceSet {
    /// The name of the folder or of the font.
    pub name: String,
    /// The name that similar sets share.
    pub family: String,
    /// Whether the pieces have kanji on them.
    pub has_kanji: bool,
    /// Black's 14 kinds, then White's, each as large as a square.
    pub pieces: Vec<RgbaImage>,
}

impl PieceSet {
    /// Returns whether the pieces are letters without an outline, so that their pictures are mostly transparent.
    pub fn has_letters_only(&self) -> bool {
        let covered = |piece: &RgbaImage| piece.pixels().filter(|pixel| pixel[3] > 128).count();
        self.pieces
            .iter()
            .all(|piece| covered(piece) < (PIECE_SIZE.0 * PIECE_SIZE.1 / 3) as usize)
    }
}

/// Returns the complete public sets below `folder`.
pub fn public_sets(folder: &Path) -> Vec<PieceSet> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| {
            entries
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok())
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    names
        .into_iter()
        .filter_map(|name| read_public_set(&folder.join(&name), name))
        .collect()
}

/// Reads a public set. `None` unless Black's pieces are complete. Without White's pieces, Black's are rotated.
fn read_public_set(folder: &Path, name: String) -> Option<PieceSet> {
    let black: Option<Vec<RgbaImage>> = (0..KIND_COUNT)
        .map(|kind| read_public_piece(folder, 0, kind))
        .collect();
    let black = black?;
    let white: Option<Vec<RgbaImage>> = (0..KIND_COUNT)
        .map(|kind| read_public_piece(folder, 1, kind))
        .collect();
    let white = white.unwrap_or_else(|| black.iter().map(imageops::rotate180).collect());
    let family = match name.as_str() {
        "kifunotebook_orangain" | "lishogi_orangain" => "orangain",
        "lishogi_valdivia" | "lishogi_vald_opt" => "valdivia",
        "lishogi_shogi_cz" | "lishogi_engraved_cz" | "lishogi_shogi_bnw" => "cz",
        "lishogi_kanji_light"
        | "lishogi_kanji_brown"
        | "lishogi_kanji_red_wood"
        | "lishogi_kanji_guide_shadowed" => "kanji",
        "lishogi_1kanji_3d" | "lishogi_2kanji_3d" => "3d",
        other if other.starts_with("shogihome_hitomoji") => "hitomoji",
        other => other,
    };
    let has_kanji = !SETS_WITHOUT_KANJI.contains(&name.as_str());
    Some(PieceSet {
        family: family.to_owned(),
        has_kanji,
        pieces: [black, white].concat(),
        name,
    })
}

/// Reads a piece of a public set. `side` is 0 for Black, 1 for White.
fn read_public_piece(folder: &Path, side: usize, kind: usize) -> Option<RgbaImage> {
    let svg = folder.join(format!("{side}{}.svg", KIND_CODES[kind]));
    if let Ok(data) = std::fs::read(&svg) {
        return render_piece(&data, &usvg::Options::default());
    }
    let color = ["black", "white"][side];
    let named = folder.join(format!("{color}_{}.png", KIND_WORDS[kind]));
    let plain = folder.join(format!("{}.png", KIND_WORDS[kind]));
    let (picture, is_rotated) = match image::open(&named) {
        Ok(picture) => (picture, false),
        Err(_) => (image::open(&plain).ok()?, side == 1),
    };
    let fitted = fit(&picture.to_rgba8());
    Some(if is_rotated {
        imageops::rotate180(&fitted)
    } else {
        fitted
    })
}

/// Returns a picture of [`PIECE_SIZE`] with the given one in the middle.
fn fit(picture: &RgbaImage) -> RgbaImage {
    let scale =
        (PIECE_SIZE.0 as f32 / picture.width() as f32).min(PIECE_SIZE.1 as f32 / picture.height() as f32);
    let (width, height) = (
        (picture.width() as f32 * scale) as u32,
        (picture.height() as f32 * scale) as u32,
    );
    let small = imageops::resize(
        picture,
        width.max(1),
        height.max(1),
        imageops::FilterType::Triangle,
    );
    let mut whole = RgbaImage::new(PIECE_SIZE.0, PIECE_SIZE.1);
    imageops::replace(
        &mut whole,
        &small,
        i64::from((PIECE_SIZE.0 - width) / 2),
        i64::from((PIECE_SIZE.1 - height) / 2),
    );
    whole
}

/// Renders an SVG picture of a piece. `None` for an invalid one.
fn render_piece(data: &[u8], options: &usvg::Options<'_>) -> Option<RgbaImage> {
    let tree = usvg::Tree::from_data(data, options).ok()?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = (PIECE_SIZE.0 as f32 / width).min(PIECE_SIZE.1 as f32 / height);
    let mut pixmap = Pixmap::new(PIECE_SIZE.0, PIECE_SIZE.1)?;
    let (left, top) = (
        (PIECE_SIZE.0 as f32 - width * scale) / 2.0,
        (PIECE_SIZE.1 as f32 - height * scale) / 2.0,
    );
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale).post_translate(left, top),
        &mut pixmap.as_mut(),
    );
    let straight: Vec<u8> = pixmap
        .pixels()
        .iter()
        .flat_map(|pixel| {
            let color = pixel.demultiply();
            [color.red(), color.green(), color.blue(), color.alpha()]
        })
        .collect();
    RgbaImage::from_raw(PIECE_SIZE.0, PIECE_SIZE.1, straight)
}

/// The system's fonts that have every letter of a piece.
#[derive(Debug)]
pub struct Fonts {
    database: Arc<fontdb::Database>,
    /// The usable faces, sorted by family and weight.
    faces: Vec<Face>,
}

/// A font face with which pieces are drawn.
#[derive(Debug, PartialEq, Eq)]
struct Face {
    family: String,
    weight: fontdb::Weight,
}

/// The letters of unpromoted kinds in the style with one letter.
const SINGLE_LETTERS: [&str; 8] = ["歩", "香", "桂", "銀", "金", "角", "飛", "王"];
/// The letters of promoted kinds in the style with one letter, with variants.
const PROMOTED_LETTERS: [&[&str]; 6] = [
    &["と"],
    &["仝", "杏", "成香"],
    &["今", "圭", "成桂"],
    &["全", "成銀"],
    &["馬"],
    &["龍", "竜"],
];
const TWO_LETTERS: [[&str; KIND_COUNT]; 2] = [
    [
        "歩兵", "香車", "桂馬", "銀将", "金将", "角行", "飛車", "王将", "と", "成香", "成桂", "成銀", "龍馬",
        "龍王",
    ],
    [
        "歩兵", "香車", "桂馬", "銀将", "金将", "角行", "飛車", "玉将", "と金", "成香", "成桂", "成銀",
        "竜馬", "竜王",
    ],
];

impl Fonts {
    /// Reads the system's fonts of the chosen families.
    pub fn system(filter: FamilyFilter<'_>) -> Self {
        let mut database = fontdb::Database::new();
        database.load_system_fonts();
        // Other faces are removed, because the renderer would take missing letters from them.
        let family_of = |face: &fontdb::FaceInfo| face.families.first().map(|(family, _)| family.clone());
        let is_taken =
            |face: &fontdb::FaceInfo| family_of(face).is_some_and(|family| filter.includes(&family));
        let others: Vec<_> = database
            .faces()
            .filter(|face| !is_taken(face))
            .map(|face| face.id)
            .collect();
        for id in others {
            database.remove_face(id);
        }
        let mut faces: Vec<Face> = Vec::new();
        for face in database.faces() {
            let Some(family) = family_of(face) else { continue };
            let is_other_cjk = family.contains("Noto Sans CJK") && !family.ends_with("JP");
            let new = Face {
                family,
                weight: face.weight,
            };
            if faces.contains(&new) || face.style != fontdb::Style::Normal || is_other_cjk {
                continue;
            }
            if database.with_face_data(face.id, has_all_letters) == Some(true) {
                faces.push(new);
            }
        }
        faces.sort_by(|left, right| (&left.family, left.weight.0).cmp(&(&right.family, right.weight.0)));
        Self {
            database: Arc::new(database),
            faces,
        }
    }

    /// Returns the names of the usable font families.
    pub fn families(&self) -> Vec<&str> {
        let mut families: Vec<&str> = self.faces.iter().map(|face| face.family.as_str()).collect();
        families.dedup();
        families
    }

    /// Draws a set with a random font, colours and shape. `None` without a font, and where the pieces are too similar.
    pub fn draw_set(&self, random: &mut Random) -> Option<PieceSet> {
        let families = self.families();
        if families.is_empty() {
            return None;
        }
        let family = (*random.pick(&families)).to_owned();
        let weights: Vec<_> = self
            .faces
            .iter()
            .filter(|face| face.family == family)
            .map(|face| face.weight)
            .collect();
        let style = {
            let weight = random_weight(random, &weights);
            FontStyle::random(random, family.clone(), weight)
        };
        let options = usvg::Options {
            fontdb: Arc::clone(&self.database),
            ..usvg::Options::default()
        };
        let black: Option<Vec<RgbaImage>> = (0..KIND_COUNT)
            .map(|kind| render_piece(style.to_svg(kind).as_bytes(), &options))
            .collect();
        let black = black?;
        if !are_distinct(&black) {
            return None;
        }
        let white = black.iter().map(imageops::rotate180).collect();
        Some(PieceSet {
            name: family.clone(),
            family,
            has_kanji: true,
            pieces: [black, white].concat(),
        })
    }

    /// Draws a number with a random font, dark with a bright edge. `None` without a font.
    pub fn draw_number(&self, random: &mut Random, number: u8) -> Option<RgbaImage> {
        let families = self.families();
        if families.is_empty() {
            return None;
        }
        let family = (*random.pick(&families)).to_owned();
        let options = usvg::Options {
            fontdb: Arc::clone(&self.database),
            ..usvg::Options::default()
        };
        let text = |color: &str, width: u8| {
            format!(
                r#"<text x="50" y="80" font-family="'{family}'" font-size="80" text-anchor="middle" fill="{color}" stroke="{color}" stroke-width="{width}">{number}</text>"#
            )
        };
        let (edge, ink) = (text("white", 14), text("black", 1));
        let svg =
            format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 104">{edge}{ink}</svg>"#);
        render_piece(svg.as_bytes(), &options)
    }
}

/// Returns whether a font can draw every letter of a piece. Some fonts have empty glyphs.
fn has_all_letters(data: &[u8], index: u32) -> bool {
    let Ok(font) = skrifa::FontRef::from_index(data, index) else {
        return false;
    };
    let letters = font.charmap();
    let sizes = font.glyph_metrics(Size::unscaled(), LocationRef::default());
    let is_drawn = |letter: char| {
        let bounds = letters.map(letter).and_then(|glyph| sizes.bounds(glyph));
        bounds.is_some_and(|bounds| bounds.x_max > bounds.x_min)
    };
    "歩香桂銀金角飛王玉と杏圭全仝今馬龍竜成将車行兵"
        .chars()
        .all(is_drawn)
}

/// Returns whether similar kinds have distinct pictures. Some fonts draw nothing, and some inks are invisible.
fn are_distinct(pieces: &[RgbaImage]) -> bool {
    let light = |pixel: &image::Rgba<u8>| {
        let sum = i32::from(pixel[0]) + i32::from(pixel[1]) + i32::from(pixel[2]);
        (sum / 3 - 128) * i32::from(pixel[3]) / 255
    };
    let differ = |left: &RgbaImage, right: &RgbaImage| {
        let far = left
            .pixels()
            .zip(right.pixels())
            .filter(|(a, b)| (light(a) - light(b)).abs() > 45)
            .count();
        far > (PIECE_SIZE.0 * PIECE_SIZE.1 / 22) as usize
    };
    [(3, 4), (5, 6), (4, 5), (10, 11), (7, 12), (1, 2)]
        .iter()
        .all(|(a, b)| differ(&pieces[*a], &pieces[*b]))
}

/// Returns one of the weights; 400 without any.
fn random_weight(random: &mut Random, weights: &[fontdb::Weight]) -> u16 {
    if weights.is_empty() {
        400
    } else {
        random.pick(weights).0
    }
}

struct FontStyle {
    family: String,
    weight: u16,
    letters: [&'static str; KIND_COUNT],
    has_two_characters: bool,
    /// The pentagon; `None` for letters alone.
    shape: Option<PieceShape>,
    /// The colour of the letters, as `#rrggbb`.
    ink: String,
    /// The colour of the letters of promoted kinds, as `#rrggbb`.
    promoted_ink: String,
    /// The font size, in hundredths of a square's width.
    size: f32,
    /// The factor of the letters' height.
    stretch: f32,
    width_factor: f32,
    /// The slant of the letters in degrees.
    slant: f32,
    /// The offset of the letters downwards, in hundredths of a square's width.
    drop_offset: f32,
    /// The width of a line around the letters, in hundredths of a square's width.
    stroke_width: f32,
    /// The colour of the edge of engraved letters; `None` for letters without that edge.
    engraving_color: Option<&'static str>,
    /// Whether the king has 玉 in place of 王.
    king_differs: bool,
}

/// The pentagon of a piece, in hundredths of a square's width.
struct PieceShape {
    apex: f32,
    /// The distance of a shoulder from the middle, and its y.
    shoulder: (f32, f32),
    /// The distance of a foot from the middle, and its y.
    foot: (f32, f32),
    light_color: String,
    dark_color: String,
    /// The opacity of the wood, 0 to 1.
    fill_opacity: f32,
    edge_color: String,
    edge_width: f32,
    /// The opacity of the shadow, 0 to 1.
    shadow_opacity: f32,
}

/// Returns a colour as `#rrggbb`.
fn hex_color(color: [u8; 3]) -> String {
    format!("#{:02x}{:02x}{:02x}", color[0], color[1], color[2])
}

impl FontStyle {
    fn random(random: &mut Random, family: String, weight: u16) -> Self {
        let two = random.chance(0.4);
        let letters = if two {
            *random.pick(&TWO_LETTERS)
        } else {
            std::array::from_fn(|kind| match kind.checked_sub(SINGLE_LETTERS.len()) {
                Some(promoted) => *random.pick(PROMOTED_LETTERS[promoted]),
                None => SINGLE_LETTERS[kind],
            })
        };
        let has_shape = random.chance(0.82);
        // Some pieces are an outline on the board's ground, with thin letters.
        let is_outline = random.chance(0.08);
        let wood = random.wood();
        let shape = has_shape.then(|| {
            let slope = random.real(0.0, 0.12);
            let edge = random.real(0.15, 0.7);
            PieceShape {
                apex: random.real(2.0, 10.0),
                shoulder: (random.real(26.0, 36.0), random.real(16.0, 28.0)),
                foot: (random.real(36.0, 46.0), random.real(94.0, 106.0)),
                light_color: hex_color(wood),
                dark_color: hex_color(wood.map(|value| (f32::from(value) * (1.0 - slope)) as u8)),
                fill_opacity: if is_outline { random.real(0.0, 0.3) } else { 1.0 },
                edge_color: hex_color(wood.map(|value| (f32::from(value) * edge) as u8)),
                edge_width: if is_outline {
                    random.real(0.4, 1.5)
                } else {
                    random.real(0.4, 3.0)
                },
                shadow_opacity: if !is_outline && random.chance(0.5) {
                    random.real(0.0, 0.5)
                } else {
                    0.0
                },
            }
        });
        let is_dark =
            has_shape && !is_outline && wood.iter().map(|value| u32::from(*value)).sum::<u32>() < 330;
        let ink = hex_color([0, 1, 2].map(|_| if is_dark { 215 } else { 0 } + random.below(40) as u8));
        let red = random.chance(0.6);
        let promoted_ink = if red {
            hex_color([
                150 + random.below(100) as u8,
                random.below(50) as u8,
                random.below(40) as u8,
            ])
        } else {
            ink.clone()
        };
        Self {
            family,
            weight,
            letters,
            has_two_characters: two,
            size: if two {
                random.real(32.0, 42.0)
            } else {
                random.real(48.0, if has_shape { 66.0 } else { 92.0 })
            },
            stretch: random.real(0.95, 1.3),
            width_factor: if random.chance(0.3) {
                random.real(0.8, 1.08)
            } else {
                1.0
            },
            slant: if random.chance(0.1) {
                random.real(-9.0, 9.0)
            } else {
                0.0
            },
            stroke_width: if !is_outline && random.chance(0.35) {
                random.real(0.3, 3.0)
            } else {
                0.0
            },
            engraving_color: if random.chance(0.15) {
                Some(*random.pick(&["#ffffff", "#a08050", "#000000"]))
            } else {
                None
            },
            drop_offset: random.real(-4.0, 5.0),
            shape,
            ink,
            promoted_ink,
            king_differs: random.chance(0.5),
        }
    }

    fn to_svg(&self, kind: usize) -> String {
        let ink = if kind >= 8 { &self.promoted_ink } else { &self.ink };
        let mut svg = String::from(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 108.33">"#);
        if let Some(shape) = &self.shape {
            let small = [
                0.88, 0.9, 0.92, 0.95, 0.95, 0.98, 0.98, 1.0, 0.88, 0.9, 0.92, 0.95, 0.98, 0.98,
            ][kind];
            let half = |x: f32| x * small;
            let points = format!(
                "50,{} {},{} {},{} {},{} {},{}",
                shape.apex,
                50.0 + half(shape.shoulder.0),
                shape.shoulder.1,
                50.0 + half(shape.foot.0),
                shape.foot.1,
                50.0 - half(shape.foot.0),
                shape.foot.1,
                50.0 - half(shape.shoulder.0),
                shape.shoulder.1,
            );
            let _infallible = write!(
                svg,
                r#"<defs><linearGradient id="w" x2="1" y2="1"><stop offset="0" stop-color="{}"/><stop offset="1" stop-color="{}"/></linearGradient></defs>"#,
                shape.light_color, shape.dark_color
            );
            if shape.shadow_opacity > 0.0 {
                let _infallible = write!(
                    svg,
                    r#"<polygon points="{points}" transform="translate(2.5 2)" fill="black" fill-opacity="{}"/>"#,
                    shape.shadow_opacity
                );
            }
            let _infallible = write!(
                svg,
                r#"<polygon points="{points}" fill="url(#w)" fill-opacity="{}" stroke="{}" stroke-width="{}"/>"#,
                shape.fill_opacity, shape.edge_color, shape.edge_width
            );
        }
        let mut word = self.letters[kind];
        if kind == 7 && self.king_differs {
            word = if self.has_two_characters { "玉将" } else { "玉" };
        }
        let letters: Vec<char> = word.chars().collect();
        let count = letters.len() as f32;
        // Two letters are smaller where the others have one.
        let size = if count > 1.0 && !self.has_two_characters {
            self.size * 0.62
        } else {
            self.size
        };
        let size = if count < 2.0 && self.has_two_characters {
            size * 1.35
        } else {
            size
        };
        let middle = 56.0 + self.drop_offset;
        for (row, letter) in letters.iter().enumerate() {
            let centre = middle + (row as f32 - (count - 1.0) / 2.0) * size * self.stretch.min(1.15);
            let stretch = if count > 1.0 {
                self.stretch.min(1.15)
            } else {
                self.stretch
            };
            let edge = self.engraving_color.map(|color| (color, 1.2, 0.6));
            for (color, off, opacity) in edge.into_iter().chain([(ink.as_str(), 0.0, 1.0)]) {
                let _infallible = write!(
                    svg,
                    r#"<text transform="translate({} {}) skewX({}) scale({} {stretch})" y="{}" font-family="'{}'" font-weight="{}" font-size="{size}" text-anchor="middle" fill="{color}" stroke="{color}" stroke-width="{}" opacity="{opacity}">{letter}</text>"#,
                    50.0 + off,
                    centre + off,
                    self.slant,
                    self.width_factor,
                    size * 0.38,
                    self.family,
                    self.weight,
                    self.stroke_width
                );
            }
        }
        svg + "</svg>"
    }
}
