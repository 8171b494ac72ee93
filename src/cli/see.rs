//! `shogibar see`: the board read off a picture.

mod decode;

use super::output::shown_path;
use super::{CliOutcome, Streams, panics};
use crate::cli::see_text::UnreadablePicture;
use serde::Serialize;
use shogibar_base::visible::{visible, without_passwords};
use shogibar_eye::coordinates::is_rotated;
use shogibar_eye::picture::Picture;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::reader::{BoardReading, likely_pieces, read_boards};
use shogibar_files::read_from;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// The arguments of `shogibar see`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes one line per image: the board part of an SFEN (? for a hidden square), TAB, \
    the probability that it is right, 0 to 1, TAB, x,y,width,height of the board in pixels, and TAB turned if the numbers beside the board say that \
    White is at the bottom; or ! TAB, the image, TAB and the reason if no board \
    was read. Such a line can be pasted into Shogibar. The lines are in the order of the images. The side at the bottom of the picture is taken \
    for Black. The exit code is 1 if no board was read in an image, or its probability is 0.000. With --json: image, sfen, confidence, board (x, y, width, height), corners (clockwise from the top left), \
    hands (null if they are not certain), turned (true if the numbers beside the board say that White is at the bottom, null if there are \
    none) and squares (from the top left, row by row: the likely pieces and their probabilities, . for none); or image and error."
)]
pub(super) struct Arguments {
    /// Pictures (PNG, JPEG, WebP or BMP), or `-` for standard input
    #[arg(required = true)]
    images: Vec<PathBuf>,
    /// Write one line of JSON per image, with the probabilities of each square
    #[arg(long)]
    json: bool,
}

/// The probability below which a board counts as not read: it is written as 0.000.
const MIN_CONFIDENCE: f32 = 0.0005;

/// The number of pixels above which a picture is searched at half its size. Screens and most photographs have fewer; a
/// board whose lines are lost at half the size is a tiny part of such a picture.
const MAX_SEARCHED_PIXELS: usize = 16_000_000;

/// The maximum size of a picture's file, in bytes.
const MAX_FILE_BYTES: usize = 64 << 20;

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let mut outcome = CliOutcome::Done;
    for image in &arguments.images {
        let read = read_image(image, &mut *streams.input).and_then(|picture| {
            let picture = SearchedPicture::new(picture);
            let mut boards =
                read_boards(&picture.grey, shogibar_eye::network(), &PieceSets::default()).into_iter();
            let board = boards
                .find(BoardReading::is_board)
                .ok_or(UnreadablePicture::NoBoard)?;
            Ok((picture, board))
        });
        if read.as_ref().map_or(0.0, |(_, board)| board.confidence) < MIN_CONFIDENCE {
            outcome = CliOutcome::Problems;
        }
        match (read, arguments.json) {
            (Ok((picture, board)), false) => {
                let [x, y, width, height] = bounds(&picture.corners(&board));
                let (sfen, confidence) = (board.sfen(), board.confidence);
                let rotated = if is_rotated(&picture.grey, &board.grid) == Some(true) {
                    "\tturned"
                } else {
                    ""
                };
                streams.out.write_rows(&format!(
                    "{sfen}\t{confidence:.3}\t{x},{y},{width},{height}{rotated}\n"
                ))?;
            }
            (Err(error), false) => {
                let name = visible(&shown_path(image)).into_owned();
                streams
                    .out
                    .write_rows(&format!("!\t{name}\t{}\n", error.text(streams.lang)))?;
            }
            (Ok((picture, board)), true) => streams
                .out
                .write_json_line(&SeenBoard::new(image, &picture, &board))?,
            (Err(error), true) => {
                let reason = error.text(streams.lang);
                streams.out.write_json_line(&ImageError {
                    image: shown_path(image),
                    error: without_passwords(&reason).into_owned(),
                })?;
            }
        }
        streams.out.flush()?;
    }
    Ok(outcome)
}

fn read_image(path: &Path, input: &mut dyn BufRead) -> Result<Picture, UnreadablePicture> {
    let bytes = if path.as_os_str() == "-" {
        read_from(input, MAX_FILE_BYTES).map_err(UnreadablePicture::Input)?
    } else {
        shogibar_files::read_input(path, MAX_FILE_BYTES).map_err(UnreadablePicture::File)?
    };
    panics::catch(|| decode::decode(&bytes)).unwrap_or(Err(UnreadablePicture::Broken))
}

/// A picture as it is searched: a large one is halved.
struct SearchedPicture {
    grey: Picture,
    /// The size of the user's picture relative to `grey`.
    scale: f32,
}

impl SearchedPicture {
    fn new(picture: Picture) -> Self {
        let (mut grey, mut scale) = (picture, 1.0);
        while grey.pixels().len() > MAX_SEARCHED_PIXELS {
            (grey, scale) = (grey.half(), scale * 2.0);
        }
        Self { grey, scale }
    }

    /// Returns the corners of a board's grid in pixels of the user's picture, clockwise from the top left.
    fn corners(&self, board: &BoardReading) -> [(f32, f32); 4] {
        board
            .grid
            .corners()
            .map(|(x, y)| (x * self.scale, y * self.scale))
    }
}

/// Returns x, y, width and height of a board's outer lines in whole pixels, from its corners.
#[expect(clippy::cast_possible_truncation, reason = "pixels of a picture")]
pub(super) fn bounds(corners: &[(f32, f32); 4]) -> [i32; 4] {
    let [a, b, c, d] = *corners;
    let (left, right) = (a.0.midpoint(d.0), b.0.midpoint(c.0));
    let (top, bottom) = (a.1.midpoint(b.1), c.1.midpoint(d.1));
    [left, top, right - left, bottom - top].map(|value| value.round() as i32)
}

/// An image that could not be read, as JSON.
#[derive(Debug, Serialize)]
struct ImageError {
    image: String,
    error: String,
}

/// A board, as JSON; the fields are in the order of the output.
#[derive(Debug, Serialize)]
struct SeenBoard {
    image: String,
    sfen: String,
    /// The probability that `sfen` is right, 0 to 1.
    confidence: f32,
    /// The rectangle of the board: x, y, width, height, in pixels.
    board: [i32; 4],
    /// The corners of the grid in pixels, clockwise from the top left.
    corners: [(f32, f32); 4],
    /// The pieces in hand as in SFEN; null if uncertain. Capitals are the pieces of the side at the bottom.
    hands: Option<String>,
    /// Whether White is at the bottom; null if there are no numbers beside the board.
    #[serde(rename = "turned")]
    is_rotated: Option<bool>,
    /// The possible pieces of each square with their probabilities, from the top left row by row, the likeliest
    /// first.
    squares: Vec<Vec<(&'static str, f32)>>,
}

impl SeenBoard {
    fn new(image: &Path, picture: &SearchedPicture, board: &BoardReading) -> Self {
        let corners = picture.corners(board);
        Self {
            image: shown_path(image),
            sfen: board.sfen(),
            confidence: board.confidence,
            board: bounds(&corners),
            corners,
            hands: board.read_hands(&picture.grey, shogibar_eye::network()).sfen(),
            is_rotated: is_rotated(&picture.grey, &board.grid),
            squares: board.squares.iter().map(likely_pieces).collect(),
        }
    }
}
