//! Pictures of the board to look at: `SHOGIBAR_PICTURES=folder cargo test --lib showcase -- --ignored`.

use super::*;
use crate::ui::snapshot::{Size, Studio};
use crate::ui::{Theme, png};
use std::path::PathBuf;

const MIDGAME: &str = "ln1g1b1nl/1r1k1s3/p1pppgppp/6p2/1p1p3P1/1PP2P3/P1SPPSP1P/2G4R1/LN2KG1NL b B2Pb 29";
const ENDGAME: &str = "l5+R1l/2+B1g1k2/p2p+P1pp1/2p1S1p1p/1p3+sP2/P1P3+p1P/1P1P+l2+n1/1G1K5/L6+rN w GSNPb2gsn2p 88";

fn save(name: &str, theme: &Theme, size: [u32; 2], scale: f32, view: &BoardView<'_>) {
    let folder = std::env::var_os("SHOGIBAR_PICTURES").map_or_else(std::env::temp_dir, PathBuf::from);
    let [width, height] = size;
    let (mut studio, size) = (Studio::default(), Size::new(width, height, scale).unwrap());
    let image = studio.board(view, theme, size);
    std::fs::write(folder.join(name), png::encode(&image).unwrap()).unwrap();
}

#[test]
#[ignore = "writes pictures for the eye"]
fn boards() {
    let mv = |usi: &str| Move::from_usi(usi).unwrap();
    let position = Position::from_sfen(MIDGAME).unwrap();
    let arrows =
        [Arrow { mv: mv("8f8e"), rank: 1 }, Arrow { mv: mv("B*6f"), rank: 2 }, Arrow { mv: mv("2h2f"), rank: 3 }];
    let side = |title, name, clock| BoardSide { title, name, clock };
    let mut view = BoardView::new(&position, Lang::Ja);
    view.black = side("先手", "佐藤 一郎", "0:58:03");
    view.white = side("後手", "鈴木 花子", "1:12:40");
    view.last_move = Some(mv("7b6c"));
    view.arrows = &arrows;
    save("board-paper.png", &Theme::paper(), [600, 780], 1.0, &view);
    save("board-paper-2x.png", &Theme::paper(), [600, 780], 2.0, &view);
    save("board-ink.png", &Theme::ink(), [600, 780], 1.0, &view);
    save("board-wide.png", &Theme::paper(), [900, 620], 1.0, &view);
    save("board-160.png", &Theme::paper(), [160, 220], 1.0, &view);
    save("board-260.png", &Theme::paper(), [260, 340], 1.0, &view);
    let end = Position::from_sfen(ENDGAME).unwrap();
    let view = BoardView { position: &end, flipped: true, arrows: &[], last_move: None, ..view };
    save("board-flipped.png", &Theme::paper(), [600, 780], 1.0, &view);
    let style = BoardStyle { pieces: PieceStyle::Two, ..view.style };
    save("board-two.png", &Theme::paper(), [600, 780], 1.0, &BoardView { style, mode: BoardMode::Edit, ..view });
}
