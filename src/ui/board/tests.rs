//! Tests of the interactive board.

use super::*;
use crate::fonts;
use eframe::egui::accesskit::Role;
use eframe::egui::{
    Context, Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, RawInput, Rect,
    TouchPhase, Ui, pos2, vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_shogi::Square;

/// A board with its input state, and the actions that it returned.
struct BoardFixture {
    input: BoardInput,
    position: Position,
    mode: BoardMode,
    accepts_marks: bool,
    is_flipped: bool,
    lang: Lang,
    actions: Vec<BoardAction>,
}

impl BoardFixture {
    fn show(&mut self, ui: &Ui) {
        let position = self.position.clone();
        let view = BoardView {
            accepts_marks: self.accepts_marks,
            mode: self.mode,
            is_flipped: self.is_flipped,
            ..BoardView::new(&position, self.lang)
        };
        for action in self
            .input
            .show(ui, ui.max_rect(), &view, &crate::theme::paper(), self.lang)
            .actions
        {
            match &action {
                BoardAction::Play(mv) => self.position.play(*mv).unwrap(),
                BoardAction::Edit(position) => self.position = (**position).clone(),
                BoardAction::Step(_) | BoardAction::Mark(_) => {}
            }
            self.actions.push(action);
        }
    }
}

/// Opens a window with a board.
fn board(sfen: &str, mode: BoardMode, lang: Lang) -> Harness<'static, BoardFixture> {
    let position = Position::from_sfen(sfen).unwrap();
    let board = BoardFixture {
        input: BoardInput::default(),
        position,
        mode,
        accepts_marks: false,
        is_flipped: false,
        lang,
        actions: Vec::new(),
    };
    let mut harness = Harness::builder()
        .with_size([500.0, 700.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(|ui: &mut Ui, board: &mut BoardFixture| board.show(ui), board);
    harness.run();
    harness
}

const START_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const PROMOTION_SFEN: &str = "4k4/7p1/9/9/9/9/9/1B7/4K4 b - 1";

fn click(board: &mut Harness<'static, BoardFixture>, label: &str) {
    board.get_by_label(label).click();
    board.run();
}

/// Returns the actions so far: moves and steps as text, edited positions as SFEN.
fn action_texts(board: &Harness<'static, BoardFixture>) -> Vec<String> {
    let usi = |action: &BoardAction| match action {
        BoardAction::Play(mv) => mv.to_string(),
        BoardAction::Edit(position) => position.sfen(),
        BoardAction::Step(steps) => steps.to_string(),
        BoardAction::Mark(mark) => mark.to_string(),
    };
    board.state().actions.iter().map(usi).collect()
}

#[test]
fn names_squares_and_plays_moves_by_clicks() {
    let mut japanese = board(START_SFEN, BoardMode::Play, Lang::Ja);
    click(&mut japanese, "7七　先手の歩");
    click(&mut japanese, "7六");
    click(&mut japanese, "3三　後手の歩");
    click(&mut japanese, "3四");
    assert_eq!(action_texts(&japanese), ["7g7f", "3c3d"]);
    let english = board(START_SFEN, BoardMode::Play, Lang::En);
    english.get_by_role_and_label(Role::GridCell, "2h, Black's rook");
    english.get_by_role_and_label(Role::Grid, "Board");
    english.get_by_label("Black, to move");
}

#[test]
fn opens_the_promotion_choice() {
    for (answer, expect) in [("Promote", "8h2b+"), ("Keep", "8h2b")] {
        let mut board = board(PROMOTION_SFEN, BoardMode::Play, Lang::En);
        click(&mut board, "8h, Black's bishop");
        assert!(board.query_by_label("Promote").is_none());
        click(&mut board, "2b, White's pawn");
        click(&mut board, answer);
        assert_eq!(action_texts(&board), [expect]);
        assert!(board.query_by_label("Promote").is_none());
    }
    let mut board = board(PROMOTION_SFEN, BoardMode::Play, Lang::En);
    click(&mut board, "8h, Black's bishop");
    click(&mut board, "2b, White's pawn");
    board.key_press(Key::ArrowRight);
    board.run();
    board.key_press(Key::Enter);
    board.run();
    assert_eq!(action_texts(&board), ["8h2b"], "the keys chose the other");
    let focused = |board: &Harness<'static, BoardFixture>| board.ctx.memory(eframe::egui::Memory::focused);
    assert_eq!(focused(&board), None, "and go where they went before");
}

#[test]
fn escape_and_right_click_release_the_piece() {
    let mut board = board(START_SFEN, BoardMode::Play, Lang::En);
    click(&mut board, "7g, Black's pawn");
    assert!(board.state().input.is_busy());
    board.key_press(Key::Escape);
    board.run();
    assert!(!board.state().input.is_busy());
    click(&mut board, "7g, Black's pawn");
    board.get_by_label("5e").click_secondary();
    board.run();
    assert!(!board.state().input.is_busy());
    assert!(action_texts(&board).is_empty());
}

#[test]
fn plays_moves_by_dragging() {
    let mut board = board(START_SFEN, BoardMode::Play, Lang::En);
    let from = board.get_by_label("7g, Black's pawn").rect().center();
    let to = board.get_by_label("7f").rect().center();
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for event in [Event::PointerMoved(from), button(from, true)] {
        board.event(event);
    }
    board.run();
    for part in 1..=4_u8 {
        board.event(Event::PointerMoved(from + (to - from) * f32::from(part) / 4.0));
        board.run();
    }
    assert!(board.state().input.is_busy());
    board.event(button(to, false));
    board.run();
    assert_eq!(action_texts(&board), ["7g7f"]);
}

/// A mark stays on its squares when the board is flipped, also on a board that takes no moves.
#[test]
fn marks_follow_the_side_of_the_board() {
    for is_flipped in [false, true] {
        let mut board = board(START_SFEN, BoardMode::ReadOnly, Lang::En);
        board.state_mut().is_flipped = is_flipped;
        board.get_by_label("5e").click_secondary();
        board.run();
        assert!(action_texts(&board).is_empty());
        board.state_mut().accepts_marks = true;
        board.run();
        board.get_by_label("3f").click_secondary();
        board.run();
        assert_eq!(action_texts(&board), ["3f:1"]);
    }
}

#[test]
fn plays_moves_by_keyboard() {
    let mut board = board(START_SFEN, BoardMode::Play, Lang::En);
    board.get_by_role_and_label(Role::Grid, "Board").focus();
    board.run();
    for key in [
        Key::ArrowDown,
        Key::ArrowDown,
        Key::ArrowDown,
        Key::Enter,
        Key::ArrowUp,
        Key::Space,
    ] {
        board.key_press(key);
        board.run();
    }
    assert_eq!(action_texts(&board), ["5g5f"]);
    assert!(
        board
            .get_by_label("5f, Black's pawn")
            .accesskit_node()
            .is_focused(),
        "the square where the keys are"
    );
}

#[test]
fn handles_screen_reader_clicks() {
    let mut board = board(START_SFEN, BoardMode::Play, Lang::En);
    for label in ["2g, Black's pawn", "2f"] {
        board.get_by_label(label).click_accesskit();
        board.run();
    }
    assert_eq!(action_texts(&board), ["2g2f"]);
}

#[test]
fn edits_a_position() {
    let mut board = board("4k4/9/9/9/9/9/4P4/9/4K4 b G 1", BoardMode::Edit, Lang::En);
    click(&mut board, "5g, Black's pawn");
    click(&mut board, "5e");
    board.get_by_label("5e, Black's pawn").click_secondary();
    board.run();
    click(&mut board, "Black's hand: gold, 1");
    click(&mut board, "White");
    click(&mut board, "Piece box: rook, 2");
    click(&mut board, "1a");
    click(&mut board, "White");
    assert_eq!(board.state().position.sfen(), "4k3R/9/9/9/4+P4/9/9/9/4K4 w g 1");
    click(&mut board, "1a, Black's rook");
    click(&mut board, "Piece box");
    assert_eq!(board.state().position.sfen(), "4k4/9/9/9/4+P4/9/9/9/4K4 w g 1");
    click(&mut board, "5e, Black's promoted pawn");
    board.key_press(Key::R);
    board.run();
    assert_eq!(board.state().position.sfen(), "4k4/9/9/9/4p4/9/9/9/4K4 w g 1");
    board.key_press(Key::Delete);
    board.run();
    assert_eq!(board.state().position.sfen(), "4k4/9/9/9/9/9/9/9/4K4 w g 1");
}

#[test]
fn read_only_board_ignores_input() {
    let mut board = board(START_SFEN, BoardMode::ReadOnly, Lang::En);
    click(&mut board, "7g, Black's pawn");
    click(&mut board, "7f");
    assert!(action_texts(&board).is_empty());
    let over = board.get_by_label("5e").rect().center();
    board.event(Event::PointerMoved(over));
    board.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, -2.0),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    board.run();
    assert_eq!(action_texts(&board), ["2"], "but the wheel goes on in the game");
}

/// Runs `draw` in a fresh context with the fonts of the program. Returns the result of `draw`.
fn run_in_context<T>(mut draw: impl FnMut(&Ui) -> T) -> T {
    let ctx = Context::default();
    ctx.set_fonts(fonts::definitions());
    let mut found = None;
    let mut output = ctx.run_ui(RawInput::default(), |ui| found = Some(draw(ui)));
    output.textures_delta.clear();
    found.unwrap()
}

#[test]
fn draws_inside_its_rectangle_at_every_size() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1").unwrap();
    for mode in [BoardMode::Play, BoardMode::Edit] {
        let view = BoardView {
            mode,
            ..BoardView::new(&position, Lang::Ja)
        };
        for (width, height) in [
            (160.0, 220.0),
            (160.0, 160.0),
            (600.0, 780.0),
            (900.0, 600.0),
            (3840.0, 2160.0),
        ] {
            let rect = Rect::from_min_size(pos2(7.0, 11.0), vec2(width, height));
            let plan = layout::BoardPlan::new(&view, rect, 1.5);
            let stands = plan.stands.iter().chain(&plan.tray).map(|stand| stand.rect);
            for part in stands.chain([plan.board, plan.grid]) {
                assert!(
                    rect.expand(1.0).contains_rect(part),
                    "{width}x{height} {mode:?}: {part:?}"
                );
            }
            assert!(plan.board.contains_rect(plan.grid), "{width}x{height}");
            for square in Square::all() {
                let at = plan.square_rect(square).center();
                assert_eq!(
                    plan.slot_at(at),
                    Some(BoardSlot::Square(square)),
                    "{width}x{height}"
                );
            }
            for (kind, count, slot) in &plan.stands[0].slots {
                assert!(
                    plan.stands[0].rect.expand(0.5).contains_rect(*slot),
                    "{width}x{height}: {kind:?} {slot:?}"
                );
                assert_eq!(
                    plan.slot_at(slot.center()),
                    Some(BoardSlot::Hand(Color::Black, *kind))
                );
                assert_eq!(*count, position.hand(Color::Black).count(*kind));
            }
        }
    }
}

#[test]
fn accepts_extreme_sizes() {
    let position = Position::startpos();
    let view = BoardView {
        mode: BoardMode::Edit,
        ..BoardView::new(&position, Lang::Ja)
    };
    for (width, height) in [
        (0.0, 0.0),
        (1.0, 1.0),
        (-5.0, 3.0),
        (1.0e6, 2.0),
        (f32::NAN, 10.0),
    ] {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
        assert!(
            !run_in_context(|ui| ui.fonts_mut(|fonts| draw(fonts, &view, &crate::theme::paper(), rect)))
                .is_empty()
        );
    }
}

#[test]
fn shipped_serif_has_all_piece_characters() {
    let missing = run_in_context(|ui| {
        let family = fonts::piece_font(16.0).family;
        ui.fonts_mut(|fonts| {
            let all_texts = shogibar_shogi::PieceKind::ALL.iter().flat_map(|kind| {
                [Color::Black, Color::White]
                    .into_iter()
                    .flat_map(|color| piece::all_texts(*kind, color))
            });
            let characters = fonts.characters(&family);
            let is_in_pieces_font = |c: &char| {
                characters
                    .get(c)
                    .and_then(|faces| faces.first())
                    .is_some_and(|face| face == "pieces")
            };
            all_texts
                .flat_map(str::chars)
                .filter(|c| !is_in_pieces_font(c))
                .collect::<String>()
        })
    });
    assert_eq!(missing, "");
}

fn texts(view: &BoardView<'_>, room: (f32, f32)) -> Vec<(String, bool)> {
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(room.0, room.1));
    let shapes = run_in_context(|ui| ui.fonts_mut(|fonts| draw(fonts, view, &crate::theme::paper(), rect)));
    let text = |shape: &eframe::egui::Shape| {
        let eframe::egui::Shape::Text(text) = shape else {
            return None;
        };
        Some((text.galley.text().to_owned(), !text.galley.elided))
    };
    shapes.iter().filter_map(text).collect()
}

#[test]
fn ranks_are_written_as_moves_are() {
    let position = Position::startpos();
    for (lang, expect) in [(Lang::Ja, "一二三四五六七八九"), (Lang::En, "abcdefghi")] {
        let texts = texts(&BoardView::new(&position, lang), (600.0, 780.0));
        let ranks = texts
            .iter()
            .map(|(text, _)| text.as_str())
            .filter(|text| expect.contains(text));
        assert_eq!(ranks.collect::<String>(), expect);
    }
}

/// A long name has several lines in a hand beside the board, and in one below it without a clock.
#[test]
fn names_use_the_room_of_a_hand() {
    use shogibar_kifu::{ClockTime, Millis};
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1").unwrap();
    let clock = Some(ClockTime::Used(Millis(3_600_000)));
    let names = ["Shogibar 先手番", "内蔵エンジン 三段"];
    for (room, clock) in [
        ((420.0, 300.0), clock),
        ((640.0, 420.0), clock),
        ((640.0, 420.0), None),
    ] {
        let side = |name| BoardSide {
            title: "",
            name,
            clock,
        };
        let view = BoardView {
            black: side(names[0]),
            white: side(names[1]),
            ..BoardView::new(&position, Lang::Ja)
        };
        let texts = texts(&view, room);
        for name in names {
            assert!(
                texts.iter().any(|(text, is_whole)| text == name && *is_whole),
                "{room:?} {name}: {texts:?}"
            );
        }
    }
    let long = "とても長い名前のエンジン";
    let side = BoardSide {
        title: "",
        name: long,
        clock: None,
    };
    let view = BoardView {
        black: side,
        white: side,
        ..BoardView::new(&position, Lang::Ja)
    };
    let texts = texts(&view, (600.0, 780.0));
    assert_eq!(
        texts
            .iter()
            .filter(|(text, is_whole)| text == long && *is_whole)
            .count(),
        2,
        "{texts:?}"
    );
}

/// The numbers are above all shapes and beside each other, so that each can be read.
#[test]
fn drops_on_one_square_are_beside_each_other() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b GS 1").unwrap();
    let arrows = [("G*5b", 1), ("S*5b", 2)].map(|(usi, rank)| Arrow {
        mv: Move::from_usi(usi).unwrap(),
        rank,
    });
    let style = BoardStyle {
        shows_coordinates: false,
        ..BoardStyle::default()
    };
    let view = BoardView {
        arrows: &arrows,
        style,
        mode: BoardMode::ReadOnly,
        ..BoardView::new(&position, Lang::Ja)
    };
    let context = Context::default();
    context.set_fonts(fonts::definitions());
    let mut shapes = Vec::new();
    let mut output = context.run_ui(RawInput::default(), |ui| {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 500.0));
        shapes = ui.fonts_mut(|fonts| draw(fonts, &view, &crate::theme::paper(), rect));
    });
    output.textures_delta.clear();
    let found = |number: &str| {
        let is_it = |shape: &eframe::egui::Shape| matches!(shape, eframe::egui::Shape::Text(text) if text.galley.text() == number);
        let found = shapes.iter().rposition(is_it).expect(number);
        (found, shapes[found].visual_bounding_rect())
    };
    let [(first, one), (second, two)] = ["1", "2"].map(found);
    assert!(
        second < first && first - second == 3,
        "a number and its dot are all that lie over another number"
    );
    assert!(!one.expand(3.0).intersects(two), "{one} {two}");
}
