//! Pictures of the board and the graph of the study page.

use super::*;
use eframe::egui::Key;
use egui_kittest::kittest::Queryable as _;
use shogibar_config::PieceCharacters;
use shogibar_games::analysis::MoveMark;
use shogibar_kifu::{ClockTime, Millis};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, Move, Position};
use shogibar_ui::board::{Arrow, BoardInput, BoardMode, BoardSide, BoardStyle, BoardView};
use shogibar_ui::graph::{
    GraphGame, GraphKind, GraphMark, GraphNamePosition, GraphSeries, GraphView, GraphZoom,
};

const MIDGAME: &str = "ln1g1b1nl/1r1k1s3/p1pppgppp/6p2/1p1p3P1/1PP2P3/P1SPPSP1P/2G4R1/LN2KG1NL b B2Pb 29";
const ENDGAME: &str =
    "l5+R1l/2+B1g1k2/p2p+P1pp1/2p1S1p1p/1p3+sP2/P1P3+p1P/1P1P+l2+n1/1G1K5/L6+rN w GS4Pb2gs2n2p 88";
/// A position with three pieces of the set unused.
const SKETCH: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b R2G2b2s3n4l16p 1";

fn mv(usi: &str) -> Move {
    Move::from_usi(usi).unwrap()
}

fn of_two_players<'a>(position: &'a Position, arrows: &'a [Arrow]) -> BoardView<'a> {
    let side = |title, name, seconds: u64| {
        let clock = Some(ClockTime::Remaining(Millis(seconds * 1000)));
        BoardSide { title, name, clock }
    };
    let (black, white) = (side("先手", "佐藤 一郎", 3_483), side("後手", "鈴木 花子", 4_360));
    BoardView {
        black,
        white,
        arrows,
        ..BoardView::new(position, Lang::Ja)
    }
}

#[test]
fn pictures_of_boards() {
    let [middle, end, sketch] = [MIDGAME, ENDGAME, SKETCH].map(|sfen| Position::from_sfen(sfen).unwrap());
    let arrows = [("8f8e", 1), ("B*6f", 2), ("2h2f", 3)].map(|(usi, rank)| Arrow { mv: mv(usi), rank });
    let mut studio = studio();
    let mut board = |view: &BoardView<'_>, name, points, scale| {
        studio.draw_board(view, &theme(name), size(points, scale))
    };
    let large = BoardView {
        last_move: Some(mv("7b6c")),
        ..of_two_players(&middle, &arrows)
    };
    let style = BoardStyle {
        pieces: PieceCharacters::Two,
        ..BoardStyle::default()
    };
    let end = BoardView {
        is_flipped: true,
        ..of_two_players(&end, &[])
    };
    let edit = BoardView {
        mode: BoardMode::Edit,
        style,
        ..BoardView::new(&sketch, Lang::Ja)
    };
    let plain = BoardView {
        style: BoardStyle {
            shows_coordinates: false,
            ..style
        },
        ..end
    };
    let small = vec2(300.0, 400.0);
    let rows = [
        vec![board(&large, "paper", vec2(560.0, 740.0), 1.0)],
        vec![
            board(&end, "ink", small, 1.0),
            board(&plain, "contrast", small, 1.0),
        ],
        vec![
            board(&edit, "paper", small, 1.0),
            board(&large, "broadcast", small, 1.0),
        ],
        vec![
            board(&large, "paper", vec2(420.0, 300.0), 1.0),
            board(&large, "paper", vec2(160.0, 220.0), 1.0),
        ],
    ];
    check([("study-board".to_owned(), contact_sheet(&rows))]);
}

fn after_keys(sfen: &str, keys: &[Key]) -> ColorImage {
    let (film, position, mut input) = (
        Film::default(),
        Position::from_sfen(sfen).unwrap(),
        BoardInput::default(),
    );
    let theme = theme("paper");
    let mut window = Harness::builder()
        .with_size(vec2(316.0, 416.0))
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .renderer(film.clone())
        .build_ui(|ui| {
            ui.painter()
                .rect_filled(ui.max_rect(), 0, theme.panel.to_opaque());
            let view = BoardView::new(&position, Lang::Ja);
            input.show(ui, ui.max_rect(), &view, &theme, Lang::Ja);
        });
    window.run();
    window.get_by_label("将棋盤").focus();
    window.run();
    for key in keys {
        window.key_press(*key);
        window.run();
    }
    film.picture(&window)
}

#[test]
fn pictures_of_a_held_piece_and_the_promotion_choice() {
    use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter};
    let held = after_keys("4k4/9/6p2/9/4B4/9/9/9/4K4 b P 1", &[ArrowDown, Enter]);
    let drop = after_keys(
        "4k4/9/6p2/9/4B4/9/4P4/9/4K4 b GP 1",
        &[
            ArrowDown, ArrowDown, ArrowDown, ArrowDown, ArrowDown, ArrowDown, ArrowRight, Enter,
        ],
    );
    let asked = [
        ArrowDown, Enter, ArrowUp, ArrowUp, ArrowRight, ArrowRight, Enter, ArrowLeft,
    ];
    let asked = after_keys("4k4/9/6p2/9/4B4/9/9/9/4K4 b P 1", &asked);
    check([(
        "study-touched".to_owned(),
        contact_sheet(&[vec![held, drop, asked]]),
    )]);
}

/// Returns the values of a generated game: even at first, then better for one side, and lost by one move. The same seed
/// gives the same values.
fn values(plies: usize, seed: u32) -> Vec<Option<Value>> {
    let mut state = seed;
    let mut cp = 0.0_f32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as f32 / 65536.0 - 0.5
    };
    (0..=plies)
        .map(|ply| {
            let part = ply as f32 / plies as f32;
            cp += next() * 220.0 * part.sqrt() - cp * 0.01
                + if part < 0.72 {
                    6.0
                } else {
                    -42.0 * 120.0 / plies as f32
                };
            if ply + 6 > plies {
                let left = u32::try_from(plies - ply).unwrap();
                return Some(Value::Mate {
                    winner: Color::White,
                    plies: Some(left + 1),
                });
            }
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a value of a few thousand centipawns"
            )]
            Some(Value::Cp(cp as i32))
        })
        .collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn pictures_of_graphs() {
    let (first, second) = (values(120, 7), values(120, 99));
    let series = [
        GraphSeries {
            name: "Fairy-Stockfish",
            values: &first,
            model: WinRateModel::default(),
        },
        GraphSeries {
            name: "gpsshogi",
            values: &second,
            model: WinRateModel::new(1200.0),
        },
    ];
    let marks = [
        (69, MoveMark::Dubious),
        (86, MoveMark::Blunder),
        (88, MoveMark::Dubious),
        (91, MoveMark::Mistake),
        (100, MoveMark::Inaccuracy),
        (30, MoveMark::Inaccuracy),
    ]
    .map(|(ply, kind)| GraphMark {
        ply,
        kind,
        is_decisive: kind == MoveMark::Blunder,
    });
    let times: Vec<Option<u32>> = (0..120_u32)
        .map(|ply| Some(ply * 7919 % 173 * (1 + ply % 7)))
        .collect();
    let one = GraphView {
        plies: 120,
        current_ply: 37,
        series: &series[..1],
        has_judge: true,
        bar_share: None,
        live_series: &[],
        filled_values: &[],
        game: None,
        name_position: GraphNamePosition::Inside,
        marks: &marks,
        move_times: &[],
        first_mover: Color::Black,
        moves: &[],
        reasons: &[],
        titles: ["先手", "後手"],
        kind: GraphKind::WinRate,
        is_flipped: false,
        is_hidden: false,
        zoom: GraphZoom::default(),
    };
    let evaluation = GraphView {
        move_times: &times,
        kind: GraphKind::Evaluation,
        ..one
    };
    let both = GraphView {
        series: &series,
        move_times: &times,
        kind: GraphKind::Both,
        ..one
    };
    let long = values(5000, 3);
    let long = [GraphSeries {
        values: &long,
        ..series[0]
    }];
    let long = GraphView {
        plies: 5000,
        series: &long,
        marks: &[],
        is_flipped: true,
        ..one
    };
    let none = GraphView {
        series: &[],
        marks: &[],
        current_ply: 0,
        ..one
    };
    let (name_position, move_times) = (GraphNamePosition::Beside, times.as_slice());
    let of_page = GraphView {
        series: &series,
        move_times,
        name_position,
        current_ply: 86,
        ..one
    };
    let game: Vec<_> = first
        .iter()
        .map(|value| value.map(|value| (value, WinRateModel::default())))
        .collect();
    let branch = values(100, 31);
    let branch = [GraphSeries {
        values: &branch,
        ..series[0]
    }];
    let game = GraphGame {
        branch_ply: 88,
        values: &game,
    };
    let variation = GraphView {
        plies: 100,
        series: &branch,
        game: Some(game),
        marks: &[],
        current_ply: 91,
        ..of_page
    };
    let mut zoom = GraphZoom::default();
    zoom.zoom(120, 90.0, 3.0);
    let zoomed = GraphView { zoom, ..of_page };
    let live = [GraphSeries {
        values: &first[..90],
        ..series[0]
    }];
    let unjudged = GraphView {
        plies: 90,
        series: &[],
        has_judge: false,
        marks: &[],
        ..of_page
    };
    let live = GraphView {
        live_series: &live,
        current_ply: 90,
        ..unjudged
    };
    let mut studio = studio();
    let mut graph = |view: &GraphView<'_>, name: &str, points| {
        let theme = match name {
            "day" | "night" => theme::of_pages(name == "night"),
            name => theme(name),
        };
        studio.draw_graph(view, &theme, Lang::Ja, size(points, 1.0))
    };
    let (wide, large) = (vec2(660.0, 180.0), vec2(660.0, 300.0));
    let rows = [
        vec![graph(&of_page, "day", large), graph(&of_page, "night", large)],
        vec![graph(&variation, "day", large), graph(&variation, "night", large)],
        vec![graph(&zoomed, "day", wide), graph(&live, "night", wide)],
        vec![graph(&one, "paper", wide), graph(&evaluation, "paper", wide)],
        vec![
            graph(&both, "ink", vec2(660.0, 240.0)),
            graph(&both, "contrast", vec2(660.0, 240.0)),
        ],
        vec![
            graph(&long, "paper", wide),
            graph(&one, "paper", vec2(200.0, 70.0)),
            graph(&none, "paper", vec2(440.0, 100.0)),
        ],
    ];
    check([("study-graph".to_owned(), contact_sheet(&rows))]);
}
