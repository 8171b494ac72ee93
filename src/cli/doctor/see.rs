//! `shogibar doctor --see`: reads the screen now, and stores the picture that was read.

use crate::cli::output::OutputStream;
use crate::cli::see_text as text;
use shogibar_base::Lang;
use shogibar_eye::picture::Picture;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::reader::{BoardReading, likely_pieces, read_boards};
use shogibar_live::source_text::SourceRemark;
use shogibar_live::{EndCause, screen};
use std::ffi::OsStr;
use std::path::Path;

/// The probability of the likeliest piece below which a square is listed as doubtful.
const MIN_SURE_PROBABILITY: f32 = 0.95;

/// Reads a board off the screen, and writes its position and its doubtful squares. The picture of the board, with a
/// margin of one square, is stored in `file` or under a free name. Without a board the picture is the whole screen.
/// Returns whether there is a board.
///
/// # Errors
/// Fails if the screen cannot be read, or the picture cannot be written.
pub(super) fn run(file: &Path, lang: Lang, out: &mut OutputStream<'_>) -> anyhow::Result<bool> {
    // An existing file is not replaced: the picture gets a free name.
    let name = |part: Option<&OsStr>| {
        part.map(|part| part.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    let (stem, end) = (
        name(file.file_stem()),
        file.extension()
            .map_or_else(|| "png".to_owned(), |end| name(Some(end))),
    );
    let folder = file.parent().unwrap_or_else(|| Path::new(""));
    let file = shogibar_files::free_path(folder, &stem, &end)
        .ok_or_else(|| anyhow::anyhow!(text::file_exists(&file.display().to_string(), lang)))?;
    let screen = screen::take_picture()
        .map_err(|why| anyhow::anyhow!(SourceRemark::Ended(EndCause::Refused(why)).text(lang)))?;
    let mut boards = read_boards(&screen, shogibar_eye::network(), &PieceSets::default());
    boards.retain(BoardReading::is_board);
    if boards.len() > 1 {
        writeln!(out, "{}", text::several_boards(boards.len(), lang))?;
    }
    let board = boards.into_iter().next();
    let shown = match &board {
        Some(board) => board_part(&screen, board).unwrap_or(screen),
        None => screen,
    };
    shogibar_files::write_whole(&file, &encode(&shown)?)?;
    match &board {
        Some(board) => {
            let [x, y, width, height] = crate::cli::see::bounds(board.grid.corners());
            out.write_rows(&format!(
                "{}\t{:.3}\t{x},{y},{width},{height}\n",
                board.sfen(),
                board.confidence
            ))?;
            let names = ('a'..='i').flat_map(|row| (1..=9).rev().map(move |file| format!("{file}{row}")));
            for (name, square) in names.zip(&board.squares) {
                let pieces = likely_pieces(square);
                if pieces
                    .first()
                    .is_some_and(|(_, probability)| *probability < MIN_SURE_PROBABILITY)
                {
                    let pieces: Vec<_> = pieces
                        .iter()
                        .map(|(piece, share)| format!("{piece} {share:.2}"))
                        .collect();
                    out.write_rows(&format!("{name}\t{}\n", pieces.join("  ")))?;
                }
            }
        }
        None => writeln!(out, "{}", text::no_board_on_screen(lang))?,
    }
    writeln!(
        out,
        "{}",
        text::picture_written(&file.display().to_string(), lang)
    )?;
    Ok(board.is_some())
}

/// Returns the part of the screen with the board and a margin of one square; `None` if it has no pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates"
)]
fn board_part(screen: &Picture, board: &BoardReading) -> Option<Picture> {
    let size = board.grid.square_size();
    let corners = board.grid.corners();
    let end = |values: [f32; 4], margin: f32, length: usize| {
        let (min, max) = (
            values.iter().copied().fold(f32::MAX, f32::min),
            values.iter().copied().fold(0.0, f32::max),
        );
        ((min - margin).max(0.0) as usize)..((max + margin).ceil() as usize).min(length)
    };
    let columns = end(corners.map(|corner| corner.0), size.0, screen.width());
    let rows = end(corners.map(|corner| corner.1), size.1, screen.height());
    let pixels = rows.clone().flat_map(|y| {
        screen
            .row(y)
            .get(columns.clone())
            .unwrap_or_default()
            .iter()
            .copied()
    });
    Picture::new(columns.len(), rows.len(), pixels.collect())
}

/// Returns the bytes of a picture as a PNG file.
fn encode(picture: &Picture) -> anyhow::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(
        &mut file,
        u32::try_from(picture.width())?,
        u32::try_from(picture.height())?,
    );
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.pixels())?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_board_and_its_margin_are_kept() {
        let screen = Picture::new(400, 300, vec![7; 400 * 300]).unwrap();
        let corners = [(100.0, 20.0), (280.0, 20.0), (280.0, 200.0), (100.0, 200.0)];
        let grid = shogibar_eye::grid::Grid::new(corners).unwrap();
        let board = BoardReading {
            grid,
            separate: shogibar_eye::reader::SeparateReading::default(),
            piece_set: None,
            squares: Vec::new(),
            classes: Vec::new(),
            confidence: 1.0,
        };
        let part = board_part(&screen, &board).unwrap();
        assert_eq!((part.width(), part.height()), (220, 220));
        assert!(encode(&part).unwrap().starts_with(b"\x89PNG"));
    }
}
