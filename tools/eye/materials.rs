//! The pieces, fonts and pictures from which scenes are drawn.

use crate::piece_sets::{FamilyFilter, Fonts, PieceSet, public_sets};
use crate::random::Random;
use image::{RgbImage, RgbaImage};
use std::path::Path;
use std::sync::Arc;

/// The default number of sets that are drawn with fonts before the first scene.
pub const DEFAULT_DRAWN_SETS: usize = 300;
/// The number of sets that give the letters around the board, where no font is used for pieces.
const LETTER_SET_COUNT: usize = 30;

/// The pieces, fonts and pictures from which scenes are drawn.
#[derive(Clone, Debug)]
pub struct Materials {
    /// Piece sets: the public ones, then those drawn with fonts.
    pub sets: Vec<Arc<PieceSet>>,
    /// The number of public sets in `sets`, repetitions included.
    public_set_count: usize,
    /// The fonts of the pieces.
    fonts: Arc<Fonts>,
    /// The fonts of numbers and letters: those of the pieces, or all fonts where no pieces are drawn.
    other_fonts: Arc<Fonts>,
    /// Pictures of woods and stones.
    pub grounds: Arc<[RgbImage]>,
    /// Pictures of letters.
    pub letters: Arc<[RgbaImage]>,
}

impl Materials {
    /// Reads the public sets below `vision`, and draws `drawn_sets` sets with the system's fonts. Public sets with
    /// kanji are repeated or omitted to a third of that number, others to a twentieth.
    pub fn new(vision: &Path, filter: FamilyFilter<'_>, drawn_sets: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let public: Vec<PieceSet> = public_sets(vision)
            .into_iter()
            .filter(|set| filter.includes(&set.family))
            .collect();
        let fonts = Fonts::system(filter);
        println!(
            "{} public sets, {} families of fonts",
            public.len(),
            fonts.families().len()
        );
        let count = if fonts.families().is_empty() {
            0
        } else {
            drawn_sets
        };
        let drawn: Vec<PieceSet> = std::iter::repeat_with(|| fonts.draw_set(&mut random))
            .flatten()
            .take(count)
            .collect();
        // The network must learn letters rather than sets: most boards have a drawn set.
        let mut sets = Vec::new();
        let (with, without): (Vec<_>, Vec<_>) =
            public.into_iter().map(Arc::new).partition(|set| set.has_kanji);
        for (group, share) in [
            (&with, drawn_sets.div_ceil(3)),
            (&without, drawn_sets.div_ceil(20)),
        ] {
            sets.extend(
                (0..share)
                    .filter_map(|index| group.get(index % group.len().max(1)))
                    .cloned(),
            );
        }
        let fonts = Arc::new(fonts);
        let other_fonts = if count > 0 {
            Arc::clone(&fonts)
        } else {
            Arc::new(Fonts::system(FamilyFilter::Without(&[])))
        };
        let written = match drawn.len() {
            0 => (0..LETTER_SET_COUNT)
                .filter_map(|_| other_fonts.draw_set(&mut random))
                .collect(),
            _ => drawn.clone(),
        };
        let letters = written
            .iter()
            .flat_map(|set| set.pieces.iter().take(3))
            .take(90)
            .map(letter)
            .collect();
        let public = sets.len();
        sets.extend(drawn.into_iter().map(Arc::new));
        let grounds = public_grounds(vision, filter).into();
        Self {
            sets,
            public_set_count: public,
            fonts,
            other_fonts,
            grounds,
            letters,
        }
    }

    /// Draws a number with a random font; `None` without a font.
    pub fn draw_number(&self, random: &mut Random, number: u8) -> Option<RgbaImage> {
        self.other_fonts.draw_number(random, number)
    }

    /// Replaces one of the drawn sets by a new one.
    pub fn renew_set(&mut self, random: &mut Random) {
        if let Some(drawn) = self
            .sets
            .get_mut(self.public_set_count..)
            .filter(|drawn| !drawn.is_empty())
            && let Some(set) = self.fonts.draw_set(random)
        {
            let index = random.below(drawn.len());
            drawn[index] = Arc::new(set);
        }
    }
}

/// Returns the dark pixels of a piece as a letter.
fn letter(piece: &RgbaImage) -> RgbaImage {
    let mut letter = piece.clone();
    for pixel in letter.pixels_mut() {
        let light = (u16::from(pixel[0]) + u16::from(pixel[1]) + u16::from(pixel[2])) / 3;
        pixel[3] = if light < 110 { pixel[3] } else { 0 };
    }
    letter
}

/// Returns the public board textures below `folder`.
pub fn public_grounds(folder: &Path, filter: FamilyFilter<'_>) -> Vec<RgbImage> {
    let files = [
        "shogihome_board/wood_light.png",
        "shogihome_board/wood_light2.png",
        "shogihome_board/wood_light3.png",
        "shogihome_board/wood_warm.png",
        "shogihome_board/wood_warm2.png",
        "reactshogi_boards/tile_wood1.png",
        "reactshogi_boards/tile_wood2.png",
        "reactshogi_boards/tile_wood3.png",
        "reactshogi_boards/tile_wood4.png",
        "reactshogi_boards/tile_wood5.png",
        "reactshogi_boards/tile_wood6.png",
        "reactshogi_boards/tile_stone.png",
    ];
    let chosen = files.iter().filter(|file| filter.includes(file));
    chosen
        .filter_map(|file| image::open(folder.join(file)).ok())
        .map(|picture| picture.to_rgb8())
        .collect()
}
