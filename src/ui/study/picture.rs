//! Pictures of the page for files: the board, a line as an animated picture, the graph.
//!
//! A picture holds all data that it draws, so that another thread can draw it.

use super::StudyFrame;
use super::board_panel;
use super::graph_panel::GraphScene;
use crate::PaintTheme;
use crate::board::{Arrow, BoardSide, BoardStyle, BoardView};
use crate::fonts::FontChoice;
use crate::png::{self, EncodeError};
use crate::snapshot::{PictureSize, SizeError, SnapshotRenderer};
use shogibar_base::Lang;
use shogibar_kifu::ClockTime;
use shogibar_kifu::board_mark::BoardMark;
use shogibar_shogi::{Color, History, Move, Position};
use std::time::Duration;
use thiserror::Error;

/// The width and height of a board's picture in points, and its pixels per point.
const BOARD_SIZE: (u32, u32, f32) = (600, 780, 2.0);
/// The width and height of a graph's picture in points, and its pixels per point.
const GRAPH_SIZE: (u32, u32, f32) = (900, 420, 2.0);
/// The width and height of an animated board's picture in points, and its pixels per point.
const ANIMATED_SIZE: (u32, u32, f32) = (460, 598, 1.0);
const MAX_ANIMATED_MOVES: usize = 60;
/// The time for which a position is shown, except for the first and the last position.
const STEP_DURATION: Duration = Duration::from_secs(1);
/// The time for which the first and the last position are shown.
const END_DURATION: Duration = Duration::from_millis(2500);

/// A picture of the study page, before it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyPicture {
    content: PictureContent,
    theme: PaintTheme,
    lang: Lang,
}

#[derive(Clone, Debug, PartialEq)]
enum PictureContent {
    Boards(Box<BoardScene>),
    Graph(Box<GraphScene>),
}

/// The boards of a picture, one after another.
#[derive(Clone, Debug, PartialEq)]
struct BoardScene {
    /// The positions, each with the move that led to it. There is at least one.
    boards: Vec<(Position, Option<Move>)>,
    arrows: Vec<Arrow>,
    marks: Vec<BoardMark>,
    black: SideScene,
    white: SideScene,
    is_flipped: bool,
    style: BoardStyle,
}

#[derive(Clone, Debug, PartialEq)]
struct SideScene {
    title: String,
    name: String,
    clock: Option<ClockTime>,
}

/// The reason why a picture cannot be made.
#[derive(Debug, Error)]
pub enum StudyPictureError {
    /// The picture's size is invalid. This does not happen, because the sizes are constants.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The picture cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl StudyPicture {
    pub(super) fn board(frame: &StudyFrame<'_>) -> Self {
        let history = frame.view.history;
        let boards = vec![(history.now().without_history(), history.last_move())];
        let drawn = (
            board_panel::arrows(frame),
            board_panel::read_marks(frame.view.document),
        );
        Self::from_boards(frame, boards, drawn, true)
    }

    /// Creates the animated picture of a line after the last position of `history`, with at most 60 moves.
    pub(super) fn line(frame: &StudyFrame<'_>, history: &History, moves: &[Move]) -> Self {
        let mut boards = vec![(history.now().without_history(), history.last_move())];
        for mv in moves.iter().take(MAX_ANIMATED_MOVES) {
            let Some((before, _)) = boards.last() else { break };
            let mut position = before.clone();
            if position.play(*mv).is_err() {
                break;
            }
            boards.push((position, Some(*mv)));
        }
        // The clocks would belong to only one of the positions, so they are left out.
        Self::from_boards(frame, boards, (Vec::new(), Vec::new()), false)
    }

    pub(super) fn graph(frame: &StudyFrame<'_>, scene: GraphScene) -> Self {
        Self {
            content: PictureContent::Graph(Box::new(scene)),
            theme: *frame.theme,
            lang: frame.lang,
        }
    }

    fn from_boards(
        frame: &StudyFrame<'_>,
        boards: Vec<(Position, Option<Move>)>,
        (arrows, marks): (Vec<Arrow>, Vec<BoardMark>),
        has_clocks: bool,
    ) -> Self {
        let side = |color: Color| {
            let BoardSide { title, name, clock } = board_panel::side(frame, color, !has_clocks);
            SideScene {
                title: title.to_owned(),
                name: name.to_owned(),
                clock,
            }
        };
        let (black, white) = (side(Color::Black), side(Color::White));
        let (flipped, style) = (frame.view.is_flipped, frame.view.style);
        let scene = BoardScene {
            boards,
            arrows,
            marks,
            black,
            white,
            is_flipped: flipped,
            style,
        };
        Self {
            content: PictureContent::Boards(Box::new(scene)),
            theme: *frame.theme,
            lang: frame.lang,
        }
    }

    /// Draws the picture and encodes it as a PNG file. The file is animated if the picture has several boards. The
    /// drawing takes time.
    ///
    /// # Errors
    /// Fails if the size is invalid or the encoding fails. Neither is expected: the sizes are fixed, and no picture is
    /// empty.
    pub fn encode_png(&self) -> Result<Vec<u8>, StudyPictureError> {
        let mut renderer = SnapshotRenderer::with_fonts(&FontChoice::default());
        let size = |(width, height, scale)| PictureSize::new(width, height, scale);
        match &self.content {
            PictureContent::Graph(scene) => {
                let size = size(GRAPH_SIZE)?;
                let image = scene.with_view(|view| renderer.draw_graph(view, &self.theme, self.lang, size));
                Ok(png::encode(&image)?)
            }
            PictureContent::Boards(scene) => {
                let size = size(if scene.boards.len() > 1 {
                    ANIMATED_SIZE
                } else {
                    BOARD_SIZE
                })?;
                let last = scene.boards.len().saturating_sub(1);
                let frames = scene
                    .boards
                    .iter()
                    .enumerate()
                    .map(|(nth, (position, last_move))| {
                        let time = if nth == 0 || nth == last {
                            END_DURATION
                        } else {
                            STEP_DURATION
                        };
                        (
                            renderer.draw_board(
                                &scene.view(position, *last_move, self.lang),
                                &self.theme,
                                size,
                            ),
                            time,
                        )
                    });
                Ok(png::encode_animated(frames)?)
            }
        }
    }
}

impl BoardScene {
    fn view<'a>(&'a self, position: &'a Position, last_move: Option<Move>, lang: Lang) -> BoardView<'a> {
        BoardView {
            black: self.black.view(),
            white: self.white.view(),
            is_flipped: self.is_flipped,
            last_move,
            arrows: &self.arrows,
            marks: &self.marks,
            style: self.style,
            ..BoardView::new(position, lang)
        }
    }
}

impl SideScene {
    fn view(&self) -> BoardSide<'_> {
        BoardSide {
            title: &self.title,
            name: &self.name,
            clock: self.clock,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::png::Decoder;
    use shogibar_shogi::History;

    fn line_picture(moves: &str) -> StudyPicture {
        let history = History::from_usi(&format!("startpos moves {moves}")).unwrap();
        let mut position = history.start().clone();
        let mut boards = vec![(position.clone(), None)];
        for mv in history.moves() {
            position.play(*mv).unwrap();
            boards.push((position.clone(), Some(*mv)));
        }
        let side = |name: &str| SideScene {
            title: "先手".to_owned(),
            name: name.to_owned(),
            clock: None,
        };
        let style = BoardStyle::default();
        let (black, white) = (side("A"), side("B"));
        let scene = BoardScene {
            boards,
            arrows: Vec::new(),
            marks: Vec::new(),
            black,
            white,
            is_flipped: false,
            style,
        };
        StudyPicture {
            content: PictureContent::Boards(Box::new(scene)),
            theme: crate::theme::paper(),
            lang: Lang::Ja,
        }
    }

    #[test]
    fn a_line_is_an_animated_picture_with_a_frame_for_each_position() {
        let bytes = line_picture("7g7f 3c3d 2g2f").encode_png().unwrap();
        let mut reader = Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let animation = *reader.info().animation_control().unwrap();
        assert_eq!((animation.num_frames, animation.num_plays), (4, 0));
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let mut sizes = Vec::new();
        for _ in 0..4 {
            reader.next_frame(&mut buffer).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            sizes.push([frame.width, frame.height]);
        }
        assert_eq!(sizes[0], [ANIMATED_SIZE.0, ANIMATED_SIZE.1]);
        assert!(
            sizes[1..]
                .iter()
                .all(|[width, height]| *width < 400 && *height < 550),
            "{sizes:?}"
        );
        assert!(bytes.len() < 400_000, "{}", bytes.len());
    }

    #[test]
    fn a_single_board_is_a_plain_picture() {
        let bytes = line_picture("").encode_png().unwrap();
        let reader = Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (1200, 1560));
        assert!(reader.info().animation_control().is_none());
    }
}
